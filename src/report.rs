//! What people read: tables, the summary, the terminal's table, charts.
//!
//! In: the question ([`crate::scenario::Scenario`]) and what the counts say ([`crate::analyse::Analysis`]). Out: values
//! and text; labels where people read, names where programs do. Percent and percentage points begin here.
//!
//! **Never:** computing a statistic, printing, exit codes.

#[cfg(test)]
mod example;
pub mod summary;
pub mod tables;
pub mod terminal;
mod words;
//! What people read and look at: tables, charts, pages, summaries.
//!
//! In: estimates and the question they answer. Out: text and pictures as values.
//!
//! **Never:** computing a statistic, printing, exit codes.

pub mod chart;
