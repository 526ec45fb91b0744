//! `houserule run`: every variant in every situation; tables, charts and a page.

use super::out::Out;
use super::{Exit, interrupt, progress, render, roll};
use crate::diagnostic::{Diagnostic, Diagnostics, Sources};
use crate::report::{self, Circumstances, terminal};
use crate::scenario::{self, Scenario};
use crate::study::{self, Stopped, Study};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;
use std::time::Instant;

/// Play every draft in every situation; write tables, charts, a summary
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  houserule run scenarios/black-powder/break-test.toml --trials 100_000\n\n\
                        What a scenario file says: houserule help scenario"
)]
pub(super) struct Arguments {
    /// The question; what is given below overrules the file
    #[arg(value_name = "SCENARIO.toml")]
    scenario: PathBuf,
    /// Trials per variant and situation, as in 100_000
    #[arg(long, value_name = "N", value_parser = trials)]
    trials: Option<u64>,
    /// Seed of the dice
    #[arg(long, value_name = "N", value_parser = number)]
    seed: Option<u64>,
    /// How many threads may work; the numbers stay the same
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Where to write, instead of reports/<its folder>/<its name>
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Show neither progress nor the table, only what is wrong
    #[arg(long, short)]
    quiet: bool,
}

/// A whole number; `_` may part its digits, as in scenario files.
pub(super) fn number(text: &str) -> Result<u64, String> {
    text.replace('_', "").parse().map_err(|_| format!("a whole number from 0 to {} is needed", u64::MAX))
}

/// A number of trials, within the bounds of scenario files; a run without any would say nothing.
fn trials(text: &str) -> Result<u64, String> {
    match number(text) {
        Ok(trials @ 1..=1_000_000_000_000) => Ok(trials),
        _ => Err("a whole number from 1 to 1_000_000_000_000 is needed".to_owned()),
    }
}

/// Loads, plays, writes, shows.
pub(super) fn run(arguments: &Arguments, out: &mut Out) -> std::io::Result<Exit> {
    let started = Instant::now();
    let mut sources = Sources::default();
    let Some(scenario) = load(arguments, &mut sources) else { return Ok(Exit::BadFile) };
    let study = Study::new(&scenario);
    let (done, threads) = (AtomicU64::new(0), arguments.threads.map(usize::from));
    let stop = interrupt::listen();
    let played = progress::watch(study.trials(), &done, arguments.quiet, || study.run(threads, &done, stop));
    // what follows does not look at `stop`; who pressed while the last trials ended is heard all the same
    let stopped = interrupt::at_once();
    let analysis = match played {
        Ok(analysis) if !stopped => analysis,
        Err(Stopped::NoThreads) => {
            render::say("error: the system gives no threads to play with\nAsk for fewer with --threads.");
            return Ok(Exit::Fault);
        }
        _ => {
            render::say("stopped: nothing was written; the same command starts again from the beginning");
            return Ok(Exit::Interrupted);
        }
    };
    let circumstances = Circumstances {
        inputs: study::hashes(&sources),
        trials_played: study.trials(),
        seconds: started.elapsed().as_secs_f64(),
    };
    let folder = folder(arguments, &scenario);
    match report::write(&scenario, &analysis, &circumstances, &folder) {
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

/// The scenario with what the command line sets otherwise, or nothing after all mistakes have been shown.
fn load(arguments: &Arguments, sources: &mut Sources) -> Option<Scenario> {
    let (file, mut found) = (&arguments.scenario, Diagnostics::default());
    let is_rules = file.extension().is_some_and(|ending| ending == "rules");
    if is_rules {
        let what = format!("{} is a rules file; `run` wants a scenario (.toml)", file.display());
        let remedy = "name the scenario beside it, or play one trial with: houserule roll";
        found.push(Diagnostic::without_place(what).remedy(format!("{remedy} {}", render::pasteable(file))));
    }
    let scenario = if is_rules { None } else { scenario::load(file, sources, &mut found) };
    for variant in scenario.iter().flat_map(|scenario| &scenario.variants) {
        found.extend(roll::aims(&variant.rules, &variant.moves));
    }
    render::show(sources, &found, "nothing was run");
    let mut scenario = scenario.filter(|_| !found.has_errors())?;
    scenario.trials = arguments.trials.unwrap_or(scenario.trials);
    scenario.seed = arguments.seed.unwrap_or(scenario.seed);
    Some(scenario)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_may_be_written_with_underscores() {
        assert_eq!(number("1_000_000"), Ok(1_000_000));
        assert!(number("1e6").is_err());
        assert!(number("_").is_err());
    }

    #[test]
    fn a_run_has_as_many_trials_as_a_scenario_may_ask_for() {
        assert_eq!(trials("1"), Ok(1));
        assert_eq!(trials("1_000_000_000_000"), Ok(1_000_000_000_000));
        assert!(trials("0").is_err());
        assert!(trials("1_000_000_000_001").is_err());
    }
}
