//! What a player or chance decides: `choose name { option: value }`, `choose name from 0..n`, `chance 1/3`.

use super::{Broken, Parsed, Parser};
use crate::diagnostic::{Diagnostic, Span};
use crate::rules::lexer::Token;
use crate::rules::tree::{Expr, ExprNode, SetNode, Word};

impl Parser<'_> {
    /// `choose` is next.
    pub(super) fn choose(&mut self) -> Parsed<Expr> {
        let start = self.step();
        let unnamed = self.next_is("{") || self.next_is_word("from") && !self.name_ends(1);
        let name = if unnamed { None } else { Some(self.name("a name for this choice")?) };
        if self.next_is("{") {
            return self.choose_option(start, name);
        }
        if !self.has_word("from") {
            let mistake = Diagnostic::error(self.span(), "what there is to choose from is missing", "here");
            return self.fail(mistake.remedy(
                "write `choose name { one: VALUE; other: VALUE }`, `choose name from 0..3` or `choose name from units`",
            ));
        }
        let from = self.span();
        let set = self.set_span()?;
        let set = SetNode { spans: vec![set], span: from.to(self.last_span()) };
        let span = start.to(set.span);
        Ok(Expr { node: ExprNode::ChooseFrom(name, set), span })
    }

    /// Whether the word so many steps on shows that the one before it is a name: `choose from { … }`.
    fn name_ends(&self, steps: usize) -> bool {
        self.token_after(steps) == Token::Symbol("{") || self.text_after(steps) == "from"
    }

    fn choose_option(&mut self, start: Span, name: Option<Word>) -> Parsed<Expr> {
        let brackets = std::mem::take(&mut self.brackets);
        let mistakes = self.mistakes;
        self.options += 1;
        let options = self.lines(true, Self::option);
        self.options -= 1;
        self.brackets = brackets;
        let (options, braces) = options?;
        if brackets > 0 {
            self.skip_newlines();
        }
        let span = start.to(braces);
        if self.mistakes > mistakes {
            return Err(Broken);
        }
        if options.is_empty() {
            let mistake = Diagnostic::error(span, "this choice has no options", "nothing to choose from");
            return self.fail(mistake.remedy("write `choose name { one: VALUE; other: VALUE }`"));
        }
        Ok(Expr { node: ExprNode::Choose(name, options), span })
    }

    /// `name: value`, `"name": value`.
    fn option(&mut self) -> Parsed<(Word, Expr)> {
        self.count_operand()?;
        let name = match self.label() {
            Some(text) => text,
            None => self.name("the name of an option")?,
        };
        if !self.next_is(":") {
            let mistake = Diagnostic::error(self.span(), "what this option gives is missing", "no `:` here");
            return self.fail(mistake.remedy(format!("write `{}: VALUE`", name.text)));
        }
        self.step_operator();
        let value = self.expression()?;
        self.line_end()?;
        Ok((name, value))
    }

    /// Whether a probability stands behind the word `chance`, which else is a name.
    pub(super) fn chance_follows(&self) -> bool {
        let touching = self.tokens.get(self.at + 1).is_some_and(|(_, next)| next.start == self.span().end);
        match self.token_after(1) {
            Token::Number(_) => true,
            Token::Symbol("(") => !touching,
            Token::Name => matches!(self.token_after(2), Token::Symbol("/" | "%")),
            _ => false,
        }
    }

    /// `chance 1/3`, `chance 35%`.
    pub(super) fn chance(&mut self) -> Parsed<Expr> {
        let start = self.step();
        let first = self.atom()?;
        let second = match self.has("/") {
            true => Some(Box::new(self.atom()?)),
            false if self.has("%") => None,
            false => {
                let mistake = Diagnostic::error(
                    first.span,
                    "a chance is a fraction or so many percent",
                    "which of them?",
                );
                return self
                    .fail(mistake.remedy("write it in whole numbers, such as `chance 1/3` or `chance 35%`"));
            }
        };
        let span = start.to(self.last_span());
        Ok(Expr { node: ExprNode::Chance(Box::new(first), second), span })
    }
}
