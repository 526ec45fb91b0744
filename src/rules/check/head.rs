//! The heads of everything that can be called: modifiers, charts and tests.

use super::{Checker, Head};
use crate::diagnostic::{Diagnostic, Span};
use crate::rules::ruleset::{
    Callee, Chart, ChartId, LocalId, Modifiers, ModifiersId, Parameter, Place, Test, TestId, Type,
};
use crate::rules::tree::{ChartItem, ItemNode, ModifiersItem, ParameterNode, TestItem, Word};

/// A list has at most so many items.
pub(super) const MOST_ITEMS: i32 = 1_000;

impl Checker<'_> {
    /// An empty place among the checked rules for a piece that can be called.
    pub(super) fn callee_for(&mut self, item: &ItemNode) -> Option<Callee> {
        let rules = self.rules.to_mut();
        let (parameters, result) = (Vec::new(), Type::Number);
        Some(match item {
            ItemNode::Modifiers(ModifiersItem { name, .. }) => {
                let name = name.text.clone();
                rules.modifiers.push(Modifiers { name, parameters, lines: Vec::new() });
                Callee::Modifiers(ModifiersId(rules.modifiers.len() - 1))
            }
            ItemNode::Chart(ChartItem { name, .. }) => {
                let Word { text: name, span } = name.clone();
                let (columns, rows, choice, words) = (Vec::new(), Vec::new(), None, Vec::new());
                rules.charts.push(Chart { name, parameters, result, columns, rows, choice, words, span });
                Callee::Chart(ChartId(rules.charts.len() - 1))
            }
            ItemNode::Test(TestItem { name, .. }) => {
                let Word { text: name, span } = name.clone();
                let (body, items, frame, pools, replaced) = (Vec::new(), None, 0, 0, false);
                let words = Vec::new();
                rules.tests.push(Test {
                    name,
                    parameters,
                    result,
                    items,
                    body,
                    frame,
                    pools,
                    words,
                    replaced,
                    span,
                });
                Callee::Test(TestId(rules.tests.len() - 1))
            }
            _ => return None,
        })
    }

    /// The heads of all that the last file can call.
    pub(super) fn declare_callables(&mut self) {
        for (index, _) in self.current() {
            if self.pieces[index].callee.is_some() {
                self.pieces[index].wanted = true;
                self.head(index);
            }
        }
    }

    /// How a piece is called; looked up in its head the first time.
    pub(super) fn head(&mut self, index: usize) -> Option<Head> {
        let callee = self.pieces[index].callee?;
        if self.pieces[index].head.is_none() {
            let (parameters, (result, items)) = match &self.pieces[index].item.node {
                ItemNode::Modifiers(item) => (self.parameters(&item.parameters), (Type::Number, None)),
                ItemNode::Chart(item) => {
                    (self.parameters(&item.parameters), (self.result(&item.result), None))
                }
                ItemNode::Test(item) => (self.parameters(&item.parameters), self.test_result(item)),
                _ => return None,
            };
            self.pieces[index].head = Some(Head { callee, parameters, result, items });
        }
        self.pieces[index].head.clone()
    }

    fn result(&mut self, word: &Word) -> Type {
        self.type_named(word).unwrap_or(Type::Number)
    }

    /// The type of what a test gives, and how many items a list has.
    fn test_result(&mut self, item: &TestItem) -> (Type, Option<usize>) {
        let Some(node) = &item.result else { return (Type::Nothing, None) };
        let items = node.items.as_ref().map(|items| {
            let number = self.plain_number(items).unwrap_or(1);
            if !(1..=MOST_ITEMS).contains(&number) {
                let message = format!("a list has 1 to {MOST_ITEMS} items");
                self.error(items.span, message, "not so many", "write a number such as `3`");
            }
            number.clamp(1, MOST_ITEMS) as usize
        });
        (self.result(&node.kind), items)
    }

    fn parameters(&mut self, nodes: &[ParameterNode]) -> Vec<Parameter> {
        let mut parameters: Vec<Parameter> = Vec::new();
        for node in nodes {
            if parameters.iter().any(|parameter| parameter.name == node.name.text) {
                let message = format!("the key `{}` stands twice", node.name.text);
                self.error(node.name.span, message, "a second time", "remove one of them");
            }
            let locals =
                parameters.iter().filter(|parameter| matches!(parameter.place, Place::Local(_))).count();
            let parameter = self.parameter(node, LocalId(locals));
            parameters.push(parameter);
        }
        parameters
    }

    /// A parameter named like a factor is that factor, set for the call.
    fn parameter(&mut self, node: &ParameterNode, next: LocalId) -> Parameter {
        let name = node.name.text.clone();
        let written = node.kind.as_ref().and_then(|kind| self.type_named(kind));
        let Some(factor) = self.rules.factor(&name) else {
            self.refuse_taken_name(&node.name);
            return Parameter { name, ty: written.unwrap_or(Type::Number), place: Place::Local(next) };
        };
        let ty = self.rules.factors[factor.0].ty;
        if written.is_some_and(|written| written != ty) {
            let message = format!("`{name}` is a factor of the kind `{}`", self.rules.type_name(ty));
            let remedy = "leave out the kind, or take another name";
            self.error(node.name.span, message, "declared otherwise here", remedy);
        }
        Parameter { name, ty, place: Place::Factor(factor) }
    }

    /// A local may not take the name of a declared piece.
    pub(super) fn refuse_taken_name(&mut self, name: &Word) {
        let Some(index) = self.names.get(&name.text).copied() else { return };
        let (word, _) = self.pieces[index].item.node.title();
        let first = self.pieces[index].item.span;
        let mistake =
            Diagnostic::error(name.span, format!("`{}` is the name of a {word}", name.text), "taken")
                .also(Span { end: first.start, ..first }, format!("the {word} is declared here"));
        self.found.push(mistake.remedy("choose another name: two things of one name would be confused"));
    }
}
