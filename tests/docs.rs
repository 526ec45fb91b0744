//! What the pages show can be written so: every block marked `rules` on the page of the language is a right file, laid out
//! as `houserule fmt` lays it out. The first one is `base.rules`, which others may extend; one without a `ruleset` line
//! is given one. Every command on the page about CI is one that the program takes.

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

/// The commands of houserule in the blocks of a page, each with all its lines in one.
fn commands(page: &str) -> Vec<String> {
    let blocks = page.split("```").skip(1).step_by(2);
    let mut commands: Vec<String> = Vec::new();
    for block in blocks {
        let joined = block.replace("\\\n", " ");
        let mut indent = None;
        for line in joined.lines() {
            let (text, depth) = (line.trim_start(), line.len() - line.trim_start().len());
            let start = ["- run: ", "- ", ""].iter().find_map(|lead| text.strip_prefix(lead));
            match start.filter(|text| text.starts_with("houserule ")) {
                Some(text) => {
                    commands.push(text.to_owned());
                    indent = Some(depth);
                }
                // a folded text of YAML goes on in lines that are set in as far
                None if indent == Some(depth) && text.starts_with("--") => {
                    commands.last_mut().unwrap().push_str(&format!(" {text}"));
                }
                None => indent = None,
            }
        }
    }
    commands
}

#[test]
fn every_command_on_the_page_about_ci_is_one_that_the_program_takes() {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/ci.md")).unwrap();
    let here = Path::new(".");
    let commands = commands(&page);
    assert!(commands.iter().any(|command| command.contains("--shard")), "{commands:?}");
    assert!(commands.iter().any(|command| command.starts_with("houserule merge ")), "{commands:?}");
    assert!(commands.iter().filter(|command| command.contains("--golden")).count() >= 5, "{commands:?}");
    let mut complaints = Vec::new();
    for command in commands {
        // whatever a workflow fills in is a number here; words before `--help` are looked at, and nothing is done
        let parts = command.split("${{").enumerate();
        let filled = parts.map(|(at, part)| match part.split_once("}}") {
            Some((_, rest)) if at > 0 => format!("1{rest}"),
            _ => part.to_owned(),
        });
        let command = filled.collect::<String>();
        let words: Vec<&str> = command.split_whitespace().skip(1).chain(["--help"]).collect();
        complaints.extend(complaint(here, &words));
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    assert!(complaint(here, &["run", "a.toml", "--goldn", "a", "--help"]).is_some(), "nothing is looked at");
}
