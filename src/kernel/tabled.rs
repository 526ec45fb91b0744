//! Programs with few states: what comes of each state by each way that dice can fall is worked out once, and looked up.
//!
//! In: a program, and how many entries its tables may have. Out: a program that takes the same words from the generators,
//! lane by lane, and whose lanes go the same ways. Its entries are worked out by the words of the first, so nothing is
//! known here of what they do. **Never:** trials that tell their dice.

mod write;

use super::batch::{BATCH, Batch};
use super::code::{Block, Code, Key, KeyKind, Next, Op, Reg, Roll, Source};
use super::words::{Ways, Words};
use crate::random::Streams;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// No tables have more entries than this.
pub(super) const MOST_ENTRIES: usize = 1 << 18;

/// Dice of a block that fall in more ways have no room in a narrow column.
const MOST_WAYS: usize = 1 << 16;

/// To count the ways that dice fall takes as long as so many words, or as to count so few keys.
const COUNTING: usize = 8;

/// The program by tables, if all its tables together have no more than so many entries; nothing, too, where it is as quick
/// without.
pub(super) fn tabled(code: &Code, most: usize) -> Option<Code> {
    let [Key { kind: KeyKind::Row(key, size), .. }] = code.keys[..] else { return None };
    let words: usize = code.blocks.iter().map(|block| block.ops.len()).sum();
    if code.blocks.len() <= 2 && words + size <= COUNTING {
        return None;
    }
    let ways = code.blocks.iter().map(ways).collect::<Option<Vec<usize>>>()?;
    if ways[0] > most {
        return None;
    }
    let stages = code.blocks.iter().zip(ways).map(|(block, ways)| Stage::new(block, ways, code.narrow));
    let stages: Vec<Stage> = stages.collect();
    let narrow = code.narrow + stages.iter().map(|stage| stage.draws.len()).max()?;
    let mut explorer = Explorer {
        code,
        batch: Batch::new(&Code { narrow, ..code.clone() }, Words::new(Streams::new(0, &[0; 32], 0))),
        found: code.blocks.iter().map(|block| States::new(block.live.len())).collect(),
        stages,
    };
    let tables = explorer.tables(most.min(MOST_ENTRIES))?;
    let keys = explorer.keys(key);
    explorer.write(&tables, &keys, size)
}

/// In how many ways all dice of a block fall; nothing where they are not all cut from words of which it is known how many
/// dice they are for, or where there are too many.
fn ways(block: &Block) -> Option<usize> {
    block.ops.iter().try_fold(1, |ways, op| match op {
        Op::Hand(_) | Op::Die(..) => None,
        op => Some(ways * draw(op)?.map_or(1, |draw| usize::from(draw.number)))
            .filter(|ways| *ways <= MOST_WAYS),
    })
}

/// In how many ways dice fall of the word that is taken here; none where none is; nothing where that is not known.
fn draw(op: &Op) -> Option<Option<Ways>> {
    match op {
        Op::Word(_, ways) => Some(Some(*ways)),
        Op::Roll(roll) if roll.word.is_none() && roll.cut.faces > 1 => {
            let Source::Constant(count) = roll.count else { return None };
            let count = usize::try_from(count).ok().filter(|count| (1..=roll.cut.dice).contains(count))?;
            Some(Some(roll.cut.ways[count]))
        }
        _ => Some(None),
    }
}

/// A block all whose dice are cut from words that are laid first.
struct Stage {
    ops: Vec<Op>,
    /// In how many ways the dice of each word can fall, and of all together.
    draws: Vec<Ways>,
    ways: usize,
    /// For each of these words, for each way of all together, the least with which dice fall this way.
    words: Vec<Vec<i16>>,
}

impl Stage {
    /// A block whose dice fall in so many ways. New registers begin there.
    fn new(block: &Block, ways: usize, narrow: usize) -> Self {
        let mut stage = Self { ops: Vec::new(), draws: Vec::new(), ways, words: Vec::new() };
        for op in &block.ops {
            let draw = draw(op).flatten();
            match (op, draw) {
                (Op::Roll(roll), Some(ways)) => {
                    let word = Reg { at: narrow + stage.draws.len(), wide: false };
                    let roll = Roll { word: Some(word), ..*roll.clone() };
                    stage.ops.extend([Op::Word(word, ways), Op::Roll(Box::new(roll))]);
                }
                _ => stage.ops.push(op.clone()),
            }
            stage.draws.extend(draw);
        }
        let mut behind = ways;
        for draw in &stage.draws {
            let ways = usize::from(draw.number);
            behind /= ways;
            let word = |way: usize| ((way / behind % ways) << 16).div_ceil(ways) as u16 as i16;
            stage.words.push((0..stage.ways).map(word).collect());
        }
        stage
    }
}

/// States in which lanes come to a block: the numbers in the columns that they bring along.
struct States {
    many: usize,
    columns: Vec<Vec<i64>>,
    by_print: HashMap<u64, usize, BuildHasherDefault<Print>>,
}

impl States {
    fn new(columns: usize) -> Self {
        Self { many: 0, columns: vec![Vec::new(); columns], by_print: HashMap::default() }
    }

    /// The number of a state; nothing where it cannot be told from another one by its print.
    fn number(&mut self, state: &[i64]) -> Option<usize> {
        const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
        let print = state
            .iter()
            .fold(0, |print: u64, one| (print.rotate_left(29) ^ *one as u64).wrapping_mul(GOLDEN));
        let number = *self.by_print.entry(print).or_insert(self.many);
        if number == self.many {
            self.many += 1;
            self.columns.iter_mut().zip(state).for_each(|(column, one)| column.push(*one));
        }
        self.columns.iter().zip(state).all(|(column, one)| column[number] == *one).then_some(number)
    }
}

/// A print is its own hash.
#[derive(Default)]
struct Print(u64);

impl Hasher for Print {
    fn write_u64(&mut self, print: u64) {
        self.0 = print ^ print >> 32;
    }

    fn write(&mut self, _: &[u8]) {}

    fn finish(&self) -> u64 {
        self.0
    }
}

/// For each state, for each way, the block that follows and the number of the state there.
type Table = Vec<(usize, usize)>;

struct Explorer<'c> {
    code: &'c Code,
    stages: Vec<Stage>,
    batch: Batch,
    found: Vec<States>,
}

impl Explorer<'_> {
    /// The tables of all blocks but the last.
    fn tables(&mut self, most: usize) -> Option<Vec<Table>> {
        let last = self.stages.len() - 1;
        let mut tables: Vec<Table> = vec![Vec::new(); last];
        // Of what a trial begins with nothing counts, even where a word reads it.
        let nothing = vec![0; self.code.blocks[0].live.len()];
        self.found[0].number(&nothing)?;
        loop {
            let entries = |at: usize| self.found[at].many * self.stages[at].ways;
            if (0..last).map(entries).sum::<usize>() > most {
                return None;
            }
            let Some(at) = (0..last).find(|at| tables[*at].len() < entries(*at)) else { return Some(tables) };
            let first = tables[at].len();
            self.play(at, first, BATCH.min(entries(at) - first));
            self.follow(at, &mut tables[at])?;
        }
    }

    /// Plays a block for so many entries of its table, from the first.
    fn play(&mut self, at: usize, first: usize, lanes: usize) {
        let stage = &self.stages[at];
        self.batch.lanes = lanes;
        let entries = || (first..first + lanes).map(|entry| (entry / stage.ways, entry % stage.ways));
        let (states, ways): (Vec<usize>, Vec<usize>) = entries().unzip();
        for (column, reg) in self.found[at].columns.iter().zip(&self.code.blocks[at].live) {
            self.batch.lay(*reg, states.iter().map(|state| column[*state]));
        }
        let mut words = stage.words.iter();
        for op in &stage.ops {
            match (op, words.as_slice().first()) {
                (Op::Word(to, _), Some(column)) => {
                    words.next();
                    self.batch.lay(*to, ways.iter().map(|way| column[*way].into()));
                }
                _ => self.batch.op(op, self.code),
            }
        }
    }

    /// Notes where the lanes go on, and in which states.
    fn follow(&mut self, at: usize, table: &mut Table) -> Option<()> {
        let mut state = Vec::new();
        for lane in 0..self.batch.lanes {
            let to = match &self.code.blocks[at].next {
                Next::Count => return None,
                Next::Go(to) => *to,
                Next::Part(exits, others) => {
                    let exit = exits.iter().find(|(on, _)| self.batch.at(*on, lane) != 0);
                    exit.map_or(*others, |(_, to)| *to)
                }
            };
            state.clear();
            state.extend(self.code.blocks[to].live.iter().map(|reg| self.batch.at(*reg, lane)));
            table.push((to, self.found[to].number(&state)?));
        }
        Some(())
    }

    /// The key of each state of the last block.
    fn keys(&mut self, key: Reg) -> Vec<usize> {
        let (last, mut keys) = (self.stages.len() - 1, Vec::new());
        while keys.len() < self.found[last].many {
            let lanes = BATCH.min(self.found[last].many - keys.len());
            self.play(last, keys.len(), lanes);
            keys.extend((0..lanes).map(|lane| self.batch.at(key, lane) as usize));
        }
        keys
    }
}

#[cfg(test)]
mod tests;
