//! What people read and look at: tables, charts, pages, summaries.
//!
//! In: estimates and the question they answer. Out: text and pictures as values.
//!
//! **Never:** computing a statistic, printing, exit codes.

pub mod chart;
