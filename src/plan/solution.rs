//! What a solver makes of a plan: probabilities, not counts.

use super::Probability;
use crate::rules::{RecordId, Span};
use std::collections::BTreeMap;

/// How much may be worked out: a count that is the same on every machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// How many states may be looked at, counting each as often as it is.
    pub states: u64,
}

impl Default for Budget {
    fn default() -> Self {
        Self { states: 2_000_000 }
    }
}

/// What a plan comes to.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Solution {
    /// For each result, its probability.
    pub result: Distribution,
    /// For each record, the probability of each of its values. What is missing to 1 is the probability of trials that do
    /// not come to it.
    pub records: BTreeMap<RecordId, Distribution>,
    /// For each combination of the values of [`super::Plan::joint`], its probability.
    pub joint: BTreeMap<Vec<Option<i64>>, Probability>,
    /// The probability of a trial that does not end because the tool's patience does.
    pub unresolved: Option<Probability>,
    /// What the rules come to without the tool's patience, where that can be said and is not the same.
    pub limit: Option<Box<Limit>>,
    /// How many states were looked at.
    pub states: u64,
}

/// What the rules come to without the tool's patience.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Limit {
    /// For each result, its probability.
    pub result: Distribution,
    /// For each record of which that can be said, the probability of each of its values.
    pub records: BTreeMap<RecordId, Distribution>,
    /// How many passes a trial makes on average through each capped loop that stands in no other, by its place.
    pub rounds: BTreeMap<Span, Probability>,
}

/// Each value with its probability.
pub type Distribution = BTreeMap<i64, Probability>;

/// Why a plan is not solved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unsolved {
    /// The budget is spent.
    Budget(Budget),
    /// The rules are too long to write out.
    TooLong,
    /// A record adds up to more than 32 bits hold.
    TooLarge,
    /// A player decides, and nothing says how.
    Choices,
    /// A player decides by something that has no name, so that nobody could be told when to do what.
    Nameless,
}
