//! What dice may show and lists may hold.

use super::expression::{bounds, stretch};
use super::{Reach, Situation, join};
use crate::diagnostic::{Diagnostic, Span};
use crate::rules::ruleset::{Chosen, Die, Expr, Limits, Operation, Pool, PoolNode, Set};
use crate::rules::tree::Question;
use crate::rules::values::Values;

/// A roll has at most so many dice.
const MOST_DICE: i64 = 1_000;
/// So many dice may lie in a pool after explosions.
const MOST_EXPLODED: i64 = 100_000;
/// A die has at most so many faces.
const MOST_FACES: i64 = 1_000;

/// Dice or items: how many there may be, what they may show, and what dice of their sorts can show at all.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Dice {
    pub(super) count: Values,
    pub(super) faces: Values,
    sorts: Values,
}

impl Dice {
    /// A single value.
    pub(super) fn one(faces: Values) -> Self {
        let count = if faces.is_empty() { Values::default() } else { Values::only(1) };
        Self { count, sorts: faces.clone(), faces }
    }

    pub(super) fn union(&self, other: &Self) -> Self {
        Self {
            count: self.count.union(&other.count),
            faces: self.faces.union(&other.faces),
            sorts: self.sorts.union(&other.sorts),
        }
    }

    pub(super) fn is_within(&self, other: &Self) -> bool {
        let within = |one: &Values, other: &Values| one.without(other).is_empty();
        within(&self.count, &other.count)
            && within(&self.faces, &other.faces)
            && within(&self.sorts, &other.sorts)
    }

    /// With other faces, and perhaps fewer dice.
    fn fewer(self, least: i64, faces: Values) -> Self {
        let least = least.min(self.count.low());
        let most = if faces.is_empty() { 0 } else { self.count.high() };
        Self { count: Values::range(least.min(most), most), faces, ..self }
    }
}

impl<'a> Reach<'a> {
    /// What dice or a list may be; no dice at all, not even none, where nothing goes on behind it.
    pub(super) fn pool(&mut self, pool: &'a Pool, situation: &mut Situation<'a>) -> Dice {
        match &pool.node {
            PoolNode::Roll(count, die) => self.roll(count, die, situation),
            PoolNode::Join(pools) => {
                let pools: Vec<Dice> = pools.iter().map(|pool| self.pool(pool, situation)).collect();
                let add = |a: &Dice, b: &Dice| Dice {
                    count: bounds(Operation::Add, &[a.count.clone(), b.count.clone()]),
                    ..a.union(b)
                };
                pools.iter().skip(1).fold(pools[0].clone(), |all, more| add(&all, more))
            }
            PoolNode::List(items) => {
                let faces = items.iter().map(|item| self.values(item, situation));
                let faces = faces.fold(Values::default(), |all, item| all.union(&item));
                Dice { count: Values::only(items.len() as i64), sorts: faces.clone(), faces }
            }
            PoolNode::Read(id) => situation.pools[id.0].clone(),
            PoolNode::If(condition, then, otherwise) => {
                let (yes, no) = self.decide(condition, situation.clone());
                let (mut dice, mut behind) = (Dice::default(), None);
                for (way, pool) in [(yes, then), (no, otherwise)] {
                    if let Some(mut way) = way {
                        dice = dice.union(&self.pool(pool, &mut way));
                        behind = join(behind, Some(way));
                    }
                }
                if let Some(behind) = behind {
                    *situation = behind;
                }
                dice
            }
            PoolNode::Call(call) => self.call(call, situation).unwrap_or_default(),
            PoolNode::Keep(pool, set, drop) => {
                let dice = self.pool(pool, situation);
                let (sure, possible) = self.set(set, situation);
                let faces = if *drop { dice.faces.without(&sure) } else { dice.faces.intersect(&possible) };
                let all = if *drop { dice.faces.intersect(&possible) } else { dice.faces.without(&sure) };
                let least = if all.is_empty() { dice.count.low() } else { 0 };
                dice.fewer(least, faces)
            }
            PoolNode::Extreme(pool, _, number, drop) => {
                let dice = self.pool(pool, situation);
                let number = self.whole(number, situation);
                let count = match drop {
                    true => bounds(Operation::Subtract, &[dice.count.clone(), number]),
                    false => bounds(Operation::Min, &[dice.count.clone(), number]),
                };
                Dice { count: bounds(Operation::Max, &[count, Values::only(0)]), ..dice }
            }
            PoolNode::Reroll(pool, set, limits) => {
                let dice = self.pool(pool, situation);
                self.set_and_limits(set, limits, situation);
                Dice { faces: dice.faces.union(&dice.sorts), ..dice }
            }
            PoolNode::Explode(pool, set, limits) => self.explode(pool, set, limits, situation),
            PoolNode::Chosen(pool, chosen) => self.chosen_dice(pool, chosen, situation),
        }
    }

    fn roll(&mut self, count: &'a Expr, die: &'a Die, situation: &mut Situation<'a>) -> Dice {
        let dice = self.values(count, situation);
        if dice.low() < 0 || dice.high() > MOST_DICE {
            let message = format!("a roll has 0 to {MOST_DICE} dice; this one may have {}", stretch(&dice));
            let mistake = Diagnostic::error(count.span, message, "the number of dice");
            self.report("dice", mistake.remedy("bound the number, as in `max(0, n)` or `min(n, 20)`"));
        }
        let count = dice.intersect(&Values::range(0, MOST_DICE));
        let faces = match die {
            Die::Faces(faces) => Values::range(1, i64::from(*faces)),
            Die::Computed(faces) => self.computed_faces(faces, situation),
            Die::Custom(die) => {
                let faces = self.rules.dice[die.0].faces.iter();
                Values::of(faces.map(|face| (i64::from(*face), i64::from(*face))))
            }
        };
        Dice { count, sorts: faces.clone(), faces }
    }

    fn computed_faces(&mut self, faces: &'a Expr, situation: &mut Situation<'a>) -> Values {
        let values = self.values(faces, situation);
        if values.low() < 1 || values.high() > MOST_FACES {
            let message =
                format!("a die has 1 to {MOST_FACES} faces; this one may have {}", stretch(&values));
            let mistake = Diagnostic::error(faces.span, message, "the number of faces");
            self.report("faces", mistake.remedy("bound the number, as in `between(4, trait, 12)`"));
        }
        Values::range(1, values.high().clamp(1, MOST_FACES))
    }

    /// A number of dice that is not negative.
    fn whole(&mut self, number: &'a Expr, situation: &mut Situation<'a>) -> Values {
        let values = self.values(number, situation);
        if values.low() < 0 {
            let message = format!("this number of dice may be {}", stretch(&values));
            let mistake = Diagnostic::error(number.span, message, "below 0");
            self.report("dice", mistake.remedy("bound the number, as in `max(0, n)`"));
        }
        bounds(Operation::Max, &[values, Values::only(0)])
    }

    fn set_and_limits(
        &mut self,
        set: &'a Set,
        limits: &'a Limits,
        situation: &mut Situation<'a>,
    ) -> (Values, [Option<i64>; 2]) {
        let (_, possible) = self.set(set, situation);
        let [times, dice] = [&limits.times, &limits.dice]
            .map(|limit| limit.as_ref().map(|limit| self.whole(limit, situation).high()));
        if let (Some(most), Some(times)) = (times, &limits.times)
            && most > MOST_EXPLODED
        {
            let mistake =
                Diagnostic::error(times.span, "this is too many rolls", "more than 100000 for one die");
            self.report("times", mistake.remedy("write a smaller number, such as `at most 3 times`"));
        }
        (possible, [times, dice])
    }

    fn explode(
        &mut self,
        pool: &'a Pool,
        set: &'a Set,
        limits: &'a Limits,
        situation: &mut Situation<'a>,
    ) -> Dice {
        let dice = self.pool(pool, situation);
        let (possible, [times, most]) = self.set_and_limits(set, limits, situation);
        let before = dice.count.high();
        // Without any face that explodes nothing is added.
        let explodes = !dice.faces.union(&dice.sorts).intersect(&possible).is_empty();
        let added = [times.map(|times| before.saturating_mul(times)), most].into_iter().flatten().min();
        let added = added.filter(|_| explodes && before > 0).unwrap_or(0);
        if before.saturating_add(added) > MOST_EXPLODED {
            let message = format!("so many dice may lie on the table: {}", before.saturating_add(added));
            let mistake = Diagnostic::error(pool.span, message, "these explode");
            let remedy = format!("bound the dice or the explosions; there is room for {MOST_EXPLODED} dice");
            self.report("exploded", mistake.remedy(remedy));
        }
        let high = before.saturating_add(added).min(MOST_EXPLODED);
        let faces = if added > 0 { dice.faces.union(&dice.sorts) } else { dice.faces.clone() };
        Dice { count: Values::range(dice.count.low(), high), faces, ..dice }
    }

    fn chosen_dice(&mut self, pool: &'a Pool, chosen: &'a Chosen, situation: &mut Situation<'a>) -> Dice {
        let dice = self.pool(pool, situation);
        let mut bound =
            |number: &'a Option<Expr>| number.as_ref().map(|number| self.whole(number, situation));
        let (least, most) = (bound(&chosen.least), bound(&chosen.most));
        self.choose(chosen.choice, situation);
        if !chosen.keep {
            return Dice { faces: dice.faces.union(&dice.sorts), ..dice };
        }
        let low = least.map_or(0, |least| least.low()).min(dice.count.low());
        let high = most.map_or(i64::MAX, |most| most.high()).min(dice.count.high());
        Dice { count: Values::range(low.min(high), high), ..dice }
    }

    pub(super) fn sum(&mut self, pool: &'a Pool, situation: &mut Situation<'a>) -> Values {
        let dice = self.pool(pool, situation);
        if dice.count.is_empty() {
            return Values::default();
        }
        if dice.faces.is_empty() {
            return Values::only(0);
        }
        self.fitting(bounds(Operation::Multiply, &[dice.count, dice.faces]), pool.span)
    }

    pub(super) fn only(&mut self, pool: &'a Pool, situation: &mut Situation<'a>) -> Values {
        let dice = self.pool(pool, situation);
        if !dice.count.is_empty() && dice.count != Values::only(1) {
            let message = format!("one die is meant here; there may be {}", stretch(&dice.count));
            let mistake = Diagnostic::error(pool.span, message, "which die?");
            let remedy = "ask all of them with `count`, `any` or `all`, or take one, as in `roll[1]`";
            self.report("only", mistake.remedy(remedy));
        }
        dice.faces
    }

    pub(super) fn ask(
        &mut self,
        question: Question,
        pool: &'a Pool,
        set: &'a Set,
        situation: &mut Situation<'a>,
    ) -> Values {
        let dice = self.pool(pool, situation);
        let (sure, possible) = self.set(set, situation);
        if dice.count.is_empty() {
            return Values::default();
        }
        let (low, high) = (dice.count.low(), dice.count.high());
        let may_show = !dice.faces.intersect(&possible).is_empty();
        let may_miss = !dice.faces.without(&sure).is_empty();
        match question {
            Question::Count => Values::range(if may_miss { 0 } else { low }, if may_show { high } else { 0 }),
            Question::Any => flags(may_show && high > 0, low == 0 || may_miss),
            Question::All => flags(may_show && high > 0, low == 0 || may_miss),
        }
    }

    pub(super) fn rank(&mut self, pool: &'a Pool, number: &'a Expr, situation: &mut Situation<'a>) -> Values {
        let dice = self.pool(pool, situation);
        let number = self.values(number, situation);
        self.numbered(&number, "ranks", pool.span);
        match number.high() > dice.count.low() {
            true => dice.faces.union(&Values::only(0)),
            false => dice.faces,
        }
    }

    pub(super) fn alike(
        &mut self,
        pool: &'a Pool,
        number: &'a Expr,
        situation: &mut Situation<'a>,
    ) -> Values {
        let dice = self.pool(pool, situation);
        let number = self.values(number, situation);
        self.numbered(&number, "equal dice", pool.span);
        flags(number.low() <= dice.count.high(), number.high() > 1 || dice.count.low() == 0)
    }

    /// A number that counts from 1.
    fn numbered(&mut self, number: &Values, what: &str, span: Span) {
        if number.low() < 1 {
            let message = format!("{what} count from 1; this may be {}", stretch(number));
            let mistake = Diagnostic::error(span, message, "here");
            self.report("number", mistake.remedy("bound the number, as in `max(1, n)`"));
        }
    }

    pub(super) fn item(&mut self, pool: &'a Pool, number: &'a Expr, situation: &mut Situation<'a>) -> Values {
        let dice = self.pool(pool, situation);
        let at = self.values(number, situation);
        self.item_number(&at, &dice.count, number.span);
        dice.faces
    }

    /// Reports an item that may not be there.
    pub(super) fn item_number(&mut self, at: &Values, count: &Values, span: Span) {
        if at.is_empty() || count.is_empty() || at.low() >= 1 && at.high() <= count.low() {
            return;
        }
        let there = count.low();
        let message = format!("this may be number {}; there may be only {there}", stretch(at));
        let mistake = Diagnostic::error(span, message, "which one?");
        self.report("item", mistake.remedy("count from 1, and no further than there are"));
    }

    pub(super) fn chance(
        &mut self,
        part: &'a Expr,
        whole: &'a Expr,
        situation: &mut Situation<'a>,
    ) -> Values {
        let (top, bottom) = (self.values(part, situation), self.values(whole, situation));
        if top.low() < 0 || bottom.low() < 1 || top.high() > bottom.low() {
            let message = format!(
                "a chance lies between 0 and 1; this may be {} in {}",
                stretch(&top),
                stretch(&bottom)
            );
            let mistake = Diagnostic::error(part.span.to(whole.span), message, "not a chance");
            self.report("chance", mistake.remedy("bound the numbers, as in `chance (min(n, 6))/6`"));
        }
        flags(top.high() > 0, top.low() < bottom.high())
    }
}

/// Yes, no, or both.
fn flags(yes: bool, no: bool) -> Values {
    Values::of([(1, i64::from(yes)), (0, i64::from(no) - 1)])
}
