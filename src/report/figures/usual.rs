//! The charts of a scenario that asks for none.
//!
//! **Never:** figures.

use crate::scenario::{ChartKind, ChartRequest, Reading, Results, Scenario};

/// The most values along the axis of a usual chart, and the most panels.
const LONGEST_AXIS: usize = 24;
const MOST_PANELS: usize = 12;

/// A chart of all outcomes and, where a factor is a number, a curve of the worst; none where every factor that varies
/// has too many values.
pub(super) fn usual_charts(scenario: &Scenario) -> Vec<ChartRequest> {
    let factors = &scenario.factors;
    let up_to = |most: usize| {
        (0..factors.len()).filter(move |factor| (2..=most).contains(&factors[*factor].values.len()))
    };
    let numeric = up_to(LONGEST_AXIS).find(|factor| factors[*factor].numeric);
    let x = numeric.or_else(|| up_to(LONGEST_AXIS).next());
    let nothing_fits = x.is_none() && up_to(usize::MAX).next().is_some();
    if nothing_fits || scenario.main().results == Results::Numbers {
        return Vec::new();
    }
    let chart = |kind| ChartRequest {
        kind,
        outcome: None,
        x,
        panel: x.and_then(|x| up_to(MOST_PANELS).find(|factor| *factor != x)),
        y: None,
        variant: scenario.baseline,
        against_baseline: false,
        measure: 0,
        reading: Reading::default(),
        situations: (0..scenario.situations.len()).collect(),
        title: None,
    };
    let curve = numeric.map(|_| chart(ChartKind::Curve));
    std::iter::once(chart(ChartKind::Outcomes)).chain(curve).collect()
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
        assert_eq!(usual([25, 1, 25, 1, 1]), []);
        assert_eq!(usual([1, 1, 1, 1, 1]), charts(&named, None, None));
    }

    #[test]
    fn numbers_have_no_usual_chart() {
        assert_eq!(usual_charts(&crate::report::tests::numbers()), []);
    }
}
