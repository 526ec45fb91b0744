//! Dice from words: all of them exactly fair, taken by lane number.
//!
//! In: the streams of a chunk. Out: columns of what is asked of dice; single dice for a lane by itself. **Never:** what is
//! rolled for.
//!
//! A word of 16 bits times the number of faces is a die in its upper half, and in its lower half a word for the next. What
//! is left behind the last die tells the few words that would favour a face; those are drawn again. **Source:** Lemire,
//! "Fast random integer generation in an interval", ACM TOMACS 29(1), 2019; for several dice from one word Brackett-Rozinsky
//! and Lemire, "Batched ranged random integer generation", Software: Practice and Experience 55(1), 2025.

use super::code::{Ask, Reg, Roll};
use super::vectors;
use crate::random::{Source, Streams};
use std::ops::Range;

/// So many lanes take their words together, however wide the processor's vectors are.
pub(super) const GROUP: usize = 256;

/// What each lane of a group has.
pub(super) type Group<T = i16> = [T; GROUP];

const WORDS: usize = 4_096;

const SPARE: usize = 64;

/// Not more than one word in so many is drawn again.
const RARE: u32 = 700;

/// So many words are looked through at once for those to draw again.
const LOOK: usize = 32;

/// A vector's worth of words.
const SPLAT: usize = 16;

/// The dice of one word do not fall in more ways than this.
const MOST_WAYS: u32 = 4_096;

/// Not more dice than this come from one word.
const MOST_DICE: usize = 12;

/// Words of one chunk, in order.
#[derive(Debug)]
pub(super) struct Words {
    streams: Streams,
    words: Vec<u16>,
    at: usize,
    /// Words for one lane at a time, and how many of them are spent.
    spare: [u16; SPARE],
    spent: usize,
}

impl Words {
    pub(super) fn new(streams: Streams) -> Self {
        Self { streams, words: vec![0; WORDS], at: WORDS, spare: [0; SPARE], spent: SPARE }
    }

    /// Begins another chunk.
    pub(super) fn restart(&mut self, streams: Streams) {
        (self.streams, self.at, self.spent) = (streams, WORDS, SPARE);
    }

    /// Where a word for each lane of a group stands. The few before a refill that are not enough for all go unused.
    #[inline(always)]
    fn group(&mut self) -> usize {
        if self.at + GROUP > WORDS {
            vectors::fill(&mut self.streams, &mut self.words);
            self.at = 0;
        }
        self.at += GROUP;
        self.at - GROUP
    }

    /// A word for one lane.
    fn word(&mut self) -> u16 {
        if self.spent == SPARE {
            vectors::fill(&mut self.streams, &mut self.spare);
            self.spent = 0;
        }
        self.spent += 1;
        self.spare[self.spent - 1]
    }
}

impl Source for Words {
    fn die(&mut self, faces: u32) -> u32 {
        let faces = u64::from(faces);
        loop {
            let word = u64::from(self.word()) << 16 | u64::from(self.word());
            let (product, low) = (word * faces, (word * faces) & 0xffff_ffff);
            if low >= faces || low >= (1 << 32) % faces {
                return (product >> 32) as u32 + 1;
            }
        }
    }
}

/// How dice of one sort are cut from words.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cut {
    pub(super) faces: u16,
    /// The number of faces for each lane: written out, so that the compiler sees how narrow it is.
    splat: Group<u16>,
    /// How many come from one word.
    pub(super) dice: usize,
    /// In how many ways so many dice fall.
    pub(super) ways: [Ways; MOST_DICE + 1],
}

/// In how many ways the dice fall that are cut from one word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Ways {
    pub(super) number: u16,
    /// What must be left of a word behind them, at least.
    bound: u16,
}

impl Ways {
    const ONE: Self = Self { number: 1, bound: 0 };

    fn new(number: u32) -> Self {
        Self { number: number as u16, bound: ((1 << 16) % number) as u16 }
    }

    /// With other dice from the same word, if not too many words would have to be drawn again for them.
    pub(super) fn with(self, others: Self) -> Option<Self> {
        let number = u32::from(self.number) * u32::from(others.number);
        let both = (number <= MOST_WAYS).then(|| Self::new(number));
        both.filter(|both| u32::from(both.bound) * RARE <= 1 << 16)
    }
}

impl Cut {
    pub(super) fn new(faces: u16) -> Self {
        let mut cut = Self { faces, splat: [faces; GROUP], dice: 1, ways: [Ways::ONE; MOST_DICE + 1] };
        cut.ways[1] = Ways::new(faces.into());
        for dice in 2..=MOST_DICE {
            let Some(ways) = cut.ways[dice - 1].with(cut.ways[1]) else { break };
            (cut.dice, cut.ways[dice]) = (dice, ways);
        }
        cut
    }
}

/// How many dice each lane of a group rolls.
#[derive(Clone, Copy)]
pub(super) enum Count<'c> {
    Same(usize),
    Each(&'c Group),
}

impl Count<'_> {
    /// The most that any lane rolls.
    #[inline(always)]
    pub(super) fn most(self) -> usize {
        match self {
            Self::Same(count) => count,
            Self::Each(counts) => counts.iter().fold(0, |most, count| most.max(*count)) as usize,
        }
    }

    pub(super) fn of(self, lane: usize) -> usize {
        match self {
            Self::Same(count) => count,
            Self::Each(counts) => usize::try_from(counts[lane]).unwrap_or(0),
        }
    }
}

/// Dice that fall, lane by lane: what is asked of them, and how many each lane rolls.
pub(super) struct Falling<'f> {
    pub(super) cut: &'f Cut,
    pub(super) asks: &'f [(Reg, Ask)],
    pub(super) count: Count<'f>,
    /// Which of the dice fall now, from 0.
    pub(super) dice: Range<usize>,
}

/// Told what all lanes show: the number of the die, and the position of its face in each lane.
pub(super) type Listener<'l> = &'l mut dyn FnMut(usize, &Group);

impl Words {
    /// Rolls for a group of lanes, and adds what they show to the answers: columns, of which this is group number `group`.
    #[inline(always)]
    pub(super) fn roll(
        &mut self,
        falling: &Falling,
        answers: &mut [Vec<i16>],
        group: usize,
        mut listener: Option<Listener>,
    ) {
        let mut die = falling.dice.start;
        while die < falling.dice.end {
            let many = falling.cut.dice.min(falling.dice.end - die);
            if falling.cut.faces == 1 {
                falling.fall(&mut [0; GROUP], (die, many), answers, group, &mut listener);
                die += many;
                continue;
            }
            let start = self.fair(falling.cut.ways[many]);
            let Some(words) = self.words[start..].first_chunk_mut::<GROUP>() else { return };
            falling.fall(words, (die, many), answers, group, &mut listener);
            die += many;
        }
    }

    /// The number of the way that dice fall, in a group of a column; but for the first word it is one more digit.
    #[inline(always)]
    pub(super) fn fall(&mut self, ways: Ways, is_first: bool, column: &mut Group) {
        let start = self.fair(ways);
        let words = self.words[start..start + GROUP].iter();
        let way = |word: &u16| ((u32::from(*word) * u32::from(ways.number)) >> 16) as u16;
        if is_first {
            column.iter_mut().zip(words).for_each(|(number, word)| *number = way(word) as i16);
            return;
        }
        for (number, word) in column.iter_mut().zip(words) {
            *number = (*number as u16).wrapping_mul(ways.number).wrapping_add(way(word)) as i16;
        }
    }

    /// Lays a word for each lane in a group of a column, from which dice can be cut that fall in so many ways.
    #[inline(always)]
    pub(super) fn lay(&mut self, ways: Ways, column: &mut Group) {
        let start = self.fair(ways);
        for (to, word) in column.iter_mut().zip(&self.words[start..start + GROUP]) {
            *to = *word as i16;
        }
    }

    /// Where there is a word for each lane from which dice can be cut; those that would favour a face are drawn again.
    #[inline(always)]
    fn fair(&mut self, Ways { number: ways, bound }: Ways) -> usize {
        let start = self.group();
        if bound > 0 {
            for first in (start..start + GROUP).step_by(LOOK) {
                let mut least = [u16::MAX; SPLAT];
                for words in self.words[first..first + LOOK].as_chunks::<SPLAT>().0 {
                    for (least, word) in least.iter_mut().zip(words) {
                        *least = word.wrapping_mul(ways).min(*least);
                    }
                }
                if least.into_iter().fold(u16::MAX, u16::min) < bound {
                    self.redraw(first, ways, bound);
                }
            }
        }
        start
    }

    #[cold]
    fn redraw(&mut self, first: usize, ways: u16, bound: u16) {
        for at in first..first + LOOK {
            while self.words[at].wrapping_mul(ways) < bound {
                let word = self.word();
                self.words[at] = word;
            }
        }
    }
}

impl Cut {
    /// Cuts one die from each word; what is left is a word for the next.
    #[inline(always)]
    fn cut(&self, words: &mut Group<u16>, shown: &mut Group) {
        // Upper and lower halves by themselves: there is a vector instruction for each.
        for ((word, shown), faces) in words.iter().zip(shown).zip(&self.splat) {
            *shown = ((u32::from(*word) * u32::from(*faces)) >> 16) as u16 as i16;
        }
        words.iter_mut().for_each(|word| *word = word.wrapping_mul(self.faces));
    }
}

impl Falling<'_> {
    /// Cuts dice from the words that lie in a group of a column; what is left lies there behind.
    #[inline(always)]
    pub(super) fn cut_from(
        &self,
        column: &mut Group,
        answers: &mut [Vec<i16>],
        group: usize,
        mut listener: Option<Listener>,
    ) {
        let many = self.dice.end;
        let mut words = [0; GROUP];
        for (word, from) in words.iter_mut().zip(&*column) {
            *word = *from as u16;
        }
        self.fall(&mut words, (0, many), answers, group, &mut listener);
        for word in column {
            *word = (*word as u16).wrapping_mul(self.cut.ways[many].number) as i16;
        }
    }

    /// So many dice of each word.
    #[inline(always)]
    fn fall(
        &self,
        words: &mut Group<u16>,
        (die, many): (usize, usize),
        answers: &mut [Vec<i16>],
        group: usize,
        listener: &mut Option<Listener>,
    ) {
        if listener.is_none() && self.quickly(words, (die, many), answers, group) {
            return;
        }
        let mut shown = [0; GROUP];
        for number in die..die + many {
            self.cut.cut(words, &mut shown);
            add(self.asks, self.count, (number, &shown), answers, group);
            if let Some(listener) = listener {
                listener(number, &shown);
            }
        }
    }

    /// The same without writing down what dice show, for the questions that are asked most; says whether it was one of
    /// those.
    #[inline(always)]
    fn quickly(
        &self,
        words: &Group<u16>,
        dice: (usize, usize),
        answers: &mut [Vec<i16>],
        group: usize,
    ) -> bool {
        match (self.asks, answers) {
            ([], _) => true,
            ([(_, Ask::AtLeast(1))], [answers]) if self.cut.faces == 2 => {
                coins(words, dice, self.count, &mut answers.as_chunks_mut().0[group], 0);
                true
            }
            ([(_, Ask::Below(1))], [answers]) if self.cut.faces == 2 => {
                coins(words, dice, self.count, &mut answers.as_chunks_mut().0[group], u16::MAX);
                true
            }
            ([(_, ask)], [answers]) => {
                let answers = [&mut answers.as_chunks_mut().0[group]];
                match ask {
                    Ask::Sum => self.all(words, dice, answers, |face| [face + 1]),
                    Ask::AtLeast(least) => self.all(words, dice, answers, |face| [(face >= *least).into()]),
                    Ask::Below(most) => self.all(words, dice, answers, |face| [(face < *most).into()]),
                    Ask::Steps(..) => false,
                }
            }
            ([(_, Ask::AtLeast(one)), (_, Ask::AtLeast(other))], [first, second]) => {
                let answers = [&mut first.as_chunks_mut().0[group], &mut second.as_chunks_mut().0[group]];
                self.all(words, dice, answers, |face| [(face >= *one).into(), (face >= *other).into()])
            }
            _ => false,
        }
    }

    #[inline(always)]
    fn all<const ASKS: usize>(
        &self,
        words: &Group<u16>,
        (die, many): (usize, usize),
        answers: [&mut Group; ASKS],
        worth: impl Fn(i16) -> [i16; ASKS],
    ) -> bool {
        let (splat, die) = (&self.cut.splat, die as i16);
        match (self.count, many) {
            (Count::Same(_), 1) => each::<1, ASKS>(words, splat, answers, worth),
            (Count::Same(_), 2) => each::<2, ASKS>(words, splat, answers, worth),
            (Count::Same(_), 3) => each::<3, ASKS>(words, splat, answers, worth),
            (Count::Same(_), 4) => each::<4, ASKS>(words, splat, answers, worth),
            (Count::Each(counts), 1) => each_some::<1, ASKS>(words, splat, (counts, die), answers, worth),
            (Count::Each(counts), 2) => each_some::<2, ASKS>(words, splat, (counts, die), answers, worth),
            (Count::Each(counts), 3) => each_some::<3, ASKS>(words, splat, (counts, die), answers, worth),
            (Count::Each(counts), 4) => each_some::<4, ASKS>(words, splat, (counts, die), answers, worth),
            _ => return false,
        }
        true
    }
}

// The next two are written lane by lane, with numbers for positions and all numbers of 16 bits in arrays, because the
// compiler then finds the vector instructions.

/// All that is cut from a word, in one go.
#[inline(always)]
fn each<const MANY: usize, const ASKS: usize>(
    words: &Group<u16>,
    splat: &Group<u16>,
    answers: [&mut Group; ASKS],
    worth: impl Fn(i16) -> [i16; ASKS],
) {
    for lane in 0..GROUP {
        let (mut word, faces) = (words[lane], splat[lane]);
        let mut sums = [0_i16; ASKS];
        for _ in 0..MANY {
            let face = ((u32::from(word) * u32::from(faces)) >> 16) as u16 as i16;
            word = word.wrapping_mul(faces);
            let worth = worth(face);
            for ask in 0..ASKS {
                sums[ask] = sums[ask].wrapping_add(worth[ask]);
            }
        }
        for ask in 0..ASKS {
            answers[ask][lane] = answers[ask][lane].wrapping_add(sums[ask]);
        }
    }
}

/// The same where lanes roll as many dice as they may.
#[inline(always)]
fn each_some<const MANY: usize, const ASKS: usize>(
    words: &Group<u16>,
    splat: &Group<u16>,
    (counts, die): (&Group, i16),
    answers: [&mut Group; ASKS],
    worth: impl Fn(i16) -> [i16; ASKS],
) {
    for lane in 0..GROUP {
        let (mut word, faces) = (words[lane], splat[lane]);
        let mut sums = [0_i16; ASKS];
        for number in 0..MANY {
            let face = ((u32::from(word) * u32::from(faces)) >> 16) as u16 as i16;
            word = word.wrapping_mul(faces);
            let rolls = -i16::from(counts[lane] > die.wrapping_add(number as i16));
            let worth = worth(face);
            for ask in 0..ASKS {
                sums[ask] = sums[ask].wrapping_add(worth[ask] & rolls);
            }
        }
        for ask in 0..ASKS {
            answers[ask][lane] = answers[ask][lane].wrapping_add(sums[ask]);
        }
    }
}

/// Dice with two faces: how many of them show the upper one, or where `flip` is all ones, the lower one.
#[inline(always)]
fn coins(words: &Group<u16>, (die, many): (usize, usize), count: Count, answers: &mut Group, flip: u16) {
    match count {
        Count::Same(_) => {
            let mask = (0xffff_0000_u32 >> many) as u16;
            for lane in 0..GROUP {
                let coins = ((words[lane] ^ flip) & mask).count_ones();
                answers[lane] = answers[lane].wrapping_add(coins as i16);
            }
        }
        Count::Each(counts) => {
            let (die, many) = (die as i16, many as i16);
            for lane in 0..GROUP {
                let rolled = counts[lane].wrapping_sub(die).clamp(0, many);
                let mask = (0xffff_0000_u32 >> rolled as u32) as u16;
                let coins = ((words[lane] ^ flip) & mask).count_ones();
                answers[lane] = answers[lane].wrapping_add(coins as i16);
            }
        }
    }
}

/// The greatest common divisor.
fn common(one: usize, other: usize) -> usize {
    if other == 0 { one } else { common(other, one % other) }
}

/// Adds what a die shows in all lanes of a group to the answers.
#[inline(always)]
fn add(
    asks: &[(Reg, Ask)],
    count: Count,
    (die, shown): (usize, &Group),
    answers: &mut [Vec<i16>],
    group: usize,
) {
    match count {
        Count::Same(_) => {
            for ((_, ask), answers) in asks.iter().zip(answers) {
                ask.add(&mut answers.as_chunks_mut().0[group], shown);
            }
        }
        Count::Each(counts) => {
            let mut rolls = [0; GROUP];
            for (rolls, count) in rolls.iter_mut().zip(counts) {
                *rolls = -i16::from(*count > die as i16);
            }
            for ((_, ask), answers) in asks.iter().zip(answers) {
                ask.add_some(&mut answers.as_chunks_mut().0[group], shown, &rolls);
            }
        }
    }
}

impl Roll {
    /// A die: how many faces it has, and the one that was shown; of those that are alike the first.
    pub(super) fn die(&self, shown: i16) -> (u32, u32) {
        let alike = self.alike as u32;
        (u32::from(self.cut.faces) * alike, shown as u32 * alike + 1)
    }
}

impl Ask {
    /// How many faces in a row are alike to the question as well, of so many that are so far; all such rows begin where a
    /// multiple of that number of faces lies before them.
    pub(super) fn alike(&self, alike: usize) -> usize {
        match self {
            Self::Sum => 1,
            Self::AtLeast(at) | Self::Below(at) => common(alike, *at as usize),
            Self::Steps(_, steps) => steps.iter().fold(alike, |alike, (at, _)| common(alike, *at as usize)),
        }
    }

    /// Counts so many faces in a row as one.
    pub(super) fn merge(&mut self, alike: usize) {
        let merge = |at: &mut i16| *at /= alike as i16;
        match self {
            Self::Sum => {}
            Self::AtLeast(at) | Self::Below(at) => merge(at),
            Self::Steps(_, steps) => steps.iter_mut().for_each(|(at, _)| merge(at)),
        }
    }

    /// Adds what all lanes show to their answers.
    #[inline(always)]
    pub(super) fn add(&self, answers: &mut Group, shown: &Group) {
        match self {
            Self::Sum => {
                for (answer, face) in answers.iter_mut().zip(shown) {
                    *answer = answer.wrapping_add(face + 1);
                }
            }
            Self::AtLeast(least) => {
                for (answer, face) in answers.iter_mut().zip(shown) {
                    *answer = answer.wrapping_add((face >= least).into());
                }
            }
            Self::Below(most) => {
                for (answer, face) in answers.iter_mut().zip(shown) {
                    *answer = answer.wrapping_add((face < most).into());
                }
            }
            Self::Steps(first, steps) => {
                answers.iter_mut().for_each(|answer| *answer = answer.wrapping_add(*first));
                for (from, step) in steps {
                    for (answer, face) in answers.iter_mut().zip(shown) {
                        *answer = answer.wrapping_add(step & -i16::from(face >= from));
                    }
                }
            }
        }
    }

    /// The same in lanes that roll: `rolls` is -1 there, and else 0.
    #[inline(always)]
    pub(super) fn add_some(&self, answers: &mut Group, shown: &Group, rolls: &Group) {
        match self {
            Self::Sum => {
                for ((answer, face), rolls) in answers.iter_mut().zip(shown).zip(rolls) {
                    *answer = answer.wrapping_add((face + 1) & rolls);
                }
            }
            Self::AtLeast(least) => {
                for ((answer, face), rolls) in answers.iter_mut().zip(shown).zip(rolls) {
                    *answer = answer.wrapping_add(i16::from(face >= least) & rolls);
                }
            }
            Self::Below(most) => {
                for ((answer, face), rolls) in answers.iter_mut().zip(shown).zip(rolls) {
                    *answer = answer.wrapping_add(i16::from(face < most) & rolls);
                }
            }
            Self::Steps(first, steps) => {
                for (answer, rolls) in answers.iter_mut().zip(rolls) {
                    *answer = answer.wrapping_add(first & rolls);
                }
                for (from, step) in steps {
                    for ((answer, face), rolls) in answers.iter_mut().zip(shown).zip(rolls) {
                        *answer = answer.wrapping_add(step & rolls & -i16::from(face >= from));
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
