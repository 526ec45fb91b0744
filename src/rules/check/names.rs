//! What a name means where it stands: a local, a factor, a value of a kind, or something that is called.

use super::{Checker, Kept};
use crate::diagnostic::{Diagnostic, Span};
use crate::rules::parser::open_ended;
use crate::rules::ruleset::{Call, Expr, ExprNode, KindId, Place, Type};
use crate::rules::tree::{self, Word};

/// One thing that a name may mean.
pub(super) struct Reading {
    pub(super) expr: Expr,
    /// What it is, for messages.
    what: String,
    /// How to say that it is this that is meant.
    spelling: String,
}

impl Checker<'_> {
    /// The expression that a bare name stands for. Where a type is wanted, only readings of it count; where none is,
    /// `subject` prefers what can be read off the table over the values of kinds.
    pub(super) fn name(&mut self, name: &str, span: Span, want: Option<Type>, subject: bool) -> Option<Expr> {
        if self.scope.locals.iter().any(|local| local.name == name && local.ty.is_none()) {
            return None;
        }
        let readings = self.readings(name, span);
        if readings.is_empty() {
            self.unknown(name, span, want);
            return None;
        }
        let unit = |ty: Type| matches!(ty, Type::Unit(_));
        let fits = |reading: &Reading| match want {
            Some(want) => reading.expr.ty == want,
            None => !subject || !matches!(reading.expr.node, ExprNode::Constant(_)) || unit(reading.expr.ty),
        };
        let (fitting, others): (Vec<Reading>, Vec<Reading>) = readings.into_iter().partition(fits);
        let taken =
            |reading: &Reading| want.is_none_or(|want| self.taken_in(reading.expr.ty, want).is_some());
        let fitting = if fitting.is_empty() { others.into_iter().filter(taken).collect() } else { fitting };
        match fitting.len() {
            0 => {
                self.wrong_kind(name, span, want);
                None
            }
            1 => {
                let expr = fitting.into_iter().next()?.expr;
                self.fit(expr, want)
            }
            _ => {
                self.ambiguous(name, span, &fitting);
                None
            }
        }
    }

    pub(super) fn readings(&mut self, name: &str, span: Span) -> Vec<Reading> {
        let local = self.scope.locals.iter().rev().find(|local| local.name == name);
        if let Some(local) = local
            && let (Kept::One(id), Some(ty)) = (local.kept, local.ty)
        {
            let expr = Expr { node: ExprNode::Read(Place::Local(id)), ty, span };
            return vec![Reading { expr, what: "a name given here".to_owned(), spelling: name.to_owned() }];
        }
        let mut readings = Vec::new();
        if let Some(factor) = self.rules.factor(name) {
            let ty = self.rules.factors[factor.0].ty;
            let expr = Expr { node: ExprNode::Read(Place::Factor(factor)), ty, span };
            let spelling = format!("({name} is yes)");
            readings.push(Reading { expr, what: "a factor".to_owned(), spelling });
        } else if let Some(expr) = self.unit_alone(name, span) {
            readings.push(Reading { expr, what: "a unit".to_owned(), spelling: name.to_owned() });
        } else if let Some(expr) = self.bare_call(name, span) {
            readings.push(Reading { expr, what: self.sort_of(name), spelling: format!("({name})") });
        }
        for (id, kind) in self.rules.kinds.iter().enumerate().filter(|(_, kind)| !kind.private) {
            if let Some(value) = kind.values.iter().position(|value| value.name == name) {
                let expr = Expr { node: ExprNode::Constant(value as i32), ty: Type::Kind(KindId(id)), span };
                let what = format!("a value of `{}`", kind.name);
                readings.push(Reading { expr, what, spelling: format!("{}.{name}", kind.name) });
            }
        }
        readings
    }

    /// `a test`, `a chart`: what declares a name.
    fn sort_of(&self, name: &str) -> String {
        let word = self.names.get(name).map_or("piece", |index| self.pieces[*index].item.node.title().0);
        if word == "modifiers" { "modifiers".to_owned() } else { format!("a {word}") }
    }

    /// A call without brackets, of something without parameters.
    fn bare_call(&mut self, name: &str, span: Span) -> Option<Expr> {
        let head = self.callable(name)?;
        let (callee, arguments, settings) = (head.callee, Vec::new(), Vec::new());
        let call = Box::new(Call { callee, unit: None, arguments, settings, span });
        let gives = head.parameters.is_empty() && head.result != Type::Nothing;
        gives.then_some(Expr { node: ExprNode::Call(call), ty: head.result, span })
    }

    /// The head of what a name calls here: inside an override its own name means the piece that it replaces.
    pub(super) fn callable(&mut self, name: &str) -> Option<super::Head> {
        let index = match &self.scope.own {
            Some((own, replaced)) if own == name => *replaced,
            _ => *self.names.get(name)?,
        };
        self.pieces[index].wanted = true;
        self.head(index)
    }

    /// `kind.value`, `unit.factor`.
    pub(super) fn member(&mut self, kind: &Word, value: &Word, span: Span) -> Option<Expr> {
        let readings = self.readings(&kind.text, kind.span).into_iter().map(|reading| reading.expr);
        if let Some(unit) = readings.into_iter().find(|expr| matches!(expr.ty, Type::Unit(_))) {
            return self.unit_member(unit, value, span);
        }
        if let Some((_, _, Some(count))) = self.unit_group(&kind.text) {
            let message = format!("`{}` is a list of {count} units", kind.text);
            let remedy = format!("say which, as in `{}[1].{}`", kind.text, value.text);
            self.error(kind.span, message, "which of them?", remedy);
            return None;
        }
        let ty = self.type_named(kind)?;
        let Some(constant) = self.rules.value_of(ty, &value.text) else {
            self.not_a_value(ty, &value.text, value.span);
            return None;
        };
        Some(Expr { node: ExprNode::Constant(constant), ty, span })
    }

    fn unknown(&mut self, name: &str, span: Span, want: Option<Type>) {
        if let Some((_, _, Some(count))) = self.unit_group(name) {
            let message = format!("`{name}` is a list of {count} units");
            return self.error(span, message, "which of them?", format!("say which, as in `{name}[1]`"));
        }
        if let Some(head) = self.callable(name).filter(|head| head.result == Type::Nothing) {
            let call = self.rules.callee_name(head.callee).to_owned();
            let remedy =
                format!("call it as a step of its own, or say what it gives: `test {call} -> number`");
            return self.error(span, format!("`{call}` gives nothing"), "a value is needed here", remedy);
        }
        if self.names.contains_key(name) {
            let message = format!("`{name}` needs its keys");
            let remedy = format!("write them in brackets, as in `{name}(…)`");
            return self.error(span, message, "called without them", remedy);
        }
        let mistake = Diagnostic::error(span, format!("there is no `{name}` here"), "not declared");
        let known = self.names_for(want);
        self.found.push(match known.is_empty() {
            true => mistake.remedy("name it before with `factor` or `let`, or write its value"),
            false => mistake.did_you_mean(name, known.iter().map(String::as_str)),
        });
    }

    /// The names that could stand where a type is wanted.
    fn names_for(&self, want: Option<Type>) -> Vec<String> {
        let fits = |ty: Type| want.is_none_or(|want| want == ty);
        let locals = self.scope.locals.iter().filter(|local| local.ty.is_some_and(fits));
        let locals = locals.map(|local| local.name.clone());
        let factors = self.rules.factors.iter().filter(|factor| fits(factor.ty) && factor.owner.is_none());
        let factors = factors.map(|factor| factor.name.clone());
        let heads =
            self.pieces.iter().filter(|piece| piece.head.as_ref().is_some_and(|head| fits(head.result)));
        let heads = heads.filter_map(|piece| Some(piece.item.node.title().1?.text.clone()));
        let kinds = self.rules.kinds.iter().enumerate().filter(|(id, _)| fits(Type::Kind(KindId(*id))));
        let values = kinds.flat_map(|(_, kind)| kind.values.iter().map(|value| value.name.clone()));
        let mut names: Vec<String> = locals.chain(factors).chain(heads).chain(values).collect();
        names.sort();
        names.dedup();
        names
    }

    fn wrong_kind(&mut self, name: &str, span: Span, want: Option<Type>) {
        let Some(want) = want else { return };
        let readings = self.readings(name, span);
        let flag = want == Type::Number && readings.iter().any(|reading| reading.expr.ty == Type::Flag);
        let what = match readings.first() {
            Some(reading) if matches!(reading.expr.node, ExprNode::Constant(_)) => reading.what.clone(),
            Some(reading) => {
                format!("{} of the kind `{}`", reading.what, self.rules.type_name(reading.expr.ty))
            }
            None => return,
        };
        let message = format!("`{name}` is {what}; a `{}` is needed here", self.rules.type_name(want));
        let mistake = Diagnostic::error(span, message, "of another kind");
        if flag {
            return self.found.push(mistake.remedy(format!("write `(1 if {name} else 0)`")));
        }
        let known = self.names_for(Some(want));
        self.found.push(mistake.did_you_mean(name, known.iter().map(String::as_str)));
    }

    /// A value that a type does not have.
    fn not_a_value(&mut self, ty: Type, name: &str, span: Span) {
        let message = format!("`{}` has no value `{name}`", self.rules.type_name(ty));
        let known: Vec<String> = match ty {
            Type::Number | Type::Unit(_) | Type::Nothing => Vec::new(),
            Type::Flag => vec!["yes".to_owned(), "no".to_owned()],
            Type::Kind(kind) => {
                self.rules.kinds[kind.0].values.iter().map(|value| value.name.clone()).collect()
            }
        };
        let mistake = Diagnostic::error(span, message, "not one of its values");
        self.found.push(mistake.did_you_mean(name, known.iter().map(String::as_str)));
    }

    /// `troop is cavalry or infantry`, `losses is 3 or more`: the name is meant as a part of the set.
    pub(super) fn forgotten_is(&mut self, left: &tree::Expr, right: &tree::Expr) -> bool {
        let (tree::ExprNode::Is(_, false, set), tree::ExprNode::Name(name)) = (&left.node, &right.node)
        else {
            return false;
        };
        let printed = open_ended(self.sources.text(set.span), name);
        if let (Some(printed), true) = (printed, self.readings(name, right.span).is_empty()) {
            let remedy = format!("write `is {printed}`");
            self.error(right.span, format!("`{name}` alone is not a condition"), "part of a range", remedy);
            return true;
        }
        let value = self.rules.kinds.iter().any(|kind| kind.values.iter().any(|value| value.name == *name));
        let flag =
            self.rules.factor(name).is_some_and(|factor| self.rules.factors[factor.0].ty == Type::Flag);
        let forgotten = value && !flag && self.callable(name).is_none();
        if forgotten {
            let first = self.sources.text(set.span).trim_matches(['{', '}']).to_owned();
            let remedy = format!("write `is {{{first}, {name}}}`");
            self.error(right.span, format!("`{name}` alone is not a condition"), "a value", remedy);
        }
        forgotten
    }

    fn ambiguous(&mut self, name: &str, span: Span, readings: &[Reading]) {
        let whats: Vec<&str> = readings.iter().map(|reading| reading.what.as_str()).collect();
        let spellings: Vec<String> =
            readings.iter().map(|reading| format!("`{}`", reading.spelling)).collect();
        let message = format!("`{name}` can be {} here", whats.join(" or "));
        self.error(span, message, "which one?", format!("write {}", spellings.join(" or ")));
    }
}
