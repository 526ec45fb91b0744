//! Sets: ends of the right kind, ranges only where values have an order.

use super::Checker;
use super::expression::constant;
use crate::diagnostic::Span;
use crate::rules::ruleset::{Expr, ExprNode, Operation, Set, SetSpan, Type};
use crate::rules::tree::{self, Comparison, SetNode, SpanNode};

impl Checker<'_> {
    /// A set of values of a type.
    pub(super) fn set(&mut self, node: &SetNode, ty: Type) -> Option<Set> {
        let spans: Vec<Option<SetSpan>> = node.spans.iter().map(|span| self.set_span(span, ty)).collect();
        Some(Set { spans: spans.into_iter().collect::<Option<_>>()?, span: node.span })
    }

    fn set_span(&mut self, node: &SpanNode, ty: Type) -> Option<SetSpan> {
        Some(match node {
            SpanNode::Any => SetSpan::Range(None, None),
            SpanNode::One(value) => SetSpan::One(self.typed(value, ty)?),
            SpanNode::Plus(low) => self.range(Some(low), None, ty)?,
            SpanNode::Range(low, high) => self.range(low.as_ref(), high.as_ref(), ty)?,
            SpanNode::Compare(comparison, bound) => {
                self.needs_order(ty, ty == Type::Number, bound.span)?;
                self.compared(*comparison, bound)?
            }
        })
    }

    fn range(&mut self, low: Option<&tree::Expr>, high: Option<&tree::Expr>, ty: Type) -> Option<SetSpan> {
        let (first, last) = (self.optional(low, ty), self.optional(high, ty));
        let (first, last) = (first?, last?);
        let span = low.or(high).map(|end| end.span.to(high.unwrap_or(end).span))?;
        let ordered = match ty {
            Type::Number => true,
            Type::Flag | Type::Unit(_) | Type::Nothing => false,
            Type::Kind(kind) => self.rules.kinds[kind.0].ordered,
        };
        self.needs_order(ty, ordered, span)?;
        let end = |end: &Option<Expr>| match end.as_ref()?.node {
            ExprNode::Constant(value) => Some(value),
            _ => None,
        };
        // A scenario, which has no pieces, says itself that nothing is in such a set.
        let backward = end(&first).zip(end(&last)).is_some_and(|(low, high)| low > high);
        if backward && !self.pieces.is_empty() {
            let text = |end: Option<&tree::Expr>| end.map_or("", |end| self.sources.text(end.span));
            let remedy = format!("write `{}..{}`", text(high), text(low));
            self.error(span, "this range ends before it starts", "empty", remedy);
            return None;
        }
        Some(SetSpan::Range(first, last))
    }

    /// A range needs values of which one comes before the other.
    fn needs_order(&mut self, ty: Type, ordered: bool, span: Span) -> Option<()> {
        if ordered {
            return Some(());
        }
        let message = format!("the values of `{}` have no order", self.rules.type_name(ty));
        self.error(span, message, "a range of them", "list those that you mean, as in `{a, b}`");
        None
    }

    /// `< 4` is `..3`.
    fn compared(&mut self, comparison: Comparison, bound: &tree::Expr) -> Option<SetSpan> {
        let bound = self.typed(bound, Type::Number)?;
        let one = constant(1, Type::Number, bound.span);
        let (span, ty) = (bound.span, Type::Number);
        let next =
            |op: Operation, bound: Expr| Some(Expr { node: ExprNode::Apply(op, vec![bound, one]), ty, span });
        Some(match comparison {
            Comparison::Less => SetSpan::Range(None, next(Operation::Subtract, bound)),
            Comparison::AtMost => SetSpan::Range(None, Some(bound)),
            Comparison::More => SetSpan::Range(next(Operation::Add, bound), None),
            Comparison::AtLeast => SetSpan::Range(Some(bound), None),
        })
    }
}
