//! Which blocks all lanes go through together, and where they part.
//!
//! In: a plain program. Out: stretches of blocks. In a stretch, blocks that only some lanes come to are done by all, and
//! count where the lane is meant; so long as that is cheaper than to part. Behind it lanes go apart. **Never:** words.

use super::lower::distinct;
use super::plain::{Plain, PlainBlock, PlainExit, PlainStep};
use super::range::{Bounds, Ranges};
use super::set::{Set, needed};
use super::value::weight;
use crate::plan::Read;
use crate::plan::program::{SlotId, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// What the blocks may cost together that not all lanes come to, in hundredths of a nanosecond a lane; more, the dearer it
/// is to part.
const MOST_COST: usize = 500;

/// What one of them may cost.
const MOST_ALONE: usize = 150;
const MOST_AGAIN: usize = 40;

/// To part takes as long again for so many columns that a lane brings along.
const COLUMNS: usize = 4;

#[derive(Debug)]
pub(super) struct Shape {
    /// By the block that they begin with; the last one is the block that counts.
    pub(super) stretches: BTreeMap<usize, Stretch>,
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
            roots.extend(ways(block).filter(|to| *to <= at && bounds.before[*to].comes));
        }
        let (costs, mut known) = (Costs::new(plain, bounds), BTreeMap::new());
        loop {
            let stretches = stretches(&roots, known, &|root| stretch(root, &roots, plain, bounds, &costs));
            // What several stretches end with is a stretch of its own, for lanes to meet in.
            let mut ends = BTreeMap::new();
            for (at, some) in stretches.values().flat_map(|stretch| &stretch.blocks) {
                *ends.entry(*at).or_insert(0) += usize::from(!some);
            }
            let shared = ends.into_iter().filter(|(_, times)| *times > 1).map(|(at, _)| at);
            let new: BTreeSet<usize> = shared.filter(|at| !roots.contains(at)).collect();
            if new.is_empty() {
                return Self { stretches };
            }
            let is_split = |stretch: &Stretch| stretch.blocks.iter().any(|(at, _)| new.contains(at));
            known = stretches;
            known.retain(|_, stretch| !is_split(stretch));
            roots.extend(new);
        }
    }
}

/// The stretches that begin with the roots, and those that these lead to; some are known already.
fn stretches(
    roots: &BTreeSet<usize>,
    mut known: BTreeMap<usize, Stretch>,
    new: &impl Fn(usize) -> Stretch,
) -> BTreeMap<usize, Stretch> {
    let mut stretches = BTreeMap::new();
    let mut left: Vec<usize> = roots.iter().copied().collect();
    while let Some(root) = left.pop() {
        stretches.entry(root).or_insert_with(|| {
            let stretch = known.remove(&root).unwrap_or_else(|| new(root));
            left.extend(&stretch.exits);
            stretch
        });
    }
    stretches
}

fn stretch(root: usize, roots: &BTreeSet<usize>, plain: &Plain, bounds: &Bounds, costs: &Costs) -> Stretch {
    let (mut stretch, lap) = (Stretch::default(), plain.blocks.len());
    let mut pending = Set::new(2 * lap);
    pending.insert(root);
    let mut beyond = Beyond { plain, reached: Set::new(lap), ends: Set::new(lap) };
    let mut cost = 0;
    while let Some(at) = pending.pop(2 * lap) {
        let (again, block) = (at >= lap, at % lap);
        let all = pending.is_empty() && stretch.exits.is_empty();
        let here = if all { 0 } else { costs.blocks[block] };
        let is_end = matches!(plain.blocks[block].exit, PlainExit::Count);
        // Of the next pass only what is asked before it.
        let is_dear = if costs.is_small {
            again
        } else if again {
            here > MOST_AGAIN || cost + here > MOST_COST
        } else {
            let mut others = pending.numbers().map(|to| to % lap).chain(stretch.exits.iter().copied());
            let columns = costs.columns(block, &mut others);
            let most = |cost: usize| cost * (COLUMNS + columns) / COLUMNS;
            here > most(MOST_ALONE) || cost + here > most(MOST_COST)
        };
        let is_elsewhere = if again { all } else { all && roots.contains(&at) || is_head(plain, at) };
        if at != root && (is_end || is_dear || is_elsewhere || beyond.contains(block)) {
            stretch.exits.insert(block);
            beyond.ends.insert(block);
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

/// In how many ways all dice of a program that is small may fall.
const FEW_WAYS: usize = 4_096;

/// Whether a program has few dice, whatever happens, so that it is likely to be played by tables: then words cost nothing,
/// and the fewer stretches the better.
fn is_small(plain: &Plain) -> bool {
    let ways =
        plain.blocks.iter().flat_map(|block| &block.steps).try_fold(1_usize, |ways, step| match step {
            PlainStep::Set(..) => Some(ways),
            PlainStep::Roll(roll) => {
                let Value::Constant(count) = roll.count else { return None };
                let all = ways.checked_mul(distinct(roll).checked_pow(count.max(0) as u32)?)?;
                (all <= FEW_WAYS).then_some(all)
            }
            _ => None,
        });
    ways.is_some()
}

/// Where lanes come that have left a stretch, without going round: there the others wait for them.
struct Beyond<'p> {
    plain: &'p Plain,
    reached: Set,
    /// Blocks behind which nobody has looked yet.
    ends: Set,
}

impl Beyond<'_> {
    fn contains(&mut self, block: usize) -> bool {
        while let Some(at) = self.ends.pop(block) {
            for to in ways(&self.plain.blocks[at]).filter(|to| *to > at) {
                if self.reached.insert(to) {
                    self.ends.insert(to);
                }
            }
        }
        self.reached.contains(block)
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

/// What it costs all lanes to go through blocks, and what lanes to part.
struct Costs<'b> {
    blocks: Vec<usize>,
    /// The innermost loop that each block is in.
    loops: Vec<Option<&'b Range<usize>>>,
    bounds: &'b Bounds,
    is_small: bool,
}

impl<'b> Costs<'b> {
    fn new(plain: &'b Plain, bounds: &'b Bounds) -> Self {
        let mut ranges = Ranges::new(plain.slots);
        let all = 0..plain.blocks.len();
        let inner = |at| {
            let around = plain.loops.iter().map(|one| &one.blocks).filter(|blocks| blocks.contains(&at));
            around.min_by_key(|blocks| blocks.len())
        };
        Self {
            blocks: all.clone().map(|at| block_cost(plain, bounds, at, &mut ranges)).collect(),
            loops: all.map(inner).collect(),
            bounds,
            is_small: is_small(plain),
        }
    }

    /// How many columns the lanes of a block would have to bring along if they parted from those that go to others. Where
    /// those leave a loop, they are not counted: lanes that leave are done with, and should not go through the rest of
    /// the pass.
    fn columns(&self, block: usize, others: &mut impl Iterator<Item = usize>) -> usize {
        let some_leave = self.loops[block].is_some_and(|inner| others.any(|to| !inner.contains(&to)));
        if some_leave { 0 } else { self.bounds.live[block].len() }
    }
}

fn block_cost(plain: &Plain, bounds: &Bounds, at: usize, ranges: &mut Ranges) -> usize {
    let step = |step: &PlainStep| match step {
        PlainStep::Set(_, value) => 3 + 4 * weight(value).min(8),
        PlainStep::Roll(roll) => {
            let most = match &roll.count {
                Value::Constant(count) => *count as i64,
                count if bounds.enter(at, ranges) => 1 + bounds.of(count, ranges).high.max(0),
                _ => 0,
            };
            20 * usize::try_from(most).unwrap_or(0).min(1_000) + 5
        }
        _ => 100,
    };
    plain.blocks[at].steps.iter().map(step).sum()
}

/// The slots that are needed before each block.
pub(super) fn live(plain: &Plain) -> Vec<Vec<usize>> {
    let ways: Vec<Vec<usize>> = plain.blocks.iter().map(|block| ways(block).collect()).collect();
    let live = needed(&ways, plain.slots, |at, needed| {
        match &plain.blocks[at].exit {
            PlainExit::Branch(value, ..) => read(value, needed),
            PlainExit::Count => {
                let records = plain.records.iter().flat_map(|(_, value, has)| [*value, *has]);
                records.chain([plain.result, plain.open]).for_each(|slot| _ = needed.insert(slot.0));
            }
            PlainExit::Go(_) => {}
        }
        for step in plain.blocks[at].steps.iter().rev() {
            step.sets(&mut |slot| needed.remove(slot.0));
            step.parts(&mut |value| read(value, needed));
        }
    });
    live.iter().map(Set::list).collect()
}

fn read(value: &Value, needed: &mut Set) {
    value.reads(&mut |read| {
        if let Read::Slot(slot) = read {
            needed.insert(slot.0);
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
    pub(super) fn parts<'v>(&'v self, each: &mut impl FnMut(&'v Value)) {
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
