//! Calling modifiers, charts and tests.

use super::{Frame, Hand, Table, Unresolved};
use crate::plan::{Event, Listener};
use crate::random::Source;
use crate::rules::{
    Call, Callee, ChartId, Expr, FactorId, ModifiersId, Parameter, Place, Set, Span, Type, UnitsId,
};

impl<'a> Table<'a> {
    /// A call as the rules write it. The value; of a list, it is 0 and the list is in `returned`.
    pub(super) fn called<D: Source, L: Listener>(
        &mut self,
        call: &'a Call,
        hand: &mut Hand<D, L>,
    ) -> Result<i32, Unresolved> {
        let callee = (call.callee, Some(call.span));
        self.call(callee, call.unit.as_ref(), &call.arguments, &call.settings, hand)
    }

    /// Works out a piece, called from a place unless it is the entry, with its arguments, for a unit, in a situation changed by `settings`; all these hold for the
    /// call and all that it calls, then are put back.
    pub(super) fn call<D: Source, L: Listener>(
        &mut self,
        (callee, span): (Callee, Option<Span>),
        unit: Option<&'a Expr>,
        arguments: &'a [Expr],
        settings: &'a [(FactorId, Expr)],
        hand: &mut Hand<D, L>,
    ) -> Result<i32, Unresolved> {
        let parameters = self.rules.parameters(callee);
        let outside = self.frame;
        let inside = Frame { locals: self.locals.len(), pools: self.pools.len() };
        // Arguments, unit and settings are all worked out in the caller's situation before any of them takes effect.
        // They wait where the callee's locals will not be.
        let waiting = inside.locals + self.room_for_locals(callee);
        self.locals.resize(waiting + arguments.len() + settings.len(), 0);
        self.wait(waiting, arguments.iter(), hand)?;
        let unit = self.unit(unit, hand)?;
        self.wait(waiting + arguments.len(), settings.iter().map(|(_, value)| value), hand)?;
        hand.story.hear(|| Event::Began(callee, unit));
        let pointers = self.point(unit);
        self.frame = inside;
        self.watch_call(span, unit.map(|(_, unit)| unit as usize));
        for (number, place) in places(parameters, settings).enumerate() {
            self.exchange(place, waiting + number, hand);
        }
        let value = self.body(callee, parameters, hand)?;
        self.watch_return();
        self.put_back(parameters, settings, waiting);
        self.point_back(unit, &pointers);
        self.locals.truncate(inside.locals);
        if self.pools.len() > inside.pools {
            self.pools.truncate(inside.pools);
        }
        self.frame = outside;
        Ok(value)
    }

    /// The unit that a call is for.
    fn unit<D: Source, L: Listener>(
        &mut self,
        unit: Option<&'a Expr>,
        hand: &mut Hand<D, L>,
    ) -> Result<Option<(UnitsId, i32)>, Unresolved> {
        match unit {
            Some(expr @ Expr { ty: Type::Unit(units), .. }) => Ok(Some((*units, self.value(expr, hand)?))),
            _ => Ok(None),
        }
    }

    /// How many locals a piece keeps.
    fn room_for_locals(&self, callee: Callee) -> usize {
        match callee {
            Callee::Test(id) => self.rules.tests[id.0].frame,
            _ => self.rules.parameters(callee).len(),
        }
    }

    /// Works out values that wait until all are known.
    fn wait<D: Source, L: Listener>(
        &mut self,
        first: usize,
        values: impl Iterator<Item = &'a Expr>,
        hand: &mut Hand<D, L>,
    ) -> Result<(), Unresolved> {
        for (number, expr) in values.enumerate() {
            let value = self.value(expr, hand)?;
            self.locals[first + number] = value;
        }
        Ok(())
    }

    /// Makes the factors of a unit line mean the unit's own, and gives what they meant before.
    pub(super) fn point(&mut self, unit: Option<(UnitsId, i32)>) -> Vec<usize> {
        let Some((units, unit)) = unit else { return Vec::new() };
        let units = &self.rules.units[units.0];
        let own = |number| units.own(unit as usize, number).0;
        let factors = units.factors.iter().enumerate();
        factors.map(|(number, factor)| std::mem::replace(&mut self.at[factor.0], own(number))).collect()
    }

    pub(super) fn point_back(&mut self, unit: Option<(UnitsId, i32)>, pointers: &[usize]) {
        let Some((units, _)) = unit else { return };
        for (factor, pointer) in self.rules.units[units.0].factors.iter().zip(pointers) {
            self.at[factor.0] = *pointer;
        }
    }

    /// Gives a place the value that waits for it, and keeps what it had there before.
    fn exchange<D: Source, L: Listener>(&mut self, place: Place, waiting: usize, hand: &mut Hand<D, L>) {
        let value = self.locals[waiting];
        if let Place::Factor(factor) = place {
            self.locals[waiting] = self.read(place);
            hand.story.hear(|| Event::Changed(factor, value));
        }
        self.write(place, value);
    }

    fn put_back(&mut self, parameters: &[Parameter], settings: &[(FactorId, Expr)], waiting: usize) {
        for (number, place) in places(parameters, settings).enumerate() {
            if let Place::Factor(_) = place {
                let before = self.locals[waiting + number];
                self.write(place, before);
            }
        }
    }

    fn body<D: Source, L: Listener>(
        &mut self,
        callee: Callee,
        parameters: &[Parameter],
        hand: &mut Hand<D, L>,
    ) -> Result<i32, Unresolved> {
        let value = match callee {
            Callee::Modifiers(id) => self.modifiers(id, hand)?,
            Callee::Chart(id) => self.chart(id, parameters, hand)?,
            Callee::Test(id) => return self.test(id, hand),
        };
        hand.story.hear(|| Event::Ended(callee, value));
        Ok(value)
    }

    fn modifiers<D: Source, L: Listener>(
        &mut self,
        id: ModifiersId,
        hand: &mut Hand<D, L>,
    ) -> Result<i32, Unresolved> {
        let rules = self.rules;
        let mut sum = 0;
        for (number, line) in rules.modifiers[id.0].lines.iter().enumerate() {
            if let Some(condition) = &line.condition
                && !self.holds(condition, hand)?
            {
                continue;
            }
            let times = match &line.per {
                Some(per) => self.value(per, hand)?.max(0),
                None => 1,
            };
            let amount = self.value(&line.amount, hand)? * times;
            sum += amount;
            if amount != 0 {
                hand.story.applied(id, number);
                hand.story.hear(|| Event::Modified { modifiers: id, line: number, amount });
            }
        }
        Ok(sum)
    }

    fn chart<D: Source, L: Listener>(
        &mut self,
        id: ChartId,
        parameters: &[Parameter],
        hand: &mut Hand<D, L>,
    ) -> Result<i32, Unresolved> {
        let chart = &self.rules.charts[id.0];
        // The checker has proved that a row matches and that its cell is not `-`.
        let column = self.column(id, parameters, hand)?;
        let row = self.row(id, parameters, hand)?;
        let keys = || parameters.iter().map(|parameter| self.read(parameter.place)).collect();
        hand.story.read(id, row, column);
        hand.story.hear(|| Event::Read { chart: id, keys: keys(), row, column });
        match &chart.rows[row].cells[column] {
            Some(cell) => self.value(cell, hand),
            None => {
                debug_assert!(false, "the checker let a trial come to `-`");
                Ok(0)
            }
        }
    }

    /// The first column that has the last key.
    fn column<D: Source, L: Listener>(
        &mut self,
        id: ChartId,
        parameters: &[Parameter],
        hand: &mut Hand<D, L>,
    ) -> Result<usize, Unresolved> {
        let last = parameters.last().map_or(0, |parameter| self.read(parameter.place));
        for (number, set) in self.rules.charts[id.0].columns.iter().enumerate() {
            if self.contains(set, last, hand)? {
                return Ok(number);
            }
        }
        debug_assert!(
            self.rules.charts[id.0].columns.is_empty(),
            "the checker let a chart pass without a column"
        );
        Ok(0)
    }

    /// The first row all of whose keys fit.
    fn row<D: Source, L: Listener>(
        &mut self,
        id: ChartId,
        parameters: &[Parameter],
        hand: &mut Hand<D, L>,
    ) -> Result<usize, Unresolved> {
        let chart = &self.rules.charts[id.0];
        for (number, row) in chart.rows.iter().enumerate() {
            if self.fits(&row.keys, parameters, hand)? {
                return Ok(number);
            }
        }
        debug_assert!(false, "the checker let a chart pass without a row");
        Ok(0)
    }

    fn fits<D: Source, L: Listener>(
        &mut self,
        keys: &'a [Set],
        parameters: &[Parameter],
        hand: &mut Hand<D, L>,
    ) -> Result<bool, Unresolved> {
        for (set, parameter) in keys.iter().zip(parameters) {
            if !self.contains(set, self.read(parameter.place), hand)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// What a call fills: its parameters, then the factors that it sets.
fn places(parameters: &[Parameter], settings: &[(FactorId, Expr)]) -> impl Iterator<Item = Place> {
    let settings = settings.iter().map(|(factor, _)| Place::Factor(*factor));
    parameters.iter().map(|parameter| parameter.place).chain(settings)
}
