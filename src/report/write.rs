//! Everything that a run leaves: tables, summary, charts and the record of the run, each file whole or not at all.

use super::chart::{draw, rasterise};
use super::{figures, summary, tables};
use crate::analyse::Analysis;
use crate::results::{Map, Value, WriteError, json, replace_files};
use crate::scenario::Scenario;
use std::path::Path;

/// What the record of a run says beside what the scenario says.
#[derive(Clone, PartialEq, Debug)]
pub struct Circumstances {
    /// Each file that was read, and the hash of its text.
    pub inputs: Vec<(String, String)>,
    /// Trials that were played; plans that play alike were played once.
    pub trials_played: u64,
    /// How long it took, in seconds.
    pub seconds: f64,
}

/// Writes all files of a run into a folder and gives their names.
///
/// # Errors
/// A table or chart that cannot be made, a file that cannot be written.
pub fn write(
    scenario: &Scenario,
    analysis: &Analysis,
    circumstances: &Circumstances,
    folder: &Path,
) -> Result<Vec<String>, WriteError> {
    let mut files = Vec::new();
    let results = tables::results(scenario, analysis);
    files.push(("results.csv".to_owned(), results.to_csv()?));
    files.push(("results.parquet".to_owned(), results.to_parquet()?));
    if let Some(comparison) = tables::comparison(scenario, analysis) {
        files.push(("comparison.csv".to_owned(), comparison.to_csv()?));
    }
    let charts = charts(scenario, analysis)?;
    let mut text = summary::summary(scenario, analysis);
    text += &summary::pictures(charts.iter().map(|(name, _)| name.as_str()));
    files.push(("summary.md".to_owned(), text.into_bytes()));
    files.extend(charts);
    replace_files(folder, &files, record(scenario, circumstances))?;
    Ok(files.into_iter().map(|(name, _)| name).collect())
}

/// `charts/01-outcomes-….svg` and `.png`, two files for each chart.
fn charts(scenario: &Scenario, analysis: &Analysis) -> Result<Vec<(String, Vec<u8>)>, WriteError> {
    let mut files = Vec::new();
    for (number, drawing) in figures::figures(scenario, analysis).into_iter().enumerate() {
        let name = format!("charts/{:02}-{}", number + 1, drawing.name);
        let refused = |error: super::chart::ChartError| WriteError::Chart(format!("`{name}`: {error}"));
        let svg = draw(&drawing.figure).map_err(refused)?;
        files.push((format!("{name}.png"), rasterise(&svg).map_err(refused)?));
        files.push((format!("{name}.svg"), svg.into_bytes()));
    }
    Ok(files)
}

/// `run.json`.
fn record(scenario: &Scenario, circumstances: &Circumstances) -> Map<String, Value> {
    let inputs: Map<String, Value> =
        circumstances.inputs.iter().map(|(file, hash)| (file.clone(), hash.as_str().into())).collect();
    let record = json!({
        "version": env!("CARGO_PKG_VERSION"),
        "title": scenario.title,
        "test": scenario.test,
        "seed": scenario.seed,
        "trials": scenario.trials,
        "situations": scenario.situations.len(),
        "variants": scenario.variants.iter().map(|variant| variant.name.as_str()).collect::<Vec<_>>(),
        "inputs": inputs,
        "engine": "interpreter",
        "trials_played": circumstances.trials_played,
        "seconds": circumstances.seconds,
    });
    match record {
        Value::Object(record) => record,
        _ => Map::new(),
    }
}
