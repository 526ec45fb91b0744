//! What an exact solution costs, beside plain dictionaries in Python.
//!
//! `cargo bench --bench exact` prints microseconds, medians of samples taken in turns, for solving a plan and for writing
//! it out. Where there is a `python3`, exact.py solves the first cases by hand; its probabilities must be the same, and
//! the last column is our time over its time. What dice come to is found out once on either side: there as constants,
//! here by the first solution of a thread, which remembers it. Ratios are what to compare; the absolute figures hold for
//! one machine on one day. `cargo bench --bench exact -- volley` takes only the cases with that word in their names.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use houserule::diagnostic::{Diagnostics, Sources};
use houserule::exact;
use houserule::plan::{Budget, Plan, Solution};
use houserule::rules::{self, RecordId, Ruleset};
use houserule::scenario::{self, Scenario};
use std::collections::BTreeMap;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Instant;

/// How often each figure is taken.
const SAMPLES: usize = 9;

/// How long each sample takes at least, in seconds.
const SAMPLE: f64 = 0.02;

/// A figure of what a case comes to.
type Figure = fn(&Case, &Solution) -> f64;

/// Something to do, and how long it took each time.
type Timed<'c> = (Box<dyn Fn() + 'c>, Vec<f64>);

/// A plan to be solved.
struct Case {
    name: String,
    plan: Plan,
    /// What exact.py calls it, and the probability that it prints.
    by_hand: Option<(&'static str, Figure)>,
}

fn main() {
    let asked: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let mut cases = cases();
    cases.retain(|case| asked.iter().all(|word| case.name.contains(word)));
    let mut by_hand = by_hand();
    println!("Medians of {SAMPLES} samples in microseconds, and our time to solve over that of exact.py");
    println!("{:40} {:>10} {:>10} {:>10} {:>8}", "", "solve", "write out", "exact.py", "ratio");
    let figures = figures(&cases);
    for (case, (solved, written)) in cases.iter().zip(figures) {
        print!("{:40} {solved:10.1} {written:10.1}", case.name);
        if let Some((name, breaks)) = case.by_hand
            && let Some((time, probability)) = by_hand.remove(name)
        {
            let ours =
                breaks(case, &exact::solve(&case.plan, Budget::default()).expect("a case within the budget"));
            assert!((ours - probability).abs() < 1e-12, "{}: {ours}, by hand {probability}", case.name);
            print!(" {time:10.1} {:8.2}", solved / time);
        }
        println!();
    }
}

fn cases() -> Vec<Case> {
    let mut cases = vec![break_test()];
    let volleys = ruleset("volley.rules");
    let mut volley = case("volley, casualties and outcome", &volleys, "volley");
    volley.plan.joint = (0..volleys.records.len()).map(RecordId).collect();
    volley.by_hand = Some(("volley", breaks));
    let mut ten = case("ten volleys with rally", &volleys, "ten_volleys");
    ten.by_hand = Some(("ten_volleys", |_, solution| 1.0 - solution.result[&11].value()));
    cases.extend([volley, ten]);
    cases.extend(combat_rounds());
    let large = ruleset("large.rules");
    cases.push(case("40 dice, count 5+ and any 6", &large, "fives_and_sixes"));
    cases.push(case("40 dice, sum and highest", &large, "sum_and_highest"));
    cases.push(case("fight of up to 1,000 rounds", &large, "fight"));
    cases
}

/// Shaken infantry in hand-to-hand combat with one excess casualty.
fn break_test() -> Case {
    let scenario = scenario("scenarios/black-powder/break-test.toml");
    let situation =
        [("troop", "infantry"), ("attack", "hand_to_hand"), ("excess", "1"), ("disordered", "no")];
    let fits = |plan: &&Plan| {
        situation.iter().chain(&[("shaken", "yes")]).all(|(factor, value)| {
            let id = plan.rules.factor(factor).expect("a factor of the scenario");
            plan.rules.name_of(plan.rules.factors[id.0].ty, plan.situation[id.0]) == *value
        })
    };
    let plans = Plan::all(&scenario);
    let plan = plans[1].iter().find(fits).expect("a situation of the scenario").clone();
    Case { name: "break test".into(), plan, by_hand: Some(("break_test", breaks)) }
}

/// The first situation of each variant.
fn combat_rounds() -> Vec<Case> {
    let scenario = scenario("scenarios/ninth-age/combat-round.toml");
    let plans = Plan::all(&scenario);
    let round = |(variant, plans): (&scenario::Variant, &Vec<Plan>)| Case {
        name: format!("combat round, {}", variant.name),
        plan: plans[0].clone(),
        by_hand: None,
    };
    scenario.variants.iter().zip(&plans).map(round).collect()
}

/// A test under the defaults of its factors.
fn case(name: &str, rules: &Arc<Ruleset>, test: &str) -> Case {
    let situation = rules.factors.iter().map(|factor| factor.default.unwrap_or(factor.values[0])).collect();
    let test = rules.test(test).expect("a test of the rules");
    Case { name: name.into(), plan: Plan::new(rules, test, situation, &[].into()), by_hand: None }
}

/// The probability of the result `break`.
fn breaks(case: &Case, solution: &Solution) -> f64 {
    let rules = &case.plan.rules;
    let value =
        rules.value_of(rules.tests[case.plan.entry.0].result, "break").expect("an outcome of the test");
    solution.result[&i64::from(value)].value()
}

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn scenario(name: &str) -> Scenario {
    let (mut sources, mut found) = (Sources::default(), Diagnostics::default());
    let scenario = scenario::load(&path(name), &mut sources, &mut found);
    scenario.unwrap_or_else(|| panic!("{name}: {found:?}"))
}

fn ruleset(name: &str) -> Arc<Ruleset> {
    let (mut sources, mut found) = (Sources::default(), Diagnostics::default());
    let rules = rules::load(&path("benches").join(name), &mut sources, &mut found);
    Arc::new(rules.unwrap_or_else(|| panic!("{name}: {found:?}")))
}

/// What exact.py finds: its microseconds and its probability for each of its cases; nothing without a `python3`.
fn by_hand() -> BTreeMap<String, (f64, f64)> {
    let Ok(output) = Command::new("python3").arg(path("benches/exact.py")).output() else {
        println!("There is no python3 here to compare with.");
        return BTreeMap::new();
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("text");
    let line = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let number = |at: usize| words[at].parse().expect("a number");
        (words[0].to_owned(), (number(1), number(2)))
    };
    text.lines().map(line).collect()
}

/// For each case the microseconds of solving it and of writing it out.
fn figures(cases: &[Case]) -> Vec<(f64, f64)> {
    let solve =
        |plan: &Plan| exact::solve(plan, Budget::default()).map(drop).expect("a case within the budget");
    let write = |plan: &Plan| {
        black_box(Plan::new(&plan.rules, plan.entry, plan.situation.clone(), &plan.moves));
    };
    let mut works: Vec<Timed> = Vec::new();
    for Case { plan, .. } in cases {
        works.push((Box::new(move || solve(plan)), Vec::new()));
        works.push((Box::new(move || write(plan)), Vec::new()));
    }
    for _ in 0..SAMPLES {
        works.iter_mut().for_each(|(work, samples)| samples.push(microseconds(work)));
    }
    let medians: Vec<f64> = works.into_iter().map(|(_, samples)| median(samples)).collect();
    medians.chunks(2).map(|pair| (pair[0], pair[1])).collect()
}

/// Does it over and over for one sample; the microseconds that it takes once.
fn microseconds(work: &dyn Fn()) -> f64 {
    let (start, mut times) = (Instant::now(), 0);
    loop {
        work();
        times += 1;
        let seconds = start.elapsed().as_secs_f64();
        if seconds >= SAMPLE {
            return seconds * 1e6 / f64::from(times);
        }
    }
}

fn median(mut samples: Vec<f64>) -> f64 {
    samples.sort_by(f64::total_cmp);
    samples[samples.len() / 2]
}
