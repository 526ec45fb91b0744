//! What a terminal shows of the example.

use super::*;
use crate::report::tests as example;
use crate::scenario::{Named, Results};

/// A pipe.
const PLAIN: Look = Look { width: 80, colour: false };

fn seen(scenario: &Scenario, analysis: &Analysis, look: Look) -> String {
    shares(scenario, analysis, "results.csv", look)
}

fn table(scenario: &Scenario) -> String {
    seen(scenario, &example::analysis(scenario), PLAIN)
}

fn words(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}

/// The lines of both variants below a situation.
fn below<'a>(text: &'a str, situation: &str) -> [Vec<&'a str>; 2] {
    let at = text.lines().position(|line| line == situation).unwrap_or_else(|| panic!("{situation}\n{text}"));
    [1, 2].map(|further| words(text.lines().nth(at + further).unwrap()))
}

#[test]
fn each_variant_has_its_shares_a_bar_and_what_it_changes() {
    let mut few = example::scenario();
    few.situations.drain(..10);
    few.situations.drain(10..12);
    few.situations.truncate(11);
    let text = table(&few);
    assert!(text.starts_with("Break tests: original against modified\n\n"), "{text}");
    // out of 36, hand to hand: 21 hold, 9 retreat in disorder, 6 break; then 15 hold, 11 retreat, 9 in disorder, 1 breaks;
    // a sixth of ten characters is one and five eighths, a thirty-sixth a quarter of one
    let [original, modified] = below(&text, "Infantry, hand-to-hand, excess casualties 0");
    assert_eq!(original, ["original", "58.3", "0.0", "0.0", "25.0", "16.7", "█▋"], "{text}");
    assert_eq!(modified[..6], ["modified", "41.7", "0.0", "30.6", "25.0", "2.8"], "{text}");
    assert_eq!(modified[6..], ["▎", "-13.9", "points"], "{text}");
}

#[test]
fn a_wide_grid_shows_where_most_changes_and_says_how_much_is_not_shown() {
    let text = table(&example::scenario());
    let rule = text.lines().position(|line| line.starts_with('─')).unwrap();
    // by hand: 30.6 points are the most, 10 of 36 against 21
    assert!(text.lines().nth(rule + 3).unwrap().ends_with("-30.6 points"), "{text}");
    // of 40 situations, none of which play alike, 12 make 36 lines
    let all = words(&text).join(" ");
    assert!(all.contains("12 rows where most changes; 28 are not shown; all are in results.csv."), "{text}");
    let mut short = example::scenario();
    short.situations.truncate(12);
    assert!(!table(&short).contains("not shown"), "{}", table(&short));
}

#[test]
fn where_nothing_changes_no_row_is_said_to_change_most() {
    let mut cavalry = example::scenario();
    cavalry.situations.drain(..20);
    let text = words(&table(&cavalry)).join(" ");
    assert!(
        text.contains(" the same rules ") && text.contains("12 rows that come first; 8 are not shown"),
        "{text}"
    );
    assert!(text.contains("modified: \"Break\" by the same rules in 20 of 20 situations."), "{text}");
}

#[test]
fn what_changes_on_the_whole_is_told_in_words() {
    let text = words(&table(&example::scenario())).join(" ");
    // infantry breaks less often in all its 20 situations, cavalry has the same chart
    let told = "modified: \"Break\" less often in 20 of 40 situations (by up to 30.6 points), by the same rules in 20.";
    assert!(text.contains(told), "{text}");
}

#[test]
fn numbers_show_where_they_lie() {
    let mut analysis = example::analysis(&example::numbers());
    analysis.relate(&[Some(crate::analyse::Sense::HighestFirst)]);
    let few = example::numbers();
    let text = seen(&few, &analysis, PLAIN);
    // two dice: mean 7; 1 of 36 is 2 and 3 of 36 at most 3, so 5 % lie at 3 or less; as many at the other end
    let line = below(&text, "Infantry, shooting, excess casualties 0")[0].join(" ");
    let line = line.as_str();
    assert_eq!(words(line)[..5], ["original", "3", "7", "11", "7.00"], "{text}");
    let line = text.lines().find(|line| line.starts_with("  modified")).unwrap();
    assert_eq!(words(line)[..5], ["modified", "4", "8", "12", "8.00"], "{text}");
    assert!(line.ends_with("  +1.00"), "{text}");
    assert!(text.contains("modified: \"Mean\" higher in 20 of 40 situations (by up to 1.00)"), "{text}");
}

#[test]
fn records_have_columns_as_far_as_there_is_room() {
    let (mut scenario, analysis) = example::recorded();
    let text = seen(&scenario, &analysis, PLAIN);
    // five outcomes leave room for one record; the bar shows the last: a quarter of eight characters
    let line = text.lines().find(|line| line.starts_with("  original")).unwrap();
    assert_eq!(words(line), ["original", "75.0", "0.0", "0.0", "0.0", "25.0", "0.50", "██"], "{text}");
    let said = words(&text).join(" ");
    assert!(said.contains("1 column has no room; all are in results.csv."), "{text}");
    // a test that gives nothing has its records alone
    scenario.measures[0].variants = scenario.measures[1].variants.clone();
    scenario.measures[0].results = Results::Numbers;
    let text = seen(&scenario, &analysis, PLAIN);
    let line = text.lines().find(|line| line.starts_with("  original")).unwrap();
    // 10 of 40 lose four: 1.00 on average; 3 of the 12 that record it rout
    assert_eq!(words(line)[..4], ["original", "1.00", "0.50", "25.0"], "{text}");
}

#[test]
fn among_exact_figures_those_that_were_counted_are_marked() {
    let (scenario, analysis) = example::half_solved();
    let text = seen(&scenario, &analysis, PLAIN);
    let [original, modified] = below(&text, "Not disordered");
    // a fifth of the exact ones breaks, of 40 trials 10 do; nobody loses anything, or 10 lose two
    assert_eq!(original[..7], ["original", "80.0", "0.0", "0.0", "0.0", "20.0", "0.00"], "{text}");
    assert_eq!(modified[..7], ["modified", "≈75.0", "≈0.0", "≈0.0", "≈0.0", "≈25.0", "≈0.50"], "{text}");
    let told = "Shares in percent, worked out exactly; those behind ≈ come from 40 trials each.";
    assert!(words(&text).join(" ").contains(told), "{text}");
    let (scenario, analysis) = example::recorded();
    assert!(!seen(&scenario, &analysis, PLAIN).contains('≈'), "all are counted");
}

#[test]
fn a_long_situation_goes_on_in_the_next_line() {
    let mut long = example::scenario();
    long.factors[4].label = "Disordered by the fire of many guns over open sights".to_owned();
    long.situations = long.situations.into_iter().step_by(4).collect();
    long.situations.push(example::scenario().situations[1].clone());
    let text = table(&long);
    let (first, second) =
        ("Infantry, shooting, excess casualties 0, disordered by the fire of many guns", "over open sights");
    assert!(text.contains(&format!("\n{first}\n    {second}\n  original ")), "{text}");
    assert!(words(&text).join(" ").contains("What a situation does not mention is not the case."), "{text}");
}

/// An example with long names and labels, nine outcomes, and trials that do not end.
fn unwieldy() -> (Scenario, Analysis) {
    let mut wide = example::scenario();
    wide.variants[1].name = "a_draft_with_a_name_that_goes_on_and_on".to_owned();
    wide.factors[0].values[0].label = "Donaudampfschifffahrtsgesellschaftskapitaen".to_owned();
    let long = |n| Named { name: format!("n{n}"), label: format!("Falls back in disorder {n}") };
    wide.measures[0].results = Results::Named((0..9).map(long).collect());
    let mut analysis = example::analysis(&wide);
    analysis.cells[0][0].sample.unresolved = 9;
    (wide, analysis)
}

#[test]
fn nothing_is_wider_than_the_terminal() {
    let (wide, analysis) = unwieldy();
    for width in 40..=80 {
        for (scenario, analysis) in
            [(&wide, &analysis), (&example::scenario(), &example::analysis(&example::scenario()))]
        {
            let text = seen(scenario, analysis, Look { width, colour: false });
            let widest = text.lines().max_by_key(|line| line.chars().count()).unwrap();
            assert!(widest.chars().count() <= width, "{width}: {widest}\n{text}");
        }
    }
    // of nine outcomes five come up
    let said = words(&seen(&wide, &analysis, PLAIN)).join(" ");
    assert!(said.contains("4 columns have no room; all are in results.csv."), "{said}");
}

#[test]
fn colours_say_nothing_that_words_do_not() {
    let (scenario, analysis) = (example::scenario(), example::analysis(&example::scenario()));
    let coloured = seen(&scenario, &analysis, Look { colour: true, ..PLAIN });
    assert!(coloured.contains("\u{1b}[36m-30.6 points\u{1b}[0m"), "{coloured}");
    assert!(coloured.contains("\u{1b}[31mClaim fails:\u{1b}[0m"), "{coloured}");
    let mut plain = coloured;
    for code in ["0", "1", "31", "32", "33", "35", "36"] {
        plain = plain.replace(&format!("\u{1b}[{code}m"), "");
    }
    assert_eq!(plain, seen(&scenario, &analysis, PLAIN));
}

#[test]
fn what_is_too_long_ends_in_an_ellipsis() {
    assert_eq!(shortened("disordered", 10), "disordered");
    assert_eq!(shortened("disordered", 7), "disord…");
}
