//! What comes up in play lies in the range that was proved: for drawn programs, and for shipped plans.

use super::*;
use crate::kernel::code::Code;
use crate::kernel::hand::{Die, Lane};
use crate::kernel::plain::{Faces, PlainBlock, PlainRoll, Round, apply, compare};
use crate::kernel::tests::{Luck, shipped};
use crate::plan::program::{RecordId, SlotId};
use crate::random::Source;

impl Source for Luck {
    fn die(&mut self, faces: u32) -> u32 {
        self.below(faces.into()) as u32 + 1
    }
}

/// Plays one trial as plainly as can be.
struct Play<'p> {
    plain: &'p Plain,
    own: &'p [Vec<i32>],
    /// Nothing where no number lies yet.
    slots: Vec<Option<i64>>,
    hands: Vec<Vec<Die>>,
    /// Where a number is further from 0, the checker would not have let the rules pass.
    most: i64,
}

impl Play<'_> {
    fn value(&mut self, value: &Value) -> Option<i64> {
        let found = match value {
            Value::Constant(value) => (*value).into(),
            Value::Slot(slot) => self.slots[slot.0]?,
            Value::Apply(operation, operands) => {
                let operands: Option<Vec<i64>> = operands.iter().map(|operand| self.value(operand)).collect();
                operation.apply(&operands?)?
            }
            Value::If(parts) => {
                let at = if self.value(&parts[0])? != 0 { 1 } else { 2 };
                self.value(&parts[at])?
            }
            Value::Among(value, stretches) => {
                let (value, mut inside) = (self.value(value)?, false);
                for (low, high) in stretches {
                    let low = low.as_ref().map_or(Some(i64::MIN), |low| self.value(low))?;
                    let high = high.as_ref().map_or(Some(i64::MAX), |high| self.value(high))?;
                    inside |= (low..=high).contains(&value);
                }
                inside.into()
            }
            Value::Lookup(key, first, entries) => {
                let at = usize::try_from(self.value(key)? - i64::from(*first)).ok()?;
                self.value(entries.get(at)?)?
            }
            Value::Ask(heap, asked) => {
                let mut parts = Some(());
                let asked = asked.map(&mut |part| self.constant(part, &mut parts));
                parts?;
                self.lane().ask(heap.0, &asked)
            }
        };
        (found.abs() <= self.most).then_some(found)
    }

    fn lane(&mut self) -> Lane<'_> {
        Lane { hands: &mut self.hands, operands: &[], own: self.own }
    }

    fn constant(&mut self, value: &Value, all: &mut Option<()>) -> Value {
        let value = self.value(value).and_then(|value| i32::try_from(value).ok());
        *all = all.filter(|()| value.is_some());
        Value::Constant(value.unwrap_or(1))
    }

    /// Does a step; nothing where a number is too large.
    fn step(&mut self, step: &PlainStep, luck: &mut Luck) -> Option<()> {
        match step {
            PlainStep::Set(slot, value) => self.slots[slot.0] = Some(self.value(value)?),
            PlainStep::Roll(roll) => {
                let (count, shown) = (self.value(&roll.count)?, roll.faces.shown());
                let dice: Vec<i32> = (0..count).map(|_| luck.of(&shown)).collect();
                for (slot, question) in &roll.asks {
                    let inside = |die: &&i32| match question {
                        Question::Sum => true,
                        Question::Count(stretches) => {
                            stretches.iter().any(|(low, high)| (low..=high).contains(die))
                        }
                    };
                    let worth = |die: &i32| if let Question::Sum = question { i64::from(*die) } else { 1 };
                    self.slots[slot.0] = Some(dice.iter().filter(inside).map(worth).sum());
                }
            }
            PlainStep::Die(slot, faces) => {
                let faces = self.value(faces)?.max(1);
                self.slots[slot.0] = Some(luck.between(1, faces));
            }
            PlainStep::Keep(heap, dice, endless, _) => {
                let mut parts = Some(());
                let dice = dice.map(&mut |part| self.constant(part, &mut parts));
                parts?;
                let is_endless = self.lane().keep(heap.0, &dice, None, luck);
                endless.iter().for_each(|slot| self.slots[slot.0] = Some(is_endless.into()));
            }
            PlainStep::SetItem(heap, number, value) => {
                let mut parts = Some(());
                let [number, value] = [number, value].map(|part| self.constant(part, &mut parts));
                parts?;
                self.lane().set_item(heap.0, &number, &value);
            }
            PlainStep::Choose(slot, _, Options::Listed(listed)) => {
                let open: Vec<i32> = listed
                    .iter()
                    .filter(|(_, open)| self.value(open) != Some(0))
                    .map(|(one, _)| *one)
                    .collect();
                self.slots[slot.0] = Some(luck.of(&open).into());
            }
            PlainStep::Choose(slot, _, Options::Between(low, high)) => {
                let (low, high) = (self.value(low)?, self.value(high)?);
                self.slots[slot.0] = Some(if low < high { luck.between(low, high) } else { low });
            }
        }
        Some(())
    }

    fn lies_in(&self, ranges: &Ranges, known: &[usize], seen: &mut usize) {
        for at in known {
            let range = ranges[*at];
            if let Some(value) = self.slots[*at] {
                assert!(
                    range.low <= value && value <= range.high,
                    "slot {at}: {value} is not in {range:?}\n{:#?}",
                    self.plain
                );
                *seen += 1;
            }
        }
    }

    /// A whole trial; each number that is needed or was just laid down is compared with its range.
    fn trial(&mut self, bounds: &mut Bounds, luck: &mut Luck, seen: &mut usize) -> Option<()> {
        let (mut at, mut ranges) = (0, Ranges::new(self.plain.slots));
        loop {
            let block = &self.plain.blocks[at];
            assert!(bounds.enter(at, &mut ranges), "nobody comes to {at}: {:#?}", self.plain);
            let mut known = bounds.live[at].clone();
            self.lies_in(&ranges, &known, seen);
            for step in &block.steps {
                self.step(step, luck)?;
                bounds.behind(step, &mut ranges);
                let mut sets = Vec::new();
                step.sets(&mut |slot| sets.push(slot));
                known.extend(sets.iter().map(|slot| slot.0));
                self.lies_in(&ranges, &known, seen);
                for slot in sets {
                    let value = Range::one(self.slots[slot.0]?);
                    assert!(bounds.slots[slot.0].contains(value), "{slot:?}: {value:?} {:#?}", self.plain);
                }
            }
            at = match &block.exit {
                PlainExit::Count => return Some(()),
                PlainExit::Go(to) => *to,
                PlainExit::Branch(value, yes, no) => {
                    let (range, value) = (bounds.of(value, &mut ranges), self.value(value)?);
                    assert!(range.contains(Range::one(value)), "{value} is not in {range:?}");
                    assert!(
                        bounds.exits[at][usize::from(value == 0)],
                        "nobody goes there from {at}: {:#?}",
                        self.plain
                    );
                    if value != 0 { *yes } else { *no }
                }
            };
        }
    }
}

/// Draws programs.
struct Author {
    luck: Luck,
    plain: Plain,
    /// Blocks from which trials end.
    ends: Vec<usize>,
    here: usize,
    /// Slots that steps may set; those behind are the loops' own.
    free: usize,
}

fn number(value: i64) -> Value {
    Value::Constant(value as i32)
}

impl Author {
    fn draw(seed: u64) -> Plain {
        let free = 6;
        let plain = Plain {
            blocks: Vec::new(),
            slots: free,
            result: SlotId(0),
            open: SlotId(1),
            records: vec![(RecordId(0), SlotId(2), SlotId(3))],
            loops: Vec::new(),
        };
        let mut author = Self { luck: Luck(seed), plain, ends: Vec::new(), here: 0, free };
        author.open();
        for slot in 0..free {
            let start = author.luck.between(-3, 3);
            author.push(PlainStep::Set(SlotId(slot), number(start)));
        }
        author.stretch(2);
        author.ends.push(author.here);
        let count = author.open();
        author.ends.iter().for_each(|end| author.plain.blocks[*end].exit = PlainExit::Go(count));
        author.plain
    }

    fn open(&mut self) -> usize {
        self.here = self.plain.blocks.len();
        self.plain.blocks.push(PlainBlock { steps: Vec::new(), exit: PlainExit::Count });
        self.here
    }

    fn push(&mut self, step: PlainStep) {
        self.plain.blocks[self.here].steps.push(step);
    }

    fn leave(&mut self, from: usize, exit: PlainExit) {
        self.plain.blocks[from].exit = exit;
    }

    fn new_slot(&mut self) -> SlotId {
        self.plain.slots += 1;
        SlotId(self.plain.slots - 1)
    }

    fn slot(&mut self) -> SlotId {
        SlotId(self.luck.below(self.free as u64) as usize)
    }

    fn value(&mut self, depth: u32) -> Value {
        if depth == 0 || self.luck.below(4) == 0 {
            return if self.luck.below(3) == 0 {
                number(self.luck.between(-9, 9))
            } else {
                Value::Slot(self.slot())
            };
        }
        let depth = depth - 1;
        match self.luck.below(12) {
            0..=4 => {
                let operation = self.luck.of(&[
                    Operation::Add,
                    Operation::Subtract,
                    Operation::Min,
                    Operation::Max,
                    Operation::Multiply,
                ]);
                apply(operation, vec![self.value(depth), self.value(depth)])
            }
            5 => apply(self.luck.of(&[Operation::Negate, Operation::Abs]), vec![self.value(depth)]),
            6 => {
                let by = self.luck.of(&[-7, -2, -1, 1, 2, 3, 10]);
                let by = if self.luck.below(2) == 0 {
                    number(by)
                } else {
                    apply(Operation::Max, vec![self.value(depth), number(1)])
                };
                apply(
                    self.luck.of(&[Operation::DivideDown, Operation::DivideUp]),
                    vec![self.value(depth), by],
                )
            }
            7 => apply(Operation::Between, vec![self.value(0), self.value(depth), self.value(0)]),
            8 => Value::If(Box::new([self.flag(depth), self.value(depth), self.value(depth)])),
            9 => {
                let first = self.luck.between(-3, 3);
                let entries: Vec<Value> = (0..5).map(|_| self.value(0)).collect();
                let key =
                    apply(Operation::Between, vec![number(first), self.value(depth), number(first + 4)]);
                Value::Lookup(Box::new(key), first as i32, entries)
            }
            _ => self.flag(depth),
        }
    }

    fn flag(&mut self, depth: u32) -> Value {
        let depth = depth.saturating_sub(1);
        match self.luck.below(6) {
            0 => apply(Operation::Not, vec![self.flag(depth)]),
            1 => {
                let end = |author: &mut Self| (author.luck.below(3) > 0).then(|| author.value(0));
                let stretches = (0..self.luck.between(0, 2)).map(|_| (end(self), end(self))).collect();
                Value::Among(Box::new(self.value(depth)), stretches)
            }
            2 if depth > 0 => Value::If(Box::new([self.flag(depth), self.flag(depth), number(0)])),
            3 if depth > 0 => Value::If(Box::new([self.flag(depth), number(1), self.flag(depth)])),
            _ => {
                let comparison = self.luck.of(&[
                    Comparison::Less,
                    Comparison::AtMost,
                    Comparison::More,
                    Comparison::AtLeast,
                ]);
                compare(comparison, self.value(depth), self.value(depth))
            }
        }
    }

    fn step(&mut self) {
        let slot = self.slot();
        let step = match self.luck.below(8) {
            0 => PlainStep::Die(slot, apply(Operation::Max, vec![self.value(1), number(1)])),
            1 | 2 => {
                let count = apply(
                    Operation::Between,
                    vec![number(0), self.value(1), number(self.luck.between(0, 5))],
                );
                let faces = if self.luck.below(2) == 0 {
                    Faces::UpTo(self.luck.between(1, 8) as i32)
                } else {
                    Faces::Own(vec![-5, 0, 0, 7])
                };
                let stretch = (self.luck.between(-6, 3) as i32, self.luck.between(0, 8) as i32);
                let asks = vec![(slot, Question::Sum), (self.slot(), Question::Count(vec![stretch]))];
                PlainStep::Roll(PlainRoll { count, faces, asks })
            }
            3 | 4 => PlainStep::Set(slot, apply(Operation::Add, vec![Value::Slot(slot), self.value(1)])),
            5 => PlainStep::Choose(slot, Default::default(), Options::Between(self.value(1), self.value(1))),
            _ => PlainStep::Set(slot, self.value(3)),
        };
        self.push(step);
    }

    /// Steps, forks and loops, one after another.
    fn stretch(&mut self, depth: u32) {
        for _ in 0..self.luck.between(1, 3) {
            match self.luck.below(5) {
                0 | 1 if depth > 0 => self.fork(depth - 1),
                2 if depth > 0 => self.counted(depth - 1),
                3 if depth > 0 => self.numbered(depth - 1),
                _ => (0..self.luck.between(1, 3)).for_each(|_| self.step()),
            }
        }
    }

    fn fork(&mut self, depth: u32) {
        let (from, condition) = (self.here, self.flag(2));
        let yes = self.open();
        self.stretch(depth);
        let behind_yes = self.here;
        let no = self.open();
        self.stretch(depth);
        let behind_no = self.here;
        let on = self.open();
        self.leave(from, PlainExit::Branch(condition, yes, no));
        self.leave(behind_yes, PlainExit::Go(on));
        self.leave(behind_no, PlainExit::Go(on));
    }

    /// A loop whose passes are counted: before the question whether to go on, or with patience behind it.
    fn counted(&mut self, depth: u32) {
        let begun = self.new_slot();
        let mut most = number(self.luck.between(0, 5));
        if self.luck.below(2) == 0 {
            let slot = self.new_slot();
            let value = apply(Operation::Min, vec![self.value(1), number(6)]);
            self.push(PlainStep::Set(slot, value));
            most = Value::Slot(slot);
        }
        self.push(PlainStep::Set(begun, number(0)));
        let (from, patience) = (self.here, self.luck.below(2) == 0);
        let head = self.open();
        self.leave(from, PlainExit::Go(head));
        let (mut question, mut count) = (None, head);
        if patience {
            (0..self.luck.between(0, 2)).for_each(|_| self.step());
            question = Some(self.flag(2));
            count = self.open();
        }
        let first = self.open();
        self.push(PlainStep::Set(begun, apply(Operation::Add, vec![Value::Slot(begun), number(1)])));
        self.stretch(depth);
        self.leave(self.here, PlainExit::Go(head));
        let full = self.open();
        let goes_on = compare(Comparison::Less, Value::Slot(begun), most.clone());
        self.leave(count, PlainExit::Branch(goes_on, first, full));
        self.plain.loops.push(Round { blocks: head..full, most: Some(most), once_more: patience });
        if let Some(question) = question {
            self.ends.push(full);
            let on = self.open();
            self.leave(head, PlainExit::Branch(question, on, count));
        }
    }

    /// A loop from one number to another.
    fn numbered(&mut self, depth: u32) {
        let (at, last) = (self.new_slot(), self.luck.between(-2, 5));
        let first = apply(Operation::Max, vec![self.value(1), number(-4)]);
        self.push(PlainStep::Set(at, first));
        let from = self.here;
        let head = self.open();
        self.leave(from, PlainExit::Go(head));
        let body = self.open();
        self.stretch(depth);
        self.push(PlainStep::Set(at, apply(Operation::Add, vec![Value::Slot(at), number(1)])));
        self.leave(self.here, PlainExit::Go(head));
        let on = self.open();
        self.leave(
            head,
            PlainExit::Branch(compare(Comparison::AtMost, Value::Slot(at), number(last)), body, on),
        );
        self.plain.loops.push(Round { blocks: head..on, most: None, once_more: false });
    }
}

#[test]
fn no_number_of_a_drawn_program_leaves_its_range() {
    let (mut seen, mut over) = (0, 0);
    for seed in 0..3_000 {
        let plain = Author::draw(seed * 7_919 + 1);
        let mut bounds = Bounds::new(&plain, 0);
        let mut luck = Luck(seed);
        for _ in 0..40 {
            let slots = vec![None; plain.slots];
            let mut play = Play { plain: &plain, own: &[], slots, hands: Vec::new(), most: i32::MAX.into() };
            over += usize::from(play.trial(&mut bounds, &mut luck, &mut seen).is_some());
        }
    }
    assert!(seen > 1_000_000 && over > 60_000, "{seen} {over}");
}

#[test]
fn no_number_of_a_shipped_plan_leaves_its_range() {
    let mut seen = 0;
    for plan in shipped(6) {
        let program = plan.program.as_ref().unwrap();
        let plain = Plain::new(&plan, program);
        let mut bounds = Bounds::new(&plain, program.heaps.len());
        let own = Code::new(&plan, false).unwrap().own;
        let mut luck = Luck(8);
        for _ in 0..60 {
            let (slots, hands) = (vec![None; plain.slots], vec![Vec::new(); program.heaps.len()]);
            let mut play = Play { plain: &plain, own: &own, slots, hands, most: FAR };
            play.trial(&mut bounds, &mut luck, &mut seen).unwrap();
        }
    }
    assert!(seen > 100_000, "{seen}");
}

#[test]
fn ranges_are_as_narrow_as_they_look() {
    let range = Range::new;
    assert_eq!(applied(Operation::Add, &[range(1, 6), range(-2, 3)]), range(-1, 9));
    assert_eq!(applied(Operation::Multiply, &[range(-2, 3), range(-5, 4)]), range(-15, 12));
    assert_eq!(applied(Operation::Abs, &[range(-7, 3)]), range(0, 7));
    assert_eq!(applied(Operation::Between, &[range(1, 1), range(-9, 9), range(6, 6)]), range(1, 6));
    assert_eq!(compared(Comparison::Less, range(1, 3), range(4, 9)), range(1, 1));
    assert_eq!(compared(Comparison::AtLeast, range(1, 3), range(4, 9)), range(0, 0));
    let quotient = divided(range(-7, 7), range(2, 2));
    assert!(quotient.contains(range(-4, 4)) && range(-5, 5).contains(quotient));
}
