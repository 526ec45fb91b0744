//! The search for values of factors that bring about what is wanted: every combination is looked at.
//!
//! In: a scenario with a search. Out: its combinations, the nearest to the targets first.
//!
//! **Never:** how a figure is found; which combination is better.

use super::Draw;
use super::figures::{BATCH, Figures, Halt, Job, Key};
use crate::analyse::{Combination, Figure, Miss, Tuned, misses, rank};
use crate::plan::{Budget, Probability};
use crate::rules;
use crate::scenario::{Claim, Quantity, Scenario, Side, Tune, Varied};

/// Looks at every combination of values. `draw.done` is raised with each situation of each.
///
/// # Errors
/// [`Halt`] where the work is stopped, or a player's best play is not known.
pub fn tune(scenario: &Scenario, search: &Tune, budget: Budget, draw: Draw<'_>) -> Result<Tuned, Halt> {
    let moved = search.moved(scenario);
    let mut quantities: Vec<Quantity> = moved.clone();
    let sides = search.targets.iter().flat_map(Claim::sides);
    for side in sides {
        if let Side::Quantity(quantity, _) = side
            && !quantities.contains(quantity)
        {
            quantities.push(quantity.clone());
        }
    }
    let mut figures = Figures::new(scenario, quantities.clone(), budget, draw);
    let mut written: Vec<Vec<Key>> = Vec::new();
    for variant in 0..scenario.variants.len() {
        written.push(if speaks_of(search, variant) {
            situations(scenario, variant, &mut figures)?
        } else {
            Vec::new()
        });
    }
    let search = Search { scenario, search, quantities, moved: moved.len(), written };
    let now = search.combination(&figures, &search.written[search.search.variant], Vec::new());
    let (mut combinations, mut impossible) = (Vec::new(), Vec::new());
    let together = (BATCH / scenario.situations.len().max(1)).max(1);
    for numbers in (0..search.search.combinations()).collect::<Vec<_>>().chunks(together) {
        let (mut jobs, mut tried) = (Vec::new(), Vec::new());
        for positions in numbers.iter().map(|number| search.search.positions(*number)) {
            match search.jobs(&positions) {
                Ok(more) => {
                    jobs.extend(more);
                    tried.push(positions);
                }
                Err(why) => impossible.push((positions, why)),
            }
        }
        let keys = figures.find(&jobs)?;
        let each = keys.chunks(scenario.situations.len().max(1)).zip(tried);
        combinations.extend(each.map(|(keys, positions)| search.combination(&figures, keys, positions)));
    }
    let scale = |target: &Claim| if target.is_of_shares() { 0.01 } else { 1.0 };
    rank(&mut combinations, &search.search.targets.iter().map(scale).collect::<Vec<_>>());
    Ok(Tuned { now, combinations, impossible })
}

/// How many situations will be looked at, each as often as it is: what `done` rises to.
pub fn tune_work(scenario: &Scenario, search: &Tune) -> u64 {
    let variants = (0..scenario.variants.len()).filter(|variant| speaks_of(search, *variant)).count();
    (scenario.situations.len() * (variants + search.combinations())) as u64
}

/// Whether a search looks at a variant as it is written.
fn speaks_of(search: &Tune, variant: usize) -> bool {
    let of = |side: &Side| matches!(side, Side::Quantity(_, named) if *named == variant);
    variant == search.variant || search.targets.iter().flat_map(Claim::sides).any(of)
}

/// A variant as it is written, in each situation.
fn situations(scenario: &Scenario, variant: usize, figures: &mut Figures<'_>) -> Result<Vec<Key>, Halt> {
    let job = |at| Job::of(scenario, variant, scenario.assignment(variant, at));
    figures.find(&(0..scenario.situations.len()).map(job).collect::<Vec<_>>())
}

struct Search<'a> {
    scenario: &'a Scenario,
    search: &'a Tune,
    quantities: Vec<Quantity>,
    /// How many of these are only looked at, for what else moves; they come first.
    moved: usize,
    /// For each variant that targets speak of, its plan in each situation.
    written: Vec<Vec<Key>>,
}

impl Search<'_> {
    /// What is to be looked at for a combination; or why one of its situations does not exist.
    fn jobs(&self, positions: &[usize]) -> Result<Vec<Job>, String> {
        let variant = self.search.variant;
        let whole = Job::of(self.scenario, variant, Vec::new());
        let job = |at: usize| {
            let mut values = self.scenario.assignment(variant, at);
            for (varied, position) in self.search.vary.iter().zip(positions) {
                varied.factors.iter().for_each(|factor| values[factor.0] = varied.values[*position]);
            }
            match rules::never(&whole.rules, &values) {
                Some(why) => Err(why.to_owned()),
                None => Ok(Job { values, ..whole.clone() }),
            }
        };
        (0..self.scenario.situations.len()).map(job).collect()
    }

    fn combination(&self, figures: &Figures<'_>, keys: &[Key], values: Vec<usize>) -> Combination {
        let base = &self.scenario.variants[self.search.variant].base;
        let changed = |(position, varied): (&usize, &Varied)| {
            varied.factors.iter().any(|factor| base[factor.0] != varied.values[*position])
        };
        let changed = values.iter().zip(&self.search.vary).filter(|pair| changed(*pair)).count();
        let targets = self.search.targets.iter().map(|target| self.miss(figures, keys, target)).collect();
        let all = self
            .written
            .iter()
            .chain([&keys.to_vec()])
            .flatten()
            .all(|key| figures.of(*key).iter().flatten().all(|figure| figure.exact));
        let moves = (0..self.moved).map(|at| self.moves(figures, keys, at)).collect();
        Combination { values, changed, targets, moves, exact: all, unbeaten: false }
    }

    fn miss(&self, figures: &Figures<'_>, keys: &[Key], target: &Claim) -> Miss {
        let side = |side: &Side, at: usize| match side {
            Side::Number((top, bottom)) => Some(Probability::fraction(*top, bottom.unsigned_abs())),
            Side::Quantity(quantity, variant) => {
                let keys = if *variant == self.search.variant { keys } else { &self.written[*variant] };
                let number = self.quantities.iter().position(|known| known == quantity)?;
                Some(figures.of(keys[at])[number].as_ref()?.value.clone())
            }
        };
        let sides = |at: &usize| (*at, side(&target.left, *at).zip(side(&target.right, *at)));
        let sides: Vec<_> = target.situations.iter().map(sides).collect();
        let unit = Probability::fraction(1, if target.is_of_shares() { 100 } else { 1 });
        misses(&sides, target.relation, target.margin, &unit, target.average)
    }

    /// By how much a figure moves on average over the situations in which it has a value.
    fn moves(&self, figures: &Figures<'_>, keys: &[Key], at: usize) -> Option<f64> {
        let value = |key: Key| figures.of(key)[at].as_ref().map(|Figure { value, .. }| value);
        let both = keys.iter().zip(&self.written[self.search.variant]);
        let differences: Vec<f64> =
            both.filter_map(|(new, old)| Some(value(*new)?.minus(value(*old)?).value())).collect();
        (!differences.is_empty()).then(|| differences.iter().sum::<f64>() / differences.len() as f64)
    }
}
