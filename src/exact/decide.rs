//! Best play: what a player does best at each state in which he decides, worked out from the end backwards.
//!
//! **Source:** R. Bellman, *Dynamic Programming* (Princeton 1957).

use super::board::{Content, Report};
use super::book::{looks, seen_at};
use super::fall::Throw;
use super::follow::{Follow, Halt, Play};
use super::hand::TooMany;
use super::live::sets;
use super::mass::{Key, Sorted, Waiting};
use super::number::Number;
use super::sketch::{DONE, Question, Sketch, StopId};
use super::whole::Whole;
use crate::plan::program::{RecordId, SiteId};
use crate::plan::{Moves, Objective, Table};
use dashu_ratio::RBig;
use std::collections::{BTreeMap, BTreeSet};

/// A state in which a player decides.
type Node = (StopId, Key);

/// What is known of such a state: the best option, and what each objective comes to with it.
struct Best {
    option: Content,
    worth: Vec<RBig>,
}

pub(super) struct Decide<'s, 'p> {
    follow: Follow<'s, 'p, Whole>,
    objectives: &'s [Objective],
    /// For each place where a player decides, the objective and whether more of it is better.
    aims: &'s dyn Fn(SiteId) -> (usize, bool),
    best: BTreeMap<Node, Best>,
    /// For each state that is being looked into, where each option leads.
    open: BTreeMap<Node, Vec<(Content, Waiting<Whole>)>>,
}

/// What all objectives need to know.
pub(super) fn question(objectives: &[Objective]) -> Question {
    let records: BTreeSet<RecordId> = objectives.iter().filter_map(|objective| objective.record).collect();
    let result = objectives.iter().any(|objective| objective.record.is_none());
    Question { result, records: records.into_iter().collect() }
}

impl<'s, 'p> Decide<'s, 'p> {
    pub(super) fn new(
        sketch: &'s Sketch<'p>,
        objectives: &'s [Objective],
        aims: &'s dyn Fn(SiteId) -> (usize, bool),
        left: u64,
    ) -> Self {
        let mut follow = Follow::new(sketch, left);
        follow.play = Play::Wait;
        Self { follow, objectives, aims, best: BTreeMap::new(), open: BTreeMap::new() }
    }

    /// How much of the budget is left.
    pub(super) fn left(&self) -> u64 {
        self.follow.left
    }

    /// What each objective comes to if every player plays for his aim.
    pub(super) fn all(&mut self) -> Result<Vec<RBig>, Halt> {
        let start = self.follow.all()?;
        let mut under_way = self.nodes(&start);
        while let Some(node) = under_way.pop() {
            if self.best.contains_key(&node) {
                continue;
            }
            if !self.open.contains_key(&node) {
                let options = self.expanded(&node)?;
                self.open.insert(node.clone(), options);
            }
            let ahead: Vec<Node> =
                self.open[&node].iter().flat_map(|(_, waiting)| self.nodes(waiting)).collect();
            if ahead.is_empty() {
                self.decide(node);
            } else {
                under_way.push(node);
                under_way.extend(ahead);
            }
        }
        Ok(self.worth(&start))
    }

    /// The states that wait for a player's move which is not known yet.
    fn nodes(&self, waiting: &Waiting<Whole>) -> Vec<Node> {
        let stops = waiting.iter().filter(|(stop, _)| *stop < DONE);
        let nodes =
            stops.flat_map(|(stop, mass)| mass.states.iter().map(move |(key, _)| (stop, key.clone())));
        nodes.filter(|node| !self.best.contains_key(node)).collect()
    }

    /// Where each option leads.
    fn expanded(&mut self, (stop, key): &Node) -> Result<Vec<(Content, Waiting<Whole>)>, Halt> {
        let sketch = self.follow.sketch;
        let at = &sketch.stops[*stop as usize];
        let number = at.step.unwrap_or(0);
        let step = &sketch.program.blocks[at.block.0].steps[number];
        self.follow.board.load(sketch, *stop, key);
        let throw = Throw { sketch, board: &self.follow.board, most: self.follow.left };
        let mut all = Vec::new();
        let options = throw.options(step)?.into_iter();
        let falls: Result<Vec<_>, TooMany> =
            options.map(|option| Ok((throw.moved(step, &option)?, option))).collect();
        for (fall, option) in falls? {
            let mut sorted = Sorted::default();
            for (outcome, ways) in &fall.outcomes {
                self.follow.board.load(sketch, *stop, key);
                self.follow.put(sets(step), outcome);
                let next = self.follow.go(at.next)?;
                sorted.put(next, &self.follow.board.key(sketch, next), ways);
            }
            let mut waiting = Waiting::none();
            sorted.wait(&mut waiting, &fall.whole);
            self.follow.settle(&mut waiting, None)?;
            waiting.merge();
            all.push((option, waiting));
        }
        Ok(all)
    }

    /// Takes the best option of a state; of equally good ones the first.
    fn decide(&mut self, node: Node) {
        let sketch = self.follow.sketch;
        let Some(site) = sketch.site(node.0) else { return };
        let (objective, maximise) = (self.aims)(site);
        let mut best: Option<Best> = None;
        for (option, waiting) in self.open.remove(&node).unwrap_or_default() {
            let worth = self.worth(&waiting);
            let better = best.as_ref().is_none_or(|best| match maximise {
                true => worth[objective] > best.worth[objective],
                false => worth[objective] < best.worth[objective],
            });
            if better {
                best = Some(Best { option, worth });
            }
        }
        best.into_iter().for_each(|best| _ = self.best.insert(node.clone(), best));
    }

    /// What each objective comes to from here on.
    fn worth(&self, waiting: &Waiting<Whole>) -> Vec<RBig> {
        let mut worth = vec![RBig::ZERO; self.objectives.len()];
        for (stop, mass) in waiting.iter() {
            for (key, weight) in &mass.states {
                let share = weight.ratio(&mass.whole);
                match self.best.get(&(stop, key.clone())) {
                    Some(best) => {
                        worth.iter_mut().zip(&best.worth).for_each(|(sum, worth)| *sum += &share * worth);
                    }
                    None if stop == DONE => {
                        let ends = self.objectives.iter().map(|objective| self.end(objective, key));
                        worth.iter_mut().zip(ends).for_each(|(sum, end)| *sum += &share * end);
                    }
                    None => {}
                }
            }
        }
        worth
    }

    /// What an objective comes to at the end of a trial.
    fn end(&self, objective: &Objective, key: &Key) -> RBig {
        let Question { result, records } = &self.follow.sketch.question;
        let (results, reports) = key.split_at(usize::from(*result));
        let value = match objective.record {
            None => results.first().copied(),
            Some(record) => records.iter().position(|known| *known == record).and_then(|at| {
                match Report::of_words(&reports[2 * at..2 * at + 2]) {
                    Report::Nothing => None,
                    Report::Added(value) | Report::Just(value) => Some(value),
                }
            }),
        };
        let Some(value) = value.map(i64::from) else { return RBig::ZERO };
        match &objective.among {
            None => RBig::from(value),
            Some(spans) => {
                RBig::from(u8::from(spans.iter().any(|(low, high)| (*low..=*high).contains(&value))))
            }
        }
    }

    /// The moves in all states that come up if every player keeps to them.
    ///
    /// # Errors
    /// [`Halt::Nameless`] where a player would have to see what has no name.
    pub(super) fn table(&mut self) -> Result<Table, Halt> {
        let mut table = Table::default();
        let start = self.follow.all()?;
        let known = |waiting: &Waiting<Whole>| -> Vec<Node> {
            let stops = waiting.iter().filter(|(stop, _)| *stop < DONE);
            stops
                .flat_map(|(stop, mass)| mass.states.iter().map(move |(key, _)| (stop, key.clone())))
                .collect()
        };
        let mut under_way = known(&start);
        let mut seen: BTreeSet<Node> = BTreeSet::new();
        while let Some(node) = under_way.pop() {
            if !seen.insert(node.clone()) {
                continue;
            }
            let Some(option) = self.best.get(&node).map(|best| best.option.clone()) else { continue };
            self.note(&node, &option, &mut table)?;
            let ahead = self.expanded(&node)?.into_iter().find(|(one, _)| *one == option);
            under_way.extend(ahead.iter().flat_map(|(_, waiting)| known(waiting)));
        }
        Ok(table)
    }

    fn note(&mut self, (stop, key): &Node, option: &Content, table: &mut Table) -> Result<(), Halt> {
        let sketch = self.follow.sketch;
        let Some(site) = sketch.site(*stop) else { return Ok(()) };
        let at = &sketch.stops[*stop as usize];
        let moves = match table.sites.entry(site) {
            std::collections::btree_map::Entry::Occupied(known) => known.into_mut(),
            std::collections::btree_map::Entry::Vacant(new) => {
                let looks = looks(sketch, at, site).ok_or(Halt::Nameless)?;
                new.insert(Moves { looks, moves: BTreeMap::new() })
            }
        };
        self.follow.board.load(sketch, *stop, key);
        moves.moves.insert(seen_at(sketch, at, &self.follow.board), option.to_vec());
        Ok(())
    }
}
