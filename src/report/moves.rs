//! Best play as a table that a player can read.
//!
//! In: a plan with its table of moves, and what the aims come to. Out: lines of text, such as "when shaken and score 5:
//! retreat". What does not change a move is not mentioned.
//!
//! **Never:** finding moves.

mod lines;
mod names;

use super::terminal::INDENT;
use super::words::{counted, list};
use crate::plan::program::Site;
use crate::plan::{Aim, Look, Move, Plan, Probability};
use crate::rules::{Callee, Choice, ChoiceId, Picks, Ruleset, Span, Type};
use lines::{Line, Seen, shortened};
use names::Names;
use std::collections::BTreeMap;

/// What each aim comes to, as written and as a figure.
pub(super) fn worths<'p>(
    plan: &'p Plan,
    worths: &'p BTreeMap<Aim, Probability>,
) -> Vec<(&'p str, &'p Probability)> {
    let plays = plan.moves.iter().flatten().flat_map(Move::all);
    let known = plays.filter_map(|play| match play {
        Move::Aim { aim: Some(aim), text, .. } => Some((text.as_str(), worths.get(aim)?)),
        _ => None,
    });
    let mut all: Vec<(&str, &Probability)> = Vec::new();
    for one in known {
        if !all.contains(&one) {
            all.push(one);
        }
    }
    all
}

/// What to do when, at most so many lines for each place where a player decides.
pub(super) fn moves(plan: &Plan, most: usize, place: &dyn Fn(Span) -> String) -> Vec<String> {
    let (Some(table), Some(program)) = (&plan.table, &plan.program) else { return Vec::new() };
    let mut all: Vec<(ChoiceId, String, Vec<String>)> = Vec::new();
    for (id, moves) in &table.sites {
        let site = &program.sites[id.0];
        let calls = names::of_calls(plan, &site.path);
        let table = shortened(moves, |look| is_number(look, plan, site, &calls));
        let told = table.iter().map(|line| told(line, &moves.looks, plan, site, &calls)).collect();
        all.push((site.choice, way(plan, site, place), told));
    }
    let mut lines = Vec::new();
    for (at, (choice, way, told)) in all.iter().enumerate() {
        let is_here = |(other, ..): &&(ChoiceId, String, Vec<String>)| other == choice;
        let alike = all.iter().filter(is_here).all(|(.., other)| other == told);
        if alike && all[..at].iter().any(|one| is_here(&one)) {
            continue;
        }
        let name = &plan.rules.choices[choice.0].name;
        let heading = if alike { name.clone() } else { format!("{name} ({way})") };
        if let [only] = &told[..] {
            lines.push(format!("{heading}: {only}"));
            continue;
        }
        lines.push(format!("{heading}:"));
        lines.extend(told.iter().take(most).map(|line| format!("{INDENT}{line}")));
        if told.len() > most {
            let more = counted(told.len() - most, "more line", "more lines");
            lines.push(format!("{INDENT}and {more}; --moves shows them all"));
        }
    }
    lines
}

/// Whether a look is at a number, of which stretches can be told.
fn is_number(look: &Look, plan: &Plan, site: &Site, calls: &[Names]) -> bool {
    let rules = &plan.rules;
    match look {
        Look::Cell(factor) => rules.factors[factor.0].ty == Type::Number,
        Look::Local(call, local) => {
            let known = calls.get(*call).and_then(|names| names.locals.get(local));
            known.is_some_and(|(_, ty)| *ty == Type::Number)
        }
        Look::Left(_) => true,
        Look::Record(record) => rules.records[record.0].ty == Type::Number,
        Look::Dice { place: Some((call, pool)), sorts: false, .. } => {
            let known = calls.get(*call).and_then(|names| names.pools.get(pool));
            known.is_some_and(|(_, ty)| *ty == Type::Number)
        }
        Look::Dice { place: None, sorts: false, .. } => {
            rules.choices[site.choice.0].picks == Picks::Dice(Type::Number)
        }
        Look::Dice { .. } => false,
    }
}

/// What leads to a place, where one choice is met in several: units, passes, and where it stands.
fn way(plan: &Plan, site: &Site, place: &dyn Fn(Span) -> String) -> String {
    let (mut here, mut parts) = (Callee::Test(plan.entry), Vec::new());
    let Some(((last, _), path)) = site.path.split_last() else { return String::new() };
    for (span, number) in path {
        match (names::called(&plan.rules, here, *span), number) {
            (Some((callee, units)), number) => {
                here = callee;
                let unit = units.zip(*number);
                parts.extend(
                    unit.map(|(units, unit)| format!("for {}", plan.rules.units[units.0].names[unit])),
                );
            }
            (None, Some(pass)) => parts.push(format!("pass {pass} of the loop in {}", place(*span))),
            (None, None) => {}
        }
    }
    parts.push(place(*last));
    parts.join(", ")
}

/// A line in words.
fn told(line: &Line, looks: &[Look], plan: &Plan, site: &Site, calls: &[Names]) -> String {
    let seen = looks.iter().zip(&line.seen);
    let parts: Vec<String> = seen.filter_map(|(look, seen)| words(look, seen, plan, site, calls)).collect();
    let option = option(&plan.rules, site.choice, &line.option);
    if parts.is_empty() { format!("always {option}") } else { format!("when {}: {option}", list(&parts)) }
}

/// A move in words.
fn option(rules: &Ruleset, choice: ChoiceId, option: &[i32]) -> String {
    let Choice { picks, .. } = &rules.choices[choice.0];
    let ty = match picks {
        Picks::Option(kind, _) => Type::Kind(*kind),
        Picks::Number => Type::Number,
        Picks::Unit(units) | Picks::Order(units) => Type::Unit(*units),
        Picks::Dice(ty) => *ty,
    };
    let labels: Vec<String> = option.iter().map(|value| rules.label_of(ty, *value)).collect();
    match picks {
        Picks::Dice(_) if labels.is_empty() => "no dice".to_owned(),
        Picks::Dice(_) => format!("the {}", list(&labels)),
        _ => list(&labels),
    }
}

/// One thing that is seen, in words.
fn words(look: &Look, seen: &Seen, plan: &Plan, site: &Site, calls: &[Names]) -> Option<String> {
    let rules = &plan.rules;
    let named = |name: &str, ty: Type| match (ty, seen) {
        (_, Seen::Any) => None,
        (Type::Flag, Seen::Just(value)) if value == &[0] => Some(format!("not {name}")),
        (Type::Flag, _) => Some(name.to_owned()),
        (_, Seen::Just(value)) => Some(format!("{name} {}", rules.label_of(ty, value[0]))),
        (_, Seen::Between(low, high)) => Some(format!("{name} {low}..{high}")),
    };
    match look {
        Look::Cell(factor) => {
            let factor = &rules.factors[factor.0];
            named(&factor.label, factor.ty)
        }
        Look::Local(call, local) => {
            let (name, ty) = calls.get(*call)?.locals.get(local)?;
            named(name, *ty)
        }
        Look::Left(_) => named("passes left", Type::Number),
        Look::Record(record) => {
            let record = &rules.records[record.0];
            match seen {
                Seen::Just(value) if value.first() == Some(&0) => Some(format!("no {} yet", record.name)),
                Seen::Just(value) => {
                    Some(format!("{} so far {}", record.name, rules.label_of(record.ty, value[1])))
                }
                Seen::Between(low, high) => Some(format!("{} so far {low}..{high}", record.name)),
                Seen::Any => None,
            }
        }
        Look::Dice { place, sorts, .. } => {
            let (name, ty) = match place {
                Some((call, pool)) => calls.get(*call)?.pools.get(pool).cloned()?,
                None => match rules.choices[site.choice.0].picks {
                    Picks::Dice(ty) => ("the dice are".to_owned(), ty),
                    _ => return None,
                },
            };
            let dice = match seen {
                Seen::Just(dice) => dice,
                Seen::Between(low, high) => return Some(format!("{name} {low}..{high}")),
                Seen::Any => return None,
            };
            let faces = dice[1..].iter().step_by(1 + usize::from(*sorts));
            let faces: Vec<String> = faces.map(|face| rules.label_of(ty, *face)).collect();
            Some(format!("{name} {}", if faces.is_empty() { "none".to_owned() } else { faces.join(" ") }))
        }
    }
}
