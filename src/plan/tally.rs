//! How outcomes are tallied: counts are integers, and they add.

use std::collections::BTreeMap;

/// How one trial ended.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Outcome {
    /// The value that the entry test returned: a number, a flag (0 or 1), or a position in its kind.
    Result(i32),
    /// A loop reached the tool's patience before the test ended.
    Unresolved,
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

    /// Adds the counts of other trials of the same plan.
    pub fn add(&mut self, other: &Self) {
        self.trials += other.trials;
        self.unresolved += other.unresolved;
        for (value, count) in &other.counts {
            *self.counts.entry(*value).or_default() += count;
        }
    }

    /// How many trials ended in this result.
    pub fn count(&self, value: i32) -> u64 {
        self.counts.get(&value).copied().unwrap_or(0)
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
}
