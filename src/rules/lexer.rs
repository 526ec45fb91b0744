//! Text → words. Every word keeps its place; comments are kept aside for the printer.
//!
//! **Never:** what a word means.

use super::tree::Word;
use crate::diagnostic::{Diagnostic, Diagnostics, Span};

/// The sorts of words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Token {
    /// A name or a word of the language: which one, its place decides.
    Name,
    /// A whole number.
    Number(i32),
    /// `d6`: a die with so many faces.
    Die(u32),
    /// `"text"`.
    Text,
    /// Anything of [`SYMBOLS`].
    Symbol(&'static str),
    /// The end of a line.
    Newline,
    /// The end of the file.
    End,
}

/// Longest first, so that `<=` is not read as `<` and `=`.
const SYMBOLS: [&str; 27] = [
    "->", "..", "==", "!=", "+=", "-=", "<=", ">=", "{", "}", "(", ")", "[", "]", ",", ";", ":", "|", "=",
    "+", "-", "*", "/", "<", ">", ".", "%",
];

/// The largest number that may be written in a rules file, and the largest die.
pub(super) const LARGEST_NUMBER: i32 = 1_000_000_000;
const LARGEST_DIE: u32 = 1_000;

/// The words of a text, and its comments.
pub(super) struct Lexed {
    /// Ends with [`Token::End`].
    pub(super) tokens: Vec<(Token, Span)>,
    /// Each from its `#` to the end of its line.
    pub(super) comments: Vec<Word>,
}

/// Splits the text at `place` (a whole file, or a stretch of another one) into words.
pub(super) fn lex(text: &str, place: Span, found: &mut Diagnostics) -> Lexed {
    let mut lexer = Lexer { text, at: place.start as usize, end: place.end as usize, place, found };
    let mut lexed = Lexed { tokens: Vec::new(), comments: Vec::new() };
    while lexer.at < lexer.end {
        lexer.word(&mut lexed);
    }
    lexed.tokens.push((Token::End, lexer.span(lexer.end)));
    lexed
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    end: usize,
    place: Span,
    found: &'a mut Diagnostics,
}

impl Lexer<'_> {
    fn span(&self, start: usize) -> Span {
        Span::new(self.place.file, start, self.at)
    }

    fn rest(&self) -> &str {
        &self.text[self.at..self.end]
    }

    /// Steps over the characters that fit and returns them.
    fn take(&mut self, fits: impl Fn(char) -> bool) -> &str {
        let length = self.rest().find(|c| !fits(c)).unwrap_or(self.rest().len());
        self.at += length;
        &self.text[self.at - length..self.at]
    }

    fn word(&mut self, lexed: &mut Lexed) {
        let start = self.at;
        let Some(first) = self.rest().chars().next() else { return };
        let token = match first {
            '\n' => {
                self.at += 1;
                Token::Newline
            }
            ' ' | '\t' | '\r' | '\u{feff}' => {
                self.take(|c| matches!(c, ' ' | '\t' | '\r' | '\u{feff}'));
                return;
            }
            '#' => {
                let text = self.take(|c| c != '\n').trim_end().to_owned();
                lexed.comments.push(Word { text, span: self.span(start) });
                return;
            }
            '"' => self.quoted(start),
            '0'..='9' => self.number(start),
            _ if first.is_alphabetic() || first == '_' => self.name(start),
            _ => match SYMBOLS.iter().find(|symbol| self.rest().starts_with(**symbol)) {
                Some(symbol) => {
                    self.at += symbol.len();
                    Token::Symbol(symbol)
                }
                None => return self.stray(start),
            },
        };
        lexed.tokens.push((token, self.span(start)));
    }

    fn quoted(&mut self, start: usize) -> Token {
        self.at += 1;
        self.take(|c| c != '"' && c != '\n');
        if self.rest().starts_with('"') {
            self.at += 1;
        } else {
            let span = self.span(start);
            self.found.push(
                Diagnostic::error(span, "this text has no closing quote", "opened here")
                    .remedy("close it with `\"` on the same line"),
            );
        }
        Token::Text
    }

    fn number(&mut self, start: usize) -> Token {
        let value = self.take(|c| c.is_ascii_digit()).parse().ok().filter(|value| *value <= LARGEST_NUMBER);
        if value.is_none() {
            let span = self.span(start);
            self.found.push(
                Diagnostic::error(span, "this number is too large", "more than 1000000000")
                    .remedy("write a number up to 1000000000"),
            );
        }
        Token::Number(value.unwrap_or(LARGEST_NUMBER))
    }

    /// `d6` is a die, every other word a name.
    fn name(&mut self, start: usize) -> Token {
        let word = self.take(|c| c.is_alphanumeric() || c == '_');
        let faces = word.strip_prefix('d').filter(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()));
        let Some(faces) = faces.filter(|faces| !faces.is_empty()) else { return Token::Name };
        let faces = faces.parse().unwrap_or(u32::MAX);
        if (1..=LARGEST_DIE).contains(&faces) {
            return Token::Die(faces);
        }
        let span = self.span(start);
        self.found.push(
            Diagnostic::error(span, format!("a die has 1 to {LARGEST_DIE} faces"), "not such a die")
                .remedy("write a die such as `d6`, `d10` or `d100`"),
        );
        Token::Die(LARGEST_DIE)
    }

    /// One message for a whole run of characters that no rule is written with.
    fn stray(&mut self, start: usize) {
        self.take(|c| !c.is_alphanumeric() && !c.is_ascii_punctuation() && !c.is_whitespace());
        if self.at == start {
            self.at += self.rest().chars().next().map_or(1, char::len_utf8);
        }
        let span = self.span(start);
        self.found.push(
            Diagnostic::error(span, "no rule is written with this character", "not understood")
                .remedy("remove it; names are made of letters, digits and `_`"),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Sources;

    fn tokens(text: &str) -> Vec<Token> {
        let file = Sources::default().add("test", text);
        let mut found = Diagnostics::default();
        let lexed = lex(text, Span::new(file, 0, text.len()), &mut found);
        assert!(found.is_empty(), "{found:?}");
        lexed.tokens.into_iter().map(|(token, _)| token).collect()
    }

    #[test]
    fn a_roll_is_a_number_and_a_die() {
        assert_eq!(tokens("2d6"), [Token::Number(2), Token::Die(6), Token::End]);
    }

    #[test]
    fn only_d_and_digits_make_a_die() {
        assert_eq!(tokens("disordered d6_bonus d"), [Token::Name, Token::Name, Token::Name, Token::End]);
    }

    #[test]
    fn comments_are_kept_aside() {
        let text = "a # why\nb";
        let file = Sources::default().add("test", text);
        let lexed = lex(text, Span::new(file, 0, text.len()), &mut Diagnostics::default());
        assert_eq!(lexed.comments[0].text, "# why");
        assert_eq!(lexed.tokens.len(), 4);
    }
}
