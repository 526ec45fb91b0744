//! Drawing trials: who plays them, with which seed, on how many threads.
//!
//! In: stretches of trials of plans. Out: a tally for each.
//!
//! **Never:** how many trials are wanted, what they say.

use crate::interpret;
use crate::kernel::Kernel;
use crate::plan::{Chunk, Plan, Tally};
use crate::simulate::{Effort, Stopped, Stretch, simulate};
use std::sync::atomic::{AtomicBool, AtomicU64};

/// What is needed to play anything.
#[derive(Clone, Copy, Debug)]
pub struct Draw<'a> {
    /// The seed of all dice.
    pub seed: u64,
    /// How many threads; `None` for one a core.
    pub threads: Option<usize>,
    /// Raised as trials are finished.
    pub done: &'a AtomicU64,
    /// Ends the work early once it is set.
    pub stop: &'a AtomicBool,
}

impl Draw<'_> {
    /// Plays each stretch.
    ///
    /// # Errors
    /// [`Stopped`] if `stop` was set or no thread could be started.
    pub(super) fn tallies(&self, stretches: &[Stretch<'_>]) -> Result<Vec<Tally>, Stopped> {
        let effort = Effort { seed: self.seed, threads: self.threads };
        simulate(play, stretches, effort, self.done, self.stop)
    }
}

/// Plays a chunk: the kernel does, and where there is nothing written out for it the interpreter.
fn play(kernel: &mut Kernel, plan: &Plan, chunk: Chunk) -> Tally {
    kernel.play(plan, chunk).unwrap_or_else(|| interpret::play(plan, chunk))
}
