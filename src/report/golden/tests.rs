use super::*;
use crate::analyse::{LEVEL, analyse};
use crate::plan::{Answer, Counts, Probability, Sample, Weights};
use crate::report::tests as example;
use crate::results::write_file;
use std::collections::BTreeMap;

/// The folder of a run of the example.
fn stored(scenario: &Scenario, analysis: &Analysis) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let table = tables::results(scenario, analysis).to_csv().unwrap();
    write_file(&folder.path().join("results.csv"), &table).unwrap();
    folder
}

/// What becomes of the run of one scenario beside that of another.
fn drift(old: (&Scenario, &Analysis), new: (&Scenario, &Analysis)) -> Drift {
    compare(&load(stored(old.0, old.1).path()).unwrap(), new.0, new.1).unwrap()
}

/// The example, with the counts of some samples changed.
fn changed(scenario: &Scenario, change: impl Fn((usize, usize), &mut Sample)) -> Analysis {
    let mut samples: Vec<Vec<Sample>> = example::analysis(scenario)
        .cells
        .into_iter()
        .map(|row| row.into_iter().map(|cell| cell.sample).collect())
        .collect();
    for (variant, row) in samples.iter_mut().enumerate() {
        row.iter_mut().enumerate().for_each(|(at, sample)| change((variant, at), sample));
    }
    analyse(&samples, 0, &[Some(5)], LEVEL)
}

/// Turns so many trials that break into ones that hold.
fn holds(sample: &mut Sample, trials: u64) {
    let counts = &mut sample.measures[0].counts;
    *counts.entry(4).or_default() -= trials;
    *counts.entry(0).or_default() += trials;
}

#[test]
fn the_same_run_is_equal_throughout() {
    let scenario = example::scenario();
    let analysis = example::analysis(&scenario);
    let drift = drift((&scenario, &analysis), (&scenario, &analysis));
    assert_eq!((drift.equal, drift.chance, drift.is_drift()), (400, 0, false));
    assert!(drift.new.is_empty() && drift.gone.is_empty());
    let says = in_short(&drift);
    assert!(
        says.contains("400 figures compared: 400 equal exactly, 0 equal within chance, 0 drifted."),
        "{says}"
    );
}

#[test]
fn other_dice_are_noise_and_another_chart_is_drift() {
    let scenario = example::scenario();
    let analysis = example::analysis(&scenario);
    // of 900,000 trials under fire, 100 are less than half a standard error, wherever any hold; 9,000 are a point
    let fire = |at: usize| u64::from((at / 10).is_multiple_of(2));
    let noise = changed(&scenario, |place, sample| holds(sample, 100 * fire(place.1)));
    let found = drift((&scenario, &analysis), (&scenario, &noise));
    assert_eq!((found.equal, found.chance, found.drifted.len()), (320, 80, 0));
    assert!(in_short(&found).contains("by chance less than 1 in 1,000 times"), "{}", in_short(&found));
    let rules = changed(&scenario, |place, sample| {
        holds(sample, if place == (1, 3) { 9_000 } else { 100 * fire(place.1) });
    });
    let found = drift((&scenario, &analysis), (&scenario, &rules));
    let named: Vec<_> = found.drifted.iter().map(|one| words::name(&found, &one.key)).collect();
    let place = "modified, troop infantry, attack shooting, excess 1, weather dry, disordered";
    assert_eq!(named, [format!("{place}: hold"), format!("{place}: break")]);
    assert!(found.is_drift());
    // infantry under fire with 1 excess, disordered: two dice less 2 are 3 or less in 10 of 36 rolls
    let says = moved(&found.drifted[1]);
    assert!(says.starts_with("27.8 % -> 26.8 % (-1.00 points; adjusted p-value"), "{says}");
}

#[test]
fn what_is_known_exactly_is_told_apart_by_the_last_digit() {
    let scenario = example::scenario();
    // by the chart 26, 4 and 6 of 36 rolls; `more` break, of 3,600,000
    let known = |more: i64| {
        let mut analysis = example::analysis(&scenario);
        let weights = [(0, 2_600_000 - more), (3, 400_000), (4, 600_000 + more)]
            .map(|(key, n)| (key, Probability::fraction(n, 3_600_000)));
        analysis.cells[0][0].answer = Ok(Answer {
            measures: vec![Weights { partial: false, weights: weights.into_iter().collect() }],
            joint: BTreeMap::new(),
            unresolved: Probability::ZERO,
            limit: None,
        });
        analysis
    };
    let found = drift((&scenario, &known(0)), (&scenario, &known(1)));
    assert_eq!((found.equal, found.drifted.len()), (398, 2));
    assert!(found.drifted.iter().all(|one| one.change == Change::Exact));
    let says = moved(&found.drifted[1]);
    assert_eq!(says, "16.7 % -> 16.7 % (0.00 points; exactly 1/6 -> 600001/3600000)");
    // what is known on one side is held against the counts of the other: 150,000 of 900,000 are a sixth
    let found = drift((&scenario, &known(0)), (&scenario, &example::analysis(&scenario)));
    assert!(!found.is_drift(), "{:?}", found.drifted);
    let found = drift((&scenario, &example::analysis(&scenario)), (&scenario, &known(-10_000)));
    assert!(found.is_drift());
}

#[test]
fn a_renamed_outcome_is_gone_and_new() {
    let scenario = example::scenario();
    let analysis = example::analysis(&scenario);
    let mut renamed = scenario.clone();
    let crate::scenario::Results::Named(named) = &mut renamed.measures[0].results else { panic!("named") };
    named[4].name = "rout".to_owned();
    let found = drift((&scenario, &analysis), (&renamed, &analysis));
    assert!(found.is_drift());
    assert_eq!((found.equal, found.gone.len(), found.new.len()), (320, 80, 80));
    let says = |rows: &[Lone]| parts(&found, rows);
    assert_eq!(
        says(&found.gone),
        ["outcome `break` in original (40 figures)", "outcome `break` in modified (40 figures)"]
    );
    assert_eq!(says(&found.new)[0], "outcome `rout` in original (40 figures)");
}

#[test]
fn a_grid_that_grows_is_new_and_one_that_shrinks_is_gone() {
    let scenario = example::scenario();
    let all = example::analysis(&scenario);
    let mut less = scenario.clone();
    less.situations.truncate(38);
    let fewer = example::analysis(&less);
    let grown = drift((&less, &fewer), (&scenario, &all));
    assert!(!grown.is_drift());
    assert_eq!((grown.equal, grown.new.len()), (380, 20));
    let place = "troop cavalry, attack hand_to_hand, excess 4";
    assert_eq!(parts(&grown, &grown.new)[0], format!("situation original, {place}, weather dry (5 figures)"));
    let shrunk = drift((&scenario, &all), (&less, &fewer));
    assert!(shrunk.is_drift() && shrunk.gone.len() == 20 && shrunk.drifted.is_empty());
    let mut alone = scenario.clone();
    alone.variants.truncate(1);
    let one = example::analysis(&alone);
    let found = drift((&scenario, &all), (&alone, &one));
    assert_eq!(parts(&found, &found.gone), ["variant `modified` (200 figures)"]);
}

#[test]
fn factors_may_change_their_order_and_those_with_one_value_may_come_and_go() {
    let scenario = example::scenario();
    let analysis = example::analysis(&scenario);
    let mut other = scenario.clone();
    other.factors.swap(0, 2);
    other.situations.iter_mut().for_each(|row| row.swap(0, 2));
    other.factors.remove(3); // the weather, always dry
    other.situations.iter_mut().for_each(|row| {
        row.remove(3);
    });
    for found in [
        drift((&scenario, &analysis), (&other, &analysis)),
        drift((&other, &analysis), (&scenario, &analysis)),
    ] {
        assert_eq!((found.equal, found.is_drift()), (400, false));
    }
    // one that tells situations apart makes all of them others, and that is said
    let mut fewer = scenario.clone();
    fewer.factors.pop();
    fewer.situations = fewer.situations.iter().step_by(2).map(|row| row[..4].to_vec()).collect();
    let cells = changed(&scenario, |_, _| {});
    let mut halved = cells.clone();
    halved.cells.iter_mut().for_each(|row| *row = row.iter().step_by(2).cloned().collect());
    let found = drift((&fewer, &halved), (&scenario, &cells));
    assert_eq!((found.equal, found.gone.len(), found.new.len()), (0, 200, 400));
    assert!(lines(&found).join(" ").contains("The grid has the factor `disordered` only now"));
}

#[test]
fn numbers_that_never_came_up_count_as_nothing_and_records_that_are_made_less_often_are_drift() {
    let (scenario, analysis) = example::recorded();
    let with = |lost: &[(i64, u64)], routed: u64| {
        let mut samples: Vec<Vec<Sample>> =
            analysis.cells.iter().map(|row| row.iter().map(|cell| cell.sample.clone()).collect()).collect();
        let counts = |counts: &[(i64, u64)]| Counts {
            trials: counts.iter().map(|(_, count)| count).sum(),
            counts: counts.iter().copied().collect(),
        };
        samples[0][0].measures[1] = counts(lost);
        samples[0][0].measures[2] = counts(&[(0, routed - routed / 4), (1, routed / 4)]);
        analyse(&samples, 0, &[Some(5), None, Some(2)], LEVEL)
    };
    let base = with(&[(0, 30), (2, 10)], 12);
    let found = drift((&scenario, &base), (&scenario, &with(&[(0, 29), (2, 10), (7, 1)], 12)));
    assert_eq!((found.is_drift(), found.chance, found.new.len()), (false, 2, 0));
    let found = drift((&scenario, &with(&[(0, 29), (2, 10), (7, 1)], 12)), (&scenario, &base));
    assert_eq!((found.is_drift(), found.chance, found.gone.len()), (false, 2, 0));
    // 12 of 40 trials recorded whether they rout, now all 40 do, of which as many say yes as before
    let found = drift((&scenario, &base), (&scenario, &with(&[(0, 30), (2, 10)], 40)));
    let names: Vec<_> = found.drifted.iter().map(|one| words::name(&found, &one.key)).collect();
    assert_eq!(names, ["original, troop infantry, attack shooting, excess 0, weather dry: routed recorded"]);
    // a record that the rules have no more is gone, and one that they did not have is new
    let mut without = scenario.clone();
    without.measures.remove(1);
    let mut less = base.clone();
    for cell in less.cells.iter_mut().flatten() {
        cell.estimates.remove(1);
        cell.sample.measures.remove(1);
    }
    let found = drift((&scenario, &base), (&without, &less));
    assert!(parts(&found, &found.gone)[0].starts_with("record `men_lost` in original"), "{:?}", found.gone);
    let found = drift((&without, &less), (&scenario, &base));
    assert!(!found.is_drift() && !found.new.is_empty());
}

#[test]
fn the_table_has_a_row_for_all_that_is_not_the_same() {
    let scenario = example::scenario();
    let analysis = example::analysis(&scenario);
    let mut less = scenario.clone();
    less.situations.truncate(39);
    let fewer = changed(&less, |place, sample| holds(sample, if place == (0, 0) { 9_000 } else { 0 }));
    let text = |drift: &Drift| String::from_utf8(table(drift).to_csv().unwrap()).unwrap();
    let found = text(&drift((&scenario, &analysis), (&less, &fewer)));
    let lines: Vec<&str> = found.lines().collect();
    assert_eq!(
        lines[0],
        "variant,troop,attack,excess,weather,disordered,measure,outcome,verdict,stored_count,stored_trials,stored_exact,stored_probability,count,trials,exact,probability,difference_pp,p_adjusted"
    );
    assert_eq!(lines.len(), 1 + 2 + 10);
    // a sixth of 900,000 breaks, then a point less
    let row = "original,infantry,shooting,0,dry,no,result,break,drift,150000,900000,,0.166666667,141000,900000,,0.156666667,-1,";
    assert!(lines[2].starts_with(row), "{}", lines[2]);
    let gone = "modified,cavalry,hand_to_hand,4,dry,yes,result,break,gone,";
    assert!(lines[12].starts_with(gone) && lines[12].ends_with(",,,,,,"), "{}", lines[12]);
}

#[test]
fn a_damaged_table_is_refused_with_its_reason() {
    let scenario = example::scenario();
    let folder = stored(&scenario, &example::analysis(&scenario));
    let file = folder.path().join("results.csv");
    let whole = std::fs::read_to_string(&file).unwrap();
    let says = |text: String| {
        write_file(&file, text.as_bytes()).unwrap();
        load(folder.path()).unwrap_err().to_string()
    };
    let first = whole.lines().nth(1).unwrap();
    for (text, reason) in [
        (whole.replace(",count,", ",counts,"), "it has no column `count`"),
        (whole.lines().next().unwrap().to_owned() + "\n", "it has no rows"),
        (format!("{whole}{first}\n"), "row 401 is there twice"),
        (whole.replacen(",900000,", ",many,", 1), "row 1 has a count that is no number"),
        (whole.replacen(",900000,", ",90,", 1), "row 1 counts more than all trials"),
        (whole.replacen(",900000,", ",,", 1), "row 1 has an empty cell"),
        (whole[..whole.len() - 60].to_owned(), "row 400 has"),
        (
            first.replace(
                first,
                &(whole.lines().next().unwrap().to_owned() + "\n" + &first.replace(",,", ",half,")),
            ),
            "row 1 has no probability in `exact`",
        ),
    ] {
        let error = says(text);
        assert!(error.starts_with(&format!("`{}` is not a table of a run: ", file.display())), "{error}");
        assert!(error.contains(reason), "{reason}: {error}");
    }
}
