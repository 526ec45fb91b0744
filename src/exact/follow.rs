//! Following all states of a trial from stop to stop, with their weights.

use super::board::{Board, Content};
use super::book::Book;
use super::chain::Ring;
use super::fall::{Fall, Throw};
use super::hand::TooMany;
use super::live::{Kept, sets};
use super::mass::{Key, Mass, Sorted, Waiting};
use super::number::Number;
use super::sketch::{DONE, Sketch, Stop, StopId, UNRESOLVED};
use crate::plan::program::{BlockId, Exit, LoopId, Program, SiteId, Step};
use smallvec::SmallVec;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Why following ended early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Halt {
    /// More states than the budget allows.
    Budget,
    /// A number or a sum that is too large to be kept.
    Large,
    /// Weights that get too long to be worked with.
    Long,
    /// A player decides, and nothing says how.
    Choice,
    /// A player decides by something that has no name.
    Nameless,
}

/// What happens where a player decides.
#[derive(Clone, Copy)]
pub(super) enum Play<'t, 'p> {
    /// Nothing that is known.
    Unknown,
    /// States wait there.
    Wait,
    /// What a table says.
    By(&'t Book<'t, 'p>),
}

impl From<TooMany> for Halt {
    fn from(_: TooMany) -> Self {
        Self::Budget
    }
}

/// Weights of more bits than this are not followed as whole numbers.
const MOST_BITS: usize = 16_384;

/// Chains are stepped with whole numbers up to so much effort: one for each weight, and one more for each 512 bits of it.
const MOST_EFFORT: u64 = 300_000;

/// Of so many states it is remembered where a step leads from them.
const MOST_SPREADS: usize = 1 << 14;

pub(super) struct Follow<'s, 'p, N: Number> {
    pub(super) sketch: &'s Sketch<'p>,
    pub(super) play: Play<'s, 'p>,
    pub(super) board: Board,
    /// A key that is being written.
    made: Vec<i32>,
    /// How many states may still be looked at.
    pub(super) left: u64,
    /// What steps came to before, by what they depend on.
    ways: BTreeMap<(StopId, Content), Rc<Fall<N>>>,
    /// Where the outcomes of a step lead, for states that a pass of a loop comes to.
    spreads: BTreeMap<(StopId, Key), Rc<Sorted<N>>>,
    /// Counted loops, by the stops at their heads.
    pub(super) rings: BTreeMap<StopId, Rc<Ring>>,
    /// One pass of a counted loop, by its head and what the pass looks at there.
    pub(super) passes: BTreeMap<(LoopId, Key), Rc<Waiting<N>>>,
    /// Whether capped loops go on without their cap.
    pub(super) without_cap: bool,
    /// How many passes of each of these a trial makes on average.
    pub(super) rounds: BTreeMap<LoopId, N::Ratio>,
    /// What stepping chains with whole numbers has taken so far.
    effort: u64,
    /// The probability of all states that were too unlikely to be followed.
    pub(super) lost: f64,
    /// In how many passes of loops we are.
    pub(super) depth: u32,
    /// How many steps solving their chains has taken.
    pub(super) steps: u64,
}

impl<'s, 'p, N: Number> Follow<'s, 'p, N> {
    pub(super) fn new(sketch: &'s Sketch<'p>, left: u64) -> Self {
        Self {
            sketch,
            play: Play::Unknown,
            board: Board::default(),
            made: Vec::new(),
            left,
            ways: BTreeMap::new(),
            spreads: BTreeMap::new(),
            rings: BTreeMap::new(),
            passes: BTreeMap::new(),
            without_cap: false,
            rounds: BTreeMap::new(),
            effort: 0,
            lost: 0.0,
            depth: 0,
            steps: 0,
        }
    }

    /// The states in which trials end.
    pub(super) fn all(&mut self) -> Result<Waiting<N>, Halt> {
        self.board = Board::new(self.sketch);
        let stop = self.go(0)?;
        let mut waiting = Waiting::of(stop, self.board.key(self.sketch, stop));
        self.settle(&mut waiting, None)?;
        if self.board.fits.get() { Ok(waiting) } else { Err(Halt::Large) }
    }

    pub(super) fn program(&self) -> &'p Program {
        self.sketch.program
    }

    /// Follows all states that wait inside a loop, or all there are, until none is left. What comes back to the loop's own
    /// head waits there.
    pub(super) fn settle(&mut self, waiting: &mut Waiting<N>, inside: Option<LoopId>) -> Result<(), Halt> {
        let sketch = self.sketch;
        let waits = matches!(self.play, Play::Wait);
        let within = |stop: StopId| match inside {
            None => stop < DONE && !(waits && sketch.site(stop).is_some()),
            Some(one) => sketch.is_inside(stop, one) && !sketch.counts(stop, one),
        };
        while let Some((stop, mut mass)) = waiting.take(within) {
            mass.merge();
            self.weigh(&mass.whole, 0)?;
            match sketch.stops[stop as usize].step {
                Some(number) => self.throw(stop, number, &mass, waiting)?,
                None => self.pass(stop, mass, waiting)?,
            }
        }
        Ok(())
    }

    /// Complains if so many weights over this denominator are too long to be worked with as whole numbers.
    pub(super) fn weigh(&mut self, whole: &N, weights: usize) -> Result<(), Halt> {
        let bits = whole.bits();
        if N::IS_EXACT {
            self.effort += weights as u64 * (1 + bits as u64 / 512);
        }
        if bits > MOST_BITS || self.effort > MOST_EFFORT { Err(Halt::Long) } else { Ok(()) }
    }

    /// Follows states over a step that chance decides.
    fn throw(
        &mut self,
        stop: StopId,
        number: usize,
        mass: &Mass<N>,
        waiting: &mut Waiting<N>,
    ) -> Result<(), Halt> {
        let step = &self.program().blocks[self.sketch.stops[stop as usize].block.0].steps[number];
        let comes_back = mass.states.len() > 1 || !self.program().loops.is_empty();
        let mut all: SmallVec<[Rc<Fall<N>>; 1]> = SmallVec::with_capacity(mass.states.len());
        let mut whole = N::one();
        for (key, _) in &mass.states {
            self.board.load(self.sketch, stop, key);
            let ways = if comes_back { self.ways(stop, step)? } else { self.fall(stop, step)? };
            whole = whole.common(&ways.whole);
            all.push(ways);
        }
        let mut sorted = Sorted::default();
        for ((key, weight), ways) in mass.states.iter().zip(all) {
            if self.depth > 0 {
                self.spread_again(stop, key, &ways, &mut sorted)?;
            } else {
                self.spread(stop, key, &ways, &mut sorted)?;
            }
            sorted.weigh(&scaled(weight, &whole.over(&ways.whole)));
        }
        sorted.wait(waiting, &mass.whole.times(&whole));
        Ok(())
    }

    /// Follows one state to where each outcome of a step leads.
    fn spread(
        &mut self,
        stop: StopId,
        key: &Key,
        ways: &Fall<N>,
        sorted: &mut Sorted<N>,
    ) -> Result<(), Halt> {
        let Stop { block, step, next, kept } = &self.sketch.stops[stop as usize];
        let set = sets(&self.program().blocks[block.0].steps[step.unwrap_or(0)]);
        if let Some(lost) = &ways.unresolved {
            sorted.put(UNRESOLVED, &[], lost);
        }
        let mut made = std::mem::take(&mut self.made);
        for (outcome, more) in &ways.outcomes {
            self.board.put_down(kept, key);
            self.put(set, outcome);
            let stop = self.go(*next)?;
            made.clear();
            self.board.words(self.sketch, stop, |words| made.extend_from_slice(words));
            sorted.put(stop, &made, more);
        }
        self.made = made;
        Ok(())
    }

    /// The same inside a pass, where it is known if another pass came to the state.
    fn spread_again(
        &mut self,
        stop: StopId,
        key: &Key,
        ways: &Fall<N>,
        sorted: &mut Sorted<N>,
    ) -> Result<(), Halt> {
        let at = (stop, key.clone());
        let known = match self.spreads.get(&at) {
            Some(known) => {
                self.left = self.left.checked_sub(known.len()).ok_or(Halt::Budget)?;
                known.clone()
            }
            None => {
                let mut own = Sorted::default();
                self.spread(stop, key, ways, &mut own)?;
                let own = Rc::new(own);
                if self.spreads.len() < MOST_SPREADS {
                    self.spreads.insert(at, own.clone());
                }
                own
            }
        };
        for way in &known.0 {
            way.states.iter().for_each(|(key, weight)| sorted.put(way.stop, key, weight));
        }
        Ok(())
    }

    /// What the player does on the board as it is.
    fn option(&self, site: SiteId, stop: StopId, step: &Step) -> Result<Content, Halt> {
        let Play::By(book) = self.play else { return Err(Halt::Choice) };
        if !book.has(site) {
            // it does not matter for what the table was made for
            let throw = Throw { sketch: self.sketch, board: &self.board, most: self.left };
            return throw.options(step)?.into_iter().next().ok_or(Halt::Choice);
        }
        book.option(site, &self.sketch.stops[stop as usize], &self.board).ok_or(Halt::Choice)
    }

    /// States before a block go on; at the head of a counted loop, into one more pass or out of the loop.
    fn pass(&mut self, stop: StopId, mass: Mass<N>, waiting: &mut Waiting<N>) -> Result<(), Halt> {
        let Stop { block, next, .. } = self.sketch.stops[stop as usize];
        let counted = match self.program().blocks[block.0].exit {
            // what a player does may depend on how many passes are left
            Exit::Pass(..) if self.program().sites.is_empty() => return self.chain(stop, mass, waiting),
            Exit::Pass(one, more, full) => Some((one, more, full)),
            _ => None,
        };
        let mut sorted = Sorted::default();
        for (key, weight) in mass.states {
            self.board.load(self.sketch, stop, &key);
            let next = match counted {
                None => self.go(next)?,
                Some((one, more, full)) => {
                    let left = self.board.left[one.0];
                    self.board.left[one.0] = (left - 1).max(0);
                    self.enter(if left > 0 { more } else { full })?
                }
            };
            sorted.put(next, &self.board.key(self.sketch, next), &weight);
            sorted.weigh(&N::one());
        }
        sorted.wait(waiting, &mass.whole);
        Ok(())
    }

    /// Goes on with a block, unless states wait before it.
    pub(super) fn enter(&mut self, block: BlockId) -> Result<StopId, Halt> {
        match self.sketch.head(block) {
            Some(stop) => Ok(stop),
            None => self.go(self.sketch.starts[block.0]),
        }
    }

    /// What a step may come to on the board as it is, remembered.
    fn ways(&mut self, stop: StopId, step: &Step) -> Result<Rc<Fall<N>>, Halt> {
        let throw = Throw { sketch: self.sketch, board: &self.board, most: self.left };
        let mut key = (stop, throw.told_by(step));
        if let Some(site) = self.sketch.site(stop) {
            key.1.extend(self.option(site, stop, step)?);
        }
        if let Some(known) = self.ways.get(&key) {
            return Ok(known.clone());
        }
        let ways = self.fall(stop, step)?;
        self.ways.insert(key, ways.clone());
        Ok(ways)
    }

    fn fall(&mut self, stop: StopId, step: &Step) -> Result<Rc<Fall<N>>, Halt> {
        let throw = Throw { sketch: self.sketch, board: &self.board, most: self.left };
        let fall = match (self.sketch.site(stop), throw.pool(step)) {
            (Some(site), _) => Rc::new(throw.moved(step, &self.option(site, stop, step)?)?),
            (None, None) => Rc::new(throw.fall(step)?),
            (None, Some(pool)) => {
                self.left = self.left.checked_sub(pool.cost()).ok_or(Halt::Budget)?;
                pool.answers()
            }
        };
        Ok(N::of_fall(&fall))
    }

    /// Puts down what a step came to that sets this.
    #[inline]
    pub(super) fn put(&mut self, set: Option<Kept>, outcome: &Content) {
        match set {
            Some(Kept::Slot(slot)) => self.board.slots[slot.0] = outcome[0],
            Some(Kept::Heap(heap)) => self.board.hold(heap, outcome),
            _ => {}
        }
    }

    /// Goes on from a place in the code to the next stop.
    pub(super) fn go(&mut self, at: usize) -> Result<StopId, Halt> {
        if !self.board.fits.get() {
            // a record's sum, or without the cap anything that the checker reckoned with
            return Err(Halt::Large);
        }
        self.left = self.left.checked_sub(1).ok_or(Halt::Budget)?;
        self.board.run(self.sketch, at).ok_or(Halt::Budget)
    }
}

pub(super) fn scaled<N: Number>(weight: &N, by: &N) -> N {
    if *by == N::one() { weight.clone() } else { weight.times(by) }
}
