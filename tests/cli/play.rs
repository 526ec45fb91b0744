//! Rolls, runs and comparisons.

use super::*;

#[test]
fn a_run_of_a_rules_file_is_answered_in_one_breath() {
    let folder = fresh();
    let ended = run(folder.path(), &["run", "mine/base.rules"]);
    assert_eq!((ended.code, ended.out.as_str()), (Some(3), ""));
    assert!(ended.err.contains("mine/base.rules is a rules file; `run` wants a scenario (.toml)"));
    assert!(ended.err.contains("houserule roll mine/base.rules"), "{}", ended.err);
    assert!(ended.err.contains("1 mistake;"), "{}", ended.err);
}

#[cfg(unix)]
#[test]
fn the_command_that_new_offers_can_be_pasted_whatever_the_folder_is_called() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["plain-1.0", "My Game!", "it's \"$HOME\"; true"] {
        let made = run(folder.path(), &["new", name]);
        let command = made.out.lines().find_map(|line| line.trim().strip_prefix("houserule run ")).unwrap();
        let printed = Command::new("sh").args(["-c", &format!("printf %s {command}")]).output().unwrap();
        assert_eq!(ended(printed).out, format!("{name}/scenario.toml"));
        assert_eq!(command.starts_with('\''), name != "plain-1.0", "quotes only where they are needed");
    }
}

#[test]
fn a_scenario_with_a_mistake_is_not_run() {
    let folder = fresh();
    let scenario = folder.path().join("mine/scenario.toml");
    let text = std::fs::read_to_string(&scenario).unwrap();
    std::fs::write(&scenario, text.replace("\"veteran\"]", "\"vetran\"]")).unwrap();
    let ended = run(folder.path(), &["run", "mine/scenario.toml"]);
    assert_eq!((ended.code, ended.out.as_str()), (Some(3), ""));
    assert!(ended.err.contains("did you mean `veteran`?"), "{}", ended.err);
    assert!(ended.err.contains("nothing was run"), "{}", ended.err);
    assert!(!folder.path().join("reports").exists());
}

#[test]
fn a_roll_refuses_what_the_rules_do_not_have_and_offers_what_they_have() {
    let folder = fresh();
    for (words, remedy) in [
        (["--set", "trainng=raw"], "did you mean `training`?"),
        (["--set", "training=rw"], "did you mean `raw`?"),
        (["--set", "losses=5"], "it can be: 0  1  2  3  4"),
        (["--test", "moral_test"], "did you mean `morale_test`?"),
        (["--variant", "draft"], "leave it out"),
        (["--set", "losses=1,cover=yes,losses=2"], "keep one of: --set losses=1  --set losses=2"),
    ] {
        let ended = run(folder.path(), &[&["roll", "mine/base.rules"], &words[..]].concat());
        assert_eq!((ended.code, ended.out.as_str()), (Some(2), ""), "{words:?}");
        assert!(ended.err.contains(remedy), "{words:?}: {}", ended.err);
    }
    let ended = run(folder.path(), &["roll", "mine/scenario.toml", "--variant", "drat"]);
    assert_eq!(ended.code, Some(2));
    assert!(ended.err.contains("did you mean `draft`?"), "{}", ended.err);
}

#[test]
fn a_policy_that_says_two_things_of_one_choice_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("c.rules"), CHOICE).unwrap();
    let ended = run(folder.path(), &["roll", "c.rules", "--policy", "c=aa", "--policy", "c=bb"]);
    assert_eq!((ended.code, ended.out.as_str()), (Some(2), ""));
    assert!(ended.err.contains("--policy says twice what `c` is"), "{}", ended.err);
    assert!(ended.err.contains("keep one of: --policy c=aa  --policy c=bb"), "{}", ended.err);
    assert_eq!(run(folder.path(), &["roll", "c.rules", "--policy", "c=bb"]).code, Some(0));
}

/// A chart that leaves something to the player.
const CHOICE: &str = "\
ruleset \"choice\"
outcome o { aa; bb; cc }
chart c(n) -> o {
    n   | result
    4+  | aa or bb
    ..3 | cc
}
test t -> o { return c(d6) }
";

#[test]
fn a_run_of_the_new_folder_leaves_its_files_where_it_says() {
    let folder = fresh();
    let ended = run(folder.path(), &["run", "mine/scenario.toml", "--trials", "2_000"]);
    assert_eq!((ended.code, ended.err.as_str()), (Some(0), ""));
    let reports = Path::new("reports").join("mine").join("scenario");
    assert!(ended.out.contains(&reports.display().to_string()), "{}", ended.out);
    for file in ["results.csv", "results.parquet", "comparison.csv", "summary.md", "run.json"] {
        assert!(folder.path().join(&reports).join(file).is_file(), "{file}");
    }
    let widest = ended.out.lines().map(|line| line.chars().count()).max().unwrap();
    assert!(widest <= 80, "{widest} columns");
}

#[test]
fn the_seed_decides_the_numbers_and_the_threads_do_not() {
    let folder = fresh();
    let written = |out: &str, seed: &str, threads: &str| {
        // three whole chunks and a short one of each plan
        let words = ["run", "mine/scenario.toml", "--trials", "200_000", "--quiet"];
        let words = [&words[..], &["--out", out, "--seed", seed, "--threads", threads]].concat();
        let ended = run(folder.path(), &words);
        assert_eq!((ended.code, ended.out.as_str(), ended.err.as_str()), (Some(0), "", ""));
        let mut files = files(&folder.path().join(out));
        files.retain(|(name, _)| !name.ends_with("run.json"));
        files.into_iter().map(|(_, bytes)| bytes).collect::<Vec<_>>()
    };
    let one = written("a", "7", "1");
    for threads in ["2", "3", "8"] {
        assert!(one == written(threads, "7", threads), "{threads} threads");
    }
    assert!(one != written("c", "8", "1"));
}

#[test]
fn a_roll_under_a_seed_is_the_same_roll_again() {
    let folder = fresh();
    let roll = |words: &[&str]| {
        let ended = run(folder.path(), &[&["roll", "mine/base.rules", "--times", "3"], words].concat());
        assert_eq!((ended.code, ended.err.as_str()), (Some(0), ""));
        ended.out
    };
    let first = roll(&[]);
    let (story, seed) = first.rsplit_once("The same dice again: --seed ").unwrap();
    assert_eq!(story, roll(&["--seed", seed.trim()]));
    assert_eq!(story.matches("2d6").count(), 3, "{story}");
}

#[test]
fn a_roll_takes_the_situation_from_the_scenario_and_then_from_the_command_line() {
    let folder = fresh();
    let words = ["roll", "mine/scenario.toml", "--variant", "draft", "--seed", "1"];
    let first = run(folder.path(), &words).out;
    assert!(first.contains("training raw, losses 0, cover no"), "{first}");
    for cover in ["yes", "true"] {
        let set = ["--set", &format!("losses=3,cover={cover}")];
        let set = run(folder.path(), &[&words[..], &set].concat()).out;
        assert!(set.contains("training raw, losses 3, cover yes"), "{set}");
    }
}

/// Rules with two numbers of four hundred and forty values, and a question about all of them.
fn wide(result: &str, charts: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let rules = format!(
        "ruleset \"wide\"\noutcome o {{ good; bad }}\nfactor a: 1..400\nfactor b: 1..40\n\
         test t -> {result}\n"
    );
    let head = "title = \"Wide\"\ntest = \"t\"\ntrials = 1\nseed = 1\nbaseline = \"one\"\n\
                [variants]\none = \"wide.rules\"\n[grid]\na = \"1..400\"\nb = \"1..40\"\n";
    std::fs::write(folder.path().join("wide.rules"), rules).unwrap();
    std::fs::write(folder.path().join("wide.toml"), format!("{head}{charts}")).unwrap();
    folder
}

/// What a test of the wide rules gives.
const GOOD_OR_BAD: &str = "o { return good if d6 + a > b else bad }";

#[test]
fn a_grid_that_is_too_wide_for_most_charts_has_a_curve_or_a_distribution() {
    for (result, chart) in
        [(GOOD_OR_BAD, "01-curve-a.svg"), ("number { return d6 + a + b }", "01-distribution.svg")]
    {
        let folder = wide(result, "");
        let ended = run(folder.path(), &["run", "wide.toml", "--quiet", "--out", "out"]);
        assert_eq!((ended.code, ended.out.as_str(), ended.err.as_str()), (Some(0), "", ""));
        assert!(folder.path().join("out/results.csv").is_file());
        assert!(folder.path().join("out/charts").join(chart).is_file(), "{result}");
    }
}

#[test]
fn a_chart_that_cannot_be_drawn_is_told_and_everything_else_is_written() {
    let charts = "[[chart]]\nkind = \"outcomes\"\nx = \"a\"\npanel = \"b\"\ntitle = \"All of it\"\n\
                  [[chart]]\nkind = \"curve\"\nx = \"a\"\nwhere = \"b is 7\"\n";
    let folder = wide(GOOD_OR_BAD, charts);
    let ended = run(folder.path(), &["run", "wide.toml", "--quiet", "--out", "out"]);
    assert_eq!((ended.code, ended.out.as_str()), (Some(0), ""));
    assert!(
        ended.err.starts_with(
            "chart \"All of it\" (charts/01-outcomes-all-of-it) is not drawn: the chart would be "
        ),
        "{}",
        ended.err
    );
    assert!(ended.err.ends_with("; the tables are whole\n"), "{}", ended.err);
    let names: Vec<PathBuf> = files(&folder.path().join("out")).into_iter().map(|(path, _)| path).collect();
    let out = |name: &str| folder.path().join("out").join(name);
    let wanted =
        ["charts/02-curve-a.png", "charts/02-curve-a.svg", "results.csv", "results.parquet", "run.json"];
    assert!(wanted.iter().all(|name| names.contains(&out(name))), "{names:?}");
    assert_eq!(names.iter().filter(|name| name.starts_with(out("charts"))).count(), 2);
}

/// Tests that call one test twice, which does so too, and so on: written out, they would fill any memory.
#[test]
fn what_is_too_long_to_write_out_is_played_all_the_same_and_the_run_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let mut rules = "ruleset \"long\"\nfactor n: 0..1 = 0\ntest t0 -> flag { return d6 is 1 }\n".to_owned();
    for level in 1..=30 {
        let below = level - 1;
        rules += &format!("test t{level} -> flag {{ if d6 is 1 {{ return t{below} }} return t{below} }}\n");
    }
    rules += "test t -> flag { if n is 0 { return d6 is 1 } return t30 }\n";
    std::fs::write(folder.path().join("long.rules"), rules).unwrap();
    let scenario = "title = \"Long\"\ntest = \"t\"\ntrials = 1000\nbaseline = \"one\"\n[variants]\none = \"long.rules\"\n";
    let record = |grid: &str| {
        std::fs::write(folder.path().join("long.toml"), format!("{scenario}[grid]\nn = {grid}\n")).unwrap();
        let ended = run(folder.path(), &["run", "long.toml", "--out", "out"]);
        assert_eq!((ended.code, ended.err.as_str()), (Some(0), ""));
        let record = std::fs::read(folder.path().join("out/run.json")).unwrap();
        let summary = std::fs::read_to_string(folder.path().join("out/summary.md")).unwrap();
        let record: serde_json::Value = serde_json::from_slice(&record).unwrap();
        (record["engine"].clone(), record["interpreter"].clone(), summary + &in_one_line(&ended.out))
    };
    let (engine, interpreted, told) = record("\"0..1\"");
    assert_eq!(engine, "kernel");
    assert_eq!(interpreted, serde_json::json!([{ "variant": "one", "n": "1" }]));
    assert_eq!(
        told.matches("In 1 of 2 places the rules are too long to write out; there the interp").count(),
        2
    );
    let (engine, interpreted, told) = record("0");
    assert_eq!((engine, interpreted), ("kernel".into(), serde_json::Value::Null));
    assert!(!told.contains("interpreter"), "{told}");
    let (engine, interpreted, _) = record("1");
    assert_eq!((engine, interpreted), ("interpreter".into(), serde_json::Value::Null));
}

#[test]
fn two_rules_files_are_compared_without_a_scenario() {
    let folder = fresh();
    let files = ["mine/base.rules", "mine/draft.rules"];
    let compare = |more: &[&str]| run(folder.path(), &[&["compare", files[0], files[1]], more].concat());
    let ended = compare(&["--trials", "1000"]);
    assert_eq!((ended.code, ended.err.as_str()), (Some(0), ""), "{}", ended.out);
    assert!(ended.out.contains("  base ") && ended.out.contains("  draft "), "{}", ended.out);
    assert!(ended.out.lines().all(|line| line.chars().count() <= 80), "{}", ended.out);
    let twice = compare(&["--trials", "1000", "--threads", "1"]);
    assert_eq!(twice.out, ended.out);
    let wrong = compare(&["--set", "lossses=1"]);
    assert!(wrong.code == Some(2) && wrong.err.contains("did you mean `losses`"), "{}", wrong.err);
    assert!(!folder.path().join("reports").exists());
}

#[test]
fn a_scenario_is_no_rules_to_compare() {
    let ended = run(fresh().path(), &["compare", "mine/base.rules", "mine/scenario.toml"]);
    assert_eq!(ended.code, Some(3));
    assert!(ended.err.contains("scenario.toml is no rules file"), "{}", ended.err);
}

#[test]
fn a_line_of_modifiers_without_a_label_is_called_by_its_condition() {
    let folder = tempfile::tempdir().unwrap();
    let rules = "ruleset \"r\"\nfactor tired: flag\nfactor lost: 0..2 = 2\n\
                 modifiers all {\n    -1 if tired\n    +1 per lost if tired\n}\n\
                 test t -> number { return d6 + all }\n";
    std::fs::write(folder.path().join("a.rules"), rules).unwrap();
    let told = run(folder.path(), &["roll", "a.rules", "--set", "tired=yes"]).out;
    let told = in_one_line(&told);
    assert!(told.contains("all: -1 tired a.rules:5 +2 1 per lost if tired a.rules:6 in all +1"), "{told}");
}
