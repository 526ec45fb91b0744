//! The same trials, as wide as the processor can and as narrow as the compiler does it otherwise.

use super::*;
use crate::kernel::tests::{plan, shipped};
use crate::plan::Plan;

fn plans() -> Vec<Plan> {
    let mut plans = shipped(3);
    plans.extend(
        [
            "test t -> number { return 2d6 + (5 d(1000)) + (d(1000)) d3 }",
            "test t -> number { var n = 0\n repeat until 3d6 > 14, cap 9 { n += d10 }\n record n = n\n return n + d3 }",
            "test t -> number { let p = 7d6 explode 6 cap 5\n return (p highest 3) * 1000 + (p rank 2) }",
            "test t -> number { let x = d1000 * 33 - 32801\n let y = d4\n return up(x / y) * 1000 + down(x / (y + 1)) }",
            "test t -> number { let a = 200 d1000\n record high = a count 900+\n record low = a count ..100\n return a }",
            "die odd { -7, 0, 0, 3, 1000 }\ntest t -> number { let a = 9 odd\n return a + (a count 0) * 10000 if a any 3 else d6 }",
        ]
        .map(plan),
    );
    plans
}

/// On a processor without wider vectors both are the same code.
#[test]
fn the_width_of_vectors_changes_no_tally() {
    let plans = plans();
    assert!(plans.len() > 36, "{}", plans.len());
    for plan in plans {
        let code = Code::new(&plan, false).unwrap();
        let streams = || Streams::new(11, &plan.id.0, 4);
        let (mut narrow, mut wide) = (Lanes::new(&code, streams()), Lanes::new(&code, streams()));
        for trials in [1, 700, 5_000] {
            let narrow = narrow.play(&code, streams(), trials, &plan.joint);
            let wide = play(&mut wide, &code, streams(), trials, &plan.joint);
            assert_eq!((narrow, trials as u64), (wide.clone(), wide.trials), "{:?}", plan.situation);
        }
    }
}

#[test]
fn the_width_of_vectors_changes_no_word() {
    let streams = || Streams::new(12, &[3; 32], 5);
    let (mut narrow, mut wide) = ([[0; 4_096]; 2], [[0; 4_096]; 2]);
    let (mut one, mut other) = (streams(), streams());
    for (narrow, wide) in narrow.iter_mut().zip(&mut wide) {
        fill_narrow(&mut one, narrow);
        fill(&mut other, wide);
    }
    assert_eq!(narrow, wide);
}
