//! Calls, written out in place: modifiers, tests, and either of them for a unit that is known only in play.

use super::Lower;
use super::assigned::Habits;
use super::fold::{self, Term};
use super::join::Way;
use super::repeat::Stops;
use super::store::{Binding, Var};
use crate::plan::program::{HeapId, SlotId};
use crate::rules::{
    Call, Callee, Expr, ExprNode, ModifierLine, ModifiersId, Operation, Parameter, Place, Span, TestId, Type,
    UnitsId,
};
use std::rc::Rc;

/// A call that is under way.
pub(super) struct Frame {
    /// Where its locals begin.
    pub(super) base: usize,
    /// How much of the trail was there before its body.
    mark: usize,
    /// Cells that are put back when it ends.
    scoped: Vec<usize>,
    /// Where its pools and lists lie.
    pub(super) pools: Vec<Option<HeapId>>,
    pub(super) habits: Rc<Habits>,
    /// How it may end.
    returns: Vec<Way>,
    /// Where the list goes that it gives.
    pub(super) result: Option<HeapId>,
    /// The loops inside it, innermost last.
    pub(super) loops: Vec<Stops>,
    /// Where it stands, and the unit it is for.
    pub(super) site: (Span, Option<usize>),
}

impl Frame {
    pub(super) fn new(base: usize, span: Span, unit: Option<usize>) -> Self {
        Self {
            base,
            mark: 0,
            scoped: Vec::new(),
            pools: Vec::new(),
            habits: Rc::default(),
            returns: Vec::new(),
            result: None,
            loops: Vec::new(),
            site: (span, unit),
        }
    }
}

/// What is put back when a call ends.
type Before = Vec<(usize, Binding, Option<SlotId>)>;

impl<'a> Lower<'a> {
    /// A call as the rules write it; a list goes into the heap.
    pub(super) fn call(&mut self, call: &'a Call, result: Option<HeapId>) -> Term {
        let settings = call.settings.iter().map(|(_, value)| value);
        let mut terms = self.operands(call.arguments.iter().chain(&call.unit).chain(settings));
        let Some(Expr { ty: Type::Unit(units), node, .. }) = &call.unit else {
            return self.enter(call, None, &terms, result).unwrap_or(Term::constant(0));
        };
        let unit = terms.remove(call.arguments.len());
        if let Some(unit) = unit.known() {
            return self.enter(call, Some((*units, unit)), &terms, result).unwrap_or(Term::constant(0));
        }
        let local = if let ExprNode::Read(place) = node { Some(self.var(*place)) } else { None };
        let cases = self.units_between(*units, &unit);
        let terms: Vec<Term> = terms.into_iter().map(|term| self.keep(term, Type::Number)).collect();
        let ty = self.gives(call.callee);
        self.dispatch(unit, &cases, ty, &mut |lower, unit| {
            lower.knowing(local, unit, |lower| lower.enter(call, Some((*units, unit)), &terms, result))
        })
        .unwrap_or(Term::constant(0))
    }

    /// All units that a term may be.
    pub(super) fn units_between(&self, units: UnitsId, unit: &Term) -> Vec<i32> {
        let last = self.rules.units[units.0].names.len() as i64 - 1;
        (unit.low.max(0)..=unit.high.min(last)).map(|unit| unit as i32).collect()
    }

    /// Writes something where a name is known to stand for a unit.
    pub(super) fn knowing<T>(
        &mut self,
        local: Option<usize>,
        unit: i32,
        write: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let Some(local) = local else { return write(self) };
        // Nothing in a call can change the name, so this needs no trail.
        let before = self.bindings[local];
        self.bindings[local] = Binding { at: before.at, ..Binding::constant(unit) };
        let written = write(self);
        self.bindings[local] = before;
        written
    }

    fn gives(&self, callee: Callee) -> Type {
        match callee {
            Callee::Modifiers(_) => Type::Number,
            Callee::Chart(id) => self.rules.charts[id.0].result,
            Callee::Test(id) if self.rules.tests[id.0].items.is_some() => Type::Nothing,
            Callee::Test(id) => self.rules.tests[id.0].result,
        }
    }

    /// The body of a call, with what fills its parameters and the factors that it sets; all that is put back then.
    fn enter(
        &mut self,
        call: &'a Call,
        unit: Option<(UnitsId, i32)>,
        terms: &[Term],
        result: Option<HeapId>,
    ) -> Option<Term> {
        let parameters = self.rules.parameters(call.callee);
        let pointers = self.point_at(unit);
        self.frames.push(Frame::new(self.vars.len(), call.span, unit.map(|(_, unit)| unit as usize)));
        self.open_frame(call.callee);
        let places = parameters.iter().map(|parameter| parameter.place);
        let places = places.chain(call.settings.iter().map(|(factor, _)| Place::Factor(*factor)));
        let before = self.fill_places(places, terms);
        let value = match call.callee {
            Callee::Modifiers(id) => Some(self.modifiers(id)),
            Callee::Chart(id) => Some(self.chart(id)),
            Callee::Test(id) => self.test(id, result),
        };
        for (var, binding, home) in before {
            self.put(var, binding);
            self.vars[var].home = home;
        }
        if let Some(frame) = self.frames.pop() {
            self.vars.truncate(frame.base);
            self.bindings.truncate(frame.base);
        }
        self.point_back(unit, &pointers);
        value
    }

    /// Makes room for the locals of a call.
    pub(super) fn open_frame(&mut self, callee: Callee) {
        let depth = self.frames.len() - 1;
        let parameters = self.rules.parameters(callee);
        let local = |parameter: &Parameter| matches!(parameter.place, Place::Local(_));
        for (number, parameter) in parameters.iter().filter(|one| local(one)).enumerate() {
            self.vars.push(Var::local(depth, number, parameter.ty, true));
        }
        self.bindings.resize(self.vars.len(), Binding::NONE);
        if let Callee::Test(id) = callee {
            self.vars_of_test(id);
        }
    }

    fn vars_of_test(&mut self, id: TestId) {
        let depth = self.frames.len() - 1;
        let (test, habits) = (&self.rules.tests[id.0], self.habits(id));
        let Some(frame) = self.frames.last_mut() else { return };
        frame.pools = vec![None; test.pools];
        frame.habits = habits.clone();
        let base = frame.base;
        for number in self.vars.len() - base..test.frame {
            self.vars.push(Var::local(depth, number, Type::Number, true));
        }
        for (var, assigned) in self.vars[base..].iter_mut().zip(&habits.assigned) {
            var.frozen = !assigned;
        }
        self.bindings.resize(self.vars.len(), Binding::NONE);
    }

    /// Gives parameters and factors the values that were worked out for them.
    fn fill_places(&mut self, places: impl Iterator<Item = Place>, terms: &[Term]) -> Before {
        let mut before = Before::new();
        for (place, term) in places.zip(terms) {
            let var = self.var(place);
            if let Place::Factor(_) = place {
                before.push((var, self.bindings[var], self.vars[var].home.take()));
            }
            self.write(var, term.clone());
        }
        let mark = self.trail.len();
        if let Some(frame) = self.frames.last_mut() {
            frame.scoped = before.iter().map(|(var, ..)| *var).collect();
            frame.mark = mark;
        }
        before
    }

    /// Makes the factors of a unit line mean the unit's own, and gives what they meant before.
    pub(super) fn point_at(&mut self, unit: Option<(UnitsId, i32)>) -> Vec<usize> {
        let Some((units, unit)) = unit else { return Vec::new() };
        let units = &self.rules.units[units.0];
        let own = |number| units.own(unit as usize, number).0;
        let factors = units.factors.iter().enumerate();
        factors.map(|(number, factor)| std::mem::replace(&mut self.at[factor.0], own(number))).collect()
    }

    pub(super) fn point_back(&mut self, unit: Option<(UnitsId, i32)>, pointers: &[usize]) {
        let Some((units, _)) = unit else { return };
        for (factor, pointer) in self.rules.units[units.0].factors.iter().zip(pointers) {
            self.at[factor.0] = *pointer;
        }
    }

    fn modifiers(&mut self, id: ModifiersId) -> Term {
        let rules = self.rules;
        let mut sum = vec![Term::constant(0)];
        for line in &rules.modifiers[id.0].lines {
            let point = self.point();
            let amount = self.line(line);
            self.protect(&mut sum, point);
            sum.push(amount);
            sum = vec![fold::apply(Operation::Add, sum)];
        }
        sum.swap_remove(0)
    }

    fn line(&mut self, line: &'a ModifierLine) -> Term {
        let amount = |lower: &mut Self| {
            let terms = lower.operands(line.per.iter().chain([&line.amount]));
            let [per, amount] = &terms[..] else { return terms.into_iter().next() };
            let times = fold::apply(Operation::Max, vec![per.clone(), Term::constant(0)]);
            Some(fold::apply(Operation::Multiply, vec![amount.clone(), times]))
        };
        let Some(condition) = &line.condition else { return amount(self).unwrap_or(Term::constant(0)) };
        let condition = self.value(condition);
        let nothing = |_: &mut Self| Some(Term::constant(0));
        self.either(condition, Type::Number, amount, nothing).unwrap_or(Term::constant(0))
    }

    fn test(&mut self, id: TestId, result: Option<HeapId>) -> Option<Term> {
        let test = &self.rules.tests[id.0];
        let since = self.slots.len();
        let ways = self.returns(id, result);
        self.join(ways, if test.items.is_some() { Type::Nothing } else { test.result }, since)
    }

    /// All ways in which the body of the call that is under way may end.
    pub(super) fn returns(&mut self, id: TestId, result: Option<HeapId>) -> Vec<Way> {
        let test = &self.rules.tests[id.0];
        let heap = test.items.map(|_| result.unwrap_or_else(|| self.heap(test.result, None)));
        if let Some(frame) = self.frames.last_mut() {
            frame.result = heap;
        }
        if self.block(&test.body) {
            self.give(Term::constant(0));
        }
        let Some(frame) = self.frames.last_mut() else { return Vec::new() };
        let (ways, mark) = (std::mem::take(&mut frame.returns), frame.mark);
        self.undo(mark);
        self.merged(ways)
    }

    /// Ends the innermost test here, with a value.
    pub(super) fn give(&mut self, value: Term) {
        let Some(Frame { base, mark, .. }) = self.frames.last() else { return };
        let mut way = self.way(*mark, *base, value);
        if let Some(frame) = self.frames.last_mut() {
            way.changed.retain(|(var, _)| !frame.scoped.contains(var));
            frame.returns.push(way);
        }
    }

    /// What a test is known to do, wherever it is called.
    fn habits(&mut self, id: TestId) -> Rc<Habits> {
        let rules = self.rules;
        self.habits.entry(id).or_insert_with(|| Rc::new(Habits::of(&rules.tests[id.0]))).clone()
    }
}
