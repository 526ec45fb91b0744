//! The page of the example: escaping, rows that have no room, equal figures, rules side by side.

use super::sheet::MOST;
use super::*;
use crate::plan::{Answer, Probability, Weights};
use crate::report::tests as example;
use crate::results::Cells;
use crate::scenario::Scenario;
use std::collections::BTreeMap;

fn again() -> Again {
    let inputs = vec![("a.toml".to_owned(), "0a1b".to_owned())];
    Again { command: "houserule run a.toml --trials 900000 --seed 1815".to_owned(), inputs }
}

/// The page of a scenario, with these charts.
fn of(scenario: &Scenario, analysis: &Analysis, pictures: &[Picture]) -> String {
    page(&Contents { scenario, analysis, drift: None, pictures, again: &again() })
}

/// The page of the example, after `change`.
fn after(change: impl FnOnce(&mut Scenario)) -> String {
    let mut scenario = example::scenario();
    change(&mut scenario);
    of(&scenario, &example::analysis(&scenario), &[])
}

#[track_caller]
fn says(text: &str, words: &str) {
    assert!(text.contains(words), "not there: {words}");
}

/// The rows of a table of the page, cell by cell.
fn rows(page: &str, table: &str) -> Vec<Vec<String>> {
    let sheet = page.split(&format!("<div class=\"sheet\" id=\"{table}\">")).nth(1).unwrap();
    let body = sheet.split("<tbody>").nth(1).unwrap().split("</tbody>").next().unwrap();
    let cell = |text: &str| text.split_once('>').unwrap().1.trim().to_owned();
    body.split("<tr>").skip(1).map(|row| row.split("<td").skip(1).map(cell).collect()).collect()
}

fn picture(svg: &str) -> Picture {
    Picture {
        name: "chart-01-x".to_owned(),
        file: "charts/01-outcomes-excess.png".to_owned(),
        title: "A <b>title</b>".to_owned(),
        alt: "It \"rises\" & falls".to_owned(),
        svg: svg.to_owned(),
        phone: None,
    }
}

#[test]
fn it_opens_with_the_title_and_the_summary_s_first_paragraph() {
    let text = after(|_| {});
    assert!(text.starts_with("<!DOCTYPE html>\n<html lang=\"en\">"), "{}", &text[..80]);
    says(&text, "<h1>Break tests: original against modified</h1>");
    says(&text, "<p><strong>modified</strong> was compared with <strong>original</strong> in 40 situations");
    says(&text, "<li><strong>Break</strong>: less often in 20 situations, by up to 30.6 points: ");
}

#[test]
fn claims_stand_with_their_verdicts() {
    let text = after(|_| {});
    says(&text, "<h3>1. Infantry breaks less often under fire</h3>");
    says(
        &text,
        "<strong class=\"verdict holds\">Holds.</strong> The claim <code>P(break) in modified &#60; P(break) in original</code>",
    );
    says(&text, "<strong class=\"verdict fails\">Fails.</strong> ");
}

#[test]
fn what_users_write_is_text_and_nothing_else() {
    let evil = "<script>alert('x')</script><img src=x onerror=alert(1)> & \"quotes\"";
    let text = after(|scenario| {
        scenario.title = evil.to_owned();
        scenario.factors[0].values[0].label = evil.to_owned();
        scenario.claims[0].text = evil.to_owned();
        scenario.notes = vec![evil.to_owned()];
    });
    assert!(!text.contains("<script>alert"), "{text}");
    assert!(!text.contains("<img"), "{text}");
    says(&text, "&#60;script&#62;alert");
    assert_eq!(text.matches("<script>").count(), 1);
    let scenario = example::scenario();
    let text = of(&scenario, &example::analysis(&scenario), &[picture("<svg></svg>")]);
    says(&text, "aria-label=\"A &#60;b&#62;title&#60;/b&#62;\"");
    says(&text, "<p>It &#34;rises&#34; &#38; falls</p>");
}

#[test]
fn charts_stand_in_the_page_without_what_only_a_file_needs() {
    let scenario = example::scenario();
    let wide = picture("<?xml version=\"1.0\"?>\n<svg width=\"1\"></svg>\n");
    let narrow = Picture { phone: Some("<svg width=\"2\"></svg>".to_owned()), ..wide.clone() };
    let text = of(&scenario, &example::analysis(&scenario), &[wide, narrow]);
    assert_eq!(text.matches("<?xml").count(), 0);
    assert_eq!(text.matches("<div class=\"on-wide\"><svg width=\"1\">").count(), 2);
    assert_eq!(text.matches("<div class=\"on-phone\"><svg width=\"2\">").count(), 1);
}

#[test]
fn the_figures_are_those_of_the_tables() {
    let scenario = example::scenario();
    let analysis = example::analysis(&scenario);
    let shown = rows(&of(&scenario, &analysis, &[]), "results");
    let table = tables::results(&scenario, &analysis);
    let (Some(Cells::Real(shares)), Some(Cells::Count(counts))) =
        (table.column("probability"), table.column("count"))
    else {
        panic!("columns of other types")
    };
    assert_eq!(shown.len(), 400);
    for (row, (share, count)) in shown.iter().zip(shares.iter().zip(counts)) {
        // variant, troop, attack, excess, disordered, result; weather, trials and what is unresolved are the same throughout
        let [.., percent, _, with_it] = &row[..] else { panic!("{row:?}") };
        assert!((percent.parse::<f64>().unwrap() - share.unwrap() * 100.0).abs() < 0.005 + 1e-9, "{row:?}");
        assert_eq!(with_it.replace(',', ""), count.to_string());
    }
    // 2d6: six of 36 are 4 or less; the interval by a calculator, as in the tables' own tests
    assert_eq!(
        shown[4],
        ["original", "Infantry", "Shooting", "0", "no", "Break", "16.67", "16.59 to 16.74", "150,000"]
    );
}

#[test]
fn what_is_the_same_in_every_row_is_said_once() {
    let text = after(|_| {});
    says(&text, "The same in every row: Weather: Dry; Figure: Result; Trials: 900,000; Unresolved: 0.");
}

#[test]
fn a_table_without_room_shows_what_differs_most_and_says_where_the_rest_is() {
    // 40 situations, again and again
    let text = after(|scenario| {
        let all = scenario.situations.clone();
        scenario.situations = all.iter().cycle().take(40 * 15).cloned().collect();
        scenario.claims.clear();
    });
    let results = rows(&text, "results");
    assert_eq!(results.len(), MOST);
    says(
        &text,
        "This page has room for 2,500 rows that come first, of 6,000; all of them are in results.csv.",
    );
    let differences = rows(&text, "comparison");
    assert_eq!(differences.len(), MOST);
    says(
        &text,
        "This page has room for 2,500 rows with the largest differences, of 3,000; all of them are in comparison.csv.",
    );
    let size = |row: &Vec<String>| row[7].parse::<f64>().unwrap().abs();
    assert!(
        differences.windows(2).all(|two| size(&two[0]) >= size(&two[1]) - 0.01),
        "{:?}",
        &differences[..3]
    );
    // 11 of 36 against none, or 21 against 10
    assert_eq!(differences[0][7].trim_start_matches(['+', '-']), "30.56");
}

#[test]
fn numbers_have_tables_of_means() {
    let scenario = example::numbers();
    let text = of(&scenario, &example::analysis(&scenario), &[]);
    // two dice
    assert_eq!(rows(&text, "measures")[0][5], "7");
}

#[test]
fn it_says_how_to_do_it_again() {
    let text = after(|_| {});
    says(&text, "<code>houserule run a.toml --trials 900000 --seed 1815</code>");
    says(&text, "<dt><code>a.toml</code></dt><dd><code>0a1b</code></dd>");
}

#[test]
fn equal_runs_have_equal_pages() {
    assert_eq!(after(|_| {}), after(|_| {}));
}

#[test]
fn what_is_exact_stands_before_what_is_sampled_and_says_so() {
    let scenario = example::scenario();
    let mut analysis = example::analysis(&scenario);
    let plain = of(&scenario, &analysis, &[]);
    says(
        &plain,
        "<th scope=\"col\" class=\"n\">Probability, %</th><th scope=\"col\" class=\"n\">95 % interval</th>",
    );
    assert!(!plain.contains("Exact, %"), "{plain}");
    // two dice: six of 36 ways break
    let weights = [(0, Probability::fraction(5, 6)), (4, Probability::fraction(1, 6))].into();
    let measures = vec![Weights { partial: false, weights }];
    analysis.cells[0][0].answer =
        Ok(Answer { measures, joint: BTreeMap::new(), unresolved: Probability::ZERO, limit: None });
    let text = of(&scenario, &analysis, &[]);
    says(
        &text,
        "<th scope=\"col\" class=\"n\">Exact, %</th><th scope=\"col\" class=\"n\">Sampled, %</th>\
         <th scope=\"col\" class=\"n\">Sampled, 95 % interval</th>",
    );
    says(&text, "Where there is an exact figure, quote that;");
    assert_eq!(rows(&text, "results")[4][5..8], ["Break", "16.67 (1/6)", "16.67"]);
    // nothing is exact of the differences
    says(&text, "<th scope=\"col\" class=\"n\">Difference, points</th>");
}
