//! Every trial that the kernel plays, played again by the interpreter with the dice that its lane used.

use houserule::interpret::trial;
use houserule::kernel::{self, Kernel};
use houserule::plan::{Chunk, Plan, Tally};
use houserule::random::{Recorder, Replay};

/// What is wrong with so many trials of a plan, if anything: other outcomes or records, other dice, a die too many or too
/// few, or a tally that does not count these trials.
pub(crate) fn wrong_lane(plan: &Plan, trials: u64) -> Option<String> {
    let chunk = Chunk { seed: 7, number: 1, trials };
    let Some((played, dice)) = kernel::trials(plan, chunk) else { return Some("not written out".to_owned()) };
    assert_eq!((played.len() as u64, dice.len() as u64), (trials, trials));
    let mut tally = Tally::default();
    for (number, (one, rolled)) in played.iter().zip(&dice).enumerate() {
        let faces = Replay::new(rolled.iter().map(|(_, face)| *face));
        let mut again = Recorder { source: faces, rolled: Vec::new() };
        let by_rules = trial(plan, &mut again);
        if by_rules != *one || !again.source.is_used_up() || again.rolled != *rolled {
            let fed = &again.rolled;
            return Some(format!(
                "trial {number}: kernel {one:?} with {rolled:?}, interpreter {by_rules:?} with {fed:?}"
            ));
        }
        tally.record(one.outcome);
        if one.outcome != houserule::plan::Outcome::Unresolved && !one.records.is_empty() {
            tally.record_beside(&one.records, &plan.joint);
        }
    }
    let counted = Kernel::default().play(plan, chunk);
    (counted.as_ref() != Some(&tally)).then(|| format!("counted {counted:?}, played {tally:?}"))
}
