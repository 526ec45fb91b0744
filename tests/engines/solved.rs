//! What the solver says of shipped plans, and every way that their dice can fall, as fractions.

use crate::ways::every_way::distribution_within;
use crate::written_out::files;
use houserule::diagnostic::{Diagnostics, Sources};
use houserule::exact::{self, Unsolved};
use houserule::interpret::trial;
use houserule::plan::program::{Block, Exit};
use houserule::plan::{Budget, Outcome, Plan, Probability, Trial};
use houserule::rules::{self, RecordId};
use houserule::scenario;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

/// Plans whose dice can fall in more ways are left to the comparison with samples.
const MOST_WAYS: u64 = 2_000;

/// How a trial ended, if it did, and what it recorded.
type Ended = (Option<i32>, Vec<Option<i64>>);

/// The probability of all trials of which something holds.
fn share(ways: &(BTreeMap<Ended, u128>, u128), holds: impl Fn(&Ended) -> bool) -> Probability {
    let held = ways.0.iter().filter(|(trial, _)| holds(trial)).map(|(_, weight)| *weight).sum::<u128>();
    let divisor = greatest_common_divisor(held, ways.1);
    Probability::fraction((held / divisor) as i64, (ways.1 / divisor) as u64)
}

fn greatest_common_divisor(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

/// Compares one plan; `None` if its dice can fall in too many ways.
fn agree(plan: &Plan) -> Option<()> {
    let ways = distribution_within(MOST_WAYS, |dice| {
        let Trial { outcome, records } = trial(plan, dice);
        (if let Outcome::Result(value) = outcome { Some(value) } else { None }, records)
    })?;
    let solution = exact::solve(plan, Budget::default()).unwrap();
    let results: BTreeSet<i32> = ways.0.keys().filter_map(|(result, _)| *result).collect();
    let solved: BTreeSet<i64> = solution.result.keys().copied().collect();
    assert_eq!(solved, results.iter().map(|result| i64::from(*result)).collect());
    for result in results {
        assert_eq!(solution.result[&i64::from(result)], share(&ways, |(one, _)| *one == Some(result)));
    }
    assert_eq!(solution.unresolved.unwrap_or(Probability::ZERO), share(&ways, |(one, _)| one.is_none()));
    for (record, values) in &solution.records {
        let RecordId(at) = *record;
        let known: BTreeSet<i64> = ways
            .0
            .keys()
            .filter(|(result, _)| result.is_some())
            .filter_map(|(_, records)| records[at])
            .collect();
        assert_eq!(values.keys().copied().collect::<BTreeSet<i64>>(), known);
        for (value, probability) in values {
            let holds = |(result, records): &Ended| result.is_some() && records[at] == Some(*value);
            assert_eq!(*probability, share(&ways, holds));
        }
    }
    Some(())
}

#[test]
fn every_single_roll_of_the_shipped_systems_is_solved_as_it_is_enumerated() {
    let mut compared = BTreeMap::new();
    for path in files("scenarios", "toml") {
        let (mut sources, mut found) = (Sources::default(), Diagnostics::default());
        let scenario = scenario::load(&path, &mut sources, &mut found).unwrap();
        let mut plans: BTreeMap<_, Plan> = BTreeMap::new();
        Plan::all(&scenario).into_iter().flatten().for_each(|plan| _ = plans.entry(plan.id).or_insert(plan));
        let agreed = plans.values().filter_map(agree).count();
        let name = format!("{}/{}", scenario.folder, scenario.stem);
        compared.insert(name, (agreed, plans.len()));
    }
    for single in [
        "black-powder/break-test",
        "english-civil-war/morale",
        "ninth-age/break-test",
        "ninth-age/odds",
        "ninth-age/restrain",
        "portable-wargame/shot",
    ] {
        let (agreed, plans) = compared[single];
        assert!(agreed == plans && plans > 0, "{single}: {agreed} of {plans}");
    }
    let all: usize = compared.values().map(|(agreed, _)| agreed).sum();
    assert!(all > 250, "{compared:?}");
}

#[test]
fn passes_whose_number_is_told_on_leaving_are_solved_as_they_are_enumerated() {
    let (mut sources, mut found) = (Sources::default(), Diagnostics::default());
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/right-numbers-of-passes.rules");
    let rules = Arc::new(rules::load(&path, &mut sources, &mut found).unwrap());
    for test in ["first", "recorded", "inside", "summed", "called", "once"] {
        let plan = crate::ways::plan(&rules, test);
        let is_counted = |block: &Block| matches!(block.exit, Exit::Pass(..));
        assert!(plan.program.iter().any(|program| program.blocks.iter().any(is_counted)), "{test}");
        assert_eq!(agree(&plan), Some(()), "{test}");
    }
}

/// The checker has proved what it says of the rules with their caps. Without these a list can be too short, a divisor 0,
/// a number too long, and dice too many: then nothing is said, rather than something made up.
#[test]
fn nothing_is_said_of_loops_without_a_cap_where_nothing_is_proved() {
    let limit = |ending: &str| {
        let text = format!(
            "ruleset \"r\"\ntest t -> number {{\n    var k = 0\n    let list = [10, 20, 30, 40]\n    \
             repeat until d6 is 6, cap 3 {{ k += 1 }}\n    {ending}\n}}"
        );
        let rules = crate::ways::ruleset(&text);
        let solution = exact::solve(&crate::ways::plan(&rules, "t"), Budget::default()).unwrap();
        assert_eq!(solution.unresolved, Some(Probability::fraction(625, 1296)));
        solution.limit
    };
    assert!(limit("return list[k + 1]").is_none());
    assert!(limit("return down(12 / (4 - k))").is_none());
    assert!(limit("return (30 * k) d2").is_none());
    // all that is told is what a loop adds up, which can be as large as it likes
    let told = limit("return k").unwrap();
    let mean: Probability =
        told.result.iter().map(|(value, chance)| chance.times(*value)).collect::<Vec<_>>().iter().sum();
    assert!(mean.can_be(&Probability::fraction(5, 1)), "{mean}");
    assert_eq!(told.rounds.into_values().collect::<Vec<_>>(), [Probability::fraction(5, 1)]);
}

#[test]
fn a_record_that_gets_too_long_is_not_solved() {
    let rules = crate::ways::ruleset(
        "ruleset \"r\"\ntest t -> flag { repeat 3 times { record sum += 1000000000 }; return yes }",
    );
    let solved = exact::solve(&crate::ways::plan(&rules, "t"), Budget::default());
    assert_eq!(solved, Err(Unsolved::TooLarge));
}
