//! Rules, situation and policy → [`Term`]: constants folded, calls written out in place.
//!
//! **Never:** dice folded away. Two plans that fold alike are the same rules in disguise, and share a content id.

use super::program::{Step, Term};
use crate::rules::{
    Callee, ChartId, ChoiceId, Expr, ExprNode, FactorId, ModifierLine, Operation, Place, Ruleset, Set,
    Statement, StatementNode, TestId,
};
use crate::scenario::Move;

/// A chart is written out as a table only over keys with at most so many values.
const LONGEST_TABLE: i64 = 1_024;

/// Folds the entry test.
pub(super) fn fold(rules: &Ruleset, entry: TestId, situation: &[i32], moves: &[Option<Move>]) -> Term {
    let factors = situation.iter().map(|value| Term::Constant(*value)).collect();
    let mut fold = Fold { rules, moves, factors, locals: Vec::new(), ranges: Vec::new() };
    fold.test(entry)
}

struct Fold<'a> {
    rules: &'a Ruleset,
    moves: &'a [Option<Move>],
    /// What each factor is here: a constant or a slot.
    factors: Vec<Term>,
    /// The same for the locals of the piece that is being written out.
    locals: Vec<Term>,
    /// The smallest and the largest value of each slot.
    ranges: Vec<(i64, i64)>,
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

    fn term(&mut self, expr: &Expr) -> Term {
        match &expr.node {
            ExprNode::Constant(value) => Term::Constant(*value),
            ExprNode::Read(place) => self.read(*place),
            ExprNode::Roll(count, faces) => Term::Roll(Box::new(self.term(count)), *faces),
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
                self.among(subject, set)
            }
            ExprNode::Choose(choice, options) => self.choose(*choice, options),
            ExprNode::Call(callee, arguments, settings) => self.call(*callee, arguments, settings),
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

    /// Arithmetic, worked out where all operands are known; a constant that is added stands last, and only once.
    fn apply(&self, op: Operation, operands: Vec<Term>) -> Term {
        let known: Option<Vec<i64>> =
            operands.iter().map(|operand| operand.constant().map(i64::from)).collect();
        if let Some(value) = known.and_then(|values| op.apply(&values)) {
            return Term::Constant(value as i32);
        }
        match (op, operands.as_slice()) {
            (Operation::Subtract, [left, Term::Constant(right)]) => add(left.clone(), -right),
            (Operation::Add, [left, Term::Constant(right)]) => add(left.clone(), *right),
            (Operation::Add, [Term::Constant(left), right]) => add(right.clone(), *left),
            (Operation::Multiply, [left, Term::Constant(1)]) => left.clone(),
            (Operation::Compare(comparison), [left, right]) if left.is_plain() && right.is_plain() => {
                let (low, high) = (self.range(left), self.range(right));
                let corners =
                    [(low.0, high.1), (low.1, high.0)].map(|(left, right)| comparison.holds(left, right));
                let ends =
                    [(low.0, high.0), (low.1, high.1)].map(|(left, right)| comparison.holds(left, right));
                match corners == [true; 2] && ends == [true; 2] || corners == [false; 2] && ends == [false; 2]
                {
                    true => Term::Constant(i32::from(corners[0])),
                    false => Term::Apply(op, operands),
                }
            }
            _ => Term::Apply(op, operands),
        }
    }

    fn among(&mut self, subject: Term, set: &Set) -> Term {
        let mut stretches = Vec::new();
        let (low, high) = self.range(&subject);
        for span in &set.spans {
            let ends = [&span.low, &span.high].map(|end| end.as_ref().map(|end| self.term(end)));
            let known = |end: &Option<Term>, open: i64| match end {
                Some(end) => end.constant().map(i64::from),
                None => Some(open),
            };
            let (start, end) = (known(&ends[0], i64::MIN), known(&ends[1], i64::MAX));
            if let (Some(start), Some(end)) = (start, end) {
                if subject.is_plain() && start <= low && high <= end && stretches.is_empty() {
                    return Term::Constant(1);
                }
                if start > high || end < low {
                    continue;
                }
            }
            let [low, high] = ends;
            stretches.push((low, high));
        }
        match stretches.is_empty() && subject.is_plain() {
            true => Term::Constant(0),
            false => Term::Among(Box::new(subject), stretches),
        }
    }

    fn choose(&mut self, choice: ChoiceId, options: &[Expr]) -> Term {
        let moves = self.moves;
        match &moves[choice.0] {
            Some(Move::Option(option)) => Term::Constant(*option),
            Some(Move::Mix(weights)) => Term::Mix(weights.clone()),
            Some(Move::Condition { expr, .. }) => self.term(expr),
            None => self.term(&options[0]),
        }
    }

    /// Arguments and settings are worked out in the caller's situation, then hold for the call.
    fn call(&mut self, callee: Callee, arguments: &[Expr], settings: &[(FactorId, Expr)]) -> Term {
        let rules = self.rules;
        let parameters = rules.parameters(callee);
        let mut steps = Vec::new();
        let mut values = Vec::new();
        for expr in arguments.iter().chain(settings.iter().map(|(_, value)| value)) {
            let term = self.term(expr);
            values.push(self.keep(term, &mut steps));
        }
        let outside = std::mem::replace(&mut self.locals, vec![Term::Constant(0); parameters.len()]);
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
        self.locals = outside;
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
            (term.constant().is_none() && high - low < LONGEST_TABLE).then_some((
                parameter.place,
                term,
                low,
                high,
            ))
        });
        let Some((place, key, low, high)) = unknown else { return self.rows(id, 0) };
        let mut entries = Vec::new();
        for value in low..=high {
            self.write(place, Term::Constant(value as i32));
            entries.push(self.chart(id));
        }
        self.write(place, key.clone());
        match entries.iter().all(|entry| *entry == entries[0]) {
            true => entries.swap_remove(0),
            false => Term::Lookup(Box::new(key), low as i32, entries),
        }
    }

    /// The cells from a row on: the first whose keys match.
    fn rows(&mut self, id: ChartId, from: usize) -> Term {
        let rules = self.rules;
        let chart = &rules.charts[id.0];
        let Some(row) = chart.rows.get(from) else { return Term::Constant(0) };
        let keys: Vec<Term> = chart.parameters.iter().map(|parameter| self.read(parameter.place)).collect();
        let mut matches = Term::Constant(1);
        for (set, key) in row.keys.iter().zip(&keys) {
            matches = self.branch(matches, |fold| fold.among(key.clone(), set), |_| Term::Constant(0));
        }
        let last = keys.last().cloned().unwrap_or(Term::Constant(0));
        self.branch(matches, |fold| fold.cell(id, from, 0, &last), |fold| fold.rows(id, from + 1))
    }

    /// The cell of a row in the first column, from `column` on, that has the last key.
    fn cell(&mut self, id: ChartId, row: usize, column: usize, last: &Term) -> Term {
        let rules = self.rules;
        let chart = &rules.charts[id.0];
        let matches = match chart.columns.get(column) {
            Some(set) => self.among(last.clone(), set),
            None => Term::Constant(i32::from(column == 0)),
        };
        let Some(cell) = chart.rows[row].cells.get(column) else { return Term::Constant(0) };
        self.branch(
            matches,
            |fold| cell.as_ref().map_or(Term::Constant(0), |cell| fold.term(cell)),
            |fold| fold.cell(id, row, column + 1, last),
        )
    }

    fn test(&mut self, id: TestId) -> Term {
        let rules = self.rules;
        let test = &rules.tests[id.0];
        self.locals.resize(test.frame, Term::Constant(0));
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
                StatementNode::Return(value) => steps.push(Step::Return(self.term(value))),
                StatementNode::If(arms, otherwise) => self.arms(arms, otherwise, steps),
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

    /// The smallest and the largest value that a term can have.
    fn range(&self, term: &Term) -> (i64, i64) {
        let anything = (i64::from(i32::MIN), i64::from(i32::MAX));
        match term {
            Term::Constant(value) => (i64::from(*value), i64::from(*value)),
            Term::Slot(slot) => self.ranges[*slot],
            Term::Roll(count, faces) => {
                let (low, high) = self.range(count);
                (low.max(0), high.max(0).saturating_mul(i64::from(*faces)))
            }
            Term::Apply(Operation::Add, operands) => {
                let (left, right) = (self.range(&operands[0]), self.range(&operands[1]));
                (left.0 + right.0, left.1 + right.1)
            }
            Term::Apply(Operation::Not | Operation::Compare(_), _) | Term::Among(..) => (0, 1),
            Term::If(_, then, otherwise) => hull([self.range(then), self.range(otherwise)]),
            Term::Mix(weights) => {
                hull(weights.iter().map(|(option, _)| (i64::from(*option), i64::from(*option))))
            }
            Term::Lookup(_, _, entries) => hull(entries.iter().map(|entry| self.range(entry))),
            Term::Apply(..) | Term::Run(_) => anything,
        }
    }
}

/// From the smallest to the largest of all.
fn hull(ranges: impl IntoIterator<Item = (i64, i64)>) -> (i64, i64) {
    ranges.into_iter().reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))).unwrap_or((0, 0))
}

/// A term and a constant, joined with a constant that is added already.
fn add(term: Term, constant: i32) -> Term {
    match term {
        Term::Apply(Operation::Add, operands) => match operands.as_slice() {
            [inner, Term::Constant(before)] => add(inner.clone(), before + constant),
            _ => Term::Apply(
                Operation::Add,
                vec![Term::Apply(Operation::Add, operands), Term::Constant(constant)],
            ),
        },
        term if constant == 0 => term,
        term => Term::Apply(Operation::Add, vec![term, Term::Constant(constant)]),
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
