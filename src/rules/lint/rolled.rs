//! Dice that are named twice in one decision, and so are rolled twice.
//!
//! What is meant so stands in brackets of its own: `charge or (charge)`.

use super::Lint;
use crate::diagnostic::{Diagnostic, Span};
use crate::rules::ruleset::{Callee, Expr, ExprNode, PoolNode, Statement, StatementNode, Type};
use crate::rules::walk::{Part, each_statement};

/// Expressions of which each is worked out only where those before it left the question open.
struct Decision<'a> {
    links: Vec<&'a Expr>,
    /// Whether dice are looked at, too, that are not rolled by a test: not in `d6 >= 3 and d6 >= 4`, to hit and to wound.
    dice: bool,
}

impl Lint<'_> {
    /// Looks at the decisions of the last file's tests: conditions joined by `and` and `or`, and the ways of an `if` with
    /// what is returned there.
    pub(super) fn rolls(&mut self) {
        for id in self.tests() {
            let mut decisions = Vec::new();
            each_statement(&self.rules.tests[id.0].body, &mut |statement| {
                decisions.extend(decisions_in(statement))
            });
            for decision in decisions {
                let rolls: Vec<Vec<Expr>> =
                    decision.links.iter().map(|link| self.rolls_in(link, decision.dice)).collect();
                for (at, link) in rolls.iter().enumerate() {
                    let before = |roll: &Expr| rolls[..at].iter().flatten().find(|one| *one == roll).cloned();
                    link.iter().for_each(|roll| self.rolled_twice(before(roll), roll));
                }
            }
        }
    }

    fn rolled_twice(&mut self, before: Option<Expr>, roll: &Expr) {
        let Some(before) = before.filter(|before| !self.stands_in_brackets(before, roll)) else { return };
        let text = self.sources.text(roll.span);
        let message = format!("`{text}` is rolled here a second time");
        let mistake = Diagnostic::warning(roll.span, message, "other dice").also(before.span, "than here");
        self.warn(
            mistake
                .remedy(format!("keep the first: `let roll = {text}`, and write `roll` in both places"))
                .remedy(format!("put the second in brackets if other dice are meant: `({text})`")),
        );
    }

    /// Whether the second of two that are rolled stands in a bracket that the first is not in.
    fn stands_in_brackets(&self, first: &Expr, second: &Expr) -> bool {
        let text = |start, end| self.sources.text(Span { start, end, ..second.span });
        let (first, second) = (first.span, second.span);
        if first.end <= second.start {
            return opened(text(first.end, second.start)).contains(&true);
        }
        if first.start < second.end {
            return false;
        }
        // What is rolled second is written first: `(charge) if charge else none`.
        let (around, closed) = (opened(text(0, second.start)), closed(text(second.end, first.start)));
        around[around.len().saturating_sub(closed)..].contains(&true)
    }

    /// The rolls that an expression makes, and the calls that roll.
    fn rolls_in(&self, expr: &Expr, dice: bool) -> Vec<Expr> {
        let mut rolls = Vec::new();
        expr.each(&mut |part| match part {
            Part::Call(call)
                if self.rules.rolls(call.callee) && !matches!(call.callee, Callee::Modifiers(_)) =>
            {
                rolls.push(Expr {
                    node: ExprNode::Call(Box::new(call.clone())),
                    ty: Type::Nothing,
                    span: call.span,
                });
            }
            Part::Many(pool) if dice && matches!(pool.node, PoolNode::Roll(..)) => {
                rolls.push(Expr {
                    node: ExprNode::Sum(Box::new(pool.clone())),
                    ty: Type::Number,
                    span: pool.span,
                });
            }
            _ => {}
        });
        rolls
    }
}

/// The brackets that are open behind a text, from the outermost, and of each whether it is one for itself: behind a name it
/// opens what a call takes.
fn opened(text: &str) -> Vec<bool> {
    let (mut open, mut before) = (Vec::new(), ' ');
    for letter in text.chars() {
        match letter {
            '(' => open.push(!before.is_alphanumeric() && before != '_'),
            ')' => _ = open.pop(),
            _ => {}
        }
        before = letter;
    }
    open
}

/// How many brackets a text closes that it has not opened.
fn closed(text: &str) -> usize {
    let (mut open, mut closed) = (0, 0);
    for letter in text.chars() {
        match letter {
            '(' => open += 1,
            ')' if open == 0 => closed += 1,
            ')' => open -= 1,
            _ => {}
        }
    }
    closed
}

/// The decisions of a step, without those of the blocks inside it.
fn decisions_in(statement: &Statement) -> Vec<Decision<'_>> {
    let mut decisions = Vec::new();
    let mut add = |links: Vec<_>, dice| decisions.push(Decision { links, dice });
    for part in statement.parts() {
        part.each(&mut |part| {
            let Part::One(expr) = part else { return };
            match &expr.node {
                ExprNode::And(left, right) => add(vec![&**left, &**right], false),
                ExprNode::Or(left, right) => add(vec![&**left, &**right], true),
                ExprNode::If(condition, then, otherwise) => {
                    add(vec![&**condition, &**then], false);
                    add(vec![&**condition, &**otherwise], false);
                }
                _ => {}
            }
        });
    }
    if let StatementNode::If(arms, _) = &statement.node {
        let conditions: Vec<&Expr> = arms.iter().map(|(condition, _)| condition).collect();
        for (at, (_, block)) in arms.iter().enumerate() {
            for step in block {
                if let StatementNode::Return(value) = &step.node {
                    add([&conditions[..=at], &[value]].concat(), false);
                }
            }
        }
        add(conditions, true);
    }
    decisions
}
