//! Numbers of ways: in 128 bits where all ways together fit, else as long as they get.
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

/// Brings a list in order and adds up what stands under the same key.
pub(super) fn merge<K: Ord, W: Weight>(list: &mut Vec<(K, W)>) {
    list.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    list.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            kept.1.add(&next.1);
        }
        same
    });
}

/// How many dice a pool may have for 128 bits: binomial coefficients of more do not fit.
const DICE: u64 = 120;

/// Whether all ways of the pool together, and what is reckoned on the way, fit into 128 bits.
pub(super) fn is_small(pool: &[(u32, &Faces)]) -> bool {
    let ways = pool.iter().try_fold(1u128, |ways, (dice, faces)| {
        ways.checked_mul(u128::try_from(faces.total()).ok()?.checked_pow(*dice)?)
    });
    ways.is_some() && pool.iter().map(|(dice, _)| u64::from(*dice)).sum::<u64>() <= DICE
}

impl Weight for u128 {
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
