//! Paired runs: each draft and the baseline in step on the same dice.
//!
//! In: the situations that are wanted. Out: what the same dice gave under both, or where they do not roll alike.
//!
//! **Never:** anything that enters the tables of independent dice.

use super::{Draw, Study, named};
use crate::analyse::{Analysis, Flow};
use crate::interpret::{self, Ended};
use crate::plan::{CHUNK, Chunk, ContentId, Outcome, Pairs, Plan, Unlike};
use crate::scenario::Measured;
use crate::simulate::{Stopped, shared};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};

/// The most trials of a pair: the interpreter plays them, at a few million a second and core.
const MOST: u64 = 2 * CHUNK;

/// Two plans to be played in step.
#[derive(Clone, Copy)]
struct Pair<'a> {
    plans: [&'a Plan; 2],
    /// Where the first measure of each comes from.
    measured: [&'a Measured; 2],
}

impl Pair<'_> {
    fn id(&self) -> [ContentId; 2] {
        self.plans.map(|plan| plan.id)
    }

    /// Plays a chunk.
    fn play(&self, chunk: Chunk) -> Result<Pairs, Unlike> {
        let value = |side: usize, (outcome, records): Ended| {
            let value = match (self.measured[side].record, outcome) {
                (_, Outcome::Unresolved) => None,
                (None, Outcome::Result(value)) => Some(i64::from(value)),
                (Some(record), _) => records.get(record.0).copied().flatten(),
            };
            value.map(|value| self.measured[side].key(value))
        };
        let mut pairs = Pairs::default();
        interpret::pairs(self.plans, chunk, |one, other| pairs.record(value(0, one), value(1, other)))?;
        Ok(pairs)
    }
}

/// What the chunks of each pair came to: all counts, and the first chunk that failed.
type Played = BTreeMap<usize, (Pairs, Option<(u64, Unlike)>)>;

impl<'a> Study<'a> {
    /// How many trials each pair is played: those of the run, at most [`MOST`].
    fn paired_trials(&self) -> u64 {
        self.scenario.trials.min(MOST)
    }

    /// How many trials the pairs of these situations have together.
    pub fn trials_in_pairs(&self, situations: &BTreeSet<usize>) -> u64 {
        self.paired_trials() * self.pairs(situations).len() as u64
    }

    /// Plays each draft in step with the baseline in these situations, and adds what comes out to the analysis.
    ///
    /// # Errors
    /// [`Stopped`] if `draw.stop` was set or no thread could be started.
    pub fn pair(
        &self,
        analysis: &mut Analysis,
        situations: &BTreeSet<usize>,
        draw: Draw<'_>,
    ) -> Result<(), Stopped> {
        let pairs: Vec<Pair> = self.pairs(situations).into_values().collect();
        let played = self.play_pairs(&pairs, draw)?;
        let found = |(at, pair): (usize, &Pair)| {
            let (counts, failed) = played.get(&at).cloned().unwrap_or_default();
            (pair.id(), failed.map_or(Ok(counts), |(_, unlike)| Err(unlike)))
        };
        let found: BTreeMap<_, Result<Pairs, Unlike>> = pairs.iter().enumerate().map(found).collect();
        let flow = |(variant, situation): (usize, usize)| {
            let pairs = found.get(&self.in_step(variant, situation)?.id())?.clone();
            Some(Flow { variant, situation, pairs, changes: Vec::new() })
        };
        let flows = self.in_pairs(situations).filter_map(flow).collect();
        analysis.set_flows(flows, named(&self.scenario.main().results));
        Ok(())
    }

    /// All chunks of all pairs. Of a pair that fails no later chunk is begun; which one fails first is the same every time.
    fn play_pairs(&self, pairs: &[Pair], draw: Draw<'_>) -> Result<Played, Stopped> {
        let trials = self.paired_trials();
        let chunks = trials.div_ceil(CHUNK);
        let failed: Vec<AtomicU64> = pairs.iter().map(|_| AtomicU64::new(u64::MAX)).collect();
        let one = |played: &mut Played, item: u64| {
            let (at, number) = ((item / chunks) as usize, item % chunks);
            let chunk = Chunk { seed: draw.seed, number, trials: CHUNK.min(trials - number * CHUNK) };
            if number < failed[at].load(Ordering::Relaxed) {
                let (counts, first) = played.entry(at).or_default();
                match pairs[at].play(chunk) {
                    Ok(more) => counts.add(&more),
                    Err(unlike) => {
                        failed[at].fetch_min(number, Ordering::Relaxed);
                        *first = earlier(*first, Some((number, unlike)));
                    }
                }
            }
            draw.done.fetch_add(chunk.trials, Ordering::Relaxed);
        };
        let mut all = Played::new();
        let work = pairs.len() as u64 * chunks;
        for (at, (counts, first)) in shared(work, draw.threads, draw.stop, one)?.into_iter().flatten() {
            let (sum, known) = all.entry(at).or_default();
            sum.add(&counts);
            *known = earlier(*known, first);
        }
        Ok(all)
    }

    /// The pairs that differ, by the names of their plans.
    fn pairs(&self, situations: &BTreeSet<usize>) -> BTreeMap<[ContentId; 2], Pair<'_>> {
        let pair = |(variant, situation)| self.in_step(variant, situation).map(|pair| (pair.id(), pair));
        self.in_pairs(situations).filter_map(pair).collect()
    }

    /// Each draft in each of these situations.
    fn in_pairs(&self, situations: &BTreeSet<usize>) -> impl Iterator<Item = (usize, usize)> {
        let drafts = (0..self.plans.len()).filter(|variant| *variant != self.scenario.baseline);
        drafts.flat_map(|variant| situations.iter().map(move |situation| (variant, *situation)))
    }

    /// The baseline and a draft in a situation; `None` where one of them lacks the first measure.
    fn in_step(&self, variant: usize, situation: usize) -> Option<Pair<'_>> {
        let sides = [self.scenario.baseline, variant];
        let [Some(one), Some(other)] = sides.map(|variant| self.scenario.main().variants[variant].as_ref())
        else {
            return None;
        };
        Some(Pair { plans: sides.map(|variant| &self.plans[variant][situation]), measured: [one, other] })
    }
}

/// Of two failures the one in the earlier chunk.
fn earlier(one: Option<(u64, Unlike)>, other: Option<(u64, Unlike)>) -> Option<(u64, Unlike)> {
    one.into_iter().chain(other).min_by_key(|(number, _)| *number)
}
