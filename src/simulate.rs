//! Runs any list of work on several threads; plays trials in parallel chunks and returns counts that add.
//!
//! In: plans, who plays them, a number of trials, a seed. Out: a tally for each plan, the same for any number of threads.
//! All chunks of all plans are one list of work, so that many small plans keep the threads as busy as one large one.
//!
//! **Never:** what an outcome means, text, clocks.

use crate::plan::{CHUNK, Chunk, Plan, Tally};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Room on each thread for the deepest rules that are accepted, in bytes.
const STACK: usize = 16 << 20;

/// Trials of one plan, numbered from 0.
#[derive(Clone, Debug)]
pub struct Stretch<'p> {
    /// The plan.
    pub plan: &'p Plan,
    /// Which of its trials; the first is the first of a chunk.
    pub trials: Range<u64>,
}

impl Stretch<'_> {
    /// How many chunks it has, the last one perhaps short.
    fn chunks(&self) -> u64 {
        (self.trials.end - self.trials.start).div_ceil(CHUNK)
    }

    /// One of its chunks, counted from 0.
    fn chunk(&self, at: u64, seed: u64) -> Chunk {
        let start = self.trials.start + at * CHUNK;
        Chunk { seed, number: start / CHUNK, trials: CHUNK.min(self.trials.end - start) }
    }
}

/// What a run of trials is given besides its plans.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
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

/// Plays all trials of all stretches; hands back a tally for each. `play` plays a chunk; each thread keeps a `D` for it from
/// one chunk to the next, mostly of the same plan. `done` is raised by each chunk's trials as it is finished; once `stop`
/// is set, no further chunk is begun.
///
/// # Errors
/// [`Stopped::Interrupted`] if `stop` was set before the end; [`Stopped::NoThreads`] if none could be started.
pub fn simulate<D: Default + Send>(
    play: impl Fn(&mut D, &Plan, Chunk) -> Tally + Sync,
    stretches: &[Stretch<'_>],
    effort: Effort,
    done: &AtomicU64,
    stop: &AtomicBool,
) -> Result<Vec<Tally>, Stopped> {
    let mut work = 0;
    let end = |stretch: &Stretch<'_>| {
        work += stretch.chunks();
        work
    };
    let ends: Vec<u64> = stretches.iter().map(end).collect();
    let one = |(desk, tallies): &mut (D, BTreeMap<usize, Tally>), item: u64| {
        let at = ends.partition_point(|end| *end <= item);
        let stretch = &stretches[at];
        let chunk = stretch.chunk(item + stretch.chunks() - ends[at], effort.seed);
        let tally = play(desk, stretch.plan, chunk);
        tallies.entry(at).or_default().add(&tally);
        done.fetch_add(chunk.trials, Ordering::Relaxed);
    };
    let mut tallies = vec![Tally::default(); stretches.len()];
    for (at, tally) in shared(work, effort.threads, stop, one)?.into_iter().flat_map(|(_, mine)| mine) {
        tallies[at].add(&tally);
    }
    Ok(tallies)
}

/// Does each item of a list of so much work once, on several threads (`None`: one a core); hands back what each thread
/// has gathered, in no order that is the same twice. A thread mostly goes from one item to the next. Once `stop` is
/// set, no further item is begun.
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
    let left = Left::new(work, pool.current_num_threads() as u64);
    let gathered = pool.broadcast(|worker| {
        let mut mine = T::default();
        while !stop.load(Ordering::Relaxed) {
            let Some(item) = left.next(worker.index()) else { break };
            each(&mut mine, item);
        }
        mine
    });
    if stop.load(Ordering::Relaxed) { Err(Stopped::Interrupted) } else { Ok(gathered) }
}

/// What is left of a list of work: a stretch for each worker.
struct Left(Vec<Mutex<Range<u64>>>);

impl Left {
    /// Deals a list out evenly.
    fn new(work: u64, workers: u64) -> Self {
        let cut = |worker| (u128::from(work) * u128::from(worker) / u128::from(workers)) as u64;
        Self((0..workers).map(|worker| Mutex::new(cut(worker)..cut(worker + 1))).collect())
    }

    /// The next item of a worker's stretch; when that is done, half of the longest stretch that another has becomes his.
    fn next(&self, worker: usize) -> Option<u64> {
        let length = |other: &usize| {
            let left = self.of(*other);
            left.end - left.start
        };
        loop {
            if let Some(item) = self.of(worker).next() {
                return Some(item);
            }
            let longest = (0..self.0.len()).max_by_key(length).filter(|other| length(other) > 0)?;
            let half = self.half(longest);
            *self.of(worker) = half;
        }
    }

    /// Takes away the second half of a worker's stretch, the larger one.
    fn half(&self, worker: usize) -> Range<u64> {
        let mut whole = self.of(worker);
        let middle = whole.start + (whole.end - whole.start) / 2;
        let half = middle..whole.end;
        whole.end = middle;
        half
    }

    /// The stretch of one worker.
    fn of(&self, worker: usize) -> MutexGuard<'_, Range<u64>> {
        self.0[worker].lock().unwrap_or_else(PoisonError::into_inner)
    }
}
