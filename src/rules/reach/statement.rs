//! Steps of tests, in order.

use super::{Cell, MOST_STEPS, Reach, Situation, join};
use crate::diagnostic::Diagnostic;
use crate::rules::reach::condition::is_pure;
use crate::rules::reach::expression::bounds;
use crate::rules::reach::order::{Fewer, is_at_most_itself};
use crate::rules::reach::pool::Dice;
use crate::rules::ruleset::{
    Assignment, Expr, ExprNode, Operation, PoolNode, Statement, StatementNode, Target, TestId,
};
use crate::rules::values::Values;
use crate::rules::walk::Part;

/// Where a block ends other than behind its last step.
#[derive(Default)]
pub(super) struct Ends<'a> {
    /// What is returned.
    pub(super) returned: Dice,
    /// Where the test ends.
    pub(super) ended: Option<Situation<'a>>,
    /// Where the loop around the block is left.
    pub(super) stopped: Option<Situation<'a>>,
}

impl<'a> Reach<'a> {
    /// What a test may return, and the situation behind it.
    pub(super) fn test(&mut self, id: TestId, mut situation: Situation<'a>) -> (Dice, Option<Situation<'a>>) {
        let test = &self.rules.tests[id.0];
        situation.locals.resize(test.frame, Values::default());
        situation.pools = vec![Dice::default(); test.pools];
        let mut ends = Ends::default();
        let behind = self.block(&test.body, situation, &mut ends);
        self.returned[id.0] = self.returned[id.0].union(&ends.returned.faces);
        (ends.returned, join(ends.ended, behind))
    }

    /// Follows steps; gives the situation behind them, if a trial can come there.
    pub(super) fn block(
        &mut self,
        block: &'a [Statement],
        start: Situation<'a>,
        ends: &mut Ends<'a>,
    ) -> Option<Situation<'a>> {
        block.iter().try_fold(start, |situation, statement| self.statement(statement, situation, ends))
    }

    fn statement(
        &mut self,
        statement: &'a Statement,
        mut situation: Situation<'a>,
        ends: &mut Ends<'a>,
    ) -> Option<Situation<'a>> {
        self.steps += 1;
        if self.steps > MOST_STEPS {
            let mistake =
                Diagnostic::error(statement.span, "this goes on too long to be followed", "given up here");
            let remedy = "let its loops end sooner, or bound what they count, as in `min(turns, 10)`";
            self.report("steps", mistake.remedy(remedy));
            return None;
        }
        match &statement.node {
            StatementNode::Let(local, _, value) => {
                let values = self.values(value, &mut situation);
                (!values.is_empty()).then_some(())?;
                let most = self.at_most(value, &situation);
                situation.change(Cell::Local(local.0), values);
                situation.note_at_most(Fewer::Cell(Cell::Local(local.0)), most);
            }
            StatementNode::Keep(id, _, pool) => {
                let dice = self.pool(pool, &mut situation);
                (!dice.count.is_empty()).then_some(())?;
                let most = self.no_more_dice(pool, &situation);
                situation.pools[id.0] = dice;
                situation.forget_pool(*id);
                situation.note_at_most(Fewer::Pool(id.0), most);
            }
            StatementNode::Assign(assignment) => self.assign(assignment, &mut situation)?,
            StatementNode::If(arms, otherwise) => return self.arms(arms, otherwise, situation, ends),
            StatementNode::Repeat(repeat) => return self.repeat(repeat, statement.span, situation, ends),
            StatementNode::For(local, _, range, body) => {
                return self.for_loop(*local, range, body, statement.span, situation, ends);
            }
            StatementNode::Stop => {
                ends.stopped = join(ends.stopped.take(), Some(situation));
                return None;
            }
            StatementNode::Record(_, _, value) => {
                (!self.values(value, &mut situation).is_empty()).then_some(())?;
            }
            StatementNode::Return(value) => {
                let values = self.values(value, &mut situation);
                let returned = Dice::one(values);
                return self.returned(returned, situation, ends);
            }
            StatementNode::ReturnList(pool) => {
                let dice = self.pool(pool, &mut situation);
                return self.returned(dice, situation, ends);
            }
            StatementNode::End => return self.returned(Dice::one(Values::only(0)), situation, ends),
            StatementNode::Call(call) => _ = self.call(call, &mut situation)?,
        }
        Some(situation)
    }

    fn returned(
        &mut self,
        dice: Dice,
        situation: Situation<'a>,
        ends: &mut Ends<'a>,
    ) -> Option<Situation<'a>> {
        if !dice.count.is_empty() {
            ends.returned = ends.returned.union(&dice);
            ends.ended = join(ends.ended.take(), Some(situation));
        }
        None
    }

    fn arms(
        &mut self,
        arms: &'a [(Expr, Vec<Statement>)],
        otherwise: &'a [Statement],
        start: Situation<'a>,
        ends: &mut Ends<'a>,
    ) -> Option<Situation<'a>> {
        let mut behind: Option<Situation<'a>> = None;
        let mut rest = Some(start);
        for (condition, block) in arms {
            let Some(before) = rest.take() else { break };
            let (yes, no) = self.decide(condition, before);
            if let Some(held) = yes {
                behind = join(behind, self.block(block, held, ends));
            }
            rest = no;
        }
        match rest {
            Some(rest) => join(behind, self.block(otherwise, rest, ends)),
            None => behind,
        }
    }

    fn assign(&mut self, assignment: &'a Assignment, situation: &mut Situation<'a>) -> Option<()> {
        let number = match &assignment.target {
            Target::Place(_) => Values::only(0),
            Target::Unit(_, number, _) | Target::Item(_, number) => self.values(number, situation),
        };
        let value = self.values(&assignment.value, situation);
        if number.is_empty() || value.is_empty() {
            return None;
        }
        match &assignment.target {
            Target::Place(place) => self.put(assignment, situation.cell(*place), value, true, situation),
            Target::Unit(units, _, factor) => {
                let cells: Vec<usize> = self.cells_of(*units, &number, *factor);
                for cell in &cells {
                    self.put(assignment, Cell::Table(*cell), value.clone(), cells.len() == 1, situation);
                }
            }
            Target::Item(id, at) => {
                self.item_number(&number, &situation.pools[id.0].count.clone(), at.span);
                let before = situation.pools[id.0].faces.clone();
                let mut value = self.changed(assignment, &before, value);
                if assignment.change == Some(Operation::Subtract) && self.takes_from_itself(assignment) {
                    value = value.intersect(&Values::range(0, i64::MAX / 2));
                }
                situation.pools[id.0].faces = before.union(&value);
                situation.forget_pool(*id);
            }
        }
        Some(())
    }

    /// Puts a value in a place that surely is the one, or that may be.
    fn put(
        &mut self,
        assignment: &'a Assignment,
        cell: Cell,
        value: Values,
        surely: bool,
        situation: &mut Situation<'a>,
    ) {
        let before = situation.get(cell).clone();
        let most = self.at_most(&assignment.value, situation);
        let fewer = assignment.change == Some(Operation::Subtract)
            && (most.iter().any(|(most, _)| *most == cell) || self.takes_from_itself(assignment));
        let mut value = self.changed(assignment, &before, value);
        if fewer {
            value = value.intersect(&Values::range(0, i64::MAX / 2));
        }
        situation.change(cell, if surely { value } else { before.union(&value) });
        if surely && assignment.change.is_none() {
            situation.note_at_most(
                Fewer::Cell(cell),
                most.into_iter().filter(|(most, _)| *most != cell).collect(),
            );
        }
    }

    /// Whether what is subtracted is at most what is there, as in `ours[i].men -= min(ours[i].men, hits)`.
    fn takes_from_itself(&mut self, assignment: &'a Assignment) -> bool {
        let own = |value: &Expr| match (&assignment.target, &value.node) {
            (Target::Unit(line, unit, factor), ExprNode::ReadUnit(read, which, own)) => {
                line == read && factor == own && is_pure(unit) && **which == *unit
            }
            (Target::Item(list, number), ExprNode::Item(pool, which)) => {
                matches!(pool.node, PoolNode::Read(read) if read == *list)
                    && is_pure(number)
                    && **which == *number
            }
            _ => false,
        };
        is_at_most_itself(&assignment.value, &own) && self.is_steady(Part::One(&assignment.value))
    }

    fn changed(&mut self, assignment: &'a Assignment, before: &Values, value: Values) -> Values {
        match assignment.change {
            Some(op @ (Operation::Add | Operation::Subtract)) => {
                self.fitting(bounds(op, &[before.clone(), value]), assignment.value.span)
            }
            _ => value,
        }
    }
}
