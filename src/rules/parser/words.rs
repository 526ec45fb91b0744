//! Which words are known by their place: those that ask something of dice, those that go on behind a value, and those
//! that begin another step.
//!
//! **Never:** what a name stands for.

use super::Parser;
use crate::rules::lexer::Token;

/// Words that cannot be names, anywhere.
pub(super) const RESERVED: [&str; 23] = [
    "let", "var", "if", "else", "repeat", "until", "for", "in", "stop", "return", "record", "choose",
    "chosen", "and", "or", "not", "is", "with", "yes", "no", "any", "per", "cap",
];
/// Words that ask something of the dice before them, or do something to them; and `any`, which is reserved.
pub(super) const DICE_WORDS: [&str; 12] = [
    "count", "any", "all", "keep", "drop", "highest", "lowest", "rank", "reroll", "explode", "alike",
    "doubles",
];
/// Words that go on behind a value without being a die.
const BEHIND: [&str; 12] =
    ["times", "dice", "at", "most", "least", "from", "as", "then", "do", "to", "of", "chosen"];
/// Words that begin a step.
pub(super) const STEPS: [&str; 8] = ["let", "var", "if", "repeat", "for", "stop", "record", "return"];

/// Whether a die may have this name.
pub(super) fn names_a_die(word: &str) -> bool {
    !RESERVED.contains(&word) && !DICE_WORDS.contains(&word) && !BEHIND.contains(&word)
}

/// Whether a text can stand without quotes where a name is needed.
pub(in crate::rules) fn is_a_name(text: &str) -> bool {
    let letters = text.chars().all(|c| c.is_alphanumeric() || c == '_');
    let die =
        text.strip_prefix(['d', 'D']).is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()));
    letters
        && text.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && !(die && text.len() > 1)
        && !RESERVED.contains(&text)
}

impl Parser<'_> {
    /// The dice word that is next, if one is.
    pub(super) fn dice_word(&self) -> Option<&'static str> {
        if self.token() != Token::Name || self.sets_something() {
            return None;
        }
        DICE_WORDS.into_iter().find(|word| self.next_is_word(word))
    }

    /// Whether the word that is next begins a step such as `x = 1`, `x += 1`, `x[1] = 1`.
    pub(super) fn sets_something(&self) -> bool {
        matches!(self.token_after(1), Token::Symbol("=" | "+=" | "-="))
    }

    /// Whether the word behind a value is a name that the author gave: perhaps a die, perhaps a slip.
    pub(super) fn free_word_is_next(&self) -> bool {
        self.token() == Token::Name
            && names_a_die(self.text_at(self.span()))
            && !matches!(self.token_after(1), Token::Symbol("=" | "+=" | "-=" | "(" | "[" | "." | ":"))
    }

    /// Whether one word or one bracket is next, where it may be left out.
    pub(super) fn argument_is_next(&self) -> bool {
        match self.token() {
            Token::Number(_) | Token::Symbol("(") => true,
            Token::Name => names_a_die(self.text_at(self.span())) && !self.sets_something(),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn editors_colour_every_word_of_the_language() {
        let grammar = include_str!("../../../docs/editors/vscode/rules.tmLanguage.json");
        let words: Vec<&str> = grammar.split(|c: char| !c.is_ascii_alphabetic()).collect();
        for word in RESERVED.iter().chain(&DICE_WORDS).chain(&BEHIND).chain(&STEPS) {
            assert!(words.contains(word), "{word}");
        }
    }
}
