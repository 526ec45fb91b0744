//! Dice whose order is of no account: what they add to the answers, die after die.
//!
//! **Never:** which dice stay.

use super::layout::Layout;
use super::pool::{Left, Pool};
use super::weight::{Weight, merge};
use std::collections::BTreeMap;

/// How many ways lead to each number of a [`Layout`], by that number.
pub(super) type Ways<W> = Vec<W>;

/// What the dice of a pool add that fall at some step or later.
pub(super) struct Loose<'s, W> {
    layout: &'s Layout<'s>,
    /// What one die of each group adds.
    dice: Vec<Vec<(usize, W)>>,
    /// What is known already, by what is left.
    known: BTreeMap<Left, Ways<W>>,
}

impl<'s, W: Weight> Loose<'s, W> {
    /// From this step on, where `keys` are what a die adds by the position of its face.
    pub(super) fn new(pool: &Pool<W>, layout: &'s Layout<'s>, keys: &[usize], step: usize) -> Self {
        let dice = pool.groups.iter().map(|group| {
            let faces = keys.iter().zip(&group.weights[1..]).skip(step - 1);
            let weighed = faces.filter(|(_, weight)| !weight.is_none());
            let mut die: Vec<(usize, W)> = weighed.map(|(key, weight)| (*key, weight.clone())).collect();
            merge(&mut die);
            die
        });
        Self { layout, dice: dice.collect(), known: BTreeMap::new() }
    }

    /// In how many ways these dice add what.
    pub(super) fn all(&self, left: &Left) -> Ways<W> {
        let dice = self.dice.iter().zip(left).flat_map(|(die, left)| (0..*left).map(move |_| die));
        dice.fold(vec![W::ONE], |ways, die| self.one_more(&ways, die))
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
            let ways = self.one_more(&self.known[&below], &self.dice[group]);
            below[group] += 1;
            self.known.insert(below.clone(), ways);
        }
        &self.known[left]
    }

    fn one_more(&self, ways: &[W], die: &[(usize, W)]) -> Ways<W> {
        let most = die.last().map_or(0, |(key, _)| *key);
        let mut more = Vec::with_capacity(ways.len() + most);
        for (key, ways) in some(ways) {
            for (one, weight) in die {
                add(&mut more, self.layout.plus(key, *one, 1), &ways.times(weight));
            }
        }
        more
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
