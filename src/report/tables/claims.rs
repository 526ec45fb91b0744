//! The table `claims`: one row per claim and situation that it speaks of, or one for an average.
//!
//! `claim` (its number, from 1), `says` (in words), `left_variant`, `right_variant` (empty where a number is claimed), the
//! grid's factors (empty for an average), `left_figure`, `right_figure` (fractions in 0..=1, or numbers), `left_exact`,
//! `right_exact` (as text, where they are worked out), `verdict` (`holds`, `fails`, `undecided`), `decided` (`exact` or
//! `sampled`; empty where nothing is known), `trials` (the most in which one of the figures was counted; 0 where all are
//! worked out).
//!
//! **Never:** labels, files.

use crate::analyse::{Analysis, Doubt, Judged};
use crate::plan::Probability;
use crate::report::summary::word;
use crate::results::Table;
use crate::scenario::{Claim, Scenario, Side};

/// One row: the number of a claim from 0, the claim, the situation, what was judged.
type Row<'a> = (usize, &'a Claim, Option<usize>, &'a Judged);

/// The table `claims`; `None` where nothing is claimed.
pub fn claims(scenario: &Scenario, analysis: &Analysis) -> Option<Table> {
    let rows: Vec<Row> = scenario.claims.iter().zip(&analysis.claims).enumerate().flat_map(rows).collect();
    let mut table = Table::default();
    table.count("claim", &rows, |row| row.0 as u64 + 1);
    table.text("says", &rows, |row| row.1.text.clone());
    table.text("left_variant", &rows, |row| variant(scenario, &row.1.left));
    table.text("right_variant", &rows, |row| variant(scenario, &row.1.right));
    for (column, factor) in scenario.factors.iter().enumerate() {
        let value = |situation: usize| factor.values[scenario.situations[situation][column]].name.clone();
        table.text(&factor.name, &rows, |row| row.2.map(value));
    }
    table.real("left_figure", &rows, |row| row.3.sides[0].as_ref().map(Probability::value));
    table.real("right_figure", &rows, |row| row.3.sides[1].as_ref().map(Probability::value));
    table.text("left_exact", &rows, |row| exact(row, 0));
    table.text("right_exact", &rows, |row| exact(row, 1));
    table.text("verdict", &rows, |row| word(row.3.ruling).to_owned());
    table.text("decided", &rows, |row| decided(row.3));
    table.count("trials", &rows, |row| row.3.trials);
    (!rows.is_empty()).then_some(table)
}

fn rows<'a>((number, (claim, verdict)): (usize, (&'a Claim, &'a crate::analyse::Verdict))) -> Vec<Row<'a>> {
    let row = |(at, judged): (usize, &'a Judged)| {
        let situation = if claim.average { None } else { claim.situations.get(at).copied() };
        (number, claim, situation, judged)
    };
    verdict.cells.iter().enumerate().map(row).collect()
}

fn variant(scenario: &Scenario, side: &Side) -> Option<String> {
    match side {
        Side::Quantity(_, variant) => Some(scenario.variants[*variant].name.clone()),
        Side::Number(_) => None,
    }
}

fn exact(row: &Row, side: usize) -> Option<String> {
    (row.3.trials == 0).then(|| row.3.sides[side].as_ref().map(Probability::to_string))?
}

fn decided(judged: &Judged) -> Option<String> {
    match judged.doubt {
        Some(Doubt::Unsolved) => None,
        _ => Some(if judged.trials == 0 { "exact" } else { "sampled" }.to_owned()),
    }
}
