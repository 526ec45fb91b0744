//! How outcomes are tallied: counts are integers, and they add.

use crate::rules::RecordId;
use std::collections::BTreeMap;

/// How one trial ended.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Outcome {
    /// The value that the entry test returned: a number, a flag (0 or 1), or a position in its kind.
    Result(i32),
    /// A loop reached the tool's patience before the test ended.
    Unresolved,
}

/// What one trial yields.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trial {
    /// How it ended.
    pub outcome: Outcome,
    /// What it reports beside, by position in [`crate::rules::Ruleset::records`]; `None` where it never came to it, and
    /// everywhere in a trial that is unresolved.
    pub records: Vec<Option<i64>>,
}

/// How many trials ended how. Tallies of disjoint trials of the same plan add up, in any order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// All trials, unresolved ones among them.
    pub trials: u64,
    /// Trials that did not end in a result.
    pub unresolved: u64,
    /// For each result that came up, the number of trials that ended in it.
    pub counts: BTreeMap<i32, u64>,
    /// For each record that any trial has, and each of its values, the number of trials that reported it.
    pub records: BTreeMap<RecordId, BTreeMap<i64, u64>>,
    /// For each combination of the values of [`super::Plan::joint`], the number of trials that reported it.
    pub joint: BTreeMap<Vec<Option<i64>>, u64>,
}

impl Tally {
    /// Counts one more trial.
    pub fn record(&mut self, outcome: Outcome) {
        self.trials += 1;
        match outcome {
            Outcome::Result(value) => *self.counts.entry(value).or_default() += 1,
            Outcome::Unresolved => self.unresolved += 1,
        }
    }

    /// Counts what one more trial reports beside its outcome, and the combination of the records in `joint`.
    pub fn record_beside(&mut self, records: &[Option<i64>], joint: &[RecordId]) {
        for (at, value) in records.iter().enumerate() {
            if let Some(value) = value {
                *self.records.entry(RecordId(at)).or_default().entry(*value).or_default() += 1;
            }
        }
        if !joint.is_empty() {
            let together = joint.iter().map(|record| records.get(record.0).copied().flatten()).collect();
            *self.joint.entry(together).or_default() += 1;
        }
    }

    /// Adds the counts of other trials of the same plan.
    pub fn add(&mut self, other: &Self) {
        self.trials += other.trials;
        self.unresolved += other.unresolved;
        add(&mut self.counts, &other.counts);
        add(&mut self.joint, &other.joint);
        for (record, counts) in &other.records {
            add(self.records.entry(*record).or_default(), counts);
        }
    }

    /// How many trials ended in this result.
    pub fn count(&self, value: i32) -> u64 {
        self.counts.get(&value).copied().unwrap_or(0)
    }
}

/// Adds counts by their keys.
fn add<K: Clone + Ord>(counts: &mut BTreeMap<K, u64>, others: &BTreeMap<K, u64>) {
    for (key, count) in others {
        match counts.get_mut(key) {
            Some(known) => *known += count,
            None => _ = counts.insert(key.clone(), *count),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tallies_add_in_any_order() {
        let mut left = Tally::default();
        let mut right = Tally::default();
        left.record(Outcome::Result(3));
        right.record(Outcome::Result(3));
        right.record(Outcome::Unresolved);
        let (mut one, mut two) = (left.clone(), right.clone());
        one.add(&right);
        two.add(&left);
        assert_eq!(one, two);
        assert_eq!((one.trials, one.unresolved, one.count(3), one.count(4)), (3, 1, 2, 0));
    }
    #[test]
    fn records_are_counted_only_by_the_trials_that_have_them() {
        let mut tally = Tally::default();
        tally.record_beside(&[Some(2), None], &[RecordId(1), RecordId(0)]);
        tally.record_beside(&[Some(2), Some(-1)], &[RecordId(1), RecordId(0)]);
        let mut other = Tally::default();
        other.record_beside(&[Some(7), None], &[RecordId(1), RecordId(0)]);
        tally.add(&other);
        assert_eq!(tally.records[&RecordId(0)], BTreeMap::from([(2, 2), (7, 1)]));
        assert_eq!(tally.records[&RecordId(1)], BTreeMap::from([(-1, 1)]));
        let together = [(vec![None, Some(2)], 1), (vec![None, Some(7)], 1), (vec![Some(-1), Some(2)], 1)];
        assert_eq!(tally.joint, BTreeMap::from(together));
    }
}
