use super::*;
use crate::kernel::tests::Luck;

const REGS: usize = 12;

/// The first registers are narrow, the others wide.
const NARROW: usize = 8;

fn reg(at: usize) -> Reg {
    Reg { at, wide: at >= NARROW }
}

/// What the words do, one after another, for one lane.
fn run(ops: &[Op], regs: &mut [i64]) {
    let read = |regs: &[i64], source: Source| match source {
        Source::Reg(reg) => regs[reg.at],
        Source::Constant(constant) => constant,
    };
    for op in ops {
        let (to, value) = match op {
            Op::Swap(to, from) => {
                regs[to.at] = regs[from.at];
                regs[from.at] = 77;
                continue;
            }
            Op::Fill(to, value) => (to, *value),
            Op::Copy(to, from) => (to, regs[from.at]),
            Op::Apply(how, to, left, right) => (to, apply(*how, regs[left.at], read(regs, *right))),
            Op::Select(to, on, then, otherwise) => {
                let mask = -regs[on.at];
                (to, read(regs, *then) & mask | read(regs, *otherwise) & !mask)
            }
            Op::Steps(to, at, first, steps) => {
                let reached = steps.iter().filter(|(from, _)| i64::from(*from) <= regs[at.at]);
                (to, first + reached.map(|(_, step)| step).sum::<i64>())
            }
            Op::Lookup(to, at, table) => (to, table[regs[at.at].rem_euclid(table.len() as i64) as usize]),
            _ => unreachable!("dice"),
        };
        regs[to.at] = if to.wide { value } else { i64::from(value as i16) };
    }
}

fn apply(how: How, left: i64, right: i64) -> i64 {
    match how {
        How::Add => left.wrapping_add(right),
        How::Subtract => left.wrapping_sub(right),
        How::From => right.wrapping_sub(left),
        How::Multiply => left.wrapping_mul(right),
        How::DivideDown | How::DivideUp => left.wrapping_div(if right == 0 { 1 } else { right }),
        How::Min => left.min(right),
        How::Max => left.max(right),
        How::And => left & right,
        How::Or => left | right,
        How::Less => (left < right).into(),
        How::AtMost => (left <= right).into(),
        How::More => (left > right).into(),
        How::AtLeast => (left >= right).into(),
        How::Equal => (left == right).into(),
        How::Unequal => (left != right).into(),
    }
}

/// A word at random that does not read the register that it sets.
fn word(luck: &mut Luck) -> Op {
    use How::*;
    let hows =
        [Add, Subtract, From, Multiply, Min, Max, And, Or, Less, AtMost, More, AtLeast, Equal, Unequal];
    loop {
        let to = reg(luck.below(REGS as u64) as usize);
        let any = |luck: &mut Luck, wide: bool| {
            let (first, many) = if wide { (NARROW, REGS - NARROW) } else { (0, NARROW) };
            reg(first + luck.below(many as u64) as usize)
        };
        let source = |luck: &mut Luck, wide: bool| match luck.below(3) {
            0 => Source::Constant(luck.between(-1, 2)),
            _ => Source::Reg(any(luck, wide)),
        };
        let mut op = match luck.below(12) {
            0 => Op::Fill(to, luck.between(-1, 2)),
            1 => Op::Copy(to, reg(luck.below(REGS as u64) as usize)),
            2 => Op::Swap(to, any(luck, to.wide)),
            3 => Op::Steps(to, any(luck, false), 0, vec![(1, 1), (2, luck.between(-1, 1))]),
            4 => Op::Lookup(to, any(luck, false), vec![0, 1, luck.between(1, 2)]),
            5..=7 => Op::Select(to, any(luck, false), source(luck, to.wide), source(luck, to.wide)),
            _ => {
                let how = luck.of(&hows);
                let wide = if how.is_test() && !to.wide { luck.below(4) == 0 } else { to.wide };
                Op::Apply(how, to, any(luck, wide), source(luck, wide))
            }
        };
        let is_test = matches!(&op, Op::Apply(how, ..) if how.is_test());
        if !(reads_what_it_sets(&mut op) || is_test && to.wide) {
            return op;
        }
    }
}

fn reads_what_it_sets(op: &mut Op) -> bool {
    let (mut read, mut set) = (Vec::new(), Vec::new());
    op.regs(&mut |reg, is_set| if is_set { set.push(*reg) } else { read.push(*reg) });
    read.iter().any(|reg| set.contains(reg))
}

#[test]
fn all_registers_hold_what_they_would_without_it() {
    let (mut luck, mut before, mut after) = (Luck(11), 0, 0);
    for _ in 0..20_000 {
        let ops: Vec<Op> = (0..luck.between(2, 30)).map(|_| word(&mut luck)).collect();
        let on = reg(luck.below(NARROW as u64) as usize);
        let next = Next::Part(vec![(on, 0)], 1);
        let mut blocks = [Block { ops: ops.clone(), next, live: Vec::new() }];
        said_once(&mut blocks, REGS);
        assert!(!blocks[0].ops.iter_mut().any(reads_what_it_sets), "{ops:?}\n{:?}", blocks[0].ops);
        let working = |ops: &[Op]| ops.iter().filter(|op| !matches!(op, Op::Copy(..) | Op::Fill(..))).count();
        (before, after) = (before + working(&ops), after + working(&blocks[0].ops));
        let start: Vec<i64> = (0..REGS).map(|_| luck.between(-2, 3)).collect();
        let (mut plainly, mut once) = (start.clone(), start);
        run(&ops, &mut plainly);
        run(&blocks[0].ops, &mut once);
        assert_eq!(plainly, once, "{ops:?}\n{:?}", blocks[0].ops);
        let Next::Part(exits, _) = &blocks[0].next else { unreachable!() };
        assert_eq!(plainly[on.at], once[exits[0].0.at]);
    }
    assert!(after * 20 < before * 19, "{before} {after}");
}

/// The words of a block without those that say nothing new.
fn shortened(ops: Vec<Op>) -> String {
    let mut blocks = [Block { ops, next: Next::Count, live: Vec::new() }];
    said_once(&mut blocks, REGS);
    format!("{:?}", blocks[0].ops)
}

#[test]
fn what_is_known_is_not_worked_out_again() {
    let constant = Source::Constant;
    let less = |to| Op::Apply(How::Less, reg(to), reg(0), constant(3));
    let same = |one: Vec<Op>, other: Vec<Op>| assert_eq!(shortened(one), format!("{other:?}"));
    // twice the same, and in turned order
    same(vec![less(1), less(2)], vec![less(1), Op::Copy(reg(2), reg(1))]);
    let add = |to, left, right| Op::Apply(How::Add, reg(to), reg(left), Source::Reg(reg(right)));
    same(vec![add(2, 0, 1), add(3, 1, 0)], vec![add(2, 0, 1), Op::Copy(reg(3), reg(2))]);
    // not the same any more, once a register has been set anew
    let changed = vec![less(1), Op::Fill(reg(0), 7), less(2)];
    assert!(shortened(changed).contains("Apply(Less, Reg { at: 2, wide: false }"));
    // a flag against 1 and 0
    let against = |how, number| vec![less(1), Op::Apply(how, reg(2), reg(1), constant(number))];
    same(against(How::AtLeast, 1), vec![less(1), Op::Copy(reg(2), reg(1))]);
    same(against(How::AtMost, 0), against(How::From, 1));
    // a number that is no flag is left alone
    let number = vec![Op::Apply(How::AtLeast, reg(2), reg(1), constant(1))];
    same(number.clone(), number);
    // chosen twice by the same flag
    let select =
        |to, then, otherwise| Op::Select(reg(to), reg(0), constant(then), Source::Reg(reg(otherwise)));
    same(vec![select(2, 5, 1), select(3, 6, 2)], vec![select(2, 5, 1), select(3, 6, 1)]);
    // to add a negative is to subtract
    let negative = Op::Apply(How::From, reg(2), reg(1), constant(0));
    let subtract = Op::Apply(How::Subtract, reg(3), reg(0), Source::Reg(reg(1)));
    same(vec![negative.clone(), add(3, 0, 2)], vec![negative, subtract]);
}
