//! Whether a known value is what a solved situation comes to.
//!
//! In: exact probabilities, a known value. Out: what they come to, and whether it is the value: no chance is left.
//!
//! **Never:** counts.

use super::{Exactly, Finding, Probe, Verdict, exact_mean, exact_quantile, present, probability};
use crate::plan::{Answer, ContentId, Probability, Unsolved, Weights};

/// All that is known exactly of a scenario, without any trial.
#[derive(Clone, PartialEq, Debug)]
pub struct Solved {
    /// For each variant, for each situation: its plan, and what it comes to or why that is not known.
    pub cells: Vec<Vec<(ContentId, Result<Answer, Unsolved>)>>,
    /// Whether each expectation is met, or why that is not known; `None` where nothing can be said of a limit.
    pub expects: Vec<Result<Option<Finding>, Unsolved>>,
    /// Whether each claim holds.
    pub claims: Vec<Verdict>,
}

/// Looks whether a measure has the known value. With `limit` it is that of the rules without the tool's patience: where
/// that is not known, trials that do not end may end in anything. `None` where nothing can be said of such a limit.
pub fn decide(
    answer: &Answer,
    measure: usize,
    limit: bool,
    probe: Probe,
    value: &Probability,
) -> Option<Finding> {
    let own = &answer.measures[measure];
    let known = answer.limit.as_ref().filter(|_| limit).and_then(|limit| limit.measures[measure].as_ref());
    match probe {
        _ if known.is_some() || !limit || answer.unresolved.is_zero() => {
            Some(found(figure(known.unwrap_or(own), probe), Probability::ZERO, value))
        }
        Probe::Share(contains) => Some(open(own, &answer.unresolved, contains, value)),
        _ => None,
    }
}

/// A probability to which some or all of the trials that do not end may still come.
fn open(
    own: &Weights,
    unresolved: &Probability,
    contains: &dyn Fn(i64) -> bool,
    value: &Probability,
) -> Finding {
    let whole = if own.partial { present(own).plus(unresolved) } else { Probability::ONE };
    let picked: Probability =
        own.weights.iter().filter(|(key, _)| contains(**key)).map(|(_, weight)| weight).sum();
    let open = unresolved.over(&whole).unwrap_or(Probability::ZERO);
    found(picked.over(&whole), open, value)
}

/// What the probabilities of a measure's values come to; `None` where no trial can have it.
pub fn figure(weights: &Weights, probe: Probe) -> Option<Probability> {
    match probe {
        Probe::Share(contains) => probability(weights, contains),
        Probe::Mean => exact_mean(weights),
        Probe::Quantile(level) => {
            exact_quantile(weights, level).map(|number| Probability::fraction(number, 1))
        }
    }
}

/// Met from the figure up to as much more as is open.
fn found(figure: Option<Probability>, open: Probability, value: &Probability) -> Finding {
    let met = |figure: &Probability| match open.is_zero() {
        true => figure.can_be(value),
        false => figure.can_be_at_most(value) && value.can_be_at_most(&figure.plus(&open)),
    };
    Finding {
        figure: figure.as_ref().map(Probability::value),
        interval: None,
        open: open.value(),
        met: figure.as_ref().is_some_and(met),
        exact: Some(Exactly { figure, open }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Unlimited;
    use std::collections::BTreeMap;

    fn fraction(numerator: i64, denominator: u64) -> Probability {
        Probability::fraction(numerator, denominator)
    }

    fn weights(partial: bool, values: &[(i64, i64)]) -> Weights {
        let one = |(value, weight): &(i64, i64)| (*value, fraction(*weight, 36));
        Weights { partial, weights: values.iter().map(one).collect() }
    }

    /// Out of 36: a result of 1 in 3 and of 2 in 30, a record of 5 in 4 and of 8 in 2, and 3 that do not end.
    fn answer() -> Answer {
        let measures = vec![weights(false, &[(1, 3), (2, 30)]), weights(true, &[(5, 4), (8, 2)])];
        Answer { measures, limit: None, joint: BTreeMap::new(), unresolved: fraction(3, 36) }
    }

    fn share(key: i64) -> impl Fn(i64) -> bool {
        move |one| one == key
    }

    #[test]
    fn the_value_itself_is_met_and_its_neighbours_are_not() {
        let (one, eight) = (share(1), share(8));
        let met = |measure, probe, value| decide(&answer(), measure, false, probe, &value).unwrap().met;
        assert!(met(0, Probe::Share(&one), fraction(1, 12)));
        assert!(!met(0, Probe::Share(&one), fraction(83_333_333_333, 1_000_000_000_000)));
        assert!(met(1, Probe::Share(&eight), fraction(1, 3)), "of the trials that have it");
        assert!(met(1, Probe::Mean, fraction(6, 1)) && !met(1, Probe::Mean, fraction(6_000_001, 1_000_000)));
        assert!(
            met(1, Probe::Quantile(0.5), fraction(5, 1)) && !met(1, Probe::Quantile(0.5), fraction(8, 1))
        );
        let found = decide(&answer(), 0, false, Probe::Share(&one), &fraction(1, 12)).unwrap();
        assert_eq!(found.exact.unwrap().figure, Some(fraction(1, 12)));
    }

    #[test]
    fn without_a_known_limit_trials_that_do_not_end_may_come_to_anything() {
        let (one, eight) = (share(1), share(8));
        let met = |measure, probe, value| decide(&answer(), measure, true, probe, &value).unwrap().met;
        // 3 of 36, and at most 6
        for (numerator, expected) in [(2, false), (3, true), (5, true), (6, true), (7, false)] {
            assert_eq!(met(0, Probe::Share(&one), fraction(numerator, 36)), expected, "{numerator}");
        }
        // of 6 that have the record, and 3 that may have it: 2 of 9, and at most 5
        for (numerator, expected) in [(1, false), (2, true), (5, true), (6, false)] {
            assert_eq!(met(1, Probe::Share(&eight), fraction(numerator, 9)), expected, "{numerator}");
        }
    }

    #[test]
    fn the_mean_of_an_unknown_limit_is_not_decided() {
        let mean =
            |answer: &Answer| decide(answer, 1, true, Probe::Mean, &fraction(6, 1)).map(|found| found.met);
        assert_eq!(mean(&answer()), None);
        assert_eq!(mean(&Answer { unresolved: Probability::ZERO, ..answer() }), Some(true));
    }

    #[test]
    fn a_known_limit_decides() {
        let limit = vec![weights(false, &[(1, 4), (2, 32)]), weights(true, &[])];
        let limit = Unlimited { measures: limit.into_iter().map(Some).collect(), rounds: BTreeMap::new() };
        let answer = Answer { limit: Some(limit), ..answer() };
        let one = share(1);
        let met = |limit, value| decide(&answer, 0, limit, Probe::Share(&one), &value).unwrap().met;
        assert!(met(true, fraction(1, 9)) && !met(true, fraction(1, 12)) && !met(true, fraction(5, 36)));
        assert!(met(false, fraction(1, 12)) && !met(false, fraction(1, 9)));
        let none = decide(&answer, 1, true, Probe::Mean, &fraction(0, 1)).unwrap();
        assert_eq!((none.met, none.figure), (false, None), "no trial can have it");
    }

    #[test]
    fn a_figure_with_an_error_is_met_within_it() {
        let near =
            Weights { partial: false, weights: [(1, Probability::Near(0.25, 1e-9))].into_iter().collect() };
        let answer = Answer { measures: vec![near], ..answer() };
        let one = share(1);
        let met =
            |value| decide(&answer, 0, false, Probe::Share(&one), &Probability::decimal(value)).unwrap().met;
        assert!(met(0.25) && met(0.250_000_000_5) && !met(0.250_000_002));
    }
}
