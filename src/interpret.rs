//! The reference: plays one trial off the checked rules, sentence by sentence, and can tell it as a story.
//!
//! In: a plan and a source of dice. Out: the outcome and the records, and on demand each step. It follows `docs/rules.md`
//! as naively as it can: operands left to right, statements in order, conditions only as far as they are needed.
//!
//! **Never:** batches, threads, cleverness.

mod call;
mod choice;
mod expression;
mod pair;
mod pool;
mod repeat;
mod statement;
mod watch;

pub use pair::{Ended, pairs};

use crate::dice::roll::Die;
use crate::plan::{Chunk, Event, Listener, Outcome, Plan, Reached, Tally, Trial};
use crate::random::{Generator, Recorder, Source};
use crate::rules::{Callee, Ruleset};
use watch::Watch;

/// Which lane of a chunk the dice come from: none of those that are read many at a time.
const LANE: u8 = 7;

/// Plays a chunk and counts how its trials ended.
pub fn play(plan: &Plan, chunk: Chunk) -> Tally {
    let mut dice = Generator::new(chunk.seed, &plan.id.0, chunk.number, LANE);
    let mut table = Table::new(plan);
    let mut tally = Tally::default();
    for _ in 0..chunk.trials {
        let outcome = table.trial(&mut dice, &mut ());
        tally.record(outcome);
        if outcome != Outcome::Unresolved && !table.records.is_empty() {
            tally.record_beside(&table.records, &plan.joint);
        }
    }
    tally
}

/// Plays one trial with dice from any source.
pub fn trial(plan: &Plan, dice: &mut impl Source) -> Trial {
    let mut table = Table::new(plan);
    let outcome = table.trial(dice, &mut ());
    Trial { outcome, records: table.records }
}

/// Plays one trial with dice from any source, and tells it.
pub fn tell(plan: &Plan, dice: &mut impl Source) -> (Vec<Event>, Trial) {
    let (mut table, mut story) = (Table::new(plan), Vec::new());
    let outcome = table.trial(dice, &mut story);
    (story, Trial { outcome, records: table.records })
}

/// Plays the trials that [`play`] plays first under a seed, and tells each of them.
pub fn stories(plan: &Plan, seed: u64, times: u64) -> impl Iterator<Item = (Vec<Event>, Trial)> {
    let mut dice = Recorder { source: Generator::new(seed, &plan.id.0, 0, LANE), rolled: Vec::new() };
    let mut table = Table::new(plan);
    (0..times).map(move |_| {
        let mut story = Vec::new();
        let outcome = table.trial(&mut dice, &mut story);
        dice.rolled.clear();
        (story, Trial { outcome, records: table.records.clone() })
    })
}

/// Plays so many trials of each of some plans, one plan after another, and counts which cells and lines they come to. The
/// dice are those of the first plan's first chunk, without a break, so that plans of one name do not share a trial.
pub fn reach<'p>(plans: impl IntoIterator<Item = (&'p Plan, u64)>, seed: u64, counts: &mut Reached) {
    let mut source = None;
    for (plan, trials) in plans {
        let dice = source.get_or_insert_with(|| Generator::new(seed, &plan.id.0, 0, LANE));
        let mut table = Table::new(plan);
        for _ in 0..trials {
            counts.begin();
            table.trial(dice, counts);
        }
    }
}

/// The tool's patience is at its end: the trial ends here.
#[derive(Clone, Copy, Debug)]
struct Unresolved;

/// What lies on the table during a trial.
struct Table<'a> {
    plan: &'a Plan,
    rules: &'a Ruleset,
    /// What lies in each cell now: one cell for each factor.
    factors: Vec<i32>,
    /// The cell that each factor means now: its own, or inside a call for a unit that unit's.
    at: Vec<usize>,
    /// The locals of all calls that are under way, one call's after another's.
    locals: Vec<i32>,
    /// Their pools and lists, in the same order.
    pools: Vec<Vec<Die<'a>>>,
    /// The innermost call.
    frame: Frame,
    /// The list that a test returned last.
    returned: Vec<Die<'a>>,
    /// What the trial has reported so far.
    records: Vec<Option<i64>>,
    /// The way here, where a table says what a player does.
    watch: Option<Watch>,
}

/// Where the locals and the pools of a call begin.
#[derive(Clone, Copy, Debug, Default)]
struct Frame {
    locals: usize,
    pools: usize,
}

impl<'a> Table<'a> {
    fn new(plan: &'a Plan) -> Self {
        let rules: &Ruleset = &plan.rules;
        Self {
            plan,
            rules,
            factors: plan.situation.clone(),
            at: (0..rules.factors.len()).collect(),
            locals: Vec::new(),
            pools: Vec::new(),
            frame: Frame::default(),
            returned: Vec::new(),
            records: vec![None; rules.records.len()],
            watch: plan.table.as_ref().map(|_| Watch::default()),
        }
    }

    fn trial(&mut self, dice: &mut impl Source, story: &mut impl Listener) -> Outcome {
        self.factors.copy_from_slice(&self.plan.situation);
        self.records.fill(None);
        let entry = Callee::Test(self.plan.entry);
        let mut hand = Hand { dice, story };
        match self.call((entry, None), None, &[], &[], &mut hand) {
            Ok(result) => Outcome::Result(result),
            Err(Unresolved) => {
                // The calls that were under way put nothing back.
                *self = Self::new(self.plan);
                Outcome::Unresolved
            }
        }
    }
}

/// What a player holds during a trial: the dice, and the pen.
struct Hand<'h, D, L> {
    dice: &'h mut D,
    story: &'h mut L,
}
