//! Figures and situations as a person would write them.
//!
//! In: fractions, counts, the question. Out: words.
//!
//! **Never:** where they will stand.

use crate::analyse::{Analysis, Place};
use crate::scenario::{GridFactor, Measure, Named, Results, Scenario};

/// A probability in percent, with one decimal and without its sign: `16.7`. What is not 0 or 100 never looks like it.
pub(super) fn percent(probability: f64) -> String {
    match probability {
        p if p.is_nan() => "none".to_owned(),
        p if 0.0 < p && p < 0.0005 => "<0.1".to_owned(),
        p if (0.9995..1.0).contains(&p) => ">99.9".to_owned(),
        p => format!("{:.1}", p * 100.0),
    }
}

/// A level in percent, with at most two decimals: `95`, `99.55`.
pub(super) fn percent_of(level: f64) -> String {
    format!("{:.2}", level * 100.0).trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// How many trials each situation had: `1,000`, or `65,536 to 4,194,304`.
pub(super) fn trials(analysis: &Analysis) -> String {
    let all = || analysis.cells.iter().flatten().map(|cell| cell.sample.trials);
    let (least, most) = (all().min().unwrap_or(0), all().max().unwrap_or(0));
    if least == most { thousands(most) } else { format!("{} to {}", thousands(least), thousands(most)) }
}

/// A variant, and where it is played: `modified: infantry, shooting`. `names` are those of [`situations`].
pub(super) fn place(scenario: &Scenario, names: &[String], place: Place) -> String {
    let (variant, place) = match place {
        Place::Cell(variant, situation) => (variant, lower_first(&names[situation])),
        Place::Expectation(at) => {
            let expect = &scenario.expects[at];
            let place = if expect.place.is_empty() { "the defaults" } else { &expect.place };
            (expect.variant, format!("{place} (not in the grid)"))
        }
    };
    format!("{}: {place}", scenario.variants[variant].name)
}

/// A difference of probabilities in percentage points, with its sign and so many decimals: `+8.3`.
pub(super) fn points(difference: f64, decimals: usize) -> String {
    signed(difference * 100.0, decimals)
}

/// A number with its sign, unless it is nothing, and so many decimals.
pub(super) fn signed(number: f64, decimals: usize) -> String {
    let text = format!("{number:+.decimals$}");
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

/// The label of a measure's value; a number is its own.
pub(super) fn result_label(measure: &Measure, key: i64) -> String {
    named_result(measure, key).map_or_else(|| key.to_string(), |named| named.label.clone())
}

/// The name of a measure's value; a number is its own.
pub(super) fn result_name(measure: &Measure, key: i64) -> String {
    named_result(measure, key).map_or_else(|| key.to_string(), |named| named.name.clone())
}

/// Whether these are the two values of a flag.
pub(super) fn is_flag(named: &[Named]) -> bool {
    named.iter().map(|value| value.name.as_str()).eq(["no", "yes"])
}

fn named_result(measure: &Measure, key: i64) -> Option<&Named> {
    match &measure.results {
        Results::Named(named) => named.get(usize::try_from(key).ok()?),
        Results::Numbers => None,
    }
}

/// A flag that is not set: `not shaken`, of a unit `attacker: not shaken`.
pub(super) fn denied(label: &str) -> String {
    match label.split_once(": ") {
        Some((unit, label)) => format!("{unit}: not {label}"),
        None => format!("not {label}"),
    }
}

/// What a figure such as `P(break)` or `mean(losses)` is in words: `the chance of “Break”`, `the mean of losses`.
pub(super) fn figure(scenario: &Scenario, text: &str) -> String {
    let within = |word: &str| text.strip_prefix(word)?.strip_suffix(')');
    let measure = |name: &str| scenario.measures.iter().find(|measure| measure.name == name);
    if let Some(set) = within("P(") {
        let label = match &scenario.main().results {
            Results::Named(named) => named.iter().find(|one| one.name == set).map(|one| &one.label),
            Results::Numbers => None,
        };
        return match label {
            None if set.contains(" is ") => format!("the chance that {set}"),
            label => format!("the chance of “{}”", label.map_or(set, String::as_str)),
        };
    }
    let label = |name: &str| measure(name).map_or_else(|| name.to_owned(), |one| lower_first(&one.label));
    within("mean(").map_or_else(|| text.to_owned(), |name| format!("the mean of {}", label(name)))
}

/// What must be said wherever situations are named and some flags are not.
pub(super) const UNSAID: &str = "What a situation does not mention is not the case.";

/// Every situation in words, such as "Infantry, shooting, excess 2, shaken"; factors that have one value throughout the
/// grid are left out, and so are flags that are "no", unless nothing else is left (see [`UNSAID`]).
pub(super) fn situations(scenario: &Scenario) -> Vec<String> {
    let all: Vec<usize> = (0..scenario.situations.len()).collect();
    let varying = varying(scenario, &all);
    all.iter().map(|at| situation_by(scenario, &varying, *at)).collect()
}

/// The factors that do not have the same value in all of these situations.
pub(super) fn varying(scenario: &Scenario, situations: &[usize]) -> Vec<usize> {
    let value = |at: usize, factor: usize| scenario.situations[at][factor];
    let varies =
        |factor: &usize| situations.iter().any(|at| value(*at, *factor) != value(situations[0], *factor));
    (0..scenario.factors.len()).filter(varies).collect()
}

/// A situation in words, by some of its factors.
pub(super) fn situation_by(scenario: &Scenario, factors: &[usize], situation: usize) -> String {
    let row = &scenario.situations[situation];
    let no = |factor: &usize| scenario.factors[*factor].values[row[*factor]].name == "no";
    let said: Vec<usize> = factors.iter().copied().filter(|factor| !no(factor)).collect();
    let said = if said.is_empty() { factors } else { &said };
    let text = joined(said.iter().map(|factor| part(scenario, *factor, row[*factor])));
    if text.is_empty() { "The one situation".to_owned() } else { upper_first(&text) }
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

/// Parts in one text: those of one unit stand together behind its name, as in "side[1]: horse, shaken; side[2]: guns".
pub(super) fn joined(parts: impl Iterator<Item = (Option<String>, String)>) -> String {
    let (mut text, mut whose) = (String::new(), None);
    for (unit, part) in parts {
        if !text.is_empty() {
            text += if unit == whose { ", " } else { "; " };
        }
        if let Some(unit) = unit.as_ref().filter(|unit| whose.as_ref() != Some(unit)) {
            text += &format!("{unit}: ");
        }
        text += &part;
        whose = unit;
    }
    text
}

/// One factor's part of a situation's name: the unit whose it is, and what is said of it.
pub(super) fn part(scenario: &Scenario, factor: usize, position: usize) -> (Option<String>, String) {
    let GridFactor { name, label, numeric, values, .. } = &scenario.factors[factor];
    let value = &values[position];
    let (unit, label) = match label.split_once(": ") {
        Some((unit, label)) if name.contains('.') => (Some(lower_first(unit)), label),
        _ => (None, label.as_str()),
    };
    let label = lower_first(label);
    let shared = unit.is_none()
        && scenario.factors.iter().enumerate().any(|(other, factor_)| {
            other != factor && factor_.values.iter().any(|named| named.label == value.label)
        });
    let text = match value.name.as_str() {
        _ if *numeric => format!("{label} {}", value.label),
        "yes" => label,
        "no" => denied(&label),
        name if shared || name == "none" => format!("{label}: {}", lower_first(&value.label)),
        _ => lower_first(&value.label),
    };
    (unit, text)
}

/// With a small first letter, unless the word is one of capitals or a single letter, such as the name of a unit, or the
/// next word has a capital too, as in a title or a term.
pub(super) fn lower_first(text: &str) -> String {
    if text.split(' ').nth(1).is_some_and(|next| next.starts_with(char::is_uppercase)) {
        return text.to_owned();
    }
    let mut letters = text.chars();
    match (letters.next(), letters.next()) {
        (Some(first), second) if second.is_none_or(|letter| !letter.is_uppercase() && letter != ' ') => {
            first.to_lowercase().chain(text.chars().skip(1)).collect()
        }
        _ => text.to_owned(),
    }
}

/// Whether a text is a figure, with its sign or mark, and not a word.
pub(super) fn is_figure(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit() || "+-<>≈".contains(c))
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
    fn a_level_has_no_more_digits_than_it_needs() {
        assert_eq!([0.95, 0.995, 1.0 - 0.05 / 11.0].map(percent_of), ["95", "99.5", "99.55"]);
    }

    #[test]
    fn trials_are_told_from_fewest_to_most() {
        let mut analysis = crate::report::tests::analysis(&crate::report::tests::scenario());
        assert_eq!(trials(&analysis), "900,000");
        analysis.cells[1][3].sample.trials = 65_536;
        assert_eq!(trials(&analysis), "65,536 to 900,000");
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
    fn the_flags_of_units_are_named_with_their_unit() {
        assert_eq!(denied("shaken"), "not shaken");
        assert_eq!(denied("attacker: shaken"), "attacker: not shaken");
    }

    #[test]
    fn what_is_said_of_one_unit_stands_together() {
        let mut scenario = crate::report::tests::scenario();
        for (at, name, label) in [
            (0, "side[1].troop", "side[1]: Troop"),
            (2, "side[1].loss", "side[1]: Lost"),
            (4, "ours.tired", "ours: Tired"),
        ] {
            (scenario.factors[at].name, scenario.factors[at].label) = (name.to_owned(), label.to_owned());
        }
        scenario.factors.swap(1, 2);
        scenario.situations.iter_mut().for_each(|row| row.swap(1, 2));
        let names = situations(&scenario);
        assert_eq!(names[0], "Side[1]: infantry, lost 0; shooting");
        assert_eq!(names[1], "Side[1]: infantry, lost 0; shooting; ours: tired");
        scenario.situations.truncate(2);
        assert_eq!(situations(&scenario), ["Ours: not tired", "Ours: tired"]);
    }

    #[test]
    fn names_and_terms_keep_their_capitals() {
        assert_eq!(
            ["C attacks A", "HQ near", "Raw", "X", "Full Ranks lost", "Retreat in order"].map(lower_first),
            ["C attacks A", "HQ near", "raw", "x", "Full Ranks lost", "retreat in order"]
        );
    }

    #[test]
    fn a_value_that_is_called_none_says_of_what() {
        let mut scenario = crate::report::tests::scenario();
        let foot = &mut scenario.factors[0].values[0];
        (foot.name, foot.label) = ("none".to_owned(), "None".to_owned());
        assert_eq!(situations(&scenario)[0], "Troop type: none, shooting, excess casualties 0");
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
    fn figures_are_told_in_words() {
        let scenario = crate::report::tests::scenario();
        let told = |text| figure(&scenario, text);
        assert_eq!(told("P(break)"), "the chance of “Break”");
        assert_eq!(told("P(retreat..break)"), "the chance of “retreat..break”");
        assert_eq!(told("P(attempts is 2+)"), "the chance that attempts is 2+");
        assert_eq!(told("quantile(losses, 0.9)"), "quantile(losses, 0.9)");
        assert_eq!(figure(&crate::report::tests::recorded().0, "mean(men_lost)"), "the mean of men lost");
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
