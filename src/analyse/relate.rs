//! Drafts against the baseline beyond probabilities of single values: exact differences, means, order.
//!
//! In: an [`Analysis`] whose cells have their answers. Out: the same with these comparisons.
//!
//! **Never:** what variants, situations and measures are called.

use super::order::orders;
use super::{Analysis, Apart, Cell, Comparison, Sense, apart, exact_mean, exact_share, normal_quantile};
use crate::plan::Probability;

/// The mean of a number in one situation: a variant against the baseline.
#[derive(Clone, PartialEq, Debug)]
pub struct Means {
    /// Position of the variant.
    pub variant: usize,
    /// Position of the situation.
    pub situation: usize,
    /// Position of the measure.
    pub measure: usize,
    /// How far they are apart.
    pub apart: Apart,
    /// The same exactly, where both sides are solved.
    pub exact: Option<Probability>,
}

impl Analysis {
    /// Sets drafts against the baseline further: what the answers of the cells say of each difference, means of numbers,
    /// and of each measure that has a `sense` whether a draft is ever worse.
    pub fn relate(&mut self, senses: &[Option<Sense>]) {
        let place = |one: &Comparison| (one.variant, one.situation, one.measure);
        let groups = self.comparisons.chunk_by(|one, other| place(one) == place(other));
        self.differences = groups.flat_map(|group| self.exact_differences(group)).collect();
        let numbers = (0..senses.len()).filter(|at| senses[*at] == Some(Sense::HighestFirst));
        let drafts = (0..self.cells.len()).filter(|variant| *variant != self.baseline);
        let places = drafts.flat_map(|variant| (0..self.cells[variant].len()).map(move |at| (variant, at)));
        let known = &*self;
        let all = |place| numbers.clone().filter_map(move |measure| known.apart(place, measure));
        self.means = places.flat_map(all).collect();
        self.orders = orders(self, senses);
    }

    /// A draft's cell and the baseline's.
    fn both(&self, variant: usize, situation: usize) -> [&Cell; 2] {
        [variant, self.baseline].map(|variant| &self.cells[variant][situation])
    }

    /// The exact differences of one measure's comparisons.
    fn exact_differences(&self, group: &[Comparison]) -> Vec<Option<Probability>> {
        let Some(Comparison { variant, situation, measure, same_rules, .. }) = group.first() else {
            return Vec::new();
        };
        let none = if *same_rules { Some(Probability::ZERO) } else { None };
        let [Ok(ours), Ok(theirs)] = self.both(*variant, *situation).map(|cell| &cell.answer) else {
            return vec![none; group.len()];
        };
        let [ours, theirs] = [ours, theirs].map(|answer| exact_share(&answer.measures[*measure]));
        let difference = |one: &Comparison| Some(ours(one.key)?.minus(&theirs(one.key)?));
        group.iter().map(|one| none.clone().or_else(|| difference(one))).collect()
    }

    /// How far the means of a number are apart.
    fn apart(&self, (variant, situation): (usize, usize), measure: usize) -> Option<Means> {
        let both = self.both(variant, situation);
        let [ours, theirs] = both.map(|cell| cell.reaching(measure));
        let mut apart = apart(ours, theirs, normal_quantile(self.level))?;
        let mean = |cell: &Cell| exact_mean(&cell.answer.as_ref().ok()?.measures[measure]);
        let mut exact = mean(both[0]).zip(mean(both[1])).map(|(ours, theirs)| ours.minus(&theirs));
        if both[0].sample.id == both[1].sample.id {
            (apart.low, apart.high, apart.effect, exact) = (0.0, 0.0, 0.0, Some(Probability::ZERO));
        }
        Some(Means { variant, situation, measure, apart, exact })
    }
}
