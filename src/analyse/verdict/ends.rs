//! Between which ends a figure lies, and a sum of figures.
//!
//! In: a figure that is worked out, or counts and what is asked of them. Out: exact ends; a counted figure lies beyond
//! them with at most the error that is allowed.
//!
//! **Never:** what is compared with what.

use super::{Doubt, Part};
use crate::analyse::measures::deviation;
use crate::analyse::{Probe, clopper_pearson, estimate, mean, quantile};
use crate::plan::{Counts, Probability};

/// The lower and the upper end; `None` where there is none.
pub(super) type Ends = [Option<Probability>; 2];

/// What is known of a figure.
#[derive(Clone)]
pub enum Known<'a> {
    /// It is worked out; `None` where no trial has it.
    Exactly(Option<Probability>),
    /// It is not worked out, and will not be counted.
    Unsolved,
    /// Counts, what is asked of them, and from where to where the numbers of a mean can reach, if that is known.
    Counted(&'a Counts, Probe<'a>, Option<(i64, i64)>),
}

impl Known<'_> {
    pub(super) fn is_counted(&self) -> bool {
        matches!(self, Self::Counted(..))
    }

    /// The trials that it was counted in.
    pub(super) fn trials(&self) -> u64 {
        if let Self::Counted(counts, ..) = self { counts.trials } else { 0 }
    }

    /// The figure itself; `None` where no trial has it.
    pub(super) fn value(&self) -> Option<Probability> {
        match self {
            Self::Exactly(value) => value.clone(),
            Self::Unsolved => None,
            Self::Counted(counts, ..) if counts.trials == 0 => None,
            Self::Counted(counts, Probe::Share(contains), _) => {
                let count = estimate(counts, contains, 0.0).count;
                Some(Probability::fraction(i64::try_from(count).ok()?, counts.trials))
            }
            Self::Counted(counts, Probe::Mean, _) => Probability::just(mean(counts)?),
            Self::Counted(counts, Probe::Quantile(level), _) => {
                Some(Probability::fraction(quantile(counts, *level)?, 1))
            }
        }
    }

    /// Why it may be too little to decide by; `None` where it is known to the last digit.
    pub(super) fn doubt(&self) -> Option<Doubt> {
        match self {
            Self::Unsolved => Some(Doubt::Unsolved),
            Self::Exactly(Some(Probability::Exact(_))) => None,
            Self::Exactly(Some(_)) => Some(Doubt::Rounded),
            Self::Exactly(None) => Some(Doubt::Absent),
            Self::Counted(_, Probe::Mean, None) => Some(Doubt::Boundless),
            _ => Some(Doubt::Trials),
        }
    }

    /// Where it lies, but with a probability of at most `error`.
    pub(super) fn ends(&self, error: f64) -> Ends {
        match self {
            Self::Exactly(Some(value)) => value.ends().map_or([None, None], |ends| ends.map(Some)),
            Self::Exactly(None) | Self::Unsolved => [None, None],
            Self::Counted(counts, Probe::Share(contains), _) => {
                let count = estimate(counts, contains, 0.0).count;
                let (low, high) = clopper_pearson(count, counts.trials, error / 2.0);
                [low, high].map(Probability::just)
            }
            Self::Counted(counts, Probe::Mean, range) => {
                let found = range.and_then(|range| mean_ends(counts, range, error));
                found.map_or([None, None], |ends| ends.map(Probability::just))
            }
            Self::Counted(counts, Probe::Quantile(level), _) => quantile_ends(counts, *level, error)
                .map(|end| end.map(|value| Probability::fraction(value, 1))),
        }
    }
}

/// Where a mean lies whose numbers reach from the first to the second of `range`.
///
/// **Source:** A. Maurer and M. Pontil, "Empirical Bernstein bounds and sample variance penalization", *Conference on
/// Learning Theory* (2009), theorem 4, on both sides.
fn mean_ends(counts: &Counts, range: (i64, i64), error: f64) -> Option<[f64; 2]> {
    let (found, trials) = (mean(counts)?, counts.ended() as f64);
    let (low, high) = (range.0 as f64, range.1 as f64);
    let doubt = libm::log(4.0 / error);
    let room = deviation(counts).map_or(f64::INFINITY, |deviation| {
        deviation * (2.0 * doubt / trials).sqrt() + 7.0 * (high - low) * doubt / (3.0 * (trials - 1.0))
    });
    Some([(found - room).max(low), (found + room).min(high)])
}

/// Between which numbers a quantile lies. It is more than a number if fewer than the share `level` of all trials can be
/// up to that number, and not more if at least so many must be.
///
/// **Source:** order statistics as bounds of a quantile, as in H. A. David, *Order Statistics* (1981), section 2.5.
fn quantile_ends(counts: &Counts, level: f64, error: f64) -> [Option<i64>; 2] {
    let (mut sum, mut ends, ended) = (0, [None, None], counts.ended());
    for (value, count) in &counts.counts {
        sum += count;
        let (low, high) = clopper_pearson(sum, ended, error / 2.0);
        if ends[0].is_none() && high >= level {
            ends[0] = Some(*value);
        }
        if low >= level {
            ends[1] = Some(*value);
            break;
        }
    }
    ends
}

/// Where a sum of such shares of figures lies.
pub(super) fn sum(shares: &[Probability], ends: &[Ends]) -> Ends {
    let end = |which: usize| {
        let of = |(share, ends): (&Probability, &Ends)| -> Option<Probability> {
            if *share == Probability::ZERO {
                return Some(Probability::ZERO);
            }
            let turned = share.can_be_at_most(&Probability::ZERO);
            Some(share.product(ends[if turned { 1 - which } else { which }].as_ref()?))
        };
        let all: Option<Vec<_>> = shares.iter().zip(ends).map(of).collect();
        all.map(|all| all.iter().sum())
    };
    [end(0), end(1)]
}

/// Figures that were counted in trials of their own, so that what is too much in one makes up for what is too little in
/// another.
pub(super) struct Pool {
    /// For each part the square of how far its trials can be apart, over their number; 0 where it is worked out.
    spreads: Vec<f64>,
}

impl Pool {
    /// That of two or more counted figures of which each is a share of trials of its own, as in a difference or an
    /// average. Nothing for others.
    pub(super) fn of(parts: &[Part]) -> Option<Self> {
        let spread = |part: &Part| match &part.known {
            Known::Counted(counts, Probe::Share(_), _) if part.own && counts.trials > 0 => {
                Some(1.0 / counts.trials as f64)
            }
            Known::Exactly(Some(_)) => Some(0.0),
            _ => None,
        };
        let spreads: Vec<f64> = parts.iter().map(spread).collect::<Option<_>>()?;
        (spreads.iter().filter(|spread| **spread > 0.0).count() > 1).then_some(Self { spreads })
    }

    /// Where a sum of such shares of the figures lies, but with a probability of at most `error`.
    ///
    /// **Source:** W. Hoeffding, "Probability inequalities for sums of bounded random variables", *Journal of the
    /// American Statistical Association* 58 (1963), theorem 2.
    pub(super) fn ends(&self, shares: &[Probability], parts: &[Part], error: f64) -> Option<Ends> {
        let all = shares.iter().zip(parts).map(|(share, part)| Some(share.product(&part.known.value()?)));
        let centre: Probability = all.collect::<Option<Vec<_>>>()?.iter().sum();
        let square = |share: &Probability| share.value() * share.value();
        let spread: f64 =
            shares.iter().zip(&self.spreads).map(|(share, spread)| square(share) * spread).sum();
        // a trifle more for the rounding of this sum
        let room = Probability::just((libm::log(2.0 / error) / 2.0 * spread).sqrt() * (1.0 + 1e-9))?;
        let [low, high] = centre.ends()?;
        Some([Some(low.minus(&room)), Some(high.plus(&room))])
    }
}
