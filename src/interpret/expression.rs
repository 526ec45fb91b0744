//! Working out expressions.

use super::{Hand, Table, Unresolved};
use crate::dice::roll;
use crate::plan::{Asking, Event, Listener, Stretches};
use crate::random::Source;
use crate::rules::{Expr, ExprNode, FactorId, Operation, Place, Set, SetSpan};

impl<'a> Table<'a> {
    pub(super) fn value<D: Source, L: Listener>(
        &mut self,
        expr: &'a Expr,
        hand: &mut Hand<D, L>,
    ) -> Result<i32, Unresolved> {
        Ok(match &expr.node {
            ExprNode::Constant(value) => *value,
            ExprNode::Read(place) => self.read(*place),
            ExprNode::ReadUnit(units, unit, factor) => {
                let unit = self.value(unit, hand)?;
                self.factors[self.rules.units[units.0].own(unit as usize, *factor).0]
            }
            // The checker has proved that the list has this unit.
            ExprNode::UnitAt(first, _, number) => *first as i32 + self.value(number, hand)? - 1,
            ExprNode::Sum(pool) => self.sum(pool, hand)?,
            ExprNode::Only(pool) => {
                let held = self.held(pool, hand)?;
                self.dice(&held).first().map_or(0, |die| die.shows)
            }
            ExprNode::Ask(question, pool, set) => self.ask((*question, pool, set), expr, hand)?,
            ExprNode::Rank(pool, number) => {
                self.ask_number((Asking::Rank, pool, number), roll::rank, expr, hand)?
            }
            ExprNode::Alike(pool, number) => {
                let answer = |dice: &[roll::Die], number| i32::from(roll::alike(dice, number));
                self.ask_number((Asking::Alike, pool, number), answer, expr, hand)?
            }
            ExprNode::Item(pool, number) => self.item(pool, number, hand)?,
            ExprNode::Chance(top, bottom) => self.chance(top, bottom, expr, hand)?,
            ExprNode::Apply(op, operands) => self.apply(*op, operands, hand)?,
            ExprNode::And(left, right) => i32::from(self.holds(left, hand)? && self.holds(right, hand)?),
            ExprNode::Or(left, right) => i32::from(self.holds(left, hand)? || self.holds(right, hand)?),
            ExprNode::Is(subject, set) => {
                let subject = self.value(subject, hand)?;
                i32::from(self.contains(set, subject, hand)?)
            }
            ExprNode::If(condition, then, otherwise) => {
                let branch = if self.holds(condition, hand)? { then } else { otherwise };
                self.value(branch, hand)?
            }
            ExprNode::Choose(choice, options) => self.choose(*choice, options, expr.span, hand)?,
            ExprNode::ChooseFrom(choice, low, high) => {
                self.choose_from(*choice, (low, high), expr.span, hand)?
            }
            ExprNode::Call(call) => self.called(call, hand)?,
        })
    }

    /// Whether a condition holds.
    pub(super) fn holds<D: Source, L: Listener>(
        &mut self,
        condition: &'a Expr,
        hand: &mut Hand<D, L>,
    ) -> Result<bool, Unresolved> {
        Ok(self.value(condition, hand)? != 0)
    }

    /// The factor that a name means now: inside a call for a unit that unit's own.
    pub(super) fn meant(&self, factor: FactorId) -> FactorId {
        FactorId(self.at[factor.0])
    }

    pub(super) fn read(&self, place: Place) -> i32 {
        match place {
            Place::Factor(factor) => self.factors[self.at[factor.0]],
            Place::Local(local) => self.locals[self.frame.locals + local.0],
        }
    }

    pub(super) fn write(&mut self, place: Place, value: i32) {
        match place {
            Place::Factor(factor) => self.factors[self.at[factor.0]] = value,
            Place::Local(local) => self.locals[self.frame.locals + local.0] = value,
        }
    }

    /// Yes with probability top / bottom: one die with as many faces as the second shows the first or less.
    fn chance<D: Source, L: Listener>(
        &mut self,
        top: &'a Expr,
        bottom: &'a Expr,
        expr: &Expr,
        hand: &mut Hand<D, L>,
    ) -> Result<i32, Unresolved> {
        let (top, bottom) = (self.value(top, hand)?, self.value(bottom, hand)?);
        // The checker has proved that it is not divided by 0.
        let face = hand.dice.die(u32::try_from(bottom).unwrap_or(1).max(1));
        let happens = i64::from(face) <= i64::from(top);
        hand.story.hear(|| Event::Chanced(top, bottom, happens, expr.span));
        Ok(i32::from(happens))
    }

    fn apply<D: Source, L: Listener>(
        &mut self,
        op: Operation,
        operands: &'a [Expr],
        hand: &mut Hand<D, L>,
    ) -> Result<i32, Unresolved> {
        let mut values = [0; 3];
        if operands.len() > values.len() {
            let values = operands.iter().map(|operand| self.value(operand, hand).map(i64::from));
            let values: Vec<i64> = values.collect::<Result<_, _>>()?;
            return Ok(in_32_bits(op.apply(&values)));
        }
        for (value, operand) in values.iter_mut().zip(operands) {
            *value = i64::from(self.value(operand, hand)?);
        }
        Ok(in_32_bits(op.apply(&values[..operands.len()])))
    }

    /// Whether a value is in a set. All ends are worked out, in order.
    pub(super) fn contains<D: Source, L: Listener>(
        &mut self,
        set: &'a Set,
        value: i32,
        hand: &mut Hand<D, L>,
    ) -> Result<bool, Unresolved> {
        let mut contains = false;
        for span in &set.spans {
            contains |= match in_plain(span, value) {
                Some(is) => is,
                None => in_ends(self.ends(span, hand)?, value),
            };
        }
        Ok(contains)
    }

    /// The stretches of a set, their ends worked out, in order.
    pub(super) fn stretches<D: Source, L: Listener>(
        &mut self,
        set: &'a Set,
        hand: &mut Hand<D, L>,
    ) -> Result<Stretches, Unresolved> {
        set.spans.iter().map(|span| self.ends(span, hand)).collect()
    }

    fn ends<D: Source, L: Listener>(
        &mut self,
        span: &'a SetSpan,
        hand: &mut Hand<D, L>,
    ) -> Result<(Option<i32>, Option<i32>), Unresolved> {
        Ok(match span {
            SetSpan::One(only) => {
                let only = self.value(only, hand)?;
                (Some(only), Some(only))
            }
            SetSpan::Range(low, high) => {
                let low = low.as_ref().map(|low| self.value(low, hand)).transpose()?;
                (low, high.as_ref().map(|high| self.value(high, hand)).transpose()?)
            }
        })
    }
}

/// Whether a value lies in a span with plain numbers for ends, as nearly all are: looking at these here saves most of a
/// chart's time. `None` where an end must be worked out.
fn in_plain(span: &SetSpan, value: i32) -> Option<bool> {
    let plain = |end: &Expr| if let ExprNode::Constant(end) = end.node { Some(end) } else { None };
    Some(match span {
        SetSpan::One(only) => plain(only)? == value,
        SetSpan::Range(low, high) => {
            let low = low.as_ref().map_or(Some(i32::MIN), plain)?;
            let high = high.as_ref().map_or(Some(i32::MAX), plain)?;
            (low..=high).contains(&value)
        }
    })
}

fn in_ends((low, high): (Option<i32>, Option<i32>), value: i32) -> bool {
    low.is_none_or(|low| low <= value) && high.is_none_or(|high| value <= high)
}

/// Whether a value lies in one of the stretches.
pub(super) fn holds_in(set: &Stretches, value: i32) -> bool {
    set.iter().any(|ends| in_ends(*ends, value))
}

/// The checker has proved that every result fits and that nothing is divided by zero.
pub(super) fn in_32_bits(result: Option<i64>) -> i32 {
    debug_assert!(
        result.is_some_and(|result| i32::try_from(result).is_ok()),
        "the checker let {result:?} pass"
    );
    result.unwrap_or(0) as i32
}
