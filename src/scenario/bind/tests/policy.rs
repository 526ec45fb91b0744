//! Policies: names of options, mixes, conditions, aims.

use super::*;

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
