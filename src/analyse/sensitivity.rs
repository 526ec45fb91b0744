//! By how much one change moves a figure, over many situations.
//!
//! In: in each situation the plan before and after, with their figures. Out: the mean difference, with its interval where
//! it rests on trials, and how far it ranges.
//!
//! **Never:** what is changed, and why.

use super::{Figure, normal_quantile};
use crate::plan::Probability;
use std::collections::BTreeMap;

/// What is changed, in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Subject {
    /// Of what sort it is.
    pub sort: Sort,
    /// The piece in which it stands; empty for a factor.
    pub piece: String,
    /// What it is called.
    pub label: String,
    /// What is done to it.
    pub change: String,
    /// The name of its file, and the line there, from 1.
    pub place: (String, usize),
}

/// The sorts of things that are changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sort {
    /// A line of modifiers.
    Modifier,
    /// A row of a chart.
    Row,
    /// A factor that every situation has at the same value.
    Factor,
    /// A factor of the grid.
    Grid,
}

/// By how much a change moves a figure.
#[derive(Clone, PartialEq, Debug)]
pub struct Effect {
    /// The mean over all situations.
    pub mean: f64,
    /// Its interval where it rests on trials; `None` where it is exact.
    pub interval: Option<(f64, f64)>,
    /// The smallest and the largest difference in any of them.
    pub range: (f64, f64),
    /// In how many situations the figure has a value before and after.
    pub situations: usize,
}

/// What moves a figure of one variant.
#[derive(Clone, PartialEq, Debug)]
pub struct Sensitivity {
    /// Position of the variant.
    pub variant: usize,
    /// What the figure is, as in `P(break)`.
    pub figure: String,
    /// Whether it is a probability.
    pub is_share: bool,
    /// Over how many situations.
    pub situations: usize,
    /// The changes that can be made, the most effective first.
    pub effects: Vec<(Subject, Effect)>,
    /// The others, each with the reason.
    pub fixed: Vec<(Subject, String)>,
    /// The level of intervals, a fraction in 0..1.
    pub level: f64,
}

impl Effect {
    /// Whether it moves nothing anywhere.
    pub fn is_nothing(&self) -> bool {
        self.range == (0.0, 0.0)
    }
}

/// The effect of a change; each pair names the plan before and that after it. Plans that play alike have one name and are
/// one sample: what is on both sides cancels out. `None` where no situation has the figure on both sides.
pub fn effect<'f, K: Ord + Copy>(
    pairs: &[(K, K)],
    figure: impl Fn(K) -> Option<&'f Figure>,
    level: f64,
) -> Option<Effect> {
    let known: Vec<(K, K)> =
        pairs.iter().copied().filter(|(old, new)| figure(*old).and(figure(*new)).is_some()).collect();
    let difference = |(old, new): &(K, K)| match (figure(*old), figure(*new)) {
        _ if old == new => Probability::ZERO,
        (Some(old), Some(new)) => new.value.minus(&old.value),
        _ => Probability::ZERO,
    };
    let differences: Vec<Probability> = known.iter().map(difference).collect();
    let count = Probability::fraction(known.len() as i64, 1);
    let mean = differences.iter().sum::<Probability>().over(&count)?.value();
    let each = || differences.iter().map(Probability::value);
    let range = (each().fold(f64::INFINITY, f64::min), each().fold(f64::NEG_INFINITY, f64::max));
    let mut weights: BTreeMap<K, i64> = BTreeMap::new();
    for (old, new) in &known {
        *weights.entry(*old).or_default() -= 1;
        *weights.entry(*new).or_default() += 1;
    }
    let counts = weights.into_iter().filter(|(_, weight)| *weight != 0);
    let moving: Vec<(&Figure, f64)> =
        counts.filter_map(|(key, weight)| Some((figure(key)?, weight as f64))).collect();
    let variance: f64 = moving.iter().map(|(figure, weight)| weight * weight * figure.variance).sum();
    let half = normal_quantile(level) * variance.sqrt() / known.len() as f64;
    let sampled = moving.iter().any(|(figure, _)| !figure.exact);
    let interval = sampled.then_some((mean - half, mean + half));
    Some(Effect { mean, interval, range, situations: known.len() })
}

/// Puts changes into their order: those with the largest mean first, of equal ones those that range furthest.
pub fn by_effect(effects: &mut [(Subject, Effect)]) {
    let reach = |effect: &Effect| effect.range.0.abs().max(effect.range.1.abs());
    effects.sort_by(|(_, one), (_, other)| {
        let mean = other.mean.abs().total_cmp(&one.mean.abs());
        mean.then_with(|| reach(other).total_cmp(&reach(one)))
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(of_36: i64, variance: f64) -> Figure {
        Figure { value: Probability::fraction(of_36, 36), variance, exact: variance == 0.0 }
    }

    #[test]
    fn the_mean_and_the_range_of_exact_figures_are_exact() {
        let figures = [figure(3, 0.0), figure(10, 0.0), figure(6, 0.0)];
        // two situations: from 3 to 10 and from 6 to 3
        let found = effect(&[(0, 1), (2, 0)], |at: usize| figures.get(at), 0.95).unwrap();
        assert_eq!((found.mean, found.interval, found.situations), (2.0 / 36.0, None, 2));
        assert_eq!(found.range, (-3.0 / 36.0, 7.0 / 36.0));
        assert_eq!(effect(&[(0, 9)], |at: usize| figures.get(at), 0.95), None);
    }

    #[test]
    fn what_plays_alike_before_and_after_cancels_out() {
        let figures = [figure(3, 1e-6), figure(10, 1e-6)];
        let same = effect(&[(0, 0), (1, 1)], |at: usize| figures.get(at), 0.95).unwrap();
        assert_eq!((same.mean, same.interval), (0.0, None));
        assert!(same.is_nothing());
        // 0 stands before once and after once: what is left is one plan less another, over three situations
        let found = effect(&[(0, 1), (1, 0), (0, 1)], |at: usize| figures.get(at), 0.95).unwrap();
        let half = normal_quantile(0.95) * 2e-6_f64.sqrt() / 3.0;
        let (low, high) = found.interval.unwrap();
        assert!(((high - low) / 2.0 - half).abs() < 1e-15 && (found.mean - 7.0 / 108.0).abs() < 1e-15);
    }
}
