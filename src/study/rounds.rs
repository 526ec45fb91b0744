//! Trials in rounds, until they are enough: how many there are after each, and what it takes to be precise enough.
//!
//! In: how precise figures are to be. Out: counts. A plan is looked at only after whole rounds, so that no number of
//! threads changes anything.
//!
//! **Never:** what a figure says.

use super::{ContentId, Draw, Plan, Study};
use crate::analyse::{LEVEL, half_width, normal_quantile};
use crate::plan::{CHUNK, Sample, Tally};
use crate::simulate::{Stopped, Stretch};
use std::collections::BTreeMap;

/// How many trials there are after each round: twice as many as before, but at most `most`.
pub(super) fn sizes(first: u64, most: u64) -> Vec<u64> {
    let double = |size: &u64| (*size < most).then(|| size.saturating_mul(2).min(most));
    std::iter::successors(Some(first.min(most)), double).collect()
}

/// The level of each interval of a run that may look so many times, so that all its looks together are as safe as one.
pub(super) fn level(looks: u64) -> f64 {
    1.0 - (1.0 - LEVEL) / looks as f64
}

impl Study<'_> {
    /// How many trials a plan has had after each round of a run that is to be precise.
    pub(super) fn sizes(&self) -> Vec<u64> {
        let first = if self.scenario.precision.is_some() { CHUNK } else { self.scenario.trials };
        sizes(first, self.scenario.most())
    }

    /// Plays each plan until the widest of its intervals is `asked` on either side, or it has had the most trials.
    pub(super) fn precise(
        &self,
        distinct: &BTreeMap<ContentId, (usize, &Plan)>,
        asked: f64,
        draw: Draw<'_>,
    ) -> Result<Vec<Tally>, Stopped> {
        let sizes = self.sizes();
        let z = normal_quantile(level(sizes.len() as u64));
        let plans: Vec<(usize, &Plan)> = distinct.values().copied().collect();
        let mut tallies = vec![Tally::default(); plans.len()];
        let mut open: Vec<usize> = (0..plans.len()).collect();
        for size in sizes {
            let stretch = |at: &usize| Stretch { plan: plans[*at].1, trials: tallies[*at].trials..size };
            let more = draw.tallies(&open.iter().map(stretch).collect::<Vec<_>>())?;
            open.iter().zip(&more).for_each(|(at, more)| tallies[*at].add(more));
            open.retain(|at| {
                let sample = self.sample(plans[*at].1.id, &tallies[*at], plans[*at].0);
                half_width(&sample, &self.named(), z) > asked
            });
        }
        Ok(tallies)
    }

    /// What was counted of a plan, by the scenario's measures.
    pub(super) fn sample(&self, id: ContentId, tally: &Tally, variant: usize) -> Sample {
        Sample::new(id, tally, &self.scenario.measures, &self.scenario.joint, variant)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trials_double_up_to_the_most() {
        assert_eq!(sizes(1_000, 6_000), [1_000, 2_000, 4_000, 6_000]);
        assert_eq!(sizes(1_000, 4_000), [1_000, 2_000, 4_000]);
        assert_eq!(sizes(1_000, 1_000), [1_000]);
        assert_eq!(sizes(1_000, 10), [10]);
        assert_eq!(sizes(u64::MAX / 2 + 1, u64::MAX).len(), 2);
    }

    #[test]
    fn a_run_that_looks_once_has_the_usual_level() {
        assert_eq!(level(1), LEVEL);
        assert!((level(10) - 0.995).abs() < 1e-15);
    }
}
