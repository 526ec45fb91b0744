//! Pools of dice: rolling them, and in how many ways they can fall.
//!
//! In: how many dice with how many faces. Out: the faces, in the order in which they fall.
//!
//! **Never:** units, charts, files, threads.

pub mod distribution;
pub mod roll;
