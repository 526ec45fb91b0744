//! The range of each slot at one place.
//!
//! In: one range after the other. Out: the same, by slot. Hundreds of places know nearly the same of a long program's
//! slots, and each way of a question a little more; so copies share all pages until one of them changes, and then
//! the others.
//!
//! **Never:** what a range means.

use super::Range;
use std::ops::Index;
use std::rc::Rc;

/// How many slots share a page.
const PAGE: usize = 16;

#[derive(Clone, Debug)]
pub(in crate::kernel) struct Ranges {
    pages: Rc<Vec<Rc<[Range; PAGE]>>>,
    /// What is supposed of some slots for a while; of one slot the last counts.
    supposed: Vec<(usize, Range)>,
}

impl Ranges {
    /// Nothing is known to lie in any of so many slots.
    pub(in crate::kernel) fn new(slots: usize) -> Self {
        let page = Rc::new([Range::EMPTY; PAGE]);
        Self { pages: Rc::new(vec![page; slots.div_ceil(PAGE)]), supposed: Vec::new() }
    }

    pub(in crate::kernel) fn set(&mut self, slot: usize, to: Range) {
        if self[slot] != to {
            let pages = Rc::make_mut(&mut self.pages);
            Rc::make_mut(&mut pages[slot / PAGE])[slot % PAGE] = to;
        }
    }

    /// How much is supposed here.
    pub(in crate::kernel) fn supposed(&self) -> usize {
        self.supposed.len()
    }

    /// Supposes that a slot lies in that range, until that is forgotten.
    pub(super) fn suppose(&mut self, slot: usize, to: Range) {
        self.supposed.push((slot, to));
    }

    /// Goes back to where only so much was supposed.
    pub(in crate::kernel) fn forget(&mut self, supposed: usize) {
        self.supposed.truncate(supposed);
    }

    /// What is supposed is so.
    pub(super) fn settle(&mut self) {
        for (slot, to) in std::mem::take(&mut self.supposed) {
            self.set(slot, to);
        }
    }

    /// Whether each range lies in that of the same slot.
    pub(super) fn contain(&self, others: &Self) -> bool {
        self.pages.iter().zip(&*others.pages).all(|(page, other)| {
            Rc::ptr_eq(page, other) || page.iter().zip(&**other).all(|(range, other)| range.contains(*other))
        })
    }

    /// Takes in the ranges of another place; with `impatient`, bounds that grow go on to the next step at once.
    pub(super) fn grow(&mut self, others: &Self, impatient: bool) {
        if Rc::ptr_eq(&self.pages, &others.pages) {
            return;
        }
        for (page, other) in Rc::make_mut(&mut self.pages).iter_mut().zip(&*others.pages) {
            if Rc::ptr_eq(page, other) {
                continue;
            }
            for (at, other) in other.iter().enumerate() {
                let (range, joined) = (page[at], page[at].join(*other));
                let joined = if impatient && !range.is_empty() { joined.widened(range) } else { joined };
                if joined != range {
                    Rc::make_mut(page)[at] = joined;
                }
            }
        }
    }
}

impl Index<usize> for Ranges {
    type Output = Range;

    fn index(&self, slot: usize) -> &Range {
        let supposed = self.supposed.iter().rev().find(|(one, _)| *one == slot);
        supposed.map_or(&self.pages[slot / PAGE][slot % PAGE], |(_, range)| range)
    }
}
