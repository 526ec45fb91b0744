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
        match &expr.node {
            tree::ExprNode::Number(number) => self.fit(constant(*number, Type::Number, span), ask.want),
            tree::ExprNode::Flag(flag) => self.fit(constant(i32::from(*flag), Type::Flag, span), ask.want),
            tree::ExprNode::Name(name) => self.name(name, span, ask.want, ask.subject),
            tree::ExprNode::Member(kind, value) => {
                let member = self.member(kind, value, span)?;
                self.fit(member, ask.want)
            }
            tree::ExprNode::Call(name, arguments) => {
                let call = self.call(name, arguments, span)?;
                self.fit(call, ask.want)
            }
            tree::ExprNode::With(call, settings) => self.with(call, settings, span, ask),
            tree::ExprNode::Dice(count, faces) => self.dice(count.as_deref(), *faces, span, ask),
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

    /// The expression, if its type is the one that is needed.
    fn fit(&mut self, expr: Expr, want: Option<Type>) -> Option<Expr> {
        let Some(want) = want.filter(|want| *want != expr.ty) else { return Some(expr) };
        let (is, needed) = (self.rules.type_name(expr.ty).to_owned(), self.rules.type_name(want).to_owned());
        let written = shorten(self.sources.text(expr.span));
        let message = format!("`{written}` is a `{is}`; a `{needed}` is needed here");
        let remedy = match (expr.ty, want) {
            (Type::Flag, Type::Number) => format!("write `(1 if {written} else 0)`"),
            _ => format!("write something that is a `{needed}`"),
        };
        self.error(expr.span, message, "of another kind", remedy);
        None
    }

    fn dice(&mut self, count: Option<&tree::Expr>, faces: u32, span: Span, ask: Ask) -> Option<Expr> {
        if !self.scope.no_dice.is_empty() {
            let message = format!("no dice are rolled here: {}", self.scope.no_dice);
            self.error(span, message, "a roll", "roll in a test, and hand the number over");
            return None;
        }
        let count = match count {
            Some(count) => self.typed(count, Type::Number)?,
            None => constant(1, Type::Number, span),
        };
        self.fit(Expr { node: ExprNode::Roll(Box::new(count), faces), ty: Type::Number, span }, ask.want)
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

    /// Whether `left or ...` is a choice among results rather than a condition.
    fn leaves_choice(&self, left: &tree::Expr, ask: Ask) -> bool {
        match ask.want {
            Some(Type::Flag) => false,
            Some(_) => true,
            None => match &left.node {
                tree::ExprNode::Name(name) => {
                    let mut outcomes = self.rules.kinds.iter().filter(|kind| kind.ordered);
                    outcomes.any(|kind| kind.values.iter().any(|value| value.name == *name))
                }
                _ => false,
            },
        }
    }

    /// `a or b or c`: what a player picks.
    fn choose(&mut self, left: &tree::Expr, right: &tree::Expr, span: Span, ask: Ask) -> Option<Expr> {
        let (Some(ty @ Type::Kind(kind)), true) = (ask.want, ask.choosing) else {
            let (message, remedy) = match ask.choosing {
                true => {
                    ("a player chooses among named results, not numbers", "name the options in an `outcome`")
                }
                false => (
                    "a player cannot choose here",
                    "leave a result to a player in the cell of a chart or after `return`",
                ),
            };
            self.error(span, message, "a choice", remedy);
            return None;
        };
        let mut nodes = vec![right];
        let mut first = left;
        while let tree::ExprNode::Binary(BinaryOp::Or, before, option) = &first.node {
            nodes.push(option);
            first = before;
        }
        nodes.push(first);
        let options: Vec<Option<Expr>> = nodes.iter().rev().map(|node| self.option(node, ty)).collect();
        let options: Vec<Expr> = options.into_iter().collect::<Option<_>>()?;
        self.refuse_option_twice(&options)?;
        let choice = self.choice(kind, &options, span)?;
        Some(Expr { node: ExprNode::Choose(choice, options), ty, span })
    }

    fn refuse_option_twice(&mut self, options: &[Expr]) -> Option<()> {
        let before = |at: usize| options[..at].iter().any(|option| option.same(&options[at]));
        let Some(at) = (0..options.len()).find(|at| before(*at)) else { return Some(()) };
        self.error(options[at].span, "this option stands twice", "a second time", "take out one of them");
        None
    }

    /// One option of a choice: a named value.
    fn option(&mut self, node: &tree::Expr, ty: Type) -> Option<Expr> {
        let option = self.typed(node, ty)?;
        if matches!(option.node, ExprNode::Constant(_)) {
            return Some(option);
        }
        let remedy = "write the name of a result; to choose between procedures waits for a later version";
        self.error(option.span, "an option is the name of a result", "not a name", remedy);
        None
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
