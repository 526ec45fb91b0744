//! What names a plan: the bytes of its program, and of what its counts are stored under.
//!
//! In: a program with its rules and moves, or where there is none, all that a trial may depend on. Out: a hash. Places in
//! files and the names of slots are no part of it.
//!
//! **Never:** anything left out on which an outcome, a record, or what either is called may depend.

use super::program::{Asked, Dice, Exit, Limits, Options, Picking, Program, Sort, Step, Stretches, Value};
use super::{ContentId, Table};
use crate::rules::tree::{Comparison, End};
use crate::rules::{ChoiceId, Operation, RecordId, Ruleset, TestId, Type};
use crate::scenario::{Aim, Move, Objective};
use std::collections::BTreeSet;
use std::fmt::Write;

/// Changes with every change of what the language means or of how plans are written down, so that results of different
/// meanings are never added up.
const SEMANTICS: &str = "houserule plan 3";

/// The name of a plan that is written out.
pub(super) fn written(program: &Program, rules: &Ruleset, entry: TestId) -> ContentId {
    let mut bytes = Bytes { out: Vec::new(), records: BTreeSet::new() };
    bytes.text(SEMANTICS);
    bytes.values_of(rules, rules.tests[entry.0].result);
    bytes.each(&program.blocks, |bytes, block| {
        bytes.each(&block.steps, Bytes::step);
        bytes.exit(&block.exit);
    });
    bytes.each(&program.loops, |bytes, one| {
        bytes.numbers(&[one.head.0 as i64, one.end.0 as i64, one.cap.into()]);
    });
    let mut choices: Vec<ChoiceId> = Vec::new();
    bytes.each(&program.sites, |bytes, site| {
        let known = choices.iter().position(|choice| *choice == site.choice);
        bytes.number(known.unwrap_or(choices.len()) as i64);
        if known.is_none() {
            choices.push(site.choice);
        }
        bytes.aim(site.aim.as_ref());
    });
    for record in std::mem::take(&mut bytes.records) {
        bytes.number(record.0 as i64);
        bytes.text(&rules.records[record.0].name);
        bytes.values_of(rules, rules.records[record.0].ty);
    }
    ContentId::of_bytes(&bytes.out)
}

/// The name of a plan of that name, played by a table.
pub(super) fn tabled(plan: ContentId, table: &Table) -> ContentId {
    let mut bytes = Bytes { out: plan.0.to_vec(), records: BTreeSet::new() };
    bytes.number(table.result.into());
    bytes.each(&table.records, |bytes, record| bytes.number(record.0 as i64));
    for (site, moves) in &table.sites {
        bytes.number(site.0 as i64);
        bytes.number(moves.moves.len() as i64);
        for (seen, option) in &moves.moves {
            for numbers in [seen, option] {
                bytes.each(numbers, |bytes, number| bytes.number((*number).into()));
            }
        }
    }
    ContentId::of_bytes(&bytes.out)
}

/// The name of a plan that is too long to write out.
pub(super) fn unwritten(
    rules: &Ruleset,
    entry: TestId,
    situation: &[i32],
    moves: &[Option<Move>],
) -> ContentId {
    let mut text = format!("{SEMANTICS} too long {entry:?} {situation:?} {moves:?} ");
    // Writing to a string cannot fail.
    _ = write!(text, "{rules:?}");
    ContentId::of_text(&text)
}

/// Bytes that are the same on every machine and differ for different programs: each part starts with its sort, and
/// lists with their length.
struct Bytes {
    out: Vec<u8>,
    /// The records that came up.
    records: BTreeSet<RecordId>,
}

impl Bytes {
    fn number(&mut self, number: i64) {
        // most numbers are small
        match i8::try_from(number) {
            Ok(small) if small != i8::MIN => self.out.push(small as u8),
            _ => {
                self.out.push(i8::MIN as u8);
                self.out.extend(number.to_le_bytes());
            }
        }
    }

    fn numbers(&mut self, numbers: &[i64]) {
        numbers.iter().for_each(|number| self.number(*number));
    }

    fn text(&mut self, text: &str) {
        self.number(text.len() as i64);
        self.out.extend(text.as_bytes());
    }

    fn each<T>(&mut self, items: &[T], mut write: impl FnMut(&mut Self, &T)) {
        self.number(items.len() as i64);
        items.iter().for_each(|item| write(self, item));
    }

    fn aim(&mut self, aim: Option<&Aim>) {
        let Some(Aim { maximise, of: Objective { record, among } }) = aim else { return self.number(-1) };
        self.numbers(&[i64::from(*maximise), record.map_or(-1, |record| record.0 as i64)]);
        self.number(among.is_some().into());
        self.each(among.as_deref().unwrap_or_default(), |bytes, (low, high)| bytes.numbers(&[*low, *high]));
    }

    /// The names of a type's values, as counts are stored under them.
    fn values_of(&mut self, rules: &Ruleset, ty: Type) {
        match ty {
            Type::Number => self.number(0),
            Type::Flag => self.number(1),
            Type::Kind(kind) => {
                self.number(2);
                self.each(&rules.kinds[kind.0].values, |bytes, value| bytes.text(&value.name));
            }
            Type::Unit(units) => {
                self.number(3);
                self.each(&rules.units[units.0].names, |bytes, name| bytes.text(name));
            }
            Type::Nothing => self.number(4),
        }
    }

    fn step(&mut self, step: &Step) {
        match step {
            Step::Set(slot, value) => {
                self.numbers(&[0, slot.0 as i64]);
                self.value(value);
            }
            Step::Chance(slot, top, bottom) => {
                self.numbers(&[1, slot.0 as i64]);
                self.value(top);
                self.value(bottom);
            }
            Step::Mix(slot, weights) => {
                self.numbers(&[2, slot.0 as i64]);
                self.each(weights, |bytes, (option, weight)| {
                    bytes.numbers(&[i64::from(*option), i64::from(*weight)]);
                });
            }
            Step::Keep(heap, dice) => {
                self.numbers(&[3, heap.0 as i64]);
                self.dice(dice);
            }
            Step::SetItem(heap, number, value) => {
                self.numbers(&[4, heap.0 as i64]);
                self.value(number);
                self.value(value);
            }
            Step::Record(record, adds, value) => {
                self.records.insert(*record);
                self.numbers(&[5, record.0 as i64, i64::from(*adds)]);
                self.value(value);
            }
            Step::Enter(id, most) => {
                self.numbers(&[6, id.0 as i64]);
                self.value(most);
            }
            Step::Choose(slot, site, options) => {
                self.numbers(&[7, slot.0 as i64, site.0 as i64]);
                match options {
                    Options::Listed(listed) => self.each(listed, |bytes, (option, condition)| {
                        bytes.number(i64::from(*option));
                        bytes.value(condition);
                    }),
                    Options::Between(low, high) => {
                        self.number(-1);
                        self.value(low);
                        self.value(high);
                    }
                }
            }
        }
    }

    fn exit(&mut self, exit: &Exit) {
        match exit {
            Exit::Go(to) => self.numbers(&[0, to.0 as i64]),
            Exit::Branch(value, yes, no) => {
                self.numbers(&[1, yes.0 as i64, no.0 as i64]);
                self.value(value);
            }
            Exit::Pass(id, more, full) => self.numbers(&[2, id.0 as i64, more.0 as i64, full.0 as i64]),
            Exit::Done(value) => {
                self.number(3);
                self.value(value);
            }
            Exit::Unresolved => self.number(4),
        }
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Constant(value) => self.numbers(&[0, i64::from(*value)]),
            Value::Slot(slot) => self.numbers(&[1, slot.0 as i64]),
            Value::Apply(op, operands) => {
                self.numbers(&[2, number_of(*op)]);
                self.each(operands, Self::value);
            }
            Value::If(parts) => {
                self.number(3);
                parts.iter().for_each(|part| self.value(part));
            }
            Value::Among(value, stretches) => {
                self.number(4);
                self.value(value);
                self.stretches(stretches);
            }
            Value::Lookup(value, first, entries) => {
                self.numbers(&[5, i64::from(*first)]);
                self.value(value);
                self.each(entries, Self::value);
            }
            Value::Ask(heap, asked) => {
                self.numbers(&[6, heap.0 as i64]);
                self.asked(asked);
            }
        }
    }

    fn asked(&mut self, asked: &Asked) {
        let (sort, stretches, number) = match asked {
            Asked::Sum => (0, None, None),
            Asked::Count(stretches) => (1, Some(stretches), None),
            Asked::Any(stretches) => (2, Some(stretches), None),
            Asked::All(stretches) => (3, Some(stretches), None),
            Asked::Rank(number) => (4, None, Some(number)),
            Asked::Alike(number) => (5, None, Some(number)),
            Asked::Item(number) => (6, None, Some(number)),
        };
        self.number(sort);
        stretches.into_iter().for_each(|stretches| self.stretches(stretches));
        number.into_iter().for_each(|number| self.value(number));
    }

    fn maybe(&mut self, value: &Option<Value>) {
        self.each(value.as_slice(), Self::value);
    }

    fn stretches(&mut self, stretches: &Stretches) {
        self.each(stretches, |bytes, (low, high)| {
            bytes.maybe(low);
            bytes.maybe(high);
        });
    }

    fn limits(&mut self, limits: &Limits) {
        self.maybe(&limits.times);
        self.maybe(&limits.dice);
    }

    fn dice(&mut self, dice: &Dice) {
        match dice {
            Dice::Roll(count, sort) => {
                self.number(0);
                self.value(count);
                match sort {
                    Sort::Faces(faces) => {
                        self.number(0);
                        self.value(faces);
                    }
                    Sort::Own(faces) => {
                        self.number(1);
                        self.each(faces, |bytes, face| bytes.number(i64::from(*face)));
                    }
                }
            }
            Dice::Join(heaps) => {
                self.number(1);
                self.each(heaps, |bytes, heap| bytes.number(heap.0 as i64));
            }
            Dice::List(items) => {
                self.number(2);
                self.each(items, Self::value);
            }
            Dice::Copy(heap) => self.numbers(&[3, heap.0 as i64]),
            Dice::Filter(heap, stretches, others) => {
                self.numbers(&[4, heap.0 as i64, i64::from(*others)]);
                self.stretches(stretches);
            }
            Dice::Extreme(heap, end, number, others) => {
                let highest = i64::from(*end == End::Highest);
                self.numbers(&[5, heap.0 as i64, highest, i64::from(*others)]);
                self.value(number);
            }
            Dice::Reroll(heap, stretches, limits) => {
                self.numbers(&[6, heap.0 as i64]);
                self.stretches(stretches);
                self.limits(limits);
            }
            Dice::Explode(heap, stretches, limits, cap) => {
                self.numbers(&[7, heap.0 as i64, i64::from(*cap)]);
                self.stretches(stretches);
                self.limits(limits);
            }
            Dice::Picked(heap, pick) => {
                self.numbers(&[8, heap.0 as i64, i64::from(pick.keep)]);
                self.maybe(&pick.least);
                self.maybe(&pick.most);
                match &pick.by {
                    Picking::Wanted(stretches) => self.stretches(stretches),
                    Picking::Free(site) => self.numbers(&[-1, site.0 as i64]),
                }
            }
        }
    }
}

/// A number for each operation that never changes.
const fn number_of(op: Operation) -> i64 {
    match op {
        Operation::Negate => 0,
        Operation::Not => 1,
        Operation::Add => 2,
        Operation::Subtract => 3,
        Operation::Multiply => 4,
        Operation::DivideDown => 5,
        Operation::DivideUp => 6,
        Operation::Compare(Comparison::Less) => 7,
        Operation::Compare(Comparison::AtMost) => 8,
        Operation::Compare(Comparison::More) => 9,
        Operation::Compare(Comparison::AtLeast) => 10,
        Operation::Min => 11,
        Operation::Max => 12,
        Operation::Abs => 13,
        Operation::Between => 14,
    }
}
