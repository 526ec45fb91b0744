//! A run against one that was stored: which figures are the same, which differ by chance, which have drifted.
//!
//! In: the folder of a former run, the question, and what the counts say. Out: a [`Drift`], its table and its words.
//!
//! A figure is found again by the names of its variant, its factors' values, its measure and its outcome. Stored figures
//! that nothing answers to are *gone*, which is drift as much as a changed one; what was not stored is *new*, which is
//! none: a grid may grow.
//!
//! **Never:** computing a statistic.

mod rows;
mod words;

pub use rows::{Key, Lacks};
pub use words::lines;
pub(super) use words::{in_short, moved, outcome, parts, place, share};

use super::tables;
use crate::analyse::{ALARM, Analysis, Change, Counted, changes};
use crate::results::{ReadError, Table, read_table};
use crate::scenario::Scenario;
use rows::Rows;

use std::path::Path;

/// A stored run.
#[derive(Clone, Debug)]
pub struct Golden {
    /// Where it was stored.
    folder: String,
    rows: Rows,
}

/// What has become of a stored run.
#[derive(Clone, PartialEq, Debug)]
pub struct Drift {
    /// Where it was stored.
    pub folder: String,
    /// How many figures are the same exactly.
    pub equal: usize,
    /// How many differ no more than chance carries.
    pub chance: usize,
    /// Those that have changed, the largest change first.
    pub drifted: Vec<Drifted>,
    /// Those that were stored and are there no more, in the stored order.
    pub gone: Vec<Lone>,
    /// Those that were not stored, in the order of the run.
    pub new: Vec<Lone>,
    /// The factors that tell situations apart.
    factors: Vec<String>,
    /// What must be said of the comparison as a whole.
    remarks: Vec<String>,
}

/// A figure that only one of both runs has.
#[derive(Clone, PartialEq, Debug)]
pub struct Lone {
    /// Which.
    pub key: Key,
    /// As it was stored, or as it is.
    pub figure: Counted,
    /// How much of it the other run lacks.
    pub lacks: Lacks,
}

/// A figure that has changed.
#[derive(Clone, PartialEq, Debug)]
pub struct Drifted {
    /// Which.
    pub key: Key,
    /// As it was stored.
    pub old: Counted,
    /// As it is.
    pub new: Counted,
    /// How sure that is.
    pub change: Change,
}

impl Drifted {
    /// The new probability less the stored one, a fraction in -1..=1; 0 where there is none.
    pub fn difference(&self) -> f64 {
        let both = self.old.probability().zip(self.new.probability());
        both.map_or(0.0, |(old, new)| new - old)
    }
}

impl Drift {
    /// What must be said of the comparison as a whole.
    pub fn remarks(&self) -> impl Iterator<Item = &str> {
        self.remarks.iter().map(String::as_str)
    }

    /// Whether anything that was stored has changed or is gone.
    pub fn is_drift(&self) -> bool {
        !self.drifted.is_empty() || !self.gone.is_empty()
    }
}

/// Reads the table of a former run.
///
/// # Errors
/// There is none, or it is damaged.
pub fn load(folder: &Path) -> Result<Golden, ReadError> {
    let (path, table) = read_table(folder, "results")?;
    let rows = rows::rows(&table).map_err(|why| ReadError::Table { path, why })?;
    Ok(Golden { folder: folder.display().to_string(), rows })
}

/// Compares a run with a stored one.
///
/// # Errors
/// A run whose own table cannot be made.
pub fn compare(golden: &Golden, scenario: &Scenario, analysis: &Analysis) -> Result<Drift, ReadError> {
    let table = tables::results(scenario, analysis);
    let wrong = |why| ReadError::Table { path: "results.csv".into(), why };
    let (mut old, mut new) = (golden.rows.clone(), rows::rows(&table).map_err(wrong)?);
    let remarks = rows::align(&mut old, &mut new).map_err(wrong)?;
    let measured = |key: &Key| {
        let variant = scenario.variants.iter().position(|variant| variant.name == key.variant);
        let measure = scenario.measures.iter().find(|measure| measure.name == key.measure);
        variant.zip(measure).is_some_and(|(variant, measure)| measure.variants[variant].is_some())
    };
    let lone = |(key, figure): &(Key, Counted), other: &Rows| Lone {
        key: key.clone(),
        figure: figure.clone(),
        lacks: other.lacks(key),
    };
    let (mut pairs, mut lost, mut found) = (Vec::new(), Vec::new(), Vec::new());
    for row in &new.figures {
        match old.get(&row.0).or_else(|| old.nothing(&row.0).filter(|_| old.measures(&row.0))) {
            Some(stored) => pairs.push((row.0.clone(), (stored, row.1.clone()))),
            None => found.push(lone(row, &old)),
        }
    }
    for row in old.figures.iter().filter(|(key, _)| new.get(key).is_none()) {
        match new.nothing(&row.0).filter(|_| measured(&row.0)) {
            Some(nothing) => pairs.push((row.0.clone(), (row.1.clone(), nothing))),
            None => lost.push(lone(row, &new)),
        }
    }
    let (equal, chance, drifted) = judged(pairs);
    let (folder, factors) = (golden.folder.clone(), new.factors);
    Ok(Drift { folder, equal, chance, drifted, gone: lost, new: found, factors, remarks })
}

/// Pairs of figures by what has become of them: how many are equal, how many differ by chance, and the others.
fn judged(pairs: Vec<(Key, (Counted, Counted))>) -> (usize, usize, Vec<Drifted>) {
    let (keys, figures): (Vec<Key>, Vec<(Counted, Counted)>) = pairs.into_iter().unzip();
    let changes = changes(&figures);
    let of = |which: Change| changes.iter().filter(|change| **change == which).count();
    let (equal, chance) = (of(Change::Equal), of(Change::Chance));
    let all = keys.into_iter().zip(figures).zip(changes);
    let mut drifted: Vec<Drifted> = all
        .filter(|(_, change)| change.is_drift())
        .map(|((key, (old, new)), change)| Drifted { key, old, new, change })
        .collect();
    drifted.sort_by(|a, b| b.difference().abs().total_cmp(&a.difference().abs()));
    (equal, chance, drifted)
}

/// The table `drift`: a row for each figure that has drifted, is gone or is new: `variant`, the factors that tell
/// situations apart, `measure`, `outcome`, `verdict` (`drift`, `gone` or `new`), the stored figure (`stored_count`,
/// `stored_trials`, `stored_exact`, `stored_probability`), the new one (`count`, `trials`, `exact`, `probability`),
/// `difference_pp` and `p_adjusted` (empty where both are known exactly).
pub fn table(drift: &Drift) -> Table {
    type Row<'a> = (&'a Key, &'static str, [Option<&'a Counted>; 2], Option<&'a Drifted>);
    let drifted =
        drift.drifted.iter().map(|one| (&one.key, "drift", [Some(&one.old), Some(&one.new)], Some(one)));
    let gone = drift.gone.iter().map(|one| (&one.key, "gone", [Some(&one.figure), None], None));
    let new = drift.new.iter().map(|one| (&one.key, "new", [None, Some(&one.figure)], None));
    let rows: Vec<Row> = drifted.chain(gone).chain(new).collect();
    let mut table = Table::default();
    table.text("variant", &rows, |row| row.0.variant.clone());
    for (at, factor) in drift.factors.iter().enumerate() {
        table.text(factor, &rows, |row| row.0.situation.get(at).cloned());
    }
    table.text("measure", &rows, |row| row.0.measure.clone());
    table.text("outcome", &rows, |row| row.0.outcome.clone());
    table.text("verdict", &rows, |row| row.1.to_owned());
    for (prefix, side) in [("stored_", 0), ("", 1)] {
        table.text(format!("{prefix}count"), &rows, |row| row.2[side].map(|one| one.count.to_string()));
        table.text(format!("{prefix}trials"), &rows, |row| row.2[side].map(|one| one.trials.to_string()));
        table.text(format!("{prefix}exact"), &rows, |row| Some(row.2[side]?.exact.as_ref()?.to_string()));
        table.real(format!("{prefix}probability"), &rows, |row| row.2[side]?.probability());
    }
    table.real("difference_pp", &rows, |row| Some(row.3?.difference() * 100.0));
    table.real("p_adjusted", &rows, |row| row.3.and_then(p_adjusted));
    table
}

fn p_adjusted(one: &Drifted) -> Option<f64> {
    if let Change::Beyond(p) = one.change { Some(p) } else { None }
}

/// How often an unchanged run is called drifted by chance, as people say it: `1 in 1,000`.
fn alarm() -> String {
    format!("1 in {}", super::words::thousands((1.0 / ALARM) as u64))
}

#[cfg(test)]
mod tests;
