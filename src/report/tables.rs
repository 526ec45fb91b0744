//! The tables of a run, with the columns that every version writes.
//!
//! `results`: one row per variant, situation and result: `variant`, the grid's factors by their names, `measure`
//! (`result`), `outcome` (its name, or the number), `count`, `trials`, `unresolved`, `probability`, `low`, `high`, `exact`
//! (a fraction as text), `z`; the last two are empty until there is an exact answer.
//!
//! `comparison`: one row per variant other than the baseline, situation and result: `variant`, the grid's factors,
//! `measure`, `outcome`, `baseline` (its name), `baseline_probability`, `probability`, `difference_pp`, `low_pp`,
//! `high_pp` (percentage points, the variant less the baseline), `p_adjusted` (Holm), `effect_size` (Cohen's h).
//!
//! Rows: variants as written, situations row by row, results as declared, numbers ascending. Factors that are numbers
//! are columns of whole numbers, all others of names, flags `yes` and `no`.
//!
//! **Never:** labels, files.

use super::words::result_name;
use crate::analyse::{Analysis, Comparison, Estimate};
use crate::results::{Cells, Table};
use crate::scenario::{GridFactor, Scenario};

/// One row of `results`: variant, situation, result, its estimate, and the unresolved trials of its sample.
type Row = (usize, usize, i32, Estimate, u64);

/// The table `results`.
pub fn results(scenario: &Scenario, analysis: &Analysis) -> Table {
    let mut rows: Vec<Row> = Vec::new();
    for (variant, cells) in analysis.cells.iter().enumerate() {
        for (situation, cell) in cells.iter().enumerate() {
            let row =
                |(key, one): &(i32, Estimate)| (variant, situation, *key, *one, cell.sample.tally.unresolved);
            rows.extend(cell.estimates.iter().map(row));
        }
    }
    let places: Vec<_> = rows.iter().map(|row| (row.0, row.1, row.2)).collect();
    let count = |value: fn(&Row) -> u64| Cells::Count(rows.iter().map(value).collect());
    let real = |value: fn(&Row) -> f64| Cells::Real(rows.iter().map(|row| Some(value(row))).collect());
    let mut table = keys(scenario, &places);
    table.push("count", count(|row| row.3.count));
    table.push("trials", count(|row| row.3.trials));
    table.push("unresolved", count(|row| row.4));
    table.push("probability", real(|row| row.3.probability));
    table.push("low", real(|row| row.3.low));
    table.push("high", real(|row| row.3.high));
    table.push("exact", Cells::Text(vec![None; rows.len()]));
    table.push("z", Cells::Real(vec![None; rows.len()]));
    table
}

/// The table `comparison`; `None` where there is nothing to compare with.
pub fn comparison(scenario: &Scenario, analysis: &Analysis) -> Option<Table> {
    if scenario.variants.len() < 2 {
        return None;
    }
    let rows = &analysis.comparisons;
    let places: Vec<_> = rows.iter().map(|row| (row.variant, row.situation, row.key)).collect();
    let real = |value: fn(&Comparison) -> f64| Cells::Real(rows.iter().map(|row| Some(value(row))).collect());
    let mut table = keys(scenario, &places);
    table.push("baseline", words(rows.iter().map(|_| scenario.variants[analysis.baseline].name.clone())));
    table.push("baseline_probability", real(|row| row.baseline.probability));
    table.push("probability", real(|row| row.estimate.probability));
    table.push("difference_pp", real(|row| row.difference * 100.0));
    table.push("low_pp", real(|row| row.low * 100.0));
    table.push("high_pp", real(|row| row.high * 100.0));
    table.push("p_adjusted", real(|row| row.p_adjusted));
    table.push("effect_size", real(|row| row.effect));
    Some(table)
}

/// The columns that say what a row is about: from `variant` to `outcome`.
fn keys(scenario: &Scenario, places: &[(usize, usize, i32)]) -> Table {
    let mut table = Table::default();
    table.push("variant", words(places.iter().map(|place| scenario.variants[place.0].name.clone())));
    for (column, factor) in scenario.factors.iter().enumerate() {
        let positions = places.iter().map(|place| scenario.situations[place.1][column]);
        table.push(&factor.name, factor_cells(factor, positions));
    }
    table.push("measure", words(places.iter().map(|_| "result".to_owned())));
    table.push("outcome", words(places.iter().map(|place| result_name(scenario, place.2))));
    table
}

fn words(texts: impl Iterator<Item = String>) -> Cells {
    Cells::Text(texts.map(Some).collect())
}

fn factor_cells(factor: &GridFactor, positions: impl Iterator<Item = usize>) -> Cells {
    let numbers: Result<Vec<i64>, _> = factor.values.iter().map(|value| value.name.parse()).collect();
    match numbers {
        Ok(numbers) if factor.numeric => {
            Cells::Integer(positions.map(|position| numbers[position]).collect())
        }
        _ => words(positions.map(|position| factor.values[position].name.clone())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::tests as example;

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
            "variant,troop,attack,excess,weather,disordered,measure,outcome,baseline,baseline_probability,probability,difference_pp,low_pp,high_pp,p_adjusted,effect_size"
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
        assert!(lines[200].ends_with(",0,0,0,1,0"), "the same rules: {}", lines[200]);
    }

    #[test]
    fn one_variant_has_nothing_to_be_compared_with() {
        let mut scenario = example::scenario();
        scenario.variants.truncate(1);
        assert_eq!(comparison(&scenario, &example::analysis(&scenario)), None);
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
