//! What an expression may be.

use super::{Circumstances, MOST_CALLS, Reach, Situation};
use crate::diagnostic::{Diagnostic, Span};
use crate::rules::ruleset::{
    Callee, ChoiceId, Expr, ExprNode, FactorId, ModifierLine, ModifiersId, Operation, Place, Set, SetSpan,
};
use crate::rules::values::Values;

/// A pool has at most so many dice.
const MOST_DICE: i64 = 1_000;

impl<'a> Reach<'a> {
    /// What an expression may be in a situation. Never empty where the situation can happen.
    pub(super) fn values(&mut self, expr: &'a Expr, situation: &Situation<'a>) -> Values {
        match &expr.node {
            ExprNode::Constant(value) => Values::only(i64::from(*value)),
            ExprNode::Read(place) => situation.get(*place).clone(),
            ExprNode::Roll(count, faces) => self.roll(count, *faces, situation),
            ExprNode::Apply(op, operands) => self.apply(*op, operands, expr.span, situation),
            ExprNode::And(left, right) => self.and_or(left, right, true, situation),
            ExprNode::Or(left, right) => self.and_or(left, right, false, situation),
            ExprNode::Is(subject, set) => {
                let subject = self.values(subject, situation);
                self.is(&subject, set, situation)
            }
            ExprNode::If(condition, then, otherwise) => {
                self.values(condition, situation);
                let mut values = Values::default();
                for (truth, branch) in [(true, then), (false, otherwise)] {
                    if let Some(situation) = self.suppose(condition, truth, situation.clone()) {
                        values = values.union(&self.values(branch, &situation));
                    }
                }
                values
            }
            ExprNode::Choose(choice, options) => {
                self.choose(*choice, situation);
                let options = options.iter().map(|option| self.values(option, situation));
                options.fold(Values::default(), |all, option| all.union(&option))
            }
            ExprNode::Call(callee, arguments, settings) => {
                self.call(*callee, arguments, settings, expr, situation)
            }
        }
    }

    /// Notes with which values a trial comes to a choice, for the proof of what its policy works out.
    fn choose(&mut self, choice: ChoiceId, situation: &Situation<'a>) {
        let now = situation.factors.iter().chain(&situation.locals);
        let now: Vec<Values> = now.cloned().collect();
        let before = self.chosen.entry(choice).or_insert_with(|| now.clone());
        for (before, now) in before.iter_mut().zip(&now) {
            *before = before.union(now);
        }
    }

    fn roll(&mut self, count: &'a Expr, faces: u32, situation: &Situation<'a>) -> Values {
        let dice = self.values(count, situation);
        if dice.low() < 0 || dice.high() > MOST_DICE {
            let message = format!("a roll has 0 to {MOST_DICE} dice; this one may have {}", stretch(&dice));
            let mistake = Diagnostic::error(count.span, message, "the number of dice");
            self.report("dice", mistake.remedy("bound the number, as in `max(0, n)` or `min(n, 20)`"));
        }
        let dice = dice.intersect(&Values::range(0, MOST_DICE));
        Values::range(dice.low(), dice.high() * i64::from(faces))
    }

    fn apply(
        &mut self,
        op: Operation,
        operands: &'a [Expr],
        span: Span,
        situation: &Situation<'a>,
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

    /// The values that fit 32 bits; others are reported.
    fn fitting(&mut self, values: Values, span: Span) -> Values {
        let fits = Values::range(i64::from(i32::MIN), i64::from(i32::MAX));
        if values.without(&fits).is_empty() {
            return values;
        }
        let message = format!("this number may be as far out as {}", stretch(&values));
        let mistake = Diagnostic::error(span, message, "too large to reckon with");
        self.report("bits", mistake.remedy("keep numbers within 2000000000, for example with `min`"));
        values.intersect(&fits)
    }

    /// `and` stops at the first no, `or` at the first yes.
    fn and_or(
        &mut self,
        left: &'a Expr,
        right: &'a Expr,
        goes_on: bool,
        situation: &Situation<'a>,
    ) -> Values {
        let first = self.values(left, situation);
        let stops = first.intersect(&Values::only(i64::from(!goes_on)));
        match self.suppose(left, goes_on, situation.clone()) {
            Some(situation) => stops.union(&self.values(right, &situation)),
            None => stops,
        }
    }

    fn is(&mut self, subject: &Values, set: &'a Set, situation: &Situation<'a>) -> Values {
        let mut outside = subject.clone();
        let mut possible = Values::default();
        for span in &set.spans {
            let (inner, outer) = self.span(span, situation);
            outside = outside.without(&inner);
            possible = possible.union(&outer);
        }
        let no = if outside.is_empty() { Values::default() } else { Values::only(0) };
        let yes = if subject.intersect(&possible).is_empty() { Values::default() } else { Values::only(1) };
        no.union(&yes)
    }

    /// The values that a span surely has, and those that it may have.
    pub(super) fn span(&mut self, span: &'a SetSpan, situation: &Situation<'a>) -> (Values, Values) {
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
    pub(super) fn certain_set(&mut self, set: &'a Set, situation: &Situation<'a>) -> Option<Values> {
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

    fn call(
        &mut self,
        callee: Callee,
        arguments: &'a [Expr],
        settings: &'a [(FactorId, Expr)],
        expr: &'a Expr,
        situation: &Situation<'a>,
    ) -> Values {
        let keys: Vec<Values> = arguments.iter().map(|argument| self.values(argument, situation)).collect();
        let mut inside = situation.clone();
        for (factor, value) in settings {
            inside.factors[factor.0] = self.values(value, situation);
        }
        if keys.iter().chain(&inside.factors).any(Values::is_empty) {
            return Values::default();
        }
        let parameters = self.rules.parameters(callee);
        let locals = parameters.iter().filter(|parameter| matches!(parameter.place, Place::Local(_))).count();
        inside.locals = vec![Values::default(); locals];
        for (parameter, values) in parameters.iter().zip(&keys) {
            inside.set(parameter.place, values.clone());
        }
        // A factor that is handed over as it is stays what it was, and what is known of it stays known.
        let keys_change = |place| {
            parameters
                .iter()
                .zip(arguments)
                .any(|(key, value)| key.place == place && plain_read(value) != Some(place))
        };
        let changed = |place: Place| {
            matches!(place, Place::Local(_))
                || keys_change(place)
                || settings.iter().any(|(factor, _)| Place::Factor(*factor) == place)
        };
        inside.facts.retain(|(fact, _)| !mentions(fact, &changed));
        if let Callee::Chart(id) = callee {
            let sources = arguments.iter().map(plain_read).collect();
            return self.chart(id, keys, inside, (Some(expr.span), sources, situation));
        }
        self.called(callee, inside, expr.span)
    }

    /// A call of modifiers or a test, looked up if it was made in the same circumstances before.
    fn called(&mut self, callee: Callee, inside: Situation<'a>, span: Span) -> Values {
        let facts = inside.facts.iter().map(|(fact, truth)| (fact.span, *truth)).collect();
        let key: Circumstances = (callee, inside.factors.clone(), inside.locals.clone(), facts);
        // What was only looked at quietly is looked at once more when mistakes are to be reported.
        if let Some((values, quietly)) = self.known.get(&key)
            && (self.quiet > 0 || !quietly)
        {
            return values.clone();
        }
        if self.known.len() >= MOST_CALLS {
            let message = "the tests call one another in too many ways to follow";
            let mistake = Diagnostic::error(span, message, "given up here");
            self.report("calls", mistake.remedy("call fewer tests with fewer different settings"));
            return Values::default();
        }
        let values = match callee {
            Callee::Modifiers(id) => self.modifiers(id, &inside),
            Callee::Test(id) => self.test(id, inside),
            Callee::Chart(_) => Values::default(),
        };
        self.known.insert(key, (values.clone(), self.quiet > 0));
        values
    }

    fn modifiers(&mut self, id: ModifiersId, situation: &Situation<'a>) -> Values {
        let mut sum = Values::only(0);
        for line in &self.rules.modifiers[id.0].lines {
            let amount = self.line(line, situation);
            let amount = self.fitting(amount, line.span);
            sum = self.fitting(bounds(Operation::Add, &[sum, amount]), line.span);
        }
        sum
    }

    fn line(&mut self, line: &'a ModifierLine, situation: &Situation<'a>) -> Values {
        let mut without = Values::default();
        let mut held = situation.clone();
        if let Some(condition) = &line.condition {
            if self.values(condition, situation).contains(0) {
                without = Values::only(0);
            }
            let Some(supposed) = self.suppose(condition, true, held) else { return without };
            held = supposed;
        }
        let amount = self.values(&line.amount, &held);
        let Some(per) = &line.per else { return without.union(&amount) };
        let times = self.values(per, &held);
        let times = bounds(Operation::Max, &[times, Values::only(0)]);
        without.union(&bounds(Operation::Multiply, &[amount, times]))
    }
}

/// The values that an operation may give: exact for single values, else from the smallest to the largest.
fn bounds(op: Operation, operands: &[Values]) -> Values {
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

/// The place that an expression reads, if it does nothing else.
fn plain_read(expr: &Expr) -> Option<Place> {
    match expr.node {
        ExprNode::Read(place) => Some(place),
        _ => None,
    }
}

/// Whether an expression reads one of these places, or calls something that may.
fn mentions(expr: &Expr, places: &dyn Fn(Place) -> bool) -> bool {
    let mut mentions = false;
    expr.each(&mut |part| {
        mentions |= match part.node {
            ExprNode::Read(place) => places(place),
            ExprNode::Call(..) | ExprNode::Roll(..) => true,
            _ => false,
        };
    });
    mentions
}
