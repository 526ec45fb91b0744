//! What the versions by hand have in common: the charts of the rules, the generator, and the processor's best.

use crate::workload::{Player, Role};
use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg64Dxsm;

/// What the break test ends in: positions in the outcome of its rules, as everywhere here.
pub(crate) fn break_chart(score: i32) -> usize {
    match score {
        9.. => 0,
        8 => 1,
        7 => 2,
        5..=6 => 3,
        4 => 4,
        3 => 5,
        _ => 6,
    }
}

/// What the volley's break test ends in behind `untested`, which is 0.
pub(crate) fn volley_chart(score: i32) -> usize {
    match score {
        7.. => 1,
        5..=6 => 2,
        _ => 3,
    }
}

/// What a round's break test ends in.
pub(crate) enum Nerve {
    Hold,
    Retire,
    Break,
}

pub(crate) fn round_chart(score: i32) -> Nerve {
    match score {
        7.. => Nerve::Hold,
        3..=6 => Nerve::Retire,
        _ => Nerve::Break,
    }
}

/// From here on nerve is tested; here the unit is destroyed; after so many rounds it stands.
pub(crate) const STAMINA: i32 = 3;
pub(crate) const LIMIT: i32 = 8;
pub(crate) const ROUNDS: usize = 12;

/// The generator that everybody uses.
#[derive(Clone)]
pub(crate) struct Words(Pcg64Dxsm);

impl Words {
    #[inline(always)]
    pub(crate) fn word(&mut self) -> u64 {
        self.0.next_u64()
    }
}

/// Counts in up to 64 cells.
pub(crate) type Cells = [u64; 64];

/// A player whose cells are results, or with `wide` pairs: the first number is `cell / wide`, the second `cell % wide`.
pub(crate) fn by_hand(
    name: &str,
    role: Role,
    wide: Option<i64>,
    play: impl Fn(&mut Words, u64, &mut Cells) + 'static,
) -> Player {
    let mut words = Words(Pcg64Dxsm::seed_from_u64(1));
    let key = move |cell: i64| wide.map_or(vec![cell], |wide| vec![cell / wide, cell % wide]);
    let play = move |trials| {
        // copies, so that nothing stands in the way of keeping them in registers
        let (mut mine, mut cells) = (words.clone(), [0; 64]);
        at_full_width(|| play(&mut mine, trials, &mut cells));
        words = mine;
        let counted = cells.iter().enumerate().filter(|(_, count)| **count > 0);
        counted.map(|(cell, count)| (key(cell as i64), *count)).collect()
    };
    Player { name: name.into(), role, play: Box::new(play) }
}

/// Does work that was compiled for what this processor can do, where that is known at the time of compiling.
#[cfg(target_arch = "x86_64")]
#[expect(
    unsafe_code,
    reason = "the engines use what the processor has, so what they are compared with may, too"
)]
fn at_full_width(work: impl FnOnce()) {
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn wide(work: impl FnOnce()) {
        work();
    }
    let has = std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("bmi2");
    if has && std::arch::is_x86_feature_detected!("lzcnt") && std::arch::is_x86_feature_detected!("popcnt") {
        // SAFETY: the processor has just said that it has all of them; whoever has bmi2 has bmi1.
        unsafe { wide(work) }
    } else {
        work();
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn at_full_width(work: impl FnOnce()) {
    work();
}
