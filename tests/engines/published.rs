//! Problems with known answers that people published, as far as the language can say them today. Each answer is a
//! fraction from its source or counted by hand, and must come out exactly.

use crate::ways::{distribution, ruleset};
use houserule::interpret::trial;
use houserule::plan::{Outcome, Plan};
use houserule::rules::{Ruleset, Type};
use std::sync::Arc;

/// A plan with these factors set, by name.
fn plan(rules: &Arc<Ruleset>, test: &str, factors: &[(&str, i32)]) -> Plan {
    let mut situation: Vec<i32> =
        rules.factors.iter().map(|factor| factor.default.unwrap_or(factor.values[0])).collect();
    for (name, value) in factors {
        situation[rules.factor(name).unwrap().0] = *value;
    }
    Plan::new(rules, rules.test(test).unwrap(), situation, &Vec::new().into())
}

/// Whether a test gives just these results, each with its probability as a fraction.
#[track_caller]
fn gives(plan: &Plan, expected: &[(&str, u128, u128)]) {
    let (weights, whole) = distribution(|dice| trial(plan, dice));
    let ty: Type = plan.rules.tests[plan.entry.0].result;
    for (name, top, bottom) in expected {
        let value = plan.rules.value_of(ty, name).unwrap();
        let weight = weights.get(&Outcome::Result(value)).copied().unwrap_or(0);
        assert_eq!(weight * bottom, top * whole, "P({name}) is {weight}/{whole}, not {top}/{bottom}");
    }
    let sum: f64 = expected.iter().map(|(_, top, bottom)| *top as f64 / *bottom as f64).sum();
    assert!((sum - 1.0).abs() < 1e-12, "the expected values are all there are");
}

/// **Source:** iandrea.co.uk, DBA odds: 09, 17, 04, 06 and 00 of 36.
#[test]
fn dba_close_combat_of_4_against_2() {
    let rules = ruleset(
        r#"ruleset "DBA close combat"
outcome result { attacker_doubles; attacker_wins; draw; defender_wins; defender_doubles; }
test combat -> result {
    let attacker = d6 + 4
    let defender = d6 + 2
    if attacker >= 2 * defender { return attacker_doubles }
    if defender >= 2 * attacker { return defender_doubles }
    if attacker is defender { return draw }
    return attacker_wins if attacker > defender else defender_wins
}"#,
    );
    let odds = [
        ("attacker_doubles", 9, 36),
        ("attacker_wins", 17, 36),
        ("draw", 4, 36),
        ("defender_wins", 6, 36),
        ("defender_doubles", 0, 1),
    ];
    gives(&plan(&rules, "combat", &[]), &odds);
}

/// **Source:** lasthussar.wordpress.com, Black Powder: 9, 6 and 15 of 36; 11, 5 and 10; 11, 4 and 6; and the author's
/// house rule, where the print has 11 for 2 moves at 9 and arithmetic has 15.
#[test]
fn black_powder_command_rolls_and_a_house_rule() {
    let rules = ruleset(
        r#"ruleset "Black Powder command"
factor command: 5..10
factor half_for_three: flag = no
chart moves(under) -> number { under | result; ..-1 | 0; 0..1 | 1; 2 | 2; 3+ | 3 }
test order -> number {
    let roll = 2d6
    let made = moves(command - roll)
    return 2 if made is 3 and half_for_three and roll > down(command / 2) else made
}"#,
    );
    let rows = [
        (9, [6, 9, 6, 15], [6, 9, 15, 6]),
        (8, [10, 11, 5, 10], [10, 11, 9, 6]),
        (7, [15, 11, 4, 6], [15, 11, 7, 3]),
    ];
    for (command, original, variant) in rows {
        for (half, counts) in [(0, original), (1, variant)] {
            let odds: Vec<(String, u128, u128)> =
                counts.iter().enumerate().map(|(moves, count)| (moves.to_string(), *count, 36)).collect();
            let odds: Vec<(&str, u128, u128)> =
                odds.iter().map(|(moves, a, b)| (moves.as_str(), *a, *b)).collect();
            gives(&plan(&rules, "order", &[("command", command), ("half_for_three", half)]), &odds);
        }
    }
}

/// **Source:** avianon.net, leadership table ("warm"), and warhamsandwich.com for the charge of 8 inches, which is the
/// same arithmetic from above.
#[test]
fn leadership_tests_with_and_without_a_second_roll() {
    let rules = ruleset(
        r#"ruleset "Leadership"
factor leadership: 2..10
factor reroll: flag = no
test pass -> flag {
    if 2d6 <= leadership { return yes }
    return reroll and 2d6 <= leadership
}
test charge -> flag { return 2d6 >= 8 or reroll and 2d6 >= 8 }"#,
    );
    let once = [1, 3, 6, 10, 15, 21, 26, 30, 33];
    let twice = [
        (71, 1296),
        (23, 144),
        (11, 36),
        (155, 324),
        (95, 144),
        (119, 144),
        (299, 324),
        (35, 36),
        (143, 144),
    ];
    for (at, (count, (top, bottom))) in once.into_iter().zip(twice).enumerate() {
        let leadership = ("leadership", at as i32 + 2);
        gives(&plan(&rules, "pass", &[leadership]), &[("yes", count, 36), ("no", 36 - count, 36)]);
        gives(
            &plan(&rules, "pass", &[leadership, ("reroll", 1)]),
            &[("yes", top, bottom), ("no", bottom - top, bottom)],
        );
    }
    gives(&plan(&rules, "charge", &[]), &[("yes", 5, 12), ("no", 7, 12)]);
    gives(&plan(&rules, "charge", &[("reroll", 1)]), &[("yes", 95, 144), ("no", 49, 144)]);
}

/// **Source:** rule of tow.whfb.app, break test; counted over the 36 rolls.
#[test]
fn the_old_world_break_test() {
    let rules = ruleset(
        r#"ruleset "The Old World"
outcome result { gives_ground; falls_back; breaks; }
factor leadership: 2..10
factor lost_by: 0..10
test break_test -> result {
    let natural = 2d6
    if natural is 2 { return gives_ground }
    if natural > leadership { return breaks }
    return falls_back if natural + lost_by > leadership else gives_ground
}"#,
    );
    let rows = [
        (6, 1, [10, 5, 21]),
        (6, 3, [3, 12, 21]),
        (6, 5, [1, 14, 21]),
        (7, 1, [15, 6, 15]),
        (7, 3, [6, 15, 15]),
        (7, 5, [1, 20, 15]),
        (8, 1, [21, 5, 10]),
        (8, 3, [10, 16, 10]),
        (8, 5, [3, 23, 10]),
        (9, 1, [26, 4, 6]),
        (9, 3, [15, 15, 6]),
        (9, 5, [6, 24, 6]),
    ];
    for (leadership, lost_by, [ground, back, breaks]) in rows {
        let odds = [("gives_ground", ground, 36), ("falls_back", back, 36), ("breaks", breaks, 36)];
        gives(&plan(&rules, "break_test", &[("leadership", leadership), ("lost_by", lost_by)]), &odds);
    }
}

/// **Source:** charts of napoleonicwargaming.blogspot.com, August 2023; counted over the six rolls.
#[test]
fn one_clubs_old_and_new_morale_chart() {
    let rules = ruleset(
        r#"ruleset "Club morale"
outcome old_result { pass; shaken; rout; }
outcome new_result { pass; disordered; disordered_retreat; shaken_retreat; rout; }
factor modifier: -3..1
chart old_chart(score) -> old_result { score | result; 3+ | pass; 1..2 | shaken; ..0 | rout }
chart new_chart(score) -> new_result {
    score | result
    5+    | pass
    4     | disordered
    3     | disordered_retreat
    2     | shaken_retreat
    ..1   | rout
}
test old_test -> old_result { return old_chart(d6 + modifier) }
test new_test -> new_result { return new_chart(d6 + modifier) }"#,
    );
    let old = [(1, [5, 1, 0]), (0, [4, 2, 0]), (-1, [3, 2, 1]), (-2, [2, 2, 2]), (-3, [1, 2, 3])];
    for (modifier, [pass, shaken, rout]) in old {
        let odds = [("pass", pass, 6), ("shaken", shaken, 6), ("rout", rout, 6)];
        gives(&plan(&rules, "old_test", &[("modifier", modifier)]), &odds);
    }
    let new = [
        (1, [3, 1, 1, 1, 0]),
        (0, [2, 1, 1, 1, 1]),
        (-1, [1, 1, 1, 1, 2]),
        (-2, [0, 1, 1, 1, 3]),
        (-3, [0, 0, 1, 1, 4]),
    ];
    for (modifier, [pass, disordered, back, shaken, rout]) in new {
        let odds = [
            ("pass", pass, 6),
            ("disordered", disordered, 6),
            ("disordered_retreat", back, 6),
            ("shaken_retreat", shaken, 6),
            ("rout", rout, 6),
        ];
        gives(&plan(&rules, "new_test", &[("modifier", modifier)]), &odds);
    }
}
