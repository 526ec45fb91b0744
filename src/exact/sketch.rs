//! A program made ready to be followed: where states wait, and what each of them still needs there.

use super::form::{Form, Summary, forms};
use super::live::{Kept, Live, Needed, Wanted};
use crate::plan::program::{
    BlockId, Dice, Exit, HeapId, LoopId, Options, Pick, Picking, Program, RecordId, SiteId, SlotId, Sort,
    Step, Value,
};
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
    pub(super) kept: Vec<Kept>,
}

pub(super) struct Sketch<'p> {
    pub(super) program: &'p Program,
    pub(super) question: Question,
    /// In the order in which trials come to them; a way back leads to the head of a loop only.
    pub(super) stops: Vec<Stop>,
    /// For each block, its first step's position in `marks`.
    first: Vec<usize>,
    marks: Vec<Mark>,
    /// For each block, the stop before it, if it is the head of a counted loop or follows one.
    heads: Vec<Option<StopId>>,
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
        let mut marks = Vec::new();
        for block in &program.blocks {
            first.push(marks.len());
            marks.resize(marks.len() + block.steps.len(), Mark::Skip);
        }
        for Mattering { block, number, .. } in &steps {
            marks[first[block.0] + number] = Mark::Do;
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
        let (stops, heads) = (Vec::new(), vec![None; program.blocks.len()]);
        let mut sketch = Self { program, question, stops, first, marks, heads, forms, summaries, own_faces };
        sketch.place_stops(&live);
        sketch
    }

    /// Places a stop at the head of each counted loop, behind it, and before each step that chance or a player decides.
    fn place_stops(&mut self, live: &Live) {
        let behind = behind_loops(self.program);
        for (at, block) in self.program.blocks.iter().enumerate() {
            let here = BlockId(at);
            if matches!(block.exit, Exit::Pass(..)) || behind.contains(&here) {
                self.heads[at] = Some(self.stops.len() as StopId);
                self.stops.push(Stop { block: here, step: None, kept: kept(live, &live.before[at]) });
            }
            let mut stops = Vec::new();
            live.through(block, |number, behind| {
                let step = &block.steps[number];
                if self.marks[self.first[at] + number] == Mark::Do && self.is_open(step) {
                    let kept = kept(live, &live.ahead(step, behind));
                    stops.push(Stop { block: here, step: Some(number), kept });
                }
            });
            for stop in stops.into_iter().rev() {
                let step = self.first[at] + stop.step.unwrap_or(0);
                self.marks[step] = Mark::Stop(self.stops.len() as StopId);
                self.stops.push(stop);
            }
        }
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

    pub(super) fn mark(&self, block: BlockId, step: usize) -> Mark {
        self.marks[self.first[block.0] + step]
    }

    /// The stop before a block, if it is the head of a counted loop or follows one.
    pub(super) fn head(&self, block: BlockId) -> Option<StopId> {
        self.heads[block.0]
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

    /// Whether a stop lies in a loop.
    pub(super) fn is_inside(&self, stop: StopId, one: LoopId) -> bool {
        let inside = &self.program.loops[one.0];
        self.stops.get(stop as usize).is_some_and(|stop| (inside.head..inside.end).contains(&stop.block))
    }
}

fn kept(live: &Live, needed: &Needed) -> Vec<Kept> {
    let mut kept: Vec<Kept> = needed.numbers().map(|number| live.numbering.kept(number)).collect();
    kept.sort_by_key(|kept| (!matches!(kept, Kept::Left(_)), *kept));
    kept
}

/// The blocks to which counted loops are left.
fn behind_loops(program: &Program) -> BTreeSet<BlockId> {
    let mut behind = BTreeSet::new();
    let counted = program.blocks.iter().filter_map(|block| match block.exit {
        Exit::Pass(one, ..) => Some(&program.loops[one.0]),
        _ => None,
    });
    for inside in counted.map(|one| one.head..one.end) {
        for block in &program.blocks[inside.start.0..inside.end.0] {
            let next = match block.exit {
                Exit::Go(next) => [next, next],
                Exit::Branch(_, then, otherwise) | Exit::Pass(_, then, otherwise) => [then, otherwise],
                Exit::Done(_) | Exit::Unresolved => continue,
            };
            behind.extend(next.into_iter().filter(|next| !inside.contains(next)));
        }
    }
    behind
}

/// A step that changes something that is needed.
struct Mattering<'p> {
    block: BlockId,
    number: usize,
    step: &'p Step,
    behind: Needed,
}

fn mattering<'p>(live: &Live<'p, '_>) -> Vec<Mattering<'p>> {
    let mut steps = Vec::new();
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
    let exits: Vec<&Exit> =
        exits.filter(|exit| live.wanted.result || !matches!(exit, Exit::Done(_))).collect();
    let must_lie = |heap: HeapId, slots: &BTreeSet<SlotId>| {
        let number = live.numbering.number(Kept::Heap(heap));
        steps.iter().any(|Mattering { step, behind, .. }| {
            let changes =
                kept_slot(step).is_some_and(|slot| slots.contains(&slot)) && behind.contains(number);
            changes || site(step).is_some() && live.ahead(step, behind).contains(number)
        })
    };
    let steps: Vec<&Step> = steps.iter().map(|one| one.step).collect();
    forms(program, &steps, &exits, &must_lie)
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

/// The slot that a step sets.
fn kept_slot(step: &Step) -> Option<SlotId> {
    match step {
        Step::Set(slot, _) | Step::Chance(slot, ..) | Step::Mix(slot, _) | Step::Choose(slot, ..) => {
            Some(*slot)
        }
        _ => None,
    }
}

/// The values that a step looks at, those of dice aside.
pub(super) fn step_values<'p>(step: &'p Step, mut each: impl FnMut(&'p Value)) {
    match step {
        Step::Set(_, value) | Step::Record(.., value) | Step::Enter(_, value) => each(value),
        Step::Chance(_, part, whole) => [part, whole].into_iter().for_each(each),
        Step::Choose(_, _, Options::Listed(options)) => options.iter().for_each(|(_, value)| each(value)),
        Step::Choose(_, _, Options::Between(low, high)) => [low, high].into_iter().for_each(each),
        Step::Mix(..) | Step::Keep(..) | Step::SetItem(..) => {}
    }
}
