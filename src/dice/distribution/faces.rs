//! What one die can show.
//!
//! In: a number of faces or a list of them, and how the die is rolled again. Out: faces with weights.
//!
//! **Never:** other dice.

use super::weight::merge;
use super::{Set, among};
use dashu_int::UBig;
use dashu_int::ops::Gcd;

/// The faces of one die with their weights.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Faces {
    /// Ascending by face; weights are positive.
    weights: Vec<(i32, UBig)>,
    total: UBig,
}

impl Faces {
    /// From 1 to this; at least 1.
    pub fn up_to(faces: u32) -> Self {
        let weights: Vec<_> = (1..=faces as i32).map(|face| (face, UBig::ONE)).collect();
        Self { weights, total: faces.into() }
    }

    /// Faces of its own, at least one, all of them equally likely.
    ///
    /// ```
    /// # use houserule::dice::distribution::Faces;
    /// assert_eq!(Faces::own(&[0, 2, 0]).weights(), [(0, 2u32.into()), (2, 1u32.into())]);
    /// ```
    pub fn own(faces: &[i32]) -> Self {
        Self::new(faces.iter().map(|face| (*face, UBig::ONE)).collect())
    }

    fn new(mut weights: Vec<(i32, UBig)>) -> Self {
        let left = merge(&mut weights);
        weights.truncate(left);
        let total = weights.iter().map(|(_, weight)| weight).sum();
        Self { weights, total }
    }

    /// The faces, ascending, with their weights.
    pub fn weights(&self) -> &[(i32, UBig)] {
        &self.weights
    }

    /// All weights added up.
    pub fn total(&self) -> &UBig {
        &self.total
    }

    /// The same die, each face counted as its representative.
    #[must_use]
    pub fn merged(&self, representative: impl Fn(i32) -> i32) -> Self {
        let weights = self.weights.iter();
        Self::new(weights.map(|(face, weight)| (representative(*face), weight.clone())).collect())
    }

    /// The same die rolled again up to `times`, for as long as it shows one of the set. Its weights grow with `times`,
    /// by one factor each.
    ///
    /// **Source:** with a chance of s/w for the set, a face outside comes at the roll after k rerolls with its own
    /// weight times s^k / w^k; all rolls are brought to the common total w^(times + 1).
    ///
    /// ```
    /// # use houserule::dice::distribution::Faces;
    /// let ones = [(1, 1)].into_iter().collect();
    /// assert_eq!(Faces::up_to(2).rerolled(&ones, 1).weights(), [(1, 1u32.into()), (2, 3u32.into())]);
    /// ```
    #[must_use]
    pub fn rerolled(&self, set: &Set, times: u32) -> Self {
        let again: UBig =
            self.weights.iter().filter(|(face, _)| among(set, *face)).map(|(_, weight)| weight).sum();
        if again.is_zero() || again == self.total {
            return self.clone();
        }
        let (mut stays, mut comes) = (UBig::ONE, UBig::ONE); // s^k, and the sum of s^i w^(k-i)
        for _ in 0..times {
            stays *= &again;
            comes = comes * &self.total + &stays;
        }
        let weigh =
            |(face, weight): &(i32, UBig)| (*face, weight * if among(set, *face) { &stays } else { &comes });
        Self::new(self.weights.iter().map(weigh).collect()).reduced()
    }

    /// The same chances in the smallest weights.
    fn reduced(mut self) -> Self {
        let common = self.weights.iter().fold(self.total.clone(), |common, (_, weight)| common.gcd(weight));
        self.weights.iter_mut().for_each(|(_, weight)| *weight /= &common);
        self.total /= &common;
        self
    }
}
