//! Taking times: medians of samples in turns.

use houserule::plan::CHUNK;
use std::hint::black_box;
use std::time::Instant;

/// How often each figure is taken.
pub(crate) const SAMPLES: usize = 9;

/// How long a sample takes at least, in seconds.
const SAMPLE: f64 = 0.02;

/// What a ratio is to be.
pub(crate) enum Goal {
    AtMost(f64),
    AtLeast(f64),
}

impl Goal {
    pub(crate) fn print(&self, what: &str, ratio: f64) {
        let (met, goal) = match self {
            Self::AtMost(most) => (ratio <= *most, format!("at most {most}")),
            Self::AtLeast(least) => (ratio >= *least, format!("at least {least}")),
        };
        println!("    {what:40} {ratio:9.2}    goal {goal}: {}", if met { "met" } else { "MISSED" });
    }
}

/// For each work, which is told how many trials to play, the median of its nanoseconds a trial.
pub(crate) fn in_turns<'w, T: 'w>(
    works: impl IntoIterator<Item = &'w mut (impl FnMut(u64) -> T + 'w)>,
) -> Vec<f64> {
    let mut works: Vec<_> = works
        .into_iter()
        .map(|work| {
            let trials = trials_of_a_sample(work, CHUNK);
            (work, trials, Vec::new())
        })
        .collect();
    for _ in 0..SAMPLES {
        for (work, trials, samples) in &mut works {
            samples.push(seconds(|| work(*trials)) * 1e9 / *trials as f64);
        }
    }
    works.into_iter().map(|(_, _, samples)| median(samples)).collect()
}

/// One sample of a work, of so many trials or a multiple of them: its nanoseconds a trial.
pub(crate) fn sample<T>(work: &mut impl FnMut(u64) -> T, least: u64) -> f64 {
    let trials = trials_of_a_sample(work, least);
    seconds(|| work(trials)) * 1e9 / trials as f64
}

/// How many trials take long enough: whole chunks, as in a run, where `least` is one.
fn trials_of_a_sample<T>(work: &mut impl FnMut(u64) -> T, least: u64) -> u64 {
    let mut trials = least;
    loop {
        let taken = seconds(|| work(trials));
        if taken >= SAMPLE {
            return trials;
        }
        // a little more than seems needed, and not too much on the word of a short run
        let factor = (1.2 * SAMPLE / taken).clamp(1.2, 16.0);
        trials = ((trials as f64 * factor) as u64).next_multiple_of(least);
    }
}

pub(crate) fn seconds<T>(work: impl FnOnce() -> T) -> f64 {
    let start = Instant::now();
    black_box(work());
    start.elapsed().as_secs_f64()
}

pub(crate) fn median(mut samples: Vec<f64>) -> f64 {
    samples.sort_by(f64::total_cmp);
    samples[samples.len() / 2]
}
