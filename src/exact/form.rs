//! How each heap is kept in a state: as the answers to what is asked of it, as a number of dice that are yet to fall, or
//! as dice.

use super::live::{Kept, each_heap, each_look, each_read, each_value, operands, step_values};
use crate::plan::program::{Asked, Dice, Exit, HeapId, Picking, Program, SlotId, Step, Value};
use smallvec::{SmallVec, smallvec};
use std::collections::BTreeSet;

/// How a heap is kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// The answers to the questions of a [`Summary`], by its number.
    Answers(usize),
    /// How many dice of which sort will fall where the heap is used, for that is the only place.
    Unrolled,
    /// What lies there.
    Dice {
        /// Whether it matters which one is first.
        ordered: bool,
        /// Whether it matters what each one is, because it may be rolled again.
        rollable: bool,
    },
}

/// What happens to dice that are only asked about: they are handled, then all is asked at once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Summary<'p> {
    pub(super) handled: Vec<&'p Dice>,
    pub(super) asked: SmallVec<[&'p Asked; 2]>,
}

impl Summary<'_> {
    /// The number of a question.
    pub(super) fn number(&self, asked: &Asked) -> Option<usize> {
        self.asked.iter().position(|known| std::ptr::eq(*known, asked) || *known == asked)
    }
}

/// All that the steps that matter do with one heap.
#[derive(Default)]
struct Uses<'p> {
    /// Where its dice come from.
    sources: SmallVec<[&'p Dice; 1]>,
    /// What is asked of it.
    asked: SmallVec<[&'p Asked; 2]>,
    /// What becomes of it.
    handled: SmallVec<[(HeapId, &'p Dice); 1]>,
    /// Whether single items are changed.
    changed: bool,
}

/// The forms of all heaps, and the summaries that they name. `must_lie` says whether a heap is seen by a player, or needed
/// behind a step that sets one of the slots.
pub(super) fn forms<'p>(
    program: &'p Program,
    steps: impl Iterator<Item = &'p Step>,
    exits: impl Iterator<Item = &'p Exit>,
    must_lie: &dyn Fn(HeapId, &BTreeSet<SlotId>) -> bool,
) -> (SmallVec<[Form; 4]>, SmallVec<[Summary<'p>; 1]>) {
    let uses = uses(program, steps, exits);
    let mut forms = smallvec![Form::Dice { ordered: false, rollable: false }; program.heaps.len()];
    let mut summaries = SmallVec::new();
    for heap in 0..uses.len() {
        if let Some((chain, summary)) = summary(&uses, HeapId(heap), must_lie) {
            for link in chain {
                forms[link.0] = Form::Answers(summaries.len());
            }
            for part in uses[heap].sources.iter().flat_map(|source| unrolled(&uses, source)) {
                forms[part.0] = Form::Unrolled;
            }
            summaries.push(summary);
        }
    }
    if forms.iter().any(|form| matches!(form, Form::Dice { .. })) {
        lay_out(&uses, &mut forms);
    }
    (forms, summaries)
}

/// How dice lie that have to.
fn lay_out(uses: &[Uses], forms: &mut [Form]) {
    let mixed = mixed(uses);
    let needs_order = spread(uses, |uses, heap| needs_order(uses, &mixed, heap));
    let rolls_again =
        spread(uses, |uses, heap| uses[heap.0].handled.iter().any(|(_, dice)| rolls_again(dice)));
    for (heap, form) in forms.iter_mut().enumerate() {
        if let Form::Dice { ordered, rollable } = form {
            (*ordered, *rollable) = (needs_order[heap], rolls_again[heap]);
        }
    }
}

fn uses<'p>(
    program: &'p Program,
    steps: impl Iterator<Item = &'p Step>,
    exits: impl Iterator<Item = &'p Exit>,
) -> SmallVec<[Uses<'p>; 2]> {
    let mut uses: SmallVec<[Uses; 2]> = program.heaps.iter().map(|_| Uses::default()).collect();
    for step in steps {
        match step {
            Step::Keep(heap, dice) => {
                uses[heap.0].sources.push(dice);
                each_heap(dice, |from| uses[from.0].handled.push((*heap, dice)));
            }
            Step::SetItem(heap, ..) => uses[heap.0].changed = true,
            _ => {}
        }
        step_values(step, |value| asks(value, &mut uses));
    }
    for exit in exits {
        if let Exit::Branch(value, ..) | Exit::Done(value) = exit {
            asks(value, &mut uses);
        }
    }
    uses
}

/// Notes all questions in a value.
fn asks<'p>(value: &'p Value, uses: &mut [Uses<'p>]) {
    each_look(value, &mut |look| {
        if let Value::Ask(heap, asked) = look
            && !uses[heap.0].asked.contains(&asked)
        {
            uses[heap.0].asked.push(asked);
        }
    });
}

/// The heaps from one that is rolled to the one that is asked, and what happens on the way; `None` where the dice have to
/// be kept.
fn summary<'p>(
    uses: &[Uses<'p>],
    root: HeapId,
    must_lie: &dyn Fn(HeapId, &BTreeSet<SlotId>) -> bool,
) -> Option<(SmallVec<[HeapId; 2]>, Summary<'p>)> {
    let sources = &uses[root.0].sources;
    let falls = |source: &&Dice| match source {
        Dice::Roll(..) => true,
        Dice::Join(parts) => unrolled(uses, source).len() == parts.len(),
        Dice::Reroll(.., limits) => limits.dice.is_none() && unrolled(uses, source).len() == 1,
        _ => false,
    };
    if sources.is_empty() || !sources.iter().all(falls) {
        return None;
    }
    let mut chain = smallvec![root];
    let mut handled = Vec::new();
    let mut last = root;
    while let [(next, dice)] = uses[last.0].handled[..] {
        let simple = matches!(dice, Dice::Filter(..) | Dice::Extreme(..) | Dice::Copy(_));
        if !simple
            || uses[last.0].changed
            || !uses[last.0].asked.is_empty()
            || uses[next.0].sources.len() != 1
        {
            return None;
        }
        if !matches!(dice, Dice::Copy(_)) {
            handled.push(dice);
        }
        chain.push(next);
        last = next;
    }
    let tail = &uses[last.0];
    let single = sources.iter().all(|source| matches!(source, Dice::Roll(Value::Constant(1), _)));
    let no_order = |asked: &&Asked| !matches!(asked, Asked::Item(_)) || single && handled.is_empty();
    if tail.changed || !tail.handled.is_empty() || !tail.asked.iter().all(no_order) {
        return None;
    }
    let slots = slots_read(&handled, &tail.asked)?;
    let parts = sources.iter().flat_map(|source| unrolled(uses, source));
    let seen = chain.iter().copied().chain(parts).any(|heap| must_lie(heap, &slots));
    (!seen).then(|| (chain, Summary { handled, asked: tail.asked.clone() }))
}

/// The slots that questions and handlings look at; `None` where they look at dice.
fn slots_read(handled: &[&Dice], asked: &[&Asked]) -> Option<BTreeSet<SlotId>> {
    let (mut slots, mut other) = (BTreeSet::new(), false);
    let mut read = |value: &Value| {
        each_read(value, &mut |kept| match kept {
            Kept::Slot(slot) => _ = slots.insert(slot),
            _ => other = true,
        });
    };
    handled.iter().for_each(|dice| each_value(dice, &mut read));
    asked.iter().flat_map(|asked| operands(asked)).for_each(&mut read);
    (!other).then_some(slots)
}

/// The heaps a source is made of that need not fall before: rolled, and used nowhere else.
fn unrolled(uses: &[Uses], source: &Dice) -> SmallVec<[HeapId; 2]> {
    let mut parts = SmallVec::new();
    if matches!(source, Dice::Join(_) | Dice::Reroll(..)) {
        each_heap(source, |part| {
            let Uses { sources, asked, handled, changed } = &uses[part.0];
            let rolled = !sources.is_empty() && sources.iter().all(|source| matches!(source, Dice::Roll(..)));
            if rolled && asked.is_empty() && handled.len() == 1 && !changed {
                parts.push(part);
            }
        });
    }
    parts
}

/// Whether something holds of each heap or of any that is made of it.
fn spread(uses: &[Uses], holds: impl Fn(&[Uses], HeapId) -> bool) -> Vec<bool> {
    let mut all: Vec<bool> = (0..uses.len()).map(|heap| holds(uses, HeapId(heap))).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for heap in 0..uses.len() {
            if !all[heap] && uses[heap].handled.iter().any(|(next, _)| all[next.0]) {
                (all[heap], changed) = (true, true);
            }
        }
    }
    all
}

fn needs_order(uses: &[Uses], mixed: &[bool], heap: HeapId) -> bool {
    let by_item = uses[heap.0].asked.iter().any(|asked| matches!(asked, Asked::Item(_)));
    let first_counts = |dice: &Dice| match dice {
        Dice::Reroll(.., limits) | Dice::Explode(.., limits, _) => limits.dice.is_some(),
        Dice::Picked(_, pick) => matches!(pick.by, Picking::Wanted(_)),
        Dice::Extreme(..) => true,
        _ => false,
    };
    let handled = uses[heap.0].handled.iter().any(|(_, dice)| first_counts(dice));
    by_item || uses[heap.0].changed || handled && mixed[heap.0]
}

/// Whether dice of several sorts may lie in each heap.
fn mixed(uses: &[Uses]) -> Vec<bool> {
    let mut all = vec![false; uses.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for heap in 0..uses.len() {
            let from = |source: &&Dice| {
                let mut mixed = matches!(source, Dice::Join(_));
                each_heap(source, |from| mixed |= all[from.0]);
                mixed
            };
            if !all[heap] && uses[heap].sources.iter().any(from) {
                (all[heap], changed) = (true, true);
            }
        }
    }
    all
}

fn rolls_again(dice: &Dice) -> bool {
    match dice {
        Dice::Reroll(..) | Dice::Explode(..) => true,
        Dice::Picked(_, pick) => !pick.keep,
        _ => false,
    }
}
