//! Drawing trials: who plays them, with which seed, on how many threads; those that were played before are not played again.
//!
//! In: stretches of trials of plans. Out: a tally for each.
//!
//! **Never:** how many trials are wanted, what they say.

use super::store::Store;
use crate::interpret;
use crate::kernel::Kernel;
use crate::plan::{Chunk, Plan, Tally};
use crate::simulate::{Effort, Stopped, Stretch, simulate};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

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
    /// Where finished trials are looked up and kept; `None`: all are played.
    pub store: Option<&'a Store>,
}

impl Draw<'_> {
    /// Plays each stretch, as far as it is not known.
    ///
    /// # Errors
    /// [`Stopped`] if `stop` was set or no thread could be started; what was finished is in the store.
    pub(super) fn tallies(&self, stretches: &[Stretch<'_>]) -> Result<Vec<Tally>, Stopped> {
        let effort = Effort { seed: self.seed, threads: self.threads };
        let Some(store) = self.store else {
            return simulate(play, stretches, effort, self.done, self.stop);
        };
        let (mut tallies, mut gaps, mut of) = (Vec::new(), Vec::new(), Vec::new());
        for (at, stretch) in stretches.iter().enumerate() {
            let (known, missing) = store.look(self.seed, stretch);
            self.done.fetch_add(known.trials, Ordering::Relaxed);
            tallies.push(known);
            of.extend(missing.iter().map(|_| at));
            gaps.extend(missing.into_iter().map(|trials| Stretch { plan: stretch.plan, trials }));
        }
        let play = |kernel: &mut Kernel, plan: &Plan, chunk: Chunk| {
            let tally = play(kernel, plan, chunk);
            store.keep(plan, chunk, &tally);
            tally
        };
        for (at, played) in of.into_iter().zip(simulate(play, &gaps, effort, self.done, self.stop)?) {
            tallies[at].add(&played);
        }
        stretches.iter().for_each(|stretch| store.settle(self.seed, stretch));
        Ok(tallies)
    }
}

/// Plays a chunk: the kernel does, and where there is nothing written out for it the interpreter.
fn play(kernel: &mut Kernel, plan: &Plan, chunk: Chunk) -> Tally {
    kernel.play(plan, chunk).unwrap_or_else(|| interpret::play(plan, chunk))
}
