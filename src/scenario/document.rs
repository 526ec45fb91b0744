//! A scenario file as it is written: every key looked at, nothing looked up.
//!
//! In: a file among [`Sources`]. Out: a [`Document`] that keeps order and places, or every mistake that can be seen
//! without the rules.
//!
//! **Never:** rules; whether a name exists.

mod factors;
mod tune;

use super::Pictures;
use super::fraction::{fraction, precision};
use super::keys::{Entry, Keys, flag, table, tables, text, whole, wrong_sort};
use super::tree::{self, Placed, Table, Value};
use crate::diagnostic::{Diagnostic, Diagnostics, FileId, Sources, Span};
use factors::{grid, settings};
pub(super) use tune::TuneText;
use tune::tune;

/// A scenario file. `None` and `Broken` stand where a key was there but wrong, and where a diagnostic says so.
#[derive(Debug)]
pub(super) struct Document {
    pub(super) title: Option<Placed<String>>,
    pub(super) test: Option<Placed<String>>,
    pub(super) trials: u64,
    /// How wide an interval may be on either side, as a fraction.
    pub(super) precision: Option<f64>,
    pub(super) most_trials: Option<u64>,
    pub(super) seed: u64,
    pub(super) baseline: Option<Placed<String>>,
    pub(super) variants: Vec<VariantText>,
    pub(super) grid: Vec<GridText>,
    pub(super) filter: Option<Placed<String>>,
    pub(super) policies: Vec<PolicyText>,
    pub(super) claims: Vec<ClaimText>,
    pub(super) expects: Vec<ExpectText>,
    pub(super) charts: Vec<ChartText>,
    /// Whether a paired run is asked for.
    pub(super) paired: bool,
    pub(super) tune: Option<TuneText>,
    /// For what charts are drawn.
    pub(super) pictures: Pictures,
    /// The records of which a joint table is asked for.
    pub(super) joint: Vec<Placed<String>>,
    /// Where to show what is missing.
    pub(super) top: Span,
}

/// One line of `[variants]`.
#[derive(Debug)]
pub(super) struct VariantText {
    pub(super) name: Placed<String>,
    pub(super) rules: Option<Placed<String>>,
    pub(super) with: Vec<Setting>,
}

/// A factor and the name of a value: `yes` or `no` for flags, digits for numbers.
#[derive(Debug)]
pub(super) struct Setting {
    pub(super) factor: Placed<String>,
    pub(super) value: Placed<String>,
}

/// One line of `[grid]`.
#[derive(Debug)]
pub(super) struct GridText {
    pub(super) factor: Placed<String>,
    pub(super) values: GridValues,
}

/// What a factor of the grid goes through.
#[derive(Debug)]
pub(super) enum GridValues {
    /// Names, as in [`Setting`].
    List(Vec<Placed<String>>),
    /// A set in the rules' notation, or one name.
    Set(Placed<String>),
    Broken,
}

/// One line of `[policy]`.
#[derive(Debug)]
pub(super) struct PolicyText {
    pub(super) choice: Placed<String>,
    pub(super) play: Play,
}

/// An option and its probability, as numerator and denominator.
pub(super) type Weight = (Placed<String>, (i64, i64));

/// What a player does.
#[derive(Debug)]
pub(super) enum Play {
    /// An option, a condition or an aim.
    Text(Placed<String>),
    /// Options and their probabilities.
    Mix(Placed<Vec<Weight>>),
    Broken,
}

/// One `[[claim]]`.
#[derive(Debug)]
pub(super) struct ClaimText {
    pub(super) text: Option<Placed<String>>,
    pub(super) filter: Option<Placed<String>>,
    pub(super) holds: Option<Placed<String>>,
    pub(super) average: bool,
    pub(super) span: Span,
}

/// One `[[expect]]`.
#[derive(Debug)]
pub(super) struct ExpectText {
    pub(super) variant: Option<Placed<String>>,
    pub(super) situation: Vec<Setting>,
    pub(super) value: Option<Placed<String>>,
    pub(super) source: Option<Placed<String>>,
    pub(super) limit: bool,
    pub(super) span: Span,
}

/// One `[[chart]]`.
#[derive(Debug)]
pub(super) struct ChartText {
    pub(super) kind: Option<Placed<String>>,
    pub(super) outcome: Option<Placed<String>>,
    pub(super) x: Option<Placed<String>>,
    pub(super) y: Option<Placed<String>>,
    pub(super) panel: Option<Placed<String>>,
    pub(super) variant: Option<Placed<String>>,
    pub(super) of: Option<Placed<String>>,
    pub(super) measure: Option<Placed<String>>,
    pub(super) reading: Option<Placed<String>>,
    pub(super) filter: Option<Placed<String>>,
    pub(super) title: Option<Placed<String>>,
    pub(super) span: Span,
}

/// No run needs more trials than this in one situation: at a hundred million a second it would take three hours.
const MOST_TRIALS: u64 = 1_000_000_000_000;

/// Reads a file; `None` if it is not TOML throughout.
pub(super) fn read(file: FileId, sources: &Sources, found: &mut Diagnostics) -> Option<Document> {
    let mut later = Diagnostics::default();
    let before = found.iter().count();
    let (table, whole) = tree::read(file, sources, found);
    let top = Span::new(file, 0, 0);
    let document = scenario(Placed { value: table, span: top }, &mut later);
    if whole {
        found.extend(later);
        return Some(document);
    }
    let line = |one: &Diagnostic| one.labels.first().map(|(span, _)| sources.line(*span));
    let slips: Vec<_> = found.iter().skip(before).filter_map(line).collect();
    // What is missing may stand in a line that could not be read, and a line that could not be read has had its say.
    let told = |one: &Diagnostic| {
        one.labels.iter().any(|(span, _)| *span == top) || line(one).is_some_and(|at| slips.contains(&at))
    };
    found.extend(later.into_iter().filter(|one| !told(one)));
    None
}

fn scenario(table: Placed<Table>, found: &mut Diagnostics) -> Document {
    let top = table.span;
    let mut keys = Keys::new("a scenario", table);
    let (grid, filter) = grid(keys.take("grid"), found);
    let document = Document {
        title: keys.text("title", found),
        test: keys.needed_text("test", found),
        trials: keys
            .take("trials")
            .and_then(|entry| whole(entry, 1, MOST_TRIALS, found))
            .unwrap_or(1_000_000),
        precision: keys.text("precision", found).and_then(|text| wanted(&text, found)),
        most_trials: keys.take("most_trials").and_then(|entry| whole(entry, 1, MOST_TRIALS, found)),
        seed: keys.take("seed").and_then(|entry| whole(entry, 0, i64::MAX as u64, found)).unwrap_or(1),
        baseline: keys.text("baseline", found),
        variants: variants(keys.take("variants"), top, found),
        grid,
        filter,
        policies: policies(keys.take("policy"), found),
        claims: each("`[[claim]]`", keys.take("claim"), claim, found),
        expects: each("`[[expect]]`", keys.take("expect"), expect, found),
        charts: each("`[[chart]]`", keys.take("chart"), chart, found),
        paired: keys.take("paired").and_then(|entry| flag(&entry, found)).unwrap_or(false),
        tune: tune(keys.take("tune"), found),
        pictures: pictures(keys.take("pictures"), found),
        joint: names(keys.take("joint"), ("a list of records", "write [\"a\", \"b\"]"), found),
        top,
    };
    keys.finish(found);
    document
}

fn wanted(text: &Placed<String>, found: &mut Diagnostics) -> Option<f64> {
    let precision = precision(&text.value);
    if precision.is_none() {
        let message = "a precision is a number of percentage points, more than 0 and less than 50";
        found.push(Diagnostic::error(text.span, message, "not one").remedy("write it as in: \"0.1pp\""));
    }
    precision
}

/// For what charts are drawn.
fn pictures(entry: Option<Entry>, found: &mut Diagnostics) -> Pictures {
    let mut pictures = Pictures::default();
    for word in names(entry, ("a list of words", "write [\"dark\", \"phone\"]"), found) {
        if !pictures.ask(&word.value) {
            let message = format!("charts are not drawn for `{}`", word.value);
            let diagnostic = Diagnostic::error(word.span, message, "not known");
            let remedy = "charts can be drawn for \"dark\" pages, a \"slide\" and a \"phone\" too";
            found.push(diagnostic.did_you_mean(&word.value, Pictures::WORDS).remedy(remedy));
        }
    }
    pictures
}

/// A list of names.
fn names(
    entry: Option<Entry>,
    (what, example): (&str, &str),
    found: &mut Diagnostics,
) -> Vec<Placed<String>> {
    let Some((key, Placed { value, span })) = entry else { return Vec::new() };
    let Value::List(items) = value else {
        wrong_sort(&(key, Placed { value, span }), what, example, found);
        return Vec::new();
    };
    items.into_iter().filter_map(|item| text((key.clone(), item), found)).collect()
}

fn variants(entry: Option<Entry>, top: Span, found: &mut Diagnostics) -> Vec<VariantText> {
    let Some(entry) = entry else {
        found.push(no_variants(top, "a scenario lacks `[variants]`"));
        return Vec::new();
    };
    let Some(table) = table(entry, found) else { return Vec::new() };
    if table.value.is_empty() {
        found.push(no_variants(table.span, "`[variants]` is empty"));
    }
    table.value.into_iter().map(|entry| variant(entry, found)).collect()
}

fn no_variants(span: Span, message: &str) -> Diagnostic {
    let remedy = "name at least one draft under [variants], as in: original = \"black-powder.rules\"";
    Diagnostic::error(span, message, "here").remedy(remedy)
}

fn variant(entry: Entry, found: &mut Diagnostics) -> VariantText {
    let (name, value) = entry;
    if name.value.is_empty() || name.value.trim() != name.value || name.value.contains(char::is_control) {
        let message = "a variant's name is a word or words on one line, without blanks around it";
        found.push(Diagnostic::error(name.span, message, "not like that").remedy("rename it"));
    }
    if let Value::Text(rules) = value.value {
        let rules = Some(Placed { value: rules, span: value.span });
        return VariantText { name, rules, with: Vec::new() };
    }
    let Value::Table(inner) = value.value else {
        let remedy = "write a file's name in quotes, or { rules = \"...\", with = { factor = value } }";
        wrong_sort(&(name.clone(), value), "a rules file", remedy, found);
        return VariantText { name, rules: None, with: Vec::new() };
    };
    let mut keys = Keys::new("a variant", Placed { value: inner, span: value.span });
    let rules = keys.needed_text("rules", found);
    let with = keys.take("with").map_or_else(Vec::new, |entry| settings(entry, found));
    keys.finish(found);
    VariantText { name, rules, with }
}

fn policies(entry: Option<Entry>, found: &mut Diagnostics) -> Vec<PolicyText> {
    let Some(table) = entry.and_then(|entry| table(entry, found)) else { return Vec::new() };
    let play = |(choice, value)| PolicyText { play: play(&choice, value, found), choice };
    table.value.into_iter().map(play).collect()
}

fn play(choice: &Placed<String>, value: Placed<Value>, found: &mut Diagnostics) -> Play {
    let span = value.span;
    match value.value {
        Value::Text(value) => Play::Text(Placed { value, span }),
        Value::Table(mix) if mix.is_empty() => {
            let message = format!("the mix for `{}` has no option", choice.value);
            let remedy = "name options with their probabilities: { retreat = 0.3, hold = 0.7 }";
            found.push(Diagnostic::error(span, message, "here").remedy(remedy));
            Play::Broken
        }
        Value::Table(mix) => {
            let count = mix.len();
            let weights: Vec<_> = mix.into_iter().filter_map(|entry| weight(entry, found)).collect();
            if weights.len() == count { Play::Mix(Placed { value: weights, span }) } else { Play::Broken }
        }
        _ => {
            let remedy = "write an option or a condition in quotes, or a mix: { retreat = 0.3, hold = 0.7 }";
            wrong_sort(&(choice.clone(), value), "what a player does", remedy, found);
            Play::Broken
        }
    }
}

fn weight((option, value): Entry, found: &mut Diagnostics) -> Option<Weight> {
    let written = match &value.value {
        Value::Text(text) | Value::Decimal(text) => fraction(text),
        Value::Whole(number) => fraction(&number.to_string()),
        _ => None,
    };
    if written.is_none() {
        let message = format!("this is not a probability of `{}`", option.value);
        let remedy = "write 0.3, \"30%\" or \"3/10\", with at most 15 digits";
        found.push(Diagnostic::error(value.span, message, "this").remedy(remedy));
    }
    Some((option, written?))
}

/// Every table under a `[[name]]`.
fn each<T>(
    name: &'static str,
    entry: Option<Entry>,
    one: fn(&mut Keys, Span, &mut Diagnostics) -> T,
    found: &mut Diagnostics,
) -> Vec<T> {
    let mut all = Vec::new();
    for table in entry.map_or_else(Vec::new, |entry| tables(entry, found)) {
        let span = table.span;
        let mut keys = Keys::new(name, table);
        all.push(one(&mut keys, span, found));
        keys.finish(found);
    }
    all
}

fn claim(keys: &mut Keys, span: Span, found: &mut Diagnostics) -> ClaimText {
    let text = keys.text("text", found);
    let filter = keys.text("where", found);
    let holds = keys.needed_text("holds", found);
    let over = keys.text("over", found);
    let average = over.as_ref().is_some_and(|over| over.value == "average");
    if let Some(over) = over.filter(|over| !["every situation", "average"].contains(&over.value.as_str())) {
        let diagnostic = Diagnostic::error(over.span, "a claim cannot be made over this", "here");
        found.push(diagnostic.remedy("write over = \"every situation\" or over = \"average\""));
    }
    ClaimText { text, filter, holds, average, span }
}

fn expect(keys: &mut Keys, span: Span, found: &mut Diagnostics) -> ExpectText {
    ExpectText {
        variant: keys.text("variant", found),
        situation: keys.take("situation").map_or_else(Vec::new, |entry| settings(entry, found)),
        value: keys.needed_text("value", found),
        source: keys.needed_text("source", found),
        limit: keys.take("limit").and_then(|entry| flag(&entry, found)).unwrap_or(false),
        span,
    }
}

fn chart(keys: &mut Keys, span: Span, found: &mut Diagnostics) -> ChartText {
    ChartText {
        kind: keys.needed_text("kind", found),
        outcome: keys.text("outcome", found),
        x: keys.text("x", found),
        y: keys.text("y", found),
        panel: keys.text("panel", found),
        variant: keys.text("variant", found),
        of: keys.text("of", found),
        measure: keys.text("measure", found),
        reading: keys.text("reading", found),
        filter: keys.text("where", found),
        title: keys.text("title", found),
        span,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The document and each mistake as "the text at its place: message".
    fn seen(text: &str) -> (Option<Document>, Vec<String>) {
        let (mut sources, mut found) = (Sources::default(), Diagnostics::default());
        let file = sources.add("a.toml", text);
        let document = read(file, &sources, &mut found);
        let told = |one: &Diagnostic| {
            assert!(!one.remedies.is_empty(), "{} lacks a remedy", one.message);
            format!("{}: {}", sources.text(one.labels[0].0), one.message)
        };
        (document, found.iter().map(told).collect())
    }

    fn mistakes(rest: &str) -> Vec<String> {
        seen(&format!("test = \"t\"\nvariants = {{ a = \"a.rules\" }}\n{rest}")).1
    }

    #[test]
    fn what_is_not_said_has_its_usual_value() {
        let (document, found) = seen("test = \"t\"\n[variants]\na = \"a.rules\"\n");
        let document = document.unwrap();
        assert!(found.is_empty());
        assert_eq!((document.trials, document.seed), (1_000_000, 1));
        assert!(document.title.is_none() && document.baseline.is_none() && document.grid.is_empty());
    }

    #[test]
    fn an_empty_file_lacks_the_test_and_the_variants() {
        assert_eq!(seen("").1, [": a scenario lacks `test`", ": a scenario lacks `[variants]`"]);
    }

    #[test]
    fn a_misspelt_key_is_refused_at_its_place_and_the_right_one_offered() {
        let (mut sources, mut found) = (Sources::default(), Diagnostics::default());
        let file = sources.add("a.toml", "test = \"t\"\ntrails = 5\n[variants]\na = \"a.rules\"\n");
        read(file, &sources, &mut found);
        let one = found.iter().next().unwrap();
        assert_eq!(one.message, "`trails` is not a key of a scenario");
        assert_eq!(sources.text(one.labels[0].0), "trails");
        assert_eq!(one.remedies, ["did you mean `trials`?"]);
    }

    #[test]
    fn trials_are_a_whole_number_from_one_to_a_million_million() {
        assert_eq!(mistakes("trials = 1_000_000_000_000"), Vec::<String>::new());
        let range = "`trials` is a whole number from 1 to 1000000000000";
        for wrong in ["0", "-5", "1000000000001"] {
            assert_eq!(mistakes(&format!("trials = {wrong}")), [format!("{wrong}: {range}")]);
        }
        let sort = "1e6: `trials` is a whole number, but here stands a number with a point";
        assert_eq!(mistakes("trials = 1e6"), [sort]);
        let sort = "\"many\": `trials` is a whole number, but here stands a text";
        assert_eq!(mistakes("trials = \"many\""), [sort]);
    }

    #[test]
    fn a_precision_is_in_percentage_points() {
        let (document, found) =
            seen("test = \"t\"\nprecision = \"0.25 pp\"\nmost_trials = 5_000\n[variants]\na = \"a.rules\"\n");
        assert!(found.is_empty());
        let document = document.unwrap();
        assert_eq!((document.precision, document.most_trials), (Some(0.0025), Some(5_000)));
        let message = "a precision is a number of percentage points, more than 0 and less than 50";
        for wrong in ["0.1", "0.1%", "0pp", "50pp", "pp", "-1pp", "1e-3pp"] {
            assert_eq!(mistakes(&format!("precision = \"{wrong}\"")), [format!("\"{wrong}\": {message}")]);
        }
        let sort = "0.1: `precision` is a text, but here stands a number with a point";
        assert_eq!(mistakes("precision = 0.1"), [sort]);
    }

    #[test]
    fn a_seed_below_zero_is_refused() {
        let range = format!("-1: `seed` is a whole number from 0 to {}", i64::MAX);
        assert_eq!(mistakes("seed = -1"), [range]);
    }

    #[test]
    fn values_of_the_wrong_sort_are_all_named_in_one_reading() {
        let found = mistakes(
            "title = 3\nbaseline = true\npolicy = \"hold\"\nclaim = {}\ngrid = []\nseed = 1815-06-18",
        );
        let expected = [
            "[]: `grid` is a table, but here stands a list",
            "3: `title` is a text, but here stands a whole number",
            "1815-06-18: `seed` is a whole number, but here stands a date",
            "true: `baseline` is a text, but here stands `true` or `false`",
            "\"hold\": `policy` is a table, but here stands a text",
            "{}: `claim` is a list of tables, but here stands a table",
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_variant_is_a_file_or_a_table_with_one() {
        let text = "test = \"t\"\n[variants]\na = 3\nb = { with = { x = 1, y = [2] }, ruls = \"b\" }\n\" \" = \"c\"\n";
        let expected = [
            "3: `a` is a rules file, but here stands a whole number",
            "{ with = { x = 1, y = [2] }, ruls = \"b\" }: a variant lacks `rules`",
            "[2]: `y` is a single value, but here stands a list",
            "ruls: `ruls` is not a key of a variant",
            "\" \": a variant's name is a word or words on one line, without blanks around it",
        ];
        assert_eq!(seen(text).1, expected);
    }

    #[test]
    fn a_scenario_needs_at_least_one_variant() {
        assert_eq!(seen("test = \"t\"\n[variants]\n").1, ["[variants]: `[variants]` is empty"]);
    }

    #[test]
    fn values_of_the_grid_become_names() {
        let grid = "grid = { a = 3, b = [true, false], c = \"0..4\", d = [\"x\", \"y\"] }";
        let (document, found) = seen(&format!("test = \"t\"\nvariants = {{ a = \"a\" }}\n{grid}"));
        assert!(found.is_empty());
        let names = |values: &GridValues| match values {
            GridValues::List(names) => {
                names.iter().map(|name| name.value.clone()).collect::<Vec<_>>().join(" ")
            }
            GridValues::Set(set) => format!("set {}", set.value),
            GridValues::Broken => "broken".to_owned(),
        };
        let all: Vec<_> = document.unwrap().grid.iter().map(|one| names(&one.values)).collect();
        assert_eq!(all, ["3", "yes no", "set 0..4", "x y"]);
    }

    #[test]
    fn a_grid_of_nothing_is_refused() {
        let expected = [
            "[]: `a` goes through no value at all",
            "1.5: `c` is what the factor goes through, but here stands a number with a point",
        ];
        assert_eq!(mistakes("[grid]\na = []\nc = 1.5\n"), expected);
    }

    #[test]
    fn the_factors_of_units_are_written_with_quotes_or_without() {
        let text = "test = \"t\"\nvariants = { a = \"a\" }\n[grid]\nattacker.stamina = 3\n\"ours[2].ranks\" = 3\n\"ours[1]\".ranks = 4\n";
        let (document, found) = seen(text);
        assert!(found.is_empty());
        let names: Vec<_> = document.unwrap().grid.into_iter().map(|one| one.factor.value).collect();
        assert_eq!(names, ["attacker.stamina", "ours[2].ranks", "ours[1].ranks"]);
    }

    #[test]
    fn the_probabilities_of_a_mix_are_read_as_they_are_written() {
        let (document, found) = seen(
            "test = \"t\"\nvariants = { a = \"a\" }\npolicy.c = { r = 0.3, h = \"1/3\", x = \"30 %\", y = 1 }",
        );
        assert!(found.is_empty());
        let Play::Mix(mix) = &document.unwrap().policies[0].play else { panic!("a mix") };
        let weights: Vec<_> = mix.value.iter().map(|(_, weight)| *weight).collect();
        assert_eq!(weights, [(3, 10), (1, 3), (3, 10), (1, 1)]);
    }

    #[test]
    fn a_mix_of_nothing_or_of_what_is_no_number_is_refused() {
        let found = mistakes(
            "policy.a = {}\npolicy.b = { r = -0.5, s = nan, t = \"often\", u = true }\npolicy.c = 3",
        );
        let expected = [
            "{}: the mix for `a` has no option",
            "-0.5: this is not a probability of `r`",
            "nan: this is not a probability of `s`",
            "\"often\": this is not a probability of `t`",
            "true: this is not a probability of `u`",
            "3: `c` is what a player does, but here stands a whole number",
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn claims_expectations_and_charts_name_what_they_lack() {
        let found =
            mistakes("[[claim]]\nover = \"most\"\n[[expect]]\nlimit = 1\n[[chart]]\nkinds = \"curve\"\n");
        let expected = [
            "[[claim]]: `[[claim]]` lacks `holds`",
            "\"most\": a claim cannot be made over this",
            "[[expect]]: `[[expect]]` lacks `value`",
            "[[expect]]: `[[expect]]` lacks `source`",
            "1: `limit` is `true` or `false`, but here stands a whole number",
            "[[chart]]: `[[chart]]` lacks `kind`",
            "kinds: `kinds` is not a key of `[[chart]]`",
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_search_for_values_says_what_is_varied_and_what_is_wanted() {
        let text = "test = \"t\"\nvariants = { a = \"a\" }\n[tune]\nvary = { x = \"0..3\", y = [1, 2] }\n\
                    target = [\"P(a) < 1\", { holds = \"P(b) = 0\", where = \"z\", over = \"average\" }]\n";
        let (document, found) = seen(text);
        assert!(found.is_empty(), "{found:?}");
        let tune = document.unwrap().tune.unwrap();
        assert_eq!(tune.vary.iter().map(|one| one.factor.value.as_str()).collect::<Vec<_>>(), ["x", "y"]);
        assert_eq!(tune.targets.iter().map(|one| one.average).collect::<Vec<_>>(), [false, true]);
        let lacks = ["[tune]: `[tune]` lacks `vary`", "[tune]: `[tune]` lacks `target`"];
        assert_eq!(mistakes("[tune]\n"), lacks);
        let sorts = [
            "\"x\": `vary` is a table, but here stands a text",
            "3: `target` is a list of sentences, but here stands a whole number",
        ];
        assert_eq!(mistakes("[tune]\nvary = \"x\"\ntarget = 3\n"), sorts);
    }

    #[test]
    fn a_line_that_is_no_toml_hides_neither_the_next_mistake_nor_invents_another() {
        let (document, found) = seen("test = break_test\ntrails = 5\n[variants]\na = \"a.rules\"\n");
        assert!(document.is_none());
        assert_eq!(
            found,
            ["break_test: a text stands here without quotes", "trails: `trails` is not a key of a scenario"]
        );
    }
}
