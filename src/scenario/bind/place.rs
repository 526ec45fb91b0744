//! What all parts of binding do: texts in the rules' notation, values by name, situations by condition.

use crate::diagnostic::{Diagnostic, Diagnostics, Sources, Span};
use crate::rules::{self, Factor, FactorId, Ruleset, Type, Units};
use crate::scenario::model::{Measure, Measured, ResultSet, Results, Scenario, Variant};
use crate::scenario::tree::{Placed, inside};
use std::collections::BTreeSet;

/// A scenario in which things are looked up, the texts that name them, and what is wrong with these.
pub(super) struct Lookup<'a> {
    pub(super) scenario: &'a Scenario,
    pub(super) sources: &'a Sources,
    pub(super) found: &'a mut Diagnostics,
}

impl Lookup<'_> {
    /// Complains, and gives nothing.
    pub(super) fn refuse<T>(&mut self, mistake: Diagnostic) -> Option<T> {
        self.found.push(mistake);
        None
    }

    /// The first variant, beginning with the baseline, for which `read` finds nothing wrong, with what it gave; if there is
    /// none, what was wrong for the baseline.
    pub(super) fn first_that_reads<T>(
        &mut self,
        read: impl Fn(&mut Lookup, usize) -> Option<T>,
    ) -> Option<(usize, T)> {
        let mut of_baseline = Diagnostics::default();
        for variant in baseline_first(self.scenario.baseline, self.scenario.variants.len()) {
            let mut wrong = Diagnostics::default();
            let value = read(&mut Lookup { found: &mut wrong, ..*self }, variant);
            if let Some(value) = value.filter(|_| !wrong.has_errors()) {
                self.found.extend(wrong);
                return Some((variant, value));
            }
            if variant == self.scenario.baseline {
                of_baseline = wrong;
            }
        }
        self.found.extend(of_baseline);
        None
    }

    /// The positions of the situations for which a condition holds, of all without one; complains if there are none.
    pub(super) fn situations_where(&mut self, condition: Option<&Placed<String>>) -> Option<Vec<usize>> {
        let Some(condition) = condition else { return Some((0..self.scenario.situations.len()).collect()) };
        let place = rules_text(condition, self.sources, self.found)?;
        let (variant, condition) =
            self.first_that_reads(|Lookup { scenario, sources, found }, variant| {
                rules::expression(&scenario.variants[variant].rules, None, Type::Flag, place, sources, found)
            })?;
        let rules = &self.scenario.variants[variant].rules;
        let mut holds = Vec::new();
        for situation in 0..self.scenario.situations.len() {
            let Some(value) =
                rules::evaluate(rules, &condition, &self.scenario.assignment(variant, situation))
            else {
                let diagnostic = Diagnostic::error(
                    place,
                    "this cannot be worked out in every situation of the grid",
                    "here",
                );
                return self.refuse(diagnostic.remedy("ask for factors only"));
            };
            holds.extend((value != 0).then_some(situation));
        }
        if holds.is_empty() && !self.scenario.situations.is_empty() {
            let diagnostic = Diagnostic::error(place, "this holds in no situation of the grid", "never true");
            return self.refuse(diagnostic.remedy("check it against the values in [grid]"));
        }
        Some(holds)
    }

    /// The values in a set that is written in the rules' notation, as one variant's rules read it: of the result, as in
    /// `retreat..break`, or of a record, as in `losses is 3+`.
    pub(super) fn result_set(&mut self, variant: usize, place: Span) -> Option<ResultSet> {
        let text = self.sources.text(place).to_owned();
        let (measure, place) = match text.split_once(" is ") {
            Some((name, _)) => {
                let start = place.start as usize;
                let set = Span::new(place.file, start + name.len() + " is ".len(), place.end as usize);
                let name_at = Span::new(place.file, start, start + name.len());
                (self.measure_named(name.trim(), name_at)?, set)
            }
            None => (0, place),
        };
        let Measure { name, results, variants, .. } = &self.scenario.measures[measure];
        let Variant { name: called, rules, entry, .. } = &self.scenario.variants[variant];
        let Some(Measured { record, positions }) = &variants[variant] else {
            let message = format!("`{name}` is not recorded in `{called}`");
            return self.refuse(
                Diagnostic::error(place, message, "not there").remedy("name a variant that records it"),
            );
        };
        if text.split_once(" is ").is_none() && record.is_some() {
            let message = format!("`{}` gives nothing, so there is no result to ask for", self.scenario.test);
            let remedy = format!("ask for what it records, as in: P({name} is {text})");
            return self.refuse(Diagnostic::error(place, message, "of what?").remedy(remedy));
        }
        let ty = record.map_or(rules.tests[entry.0].result, |record| rules.records[record.0].ty);
        let spans = if *results == Results::Numbers {
            self.number_spans(rules, place)?
        } else {
            let domain: Vec<i32> = (0..positions.len()).map(|value| value as i32).collect();
            let values = rules::set_values(rules, ty, &domain, place, self.sources, self.found)?;
            joined(values.iter().filter_map(|value| Some(*positions.get(*value as usize)? as i64)).collect())
        };
        if spans.is_empty() {
            let diagnostic = Diagnostic::error(place, "this set of results is empty", "nothing is in it");
            return self.refuse(
                diagnostic.remedy("name at least one result; a range goes from the better to the worse"),
            );
        }
        Some(ResultSet { measure, text, spans })
    }

    /// A set of numbers as stretches. It can only begin and end at a number that is written in it, so asking at these and
    /// their neighbours is enough.
    fn number_spans(&mut self, rules: &Ruleset, place: Span) -> Option<Vec<(i64, i64)>> {
        let text = self.sources.text(place);
        if text.contains('(') {
            let diagnostic = Diagnostic::error(place, "nothing is worked out in a set of results", "this");
            return self.refuse(diagnostic.remedy("write the numbers themselves, as in 4..6"));
        }
        let mut probes = vec![i32::MIN, i32::MAX];
        for number in numbers_in(text) {
            for number in [number, -number] {
                probes.extend((number - 1..=number + 1).filter_map(|probe| i32::try_from(probe).ok()));
            }
        }
        probes.sort_unstable();
        probes.dedup();
        let inside = rules::set_values(rules, Type::Number, &probes, place, self.sources, self.found)?;
        let stretches = probes.chunk_by(|a, b| inside.contains(a) == inside.contains(b));
        let open = |end: i32| match end {
            i32::MIN => i64::MIN,
            i32::MAX => i64::MAX,
            end => i64::from(end),
        };
        let ends = |stretch: &[i32]| Some((open(*stretch.first()?), open(*stretch.last()?)));
        Some(stretches.filter(|stretch| inside.contains(&stretch[0])).filter_map(ends).collect())
    }
}

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

/// The positions of so many variants, the baseline's first.
pub(super) fn baseline_first(baseline: usize, variants: usize) -> impl Iterator<Item = usize> {
    std::iter::once(baseline).chain((0..variants).filter(move |variant| *variant != baseline))
}

/// The factors that a scenario means by a name: one, or each unit's own where it names a list of units, as in
/// `ours.ranks`.
pub fn factors_named(rules: &Ruleset, name: &str) -> Vec<FactorId> {
    if let Some(one) = rules.factor(name) {
        return vec![one];
    }
    let Some((list, own)) = name.rsplit_once('.') else { return Vec::new() };
    let own_of = |(word, first, count): &(String, usize, Option<usize>), units: &Units| {
        let own = units.factors.iter().position(|factor| rules.factors[factor.0].name == own)?;
        let all = *first..first + count.unwrap_or(1);
        (word == list).then(|| all.map(|unit| units.own(unit, own)).collect())
    };
    let groups = rules.units.iter().flat_map(|units| units.groups.iter().map(move |group| (group, units)));
    groups.filter_map(|(group, units)| own_of(group, units)).next().unwrap_or_default()
}

/// The names by which a scenario may call a factor.
pub(super) fn factor_names(rules: &Ruleset) -> BTreeSet<String> {
    let lists = rules.units.iter().flat_map(|units| {
        let own = units.factors.iter().map(|factor| &rules.factors[factor.0].name);
        let lists = units.groups.iter().filter(|group| group.2.is_some());
        own.flat_map(move |own| lists.clone().map(move |list| format!("{}.{own}", list.0)))
    });
    rules.factors.iter().map(|factor| factor.name.clone()).chain(lists).collect()
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

/// Neighbours joined into stretches.
pub(super) fn joined(mut keys: Vec<i64>) -> Vec<(i64, i64)> {
    keys.sort_unstable();
    let mut spans: Vec<(i64, i64)> = Vec::new();
    for key in keys {
        match spans.last_mut() {
            Some((_, high)) if key <= high.saturating_add(1) => *high = key,
            _ => spans.push((key, key)),
        }
    }
    spans
}

/// The whole numbers that are written in a text, without their signs, as far as they fit 32 bits.
pub(super) fn numbers_in(text: &str) -> Vec<i64> {
    let words = text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    words.filter_map(|word| word.parse::<u32>().ok()).map(i64::from).collect()
}

/// What is shown as one line, however it is written.
pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
