//! Rolling a pool, die by die, and what is then done with the dice that lie there.
//!
//! In: dice and a source of faces. Out: dice, in the order in which they lie; the first has position 0.
//!
//! **Never:** what a face means, who decides.

use crate::random::Source;
use std::cmp::Reverse;

/// One sort of die.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sort<'a> {
    /// Faces from 1 to this.
    Faces(u32),
    /// Faces of its own, at least one, all of them equally likely.
    Own(&'a [i32]),
}

impl Sort<'_> {
    /// Rolls one die of this sort.
    pub fn roll(self, source: &mut impl Source) -> i32 {
        match self {
            Self::Faces(faces) => source.die(faces) as i32,
            Self::Own(faces) => faces[source.die(faces.len() as u32) as usize - 1],
        }
    }
}

/// A die that lies on the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Die<'a> {
    /// What it is; `None` for an item of a list, which nobody can roll.
    pub sort: Option<Sort<'a>>,
    /// What it shows.
    pub shows: i32,
}

impl Die<'_> {
    /// Rolls it again; an item of a list stays what it is.
    fn roll(&mut self, source: &mut impl Source) {
        if let Some(sort) = self.sort {
            self.shows = sort.roll(source);
        }
    }
}

/// How much may be rolled again or added.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// How often each die may be rolled again, or how long each chain of new dice may get; no limit without it.
    pub times: Option<u32>,
    /// How many dice in all; no limit without it.
    pub dice: Option<u32>,
}

/// A chain of exploding dice would have gone on beyond its limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Endless;

/// Rolls `count` dice with `faces` faces each and adds them up, telling `each` the face of every die as it falls.
///
/// ```
/// # use houserule::{dice::roll, random::Replay};
/// let mut seen = Vec::new();
/// assert_eq!(roll::sum(2, 6, &mut Replay::new([3, 5]), |face| seen.push(face)), 8);
/// assert_eq!(seen, [3, 5]);
/// ```
pub fn sum(count: u32, faces: u32, source: &mut impl Source, mut each: impl FnMut(u32)) -> i32 {
    let mut sum = 0;
    for _ in 0..count {
        let face = source.die(faces);
        each(face);
        sum += face as i32;
    }
    sum
}

/// Rolls `count` dice of one sort, one after another.
pub fn roll<'a>(count: u32, sort: Sort<'a>, source: &mut impl Source) -> Vec<Die<'a>> {
    (0..count).map(|_| Die { sort: Some(sort), shows: sort.roll(source) }).collect()
}

/// What all dice show, added up.
pub fn total(dice: &[Die]) -> i32 {
    dice.iter().map(|die| die.shows).sum()
}

/// The so manyth highest face, from 1; 0 where there are fewer dice.
///
/// ```
/// # use houserule::dice::roll::{Die, rank};
/// let dice = [2, 6, 5].map(|shows| Die { sort: None, shows });
/// assert_eq!([1, 2, 3, 4].map(|number| rank(&dice, number)), [6, 5, 2, 0]);
/// ```
pub fn rank(dice: &[Die], number: i32) -> i32 {
    let mut faces: Vec<i32> = dice.iter().map(|die| die.shows).collect();
    faces.sort_unstable_by_key(|face| Reverse(*face));
    let position = usize::try_from(i64::from(number) - 1).ok();
    position.and_then(|position| faces.get(position)).copied().unwrap_or(0)
}

/// Whether so many dice show the same face; never where there are no dice.
pub fn alike(dice: &[Die], number: i32) -> bool {
    let same = |face: i32| dice.iter().filter(|die| die.shows == face).count() as i64;
    dice.iter().any(|die| same(die.shows) >= i64::from(number))
}

/// The positions of the `number` dice whose faces have the smallest keys, smallest first; of equal keys the first dice
/// count. All dice where there are fewer.
///
/// ```
/// # use houserule::dice::roll::{Die, foremost};
/// let dice = [4, 1, 6, 1].map(|shows| Die { sort: None, shows });
/// assert_eq!(foremost(&dice, 3, |face| face), [1, 3, 0]);
/// ```
pub fn foremost<K: Ord>(dice: &[Die], number: usize, key: impl Fn(i32) -> K) -> Vec<usize> {
    let mut positions: Vec<usize> = (0..dice.len()).collect();
    positions.sort_by_key(|at| key(dice[*at].shows));
    positions.truncate(number);
    positions
}

/// The dice at these positions, or with `others` all but these, in the order in which they lie.
pub fn take<'a>(dice: &[Die<'a>], positions: &[usize], others: bool) -> Vec<Die<'a>> {
    let taken = dice.iter().enumerate().filter(|(at, _)| positions.contains(at) != others);
    taken.map(|(_, die)| *die).collect()
}

/// The positions, ascending, of the dice that a player takes who wants those at `distance` 0: at least `least`, the nearest
/// ones added (of equally near ones the lower face, then the first), and at most `most`, the highest or the lowest faces
/// left (of equal ones the first).
///
/// ```
/// # use houserule::dice::roll::{Die, chosen};
/// let dice = [5, 1, 6, 2].map(|shows| Die { sort: None, shows });
/// let below_2 = |face: i32| i64::from((face - 1).max(0));
/// assert_eq!(chosen(&dice, below_2, 2, 4, false), [1, 3]);
/// ```
pub fn chosen(
    dice: &[Die],
    distance: impl Fn(i32) -> i64,
    least: usize,
    most: usize,
    highest: bool,
) -> Vec<usize> {
    let wanted = dice.iter().filter(|die| distance(die.shows) == 0).count();
    let mut positions = foremost(dice, wanted.max(least), |face| (distance(face), face));
    positions.sort_unstable();
    positions.sort_by_key(|at| i64::from(dice[*at].shows) * if highest { -1 } else { 1 });
    positions.truncate(most);
    positions.sort_unstable();
    positions
}

/// Rolls dice that show one of the set again, in place, telling `each` the position and the new face of every one as it
/// falls. Each is rolled up to `limits.times`, once without that, for as long as it shows the set. With `limits.dice` the
/// lowest faces come first, else the dice are rolled as they lie.
pub fn reroll(
    dice: &mut [Die],
    in_set: impl Fn(i32) -> bool,
    limits: Limits,
    source: &mut impl Source,
    mut each: impl FnMut(usize, i32),
) {
    let mut positions: Vec<usize> = (0..dice.len()).filter(|at| in_set(dice[*at].shows)).collect();
    if let Some(most) = limits.dice {
        positions.sort_by_key(|at| dice[*at].shows);
        positions.truncate(most as usize);
    }
    for at in positions {
        let mut left = limits.times.unwrap_or(1);
        while left > 0 && in_set(dice[at].shows) {
            dice[at].roll(source);
            each(at, dice[at].shows);
            left -= 1;
        }
    }
}

/// Rolls the dice at these positions again, in place, in this order.
pub fn reroll_at(dice: &mut [Die], positions: &[usize], source: &mut impl Source) {
    positions.iter().for_each(|at| dice[*at].roll(source));
}

/// Adds a die behind the last for each die that shows one of the set, the new ones among them when their turn comes, as
/// far as the limits allow.
///
/// # Errors
/// [`Endless`] with `cap`, as soon as a chain that is as long as `limits.times` would go on.
pub fn explode(
    dice: &mut Vec<Die>,
    in_set: impl Fn(i32) -> bool,
    limits: Limits,
    cap: bool,
    source: &mut impl Source,
) -> Result<(), Endless> {
    let rolled = dice.len();
    let mut lengths = vec![0; rolled]; // how many dice stand before each in its chain
    let mut at = 0;
    let more = |added: usize| limits.dice.is_none_or(|most| added < most as usize);
    while at < dice.len() && more(dice.len() - rolled) {
        if in_set(dice[at].shows) {
            if limits.times.is_none_or(|times| lengths[at] < times) {
                let mut die = dice[at];
                die.roll(source);
                dice.push(die);
                lengths.push(lengths[at] + 1);
            } else if cap {
                return Err(Endless);
            }
        }
        at += 1;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Generator, Replay};

    fn dice(faces: &[i32]) -> Vec<Die<'static>> {
        faces.iter().map(|shows| Die { sort: Some(Sort::Faces(6)), shows: *shows }).collect()
    }

    fn shown(dice: &[Die]) -> Vec<i32> {
        dice.iter().map(|die| die.shows).collect()
    }

    const fn limits(times: Option<u32>, dice: Option<u32>) -> Limits {
        Limits { times, dice }
    }

    #[test]
    fn a_pool_is_rolled_die_by_die() {
        let mut source = Replay::new([2, 6, 3]);
        assert_eq!(shown(&roll(2, Sort::Faces(6), &mut source)), [2, 6]);
        assert_eq!(shown(&roll(1, Sort::Own(&[7, 7, 9]), &mut source)), [9]);
        assert!(source.is_used_up());
    }

    #[test]
    fn equal_faces_are_told_apart_by_their_position() {
        let pool = dice(&[3, 5, 3, 5]);
        assert_eq!(foremost(&pool, 3, |face| face), [0, 2, 1]);
        assert_eq!(foremost(&pool, 9, |face| -face), [1, 3, 0, 2]);
        assert_eq!(shown(&take(&pool, &[3, 0], false)), [3, 5]);
        assert_eq!(shown(&take(&pool, &[3], true)), [3, 5, 3]);
    }

    #[test]
    fn many_alike() {
        assert!(alike(&dice(&[2, 5, 2]), 2) && !alike(&dice(&[2, 5, 2]), 3));
        assert!(!alike(&[], 1) && alike(&dice(&[2]), 1));
    }

    fn rerolled(faces: &[i32], limits: Limits, falls: &[u32]) -> (Vec<i32>, Vec<(usize, i32)>) {
        let (mut pool, mut told) = (dice(faces), Vec::new());
        let mut source = Replay::new(falls.iter().copied());
        reroll(&mut pool, |face| face <= 2, limits, &mut source, |at, face| told.push((at, face)));
        assert!(source.is_used_up());
        (shown(&pool), told)
    }

    #[test]
    fn rerolls_go_as_the_dice_lie_or_by_the_lowest_faces() {
        let (each, in_all) = (limits(Some(2), None), limits(None, Some(2)));
        assert_eq!(rerolled(&[2, 4, 1], limits(None, None), &[1, 5]), (vec![1, 4, 5], vec![(0, 1), (2, 5)]));
        assert_eq!(
            rerolled(&[2, 4, 1], each, &[1, 1, 1, 6]),
            (vec![1, 4, 6], vec![(0, 1), (0, 1), (2, 1), (2, 6)])
        );
        assert_eq!(rerolled(&[2, 2, 1, 2], in_all, &[5, 6]), (vec![6, 2, 5, 2], vec![(2, 5), (0, 6)]));
        assert_eq!(rerolled(&[1, 1], limits(Some(0), None), &[]).0, [1, 1]);
    }

    fn exploded(faces: &[i32], limits: Limits, cap: bool, falls: &[u32]) -> Result<Vec<i32>, Endless> {
        let mut pool = dice(faces);
        let mut source = Replay::new(falls.iter().copied());
        let ended = explode(&mut pool, |face| face == 6, limits, cap, &mut source);
        assert!(source.is_used_up());
        ended.map(|()| shown(&pool))
    }

    #[test]
    fn chains_of_exploding_dice_are_bounded_one_by_one_or_together() {
        let (twice, two) = (limits(Some(2), None), limits(None, Some(2)));
        assert_eq!(exploded(&[6, 6], twice, false, &[6, 1, 6]), Ok(vec![6, 6, 6, 1, 6]));
        assert_eq!(exploded(&[6, 6], two, false, &[6, 1]), Ok(vec![6, 6, 6, 1]));
        assert_eq!(exploded(&[6, 5], twice, true, &[6, 3]), Ok(vec![6, 5, 6, 3]));
        assert_eq!(exploded(&[6, 6], twice, true, &[6, 1, 6]), Err(Endless));
        assert_eq!(exploded(&[6, 6], limits(Some(0), None), true, &[]), Err(Endless));
        assert_eq!(exploded(&[6], limits(None, Some(0)), false, &[]), Ok(vec![6]));
    }

    /// Draws dice one by one, each time the best that is left.
    fn one_by_one(faces: &[i32], number: usize, better: impl Fn(i32, i32) -> bool) -> Vec<usize> {
        let mut left: Vec<usize> = (0..faces.len()).collect();
        let mut drawn = Vec::new();
        while drawn.len() < number && !left.is_empty() {
            let mut best = 0;
            for at in 1..left.len() {
                if better(faces[left[at]], faces[left[best]]) {
                    best = at;
                }
            }
            drawn.push(left.remove(best));
        }
        drawn
    }

    /// The same choice in plain words: those that are wanted, then the nearest, then away with what is too much.
    fn plainly_chosen(faces: &[i32], high: i32, least: usize, most: usize, highest: bool) -> Vec<usize> {
        let far = |face: i32| (face - high).max(0);
        let wanted = faces.iter().filter(|face| **face <= high).count();
        let near = one_by_one(faces, wanted.max(least), |a, b| (far(a), a) < (far(b), b));
        let near: Vec<usize> = (0..faces.len()).filter(|at| near.contains(at)).collect();
        let kept: Vec<i32> = near.iter().map(|at| faces[*at]).collect();
        let kept = one_by_one(&kept, most, |a, b| if highest { a > b } else { a < b });
        let mut kept: Vec<usize> = kept.into_iter().map(|at| near[at]).collect();
        kept.sort_unstable();
        kept
    }

    #[test]
    fn a_player_takes_what_he_would_take_one_by_one() {
        let mut source = Generator::new(1, &[0; 32], 0, 0);
        for _ in 0..500 {
            let pool = roll(source.die(7) - 1, Sort::Faces(6), &mut source);
            let high = source.die(7) as i32 - 1;
            let (least, most) = (source.die(5) as usize - 1, source.die(7) as usize - 1);
            for highest in [false, true] {
                let distance = |face: i32| i64::from((face - high).max(0));
                let expected = plainly_chosen(&shown(&pool), high, least, most, highest);
                assert_eq!(chosen(&pool, distance, least, most, highest), expected, "{pool:?}");
            }
        }
    }
}
