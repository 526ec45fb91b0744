//! The charts of a scenario that asks for none.
//!
//! **Never:** figures.

use crate::scenario::{ChartKind, ChartRequest, Results, Scenario};

/// The most values along the axis of a usual chart, and the most panels.
const LONGEST_AXIS: usize = 24;
const MOST_PANELS: usize = 12;

/// The most values along the axis of a usual curve.
const LONGEST_CURVE: usize = 1_000;

/// What is said where a scenario asks for no chart and gets none.
const NONE: &str = "No chart was drawn, as each factor that varies has too many values for one axis: write `[[chart]]` with \
                    `kind = \"outcomes\"`, `x = \"...\"` and `where = \"...\"` for those that are to be shown \
                    (`houserule help scenario`).";

/// Why a scenario that asks for no chart has none.
pub(in crate::report) fn none(scenario: &Scenario) -> Option<&'static str> {
    (scenario.charts.is_empty() && usual_charts(scenario).is_empty()).then_some(NONE)
}

/// A chart of all outcomes and, where a factor is a number, a curve of the worst; of numbers how often each comes up.
/// Where no factor has few values, just a curve along the longest; none where that is too long as well.
pub(super) fn usual_charts(scenario: &Scenario) -> Vec<ChartRequest> {
    let factors = &scenario.factors;
    let up_to = |most: usize| {
        (0..factors.len()).filter(move |factor| (2..=most).contains(&factors[*factor].values.len()))
    };
    let is_number = |factor: &usize| factors[*factor].numeric;
    let short = up_to(LONGEST_AXIS).find(is_number).or_else(|| up_to(LONGEST_AXIS).next());
    // of equally long ones the first
    let long =
        up_to(LONGEST_CURVE).filter(is_number).rev().max_by_key(|factor| factors[*factor].values.len());
    let fits = short.is_some() || up_to(usize::MAX).next().is_none();
    let chart = |kind, x: Option<usize>| ChartRequest {
        kind,
        x,
        panel: up_to(MOST_PANELS).find(|factor| Some(*factor) != x),
        variant: scenario.baseline,
        situations: (0..scenario.situations.len()).collect(),
        ..ChartRequest::default()
    };
    if scenario.main().results == Results::Numbers {
        return vec![chart(ChartKind::Distribution, None)];
    }
    let outcomes = fits.then(|| chart(ChartKind::Outcomes, short));
    let along = if fits { short.filter(is_number) } else { long };
    let curve = along.map(|_| chart(ChartKind::Curve, along));
    outcomes.into_iter().chain(curve).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::Named;

    /// The axis and the panels of the usual charts, by name, where the five factors have so many values.
    fn usual(sizes: [usize; 5]) -> Vec<(ChartKind, Option<String>, Option<String>)> {
        let mut scenario = crate::report::tests::scenario();
        for (factor, size) in scenario.factors.iter_mut().zip(sizes) {
            let named = |n: usize| Named { name: n.to_string(), label: n.to_string() };
            factor.values = (0..size).map(named).collect();
        }
        let name = |factor: usize| scenario.factors[factor].name.clone();
        let request = |chart: ChartRequest| (chart.kind, chart.x.map(name), chart.panel.map(name));
        usual_charts(&scenario).into_iter().map(request).collect()
    }

    #[test]
    fn the_usual_charts_prefer_a_number_and_stay_small() {
        let (named, both) = ([ChartKind::Outcomes], [ChartKind::Outcomes, ChartKind::Curve]);
        let charts = |kinds: &[ChartKind], x: Option<&str>, panel: Option<&str>| {
            let one = |kind: &ChartKind| (*kind, x.map(str::to_owned), panel.map(str::to_owned));
            kinds.iter().map(one).collect::<Vec<_>>()
        };
        assert_eq!(usual([12, 2, 24, 1, 2]), charts(&both, Some("excess"), Some("troop")));
        assert_eq!(usual([13, 2, 24, 1, 2]), charts(&both, Some("excess"), Some("attack")));
        assert_eq!(usual([13, 2, 25, 1, 2]), charts(&named, Some("troop"), Some("attack")));
        assert_eq!(usual([24, 1, 25, 1, 1]), charts(&named, Some("troop"), None));
        // the excess is a number, the troop is not
        assert_eq!(usual([25, 1, 25, 1, 1]), charts(&[ChartKind::Curve], Some("excess"), None));
        assert_eq!(usual([25, 1, 1_000, 1, 1]), charts(&[ChartKind::Curve], Some("excess"), None));
        assert_eq!(usual([25, 1, 1_001, 1, 1]), []);
        assert_eq!(usual([1, 1, 1, 1, 1]), charts(&named, None, None));
    }

    #[test]
    fn of_numbers_it_is_usual_to_see_how_often_each_comes_up() {
        let charts = usual_charts(&crate::report::tests::numbers());
        let seen: Vec<_> = charts.iter().map(|chart| (chart.kind, chart.x, chart.panel)).collect();
        assert_eq!(seen, [(ChartKind::Distribution, None, Some(0))]);
    }

    #[test]
    fn a_scenario_without_any_chart_is_told_what_to_write() {
        let mut scenario = crate::report::tests::scenario();
        scenario.charts.clear();
        assert_eq!(none(&scenario), None);
        for factor in &mut scenario.factors {
            let named = |n: usize| Named { name: n.to_string(), label: n.to_string() };
            (factor.numeric, factor.values) = (false, (0..25).map(named).collect());
        }
        assert!(none(&scenario).unwrap().contains("write `[[chart]]` with `kind = \"outcomes\"`"));
    }
}
