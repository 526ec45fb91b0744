//! What can happen: plays every trial at once, on sets of values instead of values.
//!
//! In: checked names and kinds. Out: a diagnostic for each chart without an answer, number out of bounds, division by
//! zero, and circle of calls. The sets are never too small; where they are too large, what is reported may name a
//! situation that a cleverer reader would see cannot happen.

mod calls;
mod chart;
mod dice;
mod expression;
mod gap;

use super::ruleset::{
    Callee, ChartId, Choice, ChoiceId, Expr, ExprNode, Operation, Place, Ruleset, Statement, StatementNode,
    TestId,
};
use super::values::Values;
use crate::diagnostic::{Diagnostic, Diagnostics, Span};
use std::collections::{BTreeMap, BTreeSet};

/// So many calls in different circumstances are followed before giving up.
const MOST_CALLS: usize = 20_000;

/// With which factors and locals a trial comes to each choice, from the smallest to the largest value.
pub(super) type Chosen = Vec<(ChoiceId, Vec<(i32, i32)>)>;

/// Follows every entry through every situation that its factors allow.
pub(super) fn check_reach(rules: &Ruleset, found: &mut Diagnostics) -> Chosen {
    if !calls::calls_are_sound(rules, found) {
        return Vec::new();
    }
    dice::check_dice(rules, found);
    let mut reach = Reach::new(rules, found);
    for (id, test) in rules.tests.iter().enumerate() {
        if test.parameters.is_empty() && !test.replaced {
            reach.test(TestId(id), reach.anything());
        }
    }
    reach.unread_charts();
    reach.rows_without_use();
    let hull = |values: &Values| (values.low() as i32, values.high() as i32);
    reach.chosen.iter().map(|(choice, values)| (*choice, values.iter().map(hull).collect())).collect()
}

/// Reports what an expression without dice may work out beyond the bounds, for all values that a trial can bring to
/// `choice`; without one, for all that a scenario may set.
pub(super) fn check_expression(
    rules: &Ruleset,
    choice: Option<&Choice>,
    expr: &Expr,
    found: &mut Diagnostics,
) {
    let mut reach = Reach::new(rules, found);
    let mut situation = reach.anything();
    situation.facts.clear();
    if let Some(choice) = choice {
        let mut values =
            choice.reached.iter().map(|(low, high)| Values::range(i64::from(*low), i64::from(*high)));
        let factors: Vec<Values> = values.by_ref().take(situation.factors.len()).collect();
        if factors.is_empty() {
            return;
        }
        (situation.factors, situation.locals) = (factors, values.collect());
    }
    reach.values(expr, &situation);
}

/// The value of an expression without dice in a fixed situation, if there is but one.
pub(super) fn evaluate(rules: &Ruleset, expr: &Expr, situation: &[i32]) -> Option<i32> {
    let mut ignored = Diagnostics::default();
    let mut reach = Reach::new(rules, &mut ignored);
    let factors = situation.iter().map(|value| Values::only(i64::from(*value))).collect();
    let value = reach.values(expr, &Situation { factors, locals: Vec::new(), facts: Vec::new() }).single()?;
    i32::try_from(value).ok().filter(|_| !ignored.has_errors())
}

/// What is known where a trial stands.
#[derive(Clone)]
struct Situation<'a> {
    /// For each factor, what it may be.
    factors: Vec<Values>,
    /// The same for each local of the piece.
    locals: Vec<Values>,
    /// Conditions over both that are known to hold, or not to.
    facts: Vec<(&'a Expr, bool)>,
}

impl Situation<'_> {
    fn get(&self, place: Place) -> &Values {
        match place {
            Place::Factor(factor) => &self.factors[factor.0],
            Place::Local(local) => &self.locals[local.0],
        }
    }

    fn set(&mut self, place: Place, values: Values) {
        match place {
            Place::Factor(factor) => self.factors[factor.0] = values,
            Place::Local(local) => self.locals[local.0] = values,
        }
    }
}

/// A call and the circumstances in which it is made.
type Circumstances = (Callee, Vec<Values>, Vec<Values>, Vec<(Span, bool)>);

struct Reach<'a> {
    rules: &'a Ruleset,
    found: &'a mut Diagnostics,
    /// One report a place is enough.
    reported: BTreeSet<(Span, &'static str)>,
    /// What calls may give, and whether they were only looked at quietly.
    known: BTreeMap<Circumstances, (Values, bool)>,
    /// For each choice, with which factors and locals a trial comes to it.
    chosen: BTreeMap<ChoiceId, Vec<Values>>,
    /// The rows of charts that some situation reads.
    read: BTreeSet<(ChartId, usize)>,
    /// Above zero while what is looked at was looked at before.
    quiet: usize,
}

impl<'a> Reach<'a> {
    fn new(rules: &'a Ruleset, found: &'a mut Diagnostics) -> Self {
        let (reported, read) = (BTreeSet::new(), BTreeSet::new());
        let (known, chosen) = (BTreeMap::new(), BTreeMap::new());
        Self { rules, found, reported, known, chosen, read, quiet: 0 }
    }

    /// The situation of the rules as a whole: each factor may be all that a scenario may set.
    fn anything(&self) -> Situation<'a> {
        let values =
            |values: &Vec<i32>| Values::of(values.iter().map(|value| (i64::from(*value), i64::from(*value))));
        Situation {
            factors: self.rules.factors.iter().map(|factor| values(&factor.values)).collect(),
            locals: Vec::new(),
            facts: self.rules.nevers.iter().map(|never| (&never.condition, false)).collect(),
        }
    }

    fn report(&mut self, sort: &'static str, mistake: Diagnostic) {
        if self.quiet == 0 && self.reported.insert((mistake.labels[0].0, sort)) {
            self.found.push(mistake);
        }
    }

    /// What a test may return.
    fn test(&mut self, id: TestId, mut situation: Situation<'a>) -> Values {
        let test = &self.rules.tests[id.0];
        situation.locals.resize(test.frame, Values::default());
        let mut returned = Values::default();
        self.block(&test.body, situation, &mut returned);
        returned
    }

    /// Follows statements; gives the situation behind them, if a trial can come there.
    fn block(
        &mut self,
        block: &'a [Statement],
        start: Situation<'a>,
        returned: &mut Values,
    ) -> Option<Situation<'a>> {
        let mut situation = start;
        for statement in block {
            match &statement.node {
                StatementNode::Let(local, _, value) => {
                    let values = self.values(value, &situation);
                    situation.set(Place::Local(*local), values);
                }
                StatementNode::Return(value) => {
                    *returned = returned.union(&self.values(value, &situation));
                    return None;
                }
                StatementNode::If(arms, otherwise) => {
                    situation = self.arms(arms, otherwise, situation, returned)?
                }
            }
        }
        Some(situation)
    }

    fn arms(
        &mut self,
        arms: &'a [(Expr, Vec<Statement>)],
        otherwise: &'a [Statement],
        start: Situation<'a>,
        returned: &mut Values,
    ) -> Option<Situation<'a>> {
        let mut behind: Option<Situation<'a>> = None;
        let mut rest = Some(start);
        for (condition, block) in arms {
            let Some(before) = rest.take() else { break };
            self.values(condition, &before);
            if let Some(held) = self.suppose(condition, true, before.clone()) {
                behind = join(behind, self.block(block, held, returned));
            }
            rest = self.suppose(condition, false, before);
        }
        match rest {
            Some(rest) => join(behind, self.block(otherwise, rest, returned)),
            None => behind,
        }
    }

    /// The situation, knowing that a condition holds or does not; `None` if that cannot be.
    fn suppose(
        &mut self,
        condition: &'a Expr,
        truth: bool,
        mut situation: Situation<'a>,
    ) -> Option<Situation<'a>> {
        self.quiet += 1;
        let values = self.values(condition, &situation);
        self.quiet -= 1;
        if !values.contains(i64::from(truth)) {
            return None;
        }
        match (&condition.node, truth) {
            (ExprNode::Read(place), _) => situation.set(*place, Values::only(i64::from(truth))),
            (ExprNode::Apply(Operation::Not, parts), _) => {
                return self.suppose(&parts[0], !truth, situation);
            }
            (ExprNode::And(left, right), true) | (ExprNode::Or(left, right), false) => {
                let situation = self.suppose(left, truth, situation)?;
                return self.suppose(right, truth, situation);
            }
            (ExprNode::Is(subject, set), _) => {
                if let (ExprNode::Read(place), Some(set)) = (&subject.node, self.certain_set(set, &situation))
                {
                    let now = situation.get(*place);
                    let now = if truth { now.intersect(&set) } else { now.without(&set) };
                    situation.set(*place, now);
                }
            }
            _ => {}
        }
        situation.facts.push((condition, truth));
        Some(situation)
    }
}

/// What is known behind two ways that meet again.
fn join<'a>(one: Option<Situation<'a>>, other: Option<Situation<'a>>) -> Option<Situation<'a>> {
    let (Some(one), Some(other)) = (&one, &other) else { return one.or(other) };
    let unite = |a: &[Values], b: &[Values]| a.iter().zip(b).map(|(a, b)| a.union(b)).collect();
    let both = |fact: &&(&'a Expr, bool)| {
        other.facts.iter().any(|known| std::ptr::eq(known.0, fact.0) && known.1 == fact.1)
    };
    Some(Situation {
        factors: unite(&one.factors, &other.factors),
        locals: unite(&one.locals, &other.locals),
        facts: one.facts.iter().filter(both).copied().collect(),
    })
}
