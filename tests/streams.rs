//! Streams of words that lie next to one another know nothing of each other: what `docs/streams.md` says of the dice.
//!
//! A small version runs always. The large one prints the figures of that page:
//! `cargo test --test streams -- --ignored --nocapture`.
//!
//! Every figure comes with the chance that fair dice would be as far off or further. A version fails where that is below
//! [`HARDLY_EVER`] in any of its 23 chances: of 40,000 recipes for fair dice it would turn down one. Seeds are fixed, so
//! that what passes once always passes.

#![expect(clippy::unwrap_used, reason = "what is missing in a test is a fault of the test")]
#![expect(clippy::print_stdout, reason = "the figures are what the large version is for")]

use houserule::diagnostic::{Diagnostics, Sources};
use houserule::plan::Plan;
use houserule::random::{LANES, Streams};
use houserule::scenario;
use libm::{cbrt, erfc, expm1, log1p, sqrt};
use rand_core::Rng;
use rand_pcg::{Pcg64, Pcg64Dxsm};
use std::path::Path;

/// What fair dice do so seldom that they are not believed to be fair.
const HARDLY_EVER: f64 = 1e-6;

/// How many words each lane's next number gives, all lanes together.
const TURN: usize = 4 * LANES;

/// What is read off a word, as the kernel reads it: its first d6, its second, and its lowest bits.
const FACES: [usize; 3] = [6, 6, 8];

fn read<const R: usize>(word: u16) -> usize {
    let six = u32::from(word) * 6;
    match R {
        0 => six as usize >> 16,
        1 => ((six & 0xffff) * 6) as usize >> 16,
        _ => usize::from(word & 7),
    }
}

/// How often each face is read off a word, if all words are equally likely: by looking at all of them.
fn shares<const R: usize>() -> Vec<f64> {
    let mut counts = vec![0_u32; FACES[R]];
    (0..=u16::MAX).for_each(|word| counts[read::<R>(word)] += 1);
    counts.into_iter().map(|count| f64::from(count) / 65536.0).collect()
}

/// What is found when sequences of words are compared.
#[derive(Default)]
struct Found {
    pairs: usize,
    tables: usize,
    /// The largest distance of a table from what independent dice lead to expect, in standard deviations.
    worst: f64,
    /// The squares of all tables, and their degrees of freedom.
    square: f64,
    degrees: f64,
    /// How many streams were added up in step, and for each reading their sums, step by step.
    streams: usize,
    sums: [Vec<i32>; 3],
}

impl Found {
    /// Compares every sequence with the next one, and adds all of them up in step.
    fn neighbours(sequences: impl Iterator<Item = Vec<u16>>) -> Self {
        let mut found = Self::default();
        let mut last: Option<Vec<u16>> = None;
        for words in sequences {
            if let Some(last) = last {
                found.compare(&last, &words);
            }
            found.add::<0>(&words);
            found.add::<1>(&words);
            found.add::<2>(&words);
            found.streams += LANES;
            last = Some(words);
        }
        found
    }

    fn compare(&mut self, left: &[u16], right: &[u16]) {
        self.pairs += 1;
        self.tabulate::<0>(left, right);
        self.tabulate::<1>(left, right);
        self.tabulate::<2>(left, right);
    }

    /// One table for each of the sixteen places of a turn: how often which two faces were read there together.
    fn tabulate<const R: usize>(&mut self, left: &[u16], right: &[u16]) {
        let mut counts = [[0_u32; 64]; TURN];
        for (left, right) in left.as_chunks::<TURN>().0.iter().zip(right.as_chunks::<TURN>().0) {
            for ((counts, left), right) in counts.iter_mut().zip(left).zip(right) {
                counts[read::<R>(*left) * FACES[R] + read::<R>(*right)] += 1;
            }
        }
        let shares = shares::<R>();
        let degrees = (FACES[R] * FACES[R] - 1) as f64;
        for counts in counts {
            let square = chi_square(&counts, &shares);
            self.tables += 1;
            self.worst = self.worst.max(deviations(square, degrees).abs());
            self.square += square;
            self.degrees += degrees;
        }
    }

    /// Adds what is read to the sums: one sum for each of the four words of a number.
    fn add<const R: usize>(&mut self, words: &[u16]) {
        let sums = &mut self.sums[R];
        sums.resize(words.len() / LANES, 0);
        for (sums, turn) in sums.as_chunks_mut::<4>().0.iter_mut().zip(words.as_chunks::<TURN>().0) {
            for (place, word) in turn.iter().enumerate() {
                sums[place % 4] += read::<R>(*word) as i32;
            }
        }
    }

    /// The variance of the sums, over what it is for streams that know nothing of each other.
    fn ratio<const R: usize>(&self) -> f64 {
        let shares = shares::<R>();
        let mean: f64 = shares.iter().zip(0..).map(|(share, face)| share * f64::from(face)).sum();
        let variance: f64 =
            shares.iter().zip(0..).map(|(share, face)| share * (f64::from(face) - mean).powi(2)).sum();
        let streams = self.streams as f64;
        let square: f64 = self.sums[R].iter().map(|sum| (f64::from(*sum) - streams * mean).powi(2)).sum();
        square / (self.sums[R].len() as f64 * streams * variance)
    }

    fn ratios(&self) -> [f64; 3] {
        [self.ratio::<0>(), self.ratio::<1>(), self.ratio::<2>()]
    }

    /// The chance that fair dice would be as far off or further: in their worst table, in all tables together, in the
    /// worst ratio.
    fn chances(&self) -> [f64; 3] {
        let together = deviations(self.square, self.degrees).abs();
        // The variance of a sum of many is nearly that of a normal number: its square has variance 2.
        let one = sqrt(2.0 / self.sums[0].len() as f64);
        let ratio = self.ratios().into_iter().map(|ratio| (ratio - 1.0).abs() / one).fold(0.0, f64::max);
        [chance(self.worst, self.tables), chance(together, 1), chance(ratio, 3)]
    }
}

/// **Source:** Pearson's chi-square, with both margins known.
fn chi_square(counts: &[u32], shares: &[f64]) -> f64 {
    let all: f64 = counts.iter().copied().map(f64::from).sum();
    let pairs = shares.iter().flat_map(|left| shares.iter().map(move |right| left * right));
    pairs.zip(counts).map(|(share, count)| (f64::from(*count) - all * share).powi(2) / (all * share)).sum()
}

/// A chi-square in standard deviations. **Source:** Wilson and Hilferty, "The distribution of chi-square", PNAS 17,
/// 1931.
fn deviations(square: f64, degrees: f64) -> f64 {
    let spread = 2.0 / (9.0 * degrees);
    (cbrt(square / degrees) - 1.0 + spread) / sqrt(spread)
}

/// The chance that the worst of so many normal numbers is as far from zero as this, or further.
fn chance(worst: f64, numbers: usize) -> f64 {
    -expm1(numbers as f64 * log1p(-erfc(worst / sqrt(2.0))))
}

/// What a chunk's words depend on.
#[derive(Clone, Copy)]
struct Key {
    seed: u64,
    id: [u8; 32],
    chunk: u64,
}

/// Where the families begin: any key would do.
const START: Key = Key { seed: 1, id: *b"some name that no plan will have", chunk: 0 };

impl Key {
    fn words(&self, turns: usize) -> Vec<u16> {
        let mut words = vec![0; turns * TURN];
        Streams::new(self.seed, &self.id, self.chunk).fill(&mut words);
        words
    }
}

/// Numbers of which each differs from the one before in one bit, and in no bit twice.
fn bit_by_bit(bits: u32) -> impl Iterator<Item = u64> {
    (0..=bits).map(|bit| u64::MAX.checked_shr(64 - bit).unwrap_or(0))
}

fn with_id(start: u64) -> Key {
    let mut key = START;
    key.id[..8].copy_from_slice(&start.to_le_bytes());
    key
}

/// The names of the plans of a scenario, each once.
fn plans() -> Vec<Key> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios/black-powder/break-test.toml");
    let (mut sources, mut found) = (Sources::default(), Diagnostics::default());
    let scenario = scenario::load(&path, &mut sources, &mut found).unwrap();
    let mut ids = Vec::new();
    for plan in Plan::all(&scenario).iter().flatten() {
        if !ids.contains(&plan.id.0) {
            ids.push(plan.id.0);
        }
    }
    ids.into_iter().map(|id| Key { id, ..START }).collect()
}

/// Keys that lie next to one another, in each way that they do in a run or that a poor recipe would mistake.
fn families(many: u64) -> Vec<(&'static str, Vec<Key>)> {
    vec![
        ("chunks in order", (0..=many).map(|chunk| Key { chunk, ..START }).collect()),
        ("chunks one bit apart", bit_by_bit(61).map(|chunk| Key { chunk, ..START }).collect()),
        ("seeds in order", (0..=many).map(|seed| Key { seed, ..START }).collect()),
        ("seeds one bit apart", bit_by_bit(64).map(|seed| Key { seed, ..START }).collect()),
        ("seed up, chunk down", (0..=many).map(|up| Key { seed: up, chunk: many - up, ..START }).collect()),
        ("names one bit apart", bit_by_bit(64).map(with_id).collect()),
        ("names of plans", plans()),
    ]
}

/// Each sequence against itself, one to sixteen words further on: words of one number, lanes, the next turn.
fn against_itself(many: u64, turns: usize) -> Found {
    let mut found = Found::default();
    for chunk in 0..many {
        let words = Key { chunk, ..START }.words(turns);
        for further in 1..=TURN {
            found.compare(&words[..words.len() - TURN], &words[further..]);
        }
    }
    found
}

fn judge(name: &str, found: &Found, chances: &[f64]) {
    let together = deviations(found.square, found.degrees);
    let ratios = if found.streams == 0 { String::new() } else { format!("{:.4?}", found.ratios()) };
    println!(
        "{name:<20} | {:>5} | {:>6} | {:>5.2} | {together:>8.2} | {:>7} | {ratios:<24} | {chances:.3?}",
        found.pairs, found.tables, found.worst, found.streams
    );
    assert!(chances.iter().all(|chance| *chance > HARDLY_EVER), "{name}: {chances:?}");
}

fn all_families(many: u64, turns: usize) {
    println!(
        "{turns:>6} numbers a lane | pairs | tables | worst | together | in step | variances                | chances"
    );
    for (name, keys) in families(many) {
        let found = Found::neighbours(keys.iter().map(|key| key.words(turns)));
        judge(name, &found, &found.chances());
    }
    // Nothing is added up here.
    let found = against_itself(many / 16 + 1, turns);
    judge("further on", &found, &found.chances()[..2]);
}

/// A construction of which its authors say that it is broken, laid out as [`Streams`] are: lane by lane, chunk by chunk.
fn faulty<G: Rng>(chunks: u128, generator: impl Fn(u128) -> G) -> Found {
    Found::neighbours((0..chunks).map(|chunk| {
        let mut lanes: [G; LANES] =
            std::array::from_fn(|lane| generator(chunk * LANES as u128 + lane as u128));
        let numbers = (0..LANES << 13).map(|turn| lanes[turn % LANES].next_u64());
        numbers.flat_map(|number| [0, 16, 32, 48].map(|bits| (number >> bits) as u16)).collect()
    }))
}

#[test]
fn streams_know_nothing_of_their_neighbours() {
    all_families(16, 1 << 11);
}

#[test]
#[ignore = "takes minutes and prints a table: the figures of docs/streams.md"]
fn streams_know_nothing_of_their_neighbours_in_the_long_run() {
    all_families(1024, 1 << 18);
}

/// Parts of one sequence that lie a multiple of 2^120 apart: the low 120 bits of their states are the same.
#[test]
fn a_sequence_cut_at_powers_of_two_is_found_out() {
    let found = faulty(9, |part| {
        let mut generator = Pcg64::new(1, 1);
        generator.advance(part << 120);
        generator
    });
    assert!(found.chances().into_iter().all(|chance| chance < HARDLY_EVER), "{:?}", found.chances());
}

/// The documentation of `Pcg64Dxsm` warns of this: half a period apart, two numbers never have the same last two bits.
#[test]
fn a_fault_in_the_lowest_bits_is_found_out() {
    let found = faulty(2, |part| {
        let mut generator = Pcg64Dxsm::new(1, part % 4);
        generator.advance((part / 4) << 127);
        generator
    });
    assert!(found.chances()[0] < HARDLY_EVER, "{:?}", found.chances());
}

/// Sixteen throws of two coins, by hand; the printed tables of chi-square and of the normal distribution.
#[test]
fn squares_and_chances_are_those_of_the_tables() {
    assert_eq!(chi_square(&[6, 2, 2, 6], &[0.5, 0.5]), 4.0);
    assert_eq!(chi_square(&[1, 3, 3, 9], &[0.25, 0.75]), 0.0);
    // The upper 5 % of 30 degrees of freedom begin at 43.773, the lower 5 % at 18.493.
    assert!((deviations(43.773, 30.0) - 1.645).abs() < 0.005);
    assert!((deviations(18.493, 30.0) + 1.645).abs() < 0.005);
    assert!((chance(1.96, 1) - 0.05).abs() < 1e-4);
    assert!((chance(1.96, 2) - 0.0975).abs() < 1e-4);
}
