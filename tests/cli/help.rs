//! What it says of itself.

use super::*;

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
