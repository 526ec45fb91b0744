//! What is played: three tests of rules files in benches, and the same by hand.
//!
//! *break test*: two dice, modifiers, a chart. *volley*: six shots, saves, and a break test where losses are heavy: fresh
//! in 1 of 27 trials, *weak volley* in nearly every second. *rounds*: volleys until the unit is broken or destroyed, 12
//! at most.

use crate::by_hand::by_hand;
use crate::{ENGINES, Named, naive, tuned};
use houserule::diagnostic::{Diagnostics, Sources};
use houserule::exact;
use houserule::plan::{Budget, CHUNK, Chunk, Plan, Solution, Tally};
use houserule::rules::{self, RecordId};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// How many trials ended how: under the result, or under the records that are counted together.
pub(crate) type Counts = BTreeMap<Vec<i64>, u64>;

/// The probabilities of the same.
pub(crate) type Exact = BTreeMap<Vec<i64>, f64>;

/// What a player is in a comparison.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// Plays the rules file.
    Engine,
    /// Written by hand by somebody who takes pains.
    Tuned,
    /// Written by hand as the rules are read, die by die.
    Naive,
    /// As many words of the generator as the tuned ones use, and nothing done with them.
    Words,
}

/// Something that plays so many trials of a workload.
pub(crate) struct Player {
    pub(crate) name: String,
    pub(crate) role: Role,
    pub(crate) play: Box<dyn FnMut(u64) -> Counts>,
}

/// Something to be played.
pub(crate) struct Workload {
    pub(crate) name: &'static str,
    pub(crate) about: String,
    pub(crate) exact: Exact,
    pub(crate) plan: Arc<Plan>,
    /// How many times as fast as die by die an engine is to be.
    pub(crate) naive: f64,
    by_hand: Vec<fn() -> Player>,
    /// How many words of 64 bits the tuned ones use for a trial.
    words: f64,
}

pub(crate) fn all() -> Vec<Workload> {
    let break_test = plan("break-test.rules", "break_test", &[], &[]);
    let mut all =
        vec![Workload::new("break test", break_test, 0.5, vec![tuned::break_tests, naive::break_tests])];
    let volley =
        |casualties| plan("volley.rules", "volley", &[("casualties", casualties)], &["taken", "outcome"]);
    all.push(Workload::new(
        "volley",
        volley(0),
        1.0,
        vec![|| tuned::volleys(0), || tuned::branching_volleys(0), || naive::volleys(0)],
    ));
    all.push(Workload::new(
        "weak volley",
        volley(2),
        1.0,
        vec![|| tuned::volleys(2), || tuned::branching_volleys(2), || naive::volleys(2)],
    ));
    let rounds = plan("rounds.rules", "fight", &[], &["how", "round"]);
    let mut rounds =
        Workload::new("rounds", rounds, 1.0, vec![tuned::rounds, tuned::refilled_rounds, naive::rounds]);
    let mean: f64 = rounds.exact.iter().map(|(key, probability)| key[1] as f64 * probability).sum();
    rounds = Workload { about: format!("{mean:.2} rounds a trial"), naive: 4.0, words: mean, ..rounds };
    all.push(rounds);
    all
}

impl Workload {
    fn new(name: &'static str, plan: Plan, words: f64, by_hand: Vec<fn() -> Player>) -> Self {
        let solution = exact::solve(&plan, Budget::default()).expect("a plan within the budget");
        let exact = exact_counts(&plan, &solution);
        let about = format!("{} outcomes", exact.len());
        Self { name, about, exact, plan: Arc::new(plan), naive: 5.0, by_hand, words }
    }

    /// All that plays it, the engines first.
    pub(crate) fn players(&self) -> Vec<Player> {
        let engines = ENGINES.iter().map(|named| engine(*named, self.plan.clone()));
        engines.chain(self.by_hand.iter().map(|player| player())).chain([words(self.words)]).collect()
    }
}

fn engine(named: Named, plan: Arc<Plan>) -> Player {
    let mut chunks = chunks(named);
    let play = move |trials| {
        let tally = chunks(&plan, trials);
        if plan.joint.is_empty() {
            tally.counts.iter().map(|(value, count)| (vec![i64::from(*value)], *count)).collect()
        } else {
            let key = |values: &[Option<i64>]| values.iter().map(|value| value.unwrap_or(-1)).collect();
            tally.joint.iter().map(|(values, count)| (key(values), *count)).collect()
        }
    };
    Player { name: named.name.into(), role: Role::Engine, play: Box::new(play) }
}

/// An engine that plays so many trials in chunks, each with a number of its own.
pub(crate) fn chunks(named: Named) -> impl FnMut(&Plan, u64) -> Tally {
    let (mut playing, mut number) = ((named.new)(), 0);
    move |plan, trials| {
        let (mut sum, mut left) = (Tally::default(), trials);
        while left > 0 {
            let chunk = Chunk { seed: 1, number, trials: left.min(CHUNK) };
            sum.add(&playing(plan, chunk));
            (number, left) = (number + 1, left - chunk.trials);
        }
        sum
    }
}

fn words(a_trial: f64) -> Player {
    by_hand(
        &format!("{a_trial:.1} words of its generator alone"),
        Role::Words,
        None,
        move |words, trials, _| {
            (0..(trials as f64 * a_trial) as u64).fold(0, |all, _| all ^ words.word());
        },
    )
}

fn exact_counts(plan: &Plan, solution: &Solution) -> Exact {
    if plan.joint.is_empty() {
        return solution
            .result
            .iter()
            .map(|(value, probability)| (vec![*value], probability.value()))
            .collect();
    }
    let key = |values: &[Option<i64>]| values.iter().map(|value| value.unwrap_or(-1)).collect();
    solution.joint.iter().map(|(values, probability)| (key(values), probability.value())).collect()
}

/// A test of a rules file in benches, with factors other than their defaults, and records that are counted together.
fn plan(file: &str, test: &str, factors: &[(&str, i32)], joint: &[&str]) -> Plan {
    let (mut sources, mut found) = (Sources::default(), Diagnostics::default());
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches").join(file);
    let rules = rules::load(&path, &mut sources, &mut found);
    let rules = Arc::new(rules.unwrap_or_else(|| panic!("{file}: {found:?}")));
    let mut situation: Vec<i32> =
        rules.factors.iter().map(|factor| factor.default.unwrap_or(factor.values[0])).collect();
    for (name, value) in factors {
        situation[rules.factor(name).expect("a factor of the rules").0] = *value;
    }
    let record = |name: &&str| {
        let found = rules.records.iter().position(|record| record.name == *name);
        RecordId(found.expect("a record of the rules"))
    };
    let test = rules.test(test).expect("a test of the rules");
    let joint = joint.iter().map(record).collect();
    Plan { joint, ..Plan::new(&rules, test, situation, &[].into()) }
}
