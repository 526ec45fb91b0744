//! The binomial distribution as a table, without a factorial and without an approximation.

use houserule::random::{Generator, Source};

/// How often something comes up in so many trials.
pub(crate) struct Binomial {
    /// The first number that has a weight; those before and behind the table come up in no sum of 16 digits.
    pub(crate) first: u64,
    /// The probability of each number from there on.
    pub(crate) weights: Vec<f64>,
    /// The probability of all numbers below each, and at the end of all.
    sums: Vec<f64>,
}

impl Binomial {
    /// Of `trials` trials each has it with probability `p`.
    pub(crate) fn new(trials: u64, p: f64) -> Self {
        if p <= 0.0 || p >= 1.0 {
            let first = if p >= 1.0 { trials } else { 0 };
            return Self { first, weights: vec![1.0], sums: vec![0.0, 1.0] };
        }
        let odds = p / (1.0 - p);
        let up = |k: u64| (trials - k) as f64 / (k as f64 + 1.0) * odds;
        let mode = (((trials as f64 + 1.0) * p) as u64).min(trials);
        let (mut first, mut weight, mut weights) = (mode, 1.0, vec![1.0]);
        while first > 0 && weight > 1e-22 {
            weight /= up(first - 1);
            first -= 1;
            weights.push(weight);
        }
        weights.reverse();
        (weight, first) = (1.0, first);
        let mut last = mode;
        while last < trials && weight > 1e-22 {
            weight *= up(last);
            last += 1;
            weights.push(weight);
        }
        let whole: f64 = weights.iter().sum();
        weights.iter_mut().for_each(|weight| *weight /= whole);
        let mut sum = 0.0;
        let mut sums = vec![0.0];
        sums.extend(weights.iter().map(|weight| {
            sum += weight;
            sum
        }));
        Self { first, weights, sums }
    }

    /// Each number with its probability.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = (u64, f64)> {
        (self.first..).zip(self.weights.iter().copied())
    }

    /// The probability of the numbers from `low` on for which `low` and `high`, in that order, say yes. Once `reached` says
    /// yes it stays so; once `passed` says yes it stays so too.
    pub(crate) fn between(&self, reached: impl Fn(u64) -> bool, passed: impl Fn(u64) -> bool) -> f64 {
        let turn = |says: &dyn Fn(u64) -> bool| {
            let (mut low, mut high) = (0, self.weights.len());
            while low < high {
                let middle = usize::midpoint(low, high);
                if says(self.first + middle as u64) { high = middle } else { low = middle + 1 }
            }
            low
        };
        (self.sums[turn(&passed)] - self.sums[turn(&reached)]).max(0.0)
    }

    /// A number at random.
    pub(crate) fn draw(&self, dice: &mut Generator) -> u64 {
        let share = fraction(dice) * self.sums.last().unwrap();
        let at = self.sums[1..].partition_point(|sum| *sum <= share);
        self.first + at.min(self.weights.len() - 1) as u64
    }
}

/// A number in 0..1 with 53 binary digits.
pub(crate) fn fraction(dice: &mut Generator) -> f64 {
    let high = u64::from(dice.die(1 << 26) - 1);
    ((high << 27) + u64::from(dice.die(1 << 27) - 1)) as f64 / (1_u64 << 53) as f64
}
