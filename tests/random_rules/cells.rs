//! What can come of a trial, and how often: by sampling, by playing every way that the dice can fall, and by solving.

use crate::every_way::distribution_within;
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use houserule::exact::{Distribution, Probability, Solution};
use houserule::interpret;
use houserule::kernel::Kernel;
use houserule::plan::{Chunk, Outcome, Plan, Tally};
use std::collections::BTreeMap;

/// One thing that can come of a trial.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Cell {
    Result(i64),
    Unresolved,
    /// The position of a record, and its value.
    Record(usize, i64),
    Joint(Vec<Option<i64>>),
}

/// Each with its probability; one that is missing has none.
pub(crate) type Chances = BTreeMap<Cell, Probability>;

/// How often each came up in so many trials.
pub(crate) fn sampled(plan: &Plan, seed: u64, trials: u64) -> BTreeMap<Cell, u64> {
    let tally = interpret::play(plan, Chunk { seed, number: 0, trials });
    counted(&tally)
}

/// The same by the kernel.
pub(crate) fn sampled_fast(plan: &Plan, seed: u64, trials: u64) -> Option<BTreeMap<Cell, u64>> {
    Kernel::default().play(plan, Chunk { seed, number: 0, trials }).as_ref().map(counted)
}

fn counted(tally: &Tally) -> BTreeMap<Cell, u64> {
    let results = tally.counts.iter().map(|(value, count)| (Cell::Result((*value).into()), *count));
    let records = tally.records.iter().flat_map(|(record, counts)| {
        counts.iter().map(|(value, count)| (Cell::Record(record.0, *value), *count))
    });
    let joint = tally.joint.iter().map(|(values, count)| (Cell::Joint(values.clone()), *count));
    results.chain(records).chain(joint).chain([(Cell::Unresolved, tally.unresolved)]).collect()
}

/// Each way that the dice can fall is played; `None` where there are more than `most`.
pub(crate) fn enumerated(plan: &Plan, most: u64) -> Option<Chances> {
    let all = distribution_within(most, |dice| {
        let trial = interpret::trial(plan, dice);
        (trial.outcome, trial.records)
    });
    let (weights, whole) = all?;
    let mut sums: BTreeMap<Cell, u128> = BTreeMap::new();
    for ((outcome, records), weight) in weights {
        for cell in cells(plan, outcome, &records) {
            *sums.entry(cell).or_default() += weight;
        }
    }
    let share = |weight| Probability::Exact(RBig::from_parts(IBig::from(weight), UBig::from(whole)));
    Some(sums.into_iter().map(|(cell, weight)| (cell, share(weight))).collect())
}

/// The cells in which one trial is counted.
fn cells(plan: &Plan, outcome: Outcome, records: &[Option<i64>]) -> Vec<Cell> {
    let Outcome::Result(result) = outcome else { return vec![Cell::Unresolved] };
    let mut cells = vec![Cell::Result(result.into())];
    let reported = records.iter().enumerate();
    cells.extend(reported.filter_map(|(at, value)| Some(Cell::Record(at, (*value)?))));
    if !plan.joint.is_empty() {
        cells.push(Cell::Joint(plan.joint.iter().map(|record| records[record.0]).collect()));
    }
    cells
}

/// What the solver says.
pub(crate) fn solved(solution: &Solution) -> Chances {
    let mut chances = chances(&solution.result, &solution.records);
    chances
        .extend(solution.joint.iter().map(|(values, chance)| (Cell::Joint(values.clone()), chance.clone())));
    chances.extend(solution.unresolved.iter().map(|chance| (Cell::Unresolved, chance.clone())));
    chances.retain(|_, chance| *chance != Probability::Exact(RBig::ZERO));
    chances
}

pub(crate) fn chances(
    result: &Distribution,
    records: &BTreeMap<houserule::rules::RecordId, Distribution>,
) -> Chances {
    let of = |values: &Distribution, cell: &dyn Fn(i64) -> Cell| -> Vec<(Cell, Probability)> {
        values.iter().map(|(value, chance)| (cell(*value), chance.clone())).collect()
    };
    let records =
        records.iter().flat_map(|(record, values)| of(values, &|value| Cell::Record(record.0, value)));
    of(result, &Cell::Result).into_iter().chain(records).collect()
}
