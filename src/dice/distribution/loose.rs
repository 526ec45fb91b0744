//! Dice whose order is of no account: what they add to the answers, die after die.
//!
//! **Never:** which dice stay.

use super::layout::Layout;
use super::pool::{Left, Pool};
use super::weight::{Weight, merge};
use smallvec::SmallVec;
use std::collections::BTreeMap;

/// How many ways lead to each number of a [`Layout`], by that number.
pub(super) type Ways<W> = Vec<W>;

/// What one die adds, ascending, each with its ways.
type Die<W> = SmallVec<[(usize, W); 8]>;

/// What the dice of a pool add that fall at some step or later.
pub(super) struct Loose<'s, 'q, W> {
    layout: &'s Layout<'q>,
    /// What one die of each group adds.
    dice: SmallVec<[Die<W>; 1]>,
    /// What is known already, by what is left.
    known: BTreeMap<Left, Ways<W>>,
}

impl<'s, 'q, W: Weight> Loose<'s, 'q, W> {
    /// From this step on, where `keys` are what a die adds by the position of its face.
    pub(super) fn new(pool: &Pool<W>, layout: &'s Layout<'q>, keys: &[usize], step: usize) -> Self {
        let dice = pool.groups.iter().map(|group| {
            let faces = keys.iter().zip(&group.weights[1..]).skip(step - 1);
            let weighed = faces.filter(|(_, weight)| !weight.is_none());
            let mut die: Die<W> = weighed.map(|(key, weight)| (*key, weight.clone())).collect();
            let left = merge(&mut die);
            die.truncate(left);
            die
        });
        Self { layout, dice: dice.collect(), known: BTreeMap::new() }
    }

    /// In how many ways these dice add what.
    pub(super) fn all(&self, left: &Left) -> Ways<W> {
        let dice = self.dice.iter().zip(left).flat_map(|(die, left)| (0..*left).map(move |_| die));
        let (mut ways, mut more) = (vec![W::ONE], Ways::new());
        for die in dice {
            more.clear();
            self.one_more(&ways, die, &mut more);
            std::mem::swap(&mut ways, &mut more);
        }
        ways
    }

    /// The same, remembered: from what was known before for fewer dice.
    pub(super) fn ways(&mut self, left: &Left) -> &[W] {
        let mut path = Vec::new();
        let mut below = left.clone();
        while !self.known.contains_key(&below) {
            let Some(group) = below.iter().position(|left| *left > 0) else { break };
            path.push(group);
            below[group] -= 1;
        }
        self.known.entry(below.clone()).or_insert_with(|| vec![W::ONE]);
        for group in path.into_iter().rev() {
            let mut ways = Ways::new();
            self.one_more(&self.known[&below], &self.dice[group], &mut ways);
            below[group] += 1;
            self.known.insert(below.clone(), ways);
        }
        &self.known[left]
    }

    /// Adds to `more` what these ways come to with one more die.
    fn one_more(&self, ways: &[W], die: &[(usize, W)], more: &mut Ways<W>) {
        more.reserve(ways.len() + die.last().map_or(0, |(key, _)| *key));
        for (key, ways) in some(ways) {
            for (one, weight) in die {
                add(more, self.layout.plus(key, *one, 1), &ways.times(weight));
            }
        }
    }
}

/// The numbers to which some way leads.
pub(super) fn some<W: Weight>(ways: &[W]) -> impl Iterator<Item = (usize, &W)> {
    ways.iter().enumerate().filter(|(_, ways)| !ways.is_none())
}

/// Adds so many ways to those that lead to this number.
pub(super) fn add<W: Weight>(all: &mut Ways<W>, key: usize, ways: &W) {
    if all.len() <= key {
        all.resize(key + 1, W::NONE);
    }
    all[key].add(ways);
}
