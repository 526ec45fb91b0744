//! The whole pipeline in plain sentences: a scenario becomes plans, plans become counts, counts become an analysis.
//!
//! In: a checked scenario. Out: what its counts say.
//!
//! **Never:** flags, formatting.

use crate::analyse::{ALARM, Analysis, Finding, LEVEL, Probe, analyse, finding};
use crate::diagnostic::{Source, Sources};
use crate::interpret::{self, Interpreter};
use crate::plan::{ContentId, Event, Plan, Sample, Trial};
use crate::rules::{Ruleset, TestId};
use crate::scenario::{Expect, Move, Quantity, Results, Scenario};
use crate::simulate::{Effort, simulate};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64};

pub use crate::simulate::Stopped;

/// A scenario, ready to be played.
#[derive(Clone, Debug)]
pub struct Study<'a> {
    scenario: &'a Scenario,
    /// For each variant, a plan for each situation.
    plans: Vec<Vec<Plan>>,
    /// For each expectation, the plan of its situation, be it in the grid or not.
    expected: Vec<Plan>,
}

impl<'a> Study<'a> {
    /// Makes the plans of a scenario.
    pub fn new(scenario: &'a Scenario) -> Self {
        let plan = |expect: &Expect| {
            let variant = &scenario.variants[expect.variant];
            let moves = variant.moves.clone().into();
            let joint = scenario.joint_records(expect.variant);
            Plan { joint, ..Plan::new(&variant.rules, variant.entry, expect.situation.clone(), &moves) }
        };
        let expected = scenario.expects.iter().map(plan).collect();
        Self { scenario, plans: Plan::all(scenario), expected }
    }

    /// The plans that differ, each with its variant; those that play alike are played once.
    fn distinct(&self) -> BTreeMap<ContentId, (usize, &Plan)> {
        let grid = self.plans.iter().enumerate().flat_map(|(at, row)| row.iter().map(move |plan| (at, plan)));
        let expected = self.scenario.expects.iter().map(|expect| expect.variant).zip(&self.expected);
        grid.chain(expected).map(|(variant, plan)| (plan.id, (variant, plan))).collect()
    }

    /// How many trials will be played.
    pub fn trials(&self) -> u64 {
        self.scenario.trials.saturating_mul(self.distinct().len() as u64)
    }

    /// Plays everything and works out what it says. `done` is raised as trials are finished; `stop` ends it early.
    ///
    /// # Errors
    /// [`Stopped`] if `stop` was set or no thread could be started.
    pub fn run(
        &self,
        threads: Option<usize>,
        done: &AtomicU64,
        stop: &AtomicBool,
    ) -> Result<Analysis, Stopped> {
        let distinct = self.distinct();
        let plans: Vec<&Plan> = distinct.values().map(|(_, plan)| *plan).collect();
        let effort = Effort { trials: self.scenario.trials, seed: self.scenario.seed, threads };
        let tallies = simulate(&Interpreter, &plans, effort, done, stop)?;
        let Scenario { measures, joint, baseline, .. } = self.scenario;
        let sample = |((id, (variant, _)), tally)| (id, Sample::new(id, &tally, measures, joint, variant));
        let counted: BTreeMap<ContentId, Sample> = distinct.into_iter().zip(tallies).map(sample).collect();
        let row = |plans: &Vec<Plan>| plans.iter().map(|plan| counted[&plan.id].clone()).collect();
        let samples: Vec<Vec<Sample>> = self.plans.iter().map(row).collect();
        let named: Vec<Option<usize>> = measures.iter().map(|measure| named(&measure.results)).collect();
        let mut analysis = analyse(&samples, *baseline, &named, LEVEL);
        let expects = self.scenario.expects.iter().zip(&self.expected);
        analysis.expects = expects.map(|(expect, plan)| self.finding(expect, &counted[&plan.id])).collect();
        Ok(analysis)
    }

    /// Whether a known value is met.
    fn finding(&self, expect: &Expect, sample: &Sample) -> Finding {
        let inside;
        let (measure, probe) = match &expect.quantity {
            Quantity::Probability(set) => {
                inside = |key| set.contains(key);
                (set.measure, Probe::Share(&inside))
            }
            Quantity::Mean(measure) => (*measure, Probe::Mean),
            Quantity::Quantile(measure, level) => (*measure, Probe::Quantile(*level)),
        };
        let unresolved = if expect.limit { sample.unresolved } else { 0 };
        let value = expect.fraction.0 as f64 / expect.fraction.1 as f64;
        finding(
            &sample.measures[measure],
            unresolved,
            probe,
            value,
            ALARM / self.scenario.expects.len() as f64,
        )
    }
}

/// How many values are named; `None` for numbers.
fn named(results: &Results) -> Option<usize> {
    match results {
        Results::Numbers => None,
        Results::Named(named) => Some(named.len()),
    }
}

/// Each file that was read, with the hash of its text in hexadecimal.
pub fn hashes(sources: &Sources) -> Vec<(String, String)> {
    let hash = |source: &Source| format!("{:?}", ContentId::of_text(&source.text));
    sources.iter().map(|source| (source.path.display().to_string(), hash(source))).collect()
}

/// One test in one situation under one policy, to be told.
#[derive(Clone, Debug)]
pub struct Roll {
    /// The rules.
    pub rules: Arc<Ruleset>,
    /// Where a trial starts.
    pub entry: TestId,
    /// The value of each factor.
    pub values: Vec<i32>,
    /// What the player does at each choice.
    pub moves: Vec<Option<Move>>,
    /// The seed of the dice.
    pub seed: u64,
}

impl Roll {
    /// What is played.
    pub fn plan(&self) -> Plan {
        Plan::new(&self.rules, self.entry, self.values.clone(), &self.moves.clone().into())
    }
}

/// Tells the first trials of a plan under a seed: the same that a run under that seed plays first.
pub fn stories(plan: &Plan, seed: u64, times: u64) -> impl Iterator<Item = (Vec<Event>, Trial)> {
    interpret::stories(plan, seed, times)
}
