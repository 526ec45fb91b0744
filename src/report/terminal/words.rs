//! What a terminal says below the table.
//!
//! In: the question, what the counts say, what the table shows. Out: lines.
//!
//! **Never:** the figures of single situations.

use super::{Colour, Look, wrapped_to};
use crate::analyse::Analysis;
use crate::report::agreement::in_short;
use crate::report::extract::{Extract, said};
use crate::report::summary::{claims_in_short, expects_in_short, looked, related_in_short};
use crate::report::unsolved::interpreted;
use crate::report::words::situations;
use crate::scenario::Scenario;

/// What is shown, and where all of it can be found.
pub(super) struct Shown<'a> {
    /// The table.
    pub(super) extract: &'a Extract,
    /// How many more columns had no room.
    pub(super) no_room: usize,
    /// A file.
    pub(super) all: &'a str,
}

/// All lines below the table.
pub(super) fn below(scenario: &Scenario, analysis: &Analysis, shown: &Shown, look: Look) -> Vec<String> {
    let extract = shown.extract;
    let told = extract.telling.label(scenario);
    let bars = match scenario.variants.len() {
        0 | 1 => format!("The bars show \"{told}\"."),
        _ => format!("The bars and the change are of \"{told}\"."),
    };
    let mut legend = said::legend(scenario, analysis, extract, (shown.no_room, shown.all));
    legend.insert(1, bars);
    let mut lines = wrapped_flush(&legend.join(" "), look.width);
    let parts = [
        said::changes(scenario, analysis, extract.telling),
        related_in_short(scenario, analysis, &situations(scenario)),
        claims_in_short(scenario, &analysis.claims, ", which are in claims.csv"),
        expects_in_short(scenario, &analysis.expects),
        interpreted(scenario, analysis).into_iter().chain(looked(scenario, analysis)).collect(),
        in_short(scenario, analysis).into_iter().collect(),
    ];
    for text in parts.into_iter().filter(|part| !part.is_empty()) {
        lines.push(String::new());
        lines.extend(
            text.iter().flat_map(|text| wrapped_to(text, look.width)).map(|line| painted(&line, look)),
        );
    }
    lines
}

/// In lines that all begin at the left.
fn wrapped_flush(text: &str, width: usize) -> Vec<String> {
    wrapped_to(text, width).into_iter().map(|line| line.trim_start().to_owned()).collect()
}

/// With the words in colour that say how something ended or what changes.
fn painted(line: &str, look: Look) -> String {
    let words = [
        ("Claim holds:", Colour::Holds),
        ("Claim fails:", Colour::Fails),
        ("Claim is undecided:", Colour::Open),
        ("Missed:", Colour::Fails),
        ("more often", Colour::More),
        ("less often", Colour::Less),
    ];
    words.iter().fold(line.to_owned(), |line, (word, colour)| line.replace(word, &look.paint(word, *colour)))
}
