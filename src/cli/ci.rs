//! What CI asks of a run: a stored run to compare with; its verdicts as JUnit tests, annotations and a comment; an exit
//! code.

use super::out::Out;
use super::{Exit, render};
use crate::diagnostic::Sources;
use crate::report::checks::{checks, ruling};
use crate::report::ci;
use crate::report::golden::{self, Drift, Golden};
use crate::scenario::Scenario;
use crate::study::{Analysis, Ruling};
use std::io::{Error, Result, Write};
use std::path::{Path, PathBuf};

/// What CI asks of a run.
#[derive(clap::Args)]
pub(super) struct Ci {
    /// Compare with the run that is stored there; exit code 4 on drift
    #[arg(long, value_name = "FOLDER")]
    golden: Option<PathBuf>,
    /// Write claims, expected values and drift as JUnit tests
    #[arg(long, value_name = "FILE.xml")]
    junit: Option<PathBuf>,
    /// Write a comment for a pull request
    #[arg(long, value_name = "FILE.md")]
    comment: Option<PathBuf>,
}

/// A run, and what is to be said of it.
pub(super) struct Told<'a> {
    pub(super) scenario: &'a Scenario,
    pub(super) sources: &'a Sources,
    pub(super) analysis: &'a Analysis,
    pub(super) drift: Option<&'a Drift>,
}

impl Ci {
    /// The first option that speaks of one run.
    pub(super) fn of_one_run(&self) -> Option<&'static str> {
        let options = [("--golden", &self.golden), ("--junit", &self.junit), ("--comment", &self.comment)];
        options.into_iter().find_map(|(option, value)| value.as_ref().map(|_| option))
    }

    /// The stored run, if one is named, read before anything is played or written; or how it ends after it was said what
    /// is wrong with it.
    pub(super) fn stored(&self) -> std::result::Result<Option<Golden>, Exit> {
        self.golden.as_deref().map(golden::load).transpose().map_err(|error| {
            let remedy =
                "Name the folder of a former run with --golden; a run stores itself with --out FOLDER.";
            render::wrong(&format!("there is no golden table to compare with: {error}"), remedy);
            Exit::BadFile
        })
    }

    /// Where a file that is asked for would take the place of another.
    pub(super) fn clash(&self, sources: &Sources, folder: &Path) -> Option<String> {
        let real = |path: &Path| std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let files = [("--junit", &self.junit), ("--comment", &self.comment)];
        for (flag, file) in files.iter().filter_map(|(flag, file)| Some((flag, file.as_deref()?))) {
            let parent = file.parent().filter(|parent| !parent.as_os_str().is_empty());
            let beside = real(parent.unwrap_or(Path::new("."))) == real(folder);
            let ending = file.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
            let own =
                beside && (["csv", "parquet", "json"].contains(&ending) || file.ends_with("summary.md"));
            if own || sources.iter().any(|source| real(&source.path) == real(file)) {
                let whose =
                    if own { "the run writes a file of its own there" } else { "the run reads that file" };
                return Some(format!("`{flag} {}`: {whose}", file.display()));
            }
        }
        let same = self.junit.is_some() && self.junit == self.comment;
        same.then(|| "--junit and --comment name the same file".to_owned())
    }

    /// Writes the files that are asked for and prints annotations; hands back how the run ends. `again` is the command
    /// that asks the same.
    pub(super) fn tell(&self, told: &Told, again: &str, quiet: bool, out: &mut Out) -> Result<Exit> {
        let checks = checks(told.scenario, told.analysis, told.drift);
        if quiet && !render::is_annotated() {
            let wrong = checks.iter().filter(|check| check.ruling != Ruling::Holds);
            wrong.for_each(|check| {
                render::say(&format!("{} {}\n{}", check.sort.label(), check.name, check.text))
            });
        }
        let place = |span| render::place(told.sources, span);
        if render::is_annotated() {
            ci::annotations(&checks, &place).iter().try_for_each(|line| writeln!(out, "{line}"))?;
        }
        let mut files = Vec::new();
        if let Some(file) = &self.junit {
            files.push((file, ci::junit(told.scenario, &checks, &place).map_err(Error::other)?));
        }
        if let Some(file) = &self.comment {
            let golden =
                self.golden.as_deref().map(|folder| format!(" --golden {}", render::pasteable(folder)));
            let again = format!("{again}{}", golden.unwrap_or_default());
            files.push((file, ci::comment(told.scenario, &checks, told.drift, &again)));
        }
        for (file, text) in files {
            if let Err(error) = ci::write(file, text.as_bytes()) {
                render::wrong(&error.to_string(), "The tables of the run are written.");
                return Ok(Exit::Fault);
            }
        }
        Ok(match ruling(&checks) {
            Ruling::Holds => Exit::Done,
            Ruling::Undecided => Exit::Undecided,
            Ruling::Fails => Exit::Failed,
        })
    }
}
