//! A program made ready to be followed: where states wait, and what each of them still needs there.

use super::form::{Form, Summary, forms};
use super::live::{Kept, Live, Needed, Wanted, sets};
use crate::plan::program::{
    BlockId, Dice, Exit, HeapId, LoopId, Pick, Picking, Program, RecordId, SiteId, SlotId, Sort, Step,
};
use smallvec::SmallVec;
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

/// What becomes of a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mark {
    /// It changes nothing that is needed.
    Skip,
    /// It is carried out.
    Do,
    /// States wait before it.
    Stop(StopId),
}

/// A place where states wait.
#[derive(Clone, Debug)]
pub(super) struct Stop {
    pub(super) block: BlockId,
    /// The step that is next; `None` before a block.
    pub(super) step: Option<usize>,
    /// What is kept, in the order of keys: counters, then slots, then heaps.
    pub(super) kept: SmallVec<[Kept; 4]>,
}

pub(super) struct Sketch<'p> {
    pub(super) program: &'p Program,
    pub(super) question: Question,
    /// In the order in which trials come to them; a way back leads to the head of a loop only.
    pub(super) stops: Vec<Stop>,
    /// For each block, its own position in `marks`; those of its steps follow.
    first: Vec<usize>,
    /// States wait before a block that is the head of a counted loop or follows one.
    marks: Vec<Mark>,
    /// For each counted loop, the blocks from which its head is reached again, counted from the head.
    cores: Vec<Vec<bool>>,
    pub(super) forms: Vec<Form>,
    pub(super) summaries: Vec<Summary<'p>>,
    /// The faces of all dice that have their own.
    pub(super) own_faces: Vec<&'p Vec<i32>>,
}

impl<'p> Sketch<'p> {
    pub(super) fn new(program: &'p Program, question: Question) -> Self {
        let records = question.records.clone();
        let live = Live::new(program, Wanted { result: question.result, records: &records });
        let steps = mattering(&live);
        let mut first = Vec::with_capacity(program.blocks.len());
        let mut length = 0;
        for block in &program.blocks {
            first.push(length);
            length += 1 + block.steps.len();
        }
        let mut marks = vec![Mark::Skip; length];
        for Mattering { block, number, .. } in &steps {
            marks[first[block.0] + 1 + number] = Mark::Do;
        }
        // What a player sees must not depend on what is asked of the ends of trials.
        let (forms, summaries) = if program.sites.is_empty() {
            heap_forms(&live, &steps)
        } else {
            let all: Vec<RecordId> = super::reported(program).into_iter().collect();
            let live = Live::new(program, Wanted { result: true, records: &all });
            heap_forms(&live, &mattering(&live))
        };
        let own_faces = own_faces(program);
        let (stops, cores) = (Vec::new(), cores(program));
        let mut sketch = Self { program, question, stops, first, marks, cores, forms, summaries, own_faces };
        sketch.place_stops(&live, &steps);
        sketch
    }

    /// Places a stop at the head of each counted loop, behind it, and before each step that chance or a player decides.
    fn place_stops(&mut self, live: &Live, mut steps: &[Mattering]) {
        let behind = self.behind_loops();
        for (at, block) in self.program.blocks.iter().enumerate() {
            let here = BlockId(at);
            if matches!(block.exit, Exit::Pass(..)) || behind.contains(&here) {
                self.stop(
                    self.first[at],
                    Stop { block: here, step: None, kept: kept(live, &live.before[at]) },
                );
            }
            let own = steps.iter().take_while(|one| one.block == here).count();
            for Mattering { number, step, behind, .. } in steps[..own].iter().rev() {
                if self.is_open(step) {
                    let kept = kept(live, &live.ahead(step, behind));
                    self.stop(self.first[at] + 1 + number, Stop { block: here, step: Some(*number), kept });
                }
            }
            steps = &steps[own..];
        }
    }

    fn stop(&mut self, mark: usize, stop: Stop) {
        self.marks[mark] = Mark::Stop(self.stops.len() as StopId);
        self.stops.push(stop);
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

    /// What becomes of a block's steps, and more behind these.
    pub(super) fn marks(&self, block: BlockId) -> &[Mark] {
        &self.marks[self.first[block.0] + 1..]
    }

    /// The stop before a block, if it is the head of a counted loop or follows one.
    pub(super) fn head(&self, block: BlockId) -> Option<StopId> {
        match self.marks[self.first[block.0]] {
            Mark::Stop(stop) => Some(stop),
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

/// A step that changes something that is needed.
struct Mattering<'p> {
    block: BlockId,
    number: usize,
    step: &'p Step,
    behind: Needed,
}

fn mattering<'p>(live: &Live<'p, '_>) -> Vec<Mattering<'p>> {
    let mut steps = Vec::with_capacity(live.program.blocks.iter().map(|block| block.steps.len()).sum());
    for (at, block) in live.program.blocks.iter().enumerate() {
        live.through(block, |number, behind| {
            let step = &block.steps[number];
            if live.matters(step, behind) {
                steps.push(Mattering { block: BlockId(at), number, step, behind: behind.clone() });
            }
        });
    }
    steps
}

fn heap_forms<'p>(live: &Live<'p, '_>, steps: &[Mattering<'p>]) -> (Vec<Form>, Vec<Summary<'p>>) {
    let program = live.program;
    if program.heaps.is_empty() {
        return (Vec::new(), Vec::new());
    }
    let exits = program.blocks.iter().map(|block| &block.exit);
    let exits = exits.filter(|exit| live.wanted.result || !matches!(exit, Exit::Done(_)));
    let must_lie = |heap: HeapId, slots: &BTreeSet<SlotId>| {
        let number = live.numbering.number(Kept::Heap(heap));
        steps.iter().any(|Mattering { step, behind, .. }| {
            let changes = matches!(sets(step), Some(Kept::Slot(slot)) if slots.contains(&slot));
            changes && behind.contains(number)
                || site(step).is_some() && live.ahead(step, behind).contains(number)
        })
    };
    forms(program, steps.iter().map(|one| one.step), exits, &must_lie)
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
