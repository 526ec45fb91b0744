//! Dice from words against the sentences of `docs/streams.md`, and questions against the faces that fell.

use super::*;
use crate::kernel::tests::Luck;

fn words() -> Words {
    Words::new(Streams::new(3, &[9; 32], 1))
}

/// All words there are, as groups.
fn all_words() -> impl Iterator<Item = Group<u16>> {
    (0..256_u16).map(|high| std::array::from_fn(|low| high * 256 + low as u16))
}

#[test]
fn each_way_to_fall_has_equally_many_words() {
    for faces in 1..=1_000_u16 {
        let cut = Cut::new(faces);
        for dice in 1..=cut.dice {
            let ways = u32::from(faces).pow(dice as u32);
            let mut counts = vec![0_u32; ways as usize];
            for mut group in all_words() {
                let before = group;
                let (mut way, mut shown) = ([0_u32; GROUP], [0; GROUP]);
                for _ in 0..dice {
                    cut.cut(&mut group, &mut shown);
                    way.iter_mut()
                        .zip(shown)
                        .for_each(|(way, face)| *way = *way * u32::from(faces) + face as u32);
                }
                for (way, left) in way.iter().zip(group) {
                    counts[*way as usize] += u32::from(u32::from(left) >= 65_536 % ways);
                }
                let left = before.map(|word| (u32::from(word) * (ways % 65_536)) as u16);
                assert_eq!(left, group, "{dice}d{faces}");
            }
            assert!(counts.iter().all(|count| *count == 65_536 / ways), "{dice}d{faces}");
        }
    }
}

#[test]
fn as_many_dice_are_cut_from_a_word_as_is_written_down() {
    for faces in 1..=1_000_u16 {
        let ways = |dice: usize| u64::from(faces).pow(dice as u32);
        let fits = |dice: &usize| ways(*dice) <= 4_096 && 700 * (65_536 % ways(*dice)) <= 65_536;
        assert_eq!(Cut::new(faces).dice, (2..=12).take_while(fits).last().unwrap_or(1), "d{faces}");
    }
    assert_eq!([2, 6, 10, 100].map(|faces| Cut::new(faces).dice), [12, 3, 2, 1]);
}

#[test]
fn just_the_words_that_would_favour_a_face_are_drawn_again() {
    for (faces, dice) in [(6, 3), (6, 1), (10, 2), (100, 1), (1_000, 1), (3, 4), (7, 3), (64, 2), (2, 12)] {
        let cut = Cut::new(faces);
        assert!(dice <= cut.dice, "{dice}d{faces}");
        let ways = u32::from(faces).pow(dice as u32);
        let favours = |word: u16| u32::from(word) * ways % 65_536 < 65_536 % ways;
        let stand_in = (0..u16::MAX).rev().find(|word| !favours(*word)).unwrap();
        for group in all_words() {
            let mut words = words();
            (words.at, words.spent, words.spare) = (0, 0, [stand_in; SPARE]);
            words.words[..GROUP].copy_from_slice(&group);
            let start = words.fair(cut.ways[dice]);
            let expected = group.map(|word| if favours(word) { stand_in } else { word });
            assert_eq!(words.words[start..start + GROUP], expected, "{dice}d{faces}");
            assert_eq!(
                words.spent,
                group.into_iter().filter(|word| favours(*word)).count(),
                "{dice}d{faces}"
            );
        }
    }
}

/// A stand-in may itself have to be drawn again, and is taken from the words that come next.
#[test]
fn words_are_drawn_again_until_one_is_fair() {
    let mut words = words();
    (words.at, words.spent) = (0, 0);
    words.words[..GROUP].fill(65_535);
    (words.words[3], words.words[40]) = (0, 0);
    // of three d6, words of which less than 88 is left favour a face: 0 does, and 607, of which 40 is left
    let other = 607;
    (words.spare[0], words.spare[1], words.spare[2], words.spare[3]) = (0, other, 77, 1_234);
    let left = |word: u16| u32::from(word) * 216 % 65_536;
    assert!(left(other) < 88 && left(77) >= 88 && left(1_234) >= 88);
    let start = words.fair(Cut::new(6).ways[3]);
    assert_eq!((words.words[start + 3], words.words[start + 40], words.spent), (77, 1_234, 4));
}

#[test]
fn a_single_die_takes_two_words() {
    let mut words = words();
    words.spent = 0;
    // three times 0 leaves 0, less than 2^32 modulo 3
    words.spare[..8].copy_from_slice(&[0, 0, 0x8000, 0, 0xffff, 0xffff, 0, 1]);
    assert_eq!([words.die(3), words.die(1_000), words.die(6)], [2, 1_000, 1]);
    assert_eq!(words.spent, 8);
    assert_eq!(words.die(1), 1);
}

/// What dice show is worth so much to a question.
fn worth(ask: &Ask, face: i16) -> i64 {
    match ask {
        Ask::Sum => i64::from(face) + 1,
        Ask::AtLeast(least) => (face >= *least).into(),
        Ask::Below(most) => (face < *most).into(),
        Ask::Steps(first, steps) => {
            let reached = steps.iter().filter(|(from, _)| face >= *from);
            i64::from(*first) + reached.map(|(_, step)| i64::from(*step)).sum::<i64>()
        }
    }
}

fn any_ask(luck: &mut Luck, faces: i64) -> Ask {
    match luck.below(4) {
        0 => Ask::Sum,
        1 => Ask::AtLeast(luck.between(0, faces) as i16),
        2 => Ask::Below(luck.between(0, faces) as i16),
        _ => {
            let steps = luck.below(4);
            let step = |luck: &mut Luck| (luck.between(0, faces) as i16, luck.between(-9, 9) as i16);
            Ask::Steps(luck.between(-9, 9) as i16, (0..steps).map(|_| step(luck)).collect())
        }
    }
}

/// Each way of asking, with or without somebody who listens, against the faces that somebody heard.
#[test]
fn answers_are_what_the_faces_come_to() {
    let mut luck = Luck(1);
    for round in 0..2_000 {
        let faces = luck.of(&[1, 2, 3, 4, 6, 8, 10, 20, 100, 1_000]);
        let cut = Cut::new(faces);
        let asks: Vec<(Reg, Ask)> = (0..luck.below(4))
            .map(|at| (Reg { at: at as usize, wide: false }, any_ask(&mut luck, faces.into())))
            .collect();
        let counts: Group = std::array::from_fn(|_| luck.between(-2, 14) as i16);
        let count =
            if luck.below(2) == 0 { Count::Same(luck.below(15) as usize) } else { Count::Each(&counts) };
        let (most, group) = (count.most(), luck.below(4) as usize);
        let half = luck.below(most as u64 + 1) as usize;
        let (mut listened, mut quick) = (words(), words());
        let mut heard = vec![vec![0; asks.len()]; GROUP];
        let columns = || vec![vec![5; 4 * GROUP]; asks.len()];
        let (mut slowly, mut quickly) = (columns(), columns());
        for dice in [0..half, half..most] {
            let falling = Falling { cut: &cut, asks: &asks, count, dice };
            let mut listener = |die: usize, shown: &Group| {
                for (lane, face) in shown.iter().enumerate() {
                    assert!((0..faces as i16).contains(face));
                    for ((_, ask), heard) in asks.iter().zip(&mut heard[lane]) {
                        *heard += if die < count.of(lane) { worth(ask, *face) } else { 0 };
                    }
                }
            };
            listened.roll(&falling, &mut slowly, group, Some(&mut listener));
            quick.roll(&falling, &mut quickly, group, None);
        }
        assert_eq!(slowly, quickly, "{round}: {most}d{faces} {asks:?}");
        for (ask, column) in slowly.iter().enumerate() {
            for (at, answer) in column.iter().enumerate() {
                let added = if at / GROUP == group { heard[at % GROUP][ask] } else { 0 };
                assert_eq!(i64::from(*answer), 5 + added, "{round}: {most}d{faces} {:?}", asks[ask]);
            }
        }
    }
}

/// Of faces that no question tells apart, one stands for all; and no more can be taken together.
#[test]
fn merged_faces_answer_as_their_faces_do() {
    let mut luck = Luck(2);
    for _ in 0..5_000 {
        let faces = luck.between(1, 24) as usize;
        let asks: Vec<Ask> = (0..luck.below(3)).map(|_| any_ask(&mut luck, faces as i64)).collect();
        let told_apart =
            |face: usize| asks.iter().any(|ask| worth(ask, face as i16 - 1) != worth(ask, face as i16));
        let alike = asks.iter().fold(faces, |alike, ask| ask.alike(alike));
        assert!(faces.is_multiple_of(alike));
        assert!((1..faces).all(|face| !told_apart(face) || face.is_multiple_of(alike)), "d{faces} {asks:?}");
        for ask in &asks {
            let mut merged = ask.clone();
            merged.merge(alike);
            for face in 0..faces {
                let (whole, part) = (worth(ask, face as i16), worth(&merged, (face / alike) as i16));
                assert_eq!(whole, part, "d{faces} {ask:?}");
            }
        }
    }
    for (ask, faces, alike) in [
        (Ask::AtLeast(3), 6, 3),
        (Ask::AtLeast(4), 6, 2),
        (Ask::AtLeast(5), 6, 1),
        (Ask::Below(5), 10, 5),
        (Ask::Steps(0, vec![(4, 1), (8, -1)]), 10, 2),
        (Ask::AtLeast(0), 6, 6),
        (Ask::Sum, 6, 1),
    ] {
        assert_eq!(ask.alike(faces), alike, "d{faces} {ask:?}");
    }
}

/// Dice that share a word are the same as dice of one roll.
#[test]
fn dice_that_share_a_word_are_those_of_one_roll() {
    for faces in [1, 2, 3, 6, 8, 10] {
        let cut = Cut::new(faces);
        let asks = [(Reg { at: 0, wide: false }, Ask::Sum)];
        let (mut apart, mut at_once) = (words(), words());
        let mut column = [0; GROUP];
        apart.lay(cut.ways[cut.dice], &mut column);
        let falling =
            |dice: usize| Falling { cut: &cut, asks: &asks, count: Count::Same(dice), dice: 0..dice };
        let (mut sums, mut sum) = (vec![vec![0; GROUP]], vec![vec![0; GROUP]]);
        for dice in [1, cut.dice - 1] {
            falling(dice).cut_from(&mut column, &mut sums, 0, None);
        }
        at_once.roll(&falling(cut.dice), &mut sum, 0, None);
        assert_eq!(sums, sum, "d{faces}");
    }
}

/// Dice of several sorts from one word: all 65,536 words are cut up, and of those that stay each way has as many.
#[test]
fn dice_of_different_sorts_share_a_word_evenly() {
    for faces in [vec![2, 3, 6], vec![6, 6, 3, 3], vec![10, 6], vec![3, 2, 3, 2, 2], vec![20, 12, 4]] {
        let ways = faces.iter().try_fold(Ways::ONE, |ways, faces| ways.with(Cut::new(*faces).ways[1]));
        let Some(ways) = ways else {
            assert_eq!(faces, [20, 12, 4], "65,536 leaves 256 over 960, which is more than 93");
            continue;
        };
        let all: u32 = faces.iter().map(|faces| u32::from(*faces)).product();
        assert_eq!(u32::from(ways.number), all);
        let mut counts = vec![0; all as usize];
        for mut group in all_words() {
            let mut way = [0_u32; GROUP];
            for faces in &faces {
                let mut shown = [0; GROUP];
                Cut::new(*faces).cut(&mut group, &mut shown);
                way.iter_mut()
                    .zip(shown)
                    .for_each(|(way, face)| *way = *way * u32::from(*faces) + face as u32);
            }
            for (way, left) in way.iter().zip(group) {
                counts[*way as usize] += u32::from(left >= ways.bound);
            }
        }
        assert!(counts.iter().all(|count| *count == 65_536 / all), "{faces:?}");
    }
}

/// The number of the way is what the dice make one by one.
#[test]
fn the_way_that_dice_fall_has_their_digits() {
    let cut = Cut::new(6);
    let (mut apart, mut together) = (words(), words());
    for first in [true, false] {
        let (mut column, mut numbers) = ([7; GROUP], [4; GROUP]);
        apart.lay(cut.ways[3], &mut column);
        together.fall(cut.ways[3], first, &mut numbers);
        for (word, number) in column.iter().zip(numbers) {
            let mut left = u32::from(*word as u16);
            let mut way = if first { 0 } else { 4 };
            for _ in 0..3 {
                way = way * 6 + ((left * 6) >> 16) as i32;
                left = left * 6 % 65_536;
            }
            assert_eq!(i32::from(number), way);
        }
    }
}
