//! Lines of modifiers and caps of loops that never come into play.

use super::condition::is_pure;
use super::{Cell, Reach, Situation, mentions};
use crate::diagnostic::{Diagnostic, Span};
use crate::rules::ruleset::{Expr, ModifierLine};
use crate::rules::values::Values;
use std::collections::BTreeMap;

/// Whether a line applies is looked at in at most so many situations.
const MOST_SITUATIONS: usize = 10_000;

/// How far something ever gets.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Effect {
    /// The condition of a line never holds.
    NotMet,
    /// Its amount is always 0.
    Zero,
    /// What it counts is never above zero.
    NonePer,
    /// All passes end before the cap.
    BeforeCap,
    /// It does something in some situation.
    Some,
}

/// The best that was seen at each place.
pub(super) type Effects = BTreeMap<Span, Effect>;

impl<'a> Reach<'a> {
    /// Notes what was seen at a place.
    pub(super) fn note(&mut self, span: Span, effect: Effect) {
        let best = self.effects.entry(span).or_insert(effect);
        *best = effect.max(*best);
    }

    /// Whether a line whose condition seems to hold does so in a situation that exists: a `never` over several factors
    /// tells nothing of one alone.
    pub(super) fn may_apply(&mut self, line: &'a ModifierLine, held: &Situation<'a>) -> bool {
        let Some(condition) = line.condition.as_ref().filter(|condition| is_pure(condition)) else {
            return true;
        };
        if self.effects.get(&line.span).is_some_and(|best| *best > Effect::NotMet) {
            return true;
        }
        let reads = |expr: &Expr, at: usize| mentions(expr, &|place| held.cell(place) == Cell::Table(at));
        let all = 0..held.table.len();
        let own: Vec<usize> = all.clone().filter(|at| reads(condition, *at)).collect();
        let about = |fact: &Expr| is_pure(fact) && own.iter().any(|at| reads(fact, *at));
        let facts: Vec<_> = held.facts.iter().filter(|(fact, _)| about(fact)).copied().collect();
        let others = all.filter(|at| !own.contains(at) && facts.iter().any(|(fact, _)| reads(fact, *at)));
        let others: Vec<usize> = others.collect();
        // Of factors that only `never` reads the caller may know more, but calls that differ in that count as the same.
        let mut situation = held.clone();
        situation.facts.clear();
        let anything = self.anything();
        others.iter().for_each(|at| situation.set(Cell::Table(*at), anything.table[*at].clone()));
        let cells = [own, others].concat();
        let sizes = cells.iter().map(|at| situation.table[*at].each().take(MOST_SITUATIONS + 1).count());
        let few = sizes.fold(1, usize::saturating_mul) <= MOST_SITUATIONS;
        !few || self.some_fits(&facts, &cells, &situation)
    }

    /// Whether all of this can be known at once, for some values of these cells.
    fn some_fits(&mut self, facts: &[(&'a Expr, bool)], cells: &[usize], situation: &Situation<'a>) -> bool {
        let fits = |(fact, truth): &(&'a Expr, bool)| {
            self.values(fact, &mut situation.clone()).contains(i64::from(*truth))
        };
        if !facts.iter().all(fits) {
            return false;
        }
        let Some((cell, rest)) = cells.split_first() else { return true };
        let values = situation.table[*cell].clone();
        values.each().any(|value| {
            let mut one = situation.clone();
            one.set(Cell::Table(*cell), Values::only(value));
            self.some_fits(facts, rest, &one)
        })
    }

    /// Warns of what never comes into play, though a trial comes there.
    pub(super) fn warn_idle(&mut self) {
        for (span, effect) in std::mem::take(&mut self.effects) {
            let (message, label, remedy) = match effect {
                Effect::NotMet => (
                    "this modifier can never apply",
                    "its condition never holds",
                    "remove the line, or check its condition and what `never` rules out",
                ),
                Effect::Zero => {
                    ("this modifier is always 0", "adds nothing", "remove the line, or check its amount")
                }
                Effect::NonePer => (
                    "this modifier can never apply",
                    "what stands behind `per` is never above zero",
                    "turn its sign round, as in `per (b - a)`, or remove the line",
                ),
                Effect::BeforeCap => (
                    "this cap can never be reached",
                    "the loop always ends before",
                    "write `at most N times` in the place of `cap N`: nothing is left unresolved",
                ),
                Effect::Some => continue,
            };
            self.found.push(Diagnostic::warning(span, message, label).remedy(remedy));
        }
    }
}
