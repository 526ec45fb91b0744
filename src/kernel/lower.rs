//! From a plan to the register program that plays it.
//!
//! In: a plan. Out: its [`Code`]. Straight stretches of blocks become one; a fork whose ways are short becomes words that
//! are done by all lanes and count only where the flag says so; at other forks lanes part.
//!
//! **Never:** how a word is done.

use super::allocate;
use super::code::{Ask, Block, Code, How, Next, Op, Reg, Roll, Source};
use super::hand::{Act, Deed};
use super::once::said_once;
use super::plain::{Faces, Plain, PlainExit, PlainRoll, PlainStep, Question};
use super::player::{Player, Seen};
use super::pools::whole;
use super::range::{Bounds, Range, Ranges};
use super::region::{Shape, Stretch};
use super::set::Set;
use super::value::Known;
use super::words::{Cut, Ways};
use crate::plan::Plan;
use crate::plan::program::{Dice, HeapId, Program, SlotId, Sort, Step};
use std::collections::BTreeMap;
use std::rc::Rc;

/// What a register program is written with.
pub(super) struct Lower<'p> {
    pub(super) plain: &'p Plain,
    pub(super) bounds: Bounds,
    /// What is known of the slots here.
    pub(super) ranges: Ranges,
    /// How many registers there are.
    pub(super) regs: usize,
    /// The words of the block that is being written.
    pub(super) ops: Vec<Op>,
    /// In which lanes what is written counts; in all without it.
    mask: Option<Reg>,
    pub(super) facts: Facts<'p>,
    /// What of that holds in lanes in which what is written does not count, too.
    pub(super) outside: Option<Facts<'p>>,
    /// Words that are not cut up yet.
    words: Vec<SharedWord>,
    /// The flags of lanes that go one way of a fork, of those that go the other, and of those that came there.
    forks: Vec<[Source; 3]>,
    /// How often slots will still be set in the stretch.
    to_set: BTreeMap<SlotId, usize>,
    /// Slots that hold the same number in all lanes.
    filled: BTreeMap<SlotId, i64>,
    /// Slots that may hold something that is still needed in lanes where what is written does not count.
    held: Set,
}

/// What is known of slots.
#[derive(Clone, Default)]
pub(super) struct Facts<'p> {
    /// What slots were set to, as far as it can be told from others.
    pub(super) known: BTreeMap<SlotId, Rc<Known<'p>>>,
    /// Slots that hold the same as another one.
    pub(super) same: BTreeMap<SlotId, SlotId>,
}

impl Facts<'_> {
    /// A slot has another value now.
    fn forget(&mut self, slot: SlotId) {
        self.known.remove(&slot);
        self.known.retain(|_, known| known.of != slot);
        self.same.remove(&slot);
        self.same.retain(|_, other| *other != slot);
    }
}

/// A word that dice of one sort are cut from.
struct SharedWord {
    ways: Ways,
    reg: Reg,
    /// The position of what lays it; the first dice fall right behind.
    at: usize,
    is_shared: bool,
}

impl Code {
    /// Writes the program of a plan; with `numbered`, lanes know the numbers of their trials. Nothing where the plan is
    /// too long to be written out.
    pub(super) fn new(plan: &Plan, numbered: bool) -> Option<Self> {
        let program: &Program = &whole(plan, plan.program.as_deref()?);
        let plain = Plain::new(plan, program);
        let bounds = Bounds::new(&plain, program.heaps.len());
        let mut lower = Lower {
            regs: plain.slots,
            plain: &plain,
            bounds,
            ranges: Ranges::new(plain.slots),
            ops: Vec::new(),
            mask: None,
            facts: Facts::default(),
            outside: None,
            words: Vec::new(),
            forks: Vec::new(),
            to_set: BTreeMap::new(),
            filled: BTreeMap::new(),
            held: Set::new(plain.slots),
        };
        let mut blocks = lower.blocks();
        let keys = lower.keys(&plan.joint, &mut blocks);
        let number = numbered.then(|| lower.reg(Range::new(0, 0)));
        let regs = lower.regs;
        said_once(&mut blocks, regs);
        Some(Self {
            heaps: program.heaps.len(),
            own: own(program),
            ..allocate::columns(blocks, keys, number, regs)
        })
    }
}

impl<'p> Lower<'p> {
    /// The register of a slot.
    pub(super) fn slot(&self, slot: SlotId) -> Reg {
        let narrow = Range::new(i16::MIN.into(), i16::MAX.into());
        Reg { at: slot.0, wide: !narrow.contains(self.bounds.slots[slot.0]) }
    }

    /// All blocks, the one that counts last.
    fn blocks(&mut self) -> Vec<Block> {
        let shape = Shape::new(self.plain, &self.bounds);
        let numbers: BTreeMap<usize, usize> =
            shape.stretches.keys().enumerate().map(|(number, at)| (*at, number)).collect();
        let mut blocks = Vec::new();
        for stretch in shape.stretches.values() {
            let mut exits = self.stretch(stretch);
            exits.iter_mut().for_each(|(_, to)| *to = numbers[to]);
            let next = match exits.pop() {
                None => Next::Count,
                Some((_, to)) if exits.is_empty() => Next::Go(to),
                Some((_, others)) => Next::Part(exits, others),
            };
            blocks.push(Block { ops: std::mem::take(&mut self.ops), next, live: Vec::new() });
        }
        blocks
    }

    /// Writes the blocks of a stretch; hands back where lanes go on, and the flags of those that go there.
    fn stretch(&mut self, stretch: &Stretch) -> Vec<(Reg, usize)> {
        let mut masks: BTreeMap<usize, Source> = BTreeMap::new();
        self.facts = Facts::default();
        self.filled.clear();
        self.forks.clear();
        self.to_set.clear();
        if let Some((root, _)) = stretch.blocks.first() {
            let known = self.bounds.known(*root);
            self.filled.extend(known.filter_map(|(slot, range)| Some((SlotId(slot), range.only()?))));
        }
        let blocks = stretch.blocks.iter().map(|(at, _)| &self.plain.blocks[at % self.plain.blocks.len()]);
        for step in blocks.flat_map(|block| &block.steps) {
            step.sets(&mut |slot| *self.to_set.entry(slot).or_insert(0) += 1);
        }
        for (at, some) in &stretch.blocks {
            let mask = some.then(|| masks.remove(at).unwrap_or(Source::Constant(0)));
            if mask == Some(Source::Constant(0)) {
                continue;
            }
            self.mask = mask.map(|mask| self.column(mask, false));
            self.outside = some.then(|| self.facts.clone());
            self.steps(*at % self.plain.blocks.len());
            self.leave(*at, &mut masks, stretch);
            self.mask = None;
            if let Some(facts) = self.outside.take() {
                self.facts = facts;
            }
        }
        self.held = Set::new(self.plain.slots);
        let exits =
            stretch.exits.iter().map(|to| (masks.get(to).copied().unwrap_or(Source::Constant(0)), *to));
        let exits = exits.collect::<Vec<_>>().into_iter();
        let exits = exits.map(|(mask, to)| (self.column(mask, false), to)).collect();
        self.end_words();
        exits
    }

    /// Flags the lanes that go on from a block by where they go.
    fn leave(&mut self, at: usize, masks: &mut BTreeMap<usize, Source>, stretch: &Stretch) {
        let here = self.mask.map_or(Source::Constant(1), Source::Reg);
        let block = at % self.plain.blocks.len();
        match (&self.plain.blocks[block].exit, self.bounds.exits[block]) {
            (PlainExit::Count, _) => {}
            (PlainExit::Go(to), _)
            | (PlainExit::Branch(_, to, _), [_, false])
            | (PlainExit::Branch(_, _, to), [false, _]) => {
                self.arrive(masks, self.there(at, *to, stretch), here)
            }
            (PlainExit::Branch(value, yes, no), _) => {
                if self.mask.is_none() {
                    let live = [yes, no].map(|to| &self.bounds.live[*to]);
                    self.held = Set::new(self.plain.slots);
                    live.into_iter().flatten().for_each(|slot| _ = self.held.insert(*slot));
                }
                let flag = self.flag(value);
                let flag = self.kept(flag);
                let then = self.both(here, flag);
                let otherwise = self.without(here, then);
                self.forks.push([then, otherwise, here]);
                for (to, mask) in [(*yes, then), (*no, otherwise)] {
                    self.arrive(masks, self.there(at, to, stretch), mask);
                }
            }
        }
    }

    /// A flag that stays what it is: that of a slot is copied, if the slot will be set again in the stretch.
    fn kept(&mut self, flag: Source) -> Source {
        match flag {
            Source::Reg(reg) if reg.at < self.plain.slots && self.to_set.contains_key(&SlotId(reg.at)) => {
                let to = self.reg(Range::new(0, 1));
                self.ops.push(Op::Copy(to, reg));
                Source::Reg(to)
            }
            flag => flag,
        }
    }

    /// The number of the block behind another in a stretch; of one that is not in it, the block's own.
    fn there(&self, at: usize, to: usize, stretch: &Stretch) -> usize {
        let lap = self.plain.blocks.len();
        let there = match (to > at % lap, at >= lap) {
            (true, again) => to + if again { lap } else { 0 },
            (false, false) => to + lap,
            (false, true) => to,
        };
        let is_inside =
            there > at && stretch.blocks.binary_search_by_key(&there, |(block, _)| *block).is_ok();
        if is_inside { there } else { to }
    }

    fn arrive(&mut self, masks: &mut BTreeMap<usize, Source>, to: usize, mask: Source) {
        let all = match masks.get(&to).copied() {
            Some(others) => self.together(others, mask),
            None => mask,
        };
        masks.insert(to, all);
    }

    /// Lanes of either flag; where both ways of a fork meet again, those that came to the fork.
    fn together(&mut self, left: Source, right: Source) -> Source {
        let forks = &self.forks;
        let met = forks.iter().find(|[then, otherwise, _]| {
            (*then, *otherwise) == (left, right) || (*then, *otherwise) == (right, left)
        });
        match met {
            Some([_, _, here]) => *here,
            None => self.any(left, right),
        }
    }

    /// Lanes of a flag that are not among those of another, all of which are.
    fn without(&mut self, all: Source, some: Source) -> Source {
        match (all, some) {
            (all, Source::Constant(0)) => all,
            (Source::Reg(all), Source::Reg(some)) => {
                let to = self.reg(Range::new(0, 1));
                self.ops.push(Op::Apply(How::Subtract, to, all, Source::Reg(some)));
                Source::Reg(to)
            }
            (_, some) => self.not(some),
        }
    }

    fn steps(&mut self, at: usize) {
        if !self.bounds.enter(at, &mut self.ranges) {
            return;
        }
        let plain = self.plain;
        for step in &plain.blocks[at].steps {
            self.step(step);
            self.bounds.behind(step, &mut self.ranges);
            step.sets(&mut |slot| self.is_set(slot));
        }
    }

    /// A slot has another value now.
    fn forget(&mut self, slot: SlotId) {
        self.facts.forget(slot);
        self.outside.iter_mut().for_each(|facts| facts.forget(slot));
    }

    fn step(&mut self, step: &'p PlainStep) {
        match step {
            PlainStep::Set(slot, value) => {
                let source = self.value(value);
                self.set(*slot, source);
                self.note(*slot, value);
            }
            PlainStep::Roll(roll) => self.roll(roll),
            PlainStep::Die(slot, faces) => {
                let faces = self.value(faces);
                let to = self.fresh(*slot);
                self.ops.push(Op::Die(to, faces, self.mask));
                self.set(*slot, Source::Reg(to));
            }
            PlainStep::Keep(heap, dice, endless, player) => {
                self.keep(*heap, dice, *endless, player.as_ref());
            }
            PlainStep::SetItem(heap, number, value) => {
                let mut operands = Vec::new();
                let number = self.operand(number, &mut operands);
                let value = self.operand(value, &mut operands);
                self.deed(operands, Act::SetItem(heap.0, number, value));
            }
            PlainStep::Choose(slot, player, options) => {
                let (to, mut operands) = (self.fresh(*slot), Vec::new());
                let player = self.player(player, &mut operands);
                let options = options.map(&mut |value| self.operand(value, &mut operands));
                self.deed(operands, Act::Choose(to, player, options));
                self.set(*slot, Source::Reg(to));
            }
        }
    }

    /// A slot has been set that was to be.
    fn is_set(&mut self, slot: SlotId) {
        if let Some(times) = self.to_set.get_mut(&slot) {
            *times -= 1;
            if *times == 0 {
                self.to_set.remove(&slot);
            }
        }
    }

    /// A new register for what will lie in a slot.
    fn fresh(&mut self, slot: SlotId) -> Reg {
        self.regs += 1;
        Reg { at: self.regs - 1, ..self.slot(slot) }
    }

    pub(super) fn deed(&mut self, operands: Vec<Reg>, act: Act) {
        self.ops.push(Op::Hand(Box::new(Deed { on: self.mask, operands, act })));
    }

    /// Lays a value in a slot, where the lanes count.
    fn set(&mut self, slot: SlotId, source: Source) {
        self.forget(slot);
        let reg = self.slot(slot);
        let mut source = source;
        if let Some(mask) = self.mask
            && !self.held.insert(slot.0)
        {
            let range = self.bounds.slots[slot.0];
            let before = self.filled.get(&slot).map_or(Source::Reg(reg), |value| Source::Constant(*value));
            source = self
                .stepped(mask, source, before)
                .unwrap_or_else(|| self.select(mask, source, before, range));
        }
        self.filled.remove(&slot);
        match source {
            Source::Constant(value) => {
                self.ops.push(Op::Fill(reg, value));
                self.filled.insert(slot, value);
            }
            Source::Reg(from) if from == reg => {}
            Source::Reg(from)
                if from.at >= self.plain.slots && from.wide == reg.wide && self.is_new(from) =>
            {
                self.ops.push(Op::Swap(reg, from));
            }
            Source::Reg(from) => {
                self.ops.push(Op::Copy(reg, from));
                self.is_same(slot, from);
            }
        }
    }

    /// One more or less than before where the flag is 1: the flag itself is added, and nothing need be chosen.
    fn stepped(&mut self, mask: Reg, source: Source, before: Source) -> Option<Source> {
        let (Source::Reg(after), Source::Reg(before)) = (source, before) else { return None };
        match self.ops.last_mut() {
            Some(Op::Apply(how, to, left, by @ (Source::Constant(1) | Source::Constant(-1))))
                if *how == How::Add && *to == after && *left == before && !after.wide =>
            {
                *how = if *by == Source::Constant(1) { How::Add } else { How::Subtract };
                *by = Source::Reg(mask);
                Some(source)
            }
            _ => None,
        }
    }

    /// Whether a register was set by the last word, so that nothing else looks at it.
    fn is_new(&mut self, reg: Reg) -> bool {
        let mut new = false;
        if let Some(op) = self.ops.last_mut() {
            op.regs(&mut |one, is_set| new |= is_set && *one == reg);
        }
        new && Some(reg) != self.mask
    }

    fn roll(&mut self, roll: &PlainRoll) {
        let count = self.value(&roll.count);
        if count == Source::Constant(0) {
            roll.asks.iter().for_each(|(slot, _)| self.set(*slot, Source::Constant(0)));
            return;
        }
        let count = match (count, self.mask) {
            (Source::Reg(count), Some(mask)) => {
                let range = self.range(&roll.count).join(Range::one(0));
                self.select(mask, Source::Reg(count), Source::Constant(0), range)
            }
            (count, _) => count,
        };
        let distinct = distinct(roll);
        let alike = roll.faces.number() / distinct;
        let asks = roll.asks.iter().map(|(slot, question)| {
            let mut ask = ask(&roll.faces, question);
            ask.merge(alike);
            (self.fresh(*slot), ask)
        });
        let asks: Vec<(Reg, Ask)> = asks.collect();
        let cut = Cut::new(distinct as u16);
        let word = if distinct == 1 { None } else { self.word(&cut, count) };
        let roll_now = Roll { on: self.mask, count, cut, alike, word, asks: asks.clone() };
        self.ops.push(Op::Roll(Box::new(roll_now)));
        for ((slot, _), (reg, _)) in roll.asks.iter().zip(asks) {
            self.forget(*slot);
            self.filled.remove(slot);
            let before = self.mask.is_some() && self.held.contains(slot.0);
            let reg_of_slot = self.slot(*slot);
            if before || reg_of_slot.wide != reg.wide {
                self.set(*slot, Source::Reg(reg));
            } else {
                self.held.insert(slot.0);
                self.ops.push(Op::Swap(reg_of_slot, reg));
            }
        }
    }

    /// The word that a few dice are cut from, together with others in the stretch; none for many dice.
    fn word(&mut self, cut: &Cut, count: Source) -> Option<Reg> {
        let Source::Constant(count) = count else { return None };
        let dice = usize::try_from(count).ok().filter(|dice| *dice <= cut.dice)?;
        let fitting = self.words.iter_mut().find_map(|word| Some((word.ways.with(cut.ways[dice])?, word)));
        if let Some((ways, word)) = fitting {
            (word.ways, word.is_shared) = (ways, true);
            if let Op::Word(_, all) = &mut self.ops[word.at] {
                *all = ways;
            }
            return Some(word.reg);
        }
        let reg = self.reg(Range::new(0, 0));
        self.words.push(SharedWord { ways: cut.ways[dice], reg, at: self.ops.len(), is_shared: false });
        self.ops.push(Op::Word(reg, cut.ways[dice]));
        Some(reg)
    }

    /// Dice whose word nobody shares take it as others do.
    fn end_words(&mut self) {
        for word in std::mem::take(&mut self.words).into_iter().rev().filter(|word| !word.is_shared) {
            if let Some(Op::Roll(roll)) = self.ops.get_mut(word.at + 1) {
                roll.word = None;
            }
            self.ops.remove(word.at);
        }
    }

    /// A player whose numbers are the operands.
    fn player(&mut self, player: &Player, operands: &mut Vec<Reg>) -> Player {
        let mut look = |look: &Seen| match look {
            Seen::Number(value) => Seen::Number(self.operand(value, operands)),
            hand @ Seen::Hand(..) => hand.clone(),
        };
        Player { looks: player.looks.iter().map(&mut look).collect(), moves: player.moves.clone() }
    }

    fn keep(&mut self, heap: HeapId, dice: &Dice, endless: Option<SlotId>, player: Option<&Player>) {
        let mut operands = Vec::new();
        let dice = dice.map(&mut |value| self.operand(value, &mut operands));
        let player = player.map(|player| self.player(player, &mut operands));
        let endless = endless.map(|slot| (slot, self.fresh(slot)));
        self.deed(operands, Act::Keep(heap.0, dice, endless.map(|(_, reg)| reg), player));
        if let Some((slot, reg)) = endless {
            self.set(slot, Source::Reg(reg));
        }
    }
}

/// How many faces a die of a roll needs: fewer than it has, where no question tells some of them apart.
pub(super) fn distinct(roll: &PlainRoll) -> usize {
    let faces = roll.faces.number();
    faces / roll.asks.iter().fold(faces, |alike, (_, question)| ask(&roll.faces, question).alike(alike))
}

/// A question as a number for each face, by its position.
fn ask(faces: &Faces, question: &Question) -> Ask {
    let worth: Vec<i16> = match question {
        Question::Sum => {
            if matches!(faces, Faces::UpTo(_)) {
                return Ask::Sum;
            }
            faces.shown().into_iter().map(|face| face as i16).collect()
        }
        Question::Count(stretches) => {
            let inside = |face: i32| stretches.iter().any(|(low, high)| *low <= face && face <= *high);
            faces.shown().into_iter().map(|face| inside(face).into()).collect()
        }
    };
    let changed = (1..worth.len()).filter(|at| worth[*at] != worth[at - 1]);
    let steps: Vec<(i16, i16)> = changed.map(|at| (at as i16, worth[at] - worth[at - 1])).collect();
    match (worth[0], &steps[..]) {
        (0, [(first, 1)]) => Ask::AtLeast(*first),
        (1, []) => Ask::AtLeast(0),
        (1, [(first, -1)]) => Ask::Below(*first),
        (first, _) => Ask::Steps(first, steps),
    }
}

/// The dice of a program that have faces of their own.
fn own(program: &Program) -> Vec<Vec<i32>> {
    let mut own = Vec::new();
    for step in program.blocks.iter().flat_map(|block| &block.steps) {
        if let Step::Keep(_, Dice::Roll(_, Sort::Own(faces))) = step
            && !own.contains(faces)
        {
            own.push(faces.clone());
        }
    }
    own
}
