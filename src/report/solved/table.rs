//! What is known exactly, as a table for programs.
//!
//! In: the question and its exact answers. Out: a table.
//!
//! **Never:** labels.

use crate::analyse::{Solved, exact_mean, exact_share, present};
use crate::plan::{Answer, Probability};
use crate::report::tables::{Place, places};
use crate::report::words::result_name;
use crate::results::Table;
use crate::scenario::{Measure, Results, Scenario};
use std::collections::BTreeSet;

/// One row of the table.
struct Row<'a> {
    place: Place,
    measure: &'a Measure,
    outcome: String,
    exact: Probability,
    limit: Option<Probability>,
    present: Option<Probability>,
    unresolved: &'a Probability,
}

/// The table: one row per variant, situation, measure and value, and of numbers one more for the mean: `variant`, the
/// grid's factors, `measure`, `outcome` (its name, the number, or `mean`), `exact` (as text), `value` (the same as a
/// number), `limit` (as text: without the tool's patience, where it is not the same), `present` (the probability of a
/// trial that has the record, as text), `unresolved` (as text). What is not solved has no row.
pub fn table(scenario: &Scenario, solved: &Solved) -> Table {
    let mut rows: Vec<Row> = Vec::new();
    for (variant, cells) in solved.cells.iter().enumerate() {
        for (situation, (_, answer)) in cells.iter().enumerate() {
            let measures = scenario.measures.iter().enumerate();
            for (at, measure) in measures.filter(|(_, measure)| measure.variants[variant].is_some()) {
                let answer = answer.as_ref().ok();
                rows.extend(
                    answer.into_iter().flat_map(|answer| figures((variant, situation), measure, at, answer)),
                );
            }
        }
    }
    let mut table = places(scenario, &rows, |row| row.place);
    table.text("measure", &rows, |row| row.measure.name.clone());
    table.text("outcome", &rows, |row| row.outcome.clone());
    table.text("exact", &rows, |row| row.exact.to_string());
    table.real("value", &rows, |row| row.exact.value());
    table.text("limit", &rows, |row| row.limit.as_ref().map(Probability::to_string));
    table.text("present", &rows, |row| row.present.as_ref().map(Probability::to_string));
    table.text("unresolved", &rows, |row| row.unresolved.to_string());
    table
}

/// A row for each value of a measure, and of a number one for the mean.
fn figures<'a>(place: Place, measure: &'a Measure, at: usize, answer: &'a Answer) -> Vec<Row<'a>> {
    let own = &answer.measures[at];
    let limit = answer.limit.as_ref().and_then(|limit| limit.measures[at].as_ref());
    let unresolved = &answer.unresolved;
    let present = own.partial.then(|| present(own));
    let row = |outcome, exact, limit| Row {
        place,
        measure,
        outcome,
        exact,
        limit,
        present: present.clone(),
        unresolved,
    };
    let keys: BTreeSet<i64> = match &measure.results {
        Results::Named(named) => (0..named.len() as i64).collect(),
        Results::Numbers => {
            [Some(own), limit].into_iter().flatten().flat_map(|one| one.weights.keys()).copied().collect()
        }
    };
    let (share, limit_share) = (exact_share(own), limit.map(exact_share));
    let of = |key: i64| {
        let limit = limit_share.as_ref().and_then(|share| share(key));
        Some(row(result_name(measure, key), share(key)?, limit))
    };
    let mut rows: Vec<Row> = keys.into_iter().filter_map(of).collect();
    if measure.results == Results::Numbers {
        rows.extend(exact_mean(own).map(|mean| row("mean".to_owned(), mean, limit.and_then(exact_mean))));
    }
    rows
}
