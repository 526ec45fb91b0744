//! A batch of lanes: its columns and hands, and how each word of a program changes them.
//!
//! In: words. Out: columns. **Never:** which lanes come next.

use super::code::{Code, Follow, How, Op, Reg, Roll, Source};
use super::hand::{Act, Deed, Die, Lane};
use super::vector::{self, SPAN, Side};
use super::words::{Count, Falling, GROUP, Group, Ways, Words};
use crate::random::{Recorder, Source as _};

/// How many lanes are played at once.
pub(super) const BATCH: usize = 1_024;

/// So many dice with up to a thousand faces add up to no more than a narrow number.
const MOST_ADDED: usize = 32;

/// The dice that each trial of a chunk used: faces, and the one that was shown.
pub(super) type Log = Vec<super::Dice>;

#[derive(Debug)]
pub(super) struct Batch {
    pub(super) narrow: Vec<Vec<i16>>,
    pub(super) wide: Vec<Vec<i64>>,
    /// For each heap, the dice of each lane.
    pub(super) hands: Vec<Vec<Vec<Die>>>,
    /// How many lanes are in play.
    pub(super) lanes: usize,
    pub(super) words: Words,
    /// By the number of the trial, where somebody wants to know.
    pub(super) log: Option<Log>,
    /// Columns of answers while dice fall.
    answers: Vec<Vec<i16>>,
}

impl Batch {
    pub(super) fn new(code: &Code, words: Words) -> Self {
        let mut hands = vec![Vec::new(); code.heaps];
        code.hands.iter().for_each(|hand| hands[*hand] = vec![Vec::new(); BATCH]);
        Self {
            narrow: vec![vec![0; BATCH]; code.narrow],
            wide: vec![vec![0; BATCH]; code.wide],
            hands,
            lanes: 0,
            words,
            log: None,
            answers: Vec::new(),
        }
    }

    /// How far columns are set.
    #[inline(always)]
    fn padded(&self) -> usize {
        self.lanes.next_multiple_of(SPAN)
    }

    #[inline(always)]
    pub(super) fn op(&mut self, op: &Op, code: &Code) {
        let n = self.padded();
        match op {
            Op::Fill(to, value) if to.wide => self.wide[to.at][..n].fill(*value),
            Op::Fill(to, value) => self.narrow[to.at][..n].fill(*value as i16),
            Op::Copy(to, from) => self.copy(*to, *from),
            Op::Swap(to, from) if to.wide => self.wide.swap(to.at, from.at),
            Op::Swap(to, from) => self.narrow.swap(to.at, from.at),
            Op::Apply(how, to, left, right) => self.apply(*how, *to, *left, *right),
            Op::Select(to, on, then, otherwise) => self.select(*to, *on, *then, *otherwise),
            Op::Steps(to, at, first, steps) if to.wide => {
                vector::steps(&mut self.wide[to.at][..n], &self.narrow[at.at][..n], *first, steps);
            }
            Op::Steps(to, at, first, steps) => {
                let mut column = std::mem::take(&mut self.narrow[to.at]);
                vector::steps(&mut column[..n], &self.narrow[at.at][..n], *first, steps);
                self.narrow[to.at] = column;
            }
            Op::Lookup(to, at, table) if to.wide => {
                vector::lookup(&mut self.wide[to.at][..n], &self.narrow[at.at][..n], table);
            }
            Op::Lookup(to, at, table) => {
                let mut column = std::mem::take(&mut self.narrow[to.at]);
                vector::lookup(&mut column[..n], &self.narrow[at.at][..n], table);
                self.narrow[to.at] = column;
            }
            Op::Word(to, ways) => {
                for group in 0..self.lanes.div_ceil(GROUP) {
                    self.words.lay(*ways, &mut self.narrow[to.at].as_chunks_mut().0[group]);
                }
            }
            Op::Fall(to, draws) => self.ways(*to, draws),
            Op::Follow(to, from, follow) => self.follow(*to, *from, follow),
            Op::Roll(roll) => self.roll(roll, code),
            Op::Die(to, faces, on) => self.die(*to, *faces, *on, code),
            Op::Hand(deed) => self.deed(deed, code),
        }
    }

    // A column is taken out while it is set, so that the others can be read; no word reads the column that it sets.

    #[inline(always)]
    fn apply(&mut self, how: How, to: Reg, left: Reg, right: Source) {
        let n = self.padded();
        if to.wide {
            let mut column = std::mem::take(&mut self.wide[to.at]);
            vector::reckon(how, &mut column[..n], &self.wide[left.at][..n], self.wide_side(right));
            self.wide[to.at] = column;
            return;
        }
        let mut column = std::mem::take(&mut self.narrow[to.at]);
        if left.wide {
            vector::test(how, &mut column[..n], &self.wide[left.at][..n], self.wide_side(right));
        } else {
            let (left, right) = (&self.narrow[left.at][..n], self.narrow_side(right));
            if !vector::test(how, &mut column[..n], left, right) {
                vector::reckon(how, &mut column[..n], left, right);
            }
        }
        self.narrow[to.at] = column;
    }

    #[inline(always)]
    fn select(&mut self, to: Reg, on: Reg, then: Source, otherwise: Source) {
        let n = self.padded();
        if to.wide {
            let mut column = std::mem::take(&mut self.wide[to.at]);
            let on = &self.narrow[on.at][..n];
            vector::select(&mut column[..n], on, self.wide_side(then), self.wide_side(otherwise));
            self.wide[to.at] = column;
        } else {
            let mut column = std::mem::take(&mut self.narrow[to.at]);
            let on = &self.narrow[on.at][..n];
            vector::select(&mut column[..n], on, self.narrow_side(then), self.narrow_side(otherwise));
            self.narrow[to.at] = column;
        }
    }

    #[inline(always)]
    fn ways(&mut self, to: Reg, draws: &[Ways]) {
        let groups = self.lanes.div_ceil(GROUP);
        let column = self.narrow[to.at].as_chunks_mut().0;
        for (number, draw) in draws.iter().enumerate() {
            for group in &mut column[..groups] {
                self.words.fall(*draw, number == 0, group);
            }
        }
    }

    #[inline(always)]
    fn follow(&mut self, to: Reg, from: Reg, follow: &Follow) {
        let n = self.padded();
        let mut column = std::mem::take(&mut self.narrow[to.at]);
        let from = &self.narrow[from.at][..n];
        let way = follow.way.map(|way| &self.narrow[way.at][..n]);
        vector::follow(&mut column[..n], from, way, follow);
        self.narrow[to.at] = column;
    }

    #[inline(always)]
    fn narrow_side(&self, source: Source) -> Side<'_, i16> {
        match source {
            Source::Constant(value) => Side::Constant(value as i16),
            Source::Reg(reg) => Side::Column(&self.narrow[reg.at][..self.padded()]),
        }
    }

    #[inline(always)]
    fn wide_side(&self, source: Source) -> Side<'_, i64> {
        match source {
            Source::Constant(value) => Side::Constant(value),
            Source::Reg(reg) => Side::Column(&self.wide[reg.at][..self.padded()]),
        }
    }

    #[inline(always)]
    fn copy(&mut self, to: Reg, from: Reg) {
        let n = self.padded();
        match (to.wide, from.wide) {
            (false, false) => {
                let mut column = std::mem::take(&mut self.narrow[to.at]);
                column[..n].copy_from_slice(&self.narrow[from.at][..n]);
                self.narrow[to.at] = column;
            }
            (true, true) => {
                let mut column = std::mem::take(&mut self.wide[to.at]);
                column[..n].copy_from_slice(&self.wide[from.at][..n]);
                self.wide[to.at] = column;
            }
            (true, false) => {
                for (to, from) in self.wide[to.at][..n].iter_mut().zip(&self.narrow[from.at][..n]) {
                    *to = (*from).into();
                }
            }
            (false, true) => {
                for (to, from) in self.narrow[to.at][..n].iter_mut().zip(&self.wide[from.at][..n]) {
                    *to = *from as i16;
                }
            }
        }
    }

    #[inline(always)]
    fn roll(&mut self, roll: &Roll, code: &Code) {
        let counts = self.counts(roll.count);
        let mut answers = std::mem::take(&mut self.answers);
        answers.clear();
        answers.extend(
            roll.asks.iter().map(|(to, _)| {
                if to.wide { vec![0; BATCH] } else { std::mem::take(&mut self.narrow[to.at]) }
            }),
        );
        for group in 0..self.lanes.div_ceil(GROUP) {
            match roll.count {
                Source::Constant(count) => {
                    let count = Count::Same(usize::try_from(count).unwrap_or(0));
                    self.roll_group(roll, group, count, &mut answers, code);
                }
                Source::Reg(_) => {
                    let count = Count::Each(&counts.as_chunks().0[group]);
                    self.roll_group(roll, group, count, &mut answers, code);
                }
            }
        }
        for ((to, _), answer) in roll.asks.iter().zip(answers.drain(..)) {
            if !to.wide {
                self.narrow[to.at] = answer;
            }
        }
        self.answers = answers;
        if let Source::Reg(reg) = roll.count
            && !reg.wide
        {
            self.narrow[reg.at] = counts;
        }
    }

    /// How many dice each lane rolls; none where there is no lane. A narrow column is taken out.
    #[inline(always)]
    fn counts(&mut self, count: Source) -> Vec<i16> {
        let mut counts = match count {
            Source::Constant(_) => return Vec::new(),
            Source::Reg(reg) if reg.wide => {
                self.wide[reg.at].iter().map(|count| (*count).clamp(0, i16::MAX.into()) as i16).collect()
            }
            Source::Reg(reg) => std::mem::take(&mut self.narrow[reg.at]),
        };
        counts[self.lanes..].fill(0);
        counts
    }

    #[inline(always)]
    fn roll_group(&mut self, roll: &Roll, group: usize, count: Count, answers: &mut [Vec<i16>], code: &Code) {
        let first = group * GROUP;
        let lanes = GROUP.min(self.lanes - first);
        for ((to, _), answers) in roll.asks.iter().zip(answers.iter_mut()) {
            answers.as_chunks_mut::<GROUP>().0[group].fill(0);
            if to.wide {
                self.wide[to.at][first..first + lanes].fill(0);
            }
        }
        let is_wide = roll.asks.iter().any(|(to, _)| to.wide);
        let most = count.most();
        let span = if is_wide { MOST_ADDED } else { most.max(1) };
        for first in (0..most).step_by(span) {
            let dice = first..most.min(first + span);
            let falling = Falling { cut: &roll.cut, asks: &roll.asks, count, dice };
            if self.log.is_some() {
                self.roll_and_tell(roll, &falling, answers, group, code);
            } else if let Some(word) = roll.word {
                falling.cut_from(&mut self.narrow[word.at].as_chunks_mut().0[group], answers, group, None);
            } else {
                self.words.roll(&falling, answers, group, None);
            }
            if is_wide {
                carry(roll, answers, &mut self.wide, group);
            }
        }
    }

    /// Rolls, and writes down what falls in each lane.
    fn roll_and_tell(
        &mut self,
        roll: &Roll,
        falling: &Falling,
        answers: &mut [Vec<i16>],
        group: usize,
        code: &Code,
    ) {
        let first = group * GROUP;
        let lanes = first..self.lanes.min(first + GROUP);
        let mut column = roll.word.map(|word| std::mem::take(&mut self.narrow[word.at]));
        let (narrow, log) = (&self.narrow, &mut self.log);
        let numbers = code.number.map(|reg| &narrow[reg.at][lanes]).unwrap_or_default();
        let on = |lane: usize| roll.on.is_none_or(|on| narrow[on.at][first + lane] != 0);
        let mut listener = |die: usize, shown: &Group| {
            for (lane, number) in numbers.iter().enumerate() {
                if die < falling.count.of(lane) && on(lane) {
                    let rolled = roll.die(shown[lane]);
                    log.iter_mut().for_each(|log| log[usize::from(*number as u16)].push(rolled));
                }
            }
        };
        match &mut column {
            None => self.words.roll(falling, answers, group, Some(&mut listener)),
            Some(column) => {
                falling.cut_from(&mut column.as_chunks_mut().0[group], answers, group, Some(&mut listener));
            }
        }
        if let (Some(word), Some(column)) = (roll.word, column) {
            self.narrow[word.at] = column;
        }
    }

    fn number(&self, lane: usize, code: &Code) -> usize {
        code.number.map_or(0, |reg| usize::from(self.narrow[reg.at][lane] as u16))
    }

    pub(super) fn at(&self, reg: Reg, lane: usize) -> i64 {
        if reg.wide { self.wide[reg.at][lane] } else { self.narrow[reg.at][lane].into() }
    }

    /// Lays a column of numbers.
    pub(super) fn lay(&mut self, reg: Reg, numbers: impl Iterator<Item = i64>) {
        if reg.wide {
            self.wide[reg.at].iter_mut().zip(numbers).for_each(|(to, number)| *to = number);
        } else {
            self.narrow[reg.at].iter_mut().zip(numbers).for_each(|(to, number)| *to = number as i16);
        }
    }

    fn put(&mut self, reg: Reg, lane: usize, value: i64) {
        if reg.wide {
            self.wide[reg.at][lane] = value;
        } else {
            self.narrow[reg.at][lane] = value as i16;
        }
    }

    fn is_on(&self, on: Option<Reg>, lane: usize) -> bool {
        on.is_none_or(|on| self.narrow[on.at][lane] != 0)
    }

    // Where a word does not count it sets 0, so that a flag is one in all lanes.

    fn die(&mut self, to: Reg, faces: Source, on: Option<Reg>, code: &Code) {
        for lane in 0..self.lanes {
            if !self.is_on(on, lane) {
                self.put(to, lane, 0);
                continue;
            }
            let faces = match faces {
                Source::Constant(faces) => faces,
                Source::Reg(reg) => self.at(reg, lane),
            };
            let faces = faces.clamp(1, u32::MAX.into()) as u32;
            let face = self.words.die(faces);
            self.put(to, lane, face.into());
            let number = self.number(lane, code);
            if let Some(log) = &mut self.log {
                log[number].push((faces, face));
            }
        }
    }

    fn deed(&mut self, deed: &Deed, code: &Code) {
        let mut operands = Vec::with_capacity(deed.operands.len());
        let mut hands: Vec<Vec<Die>> = vec![Vec::new(); self.hands.len()];
        for lane in 0..self.lanes {
            if !self.is_on(deed.on, lane) {
                deed.sets().into_iter().for_each(|to| self.put(to, lane, 0));
                continue;
            }
            operands.clear();
            operands.extend(deed.operands.iter().map(|reg| self.at(*reg, lane)));
            code.hands
                .iter()
                .for_each(|hand| std::mem::swap(&mut self.hands[*hand][lane], &mut hands[*hand]));
            let mut here = Lane { hands: &mut hands, operands: &operands, own: &code.own };
            let number = self.number(lane, code);
            match &deed.act {
                Act::Keep(heap, dice, endless, player) => {
                    let is_endless = match &mut self.log {
                        None => here.keep(*heap, dice, player.as_ref(), &mut self.words),
                        Some(log) => {
                            let rolled = std::mem::take(&mut log[number]);
                            let mut recorder = Recorder { source: &mut self.words, rolled };
                            let is_endless = here.keep(*heap, dice, player.as_ref(), &mut recorder);
                            log[number] = recorder.rolled;
                            is_endless
                        }
                    };
                    if let Some(endless) = endless {
                        self.put(*endless, lane, is_endless.into());
                    }
                }
                Act::SetItem(heap, number, value) => here.set_item(*heap, number, value),
                Act::Ask(to, heap, asked) => {
                    let answer = here.ask(*heap, asked);
                    self.put(*to, lane, answer);
                }
                Act::Choose(to, player, options) => {
                    let option = here.choose(player, options);
                    self.put(*to, lane, option);
                }
            }
            code.hands
                .iter()
                .for_each(|hand| std::mem::swap(&mut self.hands[*hand][lane], &mut hands[*hand]));
        }
    }
}

/// Moves answers that may get too large on to their wide columns.
fn carry(roll: &Roll, answers: &mut [Vec<i16>], wide: &mut [Vec<i64>], group: usize) {
    for ((to, _), answers) in roll.asks.iter().zip(answers) {
        if to.wide {
            let columns = wide[to.at][group * GROUP..].iter_mut();
            for (to, answer) in columns.zip(&mut answers.as_chunks_mut::<GROUP>().0[group]) {
                *to += i64::from(std::mem::take(answer));
            }
        }
    }
}
