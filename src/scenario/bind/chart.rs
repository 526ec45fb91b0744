//! The charts that are asked for.

mod axes;
mod sorts;

use super::claim::{named_variant, usual_variant};
use super::measure::measure_named;
use super::place::{first_that_reads, joined, one_line, result_set, rules_text, situations_where};
use crate::diagnostic::{Diagnostic, Diagnostics, Sources};
use crate::scenario::document::ChartText;
use crate::scenario::model::{ChartKind, ChartRequest, Reading, ResultSet, Results, Scenario};
use crate::scenario::tree::Placed;
use axes::{Axes, axes};
use sorts::{kind, misplaced};

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
    misplaced(text, kind, found);
    something_to_draw(text, kind, scenario, found)?;
    let outcome = text.outcome.as_ref().map(|set| outcome(set, scenario, sources, found).ok_or(()));
    let situations = situations_where(scenario, text.filter.as_ref(), sources, found);
    let variant = variant(text, kind, scenario, found);
    let against_baseline = variant.and_then(|variant| against_baseline(text, kind, variant, scenario, found));
    let measure = measure(text, kind, scenario, found);
    let reading = reading(text, found);
    if !sound_grid {
        return None;
    }
    let Axes { x, y, panel } = axes(text, kind, scenario, found)?;
    let title = text.title.as_ref().map(|title| one_line(&title.value));
    Some(ChartRequest {
        kind,
        outcome: outcome.transpose().ok()?,
        x,
        y,
        panel,
        variant: variant?,
        against_baseline: against_baseline?,
        measure: measure?,
        reading: reading?,
        situations: situations?,
        title,
    })
}

/// Complains of a number where outcomes are asked for, and of a lack of drafts.
fn something_to_draw(
    text: &ChartText,
    kind: ChartKind,
    scenario: &Scenario,
    found: &mut Diagnostics,
) -> Option<()> {
    use ChartKind::{Curve, Difference, Distribution, Flow, Heat, Modifiers, Survival};
    let place = text.kind.as_ref()?.span;
    let by_outcome = matches!(kind, Curve | Difference | Heat);
    if !matches!(kind, Modifiers | Distribution | Survival)
        && matches!(scenario.main().results, Results::Numbers)
        && !(by_outcome && text.outcome.is_some())
    {
        let main = if scenario.main().name == "result" { "ends in" } else { "records" };
        let message = format!("`{}` {main} a number, which has no list of outcomes", scenario.test);
        let (label, remedy) = if by_outcome {
            ("of which numbers?", "say which numbers count, as in `outcome = \"3+\"`")
        } else {
            (
                "nothing to stack here",
                "write `kind = \"curve\"` and say which numbers count, as in `outcome = \"3+\"`, or `kind = \"distribution\"`",
            )
        };
        found.push(Diagnostic::error(place, message, label).remedy(remedy));
        return None;
    }
    let (message, label) = match kind {
        _ if scenario.variants.len() > 1 => return Some(()),
        Flow => {
            ("a flow goes from the baseline to a draft, and there is only one variant", "nothing to flow to")
        }
        Difference => {
            ("a difference is that of a draft from the baseline, and there is only one variant", "from what?")
        }
        _ => return Some(()),
    };
    let diagnostic = Diagnostic::error(place, message, label);
    found.push(diagnostic.remedy("name a draft under [variants], or take the chart out"));
    None
}

/// The variant that a chart is of, if it is of one; the baseline where all are shown.
fn variant(text: &ChartText, kind: ChartKind, scenario: &Scenario, found: &mut Diagnostics) -> Option<usize> {
    let named = |found: &mut Diagnostics| {
        text.variant.as_ref().map(|name| named_variant(&name.value, name.span, scenario, found))
    };
    match kind {
        ChartKind::Modifiers | ChartKind::Heat => {
            named(found).unwrap_or_else(|| usual_variant(text.span, scenario, found))
        }
        ChartKind::Difference => match (named(found), &text.variant) {
            (Some(Some(variant)), Some(name)) if variant == scenario.baseline => {
                let message = format!("`{}` is the baseline, which does not differ from itself", name.value);
                let diagnostic = Diagnostic::error(name.span, message, "not a draft");
                found.push(
                    diagnostic.remedy("name a draft, or take `variant` out: all drafts are shown then"),
                );
                None
            }
            (Some(variant), _) => variant,
            (None, _) => Some(scenario.baseline),
        },
        _ => Some(scenario.baseline),
    }
}

/// Whether a heat chart is of differences: where nothing is said, that of a draft.
fn against_baseline(
    text: &ChartText,
    kind: ChartKind,
    variant: usize,
    scenario: &Scenario,
    found: &mut Diagnostics,
) -> Option<bool> {
    let draft = variant != scenario.baseline;
    let Some(of) = text.of.as_ref().filter(|_| kind == ChartKind::Heat) else {
        return Some(draft && kind == ChartKind::Heat);
    };
    match of.value.as_str() {
        "probability" => Some(false),
        "difference" if draft => Some(true),
        "difference" => {
            let message = "this chart is of the baseline, which does not differ from itself";
            let diagnostic = Diagnostic::error(of.span, message, "from what?");
            found.push(
                diagnostic.remedy("name a draft, as in variant = \"...\", or write of = \"probability\""),
            );
            None
        }
        other => {
            let diagnostic = Diagnostic::error(of.span, "a heat chart cannot be of this", "not known");
            found.push(diagnostic.did_you_mean(other, ["probability", "difference"]));
            None
        }
    }
}

/// The measure whose numbers are drawn: the one that is named, what the test gives, or the only number that it records.
fn measure(text: &ChartText, kind: ChartKind, scenario: &Scenario, found: &mut Diagnostics) -> Option<usize> {
    if !matches!(kind, ChartKind::Distribution | ChartKind::Survival) {
        return Some(0);
    }
    let number = |at: &usize| scenario.measures[*at].results == Results::Numbers;
    let numbers: Vec<usize> = (0..scenario.measures.len()).filter(number).collect();
    let names = || numbers.iter().map(|at| scenario.measures[*at].name.as_str());
    let (place, message, wrong) = match &text.measure {
        Some(name) => {
            let at = measure_named(&name.value, name.span, scenario, found)?;
            if number(&at) {
                return Some(at);
            }
            (name.span, format!("`{}` is not a number", name.value), name.value.as_str())
        }
        None => match numbers[..] {
            [first, ..] if first == 0 || numbers.len() == 1 => return Some(first),
            [] => (text.span, format!("`{}` neither gives nor records a number", scenario.test), ""),
            _ => (text.span, format!("`{}` records several numbers: which is meant?", scenario.test), ""),
        },
    };
    let diagnostic = Diagnostic::error(place, message, "here").did_you_mean(wrong, names());
    let example =
        numbers.first().map_or("a chart of the kind \"outcomes\" shows what it gives".to_owned(), |at| {
            format!("name a number, as in measure = \"{}\"", scenario.measures[*at].name)
        });
    found.push(diagnostic.remedy(example));
    None
}

fn reading(text: &ChartText, found: &mut Diagnostics) -> Option<Reading> {
    let Some(reading) = &text.reading else { return Some(Reading::Exactly) };
    match reading.value.as_str() {
        "exactly" => Some(Reading::Exactly),
        "at least" => Some(Reading::AtLeast),
        "at most" => Some(Reading::AtMost),
        other => {
            let diagnostic =
                Diagnostic::error(reading.span, "a distribution cannot be read like this", "not known");
            found.push(diagnostic.did_you_mean(other, ["exactly", "at least", "at most"]));
            None
        }
    }
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
