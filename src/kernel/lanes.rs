//! Which lanes are played next: full batches as long as there are trials to begin, the rest together in the end.
//!
//! In: a program and a chunk. Out: its tally. Lanes that part wait for one another at the blocks that they come to; of two
//! ways the larger one is gone on with at once. A chunk ends when all trials that were *begun* are over: to stop earlier
//! would favour short ones.
//!
//! **Never:** what a word does.

use super::batch::{BATCH, Batch, Log};
use super::code::{Block, Code, Next, Reg};
use super::count::{Counts, tally};
use super::hand::Die;
use super::words::{GROUP, Words};
use crate::plan::program::RecordId;
use crate::plan::{Outcome, Tally, Trial};
use crate::random::Streams;

/// So few lanes wait for others, as long as there are any; more go on by themselves, and need not be moved.
const FEW: usize = BATCH - GROUP;

/// Lanes that wait at a block: what they brought along.
#[derive(Debug, Default)]
struct Queue {
    lanes: usize,
    /// In the order of [`Block::live`].
    narrow: Vec<Vec<i16>>,
    wide: Vec<Vec<i64>>,
    hands: Vec<Vec<Vec<Die>>>,
}

/// What a program is played on.
#[derive(Debug)]
pub(super) struct Lanes {
    batch: Batch,
    queues: Vec<Queue>,
    counts: Vec<Counts>,
    /// Lanes that go one way.
    parted: Vec<u16>,
    /// Places of lanes that are not in play any more.
    holes: Vec<u16>,
    /// Flags of lanes: those that no other flag sends anywhere, and those that stay in play.
    rest: Vec<i16>,
    stays: Vec<i16>,
    /// What each trial yields, by its number, where somebody wants to know.
    trials: Option<Vec<Trial>>,
}

impl Lanes {
    pub(super) fn new(code: &Code, streams: Streams) -> Self {
        let queue = |block: &Block| Queue {
            narrow: vec![Vec::new(); block.live.iter().filter(|reg| !reg.wide).count()],
            wide: vec![Vec::new(); block.live.iter().filter(|reg| reg.wide).count()],
            hands: vec![Vec::new(); code.hands.len()],
            lanes: 0,
        };
        Self {
            batch: Batch::new(code, Words::new(streams)),
            queues: code.blocks.iter().map(queue).collect(),
            counts: code.keys.iter().map(Counts::new).collect(),
            parted: vec![0; BATCH + STRIDE],
            holes: vec![0; BATCH + STRIDE],
            rest: vec![0; BATCH],
            stays: vec![0; BATCH],
            trials: None,
        }
    }

    /// Plays a chunk of so many trials and counts them.
    #[inline(always)]
    pub(super) fn play(&mut self, code: &Code, streams: Streams, trials: usize, joint: &[RecordId]) -> Tally {
        self.batch.words.restart(streams);
        let mut begun = 0;
        loop {
            let at = match self.fullest() {
                Some(at) => at,
                None if begun < trials => {
                    self.begin(code, begun, trials);
                    begun += self.batch.lanes;
                    0
                }
                None => match self.queues.iter().position(|queue| queue.lanes > 0) {
                    Some(at) => at,
                    None => break,
                },
            };
            self.go(at, code, begun < trials);
        }
        tally(code, &mut self.counts, joint, trials as u64)
    }

    /// As [`Self::play`], with what each trial yields and the dice that it used.
    pub(super) fn told(&mut self, code: &Code, streams: Streams, trials: usize) -> (Vec<Trial>, Log) {
        self.trials = Some(vec![Trial { outcome: Outcome::Unresolved, records: Vec::new() }; trials]);
        self.batch.log = Some(vec![Vec::new(); trials]);
        self.play(code, streams, trials, &[]);
        (self.trials.take().unwrap_or_default(), self.batch.log.take().unwrap_or_default())
    }

    /// The last block at which a whole batch waits.
    #[inline(always)]
    fn fullest(&self) -> Option<usize> {
        self.queues.iter().rposition(|queue| queue.lanes >= BATCH)
    }

    #[inline(always)]
    fn begin(&mut self, code: &Code, begun: usize, trials: usize) {
        self.batch.lanes = BATCH.min(trials - begun);
        if let Some(number) = code.number {
            for (lane, number) in self.batch.narrow[number.at][..self.batch.lanes].iter_mut().enumerate() {
                *number = (begun + lane) as i16;
            }
        }
    }

    /// Plays from a block on, until the trials end or too few lanes are left. The batch is what was begun, or empty.
    #[inline(always)]
    fn go(&mut self, mut at: usize, code: &Code, more: bool) {
        let mut first = true;
        loop {
            let block = &code.blocks[at];
            if self.queues[at].lanes > 0 && self.batch.lanes < BATCH {
                self.top_up(at, code);
            }
            if !first && self.batch.lanes <= FEW && (more || self.waits_elsewhere()) {
                self.park(at, code);
                return;
            }
            first = false;
            for op in &block.ops {
                self.batch.op(op, code);
            }
            match &block.next {
                Next::Go(to) => at = *to,
                Next::Part(exits, others) => at = self.part(exits, *others, code),
                Next::Count => {
                    self.end(code);
                    return;
                }
            }
        }
    }

    #[inline(always)]
    fn waits_elsewhere(&self) -> bool {
        self.queues.iter().any(|queue| queue.lanes > 0)
    }

    #[inline(always)]
    fn end(&mut self, code: &Code) {
        for (counts, key) in self.counts.iter_mut().zip(&code.keys) {
            counts.add(key, &self.batch);
        }
        if self.trials.is_some() {
            self.tell(code);
        }
        self.batch.lanes = 0;
    }

    /// Writes down what the trials in play yield.
    fn tell(&mut self, code: &Code) {
        let (Some(trials), Some(number)) = (&mut self.trials, code.number) else { return };
        for lane in 0..self.batch.lanes {
            let trial = &mut trials[usize::from(self.batch.narrow[number.at][lane] as u16)];
            for key in &code.keys {
                key.tell(&self.batch, lane, trial);
            }
        }
    }

    /// Fills the batch with lanes that wait.
    #[inline(always)]
    fn top_up(&mut self, at: usize, code: &Code) {
        let block = &code.blocks[at];
        let (batch, queue) = (&mut self.batch, &mut self.queues[at]);
        let taken = queue.lanes.min(BATCH - batch.lanes);
        let (from, left) = (batch.lanes..batch.lanes + taken, queue.lanes - taken);
        let (mut narrow, mut wide) = (queue.narrow.iter_mut(), queue.wide.iter_mut());
        for reg in &block.live {
            if reg.wide {
                if let Some(waits) = wide.next() {
                    batch.wide[reg.at][from.clone()].copy_from_slice(&waits[left..]);
                    waits.truncate(left);
                }
            } else if let Some(waits) = narrow.next() {
                batch.narrow[reg.at][from.clone()].copy_from_slice(&waits[left..]);
                waits.truncate(left);
            }
        }
        for (hand, waits) in code.hands.iter().zip(&mut queue.hands) {
            let here = &mut batch.hands[*hand];
            for (lane, hand) in from.clone().zip(waits.drain(left.min(waits.len())..)) {
                here[lane] = hand;
            }
        }
        queue.lanes = left;
        batch.lanes += taken;
    }

    /// Lets all lanes in play wait.
    #[inline(always)]
    fn park(&mut self, at: usize, code: &Code) {
        let block = &code.blocks[at];
        let (batch, queue) = (&mut self.batch, &mut self.queues[at]);
        let n = batch.lanes;
        let (mut narrow, mut wide) = (queue.narrow.iter_mut(), queue.wide.iter_mut());
        for reg in &block.live {
            if reg.wide {
                wide.next().into_iter().for_each(|waits| waits.extend_from_slice(&batch.wide[reg.at][..n]));
            } else {
                narrow
                    .next()
                    .into_iter()
                    .for_each(|waits| waits.extend_from_slice(&batch.narrow[reg.at][..n]));
            }
        }
        for (hand, waits) in code.hands.iter().zip(&mut queue.hands) {
            let here = &mut batch.hands[*hand];
            waits.extend(here[..n].iter_mut().map(std::mem::take));
        }
        queue.lanes += n;
        batch.lanes = 0;
    }

    /// Lanes go where their flag says. The most go on at once, and the others wait; hands back where those go on.
    #[inline(always)]
    fn part(&mut self, exits: &[(Reg, usize)], others: usize, code: &Code) -> usize {
        let n = self.batch.lanes;
        let (mut most, mut go, mut left) = (0, others, n);
        for (on, to) in exits {
            let lanes = sum(&self.batch.narrow[on.at][..n]);
            left -= lanes;
            if lanes > most {
                (most, go) = (lanes, *to);
            }
        }
        debug_assert!(
            (0..n).all(|lane| {
                let flags = exits.iter().map(|(on, _)| self.batch.narrow[on.at][lane]);
                let all: Vec<i16> = flags.collect();
                all.iter().sum::<i16>() <= 1 && all.iter().all(|flag| (0..=1).contains(flag))
            }),
            "a lane goes two ways, or a flag is none"
        );
        if left >= most {
            (most, go) = (left, others);
        }
        if most == n {
            return go;
        }
        self.rest[..n].fill(1);
        let mut gone = Gone::default();
        for (on, to) in exits {
            let flags = &self.batch.narrow[on.at][..n];
            self.rest.iter_mut().zip(flags).for_each(|(rest, flag)| *rest -= flag);
            if *to == go {
                self.stays[..n].copy_from_slice(flags);
            } else {
                gone.add(numbers(flags, &mut self.parted));
                send(&mut self.batch, &mut self.queues[*to], (code, *to), &self.parted[..gone.last]);
            }
        }
        if go == others {
            self.stays[..n].copy_from_slice(&self.rest[..n]);
        } else if left > 0 {
            gone.add(numbers(&self.rest[..n], &mut self.parted));
            send(&mut self.batch, &mut self.queues[others], (code, others), &self.parted[..gone.last]);
        }
        self.close_up(most, &gone, &code.blocks[go], &code.hands);
        go
    }

    /// The last of the lanes that stay in play, so many, take the places of those that are gone.
    #[inline(always)]
    fn close_up(&mut self, left: usize, gone: &Gone, block: &Block, hands: &[usize]) {
        let n = self.batch.lanes;
        let many = if gone.times == 1 {
            std::mem::swap(&mut self.holes, &mut self.parted);
            self.holes[..gone.last].partition_point(|lane| usize::from(*lane) < left)
        } else {
            self.rest[..left].iter_mut().zip(&self.stays).for_each(|(rest, stays)| *rest = 1 - stays);
            numbers(&self.rest[..left], &mut self.holes)
        };
        numbers(&self.stays[left..n], &mut self.parted);
        let (holes, from) = (&self.holes[..many], &mut self.parted[..many]);
        from.iter_mut().for_each(|lane| *lane += left as u16);
        for reg in &block.live {
            if reg.wide {
                fill(&mut self.batch.wide[reg.at], holes, from);
            } else {
                fill(&mut self.batch.narrow[reg.at], holes, from);
            }
        }
        for hand in hands {
            let hands = &mut self.batch.hands[*hand];
            holes.iter().zip(&*from).for_each(|(to, from)| hands.swap(usize::from(*to), usize::from(*from)));
        }
        self.batch.lanes = left;
    }
}

/// Lanes that have gone other ways than most.
#[derive(Default)]
struct Gone {
    /// How often their numbers have been written down since there were any, and how many the last time.
    times: usize,
    last: usize,
}

impl Gone {
    fn add(&mut self, lanes: usize) {
        self.last = lanes;
        self.times += usize::from(self.times > 0 || lanes > 0);
    }
}

/// How many flags are 1.
#[inline(always)]
fn sum(flags: &[i16]) -> usize {
    flags.iter().fold(0_i16, |sum, flag| sum.wrapping_add(*flag)) as usize
}

/// Writes down the lanes whose flag is 1; hands back how many there are. There is room for [`STRIDE`] more.
#[inline(always)]
fn numbers(flags: &[i16], numbers: &mut [u16]) -> usize {
    let (groups, rest) = flags.as_chunks::<STRIDE>();
    let mut many = 0;
    for (group, flags) in groups.iter().enumerate() {
        let set = bits(&flags[..4]) | bits(&flags[4..]) << 4;
        // All places are written, and the next group goes on top of those that do not count.
        if let Some(numbers) = numbers[many..].first_chunk_mut() {
            *numbers = SET[set].map(|lane| (group * STRIDE) as u16 + lane);
        }
        many += set.count_ones() as usize;
    }
    for (lane, _) in rest.iter().enumerate().filter(|(_, flag)| **flag != 0) {
        numbers[many] = (groups.len() * STRIDE + lane) as u16;
        many += 1;
    }
    many
}

/// So many flags are looked at together.
const STRIDE: usize = 8;

/// Four flags as one number of four bits.
#[inline(always)]
fn bits(flags: &[i16]) -> usize {
    let all = flags.iter().rev().fold(0, |all, flag| all << 16 | u64::from(*flag as u16));
    // Each flag comes to stand above all that the others come to.
    (all.wrapping_mul(1 << 48 | 1 << 33 | 1 << 18 | 1 << 3) >> 48) as usize % 16
}

/// For each set of flags, by its bits, the numbers of those that are 1.
const SET: [[u16; STRIDE]; 1 << STRIDE] = {
    let mut sets = [[0; STRIDE]; 1 << STRIDE];
    let mut set = 0;
    while set < sets.len() {
        let (mut many, mut flag) = (0, 0);
        while flag < STRIDE {
            if set >> flag & 1 == 1 {
                sets[set][many] = flag as u16;
                many += 1;
            }
            flag += 1;
        }
        set += 1;
    }
    sets
};

/// Lets some lanes wait at a block.
#[inline(always)]
fn send(batch: &mut Batch, queue: &mut Queue, (code, to): (&Code, usize), lanes: &[u16]) {
    let (mut narrow, mut wide) = (queue.narrow.iter_mut(), queue.wide.iter_mut());
    for reg in &code.blocks[to].live {
        if reg.wide {
            wide.next().into_iter().for_each(|waits| picked(&batch.wide[reg.at], lanes, waits));
        } else {
            narrow.next().into_iter().for_each(|waits| picked(&batch.narrow[reg.at], lanes, waits));
        }
    }
    for (hand, waits) in code.hands.iter().zip(&mut queue.hands) {
        let here = &mut batch.hands[*hand];
        waits.extend(lanes.iter().map(|lane| std::mem::take(&mut here[usize::from(*lane)])));
    }
    queue.lanes += lanes.len();
}

/// Moves lanes of a column to where others were.
#[inline(always)]
fn fill<T: Copy>(column: &mut [T], holes: &[u16], lanes: &[u16]) {
    let Some(column) = column.first_chunk_mut::<BATCH>() else { return };
    for (to, from) in holes.iter().zip(lanes) {
        column[usize::from(*to) % BATCH] = column[usize::from(*from) % BATCH];
    }
}

/// What these lanes have in a column.
#[inline(always)]
fn picked<T: Copy>(column: &[T], lanes: &[u16], waits: &mut Vec<T>) {
    let Some(column) = column.first_chunk::<BATCH>() else { return };
    waits.extend(lanes.iter().map(|lane| column[usize::from(*lane) % BATCH]));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::tests::Luck;

    #[test]
    fn flags_are_written_down_as_the_numbers_of_their_lanes() {
        let mut luck = Luck(8);
        for lanes in [0, 1, 7, 8, 9, 64, 1_000, BATCH] {
            for share in [1, 2, 30] {
                let flags: Vec<i16> = (0..lanes).map(|_| i16::from(luck.below(share) == 0)).collect();
                let known = (0..lanes as u16).filter(|lane| flags[usize::from(*lane)] == 1);
                let mut written = vec![7; BATCH + STRIDE];
                let many = numbers(&flags, &mut written);
                assert_eq!(written[..many], known.collect::<Vec<_>>(), "{lanes}");
            }
        }
    }
}
