//! The tables of a run, with the columns that every version writes.
//!
//! `results`: one row per variant, situation, measure and value: `variant`, the grid's factors by their names, `measure`
//! (`result`, or a record's name), `outcome` (its name, or the number), `count`, `trials` (of a record: those that have
//! it), `unresolved` (of the whole sample), `probability`, `low`, `high`, `exact` (a fraction as text; a long one is a
//! decimal with 17 digits; empty where it is not known), `z` (of the count; empty where nothing is left to chance).
//!
//! `comparison`: one row per variant other than the baseline, situation, measure and value: `variant`, the grid's
//! factors, `measure`, `outcome`, `baseline` (its name), `baseline_probability`, `probability`, `difference_pp`,
//! `low_pp`, `high_pp` (percentage points, the variant less the baseline), `p_adjusted` (Fisher, Holm), `effect_size`
//! (Cohen's h), `exact` (the difference as a fraction in -1..=1; empty where it is not known).
//!
//! `measures`: one row per variant, situation and measure that is a number: `variant`, the grid's factors, `measure`,
//! `trials` (that have it), `unresolved`, `mean`, `mean_low`, `mean_high`, `standard_deviation`, `quantile_5` to
//! `quantile_95`, `exact_mean` (as text).
//!
//! `joint`: one row per variant, situation and combination of the records that the scenario names: `variant`, the grid's
//! factors, the records by their names (empty where a trial does not have one), `count`, `trials`, `unresolved`,
//! `probability`, `low`, `high`.
//!
//! Rows: variants as written, situations row by row, measures and named values as declared, numbers ascending. Factors
//! that are numbers are columns of whole numbers, all others of names, flags `yes` and `no`.
//!
//! **Never:** labels, files.

mod claims;
mod related;

pub use claims::claims;
pub use related::{flow, means, order, paired};

use super::words::result_name;
use crate::analyse::{
    Analysis, Cell, Estimate, Summary, exact_mean, exact_share, normal_quantile, share, summary, z_score,
};
use crate::plan::Probability;
use crate::results::{Cells, Table};
use crate::scenario::{Results, Scenario};

/// Variant, situation.
pub(super) type Place = (usize, usize);

/// One row of `results`: where, measure, value, its estimate, the unresolved trials of its sample, and its probability.
type Row = (Place, usize, i64, Estimate, u64, Option<Probability>);

/// The table `results`.
pub fn results(scenario: &Scenario, analysis: &Analysis) -> Table {
    let mut rows: Vec<Row> = Vec::new();
    for (place, cell) in cells(analysis) {
        for (measure, estimates) in cell.estimates.iter().enumerate() {
            if scenario.measures[measure].variants[place.0].is_some() {
                let exact = cell.answer.as_ref().ok().map(|answer| exact_share(&answer.measures[measure]));
                let row = |(key, one): &(i64, Estimate)| -> Row {
                    let exact = exact.as_ref().and_then(|share| share(*key));
                    (place, measure, *key, *one, cell.sample.unresolved, exact)
                };
                rows.extend(estimates.iter().map(row));
            }
        }
    }
    let mut table = places(scenario, &rows, |row| row.0);
    values(&mut table, scenario, &rows, |row| (row.1, row.2));
    estimates(&mut table, &rows, |row| row.3, Some(|row| row.4));
    table.text("exact", &rows, |row| row.5.as_ref().map(Probability::to_string));
    table.real("z", &rows, |row| z_score(row.3.count, row.3.trials, row.5.as_ref()?));
    table
}

/// The table `comparison`; `None` where there is nothing to compare with.
pub fn comparison(scenario: &Scenario, analysis: &Analysis) -> Option<Table> {
    if scenario.variants.len() < 2 {
        return None;
    }
    let rows = &analysis.comparisons;
    let mut table = places(scenario, rows, |row| (row.variant, row.situation));
    values(&mut table, scenario, rows, |row| (row.measure, row.key));
    table.text("baseline", rows, |_| scenario.variants[analysis.baseline].name.clone());
    table.real("baseline_probability", rows, |row| row.baseline.probability);
    table.real("probability", rows, |row| row.estimate.probability);
    table.real("difference_pp", rows, |row| row.difference * 100.0);
    table.real("low_pp", rows, |row| row.low * 100.0);
    table.real("high_pp", rows, |row| row.high * 100.0);
    table.real("p_adjusted", rows, |row| row.p_adjusted);
    table.real("effect_size", rows, |row| row.effect);
    let exact = |at: usize| analysis.differences.get(at)?.as_ref().map(Probability::to_string);
    table.push("exact", Cells::Text((0..rows.len()).map(exact).collect()));
    Some(table)
}

/// One row of `measures`: where, measure, its summary, the unresolved trials of its sample, and its exact mean.
type Numbers = (Place, usize, Option<Summary>, u64, Option<Probability>);

/// The table `measures`; `None` where nothing that is counted is a number. Where no trial has the number, as when all are
/// unresolved, its row has no figures.
pub fn measures(scenario: &Scenario, analysis: &Analysis) -> Option<Table> {
    let z = normal_quantile(analysis.level);
    let numbers: Vec<usize> = (0..scenario.measures.len())
        .filter(|measure| scenario.measures[*measure].results == Results::Numbers)
        .collect();
    let mut rows: Vec<Numbers> = Vec::new();
    for (place, cell) in cells(analysis) {
        rows.extend(numbers.iter().map(|measure| {
            let exact = cell.answer.as_ref().ok().and_then(|answer| exact_mean(&answer.measures[*measure]));
            let (counts, reach) = cell.reaching(*measure);
            (place, *measure, summary(counts, reach, z), cell.sample.unresolved, exact)
        }));
    }
    let mut table = places(scenario, &rows, |row| row.0);
    table.text("measure", &rows, |row| scenario.measures[row.1].name.clone());
    table.count("trials", &rows, |row| row.2.as_ref().map_or(0, |one| one.trials));
    table.count("unresolved", &rows, |row| row.3);
    table.real("mean", &rows, |row| Some(row.2.as_ref()?.mean));
    table.real("mean_low", &rows, |row| Some(row.2.as_ref()?.low));
    table.real("mean_high", &rows, |row| Some(row.2.as_ref()?.high));
    table.real("standard_deviation", &rows, |row| Some(row.2.as_ref()?.deviation));
    for (at, level) in ["5", "25", "50", "75", "95"].into_iter().enumerate() {
        table.real(format!("quantile_{level}"), &rows, |row| Some(row.2.as_ref()?.quantiles[at] as f64));
    }
    table.text("exact_mean", &rows, |row| row.4.as_ref().map(Probability::to_string));
    (!numbers.is_empty()).then_some(table)
}

/// One row of `joint`: where, the values, its estimate, and the unresolved trials of its sample.
type Together<'a> = (Place, &'a [Option<i64>], Estimate, u64);

/// The table `joint`; `None` where none is asked for.
pub fn joint(scenario: &Scenario, analysis: &Analysis) -> Option<Table> {
    let z = normal_quantile(analysis.level);
    let mut rows: Vec<Together> = Vec::new();
    for (place, cell) in cells(analysis) {
        let sample = &cell.sample;
        let row = |(values, count)| -> Together {
            (place, values, share(count, sample.trials, z), sample.unresolved)
        };
        rows.extend(sample.joint.iter().map(|(values, count)| row((values.as_slice(), *count))));
    }
    let mut table = places(scenario, &rows, |row| row.0);
    for (column, measure) in scenario.joint.iter().enumerate() {
        let measure = &scenario.measures[*measure];
        table.text(&measure.name, &rows, |row| row.1[column].map(|key| result_name(measure, key)));
    }
    estimates(&mut table, &rows, |row| row.2, Some(|row| row.3));
    (!scenario.joint.is_empty()).then_some(table)
}

/// Every cell with its place, variants as written, then situations.
fn cells(analysis: &Analysis) -> impl Iterator<Item = (Place, &Cell)> {
    let rows = analysis.cells.iter().enumerate();
    rows.flat_map(|(variant, row)| row.iter().enumerate().map(move |(at, cell)| ((variant, at), cell)))
}

/// The columns that say where a row belongs: `variant` and the factors.
pub(super) fn places<R>(scenario: &Scenario, rows: &[R], place: impl Fn(&R) -> Place) -> Table {
    let mut table = Table::default();
    table.text("variant", rows, |row| scenario.variants[place(row).0].name.clone());
    for (column, factor) in scenario.factors.iter().enumerate() {
        let position = |row: &R| scenario.situations[place(row).1][column];
        let numbers: Result<Vec<i64>, _> = factor.values.iter().map(|value| value.name.parse()).collect();
        match numbers {
            Ok(numbers) if factor.numeric => {
                let cells = rows.iter().map(|row| numbers[position(row)]);
                table.push(&factor.name, Cells::Integer(cells.collect()));
            }
            _ => table.text(&factor.name, rows, |row| factor.values[position(row)].name.clone()),
        }
    }
    table
}

/// The columns `measure` and `outcome`.
fn values<R>(table: &mut Table, scenario: &Scenario, rows: &[R], value: impl Fn(&R) -> (usize, i64)) {
    table.text("measure", rows, |row| scenario.measures[value(row).0].name.clone());
    table.text("outcome", rows, |row| {
        let (measure, key) = value(row);
        result_name(&scenario.measures[measure], key)
    });
}

/// The columns of an estimate; behind its trials how many of the whole sample are `unresolved`, where that is told.
fn estimates<R>(
    table: &mut Table,
    rows: &[R],
    estimate: impl Fn(&R) -> Estimate,
    unresolved: Option<fn(&R) -> u64>,
) {
    table.count("count", rows, |row| estimate(row).count);
    table.count("trials", rows, |row| estimate(row).trials);
    if let Some(unresolved) = unresolved {
        table.count("unresolved", rows, unresolved);
    }
    table.real("probability", rows, |row| estimate(row).probability);
    table.real("low", rows, |row| estimate(row).low);
    table.real("high", rows, |row| estimate(row).high);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::{Answer, Weights};
    use crate::report::tests as example;
    use std::collections::BTreeMap;

    fn lines(table: &Table) -> Vec<String> {
        let text = String::from_utf8(table.to_csv().unwrap()).unwrap();
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn results_have_a_row_for_each_variant_situation_and_outcome() {
        let scenario = example::scenario();
        let lines = lines(&results(&scenario, &example::analysis(&scenario)));
        assert_eq!(
            lines[0],
            "variant,troop,attack,excess,weather,disordered,measure,outcome,count,trials,unresolved,probability,low,high,exact,z"
        );
        assert_eq!(lines.len(), 1 + 2 * 40 * 5);
        // 2d6: six of 36 are 4 or less; the interval by a calculator: 0.166667 -+ 1.96 sqrt(0.138889 / 900000)
        assert!(
            lines[5].starts_with(
                "original,infantry,shooting,0,dry,no,result,break,150000,900000,0,0.166666667,0.1658"
            ),
            "{}",
            lines[5]
        );
        assert!(lines[5].ends_with(",,"));
        assert!(
            lines[400].starts_with("modified,cavalry,hand_to_hand,4,dry,yes,result,break,"),
            "{}",
            lines[400]
        );
    }

    #[test]
    fn outcomes_that_never_came_up_keep_their_row() {
        let scenario = example::scenario();
        let lines = lines(&results(&scenario, &example::analysis(&scenario)));
        assert!(lines[2].contains(",hold_disordered,0,900000,0,0,0,"), "{}", lines[2]);
    }

    #[test]
    fn comparisons_are_in_percentage_points_against_the_baseline() {
        let scenario = example::scenario();
        let lines = lines(&comparison(&scenario, &example::analysis(&scenario)).unwrap());
        assert_eq!(
            lines[0],
            "variant,troop,attack,excess,weather,disordered,measure,outcome,baseline,baseline_probability,probability,difference_pp,low_pp,high_pp,p_adjusted,effect_size,exact"
        );
        assert_eq!(lines.len(), 1 + 40 * 5);
        // 3/36 against 6/36
        assert!(
            lines[5].starts_with(
                "modified,infantry,shooting,0,dry,no,result,break,original,0.166666667,0.0833333333,-8.33333333,-8.4"
            ),
            "{}",
            lines[5]
        );
        assert!(lines[200].ends_with(",0,0,0,1,0,"), "the same rules: {}", lines[200]);
    }

    #[test]
    fn where_both_sides_are_solved_the_difference_is_exact() {
        let (scenario, mut analysis) = example::recorded();
        let answer = |weight: i64| {
            let measures = vec![
                Weights::default(),
                Weights::default(),
                Weights {
                    partial: true,
                    weights: [(0, Probability::fraction(weight, 20)), (1, Probability::fraction(2, 20))]
                        .into(),
                },
            ];
            Ok(Answer { measures, joint: BTreeMap::new(), unresolved: Probability::ZERO, limit: None })
        };
        (analysis.cells[0][0].answer, analysis.cells[1][0].answer) = (answer(2), answer(6));
        analysis.relate(&[None, None, None]);
        let lines = lines(&comparison(&scenario, &analysis).unwrap());
        // of those that record it: 2 of 8 against 2 of 4
        assert!(lines[9].contains(",routed,yes,") && lines[9].ends_with(",-1/4"), "{}", lines[9]);
        assert!(lines[18].ends_with(','), "not solved: {}", lines[18]);
    }

    #[test]
    fn one_variant_has_nothing_to_be_compared_with() {
        let mut scenario = example::scenario();
        scenario.variants.truncate(1);
        assert_eq!(comparison(&scenario, &example::analysis(&scenario)), None);
    }

    #[test]
    fn what_is_recorded_has_rows_of_its_own() {
        let (scenario, analysis) = example::recorded();
        let lines = lines(&results(&scenario, &analysis));
        // five results, two numbers that came up, yes and no
        assert_eq!(lines.len(), 1 + 2 * 2 * (5 + 2 + 2));
        let place = "original,infantry,shooting,0,dry,no";
        assert!(lines[6].starts_with(&format!("{place},men_lost,0,30,40,0,0.75,")), "{}", lines[6]);
        assert!(lines[7].starts_with(&format!("{place},men_lost,2,10,40,0,0.25,")), "{}", lines[7]);
        assert!(lines[9].starts_with(&format!("{place},routed,yes,3,12,0,0.25,")), "{}", lines[9]);
        let lines = self::lines(&comparison(&scenario, &analysis).unwrap());
        assert!(lines[9].contains(",dry,no,routed,yes,original,0.25,0.25,0,"), "{}", lines[9]);
    }

    #[test]
    fn what_is_solved_has_its_fraction_and_the_distance_of_the_count() {
        let (scenario, mut analysis) = example::recorded();
        let one = |weight: i64| Probability::fraction(weight, 20);
        let weights = |partial, weights: &[(i64, i64)]| Weights {
            partial,
            weights: weights.iter().map(|(value, weight)| (*value, one(*weight))).collect(),
        };
        let of = vec![
            weights(false, &[(0, 16), (4, 4)]),
            weights(true, &[(0, 20)]),
            weights(true, &[(0, 3), (1, 2)]),
        ];
        analysis.cells[0][0].answer =
            Ok(Answer { measures: of, joint: BTreeMap::new(), unresolved: Probability::ZERO, limit: None });
        let lines = lines(&results(&scenario, &analysis));
        let ends = |line: usize| lines[line].rsplit(',').take(2).collect::<Vec<_>>();
        // 30 of 40 where 32 are expected, give or take the root of 6.4; what cannot be has no z
        assert_eq!(ends(1), ["-0.790569415", "4/5"]);
        assert_eq!((ends(2), ends(6), ends(7)), (vec!["", "0"], vec!["", "1"], vec!["", "0"]));
        // 3 of 12 say yes, of which two fifths are expected: 4.8, give or take the root of 2.88
        assert_eq!(ends(9), ["-1.06066017", "2/5"]);
        assert_eq!(ends(10), ["", ""], "not solved");
        let lines = self::lines(&measures(&scenario, &analysis).unwrap());
        assert!(lines[1].ends_with(",2,0") && lines[2].ends_with(",2,"), "{lines:?}");
    }

    #[test]
    fn numbers_are_summarised() {
        let (scenario, analysis) = example::recorded();
        let lines = lines(&measures(&scenario, &analysis).unwrap());
        assert_eq!(
            lines[0],
            "variant,troop,attack,excess,weather,disordered,measure,trials,unresolved,mean,mean_low,mean_high,standard_deviation,quantile_5,quantile_25,quantile_50,quantile_75,quantile_95,exact_mean"
        );
        // mean 20 / 40; squares 30 x 0.25 + 10 x 2.25 = 30, so the deviation is sqrt(30 / 39) = 0.877058; cubes
        // 10 x 3.375 - 30 x 0.125 = 30, as many; 3.841459 / 43.841459 = 0.0876216, half of that is 0.0438108, and with the
        // root of its square and 0.0876216 x 30 / 39 the mean is known to 0.0438108 - 0.2632881; 38 of 40 trials are 95 %
        let line = "original,infantry,shooting,0,dry,no,men_lost,40,0,0.5,0.28052";
        assert!(lines[1].starts_with(line), "{}", lines[1]);
        assert!(lines[1].ends_with(",0.877058019,0,0,0,0,2,"), "{}", lines[1]);
        assert_eq!(lines.len(), 1 + 2 * 2);
        assert_eq!(measures(&example::scenario(), &example::analysis(&example::scenario())), None);
    }

    #[test]
    fn a_number_that_no_trial_has_keeps_its_row() {
        let (scenario, mut analysis) = example::recorded();
        let sample = &mut analysis.cells[0][0].sample;
        let lost = scenario.measures.iter().position(|measure| measure.name == "men_lost").unwrap();
        (sample.measures[lost].trials, sample.unresolved) = (0, 40);
        sample.measures[lost].counts.clear();
        let lines = lines(&measures(&scenario, &analysis).unwrap());
        assert_eq!(lines[1], "original,infantry,shooting,0,dry,no,men_lost,0,40,,,,,,,,,,");
        assert_eq!(lines.len(), 1 + 2 * 2);
    }

    #[test]
    fn records_that_belong_together_are_counted_together() {
        let (scenario, analysis) = example::recorded();
        let lines = lines(&joint(&scenario, &analysis).unwrap());
        assert!(
            lines[0].ends_with(",disordered,routed,men_lost,count,trials,unresolved,probability,low,high")
        );
        let place = "original,infantry,shooting,0,dry,no";
        let rows = [",,0,28,40,0,0.7,", ",no,0,2,40,0,0.05,", ",no,2,7,40,0,0.175,", ",yes,2,3,40,0,0.075,"];
        for (line, row) in lines[1..].iter().zip(rows) {
            assert!(line.starts_with(&format!("{place}{row}")), "{line}");
        }
        assert_eq!(joint(&example::scenario(), &analysis), None);
    }

    #[test]
    fn both_formats_have_the_same_columns() {
        let scenario = example::scenario();
        let table = results(&scenario, &example::analysis(&scenario));
        let bytes = table.to_parquet().unwrap();
        for (name, _) in &table.columns {
            assert!(bytes.windows(name.len()).any(|part| part == name.as_bytes()), "{name}");
        }
    }
}
