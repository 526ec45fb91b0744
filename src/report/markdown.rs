//! Tables in Markdown that can be read as plain text, too: columns stand below their headings.
//!
//! In: a heading and rows. Out: Markdown.
//!
//! **Never:** what stands in them.

mod escape;

pub(super) use escape::{escape, escaped};

use super::words::{cell, is_figure};

/// No cell makes its column wider than this; a longer one sticks out.
const WIDEST: usize = 100;

/// A table; the first column on the left, columns of figures on the right.
pub(super) fn table(heading: &[String], rows: &[Vec<String>]) -> String {
    let written = |row: &Vec<String>| row.iter().map(|text| cell(text)).collect::<Vec<_>>();
    let (heading, rows) = (written(&heading.to_vec()), rows.iter().map(written).collect::<Vec<_>>());
    let columns: Vec<(usize, bool)> = (0..heading.len()).map(|at| column(&heading[at], &rows, at)).collect();
    let rule = columns.iter().map(|(width, right)| match right {
        true => format!(" {}: |", "-".repeat(width - 1)),
        false => format!(" {} |", "-".repeat(*width)),
    });
    let rule: String = rule.collect();
    format!("{}|{rule}\n", line(&heading, &columns))
        + &rows.iter().map(|row| line(row, &columns)).collect::<String>()
}

/// How wide a column is, and whether its cells end at the right.
fn column(heading: &str, rows: &[Vec<String>], at: usize) -> (usize, bool) {
    let cells = || rows.iter().filter_map(|row| row.get(at));
    let widths = cells().map(|cell| cell.chars().count()).filter(|width| *width <= WIDEST);
    let width = widths.chain([heading.chars().count(), 4]).max().unwrap_or(4);
    (width, at > 0 && cells().any(|cell| is_figure(cell)))
}

fn line(cells: &[String], columns: &[(usize, bool)]) -> String {
    let padded = cells.iter().zip(columns).map(|(cell, (width, right))| match right {
        true => format!(" {cell:>width$} |"),
        false => format!(" {cell:<width$} |"),
    });
    format!("|{}\n", padded.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    #[test]
    fn columns_stand_below_their_headings() {
        let rows = [words(&["Horse", "5.6", "holds"]), words(&["Foot | guns", "100.0", "**fails**"])];
        let expected = "\
| Troop        |     % | Verdict   |
| ------------ | ----: | --------- |
| Horse        |   5.6 | holds     |
| Foot \\| guns | 100.0 | **fails** |
";
        assert_eq!(table(&words(&["Troop", "%", "Verdict"]), &rows), expected);
    }

    #[test]
    fn a_very_long_cell_does_not_move_the_others() {
        let rows = [words(&["x", "1"]), vec!["y".repeat(101), "2".to_owned()]];
        let lines = table(&words(&["what", "how many"]), &rows);
        assert!(lines.contains("\n| x    |        1 |\n") && lines.contains(" |        2 |\n"), "{lines}");
    }
}
