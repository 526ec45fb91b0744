//! Expressions: operands of the right kinds, sets, choices, calls.

use super::Checker;
use crate::diagnostic::{Diagnostic, Span};
use crate::rules::parser::shorten;
use crate::rules::ruleset::{Callee, Expr, ExprNode, FactorId, Operation, Place, Set, SetSpan, Type};
use crate::rules::tree::{self, BinaryOp, Comparison, SetNode, SpanNode, Word};

/// What the place of an expression allows.
#[derive(Clone, Copy)]
struct Ask {
    /// The type that is needed, if one is.
    want: Option<Type>,
    /// Whether `a or b` can leave the result to a player.
    choosing: bool,
    /// Whether a bare name rather means what stands on the table than a value.
    subject: bool,
}

const ANY: Ask = Ask { want: None, choosing: false, subject: false };

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

    fn expression(&mut self, expr: &tree::Expr, ask: Ask) -> Option<Expr> {
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
    fn apply(
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
            Type::Flag => false,
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

    fn call(&mut self, name: &Word, arguments: &[tree::Expr], span: Span) -> Option<Expr> {
        if let Some(function) = self.function(name, arguments, span) {
            return function;
        }
        let Some(head) = self.callable(&name.text) else {
            self.no_callable(name);
            return None;
        };
        if head.parameters.len() != arguments.len() {
            let keys: Vec<&str> = head.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
            let message = format!("`{}` takes {}, not {}", name.text, keys.len(), arguments.len());
            self.error(span, message, "called here", format!("write `{}({})`", name.text, keys.join(", ")));
            return None;
        }
        let pairs = arguments.iter().zip(&head.parameters);
        let arguments: Vec<Option<Expr>> =
            pairs.map(|(argument, key)| self.typed(argument, key.ty)).collect();
        let arguments = arguments.into_iter().collect::<Option<_>>()?;
        Some(Expr { node: ExprNode::Call(head.callee, arguments, Vec::new()), ty: head.result, span })
    }

    fn no_callable(&mut self, name: &Word) {
        let known: Vec<String> = self.names.keys().cloned().collect();
        let functions = ["min", "max", "abs", "between", "up", "down"];
        let known = known.iter().map(String::as_str).chain(functions);
        let message = format!("there is no `{}` to call", name.text);
        let mistake = Diagnostic::error(name.span, message, "not declared");
        self.found.push(mistake.did_you_mean(&name.text, known));
    }

    /// `min`, `max`, `abs`, `between`, `up` and `down`; `None` if it is none of them, or the author's own.
    fn function(&mut self, name: &Word, arguments: &[tree::Expr], span: Span) -> Option<Option<Expr>> {
        if self.names.contains_key(&name.text) {
            return None;
        }
        let (op, fits) = match name.text.as_str() {
            "min" => (Operation::Min, arguments.len() >= 2),
            "max" => (Operation::Max, arguments.len() >= 2),
            "abs" => (Operation::Abs, arguments.len() == 1),
            "between" => (Operation::Between, arguments.len() == 3),
            "up" => return Some(self.division(Operation::DivideUp, arguments, span)),
            "down" => return Some(self.division(Operation::DivideDown, arguments, span)),
            _ => return None,
        };
        if !fits {
            let remedy = "write `min(a, b, …)`, `max(a, b, …)`, `abs(x)` or `between(low, x, high)`";
            let message = format!("`{}` takes another number of values", name.text);
            self.error(span, message, "called here", remedy);
            return Some(None);
        }
        let operands: Vec<&tree::Expr> = arguments.iter().collect();
        Some(self.apply(op, &operands, Type::Number, span, ANY))
    }

    fn division(&mut self, op: Operation, arguments: &[tree::Expr], span: Span) -> Option<Expr> {
        if let [tree::Expr { node: tree::ExprNode::Binary(BinaryOp::Divide, left, right), .. }] = arguments {
            return self.apply(op, &[left, right], Type::Number, span, ANY);
        }
        let remedy = "write `up(a / b)` or `down(a / b)`";
        self.error(span, "there is nothing to round here", "no division", remedy);
        None
    }

    fn with(
        &mut self,
        call: &tree::Expr,
        settings: &[(Word, tree::Expr)],
        span: Span,
        ask: Ask,
    ) -> Option<Expr> {
        let call = self.expression(call, Ask { choosing: false, ..ask });
        let settings: Vec<Option<_>> =
            settings.iter().map(|(name, value)| self.setting(name, value)).collect();
        let call = call?;
        let settings: Vec<(FactorId, Expr)> = settings.into_iter().collect::<Option<_>>()?;
        let ExprNode::Call(callee, arguments, before) = call.node else {
            let remedy = "name a test, chart or modifiers before `with`";
            self.error(call.span, "`with` changes the situation of a call", "not a call", remedy);
            return None;
        };
        if !before.is_empty() {
            let remedy = "set them in one, as in `test with a = 1, b = 2`";
            self.error(span, "this call has a `with` already", "a second one", remedy);
            return None;
        }
        self.refuse_set_twice(callee, &settings)?;
        Some(Expr { node: ExprNode::Call(callee, arguments, settings), ty: call.ty, span })
    }

    fn setting(&mut self, name: &Word, value: &tree::Expr) -> Option<(FactorId, Expr)> {
        let factor = self.factor_named(name)?;
        let value = self.typed(value, self.rules.factors[factor.0].ty)?;
        Some((factor, value))
    }

    /// A factor set by `with` can be neither set again nor be a key of the call.
    fn refuse_set_twice(&mut self, callee: Callee, settings: &[(FactorId, Expr)]) -> Option<()> {
        let parameters = self.pieces.iter().filter_map(|piece| piece.head.as_ref());
        let keys = parameters.filter(|head| head.callee == callee).flat_map(|head| &head.parameters);
        let mut set: Vec<Place> = keys.map(|key| key.place).collect();
        for (factor, value) in settings {
            if set.contains(&Place::Factor(*factor)) {
                let name = self.rules.factors[factor.0].name.clone();
                self.error(value.span, format!("`{name}` is set twice in this call"), "again", "set it once");
                return None;
            }
            set.push(Place::Factor(*factor));
        }
        Some(())
    }
}

fn constant(value: i32, ty: Type, span: Span) -> Expr {
    Expr { node: ExprNode::Constant(value), ty, span }
}
