//! The one door to randomness: the generator of one lane of one chunk, one fair die, and a chunk's words by the many.
//!
//! In: a seed and the name of what is sampled. Out: dice, through a [`Source`] that can be recorded and fed, and words,
//! through [`Streams`].
//!
//! **Never:** what is rolled for, threads.

mod streams;

pub use streams::{LANES, Streams};

use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg64Dxsm;

/// Names how dice are drawn and dealt out to trials. It changes with every change after which the same seed gives the same
/// plan other numbers, here or in the engines, so that counts of different dice are never added up.
pub const RECIPE: &str = "pcg64dxsm 4";

/// Where dice come from.
pub trait Source {
    /// One fair die with `faces` faces (at least 1): a number in `1..=faces`.
    fn die(&mut self, faces: u32) -> u32;
}

/// Dice from a generator of random numbers.
#[derive(Clone, Debug)]
pub struct Generator(Pcg64Dxsm);

impl Generator {
    /// The generator of one lane of one chunk of what is named by `id`.
    ///
    /// Two lanes never start alike: for a given seed the state and the increment are a bijection of the first 16 bytes'
    /// worth of (id, chunk, lane).
    ///
    /// **Source:** four rounds of a Feistel network over the finaliser of SplitMix64 (Steele, Lea and Flood, "Fast
    /// splittable pseudorandom number generators", OOPSLA 2014), once to spread the key and once to draw the
    /// increment from the spread key.
    pub fn new(seed: u64, id: &[u8; 32], chunk: u64, lane: u8) -> Self {
        let mut bytes = [0; 32];
        for (place, number) in bytes.chunks_exact_mut(16).zip(key(seed, id, chunk, lane)) {
            place.copy_from_slice(&number.to_le_bytes());
        }
        Self(Pcg64Dxsm::from_seed(bytes))
    }
}

/// What a generator begins with: its state, and its increment but for the lowest bit.
fn key(seed: u64, id: &[u8; 32], chunk: u64, lane: u8) -> [u128; 2] {
    let id = u64::from_le_bytes(std::array::from_fn(|byte| id[byte]));
    let state = feistel(mix(seed ^ 0x9e37_79b9_7f4a_7c15), [id, chunk << 3 | u64::from(lane & 7)]);
    let increment = feistel(mix(seed ^ 0xd1b5_4a32_d192_ed03), state);
    [state, increment].map(|[low, high]| u128::from(high) << 64 | u128::from(low))
}

impl Source for Generator {
    /// **Source:** Lemire, "Fast random integer generation in an interval", ACM TOMACS 29(1), 2019: the upper half of
    /// a product, drawn again where that would favour a face.
    fn die(&mut self, faces: u32) -> u32 {
        let faces = u64::from(faces);
        loop {
            let product = (self.0.next_u64() >> 32) * faces;
            // The lower half is below `faces` so seldom that the exact bound is worked out only then.
            let low = product & 0xffff_ffff;
            if low >= faces || low >= (1 << 32) % faces {
                return (product >> 32) as u32 + 1;
            }
        }
    }
}

/// Dice from another source, written down as they fall.
#[derive(Clone, Debug)]
pub struct Recorder<S> {
    /// Where the dice come from.
    pub source: S,
    /// Each die so far: its faces, and the one it showed.
    pub rolled: Vec<(u32, u32)>,
}

impl<S: Source> Source for &mut S {
    fn die(&mut self, faces: u32) -> u32 {
        (**self).die(faces)
    }
}

impl<S: Source> Source for Recorder<S> {
    fn die(&mut self, faces: u32) -> u32 {
        let face = self.source.die(faces);
        self.rolled.push((faces, face));
        face
    }
}

/// Dice that were rolled before.
#[derive(Clone, Debug, Default)]
pub struct Replay {
    /// The dice, last first.
    left: Vec<u32>,
    /// Whether more were asked for than there were, or one that shows a face the die does not have.
    pub went_wrong: bool,
}

impl Replay {
    /// Feeds these faces, in order.
    pub fn new(faces: impl IntoIterator<Item = u32>) -> Self {
        let mut left: Vec<u32> = faces.into_iter().collect();
        left.reverse();
        Self { left, went_wrong: false }
    }

    /// Whether all dice were used, and none was missing.
    pub fn is_used_up(&self) -> bool {
        self.left.is_empty() && !self.went_wrong
    }
}

impl Source for Replay {
    fn die(&mut self, faces: u32) -> u32 {
        let face = self.left.pop().filter(|face| (1..=faces).contains(face));
        self.went_wrong |= face.is_none();
        face.unwrap_or(1)
    }
}

fn feistel(key: u64, [mut left, mut right]: [u64; 2]) -> [u64; 2] {
    for round in 1..=4 {
        (left, right) = (right, left ^ mix(right ^ key.wrapping_mul(2 * round + 1)));
    }
    [left, right]
}

/// The finaliser of SplitMix64.
fn mix(word: u64) -> u64 {
    let word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first_dice(seed: u64, id: u8, chunk: u64, lane: u8) -> Vec<u32> {
        let mut generator = Generator::new(seed, &[id; 32], chunk, lane);
        (0..12).map(|_| generator.die(6)).collect()
    }

    #[test]
    fn every_key_has_dice_of_its_own_and_the_same_key_the_same_dice() {
        let first = first_dice(1, 2, 3, 4);
        assert_eq!(first, first_dice(1, 2, 3, 4));
        for other in
            [first_dice(9, 2, 3, 4), first_dice(1, 9, 3, 4), first_dice(1, 2, 9, 4), first_dice(1, 2, 3, 5)]
        {
            assert_ne!(first, other);
        }
    }

    #[test]
    fn a_feistel_network_can_be_run_backwards() {
        let [mut left, mut right] = feistel(77, [1, 2]);
        for round in (1..=4).rev() {
            (left, right) = (right ^ mix(left ^ 77_u64.wrapping_mul(2 * round + 1)), left);
        }
        assert_eq!([left, right], [1, 2]);
    }

    /// The published first outputs of SplitMix64 from seed 1234567 (as printed in the reference implementations):
    /// the generator adds the golden gamma, then applies the finaliser.
    #[test]
    fn the_finaliser_is_that_of_splitmix64() {
        let gamma = 0x9e37_79b9_7f4a_7c15_u64;
        assert_eq!(mix(1_234_567_u64.wrapping_add(gamma)), 6_457_827_717_110_365_317);
        assert_eq!(mix(1_234_567_u64.wrapping_add(gamma.wrapping_mul(2))), 3_203_168_211_198_807_973);
    }

    /// By `tests/independent/streams.py`, written from the description in [`Generator::new`] and from that of PCG64 DXSM.
    #[test]
    fn the_recipe_of_the_dice_never_changes() {
        let generator = || Generator::new(1815, &std::array::from_fn(|byte| byte as u8), 7, 3);
        let mut dice = generator();
        let d6: Vec<u32> = (0..24).map(|_| dice.die(6)).collect();
        assert_eq!(d6, [4, 6, 2, 3, 2, 2, 3, 6, 5, 6, 4, 5, 1, 5, 5, 6, 2, 4, 4, 4, 1, 1, 3, 1]);
        let mut dice = generator();
        let d100: Vec<u32> = (0..8).map(|_| dice.die(100)).collect();
        assert_eq!(d100, [56, 88, 32, 39, 23, 21, 42, 92]);
    }

    #[test]
    fn dice_are_fair() {
        for faces in [1, 2, 3, 6, 10, 20, 100] {
            let mut generator = Generator::new(5, &[1; 32], 0, 0);
            let mut counts = vec![0_i64; faces as usize];
            let rolls = 60_000_i64 * i64::from(faces);
            for _ in 0..rolls {
                counts[generator.die(faces) as usize - 1] += 1;
            }
            // Chi-square has mean `faces - 1` and variance `2 (faces - 1)`; six standard deviations are never seen.
            let square = |count: &i64| (count - 60_000).pow(2) as f64 / 60_000.0;
            let chi: f64 = counts.iter().map(square).sum();
            let degrees = f64::from(faces - 1);
            assert!(chi <= degrees + 6.0 * (2.0 * degrees).sqrt(), "d{faces}: {chi}");
        }
    }

    #[test]
    fn recorded_dice_can_be_fed_again() {
        let mut recorder = Recorder { source: Generator::new(5, &[1; 32], 0, 0), rolled: Vec::new() };
        let first: Vec<u32> = [6, 10, 6].map(|faces| recorder.die(faces)).to_vec();
        let mut replay = Replay::new(recorder.rolled.iter().map(|(_, face)| *face));
        assert_eq!([6, 10, 6].map(|faces| replay.die(faces)).to_vec(), first);
        assert!(replay.is_used_up());
        replay.die(6);
        assert!(!replay.is_used_up());
    }
}
