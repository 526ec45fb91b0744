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

    /// In brackets, if it is made of several parts that stand side by side.
    fn operand(&self, expr: &Expr) -> String {
        use Operation::{Abs, Between, DivideDown, DivideUp, Max, Min};
        let text = self.expr(expr);
        match expr.node {
            ExprNode::Constant(_) | ExprNode::Read(_) => text,
            ExprNode::Apply(DivideDown | DivideUp | Min | Max | Abs | Between, _) => text,
            _ => format!("({text})"),
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
        let spans: Vec<String> = set.spans.iter().map(|one| span(end(&one.low), end(&one.high))).collect();
        if spans.len() == 1 { spans.concat() } else { format!("{{{}}}", spans.join(", ")) }
    }

    fn apply(&self, operation: Operation, operands: &[Expr]) -> String {
        let texts: Vec<String> = operands.iter().map(|operand| self.operand(operand)).collect();
        let sign = match operation {
            Operation::DivideDown => return format!("down({})", texts.join(" / ")),
            Operation::DivideUp => return format!("up({})", texts.join(" / ")),
            Operation::Negate => return format!("-{}", texts.concat()),
            Operation::Not => return format!("not {}", texts.concat()),
            Operation::Min => return format!("min({})", texts.join(", ")),
            Operation::Max => return format!("max({})", texts.join(", ")),
            Operation::Abs => return format!("abs({})", texts.join(", ")),
            Operation::Between => return format!("between({})", texts.join(", ")),
            Operation::Add => "+",
            Operation::Subtract => "-",
            Operation::Multiply => "*",
            Operation::Compare(Comparison::Less) => "<",
            Operation::Compare(Comparison::AtMost) => "<=",
            Operation::Compare(Comparison::More) => ">",
            Operation::Compare(Comparison::AtLeast) => ">=",
        };
        texts.join(&format!(" {sign} "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::{FileId, Span};
    use crate::rules::{FactorId, LocalId, Parameter, SetSpan, Type};

    fn expr(node: ExprNode, ty: Type) -> Expr {
        Expr { node, ty, span: Span::new(FileId(0), 0, 0) }
    }

    fn number(value: i32) -> Expr {
        expr(ExprNode::Constant(value), Type::Number)
    }

    #[test]
    fn a_condition_reads_as_a_player_would_say_it() {
        let scenario = crate::report::example::scenario();
        let rules = &scenario.variants[0].rules;
        let mut choice = rules.choices[0].clone();
        let score = Place::Local(LocalId(3));
        choice.parameters.push(Parameter { name: "score".to_owned(), ty: Type::Number, place: score });
        let score = || expr(ExprNode::Read(score), Type::Number);
        let spans = vec![
            SetSpan { low: Some(number(5)), high: Some(number(5)) },
            SetSpan { low: Some(number(8)), high: None },
        ];
        let set = Set { spans, span: Span::new(FileId(0), 0, 0) };
        let is = expr(ExprNode::Is(Box::new(score()), set), Type::Flag);
        let half = expr(ExprNode::Apply(Operation::DivideDown, vec![score(), number(2)]), Type::Number);
        let compare = Operation::Compare(Comparison::AtLeast);
        let more = expr(ExprNode::Apply(compare, vec![half, number(3)]), Type::Flag);
        let steady = expr(ExprNode::Read(Place::Factor(FactorId(1))), Type::Flag);
        let not = expr(ExprNode::Apply(Operation::Not, vec![steady]), Type::Flag);
        let either = expr(ExprNode::Or(Box::new(more), Box::new(not)), Type::Flag);
        let all = expr(ExprNode::And(Box::new(is), Box::new(either)), Type::Flag);
        let text = "(score is {5, 8..}) and ((down(score / 2) >= 3) or (not steady))";
        assert_eq!(printed(rules, &choice, &all), text);
    }
}
