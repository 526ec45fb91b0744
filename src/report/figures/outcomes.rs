//! Stacked shares of every outcome.
//!
//! **Never:** how bars look.

use super::super::chart::{Outcomes, Segment, SharesPanel};
use super::{View, on_axis};
use crate::analyse::Cell;
use crate::scenario::Results;

/// A bar for each variant in each situation of the chart; `None` where the test does not end in a name.
pub(super) fn outcomes(view: &View) -> Option<Outcomes> {
    let Results::Named(named) = &view.scenario.main().results else { return None };
    let key = |at: usize| at as i64;
    let segment = |cell: &Cell, at| Segment {
        share: view.share(cell, 0, |one| one == key(at)),
        until: view.share(cell, 0, |one| one <= key(at)),
    };
    let shares = |cell: &Cell| (0..named.len()).map(|at| segment(cell, at)).collect();
    let bars = |situation: Option<usize>| {
        let bar = |variant| situation.map(|situation| shares(view.cell(variant, situation)));
        (0..view.scenario.variants.len()).map(bar).collect()
    };
    let used: Vec<usize> =
        (0..view.cells[0].len()).filter(|x| view.cells.iter().any(|panel| panel[*x].is_some())).collect();
    let panel = |(title, cells): (String, &Vec<Option<usize>>)| SharesPanel {
        title,
        shares: used.iter().map(|x| bars(cells[*x])).collect(),
    };
    let x = view.request.x.map(|factor| &view.scenario.factors[factor]);
    let situation = |at: &usize| x.map_or_else(String::new, |factor| on_axis(factor, *at));
    let numeric = x.filter(|factor| factor.numeric);
    Some(Outcomes {
        caption: view.caption(view.finding()),
        outcomes: named.iter().map(|named| named.label.clone()).collect(),
        variants: view.variants(),
        situations: used.iter().map(situation).collect(),
        situations_label: numeric.map_or_else(String::new, |factor| factor.label.clone()),
        shares_label: "share of all trials".to_owned(),
        panels: view.panels().map(panel).collect(),
    })
}
