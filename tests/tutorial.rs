//! What the tutorial and the first steps of the language show is what happens: each page is followed in an empty folder.
//!
//! A block that names a file writes it, one marked `diff` changes one, one marked `console` is typed: the lines behind
//! `$` are run, and what they print must be what stands below, but for `...`, which stands for any lines.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test may fall")]

use std::fs;
use std::path::Path;
use std::process::Command;

/// A block of a page: its language, what stands behind that, its lines, and where it is.
struct Block<'p> {
    language: &'p str,
    about: &'p str,
    lines: Vec<&'p str>,
    at: usize,
}

fn blocks(page: &str) -> Vec<Block<'_>> {
    let mut found = Vec::new();
    let mut lines = page.lines().enumerate();
    while let Some((at, first)) = lines.find(|(_, line)| line.starts_with("```")) {
        let (language, about) = first[3..].split_once(' ').unwrap_or((&first[3..], ""));
        let lines = lines.by_ref().map(|(_, line)| line).take_while(|line| *line != "```").collect();
        found.push(Block { language, about, lines, at: at + 1 });
    }
    found
}

/// Follows a page, and says how many commands it has, and what did not go as it says.
fn follow(page: &str) -> (usize, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let (mut typed, mut wrong) = (0, Vec::new());
    for block in blocks(page) {
        let file = folder.path().join(block.about);
        match (block.language, block.about) {
            ("console", about) => {
                let code = about.strip_prefix("exit=").map_or(0, |code| code.parse().unwrap());
                let (commands, complaints) = console(&block, code, folder.path());
                typed += commands;
                wrong.extend(complaints);
            }
            ("diff", _) => match changed(&fs::read_to_string(&file).unwrap(), &block.lines) {
                Some(text) => fs::write(&file, text).unwrap(),
                None => wrong.push(format!("line {}: the change does not fit", block.at)),
            },
            (_, "") => {}
            _ => fs::write(&file, block.lines.join("\n") + "\n").unwrap(),
        }
    }
    (typed, wrong)
}

/// Types the commands of a block, all of which must end with `code`; says how many, and what is not as it says.
fn console(block: &Block, code: i32, folder: &Path) -> (usize, Vec<String>) {
    let mut wrong = Vec::new();
    let starts: Vec<usize> = (0..block.lines.len()).filter(|at| block.lines[*at].starts_with("$ ")).collect();
    for (number, start) in starts.iter().enumerate() {
        let end = starts.get(number + 1).copied().unwrap_or(block.lines.len());
        let (ended, printed) = run(&block.lines[*start][2..], folder);
        let lines: Vec<&str> = printed.lines().collect();
        if ended != Some(code) || !fits(&block.lines[start + 1..end], &lines) {
            wrong.push(format!("line {}: {} ends with {ended:?}:\n{printed}", block.at, block.lines[*start]));
        }
    }
    (starts.len(), wrong)
}

/// What a shell makes of a line: its exit code, and both outputs as they come.
fn run(line: &str, folder: &Path) -> (Option<i32>, String) {
    let program = Path::new(env!("CARGO_BIN_EXE_houserule")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let both = format!("exec 2>&1\n{line}");
    let mut shell = Command::new("sh");
    shell.args(["-c", &both]).current_dir(folder).env("PATH", path).env_remove("CLICOLOR_FORCE");
    let output = shell.output().unwrap();
    (output.status.code(), String::from_utf8(output.stdout).unwrap())
}

/// Whether lines are as they are shown; empty ones at the end do not count.
fn fits(shown: &[&str], printed: &[&str]) -> bool {
    match (shown, printed) {
        (["..."], _) => true,
        (["...", rest @ ..], _) => (0..=printed.len()).any(|skip| fits(rest, &printed[skip..])),
        ([], rest) => rest.iter().all(|line| line.is_empty()),
        ([""], []) => true,
        ([one, shown @ ..], [other, printed @ ..]) => one == other && fits(shown, printed),
        _ => false,
    }
}

/// A text after a change; nothing if the lines to change do not stand there exactly once.
fn changed(text: &str, change: &[&str]) -> Option<String> {
    let side = |other: char| -> String {
        let lines = change.iter().filter(|line| !line.starts_with(other));
        lines.map(|line| format!("{}\n", line.get(1..).unwrap_or(""))).collect()
    };
    let (before, after) = (side('+'), side('-'));
    (text.matches(&before).count() == 1).then(|| text.replace(&before, &after))
}

#[track_caller]
fn is_as_it_says(page: &str, at_least: usize) {
    let (commands, wrong) = follow(&fs::read_to_string(page).unwrap());
    assert!(commands >= at_least, "only {commands} commands are found on {page}");
    assert!(wrong.is_empty(), "{page}: {}", wrong.join("\n"));
}

#[test]
fn the_tutorial_goes_from_nothing_to_a_chart_as_it_says() {
    is_as_it_says("docs/tutorial.md", 10);
}

#[test]
fn the_first_rule_does_what_its_page_says() {
    is_as_it_says("docs/rules.md", 2);
}

#[test]
fn a_page_that_says_something_else_is_noticed() {
    let page =
        |printed: &str| follow(&format!("```text a\none\ntwo\n```\n```console\n$ cat a\n{printed}\n```\n"));
    assert_eq!(page("one\ntwo"), (1, Vec::new()));
    assert_eq!(page("...\ntwo"), (1, Vec::new()));
    for wrong in ["one", "one\nthree", "...\none", "one\ntwo\nthree"] {
        assert_eq!(page(wrong).1.len(), 1, "{wrong}");
    }
    let change = "```text a\none\n```\n```diff a\n-one\n+two\n```\n```console\n$ cat a\ntwo\n```\n";
    assert_eq!(follow(change), (1, Vec::new()));
    assert_eq!(follow("```console\n$ false\n```\n").1.len(), 1, "it ends with 1");
    assert_eq!(follow("```console exit=1\n$ false\n```\n"), (1, Vec::new()));
}
