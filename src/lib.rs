//! houserule plays a house rule and the original millions of times, and says with what certainty they differ.

pub mod diagnostic;
pub mod dice;
pub mod interpret;
pub mod plan;
pub mod random;
pub mod report;
pub mod rules;
pub mod scenario;
pub mod simulate;
