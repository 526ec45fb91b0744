//! A run as CI meets it: against a stored run, and what it leaves for those who read its verdicts.
#![expect(clippy::unwrap_used, reason = "a test may fall")]

use quick_junit::{Report, TestCaseStatus};
use std::path::Path;
use std::process::{Command, Stdio};

/// Two dice that flee on 4 or less; shaken troops have one less, and one less per loss.
const RULES: &str = r#"ruleset "Nerve"
outcome o { stand; flee }
factor shaken: flag = no
factor loss: 0..2 = 0
modifiers nerve {
    -1 if shaken  "shaken"
    -1 per loss   "loss"
}
test t -> o {
    return flee if 2d6 + nerve <= 4 else stand
}
"#;

const QUESTION: &str = r#"title = "Nerve"
test = "t"
trials = 20_000
seed = 7
variants = { a = "a.rules" }
[grid]
shaken = [false, true]
loss = "0..1"
[[expect]]
value = "P(flee) = 6/36"
source = "by hand"
[[expect]]
situation = { shaken = true }
value = "P(flee) = 10/36"
source = "by hand"
"#;

struct Ended {
    code: Option<i32>,
    /// With single spaces, in one line.
    out: String,
    err: String,
}

fn run(folder: &Path, words: &[&str]) -> Ended {
    let mut command = Command::new(env!("CARGO_BIN_EXE_houserule"));
    let ended = command.current_dir(folder).args(words).stdin(Stdio::null()).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let out = text(ended.stdout).split_whitespace().collect::<Vec<_>>().join(" ");
    Ended { code: ended.status.code(), out, err: text(ended.stderr) }
}

fn write(folder: &Path, name: &str, text: &str) {
    std::fs::write(folder.join(name), text).unwrap();
}

fn read(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).unwrap()
}

/// A folder with rules, a question, and two stored runs: `exact`, and `sampled`, in which nothing is solved.
fn stored() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "a.rules", RULES);
    write(folder.path(), "a.toml", QUESTION);
    for (name, budget) in [("exact", "1000"), ("sampled", "0")] {
        let ended = run(folder.path(), &["run", "a.toml", "--out", name, "--budget", budget]);
        assert_eq!((ended.code, ended.err.as_str()), (Some(0), ""), "{}", ended.out);
    }
    folder
}

#[test]
fn the_same_question_is_equal_to_what_was_stored() {
    let folder = stored();
    for (golden, budget) in [("exact", "1000"), ("sampled", "0")] {
        let words = ["run", "a.toml", "--out", "out", "--golden", golden, "--budget", budget];
        let ended = run(folder.path(), &words);
        assert_eq!((ended.code, ended.err.as_str()), (Some(0), ""));
        let says = format!(
            "Golden table {golden}: 8 figures compared: 8 equal exactly, 0 equal within chance, 0 drifted"
        );
        assert!(ended.out.contains(&says), "{}", ended.out);
        assert_eq!(read(folder.path(), "out/drift.csv").lines().count(), 1);
        let summary = |of: &str| read(folder.path(), &format!("{of}/summary.md"));
        assert_eq!(summary("out"), summary(golden), "a stored run changes nothing in the summary");
    }
}

#[test]
fn other_dice_and_other_numbers_of_trials_are_no_drift() {
    // each run is called drifted by chance with 1 in 1,000 at most, so these 24 with 1 in 40; the seeds are fixed
    let folder = stored();
    for seed in ["1", "2", "3", "4", "5", "6", "8", "9"] {
        for (golden, budget) in [("exact", "0"), ("sampled", "0"), ("sampled", "1000")] {
            let words = ["run", "a.toml", "--out", "out", "--golden", golden, "--budget", budget];
            let dice = ["--seed", seed, "--trials", "50_000", "--quiet"];
            let ended = run(folder.path(), &[&words[..], &dice[..]].concat());
            assert_eq!((ended.code, ended.err.as_str()), (Some(0), ""), "{golden} {seed}");
        }
    }
}

#[test]
fn one_changed_modifier_is_drift_and_its_cells_are_named() {
    let folder = stored();
    write(folder.path(), "a.rules", &RULES.replace("-1 if shaken", "-2 if shaken"));
    // by hand: 10 of 36 rolls are 5 or less, 15 are 6 or less
    for (golden, budget, how) in
        [("exact", "1000", "exactly 5/18 -> 5/12)"), ("sampled", "0", "adjusted p-value below 1e-9)")]
    {
        let words = ["run", "a.toml", "--out", "out", "--golden", golden, "--budget", budget];
        let ended = run(folder.path(), &words);
        assert_eq!((ended.code, ended.err.as_str()), (Some(4), ""));
        assert!(ended.out.contains("8 figures compared: 4 equal exactly, 0 equal within chance, 4 drifted"));
        for cell in ["a, shaken, loss 0: flee: ", "a, shaken, loss 1: flee: "] {
            assert!(ended.out.contains(cell) && ended.out.contains(how), "{cell}: {}", ended.out);
        }
        let drift = read(folder.path(), "out/drift.csv");
        let rows: Vec<&str> =
            drift.lines().skip(1).map(|line| &line[..line.find(",result").unwrap()]).collect();
        let mut sorted = rows.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, ["a,yes,0", "a,yes,0", "a,yes,1", "a,yes,1"]);
    }
}

#[test]
fn a_renamed_outcome_is_gone() {
    let folder = stored();
    write(folder.path(), "a.rules", &RULES.replace("flee", "rout"));
    write(folder.path(), "a.toml", &QUESTION.replace("flee", "rout"));
    let ended = run(folder.path(), &["run", "a.toml", "--out", "out", "--golden", "exact"]);
    assert_eq!((ended.code, ended.err.as_str()), (Some(4), ""));
    assert!(ended.out.contains("4 equal exactly, 0 equal within chance, 0 drifted"), "{}", ended.out);
    assert!(ended.out.contains("Gone: outcome `flee` in a (4 figures)"), "{}", ended.out);
    assert!(ended.out.contains("New, which is no drift: outcome `rout` in a (4 figures)"), "{}", ended.out);
}

#[test]
fn a_larger_grid_is_new_and_no_drift() {
    let folder = stored();
    write(folder.path(), "a.toml", &QUESTION.replace("0..1", "0..2"));
    let ended = run(folder.path(), &["run", "a.toml", "--out", "out", "--golden", "exact"]);
    assert_eq!((ended.code, ended.err.as_str()), (Some(0), ""), "{}", ended.out);
    assert!(ended.out.contains("8 figures compared: 8 equal exactly"), "{}", ended.out);
    assert!(ended.out.contains("New, which is no drift: situation a, loss 2 (2 figures)"), "{}", ended.out);
}

#[test]
fn a_stored_run_may_be_where_the_new_one_is_written() {
    let folder = stored();
    write(folder.path(), "a.rules", &RULES.replace("-1 if shaken", "-2 if shaken"));
    let again = || run(folder.path(), &["run", "a.toml", "--out", "exact", "--golden", "exact", "--quiet"]);
    // the expected value is missed with the changed rules; what has drifted is replaced, so only that is left
    assert_eq!(again().code, Some(4));
    assert_eq!(read(folder.path(), "exact/drift.csv").lines().count(), 5);
    assert_eq!(again().code, Some(4));
    assert_eq!(read(folder.path(), "exact/drift.csv").lines().count(), 1);
}

#[test]
fn a_missing_or_damaged_golden_table_ends_with_3_before_anything_is_written() {
    let folder = stored();
    let broken = folder.path().join("broken");
    std::fs::create_dir(&broken).unwrap();
    write(&broken, "results.csv", "variant,measure\n");
    for (golden, why) in
        [("none", "cannot be read"), ("a.toml", "cannot be read"), ("broken", "is not a table of a run")]
    {
        let words = ["--annotate", "github", "run", "a.toml", "--out", "out", "--golden", golden];
        let ended = run(folder.path(), &words);
        assert_eq!((ended.code, ended.out.as_str()), (Some(3), ""), "{golden}");
        assert!(ended.err.starts_with("error: there is no golden table to compare with: `"), "{}", ended.err);
        assert!(ended.err.contains(why) && ended.err.contains("::error title=houserule::"), "{}", ended.err);
        assert!(!folder.path().join("out").exists(), "{golden}");
    }
}

#[test]
fn the_junit_file_has_a_test_for_each_check() {
    let folder = stored();
    write(folder.path(), "a.rules", &RULES.replace("-1 if shaken", "-2 if shaken"));
    let words = ["run", "a.toml", "--out", "out", "--golden", "exact", "--junit", "ci/tests.xml", "--quiet"];
    assert_eq!(run(folder.path(), &words).code, Some(4));
    let report = Report::deserialize_from_str(&read(folder.path(), "ci/tests.xml")).unwrap();
    let suites: Vec<_> = report
        .test_suites
        .iter()
        .map(|suite| (suite.name.as_str(), suite.tests, suite.failures, suite.skipped))
        .collect();
    // the stored run as a whole, and the two situations that have drifted
    let expected = [("expected value", 2, 1, 0), ("golden table", 3, 3, 0), ("simulator", 1, 0, 0)];
    assert_eq!(suites, expected);
    let missed = &report.test_suites[0].test_cases[1];
    assert!(matches!(missed.status, TestCaseStatus::NonSuccess { .. }), "{missed:?}");
    let line = 1 + QUESTION.lines().position(|line| line.starts_with("situation")).unwrap();
    // the table of an expectation begins with the line before its first key
    assert_eq!(missed.extra["file"].as_str(), "a.toml");
    assert_eq!(missed.extra["line"].as_str(), (line - 1).to_string());
    let first = read(folder.path(), "ci/tests.xml");
    assert_eq!(run(folder.path(), &words).code, Some(4));
    assert_eq!(first, read(folder.path(), "ci/tests.xml"), "same inputs, same bytes");
}

#[test]
fn annotations_stand_at_the_lines_that_ask() {
    let folder = stored();
    write(folder.path(), "a.toml", &QUESTION.replace("10/36", "50%"));
    let ended = run(folder.path(), &["run", "a.toml", "--out", "out", "--annotate", "github", "--quiet"]);
    assert_eq!((ended.code, ended.err.as_str()), (Some(4), ""));
    let title = "title=expected value%3A 2. P(flee) = 50%25 in a (shaken yes)";
    let start = format!("::error file=a.toml,line=12,{title}::found exactly 5/18 (27.8 %25).");
    assert!(ended.out.starts_with(&start), "{}", ended.out);
    let quiet = run(folder.path(), &["run", "a.toml", "--out", "out", "--quiet"]);
    assert_eq!((quiet.code, quiet.out.as_str()), (Some(4), ""));
}

#[test]
fn mistakes_in_files_are_annotated_where_they_stand() {
    let folder = stored();
    write(folder.path(), "a.rules", &RULES.replace("+ nerve", "+ nervw"));
    for words in
        [&["check", "a.rules", "--annotate", "github"][..], &["--annotate", "github", "run", "a.toml"]]
    {
        let ended = run(folder.path(), words);
        assert_eq!(ended.code, Some(3));
        let line = ended.err.lines().find(|line| line.starts_with("::error ")).unwrap();
        assert!(line.starts_with("::error file=a.rules,line=10,title=mistake::"), "{line}");
        assert!(line.contains("nervw") && line.contains("%0Ahelp: did you mean `nerve`?"), "{line}");
    }
    let plain = run(folder.path(), &["check", "a.rules"]);
    assert!(!plain.err.contains("::"), "{}", plain.err);
}

#[test]
fn the_comment_says_what_failed_and_how_to_see_it_again() {
    let folder = stored();
    write(folder.path(), "a.rules", &RULES.replace("-1 if shaken", "-2 if shaken"));
    let words =
        ["run", "a.toml", "--out", "out", "--golden", "exact", "--comment", "comment.md", "--seed", "8"];
    assert_eq!(run(folder.path(), &words).code, Some(4));
    let comment = read(folder.path(), "comment.md");
    assert!(comment.contains("### Failed: Nerve\n\n6 checks: 4 failed, 2 passed.\n"), "{comment}");
    assert!(comment.contains("| a, shaken, loss 0 | flee | 27.8 % | 41.7 % | +13.89 |\n"), "{comment}");
    assert!(comment.contains("\nhouserule run a.toml --seed 8 --golden exact\n"), "{comment}");
    assert!(comment.contains("Passed: 2</summary>"), "{comment}");
}

#[test]
fn a_file_for_ci_that_cannot_be_written_is_a_fault_that_is_named() {
    let folder = stored();
    let words = ["run", "a.toml", "--out", "out", "--junit", "a.toml/tests.xml", "--quiet"];
    let ended = run(folder.path(), &words);
    assert_eq!(ended.code, Some(1));
    assert!(ended.err.contains("tests.xml") && ended.err.contains("are written"), "{}", ended.err);
    assert!(folder.path().join("out/results.csv").exists());
}

#[test]
fn no_file_for_ci_takes_the_place_of_another() {
    let folder = stored();
    let path = folder.path();
    for words in [["--junit", "a.toml"], ["--comment", "a.rules"], ["--junit", "exact/results.csv"]] {
        let before = read(path, words[1]);
        let ended = run(path, &[&["run", "a.toml", "--out", "exact"], &words[..]].concat());
        assert!(ended.code == Some(2) && ended.err.contains(words[1]), "{words:?}: {}", ended.err);
        assert_eq!(read(path, words[1]), before);
    }
    let both = run(path, &["run", "a.toml", "--out", "new", "--junit", "x", "--comment", "x"]);
    assert!(both.code == Some(2) && !path.join("new").exists(), "{}", both.err);
}

#[cfg(unix)]
#[test]
fn a_link_for_ci_stays_a_link() {
    let folder = stored();
    let path = folder.path();
    write(path, "kept.md", "before");
    std::os::unix::fs::symlink("kept.md", path.join("link.md")).unwrap();
    let ended = run(path, &["run", "a.toml", "--out", "new", "--comment", "link.md"]);
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    assert!(path.join("link.md").is_symlink() && read(path, "kept.md") != "before");
}

#[test]
fn a_quiet_run_says_what_fails() {
    let folder = stored();
    write(folder.path(), "a.rules", &RULES.replace("2d6", "2d6 - 1"));
    let ended = run(folder.path(), &["run", "a.toml", "--out", "new", "--quiet"]);
    assert!(ended.code == Some(4) && ended.err.contains("P(flee)"), "{}", ended.err);
}

#[test]
fn a_claim_that_fails_or_stays_undecided_is_told_as_such() {
    let folder = stored();
    let claim = |holds: &str| {
        let text = format!("[[claim]]\nwhere = \"not shaken and loss is 0\"\nholds = \"{holds}\"\n");
        write(folder.path(), "a.toml", &format!("{QUESTION}{text}"));
    };
    let words = ["run", "a.toml", "--out", "out", "--quiet", "--junit", "tests.xml", "--annotate", "github"];
    let suite = || {
        let report = Report::deserialize_from_str(&read(folder.path(), "tests.xml")).unwrap();
        report.test_suites.into_iter().find(|suite| suite.name.as_str() == "claim").unwrap()
    };
    let line = 1 + QUESTION.lines().count();
    // by hand: 6 of 36
    claim("P(flee) < 16%");
    let failed = run(folder.path(), &words);
    assert_eq!((failed.code, failed.err.as_str()), (Some(4), ""));
    let start = format!("::error file=a.toml,line={line},title=claim%3A 1. P(flee) < 16%25::");
    assert!(failed.out.starts_with(&start), "{}", failed.out);
    assert_eq!((suite().tests, suite().failures), (1, 1));
    claim("P(flee) < 17%");
    assert_eq!(run(folder.path(), &words).code, Some(0));
    assert_eq!((suite().tests, suite().failures), (1, 0));
    // a difference of a thousandth of a point is not seen in 20,000 trials
    claim("P(flee) < 16.667%");
    let few = ["--budget", "0", "--most-trials", "20_000"];
    let undecided = run(folder.path(), &[&words[..], &few[..]].concat());
    assert_eq!((undecided.code, undecided.err.as_str()), (Some(5), ""));
    assert!(undecided.out.starts_with(&start.replace("::error", "::warning")[..40]), "{}", undecided.out);
    let TestCaseStatus::NonSuccess { ty, .. } = &suite().test_cases[0].status else { panic!("it is open") };
    assert_eq!(ty.as_ref().unwrap().as_str(), "undecided");
}

#[test]
fn a_precision_that_is_not_reached_is_undecided() {
    let folder = stored();
    let words = ["run", "a.toml", "--out", "out", "--quiet", "--junit", "tests.xml", "--precision", "0.5pp"];
    let suite = || {
        let report = Report::deserialize_from_str(&read(folder.path(), "tests.xml")).unwrap();
        report.test_suites.into_iter().find(|suite| suite.name.as_str() == "precision").unwrap()
    };
    let few = run(folder.path(), &[&words[..], &["--most-trials", "1_000", "--budget", "0"]].concat());
    assert!(
        few.code == Some(5) && few.err.contains("every interval is as narrow as was asked"),
        "{}",
        few.err
    );
    assert_eq!((suite().tests, suite().failures), (1, 1));
    // nothing is more precise than what is solved
    assert_eq!(run(folder.path(), &[&words[..], &["--most-trials", "1_000"]].concat()).code, Some(0));
    assert_eq!(run(folder.path(), &words).code, Some(0));
    assert_eq!((suite().tests, suite().failures), (1, 0));
}

#[test]
fn parts_are_judged_where_they_are_merged() {
    let folder = stored();
    for shard in ["1/2", "2/2"] {
        let words = ["run", "a.toml", "--out", "out", "--quiet", "--shard", shard];
        assert_eq!(run(folder.path(), &words).code, Some(0));
        let golden = run(folder.path(), &[&words[..], &["--golden", "exact"]].concat());
        assert_eq!((golden.code, golden.out.as_str()), (Some(2), ""), "a part is no run");
    }
    let [one, two] = ["out/parts/shard-1-of-2.parquet", "out/parts/shard-2-of-2.parquet"];
    let merge = |golden: &str| {
        let words = ["merge", one, two, "--out", "merged", "--golden", golden, "--comment", "comment.md"];
        run(folder.path(), &words)
    };
    let merged = merge("exact");
    assert_eq!((merged.code, merged.err.as_str()), (Some(0), ""));
    assert!(merged.out.contains("8 figures compared: 8 equal exactly"), "{}", merged.out);
    let comment = read(folder.path(), "comment.md");
    assert!(comment.contains("\nhouserule run a.toml --trials 20000 --seed 7 --golden exact\n"), "{comment}");
    write(folder.path(), "b.rules", &RULES.replace("-1 if shaken", "-2 if shaken"));
    write(folder.path(), "b.toml", &QUESTION.replace("a.rules", "b.rules"));
    assert_eq!(run(folder.path(), &["run", "b.toml", "--out", "changed", "--quiet"]).code, Some(4));
    assert_eq!(merge("changed").code, Some(4));
}
