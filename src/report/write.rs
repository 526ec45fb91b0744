//! Everything that a run leaves: tables, summary, charts and the record of the run, each file whole or not at all.

use super::chart::{ChartError, Curve, Figure, Outcomes, draw, rasterise};
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

/// Writes all files of a run into a folder; says of each chart that cannot be drawn, and is left out, why.
///
/// # Errors
/// A table that cannot be made, a file that cannot be written.
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
    if let Some(measures) = tables::measures(scenario, analysis) {
        files.push(("measures.csv".to_owned(), measures.to_csv()?));
    }
    if let Some(joint) = tables::joint(scenario, analysis) {
        files.push(("joint.csv".to_owned(), joint.to_csv()?));
    }
    let (charts, undrawn) = charts(scenario, analysis);
    let mut text = summary::summary(scenario, analysis);
    text += &summary::pictures(charts.iter().map(|(name, _)| name.as_str()));
    files.push(("summary.md".to_owned(), text.into_bytes()));
    files.extend(charts);
    replace_files(folder, &files, record(scenario, circumstances))?;
    Ok(undrawn)
}

/// `charts/01-outcomes-….svg` and `.png`, two files for each chart; and why some cannot be drawn.
fn charts(scenario: &Scenario, analysis: &Analysis) -> (Vec<(String, Vec<u8>)>, Vec<String>) {
    let (mut files, mut undrawn) = (Vec::new(), Vec::new());
    for (number, drawing) in (1..).zip(figures::figures(scenario, analysis)) {
        let name = format!("charts/{number:02}-{}", drawing.name);
        let (Figure::Outcomes(Outcomes { caption, .. }) | Figure::Curve(Curve { caption, .. })) =
            &drawing.figure;
        match pictures(&drawing.figure) {
            Ok([png, svg]) => files.extend([(format!("{name}.png"), png), (format!("{name}.svg"), svg)]),
            Err(error) => undrawn.push(format!("chart {number}, \"{}\": not drawn: {error}", caption.title)),
        }
    }
    (files, undrawn)
}

/// A figure as PNG and as SVG.
fn pictures(figure: &Figure) -> Result<[Vec<u8>; 2], ChartError> {
    let svg = draw(figure)?;
    Ok([rasterise(&svg)?, svg.into_bytes()])
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
