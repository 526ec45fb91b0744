//! Runs any engine in parallel chunks; returns counts that add.
//!
//! In: plans, a number of trials, a seed. Out: a tally for each plan, the same for any number of threads. All chunks of
//! all plans are one list of work, so that many small plans keep the threads as busy as one large one.
//!
//! **Never:** what an outcome means, text, clocks.

use crate::plan::{CHUNK, Chunk, Engine, Plan, Tally};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Room on each thread for the deepest rules that are accepted, in bytes.
const STACK: usize = 16 << 20;

/// What a run of trials is given besides its plans.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Trials for each plan.
    pub trials: u64,
    /// The seed of all dice.
    pub seed: u64,
    /// How many threads; `None` for one a core.
    pub threads: Option<usize>,
}

/// Why there are no tallies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stopped {
    /// Somebody set the flag.
    Interrupted,
    /// The system gave no threads.
    NoThreads,
}

/// Plays all trials of all plans. `done` is raised by each chunk's trials as it is finished; once `stop` is set, no
/// further chunk is begun.
///
/// # Errors
/// [`Stopped::Interrupted`] if `stop` was set before the end; [`Stopped::NoThreads`] if none could be started.
pub fn simulate(
    engine: &impl Engine,
    plans: &[&Plan],
    effort: Effort,
    done: &AtomicU64,
    stop: &AtomicBool,
) -> Result<Vec<Tally>, Stopped> {
    let threads = effort.threads.unwrap_or(0);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).stack_size(STACK).build();
    let pool = pool.map_err(|_| Stopped::NoThreads)?;
    let chunks = effort.trials.div_ceil(CHUNK);
    let next = AtomicU64::new(0);
    let parts = pool.broadcast(|_| {
        let mut tallies: BTreeMap<usize, Tally> = BTreeMap::new();
        while !stop.load(Ordering::Relaxed) {
            let work = next.fetch_add(1, Ordering::Relaxed);
            let Some(plan) = plans.get((work / chunks) as usize) else { break };
            let number = work % chunks;
            let trials = CHUNK.min(effort.trials - number * CHUNK);
            let tally = engine.play(plan, Chunk { seed: effort.seed, number, trials }, &mut |_, _| {});
            tallies.entry((work / chunks) as usize).or_default().add(&tally);
            done.fetch_add(trials, Ordering::Relaxed);
        }
        tallies
    });
    if stop.load(Ordering::Relaxed) {
        return Err(Stopped::Interrupted);
    }
    let mut tallies = vec![Tally::default(); plans.len()];
    for (plan, tally) in parts.into_iter().flatten() {
        tallies[plan].add(&tally);
    }
    Ok(tallies)
}
