//! Solves a case and asks what it comes to.

use crate::play::Quantity;
use houserule::exact;
use houserule::plan::{Budget, Distribution, Plan, Probability};
use houserule::rules::RecordId;
use std::collections::BTreeMap;

/// More than enough for each case.
const BUDGET: Budget = Budget { states: 20_000_000 };

/// What a quantity comes to without the tool's patience: by the solver's limit where it has one, else by the rules with
/// their caps, without and with all that is open. One of these is the published value.
pub(crate) fn solved(plan: &Plan, quantity: &Quantity) -> Result<Vec<Probability>, String> {
    let mut plan = plan.clone();
    if let Quantity::Share(conditions) = quantity
        && conditions.len() > 1
    {
        plan.joint = conditions.iter().filter_map(|(measure, ..)| measure.map(RecordId)).collect();
    }
    let solution = exact::solve(&plan, BUDGET).map_err(|why| format!("{why:?}"))?;
    let open = solution.unresolved.clone().unwrap_or(Probability::ZERO);
    let mut known = vec![(&solution.result, &solution.records)];
    known.extend(solution.limit.as_deref().map(|limit| (&limit.result, &limit.records)));
    let mut found: Vec<Probability> = Vec::new();
    for (result, records) in known.into_iter().rev() {
        match quantity {
            Quantity::Mean(measure) => {
                let mean = |(value, probability): (&i64, &Probability)| probability.times(*value);
                let means: Vec<Probability> = of(result, records, *measure)?.iter().map(mean).collect();
                found.push(means.iter().sum());
            }
            Quantity::Share(conditions) if conditions.len() > 1 => {
                let within = |values: &Vec<Option<i64>>| {
                    let mut parts = values.iter().zip(conditions);
                    let met = |value: i64, low: i64, high: i64| (low..=high).contains(&value);
                    parts.all(|(value, (_, low, high))| value.is_some_and(|value| met(value, *low, *high)))
                };
                let met = solution.joint.iter().filter(|(values, _)| within(values));
                found.push(met.map(|(_, probability)| probability).sum());
            }
            Quantity::Share(conditions) => {
                let (measure, low, high) = conditions[0];
                let met = of(result, records, measure)?.range(low..=high);
                found.push(met.map(|(_, probability)| probability).sum());
            }
        }
    }
    if let (Quantity::Share(_), Some(share)) = (quantity, found.last()) {
        found.push(share.plus(&open));
    }
    Ok(found)
}

fn of<'s>(
    result: &'s Distribution,
    records: &'s BTreeMap<RecordId, Distribution>,
    measure: Option<usize>,
) -> Result<&'s Distribution, String> {
    match measure {
        None => Ok(result),
        Some(position) => {
            records.get(&RecordId(position)).ok_or_else(|| "a record that nothing says".to_owned())
        }
    }
}
