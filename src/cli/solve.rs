//! `houserule solve`: exact probabilities and means, without any trial.

use super::out::Out;
use super::question::Question;
use super::{Early, Exit, render};
use crate::diagnostic::{Sources, Span};
use crate::report::solved;
use crate::scenario::Scenario;
use crate::study::Solved;
use std::io::Write;

/// Work out exact probabilities, as fractions; play nothing
#[derive(clap::Args)]
#[command(after_help = "Example:\n  houserule solve scenarios/black-powder/break-test.toml\n\n\
                        What the figures mean: houserule help statistics")]
pub(super) struct Arguments {
    #[command(flatten)]
    question: Question,
    /// A page to read, or a table for programs
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    /// All moves of best play, however many they are
    #[arg(long)]
    moves: bool,
}

/// So many lines are shown of what a player does best at one place.
const MOVES: usize = 12;

/// How the answers are printed.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    Table,
    Csv,
}

/// Loads, solves, shows.
pub(super) fn run(arguments: &Arguments, out: &mut Out) -> Result<Exit, Early> {
    let question = &arguments.question;
    let mut sources = Sources::default();
    let scenario = question.load("solve", None, &mut sources)?;
    let study = question.study(&scenario, &sources, false)?;
    let (answers, ranges) = question.solve(&study)?;
    let solved = study.solved(&answers);
    let place = |span: Span| {
        let file = sources.get(span.file).path.file_name().unwrap_or_default().to_string_lossy();
        format!("{file}:{}", sources.line(span))
    };
    match arguments.format {
        Format::Table => {
            let most = if arguments.moves { usize::MAX } else { MOVES };
            let best = solved::Best {
                plans: study.played(),
                worths: &|plan| study.worths(plan),
                most,
                ranges: &ranges,
            };
            write!(out, "{}", solved::page(&scenario, &solved, &best, &place))?;
        }
        Format::Csv => csv(&scenario, &solved, out)?,
    }
    let missed = solved.expects.iter().flatten().flatten().any(|found| !found.met);
    Ok(Exit::of(missed, false, &solved.claims))
}

/// Prints the table, and on standard error what it cannot hold.
fn csv(scenario: &Scenario, solved: &Solved, out: &mut Out) -> std::io::Result<()> {
    solved::remarks(scenario, solved).iter().for_each(|line| render::say(line));
    let csv = solved::table(scenario, solved).to_csv();
    out.write_all(&csv.map_err(std::io::Error::other)?)
}
