//! What the counts of one measure say of a set of its values, or of its numbers.
//!
//! In: counts. Out: a probability with its interval; mean, standard deviation and quantiles.
//!
//! **Never:** what a value is called.

use super::cells::Estimate;
use super::wilson;
use crate::plan::{Counts, Sample};

/// The levels of the quantiles that a [`Summary`] has.
pub const QUANTILES: [f64; 5] = [0.05, 0.25, 0.5, 0.75, 0.95];

/// The probability of all values that `contains` picks; of a result, trials that did not end are trials in which none of
/// them came up. `z` is the [`super::normal_quantile`] of the interval's level.
pub fn estimate(counts: &Counts, contains: impl Fn(i64) -> bool, z: f64) -> Estimate {
    let picked = counts.counts.iter().filter(|(key, _)| contains(**key));
    Estimate::new(picked.map(|(_, count)| count).sum(), counts.trials, z)
}

/// How far the widest interval of a probability reaches to one side, of what the test gives and of all that is named (see
/// [`super::analyse`]) and recorded; 0 where there are none. `z` is the [`super::normal_quantile`] of their level.
pub fn half_width(sample: &Sample, named: &[Option<usize>], z: f64) -> f64 {
    let asked = sample.measures.iter().zip(named).enumerate();
    let asked = asked.filter(|(at, (counts, named))| (*at == 0 || named.is_some()) && counts.trials > 0);
    let half = |count: u64, trials: u64| {
        let ((low, high), share) = (wilson(count, trials, z), count as f64 / trials as f64);
        (share - low).max(high - share)
    };
    let widest = |(_, (counts, _)): (usize, (&Counts, _))| {
        counts.counts.values().map(|count| half(*count, counts.trials)).fold(half(0, counts.trials), f64::max)
    };
    asked.map(widest).fold(0.0, f64::max)
}

/// The mean of the trials that have a value; `None` if none has.
pub fn mean(counts: &Counts) -> Option<f64> {
    let ended = counts.ended();
    // whole numbers until the end: no order of adding changes a digit
    let sum: i128 = counts.counts.iter().map(|(value, count)| i128::from(*value) * i128::from(*count)).sum();
    (ended > 0).then(|| sum as f64 / ended as f64)
}

/// The standard deviation of the trials that have a value, with one trial less in the divisor; `None` for fewer than
/// two.
pub(super) fn deviation(counts: &Counts) -> Option<f64> {
    let (mean, ended) = (mean(counts)?, counts.ended());
    let square = |(value, count): (&i64, &u64)| {
        let off = *value as f64 - mean;
        off * off * *count as f64
    };
    let sum: f64 = counts.counts.iter().map(square).sum();
    (ended > 1).then(|| (sum / (ended - 1) as f64).sqrt())
}

/// The smallest number that at least the share `level` (a fraction in 0..=1) of the trials that have one does not
/// exceed; `None` if none has.
///
/// **Source:** definition 1 of R. J. Hyndman and Y. Fan, "Sample quantiles in statistical packages", *The American
/// Statistician* 50 (1996).
pub fn quantile(counts: &Counts, level: f64) -> Option<i64> {
    let wanted = (level * counts.ended() as f64).max(1.0);
    let mut seen = 0;
    let reached = |(_, count): &(&i64, &u64)| {
        seen += **count;
        seen as f64 >= wanted
    };
    counts.counts.iter().find(reached).or(counts.counts.last_key_value()).map(|(value, _)| *value)
}

/// Where the numbers of a measure lie.
#[derive(Clone, PartialEq, Debug)]
pub struct Summary {
    /// Trials that have a number.
    pub trials: u64,
    /// Their mean.
    pub mean: f64,
    /// The lower end of its interval; not a number for fewer than two trials.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// Their standard deviation; not a number for fewer than two trials.
    pub deviation: f64,
    /// Their quantiles at [`QUANTILES`].
    pub quantiles: [i64; 5],
}

/// Summarises a measure that is a number; `None` if no trial has it. The interval is that of the central limit theorem;
/// `z` is the [`super::normal_quantile`] of its level.
pub fn summary(counts: &Counts, z: f64) -> Option<Summary> {
    let (mean, deviation) = (mean(counts)?, deviation(counts).unwrap_or(f64::NAN));
    let trials = counts.ended();
    let half = z * deviation / (trials as f64).sqrt();
    let quantiles = QUANTILES.map(|level| quantile(counts, level).unwrap_or(0));
    Some(Summary { trials, mean, low: mean - half, high: mean + half, deviation, quantiles })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(results: &[i64], unresolved: u64) -> Counts {
        let mut counts = Counts { trials: results.len() as u64 + unresolved, ..Counts::default() };
        results.iter().for_each(|result| *counts.counts.entry(*result).or_default() += 1);
        counts
    }

    #[test]
    fn unresolved_trials_count_among_the_trials_of_a_probability() {
        let both = estimate(&counts(&[0, 1, 2, 2], 4), |key| key >= 1, 1.96);
        assert_eq!((both.count, both.trials, both.probability), (3, 8, 0.375));
    }

    #[test]
    fn the_widest_interval_is_the_one_that_reaches_furthest_to_one_side() {
        let measures = vec![counts(&[0, 1, 1, 1], 0), counts(&[5, 6], 0), counts(&[0, 1], 0)];
        let mut sample = Sample {
            id: crate::plan::ContentId([0; 32]),
            trials: 4,
            unresolved: 0,
            measures,
            joint: std::collections::BTreeMap::new(),
        };
        let widest = |sample: &Sample, named: &[Option<usize>]| half_width(sample, named, 2.0);
        // by hand: none of n reaches up to 4 / (n + 4); with 4 trials that is more than 1 of them reaches, 0.4557
        assert_eq!(widest(&sample, &[Some(2), None, None]), 0.5);
        // a record that is a number has no say, one that is named has
        assert!((widest(&sample, &[None, None, Some(2)]) - 2.0 / 3.0).abs() < 1e-15);
        sample.measures[2] = Counts::default();
        assert_eq!(widest(&sample, &[None, None, Some(2)]), 0.5);
    }

    #[test]
    fn means_and_quantiles_are_of_the_trials_that_ended() {
        let numbers = counts(&[-4, 1, 2, 3], 5);
        assert_eq!(mean(&numbers), Some(0.5));
        // half of four is two: the second number
        assert_eq!(quantile(&numbers, 0.5), Some(1));
        assert_eq!(quantile(&numbers, 0.51), Some(2));
        assert_eq!([quantile(&numbers, 0.0), quantile(&numbers, 1.0)], [Some(-4), Some(3)]);
        assert_eq!((mean(&counts(&[], 3)), quantile(&counts(&[], 3), 0.5)), (None, None));
    }

    #[test]
    fn a_summary_agrees_with_a_textbook() {
        // 2, 4, 4, 4, 5, 5, 7, 9: mean 5, squares 9 + 1 + 1 + 1 + 0 + 0 + 4 + 16 = 32, so the deviation is sqrt(32 / 7)
        let eight = summary(&counts(&[2, 4, 4, 4, 5, 5, 7, 9], 3), 2.0).unwrap();
        let deviation = (32.0_f64 / 7.0).sqrt();
        assert_eq!((eight.trials, eight.mean), (8, 5.0));
        assert!((eight.deviation - deviation).abs() < 1e-14);
        assert!((eight.high - (5.0 + 2.0 * deviation / 8.0_f64.sqrt())).abs() < 1e-14);
        // shares of 8: 0.4, 2, 4, 6 and 7.6 trials
        assert_eq!(eight.quantiles, [2, 4, 4, 5, 9]);
        let one = summary(&counts(&[3], 0), 2.0).unwrap();
        assert!(one.deviation.is_nan() && one.low.is_nan() && one.mean == 3.0);
        assert_eq!(summary(&counts(&[], 7), 2.0), None);
    }
}
