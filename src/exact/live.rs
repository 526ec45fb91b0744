//! What is still needed where: the slots, heaps, counters and records that can change how a trial ends.

use crate::plan::program::{
    Asked, BlockId, Dice, Exit, HeapId, Limits, LoopId, Options, Pick, Picking, Program, RecordId, SlotId,
    Sort, Step, Value,
};
use smallvec::SmallVec;

/// Something that a state may have to keep.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Kept {
    Slot(SlotId),
    Heap(HeapId),
    /// How many passes of a counted loop are left.
    Left(LoopId),
}

/// A set of what may be kept: the first 64 numbers, then as many more as there are.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Needed {
    first: u64,
    more: Vec<u64>,
}

impl Needed {
    pub(super) fn contains(&self, number: usize) -> bool {
        let word = if number < 64 { Some(&self.first) } else { self.more.get(number / 64 - 1) };
        word.is_some_and(|word| word >> (number % 64) & 1 == 1)
    }

    /// The word that a number is in.
    fn word(&mut self, number: usize) -> &mut u64 {
        if number < 64 {
            return &mut self.first;
        }
        let at = number / 64 - 1;
        if self.more.len() <= at {
            self.more.resize(at + 1, 0);
        }
        &mut self.more[at]
    }

    fn set(&mut self, number: usize) {
        *self.word(number) |= 1 << (number % 64);
    }

    fn clear(&mut self, number: usize) {
        *self.word(number) &= !(1 << (number % 64));
    }

    /// Adds all of another set; says whether that changed anything.
    fn join(&mut self, other: &Self) -> bool {
        let mut changed = other.first & !self.first != 0;
        self.first |= other.first;
        if self.more.len() < other.more.len() {
            self.more.resize(other.more.len(), 0);
        }
        for (word, more) in self.more.iter_mut().zip(&other.more) {
            changed |= *more & !*word != 0;
            *word |= more;
        }
        changed
    }

    pub(super) fn numbers(&self) -> impl Iterator<Item = usize> {
        std::iter::once(&self.first).chain(&self.more).enumerate().flat_map(|(at, word)| {
            let mut left = *word;
            std::iter::from_fn(move || {
                let bit = (left != 0).then(|| left.trailing_zeros() as usize)?;
                left &= left - 1;
                Some(at * 64 + bit)
            })
        })
    }
}

/// Which numbers stand for what in a [`Needed`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Numbering {
    slots: usize,
    heaps: usize,
}

impl Numbering {
    pub(super) fn new(program: &Program) -> Self {
        Self { slots: program.slots.len(), heaps: program.heaps.len() }
    }

    pub(super) fn number(self, kept: Kept) -> usize {
        match kept {
            Kept::Slot(slot) => slot.0,
            Kept::Heap(heap) => self.slots + heap.0,
            Kept::Left(one) => self.slots + self.heaps + one.0,
        }
    }

    pub(super) fn kept(self, number: usize) -> Kept {
        if number < self.slots {
            Kept::Slot(SlotId(number))
        } else if number < self.slots + self.heaps {
            Kept::Heap(HeapId(number - self.slots))
        } else {
            Kept::Left(LoopId(number - self.slots - self.heaps))
        }
    }
}

/// What is asked of the ends of trials.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted<'w> {
    /// Whether the result counts.
    pub(super) result: bool,
    /// The records that count.
    pub(super) records: &'w [RecordId],
}

/// A step that changes something that is needed.
pub(super) struct Mattering<'p> {
    pub(super) block: BlockId,
    pub(super) number: usize,
    pub(super) step: &'p Step,
    /// What is needed behind it.
    pub(super) behind: Needed,
}

/// What is needed where.
pub(super) struct Live<'p, 'w> {
    pub(super) program: &'p Program,
    pub(super) wanted: Wanted<'w>,
    pub(super) numbering: Numbering,
    /// What is needed before each block.
    pub(super) before: SmallVec<[Needed; 4]>,
    /// The steps that matter, the last first.
    pub(super) steps: SmallVec<[Mattering<'p>; 4]>,
}

impl<'p, 'w> Live<'p, 'w> {
    pub(super) fn new(program: &'p Program, wanted: Wanted<'w>) -> Self {
        let before = program.blocks.iter().map(|_| Needed::default()).collect();
        let steps = SmallVec::with_capacity(program.blocks.iter().map(|block| block.steps.len()).sum());
        let mut live = Self { program, wanted, numbering: Numbering::new(program), before, steps };
        while live.changes() && !program.loops.is_empty() {}
        live
    }

    /// Goes through all blocks from the last to the first; says whether more is needed than was known.
    fn changes(&mut self) -> bool {
        self.steps.clear();
        let mut changed = false;
        for (at, block) in self.program.blocks.iter().enumerate().rev() {
            let mut needed = self.at_exit(&block.exit);
            for (number, step) in block.steps.iter().enumerate().rev() {
                if self.matters(step, &needed) {
                    let behind = needed.clone();
                    self.steps.push(Mattering { block: BlockId(at), number, step, behind });
                    self.step(step, &mut needed);
                }
            }
            changed |= self.before[at].join(&needed);
        }
        changed
    }

    /// The steps that matter, by blocks in order.
    pub(super) fn by_block(&self) -> impl Iterator<Item = &Mattering<'p>> {
        self.steps.chunk_by(|one, other| one.block == other.block).rev().flatten()
    }

    fn at_exit(&self, exit: &Exit) -> Needed {
        let mut needed = Needed::default();
        match exit {
            Exit::Go(next) => needed.join_quietly(&self.before[next.0]),
            Exit::Branch(value, then, otherwise) => {
                needed.join_quietly(&self.before[then.0]);
                needed.join_quietly(&self.before[otherwise.0]);
                self.read(value, &mut needed);
            }
            Exit::Pass(one, more, full) => {
                needed.join_quietly(&self.before[more.0]);
                needed.join_quietly(&self.before[full.0]);
                needed.set(self.numbering.number(Kept::Left(*one)));
            }
            Exit::Done(value) => {
                if self.wanted.result {
                    self.read(value, &mut needed);
                }
            }
            Exit::Unresolved => {}
        }
        needed
    }

    /// Whether a step does anything that is needed.
    fn matters(&self, step: &Step, behind: &Needed) -> bool {
        match step {
            Step::Keep(_, Dice::Explode(.., true)) => true,
            Step::Record(record, ..) => self.wanted.records.contains(record),
            _ => sets(step).is_some_and(|kept| behind.contains(self.numbering.number(kept))),
        }
    }

    /// What is needed before a step that matters.
    pub(super) fn ahead(&self, Mattering { step, behind, .. }: &Mattering) -> Needed {
        let mut needed = behind.clone();
        self.step(step, &mut needed);
        needed
    }

    fn step(&self, step: &Step, needed: &mut Needed) {
        if let Some(kept) = sets(step)
            && !matches!(step, Step::SetItem(..))
        {
            needed.clear(self.numbering.number(kept));
        }
        reads(step, &mut |kept| needed.set(self.numbering.number(kept)));
    }

    fn read(&self, value: &Value, needed: &mut Needed) {
        each_read(value, &mut |kept| needed.set(self.numbering.number(kept)));
    }
}

impl Needed {
    fn join_quietly(&mut self, other: &Self) {
        _ = self.join(other);
    }
}

/// What a step gives another value, or changes.
pub(super) fn sets(step: &Step) -> Option<Kept> {
    match step {
        Step::Set(slot, _) | Step::Chance(slot, ..) | Step::Mix(slot, _) | Step::Choose(slot, ..) => {
            Some(Kept::Slot(*slot))
        }
        Step::Keep(heap, _) | Step::SetItem(heap, ..) => Some(Kept::Heap(*heap)),
        Step::Enter(one, _) => Some(Kept::Left(*one)),
        Step::Record(..) => None,
    }
}

/// All that a step looks at.
pub(super) fn reads(step: &Step, each: &mut impl FnMut(Kept)) {
    if let Step::Keep(_, dice) = step {
        each_heap(dice, |heap| each(Kept::Heap(heap)));
    }
    step_values(step, |value| each_read(value, each));
}

/// The values that a step looks at.
pub(super) fn step_values<'p>(step: &'p Step, mut each: impl FnMut(&'p Value)) {
    match step {
        Step::Set(_, value) | Step::Record(.., value) | Step::Enter(_, value) => each(value),
        Step::Chance(_, one, other) | Step::SetItem(_, one, other) => [one, other].into_iter().for_each(each),
        Step::Choose(_, _, Options::Listed(options)) => options.iter().for_each(|(_, value)| each(value)),
        Step::Choose(_, _, Options::Between(low, high)) => [low, high].into_iter().for_each(each),
        Step::Keep(_, dice) => each_value(dice, each),
        Step::Mix(..) => {}
    }
}

/// All that a value looks at.
#[inline]
pub(super) fn each_read(value: &Value, each: &mut impl FnMut(Kept)) {
    each_look(value, &mut |look| match look {
        Value::Slot(slot) => each(Kept::Slot(*slot)),
        Value::Ask(heap, _) => each(Kept::Heap(*heap)),
        _ => {}
    });
}

/// All slots and questions in a value.
#[inline]
pub(super) fn each_look<'v>(value: &'v Value, each: &mut impl FnMut(&'v Value)) {
    match value {
        Value::Constant(_) => {}
        Value::Slot(_) => each(value),
        _ => each_inside(value, each),
    }
}

fn each_inside<'v>(value: &'v Value, each: &mut impl FnMut(&'v Value)) {
    match value {
        Value::Constant(_) | Value::Slot(_) => {}
        Value::Apply(_, operands) => operands.iter().for_each(|operand| each_look(operand, each)),
        Value::If(parts) => parts.iter().for_each(|part| each_look(part, each)),
        Value::Among(value, stretches) => {
            each_look(value, each);
            ends(stretches).for_each(|end| each_look(end, each));
        }
        Value::Lookup(key, _, entries) => {
            each_look(key, each);
            entries.iter().for_each(|entry| each_look(entry, each));
        }
        Value::Ask(_, asked) => {
            each(value);
            operands(asked).for_each(|operand| each_look(operand, each));
        }
    }
}

/// The values that a question is asked with.
pub(super) fn operands(asked: &Asked) -> impl Iterator<Item = &Value> {
    let (stretches, number): (&[_], _) = match asked {
        Asked::Sum => (&[], None),
        Asked::Count(stretches) | Asked::Any(stretches) | Asked::All(stretches) => (stretches, None),
        Asked::Rank(number) | Asked::Alike(number) | Asked::Item(number) => (&[], Some(&**number)),
    };
    ends(stretches).chain(number)
}

/// The ends of stretches, in order.
pub(super) fn ends(stretches: &[(Option<Value>, Option<Value>)]) -> impl Iterator<Item = &Value> {
    stretches.iter().flat_map(|(low, high)| low.iter().chain(high))
}

/// The heaps that dice come from.
pub(super) fn each_heap(dice: &Dice, mut each: impl FnMut(HeapId)) {
    match dice {
        Dice::Roll(..) | Dice::List(_) => {}
        Dice::Join(heaps) => heaps.iter().for_each(|heap| each(*heap)),
        Dice::Copy(heap)
        | Dice::Filter(heap, ..)
        | Dice::Extreme(heap, ..)
        | Dice::Reroll(heap, ..)
        | Dice::Explode(heap, ..)
        | Dice::Picked(heap, _) => each(*heap),
    }
}

/// The values that dice come from or are handled with, in order.
pub(super) fn each_value<'v>(dice: &'v Dice, mut each: impl FnMut(&'v Value)) {
    let limits = |limits: &'v Limits| [&limits.times, &limits.dice].into_iter().flatten();
    match dice {
        Dice::Roll(count, sort) => {
            each(count);
            if let Sort::Faces(faces) = sort {
                each(faces);
            }
        }
        Dice::Join(_) | Dice::Copy(_) => {}
        Dice::List(items) => items.iter().for_each(each),
        Dice::Filter(_, stretches, _) => ends(stretches).for_each(each),
        Dice::Extreme(_, _, number, _) => each(number),
        Dice::Reroll(_, stretches, bounds) | Dice::Explode(_, stretches, bounds, _) => {
            ends(stretches).chain(limits(bounds)).for_each(each);
        }
        Dice::Picked(_, Pick { least, most, by, .. }) => {
            [least, most].into_iter().flatten().for_each(&mut each);
            if let Picking::Wanted(stretches) = by {
                ends(stretches).for_each(each);
            }
        }
    }
}
