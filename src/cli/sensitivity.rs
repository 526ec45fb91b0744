//! `houserule sensitivity`: which line of the rules, which factor matters most?

use super::out::Out;
use super::question::{self, Question, Sampling};
use super::{Exit, render};
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
pub(super) fn run(arguments: &Arguments, out: &mut Out) -> std::io::Result<Exit> {
    let (question, mut sources) = (&arguments.question, Sources::default());
    let Some(scenario) = question.load("sensitivity", Some(&arguments.sampling), &mut sources) else {
        return Ok(Exit::BadFile);
    };
    let words = [&arguments.variant, &arguments.outcome, &arguments.filter].map(|word| word.as_deref());
    let mut found = Diagnostics::default();
    let wanted = scenario::ask(&scenario, words, &mut sources, &mut found);
    render::show(&sources, &found, "nothing was run");
    let Some(wanted) = wanted.filter(|_| !found.has_errors()) else { return Ok(Exit::Usage) };
    let all = match question.sensitivity(&scenario, &sources, &wanted, arguments.quiet, None) {
        Ok(found) => [found],
        Err(halt) => return Ok(question::halted(halt, &sources, "nothing is shown")),
    };
    let kept = arguments.out.as_ref().map(|file| report::keep(&sensitivity::table(&scenario, &all), file));
    if let Some(Err(error)) = kept {
        render::say(&format!("error: {error}\nGive another file with --out."));
        return Ok(Exit::Fault);
    }
    write!(out, "{}", all.map(|found| sensitivity::page(&scenario, &found, arguments.most)).concat())?;
    Ok(Exit::Done)
}
