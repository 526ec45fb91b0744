//! Whole numbers as weights: in 64 bits for as long as they fit, then as long as they get.

use super::fall::Fall;
use super::number::Number;
use dashu_int::ops::{BitTest, Gcd, UnsignedAbs};
use dashu_int::{Sign, UBig};
use dashu_ratio::RBig;
use std::rc::Rc;

/// A whole number that is not negative; long only where it does not fit into 64 bits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Whole {
    Short(u64),
    Long(UBig),
}

use Whole::{Long, Short};

impl From<&UBig> for Whole {
    fn from(number: &UBig) -> Self {
        u64::try_from(number).map_or_else(|_| Long(number.clone()), Short)
    }
}

impl From<&Whole> for UBig {
    fn from(number: &Whole) -> Self {
        match number {
            Short(number) => (*number).into(),
            Long(number) => number.clone(),
        }
    }
}

impl From<u32> for Whole {
    fn from(number: u32) -> Self {
        Short(number.into())
    }
}

impl Whole {
    pub(super) const ZERO: Self = Short(0);
    pub(super) const ONE: Self = Short(1);

    /// What long arithmetic makes of both.
    #[cold]
    fn long(&self, other: &Self, reckon: impl FnOnce(&UBig, &UBig) -> UBig) -> Self {
        let made = match (self, other) {
            (Long(one), Long(other)) => reckon(one, other),
            (Long(one), Short(other)) => reckon(one, &(*other).into()),
            (Short(one), Long(other)) => reckon(&(*one).into(), other),
            (Short(one), Short(other)) => reckon(&(*one).into(), &(*other).into()),
        };
        u64::try_from(&made).map_or(Long(made), Short)
    }
}

impl Number for Whole {
    type Ratio = RBig;
    const IS_EXACT: bool = true;

    fn ratio(&self, whole: &Self) -> RBig {
        match (self, whole) {
            (Short(part), Short(whole)) => {
                RBig::from_parts_const(Sign::Positive, (*part).into(), (*whole).into())
            }
            _ => RBig::from_parts(UBig::from(self).into(), whole.into()),
        }
    }

    fn of_ratio(ratio: &RBig) -> (Self, Self) {
        ((&ratio.numerator().unsigned_abs()).into(), ratio.denominator().into())
    }

    fn one() -> Self {
        Self::ONE
    }

    fn of_fall(fall: &Rc<Fall<Self>>) -> Rc<Fall<Self>> {
        fall.clone()
    }

    fn plus(&mut self, other: &Self) {
        match (&mut *self, other) {
            (Short(one), Short(more)) => match one.checked_add(*more) {
                Some(sum) => *one = sum,
                None => *self = self.long(other, |one, other| one + other),
            },
            (Long(one), Short(more)) => *one += *more,
            (Long(one), Long(more)) => *one += more,
            (Short(one), Long(more)) => *self = Long(more + *one),
        }
    }

    fn times(&self, other: &Self) -> Self {
        if let (Short(one), Short(other)) = (self, other)
            && let Some(product) = one.checked_mul(*other)
        {
            return Short(product);
        }
        self.long(other, |one, other| one * other)
    }

    fn common(&self, other: &Self) -> Self {
        if self == other || *other == Self::ONE {
            self.clone()
        } else if *self == Self::ONE {
            other.clone()
        } else {
            self.over(&self.shared(other)).times(other)
        }
    }

    fn over(&self, part: &Self) -> Self {
        match (self, part) {
            (_, &Self::ONE) => self.clone(),
            (Short(one), Short(part)) => Short(one / part),
            _ if self == part => Self::ONE,
            _ => self.long(part, |one, part| one / part),
        }
    }

    fn shared(&self, other: &Self) -> Self {
        match (self, other) {
            (Short(one), Short(other)) => Short(divisor(*one, *other)),
            _ => self.long(other, |one, other| one.gcd(other)),
        }
    }

    fn dust(&self) -> Option<f64> {
        None
    }

    fn bits(&self) -> usize {
        match self {
            Short(number) => number.bit_len(),
            Long(number) => number.bit_len(),
        }
    }
}

/// The largest number that divides both.
fn divisor(mut one: u64, mut other: u64) -> u64 {
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(text: &str) -> Whole {
        (&text.parse::<UBig>().unwrap()).into()
    }

    #[test]
    fn numbers_are_long_only_where_they_do_not_fit() {
        let (last, next) = (whole("18446744073709551615"), whole("18446744073709551616"));
        assert!(matches!(last, Short(u64::MAX)) && matches!(next, Long(_)), "{last:?} {next:?}");
        let mut sum = last.clone();
        sum.plus(&Whole::ONE);
        assert_eq!(sum, next);
        assert_eq!((last.bits(), next.bits()), (64, 65));
        // 2^64 / 2^32 is short again, and so is what 2^64 and 6 share
        assert_eq!(next.over(&whole("4294967296")), whole("4294967296"));
        assert_eq!((next.shared(&Short(6)), Short(6).shared(&next)), (Short(2), Short(2)));
    }

    #[test]
    fn short_and_long_numbers_reckon_alike() {
        let (small, large) = (Short(6_000_000_000), whole("36893488147419103232"));
        assert_eq!(small.times(&small), whole("36000000000000000000"));
        assert_eq!(large.times(&small), small.times(&large));
        // 2^65 and 6 10^9 = 2^10 3 5^9 5^0: the least common multiple is 2^65 times 5,859,375
        assert_eq!(large.common(&small), large.times(&Short(5_859_375)));
        assert_eq!((large.over(&large), large.over(&Whole::ONE)), (Whole::ONE, large.clone()));
        let (mut one, mut other) = (small.clone(), large.clone());
        one.plus(&large);
        other.plus(&small);
        assert_eq!((&one, one.clone()), (&other, whole("36893488153419103232")));
        assert_eq!(Short(6).ratio(&Short(36)).to_string(), "1/6");
    }
}
