//! Which plans share a name: those of which the same is left, wherever and beside whatever it stands.

use crate::ways::{plan, ruleset};
use houserule::plan::{ContentId, Move, Plan};
use houserule::rules::tree::End;

const HEAD: &str = "ruleset \"r\"\nfactor hits: 0..9 = 1\nfactor save: 2..6 = 4\nunit us, them: hits, save\n";

fn id(text: &str) -> ContentId {
    plan(&ruleset(text), "t").id
}

/// The name of a test's plan below the head, and what stands above and below it.
fn body(before: &str, steps: &str, behind: &str) -> ContentId {
    id(&format!(
        "{HEAD}{before}\ntest wound(x) -> number {{ hits += x; return hits d6 count >= save }}\ntest t -> number {{ {steps} }}\n{behind}"
    ))
}

const STEPS: &str = "record first = wound(1) for us; return wound(2) for them";

#[test]
fn what_the_entry_never_comes_to_makes_no_difference() {
    let plain = body("", STEPS, "");
    assert_eq!(plain, body("", STEPS, "factor other: flag = no\ntest more -> flag { return other }"));
    assert_eq!(plain, body("factor other: flag = no\ntest more -> flag { return other }\n\n", STEPS, ""));
    assert_eq!(plain, body("kind k { a \"A\"; b }\n# a remark", &STEPS.replace("; ", "\n\n   "), ""));
}

#[test]
fn what_a_trial_may_depend_on_makes_one() {
    let others = [
        body("", STEPS, ""),
        body("", &STEPS.replace("wound(2)", "wound(4)"), ""),
        body("", &STEPS.replace("for us", "for them"), ""),
        body("", &STEPS.replace("first", "second"), ""),
        body("", &STEPS.replace("first =", "first +="), ""),
        id(&format!(
            "{}test wound(x) -> number {{ hits += x; return hits d6 count >= save }}\ntest t -> number {{ {STEPS} }}",
            HEAD.replace("save: 2..6 = 4", "save: 2..6 = 5")
        )),
        id(&format!(
            "{HEAD}test wound(x) -> number {{ hits += x; return hits d8 count >= save }}\ntest t -> number {{ {STEPS} }}"
        )),
        id(&format!(
            "{HEAD}test wound(x) -> number {{ hits -= x; return max(0, hits) d6 count >= save }}\ntest t -> number {{ {STEPS} }}"
        )),
    ];
    for (at, one) in others.iter().enumerate() {
        assert!(!others[..at].contains(one), "number {at}");
    }
}

#[test]
fn the_factors_of_units_belong_to_the_name() {
    let rules = ruleset(&format!(
        "{HEAD}test hurt -> number {{ return hits d6 count 4+ }}\ntest t -> number {{ return hurt for them }}"
    ));
    let with = |name: &str| {
        let mut situation: Vec<i32> = rules.factors.iter().map(|factor| factor.default.unwrap()).collect();
        if let Some(factor) = rules.factor(name) {
            situation[factor.0] += 1;
        }
        Plan::new(&rules, rules.test("t").unwrap(), situation, &Vec::new().into()).id
    };
    assert_ne!(with(""), with("them.hits"));
    assert_eq!(with(""), with("them.save"), "nobody looks at it");
}

#[test]
fn a_policy_belongs_to_the_name_where_its_choice_is_met() {
    let rules = ruleset(
        "ruleset \"r\"\ntest t -> number { return choose x from 1..(d6) }\ntest u -> number { return choose y from 1..(d8) }",
    );
    let with = |test: &str, x: Move, y: Move| {
        let moves = [Some(x), Some(y)].to_vec().into();
        Plan::new(&rules, rules.test(test).unwrap(), Vec::new(), &moves).id
    };
    let (low, high) = (|| Move::End(End::Lowest), || Move::End(End::Highest));
    assert_ne!(with("t", low(), low()), with("t", high(), low()));
    assert_eq!(with("t", low(), low()), with("t", low(), high()));
    assert_ne!(with("t", low(), low()), with("u", low(), low()));
}
