//! What the tests of engines need: rules from a text, and every way that the dice of a trial can fall.

#[path = "../support/every_way.rs"]
pub(crate) mod every_way;

use every_way::{EveryWay, distribution_within};
use houserule::diagnostic::{Diagnostics, Sources};
use houserule::plan::{Outcome, Plan};
use houserule::rules::{self, Ruleset};
use houserule::scenario::{self, Scenario};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// Checked rules from a text.
pub(crate) fn ruleset(text: &str) -> Arc<Ruleset> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.rules");
    std::fs::write(&path, text).unwrap();
    let (mut sources, mut found) = (Sources::default(), Diagnostics::default());
    let rules = rules::load(&path, &mut sources, &mut found);
    Arc::new(rules.unwrap_or_else(|| panic!("{found:?}")))
}

/// The shipped scenario of break tests.
pub(crate) fn break_tests() -> Scenario {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios/black-powder/break-test.toml");
    let (mut sources, mut found) = (Sources::default(), Diagnostics::default());
    scenario::load(&path, &mut sources, &mut found).unwrap_or_else(|| panic!("{found:?}"))
}

/// The plan of a test under the defaults of its factors; rules without choices.
pub(crate) fn plan(rules: &Arc<Ruleset>, test: &str) -> Plan {
    let situation = rules.factors.iter().map(|factor| factor.default.unwrap_or(factor.values[0])).collect();
    Plan::new(rules, rules.test(test).unwrap(), situation, &vec![None; rules.choices.len()].into())
}

/// The exact probability of each outcome, as a numerator over the common denominator that comes second.
pub(crate) fn distribution<T: Ord>(play: impl FnMut(&mut EveryWay) -> T) -> (BTreeMap<T, u128>, u128) {
    distribution_within(u64::MAX, play).unwrap()
}

/// The exact distribution that the interpreter gives a plan.
pub(crate) fn interpreted(plan: &Plan) -> (BTreeMap<i32, u128>, u128) {
    distribution(|dice| match houserule::interpret::trial(plan, dice).outcome {
        Outcome::Result(value) => value,
        Outcome::Unresolved => i32::MIN,
    })
}
