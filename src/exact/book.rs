//! What a player sees where he decides, and what a table tells him to do.

use super::board::{Board, Content, Report};
use super::form::Form;
use super::live::Kept;
use super::sketch::{Sketch, Stop};
use crate::plan::program::{Dice, Origin, SiteId, Step};
use crate::plan::{Look, Table};

/// A table, and the reading of the program that it was made with.
pub(super) struct Book<'t, 'p> {
    pub(super) table: &'t Table,
    pub(super) sketch: &'t Sketch<'p>,
}

impl Book<'_, '_> {
    /// Whether the table says anything of a place.
    pub(super) fn has(&self, site: SiteId) -> bool {
        self.table.sites.contains_key(&site)
    }

    /// The move at a stop of any reading of the same program.
    pub(super) fn option(&self, site: SiteId, at: &Stop, board: &Board) -> Option<Content> {
        let seen = |stop: &&Stop| (stop.block, stop.step) == (at.block, at.step);
        let stop = self.sketch.stops.iter().find(seen)?;
        let moves = self.table.sites.get(&site)?;
        let option = moves.moves.get(&seen_at(self.sketch, stop, board))?;
        Some(option.iter().copied().collect())
    }
}

/// What a player sees at a stop.
pub(super) fn seen_at(sketch: &Sketch, stop: &Stop, board: &Board) -> Vec<i32> {
    let mut seen = Vec::new();
    for kept in &stop.kept {
        match kept {
            Kept::Slot(slot) => seen.push(board.slots[slot.0]),
            Kept::Left(one) => seen.push(board.left[one.0]),
            Kept::Heap(heap) => {
                let content = &board.heaps[heap.0];
                let Form::Dice { ordered, rollable } = sketch.forms[heap.0] else { continue };
                let length = 1 + usize::from(rollable);
                let die = |words: &[i32]| (words[0], words.get(1).map(|sort| sort_seen(sketch, *sort)));
                let mut dice: Vec<(i32, Option<i32>)> = content.chunks(length).map(die).collect();
                if !ordered {
                    dice.sort_unstable();
                }
                seen.push(dice.len() as i32);
                seen.extend(dice.into_iter().flat_map(|(face, sort)| [Some(face), sort]).flatten());
            }
        }
    }
    // those of the table's own reading come first
    let records = sketch.question.records.len();
    let told = |words: &[i32]| match Report::of_words(words) {
        Report::Nothing => [0, 0],
        Report::Added(value) | Report::Just(value) => [1, value],
    };
    seen.extend(board.reports.chunks(2).take(records).flat_map(told));
    seen
}

/// A sort as a player sees it: how many faces there are, below 0 where they are its own.
fn sort_seen(sketch: &Sketch, sort: i32) -> i32 {
    let own = usize::try_from(-1 - i64::from(sort)).ok().and_then(|at| sketch.own_faces.get(at));
    own.map_or(sort, |faces| -(faces.len() as i32))
}

/// What a player looks at, at a stop; `None` where something has no name.
pub(super) fn looks(sketch: &Sketch, stop: &Stop, site: SiteId) -> Option<Vec<Look>> {
    let program = sketch.program;
    let from = stop.step.and_then(|step| match &program.blocks[stop.block.0].steps[step] {
        Step::Keep(_, Dice::Picked(from, _)) => Some(*from),
        _ => None,
    });
    let site = &program.sites[site.0];
    let look = |kept: &Kept| {
        Some(match kept {
            Kept::Slot(slot) => match site.slots.iter().find(|(_, lies)| lies == slot)?.0 {
                Origin::Cell(factor) => Look::Cell(factor),
                Origin::Local(call, local) => Look::Local(call, local),
            },
            Kept::Heap(heap) => {
                let Form::Dice { ordered, rollable } = sketch.forms[heap.0] else { return None };
                let place = if from == Some(*heap) { None } else { Some(program.heaps[heap.0].origin?) };
                Look::Dice { place, ordered, sorts: rollable }
            }
            Kept::Left(one) => Look::Left(program.loops[one.0].span),
        })
    };
    let mut looks: Vec<Look> = stop.kept.iter().map(look).collect::<Option<_>>()?;
    looks.extend(sketch.question.records.iter().map(|record| Look::Record(*record)));
    Some(looks)
}
