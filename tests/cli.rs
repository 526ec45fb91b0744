//! The program as its user meets it: what it prints and how it ends.
#![expect(clippy::unwrap_used, reason = "a test may fall")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The program, in a folder, with nothing that decides about colours.
fn houserule(folder: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_houserule"));
    command.current_dir(folder).args(words).stdin(Stdio::null()).env_remove("NO_COLOR");
    command
}

/// What came of it.
struct Ended {
    code: Option<i32>,
    out: String,
    err: String,
}

fn ended(output: Output) -> Ended {
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ended { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

fn run(folder: &Path, words: &[&str]) -> Ended {
    ended(houserule(folder, words).output().unwrap())
}

fn here(words: &[&str]) -> Ended {
    run(Path::new("."), words)
}

#[test]
fn alone_it_says_what_to_do_first() {
    let alone = here(&[]);
    assert_eq!((alone.code, alone.err.as_str()), (Some(0), ""));
    assert!(alone.out.contains("houserule new"), "{}", alone.out);
    assert!(alone.out.lines().count() < 24, "more than a screen");
}

#[test]
fn help_and_version_go_to_standard_output_and_end_well() {
    for words in [&["--help"][..], &["--version"], &["help"], &["run", "--help"], &["help", "run"]] {
        let help = here(words);
        assert_eq!((help.code, help.err.as_str()), (Some(0), ""), "{words:?}");
        assert!(!help.out.trim().is_empty(), "{words:?}");
        assert!(!help.out.contains('\u{1b}'), "colours in a pipe: {words:?}");
    }
}

#[test]
fn the_list_of_commands_names_them_all() {
    let help = here(&["--help"]).out;
    let commands = [
        "run",
        "merge",
        "compare",
        "solve",
        "verify",
        "sensitivity",
        "tune",
        "check",
        "roll",
        "fmt",
        "new",
        "completions",
        "man",
        "help",
    ];
    for command in commands {
        assert!(
            help.lines().any(|line| line.trim_start().starts_with(&format!("{command} "))),
            "{command}: {help}"
        );
    }
}

#[test]
fn each_page_of_help_is_printed_as_it_stands_in_docs_and_fits_80_columns() {
    for page in ["rules", "scenario", "shards", "exit-codes", "statistics", "ci"] {
        let help = here(&["help", page]);
        assert_eq!((help.code, help.err.as_str()), (Some(0), ""));
        assert_eq!(help.out, std::fs::read_to_string(format!("docs/{page}.md")).unwrap());
        let widest = help.out.lines().max_by_key(|line| line.chars().count()).unwrap();
        assert!(widest.chars().count() <= 80, "{page}: {widest}");
    }
}

#[test]
fn the_page_of_exit_codes_names_every_code() {
    let page = here(&["help", "exit-codes"]).out;
    for code in ["0", "1", "2", "3", "4", "5", "130"] {
        assert!(page.contains(&format!("| {code} ")), "{code}");
    }
}

#[test]
fn wrong_usage_ends_with_2_and_says_what_is_wrong_on_standard_error() {
    let wrong: [&[&str]; 17] = [
        &["rnu"],
        &["run"],
        &["solve"],
        &["solve", "a.toml", "--budget", "much"],
        &["solve", "a.toml", "--trials", "10"],
        &["verify", "a.toml", "--trials", "0"],
        &["run", "a.toml", "--trials", "0"],
        &["run", "a.toml", "--trials", "many"],
        &["run", "a.toml", "--trials", "1_000_000_000_001"],
        &["run", "a.toml", "--seed", "-1"],
        &["run", "a.toml", "--threads", "0"],
        &["check"],
        &["fmt"],
        &["new"],
        &["roll", "a.rules", "--set", "troop"],
        &["roll", "a.rules", "--policy", "=hold"],
        &["help", "dragons"],
    ];
    for words in wrong {
        let ended = here(words);
        assert_eq!((ended.code, ended.out.as_str()), (Some(2), ""), "{words:?}");
        assert!(ended.err.contains("error:"), "{words:?}: {}", ended.err);
    }
}

#[test]
fn a_misspelt_command_is_answered_with_the_nearest() {
    assert!(here(&["chekc"]).err.contains("check"));
}

#[test]
fn a_missing_file_ends_with_3_and_is_named() {
    for words in [
        &["run", "no.toml"][..],
        &["solve", "no.toml"],
        &["verify", "no.toml"],
        &["check", "no.rules"],
        &["check", "no.toml"],
        &["roll", "no.rules"],
        &["roll", "no.toml"],
        &["fmt", "no.rules"],
    ] {
        let ended = here(words);
        assert_eq!((ended.code, ended.out.as_str()), (Some(3), ""), "{words:?}");
        assert!(ended.err.contains(words[1]), "{words:?}: {}", ended.err);
        assert!(!ended.err.contains("fault in houserule"), "{}", ended.err);
    }
}

#[test]
fn a_check_of_several_files_speaks_of_each() {
    let ended = here(&["check", "no.rules", "neither.txt", "no.toml"]);
    assert_eq!(ended.code, Some(3));
    for name in ["no.rules", "neither.txt", "no.toml"] {
        assert!(ended.err.contains(name), "{name}: {}", ended.err);
    }
    assert!(ended.err.contains("3 mistakes"), "{}", ended.err);
}

#[test]
fn a_file_that_is_not_text_ends_with_3() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("bytes.rules"), [0xff, 0xfe, 0x00, 0x80]).unwrap();
    for command in ["check", "fmt", "roll"] {
        let ended = run(folder.path(), &[command, "bytes.rules"]);
        assert_eq!(ended.code, Some(3), "{command}");
        assert!(ended.err.contains("bytes.rules"), "{command}: {}", ended.err);
    }
}

#[test]
fn a_new_folder_holds_rules_a_draft_and_a_question() {
    let folder = tempfile::tempdir().unwrap();
    let ended = run(folder.path(), &["new", "games/mine"]);
    assert_eq!((ended.code, ended.err.as_str()), (Some(0), ""));
    for file in ["base.rules", "draft.rules", "scenario.toml"] {
        assert!(folder.path().join("games/mine").join(file).is_file(), "{file}");
    }
    let scenario = Path::new("games").join("mine").join("scenario.toml");
    assert!(ended.out.contains(&format!("houserule run {}", scenario.display())), "{}", ended.out);
}

#[test]
fn new_never_writes_over_what_is_there() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("mine")).unwrap();
    std::fs::write(folder.path().join("file"), "precious").unwrap();
    for name in ["mine", "file", "."] {
        let ended = run(folder.path(), &["new", name]);
        assert_eq!((ended.code, ended.out.as_str()), (Some(2), ""), "{name}");
        assert!(ended.err.contains("there already"), "{}", ended.err);
    }
    let ended = run(folder.path(), &["new", "file/mine"]);
    assert_eq!(ended.code, Some(2));
    assert!(ended.err.contains("`file` is a file, so that no folder can be made in it"), "{}", ended.err);
    assert_eq!(std::fs::read_dir(folder.path().join("mine")).unwrap().count(), 0);
    assert_eq!(std::fs::read_to_string(folder.path().join("file")).unwrap(), "precious");
}

#[test]
fn a_reader_that_leaves_early_is_no_error() {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader); // as `| head` does, only sooner
    let ended = ended(houserule(Path::new("."), &["help", "rules"]).stdout(writer).output().unwrap());
    assert_eq!((ended.code, ended.err.as_str()), (Some(0), ""));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told_and_is_not_called_a_fault_of_a_file() {
    let full = std::fs::File::create("/dev/full").unwrap();
    let ended = ended(houserule(Path::new("."), &["help", "rules"]).stdout(full).output().unwrap());
    assert_eq!(ended.code, Some(1));
    assert!(ended.err.starts_with("error: the output cannot be written"), "{}", ended.err);
}

/// A folder as `houserule new mine` makes it.
fn fresh() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(run(folder.path(), &["new", "mine"]).code, Some(0));
    folder
}

#[test]
fn a_new_folder_has_no_mistake_and_no_warning() {
    let folder = fresh();
    let ended = run(folder.path(), &["check", "mine/base.rules", "mine/draft.rules", "mine/scenario.toml"]);
    assert_eq!((ended.code, ended.err.as_str()), (Some(0), ""));
}

/// The one block of a page that is marked as being in a language.
fn example(page: &str, language: &str) -> String {
    let text = std::fs::read_to_string(page).unwrap();
    let (_, after) = text.split_once(&format!("```{language}\n")).unwrap();
    after.split_once("```").unwrap().0.to_owned()
}

#[test]
fn the_draft_in_the_readme_goes_with_the_black_powder_rules() {
    let folder = tempfile::tempdir().unwrap();
    let base = "black-powder.rules";
    std::fs::copy(Path::new("scenarios/black-powder").join(base), folder.path().join(base)).unwrap();
    std::fs::write(folder.path().join("draft.rules"), example("README.md", "rules")).unwrap();
    let ended = run(folder.path(), &["check", "draft.rules"]);
    assert_eq!((ended.code, ended.err.as_str()), (Some(0), ""));
    let laid_out = run(folder.path(), &["fmt", "--check", "draft.rules"]);
    assert_eq!((laid_out.code, laid_out.out.as_str()), (Some(0), ""));
}

#[test]
fn every_mistake_is_shown_with_its_place_and_counted() {
    let folder = fresh();
    let draft = folder.path().join("mine/draft.rules");
    let text = std::fs::read_to_string(&draft).unwrap();
    std::fs::write(&draft, text.replace("if cover ", "if covr ").replace("(losses - 1)", "(loses - 1)"))
        .unwrap();
    let ended = run(folder.path(), &["check", "mine/draft.rules"]);
    assert_eq!((ended.code, ended.out.as_str()), (Some(3), ""));
    assert!(ended.err.contains("mine/draft.rules:13:13"), "{}", ended.err);
    assert!(ended.err.contains("did you mean `losses`?"), "{}", ended.err);
    assert!(ended.err.contains("did you mean `cover`?"), "{}", ended.err);
    assert!(ended.err.contains("2 mistakes in 1 file"), "{}", ended.err);
    assert!(!ended.err.contains('\u{1b}'), "colours in a pipe");
}

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
fn known_values_decide_how_a_run_ends() {
    // nothing is left to chance: one unit stays, the other goes as far as it can
    let rules = "ruleset \"March\"\nfactor tired: flag = no\nunit ours[2]: tired\n\
        test walk -> number { return choose steps from 0..(1 if tired else 3) }\n\
        test march -> number { record second = walk for ours[2]; return walk for ours[1] }\n";
    let scenario = "test = \"march\"\ntrials = 100\nvariants = { a = \"a.rules\" }\n\
        [policy]\nsteps = \"lowest\"\n\"steps for ours[2]\" = \"highest\"\n\
        [[expect]]\nvalue = \"P(0) = 1\"\nsource = \"x\"\n\
        [[expect]]\nsituation = { \"ours.tired\" = true }\nvalue = \"P(second is 1) = 1\"\nsource = \"x\"\n\
        [[expect]]\nvalue = \"mean(second) = 3\"\nsource = \"x\"\n";
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.rules"), rules).unwrap();
    std::fs::write(folder.path().join("a.toml"), scenario).unwrap();
    std::fs::write(folder.path().join("b.toml"), scenario.replace("= 3", "= 2")).unwrap();
    let met = run(folder.path(), &["run", "a.toml", "--out", "out"]);
    assert_eq!((met.code, met.err.as_str()), (Some(0), ""));
    assert!(met.out.contains("Expected values that are met: 3 of 3."), "{}", met.out);
    let results = std::fs::read_to_string(folder.path().join("out/results.csv")).unwrap();
    let rows: Vec<&str> = results.lines().skip(1).collect();
    assert_eq!(rows.len(), 2, "what is expected elsewhere is not in the grid: {results}");
    assert!(rows[0].starts_with("a,result,0,100,100,0,1,"), "{results}");
    assert!(rows[1].starts_with("a,second,3,100,100,0,1,"), "{results}");
    let missed = run(folder.path(), &["run", "b.toml", "--out", "out"]);
    assert_eq!((missed.code, missed.err.as_str()), (Some(4), ""));
    assert!(
        missed.out.contains("Missed: mean(second) = 2 in a: found exactly 3 (3.0000)."),
        "{}",
        missed.out
    );
}

/// What can be solved by counting on one's fingers: a die, recorded where it and a bonus make 5 or more; then a coin that
/// is thrown until it falls, twice at most.
const FINGERS: &str = r#"ruleset "Fingers"
outcome o { low; high }
factor bonus: 0..2 = 0
test throw -> o {
    let n = d6 + bonus
    if n is 5+ { record shown = n }
    repeat until chance 1/2, cap 1 { }
    return high if n is 3+ else low
}
"#;

/// What is asked of it, and what it comes to.
const QUESTION: &str = r#"title = "Fingers"
test = "throw"
trials = 20_000
seed = 7
variants = { a = "a.rules" }
[grid]
bonus = [0, 1]
[[expect]]
value = "P(high) = 1/2"
source = "two thirds of the die, three quarters of the coin"
[[expect]]
value = "P(high) = 2/3"
limit = true
source = "the die alone"
[[expect]]
value = "mean(shown) = 11/2"
source = "a 5 or a 6"
[[expect]]
situation = { bonus = 2 }
value = "P(shown is 8) = 1/4"
source = "a 6 of 3, 4, 5 and 6"
"#;

fn fingers(question: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.rules"), FINGERS).unwrap();
    std::fs::write(folder.path().join("a.toml"), question).unwrap();
    folder
}

/// With single spaces, and in one line.
fn in_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn what_is_solved_is_printed_as_fractions_and_decides_what_is_expected() {
    let folder = fingers(QUESTION);
    let ended = run(folder.path(), &["solve", "a.toml"]);
    assert_eq!((ended.code, ended.err.as_str()), (Some(0), ""));
    let page = in_one_line(&ended.out);
    for text in [
        "Fingers Bonus 0 a low 25.000000 % = 1/4 high 50.000000 % = 1/2",
        "Shown, of the trials that have it has it 25.000000 % = 1/4 5 50.000000 % = 1/2 6 50.000000 % = 1/2",
        "mean 5.500000 = 11/2 Unresolved 25.000000 % = 1/4",
        "Without the tool's patience: low 33.333333 % = 1/3 high 66.666667 % = 2/3",
        "rounds on average 1.000000 = 1",
        "Expected values that are met: 4 of 4. Decided exactly: all.",
    ] {
        assert!(page.contains(text), "{text}\n{}", ended.out);
    }
    assert!(ended.out.lines().all(|line| line.chars().count() <= 80) && !ended.out.contains('\u{1b}'));
}

#[test]
fn what_is_solved_can_be_had_as_a_table() {
    let folder = fingers(QUESTION);
    let ended = run(folder.path(), &["solve", "a.toml", "--format", "csv"]);
    assert_eq!(ended.code, Some(0));
    let lines: Vec<&str> = ended.out.lines().collect();
    assert_eq!(lines[0], "variant,bonus,measure,outcome,exact,value,limit,present,unresolved");
    for line in
        ["a,0,result,high,1/2,0.5,2/3,,1/4", "a,1,shown,7,1/3,0.333333333,0.33333", "a,1,shown,mean,6,6,6"]
    {
        assert!(lines.iter().any(|one| one.starts_with(line)), "{line}\n{}", ended.out);
    }
    assert_eq!(lines.len(), 1 + (2 + 3) + (2 + 4));
    assert!(ended.err.contains("Expected values that are met: 4 of 4."), "{}", ended.err);
}

#[test]
fn a_wrong_value_is_missed_exactly_however_close_it_is() {
    let folder = fingers(&QUESTION.replace("(high) = 1/2", "(high) = 50.0001%"));
    let words: [&[&str]; 2] = [&["solve", "a.toml"], &["run", "a.toml", "--out", "out"]];
    for words in words {
        let ended = run(folder.path(), words);
        assert_eq!((ended.code, ended.err.as_str()), (Some(4), ""), "{words:?}");
        assert!(ended.out.contains("Expected values that are met: 3 of 4."), "{}", ended.out);
        let missed = "Missed: P(high) = 50.0001% in a: found exactly 1/2 (50.0 %). A rounded value";
        assert!(in_one_line(&ended.out).contains(missed), "{}", ended.out);
    }
    // in a sample so little cannot be seen
    let sampled = run(folder.path(), &["run", "a.toml", "--out", "out", "--budget", "0"]);
    assert_eq!(sampled.code, Some(0), "{}", sampled.out);
    assert!(!sampled.out.contains("xactly"), "{}", sampled.out);
}

#[test]
fn a_run_has_exact_columns_and_says_that_the_simulator_agrees() {
    let folder = fingers(QUESTION);
    let ended = run(folder.path(), &["run", "a.toml", "--out", "out"]);
    assert_eq!((ended.code, ended.err.as_str()), (Some(0), ""));
    let agrees = "3 of 3 plans were solved exactly, and the simulator agrees with them: 20 counts compared";
    let text = |name: &str| std::fs::read_to_string(folder.path().join("out").join(name)).unwrap();
    assert!(in_one_line(&ended.out).contains(agrees), "{}", ended.out);
    assert!(text("summary.md").contains(agrees), "{}", text("summary.md"));
    let results = text("results.csv");
    let mut rows = results.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let row = rows.find(|row| row[..4] == ["a", "1", "shown", "7"]).unwrap();
    let [count, trials] = [row[4], row[5]].map(|number| number.parse::<f64>().unwrap());
    // of the trials that have it, which are three in eight, a third
    let z = (count - trials / 3.0) / (trials * 2.0 / 9.0).sqrt();
    assert_eq!(row[10], "1/3");
    assert!((row[11].parse::<f64>().unwrap() - z).abs() < 1e-6, "{row:?}");
    assert!(text("measures.csv").lines().nth(1).unwrap().ends_with(",11/2"), "{}", text("measures.csv"));
    run(folder.path(), &["run", "a.toml", "--out", "out", "--budget", "0", "--quiet"]);
    assert!(text("results.csv").lines().skip(1).all(|line| line.ends_with(",,")), "{}", text("results.csv"));
}

#[test]
fn simulator_and_arithmetic_are_compared() {
    let folder = fingers(QUESTION);
    let ended = run(folder.path(), &["verify", "a.toml", "--trials", "5000", "--seed", "1"]);
    assert_eq!((ended.code, ended.err.as_str()), (Some(0), ""));
    let page = in_one_line(&ended.out);
    // of the three plans: unresolved, whether it is shown, high; low in two of them; two, three and four numbers
    for text in [
        "Solved exactly: 3 of 3 plans",
        "Compared: 20 probabilities with 5,000 trials of each plan (seed 1).",
        "Largest gap between dice and arithmetic: ",
        "The simulator agrees with arithmetic.",
        "in fewer than 1 of 1,000 verifications",
    ] {
        assert!(page.contains(text), "{text}\n{}", ended.out);
    }
}

#[test]
fn what_is_over_the_budget_is_listed_with_what_would_help() {
    let folder = fingers(QUESTION);
    for (command, listed) in [("solve", "more than 1 state"), ("verify", "a: bonus 0 a: bonus 1")] {
        let ended = run(folder.path(), &[command, "a.toml", "--budget", "1"]);
        assert_eq!((ended.code, ended.err.as_str()), (Some(0), ""), "{command}");
        let page = in_one_line(&ended.out);
        assert!(page.contains("Not solved: 2 plans, more than 1 state."), "{}", ended.out);
        assert!(page.contains(listed) && page.contains("--budget 10 allows more"), "{}", ended.out);
    }
    let solved = in_one_line(&run(folder.path(), &["solve", "a.toml", "--budget", "1"]).out);
    assert_eq!(solved.matches(" a not solved: more than 1 state ").count(), 2, "{solved}");
    assert!(solved.contains("Not decided: P(high) = 1/2 in a: not solved,"), "{solved}");
    assert!(!solved.contains("are met"), "{solved}");
    let csv = run(folder.path(), &["solve", "a.toml", "--budget", "1", "--format", "csv"]);
    assert_eq!(csv.out.lines().count(), 1, "{}", csv.out);
    assert!(csv.err.contains("  a: bonus 0\n  a: bonus 1\n"), "{}", csv.err);
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
fn a_new_folder_is_laid_out_already() {
    let folder = fresh();
    let ended = run(folder.path(), &["fmt", "--check", "mine/base.rules", "mine/draft.rules"]);
    assert_eq!((ended.code, ended.out.as_str(), ended.err.as_str()), (Some(0), "", ""));
}

#[test]
fn a_check_of_the_layout_names_the_file_and_leaves_it_and_fmt_puts_it_right() {
    let folder = fresh();
    let base = folder.path().join("mine/base.rules");
    let tidy = std::fs::read_to_string(&base).unwrap();
    let untidy = tidy.replace(" | ", "|").replace("\n    ", "\n ");
    std::fs::write(&base, &untidy).unwrap();

    let check = run(folder.path(), &["fmt", "--check", "mine/draft.rules", "mine/base.rules"]);
    assert_eq!((check.code, check.out.as_str()), (Some(3), "mine/base.rules would change\n"));
    assert_eq!(std::fs::read_to_string(&base).unwrap(), untidy);

    let layout = run(folder.path(), &["fmt", "mine/draft.rules", "mine/base.rules"]);
    assert_eq!((layout.code, layout.out.as_str()), (Some(0), "mine/base.rules laid out anew\n"));
    assert_eq!(std::fs::read_to_string(&base).unwrap(), tidy);
}

#[test]
fn fmt_leaves_a_file_with_a_mistake_as_it_is_and_lays_out_the_others() {
    let folder = fresh();
    let (base, wrong) = (folder.path().join("mine/base.rules"), folder.path().join("mine/wrong.rules"));
    let tidy = std::fs::read_to_string(&base).unwrap();
    std::fs::write(&base, tidy.replace("\n    ", "\n ")).unwrap();
    std::fs::write(&wrong, "ruleset \"x\"\nchart {\n").unwrap();
    let ended = run(folder.path(), &["fmt", "mine/wrong.rules", "mine/base.rules"]);
    assert_eq!(ended.code, Some(3));
    assert!(ended.err.contains("wrong.rules:2:"), "{}", ended.err);
    assert_eq!(std::fs::read_to_string(&wrong).unwrap(), "ruleset \"x\"\nchart {\n");
    assert_eq!(std::fs::read_to_string(&base).unwrap(), tidy);
}

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
fn a_place_that_cannot_be_written_to_is_told_and_nothing_is_broken() {
    let folder = fresh();
    let words = ["run", "mine/scenario.toml", "--trials", "10", "--out", "mine/base.rules"];
    let before = std::fs::read(folder.path().join("mine/base.rules")).unwrap();
    let ended = run(folder.path(), &words);
    assert_eq!((ended.code, ended.out.as_str()), (Some(1), ""));
    assert!(ended.err.contains("mine/base.rules") && ended.err.contains("--out"), "{}", ended.err);
    assert!(!ended.err.contains("fault in houserule"), "{}", ended.err);
    assert_eq!(std::fs::read(folder.path().join("mine/base.rules")).unwrap(), before);
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

#[test]
fn rolls_end_when_nobody_reads_them_any_more() {
    let folder = fresh();
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let many = u64::MAX.to_string(); // would not end in this world
    let mut command = houserule(folder.path(), &["roll", "mine/base.rules", "--times", &many]);
    let ended = ended(command.stdout(writer).output().unwrap());
    assert_eq!((ended.code, ended.err.as_str()), (Some(0), ""));
}

/// Whether a process has a handler for Ctrl-C: bit 2 of the signals that it catches.
#[cfg(target_os = "linux")]
fn hears_ctrl_c(process: u32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap();
    u64::from_str_radix(caught.trim(), 16).unwrap() & 0b10 != 0
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_ends_a_run_with_130_and_leaves_nothing() {
    let folder = fresh();
    let words = ["run", "mine/scenario.toml", "--trials", "1_000_000_000_000"]; // hours
    let child =
        houserule(folder.path(), &words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let process = child.id();
    while !hears_ctrl_c(process) {
        std::thread::yield_now();
    }
    press_ctrl_c(process);
    let ended = ended(child.wait_with_output().unwrap());
    assert_eq!((ended.code, ended.out.as_str()), (Some(130), ""));
    assert!(ended.err.contains("nothing was written"), "{}", ended.err);
    let left = folder.path().join("reports/mine/scenario");
    assert!(!left.exists() || files(&left).is_empty());
}

/// Sends Ctrl-C.
#[cfg(target_os = "linux")]
fn press_ctrl_c(process: u32) {
    assert!(Command::new("kill").args(["-INT", &process.to_string()]).status().unwrap().success());
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_after_playing_ends_a_run_at_once_with_130() {
    use std::io::Read;
    let folder = fresh();
    // the record of the former run is read after playing: a pipe in its place holds the program there
    let record = folder.path().join("out/run.json");
    std::fs::create_dir(folder.path().join("out")).unwrap();
    assert!(Command::new("mkfifo").arg(&record).status().unwrap().success());
    let words = ["run", "mine/scenario.toml", "--trials", "10", "--quiet", "--out", "out"];
    let mut child = houserule(folder.path(), &words).stderr(Stdio::piped()).spawn().unwrap();
    let pipe = std::fs::File::create(&record).unwrap(); // waits until the program has opened the other end
    press_ctrl_c(child.id());
    let (mut said, mut err) = ([0; 100], child.stderr.take().unwrap());
    let length = err.read(&mut said).unwrap(); // its end, or what it says before it goes on
    drop(pipe);
    assert_eq!(String::from_utf8_lossy(&said[..length]), "");
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

/// The program where no file can grow beyond so many blocks, as on a disk that is full.
#[cfg(unix)]
fn on_a_full_disk(folder: &Path, blocks: u32, words: &[&str]) -> Ended {
    let script = format!("ulimit -f {blocks} && trap '' XFSZ && exec \"$0\" \"$@\"");
    let mut command = Command::new("sh");
    command.current_dir(folder).args(["-c", &script, env!("CARGO_BIN_EXE_houserule")]).args(words);
    ended(command.output().unwrap())
}

#[cfg(unix)]
#[test]
fn a_run_on_a_full_disk_leaves_the_former_one_as_it_was() {
    let folder = fresh();
    let words = ["run", "mine/scenario.toml", "--trials", "10", "--quiet", "--out", "out"];
    assert_eq!(run(folder.path(), &words).code, Some(0));
    let before = files(&folder.path().join("out"));
    let pictures = before.iter().filter(|(_, bytes)| bytes.len() > 32 * 1024).count();
    assert!(pictures > 0 && pictures < before.len(), "some fit and some do not");
    let ended = on_a_full_disk(folder.path(), 32, &[&words[..], &["--seed", "7"]].concat());
    assert_eq!((ended.code, ended.out.as_str()), (Some(1), ""));
    assert!(ended.err.contains("cannot be written"), "{}", ended.err);
    assert!(files(&folder.path().join("out")) == before);
}

/// All files below a folder with their bytes, but for what is kept for the next run.
fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        match path.is_dir() {
            true if path.ends_with(".houserule") => {}
            true => found.extend(files(&path)),
            false => found.push((path.clone(), std::fs::read(path).unwrap())),
        }
    }
    found.sort();
    found
}

#[cfg(unix)]
#[test]
fn fmt_on_a_full_disk_ends_with_1_and_blames_no_file() {
    let folder = fresh();
    let base = folder.path().join("mine/base.rules");
    let untidy = std::fs::read_to_string(&base).unwrap().replace(" | ", "|");
    std::fs::write(&base, &untidy).unwrap();
    let ended = on_a_full_disk(folder.path(), 0, &["fmt", "mine/base.rules"]);
    assert_eq!((ended.code, ended.out.as_str()), (Some(1), ""));
    assert!(ended.err.contains("`mine/base.rules` cannot be written"), "{}", ended.err);
    assert!(ended.err.contains("it is as it was") && !ended.err.contains("mistake"), "{}", ended.err);
    assert_eq!(std::fs::read_to_string(&base).unwrap(), untidy);
    assert_eq!(files(&folder.path().join("mine")).len(), 3);
}

#[cfg(unix)]
#[test]
fn a_new_folder_on_a_full_disk_is_not_left_half_made() {
    let folder = tempfile::tempdir().unwrap();
    let full = on_a_full_disk(folder.path(), 0, &["new", "mine"]);
    assert_eq!((full.code, full.out.as_str()), (Some(1), ""));
    assert!(full.err.contains("`mine` cannot be made"), "{}", full.err);
    assert_eq!(run(folder.path(), &["new", "mine"]).code, Some(0));
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

#[test]
fn players_with_aims_play_as_well_as_can_be() {
    let rules = "ruleset \"Stay\"\ntest stay -> number {\n    let roll = d6\n    let way = choose way {\n\
        \x20       stay: roll\n        leave: 3\n    }\n    return way\n}\n";
    let scenario = "test = \"stay\"\ntrials = 20_000\nvariants = { a = \"a.rules\" }\n\
        [policy]\nway = \"maximise mean(result)\"\n\
        [[expect]]\nvalue = \"mean(result) = 4\"\nsource = \"three times 3, then 4, 5, 6\"\n";
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("a.rules", rules);
    write("a.toml", scenario);
    let solved = run(folder.path(), &["solve", "a.toml"]);
    assert_eq!((solved.code, solved.err.as_str()), (Some(0), ""), "{}", solved.out);
    for line in ["when roll 1..2: leave", "when roll 3..6: stay"] {
        assert!(solved.out.contains(line), "{}", solved.out);
    }
    for words in [&["verify", "a.toml"][..], &["run", "a.toml", "--out", "out"], &["roll", "a.toml"]] {
        assert_eq!(run(folder.path(), words).code, Some(0), "{words:?}");
    }
    // without a policy only a range is known: 15/6 if he always takes the lower, 4 if the higher
    write("open.toml", scenario.split("[policy]").next().unwrap());
    let open = in_one_line(&run(folder.path(), &["solve", "open.toml"]).out);
    assert!(open.contains("mean 2.500000 = 5/2 to 4.000000 = 4"), "{open}");
    assert_eq!(run(folder.path(), &["run", "open.toml"]).code, Some(3));
}

#[test]
fn an_aim_that_looks_at_what_has_no_name_is_refused_with_a_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let rules = "ruleset \"Blind\"\ntest t -> number { return d6 + (choose n from 0..2) }\n";
    let scenario = "test = \"t\"\ntrials = 100\nvariants = { a = \"a.rules\" }\n\
        [policy]\nn = \"maximise P(4)\"\n";
    std::fs::write(folder.path().join("a.rules"), rules).unwrap();
    std::fs::write(folder.path().join("a.toml"), scenario).unwrap();
    for words in [&["solve", "a.toml"][..], &["run", "a.toml"], &["roll", "a.toml"]] {
        let ended = run(folder.path(), words);
        let told = in_one_line(&ended.err);
        assert!(told.contains("a.toml:5:5") && told.contains("a name with `let`"), "{told}");
        assert_ne!(ended.code, Some(0));
    }
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
fn shells_complete_commands_and_each_has_a_page_for_man() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(here(&["completions", shell]).out.contains("verify"), "{shell}");
    }
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(run(folder.path(), &["man", "pages"]).code, Some(0));
    let page = std::fs::read_to_string(folder.path().join("pages/houserule-run.1")).unwrap();
    assert!(page.contains("trials") && page.contains(".SH OPTIONS"), "{page}");
    let help = here(&["run", "--help"]).out;
    let options: Vec<&str> = help.split_whitespace().filter(|word| word.starts_with("--")).collect();
    assert!(options.contains(&"--watch") && options.contains(&"--format"), "{help}");
    let bash = here(&["completions", "bash"]).out;
    for option in options {
        let option = option.trim_end_matches(',');
        assert!(bash.contains(option), "{option}");
        assert!(page.contains(&option.replace('-', "\\-")), "{option}");
    }
}
