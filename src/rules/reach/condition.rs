//! What is known where a condition holds, and where it does not.

use super::expression::bounds;
use super::order::Fewer;
use super::{Cell, Reach, Situation, join};
use crate::rules::ruleset::{Expr, ExprNode, Operation, PoolNode};
use crate::rules::tree::{Comparison, Question};
use crate::rules::values::Values;
use crate::rules::walk::Part;

/// The situations in which a condition holds and does not; `None` where it cannot.
pub(super) type Decided<'a> = (Option<Situation<'a>>, Option<Situation<'a>>);

impl<'a> Reach<'a> {
    /// Works a condition out, once, and parts the situations in which it holds from the others.
    pub(super) fn decide(&mut self, condition: &'a Expr, mut situation: Situation<'a>) -> Decided<'a> {
        let (mut yes, mut no) = match &condition.node {
            ExprNode::Apply(Operation::Not, parts) => {
                let (yes, no) = self.decide(&parts[0], situation);
                (no, yes)
            }
            ExprNode::And(left, right) => {
                let (first, no) = self.decide(left, situation);
                let (yes, second) = first.map_or((None, None), |held| self.decide(right, held));
                (yes, join(no, second))
            }
            ExprNode::Or(left, right) => {
                let (yes, first) = self.decide(left, situation);
                let (second, no) = first.map_or((None, None), |open| self.decide(right, open));
                (join(yes, second), no)
            }
            ExprNode::If(condition, then, otherwise) => {
                let (yes, no) = self.decide(condition, situation);
                let one = yes.map_or((None, None), |held| self.decide(then, held));
                let other = no.map_or((None, None), |open| self.decide(otherwise, open));
                (join(one.0, other.0), join(one.1, other.1))
            }
            _ => {
                let values = self.values(condition, &mut situation);
                let yes = values.contains(1).then(|| situation.clone());
                let no = values.contains(0).then_some(situation);
                (self.narrowed(condition, true, yes), self.narrowed(condition, false, no))
            }
        };
        if is_pure(condition) {
            yes.iter_mut().for_each(|yes| yes.learn((condition, true)));
            no.iter_mut().for_each(|no| no.learn((condition, false)));
        }
        (yes, no)
    }

    /// The situation without the values that a simple condition rules out.
    pub(super) fn narrowed(
        &mut self,
        condition: &'a Expr,
        truth: bool,
        situation: Option<Situation<'a>>,
    ) -> Option<Situation<'a>> {
        let mut situation = situation?;
        if !self.is_steady(Part::One(condition)) {
            return Some(situation);
        }
        self.quiet += 1;
        match &condition.node {
            ExprNode::Read(place) => {
                let cell = situation.cell(*place);
                situation.set(cell, Values::only(i64::from(truth)));
            }
            ExprNode::Is(subject, set) => {
                let set = self.certain_set(set, &mut situation);
                if let (Some(cell), Some(set)) = (self.cell_of(subject, &situation), set) {
                    let now = situation.get(cell);
                    let now = if truth { now.intersect(&set) } else { now.without(&set) };
                    situation.set(cell, now);
                }
            }
            ExprNode::Apply(Operation::Compare(comparison), parts) => {
                let comparison = if truth { *comparison } else { opposite(*comparison) };
                self.narrow(&parts[0], comparison, &parts[1], &mut situation);
                self.narrow(&parts[1], turned(comparison), &parts[0], &mut situation);
                let (first, second) =
                    (self.cell_of(&parts[0], &situation), self.cell_of(&parts[1], &situation));
                if let (Some(first), Some(second)) = (first, second) {
                    let (low, high, gap) = match comparison {
                        Comparison::Less => (first, second, 1),
                        Comparison::AtMost => (first, second, 0),
                        Comparison::More => (second, first, 1),
                        Comparison::AtLeast => (second, first, 0),
                    };
                    let known = [situation.above(Fewer::Cell(low)), vec![(high, gap)]].concat();
                    situation.note_at_most(Fewer::Cell(low), known);
                }
            }
            ExprNode::Ask(question, pool, set) => {
                if let (PoolNode::Read(id), Some(set)) = (&pool.node, self.certain_set(set, &mut situation)) {
                    let faces = &situation.pools[id.0].faces;
                    let faces = match (question, truth) {
                        (Question::Any, false) => faces.without(&set),
                        (Question::All, true) => faces.intersect(&set),
                        _ => faces.clone(),
                    };
                    situation.pools[id.0].faces = faces;
                }
            }
            _ => {}
        }
        self.quiet -= 1;
        Some(situation)
    }

    /// Narrows what stands to the left of a comparison, if it is read off one place, perhaps with a number added.
    fn narrow(
        &mut self,
        left: &'a Expr,
        comparison: Comparison,
        right: &'a Expr,
        situation: &mut Situation<'a>,
    ) {
        if !is_pure(right) {
            return;
        }
        let bound = self.values(right, situation);
        let (far_low, far_high) = (i64::MIN / 2, i64::MAX / 2);
        let allowed = match comparison {
            Comparison::Less => Values::range(far_low, bound.high() - 1),
            Comparison::AtMost => Values::range(far_low, bound.high()),
            Comparison::More => Values::range(bound.low() + 1, far_high),
            Comparison::AtLeast => Values::range(bound.low(), far_high),
        };
        self.keep_within(left, allowed, situation);
    }

    /// The situation in which an expression is one of these values, as far as simple reckoning tells.
    pub(super) fn keep_within(&mut self, expr: &'a Expr, allowed: Values, situation: &mut Situation<'a>) {
        if !is_pure(expr) {
            return;
        }
        if let Some(cell) = self.cell_of(expr, situation) {
            let now = situation.get(cell).intersect(&allowed);
            situation.set(cell, now);
            return;
        }
        if let ExprNode::Apply(Operation::Min, parts) = &expr.node {
            let allowed = Values::range(allowed.low(), i64::MAX / 2);
            parts.iter().for_each(|part| self.keep_within(part, allowed.clone(), situation));
            return;
        }
        let ExprNode::Apply(op @ (Operation::Add | Operation::Subtract), parts) = &expr.node else { return };
        if !is_pure(expr) {
            return;
        }
        let (first, second) = (self.values(&parts[0], situation), self.values(&parts[1], situation));
        let back = if *op == Operation::Add { Operation::Subtract } else { Operation::Add };
        self.keep_within(&parts[0], bounds(back, &[allowed.clone(), second]), situation);
        let other = match op {
            Operation::Add => bounds(Operation::Subtract, &[allowed, first]),
            _ => bounds(Operation::Subtract, &[first, allowed]),
        };
        self.keep_within(&parts[1], other, situation);
    }

    /// The one place that an expression reads, if it does nothing else.
    pub(super) fn cell_of(&mut self, expr: &'a Expr, situation: &Situation<'a>) -> Option<Cell> {
        match &expr.node {
            ExprNode::Read(place) => Some(situation.cell(*place)),
            ExprNode::ReadUnit(units, unit, factor) => {
                let unit = self.values(unit, &mut situation.clone()).single()?;
                Some(Cell::Table(self.rules.units[units.0].own(unit as usize, *factor).0))
            }
            _ => None,
        }
    }
}

/// Whether working it out again gives the same, as long as nothing that it reads is changed.
pub(super) fn is_pure(expr: &Expr) -> bool {
    let mut pure = true;
    expr.each(&mut |part| pure &= !matches!(part, Part::Call(_)) && !part.rolls());
    pure
}

fn opposite(comparison: Comparison) -> Comparison {
    match comparison {
        Comparison::Less => Comparison::AtLeast,
        Comparison::AtMost => Comparison::More,
        Comparison::More => Comparison::AtMost,
        Comparison::AtLeast => Comparison::Less,
    }
}

/// The same with its sides changed over.
fn turned(comparison: Comparison) -> Comparison {
    match comparison {
        Comparison::Less => Comparison::More,
        Comparison::AtMost => Comparison::AtLeast,
        Comparison::More => Comparison::Less,
        Comparison::AtLeast => Comparison::AtMost,
    }
}
