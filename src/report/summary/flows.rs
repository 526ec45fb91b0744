//! What the same dice give under the original and under a draft, in words.
//!
//! In: what was played in step. Out: a line for each situation in which most changes, and where dice are not alike.
//!
//! **Never:** independent dice.

use crate::analyse::{Analysis, Flow};
use crate::plan::{Pairs, Unlike};
use crate::report::words::{counted, lower_first, result_label, thousands};
use crate::scenario::Scenario;
use std::collections::BTreeMap;

/// How many situations of each draft are told, and how many changes of each.
const SITUATIONS: usize = 5;
const CHANGES: usize = 6;

/// How many ways are told in which dice are not alike.
const WAYS: usize = 3;

/// The paragraph; empty where nothing was played in step.
pub(super) fn flows(scenario: &Scenario, analysis: &Analysis, names: &[String]) -> String {
    let drafts = (0..scenario.variants.len()).filter(|variant| *variant != analysis.baseline);
    let parts: Vec<String> = drafts.filter_map(|draft| of_draft(scenario, analysis, names, draft)).collect();
    if parts.is_empty() { String::new() } else { format!("## On the same dice\n\n{}", parts.join("\n")) }
}

/// For each draft a line on where most changes, and one on where it does not roll like the baseline.
pub(super) fn in_short(scenario: &Scenario, analysis: &Analysis, names: &[String]) -> Vec<String> {
    let mut lines = Vec::new();
    for draft in 0..scenario.variants.len() {
        if let Some((flow, pairs)) = most_changed(analysis, draft).first() {
            lines.push(format!(
                "On the same dice {} ends otherwise than {} in up to {:.1} % of trials ({}).",
                scenario.variants[draft].name,
                scenario.variants[analysis.baseline].name,
                changed(pairs) as f64 * 100.0 / pairs.trials as f64,
                lower_first(&names[flow.situation]),
            ));
        }
        lines.extend(refusals(scenario, analysis, names, draft));
    }
    lines
}

fn of_draft(scenario: &Scenario, analysis: &Analysis, names: &[String], draft: usize) -> Option<String> {
    let [name, baseline] =
        [draft, analysis.baseline].map(|variant| format!("**{}**", scenario.variants[variant].name));
    let changed_most = most_changed(analysis, draft);
    let refused = refusals(scenario, analysis, names, draft);
    let mut lines: Vec<String> = Vec::new();
    if let Some((_, pairs)) = changed_most.first() {
        lines.push(format!(
            "{name} and {baseline} were played in step on the same dice, {} trials in each of {} (all in `flow.csv` and \
             `paired.csv`). {}",
            thousands(pairs.trials),
            counted(changed_most.len(), "situation", "situations"),
            if changed(pairs) > 0 { "Where most changes:\n" } else { "Every trial ends alike." },
        ));
    }
    let told = changed_most.iter().filter(|(_, pairs)| changed(pairs) > 0).take(SITUATIONS);
    lines.extend(
        told.map(|(flow, pairs)| format!("- {}: {}", names[flow.situation], told_of(scenario, pairs))),
    );
    if !refused.is_empty() && !lines.is_empty() {
        lines.push(String::new());
    }
    lines.extend(refused);
    (!lines.is_empty()).then(|| format!("{}\n", lines.join("\n")))
}

/// What was played in step, where most trials change first.
fn most_changed(analysis: &Analysis, draft: usize) -> Vec<(&Flow, &Pairs)> {
    let flows = analysis.flows.iter().filter(|flow| flow.variant == draft);
    let mut all: Vec<_> = flows.filter_map(|flow| Some((flow, flow.pairs.as_ref().ok()?))).collect();
    all.sort_by_key(|(_, pairs)| std::cmp::Reverse(changed(pairs)));
    all
}

/// How many trials end otherwise.
fn changed(pairs: &Pairs) -> u64 {
    pairs.counts.iter().filter(|((from, to), _)| from != to).map(|(_, count)| count).sum()
}

/// "of 1,000 rolls 583 end alike (...); 139 that are *Break* become *Retreat*".
fn told_of(scenario: &Scenario, pairs: &Pairs) -> String {
    let label = |key: &Option<i64>| {
        key.map_or("*no result*".to_owned(), |key| format!("*{}*", result_label(scenario.main(), key)))
    };
    let thousand = |count: u64| (count as f64 * 1000.0 / pairs.trials as f64).round() as u64;
    let alike: Vec<String> = pairs
        .counts
        .iter()
        .filter(|((from, to), count)| from == to && thousand(**count) > 0)
        .map(|((from, _), count)| format!("{} {}", label(from), thousand(*count)))
        .collect();
    let mut moves: Vec<_> = pairs.counts.iter().filter(|((from, to), _)| from != to).collect();
    moves.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    let shown: Vec<String> = moves
        .iter()
        .filter(|(_, count)| thousand(**count) > 0)
        .take(CHANGES)
        .map(|((from, to), count)| {
            format!("{} become {} where they were {}", thousand(**count), label(to), label(from))
        })
        .collect();
    let stay = thousand(pairs.trials - changed(pairs));
    let alike = if alike.is_empty() { String::new() } else { format!(" ({})", alike.join(", ")) };
    let left = moves.len() - shown.len();
    let left = if left > 0 {
        format!("; {} more", counted(left, "change is", "changes are")) + " rarer"
    } else {
        String::new()
    };
    let changes = if shown.is_empty() { String::new() } else { format!("; {}", shown.join("; ")) };
    format!("of 1,000 rolls {stay} end alike{alike}{changes}{left}.")
}

/// Where a draft does not roll like the baseline, one sentence for each way.
fn refusals(scenario: &Scenario, analysis: &Analysis, names: &[String], draft: usize) -> Vec<String> {
    let mut ways: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for flow in analysis.flows.iter().filter(|flow| flow.variant == draft) {
        if let Err(unlike) = &flow.pairs {
            ways.entry(unlike_in_words(scenario, analysis, draft, *unlike)).or_default().push(flow.situation);
        }
    }
    let left = ways.len().saturating_sub(WAYS);
    let sentence = |(how, situations): (String, Vec<usize>)| {
        let more = situations.len() - 1;
        let more = if more > 0 { format!(" and {} more", thousands(more as u64)) } else { String::new() };
        format!("No same dice for {}{more}: {how}.", lower_first(&names[situations[0]]))
    };
    let mut ways: Vec<_> = ways.into_iter().collect();
    ways.sort_by_key(|(_, situations)| std::cmp::Reverse(situations.len()));
    let mut sentences: Vec<String> = ways.into_iter().take(WAYS).map(sentence).collect();
    if left > 0 {
        let name = &scenario.variants[draft].name;
        let ways = counted(left, "other way", "other ways");
        sentences.push(format!(
            "In {ways} {name} rolls other dice in further situations, which have no row in `flow.csv`."
        ));
    }
    sentences
}

/// The first die at which two drafts part.
fn unlike_in_words(scenario: &Scenario, analysis: &Analysis, draft: usize, unlike: Unlike) -> String {
    let [draft, baseline] = [draft, analysis.baseline].map(|variant| &scenario.variants[variant].name);
    let so_many = match unlike.die {
        0 => "no die at all".to_owned(),
        1 => "only 1 die".to_owned(),
        dice => format!("only {dice} dice"),
    };
    match (unlike.first, unlike.second) {
        (Some(theirs), Some(ours)) => {
            format!("die {} of a trial is a d{ours} in {draft} and a d{theirs} in {baseline}", unlike.die + 1)
        }
        (None, Some(ours)) => {
            format!("{draft} rolls another d{ours} in a trial in which {baseline} rolls {so_many}")
        }
        (theirs, None) => {
            let faces = theirs.unwrap_or_default();
            format!("{draft} rolls {so_many} in a trial in which {baseline} rolls another d{faces}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::tests as example;
    use crate::report::words::situations;

    fn flow(situation: usize, pairs: Result<Pairs, Unlike>) -> Flow {
        Flow { variant: 1, situation, pairs, changes: Vec::new() }
    }

    #[test]
    fn what_becomes_of_a_thousand_rolls_is_told() {
        let scenario = example::scenario();
        let mut analysis = example::analysis(&scenario);
        let mut pairs = Pairs::default();
        for (from, to, times) in
            [(Some(0), Some(0), 5), (Some(4), Some(4), 1), (Some(4), Some(1), 3), (None, Some(0), 1)]
        {
            (0..times).for_each(|_| pairs.record(from, to));
        }
        analysis.set_flows(vec![flow(0, Ok(pairs))], Some(5));
        let text = flows(&scenario, &analysis, &situations(&scenario));
        let told = "- Infantry, shooting, excess casualties 0: of 1,000 rolls 600 end alike (*Hold* 500, *Break* 100); \
                    300 become *Hold, disordered* where they were *Break*; 100 become *Hold* where they were *no result*.";
        assert!(text.contains(told), "{text}");
        let line = &in_short(&scenario, &analysis, &situations(&scenario))[0];
        let told = "On the same dice modified ends otherwise than original in up to 40.0 % of trials (infantry, shooting, excess casualties 0).";
        assert_eq!(line, told);
    }

    #[test]
    fn where_dice_are_not_alike_the_die_is_told() {
        let scenario = example::scenario();
        let mut analysis = example::analysis(&scenario);
        let unlike = |die, first, second| Err(Unlike { die, first, second });
        let found = [
            flow(0, unlike(1, Some(6), Some(8))),
            flow(1, unlike(1, Some(6), Some(8))),
            flow(2, unlike(2, None, Some(6))),
            flow(3, unlike(0, Some(10), None)),
        ];
        analysis.set_flows(found.into(), Some(5));
        let lines = in_short(&scenario, &analysis, &situations(&scenario));
        assert_eq!(
            lines,
            [
                "No same dice for infantry, shooting, excess casualties 0 and 1 more: die 2 of a trial is a d8 in modified and a d6 in original.",
                "No same dice for infantry, shooting, excess casualties 1: modified rolls another d6 in a trial in which original rolls only 2 dice.",
                "No same dice for infantry, shooting, excess casualties 1, disordered: modified rolls no die at all in a trial in which original rolls another d10.",
            ]
        );
    }
}
