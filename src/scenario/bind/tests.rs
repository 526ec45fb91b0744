//! Scenarios over a small rulebook: what is understood, and what is said about every mistake.

mod charts;
mod second;

use super::*;
use crate::diagnostic::{Diagnostic, Severity, Span};
use crate::scenario::model::*;
use std::fmt::Write as _;

const BASE: &str = r#"ruleset "Base"
outcome morale { hold "Hold"; hold_back "Hold back"; retreat "Retreat"; break "Break" }
factor troop: infantry | cavalry "Troop type"
factor excess: 0..4 = 0 "Excess"
factor shaken: flag = no
never troop is cavalry and shaken "horses never shake"
chart break_chart(score, troop) -> morale {
    score | troop    | result
    9+    | any      | hold
    6..8  | infantry | hold_back or retreat
    6..8  | cavalry  | retreat
    ..5   | any      | break
}
test break_test -> morale { let score = 2d6 - excess - (1 if shaken else 0); return break_chart(score, troop) }
test strength -> number { return 2d6 - excess }
test steady -> flag { return 2d6 >= 8 }
test helper(bonus) -> morale { return break_chart(bonus, troop) }
test helped -> morale { return helper(2d6) }
"#;

const WINDY: &str = r#"ruleset "Windy"
extends "base.rules"
factor wind: 0..3 = 1
override test break_test -> morale { let score = 2d6 - excess - wind; return break_chart(score, troop) }
"#;

const ROUT: &str = r#"ruleset "Rout"
outcome morale { hold; rout "Rout"; break "Broken" }
factor troop: infantry | lancers
factor excess: 0..6 = 0
test break_test -> morale { return hold if troop is infantry and 2d6 >= 7 + excess else (rout if d6 >= 4 else break) }
test strength -> flag { return 2d6 >= 7 }
"#;

const HEAD: &str = "test = \"break_test\"\nbaseline = \"original\"\n[variants]\noriginal = \"base.rules\"\n";
const POLICY: &str = "[policy]\nbreak_chart = \"retreat\"\n";
const GRID: &str = "[grid]\ntroop = [\"infantry\", \"cavalry\"]\nexcess = \"0..2\"\n";

/// What a scenario of that text comes to, with every diagnostic as "text at its place: message".
fn load_text(text: &str) -> (Option<Scenario>, Vec<String>, Vec<Diagnostic>) {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in
        [("base.rules", BASE), ("windy.rules", WINDY), ("rout.rules", ROUT), ("volley.toml", text)]
    {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let (mut sources, mut found) = (Sources::default(), Diagnostics::default());
    let scenario = load(&folder.path().join("volley.toml"), &mut sources, &mut found);
    let told = |one: &Diagnostic| {
        assert!(!one.remedies.is_empty(), "no remedy: {}", one.message);
        let place = one.labels.first().map_or("nowhere", |(span, _)| sources.text(*span));
        format!("{place}: {}", one.message)
    };
    let found: Vec<Diagnostic> = found.iter().filter(|one| !is_hint(one, &sources)).cloned().collect();
    (scenario, found.iter().map(told).collect(), found)
}

/// Whether it is a hint on how rules are written, which says nothing of scenarios.
fn is_hint(one: &Diagnostic, sources: &Sources) -> bool {
    let rules = |span: &Span| sources.get(span.file).path.extension().is_some_and(|ending| ending == "rules");
    one.severity == Severity::Warning && one.labels.iter().any(|(span, _)| rules(span))
}

fn good(text: &str) -> Scenario {
    let (scenario, told, _) = load_text(text);
    assert_eq!(told, Vec::<String>::new(), "{text}");
    scenario.unwrap()
}

fn mistakes(text: &str) -> Vec<String> {
    let (scenario, told, _) = load_text(text);
    assert!(scenario.is_none() && !told.is_empty(), "{text}");
    told
}

fn remedies(text: &str) -> Vec<String> {
    load_text(text).2.into_iter().flat_map(|one| one.remedies).collect()
}

/// The situations as value names.
fn situations(scenario: &Scenario) -> Vec<String> {
    let name = |situation: &Vec<usize>| {
        let names =
            situation.iter().zip(&scenario.factors).map(|(at, factor)| factor.values[*at].name.as_str());
        names.collect::<Vec<_>>().join(" ")
    };
    scenario.situations.iter().map(name).collect()
}

#[test]
fn a_scenario_of_one_variant_is_understood() {
    let scenario = good(&format!("{HEAD}{GRID}{POLICY}"));
    assert_eq!((scenario.title.as_str(), scenario.stem.as_str()), ("volley", "volley"));
    assert_eq!((scenario.trials, scenario.seed, scenario.baseline), (1_000_000, 1, 0));
    let all = ["infantry 0", "infantry 1", "infantry 2", "cavalry 0", "cavalry 1", "cavalry 2"];
    assert_eq!(situations(&scenario), all);
    assert_eq!(scenario.factors[0].label, "Troop type");
    assert!(!scenario.factors[0].numeric && scenario.factors[1].numeric);
    let Results::Named(results) = &scenario.main().results else { panic!("named results") };
    let names: Vec<_> = results.iter().map(|one| (one.name.as_str(), one.label.as_str())).collect();
    assert_eq!(
        names,
        [("hold", "Hold"), ("hold_back", "Hold back"), ("retreat", "Retreat"), ("break", "Break")]
    );
    assert_eq!(scenario.main().variants[0].as_ref().unwrap().positions, [0, 1, 2, 3]);
    assert!(matches!(scenario.variants[0].moves[..], [Some(Move::Option(2))]));
    assert_eq!(scenario.assignment(0, 5), [1, 2, 0]);
}

#[test]
fn a_scenario_that_is_not_there_says_so() {
    let (mut sources, mut found) = (Sources::default(), Diagnostics::default());
    assert!(load(Path::new("no/such/file.toml"), &mut sources, &mut found).is_none());
    assert!(found.iter().next().unwrap().message.starts_with("`no/such/file.toml` cannot be read"));
}

#[test]
fn rules_that_are_not_there_are_shown_where_they_are_named() {
    let told = mistakes("test = \"break_test\"\n[variants]\na = \"basis.rules\"\n");
    assert_eq!(told.len(), 1);
    assert!(told[0].starts_with("\"basis.rules\": ") && told[0].contains("cannot be read"), "{told:?}");
}

#[test]
fn a_test_that_is_not_there_or_needs_a_caller_is_refused() {
    let text = |test: &str| format!("test = \"{test}\"\n[variants]\noriginal = \"base.rules\"\n");
    assert_eq!(mistakes(&text("break_tset")), ["\"break_tset\": there is no test called `break_tset`"]);
    assert_eq!(remedies(&text("break_tset")), ["did you mean `break_test`?"]);
    let (_, told, found) = load_text(&(text("break_tset") + "windy = \"windy.rules\"\n"));
    assert_eq!((told.len(), found[0].labels.len()), (1, 3), "once, and at both variants: {found:?}");
    assert_eq!(
        mistakes(&text("helper")),
        ["\"helper\": `helper` needs `bonus` from its caller: no trial can start there"]
    );
}

#[test]
fn a_baseline_that_is_no_variant_is_refused() {
    let text = "test = \"steady\"\nbaseline = \"orignal\"\nvariants = { original = \"base.rules\" }\n";
    assert_eq!(mistakes(text), ["\"orignal\": the baseline `orignal` is not among the variants"]);
    assert_eq!(remedies(text), ["did you mean `original`?"]);
}

#[test]
fn factors_that_nobody_sets_are_all_named_at_once() {
    let told = mistakes(&format!("{HEAD}{POLICY}"));
    assert_eq!(told, ["\"base.rules\": nothing says what these factors are: `troop`"]);
}

#[test]
fn a_factor_may_be_set_by_the_variant_alone() {
    let text = "test = \"break_test\"\n[variants]\na = { rules = \"base.rules\", with = { troop = \"cavalry\", shaken = false, excess = 3 } }\n";
    let scenario = good(&format!("{text}{POLICY}"));
    assert_eq!(scenario.variants[0].base, [1, 3, 0]);
    assert_eq!(scenario.situations, [Vec::<usize>::new()]);
}

#[test]
fn what_is_wrong_in_a_variants_settings_is_named() {
    let text = "test = \"steady\"\n[variants]\na = { rules = \"base.rules\", with = { trop = \"cavalry\", shaken = 3, excess = 5 } }\n";
    let expected = [
        "trop: `trop` is not a factor of these rules",
        "3: `3` is not a value of `shaken`",
        "5: `5` is not a value of `excess`",
    ];
    assert_eq!(mistakes(text), expected);
    let remedies = remedies(text);
    assert_eq!(remedies[0], "did you mean `troop`?");
    assert_eq!(remedies[2], "its values are 0..4");
}

#[test]
fn a_factor_set_by_the_grid_and_by_a_variant_is_refused() {
    let text = "test = \"strength\"\n[variants]\na = { rules = \"base.rules\", with = { excess = 1 } }\n[grid]\nexcess = [0, 1]\n";
    assert_eq!(mistakes(text), ["excess: `excess` is set both by the grid and in variant `a`"]);
}

#[test]
fn a_misspelt_factor_of_the_grid_is_refused_and_the_right_one_offered() {
    let text = format!("{HEAD}{POLICY}[grid]\ntroop = \"infantry\"\nexces = \"0..2\"\n");
    assert_eq!(mistakes(&text), ["exces: `exces` is not a factor of any variant"]);
    assert_eq!(remedies(&text), ["did you mean `excess`?"]);
}

#[test]
fn values_that_a_factor_does_not_have_are_refused() {
    let text = format!(
        "{HEAD}{POLICY}[grid]\ntroop = [\"infantry\", \"cavalery\"]\nexcess = \"0..9\"\nshaken = \"maybe\"\n"
    );
    let expected = [
        "\"cavalery\": `cavalery` is not a value of `troop`",
        "0..9: `9` is not a value of `excess`",
        "\"maybe\": `maybe` is not a value of `shaken`",
    ];
    assert_eq!(mistakes(&text), expected);
    assert_eq!(remedies(&text)[..2], ["did you mean `cavalry`?", "its values are 0..4"]);
}

#[test]
fn a_flag_is_known_as_the_rules_write_it_and_as_toml_does() {
    let grid = |shaken: &str| format!("{HEAD}{POLICY}[grid]\ntroop = \"infantry\"\nshaken = {shaken}\n");
    for both in ["[false, true]", "[\"no\", \"yes\"]", "[\"false\", \"true\"]", "\"any\""] {
        assert_eq!(situations(&good(&grid(both))), ["infantry no", "infantry yes"], "{both}");
    }
    assert_eq!(situations(&good(&grid("\"true\""))), ["infantry yes"]);
    assert_eq!(mistakes(&grid("[\"true\", true]")), ["true: `yes` stands twice in the list of `shaken`"]);
    assert_eq!(mistakes(&grid("[\"no\", \"no\"]")), ["\"no\": `no` stands twice in the list of `shaken`"]);
}

#[test]
fn a_broken_factor_of_the_grid_is_told_once_and_its_charts_are_left_alone() {
    let charts = "[[chart]]\nkind = \"curve\"\n[[chart]]\nkind = \"outcomes\"\nx = \"excess\"\n";
    let text = format!("{HEAD}{POLICY}[grid]\ntroop = \"infantry\"\nexcess = \"0..8\"\n{charts}");
    assert_eq!(mistakes(&text), ["0..8: `8` is not a value of `excess`"]);
}

#[test]
fn what_two_variants_say_of_one_place_is_said_once() {
    let text = format!(
        "{HEAD}windy = \"windy.rules\"\n{GRID}[policy]\nbreak_chart = \"retreat if xyzzy else hold_back\"\n"
    );
    assert_eq!(mistakes(&text), ["xyzzy: there is no `xyzzy` here"]);
}

#[test]
fn a_set_of_the_grid_is_written_as_in_the_rules() {
    let text = |set: &str| format!("{HEAD}{POLICY}[grid]\ntroop = \"infantry\"\nexcess = \"{set}\"\n");
    for (set, count) in [("3+", 2), ("..1", 2), ("1..3", 3), ("{0, 4}", 2), ("any", 5), ("2", 1), ("< 2", 2)]
    {
        assert_eq!(good(&text(set)).situations.len(), count, "{set}");
    }
    assert_eq!(mistakes(&text("3..1")), ["3..1: no value of `excess` is in this set"]);
}

#[test]
fn a_factor_named_like_a_column_is_refused() {
    let mut text = format!("{HEAD}{POLICY}[grid]\ntroop = \"infantry\"\n");
    let _ = writeln!(text, "count = 3");
    let told = mistakes(&text);
    assert_eq!(told[0], "count: `count` is the name of a column in the tables of a run");
}

#[test]
fn a_factor_that_one_variant_lacks_is_noted() {
    let text =
        format!("{HEAD}windy = \"windy.rules\"\n{POLICY}[grid]\ntroop = \"infantry\"\nwind = [0, 3]\n");
    let scenario = good(&text);
    assert_eq!(scenario.notes, ["`wind` is not a factor of `original`: there it makes no difference"]);
    assert!(scenario.factors[1].bindings[0].is_none());
    assert_eq!(scenario.factors[1].bindings[1].as_ref().unwrap().1, [0, 3]);
}

#[test]
fn a_value_that_only_one_variant_has_is_refused_by_name() {
    let text = format!(
        "{HEAD}rout = \"rout.rules\"\n{POLICY}[grid]\ntroop = [\"infantry\", \"cavalry\"]\nexcess = 6\n"
    );
    let expected = [
        "\"cavalry\": `cavalry` is not a value of `troop` in `rout`",
        "6: `6` is not a value of `excess` in `original`",
    ];
    assert_eq!(mistakes(&text), expected);
}

#[test]
fn where_and_never_take_situations_out() {
    let text =
        format!("{HEAD}{POLICY}{GRID}shaken = [false, true]\nwhere = \"excess is 1 or troop is cavalry\"\n");
    let all = ["infantry 1 no", "infantry 1 yes", "cavalry 0 no", "cavalry 1 no", "cavalry 2 no"];
    assert_eq!(situations(&good(&text)), all);
}

#[test]
fn where_is_read_by_the_first_variant_that_can() {
    let text = format!(
        "{HEAD}windy = \"windy.rules\"\n{POLICY}{GRID}wind = [0, 3]\nwhere = \"wind is 3 and excess is 0\"\n"
    );
    assert_eq!(situations(&good(&text)), ["infantry 0 3", "cavalry 0 3"]);
}

#[test]
fn a_grid_without_any_situation_is_refused() {
    let never = format!("{HEAD}{POLICY}[grid]\ntroop = \"cavalry\"\nshaken = true\n");
    assert_eq!(
        mistakes(&never),
        ["troop: the rules exclude every situation of the grid, the last because: horses never shake"]
    );
    let nowhere = format!("{HEAD}{POLICY}{GRID}where = \"excess > 3\"\n");
    assert_eq!(mistakes(&nowhere), ["excess > 3: this holds in no situation of the grid"]);
}

#[test]
fn a_condition_on_situations_is_checked_where_it_stands() {
    let text = |condition: &str| format!("{HEAD}{POLICY}{GRID}where = {condition}\n");
    let told = mistakes(&text("\"exces > 3\""));
    assert!(told[0].starts_with("exces: "), "{told:?}");
    assert_eq!(
        mistakes(&text("\"excess\\u0020is 3\"")),
        [
            "\"excess\\u0020is 3\": a text in the rules' notation stands here with escapes, so that its parts have no place"
        ]
    );
    let told = mistakes(&text("\"d6 > 3\""));
    assert!(told[0].starts_with("d6: no dice are rolled here"), "{told:?}");
    assert_eq!(mistakes(&text("\"down(4 / excess) > 2\"")), ["down(4 / excess): this may divide by zero"]);
    assert_eq!(situations(&good(&text("\"down(excess / 2) is 1\""))), ["infantry 2", "cavalry 2"]);
}

#[test]
fn a_factor_that_changes_nothing_is_warned_of() {
    let text = "test = \"steady\"\n[variants]\noriginal = \"base.rules\"\n[grid]\nexcess = \"0..4\"\n";
    let (scenario, told, _) = load_text(text);
    assert!(scenario.is_some());
    assert_eq!(told, ["excess: `excess` changes nothing: `steady` never reads it"]);
}

#[test]
fn a_grid_of_too_many_situations_is_refused_before_it_is_built() {
    let mut rules = String::from("ruleset \"Wide\"\n");
    let mut grid = String::from("test = \"steady\"\nvariants = { a = \"wide.rules\" }\n[grid]\n");
    for at in 0..30 {
        let _ = writeln!(rules, "factor f{at}: 0..99 = 0");
        let _ = writeln!(grid, "f{at} = \"any\"");
    }
    let sum: Vec<String> = (0..30).map(|at| format!("f{at}")).collect();
    let _ = writeln!(rules, "test steady -> number {{ return {} }}", sum.join(" + "));
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("wide.rules"), rules).unwrap();
    std::fs::write(folder.path().join("a.toml"), grid).unwrap();
    let (mut sources, mut found) = (Sources::default(), Diagnostics::default());
    assert!(load(&folder.path().join("a.toml"), &mut sources, &mut found).is_none());
    let told = &found.iter().next().unwrap().message;
    assert!(told.starts_with("the grid has 100 x 100 x "), "{told}");
    assert!(told.ends_with("= far too many situations; 100000 is the most that can be played"), "{told}");
}

#[test]
fn a_choice_without_a_policy_is_shown_with_its_options_and_a_line_to_write() {
    let text = format!("{HEAD}{GRID}");
    assert_eq!(load_text(&text).2[0].labels[0].1, "`break_chart` offers `hold_back` or `retreat`");
    assert_eq!(
        mistakes(&text),
        ["\"base.rules\": the rules leave `break_chart` to the player, and no policy says what he does"]
    );
    let line = "write under [policy], for example, break_chart = \"hold_back\"";
    assert_eq!(remedies(&text), [line]);
}

#[test]
fn no_policy_is_needed_for_a_choice_that_the_test_never_comes_to() {
    let scenario = good("test = \"steady\"\n[variants]\noriginal = \"base.rules\"\n");
    assert!(matches!(scenario.variants[0].moves[..], [None]));
    let Results::Named(results) = &scenario.main().results else { panic!("named results") };
    let names: Vec<_> = results.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names, ["no", "yes"]);
}

#[test]
fn a_policy_for_what_is_no_choice_or_no_option_is_refused() {
    let text = format!("{HEAD}{GRID}[policy]\nbreak_chart = \"retreet\"\nbreak_charts = \"retreat\"\n");
    let expected = [
        "\"retreet\": `retreet` is not an option of `break_chart`",
        "break_charts: the rules leave no choice called `break_charts` to the player",
    ];
    assert_eq!(mistakes(&text), expected);
    assert_eq!(remedies(&text), ["did you mean `retreat`?", "did you mean `break_chart`?"]);
}

fn with_policy(policy: &str) -> String {
    format!("{HEAD}{GRID}[policy]\nbreak_chart = {policy}\n")
}

#[test]
fn a_mix_becomes_whole_weights_in_the_order_of_the_rules() {
    let weights = |policy: &str| match &good(&with_policy(policy)).variants[0].moves[0] {
        Some(Move::Mix(weights)) => weights.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!(weights("{ retreat = 0.3, hold_back = 0.7 }"), [(1, 7), (2, 3)]);
    assert_eq!(weights("{ retreat = \"1/3\", hold_back = \"2/3\" }"), [(1, 2), (2, 1)]);
    assert_eq!(weights("{ retreat = \"12.5%\", hold_back = 0.875 }"), [(1, 7), (2, 1)]);
    let always = good(&with_policy("{ retreat = 1, hold_back = 0 }"));
    assert!(matches!(always.variants[0].moves[0], Some(Move::Option(2))));
}

#[test]
fn a_mix_that_does_not_add_up_or_names_what_is_no_option_is_refused() {
    assert_eq!(
        mistakes(&with_policy("{ retreat = 0.3, hold_back = 0.8 }")),
        ["{ retreat = 0.3, hold_back = 0.8 }: these probabilities add up to 1.1 (11/10), not to 1"]
    );
    assert_eq!(
        mistakes(&with_policy("{ retreat = 0.3, break = 0.7 }")),
        ["break: `break` is not an option of `break_chart`"]
    );
    assert_eq!(
        mistakes(&with_policy("{ retreat = 0.3333333, hold_back = 0.6666667 }")),
        [
            "{ retreat = 0.3333333, hold_back = 0.6666667 }: these probabilities are finer than one part in 1000000"
        ]
    );
}

#[test]
fn a_condition_names_options_only_and_rolls_no_dice() {
    let scenario = good(&with_policy("\"retreat if shaken or score is 6 else hold_back\""));
    let variant = &scenario.variants[0];
    let play = variant.moves[0].as_ref().unwrap();
    assert!(matches!(play, Move::Condition { .. }));
    let words = describe_move(&variant.rules, &variant.rules.choices[0], play);
    assert_eq!(words, "retreat if shaken or score is 6 else hold_back");
    assert_eq!(
        mistakes(&with_policy("\"break if shaken else retreat\"")),
        ["break: `break` is not an option of `break_chart`"]
    );
    let told = mistakes(&with_policy("\"retreat if d6 > 3 else hold_back\""));
    assert!(told[0].starts_with("d6: no dice are rolled here"), "{told:?}");
    assert_eq!(
        mistakes(&with_policy("\"retreat if down(score / excess) > 1 else hold_back\"")),
        ["down(score / excess): this may divide by zero"]
    );
    assert_eq!(
        mistakes(&with_policy("\"retreat if shaken else morale_of_troop\"")),
        ["morale_of_troop: `morale_of_troop` is not an option of `break_chart`"]
    );
}

#[test]
fn a_policy_that_is_no_option_is_told_the_options_and_a_label_is_told_its_name() {
    let told = |policy: &str| (mistakes(&with_policy(policy)), remedies(&with_policy(policy)));
    let (mistake, remedy) = told("\"Hold back\"");
    assert_eq!(mistake, ["\"Hold back\": `Hold back` is not an option of `break_chart`"]);
    assert_eq!(remedy, ["the name is `hold_back`"]);
    let options = "what can stand here: `hold_back`, `retreat`";
    assert_eq!(told("\"run, as fast as they can\"").1, [options]);
    assert_eq!(told("\"xyzzy if shaken else retreat\"").1, [options]);
    assert_eq!(told("\"retreat if shaken else xyzzy if excess is 1 else hold_back\"").1, [options]);
}

#[test]
fn a_policy_may_ask_for_a_factor_only_if_something_sets_it() {
    let rules = "ruleset \"Asks\"\noutcome r { a; b }\nfactor mood: 0..2\ntest t -> r { return a or b }\n";
    let text = |grid: &str| {
        format!(
            "test = \"t\"\nvariants = {{ v = \"asks.rules\" }}\npolicy = {{ t = \"a if mood is 1 else b\" }}\n{grid}"
        )
    };
    let load = |text: &str| {
        let (mut sources, mut found) = (Sources::default(), Diagnostics::default());
        sources.add("in/asks.rules", rules);
        sources.add("in/a.toml", text);
        let scenario = load(Path::new("in/a.toml"), &mut sources, &mut found);
        let told = found.iter().filter(|one| !is_hint(one, &sources)).map(|one| one.message.clone());
        (scenario.is_some(), told.collect::<Vec<_>>())
    };
    assert_eq!(load(&text("")), (false, vec!["nothing says what these factors are: `mood`".to_owned()]));
    assert_eq!(load(&text("grid = { mood = 1 }")), (true, vec![]));
}

#[test]
fn an_aim_is_kept_where_what_it_aims_at_is_counted() {
    let scenario = good(&with_policy("\"minimise P(retreat..break)\""));
    let Some(Move::Aim { aim: Some(aim), text, .. }) = &scenario.variants[0].moves[0] else {
        panic!("an aim")
    };
    assert_eq!(text, "minimise P(retreat..break)");
    assert!(!aim.maximise && aim.of.record.is_none(), "{aim:?}");
    let rules = &scenario.variants[0].rules;
    let ty = rules.tests[scenario.variants[0].entry.0].result;
    let is_in = |name: &str| {
        let value = i64::from(rules.value_of(ty, name).unwrap());
        aim.of.among.iter().flatten().any(|(low, high)| (*low..=*high).contains(&value))
    };
    assert!(is_in("retreat") && is_in("break") && !is_in("hold"), "{aim:?}");
    let told = mistakes(&with_policy("\"minimise P(brek)\""));
    assert!(told[0].starts_with("brek: "), "{told:?}");
    assert_eq!(
        mistakes(&with_policy("\"Maximise mean(casualties)\"")),
        ["casualties: `break_test` neither gives nor records anything called `casualties`"]
    );
    assert_eq!(
        mistakes(&with_policy("\"minimise 3\"")),
        ["minimise 3: this aims at nothing that is counted"]
    );
}

#[test]
fn moves_are_described_in_words() {
    let words = |policy: &str| {
        let scenario = good(&with_policy(policy));
        let variant = &scenario.variants[0];
        describe_move(&variant.rules, &variant.rules.choices[0], variant.moves[0].as_ref().unwrap())
    };
    assert_eq!(words("\"retreat\""), "retreat always");
    assert_eq!(words("{ retreat = 0.3, hold_back = 0.7 }"), "70 % hold_back, 30 % retreat");
    assert_eq!(words("{ retreat = \"1/3\", hold_back = \"2/3\" }"), "66.6667 % hold_back, 33.3333 % retreat");
}

#[test]
fn results_of_several_drafts_are_united_by_name() {
    let text = format!("{HEAD}rout = \"rout.rules\"\n{POLICY}[grid]\ntroop = \"infantry\"\n");
    let scenario = good(&text);
    let Results::Named(results) = &scenario.main().results else { panic!("named results") };
    let names: Vec<_> = results.iter().map(|one| (one.name.as_str(), one.label.as_str())).collect();
    let expected = [
        ("hold", "Hold"),
        ("hold_back", "Hold back"),
        ("retreat", "Retreat"),
        ("break", "Break"),
        ("rout", "Rout"),
    ];
    assert_eq!(names, expected);
    assert_eq!(scenario.main().variants[1].as_ref().unwrap().positions, [0, 4, 3]);
}

#[test]
fn drafts_that_end_in_different_sorts_cannot_be_compared() {
    let text = "test = \"strength\"\n[variants]\na = \"base.rules\"\nb = \"rout.rules\"\n";
    let message = "`strength` ends in a number in `a`, but in yes or no in `b`: these cannot be compared";
    assert_eq!(mistakes(text), [format!("\"strength\": {message}")]);
}

fn with_claim(claim: &str) -> String {
    format!("{HEAD}windy = \"windy.rules\"\n{POLICY}{GRID}[[claim]]\n{claim}\n")
}

#[test]
fn a_claim_knows_its_sides_and_its_situations() {
    let text = "text = \"less\"\nwhere = \"troop is infantry\"\nholds = \"P(retreat..break) in windy > P(break) in original by 2 points\"";
    let scenario = good(&with_claim(text));
    let claim = &scenario.claims[0];
    let Side::Quantity(Quantity::Probability(set), 1) = &claim.left else { panic!("{claim:?}") };
    assert_eq!((set.text.as_str(), &set.spans[..]), ("retreat..break", &[(2, 3)][..]));
    let Side::Quantity(Quantity::Probability(set), 0) = &claim.right else { panic!("{claim:?}") };
    assert_eq!(set.spans, [(3, 3)]);
    assert_eq!((claim.relation, claim.margin), (Relation::More, Some(Margin::Points((2, 1)))));
    assert_eq!(claim.situations, [0, 1, 2]);
    assert!(!claim.average);
}

#[test]
fn a_claim_without_in_speaks_of_the_draft_beside_the_baseline() {
    let scenario = good(&with_claim("holds = \"P(break) < 25%\"\nover = \"average\""));
    let claim = &scenario.claims[0];
    assert!(matches!(claim.left, Side::Quantity(_, 1)) && claim.right == Side::Number((1, 4)));
    assert!(claim.average && claim.text == "P(break) < 25%");
    let three = "[variants]\na = \"base.rules\"\nb = \"base.rules\"\nc = \"windy.rules\"\n";
    let text = format!("test = \"break_test\"\n{three}{POLICY}{GRID}[[claim]]\nholds = \"P(break) < 25%\"\n");
    assert_eq!(mistakes(&text), ["P(break) < 25%: which variant is meant?"]);
}

#[test]
fn where_a_claim_is_taken_for_a_variant_s_name_the_remedy_says_how_to_compare() {
    let remedy = |holds: &str| remedies(&with_claim(&format!("holds = \"{holds}\""))).join("\n");
    assert!(remedy("P(break) in base != 0.5").contains("compares with <, <=, =, >= or >"));
    assert!(remedy("P(break) in base - P(break) in windy < 0.05").contains("by 5 points"));
}

#[test]
fn what_no_terminal_can_show_is_refused_and_lines_of_a_claim_become_one() {
    let claim = |text: &str| with_claim(&format!("text = \"{text}\"\nholds = \"P(break) in windy < 0.5\""));
    let told = mistakes(&claim("a\\u001bb")).join("\n");
    assert!(told.ends_with("`text` has a character that cannot be shown"), "{told}");
    assert_eq!(good(&claim("one\\n# two")).claims[0].text, "one # two");
}

#[test]
fn what_is_wrong_in_a_claim_is_named_at_its_place() {
    let wrong = |holds: &str| mistakes(&with_claim(&format!("holds = \"{holds}\"")));
    assert_eq!(wrong("P(break) in windi < 0.5"), ["windi: there is no variant called `windi`"]);
    assert_eq!(wrong("mean(result) < 3"), ["result: `break_test` ends in a name, and names have no mean"]);
    assert_eq!(
        wrong("mean(losses) < 3"),
        ["losses: `break_test` neither gives nor records anything called `losses`"]
    );
    assert_eq!(wrong("0.2 < 0.3"), ["0.2 < 0.3: this compares two numbers"]);
    assert_eq!(
        wrong("P(break) in windy < P(break)"),
        ["P(break) in windy < P(break): this compares a quantity with itself"]
    );
    let told = wrong("P(brek) < 0.3");
    assert!(told[0].starts_with("brek: "), "{told:?}");
    let told = mistakes(&with_claim("where = \"excess is 4\"\nholds = \"P(break) < 0.5\""));
    assert_eq!(told, ["excess is 4: this holds in no situation of the grid"]);
}

#[test]
fn a_set_of_numbers_is_read_as_stretches() {
    let spans = |set: &str| {
        let text = format!(
            "test = \"strength\"\nvariants = {{ a = \"base.rules\" }}\n[[claim]]\nholds = \"P({set}) < 1\"\n"
        );
        match good(&text).claims.remove(0).left {
            Side::Quantity(Quantity::Probability(set), 0) => set.spans,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(spans("7"), [(7, 7)]);
    assert_eq!(spans("4..6"), [(4, 6)]);
    assert_eq!(spans("9+"), [(9, i64::MAX)]);
    assert_eq!(spans("..2"), [(i64::MIN, 2)]);
    assert_eq!(spans("{2, 4..6, 7, 11}"), [(2, 2), (4, 7), (11, 11)]);
    assert_eq!(spans("-2..1"), [(-2, 1)]);
    assert_eq!(spans("< 3"), [(i64::MIN, 2)]);
    assert_eq!(spans("any"), [(i64::MIN, i64::MAX)]);
}

fn with_expect(expect: &str) -> String {
    format!("{HEAD}windy = \"windy.rules\"\n{POLICY}{GRID}[[expect]]\n{expect}\n")
}

#[test]
fn an_expectation_keeps_its_value_as_it_is_written_and_as_a_fraction() {
    let text = "variant = \"windy\"\nsituation = { troop = \"cavalry\", excess = 4 }\nvalue = \"P(break) = 3/36\"\nsource = \"by hand\"\nlimit = true";
    let scenario = good(&with_expect(text));
    let expect = &scenario.expects[0];
    assert_eq!((expect.variant, &expect.situation[..]), (1, &[1, 4, 0, 1][..]));
    assert_eq!((expect.value.as_str(), expect.fraction), ("3/36", (1, 12)));
    assert!(expect.limit && expect.source == "by hand");
}

#[test]
fn what_is_wrong_in_an_expectation_is_named() {
    let wrong = |situation: &str, value: &str| {
        mistakes(&with_expect(&format!(
            "variant = \"windy\"\nsituation = {situation}\nvalue = \"{value}\"\nsource = \"x\""
        )))
    };
    assert_eq!(
        wrong("{ troop = \"infantry\" }", "P(break) < 3/36")[0],
        "P(break) < 3/36: a known value is a quantity, `=` and a number"
    );
    assert_eq!(
        wrong("{ excess = 1 }", "P(break) = 1")[0],
        "[[expect]]: nothing says what these factors are: `troop`"
    );
    assert_eq!(
        wrong("{ troop = \"lancers\" }", "P(break) = 1")[0],
        "\"lancers\": `lancers` is not a value of `troop`"
    );
    assert_eq!(
        wrong("{ troop = \"cavalry\", shaken = true }", "P(break) = 1")[0],
        "[[expect]]: this situation does not exist: horses never shake"
    );
    let told = mistakes(&with_expect("variant = \"wind\"\nvalue = \"P(break) = 1\"\nsource = \"x\""));
    assert_eq!(told, ["\"wind\": there is no variant called `wind`"]);
}

fn with_chart(chart: &str) -> String {
    format!("{HEAD}{POLICY}{GRID}[[chart]]\n{chart}\n")
}

#[test]
fn a_chart_knows_its_axis_and_its_panels() {
    let text = "kind = \"curve\"\noutcome = \"retreat..break\"\npanel = \"troop\"\nwhere = \"troop is cavalry\"\ntitle = \"T\"";
    let scenario = good(&with_chart(text));
    let chart = &scenario.charts[0];
    assert_eq!((chart.kind, chart.x, chart.panel), (ChartKind::Curve, Some(1), Some(0)));
    assert_eq!(chart.outcome.as_ref().unwrap().spans, [(2, 3)]);
    assert_eq!((&chart.situations[..], chart.title.as_deref()), (&[3, 4, 5][..], Some("T")));
}

#[test]
fn a_flow_has_panels_and_no_axis() {
    let flow = |rest: &str| {
        format!("{HEAD}draft = \"windy.rules\"\n{POLICY}{GRID}[[chart]]\nkind = \"flow\"\n{rest}\n")
    };
    let scenario = good(&flow("panel = \"troop\""));
    let chart = &scenario.charts[0];
    assert_eq!((chart.kind, chart.x, chart.panel), (ChartKind::Flow, None, Some(0)));
    assert!(!scenario.paired && good(&format!("paired = true\n{}", flow(""))).paired);
    assert_eq!(mistakes(&flow("x = \"excess\"")), ["\"excess\": a flow has no axis"]);
}

#[test]
fn outcomes_are_ranked_where_all_variants_agree() {
    let ranks = |draft: &str| good(&format!("{HEAD}draft = \"{draft}\"\n{POLICY}{GRID}")).ranks(0);
    assert_eq!(ranks("windy.rules"), Some(vec![0, 1, 2, 3]));
    // one has no retreat, the other no rout: nobody says which is worse
    let two = "test = \"break_test\"\n[variants]\noriginal = \"base.rules\"\ndraft = \"rout.rules\"\n";
    let grid = "[grid]\ntroop = \"infantry\"\nexcess = 0\n";
    assert_eq!(good(&format!("{two}{POLICY}{grid}")).ranks(0), None);
    let number = HEAD.replace("break_test", "strength");
    assert_eq!(good(&format!("{number}[grid]\nexcess = \"0..2\"\n")).ranks(0), None);
}

#[test]
fn what_is_wrong_in_a_chart_is_named() {
    let wrong = |chart: &str| mistakes(&with_chart(chart));
    assert_eq!(wrong("kind = \"curv\""), ["\"curv\": there is no chart of the kind `curv`"]);
    assert_eq!(
        wrong("kind = \"curve\"\nx = \"troop\""),
        ["\"troop\": `troop` is not a number: a curve cannot run along it"]
    );
    assert_eq!(
        wrong("kind = \"outcomes\"\nx = \"shaken\""),
        ["\"shaken\": `shaken` is not a factor of the grid"]
    );
    assert_eq!(
        wrong("kind = \"outcomes\"\nx = \"troop\"\npanel = \"troop\""),
        ["\"troop\": `troop` can stand along an axis or in panels, but only once"]
    );
    assert_eq!(
        wrong("kind = \"flow\""),
        ["\"flow\": a flow goes from the baseline to a draft, and there is only one variant"]
    );
    let told = wrong("kind = \"curve\"\noutcome = \"brek\"");
    assert!(told[0].starts_with("brek: "), "{told:?}");
}

#[test]
fn mistakes_of_every_part_are_told_in_one_reading() {
    let text = format!(
        "trails = 3\n{HEAD}[grid]\ntroop = \"infantri\"\n[policy]\nbreak_chart = \"retreet\"\n[[claim]]\nholds = \"P(break) < often\"\n[[chart]]\nkind = \"pie\"\n"
    );
    assert_eq!(mistakes(&text).len(), 5);
}

#[test]
fn mutilated_scenarios_are_answered_and_never_panic() {
    let good = with_claim("holds = \"P(break) in windy > P(break) in original by 2 points\"")
        + "[[expect]]\nvariant = \"windy\"\nsituation = { troop = \"infantry\" }\nvalue = \"P(break) = 3/36\"\nsource = \"x\"\n"
        + "[[chart]]\nkind = \"curve\"\noutcome = \"break\"\nx = \"excess\"\n";
    let scraps = [
        "\"",
        "[",
        "]]",
        "{",
        "}",
        "=",
        "\n",
        "..",
        "é",
        "\u{0}",
        "9999999999",
        "-",
        "0",
        "(",
        ")",
        "in",
        "'''",
        "#",
        ",",
        "\\",
        "_",
        ".",
    ];
    let mut state = 1815_u64;
    let mut next = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let (mut broken, mut rounds) = (0, 0);
    while rounds < 3000 {
        let mut text: Vec<char> = good.chars().collect();
        for _ in 0..=next(3) {
            let (at, end) = (next(text.len()), next(12));
            let end = (at + end).min(text.len());
            let piece: Vec<char> = match next(3) {
                0 => Vec::new(),
                1 => scraps[next(scraps.len())].chars().collect(),
                _ => text[at..end].iter().rev().copied().collect(),
            };
            text.splice(at..end, piece);
        }
        let text: String = text.into_iter().collect();
        let (mut sources, mut found) = (Sources::default(), Diagnostics::default());
        sources.add("in/base.rules", BASE);
        sources.add("in/windy.rules", WINDY);
        sources.add("in/a.toml", text.as_str());
        let scenario = load(Path::new("in/a.toml"), &mut sources, &mut found);
        assert_eq!(scenario.is_none(), found.has_errors(), "{text}");
        for (span, _) in found.iter().flat_map(|one| &one.labels) {
            sources.text(*span); // a place inside a letter would panic
        }
        broken += usize::from(scenario.is_none());
        rounds += 1;
    }
    assert!(broken > 1000 && broken < 3000, "{broken}"); // else the mutations test nothing
}

#[test]
fn a_flood_of_nonsense_is_answered() {
    let unique: String = (0..15_000).map(|at| format!("key{at} = 1\n")).collect();
    let nonsense = [
        "[".repeat(1 << 16),
        "=\n".repeat(1 << 15),
        "\u{e9}".repeat(1 << 16),
        "a = 1\n".repeat(40_000),
        "[[claim]]\n".repeat(30_000),
        format!("grid.x = [{}]", "1,".repeat(120_000)),
        "\u{0}".repeat(1 << 16),
        unique,
    ];
    for text in nonsense {
        let start: String = text.chars().take(12).collect();
        let (mut sources, mut found) = (Sources::default(), Diagnostics::default());
        sources.add("in/a.toml", text);
        assert!(load(Path::new("in/a.toml"), &mut sources, &mut found).is_none(), "{start}");
        let count = found.iter().count();
        assert!((1..=100).contains(&count), "{start}: {count} diagnostics");
    }
}

#[test]
fn the_scenario_that_is_shipped_is_understood_as_counted_by_hand() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios/black-powder/break-test.toml");
    let (mut sources, mut found) = (Sources::default(), Diagnostics::default());
    let scenario = load(&path, &mut sources, &mut found).unwrap();
    assert!(found.is_empty(), "{found:?}");
    assert_eq!((scenario.folder.as_str(), scenario.stem.as_str()), ("black-powder", "break-test"));
    // four arms, five excesses, two flags; under fire one flag more
    assert_eq!(scenario.situations.len(), 4 * 5 * 4 * (2 + 1));
    let claimed: Vec<usize> = scenario.claims.iter().map(|claim| claim.situations.len()).collect();
    assert_eq!(claimed, [5 * 2 * 2, 5 * 2 * 2 * 2]);
    let Results::Named(results) = &scenario.main().results else { panic!("named results") };
    let worst = results.len() as i64 - 1;
    assert_eq!(scenario.charts[2].outcome.as_ref().unwrap().spans, [(worst, worst)]);
    assert_eq!(scenario.expects[3].fraction, (1, 12));
}
