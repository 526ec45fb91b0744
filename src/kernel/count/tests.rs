//! Keys go there and back, and counts are those of a plain map.

use super::*;
use crate::kernel::code::Reg;
use crate::kernel::tests::Luck;
use std::collections::BTreeMap;

#[test]
fn a_key_of_several_digits_is_taken_apart_again() {
    let mut luck = Luck(3);
    for _ in 0..2_000 {
        let many = luck.between(1, 6);
        let digits: Vec<Digit> = (0..many)
            .map(|_| {
                let (low, maybe) = (luck.between(-(1 << 40), 1 << 40), luck.below(2) == 1);
                Digit { what: None, low, size: luck.between(1, 5) + i64::from(maybe), maybe }
            })
            .collect();
        let values: Vec<i64> = digits.iter().map(|digit| luck.between(0, digit.size - 1)).collect();
        let number = digits.iter().zip(&values).fold(0, |number, (digit, value)| number * digit.size + value);
        assert_eq!(apart(number as usize, &digits), values);
        for (digit, value) in digits.iter().zip(values) {
            let known = match (digit.maybe, value) {
                (true, 0) => None,
                (true, value) => Some(digit.low + value - 1),
                (false, value) => Some(digit.low + value),
            };
            assert_eq!(digit.value(value), known);
        }
    }
}

#[test]
fn keys_are_counted_as_a_plain_map_counts_them() {
    let mut luck = Luck(4);
    for size in [1, 2, 7, FEW, FEW + 1, 100, SMALL, SMALL + 1, MEDIUM, MEDIUM + 1, 32_767] {
        let digit = Digit { what: None, low: -5, size: size as i64, maybe: false };
        let key = Key { kind: KeyKind::Row(Reg { at: 0, wide: false }, size), digits: vec![digit] };
        let Counts::Rows(mut counts, _) = Counts::new(&key) else { panic!("not in rows") };
        let mut known: BTreeMap<i32, u64> = BTreeMap::new();
        for lanes in [0, 1, 2, 3, 4, 5, 255, 1_023, 1_024] {
            let keys: Vec<i16> =
                (0..lanes).map(|_| luck.of(&[0, size as u64 - 1, luck.0 % size as u64]) as i16).collect();
            keys.iter().for_each(|key| *known.entry(i32::from(*key) - 5).or_default() += 1);
            if size <= FEW { few(&mut counts, size, &keys) } else { rows(&mut counts, &keys) }
        }
        let code = Code { keys: vec![key], ..empty() };
        let mut counts = [Counts::Rows(counts, size)];
        assert_eq!(tally(&code, &mut counts, &[], 2_317).counts, known, "{size}");
        // they begin again
        assert_eq!(tally(&code, &mut counts, &[], 0), Tally::default());
    }
}

fn empty() -> Code {
    Code {
        blocks: Vec::new(),
        narrow: 0,
        wide: 0,
        heaps: 0,
        hands: Vec::new(),
        own: Vec::new(),
        keys: Vec::new(),
        number: None,
    }
}

/// Results and records of any size, some of them missing, some trials unresolved, counted one by one and in a row.
#[test]
fn digits_of_any_size_are_told_as_trials_that_are_tallied() {
    let mut luck = Luck(5);
    let (one, other) = (RecordId(0), RecordId(1));
    for low in [-(1 << 45), i64::from(i32::MIN), -3, 0, i64::from(i32::MAX), 1 << 45] {
        let digit = |what, low, size| Digit { what, low, size, maybe: true };
        let digits = vec![digit(None, -2, 6), digit(Some(one), low, 4), digit(Some(other), 7, 3)];
        let mut each = Vec::new();
        let (mut rows, mut known) = (vec![0; ROWS * SMALL], Tally::default());
        for _ in 0..3_000 {
            let values = [luck.between(0, 5), luck.between(0, 3), luck.between(0, 2)];
            let values = if values[0] == 0 { [0; 3] } else { values };
            each.extend(values);
            rows[(values[0] * 12 + values[1] * 3 + values[2]) as usize] += 1;
            let of = |at: usize, low: i64| (values[at] > 0).then(|| values[at] - 1 + low);
            let records = [of(1, low), of(2, 7)];
            match of(0, -2) {
                None => known.record(Outcome::Unresolved),
                Some(result) => {
                    known.record(Outcome::Result(result as i32));
                    known.record_beside(&records, &[other, one]);
                }
            }
        }
        for counts in [Counts::Each(each), Counts::Rows(rows, 72)] {
            let kind = match counts {
                Counts::Each(_) => KeyKind::Each(Vec::new()),
                Counts::Rows(..) => KeyKind::Row(Reg { at: 0, wide: false }, 72),
            };
            let code = Code { keys: vec![Key { kind, digits: digits.clone() }], ..empty() };
            assert_eq!(tally(&code, &mut [counts], &[other, one], 3_000), known, "{low}");
        }
    }
}

#[test]
fn ways_are_counted_as_the_keys_that_they_lead_to() {
    let digit = Digit { what: None, low: 10, size: 3, maybe: false };
    let key =
        Key { kind: KeyKind::Told(Reg { at: 0, wide: false }, vec![2, 0, 0, 1, 2, 2]), digits: vec![digit] };
    let mut counts = Counts::new(&key);
    if let Counts::Rows(rows, size) = &mut counts {
        few(rows, *size, &[0, 1, 1, 2, 4, 5, 5, 5]);
    }
    let code = Code { keys: vec![key], ..empty() };
    let told = tally(&code, &mut [counts], &[], 8);
    assert_eq!((told.trials, told.counts), (8, BTreeMap::from([(10, 3), (12, 5)])));
}
