//! What is played at a time.

/// How many trials make a chunk, the unit of seeding, storage, scheduling and sharding.
pub const CHUNK: u64 = 65_536;

/// A run of trials of one plan. Its dice depend on the seed, the plan's content id and `number`, and on nothing else. A
/// short chunk need not be the beginning of a full one: an engine that plays many trials at once deals the dice out
/// over those that there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Chunk {
    /// The seed of the whole run.
    pub seed: u64,
    /// Which chunk of the plan's trials, from 0.
    pub number: u64,
    /// How many trials: [`CHUNK`], or fewer in a plan's last chunk.
    pub trials: u64,
}
