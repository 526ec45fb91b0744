//! One notation for "these": `any`, `6`, `4+`, `..2`, `4..6`, `{5, 6}`, `>= to_hit`, a name, `(a + b)`.

use super::{Parsed, Parser};
use crate::diagnostic::{Diagnostic, Span};
use crate::rules::lexer::Token;
use crate::rules::tree::{BinaryOp, Comparison, Expr, ExprNode, SetNode, SpanNode};

impl Parser<'_> {
    /// A set after `is`: one span, or several in braces.
    pub(super) fn set(&mut self) -> Parsed<SetNode> {
        let start = self.span();
        if self.next_is("{") {
            let (set, span) = self.bracketed("{", "}", Self::set_list)?;
            return Ok(SetNode { span, ..set });
        }
        let span = self.set_span()?;
        Ok(SetNode { spans: vec![span], span: start.to(self.last_span()) })
    }

    /// Spans with commas between them, as charts print them.
    pub(super) fn set_list(&mut self) -> Parsed<SetNode> {
        let start = self.span();
        let mut spans = vec![self.set_span()?];
        while self.has(",") {
            spans.push(self.set_span()?);
        }
        Ok(SetNode { spans, span: start.to(self.last_span()) })
    }

    /// A set behind `is` or a dice word, where a sign behind it could belong to it or to what stands before it.
    pub(super) fn operand_set(&mut self) -> Parsed<SetNode> {
        let braces = self.next_is("{");
        let set = self.set()?;
        match set.spans.last() {
            Some(SpanNode::Compare(_, last) | SpanNode::Range(_, Some(last))) if !braces => {
                self.no_sum(last)?;
            }
            _ => {}
        }
        Ok(set)
    }

    pub(super) fn set_span(&mut self) -> Parsed<SpanNode> {
        if self.has_word("any") {
            return Ok(SpanNode::Any);
        }
        if let Some(comparison) = self.comparison() {
            self.step();
            return Ok(SpanNode::Compare(comparison, self.set_end()?));
        }
        if self.has("..") {
            return Ok(SpanNode::Range(None, Some(self.set_end()?)));
        }
        let low = self.set_end()?;
        self.glued_to_a_number(&low)?;
        if self.plus_touches(low.span) {
            self.step();
            return Ok(SpanNode::Plus(low));
        }
        if self.has("..") {
            let high = if self.set_end_is_next() { Some(self.set_end()?) } else { None };
            return Ok(SpanNode::Range(Some(low), high));
        }
        self.one(low)
    }

    /// `4+`: the sign touches the digits, and no operand touches it behind.
    pub(super) fn plus_touches(&self, number: Span) -> bool {
        let span = self.span();
        let behind = self.tokens.get(self.at + 1).is_some_and(|(token, next)| {
            next.start == span.end
                && matches!(token, Token::Name | Token::Number(_) | Token::Die(_) | Token::Symbol("("))
        });
        self.next_is("+") && number.end == span.start && !behind
    }

    fn one(&mut self, low: Expr) -> Parsed<SpanNode> {
        if self.at_line_start() {
            return Ok(SpanNode::One(low));
        }
        if let Some(printed) = self.printed_set(&low) {
            self.step();
            return self.fail(printed);
        }
        self.no_sum(&low)?;
        Ok(SpanNode::One(low))
    }

    /// An argument is one word or one bracket: a reader could not tell what `is 4 + 1` compares, or what `count 4 + 1`
    /// adds.
    fn no_sum(&mut self, last: &Expr) -> Parsed<()> {
        let sign = ["+", "-", "*", "/"].into_iter().find(|sign| self.next_is(sign));
        let (Some(sign), false) = (sign, self.at_line_start()) else { return Ok(()) };
        if matches!(last.node, ExprNode::Bracket(_)) {
            return Ok(());
        }
        let message = format!("a reader cannot tell what `{sign}` belongs to");
        let mistake = Diagnostic::error(self.span(), message, "here");
        let inside = format!("({} {sign} …)", self.text_at(last.span));
        self.fail(
            mistake.remedy(format!(
                "put the sum in brackets, `{inside}`, or all that stands before the `{sign}`"
            )),
        )
    }

    fn at_line_start(&self) -> bool {
        self.at > 0 && self.tokens[self.at - 1].0 == Token::Newline
    }

    fn set_end_is_next(&self) -> bool {
        matches!(self.token(), Token::Number(_) | Token::Name | Token::Symbol("(" | "-"))
            && !["or", "and", "if", "else", "at", "cap", "with"].iter().any(|word| self.next_is_word(word))
    }

    /// One word or one bracket, or a number with a sign.
    fn set_end(&mut self) -> Parsed<Expr> {
        let start = self.span();
        if !self.next_is("-") {
            return self.atom();
        }
        self.step();
        let number = self.atom()?;
        Ok(Expr { span: start.to(number.span), node: ExprNode::Negate(Box::new(number)) })
    }

    /// The comparison that is next, if one is.
    pub(super) fn comparison(&self) -> Option<Comparison> {
        match self.token() {
            Token::Symbol("<") => Some(Comparison::Less),
            Token::Symbol("<=") => Some(Comparison::AtMost),
            Token::Symbol(">") => Some(Comparison::More),
            Token::Symbol(">=") => Some(Comparison::AtLeast),
            _ => None,
        }
    }

    /// The operator between two operands of a sum or product that is next, if one is.
    pub(super) fn arithmetic(&self, level: [(&str, BinaryOp); 2]) -> Option<BinaryOp> {
        level.into_iter().find(|(symbol, _)| self.next_is(symbol)).map(|(_, op)| op)
    }
}
