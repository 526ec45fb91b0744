//! houserule plays a house rule and the original millions of times, and says with what certainty they differ.

pub mod diagnostic;
pub mod plan;
pub mod report;
pub mod rules;
pub mod scenario;
