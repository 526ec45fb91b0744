//! `houserule check`: every mistake and warning, without playing.

use super::out::Out;
use super::{Exit, render};
use crate::diagnostic::{Diagnostic, Diagnostics, Sources};
use crate::{rules, scenario};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Show every mistake in rules and scenario files; play nothing
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// Rules files (.rules) and scenario files (.toml)
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
}

/// Reads all files before it says what is wrong.
pub(super) fn run(arguments: &Arguments, out: &mut Out) -> std::io::Result<Exit> {
    let (mut sources, mut found) = (Sources::default(), Diagnostics::default());
    for file in &arguments.files {
        check(file, &mut sources, &mut found);
    }
    render::show(&sources, &found, "");
    if found.has_errors() {
        return Ok(Exit::BadFile);
    }
    writeln!(out, "{} read: no mistakes", render::some(arguments.files.len(), "file"))?;
    Ok(Exit::Done)
}

/// Reads one file by its ending.
fn check(file: &Path, sources: &mut Sources, found: &mut Diagnostics) {
    match file.extension().and_then(|ending| ending.to_str()) {
        Some("rules") => drop(rules::load(file, sources, found)),
        Some("toml") => drop(scenario::load(file, sources, found)),
        _ => found.push(unknown_ending(file)),
    }
}

/// What is said of a file that is neither.
pub(super) fn unknown_ending(file: &Path) -> Diagnostic {
    let what = format!("`{}` is neither a rules file nor a scenario", file.display());
    Diagnostic::without_place(what).remedy("rules files end in .rules, scenario files in .toml")
}
