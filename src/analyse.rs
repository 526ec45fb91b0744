//! From counts to estimates and comparisons.
//!
//! In: for each variant and situation what was counted ([`crate::plan::Sample`]). Out: an [`Analysis`]: every
//! probability with its interval, every difference from the baseline with its interval, its p-value, adjusted for all
//! comparisons of the run, and its effect size.
//!
//! **Never:** where counts came from, any input or output, percent, a function whose last bit depends on the platform
//! (`libm` has them all).

mod agree;
mod binomial;
mod cells;
mod compare;
mod decide;
mod drift;
mod exactly;
mod expect;
mod figure;
mod gap;
mod interval;
mod means;
mod measures;
mod order;
mod pair;
mod reached;
mod relate;
mod sensitivity;
mod tune;
mod verdict;

pub use agree::{Agreement, Compared, Deviation, Place, agreement};
pub use cells::{Analysis, Cell, Comparison, Estimate, Precision, analyse, share};
pub use compare::{cohens_h, fisher, holm, mcnemar};
pub use decide::{Solved, decide, figure};
pub use drift::{Change, Counted, changes};
pub use exactly::{exact_mean, exact_quantile, exact_share, present, probability, z_score};
pub use expect::{ALARM, Exactly, Finding, Probe, finding};
pub use figure::{Figure, estimated, exactly};
pub use gap::{Gap, gap};
pub use interval::{LEVEL, clopper_pearson, newcombe, normal_quantile, wilson};
pub use means::{Apart, Reaching, apart};
pub use measures::{QUANTILES, Summary, estimate, half_width, mean, quantile, summary};
pub use order::{Order, Sense, Standing};
pub use pair::{Flow, Shift, paired};
pub use reached::{Often, Reach};
pub use relate::Means;
pub use sensitivity::{Effect, Sensitivity, Sort, Subject, by_effect, effect};
pub use tune::{Combination, Miss, Tuned, miss, misses, rank};
pub use verdict::{Condition, Doubt, ERROR, Judged, Known, Part, Ruling, Verdict, conditions, judge};
