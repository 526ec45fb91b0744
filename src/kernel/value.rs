//! Values as words: arithmetic over columns, as narrow as the ranges allow, and tables for what looks at one number only.
//!
//! In: a value and what is known of the slots. Out: where its column stands. **Never:** blocks, masks.

use super::code::{How, Op, Reg, Source};
use super::hand::{Act, Deed};
use super::lower::Lower;
use super::range::Range;
use crate::plan::Read;
use crate::plan::program::{Comparison, Operation, SlotId, Stretches, Value};
use std::cell::OnceCell;
use std::rc::Rc;

/// A value that looks at one number is looked up if that has up to so many values.
const MOST_ENTRIES: i64 = 1_024;

/// Up to so many steps are quicker than looking up.
const MOST_STEPS: usize = 6;

const NARROW: Range = Range { low: i16::MIN as i64, high: i16::MAX as i64 };

impl Lower<'_> {
    /// A register for numbers of a range.
    pub(super) fn reg(&mut self, range: Range) -> Reg {
        self.regs += 1;
        Reg { at: self.regs - 1, wide: !NARROW.contains(range) }
    }

    fn put(&mut self, range: Range, op: impl FnOnce(Reg) -> Op) -> Source {
        let to = self.reg(range);
        self.ops.push(op(to));
        Source::Reg(to)
    }

    /// The range of a value here.
    pub(super) fn range(&mut self, value: &Value) -> Range {
        self.bounds.of(value, &mut self.ranges)
    }

    /// Works a value out. What has a narrow range lies in a narrow column.
    pub(super) fn value(&mut self, value: &Value) -> Source {
        let range = self.range(value);
        self.within(value, range)
    }

    /// Works a value out that has that range.
    fn within(&mut self, value: &Value, range: Range) -> Source {
        if range.is_empty() {
            return Source::Constant(0); // never reached
        }
        if let Some(only) = range.only() {
            return Source::Constant(only);
        }
        match self.tabled(value, range).unwrap_or_else(|| self.put_together(value, range)) {
            Source::Reg(reg) if reg.wide && NARROW.contains(range) => self.put(range, |to| Op::Copy(to, reg)),
            source => source,
        }
    }

    fn put_together(&mut self, value: &Value, range: Range) -> Source {
        match value {
            Value::Constant(value) => Source::Constant((*value).into()),
            Value::Slot(slot) => Source::Reg(self.read(*slot)),
            Value::Apply(operation, operands) => self.applied(*operation, operands, range),
            Value::If(parts) => self.either(&parts[0], &parts[1], &parts[2], range),
            Value::Among(value, stretches) => self.among(value, stretches),
            Value::Lookup(key, first, entries) => self.entries(key, *first, entries, range),
            Value::Ask(heap, asked) => {
                let mut operands = Vec::new();
                let asked = asked.map(&mut |part| self.operand(part, &mut operands));
                let to = self.reg(range);
                let act = Act::Ask(to, heap.0, asked);
                self.ops.push(Op::Hand(Box::new(Deed { on: None, operands, act })));
                Source::Reg(to)
            }
        }
    }

    /// A value that is worked out for all lanes, and stands among the operands.
    pub(super) fn operand(&mut self, value: &Value, operands: &mut Vec<Reg>) -> Value {
        match self.value(value) {
            Source::Constant(value) => Value::Constant(value as i32),
            Source::Reg(reg) => {
                operands.push(reg);
                Value::Slot(SlotId(operands.len() - 1))
            }
        }
    }

    /// 0 or 1.
    pub(super) fn flag(&mut self, value: &Value) -> Source {
        let range = self.range(value);
        match self.within(value, range) {
            Source::Constant(value) => Source::Constant((value != 0).into()),
            Source::Reg(reg) if range.low < 0 || range.high > 1 => {
                self.put(Range::new(0, 1), |to| Op::Apply(How::Unequal, to, reg, Source::Constant(0)))
            }
            source => source,
        }
    }

    pub(super) fn not(&mut self, flag: Source) -> Source {
        match flag {
            Source::Constant(value) => Source::Constant(1 - value),
            Source::Reg(reg) => {
                let flag = Range::new(0, 1);
                match self.ops.last() {
                    Some(Op::Apply(How::From, to, flag, Source::Constant(1))) if *to == reg => {
                        return Source::Reg(*flag);
                    }
                    Some(Op::Apply(how, to, left, right)) if *to == reg => {
                        // Mostly nobody needs the first test then.
                        if let Some(how) = opposite(*how) {
                            let (left, right) = (*left, *right);
                            return self.put(flag, |to| Op::Apply(how, to, left, right));
                        }
                    }
                    _ => {}
                }
                self.put(Range::new(0, 1), |to| Op::Apply(How::From, to, reg, Source::Constant(1)))
            }
        }
    }

    /// Whether both flags are 1.
    pub(super) fn both(&mut self, left: Source, right: Source) -> Source {
        match (left, right) {
            (Source::Constant(0), _) | (_, Source::Constant(0)) => Source::Constant(0),
            (Source::Constant(_), other) | (other, Source::Constant(_)) => other,
            (Source::Reg(left), right) => {
                self.put(Range::new(0, 1), |to| Op::Apply(How::And, to, left, right))
            }
        }
    }

    /// Whether one of the flags is 1.
    pub(super) fn any(&mut self, left: Source, right: Source) -> Source {
        match (left, right) {
            (Source::Constant(0), other) | (other, Source::Constant(0)) => other,
            (Source::Constant(_), _) | (_, Source::Constant(_)) => Source::Constant(1),
            (Source::Reg(left), right) => {
                self.put(Range::new(0, 1), |to| Op::Apply(How::Or, to, left, right))
            }
        }
    }

    fn wide(&mut self, source: Source) -> Source {
        match source {
            Source::Reg(reg) if !reg.wide => {
                let to = Reg { at: self.regs, wide: true };
                self.regs += 1;
                self.ops.push(Op::Copy(to, reg));
                Source::Reg(to)
            }
            source => source,
        }
    }

    pub(super) fn column(&mut self, source: Source, wide: bool) -> Reg {
        match source {
            Source::Reg(reg) => reg,
            Source::Constant(value) => {
                let to = Reg { at: self.regs, wide };
                self.regs += 1;
                self.ops.push(Op::Fill(to, value));
                to
            }
        }
    }

    /// What two columns come to, in a register for the range.
    fn two(&mut self, how: How, [left, right]: [Source; 2], range: Range) -> Source {
        let is_test = how.is_test();
        let fits = |source| match source {
            Source::Constant(value) => NARROW.contains(Range::one(value)),
            Source::Reg(reg) => !reg.wide,
        };
        let narrow = fits(left) && fits(right) && (is_test || NARROW.contains(range));
        let [left, right] = if narrow { [left, right] } else { [self.wide(left), self.wide(right)] };
        let (how, left, right) = match (left, right) {
            (Source::Constant(_), Source::Reg(_)) => match turned(how) {
                Some(how) => (how, right, left),
                None => (how, left, right),
            },
            _ => (how, left, right),
        };
        let left = self.column(left, !narrow);
        let range = if is_test { Range::new(0, 1) } else { range };
        if narrow || is_test {
            return self.put(range, |to| Op::Apply(how, to, left, right));
        }
        let to = Reg { at: self.regs, wide: true };
        self.regs += 1;
        self.ops.push(Op::Apply(how, to, left, right));
        if NARROW.contains(range) { self.put(range, |narrow| Op::Copy(narrow, to)) } else { Source::Reg(to) }
    }

    fn applied(&mut self, operation: Operation, operands: &[Value], range: Range) -> Source {
        let ranges: Vec<Range> = operands.iter().map(|operand| self.range(operand)).collect();
        let sources = operands.iter().zip(&ranges).map(|(operand, range)| self.within(operand, *range));
        let sources: Vec<Source> = sources.collect();
        let zero = Source::Constant(0);
        let first = sources[0];
        let second = sources.get(1).copied().unwrap_or(zero);
        let how = match operation {
            Operation::Negate => return self.two(How::Subtract, [zero, first], range),
            Operation::Not => return self.two(How::Subtract, [Source::Constant(1), first], range),
            Operation::Abs => {
                let negated =
                    self.two(How::Subtract, [zero, first], Range::new(-ranges[0].high, -ranges[0].low));
                return self.two(How::Max, [first, negated], range);
            }
            Operation::Min | Operation::Max => {
                let how = if operation == Operation::Min { How::Min } else { How::Max };
                let all = ranges.iter().fold(Range::EMPTY, |all, one| all.join(*one));
                return sources.into_iter().reduce(|a, b| self.two(how, [a, b], all)).unwrap_or(zero);
            }
            Operation::Between => {
                let all = ranges.iter().fold(Range::EMPTY, |all, one| all.join(*one));
                let raised = self.two(How::Max, [first, second], all);
                return self.two(How::Min, [raised, sources[2]], all);
            }
            Operation::Multiply => return self.product([first, second], [ranges[0], ranges[1]], range),
            Operation::Add => How::Add,
            Operation::Subtract => How::Subtract,
            Operation::DivideDown => How::DivideDown,
            Operation::DivideUp => How::DivideUp,
            Operation::Compare(comparison) => test(comparison),
        };
        if let (How::Add | How::Subtract, Source::Constant(0)) = (how, second) {
            return first;
        }
        if let (How::Add, Source::Constant(0)) = (how, first) {
            return second;
        }
        self.two(how, [first, second], range)
    }

    fn product(&mut self, [left, right]: [Source; 2], [a, b]: [Range; 2], range: Range) -> Source {
        match (left, right) {
            (Source::Constant(0), _) | (_, Source::Constant(0)) => Source::Constant(0),
            (Source::Constant(1), other) | (other, Source::Constant(1)) => other,
            (Source::Constant(-1), other) | (other, Source::Constant(-1)) => {
                self.two(How::Subtract, [Source::Constant(0), other], range)
            }
            _ if Range::new(0, 1).contains(a) && Range::new(0, 1).contains(b) => self.both(left, right),
            _ => self.two(How::Multiply, [left, right], range),
        }
    }

    fn either(&mut self, condition: &Value, then: &Value, otherwise: &Value, range: Range) -> Source {
        let flag = self.flag(condition);
        let [then, otherwise] = [(then, true), (otherwise, false)].map(|(part, truth)| {
            let known = self.ranges.supposed();
            let possible = self.bounds.refine(&mut self.ranges, condition, truth);
            let source = if possible { Some(self.value(part)) } else { None };
            self.ranges.forget(known);
            source
        });
        match (flag, then, otherwise) {
            (Source::Constant(0), _, Some(source)) | (_, None, Some(source)) => source,
            (Source::Constant(_), Some(source), _) | (_, Some(source), None) => source,
            (_, None, None) => Source::Constant(0),
            (Source::Reg(flag), Some(then), Some(otherwise)) => self.select(flag, then, otherwise, range),
        }
    }

    /// The second where the flag is 1, else the third.
    pub(super) fn select(&mut self, flag: Reg, then: Source, otherwise: Source, range: Range) -> Source {
        let is_flag = Range::new(0, 1).contains(range);
        match (then, otherwise) {
            (Source::Constant(1), Source::Constant(0)) => return Source::Reg(flag),
            (Source::Constant(0), Source::Constant(1)) => return self.not(Source::Reg(flag)),
            (then, Source::Constant(0)) if is_flag => return self.both(Source::Reg(flag), then),
            (Source::Constant(1), otherwise) if is_flag => return self.any(Source::Reg(flag), otherwise),
            _ => {}
        }
        let is_wide = |source| matches!(source, Source::Reg(reg) if reg.wide);
        if !NARROW.contains(range) || is_wide(then) || is_wide(otherwise) {
            let [then, otherwise] = [self.wide(then), self.wide(otherwise)];
            let to = Reg { at: self.regs, wide: true };
            self.regs += 1;
            self.ops.push(Op::Select(to, flag, then, otherwise));
            return Source::Reg(to);
        }
        self.put(range, |to| Op::Select(to, flag, then, otherwise))
    }

    fn among(&mut self, value: &Value, stretches: &Stretches) -> Source {
        let range = self.range(value);
        let source = self.within(value, range);
        let flag = Range::new(0, 1);
        let mut any = Source::Constant(0);
        for (low, high) in stretches {
            let mut inside = Source::Constant(1);
            for (end, how) in [(low, How::AtLeast), (high, How::AtMost)] {
                let Some(end) = end else { continue };
                let known = self.range(end);
                let end = self.within(end, known);
                let surely = match how {
                    How::AtLeast => known.high <= range.low,
                    _ => range.high <= known.low,
                };
                let holds = if surely { Source::Constant(1) } else { self.two(how, [source, end], flag) };
                inside = self.both(inside, holds);
            }
            any = self.any(any, inside);
        }
        any
    }

    /// One of the entries, where the key finds it.
    fn entries(&mut self, key: &Value, first: i32, entries: &[Value], range: Range) -> Source {
        let source = self.value(key);
        let key = self.column(source, false);
        let mut found = Source::Constant(0);
        for (at, entry) in entries.iter().enumerate() {
            let entry = self.value(entry);
            let here = Source::Constant(i64::from(first) + at as i64);
            let this = self.put(Range::new(0, 1), |to| Op::Apply(How::Equal, to, key, here));
            let this = self.column(this, false);
            found = if at == 0 { entry } else { self.select(this, entry, found, range) };
        }
        found
    }

    /// The value by a table, if it looks at one number only that has few values, and is more than a step away from it.
    fn tabled(&mut self, value: &Value, range: Range) -> Option<Source> {
        let slot = only_slot(value)?;
        let least = if self.facts.known.contains_key(&slot) { 2 } else { 4 };
        let known = if weight(value) < least { None } else { self.told(value, slot) }?;
        Some(self.table(known.of, known.keys, known.table(), range))
    }

    fn table(&mut self, slot: SlotId, keys: Range, table: &[i64], range: Range) -> Source {
        let mut at = self.read(slot);
        let steps: Vec<(i64, i64)> = (1..table.len())
            .filter(|at| table[*at] != table[at - 1])
            .map(|at| (keys.low + at as i64, table[at] - table[at - 1]))
            .collect();
        if steps.is_empty() {
            return Source::Constant(table[0]);
        }
        if at.wide {
            let low = Source::Constant(keys.low);
            let shifted = self.two(How::Subtract, [Source::Reg(at), low], Range::new(0, keys.size() - 1));
            at = self.column(shifted, false);
            return self.put(range, |to| Op::Lookup(to, at, table.to_vec()));
        }
        match (table[0], &steps[..]) {
            (0, [(first, 1)]) => {
                return self.two(How::AtLeast, [Source::Reg(at), Source::Constant(*first)], range);
            }
            (1, [(first, -1)]) => {
                return self.two(How::Less, [Source::Reg(at), Source::Constant(*first)], range);
            }
            (0, [(first, 1), (last, -1)]) if *last == first + 1 => {
                return self.two(How::Equal, [Source::Reg(at), Source::Constant(*first)], range);
            }
            _ => {}
        }
        let slope = steps[0].1;
        if steps.len() + 1 == table.len() && steps.iter().all(|(_, step)| *step == slope) {
            return self.line(Source::Reg(at), keys, slope, table[0], range);
        }
        if steps.len() <= MOST_STEPS {
            let steps = steps.into_iter().map(|(first, step)| (first as i16, step)).collect();
            return self.put(range, |to| Op::Steps(to, at, table[0], steps));
        }
        let first = keys.low;
        let shifted = if first == 0 {
            at
        } else {
            let low = Source::Constant(first);
            let shifted = self.two(How::Subtract, [Source::Reg(at), low], Range::new(0, keys.size() - 1));
            self.column(shifted, false)
        };
        self.put(range, |to| Op::Lookup(to, shifted, table.to_vec()))
    }
}

/// A value that looks at one slot in the end.
#[derive(Clone, Debug)]
pub(super) struct Known<'v> {
    value: &'v Value,
    /// What the slot was set to that the value itself looks at.
    through: Option<Rc<Known<'v>>>,
    /// The slot in the end. It has not changed since.
    pub(super) of: SlotId,
    /// What that can hold.
    keys: Range,
    /// What the value comes to for each of them, where somebody has asked.
    table: OnceCell<Vec<i64>>,
}

impl Known<'_> {
    fn table(&self) -> &[i64] {
        self.table.get_or_init(|| match &self.through {
            Some(known) => worked_out(self.value, known.table()),
            None => worked_out(self.value, &(self.keys.low..=self.keys.high).collect::<Vec<_>>()),
        })
    }
}

impl<'p> Lower<'p> {
    /// Where the value of a slot stands: its own register, or that of the slot that it was set to.
    fn read(&self, slot: SlotId) -> Reg {
        let other = self.facts.same.get(&slot).map(|other| self.slot(*other));
        other.filter(|reg| reg.wide == self.slot(slot).wide).unwrap_or_else(|| self.slot(slot))
    }

    /// Notes that a slot was set to what lies in a register, if that is another slot's.
    pub(super) fn is_same(&mut self, slot: SlotId, from: Reg) {
        let other = SlotId(from.at);
        if from.at < self.plain.slots && other != slot {
            self.facts.same.insert(slot, self.facts.same.get(&other).copied().unwrap_or(other));
        }
    }

    /// Notes what a slot is set to, if that can be told from one other slot.
    pub(super) fn note(&mut self, slot: SlotId, value: &'p Value) {
        let known = if weight(value) > 1 { only_slot(value) } else { None };
        if let Some(known) = known.and_then(|of| self.told(value, of)).filter(|known| known.of != slot) {
            self.facts.known.insert(slot, Rc::new(known));
        }
    }

    /// What is known of a value that looks at one slot, if that has few values. What a slot was set to from another one
    /// counts as looking at that.
    fn told<'v>(&self, value: &'v Value, slot: SlotId) -> Option<Known<'v>>
    where
        'p: 'v,
    {
        if let Some(known) = self.facts.known.get(&slot)
            && self.ranges[known.of.0] == known.keys
        {
            let through = Some(known.clone());
            return Some(Known { value, through, of: known.of, keys: known.keys, table: OnceCell::new() });
        }
        let keys = self.ranges[slot.0];
        let is_small = !keys.is_empty() && keys.size() <= MOST_ENTRIES;
        is_small.then_some(Known { value, through: None, of: slot, keys, table: OnceCell::new() })
    }

    /// A number that goes up or down with another in even steps.
    fn line(&mut self, at: Source, keys: Range, slope: i64, first: i64, range: Range) -> Source {
        let from = first - slope * keys.low;
        if slope == -1 {
            return self.two(How::Subtract, [Source::Constant(from), at], range);
        }
        let reached =
            Range::new((slope * keys.low).min(slope * keys.high), (slope * keys.low).max(slope * keys.high));
        let moved =
            if slope == 1 { at } else { self.two(How::Multiply, [at, Source::Constant(slope)], reached) };
        if from == 0 { moved } else { self.two(How::Add, [moved, Source::Constant(from)], range) }
    }
}

fn test(comparison: Comparison) -> How {
    match comparison {
        Comparison::Less => How::Less,
        Comparison::AtMost => How::AtMost,
        Comparison::More => How::More,
        Comparison::AtLeast => How::AtLeast,
    }
}

/// The test that holds where this one does not.
fn opposite(how: How) -> Option<How> {
    Some(match how {
        How::Less => How::AtLeast,
        How::AtLeast => How::Less,
        How::More => How::AtMost,
        How::AtMost => How::More,
        How::Equal => How::Unequal,
        How::Unequal => How::Equal,
        _ => return None,
    })
}

/// The same with its operands in turned order, if there is a word for that.
fn turned(how: How) -> Option<How> {
    Some(match how {
        How::Subtract => How::From,
        How::From => How::Subtract,
        How::Less => How::More,
        How::More => How::Less,
        How::AtMost => How::AtLeast,
        How::AtLeast => How::AtMost,
        How::DivideDown | How::DivideUp => return None,
        how => how,
    })
}

/// The one slot that a value looks at.
pub(super) fn only_slot(value: &Value) -> Option<SlotId> {
    let (mut only, mut others) = (None, false);
    value.reads(&mut |read| match read {
        Read::Slot(slot) => others |= *only.get_or_insert(slot) != slot,
        Read::Heap(_) => others = true,
    });
    only.filter(|_| !others)
}

/// Roughly how many words a value takes.
pub(super) fn weight(value: &Value) -> usize {
    let mut weight = match value {
        Value::Lookup(..) => 3,
        Value::Apply(Operation::DivideDown | Operation::DivideUp, _) => 4,
        _ => 1,
    };
    value.parts(&mut |part| weight += self::weight(part));
    weight
}

/// What a value that looks at one slot comes to for each number that this may hold. No dice are asked.
pub(super) fn worked_out(value: &Value, keys: &[i64]) -> Vec<i64> {
    let all = |value: &Value| worked_out(value, keys);
    let each = 0..keys.len();
    match value {
        Value::Constant(value) => vec![i64::from(*value); keys.len()],
        Value::Slot(_) => keys.to_vec(),
        Value::Apply(operation, operands) => {
            let (operands, mut row) = (operands.iter().map(all).collect::<Vec<_>>(), Vec::new());
            each.map(|at| {
                row.clear();
                row.extend(operands.iter().map(|operand| operand[at]));
                operation.apply(&row).unwrap_or(0)
            })
            .collect()
        }
        Value::If(parts) => {
            let [condition, then, otherwise] = [0, 1, 2].map(|part| all(&parts[part]));
            each.map(|at| if condition[at] != 0 { then[at] } else { otherwise[at] }).collect()
        }
        Value::Among(value, stretches) => {
            let (values, mut inside) = (all(value), vec![0; keys.len()]);
            for (low, high) in stretches {
                let [low, high] = [low, high].map(|end| end.as_ref().map(all));
                for at in each.clone() {
                    let above = low.as_ref().is_none_or(|low| low[at] <= values[at]);
                    let below = high.as_ref().is_none_or(|high| values[at] <= high[at]);
                    inside[at] |= i64::from(above && below);
                }
            }
            inside
        }
        Value::Lookup(inner, first, entries) => {
            let entry = |(at, number): (usize, i64)| {
                let entry = usize::try_from(number - i64::from(*first)).ok().and_then(|at| entries.get(at));
                entry.map_or(0, |entry| worked_out(entry, &keys[at..=at])[0])
            };
            all(inner).into_iter().enumerate().map(entry).collect()
        }
        Value::Ask(..) => vec![0; keys.len()],
    }
}
