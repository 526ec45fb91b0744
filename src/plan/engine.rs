//! The seam between what is played and who plays it.

use super::{Outcome, Plan, Tally};

/// How many trials make a chunk, the unit of seeding, storage, scheduling and sharding.
pub const CHUNK: u64 = 65_536;

/// A run of trials of one plan. Its dice depend on the seed, the plan's content id and `number`, and on nothing else.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Chunk {
    /// The seed of the whole run.
    pub seed: u64,
    /// Which chunk of the plan's trials, from 0.
    pub number: u64,
    /// How many trials: [`CHUNK`], or fewer in a plan's last chunk.
    pub trials: u64,
}

/// Plays trials. A short chunk gives the first trials of the full one.
pub trait Engine: Sync {
    /// Plays a chunk and counts how its trials ended; `each` is told the outcome of each trial by its number within
    /// the chunk, from 0.
    fn play(&self, plan: &Plan, chunk: Chunk, each: &mut dyn FnMut(u64, Outcome)) -> Tally;
}
