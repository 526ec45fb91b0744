//! Whether what came up fits what is said.

use crate::cells::{Cell, Chances};
use dashu_ratio::RBig;
use houserule::exact::Probability;
use std::collections::{BTreeMap, BTreeSet};

/// What a comparison found.
#[derive(Default, Debug)]
pub(crate) struct Fit {
    /// How many cells were compared.
    pub(crate) comparisons: usize,
    /// The largest surprise, as a share of the one that is too much.
    pub(crate) worst: f64,
    /// What does not fit.
    pub(crate) faults: Vec<String>,
}

impl Fit {
    /// Adds what another comparison found.
    pub(crate) fn add(&mut self, other: Self) {
        self.comparisons += other.comparisons;
        self.worst = self.worst.max(other.worst);
        self.faults.extend(other.faults);
    }
}

/// Compares counts of so many trials with their chances. Right chances fail in any cell with a probability of at most
/// `alarm`.
///
/// **Source:** Chernoff and Hoeffding (1963, theorem 1): a share lies as far to one side as it does with a probability of
/// at most exp(-trials × its divergence from the right one). Two sides, and all cells of the file, share the alarm.
pub(crate) fn fit(counts: &BTreeMap<Cell, u64>, chances: &Chances, trials: u64, alarm: f64) -> Fit {
    let cells: BTreeSet<&Cell> = counts.keys().chain(chances.keys()).collect();
    let too_much = libm::log(2.0 * cells.len() as f64 / alarm);
    let mut fit = Fit { comparisons: cells.len(), ..Fit::default() };
    for cell in cells {
        let count = counts.get(cell).copied().unwrap_or(0);
        let share = count as f64 / trials as f64;
        let (low, high) = chances.get(cell).map_or((0.0, 0.0), bounds);
        let surprise = trials as f64 * divergence(share, share.clamp(low, high));
        fit.worst = fit.worst.max(surprise / too_much);
        if surprise > too_much {
            fit.faults.push(format!("{cell:?}: {count} of {trials} trials, but {}", tell(chances.get(cell))));
        }
    }
    fit
}

/// Between which numbers a probability lies.
fn bounds(chance: &Probability) -> (f64, f64) {
    match chance {
        Probability::Exact(exact) => (exact.to_f64().value(), exact.to_f64().value()),
        Probability::Near(near, off) => ((near - off).max(0.0), (near + off).min(1.0)),
    }
}

/// The divergence of one share from another.
fn divergence(observed: f64, expected: f64) -> f64 {
    let part = |observed: f64, expected: f64| {
        if observed == 0.0 { 0.0 } else { observed * libm::log(observed / expected) }
    };
    part(observed, expected) + part(1.0 - observed, 1.0 - expected)
}

fn tell(chance: Option<&Probability>) -> String {
    match chance {
        None => "it cannot be".to_owned(),
        Some(Probability::Exact(exact)) => format!("its probability is {exact}"),
        Some(Probability::Near(near, off)) => format!("its probability is {near} give or take {off}"),
    }
}

/// Compares what the solver says with every way that the dice can fall.
pub(crate) fn same(solved: &Chances, played: &Chances) -> Vec<String> {
    let cells: BTreeSet<&Cell> = solved.keys().chain(played.keys()).collect();
    let agrees = |cell: &&&Cell| match (solved.get(cell), played.get(cell)) {
        (Some(Probability::Near(near, off)), right) => {
            let right = right.map_or(0.0, |right| bounds(right).0);
            (right - near).abs() <= *off
        }
        (solved, played) => solved == played,
    };
    let differs = cells.iter().filter(|cell| !agrees(cell));
    differs
        .map(|cell| {
            format!(
                "{cell:?}: solved, {}; played in every way, {}",
                tell(solved.get(cell)),
                tell(played.get(cell))
            )
        })
        .collect()
}

/// Whether what the solver says adds up to 1.
pub(crate) fn adds_up(chances: &Chances) -> bool {
    let ends = chances.iter().filter(|(cell, _)| matches!(cell, Cell::Result(_) | Cell::Unresolved));
    let mut sum = RBig::ZERO;
    let mut off = 0.0;
    for (_, chance) in ends {
        match chance {
            Probability::Exact(exact) => sum += exact,
            Probability::Near(near, more) => {
                off += more + near.abs() * f64::EPSILON;
                sum += RBig::try_from(*near).unwrap();
            }
        }
    }
    if off == 0.0 { sum == RBig::ONE } else { (sum.to_f64().value() - 1.0).abs() <= off + 1e-12 }
}

/// Whether nothing is likelier without the tool's patience than it can be: each probability with it, and at most as much
/// more as is unresolved.
pub(crate) fn limit_is_near(limit: &Chances, solved: &Chances) -> Vec<String> {
    let value = |chances: &Chances, cell: &Cell| chances.get(cell).map_or((0.0, 0.0), bounds);
    let unresolved = value(solved, &Cell::Unresolved).1;
    let wrong = |cell: &&Cell| {
        let (low, high) = (value(solved, cell), value(limit, cell));
        high.1 < low.0 - 1e-9 || high.0 > low.1 + unresolved + 1e-9
    };
    let cells: BTreeSet<&Cell> = limit.keys().chain(solved.keys()).collect();
    // of some records nobody can say what they come to
    let is_known =
        |record: usize| limit.keys().any(|cell| matches!(cell, Cell::Record(one, _) if *one == record));
    let cells = cells.into_iter().filter(|cell| match cell {
        Cell::Record(record, _) => is_known(*record),
        cell => matches!(cell, Cell::Result(_)),
    });
    cells.filter(wrong).map(|cell| format!("{cell:?}: the limit is {}", tell(limit.get(cell)))).collect()
}
