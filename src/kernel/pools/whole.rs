//! Picks that take all dice there are: "the highest 2 of 2d6" is 2d6.
//!
//! In: a program. Out: the same without such picks, where nobody looks at the dice that were picked from. They would be
//! counted face by face. **Never:** dice whose number is not known.

use super::Uses;
use crate::kernel::player::looked_at;
use crate::plan::Plan;
use crate::plan::program::{Dice, Program, Step, Value};
use std::borrow::Cow;

/// The program without picks of all dice.
pub(in crate::kernel) fn whole<'p>(plan: &Plan, program: &'p Program) -> Cow<'p, Program> {
    let (uses, looked_at) = (Uses::new(program), looked_at(plan, program));
    let is_whole = |pair: &[Step]| {
        let [
            Step::Keep(from, Dice::Roll(Value::Constant(dice), _)),
            Step::Keep(_, Dice::Extreme(of, _, Value::Constant(most), false)),
        ] = pair
        else {
            return false;
        };
        let is_used_once = uses.feeds[from.0] == 1 && uses.asked[from.0].is_empty();
        from == of
            && dice <= most
            && is_used_once
            && uses.sources[from.0].len() == 1
            && !looked_at.contains(from)
    };
    let mut simpler = Cow::Borrowed(program);
    for (number, block) in program.blocks.iter().enumerate() {
        for at in (1..block.steps.len()).rev().filter(|at| is_whole(&block.steps[at - 1..=*at])) {
            let steps = &mut simpler.to_mut().blocks[number].steps;
            if let (Step::Keep(heap, _), Step::Keep(from, _)) = (steps.remove(at), &mut steps[at - 1]) {
                *from = heap;
            }
        }
    }
    simpler
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::tests::plan;

    /// How many steps of the program lay dice down, with and without picks of all dice.
    fn kept(text: &str) -> [usize; 2] {
        let plan = plan(text);
        let program = plan.program.as_deref().unwrap();
        let kept = |program: &Program| {
            let steps = program.blocks.iter().flat_map(|block| &block.steps);
            steps.filter(|step| matches!(step, Step::Keep(..))).count()
        };
        [kept(program), kept(&whole(&plan, program))]
    }

    #[test]
    fn picks_of_all_dice_are_left_out_and_no_others() {
        let test = |body: &str| kept(&format!("test t -> number {{ {body} }}"));
        assert_eq!(test("return 2d6 highest 2"), [2, 1]);
        assert_eq!(test("return 3d6 lowest 5"), [2, 1]);
        assert_eq!(test("return 3d6 highest 2"), [2, 2]);
        assert_eq!(test("return 3d6 drop lowest 1"), [2, 2]);
        // here the dice are looked at once more
        assert_eq!(test("let a = 2d6\n return (a highest 2) + (a lowest 2)"), [3, 3]);
        // here nobody knows how many there are
        assert_eq!(test("return (d6) d6 highest 2"), [3, 3]);
    }
}
