//! A comment for a pull request: verdicts first, then what has drifted, then how to see it again.
//!
//! In: the checks of a run, and what has become of a stored one. Out: Markdown, never longer than [`MOST`].
//!
//! **Never:** figures that are not in the tables.

use crate::analyse::Ruling;
use crate::report::checks::{Check, ruling, score};
use crate::report::golden::{self, Drift, Drifted};
use crate::report::words::{points, thousands};
use crate::scenario::Scenario;

/// GitHub takes no comment of more characters.
pub const MOST: usize = 65_536;

/// How many checks of one verdict are listed, and how many figures.
const ROWS: usize = 20;

/// How long one text of a list may be, in characters.
const LONG: usize = 300;

/// What stands where the rest had no room.
const CUT: &str = "\nThe rest is too long for a comment: see the summary of the run.\n";

/// The comment; `again` is the command that shows the same.
pub fn comment(scenario: &Scenario, checks: &[Check], drift: Option<&Drift>, again: &str) -> String {
    let heading = match ruling(checks) {
        Ruling::Fails => "Failed",
        Ruling::Undecided => "Undecided",
        Ruling::Holds => "Passed",
    };
    let (folder, stem) = (&scenario.folder, &scenario.stem);
    let parts = [
        // by this a workflow finds its own comment again
        format!("<!-- houserule {} -->\n", format!("{folder}/{stem}").replace("--", "- -")),
        format!("### {heading}: {}\n\n{}\n", plain(&scenario.title), score(checks)),
        listed("Failed", checks, Ruling::Fails),
        listed("Undecided", checks, Ruling::Undecided),
        drift.map_or_else(String::new, drifted),
        format!("\nTo see the same:\n\n```\n{}\n```\n", again.replace("```", "")),
        folded(checks),
    ];
    fitted(parts.into_iter())
}

/// Parts one after another, as long as there is room.
fn fitted(parts: impl Iterator<Item = String>) -> String {
    let (mut text, mut room) = (String::new(), MOST - CUT.len());
    for part in parts {
        let Some(left) = room.checked_sub(part.chars().count()) else {
            return text + CUT;
        };
        (text, room) = (text + &part, left);
    }
    text
}

/// The checks with one verdict, a line each.
fn listed(heading: &str, checks: &[Check], ruling: Ruling) -> String {
    let line = |check: &Check| {
        let (name, text) = (plain(&check.name), plain(&check.text));
        format!("- **{}: {name}**: {text}\n", check.sort.label())
    };
    let all: Vec<String> = checks.iter().filter(|check| check.ruling == ruling).map(line).collect();
    if all.is_empty() { String::new() } else { format!("\n**{heading}**\n\n{}", rows(&all)) }
}

/// What holds, to be unfolded.
fn folded(checks: &[Check]) -> String {
    let line = |check: &Check| format!("- {}: {}\n", check.sort.label(), plain(&check.name));
    let all: Vec<String> = checks.iter().filter(|check| check.ruling == Ruling::Holds).map(line).collect();
    match all.len() {
        0 => String::new(),
        some => format!(
            "\n<details><summary>Passed: {}</summary>\n\n{}\n</details>\n",
            thousands(some as u64),
            rows(&all)
        ),
    }
}

/// The figures that have drifted the most, and what is new.
fn drifted(drift: &Drift) -> String {
    let row = |one: &Drifted| {
        format!(
            "| {} | {} | {} | {} | {} |\n",
            plain(&golden::place(drift, &one.key)),
            plain(&golden::outcome(&one.key)),
            golden::share(&one.old),
            golden::share(&one.new),
            points(one.difference(), 2)
        )
    };
    let all: Vec<String> = drift.drifted.iter().map(row).collect();
    let mut text = String::new();
    if !all.is_empty() {
        text +=
            "\n**Drifted**\n\n| Where | What | Stored | Now | Points |\n| --- | --- | ---: | ---: | ---: |\n";
        text += &rows(&all);
    }
    let new = golden::parts(drift, &drift.new);
    if !new.is_empty() {
        let new: Vec<String> = new.iter().map(|part| format!("- {}\n", plain(part))).collect();
        text += &format!("\n**New, which is no drift**\n\n{}", rows(&new));
    }
    text
}

/// At most so many lines, and how many there are beside.
fn rows(all: &[String]) -> String {
    let more = all.len().saturating_sub(ROWS);
    let rest = if more > 0 { format!("\n... and {} more\n", thousands(more as u64)) } else { String::new() };
    all.iter().take(ROWS).cloned().collect::<String>() + &rest
}

/// A text in which nothing is markup, on one line, cut behind a word.
fn plain(text: &str) -> String {
    let mut short: String = text.chars().take(LONG).collect();
    if short.len() < text.len() {
        short.truncate(short.rfind(' ').unwrap_or(short.len()));
        short += " ...";
    }
    let mut plain = String::new();
    for letter in short.chars() {
        match letter {
            '\n' | '\r' => plain.push(' '),
            '<' => plain += "&lt;",
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '#' | '>' => plain.extend(['\\', letter]),
            _ => plain.push(letter),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::checks::Sort;
    use crate::report::tests as example;

    fn check(ruling: Ruling, name: &str, text: &str) -> Check {
        let (name, text) = (name.to_owned(), text.to_owned());
        Check { sort: Sort::Expected, name, ruling, text, place: None }
    }

    fn of(checks: &[Check]) -> String {
        comment(&example::scenario(), checks, None, "houserule run a.toml")
    }

    #[test]
    fn verdicts_come_first_and_what_holds_is_folded_away() {
        let text =
            of(&[check(Ruling::Holds, "1. good", "fine"), check(Ruling::Fails, "2. bad", "found 1/3")]);
        assert_eq!(
            text,
            "<!-- houserule black-powder/break-test -->\n### Failed: Break tests: original against modified\n\n\
             2 checks: 1 failed, 1 passed.\n\n**Failed**\n\n- **expected value: 2. bad**: found 1/3\n\n\
             To see the same:\n\n```\nhouserule run a.toml\n```\n\n\
             <details><summary>Passed: 1</summary>\n\n- expected value: 1. good\n\n</details>\n"
        );
        assert!(of(&[check(Ruling::Holds, "good", "fine")]).contains("### Passed: "));
        assert!(of(&[check(Ruling::Undecided, "open", "")]).contains("### Undecided: "));
    }

    #[test]
    fn what_authors_write_is_no_markup() {
        let text = of(&[check(Ruling::Fails, "a|b *c* <img> `d`", "[x](y)\n# z")]);
        assert!(text.contains(r"**expected value: a\|b \*c\* &lt;img\> \`d\`**: \[x\](y) \# z"), "{text}");
    }

    #[test]
    fn long_lists_and_texts_are_cut_in_words() {
        let many: Vec<Check> =
            (0..50).map(|n| check(Ruling::Fails, &format!("check {n}"), &"word ".repeat(1000))).collect();
        let text = of(&many);
        assert!(text.contains("check 19") && !text.contains("check 20") && text.contains("... and 30 more"));
        assert!(text.contains("word word ...\n"), "a text is cut behind a word");
    }

    #[test]
    fn no_comment_is_longer_than_github_takes() {
        for ruling in [Ruling::Fails, Ruling::Undecided, Ruling::Holds] {
            // every letter of the longest texts becomes two or more
            let long = "<".repeat(100_000);
            let text = of(&vec![check(ruling, &long, &long); 1000]);
            assert!(text.chars().count() <= MOST);
        }
        let mut scenario = example::scenario();
        scenario.folder = "é".repeat(2 * MOST);
        let text = comment(&scenario, &[], None, &"x".repeat(MOST));
        assert!(text.chars().count() <= MOST && text.ends_with(CUT));
    }
}
