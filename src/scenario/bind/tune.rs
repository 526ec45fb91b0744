//! The search for values: the factors that are varied, and the targets.

use super::claim::{claim, named_variant, usual_variant};
use super::grid::{label, needed, said_twice, value_names};
use super::place::{allowed, factor_names, factors_named, no_such_value};
use crate::diagnostic::{Diagnostic, Diagnostics, Sources};
use crate::rules::FactorId;
use crate::scenario::document::{GridText, TuneText};
use crate::scenario::model::{Claim, Scenario, Side, Tune, Variant, Varied};

/// A search that looks at more situations than this, over all combinations, is refused.
const MOST: usize = 100_000;

/// The columns of the table of a search that are no factors.
const COLUMNS: [&str; 4] = ["rank", "unbeaten", "exact", "impossible"];

/// The search, or what is wrong with it.
pub(super) fn tune(
    text: &TuneText,
    scenario: &Scenario,
    sources: &Sources,
    found: &mut Diagnostics,
) -> Option<Tune> {
    let variant = match &text.variant {
        Some(name) => named_variant(&name.value, name.span, scenario, found),
        None => usual_variant(text.span, scenario, found),
    };
    let targets = text.targets.iter().map(|target| {
        let claim = claim(target, scenario, sources, found)?;
        let text = match (&target.text, &target.filter) {
            (None, Some(filter)) => format!("{} where {}", claim.holds, filter.value.trim()),
            _ => claim.text,
        };
        Some(Claim { text, ..claim })
    });
    let targets: Vec<Option<Claim>> = targets.collect();
    let variant = variant?;
    let vary = text.vary.iter().map(|factor| varied(factor, variant, scenario, sources, found));
    let vary: Vec<Option<Varied>> = vary.collect();
    let (targets, vary) =
        (targets.into_iter().collect::<Option<_>>()?, vary.into_iter().collect::<Option<_>>()?);
    let tune = Tune { variant, vary, targets };
    let sound = has_all(text, &tune, found) && speaks_of(text, &tune, scenario, found);
    (sound && stays_small(text, &tune, scenario, found)).then_some(tune)
}

/// A factor that is varied.
fn varied(
    text: &GridText,
    variant: usize,
    scenario: &Scenario,
    sources: &Sources,
    found: &mut Diagnostics,
) -> Option<Varied> {
    let Variant { name: called, rules, base, .. } = &scenario.variants[variant];
    let name = &text.factor;
    let ids = factors_named(rules, &name.value);
    let Some(first) = ids.first().copied() else {
        let message = format!("`{}` is not a factor of `{called}`", name.value);
        let known = factor_names(rules);
        let diagnostic = Diagnostic::error(name.span, message, "not known");
        found.push(diagnostic.did_you_mean(&name.value, known.iter().map(String::as_str)));
        return None;
    };
    refuse_taken(text, variant, &ids, scenario, found)?;
    let factor = &rules.factors[first.0];
    let names = value_names(text, rules, factor, sources, found)?;
    let values: Option<Vec<i32>> = names.iter().map(|name| allowed(rules, factor, &name.value)).collect();
    let Some(values) = values else {
        let wrong = names.iter().filter(|name| allowed(rules, factor, &name.value).is_none());
        found.extend(wrong.map(|name| no_such_value(rules, factor, name, "")));
        return None;
    };
    said_twice(&names, &values, &name.value, found)?;
    if !needed(&scenario.variants[variant]).iter().any(|id| ids.contains(id)) {
        let message = format!("`{}` changes nothing: `{}` never reads it", name.value, scenario.test);
        let diagnostic = Diagnostic::warning(name.span, message, "without effect");
        found.push(diagnostic.remedy("take it out of `vary`, or name a factor that the test reads"));
    }
    let named = |value: &i32| rules.name_of(factor.ty, *value);
    let mut now: Vec<String> = ids.iter().map(|id| named(&base[id.0])).collect();
    now.dedup();
    Some(Varied {
        name: name.value.clone(),
        label: label(rules, first, &name.value),
        names: values.iter().map(named).collect(),
        factors: ids,
        values,
        now: now.join(" or "),
    })
}

/// Complains of a factor that the grid sets already, or that has the name of a column.
fn refuse_taken(
    text: &GridText,
    variant: usize,
    ids: &[FactorId],
    scenario: &Scenario,
    found: &mut Diagnostics,
) -> Option<()> {
    let name = &text.factor.value;
    let in_grid = scenario.factors.iter().any(|factor| {
        factor.bindings[variant].as_ref().is_some_and(|(own, _)| own.iter().any(|id| ids.contains(id)))
    });
    let (message, remedy) = if in_grid {
        let remedy = "take it out of [grid]: there it says in which situations the draft is judged";
        (format!("`{name}` cannot be varied: the grid sets it"), remedy)
    } else if COLUMNS.contains(&name.as_str()) {
        (
            format!("`{name}` is the name of a column in the table"),
            "give the factor another name in the rules",
        )
    } else {
        return Some(());
    };
    found.push(Diagnostic::error(text.factor.span, message, "here").remedy(remedy));
    None
}

/// Complains of an empty search.
fn has_all(text: &TuneText, tune: &Tune, found: &mut Diagnostics) -> bool {
    let empty = match (tune.vary.is_empty(), tune.targets.is_empty()) {
        (true, _) => {
            ("`[tune]` varies nothing", "name a factor and its values: vary = { penalty = \"0..3\" }")
        }
        (_, true) => ("`[tune]` has no target", "say what is wanted: target = [\"P(break) <= 25%\"]"),
        _ => return true,
    };
    found.push(Diagnostic::error(text.span, empty.0, "here").remedy(empty.1));
    false
}

/// Complains of targets that the variant has no part in.
fn speaks_of(text: &TuneText, tune: &Tune, scenario: &Scenario, found: &mut Diagnostics) -> bool {
    let of = |side: &Side| matches!(side, Side::Quantity(_, variant) if *variant == tune.variant);
    let mut sound = true;
    for (target, text) in tune.targets.iter().zip(&text.targets) {
        if of(&target.left) || of(&target.right) {
            continue;
        }
        let called = &scenario.variants[tune.variant].name;
        let message = format!("this does not speak of `{called}`, whose factors are varied");
        let place = text.holds.as_ref().map_or_else(Default::default, |holds| holds.span);
        let remedy = format!("name it, as in: P(...) in {called}; or say `variant = \"...\"`");
        found.push(Diagnostic::error(place, message, "nothing changes it").remedy(remedy));
        sound = false;
    }
    sound
}

/// Complains of a search that would take too long.
fn stays_small(text: &TuneText, tune: &Tune, scenario: &Scenario, found: &mut Diagnostics) -> bool {
    let sizes = tune.vary.iter().map(|varied| varied.values.len());
    let situations = scenario.situations.len().max(1);
    let all = sizes.clone().try_fold(situations, |product, size| product.checked_mul(size));
    if all.is_some_and(|all| all <= MOST) {
        return true;
    }
    let product: Vec<String> = sizes.map(|size| size.to_string()).collect();
    let message = format!(
        "the search has {} combinations of values, each in {situations} situations; at most {MOST} can be looked at",
        product.join(" x ")
    );
    let remedy = "vary fewer factors, try fewer values of each, or make [grid] smaller";
    found.push(Diagnostic::error(text.span, message, "here").remedy(remedy));
    false
}
