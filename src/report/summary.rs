//! `summary.md`: what a person would write after reading the tables.
//!
//! In: the question and what the counts say. Out: Markdown, in which every figure can be found in, or read off, the
//! tables.
//!
//! **Never:** verdicts, computing a statistic.

mod claims;
mod drafts;
mod figures;
mod policy;

use super::words::{cell, counted, list, thousands};
use crate::analyse::Analysis;
use crate::scenario::Scenario;

/// How many rows a table of the summary has at most.
const ROWS: usize = 40;

/// The whole summary.
pub fn summary(scenario: &Scenario, analysis: &Analysis) -> String {
    let names = super::words::situations(scenario, true);
    let parts = [
        format!("# {}\n\n{}\n", scenario.title, compared(scenario, analysis)),
        figures::in_short(scenario, analysis, &names),
        claims::claims(scenario, analysis, &names),
        figures::situations(scenario, analysis, &names),
        drafts::drafts(scenario),
        reading(scenario, analysis),
    ];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n")
}

/// The first paragraph: which variants, how many situations and trials.
fn compared(scenario: &Scenario, analysis: &Analysis) -> String {
    let bold = |variant: usize| format!("**{}**", scenario.variants[variant].name);
    let others: Vec<String> =
        (0..scenario.variants.len()).filter(|one| *one != analysis.baseline).map(bold).collect();
    let baseline = bold(analysis.baseline);
    let subject = match others.as_slice() {
        [] => format!("{baseline} was played"),
        [one] => format!("{one} was compared with {baseline}"),
        _ => format!("{} were compared with {baseline}", list(&others)),
    };
    format!(
        "{subject} in {}, with {} trials of `{}` for each variant and situation (seed {}).",
        counted(scenario.situations.len(), "situation", "situations"),
        thousands(scenario.trials),
        scenario.test,
        scenario.seed,
    )
}

/// The last part: remarks of the run, and what the figures mean.
fn reading(scenario: &Scenario, analysis: &Analysis) -> String {
    let level = analysis.level * 100.0;
    let mut lines: Vec<String> = scenario.notes.iter().map(|note| format!("- {note}")).collect();
    let unresolved: u64 = analysis.cells.iter().flatten().map(|cell| cell.sample.tally.unresolved).sum();
    if unresolved > 0 {
        lines.push(format!(
            "- {} reached the tool's patience before the test ended; they count as trials in which no result came up.",
            counted(usize::try_from(unresolved).unwrap_or(usize::MAX), "trial", "trials"),
        ));
    }
    lines.push(format!(
        "- An interval (Wilson for a probability, Newcombe for a difference) holds with {level} % by itself; of many \
         intervals some miss."
    ));
    if scenario.variants.len() > 1 {
        lines.push(format!(
            "- \"Told apart\" means an adjusted p-value below {:.3} (pooled z-test, Holm over all comparisons of the run): \
             one or more false alarms in the whole run have at most that probability.",
            1.0 - analysis.level
        ));
    }
    format!("## How to read the figures\n\n{}\n", lines.join("\n"))
}

/// A table in Markdown; the first column on the left, figures on the right.
fn table(heading: &[String], rows: &[Vec<String>]) -> String {
    let line = |cells: &[String]| {
        format!("| {} |\n", cells.iter().map(|text| cell(text)).collect::<Vec<_>>().join(" | "))
    };
    let rule = format!("| --- |{}\n", " ---: |".repeat(heading.len().saturating_sub(1)));
    line(heading) + &rule + &rows.iter().map(|row| line(row)).collect::<String>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::example;

    #[test]
    fn print() {
        let scenario = example::scenario();
        println!("{}", summary(&scenario, &example::analysis(&scenario)));
    }
}
