//! The largest differences, and the figures of single situations.

use super::{ROWS, table};
use crate::analyse::{Analysis, Comparison, mean};
use crate::report::words::{counted, lower_first, percent, points, result_label, thousands};
use crate::scenario::{Results, Scenario};
use std::collections::BTreeSet;

/// What differs most, a paragraph and a list for each variant; empty where there is nothing to compare.
pub(super) fn in_short(scenario: &Scenario, analysis: &Analysis, names: &[String]) -> String {
    let variants = (0..scenario.variants.len()).filter(|variant| *variant != analysis.baseline);
    let parts: Vec<String> =
        variants.map(|variant| against_baseline(scenario, analysis, names, variant)).collect();
    if parts.is_empty() {
        String::new()
    } else {
        format!("## The largest differences\n\n{}", parts.join("\n"))
    }
}

fn against_baseline(scenario: &Scenario, analysis: &Analysis, names: &[String], variant: usize) -> String {
    let ours: Vec<&Comparison> = analysis.comparisons.iter().filter(|one| one.variant == variant).collect();
    let told = |one: &&&Comparison| one.p_adjusted < 1.0 - analysis.level;
    let apart: BTreeSet<usize> = ours.iter().filter(told).map(|one| one.situation).collect();
    let same: BTreeSet<usize> = ours.iter().filter(|one| one.same_rules).map(|one| one.situation).collect();
    let rest = names.len() - apart.len() - same.len();
    let mut text = format!(
        "**{}** and **{}** can be told apart in {} of {}",
        scenario.variants[variant].name,
        scenario.variants[analysis.baseline].name,
        thousands(apart.len() as u64),
        counted(names.len(), "situation", "situations"),
    );
    if !same.is_empty() {
        text += &format!("; in {} both play by the same rules", thousands(same.len() as u64));
    }
    if rest > 0 {
        text += &format!("; in {} the figures do not tell them apart", thousands(rest as u64));
    }
    text += ".\n\n";
    if let Results::Named(_) = scenario.results {
        text += &outcomes(scenario, analysis, names, &ours);
    }
    text
}

/// One line for each outcome that differs anywhere, the largest difference first.
fn outcomes(scenario: &Scenario, analysis: &Analysis, names: &[String], ours: &[&Comparison]) -> String {
    let keys: BTreeSet<i32> = ours.iter().map(|one| one.key).collect();
    let mut lines: Vec<(f64, String)> = Vec::new();
    for key in keys {
        let told = |one: &&&Comparison| one.key == key && one.p_adjusted < 1.0 - analysis.level;
        let apart: Vec<&Comparison> = ours.iter().filter(told).copied().collect();
        let largest = apart.iter().map(|one| one.difference.abs()).fold(0.0, f64::max);
        if !apart.is_empty() {
            lines.push((largest, outcome(&result_label(scenario, key), names, &apart)));
        }
    }
    lines.sort_by(|a, b| b.0.total_cmp(&a.0));
    lines.into_iter().map(|(_, line)| line).collect()
}

fn outcome(label: &str, names: &[String], apart: &[&Comparison]) -> String {
    let more: Vec<&Comparison> = apart.iter().filter(|one| one.difference > 0.0).copied().collect();
    let less: Vec<&Comparison> = apart.iter().filter(|one| one.difference < 0.0).copied().collect();
    let direction = |word: &str, found: &[&Comparison]| {
        let size = |one: &&&Comparison| one.difference.abs();
        // of equal ones the first in the grid
        let largest = found.iter().rev().max_by(|a, b| size(a).total_cmp(&size(b)))?;
        let places = counted(found.len(), "situation", "situations");
        Some(format!("{word} often in {places}, {}", change(largest, names)))
    };
    let sentences: Vec<String> =
        [direction("more", &more), direction("less", &less)].into_iter().flatten().collect();
    format!("- **{label}**: {}.\n", sentences.join("; "))
}

/// A largest change in words.
fn change(one: &Comparison, names: &[String]) -> String {
    format!(
        "by up to {} points: from {} % to {} % for {} (difference {} to {})",
        points(one.difference.abs(), 1).trim_start_matches('+'),
        percent(one.baseline.probability),
        percent(one.estimate.probability),
        lower_first(&names[one.situation]),
        points(one.low, 2),
        points(one.high, 2),
    )
}

/// The probability of the last outcome (of numbers: the mean) in every situation, or in those where it differs most.
pub(super) fn situations(scenario: &Scenario, analysis: &Analysis, names: &[String]) -> String {
    let all: Vec<usize> = (0..names.len()).collect();
    let shown = if names.len() <= ROWS { all } else { most_different(scenario, analysis) };
    let title = match &scenario.results {
        Results::Named(named) => named
            .last()
            .map_or_else(String::new, |last| format!("Probability of *{}*, in percent", last.label)),
        Results::Numbers => "Mean result".to_owned(),
    };
    let mut heading = vec!["Situation".to_owned()];
    heading.extend(scenario.variants.iter().map(|variant| variant.name.clone()));
    let others = (0..scenario.variants.len()).filter(|variant| *variant != analysis.baseline);
    heading.extend(others.map(|variant| format!("{} differs by", scenario.variants[variant].name)));
    let row = |situation: &usize| {
        let mut cells = vec![names[*situation].clone()];
        cells.extend(figures(scenario, analysis, *situation));
        cells
    };
    let rows: Vec<_> = shown.iter().map(row).collect();
    let left = names.len() - shown.len();
    let which = match left {
        0 => String::new(),
        _ if scenario.variants.len() > 1 => {
            format!(
                "The {} situations in which it differs most (of those that play alike, the first); all are in `results.csv`.\n\n",
                shown.len()
            )
        }
        _ => format!("The first {} situations; all are in `results.csv`.\n\n", shown.len()),
    };
    format!("## {title}\n\n{which}{}", table(&heading, &rows))
}

/// Positions of the ten situations whose figure differs most from the baseline's in any variant, the largest first; of
/// situations in which all variants play alike only the first.
fn most_different(scenario: &Scenario, analysis: &Analysis) -> Vec<usize> {
    let mut seen = BTreeSet::new();
    let mut all: Vec<usize> = (0..scenario.situations.len()).collect();
    all.retain(|situation| {
        seen.insert(analysis.cells.iter().map(|row| row[*situation].sample.id).collect::<Vec<_>>())
    });
    let size = |situation: usize| {
        let value = |variant: usize| figure(scenario, analysis, variant, situation).unwrap_or(0.0);
        (0..scenario.variants.len())
            .map(|variant| (value(variant) - value(analysis.baseline)).abs())
            .fold(0.0, f64::max)
    };
    all.sort_by(|a, b| size(*b).total_cmp(&size(*a)));
    all.truncate(10);
    all
}

/// The probability of the last outcome, or the mean; `None` where no trial ended.
fn figure(scenario: &Scenario, analysis: &Analysis, variant: usize, situation: usize) -> Option<f64> {
    let cell = &analysis.cells[variant][situation];
    match scenario.results {
        Results::Named(_) => cell.estimates.last().map(|(_, estimate)| estimate.probability),
        Results::Numbers => mean(&cell.sample.tally),
    }
}

/// One figure for each variant, then one difference for each but the baseline.
fn figures(scenario: &Scenario, analysis: &Analysis, situation: usize) -> Vec<String> {
    let named = matches!(scenario.results, Results::Named(_));
    let value = |variant: usize| figure(scenario, analysis, variant, situation);
    let id = |variant: usize| analysis.cells[variant][situation].sample.id;
    let text = |variant: usize| match value(variant) {
        Some(probability) if named => percent(probability),
        Some(mean) => format!("{mean:.2}"),
        None => "none".to_owned(),
    };
    let difference = |variant: usize| match (value(variant), value(analysis.baseline)) {
        _ if id(variant) == id(analysis.baseline) => "the same rules".to_owned(),
        (Some(ours), Some(theirs)) if named => points(ours - theirs, 1),
        (Some(ours), Some(theirs)) => format!("{:+.2}", ours - theirs),
        _ => String::new(),
    };
    let variants = || 0..scenario.variants.len();
    variants().map(text).chain(variants().filter(|one| *one != analysis.baseline).map(difference)).collect()
}
