//! The independent oracle: arithmetic that checks the dice.
//!
//! In: a plan. Out: the distribution of its result and of all that it records, by following every state that a trial can
//! be in together with its probability.
//!
//! **Never:** any generator; how the other engines read a plan.

mod board;
mod book;
mod chain;
mod code;
mod decide;
mod fall;
mod follow;
mod form;
mod hand;
mod known;
mod limit;
mod live;
mod mass;
mod number;
mod sketch;
mod whole;

pub use crate::plan::{Aim, Budget, Distribution, Limit, Objective, Probability, Solution, Unsolved};

use crate::plan::program::{Program, RecordId, SiteId, Span, Step};
use crate::plan::{Plan, Table};
use board::Report;
use book::Book;
use dashu_ratio::RBig;
use decide::Decide;
use follow::{Follow, Halt, Play};
use mass::{Key, Mass};
use number::{Float, Number};
use sketch::{DONE, Question, Sketch, UNRESOLVED};
use smallvec::{SmallVec, smallvec};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use whole::Whole;

/// Solves a plan.
///
/// # Errors
/// [`Unsolved`] where it cannot, or would cost more than the budget.
pub fn solve(plan: &Plan, budget: Budget) -> Result<Solution, Unsolved> {
    let program = plan.program.as_deref().ok_or(Unsolved::TooLong)?;
    solved(program, plan.table.as_deref(), &plan.joint, budget)
}

fn solved(
    program: &Program,
    table: Option<&Table>,
    joint: &[RecordId],
    budget: Budget,
) -> Result<Solution, Unsolved> {
    let mut asking = Asking { program, table, without_cap: false, left: budget.states };
    let mut asks: SmallVec<[Ask; 2]> = smallvec![Ask::Result];
    asks.extend(reported(program).into_iter().map(Ask::Record));
    asks.extend((!joint.is_empty()).then_some(Ask::Joint(joint)));
    let all = asking.all(&asks).map_err(|halt| Unsolved::of(halt, budget))?;
    let mut solution = Solution::default();
    for (ask, ends) in asks.into_iter().zip(all) {
        match ask {
            Ask::Result => (solution.result, solution.unresolved) = (ends.values, ends.unresolved),
            Ask::Record(record) => _ = solution.records.insert(record, ends.values),
            Ask::Joint(_) => solution.joint = ends.joint,
        }
    }
    if solution.unresolved.is_some() && program.sites.is_empty() {
        asking.without_cap = true;
        solution.limit = asking.limit();
    }
    solution.states = budget.states - asking.left;
    Ok(solution)
}

/// How every player plays best for his aim, and what each aim then comes to. Of equally good options it takes the first.
///
/// # Errors
/// [`Unsolved`] where it cannot, would cost more than the budget, or a choice has no aim.
pub fn best(plan: &Plan, budget: Budget) -> Result<(Table, BTreeMap<Aim, Probability>), Unsolved> {
    let program = plan.program.as_deref().ok_or(Unsolved::TooLong)?;
    let aims: Option<Vec<&Aim>> = program.sites.iter().map(|site| site.aim.as_ref()).collect();
    let aims = aims.ok_or(Unsolved::Choices)?;
    let objectives: BTreeSet<&Objective> = aims.iter().map(|aim| &aim.of).collect();
    let objectives: Vec<Objective> = objectives.into_iter().cloned().collect();
    let number = |aim: &Aim| objectives.binary_search(&aim.of).unwrap_or(0);
    let question = decide::question(&objectives);
    let sketch = Sketch::new(program, question.clone());
    let objective = |site: SiteId| (number(aims[site.0]), aims[site.0].maximise);
    let mut decide = Decide::new(&sketch, &objectives, &objective, budget.states);
    let worth = decide.all().map_err(|halt| Unsolved::of(halt, budget))?;
    let table = decide.table().map_err(|halt| Unsolved::of(halt, budget))?;
    let worths = aims.iter().map(|aim| ((*aim).clone(), Probability::Exact(worth[number(aim)].clone())));
    Ok((Table { result: question.result, records: question.records, ..table }, worths.collect()))
}

/// The smallest and the largest value that a figure can have, whatever the players do.
///
/// # Errors
/// [`Unsolved`] where it cannot, or would cost more than the budget.
pub fn range(
    plan: &Plan,
    figure: &Objective,
    budget: Budget,
) -> Result<(Probability, Probability), Unsolved> {
    let program = plan.program.as_deref().ok_or(Unsolved::TooLong)?;
    let objectives = std::slice::from_ref(figure);
    let sketch = Sketch::new(program, decide::question(objectives));
    let mut left = budget.states;
    let mut end = |maximise: bool| {
        let aims = |_| (0, maximise);
        let mut decide = Decide::new(&sketch, objectives, &aims, left);
        let worth = decide.all();
        left = decide.left();
        let known = |mut worth: Vec<RBig>| Probability::Exact(worth.pop().unwrap_or_default());
        worth.map(known).map_err(|halt| Unsolved::of(halt, budget))
    };
    Ok((end(false)?, end(true)?))
}

impl Unsolved {
    fn of(halt: Halt, budget: Budget) -> Self {
        match halt {
            Halt::Choice => Self::Choices,
            Halt::Nameless => Self::Nameless,
            Halt::Large => Self::TooLarge,
            Halt::Budget | Halt::Long => Self::Budget(budget),
        }
    }
}

/// So many states are looked at to answer everything at once.
const MOST_STATES_OF_A_ROUND: u64 = 4_000;

/// So many states are looked at to find out what one measure comes to in loops that may go on for good.
const MOST_STATES_OF_A_LIMIT: u64 = 200_000;

/// What is asked of the ends of trials.
#[derive(Clone, Copy)]
enum Ask<'r> {
    /// The result.
    Result,
    /// What is reported under a record.
    Record(RecordId),
    /// What is reported under all of these together.
    Joint(&'r [RecordId]),
}

impl Ask<'_> {
    fn records(&self) -> &[RecordId] {
        match self {
            Self::Result => &[],
            Self::Record(record) => std::slice::from_ref(record),
            Self::Joint(records) => records,
        }
    }
}

/// A program, and how it is asked.
struct Asking<'a> {
    program: &'a Program,
    table: Option<&'a Table>,
    without_cap: bool,
    left: u64,
}

impl<'a> Asking<'a> {
    /// All answers: from one round where that is cheap, as what is asked apart has fewer states than what is asked
    /// together, but each round costs something.
    fn all(&mut self, asks: &[Ask]) -> Result<AllEnds, Halt> {
        if asks.len() == 1 {
            return self.ends(asks);
        }
        let most = self.left.min(MOST_STATES_OF_A_ROUND);
        let mut round = Asking { left: most, ..*self };
        let together = round.ends(asks);
        self.left -= most - round.left;
        match together {
            Err(Halt::Budget) => {
                let mut all = AllEnds::new();
                for ask in asks {
                    all.extend(self.ends(std::slice::from_ref(ask))?);
                }
                Ok(all)
            }
            known => known,
        }
    }

    /// How trials end, by each that is asked.
    fn ends(&mut self, asks: &[Ask]) -> Result<AllEnds, Halt> {
        let table = self.table.filter(|_| !self.program.sites.is_empty());
        let mut question = table.map_or_else(Question::default, |table| Question {
            result: table.result,
            records: table.records.clone(),
        });
        let book_question = table.map(|_| question.clone());
        question.result |= asks.iter().any(|ask| matches!(ask, Ask::Result));
        for record in asks.iter().flat_map(Ask::records) {
            if !question.records.contains(record) {
                question.records.push(*record);
            }
        }
        let sketch = Sketch::new(self.program, question);
        let (Some(table), Some(question)) = (table, book_question) else {
            return self.followed(&sketch, Play::Unknown, asks);
        };
        let book_sketch = Sketch::new(self.program, question);
        let book = Book { table, sketch: &book_sketch };
        self.followed(&sketch, Play::By(&book), asks)
    }

    fn followed<'s>(
        &mut self,
        sketch: &'s Sketch<'a>,
        play: Play<'s, 'a>,
        asks: &[Ask],
    ) -> Result<AllEnds, Halt> {
        match self.follow::<Whole>(sketch, play, asks, Probability::Exact) {
            Err(Halt::Long) => self
                .follow::<Float>(sketch, play, asks, |share| Probability::Near(share.value, share.error())),
            known => known,
        }
    }

    fn follow<'s, N: Number>(
        &mut self,
        sketch: &'s Sketch<'a>,
        play: Play<'s, 'a>,
        asks: &[Ask],
        probability: impl Fn(N::Ratio) -> Probability,
    ) -> Result<AllEnds, Halt> {
        let mut follow = Follow::<N>::new(sketch, self.left);
        (follow.play, follow.without_cap) = (play, self.without_cap);
        let all = follow.all();
        self.left = follow.left;
        let mut all = all?;
        let unresolved = all.take(|stop| stop == UNRESOLVED).map(|(_, mut mass)| {
            mass.merge();
            probability(
                mass.states.first().map_or_else(N::Ratio::default, |(_, weight)| weight.ratio(&mass.whole)),
            )
        });
        let mut done = all.take(|stop| stop == DONE).map_or_else(Mass::none, |(_, mass)| mass);
        done.merge();
        let ends = asks.iter().map(|ask| {
            let mass = told(&done, &sketch.question, ask.records());
            let mut ends = Ends { unresolved: unresolved.clone(), ..Ends::default() };
            for (key, weight) in &mass.states {
                ends.note(*ask, key, || probability(weight.ratio(&mass.whole)));
            }
            if follow.lost > 0.0 {
                ends.doubt(follow.lost);
            }
            ends
        });
        Ok(ends.collect())
    }

    /// What the rules come to without the tool's patience; `None` where that cannot be said.
    fn limit(&mut self) -> Option<Box<Limit>> {
        let ends = self.a_little(Ask::Result)?;
        let mut limit = Limit { result: ends.values, rounds: self.rounds(), ..Limit::default() };
        for record in reported(self.program) {
            // What a record comes to can be without end where the result is not.
            if let Some(ends) = self.a_little(Ask::Record(record)) {
                limit.records.insert(record, ends.values);
            }
        }
        Some(Box::new(limit))
    }

    /// How many passes loops make on average. Nothing else is asked, so that there are as few states as can be.
    fn rounds(&mut self) -> BTreeMap<Span, Probability> {
        let sketch = Sketch::new(self.program, Question::default());
        let most = self.left.min(MOST_STATES_OF_A_LIMIT);
        let mut follow = Follow::<Whole>::new(&sketch, most);
        follow.without_cap = true;
        let all = follow.all();
        self.left -= most - follow.left;
        let loops = &self.program.loops;
        let rounds = follow.rounds.into_iter();
        match all {
            Ok(all) if all.iter().all(|(stop, _)| stop != UNRESOLVED) => {
                rounds.map(|(one, mean)| (loops[one.0].span, Probability::Exact(mean))).collect()
            }
            _ => BTreeMap::new(),
        }
    }

    /// How trials end that all do, if that can be found out with little effort.
    fn a_little(&mut self, ask: Ask) -> Option<Ends> {
        let most = self.left.min(MOST_STATES_OF_A_LIMIT);
        let mut little = Asking { left: most, ..*self };
        let ends = little.ends(&[ask]).ok().and_then(|mut ends| ends.pop()?.resolved());
        self.left -= most - little.left;
        ends
    }
}

/// The ends of trials by what is asked for: the result where these are no records, else what is reported under them.
fn told<'m, N: Number>(mass: &'m Mass<N>, known: &Question, records: &[RecordId]) -> Cow<'m, Mass<N>> {
    if known.result == records.is_empty() && known.records == records {
        return Cow::Borrowed(mass);
    }
    let results = usize::from(known.result);
    let at = |record| known.records.iter().position(|known| known == record).unwrap_or(0);
    let places: SmallVec<[usize; 4]> = records.iter().map(|record| results + 2 * at(record)).collect();
    let told = |key: &Key| {
        if places.is_empty() {
            return Key::from_slice(&key[..results]);
        }
        let mut told = Key::new();
        for place in &places {
            told.push(key[*place]);
            told.push(key[place + 1]);
        }
        told
    };
    let mut all = Mass::none();
    all.add(mass.states.iter().map(|(key, weight)| (told(key), weight.clone())).collect(), &mass.whole);
    all.merge();
    Cow::Owned(all)
}

/// The records that a trial may come to.
fn reported(program: &Program) -> BTreeSet<RecordId> {
    let steps = program.blocks.iter().flat_map(|block| &block.steps);
    let record = |step: &Step| match step {
        Step::Record(record, ..) => Some(*record),
        _ => None,
    };
    steps.filter_map(record).collect()
}

/// The answers to several questions.
type AllEnds = SmallVec<[Ends; 1]>;

/// All ways in which trials end, each with its probability.
#[derive(Default)]
struct Ends {
    /// By the result, or by what is reported under one record.
    values: Distribution,
    /// By what is reported under several.
    joint: BTreeMap<Vec<Option<i64>>, Probability>,
    unresolved: Option<Probability>,
}

impl Ends {
    /// One more end: the result, or the words of reports.
    fn note(&mut self, ask: Ask, key: &Key, probability: impl FnOnce() -> Probability) {
        let value = match ask {
            Ask::Result => key.first().map(|result| i64::from(*result)),
            Ask::Record(_) => reported_as(key),
            Ask::Joint(_) => {
                self.joint.insert(key.chunks(2).map(reported_as).collect(), probability());
                return;
            }
        };
        if let Some(value) = value {
            self.values.insert(value, probability());
        }
    }

    /// Notes that so much may be part of anything.
    fn doubt(&mut self, lost: f64) {
        let unresolved = self.unresolved.get_or_insert(Probability::Near(0.0, 0.0));
        for probability in self.values.values_mut().chain(self.joint.values_mut()).chain([unresolved]) {
            if let Probability::Near(_, error) = probability {
                *error += lost;
            }
        }
    }

    /// All that there is where next to nothing is unresolved, which then may be part of anything.
    fn resolved(mut self) -> Option<Self> {
        match self.unresolved.take() {
            None => {}
            Some(Probability::Near(rest, error)) if rest < 1e-12 => {
                self.doubt(rest + error);
                self.unresolved = None;
            }
            Some(_) => return None,
        }
        Some(self)
    }
}

fn reported_as(words: &[i32]) -> Option<i64> {
    match Report::of_words(words) {
        Report::Nothing => None,
        Report::Added(value) | Report::Just(value) => Some(i64::from(value)),
    }
}

#[cfg(test)]
mod tests;
