//! Whether what a draft gives is never worse than what the baseline gives.
//!
//! In: counts or exact weights of values that have an order. Out: a verdict, and how far each side is ahead.
//!
//! A draft is never worse if each value or better comes up at least as often as before, and all that is worse at most as
//! often: stochastic order of the first degree. Whatever a player gains by better values, he loses nothing then.
//!
//! **Never:** what a value is called.

use super::Analysis;
use super::exactly::exact_share;
use crate::plan::{Answer, Counts, Probability, Unsolved};
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// Which end of a measure's keys comes first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Sense {
    /// Named values: how good each is, 0 the best; some may be equally good.
    BestFirst(Vec<u32>),
    /// Numbers, the highest first; whether that is better is for others to say.
    HighestFirst,
}

/// What can be said of a draft.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// Both give each value equally often.
    Same,
    /// Never worse (of numbers: never less), and not the same.
    NeverWorse,
    /// Never better (never more), and not the same.
    NeverBetter,
    /// Better here and worse there.
    Mixed,
    /// The counts do not tell.
    Open,
}

/// A draft against the baseline in one situation.
#[derive(Clone, PartialEq, Debug)]
pub struct Order {
    /// Position of the variant.
    pub variant: usize,
    /// Position of the situation.
    pub situation: usize,
    /// Position of the measure.
    pub measure: usize,
    /// What can be said.
    pub verdict: Standing,
    /// Whether that is certain; else it is told by intervals that hold all together.
    pub exact: bool,
    /// Where the draft is ahead most: by how much it has this value or better more often, a fraction in 0..=1.
    pub ahead: Option<(i64, f64)>,
    /// Where it is behind most, likewise.
    pub behind: Option<(i64, f64)>,
    /// How far each share's difference can be off; 0 where all is exact.
    pub room: f64,
}

/// Orders every draft against the baseline wherever a measure has a `sense`, each verdict exactly where both sides are
/// solved. All others together are wrong anywhere with at most the probability that is missing in the analysis's level.
pub(super) fn orders(analysis: &Analysis, senses: &[Option<Sense>]) -> Vec<Order> {
    let mut orders: Vec<Order> = Vec::new();
    for (variant, row) in analysis.cells.iter().enumerate().filter(|(at, _)| *at != analysis.baseline) {
        for (situation, (ours, theirs)) in row.iter().zip(&analysis.cells[analysis.baseline]).enumerate() {
            for (measure, sense) in
                senses.iter().enumerate().filter_map(|(at, sense)| Some((at, sense.as_ref()?)))
            {
                let counts = [&ours.sample.measures[measure], &theirs.sample.measures[measure]];
                if counts.iter().any(|counts| counts.trials == 0) {
                    continue;
                }
                let same = ours.sample.id == theirs.sample.id;
                let known = exactly([&ours.answer, &theirs.answer], measure);
                let exact = same || known.is_some();
                let shares = known.unwrap_or_else(|| counted(counts));
                let place = (variant, situation, measure);
                orders.push(order(place, exact, &if same { Vec::new() } else { steps(&shares, sense) }));
            }
        }
    }
    let open = orders.iter().filter(|order| !order.exact).count();
    for order in orders.iter_mut().filter(|order| !order.exact) {
        let cells =
            [order.variant, analysis.baseline].map(|variant| &analysis.cells[variant][order.situation]);
        let counts = cells.map(|cell| &cell.sample.measures[order.measure]);
        if let Some(sense) = &senses[order.measure] {
            judge(order, counts, sense, (1.0 - analysis.level) / open as f64);
        }
    }
    orders
}

/// The share of each value under the draft and under the baseline.
type Shares = BTreeMap<i64, [Probability; 2]>;

/// One value: the difference of the shares of it and all that is better, and that of the shares of all that is worse; the
/// draft's less the baseline's.
struct Step {
    key: i64,
    better: Probability,
    worse: Probability,
}

impl Step {
    /// How far the draft is ahead (below 0: behind), wherever trials without a value would have ended: 0 where that may be
    /// either. Without such trials both differences are the same but for their sign.
    fn by(&self) -> f64 {
        let [better, worse] = [self.better.value(), -self.worse.value()];
        match (sign(&self.better), sign(&self.worse)) {
            (Ordering::Greater, Ordering::Less) => better.min(worse),
            (Ordering::Less, Ordering::Greater) => better.max(worse),
            _ => 0.0,
        }
    }
}

/// The steps from the best value on; the last is left out, as there is none that is worse. Values that are equally good
/// make one step, by the name of the first.
fn steps(shares: &Shares, sense: &Sense) -> Vec<Step> {
    let place = |key: i64| match sense {
        Sense::HighestFirst => -key,
        Sense::BestFirst(ranks) => {
            usize::try_from(key).ok().and_then(|key| ranks.get(key)).map_or(i64::MAX, |rank| i64::from(*rank))
        }
    };
    let mut ordered: BTreeMap<i64, (i64, Probability)> = BTreeMap::new();
    for (key, [ours, theirs]) in shares {
        let (_, sum) = ordered.entry(place(*key)).or_insert((*key, Probability::ZERO));
        *sum = sum.plus(&ours.minus(theirs));
    }
    let whole: Probability = ordered.values().map(|(_, difference)| difference).sum();
    ordered.pop_last();
    let mut better = Probability::ZERO;
    let step = |(key, difference): (i64, Probability)| {
        better = better.plus(&difference);
        Step { key, better: better.clone(), worse: whole.minus(&better) }
    };
    ordered.into_values().map(step).collect()
}

/// The shares that were counted.
fn counted(counts: [&Counts; 2]) -> Shares {
    let share = |counts: &Counts, key: i64| {
        Probability::fraction(i64::try_from(counts.count(key)).unwrap_or(i64::MAX), counts.trials)
    };
    let keys = counts.into_iter().flat_map(|counts| counts.counts.keys());
    keys.map(|key| (*key, counts.map(|counts| share(counts, *key)))).collect()
}

/// What is known of a measure; `None` where either side is not solved, or cannot have it.
fn exactly(answers: [&Result<Answer, Unsolved>; 2], measure: usize) -> Option<Shares> {
    let [Ok(ours), Ok(theirs)] = answers else { return None };
    let [ours, theirs] = [ours, theirs].map(|answer| &answer.measures[measure]);
    let (our, their) = (exact_share(ours), exact_share(theirs));
    let keys = ours.weights.keys().chain(theirs.weights.keys());
    keys.map(|key| Some((*key, [our(*key)?, their(*key)?]))).collect()
}

/// Where the draft is ahead and behind most; and the verdict where all is certain, else see [`judge`].
fn order((variant, situation, measure): (usize, usize, usize), exact: bool, steps: &[Step]) -> Order {
    let differences: Vec<(i64, f64)> = steps.iter().map(|step| (step.key, step.by())).collect();
    let most = |side: f64| {
        let those = differences.iter().map(|(key, by)| (*key, by * side)).filter(|(_, by)| *by > 0.0);
        // of equal ones the first
        those.rev().max_by(|a, b| a.1.total_cmp(&b.1))
    };
    let signs = steps.iter().map(|step| [sign(&step.better), sign(&step.worse)]);
    let verdict = if exact { verdict(signs) } else { Standing::Open };
    Order { variant, situation, measure, verdict, exact, ahead: most(1.0), behind: most(-1.0), room: 0.0 }
}

/// Whether a difference is above or below 0, as far as it is known.
fn sign(difference: &Probability) -> Ordering {
    match difference {
        none if none.is_zero() => Ordering::Equal,
        less if less.can_be_at_most(&Probability::ZERO) => Ordering::Less,
        _ => Ordering::Greater,
    }
}

/// What the signs of all steps come to.
fn verdict(steps: impl Iterator<Item = [Ordering; 2]>) -> Standing {
    let (mut not_worse, mut not_better, mut ahead, mut behind) = (true, true, false, false);
    for [better, worse] in steps {
        ahead |= better.is_gt() && worse.is_lt();
        behind |= better.is_lt() && worse.is_gt();
        not_worse &= better.is_ge() && worse.is_le();
        not_better &= better.is_le() && worse.is_ge();
    }
    match (not_worse, not_better) {
        (true, true) => Standing::Same,
        (true, false) => Standing::NeverWorse,
        (false, true) => Standing::NeverBetter,
        (false, false) if ahead && behind => Standing::Mixed,
        // it hangs on where trials without a value would have ended
        (false, false) => Standing::Open,
    }
}

/// Judges by counts: the share of the first values is near the true one for all values together.
///
/// **Source:** P. Massart, "The tight constant in the Dvoretzky-Kiefer-Wolfowitz inequality", *Annals of Probability* 18
/// (1990).
fn judge(order: &mut Order, counts: [&Counts; 2], sense: &Sense, alarm: f64) {
    // trials without a value can be put at either end: that makes two distributions of each side
    let ends = if counts.iter().any(|counts| counts.ended() < counts.trials) { 2.0 } else { 1.0 };
    let off = |counts: &Counts| (libm::log(4.0 * ends / alarm) / (2.0 * counts.trials as f64)).sqrt();
    let room: f64 = counts.into_iter().map(off).sum();
    let told = |difference: f64| match difference {
        more if more > room => Ordering::Greater,
        less if less < -room => Ordering::Less,
        _ => Ordering::Equal,
    };
    let steps = steps(&counted(counts), sense).into_iter();
    let signs: Vec<[Ordering; 2]> =
        steps.map(|step| [told(step.better.value()), told(step.worse.value())]).collect();
    let open = signs.iter().flatten().any(|sign| sign.is_eq());
    order.room = room;
    order.verdict = match verdict(signs.into_iter()) {
        Standing::NeverWorse | Standing::NeverBetter | Standing::Same if open => Standing::Open,
        Standing::Same => Standing::Open,
        told => told,
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyse::{LEVEL, analyse};
    use crate::plan::{ContentId, Sample, Weights};

    /// Counts of so many trials for each value.
    fn sample(plan: u8, trials: u64, counts: &[(i64, u64)]) -> Sample {
        let measures = vec![Counts { trials, counts: counts.iter().copied().collect() }];
        Sample { id: ContentId([plan; 32]), trials, unresolved: 0, measures, joint: BTreeMap::new() }
    }

    /// The answer whose weights are just these counts.
    fn answer(sample: &Sample) -> Result<Answer, Unsolved> {
        let weight = |(key, count): (&i64, &u64)| (*key, Probability::fraction(*count as i64, sample.trials));
        let weights = sample.measures[0].counts.iter().map(weight).collect();
        let measures = vec![Weights { partial: false, weights }];
        Ok(Answer { measures, joint: BTreeMap::new(), unresolved: Probability::ZERO, limit: None })
    }

    /// The only order of a draft against the baseline, with so many trials for each value; solved, or counted.
    fn order_of(
        theirs: &[(i64, u64)],
        ours: &[(i64, u64)],
        trials: u64,
        sense: Sense,
        solved: bool,
    ) -> Order {
        let samples = [vec![sample(1, trials, theirs)], vec![sample(2, trials, ours)]];
        let mut analysis = analyse(&samples, 0, &[Some(3)], LEVEL);
        if solved {
            analysis.cells.iter_mut().flatten().for_each(|cell| cell.answer = answer(&cell.sample));
        }
        orders(&analysis, &[Some(sense)]).remove(0)
    }

    /// Three values, each better than the next.
    fn best_first() -> Sense {
        Sense::BestFirst(vec![0, 1, 2])
    }

    #[test]
    fn values_that_are_equally_good_are_one_step() {
        // more of the first and less of the second, which is as good; the third is worst
        let [theirs, ours] = [[(0, 20), (1, 30), (2, 50)], [(0, 30), (1, 20), (2, 50)]];
        let order =
            |ranks: [u32; 3]| order_of(&theirs, &ours, 100, Sense::BestFirst(ranks.into()), true).verdict;
        assert_eq!(order([0, 0, 1]), Standing::Same);
        assert_eq!(order([0, 1, 2]), Standing::NeverWorse);
        assert_eq!(order([0, 1, 1]), Standing::NeverWorse);
        assert_eq!(order([1, 0, 1]), Standing::NeverBetter);
    }

    /// Verdicts for outcomes that are solved, in percent: the best first.
    fn exact(theirs: [u64; 3], ours: [u64; 3]) -> Standing {
        let of = |shares: [u64; 3]| (0..).zip(shares).collect::<Vec<_>>();
        let order = order_of(&of(theirs), &of(ours), 100, best_first(), true);
        assert!(order.exact && order.room == 0.0);
        order.verdict
    }

    #[test]
    fn solved_drafts_are_ordered_by_their_sums() {
        assert_eq!(exact([20, 30, 50], [20, 30, 50]), Standing::Same);
        assert_eq!(exact([20, 30, 50], [20, 31, 49]), Standing::NeverWorse);
        assert_eq!(exact([20, 30, 50], [50, 0, 50]), Standing::NeverWorse);
        assert_eq!(exact([20, 30, 50], [19, 31, 50]), Standing::NeverBetter);
        // more of the best, and more of the worst
        assert_eq!(exact([20, 30, 50], [21, 28, 51]), Standing::Mixed);
        // of three values one is missing everywhere
        assert_eq!(exact([0, 50, 50], [0, 51, 49]), Standing::NeverWorse);
    }

    #[test]
    fn trials_that_do_not_end_are_neither_better_nor_worse() {
        // two of a hundred trials under each draft have no result
        assert_eq!(exact([20, 30, 48], [20, 31, 47]), Standing::NeverWorse);
        // the draft's five may be among the best, then it is never worse, or among the worst, then it is never better
        assert_eq!(exact([20, 30, 50], [18, 30, 47]), Standing::Open);
        // wherever two of a hundred would have ended: more of the best for certain, and more of the worst
        assert_eq!(exact([20, 30, 50], [24, 18, 56]), Standing::Mixed);
    }

    #[test]
    fn where_it_is_mixed_the_places_are_told() {
        let order =
            order_of(&[(0, 20), (1, 30), (2, 50)], &[(0, 25), (1, 22), (2, 53)], 100, best_first(), true);
        assert_eq!(order.verdict, Standing::Mixed);
        // 25 against 20 of the best; 47 against 50 of the first two
        let [(ahead, by), (behind, less)] = [order.ahead, order.behind].map(Option::unwrap);
        assert_eq!((ahead, behind), (0, 1));
        assert!((by - 0.05).abs() < 1e-15 && (less - 0.03).abs() < 1e-15);
    }

    #[test]
    fn of_numbers_the_highest_come_first() {
        let order = order_of(&[(2, 50), (3, 50)], &[(2, 40), (5, 60)], 100, Sense::HighestFirst, true);
        assert_eq!(order.verdict, Standing::NeverWorse);
        assert_eq!(order.ahead.map(|(key, _)| key), Some(5));
        let order = order_of(&[(2, 50), (3, 50)], &[(0, 60), (5, 40)], 100, Sense::HighestFirst, true);
        assert_eq!(order.verdict, Standing::Mixed);
    }

    #[test]
    fn counts_tell_only_what_chance_cannot() {
        let counted = |theirs: [u64; 3], ours: [u64; 3], times: u64| {
            let of = |shares: [u64; 3]| (0..).zip(shares.map(|share| share * times)).collect::<Vec<_>>();
            order_of(&of(theirs), &of(ours), 100 * times, best_first(), false)
        };
        // by hand: two samples of 10,000 and one verdict: 2 sqrt(ln 80 / 20000) = 0.0296
        let order = counted([20, 30, 50], [24, 31, 45], 100);
        assert!((order.room - 0.0296).abs() < 5e-5, "{}", order.room);
        assert_eq!(order.verdict, Standing::NeverWorse, "4 and 5 points more");
        assert_eq!(counted([20, 30, 50], [24, 28, 48], 100).verdict, Standing::Open, "2 points are too few");
        assert_eq!(counted([20, 30, 50], [16, 29, 55], 100).verdict, Standing::NeverBetter);
        assert_eq!(counted([20, 30, 50], [25, 20, 55], 100).verdict, Standing::Mixed);
        assert_eq!(counted([20, 30, 50], [20, 30, 50], 100).verdict, Standing::Open);
    }

    #[test]
    fn the_same_rules_give_the_same_without_any_trial() {
        let one = sample(1, 10, &[(0, 4), (1, 6)]);
        let analysis = analyse(&[vec![one.clone()], vec![one]], 0, &[Some(2)], LEVEL);
        let orders = orders(&analysis, &[Some(best_first())]);
        assert_eq!((orders[0].verdict, orders[0].exact), (Standing::Same, true));
    }
}
