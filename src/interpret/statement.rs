//! Playing the steps of a test.

use super::expression::in_32_bits;
use super::pool::shown;
use super::repeat::Loop;
use super::{Hand, Table, Unresolved};
use crate::plan::{Event, Listener};
use crate::random::Source;
use crate::rules::{
    Assignment, Callee, Expr, ExprNode, ForRange, Operation, Place, Pool, PoolId, PoolNode, Statement,
    StatementNode, Target, TestId,
};

/// How a block of steps ends.
pub(super) enum Flow {
    /// The test goes on below it.
    On,
    /// The innermost loop is left.
    Stop,
    /// The test ends with a value; with a list, it is in [`Table::returned`].
    Return(i32),
}

impl<'a> Table<'a> {
    pub(super) fn test<D: Source, L: Listener>(
        &mut self,
        id: TestId,
        hand: &mut Hand<D, L>,
    ) -> Result<i32, Unresolved> {
        let test = &self.rules.tests[id.0];
        if test.pools > 0 {
            self.pools.resize_with(self.frame.pools + test.pools, Vec::new);
        }
        let value = match self.block(&test.body, hand)? {
            Flow::Return(value) => value,
            // The checker has proved that every way through a test that gives anything ends in a `return`.
            Flow::On | Flow::Stop => 0,
        };
        let callee = Callee::Test(id);
        hand.story.hear(|| match test.items {
            Some(_) => Event::EndedWith(callee, shown(&self.returned)),
            None => Event::Ended(callee, value),
        });
        Ok(value)
    }

    pub(super) fn block<D: Source, L: Listener>(
        &mut self,
        block: &'a [Statement],
        hand: &mut Hand<D, L>,
    ) -> Result<Flow, Unresolved> {
        for statement in block {
            let flow = self.statement(statement, hand)?;
            if !matches!(flow, Flow::On) {
                return Ok(flow);
            }
        }
        Ok(Flow::On)
    }

    fn statement<D: Source, L: Listener>(
        &mut self,
        statement: &'a Statement,
        hand: &mut Hand<D, L>,
    ) -> Result<Flow, Unresolved> {
        match &statement.node {
            StatementNode::Let(local, name, expr) => {
                let value = self.value(expr, hand)?;
                self.write(Place::Local(*local), value);
                hand.story.hear(|| named(name, expr, None, value));
            }
            StatementNode::Keep(id, name, pool) => self.keep(*id, name, pool, hand)?,
            StatementNode::Assign(assignment) => self.assign(assignment, hand)?,
            StatementNode::If(arms, otherwise) => return self.arms(arms, otherwise, hand),
            StatementNode::Repeat(repeat) => return self.repeat(repeat, statement.span, hand),
            StatementNode::For(local, name, ForRange::Between(low, high), body) => {
                return self.each_between(
                    Loop { local: *local, name, body },
                    (low, high),
                    statement.span,
                    hand,
                );
            }
            StatementNode::For(local, name, ForRange::Chosen(choice, first, count), body) => {
                let units = (*first..first + count).map(|unit| unit as i32).collect();
                return self.each_chosen(
                    Loop { local: *local, name, body },
                    (*choice, statement.span),
                    units,
                    hand,
                );
            }
            StatementNode::Stop => return Ok(Flow::Stop),
            StatementNode::Record(record, adds, expr) => {
                let value = i64::from(self.value(expr, hand)?);
                let before = if *adds { self.records[record.0].unwrap_or(0) } else { 0 };
                self.records[record.0] = Some(before + value);
            }
            StatementNode::Return(expr) => return Ok(Flow::Return(self.value(expr, hand)?)),
            StatementNode::ReturnList(pool) => {
                self.returned = self.pool(pool, hand)?;
                return Ok(Flow::Return(0));
            }
            StatementNode::End => return Ok(Flow::Return(0)),
            StatementNode::Call(call) => _ = self.called(call, hand)?,
        }
        Ok(Flow::On)
    }

    fn keep<D: Source, L: Listener>(
        &mut self,
        id: PoolId,
        name: &str,
        pool: &'a Pool,
        hand: &mut Hand<D, L>,
    ) -> Result<(), Unresolved> {
        let dice = self.pool(pool, hand)?;
        hand.story.hear(|| Event::Kept {
            name: name.to_owned(),
            ty: pool.ty,
            list: pool.items.is_some(),
            shown: shown(&dice),
        });
        self.pools[self.frame.pools + id.0] = dice;
        Ok(())
    }

    /// The place is worked out first, then the value, then what stands in the place is read and changed. What comes to
    /// the same is not told.
    fn assign<D: Source, L: Listener>(
        &mut self,
        assignment: &'a Assignment,
        hand: &mut Hand<D, L>,
    ) -> Result<(), Unresolved> {
        let Assignment { target, name, change, value } = assignment;
        match target {
            Target::Place(place) => {
                let by = self.value(value, hand)?;
                let before = self.read(*place);
                let now = changed(*change, before, by);
                self.write(*place, now);
                hear_if(now != before, hand, || match place {
                    Place::Factor(factor) => Event::Set(self.meant(*factor), now),
                    Place::Local(_) => named(name, value, *change, now),
                });
            }
            Target::Unit(units, unit, factor) => {
                let unit = self.value(unit, hand)?;
                let own = self.rules.units[units.0].own(unit as usize, *factor);
                let by = self.value(value, hand)?;
                let before = std::mem::take(&mut self.factors[own.0]);
                let now = changed(*change, before, by);
                self.factors[own.0] = now;
                hear_if(now != before, hand, || Event::Set(own, now));
            }
            Target::Item(list, number) => {
                let number = self.value(number, hand)?;
                let by = self.value(value, hand)?;
                // The checker has proved that the list has this item.
                let item = self.pools[self.frame.pools + list.0].get_mut((number - 1) as usize);
                let Some(item) = item else { return Ok(()) };
                let before = item.shows;
                let now = changed(*change, before, by);
                item.shows = now;
                let list = || name.split('[').next().unwrap_or_default();
                hear_if(now != before, hand, || named(&format!("{}[{number}]", list()), value, *change, now));
            }
        }
        Ok(())
    }

    fn arms<D: Source, L: Listener>(
        &mut self,
        arms: &'a [(Expr, Vec<Statement>)],
        otherwise: &'a [Statement],
        hand: &mut Hand<D, L>,
    ) -> Result<Flow, Unresolved> {
        for (condition, block) in arms {
            if self.holds(condition, hand)? {
                return self.block(block, hand);
            }
        }
        self.block(otherwise, hand)
    }
}

/// What stands in a place once it is changed.
fn changed(change: Option<Operation>, before: i32, by: i32) -> i32 {
    match change {
        Some(change) => in_32_bits(change.apply(&[i64::from(before), i64::from(by)])),
        None => by,
    }
}

fn hear_if<D, L: Listener>(worth_it: bool, hand: &mut Hand<D, L>, event: impl FnOnce() -> Event) {
    if worth_it {
        hand.story.hear(event);
    }
}

fn named(name: &str, expr: &Expr, change: Option<Operation>, value: i32) -> Event {
    let told = match &expr.node {
        ExprNode::Call(_) | ExprNode::Ask(..) | ExprNode::Rank(..) | ExprNode::Alike(..) => true,
        ExprNode::Sum(pool) => matches!(pool.node, PoolNode::Roll(..)),
        _ => false,
    };
    Event::Named { name: name.to_owned(), ty: expr.ty, value, plain: told && change.is_none() }
}
