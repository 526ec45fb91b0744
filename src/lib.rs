//! houserule plays a house rule and the original millions of times, and says with what certainty they differ.

pub mod analyse;
pub mod cli;
pub mod diagnostic;
pub mod dice;
pub mod exact;
pub mod interpret;
pub mod kernel;
pub mod plan;
pub mod random;
pub mod report;
pub mod results;
pub mod rules;
pub mod scenario;
pub mod simulate;
pub mod study;
