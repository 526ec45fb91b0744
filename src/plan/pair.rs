//! How trials of two plans end on the same dice.

use super::{ContentId, Plan};
use std::collections::BTreeMap;

/// How trials of two plans ended that were played in step on the same dice. Pairs of disjoint trials add up.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Pairs {
    /// All trials.
    pub trials: u64,
    /// For each value under the first plan and value under the second the number of trials that have both; `None` where a
    /// trial has no value.
    pub counts: BTreeMap<(Option<i64>, Option<i64>), u64>,
}

impl Pairs {
    /// Counts one more trial.
    pub fn record(&mut self, first: Option<i64>, second: Option<i64>) {
        self.trials += 1;
        *self.counts.entry((first, second)).or_default() += 1;
    }

    /// Adds the counts of other trials of the same plans.
    pub fn add(&mut self, other: &Self) {
        self.trials += other.trials;
        other.counts.iter().for_each(|(both, count)| *self.counts.entry(*both).or_default() += count);
    }
}

/// Where two plans do not roll alike, so that there are no same dice for them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unlike {
    /// Which die of the trial, from 0.
    pub die: usize,
    /// How many faces it has under the first plan; `None` where that rolls no more dice.
    pub first: Option<u32>,
    /// How many it has under the second; `None` where that rolls no more.
    pub second: Option<u32>,
}

/// Names the stream of dice on which two plans are played in step.
pub fn name_of_both(first: &Plan, second: &Plan) -> ContentId {
    ContentId::of_bytes(&[first.id.0, second.id.0].concat())
}
