//! What `run`, `solve` and `verify` have in common: a scenario, with what the command line sets otherwise, and the work
//! that it asks for.

use super::{Exit, interrupt, progress, render};
use crate::diagnostic::{Diagnostic, Diagnostics, Source, Sources};
use crate::scenario::{self, ChartKind, Scenario, Tune, Wanted};
use crate::study::{
    self, Analysis, Answers, Asked, Budget, Draw, Halt, Ranges, Sensitivity, Stopped, Store, Study, Tuned,
};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64};

/// A scenario, and what may be spent on it.
#[derive(clap::Args)]
pub(super) struct Question {
    /// The question; what is given below overrules the file
    #[arg(value_name = "SCENARIO.toml")]
    pub(super) scenario: PathBuf,
    #[command(flatten)]
    pub(super) effort: Effort,
}

/// What may be spent.
#[derive(Clone, Copy, clap::Args)]
pub(super) struct Effort {
    /// Most states that solving a situation exactly may look at; 0: solve none
    #[arg(long, value_name = "N", value_parser = number, default_value_t = Budget::default().states)]
    pub(super) budget: u64,
    /// How many threads may work; the numbers stay the same
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(super) threads: Option<u16>,
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

/// When it has been played enough.
#[derive(clap::Args)]
pub(super) struct Enough {
    /// Play each situation until its intervals are this narrow on either side, as in 0.1pp (percentage points)
    #[arg(long, value_name = "POINTS", value_parser = precision)]
    precision: Option<f64>,
    /// Most trials per variant and situation, where a precision or a claim asks for more than --trials
    #[arg(long, value_name = "N", value_parser = trials)]
    most_trials: Option<u64>,
}

impl Enough {
    /// The words that set it so.
    pub(super) fn words(&self) -> String {
        let precision = self.precision.map(|share| format!(" --precision {}pp", share * 100.0));
        let most = self.most_trials.map(|most| format!(" --most-trials {most}"));
        precision.into_iter().chain(most).collect()
    }

    /// Overrules what the file says.
    pub(super) fn set(&self, scenario: &mut Scenario) {
        scenario.precision = self.precision.or(scenario.precision);
        scenario.most_trials = self.most_trials.or(scenario.most_trials);
    }
}

/// A number of percentage points, as scenario files write it.
fn precision(text: &str) -> Result<f64, String> {
    let needed = "a number of percentage points is needed, more than 0 and less than 50, as in 0.1pp";
    scenario::precision(text).ok_or_else(|| needed.to_owned())
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

impl Sampling {
    /// The words that set it so.
    fn words(&self) -> impl Iterator<Item = String> {
        let set = [("--trials", self.trials), ("--seed", self.seed)];
        set.into_iter().filter_map(|(flag, value)| Some(format!(" {flag} {}", value?)))
    }
}

impl Question {
    /// The command that asks the same.
    pub(super) fn again(&self, sampling: &Sampling) -> String {
        let budget = (self.effort.budget != Budget::default().states)
            .then(|| format!(" --budget {}", self.effort.budget));
        let set: String = sampling.words().chain(budget).collect();
        format!("houserule run {}{set}", render::pasteable(&self.scenario))
    }

    /// The command that gives the same figures, whatever files say by then, and whether they were played in parts or not.
    pub(super) fn exactly(&self, scenario: &Scenario) -> String {
        let sampling = Sampling { trials: Some(scenario.trials), seed: Some(scenario.seed) };
        let enough = Enough { precision: scenario.precision, most_trials: scenario.most_trials };
        let paired = if scenario.paired { " --paired" } else { "" };
        self.again(&sampling) + &enough.words() + paired
    }

    /// The question of a run that was played in parts, and how much is played.
    pub(super) fn of(asked: &Asked, threads: Option<u16>) -> (Self, Sampling) {
        let scenario = asked.files.first().map(|(path, _)| path.into()).unwrap_or_default();
        let sampling = Sampling { trials: Some(asked.trials), seed: Some(asked.seed) };
        (Self { scenario, effort: Effort { budget: asked.budget, threads } }, sampling)
    }

    /// What the numbers depend on.
    pub(super) fn asked(&self, scenario: &Scenario, sources: &Sources) -> Asked {
        let file = |source: &Source| (source.path.display().to_string(), source.text.clone());
        Asked {
            files: sources.iter().map(file).collect(),
            trials: scenario.trials,
            most: scenario.most_trials,
            seed: scenario.seed,
            budget: self.effort.budget,
            folder: scenario.folder.clone(),
        }
    }

    /// The scenario with what the command line sets otherwise; or how it ends after all mistakes have been shown.
    pub(super) fn load(
        &self,
        command: &str,
        sampling: Option<&Sampling>,
        sources: &mut Sources,
    ) -> Result<Scenario, Exit> {
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
        let mut scenario = scenario.filter(|_| !found.has_errors()).ok_or(Exit::BadFile)?;
        if let Some(sampling) = sampling {
            scenario.trials = sampling.trials.unwrap_or(scenario.trials);
            scenario.seed = sampling.seed.unwrap_or(scenario.seed);
        }
        Ok(scenario)
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
        let budget = Budget { states: self.effort.budget.max(Budget::default().states) };
        let plans = scenario.variants.len() * scenario.situations.len() + scenario.expects.len();
        let made = progress::watch((plans as u64, "plans made"), &done, quiet, || {
            Study::new(scenario, threads, &done, stop)
        });
        let decided = made.and_then(|mut study| Ok((study.decide(budget, threads, stop)?, study)));
        let (wrong, study) = decided.map_err(|why| stopped(why, &format!("nothing was written; {AGAIN}")))?;
        let mut found = Diagnostics::default();
        found.extend(wrong);
        render::show(sources, &found, "nothing was run");
        if found.has_errors() { Err(Exit::BadFile) } else { Ok(study) }
    }

    /// Solves what the budget allows, and where nothing says what players do, finds out how far they can go.
    pub(super) fn solve(&self, study: &Study) -> Result<(Answers, Ranges), Exit> {
        let (stop, budget) = (interrupt::listen(), Budget { states: self.effort.budget });
        let solved = heard(self.answers(study, false, stop).and_then(|answers| {
            let ranges = study.bounds(&answers, budget, self.threads(), stop)?;
            Ok((answers, ranges))
        }));
        solved.map_err(|why| stopped(why, &format!("nothing is shown; {AGAIN}")))
    }

    /// Solves what the budget allows, and plays everything, to compare the figures.
    pub(super) fn compare(&self, study: &Study) -> Result<Analysis, Exit> {
        let played = heard(self.played(study, false, None).map(|(analysis, _)| analysis));
        played.map_err(|why| stopped(why, &format!("nothing was compared; {AGAIN}")))
    }

    /// Solves what the budget allows, plays everything that is not in the store, then judges the claims, with more trials where it takes more, plays drafts in step with the baseline in
    /// some situations, and looks at what of the rules is reached.
    pub(super) fn judge(
        &self,
        study: &Study,
        in_step: &BTreeSet<usize>,
        quiet: bool,
        store: Option<&Store>,
    ) -> Result<Analysis, Stopped> {
        heard(self.played(study, quiet, store).and_then(|(mut analysis, answers)| {
            let most = (study.most_trials(), "trials for claims, at most");
            self.watch(study, most, quiet, store, |draw| study.judge(&mut analysis, &answers, draw))?;
            let trials = study.trials_in_pairs(in_step);
            let pair = |draw: Draw<'_>| study.pair(&mut analysis, in_step, draw);
            if trials > 0 {
                self.watch(study, (trials, "trials in step"), quiet, None, pair)?;
            }
            let trials = (study.trials_to_reach(), "trials for the rules charts");
            self.watch(study, trials, quiet, None, |draw| study.reach(&mut analysis, draw))?;
            Ok(analysis)
        }))
    }

    fn played(
        &self,
        study: &Study,
        quiet: bool,
        store: Option<&Store>,
    ) -> Result<(Analysis, Answers), Stopped> {
        let answers = self.answers(study, quiet, interrupt::listen())?;
        let run = |draw: Draw<'_>| study.run(&answers, draw);
        let analysis = self.watch(study, (study.trials(), "trials"), quiet, store, run)?;
        Ok((analysis, answers))
    }

    /// Plays so many trials by `work`, and shows how far it is.
    pub(super) fn watch<T>(
        &self,
        study: &Study,
        trials: (u64, &'static str),
        quiet: bool,
        store: Option<&Store>,
        work: impl FnOnce(Draw<'_>) -> T,
    ) -> T {
        let (stop, done) = (interrupt::listen(), AtomicU64::new(0));
        progress::watch(trials, &done, quiet, || {
            work(Draw { store, ..study.draw(self.threads(), &done, stop) })
        })
    }

    fn answers(&self, study: &Study, quiet: bool, stop: &AtomicBool) -> Result<Answers, Stopped> {
        let (done, budget) = (AtomicU64::new(0), Budget { states: self.effort.budget });
        let quiet = quiet || self.effort.budget == 0;
        progress::watch((study.plans(), "plans solved"), &done, quiet, || {
            study.solve(budget, self.threads(), &done, stop)
        })
    }

    /// Looks at every combination of values.
    pub(super) fn tune(&self, scenario: &Scenario, search: &Tune, quiet: bool) -> Result<Tuned, Halt> {
        let (done, budget) = (AtomicU64::new(0), Budget { states: self.effort.budget });
        let draw = self.draw(scenario, &done, None);
        let work = (study::tune_work(scenario, search), "situations");
        let tuned = progress::watch(work, &done, quiet, || study::tune(scenario, search, budget, draw))?;
        Ok(heard(Ok(tuned))?)
    }

    /// What moves a figure.
    pub(super) fn sensitivity(
        &self,
        scenario: &Scenario,
        sources: &Sources,
        wanted: &Wanted,
        quiet: bool,
        store: Option<&Store>,
    ) -> Result<Sensitivity, Halt> {
        let (done, budget) = (AtomicU64::new(0), Budget { states: self.effort.budget });
        let draw = self.draw(scenario, &done, store);
        let work = (study::sensitivity_work(scenario, wanted), "situations");
        let found = progress::watch(work, &done, quiet, || {
            study::sensitivity(scenario, sources, wanted, budget, draw)
        })?;
        Ok(heard(Ok(found))?)
    }

    /// What moves the figure of each chart of modifiers.
    pub(super) fn sensitivities(
        &self,
        scenario: &Scenario,
        sources: &Sources,
        quiet: bool,
        store: &Store,
    ) -> Result<Vec<Sensitivity>, Halt> {
        let charts = scenario.charts.iter().filter(|chart| chart.kind == ChartKind::Modifiers);
        let wanted = |chart| Wanted::of_chart(scenario, chart);
        let one = |chart| self.sensitivity(scenario, sources, &wanted(chart), quiet, Some(store));
        charts.map(one).collect()
    }

    fn draw<'d>(&self, scenario: &Scenario, done: &'d AtomicU64, store: Option<&'d Store>) -> Draw<'d> {
        Draw { seed: scenario.seed, threads: self.threads(), done, stop: interrupt::listen(), store }
    }

    /// The file that asks.
    pub(super) fn file(&self) -> &Path {
        &self.scenario
    }

    /// How many threads may work; `None` for one a core.
    pub(super) fn threads(&self) -> Option<usize> {
        self.effort.threads.map(usize::from)
    }
}

/// What follows does not look at whether to stop; who pressed Ctrl-C while the last work ended is heard all the same.
pub(super) fn heard<T>(result: Result<T, Stopped>) -> Result<T, Stopped> {
    if interrupt::at_once() { Err(Stopped::Interrupted) } else { result }
}

/// Says why figures are not known, and `then` what was not done.
pub(super) fn halted(why: Halt, sources: &Sources, then: &str) -> Exit {
    match why {
        Halt::Stopped(why) => stopped(why, &format!("{then}; {AGAIN}")),
        Halt::Unplayable(wrong) => render::refuse(sources, wrong, then),
    }
}

/// Says why a table cannot be kept, if it cannot.
pub(super) fn kept<E: std::fmt::Display>(written: Result<(), E>) -> Result<(), Exit> {
    written.map_err(|error| {
        render::say(&format!("error: {error}\nGive another file with --out."));
        Exit::Fault
    })
}

/// What comes of it where nothing is kept.
pub(super) const AGAIN: &str = "the same command starts again from the beginning";

/// Says why there is nothing, and `then` what was not done and how to go on.
pub(super) fn stopped(why: Stopped, then: &str) -> Exit {
    match why {
        Stopped::NoThreads => {
            render::say("error: the system gives no threads to work with\nAsk for fewer with --threads.");
            Exit::Fault
        }
        Stopped::Interrupted => {
            render::say(&format!("stopped: {then}"));
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
