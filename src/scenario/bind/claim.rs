//! Claims and expectations.

use super::grid::{in_backticks, unset};
use super::measure::measure_named;
use super::place::{one_line, result_set, rules_text, situations_where};
use super::variant::{Start, set};
use crate::diagnostic::{Diagnostic, Diagnostics, Sources, Span};
use crate::rules;
use crate::scenario::document::{ClaimText, ExpectText, Setting};
use crate::scenario::model::{Claim, Expect, Quantity, Relation, Results, Scenario, Side, Variant};
use crate::scenario::sentence::{Function, Part, sentence};

/// A claim, or what is wrong with it.
pub(super) fn claim(
    text: &ClaimText,
    scenario: &Scenario,
    sources: &Sources,
    found: &mut Diagnostics,
) -> Option<Claim> {
    let situations = situations_where(scenario, text.filter.as_ref(), sources, found);
    let holds = text.holds.as_ref()?;
    let place = rules_text(holds, sources, found)?;
    let sentence = sentence(place, sources, found)?;
    let left = side(&sentence.left, place, scenario, sources, found);
    let right = side(&sentence.right, place, scenario, sources, found);
    let (left, right) = (left?, right?);
    found.extend(compares_nothing(&left, &right, place));
    Some(Claim {
        text: one_line(&text.text.as_ref().unwrap_or(holds).value),
        holds: holds.value.trim().to_owned(),
        left,
        relation: sentence.relation,
        right,
        margin: sentence.margin,
        situations: situations?,
        average: text.average,
        span: text.span,
    })
}

fn compares_nothing(left: &Side, right: &Side, place: Span) -> Option<Diagnostic> {
    let (what, remedy) = match (left, right) {
        (Side::Number(_), Side::Number(_)) => {
            ("two numbers", "write a quantity on one side: P(break) < 0.25")
        }
        _ if left == right => ("a quantity with itself", "name the variants: P(break) in a < P(break) in b"),
        _ => return None,
    };
    let message = format!("this compares {what}");
    Some(Diagnostic::error(place, message, "the rules do not decide this").remedy(remedy))
}

fn side(
    part: &Part,
    place: Span,
    scenario: &Scenario,
    sources: &Sources,
    found: &mut Diagnostics,
) -> Option<Side> {
    match part {
        Part::Number((top, bottom), _) => Some(Side::Number((*top, *bottom))),
        Part::Quantity(function, variant) => {
            let variant = match variant {
                Some(place) => named_variant(sources.text(*place), *place, scenario, found),
                None => usual_variant(place, scenario, found),
            }?;
            Some(Side::Quantity(quantity(function, variant, scenario, sources, found)?, variant))
        }
    }
}

pub(super) fn named_variant(
    name: &str,
    place: Span,
    scenario: &Scenario,
    found: &mut Diagnostics,
) -> Option<usize> {
    let at = scenario.variants.iter().position(|variant| variant.name == name);
    if at.is_none() {
        let diagnostic =
            Diagnostic::error(place, format!("there is no variant called `{name}`"), "not known");
        let known = scenario.variants.iter().map(|variant| variant.name.as_str());
        let diagnostic = diagnostic.did_you_mean(name, known);
        found.push(match meant(name) {
            Some(remedy) => diagnostic.remedy(remedy),
            None => diagnostic,
        });
    }
    at
}

/// How to write what was meant, where the rest of a sentence was taken for the name of a variant.
fn meant(name: &str) -> Option<&'static str> {
    match name {
        _ if name.contains('(') => Some(
            "a sentence compares two quantities, and a difference is written as in: P(break) in draft < P(break) in original by 5 points",
        ),
        _ if name.ends_with('!') => Some("a sentence compares with <, <=, =, >= or >"),
        _ => None,
    }
}

/// The variant that is meant where none is named: the only one, or the only one beside the baseline.
pub(super) fn usual_variant(place: Span, scenario: &Scenario, found: &mut Diagnostics) -> Option<usize> {
    match scenario.variants.len() {
        1 => Some(0),
        2 => Some(1 - scenario.baseline),
        _ => {
            let names: Vec<String> = scenario.variants.iter().map(|variant| variant.name.clone()).collect();
            let diagnostic = Diagnostic::error(place, "which variant is meant?", "there are several");
            found.push(diagnostic.remedy(format!("name one of {}", in_backticks(&names))));
            None
        }
    }
}

/// A quantity of which everything is looked up.
pub(super) fn quantity(
    function: &Function,
    variant: usize,
    scenario: &Scenario,
    sources: &Sources,
    found: &mut Diagnostics,
) -> Option<Quantity> {
    Some(match function {
        Function::Probability(set) => {
            Quantity::Probability(result_set(scenario, variant, *set, sources, found)?)
        }
        Function::Mean(name) => Quantity::Mean(number(*name, variant, scenario, sources, found)?),
        Function::Quantile(name, level) => {
            Quantity::Quantile(number(*name, variant, scenario, sources, found)?, *level)
        }
    })
}

/// A measure of a variant that has a mean.
fn number(
    place: Span,
    variant: usize,
    scenario: &Scenario,
    sources: &Sources,
    found: &mut Diagnostics,
) -> Option<usize> {
    let name = sources.text(place);
    let at = measure_named(name, place, scenario, found)?;
    let measure = &scenario.measures[at];
    let (message, remedy) = if measure.results != Results::Numbers {
        let what = match name {
            "result" => format!("`{}` ends in a name", scenario.test),
            _ => format!("`{name}` is no number"),
        };
        let example = if name == "result" { "P(...)".to_owned() } else { format!("P({name} is ...)") };
        (format!("{what}, and names have no mean"), format!("ask for {example}"))
    } else if measure.variants[variant].is_none() {
        let message = format!("`{name}` is not recorded in `{}`", scenario.variants[variant].name);
        (message, "name a variant that records it".to_owned())
    } else {
        return Some(at);
    };
    found.push(Diagnostic::error(place, message, "this").remedy(remedy));
    None
}

/// An expectation, or what is wrong with it.
pub(super) fn expect(
    text: &ExpectText,
    scenario: &Scenario,
    starts: &[Start],
    sources: &Sources,
    found: &mut Diagnostics,
) -> Option<Expect> {
    let variant = match &text.variant {
        Some(name) => named_variant(&name.value, name.span, scenario, found),
        None => usual_variant(text.span, scenario, found),
    }?;
    let situation = situation(text, variant, scenario, starts, found);
    let (quantity, value, fraction) = known_value(text, variant, scenario, sources, found)?;
    if text.limit && !matches!(quantity, Quantity::Probability(_)) {
        let message = "a limit is a probability: of a mean or a quantile nobody knows how far it is away";
        let remedy = "take `limit = true` out, or ask for P(...)";
        found.push(Diagnostic::error(text.span, message, "not a probability").remedy(remedy));
        return None;
    }
    let source = text.source.as_ref()?.value.clone();
    let setting = |setting: &Setting| format!("{} {}", setting.factor.value, setting.value.value);
    let place = text.situation.iter().map(setting).collect::<Vec<_>>().join(", ");
    let (situation, limit, span) = (situation?, text.limit, text.span);
    Some(Expect { variant, situation, place, quantity, value, fraction, source, limit, span })
}

/// A value for every factor; complains of those that have none, and of situations that do not exist.
fn situation(
    text: &ExpectText,
    variant: usize,
    scenario: &Scenario,
    starts: &[Start],
    found: &mut Diagnostics,
) -> Option<Vec<i32>> {
    let Variant { rules, base, .. } = &scenario.variants[variant];
    let mut values = starts[variant].values.clone();
    let mut wrong = Diagnostics::default();
    set(rules, &text.situation, &mut values, &mut wrong);
    let sound = !wrong.has_errors();
    found.extend(wrong);
    let unset = unset(&scenario.variants[variant], &values);
    let unset: Vec<String> = unset.into_iter().map(|id| rules.factors[id.0].name.clone()).collect();
    if sound && !unset.is_empty() {
        let message = format!("nothing says what these factors are: {}", in_backticks(&unset));
        let diagnostic = Diagnostic::error(text.span, message, "they have no default");
        found.push(diagnostic.remedy("add each to `situation`"));
        return None;
    }
    let values: Vec<i32> = values.iter().zip(base).map(|(value, base)| value.unwrap_or(*base)).collect();
    if let Some(why) = rules::never(rules, &values) {
        let message = format!("this situation does not exist: {why}");
        found.push(Diagnostic::error(text.span, message, "here").remedy("change `situation`"));
        return None;
    }
    sound.then_some(values)
}

/// `P(break) = 3/36` as the quantity, the text of its value, and the same as a fraction.
fn known_value(
    text: &ExpectText,
    variant: usize,
    scenario: &Scenario,
    sources: &Sources,
    found: &mut Diagnostics,
) -> Option<(Quantity, String, (i64, i64))> {
    let place = rules_text(text.value.as_ref()?, sources, found)?;
    let sentence = sentence(place, sources, found)?;
    let (Part::Quantity(function, None), Relation::Equal, Part::Number(number, _), None) =
        (&sentence.left, sentence.relation, &sentence.right, sentence.margin)
    else {
        let diagnostic =
            Diagnostic::error(place, "a known value is a quantity, `=` and a number", "not like that");
        found.push(diagnostic.remedy("write it as in: P(break) = 3/36"));
        return None;
    };
    let written = sources.text(place).rsplit('=').next().unwrap_or_default().trim().to_owned();
    Some((quantity(function, variant, scenario, sources, found)?, written, *number))
}
