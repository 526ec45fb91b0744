//! The folded form of a plan: what is left of the rules in one situation under one policy.
//!
//! Calls are written out in place, factors and modifiers that the situation settles are gone, charts are tables over
//! what a roll can be. Dice are never folded away: a program rolls just what the rules roll, in the same order.

use crate::rules::Operation;

/// Something that has a value. Operands are worked out left to right.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Term {
    /// Always the same.
    Constant(i32),
    /// What [`Step::Set`] kept under this number.
    Slot(usize),
    /// The sum of so many dice with so many faces.
    Roll(Box<Term>, u32),
    /// Arithmetic on values.
    Apply(Operation, Vec<Term>),
    /// Condition, then, otherwise; only what is reached is worked out.
    If(Box<Term>, Box<Term>, Box<Term>),
    /// 1 if the value lies in one of the stretches, both ends included, else 0.
    Among(Box<Term>, Vec<(Option<Term>, Option<Term>)>),
    /// One of the options, drawn by weight.
    Mix(Vec<(i32, u32)>),
    /// The table's entry for the value; the first entry is for this number. The value never lies outside.
    Lookup(Box<Term>, i32, Vec<Term>),
    /// The value that the steps return.
    Run(Vec<Step>),
}

/// One step of a [`Term::Run`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// Keeps a value under a number that no other step uses.
    Set(usize, Term),
    /// One of two ways on, by a condition.
    If(Term, Vec<Step>, Vec<Step>),
    /// Ends the run.
    Return(Term),
}

impl Term {
    /// The value, where it is always the same.
    pub fn constant(&self) -> Option<i32> {
        match self {
            Self::Constant(value) => Some(*value),
            _ => None,
        }
    }

    /// Whether working it out needs no steps and no dice.
    pub fn is_plain(&self) -> bool {
        matches!(self, Self::Constant(_) | Self::Slot(_))
    }

    /// Writes the term in bytes that are the same on every machine and differ for different terms: each starts with
    /// its sort, and lists with their length.
    pub fn write(&self, out: &mut Vec<u8>) {
        match self {
            Self::Constant(value) => number(out, 0, i64::from(*value)),
            Self::Slot(slot) => number(out, 1, *slot as i64),
            Self::Roll(count, faces) => {
                number(out, 2, i64::from(*faces));
                count.write(out);
            }
            Self::Apply(op, operands) => {
                number(out, 3, operation_number(*op));
                list(out, operands, Self::write);
            }
            Self::If(condition, then, otherwise) => {
                out.push(4);
                [condition, then, otherwise].into_iter().for_each(|part| part.write(out));
            }
            Self::Among(value, stretches) => {
                out.push(5);
                value.write(out);
                list(out, stretches, |(low, high), out| {
                    list(out, low.as_slice(), Self::write);
                    list(out, high.as_slice(), Self::write);
                });
            }
            Self::Mix(weights) => {
                out.push(6);
                list(out, weights, |(option, weight), out| {
                    number(out, 0, i64::from(*option) << 32 | i64::from(*weight))
                });
            }
            Self::Lookup(value, first, entries) => {
                number(out, 7, i64::from(*first));
                value.write(out);
                list(out, entries, Self::write);
            }
            Self::Run(steps) => {
                out.push(8);
                list(out, steps, Step::write);
            }
        }
    }
}

impl Step {
    fn write(&self, out: &mut Vec<u8>) {
        match self {
            Self::Set(slot, value) => {
                number(out, 9, *slot as i64);
                value.write(out);
            }
            Self::If(condition, then, otherwise) => {
                out.push(10);
                condition.write(out);
                list(out, then, Self::write);
                list(out, otherwise, Self::write);
            }
            Self::Return(value) => {
                out.push(11);
                value.write(out);
            }
        }
    }
}

fn number(out: &mut Vec<u8>, sort: u8, value: i64) {
    out.push(sort);
    out.extend(value.to_le_bytes());
}

fn list<T>(out: &mut Vec<u8>, items: &[T], write: impl Fn(&T, &mut Vec<u8>)) {
    out.extend((items.len() as u64).to_le_bytes());
    items.iter().for_each(|item| write(item, out));
}

/// A number for each operation that never changes.
fn operation_number(op: Operation) -> i64 {
    use crate::rules::tree::Comparison;
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
