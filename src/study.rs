//! The whole pipeline in plain sentences: a scenario becomes plans, plans become answers and counts, and these become an
//! analysis.
//!
//! In: a checked scenario. Out: what its answers and counts say.
//!
//! **Never:** flags, formatting.

mod aims;
mod bounds;
mod claims;
mod draw;
mod figures;
mod pair;
mod proved;
mod reached;
mod rounds;
mod sensitivity;
mod shard;
mod store;
mod tune;

use crate::analyse::{
    ALARM, Finding, Place, Precision, Probe, Sense, agreement, analyse, decide, finding, half_width,
    normal_quantile,
};
use crate::diagnostic::{Diagnostic, Source, Sources};
use crate::exact;
use crate::interpret;
use crate::plan::{Answer, Bounds, ContentId, Event, Plan, Probability, Program, Sample, Trial};
use crate::rules::{Ruleset, TestId};
use crate::scenario::{Expect, Move, Quantity, Results, Scenario};
use crate::simulate::{Stretch, shared};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

pub use crate::analyse::{Analysis, Ruling, Sensitivity, Solved, Tuned, Verdict};
pub use crate::plan::{Budget, Unsolved};
pub use crate::simulate::Stopped;
pub use aims::Worths;
pub use draw::Draw;
pub use figures::Halt;
use proved::Reach;
pub use sensitivity::{sensitivity, sensitivity_work};
pub use shard::{Asked, Merged, Shard, merge};
pub use store::Store;
pub use tune::{tune, tune_work};

/// A scenario, ready to be played.
#[derive(Clone, Debug)]
pub struct Study<'a> {
    scenario: &'a Scenario,
    /// For each variant, a plan for each situation.
    plans: Vec<Vec<Plan>>,
    /// For each expectation, the plan of its situation, be it in the grid or not.
    expected: Vec<Plan>,
    /// What the aims of players come to, by the plans that are played.
    worths: BTreeMap<ContentId, Worths>,
}

impl<'a> Study<'a> {
    /// Makes the plans of a scenario. `done` is raised with each plan; `stop` ends it early.
    ///
    /// # Errors
    /// [`Stopped`] if `stop` was set or no thread could be started.
    pub fn new(
        scenario: &'a Scenario,
        threads: Option<usize>,
        done: &AtomicU64,
        stop: &AtomicBool,
    ) -> Result<Self, Stopped> {
        let (make, all) = (Plan::maker(scenario), places(scenario));
        let one = |(plans, programs): &mut (Vec<_>, BTreeMap<_, _>), at: u64| {
            let (variant, situation) = match all[at as usize] {
                Place::Cell(variant, at) => (variant, scenario.assignment(variant, at)),
                Place::Expectation(at) => {
                    (scenario.expects[at].variant, scenario.expects[at].situation.clone())
                }
            };
            plans.push((at, sharing(make(variant, situation), programs)));
            done.fetch_add(1, Ordering::Relaxed);
        };
        let made = shared(all.len() as u64, threads, stop, one)?;
        let mut made: Vec<(u64, Plan)> = made.into_iter().flat_map(|(plans, _)| plans).collect();
        made.sort_unstable_by_key(|(at, _)| *at);
        let mut made = made.into_iter().map(|(_, plan)| plan);
        let mut row = |_| made.by_ref().take(scenario.situations.len()).collect();
        let plans = (0..scenario.variants.len()).map(&mut row).collect();
        Ok(Self { scenario, plans, expected: made.collect(), worths: BTreeMap::new() })
    }

    /// The plans that differ, each with its variant; those that play alike are played once.
    fn distinct(&self) -> BTreeMap<ContentId, (usize, &Plan)> {
        let grid = self.plans.iter().enumerate().flat_map(|(at, row)| row.iter().map(move |plan| (at, plan)));
        let expected = self.scenario.expects.iter().map(|expect| expect.variant).zip(&self.expected);
        grid.chain(expected).map(|(variant, plan)| (plan.id, (variant, plan))).collect()
    }

    /// Finds best play where players have aims; what follows plays that. Hands back what stands in the way, if anything.
    ///
    /// # Errors
    /// [`Stopped`] if `stop` was set or no thread could be started.
    pub fn decide(
        &mut self,
        budget: Budget,
        threads: Option<usize>,
        stop: &AtomicBool,
    ) -> Result<Vec<Diagnostic>, Stopped> {
        let open: Vec<Plan> = self
            .distinct()
            .into_values()
            .map(|(_, plan)| plan)
            .filter(|plan| aims::is_open(plan))
            .cloned()
            .collect();
        let decide = |found: &mut Vec<_>, at: u64| {
            let plan = &open[at as usize];
            found.push((plan.id, aims::decided(plan, budget)));
        };
        let decided: BTreeMap<ContentId, _> =
            shared(open.len() as u64, threads, stop, decide)?.into_iter().flatten().collect();
        let mut wrong: Vec<Diagnostic> = Vec::new();
        for plan in self.plans.iter_mut().flatten().chain(&mut self.expected) {
            match decided.get(&plan.id) {
                None => {}
                Some(Ok((best, worths))) => {
                    let (table, joint) = (best.table.clone(), std::mem::take(&mut plan.joint));
                    *plan = Plan { table, joint, ..best.clone() };
                    self.worths.insert(plan.id, worths.clone());
                }
                Some(Err(why)) => wrong.extend(aims::complaints(plan, why)),
            }
        }
        wrong.dedup_by(|one, other| (&one.message, &one.labels) == (&other.message, &other.labels));
        Ok(wrong)
    }

    /// How far players can move each measure, in the plans for which nothing says what they do.
    ///
    /// # Errors
    /// [`Stopped`] if `stop` was set or no thread could be started.
    pub fn bounds(
        &self,
        answers: &Answers,
        budget: Budget,
        threads: Option<usize>,
        stop: &AtomicBool,
    ) -> Result<Ranges, Stopped> {
        let distinct = self.distinct();
        let open = answers.iter().filter(|(_, answer)| **answer == Err(Unsolved::Choices));
        let open: Vec<ContentId> = open.map(|(id, _)| *id).collect();
        let find = |found: &mut Ranges, at: u64| {
            let id = open[at as usize];
            let (variant, plan) = distinct[&id];
            let bounds = bounds::bounds(plan, &self.scenario.measures, variant, budget);
            found.extend(bounds.ok().map(|bounds| (id, bounds)));
        };
        Ok(shared(open.len() as u64, threads, stop, find)?.into_iter().flatten().collect())
    }

    /// For each variant, the plan of each situation.
    pub fn played(&self) -> &[Vec<Plan>] {
        &self.plans
    }

    /// What the aims of players come to in a plan.
    pub fn worths(&self, plan: &Plan) -> Option<&Worths> {
        self.worths.get(&plan.id)
    }

    /// How many trials will be played, or where a precision decides that, may be.
    pub fn trials(&self) -> u64 {
        let each =
            if self.scenario.precision.is_some() { self.scenario.most() } else { self.scenario.trials };
        each.saturating_mul(self.plans())
    }

    /// How many trials there may be where claims ask for more.
    pub fn most_trials(&self) -> u64 {
        self.scenario.most().saturating_mul(self.plans())
    }

    /// How many plans there are; those that play alike are one.
    pub fn plans(&self) -> u64 {
        self.distinct().len() as u64
    }

    /// Solves every plan that does not cost more than `budget`. `done` is raised with each plan; `stop` ends it early.
    ///
    /// # Errors
    /// [`Stopped`] if `stop` was set or no thread could be started.
    pub fn solve(
        &self,
        budget: Budget,
        threads: Option<usize>,
        done: &AtomicU64,
        stop: &AtomicBool,
    ) -> Result<Answers, Stopped> {
        let distinct: Vec<(ContentId, (usize, &Plan))> = self.distinct().into_iter().collect();
        let Scenario { measures, joint, .. } = self.scenario;
        let solve = |answers: &mut Answers, at: u64| {
            let (id, (variant, plan)) = distinct[at as usize];
            let solved =
                if budget.states == 0 { Err(Unsolved::Budget(budget)) } else { exact::solve(plan, budget) };
            answers.insert(id, solved.map(|solution| Answer::new(&solution, measures, joint, variant)));
            done.fetch_add(1, Ordering::Relaxed);
        };
        Ok(shared(distinct.len() as u64, threads, stop, solve)?.into_iter().flatten().collect())
    }

    /// What the answers of [`Self::solve`] say without any trial.
    pub fn solved(&self, answers: &Answers) -> Solved {
        let cell = |plan: &Plan| (plan.id, answers[&plan.id].clone());
        let expects = self.scenario.expects.iter().zip(&self.expected);
        let known = |(expect, plan): (&Expect, &Plan)| {
            answers[&plan.id].as_ref().map(|answer| known(expect, answer)).map_err(Clone::clone)
        };
        Solved {
            cells: self.plans.iter().map(|row| row.iter().map(cell).collect()).collect(),
            expects: expects.map(known).collect(),
            claims: claims::solved(self, answers),
        }
    }

    /// What is needed to play with the scenario's seed.
    pub fn draw<'d>(&self, threads: Option<usize>, done: &'d AtomicU64, stop: &'d AtomicBool) -> Draw<'d> {
        Draw { seed: self.scenario.seed, threads, done, stop, store: None }
    }

    /// Plays everything and works out what it says beside the answers of [`Self::solve`].
    ///
    /// # Errors
    /// [`Stopped`] if `draw.stop` was set or no thread could be started.
    pub fn run(&self, answers: &Answers, draw: Draw<'_>) -> Result<Analysis, Stopped> {
        let distinct = self.distinct();
        let whole = distinct.values().map(|(_, plan)| Stretch { plan, trials: 0..self.scenario.trials });
        let tallies = match self.scenario.precision {
            None => draw.tallies(&whole.collect::<Vec<_>>())?,
            Some(asked) => self.precise(&distinct, asked, draw)?,
        };
        let sample = |((id, (variant, _)), tally)| (id, self.sample(id, &tally, variant));
        let counted = distinct.into_iter().zip(tallies).map(sample).collect();
        let reach = self.reach_of_the_same(&counted, answers, draw)?;
        Ok(self.analysis(&counted, answers, &reach))
    }

    /// For each measure how many values are named; `None` for numbers.
    fn named(&self) -> Vec<Option<usize>> {
        self.scenario.measures.iter().map(|measure| named(&measure.results)).collect()
    }

    /// How often a run may look at its figures while trials are played.
    fn looks(&self) -> u64 {
        if self.scenario.precision.is_some() { self.sizes().len() as u64 } else { 1 }
    }

    /// Where figures are not as precise as was asked.
    fn precision(
        &self,
        (asked, level): (f64, f64),
        counted: &BTreeMap<ContentId, Sample>,
        answers: &Answers,
    ) -> Precision {
        let (z, named) = (normal_quantile(level), self.named());
        // nothing is more precise than what is solved
        let sampled = self.first_places().filter(|(_, id)| answers[id].is_err());
        let half = |(place, id)| (place, half_width(&counted[&id], &named, z));
        let wide = sampled.map(half).filter(|(_, half)| *half > asked).collect();
        Precision { asked, looks: self.looks(), wide }
    }

    /// What counts and answers say together.
    fn analysis(
        &self,
        counted: &BTreeMap<ContentId, Sample>,
        answers: &Answers,
        reach: &BTreeMap<ContentId, Reach>,
    ) -> Analysis {
        let Scenario { baseline, precision, .. } = self.scenario;
        let level = rounds::level(self.looks());
        let row = |plans: &Vec<Plan>| plans.iter().map(|plan| counted[&plan.id].clone()).collect();
        let samples: Vec<Vec<Sample>> = self.plans.iter().map(row).collect();
        let mut analysis = analyse(&samples, *baseline, &self.named(), level);
        analysis.played = counted.values().map(|sample| sample.trials).sum();
        analysis.precision = precision.map(|asked| self.precision((asked, level), counted, answers));
        for (cell, plan) in analysis.cells.iter_mut().flatten().zip(self.plans.iter().flatten()) {
            cell.answer = answers[&plan.id].clone();
            cell.reach = reach.get(&plan.id).cloned().unwrap_or_default();
        }
        let senses = (0..self.scenario.measures.len()).map(|measure| sense(self.scenario, measure));
        analysis.relate(&senses.collect::<Vec<_>>());
        let expects = self.scenario.expects.iter().zip(&self.expected);
        let found = |(expect, plan): (&Expect, &Plan)| {
            let exactly = answers[&plan.id].as_ref().ok().and_then(|answer| known(expect, answer));
            exactly.unwrap_or_else(|| self.finding(expect, &counted[&plan.id], reach.get(&plan.id)))
        };
        analysis.expects = expects.map(found).collect();
        let both = |(place, id): (Place, ContentId)| (place, &counted[&id], answers[&id].as_ref().ok());
        let asked = answers.values().any(|answer| *answer != Err(Unsolved::Budget(Budget { states: 0 })));
        analysis.agreement =
            asked.then(|| agreement(self.first_places().map(both), ALARM / self.looks() as f64));
        let by_interpreter = self.places().filter(|(_, plan)| plan.program.is_none());
        analysis.interpreted = by_interpreter.map(|(place, _)| place).collect();
        analysis
    }

    /// Each place with its plan.
    fn places(&self) -> impl Iterator<Item = (Place, &Plan)> {
        places(self.scenario).into_iter().zip(self.plans.iter().flatten().chain(&self.expected))
    }

    /// Each plan with the first place where it is played.
    fn first_places(&self) -> impl Iterator<Item = (Place, ContentId)> {
        let mut seen = BTreeSet::new();
        self.places().map(|(place, plan)| (place, plan.id)).filter(move |(_, id)| seen.insert(*id))
    }

    /// Whether a known value is met by what was counted.
    fn finding(&self, expect: &Expect, sample: &Sample, reach: Option<&Reach>) -> Finding {
        let unresolved = if expect.limit { sample.unresolved } else { 0 };
        let value = expect.fraction.0 as f64 / expect.fraction.1 as f64;
        let alarm = ALARM / self.scenario.expects.len() as f64 / self.looks() as f64;
        asked(&expect.quantity, |measure, probe| {
            let reach = reach.and_then(|reach| reach.get(&measure)).copied();
            finding((&sample.measures[measure], reach), unresolved, probe, value, alarm)
        })
    }
}

/// The plan, which keeps no program of its own where another of the same name has it already.
fn sharing(plan: Plan, programs: &mut BTreeMap<ContentId, Option<Arc<Program>>>) -> Plan {
    let known = programs.entry(plan.id).or_insert_with(|| plan.program.clone());
    let program = if *known == plan.program { known.clone() } else { plan.program };
    Plan { program, ..plan }
}

/// Wherever anything is played: the grid row by row, then the situations of the expectations.
fn places(scenario: &Scenario) -> Vec<Place> {
    let situations = 0..scenario.situations.len();
    let row = |variant| situations.clone().map(move |at| Place::Cell(variant, at));
    let grid = (0..scenario.variants.len()).flat_map(row);
    grid.chain((0..scenario.expects.len()).map(Place::Expectation)).collect()
}

/// For each plan that leaves open what players do, how far they can move each measure.
pub type Ranges = BTreeMap<ContentId, Vec<Bounds>>;

/// What is known of each plan, or why it is not.
pub type Answers = BTreeMap<ContentId, Result<Answer, Unsolved>>;

/// Whether a known value is what a solved plan comes to; `None` where nothing can be said of a limit.
fn known(expect: &Expect, answer: &Answer) -> Option<Finding> {
    let (numerator, denominator) = expect.fraction;
    let value = Probability::fraction(numerator, denominator.unsigned_abs());
    asked(&expect.quantity, |measure, probe| decide(answer, measure, expect.limit, probe, &value))
}

/// The measure that a quantity is of, and what it asks of it.
fn asked<T>(quantity: &Quantity, then: impl FnOnce(usize, Probe) -> T) -> T {
    match quantity {
        Quantity::Probability(set) => then(set.measure, Probe::Share(&|key| set.contains(key))),
        Quantity::Mean(measure) => then(*measure, Probe::Mean),
        Quantity::Quantile(measure, level) => then(*measure, Probe::Quantile(*level)),
    }
}

/// Which end of a measure comes first, if it has an order.
fn sense(scenario: &Scenario, measure: usize) -> Option<Sense> {
    match scenario.measures[measure].results {
        Results::Numbers => Some(Sense::HighestFirst),
        Results::Named(_) => scenario.ranks(measure).map(Sense::BestFirst),
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
    ///
    /// # Errors
    /// What stands in the way of best play, where a player has an aim.
    pub fn plan(&self) -> Result<Plan, Vec<Diagnostic>> {
        let plan = Plan::new(&self.rules, self.entry, self.values.clone(), &self.moves.clone().into());
        if !aims::is_open(&plan) {
            return Ok(plan);
        }
        let decided = aims::decided(&plan, Budget::default());
        decided.map(|(plan, _)| plan).map_err(|why| aims::complaints(&plan, &why))
    }
}

/// Tells the trials of a plan that the interpreter plays first under a seed.
pub fn stories(plan: &Plan, seed: u64, times: u64) -> impl Iterator<Item = (Vec<Event>, Trial)> {
    interpret::stories(plan, seed, times)
}
