//! The sentences of claims and expectations, such as `P(break) in modified < P(break) in original by 2 points`.
//!
//! In: the place of a text in a file. Out: its parts, each with its place, or a diagnostic.
//!
//! **Never:** whether a result, a measure or a variant exists.

use super::fraction::fraction;
use super::model::{Margin, Relation};
use crate::diagnostic::{Diagnostic, Diagnostics, Sources, Span};

/// A comparison.
pub(super) struct Sentence {
    pub(super) left: Part,
    pub(super) relation: Relation,
    pub(super) right: Part,
    pub(super) margin: Option<Margin>,
}

/// One side of it, with its place.
pub(super) enum Part {
    /// A function of results or of a measure, and the place of the variant's name.
    Quantity(Function, Option<Span>),
    /// A number as a fraction.
    Number((i64, i64)),
}

/// What is asked for.
pub(super) enum Function {
    /// `P(set)`: the place of the set.
    Probability(Span),
    /// `mean(measure)`: the place of the measure.
    Mean(Span),
    /// `quantile(measure, level)`: the place of the measure, and the level from 0 to 1.
    Quantile(Span, f64),
}

const SIGNS: [(&str, Relation); 5] = [
    ("<=", Relation::AtMost),
    (">=", Relation::AtLeast),
    ("<", Relation::Less),
    (">", Relation::More),
    ("=", Relation::Equal),
];

/// Takes a sentence apart.
pub(super) fn sentence(place: Span, sources: &Sources, found: &mut Diagnostics) -> Option<Sentence> {
    let text = sources.text(place);
    let sign = outside_brackets(text).find_map(|at| {
        let (sign, relation) = SIGNS.iter().find(|(sign, _)| text[at..].starts_with(sign))?;
        Some((at, at + sign.len(), *relation))
    });
    let Some((before, after, relation)) = sign else {
        found.push(not_a_comparison(place));
        return None;
    };
    let left = part(within(place, 0, before, sources), sources, found);
    let (end, margin) = match margin(&text[after..]) {
        Some((at, margin)) => (after + at, Some(margin)),
        None => (text.len(), None),
    };
    let right = part(within(place, after, end, sources), sources, found);
    Some(Sentence { left: left?, relation, right: right?, margin })
}

fn not_a_comparison(place: Span) -> Diagnostic {
    let diagnostic = Diagnostic::error(place, "this compares nothing: it has none of < <= > >= =", "here");
    diagnostic.remedy("write it as in: P(break) in modified < P(break) in original by 2 points")
}

/// The positions of all letters that stand in no bracket.
fn outside_brackets(text: &str) -> impl Iterator<Item = usize> {
    let mut depth = 0_i32;
    text.char_indices().filter_map(move |(at, letter)| {
        depth += i32::from(letter == '(') - i32::from(letter == ')');
        (depth <= 0).then_some(at)
    })
}

/// The bytes `start..end` of a place, without the blanks around them.
fn within(place: Span, start: usize, end: usize, sources: &Sources) -> Span {
    let text = &sources.text(place)[start..end];
    let start = place.start as usize + start + (text.len() - text.trim_start().len());
    Span::new(place.file, start, start + text.trim().len())
}

/// `by 2 points` at the end of a text: where it begins, and what it says.
fn margin(text: &str) -> Option<(usize, Margin)> {
    let at = text.rfind(" by ")?;
    let mut words = text[at + " by ".len()..].split_whitespace();
    let (top, bottom) = fraction(words.next()?)?;
    let size = top as f64 / bottom as f64;
    let margin = match (words.next()?, words.next()) {
        ("point" | "points", None) => Margin::Points(size),
        ("time" | "times", None) => Margin::Times(size),
        _ => return None,
    };
    Some((at, margin))
}

fn part(place: Span, sources: &Sources, found: &mut Diagnostics) -> Option<Part> {
    let text = sources.text(place);
    if let Some(number) = signed(text) {
        return Some(Part::Number(number));
    }
    let open = text.find('(');
    let close = outside_brackets(text).find(|at| text[*at..].starts_with(')'));
    let (Some(open), Some(close)) = (open, close.filter(|close| open.is_some_and(|open| open < *close)))
    else {
        found.push(no_quantity(place));
        return None;
    };
    let name = within(place, 0, open, sources);
    let function = function(name, within(place, open + 1, close, sources), sources, found)?;
    let rest = within(place, close + 1, text.len(), sources);
    match sources.text(rest).strip_prefix("in ") {
        Some(variant) => {
            let start = sources.text(rest).len() - variant.len();
            Some(Part::Quantity(function, Some(within(rest, start, sources.text(rest).len(), sources))))
        }
        None if rest.start == rest.end => Some(Part::Quantity(function, None)),
        None => {
            let message = "after a quantity only `in` and a variant, or `by` and a margin, can stand";
            let diagnostic = Diagnostic::error(rest, message, "not understood");
            found.push(diagnostic.remedy("write it as in: P(break) in modified >= 0.25 by 2 points"));
            None
        }
    }
}

/// A number that may be below zero.
fn signed(text: &str) -> Option<(i64, i64)> {
    match text.strip_prefix('-') {
        Some(text) => fraction(text).map(|(top, bottom)| (-top, bottom)),
        None => fraction(text),
    }
}

fn no_quantity(place: Span) -> Diagnostic {
    let diagnostic = Diagnostic::error(place, "this is neither a quantity nor a number", "here");
    diagnostic.remedy("write P(results), mean(measure), quantile(measure, 0.5), 0.25, 25% or 1/4")
}

fn function(name: Span, argument: Span, sources: &Sources, found: &mut Diagnostics) -> Option<Function> {
    match sources.text(name) {
        "P" => return Some(Function::Probability(argument)),
        "mean" => return Some(Function::Mean(argument)),
        "quantile" => {}
        wrong => {
            let message = format!("there is no quantity called `{wrong}`");
            let diagnostic = Diagnostic::error(name, message, "not known");
            found.push(diagnostic.did_you_mean(wrong, ["P", "mean", "quantile"]));
            return None;
        }
    }
    let text = sources.text(argument);
    let parts = text.split_once(',').and_then(|(measure, level)| Some((measure.len(), fraction(level)?)));
    let Some((end, (top, bottom))) = parts.filter(|(_, (top, bottom))| top <= bottom) else {
        let message = "a quantile needs a measure and a level from 0 to 1";
        found.push(
            Diagnostic::error(argument, message, "here").remedy("write it as in: quantile(result, 0.95)"),
        );
        return None;
    };
    Some(Function::Quantile(within(argument, 0, end, sources), top as f64 / bottom as f64))
}
