//! Whether two probabilities differ, and by how much.
//!
//! In: counts and trials of both. Out: p-values, adjusted for their number, and effect sizes.
//!
//! **Never:** what is counted.

use std::cmp::Ordering;

/// How often two equal probabilities would yield counts this different or more, a fraction in 0..=1: twice the smaller tail
/// of Fisher's exact test. Each count is given as (count, trials). It falls below a bound with at most the probability of
/// that bound, for any number of trials.
///
/// **Source:** R. A. Fisher, *Statistical Methods for Research Workers* (1934), section 21.02: given how many there are on
/// both sides together, those on one side are hypergeometric.
pub fn p_value(a: (u64, u64), b: (u64, u64)) -> f64 {
    let (a, b) = (a.min(b), a.max(b)); // so that rounding is the same either way
    let (all, [n, m]) = (a.0 + b.0, [a.1, b.1].map(|trials| trials as f64));
    let (least, most) = (all.saturating_sub(b.1), all.min(a.1));
    let mode = ((n + 1.0) * (all as f64 + 1.0) / (n + m + 2.0)) as u64;
    let up = |k: u64| {
        let (k, all) = (k as f64, all as f64);
        (n - k) * (all - k) / ((k + 1.0) * (m - all + k + 1.0))
    };
    twice_the_smaller_tail(a.0, (least, mode.clamp(least, most), most), up)
}

/// How often equal probabilities would yield changes as one-sided as this or more in paired trials, a fraction in 0..=1:
/// McNemar's test, exactly, of `gained` changes in one direction and `lost` in the other.
///
/// **Source:** Q. McNemar, "Note on the sampling error of the difference between correlated proportions or percentages",
/// *Psychometrika* 12 (1947); exactly it is the sign test of the pairs that differ.
pub fn mcnemar(gained: u64, lost: u64) -> f64 {
    let all = gained + lost;
    twice_the_smaller_tail(gained.min(lost), (0, all / 2, all), |k| (all - k) as f64 / (k as f64 + 1.0))
}

/// A part of a sum that leaves it as it is.
const NOTHING: f64 = 1e-18;

/// Twice the probability of a number from `at` on or up to it, whichever is less, but 1 at most. Numbers lie between
/// `least` and `most` with a single peak at `mode`; `up` says how much more probable the next number is than a number.
///
/// All weights are relative to that of the peak, and their sum is worked out as well, so that no factorial is needed.
fn twice_the_smaller_tail(at: u64, (least, mode, most): (u64, u64, u64), up: impl Fn(u64) -> f64) -> f64 {
    let (mut below, mut above, mut here) = (0.0, 0.0, 0.0);
    let mut add = |k: u64, weight: f64| match k.cmp(&at) {
        Ordering::Less => below += weight,
        Ordering::Greater => above += weight,
        Ordering::Equal => here += weight,
    };
    // on the way to `at` every weight counts, beyond it and on the other side only those that change a sum
    let (mut k, mut weight, mut sum) = (mode, 1.0, 0.0);
    while weight > 0.0 && (k <= at || weight > sum * NOTHING) {
        add(k, weight);
        sum = if k < at { 0.0 } else { sum + weight };
        weight *= if k < most { up(k) } else { 0.0 };
        k += 1;
    }
    let (mut k, mut weight, mut sum) = (mode, 1.0, 0.0);
    while weight > 0.0 && k > least && (k > at || weight > sum * NOTHING) {
        k -= 1;
        weight /= up(k);
        add(k, weight);
        sum = if k > at { 0.0 } else { sum + weight };
    }
    (2.0 * (f64::min(below, above) + here) / (below + here + above)).min(1.0)
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
        assert!((p_value((3, 4), (1, 4)) - 34.0 / 70.0).abs() < 1e-15);
        assert!((p_value((4, 4), (0, 4)) - 2.0 / 70.0).abs() < 1e-15);
        assert_eq!(p_value((30, 100), (50, 100)), p_value((50, 100), (30, 100)));
        assert_eq!(p_value((7, 10), (70, 100)), 1.0);
    }

    /// How many ways there are to pick so many of so many.
    fn ways(n: u64, k: u64) -> u128 {
        (0..k).fold(1, |ways, k| ways * u128::from(n - k) / u128::from(k + 1))
    }

    #[test]
    fn p_values_agree_with_whole_numbers() {
        // the stupid twin: every table with these margins, counted
        for (a, b) in [((9, 30), (20, 33)), ((0, 16), (15, 72)), ((40, 41), (10, 12)), ((2, 7), (2, 50))] {
            let all = a.0 + b.0;
            let tables = |k: u64| if all - k > b.1 { 0 } else { ways(a.1, k) * ways(b.1, all - k) };
            let whole: u128 = (0..=all.min(a.1)).map(tables).sum();
            let tail = (0..=a.0).map(tables).sum::<u128>().min((a.0..=all.min(a.1)).map(tables).sum());
            let expected = (2.0 * tail as f64 / whole as f64).min(1.0);
            assert!((p_value(a, b) / expected - 1.0).abs() < 1e-12, "{a:?} {b:?}: {expected}");
        }
    }

    #[test]
    fn many_trials_come_to_the_normal_distribution() {
        // z = 0.002 / sqrt(2 * 0.25 / 1000000) = 2.828427, and the normal distribution leaves 0.004678 outside
        let p = p_value((501_000, 1_000_000), (499_000, 1_000_000));
        assert!((p / 0.004_678 - 1.0).abs() < 0.005, "{p}");
        assert_eq!(p_value((0, 1_000_000), (900_000, 1_000_000)), 0.0, "less than any number says");
    }

    #[test]
    fn changes_in_one_direction_agree_with_published_examples() {
        // Armitage and Berry, two media for tubercle bacilli: 12 against 2, two-sided 0.0129
        assert!((mcnemar(12, 2) - 0.0129).abs() < 5e-5);
        assert_eq!(mcnemar(12, 2), mcnemar(2, 12));
        // by hand: all of five one way, 2 / 32
        assert_eq!(mcnemar(5, 0), 0.0625);
        assert_eq!([mcnemar(0, 0), mcnemar(4, 4)], [1.0, 1.0]);
    }

    #[test]
    fn what_never_or_always_happens_in_both_does_not_differ() {
        assert_eq!(p_value((0, 10), (0, 20)), 1.0);
        assert_eq!(p_value((10, 10), (20, 20)), 1.0);
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
