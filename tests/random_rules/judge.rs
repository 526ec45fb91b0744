//! Judges one plan: solver, interpreter and kernel against one another.

use crate::cells::{chances, enumerated, sampled, sampled_fast, solved};
use crate::fit::{Fit, adds_up, fit, limit_is_near, same};
use crate::lanes::wrong_lane;
use houserule::exact::{Budget, Unsolved, solve};
use houserule::plan::Plan;

/// More states than this are not looked at.
const BUDGET: Budget = Budget { states: 100_000 };
/// More ways than this are not played.
const MOST_WAYS: u64 = 4_000;
/// How many trials are sampled of a plan that is also played in every way, and of another.
const TRIALS: [u64; 2] = [1_000, 8_000];
/// How many trials the kernel samples of a plan: a whole chunk.
const FAST_TRIALS: u64 = houserule::plan::CHUNK;
/// How many lanes are played again by the interpreter: less than a batch, a whole one, a few, and one just begun. A plan
/// takes one of these, by its name.
const LANES: [u64; 6] = [1, 1_023, 1_024, 1_025, 2_500, 4_097];
/// The seeds of the interpreter's samples and the kernel's.
const SEEDS: [u64; 2] = [1871, 1704];

/// How one plan was judged.
#[derive(Default, Debug)]
pub(crate) struct Verdict {
    pub(crate) solved: bool,
    pub(crate) over_budget: bool,
    pub(crate) enumerated: bool,
    /// Whether a trial can end in more than one way.
    pub(crate) open: bool,
    /// Whether a trial can be left unresolved.
    pub(crate) unresolved: bool,
    pub(crate) states: u64,
    pub(crate) fit: Fit,
}

/// Judges a plan; right engines are found to disagree with a probability of at most `alarm`. An engine that breaks down
/// is at fault like one that is wrong.
pub(crate) fn judge(plan: &Plan, alarm: f64) -> Verdict {
    let judged = std::panic::catch_unwind(|| compare(plan, alarm));
    judged.unwrap_or_else(|_| {
        let faults = vec!["an engine broke down; the message stands above".to_owned()];
        Verdict { fit: Fit { faults, ..Fit::default() }, ..Verdict::default() }
    })
}

fn compare(plan: &Plan, alarm: f64) -> Verdict {
    let mut verdict = Verdict::default();
    let mut faults = Vec::new();
    let played = enumerated(plan, MOST_WAYS);
    verdict.enumerated = played.is_some();
    let mut said = None;
    match solve(plan, BUDGET) {
        Ok(solution) => {
            verdict.solved = true;
            verdict.states = solution.states;
            let solution_chances = solved(&solution);
            if !adds_up(&solution_chances) {
                faults.push("what is solved does not add up to 1".to_owned());
            }
            if let Some(limit) = &solution.limit {
                faults.extend(limit_is_near(&chances(&limit.result, &limit.records), &solution_chances));
            }
            if let Some(played) = &played {
                faults.extend(same(&solution_chances, played));
            }
            said = Some(solution_chances);
        }
        Err(Unsolved::Budget(_)) => verdict.over_budget = true,
        Err(other) => faults.push(format!("accepted by one engine, and refused by the other: {other:?}")),
    }
    faults.extend(wrong_lane(plan, LANES[usize::from(plan.id.0[0]) % LANES.len()]));
    let trials = TRIALS[usize::from(played.is_none())];
    if let Some(chances) = said.or(played) {
        verdict.open =
            chances.values().any(|chance| *chance != houserule::exact::Probability::Exact(1.into()));
        verdict.unresolved = chances.contains_key(&crate::cells::Cell::Unresolved);
        verdict.fit = fit(&sampled(plan, SEEDS[0], trials), &chances, trials, alarm / 2.0);
        if let Some(counts) = sampled_fast(plan, SEEDS[1], FAST_TRIALS) {
            verdict.fit.add(fit(&counts, &chances, FAST_TRIALS, alarm / 2.0));
        }
    }
    verdict.fit.faults.splice(0..0, faults);
    verdict
}
