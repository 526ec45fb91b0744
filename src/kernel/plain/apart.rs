//! Which faces of a die the rules tell apart: of a d6 that hits on 4 or more, two.
//!
//! In: a plain program. Out: the same, where a die by itself shows the number of its row of faces, and what looked at the
//! face looks at that. **Never:** dice that are added up.

use super::{Faces, Plain, PlainExit, PlainRoll, PlainStep, Question, compare};
use crate::kernel::value::{only_slot, worked_out};
use crate::plan::Read;
use crate::plan::program::{Comparison, SlotId, Value};
use std::collections::{BTreeMap, BTreeSet};

impl Plain {
    /// Lets each die by itself show no more than is asked of it.
    pub(super) fn tell_faces_apart(&mut self) {
        let rows: BTreeMap<SlotId, Rows> = {
            let uses = Uses::new(self);
            let dice = uses.dice.iter().filter_map(|(slot, faces)| Some((*slot, (*faces)?)));
            dice.filter_map(|(slot, faces)| Some((slot, uses.rows(slot, faces)?))).collect()
        };
        if rows.is_empty() {
            return;
        }
        for block in &mut self.blocks {
            block.steps.iter_mut().for_each(|step| step.look_at_rows(&rows));
            if let PlainExit::Branch(value, ..) = &mut block.exit {
                *value = of_rows(value, &rows);
            }
        }
    }
}

/// Faces that follow one another, and that nothing tells apart.
struct Rows {
    /// For each face the number of its row, from 0.
    of: Vec<i32>,
    /// The first face of each row.
    first: Vec<i64>,
}

/// What looks at each slot.
struct Uses<'p> {
    /// Values that look at that slot only, and the slot that is set to them, if nothing else is done with them.
    values: BTreeMap<SlotId, Vec<(&'p Value, Option<SlotId>)>>,
    /// Slots of which every number may matter.
    all: BTreeSet<SlotId>,
    /// Slots that dice show their face in, and nothing else lies in; nothing where dice of several sorts do.
    dice: BTreeMap<SlotId, Option<&'p Faces>>,
}

impl<'p> Uses<'p> {
    fn new(plain: &'p Plain) -> Self {
        let mut uses = Self { values: BTreeMap::new(), all: BTreeSet::new(), dice: BTreeMap::new() };
        uses.all.extend([plain.result, plain.open]);
        uses.all.extend(plain.records.iter().flat_map(|(_, value, has)| [*value, *has]));
        plain.loops.iter().filter_map(|one| one.most.as_ref()).for_each(|most| uses.every(most));
        for block in &plain.blocks {
            block.steps.iter().for_each(|step| uses.step(step));
            if let PlainExit::Branch(value, ..) = &block.exit {
                uses.value(value, None);
            }
        }
        uses
    }

    fn step(&mut self, step: &'p PlainStep) {
        let die = step.die();
        step.sets(&mut |slot| {
            let faces = die.map(|(_, faces)| faces);
            self.dice
                .entry(slot)
                .and_modify(|known| *known = known.filter(|_| *known == faces))
                .or_insert(faces);
        });
        match step {
            PlainStep::Set(slot, value) => self.value(value, Some(*slot)),
            PlainStep::Roll(PlainRoll { count: value, .. }) | PlainStep::Die(_, value) => {
                self.value(value, None)
            }
            other => other.parts(&mut |value| self.every(value)),
        }
    }

    fn value(&mut self, value: &'p Value, to: Option<SlotId>) {
        match only_slot(value) {
            Some(slot) => self.values.entry(slot).or_default().push((value, to)),
            None => value.parts(&mut |part| self.value(part, None)),
        }
    }

    fn every(&mut self, value: &Value) {
        value.reads(&mut |read| {
            if let Read::Slot(slot) = read {
                self.all.insert(slot);
            }
        });
    }

    /// The rows of a die's faces, if there are fewer of them than faces.
    fn rows(&self, slot: SlotId, faces: &Faces) -> Option<Rows> {
        let shown: Vec<i64> = faces.shown().into_iter().map(i64::from).collect();
        let mut told = Vec::new();
        self.tell(slot, &shown, &mut vec![slot], &mut told);
        let differs = |at: &usize| told.iter().any(|numbers| numbers[*at] != numbers[at - 1]);
        let starts: Vec<usize> = std::iter::once(0).chain((1..shown.len()).filter(differs)).collect();
        let row = |at: usize| starts.partition_point(|start| *start <= at) as i32 - 1;
        (starts.len() < shown.len()).then(|| Rows {
            of: (0..shown.len()).map(row).collect(),
            first: starts.iter().map(|start| shown[*start]).collect(),
        })
    }

    /// What comes of the numbers that a slot may hold, for everything that looks at it.
    fn tell(&self, slot: SlotId, numbers: &[i64], way: &mut Vec<SlotId>, told: &mut Vec<Vec<i64>>) {
        if self.all.contains(&slot) {
            told.push(numbers.to_vec());
        }
        for (value, to) in self.values.get(&slot).into_iter().flatten() {
            let becomes = worked_out(value, numbers);
            match to {
                Some(to) if !way.contains(to) => {
                    way.push(*to);
                    self.tell(*to, &becomes, way, told);
                    way.pop();
                }
                _ => told.push(becomes),
            }
        }
    }
}

impl PlainStep {
    /// The slot that a single die shows its face in, and its faces.
    fn die(&self) -> Option<(SlotId, &Faces)> {
        match self {
            Self::Roll(PlainRoll { count: Value::Constant(1), faces, asks }) => match &asks[..] {
                [(slot, Question::Sum)] => Some((*slot, faces)),
                _ => None,
            },
            _ => None,
        }
    }

    fn look_at_rows(&mut self, rows: &BTreeMap<SlotId, Rows>) {
        if let Some(rows) = self.die().and_then(|(slot, _)| rows.get(&slot))
            && let Self::Roll(roll) = self
        {
            roll.faces = Faces::Own(rows.of.clone());
        }
        match self {
            Self::Set(_, value) | Self::Die(_, value) | Self::Roll(PlainRoll { count: value, .. }) => {
                *value = of_rows(value, rows);
            }
            _ => {}
        }
    }
}

/// The value, by the rows of dice.
fn of_rows(value: &Value, rows: &BTreeMap<SlotId, Rows>) -> Value {
    let Some(slot) = only_slot(value) else { return value.map(&mut |part| of_rows(part, rows)) };
    let Some(Rows { first, .. }) = rows.get(&slot) else { return value.clone() };
    let entries = worked_out(value, first);
    let is_test = |low: i64| {
        let at = entries.iter().position(|entry| *entry != low)?;
        entries[at..].iter().all(|entry| *entry == 1 - low).then_some(Value::Constant(at as i32))
    };
    match entries[0] {
        0 => is_test(0).map(|from| compare(Comparison::AtLeast, Value::Slot(slot), from)),
        1 => is_test(1).map(|from| compare(Comparison::Less, Value::Slot(slot), from)),
        _ => None,
    }
    .unwrap_or_else(|| {
        let entries = entries.iter().map(|entry| Value::Constant(*entry as i32)).collect();
        Value::Lookup(Box::new(Value::Slot(slot)), 0, entries)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::tests::plan;

    /// What single dice show in the rules of a test: for each the row of each face.
    fn rows(body: &str) -> Vec<Vec<i32>> {
        let plan = plan(&format!("test t -> number {{ {body} }}"));
        let plain = Plain::new(&plan, plan.program.as_deref().unwrap());
        let steps = plain.blocks.iter().flat_map(|block| &block.steps);
        steps.filter_map(|step| Some(step.die()?.1.shown())).collect()
    }

    #[test]
    fn faces_that_nothing_tells_apart_stand_in_one_row() {
        // 4 or more
        assert_eq!(rows("return 1 if d6 >= 4 else 0"), [[0, 0, 0, 1, 1, 1]]);
        // 5 or more with 1 added, through a name
        assert_eq!(rows("let roll = d6 + 1\n return 1 if roll >= 5 else 0"), [[0, 0, 0, 1, 1, 1]]);
        // a 1, a 6, and 3 or less
        assert_eq!(
            rows(
                "let roll = d6\n if roll is 1 { return 1 }\n if roll is 6 { return 2 }\n return 3 if roll <= 3 else 4"
            ),
            [[0, 1, 1, 2, 2, 3]]
        );
        // the face itself below 4
        assert_eq!(rows("let roll = d6\n return 1 if roll >= 4 else roll"), [[0, 1, 2, 3, 3, 3]]);
        // a chance of two in five
        assert_eq!(rows("return 1 if chance 2/5 else 0"), [[0, 0, 1, 1, 1]]);
    }

    #[test]
    fn faces_whose_number_matters_stay_apart() {
        for body in [
            "return d6",
            "let roll = d6\n record roll = roll\n return 1 if roll >= 4 else 0",
            "let roll = d6\n let more = d6\n return 1 if roll + more >= 9 else 0",
            "var n = d6\n repeat 3 times { n = n + 1 }\n return n",
        ] {
            assert!(rows(body).contains(&vec![1, 2, 3, 4, 5, 6]), "{body}");
        }
    }

    #[test]
    fn a_number_that_goes_round_a_loop_is_looked_at_once() {
        assert_eq!(
            rows(
                "var last = 1\n var n = 0\n repeat 300 times { n += 1 if last >= 3 else 0\n last = d6 }\n return n"
            ),
            [[0, 0, 1, 1, 1, 1]]
        );
    }
}
