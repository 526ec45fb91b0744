//! Each word of arithmetic against the same in 64 bits, or in 128.

use super::*;
use crate::kernel::tests::Luck;

const ALL: [How; 16] = [
    How::Add,
    How::Subtract,
    How::From,
    How::Multiply,
    How::DivideDown,
    How::DivideUp,
    How::Min,
    How::Max,
    How::And,
    How::Or,
    How::Less,
    How::AtMost,
    How::More,
    How::AtLeast,
    How::Equal,
    How::Unequal,
];

/// What two numbers come to; nothing where that is not asked for.
fn known(how: How, left: i128, right: i128) -> Option<i128> {
    let quotient =
        |left: i128, right: i128| left.div_euclid(right) - i128::from(right < 0 && left % right != 0);
    Some(match how {
        How::Add => left + right,
        How::Subtract => left - right,
        How::From => right - left,
        How::Multiply => left * right,
        How::DivideDown | How::DivideUp if right == 0 => return None,
        How::DivideDown => quotient(left, right),
        How::DivideUp => -quotient(-left, right),
        How::Min => left.min(right),
        How::Max => left.max(right),
        How::And => left & right,
        How::Or => left | right,
        How::Less => (left < right).into(),
        How::AtMost => (left <= right).into(),
        How::More => (left > right).into(),
        How::AtLeast => (left >= right).into(),
        How::Equal => (left == right).into(),
        How::Unequal => (left != right).into(),
    })
}

#[test]
fn a_quotient_is_rounded_as_it_says() {
    let down = [(7, 2, 3), (-7, 2, -4), (7, -2, -4), (-7, -2, 3), (6, -3, -2), (0, -5, 0)];
    for (left, right, quotient) in down {
        assert_eq!(known(How::DivideDown, left, right), Some(quotient));
    }
    let up = [(7, 2, 4), (-7, 2, -3), (7, -2, -3), (-7, -2, 4), (6, -3, -2), (0, -5, 0)];
    for (left, right, quotient) in up {
        assert_eq!(known(How::DivideUp, left, right), Some(quotient));
    }
}

/// Both ways to give the second number, and what they come to.
fn columns<T: Number + Into<i128> + std::fmt::Debug>(how: How, lefts: &[T], right: T) -> Vec<i128> {
    let rights = vec![right; lefts.len()];
    let all = [Side::Column(&rights), Side::Constant(right)].map(|side| {
        let (mut flags, mut numbers) = (vec![-1; lefts.len()], vec![T::from(-1); lefts.len()]);
        let is_test = test(how, &mut flags, lefts, side);
        if is_test {
            assert!(flags.iter().all(|flag| [0, 1].contains(flag)));
            return flags.into_iter().map(i128::from).collect::<Vec<_>>();
        }
        reckon(how, &mut numbers, lefts, side);
        numbers.into_iter().map(Into::into).collect()
    });
    assert_eq!(all[0], all[1], "{how:?} {right:?}");
    let [all, _] = all;
    all
}

#[test]
fn narrow_numbers_come_to_what_they_do_in_64_bits() {
    let lefts: Vec<i16> = (i16::MIN..=i16::MAX).collect();
    let mut rights: Vec<i16> = (-40..=40).collect();
    rights.extend([
        i16::MIN,
        i16::MIN + 1,
        -32_000,
        -16_385,
        -16_384,
        -10_923,
        -257,
        -181,
        101,
        181,
        182,
        255,
        256,
    ]);
    rights.extend([1_000, 4_097, 10_922, 16_383, 16_384, 16_385, 21_845, 32_766, i16::MAX]);
    for how in ALL {
        for right in &rights {
            let found = columns(how, &lefts, *right);
            for (left, found) in lefts.iter().zip(found) {
                match known(how, (*left).into(), (*right).into()) {
                    // nobody keeps what does not fit: sums wrap, and one quotient stops short
                    Some(known) if i16::try_from(known).is_ok() => {
                        assert_eq!(found, known, "{how:?} {left} {right}");
                    }
                    Some(known) if !matches!(how, How::DivideDown | How::DivideUp) => {
                        assert_eq!(found, i128::from(known as i16), "{how:?} {left} {right}");
                    }
                    _ => {}
                }
            }
        }
    }
}

#[test]
fn wide_numbers_come_to_what_they_do_in_128_bits() {
    let powers = (0..=60).flat_map(|bit| [(1_i64 << bit) - 1, 1 << bit, (1 << bit) + 1]);
    let mut all: Vec<i64> = powers.flat_map(|number| [number, -number]).collect();
    all.extend([0, 3, -3, 5, -5, 10, -10, 1_000_000_000, -1_000_000_007]);
    for how in ALL {
        for right in &all {
            for (left, found) in all.iter().zip(columns(how, &all, *right)) {
                match known(how, (*left).into(), (*right).into()) {
                    Some(known) if i64::try_from(known).is_ok() => {
                        assert_eq!(found, known, "{how:?} {left} {right}");
                    }
                    _ => {}
                }
            }
        }
    }
}

#[test]
fn one_or_the_other_is_taken_by_the_flag() {
    let flags = [0, 1, 1, 0, 1];
    let (then, otherwise) = ([1, -2, i16::MIN, 4, i16::MAX], [10, 20, 30, i16::MIN, -1]);
    for then in [Side::Column(&then[..]), Side::Constant(-7)] {
        for otherwise in [Side::Column(&otherwise[..]), Side::Constant(9)] {
            let at = |side: &Side<i16>, lane: usize| match side {
                Side::Column(column) => column[lane],
                Side::Constant(value) => *value,
            };
            let mut picked = [99; 5];
            select(&mut picked, &flags, then, otherwise);
            for lane in 0..5 {
                let side = if flags[lane] == 1 { &then } else { &otherwise };
                assert_eq!(picked[lane], at(side, lane));
            }
        }
    }
    let (mut wide, far) = ([0_i64; 5], 1 << 59);
    select(&mut wide, &flags, Side::Constant(far), Side::Constant(-far));
    assert_eq!(wide, [-far, far, far, -far, far]);
    // beyond the lanes in play anything may lie where a flag should
    select(&mut wide, &[i16::MIN, 77, -1, 2, i16::MAX], Side::Constant(1), Side::Constant(2));
}

#[test]
fn steps_and_tables_say_what_the_number_comes_to() {
    let numbers: Vec<i16> = (-3_000..3_016).collect();
    assert_eq!(numbers.len() % SPAN, 0);
    let turns = [(i16::MIN, 5), (-2_999, -7), (-1, 40_000), (0, 1), (17, -30_000), (2_000, 1 << 40)];
    let known = |number: i16| -> i64 {
        100 + turns.iter().filter(|(from, _)| number >= *from).map(|(_, step)| *step).sum::<i64>()
    };
    let mut wide = vec![0_i64; numbers.len()];
    steps(&mut wide, &numbers, 100, &turns);
    assert!(wide.iter().zip(&numbers).all(|(found, number)| *found == known(*number)));
    let mut narrow = vec![0_i16; numbers.len()];
    steps(&mut narrow, &numbers, 100, &turns[..2]);
    let near = |number: i16| 105 - if number >= -2_999 { 7 } else { 0 };
    assert!(narrow.iter().zip(&numbers).all(|(found, number)| *found == near(*number)));

    let table: Vec<i64> = (0..1_000).map(|at| at * at - 400).collect();
    lookup(&mut wide, &numbers, &table);
    lookup(&mut narrow, &numbers, &table);
    for ((found, narrow), number) in wide.iter().zip(narrow).zip(numbers) {
        if let Some(known) = usize::try_from(number).ok().and_then(|at| table.get(at)) {
            assert_eq!((*found, narrow), (*known, *known as i16));
        }
    }
}

#[test]
fn the_state_that_follows_is_that_of_the_state_and_the_way() {
    let mut luck = Luck(21);
    for size in TABLES {
        for ways in [1, 6, 144] {
            let states = (size / ways).min(900) as i64;
            let first = luck.between(0, 30_000) as u16;
            let mut table: Vec<u16> = (0..states * ways as i64).map(|_| luck.below(32_768) as u16).collect();
            table.resize(size, 0);
            let from: Vec<i64> = (0..2 * SPAN).map(|_| luck.between(0, states - 1)).collect();
            let way: Vec<i16> = (0..2 * SPAN).map(|_| luck.below(ways as u64) as i16).collect();
            let known =
                from.iter().zip(&way).map(|(from, way)| table[*from as usize * ways + *way as usize] as i16);
            let known: Vec<i16> = known.collect();
            let from: Vec<i16> = from.iter().map(|from| (i64::from(first) + from) as i16).collect();
            let mut to = vec![0; 2 * SPAN];
            let some = Follow { first, way: None, ways, table };
            follow(&mut to, &from, (ways > 1).then_some(&way), &some);
            assert_eq!(to, known, "{size} {ways}");
        }
    }
}
