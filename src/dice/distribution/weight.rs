//! Numbers of ways: in 64 or 128 bits where all ways together fit, else as long as they get.
//!
//! **Never:** what is counted.

use super::Faces;
use dashu_int::UBig;
use dashu_int::ops::Gcd;

/// A number of ways.
pub(super) trait Weight: Clone + Ord {
    const NONE: Self;
    const ONE: Self;
    fn read(weight: &UBig) -> Self;
    fn is_none(&self) -> bool;
    fn add(&mut self, other: &Self);
    fn times(&self, other: &Self) -> Self;
    fn common(&self, other: &Self) -> Self;
    fn divided(&self, by: &Self) -> UBig;

    fn power(&self, times: u32) -> Self {
        (0..times).fold(Self::ONE, |product, _| product.times(self))
    }
}

/// Brings a list in order and adds up what stands under the same key; so many of them are left, from the first.
pub(super) fn merge<K: Ord, W: Weight>(list: &mut [(K, W)]) -> usize {
    list.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    let mut left = list.len().min(1);
    for at in 1..list.len() {
        let (kept, rest) = list.split_at_mut(at);
        if kept[left - 1].0 == rest[0].0 {
            kept[left - 1].1.add(&rest[0].1);
        } else {
            list.swap(left, at);
            left += 1;
        }
    }
    left
}

/// How long numbers of ways are.
pub(super) enum Size {
    /// 64 bits.
    Small,
    /// 128 bits.
    Middle,
    /// As long as they get.
    Large,
}

impl Size {
    /// What all ways of the pool together, and what is reckoned on the way, fit into.
    pub(super) fn of(pool: &[(u32, &Faces)]) -> Self {
        let ways = pool.iter().try_fold(1u128, |ways, (dice, faces)| {
            ways.checked_mul(u128::try_from(faces.total()).ok()?.checked_pow(*dice)?)
        });
        // binomial coefficients of more dice do not fit
        match (ways, pool.iter().map(|(dice, _)| u64::from(*dice)).sum::<u64>()) {
            (Some(ways), ..=60) if u64::try_from(ways).is_ok() => Self::Small,
            (Some(_), ..=120) => Self::Middle,
            _ => Self::Large,
        }
    }
}

macro_rules! weights {
    ($($word:ty),*) => {$(
        impl Weight for $word {
            const NONE: Self = 0;
            const ONE: Self = 1;

            fn read(weight: &UBig) -> Self {
                Self::try_from(weight).unwrap_or_default()
            }

            fn is_none(&self) -> bool {
                *self == 0
            }

            fn add(&mut self, other: &Self) {
                *self += other;
            }

            fn times(&self, other: &Self) -> Self {
                self * other
            }

            fn common(&self, other: &Self) -> Self {
                let (mut a, mut b) = (*self, *other);
                while b != 0 {
                    (a, b) = (b, a % b);
                }
                a
            }

            fn divided(&self, by: &Self) -> UBig {
                if *by == 1 { (*self).into() } else { (self / by).into() }
            }
        }
    )*};
}

weights!(u64, u128);

impl Weight for UBig {
    const NONE: Self = UBig::ZERO;
    const ONE: Self = UBig::ONE;

    fn read(weight: &UBig) -> Self {
        weight.clone()
    }

    fn is_none(&self) -> bool {
        self.is_zero()
    }

    fn add(&mut self, other: &Self) {
        *self += other;
    }

    fn times(&self, other: &Self) -> Self {
        self * other
    }

    fn common(&self, other: &Self) -> Self {
        self.gcd(other)
    }

    fn divided(&self, by: &Self) -> UBig {
        self / by
    }
}
