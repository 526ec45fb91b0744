//! One variant in one situation: what engines are given, what a trial yields, how outcomes are tallied.
//!
//! **Never:** how a trial is played.

mod engine;
mod tally;

pub use engine::{CHUNK, Chunk, Engine};
pub use tally::{Outcome, Tally};

use crate::rules::{Ruleset, TestId};
use crate::scenario::Move;
use std::sync::Arc;

/// One variant's test in one situation under its policy.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The rules.
    pub rules: Arc<Ruleset>,
    /// Where a trial starts.
    pub entry: TestId,
    /// The value of each factor when a trial starts.
    pub situation: Vec<i32>,
    /// What the player does at each choice; `None` where the entry never comes to it.
    pub moves: Arc<Vec<Option<Move>>>,
    /// Names what is sampled: plans that play alike have the same.
    pub id: ContentId,
}

/// The hash of all that a plan's outcomes depend on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContentId(pub [u8; 32]);

impl std::fmt::Debug for ContentId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// What was counted of one plan. Results are keyed by position in [`crate::scenario::Results`], or by the number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sample {
    /// The plan.
    pub id: ContentId,
    /// The counts.
    pub tally: Tally,
}
