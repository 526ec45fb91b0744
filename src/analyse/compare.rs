//! Whether two probabilities differ, and by how much.
//!
//! In: counts and trials of both. Out: p-values, adjusted for their number, and effect sizes.

/// How often two equal probabilities would yield counts this different or more, a fraction in 0..=1: the pooled z-test,
/// two-sided. Each count is given as (count, trials).
///
/// **Source:** Altman, *Practical Statistics for Medical Research* (1991), chapter 10.
pub fn p_value(a: (u64, u64), b: (u64, u64)) -> f64 {
    let (n, m) = (a.1 as f64, b.1 as f64);
    let pooled = (a.0 + b.0) as f64 / (n + m);
    let error = (pooled * (1.0 - pooled) * (1.0 / n + 1.0 / m)).sqrt();
    let difference = (a.0 as f64 / n - b.0 as f64 / m).abs();
    if error > 0.0 { libm::erfc(difference / error / std::f64::consts::SQRT_2) } else { 1.0 }
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
    fn p_values_agree_with_hand_arithmetic() {
        // 30 of 100 against 50 of 100: pooled 0.4, error sqrt(0.24 / 50) = 0.069282, z = 2.886751, and the normal
        // distribution leaves 0.003892 outside
        assert!((p_value((30, 100), (50, 100)) - 0.003_892).abs() < 1e-6);
        assert_eq!(p_value((30, 100), (50, 100)), p_value((50, 100), (30, 100)));
        assert_eq!(p_value((7, 10), (70, 100)), 1.0);
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
