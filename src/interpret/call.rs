//! Calling modifiers, charts and tests.

use super::{Hand, Table};
use crate::plan::{Event, Listener};
use crate::random::Source;
use crate::rules::{
    Callee, ChartId, Expr, FactorId, ModifiersId, Parameter, Place, Statement, StatementNode,
};

impl<'a> Table<'a> {
    /// Works out a piece with its arguments, in a situation changed by `settings`; both hold for the call and all that
    /// it calls, then are put back.
    pub(super) fn call<D: Source, L: Listener>(
        &mut self,
        callee: Callee,
        arguments: &'a [Expr],
        settings: &'a [(FactorId, Expr)],
        hand: &mut Hand<D, L>,
    ) -> i32 {
        let rules = self.rules;
        let parameters = rules.parameters(callee);
        let outside = self.frame;
        let inside = self.locals.len();
        let frame = if let Callee::Test(id) = callee { rules.tests[id.0].frame } else { parameters.len() };
        // Arguments and settings are all worked out in the caller's situation before any of them takes effect. The
        // first ones wait where the callee's locals will not be.
        let waiting = inside + frame;
        self.locals.resize(waiting + arguments.len() + settings.len(), 0);
        let values = arguments.iter().chain(settings.iter().map(|(_, value)| value));
        for (number, expr) in values.enumerate() {
            let value = self.value(expr, hand);
            self.locals[waiting + number] = value;
        }
        hand.story.hear(|| Event::Began(callee));
        self.frame = inside;
        for (number, place) in places(parameters, settings).enumerate() {
            self.exchange(place, waiting + number, hand);
        }
        let value = self.body(callee, parameters, hand);
        self.put_back(parameters, settings, waiting);
        self.locals.truncate(inside);
        self.frame = outside;
        hand.story.hear(|| Event::Ended(callee, value));
        value
    }

    /// Gives a place the value that waits for it, and keeps what it had there before.
    fn exchange<D: Source, L: Listener>(&mut self, place: Place, waiting: usize, hand: &mut Hand<D, L>) {
        let value = self.locals[waiting];
        if let Place::Factor(factor) = place {
            self.locals[waiting] = self.factors[factor.0];
            hand.story.hear(|| Event::Changed(factor, value));
        }
        self.write(place, value);
    }

    fn put_back(&mut self, parameters: &[Parameter], settings: &[(FactorId, Expr)], waiting: usize) {
        for (number, place) in places(parameters, settings).enumerate() {
            if let Place::Factor(factor) = place {
                self.factors[factor.0] = self.locals[waiting + number];
            }
        }
    }

    fn body<D: Source, L: Listener>(
        &mut self,
        callee: Callee,
        parameters: &[Parameter],
        hand: &mut Hand<D, L>,
    ) -> i32 {
        let rules = self.rules;
        match callee {
            Callee::Modifiers(id) => self.modifiers(id, hand),
            Callee::Chart(id) => self.chart(id, parameters, hand),
            // The checker has proved that every way through a test ends in a `return`.
            Callee::Test(id) => self.block(&rules.tests[id.0].body, hand).unwrap_or(0),
        }
    }

    fn modifiers<D: Source, L: Listener>(&mut self, id: ModifiersId, hand: &mut Hand<D, L>) -> i32 {
        let rules = self.rules;
        let mut sum = 0;
        for (number, line) in rules.modifiers[id.0].lines.iter().enumerate() {
            if line.condition.as_ref().is_some_and(|condition| !self.holds(condition, hand)) {
                continue;
            }
            let times = line.per.as_ref().map_or(1, |per| self.value(per, hand).max(0));
            let amount = self.value(&line.amount, hand) * times;
            sum += amount;
            if amount != 0 {
                hand.story.hear(|| Event::Modified { modifiers: id, line: number, amount });
            }
        }
        sum
    }

    fn chart<D: Source, L: Listener>(
        &mut self,
        id: ChartId,
        parameters: &[Parameter],
        hand: &mut Hand<D, L>,
    ) -> i32 {
        let chart = &self.rules.charts[id.0];
        let last = parameters.last().map_or(0, |parameter| self.read(parameter.place));
        let column = chart.columns.iter().position(|set| self.contains(set, last, hand)).unwrap_or(0);
        let row = chart.rows.iter().position(|row| {
            let mut keys = row.keys.iter().zip(parameters);
            keys.all(|(set, parameter)| self.contains(set, self.read(parameter.place), hand))
        });
        // The checker has proved that a row matches and that its cell is not `-`.
        let row = row.unwrap_or(0);
        let keys = || parameters.iter().map(|parameter| self.read(parameter.place)).collect();
        hand.story.hear(|| Event::Read { chart: id, keys: keys(), row, column });
        chart.rows[row].cells[column].as_ref().map_or(0, |cell| self.value(cell, hand))
    }

    /// Plays statements; the value, if one of them returns it.
    fn block<D: Source, L: Listener>(
        &mut self,
        block: &'a [Statement],
        hand: &mut Hand<D, L>,
    ) -> Option<i32> {
        for statement in block {
            match &statement.node {
                StatementNode::Let(local, name, expr) => {
                    let value = self.value(expr, hand);
                    self.write(Place::Local(*local), value);
                    hand.story.hear(|| Event::Named { name: name.clone(), ty: expr.ty, value });
                }
                StatementNode::Return(expr) => return Some(self.value(expr, hand)),
                StatementNode::If(arms, otherwise) => {
                    let arm = arms.iter().find(|(condition, _)| self.holds(condition, hand));
                    let block = arm.map_or(otherwise, |(_, block)| block);
                    if let Some(value) = self.block(block, hand) {
                        return Some(value);
                    }
                }
            }
        }
        None
    }
}

/// What a call fills: its parameters, then the factors that it sets.
fn places(parameters: &[Parameter], settings: &[(FactorId, Expr)]) -> impl Iterator<Item = Place> {
    let settings = settings.iter().map(|(factor, _)| Place::Factor(*factor));
    parameters.iter().map(|parameter| parameter.place).chain(settings)
}
