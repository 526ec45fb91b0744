//! What a player does at a choice, drawn as a scenario would write it.

use crate::luck::Luck;
use houserule::diagnostic::{Diagnostics, Sources, Span};
use houserule::plan::Move;
use houserule::rules::{Choice, ChoiceId, Picks, Ruleset, Type, UnitsId};
use houserule::scenario::read_policy;

/// A policy for a choice; `None` where the text that was drawn is none.
pub(crate) fn policy(
    number: u64,
    rules: &Ruleset,
    choice: ChoiceId,
    sources: &mut Sources,
    found: &mut Diagnostics,
) -> Option<Move> {
    let choice = &rules.choices[choice.0];
    let mut luck = Luck::named(number, &choice.name);
    let play = one(&mut luck, rules, choice, sources, found)?;
    if rules.units.is_empty() || !luck.one_in(4) {
        return Some(play);
    }
    let units = UnitsId(luck.below(rules.units.len()));
    let unit = luck.below(rules.units[units.0].names.len());
    let other = one(&mut luck, rules, choice, sources, found)?;
    Some(Move::ForUnits(units, vec![(unit, other)], Box::new(play)))
}

fn one(
    luck: &mut Luck,
    rules: &Ruleset,
    choice: &Choice,
    sources: &mut Sources,
    found: &mut Diagnostics,
) -> Option<Move> {
    let values: Vec<i32> = match &choice.picks {
        Picks::Option(_, options) => options.clone(),
        Picks::Number => vec![0, 1, 2],
        _ => Vec::new(),
    };
    if !values.is_empty() && luck.one_in(3) {
        let weights: Vec<(i32, u32)> = values.iter().map(|value| (*value, luck.below(3) as u32)).collect();
        let weights: Vec<(i32, u32)> = weights.into_iter().filter(|(_, weight)| *weight > 0).collect();
        match weights[..] {
            [] => {}
            [(only, _)] => return Some(Move::Option(only)),
            _ => return Some(Move::Mix(weights)),
        }
    }
    let text = text(luck, rules, choice);
    let length = text.len();
    let file = sources.add(format!("policy of {}", choice.name), text);
    read_policy(rules, choice, Span::new(file, 0, length), sources, found)
}

fn text(luck: &mut Luck, rules: &Ruleset, choice: &Choice) -> String {
    let number = name(luck, rules, choice, Type::Number);
    match &choice.picks {
        Picks::Option(..) => {
            let names = rules.option_names(choice);
            let (first, second) = (luck.of(&names), luck.of(&names));
            let words = first.contains(' ') || second.contains(' ');
            if words || luck.one_in(2) {
                first
            } else {
                format!("{first} if {} else {second}", condition(luck, rules, choice))
            }
        }
        Picks::Number => match luck.below(6) {
            0 => "lowest".to_owned(),
            1 => "highest".to_owned(),
            2 => "1".to_owned(),
            3 => format!("min(2, {number})"),
            4 => format!("{number} if {} else 0", condition(luck, rules, choice)),
            _ => number,
        },
        Picks::Unit(units) => {
            let names = &rules.units[units.0].names;
            let (first, second) = (luck.of(names), luck.of(names));
            let condition = condition(luck, rules, choice);
            luck.of(&[
                "first".to_owned(),
                "last".to_owned(),
                first.clone(),
                format!("{first} if {condition} else {second}"),
            ])
        }
        Picks::Dice(Type::Kind(kind)) => {
            let names: Vec<String> =
                rules.kinds[kind.0].values.iter().map(|value| value.name.clone()).collect();
            let (first, second) = (luck.of(&names), luck.of(&names));
            luck.of(&["none".to_owned(), "all".to_owned(), first.clone(), format!("{{{first}, {second}}}")])
        }
        Picks::Dice(_) => match luck.below(7) {
            0 => "none".to_owned(),
            1 => "all".to_owned(),
            2 => format!(">= {number}"),
            3 => format!("..{number}"),
            _ => luck.of(&["< 3", "{1, 4..5}", "2", "4+"]).to_owned(),
        },
        Picks::Order(units) => order(luck, rules, *units),
    }
}

/// An order of the units of a line.
fn order(luck: &mut Luck, rules: &Ruleset, units: UnitsId) -> String {
    let factors = rules.units[units.0].factors.iter().map(|factor| &rules.factors[factor.0]);
    let numbers: Vec<&str> =
        factors.filter(|factor| factor.ty == Type::Number).map(|factor| factor.name.as_str()).collect();
    let Some(by) = luck.any(&numbers) else {
        return luck.of(&["as written", "reversed"]).to_owned();
    };
    match luck.below(6) {
        0 => "as written".to_owned(),
        1 => "reversed".to_owned(),
        2 | 3 => format!("lowest {by}"),
        4 => format!("highest {by} - drill"),
        _ => format!("highest {by}"),
    }
}

/// A number that can be known there.
fn name(luck: &mut Luck, rules: &Ruleset, choice: &Choice, ty: Type) -> String {
    let known = choice.parameters.iter().filter(|one| one.ty == ty).map(|one| one.name.clone());
    let known: Vec<String> = known.collect();
    if let Some(name) = luck.any(&known)
        && luck.below(3) > 0
    {
        return name;
    }
    let own = |factor: &&houserule::rules::Factor| factor.ty == ty && factor.owner.is_none();
    let factors: Vec<String> = rules.factors.iter().filter(own).map(|factor| factor.name.clone()).collect();
    luck.any(&factors).unwrap_or_else(|| if ty == Type::Flag { "no" } else { "1" }.to_owned())
}

/// A condition on what can be known there.
fn condition(luck: &mut Luck, rules: &Ruleset, choice: &Choice) -> String {
    if luck.one_in(3) {
        return name(luck, rules, choice, Type::Flag);
    }
    let number = name(luck, rules, choice, Type::Number);
    format!("{number} {} {}", luck.of(&["<", ">", "is"]), luck.between(0, 3))
}
