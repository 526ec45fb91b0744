//! Calls: in the situation that they set, for the unit that they name, looked up if they were made so before.

use super::pool::Dice;
use super::{Cell, Reach, Situation, is_of, join};
use crate::diagnostic::{Diagnostic, Span};
use crate::rules::ruleset::{Call, Callee, Expr, ExprNode, Place, Type, UnitsId};
use crate::rules::situation::Uses;
use crate::rules::values::Values;
use crate::rules::walk::Part;
use std::collections::BTreeSet;
use std::rc::Rc;

/// So many calls in different circumstances are followed before giving up.
const MOST_CALLS: usize = 20_000;

/// A call and all of the circumstances that it depends on: the values of what it may read or change, the units that are
/// meant, its locals, and what is known.
pub(super) type Circumstances = (Callee, Vec<Values>, Vec<usize>, Vec<Values>, Vec<(Span, bool)>);

/// What a call may give, what it leaves of what it may read or change (`None` where nothing goes on behind it), and
/// whether it was only looked at quietly.
pub(super) type Known = (Dice, Option<Vec<Values>>, bool);

impl<'a> Reach<'a> {
    /// What a call may give; the situation becomes that behind it. `None` where nothing goes on behind it.
    pub(super) fn call(&mut self, call: &'a Call, situation: &mut Situation<'a>) -> Option<Dice> {
        let keys: Vec<Values> =
            call.arguments.iter().map(|argument| self.values(argument, situation)).collect();
        let unit = call.unit.as_ref().map(|unit| (unit.ty, self.values(unit, situation)));
        let settings: Vec<Values> =
            call.settings.iter().map(|(_, value)| self.values(value, situation)).collect();
        if keys.iter().chain(&settings).chain(unit.iter().map(|(_, unit)| unit)).any(Values::is_empty) {
            return None;
        }
        let Some((Type::Unit(line), units)) = unit else {
            return self.called(call, (&keys, &settings), None, situation);
        };
        let (mut given, mut behind) = (Dice::default(), None);
        for unit in units.low()..=units.high() {
            let mut one = situation.clone();
            let dice = self.called(call, (&keys, &settings), Some((line, unit as usize)), &mut one);
            if let Some(dice) = dice {
                given = given.union(&dice);
                behind = join(behind, Some(one));
            }
        }
        *situation = behind?;
        Some(given)
    }

    /// The call for one unit, or for none.
    fn called(
        &mut self,
        call: &'a Call,
        (keys, settings): (&[Values], &[Values]),
        unit: Option<(UnitsId, usize)>,
        situation: &mut Situation<'a>,
    ) -> Option<Dice> {
        let mut inside = situation.clone();
        if let Some((line, unit)) = unit {
            self.point_at(line, unit, &mut inside);
        }
        let parameters = self.rules.parameters(call.callee);
        let local = |place: &&Place| matches!(place, Place::Local(_));
        let places: Vec<Place> = parameters.iter().map(|parameter| parameter.place).collect();
        inside.locals = vec![Values::default(); places.iter().filter(local).count()];
        inside.pools.clear();
        // What is known of the caller's own names says nothing of names in here.
        inside.order.clear();
        inside.facts.retain(|(fact, _)| !super::reads_pools(fact, &|_| true));
        let steady = call.arguments.iter().all(|argument| self.is_steady(Part::One(argument)));
        // A factor that is handed over as it is stays what it was, and what is known of it stays known.
        let kept: Vec<Cell> = places
            .iter()
            .zip(&call.arguments)
            .filter(|(place, value)| steady && unit.is_none() && plain_read(value) == Some(**place))
            .map(|(place, _)| inside.cell(*place))
            .collect();
        inside.forget(&|cell| matches!(cell, Cell::Local(_)));
        let set = places.iter().copied().zip(keys);
        let set = set.chain(call.settings.iter().map(|(factor, _)| Place::Factor(*factor)).zip(settings));
        let mut before: Vec<(Cell, Values)> = Vec::new();
        for (place, values) in set {
            let cell = inside.cell(place);
            if let Cell::Table(_) = cell {
                before.push((cell, inside.get(cell).clone()));
            }
            match kept.contains(&cell) {
                true => inside.set(cell, values.clone()),
                false => inside.change(cell, values.clone()),
            }
        }
        let (given, behind) = self.body(call, keys, inside, situation);
        let mut behind = behind?;
        before.into_iter().rev().for_each(|(cell, values)| behind.set(cell, values));
        situation.table = behind.table;
        let written = self.written(call.callee, unit, situation);
        situation.forget(&|cell| is_of(cell, &written));
        Some(given)
    }

    fn body(
        &mut self,
        call: &'a Call,
        keys: &[Values],
        inside: Situation<'a>,
        caller: &Situation<'a>,
    ) -> (Dice, Option<Situation<'a>>) {
        if let Callee::Chart(id) = call.callee {
            let steady = call.arguments.iter().all(|argument| self.is_steady(Part::One(argument)));
            let source = |argument| plain_read(argument).filter(|_| steady);
            let sources = call.arguments.iter().map(source).collect();
            let (values, behind) = self.chart(id, keys.to_vec(), inside, (Some(call.span), sources, caller));
            return (Dice::one(values), behind);
        }
        self.looked_up(call.callee, inside, call.span)
    }

    /// A call of modifiers or a test, looked up if it was made in the same circumstances before.
    fn looked_up(
        &mut self,
        callee: Callee,
        mut inside: Situation<'a>,
        span: Span,
    ) -> (Dice, Option<Situation<'a>>) {
        let touched: Vec<usize> = self.touched(callee, &inside);
        let facts = inside.facts.iter().map(|(fact, truth)| (fact.span, *truth)).collect();
        let table = touched.iter().map(|cell| inside.table[*cell].clone()).collect();
        let key: Circumstances = (callee, table, inside.meant.to_vec(), inside.locals.clone(), facts);
        // What was only looked at quietly is looked at once more when mistakes are to be reported.
        if let Some((given, left, quietly)) = self.known.get(&key)
            && (self.quiet > 0 || !quietly)
        {
            let Some(left) = left else { return (given.clone(), None) };
            touched
                .iter()
                .zip(left)
                .for_each(|(cell, values)| inside.set(Cell::Table(*cell), values.clone()));
            return (given.clone(), Some(inside));
        }
        if self.known.len() >= MOST_CALLS {
            let message = "the tests call one another in too many ways to follow";
            let mistake = Diagnostic::error(span, message, "given up here");
            self.report("calls", mistake.remedy("call fewer tests with fewer different settings"));
            return (Dice::default(), None);
        }
        let (given, behind) = match callee {
            Callee::Modifiers(id) => {
                let sum = self.modifiers(id, &mut inside);
                (Dice::one(sum), Some(inside))
            }
            Callee::Test(id) => self.test(id, inside),
            Callee::Chart(_) => (Dice::default(), None),
        };
        let left =
            behind.as_ref().map(|behind| touched.iter().map(|cell| behind.table[*cell].clone()).collect());
        self.known.insert(key, (given.clone(), left, self.quiet > 0));
        (given, behind)
    }

    /// Whether nothing that it calls may change a factor: what was read at its start still holds at its end.
    pub(super) fn is_steady(&mut self, part: Part<'a>) -> bool {
        let mut called = Vec::new();
        part.each(&mut |part| {
            if let Part::Call(call) = part {
                called.push(call.callee);
            }
        });
        called.into_iter().all(|callee| self.uses(callee).written.is_empty())
    }

    fn uses(&mut self, callee: Callee) -> &Uses {
        self.rules.uses(callee, &mut self.uses);
        &self.uses[&callee]
    }

    /// The factors that a piece may read or change here, ascending. What is known may tell of any that it reads.
    fn touched(&mut self, callee: Callee, inside: &Situation<'a>) -> Vec<usize> {
        let uses = self.uses(callee);
        let all: BTreeSet<usize> =
            uses.read.iter().chain(&uses.written).map(|factor| inside.meant[factor.0]).collect();
        all.into_iter().collect()
    }

    /// The factors that a call may change, as they are kept.
    fn written(
        &mut self,
        callee: Callee,
        unit: Option<(UnitsId, usize)>,
        caller: &Situation<'a>,
    ) -> Vec<usize> {
        let mut meant = caller.clone();
        if let Some((line, unit)) = unit {
            self.point_at(line, unit, &mut meant);
        }
        self.uses(callee).written.iter().map(|factor| meant.meant[factor.0]).collect()
    }

    /// Lets the names of a unit line's factors mean those of one unit. What is known of the names is known no longer,
    /// but for situations that do not exist: those do not exist for this unit either.
    pub(super) fn point_at(&mut self, line: UnitsId, unit: usize, situation: &mut Situation<'a>) {
        let rules = self.rules;
        let units = &rules.units[line.0];
        let known = |never: usize| {
            rules.nevers.iter().any(|copy| {
                copy.copy_of == Some((never, line, unit))
                    && situation.facts.iter().any(|(fact, _)| std::ptr::eq(*fact, &copy.condition))
            })
        };
        let nevers: Vec<(&'a Expr, bool)> = (0..rules.nevers.len())
            .filter(|never| known(*never))
            .map(|never| (&rules.nevers[never].condition, false))
            .collect();
        let named = |place: Place| matches!(place, Place::Factor(factor) if units.factors.contains(&factor));
        situation.facts.retain(|(fact, _)| !super::mentions(fact, &named));
        for (own, factor) in units.factors.iter().enumerate() {
            Rc::make_mut(&mut situation.meant)[factor.0] = units.own(unit, own).0;
        }
        situation.facts.extend(nevers);
    }
}

/// The place that an expression reads, if it does nothing else.
fn plain_read(expr: &Expr) -> Option<Place> {
    match expr.node {
        ExprNode::Read(place) => Some(place),
        _ => None,
    }
}
