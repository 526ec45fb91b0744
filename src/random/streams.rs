//! The words of one chunk: four generators, taken in turns.
//!
//! In: a seed, the name of what is sampled, a chunk. Out: 16-bit words, many at once.
//!
//! One generator waits for its own last multiplication; four keep the processor busy, eight bring nothing more. A
//! number is handed out as four words because a die needs no more than that.
//!
//! **Never:** what is rolled for, threads, how wide the processor's vectors are.

use super::key;

/// How many generators a chunk's words come from.
pub const LANES: usize = 4;

/// How many words come from one number of each generator.
const BLOCK: usize = 4 * LANES;

/// So many numbers of each generator are under way at once.
const AT_ONCE: usize = 64;

/// So many numbers the lower halves of the states are ahead of the upper ones.
const AHEAD: usize = 8;

/// What PCG64 DXSM multiplies by.
const MULTIPLIER: u64 = 0xda94_2042_e4dd_58b5;

/// A number for each generator.
type Each = [u64; LANES];

/// The words of one chunk: four generators, taken in turns.
///
/// The lower half of a state does not know of the upper one, so its products of 128 bits are worked out some numbers
/// ahead, and what they carry over is added later, where numbers of 64 bits are enough: those go through vectors, and
/// both kinds of multiplication run side by side. That takes two thirds of the time of four generators one after another.
///
/// **Source:** O'Neill, "PCG: a family of simple fast space-efficient statistically good algorithms for random number
/// generation", HMC-CS-2014-0905, 2014, and its DXSM output with the 64-bit multiplier, as in `rand_pcg::Pcg64Dxsm`.
#[derive(Clone, Debug)]
pub struct Streams {
    low: Each,
    high: Each,
    increments: [u128; LANES],
}

impl Streams {
    /// The words of one chunk of what is named by `id`: lane `k` is the generator of
    /// `Generator::new(seed, id, chunk, k)`.
    pub fn new(seed: u64, id: &[u8; 32], chunk: u64) -> Self {
        let keys: [_; LANES] = std::array::from_fn(|lane| key(seed, id, chunk, lane as u8));
        let increments = keys.map(|[_, increment]| increment | 1);
        let mut states = keys.map(|[state, _]| state);
        for (state, increment) in states.iter_mut().zip(increments) {
            *state = state.wrapping_add(increment).wrapping_mul(MULTIPLIER.into()).wrapping_add(increment);
        }
        let high = states.map(|state| (state >> 64) as u64);
        Self { low: states.map(|state| state as u64), high, increments }
    }

    /// Fills with 16-bit words: word `16 i + 4 k + j` is the `j`-th 16 bits, from the low end, of the `i`-th number of
    /// lane `k`. The length is a multiple of 16; words beyond one are left as they are.
    ///
    /// It becomes part of its caller, so that it is compiled for the vectors that the caller may use.
    #[inline(always)]
    pub fn fill(&mut self, words: &mut [u16]) {
        debug_assert!(words.len().is_multiple_of(BLOCK), "words are drawn {BLOCK} at a time");
        // The copy is for speed: the lanes stay in registers.
        let mut streams = self.clone();
        let mut low = streams.low;
        let (chunks, rest) = words.as_chunks_mut::<BLOCK>().0.as_chunks_mut();
        for blocks in chunks {
            streams.fill_ahead(&mut low, blocks);
        }
        for block in rest {
            let carried = streams.lower();
            write(block, streams.upper(&mut low, carried));
        }
        *self = streams;
    }

    /// Fills blocks, lower halves first.
    #[inline(always)]
    fn fill_ahead(&mut self, low: &mut Each, blocks: &mut [[u16; BLOCK]; AT_ONCE]) {
        let mut carried = [[0; LANES]; AT_ONCE];
        for carried in &mut carried[..AHEAD] {
            *carried = self.lower();
        }
        for at in AHEAD..AT_ONCE {
            carried[at] = self.lower();
            let done = at - AHEAD;
            write(&mut blocks[done], self.upper(low, carried[done]));
        }
        for at in AT_ONCE - AHEAD..AT_ONCE {
            write(&mut blocks[at], self.upper(low, carried[at]));
        }
    }

    /// What the lower halves of the states, which go on, carry over to the upper halves.
    #[expect(clippy::needless_range_loop, reason = "the compiler finds the vectors in numbered loops")]
    #[inline(always)]
    fn lower(&mut self) -> Each {
        let mut carried = [0; LANES];
        for lane in 0..LANES {
            let product = u128::from(self.low[lane]) * u128::from(MULTIPLIER);
            let next = product.wrapping_add(self.increments[lane]);
            (self.low[lane], carried[lane]) = (next as u64, (next >> 64) as u64);
        }
        carried
    }

    /// The numbers of the states with these lower halves; both halves go on.
    #[expect(clippy::needless_range_loop, reason = "the compiler finds the vectors in numbered loops")]
    #[inline(always)]
    fn upper(&mut self, low: &mut Each, carried: Each) -> Each {
        let mut numbers = self.high;
        for lane in 0..LANES {
            let mut number = numbers[lane];
            number ^= number >> 32;
            number = number.wrapping_mul(MULTIPLIER);
            number ^= number >> 48;
            numbers[lane] = number.wrapping_mul(low[lane] | 1);
        }
        for lane in 0..LANES {
            self.high[lane] = self.high[lane].wrapping_mul(MULTIPLIER).wrapping_add(carried[lane]);
        }
        for lane in 0..LANES {
            low[lane] = low[lane].wrapping_mul(MULTIPLIER).wrapping_add(self.increments[lane] as u64);
        }
        numbers
    }
}

/// Each number as four words.
#[inline(always)]
fn write(block: &mut [u16; BLOCK], numbers: Each) {
    // Four words are stored in one go only where nothing tempts the compiler to store them one by one.
    for (four, number) in block.as_chunks_mut::<4>().0.iter_mut().zip(numbers) {
        *four = [0, 16, 32, 48].map(|bits| (number >> bits) as u16);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Generator;
    use rand_core::Rng;

    /// By `tests/independent/streams.py`, written from the recipe and from the description of PCG64 DXSM.
    #[test]
    fn the_recipe_of_the_words_never_changes() {
        #[rustfmt::skip]
        let frozen = [
            (1815, std::array::from_fn(|byte| byte as u8), 7, [
                0x4ae1, 0x4b01, 0x55aa, 0xeb1e, 0x80f1, 0x5be5, 0xf629, 0x3057,
                0x16dd, 0xc146, 0xad8e, 0x2711, 0xef7f, 0xfe19, 0xc463, 0x8d44,
                0xe304, 0xdb25, 0x4c1f, 0x784f, 0x1525, 0xc479, 0xab8b, 0x1ec8,
                0x5b65, 0xf9ea, 0x2ad0, 0xf1f9, 0xed74, 0x8686, 0x437e, 0xdf12,
            ]),
            (0, [0; 32], 0, [
                0x5f8d, 0x44cf, 0xfb4f, 0xe1c1, 0x36ff, 0x60d4, 0x5d7f, 0x8777,
                0x8641, 0xd22e, 0x82eb, 0x76fe, 0x8ab4, 0xf3fa, 0x71b6, 0x29f1,
                0xa5c7, 0xffbb, 0xc5da, 0x5374, 0xb180, 0x7072, 0x7bb6, 0x35f1,
                0xdd92, 0x1a02, 0x3cce, 0x0004, 0x00c6, 0xe87c, 0x6b3e, 0xf00b,
            ]),
            (u64::MAX, [255; 32], (1 << 61) - 1, [
                0xcf45, 0xd9a3, 0x71e8, 0x5258, 0x1e62, 0x5896, 0x4478, 0x6420,
                0x5ecb, 0xdaf1, 0x3d76, 0x0e5d, 0x5ec7, 0x0d77, 0x3612, 0x7904,
                0x856a, 0xeba6, 0x332f, 0xd412, 0xb6a0, 0x178c, 0x6a18, 0x83c0,
                0x388b, 0xe644, 0x57ce, 0x9c43, 0x4c59, 0xc46f, 0x5084, 0x5ee7,
            ]),
        ];
        for (seed, id, chunk, words) in frozen {
            let mut found = [0; 32];
            Streams::new(seed, &id, chunk).fill(&mut found);
            assert_eq!(found, words, "seed {seed}");
        }
    }

    /// Number by number, as the sentence above [`Streams::fill`] says it.
    #[test]
    fn the_lanes_are_generators_that_take_turns() {
        let mut words = vec![0; 150 * BLOCK];
        Streams::new(5, &[7; 32], 9).fill(&mut words);
        for lane in 0..LANES {
            let mut generator = Generator::new(5, &[7; 32], 9, lane as u8);
            for turn in 0..150 {
                let number = generator.0.next_u64();
                for word in 0..4 {
                    let found = words[BLOCK * turn + 4 * lane + word];
                    assert_eq!(
                        found,
                        (number >> (16 * word)) as u16,
                        "lane {lane}, turn {turn}, word {word}"
                    );
                }
            }
        }
    }

    #[test]
    fn it_makes_no_difference_in_how_many_fills_words_are_drawn() {
        let (mut at_once, mut in_parts) = (vec![0; 300 * BLOCK], vec![0; 300 * BLOCK]);
        Streams::new(5, &[7; 32], 9).fill(&mut at_once);
        let mut streams = Streams::new(5, &[7; 32], 9);
        for part in [0..1, 1..1, 1..4, 4..12, 12..20, 20..29, 29..93, 93..158, 158..300] {
            streams.fill(&mut in_parts[BLOCK * part.start..BLOCK * part.end]);
        }
        assert_eq!(at_once, in_parts);
    }
}
