//! Rules, situation and policy → [`Term`]: constants folded, calls written out in place.
//!
//! It covers numbers, sums of plain dice, charts, conditions and calls in a changed situation; rules that come to anything
//! else, such as loops, pools or units, are not folded.
//!
//! **Never:** dice folded away. Two plans that fold alike are the same rules in disguise, and share a content id.

mod term;

use super::program::{Step, Term};
use crate::rules::{
    Call, Callee, ChartId, ChoiceId, Die, Expr, ExprNode, ModifierLine, Operation, Place, Pool, PoolNode,
    Ruleset, Set, SetSpan, Statement, StatementNode, TestId,
};
use crate::scenario::Move;

/// A chart is written out as a table only over keys with at most so many values.
const LONGEST_TABLE: i64 = 1_024;

/// A program is written out only up to so many terms; tests that call tests that call tests can double it each time.
const LONGEST_PROGRAM: usize = 100_000;

/// Folds the entry test; `None` where the program would be too long to write out, or where it comes to anything that a
/// program does not have.
pub(super) fn fold(
    rules: &Ruleset,
    entry: TestId,
    situation: &[i32],
    moves: &[Option<Move>],
) -> Option<Term> {
    let factors = situation.iter().map(|value| Term::Constant(*value)).collect();
    let (locals, pools, ranges) = (Vec::new(), Vec::new(), Vec::new());
    let mut fold = Fold { rules, moves, factors, locals, pools, ranges, terms: 0 };
    let program = fold.test(entry);
    (!fold.is_too_long()).then_some(program)
}

struct Fold<'a> {
    rules: &'a Ruleset,
    moves: &'a [Option<Move>],
    /// What each factor is here: a constant or a slot.
    factors: Vec<Term>,
    /// The same for the locals of the piece that is being written out.
    locals: Vec<Term>,
    /// What its pools come to, for those of which nothing but that is asked.
    pools: Vec<Option<Term>>,
    /// The smallest and the largest value of each slot.
    ranges: Vec<(i64, i64)>,
    /// How many terms and rows have been looked at. Past the limit whatever is written no longer counts.
    terms: usize,
}

impl Fold<'_> {
    fn read(&self, place: Place) -> Term {
        match place {
            Place::Factor(factor) => self.factors[factor.0].clone(),
            Place::Local(local) => self.locals[local.0].clone(),
        }
    }

    /// Puts a plain term in a place and gives back what was there.
    fn write(&mut self, place: Place, term: Term) -> Term {
        match place {
            Place::Factor(factor) => std::mem::replace(&mut self.factors[factor.0], term),
            Place::Local(local) => std::mem::replace(&mut self.locals[local.0], term),
        }
    }

    /// Makes a term plain: keeps its value in a slot if it is anything but a constant or a slot.
    fn keep(&mut self, term: Term, steps: &mut Vec<Step>) -> Term {
        if term.is_plain() {
            return term;
        }
        let slot = self.ranges.len();
        self.ranges.push(self.range(&term));
        steps.push(Step::Set(slot, term));
        Term::Slot(slot)
    }

    fn is_too_long(&self) -> bool {
        self.terms > LONGEST_PROGRAM
    }

    /// Ends the folding, as if the program had become too long.
    fn give_up(&mut self) -> Term {
        self.terms = LONGEST_PROGRAM + 1;
        Term::Constant(0)
    }

    fn term(&mut self, expr: &Expr) -> Term {
        self.terms += 1;
        if self.is_too_long() {
            return Term::Constant(0);
        }
        match &expr.node {
            ExprNode::Constant(value) => Term::Constant(*value),
            ExprNode::Read(place) => self.read(*place),
            ExprNode::Sum(pool) => self.sum(pool),
            ExprNode::Apply(op, operands) => {
                let operands = operands.iter().map(|operand| self.term(operand)).collect();
                self.apply(*op, operands)
            }
            ExprNode::And(left, right) => {
                let left = self.term(left);
                self.branch(left, |fold| fold.term(right), |_| Term::Constant(0))
            }
            ExprNode::Or(left, right) => {
                let left = self.term(left);
                self.branch(left, |_| Term::Constant(1), |fold| fold.term(right))
            }
            ExprNode::If(condition, then, otherwise) => {
                let condition = self.term(condition);
                self.branch(condition, |fold| fold.term(then), |fold| fold.term(otherwise))
            }
            ExprNode::Is(subject, set) => {
                let subject = self.term(subject);
                self.is(subject, set)
            }
            ExprNode::Choose(choice, options) => self.choose(*choice, options),
            ExprNode::Call(call) => self.call(call),
            ExprNode::ReadUnit(..)
            | ExprNode::UnitAt(..)
            | ExprNode::Only(_)
            | ExprNode::Ask(..)
            | ExprNode::Rank(..)
            | ExprNode::Alike(..)
            | ExprNode::Item(..)
            | ExprNode::Chance(..)
            | ExprNode::ChooseFrom(..) => self.give_up(),
        }
    }

    /// What all dice of a pool come to.
    fn sum(&mut self, pool: &Pool) -> Term {
        match &pool.node {
            PoolNode::Roll(count, Die::Faces(faces)) => Term::Roll(Box::new(self.term(count)), *faces),
            PoolNode::Read(id) => match self.pools[id.0].clone() {
                Some(sum) => sum,
                None => self.give_up(),
            },
            PoolNode::If(condition, then, otherwise) => {
                let condition = self.term(condition);
                self.branch(condition, |fold| fold.sum(then), |fold| fold.sum(otherwise))
            }
            _ => self.give_up(),
        }
    }

    fn branch(
        &mut self,
        condition: Term,
        then: impl FnOnce(&mut Self) -> Term,
        otherwise: impl FnOnce(&mut Self) -> Term,
    ) -> Term {
        match condition {
            Term::Constant(0) => otherwise(self),
            Term::Constant(_) => then(self),
            condition => {
                let (then, otherwise) = (then(self), otherwise(self));
                if then == otherwise && condition.is_plain() {
                    return then;
                }
                Term::If(Box::new(condition), Box::new(then), Box::new(otherwise))
            }
        }
    }

    /// Whether a value is in a set. Where the ends need more than a look, all of them are worked out, once, in order.
    fn is(&mut self, subject: Term, set: &Set) -> Term {
        let mut ends: Vec<Vec<Option<Term>>> = Vec::new();
        for span in &set.spans {
            ends.push(match span {
                SetSpan::One(only) => vec![Some(self.term(only))],
                SetSpan::Range(low, high) => {
                    [low, high].map(|end| end.as_ref().map(|end| self.term(end))).to_vec()
                }
            });
        }
        let mut steps = Vec::new();
        let plain = ends.iter().flatten().flatten().all(Term::is_plain);
        let subject = if plain { subject } else { self.keep(subject, &mut steps) };
        let mut stretches = Vec::new();
        for span in ends {
            let mut span = span.into_iter().map(|end| end.map(|end| self.keep(end, &mut steps)));
            let low = span.next().flatten();
            let high = span.next().unwrap_or_else(|| low.clone());
            stretches.push((low, high));
        }
        steps.push(Step::Return(self.among(subject, stretches)));
        run(steps)
    }

    /// A choice whose options are what they give, as between results.
    fn choose(&mut self, choice: ChoiceId, options: &[(i32, Expr)]) -> Term {
        let moves = self.moves;
        let plain = |(option, value): &(i32, Expr)| matches!(value.node, ExprNode::Constant(value) if value == *option);
        // where a call is for a unit, nothing is folded
        match moves[choice.0].as_ref().map(|play| play.now(|_| None)) {
            _ if !options.iter().all(plain) => self.give_up(),
            Some(Move::Option(option)) => Term::Constant(*option),
            Some(Move::Mix(weights)) => Term::Mix(weights.clone()),
            Some(Move::Condition { expr, .. }) => self.term(expr),
            _ => Term::Constant(options.first().map_or(0, |(option, _)| *option)),
        }
    }

    /// Arguments and settings are worked out in the caller's situation, then hold for the call.
    fn call(&mut self, Call { callee, unit, arguments, settings, .. }: &Call) -> Term {
        if unit.is_some() {
            return self.give_up();
        }
        let (rules, callee) = (self.rules, *callee);
        let parameters = rules.parameters(callee);
        let mut steps = Vec::new();
        let mut values = Vec::new();
        for expr in arguments.iter().chain(settings.iter().map(|(_, value)| value)) {
            let term = self.term(expr);
            values.push(self.keep(term, &mut steps));
        }
        let outside = std::mem::replace(&mut self.locals, vec![Term::Constant(0); parameters.len()]);
        let pools = std::mem::take(&mut self.pools);
        let places = parameters.iter().map(|parameter| parameter.place);
        let places: Vec<Place> =
            places.chain(settings.iter().map(|(factor, _)| Place::Factor(*factor))).collect();
        let before: Vec<Term> =
            places.iter().zip(values).map(|(place, value)| self.write(*place, value)).collect();
        let body = match callee {
            Callee::Modifiers(id) => self.modifiers(&rules.modifiers[id.0].lines),
            Callee::Chart(id) => self.chart(id),
            Callee::Test(id) => self.test(id),
        };
        for (place, term) in places.iter().zip(before).rev() {
            self.write(*place, term);
        }
        (self.locals, self.pools) = (outside, pools);
        steps.push(Step::Return(body));
        run(steps)
    }

    fn modifiers(&mut self, lines: &[ModifierLine]) -> Term {
        lines.iter().fold(Term::Constant(0), |sum, line| {
            let line = self.line(line);
            self.apply(Operation::Add, vec![sum, line])
        })
    }

    fn line(&mut self, line: &ModifierLine) -> Term {
        let amount = |fold: &mut Self| {
            let amount = fold.term(&line.amount);
            let Some(per) = &line.per else { return amount };
            let per = fold.term(per);
            let times = fold.apply(Operation::Max, vec![per, Term::Constant(0)]);
            fold.apply(Operation::Multiply, vec![amount, times])
        };
        let Some(condition) = &line.condition else { return amount(self) };
        let condition = self.term(condition);
        self.branch(condition, amount, |_| Term::Constant(0))
    }

    /// A chart as a table over the first key that is not known, of tables over the next, down to its cells.
    fn chart(&mut self, id: ChartId) -> Term {
        let rules = self.rules;
        let unknown = rules.charts[id.0].parameters.iter().find_map(|parameter| {
            let term = self.read(parameter.place);
            let (low, high) = self.range(&term);
            let fits = term.constant().is_none() && high - low < LONGEST_TABLE;
            fits.then_some((parameter.place, term, low, high))
        });
        let Some((place, key, low, high)) = unknown else { return self.rows(id) };
        let mut entries = Vec::new();
        for value in low..=high {
            if self.is_too_long() {
                break;
            }
            self.write(place, Term::Constant(value as i32));
            entries.push(self.chart(id));
        }
        self.write(place, key.clone());
        match entries.iter().all(|entry| *entry == entries[0]) {
            true => entries.pop().unwrap_or(Term::Constant(0)),
            false => Term::Lookup(Box::new(key), low as i32, entries),
        }
    }

    /// The cell of the first row whose keys match: the rows up to one that surely does, from the last of them.
    fn rows(&mut self, id: ChartId) -> Term {
        let rules = self.rules;
        let chart = &rules.charts[id.0];
        let keys: Vec<Term> = chart.parameters.iter().map(|parameter| self.read(parameter.place)).collect();
        let last = keys.last().cloned().unwrap_or(Term::Constant(0));
        let mut candidates = Vec::new();
        for (number, row) in chart.rows.iter().enumerate() {
            self.terms += 1;
            let mut matches = Term::Constant(1);
            for (set, key) in row.keys.iter().zip(&keys) {
                matches = self.branch(matches, |fold| fold.is(key.clone(), set), |_| Term::Constant(0));
            }
            let certain = matches.constant();
            if certain != Some(0) {
                candidates.push((matches, self.cell(id, number, &last)));
            }
            if certain.is_some_and(|matches| matches != 0) {
                break;
            }
        }
        let from_the_last = candidates.into_iter().rev();
        from_the_last
            .fold(Term::Constant(0), |below, (matches, cell)| self.branch(matches, |_| cell, |_| below))
    }

    /// The cell of a row in the first column that has the last key.
    fn cell(&mut self, id: ChartId, row: usize, last: &Term) -> Term {
        let rules = self.rules;
        let chart = &rules.charts[id.0];
        let cells = chart.rows[row].cells.iter().enumerate().rev();
        cells.fold(Term::Constant(0), |others, (column, cell)| {
            let matches = match chart.columns.get(column) {
                Some(set) => self.is(last.clone(), set),
                None => Term::Constant(1),
            };
            let cell = |fold: &mut Self| cell.as_ref().map_or(Term::Constant(0), |cell| fold.term(cell));
            self.branch(matches, cell, |_| others)
        })
    }

    fn test(&mut self, id: TestId) -> Term {
        let rules = self.rules;
        let test = &rules.tests[id.0];
        self.locals.resize(test.frame, Term::Constant(0));
        self.pools.resize(test.pools, None);
        let mut steps = Vec::new();
        self.block(&test.body, &mut steps);
        run(steps)
    }

    fn block(&mut self, block: &[Statement], steps: &mut Vec<Step>) {
        for statement in block {
            if matches!(steps.last(), Some(Step::Return(_))) {
                return;
            }
            match &statement.node {
                StatementNode::Let(local, _, value) => {
                    let term = self.term(value);
                    self.locals[local.0] = self.keep(term, steps);
                }
                // A name that is given other dice later may mean either behind a condition.
                StatementNode::Keep(id, _, pool) if self.pools[id.0].is_none() => {
                    let sum = self.sum(pool);
                    self.pools[id.0] = Some(self.keep(sum, steps));
                }
                StatementNode::Return(value) => steps.push(Step::Return(self.term(value))),
                StatementNode::If(arms, otherwise) => self.arms(arms, otherwise, steps),
                _ => _ = self.give_up(),
            }
        }
    }

    fn arms(&mut self, arms: &[(Expr, Vec<Statement>)], otherwise: &[Statement], steps: &mut Vec<Step>) {
        let Some(((condition, block), rest)) = arms.split_first() else {
            return self.block(otherwise, steps);
        };
        match self.term(condition) {
            Term::Constant(0) => self.arms(rest, otherwise, steps),
            Term::Constant(_) => self.block(block, steps),
            condition => {
                let (mut then, mut other) = (Vec::new(), Vec::new());
                self.block(block, &mut then);
                self.arms(rest, otherwise, &mut other);
                steps.push(match (then.as_slice(), other.as_slice()) {
                    ([Step::Return(a)], [Step::Return(b)]) => {
                        Step::Return(Term::If(Box::new(condition), Box::new(a.clone()), Box::new(b.clone())))
                    }
                    _ => Step::If(condition, then, other),
                });
            }
        }
    }
}

/// Steps as a term: what they return, if they do nothing else.
fn run(mut steps: Vec<Step>) -> Term {
    match steps.pop() {
        Some(Step::Return(Term::Run(mut inner))) => {
            steps.append(&mut inner);
            Term::Run(steps)
        }
        Some(Step::Return(term)) if steps.is_empty() => term,
        last => {
            steps.extend(last);
            Term::Run(steps)
        }
    }
}
