//! Several scenarios in one command: each into its own folder, none stopped by another, the worst of all ends told.
#![expect(clippy::unwrap_used, reason = "a test may fall")]

#[path = "support/program.rs"]
mod program;

use program::{fresh, run};
use std::fs;
use std::path::Path;

/// Few enough to be quick.
const FEW: [&str; 2] = ["--trials", "100"];

/// A copy of the new scenario under another name, with a change.
fn changed(folder: &Path, name: &str, from: &str, to: &str) {
    let text = fs::read_to_string(folder.join("mine/scenario.toml")).unwrap();
    assert!(text.contains(from), "{from}");
    fs::write(folder.join("mine").join(name), text.replace(from, to)).unwrap();
}

fn all(folder: &Path, words: &[&str]) -> program::Ended {
    run(folder, &[&["run"], words, &FEW].concat())
}

#[test]
fn each_scenario_has_a_folder_of_its_own_and_the_same_files_as_alone() {
    let folder = fresh();
    changed(folder.path(), "other.toml", "seed     = 1 ", "seed     = 2 ");
    let ended = all(folder.path(), &["mine/scenario.toml", "mine/other.toml"]);
    assert_eq!((ended.code, ended.err.as_str()), (Some(0), ""));
    assert!(ended.out.starts_with("1 of 2: mine/scenario.toml\n"), "{}", ended.out);
    assert!(ended.out.contains("\n2 of 2: mine/other.toml\n"), "{}", ended.out);
    assert!(ended.out.ends_with("\nAll 2 scenarios went well.\n"), "{}", ended.out);
    for name in ["scenario", "other"] {
        let file = format!("mine/{name}.toml");
        assert_eq!(all(folder.path(), &[&file, "--out", "alone"]).code, Some(0));
        let read = |place: &str| fs::read(folder.path().join(place).join("results.csv")).unwrap();
        assert!(read("alone") == read(&format!("reports/mine/{name}")), "{name}");
    }
}

#[test]
fn a_mistake_in_one_is_told_and_does_not_stop_the_others() {
    let folder = fresh();
    changed(folder.path(), "wrong.toml", "\"veteran\"]", "\"vetran\"]");
    let ended = all(folder.path(), &["mine/wrong.toml", "mine/none.toml", "mine/scenario.toml"]);
    assert_eq!(ended.code, Some(3));
    assert!(
        ended.err.contains("did you mean `veteran`?") && ended.err.contains("mine/none.toml"),
        "{}",
        ended.err
    );
    assert!(
        ended.out.contains("\n1 of 3 scenarios went well.\n  mine/wrong.toml: it has a mistake"),
        "{}",
        ended.out
    );
    assert!(folder.path().join("reports/mine/scenario/results.csv").is_file());
    assert!(!folder.path().join("reports/mine/wrong").exists());
}

#[test]
fn a_mistake_weighs_more_than_a_claim_that_fails_and_that_more_than_what_is_open() {
    let folder = fresh();
    changed(folder.path(), "fails.toml", "in draft < P(rout)", "in draft > P(rout)");
    changed(folder.path(), "wrong.toml", "baseline = \"book\"", "baseline = \"bok\"");
    let good = all(folder.path(), &["mine/scenario.toml", "mine/fails.toml"]);
    assert_eq!(good.code, Some(4));
    assert!(good.out.contains("\n1 of 2 scenarios went well.\n  mine/fails.toml: a claim"), "{}", good.out);
    let quiet = all(folder.path(), &["-q", "mine/fails.toml", "mine/wrong.toml", "mine/scenario.toml"]);
    assert_eq!((quiet.code, quiet.out.as_str()), (Some(3), ""));
    assert!(quiet.err.contains("1 of 3 scenarios went well.\n  mine/fails.toml: a claim"), "{}", quiet.err);
}

#[test]
fn out_has_a_folder_for_each_of_several() {
    let folder = fresh();
    changed(folder.path(), "other.toml", "seed     = 1 ", "seed     = 2 ");
    let ended = all(folder.path(), &["mine/scenario.toml", "mine/other.toml", "--out", "gallery"]);
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    for name in ["scenario", "other"] {
        assert!(folder.path().join("gallery/mine").join(name).join("results.csv").is_file(), "{name}");
    }
    assert!(!folder.path().join("reports").exists());
}

#[test]
fn two_that_go_to_one_folder_are_not_mixed() {
    let folder = fresh();
    let second = folder.path().join("else/mine");
    fs::create_dir_all(&second).unwrap();
    for file in ["base.rules", "draft.rules"] {
        fs::copy(folder.path().join("mine").join(file), second.join(file)).unwrap();
    }
    changed(folder.path(), "../else/mine/scenario.toml", "seed     = 1 ", "seed     = 2 ");
    let ended = all(folder.path(), &["mine/scenario.toml", "else/mine/scenario.toml"]);
    assert_eq!(ended.code, Some(2));
    assert!(
        ended.err.contains("else/mine/scenario.toml would write over what mine/scenario.toml gave"),
        "{}",
        ended.err
    );
    let record = fs::read_to_string(folder.path().join("reports/mine/scenario/run.json")).unwrap();
    assert!(record.contains("\"seed\": 1"), "the first one's files are there: {record}");
}

#[test]
fn what_speaks_of_one_run_is_refused_for_several() {
    let folder = fresh();
    for option in [["--golden", "reports"], ["--junit", "a.xml"], ["--comment", "a.md"]] {
        let ended = all(folder.path(), &["mine/scenario.toml", "mine/scenario.toml", option[0], option[1]]);
        assert_eq!((ended.code, ended.out.as_str()), (Some(2), ""));
        assert!(
            ended.err.contains(&format!("{} is for one scenario, and there are 2", option[0])),
            "{}",
            ended.err
        );
    }
    assert!(!folder.path().join("reports").exists());
}
