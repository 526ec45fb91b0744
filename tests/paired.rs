//! Paired runs: the same dice under two drafts.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use houserule::analyse::{Analysis, Flow};
use houserule::diagnostic::{Diagnostics, Sources};
use houserule::plan::{Budget, Unlike};
use houserule::scenario::{self, Scenario};
use houserule::study::Study;
use std::sync::atomic::{AtomicBool, AtomicU64};

/// A scenario of an original and a draft, each the body of a test of one die or more.
fn scenario_of(original: &str, draft: &str) -> Scenario {
    let folder = tempfile::tempdir().unwrap();
    let rules = |body: &str| {
        format!(
            "ruleset \"R\"\n\noutcome result {{ hold; retreat; flee }}\n\nfactor excess: 0..2 = 0\n\ntest t -> result {{\n{body}\n}}\n"
        )
    };
    std::fs::write(folder.path().join("a.rules"), rules(original)).unwrap();
    std::fs::write(folder.path().join("b.rules"), rules(draft)).unwrap();
    let text = "test = \"t\"\ntrials = 70_000\nseed = 7\n[variants]\noriginal = \"a.rules\"\ndraft = \"b.rules\"\n[grid]\nexcess = [0, 1]\n";
    let path = folder.path().join("s.toml");
    std::fs::write(&path, text).unwrap();
    let (mut sources, mut found) = (Sources::default(), Diagnostics::default());
    scenario::load(&path, &mut sources, &mut found).unwrap_or_else(|| panic!("{found:?}"))
}

/// The whole analysis of a scenario, with all situations played in step.
fn analysis(scenario: &Scenario, threads: usize) -> Analysis {
    let (done, stop, threads) = (AtomicU64::new(0), AtomicBool::new(false), Some(threads));
    let study = Study::new(scenario, threads, &done, &stop).unwrap();
    let answers = study.solve(Budget::default(), threads, &done, &stop).unwrap();
    let draw = study.draw(threads, &done, &stop);
    let mut analysis = study.run(&answers, draw).unwrap();
    study.pair(&mut analysis, &[0, 1].into(), draw).unwrap();
    analysis
}

fn flows(original: &str, draft: &str) -> Vec<Flow> {
    analysis(&scenario_of(original, draft), 2).flows
}

const ORIGINAL: &str = "  let roll = d6\n  if roll <= excess + 1 { return flee }\n  if roll <= 3 { return retreat }\n  return hold";

#[test]
fn the_same_dice_give_what_the_rules_say_of_them() {
    // the draft: a 1 holds, else as before but for a 2, which retreats
    let draft =
        "  let roll = d6\n  if roll is 1 { return hold }\n  if roll <= 3 { return retreat }\n  return hold";
    let flows = flows(ORIGINAL, draft);
    assert_eq!(flows.len(), 2);
    let pairs = flows[0].pairs.as_ref().unwrap();
    assert_eq!(pairs.trials, 70_000);
    // excess 0: only a 1 flees, and then holds under the draft; nothing else changes
    let keys: Vec<_> = pairs.counts.keys().copied().collect();
    assert_eq!(keys, [(Some(0), Some(0)), (Some(1), Some(1)), (Some(2), Some(0))]);
    let share = |count: u64| count as f64 / 70_000.0;
    let of = |key| share(pairs.counts[&key]);
    // five standard deviations of 1/6 in 70,000 are 0.007; of a half 0.0095
    assert!((of((Some(2), Some(0))) - 1.0 / 6.0).abs() < 0.007);
    assert!((of((Some(0), Some(0))) - 0.5).abs() < 0.0095);
    // excess 1: a 2 flees too, and retreats under the draft
    assert!(flows[1].pairs.as_ref().unwrap().counts.contains_key(&(Some(2), Some(1))));
    let hold = flows[0].changes[0];
    assert_eq!((hold.lost, hold.gained), (0, pairs.counts[&(Some(2), Some(0))]));
    assert!(hold.low < 1.0 / 6.0 && hold.high > 1.0 / 6.0 && hold.p_adjusted < 1e-9);
}

#[test]
fn same_dice_never_change_what_independent_dice_gave() {
    let scenario = scenario_of(ORIGINAL, "  return hold if d6 > 2 else flee");
    let (done, stop) = (AtomicU64::new(0), AtomicBool::new(false));
    let study = Study::new(&scenario, Some(1), &done, &stop).unwrap();
    let answers = study.solve(Budget::default(), Some(1), &done, &stop).unwrap();
    let alone = study.run(&answers, study.draw(Some(1), &done, &stop)).unwrap();
    let paired = analysis(&scenario, 1);
    assert_eq!((&alone.cells, &alone.comparisons), (&paired.cells, &paired.comparisons));
    assert!(alone.flows.is_empty() && paired.flows.len() == 2);
}

#[test]
fn any_number_of_threads_plays_the_same_pairs() {
    let draft = "  return hold if d6 > 2 else flee";
    let scenario = scenario_of(ORIGINAL, draft);
    assert_eq!(analysis(&scenario, 1).flows, analysis(&scenario, 3).flows);
}

/// Where the first situation's dice part.
fn parting(original: &str, draft: &str) -> Unlike {
    flows(original, draft)[0].pairs.clone().unwrap_err()
}

#[test]
fn other_dice_are_refused_and_told() {
    let unlike = |die, first, second| Unlike { die, first, second };
    let eight = "  return hold if d8 > 2 else flee";
    assert_eq!(parting(ORIGINAL, eight), unlike(0, Some(6), Some(8)));
    let two = "  return hold if 2d6 > 4 else flee";
    assert_eq!(parting(ORIGINAL, two), unlike(1, None, Some(6)));
    assert_eq!(parting(two, ORIGINAL), unlike(1, Some(6), None));
    assert_eq!(parting(ORIGINAL, "  return hold"), unlike(0, Some(6), None));
}

#[test]
fn a_die_that_is_seldom_rolled_is_found_as_well() {
    // one trial in 216 rolls another die: three sixes
    let three = "  let a = d6\n  let b = d6\n  let c = d6\n  if a + b + c is 18 { return hold if d4 > 1 else flee }\n  return retreat";
    let without = "  let a = d6\n  let b = d6\n  let c = d6\n  return retreat if a + b + c > 3 else flee";
    assert_eq!(parting(without, three), Unlike { die: 3, first: None, second: Some(4) });
    let flows = [1, 2, 4].map(|threads| analysis(&scenario_of(without, three), threads).flows);
    assert!(flows.iter().all(|other| *other == flows[0]));
}
