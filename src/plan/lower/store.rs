//! What is known of cells and locals where a block is written, and in which slot each of them lies.

use super::fold::{Ends, Term};
use super::names::reads;
use super::{Lower, fold};
use crate::plan::program::{Origin, SlotId, Step, Stretches, Value};
use crate::rules::{Expr, FactorId, LocalId, Place, Ruleset, Set, SetSpan, Type};

/// A cell or a local.
#[derive(Clone, Copy, Debug)]
pub(super) struct Var {
    /// The slot in which it lies when it is not known; none until it is needed.
    pub(super) home: Option<SlotId>,
    pub(super) ty: Type,
    pub(super) origin: Origin,
    /// Whether it is given a value only once.
    pub(super) frozen: bool,
}

impl Var {
    pub(super) const fn cell(factor: FactorId, ty: Type) -> Self {
        Self { home: None, ty, origin: Origin::Cell(factor), frozen: false }
    }

    pub(super) const fn local(depth: usize, local: usize, ty: Type, frozen: bool) -> Self {
        Self { home: None, ty, origin: Origin::Local(depth, LocalId(local)), frozen }
    }
}

/// What a cell or a local is in one place of the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Binding {
    /// The slot in which it lies there, its own or a frozen one; none where it is only known.
    pub(super) at: Option<SlotId>,
    /// It is at least this, and at most the next; where they cross it has no value yet.
    pub(super) low: i64,
    pub(super) high: i64,
}

impl Binding {
    /// It has no value yet.
    pub(super) const NONE: Self = Self { at: None, low: 1, high: 0 };

    pub(super) fn constant(value: i32) -> Self {
        Self { at: None, low: value.into(), high: value.into() }
    }

    pub(super) const fn is_none(&self) -> bool {
        self.low > self.high
    }

    pub(super) fn term(&self) -> Term {
        match self.at {
            Some(slot) if self.low < self.high => Term::slot(slot, self.low, self.high),
            _ => Term::constant(self.low as i32),
        }
    }
}

/// A place in a block, and what had been written until then.
#[derive(Clone, Copy)]
pub(super) struct Point {
    block: usize,
    steps: usize,
    clock: u64,
}

impl<'a> Lower<'a> {
    /// The cell or local that a place means here.
    pub(super) fn var(&self, place: Place) -> usize {
        match place {
            Place::Factor(factor) => self.at[factor.0],
            Place::Local(local) => self.frames.last().map_or(0, |frame| frame.base) + local.0,
        }
    }

    pub(super) fn read(&self, place: Place) -> Term {
        self.bindings[self.var(place)].term()
    }

    /// Notes what a cell or local is from here on.
    pub(super) fn put(&mut self, var: usize, binding: Binding) {
        if self.bindings[var] != binding {
            self.trail.push((var, self.bindings[var]));
            self.bindings[var] = binding;
        }
    }

    /// Gives a cell or local a value.
    pub(super) fn write(&mut self, var: usize, term: Term) {
        let (low, high) = (term.low, term.high);
        let at = match term.value {
            Value::Constant(_) => None,
            Value::Slot(slot) if self.frozen[slot.0] => Some(slot),
            value => {
                let home = self.home(var);
                self.set(home, value);
                Some(home)
            }
        };
        self.put(var, Binding { at, low, high });
    }

    /// The slot of a cell or local.
    pub(super) fn home(&mut self, var: usize) -> SlotId {
        if let Some(home) = self.vars[var].home {
            return home;
        }
        let Var { ty, origin, frozen, .. } = self.vars[var];
        let home = self.slot(ty, Some(origin), frozen);
        self.vars[var].home = Some(home);
        home
    }

    /// Keeps a value in a slot.
    pub(super) fn set(&mut self, slot: SlotId, value: Value) {
        if value != Value::Slot(slot) {
            self.fill(slot, Step::Set(slot, value));
        }
    }

    /// Does a step that fills a slot.
    pub(super) fn fill(&mut self, slot: SlotId, step: Step) {
        self.mark(slot);
        self.emit(step);
    }

    pub(super) fn mark(&mut self, slot: SlotId) {
        self.clock += 1;
        self.written[slot.0] = self.clock;
    }

    pub(super) fn emit(&mut self, step: Step) {
        self.spent += 1;
        self.blocks[self.here].steps.push(step);
    }

    pub(super) fn point(&self) -> Point {
        Point { block: self.here, steps: self.blocks[self.here].steps.len(), clock: self.clock }
    }

    /// Works out values one after another. A value is kept before the next one is worked out if that might change it.
    pub(super) fn operands(&mut self, exprs: impl IntoIterator<Item = &'a Expr>) -> Vec<Term> {
        let mut terms = Vec::new();
        for expr in exprs {
            self.operand(&mut terms, expr);
        }
        terms
    }

    pub(super) fn operand(&mut self, before: &mut Vec<Term>, expr: &'a Expr) {
        let point = self.point();
        let term = self.value(expr);
        self.protect(before, point);
        before.push(term);
    }

    /// Keeps, at the point, those of the values there that have been changed since.
    pub(super) fn protect(&mut self, terms: &mut [Term], point: Point) {
        if self.clock == point.clock {
            return;
        }
        let mut steps = point.steps;
        for term in terms {
            let mut changed = false;
            reads(&term.value, &mut |slot| changed |= self.written[slot.0] > point.clock);
            if changed {
                let slot = self.slot(Type::Number, None, true);
                let kept = Term::slot(slot, term.low, term.high);
                let value = std::mem::replace(term, kept).value;
                self.blocks[point.block].steps.insert(steps, Step::Set(slot, value));
                steps += 1;
            }
        }
    }

    /// The stretches of a set, its ends worked out behind other values.
    pub(super) fn ends(&mut self, terms: &mut Vec<Term>, set: &'a Set) -> Ends {
        let before = terms.len();
        for end in set.ends() {
            self.operand(terms, end);
        }
        let mut known = terms.drain(before..).collect::<Vec<_>>().into_iter();
        let stretch = |span: &SetSpan| match span {
            SetSpan::One(only) => {
                let only = known.next().map(|end| self.sparing(end, only.ty));
                (only.clone(), only)
            }
            SetSpan::Range(low, high) => {
                let low = low.as_ref().and_then(|_| known.next());
                (low, high.as_ref().and_then(|_| known.next()))
            }
        };
        set.spans.iter().map(stretch).collect()
    }

    /// A value that will stand twice: anything long is kept.
    fn sparing(&mut self, term: Term, ty: Type) -> Term {
        let short = match &term.value {
            Value::Apply(_, operands) => {
                operands.iter().all(|one| matches!(one, Value::Constant(_) | Value::Slot(_)))
            }
            Value::Ask(..) => true,
            _ => false,
        };
        if short { term } else { self.keep(term, ty) }
    }

    /// The same for a program.
    pub(super) fn stretches(&mut self, terms: &mut Vec<Term>, set: &'a Set) -> Stretches {
        let ends = self.ends(terms, set);
        ends.into_iter().map(|(low, high)| (low.map(|low| low.value), high.map(|high| high.value))).collect()
    }

    /// Whether a value is in a set.
    pub(super) fn is(&mut self, subject: Term, set: &'a Set) -> Term {
        let mut terms = vec![subject];
        let ends = self.ends(&mut terms, set);
        let subject = terms.swap_remove(0);
        fold::among(subject, ends)
    }
}

/// What a value of a type may be.
pub(super) fn range_of(rules: &Ruleset, ty: Type) -> (i64, i64) {
    match ty {
        Type::Flag => (0, 1),
        Type::Kind(kind) => (0, rules.kinds[kind.0].values.len() as i64 - 1),
        Type::Unit(units) => (0, rules.units[units.0].names.len() as i64 - 1),
        Type::Number | Type::Nothing => (i32::MIN.into(), i32::MAX.into()),
    }
}
