//! Kinds, factors, and situations that do not exist.

use super::{Checker, Scope};
use crate::diagnostic::Diagnostic;
use crate::rules::lexer::LARGEST_NUMBER;
use crate::rules::ruleset::{Factor, FactorId, Kind, KindId, KindValue, Never, Type};
use crate::rules::tree::{DomainNode, Expr, ExprNode, FactorItem, ItemNode, KindItem, ValueLine, Word};

/// A factor has at most so many values.
const MOST_VALUES: i64 = 100_000;

impl<'a> Checker<'a> {
    /// The items that no later file replaces, in order.
    pub(super) fn current(&self) -> Vec<(usize, &'a ItemNode)> {
        let pieces = self.pieces.iter().enumerate().filter(|(_, piece)| !piece.replaced);
        pieces.map(|(index, piece)| (index, &piece.item.node)).collect()
    }

    pub(super) fn declare_kinds(&mut self) {
        for (_, item) in self.current() {
            match item {
                ItemNode::Kind(kind) => self.declare_kind(kind),
                ItemNode::Factor(factor) => self.declare_factor_kind(factor),
                _ => {}
            }
        }
    }

    fn declare_kind(&mut self, kind: &KindItem) {
        let mut values: Vec<KindValue> = Vec::new();
        for line in &kind.values {
            self.value_line(kind, line, &mut values);
        }
        if ["number", "flag"].contains(&kind.name.text.as_str()) {
            let message = format!("`{}` is a kind already", kind.name.text);
            self.error(kind.name.span, message, "taken", "give this one another name");
        }
        if values.is_empty() {
            let message = format!("`{}` has no values", kind.name.text);
            self.error(kind.name.span, message, "empty", "write its values between the braces, one a line");
        }
        self.rules.to_mut().kinds.push(Kind { name: kind.name.text.clone(), ordered: kind.ordered, values });
    }

    fn value_line(&mut self, kind: &KindItem, line: &ValueLine, values: &mut Vec<KindValue>) {
        if line.equals.len() > 1 && !kind.ordered {
            let remedy = "write `outcome` instead of `kind`, or give each value a line of its own";
            self.error(line.span, "only results can be equally good", "in a `kind`", remedy);
        }
        let rank = values.last().map_or(0, |last| last.rank + 1);
        for (name, label) in &line.equals {
            if self.kinds.contains_key(&name.text) {
                let message = format!("taking in the values of `{}` comes with a later version", name.text);
                let remedy = "list the values here, or give this one another name";
                self.error(name.span, message, "the name of a kind", remedy);
            }
            if values.iter().any(|value| value.name == name.text) {
                let message = format!("`{}` has the value `{}` twice", kind.name.text, name.text);
                self.error(name.span, message, "a second time", "remove one of them");
                continue;
            }
            let label = label_or_words(label.as_ref(), &name.text);
            values.push(KindValue { name: name.text.clone(), label, rank });
        }
    }

    /// A factor that lists named values makes a kind of its own name.
    fn declare_factor_kind(&mut self, factor: &FactorItem) {
        let DomainNode::Values(values) = &factor.domain else { return };
        let names: Vec<&str> = values.iter().filter_map(|value| name_of(value)).collect();
        if names.is_empty() {
            return;
        }
        if let Some(odd) = values.iter().find(|value| name_of(value).is_none()) {
            let remedy = "list only names or only numbers";
            self.error(odd.span, "a factor has either names or numbers", "not a name", remedy);
        }
        if self.kinds.contains_key(&factor.name.text) {
            let message = format!("there is a kind `{}` already", factor.name.text);
            let remedy =
                format!("write `factor {0}: {0}`, or give the factor another name", factor.name.text);
            self.error(factor.name.span, message, "this factor lists values of its own", remedy);
        }
        let twice = names.iter().enumerate().find(|(at, name)| names[..*at].contains(name));
        if let Some((at, name)) = twice {
            let message = format!("`{}` has the value `{name}` twice", factor.name.text);
            self.error(values[at].span, message, "a second time", "remove one of them");
        }
        let value = |(rank, name): (u32, &&str)| KindValue {
            name: (*name).to_owned(),
            label: label_or_words(None, name),
            rank,
        };
        let values = (0..).zip(&names).map(value).collect();
        self.rules.to_mut().kinds.push(Kind { name: factor.name.text.clone(), ordered: false, values });
    }

    pub(super) fn declare_factors(&mut self) {
        for (_, item) in self.current() {
            if let ItemNode::Factor(factor) = item {
                self.declare_factor(factor);
            }
        }
    }

    fn declare_factor(&mut self, item: &FactorItem) {
        let (ty, values) = self.domain(item);
        let mut factor = Factor {
            name: item.name.text.clone(),
            label: label_or_words(item.label.as_ref(), &item.name.text),
            ty,
            values,
            default: None,
            span: item.name.span,
        };
        factor.default = item.default.as_ref().and_then(|default| self.factor_default(&factor, default));
        self.rules.to_mut().factors.push(factor);
    }

    /// The type and the values of a factor; on a mistake a flag, so that checking can go on.
    fn domain(&mut self, item: &FactorItem) -> (Type, Vec<i32>) {
        let flag = (Type::Flag, vec![0, 1]);
        match &item.domain {
            DomainNode::Flag(_) => flag,
            DomainNode::Kind(name) => match self.type_named(name) {
                Some(Type::Kind(kind)) => self.all_values(kind),
                Some(_) => {
                    let remedy = "write a range such as `0..6`, or `flag`";
                    self.error(name.span, "a factor needs its values", "not enough", remedy);
                    flag
                }
                None => flag,
            },
            DomainNode::Range(low, high) => (Type::Number, self.number_range(low, high)),
            DomainNode::Values(values) if values.iter().any(|value| name_of(value).is_some()) => {
                let kind = self.rules.kinds.iter().position(|kind| kind.name == item.name.text);
                self.all_values(KindId(kind.unwrap_or(0)))
            }
            DomainNode::Values(values) => {
                let mut numbers: Vec<i32> =
                    values.iter().filter_map(|value| self.plain_number(value)).collect();
                numbers.sort_unstable();
                numbers.dedup();
                (Type::Number, if numbers.is_empty() { vec![0] } else { numbers })
            }
        }
    }

    fn all_values(&self, kind: KindId) -> (Type, Vec<i32>) {
        (Type::Kind(kind), (0..self.rules.kinds[kind.0].values.len() as i32).collect())
    }

    fn number_range(&mut self, low: &Expr, high: &Expr) -> Vec<i32> {
        let (Some(start), Some(end)) = (self.plain_number(low), self.plain_number(high)) else {
            return vec![0];
        };
        let span = low.span.to(high.span);
        if start > end {
            self.error(span, "this range ends before it starts", "empty", format!("write `{end}..{start}`"));
            return vec![start];
        }
        if i64::from(end) - i64::from(start) >= MOST_VALUES {
            let message = format!("a factor has at most {MOST_VALUES} values");
            self.error(span, message, "more than that", "narrow the range");
            return vec![start];
        }
        (start..=end).collect()
    }

    /// A number as it is written, with or without a sign.
    fn plain_number(&mut self, expr: &Expr) -> Option<i32> {
        let number = match &expr.node {
            ExprNode::Number(number) => Some(*number),
            ExprNode::Negate(inner) => self.plain_number(inner).map(|number| -number),
            _ => None,
        };
        if number.is_none() {
            let remedy = "write a whole number such as `6`";
            self.error(expr.span, "a plain number is needed here", "not a number", remedy);
        }
        number.filter(|number| number.abs() <= LARGEST_NUMBER)
    }

    fn factor_default(&mut self, factor: &Factor, default: &Expr) -> Option<i32> {
        let value = match factor.ty {
            Type::Number => self.plain_number(default)?,
            ty => match &default.node {
                ExprNode::Name(name) => self.rules.value_of(ty, name).unwrap_or(-1),
                ExprNode::Flag(flag) if ty == Type::Flag => i32::from(*flag),
                _ => -1,
            },
        };
        if factor.values.contains(&value) {
            return Some(value);
        }
        let written = self.sources.text(default.span).to_owned();
        let known: Vec<String> =
            factor.values.iter().take(40).map(|value| self.rules.name_of(factor.ty, *value)).collect();
        let message = format!("`{}` cannot be `{written}`", factor.name);
        let mistake = Diagnostic::error(default.span, message, "not one of its values");
        self.found.push(mistake.did_you_mean(&written, known.iter().map(String::as_str)));
        None
    }

    /// The type that a word names: `number`, `flag`, a kind, an outcome, or a factor that lists its values.
    pub(super) fn type_named(&mut self, word: &Word) -> Option<Type> {
        match word.text.as_str() {
            "number" => return Some(Type::Number),
            "flag" => return Some(Type::Flag),
            _ => {}
        }
        if let Some(kind) = self.rules.kinds.iter().position(|kind| kind.name == word.text) {
            return Some(Type::Kind(KindId(kind)));
        }
        if let Some(factor) = self.rules.factor(&word.text) {
            return Some(self.rules.factors[factor.0].ty);
        }
        let known: Vec<String> = self.rules.kinds.iter().map(|kind| kind.name.clone()).collect();
        let known = known.iter().map(String::as_str).chain(["number", "flag"]);
        let mistake =
            Diagnostic::error(word.span, format!("there is no kind `{}`", word.text), "not declared");
        self.found.push(mistake.did_you_mean(&word.text, known));
        None
    }

    pub(super) fn check_nevers(&mut self) {
        for (_, item) in self.current() {
            let ItemNode::Never(never) = item else { continue };
            self.scope = Scope { no_dice: "a situation exists or does not", ..Default::default() };
            let why = match &never.why {
                Some(why) => why.text.clone(),
                None => self.sources.text(never.condition.span).to_owned(),
            };
            if let Some(condition) = self.typed(&never.condition, Type::Flag) {
                self.rules.to_mut().nevers.push(Never { condition, why });
            }
        }
    }

    /// The factor of that name.
    pub(super) fn factor_named(&mut self, name: &Word) -> Option<FactorId> {
        let factor = self.rules.factor(&name.text);
        if factor.is_none() {
            let known: Vec<String> = self.rules.factors.iter().map(|factor| factor.name.clone()).collect();
            let mistake =
                Diagnostic::error(name.span, format!("there is no factor `{}`", name.text), "not declared");
            self.found.push(mistake.did_you_mean(&name.text, known.iter().map(String::as_str)));
        }
        factor
    }
}

/// The name, if the expression is a bare one.
fn name_of(expr: &Expr) -> Option<&str> {
    match &expr.node {
        ExprNode::Name(name) => Some(name),
        _ => None,
    }
}

/// The label, or else the name in words.
fn label_or_words(label: Option<&Word>, name: &str) -> String {
    label.map_or_else(|| name.replace('_', " "), |label| label.text.clone())
}
