//! By hand with pains: several dice from one word, tables that answer for whole pools, no branches that guess wrong.

use crate::by_hand::{
    Cells, LIMIT, Nerve, ROUNDS, STAMINA, Words, break_chart, by_hand, round_chart, volley_chart,
};
use crate::workload::{Player, Role};

/// Two trials a word: each half picks one of the 36 falls of two dice, and a table says what it comes to.
pub(crate) fn break_tests() -> Player {
    let chart: [u8; 64] = std::array::from_fn(|fall| break_chart(two_dice(fall) - 2) as u8);
    by_hand("tuned: two trials a word", Role::Tuned, None, move |words, trials, cells| {
        for _ in 0..trials / 2 {
            let word = words.word();
            cells[usize::from(chart[fall(word as u32, words)])] += 1;
            cells[usize::from(chart[fall((word >> 32) as u32, words)])] += 1;
        }
        if trials % 2 == 1 {
            let half = words.word() as u32;
            cells[usize::from(chart[fall(half, words)])] += 1;
        }
    })
}

/// One of 36 equally likely falls; another word is drawn where that would favour one.
#[inline(always)]
fn fall(half: u32, words: &mut Words) -> usize {
    let mut product = u64::from(half) * 36;
    while (product as u32) < REDRAWN_HALF {
        product = u64::from(words.word() as u32) * 36;
    }
    (product >> 32) as usize
}

const REDRAWN_HALF: u32 = ((1_u64 << 32) % 36) as u32;

/// The sum of two dice by their fall.
fn two_dice(fall: usize) -> i32 {
    (fall % 6 + fall / 6 % 6 + 2) as i32
}

/// How many falls six dice have.
const SIX_DICE: u64 = 46_656;

const REDRAWN: u64 = ((1_u128 << 64) % (SIX_DICE * SIX_DICE * 36) as u128) as u64;

/// A word as the falls of six dice, of six more and of two; another word is drawn where that would favour some.
///
/// **Source:** Brackett-Rozinsky and Lemire, "Batched ranged random integer generation", Software: Practice and
/// Experience 55(1), 2025.
#[inline(always)]
fn falls(words: &mut Words) -> [usize; 3] {
    loop {
        let (first, rest) = wide(words.word(), SIX_DICE);
        let (second, rest) = wide(rest, SIX_DICE);
        let (third, rest) = wide(rest, 36);
        if rest >= REDRAWN {
            return [first, second, third];
        }
    }
}

/// The upper and the lower half of a product.
#[inline(always)]
fn wide(one: u64, other: u64) -> (usize, u64) {
    let product = u128::from(one) * u128::from(other);
    ((product >> 64) as usize, product as u64)
}

/// What six dice come to, by their fall.
struct Pools {
    /// Twice the number of those that hit on 4+, and 1 more if there is a 6.
    shots: Box<[u8; 1 << 16]>,
    /// A bit for each save below 4.
    failed: Box<[u8; 1 << 16]>,
}

impl Pools {
    fn new() -> Self {
        let dice = |fall: usize| [1, 6, 36, 216, 1296, 7776].map(|power| fall / power % 6 + 1);
        let hits = |fall| dice(fall).iter().filter(|die| **die >= 4).count() as u8;
        let shots = |fall| 2 * hits(fall) + u8::from(dice(fall).contains(&6));
        let failed = |fall| dice(fall).iter().rev().fold(0, |bits, die| 2 * bits + u8::from(*die < 4));
        Self { shots: table(shots), failed: table(failed) }
    }

    /// Twice the number of the lost, and 1 more if there is a 6.
    #[inline(always)]
    fn lost(&self, shots: usize, saves: usize) -> usize {
        let shots = self.shots[shots & 0xffff];
        let counted = (1_u32 << (shots >> 1)) - 1;
        let lost = (u32::from(self.failed[saves & 0xffff]) & counted).count_ones();
        2 * lost as usize + usize::from(shots & 1)
    }
}

/// A table of so many entries, made on the heap.
fn table<const N: usize>(entry: impl Fn(usize) -> u8) -> Box<[u8; N]> {
    let entries: Vec<u8> = (0..N).map(entry).collect();
    entries.try_into().expect("as many as asked for")
}

/// The cell of each end of a volley, by 64 * (what [`Pools::lost`] says) + the fall of two dice.
fn volley_cells(casualties: i32) -> Box<[u8; 1024]> {
    table(move |at| {
        let (lost, disordered, score) = ((at / 128) as i32, (at / 64 % 2) as i32, two_dice(at % 64));
        let taken = casualties + lost;
        let tested = volley_chart(score - (taken - STAMINA) - disordered);
        (taken * 4) as u8 + if taken > STAMINA { tested as u8 } else { 0 }
    })
}

pub(crate) fn volleys(casualties: i32) -> Player {
    let (pools, ends) = (Pools::new(), volley_cells(casualties));
    by_hand("tuned: pools by tables, no branch", Role::Tuned, Some(4), move |words, trials, cells| {
        for _ in 0..trials {
            let [shots, saves, roll] = falls(words);
            let end = ends[(pools.lost(shots, saves) * 64 + roll) & 1023];
            cells[usize::from(end & 63)] += 1;
        }
    })
}

pub(crate) fn branching_volleys(casualties: i32) -> Player {
    let (pools, ends) = (Pools::new(), volley_cells(casualties));
    by_hand("tuned: pools by tables, a branch", Role::Tuned, Some(4), move |words, trials, cells| {
        for _ in 0..trials {
            let [shots, saves, roll] = falls(words);
            let lost = pools.lost(shots, saves);
            let taken = casualties as usize + lost / 2;
            if taken > STAMINA as usize {
                cells[usize::from(ends[(lost * 64 + roll) & 1023] & 63)] += 1;
            } else {
                cells[(taken * 4) & 63] += 1;
            }
        }
    })
}

/// Casualties below the limit, disordered or not, shaken or not.
const STATES: usize = LIMIT as usize * 4;

/// How many different rounds there are: so many lost, a 6 or not, a fall of two dice.
const FALLS: usize = 7 * 2 * 36;

/// The next state, by state * FALLS + 36 * (what [`Pools::lost`] says) + the fall of two dice; beyond the states broken,
/// then destroyed.
fn next_states() -> Box<[u8; 1 << 14]> {
    table(|at| {
        let (state, lost, six, score) = (at / FALLS, at / 72 % 7, at / 36 % 2 == 1, two_dice(at % 36));
        let casualties = (state / 4 + lost) as i32;
        let (mut disordered, mut shaken) = (six || state / 2 % 2 == 1, state % 2 == 1);
        if casualties >= LIMIT {
            return STATES as u8 + 1;
        }
        if casualties > STAMINA || lost >= 2 {
            let modifier = (casualties - STAMINA).max(0) + i32::from(disordered) + i32::from(shaken);
            match round_chart(score - modifier) {
                Nerve::Hold => disordered = false,
                Nerve::Retire => shaken = true,
                Nerve::Break => return STATES as u8,
            }
        }
        casualties as u8 * 4 + u8::from(disordered) * 2 + u8::from(shaken)
    })
}

/// The cell of an end: 0 stands, 1 broken, 2 destroyed.
#[inline(always)]
fn end(state: usize, round: usize) -> usize {
    (state.max(STATES - 1) - (STATES - 1)) * 16 + round
}

/// Trial by trial; within a round there is no branch.
pub(crate) fn rounds() -> Player {
    let (pools, next) = (Pools::new(), next_states());
    by_hand("tuned: next states by a table", Role::Tuned, Some(16), move |words, trials, cells| {
        for _ in 0..trials {
            let (mut state, mut round) = (0, 0);
            while state < STATES && round < ROUNDS {
                let [shots, saves, roll] = falls(words);
                state = usize::from(next[(state * FALLS + pools.lost(shots, saves) * 36 + roll) & 0x3fff]);
                round += 1;
            }
            cells[end(state, round) & 63] += 1;
        }
    })
}

/// Round by round; where a trial ends the next begins, without any branch. Ends are written down and counted later.
pub(crate) fn refilled_rounds() -> Player {
    let (pools, next) = (Pools::new(), next_states());
    by_hand("tuned: the same, refilled", Role::Tuned, Some(16), move |words, trials, cells: &mut Cells| {
        let (mut state, mut round, mut left, mut ends) = (0, 0, trials as usize, [0_u8; 1024]);
        while left > 0 {
            let mut ended = 0;
            for _ in 0..ends.len() {
                let [shots, saves, roll] = falls(words);
                let to = usize::from(next[(state * FALLS + pools.lost(shots, saves) * 36 + roll) & 0x3fff]);
                round += 1;
                let done = (to >= STATES) | (round == ROUNDS);
                ends[ended & 1023] = end(to, round) as u8;
                ended += usize::from(done);
                state = if done { 0 } else { to };
                round = if done { 0 } else { round };
            }
            // only the first of all trials, so that short ones are not favoured
            let wanted = ended.min(left);
            ends[..wanted].iter().for_each(|end| cells[usize::from(end & 63)] += 1);
            left -= wanted;
        }
    })
}
