//! The one figure by which a run is told where there is room for one: the chance of a result, or a mean.
//!
//! In: the question and what the counts say. Out: figures, exact ones where they are known; what a draft changes.
//!
//! **Never:** computing a statistic, how it is shown.

use super::groups::groups;
use super::marks;
use super::words::{percent, points, result_label, upper_first};
use crate::analyse::{
    Analysis, Cell, Comparison, exact_mean, exact_quantile, exact_share, mean, present, quantile,
};
use crate::plan::{Answer, Probability, Weights};
use crate::scenario::{Results, Scenario};

/// The figure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Telling {
    /// The chance of a value of the first measure.
    Share(i64),
    /// The mean of the first measure.
    Mean,
}

/// What a draft changes in one situation.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Change {
    /// Both play by the same rules.
    SameRules,
    /// Other rules come to the same.
    Same,
    /// It cannot be told from chance.
    Open,
    /// By so much, a fraction in -1..=1 or a difference of means; more where it is above 0.
    By(f64),
    /// So many trials of one side do not end that the means of the others do not tell.
    Endless,
    /// Nothing can be said: one side has no trial.
    Unknown,
}

/// The chance of a value among the trials that have one, exactly where that is known; `None` where there are none.
pub(super) fn share_of(cell: &Cell, measure: usize, key: i64) -> Option<f64> {
    let exact = known(cell, measure).and_then(|weights| exact_share(weights)(key));
    let counted = || cell.estimates[measure].iter().find(|one| one.0 == key).map(|one| one.1.probability);
    exact.map(|share| share.value()).or_else(counted).filter(|share| share.is_finite())
}

/// The mean of a number, exactly where that is known.
pub(super) fn mean_of(cell: &Cell, measure: usize) -> Option<f64> {
    let exact = known(cell, measure).and_then(exact_mean);
    exact.map(|exact| exact.value()).or_else(|| mean(&cell.sample.measures[measure]))
}

/// The quantile of a number, exactly where that is known.
pub(super) fn quantile_of(cell: &Cell, measure: usize, level: f64) -> Option<i64> {
    let exact = known(cell, measure).and_then(|weights| exact_quantile(weights, level));
    exact.or_else(|| quantile(&cell.sample.measures[measure], level))
}

/// The share of trials that have a measure among those that end, exactly where that is known; not a number where none
/// ends.
pub(super) fn having(cell: &Cell, measure: usize) -> f64 {
    let ended = |answer: &Answer| Probability::ONE.minus(&answer.unresolved);
    let exact = |answer: &Answer| present(&answer.measures[measure]).over(&ended(answer));
    let counted = || {
        let sample = &cell.sample;
        sample.measures[measure].trials as f64 / (sample.trials - sample.unresolved) as f64
    };
    match cell.answer.as_ref().ok().and_then(exact) {
        Some(share) if share.can_be(&Probability::ONE) => 1.0,
        Some(share) => share.value(),
        None => counted(),
    }
}

/// Whether the figures of some of these cells are counted, and those of others exact.
pub(super) fn mixed<'a>(cells: impl Iterator<Item = &'a Cell>) -> bool {
    marks::mixed(cells.map(|cell| cell.answer.is_err()))
}

fn known(cell: &Cell, measure: usize) -> Option<&Weights> {
    cell.answer.as_ref().ok().map(|answer| &answer.measures[measure])
}

/// A mean tells where at most one in so many trials does not end.
const ENDLESS: u64 = 100;

impl Telling {
    /// The result that a draft changes most, of equal ones the last, which is the worst; else the last that comes up. Of
    /// numbers the mean.
    pub(super) fn of(scenario: &Scenario, analysis: &Analysis) -> Self {
        let Results::Named(named) = &scenario.main().results else { return Self::Mean };
        let keys = || (0..named.len() as i64).rev();
        let situations = || 0..scenario.situations.len();
        let most = |key: i64| situations().map(|at| Self::Share(key).size(analysis, at)).fold(0.0, f64::max);
        let comes_up = |key: &i64| {
            let all = analysis.cells.iter().flatten();
            all.into_iter().any(|cell| share_of(cell, 0, *key).is_some_and(|share| share > 0.0))
        };
        // differences that nobody would see on paper are equal
        let sizes =
            keys().map(|key| (key, (most(key) * 1000.0).round() as i64)).filter(|(_, size)| *size > 0);
        let largest = sizes.rev().max_by_key(|(_, size)| *size).map(|(key, _)| key);
        let found = largest.or_else(|| keys().find(comes_up));
        Self::Share(found.unwrap_or(named.len() as i64 - 1))
    }

    /// What it is called above a column.
    pub(super) fn label(self, scenario: &Scenario) -> String {
        match self {
            Self::Share(key) => result_label(scenario.main(), key),
            Self::Mean if scenario.main().is_record() => upper_first(&scenario.main().label),
            Self::Mean => "Mean".to_owned(),
        }
    }

    /// The figure of a cell; `None` where no trial ended.
    pub(super) fn value(self, cell: &Cell) -> Option<f64> {
        match self {
            Self::Share(key) => share_of(cell, 0, key),
            Self::Mean => mean_of(cell, 0),
        }
    }

    /// A value as it is written: in percent, or with two decimals.
    pub(super) fn written(self, value: f64) -> String {
        match self {
            Self::Share(_) => percent(value),
            Self::Mean => format!("{value:.2}"),
        }
    }

    /// A difference with its sign: in percentage points with one decimal, or with two decimals.
    pub(super) fn change_written(self, difference: f64) -> String {
        match self {
            Self::Share(_) => points(difference, 1),
            Self::Mean => points(difference / 100.0, 2),
        }
    }

    /// Whether too many trials do not end for a mean of the others to tell.
    fn is_endless(self, analysis: &Analysis, variant: usize, situation: usize) -> bool {
        let cells = [variant, analysis.baseline].map(|variant| &analysis.cells[variant][situation].sample);
        self == Self::Mean && cells.iter().any(|sample| sample.unresolved > sample.trials / ENDLESS)
    }

    /// How far a variant is from the baseline in a situation.
    fn difference(self, analysis: &Analysis, variant: usize, situation: usize) -> Option<f64> {
        if self.is_endless(analysis, variant, situation) {
            return None;
        }
        let value = |variant: usize| self.value(&analysis.cells[variant][situation]);
        value(variant).zip(value(analysis.baseline)).map(|(ours, theirs)| ours - theirs)
    }

    /// How far the variant that differs most is from the baseline in a situation.
    fn size(self, analysis: &Analysis, situation: usize) -> f64 {
        let one = |variant| self.difference(analysis, variant, situation).unwrap_or(0.0).abs();
        (0..analysis.cells.len()).map(one).fold(0.0, f64::max)
    }

    /// Every situation, or if that is more than `most` only one of those that play alike, with the number of the others;
    /// if these are too many, too, those in which most changes, and how many there would be.
    pub(super) fn rows(self, analysis: &Analysis, most: usize) -> (Vec<(usize, usize)>, usize) {
        let situations: Vec<usize> = (0..analysis.cells.first().map_or(0, Vec::len)).collect();
        if situations.len() <= most {
            let total = situations.len();
            return (situations.into_iter().map(|situation| (situation, 0)).collect(), total);
        }
        let variants: Vec<usize> = (0..analysis.cells.len()).collect();
        let mut rows = groups(analysis, &variants, &situations);
        let total = rows.len();
        if total > most {
            rows.sort_by(|a, b| self.size(analysis, b.0).total_cmp(&self.size(analysis, a.0)));
            rows.truncate(most);
        }
        (rows, total)
    }

    /// What each draft changes in each situation, by variant, then situation; nothing of the baseline.
    pub(super) fn changes(self, analysis: &Analysis) -> Vec<Vec<Change>> {
        let unknown = |row: &Vec<Cell>| vec![Change::Unknown; row.len()];
        let mut all: Vec<Vec<Change>> = analysis.cells.iter().map(unknown).collect();
        let alarm = 1.0 - analysis.level;
        let mut set = |variant: usize, situation: usize, exact: Option<&Probability>, told: bool| {
            let difference = self.difference(analysis, variant, situation);
            all[variant][situation] = match (exact, difference) {
                _ if same_rules(analysis, variant, situation) => Change::SameRules,
                _ if self.is_endless(analysis, variant, situation) => Change::Endless,
                (Some(exact), _) if exact.is_zero() => Change::Same,
                (Some(exact), _) => Change::By(exact.value()),
                (None, Some(difference)) if told => Change::By(difference),
                (None, Some(_)) => Change::Open,
                (None, None) => Change::Unknown,
            };
        };
        match self {
            Self::Share(key) => {
                let ours = |one: &Comparison| one.measure == 0 && one.key == key;
                for (at, one) in analysis.comparisons.iter().enumerate().filter(|(_, one)| ours(one)) {
                    let exact = analysis.differences.get(at).and_then(Option::as_ref);
                    set(one.variant, one.situation, exact, one.p_adjusted < alarm);
                }
            }
            Self::Mean => {
                for one in analysis.means.iter().filter(|one| one.measure == 0) {
                    // many situations are looked at: twice as far as the interval reaches
                    let told = one.apart.means[2].abs() > one.apart.high - one.apart.low;
                    set(one.variant, one.situation, one.exact.as_ref(), told);
                }
            }
        }
        all
    }
}

/// Whether a variant plays by the baseline's rules in a situation.
fn same_rules(analysis: &Analysis, variant: usize, situation: usize) -> bool {
    let id = |variant: usize| analysis.cells[variant][situation].sample.id;
    id(variant) == id(analysis.baseline)
}
