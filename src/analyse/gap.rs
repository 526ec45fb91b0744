//! How far the probability of some values is apart in two cells.
//!
//! In: two cells and the values. Out: the difference, exactly or with its interval.
//!
//! **Never:** which cells they are.

use super::{Cell, newcombe, probability};
use crate::plan::Counts;

/// The difference of two probabilities, fractions in -1..=1.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Gap {
    /// The difference.
    pub value: f64,
    /// The lower end of its interval; the value itself where it is known exactly.
    pub low: f64,
    /// The upper end, likewise.
    pub high: f64,
    /// Whether both sides are solved, or play by the same rules.
    pub exact: bool,
}

/// How much more probable the values of a measure that `contains` picks are in one cell than in another; of a record among
/// the trials that have it, `None` where none has. `z` is the [`super::normal_quantile`] of the interval's level.
pub fn gap(
    [ours, theirs]: [&Cell; 2],
    measure: usize,
    contains: impl Fn(i64) -> bool + Copy,
    z: f64,
) -> Option<Gap> {
    let exactly = |value: f64| Gap { value, low: value, high: value, exact: true };
    if ours.sample.id == theirs.sample.id {
        return Some(exactly(0.0));
    }
    if let (Ok(ours), Ok(theirs)) = (&ours.answer, &theirs.answer) {
        let [ours, theirs] = [ours, theirs].map(|answer| probability(&answer.measures[measure], contains));
        return Some(exactly(ours?.minus(&theirs?).value()));
    }
    let picked = |counts: &Counts| {
        let picked = counts.counts.iter().filter(|(key, _)| contains(**key));
        (picked.map(|(_, count)| count).sum(), counts.trials)
    };
    let [ours, theirs] = [ours, theirs].map(|cell| picked(&cell.sample.measures[measure]));
    if ours.1 == 0 || theirs.1 == 0 {
        return None;
    }
    let (low, high) = newcombe(ours, theirs, z);
    let share = |(count, trials): (u64, u64)| count as f64 / trials as f64;
    Some(Gap { value: share(ours) - share(theirs), low, high, exact: false })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyse::{LEVEL, analyse, normal_quantile};
    use crate::plan::{Answer, ContentId, Probability, Sample, Weights};
    use std::collections::BTreeMap;

    /// A cell of a plan known by a number, with so many trials for each value.
    fn cell(plan: u8, counts: &[(i64, u64)]) -> Cell {
        let trials = counts.iter().map(|(_, count)| count).sum();
        let measures = vec![Counts { trials, counts: counts.iter().copied().collect() }];
        let id = ContentId([plan; 32]);
        let sample = Sample { id, trials, unresolved: 0, measures, joint: BTreeMap::new() };
        analyse(&[vec![sample]], 0, &[None], LEVEL).cells[0][0].clone()
    }

    /// The same with the probability of each value in so many.
    fn solved(cell: Cell, whole: u64, weights: &[(i64, i64)]) -> Cell {
        let one = |(key, weight): &(i64, i64)| (*key, Probability::fraction(*weight, whole));
        let weights = Weights { partial: false, weights: weights.iter().map(one).collect() };
        Cell {
            answer: Ok(Answer {
                measures: vec![weights],
                joint: BTreeMap::new(),
                unresolved: Probability::ZERO,
                limit: None,
            }),
            ..cell
        }
    }

    #[test]
    fn a_difference_of_counts_has_newcombes_interval() {
        let (ours, theirs) = (cell(1, &[(1, 26), (2, 30), (3, 14)]), cell(2, &[(1, 32), (2, 48)]));
        let found = gap([&ours, &theirs], 0, |key| key >= 2, normal_quantile(LEVEL)).unwrap();
        // 44 of 70 less 48 of 80
        assert!((found.value - (44.0 / 70.0 - 48.0 / 80.0)).abs() < 1e-15);
        assert_eq!((found.low, found.high), newcombe((44, 70), (48, 80), normal_quantile(LEVEL)));
        assert!(!found.exact);
        let back = gap([&theirs, &ours], 0, |key| key >= 2, normal_quantile(LEVEL)).unwrap();
        assert!((found.low + back.high).abs() < 1e-15);
    }

    #[test]
    fn what_is_solved_on_both_sides_has_no_interval() {
        let (ours, theirs) = (cell(1, &[(0, 5), (1, 5)]), cell(2, &[(0, 5), (1, 5)]));
        let ours = solved(ours, 36, &[(0, 21), (1, 15)]);
        let half = gap([&ours, &theirs], 0, |key| key == 1, 2.0).unwrap();
        assert!(!half.exact && half.low < 0.0 && half.high > 0.0);
        let theirs = solved(theirs, 36, &[(0, 30), (1, 6)]);
        let both = gap([&ours, &theirs], 0, |key| key == 1, 2.0).unwrap();
        assert_eq!(both, Gap { value: 0.25, low: 0.25, high: 0.25, exact: true });
    }

    #[test]
    fn the_same_rules_do_not_differ() {
        let (ours, theirs) = (cell(1, &[(0, 5), (1, 5)]), cell(1, &[(0, 6), (1, 4)]));
        let same = gap([&ours, &theirs], 0, |key| key == 1, 2.0).unwrap();
        assert_eq!(same, Gap { value: 0.0, low: 0.0, high: 0.0, exact: true });
        let never = cell(3, &[]);
        assert_eq!(gap([&never, &theirs], 0, |key| key == 1, 2.0), None);
    }
}
