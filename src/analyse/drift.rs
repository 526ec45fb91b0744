//! Whether a figure has changed since it was stored, or chance has played.
//!
//! In: pairs of figures, stored and new. Out: for each pair whether both are the same, as far as can be told.
//!
//! What is known exactly on both sides is compared exactly. All other pairs are one family of tests: where nothing has
//! changed, any of them is called changed with a probability of at most [`ALARM`]. Two counts are compared by Fisher's
//! exact test, a count and an exact probability by the binomial test; both keep their level for any number of trials,
//! however rare a thing is, so Holm's procedure keeps that of the family.
//!
//! **Never:** what a figure is of, where it was stored.

use super::binomial::at_least;
use super::{ALARM, fisher, holm};
use crate::plan::Probability;

/// A figure of a run.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Counted {
    /// Trials in which it came up.
    pub count: u64,
    /// The trials among which it is counted.
    pub trials: u64,
    /// Its probability, where that is known.
    pub exact: Option<Probability>,
}

impl Counted {
    /// The probability that is known, or else the share that was counted, a fraction in 0..=1; `None` without any trial.
    pub fn probability(&self) -> Option<f64> {
        let share = (self.trials > 0).then(|| self.count as f64 / self.trials as f64);
        self.exact.as_ref().map(Probability::value).or(share)
    }
}

/// What has become of a figure.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Change {
    /// The same exactly: the same probability or, where that is not known, the same counts.
    Equal,
    /// No further from what was stored than chance carries.
    Chance,
    /// Known exactly before and now, and not the same.
    Exact,
    /// Further from what was stored than chance carries: how often it carries any figure of the run so far, at most.
    Beyond(f64),
}

impl Change {
    /// Whether it is a change of the rules.
    pub fn is_drift(self) -> bool {
        matches!(self, Self::Exact | Self::Beyond(_))
    }
}

/// What has become of each figure, given as (stored, new).
pub fn changes(pairs: &[(Counted, Counted)]) -> Vec<Change> {
    let known: Vec<Option<Change>> = pairs.iter().map(known).collect();
    let tested = pairs.iter().zip(&known).filter(|(_, known)| known.is_none());
    let values: Vec<f64> = tested.map(|((old, new), _)| p_value(old, new)).collect();
    let mut adjusted = holm(&values).into_iter();
    let change = |((old, new), known): (&(Counted, Counted), Option<Change>)| {
        known.unwrap_or_else(|| match adjusted.next() {
            Some(p) if p < ALARM => Change::Beyond(p),
            _ if (old.count, old.trials) == (new.count, new.trials) => Change::Equal,
            _ => Change::Chance,
        })
    };
    pairs.iter().zip(known).map(change).collect()
}

/// What two exact probabilities say; `None` where one is not known.
fn known((old, new): &(Counted, Counted)) -> Option<Change> {
    let (old, new) = (old.exact.as_ref()?, new.exact.as_ref()?);
    Some(if old.can_be(new) { Change::Equal } else { Change::Exact })
}

/// How often chance alone carries the one at least so far from the other, at most: a fraction in 0..=1.
fn p_value(old: &Counted, new: &Counted) -> f64 {
    match (&old.exact, &new.exact) {
        (Some(exact), _) => binomial((new.count, new.trials), exact),
        (_, Some(exact)) => binomial((old.count, old.trials), exact),
        (None, None) => fisher((old.count, old.trials), (new.count, new.trials)),
    }
}

/// How often something of this probability comes up at least so much more or less often than expected: the binomial
/// test, twice the smaller tail; a count is given as (count, trials). What is known only nearly is taken as near to the
/// count as it can be.
///
/// **Source:** C. J. Clopper and E. S. Pearson, "The use of confidence or fiducial limits illustrated in the case of the
/// binomial", *Biometrika* 26 (1934).
fn binomial((count, trials): (u64, u64), exact: &Probability) -> f64 {
    let (p, q, error) = (exact.value(), Probability::ONE.minus(exact).value(), exact.error());
    let off = count as f64 / trials as f64 - p;
    if trials == 0 || off.abs() <= error {
        return 1.0;
    }
    let rest = trials.saturating_sub(count);
    let (count, chance) = if off > 0.0 { (count, p + error) } else { (rest, q + error) };
    match chance {
        0.0 => 0.0,
        1.0.. => 1.0,
        _ => (2.0 * at_least(count, trials, chance)).min(1.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyse::binomial::log_exactly;

    fn counted(count: u64, trials: u64) -> Counted {
        Counted { count, trials, exact: None }
    }

    fn known(count: u64, trials: u64, exact: (i64, u64)) -> Counted {
        Counted { count, trials, exact: Some(Probability::fraction(exact.0, exact.1)) }
    }

    fn change(old: Counted, new: Counted) -> Change {
        changes(&[(old, new)])[0]
    }

    #[test]
    fn fishers_test_agrees_with_hand_arithmetic() {
        // the tea: all four cups right is 1 of 70 ways, three right 16 more
        assert!((fisher((4, 4), (0, 4)) - 2.0 / 70.0).abs() < 1e-12);
        assert!((fisher((3, 4), (1, 4)) - 2.0 * 17.0 / 70.0).abs() < 1e-12);
        // nothing in 3 against 2 in 2 of 5: one of 10 ways
        assert!((fisher((0, 3), (2, 2)) - 0.2).abs() < 1e-12);
        assert_eq!(fisher((4, 4), (0, 4)), fisher((0, 4), (4, 4)));
    }

    #[test]
    fn equal_shares_and_no_trials_at_all_do_not_differ() {
        for (a, b) in [((1, 2), (500, 1000)), ((0, 9), (0, 1)), ((0, 0), (5, 10)), ((7, 7), (2, 2))] {
            assert_eq!(fisher(a, b), 1.0);
        }
    }

    #[test]
    fn fishers_test_is_the_sum_over_all_tables() {
        // the stupid twin: every table with these sums, by Pascal's triangle
        let choose = |n: u64, k: u64| (0..k).fold(1.0, |ways, i| ways * (n - i) as f64 / (i + 1) as f64);
        for (n, m) in [(12, 9), (5, 30), (20, 20)] {
            for (a, b) in (0..=n).flat_map(|a| (0..=m).map(move |b| (a, b))) {
                let chance = |x: u64| choose(n, x) * choose(m, a + b - x) / choose(n + m, a + b);
                let tables = (a + b).saturating_sub(m)..=n.min(a + b);
                let more: f64 = tables.clone().filter(|x| *x >= a).map(chance).sum();
                let less: f64 = tables.filter(|x| *x <= a).map(chance).sum();
                let expected = if a * m == b * n { 1.0 } else { (2.0 * more.min(less)).min(1.0) };
                let found = fisher((a, n), (b, m));
                assert!((found - expected).abs() < 1e-10, "{a}/{n} {b}/{m}: {found} {expected}");
            }
        }
    }

    #[test]
    fn with_many_trials_fishers_test_comes_to_the_normal_one() {
        // a difference of five standard errors: the normal distribution leaves 5.733e-7 outside
        let n = 1_000_000_000_u64;
        let step = (5.0 * (n as f64 / 2.0).sqrt() / 2.0).round() as u64;
        let p = fisher((n / 2 + step, n), (n / 2 - step, n));
        assert!((p / 5.733e-7 - 1.0).abs() < 0.01, "{p}");
        assert!(fisher((0, n), (n, n)) == 0.0);
    }

    #[test]
    fn exact_probabilities_are_compared_exactly() {
        assert_eq!(change(known(80, 1000, (1, 12)), known(90, 1000, (3, 36))), Change::Equal);
        // a change that no sampling would ever show
        let (old, new) = ((1, 1_000_000_000_000), (2, 1_000_000_000_000));
        assert_eq!(change(known(0, 10, old), known(0, 10, new)), Change::Exact);
    }

    #[test]
    fn the_same_counts_are_equal_and_others_are_noise_as_far_as_chance_carries() {
        assert_eq!(change(counted(7, 10), counted(7, 10)), Change::Equal);
        assert_eq!(change(counted(7, 10), counted(70, 100)), Change::Chance);
        assert_eq!(change(counted(500, 1000), counted(540, 1000)), Change::Chance);
        assert!(change(counted(500, 1000), counted(590, 1000)).is_drift());
        // 9 of 9 against 0 of 9 is one of C(18, 9) = 48,620 ways, 6 against 0 of 6 one of 924
        assert_eq!(change(counted(9, 9), counted(0, 9)), Change::Beyond(fisher((9, 9), (0, 9))));
        assert_eq!(change(counted(6, 6), counted(0, 6)), Change::Chance);
        assert_eq!(change(counted(0, 0), counted(5, 5)), Change::Chance);
    }

    #[test]
    fn counts_are_held_against_what_is_known() {
        // of 10,000 a half is 5,000, give or take 50: 3.29 standard deviations leave 1 in 1,000 outside
        let half = |count| change(counted(count, 10_000), known(0, 0, (1, 2)));
        assert_eq!((half(5_160), half(4_840)), (Change::Chance, Change::Chance));
        assert!(half(5_170).is_drift() && half(4_830).is_drift());
        assert!(change(known(0, 0, (1, 2)), counted(5_170, 10_000)).is_drift());
        // what was impossible comes up once
        assert_eq!(change(known(0, 100, (0, 1)), counted(1, 1_000_000)), Change::Beyond(0.0));
        assert_eq!(change(known(9, 9, (1, 1)), counted(50, 50)), Change::Chance);
        assert_eq!(change(known(0, 9, (1, 3)), counted(0, 0)), Change::Chance);
    }

    #[test]
    fn the_more_figures_are_tested_the_more_each_must_differ() {
        // 11 against 0 of 11 has 2 of C(22, 11) = 705,432 ways on either side: 2.8e-6, enough for one, not for 400
        let pair = (counted(11, 11), counted(0, 11));
        let others = vec![(counted(50, 100), counted(50, 100)); 399];
        assert!(changes(std::slice::from_ref(&pair))[0].is_drift());
        let family: Vec<_> = std::iter::once(pair.clone()).chain(others).collect();
        assert_eq!(changes(&family)[0], Change::Chance);
        // what is known exactly is none of the family
        let known = vec![(known(1, 2, (1, 2)), known(1, 2, (1, 2))); 399];
        assert!(changes(&std::iter::once(pair).chain(known).collect::<Vec<_>>())[0].is_drift());
    }

    /// How often something of probability `p` comes up so many times in so many trials, for each number of times.
    fn counts(trials: u64, p: f64) -> Vec<f64> {
        (0..=trials).map(|count| libm::exp(log_exactly(count, trials, p))).collect()
    }

    #[test]
    fn neither_test_raises_more_false_alarms_than_its_level_however_rare_the_thing() {
        let levels = [0.05, ALARM, 1e-6];
        for p in [0.001, 0.01, 0.05, 0.2, 0.5, 0.83, 0.999] {
            let (few, many) = (counts(40, p), counts(90, p));
            let mut alarms = [[0.0; 3]; 2];
            let exact = Probability::decimal(p);
            for (b, there) in (0..).zip(&many) {
                let found = binomial((b, 90), &exact);
                (0..3).for_each(|at| alarms[0][at] += if found <= levels[at] { *there } else { 0.0 });
                for (a, here) in (0..).zip(&few) {
                    let found = fisher((a, 40), (b, 90));
                    (0..3)
                        .for_each(|at| alarms[1][at] += if found <= levels[at] { here * there } else { 0.0 });
                }
            }
            for (test, alarms) in ["binomial", "Fisher"].iter().zip(alarms) {
                assert!(
                    alarms.iter().zip(levels).all(|(alarm, level)| *alarm <= level),
                    "{test} {p}: {alarms:?}"
                );
            }
        }
    }
}
