//! Everything that a run leaves: tables, summary, charts and the record of the run, each file whole or not at all.

use super::chart::{ChartError, Figure, draw, rasterise};
use super::golden::{self, Drift};
use super::{figures, sensitivity, summary, tables};
use crate::analyse::{Analysis, Place};
use crate::results::{Map, Table, Value, WriteError, json, replace_files, write_file};
use crate::scenario::Scenario;
use crate::simulate::shared;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// What the record of a run says beside what the scenario says.
#[derive(Clone, PartialEq, Debug)]
pub struct Circumstances {
    /// Each file that was read, and the hash of its text.
    pub inputs: Vec<(String, String)>,
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
    let more = [
        ("comparison.csv", tables::comparison(scenario, analysis)),
        ("measures.csv", tables::measures(scenario, analysis)),
        ("means.csv", tables::means(scenario, analysis)),
        ("order.csv", tables::order(scenario, analysis)),
        ("flow.csv", tables::flow(scenario, analysis)),
        ("paired.csv", tables::paired(scenario, analysis)),
        ("joint.csv", tables::joint(scenario, analysis)),
    ];
    for (name, table) in more.into_iter().filter_map(|(name, table)| Some((name, table?))) {
        files.push((name.to_owned(), table.to_csv()?));
    }
    if let Some(claims) = tables::claims(scenario, analysis) {
        files.push(("claims.csv".to_owned(), claims.to_csv()?));
    }
    if let Some(drift) = drift {
        files.push(("drift.csv".to_owned(), golden::table(drift).to_csv()?));
    }
    if !analysis.sensitivities.is_empty() {
        let table = sensitivity::table(scenario, &analysis.sensitivities);
        files.push(("sensitivity.csv".to_owned(), table.to_csv()?));
    }
    let (charts, undrawn) = charts(scenario, analysis, threads);
    let mut text = summary::summary(scenario, analysis);
    text += &summary::pictures(charts.iter().map(|(name, _)| name.as_str()));
    files.push(("summary.md".to_owned(), text.into_bytes()));
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

/// A file's name and its bytes.
type File = (String, Vec<u8>);

/// `charts/01-outcomes-….svg` and `.png`, two files for each chart; and why some cannot be drawn.
fn charts(scenario: &Scenario, analysis: &Analysis, threads: Option<usize>) -> (Vec<File>, Vec<String>) {
    let drawings = figures::figures(scenario, analysis);
    let draw = |drawn: &mut BTreeMap<usize, _>, at: u64| {
        let at = at as usize;
        drawn.insert(at, pictures(&drawings[at].figure));
    };
    let Ok(drawn) = shared(drawings.len() as u64, threads, &AtomicBool::new(false), draw) else {
        return (Vec::new(), vec!["no chart is drawn: the system gives no threads".to_owned()]);
    };
    let drawn: BTreeMap<usize, _> = drawn.into_iter().flatten().collect();
    let (mut files, mut undrawn) = (Vec::new(), Vec::new());
    for (number, (drawing, pictures)) in (1..).zip(drawings.iter().zip(drawn.into_values())) {
        let name = format!("charts/{number:02}-{}", drawing.name);
        let caption = drawing.figure.caption();
        match pictures {
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
fn record(scenario: &Scenario, analysis: &Analysis, circumstances: &Circumstances) -> Map<String, Value> {
    let inputs: Map<String, Value> =
        circumstances.inputs.iter().map(|(file, hash)| (file.clone(), hash.as_str().into())).collect();
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
