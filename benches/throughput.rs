//! How many trials a second the engine plays, and what a second thread brings.
//!
//! `cargo bench` prints medians of samples taken in turns, so that a noisy machine disturbs all of them alike. Ratios
//! are what to compare; the absolute figures hold for one machine on one day.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use houserule::diagnostic::{Diagnostics, Sources};
use houserule::interpret::Interpreter;
use houserule::plan::{CHUNK, Chunk, Engine, Plan};
use houserule::random::{Generator, Source};
use houserule::scenario::{self, Scenario};
use houserule::simulate::{Effort, simulate};
use std::hint::black_box;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::Instant;

/// How often each figure is taken.
const SAMPLES: usize = 9;

fn main() {
    let scenario = break_tests();
    let plans = Plan::all(&scenario);
    println!("The break test of {}, medians of {SAMPLES} samples taken in turns", scenario.title);
    for (variant, plans) in scenario.variants.iter().zip(&plans) {
        one_thread(&variant.name, &plans[0]);
    }
    two_threads(&plans[1][0]);
}

fn break_tests() -> Scenario {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios/black-powder/break-test.toml");
    let (mut sources, mut found) = (Sources::default(), Diagnostics::default());
    scenario::load(&path, &mut sources, &mut found).expect("the shipped scenario has no mistakes")
}

/// The interpreter on one thread, beside a loop that rolls the two dice and does nothing with them.
fn one_thread(name: &str, plan: &Plan) {
    let mut played = Vec::new();
    let mut rolled = Vec::new();
    for number in 0..SAMPLES as u64 {
        let chunk = Chunk { seed: 1, number, trials: CHUNK };
        played.push(seconds(|| Interpreter.play(plan, chunk, &mut |_, _| {})) / CHUNK as f64);
        let mut dice = Generator::new(1, &plan.id.0, number, 0);
        rolled.push(seconds(|| (0..CHUNK).map(|_| dice.die(6) + dice.die(6)).sum::<u32>()) / CHUNK as f64);
    }
    let (played, rolled) = (median(played), median(rolled));
    println!(
        "{name:>10}: {:.1} million trials/s on one thread, {:.0} ns a trial",
        1e-6 / played,
        played * 1e9
    );
    println!(
        "{:>10}  {:.1} times what its two dice alone take ({:.1} ns)",
        "",
        played / rolled,
        rolled * 1e9
    );
}

/// The same work for one thread and for two.
fn two_threads(plan: &Plan) {
    let trials = 64 * CHUNK;
    let sample = |threads| {
        let effort = Effort { trials, seed: 1, threads: Some(threads) };
        seconds(|| simulate(&Interpreter, &[plan], effort, &AtomicU64::new(0), &AtomicBool::new(false)))
    };
    let pairs: Vec<(f64, f64)> = (0..SAMPLES).map(|_| (sample(1), sample(2))).collect();
    let ratio = median(pairs.iter().map(|(one, two)| one / two).collect());
    println!("two threads play {ratio:.2} times as fast as one ({trials} trials)");
}

fn seconds<T>(work: impl FnOnce() -> T) -> f64 {
    let start = Instant::now();
    black_box(work());
    start.elapsed().as_secs_f64()
}

fn median(mut samples: Vec<f64>) -> f64 {
    samples.sort_by(f64::total_cmp);
    samples[samples.len() / 2]
}
