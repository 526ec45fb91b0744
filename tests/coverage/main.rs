//! How often what the tool prints holds: measured, not assumed.
//!
//! `cargo test --test coverage -- --ignored` measures everything anew and writes it into `docs/statistics.md`; it takes
//! some minutes. What is not ignored measures a part, and looks whether the page says the same.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod binomial;
mod exactly;
mod sampled;

use binomial::Binomial;
use houserule::analyse::{LEVEL, newcombe, normal_quantile, paired, wilson};

/// How many trials a sample of the tables has.
const TRIALS: [u64; 5] = [100, 1000, 10_000, 100_000, 1_000_000];

/// How many repetitions are simulated.
const REPETITIONS: u32 = 10_000;

/// How often an interval holds at many places.
pub(crate) struct Coverage {
    /// On average over all places.
    mean: f64,
    /// Where it does least.
    least: f64,
    /// That place.
    place: String,
}

impl Coverage {
    /// Of a share for each place.
    pub(crate) fn new(places: impl Iterator<Item = (f64, String)>) -> Self {
        let places: Vec<(f64, String)> = places.collect();
        let mean = places.iter().map(|(share, _)| share).sum::<f64>() / places.len() as f64;
        let (least, place) = places.into_iter().min_by(|one, other| one.0.total_cmp(&other.0)).unwrap();
        Self { mean, least, place }
    }
}

fn z() -> f64 {
    normal_quantile(LEVEL)
}

fn percent(share: f64) -> String {
    format!("{:.2}", share * 100.0)
}

/// `1,000`.
fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy);
    groups.collect::<Vec<_>>().join(",")
}

/// What the page says of intervals for probabilities at so many trials, without what is simulated.
fn exact_rows(trials: u64) -> Vec<String> {
    let row = |(name, coverage): (&str, Coverage)| {
        let Coverage { mean, least, place } = coverage;
        format!("{name:<24} {:>9} {:>6} {:>6}  {place:<15}", thousands(trials), percent(mean), percent(least))
    };
    exactly::all(trials, z()).into_iter().map(row).collect()
}

/// What was measured, as the page has it.
fn figures() -> String {
    let mut text = "Of intervals for probabilities, and for means of numbers that are 0 or 1, in\n\
         percent: how often they hold on average and at least, and for which\n\
         probabilities (on the same dice: to be gained and to be lost), by exact sums\n\
         over all counts; last, the average of 10,000 repetitions:\n\n"
        .to_owned();
    text += "    figure                      trials   mean  least  where           repeated\n";
    let all: Vec<_> = TRIALS
        .map(|trials| exact_rows(trials).into_iter().zip(sampled::all(REPETITIONS, trials, z())))
        .map(Iterator::collect::<Vec<_>>)
        .into();
    for kind in 0..6 {
        for rows in &all {
            let (row, repeated) = &rows[kind];
            let repeated = repeated.as_ref().map_or_else(String::new, |one| percent(one.mean));
            text += format!("    {row} {repeated:>8}").trim_end();
            text += "\n";
        }
    }
    text += &means();
    text += &effects();
    text += "\nFalse alarms, in percent, at a level of 5: of one comparison, at most over all\n\
         probabilities, by exact sums; of a whole run of 10 situations with 5 results\n\
         each, in which nothing differs, by 10,000 repetitions, any difference told\n\
         apart, and any order called anything but open:\n\n";
    text += "     trials   one comparison   whole run   order\n";
    for trials in [100, 1000, 10_000] {
        let [apart, order] = sampled::of_families(REPETITIONS, trials, 10).map(percent);
        let one = percent(most_false_alarms(trials));
        text += &format!("    {:>7} {one:>16} {apart:>11} {order:>7}\n", thousands(trials));
    }
    text + &claims()
}

/// What the page says of means.
fn means() -> String {
    let mut text = "\nOf means, and of differences of two means, of numbers such as tests record, by\n\
         10,000 repetitions:\n\n"
        .to_owned();
    text += "    number                             trials   mean  difference\n";
    let mut all = Vec::new();
    for (name, numbers) in sampled::numbers() {
        for trials in TRIALS {
            let mean = sampled::of_mean(REPETITIONS, trials, &numbers, z());
            let apart = sampled::of_apart(REPETITIONS, trials, &numbers, z());
            text += &row_of_two(name, trials, [mean, apart]);
            all.push([mean, apart]);
        }
    }
    text + &last_rows(&all)
}

/// What the page says of mean effects.
fn effects() -> String {
    let mut text = "\nOf the mean effect that `houserule sensitivity` prints, where before and after\n\
         are played, over one situation and over 20, by 10,000 repetitions:\n\n"
        .to_owned();
    text += "    figure                             trials    one          20\n";
    let mut all = Vec::new();
    for asked in sampled::asked() {
        for trials in TRIALS {
            let both = [1, 20].map(|many| sampled::of_effect(REPETITIONS, trials, &asked, many));
            text += &row_of_two(asked.name, trials, both);
            all.push(both);
        }
    }
    text + &last_rows(&all)
}

/// A row of two shares.
fn row_of_two(name: &str, trials: u64, shares: [f64; 2]) -> String {
    let [one, other] = shares.map(percent);
    format!("    {name:<31} {:>9} {one:>6} {other:>11}\n", thousands(trials))
}

/// The mean of all rows of two shares, and the least of them.
fn last_rows(rows: &[[f64; 2]]) -> String {
    let of = |how: fn(&[f64]) -> f64| {
        let column = |at: usize| how(&rows.iter().map(|row| row[at]).collect::<Vec<f64>>());
        let [one, other] = [percent(column(0)), percent(column(1))];
        format!("{one:>6} {other:>11}\n")
    };
    let mean = of(|all| all.iter().sum::<f64>() / all.len() as f64);
    let least = of(|all| all.iter().copied().fold(f64::INFINITY, f64::min));
    format!("    {:<41} {mean}    {:<41} {least}", "all rows, on average", "the least of all rows")
}

/// What the page says of claims that are not worked out.
fn claims() -> String {
    let mut text = "\nOf the claim that one probability is less than another, which is 50 %, judged at\n\
         10,000 trials and each time these have doubled, up to 640,000, by 10,000\n\
         repetitions: how often, in percent, it is called right and wrong, and the trials\n\
         of each side that this takes on average:\n\n"
        .to_owned();
    text += "    less by, points   right   wrong      trials\n";
    for points in [0.0, 0.25, 0.5, 1.0, 2.0, 5.0] {
        let [right, wrong, trials] = sampled::of_claims(REPETITIONS, 10_000, 7, [0.5 - points / 100.0, 0.5]);
        let (right, wrong, trials) = (percent(right), percent(wrong), thousands(trials.round() as u64));
        text += &format!("    {points:>15.2} {right:>7} {wrong:>7} {trials:>11}\n");
    }
    text
}

/// The probability of a false alarm of one comparison, where it is largest.
fn most_false_alarms(trials: u64) -> f64 {
    exactly::grid(99).into_iter().map(|p| exactly::false_alarm(trials, p)).fold(0.0, f64::max)
}

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/statistics.md");

/// What the page says between this line and the next heading.
const HEADING: &str = "## Measured\n";

#[test]
#[ignore = "takes minutes, and writes the page"]
fn the_page_is_written_anew() {
    let page = std::fs::read_to_string(PAGE).unwrap();
    let (before, rest) = page.split_once(HEADING).unwrap();
    let (body, after) = rest.split_at(rest.find("\n## ").unwrap() + 1);
    let intro = body.split_once("\n\nOf intervals").map_or(body.trim_end(), |(intro, _)| intro);
    std::fs::write(PAGE, format!("{before}{HEADING}{intro}\n\n{}\n{after}", figures())).unwrap();
}

#[test]
fn the_page_says_what_is_measured() {
    let page = std::fs::read_to_string(PAGE).unwrap();
    for row in [100, 1000].into_iter().flat_map(exact_rows) {
        assert!(page.contains(row.trim_end()), "not in docs/statistics.md:\n{row}");
    }
}

#[test]
fn on_average_intervals_hold_as_often_as_they_say() {
    // within half a point of the level; at 1,000 trials already where differences are concerned
    for trials in [100, 1000, 10_000] {
        let wilson = Coverage::new(
            exactly::grid(999).into_iter().map(|p| (exactly::of_wilson(trials, p, z()), String::new())),
        );
        assert!((wilson.mean - LEVEL).abs() < 0.005, "{trials}: {}", wilson.mean);
    }
    for trials in [100, 1000, 10_000] {
        let mean = Coverage::new(
            exactly::grid(333).into_iter().map(|p| (exactly::of_mean(trials, p, z()), String::new())),
        );
        assert!((mean.mean - LEVEL).abs() < 0.005, "{trials}: {}", mean.mean);
    }
    let apart = |both| (exactly::of_apart(1000, both, z()), String::new());
    let apart = Coverage::new(exactly::pairs(11).into_iter().map(apart));
    assert!((apart.mean - LEVEL).abs() < 0.005, "{}", apart.mean);
    let newcombe = |both| (exactly::of_newcombe(1000, both, z()), String::new());
    let newcombe = Coverage::new(exactly::pairs(21).into_iter().map(newcombe));
    assert!((newcombe.mean - LEVEL).abs() < 0.005, "{}", newcombe.mean);
    let paired = |both| (exactly::of_paired(1000, both, z()), String::new());
    let paired = Coverage::new(exactly::changes(6).into_iter().map(paired));
    assert!((paired.mean - LEVEL).abs() < 0.01, "{}", paired.mean);
}

#[test]
fn sums_that_skip_counts_are_sums_over_all_counts() {
    // the stupid twin: every pair of counts, one by one
    let n = 30;
    for [p, q] in [[0.5, 0.3], [0.05, 0.05], [0.999, 0.002], [0.9, 0.6]] {
        let [first, second] = [p, q].map(|p| Binomial::new(n, p));
        let (mut independent, mut means, mut in_step, mut alarms) = (0.0, 0.0, 0.0, 0.0);
        for (a, weight) in first.numbers() {
            for (b, other) in second.numbers() {
                let (low, high) = newcombe((a, n), (b, n), z());
                let holds = low <= p - q + 1e-12 && high >= p - q - 1e-12;
                independent += if holds { weight * other } else { 0.0 };
                let (low, high) = exactly::apart_of_ones(a, b, n, z());
                let holds = low <= p - q + 1e-12 && high >= p - q - 1e-12;
                means += if holds { weight * other } else { 0.0 };
            }
            for (b, other) in first.numbers() {
                let alarm = houserule::analyse::fisher((a, n), (b, n)) <= 0.05;
                alarms += if alarm { weight * other } else { 0.0 };
            }
            let lost = Binomial::new(n - a, q * 0.9);
            for (b, other) in lost.numbers() {
                let (low, high) = paired(a, b, n, z());
                let difference = p - q * 0.9 * (1.0 - p);
                let holds = low <= difference + 1e-12 && high >= difference - 1e-12;
                in_step += if holds { weight * other } else { 0.0 };
            }
        }
        assert!((exactly::of_newcombe(n, [p, q], z()) - independent).abs() < 1e-12);
        assert!((exactly::of_apart(n, [p, q], z()) - means).abs() < 1e-12);
        assert!((exactly::of_paired(n, [p, q * 0.9 * (1.0 - p)], z()) - in_step).abs() < 1e-12);
        assert!((exactly::false_alarm(n, p) - alarms).abs() < 1e-12);
        let all = |ends: fn(u64, u64, f64) -> (f64, f64)| -> f64 {
            let holds = |count: u64| {
                let (low, high) = ends(count, n, z());
                low <= p + 1e-12 && high >= p - 1e-12
            };
            first.numbers().filter(|(count, _)| holds(*count)).map(|(_, weight)| weight).sum()
        };
        assert!((exactly::of_wilson(n, p, z()) - all(wilson)).abs() < 1e-12);
        assert!((exactly::of_mean(n, p, z()) - all(exactly::mean_of_ones)).abs() < 1e-12);
    }
}

#[test]
fn repetitions_come_to_the_same_as_sums() {
    // 10,000 repetitions are within 5 standard deviations but for one in a million; the dice are the same every time
    let off = |share: f64, p: f64| (share - p).abs() <= 5.0 * (p * (1.0 - p) / 10_000.0).sqrt();
    for (trials, p) in [(100, 0.001), (1000, 0.3), (1_000_000, 0.999)] {
        let (counts, mut dice) = (Binomial::new(trials, p), sampled::dice(9, trials));
        let share = sampled::held(REPETITIONS, p, || wilson(counts.draw(&mut dice), trials, z()));
        assert!(off(share, exactly::of_wilson(trials, p, z())), "{trials} {p}: {share}");
    }
}

#[test]
fn one_comparison_raises_no_more_false_alarms_than_it_says() {
    // this is guaranteed: everywhere, not on average
    for trials in [100, 137, 500] {
        let most = most_false_alarms(trials);
        assert!(most <= 0.05 && most > 0.02, "{trials}: {most}");
    }
}

#[test]
fn what_decides_claims_holds_everywhere() {
    for trials in [100, 1000] {
        let least =
            exactly::grid(99).into_iter().map(|p| exactly::of_clopper_pearson(trials, p)).fold(1.0, f64::min);
        assert!((LEVEL..0.99).contains(&least), "{trials}: {least}");
    }
}

#[test]
fn claims_are_seldom_decided_wrongly_and_mostly_where_there_is_something_to_see() {
    // at most 1 in 1,000 is wrong: more than 5 of 1,000 are with less than 1 in 1,000
    let [_, wrong, _] = sampled::of_claims(1000, 1000, 5, [0.5, 0.5]);
    assert!(wrong <= 0.005, "{wrong}");
    let [right, wrong, trials] = sampled::of_claims(1000, 1000, 5, [0.4, 0.5]);
    assert!(right > 0.99 && wrong <= 0.005 && trials < 16_000.0, "{right} {wrong} {trials}");
}

#[test]
fn a_whole_run_raises_no_more_false_alarms_than_it_says() {
    // at most 5 %: of 1,000 runs 50, and 75 or more with less than 1 in 1,000
    let [apart, order] = sampled::of_families(1000, 1000, 10);
    assert!(apart < 0.075 && order < 0.075, "{apart} {order}");
}
