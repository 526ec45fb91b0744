//! The whole pipeline in plain sentences: a scenario becomes plans, plans become counts, counts become an analysis.
//!
//! In: a checked scenario. Out: what its counts say.
//!
//! **Never:** flags, formatting.

use crate::analyse::{Analysis, LEVEL, analyse};
use crate::diagnostic::{Source, Sources};
use crate::interpret::{self, Interpreter};
use crate::plan::{ContentId, Event, Outcome, Plan, Sample, Tally};
use crate::rules::{Ruleset, TestId};
use crate::scenario::{Move, Results, Scenario, Variant};
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
}

impl<'a> Study<'a> {
    /// Makes the plans of a scenario.
    pub fn new(scenario: &'a Scenario) -> Self {
        Self { scenario, plans: Plan::all(scenario) }
    }

    /// The plans that differ; those that play alike are played once.
    fn distinct(&self) -> BTreeMap<ContentId, &Plan> {
        self.plans.iter().flatten().map(|plan| (plan.id, plan)).collect()
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
        let plans: Vec<&Plan> = distinct.values().copied().collect();
        let effort = Effort { trials: self.scenario.trials, seed: self.scenario.seed, threads };
        let tallies = simulate(&Interpreter, &plans, effort, done, stop)?;
        let counted: BTreeMap<ContentId, Tally> = distinct.into_keys().zip(tallies).collect();
        let row = |(variant, plans): (&Variant, &Vec<Plan>)| {
            plans.iter().map(|plan| sample(variant, plan.id, &counted[&plan.id])).collect()
        };
        let samples: Vec<Vec<Sample>> = self.scenario.variants.iter().zip(&self.plans).map(row).collect();
        let named = match &self.scenario.results {
            Results::Numbers => None,
            Results::Named(named) => Some(named.len()),
        };
        Ok(analyse(&samples, self.scenario.baseline, named, LEVEL))
    }
}

/// A tally keyed by the scenario's results instead of the variant's own values.
fn sample(variant: &Variant, id: ContentId, tally: &Tally) -> Sample {
    let key = |value: i32| match usize::try_from(value)
        .ok()
        .and_then(|value| variant.result_positions.get(value))
    {
        Some(position) => *position as i32,
        None => value,
    };
    let counts = tally.counts.iter().map(|(value, count)| (key(*value), *count)).collect();
    Sample { id, tally: Tally { counts, ..*tally } }
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
pub fn stories(plan: &Plan, seed: u64, times: u64) -> impl Iterator<Item = (Vec<Event>, Outcome)> {
    interpret::stories(plan, seed, times)
}
