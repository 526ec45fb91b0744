//! The values that something may have: a union of stretches of whole numbers.

use smallvec::SmallVec;

/// More stretches than this are replaced by one that spans them all.
const MOST_STRETCHES: usize = 64;

/// A set of whole numbers as stretches `low..=high`, ascending, with gaps between them.
#[derive(PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(super) struct Values(SmallVec<[(i64, i64); 1]>);

impl Clone for Values {
    /// All stretches at once; the library copies them one by one.
    fn clone(&self) -> Self {
        Self(SmallVec::from_slice(&self.0))
    }
}

impl Values {
    pub(super) fn only(value: i64) -> Self {
        Self(SmallVec::from_buf([(value, value)]))
    }

    /// From `low` to `high`; empty where they cross.
    pub(super) fn range(low: i64, high: i64) -> Self {
        if low <= high { Self(SmallVec::from_buf([(low, high)])) } else { Self::default() }
    }

    pub(super) fn of(stretches: impl IntoIterator<Item = (i64, i64)>) -> Self {
        let mut sorted: SmallVec<[(i64, i64); 8]> =
            stretches.into_iter().filter(|(low, high)| low <= high).collect();
        sorted.sort_unstable();
        let mut joined: SmallVec<[(i64, i64); 1]> = SmallVec::new();
        for (low, high) in sorted {
            match joined.last_mut() {
                Some(last) if low <= last.1.saturating_add(1) => last.1 = last.1.max(high),
                _ => joined.push((low, high)),
            }
        }
        if joined.len() > MOST_STRETCHES {
            return Self::range(joined[0].0, joined[joined.len() - 1].1);
        }
        Self(joined)
    }

    /// All values of several sets; `None` where they are too many stretches to be kept apart.
    pub(super) fn exactly(sets: &[Self]) -> Option<Self> {
        let few = sets.iter().map(|set| set.0.len()).sum::<usize>() <= MOST_STRETCHES;
        few.then(|| Self::of(sets.iter().flat_map(|set| set.0.iter().copied())))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The smallest; 0 of none.
    pub(super) fn low(&self) -> i64 {
        self.0.first().map_or(0, |stretch| stretch.0)
    }

    /// The largest; 0 of none.
    pub(super) fn high(&self) -> i64 {
        self.0.last().map_or(0, |stretch| stretch.1)
    }

    /// The largest below 0 and the smallest above it.
    pub(super) fn next_to_zero(&self) -> (Option<i64>, Option<i64>) {
        let below = self.0.iter().filter(|stretch| stretch.0 < 0).map(|stretch| stretch.1.min(-1)).max();
        let above = self.0.iter().filter(|stretch| stretch.1 > 0).map(|stretch| stretch.0.max(1)).min();
        (below, above)
    }

    /// The one value, if there is but one.
    pub(super) fn single(&self) -> Option<i64> {
        (!self.is_empty() && self.low() == self.high()).then(|| self.low())
    }

    /// One by one, ascending.
    pub(super) fn each(&self) -> impl Iterator<Item = i64> {
        self.0.iter().flat_map(|(low, high)| *low..=*high)
    }

    pub(super) fn contains(&self, value: i64) -> bool {
        self.0.iter().any(|(low, high)| (*low..=*high).contains(&value))
    }

    /// Whether it has every value of a stretch.
    pub(super) fn covers(&self, low: i64, high: i64) -> bool {
        self.0.iter().any(|stretch| stretch.0 <= low && high <= stretch.1)
    }

    /// Whether it has any value of a stretch.
    pub(super) fn meets(&self, low: i64, high: i64) -> bool {
        self.0.iter().any(|stretch| stretch.0 <= high && low <= stretch.1)
    }

    pub(super) fn union(&self, other: &Self) -> Self {
        if self == other || other.is_empty() {
            return self.clone();
        }
        Self::of(self.0.iter().chain(&other.0).copied())
    }

    /// Takes in all values of another set.
    pub(super) fn unite(&mut self, other: &Self) {
        if self != other {
            *self = self.union(other);
        }
    }

    pub(super) fn intersect(&self, other: &Self) -> Self {
        let pairs = self.0.iter().flat_map(|a| other.0.iter().map(move |b| (a.0.max(b.0), a.1.min(b.1))));
        Self::of(pairs)
    }

    /// Those that are not in the other set.
    pub(super) fn without(&self, other: &Self) -> Self {
        if let ([(a, b)], [(low, high)]) = (&self.0[..], &other.0[..])
            && low <= a
            && b <= high
        {
            return Self::default();
        }
        let mut left = self.0.to_vec();
        for (low, high) in &other.0 {
            left = left
                .iter()
                .flat_map(|(a, b)| {
                    [(*a, *b.min(&low.saturating_sub(1))), (*a.max(&high.saturating_add(1)), *b)]
                })
                .collect();
            left.retain(|(a, b)| a <= b);
        }
        Self::of(left)
    }

    /// The stretches, cut so that none crosses from below one of `cuts` to it or above.
    pub(super) fn cut(&self, cuts: &[i64]) -> Vec<(i64, i64)> {
        let mut pieces = Vec::new();
        for (low, high) in &self.0 {
            let mut start = *low;
            for cut in cuts.iter().filter(|cut| (low + 1..=*high).contains(cut)) {
                pieces.push((start, cut - 1));
                start = *cut;
            }
            pieces.push((start, *high));
        }
        pieces
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same set, value by value.
    fn list(values: &Values) -> Vec<i64> {
        (-20..=20).filter(|value| values.contains(*value)).collect()
    }

    #[test]
    fn set_operations_agree_with_lists_of_values() {
        let stretches = |seed: i64| {
            Values::of(
                (0..3).map(|i| ((seed * 7 + i * 5) % 17 - 8, (seed * 7 + i * 5) % 17 - 8 + (seed + i) % 4)),
            )
        };
        for a in (0..40).map(stretches) {
            for b in (0..40).map(|seed| stretches(seed * 3 + 1)) {
                let (in_a, in_b) = (list(&a), list(&b));
                let both: Vec<i64> = in_a.iter().copied().filter(|value| in_b.contains(value)).collect();
                let left: Vec<i64> = in_a.iter().copied().filter(|value| !in_b.contains(value)).collect();
                assert_eq!(list(&a.intersect(&b)), both);
                assert_eq!(list(&a.without(&b)), left);
                assert_eq!(list(&a.union(&b)).len(), in_b.len() + left.len());
                if let (Some(low), Some(high)) = (in_b.first(), in_b.last()) {
                    let stretch: Vec<i64> = (*low..=*high).collect();
                    assert_eq!(a.meets(*low, *high), stretch.iter().any(|value| in_a.contains(value)));
                    assert_eq!(a.covers(*low, *high), stretch.iter().all(|value| in_a.contains(value)));
                }
            }
        }
    }

    #[test]
    fn cuts_fall_between_values() {
        assert_eq!(Values::range(2, 12).cut(&[2, 5, 7, 13]), [(2, 4), (5, 6), (7, 12)]);
    }
}
