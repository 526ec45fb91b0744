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
