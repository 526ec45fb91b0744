//! Counted loops as chains: one pass is followed once for each state that it may begin in, then the chain is stepped.

use super::board::Report;
use super::follow::{Follow, Halt, scaled};
use super::live::{Kept, each_read, reads, sets};
use super::mass::{Key, Mass, Waiting};
use super::number::Number;
use super::sketch::{DONE, Sketch, StopId, UNRESOLVED};
use crate::plan::program::{BlockId, Exit, LoopId, Operation, SlotId, Step, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// A counted loop: its head, and where it goes on with one more pass or without.
#[derive(Clone, Debug)]
pub(super) struct Ring {
    pub(super) one: LoopId,
    pub(super) head: StopId,
    more: BlockId,
    full: BlockId,
    /// What a pass looks at or changes, of what is kept at the head; the counter and `sums` aside.
    touched: BTreeSet<Kept>,
    /// Slots that a pass adds to and does not look at otherwise.
    sums: Vec<SlotId>,
    /// Whether nothing behind the loop reckons with these either.
    pub(super) sums_are_only_told: bool,
}

impl Ring {
    /// Sums and reports with what comes to them; `None` where that does not fit.
    fn shift(&self, shift: &Shift, more: &Shift) -> Option<Shift> {
        if shift.is_empty() || more.is_empty() {
            return Some(shift.clone());
        }
        let sums = self.sums.len();
        let sum = |(sum, more): (&i32, &i32)| sum.checked_add(*more);
        let mut both: Shift = shift.iter().zip(more).take(sums).map(sum).collect::<Option<_>>()?;
        for (before, then) in shift[sums..].chunks(2).zip(more[sums..].chunks(2)) {
            both.extend(Report::of_words(before).then(Report::of_words(then))?.words());
        }
        Some(both)
    }

    pub(super) fn at(sketch: &Sketch, head: StopId) -> Option<Self> {
        let stop = &sketch.stops[head as usize];
        let Exit::Pass(one, more, full) = sketch.program.blocks[stop.block.0].exit else { return None };
        let mut touched = BTreeSet::new();
        let (mut added, mut read) = (BTreeSet::new(), BTreeSet::new());
        for at in sketch.core(one) {
            let block = &sketch.program.blocks[at.0];
            for step in sketch.steps(at) {
                if let Some((slot, value)) = sum(step) {
                    added.insert(slot);
                    each_read(value, &mut |kept| _ = read.insert(kept));
                } else {
                    reads(step, &mut |kept| _ = read.insert(kept));
                    read.extend(sets(step));
                }
            }
            match &block.exit {
                Exit::Branch(value, ..) | Exit::Done(value) => {
                    each_read(value, &mut |kept| _ = read.insert(kept))
                }
                Exit::Pass(inner, ..) => _ = read.insert(Kept::Left(*inner)),
                Exit::Go(_) | Exit::Unresolved => {}
            }
        }
        let is_sum =
            |slot: &SlotId| !read.contains(&Kept::Slot(*slot)) && stop.kept.contains(&Kept::Slot(*slot));
        let sums: Vec<SlotId> = added.iter().copied().filter(is_sum).collect();
        touched.extend(read);
        touched.extend(added.into_iter().filter(|slot| !sums.contains(slot)).map(Kept::Slot));
        touched.remove(&Kept::Left(one));
        let sums_are_only_told = !sums.iter().any(|slot| is_reckoned_with(sketch, *slot));
        Some(Self { one, head, more, full, touched, sums, sums_are_only_told })
    }
}

/// Whether anything is done with a slot but to add to it, and to report it or end with it as it is.
fn is_reckoned_with(sketch: &Sketch, slot: SlotId) -> bool {
    let mut read = BTreeSet::new();
    for (at, block) in sketch.program.blocks.iter().enumerate() {
        for step in sketch.steps(BlockId(at)) {
            match step {
                Step::Record(.., Value::Slot(_)) => {}
                step => match sum(step) {
                    Some((_, value)) => each_read(value, &mut |kept| _ = read.insert(kept)),
                    None => reads(step, &mut |kept| _ = read.insert(kept)),
                },
            }
        }
        match &block.exit {
            Exit::Branch(value, ..) => each_read(value, &mut |kept| _ = read.insert(kept)),
            Exit::Done(Value::Slot(_)) => {}
            Exit::Done(value) => each_read(value, &mut |kept| _ = read.insert(kept)),
            Exit::Go(_) | Exit::Pass(..) | Exit::Unresolved => {}
        }
    }
    read.contains(&Kept::Slot(slot))
}

/// A step that only adds to a slot (or takes from it): the slot, and what.
fn sum(step: &Step) -> Option<(SlotId, &Value)> {
    let Step::Set(slot, Value::Apply(operation, operands)) = step else { return None };
    let (Operation::Add | Operation::Subtract, [Value::Slot(sum), value]) = (operation, &operands[..]) else {
        return None;
    };
    (sum == slot).then_some((*slot, value))
}

/// The chain of a loop: the states that it can be in at its head, counter, sums and reports aside, and the places to which
/// it is left.
pub(super) struct Chain<N> {
    states: Numbered<Key>,
    outs: Numbered<(StopId, Key)>,
    shifts: Numbered<Shift>,
    /// For each state, where one more pass leads; worked out when it is first needed.
    jumps: Vec<Option<Rc<Jumps<N>>>>,
}

/// Things with numbers, in the order in which they came.
struct Numbered<T> {
    all: Vec<T>,
    numbers: BTreeMap<T, usize>,
}

impl<T: Ord + Clone> Numbered<T> {
    fn new() -> Self {
        Self { all: Vec::new(), numbers: BTreeMap::new() }
    }

    fn number(&mut self, thing: T) -> usize {
        *self.numbers.entry(thing).or_insert_with_key(|thing| {
            self.all.push(thing.clone());
            self.all.len() - 1
        })
    }
}

/// Where a pass leads from one state, with weights over a denominator.
pub(super) struct Jumps<N> {
    pub(super) whole: N,
    /// Each with the number of what comes to sums and reports on the way.
    pub(super) to: Vec<(Place, usize, N)>,
}

/// Sums, then the words of reports; or what comes to them.
pub(super) type Shift = Key;

/// A state of a chain, or a place outside, by its number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Place {
    State(usize),
    Out(usize),
}

impl<N: Number> Chain<N> {
    pub(super) fn new() -> Self {
        Self { states: Numbered::new(), outs: Numbered::new(), shifts: Numbered::new(), jumps: Vec::new() }
    }

    pub(super) fn shift(&self, number: usize) -> &Shift {
        &self.shifts.all[number]
    }

    pub(super) fn len(&self) -> usize {
        self.states.all.len()
    }

    pub(super) fn out(&self, number: usize) -> (StopId, Key) {
        self.outs.all[number].clone()
    }
}

/// Weights by place, for each shift.
type Weights<N> = BTreeMap<Shift, Places<N>>;

/// Weights by number.
type Places<N> = Vec<Option<N>>;

fn add<N: Number>(weights: &mut Places<N>, at: usize, weight: N) {
    if weights.len() <= at {
        weights.resize(at + 1, None);
    }
    match &mut weights[at] {
        Some(sum) => sum.plus(&weight),
        none => *none = Some(weight),
    }
}

fn add_all<N: Number>(weights: &mut Weights<N>, shift: &Shift, more: Places<N>) {
    match weights.get_mut(shift) {
        None if more.is_empty() => {}
        None => _ = weights.insert(shift.clone(), more),
        Some(weights) => {
            let more = more.into_iter().enumerate();
            more.for_each(|(at, weight)| weight.into_iter().for_each(|weight| add(weights, at, weight)));
        }
    }
}

fn scale<N: Number>(weights: &mut Weights<N>, by: &N) {
    if *by != N::one() {
        let weights = weights.values_mut().flatten().flatten();
        weights.for_each(|weight| *weight = weight.times(by));
    }
}

/// A loop without its cap is stepped so often at most.
const MOST_PASSES: i32 = 100_000;

/// A chain that is stepped.
struct Stepping<N> {
    chain: Chain<N>,
    /// At the head.
    here: Weights<N>,
    /// Outside.
    outs: Weights<N>,
    /// The denominator of both.
    whole: N,
}

impl<N: Number> Stepping<N> {
    /// Whether next to nothing is left at the head.
    fn is_worn_out(&self) -> bool {
        self.here.values().flatten().flatten().all(|weight| weight.dust().is_some())
    }

    /// Where all states with one shift go; `by` is what the denominator grows by.
    fn spread(
        &mut self,
        ring: &Ring,
        shift: &Shift,
        begun: Vec<(N, Rc<Jumps<N>>)>,
        by: &N,
    ) -> Result<(), Halt> {
        let mut next: Vec<(Places<N>, Places<N>)> = Vec::new();
        for (weight, jumps) in begun {
            let weight = scaled(&weight, &by.over(&jumps.whole));
            for (place, more, way) in &jumps.to {
                if next.len() <= *more {
                    next.resize(more + 1, (Places::new(), Places::new()));
                }
                match place {
                    Place::State(state) => add(&mut next[*more].0, *state, weight.times(way)),
                    Place::Out(out) => add(&mut next[*more].1, *out, weight.times(way)),
                }
            }
        }
        for (more, (here, outs)) in next.into_iter().enumerate() {
            if here.is_empty() && outs.is_empty() {
                continue;
            }
            let shift = ring.shift(shift, self.chain.shift(more)).ok_or(Halt::Large)?;
            add_all(&mut self.here, &shift, here);
            add_all(&mut self.outs, &shift, outs);
        }
        Ok(())
    }
}

impl<N: Number> Follow<'_, '_, N> {
    /// Steps the chain of a counted loop until all states have left it.
    pub(super) fn chain(
        &mut self,
        head: StopId,
        mass: Mass<N>,
        waiting: &mut Waiting<N>,
    ) -> Result<(), Halt> {
        let Some(ring) = self.ring(head) else { return Ok(()) };
        let without_end = self.without_cap && self.sketch.program.loops[ring.one.0].cap;
        if without_end && N::IS_EXACT {
            return self.leave(&ring, &mass, waiting);
        }
        let (mut chain, mut coming) = (Chain::new(), BTreeMap::new());
        let mut fewest = i32::MAX;
        for (key, weight) in mass.states {
            let left = self.passes_left(&ring, &key);
            fewest = fewest.min(left);
            let (state, shift) = self.state(&ring, &mut chain, &key);
            let coming: &mut Vec<_> = coming.entry(if without_end { MOST_PASSES } else { left }).or_default();
            coming.push((state, shift, weight));
        }
        let proved = if without_end { Some(MOST_PASSES - fewest) } else { None };
        if without_end && !ring.sums_are_only_told {
            return Err(Halt::Budget);
        }
        let mut stepping = Stepping { chain, here: Weights::new(), outs: Weights::new(), whole: mass.whole };
        self.step(&ring, coming, proved, &mut stepping)?;
        let Stepping { chain, here, outs, whole } = stepping;
        // what would go on for good, or next to nothing
        let rest =
            here.into_values().flatten().flatten().map(|weight| (Key::new(), weight)).collect::<Vec<_>>();
        if !rest.is_empty() {
            waiting.add(UNRESOLVED, rest, &whole);
        }
        for (shift, weights) in outs {
            for (out, weight) in weights.into_iter().enumerate() {
                let Some(weight) = weight else { continue };
                let (stop, key) = self.shifted(&ring, chain.out(out), &shift);
                waiting.add(stop, vec![(key, weight)], &whole);
            }
        }
        Ok(())
    }

    fn ring(&mut self, head: StopId) -> Option<Rc<Ring>> {
        if !self.rings.contains_key(&head) {
            self.rings.insert(head, Rc::new(Ring::at(self.sketch, head)?));
        }
        self.rings.get(&head).cloned()
    }

    /// One pass after another, from the states that may make most; the others come in when it is their turn. Without a
    /// cap, states that first come up with no more than `proved` passes left are such as the rules with their cap never
    /// come to: nobody has proved that the rules mean anything there.
    fn step(
        &mut self,
        ring: &Ring,
        mut coming: BTreeMap<i32, Vec<(usize, Shift, N)>>,
        proved: Option<i32>,
        stepping: &mut Stepping<N>,
    ) -> Result<(), Halt> {
        // all weights that are still to come are over the first denominator
        let mut since = N::one();
        while let Some((from, _)) = coming.last_key_value() {
            for left in (0..=*from).rev() {
                for (state, shift, weight) in coming.remove(&left).into_iter().flatten() {
                    add(stepping.here.entry(shift).or_default(), state, scaled(&weight, &since));
                }
                if proved.is_some() && (left == 0 || stepping.is_worn_out()) {
                    return Ok(());
                }
                let states = stepping.chain.jumps.iter().flatten().count();
                let by = self.jump(ring, left > 0, stepping)?;
                let more = stepping.chain.jumps.iter().flatten().count() > states;
                if more && proved.is_some_and(|proved| left <= proved) {
                    return Err(Halt::Budget);
                }
                since = since.times(&by);
                if stepping.here.is_empty() {
                    break;
                }
            }
        }
        Ok(())
    }

    /// One pass of all states, or all of them leave the loop; gives what the denominator grows by.
    fn jump(&mut self, ring: &Ring, stays: bool, stepping: &mut Stepping<N>) -> Result<N, Halt> {
        let mut by = N::one();
        let mut all = Vec::new();
        let mut effort = 0;
        for (shift, weights) in std::mem::take(&mut stepping.here) {
            let mut begun = Vec::new();
            for (state, weight) in weights.into_iter().enumerate() {
                let Some(weight) = weight else { continue };
                if self.is_lost(&weight) {
                    continue;
                }
                let jumps = self.jumps(ring, &mut stepping.chain, state, stays)?;
                by = by.common(&jumps.whole);
                effort += jumps.to.len();
                begun.push((weight, jumps));
            }
            all.push((shift, begun));
        }
        if by != N::one() {
            effort += stepping.outs.values().map(Vec::len).sum::<usize>();
            scale(&mut stepping.outs, &by);
        }
        self.weigh(&stepping.whole, effort)?;
        for (shift, begun) in all {
            stepping.spread(ring, &shift, begun, &by)?;
        }
        stepping.whole = stepping.whole.times(&by);
        Ok(by)
    }

    /// Leaves dust behind. Inside a pass that may be repeated it is kept, as nobody can say how much of it there is.
    fn is_lost(&mut self, weight: &N) -> bool {
        let dust = weight.dust().filter(|_| self.depth == 0);
        self.lost += dust.unwrap_or(0.0);
        dust.is_some()
    }

    /// Where a state of a chain goes in one more pass, or out of the loop without one.
    pub(super) fn jumps(
        &mut self,
        ring: &Ring,
        chain: &mut Chain<N>,
        state: usize,
        stays: bool,
    ) -> Result<Rc<Jumps<N>>, Halt> {
        self.left = self.left.checked_sub(1).ok_or(Halt::Budget)?;
        if stays && let Some(Some(known)) = chain.jumps.get(state) {
            return Ok(known.clone());
        }
        let key = chain.states.all[state].clone();
        self.board.load(self.sketch, ring.head, &key);
        self.board.left[ring.one.0] = i32::from(stays);
        let row = self.row(ring)?;
        let whole = row.iter().fold(N::one(), |whole, (_, mass)| whole.common(&mass.whole));
        let mut to = Vec::new();
        for (stop, mass) in row.iter() {
            let by = whole.over(&mass.whole);
            for (made, weight) in &mass.states {
                let onward = self.onward(ring, &key, stop, made)?;
                let (place, shift) = if stop == ring.head {
                    let (state, shift) = self.state(ring, chain, &onward);
                    (Place::State(state), shift)
                } else {
                    let shift = self.shift_of(ring, stop);
                    (Place::Out(chain.outs.number((stop, self.board.key(self.sketch, stop)))), shift)
                };
                to.push((place, chain.shifts.number(shift), scaled(weight, &by)));
            }
        }
        let jumps = Rc::new(Jumps { whole, to });
        if stays {
            chain.jumps.resize(chain.len(), None);
            chain.jumps[state] = Some(jumps.clone());
        }
        Ok(jumps)
    }

    /// The number of a state at the head of the loop, and its sums and reports.
    pub(super) fn state(&mut self, ring: &Ring, chain: &mut Chain<N>, key: &Key) -> (usize, Shift) {
        self.board.load(self.sketch, ring.head, key);
        let shift = self.shift_of(ring, ring.head);
        self.board.left[ring.one.0] = 1;
        (chain.states.number(self.board.key(self.sketch, ring.head)), shift)
    }

    /// Takes sums and reports from the board, where it stands at a stop.
    fn shift_of(&mut self, ring: &Ring, stop: StopId) -> Shift {
        if stop == UNRESOLVED {
            return Shift::new();
        }
        let board = &mut self.board;
        let mut shift: Shift =
            ring.sums.iter().map(|slot| std::mem::take(&mut board.slots[slot.0])).collect();
        shift.extend_from_slice(&board.reports);
        board.reports.fill(0);
        shift
    }

    /// A place outside the loop with the sums and reports that trials bring there.
    fn shifted(&mut self, ring: &Ring, (stop, key): (StopId, Key), shift: &Shift) -> (StopId, Key) {
        if stop == UNRESOLVED {
            return (stop, key);
        }
        let (sketch, sums) = (self.sketch, ring.sums.len());
        if stop == DONE {
            key.iter()
                .take(usize::from(sketch.question.result))
                .for_each(|result| self.board.result = *result);
        } else {
            self.board.load(sketch, stop, &key);
        }
        ring.sums.iter().zip(shift).for_each(|(slot, sum)| self.board.slots[slot.0] = *sum);
        self.board.reports.copy_from_slice(&shift[sums..]);
        (stop, self.board.key(sketch, stop))
    }

    pub(super) fn passes_left(&mut self, ring: &Ring, key: &Key) -> i32 {
        self.board.load(self.sketch, ring.head, key);
        self.board.left[ring.one.0]
    }

    /// Where the state on the board is after one pass, or behind the loop if it may make none.
    pub(super) fn row(&mut self, ring: &Ring) -> Result<Rc<Waiting<N>>, Halt> {
        let stays = self.board.left[ring.one.0] > 0;
        let untouched: Vec<Kept> =
            self.kept(ring.head).iter().copied().filter(|kept| !ring.touched.contains(kept)).collect();
        untouched.iter().for_each(|kept| self.board.blank(*kept));
        self.board.reports.fill(0);
        self.board.left[ring.one.0] = i32::from(stays);
        let key = (ring.one, self.board.key(self.sketch, ring.head));
        if let Some(known) = self.passes.get(&key) {
            return Ok(known.clone());
        }
        self.board.left[ring.one.0] = 0;
        let stop = self.enter(if stays { ring.more } else { ring.full })?;
        let mut waiting = Waiting::of(stop, self.board.key(self.sketch, stop));
        self.depth += 1;
        self.settle(&mut waiting, Some(ring.one))?;
        self.depth -= 1;
        waiting.merge();
        waiting.reduce();
        let row = Rc::new(waiting);
        self.passes.insert(key, row.clone());
        Ok(row)
    }

    fn kept(&self, stop: StopId) -> &[Kept] {
        match stop {
            DONE | UNRESOLVED => &[],
            _ => &self.sketch.stops[stop as usize].kept,
        }
    }

    /// The key of a state that began a pass with one key and comes to a stop with what the pass made of it.
    pub(super) fn onward(&mut self, ring: &Ring, begun: &Key, stop: StopId, made: &Key) -> Result<Key, Halt> {
        self.left = self.left.checked_sub(1).ok_or(Halt::Budget)?;
        let sketch = self.sketch;
        self.board.load(sketch, ring.head, begun);
        if stop == UNRESOLVED {
            return Ok(made.clone());
        }
        let left = &mut self.board.left[ring.one.0];
        *left = (*left - 1).max(0);
        let kept = match stop {
            DONE => &[][..],
            _ => &sketch.stops[stop as usize].kept,
        };
        // what the pass did not touch is as it was before
        let behind = if stop == DONE {
            let results = usize::from(sketch.question.result);
            made.iter().take(results).for_each(|result| self.board.result = *result);
            results
        } else {
            let at_head = &sketch.stops[ring.head as usize].kept;
            self.board.load_kept(kept, made, |kept| match kept {
                Kept::Left(one) if one == ring.one => false,
                Kept::Slot(slot) if ring.sums.contains(&slot) => true,
                _ => ring.touched.contains(&kept) || !at_head.contains(&kept),
            })
        };
        for (at, words) in made[behind..].chunks(2).enumerate() {
            self.board.report(at, Report::of_words(words));
        }
        Ok(self.board.key(sketch, stop))
    }
}
