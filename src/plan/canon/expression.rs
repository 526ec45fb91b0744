//! Expressions, sets and pools.

use super::Canon;
use crate::rules::{Call, Die, Expr, ExprNode, Limits, Place, Pool, PoolNode, Set, SetSpan, UnitsId};

impl Canon<'_> {
    pub(super) fn place(&mut self, place: Place) {
        match place {
            Place::Factor(factor) => {
                self.sort("f");
                self.factor(factor);
            }
            Place::Local(local) => self.word(local.0),
        }
    }

    pub(super) fn expr(&mut self, expr: &Expr) {
        match &expr.node {
            ExprNode::Constant(value) => self.word(("=", value)),
            ExprNode::Read(place) => {
                self.sort("read");
                self.place(*place);
            }
            ExprNode::ReadUnit(units, unit, factor) => self.own(*units, unit, *factor),
            ExprNode::UnitAt(first, count, number) => {
                self.word(("unit", first, count));
                self.expr(number);
            }
            ExprNode::Apply(operation, operands) => {
                self.word(operation);
                self.each(operands, Self::expr);
            }
            ExprNode::And(left, right) => self.parts("and", &[left, right]),
            ExprNode::Or(left, right) => self.parts("or", &[left, right]),
            ExprNode::If(condition, then, otherwise) => self.parts("if", &[condition, then, otherwise]),
            ExprNode::Is(subject, set) => {
                self.parts("is", &[subject]);
                self.set(set);
            }
            ExprNode::Choose(choice, options) => {
                self.sort("choose");
                self.choice(*choice);
                self.each(options, |canon, (option, value)| {
                    canon.word(option);
                    canon.expr(value);
                });
            }
            ExprNode::ChooseFrom(choice, low, high) => {
                self.sort("from");
                self.choice(*choice);
                self.parts("to", &[low, high]);
            }
            ExprNode::Call(call) => self.call(call),
            ExprNode::Sum(pool) => self.asked("sum", pool, &[]),
            ExprNode::Only(pool) => self.asked("only", pool, &[]),
            ExprNode::Ask(question, pool, set) => {
                self.word(question);
                self.pool(pool);
                self.set(set);
            }
            ExprNode::Rank(pool, number) => self.asked("rank", pool, &[number]),
            ExprNode::Alike(pool, number) => self.asked("alike", pool, &[number]),
            ExprNode::Item(pool, number) => self.asked("item", pool, &[number]),
            ExprNode::Chance(top, bottom) => self.parts("chance", &[top, bottom]),
        }
    }

    /// A factor of a unit that is worked out.
    pub(super) fn own(&mut self, units: UnitsId, unit: &Expr, factor: usize) {
        self.sort("of");
        self.units(units);
        self.factor(self.rules.units[units.0].factors[factor]);
        self.expr(unit);
    }

    fn parts(&mut self, sort: &str, parts: &[&Expr]) {
        self.sort(sort);
        parts.iter().for_each(|part| self.expr(part));
    }

    fn asked(&mut self, sort: &str, pool: &Pool, parts: &[&Expr]) {
        self.parts(sort, parts);
        self.pool(pool);
    }

    pub(super) fn call(&mut self, call: &Call) {
        self.sort("call");
        self.callee(call.callee);
        self.each(&call.arguments, Self::expr);
        self.maybe(call.unit.as_ref(), |canon, unit| {
            canon.kind(unit.ty);
            canon.expr(unit);
        });
        self.each(&call.settings, |canon, (factor, value)| {
            canon.factor(*factor);
            canon.expr(value);
        });
    }

    pub(super) fn set(&mut self, set: &Set) {
        self.each(&set.spans, |canon, span| match span {
            SetSpan::One(only) => canon.parts("one", &[only]),
            SetSpan::Range(low, high) => {
                canon.sort("range");
                canon.maybe(low.as_ref(), Self::expr);
                canon.maybe(high.as_ref(), Self::expr);
            }
        });
    }

    pub(super) fn pool(&mut self, pool: &Pool) {
        match &pool.node {
            PoolNode::Roll(count, die) => {
                self.parts("roll", &[count]);
                match die {
                    Die::Faces(faces) => self.word(faces),
                    Die::Computed(faces) => self.parts("d", &[faces]),
                    Die::Custom(id) => self.word(&self.rules.dice[id.0].faces),
                }
            }
            PoolNode::Join(pools) => {
                self.sort("join");
                self.each(pools, Self::pool);
            }
            PoolNode::List(items) => {
                self.sort("list");
                self.each(items, Self::expr);
            }
            PoolNode::Read(id) => self.word(("pool", id.0)),
            PoolNode::If(condition, then, otherwise) => {
                self.parts("if", &[condition]);
                self.pool(then);
                self.pool(otherwise);
            }
            PoolNode::Call(call) => self.call(call),
            PoolNode::Keep(from, set, others) => {
                self.word(("keep", others));
                self.pool(from);
                self.set(set);
            }
            PoolNode::Extreme(from, end, number, others) => {
                self.word((end, others));
                self.pool(from);
                self.expr(number);
            }
            PoolNode::Reroll(from, set, limits) => self.limited("reroll", from, set, limits),
            PoolNode::Explode(from, set, limits) => self.limited("explode", from, set, limits),
            PoolNode::Chosen(from, chosen) => {
                self.word(("chosen", chosen.keep));
                self.pool(from);
                self.choice(chosen.choice);
                self.maybe(chosen.least.as_ref(), Self::expr);
                self.maybe(chosen.most.as_ref(), Self::expr);
            }
        }
    }

    fn limited(&mut self, sort: &str, from: &Pool, set: &Set, limits: &Limits) {
        self.word((sort, limits.cap));
        self.pool(from);
        self.set(set);
        self.maybe(limits.times.as_deref(), Self::expr);
        self.maybe(limits.dice.as_deref(), Self::expr);
    }
}
