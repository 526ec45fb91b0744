//! Claims and precision as their user meets them: what is printed, what is written, how it ends.
//!
//! The figures are those of the break test by hand. Under fire, out of 36: infantry breaks in 6 and 10 with an excess of 0
//! and 1, with the modified chart in 3 and 6; skirmishers in 6 and 10, with the modified chart in 10 and 15.
#![expect(clippy::unwrap_used, reason = "a test may fall")]

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};

const HEAD: &str = r#"
test     = "break_test"
trials   = 20_000
seed     = 1815
baseline = "original"

[variants]
original = "black-powder.rules"
modified = "modified-hail-caesar.rules"

[grid]
troop  = ["infantry", "skirmishers"]
attack = "shooting"
excess = "0..1"

[policy]
break_chart = "hold_disordered"
"#;

/// A folder with a scenario that claims this, and its rules.
fn claiming(claims: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let rules = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios/black-powder");
    for file in ["black-powder.rules", "modified-hail-caesar.rules"] {
        std::fs::copy(rules.join(file), folder.path().join(file)).unwrap();
    }
    std::fs::write(folder.path().join("a.toml"), format!("{HEAD}{claims}")).unwrap();
    folder
}

/// How it ends, and what it prints.
fn houserule(folder: &tempfile::TempDir, words: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_houserule"));
    command.current_dir(folder.path()).args(words).stdin(Stdio::null());
    let output = command.output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout) + &text(output.stderr))
}

/// A run of claims.
fn run(claims: &str, words: &[&str]) -> (Option<i32>, String, tempfile::TempDir) {
    let folder = claiming(claims);
    let (code, out) = houserule(&folder, &[&["run", "a.toml", "--out", "out"], words].concat());
    (code, out, folder)
}

fn written(folder: &tempfile::TempDir, file: &str) -> String {
    std::fs::read_to_string(folder.path().join("out").join(file)).unwrap()
}

fn claim(place: &str, holds: &str) -> String {
    format!("[[claim]]\nwhere = \"{place}\"\nholds = \"{holds}\"\n")
}

/// A text without its line ends and blanks in a row.
fn plain(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn true_claims_end_well_whether_they_are_solved_or_sampled() {
    let claims = claim("troop is infantry", "P(break) in modified < P(break) in original by 8 points")
        + &claim("excess is 0", "P(break) in original <= 20%")
        + &claim("troop is skirmishers", "P(break) in modified > P(break) in original by 1.4 times");
    for (budget, decided) in [("1000000", "exact"), ("0", "sampled")] {
        let (code, out, folder) = run(&claims, &["--budget", budget]);
        assert_eq!(code, Some(0), "{out}");
        let table = written(&folder, "claims.csv");
        assert_eq!(table.lines().count(), 1 + 6, "{table}");
        assert_eq!(table.matches(&format!(",holds,{decided},")).count(), 6, "{table}");
    }
}

#[test]
fn a_false_claim_ends_with_4_and_names_the_situations() {
    let all = claim("attack is shooting", "P(break) in modified < P(break) in original");
    for budget in ["1000000", "0"] {
        let (code, out, folder) = run(&all, &["--budget", budget]);
        assert_eq!(code, Some(4), "{out}");
        assert!(plain(&out).contains("in 2 of 4 situations: skirmishers, excess casualties 0 (2"), "{out}");
        assert!(plain(&out).contains("skirmishers, excess casualties 1 (4"), "{out}");
        let summary = written(&folder, "summary.md");
        assert!(summary.contains("**Fails.** The claim `P(break) in modified < P(break) in original` speaks of 4 situations; it holds in 2 and fails in 2."), "{summary}");
    }
    let table = written(&run(&all, &[]).2, "claims.csv");
    let row = "1,P(break) in modified < P(break) in original,modified,original,skirmishers,shooting,1,0.416666667,0.277777778,5/12,5/18,fails,exact,0";
    assert!(table.contains(row), "{table}");
}

#[test]
fn equal_fractions_are_not_less_and_are_equal() {
    let at = |holds: &str| run(&claim("excess is 0", holds), &[]).0;
    assert_eq!(at("P(break) in original < 6/36"), Some(4));
    assert_eq!(at("P(break) in original <= 6/36"), Some(0));
    assert_eq!(at("P(break) in original = 6/36"), Some(0));
    assert_eq!(at("P(break) in original = 16.7%"), Some(4));
    assert_eq!(at("P(break) in original = 16.7% by 0.04 points"), Some(0));
}

#[test]
fn what_is_equal_cannot_be_told_by_counting_and_ends_with_5() {
    let equal = claim("excess is 0 and troop is infantry", "P(break) in original <= 6/36");
    let words = ["--budget", "0", "--most-trials", "300_000"];
    let (code, out, folder) = run(&equal, &words);
    assert_eq!(code, Some(5), "{out}");
    assert!(plain(&out).contains("300,000 trials are too few to tell."), "{out}");
    assert!(written(&folder, "claims.csv").contains(",undecided,sampled,300000\n"));
    assert!(written(&folder, "summary.md").contains("**Undecided.**"));
    // 4 comes before 5
    let both = equal + &claim("excess is 0 and troop is infantry", "P(break) in original > 50%");
    assert_eq!(run(&both, &words).0, Some(4));
}

#[test]
fn an_average_is_one_question() {
    // by hand: 32 of 144 with the original, 34 with the modified chart, 1.39 points more
    let average = |margin: &str| {
        let holds = format!("P(break) in modified > P(break) in original{margin}");
        run(&format!("[[claim]]\nover = \"average\"\nholds = \"{holds}\"\n"), &["--budget", "0"])
    };
    let (code, out, folder) = average("");
    assert_eq!(code, Some(0), "{out}");
    assert!(plain(&out).contains("on average over 4 situations, 23."), "{out}");
    assert!(written(&folder, "claims.csv").contains(",modified,original,,,,0.23"));
    assert_eq!(average(" by 3 points").0, Some(4));
}

#[test]
fn trials_for_claims_enter_no_other_table() {
    let hard = claim("troop is infantry and excess is 0", "P(break) in original < 17%");
    let (_, _, with) = run(&hard, &["--budget", "0"]);
    let (_, _, without) = run("", &["--budget", "0"]);
    assert_eq!(written(&with, "results.csv"), written(&without, "results.csv"));
    assert!(!without.path().join("out/claims.csv").exists());
    let trials = |folder| {
        let record = written(folder, "run.json");
        let at = record.split("\"trials_played\": ").nth(1).unwrap();
        at.split(',').next().unwrap().parse::<u64>().unwrap()
    };
    assert_eq!(trials(&without), 6 * 20_000, "the original has one chart for both");
    assert!(trials(&with) > 6 * 20_000, "33 hundredths of a point are too little for 20,000 trials");
}

#[test]
fn solving_decides_claims_without_a_trial() {
    let folder = claiming(&claim("troop is infantry", "P(break) in modified < P(break) in original"));
    let (code, out) = houserule(&folder, &["solve", "a.toml"]);
    assert_eq!(code, Some(0), "{out}");
    assert!(
        plain(&out).contains(
            "Claim holds: P(break) in modified < P(break) in original: in 2 situations. Decided exactly."
        ),
        "{out}"
    );
    let (code, out) = houserule(&folder, &["solve", "a.toml", "--budget", "0"]);
    assert_eq!(code, Some(5), "{out}");
    assert!(plain(&out).contains("Undecided in 2: the situation is not solved"), "{out}");
    let folder = claiming(&claim("troop is infantry", "P(break) in modified > P(break) in original"));
    assert_eq!(houserule(&folder, &["solve", "a.toml"]).0, Some(4));
}

#[test]
fn verdicts_and_precision_are_the_same_on_any_number_of_threads() {
    let claims = claim("excess is 1", "P(break) in original < 28%");
    let bytes = |threads| {
        let words = ["--precision", "0.35pp", "--budget", "0", "--threads", threads];
        let (_, _, folder) = run(&claims, &words);
        ["results.csv", "comparison.csv", "claims.csv", "summary.md"].map(|file| written(&folder, file))
    };
    let one = bytes("1");
    assert_eq!(one, bytes("2"));
    assert_eq!(one, bytes("7"));
}

/// Of each row of `results.csv` the trials, and half of its interval.
fn precisions(table: &str) -> Vec<(u64, f64)> {
    let row = |row: &str| {
        let cells: Vec<&str> = row.split(',').collect();
        let number = |at: usize| cells[at].parse::<f64>().unwrap();
        (cells[7].parse().unwrap(), (number(11) - number(10)) / 2.0)
    };
    assert!(table.starts_with(
        "variant,troop,attack,excess,measure,outcome,count,trials,unresolved,probability,low,high"
    ));
    table.lines().skip(1).map(row).collect()
}

#[test]
fn effort_goes_where_a_precision_needs_it() {
    let (code, out, folder) = run("", &["--precision", "0.35pp"]);
    assert_eq!(code, Some(0), "{out}");
    let rows = precisions(&written(&folder, "results.csv"));
    assert!(rows.iter().all(|(_, half)| *half <= 0.0035), "{rows:?}");
    // six looks: 2.64 deviations. 26 of 36 need 115,000 trials, which is two chunks; half and half needs 142,000, four.
    let sizes: BTreeSet<u64> = rows.iter().map(|(trials, _)| *trials).collect();
    assert_eq!(sizes, [131_072, 262_144].into());
    assert!(written(&folder, "summary.md").contains("with 131,072 to 262,144 trials of `break_test`"));
}

#[test]
fn a_precision_that_is_not_reached_ends_with_5_and_names_the_situations() {
    let (code, out, folder) = run("", &["--precision", "0.05pp", "--most-trials", "70_000", "--budget", "0"]);
    assert_eq!(code, Some(5), "{out}");
    assert!(plain(&out).contains("In 6 situations 70,000 trials were not enough for that: "), "{out}");
    assert!(precisions(&written(&folder, "results.csv")).iter().all(|row| row.0 == 70_000));
}

#[test]
fn a_precision_can_stand_in_the_scenario_and_is_a_number_of_points() {
    let folder = claiming("");
    std::fs::write(folder.path().join("a.toml"), format!("precision = \"0.5pp\"{HEAD}")).unwrap();
    let (code, out) = houserule(&folder, &["run", "a.toml", "--out", "out"]);
    assert_eq!(code, Some(0), "{out}");
    assert!(out.contains("no interval was wider than 0.5"), "{out}");
    for wrong in ["0.1", "0.1%", "0pp", "50pp"] {
        let (code, out) = houserule(&folder, &["run", "a.toml", "--precision", wrong]);
        assert_eq!(code, Some(2), "{wrong}");
        assert!(out.contains("as in 0.1pp"), "{out}");
    }
}
