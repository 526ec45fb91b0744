//! houserule plays a house rule and the original millions of times, and says with what certainty they differ.

pub mod cli;
pub mod diagnostic;
pub mod plan;
pub mod rules;
pub mod scenario;
pub mod study;
