//! What `run`, `solve` and `verify` have in common: a scenario, with what the command line sets otherwise, and the work
//! that it asks for.

use super::{Exit, interrupt, progress, render};
use crate::diagnostic::{Diagnostic, Diagnostics, Sources};
use crate::scenario::{self, Scenario};
use crate::study::{Analysis, Answers, Budget, Ranges, Stopped, Study};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64};

/// A scenario, and what may be spent on it.
#[derive(clap::Args)]
pub(super) struct Question {
    /// The question; what is given below overrules the file
    #[arg(value_name = "SCENARIO.toml")]
    scenario: PathBuf,
    /// Most states that solving a situation exactly may look at; 0: solve none
    #[arg(long, value_name = "N", value_parser = number, default_value_t = Budget::default().states)]
    budget: u64,
    /// How many threads may work; the numbers stay the same
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

/// How much is played.
#[derive(clap::Args)]
pub(super) struct Sampling {
    /// Trials per variant and situation, as in 100_000
    #[arg(long, value_name = "N", value_parser = trials)]
    trials: Option<u64>,
    /// Seed of the dice
    #[arg(long, value_name = "N", value_parser = number)]
    seed: Option<u64>,
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

impl Question {
    /// The scenario with what the command line sets otherwise, or nothing after all mistakes have been shown.
    pub(super) fn load(
        &self,
        command: &str,
        sampling: Option<&Sampling>,
        sources: &mut Sources,
    ) -> Option<Scenario> {
        let (file, mut found) = (&self.scenario, Diagnostics::default());
        let is_rules = file.extension().is_some_and(|ending| ending == "rules");
        if is_rules {
            let what = format!("{} is a rules file; `{command}` wants a scenario (.toml)", file.display());
            let remedy = "name the scenario beside it, or play one trial with: houserule roll";
            found.push(
                Diagnostic::without_place(what).remedy(format!("{remedy} {}", render::pasteable(file))),
            );
        }
        let scenario = if is_rules {
            None
        } else {
            match command {
                "solve" => scenario::load_open(file, sources, &mut found),
                _ => scenario::load(file, sources, &mut found),
            }
        };
        render::show(sources, &found, "nothing was run");
        let mut scenario = scenario.filter(|_| !found.has_errors())?;
        if let Some(sampling) = sampling {
            scenario.trials = sampling.trials.unwrap_or(scenario.trials);
            scenario.seed = sampling.seed.unwrap_or(scenario.seed);
        }
        Some(scenario)
    }

    /// What is to be played, with best play where players have aims; or how it ends after all that stands in the way has
    /// been shown.
    pub(super) fn study<'s>(
        &self,
        scenario: &'s Scenario,
        sources: &Sources,
        quiet: bool,
    ) -> Result<Study<'s>, Exit> {
        let (stop, threads, done) = (interrupt::listen(), self.threads(), AtomicU64::new(0));
        let budget = Budget { states: self.budget.max(Budget::default().states) };
        let plans = scenario.variants.len() * scenario.situations.len() + scenario.expects.len();
        let made = progress::watch((plans as u64, "plans made"), &done, quiet, || {
            Study::new(scenario, threads, &done, stop)
        });
        let decided = made.and_then(|mut study| Ok((study.decide(budget, threads, stop)?, study)));
        let (wrong, study) = decided.map_err(|why| stopped(why, "nothing was written"))?;
        let mut found = Diagnostics::default();
        found.extend(wrong);
        render::show(sources, &found, "nothing was run");
        if found.has_errors() { Err(Exit::BadFile) } else { Ok(study) }
    }

    /// Solves what the budget allows, and where nothing says what players do, finds out how far they can go.
    pub(super) fn solve(&self, study: &Study) -> Result<(Answers, Ranges), Stopped> {
        let (stop, budget) = (interrupt::listen(), Budget { states: self.budget });
        heard(self.answers(study, false, stop).and_then(|answers| {
            let ranges = study.bounds(&answers, budget, self.threads(), stop)?;
            Ok((answers, ranges))
        }))
    }

    /// Solves what the budget allows, and plays everything.
    pub(super) fn play(&self, study: &Study, quiet: bool) -> Result<Analysis, Stopped> {
        let stop = interrupt::listen();
        heard(self.answers(study, quiet, stop).and_then(|answers| {
            let done = AtomicU64::new(0);
            progress::watch((study.trials(), "trials"), &done, quiet, || {
                study.run(&answers, study.draw(self.threads(), &done, stop))
            })
        }))
    }

    fn answers(&self, study: &Study, quiet: bool, stop: &AtomicBool) -> Result<Answers, Stopped> {
        let (done, budget) = (AtomicU64::new(0), Budget { states: self.budget });
        let quiet = quiet || self.budget == 0;
        progress::watch((study.plans(), "plans solved"), &done, quiet, || {
            study.solve(budget, self.threads(), &done, stop)
        })
    }

    /// How many threads may work; `None` for one a core.
    pub(super) fn threads(&self) -> Option<usize> {
        self.threads.map(usize::from)
    }
}

/// What follows does not look at whether to stop; who pressed Ctrl-C while the last work ended is heard all the same.
fn heard<T>(result: Result<T, Stopped>) -> Result<T, Stopped> {
    if interrupt::at_once() { Err(Stopped::Interrupted) } else { result }
}

/// Says why there is nothing, and `then` what was not done.
pub(super) fn stopped(why: Stopped, then: &str) -> Exit {
    match why {
        Stopped::NoThreads => {
            render::say("error: the system gives no threads to work with\nAsk for fewer with --threads.");
            Exit::Fault
        }
        Stopped::Interrupted => {
            render::say(&format!("stopped: {then}; the same command starts again from the beginning"));
            Exit::Interrupted
        }
    }
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
