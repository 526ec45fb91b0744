//! What the pages show can be written so: every block marked `rules` on the page of the language is a right file, laid out
//! as `houserule fmt` lays it out. The first one is `base.rules`, which others may extend; one without a `ruleset` line
//! is given one.

#![expect(clippy::unwrap_used, reason = "what is missing in a test is a fault of the test")]

use std::path::Path;
use std::process::Command;

/// The blocks of a page that are marked as rules, each with the line in which it begins.
fn examples(page: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut lines = page.lines().enumerate();
    while let Some((at, _)) = lines.find(|(_, line)| *line == "```rules") {
        let block = lines.by_ref().map(|(_, line)| line).take_while(|line| *line != "```");
        found.push((at + 1, block.map(|line| format!("{line}\n")).collect()));
    }
    found
}

/// What a command says to a file, if it is anything but that all is well.
fn complaint(folder: &Path, words: &[&str]) -> Option<String> {
    let mut program = Command::new(env!("CARGO_BIN_EXE_houserule"));
    let ended = program.current_dir(folder).args(words).output().unwrap();
    let said = String::from_utf8(ended.stderr).unwrap();
    // Warnings are allowed: an example that shows a factor need not use it.
    let well = ended.status.success();
    (!well).then(|| format!("{words:?}: {said}{}", String::from_utf8(ended.stdout).unwrap()))
}

#[test]
fn every_example_of_the_language_is_right_and_well_laid_out() {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/rules.md")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let examples = examples(&page);
    assert!(examples.len() > 10, "the examples are not found: {}", examples.len());
    let mut complaints = Vec::new();
    for (number, (line, text)) in examples.iter().enumerate() {
        let name = if number == 0 { "base.rules".to_owned() } else { format!("line-{line}.rules") };
        let head = if text.starts_with("ruleset") { "" } else { "ruleset \"An example\"\n\n" };
        std::fs::write(folder.path().join(&name), format!("{head}{text}")).unwrap();
        complaints.extend(complaint(folder.path(), &["check", &name]));
        complaints.extend(complaint(folder.path(), &["fmt", "--check", &name]));
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}
