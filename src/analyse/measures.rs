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

/// The interval of the mean of the trials that have a value; `None` if none has. `reach` is from where to where the number
/// can be: where all trials have the same one, that alone says what others would have added, and without it there is no
/// interval (its ends are not numbers). `z` is the [`super::normal_quantile`] of the interval's level.
///
/// Each end is as many standard errors from what was found as the level says, and as in Wilson's interval the error is the
/// one that trials would have if the end were the mean: the variance at a mean m' near by is s + k (m' - m) / s, where s is
/// that of the trials and k their third central moment. The share is that of Wilson's interval, z z / (n + z z): of numbers
/// that are 0 or 1 this is his but for one trial less in the divisor of s, and where all are the same it is what he allows
/// for what was never seen.
///
/// **Source:** for intervals whose error is that at their ends L. D. Brown, T. T. Cai and A. DasGupta, "Interval estimation
/// in exponential families", *Statistica Sinica* 13 (2003); for the variance at another mean B. Efron, "Nonparametric
/// standard errors and confidence intervals", *Canadian Journal of Statistics* 9 (1981): trials are weighted exponentially
/// until they have that mean.
pub(super) fn mean_interval(counts: &Counts, reach: Option<(i64, i64)>, z: f64) -> Option<(f64, f64)> {
    let (mean, trials) = (mean(counts)?, counts.ended() as f64);
    let share = z * z / (trials + z * z);
    let (Some(by), Some(deviation)) = (lopsidedness(counts), deviation(counts)) else {
        let (low, high) = reach.map_or((f64::NAN, f64::NAN), |(low, high)| (low as f64, high as f64));
        return Some((mean - (mean - low) * share, mean + (high - mean) * share));
    };
    let shift = share * by / 2.0;
    let half = (shift * shift + share * deviation * deviation).sqrt();
    Some((mean + shift - half, mean + shift + half))
}

/// How lopsided the trials that have a value are: the sum of the cubes of their distances from the mean over that of the
/// squares. `None` where all have the same, or none has one.
pub(super) fn lopsidedness(counts: &Counts) -> Option<f64> {
    let (mean, mut squares, mut cubes) = (mean(counts)?, 0.0, 0.0);
    for (value, count) in &counts.counts {
        let off = *value as f64 - mean;
        squares += off * off * *count as f64;
        cubes += off * off * off * *count as f64;
    }
    let several = counts.counts.values().filter(|count| **count > 0).count() > 1;
    several.then(|| cubes / squares)
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
    /// The lower end of its interval; not a number where all trials have the same and it is not known what others might.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// Their standard deviation; not a number for fewer than two trials.
    pub deviation: f64,
    /// Their quantiles at [`QUANTILES`].
    pub quantiles: [i64; 5],
}

/// Summarises a measure that is a number; `None` if no trial has it. `reach` is from where to where the number can be, as
/// far as that is known; `z` is the [`super::normal_quantile`] of the interval's level.
pub fn summary(counts: &Counts, reach: Option<(i64, i64)>, z: f64) -> Option<Summary> {
    let (mean, deviation) = (mean(counts)?, deviation(counts).unwrap_or(f64::NAN));
    let (low, high) = mean_interval(counts, reach, z)?;
    let quantiles = QUANTILES.map(|level| quantile(counts, level).unwrap_or(0));
    Some(Summary { trials: counts.ended(), mean, low, high, deviation, quantiles })
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
        let eight = summary(&counts(&[2, 4, 4, 4, 5, 5, 7, 9], 3), None, 2.0).unwrap();
        assert_eq!((eight.trials, eight.mean), (8, 5.0));
        assert!((eight.deviation - (32.0_f64 / 7.0).sqrt()).abs() < 1e-14);
        // shares of 8: 0.4, 2, 4, 6 and 7.6 trials
        assert_eq!(eight.quantiles, [2, 4, 4, 5, 9]);
        let one = summary(&counts(&[3], 0), None, 2.0).unwrap();
        assert!(one.deviation.is_nan() && one.low.is_nan() && one.mean == 3.0);
        assert_eq!(summary(&counts(&[], 7), None, 2.0), None);
    }

    #[test]
    fn the_interval_of_a_mean_agrees_with_hand_arithmetic() {
        // 0, 0, 0, 4: mean 1, squares 1 + 1 + 1 + 9, cubes -1 - 1 - 1 + 27; with z = 2 the share is 4 / (4 + 4), so that
        // an end e solves (e - 1)² = (12 / 3 + 24 / 12 (e - 1)) / 2: e - 1 is 2 or -1
        let (low, high) = mean_interval(&counts(&[0, 0, 0, 4], 2), None, 2.0).unwrap();
        assert!(low.abs() < 1e-14 && (high - 3.0).abs() < 1e-14, "{low} {high}");
        // what lies as far to either side has no third moment: 1, 2, 3 is 2 give or take the root of 4 / (3 + 4)
        let (low, high) = mean_interval(&counts(&[1, 2, 3], 0), Some((0, 9)), 2.0).unwrap();
        let half = (4.0_f64 / 7.0).sqrt();
        assert!((low - (2.0 - half)).abs() < 1e-14 && (high - (2.0 + half)).abs() < 1e-14, "{low} {high}");
    }

    #[test]
    fn the_interval_of_a_mean_is_wilsons_where_numbers_are_0_or_1() {
        let z = 1.959_963_984_540_054;
        for (ones, trials) in [(1, 50), (7, 1000), (500, 1000), (999, 1000), (3, 1_000_000)] {
            let coin = Counts { trials, counts: [(0, trials - ones), (1, ones)].into() };
            let p = ones as f64 / trials as f64;
            let (ours, theirs) = (mean_interval(&coin, None, z).unwrap(), wilson(ones, trials, z));
            // both solve (e - p)² = share (s + g (e - p)), but here s has one trial less in its divisor
            let most = trials as f64 / (trials - 1) as f64;
            for (own, wilson) in [(p - ours.0, p - theirs.0), (ours.1 - p, theirs.1 - p)] {
                assert!(wilson <= own && own <= most * wilson, "{ones} of {trials}: {own} {wilson}");
            }
        }
    }

    #[test]
    fn what_no_trial_shows_may_be_all_the_same() {
        // all of 12 trials are 3, and others could be 1 to 11; with z = 2 Wilson allows a share of 4 / (12 + 4) for what
        // never came up
        let same = counts(&[3; 12], 1);
        let (low, high) = mean_interval(&same, Some((1, 11)), 2.0).unwrap();
        assert!(
            (low - (3.0 - 2.0 / 4.0)).abs() < 1e-15 && (high - (3.0 + 8.0 / 4.0)).abs() < 1e-15,
            "{low} {high}"
        );
        assert!((wilson(0, 12, 2.0).1 - 0.25).abs() < 1e-15);
        // what can only be 3 is certain; of what may be anything nothing is known
        assert_eq!(mean_interval(&same, Some((3, 3)), 2.0), Some((3.0, 3.0)));
        assert!(mean_interval(&same, None, 2.0).unwrap().0.is_nan());
        // one trial is enough for that: a share of 4 / (1 + 4)
        assert_eq!(mean_interval(&counts(&[3], 0), Some((3, 8)), 2.0), Some((3.0, 7.0)));
    }

    #[test]
    fn the_interval_of_a_mean_stays_within_what_numbers_can_be() {
        // none of these is below 0 or above 20
        let z = 1.959_963_984_540_054;
        for numbers in
            [vec![0, 0, 0, 0, 0, 0, 1, 20], vec![0, 0, 0, 0, 0, 0, 0, 1], vec![20, 20, 20, 20, 20, 19, 0, 20]]
        {
            let (low, high) = mean_interval(&counts(&numbers, 0), None, z).unwrap();
            assert!(0.0 < low && high < 20.0, "{low} {high}");
        }
    }
}
