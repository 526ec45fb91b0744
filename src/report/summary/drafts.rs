//! What was played: each draft's rules, the factors that the grid leaves alone, the policies, the grid.
//!
//! In: the question. Out: lists.
//!
//! **Never:** what came of it.

use crate::report::words::{fixed, list};
use crate::rules::{Choice, FactorId, Picks, Ruleset, Type};
use crate::scenario::{GridFactor, Move, Scenario, Variant, describe_move, leaves};

/// One section for all drafts and one for the grid.
pub(super) fn drafts(scenario: &Scenario) -> String {
    let mut text = "## What was played\n".to_owned();
    for (position, variant) in scenario.variants.iter().enumerate() {
        let baseline =
            if position == scenario.baseline && scenario.variants.len() > 1 { " (the baseline)" } else { "" };
        text += &format!("\n### {}{baseline}\n\n- Rules: {}.\n", variant.name, variant.rules.name);
        let set = settings(scenario, position);
        if !set.is_empty() {
            text += &format!("- In every situation: {}.\n", set.join("; "));
        }
        text += &policies(variant);
        text += &remarks(scenario, position);
    }
    text + &grid(scenario)
}

/// Sources and notes; those of the baseline are not repeated where a draft builds on them.
fn remarks(scenario: &Scenario, position: usize) -> String {
    let all = |position: usize| {
        let rules = &scenario.variants[position].rules;
        let sources = rules.sources.iter().map(|source| format!("- Source: {source}\n"));
        sources.chain(rules.notes.iter().map(|note| format!("- Note: {note}\n"))).collect::<Vec<String>>()
    };
    let (baseline, mut remarks) = (all(scenario.baseline), all(position));
    let builds = position != scenario.baseline && !baseline.is_empty();
    if builds && baseline.iter().all(|remark| remarks.contains(remark)) {
        remarks.retain(|remark| !baseline.contains(remark));
        let name = &scenario.variants[scenario.baseline].name;
        remarks.insert(0, format!("- Sources and notes of **{name}** apply here too, as far as this draft leaves its rules alone.\n"));
    }
    remarks.concat()
}

/// The factors that a variant reads and the grid does not set, with their values.
fn settings(scenario: &Scenario, position: usize) -> Vec<String> {
    let variant = &scenario.variants[position];
    let gridded = |id: FactorId| {
        scenario
            .factors
            .iter()
            .any(|factor| factor.bindings[position].as_ref().is_some_and(|(bound, _)| bound.contains(&id)))
    };
    let words = |id: FactorId| {
        let factor = &variant.rules.factors[id.0];
        format!("{}: {}", factor.label, variant.rules.label_of(factor.ty, variant.base[id.0]))
    };
    variant.rules.factors_read(variant.entry).into_iter().filter(|id| !gridded(*id)).map(words).collect()
}

/// What the player does at each choice that a trial can come to.
fn policies(variant: &Variant) -> String {
    let choices = variant.rules.choices.iter().zip(&variant.moves);
    let policies = choices.filter_map(|(choice, policy)| Some((choice, policy.as_ref()?)));
    policies.map(|(choice, policy)| format!("- {}\n", sentence(&variant.rules, choice, policy))).collect()
}

fn sentence(rules: &Ruleset, choice: &Choice, policy: &Move) -> String {
    let label = |value: i32| match &choice.picks {
        Picks::Option(kind, _) => format!("*{}*", rules.label_of(Type::Kind(*kind), value)),
        Picks::Unit(units) => format!("*{}*", rules.label_of(Type::Unit(*units), value)),
        _ => value.to_string(),
    };
    let does = match policy {
        Move::Option(option) => format!("always {}", label(*option)),
        Move::Mix(options) => {
            let sum: u64 = options.iter().map(|(_, weight)| u64::from(*weight)).sum();
            let share =
                |(option, weight): &(i32, u32)| format!("{} with probability {weight}/{sum}", label(*option));
            list(&options.iter().map(share).collect::<Vec<_>>())
        }
        Move::End(_) | Move::ForUnits(..) => describe_move(rules, choice, policy),
        Move::Condition { text, .. }
        | Move::Dice { text, .. }
        | Move::Order { text, .. }
        | Move::Aim { text, .. } => {
            format!("`{text}`")
        }
    };
    format!("Where `{}` leaves the player {}: {does}.", choice.name, leaves(rules, choice))
}

/// The factors and values of the grid.
fn grid(scenario: &Scenario) -> String {
    if scenario.factors.is_empty() {
        return String::new();
    }
    let line = |factor: &GridFactor| {
        let values: Vec<String> = factor.values.iter().map(|value| value.label.clone()).collect();
        format!("- {}: {}\n", factor.label, values.join(", "))
    };
    let lines: String = scenario.factors.iter().map(line).collect();
    let combinations: usize = scenario.factors.iter().map(|factor| factor.values.len()).product();
    let left = combinations.saturating_sub(scenario.situations.len());
    let except = if left > 0 { format!(", less {left} that are excluded") } else { String::new() };
    let same = fixed(scenario);
    let note = if same.is_empty() {
        String::new()
    } else {
        let fixed: Vec<String> = same.iter().map(|(label, value)| format!("{label}: {value}")).collect();
        format!("\nThe same throughout, and not repeated above: {}.\n", fixed.join("; "))
    };
    format!("\n### The situations\n\nEvery combination of these{except}:\n\n{lines}{note}")
}
