//! Expressions and sets, with the brackets that they had.

use super::pool::{dice, named, option, pool};
use crate::rules::tree::{BinaryOp, Comparison, Expr, ExprNode, SetNode, SpanNode, Word};

pub(super) fn expression(expr: &Expr) -> String {
    match &expr.node {
        ExprNode::Number(number) => number.to_string(),
        ExprNode::Flag(flag) => if *flag { "yes" } else { "no" }.to_owned(),
        ExprNode::Name(name) => name.clone(),
        ExprNode::Member(kind, value) => format!("{}.{}", kind.text, value.text),
        ExprNode::Call(name, arguments) => format!("{}({})", name.text, joined(arguments, expression)),
        ExprNode::With(call, settings) => {
            let setting = |(name, value): &(Word, Expr)| format!("{} = {}", name.text, expression(value));
            format!("{} with {}", expression(call), joined(settings, setting))
        }
        ExprNode::Dice(count, die) => dice(count.as_deref(), die),
        ExprNode::Pool(dice, asked) => format!("{} {}", expression(dice), pool(asked)),
        ExprNode::Index(name, at, member) => {
            format!("{}[{}]{}", name.text, expression(at), named(".", member.as_ref()))
        }
        ExprNode::For(call, unit) => format!("{} for {}", expression(call), expression(unit)),
        ExprNode::List(items) => format!("[{}]", joined(items, expression)),
        ExprNode::Chance(part, Some(of)) => format!("chance {}/{}", expression(part), expression(of)),
        ExprNode::Chance(percent, None) => format!("chance {}%", expression(percent)),
        ExprNode::Choose(name, options) => {
            let options = options.iter().map(option).collect::<Vec<_>>().join("; ");
            format!("choose{} {{ {options} }}", named(" ", name.as_ref()))
        }
        ExprNode::ChooseFrom(name, these) => {
            format!("choose{} from {}", named(" ", name.as_ref()), set(these))
        }
        ExprNode::Bracket(inside) => format!("({})", expression(inside)),
        ExprNode::Negate(operand) => format!("-{}", expression(operand)),
        ExprNode::Not(operand) => format!("not {}", expression(operand)),
        ExprNode::Binary(op, left, right) => {
            format!("{} {} {}", expression(left), operator(*op), expression(right))
        }
        ExprNode::Is(subject, negated, these) => {
            format!("{} is {}{}", expression(subject), if *negated { "not " } else { "" }, set(these))
        }
        ExprNode::If(then, condition, otherwise) => {
            format!("{} if {} else {}", expression(then), expression(condition), expression(otherwise))
        }
    }
}

pub(super) fn joined<T>(items: &[T], one: impl Fn(&T) -> String) -> String {
    items.iter().map(one).collect::<Vec<_>>().join(", ")
}

fn operator(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Subtract => "-",
        BinaryOp::Multiply => "*",
        BinaryOp::Divide => "/",
        BinaryOp::And => "and",
        BinaryOp::Or => "or",
        BinaryOp::Compare(comparison) => sign(comparison),
    }
}

fn sign(comparison: Comparison) -> &'static str {
    match comparison {
        Comparison::Less => "<",
        Comparison::AtMost => "<=",
        Comparison::More => ">",
        Comparison::AtLeast => ">=",
    }
}

/// A set after `is`: in braces, if it has several spans.
pub(super) fn set(set: &SetNode) -> String {
    match set.spans.as_slice() {
        [one] => span(one),
        _ => format!("{{{}}}", set_list(set)),
    }
}

/// A set as charts print it.
pub(super) fn set_list(set: &SetNode) -> String {
    joined(&set.spans, span)
}

fn span(node: &SpanNode) -> String {
    let end = |end: &Option<Expr>| end.as_ref().map_or_else(String::new, expression);
    match node {
        SpanNode::Any => "any".to_owned(),
        SpanNode::One(value) => expression(value),
        SpanNode::Plus(low) => format!("{}+", expression(low)),
        SpanNode::Range(low, high) => format!("{}..{}", end(low), end(high)),
        SpanNode::Compare(comparison, bound) => format!("{} {}", sign(*comparison), expression(bound)),
    }
}
