//! What dice come to that fall together and are only asked about: found out once in each thread, then remembered.
//!
//! In: so many dice of each sort, what is done to them, what is asked. Out: the answers with their ways, the same
//! whether they are remembered or not.

use super::fall::Fall;
use super::whole::Whole;
use crate::dice::distribution::{self, Faces, Kept, Question, Set};
use smallvec::SmallVec;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Dice that fall together, and what is asked of them.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(super) struct Pool {
    pub(super) dice: SmallVec<[(u32, Make); 1]>,
    pub(super) handled: Vec<Kept>,
    pub(super) asked: SmallVec<[Question; 2]>,
}

/// What a die is like.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Make {
    /// Faces from 1 to this.
    UpTo(u32),
    /// Faces of its own.
    Own(Vec<i32>),
    /// Rolled again so often for as long as it shows one of the set.
    Again(Box<Make>, Set, u32),
}

impl Make {
    pub(super) fn faces(&self) -> Faces {
        match self {
            Self::UpTo(faces) => Faces::up_to(*faces),
            Self::Own(faces) => Faces::own(faces),
            Self::Again(make, set, times) => make.faces().rerolled(set, *times),
        }
    }

    /// How many different faces it has.
    fn variety(&self) -> u64 {
        match self {
            Self::UpTo(faces) => u64::from(*faces),
            Self::Own(_) => self.faces().weights().len() as u64,
            Self::Again(make, ..) => make.variety(),
        }
    }
}

/// So many pools are remembered, and of each no more answers than this.
const MOST_POOLS: usize = 256;
const MOST_ANSWERS: usize = 1_024;

thread_local! {
    static KNOWN: RefCell<BTreeMap<Pool, Rc<Fall<Whole>>>> = const { RefCell::new(BTreeMap::new()) };
}

impl Pool {
    /// How many states are worth as much as finding out what it comes to.
    pub(super) fn cost(&self) -> u64 {
        let cost = |(count, make): &(u32, Make)| {
            u64::from(*count).saturating_mul(u64::from(*count)).saturating_mul(make.variety())
        };
        self.dice.iter().map(cost).fold(0, u64::saturating_add) / 8
    }

    /// The answers to what is asked.
    pub(super) fn answers(self) -> Rc<Fall<Whole>> {
        KNOWN.with_borrow_mut(|known| {
            if let Some(found) = known.get(&self) {
                return found.clone();
            }
            let found = Rc::new(self.worked_out());
            if found.outcomes.len() <= MOST_ANSWERS {
                if known.len() >= MOST_POOLS {
                    known.clear();
                }
                known.insert(self, found.clone());
            }
            found
        })
    }

    fn worked_out(&self) -> Fall<Whole> {
        let faces: SmallVec<[(u32, Faces); 1]> =
            self.dice.iter().map(|(count, make)| (*count, make.faces())).collect();
        let dice: SmallVec<[(u32, &Faces); 2]> = faces.iter().map(|(count, faces)| (*count, faces)).collect();
        let found = distribution::answers(&dice, &self.handled, &self.asked);
        let outcomes = found.ways.into_iter().map(|(answers, ways)| (answers, (&ways).into())).collect();
        Fall { outcomes, unresolved: None, whole: (&found.total).into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dice(count: u32, make: Make, asked: Question) -> Pool {
        Pool {
            dice: SmallVec::from_iter([(count, make)]),
            asked: SmallVec::from_iter([asked]),
            ..Pool::default()
        }
    }

    /// How many ways of how many lead to the answer.
    fn ways(pool: &Pool, answer: i32) -> (Option<Whole>, Whole) {
        let found = pool.clone().answers();
        let ways = found.outcomes.iter().find(|(row, _)| row[..] == [answer]).map(|(_, ways)| ways.clone());
        (ways, found.whole.clone())
    }

    #[test]
    fn what_is_remembered_of_some_dice_is_not_said_of_others() {
        let two = dice(2, Make::UpTo(6), Question::Sum);
        let three = dice(3, Make::UpTo(6), Question::Sum);
        let own = dice(2, Make::Own(vec![1, 1, 6]), Question::Sum);
        let ones = [(1, 1)].into_iter().collect();
        let again = dice(2, Make::Again(Box::new(Make::UpTo(6)), ones, 1), Question::Sum);
        let highest = dice(2, Make::UpTo(6), Question::Rank(1));
        for _ in 0..2 {
            // of two dice 3 in 36 show 4 in all, of three 3 in 216
            assert_eq!(ways(&two, 4), (Some(3.into()), 36.into()));
            assert_eq!(ways(&three, 4), (Some(3.into()), 216.into()));
            // two of three faces are a 1
            assert_eq!(ways(&own, 2), (Some(4.into()), 9.into()));
            // a 1 comes in 1 of 36 ways, so that two come in 1 of 1,296
            assert_eq!(ways(&again, 2), (Some(1.into()), 1_296.into()));
            // the highest of two is a 2 in 3 of 36
            assert_eq!(ways(&highest, 2), (Some(3.into()), 36.into()));
        }
    }

    #[test]
    fn more_pools_than_are_remembered_are_answered_all_the_same() {
        for faces in 1..=2 * MOST_POOLS as u32 {
            let found = ways(&dice(1, Make::UpTo(faces), Question::Sum), 1);
            assert_eq!(found, (Some(1.into()), faces.into()));
        }
    }
}
