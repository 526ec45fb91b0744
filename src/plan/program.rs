//! The written-out form of a plan: what is left of the rules in one situation under one policy.
//!
//! A program is a list of blocks: steps one after another, and at the end of each a way on. Calls are written out in
//! place, factors and modifiers that the situation settles are gone, units that are known are their own slots. Values
//! never roll: dice fall only in steps, in the order of the rules, and none is ever folded away.

use crate::rules::{FactorId, LocalId, Type, ids};

pub use crate::rules::tree::{Comparison, End};
pub use crate::rules::{ChoiceId, Operation, PoolId, RecordId, Span};
pub use crate::scenario::{Aim, Objective};

ids! {
    /// Position in [`Program::blocks`].
    BlockId,
    /// Position in [`Program::slots`].
    SlotId,
    /// Position in [`Program::heaps`].
    HeapId,
    /// Position in [`Program::loops`].
    LoopId,
    /// Position in [`Program::sites`].
    SiteId,
}

/// What is left of the rules in one situation under one policy.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Program {
    /// A trial begins at the first. Ways on lead to later blocks, except back to the head of a loop from inside it.
    pub blocks: Vec<Block>,
    /// What keeps a number: locals, cells of the table that change in play, and what lies between.
    pub slots: Vec<Slot>,
    /// What keeps dice or a list.
    pub heaps: Vec<Heap>,
    /// The loops, outer before inner.
    pub loops: Vec<Loop>,
    /// Where a player decides and no policy says how.
    pub sites: Vec<Site>,
}

/// Steps one after another, then a way on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// What is done, in order.
    pub steps: Vec<Step>,
    /// Where it goes on.
    pub exit: Exit,
}

/// The end of a block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Exit {
    /// Goes on there.
    Go(BlockId),
    /// The first block where the value is not 0, else the second.
    Branch(Value, BlockId, BlockId),
    /// In a counted loop: one more pass is begun and counted in the first block, or, where there have been as many as
    /// [`Step::Enter`] allows, the second block follows. The block does nothing else. Where the number of passes is the
    /// tool's patience, it stands behind the question whether to go on, else before.
    Pass(LoopId, BlockId, BlockId),
    /// The trial ends with this result.
    Done(Value),
    /// The trial ends because the tool's patience does.
    Unresolved,
}

/// One step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// Keeps a value.
    Set(SlotId, Value),
    /// Keeps 1 with probability first / second, else 0; one die with `second` faces falls, yes up to `first`.
    Chance(SlotId, Value, Value),
    /// Keeps one of these values, drawn by weight with one die that has as many faces as the weights add up to.
    Mix(SlotId, Vec<(i32, u32)>),
    /// Keeps dice or a list.
    Keep(HeapId, Dice),
    /// Changes an item of a list, by its number from 1; nothing where there is none.
    SetItem(HeapId, Value, Value),
    /// Reports a value, or with `true` adds it to what the trial reported before under that name.
    Record(RecordId, bool, Value),
    /// Before a counted loop: it may make so many passes, none if that is below 1.
    Enter(LoopId, Value),
    /// Keeps what the player picks.
    Choose(SlotId, SiteId, Options),
}

/// What a player may pick.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Options {
    /// Each value whose condition is not 0, as the rules list them.
    Listed(Vec<(i32, Value)>),
    /// A number between the two, both included; just the first where they cross.
    Between(Value, Value),
}

/// Something that has a number as its value. Only what is reached is worked out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// Always the same.
    Constant(i32),
    /// What a slot keeps.
    Slot(SlotId),
    /// Arithmetic.
    Apply(Operation, Vec<Value>),
    /// Condition, then, otherwise.
    If(Box<[Value; 3]>),
    /// 1 if the value lies in one of the stretches, else 0.
    Among(Box<Value>, Stretches),
    /// The table's entry for the value; the first entry is for this number. The value never lies outside.
    Lookup(Box<Value>, i32, Vec<Value>),
    /// What is asked of dice or a list.
    Ask(HeapId, Asked),
}

/// Stretches of numbers, both ends included; a side without an end is open.
pub type Stretches = Vec<(Option<Value>, Option<Value>)>;

/// What is asked of dice or a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Asked {
    /// The sum of all.
    Sum,
    /// How many are in the stretches.
    Count(Stretches),
    /// Whether any is.
    Any(Stretches),
    /// Whether there are dice, and all of them are.
    All(Stretches),
    /// The so manyth highest, from 1; 0 where there are fewer.
    Rank(Box<Value>),
    /// Whether so many show the same.
    Alike(Box<Value>),
    /// What the one with this number shows, from 1.
    Item(Box<Value>),
}

/// Where dice or a list come from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Dice {
    /// So many dice of one sort, rolled one after another.
    Roll(Value, Sort),
    /// The dice of several heaps, one heap after another.
    Join(Vec<HeapId>),
    /// A list of values.
    List(Vec<Value>),
    /// The same as there.
    Copy(HeapId),
    /// The dice in the stretches, or with `true` those that are not.
    Filter(HeapId, Stretches, bool),
    /// So many dice from one end, all of them if there are fewer; or with `true` the others. Order is kept; of equal
    /// faces the first dice count.
    Extreme(HeapId, End, Value, bool),
    /// Dice in the stretches are rolled again, in place.
    Reroll(HeapId, Stretches, Limits),
    /// Each die in the stretches adds one more behind the last; with `true` a chain that would get longer than
    /// [`Limits::times`] leaves the trial unresolved.
    Explode(HeapId, Stretches, Limits, bool),
    /// Dice that a player picks are rolled again in place, or kept.
    Picked(HeapId, Pick),
}

/// One sort of die.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Sort {
    /// Faces from 1 to this.
    Faces(Value),
    /// Faces of its own, all equally likely.
    Own(Vec<i32>),
}

/// Bounds on rerolls and explosions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Limits {
    /// How often each die is rolled again (once without it), or how long each chain of new dice may get.
    pub times: Option<Value>,
    /// How many dice in all: rerolls take the lowest faces first, explosions the first dice.
    pub dice: Option<Value>,
}

/// Which dice a player picks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pick {
    /// Whether the picked dice are kept instead of rolled again.
    pub keep: bool,
    /// At least so many, as far as there are so many.
    pub least: Option<Value>,
    /// At most so many.
    pub most: Option<Value>,
    /// How they are picked.
    pub by: Picking,
}

/// How dice are picked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Picking {
    /// Those in the stretches, as far as the bounds allow: nearest first where there are too few, from the end that is
    /// of use where there are too many (see [`crate::dice::roll::chosen`]).
    Wanted(Stretches),
    /// As the player likes.
    Free(SiteId),
}

/// What is known of a slot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Slot {
    /// Number, flag, kind or unit.
    pub ty: Type,
    /// What it is in the rules; `None` for what lies between.
    pub origin: Option<Origin>,
}

/// What is known of a heap.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Heap {
    /// The type of what each die or item shows.
    pub ty: Type,
    /// The call that keeps it (0 is the entry, 1 what that calls, and so on) and its position there; `None` for what
    /// lies between.
    pub origin: Option<(usize, PoolId)>,
}

/// What a slot is in the rules.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Origin {
    /// A factor's own cell.
    Cell(FactorId),
    /// A local of a call: 0 is the entry, 1 what that calls, and so on.
    Local(usize, LocalId),
}

/// A loop: the blocks from its head up to its end, all reached through the head.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loop {
    /// The first block, to which each pass comes back.
    pub head: BlockId,
    /// One past the last block.
    pub end: BlockId,
    /// Whether the number of passes is the tool's patience.
    pub cap: bool,
    /// Where the rules say so.
    pub span: Span,
}

/// Where a player decides.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Site {
    /// The choice.
    pub choice: ChoiceId,
    /// What the player aims at there; `None` where nothing says so.
    pub aim: Option<Aim>,
    /// What leads there, outermost first: calls, where each stands, and the unit it is for; loops, where each stands, and
    /// the number of the pass where each is written for itself; then where the choice itself stands.
    pub path: Vec<(Span, Option<usize>)>,
    /// Cells, and locals of the call, that are known there without a slot.
    pub known: Vec<(Origin, i32)>,
    /// The slots in which the others lie there, with locals of all calls under way.
    pub slots: Vec<(Origin, SlotId)>,
}
