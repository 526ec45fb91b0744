//! What a player does where the rules leave it to him.

use super::pool::{shown, tell};
use super::{Hand, Table, Unresolved};
use crate::dice::roll::{self, Die};
use crate::plan::{Event, Handling, Listener, Move, Stretches};
use crate::random::Source;
use crate::rules::tree::End;
use crate::rules::{ChoiceId, Chosen, Expr, Pool, Span, UnitsId};

impl<'a> Table<'a> {
    /// One of several options; what it gives is worked out once it is picked.
    pub(super) fn choose<D: Source, L: Listener>(
        &mut self,
        choice: ChoiceId,
        options: &'a [(i32, Expr)],
        span: Span,
        hand: &mut Hand<D, L>,
    ) -> Result<i32, Unresolved> {
        let picked = self.picked(choice, span, hand)?;
        // A plan has a move for every choice that its entry can come to; the first option stands in all the same.
        let picked = picked.and_then(|picked| options.iter().find(|(option, _)| *option == picked));
        let Some((option, value)) = picked.or(options.first()) else { return Ok(0) };
        hand.story.hear(|| Event::Chose { choice, option: *option });
        self.value(value, hand)
    }

    /// A number or a unit between two; the nearest that is allowed.
    pub(super) fn choose_from<D: Source, L: Listener>(
        &mut self,
        choice: ChoiceId,
        (low, high): (&'a Expr, &'a Expr),
        span: Span,
        hand: &mut Hand<D, L>,
    ) -> Result<i32, Unresolved> {
        let (low, high) = (self.value(low, hand)?, self.value(high, hand)?);
        let wanted = match self.play(choice) {
            Some(Move::End(End::Highest)) => high,
            Some(Move::Aim { .. }) if low >= high => low,
            _ => self.picked(choice, span, hand)?.unwrap_or(low),
        };
        let option = wanted.min(high).max(low);
        if low < high {
            hand.story.hear(|| Event::Chose { choice, option });
        }
        Ok(option)
    }

    /// What the player does at a choice here.
    fn play(&self, choice: ChoiceId) -> Option<&'a Move> {
        let plan = self.plan;
        plan.moves[choice.0].as_ref().map(|play| play.now(|units| self.current(units)))
    }

    /// The unit of a line for which the call is.
    fn current(&self, units: UnitsId) -> Option<usize> {
        let units = &self.rules.units[units.0];
        let cell = self.at[units.factors.first()?.0];
        (0..units.names.len()).find(|unit| units.own(*unit, 0).0 == cell)
    }

    /// What a policy names, if it names a single value.
    fn picked<D: Source, L: Listener>(
        &mut self,
        choice: ChoiceId,
        span: Span,
        hand: &mut Hand<D, L>,
    ) -> Result<Option<i32>, Unresolved> {
        Ok(match self.play(choice) {
            Some(Move::Option(option)) => Some(*option),
            Some(Move::Mix(weights)) => Some(drawn(weights, hand.dice)),
            Some(Move::Condition { expr, .. }) => Some(self.value(expr, hand)?),
            Some(Move::Aim { .. }) => {
                self.advised(choice, span, &[]).and_then(|option| option.first().copied())
            }
            _ => None,
        })
    }

    /// Dice that the player picks are rolled again in place, or kept.
    pub(super) fn chosen<D: Source, L: Listener>(
        &mut self,
        pool: &'a Pool,
        from: &'a Pool,
        chosen: &'a Chosen,
        hand: &mut Hand<D, L>,
    ) -> Result<Vec<Die<'a>>, Unresolved> {
        let mut dice = self.pool(from, hand)?;
        let least = self.at_most(chosen.least.as_ref(), hand)?.unwrap_or(0);
        let most = self.at_most(chosen.most.as_ref(), hand)?.unwrap_or(u32::MAX);
        let taken = match self.play(chosen.choice) {
            Some(Move::Aim { .. }) => {
                let faces = self.advised(chosen.choice, pool.span, &dice);
                first_of(&dice, faces, least.min(most) as usize)
            }
            play => {
                let set = match play {
                    Some(Move::Dice { set, .. }) => self.stretches(set, hand)?,
                    _ => Stretches::new(),
                };
                let distance = |face| distance(&set, face);
                roll::chosen(&dice, distance, least as usize, most as usize, chosen.keep)
            }
        };
        let before = shown(&dice);
        if chosen.keep {
            dice = roll::take(&dice, &taken, false);
        } else {
            roll::reroll_at(&mut dice, &taken, hand.dice);
        }
        let fell = || taken.iter().map(|at| (before[*at], dice[*at].shows)).collect();
        let how = || match chosen.keep {
            true => Handling::KeepChosen(chosen.choice),
            false => Handling::RerollChosen(chosen.choice, fell()),
        };
        tell(pool, how, &dice, hand);
        Ok(dice)
    }

    /// The position among the units that are left of the one that the player takes next.
    pub(super) fn next_unit<D: Source, L: Listener>(
        &mut self,
        choice: ChoiceId,
        (units, span): (UnitsId, Span),
        left: &[i32],
        hand: &mut Hand<D, L>,
    ) -> Result<usize, Unresolved> {
        let (by, end) = match self.play(choice) {
            Some(Move::Aim { .. }) if left.len() > 1 => {
                let next = self.advised(choice, span, &[]).and_then(|next| next.first());
                return Ok(left.iter().position(|unit| Some(unit) == next).unwrap_or(0));
            }
            Some(Move::Order { by: Some(by), end, .. }) => (by, *end),
            Some(Move::Order { by: None, end: End::Highest, .. }) => return Ok(left.len() - 1),
            _ => return Ok(0),
        };
        let mut keys = Vec::new();
        for (at, unit) in left.iter().enumerate() {
            let here = Some((units, *unit));
            let pointers = self.point(here);
            let key = i64::from(self.value(by, hand)?);
            self.point_back(here, &pointers);
            keys.push((if end == End::Highest { -key } else { key }, at));
        }
        Ok(keys.into_iter().min().map_or(0, |(_, at)| at))
    }
}

/// The positions of the first dice that show these faces; without any, of the so many lowest.
fn first_of(dice: &[Die], faces: Option<&[i32]>, least: usize) -> Vec<usize> {
    let mut lowest = shown(dice);
    lowest.sort_unstable();
    lowest.truncate(least);
    let mut taken: Vec<usize> = Vec::new();
    for face in faces.unwrap_or(&lowest) {
        let next = (0..dice.len()).find(|at| dice[*at].shows == *face && !taken.contains(at));
        taken.extend(next);
    }
    taken.sort_unstable();
    taken
}

/// How far a face is from the nearest value of a set; of an empty set, all faces are equally far.
fn distance(set: &Stretches, face: i32) -> i64 {
    let face = i64::from(face);
    let gap = |(low, high): &(Option<i32>, Option<i32>)| {
        let below = low.map_or(0, |low| i64::from(low) - face);
        let above = high.map_or(0, |high| face - i64::from(high));
        let is_empty = low.zip(*high).is_some_and(|(low, high)| low > high);
        (!is_empty).then_some(below.max(above).max(0))
    };
    set.iter().filter_map(gap).min().unwrap_or(i64::MAX)
}

/// Draws an option with one fair die that has as many faces as the weights add up to.
fn drawn(weights: &[(i32, u32)], dice: &mut impl Source) -> i32 {
    let mut face = dice.die(weights.iter().map(|(_, weight)| weight).sum());
    for (option, weight) in weights {
        if face <= *weight {
            return *option;
        }
        face -= weight;
    }
    weights[0].0
}
