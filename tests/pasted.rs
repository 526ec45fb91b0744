//! `--format`: what is printed can be pasted, and nothing else is printed with it.
#![expect(clippy::unwrap_used, reason = "a test may fall")]

#[path = "support/program.rs"]
mod program;

use program::{fresh, run};
use serde_json::Value;
use std::fs;

const FEW: [&str; 4] = ["run", "mine/scenario.toml", "--trials", "100"];

#[test]
fn a_post_stands_alone_on_standard_output_and_its_columns_stand_below_one_another() {
    let folder = fresh();
    let ended = run(folder.path(), &[&FEW[..], &["--format", "markdown"]].concat());
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    assert!(ended.out.starts_with("## What my draft does to the morale test\n\n**draft** and **bolder** were compared with **book** in 30 situations, with 100 trials of `morale_test` for each variant and situation (seed 1)."), "{}", ended.out);
    let table: Vec<&str> = ended.out.lines().filter(|line| line.starts_with('|')).collect();
    assert!(table.len() > 30, "{}", ended.out);
    let bars = |line: &str| {
        line.char_indices()
            .filter(|(_, letter)| *letter == '|')
            .map(|(at, _)| line[..at].chars().count())
            .collect::<Vec<_>>()
    };
    assert!(table.iter().all(|line| bars(line) == bars(table[0])), "{}", ended.out);
    // raw troops in cover that have lost three figures: 2d6 - 3 + 1 is 6 or less in 26 of 36, 2d6 - 2 + 2 in 15, + 3 in 10
    let at = table.iter().position(|line| line.starts_with("| Raw, figures lost 3, in cover ")).unwrap();
    let cells = |line: &str| line.split('|').map(str::trim).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(cells(table[at])[2..][..4], ["book", "8.3", "19.4", "72.2"]);
    assert_eq!(cells(table[at + 1])[1..][..6], ["", "draft", "27.8", "30.6", "41.7", "-30.6 points"]);
    assert_eq!(cells(table[at + 2])[5], "27.8");
    assert!(ended.out.contains("\n- Claim holds: Trained troops in the open"), "{}", ended.out);
    assert!(ended.err.ends_with("reports/mine/scenario/report.html\n"), "{}", ended.err);
}

#[test]
fn csv_is_the_table_that_the_run_writes() {
    let folder = fresh();
    let ended = run(folder.path(), &[&FEW[..], &["--format", "csv", "--quiet"]].concat());
    assert_eq!((ended.code, ended.err.as_str()), (Some(0), ""));
    assert_eq!(
        ended.out,
        fs::read_to_string(folder.path().join("reports/mine/scenario/results.csv")).unwrap()
    );
}

#[test]
fn json_has_the_same_rows_as_the_tables() {
    let folder = fresh();
    let ended = run(folder.path(), &[&FEW[..], &["--format", "json"]].concat());
    let page: Value = serde_json::from_str(&ended.out).unwrap();
    assert_eq!((page["trials"].as_u64(), page["seed"].as_u64()), (Some(100), Some(1)));
    assert_eq!(page["baseline"], "book");
    for (list, file) in
        [("results", "results.csv"), ("comparison", "comparison.csv"), ("claims", "claims.csv")]
    {
        let table = fs::read_to_string(folder.path().join("reports/mine/scenario").join(file)).unwrap();
        let mut lines = table.lines();
        let names: Vec<&str> = lines.next().unwrap().split(',').collect();
        let rows = page[list].as_array().unwrap();
        assert_eq!(rows.len(), lines.clone().count(), "{file}");
        for (row, line) in rows.iter().zip(lines).filter(|(_, line)| !line.contains('"')) {
            for (name, cell) in names.iter().zip(line.split(',')) {
                let same = match &row[*name] {
                    Value::Null => cell.is_empty(),
                    Value::String(text) => text == cell,
                    Value::Number(number) => number.as_f64() == cell.parse().ok(),
                    _ => false,
                };
                assert!(same, "{file}, {name}: {} is not {cell}", row[*name]);
            }
        }
    }
}

#[test]
fn a_comparison_can_be_pasted_too() {
    let folder = fresh();
    let words = ["compare", "mine/base.rules", "mine/draft.rules", "--trials", "100", "--format"];
    let csv = run(folder.path(), &[&words[..], &["csv"]].concat());
    assert_eq!(csv.code, Some(0), "{}", csv.err);
    assert!(csv.out.starts_with("variant,training,cover,losses,measure,outcome,baseline,"), "{}", csv.out);
    let post = run(folder.path(), &[&words[..], &["markdown"]].concat());
    assert!(post.out.starts_with("## ") && post.out.contains("\n| Situation "), "{}", post.out);
}

#[test]
fn a_format_is_for_one_scenario_and_for_a_whole_run() {
    let folder = fresh();
    let several = ["run", "mine/scenario.toml", "mine/scenario.toml", "--format", "csv"];
    let ended = run(folder.path(), &several);
    assert_eq!((ended.code, ended.out.as_str()), (Some(2), ""));
    assert!(ended.err.contains("--format is for one scenario, and there are 2"), "{}", ended.err);
    let part = run(folder.path(), &["run", "mine/scenario.toml", "--shard", "1/2", "--format", "csv"]);
    assert_eq!((part.code, part.out.as_str()), (Some(2), ""));
}
