//! The range of each slot at the place that is being looked at.
//!
//! In: one range after the other, and what is supposed for a while. Out: the same, by slot.
//!
//! **Never:** what a range means.

use super::Range;
use std::ops::Index;

#[derive(Clone, Debug)]
pub(in crate::kernel) struct Ranges {
    now: Vec<Range>,
    /// What was known of slots before something was supposed of them.
    before: Vec<(usize, Range)>,
}

impl Ranges {
    /// Nothing is known to lie in any of so many slots.
    pub(in crate::kernel) fn new(slots: usize) -> Self {
        Self { now: vec![Range::EMPTY; slots], before: Vec::new() }
    }

    pub(in crate::kernel) fn set(&mut self, slot: usize, to: Range) {
        self.now[slot] = to;
    }

    /// How much is supposed here.
    pub(in crate::kernel) fn supposed(&self) -> usize {
        self.before.len()
    }

    /// Supposes that a slot lies in that range, until that is forgotten.
    pub(super) fn suppose(&mut self, slot: usize, to: Range) {
        self.before.push((slot, self.now[slot]));
        self.now[slot] = to;
    }

    /// Goes back to where only so much was supposed.
    pub(in crate::kernel) fn forget(&mut self, supposed: usize) {
        for (slot, before) in self.before.drain(supposed..).rev() {
            self.now[slot] = before;
        }
    }
}

impl Index<usize> for Ranges {
    type Output = Range;

    fn index(&self, slot: usize) -> &Range {
        &self.now[slot]
    }
}
