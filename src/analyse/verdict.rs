//! Whether what is claimed holds.
//!
//! In: how two sides are compared, and the figures of both, worked out or counted. Out: it holds, it fails, or that is
//! not decided, and why.
//!
//! A side is a figure, a number, or the average of a figure over situations. A claim asks for one or two
//! [`Condition`]s, which are sums of multiples of figures. What is worked out decides exactly. What is counted lies in
//! an interval that misses it with at most the error that is allowed; a condition is decided once all that the
//! intervals allow decides it alike.
//!
//! **Never:** who counted, how many trials are left to be drawn, what a situation is called.

mod ends;

pub use ends::Known;

use crate::plan::{Margin, Probability, Relation};
use ends::{Ends, Pool};

/// How often a run may decide any of its claims wrongly, as a fraction in 0..1.
pub const ERROR: f64 = 1e-3;

/// How something that is claimed comes out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ruling {
    /// It is so.
    Holds,
    /// It is not so.
    Fails,
    /// Nobody knows.
    Undecided,
}

/// Why something is not decided; of several reasons the first counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Doubt {
    /// It is worked out that no trial has what is compared.
    Absent,
    /// It is not worked out, and nothing was counted.
    Unsolved,
    /// How large a number can get is not known, so that counts say nothing certain of its mean.
    Boundless,
    /// The trials are too few to tell.
    Trials,
    /// It is worked out as a number with an error, and that is too large to tell.
    Rounded,
}

/// One claim.
#[derive(Clone, PartialEq, Debug)]
pub struct Verdict {
    /// How it comes out: it fails where it fails in any of `cells`, and holds where it holds in all.
    pub ruling: Ruling,
    /// For each situation that it speaks of; of an average just one.
    pub cells: Vec<Judged>,
}

/// A claim in one situation, or on average.
#[derive(Clone, PartialEq, Debug)]
pub struct Judged {
    /// Both sides: probabilities are fractions in 0..=1; `None` where no trial has it, or where it is not worked out.
    pub sides: [Option<Probability>; 2],
    /// How it comes out.
    pub ruling: Ruling,
    /// Why it is not decided; `None` where it is.
    pub doubt: Option<Doubt>,
    /// The most trials that one figure was counted in; 0 where all are worked out.
    pub trials: u64,
}

impl Verdict {
    /// That of all situations together.
    pub fn new(cells: Vec<Judged>) -> Self {
        Self { ruling: together(cells.iter().map(|cell| cell.ruling)), cells }
    }
}

/// How all come out together.
fn together(rulings: impl Iterator<Item = Ruling>) -> Ruling {
    rulings.fold(Ruling::Holds, |all, one| match (all, one) {
        (Ruling::Fails, _) | (_, Ruling::Fails) => Ruling::Fails,
        (Ruling::Holds, Ruling::Holds) => Ruling::Holds,
        _ => Ruling::Undecided,
    })
}

/// `left` times the left side, `right` times the right side, and a number, are together more than 0; or at least 0.
#[derive(Clone, PartialEq, Debug)]
pub struct Condition {
    left: Probability,
    right: Probability,
    number: Probability,
    strict: bool,
}

/// What a comparison asks for; all of it must be so. A point is so much of a `unit`.
///
/// - `<` by so much: the left side with so much added, or so many times the left side, is less than the right one; with
///   `<=` less or the same.
/// - `=` by so much: neither side is more than the other one with so much added, or so many times the other one.
pub fn conditions(relation: Relation, margin: Option<Margin>, unit: &Probability) -> Vec<Condition> {
    let fraction = |(top, bottom): (i64, i64)| Probability::fraction(top, bottom.unsigned_abs());
    let (times, added) = match margin {
        None => (Probability::ONE, Probability::ZERO),
        Some(Margin::Points(points)) => (Probability::ONE, fraction(points).product(unit)),
        Some(Margin::Times(times)) => (fraction(times), Probability::ZERO),
    };
    let less = |strict| Condition {
        left: times.times(-1),
        right: Probability::ONE,
        number: added.times(-1),
        strict,
    };
    let turned = |one: Condition| Condition { left: one.right, right: one.left, ..one };
    match relation {
        Relation::Less => vec![less(true)],
        Relation::AtMost => vec![less(false)],
        Relation::More => vec![turned(less(true))],
        Relation::AtLeast => vec![turned(less(false))],
        Relation::Equal => {
            let near =
                Condition { left: Probability::ONE.times(-1), right: times, number: added, strict: false };
            vec![near.clone(), turned(near)]
        }
    }
}

/// A figure, and how much of it is in the left and in the right side.
#[derive(Clone)]
pub struct Part<'a> {
    /// Of each side the share, in 0..=1.
    pub shares: [Probability; 2],
    /// What is known of it.
    pub known: Known<'a>,
    /// Whether it was counted in trials of its own, as many as were settled beforehand.
    pub own: bool,
}

/// Judges one situation, or an average. With a probability of at most `error` any figure that is counted lies where it is
/// not looked for, and only then the ruling can be wrong.
pub fn judge(conditions: &[Condition], parts: &[Part], error: f64) -> Judged {
    let values: Vec<Option<Probability>> = parts.iter().map(|part| part.known.value()).collect();
    let side = |side: usize| -> Option<Probability> {
        let of = parts.iter().zip(&values).filter(|(part, _)| part.shares[side] != Probability::ZERO);
        let all: Option<Vec<_>> =
            of.map(|(part, value)| Some(part.shares[side].product(value.as_ref()?))).collect();
        all.map(|all| all.iter().sum())
    };
    let sides = [side(0), side(1)];
    let ruling = match values.iter().all(Option::is_some) {
        true => rule(conditions, parts, error),
        false => Ruling::Undecided,
    };
    let trials = parts.iter().map(|part| part.known.trials()).max().unwrap_or(0);
    let doubts = parts.iter().filter_map(|part| part.known.doubt()).filter(|_| ruling == Ruling::Undecided);
    Judged { sides, ruling, doubt: doubts.min(), trials }
}

fn rule(conditions: &[Condition], parts: &[Part], error: f64) -> Ruling {
    let counted = parts.iter().filter(|part| part.known.is_counted()).count().max(1) as f64;
    let pool = Pool::of(parts);
    // half of the error for each way, where there are two
    let own = if pool.is_some() { error / 2.0 } else { error };
    let ends: Vec<Ends> = parts.iter().map(|part| part.known.ends(own / counted)).collect();
    let one = |condition: &Condition| {
        let shares = |part: &Part| {
            condition.left.product(&part.shares[0]).plus(&condition.right.product(&part.shares[1]))
        };
        let shares: Vec<Probability> = parts.iter().map(shares).collect();
        let first = condition.rule(&ends::sum(&shares, &ends));
        let again = || {
            let pooled = pool.as_ref()?.ends(&shares, parts, error / 2.0 / conditions.len() as f64)?;
            Some(condition.rule(&pooled))
        };
        if first == Ruling::Undecided { again().unwrap_or(first) } else { first }
    };
    together(conditions.iter().map(one))
}

impl Condition {
    /// Rules of a sum that lies between these ends.
    fn rule(&self, [low, high]: &Ends) -> Ruling {
        let below = self.number.times(-1);
        let reached = |end: &Option<Probability>, or_equal: bool| {
            end.as_ref().is_some_and(|end| below.can_be_at_most(end) && (or_equal || *end != below))
        };
        let missed = |end: &Option<Probability>, or_equal: bool| {
            end.as_ref().is_some_and(|end| end.can_be_at_most(&below) && (or_equal || *end != below))
        };
        match () {
            () if reached(low, !self.strict) => Ruling::Holds,
            () if missed(high, self.strict) => Ruling::Fails,
            () => Ruling::Undecided,
        }
    }
}

#[cfg(test)]
mod tests;
