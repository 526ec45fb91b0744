//! Units: their own factors, their names, and situations that do not exist, for the table and for each unit.

use super::declare::label_or_words;
use super::{Checker, Scope};
use crate::diagnostic::{Diagnostic, Span};
use crate::rules::ruleset::{
    Expr, ExprNode, Factor, FactorId, Never, Owner, Place, SetSpan, Type, Units, UnitsId,
};
use crate::rules::tree::{self, ItemNode, UnitItem, Word};
use crate::rules::walk::Part;

/// A list has at most so many units.
const MOST_UNITS: i32 = 100;

impl Checker<'_> {
    pub(super) fn declare_units(&mut self) {
        for (_, item) in self.current() {
            if let ItemNode::Unit(units) = item {
                self.declare_unit_line(units);
            }
        }
    }

    fn declare_unit_line(&mut self, item: &UnitItem) {
        let factors: Vec<Option<FactorId>> =
            item.factors.iter().map(|name| self.factor_named(name)).collect();
        let mut factors: Vec<FactorId> = factors.into_iter().flatten().collect();
        factors.sort_unstable();
        factors.dedup();
        let (mut names, mut groups) = (Vec::new(), Vec::new());
        for (word, count) in &item.names {
            let count = count.as_ref().map(|count| self.unit_count(count));
            groups.push((word.text.clone(), names.len(), count));
            match count {
                Some(count) => names.extend((1..=count).map(|unit| format!("{}[{unit}]", word.text))),
                None => names.push(word.text.clone()),
            }
        }
        let span = item.names.first().map_or(Span::default(), |(name, _)| name.span);
        let (id, first) = (UnitsId(self.rules.units.len()), FactorId(self.rules.factors.len()));
        for (unit, name) in names.iter().enumerate() {
            for factor in &factors {
                let own =
                    owned(&self.rules.factors[factor.0], name, Owner { units: id, unit, factor: *factor });
                self.rules.to_mut().factors.push(own);
            }
        }
        self.rules.to_mut().units.push(Units { names, groups, factors, first, span });
    }

    fn unit_count(&mut self, count: &tree::Expr) -> usize {
        let number = self.plain_number(count).unwrap_or(1);
        if !(1..=MOST_UNITS).contains(&number) {
            let message = format!("a list has 1 to {MOST_UNITS} units");
            self.error(count.span, message, "not so many", "write a number such as `3`");
        }
        number.clamp(1, MOST_UNITS) as usize
    }

    /// The unit line and the word of it that has this name.
    pub(super) fn unit_group(&self, name: &str) -> Option<(UnitsId, usize, Option<usize>)> {
        let lines = self.rules.units.iter().enumerate();
        lines
            .flat_map(|(id, units)| units.groups.iter().map(move |group| (id, group)))
            .find_map(|(id, (word, first, count))| (word == name).then_some((UnitsId(id), *first, *count)))
    }

    /// A unit that stands alone, by its name.
    pub(super) fn unit_alone(&self, name: &str, span: Span) -> Option<Expr> {
        let (units, first, None) = self.unit_group(name)? else { return None };
        Some(Expr { node: ExprNode::Constant(first as i32), ty: Type::Unit(units), span })
    }

    /// A list of units, by its name: the line, the first of them, and how many.
    pub(super) fn unit_list(&mut self, name: &Word) -> Option<(UnitsId, usize, usize)> {
        match self.unit_group(&name.text) {
            Some((units, first, count)) => Some((units, first, count.unwrap_or(1))),
            None => {
                let lists = self.rules.units.iter().flat_map(|units| units.groups.iter());
                let known: Vec<String> = lists.map(|(word, ..)| word.clone()).collect();
                let message = format!("there are no units called `{}`", name.text);
                let mistake = Diagnostic::error(name.span, message, "not a `unit`");
                let list = self.gives_list(&name.text);
                self.found.push(match known.is_empty() {
                    _ if list => mistake.remedy(format!("keep the list first: `let items = {}`", name.text)),
                    true => mistake.remedy(format!("write a line such as `unit {}[3]: stamina`", name.text)),
                    false => mistake.did_you_mean(&name.text, known.iter().map(String::as_str)),
                });
                None
            }
        }
    }

    /// `ours[2]`.
    pub(super) fn unit_at(&mut self, list: &Word, number: &tree::Expr, span: Span) -> Option<Expr> {
        let (units, first, count) = self.unit_list(list)?;
        let number = self.typed(number, Type::Number)?;
        let node = match number.node {
            ExprNode::Constant(at) if (1..=count as i32).contains(&at) => {
                ExprNode::Constant(first as i32 + at - 1)
            }
            _ => ExprNode::UnitAt(first, count, Box::new(number)),
        };
        Some(Expr { node, ty: Type::Unit(units), span })
    }

    /// `unit.factor`.
    pub(super) fn unit_member(&mut self, unit: Expr, member: &Word, span: Span) -> Option<Expr> {
        let Type::Unit(id) = unit.ty else { return None };
        let units = &self.rules.units[id.0];
        let Some(own) = units.factors.iter().position(|own| self.rules.factors[own.0].name == member.text)
        else {
            let known: Vec<String> =
                units.factors.iter().map(|own| self.rules.factors[own.0].name.clone()).collect();
            let message = format!("these units have no factor `{}`", member.text);
            let mistake = Diagnostic::error(member.span, message, "not in their `unit` line");
            self.found.push(mistake.did_you_mean(&member.text, known.iter().map(String::as_str)));
            return None;
        };
        let ty = self.rules.factors[units.factors[own].0].ty;
        let node = match unit.node {
            ExprNode::Constant(at) => ExprNode::Read(Place::Factor(units.own(at as usize, own))),
            _ => ExprNode::ReadUnit(id, Box::new(unit), own),
        };
        Some(Expr { node, ty, span })
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
                self.rules.to_mut().nevers.push(Never { condition, why, copy_of: None });
            }
        }
        for number in 0..self.rules.nevers.len() {
            self.copy_for_units(number);
        }
    }

    /// What does not exist on the table does not exist for any unit that has the same factors of its own.
    fn copy_for_units(&mut self, number: usize) {
        let mut read = Vec::new();
        self.rules.nevers[number].condition.each(&mut |part| {
            if let Part::One(Expr { node: ExprNode::Read(Place::Factor(factor)), .. }) = part {
                read.push(*factor);
            }
        });
        for (id, units) in self.rules.units.clone().iter().enumerate() {
            if !read.iter().any(|factor| units.factors.contains(factor)) {
                continue;
            }
            for unit in 0..units.names.len() {
                let mut copy = self.rules.nevers[number].clone();
                let ty = Type::Unit(UnitsId(id));
                let one = Expr { node: ExprNode::Constant(unit as i32), ty, span: units.span };
                rename(&mut copy.condition, units, &one);
                copy.copy_of = Some((number, UnitsId(id), unit));
                self.rules.to_mut().nevers.push(copy);
            }
        }
    }
}

/// A unit's own factor.
fn owned(factor: &Factor, unit: &str, owner: Owner) -> Factor {
    Factor {
        name: format!("{unit}.{}", factor.name),
        label: format!(
            "{}: {}",
            label_or_words(None, &unit.replace('[', " ").replace(']', "")),
            factor.label
        ),
        owner: Some(owner),
        ..factor.clone()
    }
}

/// Puts a unit's own factors in the place of the table's.
fn rename(expr: &mut Expr, units: &Units, unit: &Expr) {
    let each = |parts: &mut [Expr]| parts.iter_mut().for_each(|part| rename(part, units, unit));
    match &mut expr.node {
        ExprNode::Read(Place::Factor(factor)) => {
            let own = units.factors.iter().position(|own| own == factor);
            if let (Some(own), ExprNode::Constant(unit)) = (own, &unit.node) {
                *factor = units.own(*unit as usize, own);
            }
        }
        ExprNode::Apply(_, parts) => each(parts),
        ExprNode::And(left, right) | ExprNode::Or(left, right) => {
            [left, right].into_iter().for_each(|part| rename(part, units, unit));
        }
        ExprNode::If(condition, then, otherwise) => {
            [condition, then, otherwise].into_iter().for_each(|part| rename(part, units, unit));
        }
        ExprNode::Is(subject, set) => {
            rename(subject, units, unit);
            for span in &mut set.spans {
                match span {
                    SetSpan::One(only) => rename(only, units, unit),
                    SetSpan::Range(low, high) => {
                        low.iter_mut().chain(high).for_each(|end| rename(end, units, unit));
                    }
                }
            }
        }
        ExprNode::Call(call) => {
            each(&mut call.arguments);
            call.settings.iter_mut().for_each(|(_, value)| rename(value, units, unit));
            call.unit.get_or_insert_with(|| unit.clone());
        }
        _ => {}
    }
}
