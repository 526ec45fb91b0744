//! The question, checked: which rules, in which situations, played how, and what is claimed of them.

mod tune;

pub use tune::{Tune, Varied};

use crate::rules::tree::End;
use crate::rules::{Expr, FactorId, RecordId, Ruleset, Set, Span, TestId, Type, UnitsId};
use std::path::PathBuf;
use std::sync::Arc;

/// A checked scenario.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// What it asks, in words.
    pub title: String,
    /// The file's name without its ending.
    pub stem: String,
    /// The name of the folder that it stands in.
    pub folder: String,
    /// The entry test.
    pub test: String,
    /// Trials per variant and situation; with a precision it decides how many there are.
    pub trials: u64,
    /// How wide an interval may be on either side, a fraction in 0..1; `None`: there are just so many trials.
    pub precision: Option<f64>,
    /// Most trials per variant and situation where a precision or a claim asks for more; `None`: see [`Self::most`].
    pub most_trials: Option<u64>,
    /// The seed of the run.
    pub seed: u64,
    /// Position in `variants` of the one that the others are compared with.
    pub baseline: usize,
    /// The drafts, as written.
    pub variants: Vec<Variant>,
    /// The factors of the grid, as written.
    pub factors: Vec<GridFactor>,
    /// The situations that are played, row by row (the last factor fastest): for each factor of the grid, the position
    /// of its value.
    pub situations: Vec<Vec<usize>>,
    /// What is counted: first the result, where the test has one, then the records. There is at least one.
    pub measures: Vec<Measure>,
    /// Positions in `measures` of the records whose combinations are counted.
    pub joint: Vec<usize>,
    /// Whether drafts are played in step with the baseline too, on the same dice, in every situation.
    pub paired: bool,
    /// What the author says the draft does.
    pub claims: Vec<Claim>,
    /// Known values.
    pub expects: Vec<Expect>,
    /// The charts that are asked for; empty: a fitting set is made.
    pub charts: Vec<ChartRequest>,
    /// For what places and pages charts are drawn beside the usual one.
    pub pictures: Pictures,
    /// The search for values, if it is asked for.
    pub tune: Option<Tune>,
    /// Remarks for the reader of the run, such as a grid factor that a variant does not have.
    pub notes: Vec<String>,
}

/// One draft.
#[derive(Clone, Debug)]
pub struct Variant {
    /// Its name.
    pub name: String,
    /// Its rules.
    pub rules: Arc<Ruleset>,
    /// The file that they were read from.
    pub file: PathBuf,
    /// Where its trials start.
    pub entry: TestId,
    /// The value of each factor of `rules` where the grid does not set it.
    pub base: Vec<i32>,
    /// What the player does at each choice of `rules`; `None` where the entry never comes to it.
    pub moves: Vec<Option<Move>>,
}

impl Variant {
    /// For each value of an outcome its position among the results, and how good it is; `None` of anything else.
    fn ranks(&self, measured: &Measured) -> Option<Vec<(usize, u32)>> {
        let ty = match measured.record {
            None => self.rules.tests[self.entry.0].result,
            Some(record) => self.rules.records[record.0].ty,
        };
        let Type::Kind(kind) = ty else { return None };
        let kind = &self.rules.kinds[kind.0];
        let ranks = kind.values.iter().map(|value| value.rank);
        kind.ordered.then(|| measured.positions.iter().copied().zip(ranks).collect())
    }
}

/// A policy for one choice.
#[derive(Clone, Debug)]
pub enum Move {
    /// Always the same option.
    Option(i32),
    /// Each option with a weight: its probability is the weight over the sum of the weights.
    Mix(Vec<(i32, u32)>),
    /// An expression that gives the option, or the number (the nearest that is allowed); it may read factors and the
    /// choice's parameters.
    Condition {
        /// The expression.
        expr: Expr,
        /// How the scenario writes it.
        text: String,
    },
    /// The first or the last of a range of numbers or of a list of units.
    End(End),
    /// The dice that show one of a set.
    Dice {
        /// The set; its ends may read factors and the choice's parameters.
        set: Set,
        /// How the scenario writes it.
        text: String,
    },
    /// The unit for which an expression over its factors is lowest or highest comes next, of equals the first as
    /// written; without an expression as written (`Lowest`) or the other way round (`Highest`).
    Order {
        /// The expression; bare factors are the unit's own.
        by: Option<Expr>,
        /// Which end comes first.
        end: End,
        /// How the scenario writes it.
        text: String,
    },
    /// What the player aims at; to be solved before it can be played.
    Aim {
        /// The aim; `None` where there is no scenario that says what is counted.
        aim: Option<Aim>,
        /// How the scenario writes it.
        text: String,
        /// Where.
        span: Span,
    },
    /// Something else for some units of a line, where the choice stands in a call for one of them.
    ForUnits(UnitsId, Vec<(usize, Self)>, Box<Self>),
}

/// What a player aims at.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Aim {
    /// Whether more is better for him.
    pub maximise: bool,
    /// Of what.
    pub of: Objective,
}

/// A figure of one variant's trials.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Objective {
    /// The record that it is about; `None`: what the test gives.
    pub record: Option<RecordId>,
    /// The probability that its value, as the variant's rules have it, lies in one of these stretches, both ends
    /// included; `None`: its mean. Trials that do not come to it count nothing.
    pub among: Option<Vec<(i64, i64)>>,
}

impl Move {
    /// What it comes to where `current` says for which unit of a line the call is.
    pub fn now(&self, current: impl FnOnce(UnitsId) -> Option<usize>) -> &Self {
        let Self::ForUnits(units, of, rest) = self else { return self };
        let unit = current(*units);
        of.iter().find(|(one, _)| Some(*one) == unit).map_or(rest, |(_, play)| play)
    }

    /// Itself, or all that it may come to.
    pub fn all(&self) -> Vec<&Self> {
        match self {
            Self::ForUnits(_, of, rest) => of.iter().map(|(_, play)| play).chain([&**rest]).collect(),
            one => vec![one],
        }
    }
}

/// One factor of the grid.
#[derive(Clone, Debug)]
pub struct GridFactor {
    /// Its name.
    pub name: String,
    /// Its name in reports.
    pub label: String,
    /// Whether its values are numbers, so that they can be an axis.
    pub numeric: bool,
    /// Its values in the scenario's order: name (`yes`/`no` for flags) and label.
    pub values: Vec<Named>,
    /// For each variant, its factor (of a list of units, each unit's own) and the value that stands for each of
    /// `values`; `None` where it lacks the factor.
    pub bindings: Vec<Option<(Vec<FactorId>, Vec<i32>)>>,
}

/// A name for tables and a label for people.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Named {
    /// For tables.
    pub name: String,
    /// For charts, pages and summaries.
    pub label: String,
}

/// Something that is counted in every trial that has it: the result, or a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Measure {
    /// `result`, or the record's name.
    pub name: String,
    /// Its name in reports.
    pub label: String,
    /// What it may be.
    pub results: Results,
    /// For each variant, where it comes from; `None` where the variant lacks it.
    pub variants: Vec<Option<Measured>>,
}

impl Measure {
    /// Whether it is a record, not what the test itself gives.
    pub fn is_record(&self) -> bool {
        self.variants.iter().flatten().any(|measured| measured.record.is_some())
    }
}

/// Where a measure comes from in one variant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Measured {
    /// The record; `None` for what the test gives.
    pub record: Option<RecordId>,
    /// For each value of its kind, its position in [`Results::Named`]; empty for numbers.
    pub positions: Vec<usize>,
}

impl Measured {
    /// A value of this variant as counts of the whole scenario key it.
    pub fn key(&self, value: i64) -> i64 {
        let position = usize::try_from(value).ok().and_then(|value| self.positions.get(value));
        position.map_or(value, |position| *position as i64)
    }
}

/// What a measure may be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Results {
    /// A number; counts are keyed by it.
    Numbers,
    /// One of these, best first where the kind is an outcome; counts are keyed by the position.
    Named(Vec<Named>),
}

/// `P(...)`, a mean or a quantile, in a variant.
#[derive(Clone, PartialEq, Debug)]
pub enum Quantity {
    /// The probability of a set of results, or of a record's values among the trials that have it.
    Probability(ResultSet),
    /// The mean of a measure (position in [`Scenario::measures`]).
    Mean(usize),
    /// A quantile of a measure, with its level as a fraction in 0..=1.
    Quantile(usize, f64),
}

/// A set of values of a measure, as counts key them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ResultSet {
    /// Position in [`Scenario::measures`].
    pub measure: usize,
    /// How the scenario writes it: `break`, `retreat..break`, `attempts is 2+`.
    pub text: String,
    /// Stretches of keys, both ends included; `i64::MIN` and `i64::MAX` where it is open.
    pub spans: Vec<(i64, i64)>,
}

impl ResultSet {
    /// Whether a result is in it.
    pub fn contains(&self, key: i64) -> bool {
        self.spans.iter().any(|(low, high)| (*low..=*high).contains(&key))
    }
}

/// One side of a claim.
#[derive(Clone, PartialEq, Debug)]
pub enum Side {
    /// A quantity in one variant (position in [`Scenario::variants`]).
    Quantity(Quantity, usize),
    /// A number as a fraction, numerator and denominator; a probability lies in 0..=1.
    Number((i64, i64)),
}

/// How the two sides of a claim are compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Relation {
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    More,
    /// `>=`
    AtLeast,
    /// `=`
    Equal,
}

/// By how much one side must differ from the other, or may where they are to be equal; each as a fraction, numerator and
/// denominator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Margin {
    /// Percentage points (of a mean or a quantile: units).
    Points((i64, i64)),
    /// A factor.
    Times((i64, i64)),
}

/// What the author says the draft does.
#[derive(Clone, PartialEq, Debug)]
pub struct Claim {
    /// In words.
    pub text: String,
    /// The comparison as it is written.
    pub holds: String,
    /// Left of the sign.
    pub left: Side,
    /// The sign.
    pub relation: Relation,
    /// Right of the sign.
    pub right: Side,
    /// `by ...`.
    pub margin: Option<Margin>,
    /// Positions in [`Scenario::situations`] of those it speaks of.
    pub situations: Vec<usize>,
    /// Whether it speaks of the average over these rather than of every one.
    pub average: bool,
    /// Where it stands.
    pub span: Span,
}

impl Claim {
    /// Its two sides.
    pub fn sides(&self) -> [&Side; 2] {
        [&self.left, &self.right]
    }

    /// Whether it compares probabilities.
    pub fn is_of_shares(&self) -> bool {
        self.sides().iter().any(|side| matches!(side, Side::Quantity(Quantity::Probability(_), _)))
    }
}

/// A known value and where it comes from.
#[derive(Clone, PartialEq, Debug)]
pub struct Expect {
    /// Position of the variant.
    pub variant: usize,
    /// A value for each factor of the variant's rules.
    pub situation: Vec<i32>,
    /// What the scenario says of the situation, in words.
    pub place: String,
    /// What is known.
    pub quantity: Quantity,
    /// Its value as it is written.
    pub value: String,
    /// The same as a fraction, numerator and denominator.
    pub fraction: (i64, i64),
    /// Where it comes from.
    pub source: String,
    /// Whether the value is that of a rule without the tool's patience.
    pub limit: bool,
    /// Where it stands.
    pub span: Span,
}

/// A chart that is asked for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ChartRequest {
    /// What it shows.
    pub kind: ChartKind,
    /// The outcome whose probability is drawn; `None`: the last, the worst.
    pub outcome: Option<ResultSet>,
    /// Position in [`Scenario::factors`] of the one along the axis.
    pub x: Option<usize>,
    /// Position of the one down the side of a heat chart.
    pub y: Option<usize>,
    /// Position of the one that has a panel for each value.
    pub panel: Option<usize>,
    /// Position of the variant whose lines a chart of modifiers changes, of which a heat chart is, or the only draft of a
    /// chart of differences; of the baseline for all other charts.
    pub variant: usize,
    /// Whether a heat chart shows how far the variant is from the baseline, and not its own probability.
    pub against_baseline: bool,
    /// Position in [`Scenario::measures`] of the number whose distribution is drawn, or that counts turns; 0 for all other
    /// charts.
    pub measure: usize,
    /// How a distribution is read.
    pub reading: Reading,
    /// Positions in [`Scenario::situations`] of those it may show.
    pub situations: Vec<usize>,
    /// Its heading.
    pub title: Option<String>,
}

/// For what charts are drawn beside the column of a light page.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Pictures {
    /// For dark pages too.
    pub dark: bool,
    /// For slides too.
    pub slide: bool,
    /// For phones too.
    pub phone: bool,
}

impl Pictures {
    /// The words for what may be asked for.
    pub const WORDS: [&str; 3] = ["dark", "slide", "phone"];

    /// Asks for one of [`Pictures::WORDS`] as well; whether it is one.
    pub fn ask(&mut self, word: &str) -> bool {
        match word {
            "dark" => self.dark = true,
            "slide" => self.slide = true,
            "phone" => self.phone = true,
            _ => return false,
        }
        true
    }
}

/// The sorts of charts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ChartKind {
    /// Stacked shares per situation, variants side by side.
    #[default]
    Outcomes,
    /// Probability of an outcome against a number, one line per variant.
    Curve,
    /// What drafts change against the baseline, a bar for each situation.
    Difference,
    /// Two factors against a probability or a difference, in colours.
    Heat,
    /// How probable each number of a measure is.
    Distribution,
    /// How many are still there after so many turns.
    Survival,
    /// What the same dice give under the baseline and under a draft.
    Flow,
    /// By how much each line of the rules and each factor moves the probability of an outcome.
    Modifiers,
}

/// What is asked of each number of a distribution.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Reading {
    /// How probable just this number is.
    #[default]
    Exactly,
    /// How probable it and all above are.
    AtLeast,
    /// How probable it and all below are.
    AtMost,
}

/// Where a precision or a claim asks for more, there may be so many times the trials, within these bounds.
const MORE: u64 = 64;
const LEAST_OF_MOST: u64 = 1_000_000;
const MOST_OF_MOST: u64 = 100_000_000;

impl Scenario {
    /// Most trials per variant and situation where a precision or a claim asks for more; never fewer than
    /// [`Self::trials`] unless a precision decides.
    pub fn most(&self) -> u64 {
        let usual = self.trials.saturating_mul(MORE).clamp(LEAST_OF_MOST, MOST_OF_MOST);
        let most = self.most_trials.unwrap_or(usual);
        if self.precision.is_some() && self.most_trials.is_some() { most } else { most.max(self.trials) }
    }

    /// The first measure: the result where the test has one, else the first record.
    pub fn main(&self) -> &Measure {
        &self.measures[0]
    }

    /// How good each value of a measure is, 0 the best, where all are outcomes; `None` where they are not, or where variants
    /// do not agree on their order.
    pub fn ranks(&self, measure: usize) -> Option<Vec<u32>> {
        let Measure { results: Results::Named(named), variants, .. } = &self.measures[measure] else {
            return None;
        };
        let each = self.variants.iter().zip(variants).filter_map(|(variant, measured)| {
            let measured = measured.as_ref()?;
            Some(variant.ranks(measured))
        });
        let each: Vec<Vec<(usize, u32)>> = each.collect::<Option<_>>()?;
        let whole = each.iter().find(|ranks| ranks.len() == named.len())?;
        let mut ranks = vec![0; named.len()];
        whole.iter().for_each(|(position, rank)| ranks[*position] = *rank);
        let agrees = |(one, rank): &(usize, u32), (other, next): &(usize, u32)| {
            rank.cmp(next) == ranks[*one].cmp(&ranks[*other])
        };
        let sound = |of: &Vec<(usize, u32)>| of.iter().all(|one| of.iter().all(|other| agrees(one, other)));
        each.iter().all(sound).then_some(ranks)
    }

    /// The records of a variant whose combinations are counted.
    pub fn joint_records(&self, variant: usize) -> Vec<RecordId> {
        let record = |at: &usize| self.measures[*at].variants[variant].as_ref()?.record;
        self.joint.iter().filter_map(record).collect()
    }

    /// The value of each factor of a variant's rules in a situation.
    pub fn assignment(&self, variant: usize, situation: usize) -> Vec<i32> {
        let mut values = self.variants[variant].base.clone();
        for (factor, position) in self.factors.iter().zip(&self.situations[situation]) {
            if let Some((ids, bound)) = &factor.bindings[variant] {
                ids.iter().for_each(|id| values[id.0] = bound[*position]);
            }
        }
        values
    }
}
