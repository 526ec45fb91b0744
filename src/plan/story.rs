//! What happens in a trial, step by step, as a player at the table would tell it.

use crate::rules::tree::{End, Question};
use crate::rules::{Callee, ChartId, ChoiceId, DieId, FactorId, ModifiersId, Span, Type, UnitsId};

/// One step of a trial.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// A call begins, for one of the units of a line.
    Began(Callee, Option<(UnitsId, i32)>),
    /// The call that began last ends with a value; with 0 where it gives nothing.
    Ended(Callee, i32),
    /// The call that began last ends with a list.
    EndedWith(Callee, Vec<i32>),
    /// A factor is changed for the call that begins next.
    Changed(FactorId, i32),
    /// A factor is changed for the rest of the trial.
    Set(FactorId, i32),
    /// Dice of one sort fall.
    Rolled {
        /// What each die is.
        die: RolledDie,
        /// What they show, in order.
        shown: Vec<i32>,
        /// Where the rules say so.
        span: Span,
    },
    /// What the dice that were told last show, added up.
    Summed(i32),
    /// Something is done to dice.
    Handled {
        /// What.
        how: Handling,
        /// The type of their faces.
        ty: Type,
        /// What they show then, in order.
        shown: Vec<i32>,
        /// Where the rules say so.
        span: Span,
    },
    /// Something is asked of dice.
    Asked {
        /// What.
        what: Asking,
        /// The type of their faces.
        faces: Type,
        /// Where these are named, if they have a name.
        named: Option<Span>,
        /// The answer.
        answer: i32,
        /// The type of the answer.
        ty: Type,
        /// Where the rules ask.
        span: Span,
    },
    /// Something happens or not, with probability first / second.
    Chanced(i32, i32, bool, Span),
    /// A line of modifiers applies with this amount.
    Modified {
        /// The block.
        modifiers: ModifiersId,
        /// The line, from 0.
        line: usize,
        /// What it adds, its `per` counted in.
        amount: i32,
    },
    /// A value gets a name, or a name another value.
    Named {
        /// The name.
        name: String,
        /// The type of the value.
        ty: Type,
        /// The value.
        value: i32,
        /// Whether it is just what the step before came to: a roll, an answer, what a call gives.
        plain: bool,
    },
    /// Dice or a list get a name.
    Kept {
        /// The name.
        name: String,
        /// The type of each.
        ty: Type,
        /// Whether they are a list.
        list: bool,
        /// What they show.
        shown: Vec<i32>,
    },
    /// A chart is read at a row and a column.
    Read {
        /// The chart.
        chart: ChartId,
        /// The keys, in the order of its parameters.
        keys: Vec<i32>,
        /// The row, from 0.
        row: usize,
        /// The column, from 0.
        column: usize,
    },
    /// A player picks an option, a number or a unit.
    Chose {
        /// The choice.
        choice: ChoiceId,
        /// What is picked.
        option: i32,
    },
    /// A pass of a loop begins.
    Pass {
        /// The how manyth, from 1.
        number: usize,
        /// What goes through the loop: its name and what it is in this pass.
        item: Option<(String, Type, i32)>,
    },
    /// The pass that began last ends.
    PassEnded,
    /// The tool's patience is at its end.
    GaveUp(Span),
}

/// One sort of die, its number of faces worked out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RolledDie {
    /// Faces from 1 to this.
    Faces(u32),
    /// Faces of its own.
    Custom(DieId),
}

/// Stretches of values, both ends included; open where there is none.
pub type Stretches = Vec<(Option<i32>, Option<i32>)>;

/// What is done to dice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Handling {
    /// Those that show one of these are kept, or with `true` dropped.
    Keep(Stretches, bool),
    /// So many dice from one end are kept, or with `true` dropped.
    Extreme(End, i32, bool),
    /// Dice that show one of these are rolled again: each time a die falls, what it showed and what it shows.
    Reroll(Stretches, Vec<(i32, i32)>),
    /// So many dice are added, one for each that shows one of these.
    Explode(Stretches, usize),
    /// A player keeps those that are left.
    KeepChosen(ChoiceId),
    /// A player rolls dice again: what each showed and what it shows.
    RerollChosen(ChoiceId, Vec<(i32, i32)>),
}

/// What is asked of dice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Asking {
    /// How many show one of these, or whether any or all do.
    Of(Question, Stretches),
    /// The so manyth highest.
    Rank(i32),
    /// Whether so many are alike.
    Alike(i32),
}

/// Listens to a trial.
pub trait Listener {
    /// Whether it wants to hear anything at all.
    const LISTENS: bool;

    /// Takes down one step; `event` is made only by those that want it.
    fn hear(&mut self, event: impl FnOnce() -> Event);

    /// A cell of a chart is read, at a row and a column from 0.
    #[inline]
    fn read(&mut self, _chart: ChartId, _row: usize, _column: usize) {}

    /// A line of modifiers, from 0, adds something other than 0.
    #[inline]
    fn applied(&mut self, _modifiers: ModifiersId, _line: usize) {}
}

/// Nobody listens.
impl Listener for () {
    const LISTENS: bool = false;

    #[inline]
    fn hear(&mut self, _: impl FnOnce() -> Event) {}
}

/// Everything is taken down.
impl Listener for Vec<Event> {
    const LISTENS: bool = true;

    fn hear(&mut self, event: impl FnOnce() -> Event) {
        self.push(event());
    }
}
