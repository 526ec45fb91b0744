//! What players can make of one plan, whatever they do.

use super::Probability;
use std::collections::BTreeMap;

/// What players can make of one measure of a plan.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Bounds {
    /// For each value that has a name (by its position in [`crate::scenario::Results::Named`]), its smallest and its
    /// largest probability among all trials.
    pub shares: BTreeMap<i64, (Probability, Probability)>,
    /// The smallest and the largest mean of a number; trials that do not come to it count as 0.
    pub mean: Option<(Probability, Probability)>,
}
