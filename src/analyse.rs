//! From counts to estimates and comparisons.
//!
//! In: for each variant and situation what was counted ([`crate::plan::Sample`]). Out: an [`Analysis`]: every
//! probability with its interval, every difference from the baseline with its interval, its p-value, adjusted for all
//! comparisons of the run, and its effect size.
//!
//! **Never:** where counts came from, any input or output, percent, a function whose last bit depends on the platform
//! (`libm` has them all).

mod agree;
mod cells;
mod compare;
mod decide;
mod exactly;
mod expect;
mod interval;
mod measures;

pub use agree::{Agreement, Compared, Deviation, Place, agreement};
pub use cells::{Analysis, Cell, Comparison, Estimate, analyse, share};
pub use compare::{cohens_h, holm, p_value};
pub use decide::{Solved, decide};
pub use exactly::{exact_mean, exact_quantile, exact_share, present, probability, z_score};
pub use expect::{ALARM, Exactly, Finding, Probe, finding};
pub use interval::{LEVEL, newcombe, normal_quantile, wilson};
pub use measures::{QUANTILES, Summary, estimate, mean, quantile, summary};
