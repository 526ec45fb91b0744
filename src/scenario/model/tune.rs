//! The search for values, checked: which factors are varied, and what is wanted.
//!
//! **Never:** how it is done.

use super::{Claim, Quantity, ResultSet, Results, Scenario, Side};
use crate::rules::FactorId;

/// Factors of a variant whose values are sought.
#[derive(Clone, PartialEq, Debug)]
pub struct Tune {
    /// Position of the variant.
    pub variant: usize,
    /// What is varied, as written; every combination is tried.
    pub vary: Vec<Varied>,
    /// What is to be brought about.
    pub targets: Vec<Claim>,
}

impl Tune {
    /// How many combinations of values there are.
    pub fn combinations(&self) -> usize {
        self.vary.iter().map(|varied| varied.values.len()).product()
    }

    /// A combination by its number, the last factor fastest: for each factor, the position of its value.
    pub fn positions(&self, mut number: usize) -> Vec<usize> {
        let mut positions = vec![0; self.vary.len()];
        for (position, varied) in positions.iter_mut().zip(&self.vary).rev() {
            *position = number % varied.values.len();
            number /= varied.values.len();
        }
        positions
    }

    /// Further figures of the variant, by which one sees what else a change does: each named result (of numbers the
    /// mean), the mean of each record that is a number and the share of "yes" of each that is a flag, less those that
    /// targets ask for.
    pub fn moved(&self, scenario: &Scenario) -> Vec<Quantity> {
        let measures = scenario.measures.iter().enumerate();
        let own = measures.filter(|(_, known)| known.variants[self.variant].is_some());
        let of = |(measure, known): (usize, &super::Measure)| -> Vec<Quantity> {
            let share = |key: usize| {
                let (key, text) = (key as i64, known.name.clone());
                Quantity::Probability(ResultSet { measure, text, spans: vec![(key, key)] })
            };
            match &known.results {
                Results::Numbers => vec![Quantity::Mean(measure)],
                Results::Named(named) if !known.is_record() => (0..named.len()).map(share).collect(),
                Results::Named(named) if named.iter().map(|value| &*value.name).eq(["no", "yes"]) => {
                    vec![share(1)]
                }
                Results::Named(_) => Vec::new(),
            }
        };
        own.flat_map(of).filter(|quantity| !self.asks_for(quantity)).collect()
    }

    /// Whether a target asks for this figure of the variant, however it is written.
    fn asks_for(&self, quantity: &Quantity) -> bool {
        let same = |known: &Quantity| match (known, quantity) {
            (Quantity::Probability(one), Quantity::Probability(other)) => {
                (one.measure, &one.spans) == (other.measure, &other.spans)
            }
            _ => known == quantity,
        };
        let asks =
            |side: &Side| matches!(side, Side::Quantity(known, of) if *of == self.variant && same(known));
        self.targets.iter().flat_map(Claim::sides).any(asks)
    }
}

/// A factor that is varied.
#[derive(Clone, PartialEq, Debug)]
pub struct Varied {
    /// Its name.
    pub name: String,
    /// Its name in reports.
    pub label: String,
    /// The variant's factor; of a list of units, each unit's own.
    pub factors: Vec<FactorId>,
    /// The values that are tried.
    pub values: Vec<i32>,
    /// The name of each value.
    pub names: Vec<String>,
    /// The name of the value that it has as the variant is written; of units that differ, of each.
    pub now: String,
}
