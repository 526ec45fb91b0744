//! Expressions: operands of the right kinds, choices.

use super::Checker;
use crate::diagnostic::Span;
use crate::rules::parser::shorten;
use crate::rules::ruleset::{Expr, ExprNode, Operation, Type};
use crate::rules::tree::{self, BinaryOp, SetNode};

/// What the place of an expression allows.
#[derive(Clone, Copy)]
pub(super) struct Ask {
    /// The type that is needed, if one is.
    pub(super) want: Option<Type>,
    /// Whether `a or b` can leave the result to a player.
    pub(super) choosing: bool,
    /// Whether a bare name rather means what stands on the table than a value.
    pub(super) subject: bool,
}

pub(super) const ANY: Ask = Ask { want: None, choosing: false, subject: false };

impl Checker<'_> {
    /// An expression of a given type.
    pub(super) fn typed(&mut self, expr: &tree::Expr, want: Type) -> Option<Expr> {
        self.expression(expr, Ask { want: Some(want), ..ANY })
    }

    /// An expression of a given type that may be left out.
    pub(super) fn optional(&mut self, expr: Option<&tree::Expr>, want: Type) -> Option<Option<Expr>> {
        match expr {
            Some(expr) => self.typed(expr, want).map(Some),
            None => Some(None),
        }
    }

    /// An expression of any type.
    pub(super) fn untyped(&mut self, expr: &tree::Expr) -> Option<Expr> {
        self.expression(expr, ANY)
    }

    /// A result, which may be left to a player.
    pub(super) fn result_value(&mut self, expr: &tree::Expr, want: Type) -> Option<Expr> {
        self.expression(expr, Ask { want: Some(want), choosing: true, ..ANY })
    }

    pub(super) fn expression(&mut self, expr: &tree::Expr, ask: Ask) -> Option<Expr> {
        let span = expr.span;
        if self.is_many(expr) {
            return self.one_of(expr, ask);
        }
        match &expr.node {
            tree::ExprNode::Number(number) => self.fit(constant(*number, Type::Number, span), ask.want),
            tree::ExprNode::Flag(flag) => self.fit(constant(i32::from(*flag), Type::Flag, span), ask.want),
            tree::ExprNode::Name(name) => self.name(name, span, ask.want, ask.subject),
            tree::ExprNode::Member(of, value) => {
                let member = self.member(of, value, span)?;
                self.fit(member, ask.want)
            }
            tree::ExprNode::Index(list, number, member) => {
                self.index(list, number, member.as_ref(), span, ask)
            }
            tree::ExprNode::Call(name, arguments) => {
                let value = self.call_value(name, arguments, span)?;
                self.fit(value, ask.want)
            }
            tree::ExprNode::For(..) | tree::ExprNode::With(..) => {
                let (call, ty, _) = self.call_of(expr)?;
                let value = self.value_of_call(call, ty)?;
                self.fit(value, ask.want)
            }
            tree::ExprNode::Pool(pool, node) => self.asked(pool, node, span, ask),
            tree::ExprNode::Dice(..) | tree::ExprNode::List(_) => self.one_of(expr, ask),
            tree::ExprNode::Chance(part, whole) => self.chance(part, whole.as_deref(), span, ask),
            tree::ExprNode::Choose(name, options) => {
                let choice = self.choose_option(name.as_ref(), options, span, ask)?;
                self.fit(choice, ask.want)
            }
            tree::ExprNode::ChooseFrom(name, from) => {
                let choice = self.choose_from(name.as_ref(), from, span)?;
                self.fit(choice, ask.want)
            }
            tree::ExprNode::Bracket(inside) => self.expression(inside, ask),
            tree::ExprNode::Negate(operand) => {
                self.apply(Operation::Negate, &[operand], Type::Number, span, ask)
            }
            tree::ExprNode::Not(operand) => self.apply(Operation::Not, &[operand], Type::Flag, span, ask),
            tree::ExprNode::Binary(op, left, right) => self.binary(*op, left, right, span, ask),
            tree::ExprNode::Is(subject, negated, set) => self.is(subject, *negated, set, span, ask),
            tree::ExprNode::If(then, condition, otherwise) => {
                let condition = self.typed(condition, Type::Flag);
                let then = self.expression(then, ask);
                let want = ask.want.or(then.as_ref().map(|then| then.ty));
                let otherwise = self.expression(otherwise, Ask { want, ..ask });
                let (condition, then, otherwise) = (condition?, then?, otherwise?);
                let ty = then.ty;
                let node = ExprNode::If(Box::new(condition), Box::new(then), Box::new(otherwise));
                Some(Expr { node, ty, span })
            }
        }
    }

    fn chance(
        &mut self,
        part: &tree::Expr,
        whole: Option<&tree::Expr>,
        span: Span,
        ask: Ask,
    ) -> Option<Expr> {
        self.refuse_dice(span)?;
        let part = self.typed(part, Type::Number);
        let whole = match whole {
            Some(whole) => self.typed(whole, Type::Number),
            None => Some(constant(100, Type::Number, span)),
        };
        let node = ExprNode::Chance(Box::new(part?), Box::new(whole?));
        self.fit(Expr { node, ty: Type::Flag, span }, ask.want)
    }

    /// The expression, if its type is the one that is needed, or an outcome that the one that is needed takes in.
    pub(super) fn fit(&mut self, expr: Expr, want: Option<Type>) -> Option<Expr> {
        let Some(want) = want.filter(|want| *want != expr.ty) else { return Some(expr) };
        if let Some(offset) = self.taken_in(expr.ty, want) {
            let span = expr.span;
            let node = match expr.node {
                ExprNode::Constant(value) => ExprNode::Constant(value + offset),
                _ => ExprNode::Apply(Operation::Add, vec![expr, constant(offset, Type::Number, span)]),
            };
            return Some(Expr { node, ty: want, span });
        }
        let (is, needed) = (self.rules.type_name(expr.ty).to_owned(), self.rules.type_name(want).to_owned());
        let written = shorten(self.sources.text(expr.span));
        let message = format!("`{written}` is a `{is}`; a `{needed}` is needed here");
        let remedy = match (expr.ty, want) {
            (Type::Flag, Type::Number) => format!("write `(1 if {written} else 0)`"),
            (Type::Unit(_), Type::Unit(_)) => "write units of one `unit` line only".to_owned(),
            _ => format!("write something that is a `{needed}`"),
        };
        self.error(expr.span, message, "of another kind", remedy);
        None
    }

    /// How far on the values of a type stand in one that takes it in.
    pub(super) fn taken_in(&self, ty: Type, want: Type) -> Option<i32> {
        let (Type::Kind(kind), Type::Kind(wanted)) = (ty, want) else { return None };
        let takes_in = &self.rules.kinds[wanted.0].takes_in;
        takes_in.iter().find(|(taken, _)| *taken == kind).map(|(_, offset)| *offset)
    }

    /// `list[i]`, `ours[i]`, `ours[i].health`.
    fn index(
        &mut self,
        list: &tree::Word,
        number: &tree::Expr,
        member: Option<&tree::Word>,
        span: Span,
        ask: Ask,
    ) -> Option<Expr> {
        let local = self.scope.locals.iter().any(|local| local.name == list.text);
        if local && member.is_none() {
            return self.item(list, number, span, ask);
        }
        let unit = self.unit_at(list, number, span)?;
        let value = match member {
            Some(member) => self.unit_member(unit, member, span)?,
            None => unit,
        };
        self.fit(value, ask.want)
    }

    /// Arithmetic on operands of one type; the operation gives the same type.
    pub(super) fn apply(
        &mut self,
        op: Operation,
        operands: &[&tree::Expr],
        ty: Type,
        span: Span,
        ask: Ask,
    ) -> Option<Expr> {
        let gives = if matches!(op, Operation::Compare(_)) { Type::Flag } else { ty };
        let operands: Vec<Option<Expr>> = operands.iter().map(|operand| self.typed(operand, ty)).collect();
        let operands: Option<Vec<Expr>> = operands.into_iter().collect();
        self.fit(Expr { node: ExprNode::Apply(op, operands?), ty: gives, span }, ask.want)
    }

    fn binary(
        &mut self,
        op: BinaryOp,
        left: &tree::Expr,
        right: &tree::Expr,
        span: Span,
        ask: Ask,
    ) -> Option<Expr> {
        let operation = match op {
            BinaryOp::Add => Operation::Add,
            BinaryOp::Subtract => Operation::Subtract,
            BinaryOp::Multiply => Operation::Multiply,
            BinaryOp::Compare(comparison) => Operation::Compare(comparison),
            BinaryOp::Divide => {
                let remedy = "write `up(a / b)` to round up, `down(a / b)` to round down";
                self.error(span, "numbers are whole: say how to round", "a division", remedy);
                return None;
            }
            BinaryOp::And => return self.and_or(left, right, span, ask, ExprNode::And),
            BinaryOp::Or if self.leaves_choice(left, ask) => return self.choose(left, right, span, ask),
            BinaryOp::Or => return self.and_or(left, right, span, ask, ExprNode::Or),
        };
        self.apply(operation, &[left, right], Type::Number, span, ask)
    }

    fn and_or(
        &mut self,
        left: &tree::Expr,
        right: &tree::Expr,
        span: Span,
        ask: Ask,
        node: fn(Box<Expr>, Box<Expr>) -> ExprNode,
    ) -> Option<Expr> {
        let checked = self.typed(left, Type::Flag);
        if self.forgotten_is(left, right) {
            return None;
        }
        let right = self.typed(right, Type::Flag);
        self.fit(Expr { node: node(Box::new(checked?), Box::new(right?)), ty: Type::Flag, span }, ask.want)
    }

    fn is(
        &mut self,
        subject: &tree::Expr,
        negated: bool,
        set: &SetNode,
        span: Span,
        ask: Ask,
    ) -> Option<Expr> {
        let subject = self.expression(subject, Ask { subject: true, ..ANY })?;
        let set = self.set(set, subject.ty)?;
        let mut is = Expr { node: ExprNode::Is(Box::new(subject), set), ty: Type::Flag, span };
        if negated {
            is = Expr { node: ExprNode::Apply(Operation::Not, vec![is]), ty: Type::Flag, span };
        }
        self.fit(is, ask.want)
    }
}

pub(super) fn constant(value: i32, ty: Type, span: Span) -> Expr {
    Expr { node: ExprNode::Constant(value), ty, span }
}
