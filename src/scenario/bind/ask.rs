//! A figure that is asked for outside a scenario's file, or by one of its charts.
//!
//! In: texts as a command line gives them, or a chart. Out: a variant, a quantity and situations, or what is wrong.

use super::place::Lookup;
use crate::diagnostic::{Diagnostics, Sources, Span};
use crate::scenario::model::{ChartRequest, Quantity, ResultSet, Results, Scenario};
use crate::scenario::sentence;
use crate::scenario::tree::Placed;

/// A figure of one variant over some situations.
#[derive(Clone, PartialEq, Debug)]
pub struct Wanted {
    /// Position of the variant.
    pub variant: usize,
    /// The figure.
    pub quantity: Quantity,
    /// The same in words, as in `P(break)`.
    pub text: String,
    /// Positions of the situations over which it is looked at.
    pub situations: Vec<usize>,
}

impl Wanted {
    /// What a chart asks for.
    pub fn of_chart(scenario: &Scenario, chart: &ChartRequest) -> Self {
        let (quantity, text) = match &chart.outcome {
            Some(set) => (Quantity::Probability(set.clone()), format!("P({})", set.text)),
            None => usual(scenario),
        };
        Self { variant: chart.variant, quantity, text, situations: chart.situations.clone() }
    }
}

/// The probability of the last result; of a number, its mean.
fn usual(scenario: &Scenario) -> (Quantity, String) {
    let main = scenario.main();
    match &main.results {
        Results::Numbers => (Quantity::Mean(0), format!("mean({})", main.name)),
        Results::Named(named) => {
            let last = named.len().saturating_sub(1);
            let name = named.get(last).map_or_else(String::new, |named| named.name.clone());
            let text = if main.is_record() { format!("{} is {name}", main.name) } else { name };
            let spans = vec![(last as i64, last as i64)];
            let quantity = Quantity::Probability(ResultSet { measure: 0, text: text.clone(), spans });
            (quantity, format!("P({text})"))
        }
    }
}

/// A figure as a command line asks for it: of which variant, which figure, where. What is not said is the only variant, or
/// the one beside the baseline; the probability of the last result, or the mean; everywhere.
pub fn ask(
    scenario: &Scenario,
    [variant, figure, filter]: [Option<&str>; 3],
    sources: &mut Sources,
    found: &mut Diagnostics,
) -> Option<Wanted> {
    let mut told = |flag: &str, text: &str| {
        let file = sources.add(flag, format!("'{text}'"));
        let span = Span::new(file, 0, text.len() + 2);
        Placed { value: text.to_owned(), span }
    };
    let named = told("--variant", variant.unwrap_or_default());
    let figure = figure.map(|text| told("--outcome", text));
    let filter = filter.map(|text| told("--where", text));
    let mut lookup = Lookup { scenario, sources, found };
    let variant = lookup.variant(variant.map(|_| &named), named.span);
    let situations = lookup.situations_where(filter.as_ref());
    let variant = variant?;
    let (quantity, text) = match figure {
        None => usual(scenario),
        Some(figure) => {
            let place = Span { start: figure.span.start + 1, end: figure.span.end - 1, ..figure.span };
            let function = sentence::quantity(place, lookup.sources, lookup.found)?;
            let text = if figure.value.contains('(') { figure.value } else { format!("P({})", figure.value) };
            (lookup.quantity(&function, variant)?, text)
        }
    };
    Some(Wanted { variant, quantity, text, situations: situations? })
}
