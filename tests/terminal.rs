//! What a run shows on standard output: the page's path last, colours only where they are wanted, nothing too wide.
#![expect(clippy::unwrap_used, reason = "a test may fall")]

#[path = "support/program.rs"]
mod program;

use program::{ended, fresh, houserule};
use std::path::Path;

const RUN: [&str; 4] = ["run", "mine/scenario.toml", "--trials", "100"];

fn shown(folder: &Path, variables: &[(&str, &str)]) -> String {
    let ended = ended(houserule(folder, &RUN).envs(variables.iter().copied()).output().unwrap());
    assert_eq!((ended.code, ended.err.as_str()), (Some(0), ""));
    ended.out
}

#[test]
fn the_last_line_is_the_path_of_the_page() {
    let folder = fresh();
    for again in ["first", "second"] {
        let text = shown(folder.path(), &[]);
        let last = text.lines().last().unwrap();
        assert_eq!(last, "reports/mine/scenario/report.html", "{again}: {text}");
        assert!(folder.path().join(last).is_file());
        assert_eq!(text.contains("\nReused 2,400 of 2,400 trials\n"), again == "second", "{text}");
    }
}

#[test]
fn a_draft_is_set_against_the_book_in_a_bar_in_points_and_in_words() {
    let folder = fresh();
    let text = shown(folder.path(), &[]);
    let lines: Vec<&str> = text.lines().collect();
    let at = lines.iter().position(|line| *line == "Raw, figures lost 3, in cover").unwrap();
    // by hand: 2d6 - 3 + 1 is 6 or less in 26 of 36 rolls, 2d6 - 2 + 2 in 15; a bar has ten characters in eighths
    assert_eq!(lines[at + 1], "  book       8.3  19.4  72.2 ███████▎");
    assert_eq!(lines[at + 2], "  draft     27.8  30.6  41.7 ████▏       -30.6 points");
    assert!(
        text.contains("\ndraft: \"Rout\" less often in 26 of 30 situations (by up to 30.6 points)"),
        "{text}"
    );
    assert!(lines.iter().all(|line| line.chars().count() <= 80), "{text}");
}

#[test]
fn colours_are_shown_in_a_pipe_only_where_they_are_forced() {
    let folder = fresh();
    let coloured = |variables: &[(&str, &str)]| shown(folder.path(), variables).contains('\u{1b}');
    assert!(!coloured(&[]));
    assert!(coloured(&[("CLICOLOR_FORCE", "1")]));
    assert!(!coloured(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
    assert!(!coloured(&[("CLICOLOR_FORCE", "0")]));
}
