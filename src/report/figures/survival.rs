//! How many are still there after so many turns.
//!
//! A trial that did not end, or that has no such number, counts as still there.
//!
//! **Never:** how lines look.

use super::super::chart::{Curve, Share};
use super::distribution::{lines, widest_gap};
use super::numbers::Stretch;
use super::{View, sampled};
use crate::analyse::{Cell, normal_quantile, share};
use crate::plan::Probability;

/// The most points of a line.
const POINTS: i64 = 120;
/// Turns after which fewer go than this under any draft are left out, a fraction in 0..=1.
const TAIL: f64 = 0.01;

/// A line for each variant.
pub(super) fn curve(view: &View) -> Option<Curve> {
    let stretch = Stretch::of(view, TAIL)?;
    let stretch = Stretch { low: stretch.low.min(0), ..stretch };
    let measure = &view.scenario.measures[view.request.measure];
    let panels = lines(view, &stretch.marks(POINTS), |cell, turn| still_there(view, cell, turn));
    let label = if measure.is_record() { measure.label.clone() } else { "turns".to_owned() };
    let title = widest_gap(view, &panels, |turn| format!("still there after {turn} {label}"));
    let left = if stretch.cut { ". Left out: later turns, in which less than 1 % go" } else { "" };
    let kept = if unended(view) { ". Trials that did not end count as still there" } else { "" };
    Some(Curve {
        caption: view.headed(title, &format!("{left}{kept}")),
        variants: view.variants(),
        x_label: label,
        y_label: "still there, share of all trials".to_owned(),
        panels,
    })
}

/// The share of all trials in which the number is higher, or is none.
fn still_there(view: &View, cell: &Cell, turn: i64) -> Share {
    let measure = view.request.measure;
    if let Ok(answer) = &cell.answer {
        let gone = answer.measures[measure].weights.iter().filter(|(number, _)| **number <= turn);
        let gone: Probability = gone.map(|(_, weight)| weight).sum();
        return Share::exactly(Probability::ONE.minus(&gone).value());
    }
    let gone = cell.sample.measures[measure].counts.iter().filter(|(number, _)| **number <= turn);
    let count = cell.sample.trials - gone.map(|(_, count)| count).sum::<u64>().min(cell.sample.trials);
    sampled(share(count, cell.sample.trials, normal_quantile(view.analysis.level)))
}

/// Whether some trials did not end, or have no such number.
fn unended(view: &View) -> bool {
    let has_all = |cell: &Cell| match &cell.answer {
        Ok(answer) => {
            let weights = &answer.measures[view.request.measure].weights;
            weights.values().map(|weight| weight.value()).sum::<f64>() > 1.0 - 1e-9
        }
        Err(_) => cell.sample.measures[view.request.measure].ended() == cell.sample.trials,
    };
    !view.analysis.cells.iter().all(|cells| view.rows.iter().all(|row| has_all(&cells[*row])))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyse::{Analysis, LEVEL, analyse};
    use crate::plan::{ContentId, Counts, Sample};
    use crate::report::tests::{numbers, recorded};
    use crate::scenario::{ChartKind, ChartRequest, Scenario};
    use std::collections::BTreeMap;

    fn request(measure: usize) -> ChartRequest {
        ChartRequest { kind: ChartKind::Survival, measure, situations: vec![0], ..ChartRequest::default() }
    }

    /// One situation in which units break in these turns, each with so many trials; the rest of 100 do not end.
    fn broken(turns: [&[(i64, u64)]; 2]) -> (Scenario, Analysis) {
        let mut scenario = numbers();
        scenario.situations.truncate(1);
        scenario.claims.clear();
        let sample = |(plan, turns): (u8, &[(i64, u64)])| {
            let counts = Counts { trials: 100, counts: turns.iter().copied().collect() };
            let id = ContentId([plan; 32]);
            let unresolved = 100 - turns.iter().map(|(_, count)| count).sum::<u64>();
            vec![Sample { id, trials: 100, unresolved, measures: vec![counts], joint: BTreeMap::new() }]
        };
        let samples: Vec<_> = (1..).zip(turns).map(sample).collect();
        let analysis = analyse(&samples, 0, &[None], LEVEL);
        (scenario, analysis)
    }

    fn drawn(scenario: &Scenario, analysis: &Analysis, measure: usize) -> Curve {
        let request = request(measure);
        curve(&View::new(scenario, analysis, &request).unwrap()).unwrap()
    }

    #[test]
    fn lines_fall_by_those_that_are_gone() {
        let (scenario, analysis) = broken([&[(1, 50), (2, 30), (3, 20)], &[(2, 40), (4, 60)]]);
        let curve = drawn(&scenario, &analysis, 0);
        let line = |at: usize| -> Vec<(i32, f64)> {
            curve.panels[0].points[at].iter().map(|point| (point.x, point.share.value)).collect()
        };
        assert_eq!(line(0), [(0, 1.0), (1, 0.5), (2, 0.2), (3, 0.0), (4, 0.0)]);
        assert_eq!(line(1), [(0, 1.0), (1, 1.0), (2, 0.6), (3, 0.6), (4, 0.0)]);
        assert_eq!(
            curve.caption.title,
            "Still there after 3 turns: 60.0 % under modified, 0.0 % under original"
        );
        let at_two = curve.panels[0].points[0][2].share;
        let (low, high) = crate::analyse::wilson(20, 100, normal_quantile(LEVEL));
        assert_eq!((at_two.low, at_two.high), (low, high));
        assert!(!curve.caption.note.contains("did not end"), "{}", curve.caption.note);
    }

    #[test]
    fn trials_that_did_not_end_are_still_there_and_the_note_says_so() {
        let (scenario, analysis) = broken([&[(1, 50)], &[(1, 90), (2, 10)]]);
        let curve = drawn(&scenario, &analysis, 0);
        let last: Vec<f64> = curve.panels[0].points.iter().map(|points| points[2].share.value).collect();
        assert_eq!(last, [0.5, 0.0]);
        assert!(curve.caption.note.contains("Trials that did not end count as still there"));
    }

    #[test]
    fn trials_that_record_no_turn_are_still_there() {
        let (scenario, mut analysis) = recorded();
        // of 40 trials 12 say when: 9 in turn 1, 3 in turn 2
        for cell in analysis.cells.iter_mut().flatten() {
            cell.sample.measures[1] = Counts { trials: 12, counts: [(1, 9), (2, 3)].into_iter().collect() };
        }
        let curve = drawn(&scenario, &analysis, 1);
        let line: Vec<f64> = curve.panels[0].points[0].iter().map(|point| point.share.value * 40.0).collect();
        assert_eq!(line, [40.0, 31.0, 28.0]);
        assert_eq!(curve.x_label, "men lost");
    }
}
