//! How often each cell of a chart is read, and each line of modifiers applies: counts, and they add.
//!
//! In: what a trial reads and applies, as it goes on. Out: the counts.
//!
//! **Never:** how a trial is played.

use super::{Event, Listener};
use crate::rules::{Chart, ChartId, Modifiers, ModifiersId, Ruleset};

/// What trials came to of one set of rules.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Reached {
    /// How many trials were played.
    pub trials: u64,
    /// For each chart of the rules, row by row, each cell.
    pub charts: Vec<Vec<Vec<Times>>>,
    /// For each block of modifiers, each line.
    pub modifiers: Vec<Vec<Times>>,
}

/// How often one of them was come to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Times {
    /// How often in all.
    pub times: u64,
    /// In how many trials at least once.
    pub trials: u64,
    /// The last of these trials, from 1; 0 if none.
    last: u64,
}

impl Times {
    fn count(&mut self, trial: u64) {
        self.times += 1;
        self.trials += u64::from(self.last != trial);
        self.last = trial;
    }

    fn add(&mut self, other: Self) {
        self.times += other.times;
        self.trials += other.trials;
    }
}

impl Reached {
    /// Nothing counted yet of these rules.
    pub fn new(rules: &Ruleset) -> Self {
        let none = |count: usize| vec![Times::default(); count];
        let cells = |chart: &Chart| chart.rows.iter().map(|row| none(row.cells.len())).collect();
        let lines = |block: &Modifiers| none(block.lines.len());
        Self {
            trials: 0,
            charts: rules.charts.iter().map(cells).collect(),
            modifiers: rules.modifiers.iter().map(lines).collect(),
        }
    }

    /// The next trial begins.
    pub fn begin(&mut self) {
        self.trials += 1;
    }

    /// Adds what other trials of the same rules came to.
    pub fn add(&mut self, other: &Self) {
        self.trials += other.trials;
        let cells =
            self.charts.iter_mut().zip(&other.charts).flat_map(|(own, more)| own.iter_mut().zip(more));
        let lines = self.modifiers.iter_mut().zip(&other.modifiers);
        let all = cells.chain(lines).flat_map(|(own, more)| own.iter_mut().zip(more));
        all.for_each(|(own, more)| own.add(*more));
    }
}

/// Only counts.
impl Listener for Reached {
    const LISTENS: bool = false;

    #[inline]
    fn hear(&mut self, _: impl FnOnce() -> Event) {}

    fn read(&mut self, chart: ChartId, row: usize, column: usize) {
        self.charts[chart.0][row][column].count(self.trials);
    }

    fn applied(&mut self, modifiers: ModifiersId, line: usize) {
        self.modifiers[modifiers.0][line].count(self.trials);
    }
}
