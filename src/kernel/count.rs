//! Counting trials by their keys.
//!
//! In: columns of keys. Out: a tally. **Never:** what a key was made of before.

use super::batch::Batch;
use super::code::{Code, Digit, Key, KeyKind};
use crate::plan::program::RecordId;
use crate::plan::{Outcome, Tally, Trial};
use std::collections::BTreeMap;

/// So many short rows are counted side by side: a lane need not wait for the count of the one before. In a long row the
/// next lane hardly ever has the same key.
const ROWS: usize = 4;

/// How long rows may be.
const SMALL: usize = 1 << 8;
const MEDIUM: usize = 1 << 12;
const LARGE: usize = 1 << 15;

/// Up to so many keys are counted key by key instead, many lanes at once.
const FEW: usize = 8;

/// How many trials have each key.
#[derive(Debug)]
pub(super) enum Counts {
    Rows(Vec<u32>, usize),
    /// The digits of all trials, one trial's after another's.
    Each(Vec<i64>),
}

impl Counts {
    pub(super) fn new(key: &Key) -> Self {
        match &key.kind {
            KeyKind::Row(..) | KeyKind::Told(..) => {
                let size = key.rows();
                let lengths = [ROWS * SMALL, MEDIUM, LARGE];
                let length = lengths
                    .into_iter()
                    .find(|length| size <= *length && (size <= SMALL || *length > ROWS * SMALL));
                Self::Rows(vec![0; length.unwrap_or(LARGE)], size)
            }
            KeyKind::Each(_) => Self::Each(Vec::new()),
        }
    }

    /// Counts all lanes in play.
    #[inline(always)]
    pub(super) fn add(&mut self, key: &Key, batch: &Batch) {
        match (self, &key.kind) {
            (Self::Rows(counts, size), KeyKind::Row(reg, _) | KeyKind::Told(reg, _)) => {
                let keys = &batch.narrow[reg.at][..batch.lanes];
                if *size <= FEW { few(counts, *size, keys) } else { rows(counts, keys) }
            }
            (Self::Each(digits), KeyKind::Each(regs)) => {
                for lane in 0..batch.lanes {
                    digits.extend(regs.iter().map(|reg| batch.wide[reg.at][lane]));
                }
            }
            _ => {}
        }
    }
}

/// Each key by itself: how many lanes have it.
#[inline(always)]
fn few(counts: &mut [u32], size: usize, keys: &[i16]) {
    for (key, count) in counts[..size].iter_mut().enumerate() {
        let mut have = 0_i16; // at most a batch
        for one in keys {
            have += i16::from(*one == key as i16);
        }
        *count += have as u32;
    }
}

/// A count for each key, in rows of one of a few lengths, so that no key need be looked at to see whether it fits.
#[inline(always)]
fn rows(counts: &mut [u32], keys: &[i16]) {
    match counts.len() {
        MEDIUM => rows_of::<MEDIUM, 1>(counts, keys),
        LARGE => rows_of::<LARGE, 1>(counts, keys),
        _ => rows_of::<SMALL, ROWS>(counts, keys),
    }
}

#[inline(always)]
fn rows_of<const SIZE: usize, const MANY: usize>(counts: &mut [u32], keys: &[i16]) {
    let Some(rows) = counts.as_chunks_mut::<SIZE>().0.first_chunk_mut::<MANY>() else { return };
    let (groups, rest) = keys.as_chunks::<MANY>();
    for group in groups {
        for (row, key) in rows.iter_mut().zip(group) {
            row[usize::from(*key as u16) % SIZE] += 1;
        }
    }
    for key in rest {
        rows[0][usize::from(*key as u16) % SIZE] += 1;
    }
}

/// The tally of a chunk; the counts begin again.
pub(super) fn tally(code: &Code, counts: &mut [Counts], joint: &[RecordId], trials: u64) -> Tally {
    let mut tally = Tally { trials, ..Tally::default() };
    for (key, counts) in code.keys.iter().zip(counts) {
        match counts {
            Counts::Rows(rows, size) => {
                let sums: Vec<u32>;
                let counts = if *size <= SMALL {
                    sums = (0..*size).map(|at| rows[at..].iter().step_by(SMALL).sum()).collect();
                    &sums
                } else {
                    &rows[..*size]
                };
                for (number, count) in key.numbers(counts) {
                    told(key, &apart(number, &key.digits), count.into(), joint, &mut tally);
                }
                rows.fill(0);
            }
            Counts::Each(each) => {
                let mut trials: Vec<&[i64]> = each.chunks(key.digits.len()).collect();
                trials.sort_unstable();
                for alike in trials.chunk_by(|one, next| one == next) {
                    told(key, alike[0], alike.len() as u64, joint, &mut tally);
                }
                each.clear();
            }
        }
    }
    tally
}

/// The digits of a key that is one number.
fn apart(number: usize, digits: &[Digit]) -> Vec<i64> {
    let mut left = number as i64;
    let mut apart: Vec<i64> = digits
        .iter()
        .rev()
        .map(|digit| {
            let one = left % digit.size;
            left /= digit.size;
            one
        })
        .collect();
    apart.reverse();
    apart
}

impl Digit {
    /// What the digit stands for.
    pub(super) fn value(&self, digit: i64) -> Option<i64> {
        if self.maybe { (digit != 0).then(|| digit - 1 + self.low) } else { Some(digit + self.low) }
    }
}

fn told(key: &Key, digits: &[i64], count: u64, joint: &[RecordId], tally: &mut Tally) {
    let values: Vec<(Option<RecordId>, Option<i64>)> =
        key.digits.iter().zip(digits).map(|(digit, one)| (digit.what, digit.value(*one))).collect();
    let of = |what| values.iter().find(|(known, _)| *known == what).map(|(_, value)| *value);
    for (what, value) in &values {
        match (what, value) {
            (None, None) => tally.unresolved += count,
            (None, Some(result)) => *tally.counts.entry(*result as i32).or_default() += count,
            (Some(_), None) => {}
            (Some(record), Some(value)) => {
                *tally.records.entry(*record).or_default().entry(*value).or_default() += count;
            }
        }
    }
    // Results and the records of joint tables stand in one key.
    if !joint.is_empty() && matches!(of(None), Some(Some(_))) {
        let together = joint.iter().map(|record| of(Some(*record)).flatten()).collect();
        *tally.joint.entry(together).or_default() += count;
    }
}

impl Key {
    /// How long a row its counts need.
    fn rows(&self) -> usize {
        match &self.kind {
            KeyKind::Row(_, size) => *size,
            KeyKind::Told(_, keys) => keys.len(),
            KeyKind::Each(_) => 0,
        }
    }

    /// How many trials have the digits that make each number, of those that some have.
    fn numbers(&self, counts: &[u32]) -> BTreeMap<usize, u32> {
        let mut numbers = BTreeMap::new();
        for (number, count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            let key = if let KeyKind::Told(_, keys) = &self.kind { keys[number].into() } else { number };
            *numbers.entry(key).or_default() += count;
        }
        numbers
    }

    /// Adds what the key says of a lane to its trial.
    pub(super) fn tell(&self, batch: &Batch, lane: usize, trial: &mut Trial) {
        let digits = match &self.kind {
            KeyKind::Row(reg, _) => apart(usize::from(batch.narrow[reg.at][lane] as u16), &self.digits),
            KeyKind::Told(reg, keys) => {
                let key = keys[usize::from(batch.narrow[reg.at][lane] as u16)];
                apart(key.into(), &self.digits)
            }
            KeyKind::Each(regs) => regs.iter().map(|reg| batch.wide[reg.at][lane]).collect(),
        };
        for (digit, one) in self.digits.iter().zip(digits) {
            match (digit.what, digit.value(one)) {
                (None, Some(result)) => trial.outcome = Outcome::Result(result as i32),
                (None, None) => trial.outcome = Outcome::Unresolved,
                (Some(record), value) => {
                    trial.records.resize(trial.records.len().max(record.0 + 1), None);
                    trial.records[record.0] = value;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
