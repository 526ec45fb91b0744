//! The rows of a run's table `results` as figures that can be found by their names.
//!
//! In: a table. Out: its figures, or what is wrong with it.
//!
//! How often a trial has a record at all stands in no row: it is worked out here from the trials of the record and those
//! of the result, as a further outcome, [`PRESENT`]. Tests without a result have no such figure.
//!
//! **Never:** comparing figures.

use crate::analyse::Counted;
use crate::plan::Probability;
use crate::results::{Cells, Table};
use std::collections::{BTreeMap, BTreeSet};

/// The name of a figure.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Key {
    /// The variant.
    pub variant: String,
    /// The value of each factor that tells situations apart.
    pub situation: Vec<String>,
    /// `result`, or the record.
    pub measure: String,
    /// The outcome, the number, or `(any)` for whether there is one at all.
    pub outcome: String,
}

/// What stands for the outcome where it is asked how many trials have a record.
pub(super) const PRESENT: &str = "(any)";

/// The name of what the test itself gives.
const RESULT: &str = "result";

/// What a run has nothing of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lacks {
    /// The whole variant.
    Variant,
    /// This situation of it.
    Situation,
    /// This measure in it.
    Measure,
    /// This outcome alone.
    Outcome,
}

/// A variant and a situation.
type Place = (String, Vec<String>);

/// The figures of a table.
#[derive(Clone, Debug, Default)]
pub(super) struct Rows {
    /// The factors, in the table's order.
    pub(super) factors: Vec<String>,
    /// In the table's order.
    pub(super) figures: Vec<(Key, Counted)>,
    /// The position of each in `figures`.
    at: BTreeMap<Key, usize>,
    /// The trials of each measure that has any row.
    trials: BTreeMap<(Place, String), u64>,
    places: BTreeSet<Place>,
    /// Variants with the measures of which they have any row.
    measures: BTreeSet<(String, String)>,
}

impl Rows {
    pub(super) fn get(&self, key: &Key) -> Option<Counted> {
        self.at.get(key).map(|at| self.figures[*at].1.clone())
    }

    /// Whether the variant has any figure of the measure, in whatever situation.
    pub(super) fn measures(&self, key: &Key) -> bool {
        self.measures.contains(&(key.variant.clone(), key.measure.clone()))
    }

    /// The figure of a number that never came up, or of a record that no trial has: these have no row.
    pub(super) fn nothing(&self, key: &Key) -> Option<Counted> {
        let place = (key.variant.clone(), key.situation.clone());
        let trials = |measure: &str| self.trials.get(&(place.clone(), measure.to_owned())).copied();
        let trials = match key.outcome.as_str() {
            PRESENT => trials(RESULT)?,
            number if number.parse::<i64>().is_ok() => trials(&key.measure).unwrap_or(0),
            _ => return None,
        };
        self.places.contains(&place).then_some(Counted { count: 0, trials, exact: None })
    }

    /// The largest part of the run that would have to be there for this figure to be.
    pub(super) fn lacks(&self, key: &Key) -> Lacks {
        let (variant, place) = (&key.variant, (key.variant.clone(), key.situation.clone()));
        if self.places.range((variant.clone(), Vec::new())..).next().is_none_or(|one| one.0 != *variant) {
            Lacks::Variant
        } else if !self.places.contains(&place) {
            Lacks::Situation
        } else if !self.trials.contains_key(&(place, key.measure.clone())) {
            Lacks::Measure
        } else {
            Lacks::Outcome
        }
    }

    /// Works out all that follows from `figures`, or names a figure that is there twice.
    fn index(&mut self) -> Result<(), String> {
        (self.at, self.trials, self.places, self.measures) = Default::default();
        for (at, (key, figure)) in self.figures.iter().enumerate() {
            if self.at.insert(key.clone(), at).is_some() {
                return Err(format!("row {} is there twice", at + 1));
            }
            let place = (key.variant.clone(), key.situation.clone());
            if key.outcome != PRESENT {
                self.trials.insert((place.clone(), key.measure.clone()), figure.trials);
            }
            self.places.insert(place);
            self.measures.insert((key.variant.clone(), key.measure.clone()));
        }
        Ok(())
    }

    /// Adds how many trials have each record, where it is known how many trials there were.
    fn add_present(&mut self) -> Result<(), String> {
        let records = self.trials.iter().filter(|((_, measure), _)| measure != RESULT);
        let present = |((place, measure), count): (&(Place, String), &u64)| {
            let all = *self.trials.get(&(place.clone(), RESULT.to_owned()))?;
            let (variant, situation) = place.clone();
            let key = Key { variant, situation, measure: measure.clone(), outcome: PRESENT.to_owned() };
            Some((key, Counted { count: *count, trials: all, exact: None }))
        };
        let present: Vec<_> = records.filter_map(present).collect();
        self.figures.extend(present);
        self.index()
    }

    /// The position of a factor of one value throughout.
    fn constant(&self, factor: &str) -> Option<usize> {
        let at = self.factors.iter().position(|one| one == factor)?;
        let mut values = self.figures.iter().map(|(key, _)| &key.situation[at]);
        let first = values.next();
        values.all(|value| Some(value) == first).then_some(at)
    }

    fn drop_factor(&mut self, at: usize) {
        self.factors.remove(at);
        self.figures.iter_mut().for_each(|(key, _)| drop(key.situation.remove(at)));
    }

    /// Puts the factors into another order; those that are not in it come last.
    fn order(&mut self, factors: &[String]) {
        let place = |factor: &String| factors.iter().position(|one| one == factor).unwrap_or(usize::MAX);
        let mut order: Vec<usize> = (0..self.factors.len()).collect();
        order.sort_by_key(|at| place(&self.factors[*at]));
        let sorted = |values: &[String]| order.iter().map(|at| values[*at].clone()).collect::<Vec<String>>();
        for (key, _) in &mut self.figures {
            key.situation = sorted(&key.situation);
        }
        self.factors = sorted(&self.factors);
    }
}

/// Makes the keys of two tables comparable: a factor that only one of them has is left out where it has one value
/// throughout. Says of each other one that nothing can be found again.
///
/// # Errors
/// None that a table could cause: keys that differed still differ.
pub(super) fn align(old: &mut Rows, new: &mut Rows) -> Result<Vec<String>, String> {
    let mut remarks = Vec::new();
    let only = |one: &Rows, other: &Rows| {
        one.factors.iter().filter(|factor| !other.factors.contains(factor)).cloned().collect::<Vec<_>>()
    };
    let (only_old, only_new) = (only(old, new), only(new, old));
    for (rows, factors, whose) in [(&mut *old, only_old, "no more"), (&mut *new, only_new, "only now")] {
        for factor in factors {
            match rows.constant(&factor) {
                Some(at) => rows.drop_factor(at),
                None => remarks
                    .push(format!("The grid has the factor `{factor}` {whose}: no situation is the same.")),
            }
        }
    }
    old.order(&new.factors);
    old.index()?;
    new.index()?;
    Ok(remarks)
}

/// The figures of a table, or what is wrong with it.
pub(super) fn rows(table: &Table) -> Result<Rows, String> {
    let column = |name: &str| table.column(name).ok_or_else(|| format!("it has no column `{name}`"));
    let [variant, measure, outcome] = [column("variant")?, column("measure")?, column("outcome")?];
    let [count, trials, exact] = [column("count")?, column("trials")?, column("exact")?];
    let names = table.columns.iter().map(|(name, _)| name.as_str());
    let factors: Vec<&str> =
        names.skip_while(|name| *name != "variant").skip(1).take_while(|name| *name != "measure").collect();
    let mut rows =
        Rows { factors: factors.iter().map(|name| (*name).to_owned()).collect(), ..Rows::default() };
    for row in 0..table.height() {
        let text =
            |cells: &Cells| cells.text(row).ok_or_else(|| format!("row {} has an empty cell", row + 1));
        let number = |cells: &Cells| {
            text(cells)?.parse::<u64>().map_err(|_| format!("row {} has a count that is no number", row + 1))
        };
        let situation: Result<_, String> = factors.iter().map(|name| text(column(name)?)).collect();
        let (variant, measure, outcome) = (text(variant)?, text(measure)?, text(outcome)?);
        let exact = exact.text(row).filter(|text| !text.is_empty());
        let known = exact.as_deref().map(|text| {
            let found = Probability::parse(text).filter(|found| (0.0..=1.0).contains(&found.value()));
            found.ok_or_else(|| format!("row {} has no probability in `exact`", row + 1))
        });
        let figure = Counted { count: number(count)?, trials: number(trials)?, exact: known.transpose()? };
        if figure.count > figure.trials {
            return Err(format!("row {} counts more than all trials", row + 1));
        }
        rows.figures.push((Key { variant, situation: situation?, measure, outcome }, figure));
    }
    if rows.figures.is_empty() {
        return Err("it has no rows".to_owned());
    }
    rows.index()?;
    rows.add_present()?;
    Ok(rows)
}
