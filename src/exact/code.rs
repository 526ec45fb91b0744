//! What is to be done between two stops, as a list of small instructions.
//!
//! It is gone through once for each state and each outcome of a step, so only steps that matter are in it, and the parts
//! of a value are worked out one after another, each in a place of its own behind the slots, where constants lie too.

use super::board::{Board, Report, pair};
use super::fall::Throw;
use super::form::Form;
use super::sketch::{DONE, Sketch, StopId, UNRESOLVED};
use crate::plan::program::{BlockId, Exit, HeapId, Operation, Step, Value};

/// One instruction. Operands are places too.
#[derive(Debug)]
pub(super) enum Code<'p> {
    /// States wait here.
    Stop(StopId),
    /// Keeps in a place what an operation makes of two operands, or of one as both.
    Pair(usize, Operation, usize, usize),
    /// Keeps an answer of dice that are only asked about: of which heap, and its number.
    Answer(usize, HeapId, usize),
    /// Keeps the table's entry for an operand; the first entry is for this number.
    Lookup(usize, usize, i32, &'p [Value]),
    /// Keeps the second operand where the first is not 0, else the third.
    Pick(usize, [usize; 3]),
    /// Keeps a value that has to be worked out as a whole.
    Set(usize, &'p Value),
    /// Reports an operand under the record with this position in the question, or with `true` adds it.
    Record(usize, bool, usize),
    /// Carries out any other step.
    Step(&'p Step),
    /// Goes on with a block.
    Go(BlockId),
    /// The first block where the operand is not 0, else the second.
    Branch(usize, BlockId, BlockId),
    /// The trial ends, with this result where that counts.
    Done(Option<usize>),
    /// The trial ends because the tool's patience does.
    Unresolved,
    /// A pass is counted: nothing comes here, as states wait before such a block.
    Pass,
}

impl<'p> Sketch<'p> {
    /// Writes down a step that leaves nothing open.
    pub(super) fn write_step(&mut self, step: &'p Step) {
        match step {
            Step::Set(slot, value) => self.write_value(slot.0, value),
            Step::Record(record, add, value) => {
                let value = self.operand(value);
                let place = self.question.records.iter().position(|known| known == record);
                self.code.extend(place.map(|place| Code::Record(place, *add, value)));
            }
            _ => self.code.push(Code::Step(step)),
        }
    }

    pub(super) fn write_exit(&mut self, exit: &'p Exit) {
        let code = match exit {
            // what is written next is done next
            Exit::Go(next) if next.0 == self.starts.len() => return,
            Exit::Go(next) => Code::Go(*next),
            Exit::Branch(value, then, otherwise) => Code::Branch(self.operand(value), *then, *otherwise),
            Exit::Done(value) => Code::Done(self.question.result.then(|| self.operand(value))),
            Exit::Unresolved => Code::Unresolved,
            Exit::Pass(..) => Code::Pass,
        };
        self.code.push(code);
    }

    /// Where a value is found, once what is written down for it has been done.
    fn operand(&mut self, value: &'p Value) -> usize {
        let place = self.places.len();
        match value {
            Value::Slot(slot) => return slot.0,
            Value::Constant(number) => self.places.push(*number),
            _ => {
                self.places.push(0);
                self.write_value(place, value);
            }
        }
        place
    }

    fn write_value(&mut self, to: usize, value: &'p Value) {
        let is_there = |value: &Value| matches!(value, Value::Constant(_) | Value::Slot(_));
        let code = match value {
            Value::Apply(operation, operands) if operands.len() <= 2 && !operands.is_empty() => {
                let one = self.operand(&operands[0]);
                let other = operands.get(1).map_or(one, |other| self.operand(other));
                Code::Pair(to, *operation, one, other)
            }
            Value::Lookup(key, first, entries) => Code::Lookup(to, self.operand(key), *first, entries),
            Value::If(parts) if parts[1..].iter().all(is_there) => {
                Code::Pick(to, parts.each_ref().map(|part| self.operand(part)))
            }
            Value::Ask(heap, asked) => match self.forms[heap.0] {
                Form::Answers(summary) => match self.summaries[summary].number(asked) {
                    Some(number) => Code::Answer(to, *heap, number),
                    None => Code::Set(to, value),
                },
                _ => Code::Set(to, value),
            },
            _ => Code::Set(to, value),
        };
        self.code.push(code);
    }
}

impl Board {
    /// Carries out what stands from a place on, up to the next stop; nothing where a pass would have to be counted.
    pub(super) fn run(&mut self, sketch: &Sketch, from: usize) -> Option<StopId> {
        let mut left = sketch.code[from..].iter();
        loop {
            let (to, number) = match left.next()? {
                Code::Stop(stop) => return Some(*stop),
                Code::Pair(to, operation, one, other) => {
                    let (one, other) = (self.slots[*one].into(), self.slots[*other].into());
                    (*to, self.there(i32::try_from(pair(*operation, one, other)).ok()))
                }
                Code::Answer(to, heap, number) => {
                    (*to, self.heaps[heap.0].get(*number).copied().unwrap_or(0))
                }
                Code::Lookup(to, key, first, entries) => {
                    (*to, self.entry(sketch, self.slots[*key], *first, entries))
                }
                Code::Pick(to, [condition, then, otherwise]) => {
                    (*to, self.slots[if self.slots[*condition] != 0 { *then } else { *otherwise }])
                }
                Code::Set(to, value) => (*to, self.number(sketch, value)),
                Code::Go(next) => {
                    left = sketch.code[sketch.starts[next.0]..].iter();
                    continue;
                }
                Code::Branch(condition, then, otherwise) => {
                    let next = if self.slots[*condition] != 0 { then } else { otherwise };
                    left = sketch.code[sketch.starts[next.0]..].iter();
                    continue;
                }
                Code::Done(result) => {
                    self.result = result.map_or(0, |result| self.slots[result]);
                    return Some(DONE);
                }
                Code::Unresolved => {
                    self.reports.fill(0);
                    return Some(UNRESOLVED);
                }
                Code::Pass => return None,
                Code::Record(at, add, value) => {
                    let value = self.slots[*value];
                    self.report(*at, if *add { Report::Added(value) } else { Report::Just(value) });
                    continue;
                }
                Code::Step(step) => {
                    self.carry_out(sketch, step);
                    continue;
                }
            };
            self.slots[to] = number;
        }
    }

    /// Any other step; this stands apart so that the rest stays small.
    #[inline(never)]
    fn carry_out(&mut self, sketch: &Sketch, step: &Step) {
        match step {
            Step::Enter(one, most) => self.left[one.0] = self.number(sketch, most).max(0),
            Step::Keep(heap, dice) => {
                let throw = Throw { sketch, board: self, most: 0 };
                self.heaps[heap.0] = throw.settled(*heap, dice);
            }
            Step::SetItem(heap, at, value) => {
                let (at, value) = (i64::from(self.number(sketch, at)) - 1, self.number(sketch, value));
                let item = usize::try_from(at).ok().and_then(|at| self.heaps[heap.0].get_mut(at));
                match item {
                    Some(item) => *item = value,
                    None => self.fits.set(false),
                }
            }
            _ => {}
        }
    }
}
