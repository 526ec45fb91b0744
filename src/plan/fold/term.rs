//! What a term comes to where its operands, or the values that they can have, settle it.

use super::Fold;
use crate::plan::program::Term;
use crate::rules::Operation;

impl Fold<'_> {
    /// Arithmetic, worked out where all operands are known; a constant that is added stands last, and only once.
    pub(super) fn apply(&self, op: Operation, operands: Vec<Term>) -> Term {
        let known: Option<Vec<i64>> =
            operands.iter().map(|operand| operand.constant().map(i64::from)).collect();
        if let Some(value) = known.and_then(|values| op.apply(&values)) {
            return Term::Constant(value as i32);
        }
        match (op, operands.as_slice()) {
            (Operation::Subtract, [left, Term::Constant(right)]) if *right != i32::MIN => {
                add(left.clone(), -right)
            }
            (Operation::Add, [left, Term::Constant(right)]) => add(left.clone(), *right),
            (Operation::Add, [Term::Constant(left), right]) => add(right.clone(), *left),
            (Operation::Multiply, [left, Term::Constant(1)]) => left.clone(),
            (Operation::Compare(comparison), [left, right]) if left.is_plain() && right.is_plain() => {
                let (left, right) = (self.range(left), self.range(right));
                let corners = [(left.0, right.0), (left.0, right.1), (left.1, right.0), (left.1, right.1)];
                match corners.map(|(left, right)| comparison.holds(left, right)) {
                    [true, true, true, true] => Term::Constant(1),
                    [false, false, false, false] => Term::Constant(0),
                    _ => Term::Apply(op, operands),
                }
            }
            _ => Term::Apply(op, operands),
        }
    }

    /// Stretches that the value surely is or is not in are settled here.
    pub(super) fn among(&self, subject: Term, stretches: Vec<(Option<Term>, Option<Term>)>) -> Term {
        let (low, high) = self.range(&subject);
        let mut open = Vec::new();
        for (start, end) in stretches {
            let known = |end: &Option<Term>, open: i64| match end {
                Some(end) => end.constant().map(i64::from),
                None => Some(open),
            };
            match (known(&start, i64::MIN), known(&end, i64::MAX)) {
                (Some(start), Some(end)) if start > high || end < low => {}
                (Some(start), Some(end)) if subject.is_plain() && start <= low && high <= end => {
                    return Term::Constant(1);
                }
                _ => open.push((start, end)),
            }
        }
        match open.is_empty() && subject.is_plain() {
            true => Term::Constant(0),
            false => Term::Among(Box::new(subject), open),
        }
    }

    /// The smallest and the largest value that a term can have.
    pub(super) fn range(&self, term: &Term) -> (i64, i64) {
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
            [inner, Term::Constant(before)] if before.checked_add(constant).is_some() => {
                add(inner.clone(), before + constant)
            }
            _ => Term::Apply(
                Operation::Add,
                vec![Term::Apply(Operation::Add, operands), Term::Constant(constant)],
            ),
        },
        term if constant == 0 => term,
        term => Term::Apply(Operation::Add, vec![term, Term::Constant(constant)]),
    }
}
