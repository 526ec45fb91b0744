//! How often each cell of a chart is read, and each line of modifiers applies.
//!
//! In: what was counted of one variant over its situations. Out: each share of trials with its interval.
//!
//! **Never:** what a chart says.

use super::{Analysis, Estimate, normal_quantile};
use crate::plan::{Reached, Times};

/// What the trials of one variant come to, over all situations alike.
#[derive(Clone, PartialEq, Debug)]
pub struct Reach {
    /// How many trials were looked at.
    pub trials: u64,
    /// For each of [`crate::rules::Ruleset::charts`], row by row, each cell.
    pub charts: Vec<Vec<Vec<Often>>>,
    /// For each of [`crate::rules::Ruleset::modifiers`], each line.
    pub modifiers: Vec<Vec<Often>>,
}

/// How often a cell is read or a line applies.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Often {
    /// How often in all trials together; a trial may come to it several times.
    pub times: u64,
    /// In what share of all trials at least once. Trials are dealt out evenly over the situations, so that the interval
    /// is, if anything, too wide.
    pub share: Estimate,
}

impl Analysis {
    /// Takes up what the trials of each variant came to.
    pub fn set_reached(&mut self, counts: &[Reached]) {
        let z = normal_quantile(self.level);
        self.reached = counts.iter().map(|counts| reach(counts, z)).collect();
    }
}

fn reach(counts: &Reached, z: f64) -> Reach {
    let one =
        |times: &Times| Often { times: times.times, share: Estimate::new(times.trials, counts.trials, z) };
    let row = |row: &Vec<Times>| row.iter().map(one).collect();
    Reach {
        trials: counts.trials,
        charts: counts.charts.iter().map(|chart| chart.iter().map(row).collect()).collect(),
        modifiers: counts.modifiers.iter().map(row).collect(),
    }
}
