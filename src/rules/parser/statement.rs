//! The steps of a test.

use super::{DEEPEST_BLOCK, Parsed, Parser};
use crate::diagnostic::Diagnostic;
use crate::rules::tree::{Block, Statement, StatementNode};

/// Words that open a statement of the second half of the language.
const LATER: [&str; 6] = ["var", "repeat", "for", "stop", "record", "choose"];

/// More cases than these belong in a chart.
const MOST_ARMS: usize = 200;

impl Parser<'_> {
    /// Statements between braces.
    pub(super) fn block(&mut self) -> Parsed<Block> {
        self.blocks += 1;
        let block = match self.blocks > DEEPEST_BLOCK {
            true => {
                let message = format!("blocks stand inside one another more than {DEEPEST_BLOCK} deep");
                let mistake = Diagnostic::error(self.span(), message, "one too many");
                self.fail(mistake.remedy("move the inner steps into a test of their own"))
            }
            false => self.lines(true, Self::statement),
        };
        self.blocks -= 1;
        let (statements, span) = block?;
        Ok(Block { statements, span })
    }

    fn statement(&mut self) -> Parsed<Statement> {
        let start = self.span();
        let word = self.text_at(start);
        let node = match word {
            "let" => self.let_statement()?,
            "if" => self.if_statement()?,
            "return" => {
                self.step();
                StatementNode::Return(self.expression()?)
            }
            _ if LATER.contains(&word) => return self.later(word),
            _ => return self.no_statement(),
        };
        let span = start.to(self.last_span());
        if !matches!(node, StatementNode::If(..)) {
            self.line_end()?;
        }
        Ok(Statement { node, span })
    }

    fn let_statement(&mut self) -> Parsed<StatementNode> {
        self.step();
        let name = self.name("a name")?;
        self.symbol("=")?;
        Ok(StatementNode::Let(name, self.expression()?))
    }

    fn if_statement(&mut self) -> Parsed<StatementNode> {
        let mut arms = Vec::new();
        loop {
            self.step();
            let condition = self.expression()?;
            arms.push((condition, self.braced("if CONDITION")?));
            if arms.len() > MOST_ARMS {
                let message = format!("this `if` has more than {MOST_ARMS} cases");
                let mistake = Diagnostic::error(self.last_span(), message, "one too many");
                return self.fail(mistake.remedy("write them as the rows of a chart"));
            }
            self.join_lines();
            if !self.has_word("else") {
                return Ok(StatementNode::If(arms, None));
            }
            if !self.next_is_word("if") {
                return Ok(StatementNode::If(arms, Some(self.braced("else")?)));
            }
        }
    }

    /// The block behind `if` and its condition, or behind `else`.
    fn braced(&mut self, after: &str) -> Parsed<Block> {
        if self.next_is("{") || self.foreign_comparison().is_some() {
            return self.block();
        }
        let message = match self.next_is_word("then") {
            true => "there is no `then`".to_owned(),
            false => format!("what is done after `{after}` stands in braces"),
        };
        let mistake = Diagnostic::error(self.span(), message, "`{` is needed here");
        self.fail(mistake.remedy(format!("write `{after} {{ return … }}`")))
    }

    fn no_statement<T>(&mut self) -> Parsed<T> {
        let span = self.span();
        let word = self.text_at(span);
        if ["else", "elif", "elseif", "elsif"].contains(&word) {
            let message = format!("`{word}` cannot begin a step");
            let mistake = Diagnostic::error(span, message, "no `if` with braces goes on here");
            return self
                .fail(mistake.remedy("write `if CONDITION { … } else if CONDITION { … } else { … }`"));
        }
        let mistake = Diagnostic::error(
            span,
            "a step of a test begins with `let`, `if` or `return`",
            "not such a step",
        );
        self.fail(
            mistake.remedy("to name a value write `let name = ...`; to end the test write `return ...`"),
        )
    }
}
