//! The question: variants, grid, policy, claims, expectations, charts.
//!
//! In: a TOML file and the rules files that it names. Out: a checked [`Scenario`], or every mistake found.
//!
//! **Never:** which engine will answer.

mod document;
mod fraction;
mod keys;
mod model;
mod tree;

pub use model::*;
