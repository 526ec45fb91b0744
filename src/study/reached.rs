//! Which cells of charts and which lines of modifiers trials come to: some trials of each variant, told sentence by
//! sentence to someone who counts.
//!
//! In: the plans of the grid. Out: how often each cell is read and each line applies.
//!
//! **Never:** anything that enters the tables of a run.

use super::{Draw, Study, aims};
use crate::analyse::Analysis;
use crate::interpret;
use crate::plan::{Budget, ContentId, Plan, Reached};
use crate::simulate::{Stopped, shared};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// The most trials of a variant, over all its situations: few enough to cost little, and enough to show what comes up
/// once in a thousand.
const MOST: u64 = 10_000;

/// Situations of one variant that play alike, each with its trials. What they read need not be the same.
type Group = (usize, Vec<(usize, u64)>);

impl Study<'_> {
    /// How many trials [`Self::reach`] plays.
    pub fn trials_to_reach(&self) -> u64 {
        self.groups().iter().flat_map(|(_, group)| group).map(|(_, trials)| trials).sum()
    }

    /// Plays some trials of each variant, the same number in each situation or as nearly as can be, and adds to the
    /// analysis what they come to.
    ///
    /// # Errors
    /// [`Stopped`] if `draw.stop` was set or no thread could be started.
    pub fn reach(&self, analysis: &mut Analysis, draw: Draw<'_>) -> Result<(), Stopped> {
        let groups = self.groups();
        let rules = |variant: usize| &self.scenario.variants[variant].rules;
        let one = |counted: &mut BTreeMap<usize, Reached>, at: u64| {
            let (variant, group) = &groups[at as usize];
            let plans = self.to_tell(*variant, group);
            let counts = counted.entry(*variant).or_insert_with(|| Reached::new(rules(*variant)));
            interpret::reach(plans.iter().map(|(plan, trials)| (plan, *trials)), draw.seed, counts);
            draw.done.fetch_add(group.iter().map(|(_, trials)| trials).sum(), Ordering::Relaxed);
        };
        let counted = shared(groups.len() as u64, draw.threads, draw.stop, one)?;
        let mut all: Vec<Reached> =
            (0..self.plans.len()).map(|variant| Reached::new(rules(variant))).collect();
        counted.into_iter().flatten().for_each(|(variant, counts)| all[variant].add(&counts));
        analysis.set_reached(&all);
        Ok(())
    }

    /// All situations of all variants that have a chart or modifiers.
    fn groups(&self) -> Vec<Group> {
        let situations = self.scenario.situations.len() as u64;
        let most = if situations <= MOST { MOST - MOST % situations.max(1) } else { MOST };
        let all = most.min(situations.saturating_mul(self.scenario.trials));
        let cut = |at: usize| (u128::from(all) * at as u128 / u128::from(situations)) as u64;
        let mut groups: BTreeMap<(usize, ContentId), Vec<(usize, u64)>> = BTreeMap::new();
        for (variant, row) in self.plans.iter().enumerate() {
            let rules = &self.scenario.variants[variant].rules;
            if rules.charts.is_empty() && rules.modifiers.is_empty() {
                continue;
            }
            for (at, plan) in row.iter().enumerate() {
                groups.entry((variant, plan.id)).or_default().push((at, cut(at + 1) - cut(at)));
            }
        }
        groups.into_iter().map(|((variant, _), group)| (variant, group)).collect()
    }

    /// The plans of a group, each in its own situation and by its own rules. Best play is found once for all that play
    /// alike; what it looks at is called as in the rules for which it was found, so for others it is found again.
    fn to_tell(&self, variant: usize, group: &[(usize, u64)]) -> Vec<(Plan, u64)> {
        let (mut plans, mut again) = (Vec::new(), None);
        for (at, trials) in group.iter().filter(|(_, trials)| *trials > 0) {
            let plan = &self.plans[variant][*at];
            let Some(table) = &plan.table else {
                plans.push((plan.clone(), *trials));
                continue;
            };
            let own = Plan::maker(self.scenario)(variant, self.scenario.assignment(variant, *at));
            let table = match Arc::ptr_eq(&own.rules, &plan.rules) {
                true => Some(table.clone()),
                false => {
                    again.get_or_insert_with(|| aims::decided(&own, Budget::default()).ok()?.0.table).clone()
                }
            };
            plans.extend(table.map(|table| (Plan { id: plan.id, table: Some(table), ..own }, *trials)));
        }
        plans
    }
}
