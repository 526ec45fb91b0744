//! The grid: its factors, and their values in every variant.

use super::place::{
    Lookup, allowed, baseline_first, factor_names, factors_named, no_such_value, numbers_in, rules_text,
};
use super::policy::factors_asked;
use super::variant::Start;
use crate::diagnostic::{Diagnostic, Diagnostics, Sources};
use crate::rules::{self, Factor, FactorId, Ruleset, Type};
use crate::scenario::document::{Document, GridText, GridValues};
use crate::scenario::model::{GridFactor, Named, Scenario, Variant};
use crate::scenario::tree::Placed;
use std::collections::BTreeSet;

/// The names of the columns that stand beside the factors in the tables of a run; no factor of a grid may have one.
pub(super) const COLUMNS: [&str; 54] = [
    // results.csv
    "variant",
    "measure",
    "outcome",
    "count",
    "trials",
    "unresolved",
    "probability",
    "low",
    "high",
    "exact",
    "z",
    // comparison.csv
    "baseline",
    "baseline_probability",
    "difference_pp",
    "low_pp",
    "high_pp",
    "p_adjusted",
    "effect_size",
    // means.csv, order.csv, flow.csv, paired.csv
    "baseline_mean",
    "mean_difference",
    "known_by",
    "ahead_pp",
    "ahead_at",
    "behind_pp",
    "behind_at",
    "room_pp",
    "from",
    "to",
    "in_both",
    "gained_count",
    "lost_count",
    // measures.csv
    "mean",
    "mean_low",
    "mean_high",
    "standard_deviation",
    "quantile_5",
    "quantile_25",
    "quantile_50",
    "quantile_75",
    "quantile_95",
    // claims.csv
    "claim",
    "says",
    "left_variant",
    "right_variant",
    "left_figure",
    "right_figure",
    "left_exact",
    "right_exact",
    "verdict",
    "decided",
    // drift.csv
    "stored_count",
    "stored_trials",
    "stored_exact",
    "stored_probability",
];

/// Fills in the factors of the grid; whether all of them were sound.
pub(super) fn factors(
    document: &Document,
    scenario: &mut Scenario,
    sources: &Sources,
    found: &mut Diagnostics,
) -> bool {
    let mut sound = true;
    for text in &document.grid {
        let name = &text.factor;
        if COLUMNS.contains(&name.value.as_str()) {
            let message = format!("`{}` is the name of a column in the tables of a run", name.value);
            let diagnostic = Diagnostic::error(name.span, message, "taken");
            found.push(diagnostic.remedy("give the factor another name in the rules"));
            sound = false;
        }
        match (Lookup { scenario, sources, found }).grid_factor(text) {
            Some(factor) => {
                set_twice(document, name, &factor, scenario, found);
                note_absence(&factor, scenario);
                scenario.factors.push(factor);
            }
            None => sound = false,
        }
    }
    sound
}

/// Complains of a factor that `with` sets too, and of one that an earlier line of the grid sets, unless this line is for
/// a single unit of a list.
fn set_twice(
    document: &Document,
    name: &Placed<String>,
    factor: &GridFactor,
    scenario: &Scenario,
    found: &mut Diagnostics,
) {
    for (at, variant) in document.variants.iter().enumerate() {
        let Some((ids, _)) = &factor.bindings[at] else { continue };
        let with = variant.with.iter().map(|setting| &setting.factor);
        let with =
            with.map(|factor| (factor, format!("by the grid and in variant `{}`", variant.name.value)));
        let lines = document.grid.iter().map(|text| &text.factor).take_while(|line| line.span != name.span);
        let lines = lines.map(|factor| (factor, "here and by an earlier line of the grid".to_owned()));
        for (other, both) in with.chain(lines) {
            let others = factors_named(&scenario.variants[at].rules, &other.value);
            let in_grid = others.len() > ids.len() && both.starts_with("here");
            if in_grid || others.iter().all(|id| !ids.contains(id)) {
                continue;
            }
            let message = format!("`{}` is set both {both}", name.value);
            let diagnostic = Diagnostic::error(other.span, message, "here").also(name.span, "and here");
            found.push(diagnostic.remedy("keep one of the two; a line for all of a list comes first"));
            return;
        }
    }
}

impl Lookup<'_> {
    fn grid_factor(&mut self, text: &GridText) -> Option<GridFactor> {
        let name = &text.factor.value;
        let holders: Vec<(usize, Vec<FactorId>)> =
            baseline_first(self.scenario.baseline, self.scenario.variants.len())
                .map(|variant| (variant, factors_named(&self.scenario.variants[variant].rules, name)))
                .filter(|(_, ids)| !ids.is_empty())
                .collect();
        let Some((first, id)) = holders.first().map(|(first, ids)| (*first, ids[0])) else {
            return self.refuse(unknown_factor(&text.factor, self.scenario));
        };
        let rules = &self.scenario.variants[first].rules;
        let names = self.value_names(text, rules, &rules.factors[id.0])?;
        let bindings = self.bindings(&names, &holders)?;
        let ty = rules.factors[id.0].ty;
        let named =
            |value: &i32| Named { name: rules.name_of(ty, *value), label: rules.label_of(ty, *value) };
        let (_, values) = bindings[first].as_ref()?;
        said_twice(&names, values, name, self.found)?;
        Some(GridFactor {
            name: name.clone(),
            label: label(rules, id, name),
            numeric: ty == Type::Number,
            values: values.iter().map(named).collect(),
            bindings,
        })
    }

    /// The names of the values that a factor goes through.
    pub(super) fn value_names(
        &mut self,
        text: &GridText,
        rules: &Ruleset,
        factor: &Factor,
    ) -> Option<Vec<Placed<String>>> {
        match &text.values {
            GridValues::Broken => None,
            GridValues::List(names) => Some(names.clone()),
            GridValues::Set(set) if allowed(rules, factor, &set.value).is_some() => Some(vec![set.clone()]),
            GridValues::Set(set) => self.names_in_set(set, rules, factor),
        }
    }

    fn names_in_set(
        &mut self,
        set: &Placed<String>,
        rules: &Ruleset,
        factor: &Factor,
    ) -> Option<Vec<Placed<String>>> {
        if factor.ty != Type::Number && is_word(&set.value) {
            return self.refuse(no_such_value(rules, factor, set, ""));
        }
        let place = rules_text(set, self.sources, self.found)?;
        if let Some(outside) = outside(self.sources.text(place), factor) {
            let name = Placed { value: outside.to_string(), span: place };
            return self.refuse(no_such_value(rules, factor, &name, ""));
        }
        let values = rules::set_values(rules, factor.ty, &factor.values, place, self.sources, self.found)?;
        if values.is_empty() {
            let message = format!("no value of `{}` is in this set", factor.name);
            let diagnostic = Diagnostic::error(place, message, "empty");
            return self.refuse(diagnostic.remedy("a range goes from the smaller to the larger"));
        }
        let name = |value| Placed { value: rules.name_of(factor.ty, value), span: set.span };
        Some(values.into_iter().map(name).collect())
    }

    /// For each variant its factor and values; complains of names that a variant's factor does not have.
    fn bindings(
        &mut self,
        names: &[Placed<String>],
        holders: &[(usize, Vec<FactorId>)],
    ) -> Option<Vec<Binding>> {
        let mut bindings = vec![None; self.scenario.variants.len()];
        let mut sound = true;
        for (variant, ids) in holders {
            bindings[*variant] = Some((ids.clone(), Vec::new()));
        }
        for name in names {
            let mut lacking = Vec::new();
            for (variant, ids) in holders {
                let id = ids[0];
                let rules = &self.scenario.variants[*variant].rules;
                match (allowed(rules, &rules.factors[id.0], &name.value), &mut bindings[*variant]) {
                    (Some(value), Some((_, values))) => values.push(value),
                    _ => lacking.push((*variant, id)),
                }
            }
            for (variant, id) in &lacking {
                let Variant { name: called, rules, .. } = &self.scenario.variants[*variant];
                let place =
                    if lacking.len() < holders.len() { format!(" in `{called}`") } else { String::new() };
                self.found.push(no_such_value(rules, &rules.factors[id.0], name, &place));
                sound = false;
            }
        }
        sound.then_some(bindings)
    }
}

/// The label of a factor; of all units of a list, the list's name and that of the factor.
pub(super) fn label(rules: &Ruleset, id: FactorId, name: &str) -> String {
    let factor = &rules.factors[id.0];
    match (factor.owner, name.rsplit_once('.')) {
        (Some(owner), Some((list, _))) if factor.name != name => {
            format!("{}: {}", list.replace('_', " "), rules.factors[owner.factor.0].label)
        }
        _ => factor.label.clone(),
    }
}

/// Complains of a value that stands in a list twice, be it under two names.
pub(super) fn said_twice(
    names: &[Placed<String>],
    values: &[i32],
    factor: &str,
    found: &mut Diagnostics,
) -> Option<()> {
    let known = |at: &usize| values[..*at].contains(&values[*at]);
    let Some(at) = (0..values.len()).find(known) else { return Some(()) };
    let message = format!("`{}` stands twice in the list of `{factor}`", names[at].value);
    found.push(Diagnostic::error(names[at].span, message, "again").remedy("keep one of the two"));
    None
}

fn unknown_factor(name: &Placed<String>, scenario: &Scenario) -> Diagnostic {
    let message = format!("`{}` is not a factor of any variant", name.value);
    let known = scenario.variants.iter().flat_map(|variant| factor_names(&variant.rules));
    let known: BTreeSet<String> = known.collect();
    let diagnostic = Diagnostic::error(name.span, message, "not known");
    diagnostic.did_you_mean(&name.value, known.iter().map(String::as_str))
}

/// Whether a text can only be a name.
pub(super) fn is_word(text: &str) -> bool {
    text != "any" && text.chars().all(|letter| letter.is_alphanumeric() || letter == '_')
}

/// The end of a closed range of numbers that the factor cannot be: `0..9` would else be cut short without a word.
fn outside(set: &str, factor: &Factor) -> Option<i64> {
    let closed = factor.ty == Type::Number && set.contains("..") && !set.contains('(');
    let can_be = |number: i64| {
        let value =
            |number| i32::try_from(number).is_ok_and(|value| factor.values.binary_search(&value).is_ok());
        value(number) || value(-number)
    };
    numbers_in(set).into_iter().find(|number| closed && !can_be(*number))
}

/// A variant's factor and its values, as in [`GridFactor::bindings`].
type Binding = Option<(Vec<FactorId>, Vec<i32>)>;

fn note_absence(factor: &GridFactor, scenario: &mut Scenario) {
    let lacks = scenario.variants.iter().zip(&factor.bindings).filter(|(_, binding)| binding.is_none());
    let names: Vec<String> = lacks.map(|(variant, _)| format!("`{}`", variant.name)).collect();
    if !names.is_empty() {
        let names = names.join(" and ");
        scenario
            .notes
            .push(format!("`{}` is not a factor of {names}: there it makes no difference", factor.name));
    }
}

/// Complains of the factors that the entry reads and that nobody sets, all at once.
pub(super) fn complain_of_missing(
    document: &Document,
    starts: &[Start],
    scenario: &Scenario,
    found: &mut Diagnostics,
) {
    let mut missing: Vec<String> = Vec::new();
    let mut place = None;
    for ((variant, start), text) in scenario.variants.iter().zip(starts).zip(&document.variants) {
        for id in unset(variant, &start.values) {
            let named = |text: &GridText| factors_named(&variant.rules, &text.factor.value);
            let in_grid = document.grid.iter().any(|text| named(text).contains(&id));
            let name = variant.rules.factors[id.0].name.clone();
            if !in_grid && !missing.contains(&name) {
                place = place.or(text.rules.as_ref().map(|rules| rules.span));
                missing.push(name);
            }
        }
    }
    if let Some(first) = missing.first() {
        let message = format!("nothing says what these factors are: {}", in_backticks(&missing));
        let place = place.unwrap_or(document.top);
        let diagnostic = Diagnostic::error(place, message, "they have no default in these rules");
        let remedy = format!("add each to [grid], as in: {first} = [...], or give it a default in the rules");
        found.push(diagnostic.remedy(remedy));
    }
}

/// The factors on which a variant's trials can depend.
pub(super) fn needed(variant: &Variant) -> BTreeSet<FactorId> {
    let mut needed = factors_asked(variant);
    needed.extend(variant.rules.factors_read(variant.entry));
    needed
}

/// Warns of factors of the grid that change nothing anywhere.
pub(super) fn warn_of_idle(document: &Document, scenario: &Scenario, found: &mut Diagnostics) {
    let needed: Vec<_> = scenario.variants.iter().map(needed).collect();
    for factor in &scenario.factors {
        let idle = |(binding, needed): (&Binding, &BTreeSet<FactorId>)| {
            binding.as_ref().is_none_or(|(ids, _)| ids.iter().all(|id| !needed.contains(id)))
        };
        let text = document.grid.iter().find(|text| text.factor.value == factor.name);
        if let Some(text) = text.filter(|_| factor.bindings.iter().zip(&needed).all(idle)) {
            let message = format!("`{}` changes nothing: `{}` never reads it", factor.name, scenario.test);
            let diagnostic = Diagnostic::warning(text.factor.span, message, "without effect");
            found.push(diagnostic.remedy("take it out of [grid]: each of its values is played for nothing"));
        }
    }
}

/// The factors on which a variant's trials can depend and that have no value.
pub(super) fn unset(variant: &Variant, values: &[Option<i32>]) -> Vec<FactorId> {
    needed(variant).into_iter().filter(|id| values[id.0].is_none()).collect()
}

/// Names for a message.
pub(super) fn in_backticks(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
