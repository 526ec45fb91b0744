//! Expressions: what does not roll becomes a value, what does becomes steps.

use super::Lower;
use super::fold::{self, Term};
use super::store::range_of;
use crate::plan::program::{Asked, Step, Value};
use crate::rules::tree::Question;
use crate::rules::{Expr, ExprNode, Pool, Set, Type, UnitsId};

impl<'a> Lower<'a> {
    pub(super) fn value(&mut self, expr: &'a Expr) -> Term {
        if !self.spend(1) {
            return Term::constant(0);
        }
        match &expr.node {
            ExprNode::Constant(value) => Term::constant(*value),
            ExprNode::Read(place) => self.read(*place),
            ExprNode::ReadUnit(units, unit, factor) => {
                let unit = self.value(unit);
                self.read_unit(*units, &unit, *factor)
            }
            ExprNode::UnitAt(first, count, number) => {
                let number = self.value(number);
                let term = fold::apply(
                    crate::rules::Operation::Add,
                    vec![number, Term::constant(*first as i32 - 1)],
                );
                let (first, last) = (*first as i64, (first + count) as i64 - 1);
                Term::of(term.value, (term.low.max(first), term.high.min(last)))
            }
            ExprNode::Apply(op, operands) => {
                let operands = self.operands(operands);
                fold::apply(*op, operands)
            }
            ExprNode::And(left, right) => {
                let left = self.value(left);
                self.one(left, Type::Flag, |lower| lower.value(right), |_| Term::constant(0))
            }
            ExprNode::Or(left, right) => {
                let left = self.value(left);
                self.one(left, Type::Flag, |_| Term::constant(1), |lower| lower.value(right))
            }
            ExprNode::If(condition, then, otherwise) => {
                let condition = self.value(condition);
                self.one(condition, expr.ty, |lower| lower.value(then), |lower| lower.value(otherwise))
            }
            ExprNode::Is(subject, set) => {
                let subject = self.value(subject);
                self.is(subject, set)
            }
            ExprNode::Choose(choice, options) => self.choose(*choice, options, (expr.ty, expr.span)),
            ExprNode::ChooseFrom(choice, low, high) => self.choose_from(*choice, (low, high), expr.span),
            ExprNode::Call(call) => self.call(call, None),
            ExprNode::Chance(top, bottom) => self.chance(top, bottom),
            ExprNode::Sum(pool) => {
                let heap = self.pool(pool);
                self.asked(heap, Asked::Sum)
            }
            ExprNode::Only(pool) => {
                let heap = self.pool(pool);
                self.asked(heap, Asked::Item(Box::new(Value::Constant(1))))
            }
            ExprNode::Ask(question, pool, set) => self.ask(*question, pool, set),
            ExprNode::Rank(pool, number) => self.ask_number(pool, number, Asked::Rank),
            ExprNode::Alike(pool, number) => self.ask_number(pool, number, Asked::Alike),
            ExprNode::Item(pool, number) => self.ask_number(pool, number, Asked::Item),
        }
    }

    /// One of two values.
    pub(super) fn one(
        &mut self,
        condition: Term,
        ty: Type,
        then: impl FnOnce(&mut Self) -> Term,
        otherwise: impl FnOnce(&mut Self) -> Term,
    ) -> Term {
        let (then, otherwise) =
            (|lower: &mut Self| Some(then(lower)), |lower: &mut Self| Some(otherwise(lower)));
        self.either(condition, ty, then, otherwise).unwrap_or(Term::constant(0))
    }

    fn read_unit(&mut self, units: UnitsId, unit: &Term, factor: usize) -> Term {
        let line = &self.rules.units[units.0];
        if let Some(unit) = unit.known() {
            return self.bindings[line.own(unit as usize, factor).0].term();
        }
        let cases = self.units_between(units, unit);
        let own = |unit: &i32| self.bindings[line.own(*unit as usize, factor).0].term();
        fold::lookup(unit.value.clone(), cases.first().copied().unwrap_or(0), cases.iter().map(own).collect())
    }

    fn chance(&mut self, top: &'a Expr, bottom: &'a Expr) -> Term {
        let mut terms = self.operands([top, bottom]);
        let slot = self.slot(Type::Flag, None, true);
        let (Some(bottom), Some(top)) = (terms.pop(), terms.pop()) else { return Term::constant(0) };
        let range = (i64::from(top.low >= bottom.high), i64::from(top.high > 0));
        self.fill(slot, Step::Chance(slot, top.value, bottom.value));
        Term::slot(slot, range.0, range.1.max(range.0))
    }

    fn ask(&mut self, question: Question, pool: &'a Pool, set: &'a Set) -> Term {
        let heap = self.pool(pool);
        let set = self.stretches(&mut Vec::new(), set);
        self.asked(
            heap,
            match question {
                Question::Count => Asked::Count(set),
                Question::Any => Asked::Any(set),
                Question::All => Asked::All(set),
            },
        )
    }

    fn ask_number(&mut self, pool: &'a Pool, number: &'a Expr, asked: fn(Box<Value>) -> Asked) -> Term {
        let heap = self.pool(pool);
        let number = self.value(number);
        self.asked(heap, asked(Box::new(number.value)))
    }

    /// What a value of a type may be.
    pub(super) fn range_of(&self, ty: Type) -> (i64, i64) {
        range_of(self.rules, ty)
    }
}
