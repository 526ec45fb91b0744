//! Dice that lie there.
//!
//! In: what they show, the lowest first. Out: which of them stay, and the answers to what is asked of them.
//!
//! **Never:** weights.

use super::{Kept, Question, Row, among};

/// The dice that stay after all of `keep`, the lowest first as before.
pub fn kept(faces: &[i32], keep: &[Kept]) -> Row {
    let mut faces = Row::from_slice(faces);
    for kept in keep {
        match kept {
            Kept::Filter(set, others) => faces.retain(|face| among(set, *face) != *others),
            Kept::Extreme { highest, number, others } => {
                let taken = faces.len().min(*number as usize);
                let taken = if *others { faces.len() - taken } else { taken };
                if highest != others {
                    faces.drain(..faces.len() - taken);
                } else {
                    faces.truncate(taken);
                }
            }
        }
    }
    faces
}

/// The answer of dice that lie there, the lowest first.
///
/// ```
/// # use houserule::dice::distribution::{Question, answer};
/// assert_eq!(answer(&[2, 5, 5], &Question::Rank(3)), 2);
/// ```
pub fn answer(faces: &[i32], question: &Question) -> i32 {
    let within = |set| faces.iter().filter(|face| among(set, **face)).count();
    match question {
        Question::Sum => faces.iter().fold(0, |sum, face| sum.wrapping_add(*face)),
        Question::Count(set) => within(set) as i32,
        Question::Any(set) => i32::from(within(set) > 0),
        Question::All(set) => i32::from(!faces.is_empty() && within(set) == faces.len()),
        Question::Rank(number) => rank(faces, *number),
        Question::Alike(number) => {
            let longest = faces.chunk_by(|a, b| a == b).map(|same| same.len() as i64).max();
            i32::from(longest.is_some_and(|longest| longest >= i64::from(*number)))
        }
    }
}

fn rank(faces: &[i32], number: i32) -> i32 {
    let from_below = usize::try_from(number).ok().filter(|number| *number > 0);
    let at = from_below.and_then(|number| faces.len().checked_sub(number));
    at.and_then(|at| faces.get(at)).copied().unwrap_or(0)
}
