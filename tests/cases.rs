//! Small rules and scenario files, right and wrong: what `houserule check` says of each.
//!
//! What is expected stands in the file. `#! error 7:12 words` is an error at that line and column whose text holds
//! these words; `#! error base.rules:7:12 words` has the mistake in another file, `#! error - words` in one that has no
//! lines. `#! warning ...` is a warning, `#! help words` a remedy of the one before. The mistakes that a file names
//! must be found, and no others; a file that names none must pass without a word. Folders have tests of their own.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

/// One mistake, as expected or as printed.
struct Mistake {
    severity: String,
    place: String,
    text: String,
}

#[test]
fn each_case_is_answered_as_its_comments_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut names: Vec<String> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.file_type().unwrap().is_file())
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect();
    names.sort();
    let (mut failures, mut broken) = (String::new(), 0);
    for name in &names {
        let expected = expectations(name, &String::from_utf8_lossy(&fs::read(folder.join(name)).unwrap()));
        broken += usize::from(expected.iter().any(|(mistake, _)| mistake.severity == "error"));
        if let Err(why) = check(&folder, name, &expected) {
            write!(failures, "\n== {name}: {why}\n").unwrap();
        }
    }
    assert!(failures.is_empty(), "{failures}");
    assert!(broken >= 18, "only {broken} broken files found in {}", folder.display());
}

#[test]
fn the_files_that_come_with_the_program_have_no_mistakes() {
    let scenarios = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios");
    let mut checked = 0;
    for folder in fs::read_dir(scenarios).unwrap().map(|entry| entry.unwrap().path()) {
        for file in fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()) {
            if file.to_string_lossy().ends_with(".md") {
                continue;
            }
            let (code, printed) = run_check(&folder, &file.to_string_lossy());
            assert!(code == Some(0) && mistakes(&printed).is_empty(), "{file:?}\n{printed}");
            checked += 1;
        }
    }
    assert!(checked >= 3, "only {checked} files found");
}

#[test]
fn files_that_no_person_wrote_are_answered_too() {
    let folder = tempfile::tempdir().unwrap();
    let nested = |start: &str, open: &str, middle: &str, close: &str| {
        let (open, close) = (open.repeat(10_000), close.repeat(10_000));
        format!("ruleset \"Deep\"\ntest deep -> number {{\n    {start}{open}{middle}{close}\n}}\n")
    };
    let cases: [(&str, Vec<u8>, &str); 12] = [
        ("empty.rules", Vec::new(), "empty"),
        ("empty.toml", Vec::new(), "variants"),
        ("zeros.rules", vec![0; 4096], ""),
        ("long-line.rules", [&b"ruleset \"Long\" # "[..], &vec![b'x'; 10 << 20]].concat(), "longer than"),
        ("brackets.rules", nested("return ", "(", "1", ")").into_bytes(), "1000"),
        ("lists.rules", nested("return ", "[", "1", "]").into_bytes(), "1000"),
        ("indexes.rules", nested("return ", "x[", "1", "]").into_bytes(), "1000"),
        ("choices.rules", nested("return ", "choose { a: ", "1", " }").into_bytes(), "1000"),
        ("dice-words.rules", nested("return d6", " keep any", "", "").into_bytes(), "1000"),
        ("minuses.rules", nested("return ", "- ", "1", "").into_bytes(), "1000"),
        ("ifs.rules", nested("", "if yes { ", "return 1", " }").into_bytes(), "deep"),
        ("open-brackets.toml", [&b"title = "[..], &vec![b'['; 10_000]].concat(), ""),
    ];
    let mut failures = String::new();
    for (name, bytes, words) in cases {
        fs::write(folder.path().join(name), bytes).unwrap();
        let (code, printed) = run_check(folder.path(), name);
        let answered = code == Some(3) && printed.contains(words) && printed.contains("help");
        if !answered || printed.contains("panicked") || !printed.contains(name) {
            let shown: String = printed.chars().take(600).collect();
            write!(failures, "\n== {name}: {code:?}, expected 3 and `{words}`\n{shown}\n").unwrap();
        }
    }
    assert!(failures.is_empty(), "{failures}");
}

/// Runs one case and compares; the error says what was wrong and shows what was printed.
fn check(folder: &Path, name: &str, expected: &[(Mistake, Vec<String>)]) -> Result<(), String> {
    let (code, printed) = run_check(folder, name);
    let mut found = mistakes(&printed);
    let mut wrong = Vec::new();
    for (mistake, remedies) in expected {
        let fits = |one: &Mistake| {
            one.severity == mistake.severity
                && one.place.ends_with(&mistake.place)
                && one.text.contains(&mistake.text)
                && remedies.iter().all(|remedy| help_of(one).contains(remedy))
        };
        match found.iter().position(fits) {
            Some(at) => _ = found.remove(at),
            None => {
                wrong.push(format!("no {} at {} with `{}`", mistake.severity, mistake.place, mistake.text))
            }
        }
    }
    wrong.extend(found.iter().map(|extra| format!("not expected: {} at {}", extra.severity, extra.place)));
    let errors = expected.iter().filter(|(mistake, _)| mistake.severity == "error").count();
    let exit = if errors > 0 { 3 } else { 0 };
    if code != Some(exit) {
        wrong.push(format!("exit code {code:?} instead of {exit}"));
    }
    if mistakes(&printed).iter().any(|mistake| mistake.severity == "error" && help_of(mistake).is_empty()) {
        wrong.push("an error without a remedy".to_owned());
    }
    if printed.contains("panicked") {
        wrong.push("a panic".to_owned());
    }
    if wrong.is_empty() { Ok(()) } else { Err(format!("{}\n{printed}", wrong.join("; "))) }
}

/// The exit code of `houserule check` in `folder`, and all it printed.
fn run_check(folder: &Path, name: &str) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_houserule"))
        .args(["check", name])
        .current_dir(folder)
        .env("NO_COLOR", "1")
        .output()
        .unwrap();
    let printed = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&printed).into_owned())
}

/// What the `#!` comments of a file expect, each mistake with the words of its remedies.
fn expectations(name: &str, text: &str) -> Vec<(Mistake, Vec<String>)> {
    let mut expected: Vec<(Mistake, Vec<String>)> = Vec::new();
    for line in text.lines().filter_map(|line| line.strip_prefix("#! ")) {
        let (word, rest) = line.split_once(' ').expect("a word and what follows it");
        if word == "help" {
            expected.last_mut().expect("a mistake before its remedy").1.push(rest.to_owned());
        } else {
            assert!(
                ["error", "warning"].contains(&word),
                "{name}: `{word}` is neither error, warning nor help"
            );
            let (place, words) = rest.split_once(' ').expect("a place and some words");
            let place = match place {
                "-" => String::new(),
                elsewhere if elsewhere.contains('.') => elsewhere.to_owned(),
                here => format!("{name}:{here}"),
            };
            expected.push((Mistake { severity: word.to_owned(), place, text: words.to_owned() }, Vec::new()));
        }
    }
    expected
}

/// Every mistake in what was printed: its place, and its words without the quoted lines of the file.
fn mistakes(printed: &str) -> Vec<Mistake> {
    let mut found: Vec<Mistake> = Vec::new();
    for line in printed.lines() {
        let severity = ["error", "warning"].into_iter().find(|word| line.starts_with(&format!("{word}:")));
        if let Some(severity) = severity {
            found.push(Mistake { severity: severity.to_owned(), place: String::new(), text: String::new() });
        }
        let Some(last) = found.last_mut() else { continue };
        match line.trim_start().strip_prefix("--> ") {
            Some(place) if last.place.is_empty() => last.place = place.to_owned(),
            _ if line.trim_start().starts_with(|c: char| c.is_ascii_digit()) => {}
            _ => last.text += &format!("{line}\n"),
        }
    }
    found
}

/// The remedies of a printed mistake.
fn help_of(mistake: &Mistake) -> String {
    mistake.text.split_once("help").map(|(_, help)| help.to_owned()).unwrap_or_default()
}
