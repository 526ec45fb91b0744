//! Everything that a run leaves: tables, summary, charts and the record of the run, each file whole or not at all.

use super::golden::{self, Drift};
use super::page::{Again, Contents, page};
use super::pictures::{self, Drawn};
use super::{sensitivity, summary, tables};
use crate::analyse::{Analysis, Place};
use crate::results::{Map, Table, Value, WriteError, json, replace_files, write_file};
use crate::scenario::Scenario;
use std::path::Path;

/// What the record of a run says beside what the scenario says.
#[derive(Clone, PartialEq, Debug)]
pub struct Circumstances {
    /// How to do it again, and from what.
    pub again: Again,
    /// How long it took, in seconds.
    pub seconds: f64,
}

/// Writes all files of a run into a folder, with what has become of a stored run where it was compared with one, and charts drawn on so many threads (`None`: one a core); says of each chart that cannot be drawn, and is left out, why.
///
/// # Errors
/// A table that cannot be made, a file that cannot be written.
pub fn write(
    scenario: &Scenario,
    analysis: &Analysis,
    drift: Option<&Drift>,
    circumstances: &Circumstances,
    folder: &Path,
    threads: Option<usize>,
) -> Result<Vec<String>, WriteError> {
    let mut files = Vec::new();
    let results = tables::results(scenario, analysis);
    files.push(("results.csv".to_owned(), results.to_csv()?));
    files.push(("results.parquet".to_owned(), results.to_parquet()?));
    let moved = &analysis.sensitivities;
    let more = [
        ("comparison.csv", tables::comparison(scenario, analysis)),
        ("measures.csv", tables::measures(scenario, analysis)),
        ("means.csv", tables::means(scenario, analysis)),
        ("order.csv", tables::order(scenario, analysis)),
        ("flow.csv", tables::flow(scenario, analysis)),
        ("paired.csv", tables::paired(scenario, analysis)),
        ("joint.csv", tables::joint(scenario, analysis)),
        ("claims.csv", tables::claims(scenario, analysis)),
        ("drift.csv", drift.map(golden::table)),
        ("sensitivity.csv", (!moved.is_empty()).then(|| sensitivity::table(scenario, moved))),
    ];
    for (name, table) in more.into_iter().filter_map(|(name, table)| Some((name, table?))) {
        files.push((name.to_owned(), table.to_csv()?));
    }
    let Drawn { files: charts, pictures, undrawn } = pictures::draw(scenario, analysis, threads);
    let mut text = summary::summary(scenario, analysis);
    text += &summary::pictures(pictures.iter().map(|picture| (picture.file.as_str(), picture.alt.as_str())));
    files.push(("summary.md".to_owned(), text.into_bytes()));
    let again = &circumstances.again;
    let contents = Contents { scenario, analysis, drift, pictures: &pictures, again };
    files.push(("report.html".to_owned(), page(&contents).into_bytes()));
    files.extend(charts);
    replace_files(folder, &files, record(scenario, analysis, circumstances))?;
    Ok(undrawn)
}

/// Writes a table as CSV.
///
/// # Errors
/// A table that cannot be made, a file that cannot be written.
pub fn keep(table: &Table, file: &Path) -> Result<(), WriteError> {
    write_file(file, &table.to_csv()?)
}

/// `run.json`.
fn record(scenario: &Scenario, analysis: &Analysis, circumstances: &Circumstances) -> Map<String, Value> {
    let inputs: Map<String, Value> =
        circumstances.again.inputs.iter().map(|(file, hash)| (file.clone(), hash.as_str().into())).collect();
    let record = json!({
        "version": env!("CARGO_PKG_VERSION"),
        "title": scenario.title,
        "test": scenario.test,
        "seed": scenario.seed,
        "trials": scenario.trials,
        "precision_pp": scenario.precision.map(|precision| precision * 100.0),
        "situations": scenario.situations.len(),
        "variants": scenario.variants.iter().map(|variant| variant.name.as_str()).collect::<Vec<_>>(),
        "inputs": inputs,
        "trials_played": analysis.played,
        "seconds": circumstances.seconds,
    });
    let mut record = match record {
        Value::Object(record) => record,
        _ => Map::new(),
    };
    record.extend(engines(scenario, &analysis.interpreted));
    record
}

/// Which engine played; where there were two, what the interpreter played.
fn engines(scenario: &Scenario, interpreted: &[Place]) -> Vec<(String, Value)> {
    let all = scenario.variants.len() * scenario.situations.len() + scenario.expects.len();
    let engine = if interpreted.len() < all { "kernel" } else { "interpreter" };
    let mut engines = vec![("engine".to_owned(), engine.into())];
    if !interpreted.is_empty() && interpreted.len() < all {
        let places = interpreted.iter().map(|place| Value::Object(named(scenario, *place)));
        engines.push(("interpreter".to_owned(), places.collect()));
    }
    engines
}

/// A variant in a situation as `results.csv` has it, or in that of an expectation, which are counted from 1.
fn named(scenario: &Scenario, place: Place) -> Map<String, Value> {
    let variant = |at: usize| ("variant".to_owned(), scenario.variants[at].name.as_str().into());
    match place {
        Place::Cell(at, situation) => {
            let factors = scenario.factors.iter().zip(&scenario.situations[situation]);
            let value = factors
                .map(|(factor, value)| (factor.name.clone(), factor.values[*value].name.as_str().into()));
            std::iter::once(variant(at)).chain(value).collect()
        }
        Place::Expectation(at) => {
            let expect = ("expect".to_owned(), (at + 1).into());
            [variant(scenario.expects[at].variant), expect].into_iter().collect()
        }
    }
}
