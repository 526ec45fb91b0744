//! What a terminal shows of a run: its shares per situation and variant with small bars, and what they come to in words.
//!
//! In: the question, what the counts say, and what the terminal is like. Out: text, with colours only where they are
//! wanted; nothing is told by colour alone.
//!
//! **Never:** printing, finding out what the terminal is like.

mod lines;
mod words;

use super::extract::Extract;
use super::words::{situations, thousands};
use crate::analyse::Analysis;
use crate::scenario::Scenario;

/// How wide text is that does not know where it will stand.
const WIDTH: usize = 80;

/// How many lines the situations and variants take at most.
const ROWS: usize = 36;

/// What stands before a variant.
pub(super) const INDENT: &str = "  ";

/// What a terminal is like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Look {
    /// How many characters a line has.
    pub width: usize,
    /// Whether colours can be shown and are wanted.
    pub colour: bool,
}

impl Look {
    /// Text in a colour, if colours are wanted.
    fn paint(self, text: &str, colour: Colour) -> String {
        if !self.colour || text.trim().is_empty() {
            return text.to_owned();
        }
        format!("\u{1b}[{}m{text}\u{1b}[0m", colour as u8)
    }
}

/// Colours by their numbers in a terminal; each can be read on white and on black.
#[derive(Clone, Copy)]
enum Colour {
    Bold = 1,
    Fails = 31,
    Holds = 32,
    Open = 33,
    More = 35,
    Less = 36,
}

/// The title, the table, and what must be said of it; `all` names the file in which every row can be found.
pub fn shares(scenario: &Scenario, analysis: &Analysis, all: &str, look: Look) -> String {
    let most = (ROWS / (scenario.variants.len() + 1)).max(1);
    let extract = Extract::new(scenario, analysis, most);
    let (table, no_room) = lines::table(&extract, &situations(scenario), look);
    let title = wrapped_to(&scenario.title, look.width);
    let mut lines: Vec<String> = title.iter().map(|line| look.paint(line, Colour::Bold)).collect();
    let shown = words::Shown { extract: &extract, no_room, all };
    lines.extend([String::new()].into_iter().chain(table).chain([String::new()]));
    lines.extend(words::below(scenario, analysis, &shown, look));
    lines.push(String::new());
    lines.join("\n")
}

/// In lines that are not too wide, all but the first set in.
pub(super) fn wrapped(text: &str) -> Vec<String> {
    wrapped_to(text, WIDTH)
}

/// The same in lines of so many characters.
fn wrapped_to(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        let word = shortened(word, (width / 2).max(8));
        match lines.last_mut() {
            Some(line) if line.chars().count() + word.chars().count() < width => *line += &format!(" {word}"),
            Some(_) => lines.push(format!("{INDENT}{INDENT}{word}")),
            None => lines.push(word),
        }
    }
    lines
}

/// At most so many letters; an ellipsis stands for those left out.
pub(super) fn shortened(word: &str, letters: usize) -> String {
    if word.chars().count() <= letters {
        return word.to_owned();
    }
    word.chars().take(letters - 1).chain(['…']).collect()
}

/// How many trials were not played again, of how many.
pub fn reused(reused: u64, of: u64) -> String {
    format!("Reused {} of {} trials", thousands(reused), thousands(of))
}

#[cfg(test)]
mod tests;
