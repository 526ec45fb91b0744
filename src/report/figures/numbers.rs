//! Which numbers of a measure a chart shows.
//!
//! In: how probable each is in every cell of a chart. Out: from where to where, and in which steps.
//!
//! **Never:** what the numbers are.

use super::super::words::lower_first;
use super::View;
use crate::analyse::exact_share;
use std::collections::BTreeMap;

/// How probable each number is, a fraction in 0..=1.
type Chances = BTreeMap<i64, f64>;

/// From where to where the numbers of a chart go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stretch {
    /// The least that is shown.
    pub(super) low: i64,
    /// The greatest.
    pub(super) high: i64,
    /// Whether lower or higher ones are left out.
    pub(super) cut: bool,
}

impl Stretch {
    /// The numbers outside which there is less than `tail` (a fraction in 0..=1) on either side in every cell of a chart;
    /// `None` if no cell has any.
    pub(super) fn of(view: &View, tail: f64) -> Option<Self> {
        let variants = (0..view.scenario.variants.len()).filter(|variant| view.has(*variant));
        let cells = variants.flat_map(|variant| view.rows.iter().map(move |row| (variant, *row)));
        Self::holding(&cells.map(|(variant, row)| chances(view, variant, row)).collect::<Vec<_>>(), tail)
    }

    /// The shortest stretch outside which each has next to nothing.
    fn holding(all: &[Chances], tail: f64) -> Option<Self> {
        let low = all.iter().filter_map(|one| reached(one.iter(), tail)).min()?;
        let high = all.iter().filter_map(|one| reached(one.iter().rev(), tail)).max()?;
        let left_out = |(number, chance): (&i64, &f64)| *chance > 0.0 && !(low..=high).contains(number);
        let cut = all.iter().flatten().any(left_out);
        Some(Self { low, high, cut })
    }

    /// The smallest of 1, 2, 5, 10, 20 and so on that parts it into at most so many.
    pub(super) fn step(self, most: i64) -> i64 {
        let steps = (0..18).flat_map(|zeros| [1, 2, 5].map(|digit| digit * 10_i64.pow(zeros)));
        let parts = |step: i64| self.high.div_euclid(step) - self.low.div_euclid(step) + 1;
        steps.into_iter().find(|step| parts(*step) <= most).unwrap_or(i64::MAX)
    }

    /// Its numbers, or of more than so many those at whole steps.
    pub(super) fn marks(self, most: i64) -> Vec<i64> {
        let step = self.step(most);
        (self.low..=self.high).filter(|number| number.rem_euclid(step) == 0).collect()
    }
}

/// The number up to which there is more than next to nothing.
fn reached<'a>(mut chances: impl Iterator<Item = (&'a i64, &'a f64)>, tail: f64) -> Option<i64> {
    let mut sum = 0.0;
    chances.find_map(|(number, chance)| {
        sum += chance;
        (sum >= tail).then_some(*number)
    })
}

/// How probable each number is in one cell.
fn chances(view: &View, variant: usize, row: usize) -> Chances {
    let (cell, measure) = (view.cell(variant, row), view.request.measure);
    match &cell.answer {
        Ok(answer) => {
            let weights = &answer.measures[measure];
            let share = exact_share(weights);
            weights.weights.keys().filter_map(|key| Some((*key, share(*key)?.value()))).collect()
        }
        Err(_) => {
            let counts = &cell.sample.measures[measure];
            let share = |count: u64| count as f64 / counts.trials as f64;
            counts.counts.iter().map(|(key, count)| (*key, share(*count))).collect()
        }
    }
}

/// What the numbers are called.
pub(super) fn label(view: &View) -> String {
    let measure = &view.scenario.measures[view.request.measure];
    match measure.is_record() {
        true => lower_first(&measure.label),
        false => format!("result of {}", view.scenario.test.replace('_', " ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chances(all: &[(i64, f64)]) -> Chances {
        all.iter().copied().collect()
    }

    #[test]
    fn ends_that_next_to_no_trial_has_are_left_out() {
        let one = chances(&[(0, 0.0004), (1, 0.0005), (2, 0.9981), (3, 0.001)]);
        assert_eq!(
            Stretch::holding(std::slice::from_ref(&one), 0.001),
            Some(Stretch { low: 2, high: 3, cut: true })
        );
        // another cell has more on the left
        let other = chances(&[(1, 0.5), (2, 0.5)]);
        assert_eq!(
            Stretch::holding(&[one, other.clone()], 0.001),
            Some(Stretch { low: 1, high: 3, cut: true })
        );
        assert_eq!(Stretch::holding(&[other], 0.001), Some(Stretch { low: 1, high: 2, cut: false }));
        assert_eq!(Stretch::holding(&[Chances::new()], 0.001), None);
    }

    #[test]
    fn what_never_comes_up_is_not_left_out() {
        let one = chances(&[(-4, 0.0), (1, 1.0), (9, 0.0)]);
        assert_eq!(Stretch::holding(&[one], 0.001), Some(Stretch { low: 1, high: 1, cut: false }));
    }

    #[test]
    fn many_numbers_go_by_twos_fives_and_tens() {
        let step = |low, high| Stretch { low, high, cut: false }.step(24);
        assert_eq!([step(1, 24), step(1, 25), step(0, 48), step(-7, 100)], [1, 2, 5, 5]);
        assert_eq!([step(0, 239), step(0, 240)], [10, 20]);
    }
}
