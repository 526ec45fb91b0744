//! One figure of one plan: exactly, or as far as trials tell.
//!
//! In: exact probabilities or counts of a measure, and what is asked of it. Out: a figure with its variance.
//!
//! **Never:** which plan it is of.

use super::measures::{deviation, mean, quantile};
use super::{Probe, exact_mean, exact_quantile, probability};
use crate::plan::{Counts, Probability, Weights};

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

/// The figure of a measure that was counted; `None` if no trial has it. So that its variance is never 0, a share is taken
/// to have two more trials on either side.
///
/// **Source:** A. Agresti and B. Caffo, "Simple and effective confidence intervals for proportions and differences of
/// proportions result from adding two successes and two failures", *The American Statistician* 54 (2000).
pub fn estimated(counts: &Counts, probe: Probe) -> Option<Figure> {
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
            let deviation = deviation(counts).unwrap_or(f64::NAN);
            (Probability::decimal(mean(counts)?), deviation * deviation / counts.ended() as f64)
        }
        Probe::Quantile(level) => (Probability::fraction(quantile(counts, level)?, 1), f64::NAN),
    };
    Some(Figure { value, variance, exact: false })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_counted_has_a_variance_and_what_is_solved_has_none() {
        let counts = Counts { trials: 98, counts: [(1, 49), (3, 49)].into_iter().collect() };
        let one = |key: i64| key == 1;
        // a half of 98, taken as 50 of 100: a quarter over a hundred
        let share = estimated(&counts, Probe::Share(&one)).unwrap();
        assert_eq!((share.value, share.exact), (Probability::fraction(1, 2), false));
        assert!((share.variance - 0.0025).abs() < 1e-15, "{}", share.variance);
        // all are 1 away from 2: the deviation is sqrt(98 / 97)
        let mean = estimated(&counts, Probe::Mean).unwrap();
        assert_eq!(mean.value, Probability::fraction(2, 1));
        assert!((mean.variance - 1.0 / 97.0).abs() < 1e-15, "{}", mean.variance);
        assert!(estimated(&counts, Probe::Quantile(0.5)).unwrap().variance.is_nan());
        assert_eq!(estimated(&Counts::default(), Probe::Share(&one)), None);
        let weights = [(1, Probability::fraction(1, 3)), (4, Probability::fraction(2, 3))];
        let weights = Weights { partial: false, weights: weights.into_iter().collect() };
        let mean = exactly(&weights, Probe::Mean).unwrap();
        assert_eq!((mean.value, mean.variance, mean.exact), (Probability::fraction(3, 1), 0.0, true));
    }
}
