//! Factors, their values, and situations that are taken out.

use super::*;

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
