//! What a block works out twice it works out once, and what it has at hand it does not work out at all.
//!
//! In: blocks whose registers are values. Out: the same with other words, which leave the same numbers in all registers,
//! in lanes that count and in all others. Words that nothing comes of any more are left for `allocate` to drop.
//!
//! **Never:** what is proved of ranges, which holds only where lanes count.

use super::code::{Ask, Block, How, Next, Op, Reg, Source};
use smallvec::SmallVec;
use std::collections::BTreeMap;

/// Lets each block do without words that say what others have said. Registers lie below that.
pub(super) fn said_once(blocks: &mut [Block], regs: usize) {
    let mut once = Once { holds: vec![None; regs], ..Once::default() };
    for block in blocks {
        let many = block.ops.len();
        for op in std::mem::replace(&mut block.ops, Vec::with_capacity(many)) {
            once.word(op, &mut block.ops);
        }
        if let Next::Part(exits, _) = &mut block.next {
            exits.iter_mut().for_each(|(on, _)| once.read(on, None));
        }
        once.end();
    }
}

/// What is known in the middle of a block. Numbers are called by their positions.
#[derive(Default)]
struct Once {
    /// What each register holds, where it has been looked at.
    holds: Vec<Option<usize>>,
    looked_at: Vec<usize>,
    numbers: Vec<Number>,
    constants: BTreeMap<i64, usize>,
}

/// A number for each lane.
#[derive(Default)]
struct Number {
    /// Registers that have come to hold it, and may hold it still.
    holders: SmallVec<[Reg; 2]>,
    /// The position of the word that it comes from, and what that looked at.
    from: Option<(usize, Parts)>,
    /// Those that come from it first.
    makes: SmallVec<[usize; 4]>,
    constant: Option<i64>,
    /// Whether it is 0 or 1 in all lanes.
    is_flag: bool,
}

/// The numbers that a word looks at.
type Parts = SmallVec<[usize; 3]>;

impl Once {
    fn end(&mut self) {
        self.looked_at.drain(..).for_each(|reg| self.holds[reg] = None);
        self.numbers.clear();
        self.constants.clear();
    }

    /// What a register holds.
    fn held(&mut self, reg: Reg) -> usize {
        self.holds[reg.at].unwrap_or_else(|| self.make(reg, None, false))
    }

    /// A register holds a new number.
    fn make(&mut self, reg: Reg, from: Option<(usize, Parts)>, is_flag: bool) -> usize {
        let number = self.numbers.len();
        if let Some((_, parts)) = &from {
            self.numbers[parts[0]].makes.push(number);
        }
        self.numbers.push(Number { from, is_flag, ..Number::default() });
        self.lay(reg, number);
        number
    }

    fn lay(&mut self, reg: Reg, number: usize) {
        self.holds[reg.at] = Some(number);
        self.looked_at.push(reg.at);
        self.numbers[number].holders.push(reg);
    }

    fn constant(&mut self, constant: i64) -> usize {
        *self.constants.entry(constant).or_insert_with(|| {
            let is_flag = (0..=1).contains(&constant);
            self.numbers.push(Number { constant: Some(constant), is_flag, ..Number::default() });
            self.numbers.len() - 1
        })
    }

    fn part(&mut self, source: Source) -> usize {
        match source {
            Source::Reg(reg) => self.held(reg),
            Source::Constant(constant) => self.constant(constant),
        }
    }

    /// A register that holds a number, other than that one, which a word sets: none reads what it sets.
    fn holder(&self, number: usize, wide: bool, sets: Option<Reg>) -> Option<Reg> {
        let holds =
            |reg: &&Reg| reg.wide == wide && self.holds[reg.at] == Some(number) && Some(**reg) != sets;
        self.numbers[number].holders.iter().find(holds).copied()
    }

    /// Reads what a register holds from the first one that holds it, for a word that sets the other.
    fn read(&mut self, reg: &mut Reg, sets: Option<Reg>) {
        let number = self.held(*reg);
        *reg = self.holder(number, reg.wide, sets).unwrap_or(*reg);
    }

    /// Adds a word to those before it, or what says the same.
    fn word(&mut self, mut op: Op, ops: &mut Vec<Op>) {
        if let Op::Swap(to, from) = op {
            let number = self.held(from);
            self.lay(to, number);
            self.holds[from.at] = None;
            ops.push(op);
            return;
        }
        let Some((to, mut parts)) = self.parts(&op) else {
            self.dice(&mut op);
            ops.push(op);
            return;
        };
        self.shorten(&mut op, &mut parts, ops);
        let known = self.known(&op, &parts, ops).or_else(|| self.found(&op, &mut parts, ops));
        op.regs(&mut |reg, is_set| {
            if !is_set {
                self.read(reg, Some(to));
            }
        });
        match known {
            Some(number) => self.again(op, to, number, ops),
            None => {
                let is_flag = self.is_flag(&op, &parts);
                self.make(to, Some((ops.len(), parts)), is_flag);
                ops.push(op);
            }
        }
    }

    /// What a word looks at that always comes to the same, and the register that it sets; nothing for others.
    fn parts(&mut self, op: &Op) -> Option<(Reg, Parts)> {
        Some(match op {
            Op::Fill(to, value) if to.wide || i16::try_from(*value).is_ok() => {
                (*to, [self.constant(*value)].into_iter().collect())
            }
            Op::Copy(to, at) | Op::Steps(to, at, ..) | Op::Lookup(to, at, _) => {
                (*to, [self.held(*at)].into_iter().collect())
            }
            Op::Apply(_, to, left, right) => {
                (*to, [self.held(*left), self.part(*right)].into_iter().collect())
            }
            Op::Select(to, on, then, otherwise) => {
                (*to, [self.held(*on), self.part(*then), self.part(*otherwise)].into())
            }
            _ => return None,
        })
    }

    /// Words about dice: each time they come to something else.
    fn dice(&mut self, op: &mut Op) {
        if let Op::Roll(roll) = op {
            let is_one = roll.count == Source::Constant(1);
            if let Source::Reg(count) = &mut roll.count {
                self.read(count, roll.on);
            }
            for (to, ask) in &roll.asks {
                self.make(*to, None, is_one && matches!(ask, Ask::AtLeast(_) | Ask::Below(_)));
            }
            return;
        }
        let mut sets = None;
        op.regs(&mut |reg, is_set| sets = if is_set { Some(*reg) } else { sets });
        op.regs(&mut |reg, is_set| {
            if !is_set {
                self.read(reg, sets);
            }
        });
        sets.into_iter().for_each(|reg| _ = self.make(reg, None, false));
    }

    /// Lays a number that is known.
    fn again(&mut self, op: Op, to: Reg, number: usize, ops: &mut Vec<Op>) {
        if self.holds[to.at] == Some(number) {
            return;
        }
        let again = match self.source(number, to) {
            Some(Source::Constant(constant)) => Op::Fill(to, constant),
            Some(Source::Reg(holder)) => Op::Copy(to, holder),
            None => op,
        };
        ops.push(again);
        self.lay(to, number);
    }

    /// The word by which a number was made, if it looked at that first, and a constant.
    fn by(&self, number: usize, ops: &[Op]) -> Option<(How, usize, i64)> {
        let (at, parts) = self.numbers[number].from.as_ref()?;
        let Op::Apply(how, ..) = &ops[*at] else { return None };
        Some((*how, parts[0], self.numbers[parts[1]].constant?))
    }

    /// The flag that is 1 where this one is 0.
    fn negated(&self, number: usize, ops: &[Op]) -> Option<usize> {
        match self.by(number, ops)? {
            (How::From, flag, 1) if self.numbers[flag].is_flag => Some(flag),
            _ => None,
        }
    }

    /// A number as something to be read by a word that sets that register, if it still stands somewhere.
    fn source(&self, number: usize, to: Reg) -> Option<Source> {
        let constant = self.numbers[number].constant.map(Source::Constant);
        constant.or_else(|| self.holder(number, to.wide, Some(to)).map(Source::Reg))
    }

    /// Lets a word look at less.
    fn shorten(&mut self, op: &mut Op, parts: &mut Parts, ops: &[Op]) {
        self.subtract(op, parts, ops);
        match op {
            Op::Apply(how, _, left, right) => {
                if let Some(constant) = self.numbers[parts[1]].constant {
                    *right = Source::Constant(constant);
                    if self.numbers[parts[0]].is_flag && is_negation(*how, constant) && !left.wide {
                        (*how, *right, parts[1]) = (How::From, Source::Constant(1), self.constant(1));
                    }
                }
            }
            Op::Select(to, on, then, otherwise) => {
                if let Some(flag) = self.negated(parts[0], ops)
                    && let Some(holder) = self.holder(flag, false, Some(*to))
                {
                    (*on, parts[0]) = (holder, flag);
                    std::mem::swap(then, otherwise);
                    parts.swap(1, 2);
                }
                for (part, source) in [(1, then), (2, otherwise)] {
                    let inner = self.chosen(parts[part], parts[0], part, ops);
                    if let Some(found) = self.source(inner, *to) {
                        (*source, parts[part]) = (found, inner);
                    }
                }
            }
            _ => {}
        }
    }

    /// To add what is less than nothing by so much is to subtract that.
    fn subtract(&self, op: &mut Op, parts: &mut Parts, ops: &[Op]) {
        let Op::Apply(how @ How::Add, to, left, right) = op else { return };
        for [kept, other] in [[0, 1], [1, 0]] {
            if let Some((How::From, less, 0)) = self.by(parts[other], ops)
                && let Some(first) = self.holder(parts[kept], left.wide, Some(*to))
                && let Some(second) = self.holder(less, left.wide, Some(*to))
            {
                (*how, *left, *right) = (How::Subtract, first, Source::Reg(second));
                *parts = [parts[kept], less].into_iter().collect();
                return;
            }
        }
    }

    /// What a number is where a flag is 1, or 0: a part of it, if it was itself chosen by that flag.
    fn chosen(&self, number: usize, flag: usize, part: usize, ops: &[Op]) -> usize {
        match &self.numbers[number].from {
            Some((at, parts)) if matches!(ops[*at], Op::Select(..)) && parts[0] == flag => parts[part],
            _ => number,
        }
    }

    /// The number that a word comes to, if it is one of those that it looks at.
    fn known(&self, op: &Op, parts: &[usize], ops: &[Op]) -> Option<usize> {
        let first = &self.numbers[parts[0]];
        match op {
            Op::Fill(..) => Some(parts[0]),
            Op::Copy(to, from) if to.wide == from.wide => Some(parts[0]),
            Op::Apply(How::And | How::Or | How::Min | How::Max, ..) if parts[0] == parts[1] => Some(parts[0]),
            Op::Apply(How::From, _, _, Source::Constant(1)) => match self.by(parts[0], ops)? {
                (How::From, inner, 1) => Some(inner),
                _ => None,
            },
            Op::Apply(how, _, _, Source::Constant(constant)) if first.is_flag => {
                says_itself(*how, *constant).then_some(parts[0])
            }
            Op::Select(..) if parts[1] == parts[2] => Some(parts[1]),
            _ => None,
        }
    }

    /// The number that a word before it has come to that said the same.
    fn found(&self, op: &Op, parts: &mut Parts, ops: &[Op]) -> Option<usize> {
        if let Op::Apply(how, ..) = op
            && is_either_way(*how)
        {
            parts.sort_by_key(|part| (self.numbers[*part].constant.is_some(), *part));
        }
        let is_same = |number: &&usize| {
            let from = self.numbers[**number].from.as_ref();
            from.is_some_and(|(at, others)| others == parts && says_the_same(&ops[*at], op))
        };
        self.numbers[parts[0]].makes.iter().find(is_same).copied()
    }

    fn is_flag(&self, op: &Op, parts: &[usize]) -> bool {
        let flag = |part: usize| self.numbers[parts[part]].is_flag;
        match op {
            Op::Apply(how, ..) if how.is_test() => true,
            Op::Apply(How::And, ..) => flag(0) || flag(1),
            Op::Apply(How::Or, ..) => flag(0) && flag(1),
            Op::Apply(How::From, _, _, Source::Constant(1)) | Op::Copy(..) => flag(0),
            Op::Select(..) => flag(0) && flag(1) && flag(2),
            _ => false,
        }
    }
}

/// Whether what two words come to is the same, if they look at the same numbers.
fn says_the_same(one: &Op, other: &Op) -> bool {
    match (one, other) {
        (Op::Apply(how, to, ..), Op::Apply(how_else, to_else, ..)) => {
            how == how_else && to.wide == to_else.wide
        }
        (Op::Select(to, ..), Op::Select(to_else, ..)) | (Op::Copy(to, _), Op::Copy(to_else, _)) => {
            to.wide == to_else.wide
        }
        (Op::Steps(to, _, first, steps), Op::Steps(to_else, _, first_else, steps_else)) => {
            (to.wide, first, steps) == (to_else.wide, first_else, steps_else)
        }
        (Op::Lookup(to, _, table), Op::Lookup(to_else, _, table_else)) => {
            (to.wide, table) == (to_else.wide, table_else)
        }
        _ => false,
    }
}

/// Whether a flag that is tested so against a constant is itself what comes of it.
fn says_itself(how: How, constant: i64) -> bool {
    matches!((how, constant), (How::AtLeast | How::Equal, 1) | (How::More | How::Unequal, 0))
}

/// Whether a flag that is tested so against a constant is turned round by it.
fn is_negation(how: How, constant: i64) -> bool {
    matches!((how, constant), (How::Less | How::Unequal, 1) | (How::AtMost | How::Equal, 0))
}

fn is_either_way(how: How) -> bool {
    matches!(
        how,
        How::Add | How::Multiply | How::Min | How::Max | How::And | How::Or | How::Equal | How::Unequal
    )
}

#[cfg(test)]
mod tests;
