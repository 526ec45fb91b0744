//! What the author expects to find, beside what was found, and whether the one can be the other.

use super::{quantity, table};
use crate::analyse::{ALARM, Analysis, Exactly, Finding};
use crate::plan::Unsolved;
use crate::report::unsolved::reason;
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
    let found: Vec<_> = analysis.expects.iter().collect();
    let exactly = match found.iter().any(|found| found.exact.is_some()) {
        true => " What is found exactly must be that very value; of what is sampled, \"missed\"",
        false => " \"Missed\"",
    };
    format!(
        "## What is expected\n\n{}{exactly} means that chance alone does not carry the figure so far: where all \
         values are right, one or more in the whole run are called missed with a probability of at most {ALARM}.\
         {limits}\n\n{}",
        score(&found),
        table(&heading, &rows)
    )
}

/// How many are met, and a line for each that is not, or that is not decided.
pub(super) fn in_short(scenario: &Scenario, found: &[Result<Option<&Finding>, &Unsolved>]) -> Vec<String> {
    if found.is_empty() {
        return Vec::new();
    }
    let decided: Vec<&Finding> = found.iter().filter_map(|one| one.ok().flatten()).collect();
    let both = scenario.expects.iter().zip(found);
    let lines = both.filter_map(|(expect, found)| {
        Some(match found {
            Ok(Some(found)) if found.met => return None,
            Ok(Some(found)) => format!(
                "Missed: {}: found {}.{}",
                at(scenario, expect),
                self::found(expect, found),
                rounded(expect, found)
            ),
            Ok(None) => format!(
                "Not decided: {}: the limit is not known exactly; `houserule run` samples it.",
                at(scenario, expect)
            ),
            Err(why) => format!(
                "Not decided: {}: not solved, {}; `houserule run` samples it.",
                at(scenario, expect),
                reason(why)
            ),
        })
    });
    let score = (!decided.is_empty()).then(|| score(&decided));
    score.into_iter().chain(lines).collect()
}

/// `P(break) = 3/36 in modified (disordered)`
fn at(scenario: &Scenario, expect: &Expect) -> String {
    let place = if expect.place.is_empty() { String::new() } else { format!(" ({})", expect.place) };
    format!("{} in {}{place}", expected(scenario, expect), scenario.variants[expect.variant].name)
}

/// What is expected where, and what was found.
pub(in crate::report) fn in_words(
    scenario: &Scenario,
    expect: &Expect,
    finding: &Finding,
) -> (String, String) {
    let found = format!("found {}.{}", found(expect, finding), rounded(expect, finding));
    (at(scenario, expect), if finding.met { found } else { format!("{found} Source: {}", expect.source) })
}

/// What to do about a decimal that is not the exact value.
fn rounded(expect: &Expect, found: &Finding) -> &'static str {
    let decimal = expect.value.contains(['.', '%']) && found.exact.is_some();
    if decimal { " A rounded value is never the exact one: write a fraction." } else { "" }
}

fn score(found: &[&Finding]) -> String {
    let exact = found.iter().filter(|one| one.exact.is_some()).count();
    let met = found.iter().filter(|one| one.met).count();
    let [met, of, exactly, sampled] =
        [met, found.len(), exact, found.len() - exact].map(|number| thousands(number as u64));
    let how = match exact {
        0 => String::new(),
        _ if exact == found.len() => " Decided exactly: all.".to_owned(),
        _ => format!(" Decided exactly: {exactly}; by sampling: {sampled}."),
    };
    format!("Expected values that are met: {met} of {of}.{how}")
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

/// The figure, exactly where that is known.
fn found(expect: &Expect, finding: &Finding) -> String {
    if let Some(exact) = &finding.exact {
        return found_exactly(expect, exact);
    }
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

/// `exactly 1/12 (8.3 %)`
fn found_exactly(expect: &Expect, exact: &Exactly) -> String {
    let Some(figure) = &exact.figure else { return "that no trial has it".to_owned() };
    let text = figure.to_string();
    let word = if text.contains('.') { "nearly" } else { "exactly" };
    match &expect.quantity {
        Quantity::Probability(_) if !exact.open.is_zero() => {
            format!("{word} {text} to {}", figure.plus(&exact.open))
        }
        Quantity::Probability(_) => format!("{word} {text} ({} %)", percent(figure.value())),
        Quantity::Mean(_) => format!("{word} {text} ({:.4})", figure.value()),
        Quantity::Quantile(..) => format!("{word} {text}"),
    }
}
