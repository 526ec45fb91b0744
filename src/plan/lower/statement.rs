//! Steps of tests. Each tells whether the test goes on below it.

use super::Lower;
use super::fold::{self, Term};
use crate::plan::program::{Asked, Step};
use crate::rules::{
    Assignment, Expr, ForRange, Operation, Place, PoolId, Statement, StatementNode, Target, Type,
};

impl<'a> Lower<'a> {
    pub(super) fn block(&mut self, block: &'a [Statement]) -> bool {
        block.iter().all(|statement| self.statement(statement))
    }

    fn statement(&mut self, statement: &'a Statement) -> bool {
        if !self.spend(1) {
            return true;
        }
        match &statement.node {
            StatementNode::Let(local, _, expr) => {
                let value = self.value(expr);
                let var = self.var(Place::Local(*local));
                self.vars[var].ty = expr.ty;
                // Written once more in an unrolled loop, it is another one.
                if self.vars[var].frozen {
                    self.vars[var].home = None;
                }
                self.write(var, value);
            }
            StatementNode::Keep(id, _, pool) => {
                let heap = self.named(*id, pool.ty);
                self.pool_into(pool, heap);
            }
            StatementNode::Assign(assignment) => self.assign(assignment),
            StatementNode::If(arms, otherwise) => return self.arms(arms, otherwise),
            StatementNode::Repeat(repeat) => return self.repeat(repeat, statement.span),
            StatementNode::For(local, _, ForRange::Between(low, high), body) => {
                return self.each_between(*local, (low, high), body, statement.span);
            }
            StatementNode::For(local, _, ForRange::Chosen(choice, first, count), body) => {
                return self.each_chosen(*local, (*choice, *first, *count), body, statement.span);
            }
            StatementNode::Stop => {
                self.stop();
                return false;
            }
            StatementNode::Record(record, adds, expr) => {
                let value = self.value(expr);
                self.emit(Step::Record(*record, *adds, value.value));
            }
            StatementNode::Return(expr) => {
                let value = self.value(expr);
                self.give(value);
                return false;
            }
            StatementNode::ReturnList(pool) => {
                if let Some(heap) = self.frames.last().and_then(|frame| frame.result) {
                    self.pool_into(pool, heap);
                }
                self.give(Term::constant(0));
                return false;
            }
            StatementNode::End => {
                self.give(Term::constant(0));
                return false;
            }
            StatementNode::Call(call) => _ = self.call(call, None),
        }
        true
    }

    fn arms(&mut self, arms: &'a [(Expr, Vec<Statement>)], otherwise: &'a [Statement]) -> bool {
        let Some(((condition, block), rest)) = arms.split_first() else { return self.block(otherwise) };
        let condition = self.value(condition);
        let goes_on = |goes_on: bool| goes_on.then_some(Term::constant(0));
        let then = |lower: &mut Self| goes_on(lower.block(block));
        let other = |lower: &mut Self| goes_on(lower.arms(rest, otherwise));
        self.either(condition, Type::Nothing, then, other).is_some()
    }

    fn assign(&mut self, assignment: &'a Assignment) {
        let Assignment { target, change, value, .. } = assignment;
        match target {
            Target::Place(place) => {
                let by = self.value(value);
                let var = self.var(*place);
                self.change(var, *change, by);
            }
            Target::Unit(units, unit, factor) => {
                let terms = self.operands([unit, value]);
                let [unit, by] = &terms[..] else { return };
                let cases = self.units_between(*units, unit);
                let line = &self.rules.units[units.0];
                let by = if unit.known().is_some() { by.clone() } else { self.keep(by.clone(), value.ty) };
                self.dispatch(unit.clone(), &cases, Type::Nothing, &mut |lower, unit| {
                    lower.change(line.own(unit as usize, *factor).0, *change, by.clone());
                    Some(Term::constant(0))
                });
            }
            Target::Item(list, number) => self.assign_item(*list, number, *change, value),
        }
    }

    /// Gives a cell or local another value, or changes the one that it has.
    fn change(&mut self, var: usize, change: Option<Operation>, by: Term) {
        let term = match change {
            Some(op) => fold::apply(op, vec![self.bindings[var].term(), by]),
            None => by,
        };
        self.write(var, term);
    }

    fn assign_item(&mut self, list: PoolId, number: &'a Expr, change: Option<Operation>, value: &'a Expr) {
        let terms = self.operands([number, value]);
        let [number, by] = &terms[..] else { return };
        let heap = self.named(list, value.ty);
        let number = self.keep(number.clone(), Type::Number);
        let term = match change {
            Some(op) => {
                let before = self.asked(heap, Asked::Item(Box::new(number.value.clone())));
                fold::apply(op, vec![before, by.clone()])
            }
            None => by.clone(),
        };
        self.emit(Step::SetItem(heap, number.value, term.value));
    }
}
