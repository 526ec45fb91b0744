//! Weights of states: whole numbers over a common denominator, or fractions of 1 that know how often they were rounded.

use super::fall::Fall;
use super::whole::Whole;
use dashu_int::UBig;
use dashu_int::ops::BitTest;
use dashu_ratio::RBig;
use std::ops::AddAssign;
use std::rc::Rc;

/// A fraction that is not negative.
pub(super) trait Ratio: Clone + Default + AddAssign {
    fn multiplied(self, by: &Self) -> Self;
    fn divided(self, by: &Self) -> Self;
}

impl Ratio for RBig {
    fn multiplied(self, by: &Self) -> Self {
        self * by
    }

    fn divided(self, by: &Self) -> Self {
        self / by
    }
}

/// A weight. Weights of one mass share a denominator; a number that is a fraction by itself has the denominator 1.
pub(super) trait Number: Clone + PartialEq {
    /// A weight over its denominator.
    type Ratio: Ratio;
    /// Whether nothing is ever rounded.
    const IS_EXACT: bool;
    fn ratio(&self, whole: &Self) -> Self::Ratio;
    /// A weight and its denominator.
    fn of_ratio(ratio: &Self::Ratio) -> (Self, Self);
    /// The only way there is.
    fn one() -> Self;
    /// What a step comes to, in such weights.
    fn of_fall(fall: &Rc<Fall<Whole>>) -> Rc<Fall<Self>>;
    fn plus(&mut self, other: &Self);
    fn times(&self, other: &Self) -> Self;
    /// The least common multiple of two denominators.
    fn common(&self, other: &Self) -> Self;
    /// A denominator over one that divides it.
    fn over(&self, part: &Self) -> Self;
    /// The largest number that divides both.
    fn shared(&self, other: &Self) -> Self;
    /// How large a part of 1 it is, where that is so small that it need not be followed any further.
    fn dust(&self) -> Option<f64>;
    /// How long it is, in bits; 0 where that never changes.
    fn bits(&self) -> usize;
}

/// A fraction in floating point, and the largest number of times that any part of it was rounded. Such numbers are only
/// added, multiplied and divided, never subtracted, so each rounding changes them by at most one part in 2^53.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Float {
    pub(super) value: f64,
    pub(super) roundings: u32,
}

/// More than all that can be lost where numbers get too small to be kept, were it lost 2^50 times.
const UNDERFLOW: f64 = 1e-300;

/// A whole number as a rounded number and a power of two.
fn mantissa(number: &UBig) -> (f64, i32) {
    let shift = number.bit_len().saturating_sub(64);
    ((number >> shift).to_f64().value(), shift as i32)
}

impl Float {
    /// How far the true value can be away: k roundings by at most u = 2^-53 come to a factor of at most 1 + ku / (1 - ku).
    ///
    /// **Source:** N. Higham, *Accuracy and Stability of Numerical Algorithms*, second edition (SIAM 2002), lemma 3.1.
    pub(super) fn error(self) -> f64 {
        let doubt = f64::from(self.roundings) * (f64::EPSILON / 2.0);
        self.value * doubt / (1.0 - doubt) + UNDERFLOW
    }
}

impl AddAssign for Float {
    fn add_assign(&mut self, other: Self) {
        self.plus(&other);
    }
}

impl Ratio for Float {
    fn multiplied(self, by: &Self) -> Self {
        self.times(by)
    }

    fn divided(self, by: &Self) -> Self {
        Self { value: self.value / by.value, roundings: self.roundings + by.roundings + 1 }
    }
}

impl Number for Float {
    type Ratio = Self;
    const IS_EXACT: bool = false;

    fn ratio(&self, _: &Self) -> Self {
        *self
    }

    fn of_ratio(ratio: &Self) -> (Self, Self) {
        (*ratio, Self::one())
    }

    fn one() -> Self {
        Self { value: 1.0, roundings: 0 }
    }

    fn of_fall(fall: &Rc<Fall<Whole>>) -> Rc<Fall<Self>> {
        let (of, to) = mantissa(&(&fall.whole).into());
        let share = |ways: &Whole| {
            let (ways, two) = mantissa(&ways.into());
            Self { value: libm::scalbn(ways / of, two - to), roundings: 3 }
        };
        let outcomes = fall.outcomes.iter().map(|(outcome, ways)| (outcome.clone(), share(ways)));
        let unresolved = fall.unresolved.as_ref().map(share);
        Rc::new(Fall { outcomes: outcomes.collect(), unresolved, whole: Self::one() })
    }

    fn plus(&mut self, other: &Self) {
        self.value += other.value;
        self.roundings = self.roundings.max(other.roundings) + 1;
    }

    fn times(&self, other: &Self) -> Self {
        Self { value: self.value * other.value, roundings: self.roundings + other.roundings + 1 }
    }

    fn common(&self, _: &Self) -> Self {
        Self::one()
    }

    fn over(&self, _: &Self) -> Self {
        Self::one()
    }

    fn shared(&self, _: &Self) -> Self {
        Self::one()
    }

    fn dust(&self) -> Option<f64> {
        (self.value < 1e-24).then_some(self.value)
    }

    fn bits(&self) -> usize {
        0
    }
}
