//! Calls: arguments of the right number and kinds, and the factors that they set.

use super::Checker;
use super::expression::{ANY, Ask};
use crate::diagnostic::{Diagnostic, Span};
use crate::rules::ruleset::{Callee, Expr, ExprNode, FactorId, Operation, Place, Type};
use crate::rules::tree::{self, BinaryOp, Word};

impl Checker<'_> {
    pub(super) fn call(&mut self, name: &Word, arguments: &[tree::Expr], span: Span) -> Option<Expr> {
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

    pub(super) fn with(
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
