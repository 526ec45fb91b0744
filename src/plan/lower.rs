//! Rules, situation and policy → [`Program`]: calls written out in place, what the situation settles worked out.
//!
//! In: checked rules, an entry, a value for each factor, a move for each choice. Out: the program, or nothing where it
//! would be too long. Rules that come to the same steps come to the same program, whatever names they use.
//!
//! **Never:** dice folded away, or rolled in another order than the rules roll them; how a program is played.

mod assigned;
mod call;
mod chart;
mod choice;
mod expression;
mod fold;
mod join;
mod names;
mod pool;
mod repeat;
mod statement;
mod store;
mod tidy;

use super::program::{Exit, Heap, Loop, Program, Site, Slot, SlotId};
use crate::rules::{Callee, FactorId, Ruleset, Span, TestId};
use crate::scenario::Move;
use assigned::{Assigned, Habits};
use call::Frame;
use fold::Term;
use join::Draft;
use pool::Shown;
use std::collections::BTreeMap;
use std::rc::Rc;
use store::{Binding, Var};

/// A program is written out only up to so many steps, values and chart rows; tests that call tests that call tests can
/// double it each time.
const LONGEST_PROGRAM: usize = 100_000;

/// Writes out the entry test; `None` where that would be too long.
pub(super) fn lower(
    rules: &Ruleset,
    entry: TestId,
    situation: &[i32],
    moves: &[Option<Move>],
) -> Option<Program> {
    let mut lower = Lower::new(rules, situation, moves);
    lower.entry(entry);
    if lower.is_too_long() {
        return None;
    }
    Some(tidy::tidy(lower))
}

/// What is written so far, and what is known where it is written.
struct Lower<'a> {
    rules: &'a Ruleset,
    moves: &'a [Option<Move>],
    blocks: Vec<Draft>,
    /// The block that is being written.
    here: usize,
    /// Blocks before this one belong to loops that are closed.
    floor: usize,
    slots: Vec<Slot>,
    /// Whether a slot keeps one value from where it is set until nothing asks for it any more.
    frozen: Vec<bool>,
    /// When each slot was written last, by `clock`.
    written: Vec<u64>,
    clock: u64,
    heaps: Vec<Heap>,
    shown: Vec<Option<Shown>>,
    loops: Vec<Loop>,
    sites: Vec<Site>,
    /// One for each factor's own cell, then the locals of all calls that are under way.
    vars: Vec<Var>,
    /// What each of them is here.
    bindings: Vec<Binding>,
    /// What was there before, change by change.
    trail: Vec<(usize, Binding)>,
    /// The cell that each factor means here.
    at: Vec<usize>,
    frames: Vec<Frame>,
    habits: BTreeMap<TestId, Rc<Habits>>,
    assigned: BTreeMap<Callee, Rc<Assigned>>,
    /// How often what is written here is written in loops that are unrolled.
    copies: i64,
    spent: usize,
}

impl<'a> Lower<'a> {
    fn new(rules: &'a Ruleset, situation: &[i32], moves: &'a [Option<Move>]) -> Self {
        let cell = |(at, factor): (usize, &crate::rules::Factor)| Var::cell(FactorId(at), factor.ty);
        Self {
            rules,
            moves,
            blocks: vec![Draft::default()],
            here: 0,
            floor: 0,
            slots: Vec::new(),
            frozen: Vec::new(),
            written: Vec::new(),
            clock: 0,
            heaps: Vec::new(),
            shown: Vec::new(),
            loops: Vec::new(),
            sites: Vec::new(),
            vars: rules.factors.iter().enumerate().map(cell).collect(),
            bindings: situation.iter().map(|value| Binding::constant(*value)).collect(),
            trail: Vec::new(),
            at: (0..rules.factors.len()).collect(),
            frames: Vec::new(),
            habits: BTreeMap::new(),
            assigned: BTreeMap::new(),
            copies: 1,
            spent: 0,
        }
    }

    fn entry(&mut self, entry: TestId) {
        let span = Span { start: 0, end: 0, ..self.rules.tests[entry.0].span };
        self.frames.push(Frame::new(self.vars.len(), span, None));
        self.open_frame(Callee::Test(entry));
        for way in self.returns(entry, None) {
            self.blocks[way.block].exit = Some(Exit::Done(way.value.value));
        }
    }

    /// Counts what is looked at; says whether there is room for more. Past the limit whatever is written no longer
    /// counts.
    fn spend(&mut self, amount: usize) -> bool {
        self.spent += amount;
        !self.is_too_long()
    }

    fn is_too_long(&self) -> bool {
        self.spent > LONGEST_PROGRAM
    }

    /// The value of a term under a number of its own, unless that is plain already.
    fn keep(&mut self, term: Term, ty: crate::rules::Type) -> Term {
        if term.is_plain() {
            return term;
        }
        let slot = self.slot(ty, None, true);
        let (low, high) = (term.low, term.high);
        self.set(slot, term.value);
        Term::slot(slot, low, high)
    }

    /// The value of a term where nothing changes it.
    fn hold(&mut self, term: Term, ty: crate::rules::Type) -> Term {
        match term.value {
            super::program::Value::Slot(from) if !self.frozen[from.0] => {
                let slot = self.slot(ty, None, true);
                self.set(slot, term.value);
                Term::slot(slot, term.low, term.high)
            }
            _ => self.keep(term, ty),
        }
    }

    /// A new slot.
    fn slot(
        &mut self,
        ty: crate::rules::Type,
        origin: Option<super::program::Origin>,
        frozen: bool,
    ) -> SlotId {
        self.slots.push(Slot { ty, origin });
        self.frozen.push(frozen);
        self.written.push(0);
        SlotId(self.slots.len() - 1)
    }
}
