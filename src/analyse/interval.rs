//! Intervals for a probability and for a difference of two.
//!
//! In: counts, trials, and the normal quantile of a level. Out: lower and upper ends.
//!
//! **Never:** what is counted.

use super::binomial::at_least;

/// The level of intervals where nothing else is asked for, as a fraction in 0..=1.
pub const LEVEL: f64 = 0.95;

/// How many standard deviations on both sides of its mean a normal variable keeps within with probability `level`, a
/// fraction in 0..1: 1.96 for 0.95.
///
/// The complementary error function is inverted by halving, down to neighbouring numbers.
///
/// **Source:** Abramowitz and Stegun, *Handbook of Mathematical Functions* (1964), section 26.2.
pub fn normal_quantile(level: f64) -> f64 {
    let (mut low, mut high) = (0.0, 40.0); // beyond 40 the function is 0
    loop {
        let middle = (low + high) / 2.0;
        if middle <= low || middle >= high {
            return middle;
        }
        if libm::erfc(middle / std::f64::consts::SQRT_2) > 1.0 - level { low = middle } else { high = middle }
    }
}

/// Wilson's score interval for a probability, fractions in 0..=1; `z` is the [`normal_quantile`] of its level. Without
/// trials it is everything.
///
/// **Source:** E. B. Wilson, "Probable inference, the law of succession, and statistical inference", *Journal of the
/// American Statistical Association* 22 (1927); method 3 of R. G. Newcombe, "Two-sided confidence intervals for the
/// single proportion: comparison of seven methods", *Statistics in Medicine* 17 (1998).
pub fn wilson(count: u64, trials: u64, z: f64) -> (f64, f64) {
    if trials == 0 {
        return (0.0, 1.0);
    }
    let (n, p) = (trials as f64, count as f64 / trials as f64);
    let share = z * z / n;
    let centre = p + share / 2.0;
    let half = z * (p * (1.0 - p) / n + share / (4.0 * n)).sqrt();
    // at the ends the formula gives exactly 0 and 1, but for rounding
    let low = if count == 0 { 0.0 } else { (centre - half) / (1.0 + share) };
    let high = if count == trials { 1.0 } else { (centre + half) / (1.0 + share) };
    (low, high)
}

/// Newcombe's hybrid score interval for the difference `a` less `b` of two independent probabilities, each given as
/// (count, trials); ends in -1..=1.
///
/// **Source:** method 10 of R. G. Newcombe, "Interval estimation for the difference between independent proportions:
/// comparison of eleven methods", *Statistics in Medicine* 17 (1998).
pub fn newcombe(a: (u64, u64), b: (u64, u64), z: f64) -> (f64, f64) {
    let ((low_a, high_a), (low_b, high_b)) = (wilson(a.0, a.1, z), wilson(b.0, b.1, z));
    let (p_a, p_b) = (a.0 as f64 / a.1 as f64, b.0 as f64 / b.1 as f64);
    let (difference, reach) = (p_a - p_b, |x: f64, y: f64| (x * x + y * y).sqrt());
    (difference - reach(p_a - low_a, high_b - p_b), difference + reach(high_a - p_a, p_b - low_b))
}

/// Clopper and Pearson's interval for a probability, fractions in 0..=1: whatever the probability is, each end misses it
/// with at most the probability `tail`, a fraction in 0..0.5. Without trials it is everything.
///
/// **Source:** C. J. Clopper and E. S. Pearson, "The use of confidence or fiducial limits illustrated in the case of the
/// binomial", *Biometrika* 26 (1934).
pub fn clopper_pearson(count: u64, trials: u64, tail: f64) -> (f64, f64) {
    let high = 1.0 - lower(trials - count, trials, tail);
    (lower(count, trials, tail), if high < 1.0 { high.next_up() } else { high })
}

/// The probability with which so many or more come up with the probability `tail`, or one that is a trifle smaller.
///
/// The square root of a tail's logarithm is nearly a straight line, along which the end is found between two
/// probabilities of which the lower one is always safe.
fn lower(count: u64, trials: u64, tail: f64) -> f64 {
    if count == 0 {
        return 0.0;
    }
    let depth = |tail: f64| (-2.0 * libm::log(tail)).sqrt();
    let wanted = depth(tail * (1.0 - 1e-9)); // a thousand times what the tail may be off
    let off = |p: f64| depth(at_least(count, trials, p)) - wanted;
    let mut low = (wilson(count, trials, wanted).0, 0.0);
    let mut high = (count as f64 / trials as f64, depth(0.5) - wanted);
    loop {
        low.1 = off(low.0);
        if low.1 >= 0.0 {
            break;
        }
        (high, low.0) = (low, low.0 / 2.0);
    }
    for _ in 0..100 {
        let middle = (low.0 * high.1 - high.0 * low.1) / (high.1 - low.1);
        if high.0 - low.0 <= 1e-12 * high.0 || !(low.0 < middle && middle < high.0) {
            break;
        }
        let found = (middle, off(middle));
        // the end that stays counts half the next time, or it might stay for good
        if found.1 >= 0.0 {
            (low, high.1) = (found, high.1 / 2.0);
        } else {
            (high, low.1) = (found, low.1 / 2.0);
        }
    }
    low.0
}

#[cfg(test)]
mod tests {
    use super::*;

    const Z: f64 = 1.959_963_984_540_054; // R: qnorm(0.975)

    #[track_caller]
    fn near(got: (f64, f64), expected: (f64, f64), tolerance: f64) {
        let off = (got.0 - expected.0).abs().max((got.1 - expected.1).abs());
        assert!(off <= tolerance, "{got:?} is not {expected:?}");
    }

    #[test]
    fn normal_quantiles_agree_with_published_tables() {
        // two-sided points of the normal distribution, as tables and R's qnorm print them
        let table = [
            (0.5, 0.674_489_750_196_081_7),
            (0.9, 1.644_853_626_951_472_2),
            (0.95, Z),
            (0.99, 2.575_829_303_548_901),
            (0.999, 3.290_526_731_491_926),
        ];
        for (level, z) in table {
            assert!((normal_quantile(level) - z).abs() < 1e-13, "{level}: {}", normal_quantile(level));
        }
    }

    #[test]
    fn wilson_intervals_agree_with_newcombes_table() {
        // Newcombe 1998, single proportion, Table I, method 3
        near(wilson(81, 263, Z), (0.2553, 0.3662), 5e-5);
        near(wilson(15, 148, Z), (0.0624, 0.1605), 5e-5);
        near(wilson(0, 20, Z), (0.0, 0.1611), 5e-5);
        near(wilson(1, 29, Z), (0.0061, 0.1718), 5e-5);
    }

    #[test]
    fn differences_agree_with_newcombes_table() {
        // Newcombe 1998, independent proportions, Table II, method 10
        near(newcombe((56, 70), (48, 80), Z), (0.0524, 0.3339), 5e-5);
        near(newcombe((9, 10), (3, 10), Z), (0.1705, 0.8090), 5e-5);
        near(newcombe((6, 7), (2, 7), Z), (0.0582, 0.8062), 5e-5);
        near(newcombe((5, 56), (0, 29), Z), (-0.0381, 0.1926), 5e-5);
        near(newcombe((0, 10), (0, 20), Z), (-0.1611, 0.2775), 5e-5);
        near(newcombe((0, 10), (0, 10), Z), (-0.2775, 0.2775), 5e-5);
        near(newcombe((10, 10), (0, 20), Z), (0.6791, 1.0), 5e-5);
        near(newcombe((10, 10), (0, 10), Z), (0.6075, 1.0), 5e-5);
    }

    #[test]
    fn the_ends_of_wilsons_interval_solve_the_score_equation() {
        // that is where it comes from: each end is as many standard errors from the count as the level says
        for (count, trials) in [(1, 7), (3, 36), (83_333, 1_000_000), (999_999, 1_000_000)] {
            let (low, high) = wilson(count, trials, Z);
            for end in [low, high] {
                let n = trials as f64;
                let score = (count as f64 - n * end) / (n * end * (1.0 - end)).sqrt();
                assert!((score.abs() - Z).abs() < 1e-6, "{score}");
            }
        }
    }

    #[test]
    fn nothing_and_everything_have_exact_ends() {
        assert_eq!(wilson(0, 1_000_000, Z).0, 0.0);
        assert_eq!(wilson(1_000_000, 1_000_000, Z).1, 1.0);
        assert_eq!(wilson(0, 0, Z), (0.0, 1.0));
    }

    #[test]
    fn exact_intervals_agree_with_newcombes_table() {
        // Newcombe 1998, single proportion, Table I, method 5
        near(clopper_pearson(81, 263, 0.025), (0.2527, 0.3676), 5e-5);
        near(clopper_pearson(15, 148, 0.025), (0.0578, 0.1617), 5e-5);
        near(clopper_pearson(0, 20, 0.025), (0.0, 0.1684), 5e-5);
        near(clopper_pearson(1, 29, 0.025), (0.0009, 0.1776), 5e-5);
    }

    #[test]
    fn the_ends_of_exact_intervals_have_their_tails() {
        for (count, trials) in
            [(1, 2), (3, 36), (17, 17), (500, 1_000), (83_333, 1_000_000), (40, 100_000_000)]
        {
            for tail in [0.025, 1e-4, 1e-9] {
                let (low, high) = clopper_pearson(count, trials, tail);
                let tails = [at_least(count, trials, low), at_least(trials - count, trials, 1.0 - high)];
                for (end, found) in tails.into_iter().enumerate().filter(|one| one.0 == 0 || count < trials) {
                    let near = found <= tail && found > tail * (1.0 - 1e-4);
                    assert!(near, "{count} of {trials}, {tail}, end {end}: {found}");
                }
            }
        }
        assert_eq!(clopper_pearson(0, 7, 0.01).0, 0.0);
        assert_eq!(clopper_pearson(7, 7, 0.01).1, 1.0);
        assert_eq!(clopper_pearson(0, 0, 0.01), (0.0, 1.0));
    }

    #[test]
    fn exact_intervals_cover_at_least_as_often_as_they_say() {
        // exact sums over all counts
        for (n, p) in [(20, 0.03), (50, 0.2), (50, 0.5), (80, 0.97)] {
            for tail in [0.025, 0.001] {
                let misses = |end: fn((f64, f64), f64) -> bool| -> f64 {
                    let missed = |k: &(usize, f64)| end(clopper_pearson(k.0 as u64, n, tail), p);
                    binomial(n, p).into_iter().enumerate().filter(missed).map(|(_, weight)| weight).sum()
                };
                assert!(misses(|(low, _), p| p < low) <= tail, "{n} {p}");
                assert!(misses(|(_, high), p| p > high) <= tail, "{n} {p}");
            }
        }
    }

    /// The binomial distribution from 0 to n, by its recurrence.
    fn binomial(n: u64, p: f64) -> Vec<f64> {
        let mut weights = vec![libm::pow(1.0 - p, n as f64)];
        for k in 0..n {
            weights.push(weights[k as usize] * (n - k) as f64 / (k + 1) as f64 * p / (1.0 - p));
        }
        weights
    }

    #[test]
    fn wilson_covers_as_often_as_it_says_on_average() {
        // exact sums over all counts, for probabilities spread evenly
        let (n, steps) = (50, 200);
        let covered = |p: f64| -> f64 {
            let inside = |k: &(usize, f64)| {
                let (low, high) = wilson(k.0 as u64, n, Z);
                (low..=high).contains(&p)
            };
            binomial(n, p).into_iter().enumerate().filter(inside).map(|(_, weight)| weight).sum()
        };
        let all: Vec<f64> = (0..steps).map(|k| covered((f64::from(k) + 0.5) / f64::from(steps))).collect();
        let mean = all.iter().sum::<f64>() / f64::from(steps);
        assert!((mean - 0.95).abs() < 0.01, "{mean}");
        assert!(all.iter().all(|coverage| *coverage > 0.83)); // it falls that low only next to 0 and 1
    }

    #[test]
    fn newcombe_covers_as_often_as_it_says() {
        let (n, m) = (40, 30);
        for (p, q) in [(0.5, 0.3), (0.2, 0.2), (0.9, 0.6)] {
            let (left, right) = (binomial(n, p), binomial(m, q));
            let mut covered = 0.0;
            for (a, weight_a) in left.iter().enumerate() {
                for (b, weight_b) in right.iter().enumerate() {
                    let (low, high) = newcombe((a as u64, n), (b as u64, m), Z);
                    covered += if (low..=high).contains(&(p - q)) { weight_a * weight_b } else { 0.0 };
                }
            }
            assert!((covered - 0.95).abs() < 0.015, "{p} {q}: {covered}");
        }
    }
}
