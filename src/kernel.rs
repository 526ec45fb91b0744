//! The fast engine: plays many trials at once, a batch of lanes step by step.
//!
//! In: a plan and a chunk. Out: a tally; on demand each trial with the dice that it used.
//!
//! **Never:** threads, where seeds come from, statistics.

mod allocate;
mod batch;
mod code;
mod count;
mod hand;
mod keys;
mod lanes;
mod lower;
mod once;
mod plain;
mod player;
mod pools;
mod range;
mod region;
mod set;
mod tabled;
mod value;
mod vector;
mod vectors;
mod words;

use crate::plan::program::RecordId;
use crate::plan::{Chunk, ContentId, Plan, Tally, Trial};
use crate::random::Streams;
use code::Code;
use lanes::Lanes;
use std::collections::BTreeMap;

/// Tables may have an entry for so many trials that have been played: then they pay soon, or have not cost much.
const TRIALS_AN_ENTRY: usize = 2;

/// Plays trials many at once. It keeps the program of the plan that it played last.
#[derive(Debug, Default)]
pub struct Kernel {
    last: Option<Last>,
}

#[derive(Debug)]
struct Last {
    /// What is told apart: the plan, and the records that are counted together.
    of: (ContentId, Vec<RecordId>),
    code: Code,
    lanes: Lanes,
    /// How many trials have been played, and with how many entries it was tried to play by tables.
    played: usize,
    tried: usize,
}

impl Kernel {
    /// Plays a chunk and counts how its trials ended; nothing where the plan is too long to be written out.
    pub fn play(&mut self, plan: &Plan, chunk: Chunk) -> Option<Tally> {
        let streams = || Streams::new(chunk.seed, &plan.id.0, chunk.number);
        if !self.last.as_ref().is_some_and(|last| last.of.0 == plan.id && last.of.1 == plan.joint) {
            let code = Code::new(plan, false)?;
            let lanes = Lanes::new(&code, streams());
            self.last = Some(Last { of: (plan.id, plan.joint.clone()), code, lanes, played: 0, tried: 0 });
        }
        let Last { code, lanes, played, tried, .. } = self.last.as_mut()?;
        *played += chunk.trials as usize;
        let most = *played / TRIALS_AN_ENTRY;
        if *tried < tabled::MOST_ENTRIES && most >= 2 * *tried {
            *tried = most;
            if let Some(tabled) = tabled::tabled(code, most) {
                (*lanes, *code, *tried) = (Lanes::new(&tabled, streams()), tabled, tabled::MOST_ENTRIES);
            }
        }
        Some(vectors::play(lanes, code, streams(), chunk.trials as usize, &plan.joint))
    }
}

/// From where to where the number that a trial gives, and each record, can reach, as far as that is proved; nothing where
/// the plan is too long to be written out.
pub fn reach(plan: &Plan) -> BTreeMap<Option<RecordId>, (i64, i64)> {
    const FAR: i64 = 1 << 50; // what is not known lies beyond that
    let code = Code::new(plan, false);
    let digits = code.iter().flat_map(|code| code.keys.iter().flat_map(|key| &key.digits));
    let ends = |digit: &code::Digit| (digit.low, digit.low + digit.size - 1 - i64::from(digit.maybe));
    let known = digits.map(|digit| (digit.what, ends(digit)));
    known.filter(|(_, (low, high))| -FAR < *low && *high < FAR).collect()
}

/// The dice that a trial used, in order: how many faces each has, and the one that was shown; of faces that nothing tells
/// apart, the lowest.
pub type Dice = Vec<(u32, u32)>;

/// Each trial of a chunk, by its number, and the dice that it used. They are those of [`Kernel::play`]. Nothing where the
/// plan is too long to be written out.
pub fn trials(plan: &Plan, chunk: Chunk) -> Option<(Vec<Trial>, Vec<Dice>)> {
    let code = Code::new(plan, true)?;
    let streams = || Streams::new(chunk.seed, &plan.id.0, chunk.number);
    let (mut trials, dice) = Lanes::new(&code, streams()).told(&code, streams(), chunk.trials as usize);
    for trial in &mut trials {
        trial.records.resize(plan.rules.records.len(), None);
    }
    Some((trials, dice))
}

#[cfg(test)]
mod tests;
