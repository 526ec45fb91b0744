//! Plays a written-out plan as plainly as can be: a second reading of what a plan means.

use houserule::dice::roll::{self, Die};
use houserule::plan::program::{
    Asked, Dice, Exit, HeapId, Limits, Options, Pick, Picking, Program, Sort, Step, Stretches, Value,
};
use houserule::plan::{Outcome, Trial};
use houserule::random::Source;
use houserule::rules::tree::End;

/// A long program may go round, but not for ever.
const MOST_STEPS: usize = 10_000_000;

/// One trial. A player whom nobody told what to do takes the first option, the lowest number, no dice.
pub(crate) fn play(program: &Program, records: usize, dice: &mut impl Source) -> Trial {
    let mut table = Table {
        program,
        slots: vec![None; program.slots.len()],
        heaps: vec![Vec::new(); program.heaps.len()],
        passes: vec![(0, 0); program.loops.len()],
        records: vec![None; records],
    };
    let outcome = table.trial(dice);
    if outcome == Outcome::Unresolved {
        table.records.fill(None);
    }
    Trial { outcome, records: table.records }
}

struct Table<'p> {
    program: &'p Program,
    slots: Vec<Option<i32>>,
    heaps: Vec<Vec<Die<'p>>>,
    /// For each loop, how many passes were begun, and how many there may be.
    passes: Vec<(i32, i32)>,
    records: Vec<Option<i64>>,
}

type Known = Vec<(Option<i32>, Option<i32>)>;

impl<'p> Table<'p> {
    fn trial(&mut self, dice: &mut impl Source) -> Outcome {
        let mut at = 0;
        for _ in 0..MOST_STEPS {
            let block = &self.program.blocks[at];
            if !block.steps.iter().all(|step| self.step(step, dice)) {
                return Outcome::Unresolved;
            }
            at = match &block.exit {
                Exit::Go(to) => to.0,
                Exit::Branch(value, yes, no) => {
                    if self.value(value) != 0 {
                        yes.0
                    } else {
                        no.0
                    }
                }
                Exit::Pass(id, more, full) => {
                    let (begun, most) = &mut self.passes[id.0];
                    if begun < most {
                        *begun += 1;
                        more.0
                    } else {
                        full.0
                    }
                }
                Exit::Done(value) => return Outcome::Result(self.value(value)),
                Exit::Unresolved => return Outcome::Unresolved,
            };
        }
        panic!("this goes on for ever: {:?}", self.program);
    }

    /// Does one step; says whether the trial goes on.
    fn step(&mut self, step: &'p Step, dice: &mut impl Source) -> bool {
        match step {
            Step::Set(slot, value) => self.slots[slot.0] = Some(self.value(value)),
            Step::Chance(slot, top, bottom) => {
                let (top, bottom) = (self.value(top), self.value(bottom));
                let face = dice.die(bottom as u32);
                self.slots[slot.0] = Some((i64::from(face) <= i64::from(top)).into());
            }
            Step::Mix(slot, weights) => {
                let one_each = weights.iter().flat_map(|(option, weight)| (0..*weight).map(move |_| *option));
                let options: Vec<i32> = one_each.collect();
                self.slots[slot.0] = Some(options[dice.die(options.len() as u32) as usize - 1]);
            }
            Step::Keep(heap, from) => match self.dice(from, dice) {
                Some(kept) => self.heaps[heap.0] = kept,
                None => return false,
            },
            Step::SetItem(heap, number, value) => {
                let (number, value) = (self.value(number), self.value(value));
                if let Some(item) = self.heaps[heap.0].get_mut((number - 1) as usize) {
                    item.shows = value;
                }
            }
            Step::Record(record, adds, value) => {
                let before = if *adds { self.records[record.0].unwrap_or(0) } else { 0 };
                self.records[record.0] = Some(before + i64::from(self.value(value)));
            }
            Step::Enter(id, most) => self.passes[id.0] = (0, self.value(most)),
            Step::Choose(slot, _, options) => {
                self.slots[slot.0] = Some(match options {
                    Options::Listed(listed) => {
                        listed.iter().find(|(_, open)| self.value(open) != 0).unwrap().0
                    }
                    Options::Between(low, _) => self.value(low),
                });
            }
        }
        true
    }

    fn value(&self, value: &Value) -> i32 {
        match value {
            Value::Constant(value) => *value,
            Value::Slot(slot) => self.slots[slot.0].expect("this slot was never set"),
            Value::Apply(op, operands) => {
                let values: Vec<i64> = operands.iter().map(|operand| self.value(operand).into()).collect();
                i32::try_from(op.apply(&values).unwrap()).unwrap()
            }
            Value::If(parts) => {
                let [condition, then, otherwise] = &**parts;
                self.value(if self.value(condition) != 0 { then } else { otherwise })
            }
            Value::Among(value, stretches) => holds(&self.known(stretches), self.value(value)).into(),
            Value::Lookup(value, first, entries) => {
                let at = usize::try_from(i64::from(self.value(value)) - i64::from(*first)).unwrap();
                self.value(&entries[at])
            }
            Value::Ask(heap, asked) => self.asked(*heap, asked),
        }
    }

    fn known(&self, stretches: &Stretches) -> Known {
        let end = |end: &Option<Value>| end.as_ref().map(|end| self.value(end));
        stretches.iter().map(|(low, high)| (end(low), end(high))).collect()
    }

    fn asked(&self, heap: HeapId, asked: &Asked) -> i32 {
        let dice = &self.heaps[heap.0];
        let count = |stretches| {
            let known = self.known(stretches);
            dice.iter().filter(|die| holds(&known, die.shows)).count()
        };
        match asked {
            Asked::Sum => roll::total(dice),
            Asked::Count(stretches) => count(stretches) as i32,
            Asked::Any(stretches) => (count(stretches) > 0).into(),
            Asked::All(stretches) => (!dice.is_empty() && count(stretches) == dice.len()).into(),
            Asked::Rank(number) => roll::rank(dice, self.value(number)),
            Asked::Alike(number) => roll::alike(dice, self.value(number)).into(),
            Asked::Item(number) => dice.get((self.value(number) - 1) as usize).map_or(0, |die| die.shows),
        }
    }

    /// The dice that a step lays down; none where a chain of explosions does not end.
    fn dice(&self, from: &'p Dice, dice: &mut impl Source) -> Option<Vec<Die<'p>>> {
        let heap = |heap: &HeapId| self.heaps[heap.0].clone();
        Some(match from {
            Dice::Roll(count, sort) => {
                let sort = match sort {
                    Sort::Faces(faces) => roll::Sort::Faces(self.value(faces) as u32),
                    Sort::Own(faces) => roll::Sort::Own(faces),
                };
                roll::roll(self.value(count) as u32, sort, dice)
            }
            Dice::Join(heaps) => heaps.iter().flat_map(heap).collect(),
            Dice::List(items) => {
                items.iter().map(|item| Die { sort: None, shows: self.value(item) }).collect()
            }
            Dice::Copy(from) => heap(from),
            Dice::Filter(from, stretches, others) => {
                let known = self.known(stretches);
                heap(from).into_iter().filter(|die| holds(&known, die.shows) != *others).collect()
            }
            Dice::Extreme(from, end, number, others) => {
                let (from, sign) = (heap(from), if *end == End::Highest { -1 } else { 1 });
                let number = self.value(number) as usize;
                let first = roll::foremost(&from, number, |face| sign * i64::from(face));
                roll::take(&from, &first, *others)
            }
            Dice::Reroll(from, stretches, limits) => {
                let (mut kept, known) = (heap(from), self.known(stretches));
                roll::reroll(&mut kept, |face| holds(&known, face), self.limits(limits), dice, |_, _| ());
                kept
            }
            Dice::Explode(from, stretches, limits, cap) => {
                let (mut kept, known) = (heap(from), self.known(stretches));
                let limits = self.limits(limits);
                roll::explode(&mut kept, |face| holds(&known, face), limits, *cap, dice).ok()?;
                kept
            }
            Dice::Picked(from, pick) => self.picked(heap(from), pick, dice),
        })
    }

    fn limits(&self, limits: &Limits) -> roll::Limits {
        let bound = |bound: &Option<Value>| bound.as_ref().map(|bound| self.value(bound) as u32);
        roll::Limits { times: bound(&limits.times), dice: bound(&limits.dice) }
    }

    fn picked(&self, mut kept: Vec<Die<'p>>, pick: &Pick, dice: &mut impl Source) -> Vec<Die<'p>> {
        let bound = |bound: &Option<Value>| bound.as_ref().map(|bound| self.value(bound) as usize);
        let (least, most) = (bound(&pick.least).unwrap_or(0), bound(&pick.most).unwrap_or(usize::MAX));
        let wanted = match &pick.by {
            Picking::Wanted(stretches) => self.known(stretches),
            Picking::Free(_) => Vec::new(),
        };
        let far = |face: i32| {
            let gap = |(low, high): &(Option<i32>, Option<i32>)| {
                let (low, high) = (low.map_or(i64::MIN, i64::from), high.map_or(i64::MAX, i64::from));
                let face = i64::from(face);
                (low <= high).then(|| if face < low { low - face } else { (face - high).max(0) })
            };
            wanted.iter().filter_map(gap).min().unwrap_or(i64::MAX)
        };
        let taken = roll::chosen(&kept, far, least, most, pick.keep);
        if pick.keep {
            return roll::take(&kept, &taken, false);
        }
        roll::reroll_at(&mut kept, &taken, dice);
        kept
    }
}

fn holds(known: &Known, value: i32) -> bool {
    known
        .iter()
        .any(|(low, high)| low.is_none_or(|low| low <= value) && high.is_none_or(|high| value <= high))
}
