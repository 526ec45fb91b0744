//! Rules at the edge of what there is, played by the kernel; and each trial again by the interpreter, with the
//! same dice.

use crate::lanes_support::wrong_lane;
use crate::ways::{plan, ruleset};
use houserule::kernel::Kernel;
use houserule::plan::{Chunk, Plan};
use houserule::rules::RecordId;

/// The plan of the test `t`, with all records counted together or none.
fn plan_of(rules: &str, together: bool) -> Plan {
    let plan = plan(&ruleset(&format!("ruleset \"odd\"\n{rules}")), "t");
    let joint = if together { (0..plan.rules.records.len()).map(RecordId).collect() } else { Vec::new() };
    Plan { joint, ..plan }
}

/// Fails where a lane ends otherwise than the rules say.
#[track_caller]
fn plays(rules: &str) {
    for together in [false, true] {
        if let Some(wrong) = wrong_lane(&plan_of(rules, together), 2_100) {
            panic!("{wrong}\n{rules}");
        }
    }
}

#[test]
fn a_chunk_of_any_length_is_played_to_its_end() {
    let rules = "test t -> number { var n = 0\n repeat until d6 is 6, cap 9 { n += 1 }\n record n = n\n\
     return d6 if n > 2 else 0 }";
    for trials in [0, 1, 2, 15, 255, 256, 257, 1_023, 1_024, 1_025, 65_535, 65_536] {
        assert_eq!(wrong_lane(&plan_of(rules, true), trials), None, "{trials}");
    }
}

#[test]
fn no_dice_one_die_and_a_thousand_fall() {
    plays(
        "factor none: 0..5 = 0\ntest t -> number {\n let a = none d6\n let b = (d2 - 1) d1000\n\
         let c = (1000 * (d2 - 1)) d1000\n\
         return a + b * 2 + c + 1000 d1 + 7 d1 + (c count 1000) * 10000 + (1 if b any 1..500 else 0) }",
    );
    plays(
        "test t -> number {\n let a = 1000 d1000\n let b = 999 d1000\n let c = (d(1000)) d(1000)\n\
         record a = a\n\
         record high = a count 900+\n record c = c\n record every = c all 2+\n return b }",
    );
    plays(
        "test t -> number {\n let n = d6 - 1\n let a = n d6\n let b = n d(n + 1)\n let c = (a count 3+) d3\n\
         return (a highest 2) * 1000 + b * 10 + c + (100000 if c alike 2 else 0) }",
    );
    plays("test t -> number { let a = 1000 d1000\n return a rank 3 }");
}

#[test]
fn numbers_of_dice_may_come_out_of_numbers_of_any_size() {
    plays(
        "test t -> number {\n var k = d6 * 100000 - 100000\n let m = max(0, min(10, k - 200000))\n\
         let z = between(0, d6 - 4, 3)\n\
         let a = (m) d6\n let b = (z) d6\n let c = (max(0, d6 - 4)) d6\n return a * 10000 + b * 100 + c }",
    );
}

#[test]
fn dice_have_faces_of_their_own() {
    plays(
        "die odd { -1000, 7, 7, 1000 }\ndie huge { -1000000000, 0, 1000000000 }\n\
         die neg { -3, -2, -1 }\ndie one { 5 }\n\
         test t -> number {\n let a = 30 odd\n let b = 2 huge\n let c = (d3) neg\n let e = 3 one\n\
         record b = b\n record c = c\n\
         record low = c lowest\n record a = a\n return e + (a count 7) + (a count -1000) + (c rank 1) }",
    );
    plays(
        "die battle { foot, foot, horse, grenade, star, flag_face }\ntest t -> number {\n let a = 5 battle\n\
         let b = (a reroll {star, flag_face})\n\
          return (b count foot) * 100 + (a count {horse, grenade}) * 10 + (1 if b doubles else 0) }",
    );
}

#[test]
fn chances_are_never_always_and_between() {
    let chances = [
        "0/1",
        "1/1",
        "0%",
        "100%",
        "35%",
        "(d6)/6",
        "(d6 * 100000)/1000000",
        "999999999/1000000000",
        "1/1000000000",
        "500/1000",
        "500/1001",
    ];
    let part = |(at, chance): (usize, &&str)| {
        format!(
            "let x{at} = chance {chance}\n\
     total += ({} if x{at} else 0)\n",
            1 << at
        )
    };
    let parts: String = chances.iter().enumerate().map(part).collect();
    plays(&format!("test t -> number {{\n var total = 0\n {parts} return total }}"));
}

#[test]
fn explosions_and_rerolls_keep_to_their_bounds() {
    plays(
        "test t -> number {\n let a = 3d6 explode 5+ cap 3\n let b = d6 explode 6 at most 2 times\n\
         let c = 4d3 explode 3 at most 2 dice\n\
         let e = 4d3 explode {1, 3} at most 0 dice\n\
         let f = 2d4 explode 4 at most 3 dice at most 2 times\n record a = a\n\
         record n = a count any\n record f = f + e\n return b * 100 + c }",
    );
    plays(
        "test t -> number {\n let n = d4 - 1\n let a = 4d6 reroll 1..2\n\
         let b = 4d6 reroll 1..3 at most n times\n\
         let c = 4d6 reroll ..4 at most n dice\n let e = 4d6 reroll any at most 2 times\n\
         let f = 4d6 reroll {1, 6} at most 0 dice\n\
         return a * 1000000 + b * 10000 + c * 100 + e + f }",
    );
}

#[test]
fn all_ends_of_a_set_are_worked_out_before_dice_are_dropped() {
    for change in [
        "keep (p rank 2)..",
        "drop (p count 1)",
        "keep ((p highest 1) + 0)..",
        "drop (p rank 1)",
        "keep (p count any)..",
    ] {
        plays(&format!(
            "test t -> number {{ var p = 5d6\n p = p {change}\n p = p drop ..(p count 2)\n\
         return (p count any) * 100 + p }}"
        ));
    }
}

#[test]
fn numbers_end_where_narrow_columns_do() {
    plays("test t -> number { let x = d1000 * 33 - 32801\n let y = d2\n return up(x / y) }");
    plays(
        "test t -> number { let x = d1000 * 33 - 32801\n let y = d2\n\
     return down(x / y) + up(x / (y + 1)) }",
    );
    plays(
        "test t -> number {\n let a = d1000 * 32 + 767\n let b = -a - 1\n let c = a - (d2 - 1)\n\
         record n = -b\n record m = abs(b)\n\
         record p = b * -1\n record s = a + a\n record q = down(b / -1)\n\
         record u = up(b / (d2 - 3))\n record v = down(b / (d2))\n\
         return max(a, -b) - min(b, -a) + between(b, c, a) }",
    );
    // a sum that just fits, and looks as if it did not
    plays(
        "test t -> number {\n var x = 32737\n repeat 5 times { x += d6\n let y = min(9, down((x - 32737) / 11) + 0)\n\
         record y = y * y * 3 - y }\n return x }",
    );
    // a wide number that has become a flag
    plays(
        "test t -> number { let x = (2d1 explode 2+ at most 1 times) + 0\n let a = d3\n\
     return between(0, x, 1) d3 rank (a if a < 3 else 1) }",
    );
}

#[test]
fn sums_may_need_more_than_32_bits() {
    const HUGE: &str = "1000000000 * 2";
    plays(&format!("test t -> number {{ record big = {HUGE}\n record big += {HUGE}\n return d6 }}"));
    for sign in ["", "-"] {
        plays(&format!(
            "test t -> number {{ record big = {sign}{HUGE}\n record big += {sign}{HUGE}\n\
             record big += d3\n return d6 }}"
        ));
        plays(&format!(
            "test t -> number {{ repeat 10 times {{ record big += {sign}{HUGE} + d6\n\
             if d6 is 6 {{ record small = d6; record big += d6 }} }}\n return d6 }}"
        ));
    }
    // the smallest number of 32 bits, in trials some of which have none
    plays(&format!(
        "test t -> number {{ if d2 is 1 {{ record low = -{HUGE}\n record low += -147483648\n\
         record low += -(d3 - 1) * 100000\n record low += (d3 - 1) * 50000 }}\n return d6 }}"
    ));
    plays(&format!(
        "test t -> number {{ repeat until d6 is 1, cap 3 {{ let a = d2 }}\n\
         if d6 is 1 {{ return -{HUGE} - 147483648 }}\n\
         if d6 is 2 {{ return {HUGE} + 147483647 }}\n record x = d6\n return d6 }}"
    ));
    plays(
        "test t -> number { let a = d1000 * 1000000 + d1000 * 1000 + d1000\n record m = a * 2\n\
     record s = -a\n return a }",
    );
}

#[test]
fn as_many_keys_as_fit_in_a_row_and_one_more() {
    for (first, second) in [
        (128, 128),
        (127, 129),
        (128, 127),
        (1000, 33),
        (1000, 32),
        (181, 181),
        (8, 1),
        (3, 3),
        (64, 4),
        (257, 1),
    ] {
        for beside in ["return d2", "return 7", "repeat until d100 > 1, cap 1 { let x = 1 }\n return d2"] {
            plays(&format!(
                "test t -> number {{ let a = (d({first}) - 1) * {second} + d({second})\n\
             record a = a\n {beside} }}"
            ));
            let returned = beside.replace("return d2", "return a").replace("return 7", "return a");
            plays(&format!(
                "test t -> number {{ let a = (d({first}) - 1) * {second} + d({second})\n\
             {returned} }}"
            ));
        }
    }
    plays(
        "test t -> number {\n record a = d6\n record b = d6\n record c = d6\n record e = d6\n\
         record f = d6\n if d2 is 1 { record h = d6 }\n\
         repeat until d6 is 1, cap 4 { record i += d1000 }\n return d6 }",
    );
}

#[test]
fn patience_ends_after_one_pass_or_after_a_hundred_thousand() {
    plays(
        "test t -> number {\n var n = 0\n record x = 1\n\
         repeat until d6 is 6, cap 1 { n += 1; record x += 5 }\n\
         repeat until d100 is 100, cap 100000 { n += 1; record y += 1 }\n return n }",
    );
    plays("test t -> number { repeat until no, cap 3 { record x += d6\n if d6 is 1 { return 1 } } }");
    plays(
        "test t -> number { var n = 0\n\
     for i in 1..100000 { n += 1; if d100 is 100 { return i * 10 + d6 } }\n return n }",
    );
}

#[test]
fn what_the_question_changes_is_changed_once_more_than_there_are_passes() {
    for (cap, asked) in [("cap 7", 8), ("cap 8", 9), ("at most 7 times", 7), ("cap 327", 329)] {
        plays(&format!(
            "factor n: 0..3 = 0\ntest ask -> flag {{ n += 100\n record n += 100\n return n >= {asked}00 }}\n\
             test t -> number {{ repeat until ask, {cap} {{ let x = d2 }}\n return n }}"
        ));
    }
}

#[test]
fn nobody_goes_a_way_that_only_tables_know_to_be_closed() {
    plays(
        "test t -> number { let a = d6\n var n = 0\n if a * 2 is 3 { n = d6\n\
         repeat until d6 is 1, cap 50 { n += 1 } }\n return n }",
    );
    plays(
        "test t -> number { let a = d6\n var n = 0\n if a * 2 is 3 { n = d6\n if n > 3 { n += d8 + d8 }\n\
         repeat until d6 is 1, cap 50 { n += 1 }\n return 7 }\n return n }",
    );
}

#[test]
fn what_some_lanes_change_others_keep() {
    plays(
        "test t -> number { var f = d6 > 3\n var x = 0\n\
     if f { f = no; x = 3 + d6 } else { f = yes; x = 1 }\n if f { x += 10 }\n return x }",
    );
    plays(
        "factor shaken: flag = no\nfactor n: 0..5 = 2\ntest f(x) -> number { n += x\n\
         if shaken { n = 0 - n; return n }\n return n + d3 }\n\
         test t -> number { let a = f(d6) with shaken = d2 is 1, n = n + d4\n let b = f(1)\n\
         let c = f(n) with n = b\n\
         return a * 100 + b * 10 + c + n }",
    );
    plays(
        "test t -> number {\n var l = [0, 0, 0, 0]\n for i in 1..4 { l[i] = d6 - 3 }\n let k = d4\n\
         l[k] += 100000\n l[5 - k] -= 7\n\
         var m = l\n m[1] = down(l[2] / 3) * 2 - l[3]\n record best = m rank 1\n record pos = m count 1+\n\
         return between(-1000000, sum(l), 1000000) + m[k] + (1000000 if m alike 2 else 0) }",
    );
    plays(
        "factor men: 0..20 = 9\nfactor loss: 0..20 = 0\nunit red, blue: men, loss\ntest hit(n) {\n\
         var left = n\n\
         repeat until left <= 0, cap 20 {\n\
         if d6 is 5+ { men = max(0, men - 1); loss += 1; record losses += 1 }\n left -= 1\n\
         for i in 1..2 { if d3 is 1 { stop }; left -= 1 } } }\n\
         test t -> number { repeat until red.men is 0 or blue.men is 0, cap 40 {\n\
         hit(red.men) for blue\n hit(blue.men) for red\n\
         if red.men + blue.men < 4 { stop } }\n return red.men - blue.men }",
    );
}

/// Numbers that grow by one another have no bound that is found step by step.
#[test]
fn numbers_that_are_added_to_in_turns_are_played_as_well() {
    plays(
        "factor n: 0..5 = 0\nfactor m: 0..5 = 0\ntest t -> number {\n repeat until d6 is 6, cap 5 { n += d2\n m = n\n\
         m += d2\n n = m\n if d6 is 6 { m = 0 } }\n return between(0, n, 50) }",
    );
    plays(
        "test t -> number {\n var x = 0\n var y = 0\n repeat until d6 is 6, cap 5 { x += 1\n if d6 is 1 { y = x }\n\
         y += 1\n if d6 is 1 { x = y } }\n return between(0, x, 50) + between(0, y, 50) }",
    );
}

/// Long trials are among those that were begun like all others, however many lanes end together.
#[test]
fn long_trials_are_as_many_as_there_should_be() {
    let plan = plan_of(
        "test t -> number { var n = 0\n repeat until d6 is 6, cap 1000 { n += 1 }\n return n }",
        false,
    );
    let mut kernel = Kernel::default();
    for trials in [900, 1_500, 65_536] {
        let (mut sum, mut all) = (0, 0);
        for number in 0..(131_072 / trials) {
            let tally = kernel.play(&plan, Chunk { seed: 5, number, trials }).unwrap();
            assert_eq!((tally.trials, tally.unresolved, tally.counts.values().sum()), (trials, 0, trials));
            sum += tally.counts.iter().map(|(passes, count)| *passes as u64 * count).sum::<u64>();
            all += trials;
        }
        // the mean of 5 passes has the variance 30 / trials; six standard deviations are never seen
        let (mean, deviation) = (sum as f64 / all as f64, (30.0 / all as f64).sqrt());
        assert!((mean - 5.0).abs() < 6.0 * deviation, "{trials}: {mean}");
    }
}

#[test]
fn a_kernel_that_has_played_before_plays_like_a_new_one() {
    let rules = "test t -> number { let p = 3d6 explode 6 cap 2\n var n = p rank 2\n\
                 repeat until d6 is 6, cap 9 { n += d10\n record n += 1 }\n return n }";
    let plans =
        [plan_of(rules, false), plan_of(rules, true), plan_of("test t -> number { return 2d6 }", false)];
    let mut old = Kernel::default();
    for (number, trials) in [(0, 1_100), (3, 40), (1, 1_024), (0, 1_100), (2, 1), (0, 1_100)] {
        for plan in &plans {
            let chunk = Chunk { seed: 2, number, trials };
            assert_eq!(old.play(plan, chunk), Kernel::default().play(plan, chunk));
            assert_eq!(old.play(plan, chunk), Kernel::default().play(plan, chunk), "twice");
        }
    }
}
