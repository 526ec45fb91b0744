//! What the tests of the kernel's modules need: numbers that look like chance, and plans of all sorts.

use crate::diagnostic::{Diagnostics, Sources};
use crate::plan::Plan;
use crate::rules;
use crate::scenario;
use std::path::Path;
use std::sync::Arc;

/// Numbers that look like chance, the same on every run.
pub(super) struct Luck(pub(super) u64);

impl Luck {
    /// One of `0..end`.
    pub(super) fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }

    /// One of `low..=high`.
    pub(super) fn between(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1) as u64) as i64
    }

    /// One of these.
    pub(super) fn of<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.below(all.len() as u64) as usize].clone()
    }
}

/// The plan of a test `t` without factors and choices.
pub(super) fn plan(text: &str) -> Plan {
    let (mut sources, mut found) = (Sources::default(), Diagnostics::default());
    sources.add("r.rules", format!("ruleset \"r\"\n{text}"));
    let rules = rules::load(Path::new("r.rules"), &mut sources, &mut found);
    let rules = Arc::new(rules.unwrap_or_else(|| panic!("{found:?}")));
    Plan::new(&rules, rules.test("t").unwrap(), Vec::new(), &Vec::new().into())
}

/// Some plans of shipped scenarios: so many of each.
pub(super) fn shipped(each: usize) -> Vec<Plan> {
    let mut plans = Vec::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios")];
    while let Some(folder) = folders.pop() {
        let mut paths: Vec<_> =
            std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        for path in paths {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "toml") {
                let (mut sources, mut found) = (Sources::default(), Diagnostics::default());
                let scenario = scenario::load(&path, &mut sources, &mut found).unwrap();
                let all: Vec<Plan> = Plan::all(&scenario).into_iter().flatten().collect();
                let apart = all.len().div_ceil(each);
                plans.extend(all.into_iter().step_by(apart));
            }
        }
    }
    plans
}
