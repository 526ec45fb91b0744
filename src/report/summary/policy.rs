//! A policy's condition in words of the rules.
//!
//! In: a checked expression. Out: text that means the same; it need not be the text that the scenario has.

use crate::rules::tree::Comparison;
use crate::rules::{Choice, Expr, ExprNode, Operation, Place, Ruleset, Set};

/// The expression that picks an option of a choice.
pub(super) fn printed(rules: &Ruleset, choice: &Choice, expr: &Expr) -> String {
    Printed { rules, choice }.expr(expr)
}

/// Prints a policy's condition, which reads factors and the keys of its choice and rolls no dice.
struct Printed<'a> {
    rules: &'a Ruleset,
    choice: &'a Choice,
}

impl Printed<'_> {
    fn expr(&self, expr: &Expr) -> String {
        match &expr.node {
            ExprNode::Constant(value) => self.rules.name_of(expr.ty, *value),
            ExprNode::Read(place) => self.place(*place),
            ExprNode::And(a, b) => format!("{} and {}", self.operand(a), self.operand(b)),
            ExprNode::Or(a, b) => format!("{} or {}", self.operand(a), self.operand(b)),
            ExprNode::Is(value, set) => format!("{} is {}", self.operand(value), self.set(set)),
            ExprNode::If(condition, then, otherwise) => {
                format!("{} if {} else {}", self.expr(then), self.expr(condition), self.expr(otherwise))
            }
            ExprNode::Apply(operation, operands) => self.apply(*operation, operands),
            // the checker lets none of these into a policy
            ExprNode::Roll(..) | ExprNode::Choose(..) | ExprNode::Call(..) => "...".to_owned(),
        }
    }

    /// In brackets, if it is made of several words.
    fn operand(&self, expr: &Expr) -> String {
        let text = self.expr(expr);
        if matches!(expr.node, ExprNode::Constant(_) | ExprNode::Read(_)) {
            text
        } else {
            format!("({text})")
        }
    }

    fn place(&self, place: Place) -> String {
        match place {
            Place::Factor(id) => self.rules.factors[id.0].name.clone(),
            Place::Local(_) => {
                let key = self.choice.parameters.iter().find(|parameter| parameter.place == place);
                key.map_or_else(|| "...".to_owned(), |parameter| parameter.name.clone())
            }
        }
    }

    fn set(&self, set: &Set) -> String {
        let end = |end: &Option<Expr>| end.as_ref().map_or_else(String::new, |expr| self.expr(expr));
        let span = |low: String, high: String| if low == high { low } else { format!("{low}..{high}") };
        set.spans.iter().map(|one| span(end(&one.low), end(&one.high))).collect::<Vec<_>>().join(", ")
    }

    fn apply(&self, operation: Operation, operands: &[Expr]) -> String {
        let texts: Vec<String> = operands.iter().map(|operand| self.operand(operand)).collect();
        let sign = match operation {
            Operation::Negate => return format!("-{}", texts.concat()),
            Operation::Not => return format!("not {}", texts.concat()),
            Operation::Min => return format!("min({})", texts.join(", ")),
            Operation::Max => return format!("max({})", texts.join(", ")),
            Operation::Abs => return format!("abs({})", texts.join(", ")),
            Operation::Between => return format!("between({})", texts.join(", ")),
            Operation::Add => "+",
            Operation::Subtract => "-",
            Operation::Multiply => "*",
            Operation::DivideDown => "/",
            Operation::DivideUp => "/ up",
            Operation::Compare(Comparison::Less) => "<",
            Operation::Compare(Comparison::AtMost) => "<=",
            Operation::Compare(Comparison::More) => ">",
            Operation::Compare(Comparison::AtLeast) => ">=",
        };
        texts.join(&format!(" {sign} "))
    }
}
