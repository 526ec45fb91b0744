//! Two factors against the chance of an outcome, or against what a draft changes about it.
//!
//! **Never:** how colours look.

use super::super::chart::{Heat, HeatPanel, Share, Tint};
use super::super::words::{lower_first, percent, percent_of, situation_by};
use super::difference::{self, Change};
use super::{View, on_axis, value_in_words};

/// The chart of one variant.
pub(super) fn heat(view: &View) -> Option<Heat> {
    let (x, y) = (view.request.x?, view.request.y?);
    let [across, down] = [x, y].map(|factor| &view.scenario.factors[factor]);
    let used = |factor: usize| {
        let values = 0..view.scenario.factors[factor].values.len();
        let at = |value: &usize| view.rows.iter().any(|row| view.scenario.situations[*row][factor] == *value);
        values.filter(at).collect::<Vec<_>>()
    };
    let (columns, rows) = (used(x), used(y));
    let panels =
        view.request.panel.map_or_else(|| vec![None], |panel| used(panel).into_iter().map(Some).collect());
    let panel = |value: Option<usize>| HeatPanel {
        title: view.request.panel.zip(value).map_or_else(String::new, |(factor, value)| {
            value_in_words(&view.scenario.factors[factor], value)
        }),
        cells: rows
            .iter()
            .map(|row| columns.iter().map(|column| cell(view, (x, *column), (y, *row), value)).collect())
            .collect(),
    };
    let panels: Vec<HeatPanel> = panels.into_iter().map(panel).collect();
    let against = view.request.against_baseline;
    let label = |numeric: bool, label: &str| if numeric { label.to_owned() } else { String::new() };
    Some(Heat {
        caption: view.headed(finding(view), ""),
        scale_label: scale_label(view),
        about: about(view, &panels),
        tint: if against { Tint::Change } else { Tint::Amount },
        rows: rows.iter().map(|row| on_axis(down, *row)).collect(),
        rows_label: label(down.numeric, &down.label),
        columns: columns.iter().map(|column| on_axis(across, *column)).collect(),
        columns_label: label(across.numeric, &across.label),
        columns_are_numbers: across.numeric,
        panels,
    })
}

/// A factor and one of its values.
type At = (usize, usize);

/// What stands at a column and a row of a panel.
fn cell(view: &View, (x, column): At, (y, row): At, panel: Option<usize>) -> Option<Share> {
    let here = |at: &&usize| {
        let values = &view.scenario.situations[**at];
        let there = view.request.panel.map(|panel| values[panel]);
        values[x] == column && values[y] == row && there == panel
    };
    let situation = *view.rows.iter().find(here)?;
    let variant = view.request.variant;
    if view.request.against_baseline {
        let gap = Change::new(view, variant, (situation, 0))?.gap;
        return Some(Share { value: gap.value, low: gap.low, high: gap.high });
    }
    Some(view.asked(view.cell(variant, situation))).filter(|share| share.value.is_finite())
}

fn scale_label(view: &View) -> String {
    let (outcome, variants) = (view.outcome_in_words(), view.variants());
    let variant = &variants[view.request.variant];
    if view.request.against_baseline {
        let baseline = &variants[view.analysis.baseline];
        format!(
            "change in the chance of “{outcome}” under {variant} against {baseline}, in percentage points"
        )
    } else {
        format!("chance of “{outcome}” under {variant}, in percent")
    }
}

/// Whether every cell is known exactly.
fn all_exact(panels: &[HeatPanel]) -> bool {
    panels.iter().flat_map(|panel| panel.cells.iter().flatten().flatten()).all(|cell| cell.low == cell.high)
}

/// How surely the cells are known.
fn about(view: &View, panels: &[HeatPanel]) -> String {
    if all_exact(panels) {
        return String::new();
    }
    let percent = percent_of(view.analysis.level);
    let ring =
        if view.request.against_baseline { " A ring, and no colour: it may be no change." } else { "" };
    format!(
        "±: half the width of the {percent} % interval, where that changes the digits; ≈ where there is no room to say it.{ring}"
    )
}

/// What the colours show: the largest change, or from where to where the chance goes.
fn finding(view: &View) -> String {
    let variant = view.request.variant;
    if view.request.against_baseline {
        let changes = view.rows.iter().filter_map(|row| Change::new(view, variant, (*row, 0)));
        let places = [view.request.y, view.request.panel].into_iter().flatten().collect::<Vec<_>>();
        return difference::finding(view, &changes.collect::<Vec<_>>(), &places);
    }
    let share = |row: &usize| (view.asked(view.cell(variant, *row)).value, *row);
    let mut all: Vec<(f64, usize)> =
        view.rows.iter().map(share).filter(|(share, _)| share.is_finite()).collect();
    all.sort_by(|one, other| one.0.total_cmp(&other.0));
    let factors: Vec<usize> =
        [view.request.panel, view.request.y, view.request.x].into_iter().flatten().collect();
    let told = |(share, row): &(f64, usize)| {
        format!("{} % ({})", percent(*share), lower_first(&situation_by(view.scenario, &factors, *row)))
    };
    let (outcome, variants) = (view.outcome_in_words(), view.variants());
    match (all.first(), all.last()) {
        (Some(first), Some(last)) if first.0 < last.0 => {
            format!("“{outcome}” under {}: from {} to {}", variants[variant], told(first), told(last))
        }
        _ => format!("“{outcome}” under {}", variants[variant]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::tests::{analysis, scenario};
    use crate::scenario::{ChartKind, ChartRequest};

    /// Excess across, troops down, a panel for each attack; nobody is disordered.
    fn request(variant: usize, against_baseline: bool) -> ChartRequest {
        let rows = scenario().situations;
        ChartRequest {
            kind: ChartKind::Heat,
            x: Some(2),
            y: Some(0),
            panel: Some(1),
            variant,
            against_baseline,
            situations: (0..40).filter(|at| rows[*at][4] == 0).collect(),
            ..ChartRequest::default()
        }
    }

    #[test]
    fn each_field_is_the_chance_counted_by_hand() {
        let scenario = scenario();
        let analysis = analysis(&scenario);
        let request = request(0, false);
        let heat = heat(&View::new(&scenario, &analysis, &request).unwrap()).unwrap();
        assert_eq!(
            (heat.rows.join(" "), heat.columns.join(" ")),
            ("Infantry Cavalry".into(), "0 1 2 3 4".into())
        );
        let titles: Vec<&str> = heat.panels.iter().map(|panel| panel.title.as_str()).collect();
        assert_eq!((heat.tint, titles), (Tint::Amount, vec!["Shooting", "Hand-to-hand"]));
        // rolls of 36 that come to 4 + excess or less
        let hand = [6.0, 10.0, 15.0, 21.0, 26.0];
        for cells in heat.panels.iter().flat_map(|panel| &panel.cells) {
            let rolls: Vec<f64> = cells.iter().map(|cell| (cell.unwrap().value * 36.0).round()).collect();
            assert_eq!(rolls, hand);
            assert!(cells.iter().flatten().all(|cell| cell.low < cell.value && cell.value < cell.high));
        }
        assert_eq!(
            heat.caption.title,
            "“Break” under original: from 16.7 % (shooting, infantry, excess casualties 0) to 72.2 % (hand-to-hand, cavalry, excess casualties 4)"
        );
        assert_eq!(heat.caption.subtitle, "not disordered");
    }

    #[test]
    fn a_draft_is_set_against_the_baseline_field_by_field() {
        let scenario = scenario();
        let analysis = analysis(&scenario);
        let request = request(1, true);
        let heat = heat(&View::new(&scenario, &analysis, &request).unwrap()).unwrap();
        let row = |panel: usize, row: usize| -> Vec<f64> {
            let cells = &heat.panels[panel].cells[row];
            cells.iter().map(|cell| (cell.unwrap().value * 36.0).round()).collect()
        };
        // infantry breaks at 3 + excess or less instead of 4 + excess, hand to hand at 2 + excess or less
        assert_eq!(row(0, 0), [-3.0, -4.0, -5.0, -6.0, -5.0]);
        assert_eq!(row(1, 0), [-5.0, -7.0, -9.0, -11.0, -11.0]);
        assert_eq!([row(0, 1), row(1, 1)], [[0.0; 5]; 2].map(Vec::from));
        assert_eq!(heat.tint, Tint::Change);
        assert_eq!(
            heat.caption.title,
            "“Break” is up to 30.6 points less likely under modified (infantry, hand-to-hand)"
        );
    }
}
