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
pub(in crate::kernel) struct Ranges(Rc<Vec<Rc<[Range; PAGE]>>>);

impl Ranges {
    /// Nothing is known to lie in any of so many slots.
    pub(in crate::kernel) fn new(slots: usize) -> Self {
        let page = Rc::new([Range::EMPTY; PAGE]);
        Self(Rc::new(vec![page; slots.div_ceil(PAGE)]))
    }

    pub(in crate::kernel) fn set(&mut self, slot: usize, to: Range) {
        if self[slot] != to {
            let pages = Rc::make_mut(&mut self.0);
            Rc::make_mut(&mut pages[slot / PAGE])[slot % PAGE] = to;
        }
    }

    /// Whether each range lies in that of the same slot.
    pub(super) fn contain(&self, others: &Self) -> bool {
        self.0.iter().zip(&*others.0).all(|(page, other)| {
            Rc::ptr_eq(page, other) || page.iter().zip(&**other).all(|(range, other)| range.contains(*other))
        })
    }

    /// Takes in the ranges of another place; with `impatient`, bounds that grow go on to the next step at once.
    pub(super) fn grow(&mut self, others: &Self, impatient: bool) {
        if Rc::ptr_eq(&self.0, &others.0) {
            return;
        }
        for (page, other) in Rc::make_mut(&mut self.0).iter_mut().zip(&*others.0) {
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
        &self.0[slot / PAGE][slot % PAGE]
    }
}
