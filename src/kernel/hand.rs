//! Dice and lists that lie in order: what is done with them, lane by lane.
//!
//! In: a deed and its operands in one lane. Out: the hands of that lane, or an answer. It is written from
//! `docs/rules.md` and shares nothing with [`crate::dice`]. **Never:** columns, batches.

use super::code::Reg;
use super::player::{Player, Seen};
use crate::plan::program::{Asked, Dice, End, Limits, Options, Pick, Picking, Sort, Stretches, Value};
use crate::random::Source;

/// Something that is done lane by lane. Its values are constants, or slots whose numbers are positions in the operands.
#[derive(Clone, Debug)]
pub(super) struct Deed {
    /// In which lanes; in all without it.
    pub(super) on: Option<Reg>,
    pub(super) operands: Vec<Reg>,
    pub(super) act: Act,
}

#[derive(Clone, Debug)]
pub(super) enum Act {
    /// The register is 1 where a chain of new dice does not end.
    Keep(usize, Dice, Option<Reg>, Option<Player>),
    SetItem(usize, Value, Value),
    Ask(Reg, usize, Asked),
    Choose(Reg, Player, Options),
}

/// A die that lies there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Die {
    pub(super) shows: i32,
    sort: Kind,
}

/// What it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Item,
    Faces(u32),
    /// The faces that stand there in [`Lane::own`].
    Own(usize),
}

/// The hands of one lane, and the operands of a deed there.
pub(super) struct Lane<'l> {
    pub(super) hands: &'l mut [Vec<Die>],
    pub(super) operands: &'l [i64],
    /// Dice with faces of their own.
    pub(super) own: &'l [Vec<i32>],
}

type Known = Vec<(i64, i64)>;

impl Lane<'_> {
    fn value(&self, value: &Value) -> i64 {
        match value {
            Value::Constant(value) => (*value).into(),
            Value::Slot(slot) => self.operands[slot.0],
            _ => 0, // values are worked out before
        }
    }

    fn number(&self, value: &Value) -> usize {
        usize::try_from(self.value(value)).unwrap_or(0)
    }

    fn known(&self, stretches: &Stretches) -> Known {
        let end = |end: &Option<Value>, open| end.as_ref().map_or(open, |end| self.value(end));
        stretches.iter().map(|(low, high)| (end(low, i64::MIN), end(high, i64::MAX))).collect()
    }

    /// Lays dice down; says whether a chain of new dice did not end.
    pub(super) fn keep(
        &mut self,
        heap: usize,
        dice: &Dice,
        player: Option<&Player>,
        source: &mut impl Source,
    ) -> bool {
        let mut kept = std::mem::take(&mut self.hands[heap]);
        let mut endless = false;
        let from = |lane: &Self, from: usize, kept: &Vec<Die>| {
            if from == heap { kept.clone() } else { lane.hands[from].clone() }
        };
        kept = match dice {
            Dice::Roll(count, sort) => {
                let kind = match sort {
                    Sort::Faces(faces) => Kind::Faces(self.value(faces).clamp(1, i64::from(u32::MAX)) as u32),
                    Sort::Own(faces) => Kind::Own(self.own.iter().position(|own| own == faces).unwrap_or(0)),
                };
                let mut die = Die { shows: 0, sort: kind };
                kept.clear();
                for _ in 0..self.number(count) {
                    self.roll(&mut die, source);
                    kept.push(die);
                }
                kept
            }
            Dice::Join(heaps) => heaps.iter().flat_map(|one| from(self, one.0, &kept)).collect(),
            Dice::List(items) => {
                items.iter().map(|item| Die { shows: self.value(item) as i32, sort: Kind::Item }).collect()
            }
            Dice::Copy(one) => from(self, one.0, &kept),
            Dice::Filter(one, stretches, others) => {
                let known = self.known(stretches);
                let mut dice = from(self, one.0, &kept);
                dice.retain(|die| inside(&known, die.shows) != *others);
                dice
            }
            Dice::Extreme(one, end, number, others) => {
                extreme(from(self, one.0, &kept), *end, self.number(number), *others)
            }
            Dice::Reroll(one, stretches, limits) => {
                let mut dice = from(self, one.0, &kept);
                self.reroll(&mut dice, &self.known(stretches), limits, source);
                dice
            }
            Dice::Explode(one, stretches, limits, cap) => {
                let mut dice = from(self, one.0, &kept);
                endless = self.explode(&mut dice, &self.known(stretches), limits, *cap, source);
                dice
            }
            Dice::Picked(one, pick) => {
                let mut dice = from(self, one.0, &kept);
                self.hands[heap] = kept;
                let taken = self.picked(&dice, pick, player);
                kept = std::mem::take(&mut self.hands[heap]);
                kept.clear();
                if pick.keep {
                    kept.extend(taken.iter().map(|at| dice[*at]));
                    kept
                } else {
                    taken.iter().for_each(|at| self.roll(&mut dice[*at], source));
                    dice
                }
            }
        };
        self.hands[heap] = kept;
        endless
    }

    fn roll(&self, die: &mut Die, source: &mut impl Source) {
        match die.sort {
            Kind::Item => {}
            Kind::Faces(faces) => die.shows = source.die(faces) as i32,
            Kind::Own(own) => {
                let faces = &self.own[own];
                die.shows = faces[source.die(faces.len() as u32) as usize - 1];
            }
        }
    }

    fn bound(&self, bound: Option<&Value>) -> usize {
        bound.map_or(usize::MAX, |bound| self.number(bound))
    }

    /// Dice are rolled again as they lie, or the lowest first where only so many may be.
    fn reroll(&self, dice: &mut [Die], known: &Known, limits: &Limits, source: &mut impl Source) {
        let mut turns: Vec<usize> = (0..dice.len()).filter(|at| inside(known, dice[*at].shows)).collect();
        if limits.dice.is_some() {
            turns.sort_by_key(|at| dice[*at].shows);
            turns.truncate(self.bound(limits.dice.as_ref()));
        }
        let times = limits.times.as_ref().map_or(1, |times| self.number(times));
        for at in turns {
            for _ in 0..times {
                if inside(known, dice[at].shows) {
                    self.roll(&mut dice[at], source);
                }
            }
        }
    }

    /// Says whether a chain would have got too long.
    fn explode(
        &self,
        dice: &mut Vec<Die>,
        known: &Known,
        limits: &Limits,
        cap: bool,
        source: &mut impl Source,
    ) -> bool {
        let (times, mut left) = (self.bound(limits.times.as_ref()), self.bound(limits.dice.as_ref()));
        let mut depths = vec![0; dice.len()];
        let mut at = 0;
        while at < dice.len() && left > 0 {
            if inside(known, dice[at].shows) {
                if depths[at] < times {
                    let mut die = dice[at];
                    self.roll(&mut die, source);
                    dice.push(die);
                    depths.push(depths[at] + 1);
                    left -= 1;
                } else if cap {
                    return true;
                }
            }
            at += 1;
        }
        false
    }

    /// The positions of the dice that a player picks, ascending.
    fn picked(&self, dice: &[Die], pick: &Pick, player: Option<&Player>) -> Vec<usize> {
        let least = pick.least.as_ref().map_or(0, |least| self.number(least));
        let most = self.bound(pick.most.as_ref());
        let known = match &pick.by {
            Picking::Free(_) => return self.advised(dice, least.min(most), player),
            Picking::Wanted(stretches) => self.known(stretches),
        };
        let far = |at: &usize| distance(&known, dice[*at].shows);
        let mut taken: Vec<usize> = (0..dice.len()).collect();
        taken.sort_by_key(|at| (far(at), dice[*at].shows));
        let wanted = taken.iter().filter(|at| far(at) == 0).count();
        taken.truncate(wanted.max(least));
        taken.sort_unstable();
        taken.sort_by_key(|at| if pick.keep { -i64::from(dice[*at].shows) } else { dice[*at].shows.into() });
        taken.truncate(most);
        taken.sort_unstable();
        taken
    }

    /// The first dice that show what the table says; where it says nothing, so many of the lowest.
    fn advised(&self, dice: &[Die], least: usize, player: Option<&Player>) -> Vec<usize> {
        let advice = player.and_then(|player| player.moves.get(&self.seen(player, dice)));
        let mut faces: Vec<i32> = dice.iter().map(|die| die.shows).collect();
        faces.sort_unstable();
        faces.truncate(least);
        let mut taken = Vec::new();
        for face in advice.unwrap_or(&faces) {
            let next = (0..dice.len()).find(|at| dice[*at].shows == *face && !taken.contains(at));
            taken.extend(next);
        }
        taken.sort_unstable();
        taken
    }

    /// What a player sees, as a table writes it down.
    fn seen(&self, player: &Player, here: &[Die]) -> Vec<i32> {
        let mut seen = Vec::new();
        for look in &player.looks {
            match look {
                Seen::Number(value) => seen.push(self.value(value) as i32),
                Seen::Hand(heap, ordered, sorts) => {
                    let dice = heap.map_or(here, |heap| &self.hands[heap.0]);
                    let told = |die: &Die| (die.shows, sorts.then(|| self.sort(die)));
                    let mut dice: Vec<(i32, Option<i32>)> = dice.iter().map(told).collect();
                    if !ordered {
                        dice.sort_unstable();
                    }
                    seen.push(dice.len() as i32);
                    seen.extend(dice.into_iter().flat_map(|(shows, sort)| [Some(shows), sort]).flatten());
                }
            }
        }
        seen
    }

    fn sort(&self, die: &Die) -> i32 {
        match die.sort {
            Kind::Item => 0,
            Kind::Faces(faces) => faces as i32,
            Kind::Own(own) => -(self.own[own].len() as i32),
        }
    }

    /// What a player takes.
    pub(super) fn choose(&self, player: &Player, options: &Options) -> i64 {
        let advice = || player.moves.get(&self.seen(player, &[])).and_then(|option| option.first()).copied();
        match options {
            Options::Between(low, high) => {
                let (low, high) = (self.value(low), self.value(high));
                if low >= high {
                    return low;
                }
                advice().map_or(low, i64::from).min(high).max(low)
            }
            Options::Listed(listed) => {
                let is_open = |option: i32| {
                    listed.iter().any(|(listed, open)| *listed == option && self.value(open) != 0)
                };
                let first =
                    || listed.iter().find(|(_, open)| self.value(open) != 0).map(|(option, _)| *option);
                advice().filter(|option| is_open(*option)).or_else(first).unwrap_or(0).into()
            }
        }
    }

    pub(super) fn set_item(&mut self, heap: usize, number: &Value, value: &Value) {
        let (number, value) = (self.value(number), self.value(value));
        let at = usize::try_from(number - 1).ok();
        if let Some(item) = at.and_then(|at| self.hands[heap].get_mut(at)) {
            item.shows = value as i32;
        }
    }

    pub(super) fn ask(&self, heap: usize, asked: &Asked) -> i64 {
        let dice = &self.hands[heap];
        let count = |stretches: &Stretches| {
            let known = self.known(stretches);
            dice.iter().filter(|die| inside(&known, die.shows)).count()
        };
        match asked {
            Asked::Sum => dice.iter().map(|die| i64::from(die.shows)).sum(),
            Asked::Count(stretches) => count(stretches) as i64,
            Asked::Any(stretches) => (count(stretches) > 0).into(),
            Asked::All(stretches) => (!dice.is_empty() && count(stretches) == dice.len()).into(),
            Asked::Rank(number) => {
                let mut faces: Vec<i32> = dice.iter().map(|die| die.shows).collect();
                faces.sort_unstable_by(|a, b| b.cmp(a));
                usize::try_from(self.value(number) - 1)
                    .ok()
                    .and_then(|at| faces.get(at))
                    .map_or(0, |face| (*face).into())
            }
            Asked::Alike(number) => {
                let mut faces: Vec<i32> = dice.iter().map(|die| die.shows).collect();
                faces.sort_unstable();
                let most = faces.chunk_by(|a, b| a == b).map(<[i32]>::len).max();
                most.is_some_and(|most| most as i64 >= self.value(number)).into()
            }
            Asked::Item(number) => {
                let at = usize::try_from(self.value(number) - 1).ok();
                at.and_then(|at| dice.get(at)).map_or(0, |die| die.shows.into())
            }
        }
    }
}

fn inside(known: &Known, shows: i32) -> bool {
    known.iter().any(|(low, high)| (*low..=*high).contains(&shows.into()))
}

/// How far a face is from the nearest stretch; of no stretches all are equally far.
fn distance(known: &Known, shows: i32) -> i64 {
    let shows = i64::from(shows);
    let gap = |(low, high): &(i64, i64)| {
        (low <= high).then(|| if shows < *low { low - shows } else { shows.saturating_sub(*high).max(0) })
    };
    known.iter().filter_map(gap).min().unwrap_or(i64::MAX)
}

/// So many dice from one end, or the others; of equal ones the first count.
fn extreme(dice: Vec<Die>, end: End, number: usize, others: bool) -> Vec<Die> {
    let sign = if end == End::Highest { -1 } else { 1 };
    let mut ranked: Vec<usize> = (0..dice.len()).collect();
    ranked.sort_by_key(|at| sign * i64::from(dice[*at].shows));
    let mut taken = vec![false; dice.len()];
    ranked.into_iter().take(number).for_each(|at| taken[at] = true);
    dice.into_iter().zip(taken).filter(|(_, taken)| *taken != others).map(|(die, _)| die).collect()
}
