//! How far apart two means are.
//!
//! In: counts of a number under two drafts. Out: the difference of its means with its interval and effect size.
//!
//! **Never:** what the number is.

use super::measures::{deviation, mean, mean_interval};
use crate::plan::Counts;

/// The mean of a number less that of another.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Apart {
    /// The mean of the one, of the other, and the one less the other.
    pub means: [f64; 3],
    /// The lower end of the difference's interval; not a number where that of either mean is none.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// Cohen's d: the difference in standard deviations; not a number where neither spreads.
    pub effect: f64,
}

/// Counts of a number, and from where to where it can be, as far as that is known.
pub type Reaching<'c> = (&'c Counts, Option<(i64, i64)>);

/// How far the mean of `a` is from that of `b`; `None` where either has no trial. Each comes with from where to where the
/// number can be, as far as that is known. The interval is made of those of both means, as Newcombe's is of two of
/// Wilson's; `z` is the [`super::normal_quantile`] of its level.
///
/// **Source:** for the interval G. Y. Zou and A. Donner, "Construction of confidence limits about effect measures: a
/// general approach", *Statistics in Medicine* 27 (2008); for the effect size J. Cohen, *Statistical Power Analysis for the
/// Behavioral Sciences* (2nd edition, 1988), chapter 2.
pub fn apart((a, reach_a): Reaching, (b, reach_b): Reaching, z: f64) -> Option<Apart> {
    let (one, other) = (mean(a)?, mean(b)?);
    let square = |counts: &Counts| deviation(counts).map_or(f64::NAN, |deviation| deviation * deviation);
    let (of_a, of_b, n, m) = (square(a), square(b), a.ended() as f64, b.ended() as f64);
    let ((low_a, high_a), (low_b, high_b)) = (mean_interval(a, reach_a, z)?, mean_interval(b, reach_b, z)?);
    let (difference, far) = (one - other, |x: f64, y: f64| (x * x + y * y).sqrt());
    let pooled = ((n - 1.0) * of_a + (m - 1.0) * of_b) / (n + m - 2.0);
    Some(Apart {
        means: [one, other, difference],
        low: difference - far(one - low_a, high_b - other),
        high: difference + far(high_a - one, other - low_b),
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
        // 1, 2, 3: mean 2, variance 1; 2, 4, 6, 8: mean 5, variance 20/3; neither has a third moment
        let far = apart((&counts(&[1, 2, 3]), None), (&counts(&[2, 4, 6, 8]), None), 2.0).unwrap();
        assert_eq!(far.means, [2.0, 5.0, -3.0]);
        // with z = 2 shares of 4 / (3 + 4) and of 4 / (4 + 4) of these
        let half = (4.0 / 7.0 + 20.0 / 6.0_f64).sqrt();
        assert!((far.low + 3.0 + half).abs() < 1e-14 && (far.high + 3.0 - half).abs() < 1e-14);
        // pooled: (2 * 1 + 3 * 20/3) / 5
        assert!((far.effect + 3.0 / 4.4_f64.sqrt()).abs() < 1e-14);
    }

    #[test]
    fn without_trials_there_is_no_mean() {
        let (none, two) = (counts(&[]), counts(&[1, 2]));
        assert_eq!(apart((&none, None), (&two, None), 2.0), None);
        let one = apart((&counts(&[3]), None), (&two, None), 2.0).unwrap();
        assert!(one.low.is_nan() && one.high.is_nan());
    }

    #[test]
    fn a_difference_reaches_as_far_as_both_means_do_towards_it() {
        // 0, 0, 0, 4 with z = 2: from 0 to 3 around 1 (see the interval of a mean); four times a 3 that can be 0 to 5: half of
        // what is left, from 1.5 to 4
        let (one, same) = (counts(&[0, 0, 0, 4]), counts(&[3, 3, 3, 3]));
        let found = apart((&one, None), (&same, Some((0, 5))), 2.0).unwrap();
        assert!((found.low - (-2.0 - 2.0_f64.sqrt())).abs() < 1e-14, "{}", found.low);
        assert!((found.high - (-2.0 + (4.0 + 2.25_f64).sqrt())).abs() < 1e-14, "{}", found.high);
        // the other way round it is the same interval turned
        let turned = apart((&same, Some((0, 5))), (&one, None), 2.0).unwrap();
        assert_eq!((turned.low, turned.high), (-found.high, -found.low));
    }
}
