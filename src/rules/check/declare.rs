//! Kinds, dice and factors.

use super::Checker;
use crate::diagnostic::{Diagnostic, Span};
use crate::rules::lexer::LARGEST_NUMBER;
use crate::rules::ruleset::{CustomDie, Factor, FactorId, Kind, KindId, KindValue, Type};
use crate::rules::tree::{
    DieItem, DomainNode, Expr, ExprNode, FactorItem, ItemNode, KindItem, ValueLine, Word,
};

/// A factor has at most so many values.
const MOST_VALUES: i64 = 100_000;
/// A die has at most so many faces of its own.
const MOST_FACES: usize = 1_000;

impl<'a> Checker<'a> {
    /// The items that no later file replaces, in order.
    pub(super) fn current(&self) -> Vec<(usize, &'a ItemNode)> {
        let pieces = self.pieces.iter().enumerate().filter(|(_, piece)| !piece.replaced);
        pieces.map(|(index, piece)| (index, &piece.item.node)).collect()
    }

    pub(super) fn declare_kinds(&mut self) {
        for (_, item) in self.current() {
            match item {
                ItemNode::Kind(kind) => _ = self.declare_kind(kind, &mut Vec::new()),
                ItemNode::Factor(factor) => self.declare_factor_kind(factor),
                ItemNode::Die(die) => self.declare_die_kind(die),
                _ => {}
            }
        }
    }

    /// Declares a kind, unless it is declared already; those that it takes in before it.
    fn declare_kind(&mut self, kind: &'a KindItem, above: &mut Vec<&'a str>) -> Option<KindId> {
        let name = kind.name.text.as_str();
        if let Some(known) = self.rules.kinds.iter().position(|known| known.name == name) {
            return Some(KindId(known));
        }
        above.push(name);
        let (mut values, mut takes_in) = (Vec::new(), Vec::new());
        for line in &kind.values {
            match self.outcome_named(line, kind) {
                Some(taken) => self.take_in(kind, line, taken, above, &mut values, &mut takes_in),
                None => self.value_line(kind, line, &mut values),
            }
        }
        above.pop();
        if ["number", "flag"].contains(&name) {
            let message = format!("`{name}` is a kind already");
            self.error(kind.name.span, message, "taken", "give this one another name");
        }
        if values.is_empty() {
            let message = format!("`{name}` has no values");
            self.error(kind.name.span, message, "empty", "write its values between the braces, one a line");
        }
        let (name, ordered) = (name.to_owned(), kind.ordered);
        self.rules.to_mut().kinds.push(Kind { name, ordered, values, takes_in, private: false });
        Some(KindId(self.rules.kinds.len() - 1))
    }

    /// The outcome that a line of an outcome names, if it names one.
    fn outcome_named(&self, line: &ValueLine, kind: &KindItem) -> Option<&'a KindItem> {
        let [(name, None)] = &line.equals[..] else { return None };
        let index = *self.kinds.get(&name.text)?;
        match &self.pieces[index].item.node {
            ItemNode::Kind(taken) if taken.ordered && kind.ordered => Some(taken),
            _ => None,
        }
    }

    fn take_in(
        &mut self,
        kind: &KindItem,
        line: &ValueLine,
        taken: &'a KindItem,
        above: &mut Vec<&'a str>,
        values: &mut Vec<KindValue>,
        takes_in: &mut Vec<(KindId, i32)>,
    ) {
        if above.contains(&taken.name.text.as_str()) {
            let message = format!("`{}` takes itself in", taken.name.text);
            self.error(line.span, message, "leads back to it", "take out this line");
            return;
        }
        let Some(id) = self.declare_kind(taken, above) else { return };
        let (rank, offset) = (next_rank(values), values.len() as i32);
        let inner = self.rules.kinds[id.0].clone();
        for value in inner.values {
            self.refuse_value_twice(kind, &value.name, line.span, values);
            values.push(KindValue { rank: rank + value.rank, ..value });
        }
        takes_in.push((id, offset));
        takes_in.extend(inner.takes_in.iter().map(|(id, further)| (*id, offset + further)));
    }

    fn refuse_value_twice(&mut self, kind: &KindItem, name: &str, span: Span, values: &[KindValue]) -> bool {
        let twice = values.iter().any(|value| value.name == name);
        if twice {
            let message = format!("`{}` has the value `{name}` twice", kind.name.text);
            self.error(span, message, "a second time", "remove one of them");
        }
        twice
    }

    fn value_line(&mut self, kind: &KindItem, line: &ValueLine, values: &mut Vec<KindValue>) {
        if line.equals.len() > 1 && !kind.ordered {
            let remedy = "write `outcome` instead of `kind`, or give each value a line of its own";
            self.error(line.span, "only results can be equally good", "in a `kind`", remedy);
        }
        let rank = next_rank(values);
        for (name, label) in &line.equals {
            if self.kinds.contains_key(&name.text) {
                let message = format!("`{}` is the name of a kind", name.text);
                let remedy = "an `outcome` may take in another `outcome`, named on a line of its own";
                self.error(name.span, message, "not a value", remedy);
            }
            if !self.refuse_value_twice(kind, &name.text, name.span, values) {
                let label = label_or_words(label.as_ref(), &name.text);
                values.push(KindValue { name: name.text.clone(), label, rank });
            }
        }
    }

    /// A die with named faces makes a kind of its own name.
    fn declare_die_kind(&mut self, die: &DieItem) {
        let mut values: Vec<KindValue> = Vec::new();
        for name in die.faces.iter().filter_map(name_of) {
            if values.iter().all(|value| value.name != name) {
                let (name, label) = (name.to_owned(), label_or_words(None, name));
                values.push(KindValue { rank: next_rank(&values), name, label });
            }
        }
        if values.is_empty() {
            return;
        }
        if self.kinds.contains_key(&die.name.text) {
            let message = format!("there is a kind `{}` already", die.name.text);
            self.error(die.name.span, message, "this die has named faces", "give the die another name");
        }
        let (name, takes_in) = (die.name.text.clone(), Vec::new());
        self.rules.to_mut().kinds.push(Kind { name, ordered: false, values, takes_in, private: false });
    }

    pub(super) fn declare_dice(&mut self) {
        for (_, item) in self.current() {
            let ItemNode::Die(die) = item else { continue };
            let named = die.faces.iter().any(|face| name_of(face).is_some());
            let kind = self.rules.kinds.iter().position(|kind| kind.name == die.name.text);
            let ty = if named { Type::Kind(KindId(kind.unwrap_or(0))) } else { Type::Number };
            let faces: Vec<i32> = die.faces.iter().filter_map(|face| self.face(face, ty)).collect();
            if die.faces.len() > MOST_FACES {
                let message = format!("a die has at most {MOST_FACES} faces");
                self.error(die.name.span, message, "more than that", "take out some of them");
            }
            self.rules.to_mut().dice.push(CustomDie { name: die.name.text.clone(), ty, faces });
        }
    }

    fn face(&mut self, face: &Expr, ty: Type) -> Option<i32> {
        match (ty, name_of(face)) {
            (Type::Number, _) => self.plain_number(face),
            (_, Some(name)) => self.rules.value_of(ty, name),
            (_, None) => {
                let remedy = "list only names or only numbers";
                self.error(face.span, "a die shows either names or numbers", "not a name", remedy);
                None
            }
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
        let (name, takes_in) = (factor.name.text.clone(), Vec::new());
        self.rules.to_mut().kinds.push(Kind { name, ordered: false, values, takes_in, private: false });
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
            owner: None,
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
    pub(super) fn plain_number(&mut self, expr: &Expr) -> Option<i32> {
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
        let named = |kind: &Kind| kind.name == word.text && !kind.private;
        if let Some(kind) = self.rules.kinds.iter().position(named) {
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
pub(super) fn label_or_words(label: Option<&Word>, name: &str) -> String {
    label.map_or_else(|| name.replace('_', " "), |label| label.text.clone())
}

/// How good a value is that comes behind those that are there.
fn next_rank(values: &[KindValue]) -> u32 {
    values.last().map_or(0, |last| last.rank + 1)
}
