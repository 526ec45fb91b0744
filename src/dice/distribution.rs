//! How dice can fall: what is asked of a pool, and how many of all equally likely ways lead to each answer.
//!
//! In: groups of dice with their faces, what is done to the dice, what is asked. Out: the answers with exact weights.
//!
//! Equal faces cannot be told apart by what is asked here, so nothing goes through the dice in all their orders. Where
//! the answer of each die can simply be added to those of the others, die after die is added; where it matters which
//! faces are highest or alike, face after face is, from the highest down, until it matters no longer.
//!
//! **Never:** rolling anything, how the other half of the room rolls it.

mod faces;
mod hand;
mod layout;
mod loose;
mod pool;
mod solve;
#[cfg(test)]
mod tests;
mod weight;

pub use faces::Faces;
pub use hand::{answer, kept};

use dashu_int::UBig;
use smallvec::SmallVec;
use weight::Size;

/// Stretches of numbers, both ends included; a side without an end ends at [`i32::MIN`] or [`i32::MAX`].
pub type Set = SmallVec<[(i32, i32); 2]>;

/// The answers to several questions, in their order, or the faces of several dice, the lowest first.
pub type Row = SmallVec<[i32; 4]>;

/// What is asked of all dice of a pool at once. Flags are 0 and 1.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Question {
    /// What all dice show, added up.
    Sum,
    /// How many show one of the set.
    Count(Set),
    /// Whether any shows one of the set.
    Any(Set),
    /// Whether there are dice, and all of them show one of the set.
    All(Set),
    /// The so manyth highest face, from 1; 0 where there are fewer dice, or where the number is below 1.
    Rank(i32),
    /// Whether so many dice show the same face; never where there are no dice.
    Alike(i32),
}

/// What is done to the dice before they are asked.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kept {
    /// The dice that show one of the set stay, or with `true` those that do not.
    Filter(Set, bool),
    /// So many dice from one end stay, all where there are fewer, or with `others` all but these.
    Extreme {
        /// Whether they are the highest, not the lowest.
        highest: bool,
        /// How many.
        number: u32,
        /// Whether the others stay instead.
        others: bool,
    },
}

/// What can come out, and in how many ways.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Distribution {
    /// What comes out, ascending, each with how many of all ways lead there; at least one.
    pub ways: Vec<(Row, UBig)>,
    /// How many ways there are in all; has no divisor in common with all of the ways.
    pub total: UBig,
}

/// The answers to all questions together, asked of the dice that stay after all of `keep`, one after another.
///
/// The sum of a pool must lie within `i32`, whatever falls.
///
/// ```
/// # use houserule::dice::distribution::{Faces, Kept, Question, answers};
/// let lowest = Kept::Extreme { highest: false, number: 1, others: true };
/// let found = answers(&[(4, &Faces::up_to(6))], &[lowest], &[Question::Sum]);
/// let (sum, ways) = found.ways.last().expect("something falls");
/// assert_eq!((sum[0], ways, &found.total), (18, &21u32.into(), &1296u32.into()));
/// ```
pub fn answers(pool: &[(u32, &Faces)], keep: &[Kept], questions: &[Question]) -> Distribution {
    match Size::of(pool) {
        Size::Small => solve::answers::<u64>(pool, keep, questions, solve::MULTISET),
        Size::Middle => solve::answers::<u128>(pool, keep, questions, solve::MULTISET),
        Size::Large => solve::answers::<UBig>(pool, keep, questions, solve::MULTISET),
    }
}

/// The faces that the dice of a pool can show together, the lowest first. Where faces need not be told apart, give the
/// dice [`Faces::merged`].
pub fn multisets(pool: &[(u32, &Faces)]) -> Distribution {
    match Size::of(pool) {
        Size::Small => solve::multisets::<u64>(pool),
        Size::Middle => solve::multisets::<u128>(pool),
        Size::Large => solve::multisets::<UBig>(pool),
    }
}

/// Whether the number lies in one of the stretches.
fn among(set: &Set, number: i32) -> bool {
    set.iter().any(|(low, high)| (*low..=*high).contains(&number))
}
