//! The program as its user meets it: what it prints and how it ends.
#![expect(clippy::unwrap_used, reason = "a test may fall")]

use std::path::Path;
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
    for command in ["run", "check", "roll", "fmt", "new", "help"] {
        assert!(
            help.lines().any(|line| line.trim_start().starts_with(&format!("{command} "))),
            "{command}: {help}"
        );
    }
}

#[test]
fn each_page_of_help_is_printed_as_it_stands_in_docs_and_fits_80_columns() {
    for page in ["rules", "scenario", "exit-codes", "statistics"] {
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
    let wrong: [&[&str]; 13] = [
        &["rnu"],
        &["run"],
        &["run", "a.toml", "--trials", "0"],
        &["run", "a.toml", "--trials", "many"],
        &["run", "a.toml", "--seed", "-1"],
        &["run", "a.toml", "--threads", "0"],
        &["run", "a.toml", "b.toml"],
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
fn the_complete_example_of_the_page_on_rules_has_no_mistake_and_no_warning() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("page.rules"), example("docs/rules.md", "rules")).unwrap();
    let ended = run(folder.path(), &["check", "page.rules"]);
    assert_eq!((ended.code, ended.err.as_str()), (Some(0), ""));
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
    assert!(ended.err.contains("mine/draft.rules:11:13"), "{}", ended.err);
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
fn a_roll_refuses_what_the_rules_do_not_have_and_offers_what_they_have() {
    let folder = fresh();
    for (words, remedy) in [
        (["--set", "trainng=raw"], "did you mean `training`?"),
        (["--set", "training=rw"], "did you mean `raw`?"),
        (["--set", "losses=5"], "it can be: 0  1  2  3  4"),
        (["--test", "moral_test"], "did you mean `morale_test`?"),
        (["--variant", "draft"], "leave it out"),
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
    let results = |out: &str, seed: &str, threads: &str| {
        let words = ["run", "mine/scenario.toml", "--trials", "2000", "--quiet"];
        let words = [&words[..], &["--out", out, "--seed", seed, "--threads", threads]].concat();
        let ended = run(folder.path(), &words);
        assert_eq!((ended.code, ended.out.as_str(), ended.err.as_str()), (Some(0), "", ""));
        std::fs::read(folder.path().join(out).join("results.csv")).unwrap()
    };
    let one = results("a", "7", "1");
    assert_eq!(one, results("b", "7", "7"));
    assert_ne!(one, results("c", "8", "1"));
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
    let words = ["run", "mine/scenario.toml", "--trials", "10_000_000_000"]; // hours
    let child =
        houserule(folder.path(), &words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let process = child.id();
    while !hears_ctrl_c(process) {
        std::thread::yield_now();
    }
    assert!(Command::new("kill").args(["-INT", &process.to_string()]).status().unwrap().success());
    let ended = ended(child.wait_with_output().unwrap());
    assert_eq!((ended.code, ended.out.as_str()), (Some(130), ""));
    assert!(ended.err.contains("nothing was written"), "{}", ended.err);
    assert!(!folder.path().join("reports").exists());
}
