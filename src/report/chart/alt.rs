//! Pictures in words, for whoever cannot see them: what is drawn, and its most telling figures.
//!
//! In: a figure. Out: a few sentences.
//!
//! **Never:** how a picture looks.

use super::super::words::{counted, list};
use super::words::told;
use super::{Bars, Columns, Curve, Flows, Heat, Outcomes, Share, heat as cells};

/// So many panels are told of one by one.
const PANELS: usize = 6;
/// So many bars are told of one by one.
const BARS: usize = 5;

/// Stacked shares in words.
pub(super) fn outcomes(figure: &Outcomes) -> String {
    let mut text = format!(
        "Stacked bars: the share of each outcome, from best to worst {}, under {}, in {}{}.",
        list(&figure.outcomes),
        list(&figure.variants),
        counted(figure.situations.len(), "situation", "situations"),
        in_panels(figure.panels.iter().map(|panel| &panel.title)),
    );
    let last = figure.outcomes.last().map_or("", String::as_str);
    for (at, variant) in figure.variants.iter().enumerate() {
        let bars = figure.panels.iter().flat_map(|panel| panel.shares.iter());
        let worst = bars.filter_map(|bars| bars.get(at)?.as_ref()?.last());
        if let Some(range) = range(worst.map(|part| part.share)) {
            text += &format!(" {last} under {variant}: {range}.");
        }
    }
    text
}

/// Lines in words.
pub(super) fn curve(figure: &Curve) -> String {
    let titles = figure.panels.iter().map(|panel| &panel.title);
    let mut text = format!(
        "Lines: {} by {}, under {}{}.",
        figure.y_label,
        figure.x_label,
        list(&figure.variants),
        in_panels(titles)
    );
    for panel in figure.panels.iter().take(PANELS) {
        let lines = figure.variants.iter().zip(&panel.points).filter_map(|(variant, points)| {
            let first = points.iter().min_by_key(|point| point.x)?;
            let last = points.iter().max_by_key(|point| point.x)?;
            let from = format!("{variant} {} at {}", told(first.share), first.x);
            Some(if first == last { from } else { format!("{from}, {} at {}", told(last.share), last.x) })
        });
        text += &told_of(&panel.title, &lines.collect::<Vec<_>>().join("; "));
    }
    text
}

/// Ribbons in words.
pub(super) fn flows(figure: &Flows) -> String {
    let titles = figure.panels.iter().map(|panel| &panel.title);
    let mut text = format!(
        "Ribbons from the outcome under one draft to that under another on the same dice{}.",
        in_panels(titles)
    );
    let outcome = |at: usize| figure.outcomes.get(at).map_or("unresolved", String::as_str);
    for panel in figure.panels.iter().take(PANELS) {
        let same: f64 = panel.shares.iter().enumerate().map(|(at, row)| row[at].value).sum();
        let mut parts = vec![format!("the same under both {}", told(Share::exactly(same)))];
        let cells =
            panel.shares.iter().enumerate().flat_map(|(from, row)| {
                row.iter().enumerate().map(move |(to, share)| (from, to, share.value))
            });
        let changed = cells.filter(|(from, to, share)| from != to && *share > 0.0);
        if let Some((from, to, share)) = changed.max_by(|a, b| a.2.total_cmp(&b.2)) {
            let share = told(Share::exactly(share));
            parts.push(format!("most often changed: {} to {}, {share}", outcome(from), outcome(to)));
        }
        let names = panel.names.join(" and ");
        text += &told_of(&panel.title, &format!("{names}: {}", parts.join("; ")));
    }
    text
}

/// Bars in words.
pub(super) fn bars(figure: &Bars) -> String {
    let mut text = format!("Bars: {}, {}.", figure.x_label, counted(figure.bars.len(), "row", "rows"));
    let mut heading = "";
    for bar in figure.bars.iter().take(BARS) {
        heading = if bar.heading.is_empty() { heading } else { &bar.heading };
        let name = [heading, &bar.label, &bar.detail];
        let name: Vec<&str> = name.into_iter().filter(|text| !text.is_empty()).collect();
        text += &format!(" {}: {}.", name.join(", "), bar.figure);
    }
    text
}

/// Fields of colour in words.
pub(super) fn heat(figure: &Heat) -> String {
    let mut text = format!(
        "Fields of colour: {}, by {} down the side ({}) and {} along the bottom ({}){}.",
        figure.scale_label,
        named(&figure.rows_label),
        list(&figure.rows),
        named(&figure.columns_label),
        list(&figure.columns),
        in_panels(figure.panels.iter().map(|panel| &panel.title))
    );
    for panel in figure.panels.iter().take(PANELS) {
        let places = panel.cells.iter().zip(&figure.rows).flat_map(|(cells, row)| {
            let columns = cells.iter().zip(&figure.columns);
            columns.filter_map(move |(cell, column)| Some((cell.as_ref()?, row, column)))
        });
        let mut all: Vec<(&Share, &String, &String)> = places.collect();
        all.sort_by(|one, other| one.0.value.total_cmp(&other.0.value));
        let Some((first, last)) = all.first().zip(all.last()) else { continue };
        let told = |(cell, row, column): &(&Share, &String, &String)| {
            format!("{} at {row}, {column}", cells::told(figure.tint, cell))
        };
        let words = match first.0.value == last.0.value {
            true => format!("{} throughout", cells::told(figure.tint, first.0)),
            false => format!("lowest {}; highest {}", told(first), told(last)),
        };
        text += &told_of(&panel.title, &words);
    }
    text
}

/// Columns in words.
pub(super) fn columns(figure: &Columns) -> String {
    let titles = figure.panels.iter().map(|panel| &panel.title);
    let mut text = format!(
        "Columns: {} by {}, under {}{}.",
        figure.y_label,
        figure.x_label,
        list(&figure.variants),
        in_panels(titles)
    );
    for panel in figure.panels.iter().take(PANELS) {
        let each = figure.variants.iter().zip(&panel.shares).zip(&panel.means);
        let told = each.filter_map(|((variant, shares), mean)| {
            let mut all: Vec<(&Share, &String)> = shares.iter().zip(&figure.numbers).collect();
            all.sort_by(|one, other| one.0.value.total_cmp(&other.0.value));
            let (share, number) = all.last()?;
            let mean = mean.as_ref().map_or_else(String::new, |mean| format!("mean {}, ", mean.words));
            Some(format!("{variant} {mean}most often {number} with {}", told(**share)))
        });
        text += &told_of(&panel.title, &told.collect::<Vec<_>>().join("; "));
    }
    text
}

/// A factor's name, where it has one.
fn named(label: &str) -> &str {
    if label.is_empty() { "one factor" } else { label }
}

/// What is said of a panel.
fn told_of(title: &str, words: &str) -> String {
    if title.is_empty() { format!(" {words}.") } else { format!(" {title}: {words}.") }
}

/// `, in a panel for each of a, b and c`, where there are several.
fn in_panels<'a>(titles: impl Iterator<Item = &'a String>) -> String {
    let titles: Vec<String> = titles.cloned().collect();
    if titles.len() < 2 { String::new() } else { format!(", in a panel for each of {}", list(&titles)) }
}

/// From the least to the greatest of some shares.
fn range(shares: impl Iterator<Item = Share>) -> Option<String> {
    let mut all: Vec<Share> = shares.collect();
    all.sort_by(|a, b| a.value.total_cmp(&b.value));
    let (first, last) = (all.first()?, all.last()?);
    Some(match first.value == last.value {
        true => told(*first),
        false => format!("{} to {}", told(*first), told(*last)),
    })
}
