//! How probable it is that something comes up so many times or more.
//!
//! In: a count, trials, a probability. Out: the tail of the binomial distribution.
//!
//! **Never:** what is counted.

/// The continued fraction is done once a step changes it by no more than this.
const CLOSE: f64 = 1e-15;

/// More steps are never taken; a million million trials need fewer.
const STEPS: u64 = 10_000_000;

/// The probability that something with the probability `p` (a fraction in 0..1) comes up in `count` or more of so many
/// trials, to about 12 digits; meant for `p` of at most `count / trials`, where it is quick.
///
/// **Source:** equations 8.17.5 and 8.17.22 of the *NIST Digital Library of Mathematical Functions*, by the method of
/// Lentz and Thompson.
pub(super) fn at_least(count: u64, trials: u64, p: f64) -> f64 {
    if count == 0 {
        return 1.0;
    }
    let (a, b) = (count as f64, (trials - count) as f64 + 1.0);
    let mut fraction = 1.0;
    let (mut c, mut d) = (1.0, 0.0);
    for step in 1..STEPS {
        let m = (step / 2) as f64;
        let next = match step % 2 {
            0 => m * (b - m) * p / ((a + 2.0 * m - 1.0) * (a + 2.0 * m)),
            _ => -(a + m) * (a + b + m) * p / ((a + 2.0 * m) * (a + 2.0 * m + 1.0)),
        };
        d = 1.0 / away(1.0 + next * d);
        c = away(1.0 + next / c);
        fraction *= c * d;
        if (c * d - 1.0).abs() <= CLOSE {
            break;
        }
    }
    libm::exp(log_exactly(count, trials, p)) * (1.0 - p) / fraction
}

/// A number that can be divided by.
fn away(number: f64) -> f64 {
    if number == 0.0 { f64::MIN_POSITIVE } else { number }
}

/// The logarithm of the probability of exactly this count.
///
/// **Source:** C. Loader, "Fast and accurate computation of binomial probabilities" (2000): nothing large is taken from
/// anything large.
pub(super) fn log_exactly(count: u64, trials: u64, p: f64) -> f64 {
    let (n, x) = (trials as f64, count as f64);
    let rest = n - x;
    match count {
        0 => return n * libm::log1p(-p),
        _ if count == trials => return n * libm::log(p),
        _ => {}
    }
    let off = stirling(n) - stirling(x) - stirling(rest);
    let far = deviance(x, n * p) + deviance(rest, n * (1.0 - p));
    off - far + 0.5 * libm::log(n / (std::f64::consts::TAU * x * rest))
}

/// How far Stirling's formula falls short of the logarithm of a factorial.
fn stirling(n: f64) -> f64 {
    if n < 16.0 {
        return libm::lgamma(n + 1.0) - (n + 0.5) * libm::log(n) + n - 0.5 * libm::log(std::f64::consts::TAU);
    }
    let square = n * n;
    let terms = [1.0 / 1188.0, 1.0 / 1680.0, 1.0 / 1260.0, 1.0 / 360.0, 1.0 / 12.0];
    terms.into_iter().fold(0.0, |rest, term| term - rest / square) / n
}

/// `x ln (x / mean) + mean - x`, without loss where both are nearly the same.
fn deviance(x: f64, mean: f64) -> f64 {
    if (x - mean).abs() >= 0.1 * (x + mean) {
        return x * libm::log(x / mean) + mean - x;
    }
    let v = (x - mean) / (x + mean);
    let (mut sum, mut term) = ((x - mean) * v, 2.0 * x * v);
    for odd in 1.. {
        term *= v * v;
        let next = sum + term / f64::from(2 * odd + 1);
        if next == sum {
            break;
        }
        sum = next;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Probability;

    /// The tail by adding fractions, for a probability of so many hundredths.
    fn added(count: u64, trials: u64, hundredths: i64) -> f64 {
        let part = |number: i64| Probability::fraction(number, 100);
        let power =
            |base: &Probability, times: u64| (0..times).fold(Probability::ONE, |all, _| all.product(base));
        let ways = |k: u64| {
            (0..k).fold(Probability::ONE, |all, i| {
                all.product(&Probability::fraction((trials - i) as i64, i + 1))
            })
        };
        let one = |k: u64| {
            ways(k).product(&power(&part(hundredths), k)).product(&power(&part(100 - hundredths), trials - k))
        };
        (count..=trials).map(one).fold(Probability::ZERO, |sum, one| sum.plus(&one)).value()
    }

    #[test]
    fn tails_agree_with_sums_of_fractions() {
        for (trials, hundredths) in [(1, 30), (7, 1), (40, 10), (40, 50), (90, 73), (150, 3)] {
            // no more is promised for counts below those that are expected
            for count in (trials * hundredths as u64).div_ceil(100)..=trials {
                let (got, right) =
                    (at_least(count, trials, hundredths as f64 / 100.0), added(count, trials, hundredths));
                assert!(
                    (got / right - 1.0).abs() < 1e-11,
                    "{count} of {trials} at {hundredths} %: {got} {right}"
                );
            }
        }
    }

    #[test]
    fn tails_of_many_trials_agree_with_the_normal_distribution() {
        // 5 deviations above the mean of a fair coin, by symmetry without skew: Q(5) = 2.8665e-7, and the count is taken
        // half a step lower, as the correction for continuity wants it
        for trials in [1_000_000_u64, 100_000_000, 1_000_000_000_000] {
            let off = (5.0 * (trials as f64).sqrt() / 2.0).ceil();
            let z = (off - 0.5) / ((trials as f64).sqrt() / 2.0);
            let right = libm::erfc(z / std::f64::consts::SQRT_2) / 2.0;
            let got = at_least(trials / 2 + off as u64, trials, 0.5);
            assert!((got / right - 1.0).abs() < 1e-4, "{trials}: {got} {right}");
        }
    }
}
