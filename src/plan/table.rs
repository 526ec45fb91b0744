//! What a player does where no rule says so: a move for all that he may see there.

use super::program::SiteId;
use crate::rules::{FactorId, LocalId, PoolId, RecordId, Span};
use std::collections::BTreeMap;

/// A move for each place where a player decides and for all that still matters there.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Table {
    /// Whether it was made for something that the result says.
    pub result: bool,
    /// The records that it was made for.
    pub records: Vec<RecordId>,
    /// By position in [`super::program::Program::sites`].
    pub sites: BTreeMap<SiteId, Moves>,
}

/// The moves at one place.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Moves {
    /// What the player looks at, in this order.
    pub looks: Vec<Look>,
    /// What he sees, as the numbers of all looks one after another, and the move: one option, or the dice that he picks,
    /// their faces ascending.
    pub moves: BTreeMap<Vec<i32>, Vec<i32>>,
}

/// Something that a player looks at.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Look {
    /// A factor's own cell: one number.
    Cell(FactorId),
    /// A local of a call (0 is the entry, 1 what that calls, and so on): one number.
    Local(usize, LocalId),
    /// Dice or a list of a call: how many, then what each shows.
    Dice {
        /// The call, and the name there; `None` for the dice to pick from.
        place: Option<(usize, PoolId)>,
        /// Whether they are told as they lie, not from the lowest up.
        ordered: bool,
        /// Whether behind each stands what it is: how many faces it has, below 0 where they are its own.
        sorts: bool,
    },
    /// How many passes are left of the loop under way that stands there.
    Left(Span),
    /// What the trial has recorded: 0 and 0 if nothing, 1 and the value.
    Record(RecordId),
}
