//! One variant in one situation: what engines are given, what a trial yields, how outcomes are tallied.
//!
//! In: a checked scenario. Out: a [`Plan`] for each variant and situation, under a name that equal plans share.
//!
//! **Never:** how a trial is played.

mod canon;
mod engine;
mod fold;
mod program;
mod sample;
mod story;
mod tally;

pub use engine::{CHUNK, Chunk, Engine};
pub use program::{Step, Term};
pub use sample::{Counts, Sample};
pub use story::{Asking, Event, Handling, Listener, RolledDie, Stretches};
pub use tally::{Outcome, Tally, Trial};

pub use crate::scenario::Move;

use crate::rules::{RecordId, Ruleset, TestId, Type};
use crate::scenario::Scenario;
use std::sync::Arc;

/// Changes with every change of what the language means or of how plans are written down, so that results of different
/// meanings are never added up.
const SEMANTICS: &[u8] = b"houserule plan 1";

/// One variant's test in one situation under its policy.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The rules.
    pub rules: Arc<Ruleset>,
    /// Where a trial starts.
    pub entry: TestId,
    /// The value of each factor when a trial starts.
    pub situation: Vec<i32>,
    /// What the player does at each choice; `None` where the entry never comes to it.
    pub moves: Arc<[Option<Move>]>,
    /// The records whose joint values are counted; the dice do not depend on them.
    pub joint: Vec<RecordId>,
    /// What is left of the rules in this situation; `None` where that is too long to write out, or has loops, pools,
    /// records or anything else that cannot be.
    pub program: Option<Arc<Term>>,
    /// Names what is sampled: plans that play alike have the same.
    pub id: ContentId,
}

impl Plan {
    /// Folds the rules for one situation (a value for each factor) under a policy (a move for each choice).
    pub fn new(
        rules: &Arc<Ruleset>,
        entry: TestId,
        situation: Vec<i32>,
        moves: &Arc<[Option<Move>]>,
    ) -> Self {
        let program = fold::fold(rules, entry, &situation, moves);
        let id = match &program {
            Some(program) => ContentId::of(rules, entry, program),
            None => ContentId::of_text(&canon::canon(rules, entry, &situation, moves)),
        };
        let program = program.map(Arc::new);
        Self { rules: rules.clone(), entry, situation, moves: moves.clone(), joint: Vec::new(), program, id }
    }

    /// The plans of a scenario: for each variant, one for each situation.
    pub fn all(scenario: &Scenario) -> Vec<Vec<Self>> {
        let variants = scenario.variants.iter().enumerate();
        let plans = variants.map(|(number, variant)| {
            let moves: Arc<[Option<Move>]> = variant.moves.clone().into();
            let joint = scenario.joint_records(number);
            let plan = |situation| Self {
                joint: joint.clone(),
                ..Self::new(&variant.rules, variant.entry, scenario.assignment(number, situation), &moves)
            };
            (0..scenario.situations.len()).map(plan).collect()
        });
        plans.collect()
    }
}

/// The hash of all that a plan's outcomes depend on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContentId(pub [u8; 32]);

impl ContentId {
    /// The hash of a text, such as a file that a run read.
    pub fn of_text(text: &str) -> Self {
        Self(*blake3::hash(text.as_bytes()).as_bytes())
    }

    /// The hash of a folded program and of the names of its results.
    fn of(rules: &Ruleset, entry: TestId, program: &Term) -> Self {
        let mut bytes = SEMANTICS.to_vec();
        if let Type::Kind(kind) = rules.tests[entry.0].result {
            for value in &rules.kinds[kind.0].values {
                bytes.extend(value.name.as_bytes());
                bytes.push(0);
            }
        }
        bytes.push(0);
        program.write(&mut bytes);
        Self(*blake3::hash(&bytes).as_bytes())
    }
}

impl std::fmt::Debug for ContentId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}
