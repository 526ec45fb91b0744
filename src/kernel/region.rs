//! Which blocks all lanes go through together, and where they part.
//!
//! In: a plain program. Out: stretches of blocks. In a stretch, blocks that only some lanes come to are done by all, and
//! count where the lane is meant; so long as that is cheaper than to part. Behind it lanes go apart. **Never:** words.

use super::plain::{Plain, PlainBlock, PlainExit, PlainStep};
use super::range::Bounds;
use super::value::weight;
use crate::plan::Read;
use crate::plan::program::{SlotId, Value};
use std::collections::{BTreeMap, BTreeSet};

/// What the blocks may cost together that not all lanes come to, in hundredths of a nanosecond a lane. Parting takes a few
/// tenths of a nanosecond, and as much again for each column that a lane brings along.
const MOST_COST: usize = 500;

/// What one of them may cost.
const MOST_ALONE: usize = 150;
const MOST_AGAIN: usize = 40;

#[derive(Debug)]
pub(super) struct Shape {
    /// By the block that they begin with; the last one is the block that counts.
    pub(super) stretches: BTreeMap<usize, Stretch>,
    /// The slots that are needed before each block.
    pub(super) live: Vec<BTreeSet<SlotId>>,
}

/// Blocks that all lanes go through together.
#[derive(Debug, Default)]
pub(super) struct Stretch {
    /// In order, and of each whether only some lanes come to it. Numbers beyond those of all blocks mean the same blocks
    /// in the next pass of a loop.
    pub(super) blocks: Vec<(usize, bool)>,
    /// Where lanes go on.
    pub(super) exits: BTreeSet<usize>,
}

impl Shape {
    pub(super) fn new(plain: &Plain, bounds: &Bounds) -> Self {
        let mut roots = BTreeSet::from([0, plain.blocks.len() - 1]);
        for (at, block) in plain.blocks.iter().enumerate() {
            roots.extend(ways(block).filter(|to| *to <= at && bounds.before[*to].is_some()));
        }
        loop {
            let stretches = stretches(&roots, plain, bounds);
            // What several stretches end with is a stretch of its own, for lanes to meet in.
            let mut ends = BTreeMap::new();
            for (at, some) in stretches.values().flat_map(|stretch| &stretch.blocks) {
                *ends.entry(*at).or_insert(0) += usize::from(!some);
            }
            let shared = ends.into_iter().filter(|(_, times)| *times > 1).map(|(at, _)| at);
            let before = roots.len();
            roots.extend(shared);
            if roots.len() == before {
                return Self { stretches, live: live(plain) };
            }
        }
    }
}

fn stretches(roots: &BTreeSet<usize>, plain: &Plain, bounds: &Bounds) -> BTreeMap<usize, Stretch> {
    let mut stretches = BTreeMap::new();
    let mut left: Vec<usize> = roots.iter().copied().collect();
    while let Some(root) = left.pop() {
        stretches.entry(root).or_insert_with(|| {
            let stretch = stretch(root, roots, plain, bounds);
            left.extend(&stretch.exits);
            stretch
        });
    }
    stretches
}

fn stretch(root: usize, roots: &BTreeSet<usize>, plain: &Plain, bounds: &Bounds) -> Stretch {
    let (mut stretch, lap) = (Stretch::default(), plain.blocks.len());
    let mut pending = BTreeSet::from([root]);
    // Where lanes come that have left: there the others wait for them.
    let mut beyond = BTreeSet::new();
    let mut cost = 0;
    while let Some(at) = pending.pop_first() {
        let (again, block) = (at >= lap, at % lap);
        let all = pending.is_empty() && stretch.exits.is_empty();
        let here = if all { 0 } else { costs(&plain.blocks[block], bounds, block) };
        let is_end = matches!(plain.blocks[block].exit, PlainExit::Count);
        // Of the next pass only what is asked before it.
        let is_dear = here > if again { MOST_AGAIN } else { MOST_ALONE } || cost + here > MOST_COST;
        let is_elsewhere = if again { all } else { all && roots.contains(&at) || is_head(plain, at) };
        if at != root && (is_end || is_dear || is_elsewhere || beyond.contains(&block)) {
            stretch.exits.insert(block);
            reach(block, plain, &mut beyond);
            continue;
        }
        cost = if all { 0 } else { cost + here };
        stretch.blocks.push((at, !all));
        for (to, _) in ways(&plain.blocks[block]).zip(bounds.exits[block]).filter(|(_, possible)| *possible) {
            match (to > block, again) {
                (true, _) => _ = pending.insert(to + at - block),
                // The question whether there is another pass is asked in the pass before.
                (false, false) => _ = pending.insert(to + lap),
                (false, true) => _ = stretch.exits.insert(to),
            }
        }
    }
    stretch
}

/// Adds the blocks behind another one, without going round.
fn reach(from: usize, plain: &Plain, reached: &mut BTreeSet<usize>) {
    let mut left = vec![from];
    while let Some(at) = left.pop() {
        let ahead = ways(&plain.blocks[at]).filter(|to| *to > at);
        left.extend(ahead.filter(|to| reached.insert(*to)));
    }
}

/// Whether a block is the head of a loop.
fn is_head(plain: &Plain, at: usize) -> bool {
    plain.loops.iter().any(|one| one.blocks.start == at)
}

fn ways(block: &PlainBlock) -> impl Iterator<Item = usize> + use<> {
    let (first, second) = match block.exit {
        PlainExit::Go(to) => (Some(to), None),
        PlainExit::Branch(_, yes, no) => (Some(yes), Some(no)),
        PlainExit::Count => (None, None),
    };
    first.into_iter().chain(second)
}

fn costs(block: &PlainBlock, bounds: &Bounds, at: usize) -> usize {
    let step = |step: &PlainStep| match step {
        PlainStep::Set(_, value) => 3 + 4 * weight(value).min(8),
        PlainStep::Roll(roll) => {
            let most = match &roll.count {
                Value::Constant(count) => *count as i64,
                count => {
                    let ranges = bounds.before[at].clone();
                    ranges.map_or(0, |mut ranges| 1 + bounds.of(count, &mut ranges).high.max(0))
                }
            };
            20 * usize::try_from(most).unwrap_or(0).min(1_000) + 5
        }
        _ => 100,
    };
    block.steps.iter().map(step).sum()
}

/// The slots that are needed before each block.
fn live(plain: &Plain) -> Vec<BTreeSet<SlotId>> {
    let mut live: Vec<BTreeSet<SlotId>> = vec![BTreeSet::new(); plain.blocks.len()];
    loop {
        let mut changed = false;
        for at in (0..plain.blocks.len()).rev() {
            let needed = before(plain, &plain.blocks[at], &live);
            changed |= needed.len() > live[at].len();
            live[at] = needed;
        }
        if !changed {
            return live;
        }
    }
}

fn before(plain: &Plain, block: &PlainBlock, live: &[BTreeSet<SlotId>]) -> BTreeSet<SlotId> {
    let mut needed: BTreeSet<SlotId> = ways(block).flat_map(|to| &live[to]).copied().collect();
    match &block.exit {
        PlainExit::Branch(value, ..) => read(value, &mut needed),
        PlainExit::Count => {
            needed.extend([plain.result, plain.open]);
            needed.extend(plain.records.iter().flat_map(|(_, value, has)| [*value, *has]));
        }
        PlainExit::Go(_) => {}
    }
    for step in block.steps.iter().rev() {
        step.sets(&mut |slot| _ = needed.remove(&slot));
        step.parts(&mut |value| read(value, &mut needed));
    }
    needed
}

fn read(value: &Value, needed: &mut BTreeSet<SlotId>) {
    value.reads(&mut |read| {
        if let Read::Slot(slot) = read {
            needed.insert(slot);
        }
    });
}

impl PlainStep {
    /// Tells the slots that the step sets.
    pub(super) fn sets(&self, each: &mut impl FnMut(SlotId)) {
        match self {
            Self::Set(slot, _) | Self::Die(slot, _) | Self::Choose(slot, ..) => each(*slot),
            Self::Roll(roll) => roll.asks.iter().for_each(|(slot, _)| each(*slot)),
            Self::Keep(_, _, endless, _) => endless.iter().for_each(|slot| each(*slot)),
            Self::SetItem(..) => {}
        }
    }

    /// Tells the values that the step works out.
    fn parts<'v>(&'v self, each: &mut impl FnMut(&'v Value)) {
        use crate::plan::program::Options;
        match self {
            Self::Set(_, value) | Self::Die(_, value) => each(value),
            Self::Roll(roll) => each(&roll.count),
            Self::Keep(_, dice, _, player) => {
                dice.parts(each);
                player.iter().for_each(|player| player.parts(each));
            }
            Self::SetItem(_, number, value) => [number, value].into_iter().for_each(each),
            Self::Choose(_, player, options) => {
                player.parts(each);
                match options {
                    Options::Listed(listed) => listed.iter().for_each(|(_, open)| each(open)),
                    Options::Between(low, high) => [low, high].into_iter().for_each(each),
                }
            }
        }
    }
}
