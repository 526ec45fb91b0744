//! What one tally says of a set of results, or of results that are numbers.
//!
//! In: a tally. Out: a probability with its interval, a mean, a quantile.

use super::cells::Estimate;
use crate::plan::Tally;

/// The probability of all results that `contains` picks; trials that did not end are trials in which none of them came
/// up. `z` is the [`super::normal_quantile`] of the interval's level.
pub fn estimate(tally: &Tally, contains: impl Fn(i32) -> bool, z: f64) -> Estimate {
    let picked = tally.counts.iter().filter(|(key, _)| contains(**key));
    Estimate::new(picked.map(|(_, count)| count).sum(), tally.trials, z)
}

/// The mean of the trials that ended; `None` if none did.
pub fn mean(tally: &Tally) -> Option<f64> {
    let ended: u64 = tally.counts.values().sum();
    // whole numbers until the end: no order of adding changes a digit
    let sum: i128 = tally.counts.iter().map(|(value, count)| i128::from(*value) * i128::from(*count)).sum();
    (ended > 0).then(|| sum as f64 / ended as f64)
}

/// The smallest number that at least the share `level` (a fraction in 0..=1) of the trials that ended does not exceed;
/// `None` if none did.
///
/// **Source:** definition 1 of R. J. Hyndman and Y. Fan, "Sample quantiles in statistical packages", *The American
/// Statistician* 50 (1996).
pub fn quantile(tally: &Tally, level: f64) -> Option<i32> {
    let ended: u64 = tally.counts.values().sum();
    let wanted = (level * ended as f64).max(1.0);
    let mut seen = 0;
    let reached = |(_, count): &(&i32, &u64)| {
        seen += **count;
        seen as f64 >= wanted
    };
    tally.counts.iter().find(reached).or(tally.counts.last_key_value()).map(|(value, _)| *value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Outcome;

    fn tally(results: &[i32], unresolved: usize) -> Tally {
        let mut tally = Tally::default();
        results.iter().for_each(|result| tally.record(Outcome::Result(*result)));
        (0..unresolved).for_each(|_| tally.record(Outcome::Unresolved));
        tally
    }

    #[test]
    fn unresolved_trials_count_among_the_trials_of_a_probability() {
        let both = estimate(&tally(&[0, 1, 2, 2], 4), |key| key >= 1, 1.96);
        assert_eq!((both.count, both.trials, both.probability), (3, 8, 0.375));
    }

    #[test]
    fn means_and_quantiles_are_of_the_trials_that_ended() {
        let numbers = tally(&[-4, 1, 2, 3], 5);
        assert_eq!(mean(&numbers), Some(0.5));
        // half of four is two: the second number
        assert_eq!(quantile(&numbers, 0.5), Some(1));
        assert_eq!(quantile(&numbers, 0.51), Some(2));
        assert_eq!([quantile(&numbers, 0.0), quantile(&numbers, 1.0)], [Some(-4), Some(3)]);
        assert_eq!((mean(&tally(&[], 3)), quantile(&tally(&[], 3), 0.5)), (None, None));
    }
}
