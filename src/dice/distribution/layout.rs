//! All answers so far in one number, so that they can be added, compared and counted fast.
//!
//! The lowest bits are flags, which are raised and stay so; above them lie sums, in a mixed radix wide enough for all
//! dice. What a die adds to a sum is reckoned from the least that any die adds.
//!
//! **Never:** weights.

use super::{Kept, Question, Row, among};
use smallvec::SmallVec;

/// How the answers to some questions lie in one number.
pub(super) struct Layout<'a> {
    questions: SmallVec<[(&'a Question, Place); 2]>,
    trailing: &'a [Kept],
    /// All bits of flags.
    flags: usize,
    /// One more than the greatest number.
    pub(super) space: usize,
}

/// Where the answer to one question lies.
#[derive(Clone, Copy)]
enum Place {
    /// A flag, or for `all` two: whether there are dice, and above it, whether one does not fit.
    Flag(usize),
    /// What one counts, how many different numbers there are, and the least that a die adds.
    Field { stride: usize, size: usize, least: i64 },
}

impl<'a> Layout<'a> {
    /// For so many dice with these faces, of which those count that `trailing` leaves; `None` where the numbers would get
    /// too long.
    pub(super) fn new(
        questions: &'a [Question],
        trailing: &'a [Kept],
        faces: &[i32],
        dice: u32,
    ) -> Option<Self> {
        let mut space = 1usize;
        let mut placed = SmallVec::with_capacity(questions.len());
        for question in questions {
            placed.push((question, Place::Flag(space)));
            space = space.checked_mul(match question {
                Question::Any(_) | Question::Alike(_) => 2,
                Question::All(_) => 4,
                Question::Sum | Question::Count(_) | Question::Rank(_) => 1,
            })?;
        }
        let mut layout = Self { questions: placed, trailing, flags: space - 1, space };
        layout.place_fields(faces, dice)?;
        Some(layout)
    }

    fn place_fields(&mut self, faces: &[i32], dice: u32) -> Option<()> {
        let sum = self.bounds(faces);
        for (question, place) in &mut self.questions {
            let (times, (least, most)) = match question {
                Question::Sum => (dice, sum),
                Question::Count(_) => (dice, (0, 1)),
                Question::Rank(_) => (1, (0, faces.len() as i64)),
                Question::Any(_) | Question::All(_) | Question::Alike(_) => continue,
            };
            let size = usize::try_from(most - least).ok()?.checked_mul(times as usize)?.checked_add(1)?;
            *place = Place::Field { stride: self.space, size, least };
            self.space = self.space.checked_mul(size)?;
        }
        Some(())
    }

    /// The least and the most that one die adds to the sum.
    fn bounds(&self, faces: &[i32]) -> (i64, i64) {
        let shown = || faces.iter().map(|face| self.shown(*face));
        (shown().min().unwrap_or(0), shown().max().unwrap_or(0))
    }

    /// What a die adds to the sum.
    fn shown(&self, face: i32) -> i64 {
        if self.counts(face) { i64::from(face) } else { 0 }
    }

    /// Whether a die that shows this is asked at all.
    fn counts(&self, face: i32) -> bool {
        self.trailing.iter().all(|kept| match kept {
            Kept::Filter(set, others) => among(set, face) != *others,
            Kept::Extreme { .. } => true,
        })
    }

    /// What one die that shows this adds to the answers.
    pub(super) fn one(&self, face: i32) -> usize {
        let counts = self.counts(face);
        let each = self.questions.iter().map(|(question, place)| match (question, place) {
            (Question::Sum, Place::Field { stride, least, .. }) => {
                (self.shown(face) - least) as usize * stride
            }
            (Question::Count(set), Place::Field { stride, .. }) if counts && among(set, face) => *stride,
            (Question::Any(set), Place::Flag(flag)) if counts && among(set, face) => *flag,
            (Question::All(set), Place::Flag(flag)) if counts => {
                flag | if among(set, face) { 0 } else { flag << 1 }
            }
            (Question::Alike(..=1), Place::Flag(flag)) if counts => *flag,
            _ => 0,
        });
        each.sum()
    }

    /// `so_far` with so many times `more`.
    pub(super) fn plus(&self, so_far: usize, more: usize, times: usize) -> usize {
        if times == 0 { so_far } else { (so_far + (more & !self.flags) * times) | (more & self.flags) }
    }

    /// What is added where the dice with positions `from..to` show the face of this step and `alike` of them are asked.
    pub(super) fn together(&self, face: i32, step: usize, ranks: (u32, u32, u32), alike: u32) -> usize {
        let (first, from, to) = ranks;
        let each = self.questions.iter().map(|(question, place)| match (question, place) {
            (Question::Rank(number), Place::Field { stride, .. }) => {
                let at = i64::from(first) + i64::from(*number) - 1;
                let here = *number > 0 && (i64::from(from)..i64::from(to)).contains(&at);
                if here { step * stride } else { 0 }
            }
            (Question::Alike(number @ 2..), Place::Flag(flag))
                if alike >= *number as u32 && self.counts(face) =>
            {
                *flag
            }
            _ => 0,
        });
        each.sum()
    }

    /// The flags that `left` more dice can raise together.
    pub(super) fn open(&self, left: u32) -> usize {
        let each = self.questions.iter().map(|(question, place)| match (question, place) {
            (Question::Alike(number @ 2..), Place::Flag(flag)) if *number as u32 <= left => *flag,
            _ => 0,
        });
        each.sum()
    }

    /// One more than the lowest place that is asked for, counted from 0 at the highest die.
    pub(super) fn deepest(&self) -> u32 {
        let ranks = self.questions.iter().map(|(question, _)| match question {
            Question::Rank(number) => (*number).max(0) as u32,
            _ => 0,
        });
        ranks.max().unwrap_or(0)
    }

    /// The answers, of so many dice.
    pub(super) fn read(&self, key: usize, dice: u32, faces: &[i32]) -> Row {
        let each = self.questions.iter().map(|(question, place)| match place {
            Place::Flag(flag) if matches!(question, Question::All(_)) => {
                i32::from(key & (flag | flag << 1) == *flag)
            }
            Place::Flag(flag) => i32::from(key & flag != 0),
            Place::Field { stride, size, least } => {
                let number = key / stride % size;
                match question {
                    Question::Rank(_) => number.checked_sub(1).map_or(0, |at| faces[at]),
                    _ => (number as i64 + least * i64::from(dice)) as i32,
                }
            }
        });
        each.collect()
    }
}
