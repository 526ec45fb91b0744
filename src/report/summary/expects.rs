//! What the author expects to find, beside what was found.
//!
//! **Never:** a verdict.

use super::{quantity, table};
use crate::analyse::{Analysis, Estimate, estimate, mean, normal_quantile, quantile};
use crate::report::words::percent;
use crate::scenario::{Expect, Quantity, Scenario};

/// A table of all expectations; empty where nothing is expected.
pub(super) fn expects(scenario: &Scenario, analysis: &Analysis, names: &[String]) -> String {
    if scenario.expects.is_empty() {
        return String::new();
    }
    let heading = ["Variant", "Situation", "Expected", "Found", "Source"].map(str::to_owned);
    let rows: Vec<Vec<String>> =
        scenario.expects.iter().map(|one| row(scenario, analysis, names, one)).collect();
    format!("## What is expected\n\nFigures only; no verdict yet.\n\n{}", table(&heading, &rows))
}

fn row(scenario: &Scenario, analysis: &Analysis, names: &[String], expect: &Expect) -> Vec<String> {
    let variant = expect.variant;
    let place =
        (0..scenario.situations.len()).find(|at| scenario.assignment(variant, *at) == expect.situation);
    let (situation, found) = match place {
        Some(at) => (names[at].clone(), found(analysis, expect, at)),
        None => ("not in the grid".to_owned(), "not played".to_owned()),
    };
    let expected = format!("{} = {}", quantity(&expect.quantity), expect.value);
    vec![scenario.variants[variant].name.clone(), situation, expected, found, expect.source.clone()]
}

/// The sampled figure; of a probability with its interval.
fn found(analysis: &Analysis, expect: &Expect, situation: usize) -> String {
    let tally = &analysis.cells[expect.variant][situation].sample.tally;
    let number =
        |value: Option<f64>| value.map_or_else(|| "no number".to_owned(), |value| format!("{value:.4}"));
    match &expect.quantity {
        Quantity::Probability(set) => {
            let Estimate { probability, low, high, .. } =
                estimate(tally, |key| set.contains(key), normal_quantile(analysis.level));
            format!("{} % ({} to {})", percent(probability), percent(low), percent(high))
        }
        Quantity::Mean(_) => number(mean(tally)),
        Quantity::Quantile(_, level) => number(quantile(tally, *level).map(f64::from)),
    }
}
