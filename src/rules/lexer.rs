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
    /// Something that no rule is written with; reported by the parser where it comes to it.
    Stray,
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
/// After so many mistakes in the words of one text no more are reported.
const MOST_MISTAKES: usize = 60;
/// Quotes as text processors print them: double ones, single ones.
pub(super) const CURLY_QUOTES: [&str; 2] = ["“”„‟«»", "‘’‚‛´'"];

/// The words of a text, and its comments.
pub(super) struct Lexed {
    /// Ends with [`Token::End`].
    pub(super) tokens: Vec<(Token, Span)>,
    /// Each from its `#` to the end of its line.
    pub(super) comments: Vec<Word>,
}

/// Splits the text at `place` (a whole file, or a stretch of another one) into words.
pub(super) fn lex(text: &str, place: Span, found: &mut Diagnostics) -> Lexed {
    let mut lexer =
        Lexer { text, at: place.start as usize, end: place.end as usize, place, mistakes: 0, found };
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
    mistakes: usize,
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
            _ if is_space(first) => {
                self.take(is_space);
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
                None => self.stray(first),
            },
        };
        lexed.tokens.push((token, self.span(start)));
    }

    fn quoted(&mut self, start: usize) -> Token {
        self.at += 1;
        let text = self.take(|c| c != '"' && c != '\n');
        if text.contains(|letter: char| letter.is_control() && letter != '\t') {
            let remedy = "take it out";
            self.report(start, "this text has a character that cannot be shown", "in here", remedy);
        }
        if self.rest().starts_with('"') {
            self.at += 1;
        } else {
            let remedy = "close it with `\"` on the same line";
            self.report(start, "this text has no closing quote", "opened here", remedy);
        }
        Token::Text
    }

    fn number(&mut self, start: usize) -> Token {
        let value = self.take(|c| c.is_ascii_digit()).parse().ok().filter(|value| *value <= LARGEST_NUMBER);
        if value.is_none() {
            let remedy = "write a number up to 1000000000";
            self.report(start, "this number is too large", "more than 1000000000", remedy);
        }
        Token::Number(value.unwrap_or(LARGEST_NUMBER))
    }

    /// `d6` is a die, every other word a name.
    fn name(&mut self, start: usize) -> Token {
        let word = self.take(|c| c.is_alphanumeric() || c == '_').to_owned();
        let faces =
            word.strip_prefix(['d', 'D']).filter(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()));
        let Some(faces) = faces.filter(|faces| !faces.is_empty()) else { return Token::Name };
        if word.starts_with('D') {
            self.report(start, "dice are written with a small d", "a capital", &format!("write `d{faces}`"));
        }
        let faces = faces.parse().unwrap_or(u32::MAX);
        if (1..=LARGEST_DIE).contains(&faces) {
            return Token::Die(faces);
        }
        let (message, remedy) =
            (format!("a die has 1 to {LARGEST_DIE} faces"), "write a die such as `d6`, `d10` or `d100`");
        self.report(start, &message, "not such a die", remedy);
        Token::Die(LARGEST_DIE)
    }

    /// Reports the word that began at `start`.
    fn report(&mut self, start: usize, message: &str, label: &str, remedy: &str) {
        self.mistakes += 1;
        if self.mistakes <= MOST_MISTAKES {
            self.found.push(Diagnostic::error(self.span(start), message, label).remedy(remedy));
        }
    }

    /// A whole run of such characters, or a text between quotes that are not straight.
    fn stray(&mut self, first: char) -> Token {
        let closing = CURLY_QUOTES.into_iter().find(|quotes| quotes.contains(first));
        let close = closing.and_then(|quotes| {
            let mut line = self.rest().char_indices().skip(1).take_while(|(_, c)| *c != '\n');
            line.find(|(_, c)| quotes.contains(*c) || *c == '"')
        });
        match close {
            Some((at, close)) => self.at += at + close.len_utf8(),
            None => {
                self.at += first.len_utf8();
                self.take(|c| !c.is_alphanumeric() && !c.is_ascii_punctuation() && !c.is_whitespace());
            }
        }
        Token::Stray
    }
}

/// Spaces of every sort: text processors put some that cannot be told apart.
fn is_space(c: char) -> bool {
    c == '\u{feff}' || c != '\n' && c.is_whitespace()
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
    fn what_no_terminal_can_show_is_refused_in_a_text() {
        let text = "\"a\u{1b}[31m\" \"a\tb\"";
        let file = Sources::default().add("test", text);
        let mut found = Diagnostics::default();
        lex(text, Span::new(file, 0, text.len()), &mut found);
        let told: Vec<&str> = found.iter().map(|one| one.message.as_str()).collect();
        assert_eq!(told, ["this text has a character that cannot be shown"]);
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
