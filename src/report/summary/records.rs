//! What trials record: a table of means and shares.
//!
//! In: the question and what the counts say. Out: a table with a line for each situation and variant.
//!
//! **Never:** comparisons.

use super::{figures, table};
use crate::analyse::{Analysis, Cell};
use crate::report::groups::group_name;
use crate::report::marks::{below, marked};
use crate::report::telling::{having, mean_of, share_of};
use crate::report::words::{is_flag, percent, thousands, upper_first};
use crate::scenario::{Measure, Results, Scenario};

/// How many records have a column.
const COLUMNS: usize = 8;

/// The table; empty where there are no records.
pub(super) fn records(scenario: &Scenario, analysis: &Analysis, names: &[String]) -> String {
    let all = scenario.measures.iter().enumerate().filter(|(_, measure)| measure.is_record());
    let all: Vec<(usize, &Measure)> = all.collect();
    let columns = &all[..all.len().min(COLUMNS)];
    if columns.is_empty() {
        return String::new();
    }
    let (shown, note) = figures::shown(scenario, analysis);
    let marks = figures::marks(analysis, &shown);
    let mut heading = vec!["Situation".to_owned(), "Variant".to_owned()];
    heading.extend(columns.iter().map(|(_, measure)| title(measure)));
    let mut rows = Vec::new();
    for group in &shown {
        for (variant, cells) in analysis.cells.iter().enumerate() {
            let mut row = vec![group_name(names, *group), scenario.variants[variant].name.clone()];
            let cell = &cells[group.0];
            let mark = marks && cell.answer.is_err();
            row.extend(columns.iter().map(|(at, measure)| figure(*at, measure, cell, mark)));
            rows.push(row);
        }
    }
    let left = match all.len() - columns.len() {
        0 => String::new(),
        left => format!(" {} more are in `results.csv` and `measures.csv`.", thousands(left as u64)),
    };
    format!(
        "## What was recorded\n\nMeans; of flags the share of yes; of names the most frequent. In brackets: the share of \
         trials that have it, where not all do.{left}\n\n{note}{}{}",
        table(&heading, &rows),
        below(marks)
    )
}

fn title(measure: &Measure) -> String {
    match &measure.results {
        Results::Named(named) if is_flag(named) => format!("{}, %", upper_first(&measure.label)),
        _ => upper_first(&measure.label),
    }
}

/// The mean, or a share; of names the most frequent with its share. With `mark` it is marked as counted.
fn figure(at: usize, measure: &Measure, cell: &Cell, mark: bool) -> String {
    let having = having(cell, at);
    if having.is_nan() || having == 0.0 {
        return "never".to_owned();
    }
    let text = match &measure.results {
        Results::Numbers => mean_of(cell, at).map(|mean| marked(format!("{mean:.2}"), mark)),
        Results::Named(named) if is_flag(named) => {
            share_of(cell, at, 1).map(|share| marked(percent(share), mark))
        }
        Results::Named(named) => {
            let share = |key: usize| Some((&named[key].label, share_of(cell, at, key as i64)?));
            // of equally frequent ones the first
            let most = (0..named.len()).rev().filter_map(share).max_by(|a, b| a.1.total_cmp(&b.1));
            most.map(|(label, share)| format!("{label} {} %", marked(percent(share), mark)))
        }
    };
    let text = text.unwrap_or_default();
    if having < 1.0 { format!("{text} ({} %)", marked(percent(having), mark)) } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::tests as example;
    use crate::report::words::situations;

    #[test]
    fn what_is_solved_is_told_exactly_and_what_was_counted_is_marked() {
        let (mut scenario, analysis) = example::half_solved();
        let table = |scenario: &Scenario| {
            let text = records(scenario, &analysis, &situations(scenario));
            text.replace("  ", "").replace(" |", "|").replace("| ", "|")
        };
        // exactly 3 of 5 rout, and 5 of 20 record it; of 40 trials 12 record it, and 3 of these rout
        let text = table(&scenario);
        assert!(text.contains("|original|0.00|60.0 (25.0 %)|"), "{text}");
        assert!(text.contains("|modified|≈0.50|≈25.0 (≈30.0 %)|"), "{text}");
        assert!(
            text.ends_with("|\n\nA figure behind ≈ was counted in trials; the others are exact.\n"),
            "{text}"
        );
        // of names the most frequent
        if let Results::Named(named) = &mut scenario.measures[2].results {
            (named[0].name, named[0].label) = ("stood".to_owned(), "Stood".to_owned());
        }
        let text = table(&scenario);
        assert!(text.contains("|original|0.00|yes 60.0 % (25.0 %)|"), "{text}");
        assert!(text.contains("|modified|≈0.50|Stood ≈75.0 % (≈30.0 %)|"), "{text}");
    }
}
