//! `houserule run`: every variant in every situation; tables, charts and a page.

use super::ci::{Ci, Told};
use super::out::Out;
use super::question::{self, Enough, Question, Sampling};
use super::{Exit, render};
use crate::diagnostic::Sources;
use crate::report::{self, Circumstances, golden, terminal};
use crate::scenario::Scenario;
use crate::study::{self, Analysis, Halt, Shard, Stopped, Store, Study};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Play every draft in every situation; write tables, charts, a summary
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  houserule run scenarios/black-powder/break-test.toml --trials 100_000\n\n\
                        What a scenario file says: houserule help scenario\n\
                        Runs in parts, and what is reused: houserule help shards\n\
                        Stored runs, JUnit, comments: houserule help ci"
)]
pub(super) struct Arguments {
    #[command(flatten)]
    question: Question,
    #[command(flatten)]
    sampling: Sampling,
    /// Play each draft in step with the baseline too, on the same dice
    #[arg(long)]
    paired: bool,
    #[command(flatten)]
    enough: Enough,
    /// Where to write, instead of reports/<its folder>/<its name>
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Play everything anew, and reuse nothing
    #[arg(long)]
    fresh: bool,
    /// Play only part K of N, such as 2/7, for `houserule merge`
    #[arg(long, value_name = "K/N", value_parser = shard, conflicts_with_all = ["golden", "junit", "comment"])]
    shard: Option<Shard>,
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

/// Loads, solves, plays, writes, shows.
pub(super) fn run(arguments: &Arguments, out: &mut Out) -> std::io::Result<Exit> {
    let started = Instant::now();
    let (question, mut sources) = (&arguments.question, Sources::default());
    let Some(mut scenario) = question.load("run", Some(&arguments.sampling), &mut sources) else {
        return Ok(Exit::BadFile);
    };
    arguments.enough.set(&mut scenario);
    scenario.paired |= arguments.paired;
    if arguments.shard.is_some() && scenario.precision.is_some() {
        render::say(
            "error: a run that is played to a precision cannot be played in parts: how many trials it takes shows only on the way\n\
             Leave out --shard, or the precision (--precision, or `precision` in the scenario) and say how many --trials.",
        );
        return Ok(Exit::Usage);
    }
    if arguments.shard.is_some() && arguments.paired {
        render::say(
            "error: the parts of a run do not know of --paired: what the same dice give is played when they are merged\n\
             Write `paired = true` at the top of the scenario instead.",
        );
        return Ok(Exit::Usage);
    }
    let study = match question.study(&scenario, &sources, arguments.quiet) {
        Ok(study) => study,
        Err(exit) => return Ok(exit),
    };
    let folder = folder(arguments.out.as_deref(), &scenario);
    let store = open(&folder, arguments.fresh);
    let paired = if arguments.paired { " --paired" } else { "" };
    let again = question.again(&arguments.sampling) + &arguments.enough.words() + paired;
    let (scenario, sources, quiet, ci) = (&scenario, &sources, arguments.quiet, &arguments.ci);
    let run = Run { question, scenario, sources, folder, started, quiet, ci, again };
    let exit = match arguments.shard {
        Some(shard) => run.part(&study, &store, shard, out),
        None => run.whole(&study, &store, out),
    }?;
    let (asked, reused) = store.reused();
    if !arguments.quiet && reused > 0 && matches!(exit, Exit::Done | Exit::Failed | Exit::Undecided) {
        writeln!(out, "{}", terminal::reused(reused, asked))?;
    }
    Ok(exit)
}

/// Where the files go.
pub(super) fn folder(out: Option<&Path>, scenario: &Scenario) -> PathBuf {
    let usual = || Path::new("reports").join(&scenario.folder).join(&scenario.stem);
    out.map_or_else(usual, Path::to_owned)
}

/// What was played before for the files in a folder; says what is of no use there.
pub(super) fn open(folder: &Path, fresh: bool) -> Store {
    let (store, remarks) = Store::open(folder, fresh);
    remarks.iter().for_each(|remark| render::say(remark));
    store
}

/// A question that has been loaded, and where its answers go.
pub(super) struct Run<'a> {
    pub(super) question: &'a Question,
    pub(super) scenario: &'a Scenario,
    pub(super) sources: &'a Sources,
    pub(super) folder: PathBuf,
    pub(super) started: Instant,
    pub(super) quiet: bool,
    pub(super) ci: &'a Ci,
    /// The command that asks the same.
    pub(super) again: String,
}

impl Run<'_> {
    /// Solves, plays, writes, shows.
    pub(super) fn whole(&self, study: &Study, store: &Store, out: &mut Out) -> std::io::Result<Exit> {
        let (question, quiet) = (self.question, self.quiet);
        if let Some(clash) = self.ci.clash(self.sources, &self.folder) {
            render::wrong(&clash, "Name another file; nothing was played.");
            return Ok(Exit::Usage);
        }
        let golden = match self.ci.stored() {
            Ok(golden) => golden,
            Err(exit) => return Ok(exit),
        };
        let in_step = report::in_step(self.scenario);
        let judged = question.judge(study, &in_step, quiet, Some(store)).map_err(Halt::Stopped);
        let played = judged.and_then(|analysis| {
            let sensitivities = question.sensitivities(self.scenario, self.sources, quiet, store)?;
            Ok(Analysis { sensitivities, ..analysis })
        });
        save(store);
        let analysis = match played {
            Ok(analysis) => analysis,
            Err(Halt::Stopped(why)) => return Ok(stopped(why, store)),
            Err(halt) => return Ok(question::halted(halt, self.sources, "nothing was written")),
        };
        let drift = golden.map(|golden| golden::compare(&golden, self.scenario, &analysis)).transpose();
        let drift = drift.map_err(std::io::Error::other)?;
        let circumstances = Circumstances {
            inputs: study::hashes(self.sources),
            seconds: self.started.elapsed().as_secs_f64(),
        };
        let told = Told {
            scenario: self.scenario,
            sources: self.sources,
            analysis: &analysis,
            drift: drift.as_ref(),
        };
        match report::write(
            told.scenario,
            &analysis,
            told.drift,
            &circumstances,
            &self.folder,
            question.threads(),
        ) {
            Ok(undrawn) => {
                undrawn.iter().for_each(|why| render::say(&format!("{why}; the tables are whole")));
            }
            Err(error) => return Ok(cannot_write(&self.folder, &error.to_string())),
        }
        if !self.quiet {
            writeln!(out, "{}", terminal::shares(self.scenario, &analysis, "results.csv"))?;
            drift.iter().flat_map(golden::lines).try_for_each(|line| writeln!(out, "{line}"))?;
            writeln!(out, "Summary, tables and charts are in {}", self.folder.display())?;
        }
        self.ci.tell(&told, &self.again, quiet, out)
    }

    /// Plays one shard, and writes its part.
    fn part(&self, study: &Study, store: &Store, shard: Shard, out: &mut Out) -> std::io::Result<Exit> {
        let asked = self.question.asked(self.scenario, self.sources);
        let played =
            self.question.watch(study, (study.share(shard), "trials"), self.quiet, Some(store), |draw| {
                study.shard(shard, &asked, draw)
            });
        save(store);
        let part = match question::heard(played) {
            Ok(part) => part,
            Err(why) => return Ok(stopped(why, store)),
        };
        let parts = self.folder.join("parts");
        let path = parts.join(format!("shard-{}-of-{}.parquet", shard.number, shard.of));
        if let Err(error) = part.write(&path) {
            return Ok(cannot_write(&self.folder, &error.to_string()));
        }
        if !self.quiet {
            let all = render::pasteable(&parts);
            writeln!(out, "Shard {} of {} is {}", shard.number, shard.of, path.display())?;
            writeln!(out, "Once all are there: houserule merge {all}/*.parquet")?;
        }
        Ok(Exit::Done)
    }
}

/// Keeps what was played, or says why that cannot be done.
fn save(store: &Store) {
    if let Err(error) = store.save() {
        render::say(&format!("note: what was played is not kept for the next run: {error}"));
    }
}

/// Says why there is nothing, and how to go on.
fn stopped(why: Stopped, store: &Store) -> Exit {
    let again = match store.reused() {
        (0, _) => question::AGAIN,
        _ => "what was played is kept, and the same command goes on from there",
    };
    question::stopped(why, &format!("nothing was written; {again}"))
}

/// Says that the results could not be kept.
fn cannot_write(folder: &Path, error: &str) -> Exit {
    render::say(&format!(
        "error: the results cannot be written to `{}`: {error}\nGive another folder with --out.",
        folder.display()
    ));
    Exit::Fault
}
