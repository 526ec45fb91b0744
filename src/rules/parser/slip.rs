//! What someone new to the language meant: rulebooks, text processors and other languages teach other spellings.
//!
//! In: the place where the parser cannot go on. Out: a mistake that says how it is written here.

mod pool;
mod step;

use super::{Parsed, Parser, shorten};
use crate::diagnostic::{Diagnostic, Span};
use crate::rules::lexer::{CURLY_QUOTES, Token};
use crate::rules::tree::{Expr, ExprNode};

/// Characters that are printed for what is written otherwise here.
const CHARACTERS: [(&str, &str); 9] = [
    (DASHES, "-"),
    ("≥", ">="),
    ("≤", "<="),
    ("≠", "is not"),
    ("×", "*"),
    ("…", ".."),
    ("→", "->"),
    ("&", "and"),
    ("!", "not"),
];
const DASHES: &str = "−–—‒‐‑";

/// Words behind `or` and `and` that leave one end of a range open: towards zero, away from it.
const OPEN_ENDS: [[&str; 7]; 2] = [
    ["less", "fewer", "lower", "under", "below", "down", "smaller"],
    ["more", "greater", "higher", "over", "above", "up", "better"],
];

/// `5 or less` and the like, as it is written here, if that is what the word behind the `or` says.
pub(in crate::rules) fn open_ended(number: &str, word: &str) -> Option<String> {
    number.parse::<i32>().ok()?;
    let side = OPEN_ENDS.iter().position(|words| words.contains(&word))?;
    Some(if side == 0 { format!("..{number}") } else { format!("{number}+") })
}

impl Parser<'_> {
    /// The mistake at something that no rule is written with.
    pub(super) fn stray(&self) -> Diagnostic {
        let text = self.text_at(self.span());
        let quotes = CURLY_QUOTES.iter().any(|quotes| text.starts_with(|c| quotes.contains(c)));
        if quotes {
            let inside: String = text.chars().skip(1).take(text.chars().count().saturating_sub(2)).collect();
            let inside = if inside.is_empty() { "…" } else { &shorten(&inside) };
            return Diagnostic::error(self.span(), "a text stands in straight double quotes", "other quotes")
                .remedy(format!("use straight quotes: `\"{inside}\"`"));
        }
        let here = |(printed, _): &&(&str, &str)| text.starts_with(|c| printed.contains(c));
        let behind_dice = self.at > 0 && matches!(self.tokens[self.at - 1].0, Token::Die(_));
        if behind_dice && text.starts_with('!') {
            let mistake = Diagnostic::error(self.span(), "dice are asked in words", "not understood");
            return mistake.remedy("for dice that are rolled on write `explode 6 at most 3 times`");
        }
        let remedy = match CHARACTERS.iter().find(here) {
            Some((_, written)) => format!("use `{written}`"),
            None => "remove it; names are made of letters, digits and `_`".to_owned(),
        };
        Diagnostic::error(self.span(), "no rule is written with this character", "not understood")
            .remedy(remedy)
    }

    /// The remedy at a comparison that other languages have.
    pub(super) fn foreign_comparison(&self) -> Option<&'static str> {
        match (self.text_at(self.span()), self.token_after(1)) {
            ("=", Token::Symbol(">")) => Some("did you mean `>=`?"),
            ("=", Token::Symbol("<")) => Some("did you mean `<=`?"),
            ("==" | "!=" | "=", _) => Some("to compare, write `is` or `is not`"),
            _ => None,
        }
    }

    /// The mistake of a set as rulebooks print it: `4-6`, `4 to 6`, `3-`, `5 or less`, `9 and over`. The first number
    /// has been read.
    pub(super) fn printed_set(&self, low: &Expr) -> Option<Diagnostic> {
        let first = number_of(low)?;
        let (written, word) = (self.text_at(low.span), self.text_at(self.span()));
        let dash =
            ["-", "to"].contains(&word) || word.chars().all(|c| DASHES.contains(c)) && !word.is_empty();
        let (meant, message) = match (self.token_after(1), self.token_after(2)) {
            (Token::Number(high), _) if dash && high > first => {
                (format!("{written}..{high}"), "a range is written with two dots")
            }
            (Token::Symbol("|"), _) if dash => (format!("..{written}"), "a range is written with two dots"),
            (Token::Name, Token::Symbol("|")) if ["or", "and"].contains(&word) => {
                (open_ended(written, self.text_after(1))?, "a range is written with a sign, not in words")
            }
            _ => return None,
        };
        let last = if self.token_after(1) == Token::Symbol("|") { 0 } else { 1 };
        let span = self.tokens.get(self.at + last).map_or(low.span, |(_, last)| low.span.to(*last));
        Some(Diagnostic::error(span, message, "here").remedy(format!("write `{meant}`")))
    }

    /// `d3 d6`: a reader takes it for two dice side by side.
    pub(super) fn die_counts_dice<T>(&mut self, count: Span) -> Parsed<T> {
        let written = format!("({}) {}", self.text_at(count), self.text_at(self.span()));
        let mistake = Diagnostic::error(
            self.span(),
            "a roll that says how many dice are rolled stands in brackets",
            "a second die",
        )
        .also(count, "this roll");
        self.fail(mistake.remedy(format!("write `{written}`, or `+` between two dice")))
    }
}

/// The number that is written here, if one is.
fn number_of(expr: &Expr) -> Option<i32> {
    match &expr.node {
        ExprNode::Number(number) => Some(*number),
        ExprNode::Negate(inside) => number_of(inside).map(|number| -number),
        _ => None,
    }
}
