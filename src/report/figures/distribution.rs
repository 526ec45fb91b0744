//! How probable each number of a measure is, or it and all above or below.
//!
//! **Never:** how columns and lines look.

use super::super::chart::{Caption, Columns, ColumnsPanel, Curve, CurvePanel, Figure, Mean, Point, Share};
use super::super::words::{list, lower_first, percent, upper_first};
use super::View;
use super::numbers::{Stretch, label};
use crate::analyse::{Cell, Means, exact_mean, mean};
use crate::scenario::Reading;

/// The most columns of one variant, and the most points of a line.
const COLUMNS: i64 = 24;
const POINTS: i64 = 120;
/// What is left out on either side is less than this, a fraction in 0..=1.
const TAIL: f64 = 0.001;

/// Columns, or lines where a number stands for all above or below.
pub(super) fn figure(view: &View) -> Option<Figure> {
    let stretch = Stretch::of(view, TAIL)?;
    Some(match view.request.reading {
        Reading::Exactly => Figure::Columns(columns(view, stretch)),
        Reading::AtLeast | Reading::AtMost => Figure::Curve(curve(view, stretch)),
    })
}

/// The variants' positions.
fn variants(view: &View) -> std::ops::Range<usize> {
    0..view.scenario.variants.len()
}

fn columns(view: &View, stretch: Stretch) -> Columns {
    let (measure, step) = (view.request.measure, stretch.step(COLUMNS));
    let first = stretch.low.div_euclid(step);
    let bins: Vec<(i64, i64)> =
        (first..=stretch.high.div_euclid(step)).map(|bin| (bin * step, bin * step + step - 1)).collect();
    let shares = |variant: usize, row: usize| -> Vec<_> {
        let inside = |(low, high): &(i64, i64)| {
            view.share(view.cell(variant, row), measure, |key| (*low..=*high).contains(&key))
        };
        let shares: Vec<_> = bins.iter().map(inside).collect();
        let known = view.has(variant) && shares.iter().all(|share| share.value.is_finite());
        if known { shares } else { Vec::new() }
    };
    let mean = |variant: usize, row: usize| {
        let mean = mean_of(view, variant, row).filter(|_| view.has(variant))?;
        let place = (mean - (first * step) as f64 + 0.5) / step as f64;
        Some(Mean { place, words: format!("{mean:.2}") })
    };
    let panel = |(title, row): (String, usize)| ColumnsPanel {
        title,
        shares: variants(view).map(|variant| shares(variant, row)).collect(),
        means: variants(view).map(|variant| mean(variant, row)).collect(),
    };
    let together = if step > 1 { format!(" (numbers by {step})") } else { String::new() };
    Columns {
        caption: caption(view, stretch, finding_of_means(view)),
        variants: view.variants(),
        numbers: bins.iter().map(|bin| named(*bin)).collect(),
        x_label: label(view) + &together,
        y_label: format!("share of {}", whole(view)),
        panels: rows(view).map(panel).collect(),
    }
}

/// A number, or from where to where some go.
fn named((low, high): (i64, i64)) -> String {
    let number = |number: i64| number.to_string().replace('-', "−");
    match low {
        _ if low == high => number(low),
        0.. => format!("{low}–{high}"),
        _ => format!("{} to {}", number(low), number(high)),
    }
}

/// Of what shares are: of a record that some trials lack, those that have it.
fn whole(view: &View) -> &'static str {
    let measure = view.request.measure;
    let partial = |(variant, row): (usize, usize)| {
        let sample = &view.cell(variant, row).sample;
        view.has(variant) && sample.measures[measure].trials < sample.trials
    };
    let mut cells = variants(view).flat_map(|variant| view.rows.iter().map(move |row| (variant, *row)));
    if cells.any(partial) { "the trials that record it" } else { "all trials" }
}

/// Each panel's heading and its situation.
fn rows<'a>(view: &'a View) -> impl Iterator<Item = (String, usize)> + 'a {
    view.panels().filter_map(|(title, cells)| Some((title, cells.iter().flatten().copied().next()?)))
}

fn mean_of(view: &View, variant: usize, row: usize) -> Option<f64> {
    let (cell, measure) = (view.cell(variant, row), view.request.measure);
    match &cell.answer {
        Ok(answer) => exact_mean(&answer.measures[measure]).map(|mean| mean.value()),
        Err(_) => mean(&cell.sample.measures[measure]),
    }
}

fn caption(view: &View, stretch: Stretch, finding: String) -> Caption {
    let left = if stretch.cut { ". Left out at the ends: less than 0.1 % on either side" } else { "" };
    view.headed(finding, left)
}

/// The largest difference of means that is sure; without drafts from where to where means go.
fn finding_of_means(view: &View) -> String {
    let (label, names) = (label(view), view.variants());
    let places: Vec<(String, usize)> = rows(view).collect();
    let several = places.len() > 1;
    let here = |means: &&Means| {
        means.measure == view.request.measure && places.iter().any(|(_, row)| *row == means.situation)
    };
    let sure = |means: &&Means| match &means.exact {
        Some(exact) => !exact.is_zero(),
        None => means.apart.low > 0.0 || means.apart.high < 0.0,
    };
    let size = |means: &Means| means.apart.means[2].abs();
    let of_drafts = view.analysis.means.iter().filter(here);
    if let Some(largest) = of_drafts.clone().filter(sure).max_by(|a, b| size(a).total_cmp(&size(b))) {
        let place = places.iter().find(|(_, row)| *row == largest.situation && several);
        let place = place.map_or_else(String::new, |(title, _)| format!(" ({})", lower_first(title)));
        let mean = |variant: usize| mean_of(view, variant, largest.situation).unwrap_or(f64::NAN);
        let (draft, baseline) = (largest.variant, view.analysis.baseline);
        return format!(
            "Mean {label}: {:.2} under {}, {:.2} under {}{place}",
            mean(draft),
            names[draft],
            mean(baseline),
            names[baseline]
        );
    }
    if of_drafts.clone().next().is_some() {
        let about = if of_drafts.clone().all(|means| means.exact.is_some()) { "" } else { "about " };
        return format!("Mean {label}: {about}the same under {}", list(&names));
    }
    let mut means: Vec<f64> =
        places.iter().filter_map(|(_, row)| mean_of(view, view.analysis.baseline, *row)).collect();
    means.sort_by(f64::total_cmp);
    match (means.first(), means.last()) {
        (Some(low), Some(high)) if low < high => format!("Mean {label}: {low:.2} to {high:.2}"),
        (Some(mean), _) => format!("Mean {label}: {mean:.2}"),
        _ => label,
    }
}

/// A line for each variant in each panel's situation, with a point for each number that has a share.
pub(super) fn lines(view: &View, numbers: &[i64], share: impl Fn(&Cell, i64) -> Share) -> Vec<CurvePanel> {
    let line = |variant: usize, row: usize| -> Vec<Point> {
        let point = |number: &i64| {
            let share = share(view.cell(variant, row), *number);
            Some(Point { x: i32::try_from(*number).ok()?, share }).filter(|_| share.value.is_finite())
        };
        if view.has(variant) { numbers.iter().filter_map(point).collect() } else { Vec::new() }
    };
    let panel = |(title, row): (String, usize)| CurvePanel {
        title,
        points: variants(view).map(|variant| line(variant, row)).collect(),
    };
    rows(view).map(panel).collect()
}

fn curve(view: &View, stretch: Stretch) -> Curve {
    let measure = view.request.measure;
    let least = view.request.reading == Reading::AtLeast;
    let way = if least { "at least" } else { "at most" };
    let panels = lines(view, &stretch.marks(POINTS), |cell, number| {
        view.share(cell, measure, |key| if least { key >= number } else { key <= number })
    });
    let label = label(view);
    let title = widest_gap(view, &panels, |x| format!("{label}, {way} {x}"));
    Curve {
        caption: caption(view, stretch, title),
        variants: view.variants(),
        x_label: label.clone(),
        y_label: format!("share of {} with {way} so many", whole(view)),
        panels,
    }
}

/// Where a draft's line is furthest from the baseline's for certain; `at` says which number that is. Without drafts the
/// place where the first line passes a half.
pub(super) fn widest_gap(view: &View, panels: &[CurvePanel], at: impl Fn(i32) -> String) -> String {
    let (names, baseline) = (view.variants(), view.analysis.baseline);
    let mut widest: Option<(f64, &CurvePanel, usize, [Point; 2])> = None;
    for panel in panels {
        for (draft, points) in panel.points.iter().enumerate().filter(|(draft, _)| *draft != baseline) {
            for (ours, theirs) in points.iter().zip(&panel.points[baseline]) {
                let gap = (ours.share.value - theirs.share.value).abs();
                let sure = ours.share.low > theirs.share.high || ours.share.high < theirs.share.low;
                if sure && widest.as_ref().is_none_or(|widest| gap > widest.0 + 1e-12) {
                    widest = Some((gap, panel, draft, [*ours, *theirs]));
                }
            }
        }
    }
    if let Some((_, panel, draft, [ours, theirs])) = widest {
        let place = match panels.len() > 1 {
            true => format!(" ({})", lower_first(&panel.title)),
            false => String::new(),
        };
        return format!(
            "{}: {} % under {}, {} % under {}{place}",
            upper_first(&at(ours.x)),
            percent(ours.share.value),
            names[draft],
            percent(theirs.share.value),
            names[baseline]
        );
    }
    let line = panels.first().and_then(|panel| panel.points.first()).map_or(&[][..], Vec::as_slice);
    let half = line
        .iter()
        .min_by(|one, other| (one.share.value - 0.5).abs().total_cmp(&(other.share.value - 0.5).abs()));
    let half =
        half.map_or_else(String::new, |point| format!("{}: {} %", at(point.x), percent(point.share.value)));
    let lines = || {
        panels.iter().flat_map(|panel| panel.points.iter().map(move |line| (line, &panel.points[baseline])))
    };
    let exact = |line: &Vec<Point>| line.iter().all(|point| point.share.low == point.share.high);
    let about = if lines().all(|(line, other)| exact(line) && exact(other)) { "" } else { "about " };
    match names.len() {
        1 => upper_first(&half),
        _ => format!("{}, {about}the same under {}", upper_first(&half), list(&names)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::tests::{analysis, numbers, recorded};
    use crate::scenario::{ChartKind, ChartRequest, Scenario};

    fn request(scenario: &Scenario, measure: usize, reading: Reading) -> ChartRequest {
        ChartRequest {
            kind: ChartKind::Distribution,
            measure,
            reading,
            situations: (0..scenario.situations.len().min(1)).collect(),
            ..ChartRequest::default()
        }
    }

    /// A figure of the first situation of the example: two dice, one more in the draft.
    fn of_two_dice(reading: Reading) -> Figure {
        let scenario = numbers();
        let mut analysis = analysis(&scenario);
        analysis.relate(&[Some(crate::analyse::Sense::HighestFirst)]);
        let request = request(&scenario, 0, reading);
        figure(&View::new(&scenario, &analysis, &request).unwrap()).unwrap()
    }

    #[test]
    fn columns_are_the_shares_of_two_dice() {
        let Figure::Columns(columns) = of_two_dice(Reading::Exactly) else { panic!("columns") };
        assert_eq!(columns.numbers, (2..=13).map(|number| number.to_string()).collect::<Vec<_>>());
        let ways = |variant: usize| -> Vec<f64> {
            columns.panels[0].shares[variant].iter().map(|share| (share.value * 36.0).round()).collect()
        };
        assert_eq!(ways(0), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0, 0.0]);
        assert_eq!(ways(1), [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0]);
        // 7 is the sixth number, 8 the seventh
        let means = columns.panels[0].means.iter().flatten();
        assert_eq!(
            means.map(|mean| (mean.place, mean.words.as_str())).collect::<Vec<_>>(),
            [(5.5, "7.00"), (6.5, "8.00")]
        );
        assert_eq!(
            columns.caption.title,
            "Mean result of break test: 8.00 under modified, 7.00 under original"
        );
        assert_eq!(
            (columns.x_label.as_str(), columns.y_label.as_str()),
            ("result of break test", "share of all trials")
        );
    }

    #[test]
    fn at_least_and_at_most_add_up() {
        let ways = |reading: Reading| -> (Vec<f64>, String) {
            let Figure::Curve(curve) = of_two_dice(reading) else { panic!("a curve") };
            let points = curve.panels[0].points[0].iter();
            (points.map(|point| (point.share.value * 36.0).round()).collect(), curve.caption.title)
        };
        let (least, title) = ways(Reading::AtLeast);
        assert_eq!(least, [36.0, 35.0, 33.0, 30.0, 26.0, 21.0, 15.0, 10.0, 6.0, 3.0, 1.0, 0.0]);
        // 8 or more: 15 of 36, and with one more 21
        assert_eq!(title, "Result of break test, at least 8: 58.3 % under modified, 41.7 % under original");
        let (most, _) = ways(Reading::AtMost);
        assert_eq!(most, [1.0, 3.0, 6.0, 10.0, 15.0, 21.0, 26.0, 30.0, 33.0, 35.0, 36.0, 36.0]);
    }

    #[test]
    fn a_record_is_counted_among_the_trials_that_have_it() {
        let (scenario, analysis) = recorded();
        let request = request(&scenario, 1, Reading::Exactly);
        let view = View::new(&scenario, &analysis, &request).unwrap();
        let Some(Figure::Columns(columns)) = figure(&view) else { panic!("columns") };
        // 30 of 40 lose nothing, 10 two
        let shares: Vec<f64> = columns.panels[0].shares[0].iter().map(|share| share.value).collect();
        assert_eq!((columns.numbers.join(" "), shares), ("0 1 2".to_owned(), vec![0.75, 0.0, 0.25]));
        assert_eq!((columns.x_label.as_str(), columns.y_label.as_str()), ("men lost", "share of all trials"));
    }

    #[test]
    fn stretches_of_numbers_are_named_by_their_ends() {
        assert_eq!([(3, 3), (-3, -3), (0, 4), (-5, -1)].map(named), ["3", "−3", "0–4", "−5 to −1"]);
    }
}
