//! Dice as other games, programs and languages write them.

use super::super::words::{DICE_WORDS, RESERVED};
use super::super::{Parsed, Parser};
use super::open_ended;
use crate::diagnostic::Diagnostic;
use crate::rules::lexer::Token;
use crate::rules::tree::{Expr, ExprNode, Word};

impl Parser<'_> {
    /// `1s`, `3d6kh2`, `d%`: a word that touches the number before it.
    pub(in super::super) fn glued_to_a_number(&mut self, before: &Expr) -> Parsed<()> {
        let (span, word) = (self.span(), self.text_at(self.span()));
        let touches = self.token() == Token::Name && before.span.end == span.start;
        if !touches || !matches!(before.node, ExprNode::Number(_)) || word == "d" {
            return Ok(());
        }
        let number = self.text_at(before.span);
        let die = word.strip_prefix('d').filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        let (message, remedy) = match die {
            Some(rest) => {
                let faces: String = rest.chars().take_while(char::is_ascii_digit).collect();
                let message = "what is done with the dice is written in words, behind a space";
                (
                    message,
                    format!("write such as `{number}d{faces} highest 2` or `{number}d{faces} drop lowest`"),
                )
            }
            None => {
                let message = "a number and a name do not stand so close together";
                (message, format!("write `{number}`, or, if it is a die, `{number} {word}`"))
            }
        };
        self.fail(Diagnostic::error(before.span.to(span), message, "not understood").remedy(remedy))
    }

    /// `d6 >= 4+`: a number with a plus that adds nothing to it.
    pub(in super::super) fn range_for_a_number(&mut self) -> Parsed<()> {
        let (number, before) = (self.last_span(), self.tokens[self.at.saturating_sub(1)].0);
        if !matches!(before, Token::Number(_)) || !self.plus_touches(number) {
            return Ok(());
        }
        let behind = (1..).find(|at| self.token_after(*at) != Token::Newline).unwrap_or(1);
        let ends = match self.token_after(behind) {
            Token::End | Token::Symbol("{" | "}" | ")" | "]" | "," | ";") => true,
            Token::Name => RESERVED.contains(&self.text_after(behind)),
            _ => false,
        };
        if !ends {
            return Ok(());
        }
        let (place, number) = (number.to(self.span()), self.text_at(number));
        let mistake = Diagnostic::error(place, format!("`{number}+` is a range, not a number"), "a range");
        self.fail(
            mistake.remedy(format!("write `is {number}+` or `>= {number}`, behind dice `count {number}+`")),
        )
    }

    /// `highest 2 of 3d6`, `count shots d6`: a dice word before its dice.
    pub(in super::super) fn bare_dice_word(&mut self) -> Parsed<()> {
        let Some(word) = self.dice_word() else { return Ok(()) };
        let two = ["keep", "drop"].contains(&word) && ["highest", "lowest"].contains(&self.text_after(1));
        let named = matches!((self.token_after(1), self.token_after(2)), (Token::Name, Token::Die(_)));
        let dice =
            matches!(self.token_after(1), Token::Number(_) | Token::Die(_)) || self.text_after(1) == "of";
        if !named && (word == "any" || !two && !dice) {
            return Ok(());
        }
        let dice = if named && !two {
            format!("{} {}", self.text_after(1), self.text_after(2))
        } else {
            "3d6".to_owned()
        };
        let mistake =
            Diagnostic::error(self.span(), format!("`{word}` stands behind its dice"), "no dice before it");
        self.fail(mistake.remedy(format!("write the dice first, on the same line: `{dice} {word} …`")))
    }

    /// `count == 4`, `count is 4`, `reroll all 1`: a word too many before the faces.
    pub(in super::super) fn sign_before_faces(&self, word: &str) -> Option<Diagnostic> {
        let sign = self.text_at(self.span());
        let more = ["==", "=", "!=", "is", "of", "on", "all", "dice", "the"].contains(&sign);
        let (next, faces) = (self.token_after(1), self.text_after(1));
        if !more || !matches!(next, Token::Number(_)) {
            return None;
        }
        let mistake =
            Diagnostic::error(self.span(), format!("`{word}` needs no `{sign}`"), "one word too many");
        Some(match sign {
            "!=" => mistake.remedy(format!("write the faces that fit, such as `{word} {{1, 2}}`")),
            _ => mistake.remedy(format!("write `{word} {faces}`")),
        })
    }

    /// `5 or more`, `6 or better` behind a dice word; the number has been read.
    pub(in super::super) fn open_end_in_words(&mut self, number: &Expr) -> Parsed<()> {
        let written = self.text_at(number.span);
        let or = self.next_is_word("or") || self.next_is_word("and");
        let Some(meant) = open_ended(written, self.text_after(1)).filter(|_| or) else { return Ok(()) };
        let place = number.span.to(self.span());
        let mistake = Diagnostic::error(place, "a range is written with a sign, not in words", "here");
        self.fail(mistake.remedy(format!("write `{meant}`")))
    }

    /// `count 4, 5`, where no comma can belong to a list or a call.
    pub(in super::super) fn faces_without_braces(&mut self, word: &str, first: &Expr) -> Parsed<()> {
        if self.brackets > 0 || !self.next_is(",") || !matches!(self.token_after(1), Token::Number(_)) {
            return Ok(());
        }
        let (first, next) = (self.text_at(first.span), self.text_after(1));
        let mistake = Diagnostic::error(self.span(), "several faces stand in braces", "no braces");
        self.fail(mistake.remedy(format!("write `{word} {{{first}, {next}}}`")))
    }

    /// `3 dice`, which does not say of which sort.
    pub(in super::super) fn which_dice<T>(&mut self, number: &Expr) -> Parsed<T> {
        let many = self.text_at(number.span);
        let mistake = Diagnostic::error(self.span(), "a roll says which dice", "dice of how many faces?");
        self.fail(mistake.remedy(format!("write such as `{many} d6`, or the name of a die of your own")))
    }

    /// What stands behind a dot; `roll.count(4)` is written otherwise here.
    pub(in super::super) fn member(&mut self, owner: &Word) -> Parsed<Word> {
        let word = self.text_at(self.span());
        let asked = matches!(self.token_after(1), Token::Symbol("(" | "{") | Token::Number(_));
        if DICE_WORDS.contains(&word) && (word == "any" || asked) {
            let mistake =
                Diagnostic::error(self.span(), format!("no dot stands before `{word}`"), "not a part of it");
            return self.fail(mistake.remedy(format!("write `{} {word} …`", owner.text)));
        }
        self.name("the name of a value")
    }
}
