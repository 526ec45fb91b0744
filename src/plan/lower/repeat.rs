//! Loops. Before one, all that a pass may change is put into slots; at the end of a pass it is put there again.

use super::Lower;
use super::fold::{self, Term};
use super::join::Way;
use super::store::Binding;
use crate::plan::program::{BlockId, Exit, Loop, LoopId, Options, SlotId, Step, Value};
use crate::rules::tree::{Comparison, End};
use crate::rules::{
    ChoiceId, Expr, ExprNode, LocalId, Operation, Part, Picks, Place, Repeat, Span, Statement, StatementNode,
    Type, UnitsId,
};
use crate::scenario::Move;
use std::collections::BTreeSet;

/// Loops through numbers are unrolled, so that what a pass does is known as far as its number settles it, where that makes
/// at most so many copies of what stands in them.
const MOST_COPIES: i64 = 64;

/// Passes that are only counted gain less by it.
const MOST_PASSES: i32 = 4;

/// A loop that is being written: the ways out of it so far.
pub(super) struct Stops {
    ways: Vec<Way>,
    /// How much of the trail was there before its first pass.
    mark: usize,
    /// Where the loop stands, and the number of the pass where each is written for itself.
    pub(super) at: (Span, Option<usize>),
}

impl<'a> Lower<'a> {
    /// The innermost loop is left here.
    pub(super) fn stop(&mut self) {
        let vars = self.vars.len();
        let Some(mark) = self.innermost().map(|stops| stops.mark) else { return };
        let way = self.way(mark, vars, Term::constant(0));
        if let Some(stops) = self.innermost() {
            stops.ways.push(way);
        }
    }

    fn innermost(&mut self) -> Option<&mut Stops> {
        self.frames.last_mut().and_then(|frame| frame.loops.last_mut())
    }

    fn begin(&mut self, span: Span) {
        let mark = self.trail.len();
        if let Some(frame) = self.frames.last_mut() {
            frame.loops.push(Stops { ways: Vec::new(), mark, at: (span, None) });
        }
    }

    /// Goes on behind a loop; says whether anybody does.
    fn end(&mut self) -> bool {
        let stops = self.frames.last_mut().and_then(|frame| frame.loops.pop());
        let Some(Stops { ways, mark, .. }) = stops else { return false };
        self.undo(mark);
        self.join(ways, Type::Nothing, self.slots.len()).is_some()
    }

    /// Puts what a pass may change into slots.
    fn settle(&mut self, vars: &BTreeSet<usize>) {
        for var in vars.iter().copied() {
            let binding = self.bindings[var];
            if binding.is_none() {
                continue; // it is named inside the loop
            }
            let home = self.home(var);
            if binding.at != Some(home) {
                self.set(home, binding.term().value);
            }
            let (low, high) = self.range_of(self.vars[var].ty);
            self.put(var, Binding { at: Some(home), low, high });
        }
    }

    /// Ends a pass: everything goes back into its slot.
    fn back(&mut self, mark: usize) {
        let mut seen = BTreeSet::new();
        let changes = self.trail[mark..].to_vec();
        for (var, before) in changes {
            // the oldest entry says what it was when the pass began
            let Some(binding) = self.bindings.get(var).copied().filter(|_| seen.insert(var)) else {
                continue;
            };
            if let Some(home) = before.at.filter(|_| !before.is_none())
                && binding.at != Some(home)
            {
                self.set(home, binding.term().value);
            }
        }
    }

    pub(super) fn repeat(&mut self, repeat: &'a Repeat, span: Span) -> bool {
        let most = self.value(&repeat.most);
        let (until, body) = (repeat.until.as_ref(), &repeat.body);
        if let (None, Some(most), false) = (until, most.known(), repeat.cap)
            && most <= MOST_PASSES
            && self.copies * i64::from(most) <= MOST_COPIES
        {
            return self.unrolled(None, &(1..=most).collect::<Vec<_>>(), body, span);
        }
        let assigned = self.assigned_in(until, body);
        self.counted((repeat.cap, span), most, &assigned, until, |lower| lower.block(body))
    }

    /// A loop whose passes are counted: behind the question whether to go on where their number is the tool's patience,
    /// else before.
    fn counted(
        &mut self,
        (cap, span): (bool, Span),
        most: Term,
        assigned: &BTreeSet<usize>,
        until: Option<&'a Expr>,
        pass: impl FnOnce(&mut Self) -> bool,
    ) -> bool {
        let id = LoopId(self.loops.len());
        self.emit(Step::Enter(id, most.value));
        let mut counter = self.head(assigned, cap, span);
        let (head, mark) = (counter, self.trail.len());
        let copies = std::mem::replace(&mut self.copies, 1);
        let mut more = head;
        if !cap {
            more = self.open(Some(head));
        }
        let done = until.map_or(Term::constant(0), |until| self.value(until));
        let leave = |lower: &mut Self| {
            lower.stop();
            None
        };
        self.either(done, Type::Nothing, leave, |lower| {
            if cap {
                (counter, more) = lower.counter();
            }
            if pass(lower) {
                lower.back(mark);
                lower.close(Exit::Go(BlockId(head)));
            }
            None
        });
        self.copies = copies;
        self.tail(id, mark);
        let full = self.open(Some(counter));
        if cap {
            self.close(Exit::Unresolved);
        } else {
            self.stop();
        }
        if more != head {
            self.blocks[counter].exit = Some(Exit::Pass(id, BlockId(more), BlockId(full)));
        }
        self.end()
    }

    /// A block that does nothing but count a pass, and the one behind it.
    fn counter(&mut self) -> (usize, usize) {
        let mut counter = self.here;
        if !self.blocks[counter].steps.is_empty() {
            let next = self.blocks.len();
            self.close(Exit::Go(BlockId(next)));
            counter = self.open(None);
        }
        (counter, self.open(Some(counter)))
    }

    /// Begins a loop with its head.
    fn head(&mut self, assigned: &BTreeSet<usize>, cap: bool, span: Span) -> usize {
        self.settle(assigned);
        self.begin(span);
        let head = self.blocks.len();
        self.close(Exit::Go(BlockId(head)));
        self.loops.push(Loop { head: BlockId(head), end: BlockId(head), cap, span });
        self.open(None)
    }

    /// Behind the last block of a loop; what is known is what is known at its head.
    fn tail(&mut self, id: LoopId, mark: usize) {
        self.floor = self.blocks.len();
        self.loops[id.0].end = BlockId(self.floor);
        self.undo(mark);
    }

    /// A loop from one number or unit to another.
    pub(super) fn each_between(
        &mut self,
        local: LocalId,
        (low, high): (&'a Expr, &'a Expr),
        body: &'a [Statement],
        span: Span,
    ) -> bool {
        let ty = low.ty;
        let terms = self.operands([low, high]);
        let [low, high] = &terms[..] else { return true };
        let var = self.var(Place::Local(local));
        self.vars[var].ty = ty;
        if low.low > high.high {
            return true;
        }
        let passes = |low: i32, high: i32| i64::from(high) - i64::from(low) + 1;
        match (low.known(), high.known()) {
            // where the number is not looked at, passes are only counted; where it is told by those who return, so is it
            (Some(low), Some(high))
                if passes(low, high) > i64::from(MOST_PASSES)
                    && !looks_at(body, local, ty == Type::Number && low > i32::MIN) =>
            {
                let assigned = self.assigned_in(None, body);
                let most = Term::constant(i32::try_from(passes(low, high)).unwrap_or(i32::MAX));
                let number = looks_at(body, local, false).then(|| self.before_first(var, low));
                self.counted((false, span), most, &assigned, None, |lower| {
                    number.into_iter().for_each(|slot| lower.next_number(var, slot, (low, high)));
                    lower.block(body)
                })
            }
            (Some(low), Some(high))
                if ty != Type::Number || self.copies * passes(low, high) <= MOST_COPIES =>
            {
                self.unrolled(Some(var), &(low..=high).collect::<Vec<_>>(), body, span)
            }
            _ => self.rolled(var, low.clone(), high.clone(), body, span),
        }
    }

    /// The slot that keeps the number of a pass, one less before the first.
    fn before_first(&mut self, var: usize, low: i32) -> SlotId {
        self.vars[var].home = None;
        let slot = self.home(var);
        self.set(slot, Value::Constant(low - 1));
        slot
    }

    fn next_number(&mut self, var: usize, slot: SlotId, (low, high): (i32, i32)) {
        let (low, high) = (i64::from(low), i64::from(high));
        let before = Term { value: Value::Slot(slot), low: low - 1, high: high - 1 };
        let next = fold::apply(Operation::Add, vec![before, Term::constant(1)]);
        self.set(slot, next.value);
        self.put(var, Binding { at: Some(slot), low, high });
    }

    /// One pass after another, each with its own number or unit.
    fn unrolled(&mut self, var: Option<usize>, values: &[i32], body: &'a [Statement], span: Span) -> bool {
        let copies = self.copies;
        self.copies = copies.saturating_mul(values.len().max(1) as i64);
        self.begin(span);
        let goes_on = values.iter().zip(1..).all(|(value, number)| {
            self.innermost().into_iter().for_each(|stops| stops.at = (span, Some(number)));
            var.into_iter().for_each(|var| self.put(var, Binding::constant(*value)));
            !self.is_too_long() && self.block(body)
        });
        if goes_on {
            self.stop();
        }
        self.copies = copies;
        self.end()
    }

    fn rolled(&mut self, var: usize, low: Term, high: Term, body: &'a [Statement], span: Span) -> bool {
        let high = self.hold(high, Type::Number);
        let assigned = self.assigned_in(None, body);
        let id = LoopId(self.loops.len());
        self.vars[var].home = None;
        let slot = self.home(var);
        let within = Binding { at: Some(slot), low: low.low, high: high.high.max(low.low) };
        self.set(slot, low.value);
        let head = self.head(&assigned, false, span);
        let mark = self.trail.len();
        let copies = std::mem::replace(&mut self.copies, 1);
        // behind the last pass, it is one more than the last number
        let at = Term { value: Value::Slot(slot), low: low.low, high: high.high.max(low.low) + 1 };
        let more = fold::apply(Operation::Compare(Comparison::AtMost), vec![at, high]);
        let first = self.open(Some(head));
        self.put(var, within);
        if self.block(body) {
            self.back(mark);
            let next = fold::apply(
                Operation::Add,
                vec![
                    Term { value: Value::Slot(slot), low: within.low, high: within.high },
                    Term::constant(1),
                ],
            );
            self.set(slot, next.value);
            self.close(Exit::Go(BlockId(head)));
        }
        self.copies = copies;
        self.tail(id, mark);
        let behind = self.open(Some(head));
        self.blocks[head].exit = Some(Exit::Branch(more.value, BlockId(first), BlockId(behind)));
        self.stop();
        self.end()
    }

    /// A loop through units of a list; before each pass the player says which of those that are left comes next.
    pub(super) fn each_chosen(
        &mut self,
        local: LocalId,
        (choice, first, count): (ChoiceId, usize, usize),
        body: &'a [Statement],
        span: Span,
    ) -> bool {
        let Picks::Order(units) = self.rules.choices[choice.0].picks else { return true };
        let var = self.var(Place::Local(local));
        self.vars[var].ty = Type::Unit(units);
        let mut list: Vec<i32> = (first..first + count).map(|unit| unit as i32).collect();
        let by = match self.play(choice) {
            Some(Move::Order { by: Some(by), end, .. }) => Some((by, *end)),
            Some(Move::Order { by: None, end, .. }) => {
                if *end == End::Highest {
                    list.reverse();
                }
                return self.unrolled(Some(var), &list, body, span);
            }
            Some(_) => return self.unrolled(Some(var), &list, body, span),
            None => None,
        };
        if count == 1 {
            return self.unrolled(Some(var), &list, body, span);
        }
        let left: Vec<SlotId> = list.iter().map(|_| self.slot(Type::Flag, None, false)).collect();
        left.iter().for_each(|slot| self.set(*slot, Value::Constant(1)));
        let assigned = self.assigned_in(None, body);
        let most = Term::constant(count as i32);
        self.counted((false, span), most, &assigned, None, |lower| {
            let next = match by {
                Some(by) => lower.next_by(units, &list, &left, by),
                None => lower.next_free(choice, (units, span), &list, &left),
            };
            let pass = &mut |lower: &mut Self, unit: i32| {
                lower.set(left[(unit - list[0]) as usize], Value::Constant(0));
                let goes_on = lower.knowing(Some(var), unit, |lower| lower.block(body));
                goes_on.then_some(Term::constant(0))
            };
            lower.dispatch(next, &list, Type::Nothing, pass).is_some()
        })
    }

    fn next_free(
        &mut self,
        choice: ChoiceId,
        (units, span): (UnitsId, Span),
        list: &[i32],
        left: &[SlotId],
    ) -> Term {
        let options = list.iter().zip(left).map(|(unit, left)| (*unit, Value::Slot(*left))).collect();
        let slot = self.slot(Type::Unit(units), None, true);
        let site = self.site(choice, span);
        self.fill(slot, Step::Choose(slot, site, Options::Listed(options)));
        Term::slot(slot, list[0].into(), list[list.len() - 1].into())
    }

    /// The unit for which an expression is lowest or highest, of those that are left; of equals the first.
    fn next_by(&mut self, units: UnitsId, list: &[i32], left: &[SlotId], (by, end): (&'a Expr, End)) -> Term {
        let mut keys = Vec::new();
        for unit in list {
            let here = Some((units, *unit));
            let pointers = self.point_at(here);
            let key = self.value(by);
            self.point_back(here, &pointers);
            keys.push(self.keep(key, Type::Number));
        }
        let sign = if end == End::Highest { Comparison::AtLeast } else { Comparison::AtMost };
        let foremost = |at: usize| {
            let none_before = |all: Term, other: usize| {
                let not_behind =
                    fold::apply(Operation::Compare(sign), vec![keys[at].clone(), keys[other].clone()]);
                let fine = fold::either(Value::Slot(left[other]), not_behind, Term::constant(1));
                fold::either(fine.value, all, Term::constant(0))
            };
            let others = (0..list.len()).rev().filter(|other| *other != at);
            let all = others.fold(Term::constant(1), none_before);
            fold::either(Value::Slot(left[at]), all, Term::constant(0)).value
        };
        let last = Term::constant(list[list.len() - 1]);
        let next = (0..list.len() - 1).rev().fold(last, |rest, at| {
            self.spent += list.len();
            fold::either(foremost(at), Term::constant(list[at]), rest)
        });
        self.keep(next, Type::Unit(units))
    }
}

/// Whether anything in a block looks at a local, or may, as a player does who decides there. With `going_on`, those that
/// return behind it do not count, as they make no other pass.
fn looks_at(block: &[Statement], local: LocalId, going_on: bool) -> bool {
    let returns = |statement: &Statement| {
        matches!(statement.node, StatementNode::Return(_) | StatementNode::ReturnList(_) | StatementNode::End)
    };
    let returns = going_on && block.last().is_some_and(returns);
    let reads = |expr: &Expr| matches!(expr.node, ExprNode::Read(Place::Local(read)) if read == local);
    block.iter().any(|statement| {
        let mut looks = false;
        let mut look = |part: Part| match part {
            Part::One(expr) => looks |= !returns && reads(expr),
            Part::Choice(_) => looks = true,
            Part::Many(_) | Part::Call(_) => {}
        };
        statement.parts().into_iter().for_each(|part| part.each(&mut look));
        looks || statement.blocks().into_iter().any(|block| looks_at(block, local, going_on))
    })
}
