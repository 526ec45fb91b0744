//! Where rules, written-out programs and dice meet: what one says of a trial, the others must say too.

#![expect(clippy::unwrap_used, reason = "what is missing in a test is a fault of the test")]

mod by_hand;
mod lanes;
#[path = "../support/lanes.rs"]
mod lanes_support;
mod odd;
#[path = "../support/play_program.rs"]
mod play_program;
mod same;
mod solved;
mod told;
mod ways;
mod written_out;

use houserule::interpret::{self, stories, trial};
use houserule::kernel::{self, Kernel};
use houserule::plan::{CHUNK, Chunk, Event, Move, Outcome, Plan, Tally};
use houserule::random::{Generator, Recorder, Replay};
use houserule::rules::Ruleset;
use houserule::simulate::{Effort, Stopped, Stretch, simulate};
use play_program::play;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64};
use ways::{break_tests, distribution, interpreted, plan, ruleset};

/// Rules that use every construct at once, with small dice so that all their ways can be played.
const EVERYTHING: &str = r#"ruleset "everything"
outcome result { good; fair = even; bad; }
factor arm: foot | horse = horse
factor n: -2..3 = 2
factor tired: flag = no
modifiers plain { -1 per n if tired or arm is horse; +2 if n > 1 and not tired; -(n - 1) }
modifiers keyed(x) { +x; +plain if x is 2..3 }
chart table(score, arm) -> result {
    score | foot | horse
    5+    | good | fair
    2..4  | fair | bad if tired else good
    ..1   | bad  | bad
}
chart targets(n) -> number { n | result; > 0 | 4+; ..0 | 3 }
test help(x) -> number { if x is {1, 4} { return x * 2 } else if d3 is 2 { return up(x / 2) }; return down(-x / 3) }
test luck -> flag { return d2 is 1 or d3 >= 3 and not tired }
test main -> result {
    let a = d4 + plain
    let b = help(d4) with n = a, tired = luck
    if luck { return table(between(-1, a + b, 6), arm) }
    let c = max(a, b, targets(n)) + keyed(min(a, 3)) with tired = yes
    return table(c, foot) if (d2) d3 > 3 else table(abs(c), arm)
}
"#;

/// The rules as they are and the program that they were written out to, over every way that the dice can fall.
fn agree(plan: &Plan) {
    let program = plan.program.as_ref().unwrap();
    let written = distribution(|dice| match play(program, plan.rules.records.len(), dice).outcome {
        Outcome::Result(value) => value,
        Outcome::Unresolved => i32::MIN,
    });
    assert_eq!(interpreted(plan), written, "{:?} {program:?}", plan.situation);
}

/// A plan for every situation that the factors of some rules allow.
fn every_situation(rules: &Arc<Ruleset>, test: &str, moves: &Arc<[Option<Move>]>) -> Vec<Plan> {
    let mut situations: Vec<Vec<i32>> = vec![Vec::new()];
    for factor in &rules.factors {
        let longer = |one: &Vec<i32>, value: &i32| [one.as_slice(), &[*value]].concat();
        situations = situations
            .iter()
            .flat_map(|one| factor.values.iter().map(move |value| longer(one, value)))
            .collect();
    }
    situations.into_iter().map(|one| Plan::new(rules, rules.test(test).unwrap(), one, moves)).collect()
}

#[test]
fn writing_out_changes_nothing_in_any_situation_of_rules_that_use_everything() {
    let rules = ruleset(EVERYTHING);
    let plans = every_situation(&rules, "main", &Vec::new().into());
    assert_eq!(plans.len(), 24);
    plans.iter().for_each(agree);
}

#[test]
fn writing_out_changes_nothing_in_any_situation_of_the_break_tests() {
    let plans = Plan::all(&break_tests());
    assert_eq!(plans.iter().flatten().count(), 480);
    plans.iter().flatten().for_each(agree);
    let ids: BTreeSet<_> = plans.iter().flatten().map(|plan| plan.id).collect();
    assert_eq!(ids.len(), 85);
}

/// One roll of a set's end decides for both of its sides.
#[test]
fn dice_in_a_set_are_rolled_once() {
    let equal = |condition: &str| {
        let rules = ruleset(&format!(
            "ruleset \"r\"\ntest o -> number {{ return d6 }}\ntest t -> flag {{ return {condition} }}"
        ));
        let plan = plan(&rules, "t");
        agree(&plan);
        let (weights, whole) = interpreted(&plan);
        (weights[&1] * 36, whole)
    };
    let sixths = |(weight, whole): (u128, u128)| weight / whole;
    assert_eq!(sixths(equal("d6 is o")), 6);
    assert_eq!(sixths(equal("5 is (d6)")), 6);
    assert_eq!(sixths(equal("d6 is not o")), 30);
    assert_eq!(sixths(equal("d6 is o..")), 21);
    // two dice, both rolled whether or not the first is met: a five or a five
    assert_eq!(sixths(equal("5 is {o, o}")), 11);
}

/// Tests that call one test twice, which does so too, and so on: written out, they would fill any memory.
#[test]
fn a_program_that_is_too_long_to_write_out_is_played_all_the_same() {
    let mut text =
        "ruleset \"r\"\nfactor n: 0..1 = 0\ntest t0 -> flag { return d6 is 1 and n is 0 }\n".to_owned();
    for level in 1..=30 {
        let below = level - 1;
        text += &format!("test t{level} -> flag {{ if d6 is 1 {{ return t{below} }} return t{below} }}\n");
    }
    let rules = ruleset(&text);
    let plans = every_situation(&rules, "t30", &Vec::new().into());
    assert!(plans.iter().all(|plan| plan.program.is_none()));
    assert_ne!(plans[0].id, plans[1].id);
    let chunk = Chunk { seed: 1, number: 0, trials: 100 };
    assert_eq!(Kernel::default().play(&plans[1], chunk), None);
    assert_eq!(interpret::play(&plans[1], chunk).count(0), 100);
}

#[test]
fn writing_out_changes_nothing_under_a_mix_or_a_condition() {
    let rules = ruleset(
        "ruleset \"choices\"\noutcome o { a; b; c; }\nfactor shaken: flag = no\n\
         test main -> o { let r = d6\n if r > 3 { return a or b }\n return c if shaken else b or a }",
    );
    let scored = |moves: Vec<Option<Move>>| {
        let plans = every_situation(&rules, "main", &moves.into());
        plans.iter().for_each(agree);
        interpreted(&plans[0])
    };
    // not shaken, every roll leads to the choice: 1/4 a, 3/4 b
    let (weights, whole) = scored(vec![Some(Move::Mix(vec![(0, 1), (1, 3)]))]);
    assert_eq!((weights[&0] * 4, weights[&1] * 4), (whole, 3 * whole));
    assert_eq!(scored(vec![Some(Move::Option(1))]), (BTreeMap::from([(1, 6)]), 6));
}

/// Facts worked out by hand: of 36 rolls of two dice, `n or less` comes up so often.
#[test]
fn the_break_tests_break_as_often_as_counted_by_hand() {
    const AT_MOST: [u128; 13] = [0, 0, 1, 3, 6, 10, 15, 21, 26, 30, 33, 35, 36];
    let scenario = break_tests();
    let plans = Plan::all(&scenario);
    let breaks = scenario.variants[0].rules.kinds.iter().find(|kind| kind.name == "break_result").unwrap();
    let breaks = breaks.values.iter().position(|value| value.name == "break").unwrap() as i32;
    let mut seen = 0;
    for (number, situation) in scenario.situations.iter().enumerate() {
        let named: Vec<&str> = scenario
            .factors
            .iter()
            .zip(situation)
            .map(|(factor, at)| factor.values[*at].name.as_str())
            .collect();
        let [troop, attack, excess, disordered, shaken, guns] = named[..] else { panic!("{named:?}") };
        let flags = usize::from(disordered == "yes") + usize::from(guns == "yes");
        let worse = excess.parse::<usize>().unwrap() + flags;
        // The highest score of two dice at which each variant's chart breaks the unit, before modifiers.
        let original = match (troop, attack) {
            ("artillery", "hand_to_hand") => 12,
            ("artillery", _) => 6,
            _ => 4,
        };
        let modified = match (troop, attack, shaken) {
            ("artillery", "hand_to_hand", _) => 12,
            ("infantry" | "artillery", "shooting", _) => 3,
            ("cavalry", "shooting", _) => 4,
            ("skirmishers", "shooting", _) => 5,
            ("infantry", _, "no") => 2,
            ("infantry", _, _) => 4,
            ("cavalry", _, "no") => 3,
            ("cavalry", _, _) => 5,
            ("skirmishers", _, "no") => 7,
            _ => 8,
        };
        for (variant, highest) in [original, modified].into_iter().enumerate() {
            let (weights, whole) = interpreted(&plans[variant][number]);
            let counted = AT_MOST[(highest + worse).min(12)];
            assert_eq!(
                weights.get(&breaks).copied().unwrap_or(0) * 36,
                counted * whole,
                "{variant} {named:?}"
            );
            seen += 1;
        }
    }
    assert_eq!(seen, 480);
}

#[test]
fn recorded_dice_fed_again_end_in_the_same_outcome() {
    let rules = ruleset(EVERYTHING);
    let plan = plan(&rules, "main");
    let mut dice = Recorder { source: Generator::new(7, &plan.id.0, 0, 0), rolled: Vec::new() };
    for _ in 0..2_000 {
        let outcome = trial(&plan, &mut dice);
        let mut again = Replay::new(dice.rolled.drain(..).map(|(_, face)| face));
        assert_eq!(trial(&plan, &mut again), outcome);
        assert!(again.is_used_up());
    }
}

#[test]
fn a_chunk_is_the_sum_of_the_trials_that_are_told_of_it() {
    let plan = plan(&ruleset(EVERYTHING), "main");
    let played = interpret::play(&plan, Chunk { seed: 9, number: 0, trials: 5_000 });
    let mut counted = Tally::default();
    for (events, trial) in stories(&plan, 9, 5_000) {
        counted.record(trial.outcome);
        let last = events.last().unwrap();
        assert!(matches!(last, Event::Ended(_, value) if Outcome::Result(*value) == trial.outcome));
    }
    assert_eq!(played, counted);
}

/// The interpreter takes a number of its generator for a die, the kernel a sixteenth of a turn of its four generators.
#[test]
fn the_two_engines_roll_dice_of_their_own() {
    let plan = plan(&ruleset("ruleset \"r\"\ntest t -> number { return d100 }"), "t");
    let (by_kernel, _) = kernel::trials(&plan, Chunk { seed: 4, number: 0, trials: CHUNK }).unwrap();
    let by_interpreter: Vec<_> = stories(&plan, 4, CHUNK / 16).map(|(_, trial)| trial).collect();
    for word in 0..16 {
        let turns = by_kernel.chunks(16).zip(&by_interpreter);
        let alike = turns.filter(|(turn, one)| turn[word] == **one).count();
        // One in a hundred of 4,096 is 41, give or take 6.4: that is ten times as much.
        assert!(alike < 105, "{alike} of 4,096 dice show the same face");
    }
}

#[test]
fn plans_share_a_name_just_where_the_same_rules_are_left() {
    let rules = |text: &str| {
        ruleset(&format!(
            "ruleset \"r\"\noutcome o {{ a; b; }}\nfactor n: 0..3 = 1\nfactor hot: flag = no\n{text}"
        ))
    };
    let id = |text: &str| plan(&rules(text), "t").id;
    let plain = id("test t -> o { return a if 2d6 - 1 >= 7 else b }");
    assert_eq!(
        plain,
        id("modifiers m { -1 per n \"losses\" }\ntest t -> o { return a if 2d6 + m >= 7 else b }")
    );
    assert_eq!(plain, id("test t -> o { if hot { return b }\n return a if 2d6 - n >= 7 else b }"));
    assert_ne!(plain, id("test t -> o { return a if 2d6 - 2 >= 7 else b }"));
    assert_ne!(plain, id("test t -> o { return b if 2d6 - 1 >= 7 else a }"));
    assert_ne!(plain, id("test t -> o { let other = d6\n return a if 2d6 - 1 >= 7 else b }"));
    let other_names =
        ruleset("ruleset \"r\"\noutcome o { a; c; }\ntest t -> o { return a if 2d6 - 1 >= 7 else c }");
    assert_ne!(plain, plan(&other_names, "t").id);
}

/// Counts the chunks that it is given, not trials.
fn clerk(_: &mut (), _: &Plan, chunk: Chunk) -> Tally {
    let counts = BTreeMap::from([(chunk.number as i32, chunk.trials)]);
    Tally { trials: chunk.trials, unresolved: chunk.seed, counts, ..Tally::default() }
}

#[test]
fn every_chunk_of_every_plan_is_played_once_by_any_number_of_threads() {
    let plan = plan(&ruleset(EVERYTHING), "main");
    for threads in [1, 2, 7] {
        let (done, stop) = (AtomicU64::new(0), AtomicBool::new(false));
        let effort = Effort { seed: 1, threads: Some(threads) };
        let stretch = |trials| Stretch { plan: &plan, trials };
        let stretches =
            [stretch(0..2 * CHUNK + 5), stretch(CHUNK..CHUNK), stretch(3 * CHUNK..5 * CHUNK), stretch(0..7)];
        let tallies = simulate(clerk, &stretches, effort, &done, &stop).unwrap();
        let tally = |counts: &[(i32, u64)]| Tally {
            trials: counts.iter().map(|(_, trials)| trials).sum(),
            unresolved: counts.len() as u64, // the seed of each
            counts: counts.iter().copied().collect(),
            ..Tally::default()
        };
        let expected =
            [&[(0, CHUNK), (1, CHUNK), (2, 5)][..], &[], &[(3, CHUNK), (4, CHUNK)], &[(0, 7)]].map(tally);
        assert_eq!(tallies, expected);
        assert_eq!(done.into_inner(), 4 * CHUNK + 12);
    }
}

/// A plan played by the kernel.
fn by_kernel(kernel: &mut Kernel, plan: &Plan, chunk: Chunk) -> Tally {
    kernel.play(plan, chunk).unwrap()
}

/// A plan played by the interpreter.
fn by_interpreter(_: &mut (), plan: &Plan, chunk: Chunk) -> Tally {
    interpret::play(plan, chunk)
}

#[test]
fn counts_are_the_same_for_any_number_of_threads_and_other_for_another_seed() {
    // several plans, so that a thread has to put one away for another
    let plans = every_situation(&ruleset(EVERYTHING), "main", &Vec::new().into());
    let whole = |plan| Stretch { plan, trials: 0..3 * CHUNK + 17 };
    let few: Vec<Stretch<'_>> = plans.iter().take(3).map(whole).collect();
    let effort = |seed, threads| Effort { seed, threads: Some(threads) };
    let (done, stop) = (AtomicU64::new(0), AtomicBool::new(false));
    let kernel = |seed, threads| simulate(by_kernel, &few, effort(seed, threads), &done, &stop).unwrap();
    let interpreter =
        |seed, threads| simulate(by_interpreter, &few[..1], effort(seed, threads), &done, &stop).unwrap();
    for play in [&kernel as &dyn Fn(u64, usize) -> Vec<Tally>, &interpreter] {
        let one = play(1, 1);
        for threads in [2, 3, 8] {
            assert!(one == play(1, threads), "{threads} threads");
        }
        assert!(one != play(2, 1));
    }
}

#[test]
fn a_run_that_is_stopped_gives_no_tallies() {
    let plan = plan(&ruleset(EVERYTHING), "main");
    let effort = Effort { seed: 1, threads: Some(2) };
    let whole = Stretch { plan: &plan, trials: 0..10 * CHUNK };
    let stopped = simulate(by_kernel, &[whole], effort, &AtomicU64::new(0), &AtomicBool::new(true));
    assert_eq!(stopped, Err(Stopped::Interrupted));
}
