//! Words → tree. Goes on after a mistake, so that one run reports several.
//!
//! In: the words of a text. Out: the tree, and a diagnostic for each mistake.
//!
//! **Never:** what a name stands for.

mod chart;
mod choose;
mod cursor;
mod expression;
mod item;
mod loops;
mod pool;
mod set;
mod slip;
mod statement;
mod unit;
mod words;

use super::lexer::{Lexed, Token, lex};
use super::tree::{Expr, File, SetNode, Word};
use crate::diagnostic::{Diagnostic, Diagnostics, FileId, Sources, Span};

/// How deep blocks may be nested, and how many operands and brackets one expression may have: more than any rulebook
/// prints, and little enough for every later stage to follow them by plain recursion.
const DEEPEST_BLOCK: u32 = 40;
const LONGEST_EXPRESSION: u32 = 1_000;
/// After so many mistakes in one file the rest is not looked at.
const MOST_MISTAKES: u32 = 60;

pub(super) use slip::open_ended;
pub(super) use words::is_a_name;
use words::{RESERVED, STEPS};

/// A mistake was reported; whoever can find the next sound place goes on there.
pub(super) struct Broken;
type Parsed<T> = Result<T, Broken>;

/// Parses a whole file. `None` only where nothing can be made of it at all.
pub(super) fn parse_file(file: FileId, sources: &Sources, found: &mut Diagnostics) -> Option<File> {
    let text = &sources.get(file).text;
    Parser::new(text, Span::new(file, 0, text.len()), found).file()
}

/// Parses the text at a place as one expression.
pub(super) fn parse_expression(place: Span, sources: &Sources, found: &mut Diagnostics) -> Option<Expr> {
    Parser::new(&sources.get(place.file).text, place, found).alone(Parser::expression)
}

/// Parses the text at a place as a set, with or without braces.
pub(super) fn parse_set(place: Span, sources: &Sources, found: &mut Diagnostics) -> Option<SetNode> {
    Parser::new(&sources.get(place.file).text, place, found).alone(|parser| match parser.next_is("{") {
        true => parser.set(),
        false => parser.set_list(),
    })
}

struct Parser<'a> {
    text: &'a str,
    tokens: Vec<(Token, Span)>,
    comments: Vec<Word>,
    at: usize,
    /// How many brackets are open; inside them line ends mean nothing.
    brackets: u32,
    /// Whether a line goes on when the next one begins with an operator: not in charts and modifiers.
    flows: bool,
    blocks: u32,
    operands: u32,
    /// How many `choose` are open whose options are being read.
    options: u32,
    mistakes: u32,
    found: &'a mut Diagnostics,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str, place: Span, found: &'a mut Diagnostics) -> Self {
        let Lexed { tokens, comments } = lex(text, place, found);
        let start = Self {
            text,
            tokens,
            comments,
            at: 0,
            brackets: 0,
            flows: true,
            blocks: 0,
            operands: 0,
            options: 0,
            mistakes: 0,
            found,
        };
        debug_assert!(matches!(start.tokens.last(), Some((Token::End, _))));
        start
    }

    /// Parses one thing that fills the whole text.
    fn alone<T>(mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Option<T> {
        self.brackets = 1;
        self.skip_newlines();
        let parsed = parse(&mut self).ok()?;
        if self.token() != Token::End {
            let remedy = "take out what follows, or join it to the rest with a sign, `and` or `or`";
            self.unexpected::<T>("nothing more should stand here", remedy).err()?;
            return None;
        }
        Some(parsed)
    }

    /// What stands between two brackets, and the place of all; inside, line ends mean nothing.
    fn bracketed<T>(
        &mut self,
        open: &'static str,
        close: &'static str,
        inside: impl FnOnce(&mut Self) -> Parsed<T>,
    ) -> Parsed<(T, Span)> {
        self.brackets += 1;
        let parsed = self.symbol(open).and_then(|start| {
            if self.next_is(close) {
                let nothing =
                    Diagnostic::error(start.to(self.span()), "these brackets are empty", "nothing in them");
                return self.fail(nothing.remedy("leave them out, or write something into them"));
            }
            inside(self).map(|parsed| (parsed, start))
        });
        let closed = parsed.is_err() || self.next_is(close);
        self.brackets -= 1;
        let (parsed, start) = parsed?;
        match closed {
            true => Ok((parsed, start.to(self.step()))),
            false => self.expected(&format!("`{close}`")),
        }
    }

    fn symbol(&mut self, symbol: &'static str) -> Parsed<Span> {
        match self.next_is(symbol) {
            true => Ok(self.step()),
            false => self.expected(&format!("`{symbol}`")),
        }
    }

    /// A name that the author gives or uses.
    fn name(&mut self, what: &str) -> Parsed<Word> {
        let span = self.span();
        let text = self.text_at(span);
        match self.token() {
            Token::Name if RESERVED.contains(&text) => self.fail(
                Diagnostic::error(
                    span,
                    format!("`{text}` is a word of the language"),
                    format!("{what} is needed here"),
                )
                .remedy(format!("take another name, such as `{text}_`")),
            ),
            Token::Name => {
                self.step();
                Ok(Word { text: text.to_owned(), span })
            }
            Token::Die(_) => self.fail(
                Diagnostic::error(
                    span,
                    format!("`{text}` is a die, not a name"),
                    format!("{what} is needed here"),
                )
                .remedy("names may not be `d` and digits alone"),
            ),
            _ => self.expected(what),
        }
    }

    /// A quoted text.
    fn quoted(&mut self, what: &str) -> Parsed<Word> {
        match self.label() {
            Some(word) => Ok(word),
            None => self.expected(&format!("{what} in quotes")),
        }
    }

    /// A quoted text, if one is next.
    fn label(&mut self) -> Option<Word> {
        (self.token() == Token::Text).then(|| {
            let span = self.step();
            let text = self.text_at(span);
            let text = text.strip_prefix('"').unwrap_or(text);
            Word { text: text.strip_suffix('"').unwrap_or(text).to_owned(), span }
        })
    }

    /// What ends a statement, a row, a line: `;`, the end of the line, or (not stepped over) a closing brace.
    fn line_end(&mut self) -> Parsed<()> {
        if self.token() == Token::Newline || self.next_is(";") {
            self.at += 1;
            return Ok(());
        }
        if self.token() == Token::End || self.next_is("}") {
            return Ok(());
        }
        let word = self.text_at(self.span());
        if STEPS.contains(&word) || self.token() == Token::Name && self.sets_something() {
            let second =
                Diagnostic::error(self.span(), format!("`{word}` begins another step"), "on the same line");
            return self.fail(second.remedy("write each step on a line of its own, or put `;` between them"));
        }
        if self.next_is(",") {
            let comma = Diagnostic::error(self.span(), "a comma does not end a line", "here");
            return self.fail(comma.remedy("write each one on a line of its own, or put `;` between them"));
        }
        self.unexpected("the line should end here", "begin a new line, or put `;` between two steps")
    }

    /// The lines between braces, each parsed by `line`; a broken line is reported and skipped.
    fn lines<T>(
        &mut self,
        flows: bool,
        mut line: impl FnMut(&mut Self) -> Parsed<T>,
    ) -> Parsed<(Vec<T>, Span)> {
        let open = self.symbol("{")?;
        let before = std::mem::replace(&mut self.flows, flows);
        let mut lines = Vec::new();
        loop {
            while self.token() == Token::Newline || self.next_is(";") {
                self.at += 1;
            }
            if self.token() == Token::End || self.mistakes >= MOST_MISTAKES {
                self.flows = before;
                let unclosed = Diagnostic::error(open, "this brace is never closed", "opened here");
                return self.fail(unclosed.remedy("close it with `}`"));
            }
            if self.next_is("}") {
                break;
            }
            let start = self.at;
            match line(self) {
                Ok(parsed) => lines.push(parsed),
                Err(Broken) => self.skip_line(),
            }
            if self.at == start {
                self.at += 1;
            }
        }
        self.flows = before;
        Ok((lines, open.to(self.step())))
    }

    /// Reports a mistake; but where the parser has come to something that no rule is written with, rather that.
    fn fail<T>(&mut self, diagnostic: Diagnostic) -> Parsed<T> {
        let diagnostic = if self.token() == Token::Stray { self.stray() } else { diagnostic };
        if self.mistakes < MOST_MISTAKES {
            self.found.push(diagnostic);
        }
        self.mistakes += 1;
        Err(Broken)
    }

    fn expected<T>(&mut self, what: &str) -> Parsed<T> {
        let instead = match self.token() {
            Token::Newline | Token::End => "",
            _ => ", or take out what stands in its place",
        };
        self.unexpected(&format!("expected {what}"), &format!("put {what} here{instead}"))
    }

    fn unexpected<T>(&mut self, message: &str, remedy: &str) -> Parsed<T> {
        let stands = match self.token() {
            Token::Newline => "the line ends here".to_owned(),
            Token::End => "the text ends here".to_owned(),
            _ => format!("found `{}`", shorten(self.text_at(self.span()))),
        };
        let mistake = Diagnostic::error(self.span(), message, stands);
        self.fail(mistake.remedy(self.foreign_comparison().unwrap_or(remedy)))
    }
}

/// At most forty characters, for messages.
pub(super) fn shorten(text: &str) -> String {
    let mut short: String = text.chars().take(40).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}
