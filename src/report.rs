//! What people read and look at: tables, charts, the summary, the terminal's table, the story of a trial.
//!
//! In: the question ([`crate::scenario::Scenario`]) and what the counts say ([`crate::analyse::Analysis`]). Out: values
//! and text; labels where people read, names where programs do. Percent and percentage points begin here.
//!
//! **Never:** computing a statistic, printing, exit codes.

pub mod agreement;
pub mod chart;
pub mod checks;
pub mod ci;
mod columns;
mod extract;
mod figures;
pub mod golden;
mod groups;
mod markdown;
mod marks;
mod moves;
pub mod page;
pub mod pasted;
mod pictures;
pub mod sensitivity;
pub mod solved;
pub mod story;
pub mod summary;
pub mod tables;
mod telling;
pub mod terminal;
pub mod tune;
mod unsolved;
mod words;
mod write;

pub use figures::in_step;
pub use write::{Circumstances, keep, write};

#[cfg(test)]
mod tests;
