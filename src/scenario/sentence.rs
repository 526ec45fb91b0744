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
    /// A number as a fraction, and its place.
    Number((i64, i64), Span),
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
    let (end, margin) = match text[after..].rfind(" by ") {
        Some(at) => {
            (after + at, Some(margin(within(place, after + at, text.len(), sources), sources, found)?))
        }
        None => (text.len(), None),
    };
    let right = part(within(place, after, end, sources), sources, found);
    let sentence = Sentence { left: left?, relation, right: right?, margin };
    compares_with_a_probability(&sentence, sources, found).then_some(sentence)
}

/// Takes an aim apart: a word, and a quantity such as `P(break)` or `mean(losses)`.
pub(super) fn aim(place: Span, sources: &Sources, found: &mut Diagnostics) -> Option<Function> {
    let text = sources.text(place);
    let word = text.len() - text.trim_start().len() + text.split_whitespace().next().map_or(0, str::len);
    match part(within(place, word, text.len(), sources), sources, found)? {
        Part::Quantity(function, None) => Some(function),
        _ => {
            let diagnostic = Diagnostic::error(place, "this aims at nothing that is counted", "here");
            found.push(diagnostic.remedy("write it as in: minimise P(break), maximise mean(hits)"));
            None
        }
    }
}

/// Takes a quantity apart that stands alone: `mean(losses)`, or `P(break)`, which may also be written `break`.
pub(super) fn quantity(place: Span, sources: &Sources, found: &mut Diagnostics) -> Option<Function> {
    if !sources.text(place).contains('(') {
        return Some(Function::Probability(place));
    }
    match part(place, sources, found)? {
        Part::Quantity(function, None) => Some(function),
        _ => {
            let diagnostic = Diagnostic::error(place, "this is no figure of one variant", "here");
            found.push(diagnostic.remedy("write it as in: P(break), mean(hits)"));
            None
        }
    }
}

/// Complains of a number that no probability can be.
fn compares_with_a_probability(sentence: &Sentence, sources: &Sources, found: &mut Diagnostics) -> bool {
    let ((Part::Quantity(Function::Probability(_), _), Part::Number((top, bottom), place))
    | (Part::Number((top, bottom), place), Part::Quantity(Function::Probability(_), _))) =
        (&sentence.left, &sentence.right)
    else {
        return true;
    };
    if (0..=*bottom).contains(top) {
        return true;
    }
    let diagnostic = Diagnostic::error(*place, "a probability lies between 0 and 1", "outside that");
    let text = sources.text(*place);
    found.push(match fraction(&format!("{text}%")) {
        Some((top, bottom)) if top <= bottom => diagnostic.remedy(format!("did you mean `{text}%`?")),
        _ => diagnostic.remedy("write it as in: 0.25, 25% or 9/36"),
    });
    false
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

/// `by 2 points`
fn margin(place: Span, sources: &Sources, found: &mut Diagnostics) -> Option<Margin> {
    let words: Vec<&str> = sources.text(place).split_whitespace().collect();
    let margin = match words[..] {
        [_, size, unit] => fraction(size).map(|size| (size, unit)),
        _ => None,
    };
    match margin {
        Some((size, "point" | "points")) => Some(Margin::Points(size)),
        Some((size, "time" | "times")) => Some(Margin::Times(size)),
        _ => {
            let diagnostic = Diagnostic::error(place, "this margin is not understood", "here");
            found.push(diagnostic.remedy("write `by 2 points` or `by 1.5 times`"));
            None
        }
    }
}

fn part(place: Span, sources: &Sources, found: &mut Diagnostics) -> Option<Part> {
    let text = sources.text(place);
    if let Some(number) = signed(text) {
        return Some(Part::Number(number, place));
    }
    let open = text.find('(');
    let close = outside_brackets(text).find(|at| text[*at..].starts_with(')'));
    let (Some(open), Some(close)) = (open, close.filter(|close| open.is_some_and(|open| open < *close)))
    else {
        found.push(no_quantity(place, text));
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

fn no_quantity(place: Span, text: &str) -> Diagnostic {
    let message = format!("`{text}` is neither a quantity nor a number");
    let diagnostic = Diagnostic::error(place, message, "here");
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A sentence with its parts in angle brackets, or the mistakes as "place: message".
    fn taken_apart(text: &str) -> String {
        let (mut sources, mut found) = (Sources::default(), Diagnostics::default());
        let file = sources.add("a.toml", text);
        let sentence = sentence(Span::new(file, 0, text.len()), &sources, &mut found);
        let side = |part: &Part| match part {
            Part::Number((top, bottom), _) => format!("<{top}/{bottom}>"),
            Part::Quantity(function, variant) => {
                let function = match function {
                    Function::Probability(set) => format!("P<{}>", sources.text(*set)),
                    Function::Mean(name) => format!("mean<{}>", sources.text(*name)),
                    Function::Quantile(name, level) => format!("quantile<{}, {level}>", sources.text(*name)),
                };
                function
                    + &variant.map_or(String::new(), |variant| format!(" in <{}>", sources.text(variant)))
            }
        };
        let told: Vec<String> =
            found.iter().map(|one| format!("{}: {}", sources.text(one.labels[0].0), one.message)).collect();
        sentence.map_or(told.join(" | "), |one| {
            let margin = one.margin.map_or(String::new(), |margin| format!(" {margin:?}"));
            format!("{} {:?} {}{margin}", side(&one.left), one.relation, side(&one.right))
        })
    }

    #[test]
    fn a_comparison_of_two_drafts_is_taken_apart() {
        let text = " P(retreat..break) in modified<P( >= 3 ) in the old one  by 2.5 points";
        assert_eq!(
            taken_apart(text),
            "P<retreat..break> in <modified> Less P<>= 3> in <the old one> Points((5, 2))"
        );
    }

    #[test]
    fn every_sign_and_every_quantity_is_known() {
        assert_eq!(taken_apart("P(a) <= 35%"), "P<a> AtMost <7/20>");
        assert_eq!(taken_apart("mean(result) >= -1.5"), "mean<result> AtLeast <-3/2>");
        assert_eq!(taken_apart("quantile(result, 95%) in b > 3"), "quantile<result, 0.95> in <b> More <3/1>");
        assert_eq!(taken_apart("1/3 = P((a))"), "<1/3> Equal P<(a)>");
        assert_eq!(taken_apart("P(a) > P(b) by 1.5 times"), "P<a> More P<b> Times((3, 2))");
    }

    #[test]
    fn what_is_not_understood_is_named_at_its_place() {
        assert_eq!(
            taken_apart("P(break) in modified"),
            "P(break) in modified: this compares nothing: it has none of < <= > >= ="
        );
        assert_eq!(taken_apart("P(a) < often"), "often: `often` is neither a quantity nor a number");
        assert_eq!(taken_apart("median(a) < 3"), "median: there is no quantity called `median`");
        assert_eq!(
            taken_apart("quantile(a, 2) < 3"),
            "a, 2: a quantile needs a measure and a level from 0 to 1"
        );
        assert_eq!(
            taken_apart("P(a) on b < 3"),
            "on b: after a quantity only `in` and a variant, or `by` and a margin, can stand"
        );
        assert_eq!(taken_apart("P(a) < 3 by two points"), "by two points: this margin is not understood");
        assert_eq!(taken_apart("P(a < 3"), "P(a < 3: this compares nothing: it has none of < <= > >= =");
    }

    #[test]
    fn a_number_that_no_probability_can_be_is_refused() {
        let told = |number: &str| format!("{number}: a probability lies between 0 and 1");
        assert_eq!(taken_apart("P(a) < 5"), told("5"));
        assert_eq!(taken_apart("99/36 = P(a) in b"), told("99/36"));
        assert_eq!(taken_apart("P(a) > -0.5"), told("-0.5"));
        assert_eq!(taken_apart("P(a) <= 1"), "P<a> AtMost <1/1>");
        assert_eq!(taken_apart("mean(result) < 5 by 7 points"), "mean<result> Less <5/1> Points((7, 1))");
    }

    #[test]
    fn two_wrong_sides_are_told_at_once() {
        assert_eq!(
            taken_apart("x < y"),
            "x: `x` is neither a quantity nor a number | y: `y` is neither a quantity nor a number"
        );
    }
}
