//! Looking at words and stepping over them.

use super::Parser;
use crate::diagnostic::Span;
use crate::rules::lexer::Token;

impl<'a> Parser<'a> {
    pub(super) fn token(&self) -> Token {
        self.tokens[self.at].0
    }

    pub(super) fn span(&self) -> Span {
        self.tokens[self.at].1
    }

    /// The place of the word before the current one.
    pub(super) fn last_span(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].1
    }

    pub(super) fn token_after(&self, steps: usize) -> Token {
        self.tokens.get(self.at + steps).map_or(Token::End, |(token, _)| *token)
    }

    /// The text of a word further on.
    pub(super) fn text_after(&self, steps: usize) -> &'a str {
        self.tokens.get(self.at + steps).map_or("", |(_, span)| self.text_at(*span))
    }

    pub(super) fn text_at(&self, span: Span) -> &'a str {
        &self.text[span.start as usize..span.end as usize]
    }

    /// Steps to the next word.
    pub(super) fn step(&mut self) -> Span {
        let span = self.span();
        if self.token() != Token::End {
            self.at += 1;
        }
        self.inside_brackets();
        span
    }

    fn inside_brackets(&mut self) {
        if self.brackets > 0 {
            self.skip_newlines();
        }
    }

    pub(super) fn skip_newlines(&mut self) {
        while self.token() == Token::Newline {
            self.at += 1;
        }
    }

    pub(super) fn next_is(&self, symbol: &str) -> bool {
        matches!(self.token(), Token::Symbol(next) if next == symbol)
    }

    pub(super) fn next_is_word(&self, word: &str) -> bool {
        self.token() == Token::Name && self.text_at(self.span()) == word
    }

    /// Steps over the symbol if it is next.
    pub(super) fn has(&mut self, symbol: &str) -> bool {
        let next = self.next_is(symbol);
        if next {
            self.step();
        }
        next
    }

    /// Steps over the word if it is next.
    pub(super) fn has_word(&mut self, word: &str) -> bool {
        let next = self.next_is_word(word);
        if next {
            self.step();
        }
        next
    }

    /// Skips what is left of a broken line, with all that stands between braces on it.
    pub(super) fn skip_line(&mut self) {
        self.brackets = 0;
        let mut braces = 0_u32;
        while self.token() != Token::End {
            match self.token() {
                Token::Newline | Token::Symbol(";" | "}") if braces == 0 => break,
                Token::Symbol("{") => braces += 1,
                Token::Symbol("}") => braces -= 1,
                _ => {}
            }
            self.at += 1;
        }
        if self.token() == Token::Newline || self.next_is(";") {
            self.at += 1;
        }
    }

    /// Goes on to the next line where that begins with an operator, `and`, `or` or `else`.
    pub(super) fn join_lines(&mut self) {
        if self.token() != Token::Newline || !self.flows {
            return;
        }
        let Some(next) = self.tokens[self.at..].iter().position(|(token, _)| *token != Token::Newline) else {
            return;
        };
        let (token, span) = self.tokens[self.at + next];
        let goes_on = match token {
            Token::Symbol(symbol) => matches!(symbol, "+" | "-" | "*" | "/" | "<" | "<=" | ">" | ">="),
            Token::Name => matches!(self.text_at(span), "and" | "or" | "else"),
            _ => false,
        };
        if goes_on {
            self.at += next;
        }
    }

    /// Steps over an operator; the line may end behind it.
    pub(super) fn step_operator(&mut self) {
        self.step();
        if self.flows {
            self.skip_newlines();
        }
    }
}
