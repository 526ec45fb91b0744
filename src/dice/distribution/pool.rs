//! A pool laid out for going through its faces, from the highest down: how many dice of each group show the next.
//!
//! Step 0 takes away the dice that nobody looks at, step f the dice that show the face in front of position f.
//!
//! **Never:** what is asked.

use super::Faces;
use super::weight::Weight;
use smallvec::SmallVec;

/// How many dice of each group are left.
pub(super) type Left = SmallVec<[u32; 4]>;

/// Groups of dice and the faces they have in common.
pub(super) struct Pool<W> {
    /// All faces that some die shows and somebody looks at, the highest first.
    pub(super) faces: SmallVec<[i32; 12]>,
    pub(super) groups: SmallVec<[Group<W>; 1]>,
    /// Pascal's triangle, as far as it was needed.
    choose: Vec<Vec<W>>,
}

/// Equal dice.
pub(super) struct Group<W> {
    pub(super) dice: u32,
    /// What falls at each step.
    pub(super) weights: SmallVec<[W; 8]>,
    /// What falls at each step or later, and nothing at the end.
    pub(super) rest: SmallVec<[W; 8]>,
}

/// Where some dice show a face: how many of each group are left, how many show it, in how many ways.
#[derive(Clone)]
pub(super) struct Split<W> {
    pub(super) left: Left,
    pub(super) show: u32,
    pub(super) ways: W,
}

impl<W: Weight> Pool<W> {
    /// The pool without the faces that nobody looks at.
    pub(super) fn new(pool: &[(u32, &Faces)], seen: impl Fn(i32) -> bool) -> Self {
        let groups = joined(pool);
        let all = groups.iter().flat_map(|(_, faces)| faces.weights());
        let mut faces: SmallVec<[i32; 12]> = all.map(|(face, _)| *face).filter(|face| seen(*face)).collect();
        faces.sort_unstable_by(|a, b| b.cmp(a));
        faces.dedup();
        let groups = groups.into_iter().map(|(dice, of)| Group::new(dice, of, &faces)).collect();
        Self { faces, groups, choose: Vec::new() }
    }

    /// All dice.
    pub(super) fn all(&self) -> Left {
        self.groups.iter().map(|group| group.dice).collect()
    }

    /// In how many ways these dice fall at this step or later.
    pub(super) fn ways(&self, left: &Left, step: usize) -> W {
        let powers = self.groups.iter().zip(left).map(|(group, left)| group.rest[step].power(*left));
        powers.fold(W::ONE, |ways, power| ways.times(&power))
    }

    /// Readies [`Self::splits`].
    pub(super) fn ready(&mut self) {
        let most = self.groups.iter().map(|group| group.dice as usize).max().unwrap_or(0);
        while self.choose.len() <= most {
            let mut row = vec![W::ONE; self.choose.len() + 1];
            if let Some(above) = self.choose.last() {
                for (at, pair) in above.windows(2).enumerate() {
                    row[at + 1].clone_from(&pair[0]);
                    row[at + 1].add(&pair[1]);
                }
            }
            self.choose.push(row);
        }
    }

    /// Every number of dice of each group, of those left, that can fall at this step.
    pub(super) fn splits(&self, left: &Left, step: usize) -> Vec<Split<W>> {
        let mut splits = vec![Split { left: Left::new(), show: 0, ways: W::ONE }];
        for (group, left) in self.groups.iter().zip(left) {
            let own = self.own_splits(group, *left, step);
            splits = splits.iter().flat_map(|split| own.iter().map(|own| split.and(own, *left))).collect();
        }
        splits
    }

    /// How many of the dice left in one group fall at this step, and in how many ways.
    fn own_splits(&self, group: &Group<W>, left: u32, step: usize) -> Vec<(u32, W)> {
        let weight = &group.weights[step];
        if group.rest[step + 1].is_none() {
            return vec![(left, weight.power(left))];
        }
        if weight.is_none() {
            return vec![(0, W::ONE)];
        }
        let mut power = W::ONE;
        let mut own = Vec::with_capacity(left as usize + 1);
        for (show, choose) in self.choose[left as usize].iter().enumerate() {
            if show > 0 {
                power = power.times(weight);
            }
            own.push((show as u32, choose.times(&power)));
        }
        own
    }
}

impl<W: Weight> Group<W> {
    fn new(dice: u32, of: &Faces, faces: &[i32]) -> Self {
        let mut weights: SmallVec<[W; 8]> = SmallVec::from_elem(W::NONE, faces.len() + 1);
        for (face, weight) in of.weights() {
            let step = faces.binary_search_by(|seen| face.cmp(seen)).map_or(0, |at| at + 1);
            weights[step].add(&W::read(weight));
        }
        let mut rest: SmallVec<[W; 8]> = SmallVec::from_elem(W::NONE, weights.len() + 1);
        for step in (0..weights.len()).rev() {
            rest[step] = rest[step + 1].clone();
            rest[step].add(&weights[step]);
        }
        Self { dice, weights, rest }
    }
}

impl<W: Weight> Split<W> {
    fn and(&self, (show, ways): &(u32, W), group: u32) -> Self {
        let mut left = self.left.clone();
        left.push(group - show);
        Self { left, show: self.show + show, ways: self.ways.times(ways) }
    }
}

/// Groups of equal dice put together; none without dice.
fn joined<'a>(pool: &[(u32, &'a Faces)]) -> SmallVec<[(u32, &'a Faces); 2]> {
    let mut groups: SmallVec<[(u32, &Faces); 2]> = SmallVec::new();
    for (dice, faces) in pool.iter().filter(|(dice, _)| *dice > 0) {
        match groups.iter_mut().find(|(_, other)| other == faces) {
            Some((many, _)) => *many += dice,
            None => groups.push((*dice, faces)),
        }
    }
    groups
}
