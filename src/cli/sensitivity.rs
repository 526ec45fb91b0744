//! `houserule sensitivity`: which line of the rules, which factor matters most?

use super::out::Out;
use super::question::{self, Question, Sampling};
use super::{Early, Exit, render};
use crate::diagnostic::{Diagnostics, Sources};
use crate::report::{self, sensitivity};
use crate::scenario;
use std::io::Write;
use std::path::PathBuf;

/// Change each line and each factor in turn: what moves an outcome most?
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  houserule sensitivity scenarios/black-powder/break-test.toml --outcome \"P(break)\"\n\n\
                        What is changed, and how: [[chart]] in houserule help scenario"
)]
pub(super) struct Arguments {
    #[command(flatten)]
    question: Question,
    #[command(flatten)]
    sampling: Sampling,
    /// Whose lines are changed
    #[arg(long, value_name = "VARIANT")]
    variant: Option<String>,
    /// What is looked at, as in "P(break)" or "mean(losses)"
    #[arg(long, value_name = "FIGURE")]
    outcome: Option<String>,
    /// In which situations, as in "troop is infantry"
    #[arg(long = "where", value_name = "CONDITION")]
    filter: Option<String>,
    /// How many of the largest are shown
    #[arg(long, value_name = "N", default_value_t = 20)]
    most: usize,
    /// Write all of them into a table
    #[arg(long, value_name = "FILE.csv")]
    out: Option<PathBuf>,
    /// Do not show progress
    #[arg(long, short)]
    quiet: bool,
}

/// Loads, changes, shows.
pub(super) fn run(arguments: &Arguments, out: &mut Out) -> Result<Exit, Early> {
    let (question, mut sources) = (&arguments.question, Sources::default());
    let scenario = question.load("sensitivity", Some(&arguments.sampling), &mut sources)?;
    let words = [&arguments.variant, &arguments.outcome, &arguments.filter].map(|word| word.as_deref());
    let mut found = Diagnostics::default();
    let wanted = scenario::ask(&scenario, words, &mut sources, &mut found);
    render::show(&sources, &found, "nothing was run");
    let wanted = wanted.filter(|_| !found.has_errors()).ok_or(Exit::Usage)?;
    let found = question
        .sensitivity(&scenario, &sources, &wanted, arguments.quiet, None)
        .map_err(|halt| question::halted(halt, &sources, "nothing is shown"))?;
    let page = sensitivity::page(&scenario, &found, arguments.most);
    if let Some(file) = &arguments.out {
        question::kept(report::keep(&sensitivity::table(&scenario, &[found]), file))?;
    }
    write!(out, "{page}")?;
    Ok(Exit::Done)
}
