//! What is wrong in a user's file: where, why, and what to do about it.
//!
//! In: places in files that other rooms have read. Out: [`Diagnostic`] values, collected several at once in
//! [`Diagnostics`]. The text of every file read is kept in [`Sources`], so that whoever shows a diagnostic can quote
//! the line.
//!
//! **Never:** terminals, colours, exit codes.

use std::path::{Path, PathBuf};

/// One file among [`Sources`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct FileId(pub u32);

/// A place in a file: the bytes `start..end` of its text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One past the last byte; equal to `start` for a point.
    pub end: u32,
}

impl std::fmt::Debug for Span {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "@{}:{}..{}", self.file.0, self.start, self.end)
    }
}

impl Span {
    /// The bytes `start..end` of `file`; offsets past 4 GiB are pinned there (no readable file is that long).
    pub fn new(file: FileId, start: usize, end: usize) -> Self {
        let pin = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Self { file, start: pin(start), end: pin(end) }
    }

    /// From the start of this place to the end of `other`, which stands in the same file.
    pub fn to(self, other: Self) -> Self {
        Self { end: other.end.max(self.end), ..self }
    }
}

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Severity {
    /// Nothing can be run.
    Error,
    /// It can be run, but is probably not meant.
    Warning,
}

/// One mistake: its place, its reason and its remedy.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// The reason, as one sentence without a full stop.
    pub message: String,
    /// Places with a few words each; the first is where to look. Empty when no file could be read at all.
    pub labels: Vec<(Span, String)>,
    /// What to do, one sentence each.
    pub remedies: Vec<String>,
}

impl Diagnostic {
    /// An error at a place; `label` says in a few words what stands there.
    pub fn error(span: Span, message: impl Into<String>, label: impl Into<String>) -> Self {
        Self { labels: vec![(span, label.into())], ..Self::without_place(message) }
    }

    /// A warning at a place.
    pub fn warning(span: Span, message: impl Into<String>, label: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(span, message, label) }
    }

    /// An error that has no place in a file, such as a file that cannot be opened.
    pub fn without_place(message: impl Into<String>) -> Self {
        Self { severity: Severity::Error, message: message.into(), labels: Vec::new(), remedies: Vec::new() }
    }

    /// The same with a further place.
    #[must_use]
    pub fn also(mut self, span: Span, label: impl Into<String>) -> Self {
        self.labels.push((span, label.into()));
        self
    }

    /// The same with a remedy.
    #[must_use]
    pub fn remedy(mut self, remedy: impl Into<String>) -> Self {
        self.remedies.push(remedy.into());
        self
    }

    /// The same with the remedy "did you mean ...?", if one of `known` is close to `wrong`; else the list of all.
    #[must_use]
    pub fn did_you_mean<'a>(self, wrong: &str, known: impl IntoIterator<Item = &'a str>) -> Self {
        let known: Vec<&str> = known.into_iter().collect();
        match nearest(wrong, &known) {
            Some(near) => self.remedy(format!("did you mean `{near}`?")),
            None if known.is_empty() => self,
            None => self.remedy(format!("what can stand here: {}", short_list(&known))),
        }
    }
}

/// At most twelve names, in backticks, with the number of those left out.
fn short_list(names: &[&str]) -> String {
    let mut text = names.iter().take(12).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    if names.len() > 12 {
        text += &format!(" and {} more", names.len() - 12);
    }
    text
}

/// In longer names, in bytes, no slip is looked for.
const LONGEST_SLIP: usize = 100;

/// The closest of `known` to `wrong`, if it is close enough to be a slip of the fingers: at most a third of the
/// letters changed.
fn nearest<'a>(wrong: &str, known: &[&'a str]) -> Option<&'a str> {
    if wrong.len() > LONGEST_SLIP {
        return None;
    }
    let limit = (wrong.chars().count() / 3).max(1);
    known
        .iter()
        .map(|name| (edit_distance(wrong, name, limit), *name))
        .filter(|(distance, _)| *distance <= limit)
        .min()
        .map(|(_, name)| name)
}

/// Letters to insert, delete, change or swap with their neighbour to turn `a` into `b` (optimal string alignment);
/// `limit + 1` where the lengths alone differ by more than `limit`.
fn edit_distance(a: &str, b: &str, limit: usize) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().abs_diff(b.len()) > limit {
        return limit + 1;
    }
    let mut rows = vec![(0..=b.len()).collect::<Vec<_>>()];
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let change = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = change.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(rows[i - 2][j - 2] + 1);
            }
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

/// Every mistake found so far.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Diagnostics(Vec<Diagnostic>);

impl Diagnostics {
    /// Adds one, unless the very same was found a short while ago.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        if !self.0.iter().rev().take(64).any(|before| *before == diagnostic) {
            self.0.push(diagnostic);
        }
    }

    /// Whether any of them is an error.
    pub fn has_errors(&self) -> bool {
        self.0.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
    }

    /// All of them, in the order in which they were found.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.0.iter()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Extend<Diagnostic> for Diagnostics {
    fn extend<I: IntoIterator<Item = Diagnostic>>(&mut self, diagnostics: I) {
        diagnostics.into_iter().for_each(|diagnostic| self.push(diagnostic));
    }
}

impl IntoIterator for Diagnostics {
    type Item = Diagnostic;
    type IntoIter = std::vec::IntoIter<Diagnostic>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

/// A file's name and text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Source {
    /// As a user would write it.
    pub path: PathBuf,
    /// The whole text.
    pub text: String,
}

/// Every file read so far.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sources(Vec<Source>);

/// No file that a person wrote is longer than this, in bytes.
const LONGEST_FILE: u64 = 1 << 20;

impl Sources {
    /// Adds a file whose text is known.
    pub fn add(&mut self, path: impl Into<PathBuf>, text: impl Into<String>) -> FileId {
        self.0.push(Source { path: path.into(), text: text.into() });
        FileId(u32::try_from(self.0.len() - 1).unwrap_or(u32::MAX))
    }

    /// Reads a file, or finds it again if it was read before.
    ///
    /// # Errors
    /// A file that is missing, cannot be read, is longer than 1 MiB or is not UTF-8 text; the diagnostic has no place,
    /// so that the caller can add the one that named the file.
    pub fn read(&mut self, path: &Path) -> Result<FileId, Diagnostic> {
        if let Some(known) = self.0.iter().position(|source| source.path == path) {
            return Ok(FileId(known as u32));
        }
        let name = path.display();
        let bytes = read_bounded(path).map_err(|reason| {
            Diagnostic::without_place(format!("`{name}` cannot be read: {reason}"))
                .remedy("check the file's name and folder")
        })?;
        let Some(bytes) = bytes else {
            return Err(Diagnostic::without_place(format!("`{name}` is longer than 1 MiB")).remedy(
                "rules and scenarios are text that a person wrote: check that this is the right file",
            ));
        };
        let text = String::from_utf8(bytes).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            Diagnostic::without_place(format!("`{name}` is not text: byte {} is not UTF-8", at + 1))
                .remedy("save the file as plain UTF-8 text")
        })?;
        Ok(self.add(path, text))
    }

    /// The file with this number.
    pub fn get(&self, file: FileId) -> &Source {
        &self.0[file.0 as usize]
    }

    /// All files in the order in which they were read.
    pub fn iter(&self) -> std::slice::Iter<'_, Source> {
        self.0.iter()
    }

    /// The line of a place, counted from 1.
    pub fn line(&self, span: Span) -> usize {
        let text = &self.get(span.file).text;
        1 + text.as_bytes()[..text.len().min(span.start as usize)]
            .iter()
            .filter(|byte| **byte == b'\n')
            .count()
    }

    /// The text at a place.
    pub fn text(&self, span: Span) -> &str {
        &self.get(span.file).text[span.start as usize..span.end as usize]
    }
}

/// The file's bytes; `None` if there are more than [`LONGEST_FILE`].
fn read_bounded(path: &Path) -> std::io::Result<Option<Vec<u8>>> {
    use std::io::Read;
    if !std::fs::metadata(path)?.is_file() {
        return Err(std::io::Error::other("it is not a file"));
    }
    let mut bytes = Vec::new();
    std::fs::File::open(path)?.take(LONGEST_FILE + 1).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= LONGEST_FILE).then_some(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_fingers_is_recognised_and_another_word_is_not() {
        let known = ["disordered", "shaken", "excess"];
        assert_eq!(nearest("disorderd", &known), Some("disordered"));
        assert_eq!(nearest("sahken", &known), Some("shaken"));
        assert_eq!(nearest("stamina", &known), None);
    }

    #[test]
    fn swapping_neighbours_counts_as_one_slip() {
        assert_eq!(edit_distance("abcd", "abdc", 9), 1);
        assert_eq!(edit_distance("kitten", "sitting", 9), 3); // the textbook example
    }

    #[test]
    fn lines_are_counted_from_one() {
        let mut sources = Sources::default();
        let file = sources.add("a.rules", "one\ntwo\nthree");
        assert_eq!(sources.line(Span::new(file, 0, 1)), 1);
        assert_eq!(sources.line(Span::new(file, 4, 5)), 2);
        assert_eq!(sources.text(Span::new(file, 8, 13)), "three");
    }
}
