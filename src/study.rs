//! TEMPORARY: what the command line needs of other rooms, until they are here.
#![expect(missing_docs, reason = "temporary")]

use crate::scenario::{Move, Scenario};
use std::sync::atomic::{AtomicBool, AtomicU64};

pub struct Study;
pub struct Interrupted;

/// Plays the whole scenario; counts `done` up to [`trials`].
///
/// # Errors
/// `stop` was set.
pub fn run(_: &Scenario, _: Option<usize>, _: &AtomicU64, stop: &AtomicBool) -> Result<Study, Interrupted> {
    if stop.load(std::sync::atomic::Ordering::Relaxed) { Err(Interrupted) } else { Ok(Study) }
}

/// All trials of a run, for the progress bar.
pub fn trials(scenario: &Scenario) -> u64 {
    scenario.trials * (scenario.situations.len() * scenario.variants.len()) as u64
}

/// One trial of one test in one situation.
pub struct Roll {
    pub rules: std::sync::Arc<crate::rules::Ruleset>,
    pub entry: crate::rules::TestId,
    pub values: Vec<i32>,
    pub moves: Vec<Option<Move>>,
    pub seed: u64,
    /// Which trial, from 0.
    pub number: u64,
}

pub mod report {
    use super::*;
    use std::path::{Path, PathBuf};

    /// # Errors
    /// A file that cannot be written.
    pub fn write(_: &Scenario, _: &Study, _: &Path) -> std::io::Result<Vec<PathBuf>> {
        Ok(Vec::new())
    }

    pub fn table(_: &Scenario, _: &Study) -> String {
        String::new()
    }

    pub fn story(_: &crate::diagnostic::Sources, roll: &Roll) -> String {
        format!("{:?}\n", roll.values)
    }
}

pub mod rules {
    use crate::diagnostic::{Diagnostic, Diagnostics, FileId, Sources};
    use crate::rules::{ChoiceId, Expr, ExprNode, FactorId, Place, Ruleset, TestId};
    use std::path::Path;

    pub fn load(path: &Path, sources: &mut Sources, found: &mut Diagnostics) -> Option<Ruleset> {
        match sources.read(path) {
            Ok(_) => found.push(Diagnostic::without_place("the rules language is not here yet")),
            Err(diagnostic) => found.push(diagnostic),
        }
        None
    }

    /// # Errors
    /// The file cannot be parsed.
    pub fn format(file: FileId, sources: &Sources) -> Result<String, Diagnostics> {
        Ok(sources.get(file).text.clone())
    }

    pub fn factors_read(rules: &Ruleset, _: TestId) -> Vec<FactorId> {
        (0..rules.factors.len()).map(FactorId).collect()
    }

    pub fn reachable_choices(rules: &Ruleset, _: TestId) -> Vec<ChoiceId> {
        (0..rules.choices.len()).map(ChoiceId).collect()
    }

    pub fn evaluate(_: &Ruleset, condition: &Expr, situation: &[i32]) -> Option<i32> {
        match condition.node {
            ExprNode::Read(Place::Factor(factor)) => Some(situation[factor.0]),
            _ => None,
        }
    }
}

pub mod scenario {
    use crate::diagnostic::{Diagnostic, Diagnostics, Sources};
    use crate::scenario::Scenario;
    use std::path::Path;

    pub fn load(path: &Path, sources: &mut Sources, found: &mut Diagnostics) -> Option<Scenario> {
        match sources.read(path) {
            Ok(_) => found.push(Diagnostic::without_place("scenario files are not here yet")),
            Err(diagnostic) => found.push(diagnostic),
        }
        None
    }
}
