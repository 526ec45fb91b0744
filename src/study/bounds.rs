//! Choices for which nobody says what is done: how far players can move each figure.
//!
//! **Never:** how that is found out.

use super::{Budget, Plan, Unsolved};
use crate::exact;
use crate::plan::{Bounds, Objective};
use crate::scenario::{Measure, Measured, Results};

/// For each measure, what players can make of it; nothing for those that the variant lacks.
pub(super) fn bounds(
    plan: &Plan,
    measures: &[Measure],
    variant: usize,
    budget: Budget,
) -> Result<Vec<Bounds>, Unsolved> {
    measures.iter().map(|measure| of(plan, measure, variant, budget)).collect()
}

fn of(plan: &Plan, measure: &Measure, variant: usize, budget: Budget) -> Result<Bounds, Unsolved> {
    let mut bounds = Bounds::default();
    let Some(Measured { record, positions }) = &measure.variants[variant] else { return Ok(bounds) };
    let range = |among| exact::range(plan, &Objective { record: *record, among }, budget);
    match &measure.results {
        Results::Numbers => bounds.mean = Some(range(None)?),
        Results::Named(named) => {
            for key in 0..named.len() {
                let own = positions.iter().zip(0..).filter(|(position, _)| **position == key);
                let among = own.map(|(_, value)| (value, value)).collect();
                bounds.shares.insert(key as i64, range(Some(among))?);
            }
        }
    }
    Ok(bounds)
}
