//! What changes a figure most: a page to read, a table for programs, and a chart's numbers.
//!
//! In: the effects of changes. Out: text of at most 80 columns; a table; a figure.
//!
//! **Never:** which change is the largest.

use super::chart::{Bar, Bars, Caption};
use super::columns::{WIDTH, columns};
use super::terminal::{shortened, wrapped};
use super::words::{counted, figure, signed, thousands, upper_first};
use crate::analyse::{Effect, Sensitivity, Sort, Subject};
use crate::results::Table;
use crate::scenario::Scenario;

/// So many reasons why something cannot be moved are shown.
const REASONS: usize = 8;

/// The page: the largest `most` effects, and what cannot be moved.
pub fn page(scenario: &Scenario, found: &Sensitivity, most: usize) -> String {
    let unit = if found.is_share { "percentage points" } else { "units" };
    let called = &scenario.variants[found.variant].name;
    let told = figure(scenario, &found.figure).replace(['“', '”'], "\"");
    let over = counted(found.situations, "situation", "situations");
    let mut lines = wrapped(&format!("What changes {told} in {called}, by {unit}: the mean over {over}."));
    lines.push(String::new());
    let moving: Vec<&(Subject, Effect)> =
        found.effects.iter().filter(|(_, effect)| !effect.is_nothing()).collect();
    let shown: Vec<&(Subject, Effect)> = moving.iter().copied().take(most).collect();
    lines.extend(table_lines(found, &shown));
    let mut text = String::from("From, to: the least and the most in any situation.");
    if shown.iter().any(|(_, effect)| effect.interval.is_some()) {
        text += &format!(
            " After +-: {} % intervals of what is not solved, from {} trials each, seed {}.",
            found.level * 100.0,
            thousands(scenario.trials),
            scenario.seed
        );
    }
    if moving.len() > shown.len() {
        text += &format!(
            " {} not shown.",
            counted(moving.len() - shown.len(), "smaller one is", "smaller ones are")
        );
    }
    let still = found.effects.len() - moving.len();
    if still > 0 {
        text += &format!(" {}.", counted(still, "change makes no difference", "changes make no difference"));
    }
    lines.extend(wrapped(&text));
    lines.extend(fixed(found));
    lines.iter().map(|line| format!("{line}\n")).collect()
}

fn table_lines(found: &Sensitivity, shown: &[&(Subject, Effect)]) -> Vec<String> {
    if shown.is_empty() {
        return vec!["Nothing that can be changed makes a difference.".to_owned()];
    }
    let sampled = shown.iter().any(|(_, effect)| effect.interval.is_some());
    let scale = scale(found);
    let figures = |effect: &Effect| {
        let mut cells = vec![signed(effect.mean * scale, 2)];
        if sampled {
            let half = effect.interval.map(|(low, high)| (high - low) / 2.0 * scale);
            cells.push(half.map_or_else(String::new, |half| format!("+-{half:.2}")));
        }
        cells.extend([signed(effect.range.0 * scale, 2), signed(effect.range.1 * scale, 2)]);
        cells
    };
    let mut heading = ["line", "what", "change", "mean"].map(str::to_owned).to_vec();
    heading.extend(sampled.then(String::new));
    heading.extend(["from", "to"].map(str::to_owned));
    let rows: Vec<Vec<String>> = shown
        .iter()
        .map(|(subject, effect)| {
            let line = if subject.sort == Sort::Grid { String::new() } else { subject.place.1.to_string() };
            [vec![line, what(subject), subject.change.clone()], figures(effect)].concat()
        })
        .collect();
    // what is changed gives way
    for room in (8..=WIDTH).rev() {
        let short = |row: &Vec<String>| {
            let mut row = row.clone();
            (row[1], row[2]) = (shortened(&row[1], room), shortened(&row[2], room.max(27)));
            row
        };
        if let Some(lines) = columns(&heading, &rows.iter().map(short).collect::<Vec<_>>(), 3) {
            return lines;
        }
    }
    rows.iter().map(|row| row.join("  ")).collect()
}

/// What is changed: of a row of a chart its keys, with the chart's name.
fn what(subject: &Subject) -> String {
    match subject.sort {
        Sort::Row => format!("{}: {}", subject.piece, subject.label),
        _ => subject.label.clone(),
    }
}

/// What cannot be moved, by the reasons.
fn fixed(found: &Sensitivity) -> Vec<String> {
    let mut reasons: Vec<(&str, Vec<String>)> = Vec::new();
    for (subject, why) in &found.fixed {
        let place = match subject.sort {
            Sort::Row => format!("line {} {}", subject.place.1, subject.change),
            _ => format!("{} ({})", subject.label, subject.change),
        };
        match reasons.iter_mut().find(|(known, _)| known == why) {
            Some((_, places)) => places.push(place),
            None => reasons.push((why, vec![place])),
        }
    }
    let mut lines = Vec::new();
    if !reasons.is_empty() {
        lines.extend([String::new(), "Cannot be changed:".to_owned()]);
    }
    for (why, places) in reasons.iter().take(REASONS) {
        lines.extend(wrapped(&format!("- {}: {why}", places.join(", "))));
    }
    if reasons.len() > REASONS {
        lines.push("and more; --out FILE.csv writes all.".to_owned());
    }
    lines
}

/// In how many of a reader's units a difference of 1 is.
fn scale(found: &Sensitivity) -> f64 {
    if found.is_share { 100.0 } else { 1.0 }
}

/// The table: `variant`, `figure`, `sort` (`modifier`, `row`, `factor`, `grid`), `piece`, `label`, `file`, `line`,
/// `change`, `mean`, `low`, `high` (of the interval; empty where the mean is exact), `least`, `most` (in any situation;
/// all of these in percentage points, of means in units), `situations`, `exact`, `why_not` (why it cannot be changed).
pub fn table(scenario: &Scenario, all: &[Sensitivity]) -> Table {
    type Row<'a> = (&'a Sensitivity, &'a Subject, Result<&'a Effect, &'a str>);
    let mut rows: Vec<Row> = Vec::new();
    for found in all {
        rows.extend(found.effects.iter().map(|(subject, effect)| (found, subject, Ok(effect))));
        rows.extend(found.fixed.iter().map(|(subject, why)| (found, subject, Err(why.as_str()))));
    }
    let mut table = Table::default();
    let known = |row: &Row, value: fn(&Effect) -> Option<f64>| Some(value(row.2.ok()?)? * scale(row.0));
    table.text("variant", &rows, |row| scenario.variants[row.0.variant].name.clone());
    table.text("figure", &rows, |row| row.0.figure.clone());
    table.text("sort", &rows, |row| sort(row.1.sort).to_owned());
    table.text("piece", &rows, |row| Some(row.1.piece.clone()).filter(|piece| !piece.is_empty()));
    table.text("label", &rows, |row| row.1.label.clone());
    table.text("file", &rows, |row| row.1.place.0.clone());
    table.count("line", &rows, |row| row.1.place.1 as u64);
    table.text("change", &rows, |row| row.1.change.clone());
    table.real("mean", &rows, |row| known(row, |effect| Some(effect.mean)));
    table.real("low", &rows, |row| known(row, |effect| effect.interval.map(|ends| ends.0)));
    table.real("high", &rows, |row| known(row, |effect| effect.interval.map(|ends| ends.1)));
    table.real("least", &rows, |row| known(row, |effect| Some(effect.range.0)));
    table.real("most", &rows, |row| known(row, |effect| Some(effect.range.1)));
    table.text("situations", &rows, |row| row.2.ok().map(|effect| effect.situations.to_string()));
    let exact = |effect: &Effect| if effect.interval.is_none() { "yes" } else { "no" }.to_owned();
    table.text("exact", &rows, |row| row.2.ok().map(exact));
    table.text("why_not", &rows, |row| row.2.err().map(str::to_owned));
    table
}

fn sort(sort: Sort) -> &'static str {
    match sort {
        Sort::Modifier => "modifier",
        Sort::Row => "row",
        Sort::Factor => "factor",
        Sort::Grid => "grid",
    }
}

/// A picture shows so many bars.
const BARS: usize = 20;

/// The largest effects as bars.
pub(super) fn bars(scenario: &Scenario, found: &Sensitivity, title: Option<&str>) -> Bars {
    let moving = found.effects.iter().filter(|(_, effect)| !effect.is_nothing());
    let (called, scale) = (scenario.variants[found.variant].name.replace('_', " "), scale(found));
    let all = moving.clone().count();
    let bar = |(subject, effect): &(Subject, Effect)| Bar {
        heading: String::new(),
        label: what(subject),
        detail: match subject.sort {
            Sort::Grid => subject.change.clone(),
            _ => format!("{}: {} line {}", subject.change, subject.place.0, subject.place.1),
        },
        figure: signed(effect.mean * scale, 2).replace('-', "−"),
        value: effect.mean * scale,
        low: effect.range.0 * scale,
        high: effect.range.1 * scale,
    };
    let over = counted(found.situations, "situation", "situations");
    let sampled = found.effects.iter().any(|(_, effect)| effect.interval.is_some());
    let how = match sampled {
        true => format!("Some from {} trials each, seed {}", thousands(scenario.trials), scenario.seed),
        false => "Solved exactly".to_owned(),
    };
    let left = if all > BARS {
        format!("; {} smaller ones are in sensitivity.csv", all - BARS)
    } else {
        String::new()
    };
    let unit = if found.is_share { " points" } else { "" };
    let told = figure(scenario, &found.figure);
    let finding = match moving.clone().next() {
        Some((subject, effect)) => {
            let by = signed(effect.mean * scale, 2).replace('-', "−");
            format!("“{}” changes {told} in {called} most: {by}{unit} on average", what(subject))
        }
        None => format!("Nothing changes {told} in {called}"),
    };
    let how_changed = "each line of the rules and each factor is changed in turn";
    Bars {
        caption: Caption {
            title: title.unwrap_or(&finding).to_owned(),
            subtitle: match title {
                Some(_) => format!("{finding}; {how_changed}"),
                None => upper_first(how_changed),
            },
            note: format!("{how}{left}. Made with houserule."),
        },
        about: format!("Bars: the mean over {over}. Thin lines: from the least to the most in any of them."),
        x_label: if found.is_share { "change in percentage points" } else { "change" }.to_owned(),
        bars: moving.take(BARS).map(bar).collect(),
    }
}
