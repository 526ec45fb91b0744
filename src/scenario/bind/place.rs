//! What all parts of binding do: texts in the rules' notation, values by name, situations by condition.

use crate::diagnostic::{Diagnostic, Diagnostics, Sources, Span};
use crate::rules::{self, Factor, Ruleset, Type};
use crate::scenario::model::{ResultSet, Results, Scenario};
use crate::scenario::tree::{Placed, inside};

/// Where a text in the rules' notation stands between its quotes.
pub(super) fn rules_text(text: &Placed<String>, sources: &Sources, found: &mut Diagnostics) -> Option<Span> {
    let place = inside(text, sources);
    if place.is_none() {
        let message =
            "a text in the rules' notation stands here with escapes, so that its parts have no place";
        let diagnostic = Diagnostic::error(text.span, message, "here");
        found.push(diagnostic.remedy("write this text without escapes, between \"...\" or '...'"));
    }
    place
}

/// The first variant, beginning with the baseline, for which `read` finds nothing wrong, with what it gave; if there is
/// none, what was wrong for the baseline.
pub(super) fn first_that_reads<T>(
    scenario: &Scenario,
    found: &mut Diagnostics,
    read: impl Fn(usize, &mut Diagnostics) -> Option<T>,
) -> Option<(usize, T)> {
    let mut of_baseline = Diagnostics::default();
    for variant in baseline_first(scenario) {
        let mut wrong = Diagnostics::default();
        if let Some(value) = read(variant, &mut wrong).filter(|_| !wrong.has_errors()) {
            found.extend(wrong);
            return Some((variant, value));
        }
        if variant == scenario.baseline {
            of_baseline = wrong;
        }
    }
    found.extend(of_baseline);
    None
}

/// The positions of the variants, the baseline's first.
pub(super) fn baseline_first(scenario: &Scenario) -> impl Iterator<Item = usize> {
    let baseline = scenario.baseline;
    std::iter::once(baseline).chain((0..scenario.variants.len()).filter(move |variant| *variant != baseline))
}

/// The value of that name, if a scenario may set it; a flag is also known as TOML writes it.
pub fn allowed(rules: &Ruleset, factor: &Factor, name: &str) -> Option<i32> {
    let name = match (factor.ty, name) {
        (Type::Flag, "false") => "no",
        (Type::Flag, "true") => "yes",
        _ => name,
    };
    let value = rules.value_of(factor.ty, name).filter(|value| factor.values.binary_search(value).is_ok());
    value.filter(|value| rules.name_of(factor.ty, *value) == name) // `03` would be a second name for `3`
}

/// Says that a factor has no value of that name; `place` is empty or names the variant, as in ``" in `b`"``.
pub(super) fn no_such_value(
    rules: &Ruleset,
    factor: &Factor,
    name: &Placed<String>,
    place: &str,
) -> Diagnostic {
    let message = format!("`{}` is not a value of `{}`{place}", name.value, factor.name);
    let diagnostic = Diagnostic::error(name.span, message, "not one of its values");
    if let (Type::Number, [low, .., high]) = (factor.ty, &factor.values[..])
        && (high.abs_diff(*low) as usize) + 1 == factor.values.len()
    {
        return diagnostic.remedy(format!("its values are {low}..{high}"));
    }
    let names: Vec<String> = factor.values.iter().map(|value| rules.name_of(factor.ty, *value)).collect();
    diagnostic.did_you_mean(&name.value, names.iter().map(String::as_str))
}

/// The positions of the situations for which a condition holds, of all without one; complains if there are none.
pub(super) fn situations_where(
    scenario: &Scenario,
    condition: Option<&Placed<String>>,
    sources: &Sources,
    found: &mut Diagnostics,
) -> Option<Vec<usize>> {
    let Some(condition) = condition else { return Some((0..scenario.situations.len()).collect()) };
    let place = rules_text(condition, sources, found)?;
    let (variant, condition) = first_that_reads(scenario, found, |variant, wrong| {
        rules::expression(&scenario.variants[variant].rules, None, Type::Flag, place, sources, wrong)
    })?;
    let rules = &scenario.variants[variant].rules;
    let mut holds = Vec::new();
    for situation in 0..scenario.situations.len() {
        let Some(value) = rules::evaluate(rules, &condition, &scenario.assignment(variant, situation)) else {
            let diagnostic =
                Diagnostic::error(place, "this cannot be worked out in every situation of the grid", "here");
            found.push(diagnostic.remedy("ask for factors only"));
            return None;
        };
        holds.extend((value != 0).then_some(situation));
    }
    if holds.is_empty() && !scenario.situations.is_empty() {
        let diagnostic = Diagnostic::error(place, "this holds in no situation of the grid", "never true");
        found.push(diagnostic.remedy("check it against the values in [grid]"));
        return None;
    }
    Some(holds)
}

/// The results in a set that is written in the rules' notation, as one variant's rules read it.
pub(super) fn result_set(
    scenario: &Scenario,
    variant: usize,
    place: Span,
    sources: &Sources,
    found: &mut Diagnostics,
) -> Option<ResultSet> {
    let text = sources.text(place).to_owned();
    let variant = &scenario.variants[variant];
    let ty = variant.rules.tests[variant.entry.0].result;
    let spans = if scenario.results == Results::Numbers {
        number_spans(&variant.rules, place, sources, found)?
    } else {
        let domain: Vec<i32> = (0..variant.result_positions.len()).map(|value| value as i32).collect();
        let values = rules::set_values(&variant.rules, ty, &domain, place, sources, found)?;
        let position = |value: &i32| variant.result_positions.get(*value as usize).map(|at| *at as i32);
        joined(values.iter().filter_map(position).collect())
    };
    if spans.is_empty() {
        let diagnostic = Diagnostic::error(place, "this set of results is empty", "nothing is in it");
        found.push(diagnostic.remedy("name at least one result; a range goes from the better to the worse"));
        return None;
    }
    Some(ResultSet { text, spans })
}

/// Neighbours joined into stretches.
pub(super) fn joined(mut keys: Vec<i32>) -> Vec<(i32, i32)> {
    keys.sort_unstable();
    let mut spans: Vec<(i32, i32)> = Vec::new();
    for key in keys {
        match spans.last_mut() {
            Some((_, high)) if key <= high.saturating_add(1) => *high = key,
            _ => spans.push((key, key)),
        }
    }
    spans
}

/// A set of numbers as stretches. It can only begin and end at a number that is written in it, so asking at these and
/// their neighbours is enough.
fn number_spans(
    rules: &Ruleset,
    place: Span,
    sources: &Sources,
    found: &mut Diagnostics,
) -> Option<Vec<(i32, i32)>> {
    let text = sources.text(place);
    if text.contains('(') {
        let diagnostic = Diagnostic::error(place, "nothing is worked out in a set of results", "this");
        found.push(diagnostic.remedy("write the numbers themselves, as in 4..6"));
        return None;
    }
    let mut probes = vec![i32::MIN, i32::MAX];
    for number in numbers_in(text) {
        for number in [number, -number] {
            probes.extend((number - 1..=number + 1).filter_map(|probe| i32::try_from(probe).ok()));
        }
    }
    probes.sort_unstable();
    probes.dedup();
    let inside = rules::set_values(rules, Type::Number, &probes, place, sources, found)?;
    let stretches = probes.chunk_by(|a, b| inside.contains(a) == inside.contains(b));
    let ends = |stretch: &[i32]| Some((*stretch.first()?, *stretch.last()?));
    Some(stretches.filter(|stretch| inside.contains(&stretch[0])).filter_map(ends).collect())
}

/// The whole numbers that are written in a text, without their signs, as far as they fit 32 bits.
pub(super) fn numbers_in(text: &str) -> Vec<i64> {
    let words = text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    words.filter_map(|word| word.parse::<u32>().ok()).map(i64::from).collect()
}
