//! What is known exactly of a set of a measure's values, or of its numbers, and how far counts are from it.
//!
//! In: the probability of each value. Out: probabilities among the trials that count, means, quantiles, z-scores.
//!
//! **Never:** who worked the probabilities out.

use crate::plan::{Probability, Weights};

/// The probability of all values that `contains` picks; of a record among the trials that have it, `None` where none can.
pub fn probability(weights: &Weights, contains: impl Fn(i64) -> bool) -> Option<Probability> {
    let picked = weights.weights.iter().filter(|(key, _)| contains(**key)).map(|(_, weight)| weight).sum();
    if weights.partial { Probability::over(&picked, &present(weights)) } else { Some(picked) }
}

/// For each value its probability, of a record among the trials that have it: then `None` where none can.
pub fn exact_share(weights: &Weights) -> impl Fn(i64) -> Option<Probability> {
    let whole = weights.partial.then(|| present(weights));
    move |value| {
        let weight = weights.weights.get(&value).cloned().unwrap_or(Probability::ZERO);
        whole.as_ref().map_or_else(|| Some(weight.clone()), |whole| weight.over(whole))
    }
}

/// The probability of a trial that has a value.
pub fn present(weights: &Weights) -> Probability {
    weights.weights.values().sum()
}

/// The mean of the trials that have a value; `None` if none can.
pub fn exact_mean(weights: &Weights) -> Option<Probability> {
    let parts: Vec<_> = weights.weights.iter().map(|(value, weight)| weight.times(*value)).collect();
    parts.iter().sum::<Probability>().over(&present(weights))
}

/// The smallest number that at least the share `level` (a fraction in 0..=1, the decimal that is written) of the trials
/// that have one does not exceed; `None` if none can.
///
/// **Source:** definition 1 of R. J. Hyndman and Y. Fan, "Sample quantiles in statistical packages", *The American
/// Statistician* 50 (1996).
pub fn exact_quantile(weights: &Weights, level: f64) -> Option<i64> {
    let (whole, level) = (present(weights), Probability::decimal(level));
    let mut sum = Probability::ZERO;
    for (value, weight) in weights.weights.iter().filter(|(_, weight)| !weight.is_zero()) {
        sum = sum.plus(weight);
        if level.can_be_at_most(&sum.over(&whole)?) {
            return Some(*value);
        }
    }
    None
}

/// How many standard deviations a count is above what its probability leads to expect: (count - n p) / sqrt(n p (1 - p));
/// `None` where nothing is left to chance.
pub fn z_score(count: u64, trials: u64, p: &Probability) -> Option<f64> {
    let number = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
    let expected = p.times(number(trials));
    let off = Probability::fraction(number(count), 1).minus(&expected).value();
    let variance = expected.value() * Probability::ONE.minus(p).value();
    (variance > 0.0).then(|| off / variance.sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values with their weights out of a whole.
    fn weights(partial: bool, whole: u64, weights: &[(i64, i64)]) -> Weights {
        let one = |(value, weight): &(i64, i64)| (*value, Probability::fraction(*weight, whole));
        Weights { partial, weights: weights.iter().map(one).collect() }
    }

    fn fraction(numerator: i64, denominator: u64) -> Option<Probability> {
        Some(Probability::fraction(numerator, denominator))
    }

    #[test]
    fn a_record_is_counted_among_the_trials_that_have_it_and_a_result_among_all() {
        let values = [(1, 2), (3, 1)]; // the other three of six trials have none
        let three = |key| key == 3;
        assert_eq!(probability(&weights(true, 6, &values), three), fraction(1, 3));
        assert_eq!(probability(&weights(false, 6, &values), three), fraction(1, 6));
        for partial in [true, false] {
            assert_eq!(present(&weights(partial, 6, &values)), Probability::fraction(1, 2));
            assert_eq!(exact_mean(&weights(partial, 6, &values)), fraction(5, 3));
            assert_eq!(exact_quantile(&weights(partial, 6, &values), 0.6), Some(1));
            assert_eq!(exact_quantile(&weights(partial, 6, &values), 0.67), Some(3));
        }
        let none = weights(true, 1, &[]);
        assert_eq!(
            (probability(&none, three), exact_mean(&none), exact_quantile(&none, 0.5)),
            (None, None, None)
        );
    }

    #[test]
    fn quantiles_go_by_the_level_that_is_written() {
        // 0.05 is no binary fraction: the number nearest to it is a little more
        let twenty: Vec<(i64, i64)> = (1..=20).map(|value| (value, 1)).collect();
        let twenty = weights(false, 20, &twenty);
        assert_eq!(
            [0.05, 0.051, 0.95, 1.0].map(|level| exact_quantile(&twenty, level)),
            [1, 2, 19, 20].map(Some)
        );
        // what cannot be is not the smallest number
        assert_eq!(exact_quantile(&weights(false, 2, &[(1, 0), (2, 2)]), 0.0), Some(2));
    }

    #[test]
    fn z_scores_agree_with_hand_arithmetic() {
        // 100 throws at a half: 50 expected, give or take 5
        assert_eq!(z_score(60, 100, &Probability::fraction(1, 2)), Some(2.0));
        // 36 of 360: 30 expected at a twelfth, the variance is 27.5
        let z = z_score(36, 360, &Probability::fraction(3, 36)).unwrap();
        assert!((z - 6.0 / 27.5_f64.sqrt()).abs() < 1e-15);
        for certain in [0, 1] {
            assert_eq!(z_score(7, 7, &Probability::fraction(certain, 1)), None);
        }
        assert_eq!(z_score(0, 0, &Probability::fraction(1, 2)), None);
    }

    #[test]
    fn a_z_score_loses_nothing_to_cancellation() {
        // certain but for a billionth of a billionth: a billionth of a miss is expected in a billion trials, and there is none
        let p = Probability::ONE.minus(&Probability::fraction(1, 1_000_000_000_000_000_000));
        let z = z_score(1_000_000_000, 1_000_000_000, &p).unwrap();
        assert!((z - 1e-9 / 1e-9_f64.sqrt()).abs() < 1e-18, "{z}");
    }
}
