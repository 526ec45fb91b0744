//! One scenario that has been loaded: it is played, and its answers are written and shown.
//!
//! In: the question, where its files go. Out: files, a table or what can be pasted, an [`Exit`].
//!
//! **Never:** options.

use crate::cli::ci::{Ci, Told};
use crate::cli::format::{self, Format};
use crate::cli::out::Out;
use crate::cli::question::{self, Question};
use crate::cli::{Early, Exit, render};
use crate::diagnostic::Sources;
use crate::report::page::Again;
use crate::report::{self, Circumstances, golden, pasted::Rows, terminal};
use crate::scenario::Scenario;
use crate::study::{self, Analysis, Halt, Shard, Stopped, Store, Study};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Where the files go.
pub(in crate::cli) fn folder(out: Option<&Path>, scenario: &Scenario) -> PathBuf {
    let usual = || Path::new("reports").join(&scenario.folder).join(&scenario.stem);
    out.map_or_else(usual, Path::to_owned)
}

/// What was played before for the files in a folder; says what is of no use there.
pub(in crate::cli) fn open(folder: &Path, fresh: bool) -> Store {
    let (store, remarks) = Store::open(folder, fresh);
    remarks.iter().for_each(|remark| render::say(remark));
    store
}

/// A question that has been loaded, and where its answers go.
pub(in crate::cli) struct Run<'a> {
    pub(in crate::cli) question: &'a Question,
    pub(in crate::cli) scenario: &'a Scenario,
    pub(in crate::cli) sources: &'a Sources,
    pub(in crate::cli) folder: PathBuf,
    pub(in crate::cli) started: Instant,
    pub(in crate::cli) quiet: bool,
    pub(in crate::cli) ci: &'a Ci,
    /// The command that asks the same.
    pub(in crate::cli) again: String,
    /// What is printed instead of a table.
    pub(in crate::cli) format: Option<Format>,
    /// Whether it was played elsewhere, in parts.
    pub(in crate::cli) merged: bool,
}

impl Run<'_> {
    /// Solves, plays, writes, shows.
    pub(in crate::cli) fn whole(&self, study: &Study, store: &Store, out: &mut Out) -> Result<Exit, Early> {
        let (question, quiet) = (self.question, self.quiet);
        if let Some(clash) = self.ci.clash(self.sources, &self.folder) {
            render::wrong(&clash, "Name another file; nothing was played.");
            return Err(Exit::Usage.into());
        }
        let golden = self.ci.stored()?;
        let in_step = report::in_step(self.scenario);
        let judged = question.judge(study, &in_step, quiet, Some(store)).map_err(Halt::Stopped);
        let played = judged.and_then(|analysis| {
            let sensitivities = question.sensitivities(self.scenario, self.sources, quiet, store)?;
            Ok(Analysis { sensitivities, ..analysis })
        });
        save(store);
        let analysis = played.map_err(|halt| match halt {
            Halt::Stopped(why) => stopped(why, store),
            halt => question::halted(halt, self.sources, "nothing was written"),
        })?;
        let drift = golden.map(|golden| golden::compare(&golden, self.scenario, &analysis)).transpose();
        let drift = drift.map_err(std::io::Error::other)?;
        let circumstances = Circumstances {
            again: Again { command: question.exactly(self.scenario), inputs: study::hashes(self.sources) },
            seconds: self.started.elapsed().as_secs_f64(),
        };
        let told = Told {
            scenario: self.scenario,
            sources: self.sources,
            analysis: &analysis,
            drift: drift.as_ref(),
        };
        let threads = question.threads();
        let undrawn =
            report::write(self.scenario, &analysis, told.drift, &circumstances, &self.folder, threads)
                .map_err(|error| cannot_write(&self.folder, &error.to_string()))?;
        undrawn.iter().for_each(|why| render::say(&format!("{why}; the tables are whole")));
        self.tell(&told, store, out)
    }

    /// Shows what came of it; the last line says where to look.
    fn tell(&self, told: &Told, store: &Store, out: &mut Out) -> Result<Exit, Early> {
        let mut aside = Out::stderr();
        let run = (self.scenario, told.analysis);
        let out = match self.format {
            Some(format) => {
                format::print(format, run, Rows::Results, "results.csv", out)?;
                &mut aside
            }
            None if self.quiet => out,
            None => {
                writeln!(out, "{}", terminal::shares(run.0, run.1, "results.csv", out.look()))?;
                out
            }
        };
        if !self.quiet {
            told.drift.into_iter().flat_map(golden::lines).try_for_each(|line| writeln!(out, "{line}"))?;
        }
        let exit = self.ci.tell(told, &self.again, self.quiet, out)?;
        if !self.quiet {
            self.reused(store, out)?;
            writeln!(out, "{}", self.folder.join("report.html").display())?;
        }
        Ok(exit)
    }

    /// Says what was not played again; of parts that are merged that goes without saying.
    fn reused(&self, store: &Store, out: &mut Out) -> std::io::Result<()> {
        match store.reused() {
            (asked, reused @ 1..) if !self.merged => writeln!(out, "{}", terminal::reused(reused, asked)),
            _ => Ok(()),
        }
    }

    /// Plays one shard, and writes its part.
    pub(in crate::cli) fn part(
        &self,
        study: &Study,
        store: &Store,
        shard: Shard,
        out: &mut Out,
    ) -> Result<Exit, Early> {
        let asked = self.question.asked(self.scenario, self.sources);
        let played =
            self.question.watch(study, (study.share(shard), "trials"), self.quiet, Some(store), |draw| {
                study.shard(shard, &asked, draw)
            });
        save(store);
        let part = question::heard(played).map_err(|why| stopped(why, store))?;
        let parts = self.folder.join("parts");
        let path = parts.join(format!("shard-{}-of-{}.parquet", shard.number, shard.of));
        part.write(&path).map_err(|error| cannot_write(&self.folder, &error.to_string()))?;
        if !self.quiet {
            let all = render::pasteable(&parts);
            self.reused(store, out)?;
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
