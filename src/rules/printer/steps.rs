//! The steps of a test as text.

use super::Printer;
use super::expression::expression;
use super::pool::{named, option};
use crate::diagnostic::Span;
use crate::rules::tree::{
    AssignOp, Block, Expr, ExprNode, ForRange, Repetition, Statement, StatementNode, Word,
};

/// How many short steps may stay on one line between braces.
const ON_ONE_LINE: usize = 2;

impl Printer<'_> {
    pub(super) fn statements(&mut self, block: &Block) {
        for statement in &block.statements {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        let span = statement.span;
        match &statement.node {
            StatementNode::If(arms, otherwise) => {
                let arms = arms.iter().map(|(condition, block)| (Some(condition), block));
                let arms = arms.chain(otherwise.iter().map(|block| (None, block)));
                let mut end = None;
                for (condition, block) in arms {
                    self.arm(end, condition, block);
                    end = Some(block.span.end);
                }
            }
            StatementNode::Repeat(repetition, block) => self.looped(&repeated(repetition), span, block),
            StatementNode::For(name, range, block) => {
                self.looped(&format!("for {} in {}", name.text, ranged(range)), span, block);
            }
            _ => self.step(&statement.node, span),
        }
    }

    /// A step without a block; a choice whose options stand on lines of their own keeps them there.
    fn step(&mut self, node: &StatementNode, span: Span) {
        let (before, value) = step(node);
        match value {
            Some(value) => match &value.node {
                ExprNode::Choose(name, options)
                    if self.between(value.span.start, value.span.end).contains('\n') =>
                {
                    self.options(
                        &format!("{before}choose{}", named(" ", name.as_ref())),
                        span,
                        value.span,
                        options,
                    );
                }
                _ => self.long_line(&format!("{before}{}", expression(value)), span),
            },
            None => self.long_line(&before, span),
        }
    }

    fn options(&mut self, opening: &str, step: Span, choose: Span, options: &[(Word, Expr)]) {
        let brace = self.brace(choose);
        self.above(step.start, brace);
        self.put(&format!("{opening} {{"));
        self.inside(Span { start: brace, ..choose }, |printer| {
            for one in options {
                printer.line(&option(one), one.0.span.to(one.1.span));
            }
        });
    }

    fn looped(&mut self, words: &str, span: Span, block: &Block) {
        self.above(span.start, block.span.start);
        self.text += &format!("{:indent$}{words} ", "", indent = 4 * self.depth);
        self.block(block);
    }

    /// `if ... { ... }`, with `else` where an arm ended `before`; it goes on behind that one's brace, unless a comment
    /// stands in between.
    fn arm(&mut self, before: Option<u32>, condition: Option<&Expr>, block: &Block) {
        let pending = self.comments.first().is_some_and(|comment| comment.span.start < block.span.start);
        let joined = before.is_some() && self.last == before && !pending;
        let start = condition.map_or(block.span.start, |condition| condition.span.start);
        let condition = condition.map(|condition| format!("if {}", expression(condition)));
        let words =
            before.map(|_| "else".to_owned()).into_iter().chain(condition).collect::<Vec<_>>().join(" ");
        if joined {
            self.text.pop();
            self.text += &format!(" {words} ");
        } else {
            self.above(start, block.span.start);
            self.text += &format!("{:indent$}{words} ", "", indent = 4 * self.depth);
        }
        self.block(block);
    }

    /// A block, on one line if it is a short step or two and was on one line.
    fn block(&mut self, block: &Block) {
        match self.on_one_line(block) {
            Some(steps) => {
                self.text += &format!("{{ {steps} }}\n");
                self.ended(block.span.end);
            }
            None => {
                self.text += "{\n";
                self.inside(block.span, |printer| printer.statements(block));
            }
        }
    }

    fn on_one_line(&self, block: &Block) -> Option<String> {
        let lines = self.between(block.span.start, block.span.end).contains('\n');
        let blocks = |one: &Statement| {
            matches!(one.node, StatementNode::If(..) | StatementNode::Repeat(..) | StatementNode::For(..))
        };
        let steps = &block.statements;
        if lines || steps.is_empty() || steps.len() > ON_ONE_LINE || steps.iter().any(blocks) {
            return None;
        }
        let text = |one: &Statement| {
            let (before, value) = step(&one.node);
            before + &value.map_or_else(String::new, expression)
        };
        Some(steps.iter().map(text).collect::<Vec<_>>().join("; "))
    }
}

/// What stands before the value of a step without a block, and the value.
fn step(node: &StatementNode) -> (String, Option<&Expr>) {
    match node {
        StatementNode::Let(name, value) => (format!("let {} = ", name.text), Some(value)),
        StatementNode::Var(name, value) => (format!("var {} = ", name.text), Some(value)),
        StatementNode::Assign(target, op, value) => {
            let sign = match op {
                AssignOp::Set => "=",
                AssignOp::Add => "+=",
                AssignOp::Subtract => "-=",
            };
            (format!("{} {sign} ", expression(target)), Some(value))
        }
        StatementNode::Record(name, adds, value) => {
            (format!("record {} {} ", name.text, if *adds { "+=" } else { "=" }), Some(value))
        }
        StatementNode::Return(Some(value)) => ("return ".to_owned(), Some(value)),
        StatementNode::Return(None) => ("return".to_owned(), None),
        StatementNode::Stop => ("stop".to_owned(), None),
        StatementNode::Call(call) => (String::new(), Some(call)),
        StatementNode::If(..) | StatementNode::Repeat(..) | StatementNode::For(..) => (String::new(), None),
    }
}

fn repeated(repetition: &Repetition) -> String {
    match repetition {
        Repetition::Times(number) => format!("repeat {} times", expression(number)),
        Repetition::AtMost(condition, number) => {
            format!("repeat until {}, at most {} times", expression(condition), expression(number))
        }
        Repetition::Cap(condition, number) => {
            format!("repeat until {}, cap {}", expression(condition), expression(number))
        }
    }
}

fn ranged(range: &ForRange) -> String {
    match range {
        ForRange::Numbers(low, high) => format!("{}..{}", expression(low), expression(high)),
        ForRange::Units(units) => units.text.clone(),
        ForRange::Chosen(units, name) => {
            format!("{} in chosen order{}", units.text, named(" as ", name.as_ref()))
        }
    }
}
