use super::*;
use crate::analyse::Probe;
use crate::plan::Counts;
use crate::random::{Generator, Source};

fn fraction(numerator: i64, denominator: u64) -> Probability {
    Probability::fraction(numerator, denominator)
}

/// A point of a probability.
fn point() -> Probability {
    fraction(1, 100)
}

fn exactly(value: Probability) -> Known<'static> {
    Known::Exactly(Some(value))
}

/// One figure as the left side, one as the right.
fn sides<'a>(left: Known<'a>, right: Known<'a>) -> [Part<'a>; 2] {
    let part =
        |shares: [i64; 2], known| Part { shares: shares.map(|one| fraction(one, 1)), known, own: true };
    [part([1, 0], left), part([0, 1], right)]
}

fn of(relation: Relation, margin: Option<Margin>, left: Known, right: Known, error: f64) -> Ruling {
    judge(&conditions(relation, margin, &point()), &sides(left, right), error).ruling
}

/// How 36ths compare.
fn compared(relation: Relation, margin: Option<Margin>, left: i64, right: i64) -> Ruling {
    of(relation, margin, exactly(fraction(left, 36)), exactly(fraction(right, 36)), 0.0)
}

const LESS: Relation = Relation::Less;

fn coin(heads: u64, trials: u64) -> Counts {
    Counts { trials, counts: [(0, trials - heads), (1, heads)].into_iter().collect() }
}

fn heads(key: i64) -> bool {
    key == 1
}

fn share(counts: &Counts) -> Known<'_> {
    Known::Counted(counts, Probe::Share(&heads), None)
}

#[test]
fn equal_values_are_neither_less_nor_more() {
    let ruled = |relation| [2, 3, 4].map(|left| compared(relation, None, left, 3));
    let (holds, fails) = (Ruling::Holds, Ruling::Fails);
    assert_eq!(ruled(Relation::Less), [holds, fails, fails]);
    assert_eq!(ruled(Relation::AtMost), [holds, holds, fails]);
    assert_eq!(ruled(Relation::More), [fails, fails, holds]);
    assert_eq!(ruled(Relation::AtLeast), [fails, holds, holds]);
    assert_eq!(ruled(Relation::Equal), [fails, holds, fails]);
}

#[test]
fn a_margin_in_points_is_the_least_difference_or_where_sides_are_equal_the_most() {
    // 3/36 and 12/36 are a quarter apart: 25 points
    let ruled = |relation, points: (i64, i64)| compared(relation, Some(Margin::Points(points)), 3, 12);
    assert_eq!(ruled(Relation::Less, (24, 1)), Ruling::Holds);
    assert_eq!(ruled(Relation::Less, (25, 1)), Ruling::Fails, "no more than that");
    assert_eq!(ruled(Relation::AtMost, (25, 1)), Ruling::Holds);
    assert_eq!(ruled(Relation::AtMost, (250_001, 10_000)), Ruling::Fails);
    assert_eq!(ruled(Relation::Equal, (25, 1)), Ruling::Holds);
    assert_eq!(ruled(Relation::Equal, (249, 10)), Ruling::Fails);
    let turned = |relation, points: (i64, i64)| compared(relation, Some(Margin::Points(points)), 12, 3);
    assert_eq!(turned(Relation::More, (25, 1)), Ruling::Fails);
    assert_eq!(turned(Relation::AtLeast, (25, 1)), Ruling::Holds);
    assert_eq!(turned(Relation::Equal, (25, 1)), Ruling::Holds);
}

#[test]
fn a_margin_in_times_is_a_factor() {
    let ruled = |relation, times: (i64, i64)| compared(relation, Some(Margin::Times(times)), 8, 12);
    assert_eq!(ruled(Relation::Less, (14, 10)), Ruling::Holds);
    assert_eq!(ruled(Relation::Less, (3, 2)), Ruling::Fails);
    assert_eq!(ruled(Relation::AtMost, (3, 2)), Ruling::Holds);
    assert_eq!(ruled(Relation::Equal, (3, 2)), Ruling::Holds);
    assert_eq!(ruled(Relation::Equal, (14, 10)), Ruling::Fails);
    assert_eq!(compared(Relation::AtLeast, Some(Margin::Times((3, 2))), 12, 8), Ruling::Holds);
    assert_eq!(compared(Relation::More, Some(Margin::Times((3, 2))), 12, 8), Ruling::Fails);
}

#[test]
fn a_number_with_an_error_decides_as_far_as_the_error_allows() {
    let near = |error| exactly(Probability::Near(0.25, error));
    assert_eq!(of(LESS, None, near(0.01), exactly(fraction(27, 100)), 0.0), Ruling::Holds);
    assert_eq!(of(LESS, None, near(0.01), exactly(fraction(23, 100)), 0.0), Ruling::Fails);
    let judged =
        judge(&conditions(LESS, None, &point()), &sides(near(0.01), exactly(fraction(255, 1000))), 0.0);
    assert_eq!((judged.ruling, judged.doubt), (Ruling::Undecided, Some(Doubt::Rounded)));
}

#[test]
fn an_average_is_that_of_the_fractions() {
    // (1 + 2 + 6) / 3 = 3 of 36 against 3 and against 4
    let parts = |right: i64| -> Vec<Part> {
        let left = [1, 2, 6].map(|value| (value, [fraction(1, 3), Probability::ZERO]));
        let all = left.into_iter().chain([(right, [Probability::ZERO, Probability::ONE])]);
        all.map(|(value, shares)| Part { shares, known: exactly(fraction(value, 36)), own: true }).collect()
    };
    let less = |right| judge(&conditions(LESS, None, &point()), &parts(right), 0.0);
    assert_eq!([less(3).ruling, less(4).ruling], [Ruling::Fails, Ruling::Holds]);
    assert_eq!(less(3).sides, [Some(fraction(3, 36)), Some(fraction(3, 36))]);
}

#[test]
fn the_same_rules_on_both_sides_differ_by_nothing_however_few_the_trials() {
    let counts = coin(1, 3);
    let both = [Part { shares: [Probability::ONE, Probability::ONE], known: share(&counts), own: true }];
    let ruled = |relation| judge(&conditions(relation, None, &point()), &both, 1e-9).ruling;
    assert_eq!(ruled(Relation::Less), Ruling::Fails);
    assert_eq!(ruled(Relation::AtMost), Ruling::Holds);
    assert_eq!(ruled(Relation::Equal), Ruling::Holds);
}

#[test]
fn what_no_trial_can_have_is_not_decided() {
    let doubt = |left| {
        let parts = sides(left, exactly(fraction(1, 2)));
        let judged = judge(&conditions(LESS, None, &point()), &parts, 0.001);
        assert_eq!((judged.ruling, judged.sides[0].clone()), (Ruling::Undecided, None));
        judged.doubt
    };
    assert_eq!(doubt(Known::Exactly(None)), Some(Doubt::Absent));
    assert_eq!(doubt(Known::Unsolved), Some(Doubt::Unsolved));
    assert_eq!(doubt(share(&Counts::default())), Some(Doubt::Trials));
}

#[test]
fn a_share_decides_once_its_exact_interval_is_on_one_side() {
    // nothing in n trials lets a probability be 1 - tail^(1/n) at most: for 100 and a tail of 0.0005 that is 7.32 %
    let counts = coin(0, 100);
    let below =
        |ten_thousandths| of(LESS, None, share(&counts), exactly(fraction(ten_thousandths, 10_000)), 0.001);
    assert_eq!([below(731), below(733)], [Ruling::Undecided, Ruling::Holds]);
    assert_eq!(below(0), Ruling::Fails, "it cannot be below 0");
    let never = of(Relation::Equal, None, share(&counts), exactly(Probability::ZERO), 0.001);
    assert_eq!(never, Ruling::Undecided, "a thousandth would look like that too");
    let once = of(Relation::Equal, None, share(&coin(1, 100)), exactly(Probability::ZERO), 0.001);
    assert_eq!(once, Ruling::Fails);
}

#[test]
fn two_counted_sides_share_the_error() {
    let (left, right) = (coin(300, 1_000), coin(400, 1_000));
    assert_eq!(of(LESS, None, share(&left), share(&right), 0.01), Ruling::Holds);
    assert_eq!(of(LESS, None, share(&right), share(&left), 0.01), Ruling::Fails);
    // together they are known to root(ln(2 / e) / 1000): 7.7 points at half of 1 %, 12.3 at half of a millionth
    assert_eq!(of(LESS, None, share(&left), share(&right), 1e-6), Ruling::Undecided);
}

#[test]
fn a_mean_needs_to_know_how_far_its_numbers_can_reach() {
    // a die: mean 3.5, deviation 1.708; ln 4000 = 8.29: 1.708 sqrt(16.59 / 60000) + 7 x 5 x 8.29 / 180000 = 0.0300
    let die = Counts { trials: 60_000, counts: (1..=6).map(|face| (face, 10_000)).collect() };
    let below = |number, range| {
        let mean = Known::Counted(&die, Probe::Mean, range);
        judge(&conditions(LESS, None, &Probability::ONE), &sides(mean, exactly(number)), 0.001)
    };
    assert_eq!(below(fraction(3_531, 1_000), Some((1, 6))).ruling, Ruling::Holds);
    assert_eq!(below(fraction(3_529, 1_000), Some((1, 6))).ruling, Ruling::Undecided);
    assert_eq!(below(fraction(3_469, 1_000), Some((1, 6))).ruling, Ruling::Fails);
    let blind = below(fraction(1_000, 1), None);
    assert_eq!((blind.ruling, blind.doubt), (Ruling::Undecided, Some(Doubt::Boundless)));
    assert_eq!(below(fraction(7, 1), Some((1, 6))).ruling, Ruling::Holds);
}

#[test]
fn a_quantile_lies_where_the_shares_on_both_sides_allow_it() {
    let die = Counts { trials: 60_000, counts: (1..=6).map(|face| (face, 10_000)).collect() };
    let is = |level, relation, number| {
        let quantile = Known::Counted(&die, Probe::Quantile(level), None);
        judge(
            &conditions(relation, None, &Probability::ONE),
            &sides(quantile, exactly(fraction(number, 1))),
            0.001,
        )
        .ruling
    };
    assert_eq!(is(0.4, Relation::Equal, 3), Ruling::Holds);
    assert_eq!(is(0.4, Relation::Less, 3), Ruling::Fails);
    assert_eq!(is(0.95, Relation::AtMost, 6), Ruling::Holds);
    // half of the throws show 3 or less: the median of so many can be 3, and 4 as well
    assert_eq!([3, 4].map(|number| is(0.5, Relation::Equal, number)), [Ruling::Undecided; 2]);
    assert_eq!([2, 5].map(|number| is(0.5, Relation::Equal, number)), [Ruling::Fails; 2]);
}

#[test]
fn many_counted_figures_make_up_for_one_another_on_average() {
    // 100 coins of 1,000 throws: each is known to about 5 points, the average to sqrt(ln 4000 / 2 / 100000) = 0.64
    let counts = coin(500, 1_000);
    let ruled = |own, right: i64| {
        let shares = [fraction(1, 100), Probability::ZERO];
        let mut parts = vec![Part { shares, known: share(&counts), own }; 100];
        let shares = [Probability::ZERO, Probability::ONE];
        parts.push(Part { shares, known: exactly(fraction(right, 1_000)), own });
        judge(&conditions(LESS, None, &point()), &parts, 0.001).ruling
    };
    assert_eq!([ruled(true, 506), ruled(true, 507)], [Ruling::Undecided, Ruling::Holds]);
    assert_eq!(ruled(false, 507), Ruling::Undecided, "counted together they may all be wrong at once");
}

#[test]
fn a_claim_fails_where_it_fails_anywhere() {
    let verdict = |rulings: &[Ruling]| {
        let cell = |ruling: &Ruling| Judged { sides: [None, None], ruling: *ruling, doubt: None, trials: 0 };
        Verdict::new(rulings.iter().map(cell).collect()).ruling
    };
    use Ruling::{Fails, Holds, Undecided};
    assert_eq!(verdict(&[Holds, Holds]), Holds);
    assert_eq!(verdict(&[Holds, Undecided, Fails]), Fails);
    assert_eq!(verdict(&[Undecided, Holds]), Undecided);
}

/// How a comparison of two coins with so many heads in a hundred comes out, and after how many trials, if it is looked at
/// after 100, 200, ... 6,400 trials with the error spent evenly.
fn sequential(dice: &mut Generator, left: u32, right: u32, error: f64) -> (Ruling, u64) {
    const LOOKS: u32 = 7;
    let (mut one, mut other) = ((0, 0), (0, 0));
    for look in 0..LOOKS {
        let size = 100 << look;
        while one.1 < size {
            one = (one.0 + u64::from(dice.die(100) <= left), one.1 + 1);
            other = (other.0 + u64::from(dice.die(100) <= right), other.1 + 1);
        }
        let counts = (coin(one.0, one.1), coin(other.0, other.1));
        let ruled = of(LESS, None, share(&counts.0), share(&counts.1), error / f64::from(LOOKS));
        if ruled != Ruling::Undecided {
            return (ruled, size);
        }
    }
    (Ruling::Undecided, 6_400)
}

#[test]
fn false_alarms_of_the_sequential_test_are_rarer_than_it_says_and_it_finds_what_is_there() {
    let mut dice = Generator::new(6, &[7; 32], 0, 0);
    let mut ruled = |left, right, error, times: usize| -> Vec<(Ruling, u64)> {
        (0..times).map(|_| sequential(&mut dice, left, right, error)).collect()
    };
    let count = |all: &[(Ruling, u64)], wanted| all.iter().filter(|one| one.0 == wanted).count();
    // Equal coins: neither ruling may come up more often than in 0.2 of 3,000, give or take 5 deviations of 21.9; a test
    // that is right raises this alarm falsely with a probability below 1e-6.
    let equal = ruled(30, 30, 0.2, 3_000);
    let wrong = count(&equal, Ruling::Holds) + count(&equal, Ruling::Fails);
    assert!(wrong > 0 && wrong <= 600 + 110, "{wrong}");
    // Five points apart: after 6,400 trials the difference is known to root(ln(28000) / 6400), 4.00 points, and off by 0.83
    // points: it is found in 266 of 300, give or take 5 deviations of 5.5.
    let apart = ruled(30, 35, 0.001, 300);
    assert_eq!(count(&apart, Ruling::Fails), 0);
    let found = count(&apart, Ruling::Holds);
    assert!((238..=294).contains(&found), "{found}");
    // Ten points apart it stops early.
    let far = ruled(20, 40, 0.001, 300);
    let trials: u64 = far.iter().map(|one| one.1).sum();
    assert_eq!(count(&far, Ruling::Holds), 300);
    assert!(trials / 300 < 1_600, "{}", trials / 300);
}
