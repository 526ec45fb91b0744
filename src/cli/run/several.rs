//! Several scenarios, one after another.
//!
//! In: their files. Out: each one's own output, a list of those in which something is wrong, and the worst [`Exit`].
//!
//! **Never:** stopping at a mistake; what a run does.

use super::{Arguments, one};
use crate::cli::out::Out;
use crate::cli::{Exit, ended, render};
use crate::diagnostic::Sources;
use std::collections::BTreeMap;
use std::io::{Result, Write};
use std::path::{Path, PathBuf};

/// The folders that have been written to, and for which scenario.
#[derive(Default)]
pub(super) struct Taken(BTreeMap<PathBuf, PathBuf>);

impl Taken {
    /// Takes a folder for a scenario; or says why that cannot be, and what to do.
    pub(super) fn refuses(&mut self, folder: &Path, scenario: &Path) -> Option<(String, String)> {
        let first = self.0.entry(folder.to_owned()).or_insert_with(|| scenario.to_owned());
        let (first, scenario) = (first.display(), scenario.display());
        let what =
            || format!("{scenario} would write over what {first} gave: both go to {}", folder.display());
        let remedy = "Run them one by one with --out, or rename one of them.";
        (first.to_string() != scenario.to_string()).then(|| (what(), remedy.to_owned()))
    }

    /// Where a scenario's files are.
    pub(super) fn of(&self, scenario: &Path) -> Option<&Path> {
        self.0.iter().find(|(_, of)| *of == scenario).map(|(folder, _)| folder.as_path())
    }
}

/// Runs them all, unless Ctrl-C is pressed.
pub(super) fn run(arguments: &Arguments, scenarios: &[PathBuf], out: &mut Out) -> Result<Exit> {
    let format = arguments.format.map(|_| "--format");
    if let Some(option) = arguments.ci.of_one_run().or(format) {
        let what = format!("{option} is for one scenario, and there are {}", scenarios.len());
        render::wrong(&what, "Name a single scenario; nothing was run.");
        return Ok(Exit::Usage);
    }
    let (mut taken, mut ends) = (Taken::default(), Vec::new());
    for (number, scenario) in (1..).zip(scenarios) {
        if !arguments.quiet {
            let gap = if number > 1 { "\n" } else { "" };
            writeln!(out, "{gap}{number} of {}: {}\n", scenarios.len(), scenario.display())?;
            out.flush()?; // before what goes to standard error
        }
        let exit = ended(one(arguments, scenario, out, &mut taken, &mut Sources::default()))?;
        if exit == Exit::Interrupted {
            return Ok(exit);
        }
        ends.push((scenario, exit));
    }
    let lines = told(&ends);
    if !arguments.quiet {
        writeln!(out)?;
        lines.iter().try_for_each(|line| writeln!(out, "{line}"))?;
    } else if lines.len() > 1 {
        lines.iter().for_each(|line| render::say(line));
    }
    Ok(ends.into_iter().map(|(_, exit)| exit).max_by_key(|exit| exit.weight()).unwrap_or(Exit::Done))
}

/// How many went well, and what is the matter with the others.
fn told(ends: &[(&PathBuf, Exit)]) -> Vec<String> {
    let wrong = || ends.iter().filter(|(_, exit)| *exit != Exit::Done);
    let well = ends.len() - wrong().count();
    let line = |(scenario, exit): &(&PathBuf, Exit)| format!("  {}: {}", scenario.display(), exit.words());
    let all = ends.len();
    let first = if well == all {
        format!("All {all} scenarios went well.")
    } else {
        format!("{well} of {all} scenarios went well.")
    };
    std::iter::once(first).chain(wrong().map(line)).collect()
}
