//! Checked steps of tests.

use super::{Call, ChoiceId, Expr, LocalId, Operation, Place, Pool, PoolId, RecordId, UnitsId};
use crate::diagnostic::Span;

/// One step of a test.
#[derive(Clone, Debug)]
pub struct Statement {
    /// What it does.
    pub node: StatementNode,
    /// Where.
    pub span: Span,
}

/// The sorts of steps.
#[derive(Clone, Debug)]
pub enum StatementNode {
    /// Keeps a value under a new name.
    Let(LocalId, String, Expr),
    /// Keeps dice or a list under a name, new or not.
    Keep(PoolId, String, Pool),
    /// Changes what is there: the value is worked out after the place and before what stands there is read.
    Assign(Assignment),
    /// The first block whose condition holds, else the last.
    If(Vec<(Expr, Vec<Statement>)>, Vec<Statement>),
    /// A loop whose passes are only counted.
    Repeat(Repeat),
    /// A loop through numbers or units.
    For(LocalId, String, ForRange, Vec<Statement>),
    /// Leaves the innermost loop.
    Stop,
    /// Reports a value, or with `true` adds it to what was reported before.
    Record(RecordId, bool, Expr),
    /// Ends the test with a value.
    Return(Expr),
    /// Ends the test with a list.
    ReturnList(Pool),
    /// Ends a test that gives nothing.
    End,
    /// Calls a test for what it does.
    Call(Call),
}

/// `x = ...`, `x += ...`, `x -= ...`.
#[derive(Clone, Debug)]
pub struct Assignment {
    /// What is changed.
    pub target: Target,
    /// As it is written.
    pub name: String,
    /// `Add` or `Subtract`: what is there is changed by the value; `None`: the value takes its place.
    pub change: Option<Operation>,
    /// The value.
    pub value: Expr,
}

/// What an assignment changes.
#[derive(Clone, Debug)]
pub enum Target {
    /// A factor or a local.
    Place(Place),
    /// A factor of a unit that is worked out, by its position in [`super::Units::factors`].
    Unit(UnitsId, Expr, usize),
    /// An item of a list; the first has the number 1.
    Item(PoolId, Expr),
}

/// `repeat ... { }`: before each of at most `most` passes the condition is asked, and ends the loop if it holds.
#[derive(Clone, Debug)]
pub struct Repeat {
    /// When to leave; never for a plain number of times.
    pub until: Option<Expr>,
    /// How many passes at most; worked out once, before the first. Below 0 is none.
    pub most: Expr,
    /// Whether the number is the tool's patience: the condition is asked once more behind the last pass, and if it does
    /// not hold then, the trial is unresolved.
    pub cap: bool,
    /// What is done.
    pub body: Vec<Statement>,
}

/// What a loop goes through.
#[derive(Clone, Debug)]
pub enum ForRange {
    /// From the first to the last, both included, worked out once; none where they cross. Numbers, or units.
    Between(Expr, Expr),
    /// Units by their positions, the first and how many; before each pass the player picks the next.
    Chosen(ChoiceId, usize, usize),
}
