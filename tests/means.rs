//! Intervals of means where all trials have the same number.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use houserule::analyse::{Analysis, normal_quantile, summary};
use houserule::diagnostic::{Diagnostics, Sources};
use houserule::plan::Budget;
use houserule::scenario::{self, Scenario};
use houserule::study::Study;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64};

/// Six sixes are so rare that 100 trials have none.
const RULES: &str = "ruleset \"r\"\nfactor loss: 1..9 = 5 \"loss\"\noutcome result { done }\n\
    test t -> result {\n  record lost = loss if 6d6 is 36 else 1\n  record shots = 6\n  return done\n}\n";

/// These rules and a draft of them.
fn scenario(draft: &str) -> Scenario {
    let (mut sources, mut found) = (Sources::default(), Diagnostics::default());
    sources.add("in/a.rules", RULES);
    sources.add("in/b.rules", draft);
    let text = "test = \"t\"\ntrials = 100\nseed = 7\n[variants]\na = \"a.rules\"\nb = \"b.rules\"\n[grid]\n";
    sources.add("in/s.toml", text);
    let scenario = scenario::load(Path::new("in/s.toml"), &mut sources, &mut found);
    let told: Vec<String> = found.into_iter().map(|one| one.message).collect();
    scenario.unwrap_or_else(|| panic!("{told:?}"))
}

fn analysis(scenario: &Scenario, states: u64) -> Analysis {
    let (done, stop) = (AtomicU64::new(0), AtomicBool::new(false));
    let study = Study::new(scenario, Some(1), &done, &stop).unwrap();
    let answers = study.solve(Budget { states }, Some(1), &done, &stop).unwrap();
    study.run(&answers, study.draw(Some(1), &done, &stop)).unwrap()
}

#[test]
fn what_no_trial_shows_is_taken_from_the_rules_or_from_the_exact_answer() {
    let scenario = scenario(&RULES.replace("= 5 \"loss\"", "= 9 \"loss\""));
    let at = |name: &str| scenario.measures.iter().position(|measure| measure.name == name).unwrap();
    let z = normal_quantile(0.95);
    // Wilson's interval of what never came up in 100 trials
    let unseen = z * z / (100.0 + z * z);
    for states in [0, 1_000_000] {
        let analysis = analysis(&scenario, states);
        let cells = [&analysis.cells[0][0], &analysis.cells[1][0]];
        assert_eq!(cells.map(|cell| cell.answer.is_ok()), [states > 0; 2]);
        for (cell, most) in cells.into_iter().zip([5, 9]) {
            assert_eq!(cell.reach[&at("lost")], (1, most), "{states}");
            let (counts, reach) = cell.reaching(at("lost"));
            let found = summary(counts, reach, z).unwrap();
            assert_eq!((found.mean, found.low), (1.0, 1.0));
            assert!((found.high - (1.0 + (most - 1) as f64 * unseen)).abs() < 1e-12, "{}", found.high);
            // what can be nothing else is certain
            let (counts, reach) = cell.reaching(at("shots"));
            let shots = summary(counts, reach, z).unwrap();
            assert_eq!((shots.low, shots.mean, shots.high), (6.0, 6.0, 6.0));
        }
        // the draft less the original: neither side is seen to differ, and each may by its own
        let lost = analysis.means.iter().find(|one| one.measure == at("lost")).unwrap().apart;
        assert_eq!(lost.means[2], 0.0);
        assert!(
            (lost.high - 8.0 * unseen).abs() < 1e-12 && (lost.low + 4.0 * unseen).abs() < 1e-12,
            "{lost:?}"
        );
    }
}
