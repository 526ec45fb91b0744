//! Whether a known value is met by what was counted.
//!
//! In: counts, a known value, how often a false alarm is accepted. Out: what was found, and whether it can be.
//!
//! A value that is right is called missed with at most the probability `alarm`. For shares and quantiles that is certain
//! (Chernoff's bound holds for any number of trials); for means it rests on the numbers that came up.
//!
//! **Never:** what is expected, and why.

use super::measures::{deviation, mean, quantile, summary};
use super::{LEVEL, Reaching, normal_quantile, wilson};
use crate::plan::{Counts, Probability};

/// How often a run whose expected values are all right may call any of them missed, as a fraction in 0..1.
pub const ALARM: f64 = 1e-3;

/// What is asked of a measure.
#[derive(Clone, Copy)]
pub enum Probe<'a> {
    /// The probability of the values that this picks.
    Share(&'a dyn Fn(i64) -> bool),
    /// The mean.
    Mean,
    /// The quantile of a level, a fraction in 0..=1.
    Quantile(f64),
}

/// What was found of a known value.
#[derive(Clone, PartialEq, Debug)]
pub struct Finding {
    /// The figure; `None` where no trial has the measure.
    pub figure: Option<f64>,
    /// The same exactly, where the situation is solved: then it decides.
    pub exact: Option<Exactly>,
    /// Its usual interval, at [`LEVEL`]; `None` for a quantile, for what is exact, and where nothing
    /// can be said.
    pub interval: Option<(f64, f64)>,
    /// By how much the probability may be larger, because that share of the trials did not end.
    pub open: f64,
    /// Whether the known value can be true.
    pub met: bool,
}

/// An exact figure that decides.
#[derive(Clone, PartialEq, Debug)]
pub struct Exactly {
    /// The figure; `None` where no trial can have the measure.
    pub figure: Option<Probability>,
    /// By how much the probability may be larger without the tool's patience, where that cannot be said exactly; else 0.
    pub open: Probability,
}

/// Looks whether a measure can have the known value; `counts` come with from where to where a number can be, as far as
/// that is known. `unresolved` trials may have ended in anything, where the value is
/// that of a rule without the tool's patience; else it is 0.
pub fn finding((counts, reach): Reaching, unresolved: u64, probe: Probe, value: f64, alarm: f64) -> Finding {
    let (ended, z) = (counts.ended(), normal_quantile(LEVEL));
    let (figure, interval, met) = match probe {
        _ if counts.trials == 0 => (None, None, false),
        Probe::Share(contains) => {
            let picked = counts.counts.iter().filter(|(key, _)| contains(**key)).map(|(_, count)| count);
            let (count, trials) = (picked.sum::<u64>(), counts.trials.max(ended + unresolved));
            let p = (value, 1.0 - value);
            let met = !too_many(count, trials, p, alarm) && !too_few(count + unresolved, trials, p, alarm);
            let (figure, interval) = (Some(share(count, trials)), Some(wilson(count, trials, z)));
            return Finding { figure, exact: None, interval, open: share(unresolved, trials), met };
        }
        Probe::Mean => {
            let interval = summary(counts, reach, z).map(|summary| (summary.low, summary.high));
            (mean(counts), interval.filter(|(low, _)| !low.is_nan()), mean_is(counts, value, alarm))
        }
        Probe::Quantile(level) => {
            let up_to = |last: f64| move |(key, _): &(&i64, &u64)| **key as f64 <= last;
            let sum =
                |last: f64| counts.counts.iter().filter(up_to(last)).map(|(_, count)| count).sum::<u64>();
            let p = (level, 1.0 - level);
            let met = value.fract() == 0.0
                && !too_few(sum(value), ended, p, alarm)
                && !too_many(sum(value - 1.0), ended, p, alarm);
            (quantile(counts, level).map(|value| value as f64), None, met)
        }
    };
    Finding { figure, exact: None, interval, open: 0.0, met }
}

fn share(count: u64, trials: u64) -> f64 {
    count as f64 / trials as f64
}

/// Whether something comes up `count` times or more in so many trials with less than half of the probability `alarm`,
/// by Chernoff's bound. `p` holds its probability and that of the contrary.
///
/// **Source:** H. Chernoff, "A measure of asymptotic efficiency for tests of a hypothesis based on the sum of
/// observations", *Annals of Mathematical Statistics* 23 (1952); W. Hoeffding, "Probability inequalities for sums of
/// bounded random variables", *Journal of the American Statistical Association* 58 (1963), theorem 1.
pub(super) fn too_many(count: u64, trials: u64, p: (f64, f64), alarm: f64) -> bool {
    let (found, missing) = (share(count, trials), share(trials.saturating_sub(count), trials));
    found > p.0 && trials as f64 * divergence((found, missing), p) > libm::log(2.0 / alarm)
}

/// The same for `count` times or less.
pub(super) fn too_few(count: u64, trials: u64, p: (f64, f64), alarm: f64) -> bool {
    too_many(trials.saturating_sub(count), trials, (p.1, p.0), alarm)
}

/// How far a share is from a probability: the Kullback-Leibler divergence of two coins, in natural units.
fn divergence(found: (f64, f64), p: (f64, f64)) -> f64 {
    let part = |a: f64, b: f64| if a > 0.0 { a * libm::log(a / b) } else { 0.0 };
    part(found.0, p.0) + part(found.1, p.1)
}

/// Whether a mean can be this, by the empirical Bernstein bound; the range is that of the numbers that came up and of
/// the value itself, and at least 1.
///
/// **Source:** A. Maurer and M. Pontil, "Empirical Bernstein bounds and sample variance penalization", *Conference on
/// Learning Theory* (2009), theorem 4.
fn mean_is(counts: &Counts, value: f64, alarm: f64) -> bool {
    let (Some(found), Some(deviation)) = (mean(counts), deviation(counts)) else {
        return mean(counts) == Some(value);
    };
    let (low, high) = (counts.counts.first_key_value(), counts.counts.last_key_value());
    let end = |end: Option<(&i64, &u64)>| end.map_or(value, |(number, _)| *number as f64);
    let range = (end(high).max(value) - end(low).min(value)).max(1.0);
    let (trials, doubt) = (counts.ended() as f64, libm::log(4.0 / alarm));
    let room = deviation * (2.0 * doubt / trials).sqrt() + 7.0 * range * doubt / (3.0 * (trials - 1.0));
    (found - value).abs() <= room
}

#[cfg(test)]
mod tests {
    use super::*;

    fn coin(heads: u64, trials: u64) -> Counts {
        Counts { trials, counts: [(0, trials - heads), (1, heads)].into_iter().collect() }
    }

    fn met(counts: &Counts, unresolved: u64, value: f64) -> bool {
        finding((counts, None), unresolved, Probe::Share(&|key| key == 1), value, ALARM).met
    }

    #[test]
    fn a_share_is_met_as_far_as_chance_alone_can_carry_it() {
        // of 10,000 throws 5,000 are expected, give or take 50; ln 2000 = 7.6 is about 2 x² for x = 1.95 % either side
        assert!(met(&coin(5_000, 10_000), 0, 0.5));
        assert!(met(&coin(5_194, 10_000), 0, 0.5) && met(&coin(4_806, 10_000), 0, 0.5));
        assert!(!met(&coin(5_197, 10_000), 0, 0.5) && !met(&coin(4_803, 10_000), 0, 0.5));
    }

    #[test]
    fn what_is_certain_or_impossible_is_missed_by_a_single_trial() {
        assert!(met(&coin(0, 1_000_000), 0, 0.0) && met(&coin(1_000_000, 1_000_000), 0, 1.0));
        assert!(!met(&coin(1, 1_000_000), 0, 0.0) && !met(&coin(999_999, 1_000_000), 0, 1.0));
    }

    #[test]
    fn trials_that_did_not_end_may_have_ended_in_anything() {
        let counts = Counts { trials: 10_000, counts: [(0, 3_000), (1, 4_000)].into_iter().collect() };
        assert!(!met(&counts, 0, 0.5));
        for value in [0.4, 0.5, 0.7] {
            assert!(met(&counts, 3_000, value), "{value}");
        }
        assert!(!met(&counts, 3_000, 0.75) && !met(&counts, 3_000, 0.35));
        // of a record, which such a trial does not have, they come on top of its trials
        let record = Counts { trials: 7_000, ..counts };
        assert!(met(&record, 3_000, 0.7) && !met(&record, 3_000, 0.75));
        assert_eq!(finding((&record, None), 3_000, Probe::Share(&|key| key == 1), 0.5, ALARM).open, 0.3);
    }

    #[test]
    fn the_chance_of_a_false_alarm_is_what_was_asked_for() {
        // the whole binomial distribution: where the bound speaks of a miss, less than a thousandth of it lies
        for (trials, p) in [(40_u64, 0.5), (200, 0.1), (500, 0.02)] {
            let mut weight = libm::pow(1.0 - p, trials as f64);
            let mut alarms = 0.0;
            for count in 0..=trials {
                alarms += if met(&coin(count, trials), 0, p) { 0.0 } else { weight };
                weight *= (trials - count) as f64 / (count + 1) as f64 * p / (1.0 - p);
            }
            assert!(alarms < ALARM && alarms > ALARM / 200.0, "{trials} {p}: {alarms}");
        }
    }

    #[test]
    fn a_mean_has_the_room_of_its_spread() {
        // a die: mean 3.5, deviation 1.708; in 60,000 throws that mean is known to about 0.007, and ln 4000 = 8.29 gives
        // 1.708 sqrt(16.59 / 60000) + 7 x 5 x 8.29 / 180000 = 0.0284 + 0.0016
        let die = Counts { trials: 60_000, counts: (1..=6).map(|face| (face, 10_000)).collect() };
        let met = |value| finding((&die, None), 0, Probe::Mean, value, ALARM).met;
        assert!(met(3.5) && met(3.529) && met(3.471));
        assert!(!met(3.531) && !met(3.469));
        // a one in a million that did not come up yet
        let rare = Counts { trials: 1_000_000, counts: [(0, 1_000_000)].into_iter().collect() };
        assert!(finding((&rare, None), 0, Probe::Mean, 1e-6, ALARM).met);
        assert!(!finding((&rare, None), 0, Probe::Mean, 0.01, ALARM).met);
    }

    #[test]
    fn a_quantile_is_met_where_the_shares_on_both_sides_allow_it() {
        let die = Counts { trials: 60_000, counts: (1..=6).map(|face| (face, 10_000)).collect() };
        let met = |level, value| finding((&die, None), 0, Probe::Quantile(level), value, ALARM).met;
        assert!(met(0.4, 3.0) && met(0.95, 6.0));
        assert!(!met(0.4, 2.0) && !met(0.4, 4.0) && !met(0.4, 2.5));
        // half of the throws show 3 or less: the median of so many can be 3, and 4 as well
        assert!(met(0.5, 3.0) && met(0.5, 4.0));
    }

    #[test]
    fn what_no_trial_has_is_missed() {
        let none = Counts::default();
        let found = finding((&none, None), 0, Probe::Mean, 0.0, ALARM);
        assert_eq!((found.figure, found.met), (None, false));
        assert!(!met(&none, 0, 0.0));
    }
}
