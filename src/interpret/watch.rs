//! What a player sees where a table tells him what to do, and the move that stands there.
//!
//! **Never:** what a move is good for.

use super::{Frame, Table};
use crate::dice::roll::{Die, Sort};
use crate::plan::program::{Origin, Site, SiteId};
use crate::plan::{Look, Moves};
use crate::rules::{ChoiceId, Span};

/// The way to where a trial is, which only players who go by a table must know.
#[derive(Debug, Default)]
pub(super) struct Watch {
    /// The calls and the loops that are under way, outermost first.
    way: Vec<Way>,
    /// Where each call's locals and pools begin.
    frames: Vec<Frame>,
}

/// A call or a loop.
#[derive(Debug)]
struct Way {
    span: Span,
    /// The unit that a call is for, or the number of a loop's pass.
    number: Option<usize>,
    /// How many passes of a loop are left.
    left: i32,
}

impl<'a> Table<'a> {
    /// A call begins; the entry's stands nowhere.
    pub(super) fn watch_call(&mut self, span: Option<Span>, unit: Option<usize>) {
        let frame = self.frame;
        if let Some(watch) = &mut self.watch {
            watch.frames.push(frame);
            watch.way.extend(span.map(|span| Way { span, number: unit, left: 0 }));
        }
    }

    pub(super) fn watch_return(&mut self) {
        if let Some(watch) = &mut self.watch {
            watch.frames.pop();
            watch.way.pop();
        }
    }

    pub(super) fn watch_loop(&mut self, span: Span) {
        if let Some(watch) = &mut self.watch {
            watch.way.push(Way { span, number: None, left: 0 });
        }
    }

    /// Notes the number of a pass, and how many are left.
    pub(super) fn watch_pass(&mut self, number: usize, left: i32) {
        if let Some(way) = self.watch.as_mut().and_then(|watch| watch.way.last_mut()) {
            (way.number, way.left) = (Some(number), left);
        }
    }

    pub(super) fn watch_end(&mut self) {
        if let Some(watch) = &mut self.watch {
            watch.way.pop();
        }
    }

    /// What the table says of a choice that stands there; nothing where it does not matter. `dice` are those to pick
    /// from.
    pub(super) fn advised(&self, choice: ChoiceId, span: Span, dice: &[Die]) -> Option<&'a [i32]> {
        let plan = self.plan;
        let (table, program, watch) =
            (plan.table.as_deref()?, plan.program.as_deref()?, self.watch.as_ref()?);
        let leads_here = |site: &Site| site.choice == choice && watch.is_at(site, span);
        let sites = program.sites.iter().enumerate().filter(|(_, site)| leads_here(site));
        let (near, far): (Vec<_>, Vec<_>) = sites.partition(|(_, site)| self.knows(site));
        let moves: Vec<&Moves> =
            near.into_iter().chain(far).filter_map(|(at, _)| table.sites.get(&SiteId(at))).collect();
        let found = moves.iter().find_map(|moves| moves.moves.get(&self.seen(&moves.looks, dice)?));
        debug_assert!(found.is_some() || moves.is_empty(), "no move for what {choice:?} sees");
        found.map(Vec::as_slice)
    }

    /// Whether all is as the program knows it to be there.
    fn knows(&self, site: &Site) -> bool {
        let level = self.watch.as_ref().map_or(0, |watch| watch.frames.len().saturating_sub(1));
        site.known.iter().all(|(origin, value)| {
            let now = match origin {
                Origin::Cell(factor) => Some(self.factors[factor.0]),
                Origin::Local(call, local) if *call == level => self.local(*call, local.0),
                Origin::Local(..) => None,
            };
            now == Some(*value)
        })
    }

    fn local(&self, call: usize, local: usize) -> Option<i32> {
        let frame = self.watch.as_ref()?.frames.get(call)?;
        self.locals.get(frame.locals + local).copied()
    }

    /// The numbers of all looks, one after another.
    fn seen(&self, looks: &[Look], dice: &[Die]) -> Option<Vec<i32>> {
        let mut seen = Vec::new();
        for look in looks {
            match look {
                Look::Cell(factor) => seen.push(self.factors[factor.0]),
                Look::Local(call, local) => seen.push(self.local(*call, local.0)?),
                Look::Left(span) => seen.push(self.watch.as_ref()?.left(*span)?),
                Look::Record(record) => match self.records[record.0] {
                    Some(value) => seen.extend([1, i32::try_from(value).ok()?]),
                    None => seen.extend([0, 0]),
                },
                Look::Dice { place, ordered, sorts } => {
                    let dice = match place {
                        None => dice,
                        Some((call, pool)) => {
                            let frame = self.watch.as_ref()?.frames.get(*call)?;
                            self.pools.get(frame.pools + pool.0)?
                        }
                    };
                    tell(dice, *ordered, *sorts, &mut seen);
                }
            }
        }
        Some(seen)
    }
}

impl Watch {
    /// Whether the way to here is the one to a site.
    fn is_at(&self, site: &Site, span: Span) -> bool {
        let Some(((last, _), path)) = site.path.split_last() else { return false };
        let same = |((there, number), way): (&(Span, Option<usize>), &Way)| {
            *there == way.span && (number.is_none() || *number == way.number)
        };
        *last == span && path.len() == self.way.len() && path.iter().zip(&self.way).all(same)
    }

    fn left(&self, span: Span) -> Option<i32> {
        self.way.iter().rev().find(|way| way.span == span).map(|way| way.left)
    }
}

/// How many dice there are, what each shows, and of which sort it is where that matters.
fn tell(dice: &[Die], ordered: bool, sorts: bool, seen: &mut Vec<i32>) {
    let sort = |die: &Die| match die.sort {
        None => 0,
        Some(Sort::Faces(faces)) => faces as i32,
        Some(Sort::Own(faces)) => -(faces.len() as i32),
    };
    let mut told: Vec<(i32, Option<i32>)> =
        dice.iter().map(|die| (die.shows, sorts.then(|| sort(die)))).collect();
    if !ordered {
        told.sort_unstable();
    }
    seen.push(told.len() as i32);
    seen.extend(told.into_iter().flat_map(|(shows, sort)| [Some(shows), sort]).flatten());
}
