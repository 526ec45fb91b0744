//! The rows and columns of figures that a run is shown by where there is little room: a terminal, a post.
//!
//! In: the question and what the counts say. Out: cells of text for some situations, each variant in each; and what must
//! be said of them.
//!
//! **Never:** how wide anything is.

pub(super) mod said;

use super::groups::group_name;
use super::marks::marked;
use super::telling::{Change, Telling, mean_of, mixed, quantile_of, share_of};
use super::words::{is_flag, percent};
use crate::analyse::{Analysis, Cell};
use crate::scenario::{Measure, Named, Results, Scenario};

/// How many results and records have a column of their own.
const COLUMNS: usize = 6;

/// A column: what stands above it, and how to write its figure of a cell.
type Column<'a> = (String, Box<dyn Fn(&Cell) -> String + 'a>);

/// One line of figures: a variant in a situation.
pub(super) struct Line {
    /// The variant's name.
    pub(super) variant: String,
    /// A figure for each column.
    pub(super) figures: Vec<String>,
    /// How long the bar is, a fraction in 0..=1.
    pub(super) bar: f64,
    /// What the variant changes; nothing for the baseline.
    pub(super) change: Option<Change>,
    /// The same in words; empty for the baseline.
    pub(super) words: String,
}

/// What is shown.
pub(super) struct Extract {
    /// What stands above each column; the last is the one that the bar shows.
    pub(super) headings: Vec<String>,
    /// The rows: situations, with the number of those that play alike.
    pub(super) rows: Vec<(usize, usize)>,
    /// How many rows there would be.
    pub(super) total: usize,
    /// The lines of each row, a variant each.
    pub(super) lines: Vec<Vec<Line>>,
    /// In what the variants are compared, and with which of them, where there are several.
    pub(super) against: Option<(String, String)>,
    /// The figure of the bar.
    pub(super) telling: Telling,
    /// How many results and records have no column.
    pub(super) left_out: usize,
    /// Whether figures that were counted are marked, as others are exact.
    pub(super) marks: bool,
}

impl Extract {
    /// At most so many rows, those in which most changes.
    pub(super) fn new(scenario: &Scenario, analysis: &Analysis, most: usize) -> Self {
        let telling = Telling::of(scenario, analysis);
        let (rows, total) = telling.rows(analysis, most);
        let (columns, left_out) = columns(scenario, analysis, telling);
        let several = scenario.variants.len() > 1;
        let changes = telling.changes(analysis);
        let cells = || rows.iter().flat_map(|row| analysis.cells.iter().map(|cells| &cells[row.0]));
        let whole = match telling {
            Telling::Share(_) => 1.0,
            Telling::Mean => cells().filter_map(|cell| telling.value(cell)).fold(0.0, f64::max),
        };
        let marks = mixed(cells());
        let line = |variant: usize, situation: usize| {
            let [cell, other] =
                [variant, analysis.baseline].map(|variant| &analysis.cells[variant][situation]);
            let [counted, either] = [&[cell][..], &[cell, other]]
                .map(|cells| marks && cells.iter().any(|cell| cell.answer.is_err()));
            let is_draft = several && variant != analysis.baseline;
            let change = is_draft.then(|| changes[variant][situation]);
            let words = change.map_or_else(String::new, |change| said::change_text(telling, change));
            Line {
                variant: scenario.variants[variant].name.clone(),
                figures: columns.iter().map(|(_, figure)| marked(figure(cell), counted)).collect(),
                bar: telling.value(cell).map_or(0.0, |value| (value / whole).clamp(0.0, 1.0)),
                change,
                words: marked(words, either),
            }
        };
        let of =
            |row: &(usize, usize)| (0..analysis.cells.len()).map(|variant| line(variant, row.0)).collect();
        Self {
            lines: rows.iter().map(of).collect(),
            headings: columns.iter().map(|(heading, _)| heading.clone()).collect(),
            rows,
            total,
            against: several
                .then(|| (telling.label(scenario), scenario.variants[analysis.baseline].name.clone())),
            telling,
            left_out,
            marks,
        }
    }

    /// What a row is called; `names` are those of the situations.
    pub(super) fn name(&self, names: &[String], row: usize) -> String {
        group_name(names, self.rows[row])
    }
}

/// Shares of the results, the last and worst ones if there are many; of numbers where they lie, and their mean; then
/// records as far as there is room. And how many results and records are left out.
fn columns<'a>(scenario: &'a Scenario, analysis: &'a Analysis, telling: Telling) -> (Vec<Column<'a>>, usize) {
    let main = scenario.main();
    let mut columns: Vec<Column> = match &main.results {
        Results::Named(named) => results(named, analysis, telling),
        Results::Numbers if main.is_record() => vec![told(scenario, telling)],
        Results::Numbers => spread().into_iter().chain([told(scenario, telling)]).collect(),
    };
    let results = match &main.results {
        Results::Named(named) => named.len(),
        Results::Numbers => columns.len(),
    };
    let all = results + scenario.measures.iter().skip(1).filter(|measure| measure.is_record()).count();
    let room = COLUMNS.saturating_sub(columns.len());
    columns.extend(records(scenario).into_iter().take(room));
    let left_out = all - columns.len();
    if analysis.cells.iter().flatten().any(|cell| cell.sample.unresolved > 0) {
        let counted = |cell: &Cell| cell.sample.unresolved as f64 / cell.sample.trials as f64;
        let share = move |cell: &Cell| {
            let exact = cell.answer.as_ref().map(|answer| answer.unresolved.value());
            percent(exact.unwrap_or_else(|_| counted(cell)))
        };
        columns.push(("Unresolved".to_owned(), Box::new(share)));
    }
    (columns, left_out)
}

/// The figure that tells most.
fn told<'a>(scenario: &Scenario, telling: Telling) -> Column<'a> {
    let figure = move |cell: &Cell| {
        telling.value(cell).map_or_else(|| "none".to_owned(), |value| telling.written(value))
    };
    (telling.label(scenario), Box::new(figure))
}

/// The results in their order: all, if there is room; else the one that tells most, and the last of those that come up.
fn results<'a>(named: &'a [Named], analysis: &'a Analysis, telling: Telling) -> Vec<Column<'a>> {
    let comes_up = |key: i64| {
        analysis.cells.iter().flatten().any(|cell| share_of(cell, 0, key).is_some_and(|share| share > 0.0))
    };
    let room = named.len() <= COLUMNS;
    let tells = |key: &i64| telling == Telling::Share(*key);
    let keys: Vec<i64> = (0..named.len() as i64).filter(|key| room || comes_up(*key) || tells(key)).collect();
    let (early, late) = keys.split_at(keys.len().saturating_sub(COLUMNS));
    let first = early.iter().copied().find(tells);
    let late = late.iter().skip(usize::from(first.is_some()));
    let keys: Vec<i64> = first.into_iter().chain(late.copied()).collect();
    let column = |key: i64| -> Column<'a> {
        let share = move |cell: &Cell| share_of(cell, 0, key).map_or_else(|| "none".to_owned(), percent);
        (named[key as usize].label.clone(), Box::new(share))
    };
    keys.into_iter().map(column).collect()
}

/// Where numbers lie.
fn spread<'a>() -> Vec<Column<'a>> {
    let column = |(label, level): (&str, f64)| -> Column<'a> {
        let value = move |cell: &Cell| {
            quantile_of(cell, 0, level).map_or_else(String::new, |value| value.to_string())
        };
        (label.to_owned(), Box::new(value))
    };
    [("5\u{a0}%", 0.05), ("Median", 0.5), ("95\u{a0}%", 0.95)].into_iter().map(column).collect()
}

/// The records that are numbers, by their means, and the flags, by the share of "yes"; without the one that the bar shows.
fn records(scenario: &Scenario) -> Vec<Column<'_>> {
    let column = |(at, measure): (usize, &Measure)| -> Option<Column<'_>> {
        match &measure.results {
            Results::Numbers => {
                let mean = move |cell: &Cell| {
                    mean_of(cell, at).map_or_else(String::new, |mean| format!("{mean:.2}"))
                };
                Some((measure.label.clone(), Box::new(mean)))
            }
            Results::Named(named) if is_flag(named) => {
                let share =
                    move |cell: &Cell| share_of(cell, at, 1).map_or_else(|| "none".to_owned(), percent);
                Some((format!("{} %", measure.label), Box::new(share)))
            }
            Results::Named(_) => None,
        }
    };
    let records = scenario.measures.iter().enumerate().skip(1).filter(|(_, measure)| measure.is_record());
    records.filter_map(column).collect()
}
