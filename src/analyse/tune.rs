//! How far values of factors are from bringing about what is wanted, and which come nearest.
//!
//! In: for each combination of values and each target, its two sides in every situation that it speaks of. Out:
//! combinations in their order, best first.
//!
//! **Never:** what a factor or a target is called; where figures come from.

use crate::plan::{Margin, Probability, Relation};
use std::cmp::Ordering;

/// How far one target is from being met.
#[derive(Clone, PartialEq, Debug)]
pub struct Miss {
    /// Whether it is met wherever it speaks of.
    pub met: bool,
    /// In how many situations it is met, and of how many it speaks; of an average 1 at most.
    pub situations: (usize, usize),
    /// By how much it is missed on average over these; infinite where a side has no value.
    pub mean: f64,
    /// By how much it is missed where that is most.
    pub largest: f64,
    /// Which situation that is, and the two sides there; `None` for an average, or where a side has no value.
    pub worst: Option<(usize, f64, f64)>,
    /// How far the sides are apart on average, whatever is allowed; 0 where they are not to be equal.
    pub apart: f64,
}

/// A combination of values, and what it brings about.
#[derive(Clone, PartialEq, Debug)]
pub struct Combination {
    /// For each factor that is varied, the position of its value; none for the variant as it is written.
    pub values: Vec<usize>,
    /// How many of these differ from the variant as it is written.
    pub changed: usize,
    /// For each target.
    pub targets: Vec<Miss>,
    /// By how much each further figure moves on average, against the variant as it is written; `None` where it has no
    /// value.
    pub moves: Vec<Option<f64>>,
    /// Whether everything was solved exactly.
    pub exact: bool,
    /// Whether no other is at least as near to every target and nearer to one.
    pub unbeaten: bool,
}

/// All that a search has found.
#[derive(Clone, PartialEq, Debug)]
pub struct Tuned {
    /// The variant as it is written.
    pub now: Combination,
    /// Every combination that can be played, the best first.
    pub combinations: Vec<Combination>,
    /// The combinations under which some situation of the grid does not exist, each with the reason.
    pub impossible: Vec<(Vec<usize>, String)>,
}

impl Combination {
    /// Whether every target is met.
    pub fn meets_all(&self) -> bool {
        self.targets.iter().all(|miss| miss.met)
    }
}

/// Whether a comparison holds, and by how much it is missed: the distance by which the left side would have to move.
/// `=` with a margin is met within it. A point is so much of a `unit`.
pub fn miss(
    left: &Probability,
    relation: Relation,
    right: &Probability,
    margin: Option<Margin>,
    unit: &Probability,
) -> (bool, Probability) {
    let fraction = |(top, bottom): (i64, i64)| Probability::fraction(top, bottom.unsigned_abs());
    let distance = |from: &Probability, to: &Probability| to.minus(from);
    let (down, up) = match margin {
        None => (right.clone(), right.clone()),
        Some(Margin::Points(by)) => {
            let by = fraction(by).product(unit);
            (right.minus(&by), right.plus(&by))
        }
        Some(Margin::Times(by)) => {
            let by = fraction(by);
            (right.over(&by).unwrap_or_else(|| right.clone()), right.product(&by))
        }
    };
    let (met, off) = match relation {
        Relation::Less => (!down.can_be_at_most(left), distance(&down, left)),
        Relation::AtMost => (left.can_be_at_most(&down), distance(&down, left)),
        Relation::More => (!left.can_be_at_most(&up), distance(left, &up)),
        Relation::AtLeast => (up.can_be_at_most(left), distance(left, &up)),
        Relation::Equal => {
            let off = match left.can_be_at_most(right) {
                true => distance(left, &down),
                false => distance(&up, left),
            };
            (off.can_be_at_most(&Probability::ZERO), off)
        }
    };
    let beyond = !met && !off.can_be_at_most(&Probability::ZERO);
    (met, if beyond { off } else { Probability::ZERO })
}

/// A target over the situations that it speaks of: each with its two sides, `None` where one has no value.
pub fn misses(
    sides: &[(usize, Option<(Probability, Probability)>)],
    relation: Relation,
    margin: Option<Margin>,
    unit: &Probability,
    average: bool,
) -> Miss {
    let known: Option<Vec<_>> = sides.iter().map(|(at, sides)| Some((*at, sides.as_ref()?))).collect();
    let Some(known) = known.filter(|known| !known.is_empty()) else {
        let situations = (0, if average { 1 } else { sides.len() });
        let (mean, largest) = (f64::INFINITY, f64::INFINITY);
        return Miss { met: false, situations, mean, largest, worst: None, apart: f64::INFINITY };
    };
    let count = Probability::fraction(known.len() as i64, 1);
    let mean =
        |all: Vec<Probability>| all.iter().sum::<Probability>().over(&count).unwrap_or(Probability::ZERO);
    if average {
        let left = mean(known.iter().map(|(_, sides)| sides.0.clone()).collect());
        let right = mean(known.iter().map(|(_, sides)| sides.1.clone()).collect());
        let (met, off) = miss(&left, relation, &right, margin, unit);
        let (off, apart) = (off.value(), apart(&left, &right, relation));
        return Miss { met, situations: (usize::from(met), 1), mean: off, largest: off, worst: None, apart };
    }
    let each: Vec<(bool, Probability)> =
        known.iter().map(|(_, sides)| miss(&sides.0, relation, &sides.1, margin, unit)).collect();
    let met = each.iter().filter(|(met, _)| *met).count();
    // of equally large ones the first in the grid
    let off = |at: usize| each[at].1.value();
    let worst = (0..each.len()).rev().max_by(|one, other| off(*one).total_cmp(&off(*other))).unwrap_or(0);
    let (situation, (left, right)) = &known[worst];
    let sum: f64 = known.iter().map(|(_, sides)| apart(&sides.0, &sides.1, relation)).sum();
    Miss {
        met: met == each.len(),
        situations: (met, each.len()),
        largest: off(worst),
        mean: mean(each.into_iter().map(|(_, off)| off).collect()).value(),
        worst: Some((*situation, left.value(), right.value())),
        apart: sum / known.len() as f64,
    }
}

fn apart(left: &Probability, right: &Probability, relation: Relation) -> f64 {
    if relation == Relation::Equal { left.minus(right).value().abs() } else { 0.0 }
}

/// Puts combinations into their order: the fewest targets missed; then the smallest mean miss, all targets together; then
/// the smallest largest miss; then, where sides are to be equal, the nearest; then the fewest values changed; then as
/// written. `scales` says of each target in how many of its units a miss counts as 1: a hundredth for a probability.
pub fn rank(combinations: &mut [Combination], scales: &[f64]) {
    let sum = |one: &Combination, of: fn(&Miss) -> f64| -> f64 {
        one.targets.iter().zip(scales).map(|(miss, scale)| of(miss) / scale).sum()
    };
    let missed = |one: &Combination| one.targets.iter().filter(|miss| !miss.met).count();
    let by =
        |one: &Combination, other: &Combination, of: fn(&Miss) -> f64| near(sum(one, of), sum(other, of));
    combinations.sort_by(|one, other| {
        (missed(one).cmp(&missed(other)))
            .then_with(|| by(one, other, |miss| miss.mean))
            .then_with(|| by(one, other, |miss| miss.largest))
            .then_with(|| by(one, other, |miss| miss.apart))
            .then_with(|| one.changed.cmp(&other.changed))
            .then_with(|| one.values.cmp(&other.values))
    });
    // whatever beats another stands before it, and is itself unbeaten or beaten by one that is
    let mut front: Vec<usize> = Vec::new();
    for at in 0..combinations.len() {
        if !front.iter().any(|better| beats(&combinations[*better], &combinations[at])) {
            combinations[at].unbeaten = true;
            front.push(at);
        }
    }
}

/// The order of two sums that may differ by the rounding of their last digits.
fn near(one: f64, other: f64) -> Ordering {
    let same = one == other || (one - other).abs() <= 1e-12 * (one.abs() + other.abs());
    if same { Ordering::Equal } else { one.total_cmp(&other) }
}

/// Whether one is as near to every target as another, and nearer to some.
fn beats(one: &Combination, other: &Combination) -> bool {
    let mut nearer = false;
    for (ours, theirs) in one.targets.iter().zip(&other.targets) {
        match near(ours.mean, theirs.mean).then_with(|| theirs.met.cmp(&ours.met)) {
            Ordering::Greater => return false,
            Ordering::Less => nearer = true,
            Ordering::Equal => {}
        }
    }
    nearer
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_36(number: i64) -> Probability {
        Probability::fraction(number, 36)
    }

    /// Whether it is met, and the miss in 36ths.
    fn missed(left: i64, relation: Relation, right: i64, margin: Option<Margin>) -> (bool, f64) {
        let (met, off) = miss(&of_36(left), relation, &of_36(right), margin, &Probability::fraction(1, 100));
        (met, (off.value() * 36e9).round() / 1e9)
    }

    #[test]
    fn a_miss_is_how_far_the_left_side_would_have_to_move() {
        use Relation::{AtLeast, AtMost, Equal, Less, More};
        assert_eq!(missed(10, AtMost, 12, None), (true, 0.0));
        assert_eq!(missed(15, AtMost, 12, None), (false, 3.0));
        assert_eq!(missed(12, Less, 12, None), (false, 0.0), "equal values fail a strict comparison");
        assert_eq!(missed(12, AtMost, 12, None), (true, 0.0));
        assert_eq!(missed(11, AtLeast, 12, None), (false, 1.0));
        assert_eq!(missed(13, More, 12, None), (true, 0.0));
        assert_eq!(missed(7, Equal, 12, None), (false, 5.0));
        assert_eq!(missed(17, Equal, 12, None), (false, 5.0));
        // 25 points are 9 of 36
        let quarter = Some(Margin::Points((25, 1)));
        assert_eq!(missed(10, AtMost, 12, quarter), (false, 7.0));
        assert_eq!(missed(20, AtLeast, 12, quarter), (false, 1.0));
        assert_eq!(missed(3, Equal, 12, quarter), (true, 0.0));
        assert_eq!(missed(1, Equal, 12, quarter), (false, 2.0));
        assert_eq!(missed(24, Equal, 12, quarter), (false, 3.0));
        let twice = Some(Margin::Times((2, 1)));
        assert_eq!(missed(6, AtMost, 12, twice), (true, 0.0));
        assert_eq!(missed(7, AtMost, 12, twice), (false, 1.0));
        assert_eq!(missed(20, AtLeast, 12, twice), (false, 4.0));
        assert_eq!(missed(5, Equal, 12, twice), (false, 1.0));
        assert_eq!(missed(24, Equal, 12, twice), (true, 0.0));
    }

    #[test]
    fn a_target_is_met_where_every_situation_meets_it() {
        let sides = |pairs: &[(i64, i64)]| -> Vec<_> {
            let side =
                |(at, (left, right)): (usize, &(i64, i64))| (at + 5, Some((of_36(*left), of_36(*right))));
            pairs.iter().enumerate().map(side).collect()
        };
        let three = sides(&[(10, 12), (18, 12), (14, 12)]);
        let found = misses(&three, Relation::AtMost, None, &Probability::ONE, false);
        assert_eq!((found.met, found.situations), (false, (1, 3)));
        assert!((found.mean - 8.0 / 3.0 / 36.0).abs() < 1e-15 && (found.largest - 6.0 / 36.0).abs() < 1e-15);
        assert_eq!(found.worst, Some((6, 0.5, 12.0 / 36.0)));
        // on average 14 against 12
        let found = misses(&three, Relation::AtMost, None, &Probability::ONE, true);
        assert_eq!((found.met, found.situations, found.worst), (false, (0, 1), None));
        assert!((found.mean - 2.0 / 36.0).abs() < 1e-15);
        assert!(misses(&three, Relation::AtLeast, None, &Probability::ONE, true).met);
        let found = misses(&[(0, None)], Relation::AtMost, None, &Probability::ONE, false);
        assert!(!found.met && found.mean.is_infinite());
    }

    fn combination(values: usize, means: &[f64]) -> Combination {
        let target = |mean: &f64| Miss {
            met: *mean == 0.0,
            situations: (0, 1),
            mean: *mean,
            largest: *mean,
            worst: None,
            apart: 0.0,
        };
        Combination {
            values: vec![values],
            changed: usize::from(values != 2),
            targets: means.iter().map(target).collect(),
            moves: Vec::new(),
            exact: true,
            unbeaten: false,
        }
    }

    #[test]
    fn the_best_come_first_and_those_that_nothing_beats_are_marked() {
        let all = [[0.3, 0.0], [0.1, 0.1], [0.05, 0.2], [0.1, 0.2], [0.0, 0.5], [0.1, 0.1]];
        let mut all: Vec<_> = all.iter().enumerate().map(|(at, means)| combination(at, means)).collect();
        rank(&mut all, &[0.01, 0.01]);
        let order: Vec<(usize, bool)> = all.iter().map(|one| (one.values[0], one.unbeaten)).collect();
        // one target missed: 0 and 4; of the others 1 and 5 have the same sum, 3 is beaten by all of these
        assert_eq!(order, [(0, true), (4, true), (1, true), (5, true), (2, true), (3, false)]);
    }

    #[test]
    fn of_equals_the_one_with_fewer_changes_comes_first() {
        let mut all: Vec<_> = (0..4).map(|at| combination(at, &[0.0])).collect();
        rank(&mut all, &[1.0]);
        assert_eq!(all.iter().map(|one| one.values[0]).collect::<Vec<_>>(), [2, 0, 1, 3]);
    }
}
