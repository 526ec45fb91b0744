//! Whether drafts are ever worse, in words.
//!
//! In: what the analysis says of the order of outcomes and numbers. Out: a sentence for each draft and measure.
//!
//! **Never:** single probabilities.

use crate::analyse::{Analysis, Order, Standing};
use crate::report::words::{counted, list, lower_first, points, result_label, thousands};
use crate::scenario::{Results, Scenario};
use std::collections::BTreeMap;

/// How many measures are spoken of.
const MEASURES: usize = 6;

/// A paragraph with a line for each draft and measure; empty where nothing has an order.
pub(super) fn orders(scenario: &Scenario, analysis: &Analysis, names: &[String]) -> String {
    let lines: Vec<String> = groups(analysis)
        .filter(|group| group[0].measure < MEASURES)
        .map(|group| {
            format!("- {}{}\n", sentence(scenario, analysis, &group, "**"), example(scenario, &group, names))
        })
        .collect();
    if lines.is_empty() {
        return String::new();
    }
    let level = 100.0 - analysis.level * 100.0;
    let sampled = analysis.orders.iter().filter(|order| !order.exact).count();
    let sampled = match sampled {
        0 => "All of this is exact.".to_owned(),
        some => format!(
            "{} of {} verdicts are told by counts; that any of these is wrong has a probability of at most {level:.0} %. \
             All others are exact.",
            thousands(some as u64),
            thousands(analysis.orders.len() as u64),
        ),
    };
    format!(
        "## Never worse?\n\nA draft is never worse where each result or a better one comes up at least as often. \
         {sampled}\n\n{}",
        lines.concat()
    )
}

/// One line for each draft, of what the test gives.
pub(super) fn in_short(scenario: &Scenario, analysis: &Analysis) -> Vec<String> {
    let main = groups(analysis).filter(|group| group[0].measure == 0);
    main.map(|group| sentence(scenario, analysis, &group, "")).collect()
}

/// The orders of each draft and measure.
fn groups(analysis: &Analysis) -> impl Iterator<Item = Vec<&Order>> {
    let mut of: BTreeMap<(usize, usize), Vec<&Order>> = BTreeMap::new();
    for order in &analysis.orders {
        of.entry((order.variant, order.measure)).or_default().push(order);
    }
    of.into_values()
}

/// How often each verdict was given.
fn sentence(scenario: &Scenario, analysis: &Analysis, group: &[&Order], bold: &str) -> String {
    let measure = &scenario.measures[group[0].measure];
    let numbers = measure.results == Results::Numbers;
    let (worse, better) =
        if numbers { ("never less", "never more") } else { ("never worse", "never better") };
    let count = |verdict: Standing| group.iter().filter(|order| order.verdict == verdict).count();
    let parts = [
        (Standing::NeverWorse, worse),
        (Standing::NeverBetter, better),
        (Standing::Mixed, "mixed"),
        (Standing::Same, "the same"),
        (Standing::Open, "not to be told"),
    ];
    let parts: Vec<String> = parts
        .into_iter()
        .filter(|(verdict, _)| count(*verdict) > 0)
        .map(|(verdict, words)| format!("{words} in {}", thousands(count(verdict) as u64)))
        .collect();
    let what = if measure.is_record() { format!("`{}` in ", measure.name) } else { String::new() };
    let name = |variant: usize| format!("{bold}{}{bold}", scenario.variants[variant].name);
    format!(
        "Of {}, {what}{} is against {}: {}.",
        counted(group.len(), "situation", "situations"),
        name(group[0].variant),
        name(analysis.baseline),
        list(&parts)
    )
}

/// Where it is mixed most.
fn example(scenario: &Scenario, group: &[&Order], names: &[String]) -> String {
    let size = |order: &Order| Some(order.ahead?.1.min(order.behind?.1));
    let mixed = group.iter().filter(|order| order.verdict == Standing::Mixed);
    let most = mixed.rev().max_by(|a, b| size(a).unwrap_or(0.0).total_cmp(&size(b).unwrap_or(0.0)));
    let Some((order, (ahead, more), (behind, less))) =
        most.and_then(|order| Some((order, order.ahead?, order.behind?)))
    else {
        return String::new();
    };
    let measure = &scenario.measures[order.measure];
    let numbers = measure.results == Results::Numbers;
    let label = |key: i64| match (numbers, key) {
        (true, _) => format!("*{key}* or more"),
        (false, 0) => format!("*{}*", result_label(measure, key)),
        _ => format!("*{}* or better", result_label(measure, key)),
    };
    format!(
        " Mixed most: {}, with {} more often ({} points) and {} less often ({} points).",
        lower_first(&names[order.situation]),
        label(ahead),
        points(more, 1),
        label(behind),
        points(-less, 1),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyse::Sense;
    use crate::report::tests as example;

    #[test]
    fn verdicts_are_counted_and_the_most_mixed_is_told() {
        let scenario = example::scenario();
        let mut analysis = example::analysis(&scenario);
        analysis.relate(&[Some(Sense::BestFirst(vec![0, 1, 2, 3, 4]))]);
        let line = &in_short(&scenario, &analysis)[0];
        // cavalry plays by the same rules; infantry holds less often, and breaks less often
        assert_eq!(line, "Of 40 situations, modified is against original: mixed in 20 and the same in 20.");
        let text = orders(&scenario, &analysis, &crate::report::words::situations(&scenario));
        assert!(text.contains("20 of 40 verdicts are told by counts; that any of these is wrong"), "{text}");
        assert!(text.contains(" Mixed most: infantry, "), "{text}");
    }

    #[test]
    fn of_numbers_nothing_is_called_better() {
        let scenario = example::numbers();
        let mut analysis = example::analysis(&scenario);
        analysis.relate(&[Some(Sense::HighestFirst)]);
        let line = &in_short(&scenario, &analysis)[0];
        // one more on every roll of infantry
        assert_eq!(
            line,
            "Of 40 situations, modified is against original: never less in 20 and the same in 20."
        );
    }
}
