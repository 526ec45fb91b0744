//! What a second thread brings, and what chunks cost.

use crate::clock::{Goal, SAMPLES, in_turns, median, seconds};
use crate::workload::chunks;
use crate::{Named, Playing};
use houserule::plan::{CHUNK, Chunk, Plan, Tally};
use houserule::simulate::{Effort, Stretch, simulate};
use std::sync::atomic::{AtomicBool, AtomicU64};

/// How long the faster of two runs takes at least, in seconds.
const RUN: f64 = 0.5;

/// The same work for one thread and for two; the same counts for any number of them.
pub(crate) fn two_threads(named: Named, plan: &Plan) {
    let play = |threads, trials| {
        let effort = Effort { seed: 1, threads: Some(threads) };
        let whole = Stretch { plan, trials: 0..trials };
        let play =
            |mine: &mut Option<Playing>, plan: &Plan, chunk| mine.get_or_insert_with(named.new)(plan, chunk);
        simulate(play, &[whole], effort, &AtomicU64::new(0), &AtomicBool::new(false))
            .expect("threads can be started")
    };
    let few = 40 * CHUNK + 1;
    let one: Vec<Tally> = play(1, few);
    assert!([2, 3, 8].iter().all(|threads| play(*threads, few) == one), "counts depend on threads");
    let mut trials = 8 * CHUNK;
    while seconds(|| play(2, trials)) < RUN {
        trials *= 2;
    }
    let (mut one, mut two) = (Vec::new(), Vec::new());
    for _ in 0..SAMPLES {
        one.push(seconds(|| play(1, trials)));
        two.push(seconds(|| play(2, trials)));
    }
    let (one, two) = (median(one), median(two));
    println!("\nthreads: volley, {trials} trials, {one:.2} s on one thread, {two:.2} s on two; counts are");
    println!("    the same for 1, 2, 3 and 8");
    Goal::AtLeast(1.9).print("one thread / two threads", one / two);
}

/// Chunks, each with a generator of its own, beside one chunk that is as long as all of them.
pub(crate) fn streams(named: Named, plan: &Plan) {
    let (mut chunks, mut playing) = (chunks(named), (named.new)());
    let mut short = |trials| chunks(plan, trials);
    let mut long = |trials| playing(plan, Chunk { seed: 1, number: 0, trials });
    let mut works: [&mut dyn FnMut(u64) -> Tally; 2] = [&mut short, &mut long];
    let times = in_turns(works.iter_mut());
    println!(
        "\nstreams: volley, {:.2} ns a trial in chunks, {:.2} ns in one long stream",
        times[0], times[1]
    );
    Goal::AtMost(1.03).print("chunks / one long stream", times[0] / times[1]);
}
