//! Figures and situations as a person would write them.
//!
//! In: fractions, counts, the question. Out: words.
//!
//! **Never:** where they will stand.

use crate::scenario::{GridFactor, Named, Results, Scenario};

/// A probability in percent, with one decimal and without its sign: `16.7`. What is not 0 or 100 never looks like it.
pub(super) fn percent(probability: f64) -> String {
    match probability {
        p if 0.0 < p && p < 0.0005 => "<0.1".to_owned(),
        p if (0.9995..1.0).contains(&p) => ">99.9".to_owned(),
        p => format!("{:.1}", p * 100.0),
    }
}

/// A difference of probabilities in percentage points, with its sign and so many decimals: `+8.3`.
pub(super) fn points(difference: f64, decimals: usize) -> String {
    let text = format!("{:+.decimals$}", difference * 100.0);
    if text[1..].chars().all(|digit| matches!(digit, '0' | '.')) { text[1..].to_owned() } else { text }
}

/// A whole number with commas: `1,000,000`.
pub(super) fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy);
    groups.collect::<Vec<_>>().join(",")
}

/// So many of something: `1 situation`, `7 situations`.
pub(super) fn counted(number: usize, one: &str, several: &str) -> String {
    format!("{} {}", thousands(number as u64), if number == 1 { one } else { several })
}

/// `a`, `a and b`, `a, b and c`.
pub(super) fn list(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// The label of a result; a number is its own.
pub(super) fn result_label(scenario: &Scenario, key: i32) -> String {
    named_result(scenario, key).map_or_else(|| key.to_string(), |named| named.label.clone())
}

/// The name of a result; a number is its own.
pub(super) fn result_name(scenario: &Scenario, key: i32) -> String {
    named_result(scenario, key).map_or_else(|| key.to_string(), |named| named.name.clone())
}

fn named_result(scenario: &Scenario, key: i32) -> Option<&Named> {
    match &scenario.results {
        Results::Named(named) => named.get(usize::try_from(key).ok()?),
        Results::Numbers => None,
    }
}

/// How a flag that is not set begins.
const NOT: &str = "not ";

/// What must be said wherever situations are named and some flags are not.
pub(super) const UNSAID: &str = "What a situation does not mention is not the case.";

/// Every situation in words, such as "Infantry, shooting, excess 2, shaken"; factors that have one value throughout the
/// grid are left out, and so are flags that are "no", unless nothing else is left (see [`UNSAID`]).
pub(super) fn situations(scenario: &Scenario) -> Vec<String> {
    let varies =
        |factor: usize| scenario.situations.iter().any(|row| row[factor] != scenario.situations[0][factor]);
    let varying: Vec<usize> = (0..scenario.factors.len()).filter(|factor| varies(*factor)).collect();
    let name = |row: &Vec<usize>| {
        let parts: Vec<String> = varying.iter().map(|factor| part(scenario, *factor, row[*factor])).collect();
        let said: Vec<String> = parts.iter().filter(|part| !part.starts_with(NOT)).cloned().collect();
        let text = if said.is_empty() { parts.join(", ") } else { said.join(", ") };
        if text.is_empty() { "The one situation".to_owned() } else { upper_first(&text) }
    };
    scenario.situations.iter().map(name).collect()
}

/// Whether some flag is "yes" in one situation and "no" in another.
pub(super) fn flags_vary(scenario: &Scenario) -> bool {
    let flag =
        |factor: usize, row: &[usize]| scenario.factors[factor].values[row[factor]].name.as_str() == "yes";
    let differs = |factor: usize| {
        scenario.situations.iter().any(|row| flag(factor, row) != flag(factor, &scenario.situations[0]))
    };
    (0..scenario.factors.len()).any(differs)
}

/// The factors that have one value throughout the grid: label and the value's label.
pub(super) fn fixed(scenario: &Scenario) -> Vec<(String, String)> {
    let Some(first) = scenario.situations.first() else { return Vec::new() };
    let same = |factor: &usize| scenario.situations.iter().all(|row| row[*factor] == first[*factor]);
    let pair = |factor: usize| {
        let GridFactor { label, values, .. } = &scenario.factors[factor];
        (label.clone(), values[first[factor]].label.clone())
    };
    (0..scenario.factors.len()).filter(same).map(pair).collect()
}

/// One factor's part of a situation's name.
fn part(scenario: &Scenario, factor: usize, position: usize) -> String {
    let GridFactor { label, numeric, values, .. } = &scenario.factors[factor];
    let (value, label) = (&values[position], lower_first(label));
    let shared = scenario.factors.iter().enumerate().any(|(other, factor_)| {
        other != factor && factor_.values.iter().any(|named| named.label == value.label)
    });
    match value.name.as_str() {
        _ if *numeric => format!("{label} {}", value.label),
        "yes" => label,
        "no" => format!("{NOT}{label}"),
        _ if shared => format!("{label}: {}", lower_first(&value.label)),
        _ => lower_first(&value.label),
    }
}

/// With a small first letter, unless the word is one of capitals.
pub(super) fn lower_first(text: &str) -> String {
    let mut letters = text.chars();
    match (letters.next(), letters.next()) {
        (Some(first), second) if second.is_none_or(|letter| !letter.is_uppercase()) => {
            first.to_lowercase().chain(text.chars().skip(1)).collect()
        }
        _ => text.to_owned(),
    }
}

/// A text for a cell of a Markdown table.
pub(super) fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

/// With a capital first letter.
pub(super) fn upper_first(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percent_never_hides_a_small_chance() {
        assert_eq!(
            [0.0, 0.0001, 0.0833, 0.99999, 1.0].map(percent),
            ["0.0", "<0.1", "8.3", ">99.9", "100.0"]
        );
    }

    #[test]
    fn points_have_their_sign_unless_they_are_nothing() {
        assert_eq!(
            [0.0833, -0.0833, 0.00001, -0.00001, 0.0].map(|d| points(d, 1)),
            ["+8.3", "-8.3", "0.0", "0.0", "0.0"]
        );
    }

    #[test]
    fn numbers_are_grouped_by_thousands() {
        assert_eq!([0, 999, 1000, 1_000_000].map(thousands), ["0", "999", "1,000", "1,000,000"]);
    }

    #[test]
    fn where_only_flags_vary_those_that_are_no_are_named_too() {
        let mut scenario = crate::report::tests::scenario();
        scenario.situations.truncate(2);
        assert_eq!(situations(&scenario), ["Not disordered", "Disordered"]);
        scenario.situations.truncate(1);
        assert_eq!(situations(&scenario), ["The one situation"]);
    }

    #[test]
    fn situations_are_named_by_what_varies() {
        let scenario = crate::report::tests::scenario();
        let names = situations(&scenario);
        assert_eq!(names[0], "Infantry, shooting, excess casualties 0");
        assert_eq!(names[1], "Infantry, shooting, excess casualties 0, disordered");
        assert_eq!(names[names.len() - 1], "Cavalry, hand-to-hand, excess casualties 4, disordered");
        assert_eq!(fixed(&scenario), [("Weather".to_owned(), "Dry".to_owned())]);
    }
}
