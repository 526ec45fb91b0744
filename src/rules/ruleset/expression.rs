//! Checked expressions: arithmetic, rolls, sets, choices and calls.

use super::{ChartId, ChoiceId, FactorId, LocalId, ModifiersId, Pool, TestId, Type, UnitsId};
use crate::diagnostic::Span;
use crate::rules::tree::{Comparison, Question};

/// Where a value is kept during play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// On the table, seen by everything that is called. Inside a call for a unit, the factors that the unit has mean its
    /// own.
    Factor(FactorId),
    /// In the frame of one call.
    Local(LocalId),
}

/// Something that has a value.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub node: ExprNode,
    /// Number, flag or kind.
    pub ty: Type,
    /// Where.
    pub span: Span,
}

impl PartialEq for Expr {
    /// Whether both say the same, wherever they stand.
    fn eq(&self, other: &Self) -> bool {
        self.node == other.node
    }
}

/// The sorts of expressions. Operands are worked out left to right.
#[derive(Clone, PartialEq, Debug)]
pub enum ExprNode {
    /// Always the same.
    Constant(i32),
    /// What is on the table, or in the frame.
    Read(Place),
    /// A factor of a unit that is worked out, by its position in [`super::Units::factors`].
    ReadUnit(UnitsId, Box<Expr>, usize),
    /// A unit of a list: the list's first unit, how many it has, and which one, from 1.
    UnitAt(usize, usize, Box<Expr>),
    /// What all dice show, added up.
    Sum(Box<Pool>),
    /// What the only die shows.
    Only(Box<Pool>),
    /// What is asked of all dice: a number for `count`, else a flag.
    Ask(Question, Box<Pool>, Set),
    /// The so manyth highest face, from 1; 0 where there are fewer dice.
    Rank(Box<Pool>, Box<Expr>),
    /// Whether so many dice show the same face.
    Alike(Box<Pool>, Box<Expr>),
    /// What a die shows, or an item of a list, by its number from 1.
    Item(Box<Pool>, Box<Expr>),
    /// Yes with probability first / second.
    Chance(Box<Expr>, Box<Expr>),
    /// Worked out from its operands by arithmetic alone.
    Apply(Operation, Vec<Expr>),
    /// Yes if both are; the second is worked out only where the first is yes.
    And(Box<Expr>, Box<Expr>),
    /// Yes if one is; the second is worked out only where the first is no.
    Or(Box<Expr>, Box<Expr>),
    /// Whether the value is in the set.
    Is(Box<Expr>, Set),
    /// Condition, then, otherwise; only what is reached is worked out.
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// What a player's pick gives: each option with its value.
    Choose(ChoiceId, Vec<(i32, Expr)>),
    /// A number or a unit that a player picks between two, both included; the first where they cross.
    ChooseFrom(ChoiceId, Box<Expr>, Box<Expr>),
    /// Another piece.
    Call(Box<Call>),
}

/// A call. Its arguments, unit and settings are worked out in that order in the caller's situation, then hold for the
/// call and all that it calls, then are put back.
#[derive(Clone, Debug)]
pub struct Call {
    /// What is called.
    pub callee: Callee,
    /// For which unit: the names of the factors that it has mean its own.
    pub unit: Option<Expr>,
    /// What fills the parameters.
    pub arguments: Vec<Expr>,
    /// Factors that are changed for the call.
    pub settings: Vec<(FactorId, Expr)>,
    /// Where.
    pub span: Span,
}

impl PartialEq for Call {
    /// Whether both say the same, wherever they stand.
    fn eq(&self, other: &Self) -> bool {
        self.callee == other.callee
            && self.unit == other.unit
            && self.arguments == other.arguments
            && self.settings == other.settings
    }
}

/// What can be called.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Callee {
    /// A block of modifiers: its sum.
    Modifiers(ModifiersId),
    /// A chart: the cell.
    Chart(ChartId),
    /// A test: what it returns.
    Test(TestId),
}

/// Arithmetic on values already worked out.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operation {
    /// -a
    Negate,
    /// 1 - a, of a flag
    Not,
    /// a + b
    Add,
    /// a - b
    Subtract,
    /// a * b
    Multiply,
    /// a / b, rounded towards minus infinity
    DivideDown,
    /// a / b, rounded towards plus infinity
    DivideUp,
    /// 1 if a stands to b as named, else 0
    Compare(Comparison),
    /// the smallest of all operands
    Min,
    /// the largest of all operands
    Max,
    /// a without its sign
    Abs,
    /// `between(low, x, high)`: x, at least low, at most high; high wins where they cross
    Between,
}

impl Operation {
    /// Works it out in 64 bits; `None` where the divisor is 0.
    ///
    /// The checker has proved that results of checked rules fit 32 bits and that no divisor is 0.
    pub fn apply(self, values: &[i64]) -> Option<i64> {
        let (a, b) = (values[0], values.get(1).copied().unwrap_or(0));
        Some(match self {
            Self::Negate => -a,
            Self::Not => 1 - a,
            Self::Add => a + b,
            Self::Subtract => a - b,
            Self::Multiply => a * b,
            Self::DivideDown | Self::DivideUp if b == 0 => return None,
            Self::DivideDown => a.div_euclid(b) - i64::from(b < 0 && a.rem_euclid(b) != 0),
            Self::DivideUp => -Self::DivideDown.apply(&[-a, b])?,
            Self::Compare(comparison) => i64::from(comparison.holds(a, b)),
            Self::Min => values.iter().copied().fold(a, i64::min),
            Self::Max => values.iter().copied().fold(a, i64::max),
            Self::Abs => a.abs(),
            Self::Between => b.max(a).min(values[2]),
        })
    }
}

/// A set of values: every one of the spans counts.
#[derive(Clone, Debug)]
pub struct Set {
    /// The spans, as written.
    pub spans: Vec<SetSpan>,
    /// Where.
    pub span: Span,
}

impl PartialEq for Set {
    /// Whether both say the same, wherever they stand.
    fn eq(&self, other: &Self) -> bool {
        self.spans == other.spans
    }
}

/// A stretch of values. Its ends are worked out once, in order, whatever the value that is looked for.
#[derive(Clone, PartialEq, Debug)]
pub enum SetSpan {
    /// Just this.
    One(Expr),
    /// From the smallest to the largest, both included; open where there is none.
    Range(Option<Expr>, Option<Expr>),
}
