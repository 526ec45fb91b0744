//! Claims and expectations.

use super::grid::{in_backticks, unset};
use super::place::{Lookup, one_line, rules_text};
use super::variant::{Start, set};
use crate::diagnostic::{Diagnostic, Diagnostics, Span};
use crate::rules;
use crate::scenario::document::{ClaimText, ExpectText, Setting};
use crate::scenario::model::{Claim, Expect, Quantity, Relation, Results, Side, Variant};
use crate::scenario::sentence::{Function, Part, sentence};
use crate::scenario::tree::Placed;

impl Lookup<'_> {
    /// A claim, or what is wrong with it.
    pub(super) fn claim(&mut self, text: &ClaimText) -> Option<Claim> {
        let situations = self.situations_where(text.filter.as_ref());
        let holds = text.holds.as_ref()?;
        let place = rules_text(holds, self.sources, self.found)?;
        let sentence = sentence(place, self.sources, self.found)?;
        let left = self.side(&sentence.left, place);
        let right = self.side(&sentence.right, place);
        let (left, right) = (left?, right?);
        self.found.extend(compares_nothing(&left, &right, place));
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

    fn side(&mut self, part: &Part, place: Span) -> Option<Side> {
        match part {
            Part::Number((top, bottom), _) => Some(Side::Number((*top, *bottom))),
            Part::Quantity(function, variant) => {
                let variant = match variant {
                    Some(place) => self.named_variant(self.sources.text(*place), *place),
                    None => self.usual_variant(place),
                }?;
                Some(Side::Quantity(self.quantity(function, variant)?, variant))
            }
        }
    }

    fn named_variant(&mut self, name: &str, place: Span) -> Option<usize> {
        let at = self.scenario.variants.iter().position(|variant| variant.name == name);
        if at.is_none() {
            let diagnostic =
                Diagnostic::error(place, format!("there is no variant called `{name}`"), "not known");
            let known = self.scenario.variants.iter().map(|variant| variant.name.as_str());
            let diagnostic = diagnostic.did_you_mean(name, known);
            self.found.push(match meant(name) {
                Some(remedy) => diagnostic.remedy(remedy),
                None => diagnostic,
            });
        }
        at
    }

    /// The variant of that name, or where none is named the usual one; `place` is where the name would stand.
    pub(super) fn variant(&mut self, name: Option<&Placed<String>>, place: Span) -> Option<usize> {
        match name {
            Some(name) => self.named_variant(&name.value, name.span),
            None => self.usual_variant(place),
        }
    }

    /// The variant that is meant where none is named: the only one, or the only one beside the baseline.
    fn usual_variant(&mut self, place: Span) -> Option<usize> {
        match self.scenario.variants.len() {
            1 => Some(0),
            2 => Some(1 - self.scenario.baseline),
            _ => {
                let names: Vec<String> =
                    self.scenario.variants.iter().map(|variant| variant.name.clone()).collect();
                let diagnostic = Diagnostic::error(place, "which variant is meant?", "there are several");
                self.refuse(diagnostic.remedy(format!("name one of {}", in_backticks(&names))))
            }
        }
    }

    /// A quantity of which everything is looked up.
    pub(super) fn quantity(&mut self, function: &Function, variant: usize) -> Option<Quantity> {
        Some(match function {
            Function::Probability(set) => Quantity::Probability(self.result_set(variant, *set)?),
            Function::Mean(name) => Quantity::Mean(self.number(*name, variant)?),
            Function::Quantile(name, level) => Quantity::Quantile(self.number(*name, variant)?, *level),
        })
    }

    /// A measure of a variant that has a mean.
    fn number(&mut self, place: Span, variant: usize) -> Option<usize> {
        let name = self.sources.text(place);
        let at = self.measure_named(name, place)?;
        let measure = &self.scenario.measures[at];
        let (message, remedy) = if measure.results != Results::Numbers {
            let what = match name {
                "result" => format!("`{}` ends in a name", self.scenario.test),
                _ => format!("`{name}` is no number"),
            };
            let example = if name == "result" { "P(...)".to_owned() } else { format!("P({name} is ...)") };
            (format!("{what}, and names have no mean"), format!("ask for {example}"))
        } else if measure.variants[variant].is_none() {
            let message = format!("`{name}` is not recorded in `{}`", self.scenario.variants[variant].name);
            (message, "name a variant that records it".to_owned())
        } else {
            return Some(at);
        };
        self.refuse(Diagnostic::error(place, message, "this").remedy(remedy))
    }

    /// An expectation, or what is wrong with it.
    pub(super) fn expect(&mut self, text: &ExpectText, starts: &[Start]) -> Option<Expect> {
        let variant = self.variant(text.variant.as_ref(), text.span)?;
        let situation = self.situation(text, variant, starts);
        let (quantity, value, fraction) = self.known_value(text, variant)?;
        if text.limit && !matches!(quantity, Quantity::Probability(_)) {
            let message = "a limit is a probability: of a mean or a quantile nobody knows how far it is away";
            let remedy = "take `limit = true` out, or ask for P(...)";
            return self.refuse(Diagnostic::error(text.span, message, "not a probability").remedy(remedy));
        }
        let source = text.source.as_ref()?.value.clone();
        let setting = |setting: &Setting| format!("{} {}", setting.factor.value, setting.value.value);
        let place = text.situation.iter().map(setting).collect::<Vec<_>>().join(", ");
        let (situation, limit, span) = (situation?, text.limit, text.span);
        Some(Expect { variant, situation, place, quantity, value, fraction, source, limit, span })
    }

    /// A value for every factor; complains of those that have none, and of situations that do not exist.
    fn situation(&mut self, text: &ExpectText, variant: usize, starts: &[Start]) -> Option<Vec<i32>> {
        let Variant { rules, base, .. } = &self.scenario.variants[variant];
        let mut values = starts[variant].values.clone();
        let mut wrong = Diagnostics::default();
        set(rules, &text.situation, &mut values, &mut wrong);
        let sound = !wrong.has_errors();
        self.found.extend(wrong);
        let unset = unset(&self.scenario.variants[variant], &values);
        let unset: Vec<String> = unset.into_iter().map(|id| rules.factors[id.0].name.clone()).collect();
        if sound && !unset.is_empty() {
            let message = format!("nothing says what these factors are: {}", in_backticks(&unset));
            let diagnostic = Diagnostic::error(text.span, message, "they have no default");
            return self.refuse(diagnostic.remedy("add each to `situation`"));
        }
        let values: Vec<i32> = values.iter().zip(base).map(|(value, base)| value.unwrap_or(*base)).collect();
        if let Some(why) = rules::never(rules, &values) {
            let message = format!("this situation does not exist: {why}");
            return self.refuse(Diagnostic::error(text.span, message, "here").remedy("change `situation`"));
        }
        sound.then_some(values)
    }

    /// `P(break) = 3/36` as the quantity, the text of its value, and the same as a fraction.
    fn known_value(&mut self, text: &ExpectText, variant: usize) -> Option<(Quantity, String, (i64, i64))> {
        let place = rules_text(text.value.as_ref()?, self.sources, self.found)?;
        let sentence = sentence(place, self.sources, self.found)?;
        let (Part::Quantity(function, None), Relation::Equal, Part::Number(number, _), None) =
            (&sentence.left, sentence.relation, &sentence.right, sentence.margin)
        else {
            let diagnostic =
                Diagnostic::error(place, "a known value is a quantity, `=` and a number", "not like that");
            return self.refuse(diagnostic.remedy("write it as in: P(break) = 3/36"));
        };
        let written = self.sources.text(place).rsplit('=').next().unwrap_or_default().trim().to_owned();
        Some((self.quantity(function, variant)?, written, *number))
    }
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
