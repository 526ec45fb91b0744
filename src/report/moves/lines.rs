//! A table of moves in few lines: what does not change a move is left out, and numbers that lie side by side are told
//! together.

use crate::plan::{Look, Moves};
use std::collections::BTreeMap;

/// What a player sees and what he does then.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Line {
    /// One for each look.
    pub(super) seen: Vec<Seen>,
    pub(super) option: Vec<i32>,
}

/// What is seen with one look.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Seen {
    /// These numbers.
    Just(Vec<i32>),
    /// Any number between the two, both included, that comes up.
    Between(i32, i32),
    /// It does not matter.
    Any,
}

/// The table in as few lines as that makes it.
pub(super) fn shortened(moves: &Moves, is_number: impl Fn(&Look) -> bool) -> Vec<Line> {
    let line = |(key, option): (&Vec<i32>, &Vec<i32>)| Line {
        seen: parts(&moves.looks, key),
        option: option.clone(),
    };
    let mut lines: Vec<Line> = moves.moves.iter().map(line).collect();
    for look in (0..moves.looks.len()).rev() {
        lines = without(look, &lines).unwrap_or(lines);
    }
    for (look, _) in moves.looks.iter().enumerate().filter(|(_, look)| is_number(look)) {
        lines = joined(look, lines);
    }
    lines.sort_by_cached_key(|line| line.seen.iter().map(lowest).collect::<Vec<_>>());
    lines
}

/// The numbers of each look.
fn parts(looks: &[Look], key: &[i32]) -> Vec<Seen> {
    let mut rest = key;
    let part = |look: &Look| {
        let length = match look {
            Look::Cell(_) | Look::Local(..) | Look::Left(_) => 1,
            Look::Record(_) => 2,
            Look::Dice { sorts, .. } => {
                let dice = rest.first().map_or(0, |dice| *dice as usize);
                1 + dice * (1 + usize::from(*sorts))
            }
        };
        let (one, more) = rest.split_at(length.min(rest.len()));
        rest = more;
        Seen::Just(one.to_vec())
    };
    looks.iter().map(part).collect()
}

/// The lines without a look; nothing where it changes a move.
fn without(look: usize, lines: &[Line]) -> Option<Vec<Line>> {
    let mut all: BTreeMap<Vec<Seen>, &Vec<i32>> = BTreeMap::new();
    for line in lines {
        let mut seen = line.seen.clone();
        seen[look] = Seen::Any;
        if *all.entry(seen).or_insert(&line.option) != &line.option {
            return None;
        }
    }
    Some(all.into_iter().map(|(seen, option)| Line { seen, option: option.clone() }).collect())
}

/// The lines with stretches of what is seen with a look, where nothing else is different.
fn joined(look: usize, mut lines: Vec<Line>) -> Vec<Line> {
    let others = |line: &Line| {
        let mut seen = line.seen.clone();
        (seen.remove(look), seen)
    };
    lines.sort_by_cached_key(|line| {
        let (own, rest) = others(line);
        (rest, own)
    });
    let mut all: Vec<Line> = Vec::new();
    for line in lines {
        if let Some(last) = all.last_mut()
            && last.option == line.option
            && others(last).1 == others(&line).1
            && let (Some((low, _)), Some((_, high))) = (ends(&last.seen[look]), ends(&line.seen[look]))
        {
            last.seen[look] = Seen::Between(low, high);
            continue;
        }
        all.push(line);
    }
    all
}

/// Where it stands among others.
fn lowest(seen: &Seen) -> Vec<i32> {
    match seen {
        Seen::Just(numbers) if numbers.len() == 1 => vec![1, numbers[0]],
        Seen::Just(numbers) => numbers.clone(),
        Seen::Between(low, _) => vec![1, *low],
        Seen::Any => Vec::new(),
    }
}

fn ends(seen: &Seen) -> Option<(i32, i32)> {
    match seen {
        // of one die, or of what is recorded, the number stands behind a 1
        Seen::Just(value) => match value[..] {
            [number] | [1, number] => Some((number, number)),
            _ => None,
        },
        Seen::Between(low, high) => Some((*low, *high)),
        Seen::Any => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{FactorId, Span};

    #[test]
    fn what_does_not_matter_is_left_out_and_numbers_side_by_side_are_joined() {
        // two looks: the first matters, the second does not
        let looks = vec![Look::Left(Span::default()), Look::Cell(FactorId(0))];
        let rows = [(1, 0, 7), (1, 1, 7), (2, 0, 7), (3, 0, 8), (3, 1, 8), (4, 0, 7)];
        let moves = rows.map(|(left, cell, option)| (vec![left, cell], vec![option]));
        let lines = shortened(&Moves { looks, moves: BTreeMap::from(moves) }, |_| true);
        let line = |seen, option| Line { seen: vec![seen, Seen::Any], option: vec![option] };
        let expected =
            [line(Seen::Between(1, 2), 7), line(Seen::Just(vec![3]), 8), line(Seen::Just(vec![4]), 7)];
        assert_eq!(lines, expected);
    }
}
