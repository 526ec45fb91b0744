//! What is known exactly, without any trial: a page to read, and a table for programs.
//!
//! In: the question and its exact answers. Out: text at most 80 columns wide where labels allow.
//!
//! **Never:** printing, leaving out that something is not solved.

mod table;

pub use table::table;

use super::groups::{group_name, grouped};
use super::moves::{moves, worths};
use super::summary::{claims_in_short, expects_decided};
use super::terminal::{INDENT, shortened, wrapped};
use super::unsolved::{Missing, reason, unsolved};
use super::words::{UNSAID, flags_vary, result_label, situations, thousands, upper_first};
use crate::analyse::{Solved, exact_mean, exact_share, present};
use crate::plan::{Aim, Answer, Bounds, ContentId, Plan, Probability, Unsolved, Weights};
use crate::rules::Span;
use crate::scenario::{Measure, Results, Scenario};
use std::collections::BTreeMap;

/// Says where something stands, as in `base.rules:12`.
pub type Place<'a> = &'a dyn Fn(Span) -> String;

/// Where the figures end.
const FIGURES: usize = 50;

/// How wide a line is at most; with one more indent it still fits 80 columns.
const WIDTH: usize = 78;

/// How many values of a number are listed; of more there is only the mean.
const NUMBERS: usize = 20;

/// What players who have aims do: for each variant, the plan of each situation; what its aims come to; and how many
/// lines are told at most of each place where somebody decides.
pub struct Best<'a> {
    /// For each variant, the plan of each situation.
    pub plans: &'a [Vec<Plan>],
    /// What the aims come to in a plan.
    pub worths: &'a dyn Fn(&Plan) -> Option<&'a BTreeMap<Aim, Probability>>,
    /// Most lines for each place where somebody decides.
    pub most: usize,
    /// How far players can move each measure, where nothing says what they do.
    pub ranges: &'a BTreeMap<ContentId, Vec<Bounds>>,
}

impl Best<'_> {
    fn lines(&self, scenario: &Scenario, plan: &Plan, place: Place) -> Vec<String> {
        if let Some(bounds) = self.ranges.get(&plan.id) {
            return ranges(scenario, bounds);
        }
        let Some(known) = (self.worths)(plan) else { return Vec::new() };
        let mut lines = vec![format!("{INDENT}{INDENT}Best play")];
        for (text, worth) in worths(plan, known) {
            let figure = if text.contains("mean(") { number(worth) } else { percent(worth) };
            lines.extend(line(3, text, &figure, worth));
        }
        let told = moves(plan, self.most, place);
        lines.extend(told.iter().flat_map(|line| wrapped(line)).map(|line| INDENT.repeat(3) + &line));
        lines
    }
}

/// The page: situation by situation, each variant's probabilities and means, and how that is played best where players
/// have aims. `place` says where in which file something is.
pub fn page(scenario: &Scenario, solved: &Solved, best: &Best, place: Place) -> String {
    let names = situations(scenario);
    let all = |number: usize| (0..number).collect::<Vec<_>>();
    let id = |variant: usize, situation: usize| solved.cells[variant][situation].0;
    let (variants, rows) = (all(scenario.variants.len()), all(names.len()));
    let groups = grouped(id, &variants, &rows);
    let mut lines = wrapped(&scenario.title);
    for group in &groups {
        lines.push(String::new());
        lines.extend(wrapped(&group_name(&names, *group)));
        for variant in &variants {
            let name = &scenario.variants[*variant].name;
            match (0..*variant).find(|other| id(*other, group.0) == id(*variant, group.0)) {
                Some(other) => {
                    let other = &scenario.variants[other].name;
                    lines.extend(wrapped(&format!("{INDENT}{name}: the same rules as in {other}")));
                }
                None => {
                    lines.push(format!("{INDENT}{name}"));
                    lines.extend(cell(scenario, *variant, &solved.cells[*variant][group.0].1, place));
                    lines.extend(best.lines(scenario, &best.plans[*variant][group.0], place));
                }
            }
        }
    }
    lines.push(String::new());
    lines.extend(foot(scenario, solved, groups.iter().any(|group| group.1 > 0)));
    lines.join("\n") + "\n"
}

/// What no table holds, line by line: which claims hold, which expected values are met, which situations are not solved.
pub fn remarks(scenario: &Scenario, solved: &Solved) -> Vec<String> {
    let (claims, expects) = (claims(scenario, solved), expects_decided(scenario, solved));
    let missing = missing(scenario, solved).into_iter().flat_map(|missing| missing.lines());
    claims.iter().chain(&expects).flat_map(|line| wrapped(line)).chain(missing).collect()
}

fn claims(scenario: &Scenario, solved: &Solved) -> Vec<String> {
    claims_in_short(scenario, &solved.claims, ", as `houserule run` tells")
}

fn missing(scenario: &Scenario, solved: &Solved) -> Vec<Missing> {
    let cell = |variant: usize, situation: usize| &solved.cells[variant][situation];
    unsolved(scenario, |v, s| cell(v, s).0, |v, s| cell(v, s).1.as_ref().err())
}

/// What the figures do not say themselves.
fn foot(scenario: &Scenario, solved: &Solved, alike: bool) -> Vec<String> {
    let mut remarks = vec!["Behind = stands the exact figure, behind ~ one that is rounded.".to_owned()];
    if flags_vary(scenario) {
        remarks.push(UNSAID.to_owned());
    }
    if alike {
        remarks.push("Situations in which the same rules are left to play share their figures.".to_owned());
    }
    let (claims, expects) = (claims(scenario, solved), expects_decided(scenario, solved));
    let missing = missing(scenario, solved);
    let parts =
        claims.iter().chain(&expects).map(|line| wrapped(line)).chain(missing.iter().map(Missing::in_short));
    for part in parts {
        remarks.push(String::new());
        remarks.extend(part);
    }
    remarks
}

/// All that is known of a variant in a situation.
fn cell(scenario: &Scenario, variant: usize, answer: &Result<Answer, Unsolved>, place: Place) -> Vec<String> {
    let answer = match answer {
        Ok(answer) => answer,
        Err(why) => return wrapped(&format!("{INDENT}{INDENT}not solved: {}", reason(why))),
    };
    let mut lines = all(scenario, variant, |at| Some(&answer.measures[at]));
    if answer.unresolved != Probability::ZERO {
        lines.extend(line(2, "Unresolved", &percent(&answer.unresolved), &answer.unresolved));
    }
    if let Some(limit) = &answer.limit {
        lines.push(format!("{INDENT}{INDENT}Without the tool's patience:"));
        let mut inner = all(scenario, variant, |at| limit.measures[at].as_ref());
        for (span, rounds) in &limit.rounds {
            let which = if limit.rounds.len() > 1 { format!(" ({})", place(*span)) } else { String::new() };
            inner.extend(line(2, &format!("rounds on average{which}"), &number(rounds), rounds));
        }
        lines.extend(inner.iter().map(|line| format!("{INDENT}{line}")));
    }
    lines
}

/// How far players can move each measure.
fn ranges(scenario: &Scenario, bounds: &[Bounds]) -> Vec<String> {
    let mut lines = vec![format!("{INDENT}{INDENT}Whatever the players do, from least to most")];
    for (measure, Bounds { shares, mean }) in scenario.measures.iter().zip(bounds) {
        let label = |own: String| match measure.is_record() {
            true => format!("{}: {own}", upper_first(&measure.label)),
            false => own,
        };
        for (key, (low, high)) in shares {
            lines.extend(range_line(&label(result_label(measure, *key)), percent, low, high));
        }
        if let Some((low, high)) = mean {
            lines.extend(range_line(&label("mean".to_owned()), number, low, high));
        }
    }
    lines
}

fn range_line(
    label: &str,
    figure: fn(&Probability) -> String,
    low: &Probability,
    high: &Probability,
) -> Vec<String> {
    let mut lines = line(3, label, &figure(low), low);
    if low != high {
        lines.extend(line(3, "to", &figure(high), high));
    }
    lines
}

/// All measures that a variant has.
fn all<'a>(
    scenario: &Scenario,
    variant: usize,
    weights: impl Fn(usize) -> Option<&'a Weights>,
) -> Vec<String> {
    let measures = scenario.measures.iter().enumerate();
    let has = measures.filter(|(_, measure)| measure.variants[variant].is_some());
    has.flat_map(|(at, measure)| match weights(at) {
        Some(weights) => of(measure, weights),
        None => vec![format!("{INDENT}{INDENT}{}: not known", upper_first(&measure.label))],
    })
    .collect()
}

/// The values of a measure with their probabilities, and of a number its mean.
fn of(measure: &Measure, weights: &Weights) -> Vec<String> {
    let mut lines = Vec::new();
    if weights.partial {
        let (label, whole) = (upper_first(&measure.label), present(weights));
        if whole.is_zero() {
            return vec![format!("{INDENT}{INDENT}{label}: no trial has it")];
        }
        let among = if whole.can_be(&Probability::ONE) { "" } else { ", of the trials that have it" };
        lines.extend(wrapped(&format!("{INDENT}{INDENT}{label}{among}")));
        if !among.is_empty() {
            lines.extend(line(3, "has it", &percent(&whole), &whole));
        }
    }
    let (indent, share) = (if weights.partial { 3 } else { 2 }, exact_share(weights));
    for (key, label) in values(measure, weights) {
        let exact = share(key).unwrap_or(Probability::ZERO);
        lines.extend(line(indent, &label, &percent(&exact), &exact));
    }
    if measure.results == Results::Numbers {
        if let (more @ NUMBERS.., Some((first, _)), Some((last, _))) = (
            weights.weights.len().saturating_sub(1),
            weights.weights.first_key_value(),
            weights.weights.last_key_value(),
        ) {
            let number = thousands(more as u64 + 1);
            let text = format!("{number} numbers from {first} to {last}; --format csv lists them");
            lines.push(INDENT.repeat(indent) + &text);
        }
        if let Some(mean) = exact_mean(weights) {
            lines.extend(line(indent, "mean", &number(&mean), &mean));
        }
    }
    lines
}

/// The values that have a line: all that are named, and numbers where there are not too many.
fn values(measure: &Measure, weights: &Weights) -> Vec<(i64, String)> {
    let keys: Vec<i64> = match &measure.results {
        Results::Named(named) => (0..named.len() as i64).collect(),
        Results::Numbers if weights.weights.len() <= NUMBERS => weights.weights.keys().copied().collect(),
        Results::Numbers => Vec::new(),
    };
    keys.into_iter().map(|key| (key, result_label(measure, key))).collect()
}

/// A label, a figure, and what it is exactly: in the next line where that is long.
fn line(indent: usize, label: &str, figure: &str, exact: &Probability) -> Vec<String> {
    let text = exact.to_string();
    let exactly = format!("{} {text}", if text.contains('.') { '~' } else { '=' });
    let indent = INDENT.repeat(indent);
    let room = FIGURES - indent.len() - figure.chars().count() - 1;
    let label = shortened(label, room);
    let gap = " ".repeat(room + 1 - label.chars().count());
    let line = format!("{indent}{label}{gap}{figure}");
    match line.chars().count() + exactly.chars().count() + 2 <= WIDTH {
        true => vec![format!("{line}  {exactly}")],
        false => vec![line, format!("{indent}{INDENT}{exactly}")],
    }
}

/// A mean, with six decimals.
fn number(figure: &Probability) -> String {
    format!("{:.6}  ", figure.value())
}

/// In percent, with six decimals. What is not 0 or 100 never looks like it.
fn percent(probability: &Probability) -> String {
    let percent = probability.value() * 100.0;
    match percent {
        _ if *probability == Probability::ZERO => "never  ".to_owned(),
        _ if *probability == Probability::ONE => "always  ".to_owned(),
        percent if percent < 1e-4 => "<0.000100 %".to_owned(),
        percent if percent >= 99.999_999_5 => ">99.999999 %".to_owned(),
        percent => format!("{percent:.6} %"),
    }
}
