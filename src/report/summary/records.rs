//! What trials record: a table of means and shares.
//!
//! In: the question and what the counts say. Out: a table with a line for each situation and variant.
//!
//! **Never:** comparisons.

use super::{figures, table};
use crate::analyse::{Analysis, Cell};
use crate::report::groups::group_name;
use crate::report::telling::{mean_of, share_of};
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
    let mut heading = vec!["Situation".to_owned(), "Variant".to_owned()];
    heading.extend(columns.iter().map(|(_, measure)| title(measure)));
    let mut rows = Vec::new();
    for group in &shown {
        for (variant, cells) in analysis.cells.iter().enumerate() {
            let mut row = vec![group_name(names, *group), scenario.variants[variant].name.clone()];
            row.extend(columns.iter().map(|(at, measure)| figure(*at, measure, &cells[group.0])));
            rows.push(row);
        }
    }
    let left = match all.len() - columns.len() {
        0 => String::new(),
        left => format!(" {} more are in `results.csv` and `measures.csv`.", thousands(left as u64)),
    };
    format!(
        "## What was recorded\n\nMeans; of flags the share of yes; of names the most frequent. In brackets: the share of \
         trials that have it, where not all do.{left}\n\n{note}{}",
        table(&heading, &rows)
    )
}

fn title(measure: &Measure) -> String {
    match &measure.results {
        Results::Named(named) if is_flag(named) => format!("{}, %", upper_first(&measure.label)),
        _ => upper_first(&measure.label),
    }
}

/// The mean, or a share; of names the most frequent with its share.
fn figure(at: usize, measure: &Measure, cell: &Cell) -> String {
    let counts = &cell.sample.measures[at];
    if counts.trials == 0 {
        return "never".to_owned();
    }
    let text = match &measure.results {
        Results::Numbers => mean_of(cell, at).map_or_else(String::new, |mean| format!("{mean:.2}")),
        Results::Named(named) if is_flag(named) => share_of(cell, at, 1).map_or_else(String::new, percent),
        Results::Named(named) => {
            // of equally frequent ones the first
            let most = cell.estimates[at].iter().rev().max_by_key(|(_, one)| one.count);
            let named = |key: i64| usize::try_from(key).ok().and_then(|key| named.get(key));
            most.and_then(|(key, one)| Some(format!("{} {} %", named(*key)?.label, percent(one.probability))))
                .unwrap_or_default()
        }
    };
    let ended = cell.sample.trials - cell.sample.unresolved;
    match counts.trials < ended {
        true => format!("{text} ({} %)", percent(counts.trials as f64 / ended as f64)),
        false => text,
    }
}
