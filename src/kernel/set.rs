//! Sets of numbers, and which are needed where.
//!
//! In: where blocks go on, and what each does to what is needed behind it. Out: what is needed before each.
//!
//! **Never:** what a number stands for.

/// A set of numbers below a size.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Set(Vec<u64>);

impl Set {
    /// None of so many numbers.
    pub(super) fn new(size: usize) -> Self {
        Self(vec![0; size.div_ceil(64)])
    }

    /// Says whether the number was not there before.
    pub(super) fn insert(&mut self, at: usize) -> bool {
        let is_new = !self.contains(at);
        self.0[at / 64] |= 1 << (at % 64);
        is_new
    }

    /// Takes out the lowest number, if it is below that.
    pub(super) fn pop(&mut self, below: usize) -> Option<usize> {
        let first = self.numbers().next().filter(|at| *at < below);
        first.into_iter().for_each(|at| self.remove(at));
        first
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    pub(super) fn remove(&mut self, at: usize) {
        self.0[at / 64] &= !(1 << (at % 64));
    }

    pub(super) fn contains(&self, at: usize) -> bool {
        self.0[at / 64] >> (at % 64) & 1 == 1
    }

    pub(super) fn join(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, more)| *word |= more);
    }

    pub(super) fn numbers(&self) -> impl Iterator<Item = usize> {
        let mut words = self.0.iter();
        let (mut start, mut left) = (0, words.next().copied());
        std::iter::from_fn(move || {
            while left? == 0 {
                (start, left) = (start + 64, words.next().copied());
            }
            let word = left?;
            left = Some(word & (word - 1));
            Some(start + word.trailing_zeros() as usize)
        })
    }

    pub(super) fn list(&self) -> Vec<usize> {
        let mut list = Vec::with_capacity(self.0.iter().map(|word| word.count_ones() as usize).sum());
        list.extend(self.numbers());
        list
    }
}

/// Which of so many numbers are needed before each block. `ways` is where each goes on; `before` makes what is needed
/// before a block of what is needed behind it, and never of more less.
pub(super) fn needed(ways: &[Vec<usize>], size: usize, mut before: impl FnMut(usize, &mut Set)) -> Vec<Set> {
    let mut needed = vec![Set::new(size); ways.len()];
    // When each block was looked at last, and when what is needed before it changed.
    let (mut clock, mut looked, mut changed) = (1, vec![0; ways.len()], vec![0; ways.len()]);
    loop {
        let start = clock;
        for at in (0..ways.len()).rev() {
            if looked[at] > 0 && ways[at].iter().all(|to| changed[*to] < looked[at]) {
                continue;
            }
            let mut now = Set::new(size);
            ways[at].iter().for_each(|to| now.join(&needed[*to]));
            before(at, &mut now);
            looked[at] = clock;
            if now != needed[at] {
                (changed[at], needed[at]) = (clock, now);
            }
            clock += 1;
        }
        if clock == start {
            return needed;
        }
    }
}
