//! Dice that lie on the table one by one, in every way that they can.
//!
//! It serves where dice have to be told apart: by their place, by what they are, or because more is done to them than can
//! be said at once.

use crate::dice::distribution::{Faces, Set};
use dashu_int::UBig;
use dashu_int::ops::Gcd;
use std::collections::BTreeMap;

/// A die that lies there: what it shows, and its sort.
pub(super) type Die = (i32, i32);

/// Dice that lie there, and in how many ways.
pub(super) type Lying = BTreeMap<Vec<Die>, UBig>;

/// There are more outcomes than are allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TooMany;

/// How far dice may explode.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    /// How long each chain may get.
    pub(super) times: Option<u32>,
    /// How many dice may be added in all.
    pub(super) dice: Option<u32>,
    /// Whether a chain that would get longer leaves the trial unresolved.
    pub(super) cap: bool,
}

/// A hand that throws dice.
pub(super) struct Hand {
    /// Whether it matters which die is first; else dice are kept in order of their faces.
    pub(super) ordered: bool,
    /// At most so many outcomes are told apart.
    pub(super) most: u64,
    /// How many ways there are in all.
    pub(super) whole: UBig,
    /// On how many the tool's patience ends the trial.
    pub(super) unresolved: UBig,
}

impl Hand {
    /// Throws so many dice of one sort beside those that lie there.
    pub(super) fn add(
        &mut self,
        mut lying: Lying,
        count: u32,
        sort: i32,
        faces: &Faces,
    ) -> Result<Lying, TooMany> {
        for _ in 0..count {
            lying = self.each(&lying, faces, |dice, face| dice.push((face, sort)))?;
        }
        Ok(lying)
    }

    /// Throws the dice at these positions again.
    pub(super) fn throw_again(
        &mut self,
        dice: Vec<Die>,
        again: &[usize],
        faces: impl Fn(i32) -> Faces,
    ) -> Result<Lying, TooMany> {
        if self.ordered {
            let mut lying = Lying::from([(dice.clone(), UBig::ONE)]);
            for at in again.iter().filter(|at| dice[**at].1 != 0) {
                lying = self.each(&lying, &faces(dice[*at].1), |dice, face| dice[*at].0 = face)?;
            }
            return Ok(lying);
        }
        let thrown: Vec<i32> = again.iter().map(|at| dice[*at].1).filter(|sort| *sort != 0).collect();
        let again: Vec<usize> = again.iter().copied().filter(|at| dice[*at].1 != 0).collect();
        let mut lying = Lying::from([(only(dice, &again, true), UBig::ONE)]);
        for sort in thrown {
            lying = self.add(lying, 1, sort, &faces(sort))?;
        }
        Ok(lying)
    }

    /// One more die falls: `put` says where.
    fn each(
        &mut self,
        lying: &Lying,
        faces: &Faces,
        put: impl Fn(&mut Vec<Die>, i32),
    ) -> Result<Lying, TooMany> {
        let mut next = Lying::new();
        for (dice, ways) in lying {
            for (face, more) in faces.weights() {
                let mut dice = dice.clone();
                put(&mut dice, *face);
                if !self.ordered {
                    dice.sort_unstable();
                }
                *next.entry(dice).or_default() += ways * more;
            }
            self.within(next.len())?;
        }
        self.whole *= faces.total();
        Ok(next)
    }

    fn within(&self, outcomes: usize) -> Result<(), TooMany> {
        if outcomes as u64 > self.most { Err(TooMany) } else { Ok(()) }
    }

    /// Adds a die behind the last for each that shows one of the set, the new ones among them when their turn comes.
    ///
    /// Where neither the order nor a bound on all dice matters, each chain is followed to its end before the next is
    /// begun, so that there is little to remember.
    pub(super) fn explode(
        &mut self,
        dice: Vec<Die>,
        set: &Set,
        bounds: Bounds,
        faces: impl Fn(i32) -> Faces,
    ) -> Result<Lying, TooMany> {
        let by_chain = !self.ordered && bounds.dice.is_none();
        let left = dice.into_iter().map(|die| (die, 0)).rev().collect();
        let mut under_way = BTreeMap::from([(Chains { left, ..Chains::default() }, UBig::ONE)]);
        let mut lying = Lying::new();
        while !under_way.is_empty() {
            let wave: Vec<(Chains, UBig)> = std::mem::take(&mut under_way).into_iter().collect();
            let rolls: Vec<Option<Faces>> = wave
                .iter()
                .map(|(chains, _)| {
                    chains.goes_on(set, bounds).and_then(|sort| (sort != 0).then(|| faces(sort)))
                })
                .collect();
            let whole = rolls.iter().flatten().fold(UBig::ONE, |whole, faces| common(&whole, faces.total()));
            self.spread(&mut lying, &whole);
            for ((mut chains, ways), faces) in wave.into_iter().zip(rolls) {
                let Some(((face, sort), length)) = chains.left.pop() else {
                    *lying.entry(chains.done).or_default() += ways * &whole;
                    continue;
                };
                chains.done.push((face, sort));
                if !self.ordered {
                    chains.done.sort_unstable();
                }
                let Some(faces) = faces else {
                    // a chain that is as long as it may be, or a die that shows something else
                    let room = bounds.dice.is_none_or(|most| chains.added < most);
                    if bounds.cap && room && among(set, face) {
                        self.unresolved += ways * &whole;
                    } else {
                        *under_way.entry(chains).or_default() += ways * &whole;
                    }
                    continue;
                };
                let part = ways * (&whole / faces.total());
                for (next, more) in faces.weights() {
                    let chains = chains.with((*next, sort), length, bounds, by_chain);
                    *under_way.entry(chains).or_default() += &part * more;
                }
                self.within(under_way.len())?;
            }
        }
        Ok(lying)
    }

    /// Makes all ways so many times as many.
    fn spread(&mut self, lying: &mut Lying, by: &UBig) {
        self.whole *= by;
        self.unresolved *= by;
        lying.values_mut().for_each(|ways| *ways *= by);
    }
}

/// Chains of exploding dice under way.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
struct Chains {
    /// Dice whose turn has been.
    done: Vec<Die>,
    /// Those whose turn comes, last first, each with how many stand before it in its chain.
    left: Vec<(Die, u32)>,
    added: u32,
}

impl Chains {
    /// The sort of the die that is added next, if one is.
    fn goes_on(&self, set: &Set, bounds: Bounds) -> Option<i32> {
        let ((face, sort), length) = self.left.last()?;
        let room = bounds.dice.is_none_or(|most| self.added < most);
        let short = bounds.times.is_none_or(|times| *length < times);
        (room && short && among(set, *face)).then_some(*sort)
    }

    /// One more die behind one of a chain of so many; what no bound asks for is not counted.
    fn with(&self, die: Die, length: u32, bounds: Bounds, next: bool) -> Self {
        let mut chains = self.clone();
        chains.added += u32::from(bounds.dice.is_some());
        let length = length + u32::from(bounds.times.is_some());
        chains.left.insert(if next { chains.left.len() } else { 0 }, (die, length));
        chains
    }
}

/// The dice at these positions, or with `others` all but these, as they lie.
pub(super) fn only(dice: Vec<Die>, positions: &[usize], others: bool) -> Vec<Die> {
    let dice = dice.into_iter().enumerate();
    dice.filter(|(at, _)| positions.contains(at) != others).map(|(_, die)| die).collect()
}

pub(super) fn among(set: &Set, number: i32) -> bool {
    set.iter().any(|(low, high)| (*low..=*high).contains(&number))
}

fn common(a: &UBig, b: &UBig) -> UBig {
    a / a.gcd(b) * b
}
