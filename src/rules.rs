//! The language: text → tree → checked ruleset; printer; lints.
//!
//! **Never:** probability, randomness, speed, the terminal.

mod ruleset;
pub mod tree;

pub use ruleset::*;
