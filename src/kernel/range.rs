//! What numbers each slot can hold where, proved.
//!
//! In: a plain program. Out: for each block the range of each slot before it, and for each slot a range of all that is
//! ever laid there. Ranges are intervals: too wide now and then, never too narrow. **Never:** columns.

mod known;

use super::plain::{Plain, PlainExit, PlainStep, Question};
use super::region::live;
use crate::plan::Read;
use crate::plan::program::{Asked, Comparison, Dice, HeapId, Operation, Options, Sort, Stretches, Value};
use std::collections::BTreeMap;

use known::Known;
pub(super) use known::Ranges;

/// From the first to the second, both included; nothing where they cross.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Range {
    pub(super) low: i64,
    pub(super) high: i64,
}

/// No number is larger than this on either side; so sums of a few never overflow.
const FAR: i64 = 1 << 60;

/// Where a bound that keeps growing is tried next.
const STEPS: [i64; 4] = [255, 32_000, i32::MAX as i64, FAR];

/// After so many rounds a bound that still grows is given up for the next of [`STEPS`].
const PATIENCE: usize = 6;

impl Range {
    pub(super) const EMPTY: Self = Self { low: 1, high: 0 };

    pub(super) fn new(low: i64, high: i64) -> Self {
        Self { low: low.clamp(-FAR, FAR), high: high.clamp(-FAR, FAR) }
    }

    pub(super) fn one(value: i64) -> Self {
        Self { low: value, high: value }
    }

    pub(super) fn is_empty(self) -> bool {
        self.low > self.high
    }

    pub(super) fn join(self, other: Self) -> Self {
        if self.is_empty() {
            return other;
        }
        if other.is_empty() {
            self
        } else {
            Self { low: self.low.min(other.low), high: self.high.max(other.high) }
        }
    }

    /// What lies in both.
    fn meet(self, other: Self) -> Self {
        Self { low: self.low.max(other.low), high: self.high.min(other.high) }
    }

    pub(super) fn contains(self, other: Self) -> bool {
        other.is_empty() || self.low <= other.low && other.high <= self.high
    }

    /// The number, if there is only one.
    pub(super) fn only(self) -> Option<i64> {
        (self.low == self.high).then_some(self.low)
    }

    /// How many numbers there are.
    pub(super) fn size(self) -> i64 {
        (self.high - self.low + 1).max(0)
    }

    fn corners(self, other: Self, of: impl Fn(i64, i64) -> i64) -> Self {
        let all = [
            of(self.low, other.low),
            of(self.low, other.high),
            of(self.high, other.low),
            of(self.high, other.high),
        ];
        Self::new(all.into_iter().fold(all[0], i64::min), all.into_iter().fold(all[0], i64::max))
    }

    /// A bound that has grown goes on to the next step at once.
    fn widened(self, before: Self) -> Self {
        let step = |bound: i64| STEPS.into_iter().find(|step| bound <= *step).unwrap_or(FAR);
        Self {
            low: if self.low < before.low && !before.is_empty() { -step(-self.low) } else { self.low },
            high: if self.high > before.high && !before.is_empty() { step(self.high) } else { self.high },
        }
    }
}

#[derive(Debug)]
pub(super) struct Bounds {
    /// The slots that are needed before each block.
    pub(super) live: Vec<Vec<usize>>,
    /// What is known of them there.
    pub(super) before: Vec<Known>,
    /// All that is ever laid in a slot.
    pub(super) slots: Vec<Range>,
    /// Which ways out of each block there are: where the value is not 0, and where it is.
    pub(super) exits: Vec<[bool; 2]>,
    /// What dice or items of hands show, and how many there are.
    hands: Vec<(Range, Range)>,
    /// For each slot that is only added to in loops: how far that can get it.
    sums: Vec<Option<Sum>>,
}

/// A slot that is now and then set anew and else only added to.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Sum {
    /// What it is set to.
    anew: Range,
    /// What is added at each place, and how often a trial comes there at most.
    added: BTreeMap<(usize, usize), (Range, i64)>,
}

impl Sum {
    fn range(&self) -> Range {
        let all = self.added.values().map(|(range, times)| {
            let [low, high] = [range.low.min(0), range.high.max(0)];
            Range::new(low.saturating_mul(*times), high.saturating_mul(*times))
        });
        all.fold(self.anew, |all, one| Range::new(all.low + one.low, all.high + one.high))
    }

    /// What has grown goes on to the next step at once.
    fn widen(&mut self, before: &Self) {
        self.anew = self.anew.widened(before.anew);
        for (place, (range, times)) in &mut self.added {
            if let Some((old, often)) = before.added.get(place) {
                *range = range.widened(*old);
                *times = if *times > *often { FAR } else { *times };
            }
        }
    }
}

/// What is added to a slot by a step that only adds to it.
fn added(step: &PlainStep) -> Option<(usize, &Value)> {
    let PlainStep::Set(slot, Value::Apply(Operation::Add, operands)) = step else { return None };
    match &operands[..] {
        [Value::Slot(same), more] if same == slot && !reads(more, slot.0) => Some((slot.0, more)),
        _ => None,
    }
}

fn reads(value: &Value, slot: usize) -> bool {
    let mut found = false;
    value.reads(&mut |read| found |= matches!(read, Read::Slot(one) if one.0 == slot));
    found
}

impl Bounds {
    pub(super) fn new(plain: &Plain, hands: usize) -> Self {
        let mut bounds = Self {
            live: live(plain),
            before: vec![Known::default(); plain.blocks.len()],
            slots: vec![Range::EMPTY; plain.slots],
            exits: vec![[true; 2]; plain.blocks.len()],
            hands: vec![(Range::EMPTY, Range::one(0)); hands],
            sums: sums(plain),
        };
        let mut back: Vec<Known> = vec![Known::default(); plain.blocks.len()];
        for round in 0.. {
            let (hands, sums) = (bounds.hands.clone(), bounds.sums.clone());
            let new = bounds.sweep(plain, &back);
            let mut settled = bounds.sums == sums;
            if round >= PATIENCE {
                let sums = bounds.sums.iter_mut().flatten().zip(sums.iter().flatten());
                sums.for_each(|(now, before)| now.widen(before));
            }
            for (now, before) in bounds.hands.iter_mut().zip(hands) {
                settled &= *now == before;
                if round >= PATIENCE && *now != before {
                    *now = (now.0.widened(before.0), Range::new(0, i64::from(i32::MAX)));
                }
            }
            if settled && new.iter().zip(&back).all(|(new, old)| old.contains(new)) {
                if round > 0 {
                    // Once more from what really comes back: that can only be narrower.
                    bounds.slots.fill(Range::EMPTY);
                    bounds.sweep(plain, &new);
                }
                break;
            }
            back.iter_mut().zip(&new).for_each(|(old, new)| old.take(new, round >= PATIENCE));
        }
        bounds
    }

    /// Goes through all blocks once; hands back what comes back to the heads of loops.
    fn sweep(&mut self, plain: &Plain, back: &[Known]) -> Vec<Known> {
        let mut ranges = Ranges::new(plain.slots);
        for (known, back) in self.before.iter_mut().zip(back) {
            known.comes = false;
            known.take(back, false);
        }
        self.before[0].grow(self.live[0].iter().map(|_| Range::EMPTY), false);
        let mut new = vec![Known::default(); back.len()];
        for (at, block) in plain.blocks.iter().enumerate() {
            if !self.enter(at, &mut ranges) {
                continue;
            }
            for (number, step) in block.steps.iter().enumerate() {
                self.step(step, &mut ranges);
                self.add(plain, (at, number), step, &mut ranges);
                step.sets(&mut |slot| self.slots[slot.0] = self.slots[slot.0].join(ranges[slot.0]));
            }
            let mut go = |to: usize, ranges: &Ranges| {
                let place = if to > at { &mut self.before[to] } else { &mut new[to] };
                place.grow(self.live[to].iter().map(|slot| ranges[*slot]), false);
            };
            match &block.exit {
                PlainExit::Go(to) => go(*to, &ranges),
                PlainExit::Branch(value, yes, no) => {
                    for (way, to) in [*yes, *no].into_iter().enumerate() {
                        self.exits[at][way] = refine(&mut ranges, value, way == 0, &self.hands);
                        if self.exits[at][way] {
                            go(to, &ranges);
                        }
                        ranges.forget(0);
                    }
                }
                PlainExit::Count => {}
            }
        }
        new
    }

    /// Lays down what is known before a block of slots that are needed there; says whether trials come there.
    pub(super) fn enter(&self, at: usize, ranges: &mut Ranges) -> bool {
        self.known(at).for_each(|(slot, range)| ranges.set(slot, range));
        self.before[at].comes
    }

    /// What is known of the slots that are needed before a block.
    pub(super) fn known(&self, at: usize) -> impl Iterator<Item = (usize, Range)> {
        self.live[at].iter().copied().zip(self.before[at].ranges.iter().copied())
    }

    /// What a step does to the ranges.
    fn step(&mut self, step: &PlainStep, ranges: &mut Ranges) {
        match step {
            PlainStep::Set(slot, value) => {
                let range = of(value, ranges, &self.hands);
                ranges.set(slot.0, range);
            }
            PlainStep::Roll(roll) => {
                let count = of(&roll.count, ranges, &self.hands);
                let most = count.high.max(0);
                let (low, high) = roll.faces.ends();
                for (slot, question) in &roll.asks {
                    let range = match question {
                        Question::Sum => {
                            let face = Range::new(low.into(), high.into());
                            Range::new(count.low.max(0), most).corners(face, |a, b| a * b)
                        }
                        Question::Count(_) => Range::new(0, most),
                    };
                    ranges.set(slot.0, range);
                }
            }
            PlainStep::Die(slot, faces) => {
                let range = Range::new(1, of(faces, ranges, &self.hands).high.max(1));
                ranges.set(slot.0, range);
            }
            PlainStep::Keep(heap, dice, endless, _) => {
                let (shows, number) = self.dice(dice, ranges);
                let (known, most) = &mut self.hands[heap.0];
                (*known, *most) = (known.join(shows), most.join(number));
                if let Some(endless) = endless {
                    ranges.set(endless.0, Range::new(0, 1));
                }
            }
            PlainStep::SetItem(heap, _, value) => {
                let range = of(value, ranges, &self.hands);
                self.hands[heap.0].0 = self.hands[heap.0].0.join(range);
            }
            PlainStep::Choose(slot, _, Options::Listed(listed)) => {
                let all = listed.iter().map(|(option, _)| Range::one((*option).into()));
                ranges.set(slot.0, all.fold(Range::EMPTY, Range::join));
            }
            PlainStep::Choose(slot, _, Options::Between(low, high)) => {
                let all = of(low, ranges, &self.hands).join(of(high, ranges, &self.hands));
                ranges.set(slot.0, all);
            }
        }
    }

    /// A sum is nowhere further than all that is ever added.
    fn add(&mut self, plain: &Plain, place: (usize, usize), step: &PlainStep, ranges: &mut Ranges) {
        let Self { live, before, sums, hands, .. } = self;
        let known = |at: usize, slot: usize| {
            let place = live[at].binary_search(&slot).ok()?;
            before[at].comes.then(|| before[at].ranges[place])
        };
        step.sets(&mut |slot| {
            let Some(sum) = &mut sums[slot.0] else { return };
            let Some((_, more)) = added(step) else {
                sum.anew = sum.anew.join(ranges[slot.0]);
                return;
            };
            // The slot itself is not among what is added, so that it makes no difference that it is set already.
            let range = of(more, ranges, hands);
            let times = times(plain, place.0, &known);
            let (all, most) = sum.added.entry(place).or_insert((Range::EMPTY, 0));
            (*all, *most) = (all.join(range), times.max(*most));
            ranges.set(slot.0, ranges[slot.0].meet(sum.range()));
        });
    }

    /// What dice show, and how many there are.
    fn dice(&self, dice: &Dice, ranges: &mut Ranges) -> (Range, Range) {
        let mut value = |value: &Value| of(value, ranges, &self.hands);
        let hand = |heap: &HeapId| self.hands[heap.0];
        let far = Range::new(0, i64::from(i32::MAX));
        match dice {
            Dice::Roll(count, Sort::Faces(faces)) => {
                (Range::new(1, value(faces).high.max(1)), Range::new(0, value(count).high.max(0)))
            }
            Dice::Roll(count, Sort::Own(faces)) => {
                let shown = faces.iter().map(|face| Range::one((*face).into()));
                (shown.fold(Range::EMPTY, Range::join), Range::new(0, value(count).high.max(0)))
            }
            Dice::Join(heaps) => heaps.iter().map(hand).fold((Range::EMPTY, Range::one(0)), |all, one| {
                (all.0.join(one.0), Range::new(0, all.1.high + one.1.high.min(i64::from(i32::MAX))))
            }),
            Dice::List(items) => {
                (items.iter().map(value).fold(Range::EMPTY, Range::join), Range::one(items.len() as i64))
            }
            Dice::Explode(heap, ..) => (hand(heap).0, far),
            Dice::Filter(heap, ..) | Dice::Extreme(heap, ..) | Dice::Picked(heap, _) => {
                (hand(heap).0, Range::new(0, hand(heap).1.high))
            }
            Dice::Copy(heap) | Dice::Reroll(heap, ..) => hand(heap),
        }
    }

    /// What is known behind a step: also that no slot ever holds anything else.
    pub(super) fn behind(&mut self, step: &PlainStep, ranges: &mut Ranges) {
        self.step(step, ranges);
        step.sets(&mut |slot| {
            ranges.set(slot.0, ranges[slot.0].meet(self.slots[slot.0]));
        });
    }

    /// As [`refine`].
    pub(super) fn refine(&self, ranges: &mut Ranges, condition: &Value, truth: bool) -> bool {
        refine(ranges, condition, truth, &self.hands)
    }

    /// The range of a value. The ranges are the same afterwards.
    pub(super) fn of(&self, value: &Value, ranges: &mut Ranges) -> Range {
        of(value, ranges, &self.hands)
    }
}

/// How often a trial comes to a block at most, by what is known of slots before others.
fn times(plain: &Plain, at: usize, known: &impl Fn(usize, usize) -> Option<Range>) -> i64 {
    let around = plain.loops.iter().filter(|one| one.blocks.contains(&at));
    around.fold(1_i64, |times, one| {
        let most = match &one.most {
            Some(Value::Constant(most)) => i64::from(*most).max(0),
            Some(Value::Slot(slot)) => known(one.blocks.start, slot.0).map_or(FAR, |range| range.high.max(0)),
            _ => FAR,
        };
        times.saturating_mul(most + i64::from(one.once_more)).min(FAR)
    })
}

/// The slots that steps of loops add to.
fn sums(plain: &Plain) -> Vec<Option<Sum>> {
    let mut sums = vec![None; plain.slots];
    let blocks = plain.loops.iter().flat_map(|one| &plain.blocks[one.blocks.clone()]);
    for (slot, _) in blocks.flat_map(|block| &block.steps).filter_map(added) {
        sums[slot] = Some(Sum { anew: Range::EMPTY, added: BTreeMap::new() });
    }
    sums
}

fn of(value: &Value, ranges: &mut Ranges, hands: Hands) -> Range {
    match value {
        Value::Constant(value) => Range::one((*value).into()),
        Value::Slot(slot) => ranges[slot.0],
        Value::Apply(operation, operands) => {
            let mut range = |value| of(value, ranges, hands);
            match &operands[..] {
                [one] => applied(*operation, &[range(one)]),
                [one, other] => applied(*operation, &[range(one), range(other)]),
                all => applied(*operation, &all.iter().map(range).collect::<Vec<_>>()),
            }
        }
        Value::If(parts) => {
            let [condition, then, otherwise] = &**parts;
            let mut all = Range::EMPTY;
            for (part, truth) in [(then, true), (otherwise, false)] {
                let known = ranges.supposed();
                if refine(ranges, condition, truth, hands) {
                    all = all.join(of(part, ranges, hands));
                }
                ranges.forget(known);
            }
            all
        }
        Value::Among(value, stretches) => {
            let range = of(value, ranges, hands);
            among(range, &ends(stretches, ranges, hands))
        }
        Value::Lookup(key, first, entries) => {
            let key = of(key, ranges, hands);
            let at =
                |number: i64| usize::try_from(number - i64::from(*first)).unwrap_or(0).min(entries.len());
            let reached = &entries[at(key.low)..at(key.high.saturating_add(1))];
            reached.iter().map(|entry| of(entry, ranges, hands)).fold(Range::EMPTY, Range::join)
        }
        Value::Ask(heap, asked) => {
            let (shows, number) = hands[heap.0];
            let or_none = shows.join(Range::one(0));
            match asked {
                Asked::Sum => number.corners(or_none, i64::saturating_mul).join(Range::one(0)),
                Asked::Count(_) => Range::new(0, number.high),
                Asked::Any(_) | Asked::All(_) | Asked::Alike(_) => Range::new(0, 1),
                Asked::Rank(_) | Asked::Item(_) => or_none,
            }
        }
    }
}

fn applied(operation: Operation, operands: &[Range]) -> Range {
    if operands.iter().any(|operand| operand.is_empty()) {
        return Range::EMPTY;
    }
    let a = operands[0];
    let b = operands.get(1).copied().unwrap_or(Range::one(0));
    match operation {
        Operation::Negate => Range::new(-a.high, -a.low),
        Operation::Not => Range::new(1 - a.high, 1 - a.low),
        Operation::Add => Range::new(a.low + b.low, a.high + b.high),
        Operation::Subtract => Range::new(a.low - b.high, a.high - b.low),
        Operation::Multiply => a.corners(b, |a, b| a.saturating_mul(b)),
        Operation::DivideDown | Operation::DivideUp => divided(a, b),
        Operation::Compare(comparison) => compared(comparison, a, b),
        Operation::Min => operands
            .iter()
            .fold(a, |all, one| Range { low: all.low.min(one.low), high: all.high.min(one.high) }),
        Operation::Max => operands
            .iter()
            .fold(a, |all, one| Range { low: all.low.max(one.low), high: all.high.max(one.high) }),
        Operation::Abs => {
            let high = a.low.abs().max(a.high.abs());
            Range::new(if a.low <= 0 && a.high >= 0 { 0 } else { a.low.abs().min(a.high.abs()) }, high)
        }
        Operation::Between => Range {
            low: a.low.max(b.low).min(operands[2].low),
            high: a.high.max(b.high).min(operands[2].high),
        },
    }
}

/// The quotient is never further from 0 than the dividend, and never 1 or more off the true one.
fn divided(a: Range, b: Range) -> Range {
    if b.low > 0 || b.high < 0 {
        let range = a.corners(b, |a, b| a / b);
        return Range::new(range.low - 1, range.high + 1);
    }
    let most = a.low.abs().max(a.high.abs());
    Range::new(-most, most)
}

fn compared(comparison: Comparison, a: Range, b: Range) -> Range {
    match comparison {
        Comparison::Less => Range::new((a.high < b.low).into(), (a.low < b.high).into()),
        Comparison::AtMost => Range::new((a.high <= b.low).into(), (a.low <= b.high).into()),
        Comparison::More => compared(Comparison::Less, b, a),
        Comparison::AtLeast => compared(Comparison::AtMost, b, a),
    }
}

/// What dice or items of each hand show, and how many there are.
type Hands<'h> = &'h [(Range, Range)];

type Ends = Vec<(Range, Range)>;

fn ends(stretches: &Stretches, ranges: &mut Ranges, hands: Hands) -> Ends {
    let mut end = |end: &Option<Value>, open: i64| match end {
        None => Range::one(open),
        Some(end) => of(end, ranges, hands),
    };
    stretches.iter().map(|(low, high)| (end(low, -FAR), end(high, FAR))).collect()
}

fn among(value: Range, ends: &Ends) -> Range {
    let surely = ends.iter().any(|(low, high)| low.high <= value.low && value.high <= high.low);
    let maybe = ends.iter().any(|(low, high)| low.low <= value.high && value.low <= high.high);
    Range::new(surely.into(), maybe.into())
}

/// Supposes that a condition holds, or with `false` that it does not; says whether that can be.
fn refine(ranges: &mut Ranges, condition: &Value, truth: bool, hands: Hands) -> bool {
    let can_be = |now: Range| now.only().is_none_or(|value| (value != 0) == truth);
    match condition {
        Value::Slot(slot) => {
            let now = ranges[slot.0];
            let nonzero = Range::new(now.low + i64::from(now.low == 0), now.high - i64::from(now.high == 0));
            can_be(now) && narrow(ranges, condition, if truth { nonzero } else { Range::one(0) })
        }
        Value::Apply(Operation::Not, operands) => refine(ranges, &operands[0], !truth, hands),
        Value::Apply(operation @ Operation::Compare(comparison), operands) => {
            let both = [0, 1].map(|at| of(&operands[at], ranges, hands));
            let comparison = if truth { *comparison } else { opposite(*comparison) };
            can_be(applied(*operation, &both)) && compare(ranges, comparison, operands, both)
        }
        Value::Among(value, stretches) => {
            let range = of(value, ranges, hands);
            let ends = ends(stretches, ranges, hands);
            can_be(among(range, &ends)) && narrow(ranges, value, within(range, &ends, truth))
        }
        Value::If(parts) => match &**parts {
            [first, second, Value::Constant(0)] if truth => {
                refine(ranges, first, true, hands) && refine(ranges, second, true, hands)
            }
            [first, Value::Constant(1), second] if !truth => {
                refine(ranges, first, false, hands) && refine(ranges, second, false, hands)
            }
            _ => can_be(of(condition, ranges, hands)),
        },
        _ => can_be(of(condition, ranges, hands)),
    }
}

fn opposite(comparison: Comparison) -> Comparison {
    match comparison {
        Comparison::Less => Comparison::AtLeast,
        Comparison::AtMost => Comparison::More,
        Comparison::More => Comparison::AtMost,
        Comparison::AtLeast => Comparison::Less,
    }
}

fn compare(ranges: &mut Ranges, comparison: Comparison, operands: &[Value], [a, b]: [Range; 2]) -> bool {
    let (left_most, right_most) = match comparison {
        Comparison::Less => (Range::new(-FAR, b.high - 1), Range::new(a.low + 1, FAR)),
        Comparison::AtMost => (Range::new(-FAR, b.high), Range::new(a.low, FAR)),
        Comparison::More => (Range::new(b.low + 1, FAR), Range::new(-FAR, a.high - 1)),
        Comparison::AtLeast => (Range::new(b.low, FAR), Range::new(-FAR, a.high)),
    };
    narrow(ranges, &operands[0], left_most) && narrow(ranges, &operands[1], right_most)
}

/// Where numbers of a range lie that are in one of the stretches, or with `false` in none.
fn within(range: Range, ends: &Ends, truth: bool) -> Range {
    if truth {
        return ends.iter().fold(Range::EMPTY, |all, (low, high)| all.join(Range::new(low.low, high.high)));
    }
    let mut left = range;
    for _ in 0..ends.len() {
        for (low, high) in ends {
            if low.high <= left.low && left.low <= high.low {
                left.low = high.low + 1;
            }
            if low.high <= left.high && left.high <= high.low {
                left.high = low.high - 1;
            }
        }
    }
    left
}

/// Supposes that a value lies in a range; says whether that can be.
fn narrow(ranges: &mut Ranges, value: &Value, to: Range) -> bool {
    match value {
        Value::Slot(slot) => {
            let range = ranges[slot.0].meet(to);
            ranges.suppose(slot.0, range);
            !range.is_empty()
        }
        Value::Apply(Operation::Add, operands) => match &operands[..] {
            [inner, Value::Constant(more)] | [Value::Constant(more), inner] => {
                narrow(ranges, inner, Range::new(to.low - i64::from(*more), to.high - i64::from(*more)))
            }
            _ => true,
        },
        _ => true,
    }
}

#[cfg(test)]
mod tests;
