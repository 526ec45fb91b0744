//! The language: text → tree → checked ruleset; printer; lints.
//!
//! In: a `.rules` file, by its path. Out: a [`Ruleset`] in which nothing is left to go wrong, or a diagnostic for each
//! mistake. The text of `docs/rules.md` is the law that this room follows.
//!
//! **Never:** probability, randomness, speed, the terminal.

mod check;
mod lexer;
mod lint;
mod load;
mod parser;
mod printer;
mod reach;
mod ruleset;
mod situation;
pub mod tree;
mod values;
mod vary;
mod walk;

pub use crate::diagnostic::Span;
pub(crate) use ruleset::ids;
pub use ruleset::*;
pub use vary::{Change, Line, Written};
pub use walk::{Part, each_statement};

use crate::diagnostic::{Diagnostics, FileId, Sources};
use std::borrow::Cow;
use std::path::Path;

/// Reads a rules file and all that it extends, and checks the whole.
///
/// `None` where a mistake was found; warnings alone do not stand in the way.
pub fn load(path: &Path, sources: &mut Sources, found: &mut Diagnostics) -> Option<Ruleset> {
    let mut here = Diagnostics::default();
    let files = load::load_files(path, sources, &mut here);
    let rules = files.as_ref().and_then(|files| proved(files, sources, &mut here));
    if let (Some((rules, reached)), Some(files)) = (&rules, &files) {
        here.extend(lint::lint(files, rules, &reached.returned, sources));
    }
    let rules = rules.map(|(rules, _)| rules).filter(|_| !here.has_errors());
    match files.iter().flatten().last() {
        Some(file) => found.extend(lint::own(here, file.ruleset.span.file)),
        None => found.extend(here),
    }
    rules
}

/// Checks files, base first, and proves what cannot be seen line by line; `None` where a mistake was found.
fn proved(
    files: &[tree::File],
    sources: &Sources,
    found: &mut Diagnostics,
) -> Option<(Ruleset, reach::Reached)> {
    let mut here = Diagnostics::default();
    let mut rules = check::check(files, sources, &mut here);
    let mut reached = None;
    if !here.has_errors() {
        let mut known = reach::check_reach(&rules, &mut here);
        for (choice, reached) in std::mem::take(&mut known.chosen) {
            rules.choices[choice.0].reached = reached;
        }
        reached = Some(known);
    }
    let sound = !here.has_errors();
    found.extend(here);
    reached.filter(|_| sound).map(|reached| (rules, reached))
}

/// Prints a rules file in the house style.
///
/// # Errors
/// Whatever keeps it from being parsed; what is wrong with its meaning does not.
pub fn format(file: FileId, sources: &Sources) -> Result<String, Diagnostics> {
    let mut found = Diagnostics::default();
    let tree = parser::parse_file(file, sources, &mut found);
    match tree.filter(|_| !found.has_errors()) {
        Some(tree) => Ok(printer::print(&tree, &sources.get(file).text)),
        None => Err(found),
    }
}

/// Reads the text at a place, such as a string of a scenario, as an expression over the factors of `rules`, without
/// dice: a condition on the situation, or, for a choice, what a player does there, who sees its keys too.
pub fn expression(
    rules: &Ruleset,
    choice: Option<&Choice>,
    expected: Type,
    text_at: Span,
    sources: &Sources,
    found: &mut Diagnostics,
) -> Option<Expr> {
    let tree = parser::parse_expression(text_at, sources, found)?;
    let parameters = choice.map_or(&[][..], |choice| &choice.parameters);
    let open = with_options(rules, expected);
    let expr = check::check_expression(&open, parameters, expected, &tree, sources, found)?;
    let mut bounds = Diagnostics::default();
    reach::check_expression(rules, choice, &expr, &mut bounds);
    let sound = bounds.is_empty();
    found.extend(bounds);
    sound.then_some(expr)
}

/// The rules; where the options of a choice are wanted, which rules name nowhere else, with these in sight.
fn with_options(rules: &Ruleset, wanted: Type) -> Cow<'_, Ruleset> {
    let mut rules = Cow::Borrowed(rules);
    if let Type::Kind(kind) = wanted
        && rules.kinds[kind.0].private
    {
        rules.to_mut().kinds[kind.0].private = false;
    }
    rules
}

/// Reads the text at a place as the set of dice that a player picks at a choice; its ends may read what can be known
/// there.
pub fn set(
    rules: &Ruleset,
    choice: &Choice,
    ty: Type,
    text_at: Span,
    sources: &Sources,
    found: &mut Diagnostics,
) -> Option<Set> {
    let tree = parser::parse_set(text_at, sources, found)?;
    let set = check::check_set(rules, &choice.parameters, ty, &tree, sources, found)?;
    let mut bounds = Diagnostics::default();
    set.ends().for_each(|end| reach::check_expression(rules, Some(choice), end, &mut bounds));
    let sound = bounds.is_empty();
    found.extend(bounds);
    sound.then_some(set)
}

/// Reads the text at a place as a set, and gives the values of `domain` that are in it, in their order.
pub fn set_values(
    rules: &Ruleset,
    ty: Type,
    domain: &[i32],
    text_at: Span,
    sources: &Sources,
    found: &mut Diagnostics,
) -> Option<Vec<i32>> {
    let tree = parser::parse_set(text_at, sources, found)?;
    let set = check::check_set(rules, &[], ty, &tree, sources, found)?;
    let situation: Vec<i32> = rules.factors.iter().map(|factor| factor.values[0]).collect();
    let contains = |value: &&i32| {
        let node = ExprNode::Constant(**value);
        let subject = Box::new(Expr { node, ty, span: text_at });
        let is = Expr { node: ExprNode::Is(subject, set.clone()), ty: Type::Flag, span: text_at };
        evaluate(rules, &is, &situation) == Some(1)
    };
    Some(domain.iter().filter(contains).copied().collect())
}

/// The value of an expression without dice in a situation that gives every factor a value; `None` where that does not
/// determine it.
pub fn evaluate(rules: &Ruleset, expr: &Expr, situation: &[i32]) -> Option<i32> {
    reach::evaluate(rules, expr, situation)
}

/// Why a situation that gives every factor a value does not exist, if the rules say that it does not.
pub fn never<'a>(rules: &'a Ruleset, situation: &[i32]) -> Option<&'a str> {
    let holds = |never: &&Never| evaluate(rules, &never.condition, situation) == Some(1);
    rules.nevers.iter().find(holds).map(|never| never.why.as_str())
}
