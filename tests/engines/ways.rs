//! What the tests of engines need: rules from a text, and every way that the dice of a trial can fall.

use houserule::diagnostic::{Diagnostics, Sources};
use houserule::plan::{Outcome, Plan};
use houserule::random::Source;
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

/// Dice that fall in every way they can, one after another.
pub(crate) struct EveryWay {
    /// The dice of this way so far: faces, and the one shown.
    pub(crate) path: Vec<(u32, u32)>,
    at: usize,
}

impl Source for EveryWay {
    fn die(&mut self, faces: u32) -> u32 {
        if self.at == self.path.len() {
            self.path.push((faces, 1));
        }
        self.at += 1;
        self.path[self.at - 1].1
    }
}

impl EveryWay {
    /// Turns the last die that has a face left; says whether there was one.
    fn turn(&mut self) -> bool {
        self.at = 0;
        while let Some((faces, shown)) = self.path.pop() {
            if shown < faces {
                self.path.push((faces, shown + 1));
                return true;
            }
        }
        false
    }
}

/// The exact probability of each outcome, as a numerator over the common denominator that comes second. Every way that
/// the dice can fall is played once.
pub(crate) fn distribution<T: Ord>(mut play: impl FnMut(&mut EveryWay) -> T) -> (BTreeMap<T, u128>, u128) {
    let mut ways = EveryWay { path: Vec::new(), at: 0 };
    let mut seen: Vec<(T, u128)> = Vec::new();
    loop {
        let outcome = play(&mut ways);
        seen.push((outcome, ways.path.iter().map(|(faces, _)| u128::from(*faces)).product()));
        if !ways.turn() {
            break;
        }
    }
    let whole = seen.iter().fold(1, |whole, (_, ways)| least_common_multiple(whole, *ways));
    let mut weights = BTreeMap::new();
    for (outcome, ways) in seen {
        *weights.entry(outcome).or_default() += whole / ways;
    }
    (weights, whole)
}

fn least_common_multiple(a: u128, b: u128) -> u128 {
    let (mut x, mut y) = (a, b);
    while y > 0 {
        (x, y) = (y, x % y);
    }
    a / x * b
}

/// The exact distribution that the interpreter gives a plan.
pub(crate) fn interpreted(plan: &Plan) -> (BTreeMap<i32, u128>, u128) {
    distribution(|dice| match houserule::interpret::trial(plan, dice) {
        Outcome::Result(value) => value,
        Outcome::Unresolved => i32::MIN,
    })
}
