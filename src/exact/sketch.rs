//! A program made ready to be followed: where states wait, and what each of them still needs there.

use super::code::Code;
use super::form::{Form, Summary, forms};
use super::live::{Kept, Live, Mattering, Needed, Wanted, sets};
use crate::plan::program::{
    BlockId, Dice, Exit, HeapId, LoopId, Pick, Picking, Program, RecordId, SiteId, SlotId, Sort, Step,
};
use smallvec::{SmallVec, smallvec};
use std::collections::BTreeSet;

/// Position in [`Sketch::stops`], or one of the two below.
pub(super) type StopId = u32;

/// Where trials wait that ended with a result.
pub(super) const DONE: StopId = u32::MAX - 1;
/// Where trials wait that the tool's patience ended.
pub(super) const UNRESOLVED: StopId = u32::MAX;

/// What is to be found out.
#[derive(Clone, Debug, Default)]
pub(super) struct Question {
    /// Whether the result counts.
    pub(super) result: bool,
    /// The records whose joint values count.
    pub(super) records: Vec<RecordId>,
}

/// A place where states wait.
#[derive(Clone, Debug)]
pub(super) struct Stop {
    pub(super) block: BlockId,
    /// The step that is next; `None` before a block.
    pub(super) step: Option<usize>,
    /// What is kept, in the order of keys: counters, then slots, then heaps.
    pub(super) kept: SmallVec<[Kept; 4]>,
    /// Where trials go on behind it.
    pub(super) next: usize,
}

pub(super) struct Sketch<'p> {
    pub(super) program: &'p Program,
    pub(super) question: Question,
    /// In the order in which trials come to them; a way back leads to the head of a loop only.
    pub(super) stops: SmallVec<[Stop; 1]>,
    /// For each block, where it begins in `code`: with a stop, if it is the head of a counted loop or follows one.
    pub(super) starts: SmallVec<[usize; 4]>,
    pub(super) code: Vec<Code<'p>>,
    /// The numbers that the code keeps, as they are at first: those of the slots, then constants and what lies between.
    pub(super) places: SmallVec<[i32; 16]>,
    /// The steps that matter, the last first.
    steps: SmallVec<[Mattering<'p>; 4]>,
    /// For each counted loop, the blocks from which its head is reached again, counted from the head.
    cores: Vec<Vec<bool>>,
    pub(super) forms: SmallVec<[Form; 4]>,
    pub(super) summaries: SmallVec<[Summary<'p>; 1]>,
    /// The faces of all dice that have their own.
    pub(super) own_faces: Vec<&'p Vec<i32>>,
}

impl<'p> Sketch<'p> {
    pub(super) fn new(program: &'p Program, question: Question) -> Self {
        let records = question.records.clone();
        let live = Live::new(program, Wanted { result: question.result, records: &records });
        // What a player sees must not depend on what is asked of the ends of trials.
        let (forms, summaries) = if program.sites.is_empty() {
            heap_forms(&live)
        } else {
            let all: Vec<RecordId> = super::reported(program).into_iter().collect();
            let live = Live::new(program, Wanted { result: true, records: &all });
            heap_forms(&live)
        };
        let mut sketch = Self {
            program,
            question,
            stops: SmallVec::new(),
            starts: SmallVec::with_capacity(program.blocks.len()),
            code: Vec::with_capacity(2 * live.steps.len() + program.blocks.len()),
            places: smallvec![0; program.slots.len()],
            steps: SmallVec::new(),
            cores: cores(program),
            forms,
            summaries,
            own_faces: own_faces(program),
        };
        sketch.write(&live);
        sketch.steps = live.steps;
        sketch
    }

    /// Writes all code, with a stop at the head of each counted loop, behind it, and before each step that chance or a
    /// player decides.
    fn write(&mut self, live: &Live<'p, '_>) {
        let behind = self.behind_loops();
        let mut steps = live.steps.iter().rev().peekable();
        for (at, block) in self.program.blocks.iter().enumerate() {
            let here = BlockId(at);
            self.starts.push(self.code.len());
            if matches!(block.exit, Exit::Pass(..)) || behind.contains(&here) {
                self.stop(here, None, kept(live, &live.before[at]));
            }
            while let Some(one) = steps.next_if(|one| one.block == here) {
                if self.is_open(one.step) {
                    self.stop(here, Some(one.number), kept(live, &live.ahead(one)));
                } else {
                    self.write_step(one.step);
                }
            }
            self.write_exit(&block.exit);
        }
    }

    fn stop(&mut self, block: BlockId, step: Option<usize>, kept: SmallVec<[Kept; 4]>) {
        self.code.push(Code::Stop(self.stops.len() as StopId));
        self.stops.push(Stop { block, step, kept, next: self.code.len() });
    }

    /// Whether chance or a player decides what a step comes to.
    fn is_open(&self, step: &Step) -> bool {
        match step {
            Step::Chance(..) | Step::Mix(..) | Step::Choose(..) => true,
            Step::Keep(heap, dice) => match (&self.forms[heap.0], dice) {
                (Form::Unrolled, _) => false,
                (_, Dice::Roll(..) | Dice::Reroll(..) | Dice::Explode(..)) => true,
                (Form::Answers(_), Dice::Join(_)) => true,
                (_, Dice::Picked(_, pick)) => !pick.keep || matches!(pick.by, Picking::Free(_)),
                _ => false,
            },
            Step::Set(..) | Step::SetItem(..) | Step::Record(..) | Step::Enter(..) => false,
        }
    }

    /// The steps of a block that matter, the last first.
    pub(super) fn steps(&self, block: BlockId) -> impl Iterator<Item = &'p Step> {
        let from = self.steps.partition_point(|one| one.block > block);
        self.steps[from..].iter().take_while(move |one| one.block == block).map(|one| one.step)
    }

    /// The stop before a block, if it is the head of a counted loop or follows one.
    pub(super) fn head(&self, block: BlockId) -> Option<StopId> {
        match self.code[self.starts[block.0]] {
            Code::Stop(stop) if self.stops[stop as usize].step.is_none() => Some(stop),
            _ => None,
        }
    }

    /// Where a player decides at a stop, if that is what is next.
    pub(super) fn site(&self, stop: StopId) -> Option<SiteId> {
        let Stop { block, step, .. } = self.stops.get(stop as usize)?;
        site(&self.program.blocks[block.0].steps[(*step)?])
    }

    /// Whether a stop is where the passes of a loop are counted.
    pub(super) fn counts(&self, stop: StopId, one: LoopId) -> bool {
        let block = self.stops.get(stop as usize).map(|stop| &self.program.blocks[stop.block.0]);
        block.is_some_and(|block| matches!(block.exit, Exit::Pass(counted, ..) if counted == one))
    }

    /// Whether a trial at a stop is in a loop and may still come back to its head.
    pub(super) fn is_inside(&self, stop: StopId, one: LoopId) -> bool {
        self.stops.get(stop as usize).is_some_and(|stop| self.is_core(stop.block, one))
    }

    fn is_core(&self, block: BlockId, one: LoopId) -> bool {
        let at = block.0.checked_sub(self.program.loops[one.0].head.0);
        at.is_some_and(|at| self.cores[one.0].get(at) == Some(&true))
    }

    /// The blocks of a counted loop from which its head is reached again.
    pub(super) fn core(&self, one: LoopId) -> impl Iterator<Item = BlockId> {
        let head = self.program.loops[one.0].head.0;
        let core = self.cores[one.0].iter().enumerate().filter(|(_, is_core)| **is_core);
        core.map(move |(at, _)| BlockId(head + at))
    }

    /// The blocks to which counted loops are left for good.
    fn behind_loops(&self) -> BTreeSet<BlockId> {
        let mut behind = BTreeSet::new();
        for one in (0..self.cores.len()).map(LoopId) {
            for block in self.core(one) {
                let next = targets(&self.program.blocks[block.0].exit);
                behind.extend(next.filter(|next| !self.is_core(*next, one)));
            }
        }
        behind
    }
}

/// For each counted loop, whether its head is reached again from each of its blocks; where passes are counted belongs to
/// it in any case.
fn cores(program: &Program) -> Vec<Vec<bool>> {
    let mut cores = vec![Vec::new(); program.loops.len()];
    for (counter, block) in program.blocks.iter().enumerate() {
        let Exit::Pass(one, ..) = block.exit else { continue };
        let blocks = program.loops[one.0].head.0..program.loops[one.0].end.0;
        let mut core: Vec<bool> = blocks.clone().map(|at| at == counter).collect();
        let mut found = true;
        while std::mem::take(&mut found) {
            for at in blocks.clone().rev() {
                let goes_back = |next: BlockId| {
                    next.0 == blocks.start || blocks.contains(&next.0) && core[next.0 - blocks.start]
                };
                if !core[at - blocks.start] && targets(&program.blocks[at].exit).any(goes_back) {
                    core[at - blocks.start] = true;
                    found = true;
                }
            }
        }
        cores[one.0] = core;
    }
    cores
}

/// Where a block may lead.
fn targets(exit: &Exit) -> impl Iterator<Item = BlockId> {
    let (one, other) = match exit {
        Exit::Go(next) => (Some(*next), None),
        Exit::Branch(_, then, otherwise) | Exit::Pass(_, then, otherwise) => (Some(*then), Some(*otherwise)),
        Exit::Done(_) | Exit::Unresolved => (None, None),
    };
    one.into_iter().chain(other)
}

fn kept(live: &Live, needed: &Needed) -> SmallVec<[Kept; 4]> {
    let mut kept: SmallVec<[Kept; 4]> = needed.numbers().map(|number| live.numbering.kept(number)).collect();
    let counters = kept.iter().rev().take_while(|kept| matches!(kept, Kept::Left(_))).count();
    kept.rotate_right(counters);
    kept
}

fn heap_forms<'p>(live: &Live<'p, '_>) -> (SmallVec<[Form; 4]>, SmallVec<[Summary<'p>; 1]>) {
    let program = live.program;
    if program.heaps.is_empty() {
        return (SmallVec::new(), SmallVec::new());
    }
    let exits = program.blocks.iter().map(|block| &block.exit);
    let exits = exits.filter(|exit| live.wanted.result || !matches!(exit, Exit::Done(_)));
    let must_lie = |heap: HeapId, slots: &BTreeSet<SlotId>| {
        if slots.is_empty() && program.sites.is_empty() {
            return false;
        }
        let number = live.numbering.number(Kept::Heap(heap));
        live.steps.iter().any(|one| {
            let changes = matches!(sets(one.step), Some(Kept::Slot(slot)) if slots.contains(&slot));
            changes && one.behind.contains(number)
                || site(one.step).is_some() && live.ahead(one).contains(number)
        })
    };
    forms(program, live.by_block().map(|one| one.step), exits, &must_lie)
}

fn own_faces(program: &Program) -> Vec<&Vec<i32>> {
    let mut all = Vec::new();
    for step in program.blocks.iter().flat_map(|block| &block.steps) {
        if let Step::Keep(_, Dice::Roll(_, Sort::Own(faces))) = step
            && !all.contains(&faces)
        {
            all.push(faces);
        }
    }
    all
}

/// Where a player decides, if a step leaves it to him.
pub(super) fn site(step: &Step) -> Option<SiteId> {
    match step {
        Step::Choose(_, site, _) | Step::Keep(_, Dice::Picked(_, Pick { by: Picking::Free(site), .. })) => {
            Some(*site)
        }
        _ => None,
    }
}
