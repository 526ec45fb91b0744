//! Dice and lists as numbers: what is asked of dice is counted as they fall, and items of a list lie in slots.
//!
//! In: a program. Out: for each heap how it is kept, and values that ask for slots instead of heaps.
//!
//! Heaps that come from one another are kept alike. Dice whose order matters, that are rolled again or picked from stay
//! dice that lie in order. **Never:** columns, generators.

mod whole;

pub(super) use whole::whole;

use super::plain::{Faces, MOST_FACES, Plain, PlainRoll, PlainStep, Question, apply, compare};
use crate::plan::program::{
    Asked, Comparison, Dice, End, Exit, HeapId, Operation, Program, SlotId, Sort, Step, Stretches, Value,
};
use std::collections::{BTreeMap, BTreeSet};

/// Up to so many different faces are counted face by face.
const MOST_COUNTED: usize = 20;

/// Up to so many items of a list lie in slots.
const MOST_ITEMS: usize = 32;

/// How a heap is kept.
#[derive(Clone, Debug)]
enum Kept {
    /// In order, for each trial by itself.
    Hand,
    /// The items, one after another.
    Items(Vec<SlotId>),
    /// What is asked of dice as they fall.
    Asked(BTreeMap<Question, SlotId>),
    /// How many dice show each face.
    Counts(Vec<(i32, SlotId)>),
}

#[derive(Debug)]
pub(super) struct Pools {
    kept: Vec<Kept>,
}

impl Pools {
    /// Heaps that are looked at are hands.
    pub(super) fn new(program: &Program, looked_at: &BTreeSet<HeapId>, plain: &mut Plain) -> Self {
        let uses = Uses::new(program);
        let mut pools = Self { kept: vec![Kept::Hand; program.heaps.len()] };
        for family in uses.families() {
            if family.iter().any(|heap| looked_at.contains(heap)) {
                continue;
            }
            for heap in &family {
                pools.kept[heap.0] = uses.kept(*heap, &family, plain);
            }
        }
        pools
    }

    /// The value, with slots for heaps that are not hands.
    pub(super) fn value(&self, value: &Value) -> Value {
        match value {
            Value::Ask(heap, asked) => match &self.kept[heap.0] {
                Kept::Hand => value.map(&mut |part| self.value(part)),
                Kept::Items(items) => self.of_items(items, asked),
                Kept::Asked(asks) => of_answers(asks, asked),
                Kept::Counts(counts) => self.of_counts(counts, asked),
            },
            value => value.map(&mut |part| self.value(part)),
        }
    }

    fn stretches(&self, stretches: &Stretches) -> Stretches {
        let end = |end: &Option<Value>| end.as_ref().map(|end| self.value(end));
        stretches.iter().map(|(low, high)| (end(low), end(high))).collect()
    }

    fn of_items(&self, items: &[SlotId], asked: &Asked) -> Value {
        let inside = |stretches: &Stretches| {
            let stretches = self.stretches(stretches);
            sum(items.iter().map(|item| Value::Among(Box::new(Value::Slot(*item)), stretches.clone())))
        };
        match asked {
            Asked::Count(stretches) => inside(stretches),
            Asked::Any(stretches) => at_least(inside(stretches), Value::Constant(1)),
            Asked::All(_) if items.is_empty() => Value::Constant(0),
            Asked::All(stretches) => at_least(inside(stretches), Value::Constant(items.len() as i32)),
            Asked::Item(number) => {
                let (number, slots) = (self.value(number), items.iter().map(|item| Value::Slot(*item)));
                picked(number, slots.collect())
            }
            Asked::Sum | Asked::Rank(_) | Asked::Alike(_) => sum(items.iter().map(|item| Value::Slot(*item))),
        }
    }

    fn of_counts(&self, counts: &[(i32, SlotId)], asked: &Asked) -> Value {
        let inside = |stretches: &Stretches| {
            let stretches = self.stretches(stretches);
            sum(counts.iter().map(|(face, slot)| {
                let among = Value::Among(Box::new(Value::Constant(*face)), stretches.clone());
                apply(Operation::Multiply, vec![among, Value::Slot(*slot)])
            }))
        };
        let all = || sum(counts.iter().map(|(_, slot)| Value::Slot(*slot)));
        match asked {
            Asked::Sum => sum(counts.iter().map(|(face, slot)| times(*face, *slot))),
            Asked::Count(stretches) => inside(stretches),
            Asked::Any(stretches) => at_least(inside(stretches), Value::Constant(1)),
            Asked::All(stretches) => {
                both(at_least(all(), Value::Constant(1)), at_least(inside(stretches), all()))
            }
            Asked::Alike(number) => {
                let most = apply(Operation::Max, counts.iter().map(|(_, slot)| Value::Slot(*slot)).collect());
                let number = apply(Operation::Max, vec![self.value(number), Value::Constant(1)]);
                at_least(most, number)
            }
            Asked::Rank(number) | Asked::Item(number) => ranked(counts, &self.value(number)),
        }
    }

    /// The steps that lay dice down, if they are not a hand.
    pub(super) fn keep(&self, heap: HeapId, dice: &Dice, plain: &mut Plain) -> Option<Vec<PlainStep>> {
        match &self.kept[heap.0] {
            Kept::Hand => None,
            Kept::Items(slots) => Some(self.keep_items(slots, dice, plain)),
            Kept::Asked(asks) => {
                Some(self.roll(dice, asks.iter().map(|(question, slot)| (*slot, question.clone())).collect()))
            }
            Kept::Counts(counts) => Some(match dice {
                Dice::Roll(..) => {
                    let count = |(face, slot): &(i32, SlotId)| (*slot, Question::Count(vec![(*face, *face)]));
                    self.roll(dice, counts.iter().map(count).collect())
                }
                _ => self.keep_counts(counts, dice, plain),
            }),
        }
    }

    fn roll(&self, dice: &Dice, asks: Vec<(SlotId, Question)>) -> Vec<PlainStep> {
        let Dice::Roll(count, sort) = dice else { return Vec::new() };
        let Some(faces) = faces(sort) else { return Vec::new() };
        let count = self.value(count);
        if count == Value::Constant(0) {
            return asks.into_iter().map(|(slot, _)| PlainStep::Set(slot, Value::Constant(0))).collect();
        }
        vec![PlainStep::Roll(PlainRoll { count, faces, asks })]
    }

    fn keep_items(&self, slots: &[SlotId], dice: &Dice, plain: &mut Plain) -> Vec<PlainStep> {
        let items: Vec<Value> = match dice {
            Dice::List(items) => items.iter().map(|item| self.value(item)).collect(),
            Dice::Copy(from) => match &self.kept[from.0] {
                Kept::Items(items) => items.iter().map(|item| Value::Slot(*item)).collect(),
                _ => Vec::new(),
            },
            _ => Vec::new(),
        };
        // An item may look at what lay there before: all are worked out first.
        let looks = |value: &Value| {
            let mut looks = false;
            value.reads(&mut |read| {
                looks |= matches!(read, crate::plan::Read::Slot(slot) if slots.contains(&slot))
            });
            looks
        };
        if !items.iter().any(looks) {
            return slots.iter().zip(items).map(|(slot, item)| PlainStep::Set(*slot, item)).collect();
        }
        let (mut first, mut then) = (Vec::new(), Vec::new());
        for (slot, item) in slots.iter().zip(items) {
            let between = plain.slot();
            first.push(PlainStep::Set(between, item));
            then.push(PlainStep::Set(*slot, Value::Slot(between)));
        }
        first.into_iter().chain(then).collect()
    }

    fn keep_counts(&self, counts: &[(i32, SlotId)], dice: &Dice, plain: &mut Plain) -> Vec<PlainStep> {
        let of = |heap: HeapId, face: i32| match &self.kept[heap.0] {
            Kept::Counts(counts) => counts
                .iter()
                .find(|(known, _)| *known == face)
                .map_or(Value::Constant(0), |(_, slot)| Value::Slot(*slot)),
            _ => Value::Constant(0),
        };
        let set =
            |(face, slot): &(i32, SlotId), value: &dyn Fn(i32) -> Value| PlainStep::Set(*slot, value(*face));
        match dice {
            Dice::Copy(from) => counts.iter().map(|one| set(one, &|face| of(*from, face))).collect(),
            Dice::Join(heaps) => {
                let all = |face| sum(heaps.iter().map(|heap| of(*heap, face)));
                counts.iter().map(|one| set(one, &all)).collect()
            }
            Dice::Filter(from, stretches, others) => {
                let (mut steps, stretches) = self.ends_first(stretches, plain);
                let inside = |face: i32| {
                    let among = Value::Among(Box::new(Value::Constant(face)), stretches.clone());
                    let among = if *others { apply(Operation::Not, vec![among]) } else { among };
                    apply(Operation::Multiply, vec![among, of(*from, face)])
                };
                steps.extend(counts.iter().map(|one| set(one, &inside)));
                steps
            }
            Dice::Extreme(from, end, number, others) => {
                let left = plain.slot();
                let zero = Value::Constant(0);
                let mut steps =
                    vec![PlainStep::Set(left, apply(Operation::Max, vec![self.value(number), zero]))];
                let mut ordered = counts.to_vec();
                if *end == End::Highest {
                    ordered.reverse();
                }
                for (face, slot) in ordered {
                    let (taken, there) = (plain.slot(), of(*from, face));
                    let least = apply(Operation::Min, vec![there.clone(), Value::Slot(left)]);
                    steps.push(PlainStep::Set(taken, least));
                    steps.push(PlainStep::Set(left, subtract(Value::Slot(left), Value::Slot(taken))));
                    let rest = || subtract(there.clone(), Value::Slot(taken));
                    steps.push(PlainStep::Set(slot, if *others { rest() } else { Value::Slot(taken) }));
                }
                steps
            }
            _ => Vec::new(),
        }
    }

    /// Steps that work out the ends of stretches, which may look at dice that lay there before, and the same stretches.
    fn ends_first(&self, stretches: &Stretches, plain: &mut Plain) -> (Vec<PlainStep>, Stretches) {
        let mut steps = Vec::new();
        let mut keep = |end: Value| {
            if let Value::Constant(_) = end {
                return end;
            }
            let slot = plain.slot();
            steps.push(PlainStep::Set(slot, end));
            Value::Slot(slot)
        };
        let stretches = self.stretches(stretches).into_iter();
        let stretches = stretches.map(|(low, high)| (low.map(&mut keep), high.map(&mut keep))).collect();
        (steps, stretches)
    }

    /// The changes that a changed item comes to, if the list is not a hand.
    pub(super) fn set_item(
        &self,
        heap: HeapId,
        number: &Value,
        value: &Value,
    ) -> Option<Vec<(SlotId, Value)>> {
        let Kept::Items(items) = &self.kept[heap.0] else { return None };
        let change = |(at, slot): (usize, &SlotId)| {
            let here = Value::Constant(at as i32 + 1);
            let this = Value::Among(Box::new(number.clone()), vec![(Some(here.clone()), Some(here))]);
            (*slot, Value::If(Box::new([this, value.clone(), Value::Slot(*slot)])))
        };
        if let Value::Constant(number) = number {
            let at = usize::try_from(i64::from(*number) - 1).ok();
            return Some(
                at.and_then(|at| items.get(at)).map(|slot| (*slot, value.clone())).into_iter().collect(),
            );
        }
        Some(items.iter().enumerate().map(change).collect())
    }
}

/// What is done with each heap in a program.
struct Uses<'p> {
    sources: Vec<Vec<&'p Dice>>,
    asked: Vec<Vec<&'p Asked>>,
    set: Vec<bool>,
    /// How often the dice of a heap come to lie in another one.
    feeds: Vec<usize>,
}

impl<'p> Uses<'p> {
    fn new(program: &'p Program) -> Self {
        let heaps = program.heaps.len();
        let mut uses = Self {
            sources: vec![Vec::new(); heaps],
            asked: vec![Vec::new(); heaps],
            set: vec![false; heaps],
            feeds: vec![0; heaps],
        };
        for block in &program.blocks {
            for step in &block.steps {
                uses.step(step);
            }
            if let Exit::Branch(value, ..) | Exit::Done(value) = &block.exit {
                uses.value(value);
            }
        }
        uses
    }

    fn step(&mut self, step: &'p Step) {
        step.parts(&mut |value| self.value(value));
        match step {
            Step::Keep(heap, dice) => {
                self.sources[heap.0].push(dice);
                dice.heaps(|from| self.feeds[from.0] += 1);
            }
            Step::SetItem(heap, ..) => self.set[heap.0] = true,
            _ => {}
        }
    }

    fn value(&mut self, value: &'p Value) {
        if let Value::Ask(heap, asked) = value {
            self.asked[heap.0].push(asked);
        }
        value.parts(&mut |part| self.value(part));
    }

    /// Heaps that come from one another.
    fn families(&self) -> Vec<Vec<HeapId>> {
        let mut family: Vec<usize> = (0..self.sources.len()).collect();
        let heaps = self.sources.iter().enumerate();
        for (heap, dice) in heaps.flat_map(|(heap, sources)| sources.iter().map(move |dice| (heap, dice))) {
            dice.heaps(|from| {
                let (old, new) = (family[from.0], family[heap]);
                family.iter_mut().filter(|one| **one == old).for_each(|one| *one = new);
            });
        }
        let mut families: BTreeMap<usize, Vec<HeapId>> = BTreeMap::new();
        for (heap, family) in family.iter().enumerate() {
            families.entry(*family).or_default().push(HeapId(heap));
        }
        families.into_values().collect()
    }

    fn kept(&self, heap: HeapId, family: &[HeapId], plain: &mut Plain) -> Kept {
        if let Some(items) = self.items(family) {
            return Kept::Items((0..items).map(|_| plain.slot()).collect());
        }
        let Some(faces) = self.faces(family) else { return Kept::Hand };
        let asked = &self.asked[heap.0];
        let questions: Option<Vec<Question>> = asked.iter().flat_map(|asked| questions(asked)).collect();
        match questions {
            Some(questions)
                if self.feeds[heap.0] == 0 && self.sources[heap.0].iter().all(|dice| is_roll(dice)) =>
            {
                let mut asks = BTreeMap::new();
                for question in questions {
                    asks.entry(question).or_insert_with(|| plain.slot());
                }
                Kept::Asked(asks)
            }
            _ => Kept::Counts(faces.into_iter().map(|face| (face, plain.slot())).collect()),
        }
    }

    /// How many items the lists of a family have, if they can lie in slots.
    fn items(&self, family: &[HeapId]) -> Option<usize> {
        let sources = || family.iter().flat_map(|heap| &self.sources[heap.0]);
        let mut lengths = sources().filter_map(|dice| match dice {
            Dice::List(items) => Some(items.len()),
            _ => None,
        });
        let length = lengths.next()?;
        let alike = length <= MOST_ITEMS && lengths.all(|other| other == length);
        let plain = sources().all(|dice| matches!(dice, Dice::List(_) | Dice::Copy(_)));
        let asked = family.iter().flat_map(|heap| &self.asked[heap.0]);
        let told = asked.into_iter().all(|asked| !matches!(asked, Asked::Rank(_) | Asked::Alike(_)));
        (alike && plain && told).then_some(length)
    }

    /// The faces of all dice of a family, if they need not lie in order.
    fn faces(&self, family: &[HeapId]) -> Option<Vec<i32>> {
        let mut all = Vec::new();
        let mut largest = 0;
        let mut simple = true;
        for heap in family {
            simple &= self.feeds[heap.0] == 0
                && self.asked[heap.0].iter().all(|asked| questions(asked).iter().all(Option::is_some));
            if self.set[heap.0] || self.asked[heap.0].iter().any(|asked| matches!(asked, Asked::Item(_))) {
                return None;
            }
            for dice in &self.sources[heap.0] {
                match dice {
                    Dice::Roll(_, sort) => {
                        let faces = faces(sort)?;
                        largest = largest.max(faces.number());
                        all.extend(faces.shown());
                    }
                    Dice::Copy(_) | Dice::Join(_) | Dice::Filter(..) | Dice::Extreme(..) => {}
                    _ => return None,
                }
            }
        }
        all.sort_unstable();
        all.dedup();
        (largest > 0 && (simple || all.len() <= MOST_COUNTED)).then_some(all)
    }
}

impl Faces {
    /// How many faces the die has.
    pub(super) fn number(&self) -> usize {
        match self {
            Self::UpTo(most) => *most as usize,
            Self::Own(faces) => faces.len(),
        }
    }

    /// The lowest and the highest.
    pub(super) fn ends(&self) -> (i32, i32) {
        match self {
            Self::UpTo(most) => (1, *most),
            Self::Own(faces) => {
                let ends = [faces.iter().min(), faces.iter().max()].map(|end| end.copied().unwrap_or(0));
                ends.into()
            }
        }
    }

    /// What they show.
    pub(super) fn shown(&self) -> Vec<i32> {
        match self {
            Self::UpTo(most) => (1..=*most).collect(),
            Self::Own(faces) => faces.clone(),
        }
    }
}

fn is_roll(dice: &Dice) -> bool {
    matches!(dice, Dice::Roll(..))
}

/// The faces of a sort that is known and can be rolled from 16 bits, and whose faces are small.
fn faces(sort: &Sort) -> Option<Faces> {
    match sort {
        Sort::Faces(Value::Constant(most)) if (1..=MOST_FACES).contains(most) => Some(Faces::UpTo(*most)),
        Sort::Own(faces)
            if faces.len() <= MOST_FACES as usize && faces.iter().all(|face| face.abs() <= MOST_FACES) =>
        {
            Some(Faces::Own(faces.clone()))
        }
        _ => None,
    }
}

/// What must be counted as dice fall to answer; nothing where that does not do.
fn questions(asked: &Asked) -> Vec<Option<Question>> {
    match asked {
        Asked::Sum => vec![Some(Question::Sum)],
        Asked::Count(stretches) | Asked::Any(stretches) => vec![known(stretches).map(Question::Count)],
        Asked::All(stretches) => vec![known(stretches).map(Question::Count), Some(everything())],
        Asked::Rank(_) | Asked::Alike(_) | Asked::Item(_) => vec![None],
    }
}

fn everything() -> Question {
    Question::Count(vec![(i32::MIN, i32::MAX)])
}

/// Stretches whose ends are all constant.
fn known(stretches: &Stretches) -> Option<Vec<(i32, i32)>> {
    let end = |end: &Option<Value>, open: i32| match end {
        None => Some(open),
        Some(Value::Constant(end)) => Some(*end),
        Some(_) => None,
    };
    stretches.iter().map(|(low, high)| Some((end(low, i32::MIN)?, end(high, i32::MAX)?))).collect()
}

fn of_answers(asks: &BTreeMap<Question, SlotId>, asked: &Asked) -> Value {
    let slot = |question: Option<Question>| {
        let slot = question.and_then(|question| asks.get(&question));
        slot.map_or(Value::Constant(0), |slot| Value::Slot(*slot))
    };
    let inside = |stretches: &Stretches| slot(known(stretches).map(Question::Count));
    match asked {
        Asked::Count(stretches) => inside(stretches),
        Asked::Any(stretches) => at_least(inside(stretches), Value::Constant(1)),
        Asked::All(stretches) => {
            let all = slot(Some(everything()));
            both(at_least(all.clone(), Value::Constant(1)), at_least(inside(stretches), all))
        }
        Asked::Sum | Asked::Rank(_) | Asked::Alike(_) | Asked::Item(_) => slot(Some(Question::Sum)),
    }
}

/// The so manyth highest face, from 1; 0 where there are fewer dice.
fn ranked(counts: &[(i32, SlotId)], number: &Value) -> Value {
    let mut value = Value::Constant(0);
    for at in 0..counts.len() {
        let from_here = sum(counts[at..].iter().map(|(_, slot)| Value::Slot(*slot)));
        value =
            Value::If(Box::new([at_least(from_here, number.clone()), Value::Constant(counts[at].0), value]));
    }
    let counts_from_1 = at_least(number.clone(), Value::Constant(1));
    Value::If(Box::new([counts_from_1, value, Value::Constant(0)]))
}

/// The value with this number, from 1; 0 where there is none.
fn picked(number: Value, values: Vec<Value>) -> Value {
    if let Value::Constant(number) = number {
        let at = usize::try_from(i64::from(number) - 1).ok();
        return at.and_then(|at| values.into_iter().nth(at)).unwrap_or(Value::Constant(0));
    }
    let mut picked = Value::Constant(0);
    for (at, value) in values.into_iter().enumerate().rev() {
        let here = Some(Value::Constant(at as i32 + 1));
        let this = Value::Among(Box::new(number.clone()), vec![(here.clone(), here)]);
        picked = Value::If(Box::new([this, value, picked]));
    }
    picked
}

fn sum(values: impl Iterator<Item = Value>) -> Value {
    values.reduce(|sum, value| apply(Operation::Add, vec![sum, value])).unwrap_or(Value::Constant(0))
}

fn times(face: i32, slot: SlotId) -> Value {
    apply(Operation::Multiply, vec![Value::Slot(slot), Value::Constant(face)])
}

fn subtract(left: Value, right: Value) -> Value {
    apply(Operation::Subtract, vec![left, right])
}

fn at_least(left: Value, right: Value) -> Value {
    compare(Comparison::AtLeast, left, right)
}

fn both(left: Value, right: Value) -> Value {
    Value::If(Box::new([left, right, Value::Constant(0)]))
}
