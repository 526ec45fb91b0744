//! Programs written by hand, and what they come to worked out by hand.

use super::*;
use crate::plan::program::{
    Asked, Block, BlockId, Dice, Exit, Heap, HeapId, Loop, LoopId, Slot, SlotId, Sort, Value,
};
use crate::rules::{Operation, Type};

fn number(value: i32) -> Value {
    Value::Constant(value)
}

fn slot(at: usize) -> Value {
    Value::Slot(SlotId(at))
}

fn ask(heap: usize, asked: Asked) -> Value {
    Value::Ask(HeapId(heap), asked)
}

fn at_least(low: i32) -> Vec<(Option<Value>, Option<Value>)> {
    vec![(Some(number(low)), None)]
}

fn is(value: Value, numbers: &[i32]) -> Value {
    let stretches = numbers.iter().map(|one| (Some(number(*one)), Some(number(*one)))).collect();
    Value::Among(Box::new(value), stretches)
}

fn roll(heap: usize, count: i32) -> Step {
    Step::Keep(HeapId(heap), Dice::Roll(number(count), Sort::Faces(number(6))))
}

fn block(steps: Vec<Step>, exit: Exit) -> Block {
    Block { steps, exit }
}

fn program(slots: usize, heaps: usize, loops: Vec<Loop>, blocks: Vec<Block>) -> Program {
    Program {
        blocks,
        slots: vec![Slot { ty: Type::Number, origin: None }; slots],
        heaps: vec![Heap { ty: Type::Number, origin: None }; heaps],
        loops,
        sites: Vec::new(),
    }
}

fn fractions(distribution: &Distribution) -> Vec<(i64, String)> {
    distribution.iter().map(|(value, probability)| (*value, fraction(probability))).collect()
}

fn fraction(probability: &Probability) -> String {
    match probability {
        Probability::Exact(fraction) => fraction.to_string(),
        Probability::Near(value, error) => format!("{value} ± {error}"),
    }
}

#[test]
fn two_dice_make_a_triangle() {
    let program = program(0, 1, vec![], vec![block(vec![roll(0, 2)], Exit::Done(ask(0, Asked::Sum)))]);
    let solution = solved(&program, None, &[], Budget::default()).unwrap();
    let ways = [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1];
    for (sum, ways) in (2..).zip(ways) {
        assert_eq!(solution.result[&sum], Probability::Exact(RBig::from_parts(ways.into(), 36u32.into())));
    }
    assert_eq!((solution.result.len(), solution.unresolved), (11, None));
}

#[test]
fn two_questions_of_one_pool_are_answered_together() {
    // of three dice: none is 4+ and so none a 6; or count 4+, and whether any of these, one in three each, is a 6
    let value = Value::Apply(
        Operation::Add,
        vec![
            Value::Apply(Operation::Multiply, vec![number(2), ask(0, Asked::Count(at_least(4)))]),
            ask(0, Asked::Any(at_least(6))),
        ],
    );
    let program = program(0, 1, vec![], vec![block(vec![roll(0, 3)], Exit::Done(value))]);
    let solution = solved(&program, None, &[], Budget::default()).unwrap();
    let expected = [(0, "1/8"), (2, "1/4"), (3, "1/8"), (4, "1/6"), (5, "5/24"), (6, "1/27"), (7, "19/216")];
    assert_eq!(fractions(&solution.result), expected.map(|(value, text)| (value, text.to_owned())));
}

/// Craps: 7 or 11 wins at once, 2, 3 or 12 loses; else the first throw has to come again before a 7.
fn craps(cap: i32) -> Program {
    let go_on = |to| Exit::Go(BlockId(to));
    let done = |open| {
        let same = Value::Apply(Operation::Subtract, vec![slot(0), slot(1)]);
        let done = Value::If(Box::new([is(same, &[0]), number(1), is(slot(1), &[7])]));
        Exit::Branch(done, BlockId(9), BlockId(open))
    };
    let blocks = vec![
        block(
            vec![roll(0, 2), Step::Set(SlotId(0), ask(0, Asked::Sum))],
            Exit::Branch(is(slot(0), &[7, 11]), BlockId(8), BlockId(1)),
        ),
        block(vec![], Exit::Branch(is(slot(0), &[2, 3, 12]), BlockId(7), BlockId(2))),
        block(vec![Step::Set(SlotId(1), number(0)), Step::Enter(LoopId(0), number(cap))], go_on(3)),
        block(vec![], done(4)),
        block(vec![], Exit::Pass(LoopId(0), BlockId(5), BlockId(6))),
        block(vec![roll(1, 2), Step::Set(SlotId(1), ask(1, Asked::Sum)), record(1)], go_on(3)),
        block(vec![], Exit::Unresolved),
        block(vec![], Exit::Done(number(0))),
        block(vec![], Exit::Done(number(1))),
        block(vec![], Exit::Done(is(Value::Apply(Operation::Subtract, vec![slot(0), slot(1)]), &[0]))),
    ];
    let span = Span::default();
    program(2, 2, vec![Loop { head: BlockId(3), end: BlockId(6), cap: true, span }], blocks)
}

fn record(value: i32) -> Step {
    Step::Record(RecordId(0), true, number(value))
}

#[test]
fn a_loop_that_reaches_its_cap_leaves_what_is_open() {
    // at once 8 of 36 win and 4 lose; of the rest 2 (3 x 3 + 4 x 4 + 5 x 5) of 36 x 36 win with the next throw, and one
    // in six of 24 of 36 loses
    let solution = solved(&craps(1), None, &[], Budget::default()).unwrap();
    let expected = [(0, "2/9".to_owned()), (1, "97/324".to_owned())];
    assert_eq!(fractions(&solution.result), expected);
    assert_eq!(solution.unresolved.as_ref().map(fraction), Some("155/324".to_owned()));
    // one throw more is recorded by all that are open after the first
    assert_eq!(fractions(&solution.records[&RecordId(0)]), [(1, "61/324".to_owned())]);
}

#[test]
fn a_chain_has_a_limit_without_its_cap() {
    let solution = solved(&craps(50), None, &[], Budget::default()).unwrap();
    let limit = solution.limit.unwrap();
    // the published chance of the shooter
    assert_eq!(fractions(&limit.result), [(0, "251/495".to_owned()), (1, "244/495".to_owned())]);
    let Probability::Exact(short) = &solution.unresolved.unwrap() else { panic!("a fraction") };
    assert!(*short > RBig::ZERO && *short < RBig::from_parts(1.into(), 100_000u32.into()));
    // 24 of 36 throw on: 6 of these need 4 throws on average, 8 need 36/10, 10 need 36/11
    assert_eq!(limit.rounds.values().map(fraction).collect::<Vec<_>>(), ["392/165"]);
}
