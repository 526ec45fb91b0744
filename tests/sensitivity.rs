//! What moves an outcome, against differences counted by hand over the 36 rolls of two dice.

#![expect(clippy::unwrap_used, reason = "what is missing in a test is a fault of the test")]

use houserule::analyse::{Effect, Sensitivity, Sort};
use houserule::diagnostic::{Diagnostics, Sources};
use houserule::plan::Budget;
use houserule::scenario::{ask, load};
use houserule::study::{Draw, sensitivity};
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicU64};

/// What moves a figure, of a scenario with one variant.
fn moved(rules: &Path, scenario: &str, figure: Option<&str>, budget: Budget) -> Sensitivity {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.toml");
    std::fs::write(&file, format!("variants = {{ a = '{}' }}\n{scenario}", rules.display())).unwrap();
    let (mut sources, mut found) = (Sources::default(), Diagnostics::default());
    let scenario = load(&file, &mut sources, &mut found).unwrap_or_else(|| panic!("{found:?}"));
    let asked =
        ask(&scenario, [None, figure, None], &mut sources, &mut found).unwrap_or_else(|| panic!("{found:?}"));
    let (done, stop) = (AtomicU64::new(0), AtomicBool::new(false));
    let draw = Draw { seed: 1815, threads: Some(2), done: &done, stop: &stop, store: None };
    sensitivity(&scenario, &sources, &asked, budget, draw).unwrap()
}

fn black_powder(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios/black-powder").join(name)
}

/// The effect of a change, by the label of what is changed and the words for how.
fn effect<'a>(found: &'a Sensitivity, label: &str, change: &str) -> &'a Effect {
    let of = |subject: &houserule::analyse::Subject| subject.label == label && subject.change == change;
    let mut all = found.effects.iter().filter(|(subject, _)| of(subject)).map(|(_, effect)| effect);
    let only = all.next().unwrap_or_else(|| panic!("no `{label}` {change}: {:?}", found.effects));
    assert_eq!(all.next(), None, "`{label}` {change} stands there twice");
    only
}

/// Mean, least and most, in 36ths.
fn of_36(found: &Sensitivity, label: &str, change: &str) -> (f64, f64, f64) {
    let effect = effect(found, label, change);
    assert_eq!(effect.interval, None, "{label}");
    let of_36 = |difference: f64| (difference * 36e9).round() / 1e9;
    (of_36(effect.mean), of_36(effect.range.0), of_36(effect.range.1))
}

const INFANTRY: &str = "test = 'break_test'\n[grid]\ntroop = 'infantry'\nattack = 'shooting'\n\
                        excess = '0..4'\ndisordered = [false, true]\n";

/// Infantry under fire breaks at 4 or less: with two dice at most 4, 5, .. 9 in 6, 10, 15, 21, 26, 30 of 36, and so with 0
/// to 4 excess casualties, a point more where it is disordered: ten situations.
#[test]
fn lines_of_the_original_break_test() {
    let found = moved(&black_powder("black-powder.rules"), INFANTRY, Some("P(break)"), Budget::default());
    assert_eq!((found.situations, found.figure.as_str(), found.is_share), (10, "P(break)", true));
    // without disorder five situations are a point better: 4 + 5 + 6 + 5 + 4 = 24, over ten
    assert_eq!(of_36(&found, "disordered", "off"), (-2.4, -6.0, 0.0));
    // with two points for disorder, from 10, 15, 21, 26, 30 to 15, 21, 26, 30, 33
    assert_eq!(of_36(&found, "disordered", "-1 to -2"), (2.3, 0.0, 6.0));
    // without excess: back to 6, by 4, 9, 15, 20; or to 10, by 5, 11, 16, 20
    assert_eq!(of_36(&found, "per excess casualty", "off"), (-10.0, -20.0, 0.0));
    // two points for each: to 15, 26, 33, 36 from 10, 15, 21, 26; or to 21, 30, 35, 36 from 15, 21, 26, 30
    assert_eq!(of_36(&found, "per excess casualty", "-1 to -2"), (6.8, 0.0, 12.0));
    assert!(effect(&found, "casualties from artillery", "off").is_nothing());
    // the grid itself: 4 + 5 + 6 + 5 and 5 + 6 + 5 + 4 over eight steps; and 24 over five
    assert_eq!(of_36(&found, "excess casualties", "one step up"), (5.0, 4.0, 6.0));
    assert_eq!(of_36(&found, "disordered", "no to yes"), (4.8, 4.0, 6.0));
    // a score of 5 breaks as well: rolls of 5, 6, .. 10 come up 4, 5, 6, 5, 4, 3 times
    assert_eq!(of_36(&found, "5 | infantry, cavalry", "as the row below"), (4.7, 3.0, 6.0));
    assert!(effect(&found, "5 | infantry, cavalry", "as the row above").is_nothing());
    // 4 and less as 5: nobody breaks any more: 78 and 102 over ten
    assert_eq!(of_36(&found, "..4 | any", "as the row above"), (-18.0, -30.0, -6.0));
    let fixed: Vec<_> = found.fixed.iter().filter(|(subject, _)| subject.label == "..4 | any").collect();
    assert_eq!(fixed.len(), 1);
    assert_eq!(fixed[0].1, "there is no row below it for the same keys");
    // the largest come first
    let means: Vec<f64> = found.effects.iter().map(|(_, effect)| effect.mean.abs()).collect();
    assert!(means.is_sorted_by(|one, other| one >= other), "{means:?}");
    assert_eq!(found.effects[0].0.label, "..4 | any");
    // the place is that of the line in the file
    let text = std::fs::read_to_string(black_powder("black-powder.rules")).unwrap();
    let (subject, _) =
        found.effects.iter().find(|(subject, _)| subject.label == "per excess casualty").unwrap();
    assert!(text.lines().nth(subject.place.1 - 1).unwrap().contains("per excess casualty"));
    assert_eq!((subject.place.0.as_str(), subject.piece.as_str()), ("black-powder.rules", "break_modifiers"));
}

/// The row of 6 of the modified chart leaves infantry a choice; read as the row of 7 it holds, read as 4 (the row below 5)
/// the row of 5 retreats. Of 36 rolls 5 show 6, and 4 show 5.
#[test]
fn a_row_that_leaves_a_choice_can_be_read_as_one_that_leaves_none() {
    let scenario = "test = 'break_test'\npolicy = { break_chart = 'hold_disordered' }\n\
                    [grid]\ntroop = 'infantry'\nattack = 'shooting'\nexcess = 0\n";
    let rules = black_powder("modified-hail-caesar.rules");
    let found = moved(&rules, scenario, Some("hold_disordered"), Budget::default());
    let key = |score: u32| format!("{score} | infantry, artillery");
    assert_eq!(of_36(&found, &key(6), "as the row above"), (-5.0, -5.0, -5.0));
    assert_eq!(of_36(&found, &key(5), "as the row below"), (-4.0, -4.0, -4.0));
    assert!(effect(&found, &key(6), "as the row below").is_nothing());
    // the row of 7 as that of 6: 6 rolls more
    assert_eq!(of_36(&found, &key(7), "as the row below"), (6.0, 6.0, 6.0));
}

/// Factors that are numbers and that the grid leaves alone: with the penalties as factors, disorder costs 1.
#[test]
fn factors_are_moved_by_one_within_their_range() {
    let scenario = format!("policy = {{ break_chart = 'hold_disordered' }}\n{INFANTRY}");
    let found = moved(&black_powder("penalties.rules"), &scenario, Some("P(break)"), Budget::default());
    // infantry breaks at 3 or less: 3, 6, 10, 15, 21, 26 of 36
    assert_eq!(of_36(&found, "penalty for disorder", "1 to 0"), (-2.3, -6.0, 0.0));
    // from 6, 10, 15, 21, 26 to 10, 15, 21, 26, 30
    assert_eq!(of_36(&found, "penalty for disorder", "1 to 2"), (2.4, 0.0, 6.0));
    // a point more in every test: from 3, 6, 10, 15, 21 and 6, 10, 15, 21, 26 to 1, 3, 6, 10, 15 and 3, 6, 10, 15, 21
    assert_eq!(of_36(&found, "added to every test", "0 to 1"), (-4.3, -6.0, -2.0));
    let sorts = |sort: Sort| found.effects.iter().filter(|(subject, _)| subject.sort == sort).count();
    assert_eq!(
        (sorts(Sort::Factor), sorts(Sort::Grid)),
        (8, 2),
        "four factors down and up; excess and disorder"
    );
}

const GAPS: &str = "ruleset \"A\"\nfactor arm: horse | foot\nfactor tired: flag = no\n\
                    outcome end { well; badly }\nnever arm is horse and tired \"horses do not tire\"\n\
                    modifiers all { +1 if not tired \"fresh\" }\n\
                    chart c(roll, arm) -> end {\n  roll | horse | foot\n  4+ | well | well\n  3 | badly | well\n  ..2 | badly | badly\n}\n\
                    test t -> end { return c(d6 + all, arm) }\n";

#[test]
fn what_trials_say_lies_around_what_is_solved_and_says_how_sure_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let rules = folder.path().join("a.rules");
    std::fs::write(&rules, GAPS).unwrap();
    let scenario = "test = 't'\ntrials = 20_000\ngrid = { arm = ['horse', 'foot'], tired = [false, true] }\n";
    let exact = moved(&rules, scenario, None, Budget::default());
    let sampled = moved(&rules, scenario, None, Budget { states: 0 });
    // three situations, two of them fresh; with +1 horse does badly with 1 and 2, foot with 1; without it 1 to 3, 1 and 2
    let fresh = effect(&exact, "fresh", "off");
    assert!((fresh.mean - 2.0 / 6.0 / 3.0).abs() < 1e-15 && fresh.situations == 3, "{fresh:?}");
    assert_eq!(exact.figure, "P(badly)");
    let mut wide = 0;
    for (subject, one) in &sampled.effects {
        let known = effect(&exact, &subject.label, &subject.change);
        let Some((low, high)) = one.interval else {
            assert_eq!((one.mean, known.mean), (0.0, 0.0), "the same rules before and after");
            continue;
        };
        let half = (high - low) / 2.0; // almost two standard deviations
        assert!((one.mean - known.mean).abs() < 2.5 * half, "{subject:?}: {} and {}", one.mean, known.mean);
        assert!(half < 0.02, "{subject:?}: {half}");
        wide += 1;
    }
    assert!(wide >= 4, "{:?}", sampled.effects);
}

#[test]
fn the_page_fits_a_terminal_and_names_each_line() {
    let run = |words: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_houserule"));
        let ended = command.current_dir(env!("CARGO_MANIFEST_DIR")).args(words).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (ended.status.code(), text(ended.stdout), text(ended.stderr))
    };
    let file = "scenarios/black-powder/break-test.toml";
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("s.csv");
    let wanted =
        ["sensitivity", file, "--where", "attack is shooting and not disordered and shaken", "--out"];
    let (code, page, told) = run(&[&wanted[..], &[table.to_str().unwrap()]].concat());
    assert_eq!(code, Some(0), "{told}");
    assert!(page.starts_with("What changes the chance of \"Break\" in modified"), "{page}");
    assert!(page.lines().all(|line| line.chars().count() <= 80), "{page}");
    assert!(page.contains("per excess casualty"), "{page}");
    let table = std::fs::read_to_string(table).unwrap();
    assert!(table.starts_with("variant,figure,sort,piece,label,file,line,change,mean,"), "{table}");
    let (code, _, told) = run(&["sensitivity", file, "--outcome", "P(brek)"]);
    assert_eq!(code, Some(2));
    assert!(told.contains("brek") && told.contains("break"), "{told}");
    let (code, _, told) = run(&["sensitivity", file, "--where", "troop is lobster"]);
    assert_eq!(code, Some(2), "{told}");
    let (code, page, told) = run(&["tune", "scenarios/black-powder/penalties.toml"]);
    assert_eq!(code, Some(4), "no values meet both targets: {told}");
    assert!(page.lines().all(|line| line.chars().count() <= 80), "{page}");
    let (code, _, told) = run(&["tune", file]);
    assert_eq!(code, Some(3));
    assert!(told.contains("[tune]"), "{told}");
}

#[test]
fn a_mean_that_no_trial_moves_has_an_interval_as_far_as_the_rules_allow() {
    // six sixes are so rare that 100 trials have none: each side records 1 in all of them, and could have 5, or 4 or 6
    let folder = tempfile::tempdir().unwrap();
    let rules = folder.path().join("r.rules");
    let text = "ruleset \"r\"\nfactor loss: 1..9 = 5 \"loss\"\noutcome result { done }\n\
                test t -> result {\n  record lost = loss if 6d6 is 36 else 1\n  return done\n}\n";
    std::fs::write(&rules, text).unwrap();
    let scenario = "test = 't'\ntrials = 100\nseed = 7\n[grid]\n";
    let found = moved(&rules, scenario, Some("mean(lost)"), Budget { states: 0 });
    for (change, off) in [("5 to 6", 5.0_f64), ("5 to 4", 3.0)] {
        let effect = effect(&found, "loss", change);
        let (low, high) = effect.interval.unwrap();
        // by hand: each side is off by as much as the rules allow, over 100 trials
        let half = 1.959_963_984_540_054 * (4.0 * 4.0 + off * off).sqrt() / 100.0;
        assert!((low + half).abs() < 1e-12 && (high - half).abs() < 1e-12, "{change}: {low} {high}");
    }
}
