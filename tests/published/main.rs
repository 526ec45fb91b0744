//! Problems with known answers that people published, each in a rules file of its own in `tests/cases/published/`:
//! every number of every answer must come out.
//!
//! What is expected stands in the file behind `#!`:
//!
//! ```text
//! #! source https://...                     where problem and answer were found
//! #! test combat                            the test that the lines below play; forgets the policies before
//! #! exact                                  the lines below: all ways that the dice can fall, as fractions
//! #! sampled                                the lines below: trials
//! #! aim charge = "maximise P(yes)"         what the policy below is best for
//! #! policy charge = "< 4"                  as in the [policy] of a scenario
//! #! need = 8, cold = no: P(yes) = 5/12     a situation, a quantity and its value
//! #! P(hold, retreat..break) = 1/3, 2/3     several quantities, as many values; all factors at their defaults
//! #! n = 2..4, arm = {foot, horse}: mean(result) = 1, 2, 3, 4, 5, 6      several situations, the last factor fastest
//! #! P(a_crit is 1 and b_crit is ..2) = 1/4 records beside the result, jointly
//! #! # a remark
//! ```
//!
//! A line that ends in `=` or a comma goes on in the next. Where a player chooses, the file states a policy that is
//! best, as `tests/independent/published.py` confirms by trying all moves, and what it is best for. Both are played:
//! the policy, and the moves that the solver finds best for the aim. The kernel samples all numbers, and its lanes are
//! played again by the interpreter.
//!
//! No sample is taken for wrong that chance explains: the probability that any one of all sampled numbers of all files
//! is called wrong although it is right is at most [`FALSE_ALARMS`] together. As the seed is fixed, the answer is
//! always the same.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[path = "../support/every_way.rs"]
mod every_way;
#[path = "../support/lanes.rs"]
mod lanes;
mod notation;
mod play;
mod solved;

use houserule::plan::Probability;
use notation::{Check, checks};
use play::{Played, Quantity};
use std::fs;
use std::path::Path;

/// How probable it is that any sampled number of any file is called wrong by chance.
const FALSE_ALARMS: f64 = 1e-4;

#[test]
fn what_can_be_enumerated_is_the_published_fraction() {
    let (answers, failures) = answers(true, &play::enumerated, &|played, quantity, check| {
        let ((top, bottom), (sum, whole)) = (fraction(&check.value), played.mean(quantity)?);
        if sum * bottom == top * whole { Ok(()) } else { Err(format!("{sum}/{whole}")) }
    });
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert_eq!(answers, EXACT);
}

#[test]
fn what_is_sampled_is_as_published_within_chance() {
    let (answers, failures) = answers(false, &play::sampled, &within_chance);
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert_eq!(answers, SAMPLED);
}

#[test]
fn what_the_kernel_samples_is_as_published_within_chance() {
    for (exact, known) in [(true, EXACT), (false, SAMPLED)] {
        let (answers, failures) = answers(exact, &play::sampled_fast, &within_chance);
        assert!(failures.is_empty(), "{}", failures.join("\n"));
        assert_eq!(answers, known);
    }
}

fn within_chance(played: &Played, quantity: &Quantity, check: &Check) -> Result<(), String> {
    // the interpreter samples some numbers, and the kernel all
    let bound = -libm::log(FALSE_ALARMS / (2.0 * (EXACT + 2 * SAMPLED) as f64));
    let (top, bottom) = fraction(&check.value);
    let surprise = played.surprise(quantity, top as f64 / bottom as f64)?;
    let (sum, trials) = played.mean(quantity)?;
    if surprise <= bound { Ok(()) } else { Err(format!("{sum}/{trials}, surprise {surprise:.1}")) }
}

#[test]
fn what_is_solved_is_the_published_fraction() {
    let folder = tempfile::tempdir().unwrap();
    let (mut exact, mut near, mut failures) = (0, 0, Vec::new());
    for check in &files(folder.path()) {
        let verdict = play::plan(folder.path(), &check.scenario).and_then(|plan| {
            let found = solved::solved(&plan, &Quantity::read(&check.quantity, &plan)?)?;
            let (top, bottom) = fraction(&check.value);
            let known = Probability::fraction(top as i64, bottom as u64);
            let is_close = |one: &&Probability| one.can_be(&known) && one.error() < 1e-9;
            match found.iter().find(|one| **one == known).or_else(|| found.iter().find(is_close)) {
                Some(Probability::Exact(_)) => exact += 1,
                Some(Probability::Near(..)) => near += 1,
                None => return Err(found.iter().map(|one| format!("{one}; ")).collect()),
            }
            Ok(())
        });
        if let Err(why) = verdict {
            failures.push(format!("{}: {} = {}: {why}", check.place, check.quantity, check.value));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    // a mean over numbers without end, three times, and a chance that was published as a decimal
    assert_eq!((exact, near), (EXACT + SAMPLED - 4, 4));
}

/// How many numbers the files have that are enumerated, and that are sampled.
const EXACT: usize = 343;
const SAMPLED: usize = 70;

/// Judges all numbers that are exact, or all that are not: how many there are, and what is wrong.
fn answers(
    exact: bool,
    play: &dyn Fn(&houserule::plan::Plan) -> Result<Played, String>,
    judge: &dyn Fn(&Played, &Quantity, &Check) -> Result<(), String>,
) -> (usize, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let wanted: Vec<Check> = files(folder.path()).into_iter().filter(|check| check.exact == exact).collect();
    let mut failures = Vec::new();
    // Lines side by side that ask of one situation are answered by playing it once.
    for asked in wanted.chunk_by(|one, next| one.scenario == next.scenario) {
        let plan = play::plan(folder.path(), &asked[0].scenario);
        let played = plan.and_then(|plan| play(&plan).map(|played| (plan, played)));
        for check in asked {
            let verdict = played
                .as_ref()
                .map_err(String::clone)
                .and_then(|(plan, played)| judge(played, &Quantity::read(&check.quantity, plan)?, check));
            if let Err(why) = verdict {
                failures.push(format!("{}: {} = {}: {why}", check.place, check.quantity, check.value));
                if played.is_err() {
                    break;
                }
            }
        }
    }
    (wanted.len(), failures)
}

/// What all files expect, in their order; the files are copied to where scenarios find them.
fn files(folder: &Path) -> Vec<Check> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/published");
    let mut names: Vec<String> = fs::read_dir(&source)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    let read = |name: &String| {
        let text = fs::read_to_string(source.join(name)).unwrap();
        fs::write(folder.join(name), &text).unwrap();
        checks(name, &text)
    };
    names.iter().flat_map(read).collect()
}

/// `5/12`, `3` or `0.25` as a fraction.
fn fraction(text: &str) -> (i128, i128) {
    let whole = |text: &str| -> i128 { text.parse().unwrap() };
    if let Some((top, bottom)) = text.split_once('/') {
        return (whole(top), whole(bottom));
    }
    match text.split_once('.') {
        Some((units, decimals)) => (whole(&format!("{units}{decimals}")), 10_i128.pow(decimals.len() as u32)),
        None => (whole(text), 1),
    }
}
