//! Counts of stretches of trials, as pieces that never overlap.
//!
//! In: chunks as they are finished, and pieces that were kept. Out: what is known of a stretch, and its gaps.
//!
//! **Never:** files. A piece is taken whole or not at all; a short chunk counts only where just as many trials are asked for.

use crate::plan::{CHUNK, ContentId, Plan, Tally};
use crate::rules::RecordId;
use crate::simulate::Stretch;
use std::collections::BTreeMap;
use std::ops::Range;

/// What counts must have in common to be added up.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(in crate::study) struct Key {
    /// What was sampled.
    pub(super) plan: ContentId,
    /// The seed of the dice.
    pub(super) seed: u64,
    /// Who played.
    pub(super) engine: Engine,
    /// The names of the records that were counted together, with commas between them.
    pub(super) joint: String,
}

/// Who plays a plan; the two roll different dice.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Engine {
    /// Many trials at once.
    Kernel,
    /// One trial after another.
    Interpreter,
}

impl Engine {
    const ALL: [Self; 2] = [Self::Kernel, Self::Interpreter];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Kernel => "kernel",
            Self::Interpreter => "interpreter",
        }
    }

    pub(super) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|engine| engine.name() == name)
    }
}

impl Key {
    /// What a plan's counts under a seed have in common.
    pub(in crate::study) fn of(plan: &Plan, seed: u64) -> Self {
        let names = plan.joint.iter().map(|record| plan.rules.records[record.0].name.as_str());
        let joint = names.collect::<Vec<_>>().join(",");
        let engine = if plan.program.is_some() { Engine::Kernel } else { Engine::Interpreter };
        Self { plan: plan.id, seed, engine, joint }
    }
}

/// The counts of several plans.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(in crate::study) struct Counts {
    pub(super) groups: BTreeMap<Key, Group>,
    /// Whether anything is here that is not yet written.
    pub(super) changed: bool,
}

/// The counts that may be added up.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Group {
    /// What the records are called.
    pub(super) names: BTreeMap<RecordId, String>,
    /// Runs of whole chunks by the number of the first, none over another.
    pub(super) whole: BTreeMap<u64, Piece>,
    /// Short chunks by the number of trials up to their end.
    pub(super) short: BTreeMap<u64, Tally>,
}

/// A run of whole chunks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Piece {
    /// One past the last chunk.
    pub(super) end: u64,
    /// Whether it was asked for as it is. It is then never joined with a neighbour: who looked at so many trials before
    /// going on will do so again.
    pub(super) settled: bool,
    /// What was counted.
    pub(super) tally: Tally,
}

impl Counts {
    /// What is known of some trials of a plan, and the stretches that are missing.
    pub(in crate::study) fn look(&self, key: &Key, trials: Range<u64>) -> (Tally, Vec<Range<u64>>) {
        let none = Group::default();
        let group = self.groups.get(key).unwrap_or(&none);
        let (mut tally, mut gaps) = (Tally::default(), Vec::new());
        let chunks = whole(&trials);
        let mut at = chunks.start;
        for (start, piece) in group.whole.range(chunks.clone()).filter(|(_, piece)| piece.end <= chunks.end) {
            gaps.extend((at < *start).then(|| at * CHUNK..start * CHUNK));
            tally.add(&piece.tally);
            at = piece.end;
        }
        gaps.extend((at < chunks.end).then(|| at * CHUNK..chunks.end * CHUNK));
        let rest = chunks.end * CHUNK..trials.end;
        match group.short.get(&trials.end) {
            Some(known) if !rest.is_empty() => tally.add(known),
            _ => gaps.extend((!rest.is_empty()).then_some(rest)),
        }
        (tally, gaps)
    }

    /// Adds a stretch that was just played: whole chunks, or a short one.
    pub(in crate::study) fn insert(&mut self, seed: u64, stretch: &Stretch<'_>, tally: &Tally) {
        let (plan, Range { start, end }) = (stretch.plan, stretch.trials.clone());
        let group = self.groups.entry(Key::of(plan, seed)).or_default();
        for record in
            tally.records.keys().filter(|record| !group.names.contains_key(record)).collect::<Vec<_>>()
        {
            group.names.insert(*record, plan.rules.records[record.0].name.clone());
        }
        if end % CHUNK == 0 {
            let piece = Piece { end: end / CHUNK, settled: false, tally: tally.clone() };
            group.put(start / CHUNK, piece);
        } else {
            group.short.insert(end, tally.clone());
        }
        self.changed = true;
    }

    /// Marks the pieces within some trials of a plan as asked for.
    pub(in crate::study) fn settle(&mut self, key: &Key, trials: Range<u64>) {
        let chunks = whole(&trials);
        let pieces =
            self.groups.get_mut(key).into_iter().flat_map(|group| group.whole.range_mut(chunks.clone()));
        for (_, piece) in pieces.filter(|(_, piece)| piece.end <= chunks.end && !piece.settled) {
            piece.settled = true;
            self.changed = true;
        }
    }

    /// Adds all that others hold and is not known here. Hands back how many pieces were left out although some of
    /// their chunks are not known otherwise: they share other chunks with longer pieces.
    pub(in crate::study) fn absorb(&mut self, others: Self) -> usize {
        let mut torn = 0;
        for (key, other) in others.groups {
            let group = self.groups.entry(key).or_default();
            group.names.extend(other.names);
            for (end, tally) in other.short {
                group.short.entry(end).or_insert(tally);
            }
            torn += other.whole.into_iter().filter(|(start, piece)| group.put(*start, piece.clone())).count();
        }
        torn
    }
}

impl Group {
    /// Adds a piece, unless as many of its chunks are known already as it has or more; joins it with its neighbours. Says
    /// whether chunks are lost that are not known otherwise.
    pub(super) fn put(&mut self, start: u64, piece: Piece) -> bool {
        let over = self.whole.range(..piece.end).rev().take_while(|(_, other)| other.end > start);
        let over: Vec<(u64, u64)> = over.map(|(start, other)| (*start, other.end)).collect();
        let inside: u64 = over.iter().map(|(from, to)| to.min(&piece.end) - from.max(&start)).sum();
        if over.iter().map(|(from, to)| to - from).sum::<u64>() >= piece.end - start {
            return inside < piece.end - start;
        }
        over.iter().for_each(|(from, _)| drop(self.whole.remove(from)));
        let end = piece.end;
        self.join(start, piece);
        over.iter().any(|(from, to)| *from < start || *to > end)
    }

    /// Puts a piece where there is none, as one with neighbours that may be joined.
    fn join(&mut self, mut start: u64, mut piece: Piece) {
        if !piece.settled {
            let before = self.whole.range(..start).next_back();
            if let Some(at) =
                before.filter(|(_, other)| other.end == start && !other.settled).map(|(at, _)| *at)
                && let Some(mut before) = self.whole.remove(&at)
            {
                before.tally.add(&piece.tally);
                (start, piece) = (at, Piece { end: piece.end, ..before });
            }
            if self.whole.get(&piece.end).is_some_and(|after| !after.settled)
                && let Some(after) = self.whole.remove(&piece.end)
            {
                piece.tally.add(&after.tally);
                piece.end = after.end;
            }
        }
        self.whole.insert(start, piece);
    }
}

/// The whole chunks among some trials, of which the first is the first of a chunk.
fn whole(trials: &Range<u64>) -> Range<u64> {
    trials.start / CHUNK..trials.end / CHUNK
}
