//! What the same dice give under two drafts.
//!
//! In: counts of trials that were played in step. Out: how often each value is gained and lost, with the difference's
//! interval and p-value.
//!
//! **Never:** independent dice, what a value is called.

use super::{Analysis, holm, mcnemar, normal_quantile};
use crate::plan::{Pairs, Unlike};
use std::collections::BTreeSet;

/// A draft in step with the baseline in one situation.
#[derive(Clone, PartialEq, Debug)]
pub struct Flow {
    /// Position of the variant.
    pub variant: usize,
    /// Position of the situation.
    pub situation: usize,
    /// How the first measure fares under the baseline and the variant, or where the two do not roll alike.
    pub pairs: Result<Pairs, Unlike>,
    /// What that means for each of its values: all named ones, or the numbers that came up; see [`Analysis::set_flows`].
    pub changes: Vec<Shift>,
}

/// How one value fares on the same dice.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Shift {
    /// The value, as counts key it.
    pub key: i64,
    /// Trials that have it under both.
    pub both: u64,
    /// Trials that have it under the variant alone.
    pub gained: u64,
    /// Trials that have it under the baseline alone.
    pub lost: u64,
    /// The variant's probability less the baseline's, a fraction in -1..=1.
    pub difference: f64,
    /// The lower end of its interval, in -1..=1.
    pub low: f64,
    /// The upper end, in -1..=1.
    pub high: f64,
    /// McNemar's p-value, adjusted for all paired comparisons of the run, a fraction in 0..=1.
    pub p_adjusted: f64,
}

impl Analysis {
    /// Takes up what was played in step; `named` is how many named values the first measure has, `None` where it is a
    /// number.
    pub fn set_flows(&mut self, mut flows: Vec<Flow>, named: Option<usize>) {
        let z = normal_quantile(self.level);
        for flow in &mut flows {
            flow.changes = flow.pairs.as_ref().map_or_else(|_| Vec::new(), |pairs| changes(pairs, named, z));
        }
        let mut all: Vec<&mut Shift> = flows.iter_mut().flat_map(|flow| &mut flow.changes).collect();
        let values: Vec<f64> = all.iter().map(|change| change.p_adjusted).collect();
        all.iter_mut().zip(holm(&values)).for_each(|(change, adjusted)| change.p_adjusted = adjusted);
        self.flows = flows;
    }
}

/// Each value's change, with a p-value that is not adjusted yet.
fn changes(pairs: &Pairs, named: Option<usize>, z: f64) -> Vec<Shift> {
    let came_up = || pairs.counts.keys().flat_map(|(one, other)| [*one, *other]).flatten();
    let keys: BTreeSet<i64> = named.map_or_else(|| came_up().collect(), |count| (0..count as i64).collect());
    let change = |key: i64| {
        let of = |wanted: (bool, bool)| -> u64 {
            let have = |(one, other): &(Option<i64>, Option<i64>)| (*one == Some(key), *other == Some(key));
            pairs.counts.iter().filter(|(both, _)| have(both) == wanted).map(|(_, count)| count).sum()
        };
        let (both, gained, lost) = (of((true, true)), of((false, true)), of((true, false)));
        let difference = (gained as f64 - lost as f64) / pairs.trials as f64;
        let (low, high) = paired(gained, lost, pairs.trials, z);
        Shift { key, both, gained, lost, difference, low, high, p_adjusted: mcnemar(gained, lost) }
    };
    keys.into_iter().map(change).collect()
}

/// The interval for the difference of two probabilities that were counted in the same trials: `gained` have the one thing
/// alone, `lost` the other alone; ends in -1..=1. It is the usual one after one more trial of either sort.
///
/// **Source:** D. G. Bonett and R. M. Price, "Adjusted Wald confidence interval for a difference of binomial proportions
/// based on paired data", *Journal of Educational and Behavioral Statistics* 37 (2012).
pub fn paired(gained: u64, lost: u64, trials: u64, z: f64) -> (f64, f64) {
    let all = trials as f64 + 2.0;
    let (more, less) = ((gained as f64 + 1.0) / all, (lost as f64 + 1.0) / all);
    let difference = more - less;
    let half = z * ((more + less - difference * difference) / all).sqrt();
    ((difference - half).max(-1.0), (difference + half).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyse::{LEVEL, analyse};

    #[test]
    fn paired_intervals_agree_with_published_examples() {
        // Fagerland, Lydersen and Laake 2014 (Statistics in Medicine 33), Bonett-Price: 1 against 7 of 21, 6 against 16 of 161
        let z = normal_quantile(LEVEL);
        for ((gained, lost, trials), ends) in
            [((1, 7, 21), (-0.508, -0.013)), ((6, 16, 161), (-0.119, -0.003))]
        {
            let (low, high) = paired(gained, lost, trials, z);
            assert!((low - ends.0).abs() < 5e-4 && (high - ends.1).abs() < 5e-4, "{low} {high}");
        }
    }

    #[test]
    fn what_changes_is_gained_and_lost() {
        let mut pairs = Pairs::default();
        let trials =
            [(Some(0), Some(0), 5), (Some(0), Some(1), 3), (Some(1), Some(0), 1), (None, Some(1), 1)];
        for (one, other, times) in trials {
            (0..times).for_each(|_| pairs.record(one, other));
        }
        let flow = Flow { variant: 1, situation: 0, pairs: Ok(pairs), changes: Vec::new() };
        let mut analysis = analyse(&[], 0, &[], LEVEL);
        analysis.set_flows(vec![flow], Some(3));
        let told: Vec<_> =
            analysis.flows[0].changes.iter().map(|one| (one.key, one.both, one.gained, one.lost)).collect();
        assert_eq!(told, [(0, 5, 1, 3), (1, 0, 4, 1), (2, 0, 0, 0)]);
        let first = analysis.flows[0].changes[0];
        assert!((first.difference + 0.2).abs() < 1e-15 && first.low < -0.2 && first.high > -0.2);
        // by hand: 1 against 3 is 10/16, 4 against 1 is 12/32, Holm takes three times the least
        assert_eq!(analysis.flows[0].changes[1].p_adjusted, 1.0);
    }
}
