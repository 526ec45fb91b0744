//! Every cell of a run and every comparison with the baseline.
//!
//! In: a sample for each variant and situation. Out: an [`Analysis`].
//!
//! **Never:** what variants, situations and measures are called.

use super::{
    Agreement, Finding, Flow, Means, Order, Place, Reach, Reaching, Sensitivity, Verdict, cohens_h, fisher,
    holm, newcombe, normal_quantile, wilson,
};
use crate::plan::{Answer, Budget, Counts, Probability, Sample, Unsolved};
use std::collections::{BTreeMap, BTreeSet};

/// A probability with its interval, fractions in 0..=1.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// Trials in which it came up.
    pub count: u64,
    /// All trials.
    pub trials: u64,
    /// `count` over `trials`; not a number where there are none.
    pub probability: f64,
    /// The lower end of its interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Estimate {
    /// What a count says; `z` is the [`super::normal_quantile`] of its interval's level.
    pub fn new(count: u64, trials: u64, z: f64) -> Self {
        let (low, high) = wilson(count, trials, z);
        Self { count, trials, probability: count as f64 / trials as f64, low, high }
    }

    /// Count and trials, as the functions of two probabilities take them.
    fn share(&self) -> (u64, u64) {
        (self.count, self.trials)
    }
}

/// The share of so many trials; `z` is the [`normal_quantile`] of its interval's level.
pub fn share(count: u64, trials: u64, z: f64) -> Estimate {
    Estimate::new(count, trials, z)
}

/// One variant in one situation.
#[derive(Clone, PartialEq, Debug)]
pub struct Cell {
    /// What was counted.
    pub sample: Sample,
    /// For each measure, each of its values with its probability: all named ones, or the numbers that came up, ascending.
    pub estimates: Vec<Vec<(i64, Estimate)>>,
    /// What is known exactly, or why it is not.
    pub answer: Result<Answer, Unsolved>,
    /// From where to where numbers can be that were the same in all trials, by position of the measure, as far as that is
    /// known.
    pub reach: BTreeMap<usize, (i64, i64)>,
}

impl Cell {
    /// What was counted of a measure that is a number, and from where to where it can be.
    pub fn reaching(&self, measure: usize) -> Reaching<'_> {
        (&self.sample.measures[measure], self.reach.get(&measure).copied())
    }
}

/// One value of a measure in one situation: a variant against the baseline.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Comparison {
    /// Position of the variant.
    pub variant: usize,
    /// Position of the situation.
    pub situation: usize,
    /// Position of the measure.
    pub measure: usize,
    /// The value, as counts key it.
    pub key: i64,
    /// The baseline's probability.
    pub baseline: Estimate,
    /// The variant's probability.
    pub estimate: Estimate,
    /// The variant's less the baseline's, a fraction in -1..=1.
    pub difference: f64,
    /// The lower end of the difference's interval, in -1..=1.
    pub low: f64,
    /// The upper end, in -1..=1.
    pub high: f64,
    /// How often equal probabilities would yield a difference like this anywhere in the run, a fraction in 0..=1.
    pub p_adjusted: f64,
    /// Cohen's h of the variant against the baseline, from -pi to pi.
    pub effect: f64,
    /// Whether both play by the same rules here, so that the difference is known to be none.
    pub same_rules: bool,
}

/// All that a run's counts say.
#[derive(Clone, PartialEq, Debug)]
pub struct Analysis {
    /// The level of every interval, a fraction in 0..1.
    pub level: f64,
    /// Position of the variant that the others are compared with.
    pub baseline: usize,
    /// For each variant, for each situation.
    pub cells: Vec<Vec<Cell>>,
    /// By variant, then situation, then measure, then value; none of a measure that no trial of either has.
    pub comparisons: Vec<Comparison>,
    /// What each comparison's difference is exactly, where both sides are solved; see [`Analysis::relate`].
    pub differences: Vec<Option<Probability>>,
    /// By variant, then situation, then measure: how far means are apart; see [`Analysis::relate`].
    pub means: Vec<Means>,
    /// By variant, then situation, then measure: whether a draft is ever worse; see [`Analysis::relate`].
    pub orders: Vec<Order>,
    /// What the same dice give; empty where nothing was played in step; see [`Analysis::set_flows`].
    pub flows: Vec<Flow>,
    /// Whether each expectation is met.
    pub expects: Vec<Finding>,
    /// Whether each claim holds; empty where nobody has judged.
    pub claims: Vec<Verdict>,
    /// Where a precision was asked for.
    pub precision: Option<Precision>,
    /// Trials that were played, those for claims among them; plans that play alike were played once.
    pub played: u64,
    /// How counts and exact answers agree; `None` where none was asked for.
    pub agreement: Option<Agreement>,
    /// Where a plan is too long to be written out, so that the interpreter played it, and not the kernel.
    pub interpreted: Vec<Place>,
    /// For each chart of modifiers that is asked for, what moves its figure.
    pub sensitivities: Vec<Sensitivity>,
    /// For each variant what its trials come to; empty where nobody has looked; see [`Analysis::set_reached`].
    pub reached: Vec<Reach>,
}

/// Whether figures are as precise as was asked.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Precision {
    /// How wide an interval may be on either side, a fraction in 0..0.5.
    pub asked: f64,
    /// How often a run may look whether it is, at most; each look is at [`Analysis::level`].
    pub looks: u64,
    /// Where the widest interval is wider, though there were as many trials as there may be, and its half.
    pub wide: Vec<(Place, f64)>,
}

/// The budget of what nobody asked to solve.
const NOTHING: Budget = Budget { states: 0 };

/// Works out every cell and every comparison. `samples` holds, for each variant, a sample for each situation; `named`
/// says of each measure how many named values it has, `None` where it is a number; `level` is that of every single
/// interval, a fraction in 0..1.
pub fn analyse(samples: &[Vec<Sample>], baseline: usize, named: &[Option<usize>], level: f64) -> Analysis {
    let z = normal_quantile(level);
    let estimates = |sample: &Sample| {
        let one = |(measure, counts): (usize, &Counts)| {
            keys(named[measure], &[counts]).map(|key| (key, of(counts, key, z))).collect()
        };
        sample.measures.iter().enumerate().map(one).collect()
    };
    let cell = |sample: &Sample| Cell {
        sample: sample.clone(),
        estimates: estimates(sample),
        answer: Err(Unsolved::Budget(NOTHING)),
        reach: BTreeMap::new(),
    };
    let cells = samples.iter().map(|row| row.iter().map(cell).collect()).collect();
    let mut comparisons = Vec::new();
    for (variant, row) in samples.iter().enumerate().filter(|(variant, _)| *variant != baseline) {
        for (situation, (ours, theirs)) in row.iter().zip(&samples[baseline]).enumerate() {
            for (measure, named) in named.iter().enumerate() {
                let same_rules = ours.id == theirs.id;
                let both = [&ours.measures[measure], &theirs.measures[measure]];
                if both.iter().any(|counts| counts.trials == 0) {
                    continue;
                }
                let one = |key| compare((variant, situation, measure, key), both, same_rules, z);
                comparisons.extend(keys(*named, &both).map(one));
            }
        }
    }
    adjust(&mut comparisons);
    Analysis {
        level,
        baseline,
        cells,
        comparisons,
        differences: Vec::new(),
        means: Vec::new(),
        orders: Vec::new(),
        flows: Vec::new(),
        expects: Vec::new(),
        claims: Vec::new(),
        precision: None,
        played: 0,
        agreement: None,
        interpreted: Vec::new(),
        sensitivities: Vec::new(),
        reached: Vec::new(),
    }
}

/// All named values, or the numbers that came up in any of the counts, ascending.
fn keys(named: Option<usize>, counts: &[&Counts]) -> impl Iterator<Item = i64> + use<> {
    let keys: BTreeSet<i64> = match named {
        Some(count) => (0..count as i64).collect(),
        None => counts.iter().flat_map(|counts| counts.counts.keys().copied()).collect(),
    };
    keys.into_iter()
}

fn of(counts: &Counts, key: i64, z: f64) -> Estimate {
    Estimate::new(counts.count(key), counts.trials, z)
}

/// A comparison whose p-value is not adjusted yet.
fn compare(
    place: (usize, usize, usize, i64),
    [ours, theirs]: [&Counts; 2],
    same_rules: bool,
    z: f64,
) -> Comparison {
    let (variant, situation, measure, key) = place;
    let (estimate, baseline) = (of(ours, key, z), of(theirs, key, z));
    let none = Comparison {
        variant,
        situation,
        measure,
        key,
        baseline,
        estimate,
        difference: 0.0,
        low: 0.0,
        high: 0.0,
        p_adjusted: 1.0,
        effect: 0.0,
        same_rules,
    };
    if same_rules {
        return none;
    }
    let (low, high) = newcombe(estimate.share(), baseline.share(), z);
    Comparison {
        difference: estimate.probability - baseline.probability,
        low,
        high,
        p_adjusted: fisher(estimate.share(), baseline.share()),
        effect: cohens_h(estimate.probability, baseline.probability),
        ..none
    }
}

/// Adjusts the p-values of all comparisons in which there is anything to test. Where the rules are the same, nothing is
/// left to chance, and the rules say so before any trial: such a comparison is none of the family.
fn adjust(comparisons: &mut [Comparison]) {
    let mut tested: Vec<&mut Comparison> = comparisons.iter_mut().filter(|one| !one.same_rules).collect();
    let values: Vec<f64> = tested.iter().map(|one| one.p_adjusted).collect();
    for (comparison, adjusted) in tested.iter_mut().zip(holm(&values)) {
        comparison.p_adjusted = adjusted;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyse::LEVEL;
    use crate::plan::ContentId;

    /// A sample of a plan known by a number, with so many trials for each result.
    fn sample(plan: u8, counts: &[(i64, u64)]) -> Sample {
        let trials = counts.iter().map(|(_, count)| count).sum();
        let measures = vec![Counts { trials, counts: counts.iter().copied().collect() }];
        Sample { id: ContentId([plan; 32]), trials, unresolved: 0, measures, joint: BTreeMap::new() }
    }

    #[test]
    fn named_results_that_never_came_up_are_there_and_numbers_are_not() {
        let samples = [vec![sample(1, &[(0, 3), (2, 1)])]];
        let named: Vec<_> = analyse(&samples, 0, &[Some(4)], LEVEL).cells[0][0].estimates[0].clone();
        assert_eq!(
            named.iter().map(|(key, one)| (*key, one.count)).collect::<Vec<_>>(),
            [(0, 3), (1, 0), (2, 1), (3, 0)]
        );
        let numbers = analyse(&samples, 0, &[None], LEVEL).cells[0][0].estimates[0].clone();
        assert_eq!(numbers.iter().map(|(key, _)| *key).collect::<Vec<_>>(), [0, 2]);
    }

    #[test]
    fn numbers_are_compared_wherever_either_side_has_them() {
        let samples = [vec![sample(1, &[(5, 10)])], vec![sample(2, &[(7, 10)])]];
        let analysis = analyse(&samples, 0, &[None], LEVEL);
        let found: Vec<_> = analysis.comparisons.iter().map(|one| (one.key, one.difference)).collect();
        assert_eq!(found, [(5, -1.0), (7, 1.0)]);
    }

    #[test]
    fn a_difference_is_the_variant_less_the_baseline_wherever_the_baseline_stands() {
        let rows = [vec![sample(1, &[(0, 30), (1, 70)])], vec![sample(2, &[(0, 50), (1, 50)])]];
        let first = analyse(&rows, 0, &[Some(2)], LEVEL).comparisons[0];
        let second = analyse(&rows, 1, &[Some(2)], LEVEL).comparisons[0];
        assert_eq!((first.variant, second.variant), (1, 0));
        assert!((first.difference - 0.2).abs() < 1e-15 && (second.difference + 0.2).abs() < 1e-15);
        assert!(first.low < 0.2 && 0.2 < first.high && first.effect > 0.0);
        assert!((first.low + second.high).abs() < 1e-15);
    }

    #[test]
    fn the_same_rules_do_not_differ_and_do_not_weaken_other_tests() {
        let (a, b) = (sample(1, &[(0, 30), (1, 70)]), sample(2, &[(0, 50), (1, 50)]));
        let samples = [vec![a.clone(), a.clone()], vec![a, b]];
        let analysis = analyse(&samples, 0, &[Some(2)], LEVEL);
        let same = analysis.comparisons[0];
        assert!(same.same_rules);
        assert_eq!(
            (same.difference, same.low, same.high, same.p_adjusted, same.effect),
            (0.0, 0.0, 0.0, 1.0, 0.0)
        );
        // two tests are left with one p-value: Holm makes twice that of the smaller
        let alone = fisher((30, 100), (50, 100));
        assert_eq!(analysis.comparisons[2].p_adjusted, 2.0 * alone);
    }
}
