//! The charts that are asked for.

use super::claim::{named_variant, usual_variant};
use super::place::{first_that_reads, joined, result_set, rules_text, situations_where};
use crate::diagnostic::{Diagnostic, Diagnostics, Sources};
use crate::scenario::document::ChartText;
use crate::scenario::model::{ChartKind, ChartRequest, ResultSet, Results, Scenario};
use crate::scenario::tree::Placed;

/// A chart, or what is wrong with it. Axes are looked at only where the grid is sound: what it lacks may be what is
/// wrong in it.
pub(super) fn chart(
    text: &ChartText,
    scenario: &Scenario,
    sound_grid: bool,
    sources: &Sources,
    found: &mut Diagnostics,
) -> Option<ChartRequest> {
    let kind = kind(text.kind.as_ref()?, found)?;
    if kind != ChartKind::Modifiers
        && matches!(scenario.main().results, Results::Numbers)
        && (kind != ChartKind::Curve || text.outcome.is_none())
    {
        let main = if scenario.main().name == "result" { "ends in" } else { "records" };
        let message = format!("`{}` {main} a number, which has no list of outcomes", scenario.test);
        let span = text.kind.as_ref()?.span;
        let remedy = "write `kind = \"curve\"` and say which numbers count, as in `outcome = \"3+\"`";
        found.push(Diagnostic::error(span, message, "nothing to stack here").remedy(remedy));
        return None;
    }
    if kind == ChartKind::Flow && scenario.variants.len() < 2 {
        let message = "a flow goes from the baseline to a draft, and there is only one variant";
        let diagnostic = Diagnostic::error(text.kind.as_ref()?.span, message, "nothing to flow to");
        found.push(diagnostic.remedy("name a draft under [variants], or take the chart out"));
        return None;
    }
    let outcome = text.outcome.as_ref().map(|set| outcome(set, scenario, sources, found).ok_or(()));
    let situations = situations_where(scenario, text.filter.as_ref(), sources, found);
    let variant = variant(text, kind, scenario, found);
    if !sound_grid {
        return None;
    }
    let x = axis(text, kind, scenario, found);
    let panel = text.panel.as_ref().map(|name| factor(name, scenario, found).ok_or(())).transpose();
    if let (Ok(Some(x)), Ok(Some(panel)), Some(name)) = (x, panel, &text.panel)
        && x == panel
    {
        let message = format!("`{}` can stand along the axis or in panels, not both", name.value);
        let diagnostic = Diagnostic::error(name.span, message, "the same again");
        found.push(diagnostic.remedy("name another factor, or none"));
    }
    let (outcome, x, panel) = (outcome.transpose().ok()?, x.ok()?, panel.ok()?);
    let title = text.title.as_ref().map(|title| title.value.clone());
    Some(ChartRequest { kind, outcome, x, panel, variant: variant?, situations: situations?, title })
}

/// The variant that a chart is of, if it is of one; complains of axes that such a chart does not have, and of a variant
/// where all are shown.
fn variant(text: &ChartText, kind: ChartKind, scenario: &Scenario, found: &mut Diagnostics) -> Option<usize> {
    let wrong = |name: &Placed<String>, message: &str, remedy: &str| {
        Diagnostic::error(name.span, message, "not here").remedy(remedy)
    };
    if kind != ChartKind::Modifiers {
        let all = text.variant.as_ref();
        let message = "this chart shows all variants";
        found.extend(all.map(|name| {
            wrong(name, message, "take `variant` out; only a chart of the kind \"modifiers\" is of one")
        }));
        return Some(scenario.baseline);
    }
    let message = "a chart of the kind `modifiers` has neither axis nor panels: it has a bar for each change";
    let axes = text.x.iter().chain(&text.panel);
    found.extend(axes.map(|name| wrong(name, message, "take it out; `where` says over which situations")));
    match &text.variant {
        Some(name) => named_variant(&name.value, name.span, scenario, found),
        None => usual_variant(text.span, scenario, found),
    }
}

fn kind(name: &Placed<String>, found: &mut Diagnostics) -> Option<ChartKind> {
    let (message, label) = match name.value.as_str() {
        "outcomes" => return Some(ChartKind::Outcomes),
        "curve" => return Some(ChartKind::Curve),
        "flow" => return Some(ChartKind::Flow),
        "modifiers" => return Some(ChartKind::Modifiers),
        later @ ("difference" | "heat" | "distribution") => {
            (format!("charts of the kind `{later}` come with a later version"), "not yet")
        }
        wrong => (format!("there is no chart of the kind `{wrong}`"), "not known"),
    };
    found.push(
        Diagnostic::error(name.span, message, label)
            .did_you_mean(&name.value, ["outcomes", "curve", "flow", "modifiers"]),
    );
    None
}

fn factor(name: &Placed<String>, scenario: &Scenario, found: &mut Diagnostics) -> Option<usize> {
    let at = scenario.factors.iter().position(|factor| factor.name == name.value);
    if at.is_none() {
        let message = format!("`{}` is not a factor of the grid", name.value);
        let known: Vec<&str> = scenario.factors.iter().map(|factor| factor.name.as_str()).collect();
        let diagnostic = Diagnostic::error(name.span, message, "not in [grid]");
        found.push(
            diagnostic.did_you_mean(&name.value, known).remedy("a factor must stand in [grid] for that"),
        );
    }
    at
}

/// The factor along the axis. A curve needs a number there: the one that is named, or the only one of the grid.
fn axis(
    text: &ChartText,
    kind: ChartKind,
    scenario: &Scenario,
    found: &mut Diagnostics,
) -> Result<Option<usize>, ()> {
    let numeric = |at: &usize| scenario.factors[*at].numeric;
    let numbers: Vec<usize> = (0..scenario.factors.len()).filter(numeric).collect();
    let at = text.x.as_ref().map(|name| factor(name, scenario, found).ok_or(())).transpose()?;
    let (message, place, wrong) = match (&text.x, at, &numbers[..]) {
        (Some(name), ..) if kind == ChartKind::Flow => {
            let diagnostic = Diagnostic::error(name.span, "a flow has no axis", "not here");
            found.push(diagnostic.remedy("take `x` out, or write `panel` for a picture of each value"));
            return Err(());
        }
        _ if kind != ChartKind::Curve => return Ok(at),
        (None, _, [only]) => return Ok(Some(*only)),
        (_, Some(at), _) if numeric(&at) => return Ok(Some(at)),
        (Some(name), ..) => {
            let message = format!("`{}` is not a number: a curve cannot run along it", name.value);
            (message, name.span, name.value.as_str())
        }
        (None, ..) => ("a curve needs a number along its axis: `x`".to_owned(), text.span, ""),
    };
    let names = numbers.iter().map(|at| scenario.factors[*at].name.as_str());
    let diagnostic = Diagnostic::error(place, message, "here").did_you_mean(wrong, names);
    found.push(diagnostic.remedy("without a number, ask for a chart of the kind \"outcomes\""));
    Err(())
}

/// The results in a set: of each variant whose rules can read it, those that it means there.
fn outcome(
    set: &Placed<String>,
    scenario: &Scenario,
    sources: &Sources,
    found: &mut Diagnostics,
) -> Option<ResultSet> {
    let place = rules_text(set, sources, found)?;
    let read = |variant, wrong: &mut Diagnostics| result_set(scenario, variant, place, sources, wrong);
    let (_, mut set) = first_that_reads(scenario, found, read)?;
    if scenario.measures[set.measure].results != Results::Numbers {
        let mut unread = Diagnostics::default();
        let sets = (0..scenario.variants.len()).filter_map(|variant| read(variant, &mut unread));
        let spans: Vec<(i64, i64)> = sets.flat_map(|set| set.spans).collect();
        set.spans = joined(spans.into_iter().flat_map(|(low, high)| low..=high).collect());
    }
    Some(set)
}
