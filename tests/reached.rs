//! How often each cell of a chart is read, and each line of modifiers applies.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use houserule::analyse::{Analysis, Often, Reach};
use houserule::diagnostic::{Diagnostics, Sources};
use houserule::interpret;
use houserule::plan::{Budget, Event};
use houserule::rules::{ChartId, ModifiersId};
use houserule::scenario::{self, Scenario};
use houserule::study::Study;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64};

/// The most trials of a variant.
const MOST: u64 = 10_000;

const RESULT: &str = "outcome result { hold; retreat; flee }\n";

/// A scenario of some variants, each a whole set of rules, with what stands below its grid.
fn scenario_of(variants: &[&str], trials: u64, grid: &str) -> Scenario {
    let (mut sources, mut found) = (Sources::default(), Diagnostics::default());
    let mut text = format!("test = \"t\"\ntrials = {trials}\nseed = 7\n[variants]\n");
    for (at, rules) in variants.iter().enumerate() {
        sources.add(format!("in/{at}.rules"), format!("ruleset \"r\"\n{RESULT}{rules}"));
        text += &format!("v{at} = \"{at}.rules\"\n");
    }
    sources.add("in/s.toml", format!("{text}[grid]\n{grid}"));
    let scenario = scenario::load(Path::new("in/s.toml"), &mut sources, &mut found);
    let told: Vec<String> = found.into_iter().map(|one| one.message).collect();
    scenario.unwrap_or_else(|| panic!("{told:?}\n{variants:?}"))
}

/// The analysis of a scenario, before and after it was looked at what is reached.
fn analyses(scenario: &Scenario, threads: usize) -> [Analysis; 2] {
    let (done, stop, threads) = (AtomicU64::new(0), AtomicBool::new(false), Some(threads));
    let mut study = Study::new(scenario, threads, &done, &stop).unwrap();
    assert!(study.decide(Budget::default(), threads, &stop).unwrap().is_empty());
    let answers = study.solve(Budget::default(), threads, &done, &stop).unwrap();
    let before = study.run(&answers, study.draw(threads, &done, &stop)).unwrap();
    let (mut after, done) = (before.clone(), AtomicU64::new(0));
    study.reach(&mut after, study.draw(threads, &done, &stop)).unwrap();
    assert_eq!(done.into_inner(), study.trials_to_reach());
    [before, after]
}

fn reached(variants: &[&str], trials: u64, grid: &str) -> Vec<Reach> {
    let [_, after] = analyses(&scenario_of(variants, trials, grid), 2);
    after.reached
}

/// A share of so many trials is within five standard deviations of a probability: farther but for one in a million.
#[track_caller]
fn near(found: f64, trials: u64, p: f64) {
    let room = 5.0 * (p * (1.0 - p) / trials as f64).sqrt();
    assert!((found - p).abs() < room, "{found} is not {p} within {room}");
}

fn times(row: &[Often]) -> Vec<(u64, u64)> {
    row.iter().map(|one| (one.times, one.share.count)).collect()
}

const TWO_DICE: &str =
    "chart c(score) -> result {\n  score | result\n  8+ | hold\n  7 | retreat\n  ..6 | flee\n}\n";

#[test]
fn a_seven_is_read_in_6_of_36_trials() {
    let found =
        reached(&[&format!("{TWO_DICE}test t -> result {{ return c(2d6) }}\n")], 1_000_000, "").remove(0);
    assert_eq!((found.trials, found.charts.len(), found.modifiers.len()), (MOST, 1, 0));
    let shares: Vec<f64> = found.charts[0].iter().map(|row| row[0].share.probability).collect();
    for (share, of_36) in shares.iter().zip([15.0, 6.0, 15.0]) {
        near(*share, MOST, of_36 / 36.0);
    }
    let seven = found.charts[0][1][0];
    assert!(seven.times == seven.share.count && seven.share.trials == MOST);
    assert!(seven.share.low < seven.share.probability && seven.share.probability < seven.share.high);
    // one row in each trial
    assert_eq!(found.charts[0].iter().map(|row| row[0].times).sum::<u64>(), MOST);
}

#[test]
fn a_chart_that_is_read_twice_counts_twice_and_its_trial_once() {
    let rules = "chart c(a, b) -> result {\n  a | 1..2 | 3+\n  ..5 | hold | retreat\n  6 | flee | retreat\n}\n\
                 test t -> result {\n  let first = c(d6, 1)\n  return c(d6, 1) if first is {hold, flee} else retreat\n}\n";
    let found = reached(&[rules], 1_000_000, "").remove(0);
    let [low, six] = [&found.charts[0][0], &found.charts[0][1]];
    assert_eq!(low[0].times + six[0].times, 2 * MOST);
    // by hand: a six among two dice comes up in 11 of 36, no more than two of them
    near(six[0].share.probability, MOST, 11.0 / 36.0);
    near(low[0].share.probability, MOST, 35.0 / 36.0);
    assert!(six[0].times > six[0].share.count && six[0].times < 2 * six[0].share.count);
    // the second column is never read
    assert_eq!((times(&low[1..]), times(&six[1..])), (vec![(0, 0)], vec![(0, 0)]));
}

#[test]
fn what_is_never_reached_has_an_interval_all_the_same() {
    let rules = format!(
        "{TWO_DICE}chart idle(score) -> result {{\n  score | result\n  any | hold\n}}\n\
                         test t -> result {{ return c(2d6 + 12) }}\ntest other -> result {{ return idle(d6) }}\n"
    );
    let found = reached(&[&rules], 1_000_000, "").remove(0);
    let never = found.charts[1][0][0].share;
    assert_eq!((never.count, never.trials, never.low), (0, MOST, 0.0));
    // none of n: up to z z / (n + z z)
    let square = 1.959_963_984_540_054_f64 * 1.959_963_984_540_054;
    assert!((never.high - square / (MOST as f64 + square)).abs() < 1e-12);
    assert_eq!(times(&found.charts[0].concat()), [(MOST, MOST), (0, 0), (0, 0)]);
}

const MODIFIED: &str = "factor weak: flag = no\nfactor tired: flag = no\nfactor losses: 0..3 = 0\n\
    modifiers m {\n  -1 \"always\"\n  -1 if weak \"weak\"\n  -1 if tired \"tired\"\n  +1 per losses \"losses\"\n}\n\
    test t -> result { return hold if 2d6 + m > 6 else flee }\n";

#[test]
fn a_line_applies_where_it_adds_something() {
    let grid = "weak = [false, true]\ntired = [false, true]\nlosses = [0, 1]\n";
    let found = reached(&[MODIFIED], 1_000_000, grid).remove(0);
    // eight situations, equally often; who is weak and who is tired play alike, but not by the same line
    assert_eq!(found.trials, MOST);
    assert_eq!(
        times(&found.modifiers[0]),
        [(MOST, MOST), (MOST / 2, MOST / 2), (MOST / 2, MOST / 2), (MOST / 2, MOST / 2)]
    );
    let grid = "weak = [false, true]\n";
    let found = reached(&[MODIFIED], 1_000_000, grid).remove(0);
    assert_eq!(times(&found.modifiers[0]), [(MOST, MOST), (MOST / 2, MOST / 2), (0, 0), (0, 0)]);
}

#[test]
fn situations_have_equally_many_trials_and_no_more_than_the_run() {
    let seven = "losses = \"0..3\"\n";
    let trials = |trials, grid| reached(&[MODIFIED], trials, grid).remove(0).trials;
    assert_eq!(trials(10, seven), 40);
    assert_eq!(trials(1_000_000, seven), MOST);
    // six situations: 1,666 each
    assert_eq!(trials(1_000_000, "weak = [false, true]\nlosses = \"0..2\"\n"), 9_996);
}

#[test]
fn more_situations_than_trials_are_looked_at_evenly() {
    let rules = "factor a: 0..159 = 0\nfactor b: 0..159 = 0\nmodifiers m { +1 if b > 79 \"b\" }\n\
                 test t -> result { return hold if m > 0 else flee }\n";
    let found = reached(&[rules], 5, "a = \"0..159\"\nb = \"0..159\"\n").remove(0);
    assert_eq!(found.trials, MOST);
    // 25,600 situations, every other one of them with a large b: half of the trials, one more or less in each row
    let often = found.modifiers[0][0].times;
    assert!((4_840..=5_160).contains(&often), "{often}");
}

#[test]
fn what_is_counted_is_what_a_story_tells() {
    // `losses` has no say in who is weak: its situations play alike, and share no trial
    let rules = MODIFIED.replace("  +1 per losses \"losses\"\n", "");
    let rules = TWO_DICE.to_owned() + &rules.replace("hold if 2d6 + m > 6 else flee", "c(c2(2d6) + m)");
    let rules =
        rules + "chart c2(score) -> number {\n  score | result\n  10+ | 10\n  5..9 | 9\n  ..4 | 4\n}\n";
    let scenario = scenario_of(&[&rules], 3_000, "weak = true\nlosses = [0, 1]\n");
    let [_, analysis] = analyses(&scenario, 2);
    let found = &analysis.reached[0];
    assert_eq!(found.trials, 6_000);
    let plan = &houserule::plan::Plan::all(&scenario)[0][0];
    let (mut cells, mut lines) = ([[0; 3]; 2], [0; 3]);
    for (story, _) in interpret::stories(plan, scenario.seed, 6_000) {
        for event in story {
            match event {
                Event::Read { chart: ChartId(chart), row, column: 0, .. } => cells[chart][row] += 1,
                Event::Modified { modifiers: ModifiersId(0), line, .. } => lines[line] += 1,
                _ => {}
            }
        }
    }
    let of = |cells: &[Vec<Often>]| cells.iter().map(|row| row[0].times).collect::<Vec<u64>>();
    assert_eq!((of(&found.charts[0]), of(&found.charts[1])), (cells[0].to_vec(), cells[1].to_vec()));
    assert_eq!(found.modifiers[0].iter().map(|one| one.times).collect::<Vec<u64>>(), lines);
    assert!(cells[0].iter().all(|count| *count > 0) && lines == [6_000, 6_000, 0]);
}

#[test]
fn best_play_is_told_by_the_rules_of_each_draft() {
    // both play alike, but the draft's charts stand behind another one, and its factors in another order
    let rules = "chart c(score) -> result {\n  score | result\n  5+ | hold\n  3..4 | hold or retreat\n  ..2 | flee\n}\n\
                 chart again(score) -> result {\n  score | result\n  4+ | hold\n  ..3 | flee\n}\n\
                 test t -> result {\n  if d6 > 3 { luck = 1 }\n  let first = c(d6)\n  if first is {retreat, flee} { return first }\n\
                 \x20 return again(d6 + 3 * luck)\n}\n";
    let (luck, more) = ("factor luck: 0..1 = 0\n", "factor more: 0..1 = 0\n");
    let before = "chart before(score) -> result {\n  score | result\n  any | hold\n}\n";
    let [one, other] = [format!("{luck}{more}{rules}"), format!("{more}{luck}{before}{rules}")];
    let found = reached(&[&one, &other], 1_000_000, "more = [0, 1]\n[policy]\nc = \"minimise P(flee)\"\n");
    assert_eq!([found[0].trials, found[1].trials], [MOST, MOST]);
    assert_eq!((&found[0].charts[0], &found[0].charts[1]), (&found[1].charts[1], &found[1].charts[2]));
    // a 5 or a 6 holds; a 3 or a 4 does with luck, which one in two has: without, three in six would flee then
    near(found[0].charts[1].iter().map(|row| row[0].share.probability).sum(), MOST, 1.0 / 2.0);
    assert_eq!(times(&found[1].charts[0][0]), [(0, 0)]);
}

#[test]
fn nothing_else_changes_and_threads_are_of_no_account() {
    let scenario =
        scenario_of(&[MODIFIED, &format!("{MODIFIED}{TWO_DICE}")], 70_000, "weak = [false, true]\n");
    let [before, after] = analyses(&scenario, 1);
    assert!(before.reached.is_empty());
    assert_eq!(after.reached, analyses(&scenario, 3)[1].reached);
    assert_eq!(before, Analysis { reached: Vec::new(), ..after });
}

#[test]
fn rules_without_charts_and_modifiers_have_nothing_to_reach() {
    let found = reached(&["test t -> result { return hold if d6 > 2 else flee }\n"], 1_000, "").remove(0);
    assert_eq!(found, Reach { trials: 0, charts: Vec::new(), modifiers: Vec::new() });
}
