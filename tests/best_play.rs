//! Players who have aims: the moves that are found are the best of all that there are, as trying all policies shows,
//! and interpreter and kernel play them.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[path = "support/every_way.rs"]
mod every_way;
#[path = "support/lanes.rs"]
mod lanes;

use dashu_ratio::RBig;
use every_way::distribution_within;
use houserule::diagnostic::{Diagnostics, Sources};
use houserule::exact::{self, Budget, Probability};
use houserule::interpret;
use houserule::plan::program::{Options, SiteId, Step};
use houserule::plan::{Look, Moves, Outcome, Plan, Table};
use houserule::rules::FactorId;
use houserule::scenario;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// The plan of some rules under a policy, as TOML.
fn plan(rules: &str, policy: &str) -> Plan {
    let (mut sources, mut found) = (Sources::default(), Diagnostics::default());
    sources.add("in/r.rules", format!("ruleset \"r\"\n{rules}"));
    let text = "title = \"t\"\ntest = \"t\"\ntrials = 1\nseed = 1\nbaseline = \"it\"\n[variants]\nit = \"r.rules\"\n";
    sources.add("in/s.toml", format!("{text}[grid]\n[policy]\n{policy}"));
    let scenario = scenario::load(Path::new("in/s.toml"), &mut sources, &mut found);
    let told: Vec<String> = found.into_iter().map(|one| one.message).collect();
    Plan::all(&scenario.unwrap_or_else(|| panic!("{told:?}\n{rules}"))).remove(0).remove(0)
}

/// The plan with best play, after both solver and interpreter have played it: the mean of what it gives.
fn best(plan: Plan) -> (Plan, RBig) {
    let (table, _) = exact::best(&plan, Budget::default()).unwrap();
    let plan = plan.with_table(Arc::new(table));
    let solved = exact::solve(&plan, Budget::default()).unwrap().result;
    let mean = solved.iter().map(|(value, share)| match share {
        Probability::Exact(share) => RBig::from(*value) * share,
        Probability::Near(..) => panic!("not exact"),
    });
    let mean: RBig = mean.fold(RBig::ZERO, |sum, part| sum + part);
    assert_eq!(mean, played(&plan), "the interpreter plays otherwise");
    assert_eq!(lanes::wrong_lane(&plan, 1_100), None);
    (plan, mean)
}

/// The mean of what the interpreter gives, over all ways that the dice can fall.
fn played(plan: &Plan) -> RBig {
    let all = distribution_within(2_000_000, |dice| match interpret::trial(plan, dice).outcome {
        Outcome::Result(value) => value,
        Outcome::Unresolved => panic!("unresolved"),
    });
    let (weights, whole) = all.unwrap();
    let sum: i128 = weights.iter().map(|(value, weight)| i128::from(*value) * *weight as i128).sum();
    RBig::from_parts(sum.into(), whole.into())
}

#[test]
fn a_shipped_chart_is_played_for_an_aim() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios/black-powder");
    let text = std::fs::read_to_string(folder.join("break-test.toml")).unwrap();
    let fixed = "break_chart = \"hold_disordered\"";
    assert!(text.contains(fixed));
    let (mut sources, mut found) = (Sources::default(), Diagnostics::default());
    let path = folder.join("aimed.toml");
    sources.add(&path, text.replace(fixed, "break_chart = \"maximise P(retreat)\""));
    let scenario = scenario::load(&path, &mut sources, &mut found).unwrap();
    // infantry under fire, no casualties in excess: scores 5 and 6 leave it the choice
    let (plan, _) = best(Plan::all(&scenario).remove(1).remove(0));
    let result = plan.rules.tests[plan.entry.0].result;
    let retreat = plan.rules.value_of(result, "retreat").unwrap();
    let solved = exact::solve(&plan, Budget::default()).unwrap().result;
    assert_eq!(solved[&i64::from(retreat)], Probability::fraction(9, 36));
}

/// Numbers that look like chance, the same on every run.
struct Luck(u64);

impl Luck {
    fn up_to(&mut self, most: u64) -> i64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % most) as i64
    }
}

/// Two dice of so many faces, and a choice of so many options behind each.
const FACES: [i64; 2] = [2, 2];
const OPTIONS: [i64; 2] = [2, 3];

/// What a trial gives: weights of products of what fell and what was picked.
struct Payoff([i64; 7]);

impl Payoff {
    fn any(luck: &mut Luck) -> Self {
        Self(std::array::from_fn(|_| luck.up_to(7) - 3))
    }

    fn rules(&self) -> String {
        let [a, b, c, d, e, f, g] = self.0;
        let [one, two] = FACES;
        format!(
            "test t -> number {{\n    let a = 1d{one}\n    let x = choose first from 0..1\n    let b = 1d{two}\n\
             \x20   let y = choose second from 0..2\n    return {a} * x + {b} * y + {c} * a * x + {d} * b * y + \
             {e} * x * y + {f} * a * y + {g} * y * y\n}}\n"
        )
    }

    fn of(&self, (a, x, b, y): (i64, i64, i64, i64)) -> i64 {
        let [k1, k2, k3, k4, k5, k6, k7] = self.0;
        k1 * x + k2 * y + k3 * a * x + k4 * b * y + k5 * x * y + k6 * a * y + k7 * y * y
    }

    /// The best that the first player can do, where he tries every policy, and for each of them the second player tries
    /// every policy of his own: the sum over all rolls.
    fn best(&self, first_maximises: bool, second_maximises: bool) -> i64 {
        let better =
            |maximise: bool, one: i64, other: i64| if maximise { one.max(other) } else { one.min(other) };
        let firsts = policies(OPTIONS[0], FACES[0] as u32);
        let seconds = policies(OPTIONS[1], (FACES[0] * FACES[1]) as u32);
        let worth = |first: &[i64], second: &[i64]| -> i64 {
            let rolls = (0..FACES[0]).flat_map(|a| (0..FACES[1]).map(move |b| (a, b)));
            rolls
                .map(|(a, b)| self.of((a + 1, first[a as usize], b + 1, second[(a * FACES[1] + b) as usize])))
                .sum()
        };
        let replies = firsts.iter().map(|first| {
            let all = seconds.iter().map(|second| worth(first, second));
            all.reduce(|one, other| better(second_maximises, one, other)).unwrap()
        });
        replies.reduce(|one, other| better(first_maximises, one, other)).unwrap()
    }
}

/// Every way to answer so many questions with so many options.
fn policies(options: i64, questions: u32) -> Vec<Vec<i64>> {
    let answer = |number: i64, question: u32| number / options.pow(question) % options;
    (0..options.pow(questions)).map(|number| (0..questions).map(|at| answer(number, at)).collect()).collect()
}

#[test]
fn no_policy_is_better_than_best_play() {
    let mut luck = Luck(4);
    for _ in 0..60 {
        let payoff = Payoff::any(&mut luck);
        for (first, second) in [(true, true), (true, false), (false, true), (false, false)] {
            let word = |maximise| if maximise { "maximise" } else { "minimise" };
            let policy = format!(
                "first = \"{} mean(result)\"\nsecond = \"{} mean(result)\"\n",
                word(first),
                word(second)
            );
            let (_, mean) = best(plan(&payoff.rules(), &policy));
            let known = RBig::from_parts(payoff.best(first, second).into(), 4_u8.into());
            assert_eq!(mean, known, "{}{policy}", payoff.rules());
        }
    }
}

#[test]
fn no_handful_of_dice_is_better_than_the_one_that_is_picked() {
    // two dice with three faces: six hands, and for each the dice that are rolled again: 4 to the power of 6 policies
    let hands = [[1, 1], [1, 2], [1, 3], [2, 2], [2, 3], [3, 3]];
    let mut luck = Luck(5);
    for _ in 0..40 {
        let worth: [i64; 6] = std::array::from_fn(|_| luck.up_to(9));
        let worth_of = |mut hand: [i64; 2]| {
            hand.sort_unstable();
            worth[hands.iter().position(|known| *known == hand).unwrap()]
        };
        // of nine rolls behind each of nine hands
        let again = |hand: [i64; 2], which: i64| -> i64 {
            let fall = |one: i64, other: i64| {
                worth_of([
                    if which & 1 > 0 { one } else { hand[0] },
                    if which & 2 > 0 { other } else { hand[1] },
                ])
            };
            (1..=3)
                .flat_map(|one| (1..=3).map(move |other| (one, other)))
                .map(|(one, other)| fall(one, other))
                .sum()
        };
        let ways = |hand: &[i64; 2]| if hand[0] == hand[1] { 1 } else { 2 };
        let all = policies(4, 6).into_iter().map(|policy| -> i64 {
            hands.iter().zip(policy).map(|(hand, which)| ways(hand) * again(*hand, which)).sum()
        });
        let arms = hands.iter().zip(worth).map(|([low, high], worth)| {
            format!("    if low is {low} and high is {high} {{ return {worth} }}\n")
        });
        let rules = format!(
            "test t -> number {{\n    let dice = 2d3\n    let r = dice reroll chosen\n\
             \x20   let high = r highest\n    let low = r lowest\n{}    return 0\n}}\n",
            arms.collect::<String>()
        );
        let (_, mean) = best(plan(&rules, "t = \"maximise mean(result)\"\n"));
        assert_eq!(mean, RBig::from_parts(all.max().unwrap().into(), 81_u8.into()), "{rules}");
    }
}

#[test]
fn units_of_one_line_may_have_aims_of_their_own() {
    let rules = "factor men: 1..6 = 1\nunit red, blue: men\n\
                 test pick(roll) -> number { let n = choose from 0..roll\n    return n }\n\
                 test t -> number {\n    let one = 1d3\n    let two = 1d4\n\
                 \x20   let a = pick(one) for red\n    let b = pick(two) for blue\n    return a - b\n}\n";
    let policy = "pick = \"minimise mean(result)\"\n\"pick for red\" = \"maximise mean(result)\"\n";
    let (_, mean) = best(plan(rules, policy));
    // red takes all that he can, and so does blue: 2 - 5/2
    assert_eq!(mean, RBig::from_parts((-1).into(), 2_u8.into()));
}

#[test]
fn an_aim_at_a_record_is_played() {
    let rules =
        "test t -> number {\n    let w = choose w { a: 1; b: 2 }\n    record got = w\n    return d2\n}\n";
    for (aim, got) in [("maximise", 2), ("minimise", 1)] {
        let plan = plan(rules, &format!("w = \"{aim} mean(got)\"\n"));
        let (table, worths) = exact::best(&plan, Budget::default()).unwrap();
        assert_eq!(worths.into_values().collect::<Vec<_>>(), [Probability::fraction(got, 1)]);
        let plan = plan.with_table(Arc::new(table));
        let solved = exact::solve(&plan, Budget::default()).unwrap();
        let of_record: Vec<i64> =
            solved.records.into_values().flat_map(|values| values.into_keys()).collect();
        assert_eq!(of_record, [got]);
        assert_eq!(lanes::wrong_lane(&plan, 1_100), None);
        let (seen, _) = distribution_within(10, |dice| interpret::trial(&plan, dice).records).unwrap();
        assert_eq!(seen.into_keys().collect::<Vec<_>>(), [vec![Some(got)]]);
    }
}

/// Rules of which more than a few ways are open: the kernel's lanes, played again by the interpreter.
#[track_caller]
fn lanes_play(rules: &str, policy: &str) {
    let plan = plan(rules, policy);
    let (table, _) = exact::best(&plan, Budget::default()).unwrap();
    assert!(!table.sites.is_empty(), "nobody decides anything");
    let plan = plan.with_table(Arc::new(table));
    assert_eq!(lanes::wrong_lane(&plan, 4_200), None, "{rules}");
}

#[test]
fn lanes_take_the_first_number_where_the_second_is_lower() {
    let rules = "test t -> number {\n    let a = d6\n    let b = d6\n    let c = choose from a..b\n\
                 \x20   return c * 10 + a\n}\n";
    for aim in ["maximise", "minimise"] {
        lanes_play(rules, &format!("t = \"{aim} mean(result)\"\n"));
    }
}

#[test]
fn lanes_count_the_passes_of_the_call_that_is_under_way() {
    let rules = "test pull(most) -> number {\n    repeat most times {\n        let d = d6\n\
                 \x20       let k = choose pull from 0..1\n        if k is 1 { return d }\n    }\n    return 0\n}\n\
                 test t -> number {\n    let a = pull(3)\n    let b = pull(d6)\n    let c = pull(2)\n\
                 \x20   return a + b + c\n}\n";
    lanes_play(rules, "pull = \"maximise mean(result)\"\n");
    let question = "test go_on(x) -> flag {\n    let k = choose go_on from 0..1\n    return k is 0\n}\n\
                    test t -> number {\n    var sum = 0\n    var last = d6\n\
                    \x20   repeat until go_on(last), cap 5 { last = d6; if last is 1 { return 0 }; sum += last }\n\
                    \x20   return sum\n}\n";
    lanes_play(question, "go_on = \"maximise mean(result)\"\n");
}

#[test]
fn lanes_look_at_the_dice_of_the_call_that_is_under_way() {
    let rules = "test one -> number {\n    let p = 2d4\n    let q = choose one from 0..1\n\
                 \x20   return q * (p rank 1) - q * 3\n}\n\
                 test two -> number {\n    let p = 3d4\n    let q = choose two from 0..1\n\
                 \x20   return q * (p rank 2) - q * 2\n}\n\
                 test three -> number {\n    let p = 2d3\n    let r = p reroll chosen as three\n    return r\n}\n\
                 test t -> number {\n    let x = one\n    let y = two if x > 0 else three\n    let z = three\n\
                 \x20   return x + y + z\n}\n";
    let policy =
        "one = \"maximise mean(result)\"\ntwo = \"minimise mean(result)\"\nthree = \"maximise P(7+)\"\n";
    lanes_play(rules, policy);
}

#[test]
fn lanes_keep_and_roll_again_the_dice_that_a_player_likes() {
    let rules = "test t -> number {\n    let wild = [d6, d4, d4]\n    let kept = wild keep chosen as kept at least 1 dice\n\
                 \x20   let again = kept reroll chosen as again at most 2 dice\n    record again = again\n\
                 \x20   return again highest 2 if again doubles else 0 - (again lowest)\n}\n";
    lanes_play(rules, "kept = \"maximise mean(result)\"\nagain = \"maximise mean(result)\"\n");
    let own = "die odd { -2, 0, 0, 5 }\ntest t -> number {\n    let dice = [2 odd, d4]\n    let again = dice reroll chosen as again\n\
               \x20   let third = again reroll chosen as third at least 1 dice at most 1 dice\n    return third\n}\n";
    lanes_play(own, "again = \"maximise P(4+)\"\nthird = \"minimise mean(result)\"\n");
}

#[test]
fn lanes_send_units_in_the_order_that_a_table_says() {
    let rules = "factor men: 1..6 = 2\nunit ours[3]: men\ntest t -> number {\n    var won = d6\n\
                 \x20   ours[2].men = d4\n    ours[3].men = d3\n\
                 \x20   for u in ours in chosen order as next {\n        if won < u.men { stop }\n\
                 \x20       won += 10 - u.men\n        if d6 is 6 { won += 2 }\n    }\n    return won\n}\n";
    let plan = plan(rules, "next = \"maximise mean(result)\"\n");
    let program = plan.program.clone().unwrap();
    let second = plan.rules.factors.iter().position(|factor| factor.name == "ours[2].men").unwrap();
    let looks = vec![Look::Left(program.loops[0].span), Look::Cell(FactorId(second))];
    let units = program.blocks.iter().flat_map(|block| &block.steps).find_map(|step| match step {
        Step::Choose(_, _, Options::Listed(listed)) => Some(listed.iter().map(|(unit, _)| *unit)),
        _ => None,
    });
    let units: Vec<i32> = units.unwrap().collect();
    // one that is gone already is among these
    let unit = |left: i32, men: i32| units[((left * 2 + men * (left + 1)) % 3) as usize];
    let seen = (0..3).flat_map(|left| (1..=4).map(move |men| (left, men)));
    let moves = seen.map(|(left, men)| (vec![left, men], vec![unit(left, men)])).collect();
    let sites = BTreeMap::from([(SiteId(0), Moves { looks, moves })]);
    let plan = plan.with_table(Arc::new(Table { result: true, records: Vec::new(), sites }));
    assert_eq!(lanes::wrong_lane(&plan, 4_200), None);
}

#[test]
fn lanes_play_for_several_players_with_options_that_roll() {
    let rules = "outcome o {\n    low\n    mid\n    high\n}\nfactor men: 0..9 = 3\nunit red, blue: men\n\
                 test act(seen) -> number {\n    let way = choose act { press: d6; hold: 2; back: 0 - d3 }\n\
                 \x20   men = max(0, men - (1 if way > 4 else 0))\n    return way\n}\n\
                 test lost(by) -> o { return low or mid }\ntest won(by) -> o { return mid or high }\n\
                 test t -> o {\n    let first = d3\n    let a = act(first) for red\n    let b = act(a) for blue\n\
                 \x20   if a > b { return lost(a - b) }\n    if a < b { return won(b - a) }\n\
                 \x20   if red.men < blue.men { return low }\n    return high\n}\n";
    let policy = "act = \"maximise P(high)\"\n\"act for blue\" = \"minimise P(high)\"\n\
                  lost = \"maximise P(mid)\"\nwon = \"minimise P(mid)\"\n";
    lanes_play(rules, policy);
}

/// Where a lane does not decide, nothing that lay in its columns before comes to be a flag.
#[test]
fn lanes_that_do_not_decide_are_left_with_a_flag() {
    let rules = "test t -> number {\n    let a = d(20) + 2\n    let b = d(20) + 4\n    let c = d(20) + 8\n\
                 \x20   let w = max(max(a * 7, b * 9), max(b * 9, c * 7))\n    let e = d6\n    var f = 0\n\
                 \x20   if w > 150 { f = choose from 0..1 } else { f = 1 }\n    if e > 5 { f = 0 }\n    return f\n}\n";
    lanes_play(rules, "t = \"maximise P(1)\"\n");
}

#[test]
fn lanes_look_at_what_was_recorded() {
    let rules = "test t -> number {\n    repeat 3 times {\n        let d = d6\n        let k = choose from 0..d\n\
                 \x20       if d > 2 { record got += k * (d - 3) }\n    }\n    return d2\n}\n";
    for aim in ["maximise P(got is 4..5)", "minimise mean(got)"] {
        lanes_play(rules, &format!("t = \"{aim}\"\n"));
    }
}

#[test]
fn lanes_pick_the_dice_that_are_nearest_to_a_set() {
    let rules = "die odd { -300, -2, 0, 4 }\ntest t -> number {\n    let dice = [2 odd, d4]\n\
                 \x20   let kept = dice keep chosen as kept at least 2 dice\n\
                 \x20   let again = kept reroll chosen as again at least 1 dice at most 1 dice\n    return again\n}\n";
    for (kept, again) in [("3+", "..0"), ("..-301", "2..3"), ("{-1, 9..12}", "5..")] {
        let plan = plan(rules, &format!("kept = \"{kept}\"\nagain = \"{again}\"\n"));
        assert_eq!(lanes::wrong_lane(&plan, 1_100), None, "{kept} {again}");
    }
}
