//! What is known exactly of one plan, measure by measure.

use super::{Distribution, Limit, Probability, Solution};
use crate::rules::Span;
use crate::scenario::{Measure, Measured};
use std::collections::BTreeMap;

/// What is known exactly of one plan.
#[derive(Clone, PartialEq, Debug)]
pub struct Answer {
    /// For each of [`crate::scenario::Scenario::measures`].
    pub measures: Vec<Weights>,
    /// For each combination of the values of [`crate::scenario::Scenario::joint`], its probability.
    pub joint: BTreeMap<Vec<Option<i64>>, Probability>,
    /// The probability of a trial that does not end.
    pub unresolved: Probability,
    /// What the rules come to without the tool's patience, where that can be said and is not the same.
    pub limit: Option<Unlimited>,
}

/// What a plan comes to without the tool's patience.
#[derive(Clone, PartialEq, Debug)]
pub struct Unlimited {
    /// For each of [`crate::scenario::Scenario::measures`]; `None` where that cannot be said.
    pub measures: Vec<Option<Weights>>,
    /// How many passes a trial makes on average through each capped loop that stands in no other, by its place.
    pub rounds: BTreeMap<Span, Probability>,
}

/// How probable each value of one measure is in all trials.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Weights {
    /// Whether only some trials have it and are counted: so it is with a record.
    pub partial: bool,
    /// The numbers, or positions in [`crate::scenario::Results::Named`], each with its probability among all trials.
    pub weights: Distribution,
}

impl Answer {
    /// A solution of one variant's plan (position in [`Measure::variants`]) by the scenario's measures; `joint` names
    /// those whose combinations were followed.
    pub fn new(solution: &Solution, measures: &[Measure], joint: &[usize], variant: usize) -> Self {
        let of = |measure: &Measure| {
            let measured = measure.variants[variant].as_ref();
            measured.map(|measured| solution.weights(measured)).unwrap_or_default()
        };
        let limit = |limit: &Limit| {
            let of = |measure: &Measure| match &measure.variants[variant] {
                Some(measured) => limit.weights(measured, solution),
                None => Some(Weights::default()),
            };
            Unlimited { measures: measures.iter().map(of).collect(), rounds: limit.rounds.clone() }
        };
        let together = |(values, weight): (&Vec<Option<i64>>, &Probability)| {
            (super::sample::keys(values, measures, joint, variant), weight.clone())
        };
        Self {
            measures: measures.iter().map(of).collect(),
            joint: solution.joint.iter().map(together).collect(),
            unresolved: solution.unresolved.clone().unwrap_or(Probability::ZERO),
            limit: solution.limit.as_deref().map(limit),
        }
    }
}

impl Solution {
    fn weights(&self, measured: &Measured) -> Weights {
        let known = match measured.record {
            None => Some(&self.result),
            Some(record) => self.records.get(&record),
        };
        Weights::new(measured, known)
    }
}

impl Limit {
    /// `None` where a record that trials may have is not known here.
    fn weights(&self, measured: &Measured, solution: &Solution) -> Option<Weights> {
        let known = match measured.record {
            None => Some(&self.result),
            Some(record) => self.records.get(&record),
        };
        let never = measured.record.is_some_and(|record| !solution.records.contains_key(&record));
        (known.is_some() || never).then(|| Weights::new(measured, known))
    }
}

impl Weights {
    fn new(measured: &Measured, known: Option<&Distribution>) -> Self {
        let keyed = known.into_iter().flatten().map(|(value, weight)| (measured.key(*value), weight.clone()));
        Self { partial: measured.record.is_some(), weights: keyed.collect() }
    }
}
