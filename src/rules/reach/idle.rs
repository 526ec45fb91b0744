//! Lines of modifiers and caps of loops that never come into play.

use super::Reach;
use crate::diagnostic::{Diagnostic, Span};
use std::collections::BTreeMap;

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

impl Reach<'_> {
    /// Notes what was seen at a place.
    pub(super) fn note(&mut self, span: Span, effect: Effect) {
        let best = self.effects.entry(span).or_insert(effect);
        *best = effect.max(*best);
    }

    /// Warns of what never comes into play, though a trial comes there.
    pub(super) fn warn_idle(&mut self) {
        for (span, effect) in std::mem::take(&mut self.effects) {
            let (message, label, remedy) = match effect {
                Effect::NotMet => (
                    "this modifier can never apply",
                    "its condition never holds",
                    "remove the line, or check its condition and the factors that it reads",
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
