//! Mistakes as a person reads them, on standard error: the reason, the line with the place marked, the remedy.
//!
//! The only file that knows the crate which draws them.

use super::Exit;
use super::out::wants_colour;
use crate::diagnostic::{Diagnostic, Diagnostics, FileId, Severity, Source, Sources, Span};
use crate::report::ci::{Level as Grade, annotation};
use annotate_snippets::{AnnotationKind, Element, Level, Origin, Renderer, Snippet};
use std::collections::BTreeSet;
use std::io::{IsTerminal, Write};
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// More mistakes than these are only counted.
const SHOWN: usize = 50;
/// Lines up to this many bytes are quoted whole.
const LONG_LINE: usize = 400;
/// Of a longer line, this many bytes before and after the first byte of the place are quoted.
const AROUND: usize = 40;
/// Messages are shortened to this many characters.
const LONG_MESSAGE: usize = 600;
/// The width that is drawn for.
const WIDTH: usize = 110;

/// Prints one line on standard error.
pub(super) fn say(line: &str) {
    // Where standard error is closed, nobody is left to tell.
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// Whether what is wrong is annotated, too.
static ANNOTATED: AtomicBool = AtomicBool::new(false);

/// From now on prints what is wrong as annotations for GitHub, too.
pub(super) fn annotate() {
    ANNOTATED.store(true, Ordering::Relaxed);
}

/// Whether what is wrong is annotated, too.
pub(super) fn is_annotated() -> bool {
    ANNOTATED.load(Ordering::Relaxed)
}

/// Prints what is wrong with something other than the text of a file, and what to do.
pub(super) fn wrong(what: &str, remedy: &str) {
    say(&format!("error: {what}\n{remedy}"));
    if is_annotated() {
        say(&annotation(Grade::Error, None, "houserule", &format!("{what}\n{remedy}")));
    }
}

/// The file and line of a place.
pub(super) fn place(sources: &Sources, span: Span) -> (String, usize) {
    (sources.get(span.file).path.display().to_string(), sources.line(span))
}

/// A path as it can be pasted behind a command, in quotes where a shell would read it otherwise.
pub(super) fn pasteable(path: &Path) -> String {
    let path = path.display().to_string();
    if path.chars().all(|letter| letter.is_alphanumeric() || "/\\:._-".contains(letter)) {
        return path;
    }
    if cfg!(windows) { format!("\"{path}\"") } else { format!("'{}'", path.replace('\'', r"'\''")) }
}

/// Prints all mistakes and warnings, and one line with their number and what was done `then`.
pub(super) fn show(sources: &Sources, found: &Diagnostics, then: &str) {
    if found.is_empty() {
        return;
    }
    let colour = wants_colour(std::io::stderr().is_terminal());
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
    say(&text(sources, found, &renderer.term_width(WIDTH)));
    say(&count(found, then));
    if is_annotated() {
        found.iter().for_each(|diagnostic| say(&annotated(sources, diagnostic)));
    }
}

/// Prints all that is wrong in files; hands back how that ends.
pub(super) fn refuse(sources: &Sources, wrong: impl IntoIterator<Item = Diagnostic>, then: &str) -> Exit {
    let mut found = Diagnostics::default();
    found.extend(wrong);
    show(sources, &found, then);
    Exit::BadFile
}

/// A mistake or warning as an annotation at its first place.
fn annotated(sources: &Sources, diagnostic: &Diagnostic) -> String {
    let (level, title) = match diagnostic.severity {
        Severity::Error => (Grade::Error, "mistake"),
        Severity::Warning => (Grade::Warning, "warning"),
    };
    let first = diagnostic.labels.first().map(|(span, _)| place(sources, *span));
    let remedies = diagnostic.remedies.iter().map(|remedy| format!("\nhelp: {remedy}"));
    annotation(level, first, title, &format!("{}{}", diagnostic.message, remedies.collect::<String>()))
}

/// Errors first, then warnings, at most [`SHOWN`] in all.
fn text(sources: &Sources, found: &Diagnostics, renderer: &Renderer) -> String {
    let mut all: Vec<&Diagnostic> = found.iter().collect();
    all.sort_by_key(|diagnostic| diagnostic.severity);
    let mut text = String::new();
    for diagnostic in all.iter().take(SHOWN) {
        text += &one(sources, diagnostic, renderer);
        text += "\n\n";
    }
    if all.len() > SHOWN {
        text += &format!("... and {} more\n\n", all.len() - SHOWN);
    }
    text.truncate(text.trim_end_matches('\n').len() + 1);
    text
}

/// `3 mistakes and 1 warning in 2 files; nothing was run`
fn count(found: &Diagnostics, then: &str) -> String {
    let errors = found.iter().filter(|diagnostic| diagnostic.severity == Severity::Error).count();
    let warnings = found.iter().count() - errors;
    let files: BTreeSet<FileId> =
        found.iter().filter_map(|diagnostic| diagnostic.labels.first()).map(|(span, _)| span.file).collect();
    let mut text = match (errors, warnings) {
        (_, 0) => some(errors, "mistake"),
        (0, _) => some(warnings, "warning"),
        _ => format!("{} and {}", some(errors, "mistake"), some(warnings, "warning")),
    };
    if !files.is_empty() {
        text += &format!(" in {}", some(files.len(), "file"));
    }
    if errors > 0 && !then.is_empty() {
        text += &format!("; {then}");
    }
    text
}

/// `1 file`, `2 files`
pub(super) fn some(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// One diagnostic, without a newline at its end.
fn one(sources: &Sources, diagnostic: &Diagnostic, renderer: &Renderer) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let mut group = level.primary_title(printable(&diagnostic.message)).elements([] as [Element<'_>; 0]);
    for file in files(diagnostic) {
        group = group.elements(quote(sources.get(file), file, diagnostic));
    }
    for remedy in &diagnostic.remedies {
        group = group.element(Level::HELP.message(printable(remedy)));
    }
    let drawn = renderer.render(&[group]);
    drawn.lines().filter(|line| !is_empty_heading(line)).collect::<Vec<_>>().join("\n")
}

/// Whether the line is the mark `:::` of a further file, without the file: the renderer puts it above a clipped line,
/// whose real place already stands there.
fn is_empty_heading(line: &str) -> bool {
    let without_colour = line.split('\u{1b}').enumerate().map(|(number, part)| match part.split_once('m') {
        Some((_, rest)) if number > 0 => rest,
        _ => part,
    });
    without_colour.collect::<String>().trim() == ":::"
}

/// The files of its labels, in the order in which they come.
fn files(diagnostic: &Diagnostic) -> Vec<FileId> {
    let mut files = Vec::new();
    for (span, _) in &diagnostic.labels {
        if !files.contains(&span.file) {
            files.push(span.file);
        }
    }
    files
}

/// The lines of one file that the labels speak of: together if all are short, else each clipped around its place.
fn quote<'a>(source: &'a Source, file: FileId, diagnostic: &'a Diagnostic) -> Vec<Element<'a>> {
    let path = printable(&source.path.display().to_string());
    let first = diagnostic.labels.first().map(|(span, _)| *span);
    let marks: Vec<_> = diagnostic.labels.iter().filter(|(span, _)| span.file == file).collect();
    let kind = |span: &Span| match Some(*span) == first {
        true => AnnotationKind::Primary,
        false => AnnotationKind::Context,
    };
    let places: Vec<Place<'a>> = marks.iter().map(|(span, _)| Place::of(&source.text, *span)).collect();
    if places.iter().any(|place| place.text.len() > LONG_LINE) {
        let clipped = places.iter().zip(marks).flat_map(|(place, (span, label))| {
            let (text, range) = place.clipped();
            let origin = Origin::path(path.clone()).line(place.line).char_column(place.column);
            let snippet = Snippet::source(text)
                .line_start(place.line)
                .annotation(kind(span).span(range).label(printable(label)));
            [Element::from(origin), Element::from(snippet)]
        });
        return clipped.collect();
    }
    let from = places.iter().map(|place| place.start).min().unwrap_or(0);
    let to = places.iter().map(|place| place.start + place.text.len()).max().unwrap_or(0);
    let line = places.iter().map(|place| place.line).min().unwrap_or(1);
    let annotations = places.iter().zip(marks).map(|(place, (span, label))| {
        let shift = place.start - from;
        let range = place.range.start + shift..place.range.end + shift;
        kind(span).span(range).label(printable(label))
    });
    vec![Snippet::source(&source.text[from..to]).line_start(line).path(path).annotations(annotations).into()]
}

/// Where a span begins: its line, and what of it stands on that line.
struct Place<'a> {
    /// Counted from 1.
    line: usize,
    /// In characters, counted from 1.
    column: usize,
    /// First byte of the line in its file.
    start: usize,
    /// The line without its end.
    text: &'a str,
    /// The place within the line.
    range: Range<usize>,
}

impl<'a> Place<'a> {
    fn of(text: &'a str, span: Span) -> Self {
        let at = text.floor_char_boundary(span.start as usize);
        let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
        let length = text[start..].find('\n').unwrap_or(text.len() - start);
        let line = text[start..start + length].trim_end_matches('\r');
        let within = |byte: usize| line.ceil_char_boundary(byte.saturating_sub(start).min(line.len()));
        Self {
            line: 1 + text.as_bytes()[..start].iter().filter(|byte| **byte == b'\n').count(),
            column: 1 + text[start..at].chars().count(),
            start,
            text: line,
            range: within(at)..within((span.end as usize).max(at)),
        }
    }

    /// A stretch of the line around the place, with dots where something was left out.
    fn clipped(&self) -> (String, Range<usize>) {
        let at = self.range.start;
        let from = self.text.floor_char_boundary(at.saturating_sub(AROUND));
        let to = self.text.ceil_char_boundary((at + AROUND).min(self.text.len()));
        let before = if from > 0 { "... " } else { "" };
        let after = if to < self.text.len() { " ..." } else { "" };
        let shift = |byte: usize| byte.min(to) - from + before.len();
        (format!("{before}{}{after}", &self.text[from..to]), shift(at)..shift(self.range.end))
    }
}

/// One line without characters that a terminal would obey; a long one loses its middle.
fn printable(text: &str) -> String {
    let clean = |letter: char| match letter {
        '\n' | '\t' => ' ',
        _ if letter.is_control() => char::REPLACEMENT_CHARACTER,
        _ => letter,
    };
    let length = text.chars().count();
    if length <= LONG_MESSAGE {
        return text.chars().map(clean).collect();
    }
    let half = LONG_MESSAGE / 2;
    let head = text.chars().take(half).map(clean);
    let tail = text.chars().skip(length - half).map(clean);
    head.chain(" ... ".chars()).chain(tail).collect()
}

#[cfg(test)]
mod tests;
