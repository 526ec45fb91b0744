//! What is left to a player: options, numbers, units, dice, and the order of units. Every choice has a name.

use super::expression::{ANY, Ask};
use super::{Checker, Kept};
use crate::diagnostic::{Diagnostic, Span};
use crate::rules::ruleset::{
    Choice, ChoiceId, Expr, ExprNode, Kind, KindId, KindValue, Parameter, Picks, Place, Type, UnitsId,
};
use crate::rules::tree::{self, BinaryOp, SetNode, SpanNode, Word};

impl Checker<'_> {
    /// Whether `left or ...` is a choice among results rather than a condition.
    pub(super) fn leaves_choice(&mut self, left: &tree::Expr, ask: Ask) -> bool {
        match ask.want {
            Some(Type::Flag) => false,
            Some(_) => true,
            None => match &left.node {
                tree::ExprNode::Name(name) => {
                    let flag =
                        self.readings(name, left.span).iter().any(|reading| reading.expr.ty == Type::Flag);
                    let mut outcomes = self.rules.kinds.iter().filter(|kind| kind.ordered);
                    !flag && outcomes.any(|kind| kind.values.iter().any(|value| value.name == *name))
                }
                _ => false,
            },
        }
    }

    /// `a or b or c`: what a player picks.
    pub(super) fn choose(
        &mut self,
        left: &tree::Expr,
        right: &tree::Expr,
        span: Span,
        ask: Ask,
    ) -> Option<Expr> {
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
        let options: Vec<Option<(i32, Expr)>> =
            nodes.iter().rev().map(|node| self.option(node, ty)).collect();
        let options: Vec<(i32, Expr)> = options.into_iter().collect::<Option<_>>()?;
        let twice = |at: &usize| options[..*at].iter().any(|(value, _)| *value == options[*at].0);
        if let Some(at) = (0..options.len()).find(twice) {
            let remedy = "take out one of them";
            self.error(options[at].1.span, "this option stands twice", "a second time", remedy);
            return None;
        }
        let picks = Picks::Option(kind, options.iter().map(|(value, _)| *value).collect());
        let choice = self.choice(None, picks, span)?;
        Some(Expr { node: ExprNode::Choose(choice, options), ty, span })
    }

    /// One option of a choice: a named value.
    fn option(&mut self, node: &tree::Expr, ty: Type) -> Option<(i32, Expr)> {
        let option = self.typed(node, ty)?;
        if let ExprNode::Constant(value) = option.node {
            return Some((value, option));
        }
        let remedy =
            "write the name of a result, or `choose NAME { option: value; … }` for what is worked out";
        self.error(option.span, "an option is the name of a result", "not a name", remedy);
        None
    }

    /// `choose name { option: value ... }`.
    pub(super) fn choose_option(
        &mut self,
        name: Option<&Word>,
        options: &[(Word, tree::Expr)],
        span: Span,
        ask: Ask,
    ) -> Option<Expr> {
        self.refuse_choice(span)?;
        let mut values: Vec<KindValue> = Vec::new();
        let (mut checked, mut want) = (Vec::new(), ask.want);
        for (at, (option, value)) in options.iter().enumerate() {
            if values.iter().any(|known| known.name == option.text) {
                self.error(option.span, "this option stands twice", "a second time", "take out one of them");
            }
            let (name, label) = (option.text.clone(), option.text.replace('_', " "));
            values.push(KindValue { name, label, rank: at as u32 });
            let value = self.expression(value, Ask { want, ..ANY });
            want = want.or(value.as_ref().map(|value| value.ty));
            checked.push(value.map(|value| (at as i32, value)));
        }
        let checked: Vec<(i32, Expr)> = checked.into_iter().collect::<Option<_>>()?;
        let kind_name = name.map_or_else(|| self.scope.name.clone(), |name| name.text.clone());
        let kind = KindId(self.rules.kinds.len());
        let (ordered, takes_in) = (false, Vec::new());
        self.rules.to_mut().kinds.push(Kind { name: kind_name, ordered, values, takes_in, private: true });
        let picks = Picks::Option(kind, (0..checked.len() as i32).collect());
        let choice = self.choice(name, picks, span)?;
        let ty = want.unwrap_or(Type::Number);
        Some(Expr { node: ExprNode::Choose(choice, checked), ty, span })
    }

    /// `choose name from a..b`, `choose name from ours`.
    pub(super) fn choose_from(&mut self, name: Option<&Word>, from: &SetNode, span: Span) -> Option<Expr> {
        self.refuse_choice(span)?;
        let (low, high, picks, ty) = match &from.spans[..] {
            [SpanNode::Range(Some(low), Some(high))] => {
                let (low, high) = (self.typed(low, Type::Number), self.typed(high, Type::Number));
                (low?, high?, Picks::Number, Type::Number)
            }
            [SpanNode::One(tree::Expr { node: tree::ExprNode::Name(list), span })] => {
                let (units, first, count) = self.unit_list(&Word { text: list.clone(), span: *span })?;
                let ty = Type::Unit(units);
                let end = |at: usize| super::expression::constant(at as i32, ty, *span);
                (end(first), end(first + count - 1), Picks::Unit(units), ty)
            }
            _ => {
                let remedy = "write a range such as `0..3`, or the name of a list of units";
                self.error(from.span, "a player chooses from a range or from units", "neither", remedy);
                return None;
            }
        };
        let choice = self.choice(name, picks, span)?;
        Some(Expr { node: ExprNode::ChooseFrom(choice, Box::new(low), Box::new(high)), ty, span })
    }

    /// Complains where no player can be asked.
    fn refuse_choice(&mut self, span: Span) -> Option<()> {
        if self.scope.no_dice.is_empty() {
            return Some(());
        }
        let message = format!("no player is asked here: {}", self.scope.no_dice);
        self.error(span, message, "a choice", "let a test choose, and hand over what it gives");
        None
    }

    pub(super) fn order_choice(
        &mut self,
        name: Option<&Word>,
        units: UnitsId,
        span: Span,
    ) -> Option<ChoiceId> {
        self.choice(name, Picks::Order(units), span)
    }

    /// The choice of this name, or else of the piece that is being checked: all its cells with the same options are one.
    pub(super) fn choice(&mut self, own: Option<&Word>, picks: Picks, span: Span) -> Option<ChoiceId> {
        let known = match own {
            Some(own) => self.rules.choice(&own.text),
            None => self.scope.choice,
        };
        let parameters = self.in_sight();
        let Some(id) = known else {
            let name = own.map_or_else(|| self.scope.name.clone(), |own| own.text.clone());
            self.rules.to_mut().choices.push(Choice { name, picks, parameters, reached: Vec::new(), span });
            let id = ChoiceId(self.rules.choices.len() - 1);
            if own.is_none() {
                self.scope.choice = Some(id);
            }
            return Some(id);
        };
        if own.is_none() && same_options(&self.rules.choices[id.0].picks, &picks) {
            let known = &mut self.rules.to_mut().choices[id.0].parameters;
            known.retain(|known| {
                parameters.iter().any(|one| one.name == known.name && one.place == known.place)
            });
            return Some(id);
        }
        let remedy = match picks {
            _ if own.is_some() => "take another name: this one is taken".to_owned(),
            Picks::Option(kind, options) if !self.rules.kinds[kind.0].private => {
                self.test_of_its_own(kind, &options)
            }
            Picks::Dice(_) => "give it a name of its own, as in `reroll chosen as name`".to_owned(),
            Picks::Order(_) => "give it a name of its own, as in `in chosen order as name`".to_owned(),
            _ => "give it a name of its own, as in `choose name …`".to_owned(),
        };
        let first = &self.rules.choices[id.0];
        let message = format!("`{}` leaves two different choices to a player", first.name);
        let mistake = Diagnostic::error(span, message, "another choice").also(first.span, "than here");
        self.found.push(mistake.remedy(remedy));
        None
    }

    /// What a policy may read here besides the factors.
    fn in_sight(&self) -> Vec<Parameter> {
        let mut sight = self.scope.parameters.clone();
        for local in &self.scope.locals {
            let known = sight.iter().any(|parameter| parameter.name == local.name);
            if let (Kept::One(id), Some(ty), false) = (local.kept, local.ty, known) {
                sight.push(Parameter { name: local.name.clone(), ty, place: Place::Local(id) });
            }
        }
        sight
    }

    /// Where a second choice of a piece should go.
    fn test_of_its_own(&self, kind: KindId, options: &[i32]) -> String {
        let names: Vec<String> =
            options.iter().map(|option| self.rules.name_of(Type::Kind(kind), *option)).collect();
        let (name, kind) = (names.join("_or_"), &self.rules.kinds[kind.0].name);
        let options = names.join(" or ");
        format!(
            "add `test {name} -> {kind} {{ return {options} }}`, and write `{name}` in place of `{options}`"
        )
    }
}

/// Whether two choices among named values offer the same, in any order.
fn same_options(one: &Picks, other: &Picks) -> bool {
    match (one, other) {
        (Picks::Option(kind, options), Picks::Option(other_kind, others)) => {
            kind == other_kind
                && options.len() == others.len()
                && options.iter().all(|option| others.contains(option))
        }
        _ => false,
    }
}
