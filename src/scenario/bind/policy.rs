//! Policies: what a player does at each choice that the rules leave to him.

use super::grid::is_word;
use super::place::rules_text;
use crate::diagnostic::{Diagnostic, Diagnostics, Sources, Span};
use crate::rules::{self, Choice, ChoiceId, Expr, ExprNode, FactorId, Place, Ruleset, Type};
use crate::scenario::document::{Document, Play, PolicyText, Weight};
use crate::scenario::fraction::greatest_common_divisor;
use crate::scenario::model::{Move, Scenario, Variant};
use crate::scenario::tree::Placed;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Weights of a mix are whole numbers up to this.
const LARGEST_DENOMINATOR: i64 = 1_000_000;

/// Fills in the moves of every variant, and complains of choices that nobody makes.
pub(super) fn moves(
    document: &Document,
    scenario: &mut Scenario,
    sources: &Sources,
    found: &mut Diagnostics,
) {
    for text in &document.policies {
        policy(text, scenario, sources, found);
    }
    let mut open: Vec<Diagnostic> = Vec::new();
    for (variant, text) in scenario.variants.iter_mut().zip(&document.variants) {
        let reachable = variant.rules.reachable_choices(variant.entry);
        for (at, choice) in variant.rules.choices.iter().enumerate() {
            if !reachable.contains(&ChoiceId(at)) {
                variant.moves[at] = None;
            } else if document.policies.iter().all(|text| text.choice.value != choice.name) {
                let place = text.rules.as_ref().map_or(document.top, |rules| rules.span);
                let one = nobody_chooses(place, &variant.rules, choice);
                match open.iter_mut().find(|known| known.message == one.message) {
                    Some(known) => known.labels.extend(one.labels),
                    None => open.push(one),
                }
            }
        }
    }
    found.extend(open);
}

fn nobody_chooses(place: Span, rules: &Ruleset, choice: &Choice) -> Diagnostic {
    let name = &choice.name;
    let options = rules.option_names(choice);
    let first = options.first().map_or("...", String::as_str);
    let offered: Vec<String> = options.iter().map(|option| format!("`{option}`")).collect();
    let message = format!("the rules leave `{name}` to the player, and no policy says what he does");
    Diagnostic::error(place, message, format!("`{name}` offers {}", offered.join(" or ")))
        .remedy(format!("write under [policy], for example, {} = \"{first}\"", key(name)))
}

/// A name as a key of TOML, in quotes where it needs them.
fn key(name: &str) -> String {
    let bare = name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
    if bare { name.to_owned() } else { format!("\"{name}\"") }
}

fn policy(text: &PolicyText, scenario: &mut Scenario, sources: &Sources, found: &mut Diagnostics) {
    let mut known = false;
    for variant in &mut scenario.variants {
        let rules = Arc::clone(&variant.rules);
        let Some(id) = rules.choice(&text.choice.value) else { continue };
        known = true;
        variant.moves[id.0] = one_move(&text.play, &rules, &rules.choices[id.0], sources, found);
    }
    if !known {
        found.push(unknown_choice(&text.choice, scenario));
    }
}

fn unknown_choice(name: &Placed<String>, scenario: &Scenario) -> Diagnostic {
    let all = scenario.variants.iter().flat_map(|variant| &variant.rules.choices);
    let known: BTreeSet<&str> = all.map(|choice| choice.name.as_str()).collect();
    if name.value.contains(" for ") {
        let message = "a policy for a single unit comes with a later version";
        return Diagnostic::error(name.span, message, "not yet").remedy("name the choice alone");
    }
    let message = format!("the rules leave no choice called `{}` to the player", name.value);
    let diagnostic = Diagnostic::error(name.span, message, "not known");
    if known.is_empty() {
        return diagnostic.remedy("take it out: these rules leave no choice at all");
    }
    diagnostic.did_you_mean(&name.value, known)
}

fn one_move(
    play: &Play,
    rules: &Ruleset,
    choice: &Choice,
    sources: &Sources,
    found: &mut Diagnostics,
) -> Option<Move> {
    match play {
        Play::Broken => None,
        Play::Mix(options) => mix(options, rules, choice, found),
        Play::Text(text) if is_aim(&text.value) => {
            let message =
                "aims such as `minimise` and `maximise` come with a later version, with the exact solver";
            let diagnostic = Diagnostic::error(text.span, message, "not yet");
            found.push(diagnostic.remedy("name an option, a mix of options or a condition"));
            None
        }
        Play::Text(text) if is_name(&text.value) => option(text, rules, choice, found).map(Move::Option),
        Play::Text(text) => condition(text, rules, choice, sources, found),
    }
}

/// Whether a text can only be meant as the name of an option, or as its label.
fn is_name(text: &str) -> bool {
    !text.contains(['(', '.']) && text.split_whitespace().all(|word| word != "if" && word != "else")
}

fn is_aim(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default().to_ascii_lowercase();
    ["minimise", "maximise", "minimize", "maximize"].contains(&first.as_str())
}

fn option(name: &Placed<String>, rules: &Ruleset, choice: &Choice, found: &mut Diagnostics) -> Option<i32> {
    let kind = Type::Kind(choice.kind);
    let value = rules.value_of(kind, &name.value);
    let value = value.filter(|value| choice.options.contains(value));
    if value.is_none() {
        let message = format!("`{}` is not an option of `{}`", name.value, choice.name);
        let options = rules.option_names(choice);
        let diagnostic = Diagnostic::error(name.span, message, "not offered there");
        let label = |option: &&i32| rules.label_of(kind, **option).eq_ignore_ascii_case(&name.value);
        found.push(match choice.options.iter().find(label) {
            Some(option) => diagnostic.remedy(format!("the name is `{}`", rules.name_of(kind, *option))),
            None => diagnostic.did_you_mean(&name.value, options.iter().map(String::as_str)),
        });
    }
    value
}

/// Options with their probabilities, in the order of the rules; they must add up to exactly 1.
fn mix(
    weights: &Placed<Vec<Weight>>,
    rules: &Ruleset,
    choice: &Choice,
    found: &mut Diagnostics,
) -> Option<Move> {
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
    options.sort_by_key(|(option, _)| choice.options.iter().position(|known| known == option));
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
    let kind = Type::Kind(choice.kind);
    let mut wrong = Diagnostics::default();
    let expr = rules::expression(rules, Some(choice), kind, place, sources, &mut wrong);
    for one in wrong {
        let name = one.labels.first().map(|(span, _)| *span).filter(|span| is_branch(place, *span, sources));
        let name = name.map(|span| Placed { value: sources.text(span).to_owned(), span });
        // Of a name that stands for an option, only the options are worth telling.
        if name.is_none_or(|name| option(&name, rules, choice, found).is_some()) {
            found.push(one);
        }
    }
    let expr = expr?;
    let sound = gives_options(&expr, rules, choice, found);
    sound.then(|| Move::Condition { expr, text: text.value.trim().to_owned() })
}

/// Whether a place in a condition is a word where only an option can stand.
fn is_branch(condition: Span, place: Span, sources: &Sources) -> bool {
    let before = Span { end: place.start, ..condition };
    let before = sources.text(before).trim_end();
    is_word(sources.text(place)) && (before.is_empty() || before.ends_with("else"))
}

/// The factors that a variant's policies ask for, and that the chart or test of the choice does not set itself.
pub(super) fn factors_asked(variant: &Variant) -> BTreeSet<FactorId> {
    let mut asked = BTreeSet::new();
    for (choice, play) in variant.rules.choices.iter().zip(&variant.moves) {
        let Some(Move::Condition { expr, .. }) = play else { continue };
        expr.each(&mut |part| match part.node {
            ExprNode::Read(place @ Place::Factor(factor))
                if choice.parameters.iter().all(|one| one.place != place) =>
            {
                asked.insert(factor);
            }
            _ => {}
        });
    }
    asked
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

/// A policy in words, as `hold always`, `30 % retreat, 70 % hold` or the text of its condition.
pub fn describe_move(rules: &Ruleset, choice: &Choice, play: &Move) -> String {
    let name = |option: i32| rules.name_of(Type::Kind(choice.kind), option);
    match play {
        Move::Option(option) => format!("{} always", name(*option)),
        Move::Condition { text, .. } => text.clone(),
        Move::Mix(weights) => {
            let sum: f64 = weights.iter().map(|(_, weight)| f64::from(*weight)).sum();
            let share = |(option, weight): &(i32, u32)| {
                let percent = (f64::from(*weight) / sum * 1e6).round() / 1e4;
                format!("{percent} % {}", name(*option))
            };
            weights.iter().map(share).collect::<Vec<_>>().join(", ")
        }
    }
}
