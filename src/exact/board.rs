//! One state at work: what slots, heaps, counters and records hold, and what values come to.

use super::form::Form;
use super::live::Kept;
use super::mass::Key;
use super::sketch::{DONE, Sketch, StopId, UNRESOLVED};
use crate::dice::distribution::{self, Row, Set};
use crate::plan::program::{Asked, Comparison, Operation, Stretches, Value};
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
#[derive(Clone, Debug)]
pub(super) struct Board {
    pub(super) slots: Vec<i32>,
    pub(super) heaps: Vec<Content>,
    /// How many passes of each counted loop are left.
    pub(super) left: Vec<i32>,
    /// For each record that counts.
    pub(super) reports: Vec<Report>,
    /// The result of a trial that has ended.
    pub(super) result: i32,
    /// Whether every number so far fits.
    pub(super) fits: Cell<bool>,
}

impl Board {
    pub(super) fn new(sketch: &Sketch) -> Self {
        Self {
            slots: vec![0; sketch.program.slots.len()],
            heaps: vec![Content::new(); sketch.program.heaps.len()],
            left: vec![0; sketch.program.loops.len()],
            reports: vec![Report::Nothing; sketch.question.records.len()],
            result: 0,
            fits: Cell::new(true),
        }
    }

    /// What is still needed at a stop.
    pub(super) fn key(&self, sketch: &Sketch, stop: StopId) -> Key {
        let mut key = Key::new();
        match stop {
            UNRESOLVED => return key,
            DONE => {
                if sketch.question.result {
                    key.push(self.result);
                }
            }
            _ => {
                for kept in &sketch.stops[stop as usize].kept {
                    self.write(*kept, &mut key);
                }
            }
        }
        self.reports.iter().for_each(|report| key.extend(report.words()));
        key
    }

    fn write(&self, kept: Kept, key: &mut Key) {
        match kept {
            Kept::Slot(slot) => key.push(self.slots[slot.0]),
            Kept::Left(one) => key.push(self.left[one.0]),
            Kept::Heap(heap) => {
                let content = &self.heaps[heap.0];
                key.push(content.len() as i32);
                key.extend_from_slice(content);
            }
        }
    }

    /// Puts down what a key keeps.
    pub(super) fn load(&mut self, sketch: &Sketch, stop: StopId, key: &Key) {
        let kept = &sketch.stops[stop as usize].kept;
        let behind = self.load_kept(kept, key, |_| true);
        for (report, words) in self.reports.iter_mut().zip(key[behind..].chunks(2)) {
            *report = Report::of_words(words);
        }
    }

    /// The same of what is picked, without the reports, whose place in the key comes back.
    pub(super) fn load_kept(&mut self, kept: &[Kept], key: &Key, pick: impl Fn(Kept) -> bool) -> usize {
        let mut at = 0;
        for kept in kept {
            let (from, length) = match kept {
                Kept::Heap(_) => (at + 1, key[at] as usize),
                _ => (at, 1),
            };
            at = from + length;
            if !pick(*kept) {
                continue;
            }
            match kept {
                Kept::Slot(slot) => self.slots[slot.0] = key[from],
                Kept::Left(one) => self.left[one.0] = key[from],
                Kept::Heap(heap) => {
                    self.heaps[heap.0].clear();
                    self.heaps[heap.0].extend_from_slice(&key[from..at]);
                }
            }
        }
        at
    }

    /// Reports something under a record's name.
    pub(super) fn report(&mut self, at: usize, next: Report) {
        match self.reports[at].then(next) {
            Some(report) => self.reports[at] = report,
            None => self.fits.set(false),
        }
    }

    /// A number that is there, or the end of what can be said.
    fn there(&self, number: Option<i32>) -> i32 {
        self.fits.set(self.fits.get() && number.is_some());
        number.unwrap_or(0)
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
    pub(super) fn number(&self, sketch: &Sketch, value: &Value) -> i32 {
        match value {
            Value::Constant(number) => *number,
            Value::Slot(slot) => self.slots[slot.0],
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
                let at = i64::from(self.number(sketch, key)) - i64::from(*first);
                let entry = usize::try_from(at).ok().and_then(|at| entries.get(at));
                self.there(entry.map(|entry| self.number(sketch, entry)))
            }
            Value::Ask(heap, asked) => self.answer(sketch, heap.0, asked),
        }
    }

    fn apply(&self, sketch: &Sketch, operation: Operation, operands: &[Value]) -> i32 {
        let number = |at: usize| operands.get(at).map_or(0, |value| i64::from(self.number(sketch, value)));
        let all = || (0..operands.len()).map(number);
        let (a, b) = (number(0), || number(1));
        let outcome = match operation {
            Operation::Negate => -a,
            Operation::Not => i64::from(a == 0),
            Operation::Add => a + b(),
            Operation::Subtract => a - b(),
            Operation::Multiply => a * b(),
            Operation::DivideDown => floor(a, b()).unwrap_or(i64::MAX),
            Operation::DivideUp => floor(-a, b()).map_or(i64::MAX, |quotient| -quotient),
            Operation::Compare(comparison) => i64::from(compare(comparison, a, b())),
            Operation::Min => all().min().unwrap_or(0),
            Operation::Max => all().max().unwrap_or(0),
            Operation::Abs => a.abs(),
            Operation::Between => number(2).min(a.max(b())),
        };
        self.there(i32::try_from(outcome).ok())
    }

    fn answer(&self, sketch: &Sketch, heap: usize, asked: &Asked) -> i32 {
        let content = &self.heaps[heap];
        match &sketch.forms[heap] {
            Form::Answers(summary) => {
                let known = &sketch.summaries[*summary].asked;
                let at = match known.len() {
                    1 => Some(0),
                    _ => known.iter().position(|known| std::ptr::eq(*known, asked) || *known == asked),
                };
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
