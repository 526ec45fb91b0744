//! A program without anything that needs a word of its own: records, passes and ends are numbers in slots, and dice that
//! are only asked about are the answers, in slots as well.
//!
//! In: a plan's program. Out: the same with fewer words. **Never:** columns, widths.

mod apart;

use super::player::{Named, Player, Told, looked_at};
use super::pools::Pools;
use crate::plan::Plan;
use crate::plan::program::{
    Dice, Exit, HeapId, LoopId, Operation, Options, Pick, Picking, Program, RecordId, SiteId, SlotId, Step,
    Value,
};
use std::collections::BTreeMap;

pub(super) use crate::plan::program::Comparison;

/// What a program is boiled down to.
#[derive(Debug)]
pub(super) struct Plain {
    /// A trial begins at the first; ways lead to later blocks, except back to the head of a loop. The last one counts.
    pub(super) blocks: Vec<PlainBlock>,
    pub(super) slots: usize,
    /// What the result is.
    pub(super) result: SlotId,
    /// 1 in a trial that is unresolved.
    pub(super) open: SlotId,
    /// Each record, its value, and whether there is one.
    pub(super) records: Vec<(RecordId, SlotId, SlotId)>,
    pub(super) loops: Vec<Round>,
}

/// A loop.
#[derive(Debug)]
pub(super) struct Round {
    /// From the head up to the end.
    pub(super) blocks: std::ops::Range<usize>,
    /// How many passes there may be, if they are counted.
    pub(super) most: Option<Value>,
    /// Whether what stands before the count is done once more, behind the last pass.
    pub(super) once_more: bool,
}

#[derive(Debug)]
pub(super) struct PlainBlock {
    pub(super) steps: Vec<PlainStep>,
    pub(super) exit: PlainExit,
}

#[derive(Clone, Debug)]
pub(super) enum PlainExit {
    Go(usize),
    /// The first where the value is not 0.
    Branch(Value, usize, usize),
    Count,
}

#[derive(Debug)]
pub(super) enum PlainStep {
    Set(SlotId, Value),
    /// Dice that are only asked about.
    Roll(PlainRoll),
    /// One die with so many faces.
    Die(SlotId, Value),
    /// Dice or a list that lie in order; the slot is 1 where a chain of new dice does not end.
    Keep(HeapId, Dice, Option<SlotId>, Option<Player>),
    SetItem(HeapId, Value, Value),
    Choose(SlotId, Player, Options),
}

/// So many dice of one sort.
#[derive(Debug)]
pub(super) struct PlainRoll {
    pub(super) count: Value,
    pub(super) faces: Faces,
    pub(super) asks: Vec<(SlotId, Question)>,
}

/// One sort of die.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Faces {
    /// From 1 to this.
    UpTo(i32),
    /// Of its own.
    Own(Vec<i32>),
}

/// What is asked of dice that fall.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Question {
    Sum,
    /// How many lie in the stretches, both ends included.
    Count(Vec<(i32, i32)>),
}

impl Plain {
    pub(super) fn new(plan: &Plan, program: &Program) -> Self {
        let slots = program.slots.len();
        let (result, open) = (SlotId(slots), SlotId(slots + 1));
        let mut plain = Self {
            blocks: Vec::new(),
            slots: slots + 2,
            result,
            open,
            records: Vec::new(),
            loops: Vec::new(),
        };
        let pools = Pools::new(program, &looked_at(plan, program), &mut plain);
        let mut writer = Writer {
            plain,
            pools,
            plan,
            program,
            loops: BTreeMap::new(),
            starts: Vec::new(),
            named: Named::new(),
            named_before: vec![None; program.blocks.len()],
        };
        writer.write();
        writer.plain.tell_faces_apart();
        writer.plain
    }

    pub(super) fn slot(&mut self) -> SlotId {
        self.slots += 1;
        SlotId(self.slots - 1)
    }

    fn record(&mut self, record: RecordId) -> (SlotId, SlotId) {
        if let Some((_, value, has)) = self.records.iter().find(|(known, ..)| *known == record) {
            return (*value, *has);
        }
        let (value, has) = (self.slot(), self.slot());
        self.records.push((record, value, has));
        (value, has)
    }
}

struct Writer<'p> {
    plain: Plain,
    pools: Pools,
    plan: &'p Plan,
    program: &'p Program,
    /// How many passes a loop has begun, and how many it may make.
    loops: BTreeMap<LoopId, (SlotId, Value)>,
    /// Where each of the program's blocks begins.
    starts: Vec<usize>,
    /// Where dice with names lie here, and before each of the program's blocks.
    named: Named,
    named_before: Vec<Option<Named>>,
}

impl<'p> Writer<'p> {
    fn write(&mut self) {
        self.begin();
        for block in &self.program.blocks {
            self.named = self.named_before[self.starts.len()].take().unwrap_or_default();
            self.starts.push(self.plain.blocks.len());
            self.open();
            block.steps.iter().for_each(|step| self.step(step));
            self.exit(&block.exit);
        }
        let count = self.plain.blocks.len();
        let start = |at: usize| self.starts.get(at).copied().unwrap_or(count);
        self.plain.loops = self
            .program
            .loops
            .iter()
            .enumerate()
            .map(|(one, blocks)| {
                let most = self.loops.get(&LoopId(one)).map(|(_, most)| most.clone());
                Round { blocks: start(blocks.head.0)..start(blocks.end.0), most, once_more: blocks.cap }
            })
            .collect();
        self.plain.blocks.push(PlainBlock { steps: Vec::new(), exit: PlainExit::Count });
        for block in &mut self.plain.blocks {
            let start = |to: &mut usize| {
                *to = to.checked_sub(HERE).unwrap_or_else(|| self.starts.get(*to).copied().unwrap_or(count));
            };
            match &mut block.exit {
                PlainExit::Go(to) => start(to),
                PlainExit::Branch(_, yes, no) => [yes, no].into_iter().for_each(start),
                PlainExit::Count => {}
            }
        }
    }

    /// Before a trial nothing is recorded, and it is not unresolved.
    fn begin(&mut self) {
        self.open();
        let steps = self.program.blocks.iter().flat_map(|block| &block.steps);
        for step in steps {
            if let Step::Record(record, ..) = step {
                self.plain.record(*record);
            }
        }
        let (records, open) = (self.plain.records.clone(), self.plain.open);
        self.set(open, Value::Constant(0));
        self.set(self.plain.result, Value::Constant(0));
        for (_, value, has) in records {
            self.set(value, Value::Constant(0));
            self.set(has, Value::Constant(0));
        }
        self.leave(PlainExit::Go(0));
    }

    fn open(&mut self) {
        self.plain.blocks.push(PlainBlock { steps: Vec::new(), exit: PlainExit::Count });
    }

    fn push(&mut self, step: PlainStep) {
        if let Some(block) = self.plain.blocks.last_mut() {
            block.steps.push(step);
        }
    }

    fn set(&mut self, slot: SlotId, value: Value) {
        self.push(PlainStep::Set(slot, value));
    }

    fn leave(&mut self, exit: PlainExit) {
        if let Some(block) = self.plain.blocks.last_mut() {
            block.exit = exit;
        }
    }

    fn step(&mut self, step: &'p Step) {
        match step {
            Step::Set(slot, value) => self.set(*slot, self.pools.value(value)),
            Step::Chance(slot, top, bottom) => {
                let (die, top) = (self.die(self.pools.value(bottom)), self.pools.value(top));
                self.set(*slot, compare(Comparison::AtMost, Value::Slot(die), top));
            }
            Step::Mix(slot, weights) => self.mix(*slot, weights),
            Step::Keep(heap, dice) => self.keep(*heap, dice),
            Step::SetItem(heap, number, value) => {
                let (number, value) = (self.pools.value(number), self.pools.value(value));
                match self.pools.set_item(*heap, &number, &value) {
                    Some(sets) => sets.into_iter().for_each(|(slot, value)| self.set(slot, value)),
                    None => self.push(PlainStep::SetItem(*heap, number, value)),
                }
            }
            Step::Record(record, adds, value) => {
                let ((slot, has), value) = (self.plain.record(*record), self.pools.value(value));
                let value = if *adds { apply(Operation::Add, vec![Value::Slot(slot), value]) } else { value };
                self.set(slot, value);
                self.set(has, Value::Constant(1));
            }
            Step::Enter(one, most) => {
                let (begun, mut most) = (self.plain.slot(), self.pools.value(most));
                if !matches!(most, Value::Constant(_)) {
                    let slot = self.plain.slot();
                    self.set(slot, most);
                    most = Value::Slot(slot);
                }
                self.set(begun, Value::Constant(0));
                self.loops.insert(*one, (begun, most));
            }
            Step::Choose(slot, site, options) => {
                let (player, options) =
                    (self.player(*site), options.map(&mut |value| self.pools.value(value)));
                self.push(PlainStep::Choose(*slot, player, options));
            }
        }
    }

    fn die(&mut self, faces: Value) -> SlotId {
        let die = self.plain.slot();
        self.push(match faces {
            Value::Constant(most) if (1..=MOST_FACES).contains(&most) => PlainStep::Roll(PlainRoll {
                count: Value::Constant(1),
                faces: Faces::UpTo(most),
                asks: vec![(die, Question::Sum)],
            }),
            faces => PlainStep::Die(die, faces),
        });
        die
    }

    fn mix(&mut self, slot: SlotId, weights: &[(i32, u32)]) {
        let whole: u32 = weights.iter().map(|(_, weight)| weight).sum();
        let die = self.die(Value::Constant(whole as i32));
        let mut value = Value::Constant(weights.last().map_or(0, |(option, _)| *option));
        let mut most = whole;
        for at in (1..weights.len()).rev() {
            most -= weights[at].1;
            let below = compare(Comparison::AtMost, Value::Slot(die), Value::Constant(most as i32));
            value = Value::If(Box::new([below, Value::Constant(weights[at - 1].0), value]));
        }
        self.set(slot, value);
    }

    fn keep(&mut self, heap: HeapId, dice: &'p Dice) {
        if let Some(place) = self.program.heaps[heap.0].origin {
            self.named.insert(place, heap);
        }
        match self.pools.keep(heap, dice, &mut self.plain) {
            Some(steps) => steps.into_iter().for_each(|step| self.push(step)),
            None => {
                let endless = matches!(dice, Dice::Explode(.., true)).then(|| self.plain.slot());
                let player = match dice {
                    Dice::Picked(_, Pick { by: Picking::Free(site), .. }) => Some(self.player(*site)),
                    _ => None,
                };
                let dice = dice.map(&mut |value| self.pools.value(value));
                self.push(PlainStep::Keep(heap, dice, endless, player));
                if let Some(endless) = endless {
                    let next = HERE + self.plain.blocks.len();
                    self.leave(PlainExit::Branch(Value::Slot(endless), next, next + 1));
                    self.unresolved_then_on();
                }
            }
        }
    }

    fn player(&self, site: SiteId) -> Player {
        let block = self.starts.len() - 1;
        let told = Told { block, named: &self.named, loops: &self.loops, records: &self.plain.records };
        Player::new(self.plan, self.program, site, &told)
    }

    fn unresolved_then_on(&mut self) {
        self.open();
        self.set(self.plain.open, Value::Constant(1));
        self.leave(PlainExit::Go(END));
        self.open();
    }

    /// Where dice with names lie here, they lie in the blocks behind.
    fn tell_names(&mut self, exit: &Exit) {
        let ways = match exit {
            Exit::Go(to) => vec![to],
            Exit::Branch(_, one, other) | Exit::Pass(_, one, other) => vec![one, other],
            Exit::Done(_) | Exit::Unresolved => Vec::new(),
        };
        for to in ways {
            self.named_before[to.0].get_or_insert_with(|| self.named.clone());
        }
    }

    fn exit(&mut self, exit: &'p Exit) {
        if self.plan.table.is_some() {
            self.tell_names(exit);
        }
        let leave = match exit {
            Exit::Go(to) => PlainExit::Go(to.0),
            Exit::Branch(value, yes, no) => PlainExit::Branch(self.pools.value(value), yes.0, no.0),
            Exit::Pass(one, more, full) => {
                let Some((begun, most)) = self.loops.get(one).cloned() else { return };
                let goes_on = compare(Comparison::Less, Value::Slot(begun), most);
                self.leave(PlainExit::Branch(goes_on, HERE + self.plain.blocks.len(), full.0));
                self.open();
                self.set(begun, apply(Operation::Add, vec![Value::Slot(begun), Value::Constant(1)]));
                PlainExit::Go(more.0)
            }
            Exit::Done(value) => {
                let value = self.pools.value(value);
                self.set(self.plain.result, value);
                PlainExit::Go(END)
            }
            Exit::Unresolved => {
                self.set(self.plain.open, Value::Constant(1));
                PlainExit::Go(END)
            }
        };
        self.leave(leave);
    }
}

/// Ways are numbers of the program's blocks until all are written; from here on those of plain blocks.
const HERE: usize = 1 << 32;

/// Where trials end.
const END: usize = HERE - 1;

/// The most faces of a die that is rolled from 16 bits.
pub(super) const MOST_FACES: i32 = 1_000;

pub(super) fn apply(operation: Operation, operands: Vec<Value>) -> Value {
    Value::Apply(operation, operands)
}

pub(super) fn compare(comparison: Comparison, left: Value, right: Value) -> Value {
    apply(Operation::Compare(comparison), vec![left, right])
}
