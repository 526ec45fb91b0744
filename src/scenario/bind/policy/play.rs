//! What a player does at one choice, as a scenario or the command line writes it.
//!
//! In: a text or a mix, and the choice. Out: a [`Move`], or what is wrong.
//!
//! **Never:** which choices need a policy.

use crate::diagnostic::{Diagnostic, Diagnostics, Sources, Span};
use crate::rules::tree::End;
use crate::rules::{self, Choice, Expr, ExprNode, Picks, Ruleset, Set, SetSpan, Type, UnitsId};
use crate::scenario::bind::grid::{in_backticks, is_word};
use crate::scenario::bind::place::rules_text;
use crate::scenario::document::Weight;
use crate::scenario::fraction::greatest_common_divisor;
use crate::scenario::model::Move;
use crate::scenario::tree::Placed;

/// Weights of a mix are whole numbers up to this.
const LARGEST_DENOMINATOR: i64 = 1_000_000;

/// Reads what a player does at a choice; an aim is not looked at any further.
pub(super) fn read_move(
    text: &Placed<String>,
    rules: &Ruleset,
    choice: &Choice,
    sources: &Sources,
    found: &mut Diagnostics,
) -> Option<Move> {
    let words = text.value.trim();
    if is_aim(words) {
        return Some(Move::Aim { aim: None, text: words.to_owned(), span: text.span });
    }
    let by_name = |name: &str| matches!(&choice.picks, Picks::Option(..)) && is_name(name);
    match (&choice.picks, words) {
        _ if by_name(words) => option(text, rules, choice, found).map(Move::Option),
        (Picks::Number, "lowest") | (Picks::Unit(_), "first") => Some(Move::End(End::Lowest)),
        (Picks::Number, "highest") | (Picks::Unit(_), "last") => Some(Move::End(End::Highest)),
        (Picks::Order(_), "as written") => Some(in_order(None, End::Lowest, words)),
        (Picks::Order(_), "reversed") => Some(in_order(None, End::Highest, words)),
        (Picks::Dice(_), "none") => Some(dice(Vec::new(), text)),
        (Picks::Dice(_), "all") => Some(dice(vec![SetSpan::Range(None, None)], text)),
        (Picks::Dice(ty), _) => {
            let place = rules_text(text, sources, found)?;
            let set = rules::set(rules, choice, *ty, place, sources, found)?;
            Some(Move::Dice { set, text: words.to_owned() })
        }
        (Picks::Order(units), _) => order(text, *units, rules, choice, sources, found),
        _ => condition(text, rules, choice, sources, found),
    }
}

/// Texts that may be written for a choice: all its options, or what one might write for a choice of that sort.
pub fn examples(rules: &Ruleset, choice: &Choice) -> Vec<String> {
    let texts: &[&str] = match &choice.picks {
        Picks::Option(..) => return rules.option_names(choice),
        Picks::Number => &["lowest", "highest", "0"],
        Picks::Unit(_) => &["first", "last"],
        Picks::Dice(Type::Number) => &["none", "all", "< 4"],
        Picks::Dice(_) => &["none", "all"],
        Picks::Order(units) => {
            let factors = &rules.units[units.0].factors;
            let number = factors.iter().map(|factor| &rules.factors[factor.0]);
            let mut number = number.filter(|factor| factor.ty == Type::Number);
            let by = number.next().map(|factor| format!("highest {}", factor.name));
            return ["as written", "reversed"].map(str::to_owned).into_iter().chain(by).collect();
        }
    };
    texts.iter().map(|text| (*text).to_owned()).collect()
}

/// What the rules leave to the player there, in a few words.
pub fn leaves(rules: &Ruleset, choice: &Choice) -> String {
    match &choice.picks {
        Picks::Option(kind, options) => {
            let label = |option: &i32| format!("*{}*", rules.label_of(Type::Kind(*kind), *option));
            options.iter().map(label).collect::<Vec<_>>().join(" or ")
        }
        Picks::Number => "a number".to_owned(),
        Picks::Unit(_) => "one of several units".to_owned(),
        Picks::Dice(_) => "which dice to take".to_owned(),
        Picks::Order(_) => "the order of units".to_owned(),
    }
}

/// What is picked there.
pub(super) fn picked(choice: &Choice) -> Type {
    match &choice.picks {
        Picks::Option(kind, _) => Type::Kind(*kind),
        Picks::Number => Type::Number,
        Picks::Dice(ty) => *ty,
        Picks::Unit(units) | Picks::Order(units) => Type::Unit(*units),
    }
}

fn dice(spans: Vec<SetSpan>, text: &Placed<String>) -> Move {
    Move::Dice { set: Set { spans, span: text.span }, text: text.value.trim().to_owned() }
}

fn in_order(by: Option<Expr>, end: End, words: &str) -> Move {
    Move::Order { by, end, text: words.to_owned() }
}

/// `lowest ranks`, `highest health - lost`: by what is known of each unit.
fn order(
    text: &Placed<String>,
    units: UnitsId,
    rules: &Ruleset,
    choice: &Choice,
    sources: &Sources,
    found: &mut Diagnostics,
) -> Option<Move> {
    let words = text.value.trim();
    let (end, by) = match words.split_once(char::is_whitespace) {
        Some(("lowest", by)) => (End::Lowest, by),
        Some(("highest", by)) => (End::Highest, by),
        _ => {
            let message = format!("`{words}` is not an order of units");
            let texts = examples(rules, choice);
            let diagnostic = Diagnostic::error(text.span, message, "not understood");
            found.push(diagnostic.did_you_mean(words, texts.iter().map(String::as_str)));
            return None;
        }
    };
    let place = rules_text(text, sources, found)?;
    let until = sources.text(place).trim_end().len();
    let (start, end_of) = (place.start as usize + until - by.len(), place.start as usize + until);
    let place = Span::new(place.file, start, end_of);
    let choice = for_any_unit(rules, choice, units);
    let by = rules::expression(rules, Some(&choice), Type::Number, place, sources, found)?;
    Some(in_order(Some(by), end, words))
}

/// The choice as an expression over a unit's own factors meets it: each of these may be what it is for any unit.
fn for_any_unit(rules: &Ruleset, choice: &Choice, id: UnitsId) -> Choice {
    let (mut choice, units) = (choice.clone(), &rules.units[id.0]);
    for (own, factor) in units.factors.iter().enumerate() {
        let of = |unit| choice.reached.get(units.own(unit, own).0).copied();
        let hull = (0..units.names.len()).filter_map(of).reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
        if let (Some(hull), Some(reached)) = (hull, choice.reached.get_mut(factor.0)) {
            *reached = hull;
        }
    }
    choice
}

/// Whether a text can only be meant as the name of an option, or as its label.
fn is_name(text: &str) -> bool {
    !text.contains(['(', '.']) && text.split_whitespace().all(|word| word != "if" && word != "else")
}

pub(super) fn is_aim(text: &str) -> bool {
    is_for_more(text) || ["minimise", "minimize"].contains(&first_word(text).as_str())
}

/// Whether an aim is at more of something.
pub(super) fn is_for_more(text: &str) -> bool {
    ["maximise", "maximize"].contains(&first_word(text).as_str())
}

fn first_word(text: &str) -> String {
    text.split_whitespace().next().unwrap_or_default().to_ascii_lowercase()
}

/// What a name stands for where values are picked one by one.
fn option(name: &Placed<String>, rules: &Ruleset, choice: &Choice, found: &mut Diagnostics) -> Option<i32> {
    let ty = picked(choice);
    let offered = |value: &i32| match &choice.picks {
        Picks::Option(_, options) => options.contains(value),
        _ => true,
    };
    let value = rules.value_of(ty, name.value.trim()).filter(offered);
    if value.is_none() {
        let message = format!("`{}` is not an option of `{}`", name.value, choice.name);
        let diagnostic = Diagnostic::error(name.span, message, "not offered there");
        let options: &[i32] = if let Picks::Option(_, options) = &choice.picks { options } else { &[] };
        let label = |option: &&i32| rules.label_of(ty, **option).eq_ignore_ascii_case(&name.value);
        let texts = examples(rules, choice);
        found.push(match options.iter().find(label) {
            Some(option) => diagnostic.remedy(format!("the name is `{}`", rules.name_of(ty, *option))),
            None => diagnostic.did_you_mean(&name.value, texts.iter().map(String::as_str)),
        });
    }
    value
}

/// Options with their probabilities, in the order of the rules; they must add up to exactly 1.
pub(super) fn mix(
    weights: &Placed<Vec<Weight>>,
    rules: &Ruleset,
    choice: &Choice,
    found: &mut Diagnostics,
) -> Option<Move> {
    if matches!(choice.picks, Picks::Dice(_) | Picks::Order(_)) {
        let message = format!("a mix cannot be made of {}", leaves(rules, choice));
        let example = examples(rules, choice).swap_remove(0);
        let remedy = format!("write one text, such as \"{example}\"");
        found.push(Diagnostic::error(weights.span, message, "this mix").remedy(remedy));
        return None;
    }
    let known =
        weights.value.iter().map(|(name, weight)| Some((option(name, rules, choice, found)?, *weight)));
    let known: Vec<_> = known.collect(); // all of them are looked at, not only up to the first that is wrong
    let mut options: Vec<_> = known.into_iter().collect::<Option<_>>()?;
    let Some(denominator) = common_denominator(options.iter().map(|(_, (_, bottom))| *bottom)) else {
        let message = format!("these probabilities are finer than one part in {LARGEST_DENOMINATOR}");
        let remedy = "write fewer digits, or quotients such as \"1/3\"";
        found.push(Diagnostic::error(weights.span, message, "this mix").remedy(remedy));
        return None;
    };
    let parts = |(top, bottom): (i64, i64)| i128::from(top) * i128::from(denominator / bottom);
    let sum: i128 = options.iter().map(|(_, weight)| parts(*weight)).sum();
    if sum != i128::from(denominator) {
        let rounded = (sum as f64 / denominator as f64 * 1e4).round() / 1e4;
        let message = format!("these probabilities add up to {rounded} ({sum}/{denominator}), not to 1");
        found.push(Diagnostic::error(weights.span, message, "this mix").remedy("change one of them"));
        return None;
    }
    let order: &[i32] = if let Picks::Option(_, options) = &choice.picks { options } else { &[] };
    options.sort_by_key(|(option, _)| (order.iter().position(|known| known == option), *option));
    let weights =
        options.into_iter().filter_map(|(option, weight)| Some((option, u32::try_from(parts(weight)).ok()?)));
    let weights: Vec<(i32, u32)> = weights.filter(|(_, weight)| *weight > 0).collect();
    Some(if let [(option, _)] = weights[..] { Move::Option(option) } else { Move::Mix(weights) })
}

fn common_denominator(mut denominators: impl Iterator<Item = i64>) -> Option<i64> {
    denominators.try_fold(1_i64, |common, next| {
        let product = common.checked_mul(next / greatest_common_divisor(common, next))?;
        (product <= LARGEST_DENOMINATOR).then_some(product)
    })
}

fn condition(
    text: &Placed<String>,
    rules: &Ruleset,
    choice: &Choice,
    sources: &Sources,
    found: &mut Diagnostics,
) -> Option<Move> {
    let place = rules_text(text, sources, found)?;
    let named = matches!(choice.picks, Picks::Option(..));
    let mut wrong = Diagnostics::default();
    let expr = rules::expression(rules, Some(choice), picked(choice), place, sources, &mut wrong);
    for mut one in wrong {
        if !named && is_word(text.value.trim()) {
            let texts = examples(rules, choice);
            one = one.remedy(format!("besides an expression can stand: {}", in_backticks(&texts)));
        }
        let name = one
            .labels
            .first()
            .map(|(span, _)| *span)
            .filter(|span| named && is_branch(place, *span, sources));
        let name = name.map(|span| Placed { value: sources.text(span).to_owned(), span });
        // Of a name that stands for an option, only the options are worth telling.
        if name.is_none_or(|name| option(&name, rules, choice, found).is_some()) {
            found.push(one);
        }
    }
    let expr = expr?;
    let sound = !named || gives_options(&expr, rules, choice, found);
    let text = text.value.trim().to_owned();
    sound.then_some(match expr.node {
        ExprNode::Constant(value) if !named => Move::Option(value),
        _ => Move::Condition { expr, text },
    })
}

/// Whether a place in a condition is a word where only an option can stand.
fn is_branch(condition: Span, place: Span, sources: &Sources) -> bool {
    let before = Span { end: place.start, ..condition };
    let before = sources.text(before).trim_end();
    is_word(sources.text(place)) && (before.is_empty() || before.ends_with("else"))
}

/// Complains of every place where a condition gives something that is not an option.
fn gives_options(expr: &Expr, rules: &Ruleset, choice: &Choice, found: &mut Diagnostics) -> bool {
    match &expr.node {
        ExprNode::Constant(value) => {
            let name = Placed { value: rules.name_of(expr.ty, *value), span: expr.span };
            option(&name, rules, choice, found).is_some()
        }
        ExprNode::If(_, then, otherwise) => {
            let first = gives_options(then, rules, choice, found);
            gives_options(otherwise, rules, choice, found) && first
        }
        _ => {
            let diagnostic = Diagnostic::error(expr.span, "a policy names options only", "this is not one");
            let options = rules.option_names(choice);
            found.push(diagnostic.did_you_mean("", options.iter().map(String::as_str)));
            false
        }
    }
}
