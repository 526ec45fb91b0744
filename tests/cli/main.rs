//! The program as its user meets it: what it prints and how it ends.
#![expect(clippy::unwrap_used, reason = "a test may fall")]

mod check;
mod exact;
mod help;
mod play;
mod trouble;

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

/// A folder as `houserule new mine` makes it.
fn fresh() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(run(folder.path(), &["new", "mine"]).code, Some(0));
    folder
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
