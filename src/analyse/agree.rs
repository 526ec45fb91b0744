//! Whether counts and exact probabilities agree: the simulator against arithmetic.
//!
//! In: samples with their answers. Out: how much was compared, the worst z-score, and all that chance does not carry.
//!
//! Where both are right, anything in a whole run is called too far away with at most the probability `alarm`: each
//! comparison has its share of that, and Chernoff's bound holds for any number of trials. What is certain or
//! impossible must be just so.
//!
//! **Never:** who counted, who worked out.

use super::expect::{too_few, too_many};
use super::{exact_share, present, z_score};
use crate::plan::{Answer, Counts, Probability, Sample, Weights};
use std::collections::BTreeSet;

/// How few times something may be expected, or missed, for its z-score to be told as the worst one; for rarer things it
/// says little.
const FEW: f64 = 10.0;

/// Where something is compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// A variant and a situation of the grid.
    Cell(usize, usize),
    /// The situation of an expectation.
    Expectation(usize),
}

/// What is compared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Compared {
    /// A value of a measure.
    Value(usize, i64),
    /// That a trial has a measure.
    Present(usize),
    /// A combination of what is asked for together.
    Together(Vec<Option<i64>>),
    /// That a trial does not end.
    Unresolved,
}

/// How far a count is from what is known.
#[derive(Clone, PartialEq, Debug)]
pub struct Deviation {
    /// Where.
    pub place: Place,
    /// Of what.
    pub compared: Compared,
    /// Trials in which it came up.
    pub count: u64,
    /// The trials among which it is counted.
    pub trials: u64,
    /// Its probability.
    pub exact: Probability,
    /// The z-score of the count; `None` where nothing is left to chance.
    pub z: Option<f64>,
}

/// How counts and exact answers agree.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Agreement {
    /// How many plans were counted; those that play alike are one.
    pub plans: usize,
    /// How many of them are solved.
    pub solved: usize,
    /// How many counts were compared.
    pub comparisons: usize,
    /// The worst z-score, of what is neither rare nor nearly certain.
    pub worst: Option<Deviation>,
    /// What chance does not carry so far.
    pub beyond: Vec<Deviation>,
}

/// Compares all counts of all plans that are solved; each plan is given once. `alarm` is how often that may raise a false
/// alarm, such as [`super::ALARM`].
pub fn agreement<'a>(
    plans: impl Iterator<Item = (Place, &'a Sample, Option<&'a Answer>)>,
    alarm: f64,
) -> Agreement {
    let (mut all, mut found) = (Vec::new(), Agreement::default());
    for (place, sample, answer) in plans {
        found.plans += 1;
        if let Some(answer) = answer {
            found.solved += 1;
            all.extend(compared(place, sample, answer));
        }
    }
    found.comparisons = all.len();
    let alarm = alarm / all.len().max(1) as f64;
    found.beyond = all.iter().filter(|one| is_beyond(one, alarm)).cloned().collect();
    let size = |one: &Deviation| one.z.map_or(0.0, f64::abs);
    // of equal ones the first
    found.worst = all.into_iter().rev().filter(is_common).max_by(|a, b| size(a).total_cmp(&size(b)));
    found
}

/// Whether chance does not carry a count so far, but with the probability `alarm`.
fn is_beyond(one: &Deviation, alarm: f64) -> bool {
    let (p, q, error) = (one.exact.value(), Probability::ONE.minus(&one.exact).value(), one.exact.error());
    let (least, most) =
        (((p - error).max(0.0), (q + error).min(1.0)), ((p + error).min(1.0), (q - error).max(0.0)));
    one.trials > 0
        && (too_many(one.count, one.trials, most, alarm) || too_few(one.count, one.trials, least, alarm))
}

fn is_common(one: &Deviation) -> bool {
    let (p, q, trials) = (one.exact.value(), Probability::ONE.minus(&one.exact).value(), one.trials as f64);
    p * trials >= FEW && q * trials >= FEW
}

/// All comparisons of one plan.
fn compared(place: Place, sample: &Sample, answer: &Answer) -> Vec<Deviation> {
    let one = |compared, count, trials, exact: &Probability| Deviation {
        place,
        compared,
        count,
        trials,
        z: z_score(count, trials, exact),
        exact: exact.clone(),
    };
    let never = Probability::ZERO;
    let mut all = vec![one(Compared::Unresolved, sample.unresolved, sample.trials, &answer.unresolved)];
    for (measure, (counts, weights)) in sample.measures.iter().zip(&answer.measures).enumerate() {
        let (whole, share) = (present(weights), exact_share(weights));
        if weights.partial {
            all.push(one(Compared::Present(measure), counts.trials, sample.trials, &whole));
        }
        for key in keys(counts, weights) {
            let exact = share(key).unwrap_or(Probability::ZERO);
            all.push(one(Compared::Value(measure, key), counts.count(key), counts.trials, &exact));
        }
    }
    let together: BTreeSet<_> = sample.joint.keys().chain(answer.joint.keys()).collect();
    all.extend(together.into_iter().map(|values| {
        let (count, exact) = (sample.joint.get(values), answer.joint.get(values));
        let exact = exact.unwrap_or(&never);
        one(Compared::Together(values.clone()), count.copied().unwrap_or(0), sample.trials, exact)
    }));
    all
}

/// The values that came up or can.
fn keys(counts: &Counts, weights: &Weights) -> BTreeSet<i64> {
    counts.counts.keys().chain(weights.weights.keys()).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyse::ALARM;
    use crate::plan::ContentId;
    use std::collections::BTreeMap;

    const HERE: Place = Place::Cell(0, 0);

    fn counts(counts: &[(i64, u64)], unresolved: u64) -> Counts {
        let trials = counts.iter().map(|(_, count)| count).sum::<u64>() + unresolved;
        Counts { trials, counts: counts.iter().copied().collect() }
    }

    fn weights(partial: bool, whole: u64, values: &[(i64, i64)]) -> Weights {
        let one = |(value, weight): &(i64, i64)| (*value, Probability::fraction(*weight, whole));
        Weights { partial, weights: values.iter().map(one).collect() }
    }

    /// A result of three values, and a record that half of the trials have; some do not end.
    fn sample(result: &[(i64, u64)], record: &[(i64, u64)], unresolved: u64) -> Sample {
        let measures = vec![counts(result, unresolved), counts(record, 0)];
        let (trials, joint) = (measures[0].trials, BTreeMap::new());
        Sample { id: ContentId([0; 32]), trials, unresolved, measures, joint }
    }

    fn answer(result: &[(i64, i64)], record: &[(i64, i64)], unresolved: i64) -> Answer {
        let measures = vec![weights(false, 100, result), weights(true, 100, record)];
        let unresolved = Probability::fraction(unresolved, 100);
        Answer { measures, limit: None, joint: BTreeMap::new(), unresolved }
    }

    fn of(sample: &Sample, answer: &Answer) -> Agreement {
        agreement([(HERE, sample, Some(answer))].into_iter(), ALARM)
    }

    fn beyond(agreement: &Agreement) -> Vec<&Compared> {
        agreement.beyond.iter().map(|one| &one.compared).collect()
    }

    #[test]
    fn right_probabilities_agree_and_the_worst_is_told() {
        let sample = sample(&[(1, 300), (2, 6_600)], &[(5, 2_400), (8, 2_600)], 3_100);
        let found = of(&sample, &answer(&[(1, 3), (2, 67)], &[(5, 25), (8, 25)], 30));
        assert_eq!((found.plans, found.solved, found.comparisons), (1, 1, 6));
        assert_eq!(beyond(&found), [] as [&Compared; 0]);
        // 2,400 of 5,000 at a half: 100 too few, give or take 35.36
        let worst = found.worst.unwrap();
        assert_eq!((&worst.compared, worst.count, worst.trials), (&Compared::Value(1, 5), 2_400, 5_000));
        assert!((worst.z.unwrap() + 100.0 / 1250.0_f64.sqrt()).abs() < 1e-12);
    }

    #[test]
    fn each_sort_of_wrong_probability_is_caught() {
        let sample = sample(&[(1, 300), (2, 6_700)], &[(5, 2_500), (8, 2_500)], 3_000);
        let wrong = |result: &[(i64, i64)], record: &[(i64, i64)], unresolved| {
            of(&sample, &answer(result, record, unresolved))
                .beyond
                .into_iter()
                .map(|one| one.compared)
                .collect::<Vec<_>>()
        };
        assert_eq!(wrong(&[(1, 3), (2, 67)], &[(5, 25), (8, 25)], 30), []);
        assert_eq!(wrong(&[(1, 5), (2, 67)], &[(5, 25), (8, 25)], 30), [Compared::Value(0, 1)]);
        assert_eq!(wrong(&[(1, 3), (2, 67)], &[(5, 25), (8, 25)], 27), [Compared::Unresolved]);
        assert_eq!(wrong(&[(1, 3), (2, 67)], &[(5, 23), (8, 23)], 30), [Compared::Present(1)]);
        let both = [Compared::Value(1, 5), Compared::Value(1, 8)];
        assert_eq!(wrong(&[(1, 3), (2, 67)], &[(5, 30), (8, 20)], 30), both);
    }

    #[test]
    fn what_is_certain_or_impossible_must_be_just_so() {
        let certain = answer(&[(1, 100)], &[], 0);
        assert!(of(&sample(&[(1, 1_000_000)], &[], 0), &certain).beyond.is_empty());
        let both = [Compared::Value(0, 1), Compared::Value(0, 2)];
        assert_eq!(
            beyond(&of(&sample(&[(1, 999_999), (2, 1)], &[], 0), &certain)),
            both.iter().collect::<Vec<_>>()
        );
        let ended = [Compared::Unresolved, Compared::Value(0, 1)];
        assert_eq!(beyond(&of(&sample(&[(1, 999_999)], &[], 1), &certain)), ended.iter().collect::<Vec<_>>());
        let recorded = of(&sample(&[(1, 10)], &[(7, 1)], 0), &certain);
        assert_eq!(beyond(&recorded), [&Compared::Present(1), &Compared::Value(1, 7)]);
    }

    #[test]
    fn what_is_rare_is_judged_by_the_bound_and_not_by_its_z_score() {
        // once in a million is no wonder in a thousand trials, though the z-score of it is 31.6; five times are
        let one = |count: u64| {
            let weights = [(1, 1), (0, 999_999)]
                .map(|(value, weight)| (value, Probability::fraction(weight, 1_000_000)));
            let weights = Weights { partial: false, weights: weights.into_iter().collect() };
            let answer = Answer { measures: vec![weights], ..answer(&[], &[], 0) };
            let mut sample = sample(&[(0, 1_000 - count), (1, count)], &[], 0);
            sample.measures.truncate(1);
            of(&sample, &answer)
        };
        assert!(one(1).beyond.is_empty() && one(1).worst.is_none());
        assert_eq!(one(5).beyond[1].z.map(f64::round), Some(158.0));
    }

    #[test]
    fn combinations_are_compared_among_all_trials() {
        let mut sample = sample(&[(1, 10_000)], &[], 0);
        let mut answer = answer(&[(1, 100)], &[], 0);
        let (half, rest) = (vec![Some(1), None], vec![None, None]);
        sample.joint = [(half.clone(), 5_000), (rest.clone(), 5_000)].into_iter().collect();
        answer.joint = [(half.clone(), Probability::fraction(1, 2)), (rest, Probability::fraction(1, 2))]
            .into_iter()
            .collect();
        assert!(of(&sample, &answer).beyond.is_empty());
        answer.joint.insert(half.clone(), Probability::fraction(1, 3));
        assert_eq!(beyond(&of(&sample, &answer)), [&Compared::Together(half)]);
    }

    #[test]
    fn a_run_of_right_plans_raises_a_false_alarm_less_often_than_it_says() {
        // the whole binomial distribution of 200 throws at a tenth: what one of a hundred comparisons calls too far away
        let (trials, p) = (200_u64, 0.1);
        let mut weight = libm::pow(1.0 - p, trials as f64);
        let mut alarms = 0.0;
        for count in 0..=trials {
            let exact = Probability::fraction(1, 10);
            let one =
                Deviation { place: HERE, compared: Compared::Unresolved, count, trials, exact, z: None };
            alarms += if is_beyond(&one, ALARM / 100.0) { weight } else { 0.0 };
            weight *= (trials - count) as f64 / (count + 1) as f64 * p / (1.0 - p);
        }
        assert!(alarms > 0.0 && alarms < ALARM / 100.0, "{alarms}");
    }

    #[test]
    fn what_is_not_solved_is_counted_and_not_compared() {
        let sample = sample(&[(1, 5)], &[], 0);
        let found = agreement([(HERE, &sample, None)].into_iter(), ALARM);
        assert_eq!((found.plans, found.solved, found.comparisons, found.worst), (1, 0, 0, None));
    }
}
