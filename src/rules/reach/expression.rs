//! What an expression may be.

use super::idle::Effect;
use super::{Reach, Situation};
use crate::diagnostic::{Diagnostic, Span};
use crate::rules::ruleset::{
    ChoiceId, Expr, ExprNode, ModifierLine, ModifiersId, Operation, Set, SetSpan, UnitsId,
};
use crate::rules::values::Values;
use crate::rules::walk::Part;

impl<'a> Reach<'a> {
    /// What an expression may be in a situation, which becomes the one behind it. Empty where nothing goes on behind it.
    pub(super) fn values(&mut self, expr: &'a Expr, situation: &mut Situation<'a>) -> Values {
        match &expr.node {
            ExprNode::Constant(value) => Values::only(i64::from(*value)),
            ExprNode::Read(place) => situation.get(situation.cell(*place)).clone(),
            ExprNode::ReadUnit(units, unit, factor) => {
                let unit = self.values(unit, situation);
                let cells = self.cells_of(*units, &unit, *factor).into_iter();
                cells.fold(Values::default(), |all, cell| all.union(&situation.table[cell]))
            }
            ExprNode::UnitAt(first, count, number) => {
                let number = self.values(number, situation);
                let known = Values::range(1, *count as i64);
                if !number.without(&known).is_empty() {
                    let message = format!("there are units 1 to {count}; this may be {}", stretch(&number));
                    let mistake = Diagnostic::error(expr.span, message, "which unit?");
                    self.report("unit", mistake.remedy("bound the number, as in `for i in 1..3`"));
                }
                let shift = Values::only(*first as i64 - 1);
                match number.intersect(&known) {
                    known if known.is_empty() => known,
                    known => bounds(Operation::Add, &[known, shift]),
                }
            }
            ExprNode::Sum(pool) => self.sum(pool, situation),
            ExprNode::Only(pool) => self.only(pool, situation),
            ExprNode::Ask(question, pool, set) => self.ask(*question, pool, set, situation),
            ExprNode::Rank(pool, number) => self.rank(pool, number, situation),
            ExprNode::Alike(pool, number) => self.alike(pool, number, situation),
            ExprNode::Item(pool, number) => self.item(pool, number, situation),
            ExprNode::Chance(part, whole) => self.chance(part, whole, situation),
            ExprNode::Apply(Operation::Not, _) | ExprNode::And(..) | ExprNode::Or(..) => {
                self.flag(expr, situation)
            }
            ExprNode::Apply(Operation::Subtract, parts) => self.difference(parts, expr.span, situation),
            ExprNode::Apply(op, operands) => self.apply(*op, operands, expr.span, situation),
            ExprNode::Is(subject, set) => {
                let subject = self.values(subject, situation);
                self.is(&subject, set, situation)
            }
            ExprNode::If(condition, then, otherwise) => {
                let (yes, no) = self.decide(condition, situation.clone());
                let ways = yes.map(|held| (held, &**then)).into_iter();
                let ways = ways.chain(no.map(|open| (open, &**otherwise)));
                self.one_of_ways(ways.collect(), situation)
            }
            ExprNode::Choose(choice, options) => {
                self.choose(*choice, situation);
                let ways = options.iter().map(|(_, value)| (situation.clone(), value));
                self.one_of_ways(ways.collect(), situation)
            }
            ExprNode::ChooseFrom(choice, low, high) => {
                let low = self.values(low, situation);
                let high = self.values(high, situation);
                self.choose(*choice, situation);
                Values::range(low.low(), high.high().max(low.high()))
            }
            ExprNode::Call(call) => match self.call(call, situation) {
                Some(given) => given.faces,
                None => Values::default(),
            },
        }
    }

    /// What one of several ways gives; the situation becomes that behind any of them.
    fn one_of_ways(&mut self, ways: Vec<(Situation<'a>, &'a Expr)>, situation: &mut Situation<'a>) -> Values {
        let (mut values, mut behind) = (Values::default(), None);
        for (mut way, expr) in ways {
            let more = self.values(expr, &mut way);
            if !more.is_empty() {
                values = values.union(&more);
                behind = super::join(behind, Some(way));
            }
        }
        if let Some(behind) = behind {
            *situation = behind;
        }
        values
    }

    /// The value of a condition.
    fn flag(&mut self, condition: &'a Expr, situation: &mut Situation<'a>) -> Values {
        let (yes, no) = self.decide(condition, situation.clone());
        let values = Values::of([(1, i64::from(yes.is_some())), (0, -i64::from(no.is_none()))]);
        if let Some(mut behind) = super::join(yes, no) {
            behind.facts.retain(|fact| situation.facts.iter().any(|known| super::same_fact(known, fact)));
            *situation = behind;
        }
        values
    }

    /// Where a factor of a unit that may be one of several is kept.
    pub(super) fn cells_of(&self, units: UnitsId, unit: &Values, factor: usize) -> Vec<usize> {
        let line = &self.rules.units[units.0];
        let known = (0..line.names.len()).filter(|number| unit.contains(*number as i64));
        known.map(|number| line.own(number, factor).0).collect()
    }

    /// Notes with which values a trial comes to a choice, for the proof of what its policy works out.
    pub(super) fn choose(&mut self, choice: ChoiceId, situation: &Situation<'a>) {
        let table = situation.meant.iter().map(|meant| &situation.table[*meant]);
        let now: Vec<Values> = table.chain(&situation.locals).cloned().collect();
        let before = self.chosen.entry(choice).or_insert_with(|| now.clone());
        before.resize(before.len().max(now.len()), Values::default());
        for (before, now) in before.iter_mut().zip(&now) {
            *before = before.union(now);
        }
    }

    /// The same for the order of units: the names of the factors mean each unit's own.
    pub(super) fn choose_order(&mut self, choice: ChoiceId, units: &Values, situation: &Situation<'a>) {
        let super::super::ruleset::Picks::Order(line) = self.rules.choices[choice.0].picks else { return };
        for unit in units.low()..=units.high() {
            let mut seen = situation.clone();
            self.point_at(line, unit as usize, &mut seen);
            self.choose(choice, &seen);
        }
    }

    fn apply(
        &mut self,
        op: Operation,
        operands: &'a [Expr],
        span: Span,
        situation: &mut Situation<'a>,
    ) -> Values {
        let operands: Vec<Values> = operands.iter().map(|operand| self.values(operand, situation)).collect();
        if operands.iter().any(Values::is_empty) {
            return Values::default();
        }
        if matches!(op, Operation::DivideUp | Operation::DivideDown) && operands[1].contains(0) {
            let mistake = Diagnostic::error(span, "this may divide by zero", "the divisor can be 0");
            self.report("zero", mistake.remedy("divide by a number that is never 0, such as `max(1, n)`"));
        }
        self.fitting(bounds(op, &operands), span)
    }

    /// A difference, which is not below zero where the second is known to be at most the first.
    fn difference(&mut self, parts: &'a [Expr], span: Span, situation: &mut Situation<'a>) -> Values {
        let values = self.apply(Operation::Subtract, parts, span, situation);
        let steady = parts.iter().all(|part| self.is_steady(Part::One(part)));
        let Some(first) = self.cell_of(&parts[0], situation).filter(|_| steady) else { return values };
        let known = self.at_most(&parts[1], situation).into_iter().filter(|(cell, _)| *cell == first);
        match known.map(|(_, gap)| gap).max() {
            Some(gap) => values.intersect(&Values::range(gap, i64::MAX / 2)),
            None => values,
        }
    }

    /// The values that fit 32 bits; others are reported.
    pub(super) fn fitting(&mut self, values: Values, span: Span) -> Values {
        let fits = Values::range(i64::from(i32::MIN), i64::from(i32::MAX));
        if values.without(&fits).is_empty() {
            return values;
        }
        let message = format!("this number may be as far out as {}", stretch(&values));
        let mistake = Diagnostic::error(span, message, "too large to reckon with");
        self.report("bits", mistake.remedy("keep numbers within 2000000000, for example with `min`"));
        values.intersect(&fits)
    }

    pub(super) fn is(&mut self, subject: &Values, set: &'a Set, situation: &mut Situation<'a>) -> Values {
        let (sure, possible) = self.set(set, situation);
        let no = if subject.without(&sure).is_empty() { Values::default() } else { Values::only(0) };
        let yes = if subject.intersect(&possible).is_empty() { Values::default() } else { Values::only(1) };
        no.union(&yes)
    }

    /// The values that a set surely has, and those that it may have.
    pub(super) fn set(&mut self, set: &'a Set, situation: &mut Situation<'a>) -> (Values, Values) {
        let (mut sure, mut possible) = (Values::default(), Values::default());
        for span in &set.spans {
            let (inner, outer) = self.span(span, situation);
            sure = sure.union(&inner);
            possible = possible.union(&outer);
        }
        (sure, possible)
    }

    /// The values that a span surely has, and those that it may have.
    pub(super) fn span(&mut self, span: &'a SetSpan, situation: &mut Situation<'a>) -> (Values, Values) {
        let (far_low, far_high) = (Values::only(i64::MIN / 2), Values::only(i64::MAX / 2));
        let (low, high) = match span {
            SetSpan::One(only) => {
                let values = self.values(only, situation);
                return (Values::of(values.single().map(|only| (only, only))), values);
            }
            SetSpan::Range(low, high) => (low, high),
        };
        let low = low.as_ref().map_or(far_low, |low| self.values(low, situation));
        let high = high.as_ref().map_or(far_high, |high| self.values(high, situation));
        (Values::range(low.high(), high.low()), Values::range(low.low(), high.high()))
    }

    /// The set, where its ends are known exactly.
    pub(super) fn certain_set(&mut self, set: &'a Set, situation: &mut Situation<'a>) -> Option<Values> {
        let mut all = Vec::new();
        for span in &set.spans {
            let (inner, outer) = self.span(span, situation);
            if inner != outer {
                return None;
            }
            all.push(inner);
        }
        Values::exactly(&all)
    }

    pub(super) fn modifiers(&mut self, id: ModifiersId, situation: &mut Situation<'a>) -> Values {
        let mut sum = Values::only(0);
        for line in &self.rules.modifiers[id.0].lines {
            let amount = self.line(line, situation);
            let amount = self.fitting(amount, line.span);
            sum = self.fitting(bounds(Operation::Add, &[sum, amount]), line.span);
        }
        sum
    }

    fn line(&mut self, line: &'a ModifierLine, situation: &Situation<'a>) -> Values {
        let (held, without) = match &line.condition {
            Some(condition) => self.decide(condition, situation.clone()),
            None => (Some(situation.clone()), None),
        };
        let without = without.map_or(Values::default(), |_| Values::only(0));
        let Some(mut held) = held else {
            self.note(line.span, Effect::NotMet);
            return without;
        };
        let may_apply = self.may_apply(line, &held);
        let amount = self.values(&line.amount, &mut held);
        let effect = match amount.single() {
            _ if !may_apply => Effect::NotMet,
            Some(0) => Effect::Zero,
            _ => Effect::Some,
        };
        let Some(per) = &line.per else {
            self.note(line.span, effect);
            return without.union(&amount);
        };
        let times = self.values(per, &mut held);
        self.note(line.span, if times.high() <= 0 { effect.min(Effect::NonePer) } else { effect });
        let times = bounds(Operation::Max, &[times, Values::only(0)]);
        without.union(&bounds(Operation::Multiply, &[amount, times]))
    }
}

/// The values that an operation may give: exact for single values, else from the smallest to the largest.
pub(super) fn bounds(op: Operation, operands: &[Values]) -> Values {
    let (lows, highs) = (operands.iter().map(Values::low), operands.iter().map(Values::high));
    match op {
        Operation::Min => Values::range(least(lows), least(highs)),
        Operation::Max => Values::range(most(lows), most(highs)),
        Operation::Abs => {
            let (low, high) = (operands[0].low(), operands[0].high());
            let least = if low <= 0 && high >= 0 { 0 } else { low.abs().min(high.abs()) };
            Values::range(least, low.abs().max(high.abs()))
        }
        _ => {
            let mut corners = vec![Vec::new()];
            for operand in operands {
                let longer = |head: Vec<i64>| corner(operand).map(move |end| [&head[..], &[end]].concat());
                corners = corners.into_iter().flat_map(longer).collect();
            }
            let results: Vec<i64> = corners.iter().filter_map(|corner| op.apply(corner)).collect();
            Values::range(least(results.iter().copied()), most(results.iter().copied()))
        }
    }
}

/// Where an operation on these values can be smallest or largest. Division also turns at the divisors next to zero.
fn corner(values: &Values) -> impl Iterator<Item = i64> + use<> {
    let (below, above) = values.next_to_zero();
    [values.low(), values.high()].into_iter().chain(below).chain(above)
}

fn least(values: impl Iterator<Item = i64>) -> i64 {
    values.min().unwrap_or(0)
}

fn most(values: impl Iterator<Item = i64>) -> i64 {
    values.max().unwrap_or(0)
}

/// `3`, or `-2 to 9`.
pub(super) fn stretch(values: &Values) -> String {
    match values.single() {
        Some(value) => value.to_string(),
        None => format!("{} to {}", values.low(), values.high()),
    }
}
