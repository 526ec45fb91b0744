//! `houserule tune`: which values of factors bring about what is wanted?

use super::out::Out;
use super::question::{self, Question, Sampling};
use super::{Early, Exit, render};
use crate::diagnostic::Sources;
use crate::report::{self, tune};
use std::io::Write;
use std::path::PathBuf;

/// Search the values of factors that come nearest to what is wanted
#[derive(clap::Args)]
#[command(after_help = "Exit code 4 if no values meet all targets.\n\
                        Example:\n  houserule tune scenarios/black-powder/penalties.toml\n\n\
                        What is varied, and what is wanted: [tune] in houserule help scenario")]
pub(super) struct Arguments {
    #[command(flatten)]
    question: Question,
    #[command(flatten)]
    sampling: Sampling,
    /// How many of the best are shown
    #[arg(long, value_name = "N", default_value_t = 5)]
    best: usize,
    /// Write every combination into a table
    #[arg(long, value_name = "FILE.csv")]
    out: Option<PathBuf>,
    /// Do not show progress
    #[arg(long, short)]
    quiet: bool,
}

/// Loads, searches, shows.
pub(super) fn run(arguments: &Arguments, out: &mut Out) -> Result<Exit, Early> {
    let question = &arguments.question;
    let mut sources = Sources::default();
    let scenario = question.load("tune", Some(&arguments.sampling), &mut sources)?;
    let Some(search) = &scenario.tune else {
        let file = question.file().display();
        render::say(&format!(
            "error: {file} has no [tune]: nothing says what is varied, and what is wanted\n\
             Add as in: [tune] vary = {{ penalty = \"0..3\" }} target = [\"P(break) <= 25%\"]"
        ));
        return Err(Exit::BadFile.into());
    };
    let tuned = question
        .tune(&scenario, search, arguments.quiet)
        .map_err(|halt| question::halted(halt, &sources, "nothing is shown"))?;
    if let Some(file) = &arguments.out {
        question::kept(report::keep(&tune::table(&scenario, search, &tuned), file))?;
    }
    write!(out, "{}", tune::page(&scenario, search, &tuned, arguments.best))?;
    let met = tuned.combinations.first().is_some_and(|best| best.meets_all());
    Ok(if met { Exit::Done } else { Exit::Failed })
}
