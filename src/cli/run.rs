//! `houserule run`: every variant in every situation; tables, charts and a page; of one scenario or of many.

pub(super) mod play;
mod several;

use super::ci::Ci;
use super::format::Format;
use super::out::Out;
use super::question::{Effort, Enough, Question, Sampling};
use super::{Early, Exit, ended, render, watch};
use crate::diagnostic::Sources;
use crate::scenario::{Pictures, Scenario};
use crate::study::Shard;
use play::Run;
use several::Taken;
use std::cell::RefCell;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Play every draft in every situation; write tables, charts, a summary
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  houserule run scenarios/black-powder/break-test.toml --trials 100_000\n  \
                        houserule run scenarios/*/*.toml\n\n\
                        What a scenario file says: houserule help scenario\n\
                        Runs in parts, and what is reused: houserule help shards\n\
                        Stored runs, JUnit, comments: houserule help ci"
)]
pub(super) struct Arguments {
    /// The question, or several; what is given below overrules the files
    #[arg(value_name = "SCENARIO.toml", required = true)]
    scenarios: Vec<PathBuf>,
    #[command(flatten)]
    effort: Effort,
    #[command(flatten)]
    sampling: Sampling,
    /// Play each draft in step with the baseline too, on the same dice
    #[arg(long)]
    paired: bool,
    #[command(flatten)]
    enough: Enough,
    /// Where to write, instead of reports/<its folder>/<its name>; of several scenarios each to FOLDER/<its folder>/<its name>
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Play everything anew, and reuse nothing
    #[arg(long)]
    fresh: bool,
    /// Play only part K of N, such as 2/7, for `houserule merge`
    #[arg(long, value_name = "K/N", value_parser = shard, conflicts_with_all = ["golden", "junit", "comment"])]
    shard: Option<Shard>,
    /// Draw charts for these too: dark, slide, phone (with commas between them)
    #[arg(long, value_name = "PLACES", value_delimiter = ',', value_parser = Pictures::WORDS)]
    pictures: Vec<String>,
    /// Print this on standard output instead of the table, to be pasted; everything else goes to standard error
    #[arg(long, value_enum, conflicts_with = "shard")]
    format: Option<Format>,
    /// Run again whenever the scenario or its rules are saved, until Ctrl-C
    #[arg(long, conflicts_with_all = ["shard", "format"])]
    watch: bool,
    /// Show neither progress nor the table, only what is wrong
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    ci: Ci,
}

/// `2/7`
fn shard(text: &str) -> Result<Shard, String> {
    let numbers = text.split_once('/').and_then(|(number, of)| number.parse().ok().zip(of.parse().ok()));
    match numbers {
        Some((number, of)) if (1..=of).contains(&number) => Ok(Shard { number, of }),
        _ => Err("two numbers are needed, as in 2/7: the second part of seven".to_owned()),
    }
}

/// Runs one scenario, or several one after another.
pub(super) fn run(arguments: &Arguments, out: &mut Out) -> Result<Exit, Early> {
    match &arguments.scenarios[..] {
        _ if arguments.watch => watched(arguments, out),
        [scenario] => one(arguments, scenario, out, &mut Taken::default(), &mut Sources::default()),
        scenarios => Ok(several::run(arguments, scenarios, out)?),
    }
}

/// Runs each scenario again whenever one of its files has changed.
fn watched(arguments: &Arguments, out: &mut Out) -> Result<Exit, Early> {
    let scenarios = &arguments.scenarios;
    let named: Vec<Vec<PathBuf>> = scenarios.iter().map(|scenario| vec![scenario.clone()]).collect();
    let taken = RefCell::new(Taken::default());
    let work = |at: usize, sources: &mut Sources| {
        let exit = ended(one(arguments, &scenarios[at], out, &mut taken.borrow_mut(), sources))?;
        out.flush()?;
        Ok((!out.is_closed()).then_some(exit))
    };
    let kept = |at: usize| {
        let folder = taken.borrow().of(&scenarios[at])?.join("report.html");
        folder.is_file().then(|| format!("The last good result is still in {}", folder.display()))
    };
    Ok(watch::again(&named, work, kept)?)
}

/// Loads, solves, plays, writes, shows; into no folder that is taken, and says which files it read.
fn one(
    arguments: &Arguments,
    scenario: &Path,
    out: &mut Out,
    taken: &mut Taken,
    sources: &mut Sources,
) -> Result<Exit, Early> {
    let started = Instant::now();
    let question = &Question { scenario: scenario.to_owned(), effort: arguments.effort };
    let mut scenario = question.load("run", Some(&arguments.sampling), sources)?;
    arguments.enough.set(&mut scenario);
    scenario.paired |= arguments.paired;
    for place in &arguments.pictures {
        scenario.pictures.ask(place);
    }
    let folder = arguments.folder(&scenario);
    let refused = arguments.refuses(&scenario).or_else(|| taken.refuses(&folder, question.file()));
    if let Some((what, remedy)) = refused {
        render::wrong(&what, &remedy);
        return Err(Exit::Usage.into());
    }
    let study = question.study(&scenario, sources, arguments.quiet)?;
    let store = play::open(&folder, arguments.fresh);
    let again = arguments.again(question);
    let (scenario, sources, ci) = (&scenario, &*sources, &arguments.ci);
    let (quiet, format) = (arguments.quiet, arguments.format);
    let run = Run { question, scenario, sources, folder, started, quiet, ci, again, format, merged: false };
    match arguments.shard {
        Some(shard) => run.part(&study, &store, shard, out),
        None => run.whole(&study, &store, out),
    }
}

impl Arguments {
    /// Why a scenario cannot be run so, and what to do.
    fn refuses(&self, scenario: &Scenario) -> Option<(String, String)> {
        let (what, remedy) = match self.shard {
            Some(_) if scenario.precision.is_some() => (
                "a run that is played to a precision cannot be played in parts: how many trials it takes shows only on the way",
                "Leave out --shard, or the precision (--precision, or `precision` in the scenario) and say how many --trials.",
            ),
            Some(_) if self.paired => (
                "the parts of a run do not know of --paired: what the same dice give is played when they are merged",
                "Write `paired = true` at the top of the scenario instead.",
            ),
            Some(_) if !self.pictures.is_empty() => (
                "the parts of a run do not know of --pictures: charts are drawn when they are merged",
                "Write `pictures = [...]` at the top of the scenario instead.",
            ),
            _ => return None,
        };
        Some((what.to_owned(), remedy.to_owned()))
    }

    /// Where the files of a scenario go.
    fn folder(&self, scenario: &Scenario) -> PathBuf {
        match (&self.out, &self.scenarios[..]) {
            (Some(out), [_]) => out.clone(),
            (Some(out), _) => out.join(&scenario.folder).join(&scenario.stem),
            (None, _) => play::folder(None, scenario),
        }
    }

    /// The command that asks the same of one scenario.
    fn again(&self, question: &Question) -> String {
        let paired = if self.paired { " --paired" } else { "" };
        question.again(&self.sampling) + &self.enough.words() + paired
    }
}
