//! What users wrote, as text that Markdown takes for nothing else.
//!
//! In: a text, or a question with all of its texts. Out: the same with a backslash before whatever would be read as a
//! mark, a link or a tag. What stands in a code span is left as it is.
//!
//! **Never:** where a text will stand.

use crate::rules::Ruleset;
use crate::scenario::{Named, Quantity, Results, Scenario, Side};
use std::sync::Arc;

/// A question whose labels, names and sentences are escaped; not what is shown as code: tests, measures, claims as they
/// are written.
pub(in crate::report) fn escaped(scenario: &Scenario) -> Scenario {
    let mut all = scenario.clone();
    escape(&mut all.title);
    for variant in &mut all.variants {
        escape(&mut variant.name);
        rules(Arc::make_mut(&mut variant.rules));
    }
    for factor in &mut all.factors {
        escape(&mut factor.label);
        named(&mut factor.values);
    }
    for measure in &mut all.measures {
        escape(&mut measure.label);
        if let Results::Named(values) = &mut measure.results {
            named(values);
        }
    }
    for claim in &mut all.claims {
        if claim.text != claim.holds {
            escape(&mut claim.text);
        }
        for side in [&mut claim.left, &mut claim.right] {
            if let Side::Quantity(figure, _) = side {
                quantity(figure);
            }
        }
    }
    for expect in &mut all.expects {
        escape(&mut expect.place);
        escape(&mut expect.source);
        quantity(&mut expect.quantity);
    }
    all
}

fn rules(rules: &mut Ruleset) {
    escape(&mut rules.name);
    rules.sources.iter_mut().chain(&mut rules.notes).for_each(escape);
    rules.factors.iter_mut().for_each(|factor| escape(&mut factor.label));
    let values = rules.kinds.iter_mut().flat_map(|kind| &mut kind.values);
    values.for_each(|value| escape(&mut value.label));
}

fn named(values: &mut [Named]) {
    values.iter_mut().for_each(|value| escape(&mut value.label));
}

fn quantity(quantity: &mut Quantity) {
    if let Quantity::Probability(set) = quantity {
        escape(&mut set.text);
    }
}

/// Puts a backslash before each letter of a text that would be read as a mark.
pub(in crate::report) fn escape(text: &mut String) {
    let mut written = String::with_capacity(text.len());
    for (at, letter) in text.char_indices() {
        let (before, behind) = (&text[..at], &text[at + letter.len_utf8()..]);
        if is_mark(before, letter, behind) {
            written.push('\\');
        }
        written.push(if letter == '\n' { ' ' } else { letter });
    }
    *text = written;
}

/// Whether a letter is read as a mark where it stands between these.
///
/// **Source:** the specification of GitHub Flavored Markdown, <https://github.github.com/gfm/>.
fn is_mark(before: &str, letter: char, behind: &str) -> bool {
    let next = behind.chars().next();
    let last = before.chars().next_back();
    let within_word = [last, next].iter().all(|one| one.is_some_and(char::is_alphanumeric));
    let starts_line = before.trim().is_empty() && next.is_none_or(|next| next == ' ');
    match letter {
        '*' | '`' | '~' => true,
        '\\' => next.is_none_or(|next| next.is_ascii_punctuation()),
        '_' => !within_word,
        '<' => next.is_some_and(|next| next.is_alphabetic() || "/!?".contains(next)),
        '&' => is_entity(behind),
        ']' => next.is_some_and(|next| "([".contains(next)),
        '[' => before.trim().is_empty(),
        '#' | '+' | '-' | '>' => starts_line,
        '.' | ')' => {
            let number = before.trim_start();
            !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) && next == Some(' ')
        }
        _ => false,
    }
}

/// Whether what stands behind `&` makes it a letter by its name or number: `lt;`, `#60;`.
fn is_entity(behind: &str) -> bool {
    let name = behind.split_once(';').map(|(name, _)| name.strip_prefix('#').unwrap_or(name));
    name.is_some_and(|name| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> String {
        let mut text = text.to_owned();
        escape(&mut text);
        text
    }

    #[test]
    fn marks_links_and_tags_become_letters() {
        for (text, expected) in [
            ("*Elite* guard", "\\*Elite\\* guard"),
            ("__init__", "\\_\\_init\\_\\_"),
            ("`code`, ~gone~", "\\`code\\`, \\~gone\\~"),
            ("<b>bold</b><!-- -->", "\\<b>bold\\</b>\\<!-- -->"),
            ("[a](http://b) ![c][d]", "\\[a\\](http://b) ![c\\][d]"),
            ("fish &amp; chips &#60;", "fish \\&amp; chips \\&#60;"),
            ("1. first", "1\\. first"),
            ("# of men", "\\# of men"),
            ("- retreat", "\\- retreat"),
            ("C:\\*", "C:\\\\\\*"),
        ] {
            assert_eq!(written(text), expected, "{text}");
        }
    }

    #[test]
    fn what_is_no_mark_is_left_alone() {
        for text in [
            "hold_disordered",
            "side[1]: horse",
            "losses < 3",
            "2<3",
            "horse & foot; guns",
            "Retreat (in order)",
            "-1 per loss",
            "2.5 points. 3) more",
            "a\\b",
        ] {
            assert_eq!(written(text), text);
        }
    }
}
