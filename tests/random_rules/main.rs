//! Random rules: whatever the language allows is played by the interpreter and by the kernel, and worked out by the
//! solver, and the three must agree.
//!
//! The kernel's lanes are played again by the interpreter, die by die; what it counts of a whole chunk is compared with
//! what is worked out, as what the interpreter counts is.
//!
//! Each file depends on its number alone. All comparisons of a run hold at once: with right engines, a run with fresh
//! dice would fail less than once in a thousand times. The dice are pinned, so it passes always or never.

#![expect(clippy::unwrap_used, reason = "what is missing in a test is a fault of the test")]
#![expect(clippy::print_stdout, reason = "a run tells its figures, and each file at fault as it comes")]

mod author;
mod cells;
mod constructs;
#[path = "../support/every_way.rs"]
mod every_way;
mod fit;
mod judge;
#[path = "../support/lanes.rs"]
mod lanes;
mod luck;
mod policy;
mod run;
mod shrink;
mod table;

use constructs::CONSTRUCTS;
use run::{Figures, run};
use std::collections::BTreeSet;

/// The chance that a run with fresh dice finds a fault although both engines are right.
const SIMULTANEOUS_LEVEL: f64 = 0.001;
/// How many files the tests draw.
const FILES: u64 = 2_000;

/// Fails if any file of a run was at fault.
#[track_caller]
fn passes(figures: &Figures) {
    assert!(figures.faults.is_empty(), "{}\n{figures}", figures.faults.join("\n\n"));
}

#[test]
fn two_thousand_random_files_are_played_as_they_are_solved() {
    let figures = run(0..FILES, SIMULTANEOUS_LEVEL);
    println!("{figures}");
    passes(&figures);
    assert_eq!(figures.files, FILES);
    assert!(figures.refused * 100 <= FILES, "too many drafts are no rules: {figures}");
    assert!(figures.over_budget * 50 <= FILES, "too few are solved: {figures}");
    assert!(figures.enumerated * 3 >= FILES * 2, "too few are played in every way: {figures}");
    assert!(figures.open * 2 >= FILES, "too many can end in one way only: {figures}");
    let drawn: BTreeSet<&str> = figures.constructs.keys().copied().collect();
    assert_eq!(drawn, CONSTRUCTS.iter().copied().collect());
    for (construct, files) in figures.constructs {
        assert!(files >= 15, "only {files} files have: {construct}");
    }
}

/// `RANDOM_RULES_FILES=100000 cargo test --test random_rules -- --ignored --nocapture`; `RANDOM_RULES_FIRST` says where to
/// begin.
#[test]
#[ignore = "as long as one likes"]
fn a_long_run() {
    let number = |name: &str, otherwise| std::env::var(name).map_or(otherwise, |text| text.parse().unwrap());
    let first = number("RANDOM_RULES_FIRST", FILES);
    let figures = run(first..first + number("RANDOM_RULES_FILES", 100_000), SIMULTANEOUS_LEVEL);
    println!("{figures}");
    passes(&figures);
}
