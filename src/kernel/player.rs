//! What a player looks at where he decides, and what a table tells him to do.
//!
//! In: a plan whose table says what is best. Out: for each place, values to look at, and the moves by what they come to.
//! **Never:** columns.

use super::plain::apply;
use crate::plan::program::{
    HeapId, Loop, LoopId, Operation, Origin, PoolId, Program, RecordId, SiteId, SlotId, Value,
};
use crate::plan::{Look, Moves, Plan};
use std::collections::{BTreeMap, BTreeSet};

/// Somebody who decides at one place.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Player {
    /// What he looks at, in this order.
    pub(super) looks: Vec<Seen>,
    /// What he sees, and the move; nothing where it does not matter what he does.
    pub(super) moves: BTreeMap<Vec<i32>, Vec<i32>>,
}

/// Something to look at.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Seen {
    Number(Value),
    /// The dice of a hand, or those to pick from: whether as they lie, and whether with their sorts.
    Hand(Option<HeapId>, bool, bool),
}

/// Where the dice of a name lie: by the call, and the name there. Calls that are not under way at once have the same
/// names.
pub(super) type Named = BTreeMap<(usize, PoolId), HeapId>;

/// What a player may ask for.
pub(super) struct Told<'t> {
    /// Which block of the program this is.
    pub(super) block: usize,
    /// Where dice lie here.
    pub(super) named: &'t Named,
    /// For each loop, how many passes were begun, and how many there may be.
    pub(super) loops: &'t BTreeMap<LoopId, (SlotId, Value)>,
    /// Each record, its value, and whether there is one.
    pub(super) records: &'t [(RecordId, SlotId, SlotId)],
}

/// The heaps that some player looks at: their dice lie in order.
pub(super) fn looked_at(plan: &Plan, program: &Program) -> BTreeSet<HeapId> {
    let sites = plan.table.iter().flat_map(|table| table.sites.values());
    let looks = sites.flat_map(|moves| &moves.looks);
    let places: Vec<_> = looks
        .filter_map(|look| match look {
            Look::Dice { place, .. } => *place,
            _ => None,
        })
        .collect();
    let heaps = program.heaps.iter().enumerate();
    let looked_at = heaps.filter(|(_, heap)| heap.origin.is_some_and(|place| places.contains(&place)));
    looked_at.map(|(heap, _)| HeapId(heap)).collect()
}

impl Player {
    /// Who decides at a place.
    pub(super) fn new(plan: &Plan, program: &Program, site: SiteId, told: &Told) -> Self {
        let Some(moves) = plan.table.as_ref().and_then(|table| table.sites.get(&site)) else {
            return Self::default();
        };
        Self { looks: looks(moves, program, site, told), moves: moves.moves.clone() }
    }

    /// Tells the values that the player looks at.
    pub(super) fn parts<'v>(&'v self, each: &mut impl FnMut(&'v Value)) {
        for look in &self.looks {
            if let Seen::Number(value) = look {
                each(value);
            }
        }
    }
}

fn looks(moves: &Moves, program: &Program, site: SiteId, told: &Told) -> Vec<Seen> {
    let place = &program.sites[site.0];
    let origin = |origin: Origin| {
        let slot = place.slots.iter().find(|(here, _)| *here == origin).map(|(_, slot)| Value::Slot(*slot));
        let known = || place.known.iter().find(|(here, _)| *here == origin).map(|(_, value)| *value);
        slot.unwrap_or_else(|| Value::Constant(known().unwrap_or(0)))
    };
    let mut looks = Vec::new();
    for look in &moves.looks {
        match *look {
            Look::Cell(factor) => looks.push(Seen::Number(origin(Origin::Cell(factor)))),
            Look::Local(call, local) => looks.push(Seen::Number(origin(Origin::Local(call, local)))),
            Look::Dice { place, ordered, sorts } => {
                let heap = place.and_then(|place| told.named.get(&place));
                looks.push(Seen::Hand(heap.copied(), ordered, sorts));
            }
            Look::Left(span) => {
                let is_here = |one: &Loop| (one.head.0..one.end.0).contains(&told.block) && one.span == span;
                let one = program.loops.iter().position(is_here).map(LoopId);
                let left = one
                    .and_then(|one| told.loops.get(&one))
                    .map(|(begun, most)| apply(Operation::Subtract, vec![most.clone(), Value::Slot(*begun)]));
                looks.push(Seen::Number(left.unwrap_or(Value::Constant(0))));
            }
            Look::Record(record) => {
                let known = told.records.iter().find(|(known, ..)| *known == record);
                let [has, value] = known
                    .map_or([Value::Constant(0), Value::Constant(0)], |(_, value, has)| {
                        [*has, *value].map(Value::Slot)
                    });
                looks.extend([Seen::Number(has), Seen::Number(value)]);
            }
        }
    }
    looks
}
