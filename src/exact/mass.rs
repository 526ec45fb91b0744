//! States with their weights.

use super::number::Number;
use super::sketch::StopId;
use smallvec::SmallVec;
use std::cmp::Ordering;
use std::collections::BTreeMap;

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
        self.states.sort_by(|(one, _), (other, _)| compare(one, other));
        self.states.dedup_by(|(key, weight), (kept, sum)| {
            let same = key == kept;
            if same {
                sum.plus(weight);
            }
            same
        });
        self.merged = self.states.len();
    }
}

fn compare(one: &Key, other: &Key) -> Ordering {
    one.as_slice().cmp(other.as_slice())
}

fn scale<N: Number>(states: &mut [(Key, N)], by: &N) {
    if *by != N::one() {
        states.iter_mut().for_each(|(_, weight)| *weight = weight.times(by));
    }
}

/// States that wait, by their stops.
pub(super) type Waiting<N> = BTreeMap<StopId, Mass<N>>;

/// States on their way to the stops where they will wait.
pub(super) struct Sorted<N>(pub(super) Vec<Way<N>>);

/// States on their way to one stop.
pub(super) struct Way<N> {
    pub(super) stop: StopId,
    pub(super) states: Vec<(Key, N)>,
    /// So many of them have the weights with which they will wait.
    weighed: usize,
}

impl<N> Default for Sorted<N> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<N: Number> Sorted<N> {
    /// One more state. Neighbours often come to the same, and small weights are added faster than large ones.
    pub(super) fn put(&mut self, stop: StopId, key: &Key, weight: &N) {
        let at = self.0.iter().position(|way| way.stop == stop).unwrap_or_else(|| {
            self.0.push(Way { stop, states: Vec::with_capacity(8), weighed: 0 });
            self.0.len() - 1
        });
        let Way { states, weighed, .. } = &mut self.0[at];
        match states[*weighed..].last_mut() {
            Some((last, sum)) if last == key => sum.plus(weight),
            _ => states.push((Key::from_slice(key), weight.clone())),
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
            waiting.entry(stop).or_insert_with(Mass::none).add(states, whole);
        }
    }
}
