//! Programs of tables against the programs that they were made from: the same counts, trial for trial.

use super::*;
use crate::kernel::lanes::Lanes;
use crate::kernel::tests::{plan, shipped};
use crate::kernel::vectors;
use crate::plan::Plan;

/// Whether the program could be played by tables; if it was, it counted what it counts without.
fn same(plan: &Plan) -> bool {
    let code = Code::new(plan, false).unwrap();
    let Some(tabled) = tabled(&code, MOST_ENTRIES) else { return false };
    let streams = || Streams::new(13, &plan.id.0, 6);
    let (mut by_words, mut by_tables) = (Lanes::new(&code, streams()), Lanes::new(&tabled, streams()));
    for trials in [1, 255, 1_024, 9_000] {
        let words = by_words.play(&code, streams(), trials, &plan.joint);
        let tables = by_tables.play(&tabled, streams(), trials, &plan.joint);
        assert_eq!(words, tables, "{trials} of {:?}", plan.situation);
        assert_eq!(vectors::play(&mut by_tables, &tabled, streams(), trials, &plan.joint), words, "wide");
    }
    true
}

#[test]
fn shipped_plans_count_the_same_by_tables() {
    let many = shipped(4).iter().filter(|plan| same(plan)).count();
    assert!(many >= 20, "{many}");
}

#[test]
fn programs_of_every_shape_count_the_same_by_tables() {
    for text in [
        // one block, one word and several, dice that only some trials roll
        "test t -> number { let a = d6\n return a * 10 + d10 if a > 3 else d6 + d8 }",
        "test t -> number { return d100 * d20 + d12 }",
        "test t -> number { return (4d6 count 5+) * 100 + 3d6 }",
        // loops, with a number of passes that is known and one that is not, one in another
        "test t -> number { var n = 0\n repeat 5 times { if d6 >= 4 { n += 1 } }\n return n }",
        "test t -> number { var n = 0\n repeat until d6 is 6, cap 40 { n += 1 }\n return n }",
        "test t -> number { var n = 0\n repeat 3 times { repeat until d6 > 2, cap 4 { n += d3 } }\n return n }",
        // ways that part and meet again, records, trials that stay open
        "test t -> number { var n = 9\n record low = 9\n repeat until n < 1, cap 12 { if chance 1/3 { n -= 1 } else { n += 1 if d6 is 1 else 0 }\n record low = n }\n return n }",
        // numbers that are not small
        "test t -> number { var n = 0\n repeat 3 times { n += d6 * 100000 }\n return down(n / 100000) }",
    ] {
        assert!(same(&plan(text)), "{text}");
    }
}

#[test]
fn what_tables_are_not_for_is_played_by_words() {
    for text in [
        "test t -> number { return (d6) d6 }",
        "test t -> number { return 4d6 explode 6 cap 3 }",
        "test t -> number { return d(d6 + 3) }",
        "test t -> number { return 40 d6 }",
        "test t -> number { var n = 0\n repeat 90 times { n += d1000 * d6 }\n return n }",
    ] {
        assert!(!same(&plan(text)), "{text}");
    }
}

#[test]
fn no_more_entries_are_written_than_are_allowed() {
    // 6 ways, each with its own state, and then 6 ways from each of them
    let code = Code::new(
        &plan("test t -> number { var n = 0\n repeat 2 times { n = n * 6 + d6 }\n return n }"),
        false,
    );
    let code = code.unwrap();
    let fewest = (1..200).find(|most| tabled(&code, *most).is_some()).unwrap();
    assert!((36..=60).contains(&fewest), "{fewest}");
}

#[test]
fn what_is_read_before_it_is_set_makes_no_difference() {
    let text = "test t -> number {
            var roll = 2 d1 keep 1..
            var n = roll + 0
            repeat until 0 < up(n / -2), cap 3 { }
            repeat until no, at most 1 times { roll = d2 keep 2+ }
            return roll
        }";
    let plan = plan(text);
    assert!(!Code::new(&plan, false).unwrap().blocks[0].live.is_empty());
    assert!(same(&plan));
}
