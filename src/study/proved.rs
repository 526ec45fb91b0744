//! From where to where the numbers of measures can reach: proved from the rules, or seen in what is solved.
//!
//! In: plans, and measures that are numbers. Out: their ends.
//!
//! **Never:** what came up in trials.

use super::{Answers, ContentId, Draw, Study};
use crate::kernel;
use crate::plan::{Answer, Counts, Plan, Sample};
use crate::scenario::{Measure, Results};
use crate::simulate::{Stopped, shared};
use std::collections::{BTreeMap, BTreeSet};

/// From where to where the numbers of measures can reach.
pub(super) type Reach = BTreeMap<usize, (i64, i64)>;

impl Study<'_> {
    /// The ends of these measures of these plans, as far as they can be proved.
    ///
    /// # Errors
    /// [`Stopped`] if `draw.stop` was set or no thread could be started.
    pub(super) fn proved(
        &self,
        wanted: BTreeMap<ContentId, BTreeSet<usize>>,
        draw: Draw<'_>,
    ) -> Result<BTreeMap<ContentId, Reach>, Stopped> {
        let wanted: Vec<(ContentId, BTreeSet<usize>)> = wanted.into_iter().collect();
        let (plans, all) = (self.distinct(), &self.scenario.measures);
        let one = |found: &mut Vec<(ContentId, Reach)>, at: u64| {
            let (id, measures) = &wanted[at as usize];
            let (variant, plan) = plans[id];
            found.push((*id, ends(plan, measures, all, variant)));
        };
        Ok(shared(wanted.len() as u64, draw.threads, draw.stop, one)?.into_iter().flatten().collect())
    }

    /// The ends of the numbers that were the same in all trials of a plan: trials alone do not tell how far others could be.
    ///
    /// # Errors
    /// [`Stopped`] if `draw.stop` was set or no thread could be started.
    pub(super) fn reach_of_the_same(
        &self,
        counted: &BTreeMap<ContentId, Sample>,
        answers: &Answers,
        draw: Draw<'_>,
    ) -> Result<BTreeMap<ContentId, Reach>, Stopped> {
        let (mut known, mut wanted) = (BTreeMap::new(), BTreeMap::new());
        for (id, sample) in counted {
            let same: BTreeSet<usize> = self.the_same(sample).collect();
            match &answers[id] {
                _ if same.is_empty() => {}
                Ok(answer) => _ = known.insert(*id, same.iter().filter_map(|at| seen(answer, *at)).collect()),
                Err(_) => _ = wanted.insert(*id, same),
            }
        }
        known.extend(self.proved(wanted, draw)?);
        Ok(known)
    }

    /// The measures that are numbers, and of which one alone came up.
    fn the_same(&self, sample: &Sample) -> impl Iterator<Item = usize> {
        let one =
            |(counts, measure): (&Counts, &Results)| counts.counts.len() == 1 && *measure == Results::Numbers;
        let measures = self.scenario.measures.iter().map(|measure| &measure.results);
        let all = sample.measures.iter().zip(measures).map(one).collect::<Vec<bool>>();
        all.into_iter().enumerate().filter(|(_, one)| *one).map(|(at, _)| at)
    }
}

/// The proved ends of some measures of a variant's plan.
pub(super) fn ends(plan: &Plan, wanted: &BTreeSet<usize>, all: &[Measure], variant: usize) -> Reach {
    let known = kernel::reach(plan);
    let of = |measure: &usize| {
        let measured = all[*measure].variants[variant].as_ref()?;
        Some((*measure, *known.get(&measured.record)?))
    };
    wanted.iter().filter_map(of).collect()
}

/// The least and the greatest number of a measure that is solved.
fn seen(answer: &Answer, measure: usize) -> Option<(usize, (i64, i64))> {
    let mut numbers = answer.measures[measure].weights.iter().filter(|(_, weight)| !weight.is_zero());
    let (low, _) = numbers.next()?;
    Some((measure, (*low, numbers.next_back().map_or(*low, |(high, _)| *high))))
}
