//! What was counted of one plan, measure by measure.

use super::{ContentId, Tally};
use crate::scenario::{Measure, Measured};
use std::collections::BTreeMap;

/// What was counted of one plan.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sample {
    /// The plan.
    pub id: ContentId,
    /// All trials, unresolved ones among them.
    pub trials: u64,
    /// Trials that did not end.
    pub unresolved: u64,
    /// For each of [`crate::scenario::Scenario::measures`].
    pub measures: Vec<Counts>,
    /// For each combination of the values of [`crate::scenario::Scenario::joint`], the number of trials that have it.
    pub joint: BTreeMap<Vec<Option<i64>>, u64>,
}

/// How often each value of one measure came up.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Of a result all trials, those that did not end among them; of a record the trials that have it.
    pub trials: u64,
    /// The numbers that came up, or positions in [`crate::scenario::Results::Named`], each with its trials.
    pub counts: BTreeMap<i64, u64>,
}

impl Counts {
    /// How many trials have this value.
    pub fn count(&self, value: i64) -> u64 {
        self.counts.get(&value).copied().unwrap_or(0)
    }

    /// How many trials have any value.
    pub fn ended(&self) -> u64 {
        self.counts.values().sum()
    }
}

impl Sample {
    /// A tally of one variant's plan (position in [`Measure::variants`]) by the scenario's measures; `joint` names those
    /// whose combinations were counted.
    pub fn new(id: ContentId, tally: &Tally, measures: &[Measure], joint: &[usize], variant: usize) -> Self {
        let counts = |measure: &Measure| {
            measure.variants[variant]
                .as_ref()
                .map_or_else(Counts::default, |measured| counts(tally, measured))
        };
        let together =
            |(values, count): (&Vec<Option<i64>>, &u64)| (keys(values, measures, joint, variant), *count);
        Self {
            id,
            trials: tally.trials,
            unresolved: tally.unresolved,
            measures: measures.iter().map(counts).collect(),
            joint: tally.joint.iter().map(together).collect(),
        }
    }
}

impl Sample {
    /// Adds the counts of other trials of the same plan; those of combinations stay as they are.
    pub fn add(&mut self, other: &Self) {
        self.trials += other.trials;
        self.unresolved += other.unresolved;
        for (own, more) in self.measures.iter_mut().zip(&other.measures) {
            own.trials += more.trials;
            for (value, count) in &more.counts {
                *own.counts.entry(*value).or_default() += count;
            }
        }
    }
}

/// A combination of values of one variant as counts of the whole scenario key it.
pub(super) fn keys(
    values: &[Option<i64>],
    measures: &[Measure],
    joint: &[usize],
    variant: usize,
) -> Vec<Option<i64>> {
    let mut values = values.iter();
    let key = |measure: &usize| {
        let measured = measures[*measure].variants[variant].as_ref()?;
        values.next().copied().flatten().map(|value| measured.key(value))
    };
    joint.iter().map(key).collect()
}

fn counts(tally: &Tally, measured: &Measured) -> Counts {
    let counts: BTreeMap<i64, u64> = match measured.record {
        None => tally.counts.iter().map(|(value, count)| (measured.key(i64::from(*value)), *count)).collect(),
        Some(record) => {
            let counts = tally.records.get(&record).into_iter().flatten();
            counts.map(|(value, count)| (measured.key(*value), *count)).collect()
        }
    };
    let trials = if measured.record.is_none() { tally.trials } else { counts.values().sum() };
    Counts { trials, counts }
}
