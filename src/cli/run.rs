//! `houserule run`: every variant in every situation; tables, charts and a page.

use super::out::Out;
use super::question::{self, Question, Sampling};
use super::{Exit, render};
use crate::diagnostic::Sources;
use crate::report::{self, Circumstances, terminal};
use crate::scenario::Scenario;
use crate::study;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Play every draft in every situation; write tables, charts, a summary
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  houserule run scenarios/black-powder/break-test.toml --trials 100_000\n\n\
                        What a scenario file says: houserule help scenario"
)]
pub(super) struct Arguments {
    #[command(flatten)]
    question: Question,
    #[command(flatten)]
    sampling: Sampling,
    /// Where to write, instead of reports/<its folder>/<its name>
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Show neither progress nor the table, only what is wrong
    #[arg(long, short)]
    quiet: bool,
}

/// Loads, solves, plays, writes, shows.
pub(super) fn run(arguments: &Arguments, out: &mut Out) -> std::io::Result<Exit> {
    let started = Instant::now();
    let (question, mut sources) = (&arguments.question, Sources::default());
    let Some(scenario) = question.load("run", Some(&arguments.sampling), &mut sources) else {
        return Ok(Exit::BadFile);
    };
    let study = match question.study(&scenario, &sources, arguments.quiet) {
        Ok(study) => study,
        Err(exit) => return Ok(exit),
    };
    let analysis = match question.play(&study, arguments.quiet) {
        Ok(analysis) => analysis,
        Err(stopped) => return Ok(question::stopped(stopped, "nothing was written")),
    };
    let circumstances = Circumstances {
        inputs: study::hashes(&sources),
        trials_played: study.trials(),
        seconds: started.elapsed().as_secs_f64(),
    };
    let folder = folder(arguments, &scenario);
    match report::write(&scenario, &analysis, &circumstances, &folder, question.threads()) {
        Ok(undrawn) => undrawn.iter().for_each(|why| render::say(&format!("{why}; the tables are whole"))),
        Err(error) => return Ok(cannot_write(&folder, &error.to_string())),
    }
    if !arguments.quiet {
        writeln!(out, "{}", terminal::shares(&scenario, &analysis, "results.csv"))?;
        writeln!(out, "Summary, tables and charts are in {}", folder.display())?;
    }
    let all_met = analysis.expects.iter().all(|expect| expect.met);
    Ok(if all_met { Exit::Done } else { Exit::Failed })
}

/// Where the files go.
fn folder(arguments: &Arguments, scenario: &Scenario) -> PathBuf {
    let usual = || Path::new("reports").join(&scenario.folder).join(&scenario.stem);
    arguments.out.clone().unwrap_or_else(usual)
}

/// Says that the results could not be kept.
fn cannot_write(folder: &Path, error: &str) -> Exit {
    render::say(&format!(
        "error: the results cannot be written to `{}`: {error}\nGive another folder with --out.",
        folder.display()
    ));
    Exit::Fault
}
