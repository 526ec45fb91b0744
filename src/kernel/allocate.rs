//! Which values share a column.
//!
//! In: blocks whose registers are values. Out: the program, with as few columns as are needed at once and without words
//! that nothing comes of. **Never:** what a word does.

use super::code::{Block, Code, Key, KeyKind, Next, Op, Reg};
use super::set::{Set, needed};
use std::collections::BTreeSet;

/// What is needed before each block, and how wide each register is.
struct Needs {
    before: Vec<Set>,
    wide: Vec<bool>,
    /// Needed at the end of a trial.
    last: Set,
}

/// Gives each register a column.
pub(super) fn columns(mut blocks: Vec<Block>, mut keys: Vec<Key>, number: Option<Reg>, regs: usize) -> Code {
    let needs = Needs::new(&mut blocks, &keys, number, regs);
    needs.drop_idle(&mut blocks);
    let lives = needs.lives(&mut blocks);
    let (columns, narrow, wide) = shared(&lives, &needs.wide);
    let place = |reg: &mut Reg| reg.at = columns[reg.at];
    for (block, before) in blocks.iter_mut().zip(&needs.before) {
        block.live = before.numbers().map(|at| Reg { at, wide: needs.wide[at] }).collect();
        block.live.iter_mut().for_each(place);
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
            KeyKind::Row(reg, _) => each(reg),
            KeyKind::Each(regs) => regs.iter_mut().for_each(each),
        }
    }
}

impl Needs {
    fn new(blocks: &mut [Block], keys: &[Key], number: Option<Reg>, regs: usize) -> Self {
        let mut needs = Self { before: Vec::new(), wide: vec![false; regs], last: Set::new(regs) };
        let mut last: Vec<Reg> = number.into_iter().collect();
        keys.to_vec().iter_mut().for_each(|key| key.regs(&mut |reg| last.push(*reg)));
        for reg in last {
            needs.wide[reg.at] = reg.wide;
            needs.last.insert(reg.at);
        }
        for block in blocks.iter_mut() {
            block.ops.iter_mut().for_each(|op| op.regs(&mut |reg, _| needs.wide[reg.at] = reg.wide));
        }
        let ways: Vec<Vec<usize>> = blocks.iter().map(|block| block.next.ways()).collect();
        needs.before = needed(&ways, regs, |at, now| {
            needs.asked(&blocks[at].next, now);
            blocks[at].ops.iter_mut().rev().for_each(|op| _ = ahead(op, now));
        });
        needs
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
    fn drop_idle(&self, blocks: &mut [Block]) {
        for block in blocks {
            let mut needed = self.behind(block);
            let mut kept: Vec<Op> = Vec::with_capacity(block.ops.len());
            for mut op in std::mem::take(&mut block.ops).into_iter().rev() {
                if ahead(&mut op, &mut needed) {
                    kept.push(op);
                }
            }
            kept.reverse();
            block.ops = kept;
        }
    }

    /// From where to where each register is needed, counting words and the ends of blocks; nothing for those that are not.
    fn lives(&self, blocks: &mut [Block]) -> Vec<Option<(usize, usize)>> {
        let mut lives = vec![None; self.wide.len()];
        let mut touch = |at: usize, place: usize| {
            let (first, last) = lives[at].get_or_insert((place, place));
            (*first, *last) = (place.min(*first), place.max(*last));
        };
        let mut place = 0;
        for (at, block) in blocks.iter_mut().enumerate() {
            self.before[at].numbers().for_each(|reg| touch(reg, place));
            for op in &mut block.ops {
                place += 1;
                op.regs(&mut |reg, _| touch(reg.at, place));
            }
            place += 1;
            self.behind(block).numbers().for_each(|reg| touch(reg, place));
            place += 1;
        }
        lives
    }
}

/// What is needed before a word, by what is needed behind it; says whether it is of any use.
fn ahead(op: &mut Op, needed: &mut Set) -> bool {
    let mut used = op.does_more();
    op.regs(&mut |reg, is_set| used |= is_set && needed.contains(reg.at));
    if used {
        // None is both set and read.
        op.regs(&mut |reg, is_set| {
            if is_set {
                needed.remove(reg.at);
            } else {
                needed.insert(reg.at);
            }
        });
    }
    used
}

/// The column of each register, and how many narrow and wide ones there are.
fn shared(lives: &[Option<(usize, usize)>], wide: &[bool]) -> (Vec<usize>, usize, usize) {
    let mut order: Vec<usize> = (0..lives.len()).filter(|reg| lives[*reg].is_some()).collect();
    order.sort_by_key(|reg| lives[*reg]);
    let mut columns = vec![0; lives.len()];
    // For each width: the columns that are taken, by until when; those that are free; how many there are.
    let mut widths = [(BTreeSet::new(), BTreeSet::new(), 0), (BTreeSet::new(), BTreeSet::new(), 0)];
    for reg in order {
        let Some((first, last)) = lives[reg] else { continue };
        let (taken, free, all) = &mut widths[usize::from(wide[reg])];
        while let Some((_, column)) = taken.first().copied().filter(|(until, _)| *until < first) {
            taken.pop_first();
            free.insert(column);
        }
        columns[reg] = free.pop_first().unwrap_or_else(|| {
            *all += 1;
            *all - 1
        });
        taken.insert((last, columns[reg]));
    }
    (columns, widths[0].2, widths[1].2)
}

#[cfg(test)]
mod tests;
