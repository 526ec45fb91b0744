//! Going through a pool, face after face from the highest down, and from where only sums are left, die after die.
//!
//! In: a pool, what is done to it, what is asked. Out: a distribution.
//!
//! **Never:** what the numbers stand for.

use super::layout::Layout;
use super::loose::{Loose, Ways, add, some};
use super::pool::{Left, Pool};
use super::weight::{Weight, merge};
use super::{Distribution, Faces, Kept, Question, Row, among, hand};
use smallvec::SmallVec;
use std::collections::BTreeMap;
use std::mem;

/// A number of a layout may have so many values; where there are more, dice are looked at one multiset after another.
const SPACE: usize = 1 << 24;

/// How many times as long one multiset takes as one addition.
pub(super) const MULTISET: u64 = 50;

/// All answers, where one multiset takes so many times as long as one addition.
pub(super) fn answers<W: Weight>(
    pool: &[(u32, &Faces)],
    keep: &[Kept],
    questions: &[Question],
    multiset: u64,
) -> Distribution {
    let found = plain(pool, keep, questions, multiset).unwrap_or_else(|| {
        let each = |(faces, ways): (Row, W)| {
            let faces = hand::kept(&faces, keep);
            (questions.iter().map(|question| hand::answer(&faces, question)).collect(), ways)
        };
        all_multisets(pool).into_iter().map(each).collect()
    });
    finished(pool, found)
}

pub(super) fn multisets<W: Weight>(pool: &[(u32, &Faces)]) -> Distribution {
    finished(pool, all_multisets::<W>(pool))
}

/// All ways in order, each answer once, divided by what they have in common.
fn finished<W: Weight>(pool: &[(u32, &Faces)], mut found: Vec<(Row, W)>) -> Distribution {
    let left = merge(&mut found);
    found.truncate(left);
    let powers = pool.iter().map(|(dice, faces)| W::read(faces.total()).power(*dice));
    let total = powers.fold(W::ONE, |total, power| total.times(&power));
    let mut common = total.clone();
    for (_, ways) in &found {
        if common == W::ONE {
            break;
        }
        common = ways.common(&common);
    }
    let ways = found.into_iter().map(|(row, ways)| (row, ways.divided(&common))).collect();
    Distribution { ways, total: total.divided(&common) }
}

/// Everything that the dice can show together, some of it more than once.
fn all_multisets<W: Weight>(pool: &[(u32, &Faces)]) -> Vec<(Row, W)> {
    let mut pool = Pool::new(pool, |_| true);
    pool.ready();
    let mut table = vec![(pool.all(), Row::new(), W::ONE)];
    for step in 0..=pool.faces.len() {
        let mut next = Vec::with_capacity(table.len());
        for (left, faces, ways) in table {
            for split in pool.splits(&left, step) {
                let mut faces = faces.clone();
                faces.extend((0..split.show).map(|_| pool.faces[step - 1]));
                next.push((split.left, faces, ways.times(&split.ways)));
            }
        }
        table = next;
    }
    let lowest_first = |(_, mut faces, ways): (Left, Row, W)| {
        faces.reverse();
        (faces, ways)
    };
    table.into_iter().map(lowest_first).collect()
}

/// All answers, some of them more than once; `None` where all multisets are less trouble.
fn plain<W: Weight>(
    pool: &[(u32, &Faces)],
    keep: &[Kept],
    questions: &[Question],
    multiset: u64,
) -> Option<Vec<(Row, W)>> {
    let (leading, extremes, trailing) = parts(keep, questions)?;
    let seen = |face| {
        leading.iter().all(|kept| match kept {
            Kept::Filter(set, others) => among(set, face) != *others,
            Kept::Extreme { .. } => true,
        })
    };
    let pool = Pool::new(pool, seen);
    let all = pool.all();
    let layout = Layout::new(questions, trailing, &pool.faces, all.iter().sum())?;
    if layout.space > SPACE || work(&pool, layout.space) > multiset_count(&pool).saturating_mul(multiset) {
        return None;
    }
    let keys = pool.faces.iter().map(|face| layout.one(*face)).collect();
    let mut solver = Solver { pool, layout, keys, span: (0, all.iter().sum()) };
    if leading.is_empty() && extremes.is_empty() && solver.is_loose(&all) {
        return Some(solver.read(&solver.loose(1).all(&all)));
    }
    solver.pool.ready();
    let mut starts: BTreeMap<u32, Table<W>> = BTreeMap::new();
    for split in solver.pool.splits(&all, 0) {
        starts.entry(split.left.iter().sum()).or_default().insert(split.left, vec![split.ways]);
    }
    let from = |(dice, table)| {
        solver.span = span(extremes, dice);
        solver.read(&solver.run(table, dice))
    };
    Some(starts.into_iter().flat_map(from).collect())
}

/// About how many additions it takes to work out so many numbers.
fn work<W>(pool: &Pool<W>, space: usize) -> u64 {
    let dice: u64 = pool.groups.iter().map(|group| u64::from(group.dice)).sum();
    let faces = pool.faces.len() as u64;
    dice.saturating_sub(1).saturating_mul(faces).saturating_add(1).saturating_mul(space as u64)
}

/// Filters before all else, then what cares for order alone, then filters again; `None` where these alternate more.
fn parts<'a>(keep: &'a [Kept], questions: &[Question]) -> Option<(&'a [Kept], &'a [Kept], &'a [Kept])> {
    let is_filter = |kept: &Kept| matches!(kept, Kept::Filter(..));
    let ranked = questions.iter().any(|question| matches!(question, Question::Rank(_)));
    let first = keep.iter().position(|kept| !is_filter(kept)).unwrap_or(if ranked { keep.len() } else { 0 });
    let (leading, rest) = keep.split_at(first);
    let end = rest.iter().rposition(|kept| !is_filter(kept)).map_or(0, |at| at + 1);
    let (extremes, trailing) = rest.split_at(end);
    let fits = !extremes.iter().any(is_filter) && (trailing.is_empty() || !ranked);
    fits.then_some((leading, extremes, trailing))
}

/// Which of so many dice stay, counted from 0 at the highest: from the first to before the second.
fn span(extremes: &[Kept], dice: u32) -> (u32, u32) {
    let (mut first, mut end) = (0, dice);
    for kept in extremes {
        if let Kept::Extreme { highest, number, others } = kept {
            let taken = (end - first).min(*number);
            let taken = if *others { end - first - taken } else { taken };
            if highest != others { end = first + taken } else { first = end - taken }
        }
    }
    (first, end)
}

/// How many multisets the dice can show, those of each group apart.
fn multiset_count<W>(pool: &Pool<W>) -> u64 {
    let each = pool.groups.iter().map(|group| {
        let faces = pool.faces.len() as u64;
        let others = faces.saturating_sub(1).min(u64::from(group.dice));
        let all = (faces + u64::from(group.dice)).saturating_sub(1);
        (0..others).fold(1u64, |count, at| count.saturating_mul(all - at) / (at + 1))
    });
    each.fold(1, u64::saturating_mul)
}

/// How many ways lead to what, by the dice that are left.
type Table<W> = BTreeMap<Left, Ways<W>>;

struct Solver<'a, W> {
    pool: Pool<W>,
    layout: Layout<'a>,
    /// What one die adds that shows the face with this position.
    keys: SmallVec<[usize; 12]>,
    /// Which dice stay, counted from 0 at the highest.
    span: (u32, u32),
}

impl<'a, W: Weight> Solver<'a, W> {
    /// Plays on from a table where so many dice are left.
    fn run(&self, mut table: Table<W>, dice: u32) -> Ways<W> {
        let mut done = Vec::new();
        for step in 1.. {
            let mut loose = None;
            for (left, ways) in &mut table {
                if dice - left.iter().sum::<u32>() >= self.span.1 {
                    self.spread(&[self.pool.ways(left, step)], &mem::take(ways), &mut done);
                } else if self.is_past(dice, left) {
                    let rest = loose.get_or_insert_with(|| self.loose(step)).ways(left);
                    self.spread(rest, &settled(ways, self.open(left)), &mut done);
                }
            }
            if step > self.pool.faces.len() {
                break;
            }
            table = self.step(step, dice, &table);
        }
        done
    }

    fn loose(&self, step: usize) -> Loose<'_, 'a, W> {
        Loose::new(&self.pool, &self.layout, &self.keys, step)
    }

    /// The flags that the dice left can raise together.
    fn open(&self, left: &Left) -> usize {
        self.layout.open(left.iter().sum())
    }

    /// Whether the order of all dice is of no account.
    fn is_loose(&self, all: &Left) -> bool {
        self.is_past(self.span.1, all) && self.open(all) == 0
    }

    /// Whether all dice that are left of so many stay and none has a place that is asked for.
    fn is_past(&self, dice: u32, left: &Left) -> bool {
        let (first, end) = self.span;
        let position = dice - left.iter().sum::<u32>();
        end == dice && position >= first.saturating_add(self.layout.deepest()).min(end)
    }

    /// Adds to `done` what two independent parts come to.
    fn spread(&self, one: &[W], other: &[W], done: &mut Ways<W>) {
        for (key, ways) in some(other) {
            for (more, by) in some(one) {
                add(done, self.layout.plus(key, more, 1), &ways.times(by));
            }
        }
    }

    /// Every number of dice shows the face of this step.
    fn step(&self, step: usize, dice: u32, table: &Table<W>) -> Table<W> {
        let mut next = Table::new();
        let (face, one) = (self.pool.faces[step - 1], self.keys[step - 1]);
        for (left, ways) in table.iter().filter(|(_, ways)| !ways.is_empty()) {
            let from = dice - left.iter().sum::<u32>();
            for split in self.pool.splits(left, step) {
                let to = from + split.show;
                let stay = to.min(self.span.1).saturating_sub(from.max(self.span.0));
                let together =
                    self.layout.together(face, step, (self.span.0, from, to.min(self.span.1)), stay);
                let next = next.entry(split.left).or_default();
                for (key, ways) in some(ways) {
                    let key = self.layout.plus(key, one, stay as usize);
                    add(next, self.layout.plus(key, together, 1), &ways.times(&split.ways));
                }
            }
        }
        next
    }

    fn read(&self, done: &[W]) -> Vec<(Row, W)> {
        let dice = self.span.1 - self.span.0;
        let row = |key| self.layout.read(key, dice, &self.pool.faces);
        let mut all = Vec::with_capacity(done.len());
        all.extend(some(done).map(|(key, ways)| (row(key), ways.clone())));
        all
    }
}

/// Takes out what has raised all of these flags.
fn settled<W: Weight>(ways: &mut Ways<W>, flags: usize) -> Ways<W> {
    let is_settled = |key: usize| key & flags == flags;
    let each = ways.iter_mut().enumerate();
    let taken = each.map(|(key, ways)| if is_settled(key) { mem::replace(ways, W::NONE) } else { W::NONE });
    let taken = taken.collect();
    ways.truncate(ways.iter().rposition(|ways| !ways.is_none()).map_or(0, |last| last + 1));
    taken
}
