//! How fast trials are played: rules files on the engines, beside the same rules written by hand in Rust.
//!
//! `cargo bench --bench throughput` first compares all counts with exact probabilities, then prints nanoseconds a trial:
//! medians of samples taken in turns, so that a noisy machine disturbs all of them alike. Ratios are what to compare,
//! each with its goal beside it; the absolute figures hold for one machine on one day. With a word behind `--` only what
//! has it in its name is done: a workload, `threads`, `streams`, `shipped`. With `--plain` one sample of each engine and
//! the exact probabilities are printed for programs: benches/compare.py reads them.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

mod by_hand;
mod clock;
mod fit;
mod naive;
mod shipped;
mod threads;
mod tuned;
mod workload;

use clock::{Goal, in_turns};
use houserule::exact;
use houserule::interpret;
use houserule::kernel::Kernel;
use houserule::plan::{Budget, CHUNK, Chunk, Plan, Tally};
use workload::{Player, Role, Workload};

/// What plays rules files: first what is to be fast, last what it is compared with.
const ENGINES: &[Named] =
    &[Named { name: "kernel", new: kernel }, Named { name: "interpreter", new: interpreter }];

/// An engine under the name that the tables have for it.
#[derive(Clone, Copy)]
struct Named {
    name: &'static str,
    new: fn() -> Playing,
}

/// An engine at work; it may keep what it made of the plan that it played last.
type Playing = Box<dyn FnMut(&Plan, Chunk) -> Tally + Send>;

fn kernel() -> Playing {
    let mut kernel = Kernel::default();
    Box::new(move |plan, chunk| kernel.play(plan, chunk).expect("a plan that can be written out"))
}

fn interpreter() -> Playing {
    Box::new(interpret::play)
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let asked =
        |name: &str| words.iter().filter(|word| !word.starts_with('-')).all(|word| name.contains(word));
    let workloads = workload::all();
    let chosen = workloads.iter().filter(|workload| asked(workload.name));
    if words.iter().any(|word| word == "--plain") {
        return chosen.for_each(plain);
    }
    chosen.for_each(side_by_side);
    let volley = &workloads[1].plan;
    if asked("threads") {
        threads::two_threads(ENGINES[0], volley);
    }
    if asked("streams") {
        threads::streams(ENGINES[0], volley);
    }
    if asked("shipped") {
        shipped::dice_a_second(ENGINES[0], volley);
    }
}

/// All that plays a workload: checked, timed in turns, compared.
fn side_by_side(workload: &Workload) {
    let mut players = workload.players();
    let worst = players.iter_mut().map(|player| fit::check(player, &workload.exact)).fold(0.0, f64::max);
    println!("\n{}: {}; counts fit, worst z {worst:.1}", workload.name, workload.about);
    let times = in_turns(players.iter_mut().map(|player| &mut player.play));
    for (player, time) in players.iter().zip(&times) {
        println!("    {:40} {time:9.2} ns a trial", player.name);
    }
    let best = |role: Role| {
        let fitting = players.iter().zip(&times).filter(|(player, _)| player.role == role);
        fitting.map(|(_, time)| *time).fold(f64::INFINITY, f64::min)
    };
    let (name, fast) = (&players[0].name, times[0]);
    Goal::AtMost(0.9).print(&format!("{name} / tuned"), fast / best(Role::Tuned));
    Goal::AtLeast(workload.naive).print(&format!("die by die / {name}"), best(Role::Naive) / fast);
    Goal::AtLeast(20.0).print(&format!("interpreter / {name}"), times[ENGINES.len() - 1] / fast);
}

/// Lines for programs: `share WORKLOAD KEY PROBABILITY`, `time WORKLOAD ENGINE NANOSECONDS` (a trial) and
/// `solve WORKLOAD NANOSECONDS` (the whole).
fn plain(workload: &Workload) {
    let name = workload.name.replace(' ', "-");
    for (key, probability) in &workload.exact {
        let key: Vec<String> = key.iter().map(i64::to_string).collect();
        println!("share {name} {} {probability}", key.join(","));
    }
    for Player { name: player, play, .. } in &mut workload.players()[..ENGINES.len()] {
        println!("time {name} {player} {}", clock::sample(play, CHUNK));
    }
    let mut solve = |times| (0..times).for_each(|_| _ = exact::solve(&workload.plan, Budget::default()));
    println!("solve {name} {}", clock::sample(&mut solve, 1));
}
