//! A program of tables.
//!
//! In: what follows upon what. Out: a program with one column for states. All states are numbered through, those of the
//! last block by their keys. **Never:** what a state is.

use super::{Explorer, Table};
use crate::kernel::code::{Block, Code, Follow, How, Key, KeyKind, Next, Op, Reg, Source};
use crate::kernel::vector::TABLES;
use std::ops::Range;

/// More states than this have no room in a narrow column.
const MOST_STATES: usize = i16::MAX as usize;

/// Up to so many ways that dice fall are counted one by one.
const MOST_COUNTED: usize = 1 << 12;

const STATE: Reg = Reg { at: 0, wide: false };
const WAY: Reg = Reg { at: 1, wide: false };
const NEXT: Reg = Reg { at: 2, wide: false };
/// Where flags begin.
const FLAGS: usize = 3;

impl Explorer<'_> {
    /// The program, with so many keys; nothing where there are too many states.
    pub(super) fn write(&self, tables: &[Table], keys: &[usize], size: usize) -> Option<Code> {
        let mut all = size;
        let mut numbers: Vec<Range<usize>> = Vec::new();
        for states in &self.found[..tables.len()] {
            numbers.push(all..all + states.many);
            all += states.many;
        }
        numbers.push(0..size);
        if all > MOST_STATES {
            return None;
        }
        let number = |(to, state): &(usize, usize)| match keys.get(*state) {
            Some(key) if *to == tables.len() => *key as u16,
            _ => (numbers[*to].start + state) as u16,
        };
        let tables = tables.iter().map(|table| table.iter().map(number).collect());
        let mut tables: Vec<Vec<u16>> = tables.collect();
        let only = tables.len() == 1 && (2..=MOST_COUNTED).contains(&tables[0].len());
        if only && let Some(keys) = tables.pop() {
            let ops = vec![Op::Fall(WAY, self.stages[0].draws.clone())];
            let blocks = vec![Block { ops, next: Next::Go(1), live: Vec::new() }, last(WAY)];
            return Some(self.program(blocks, KeyKind::Told(WAY, keys)));
        }
        let blocks = tables.into_iter().enumerate().map(|(at, table)| self.block(at, table, &numbers));
        let blocks = blocks.chain([last(STATE)]).collect();
        Some(self.program(blocks, KeyKind::Row(STATE, size)))
    }

    fn program(&self, blocks: Vec<Block>, kind: KeyKind) -> Code {
        let exits =
            blocks.iter().map(|block| if let Next::Part(exits, _) = &block.next { exits.len() } else { 0 });
        let narrow = FLAGS + 3 * exits.max().unwrap_or(0);
        let keys = vec![Key { kind, ..self.code.keys[0].clone() }];
        Code { blocks, narrow, wide: 0, keys, ..self.code.clone() }
    }

    fn block(&self, at: usize, mut table: Vec<u16>, numbers: &[Range<usize>]) -> Block {
        let stage = &self.stages[at];
        let mut ops = Vec::new();
        if let [only] = table[..] {
            ops.push(Op::Fill(STATE, only.into()));
        } else {
            let way = (stage.ways > 1).then_some(WAY);
            ops.extend(way.map(|way| Op::Fall(way, stage.draws.clone())));
            ops.extend((at == 0).then_some(Op::Fill(STATE, numbers[0].start as i64)));
            let size = TABLES.into_iter().find(|size| table.len() <= *size);
            table.resize(size.unwrap_or_default(), 0);
            let follow = Follow { first: numbers[at].start as u16, way, ways: stage.ways, table };
            ops.extend([Op::Follow(NEXT, STATE, Box::new(follow)), Op::Swap(STATE, NEXT)]);
        }
        let next = match &self.code.blocks[at].next {
            Next::Part(exits, others) => {
                let exits = exits.iter().enumerate();
                let exits = exits
                    .map(|(exit, (_, to))| (among(&numbers[*to], numbers, FLAGS + 3 * exit, &mut ops), *to));
                Next::Part(exits.collect(), *others)
            }
            next => next.clone(),
        };
        Block { ops, next, live: if at > 0 { vec![STATE] } else { Vec::new() } }
    }
}

fn last(reg: Reg) -> Block {
    Block { ops: Vec::new(), next: Next::Count, live: vec![reg] }
}

/// Flags the lanes whose state is among some; in one of three registers.
fn among(states: &Range<usize>, all: &[Range<usize>], first: usize, ops: &mut Vec<Op>) -> Reg {
    let [from, to, both] = [0, 1, 2].map(|at| Reg { at: first + at, wide: false });
    let ends = all.iter().all(|others| others.end <= states.end);
    if states.start > 0 || ends {
        ops.push(Op::Apply(How::AtLeast, from, STATE, Source::Constant(states.start as i64)));
    }
    if ends {
        return from;
    }
    ops.push(Op::Apply(How::Less, to, STATE, Source::Constant(states.end as i64)));
    if states.start == 0 {
        return to;
    }
    ops.push(Op::Apply(How::And, both, from, Source::Reg(to)));
    both
}
