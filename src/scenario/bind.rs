//! Looks up everything that a document names: rules, factors, values, choices, results.
//!
//! In: a [`Document`](super::document::Document). Out: a checked [`Scenario`], or every mistake found.
//!
//! **Never:** playing anything.

mod ask;
mod chart;
mod claim;
mod grid;
mod measure;
mod place;
mod policy;
mod situations;
mod tune;
mod variant;

pub use ask::{Wanted, ask};
pub use place::{allowed, factors_named};
pub use policy::{describe_move, examples, leaves, read_policy};

use super::document::{self, Document};
use super::model::Scenario;
use crate::diagnostic::{Diagnostic, Diagnostics, Sources};
use place::Lookup;
use std::path::Path;

/// Reads a scenario and the rules that it names. If there is any error in `found` that stems from them, nothing is
/// returned; a file that was read well may still leave warnings there.
pub fn load(path: &Path, sources: &mut Sources, found: &mut Diagnostics) -> Option<Scenario> {
    let mut mistakes = Diagnostics::default();
    let read = read(path, sources, &mut mistakes);
    let scenario = read.map(|(scenario, open)| {
        mistakes.extend(open);
        scenario
    });
    let sound = !mistakes.has_errors();
    found.extend(each_once(mistakes));
    scenario.filter(|_| sound)
}

/// The same, but a scenario may leave open what players do: [`Variant::moves`] then has nothing for a choice.
///
/// [`Variant::moves`]: super::Variant::moves
pub fn load_open(path: &Path, sources: &mut Sources, found: &mut Diagnostics) -> Option<Scenario> {
    let mut mistakes = Diagnostics::default();
    let read = read(path, sources, &mut mistakes);
    let sound = !mistakes.has_errors();
    found.extend(each_once(mistakes));
    read.map(|(scenario, _)| scenario).filter(|_| sound)
}

/// What several variants have to say of one place is said once, with all places that it speaks of.
fn each_once(mistakes: Diagnostics) -> Vec<Diagnostic> {
    let mut all: Vec<Diagnostic> = Vec::new();
    for one in mistakes {
        match all
            .iter_mut()
            .find(|known| known.message == one.message && known.labels.first() == one.labels.first())
        {
            Some(known) => known.labels.extend(one.labels.into_iter().skip(1)),
            None => all.push(one),
        }
    }
    all
}

/// A scenario, and what is to be said of choices that nobody makes.
fn read(path: &Path, sources: &mut Sources, found: &mut Diagnostics) -> Option<(Scenario, Vec<Diagnostic>)> {
    let file = sources.read(path).map_err(|unreadable| found.push(unreadable)).ok()?;
    let document = document::read(file, sources, found)?;
    let variants = variant::load(&document, path, sources, found)?;
    bind(&document, path, variants, sources, found)
}

fn bind(
    document: &Document,
    path: &Path,
    starts: Vec<variant::Start>,
    sources: &Sources,
    found: &mut Diagnostics,
) -> Option<(Scenario, Vec<Diagnostic>)> {
    let mut scenario = variant::scenario(document, path, &starts, found)?;
    let sound_grid = grid::factors(document, &mut scenario, sources, found);
    let open = policy::moves(document, &mut scenario, sources, found);
    grid::complain_of_missing(document, &starts, &scenario, found);
    grid::warn_of_idle(document, &scenario, found);
    if sound_grid {
        situations::situations(document, &mut scenario, sources, found)?;
    }
    scenario.joint = Lookup { scenario: &scenario, sources, found }.joint(&document.joint);
    policy::aims(document, &mut scenario, sources, found);
    let mut lookup = Lookup { scenario: &scenario, sources, found };
    let claims = document.claims.iter().filter_map(|text| lookup.claim(text)).collect();
    let expects = document.expects.iter().filter_map(|text| lookup.expect(text, &starts)).collect();
    let charts = document.charts.iter().filter_map(|text| lookup.chart(text, sound_grid)).collect();
    let tune = document.tune.as_ref().and_then(|text| lookup.tune(text));
    (scenario.claims, scenario.expects, scenario.charts, scenario.tune) = (claims, expects, charts, tune);
    Some((scenario, open))
}

#[cfg(test)]
mod tests;
