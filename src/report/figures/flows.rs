//! What the same dice give under the baseline and under a draft.
//!
//! **Never:** how ribbons look.

use super::super::chart::{Caption, FlowPanel, Flows, Share};
use super::super::words::{lower_first, percent, percent_of, thousands};
use super::{View, sampled};
use crate::analyse::{Estimate, normal_quantile};
use crate::plan::Pairs;
use crate::scenario::Results;

/// A panel for each draft and each panel of the chart; `None` where the test does not end in a name.
pub(super) fn flows(view: &View) -> Option<Flows> {
    let Results::Named(named) = &view.scenario.main().results else { return None };
    let drafts = (0..view.scenario.variants.len()).filter(|variant| *variant != view.analysis.baseline);
    let panel = |draft, title: &str, cells: &[Option<usize>]| {
        let shares = shares(view, pairs(view, draft, cells)?, named.len());
        Some(FlowPanel { title: heading(view, draft, title), names: names(view, draft), shares })
    };
    let of_draft = |draft| view.panels().filter_map(move |(title, cells)| panel(draft, &title, cells));
    let panels: Vec<FlowPanel> = drafts.flat_map(of_draft).collect();
    let caption = Caption { note: note(view, &panels), ..view.caption(finding(&panels)) };
    let outcomes = named.iter().map(|named| named.label.clone()).collect();
    Some(Flows { caption, outcomes, panels })
}

/// What the same dice gave under a draft in one of these situations.
fn pairs<'a>(view: &View<'a>, draft: usize, cells: &[Option<usize>]) -> Option<&'a Pairs> {
    let mut flows = view.analysis.flows.iter().filter(|flow| flow.variant == draft);
    flows.find(|flow| cells.contains(&Some(flow.situation)))?.pairs.as_ref().ok()
}

/// From which of the outcomes to which; behind them those without any.
fn shares(view: &View, pairs: &Pairs, outcomes: usize) -> Vec<Vec<Share>> {
    let key = |at: usize| (at < outcomes).then_some(at as i64);
    let share = |from: usize, to: usize| {
        let count = pairs.counts.get(&(key(from), key(to))).copied().unwrap_or(0);
        sampled(Estimate::new(count, pairs.trials, normal_quantile(view.analysis.level)))
    };
    (0..=outcomes).map(|from| (0..=outcomes).map(|to| share(from, to)).collect()).collect()
}

/// A panel's heading, with the draft where there are several.
fn heading(view: &View, draft: usize, title: &str) -> String {
    match (view.scenario.variants.len() > 2, title) {
        (false, title) => title.to_owned(),
        (true, "") => names(view, draft)[1].clone(),
        (true, title) => format!("{}: {}", names(view, draft)[1], lower_first(title)),
    }
}

/// The baseline and the draft.
fn names(view: &View, draft: usize) -> [String; 2] {
    let names = view.variants();
    [view.analysis.baseline, draft].map(|variant| names[variant].clone())
}

/// How often the same dice end otherwise.
fn finding(panels: &[FlowPanel]) -> String {
    let same =
        |panel: &FlowPanel| -> f64 { panel.shares.iter().enumerate().map(|(at, row)| row[at].value).sum() };
    let otherwise = || panels.iter().map(|panel| (1.0 - same(panel)).clamp(0.0, 1.0));
    let (least, most) = (otherwise().fold(1.0, f64::min), otherwise().fold(0.0, f64::max));
    match percent(least) == percent(most) {
        true => format!("The same dice end otherwise in {} % of trials", percent(most)),
        false => {
            format!("The same dice end otherwise in {} to {} % of trials", percent(least), percent(most))
        }
    }
}

/// Where the shares come from, and how surely they are known.
fn note(view: &View, panels: &[FlowPanel]) -> String {
    let shares = panels.iter().flat_map(|panel| panel.shares.iter().flatten());
    let widest = shares.map(|share| (share.high - share.low) / 2.0).fold(0.0, f64::max);
    let trials =
        view.analysis.flows.iter().find_map(|flow| flow.pairs.as_ref().ok()).map_or(0, |one| one.trials);
    format!(
        "{} trials on the same dice each, seed {}. {} % intervals reach {:.1} points to either side at most. \
         Made with houserule.",
        thousands(trials),
        view.scenario.seed,
        percent_of(view.analysis.level),
        widest * 100.0
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn panel(same: f64) -> FlowPanel {
        let shares = [[same / 2.0, 1.0 - same], [0.0, same / 2.0]];
        let shares = shares.map(|row| row.map(Share::exactly).to_vec()).to_vec();
        FlowPanel { shares, ..FlowPanel::default() }
    }

    #[test]
    fn a_title_says_how_much_of_the_same_dice_ends_otherwise() {
        assert_eq!(finding(&[panel(0.75)]), "The same dice end otherwise in 25.0 % of trials");
        let two = [panel(0.75), panel(0.5)];
        assert_eq!(finding(&two), "The same dice end otherwise in 25.0 to 50.0 % of trials");
    }
}
