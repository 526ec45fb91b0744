//! A run as text that can be pasted elsewhere: into a post or a forum, a spreadsheet, another program.
//!
//! In: the question and what the counts say. Out: Markdown, CSV or JSON.
//!
//! **Never:** computing a statistic, printing.

use super::extract::{Extract, said};
use super::markdown::{escaped, table};
use super::summary::{claims_in_short, expects_in_short, opening};
use super::tables;
use super::words::{UNSAID, situations};
use crate::analyse::Analysis;
use crate::results::{Table, Value, WriteError, json};
use crate::scenario::Scenario;

/// How many lines of figures a post has at most.
const ROWS: usize = 40;

/// Title, what was played, a table, what must be said of it, and what it comes to: a short post.
pub fn markdown(scenario: &Scenario, analysis: &Analysis, all: &str) -> String {
    let scenario = &escaped(scenario);
    let names = situations(scenario);
    let extract = Extract::new(scenario, analysis, (ROWS / scenario.variants.len().max(1)).max(1));
    let mut legend = said::legend(scenario, analysis, &extract, (0, all));
    legend.retain(|sentence| sentence != UNSAID); // it opens with that
    let legend = legend.join(" ");
    let claims = claims_in_short(scenario, &analysis.claims, "");
    let expects = expects_in_short(scenario, &analysis.expects);
    let found = said::changes(scenario, analysis, extract.telling).into_iter().chain(claims).chain(expects);
    let found: String = found.map(|line| format!("- {line}\n")).collect();
    let parts = [
        format!("## {}\n", scenario.title),
        format!("{}\n", opening(scenario, analysis)),
        rows(&extract, &names),
        format!("{legend}\n"),
        found,
        format!("Made with houserule {}.\n", env!("CARGO_PKG_VERSION")),
    ];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n")
}

/// The table: a situation stands beside the first of its variants.
fn rows(extract: &Extract, names: &[String]) -> String {
    let mut heading = vec!["Situation".to_owned(), "Variant".to_owned()];
    heading.extend(extract.headings.iter().map(|heading| heading.replace('\u{a0}', " ")));
    let against = extract.against.as_ref();
    heading.extend(against.map(|(label, baseline)| format!("{label} against {baseline}")));
    let mut rows = Vec::new();
    for (row, lines) in extract.lines.iter().enumerate() {
        for (at, line) in lines.iter().enumerate() {
            let name = if at == 0 { extract.name(names, row) } else { String::new() };
            let change = extract.against.as_ref().map(|_| line.words.clone());
            let figures = line.figures.iter().cloned().chain(change);
            rows.push([name, line.variant.clone()].into_iter().chain(figures).collect());
        }
    }
    table(&heading, &rows)
}

/// What CSV holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rows {
    /// Those of `results.csv`.
    Results,
    /// Those of `comparison.csv`.
    Comparison,
}

/// A table as the files of a run have it.
///
/// # Errors
/// A table that cannot be made.
pub fn csv(scenario: &Scenario, analysis: &Analysis, rows: Rows) -> Result<String, WriteError> {
    let table = match rows {
        Rows::Results => Some(tables::results(scenario, analysis)),
        Rows::Comparison => tables::comparison(scenario, analysis),
    };
    let bytes = table.unwrap_or_default().to_csv()?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The question in short, then each table of the run, a row a line.
pub fn json(scenario: &Scenario, analysis: &Analysis) -> String {
    let variants: Vec<&str> = scenario.variants.iter().map(|variant| variant.name.as_str()).collect();
    let factors: Vec<&str> = scenario.factors.iter().map(|factor| factor.name.as_str()).collect();
    let baseline = &scenario.variants[analysis.baseline].name;
    let facts = [
        ("title", json!(scenario.title)),
        ("test", json!(scenario.test)),
        ("trials", json!(scenario.trials)),
        ("seed", json!(scenario.seed)),
        ("level", json!(analysis.level)),
        ("baseline", json!(baseline)),
        ("variants", json!(variants)),
        ("factors", json!(factors)),
    ];
    let lists = [
        ("results", Some(tables::results(scenario, analysis))),
        ("comparison", tables::comparison(scenario, analysis)),
        ("measures", tables::measures(scenario, analysis)),
        ("claims", tables::claims(scenario, analysis)),
    ];
    let facts = facts.into_iter().map(|(name, value)| format!("{}: {value}", json!(name)));
    let lists =
        lists.into_iter().filter_map(|(name, table)| Some(format!("{}: {}", json!(name), list(&table?))));
    format!("{{\n{}\n}}\n", facts.chain(lists).collect::<Vec<_>>().join(",\n"))
}

/// A table as a list of objects, one a line.
fn list(table: &Table) -> String {
    let rows: Vec<String> = table.to_json().iter().map(Value::to_string).collect();
    if rows.is_empty() { "[]".to_owned() } else { format!("[\n{}\n]", rows.join(",\n")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::tests as example;

    #[test]
    fn a_post_has_title_trials_seed_a_table_and_verdicts() {
        let mut few = example::scenario();
        few.situations.drain(2..);
        few.claims.clear();
        let text = markdown(&few, &example::analysis(&few), "results.csv");
        assert!(text.starts_with("## Break tests: original against modified\n\n**modified** was compared with **original** in 2 situations, with 900,000 trials of `break_test` for each variant and situation (seed 1815)."), "{text}");
        // by hand, of 36: 26 hold, 4 retreat, 6 break; 21, 9 disordered, 3, 3
        let expected = "\
| Situation      | Variant  | Hold | Hold, disordered | Retreat | Retreat, disordered | Break | Hold, disordered against original |
| -------------- | -------- | ---: | ---------------: | ------: | ------------------: | ----: | --------------------------------: |
| Not disordered | original | 72.2 |              0.0 |     0.0 |                11.1 |  16.7 |                                   |
|                | modified | 58.3 |             25.0 |     0.0 |                 8.3 |   8.3 |                      +25.0 points |
";
        assert!(text.contains(expected), "{text}");
        assert!(
            text.contains("\n- modified: \"Hold, disordered\" more often in 2 of 2 situations (by up to "),
            "{text}"
        );
    }

    #[test]
    fn json_has_the_rows_of_the_files() {
        let mut few = example::scenario();
        few.situations.truncate(1);
        few.claims.clear();
        let text = json(&few, &example::analysis(&few));
        assert!(text.starts_with("{\n\"title\": \"Break tests: original against modified\",\n"), "{text}");
        let row = "{\"variant\":\"original\",\"troop\":\"infantry\",\"attack\":\"shooting\",\"excess\":0,\"weather\":\"dry\",\"disordered\":\"no\",\"measure\":\"result\",\"outcome\":\"break\",\"count\":150000,\"trials\":900000,\"unresolved\":0,\"probability\":0.166666667,";
        assert!(text.contains(row) && text.contains(",\"exact\":null,\"z\":null}"), "{text}");
        assert!(text.contains("\"comparison\": [\n{\"variant\":\"modified\","), "{text}");
    }
}
