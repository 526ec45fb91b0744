//! A drawn draft brought to the table: a plan, if the checker accepts it.
//!
//! Situation and policy depend on the number and on names alone, so that they stay as they are where lines are taken
//! out of the text.

use crate::luck::Luck;
use crate::policy::policy;
use houserule::diagnostic::{Diagnostics, Sources};
use houserule::plan::Plan;
use houserule::rules::{self, RecordId, Ruleset};
use std::path::Path;
use std::sync::Arc;

/// Files by name and text.
pub(crate) type Files = Vec<(String, String)>;

/// The plan of the test `main` in some situation under some policy; or what is wrong.
pub(crate) fn plan(number: u64, files: &Files) -> Result<Plan, String> {
    let (mut sources, mut found) = (Sources::default(), Diagnostics::default());
    for (name, text) in files {
        sources.add(name, text.clone());
    }
    let last = &files.last().ok_or("no file")?.0;
    let rules =
        rules::load(Path::new(last), &mut sources, &mut found).ok_or_else(|| said(&found, &sources))?;
    let entry = rules.test("main").ok_or("no test")?;
    let situation = situation(number, &rules).ok_or("no situation")?;
    let mut moves = vec![None; rules.choices.len()];
    for choice in rules.reachable_choices(entry) {
        let play = policy(number, &rules, choice, &mut sources, &mut found);
        moves[choice.0] = Some(play.ok_or_else(|| format!("a policy: {}", said(&found, &sources)))?);
    }
    let joint = (0..rules.records.len()).filter(|at| at % 2 == 0).take(2).map(RecordId).collect();
    Ok(Plan { joint, ..Plan::new(&Arc::new(rules), entry, situation, &moves.into()) })
}

/// The first mistake.
fn said(found: &Diagnostics, sources: &Sources) -> String {
    let errors: Diagnostics = found.clone();
    let Some(one) = errors.iter().find(|one| one.severity == houserule::diagnostic::Severity::Error) else {
        return "nothing is said".to_owned();
    };
    let quoted = one.labels.first().map(|(span, _)| sources.text(*span).to_owned());
    format!("{}: `{}`", one.message, quoted.unwrap_or_default())
}

/// A situation that exists.
fn situation(number: u64, rules: &Ruleset) -> Option<Vec<i32>> {
    let values = |round: u64| -> Vec<i32> {
        let value =
            |factor: &rules::Factor| Luck::named(number ^ round << 48, &factor.name).of(&factor.values);
        rules.factors.iter().map(value).collect()
    };
    (0..100).map(values).find(|values| rules::never(rules, values).is_none())
}
