//! Runs any list of work on several threads; runs any engine in parallel chunks and returns counts that add.
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

/// Why the work was not done.
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
    let chunks = effort.trials.div_ceil(CHUNK);
    let work = plans.len() as u64 * chunks;
    let play = |tallies: &mut BTreeMap<usize, Tally>, item: u64| {
        let (at, number) = ((item / chunks) as usize, item % chunks);
        let trials = CHUNK.min(effort.trials - number * CHUNK);
        let tally = engine.play(plans[at], Chunk { seed: effort.seed, number, trials }, &mut |_, _| {});
        tallies.entry(at).or_default().add(&tally);
        done.fetch_add(trials, Ordering::Relaxed);
    };
    let mut tallies = vec![Tally::default(); plans.len()];
    for (plan, tally) in shared(work, effort.threads, stop, play)?.into_iter().flatten() {
        tallies[plan].add(&tally);
    }
    Ok(tallies)
}

/// Does each item of a list of so much work once, on several threads (`None`: one a core); hands back what each thread
/// has gathered, in no order that is the same twice. Once `stop` is set, no further item is begun.
///
/// # Errors
/// [`Stopped::Interrupted`] if `stop` was set before the end; [`Stopped::NoThreads`] if none could be started.
pub fn shared<T: Default + Send>(
    work: u64,
    threads: Option<usize>,
    stop: &AtomicBool,
    each: impl Fn(&mut T, u64) + Sync,
) -> Result<Vec<T>, Stopped> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0)).stack_size(STACK).build();
    let pool = pool.map_err(|_| Stopped::NoThreads)?;
    let next = AtomicU64::new(0);
    let gathered = pool.broadcast(|_| {
        let mut mine = T::default();
        while !stop.load(Ordering::Relaxed) {
            let item = next.fetch_add(1, Ordering::Relaxed);
            if item >= work {
                break;
            }
            each(&mut mine, item);
        }
        mine
    });
    if stop.load(Ordering::Relaxed) { Err(Stopped::Interrupted) } else { Ok(gathered) }
}
