//! The table as lines of text: a situation, below it a line for each variant with figures, a bar and the change.
//!
//! In: figures as text, how wide a line is. Out: lines, and how many columns had no room.
//!
//! **Never:** what the figures mean.

use super::{Colour, INDENT, Look, shortened, wrapped_to};
use crate::report::columns::{from_bottom, stacked};
use crate::report::extract::{Extract, Line};
use crate::report::telling::Change;

/// The longest name of a variant.
const NAME: usize = 14;

/// Parts of a block, from an eighth to the whole.
const BLOCKS: [char; 8] = ['▏', '▎', '▍', '▌', '▋', '▊', '▉', '█'];

/// The ways to save room, the best first: the length of a bar, the gap between columns and the longest word above one.
const TIGHTER: [(usize, usize, usize); 8] =
    [(10, 2, 12), (10, 2, 10), (10, 1, 10), (8, 1, 10), (8, 1, 8), (5, 1, 8), (5, 1, 7), (5, 1, 6)];

/// How the table is laid out.
struct Layout {
    /// How many columns at the left are left out.
    skip: usize,
    /// The width of each of the others, with the gap before it.
    widths: Vec<usize>,
    /// The width of a variant's name.
    name: usize,
    /// The length of a bar.
    bar: usize,
}

/// The table, and how many columns are left out; `names` are those of the situations.
pub(super) fn table(extract: &Extract, names: &[String], look: Look) -> (Vec<String>, usize) {
    let layout = Layout::new(extract, look.width);
    let mut lines = layout.heading(extract, look);
    for (row, variants) in extract.lines.iter().enumerate() {
        let name = wrapped_to(&extract.name(names, row), look.width);
        lines.extend(name.into_iter().map(|line| look.paint(&line, Colour::Bold)));
        lines.extend(variants.iter().map(|line| layout.line(line, look)));
    }
    (lines, layout.skip)
}

impl Layout {
    /// The roomiest that fits; where nothing does, the smallest.
    fn new(extract: &Extract, width: usize) -> Self {
        let all = || extract.lines.iter().flatten();
        let longest = all().map(|line| line.variant.chars().count()).max().unwrap_or(0);
        let name = longest.clamp(7, NAME) + INDENT.len();
        let changes = all().filter(|line| line.change.is_some()).map(|line| line.words.chars().count() + 2);
        let change = changes.max().unwrap_or(0);
        let columns = extract.headings.len();
        let try_one = |skip: usize, (bar, gap, word): (usize, usize, usize)| {
            let widths = (skip..columns).map(|at| gap + needs(extract, at, word)).collect();
            Self { skip, widths, name, bar }
        };
        let fits = |layout: &Self| layout.whole() + change <= width;
        let mut ways = (0..columns).flat_map(|skip| TIGHTER.map(|tight| try_one(skip, tight)));
        ways.find(fits).unwrap_or_else(|| try_one(columns.saturating_sub(1), (0, 1, 6)))
    }

    /// How wide it is up to the end of the bars.
    fn whole(&self) -> usize {
        self.name + self.widths.iter().sum::<usize>() + 1 + self.bar
    }

    /// What stands above the columns, and a rule.
    fn heading(&self, extract: &Extract, look: Look) -> Vec<String> {
        let texts = extract.headings[self.skip..].iter().zip(&self.widths);
        let columns: Vec<Vec<String>> = texts.map(|(text, width)| stacked(text, width - 1)).collect();
        let room = look.width.saturating_sub(self.whole() + 2);
        let of_what = |(label, name): &(String, String)| {
            format!("{} against {}", shortened(label, 2 * NAME), shortened(name, NAME))
        };
        let against = extract.against.as_ref().map(of_what);
        let against = against.map_or_else(Vec::new, |text| stacked(&text, room.min(NAME + 2)));
        let high = columns.iter().map(Vec::len).max().unwrap_or(0).max(against.len());
        let line = |at: usize| {
            let cells = columns
                .iter()
                .zip(&self.widths)
                .map(|(lines, width)| format!("{:>width$}", from_bottom(lines, at, high)));
            let text = format!("{:name$}{}", "", cells.collect::<String>(), name = self.name);
            format!("{text}{:bar$}{}", "", from_bottom(&against, at, high), bar = self.bar + 3)
                .trim_end()
                .to_owned()
        };
        let mut lines: Vec<String> = (0..high).map(line).collect();
        let widest = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
        lines.push("─".repeat(widest.max(self.whole()).min(look.width)));
        lines
    }

    /// A variant in a situation.
    fn line(&self, line: &Line, look: Look) -> String {
        let name = format!("{INDENT}{}", shortened(&line.variant, NAME));
        let cells = line.figures[self.skip..].iter().zip(&self.widths);
        let cells: String = cells.map(|(cell, width)| format!("{cell:>width$}")).collect();
        let text = format!("{name:width$}{cells} ", width = self.name);
        let bar = format!("{:width$}", bar(line.bar, self.bar), width = self.bar);
        let Some(change) = line.change else { return (text + bar.trim_end()).trim_end().to_owned() };
        match change {
            Change::By(difference) => {
                let colour = if difference > 0.0 { Colour::More } else { Colour::Less };
                format!("{text}{}  {}", look.paint(&bar, colour), look.paint(&line.words, colour))
            }
            _ => format!("{text}{bar}  {}", line.words).trim_end().to_owned(),
        }
    }
}

/// How wide a column must be where no word above it is wider than so many letters.
fn needs(extract: &Extract, column: usize, word: usize) -> usize {
    let cells = extract.lines.iter().flatten().map(|line| line.figures[column].chars().count());
    let words = extract.headings[column].split(' ').map(|text| text.chars().count().min(word));
    cells.chain(words).max().unwrap_or(0)
}

/// A bar for a fraction in 0..=1, in eighths of a character; what is not 0 is never without one.
fn bar(fraction: f64, width: usize) -> String {
    let eighths = (fraction * (width * BLOCKS.len()) as f64).round() as usize;
    let eighths = if fraction > 0.0 { eighths.max(1) } else { 0 };
    let whole = std::iter::repeat_n(BLOCKS[BLOCKS.len() - 1], eighths / BLOCKS.len());
    let part = (eighths % BLOCKS.len()).checked_sub(1).map(|at| BLOCKS[at]);
    if width == 0 { String::new() } else { whole.chain(part).collect() }
}
