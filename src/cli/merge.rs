//! `houserule merge`: one run out of the parts that its shards left.

use super::ci::Ci;
use super::out::Out;
use super::question::Question;
use super::run::play::{self, Run};
use super::{Early, Exit, render};
use crate::diagnostic::{Diagnostic, Sources};
use crate::study;
use std::path::PathBuf;
use std::time::Instant;

/// Put the parts of a run together: writes all that one run would have
#[derive(clap::Args)]
#[command(after_help = "Example:\n  houserule merge reports/black-powder/break-test/parts/*.parquet\n\n\
                        How a run is played in parts: houserule help shards")]
pub(super) struct Arguments {
    /// What `houserule run --shard 1/N` to `--shard N/N` wrote
    #[arg(value_name = "PARTS", required = true)]
    parts: Vec<PathBuf>,
    /// Where to write, instead of reports/<its folder>/<its name>
    #[arg(long, short, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// How many threads may work; the numbers stay the same
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Show neither progress nor the table, only what is wrong
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    ci: Ci,
}

/// Reads the parts, and does with their counts what a run does with its own.
pub(super) fn run(arguments: &Arguments, out: &mut Out) -> Result<Exit, Early> {
    let started = Instant::now();
    let merged = study::merge(&arguments.parts).map_err(refuse)?;
    let (question, sampling) = Question::of(&merged.asked, arguments.threads);
    let mut sources = merged.asked.sources();
    let mut scenario = question.load("merge", Some(&sampling), &mut sources)?;
    scenario.folder.clone_from(&merged.asked.folder);
    scenario.most_trials = merged.asked.most;
    let study = question.study(&scenario, &sources, arguments.quiet)?;
    if sources.iter().count() != merged.asked.files.len() || !study.is_whole(&merged) {
        return Err(refuse(vec![incomplete()]).into());
    }
    let folder = play::folder(arguments.out.as_deref(), &scenario);
    let store = play::open(&folder, false);
    store.add(merged);
    let most = scenario.most_trials.map_or_else(String::new, |most| format!(" --most-trials {most}"));
    let again = question.again(&sampling) + &most;
    let (question, scenario, sources, quiet) = (&question, &scenario, &sources, arguments.quiet);
    let ci = &arguments.ci;
    Run { question, scenario, sources, folder, started, quiet, ci, again, format: None, merged: true }
        .whole(&study, &store, out)
}

fn incomplete() -> Diagnostic {
    let what = "the parts do not hold all trials of the question that they carry";
    Diagnostic::without_place(what)
        .remedy("play and merge all parts with one and the same version of houserule")
}

/// Says everything for which the parts make no run.
fn refuse(wrong: Vec<Diagnostic>) -> Exit {
    render::refuse(&Sources::default(), wrong, "nothing was merged")
}
