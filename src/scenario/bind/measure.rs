//! What is counted: results and records, united over all variants.

use super::grid::COLUMNS;
use super::place::{Lookup, baseline_first};
use crate::diagnostic::{Diagnostic, Diagnostics, Span};
use crate::rules::{RecordId, Ruleset, Type};
use crate::scenario::model::{Measure, Measured, Named, Results, Variant};
use crate::scenario::tree::Placed;

/// The name of what a test itself gives.
const RESULT: &str = "result";

impl Lookup<'_> {
    /// The position of the measure of that name; complains if there is none.
    pub(super) fn measure_named(&mut self, name: &str, place: Span) -> Option<usize> {
        let at = self.scenario.measures.iter().position(|measure| measure.name == name);
        if at.is_none() {
            let message =
                format!("`{}` neither gives nor records anything called `{name}`", self.scenario.test);
            let known = self.scenario.measures.iter().map(|measure| measure.name.as_str());
            self.found.push(Diagnostic::error(place, message, "not known").did_you_mean(name, known));
        }
        at
    }

    /// The records of which a joint table is asked for.
    pub(super) fn joint(&mut self, names: &[Placed<String>]) -> Vec<usize> {
        let mut joint = Vec::new();
        for name in names {
            let Some(at) = self.measure_named(&name.value, name.span) else { continue };
            let column = COLUMNS.contains(&name.value.as_str())
                || self.scenario.factors.iter().any(|factor| factor.name == name.value);
            let message = match at {
                _ if !self.scenario.measures[at].is_record() => {
                    format!("`{}` is no record, and a joint table is made of records", name.value)
                }
                _ if joint.contains(&at) => format!("`{}` stands twice in `joint`", name.value),
                _ if column => format!("`{}` is the name of another column of the joint table", name.value),
                _ => {
                    joint.push(at);
                    continue;
                }
            };
            let diagnostic = Diagnostic::error(name.span, message, "this");
            self.found.push(diagnostic.remedy("take it out, or give the record another name in the rules"));
        }
        joint
    }
}

/// The result, if the test has one, then the records that its trials can come to: the baseline's, then those that only
/// other variants have.
pub(super) fn measures(
    test: &Placed<String>,
    baseline: usize,
    variants: &[Variant],
    found: &mut Diagnostics,
) -> Option<Vec<Measure>> {
    let gives = |variant: &Variant| variant.rules.tests[variant.entry.0].result;
    let mut names: Vec<&str> = Vec::new();
    if gives(&variants[baseline]) != Type::Nothing {
        names.push(RESULT);
    }
    for variant in baseline_first(baseline, variants.len()) {
        for record in recorded(&variants[variant]) {
            let name = variants[variant].rules.records[record.0].name.as_str();
            if name == RESULT && gives(&variants[variant]) != Type::Nothing {
                let message =
                    format!("`{}` both gives a result and records something called `result`", test.value);
                let remedy = "give the record another name";
                found.push(Diagnostic::error(test.span, message, "this test").remedy(remedy));
                return None;
            }
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    if names.is_empty() {
        let message =
            format!("`{}` neither gives nor records anything: there is nothing to count", test.value);
        let remedy = "let it return a value, or add a step such as `record losses = losses`";
        found.push(Diagnostic::error(test.span, message, "this test").remedy(remedy));
        return None;
    }
    let measures: Vec<_> = names.iter().map(|name| measure(name, test, baseline, variants, found)).collect();
    measures.into_iter().collect()
}

/// The records that a variant's trials can come to, as declared.
fn recorded(variant: &Variant) -> impl Iterator<Item = RecordId> {
    variant.rules.reachable_records(variant.entry).into_iter()
}

/// What a variant's trials have under this name.
fn source(name: &str, variant: &Variant) -> Option<(Option<RecordId>, Type)> {
    let result = variant.rules.tests[variant.entry.0].result;
    if name == RESULT && result != Type::Nothing {
        return Some((None, result));
    }
    let record = recorded(variant).find(|record| variant.rules.records[record.0].name == name)?;
    Some((Some(record), variant.rules.records[record.0].ty))
}

fn measure(
    name: &str,
    test: &Placed<String>,
    baseline: usize,
    variants: &[Variant],
    found: &mut Diagnostics,
) -> Option<Measure> {
    let sources: Vec<_> = variants.iter().map(|variant| source(name, variant)).collect();
    let first = baseline_first(baseline, variants.len()).find_map(|at| Some((at, sources[at]?.1)))?;
    let missing = |at: usize| name == RESULT && sources[at].is_none();
    let other = |at: &usize| missing(*at) || sources[*at].is_some_and(|(_, ty)| sort(ty) != sort(first.1));
    if let Some(other) = (0..variants.len()).find(other) {
        let ty = |at: usize| sources[at].map_or(Type::Nothing, |(_, ty)| ty);
        let is = |at: usize| format!("{} in `{}`", sort(ty(at)), variants[at].name);
        let what = if name == RESULT { format!("`{}` ends in", test.value) } else { format!("`{name}` is") };
        let again = if name == RESULT { "in " } else { "" };
        let message = format!("{what} {}, but {again}{}: these cannot be compared", is(first.0), is(other));
        found.push(Diagnostic::error(test.span, message, "here").remedy("compare tests of one sort"));
        return None;
    }
    let mut names: Vec<Named> = Vec::new();
    let mut measured: Vec<Option<Measured>> = vec![None; variants.len()];
    for at in baseline_first(baseline, variants.len()) {
        let Some((record, ty)) = sources[at] else { continue };
        let mut positions = Vec::new();
        for value in named(&variants[at].rules, ty) {
            let position = names.iter().position(|known| known.name == value.name).unwrap_or(names.len());
            positions.push(position);
            if position == names.len() {
                names.push(value);
            }
        }
        measured[at] = Some(Measured { record, positions });
    }
    let results = if first.1 == Type::Number { Results::Numbers } else { Results::Named(names) };
    Some(Measure { name: name.to_owned(), label: name.replace('_', " "), results, variants: measured })
}

fn sort(ty: Type) -> &'static str {
    match ty {
        Type::Number => "a number",
        Type::Flag => "yes or no",
        Type::Kind(_) => "a named result",
        Type::Unit(_) => "a unit",
        Type::Nothing => "nothing",
    }
}

/// All values of a type, in their order; none of numbers.
fn named(rules: &Ruleset, ty: Type) -> Vec<Named> {
    let count = match ty {
        Type::Number | Type::Nothing => 0,
        Type::Flag => 2,
        Type::Kind(kind) => rules.kinds[kind.0].values.len(),
        Type::Unit(units) => rules.units[units.0].names.len(),
    };
    let values = 0..i32::try_from(count).unwrap_or(i32::MAX);
    values.map(|value| Named { name: rules.name_of(ty, value), label: rules.label_of(ty, value) }).collect()
}
