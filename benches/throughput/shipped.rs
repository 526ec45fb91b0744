//! How many dice a second every shipped test rolls, beside the volley's.

use crate::Named;
use crate::clock::in_turns;
use crate::workload::chunks;
use houserule::diagnostic::{Diagnostics, Sources};
use houserule::interpret;
use houserule::plan::{Budget, ContentId, Plan};
use houserule::random::{Generator, Recorder};
use houserule::scenario;
use houserule::study::Study;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64};

/// How many trials are rolled to find out how many dice one takes.
const TRIALS: u32 = 4096;

/// How many dice a second are to be rolled, in those that the volley rolls.
const GOAL: f64 = 0.5;

/// The situation in the middle of each variant of each scenario, and the volley.
pub(crate) fn dice_a_second(named: Named, volley: &Plan) {
    let mut cases = vec![("volley".to_owned(), volley.clone())];
    scenarios().iter().for_each(|path| cases.extend(middles(path)));
    let mut seen: BTreeSet<ContentId> = BTreeSet::new();
    cases.retain(|(_, plan)| seen.insert(plan.id));
    let plays = cases.iter().map(|(_, plan)| {
        let mut chunks = chunks(named);
        move |trials| chunks(plan, trials)
    });
    let times = in_turns(plays.collect::<Vec<_>>().iter_mut());
    println!(
        "\nshipped: dice a trial, nanoseconds a trial, million dice a second, share of the volley's ({GOAL} wanted)"
    );
    let mut first = None;
    for ((name, plan), time) in cases.iter().zip(times) {
        let dice = dice(plan);
        let rate = 1e3 * dice / time;
        let share = rate / *first.get_or_insert(rate);
        let missed = if share < GOAL && dice > 0.0 { "  MISSED" } else { "" };
        println!("    {name:60} {dice:8.2} {time:9.1} {rate:9.1} {share:6.2}{missed}");
    }
}

/// How many dice a trial takes on average.
fn dice(plan: &Plan) -> f64 {
    let mut recorder = Recorder { source: Generator::new(1, &plan.id.0, 0, 0), rolled: Vec::new() };
    let rolled = (0..TRIALS).map(|_| {
        recorder.rolled.clear();
        interpret::trial(plan, &mut recorder);
        recorder.rolled.len()
    });
    rolled.sum::<usize>() as f64 / f64::from(TRIALS)
}

/// All scenario files, in the order of their names.
fn scenarios() -> Vec<PathBuf> {
    let files = |folder: &Path| {
        let entries = std::fs::read_dir(folder).expect("a folder that can be read");
        entries.map(|entry| entry.expect("an entry").path()).collect::<BTreeSet<PathBuf>>()
    };
    let folders = files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios"));
    let files = folders.iter().filter(|path| path.is_dir()).flat_map(|folder| files(folder));
    files.filter(|path| path.extension().is_some_and(|extension| extension == "toml")).collect()
}

/// For each variant the plan in the middle of its situations.
fn middles(path: &Path) -> Vec<(String, Plan)> {
    let (mut sources, mut found) = (Sources::default(), Diagnostics::default());
    let scenario = scenario::load(path, &mut sources, &mut found);
    let scenario = scenario.unwrap_or_else(|| panic!("{}: {found:?}", path.display()));
    let (done, stop) = (AtomicU64::new(0), AtomicBool::new(false));
    let mut study = Study::new(&scenario, None, &done, &stop).expect("threads can be started");
    study.decide(Budget::default(), None, &stop).expect("nobody stops it");
    let name = |variant: &scenario::Variant| {
        let file = path.file_stem().unwrap_or_default().to_string_lossy();
        let folder = path.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy();
        format!("{folder}, {file}, {}", variant.name)
    };
    let middle = |plans: &Vec<Plan>| plans[plans.len() / 2].clone();
    scenario.variants.iter().map(name).zip(study.played().iter().map(middle)).collect()
}
