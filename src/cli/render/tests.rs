//! What a person sees.

use super::*;

fn plain(sources: &Sources, found: &Diagnostics) -> String {
    text(sources, found, &Renderer::plain().term_width(WIDTH))
}

fn only(diagnostic: Diagnostic) -> Diagnostics {
    let mut found = Diagnostics::default();
    found.push(diagnostic);
    found
}

#[test]
fn a_mistake_shows_its_reason_its_line_and_its_remedy() {
    let mut sources = Sources::default();
    let file = sources.add("a.rules", "ruleset \"A\"\nfactor trop: infantry | cavalry\n");
    let found =
        only(Diagnostic::error(Span::new(file, 19, 23), "no such thing", "here").remedy("write `troop`"));
    let expected = "error: no such thing
 --> a.rules:2:8
  |
2 | factor trop: infantry | cavalry
  |        ^^^^ here
  |
  = help: write `troop`
";
    assert_eq!(plain(&sources, &found), expected);
}

#[test]
fn a_mistake_may_lie_between_two_files() {
    let mut sources = Sources::default();
    let base = sources.add("base.rules", "test morale -> flag { return yes }\n");
    let draft = sources.add("draft.rules", "# mine\ntest morale -> flag { return no }\n");
    let found = only(
        Diagnostic::error(Span::new(draft, 12, 18), "declared twice", "again")
            .also(Span::new(base, 5, 11), "first here"),
    );
    let text = plain(&sources, &found);
    assert!(text.contains("draft.rules:2:6"), "{text}");
    assert!(text.contains("base.rules:1:6"), "{text}");
    assert!(text.contains("^^^^^^ again"), "{text}");
    assert!(text.contains("------ first here"), "{text}");
}

#[test]
fn a_mistake_without_a_place_is_one_line_and_its_remedy() {
    let found = only(Diagnostic::without_place("`x.rules` cannot be read").remedy("check the name"));
    let text = plain(&Sources::default(), &found);
    assert!(text.starts_with("error: `x.rules` cannot be read\n"), "{text}");
    assert!(text.contains("help: check the name"), "{text}");
    assert_eq!(count(&found, "nothing was run"), "1 mistake; nothing was run");
}

#[test]
fn of_a_line_of_a_megabyte_only_the_surroundings_are_shown() {
    let mut sources = Sources::default();
    let line = format!("{} wrong {}", "a".repeat(600_000), "b".repeat(400_000));
    let file = sources.add("long.rules", format!("first\n{line}\n"));
    let at = 6 + 600_001;
    let found = only(
        Diagnostic::error(Span::new(file, at, at + 5), "x".repeat(100_000), "y".repeat(100_000))
            .also(Span::new(file, 6, 600_000), "all of this"),
    );
    let text = plain(&sources, &found);
    assert!(text.len() < 4_000, "{} bytes", text.len());
    assert!(text.contains("long.rules:2:600002"), "{text}");
    assert!(text.contains("aaaa wrong bbbb"), "{text}");
    assert!(text.contains("^^^^^ y"), "{text}");
}

#[test]
fn a_clipped_line_stands_right_below_its_place_with_and_without_colour() {
    let mut sources = Sources::default();
    let file = sources.add("long.rules", format!("{}wrong", " ".repeat(500)));
    let found = only(Diagnostic::error(Span::new(file, 500, 505), "m", "here"));
    let expected = format!(
        "error: m\n --> long.rules:1:501\n  |\n1 | ... {0}wrong\n  |     {0}^^^^^ here\n",
        " ".repeat(AROUND)
    );
    assert_eq!(plain(&sources, &found), expected);
    let styled = text(&sources, &found, &Renderer::styled());
    assert_eq!(styled.lines().count(), expected.lines().count(), "{styled}");
}

#[test]
fn places_at_the_edges_of_a_file_are_shown_without_a_fall() {
    let mut sources = Sources::default();
    let files = ["", "\n", "\r\n", "é", "one\n", "one\ntwo", "\u{1b}[31m\ttab"];
    for text in files {
        let file = sources.add("edge.rules", text);
        for (start, end) in
            (0..=text.len() + 2).flat_map(|start| (start..=text.len() + 2).map(move |end| (start, end)))
        {
            let shown = plain(&sources, &only(Diagnostic::error(Span::new(file, start, end), "m", "l")));
            assert!(shown.starts_with("error: m\n"), "{shown}");
            assert!(!shown.contains('\u{1b}'), "{shown:?}");
        }
    }
}

#[test]
fn errors_come_before_warnings_and_the_fifty_first_is_only_counted() {
    let mut sources = Sources::default();
    let file = sources.add("a.rules", "x".repeat(100));
    let mut found = Diagnostics::default();
    found.push(Diagnostic::warning(Span::new(file, 0, 1), "probably not meant", ""));
    for at in 0..60 {
        found.push(Diagnostic::error(Span::new(file, at, at + 1), format!("wrong {at}"), ""));
    }
    let text = plain(&sources, &found);
    assert_eq!(text.matches("error: wrong").count(), 50);
    assert!(!text.contains("probably not meant"));
    assert!(text.ends_with("... and 11 more\n"), "{text}");
    assert_eq!(count(&found, "nothing was run"), "60 mistakes and 1 warning in 1 file; nothing was run");
}

#[test]
fn warnings_alone_stop_nothing() {
    let mut sources = Sources::default();
    let file = sources.add("a.rules", "x");
    let found = only(Diagnostic::warning(Span::new(file, 0, 1), "odd", ""));
    assert_eq!(count(&found, "nothing was run"), "1 warning in 1 file");
}

#[test]
fn a_message_cannot_steer_the_terminal() {
    assert_eq!(printable("a\u{1b}[2Jb\nc"), "a\u{fffd}[2Jb c");
}
