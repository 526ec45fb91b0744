//! States with their weights.

use super::number::Number;
use super::sketch::StopId;
use smallvec::{SmallVec, smallvec};
use std::cmp::Ordering;

/// What a state still needs: numbers in an order that the place it waits at tells.
pub(super) type Key = SmallVec<[i32; 8]>;

/// States that wait at one place, with weights over a common denominator.
#[derive(Clone, Debug)]
pub(super) struct Mass<N> {
    pub(super) whole: N,
    pub(super) states: Vec<(Key, N)>,
    /// So many of them, from the first, are in order and differ.
    merged: usize,
}

impl<N: Number> Mass<N> {
    pub(super) fn of(key: Key) -> Self {
        Self { whole: N::one(), states: vec![(key, N::one())], merged: 1 }
    }

    pub(super) fn none() -> Self {
        Self { whole: N::one(), states: Vec::new(), merged: 0 }
    }

    /// Adds states with weights over a denominator of their own.
    pub(super) fn add(&mut self, mut states: Vec<(Key, N)>, whole: &N) {
        if self.states.is_empty() {
            *self = Self { whole: whole.clone(), states, merged: 0 };
            return;
        }
        if self.whole != *whole {
            let common = self.whole.common(whole);
            scale(&mut self.states, &common.over(&self.whole));
            scale(&mut states, &common.over(whole));
            self.whole = common;
        }
        self.states.append(&mut states);
        if self.states.len() > 2 * self.merged + 1_024 {
            self.merge();
        }
    }

    /// Makes all numbers as small as they can be.
    pub(super) fn reduce(&mut self) {
        let mut shared = self.whole.clone();
        for (_, weight) in &self.states {
            if shared == N::one() {
                return;
            }
            shared = shared.shared(weight);
        }
        if shared != N::one() {
            self.whole = self.whole.over(&shared);
            self.states.iter_mut().for_each(|(_, weight)| *weight = weight.over(&shared));
        }
    }

    /// Brings the states into order and adds up the weights of equal ones.
    pub(super) fn merge(&mut self) {
        if self.merged == self.states.len() {
            return;
        }
        if self.merged == 0 && self.states.is_sorted_by(|(one, _), (other, _)| compare(one, other).is_gt()) {
            // charts mostly go from one end to the other
            self.states.reverse();
        } else if self.states.len() > FEW {
            self.states.sort_by(|(one, _), (other, _)| compare(one, other));
            self.states.dedup_by(|(key, weight), (kept, sum)| {
                let same = key == kept;
                if same {
                    sum.plus(weight);
                }
                same
            });
        } else {
            self.merge_few();
        }
        self.merged = self.states.len();
    }

    fn merge_few(&mut self) {
        let mut merged = self.merged;
        for at in self.merged..self.states.len() {
            let (before, here) = self.states.split_at_mut(at);
            let (key, weight) = &here[0];
            match before[..merged].binary_search_by(|(known, _)| compare(known, key)) {
                Ok(known) => before[known].1.plus(weight),
                Err(place) => {
                    if merged < at {
                        self.states.swap(merged, at);
                    }
                    if place < merged {
                        self.states[place..=merged].rotate_right(1);
                    }
                    merged += 1;
                }
            }
        }
        self.states.truncate(merged);
    }
}

/// So few states are put in their places one by one, which takes less than to sort all.
const FEW: usize = 64;

/// Whether two keys are equal; most are so short that this takes less than a comparison of memory.
#[inline]
fn same(one: &[i32], other: &[i32]) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(one, other)| one == other)
}

fn compare(one: &Key, other: &Key) -> Ordering {
    one.as_slice().cmp(other.as_slice())
}

fn scale<N: Number>(states: &mut [(Key, N)], by: &N) {
    if *by != N::one() {
        states.iter_mut().for_each(|(_, weight)| *weight = weight.times(by));
    }
}

/// States that wait, by their stops, in order.
#[derive(Debug)]
pub(super) struct Waiting<N>(SmallVec<[(StopId, Mass<N>); 2]>);

impl<N: Number> Waiting<N> {
    pub(super) fn none() -> Self {
        Self(SmallVec::new())
    }

    /// One state.
    pub(super) fn of(stop: StopId, key: Key) -> Self {
        Self(smallvec![(stop, Mass::of(key))])
    }

    /// Adds states with weights over a denominator.
    pub(super) fn add(&mut self, stop: StopId, states: Vec<(Key, N)>, whole: &N) {
        let at = self.0.partition_point(|(known, _)| *known < stop);
        if self.0.get(at).is_none_or(|(known, _)| *known != stop) {
            self.0.insert(at, (stop, Mass::none()));
        }
        self.0[at].1.add(states, whole);
    }

    /// Those that wait at the first of these stops wait no more.
    pub(super) fn take(&mut self, is: impl Fn(StopId) -> bool) -> Option<(StopId, Mass<N>)> {
        let at = self.0.iter().position(|(stop, _)| is(*stop))?;
        Some(self.0.remove(at))
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (StopId, &Mass<N>)> {
        self.0.iter().map(|(stop, mass)| (*stop, mass))
    }

    /// Brings the states at each stop into order.
    pub(super) fn merge(&mut self) {
        self.0.iter_mut().for_each(|(_, mass)| mass.merge());
    }

    /// Makes all numbers as small as they can be.
    pub(super) fn reduce(&mut self) {
        self.0.iter_mut().for_each(|(_, mass)| mass.reduce());
    }
}

/// States on their way to the stops where they will wait.
pub(super) struct Sorted<N>(pub(super) SmallVec<[Way<N>; 2]>);

/// States on their way to one stop.
pub(super) struct Way<N> {
    pub(super) stop: StopId,
    pub(super) states: Vec<(Key, N)>,
    /// So many of them have the weights with which they will wait.
    weighed: usize,
}

impl<N> Default for Sorted<N> {
    fn default() -> Self {
        Self(SmallVec::new())
    }
}

impl<N: Number> Sorted<N> {
    /// One more state. Neighbours often come to the same, and small weights are added faster than large ones.
    #[inline(always)]
    pub(super) fn put(&mut self, stop: StopId, key: &[i32], weight: &N) {
        let way = self.0.iter_mut().find(|way| way.stop == stop);
        match way.and_then(|way| way.states[way.weighed..].last_mut()) {
            Some((last, sum)) if same(last, key) => sum.plus(weight),
            _ => self.push(stop, Key::from_slice(key), weight.clone()),
        }
    }

    fn push(&mut self, stop: StopId, key: Key, weight: N) {
        match self.0.iter_mut().find(|way| way.stop == stop) {
            Some(way) => way.states.push((key, weight)),
            None => {
                let mut states = Vec::with_capacity(8);
                states.push((key, weight));
                self.0.push(Way { stop, states, weighed: 0 });
            }
        }
    }

    /// Gives all states since the last time so many times their weights.
    pub(super) fn weigh(&mut self, by: &N) {
        for Way { states, weighed, .. } in &mut self.0 {
            if *by != N::one() {
                states[*weighed..].iter_mut().for_each(|(_, weight)| *weight = weight.times(by));
            }
            *weighed = states.len();
        }
    }

    pub(super) fn len(&self) -> u64 {
        self.0.iter().map(|way| way.states.len() as u64).sum()
    }

    /// Lets them wait; their weights are over this denominator.
    pub(super) fn wait(self, waiting: &mut Waiting<N>, whole: &N) {
        for Way { stop, states, .. } in self.0 {
            waiting.add(stop, states, whole);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::whole::Whole;
    use std::collections::BTreeMap;

    #[test]
    fn equal_states_become_one_however_many_there_are() {
        for count in [1, 2, 10, FEW, FEW + 1, 1_000] {
            let keys: Vec<i32> = (0..count as i32).map(|at| at * 7_919 % 101 % 37).collect();
            let mut sums: BTreeMap<i32, u32> = BTreeMap::new();
            keys.iter().for_each(|key| *sums.entry(*key).or_default() += 1);
            let mut mass: Mass<Whole> = Mass::none();
            for keys in keys.chunks(count.div_ceil(3)) {
                let state = |key: &i32| (Key::from_slice(&[*key]), Whole::ONE);
                mass.add(keys.iter().map(state).collect(), &Whole::ONE);
                mass.merge();
            }
            let found: Vec<(i32, Whole)> = mass.states.into_iter().map(|(key, sum)| (key[0], sum)).collect();
            let expected: Vec<(i32, Whole)> = sums.into_iter().map(|(key, sum)| (key, sum.into())).collect();
            assert_eq!(found, expected, "{count}");
        }
    }
}
