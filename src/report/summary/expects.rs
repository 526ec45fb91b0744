//! What the author expects to find, beside what was found, and whether the one can be the other.

use super::{quantity, table};
use crate::analyse::{ALARM, Analysis, Finding};
use crate::report::words::{percent, thousands};
use crate::scenario::{Expect, Quantity, Scenario};

/// A table of all expectations; empty where nothing is expected.
pub(super) fn expects(scenario: &Scenario, analysis: &Analysis, names: &[String]) -> String {
    if scenario.expects.is_empty() {
        return String::new();
    }
    let heading = ["Variant", "Situation", "Expected", "Found", "Verdict", "Source"].map(str::to_owned);
    let both = scenario.expects.iter().zip(&analysis.expects);
    let rows: Vec<Vec<String>> = both.map(|(expect, found)| row(scenario, names, expect, found)).collect();
    let limits = match scenario.expects.iter().any(|expect| expect.limit) {
        true => {
            " A limit is met where it lies between what was found and the same with all trials that did not end."
        }
        false => "",
    };
    format!(
        "## What is expected\n\n{} \"Missed\" means that chance alone does not carry the figure so far: where all \
         values are right, one or more in the whole run are called missed with a probability of at most {ALARM}.\
         {limits}\n\n{}",
        score(analysis),
        table(&heading, &rows)
    )
}

/// How many are met, and a line for each that is not.
pub(super) fn in_short(scenario: &Scenario, analysis: &Analysis) -> Vec<String> {
    if analysis.expects.is_empty() {
        return Vec::new();
    }
    let both = scenario.expects.iter().zip(&analysis.expects).filter(|(_, found)| !found.met);
    let line = |(expect, finding): (&Expect, &Finding)| {
        let place = if expect.place.is_empty() { String::new() } else { format!(" ({})", expect.place) };
        format!(
            "Missed: {} in {}{place}: found {}.",
            expected(scenario, expect),
            scenario.variants[expect.variant].name,
            found(expect, finding)
        )
    };
    std::iter::once(score(analysis)).chain(both.map(line)).collect()
}

fn score(analysis: &Analysis) -> String {
    let (all, met) = (analysis.expects.len(), analysis.expects.iter().filter(|one| one.met).count());
    let [met, of] = [met, all].map(|number| thousands(number as u64));
    format!("Expected values that are met: {met} of {of}.")
}

fn row(scenario: &Scenario, names: &[String], expect: &Expect, finding: &Finding) -> Vec<String> {
    let in_grid = (0..scenario.situations.len())
        .find(|at| scenario.assignment(expect.variant, *at) == expect.situation);
    let situation = match in_grid {
        Some(at) => names[at].clone(),
        None if expect.place.is_empty() => "The defaults (not in the grid)".to_owned(),
        None => format!("{} (not in the grid)", expect.place),
    };
    vec![
        scenario.variants[expect.variant].name.clone(),
        situation,
        expected(scenario, expect),
        found(expect, finding),
        if finding.met { "met" } else { "**missed**" }.to_owned(),
        expect.source.clone(),
    ]
}

/// `P(break) = 3/36`
fn expected(scenario: &Scenario, expect: &Expect) -> String {
    let limit = if expect.limit { " (limit)" } else { "" };
    format!("{} = {}{limit}", quantity(scenario, &expect.quantity), expect.value)
}

/// The sampled figure.
fn found(expect: &Expect, finding: &Finding) -> String {
    let Some(figure) = finding.figure else { return "no trial has it".to_owned() };
    match (&expect.quantity, finding.interval) {
        (Quantity::Probability(_), _) if finding.open > 0.0 => {
            format!("{} % to {} %", percent(figure), percent(figure + finding.open))
        }
        (Quantity::Probability(_), Some((low, high))) => {
            format!("{} % ({} to {})", percent(figure), percent(low), percent(high))
        }
        (Quantity::Mean(_), Some((low, high))) => format!("{figure:.4} ({low:.4} to {high:.4})"),
        _ => figure.to_string(),
    }
}
