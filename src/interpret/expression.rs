//! Working out expressions.

use super::{Hand, Table};
use crate::dice::roll;
use crate::plan::{Event, Listener, Move};
use crate::random::Source;
use crate::rules::{ChoiceId, Expr, ExprNode, Operation, Place, Set, SetSpan};

impl<'a> Table<'a> {
    pub(super) fn value<D: Source, L: Listener>(&mut self, expr: &'a Expr, hand: &mut Hand<D, L>) -> i32 {
        match &expr.node {
            ExprNode::Constant(value) => *value,
            ExprNode::Read(place) => self.read(*place),
            ExprNode::Roll(count, faces) => self.roll(count, *faces, expr, hand),
            ExprNode::Apply(op, operands) => self.apply(*op, operands, hand),
            ExprNode::And(left, right) => i32::from(self.holds(left, hand) && self.holds(right, hand)),
            ExprNode::Or(left, right) => i32::from(self.holds(left, hand) || self.holds(right, hand)),
            ExprNode::Is(subject, set) => {
                let subject = self.value(subject, hand);
                i32::from(self.contains(set, subject, hand))
            }
            ExprNode::If(condition, then, otherwise) => {
                let branch = if self.holds(condition, hand) { then } else { otherwise };
                self.value(branch, hand)
            }
            ExprNode::Choose(choice, options) => self.choose(*choice, options, hand),
            ExprNode::Call(callee, arguments, settings) => self.call(*callee, arguments, settings, hand),
        }
    }

    /// Whether a condition holds.
    pub(super) fn holds<D: Source, L: Listener>(
        &mut self,
        condition: &'a Expr,
        hand: &mut Hand<D, L>,
    ) -> bool {
        self.value(condition, hand) != 0
    }

    pub(super) fn read(&self, place: Place) -> i32 {
        match place {
            Place::Factor(factor) => self.factors[factor.0],
            Place::Local(local) => self.locals[self.frame + local.0],
        }
    }

    pub(super) fn write(&mut self, place: Place, value: i32) {
        match place {
            Place::Factor(factor) => self.factors[factor.0] = value,
            Place::Local(local) => self.locals[self.frame + local.0] = value,
        }
    }

    fn roll<D: Source, L: Listener>(
        &mut self,
        count: &'a Expr,
        faces: u32,
        expr: &Expr,
        hand: &mut Hand<D, L>,
    ) -> i32 {
        let count = self.value(count, hand);
        let mut shown = Vec::new();
        let sum = roll::sum(count.unsigned_abs(), faces, hand.dice, |face| {
            if L::LISTENS {
                shown.push(face);
            }
        });
        hand.story.hear(|| Event::Rolled { faces, shown, span: expr.span });
        sum
    }

    fn apply<D: Source, L: Listener>(
        &mut self,
        op: Operation,
        operands: &'a [Expr],
        hand: &mut Hand<D, L>,
    ) -> i32 {
        let mut values = [0; 3];
        if operands.len() > values.len() {
            let values: Vec<i64> =
                operands.iter().map(|operand| i64::from(self.value(operand, hand))).collect();
            return in_32_bits(op.apply(&values));
        }
        for (value, operand) in values.iter_mut().zip(operands) {
            *value = i64::from(self.value(operand, hand));
        }
        in_32_bits(op.apply(&values[..operands.len()]))
    }

    /// Whether a value is in a set. All ends are worked out, in order.
    pub(super) fn contains<D: Source, L: Listener>(
        &mut self,
        set: &'a Set,
        value: i32,
        hand: &mut Hand<D, L>,
    ) -> bool {
        let mut contains = false;
        for span in &set.spans {
            contains |= match span {
                SetSpan::One(only) => self.end(only, hand) == value,
                SetSpan::Range(low, high) => {
                    let low = low.as_ref().map(|low| self.end(low, hand));
                    let high = high.as_ref().map(|high| self.end(high, hand));
                    low.is_none_or(|low| low <= value) && high.is_none_or(|high| value <= high)
                }
            };
        }
        contains
    }

    /// The end of a span. Nearly all are plain numbers or names: reading these here saves most of a chart's time.
    fn end<D: Source, L: Listener>(&mut self, end: &'a Expr, hand: &mut Hand<D, L>) -> i32 {
        match end.node {
            ExprNode::Constant(end) => end,
            _ => self.value(end, hand),
        }
    }

    fn choose<D: Source, L: Listener>(
        &mut self,
        choice: ChoiceId,
        options: &'a [Expr],
        hand: &mut Hand<D, L>,
    ) -> i32 {
        let plan = self.plan;
        let option = match &plan.moves[choice.0] {
            Some(Move::Option(option)) => *option,
            Some(Move::Mix(weights)) => drawn(weights, hand.dice),
            Some(Move::Condition { expr, .. }) => self.value(expr, hand),
            // A plan has a move for every choice that its entry can come to; the first option stands in all the same.
            None => self.value(&options[0], hand),
        };
        hand.story.hear(|| Event::Chose { choice, option });
        option
    }
}

/// Draws an option with one fair die that has as many faces as the weights add up to.
fn drawn(weights: &[(i32, u32)], dice: &mut impl Source) -> i32 {
    let mut face = dice.die(weights.iter().map(|(_, weight)| weight).sum());
    for (option, weight) in weights {
        if face <= *weight {
            return *option;
        }
        face -= weight;
    }
    weights[0].0
}

/// The checker has proved that every result fits and that nothing is divided by zero.
fn in_32_bits(result: Option<i64>) -> i32 {
    debug_assert!(
        result.is_some_and(|result| i32::try_from(result).is_ok()),
        "the checker let {result:?} pass"
    );
    result.unwrap_or(0) as i32
}
