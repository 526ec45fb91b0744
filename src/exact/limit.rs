//! Capped loops without their cap: chains that are left for good, solved by taking out one state after another.
//!
//! **Source:** W. Grassmann, M. Taksar and D. Heyman, "Regenerative analysis and steady state distributions for Markov
//! chains", *Operations Research* 33 (1985): nothing is ever subtracted, so nothing is lost.

use super::chain::{Chain, Place, Ring, Shift};
use super::follow::{Follow, Halt};
use super::mass::{Key, Mass, Waiting};
use super::number::{Number, Ratio};
use super::sketch::UNRESOLVED;
use std::collections::BTreeMap;

/// Where a state goes next, with the probability of each.
type Row<R> = BTreeMap<Place, R>;

/// The chain of a loop in fractions. The last row is where trials come from.
struct Solving<R> {
    rows: Vec<Row<R>>,
    /// How many passes are begun on average from each state on, until a state that is still there is reached.
    passes: Vec<R>,
}

/// A whole-number chain is solved up to so many steps; beyond it the fractions get too long.
const MOST_EXACT_STEPS: u64 = 40_000;

impl<N: Number> Follow<'_, '_, N> {
    /// Lets all states that wait at the head of a loop leave it, however long that takes.
    pub(super) fn leave(
        &mut self,
        ring: &Ring,
        mass: &Mass<N>,
        waiting: &mut Waiting<N>,
    ) -> Result<(), Halt> {
        let mut chain = Chain::new();
        let mut start: Row<N::Ratio> = Row::new();
        let mut fewest = i32::MAX;
        for (key, weight) in &mass.states {
            fewest = fewest.min(self.passes_left(ring, key));
            let (state, shift) = self.state(ring, &mut chain, key);
            is_shifted(&shift)?;
            *start.entry(Place::State(state)).or_default() += weight.ratio(&mass.whole);
        }
        if !ring.sums_are_only_told {
            return Err(Halt::Budget);
        }
        let mut solving = self.explored(ring, &mut chain, fewest)?;
        solving.rows.push(start);
        solving.passes.push(N::Ratio::default());
        let first = solving.rows.len() - 1;
        for state in (0..first).rev() {
            self.take_out(&mut solving, state)?;
        }
        if self.depth == 0 {
            *self.rounds.entry(ring.one).or_default() += std::mem::take(&mut solving.passes[first]);
        }
        for (place, share) in std::mem::take(&mut solving.rows[first]) {
            let (stop, key) = match place {
                Place::Out(NOWHERE) => (UNRESOLVED, Key::new()),
                Place::Out(out) => chain.out(out),
                Place::State(_) => continue,
            };
            let (weight, whole) = N::of_ratio(&share);
            waiting.add(stop, vec![(key, weight)], &whole);
        }
        Ok(())
    }

    /// All states that the loop can be in, and where each goes in one pass. What only comes up after `fewest` passes or
    /// more, the rules with their cap may never come to: nobody has proved that they mean anything there.
    fn explored(
        &mut self,
        ring: &Ring,
        chain: &mut Chain<N>,
        fewest: i32,
    ) -> Result<Solving<N::Ratio>, Halt> {
        let mut solving = Solving { rows: Vec::new(), passes: Vec::new() };
        let (mut begun, mut known) = (0, chain.len());
        while solving.rows.len() < chain.len() {
            if solving.rows.len() == known {
                (begun, known) = (begun + 1, chain.len());
            }
            if begun >= fewest {
                return Err(Halt::Budget);
            }
            let jumps = self.jumps(ring, chain, solving.rows.len(), true)?;
            let mut row: Row<N::Ratio> = Row::new();
            for (place, shift, weight) in &jumps.to {
                is_shifted(chain.shift(*shift))?;
                *row.entry(*place).or_default() += weight.ratio(&jumps.whole);
            }
            solving.rows.push(row);
            solving.passes.push(N::one().ratio(&N::one()));
        }
        Ok(solving)
    }

    /// Takes a state out of the chain, behind all those with higher numbers: whoever came to it goes on to where it leads.
    fn take_out(&mut self, solving: &mut Solving<N::Ratio>, state: usize) -> Result<(), Halt> {
        let mut row = std::mem::take(&mut solving.rows[state]);
        let passes = std::mem::take(&mut solving.passes[state]);
        row.remove(&Place::State(state));
        if row.is_empty() {
            // it never goes anywhere else
            row.insert(Place::Out(NOWHERE), N::one().ratio(&N::one()));
        }
        let mut leaves = N::Ratio::default();
        row.values().for_each(|share| leaves += share.clone());
        for (from, row_from) in solving.rows.iter_mut().enumerate() {
            let Some(share) = row_from.remove(&Place::State(state)) else { continue };
            let share = share.divided(&leaves);
            for (next, more) in &row {
                *row_from.entry(*next).or_default() += share.clone().multiplied(more);
            }
            solving.passes[from] += share.multiplied(&passes);
            self.steps += row.len() as u64;
        }
        if self.steps > MOST_EXACT_STEPS {
            return Err(Halt::Long);
        }
        self.left = self.left.checked_sub(row.len() as u64).ok_or(Halt::Budget)?;
        Ok(())
    }
}

/// The number of the place where a trial is that goes on for good.
const NOWHERE: usize = usize::MAX;

/// A chain whose sums grow has states without end, which can only be stepped.
fn is_shifted(shift: &Shift) -> Result<(), Halt> {
    if shift.iter().all(|word| *word == 0) { Ok(()) } else { Err(Halt::Long) }
}
