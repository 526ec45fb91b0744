//! One figure of one plan: exactly, or as far as trials tell.
//!
//! In: exact probabilities or counts of a measure, and what is asked of it. Out: a figure with its variance.
//!
//! **Never:** which plan it is of.

use super::measures::{deviation, lopsidedness, mean, quantile};
use super::{Probe, Reaching, exact_mean, exact_quantile, probability};
use crate::plan::{Probability, Weights};

/// A figure that is known exactly, or estimated.
#[derive(Clone, PartialEq, Debug)]
pub struct Figure {
    /// The figure.
    pub value: Probability,
    /// The variance of its estimate; 0 where it is exact, not a number where it is not known.
    pub variance: f64,
    /// Whether it was worked out, not counted.
    pub exact: bool,
}

/// The figure of a measure that is solved; `None` if no trial can have it.
pub fn exactly(weights: &Weights, probe: Probe) -> Option<Figure> {
    let value = match probe {
        Probe::Share(contains) => probability(weights, contains),
        Probe::Mean => exact_mean(weights),
        Probe::Quantile(level) => exact_quantile(weights, level).map(|value| Probability::fraction(value, 1)),
    };
    value.map(|value| Figure { value, variance: 0.0, exact: true })
}

/// The figure of a measure that was counted, with from where to where it can be if it is a number and that is known; `None`
/// if no trial has it. So that its variance is never 0, a share is taken to have one more trial on either side. Of a mean
/// it grows by as much where the number is 0 or 1 and nearly always the same: by the square of how lopsided the trials
/// are, over their number (see the interval of a mean), or of how far the number can be from the one that all have.
///
/// **Source:** for shares A. Agresti and B. Caffo, "Simple and effective confidence intervals for proportions and differences of
/// proportions result from adding two successes and two failures", *The American Statistician* 54 (2000).
pub fn estimated((counts, reach): Reaching, probe: Probe) -> Option<Figure> {
    let whole = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
    let (value, variance) = match probe {
        Probe::Share(contains) => {
            let picked = counts.counts.iter().filter(|(key, _)| contains(**key)).map(|(_, count)| count);
            let (count, trials) = (picked.sum::<u64>(), counts.trials);
            let (p, n) = ((count as f64 + 1.0) / (trials as f64 + 2.0), trials as f64 + 2.0);
            let share = (trials > 0).then(|| Probability::fraction(whole(count), trials));
            (share?, p * (1.0 - p) / n)
        }
        Probe::Mean => {
            let (mean, trials) = (mean(counts)?, counts.ended() as f64);
            let (spread, off) = match lopsidedness(counts) {
                Some(by) => (deviation(counts).unwrap_or(f64::NAN), by),
                None => {
                    (0.0, reach.map_or(f64::NAN, |(low, high)| (mean - low as f64).max(high as f64 - mean)))
                }
            };
            (Probability::decimal(mean), spread * spread / trials + (off / trials) * (off / trials))
        }
        Probe::Quantile(level) => (Probability::fraction(quantile(counts, level)?, 1), f64::NAN),
    };
    Some(Figure { value, variance, exact: false })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Counts;

    #[test]
    fn what_is_counted_has_a_variance_and_what_is_solved_has_none() {
        let counts = Counts { trials: 98, counts: [(1, 49), (3, 49)].into_iter().collect() };
        let one = |key: i64| key == 1;
        // a half of 98, taken as 50 of 100: a quarter over a hundred
        let share = estimated((&counts, None), Probe::Share(&one)).unwrap();
        assert_eq!((share.value, share.exact), (Probability::fraction(1, 2), false));
        assert!((share.variance - 0.0025).abs() < 1e-15, "{}", share.variance);
        // all are 1 away from 2: the deviation is sqrt(98 / 97)
        let mean = estimated((&counts, None), Probe::Mean).unwrap();
        assert_eq!(mean.value, Probability::fraction(2, 1));
        assert!((mean.variance - 1.0 / 97.0).abs() < 1e-15, "{}", mean.variance);
        assert!(estimated((&counts, None), Probe::Quantile(0.5)).unwrap().variance.is_nan());
        assert_eq!(estimated((&Counts::default(), None), Probe::Share(&one)), None);
        // 0, 0, 0, 4: the variance is 4, and cubes are twice the squares: 4 / 4 and 2 / 4 squared
        let lopsided = Counts { trials: 4, counts: [(0, 3), (4, 1)].into() };
        assert_eq!(estimated((&lopsided, None), Probe::Mean).unwrap().variance, 1.25);
        // four times 3, where 11 can be: 8 / 4 squared; where nobody knows, nothing is said
        let same = Counts { trials: 4, counts: [(3, 4)].into() };
        assert_eq!(estimated((&same, Some((1, 11))), Probe::Mean).unwrap().variance, 4.0);
        assert!(estimated((&same, None), Probe::Mean).unwrap().variance.is_nan());
        let weights = [(1, Probability::fraction(1, 3)), (4, Probability::fraction(2, 3))];
        let weights = Weights { partial: false, weights: weights.into_iter().collect() };
        let mean = exactly(&weights, Probe::Mean).unwrap();
        assert_eq!((mean.value, mean.variance, mean.exact), (Probability::fraction(3, 1), 0.0, true));
    }
}
