//! The steps of a test.

use super::words::STEPS;
use super::{DEEPEST_BLOCK, Parsed, Parser};
use crate::diagnostic::Diagnostic;
use crate::rules::lexer::Token;
use crate::rules::tree::{AssignOp, Block, Expr, ExprNode, Statement, StatementNode};

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
            "var" => self.let_statement()?,
            "return" => self.return_statement()?,
            "record" => self.record()?,
            "repeat" => self.repeat()?,
            "for" => self.for_statement()?,
            "stop" => {
                self.step();
                StatementNode::Stop
            }
            _ => self.assignment_or_call()?,
        };
        let span = start.to(self.last_span());
        if !matches!(node, StatementNode::If(..) | StatementNode::Repeat(..) | StatementNode::For(..)) {
            self.line_end()?;
        }
        Ok(Statement { node, span })
    }

    /// `let x = ...`, `var x = ...`.
    fn let_statement(&mut self) -> Parsed<StatementNode> {
        let word = self.step();
        let word = self.text_at(word);
        let name = self.name("a name")?;
        if self.assignment().is_some_and(|op| op != AssignOp::Set) || self.next_is("[") || self.next_is(".") {
            return self.let_changes(word, &name);
        }
        self.step_equals(&format!("{word} {}", name.text))?;
        let value = self.expression()?;
        Ok(if word == "var" { StatementNode::Var(name, value) } else { StatementNode::Let(name, value) })
    }

    /// The sign `=` behind the first words of a step.
    fn step_equals(&mut self, before: &str) -> Parsed<()> {
        if self.next_is("=") {
            self.step_operator();
            return Ok(());
        }
        let mistake = Diagnostic::error(self.span(), "its value is missing", "`=` is needed here");
        self.fail(mistake.remedy(format!("write `{before} = …`")))
    }

    /// `return ...`, or `return` alone.
    fn return_statement(&mut self) -> Parsed<StatementNode> {
        self.step();
        let alone = matches!(self.token(), Token::Newline | Token::End | Token::Symbol(";" | "}"));
        Ok(StatementNode::Return(if alone { None } else { Some(self.expression()?) }))
    }

    /// `record x = ...`, `record x += ...`.
    fn record(&mut self) -> Parsed<StatementNode> {
        self.step();
        let name = self.name("a name for the record")?;
        if self.assignment() == Some(AssignOp::Subtract) {
            let mistake = Diagnostic::error(self.span(), "a record is set or added to", "not taken from");
            return self.fail(mistake.remedy(format!("write `record {} += -(…)`", name.text)));
        }
        let adds = self.next_is("+=");
        if adds {
            self.step_operator();
        } else {
            self.step_equals(&format!("record {}", name.text))?;
        }
        Ok(StatementNode::Record(name, adds, self.expression()?))
    }

    /// The sign between a name and its new value that is next, if one is.
    fn assignment(&self) -> Option<AssignOp> {
        match self.token() {
            Token::Symbol("=") => Some(AssignOp::Set),
            Token::Symbol("+=") => Some(AssignOp::Add),
            Token::Symbol("-=") => Some(AssignOp::Subtract),
            _ => None,
        }
    }

    /// `x = ...`, `attacker.casualties += ...`, `lost[i] -= ...`, or a test that is called for what it does.
    fn assignment_or_call(&mut self) -> Parsed<StatementNode> {
        if let Some(foreign) = self.foreign_step() {
            return self.fail(foreign);
        }
        self.operands = 0;
        self.bare_dice_word()?;
        let target = self.atom()?;
        if let Some(foreign) = self.foreign_assignment(&target) {
            return self.fail(foreign);
        }
        let place = matches!(target.node, ExprNode::Name(_) | ExprNode::Member(..) | ExprNode::Index(..));
        match self.assignment() {
            Some(op) if place => {
                self.step_operator();
                Ok(StatementNode::Assign(target, op, self.expression()?))
            }
            Some(_) => {
                let mistake = Diagnostic::error(target.span, "this cannot be given a value", "not a name");
                self.fail(
                    mistake.remedy(
                        "write a name before the `=`: `x = …`, `lost[1] = …`, `attacker.stamina = …`",
                    ),
                )
            }
            None => self.call_statement(target),
        }
    }

    fn call_statement(&mut self, target: Expr) -> Parsed<StatementNode> {
        let calls = matches!(target.node, ExprNode::Name(_) | ExprNode::Call(..) | ExprNode::For(..));
        if !calls {
            return self.no_statement(&target);
        }
        let ends = matches!(self.token(), Token::Newline | Token::End | Token::Symbol(";" | "}" | ","));
        if !ends && !self.next_is_word("with") && !STEPS.contains(&self.text_at(self.span())) {
            return self.no_statement(&target);
        }
        Ok(StatementNode::Call(self.with(target)?))
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
    pub(super) fn braced(&mut self, after: &str) -> Parsed<Block> {
        if self.next_is("{") || self.foreign_comparison().is_some() {
            return self.block();
        }
        let message = match self.next_is_word("then") {
            true => "there is no `then`".to_owned(),
            false => format!("what is done after `{after}` stands in braces"),
        };
        let mistake = Diagnostic::error(self.span(), message, "`{` is needed here");
        let step =
            if ["if", "else"].iter().any(|word| after.starts_with(word)) { "return …" } else { "…" };
        self.fail(mistake.remedy(format!("write `{after} {{ {step} }}`")))
    }
}
