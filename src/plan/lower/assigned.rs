//! What tests may change, looked up before it is written out.

use super::Lower;
use crate::rules::{
    Call, Callee, Expr, ExprNode, FactorId, Part, Place, Statement, StatementNode, Target, Test, Type,
    UnitsId, each_statement,
};
use std::collections::BTreeSet;
use std::rc::Rc;

/// What a test does to its own names.
#[derive(Clone, Debug, Default)]
pub(super) struct Habits {
    /// Whether each local is ever given another value.
    pub(super) assigned: Vec<bool>,
    /// Whether all of each pool is given once, and no item of it is changed.
    pub(super) fixed: Vec<bool>,
}

impl Habits {
    pub(super) fn of(test: &Test) -> Self {
        let (mut assigned, mut kept) = (vec![false; test.frame], vec![0; test.pools]);
        each_statement(&test.body, &mut |statement| match &statement.node {
            StatementNode::Assign(assignment) => match &assignment.target {
                Target::Place(Place::Local(local)) => assigned[local.0] = true,
                Target::Item(pool, _) => kept[pool.0] = 2,
                _ => {}
            },
            StatementNode::Keep(pool, ..) => kept[pool.0] += 1,
            _ => {}
        });
        Self { assigned, fixed: kept.into_iter().map(|times| times < 2).collect() }
    }
}

/// Factors that are changed, in the names of whoever changes them.
pub(super) type Assigned = BTreeSet<FactorId>;

impl<'a> Lower<'a> {
    /// The cells and locals that one pass through a loop may change, by their positions.
    pub(super) fn assigned_in(&mut self, until: Option<&'a Expr>, body: &'a [Statement]) -> BTreeSet<usize> {
        let (mut factors, mut locals) = (Assigned::new(), BTreeSet::new());
        let base = self.frames.last().map_or(0, |frame| frame.base);
        if let Some(until) = until {
            until.each(&mut |part| self.by_part(part, &mut factors));
        }
        each_statement(body, &mut |statement| {
            if let StatementNode::Assign(assignment) = &statement.node
                && let Target::Place(Place::Local(local)) = assignment.target
            {
                locals.insert(base + local.0);
            }
            self.by_statement(statement, &mut factors);
        });
        locals.extend(factors.into_iter().map(|factor| self.at[factor.0]));
        locals
    }

    fn by_statement(&mut self, statement: &'a Statement, factors: &mut Assigned) {
        if let StatementNode::Assign(assignment) = &statement.node {
            match &assignment.target {
                Target::Place(Place::Factor(factor)) => _ = factors.insert(*factor),
                Target::Unit(units, unit, factor) => self.own(*units, unit, *factor, factors),
                _ => {}
            }
        }
        for part in statement.parts() {
            part.each(&mut |part| self.by_part(part, factors));
        }
    }

    /// A factor of a unit, or of all units of the line where that is not known.
    fn own(&self, units: UnitsId, unit: &Expr, factor: usize, factors: &mut Assigned) {
        let line = &self.rules.units[units.0];
        match unit.node {
            ExprNode::Constant(unit) => _ = factors.insert(line.own(unit as usize, factor)),
            _ => factors.extend((0..line.names.len()).map(|unit| line.own(unit, factor))),
        }
    }

    fn by_part(&mut self, part: Part<'a>, factors: &mut Assigned) {
        if let Part::Call(call) = part {
            let inner = self.by_call(call);
            factors.extend(inner);
        }
    }

    /// What a call changes, in the caller's names.
    fn by_call(&mut self, call: &'a Call) -> Assigned {
        let inner = self.by_callee(call.callee);
        let mut factors = Assigned::new();
        let put_back: Vec<FactorId> = call.settings.iter().map(|(factor, _)| *factor).collect();
        for factor in inner.iter().filter(|factor| !put_back.contains(factor)) {
            let own = call.unit.as_ref().and_then(|unit| {
                let Type::Unit(units) = unit.ty else { return None };
                let line = &self.rules.units[units.0];
                line.factors.iter().position(|own| own == factor).map(|own| (units, unit, own))
            });
            match own {
                Some((units, unit, own)) => self.own(units, unit, own, &mut factors),
                None => _ = factors.insert(*factor),
            }
        }
        factors
    }

    fn by_callee(&mut self, callee: Callee) -> Rc<Assigned> {
        if let Some(known) = self.assigned.get(&callee) {
            return known.clone();
        }
        let (rules, mut factors) = (self.rules, Assigned::new());
        if let Callee::Test(id) = callee {
            each_statement(&rules.tests[id.0].body, &mut |statement| {
                self.by_statement(statement, &mut factors);
            });
        } else {
            rules.each_part(callee, &mut |part| self.by_part(part, &mut factors));
        }
        for parameter in rules.parameters(callee) {
            if let Place::Factor(factor) = parameter.place {
                factors.remove(&factor);
            }
        }
        let factors = Rc::new(factors);
        self.assigned.insert(callee, factors.clone());
        factors
    }
}
