//! The reference: plays one trial off the checked rules, sentence by sentence, and can tell it as a story.
//!
//! In: a plan and a source of dice. Out: the outcome, and on demand each step. It follows `docs/rules.md` as naively as
//! it can: operands left to right, statements in order, conditions only as far as they are needed.
//!
//! **Never:** batches, threads, cleverness.

mod call;
mod expression;

use crate::plan::{Chunk, Engine, Event, Listener, Outcome, Plan, Tally};
use crate::random::{Generator, Recorder, Source};
use crate::rules::{Callee, Ruleset};

/// Plays trials one by one.
#[derive(Clone, Copy, Debug, Default)]
pub struct Interpreter;

impl Engine for Interpreter {
    fn play(&self, plan: &Plan, chunk: Chunk, each: &mut dyn FnMut(u64, Outcome)) -> Tally {
        let mut dice = Generator::new(chunk.seed, &plan.id.0, chunk.number, 0);
        let mut table = Table::new(plan);
        let mut tally = Tally::default();
        for trial in 0..chunk.trials {
            let outcome = table.trial(&mut dice, &mut ());
            tally.record(outcome);
            each(trial, outcome);
        }
        tally
    }
}

/// Plays one trial with dice from any source.
pub fn trial(plan: &Plan, dice: &mut impl Source) -> Outcome {
    Table::new(plan).trial(dice, &mut ())
}

/// Plays trials `0..times` of the first chunk under a seed, and tells each of them.
pub fn stories(plan: &Plan, seed: u64, times: u64) -> impl Iterator<Item = (Vec<Event>, Outcome)> {
    let mut dice = Recorder { source: Generator::new(seed, &plan.id.0, 0, 0), rolled: Vec::new() };
    let mut table = Table::new(plan);
    (0..times).map(move |_| {
        let mut story = Vec::new();
        let outcome = table.trial(&mut dice, &mut story);
        dice.rolled.clear();
        (story, outcome)
    })
}

/// What lies on the table during a trial.
struct Table<'a> {
    plan: &'a Plan,
    rules: &'a Ruleset,
    /// The value of each factor now.
    factors: Vec<i32>,
    /// The locals of all calls that are under way, one call's after another's.
    locals: Vec<i32>,
    /// Where the locals of the innermost call begin.
    frame: usize,
}

impl<'a> Table<'a> {
    fn new(plan: &'a Plan) -> Self {
        Self { plan, rules: &plan.rules, factors: plan.situation.clone(), locals: Vec::new(), frame: 0 }
    }

    fn trial(&mut self, dice: &mut impl Source, story: &mut impl Listener) -> Outcome {
        self.factors.copy_from_slice(&self.plan.situation);
        let entry = Callee::Test(self.plan.entry);
        let mut hand = Hand { dice, story };
        Outcome::Result(self.call(entry, &[], &[], &mut hand))
    }
}

/// What a player holds during a trial: the dice, and the pen.
struct Hand<'h, D, L> {
    dice: &'h mut D,
    story: &'h mut L,
}
