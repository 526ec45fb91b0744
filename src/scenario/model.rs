//! The question, checked: which rules, in which situations, played how, and what is claimed of them.

use crate::rules::{Expr, FactorId, Ruleset, TestId};
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
    /// Trials per variant and situation.
    pub trials: u64,
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
    /// What a trial may end in.
    pub results: Results,
    /// What the author says the draft does.
    pub claims: Vec<Claim>,
    /// Known values.
    pub expects: Vec<Expect>,
    /// The charts that are asked for; empty: a fitting set is made.
    pub charts: Vec<ChartRequest>,
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
    /// Where its trials start.
    pub entry: TestId,
    /// The value of each factor of `rules` where the grid does not set it.
    pub base: Vec<i32>,
    /// What the player does at each choice of `rules`; `None` where the entry never comes to it.
    pub moves: Vec<Option<Move>>,
    /// For each value of the entry's kind, its position in [`Results::Named`]; empty for numbers.
    pub result_positions: Vec<usize>,
}

/// A policy for one choice.
#[derive(Clone, Debug)]
pub enum Move {
    /// Always the same option.
    Option(i32),
    /// Each option with a weight: its probability is the weight over the sum of the weights.
    Mix(Vec<(i32, u32)>),
    /// An expression that gives the option; it may read factors and the choice's parameters.
    Condition {
        /// The expression.
        expr: Expr,
        /// How the scenario writes it.
        text: String,
    },
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
    /// For each variant, its factor and the value that stands for each of `values`; `None` where it lacks the factor.
    pub bindings: Vec<Option<(FactorId, Vec<i32>)>>,
}

/// A name for tables and a label for people.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Named {
    /// For tables.
    pub name: String,
    /// For charts, pages and summaries.
    pub label: String,
}

/// What a trial may end in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Results {
    /// A number; tallies are keyed by it.
    Numbers,
    /// One of these, best first where the kind is an outcome; tallies are keyed by the position.
    Named(Vec<Named>),
}

/// `P(...)`, a mean or a quantile, in a variant.
#[derive(Clone, PartialEq, Debug)]
pub enum Quantity {
    /// The probability of a set of results: the values in it, as tallies key them.
    Probability(ResultSet),
    /// The mean of a measure.
    Mean(String),
    /// A quantile of a measure, with its level as a fraction in 0..=1.
    Quantile(String, f64),
}

/// A set of results, as tallies key them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ResultSet {
    /// How the scenario writes it: `break`, `retreat..break`.
    pub text: String,
    /// Stretches of keys, both ends included.
    pub spans: Vec<(i32, i32)>,
}

impl ResultSet {
    /// Whether a result is in it.
    pub fn contains(&self, key: i32) -> bool {
        self.spans.iter().any(|(low, high)| (*low..=*high).contains(&key))
    }
}

/// One side of a claim.
#[derive(Clone, PartialEq, Debug)]
pub enum Side {
    /// A quantity in one variant (position in [`Scenario::variants`]).
    Quantity(Quantity, usize),
    /// A number; a probability is written as a fraction in 0..=1, a decimal or a percentage.
    Number(f64),
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

/// By how much one side must differ from the other.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Margin {
    /// Percentage points (of a mean: units).
    Points(f64),
    /// A factor.
    Times(f64),
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
}

/// A known value and where it comes from.
#[derive(Clone, PartialEq, Debug)]
pub struct Expect {
    /// Position of the variant.
    pub variant: usize,
    /// A value for each factor of the variant's rules.
    pub situation: Vec<i32>,
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
}

/// A chart that is asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChartRequest {
    /// What it shows.
    pub kind: ChartKind,
    /// The outcome whose probability is drawn; `None`: the last, the worst.
    pub outcome: Option<ResultSet>,
    /// Position in [`Scenario::factors`] of the one along the axis.
    pub x: Option<usize>,
    /// Position of the one that has a panel for each value.
    pub panel: Option<usize>,
    /// Positions in [`Scenario::situations`] of those it may show.
    pub situations: Vec<usize>,
    /// Its heading.
    pub title: Option<String>,
}

/// The sorts of charts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChartKind {
    /// Stacked shares per situation, variants side by side.
    Outcomes,
    /// Probability of an outcome against a number, one line per variant.
    Curve,
}

impl Scenario {
    /// The value of each factor of a variant's rules in a situation.
    pub fn assignment(&self, variant: usize, situation: usize) -> Vec<i32> {
        let mut values = self.variants[variant].base.clone();
        for (factor, position) in self.factors.iter().zip(&self.situations[situation]) {
            if let Some((id, bound)) = &factor.bindings[variant] {
                values[id.0] = bound[*position];
            }
        }
        values
    }
}
