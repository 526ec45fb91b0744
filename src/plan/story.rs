//! What happens in a trial, step by step, as a player at the table would tell it.

use crate::rules::{Callee, ChartId, ChoiceId, FactorId, ModifiersId, Span, Type};

/// One step of a trial.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// A call begins.
    Began(Callee),
    /// The call that began last ends with a value.
    Ended(Callee, i32),
    /// A factor is changed for the call that begins next.
    Changed(FactorId, i32),
    /// Dice with so many faces fall.
    Rolled {
        /// How many faces each die has.
        faces: u32,
        /// What they show, in order.
        shown: Vec<u32>,
        /// Where the rules say so.
        span: Span,
    },
    /// A line of modifiers applies with this amount.
    Modified {
        /// The block.
        modifiers: ModifiersId,
        /// The line, from 0.
        line: usize,
        /// What it adds, its `per` counted in.
        amount: i32,
    },
    /// A value gets a name.
    Named {
        /// The name.
        name: String,
        /// The type of the value.
        ty: Type,
        /// The value.
        value: i32,
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
    /// A player picks an option.
    Chose {
        /// The choice.
        choice: ChoiceId,
        /// The option.
        option: i32,
    },
}

/// Listens to a trial.
pub trait Listener {
    /// Whether it wants to hear anything at all.
    const LISTENS: bool;

    /// Takes down one step; `event` is made only by those that want it.
    fn hear(&mut self, event: impl FnOnce() -> Event);
}

/// Nobody listens.
impl Listener for () {
    const LISTENS: bool = false;

    fn hear(&mut self, _: impl FnOnce() -> Event) {}
}

/// Everything is taken down.
impl Listener for Vec<Event> {
    const LISTENS: bool = true;

    fn hear(&mut self, event: impl FnOnce() -> Event) {
        self.push(event());
    }
}
