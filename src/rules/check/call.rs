//! Calls: arguments of the right number and kinds, and the factors that they set.

use super::Checker;
use super::expression::{ANY, Ask};
use crate::diagnostic::{Diagnostic, Span};
use crate::rules::ruleset::{Call, Callee, Expr, ExprNode, FactorId, Operation, Place, StatementNode, Type};
use crate::rules::tree::{self, BinaryOp, Word};

/// A call, the type of what it gives or of each item, and how many items a list has.
type Called = (Call, Type, Option<usize>);

impl Checker<'_> {
    /// `name(arguments)` as a value: something that reckons, or a call.
    pub(super) fn call_value(&mut self, name: &Word, arguments: &[tree::Expr], span: Span) -> Option<Expr> {
        if let Some(function) = self.function(name, arguments, span) {
            return function;
        }
        let (call, ty, _) = self.call(name, arguments, span)?;
        self.value_of_call(call, ty)
    }

    pub(super) fn value_of_call(&mut self, call: Call, ty: Type) -> Option<Expr> {
        let span = call.span;
        if ty == Type::Nothing {
            let name = self.rules.callee_name(call.callee).to_owned();
            let remedy =
                format!("call it as a step of its own, or say what it gives: `test {name} -> number`");
            self.error(span, format!("`{name}` gives nothing"), "a value is needed here", remedy);
            return None;
        }
        Some(Expr { node: ExprNode::Call(Box::new(call)), ty, span })
    }

    /// A step that only calls a test.
    pub(super) fn call_alone(&mut self, expr: &tree::Expr) -> Option<StatementNode> {
        let (call, ..) = self.call_of(expr)?;
        if let Callee::Test(_) = call.callee {
            return Some(StatementNode::Call(call));
        }
        let name = self.rules.callee_name(call.callee).to_owned();
        let message = format!("`{name}` only gives a value, and nothing is done with it");
        self.error(expr.span, message, "alone here", "name the value with `let`, or take the step out");
        None
    }

    /// A call, in whatever situation and for whatever unit: with what it gives.
    pub(super) fn call_of(&mut self, expr: &tree::Expr) -> Option<Called> {
        let span = expr.span;
        match &expr.node {
            tree::ExprNode::Bracket(inside) => self.call_of(inside),
            tree::ExprNode::Name(name) => self.call(&Word { text: name.clone(), span }, &[], span),
            tree::ExprNode::Call(name, arguments) => self.call(name, arguments, span),
            tree::ExprNode::For(call, unit) => {
                let called = self.call_of(call);
                let unit = self.unit_named(unit);
                let (mut call, ty, items) = called?;
                let unit = unit?;
                if call.unit.is_some() || !call.settings.is_empty() {
                    let remedy = "write `call for unit with a = 1, b = 2`";
                    self.error(span, "`for` stands right behind what is called", "too late", remedy);
                    return None;
                }
                (call.unit, call.span) = (Some(unit), span);
                Some((call, ty, items))
            }
            tree::ExprNode::With(call, settings) => self.with(call, settings, span),
            _ => {
                let remedy = "name a test, chart or modifiers, as in `break_test for ours[1]`";
                self.error(span, "this is nothing that can be called", "not a call", remedy);
                None
            }
        }
    }

    fn unit_named(&mut self, expr: &tree::Expr) -> Option<Expr> {
        let unit = self.expression(expr, Ask { subject: true, ..ANY })?;
        if matches!(unit.ty, Type::Unit(_)) {
            return Some(unit);
        }
        let remedy = "name a unit, as in `break_test for attacker` or `break_test for ours[2]`";
        self.error(unit.span, "behind `for` stands a unit", "not a unit", remedy);
        None
    }

    fn call(&mut self, name: &Word, arguments: &[tree::Expr], span: Span) -> Option<Called> {
        let Some(head) = self.callable(&name.text) else {
            self.no_callable(name);
            return None;
        };
        if head.parameters.len() != arguments.len() {
            let keys: Vec<&str> = head.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
            let message = format!("`{}` takes {}, not {}", name.text, keys.len(), arguments.len());
            let written = if keys.is_empty() {
                name.text.clone()
            } else {
                format!("{}({})", name.text, keys.join(", "))
            };
            self.error(span, message, "called here", format!("write `{written}`"));
            return None;
        }
        let pairs = arguments.iter().zip(&head.parameters);
        let arguments: Vec<Option<Expr>> =
            pairs.map(|(argument, key)| self.typed(argument, key.ty)).collect();
        let arguments = arguments.into_iter().collect::<Option<_>>()?;
        let call = Call { callee: head.callee, unit: None, arguments, settings: Vec::new(), span };
        Some((call, head.result, head.items))
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
            "sum" => return Some(self.sum(arguments, span)),
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

    /// `sum(list)`, `sum(dice)`.
    fn sum(&mut self, arguments: &[tree::Expr], span: Span) -> Option<Expr> {
        let [argument] = arguments else {
            self.error(span, "`sum` adds up one list", "called here", "write `sum(list)`");
            return None;
        };
        let pool = self.pool(argument)?;
        if pool.ty != Type::Number {
            let remedy = "ask how many items are so: `list count yes`";
            self.error(argument.span, "only numbers can be added up", "not numbers", remedy);
            return None;
        }
        Some(Expr { node: ExprNode::Sum(Box::new(pool)), ty: Type::Number, span })
    }

    fn division(&mut self, op: Operation, arguments: &[tree::Expr], span: Span) -> Option<Expr> {
        if let [tree::Expr { node: tree::ExprNode::Binary(BinaryOp::Divide, left, right), .. }] = arguments {
            return self.apply(op, &[left, right], Type::Number, span, ANY);
        }
        let remedy = "write `up(a / b)` or `down(a / b)`";
        self.error(span, "there is nothing to round here", "no division", remedy);
        None
    }

    fn with(&mut self, call: &tree::Expr, settings: &[(Word, tree::Expr)], span: Span) -> Option<Called> {
        let called = self.call_of(call);
        let settings: Vec<Option<_>> =
            settings.iter().map(|(name, value)| self.setting(name, value)).collect();
        let (mut call, ty, items) = called?;
        let settings: Vec<(FactorId, Expr)> = settings.into_iter().collect::<Option<_>>()?;
        if !call.settings.is_empty() {
            let remedy = "set them in one, as in `test with a = 1, b = 2`";
            self.error(span, "this call has a `with` already", "a second one", remedy);
            return None;
        }
        self.refuse_set_twice(call.callee, &settings)?;
        (call.settings, call.span) = (settings, span);
        Some((call, ty, items))
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
