//! Two plans in step: what the same dice give under both.
//!
//! The first plan rolls, and its dice are fed to the second, which must ask for just these: as many, with as many faces, in
//! the same order. That need not hold in the next trial, so every trial is looked at.

use super::{LANE, Table};
use crate::plan::{Chunk, Outcome, Plan, Unlike, name_of_both};
use crate::random::{Generator, Recorder, Source};

/// How a trial ended, and what it records beside.
pub type Ended<'t> = (Outcome, &'t [Option<i64>]);

/// Plays a chunk of trials of two plans on the same dice and hands each to `count`.
///
/// # Errors
/// The first die at which the plans differ; trials before it have been counted.
pub fn pairs(
    [first, second]: [&Plan; 2],
    chunk: Chunk,
    mut count: impl FnMut(Ended, Ended),
) -> Result<(), Unlike> {
    let source = Generator::new(chunk.seed, &name_of_both(first, second).0, chunk.number, LANE);
    let mut dice = Recorder { source, rolled: Vec::new() };
    let (mut one, mut other) = (Table::new(first), Table::new(second));
    for _ in 0..chunk.trials {
        dice.rolled.clear();
        let ended = one.trial(&mut dice, &mut ());
        let mut fed = Fed { dice: &dice.rolled, used: 0, unlike: None };
        let also = other.trial(&mut fed, &mut ());
        fed.whole()?;
        count((ended, &one.records), (also, &other.records));
    }
    Ok(())
}

/// Dice that another trial rolled, to be asked for just as they fell.
struct Fed<'d> {
    /// How many faces each has, and the one that it shows.
    dice: &'d [(u32, u32)],
    used: usize,
    unlike: Option<Unlike>,
}

impl Fed<'_> {
    /// The first die that was asked for otherwise, or was left.
    fn whole(self) -> Result<(), Unlike> {
        let left = self.dice.get(self.used).map(|(faces, _)| *faces);
        let left = left.map(|faces| Unlike { die: self.used, first: Some(faces), second: None });
        self.unlike.or(left).map_or(Ok(()), Err)
    }
}

impl Source for Fed<'_> {
    fn die(&mut self, faces: u32) -> u32 {
        match self.dice.get(self.used) {
            Some((known, face)) if *known == faces && self.unlike.is_none() => {
                self.used += 1;
                *face
            }
            other => {
                let first = other.map(|(faces, _)| *faces);
                self.unlike.get_or_insert(Unlike { die: self.used, first, second: Some(faces) });
                1 // the trial comes to nothing, but it must end
            }
        }
    }
}
