//! Policies: what a player does at each choice that the rules leave to him.

mod play;

pub use play::{examples, leaves};

use super::place::{Lookup, rules_text};
use crate::diagnostic::{Diagnostic, Diagnostics, Sources, Span};
use crate::rules::tree::End;
use crate::rules::{Choice, ChoiceId, Expr, ExprNode, FactorId, Part, Picks, Place, Ruleset, UnitsId};
use crate::scenario::document::{Document, Play, PolicyText};
use crate::scenario::model::{Aim, Measured, Move, Objective, Quantity, ResultSet, Scenario, Variant};
use crate::scenario::sentence;
use crate::scenario::tree::Placed;
use play::read_move;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Fills in the moves of every variant, and hands back what is to be said of choices that nobody makes.
pub(super) fn moves(
    document: &Document,
    scenario: &mut Scenario,
    sources: &Sources,
    found: &mut Diagnostics,
) -> Vec<Diagnostic> {
    let (single, all): (Vec<_>, Vec<_>) =
        document.policies.iter().partition(|text| unit_named(&text.choice.value).is_some());
    all.into_iter().for_each(|text| policy(text, scenario, sources, found));
    single.into_iter().for_each(|text| policy(text, scenario, sources, found));
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
    open
}

fn nobody_chooses(place: Span, rules: &Ruleset, choice: &Choice) -> Diagnostic {
    let name = &choice.name;
    let texts = examples(rules, choice);
    let first = texts.first().map_or("...", String::as_str);
    let message = format!("the rules leave `{name}` to the player, and no policy says what he does");
    let (label, more) = match choice.picks {
        Picks::Option(..) => (format!("`{name}` offers {}", each(&texts, "`")), String::new()),
        _ => (
            format!("`{name}` leaves {}", leaves(rules, choice)),
            format!("; or {}", each(&texts[1..], "\"")),
        ),
    };
    Diagnostic::error(place, message, label)
        .remedy(format!("write under [policy], for example, {} = \"{first}\"{more}", key(name)))
}

/// `"none" or "all"`
fn each(texts: &[String], quote: &str) -> String {
    texts.iter().map(|text| format!("{quote}{text}{quote}")).collect::<Vec<_>>().join(" or ")
}

/// Looks up what aims are at, and complains of those at something that is not counted.
pub(super) fn aims(document: &Document, scenario: &mut Scenario, sources: &Sources, found: &mut Diagnostics) {
    for text in &document.policies {
        let Play::Text(words) = &text.play else { continue };
        if !play::is_aim(&words.value) {
            continue;
        }
        let name = unit_named(&text.choice.value).map_or(text.choice.value.as_str(), |(choice, _)| choice);
        let Some(place) = rules_text(words, sources, found) else { continue };
        let Some(function) = sentence::aim(place, sources, found) else { continue };
        for variant in 0..scenario.variants.len() {
            let choice = scenario.variants[variant].rules.choice(name);
            let has = |id: &ChoiceId| scenario.variants[variant].moves[id.0].is_some();
            let Some(choice) = choice.filter(has) else { continue };
            let quantity = Lookup { scenario, sources, found }.quantity(&function, variant);
            let Some(quantity) = quantity else { continue };
            let of = objective(&quantity, variant, scenario);
            if of.is_none() {
                found.push(no_quantile(place));
                break;
            }
            let aim = of.map(|of| Aim { maximise: play::is_for_more(&words.value), of });
            scenario.variants[variant].moves[choice.0]
                .iter_mut()
                .for_each(|play| fill(play, words.span, &aim));
        }
    }
}

fn no_quantile(place: Span) -> Diagnostic {
    let message =
        "an aim is a probability or a mean: best play for a quantile cannot be worked out backwards";
    let diagnostic = Diagnostic::error(place, message, "a quantile");
    diagnostic.remedy("write it as in: maximise P(result is 4+), maximise mean(result)")
}

/// A quantity in the values of one variant's rules; `None` for a quantile.
fn objective(quantity: &Quantity, variant: usize, scenario: &Scenario) -> Option<Objective> {
    let (measure, set) = match quantity {
        Quantity::Probability(set) => (set.measure, Some(set)),
        Quantity::Mean(measure) => (*measure, None),
        Quantity::Quantile(..) => return None,
    };
    let Measured { record, positions } = scenario.measures[measure].variants[variant].as_ref()?;
    let own = |set: &ResultSet| -> Vec<(i64, i64)> {
        let values = positions.iter().zip(0..).filter(|(key, _)| set.contains(**key as i64));
        if positions.is_empty() {
            set.spans.clone()
        } else {
            values.map(|(_, value)| (value, value)).collect()
        }
    };
    Some(Objective { record: *record, among: set.map(own) })
}

/// Gives the aim that is written there what it is.
fn fill(play: &mut Move, place: Span, known: &Option<Aim>) {
    match play {
        Move::Aim { aim, span, .. } if *span == place => aim.clone_from(known),
        Move::ForUnits(_, of, rest) => {
            of.iter_mut()
                .map(|(_, play)| play)
                .chain([&mut **rest])
                .for_each(|play| fill(play, place, known));
        }
        _ => {}
    }
}

/// What a player does at a choice, in the words that stand at a place of any text.
pub fn read_policy(
    rules: &Ruleset,
    choice: &Choice,
    place: Span,
    sources: &Sources,
    found: &mut Diagnostics,
) -> Option<Move> {
    let text = Placed { value: sources.text(place).to_owned(), span: place };
    read_move(&text, rules, choice, sources, found)
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
        let (name, unit) = unit_named(&text.choice.value).unwrap_or((&text.choice.value, ""));
        let unit = if unit.is_empty() { None } else { Some(unit_of(&rules, unit)) };
        let (Some(id), true) = (rules.choice(name), unit != Some(None)) else { continue };
        known = true;
        let choice = &rules.choices[id.0];
        let play = match &text.play {
            Play::Broken => None,
            Play::Mix(options) => play::mix(options, &rules, choice, found),
            Play::Text(text) => read_move(text, &rules, choice, sources, found),
        };
        let Some((units, unit)) = unit.flatten() else {
            variant.moves[id.0] = play;
            continue;
        };
        let before = variant.moves[id.0].take();
        variant.moves[id.0] = match (before, play) {
            (Some(Move::ForUnits(line, mut of, rest)), Some(play)) if line == units => {
                of.push((unit, play));
                Some(Move::ForUnits(line, of, rest))
            }
            (Some(Move::ForUnits(..)), Some(_)) => {
                found.push(two_lines(&text.choice));
                None
            }
            (Some(rest), Some(play)) => Some(Move::ForUnits(units, vec![(unit, play)], Box::new(rest))),
            _ => None, // what is wrong has been said, or will be: nobody chooses for the others
        };
    }
    if !known {
        found.push(unknown_choice(&text.choice, scenario));
    }
}

/// `orders for side[1]` as a choice and a unit.
fn unit_named(key: &str) -> Option<(&str, &str)> {
    let (choice, unit) = key.split_once(" for ")?;
    Some((choice.trim(), unit.trim()))
}

/// A unit by its name: its line, and its position there.
fn unit_of(rules: &Ruleset, name: &str) -> Option<(UnitsId, usize)> {
    let lines = rules.units.iter().enumerate();
    lines
        .filter_map(|(id, units)| Some((UnitsId(id), units.names.iter().position(|unit| unit == name)?)))
        .next()
}

fn two_lines(name: &Placed<String>) -> Diagnostic {
    let message = "one choice cannot have policies for units of two `unit` lines";
    let diagnostic = Diagnostic::error(name.span, message, "of another line");
    diagnostic.remedy("write a condition for both instead")
}

fn unknown_choice(name: &Placed<String>, scenario: &Scenario) -> Diagnostic {
    let all = scenario.variants.iter().flat_map(|variant| &variant.rules.choices);
    let known: BTreeSet<&str> = all.map(|choice| choice.name.as_str()).collect();
    let (choice, unit) = unit_named(&name.value).unwrap_or((&name.value, ""));
    if known.contains(choice) {
        let units = scenario.variants.iter().flat_map(|variant| &variant.rules.units);
        let units: BTreeSet<&str> = units.flat_map(|units| &units.names).map(String::as_str).collect();
        let message = format!("there is no unit called `{unit}`");
        return Diagnostic::error(name.span, message, "not known").did_you_mean(unit, units);
    }
    let message = format!("the rules leave no choice called `{choice}` to the player");
    let diagnostic = Diagnostic::error(name.span, message, "not known");
    if known.is_empty() {
        return diagnostic.remedy("take it out: these rules leave no choice at all");
    }
    diagnostic.did_you_mean(choice, known)
}

/// The factors that a variant's policies ask for, and that the chart or test of the choice does not set itself.
pub(super) fn factors_asked(variant: &Variant) -> BTreeSet<FactorId> {
    let rules = &variant.rules;
    let mut asked = BTreeSet::new();
    for (choice, play) in rules.choices.iter().zip(&variant.moves) {
        let list = if let Picks::Order(list) = choice.picks { Some(&rules.units[list.0]) } else { None };
        let mut read = |part: Part| match part {
            Part::One(Expr { node: ExprNode::ReadUnit(units, _, own), .. }) => {
                let units = &rules.units[units.0];
                asked.extend((0..units.names.len()).map(|unit| units.own(unit, *own)));
            }
            Part::One(Expr { node: ExprNode::Read(place @ Place::Factor(factor)), .. }) => {
                let own =
                    list.and_then(|list| Some((list, list.factors.iter().position(|own| own == factor)?)));
                match own {
                    Some((list, own)) => asked.extend((0..list.names.len()).map(|unit| list.own(unit, own))),
                    None if choice.parameters.iter().any(|one| one.place == *place) => {}
                    None => _ = asked.insert(*factor),
                }
            }
            _ => {}
        };
        for play in play.iter().flat_map(Move::all) {
            match play {
                Move::Condition { expr, .. } | Move::Order { by: Some(expr), .. } => expr.each(&mut read),
                Move::Dice { set, .. } => set.ends().for_each(|end| end.each(&mut read)),
                _ => {}
            }
        }
    }
    asked
}

/// A policy in words, as `hold always`, `30 % retreat, 70 % hold` or the text of its condition.
pub fn describe_move(rules: &Ruleset, choice: &Choice, play: &Move) -> String {
    let name = |option: i32| rules.name_of(play::picked(choice), option);
    match play {
        Move::Option(option) => format!("{} always", name(*option)),
        Move::Condition { text, .. }
        | Move::Dice { text, .. }
        | Move::Order { text, .. }
        | Move::Aim { text, .. } => text.clone(),
        Move::ForUnits(units, of, rest) => {
            let name = |unit: &usize| &rules.units[units.0].names[*unit];
            let of = of
                .iter()
                .map(|(unit, play)| format!("{} for {}", describe_move(rules, choice, play), name(unit)));
            let of: Vec<String> = of.collect();
            format!("{}; {}", describe_move(rules, choice, rest), of.join("; "))
        }
        Move::End(end) => {
            let [low, high] = match choice.picks {
                Picks::Unit(_) => ["first", "last"],
                _ => ["lowest", "highest"],
            };
            format!("always the {}", if *end == End::Lowest { low } else { high })
        }
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
