//! Plays a case and asks what came of it.

use crate::every_way::distribution_within;
use crate::lanes::wrong_lane;
use houserule::diagnostic::{Diagnostics, Sources};
use houserule::exact::{self, Budget};
use houserule::interpret;
use houserule::kernel;
use houserule::plan::{CHUNK, Chunk, Outcome, Plan};
use houserule::random::{Generator, Source};
use houserule::rules::Type;
use houserule::scenario;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// How one trial ended (`None`: unresolved), and what it recorded beside, by the position of the record.
pub(crate) type Trial = (Option<i32>, Vec<Option<i64>>);

/// More ways than this are not enumerated.
const MOST_WAYS: u64 = 2_000_000;

/// How many trials a situation is sampled with.
pub(crate) const TRIALS: u64 = 200_000;

/// The seed of everything that is sampled.
const SEED: u64 = 28;

/// Plays one trial.
fn trial(plan: &Plan, dice: &mut impl Source) -> Trial {
    ended(interpret::trial(plan, dice))
}

fn ended(trial: houserule::plan::Trial) -> Trial {
    (if let Outcome::Result(value) = trial.outcome { Some(value) } else { None }, trial.records)
}

/// The position of a record and what it is.
fn record(plan: &Plan, name: &str) -> Option<(usize, Type)> {
    let position = plan.rules.records.iter().position(|record| record.name == name)?;
    Some((position, plan.rules.records[position].ty))
}

/// The plan of a scenario with a single situation; its rules stand in `folder`.
pub(crate) fn plan(folder: &Path, text: &str) -> Result<Plan, String> {
    let path = folder.join("scenario.toml");
    std::fs::write(&path, text).unwrap();
    let (mut sources, mut found) = (Sources::default(), Diagnostics::default());
    let scenario = scenario::load(&path, &mut sources, &mut found);
    let scenario = scenario.ok_or_else(|| {
        let messages: Vec<String> = found.into_iter().map(|one| one.message).collect();
        messages.join("; ")
    })?;
    let plan = Plan::all(&scenario).into_iter().flatten().next();
    let plan = plan.ok_or_else(|| "no situation".to_owned())?;
    let sites = plan.program.as_ref().map_or(&[][..], |program| &program.sites);
    if sites.is_empty() {
        return Ok(plan);
    }
    let (table, _) = exact::best(&plan, Budget::default()).map_err(|why| format!("best play: {why:?}"))?;
    Ok(plan.with_table(Arc::new(table)))
}

/// How much each way to end weighs, of which whole: probabilities in fractions, or trials.
pub(crate) struct Played {
    weights: BTreeMap<Trial, u128>,
    whole: u128,
}

/// Every way that the dice can fall.
pub(crate) fn enumerated(plan: &Plan) -> Result<Played, String> {
    let all = distribution_within(MOST_WAYS, |dice| trial(plan, dice));
    let (weights, whole) = all.ok_or_else(|| format!("more than {MOST_WAYS} ways"))?;
    Played { weights, whole }.resolved()
}

/// So many trials with dice that depend on the plan alone.
pub(crate) fn sampled(plan: &Plan) -> Result<Played, String> {
    let mut dice = Generator::new(SEED, &plan.id.0, 0, 0);
    let mut weights = BTreeMap::new();
    for _ in 0..TRIALS {
        *weights.entry(trial(plan, &mut dice)).or_default() += 1;
    }
    Played { weights, whole: TRIALS.into() }.resolved()
}

/// A chunk of trials by the kernel, of which the first are played again by the interpreter, die by die.
pub(crate) fn sampled_fast(plan: &Plan) -> Result<Played, String> {
    if let Some(wrong) = wrong_lane(plan, 1_200) {
        return Err(wrong);
    }
    let chunk = Chunk { seed: SEED, number: 1, trials: CHUNK };
    let (trials, _) = kernel::trials(plan, chunk).ok_or("not written out")?;
    let mut weights = BTreeMap::new();
    for trial in trials {
        *weights.entry(ended(trial)).or_default() += 1;
    }
    Played { weights, whole: CHUNK.into() }.resolved()
}

/// What is asked of each trial.
pub(crate) enum Quantity {
    /// Whether each of these measures lies between two values, both included.
    Share(Vec<(Measure, i64, i64)>),
    /// How large a measure is.
    Mean(Measure),
}

/// The result, or the record at this position.
type Measure = Option<usize>;

impl Quantity {
    /// Reads `mean(result)`, `P(break)`, `P(1..4)`, `P(casualty is yes and loss is 2+)`.
    pub(crate) fn read(text: &str, plan: &Plan) -> Result<Self, String> {
        let (word, thing) = text.trim_end_matches(')').split_once('(').ok_or("no bracket")?;
        if word == "mean" {
            return Ok(Self::Mean(measure(thing, plan)?.0));
        }
        let conditions = thing.split(" and ").map(|condition| {
            let (name, set) = condition.split_once(" is ").unwrap_or(("result", condition));
            let (measure, ty) = measure(name, plan)?;
            let (low, high) = ends(set, |end| plan.rules.value_of(ty, end))?;
            Ok((measure, low, high))
        });
        conditions.collect::<Result<_, String>>().map(Self::Share)
    }
}

fn measure(name: &str, plan: &Plan) -> Result<(Measure, Type), String> {
    if name == "result" {
        return Ok((None, plan.rules.tests[plan.entry.0].result));
    }
    let (position, ty) = record(plan, name).ok_or_else(|| format!("no record `{name}`"))?;
    Ok((Some(position), ty))
}

/// The smallest and the largest value of `4`, `4+`, `..4`, `4..6`.
fn ends(set: &str, value: impl Fn(&str) -> Option<i32>) -> Result<(i64, i64), String> {
    let value = |end: &str| value(end).map(i64::from).ok_or_else(|| format!("no value `{end}`"));
    let end = |end: &str, open: i64| if end.is_empty() { Ok(open) } else { value(end) };
    if let Some(low) = set.strip_suffix('+') {
        return Ok((value(low)?, i64::MAX));
    }
    match set.split_once("..") {
        Some((low, high)) => Ok((end(low, i64::MIN)?, end(high, i64::MAX)?)),
        None => value(set).map(|only| (only, only)),
    }
}

fn value_of(trial: &Trial, measure: Measure) -> Option<i64> {
    match measure {
        None => trial.0.map(i64::from),
        Some(position) => trial.1.get(position).copied().flatten(),
    }
}

impl Played {
    /// An error if any trial was left unresolved: the caps of these cases are out of reach.
    fn resolved(self) -> Result<Self, String> {
        let unresolved: u128 =
            self.weights.iter().filter(|((result, _), _)| result.is_none()).map(|(_, weight)| weight).sum();
        if unresolved == 0 { Ok(self) } else { Err(format!("{unresolved}/{} unresolved", self.whole)) }
    }

    /// What the quantity is of each way to end, and the weight of that way.
    fn values(&self, quantity: &Quantity) -> Result<Vec<(i64, u128)>, String> {
        let value = |(trial, weight): (&Trial, &u128)| {
            let value = match quantity {
                Quantity::Mean(measure) => value_of(trial, *measure).ok_or("a trial without the measure")?,
                Quantity::Share(conditions) => i64::from(conditions.iter().all(|(measure, low, high)| {
                    value_of(trial, *measure).is_some_and(|value| (*low..=*high).contains(&value))
                })),
            };
            Ok((value, *weight))
        };
        self.weights.iter().map(value).collect()
    }

    /// The mean of a quantity (the share of trials, where it is a condition), as a fraction.
    pub(crate) fn mean(&self, quantity: &Quantity) -> Result<(i128, i128), String> {
        let values = self.values(quantity)?;
        let sum = values.iter().map(|(value, weight)| i128::from(*value) * *weight as i128).sum();
        Ok((sum, self.whole as i128))
    }

    /// How surprising the sample is if the quantity is `expected`: by chance it is this far to one side with probability
    /// at most exp(-surprise).
    ///
    /// **Source:** for a share the bound of Chernoff and Hoeffding (1963, theorem 1), trials times the divergence of the
    /// observed share from the expected one, which holds for every share and number of trials. For a mean the bound of a
    /// normal tail, z²/2, with the variance of the sample: 65,536 trials of these cases are enough for that.
    pub(crate) fn surprise(&self, quantity: &Quantity, expected: f64) -> Result<f64, String> {
        let values = self.values(quantity)?;
        let trials = self.whole as f64;
        let average = |function: &dyn Fn(f64) -> f64| -> f64 {
            values.iter().map(|(value, weight)| function(*value as f64) * *weight as f64).sum::<f64>()
                / trials
        };
        let mean = average(&|value| value);
        if let Quantity::Share(_) = quantity {
            return Ok(trials * divergence(mean, expected));
        }
        if mean == expected {
            return Ok(0.0); // it may be always the same
        }
        let variance = average(&|value| (value - mean).powi(2));
        Ok((mean - expected).powi(2) * trials / variance / 2.0)
    }
}

/// The divergence of one share from another.
fn divergence(observed: f64, expected: f64) -> f64 {
    let part = |observed: f64, expected: f64| {
        if observed == 0.0 { 0.0 } else { observed * libm::log(observed / expected) }
    };
    part(observed, expected) + part(1.0 - observed, 1.0 - expected)
}

#[test]
fn a_share_is_as_surprising_as_it_is_rare() {
    let of_trials = |held: u128| Played {
        weights: BTreeMap::from([((Some(1), vec![]), held), ((Some(0), vec![]), 200_000 - held)]),
        whole: 200_000,
    };
    let yes = Quantity::Share(vec![(None, 1, 1)]);
    let surprise = |held, expected| of_trials(held).surprise(&yes, expected).unwrap();
    assert_eq!(surprise(50_000, 0.25), 0.0);
    // Five standard deviations of 193.6 trials: 25 / 2.
    assert!((surprise(50_968, 0.25) - 12.5).abs() < 0.1);
    // None of 200,000: (1 - p)^n.
    assert!((surprise(0, 1e-4) - 20.001).abs() < 0.001);
    assert!(surprise(1, 0.0).is_infinite());
}
