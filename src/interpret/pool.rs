//! Dice and lists: rolling them, what is done to them, what is asked of them.

use super::expression::holds_in;
use super::{Hand, Table, Unresolved};
use crate::dice::roll::{self, Die, Endless, Sort};
use crate::plan::{Asking, Event, Handling, Listener, RolledDie};
use crate::random::Source;
use crate::rules::tree::{End, Question};
use crate::rules::{self, Expr, Limits, Pool, PoolNode, Set, Span};

/// Dice that were just worked out, or the place of those that lie under a name.
pub(super) enum Held<'a> {
    Own(Vec<Die<'a>>),
    Named(usize, Span),
}

impl<'a> Table<'a> {
    pub(super) fn pool<D: Source, L: Listener>(
        &mut self,
        pool: &'a Pool,
        hand: &mut Hand<D, L>,
    ) -> Result<Vec<Die<'a>>, Unresolved> {
        match &pool.node {
            PoolNode::Roll(count, die) => self.roll(count, die, pool.span, hand),
            PoolNode::Join(pools) => {
                let mut dice = Vec::new();
                for pool in pools {
                    dice.extend(self.pool(pool, hand)?);
                }
                Ok(dice)
            }
            PoolNode::List(items) => {
                items.iter().map(|item| Ok(Die { sort: None, shows: self.value(item, hand)? })).collect()
            }
            PoolNode::Read(id) => Ok(self.pools[self.frame.pools + id.0].clone()),
            PoolNode::If(condition, then, otherwise) => {
                let branch = if self.holds(condition, hand)? { then } else { otherwise };
                self.pool(branch, hand)
            }
            PoolNode::Call(call) => {
                self.called(call, hand)?;
                Ok(std::mem::take(&mut self.returned))
            }
            PoolNode::Keep(from, set, others) => self.kept(pool, from, set, *others, hand),
            PoolNode::Extreme(from, end, number, others) => {
                self.extreme(pool, from, (*end, number, *others), hand)
            }
            PoolNode::Reroll(from, set, limits) => self.reroll(pool, from, set, limits, hand),
            PoolNode::Explode(from, set, limits) => self.explode(pool, from, set, limits, hand),
            PoolNode::Chosen(from, chosen) => self.chosen(pool, from, chosen, hand),
        }
    }

    /// Dice that are only looked at: those under a name stay where they are.
    pub(super) fn held<D: Source, L: Listener>(
        &mut self,
        pool: &'a Pool,
        hand: &mut Hand<D, L>,
    ) -> Result<Held<'a>, Unresolved> {
        Ok(match &pool.node {
            PoolNode::Read(id) => Held::Named(self.frame.pools + id.0, pool.span),
            _ => Held::Own(self.pool(pool, hand)?),
        })
    }

    pub(super) fn dice<'s>(&'s self, held: &'s Held<'a>) -> &'s [Die<'a>] {
        match held {
            Held::Own(dice) => dice,
            Held::Named(at, _) => &self.pools[*at],
        }
    }

    /// The sum of all dice. That of a plain roll needs no pool.
    pub(super) fn sum<D: Source, L: Listener>(
        &mut self,
        pool: &'a Pool,
        hand: &mut Hand<D, L>,
    ) -> Result<i32, Unresolved> {
        let sum = match &pool.node {
            PoolNode::Roll(count, rules::Die::Faces(faces)) => {
                let count = self.value(count, hand)?;
                let mut shown = Vec::new();
                let sum = roll::sum(at_least_none(count), *faces, hand.dice, |face| {
                    if L::LISTENS {
                        shown.push(face as i32);
                    }
                });
                let die = RolledDie::Faces(*faces);
                hand.story.hear(|| Event::Rolled { die, shown, span: pool.span });
                sum
            }
            PoolNode::Read(id) => return Ok(roll::total(&self.pools[self.frame.pools + id.0])),
            _ => roll::total(&self.pool(pool, hand)?),
        };
        hand.story.hear(|| Event::Summed(sum));
        Ok(sum)
    }

    fn roll<D: Source, L: Listener>(
        &mut self,
        count: &'a Expr,
        die: &'a rules::Die,
        span: Span,
        hand: &mut Hand<D, L>,
    ) -> Result<Vec<Die<'a>>, Unresolved> {
        let count = at_least_none(self.value(count, hand)?);
        let (sort, die) = match die {
            rules::Die::Faces(faces) => (Sort::Faces(*faces), RolledDie::Faces(*faces)),
            rules::Die::Computed(faces) => {
                // The checker has proved that there is at least one face.
                let faces = at_least_none(self.value(faces, hand)?).max(1);
                (Sort::Faces(faces), RolledDie::Faces(faces))
            }
            rules::Die::Custom(id) => (Sort::Own(&self.rules.dice[id.0].faces), RolledDie::Custom(*id)),
        };
        let dice = roll::roll(count, sort, hand.dice);
        hand.story.hear(|| Event::Rolled { die, shown: shown(&dice), span });
        Ok(dice)
    }

    fn kept<D: Source, L: Listener>(
        &mut self,
        pool: &'a Pool,
        from: &'a Pool,
        set: &'a Set,
        others: bool,
        hand: &mut Hand<D, L>,
    ) -> Result<Vec<Die<'a>>, Unresolved> {
        let mut dice = self.pool(from, hand)?;
        let set = self.stretches(set, hand)?;
        dice.retain(|die| holds_in(&set, die.shows) != others);
        tell(pool, || Handling::Keep(set, others), &dice, hand);
        Ok(dice)
    }

    fn extreme<D: Source, L: Listener>(
        &mut self,
        pool: &'a Pool,
        from: &'a Pool,
        (end, number, others): (End, &'a Expr, bool),
        hand: &mut Hand<D, L>,
    ) -> Result<Vec<Die<'a>>, Unresolved> {
        let dice = self.pool(from, hand)?;
        let number = self.value(number, hand)?;
        let sign = if end == End::Highest { -1 } else { 1 };
        let first = roll::foremost(&dice, at_least_none(number) as usize, |face| sign * i64::from(face));
        let taken = roll::take(&dice, &first, others);
        if taken.len() < dice.len() {
            tell(pool, || Handling::Extreme(end, number, others), &taken, hand);
        }
        Ok(taken)
    }

    fn reroll<D: Source, L: Listener>(
        &mut self,
        pool: &'a Pool,
        from: &'a Pool,
        set: &'a Set,
        limits: &'a Limits,
        hand: &mut Hand<D, L>,
    ) -> Result<Vec<Die<'a>>, Unresolved> {
        let mut dice = self.pool(from, hand)?;
        let set = self.stretches(set, hand)?;
        let limits = self.limits(limits, hand)?;
        let mut shows = shown(&dice);
        let mut falls = Vec::new();
        roll::reroll(
            &mut dice,
            |face| holds_in(&set, face),
            limits,
            hand.dice,
            |at, face| {
                falls.push((std::mem::replace(&mut shows[at], face), face));
            },
        );
        tell(pool, || Handling::Reroll(set, falls), &dice, hand);
        Ok(dice)
    }

    fn explode<D: Source, L: Listener>(
        &mut self,
        pool: &'a Pool,
        from: &'a Pool,
        set: &'a Set,
        limits: &'a Limits,
        hand: &mut Hand<D, L>,
    ) -> Result<Vec<Die<'a>>, Unresolved> {
        let mut dice = self.pool(from, hand)?;
        let rolled = dice.len();
        let set = self.stretches(set, hand)?;
        let bounds = self.limits(limits, hand)?;
        let ended = roll::explode(&mut dice, |face| holds_in(&set, face), bounds, limits.cap, hand.dice);
        tell(pool, || Handling::Explode(set, dice.len() - rolled), &dice, hand);
        match ended {
            Ok(()) => Ok(dice),
            Err(Endless) => {
                hand.story.hear(|| Event::GaveUp(pool.span));
                Err(Unresolved)
            }
        }
    }

    fn limits<D: Source, L: Listener>(
        &mut self,
        limits: &'a Limits,
        hand: &mut Hand<D, L>,
    ) -> Result<roll::Limits, Unresolved> {
        let times = self.at_most(limits.times.as_deref(), hand)?;
        Ok(roll::Limits { times, dice: self.at_most(limits.dice.as_deref(), hand)? })
    }

    /// A bound, if there is one; the checker has proved that it is not below 0.
    pub(super) fn at_most<D: Source, L: Listener>(
        &mut self,
        bound: Option<&'a Expr>,
        hand: &mut Hand<D, L>,
    ) -> Result<Option<u32>, Unresolved> {
        match bound {
            Some(bound) => Ok(Some(at_least_none(self.value(bound, hand)?))),
            None => Ok(None),
        }
    }

    /// How many dice show one of a set, or whether any or all do.
    pub(super) fn ask<D: Source, L: Listener>(
        &mut self,
        (question, pool, set): (Question, &'a Pool, &'a Set),
        asking: &Expr,
        hand: &mut Hand<D, L>,
    ) -> Result<i32, Unresolved> {
        let held = self.held(pool, hand)?;
        let set = self.stretches(set, hand)?;
        let dice = self.dice(&held);
        let count = dice.iter().filter(|die| holds_in(&set, die.shows)).count();
        let answer = match question {
            Question::Count => count as i32,
            Question::Any => i32::from(count > 0),
            Question::All => i32::from(count > 0 && count == dice.len()),
        };
        hand.story.hear(|| asked(Asking::Of(question, set), pool, &held, answer, asking));
        Ok(answer)
    }

    /// The so manyth highest face, or whether so many are alike.
    pub(super) fn ask_number<D: Source, L: Listener>(
        &mut self,
        (what, pool, number): (fn(i32) -> Asking, &'a Pool, &'a Expr),
        answer: impl FnOnce(&[Die], i32) -> i32,
        asking: &Expr,
        hand: &mut Hand<D, L>,
    ) -> Result<i32, Unresolved> {
        let held = self.held(pool, hand)?;
        let number = self.value(number, hand)?;
        let answer = answer(self.dice(&held), number);
        hand.story.hear(|| asked(what(number), pool, &held, answer, asking));
        Ok(answer)
    }

    /// What a die shows, or an item of a list. The checker has proved that there is one of that number.
    pub(super) fn item<D: Source, L: Listener>(
        &mut self,
        pool: &'a Pool,
        number: &'a Expr,
        hand: &mut Hand<D, L>,
    ) -> Result<i32, Unresolved> {
        let held = self.held(pool, hand)?;
        let number = self.value(number, hand)?;
        let position = usize::try_from(i64::from(number) - 1).ok();
        let die = position.and_then(|position| self.dice(&held).get(position));
        debug_assert!(die.is_some(), "the checker let number {number} pass");
        Ok(die.map_or(0, |die| die.shows))
    }
}

/// What all dice show.
pub(super) fn shown(dice: &[Die]) -> Vec<i32> {
    dice.iter().map(|die| die.shows).collect()
}

pub(super) fn tell<D, L: Listener>(
    pool: &Pool,
    how: impl FnOnce() -> Handling,
    dice: &[Die],
    hand: &mut Hand<D, L>,
) {
    hand.story.hear(|| Event::Handled { how: how(), ty: pool.ty, shown: shown(dice), span: pool.span });
}

fn asked(what: Asking, pool: &Pool, held: &Held, answer: i32, asking: &Expr) -> Event {
    let named = match held {
        Held::Own(_) => None,
        Held::Named(_, span) => Some(*span),
    };
    Event::Asked { what, faces: pool.ty, named, answer, ty: asking.ty, span: asking.span }
}

/// A number of dice; the checker has proved that it is not below 0 where that would mean anything.
fn at_least_none(number: i32) -> u32 {
    debug_assert!(number >= 0, "the checker let {number} dice pass");
    u32::try_from(number).unwrap_or(0)
}
