//! A program without what nobody needs: blocks that nobody reaches, slots that nobody reads. What is left is numbered in
//! the order in which it first comes up.

use super::Lower;
use super::join::Draft;
use super::names::{Name, in_exit, in_step};
use crate::plan::program::{Block, BlockId, Dice, Exit, HeapId, Loop, LoopId, Program, SiteId, SlotId, Step};

/// The program that is written.
pub(super) fn tidy(lower: Lower) -> Program {
    let Lower { blocks, slots, heaps, loops, sites, .. } = lower;
    let mut draft = Written { blocks, loops, slots: slots.len(), heaps: heaps.len() };
    loop {
        draft.skip_idle_blocks();
        draft.chain_blocks();
        if !draft.drop_unread() {
            break;
        }
    }
    let mut numbers = Numbers::new(slots.len(), heaps.len(), sites.len());
    let (blocks, loops) = draft.numbered(&mut numbers);
    let known = |slot: SlotId| numbers.slots.new[slot.0].map(SlotId);
    let site = |at: usize| {
        let mut site = sites[at].clone();
        site.slots =
            site.slots.into_iter().filter_map(|(origin, slot)| Some((origin, known(slot)?))).collect();
        site
    };
    Program {
        blocks,
        slots: numbers.slots.old.iter().map(|slot| slots[*slot].clone()).collect(),
        heaps: numbers.heaps.old.iter().map(|heap| heaps[*heap].clone()).collect(),
        loops,
        sites: numbers.sites.old.iter().map(|site_of| site(*site_of)).collect(),
    }
}

struct Written {
    blocks: Vec<Draft>,
    loops: Vec<Loop>,
    slots: usize,
    heaps: usize,
}

/// What came up so far.
struct Numbers {
    slots: Renumbered,
    heaps: Renumbered,
    sites: Renumbered,
}

/// The old number of each new one, and the new number of each old one.
struct Renumbered {
    old: Vec<usize>,
    new: Vec<Option<usize>>,
}

impl Written {
    /// Ways that lead to blocks in which nothing is done lead further on.
    fn skip_idle_blocks(&mut self) {
        for at in (0..self.blocks.len()).rev() {
            let Some(mut exit) = self.blocks[at].exit.take() else { continue };
            for to in targets(&mut exit) {
                // later blocks skip already; a way back is a way to a head, where something is done
                if let Draft { steps, exit: Some(Exit::Go(next)), .. } = &self.blocks[to.0]
                    && steps.is_empty()
                    && to.0 > at
                {
                    *to = *next;
                }
            }
            if let Exit::Branch(_, one, other) | Exit::Pass(_, one, other) = &exit
                && one == other
            {
                exit = Exit::Go(*one);
            }
            self.blocks[at].exit = Some(exit);
        }
    }

    /// Whether a trial can come to each block, and how many ways lead there.
    fn ways(&mut self) -> Vec<usize> {
        let mut ways = vec![0; self.blocks.len()];
        ways[0] = 1;
        for at in 0..self.blocks.len() {
            if ways[at] == 0 {
                continue; // only a head is reached from behind, and that from before as well
            }
            if let Some(exit) = &mut self.blocks[at].exit {
                targets(exit).into_iter().for_each(|to| ways[to.0] += 1);
            }
        }
        ways
    }

    /// A block to which only one way leads becomes the end of the one before, within the same loops.
    fn chain_blocks(&mut self) {
        let ways = self.ways();
        let inside = |block: usize, one: &Loop| (one.head.0..one.end.0).contains(&block);
        for at in 0..self.blocks.len() {
            while ways[at] > 0
                && let Some(Exit::Go(next)) = self.blocks[at].exit
                && next.0 > at
                && ways[next.0] == 1
                && !matches!(self.blocks[next.0].exit, Some(Exit::Pass(..)))
                && self.loops.iter().all(|one| inside(at, one) == inside(next.0, one) && one.head != next)
            {
                let Draft { steps, exit, .. } = std::mem::take(&mut self.blocks[next.0]);
                self.blocks[at].steps.extend(steps);
                self.blocks[at].exit = exit;
            }
        }
    }

    /// Drops steps that only fill what nobody looks at; says whether there were any. Dice stay.
    fn drop_unread(&mut self) -> bool {
        let ways = self.ways();
        let mut any = false;
        loop {
            let (mut slots, mut heaps) = (vec![false; self.slots], vec![false; self.heaps]);
            let mut read = |name: Name| match name {
                Name::Reads(slot) => slots[slot.0] = true,
                Name::Asks(heap) => heaps[heap.0] = true,
                _ => {}
            };
            for (block, _) in self.blocks.iter_mut().zip(&ways).filter(|(_, ways)| **ways > 0) {
                block.steps.iter_mut().for_each(|step| in_step(step, &mut read));
                block.exit.iter_mut().for_each(|exit| in_exit(exit, &mut read));
            }
            let mut dropped = false;
            for block in &mut self.blocks {
                let before = block.steps.len();
                block.steps.retain(|step| match step {
                    Step::Set(slot, _) => slots[slot.0],
                    Step::Keep(heap, dice) => heaps[heap.0] || rolls(dice),
                    Step::SetItem(heap, ..) => heaps[heap.0],
                    _ => true,
                });
                dropped |= block.steps.len() < before;
            }
            if !dropped {
                return any;
            }
            any = true;
        }
    }

    /// The blocks that are reached, and the loops that they make.
    fn numbered(mut self, numbers: &mut Numbers) -> (Vec<Block>, Vec<Loop>) {
        let ways = self.ways();
        // how many blocks that are reached stand before each
        let mut before = vec![0; self.blocks.len() + 1];
        for (at, ways) in ways.iter().enumerate() {
            before[at + 1] = before[at] + usize::from(*ways > 0);
        }
        let here = |block: BlockId| BlockId(before[block.0]);
        let kept = self.kept_loops(&ways);
        let mut blocks = Vec::new();
        for (block, _) in self.blocks.into_iter().zip(&ways).filter(|(_, ways)| **ways > 0) {
            let Draft { mut steps, exit, .. } = block;
            let mut exit = exit.unwrap_or(Exit::Unresolved);
            targets(&mut exit).into_iter().for_each(|to| *to = here(*to));
            steps.retain(|step| !matches!(step, Step::Enter(id, _) if !kept.contains(&id.0)));
            let mut rename = |name: Name| numbers.rename(name, &kept);
            steps.iter_mut().for_each(|step| in_step(step, &mut rename));
            in_exit(&mut exit, &mut rename);
            blocks.push(Block { steps, exit });
        }
        let renamed = |at: &usize| Loop {
            head: here(self.loops[*at].head),
            end: here(self.loops[*at].end),
            ..self.loops[*at].clone()
        };
        (blocks, kept.iter().map(renamed).collect())
    }

    /// The loops that are reached, but for those whose first pass always leaves them.
    fn kept_loops(&mut self, ways: &[usize]) -> Vec<usize> {
        let mut goes_round = vec![false; self.loops.len()];
        for (at, block) in self.blocks.iter_mut().enumerate().filter(|(at, _)| ways[*at] > 0) {
            let Some(exit) = &mut block.exit else { continue };
            if let Exit::Pass(id, ..) = exit {
                goes_round[id.0] = true;
            }
            for to in targets(exit).into_iter().filter(|to| to.0 <= at) {
                for (one, goes_round) in self.loops.iter().zip(&mut goes_round) {
                    *goes_round |= one.head == *to;
                }
            }
        }
        (0..self.loops.len()).filter(|at| goes_round[*at]).collect()
    }
}

impl Numbers {
    fn new(slots: usize, heaps: usize, sites: usize) -> Self {
        let none = |count| Renumbered { old: Vec::new(), new: vec![None; count] };
        Self { slots: none(slots), heaps: none(heaps), sites: none(sites) }
    }

    fn rename(&mut self, name: Name, loops: &[usize]) {
        match name {
            Name::Reads(slot) | Name::Sets(slot) => *slot = SlotId(self.slots.number(slot.0)),
            Name::Asks(heap) | Name::Keeps(heap) => *heap = HeapId(self.heaps.number(heap.0)),
            Name::Site(site) => *site = SiteId(self.sites.number(site.0)),
            Name::Loop(id) => *id = LoopId(loops.iter().position(|one| *one == id.0).unwrap_or(0)),
        }
    }
}

impl Renumbered {
    /// The number of what comes up, new or not.
    fn number(&mut self, old: usize) -> usize {
        *self.new[old].get_or_insert_with(|| {
            self.old.push(old);
            self.old.len() - 1
        })
    }
}

/// Where the end of a block leads.
fn targets(exit: &mut Exit) -> Vec<&mut BlockId> {
    match exit {
        Exit::Go(to) => vec![to],
        Exit::Branch(_, one, other) | Exit::Pass(_, one, other) => vec![one, other],
        Exit::Done(_) | Exit::Unresolved => Vec::new(),
    }
}

const fn rolls(dice: &Dice) -> bool {
    !matches!(dice, Dice::Join(_) | Dice::List(_) | Dice::Copy(_) | Dice::Filter(..) | Dice::Extreme(..))
}
