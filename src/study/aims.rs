//! Players who have aims: the best play for these, before anything is played or solved.
//!
//! **Never:** how best play is found.

use super::{Budget, Plan, Unsolved};
use crate::diagnostic::{Diagnostic, Span};
use crate::exact;
use crate::plan::{Aim, Move, Probability};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What each aim comes to.
pub type Worths = BTreeMap<Aim, Probability>;

/// Whether somebody has an aim in a plan, and nothing says yet what he does.
pub(super) fn is_open(plan: &Plan) -> bool {
    plan.table.is_none()
        && match &plan.program {
            Some(program) => program.sites.iter().any(|site| site.aim.is_some()),
            None => !aims(plan).is_empty(),
        }
}

/// The plan with best play, and what the aims come to.
///
/// # Errors
/// [`Unsolved`] where it cannot be found.
pub(super) fn decided(plan: &Plan, budget: Budget) -> Result<(Plan, Worths), Unsolved> {
    let (table, worths) = exact::best(plan, budget)?;
    Ok((plan.clone().with_table(Arc::new(table)), worths))
}

/// The aims of a plan's players: where each is written, and how.
fn aims(plan: &Plan) -> Vec<(Span, &str)> {
    let sites = plan.program.as_ref().map(|program| &program.sites);
    let meets = |choice: usize| sites.is_none_or(|sites| sites.iter().any(|site| site.choice.0 == choice));
    let moves = plan.moves.iter().enumerate().filter(|(choice, _)| meets(*choice));
    let all = moves.flat_map(|(_, play)| play.iter().flat_map(Move::all));
    all.filter_map(|play| match play {
        Move::Aim { text, span, .. } => Some((*span, text.as_str())),
        _ => None,
    })
    .collect()
}

/// Says of each aim of a plan that best play for it is not known, and why.
pub(super) fn complaints(plan: &Plan, why: &Unsolved) -> Vec<Diagnostic> {
    let (why, remedy) = match why {
        Unsolved::Budget(budget) => (
            format!("it takes more than {} states", budget.states),
            "make the situation smaller (fewer dice, a lower cap, fewer records), write a fixed policy, or allow more with --budget",
        ),
        Unsolved::TooLong => ("the rules are too long to write out".to_owned(), "write a fixed policy"),
        Unsolved::TooLarge => (
            "a record adds up to more than 2,147,483,647".to_owned(),
            "record in larger units, or write a fixed policy",
        ),
        Unsolved::Nameless => (
            "it depends on something that has no name in the rules, so that nobody could be told what to look at".to_owned(),
            "give what the player sees a name with `let`, or write a fixed policy",
        ),
        Unsolved::Choices => (
            "nothing says what is done at another choice".to_owned(),
            "give each choice a policy or an aim",
        ),
    };
    let complaint = |(span, text): (Span, &str)| {
        let message = format!("best play for `{text}` is not known: {why}");
        Diagnostic::error(span, message, "this aim").remedy(remedy)
    };
    aims(plan).into_iter().map(complaint).collect()
}
