//! One variant in one situation: what engines are given, what a trial yields, how outcomes are tallied.
//!
//! In: a checked scenario. Out: a [`Plan`] for each variant and situation, under a name that equal plans share.
//!
//! **Never:** how a trial is played.

mod answer;
mod bounds;
mod chunk;
mod lower;
mod name;
mod pair;
mod probability;
pub mod program;
mod reached;
mod reads;
mod sample;
mod solution;
mod story;
mod table;
mod tally;

pub use answer::{Answer, Unlimited, Weights};
pub use bounds::Bounds;
pub use chunk::{CHUNK, Chunk};
pub use pair::{Pairs, Unlike, name_of_both};
pub use probability::Probability;
pub use program::Program;
pub use reached::{Reached, Times};
pub use reads::Read;
pub use sample::{Counts, Sample};
pub use solution::{Budget, Distribution, Limit, Solution, Unsolved};
pub use story::{Asking, Event, Handling, Listener, RolledDie, Stretches};
pub use table::{Look, Moves, Table};
pub use tally::{Outcome, Tally, Trial};

pub use crate::scenario::{Aim, Margin, Move, Objective, Relation};

use crate::rules::{RecordId, Ruleset, TestId};
use crate::scenario::Scenario;
use std::sync::Arc;

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
    /// What is left of the rules in this situation; `None` where that is too long to write out.
    pub program: Option<Arc<Program>>,
    /// What the player does where neither the rules nor the policy say so.
    pub table: Option<Arc<Table>>,
    /// Names what is sampled: plans that play alike have the same.
    pub id: ContentId,
}

impl Plan {
    /// Writes out the rules for one situation (a value for each factor) under a policy (a move for each choice).
    pub fn new(
        rules: &Arc<Ruleset>,
        entry: TestId,
        situation: Vec<i32>,
        moves: &Arc<[Option<Move>]>,
    ) -> Self {
        let program = lower::lower(rules, entry, &situation, moves).map(Arc::new);
        let id = match &program {
            Some(program) => name::written(program, rules, entry),
            None => name::unwritten(rules, entry, &situation, moves),
        };
        Self {
            rules: rules.clone(),
            entry,
            situation,
            moves: moves.clone(),
            joint: Vec::new(),
            program,
            table: None,
            id,
        }
    }

    /// The same, played by a table where players have aims.
    #[must_use]
    pub fn with_table(self, table: Arc<Table>) -> Self {
        Self { id: name::tabled(self.id, &table), table: Some(table), ..self }
    }

    /// Makes plans of a scenario: that of a variant in a situation (a value for each factor of its rules).
    pub fn maker(scenario: &Scenario) -> impl Fn(usize, Vec<i32>) -> Self + Sync {
        let moves: Vec<Arc<[Option<Move>]>> =
            scenario.variants.iter().map(|variant| variant.moves.clone().into()).collect();
        move |number, situation| {
            let variant = &scenario.variants[number];
            let plan = Self::new(&variant.rules, variant.entry, situation, &moves[number]);
            Self { joint: scenario.joint_records(number), ..plan }
        }
    }

    /// The plans of a scenario's grid: for each variant, one for each situation.
    pub fn all(scenario: &Scenario) -> Vec<Vec<Self>> {
        let make = Self::maker(scenario);
        let plan = |variant, situation| make(variant, scenario.assignment(variant, situation));
        let row = |variant| (0..scenario.situations.len()).map(|at| plan(variant, at)).collect();
        (0..scenario.variants.len()).map(row).collect()
    }
}

/// The hash of all that a plan's outcomes depend on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContentId(pub [u8; 32]);

impl ContentId {
    /// The hash of a text, such as a file that a run read.
    pub fn of_text(text: &str) -> Self {
        Self::of_bytes(text.as_bytes())
    }

    /// The hash that 64 hexadecimal digits write.
    pub fn from_text(digits: &str) -> Option<Self> {
        let mut id = [0; 32];
        let pairs = digits.as_bytes().chunks_exact(2);
        (digits.len() == 64 && digits.bytes().all(|digit| digit.is_ascii_hexdigit())).then_some(())?;
        for (byte, pair) in id.iter_mut().zip(pairs) {
            *byte = u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()?;
        }
        Some(Self(id))
    }

    /// The hash of any bytes.
    pub fn of_bytes(bytes: &[u8]) -> Self {
        Self(*blake3::hash(bytes).as_bytes())
    }
}

impl std::fmt::Debug for ContentId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}
