//! The largest differences, and the figures of single situations.
//!
//! In: estimates and comparisons. Out: a list, and a table.
//!
//! **Never:** claims.

use super::{ROWS, table};
use crate::analyse::{Analysis, Comparison, exact_share};
use crate::plan::Probability;
use crate::report::extract::said;
use crate::report::groups::{group_name, groups};
use crate::report::marks::{below, marked};
use crate::report::telling::{Telling, mean_of, mixed, share_of};
use crate::report::words::{counted, lower_first, percent, points, result_label, thousands};
use crate::scenario::{Results, Scenario};
use std::collections::BTreeSet;

/// How many rows are shown where there are more than [`ROWS`].
const LARGEST: usize = 10;

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

/// A comparison, and its difference where that is known exactly.
type Known<'a> = (&'a Comparison, Option<&'a Probability>);

/// Whether a comparison tells both sides apart: for certain, or by its p-value.
fn told(analysis: &Analysis, (one, exact): &Known) -> bool {
    exact.map_or(one.p_adjusted < 1.0 - analysis.level, |exact| !exact.is_zero())
}

fn against_baseline(scenario: &Scenario, analysis: &Analysis, names: &[String], variant: usize) -> String {
    let exact = |at: usize| analysis.differences.get(at).and_then(Option::as_ref);
    let all = analysis.comparisons.iter().enumerate().map(|(at, one)| (one, exact(at)));
    let ours: Vec<Known> = all.filter(|(one, _)| one.variant == variant).collect();
    let places = |which: &dyn Fn(&Known) -> bool| -> BTreeSet<usize> {
        ours.iter().filter(|one| which(one)).map(|(one, _)| one.situation).collect()
    };
    let (apart, same) = (places(&|one| told(analysis, one)), places(&|one| one.0.same_rules));
    let open = places(&|one| one.1.is_none() && !one.0.same_rules);
    let solved = names.len() - same.len() - open.len();
    let alike =
        (0..names.len()).filter(|at| ![&apart, &same, &open].iter().any(|those| those.contains(at))).count();
    let rest = names.len() - apart.len() - same.len() - alike;
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
    if alike > 0 {
        text += &format!("; in {} other rules come to the same", thousands(alike as u64));
    }
    if rest > 0 {
        text += &format!("; in {} the figures do not tell them apart", thousands(rest as u64));
    }
    text += match (solved, open.len()) {
        (0, _) => ".\n",
        (_, 0) => ". All of this is exact: both sides are solved in every situation.\n",
        _ => ".",
    };
    if solved > 0 && !open.is_empty() {
        text += &format!(" In {} both sides are solved, and this is exact.\n", thousands(solved as u64));
    }
    match scenario.main().results {
        Results::Named(_) => {
            let main: Vec<Known> = ours.into_iter().filter(|(one, _)| one.measure == 0).collect();
            text += &format!("\n{}", outcomes(scenario, analysis, names, &main));
        }
        Results::Numbers => text += &means(scenario, analysis, variant),
    }
    text
}

/// What a draft changes about the mean.
fn means(scenario: &Scenario, analysis: &Analysis, variant: usize) -> String {
    let at = (0..variant).filter(|one| *one != analysis.baseline).count();
    let all = said::changes(scenario, analysis, Telling::Mean);
    all.get(at).map_or_else(String::new, |line| format!("\n- {line}\n"))
}

/// One line for each outcome that differs anywhere, the largest difference first.
fn outcomes(scenario: &Scenario, analysis: &Analysis, names: &[String], ours: &[Known]) -> String {
    let keys: BTreeSet<i64> = ours.iter().map(|(one, _)| one.key).collect();
    let mut lines: Vec<(f64, String)> = Vec::new();
    for key in keys {
        let apart: Vec<Known> =
            ours.iter().filter(|one| one.0.key == key && told(analysis, one)).copied().collect();
        let largest = apart.iter().map(size).fold(0.0, f64::max);
        if !apart.is_empty() {
            lines.push((largest, outcome(analysis, &result_label(scenario.main(), key), names, &apart)));
        }
    }
    lines.sort_by(|a, b| b.0.total_cmp(&a.0));
    lines.into_iter().map(|(_, line)| line).collect()
}

/// The difference, exact where it is known.
fn difference((one, exact): &Known) -> f64 {
    exact.map_or(one.difference, Probability::value)
}

fn size(known: &Known) -> f64 {
    difference(known).abs()
}

fn outcome(analysis: &Analysis, label: &str, names: &[String], apart: &[Known]) -> String {
    let more: Vec<Known> = apart.iter().filter(|one| difference(one) > 0.0).copied().collect();
    let less: Vec<Known> = apart.iter().filter(|one| difference(one) < 0.0).copied().collect();
    let direction = |word: &str, found: &[Known]| {
        // of equal ones the first in the grid
        let largest = found.iter().rev().max_by(|a, b| size(a).total_cmp(&size(b)))?;
        let places = counted(found.len(), "situation", "situations");
        Some(format!("{word} often in {places}, {}", change(analysis, largest, names)))
    };
    let sentences: Vec<String> =
        [direction("more", &more), direction("less", &less)].into_iter().flatten().collect();
    format!("- **{label}**: {}.\n", sentences.join("; "))
}

/// The longest fraction that stands in a sentence, in characters.
const FRACTION: usize = 20;

/// A largest change in words.
fn change(analysis: &Analysis, known: &Known, names: &[String]) -> String {
    let (one, exact) = known;
    let share = |variant: usize, sampled: f64| {
        let answer = analysis.cells[variant][one.situation].answer.as_ref().ok();
        let share = answer.and_then(|answer| exact_share(&answer.measures[one.measure])(one.key));
        percent(share.filter(|_| exact.is_some()).map_or(sampled, |share| share.value()))
    };
    let sure = match exact.map(|exact| (exact.to_string(), exact.value())) {
        None => format!("difference {} to {}", points(one.low, 2), points(one.high, 2)),
        Some((text, _)) if text.len() <= FRACTION => format!("difference exactly {text}"),
        Some((_, value)) => format!("difference {}, worked out", points(value, 4)),
    };
    format!(
        "by up to {} points: from {} % to {} % for {} ({sure})",
        points(size(known), 1).trim_start_matches('+'),
        share(analysis.baseline, one.baseline.probability),
        share(one.variant, one.estimate.probability),
        lower_first(&names[one.situation]),
    )
}

/// The probability of the last outcome (of numbers: the mean) in every situation; where there are many, in those that
/// do not play alike, and where these are many too, in those where it differs most.
pub(super) fn situations(scenario: &Scenario, analysis: &Analysis, names: &[String]) -> String {
    let main = scenario.main();
    let title = match &main.results {
        Results::Named(named) => named
            .last()
            .map_or_else(String::new, |last| format!("Probability of *{}*, in percent", last.label)),
        Results::Numbers => format!("Mean {}", main.label),
    };
    let mut heading = vec!["Situation".to_owned()];
    heading.extend(scenario.variants.iter().map(|variant| variant.name.clone()));
    let others = (0..scenario.variants.len()).filter(|variant| *variant != analysis.baseline);
    heading.extend(others.map(|variant| format!("{} differs by", scenario.variants[variant].name)));
    let (shown, note) = shown(scenario, analysis);
    let marks = marks(analysis, &shown);
    let row = |group: &(usize, usize)| {
        let mut cells = vec![group_name(names, *group)];
        cells.extend(figures(scenario, analysis, group.0, marks));
        cells
    };
    let rows: Vec<_> = shown.iter().map(row).collect();
    format!("## {title}\n\n{note}{}{}", table(&heading, &rows), below(marks))
}

/// Whether figures that were counted are marked in these rows, as others are exact.
pub(super) fn marks(analysis: &Analysis, shown: &[(usize, usize)]) -> bool {
    mixed(analysis.cells.iter().flat_map(|cells| shown.iter().map(|group| &cells[group.0])))
}

/// The rows of that table, and what must be said of them.
pub(super) fn shown(scenario: &Scenario, analysis: &Analysis) -> (Vec<(usize, usize)>, String) {
    let all: Vec<usize> = (0..scenario.situations.len()).collect();
    if all.len() <= ROWS {
        return (all.into_iter().map(|situation| (situation, 0)).collect(), String::new());
    }
    let variants: Vec<usize> = (0..scenario.variants.len()).collect();
    let mut shown = groups(analysis, &variants, &all);
    let alike = "Situations in which the same rules are left to play share a row; all are in `results.csv`.";
    let total = shown.len();
    if total <= ROWS {
        return (shown, format!("{alike}\n\n"));
    }
    let size = |situation: usize| {
        let value = |variant: usize| figure(scenario, analysis, variant, situation).unwrap_or(0.0);
        variants.iter().map(|variant| (value(*variant) - value(analysis.baseline)).abs()).fold(0.0, f64::max)
    };
    shown.sort_by(|a, b| size(b.0).total_cmp(&size(a.0)));
    shown.truncate(LARGEST);
    let which = if variants.len() > 1 { "in which it differs most" } else { "that come first" };
    (shown, format!("The {LARGEST} of {total} rows {which}. {alike}\n\n"))
}

/// The probability of the last outcome, or the mean, exactly where it is known; `None` where no trial ended.
fn figure(scenario: &Scenario, analysis: &Analysis, variant: usize, situation: usize) -> Option<f64> {
    let cell = &analysis.cells[variant][situation];
    match &scenario.main().results {
        Results::Named(named) => share_of(cell, 0, named.len() as i64 - 1),
        Results::Numbers => mean_of(cell, 0),
    }
}

/// One figure for each variant, then one difference for each but the baseline; with `marks` those that were counted are
/// marked.
fn figures(scenario: &Scenario, analysis: &Analysis, situation: usize, marks: bool) -> Vec<String> {
    let named = matches!(scenario.main().results, Results::Named(_));
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
    let counted = |variant: usize| marks && analysis.cells[variant][situation].answer.is_err();
    let variants = || 0..scenario.variants.len();
    let texts = variants().map(|one| marked(text(one), counted(one)));
    let others = variants().filter(|one| *one != analysis.baseline);
    texts
        .chain(others.map(|one| marked(difference(one), counted(one) || counted(analysis.baseline))))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::tests as example;
    use crate::report::words::situations;

    /// The table of single situations, without what lines columns up.
    fn table(scenario: &Scenario, analysis: &Analysis) -> String {
        let text = super::situations(scenario, analysis, &situations(scenario));
        text.replace("  ", "").replace(" |", "|").replace("| ", "|")
    }

    #[test]
    fn among_exact_figures_those_that_were_counted_are_marked() {
        let (scenario, mut analysis) = example::half_solved();
        let text = table(&scenario, &analysis);
        // of 40 trials 10 break; what arithmetic gives is a fifth
        assert!(
            text.contains("|Not disordered|20.0|≈25.0|≈+5.0|\n|Disordered|≈25.0|≈25.0|≈0.0|\n"),
            "{text}"
        );
        assert!(
            text.ends_with("|\n\nA figure behind ≈ was counted in trials; the others are exact.\n"),
            "{text}"
        );
        let solved = analysis.cells[0][0].answer.clone();
        analysis.cells.iter_mut().flatten().for_each(|cell| cell.answer = solved.clone());
        assert!(!table(&scenario, &analysis).contains('≈'), "all are exact");
        let (scenario, analysis) = example::recorded();
        assert!(!table(&scenario, &analysis).contains('≈'), "all are counted");
    }
}
