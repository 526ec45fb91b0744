//! Ways that part, and where they come together again.
//!
//! Where ways join, a cell or local that is not the same on all of them is put into its slot at the end of each.

use super::Lower;
use super::fold::{self, Term, hull};
use super::store::Binding;
use crate::plan::program::{BlockId, Exit, SlotId, Step, Value};
use crate::rules::Type;

/// A block that is being written.
#[derive(Debug, Default)]
pub(super) struct Draft {
    pub(super) steps: Vec<Step>,
    /// None as long as nothing is said; a block that nobody reaches may stay so.
    pub(super) exit: Option<Exit>,
    /// The block that branches to it, if that is the only way there.
    pub(super) from: Option<usize>,
}

/// A way on that is open at the end of a block.
#[derive(Debug)]
pub(super) struct Way {
    pub(super) block: usize,
    /// What was changed on the way, by position.
    pub(super) changed: Vec<(usize, Binding)>,
    /// What it gives.
    pub(super) value: Term,
}

impl Lower<'_> {
    /// Begins a block.
    pub(super) fn open(&mut self, from: Option<usize>) -> usize {
        self.blocks.push(Draft { from, ..Draft::default() });
        self.here = self.blocks.len() - 1;
        self.here
    }

    /// Ends the block that is being written.
    pub(super) fn close(&mut self, exit: Exit) {
        self.blocks[self.here].exit = Some(exit);
    }

    /// The way that is open here; what was changed since `mark` counts, as far as it is older than `vars`.
    pub(super) fn way(&self, mark: usize, vars: usize, value: Term) -> Way {
        let mut changed: Vec<usize> = self.trail[mark..].iter().map(|(var, _)| *var).collect();
        changed.retain(|var| *var < vars);
        changed.sort_unstable();
        changed.dedup();
        let changed = changed.into_iter().map(|var| (var, self.bindings[var])).collect();
        Way { block: self.here, changed, value }
    }

    /// Takes back what was noted since `mark`.
    pub(super) fn undo(&mut self, mark: usize) {
        while self.trail.len() > mark {
            if let Some((var, before)) = self.trail.pop()
                && let Some(binding) = self.bindings.get_mut(var)
            {
                *binding = before;
            }
        }
    }

    /// One of two ways, by a condition. A way that leads elsewhere gives nothing; nothing comes of it if both do.
    pub(super) fn either(
        &mut self,
        condition: Term,
        ty: Type,
        then: impl FnOnce(&mut Self) -> Option<Term>,
        otherwise: impl FnOnce(&mut Self) -> Option<Term>,
    ) -> Option<Term> {
        match condition.known() {
            Some(0) => return otherwise(self),
            Some(_) => return then(self),
            None => {}
        }
        let (fork, mark, since) = (self.here, self.trail.len(), self.slots.len());
        let (first, one) = self.arm(fork, then);
        let (second, other) = self.arm(fork, otherwise);
        self.blocks[fork].exit = Some(Exit::Branch(condition.value, BlockId(first), BlockId(second)));
        let ways = one.into_iter().chain(other).collect();
        debug_assert_eq!(mark, self.trail.len());
        self.join(ways, ty, since)
    }

    /// Writes one of several ways that part at a block: where it begins, and how it ends unless it leads elsewhere.
    pub(super) fn arm(
        &mut self,
        fork: usize,
        write: impl FnOnce(&mut Self) -> Option<Term>,
    ) -> (usize, Option<Way>) {
        let (mark, vars) = (self.trail.len(), self.vars.len());
        let start = self.open(Some(fork));
        let way = write(self).map(|value| self.way(mark, vars, value));
        self.undo(mark);
        (start, way)
    }

    /// Goes on behind several ways with what they give; nothing comes of no ways. Slots from `since` on belong to these
    /// ways alone.
    pub(super) fn join(&mut self, ways: Vec<Way>, ty: Type, since: usize) -> Option<Term> {
        let mut ways = self.merged(ways);
        if ways.len() > 1 {
            return Some(self.meet(&ways, ty, since));
        }
        let Some(way) = ways.pop() else {
            self.open(None); // nobody comes here
            return None;
        };
        self.here = way.block;
        if way.block < self.floor {
            let next = self.blocks.len();
            self.close(Exit::Go(BlockId(next)));
            self.open(None);
        }
        way.changed.into_iter().for_each(|(var, binding)| self.put(var, binding));
        Some(way.value)
    }

    /// Two ways side by side on which nothing is done come to one value where they parted.
    pub(super) fn merged(&mut self, ways: Vec<Way>) -> Vec<Way> {
        let mut merged: Vec<Way> = Vec::new();
        for way in ways {
            merged.push(way);
            while let [.., one, other] = &merged[..]
                && let Some(way) = self.parted(one, other)
            {
                merged.truncate(merged.len() - 2);
                merged.push(way);
            }
        }
        merged
    }

    fn parted(&mut self, one: &Way, other: &Way) -> Option<Way> {
        let idle =
            |way: &Way| self.blocks[way.block].steps.is_empty() && self.blocks[way.block].exit.is_none();
        let fork = self.blocks[one.block].from?;
        if self.blocks[other.block].from != Some(fork)
            || !idle(one)
            || !idle(other)
            || one.changed != other.changed
        {
            return None;
        }
        let Some(Exit::Branch(condition, first, second)) = &self.blocks[fork].exit else { return None };
        if (first.0, second.0) != (one.block, other.block) {
            return None;
        }
        let value = fold::either(condition.clone(), one.value.clone(), other.value.clone());
        self.blocks[fork].exit = None;
        Some(Way { block: fork, changed: one.changed.clone(), value })
    }

    /// Ends several ways in one block.
    fn meet(&mut self, ways: &[Way], ty: Type, since: usize) -> Term {
        let value = self.agreed(ways, ty, since);
        let mut changed: Vec<usize> =
            ways.iter().flat_map(|way| way.changed.iter().map(|(var, _)| *var)).collect();
        changed.sort_unstable();
        changed.dedup();
        for var in changed {
            self.settled(ways, var);
        }
        let next = self.blocks.len();
        for way in ways {
            self.blocks[way.block].exit = Some(Exit::Go(BlockId(next)));
        }
        self.open(None);
        value
    }

    /// What several ways give.
    fn agreed(&mut self, ways: &[Way], ty: Type, since: usize) -> Term {
        let first = &ways[0].value;
        let fixed = match first.value {
            Value::Constant(_) => true,
            Value::Slot(slot) => self.frozen[slot.0],
            _ => false,
        };
        let (low, high) = hull(ways.iter().map(|way| (way.value.low, way.value.high)));
        if fixed && ways.iter().all(|way| way.value.value == first.value) {
            return Term { value: first.value.clone(), low, high };
        }
        let slot = self.passed_on(ways, since).unwrap_or_else(|| self.slot(ty, None, true));
        for way in ways {
            self.here = way.block;
            self.set(slot, way.value.value.clone());
        }
        Term::slot(slot, low, high)
    }

    /// The slot in which one of the ways has its value already, if nothing else needs it.
    fn passed_on(&self, ways: &[Way], since: usize) -> Option<SlotId> {
        ways.iter().find_map(|way| match way.value.value {
            Value::Slot(slot) if slot.0 >= since && self.slots[slot.0].origin.is_none() => {
                let mut changed = ways.iter().flat_map(|way| &way.changed);
                (self.frozen[slot.0] && changed.all(|(_, binding)| binding.at != Some(slot))).then_some(slot)
            }
            _ => None,
        })
    }

    /// Brings a cell or local into one state at the end of several ways.
    fn settled(&mut self, ways: &[Way], var: usize) {
        let before = self.bindings[var];
        let binding = |way: &Way| match way.changed.binary_search_by_key(&var, |(var, _)| *var) {
            Ok(at) => way.changed[at].1,
            Err(_) => before,
        };
        let states: Vec<Binding> = ways.iter().map(binding).collect();
        if states.iter().any(Binding::is_none) {
            return self.put(var, Binding::NONE); // its scope has ended
        }
        let (low, high) = hull(states.iter().map(|state| (state.low, state.high)));
        let first = states[0].at;
        let alike = match first {
            Some(_) => states.iter().all(|state| state.at == first),
            None => states.iter().all(|state| *state == states[0]),
        };
        if alike {
            return self.put(var, Binding { at: first, low, high });
        }
        let home = self.home(var);
        for (way, state) in ways.iter().zip(&states) {
            if state.at != Some(home) {
                self.here = way.block;
                self.set(home, state.term().value);
            }
        }
        self.put(var, Binding { at: Some(home), low, high });
    }

    /// One of several ways, by the number that a term comes to; it comes to one of the cases. Where nothing is done on any
    /// of them, it is a value.
    pub(super) fn dispatch(
        &mut self,
        which: Term,
        cases: &[i32],
        ty: Type,
        write: &mut dyn FnMut(&mut Self, i32) -> Option<Term>,
    ) -> Option<Term> {
        let cases: Vec<i32> = cases
            .iter()
            .copied()
            .filter(|case| (which.low..=which.high).contains(&i64::from(*case)))
            .collect();
        let cases = &cases[..];
        match (which.known(), cases) {
            (Some(case), _) => return write(self, case),
            (None, []) => return None,
            (None, [case]) => return write(self, *case),
            _ => {}
        }
        let (fork, since) = (self.here, self.slots.len());
        let (mut tests, mut starts, mut ways) = (vec![fork], Vec::new(), Vec::new());
        for (number, case) in cases.iter().enumerate() {
            if number > 0 && number + 1 < cases.len() {
                tests.push(self.open(tests.last().copied()));
            }
            let fork = tests[tests.len() - 1];
            let (start, way) = self.arm(fork, |lower| write(lower, *case));
            starts.push(start);
            ways.push(way);
        }
        self.here = fork;
        let idle = |(way, start): (&Option<Way>, &usize)| {
            way.as_ref().is_some_and(|way| {
                way.block == *start && self.blocks[*start].steps.is_empty() && way.changed.is_empty()
            })
        };
        if ways.iter().zip(&starts).all(idle) {
            let values: Vec<Term> = ways.into_iter().flatten().map(|way| way.value).collect();
            return Some(chosen(which, cases, &values));
        }
        let which = self.keep(which, Type::Number);
        for (number, test) in tests.iter().enumerate() {
            let condition = fold::among(which.clone(), is(cases[number]));
            let next = tests.get(number + 1).copied().unwrap_or(starts[number + 1]);
            self.blocks[*test].exit =
                Some(Exit::Branch(condition.value, BlockId(starts[number]), BlockId(next)));
        }
        self.join(ways.into_iter().flatten().collect(), ty, since)
    }
}

/// Just one number.
pub(super) fn is(number: i32) -> fold::Ends {
    vec![(Some(Term::constant(number)), Some(Term::constant(number)))]
}

/// The value of the case that a term comes to. What is a table of cases becomes a table of values.
fn chosen(which: Term, cases: &[i32], values: &[Term]) -> Term {
    let value_of = |case: i32| {
        let at = cases.iter().position(|one| *one == case);
        values[at.unwrap_or(0)].clone()
    };
    match which.value {
        Value::Constant(case) => value_of(case),
        Value::Lookup(key, first, entries) => {
            let entries = entries.into_iter();
            let entry = |value| chosen(Term { value, low: which.low, high: which.high }, cases, values);
            fold::lookup(*key, first, entries.map(entry).collect())
        }
        Value::If(parts) => {
            let [condition, then, otherwise] = *parts;
            let of = |value| chosen(Term { value, low: which.low, high: which.high }, cases, values);
            fold::either(condition, of(then), of(otherwise))
        }
        value => {
            let entries = (which.low..=which.high).map(|case| value_of(case as i32)).collect();
            fold::lookup(value, which.low as i32, entries)
        }
    }
}
