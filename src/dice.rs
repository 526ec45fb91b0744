//! Pools of dice: rolling them.
//!
//! In: how many dice with how many faces. Out: the faces, in the order in which they fall.
//!
//! **Never:** units, charts, files, threads.

pub mod roll;
