//! What is known to be at most what something else is: hits are no more than the dice, dice kept no more than rolled.
//!
//! Without it `left -= kept count any` might be thought to fall below zero.

use super::{Cell, Reach, Situation};
use crate::rules::ruleset::{Expr, ExprNode, Operation, Pool, PoolId, PoolNode};
use crate::rules::tree::Question;
use crate::rules::walk::Part;

/// Something of which there may be no more than another value says.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Fewer {
    /// A value.
    Cell(Cell),
    /// The number of dice or items under a name.
    Pool(usize),
}

impl<'a> Reach<'a> {
    /// The places whose values an expression is known not to exceed, and by how much it falls short at least.
    pub(super) fn at_most(&mut self, expr: &'a Expr, situation: &Situation<'a>) -> Vec<(Cell, i64)> {
        if !self.is_steady(Part::One(expr)) {
            return Vec::new();
        }
        match &expr.node {
            ExprNode::Read(_) | ExprNode::ReadUnit(..) => match self.cell_of(expr, situation) {
                Some(cell) => [vec![(cell, 0)], situation.above(Fewer::Cell(cell))].concat(),
                None => Vec::new(),
            },
            ExprNode::Ask(Question::Count, pool, _) => self.no_more_dice(pool, situation),
            ExprNode::Apply(Operation::Min, parts) => {
                parts.iter().flat_map(|part| self.at_most(part, situation)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The places whose values the number of dice is known not to exceed.
    pub(super) fn no_more_dice(&mut self, pool: &'a Pool, situation: &Situation<'a>) -> Vec<(Cell, i64)> {
        if !self.is_steady(Part::Many(pool)) {
            return Vec::new();
        }
        match &pool.node {
            PoolNode::Roll(count, _) => self.at_most(count, situation),
            PoolNode::Read(id) => situation.above(Fewer::Pool(id.0)),
            PoolNode::Keep(inner, ..)
            | PoolNode::Extreme(inner, ..)
            | PoolNode::Reroll(inner, ..)
            | PoolNode::Chosen(inner, ..) => self.no_more_dice(inner, situation),
            _ => Vec::new(),
        }
    }
}

impl Situation<'_> {
    /// What something is known not to exceed, and by how much it falls short at least.
    pub(super) fn above(&self, fewer: Fewer) -> Vec<(Cell, i64)> {
        let known = self.order.iter().filter(|(known, ..)| *known == fewer);
        known.map(|(_, cell, gap)| (*cell, *gap)).collect()
    }

    /// Notes what something does not exceed, in the place of what was known of it.
    pub(super) fn note_at_most(&mut self, fewer: Fewer, cells: Vec<(Cell, i64)>) {
        self.order.retain(|(known, ..)| *known != fewer);
        for (cell, gap) in cells {
            if fewer != Fewer::Cell(cell) && !self.order.contains(&(fewer, cell, gap)) {
                self.order.push((fewer, cell, gap));
            }
        }
    }

    /// A place has changed: what did not exceed it may do so now.
    pub(super) fn forget_order(&mut self, changed: &dyn Fn(Cell) -> bool) {
        self.order.retain(|(fewer, cell, _)| {
            !changed(*cell) && !matches!(fewer, Fewer::Cell(fewer) if changed(*fewer))
        });
    }

    pub(super) fn forget_pool_order(&mut self, pool: PoolId) {
        self.order.retain(|(fewer, ..)| *fewer != Fewer::Pool(pool.0));
    }
}

/// Whether the value is the smallest of several of which one says the same as `own`.
pub(super) fn is_at_most_itself(value: &Expr, own: &dyn Fn(&Expr) -> bool) -> bool {
    match &value.node {
        ExprNode::Apply(Operation::Min, parts) => parts.iter().any(|part| is_at_most_itself(part, own)),
        _ => own(value),
    }
}
