//! Dice and lists: each lies in a heap of its own.

use super::Lower;
use super::fold::{Term, hull};
use crate::plan::program::{Asked, Dice, Heap, HeapId, Limits, Pick, Picking, Sort, Step, Stretches, Value};
use crate::rules::tree::End;
use crate::rules::{self, Chosen, Expr, Pool, PoolId, PoolNode, Set, Span, Type};
use crate::scenario::Move;

/// No pool has more dice than this, explosions among them.
const MOST_DICE: i64 = 200_000;

/// What is known of the dice in a heap: how many there are, and what each shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Shown {
    count: (i64, i64),
    faces: (i64, i64),
}

impl Shown {
    const fn or(self, other: Self) -> Self {
        const fn both(a: (i64, i64), b: (i64, i64)) -> (i64, i64) {
            (if a.0 < b.0 { a.0 } else { b.0 }, if a.1 > b.1 { a.1 } else { b.1 })
        }
        Self { count: both(self.count, other.count), faces: both(self.faces, other.faces) }
    }

    const fn at_least(self, least: i64) -> Self {
        Self { count: (least, self.count.1), ..self }
    }
}

impl<'a> Lower<'a> {
    /// A new heap.
    pub(super) fn heap(&mut self, ty: Type, origin: Option<(usize, PoolId)>) -> HeapId {
        self.heaps.push(Heap { ty, origin });
        self.shown.push(None);
        HeapId(self.heaps.len() - 1)
    }

    /// The heap of a name of the innermost call.
    pub(super) fn named(&mut self, id: PoolId, ty: Type) -> HeapId {
        let depth = self.frames.len() - 1;
        if let Some(heap) = self.frames[depth].pools[id.0] {
            return heap;
        }
        let heap = self.heap(ty, Some((depth, id)));
        let frame = &mut self.frames[depth];
        frame.pools[id.0] = Some(heap);
        if !frame.habits.fixed[id.0] {
            let faces = self.range_of(ty);
            self.shown[heap.0] = Some(Shown { count: (0, MOST_DICE), faces });
        }
        heap
    }

    /// The heap in which dice lie that are only looked at.
    pub(super) fn pool(&mut self, pool: &'a Pool) -> HeapId {
        match &pool.node {
            PoolNode::Read(id) => self.named(*id, pool.ty),
            _ => {
                let heap = self.heap(pool.ty, None);
                self.pool_into(pool, heap);
                heap
            }
        }
    }

    /// Puts dice into a heap.
    pub(super) fn pool_into(&mut self, pool: &'a Pool, heap: HeapId) {
        if !self.spend(1) {
            return;
        }
        let (dice, shown) = match &pool.node {
            PoolNode::Roll(count, die) => self.roll(count, die),
            PoolNode::Join(pools) => self.joined(pools),
            PoolNode::List(items) => {
                let items = self.operands(items);
                let count = items.len() as i64;
                let faces = hull(items.iter().map(|item| (item.low, item.high)));
                let items = items.into_iter().map(|item| item.value).collect();
                (Dice::List(items), Shown { count: (count, count), faces })
            }
            PoolNode::Read(id) => {
                let from = self.named(*id, pool.ty);
                (Dice::Copy(from), self.shows(from))
            }
            PoolNode::If(condition, then, otherwise) => {
                let condition = self.value(condition);
                let into = |lower: &mut Self, pool| {
                    lower.pool_into(pool, heap);
                    Term::constant(0)
                };
                let (then, otherwise) = (&**then, &**otherwise);
                self.one(condition, Type::Nothing, |lower| into(lower, then), |lower| into(lower, otherwise));
                return;
            }
            PoolNode::Call(call) => {
                self.call(call, Some(heap));
                return;
            }
            PoolNode::Keep(from, set, others) => {
                let from = self.pool(from);
                let set = self.stretches(&mut Vec::new(), set);
                (Dice::Filter(from, set, *others), self.shows(from).at_least(0))
            }
            PoolNode::Extreme(from, end, number, others) => self.extreme(from, *end, number, *others),
            PoolNode::Reroll(from, set, limits) => {
                let (from, set, limits) = self.limited(from, set, limits);
                (Dice::Reroll(from, set, limits), self.shows(from))
            }
            PoolNode::Explode(from, set, limits) => {
                let cap = limits.cap;
                let (from, set, limits) = self.limited(from, set, limits);
                let Shown { count, faces } = self.shows(from);
                let count = (count.0, if count.1 == 0 { 0 } else { MOST_DICE });
                (Dice::Explode(from, set, limits, cap), Shown { count, faces })
            }
            PoolNode::Chosen(from, chosen) => self.chosen(from, chosen, pool.span),
        };
        self.lay(heap, dice, shown);
    }

    /// Lays dice into a heap.
    fn lay(&mut self, heap: HeapId, dice: Dice, shown: Shown) {
        let known = &mut self.shown[heap.0];
        *known = Some(known.map_or(shown, |known| known.or(shown)));
        self.emit(Step::Keep(heap, dice));
    }

    fn shows(&self, heap: HeapId) -> Shown {
        let anything = Shown { count: (0, MOST_DICE), faces: (i32::MIN.into(), i32::MAX.into()) };
        self.shown[heap.0].unwrap_or(anything)
    }

    fn roll(&mut self, count: &'a Expr, die: &'a rules::Die) -> (Dice, Shown) {
        let faces = if let rules::Die::Computed(faces) = die { Some(&**faces) } else { None };
        let mut terms = self.operands(std::iter::once(count).chain(faces)).into_iter();
        let count = terms.next().unwrap_or(Term::constant(0));
        let (sort, shows) = match die {
            rules::Die::Faces(faces) => (Sort::Faces(Value::Constant(*faces as i32)), (1, i64::from(*faces))),
            rules::Die::Computed(_) => {
                let faces = terms.next().unwrap_or(Term::constant(1));
                (Sort::Faces(faces.value), (1, faces.high.max(1)))
            }
            rules::Die::Custom(id) => {
                let faces = &self.rules.dice[id.0].faces;
                let range = hull(faces.iter().map(|face| (i64::from(*face), i64::from(*face))));
                (Sort::Own(faces.clone()), range)
            }
        };
        let shown = Shown { count: (count.low.max(0), count.high.max(0)), faces: shows };
        (Dice::Roll(count.value, sort), shown)
    }

    fn joined(&mut self, pools: &'a [Pool]) -> (Dice, Shown) {
        let heaps: Vec<HeapId> = pools.iter().map(|pool| self.pool(pool)).collect();
        let shown: Vec<Shown> = heaps.iter().map(|heap| self.shows(*heap)).collect();
        let count = shown.iter().fold((0, 0), |sum, one| (sum.0 + one.count.0, sum.1 + one.count.1));
        (Dice::Join(heaps), Shown { count, faces: hull(shown.iter().map(|one| one.faces)) })
    }

    fn extreme(&mut self, from: &'a Pool, end: End, number: &'a Expr, others: bool) -> (Dice, Shown) {
        let from = self.pool(from);
        let number = self.value(number);
        let Shown { count, faces } = self.shows(from);
        let count = match others {
            false => (count.0.min(number.low.max(0)), count.1.min(number.high.max(0))),
            true => ((count.0 - number.high.max(0)).max(0), (count.1 - number.low.max(0)).max(0)),
        };
        (Dice::Extreme(from, end, number.value, others), Shown { count, faces })
    }

    fn limited(
        &mut self,
        from: &'a Pool,
        set: &'a Set,
        limits: &'a rules::Limits,
    ) -> (HeapId, Stretches, Limits) {
        let from = self.pool(from);
        let ends = self.ends(&mut Vec::new(), set);
        let point = self.point();
        let mut known: Vec<Term> =
            ends.iter().flat_map(|(low, high)| [low, high]).flatten().cloned().collect();
        let bounds = self.operands(limits.times.iter().chain(&limits.dice).map(|bound| &**bound));
        self.protect(&mut known, point);
        let mut known = known.into_iter().map(|term| term.value);
        let mut stretches = Stretches::new();
        for (low, high) in ends {
            let low = low.and_then(|_| known.next());
            stretches.push((low, high.and_then(|_| known.next())));
        }
        let mut bounds = bounds.into_iter().map(|bound| bound.value);
        let times = limits.times.as_ref().and_then(|_| bounds.next());
        let dice = limits.dice.as_ref().and_then(|_| bounds.next());
        (from, stretches, Limits { times, dice })
    }

    fn chosen(&mut self, from: &'a Pool, chosen: &'a Chosen, span: Span) -> (Dice, Shown) {
        let from = self.pool(from);
        let mut bounds = self.operands(chosen.least.iter().chain(&chosen.most)).into_iter();
        let least = chosen.least.as_ref().and_then(|_| bounds.next()).map(|bound| bound.value);
        let most = chosen.most.as_ref().and_then(|_| bounds.next()).map(|bound| bound.value);
        let by = match self.play(chosen.choice) {
            Some(Move::Dice { set, .. }) => Picking::Wanted(self.stretches(&mut Vec::new(), set)),
            Some(_) => Picking::Wanted(Stretches::new()),
            None => Picking::Free(self.site(chosen.choice, span)),
        };
        let shown = self.shows(from);
        let shown = if chosen.keep { shown.at_least(0) } else { shown };
        (Dice::Picked(from, Pick { keep: chosen.keep, least, most, by }), shown)
    }

    /// What is asked of a heap.
    pub(super) fn asked(&self, heap: HeapId, asked: Asked) -> Term {
        let Shown { count, faces } = self.shows(heap);
        let range = match &asked {
            Asked::Sum => hull([
                (count.0 * faces.0, count.0 * faces.0),
                (count.1 * faces.0, count.1 * faces.0),
                (count.0 * faces.1, count.0 * faces.1),
                (count.1 * faces.1, count.1 * faces.1),
            ]),
            Asked::Count(_) => (0, count.1),
            Asked::Any(_) | Asked::All(_) | Asked::Alike(_) => (0, 1.min(count.1)),
            Asked::Rank(_) | Asked::Item(_) if count.1 == 0 => (0, 0),
            Asked::Item(number) if count.0 > 0 && **number == Value::Constant(1) => faces,
            // where there is no such die, it is 0
            Asked::Rank(_) | Asked::Item(_) => (faces.0.min(0), faces.1.max(0)),
        };
        Term::of(Value::Ask(heap, asked), range)
    }
}
