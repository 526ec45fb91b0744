//! The words of the register program: what is done to all lanes of a batch at once.
//!
//! Registers are columns with a number for each lane: narrow ones of 16 bits, wide ones of 64. Flags are 0 and 1.
//! **Never:** how a word is done.

use super::hand::{Act, Deed};
use super::player::{Player, Seen};
use super::words::{Cut, Ways};
use crate::plan::program::RecordId;

/// A column: which one, and whether it is wide. While a program is written each value has one of its own; later they share.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Reg {
    pub(super) at: usize,
    pub(super) wide: bool,
}

/// A column, or the same number in every lane.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Source {
    Reg(Reg),
    Constant(i64),
}

/// What two numbers come to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum How {
    Add,
    Subtract,
    /// The second less the first.
    From,
    Multiply,
    DivideDown,
    DivideUp,
    Min,
    Max,
    And,
    Or,
    Less,
    AtMost,
    More,
    AtLeast,
    Equal,
    Unequal,
}

impl How {
    /// Whether it comes to a flag.
    pub(super) fn is_test(self) -> bool {
        matches!(self, Self::Less | Self::AtMost | Self::More | Self::AtLeast | Self::Equal | Self::Unequal)
    }
}

/// One word. The register that is set is never one of those that are read.
#[derive(Clone, Debug)]
pub(super) enum Op {
    Fill(Reg, i64),
    /// From one register to another, whatever their widths.
    Copy(Reg, Reg),
    /// From the second to the first, both of one width; what the second holds then means nothing.
    Swap(Reg, Reg),
    /// What the second and the third come to; both are as wide as the second.
    Apply(How, Reg, Reg, Source),
    /// The third where the second is 1, the fourth where it is 0.
    Select(Reg, Reg, Source, Source),
    /// The first number, and for each step that the second register has reached, what it adds.
    Steps(Reg, Reg, i64, Vec<(i16, i64)>),
    /// The table's entry; the first one is for 0.
    Lookup(Reg, Reg, Vec<i64>),
    /// A word in each lane from which dice can be cut that fall in so many ways.
    Word(Reg, Ways),
    /// The number of the way that dice fall from words.
    Fall(Reg, Vec<Ways>),
    /// Where it leads to from the state that the second column names.
    Follow(Reg, Reg, Box<Follow>),
    Roll(Box<Roll>),
    /// One die with so many faces, in lanes where the flag is 1.
    Die(Reg, Source, Option<Reg>),
    Hand(Box<Deed>),
}

/// Which state follows upon which.
#[derive(Clone, Debug)]
pub(super) struct Follow {
    /// The first of the states.
    pub(super) first: u16,
    /// Which of the ways the dice fell, if there are several.
    pub(super) way: Option<Reg>,
    /// For each state, for each way the one that follows.
    pub(super) ways: usize,
    pub(super) table: Vec<u16>,
}

/// So many dice of one sort, and what is asked of them.
#[derive(Clone, Debug)]
pub(super) struct Roll {
    /// In which lanes they fall; in all without it.
    pub(super) on: Option<Reg>,
    pub(super) count: Source,
    pub(super) cut: Cut,
    /// So many faces in a row count as one, because no question tells them apart: 4+ on a d6 is asked of a die with two.
    pub(super) alike: usize,
    /// Where the word lies that they are cut from; without it they take words of their own.
    pub(super) word: Option<Reg>,
    pub(super) asks: Vec<(Reg, Ask)>,
}

/// What is added up over dice: a number for each face, whose position counts from 0.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Ask {
    /// The position, and one more.
    Sum,
    /// 1 for this face and those behind it.
    AtLeast(i16),
    /// 1 for those before this face.
    Below(i16),
    /// As [`Op::Steps`].
    Steps(i16, Vec<(i16, i16)>),
}

/// Words one after another, then a way on.
#[derive(Clone, Debug)]
pub(super) struct Block {
    pub(super) ops: Vec<Op>,
    pub(super) next: Next,
    /// The columns that a lane brings along.
    pub(super) live: Vec<Reg>,
}

#[derive(Clone, Debug)]
pub(super) enum Next {
    Go(usize),
    /// Lanes go where their flag is 1; the others to the block behind. No lane has two flags.
    Part(Vec<(Reg, usize)>, usize),
    /// The trial is over.
    Count,
}

/// A program that can be run.
#[derive(Clone, Debug)]
pub(super) struct Code {
    /// Trials begin at the first; the last one counts.
    pub(super) blocks: Vec<Block>,
    pub(super) narrow: usize,
    pub(super) wide: usize,
    /// How many heaps there are, and which of them are hands.
    pub(super) heaps: usize,
    pub(super) hands: Vec<usize>,
    /// Dice of hands with faces of their own.
    pub(super) own: Vec<Vec<i32>>,
    pub(super) keys: Vec<Key>,
    /// The number of the trial within its chunk, where somebody wants to know.
    pub(super) number: Option<Reg>,
}

/// One count of trials: which columns make its keys, and what a key says.
#[derive(Clone, Debug)]
pub(super) struct Key {
    pub(super) kind: KeyKind,
    /// The digits of a key, from the first to the last.
    pub(super) digits: Vec<Digit>,
}

#[derive(Clone, Debug)]
pub(super) enum KeyKind {
    /// A narrow column of numbers below the second: the digits as one number.
    Row(Reg, usize),
    /// A narrow column of numbers, and the digits as one number for each of them.
    Told(Reg, Vec<u16>),
    /// A column for each digit.
    Each(Vec<Reg>),
}

/// A digit of a key: 0 stands for `low`, or where there may be none, for none, and 1 for `low`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Digit {
    /// What is counted: the result, none where the trial is unresolved, or a record.
    pub(super) what: Option<RecordId>,
    pub(super) low: i64,
    /// How many there are.
    pub(super) size: i64,
    pub(super) maybe: bool,
}

impl Op {
    /// Tells all registers, and of each whether it is set; else it is read.
    pub(super) fn regs(&mut self, each: &mut dyn FnMut(&mut Reg, bool)) {
        let sources = |sources: &mut [&mut Source], each: &mut dyn FnMut(&mut Reg, bool)| {
            for source in sources {
                if let Source::Reg(reg) = source {
                    each(reg, false);
                }
            }
        };
        match self {
            Self::Fill(to, _) | Self::Word(to, ..) | Self::Fall(to, _) => each(to, true),
            Self::Copy(to, from)
            | Self::Swap(to, from)
            | Self::Steps(to, from, ..)
            | Self::Lookup(to, from, _) => {
                each(from, false);
                each(to, true);
            }
            Self::Follow(to, from, follow) => {
                each(from, false);
                follow.way.iter_mut().for_each(|way| each(way, false));
                each(to, true);
            }
            Self::Apply(_, to, left, right) => {
                each(left, false);
                sources(&mut [right], each);
                each(to, true);
            }
            Self::Select(to, on, then, otherwise) => {
                each(on, false);
                sources(&mut [then, otherwise], each);
                each(to, true);
            }
            Self::Roll(roll) => {
                roll.on.iter_mut().for_each(|on| each(on, false));
                sources(&mut [&mut roll.count], each);
                roll.word.iter_mut().for_each(|word| each(word, false));
                roll.asks.iter_mut().for_each(|(to, _)| each(to, true));
            }
            Self::Die(to, faces, on) => {
                on.iter_mut().for_each(|on| each(on, false));
                sources(&mut [faces], each);
                each(to, true);
            }
            Self::Hand(deed) => {
                deed.on.iter_mut().chain(&mut deed.operands).for_each(|reg| each(reg, false));
                match &mut deed.act {
                    Act::Ask(to, ..) | Act::Choose(to, ..) | Act::Keep(_, _, Some(to), _) => each(to, true),
                    Act::Keep(..) | Act::SetItem(..) => {}
                }
            }
        }
    }

    /// Whether dice fall, or something is laid down in a hand.
    pub(super) fn does_more(&self) -> bool {
        match self {
            Self::Word(..) | Self::Roll(_) | Self::Die(..) => true,
            Self::Hand(deed) => matches!(deed.act, Act::Keep(..) | Act::SetItem(..)),
            _ => false,
        }
    }
}

impl Deed {
    /// The register that is set.
    pub(super) fn sets(&self) -> Option<Reg> {
        match self.act {
            Act::Ask(to, ..) | Act::Choose(to, ..) => Some(to),
            Act::Keep(_, _, endless, _) => endless,
            Act::SetItem(..) => None,
        }
    }

    /// Tells the hands that the deed is about.
    pub(super) fn hands(&self, mut each: impl FnMut(usize)) {
        let mut seen = |player: &Player| {
            player.looks.iter().for_each(|look| {
                if let Seen::Hand(Some(heap), ..) = look {
                    each(heap.0);
                }
            });
        };
        match &self.act {
            Act::Keep(heap, dice, _, player) => {
                player.iter().for_each(&mut seen);
                dice.heaps(|from| each(from.0));
                each(*heap);
            }
            Act::Choose(_, player, _) => seen(player),
            Act::SetItem(heap, ..) | Act::Ask(_, heap, _) => each(*heap),
        }
    }
}
