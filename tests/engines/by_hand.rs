//! Trials with dice put down by hand: what comes out must be what a player at the table comes to.

use crate::ways::ruleset;
use houserule::interpret::trial;
use houserule::plan::{Move, Outcome, Plan, Trial};
use houserule::random::Replay;
use houserule::rules::tree::End;
use houserule::rules::{Expr, ExprNode, Picks, Place, Ruleset, Set, SetSpan, Span, Type};
use std::sync::Arc;

/// Plays the test `t` with these dice, all of which must be used, under a move for each choice.
#[track_caller]
fn played(rules: &Arc<Ruleset>, moves: &[Option<Move>], dice: &[u32]) -> Trial {
    let situation = rules.factors.iter().map(|factor| factor.default.unwrap()).collect();
    let plan = Plan::new(rules, rules.test("t").unwrap(), situation, &moves.to_vec().into());
    let mut replay = Replay::new(dice.iter().copied());
    let trial = trial(&plan, &mut replay);
    assert!(replay.is_used_up(), "these are not the dice that the rules ask for");
    trial
}

/// What the steps of a test of numbers come to with these dice.
#[track_caller]
fn number(steps: &str, dice: &[u32]) -> Outcome {
    let rules = ruleset(&format!("ruleset \"r\"\nfactor n: 0..9 = 2\ntest t -> number {{ {steps} }}"));
    played(&rules, &[], dice).outcome
}

/// The result and the records of a whole text with these dice.
#[track_caller]
fn reported(text: &str, dice: &[u32]) -> (Outcome, Vec<Option<i64>>) {
    let Trial { outcome, records } = played(&ruleset(&format!("ruleset \"r\"\n{text}")), &[], dice);
    (outcome, records)
}

const fn gives(value: i32) -> Outcome {
    Outcome::Result(value)
}

#[test]
fn dice_are_counted_kept_and_ranked() {
    assert_eq!(number("return 4d6 count 4+", &[4, 3, 6, 1]), gives(2));
    assert_eq!(number("return 4d6 count {1, 5..6}", &[4, 3, 6, 1]), gives(2));
    assert_eq!(number("return 3d6 keep 4+", &[4, 3, 6]), gives(10));
    assert_eq!(number("return 3d6 drop 4+", &[4, 3, 6]), gives(3));
    assert_eq!(number("return 3d6 highest 2", &[4, 3, 6]), gives(10));
    assert_eq!(number("return 3d6 drop lowest", &[4, 3, 6]), gives(10));
    assert_eq!(number("return 3d6 rank 2", &[4, 3, 6]), gives(4));
    assert_eq!(number("return (2d6 keep 5+) highest", &[4, 3]), gives(0));
    assert_eq!(number("let r = 3d6; return 100 * r[1] + 10 * r[2] + r[3]", &[4, 3, 6]), gives(436));
    assert_eq!(number("return [d10, d8] rank 1", &[3, 8]), gives(8));
    assert_eq!(number("return 1 if 2d6 doubles else 0", &[4, 4]), gives(1));
    assert_eq!(number("return 1 if 5d6 alike 3 else 0", &[4, 1, 4, 2, 2]), gives(0));
    assert_eq!(number("return 1 if 0 d6 any any else 0", &[]), gives(0));
    assert_eq!(number("return 1 if 0 d6 all 1 else 0", &[]), gives(0));
    assert_eq!(number("return 1 if 2d6 all 1 else 0", &[1, 1]), gives(1));
    assert_eq!(number("return d(n + 2)", &[4]), gives(4));
    assert_eq!(number("return (d6) d4", &[3, 1, 2, 4]), gives(7));
}

#[test]
fn the_ends_of_a_set_are_worked_out_behind_the_dice_and_once() {
    // two dice, then the end: 5 or more
    assert_eq!(number("return 2d6 count >= (d6)", &[5, 4, 5]), gives(1));
    assert_eq!(number("return 3d6 reroll ..(d2) at most (d3) dice", &[1, 2, 1, 2, 2, 6, 5]), gives(13));
}

#[test]
fn dice_are_rolled_again_in_the_order_of_the_law() {
    // each once, as they lie: 1 1 5 become 6 1 5
    assert_eq!(
        number("let r = 3d6 reroll 1; return 100 * r[1] + 10 * r[2] + r[3]", &[1, 1, 5, 6, 1]),
        gives(615)
    );
    // each for itself, the first until it is done
    let each = "let r = 2d6 reroll 1 at most 2 times; return 10 * r[1] + r[2]";
    assert_eq!(number(each, &[1, 1, 1, 1, 1, 3]), gives(13));
    // in all, the lowest first: the 1, then the first 2
    let lowest = "let r = 4d6 reroll < 4 at most 2 dice; return 1000 * r[1] + 100 * r[2] + 10 * r[3] + r[4]";
    assert_eq!(number(lowest, &[2, 3, 1, 2, 5, 6]), gives(6352));
}

#[test]
fn exploding_dice_lie_behind_the_others_and_may_explode_in_their_turn() {
    // the first and the third 6, then what the first added
    assert_eq!(number("return (3d6 explode 6 at most 3 times) count any", &[6, 1, 6, 6, 2, 5]), gives(6));
    assert_eq!(number("return 3d6 explode 6 at most 1 times", &[6, 1, 6, 6, 2]), gives(21));
    assert_eq!(number("return 3d6 explode 6 at most 1 dice", &[6, 1, 6, 6]), gives(19));
    assert_eq!(number("return d6 explode 6 cap 2", &[6, 6, 5]), gives(17));
    assert_eq!(number("return d6 explode 6 cap 2", &[6, 6, 6]), Outcome::Unresolved);
}

#[test]
fn loops_end_where_they_say() {
    let tries = "var k = 0\nrepeat until d6 is 6, at most 3 times { k += 1 }\nreturn k";
    assert_eq!(number(tries, &[1, 6]), gives(1));
    assert_eq!(number(tries, &[1, 2, 3]), gives(3), "not asked again behind the last pass");
    let patient = "var k = 0\nrepeat until d6 is 6, cap 3 { k += 1 }\nreturn k";
    assert_eq!(number(patient, &[1, 2, 3, 6]), gives(3), "asked once more behind the last pass");
    assert_eq!(number(patient, &[1, 2, 3, 4]), Outcome::Unresolved);
    assert_eq!(number("var k = 0\nrepeat n times { k += d6 }\nreturn k", &[3, 4]), gives(7));
    assert_eq!(number("var k = 0\nfor i in 1..3 { if i is 2 { stop }; k += i }\nreturn k", &[]), gives(1));
    assert_eq!(
        number("for i in 1..3 { for j in 1..3 { if i * j is 6 { return 10 * i + j } } }; return 0", &[]),
        gives(23)
    );
    assert_eq!(number("var k = 5\nfor i in 2..n - 1 { k += 1 }\nreturn k", &[]), gives(5), "no pass");
    let inner = "var k = 0\nfor i in 1..2 { repeat 3 times { k += 1; if k is {2, 5} { stop } } }\nreturn k";
    assert_eq!(number(inner, &[]), gives(5), "only the inner loop is left");
}

#[test]
fn what_changes_is_read_behind_the_value_that_changes_it() {
    let bump = "factor n: 0..9 = 2\ntest bump -> number { n = 5; return 1 }\n";
    assert_eq!(reported(&format!("{bump}test t -> number {{ n += bump; return n }}"), &[]).0, gives(6));
    assert_eq!(
        number(
            "var l = [1, 2, 3]\nl[between(1, n, 3)] += d6\nl[3] -= 1\nreturn 100 * l[1] + 10 * l[2] + l[3]",
            &[4]
        ),
        gives(162)
    );
    assert_eq!(number("var r = 2d6\nr = r reroll 1\nreturn r", &[1, 4, 3]), gives(7));
}

/// A name that is given other dice behind a condition.
#[test]
fn dice_that_are_replaced_behind_a_condition_are_those_that_count() {
    let steps = "var r = 2d6\nif d6 > 3 { r = d6 }\nreturn r";
    assert_eq!(number(steps, &[1, 2, 4, 6]), gives(6));
    assert_eq!(number(steps, &[1, 2, 3]), gives(3));
}

#[test]
fn what_a_call_sets_is_put_back_and_what_it_changes_stays() {
    let text = "factor n: 0..9 = 2\nfactor m: 0..9 = 3\n\
        test inner -> number { m += n; n = 9; return n }\n\
        test t -> number { let a = inner with n = m; return 100 * a + 10 * n + m }";
    assert_eq!(reported(text, &[]).0, gives(926), "n is 2 again, m is 3 + 3");
}

#[test]
fn records_are_set_added_to_and_missing() {
    let text = "test helper { record hits += d6 }\n\
        test t { record lucky = d6 is 6\nhelper; helper\nif n > 5 { record never = 1 } }\nfactor n: 0..9 = 2";
    assert_eq!(reported(text, &[6, 2, 3]), (gives(0), vec![Some(5), Some(1), None]));
}

#[test]
fn a_chance_is_one_die() {
    assert_eq!(number("return 1 if chance 1/3 else 0", &[1]), gives(1));
    assert_eq!(number("return 1 if chance 1/3 else 0", &[2]), gives(0));
    assert_eq!(number("return 1 if chance 35% else 0", &[35]), gives(1));
    assert_eq!(number("return 1 if chance 35% else 0", &[36]), gives(0));
}

#[test]
fn dice_with_faces_of_their_own_are_rolled_by_position() {
    let text = "die average { 2, 3, 3, 4, 4, 5 }\ntest t -> number { return 2 average }";
    assert_eq!(reported(text, &[1, 6]).0, gives(7));
    let text =
        "die battle { foot, foot, horse }\ntest t -> number { return (3 battle reroll foot) count foot }";
    assert_eq!(reported(text, &[1, 3, 2, 3, 1]).0, gives(1), "foot horse foot, then horse foot");
}

#[test]
fn a_test_may_give_a_list() {
    let text = "test pair(x) -> number[2] { return [x, d6] }\n\
        test t -> number { let p = pair(7); return 10 * p[1] + p[2] }";
    assert_eq!(reported(text, &[4]).0, gives(74));
}

const ARMY: &str = "ruleset \"r\"\nfactor hits: 0..99 = 1\nfactor wall: 0..9 = 4\nunit us, them: hits\nunit guns[2]: hits, wall\n";

#[test]
fn inside_a_call_for_a_unit_its_factors_go_by_their_bare_names() {
    let army = |steps: &str| {
        let text = format!(
            "{ARMY}test hurt(x) -> number {{ hits += x; return hits }}\n\
             test both -> number {{ let a = hurt(2) for guns[1]; return 10 * hits + a }}\n\
             test t -> number {{ {steps} }}"
        );
        played(&ruleset(&text), &[], &[]).outcome
    };
    assert_eq!(army("let a = hurt(5) for them; return 100 * a + 10 * us.hits + hits"), gives(611));
    // the inner call is for another unit line that has the same factor; behind it the outer one's holds again
    assert_eq!(
        army("us.hits = 7; let a = both for us; return 100 * a + 10 * guns[1].hits + guns[2].hits"),
        gives(7331)
    );
    // what the call sets is put back, on the unit
    assert_eq!(
        army("let a = hurt(5) for them with hits = 20; return 100 * a + 10 * them.hits + hits"),
        gives(2511)
    );
    assert_eq!(
        army(
            "let a = them.hits; them.hits = 3; let u = them if a is 1 else us; u.hits += 1; return them.hits"
        ),
        gives(4)
    );
    assert_eq!(
        army("var k = 0; for g in guns { g.hits += k + 1; k += 1 }; return 10 * guns[1].hits + guns[2].hits"),
        gives(23)
    );
    assert_eq!(army("let u = us; return 1 if u is us and u is not them else 0"), gives(1));
}

/// A move for the only choice of some rules.
fn expr(node: ExprNode, ty: Type) -> Expr {
    Expr { node, ty, span: Span::default() }
}

#[test]
fn a_number_is_the_nearest_that_is_allowed() {
    let rules = ruleset("ruleset \"r\"\ntest t -> number { return choose x from 1..(d6) }");
    let chosen = |one: Move, die: u32| played(&rules, &[Some(one)], &[die]).outcome;
    assert_eq!(chosen(Move::End(End::Highest), 4), gives(4));
    assert_eq!(chosen(Move::End(End::Lowest), 4), gives(1));
    let three = || Move::Condition { expr: expr(ExprNode::Constant(3), Type::Number), text: String::new() };
    assert_eq!((chosen(three(), 4), chosen(three(), 2), chosen(three(), 1)), (gives(3), gives(2), gives(1)));
}

#[test]
fn what_an_option_gives_is_worked_out_once_it_is_picked() {
    let rules = ruleset("ruleset \"r\"\ntest t -> number { return choose x { safe: 2; bold: 2 * d6 } }");
    assert!(matches!(&rules.choices[0].picks, Picks::Option(_, options) if options == &[0, 1]));
    assert_eq!(played(&rules, &[Some(Move::Option(0))], &[]).outcome, gives(2));
    assert_eq!(played(&rules, &[Some(Move::Option(1))], &[5]).outcome, gives(10));
    // a mix is one die before
    assert_eq!(played(&rules, &[Some(Move::Mix(vec![(0, 1), (1, 2)]))], &[2, 5]).outcome, gives(10));
}

#[test]
fn chosen_dice_come_near_to_the_set() {
    let low = |ends: Option<i32>| Move::Dice {
        set: Set {
            spans: ends
                .map(|high| SetSpan::Range(None, Some(expr(ExprNode::Constant(high), Type::Number))))
                .into_iter()
                .collect(),
            span: Span::default(),
        },
        text: String::new(),
    };
    let each = "100 * r[1] + 10 * r[2] + r[3]";
    let again = |limits: &str, one: Move, dice: &[u32]| {
        let steps = format!("let r = 3d6 reroll chosen{limits}; return {each}");
        let rules = ruleset(&format!("ruleset \"r\"\ntest t -> number {{ {steps} }}"));
        played(&rules, &[Some(one)], dice).outcome
    };
    assert_eq!(again("", low(Some(2)), &[2, 5, 1, 6, 4]), gives(654));
    assert_eq!(again("", low(None), &[2, 5, 1]), gives(251));
    assert_eq!(again(" at most 1 dice", low(Some(2)), &[2, 5, 1, 6]), gives(256), "the lowest face");
    assert_eq!(
        again(" at least 2 dice", low(Some(1)), &[6, 5, 1, 6, 4]),
        gives(664),
        "the 5 is nearest to 1"
    );
    let keep = |limits: &str, one: Move, dice: &[u32]| {
        let text = format!("ruleset \"r\"\ntest t -> number {{ return 3d6 keep chosen{limits} }}");
        played(&ruleset(&text), &[Some(one)], dice).outcome
    };
    assert_eq!(keep(" at least 1 dice", low(None), &[3, 2, 6]), gives(2), "nothing is near: the lowest");
    assert_eq!(keep(" at most 1 dice", low(Some(5)), &[3, 5, 6]), gives(5), "the highest");
}

#[test]
fn units_come_in_the_order_that_the_player_likes() {
    let text = format!(
        "{ARMY}test t -> number {{ var seen = 0; guns[1].hits = 5; guns[2].wall = 9\n\
         for g in guns in chosen order {{ seen = 10 * seen + g.hits; guns[2].hits += 1 }}; return seen }}"
    );
    let rules = ruleset(&text);
    let wall = rules.factor("wall").unwrap();
    let order = |by: Option<Expr>, end| {
        let one = Move::Order { by, end, text: String::new() };
        played(&rules, &[Some(one)], &[]).outcome
    };
    assert_eq!(order(None, End::Lowest), gives(52));
    assert_eq!(order(None, End::Highest), gives(15));
    let by_wall = || Some(expr(ExprNode::Read(Place::Factor(wall)), Type::Number));
    assert_eq!((order(by_wall(), End::Lowest), order(by_wall(), End::Highest)), (gives(52), gives(15)));
    let hits = rules.factor("hits").unwrap();
    let by_hits = Some(expr(ExprNode::Read(Place::Factor(hits)), Type::Number));
    assert_eq!(order(by_hits, End::Lowest), gives(15));
}
