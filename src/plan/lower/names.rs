//! Every slot, heap, loop and site that a program names.

use crate::plan::program::{
    Asked, Dice, Exit, HeapId, Limits, LoopId, Options, Picking, SiteId, SlotId, Sort, Step, Stretches, Value,
};

/// One that is named, to be looked at or renamed.
pub(super) enum Name<'n> {
    Reads(&'n mut SlotId),
    Sets(&'n mut SlotId),
    Asks(&'n mut HeapId),
    Keeps(&'n mut HeapId),
    Loop(&'n mut LoopId),
    Site(&'n mut SiteId),
}

/// Visits all slots that a value reads.
pub(super) fn reads(value: &Value, each: &mut dyn FnMut(SlotId)) {
    match value {
        Value::Constant(_) => {}
        Value::Slot(slot) => each(*slot),
        Value::Apply(_, operands) => operands.iter().for_each(|operand| reads(operand, each)),
        Value::If(parts) => parts.iter().for_each(|part| reads(part, each)),
        Value::Among(value, stretches) => {
            reads(value, each);
            reads_in(stretches, each);
        }
        Value::Lookup(value, _, entries) => {
            reads(value, each);
            entries.iter().for_each(|entry| reads(entry, each));
        }
        Value::Ask(_, asked) => match asked {
            Asked::Sum => {}
            Asked::Count(stretches) | Asked::Any(stretches) | Asked::All(stretches) => {
                reads_in(stretches, each);
            }
            Asked::Rank(number) | Asked::Alike(number) | Asked::Item(number) => reads(number, each),
        },
    }
}

fn reads_in(stretches: &Stretches, each: &mut dyn FnMut(SlotId)) {
    stretches.iter().flat_map(|(low, high)| [low, high]).flatten().for_each(|end| reads(end, each));
}

/// Visits what a value names, in order.
pub(super) fn in_value(value: &mut Value, each: &mut dyn FnMut(Name)) {
    match value {
        Value::Constant(_) => {}
        Value::Slot(slot) => each(Name::Reads(slot)),
        Value::Apply(_, operands) => operands.iter_mut().for_each(|operand| in_value(operand, each)),
        Value::If(parts) => parts.iter_mut().for_each(|part| in_value(part, each)),
        Value::Among(value, stretches) => {
            in_value(value, each);
            in_stretches(stretches, each);
        }
        Value::Lookup(value, _, entries) => {
            in_value(value, each);
            entries.iter_mut().for_each(|entry| in_value(entry, each));
        }
        Value::Ask(heap, asked) => {
            each(Name::Asks(heap));
            match asked {
                Asked::Sum => {}
                Asked::Count(stretches) | Asked::Any(stretches) | Asked::All(stretches) => {
                    in_stretches(stretches, each);
                }
                Asked::Rank(number) | Asked::Alike(number) | Asked::Item(number) => in_value(number, each),
            }
        }
    }
}

fn in_stretches(stretches: &mut Stretches, each: &mut dyn FnMut(Name)) {
    for end in stretches.iter_mut().flat_map(|(low, high)| [low, high]).flatten() {
        in_value(end, each);
    }
}

fn in_some(value: &mut Option<Value>, each: &mut dyn FnMut(Name)) {
    value.iter_mut().for_each(|value| in_value(value, each));
}

/// Visits what a step names: first what it looks at, then what it changes.
pub(super) fn in_step(step: &mut Step, each: &mut dyn FnMut(Name)) {
    match step {
        Step::Set(slot, value) => {
            in_value(value, each);
            each(Name::Sets(slot));
        }
        Step::Chance(slot, top, bottom) => {
            in_value(top, each);
            in_value(bottom, each);
            each(Name::Sets(slot));
        }
        Step::Mix(slot, _) => each(Name::Sets(slot)),
        Step::Keep(heap, dice) => {
            in_dice(dice, each);
            each(Name::Keeps(heap));
        }
        Step::SetItem(heap, number, value) => {
            in_value(number, each);
            in_value(value, each);
            each(Name::Keeps(heap));
        }
        Step::Record(_, _, value) => in_value(value, each),
        Step::Enter(id, most) => {
            in_value(most, each);
            each(Name::Loop(id));
        }
        Step::Choose(slot, site, options) => {
            match options {
                Options::Listed(listed) => {
                    listed.iter_mut().for_each(|(_, condition)| in_value(condition, each));
                }
                Options::Between(low, high) => {
                    in_value(low, each);
                    in_value(high, each);
                }
            }
            each(Name::Site(site));
            each(Name::Sets(slot));
        }
    }
}

fn in_dice(dice: &mut Dice, each: &mut dyn FnMut(Name)) {
    match dice {
        Dice::Roll(count, sort) => {
            in_value(count, each);
            if let Sort::Faces(faces) = sort {
                in_value(faces, each);
            }
        }
        Dice::Join(heaps) => heaps.iter_mut().for_each(|heap| each(Name::Asks(heap))),
        Dice::List(items) => items.iter_mut().for_each(|item| in_value(item, each)),
        Dice::Copy(heap) => each(Name::Asks(heap)),
        Dice::Filter(heap, stretches, _) => {
            each(Name::Asks(heap));
            in_stretches(stretches, each);
        }
        Dice::Extreme(heap, _, number, _) => {
            each(Name::Asks(heap));
            in_value(number, each);
        }
        Dice::Reroll(heap, stretches, limits) | Dice::Explode(heap, stretches, limits, _) => {
            each(Name::Asks(heap));
            in_stretches(stretches, each);
            let Limits { times, dice } = limits;
            in_some(times, each);
            in_some(dice, each);
        }
        Dice::Picked(heap, pick) => {
            each(Name::Asks(heap));
            in_some(&mut pick.least, each);
            in_some(&mut pick.most, each);
            match &mut pick.by {
                Picking::Wanted(stretches) => in_stretches(stretches, each),
                Picking::Free(site) => each(Name::Site(site)),
            }
        }
    }
}

/// Visits what the end of a block names, but for blocks.
pub(super) fn in_exit(exit: &mut Exit, each: &mut dyn FnMut(Name)) {
    match exit {
        Exit::Go(_) | Exit::Unresolved => {}
        Exit::Branch(value, ..) | Exit::Done(value) => in_value(value, each),
        Exit::Pass(id, ..) => each(Name::Loop(id)),
    }
}
