//! The probability of an outcome against a number.
//!
//! **Never:** how lines look.

use super::super::chart::{Curve, CurvePanel, Point};
use super::View;

/// A line for each variant; `None` where there is no number to run along.
pub(super) fn curve(view: &View) -> Option<Curve> {
    let x = view.request.x.map(|factor| &view.scenario.factors[factor])?;
    let number = |position: usize| x.values.get(position).and_then(|value| value.name.parse::<i32>().ok());
    let line = |variant: usize, cells: &Vec<Option<usize>>| {
        let placed =
            cells.iter().enumerate().filter_map(|(at, situation)| Some((number(at)?, (*situation)?)));
        placed.map(|(x, situation)| Point { x, share: view.asked(view.cell(variant, situation)) }).collect()
    };
    let outcome = view.outcome_in_words();
    let panel = |(title, cells): (String, &Vec<Option<usize>>)| CurvePanel {
        title,
        points: (0..view.scenario.variants.len()).map(|variant| line(variant, cells)).collect(),
    };
    Some(Curve {
        caption: view.caption(view.finding()),
        variants: view.variants(),
        x_label: x.label.clone(),
        y_label: format!("chance of “{outcome}”"),
        panels: view.panels().map(panel).collect(),
    })
}
