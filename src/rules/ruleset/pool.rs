//! Checked dice and lists: several values at once.

use super::{Call, ChoiceId, DieId, Expr, PoolId, Set, Type};
use crate::diagnostic::Span;
use crate::rules::tree::End;

/// Dice that remember what they are, or a list of values. The first has the number 1.
#[derive(Clone, Debug)]
pub struct Pool {
    /// What it is.
    pub node: PoolNode,
    /// What each die shows, or each item is: number, flag or kind.
    pub ty: Type,
    /// How many items a list has; `None` for dice.
    pub items: Option<usize>,
    /// Where.
    pub span: Span,
}

impl PartialEq for Pool {
    /// Whether both say the same, wherever they stand.
    fn eq(&self, other: &Self) -> bool {
        self.node == other.node
    }
}

/// The sorts of pools. Operands are worked out left to right, the dice before what is done to them.
#[derive(Clone, PartialEq, Debug)]
pub enum PoolNode {
    /// So many dice, rolled one after another.
    Roll(Box<Expr>, Die),
    /// The dice of several pools, one pool after another.
    Join(Vec<Pool>),
    /// A list of values.
    List(Vec<Expr>),
    /// What is kept under a name.
    Read(PoolId),
    /// Condition, then, otherwise; only what is reached is worked out.
    If(Box<Expr>, Box<Pool>, Box<Pool>),
    /// A test that gives a list.
    Call(Box<Call>),
    /// The dice that show one of the set, or with `true` those that do not.
    Keep(Box<Pool>, Set, bool),
    /// So many dice from one end, all of them if there are fewer; or with `true` the others. Order is kept; of equal
    /// faces the first dice count.
    Extreme(Box<Pool>, End, Box<Expr>, bool),
    /// Dice that show one of the set are rolled again, in place.
    Reroll(Box<Pool>, Set, Limits),
    /// Each die that shows one of the set adds one more behind the last.
    Explode(Box<Pool>, Set, Limits),
    /// Dice that the player chooses are rolled again in place, or with `true` kept.
    Chosen(Box<Pool>, Box<Chosen>),
}

/// One sort of die.
#[derive(Clone, PartialEq, Debug)]
pub enum Die {
    /// Faces from 1 to this.
    Faces(u32),
    /// The same with a number that is worked out after that of the dice.
    Computed(Box<Expr>),
    /// Faces of its own.
    Custom(DieId),
}

/// Bounds on rerolls and explosions.
#[derive(Clone, PartialEq, Debug)]
pub struct Limits {
    /// How often each die is rolled again, or how long each chain of new dice may get.
    pub times: Option<Box<Expr>>,
    /// How many dice in all: rerolls take the lowest faces first, explosions the first dice.
    pub dice: Option<Box<Expr>>,
    /// Whether `times` is the tool's patience: a chain that would go on makes the trial unresolved.
    pub cap: bool,
}

/// Which dice a player may choose.
#[derive(Clone, PartialEq, Debug)]
pub struct Chosen {
    /// The choice.
    pub choice: ChoiceId,
    /// Whether the chosen dice are kept instead of rolled again.
    pub keep: bool,
    /// At least so many, as far as there are so many.
    pub least: Option<Expr>,
    /// At most so many.
    pub most: Option<Expr>,
}
