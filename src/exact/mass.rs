//! States with their weights.

use super::number::Number;
use smallvec::SmallVec;
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
