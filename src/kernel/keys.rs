//! What is counted of the trials, and how it is told in one number.
//!
//! In: the slots in which results and records lie in the end. Out: words that put keys together. **Never:** counts.

use super::code::{Block, Digit, Key, KeyKind, Op, Reg};
use super::lower::Lower;
use super::plain::{apply, compare};
use super::range::{Range, Ranges};
use crate::plan::program::{Comparison, Operation, RecordId, SlotId, Value};

/// Up to so many keys are counted in a row.
const MOST_KEYS: i64 = 1 << 14;

/// Up to so many, if the key is one digit.
const MOST_ALONE: i64 = i16::MAX as i64;

/// A digit, and the value that it is.
struct Part {
    digit: Digit,
    value: Value,
}

impl Lower<'_> {
    /// The keys; the words that make them are written to the last block, where trials end.
    pub(super) fn keys(&mut self, joint: &[RecordId], blocks: &mut [Block]) -> Vec<Key> {
        if !self.bounds.enter(self.plain.blocks.len() - 1, &mut self.ranges) {
            return Vec::new();
        }
        let parts = parts(self);
        let together = |part: &Part| part.digit.what.is_none_or(|record| joint.contains(&record));
        let all = product(parts.iter());
        let groups: Vec<Vec<Part>> = if all.is_some() || parts.len() == 1 {
            vec![parts]
        } else {
            let (first, others): (Vec<Part>, Vec<Part>) = parts.into_iter().partition(together);
            std::iter::once(first).chain(others.into_iter().map(|part| vec![part])).collect()
        };
        let keys = groups.into_iter().map(|group| self.key(group)).collect();
        if let Some(last) = blocks.last_mut() {
            last.ops.append(&mut self.ops);
        }
        keys
    }

    fn key(&mut self, parts: Vec<Part>) -> Key {
        let digits = parts.iter().map(|part| part.digit).collect();
        let Some(size) = product(parts.iter()) else {
            let regs = parts.iter().map(|part| self.digit(&part.value, true)).collect();
            return Key { kind: KeyKind::Each(regs), digits };
        };
        let value =
            parts.into_iter().map(|part| (part.digit.size, part.value)).reduce(|(many, all), (size, one)| {
                let moved = apply(Operation::Multiply, vec![all, Value::Constant(size as i32)]);
                (many * size, apply(Operation::Add, vec![moved, one]))
            });
        let reg = self.digit(&value.map_or(Value::Constant(0), |(_, value)| value), false);
        Key { kind: KeyKind::Row(reg, size as usize), digits }
    }

    fn digit(&mut self, value: &Value, wide: bool) -> Reg {
        let source = self.value(value);
        let reg = self.column(source, wide);
        if reg.wide == wide {
            return reg;
        }
        let to = self.reg(if wide { Range::new(i64::MIN, i64::MAX) } else { Range::new(0, 0) });
        self.ops.push(Op::Copy(to, reg));
        to
    }
}

/// How many keys there are, if they can be counted in a row.
fn product<'p>(mut parts: impl Iterator<Item = &'p Part>) -> Option<i64> {
    let mut many = 0;
    let all = parts.try_fold(1_i64, |all, part| {
        many += 1;
        all.checked_mul(part.digit.size).filter(|all| *all <= MOST_ALONE)
    });
    all.filter(|all| many == 1 || *all <= MOST_KEYS)
}

fn parts(lower: &Lower) -> Vec<Part> {
    let (plain, ranges) = (lower.plain, &lower.ranges);
    let open = ranges[plain.open.0];
    let closed = || compare(Comparison::Less, Value::Slot(plain.open), Value::Constant(1));
    let sure = open.only() == Some(0);
    let mut parts = vec![part(None, plain.result, (!sure).then(closed), ranges)];
    for (record, value, has) in &plain.records {
        let reported = ranges[has.0];
        if reported.only() == Some(0) {
            continue;
        }
        let reports = match (reported.only(), sure) {
            (Some(_), true) => None,
            (Some(_), false) => Some(closed()),
            (None, true) => Some(Value::Slot(*has)),
            (None, false) => Some(Value::If(Box::new([closed(), Value::Slot(*has), Value::Constant(0)]))),
        };
        parts.push(part(Some(*record), *value, reports, ranges));
    }
    parts
}

/// A digit for what lies in a slot; `has` says whether it counts.
fn part(what: Option<RecordId>, slot: SlotId, has: Option<Value>, ranges: &Ranges) -> Part {
    // Nothing comes near to where ranges end, and there sums would be cut off.
    let range = Range { low: ranges[slot.0].low.max(-1 << 59), ..ranges[slot.0] };
    let maybe = has.is_some();
    let shift = number(range.low - i64::from(maybe));
    let from_low = apply(Operation::Subtract, vec![Value::Slot(slot), shift]);
    let value = match has {
        Some(has) => Value::If(Box::new([has, from_low, Value::Constant(0)])),
        None => from_low,
    };
    let digit = Digit { what, low: range.low, size: range.size() + i64::from(maybe), maybe };
    Part { digit, value }
}

/// A number that may be larger than those of the rules, as sums over a trial are.
fn number(number: i64) -> Value {
    const PART: i32 = 1 << 30;
    let small = |number: i64| Value::Constant(number as i32);
    if i32::try_from(number).is_ok() {
        return small(number);
    }
    let parts =
        apply(Operation::Multiply, vec![small(number.div_euclid(PART.into())), Value::Constant(PART)]);
    apply(Operation::Add, vec![parts, small(number.rem_euclid(PART.into()))])
}
