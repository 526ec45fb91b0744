//! How far apart two means are.
//!
//! In: counts of a number under two drafts. Out: the difference of its means with its interval and effect size.
//!
//! **Never:** what the number is.

use super::measures::{deviation, mean};
use crate::plan::Counts;

/// The mean of a number less that of another.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Apart {
    /// The mean of the one, of the other, and the one less the other.
    pub means: [f64; 3],
    /// The lower end of the difference's interval; not a number where either has fewer than two trials.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// Cohen's d: the difference in standard deviations; not a number where neither spreads.
    pub effect: f64,
}

/// How far the mean of `a` is from that of `b`; `None` where either has no trial. The interval is that of the central
/// limit theorem, each side with its own spread; `z` is the [`super::normal_quantile`] of its level.
///
/// **Source:** for the interval B. L. Welch, "The significance of the difference between two means when the population
/// variances are unequal", *Biometrika* 29 (1938), for many trials; for the effect size J. Cohen, *Statistical Power
/// Analysis for the Behavioral Sciences* (2nd edition, 1988), chapter 2.
pub fn apart(a: &Counts, b: &Counts, z: f64) -> Option<Apart> {
    let (one, other) = (mean(a)?, mean(b)?);
    let square = |counts: &Counts| deviation(counts).map_or(f64::NAN, |deviation| deviation * deviation);
    let (of_a, of_b, n, m) = (square(a), square(b), a.ended() as f64, b.ended() as f64);
    let (difference, half) = (one - other, z * (of_a / n + of_b / m).sqrt());
    let pooled = ((n - 1.0) * of_a + (m - 1.0) * of_b) / (n + m - 2.0);
    Some(Apart {
        means: [one, other, difference],
        low: difference - half,
        high: difference + half,
        effect: difference / pooled.sqrt(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(numbers: &[i64]) -> Counts {
        let mut counts = Counts { trials: numbers.len() as u64, ..Counts::default() };
        numbers.iter().for_each(|number| *counts.counts.entry(*number).or_default() += 1);
        counts
    }

    #[test]
    fn differences_of_means_agree_with_hand_arithmetic() {
        // 1, 2, 3: mean 2, variance 1; 2, 4, 6, 8: mean 5, variance 20/3
        let far = apart(&counts(&[1, 2, 3]), &counts(&[2, 4, 6, 8]), 2.0).unwrap();
        assert_eq!(far.means, [2.0, 5.0, -3.0]);
        let half = 2.0 * (1.0 / 3.0 + 20.0 / 12.0_f64).sqrt();
        assert!((far.low + 3.0 + half).abs() < 1e-14 && (far.high + 3.0 - half).abs() < 1e-14);
        // pooled: (2 * 1 + 3 * 20/3) / 5
        assert!((far.effect + 3.0 / 4.4_f64.sqrt()).abs() < 1e-14);
    }

    #[test]
    fn without_trials_there_is_no_mean() {
        assert_eq!(apart(&counts(&[]), &counts(&[1, 2]), 2.0), None);
        let one = apart(&counts(&[3]), &counts(&[1, 2]), 2.0).unwrap();
        assert!(one.low.is_nan() && one.high.is_nan());
    }
}
