//! Tree → [`Ruleset`]: every name looked up, every kind agreed, every chart and bound proved.
//!
//! In: the trees of a file and its bases. Out: checked rules, and a diagnostic for each mistake.
//!
//! Pieces are checked in this order: kinds, factors, the heads of everything that can be called, then bodies. A piece
//! that an override replaces is looked at only if the override names it.

mod call;
mod choice;
mod declare;
mod expression;
mod head;
mod names;
mod piece;
mod pool;
mod set;
mod statement;
mod unit;

use super::ruleset::{Callee, ChoiceId, Expr, LocalId, Parameter, Place, PoolId, Ruleset, Set, Type};
use super::tree::{self, File, Item, ItemNode, SetNode, Word};
use crate::diagnostic::{Diagnostic, Diagnostics, Sources, Span};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Checks a file and its bases, base first.
pub(super) fn check(files: &[File], sources: &Sources, found: &mut Diagnostics) -> Ruleset {
    let mut checker = Checker::new(Cow::Owned(Ruleset::default()), sources, found);
    for file in files {
        let rules = checker.rules.to_mut();
        rules.name.clone_from(&file.ruleset.text);
        rules.sources.extend(file.sources.iter().map(|word| word.text.clone()));
        rules.notes.extend(file.notes.iter().map(|word| word.text.clone()));
        file.items.iter().for_each(|item| checker.collect(item));
    }
    checker.declare_kinds();
    checker.declare_factors();
    checker.declare_units();
    checker.declare_dice();
    checker.declare_callables();
    checker.check_nevers();
    checker.check_bodies();
    checker.rules.into_owned()
}

/// What reckons with numbers; none of these can be the name of a piece.
const FUNCTIONS: [&str; 7] = ["min", "max", "abs", "sum", "between", "up", "down"];

/// A piece among all files.
struct Piece<'a> {
    item: &'a Item,
    /// The piece that this one overrides.
    replaces: Option<usize>,
    /// Whether another one overrides it.
    replaced: bool,
    /// Its place among the checked rules, if it can be called.
    callee: Option<Callee>,
    /// How it is called, once that is known.
    head: Option<Head>,
    /// Whether its body is to be checked.
    wanted: bool,
}

/// How something is called.
#[derive(Clone)]
struct Head {
    callee: Callee,
    parameters: Vec<Parameter>,
    result: Type,
    /// How many items it gives, if it gives a list.
    items: Option<usize>,
}

/// A name inside one piece.
struct Local {
    name: String,
    /// `None` where its value was a mistake, already reported.
    ty: Option<Type>,
    kept: Kept,
    /// Whether it was given by `var`, so that it may change.
    changes: bool,
    span: Span,
}

/// Where a name's value is kept.
#[derive(Clone, Copy)]
enum Kept {
    One(LocalId),
    /// Dice, or a list of so many items.
    Many(PoolId, Option<usize>),
}

/// What may stand in the piece that is being checked.
#[derive(Default)]
struct Scope {
    /// The name of the piece; of one that an override replaces, with that remark, so that their choices differ.
    name: String,
    /// Parameters that are no factors, and names given by `let`.
    locals: Vec<Local>,
    /// How many locals the piece has had in all, and how many pools and lists.
    frame: usize,
    pools: usize,
    /// What the test gives, and how many items if that is a list.
    result: Option<(Type, Option<usize>)>,
    /// How many loops stand around.
    loops: usize,
    /// The parameters of the piece.
    parameters: Vec<Parameter>,
    /// Why dice cannot be rolled here; empty where they can.
    no_dice: &'static str,
    /// In an override its name, and the piece that this means inside: the one that it replaces.
    own: Option<(String, usize)>,
    /// The choice that the piece holds without a name of its own.
    choice: Option<ChoiceId>,
}

struct Checker<'a> {
    /// Those that are being made; or, for a single expression, those that are there already.
    rules: Cow<'a, Ruleset>,
    sources: &'a Sources,
    found: &'a mut Diagnostics,
    pieces: Vec<Piece<'a>>,
    /// What each name means at the end of all files: kinds and outcomes in one, all else in the other.
    kinds: BTreeMap<String, usize>,
    names: BTreeMap<String, usize>,
    scope: Scope,
}

impl<'a> Checker<'a> {
    fn new(rules: Cow<'a, Ruleset>, sources: &'a Sources, found: &'a mut Diagnostics) -> Self {
        let (kinds, names) = (BTreeMap::new(), BTreeMap::new());
        Self { rules, sources, found, pieces: Vec::new(), kinds, names, scope: Scope::default() }
    }

    /// Files a piece under its name; an override takes the place of what it overrides.
    fn collect(&mut self, item: &'a Item) {
        if let ItemNode::Unit(units) = &item.node {
            return self.collect_units(item, units);
        }
        let (word, name) = item.node.title();
        let mut replaces = None;
        if let Some(name) = name {
            let before = self.names_like(item).get(&name.text).copied();
            let replaceable = |before: &usize| {
                let base = self.pieces[*before].item;
                base.node.title().0 == word && base.span.file != item.span.file
            };
            match (item.overrides, before.filter(replaceable), before) {
                (true, Some(before), _) => replaces = Some(before),
                (true, None, _) => self.found.push(overrides_nothing(word, name, self.known_names(word))),
                (false, _, Some(before)) => {
                    let first = self.pieces[before].item;
                    self.found.push(declared_twice(&name.text, name.span, first.span));
                    return;
                }
                (false, _, None) if FUNCTIONS.contains(&name.text.as_str()) => {
                    let message = format!("`{}` is a word for reckoning", name.text);
                    self.error(name.span, message, "taken", "take another name");
                }
                (false, _, None) => {}
            }
            let index = self.pieces.len();
            self.names_like(item).insert(name.text.clone(), index);
        }
        if let Some(before) = replaces {
            self.pieces[before].replaced = true;
            if let Some(Callee::Test(id)) = self.pieces[before].callee {
                self.rules.to_mut().tests[id.0].replaced = true;
            }
        }
        let callee = self.callee_for(&item.node);
        self.pieces.push(Piece { item, replaces, replaced: false, callee, head: None, wanted: false });
    }

    /// Files a `unit` line under the name of each of its units; an override has the units of the line that it replaces.
    fn collect_units(&mut self, item: &'a Item, units: &tree::UnitItem) {
        let index = self.pieces.len();
        let mut replaces = None;
        for (name, _) in &units.names {
            let before = self.names.insert(name.text.clone(), index);
            let line = before.filter(|before| matches!(self.pieces[*before].item.node, ItemNode::Unit(_)));
            let line = line.filter(|line| self.pieces[*line].item.span.file != item.span.file);
            match (item.overrides, before, line) {
                (true, _, Some(line)) if replaces.is_none_or(|known| known == line) => replaces = Some(line),
                (true, ..) => self.found.push(overrides_nothing("unit", name, Vec::new())),
                (false, None, _) => {}
                (false, Some(before), _) => {
                    let first = if before == index { item.span } else { self.pieces[before].item.span };
                    self.found.push(declared_twice(&name.text, name.span, first));
                }
            }
        }
        if let Some(line) = replaces {
            self.pieces[line].replaced = true;
        }
        let (callee, head) = (None, None);
        self.pieces.push(Piece { item, replaces, replaced: false, callee, head, wanted: false });
    }

    /// The names among which a piece's own must be the only one.
    fn names_like(&mut self, item: &Item) -> &mut BTreeMap<String, usize> {
        if matches!(item.node, ItemNode::Kind(_)) { &mut self.kinds } else { &mut self.names }
    }

    /// The names of all pieces of a sort.
    fn known_names(&self, word: &str) -> Vec<String> {
        let titles = self.pieces.iter().map(|piece| piece.item.node.title());
        titles.filter(|(sort, _)| *sort == word).filter_map(|(_, name)| Some(name?.text.clone())).collect()
    }

    fn error(
        &mut self,
        span: Span,
        message: impl Into<String>,
        label: impl Into<String>,
        remedy: impl Into<String>,
    ) {
        self.found.push(Diagnostic::error(span, message, label).remedy(remedy));
    }
}

/// The parameters that are no factors, as names inside the piece at a place.
fn locals(parameters: &[Parameter], span: Span) -> Vec<Local> {
    let local = |parameter: &Parameter| match parameter.place {
        Place::Local(id) => {
            let (name, ty) = (parameter.name.clone(), Some(parameter.ty));
            Some(Local { name, ty, kept: Kept::One(id), changes: false, span })
        }
        Place::Factor(_) => None,
    };
    parameters.iter().filter_map(local).collect()
}

fn overrides_nothing(word: &str, name: &Word, known: Vec<String>) -> Diagnostic {
    let message = format!("there is no {word} `{}` to override", name.text);
    let mistake = Diagnostic::error(name.span, message, "not in the files that this one extends");
    match known.is_empty() {
        true => mistake.remedy("remove the word `override`, or name the base file with `extends`"),
        false => mistake
            .did_you_mean(&name.text, known.iter().map(String::as_str))
            .remedy("a new piece stands without the word `override`"),
    }
}

fn declared_twice(name: &str, span: Span, first: Span) -> Diagnostic {
    Diagnostic::error(span, format!("`{name}` is declared twice"), "a second time")
        .also(first, "first here")
        .remedy(
            "give one of them another name; to change a piece of the base file write `override` before it",
        )
}

/// Checks one expression against rules that are checked already.
pub(super) fn check_expression(
    rules: &Ruleset,
    parameters: &[Parameter],
    expected: Type,
    tree: &tree::Expr,
    sources: &Sources,
    found: &mut Diagnostics,
) -> Option<Expr> {
    let mut checker = Checker::new(Cow::Borrowed(rules), sources, found);
    checker.scope.no_dice = "this is asked of a situation, before any roll";
    checker.scope.locals = locals(parameters, tree.span);
    checker.typed(tree, expected)
}

/// Checks one set against rules that are checked already.
pub(super) fn check_set(
    rules: &Ruleset,
    parameters: &[Parameter],
    ty: Type,
    tree: &SetNode,
    sources: &Sources,
    found: &mut Diagnostics,
) -> Option<Set> {
    let mut checker = Checker::new(Cow::Borrowed(rules), sources, found);
    checker.scope.no_dice = "this is a set of values, known before any roll";
    checker.scope.locals = locals(parameters, tree.span);
    checker.set(tree, ty)
}
