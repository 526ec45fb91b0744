//! One state at work: what slots, heaps, counters and records hold, and what values come to.

use super::form::Form;
use super::live::Kept;
use super::mass::Key;
use super::sketch::{DONE, Sketch, StopId, UNRESOLVED};
use crate::dice::distribution::{self, Row, Set};
use crate::plan::program::{Asked, Comparison, HeapId, Operation, Stretches, Value};
use std::cell::Cell;

/// What a heap holds, by its form: answers; a number of dice and their sort; or faces, each with its sort behind it
/// where dice may be rolled again. Sorts are numbers: so many faces, or the position of a list of faces, from -1 down;
/// 0 is what nobody can roll.
pub(super) type Content = Row;

/// What a trial has reported under one name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Report {
    /// Nothing, as far as this way goes.
    Nothing,
    /// So much beside what was there before.
    Added(i32),
    /// Just this.
    Just(i32),
}

impl Report {
    /// One report after another; `None` where the sum does not fit.
    pub(super) fn then(self, next: Self) -> Option<Self> {
        Some(match (self, next) {
            (_, Self::Nothing) => self,
            (Self::Nothing, _) | (_, Self::Just(_)) => next,
            (Self::Added(sum), Self::Added(more)) => Self::Added(sum.checked_add(more)?),
            (Self::Just(sum), Self::Added(more)) => Self::Just(sum.checked_add(more)?),
        })
    }

    pub(super) fn words(self) -> [i32; 2] {
        match self {
            Self::Nothing => [0, 0],
            Self::Added(sum) => [1, sum],
            Self::Just(value) => [2, value],
        }
    }

    pub(super) fn of_words(words: &[i32]) -> Self {
        match words {
            [1, sum] => Self::Added(*sum),
            [2, value] => Self::Just(*value),
            _ => Self::Nothing,
        }
    }
}

/// One state at work.
#[derive(Debug, Default)]
pub(super) struct Board {
    /// What slots hold, then constants and what lies between.
    pub(super) slots: Vec<i32>,
    pub(super) heaps: Vec<Content>,
    /// How many passes of each counted loop are left.
    pub(super) left: Vec<i32>,
    /// For each record that counts, the two words of its report.
    pub(super) reports: Vec<i32>,
    /// The result of a trial that has ended.
    pub(super) result: i32,
    /// Whether every number so far fits.
    pub(super) fits: Cell<bool>,
}

impl Board {
    pub(super) fn new(sketch: &Sketch) -> Self {
        Self {
            slots: sketch.places.to_vec(),
            heaps: vec![Content::new(); sketch.program.heaps.len()],
            left: vec![0; sketch.program.loops.len()],
            reports: vec![0; 2 * sketch.question.records.len()],
            result: 0,
            fits: Cell::new(true),
        }
    }

    /// What is still needed at a stop.
    pub(super) fn key(&self, sketch: &Sketch, stop: StopId) -> Key {
        let mut key = Key::new();
        self.words(sketch, stop, |words| key.extend_from_slice(words));
        key
    }

    /// The same, some words at a time.
    #[inline]
    pub(super) fn words(&self, sketch: &Sketch, stop: StopId, mut each: impl FnMut(&[i32])) {
        match stop {
            UNRESOLVED => return,
            DONE if sketch.question.result => each(&[self.result]),
            DONE => {}
            _ => {
                for kept in &sketch.stops[stop as usize].kept {
                    match kept {
                        Kept::Slot(slot) => each(&[self.slots[slot.0]]),
                        Kept::Left(one) => each(&[self.left[one.0]]),
                        Kept::Heap(heap) => {
                            let content = &self.heaps[heap.0];
                            each(&[content.len() as i32]);
                            each(content);
                        }
                    }
                }
            }
        }
        if !self.reports.is_empty() {
            each(&self.reports);
        }
    }

    /// Puts down what a key keeps.
    pub(super) fn load(&mut self, sketch: &Sketch, stop: StopId, key: &Key) {
        self.put_down(&sketch.stops[stop as usize].kept, key);
    }

    /// The same, by what is kept.
    #[inline]
    pub(super) fn put_down(&mut self, kept: &[Kept], mut key: &[i32]) {
        for kept in kept {
            key = self.read(*kept, key);
        }
        if !key.is_empty() {
            self.reports.copy_from_slice(key);
        }
    }

    /// Puts down what stands first in a key; the rest comes back.
    fn read<'k>(&mut self, kept: Kept, key: &'k [i32]) -> &'k [i32] {
        match (kept, key) {
            (Kept::Slot(slot), [number, rest @ ..]) => {
                self.slots[slot.0] = *number;
                rest
            }
            (Kept::Left(one), [number, rest @ ..]) => {
                self.left[one.0] = *number;
                rest
            }
            (Kept::Heap(heap), [length, rest @ ..]) => {
                let (content, rest) = rest.split_at(*length as usize);
                self.hold(heap, content);
                rest
            }
            (_, []) => key,
        }
    }

    /// Puts down what a heap holds.
    pub(super) fn hold(&mut self, heap: HeapId, content: &[i32]) {
        let held = &mut self.heaps[heap.0];
        match (&mut held[..], content) {
            ([held], [one]) => *held = *one,
            (held, content) if held.len() == content.len() => held.copy_from_slice(content),
            _ => {
                held.clear();
                held.extend_from_slice(content);
            }
        }
    }

    /// The same of what is picked, without the reports, whose place in the key comes back.
    pub(super) fn load_kept(&mut self, kept: &[Kept], key: &Key, pick: impl Fn(Kept) -> bool) -> usize {
        let mut left = &key[..];
        for kept in kept {
            left = match kept {
                _ if pick(*kept) => self.read(*kept, left),
                Kept::Heap(_) => &left[1 + left[0] as usize..],
                _ => &left[1..],
            };
        }
        key.len() - left.len()
    }

    /// Reports something under a record's name.
    pub(super) fn report(&mut self, at: usize, next: Report) {
        let words = &mut self.reports[2 * at..2 * at + 2];
        match Report::of_words(words).then(next) {
            Some(report) => words.copy_from_slice(&report.words()),
            None => self.fits.set(false),
        }
    }

    /// A number that is there, or the end of what can be said.
    pub(super) fn there(&self, number: Option<i32>) -> i32 {
        number.unwrap_or_else(|| {
            self.fits.set(false);
            0
        })
    }

    /// Forgets what is kept there.
    pub(super) fn blank(&mut self, kept: Kept) {
        match kept {
            Kept::Slot(slot) => self.slots[slot.0] = 0,
            Kept::Left(one) => self.left[one.0] = 0,
            Kept::Heap(heap) => self.heaps[heap.0].clear(),
        }
    }

    /// What a value comes to; the checker has proved that it fits.
    #[inline(always)]
    pub(super) fn number(&self, sketch: &Sketch, value: &Value) -> i32 {
        match value {
            Value::Constant(number) => *number,
            Value::Slot(slot) => self.slots[slot.0],
            _ => self.worked_out(sketch, value),
        }
    }

    fn worked_out(&self, sketch: &Sketch, value: &Value) -> i32 {
        match value {
            Value::Constant(_) | Value::Slot(_) => self.number(sketch, value),
            Value::Apply(operation, operands) => self.apply(sketch, *operation, operands),
            Value::If(parts) => {
                let [condition, then, otherwise] = &**parts;
                let part = if self.number(sketch, condition) != 0 { then } else { otherwise };
                self.number(sketch, part)
            }
            Value::Among(value, stretches) => {
                let number = self.number(sketch, value);
                i32::from(stretches.iter().any(|(low, high)| {
                    low.as_ref().is_none_or(|low| self.number(sketch, low) <= number)
                        && high.as_ref().is_none_or(|high| number <= self.number(sketch, high))
                }))
            }
            Value::Lookup(key, first, entries) => {
                self.entry(sketch, self.number(sketch, key), *first, entries)
            }
            Value::Ask(heap, asked) => self.answer(sketch, heap.0, asked),
        }
    }

    /// The table's entry for a key; the first entry is for this number.
    pub(super) fn entry(&self, sketch: &Sketch, key: i32, first: i32, entries: &[Value]) -> i32 {
        let at = usize::try_from(i64::from(key) - i64::from(first));
        let entry = at.ok().and_then(|at| entries.get(at));
        self.there(entry.map(|entry| self.number(sketch, entry)))
    }

    fn apply(&self, sketch: &Sketch, operation: Operation, operands: &[Value]) -> i32 {
        let number = |value: &Value| i64::from(self.number(sketch, value));
        let outcome = match operands {
            [one] => {
                let one = number(one);
                pair(operation, one, one)
            }
            [one, other] => pair(operation, number(one), number(other)),
            [one, other, further @ ..] => {
                let both = pair(operation, number(one), number(other));
                further.iter().map(number).fold(both, |so_far, next| match operation {
                    Operation::Max => so_far.max(next),
                    _ => so_far.min(next),
                })
            }
            [] => 0,
        };
        self.there(i32::try_from(outcome).ok())
    }

    fn answer(&self, sketch: &Sketch, heap: usize, asked: &Asked) -> i32 {
        let content = &self.heaps[heap];
        match &sketch.forms[heap] {
            Form::Answers(summary) => {
                let at = sketch.summaries[*summary].number(asked);
                at.and_then(|at| content.get(at)).copied().unwrap_or(0)
            }
            Form::Dice { rollable, .. } => self.asked(
                sketch,
                content.iter().step_by(1 + usize::from(*rollable)).copied().collect(),
                asked,
            ),
            Form::Unrolled => 0,
        }
    }

    /// A question with its numbers worked out; `None` for what is asked of one die by its place.
    pub(super) fn question(&self, sketch: &Sketch, asked: &Asked) -> Option<distribution::Question> {
        use distribution::Question;
        Some(match asked {
            Asked::Sum => Question::Sum,
            Asked::Count(stretches) => Question::Count(self.spans(sketch, stretches)),
            Asked::Any(stretches) => Question::Any(self.spans(sketch, stretches)),
            Asked::All(stretches) => Question::All(self.spans(sketch, stretches)),
            Asked::Rank(number) => Question::Rank(self.number(sketch, number)),
            Asked::Alike(number) => Question::Alike(self.number(sketch, number)),
            Asked::Item(_) => return None,
        })
    }

    /// What is asked of faces that lie there.
    fn asked(&self, sketch: &Sketch, mut faces: Row, asked: &Asked) -> i32 {
        if let Asked::Item(number) = asked {
            let at = usize::try_from(i64::from(self.number(sketch, number)) - 1);
            return self.there(at.ok().and_then(|at| faces.get(at)).copied());
        }
        faces.sort_unstable();
        self.question(sketch, asked).map_or(0, |question| distribution::answer(&faces, &question))
    }

    /// Stretches with their ends worked out; open sides reach as far as numbers do.
    pub(super) fn spans(&self, sketch: &Sketch, stretches: &Stretches) -> Set {
        let end = |end: &Option<Value>, open| end.as_ref().map_or(open, |end| self.number(sketch, end));
        stretches.iter().map(|(low, high)| (end(low, i32::MIN), end(high, i32::MAX))).collect()
    }
}

/// What an operation makes of its first two operands, or of one as both.
pub(super) fn pair(operation: Operation, a: i64, b: i64) -> i64 {
    match operation {
        Operation::Negate => -a,
        Operation::Not => i64::from(a == 0),
        Operation::Add => a + b,
        Operation::Subtract => a - b,
        Operation::Multiply => a * b,
        Operation::DivideDown => floor(a, b).unwrap_or(i64::MAX),
        Operation::DivideUp => floor(-a, b).map_or(i64::MAX, |quotient| -quotient),
        Operation::Compare(comparison) => i64::from(compare(comparison, a, b)),
        Operation::Min => a.min(b),
        Operation::Max | Operation::Between => a.max(b),
        Operation::Abs => a.abs(),
    }
}

/// The quotient, rounded towards minus infinity.
fn floor(a: i64, b: i64) -> Option<i64> {
    let quotient = a.checked_div(b)?;
    let rest = a - quotient * b;
    Some(if rest != 0 && (rest < 0) != (b < 0) { quotient - 1 } else { quotient })
}

fn compare(comparison: Comparison, a: i64, b: i64) -> bool {
    match comparison {
        Comparison::Less => a < b,
        Comparison::AtMost => a <= b,
        Comparison::More => a > b,
        Comparison::AtLeast => a >= b,
    }
}
