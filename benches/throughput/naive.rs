//! By hand as the rules are read: a word for each die, a branch for each question.

use crate::by_hand::{
    Cells, LIMIT, Nerve, ROUNDS, STAMINA, Words, break_chart, by_hand, round_chart, volley_chart,
};
use crate::workload::{Player, Role};

/// **Source:** Lemire, "Fast random integer generation in an interval", ACM TOMACS 29(1), 2019, as `random_range` has it.
#[inline(always)]
fn d6(words: &mut Words) -> i32 {
    loop {
        let product = u64::from(words.word() as u32) * 6;
        if u64::from(product as u32) >= (1 << 32) % 6 {
            return (product >> 32) as i32 + 1;
        }
    }
}

pub(crate) fn break_tests() -> Player {
    by_hand("die by die", Role::Naive, None, |words, trials, cells| {
        let (excess, disordered, shaken) = (1, true, false);
        for _ in 0..trials {
            let mut score = d6(words) + d6(words) - excess;
            if disordered {
                score -= 1;
            }
            if shaken {
                score -= 1;
            }
            cells[break_chart(score)] += 1;
        }
    })
}

/// Six shots and their saves: how many are lost, and whether a 6 was among the shots.
#[inline(always)]
fn shots(words: &mut Words) -> (i32, bool) {
    let (mut hits, mut six, mut lost) = (0, false, 0);
    for _ in 0..6 {
        let shot = d6(words);
        if shot >= 4 {
            hits += 1;
        }
        if shot == 6 {
            six = true;
        }
    }
    for _ in 0..hits {
        if d6(words) < 4 {
            lost += 1;
        }
    }
    (lost, six)
}

pub(crate) fn volleys(casualties: i32) -> Player {
    by_hand("die by die", Role::Naive, Some(4), move |words, trials, cells| {
        for _ in 0..trials {
            let (lost, disordered) = shots(words);
            let taken = casualties + lost;
            let mut outcome = 0;
            if taken > STAMINA {
                let mut score = d6(words) + d6(words) - (taken - STAMINA);
                if disordered {
                    score -= 1;
                }
                outcome = volley_chart(score);
            }
            cells[taken as usize * 4 + outcome] += 1;
        }
    })
}

pub(crate) fn rounds() -> Player {
    by_hand("die by die", Role::Naive, Some(16), |words, trials, cells: &mut Cells| {
        for _ in 0..trials {
            let (ending, round) = fight(words);
            cells[ending * 16 + round] += 1;
        }
    })
}

/// How it ends (0 stands, 1 broken, 2 destroyed), and in which round.
#[inline(always)]
fn fight(words: &mut Words) -> (usize, usize) {
    let (mut casualties, mut disordered, mut shaken) = (0, false, false);
    for round in 1..=ROUNDS {
        let (lost, six) = shots(words);
        casualties += lost;
        disordered |= six;
        if casualties >= LIMIT {
            return (2, round);
        }
        if casualties > STAMINA || lost >= 2 {
            let score = d6(words) + d6(words) - (casualties - STAMINA).max(0);
            match round_chart(score - i32::from(disordered) - i32::from(shaken)) {
                Nerve::Hold => disordered = false,
                Nerve::Retire => shaken = true,
                Nerve::Break => return (1, round),
            }
        }
    }
    (0, ROUNDS)
}
