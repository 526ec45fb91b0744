//! Coverage by sums over all counts: no chance in it.

use crate::Coverage;
use crate::binomial::Binomial;
use houserule::analyse::{LEVEL, apart, clopper_pearson, fisher, newcombe, paired, summary, wilson};
use houserule::plan::Counts;

/// Ends that would be just the true value miss it by rounding.
const ROUNDING: f64 = 1e-12;

/// How often Wilson's interval holds a probability.
pub(crate) fn of_wilson(trials: u64, p: f64, z: f64) -> f64 {
    let ends = |count| wilson(count, trials, z);
    Binomial::new(trials, p)
        .between(|count| ends(count).1 >= p - ROUNDING, |count| ends(count).0 > p + ROUNDING)
}

/// How often the interval of Clopper and Pearson holds a probability.
pub(crate) fn of_clopper_pearson(trials: u64, p: f64) -> f64 {
    let ends = |count| clopper_pearson(count, trials, (1.0 - LEVEL) / 2.0);
    Binomial::new(trials, p).between(|count| ends(count).1 >= p, |count| ends(count).0 > p)
}

/// How often Newcombe's interval holds the difference of two probabilities.
pub(crate) fn of_newcombe(trials: u64, [p, q]: [f64; 2], z: f64) -> f64 {
    let (first, second) = (Binomial::new(trials, p), Binomial::new(trials, q));
    let held = |(a, weight): (u64, f64)| {
        let ends = |b| newcombe((a, trials), (b, trials), z);
        weight * second.between(|b| ends(b).0 <= p - q + ROUNDING, |b| ends(b).1 < p - q - ROUNDING)
    };
    first.numbers().map(held).sum()
}

/// So many trials of a number that is 0 or 1.
pub(crate) fn ones(count: u64, trials: u64) -> Counts {
    Counts { trials, counts: [(0, trials - count), (1, count)].into_iter().filter(|one| one.1 > 0).collect() }
}

/// The interval of the mean of a number that is 0 or 1.
pub(crate) fn mean_of_ones(count: u64, trials: u64, z: f64) -> (f64, f64) {
    let found = summary(&ones(count, trials), Some((0, 1)), z).unwrap();
    (found.low, found.high)
}

/// The interval of the difference of two such means.
pub(crate) fn apart_of_ones(a: u64, b: u64, trials: u64, z: f64) -> (f64, f64) {
    let [a, b] = [a, b].map(|count| ones(count, trials));
    let found = apart((&a, Some((0, 1))), (&b, Some((0, 1))), z).unwrap();
    (found.low, found.high)
}

/// How often the interval of a mean holds it, of a number that is 0 or 1.
pub(crate) fn of_mean(trials: u64, p: f64, z: f64) -> f64 {
    let ends = |count| mean_of_ones(count, trials, z);
    Binomial::new(trials, p)
        .between(|count| ends(count).1 >= p - ROUNDING, |count| ends(count).0 > p + ROUNDING)
}

/// How often the interval of the difference of two such means holds it.
pub(crate) fn of_apart(trials: u64, [p, q]: [f64; 2], z: f64) -> f64 {
    let (first, second) = (Binomial::new(trials, p), Binomial::new(trials, q));
    let held = |(a, weight): (u64, f64)| {
        let ends = |b| apart_of_ones(a, b, trials, z);
        weight * second.between(|b| ends(b).0 <= p - q + ROUNDING, |b| ends(b).1 < p - q - ROUNDING)
    };
    first.numbers().map(held).sum()
}

/// How often the paired interval holds the difference, where a trial gains with one probability and loses with another.
pub(crate) fn of_paired(trials: u64, [gain, lose]: [f64; 2], z: f64) -> f64 {
    let held = |(gained, weight): (u64, f64)| {
        let ends = |lost| paired(gained, lost, trials, z);
        let lost = Binomial::new(trials - gained, (lose / (1.0 - gain)).min(1.0));
        weight
            * lost.between(
                |lost| ends(lost).0 <= gain - lose + ROUNDING,
                |lost| ends(lost).1 < gain - lose - ROUNDING,
            )
    };
    Binomial::new(trials, gain).numbers().map(held).sum()
}

/// How often two equal probabilities are told apart at a level of 5 %.
pub(crate) fn false_alarm(trials: u64, p: f64) -> f64 {
    let both = Binomial::new(trials, p);
    let alarm = |(a, weight): (u64, f64)| {
        let apart = |b: u64| fisher((a, trials), (b, trials)) <= 0.05;
        // what is close by on either side of `a` is not told apart
        weight * (1.0 - both.between(|b| b >= a || !apart(b), |b| b > a && apart(b)))
    };
    both.numbers().map(alarm).sum()
}

/// So many probabilities at equal steps from 0.001 to 0.999.
pub(crate) fn grid(points: u32) -> Vec<f64> {
    (0..points).map(|at| 0.001 + 0.998 * f64::from(at) / f64::from(points - 1)).collect()
}

/// All pairs of such probabilities, the larger first.
pub(crate) fn pairs(points: u32) -> Vec<[f64; 2]> {
    let grid = grid(points);
    grid.iter().enumerate().flat_map(|(at, p)| grid[..=at].iter().map(|q| [*p, *q])).collect()
}

/// How often a trial gains and loses where it has something with two probabilities, of two trials in which it may, 0, 50, 90
/// or 99 in 100 have it both times.
pub(crate) fn changes(points: u32) -> Vec<[f64; 2]> {
    let (grid, mut all) = (grid(points), Vec::new());
    for p in &grid {
        for q in &grid {
            for share in [0.0, 0.5, 0.9, 0.99] {
                let (least, most) = ((p + q - 1.0).max(0.0), p.min(*q));
                let both = least + share * (most - least);
                all.push([p - both, q - both]);
            }
        }
    }
    all
}

/// Wilson, Newcombe, the paired interval, those of means, and Clopper-Pearson at so many trials.
pub(crate) fn all(trials: u64, z: f64) -> [(&'static str, Coverage); 6] {
    let wilson = grid(999).into_iter().map(|p| (of_wilson(trials, p, z), format!("{p:.3}")));
    let sure = grid(999).into_iter().map(|p| (of_clopper_pearson(trials, p), format!("{p:.3}")));
    let two = |[p, q]: [f64; 2]| format!("{p:.3} and {q:.3}");
    let newcombe = pairs(21).into_iter().map(|both| (of_newcombe(trials, both, z), two(both)));
    let mean = grid(999).into_iter().map(|p| (of_mean(trials, p, z), format!("{p:.3}")));
    let apart = pairs(21).into_iter().map(|both| (of_apart(trials, both, z), two(both)));
    let points = if trials > 100_000 { 6 } else { 11 };
    let paired = changes(points).into_iter().map(|both| (of_paired(trials, both, z), two(both)));
    [
        ("probability (Wilson)", Coverage::new(wilson)),
        ("difference (Newcombe)", Coverage::new(newcombe)),
        ("same dice (Bonett-Price)", Coverage::new(paired)),
        ("mean, of 0 or 1", Coverage::new(mean)),
        ("two means, of 0 or 1", Coverage::new(apart)),
        ("claim (Clopper-Pearson)", Coverage::new(sure)),
    ]
}
