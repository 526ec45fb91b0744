//! What a value comes to where its operands, or the numbers between which they lie, settle it.

use crate::plan::program::{SlotId, Value};
use crate::rules::Operation;

/// What a number of 32 bits may be.
const ANYTHING: (i64, i64) = (i32::MIN as i64, i32::MAX as i64);

/// A value, and the numbers between which it surely lies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Term {
    pub(super) value: Value,
    pub(super) low: i64,
    pub(super) high: i64,
}

/// Stretches whose ends are terms.
pub(super) type Ends = Vec<(Option<Term>, Option<Term>)>;

impl Term {
    /// Values never roll, so one that can only be one number is that number.
    pub(super) fn of(value: Value, (low, high): (i64, i64)) -> Self {
        let (low, high) = (low.max(ANYTHING.0), high.min(ANYTHING.1));
        if low == high { Self::constant(low as i32) } else { Self { value, low, high } }
    }

    pub(super) const fn constant(value: i32) -> Self {
        Self { value: Value::Constant(value), low: value as i64, high: value as i64 }
    }

    pub(super) fn slot(slot: SlotId, low: i64, high: i64) -> Self {
        Self::of(Value::Slot(slot), (low, high))
    }

    pub(super) fn known(&self) -> Option<i32> {
        match self.value {
            Value::Constant(value) => Some(value),
            _ => None,
        }
    }

    /// Whether working it out needs nothing but a look.
    pub(super) fn is_plain(&self) -> bool {
        matches!(self.value, Value::Constant(_) | Value::Slot(_))
    }

    const fn range(&self) -> (i64, i64) {
        (self.low, self.high)
    }
}

/// Arithmetic, worked out where all operands are known; a constant that is added stands last, and only once.
pub(super) fn apply(op: Operation, mut operands: Vec<Term>) -> Term {
    let known: Option<Vec<i64>> = operands.iter().map(|operand| operand.known().map(i64::from)).collect();
    if let Some(value) = known.and_then(|values| op.apply(&values)) {
        return Term::constant(value as i32);
    }
    let range = range(op, &operands);
    match (op, operands.as_slice()) {
        (Operation::Subtract, [_, right]) if right.known().is_some_and(|right| right != i32::MIN) => {
            let by = -right.known().unwrap_or(0);
            return add(operands.swap_remove(0), by, range);
        }
        (Operation::Add, [_, right]) if right.known().is_some() => {
            let by = right.known().unwrap_or(0);
            return add(operands.swap_remove(0), by, range);
        }
        (Operation::Add, [left, _]) if left.known().is_some() => {
            let by = left.known().unwrap_or(0);
            return add(operands.swap_remove(1), by, range);
        }
        (Operation::Multiply, [left, right]) if right.known() == Some(1) => return left.clone(),
        (Operation::Multiply, [left, right]) if left.known() == Some(1) => return right.clone(),
        (Operation::Min, [left, right]) if left.high <= right.low => return left.clone(),
        (Operation::Min, [left, right]) if right.high <= left.low => return right.clone(),
        (Operation::Max, [left, right]) if left.low >= right.high => return left.clone(),
        (Operation::Max, [left, right]) if right.low >= left.high => return right.clone(),
        (Operation::Between, [low, value, high]) if low.high <= value.low && value.high <= high.low => {
            return value.clone();
        }
        _ => {}
    }
    Term::of(Value::Apply(op, operands.into_iter().map(|operand| operand.value).collect()), range)
}

/// A term and a constant, joined with a constant that is added already.
fn add(term: Term, constant: i32, range: (i64, i64)) -> Term {
    if constant == 0 {
        return term;
    }
    if let Some(value) = raised(&term.value, constant) {
        return Term::of(value, range);
    }
    let (inner, constant) = match term.value {
        Value::Apply(Operation::Add, mut operands) => match operands.as_slice() {
            [_, Value::Constant(before)] if before.checked_add(constant).is_some() => {
                let sum = before + constant;
                (operands.swap_remove(0), sum)
            }
            _ => (Value::Apply(Operation::Add, operands), constant),
        },
        value => (value, constant),
    };
    match constant {
        0 => Term::of(inner, range),
        _ => Term::of(Value::Apply(Operation::Add, vec![inner, Value::Constant(constant)]), range),
    }
}

/// A value that only chooses between constants, with so much added to each.
fn raised(value: &Value, by: i32) -> Option<Value> {
    Some(match value {
        Value::Constant(known) => Value::Constant(known.checked_add(by)?),
        Value::If(parts) => {
            let [condition, then, otherwise] = &**parts;
            Value::If(Box::new([condition.clone(), raised(then, by)?, raised(otherwise, by)?]))
        }
        Value::Lookup(key, first, entries) => {
            let entries = entries.iter().map(|entry| raised(entry, by)).collect::<Option<_>>()?;
            Value::Lookup(key.clone(), *first, entries)
        }
        _ => return None,
    })
}

/// The smallest and the largest number that arithmetic on terms can give.
fn range(op: Operation, operands: &[Term]) -> (i64, i64) {
    let a = operands[0].range();
    let b = operands.get(1).map_or((0, 0), Term::range);
    let corners = |of: &dyn Fn(i64, i64) -> i64| {
        hull([(a.0, b.0), (a.0, b.1), (a.1, b.0), (a.1, b.1)].map(|(x, y)| (of(x, y), of(x, y))))
    };
    match op {
        Operation::Negate => (-a.1, -a.0),
        Operation::Not => (0, 1),
        Operation::Add => (a.0 + b.0, a.1 + b.1),
        Operation::Subtract => (a.0 - b.1, a.1 - b.0),
        Operation::Multiply => corners(&|x, y| x * y),
        Operation::DivideDown | Operation::DivideUp if b.0 > 0 || b.1 < 0 => {
            corners(&|x, y| op.apply(&[x, y]).unwrap_or(0))
        }
        Operation::DivideDown | Operation::DivideUp => ANYTHING,
        Operation::Compare(comparison) => {
            let outcome = corners(&|x, y| i64::from(comparison.holds(x, y)));
            (outcome.0, outcome.1)
        }
        Operation::Min => operands.iter().map(Term::range).fold(a, |a, b| (a.0.min(b.0), a.1.min(b.1))),
        Operation::Max => operands.iter().map(Term::range).fold(a, |a, b| (a.0.max(b.0), a.1.max(b.1))),
        Operation::Abs if a.0 <= 0 && a.1 >= 0 => (0, a.1.max(-a.0)),
        Operation::Abs => (a.0.abs().min(a.1.abs()), a.0.abs().max(a.1.abs())),
        Operation::Between => {
            let c = operands.get(2).map_or(ANYTHING, Term::range);
            (a.0.max(b.0).min(c.0), a.1.max(b.1).min(c.1))
        }
    }
}

/// Whether a value lies in one of the stretches; those that it surely is or is not in are settled here.
pub(super) fn among(subject: Term, stretches: Ends) -> Term {
    let (low, high) = subject.range();
    let mut open = Vec::new();
    for (start, end) in stretches {
        let from = start.as_ref().map_or((i64::MIN, i64::MIN), Term::range);
        let to = end.as_ref().map_or((i64::MAX, i64::MAX), Term::range);
        if from.0 > high || to.1 < low {
            continue;
        }
        if from.1 <= low && high <= to.0 {
            return Term::constant(1);
        }
        // an end that cannot cut anything off is as good as none
        let start = start.filter(|_| from.1 > low);
        let end = end.filter(|_| to.0 < high);
        open.push((start.map(|start| start.value), end.map(|end| end.value)));
    }
    match open.is_empty() {
        true => Term::constant(0),
        false => Term::of(Value::Among(Box::new(subject.value), open), (0, 1)),
    }
}

/// The second where the first, a flag, is yes, else the third.
pub(super) fn either(condition: Value, then: Term, otherwise: Term) -> Term {
    if then == otherwise {
        return then;
    }
    match (then.known(), otherwise.known()) {
        (Some(1), Some(0)) => return Term::of(condition, (0, 1)),
        (Some(0), Some(1)) => return Term::of(Value::Apply(Operation::Not, vec![condition]), (0, 1)),
        _ => {}
    }
    let range = hull([then.range(), otherwise.range()]);
    Term::of(Value::If(Box::new([condition, then.value, otherwise.value])), range)
}

/// The entry for the key, whose range the entries cover from `first` on.
pub(super) fn lookup(key: Value, first: i32, mut entries: Vec<Term>) -> Term {
    if entries.iter().all(|entry| *entry == entries[0]) {
        return entries.pop().unwrap_or(Term::constant(0));
    }
    let range = hull(entries.iter().map(Term::range));
    let entries = entries.into_iter().map(|entry| entry.value).collect();
    Term::of(Value::Lookup(Box::new(key), first, entries), range)
}

/// From the smallest to the largest of all.
pub(super) fn hull(ranges: impl IntoIterator<Item = (i64, i64)>) -> (i64, i64) {
    ranges.into_iter().reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))).unwrap_or((0, 0))
}
