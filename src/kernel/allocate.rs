//! Which values share a column.
//!
//! In: blocks whose registers are values. Out: the program, with as few columns as are needed at once and without words
//! that nothing comes of. **Never:** what a word does.

use super::code::{Block, Code, Key, KeyKind, Next, Op, Reg};
use super::set::{Set, needed};
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

/// Gives each register a column.
pub(super) fn columns(mut blocks: Vec<Block>, mut keys: Vec<Key>, number: Option<Reg>, regs: usize) -> Code {
    let mut needs = Needs::new(&mut blocks, &keys, number, regs);
    needs.drop_idle(&mut blocks);
    let (columns, narrow, wide) = shared(&needs.lives(&blocks), &needs.wide);
    let place = |reg: &mut Reg| reg.at = columns[reg.at];
    for (block, before) in blocks.iter_mut().zip(&needs.before) {
        block.live = before.numbers().map(|at| Reg { at: columns[at], wide: needs.wide[at] }).collect();
        block.ops.iter_mut().for_each(|op| op.regs(&mut |reg, _| place(reg)));
        if let Next::Part(exits, _) = &mut block.next {
            exits.iter_mut().for_each(|(on, _)| place(on));
        }
    }
    keys.iter_mut().for_each(|key| key.regs(&mut |reg| place(reg)));
    let number = number.map(|mut reg| {
        place(&mut reg);
        reg
    });
    let mut hands = BTreeSet::new();
    for op in blocks.iter().flat_map(|block| &block.ops) {
        if let Op::Hand(deed) = op {
            deed.hands(|hand| _ = hands.insert(hand));
        }
    }
    Code { blocks, narrow, wide, heaps: 0, hands: hands.into_iter().collect(), own: Vec::new(), keys, number }
}

/// What is needed before each block, and how wide each register is.
struct Needs {
    before: Vec<Set>,
    wide: Vec<bool>,
    /// Needed at the end of a trial.
    last: Set,
    /// Whether nobody wants to know which dice fall, and so not that one did of which no face counts.
    untold: bool,
    /// The words of each block, and the registers that they touch, of each whether it is set.
    words: Vec<Vec<Word>>,
    touched: Vec<(usize, bool)>,
}

/// Which registers a word touches, and whether it is of use even where nobody needs what it sets.
#[derive(Clone)]
struct Word {
    touched: std::ops::Range<usize>,
    does_more: bool,
}

impl Next {
    fn ways(&self) -> Vec<usize> {
        match self {
            Self::Count => Vec::new(),
            Self::Go(to) => vec![*to],
            Self::Part(exits, others) => exits.iter().map(|(_, to)| *to).chain([*others]).collect(),
        }
    }
}

impl Key {
    fn regs(&mut self, each: &mut impl FnMut(&mut Reg)) {
        match &mut self.kind {
            KeyKind::Row(reg, _) | KeyKind::Told(reg, _) => each(reg),
            KeyKind::Each(regs) => regs.iter_mut().for_each(each),
        }
    }
}

impl Needs {
    fn new(blocks: &mut [Block], keys: &[Key], number: Option<Reg>, regs: usize) -> Self {
        let mut needs = Self {
            before: Vec::new(),
            wide: vec![false; regs],
            last: Set::new(regs),
            untold: number.is_none(),
            words: Vec::new(),
            touched: Vec::new(),
        };
        let mut last: Vec<Reg> = number.into_iter().collect();
        keys.to_vec().iter_mut().for_each(|key| key.regs(&mut |reg| last.push(*reg)));
        for reg in last {
            needs.wide[reg.at] = reg.wide;
            needs.last.insert(reg.at);
        }
        for block in blocks.iter_mut() {
            let words = block.ops.iter_mut().map(|op| needs.word(op)).collect();
            needs.words.push(words);
        }
        let ways: Vec<Vec<usize>> = blocks.iter().map(|block| block.next.ways()).collect();
        needs.before = needed(&ways, regs, |at, now| {
            needs.asked(&blocks[at].next, now);
            needs.words[at].iter().rev().for_each(|word| _ = needs.ahead(word, now));
        });
        needs
    }

    fn word(&mut self, op: &mut Op) -> Word {
        if let Op::Roll(roll) = op
            && self.untold
        {
            roll.on = None;
        }
        let first = self.touched.len();
        op.regs(&mut |reg, is_set| {
            self.wide[reg.at] = reg.wide;
            self.touched.push((reg.at, is_set));
        });
        let is_idle = self.untold && matches!(op, Op::Roll(roll) if roll.cut.faces == 1);
        Word { touched: first..self.touched.len(), does_more: op.does_more() && !is_idle }
    }

    /// What is needed before a word, by what is needed behind it; says whether it is of any use.
    fn ahead(&self, word: &Word, needed: &mut Set) -> bool {
        let touched = &self.touched[word.touched.clone()];
        let used = word.does_more || touched.iter().any(|(reg, is_set)| *is_set && needed.contains(*reg));
        // None is both set and read.
        for (reg, is_set) in touched.iter().filter(|_| used) {
            if *is_set {
                needed.remove(*reg);
            } else {
                needed.insert(*reg);
            }
        }
        used
    }

    /// Adds what is needed at the end of a block for itself.
    fn asked(&self, next: &Next, needed: &mut Set) {
        match next {
            Next::Count => needed.join(&self.last),
            Next::Go(_) => {}
            Next::Part(exits, _) => exits.iter().for_each(|(on, _)| _ = needed.insert(on.at)),
        }
    }

    /// What is needed behind a block.
    fn behind(&self, block: &Block) -> Set {
        let mut behind = Set::new(self.wide.len());
        block.next.ways().into_iter().for_each(|to| behind.join(&self.before[to]));
        self.asked(&block.next, &mut behind);
        behind
    }

    /// Leaves out words whose results nobody needs.
    fn drop_idle(&mut self, blocks: &mut [Block]) {
        for (at, block) in blocks.iter_mut().enumerate() {
            let mut needed = self.behind(block);
            let words = self.words[at].iter().rev().zip(block.ops.iter_mut().rev());
            let used = words.map(|(word, op)| {
                if let Op::Roll(roll) = op {
                    roll.asks.retain(|(to, _)| needed.contains(to.at));
                }
                self.ahead(word, &mut needed)
            });
            let used: Vec<bool> = used.collect();
            let mut kept = used.iter().rev();
            block.ops.retain(|_| kept.next() == Some(&true));
            let mut kept = used.iter().rev();
            self.words[at].retain(|_| kept.next() == Some(&true));
        }
    }

    /// From where to where each register is needed, counting words and the ends of blocks; nothing for those that are not.
    fn lives(&self, blocks: &[Block]) -> Vec<Option<(usize, usize)>> {
        let mut lives = vec![None; self.wide.len()];
        let mut touch = |at: usize, place: usize| {
            let (_, last) = lives[at].get_or_insert((place, place));
            *last = place;
        };
        let mut place = 0;
        for (at, block) in blocks.iter().enumerate() {
            self.before[at].numbers().for_each(|reg| touch(reg, place));
            for word in &self.words[at] {
                place += 1;
                self.touched[word.touched.clone()].iter().for_each(|(reg, _)| touch(*reg, place));
            }
            place += 1;
            self.behind(block).numbers().for_each(|reg| touch(reg, place));
            place += 1;
        }
        lives
    }
}

/// The column of each register, and how many narrow and wide ones there are.
fn shared(lives: &[Option<(usize, usize)>], wide: &[bool]) -> (Vec<usize>, usize, usize) {
    let mut order: Vec<usize> = (0..lives.len()).filter(|reg| lives[*reg].is_some()).collect();
    order.sort_by_key(|reg| lives[*reg]);
    let mut columns = vec![0; lives.len()];
    // For each width: the columns that are taken, by until when; those that are free; how many there are.
    let mut widths = [(BinaryHeap::new(), BinaryHeap::new(), 0), (BinaryHeap::new(), BinaryHeap::new(), 0)];
    for reg in order {
        let Some((first, last)) = lives[reg] else { continue };
        let (taken, free, all) = &mut widths[usize::from(wide[reg])];
        while let Some(Reverse((_, column))) =
            taken.peek().copied().filter(|Reverse((until, _))| *until < first)
        {
            taken.pop();
            free.push(Reverse(column));
        }
        columns[reg] = free.pop().map_or(*all, |Reverse(column)| column);
        *all = (columns[reg] + 1).max(*all);
        taken.push(Reverse((last, columns[reg])));
    }
    (columns, widths[0].2, widths[1].2)
}

#[cfg(test)]
mod tests;
