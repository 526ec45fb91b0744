//! What is not solved, why, and what would help.
//!
//! In: the question and why plans are not solved. Out: lines of text.
//!
//! **Never:** leaving out that anything is missing.

use super::groups::{group_name, grouped};
use super::terminal::{INDENT, wrapped};
use super::words::{counted, lower_first, situations, thousands};
use crate::analyse::Analysis;
use crate::plan::{ContentId, Unsolved};
use crate::scenario::Scenario;
use std::collections::{BTreeMap, BTreeSet};

/// Why, in a few words.
pub(super) fn reason(why: &Unsolved) -> String {
    match why {
        Unsolved::Budget(budget) => format!(
            "more than {} {}",
            thousands(budget.states),
            if budget.states == 1 { "state" } else { "states" }
        ),
        Unsolved::TooLong => "the rules are too long to write out".to_owned(),
        Unsolved::TooLarge => "a record adds up to more than 2,147,483,647".to_owned(),
        Unsolved::Choices => "a player decides, and nothing says how".to_owned(),
        Unsolved::Nameless => "a player decides by something that has no name".to_owned(),
    }
}

/// How much was not played by the kernel; nothing where all was.
pub(super) fn interpreted(scenario: &Scenario, analysis: &Analysis) -> Option<String> {
    let all = scenario.variants.len() * scenario.situations.len() + scenario.expects.len();
    let few = analysis.interpreted.len();
    (few > 0).then(|| {
        format!(
            "In {} of {} the rules are too long to write out; there the interpreter played one trial after another, and not the kernel many at once.",
            thousands(few as u64),
            counted(all, "place", "places"),
        )
    })
}

/// What would make it smaller.
fn remedy(why: &Unsolved) -> String {
    match why {
        Unsolved::Budget(budget) => format!(
            "Fewer dice, smaller ranges, a lower cap or fewer records make a situation smaller; --budget {} allows more.",
            thousands(budget.states.saturating_mul(10).max(10)).replace(',', "_")
        ),
        Unsolved::TooLong => "Fewer units, fewer passes or shorter lists make the rules shorter.".to_owned(),
        Unsolved::TooLarge => "Record in larger units: hundreds of men, not men.".to_owned(),
        Unsolved::Nameless => {
            "A `let` in the rules gives it one, so that he can be told when to do what.".to_owned()
        }
        Unsolved::Choices => "[policy] in the scenario says what he does.".to_owned(),
    }
}

/// What is not solved and what would help, an entry for each reason: how much, where, a remedy. `why` says it of a
/// variant in a situation, `id` names its plan.
pub(super) fn unsolved<'a>(
    scenario: &Scenario,
    id: impl Fn(usize, usize) -> ContentId,
    why: impl Fn(usize, usize) -> Option<&'a Unsolved>,
) -> Vec<Missing> {
    let (names, all): (_, Vec<usize>) = (situations(scenario), (0..scenario.situations.len()).collect());
    let (mut reasons, mut seen): (BTreeMap<String, Missing>, _) = (BTreeMap::new(), BTreeSet::new());
    for (variant, one) in scenario.variants.iter().enumerate() {
        for group in grouped(|_, situation| id(variant, situation), &[variant], &all) {
            let Some(why) = why(variant, group.0).filter(|_| seen.insert(id(variant, group.0))) else {
                continue;
            };
            let missing = reasons.entry(reason(why)).or_default();
            missing.places.push(format!("{INDENT}{}: {}", one.name, lower_first(&group_name(&names, group))));
            missing.remedy = remedy(why);
        }
    }
    let told = |(reason, missing): (String, Missing)| {
        let head = format!("Not solved: {}, {reason}.", counted(missing.places.len(), "plan", "plans"));
        Missing { head, ..missing }
    };
    reasons.into_iter().map(told).collect()
}

/// What is not solved for one reason.
#[derive(Default)]
pub(super) struct Missing {
    /// How much it is, and why.
    pub(super) head: String,
    /// Each variant and situation.
    pub(super) places: Vec<String>,
    /// What would make it smaller.
    pub(super) remedy: String,
}

impl Missing {
    /// All of it, line by line.
    pub(super) fn lines(&self) -> Vec<String> {
        let parts = [&self.head].into_iter().chain(&self.places).chain([&self.remedy]);
        parts.flat_map(|part| wrapped(part)).collect()
    }

    /// The same where the places have been told already.
    pub(super) fn in_short(&self) -> Vec<String> {
        [&self.head, &self.remedy].into_iter().flat_map(|part| wrapped(part)).collect()
    }
}
