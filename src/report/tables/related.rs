//! The tables that set drafts against the baseline beyond single probabilities.
//!
//! `means`: one row per variant other than the baseline, situation and measure that is a number: `variant`, the grid's
//! factors, `measure`, `baseline` (its name), `baseline_mean`, `mean`, `mean_difference` (the variant's less the
//! baseline's), `low`, `high`, `effect_size` (Cohen's d), `exact` (of the difference, as text).
//!
//! `order`: one row per variant other than the baseline, situation and measure that is an outcome or a number: `variant`,
//! the factors, `measure`, `baseline`, `verdict` (`same`, `never_worse`, `never_better`, of numbers `never_less`,
//! `never_more`, else `mixed`, or `open`), `known_by` (`exact` or `sampled`), `ahead_pp` and `ahead_at` (by how many points
//! that value or better, of numbers that or more, comes up more often where that is most), `behind_pp` and `behind_at`,
//! `room_pp` (how far these can be off, all of them together).
//!
//! `flow`: one row per variant, situation that was played in step and pair of values of the first measure that came up on
//! the same dice: `variant`, the factors, `baseline`, `from` (the baseline's), `to` (the variant's; empty where a trial has
//! none), `count`, `trials`, `probability`, `low`, `high`.
//!
//! `paired`: one row per variant, situation that was played in step and value: `variant`, the factors, `measure`,
//! `outcome`, `baseline`, `trials`, `in_both`, `gained_count`, `lost_count` (trials that have it under the variant, or the
//! baseline, alone), `difference_pp`, `low_pp`, `high_pp`, `p_adjusted` (McNemar, Holm).
//!
//! **Never:** labels, files.

use super::{Place, estimates, places, values};
use crate::analyse::{Analysis, Estimate, Flow, Order, Shift, Standing, normal_quantile, share};
use crate::plan::Probability;
use crate::report::words::result_name;
use crate::results::Table;
use crate::scenario::{Results, Scenario};

/// The table `means`; `None` where there are none to compare.
pub fn means(scenario: &Scenario, analysis: &Analysis) -> Option<Table> {
    let rows = &analysis.means;
    let mut table = places(scenario, rows, |row| (row.variant, row.situation));
    table.text("measure", rows, |row| scenario.measures[row.measure].name.clone());
    table.text("baseline", rows, |_| baseline(scenario, analysis));
    table.real("baseline_mean", rows, |row| row.apart.means[1]);
    table.real("mean", rows, |row| row.apart.means[0]);
    table.real("mean_difference", rows, |row| row.apart.means[2]);
    table.real("low", rows, |row| row.apart.low);
    table.real("high", rows, |row| row.apart.high);
    table.real("effect_size", rows, |row| row.apart.effect);
    table.text("exact", rows, |row| row.exact.as_ref().map(Probability::to_string));
    (!rows.is_empty()).then_some(table)
}

/// The table `order`; `None` where nothing has an order, or there is nothing to compare with.
pub fn order(scenario: &Scenario, analysis: &Analysis) -> Option<Table> {
    let rows = &analysis.orders;
    let mut table = places(scenario, rows, |row| (row.variant, row.situation));
    table.text("measure", rows, |row| scenario.measures[row.measure].name.clone());
    table.text("baseline", rows, |_| baseline(scenario, analysis));
    table.text("verdict", rows, |row| verdict(scenario, row).to_owned());
    table.text("known_by", rows, |row| if row.exact { "exact" } else { "sampled" }.to_owned());
    let name = |row: &Order, key: i64| result_name(&scenario.measures[row.measure], key);
    for (side, most) in [("ahead", (|row| row.ahead) as fn(&Order) -> _), ("behind", |row| row.behind)] {
        table.real(format!("{side}_pp"), rows, |row| most(row).map_or(0.0, |(_, by): (i64, f64)| by * 100.0));
        table.text(format!("{side}_at"), rows, |row| most(row).map(|(key, _)| name(row, key)));
    }
    table.real("room_pp", rows, |row| row.room * 100.0);
    (!rows.is_empty()).then_some(table)
}

/// A verdict's name.
fn verdict(scenario: &Scenario, row: &Order) -> &'static str {
    let numbers = scenario.measures[row.measure].results == Results::Numbers;
    match row.verdict {
        Standing::Same => "same",
        Standing::NeverWorse if numbers => "never_less",
        Standing::NeverBetter if numbers => "never_more",
        Standing::NeverWorse => "never_worse",
        Standing::NeverBetter => "never_better",
        Standing::Mixed => "mixed",
        Standing::Open => "open",
    }
}

/// One row of `flow`: where, what the baseline and the variant have, and how often.
type Moved = (Place, [Option<i64>; 2], Estimate);

/// The table `flow`; `None` where nothing was played in step.
pub fn flow(scenario: &Scenario, analysis: &Analysis) -> Option<Table> {
    let z = normal_quantile(analysis.level);
    let moved = |flow: &Flow| -> Vec<Moved> {
        let place = (flow.variant, flow.situation);
        let pairs = flow.pairs.iter().flat_map(|pairs| pairs.counts.iter().map(|one| (one, pairs.trials)));
        pairs.map(|(((from, to), count), trials)| (place, [*from, *to], share(*count, trials, z))).collect()
    };
    let rows: Vec<Moved> = analysis.flows.iter().flat_map(moved).collect();
    let mut table = places(scenario, &rows, |row| row.0);
    table.text("baseline", &rows, |_| baseline(scenario, analysis));
    for (side, name) in ["from", "to"].into_iter().enumerate() {
        table.text(name, &rows, |row| row.1[side].map(|key| result_name(scenario.main(), key)));
    }
    estimates(&mut table, &rows, |row| row.2, None);
    (!rows.is_empty()).then_some(table)
}

/// The table `paired`; `None` where nothing was played in step.
pub fn paired(scenario: &Scenario, analysis: &Analysis) -> Option<Table> {
    let rows: Vec<(&Flow, &Shift)> = analysis
        .flows
        .iter()
        .flat_map(|flow| flow.changes.iter().map(move |change| (flow, change)))
        .collect();
    let mut table = places(scenario, &rows, |(flow, _)| (flow.variant, flow.situation));
    values(&mut table, scenario, &rows, |(_, change)| (0, change.key));
    table.text("baseline", &rows, |_| baseline(scenario, analysis));
    table.count("trials", &rows, |(flow, _)| flow.pairs.as_ref().map_or(0, |pairs| pairs.trials));
    table.count("in_both", &rows, |(_, change)| change.both);
    table.count("gained_count", &rows, |(_, change)| change.gained);
    table.count("lost_count", &rows, |(_, change)| change.lost);
    table.real("difference_pp", &rows, |(_, change)| change.difference * 100.0);
    table.real("low_pp", &rows, |(_, change)| change.low * 100.0);
    table.real("high_pp", &rows, |(_, change)| change.high * 100.0);
    table.real("p_adjusted", &rows, |(_, change)| change.p_adjusted);
    (!rows.is_empty()).then_some(table)
}

/// The baseline's name.
fn baseline(scenario: &Scenario, analysis: &Analysis) -> String {
    scenario.variants[analysis.baseline].name.clone()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyse::Sense;
    use crate::plan::{Pairs, Unlike};
    use crate::report::tests as example;

    fn lines(table: Option<Table>) -> Vec<String> {
        let text = String::from_utf8(table.unwrap().to_csv().unwrap()).unwrap();
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn means_are_set_against_the_baseline() {
        let scenario = example::numbers();
        let mut analysis = example::analysis(&scenario);
        analysis.relate(&[Some(Sense::HighestFirst)]);
        let lines = lines(means(&scenario, &analysis));
        assert_eq!(
            lines[0],
            "variant,troop,attack,excess,weather,disordered,measure,baseline,baseline_mean,mean,mean_difference,low,high,effect_size,exact"
        );
        assert_eq!(lines.len(), 1 + 40);
        // two dice against two dice and one; their standard deviation is 2.415229, so d is 0.414039
        assert!(
            lines[1].starts_with("modified,infantry,shooting,0,dry,no,result,original,7,8,1,0.99"),
            "{}",
            lines[1]
        );
        assert!(lines[1].contains(",0.4140"), "{}", lines[1]);
        assert!(
            lines[40].ends_with(",7,7,0,0,0,0,0") || lines[40].ends_with(",0,0,0,0,0"),
            "the same rules: {}",
            lines[40]
        );
    }

    #[test]
    fn drafts_are_ordered_with_the_places_where_they_differ_most() {
        let scenario = example::scenario();
        let mut analysis = example::analysis(&scenario);
        analysis.relate(&[Some(Sense::BestFirst(vec![0, 1, 2, 3, 4]))]);
        let lines = lines(order(&scenario, &analysis));
        assert_eq!(
            lines[0],
            "variant,troop,attack,excess,weather,disordered,measure,baseline,verdict,known_by,ahead_pp,ahead_at,behind_pp,behind_at,room_pp"
        );
        // 26, 0, 0, 4, 6 against 21, 9, 0, 3, 3 of 36: 30 against 26 have one of the first two, 26 against 21 the first
        let mixed = "modified,infantry,shooting,0,dry,no,result,original,mixed,sampled,11.1111111,hold_disordered,13.8888889,hold,";
        assert!(lines[1].starts_with(mixed), "{}", lines[1]);
        assert!(lines[40].ends_with(",same,exact,0,,0,,0"), "{}", lines[40]);
    }

    #[test]
    fn what_the_same_dice_give_has_a_row_for_each_pair() {
        let scenario = example::scenario();
        let mut analysis = example::analysis(&scenario);
        let mut pairs = Pairs::default();
        for (from, to, times) in [(Some(0), Some(0), 2), (Some(4), Some(1), 1), (None, Some(1), 1)] {
            (0..times).for_each(|_| pairs.record(from, to));
        }
        let unlike = Unlike { die: 1, first: Some(6), second: Some(8) };
        let flow_of = |situation, pairs| Flow { variant: 1, situation, pairs, changes: Vec::new() };
        analysis.set_flows(vec![flow_of(0, Ok(pairs)), flow_of(1, Err(unlike))], Some(5));
        let place = "modified,infantry,shooting,0,dry,no";
        let moved = lines(flow(&scenario, &analysis));
        assert_eq!(moved.len(), 1 + 3);
        assert!(
            moved[1].starts_with(&format!("{place},original,,hold_disordered,1,4,0.25,")),
            "{}",
            moved[1]
        );
        assert!(
            moved[3].starts_with(&format!("{place},original,break,hold_disordered,1,4,0.25,")),
            "{}",
            moved[3]
        );
        let changed = lines(paired(&scenario, &analysis));
        assert_eq!(changed.len(), 1 + 5);
        assert!(
            changed[2].starts_with(&format!("{place},result,hold_disordered,original,4,0,2,0,50,")),
            "{}",
            changed[2]
        );
    }
}
