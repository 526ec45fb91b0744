//! What chance can make of a step: each outcome with its ways.
//!
//! In: a step and a board before it. Out: what the step's slot or heap may hold behind it.

use super::board::{Board, Content};
use super::form::{Form, Summary};
use super::hand::{Bounds, Die, Hand, Lying, TooMany, among, only};
use super::known::{Make, Pool};
use super::number::Number;
use super::sketch::Sketch;
use super::whole::Whole;
use crate::dice::distribution::{Faces, Kept, Question, Set};
use crate::plan::program::{Asked, Dice, End, HeapId, Limits, Options, Pick, Picking, Sort, Step, Value};
use dashu_int::UBig;
use smallvec::{SmallVec, smallvec};
use std::collections::BTreeSet;

/// What a step may come to, with ways of so many in all.
#[derive(Debug)]
pub(super) struct Fall<N> {
    pub(super) outcomes: Vec<(Content, N)>,
    /// The ways on which the tool's patience ends the trial, if there are any.
    pub(super) unresolved: Option<N>,
    pub(super) whole: N,
}

impl Fall<Whole> {
    /// Nothing else can come of it.
    pub(super) fn only(outcome: Content) -> Self {
        Self { outcomes: vec![(outcome, Whole::ONE)], unresolved: None, whole: Whole::ONE }
    }

    /// One of these, so many ways each.
    fn weighed(ways: impl Iterator<Item = (i32, u32)>) -> Self {
        let ways = ways.filter(|(_, ways)| *ways > 0);
        let outcomes: Vec<(Content, Whole)> =
            ways.map(|(option, ways)| (Content::from_slice(&[option]), ways.into())).collect();
        let mut whole = Whole::ZERO;
        outcomes.iter().for_each(|(_, ways)| whole.plus(ways));
        Self { outcomes, unresolved: None, whole }
    }
}

/// A step on a board.
pub(super) struct Throw<'b, 'p> {
    pub(super) sketch: &'b Sketch<'p>,
    pub(super) board: &'b Board,
    /// At most so many outcomes are told apart.
    pub(super) most: u64,
}

impl Throw<'_, '_> {
    /// What a step comes to where there is no [`Self::pool`].
    pub(super) fn fall(&self, step: &Step) -> Result<Fall<Whole>, TooMany> {
        Ok(match step {
            Step::Chance(_, part, whole) => {
                let (part, whole) = (self.number(part), self.number(whole));
                self.must(whole >= 1 && (0..=whole).contains(&part));
                let whole = whole.max(1).unsigned_abs();
                let part = part.max(0).unsigned_abs().min(whole);
                Fall::weighed([(1, part), (0, whole - part)].into_iter())
            }
            Step::Mix(_, weights) => Fall::weighed(weights.iter().copied()),
            Step::Keep(heap, dice) => return self.dice(*heap, dice),
            _ => Fall::only(Content::new()),
        })
    }

    /// What a step comes to once the player has moved.
    pub(super) fn moved(&self, step: &Step, option: &Content) -> Result<Fall<Whole>, TooMany> {
        let Step::Keep(heap, Dice::Picked(from, pick)) = step else {
            return Ok(Fall::only(option.clone()));
        };
        let lying = self.lying(*from);
        let mut picked: Vec<usize> = Vec::new();
        for face in option {
            let next = (0..lying.len()).find(|at| lying[*at].0 == *face && !picked.contains(at));
            picked.extend(next);
        }
        if pick.keep {
            return Ok(Fall::only(self.content(*heap, only(lying, &picked, false))));
        }
        let mut hand = self.hand(*heap);
        let lying = hand.throw_again(lying, &picked, |sort| self.faces(sort))?;
        Ok(self.fallen(*heap, lying, &hand))
    }

    /// A hand that throws dice into a heap.
    fn hand(&self, heap: HeapId) -> Hand {
        let ordered = matches!(self.sketch.forms[heap.0], Form::Dice { ordered: true, .. });
        Hand { ordered, most: self.most, whole: UBig::ONE, unresolved: UBig::ZERO }
    }

    fn fallen(&self, heap: HeapId, lying: Lying, hand: &Hand) -> Fall<Whole> {
        let outcomes = lying.into_iter().map(|(dice, ways)| (self.content(heap, dice), (&ways).into()));
        let unresolved = (!hand.unresolved.is_zero()).then(|| (&hand.unresolved).into());
        Fall { outcomes: outcomes.collect(), unresolved, whole: (&hand.whole).into() }
    }

    /// All that the player may do, in order.
    ///
    /// # Errors
    /// [`TooMany`] where these are more than the budget allows to look at.
    pub(super) fn options(&self, step: &Step) -> Result<Vec<Content>, TooMany> {
        let one = |option: i32| Content::from_slice(&[option]);
        Ok(match step {
            Step::Choose(_, _, Options::Listed(options)) => {
                let open = options.iter().filter(|(_, condition)| self.number(condition) != 0);
                open.map(|(option, _)| one(*option)).collect()
            }
            Step::Choose(_, _, Options::Between(low, high)) => {
                let (low, high) = (self.number(low), self.number(high));
                if i64::from(high) - i64::from(low) >= i64::try_from(self.most).unwrap_or(i64::MAX) {
                    return Err(TooMany);
                }
                (low..=high.max(low)).map(one).collect()
            }
            Step::Keep(_, Dice::Picked(from, pick)) => self.handfuls(*from, pick)?,
            _ => Vec::new(),
        })
    }

    /// All handfuls of dice that a player may pick, the smallest first.
    fn handfuls(&self, from: HeapId, pick: &Pick) -> Result<Vec<Content>, TooMany> {
        let mut faces: Vec<i32> = self.lying(from).into_iter().map(|(face, _)| face).collect();
        faces.sort_unstable();
        let bound =
            |bound: &Option<Value>, none| bound.as_ref().map_or(none, |bound| self.amount(bound) as usize);
        let most = bound(&pick.most, faces.len()).min(faces.len());
        let least = bound(&pick.least, 0).min(most);
        let mut all: BTreeSet<(usize, Content)> = BTreeSet::from([(0, Content::new())]);
        for face in faces {
            let with = |(size, handful): &(usize, Content)| {
                let mut handful = handful.clone();
                handful.push(face);
                (size + 1, handful)
            };
            let more: Vec<_> = all.iter().filter(|(size, _)| *size < most).map(with).collect();
            all.extend(more);
            if all.len() as u64 > self.most {
                return Err(TooMany);
            }
        }
        Ok(all.into_iter().filter(|(size, _)| *size >= least).map(|(_, handful)| handful).collect())
    }

    /// All numbers that the outcomes depend on.
    pub(super) fn told_by(&self, step: &Step) -> Content {
        let mut told = Content::new();
        let mut tell = |value: &Value| {
            if !matches!(value, Value::Constant(_)) {
                told.push(self.number(value));
            }
        };
        match step {
            Step::Chance(_, part, whole) => [part, whole].into_iter().for_each(tell),
            Step::Keep(heap, dice) => {
                super::live::each_value(dice, &mut tell);
                if let Form::Answers(summary) = &self.sketch.forms[heap.0] {
                    let Summary { handled, asked } = &self.sketch.summaries[*summary];
                    handled.iter().for_each(|dice| super::live::each_value(dice, &mut tell));
                    asked.iter().flat_map(|asked| super::live::operands(asked)).for_each(&mut tell);
                }
                super::live::each_heap(dice, |from| {
                    told.push(self.board.heaps[from.0].len() as i32);
                    told.extend_from_slice(&self.board.heaps[from.0]);
                });
            }
            _ => {}
        }
        told
    }

    fn number(&self, value: &Value) -> i32 {
        self.board.number(self.sketch, value)
    }

    /// A number of dice or passes.
    fn amount(&self, value: &Value) -> u32 {
        let amount = u32::try_from(self.number(value));
        self.must(amount.is_ok());
        amount.unwrap_or(0)
    }

    /// Notes what the checker has proved of the rules as they are; without their caps it may not hold.
    fn must(&self, holds: bool) {
        self.board.fits.set(self.board.fits.get() && holds);
    }

    /// The dice that fall in a step, where they are only asked about.
    pub(super) fn pool(&self, step: &Step) -> Option<Pool> {
        let Step::Keep(heap, dice) = step else { return None };
        let Form::Answers(summary) = self.sketch.forms[heap.0] else { return None };
        let Summary { handled, asked } = &self.sketch.summaries[summary];
        let question = |asked: &&Asked| self.board.question(self.sketch, asked).unwrap_or(Question::Sum);
        Some(Pool {
            dice: self.falling(dice),
            handled: handled.iter().filter_map(|dice| self.kept(dice)).collect(),
            asked: asked.iter().map(question).collect(),
        })
    }

    /// The sort of a die as a number.
    pub(super) fn sort(&self, sort: &Sort) -> i32 {
        match sort {
            Sort::Faces(faces) => {
                let faces = self.number(faces);
                self.must(faces >= 1);
                faces.max(1)
            }
            Sort::Own(faces) => {
                let at = self.sketch.own_faces.iter().position(|known| *known == faces);
                -1 - at.unwrap_or(0) as i32
            }
        }
    }

    fn make(&self, sort: i32) -> Make {
        match usize::try_from(-1 - i64::from(sort)) {
            Ok(at) => Make::Own(self.sketch.own_faces[at].clone()),
            Err(_) => Make::UpTo(sort as u32),
        }
    }

    fn faces(&self, sort: i32) -> Faces {
        self.make(sort).faces()
    }

    fn falling(&self, dice: &Dice) -> SmallVec<[(u32, Make); 1]> {
        let unrolled = |heap: &HeapId| {
            let held = &self.board.heaps[heap.0];
            (u32::try_from(held[0]).unwrap_or(0), self.make(held[1]))
        };
        match dice {
            Dice::Roll(count, sort) => smallvec![(self.amount(count), self.make(self.sort(sort)))],
            Dice::Join(parts) => parts.iter().map(unrolled).collect(),
            Dice::Reroll(part, stretches, limits) => {
                let (count, make) = unrolled(part);
                let times = limits.times.as_ref().map_or(1, |times| self.amount(times));
                let spans = self.board.spans(self.sketch, stretches);
                smallvec![(count, Make::Again(Box::new(make), spans, times))]
            }
            _ => SmallVec::new(),
        }
    }

    fn kept(&self, dice: &Dice) -> Option<Kept> {
        Some(match dice {
            Dice::Filter(_, stretches, others) => {
                Kept::Filter(self.board.spans(self.sketch, stretches), *others)
            }
            Dice::Extreme(_, end, number, others) => {
                Kept::Extreme { highest: *end == End::Highest, number: self.amount(number), others: *others }
            }
            _ => return None,
        })
    }

    /// The dice that lie there behind a step, as the heap's form has them.
    fn dice(&self, heap: HeapId, dice: &Dice) -> Result<Fall<Whole>, TooMany> {
        let mut hand = self.hand(heap);
        let times = |limits: &Limits| limits.times.as_ref().map(|times| self.amount(times));
        let lying = match dice {
            Dice::Roll(count, sort) => {
                let sort = self.sort(sort);
                hand.add(Lying::from([(Vec::new(), UBig::ONE)]), self.amount(count), sort, &self.faces(sort))?
            }
            Dice::Reroll(from, stretches, limits) => {
                let (spans, times) = (self.board.spans(self.sketch, stretches), times(limits).unwrap_or(1));
                let lying = self.lying(*from);
                let most = limits.dice.as_ref().map(|most| self.amount(most) as usize);
                let again = if times == 0 { Vec::new() } else { to_reroll(&lying, &spans, most) };
                let faces = |sort| self.faces(sort).rerolled(&spans, times.saturating_sub(1));
                hand.throw_again(lying, &again, faces)?
            }
            Dice::Picked(from, pick) => {
                let lying = self.lying(*from);
                let picked = self.picked(&lying, pick);
                hand.throw_again(lying, &picked, |sort| self.faces(sort))?
            }
            Dice::Explode(from, stretches, limits, cap) => {
                let spans = self.board.spans(self.sketch, stretches);
                let bounds = Bounds {
                    times: times(limits),
                    dice: limits.dice.as_ref().map(|most| self.amount(most)),
                    cap: *cap,
                };
                hand.explode(self.lying(*from), &spans, bounds, |sort| self.faces(sort))?
            }
            _ => Lying::new(),
        };
        Ok(self.fallen(heap, lying, &hand))
    }

    /// What a heap holds behind a step that leaves nothing open.
    pub(super) fn settled(&self, heap: HeapId, dice: &Dice) -> Content {
        match (&self.sketch.forms[heap.0], dice) {
            (Form::Unrolled, Dice::Roll(count, sort)) => {
                Content::from_slice(&[self.amount(count) as i32, self.sort(sort)])
            }
            (Form::Answers(_), Dice::Filter(from, ..) | Dice::Extreme(from, ..) | Dice::Copy(from)) => {
                self.board.heaps[from.0].clone()
            }
            _ => self.content(heap, self.handled(dice)),
        }
    }

    fn handled(&self, dice: &Dice) -> Vec<Die> {
        match dice {
            Dice::List(items) => items.iter().map(|item| (self.number(item), 0)).collect(),
            Dice::Join(parts) => parts.iter().flat_map(|part| self.lying(*part)).collect(),
            Dice::Copy(from) => self.lying(*from),
            Dice::Filter(from, stretches, others) => {
                let spans = self.board.spans(self.sketch, stretches);
                let mut dice = self.lying(*from);
                dice.retain(|(face, _)| among(&spans, *face) != *others);
                dice
            }
            Dice::Extreme(from, end, number, others) => {
                let dice = self.lying(*from);
                let sign = if *end == End::Highest { -1 } else { 1 };
                let mut taken: Vec<usize> = (0..dice.len()).collect();
                taken.sort_by_key(|at| sign * i64::from(dice[*at].0));
                taken.truncate(self.amount(number) as usize);
                only(dice, &taken, *others)
            }
            Dice::Picked(from, pick) => {
                let dice = self.lying(*from);
                let picked = self.picked(&dice, pick);
                only(dice, &picked, false)
            }
            Dice::Roll(..) | Dice::Reroll(..) | Dice::Explode(..) => Vec::new(),
        }
    }

    /// The dice of a heap as they lie.
    fn lying(&self, heap: HeapId) -> Vec<Die> {
        let held = &self.board.heaps[heap.0];
        match self.sketch.forms[heap.0] {
            Form::Dice { rollable: true, .. } => held.chunks(2).map(|die| (die[0], die[1])).collect(),
            _ => held.iter().map(|face| (*face, 0)).collect(),
        }
    }

    fn content(&self, heap: HeapId, mut dice: Vec<Die>) -> Content {
        let Form::Dice { ordered, rollable } = self.sketch.forms[heap.0] else { return Content::new() };
        if !ordered {
            dice.sort_unstable();
        }
        let length = 1 + usize::from(rollable);
        dice.iter().flat_map(|(face, sort)| [*face, *sort].into_iter().take(length)).collect()
    }

    /// The positions of the dice that a player picks who wants those in the stretches: the nearest come first where there
    /// are too few of these; where there are too many, the lowest stay lying, or the highest are rolled no more.
    fn picked(&self, dice: &[Die], pick: &Pick) -> Vec<usize> {
        let Picking::Wanted(stretches) = &pick.by else { return Vec::new() };
        let spans = self.board.spans(self.sketch, stretches);
        let bound =
            |bound: &Option<Value>, none| bound.as_ref().map_or(none, |bound| self.amount(bound) as usize);
        let wanted = dice.iter().filter(|(face, _)| among(&spans, *face)).count();
        let mut picked: Vec<usize> = (0..dice.len()).collect();
        picked.sort_by_key(|at| (distance(&spans, dice[*at].0), dice[*at].0, *at));
        picked.truncate(wanted.max(bound(&pick.least, 0)));
        let sign = if pick.keep { -1 } else { 1 };
        picked.sort_by_key(|at| (sign * i64::from(dice[*at].0), *at));
        picked.truncate(bound(&pick.most, usize::MAX));
        picked
    }
}

/// How far a face is from the nearest stretch; all faces are equally far where every stretch is empty.
fn distance(spans: &Set, face: i32) -> i64 {
    let face = i64::from(face);
    let full = spans.iter().filter(|(low, high)| low <= high);
    let gap = |(low, high): &(i32, i32)| (i64::from(*low) - face).max(face - i64::from(*high)).max(0);
    full.map(gap).min().unwrap_or(i64::MAX)
}

/// The positions of the dice in the stretches, or of so many of these, the lowest first.
fn to_reroll(dice: &[Die], spans: &Set, most: Option<usize>) -> Vec<usize> {
    let mut again: Vec<usize> = (0..dice.len()).filter(|at| among(spans, dice[*at].0)).collect();
    if let Some(most) = most {
        again.sort_by_key(|at| dice[*at].0);
        again.truncate(most);
    }
    again
}
