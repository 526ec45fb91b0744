use super::*;
use std::collections::BTreeMap;

/// A tiny generator of test cases (the constants are Knuth's).
struct Luck(u64);

impl Luck {
    fn below(&mut self, end: i32) -> i32 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) % end as u64) as i32
    }

    fn within(&mut self, low: i32, high: i32) -> i32 {
        low + self.below(high - low + 1)
    }

    fn yes(&mut self) -> bool {
        self.below(2) == 1
    }

    fn die(&mut self) -> Vec<i32> {
        let faces = self.within(1, 5);
        if self.yes() { (1..=faces).collect() } else { (0..faces).map(|_| self.within(-3, 5)).collect() }
    }

    fn set(&mut self) -> Set {
        let stretch = |luck: &mut Self| {
            let low = luck.within(-3, 6);
            let high = low + luck.below(3);
            (
                if luck.below(4) == 0 { i32::MIN } else { low },
                if luck.below(4) == 0 { i32::MAX } else { high },
            )
        };
        (0..self.below(3)).map(|_| stretch(self)).collect()
    }

    fn kept(&mut self) -> Kept {
        if self.below(3) == 0 {
            Kept::Filter(self.set(), self.yes())
        } else {
            Kept::Extreme { highest: self.yes(), number: self.below(5) as u32, others: self.yes() }
        }
    }

    fn question(&mut self) -> Question {
        match self.below(6) {
            0 => Question::Sum,
            1 => Question::Count(self.set()),
            2 => Question::Any(self.set()),
            3 => Question::All(self.set()),
            4 => Question::Rank(self.within(-1, 5)),
            _ => Question::Alike(self.within(-1, 5)),
        }
    }

    fn several<T>(&mut self, most: i32, one: impl Fn(&mut Self) -> T) -> Vec<T> {
        (0..self.within(0, most)).map(|_| one(self)).collect()
    }
}

/// Every way in which dice with these faces can fall, one die after another.
fn rolls(dice: &[&[i32]]) -> Vec<Vec<i32>> {
    dice.iter().fold(vec![Vec::new()], |rolls, die| {
        let more = rolls.iter().flat_map(|roll| die.iter().map(move |face| [&roll[..], &[*face]].concat()));
        more.collect()
    })
}

fn holds(set: &Set, face: i32) -> bool {
    set.iter().any(|(low, high)| *low <= face && face <= *high)
}

/// The dice that stay, in the order in which they lie, of equal faces the first.
fn stay(mut dice: Vec<i32>, keep: &[Kept]) -> Vec<i32> {
    for kept in keep {
        match kept {
            Kept::Filter(set, others) => dice.retain(|face| holds(set, *face) != *others),
            Kept::Extreme { highest, number, others } => {
                let mut order: Vec<usize> = (0..dice.len()).collect();
                order.sort_by_key(|at| if *highest { -dice[*at] } else { dice[*at] });
                order.truncate(*number as usize);
                let picked = (0..dice.len()).filter(|at| order.contains(at) != *others);
                dice = picked.map(|at| dice[at]).collect();
            }
        }
    }
    dice
}

fn ask(dice: &[i32], question: &Question) -> i32 {
    let matching = |set| dice.iter().filter(|face| holds(set, **face)).count();
    match question {
        Question::Sum => dice.iter().sum(),
        Question::Count(set) => matching(set) as i32,
        Question::Any(set) => i32::from(matching(set) > 0),
        Question::All(set) => i32::from(!dice.is_empty() && matching(set) == dice.len()),
        Question::Rank(number) => {
            let mut sorted = dice.to_vec();
            sorted.sort();
            sorted.reverse();
            if *number < 1 { 0 } else { sorted.get(*number as usize - 1).copied().unwrap_or(0) }
        }
        Question::Alike(number) => {
            let same = |face: &i32| dice.iter().filter(|other| *other == face).count() as i32;
            i32::from(dice.iter().any(|face| same(face) >= *number))
        }
    }
}

/// Chances from rows that come about equally often.
fn counted(rows: impl Iterator<Item = Vec<i32>>) -> (Vec<(Vec<i32>, u64)>, u64) {
    let mut counts = BTreeMap::new();
    rows.for_each(|row| *counts.entry(row).or_insert(0) += 1);
    (counts.clone().into_iter().collect(), counts.values().sum())
}

/// The same chances, whatever the totals; the found ones must be in the smallest numbers.
fn same(found: &Distribution, (rows, total): &(Vec<(Vec<i32>, u64)>, u64)) -> bool {
    let whole = |number: &UBig| u64::try_from(number).expect("small numbers");
    let factor = total / whole(&found.total);
    let scaled = found.ways.iter().map(|(row, ways)| (row.to_vec(), whole(ways) * factor));
    let common = rows
        .iter()
        .fold(*total, |a, (_, b)| (1..=a.min(*b)).rev().find(|d| a % d == 0 && b % d == 0).unwrap());
    factor == common && scaled.eq(rows.iter().cloned())
}

fn refer(pool: &[(u32, Faces)]) -> Vec<(u32, &Faces)> {
    pool.iter().map(|(dice, faces)| (*dice, faces)).collect()
}

/// Groups of dice and the faces of each die: up to five dice.
fn random_pool(luck: &mut Luck) -> (Vec<(u32, Faces)>, Vec<Vec<i32>>) {
    let (mut pool, mut dice) = (Vec::new(), Vec::new());
    for _ in 0..luck.within(0, 3) {
        let die = luck.die();
        let many = luck.within(0, 5 - dice.len() as i32);
        pool.push((many as u32, Faces::own(&die)));
        (0..many).for_each(|_| dice.push(die.clone()));
    }
    (pool, dice)
}

fn all_rolls(dice: &[Vec<i32>]) -> Vec<Vec<i32>> {
    rolls(&dice.iter().map(Vec::as_slice).collect::<Vec<_>>())
}

#[test]
fn every_roll_counted_one_by_one_gives_the_same_chances() {
    let mut luck = Luck(4);
    for case in 0..4000 {
        let (pool, dice) = random_pool(&mut luck);
        let keep = luck.several(3, Luck::kept);
        let questions = luck.several(3, Luck::question);
        let rows = all_rolls(&dice).into_iter().map(|roll| {
            let stays = stay(roll, &keep);
            questions.iter().map(|question| ask(&stays, question)).collect()
        });
        let expected = counted(rows);
        let pool = refer(&pool);
        let found = [
            answers(&pool, &keep, &questions),
            solve::answers::<UBig>(&pool, &keep, &questions, solve::MULTISET),
            solve::answers::<u128>(&pool, &keep, &questions, 0),
            solve::answers::<u128>(&pool, &keep, &questions, u64::MAX),
        ];
        for found in found {
            assert!(
                same(&found, &expected),
                "{case}: {pool:?} {keep:?} {questions:?} {found:?} {expected:?}"
            );
        }
    }
}

#[test]
fn every_roll_counted_one_by_one_gives_the_same_multisets() {
    let mut luck = Luck(5);
    for _ in 0..500 {
        let (pool, dice) = random_pool(&mut luck);
        let bound = luck.within(-3, 6);
        let expected = counted(all_rolls(&dice).into_iter().map(|mut roll| {
            roll.iter_mut().for_each(|face| *face = (*face).max(bound));
            roll.sort();
            roll
        }));
        let merged: Vec<_> =
            pool.iter().map(|(dice, faces)| (*dice, faces.merged(|face| face.max(bound)))).collect();
        let found = multisets(&refer(&merged));
        assert!(same(&found, &expected), "{pool:?} {bound} {found:?} {expected:?}");
    }
}

#[test]
fn dice_that_lie_there_answer_as_their_distribution_says() {
    let mut luck = Luck(6);
    for _ in 0..1000 {
        let mut dice: Vec<i32> = luck.several(6, |luck| luck.within(-3, 6));
        let (keep, question) = (luck.several(3, Luck::kept), luck.question());
        let expected = ask(&stay(dice.clone(), &keep), &question);
        dice.sort();
        assert_eq!(answer(&kept(&dice, &keep), &question), expected, "{dice:?} {keep:?} {question:?}");
    }
}

#[test]
fn every_reroll_counted_one_by_one_gives_the_same_faces() {
    let mut luck = Luck(7);
    for _ in 0..500 {
        let (die, set, times) = (luck.die(), luck.set(), luck.below(4) as usize);
        let falls = rolls(&vec![&die[..]; times + 1]);
        let last = |fall: &Vec<i32>| *fall.iter().find(|face| !holds(&set, **face)).unwrap_or(&fall[times]);
        let expected = counted(falls.iter().map(|fall| vec![last(fall)]));
        let faces = Faces::own(&die).rerolled(&set, times as u32);
        let found = answers(&[(1, &faces)], &[], &[Question::Sum]);
        assert!(same(&found, &expected), "{die:?} {set:?} {times} {found:?} {expected:?}");
    }
}

fn from(low: i32) -> Set {
    [(low, i32::MAX)].into_iter().collect()
}

fn only(face: i32) -> Set {
    [(face, face)].into_iter().collect()
}

/// In how many ways so many dice with faces from 1 show each sum from 0: each is the sum of those one die before.
fn sums(dice: u32, faces: usize) -> Vec<UBig> {
    let mut ways = vec![UBig::ONE];
    for _ in 0..dice {
        let before =
            |sum: usize| ways[sum.saturating_sub(faces).min(ways.len())..sum.min(ways.len())].iter().sum();
        ways = (0..ways.len() + faces).map(before).collect();
    }
    ways
}

fn big(number: u64) -> UBig {
    number.into()
}

fn found(found: &Distribution, row: &[i32]) -> UBig {
    let at = found.ways.iter().find(|(found, _)| found[..] == *row);
    at.map_or(UBig::ZERO, |(_, ways)| ways.clone())
}

#[test]
fn four_dice_without_the_lowest_fall_as_published() {
    // The usual table for ability scores: 1, 4, 10, 21, 38, ... of 1,296 ways for 3, 4, 5, 6, 7, ...
    let table = [1, 4, 10, 21, 38, 62, 91, 122, 148, 167, 172, 160, 131, 94, 54, 21];
    let lowest = Kept::Extreme { highest: false, number: 1, others: true };
    let got = answers(&[(4, &Faces::up_to(6))], &[lowest], &[Question::Sum]);
    let ways: Vec<_> = got.ways.iter().map(|(_, ways)| ways.clone()).collect();
    assert_eq!((ways, got.total), (table.map(big).to_vec(), big(1296)));
    let mean = (3..).zip(table).map(|(sum, ways)| sum * ways).sum::<u64>() as f64 / 1296.0;
    assert!((mean - 12.2446).abs() < 0.00005);
}

#[test]
fn five_dice_show_the_same_six_times_in_7776() {
    let got = answers(&[(5, &Faces::up_to(6))], &[], &[Question::Alike(5)]);
    assert_eq!((found(&got, &[1]), got.total), (big(1), big(1296))); // 6 of 7,776
}

#[test]
fn many_dice_add_up_as_by_counting_sum_from_sum() {
    for dice in [40, 60] {
        let got = answers(&[(dice, &Faces::up_to(6))], &[], &[Question::Sum]);
        assert_eq!(got.total, big(6).pow(dice as usize));
        let expected = sums(dice, 6).into_iter().enumerate().filter(|(_, ways)| !ways.is_zero());
        let expected: Vec<_> = expected.map(|(sum, ways)| (Row::from_slice(&[sum as i32]), ways)).collect();
        assert_eq!(got.ways, expected);
    }
}

#[test]
fn the_sum_and_the_highest_of_many_dice_fit_what_lower_dice_show() {
    // At most f: as many ways as dice with f faces have.
    let got = answers(&[(40, &Faces::up_to(6))], &[], &[Question::Sum, Question::Rank(1)]);
    for highest in 1..=6 {
        let up_to = |faces: i32| sums(40, faces as usize).get(120).cloned().unwrap_or_default();
        assert_eq!(found(&got, &[120, highest]), up_to(highest) - up_to(highest - 1));
    }
}

#[test]
fn hits_and_sixes_of_many_dice_are_binomial() {
    // k of 40 show 5 or 6, none of them a 6: C(40, k) 4^(40 - k); with a 6: C(40, k) 4^(40 - k) (2^k - 1).
    let got = answers(&[(40, &Faces::up_to(6))], &[], &[Question::Count(from(5)), Question::Any(only(6))]);
    let mut choose = UBig::ONE;
    for hits in 0..=40usize {
        let common = got.total.clone() * &choose * big(4).pow(40 - hits);
        let ways = |row: [i32; 2]| found(&got, &row) * big(6).pow(40);
        assert_eq!(ways([hits as i32, 0]), common);
        assert_eq!(ways([hits as i32, 1]), common * (big(2).pow(hits) - UBig::ONE));
        choose = choose * big(40 - hits as u64) / big(hits as u64 + 1);
    }
}

#[test]
fn hundreds_of_dice_and_of_rerolls_stay_exact() {
    let coin = Faces::up_to(2).rerolled(&only(1), 299);
    let got = answers(&[(1, &coin)], &[], &[Question::Sum]);
    assert_eq!((found(&got, &[1]), got.total), (UBig::ONE, big(2).pow(300)));
    let got = answers(&[(300, &Faces::up_to(2))], &[], &[Question::All(only(2)), Question::Rank(150)]);
    assert_eq!((found(&got, &[1, 2]), got.total), (UBig::ONE, big(2).pow(300)));
    let got = answers(&[(125, &Faces::up_to(1))], &[], &[Question::Sum, Question::Rank(125)]);
    assert_eq!(got.ways, [(Row::from_slice(&[125, 1]), UBig::ONE)]);
}

#[test]
fn faces_far_apart_need_no_table_of_all_numbers_between() {
    let far = Faces::own(&[-700_000_000, 700_000_000]);
    let got = answers(&[(3, &far)], &[], &[Question::Sum, Question::Count(from(0))]);
    let ways: Vec<_> = got.ways.iter().map(|(row, ways)| (row.to_vec(), ways.clone())).collect();
    let sum = |high: i32| 700_000_000 * (2 * high - 3);
    let expected = [(0, 1), (1, 3), (2, 3), (3, 1)].map(|(high, ways)| (vec![sum(high), high], big(ways)));
    assert_eq!((ways, got.total), (expected.to_vec(), big(8)));
}
