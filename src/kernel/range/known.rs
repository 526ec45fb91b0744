//! The range of each slot at the place that is being looked at, and of those that are needed at others.
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

/// What is known at a place of the slots that are needed there.
#[derive(Clone, Default, Debug)]
pub(in crate::kernel) struct Known {
    /// Whether trials come there.
    pub(in crate::kernel) comes: bool,
    /// The range of each slot.
    pub(super) ranges: Vec<Range>,
}

impl Known {
    /// Whether all that is known elsewhere lies in this.
    pub(super) fn contains(&self, other: &Self) -> bool {
        !other.comes
            || self.comes && self.ranges.iter().zip(&other.ranges).all(|(all, one)| all.contains(*one))
    }

    /// Takes in all that is known elsewhere, as [`Self::grow`].
    pub(super) fn take(&mut self, other: &Self, impatient: bool) {
        if other.comes {
            self.grow(other.ranges.iter().copied(), impatient);
        }
    }

    /// Takes in ranges with which trials come; with `impatient`, bounds that grow go on to the next step at once.
    pub(super) fn grow(&mut self, new: impl Iterator<Item = Range>, impatient: bool) {
        if !self.comes {
            self.comes = true;
            self.ranges.clear();
            self.ranges.extend(new);
            return;
        }
        for (old, new) in self.ranges.iter_mut().zip(new) {
            let all = old.join(new);
            *old = if impatient { all.widened(*old) } else { all };
        }
    }
}
