//! Loops: counted passes, numbers, units, and units in the order that a player likes.

use super::statement::Flow;
use super::{Hand, Table, Unresolved};
use crate::plan::{Event, Listener};
use crate::random::Source;
use crate::rules::{ChoiceId, Expr, LocalId, Picks, Place, Repeat, Span, Statement, Type};

/// A loop in which a name goes through numbers or units.
#[derive(Clone, Copy)]
pub(super) struct Loop<'a> {
    pub(super) local: LocalId,
    pub(super) name: &'a str,
    pub(super) body: &'a [Statement],
}

impl<'a> Table<'a> {
    pub(super) fn repeat<D: Source, L: Listener>(
        &mut self,
        repeat: &'a Repeat,
        span: Span,
        hand: &mut Hand<D, L>,
    ) -> Result<Flow, Unresolved> {
        let most = self.value(&repeat.most, hand)?;
        self.watch_loop(span);
        let flow = self.passes(repeat, (most, span), hand)?;
        self.watch_end();
        Ok(flow)
    }

    fn passes<D: Source, L: Listener>(
        &mut self,
        repeat: &'a Repeat,
        (most, span): (i32, Span),
        hand: &mut Hand<D, L>,
    ) -> Result<Flow, Unresolved> {
        for number in 1..=most {
            // where passes are counted up to a cap, one is begun behind the question whether to go on
            self.watch_pass(number as usize, most - number + i32::from(repeat.cap));
            if self.is_done(repeat, hand)? {
                return Ok(Flow::On);
            }
            self.watch_pass(number as usize, most - number);
            hand.story.hear(|| Event::Pass { number: number as usize, item: None });
            if let Some(flow) = self.pass(&repeat.body, hand)? {
                return Ok(flow);
            }
        }
        if repeat.cap && !self.is_done(repeat, hand)? {
            hand.story.hear(|| Event::GaveUp(span));
            return Err(Unresolved);
        }
        Ok(Flow::On)
    }

    fn is_done<D: Source, L: Listener>(
        &mut self,
        repeat: &'a Repeat,
        hand: &mut Hand<D, L>,
    ) -> Result<bool, Unresolved> {
        match &repeat.until {
            Some(until) => self.holds(until, hand),
            None => Ok(false),
        }
    }

    /// A loop from one number or unit to another.
    pub(super) fn each_between<D: Source, L: Listener>(
        &mut self,
        one: Loop<'a>,
        (low, high): (&'a Expr, &'a Expr),
        span: Span,
        hand: &mut Hand<D, L>,
    ) -> Result<Flow, Unresolved> {
        let ty = low.ty;
        let (low, high) = (self.value(low, hand)?, self.value(high, hand)?);
        self.watch_loop(span);
        let mut flow = None;
        for (number, value) in (low..=high).enumerate() {
            self.watch_pass(number + 1, high - value);
            flow = self.pass_with(one, number + 1, (ty, value), hand)?;
            if flow.is_some() {
                break;
            }
        }
        self.watch_end();
        Ok(flow.unwrap_or(Flow::On))
    }

    /// A loop through units; before each pass the player says which one of those `left` comes next.
    pub(super) fn each_chosen<D: Source, L: Listener>(
        &mut self,
        one: Loop<'a>,
        (choice, span): (ChoiceId, Span),
        mut left: Vec<i32>,
        hand: &mut Hand<D, L>,
    ) -> Result<Flow, Unresolved> {
        let Picks::Order(units) = self.rules.choices[choice.0].picks else { return Ok(Flow::On) };
        self.watch_loop(span);
        let mut flow = None;
        for number in 1..=left.len() {
            self.watch_pass(number, left.len() as i32 - 1);
            let at = self.next_unit(choice, (units, span), &left, hand)?;
            let unit = left.remove(at);
            if !left.is_empty() {
                hand.story.hear(|| Event::Chose { choice, option: unit });
            }
            flow = self.pass_with(one, number, (Type::Unit(units), unit), hand)?;
            if flow.is_some() {
                break;
            }
        }
        self.watch_end();
        Ok(flow.unwrap_or(Flow::On))
    }

    fn pass_with<D: Source, L: Listener>(
        &mut self,
        one: Loop<'a>,
        number: usize,
        (ty, value): (Type, i32),
        hand: &mut Hand<D, L>,
    ) -> Result<Option<Flow>, Unresolved> {
        self.write(Place::Local(one.local), value);
        hand.story.hear(|| Event::Pass { number, item: Some((one.name.to_owned(), ty, value)) });
        self.pass(one.body, hand)
    }

    /// One pass: how the loop ends, if it ends with it.
    fn pass<D: Source, L: Listener>(
        &mut self,
        body: &'a [Statement],
        hand: &mut Hand<D, L>,
    ) -> Result<Option<Flow>, Unresolved> {
        let flow = self.block(body, hand)?;
        hand.story.hear(|| Event::PassEnded);
        Ok(match flow {
            Flow::On => None,
            Flow::Stop => Some(Flow::On),
            Flow::Return(_) => Some(flow),
        })
    }
}
