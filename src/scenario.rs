//! The question: variants, grid, policy, claims, expectations, charts.
//!
//! In: a TOML file and the rules files that it names. Out: a checked [`Scenario`], or every mistake found. On the way,
//! TOML text becomes a tree with places, then a document whose keys are known, then what the rules make of it.
//!
//! **Never:** which engine will answer.

mod bind;
mod compare;
mod document;
mod fraction;
mod keys;
mod model;
mod sentence;
mod tree;

pub use bind::{
    Wanted, allowed, ask, describe_move, examples, factors_named, leaves, load, load_open, read_policy,
};
pub use compare::{Compared, Pair, compare};
pub use fraction::precision;
pub use model::*;
