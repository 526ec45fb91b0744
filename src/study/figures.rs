//! A few figures of many plans: solved where that does not cost too much, else played.
//!
//! In: rules in situations, and the figures that are asked for. Out: each figure, by the plan's name.
//!
//! **Never:** why it is asked.

use super::proved::ends;
use super::{Draw, Stopped, aims, asked};
use crate::analyse::{Figure, Probe, estimated, exactly};
use crate::diagnostic::Diagnostic;
use crate::exact;
use crate::plan::{Answer, Budget, ContentId, Move, Plan, Sample, Unsolved};
use crate::rules::{Ruleset, TestId};
use crate::scenario::{Quantity, Scenario};
use crate::simulate::{Stretch, shared};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Rules, a policy and a situation: what becomes a plan.
#[derive(Clone, Debug)]
pub(super) struct Job {
    pub(super) rules: Arc<Ruleset>,
    pub(super) entry: TestId,
    pub(super) moves: Arc<[Option<Move>]>,
    /// The value of each factor.
    pub(super) values: Vec<i32>,
    /// The variant as whose its results and records are read.
    pub(super) variant: usize,
}

impl Job {
    /// A variant as it is written, in a situation.
    pub(super) fn of(scenario: &Scenario, variant: usize, values: Vec<i32>) -> Self {
        let written = &scenario.variants[variant];
        let moves = written.moves.clone().into();
        Self { rules: written.rules.clone(), entry: written.entry, moves, values, variant }
    }

    fn plan(&self) -> Plan {
        Plan::new(&self.rules, self.entry, self.values.clone(), &self.moves)
    }
}

/// Why figures are not known.
#[derive(Clone, PartialEq, Debug)]
pub enum Halt {
    /// The work was stopped.
    Stopped(Stopped),
    /// A player's best play is not known.
    Unplayable(Vec<Diagnostic>),
}

impl From<Stopped> for Halt {
    fn from(why: Stopped) -> Self {
        Self::Stopped(why)
    }
}

/// The name of a plan as a variant's.
pub(super) type Key = (usize, ContentId);

/// Figures by plan.
pub(super) struct Figures<'a> {
    scenario: &'a Scenario,
    quantities: Vec<Quantity>,
    budget: Budget,
    draw: Draw<'a>,
    known: BTreeMap<Key, Vec<Option<Figure>>>,
}

/// So many plans are in memory at once.
pub(super) const BATCH: usize = 2048;

impl<'a> Figures<'a> {
    /// Nothing known yet of these.
    pub(super) fn new(
        scenario: &'a Scenario,
        quantities: Vec<Quantity>,
        budget: Budget,
        draw: Draw<'a>,
    ) -> Self {
        Self { scenario, quantities, budget, draw, known: BTreeMap::new() }
    }

    /// The figures of a plan that [`Self::find`] has found, in the order of the quantities.
    pub(super) fn of(&self, key: Key) -> &[Option<Figure>] {
        self.known.get(&key).map_or(&[], Vec::as_slice)
    }

    /// Makes the plan of each job, and finds its figures; those that play alike are looked at once.
    ///
    /// # Errors
    /// [`Halt`] where the work is stopped, or a player's best play is not known.
    pub(super) fn find(&mut self, jobs: &[Job]) -> Result<Vec<Key>, Halt> {
        let mut keys = Vec::with_capacity(jobs.len());
        for batch in jobs.chunks(BATCH) {
            keys.extend(self.batch(batch)?);
        }
        Ok(keys)
    }

    fn batch(&mut self, jobs: &[Job]) -> Result<Vec<Key>, Halt> {
        let Draw { threads, stop, done, .. } = self.draw;
        let known = &self.known;
        let make = |made: &mut (Vec<(u64, Key)>, BTreeMap<Key, Plan>), at: u64| {
            let job = &jobs[at as usize];
            let plan = job.plan();
            let key = (job.variant, plan.id);
            made.0.push((at, key));
            if !known.contains_key(&key) {
                made.1.entry(key).or_insert(plan);
            }
            done.fetch_add(1, Ordering::Relaxed);
        };
        let (mut keys, mut plans) = (Vec::new(), BTreeMap::new());
        for (some, new) in shared(jobs.len() as u64, threads, stop, make)? {
            keys.extend(some);
            plans.extend(new);
        }
        keys.sort_unstable();
        self.work_out(&plans.into_iter().collect::<Vec<_>>())?;
        Ok(keys.into_iter().map(|(_, key)| key).collect())
    }

    /// Solves plans, and plays those that cannot be.
    fn work_out(&mut self, plans: &[(Key, Plan)]) -> Result<(), Halt> {
        type Solved = (usize, Result<(Plan, Option<Answer>), Vec<Diagnostic>>);
        let solve = |solved: &mut Vec<Solved>, at: u64| {
            let (key, plan) = &plans[at as usize];
            solved.push((at as usize, self.solved(plan, key.0)));
        };
        let solved = shared(plans.len() as u64, self.draw.threads, self.draw.stop, solve)?;
        let mut solved: Vec<Solved> = solved.into_iter().flatten().collect();
        solved.sort_unstable_by_key(|(at, _)| *at);
        let (mut open, mut wrong) = (Vec::new(), Vec::new());
        for (at, found) in solved {
            match found {
                Ok((_, Some(answer))) => _ = self.known.insert(plans[at].0, self.answered(&answer)),
                Ok((plan, None)) => open.push((plans[at].0, plan)),
                Err(complaints) => wrong.extend(complaints),
            }
        }
        if !wrong.is_empty() {
            wrong.dedup_by(|one, other| (&one.message, &one.labels) == (&other.message, &other.labels));
            return Err(Halt::Unplayable(wrong));
        }
        self.play(&open)
    }

    /// The plan as it is played, with its answer where that does not cost too much.
    fn solved(&self, plan: &Plan, variant: usize) -> Result<(Plan, Option<Answer>), Vec<Diagnostic>> {
        let open = aims::is_open(plan);
        let most = Budget { states: self.budget.states.max(Budget::default().states) };
        let decided = open.then(|| aims::decided(plan, most)).transpose();
        let plan = match decided {
            Ok(decided) => decided.map_or_else(|| plan.clone(), |(plan, _)| plan),
            Err(why) => return Err(aims::complaints(plan, &why)),
        };
        let solution = match self.budget.states {
            0 => Err(Unsolved::Budget(self.budget)),
            _ => exact::solve(&plan, self.budget),
        };
        let answer = |solution| Answer::new(&solution, &self.scenario.measures, &[], variant);
        Ok((plan, solution.ok().map(answer)))
    }

    fn play(&mut self, open: &[(Key, Plan)]) -> Result<(), Halt> {
        let trials = self.scenario.trials;
        let stretches: Vec<Stretch<'_>> =
            open.iter().map(|(_, plan)| Stretch { plan, trials: 0..trials }).collect();
        let unseen = AtomicU64::new(0); // what is watched is how many plans are done
        let tallies = Draw { done: &unseen, ..self.draw }.tallies(&stretches)?;
        for ((key, plan), tally) in open.iter().zip(tallies) {
            let sample = Sample::new(plan.id, &tally, &self.scenario.measures, &[], key.0);
            let figures = self.quantities.iter();
            let of = |quantity| {
                asked(quantity, |measure, probe| {
                    let counts = &sample.measures[measure];
                    let mean = matches!(probe, Probe::Mean) && counts.counts.len() == 1;
                    let ends = || ends(plan, &[measure].into(), &self.scenario.measures, key.0);
                    let reach = mean.then(ends).and_then(|ends| ends.get(&measure).copied());
                    estimated((counts, reach), probe)
                })
            };
            let figures = figures.map(of).collect();
            self.known.insert(*key, figures);
        }
        Ok(())
    }

    fn answered(&self, answer: &Answer) -> Vec<Option<Figure>> {
        let of = |quantity| asked(quantity, |measure, probe| exactly(&answer.measures[measure], probe));
        self.quantities.iter().map(of).collect()
    }
}
