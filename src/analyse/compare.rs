//! Whether two probabilities differ, and by how much.
//!
//! In: counts and trials of both. Out: p-values, adjusted for their number, and effect sizes.
//!
//! **Never:** what is counted.

use super::binomial::{at_least, log_exactly};
use std::cmp::Ordering;

/// How often two samples of one probability differ at least so far, a fraction in 0..=1, where it is known how often it
/// came up in both together: Fisher's exact test, twice the smaller tail. Each count is given as (count, trials).
///
/// **Source:** R. A. Fisher, *Statistical Methods for Research Workers* (5th edition, 1934), section 21.02.
pub fn fisher(a: (u64, u64), b: (u64, u64)) -> f64 {
    let product = |count: u64, trials: u64| u128::from(count) * u128::from(trials);
    match product(a.0, b.1).cmp(&product(b.0, a.1)) {
        Ordering::Equal => 1.0,
        Ordering::Greater => (2.0 * tail(a, b)).min(1.0),
        Ordering::Less => (2.0 * tail(b, a)).min(1.0),
    }
}

/// How often the first of two samples has at least its count of what both have together, where that is more than its
/// share. Any probability may stand for the true one, as it cancels out.
fn tail((count, n): (u64, u64), (other, m): (u64, u64)) -> f64 {
    let (both, all) = (count + other, n + m);
    let p = both as f64 / all as f64;
    let log = log_exactly(count, n, p) + log_exactly(other, m, p) - log_exactly(both, all, p);
    let [mut here, mut there, n, m] = [count, other, n, m].map(|number| number as f64);
    let (mut sum, mut part) = (1.0, 1.0);
    while there > 0.0 && here < n && part > sum * f64::EPSILON {
        part *= (n - here) / (here + 1.0) * (there / (m - there + 1.0));
        sum += part;
        (here, there) = (here + 1.0, there - 1.0);
    }
    libm::exp(log) * sum
}

/// How often equal probabilities would yield changes as one-sided as this or more in paired trials, a fraction in 0..=1:
/// McNemar's test, exactly, of `gained` changes in one direction and `lost` in the other.
///
/// **Source:** Q. McNemar, "Note on the sampling error of the difference between correlated proportions or percentages",
/// *Psychometrika* 12 (1947); exactly it is the sign test of the pairs that differ.
pub fn mcnemar(gained: u64, lost: u64) -> f64 {
    (2.0 * at_least(gained.max(lost), gained + lost, 0.5)).min(1.0)
}

/// The p-values of a family, each adjusted so that rejecting those below a bound raises a false alarm anywhere with a
/// probability below that bound, whatever depends on whatever.
///
/// **Source:** S. Holm, "A simple sequentially rejective multiple test procedure", *Scandinavian Journal of Statistics*
/// 6 (1979).
pub fn holm(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    let (mut adjusted, mut largest) = (vec![0.0; values.len()], 0.0_f64);
    for (rank, at) in order.into_iter().enumerate() {
        largest = largest.max(values[at] * (values.len() - rank) as f64).min(1.0);
        adjusted[at] = largest;
    }
    adjusted
}

/// Cohen's h, the effect size of `p` against `q` (fractions in 0..=1): positive where `p` is more; about 0.2 is small,
/// 0.5 medium, 0.8 large; at most pi.
///
/// **Source:** J. Cohen, *Statistical Power Analysis for the Behavioral Sciences* (2nd edition, 1988), chapter 6.
pub fn cohens_h(p: f64, q: f64) -> f64 {
    2.0 * libm::asin(p.sqrt()) - 2.0 * libm::asin(q.sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn p_values_agree_with_published_examples() {
        // 3 of 4 against 1 of 4: the lady tasting tea, Fisher's own: 17/70 one-sided
        assert!((fisher((3, 4), (1, 4)) - 34.0 / 70.0).abs() < 1e-12);
        assert!((fisher((4, 4), (0, 4)) - 2.0 / 70.0).abs() < 1e-12);
        assert_eq!(fisher((30, 100), (50, 100)), fisher((50, 100), (30, 100)));
        assert_eq!(fisher((7, 10), (70, 100)), 1.0);
    }

    #[test]
    fn many_trials_come_to_the_normal_distribution() {
        // z = 0.002 / sqrt(2 * 0.25 / 1000000) = 2.828427, and the normal distribution leaves 0.004678 outside
        let p = fisher((501_000, 1_000_000), (499_000, 1_000_000));
        assert!((p / 0.004_678 - 1.0).abs() < 0.005, "{p}");
        assert_eq!(fisher((0, 1_000_000), (900_000, 1_000_000)), 0.0, "less than any number says");
    }

    #[test]
    fn changes_in_one_direction_agree_with_published_examples() {
        // Armitage and Berry, two media for tubercle bacilli: 12 against 2, two-sided 0.0129
        assert!((mcnemar(12, 2) - 0.0129).abs() < 5e-5);
        assert_eq!(mcnemar(12, 2), mcnemar(2, 12));
        // by hand: all of five one way, 2 / 32
        assert!((mcnemar(5, 0) - 0.0625).abs() < 1e-12);
        assert_eq!([mcnemar(0, 0), mcnemar(4, 4)], [1.0, 1.0]);
    }

    #[test]
    fn what_never_or_always_happens_in_both_does_not_differ() {
        assert_eq!(fisher((0, 10), (0, 20)), 1.0);
        assert_eq!(fisher((10, 10), (20, 20)), 1.0);
    }

    #[test]
    fn holm_agrees_with_the_textbook() {
        // the example that is in most courses: 0.01, 0.04, 0.03, 0.005 of four tests
        let adjusted = holm(&[0.01, 0.04, 0.03, 0.005]);
        for (got, expected) in adjusted.iter().zip([0.03, 0.06, 0.06, 0.02]) {
            assert!((got - expected).abs() < 1e-15, "{adjusted:?}");
        }
        assert_eq!(holm(&[0.6, 0.7]), [1.0, 1.0]);
        assert_eq!(holm(&[0.25]), [0.25]);
        assert!(holm(&[]).is_empty());
    }

    #[test]
    fn holm_rejects_just_what_the_procedure_rejects() {
        // the stupid twin: Holm's steps as he wrote them, at a bound, against the adjusted values at that bound
        let values = [0.001, 0.2, 0.012, 0.016, 0.03, 0.001, 0.9];
        for bound in [0.001, 0.01, 0.05, 0.07, 0.1, 0.3, 0.95] {
            let mut sorted = values;
            sorted.sort_by(f64::total_cmp);
            let steps = sorted.iter().enumerate().take_while(|(k, p)| **p <= bound / (7 - k) as f64).count();
            assert_eq!(holm(&values).iter().filter(|p| **p <= bound).count(), steps, "{bound}");
        }
    }

    #[test]
    fn effect_sizes_agree_with_cohens_table() {
        // Cohen 1988, table 6.2.2: 2 arcsin of the root is 1.571 at 0.5, 0.927 at 0.2, 1.159 at 0.3
        assert!((cohens_h(0.5, 0.2) - 0.644).abs() < 1e-3);
        assert!((cohens_h(0.2, 0.3) + 0.232).abs() < 1e-3);
        assert!((cohens_h(1.0, 0.0) - std::f64::consts::PI).abs() < 1e-15);
        assert_eq!(cohens_h(0.4, 0.4), 0.0);
    }
}
