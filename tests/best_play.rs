//! Players who have aims: the moves that are found are the best of all that there are, as trying all policies shows,
//! and the interpreter plays them.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[path = "support/every_way.rs"]
mod every_way;

use dashu_ratio::RBig;
use every_way::distribution_within;
use houserule::diagnostic::{Diagnostics, Sources};
use houserule::exact::{self, Budget, Probability};
use houserule::interpret;
use houserule::plan::{Outcome, Plan};
use houserule::scenario;
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
        let (seen, _) = distribution_within(10, |dice| interpret::trial(&plan, dice).records).unwrap();
        assert_eq!(seen.into_keys().collect::<Vec<_>>(), [vec![Some(got)]]);
    }
}
