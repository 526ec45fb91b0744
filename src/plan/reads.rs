//! What steps and values look at, and the same steps over other values.

use super::program::{
    Asked, Dice, HeapId, Limits, Options, Pick, Picking, SlotId, Sort, Step, Stretches, Value,
};

/// Something that is looked at.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Read {
    /// A number.
    Slot(SlotId),
    /// Dice or a list.
    Heap(HeapId),
}

impl Value {
    /// Tells all that the value looks at.
    pub fn reads(&self, each: &mut impl FnMut(Read)) {
        match self {
            Self::Slot(slot) => each(Read::Slot(*slot)),
            Self::Ask(heap, _) => each(Read::Heap(*heap)),
            _ => {}
        }
        self.parts(&mut |part| part.reads(each));
    }

    /// Tells the values that this one is put together from, in order.
    pub fn parts<'v>(&'v self, each: &mut impl FnMut(&'v Self)) {
        match self {
            Self::Constant(_) | Self::Slot(_) => {}
            Self::Apply(_, operands) => operands.iter().for_each(each),
            Self::If(parts) => parts.iter().for_each(each),
            Self::Among(value, stretches) => {
                each(value);
                ends(stretches).for_each(each);
            }
            Self::Lookup(key, _, entries) => {
                each(key);
                entries.iter().for_each(each);
            }
            Self::Ask(_, asked) => asked.parts(each),
        }
    }
}

impl Asked {
    /// Tells the values that the question is put together from, in order.
    pub fn parts<'v>(&'v self, each: &mut impl FnMut(&'v Value)) {
        match self {
            Self::Sum => {}
            Self::Count(stretches) | Self::Any(stretches) | Self::All(stretches) => {
                ends(stretches).for_each(each);
            }
            Self::Rank(number) | Self::Alike(number) | Self::Item(number) => each(number),
        }
    }
}

impl Dice {
    /// Tells the values that the dice come from or are handled with, in order.
    pub fn parts<'v>(&'v self, each: &mut impl FnMut(&'v Value)) {
        let limits = |limits: &'v Limits| [&limits.times, &limits.dice].into_iter().flatten();
        match self {
            Self::Roll(count, sort) => {
                each(count);
                if let Sort::Faces(faces) = sort {
                    each(faces);
                }
            }
            Self::Join(_) | Self::Copy(_) => {}
            Self::List(items) => items.iter().for_each(each),
            Self::Filter(_, stretches, _) => ends(stretches).for_each(each),
            Self::Extreme(_, _, number, _) => each(number),
            Self::Reroll(_, stretches, bounds) | Self::Explode(_, stretches, bounds, _) => {
                ends(stretches).chain(limits(bounds)).for_each(each);
            }
            Self::Picked(_, Pick { least, most, by, .. }) => {
                [least, most].into_iter().flatten().for_each(&mut *each);
                if let Picking::Wanted(stretches) = by {
                    ends(stretches).for_each(each);
                }
            }
        }
    }

    /// Tells the heaps that the dice come from.
    pub fn heaps(&self, mut each: impl FnMut(HeapId)) {
        match self {
            Self::Roll(..) | Self::List(_) => {}
            Self::Join(heaps) => heaps.iter().for_each(|heap| each(*heap)),
            Self::Copy(heap)
            | Self::Filter(heap, ..)
            | Self::Extreme(heap, ..)
            | Self::Reroll(heap, ..)
            | Self::Explode(heap, ..)
            | Self::Picked(heap, _) => each(*heap),
        }
    }
}

impl Step {
    /// Tells the values that the step works out, in order.
    pub fn parts<'v>(&'v self, each: &mut impl FnMut(&'v Value)) {
        match self {
            Self::Set(_, value) | Self::Record(.., value) | Self::Enter(_, value) => each(value),
            Self::Chance(_, one, other) | Self::SetItem(_, one, other) => {
                [one, other].into_iter().for_each(each)
            }
            Self::Mix(..) => {}
            Self::Keep(_, dice) => dice.parts(each),
            Self::Choose(_, _, Options::Listed(listed)) => listed.iter().for_each(|(_, open)| each(open)),
            Self::Choose(_, _, Options::Between(low, high)) => [low, high].into_iter().for_each(each),
        }
    }

    /// Tells all that the step looks at.
    pub fn reads(&self, each: &mut impl FnMut(Read)) {
        self.parts(&mut |part| part.reads(each));
        match self {
            Self::Keep(_, dice) => dice.heaps(|heap| each(Read::Heap(heap))),
            Self::SetItem(heap, ..) => each(Read::Heap(*heap)),
            _ => {}
        }
    }
}

/// What a value becomes.
type Change<'c> = &'c mut dyn FnMut(&Value) -> Value;

impl Value {
    /// The same of other parts.
    #[must_use]
    pub fn map(&self, change: Change) -> Self {
        match self {
            Self::Constant(_) | Self::Slot(_) => self.clone(),
            Self::Apply(operation, operands) => {
                Self::Apply(*operation, operands.iter().map(change).collect())
            }
            Self::If(parts) => Self::If(Box::new([0, 1, 2].map(|at| change(&parts[at])))),
            Self::Among(value, stretches) => {
                let value = change(value);
                Self::Among(Box::new(value), map(stretches, change))
            }
            Self::Lookup(key, first, entries) => {
                let key = change(key);
                Self::Lookup(Box::new(key), *first, entries.iter().map(change).collect())
            }
            Self::Ask(heap, asked) => Self::Ask(*heap, asked.map(change)),
        }
    }
}

impl Asked {
    /// The same with other values.
    #[must_use]
    pub fn map(&self, change: Change) -> Self {
        match self {
            Self::Sum => Self::Sum,
            Self::Count(stretches) => Self::Count(map(stretches, change)),
            Self::Any(stretches) => Self::Any(map(stretches, change)),
            Self::All(stretches) => Self::All(map(stretches, change)),
            Self::Rank(number) => Self::Rank(Box::new(change(number))),
            Self::Alike(number) => Self::Alike(Box::new(change(number))),
            Self::Item(number) => Self::Item(Box::new(change(number))),
        }
    }
}

impl Options {
    /// The same with other values.
    #[must_use]
    pub fn map(&self, change: Change) -> Self {
        match self {
            Self::Listed(listed) => {
                Self::Listed(listed.iter().map(|(option, open)| (*option, change(open))).collect())
            }
            Self::Between(low, high) => Self::Between(change(low), change(high)),
        }
    }
}

impl Dice {
    /// The same with other values.
    #[must_use]
    pub fn map(&self, change: Change) -> Self {
        match self {
            Self::Roll(count, Sort::Faces(faces)) => {
                let count = change(count);
                Self::Roll(count, Sort::Faces(change(faces)))
            }
            Self::Roll(count, sort) => Self::Roll(change(count), sort.clone()),
            Self::Join(_) | Self::Copy(_) => self.clone(),
            Self::List(items) => Self::List(items.iter().map(change).collect()),
            Self::Filter(heap, stretches, others) => Self::Filter(*heap, map(stretches, change), *others),
            Self::Extreme(heap, end, number, others) => Self::Extreme(*heap, *end, change(number), *others),
            Self::Reroll(heap, stretches, limits) => {
                let stretches = map(stretches, change);
                Self::Reroll(*heap, stretches, limits.map(change))
            }
            Self::Explode(heap, stretches, limits, cap) => {
                let stretches = map(stretches, change);
                Self::Explode(*heap, stretches, limits.map(change), *cap)
            }
            Self::Picked(heap, pick) => {
                let [least, most] = [&pick.least, &pick.most].map(|bound| bound.as_ref().map(&mut *change));
                let by = match &pick.by {
                    Picking::Wanted(stretches) => Picking::Wanted(map(stretches, change)),
                    free @ Picking::Free(_) => free.clone(),
                };
                Self::Picked(*heap, Pick { keep: pick.keep, least, most, by })
            }
        }
    }
}

impl Limits {
    fn map(&self, change: Change) -> Self {
        let [times, dice] = [&self.times, &self.dice].map(|bound| bound.as_ref().map(&mut *change));
        Self { times, dice }
    }
}

fn map(stretches: &Stretches, change: Change) -> Stretches {
    let mut end = |end: &Option<Value>| end.as_ref().map(&mut *change);
    stretches.iter().map(|(low, high)| (end(low), end(high))).collect()
}

/// The ends of stretches, in order.
fn ends(stretches: &[(Option<Value>, Option<Value>)]) -> impl Iterator<Item = &Value> {
    stretches.iter().flat_map(|(low, high)| low.iter().chain(high))
}
