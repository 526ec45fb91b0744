//! Plain text in columns, for a terminal of 80 characters.
//!
//! In: a heading and rows. Out: lines.
//!
//! **Never:** what stands in them.

/// How wide a line may be, in characters.
pub(super) const WIDTH: usize = 80;

/// No word of a heading makes its column wider than this.
const WORD: usize = 12;

/// Between two columns.
const GAP: &str = "  ";

/// A table whose first `left` columns begin at the left and the others end at the right; `None` where it is too wide. A
/// heading of several words may stand on several lines.
pub(super) fn columns(heading: &[String], rows: &[Vec<String>], left: usize) -> Option<Vec<String>> {
    let width = |at: usize| {
        let cells = rows.iter().filter_map(|row| row.get(at)).map(|cell| cell.chars().count());
        let words = heading[at].split(' ').map(|word| word.chars().count().min(WORD));
        cells.chain(words).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..heading.len()).map(width).collect();
    let total = widths.iter().sum::<usize>() + GAP.len() * widths.len().saturating_sub(1);
    if total > WIDTH {
        return None;
    }
    let headings: Vec<Vec<String>> =
        heading.iter().zip(&widths).map(|(text, width)| stacked(text, *width)).collect();
    let high = headings.iter().map(Vec::len).max().unwrap_or(0);
    let mut lines: Vec<String> = (0..high)
        .map(|at| line(headings.iter().map(|lines| from_bottom(lines, at, high)), &widths, left))
        .collect();
    lines.push("─".repeat(total));
    lines.extend(rows.iter().map(|row| line(row.iter().map(String::as_str), &widths, left)));
    Some(lines)
}

fn line<'a>(cells: impl Iterator<Item = &'a str>, widths: &[usize], left: usize) -> String {
    let padded = cells.zip(widths).enumerate().map(|(at, (cell, width))| match at < left {
        true => format!("{cell:<width$}"),
        false => format!("{cell:>width$}"),
    });
    padded.collect::<Vec<_>>().join(GAP).trim_end().to_owned()
}

/// Words on as few lines of so many characters as they need; a longer word is shortened.
pub(super) fn stacked(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        let word = super::terminal::shortened(word, width.max(2));
        match lines.last_mut() {
            Some(line) if line.chars().count() + word.chars().count() < width => *line += &format!(" {word}"),
            _ => lines.push(word),
        }
    }
    lines
}

/// One of a heading's lines, of which the last stands at the bottom of so many.
pub(super) fn from_bottom(lines: &[String], at: usize, high: usize) -> &str {
    (at + lines.len()).checked_sub(high).map_or("", |at| &lines[at])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    #[test]
    fn headings_stand_above_their_columns() {
        let rows = [words(&["a", "12.5"]), words(&["long name", "7"])];
        let lines = columns(&words(&["what", "of all shares"]), &rows, 1).unwrap();
        let expected = [
            "           of all",
            "what       shares",
            "─────────────────",
            "a            12.5",
            "long name       7",
        ];
        assert_eq!(lines, expected);
    }

    #[test]
    fn what_is_too_wide_is_refused() {
        assert_eq!(columns(&words(&["a"]), &[vec!["x".repeat(81)]], 1), None);
        assert!(columns(&words(&["a"]), &[vec!["x".repeat(80)]], 1).is_some());
    }
}
