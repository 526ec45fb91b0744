//! A program means the same before and after its registers share columns: each number is known by how it came about.

use super::*;
use crate::kernel::code::{Digit, How, Source};
use crate::kernel::tests::Luck;
use std::collections::BTreeMap;

const REGS: u64 = 12;

/// A register with the width that goes with its number.
fn reg(at: u64) -> Reg {
    Reg { at: at as usize, wide: at % 4 == 3 }
}

fn any(luck: &mut Luck, wide: bool) -> Reg {
    loop {
        let one = reg(luck.below(REGS));
        if one.wide == wide {
            return one;
        }
    }
}

fn source(luck: &mut Luck, wide: bool) -> Source {
    if luck.below(3) == 0 { Source::Constant(luck.between(-9, 9)) } else { Source::Reg(any(luck, wide)) }
}

/// A word whose register is none of those that it reads; now and then with one that only it uses.
fn word(luck: &mut Luck, regs: &mut usize, ops: &mut Vec<Op>) {
    let to = reg(luck.below(REGS));
    let mut op = match luck.below(6) {
        0 => Op::Fill(to, luck.between(0, 1 << 30)),
        1 => Op::Copy(to, reg(luck.below(REGS))),
        2 => Op::Select(to, any(luck, false), source(luck, to.wide), source(luck, to.wide)),
        3 if !to.wide => {
            let left = reg(luck.below(REGS));
            Op::Apply(How::Less, to, left, source(luck, left.wide))
        }
        _ => Op::Apply(How::Add, to, any(luck, to.wide), source(luck, to.wide)),
    };
    let (mut reads, mut at) = (false, 0);
    op.regs(&mut |one, is_set| {
        reads |= !is_set && *one == to;
        at += 1;
    });
    if !reads {
        ops.push(op);
    } else if at > 0 {
        let between = Reg { at: *regs, wide: to.wide };
        *regs += 1;
        op.regs(&mut |one, is_set| {
            if is_set {
                *one = between;
            }
        });
        ops.extend([op, Op::Swap(to, between)]);
    }
}

fn program(luck: &mut Luck) -> (Vec<Block>, usize) {
    let (many, mut regs) = (luck.between(2, 7) as usize, REGS as usize);
    let mut blocks = Vec::new();
    for at in 0..many {
        let mut ops = Vec::new();
        if at == 0 {
            ops.extend((0..REGS).map(|at| Op::Fill(reg(at), -1 - at as i64)));
        }
        (0..luck.below(9)).for_each(|_| word(luck, &mut regs, &mut ops));
        let to = |luck: &mut Luck| luck.between(1, many as i64 - 1) as usize;
        let next = match luck.below(4) {
            _ if at == many - 1 => Next::Count,
            0 => Next::Go(at + 1),
            1 => Next::Part(vec![(any(luck, false), to(luck))], at + 1),
            _ => Next::Part(vec![(any(luck, false), to(luck)), (any(luck, false), at + 1)], to(luck)),
        };
        blocks.push(Block { ops, next, live: Vec::new() });
    }
    (blocks, regs)
}

/// How numbers came about, by where they lie.
type State = BTreeMap<Reg, u64>;

fn mix(sum: u64, more: u64) -> u64 {
    (sum ^ more).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23)
}

fn play(op: &mut Op, state: &mut State) {
    if let Op::Swap(to, from) = op {
        let (old, new) = (state.get(to).copied().unwrap_or(1), state.get(from).copied().unwrap_or(2));
        state.extend([(*to, new), (*from, old)]);
        return;
    }
    let mut how = match op {
        Op::Fill(_, value) => mix(10, *value as u64),
        Op::Copy(..) => 0,
        Op::Select(_, _, then, otherwise) => [then, otherwise].into_iter().fold(12, |how, side| match side {
            Source::Constant(value) => mix(how, *value as u64),
            Source::Reg(_) => mix(how, 99),
        }),
        Op::Apply(what, _, _, Source::Constant(value)) => mix(mix(13, *what as u64), *value as u64),
        Op::Apply(what, ..) => mix(14, *what as u64),
        _ => panic!("no such word is drawn"),
    };
    let is_copy = matches!(op, Op::Copy(..));
    op.regs(&mut |reg, is_set| {
        if is_set {
            state.insert(*reg, how);
        } else {
            let read = state.get(reg).copied().unwrap_or(3);
            how = if is_copy { read } else { mix(how, read) };
        }
    });
}

/// While a word is done, the column that it sets is not there to be read.
fn reads_what_it_sets(op: &mut Op) -> bool {
    let (mut read, mut set) = (Vec::new(), Vec::new());
    op.regs(&mut |reg, is_set| if is_set { set.push(*reg) } else { read.push(*reg) });
    set.iter().any(|reg| read.contains(reg))
}

#[test]
fn programs_mean_the_same_when_registers_share_columns() {
    let mut luck = Luck(6);
    let mut saved = 0;
    for round in 0..4_000 {
        let (blocks, regs) = program(&mut luck);
        let digit = Digit { what: None, low: 0, size: 2, maybe: false };
        let wanted = [reg(luck.below(REGS)), reg(luck.below(REGS))];
        let kind = KeyKind::Each(wanted.to_vec());
        let keys = vec![Key { kind, digits: vec![digit; 2] }];
        let number = (luck.below(2) == 0).then_some(Reg { at: regs, wide: false });
        let mut code = columns(blocks.clone(), keys, number, regs + 1);
        saved += regs + 1 - code.narrow - code.wide;
        for block in &mut code.blocks {
            assert!(!block.ops.iter_mut().any(reads_what_it_sets), "{round}");
        }
        let (mut before, mut after) = (State::new(), State::new());
        if let Some(number) = code.number {
            after.insert(number, 7);
        }
        let (mut blocks, mut at) = (blocks, 0);
        for _ in 0..40 {
            // a lane brings along what is said, and finds anything else changed
            let live = code.blocks[at].live.clone();
            after.iter_mut().filter(|(reg, _)| !live.contains(reg)).for_each(|(_, how)| *how = luck.0);
            blocks[at].ops.iter_mut().for_each(|op| play(op, &mut before));
            code.blocks[at].ops.iter_mut().for_each(|op| play(op, &mut after));
            at = match (&blocks[at].next, &code.blocks[at].next) {
                (Next::Go(to), Next::Go(same)) => {
                    assert_eq!(to, same);
                    *to
                }
                (Next::Part(exits, others), Next::Part(same, same_others)) => {
                    assert_eq!((exits.len(), others), (same.len(), same_others));
                    for ((on, to), (column, same)) in exits.iter().zip(same) {
                        assert_eq!((before[on], to), (after[column], same), "{round}");
                    }
                    let exits = exits.iter().map(|(_, to)| *to).chain([*others]);
                    luck.of(&exits.collect::<Vec<_>>())
                }
                (Next::Count, Next::Count) => {
                    let KeyKind::Each(found) = &code.keys[0].kind else { panic!("another key") };
                    assert_eq!(
                        wanted.map(|reg| before[&reg]).to_vec(),
                        found.iter().map(|reg| after[reg]).collect::<Vec<_>>()
                    );
                    assert!(code.number.is_none_or(|number| after[&number] == 7), "{round}");
                    break;
                }
                _ => panic!("another way"),
            };
        }
    }
    assert!(saved > 10_000, "{saved}");
}

#[test]
fn a_word_that_nobody_looks_at_is_left_out_and_dice_are_not() {
    let narrow = |at| Reg { at, wide: false };
    let ops = vec![
        Op::Fill(narrow(0), 1),
        Op::Copy(narrow(1), narrow(0)),
        Op::Die(narrow(2), Source::Constant(6), None),
    ];
    let keys = vec![Key { kind: KeyKind::Row(narrow(0), 2), digits: Vec::new() }];
    let code = columns(vec![Block { ops, next: Next::Count, live: Vec::new() }], keys, None, 3);
    let left = code.blocks[0].ops.iter().map(|op| matches!(op, Op::Die(..)));
    assert_eq!(left.collect::<Vec<_>>(), [false, true]);
}
