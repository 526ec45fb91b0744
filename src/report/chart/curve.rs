//! Probabilities against a number: how lines, their bands and their panels are placed.
//!
//! In: [`Curve`]. Out: the picture below the caption.
//!
//! **Never:** where the probabilities come from.

use super::canvas::{Canvas, Spot};
use super::page::{Grid, Legend, Sheet};
use super::words::{HEADING, LABEL, SMALL, joined, told};
use super::{ChartError, Curve, CurvePanel, Point, Share, filled, fits, palette};
use plotters::style::text_anchor::HPos;

/// Whether the figure can be drawn.
pub(super) fn check(figure: &Curve) -> Result<(), ChartError> {
    let points = figure.panels.iter().flat_map(|panel| panel.points.iter().flatten());
    filled(&[
        ("variants", figure.variants.len()),
        ("panels", figure.panels.len()),
        ("points", points.count()),
    ])?;
    for (at, panel) in figure.panels.iter().enumerate() {
        fits(at, "variants", panel.points.len(), figure.variants.len())?;
        for point in panel.points.iter().flatten() {
            point.share.check(at)?;
        }
    }
    Ok(())
}

/// The axes, which all panels share.
struct Scale {
    /// The least and the greatest number.
    numbers: (i32, i32),
    /// From one mark of the vertical axis to the next.
    step: f64,
    /// How many such steps there are.
    steps: i32,
    /// A panel's width and height in pixels.
    size: (i32, i32),
}

/// What is left free at both ends of the horizontal axis, in pixels.
const INSET: i32 = 22;

impl Scale {
    /// Axes that hold every point and interval, of panels of this size.
    fn new(figure: &Curve, size: (i32, i32)) -> Self {
        let points = || figure.panels.iter().flat_map(|panel| panel.points.iter().flatten());
        let least = points().map(|point| point.x).min().unwrap_or(0);
        let greatest = points().map(|point| point.x).max().unwrap_or(0);
        let (step, steps) = rise(points().map(|point| point.share));
        Self { numbers: (least, greatest), step, steps, size }
    }

    /// Where a number stands, from the left side of a panel.
    fn x(&self, number: i32) -> i32 {
        let span = i64::from(self.numbers.1) - i64::from(self.numbers.0);
        let room = i64::from(self.size.0 - 2 * INSET);
        let from = i64::from(number) - i64::from(self.numbers.0);
        INSET + if span == 0 { room / 2 } else { from * room / span } as i32
    }

    /// Where a probability stands, from the top of a panel.
    fn y(&self, probability: f64) -> i32 {
        let share = probability / (self.step * f64::from(self.steps));
        (f64::from(self.size.1) * (1.0 - share)).round() as i32
    }

    /// The numbers that are written under the horizontal axis: all, or as many as leave room between them.
    fn marks(&self) -> Vec<i32> {
        let (least, greatest) = (i64::from(self.numbers.0), i64::from(self.numbers.1));
        let widest = SMALL.width(&least.to_string()).max(SMALL.width(&greatest.to_string())) + 16;
        let most = i64::from(((self.size.0 - 2 * INSET) / widest).max(1));
        let steps = (0..10).flat_map(|zeros| [1, 2, 5].map(|digit| digit * 10_i64.pow(zeros)));
        let step = steps.clone().find(|step| (greatest - least) / step <= most).unwrap_or(5_000_000_000);
        let first = least + (-least).rem_euclid(step);
        let mut marks = Vec::new();
        let mut mark = first;
        while mark <= greatest {
            marks.extend(i32::try_from(mark));
            mark += step;
        }
        marks
    }
}

/// Draws everything below the caption from `top` on; gives its bottom.
pub(super) fn lay_out(canvas: &mut Canvas, figure: &Curve, top: i32) -> i32 {
    let beside = room_beside(figure, canvas);
    let y = if beside > 0 { top } else { draw_legend(canvas, figure, top) + 12 };
    let what = SMALL.wrap(&figure.y_label, canvas.sheet.room(), 2);
    let mut y = canvas.lines(&what, (canvas.sheet.margin, y), HPos::Left, SMALL) + 8;
    let sheet = Sheet { width: canvas.sheet.width - beside, ..canvas.sheet };
    let grid = Grid::new(sheet, figure.panels.len(), canvas.sheet.margin + 62, 40, 270);
    let scale = Scale::new(figure, (grid.width, height(canvas.sheet, figure, &grid, y)));
    for (row, panels) in figure.panels.chunks(grid.columns).enumerate() {
        let titles: Vec<_> = panels.iter().map(|panel| HEADING.wrap(&panel.title, grid.width, 3)).collect();
        let lines = titles.iter().map(Vec::len).max().unwrap_or(0) as i32;
        let top = y + lines * HEADING.line() + 10;
        for (column, (panel, title)) in panels.iter().zip(&titles).enumerate() {
            let x = grid.x(column);
            canvas.lines(title, (x, top - 10 - title.len() as i32 * HEADING.line()), HPos::Left, HEADING);
            y = y.max(draw_axes(canvas, figure, &scale, (x, top), column == 0));
            draw_panel(canvas, &scale, panel, (x, top));
            tell_panel(canvas, figure, &scale, panel, (x, top));
            if beside > 0 && (row, column + 1) == (0, panels.len()) {
                draw_names(canvas, figure, &scale, panel, (x, top));
            }
        }
        y += 22;
    }
    y - 22
}

/// What stands for which variant; gives the bottom.
fn draw_legend(canvas: &mut Canvas, figure: &Curve, top: i32) -> i32 {
    let labels = figure.variants.iter().map(String::as_str).collect();
    Legend { lead: "", labels, room: 46 }.draw(canvas, top, |canvas, at, (x, y)| {
        draw_line(canvas, &[(x, y), (x + 46, y)], at);
        draw_marker(canvas, (x + 23, y), at, false);
    })
}

/// How high a panel is: so that rows fill a slide, elsewhere about half its width.
fn height(sheet: Sheet, figure: &Curve, grid: &Grid, top: i32) -> i32 {
    let usual = (grid.width / 2).clamp(220, 440);
    let rows = figure.panels.len().div_ceil(grid.columns) as i32;
    // headings, marks, labels and the note need their room as well
    let filling = |height: i32| ((height - top - 60) / rows.max(1) - 110).clamp(usual, 2 * grid.width / 3);
    sheet.height.filter(|_| usual <= 2 * grid.width / 3).map_or(usual, filling)
}

/// The most variants whose names stand beside their lines, and the widest that these may be, in pixels.
const NAMES: (usize, i32) = (4, 150);
/// How wide a line's sign is before its name, in pixels.
const SIGN: i32 = 22;

/// How much room the names take that stand beside the lines of the first row's last panel; 0 where a legend is better.
fn room_beside(figure: &Curve, canvas: &Canvas) -> i32 {
    let widest = LABEL.widest(figure.variants.iter().map(String::as_str));
    let lasting = figure.panels.iter().all(|panel| panel.points.iter().all(|points| !points.is_empty()));
    let fits = figure.variants.len() <= NAMES.0 && widest <= NAMES.1 && !canvas.sheet.is_narrow();
    if lasting && fits { widest + SIGN } else { 0 }
}

/// The variants' names to the right of a panel, each where its line ends, behind its sign and clear of the others.
fn draw_names(canvas: &mut Canvas, figure: &Curve, scale: &Scale, panel: &CurvePanel, (x, top): Spot) {
    let end = |points: &Vec<Point>| {
        points.iter().max_by_key(|point| point.x).map_or(0.0, |point| point.share.value)
    };
    let mut ends: Vec<(i32, usize)> =
        panel.points.iter().enumerate().map(|(at, points)| (scale.y(end(points)), at)).collect();
    ends.sort_unstable();
    let step = LABEL.line() - 2;
    // pushed apart from above, then back up where that leaves the panel
    for at in 1..ends.len() {
        ends[at].0 = ends[at].0.max(ends[at - 1].0 + step);
    }
    let mut floor = scale.size.1;
    for end in ends.iter_mut().rev() {
        end.0 = end.0.min(floor);
        floor = end.0 - step;
    }
    for (y, at) in ends {
        let (left, y) = (x + scale.size.0 + SIGN / 2, top + y);
        draw_marker(canvas, (left, y), at, false);
        canvas.text(&figure.variants[at], (left + SIGN / 2, y), HPos::Left, LABEL);
    }
}

/// Both axes with their grid; gives the bottom of what is written below.
fn draw_axes(canvas: &mut Canvas, figure: &Curve, scale: &Scale, (x, top): Spot, first: bool) -> i32 {
    let (width, height) = scale.size;
    for step in 0..=scale.steps {
        let share = scale.step * f64::from(step);
        let y = top + scale.y(share);
        canvas.hairline((x, y), (x + width, y), if step == 0 { palette::RULE } else { palette::GRID });
        if first {
            canvas.text(&percent(share, scale.step), (x - 12, y), HPos::Right, SMALL);
        }
    }
    for mark in scale.marks() {
        let at = x + scale.x(mark);
        canvas.hairline((at, top + height), (at, top + height + 6), palette::RULE);
        canvas.text(&mark.to_string(), (at, top + height + 18), HPos::Center, SMALL);
    }
    let label = SMALL.wrap(&figure.x_label, width, 2);
    canvas.lines(&label, (x + width / 2, top + height + 30), HPos::Center, SMALL)
}

/// From one mark of a vertical axis to the next, and how many there are, so that it holds all of these.
pub(super) fn rise(shares: impl Iterator<Item = Share>) -> (f64, i32) {
    let top = shares.map(|share| share.high.max(share.value)).fold(0.0, f64::max).min(1.0);
    let steps_of = |step: f64| (top / step - 1e-9).ceil().max(1.0) as i32;
    let mut steps = [0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1].into_iter();
    let step = steps.find(|step| steps_of(*step) <= 5).unwrap_or(0.2);
    (step, steps_of(step))
}

/// A share in percent, with as many decimals as its step needs.
pub(super) fn percent(share: f64, step: f64) -> String {
    let decimals = if step < 0.000_99 { 2 } else { usize::from(step < 0.009_9) };
    format!("{:.decimals$}%", share * 100.0)
}

/// Signs on a line stand at least this far apart, in pixels, so that the line is seen.
const MARKER_GAP: i32 = 24;

/// Every variant's band, then every line, so that no band hides a line.
fn draw_panel(canvas: &mut Canvas, scale: &Scale, panel: &CurvePanel, (x, top): Spot) {
    let sorted = |points: &Vec<Point>| {
        let mut points = points.clone();
        points.sort_by_key(|point| point.x);
        points
    };
    let lines: Vec<Vec<Point>> = panel.points.iter().map(sorted).collect();
    let place = |number: i32, share: f64, aside: i32| (x + scale.x(number) + aside, top + scale.y(share));
    for (at, points) in lines.iter().enumerate() {
        // A lone point's band would have no width.
        let half = if points.len() == 1 { 12 } else { 0 };
        let ends = || points.iter().flat_map(|point| [(point, -half), (point, half)]);
        let lows = ends().map(|(point, aside)| place(point.x, point.share.low, aside));
        let highs = ends().rev().map(|(point, aside)| place(point.x, point.share.high, aside));
        canvas.shape(&lows.chain(highs).collect::<Vec<_>>(), palette::line(at), 0.2);
    }
    for (at, points) in lines.iter().enumerate() {
        let places: Vec<Spot> = points.iter().map(|point| place(point.x, point.share.value, 0)).collect();
        draw_line(canvas, &places, at);
        let mut free = i32::MIN;
        for spot in places {
            if spot.0 >= free {
                draw_marker(canvas, spot, at, true);
                free = spot.0 + MARKER_GAP;
            }
        }
    }
}

/// The figures of all points, for whoever points at them.
fn tell_panel(canvas: &mut Canvas, figure: &Curve, scale: &Scale, panel: &CurvePanel, (x, top): Spot) {
    for (variant, points) in figure.variants.iter().zip(&panel.points) {
        for point in points {
            let (across, down) = (x + scale.x(point.x), top + scale.y(point.share.value));
            let row = joined([&panel.title, &format!("{} {}", figure.x_label, point.x), variant]);
            let words = format!("{row}: {}", told(point.share));
            canvas.say((across - HAND, down - HAND), (across + HAND, down + HAND), words);
        }
    }
}

/// How far from a point its figure can be asked for, in pixels.
const HAND: i32 = 9;

/// A variant's line: the first is whole, the others are broken, so that lines on top of one another are all seen.
fn draw_line(canvas: &mut Canvas, places: &[Spot], at: usize) {
    match at {
        0 => canvas.line(places, palette::line(at), 3),
        _ => canvas.dashes(places, palette::line(at), 3, [(12, 5), (3, 4), (18, 4), (7, 7)][(at - 1) % 4]),
    }
}

/// A variant's sign: disc, square, triangle, diamond, triangle on its head; on a line with a white rim. The first is
/// the largest, so that signs on top of one another are all seen.
fn draw_marker(canvas: &mut Canvas, spot: Spot, at: usize, rim: bool) {
    let size = if at == 0 { 8 } else { 6 };
    for (size, colour) in [(size + 2, palette::PAPER), (size, palette::line(at))] {
        if colour == palette::PAPER && !rim {
            continue;
        }
        let corners = |offsets: &[Spot]| -> Vec<Spot> {
            offsets.iter().map(|(x, y)| (spot.0 + x * size / 6, spot.1 + y * size / 6)).collect()
        };
        match at % 5 {
            0 => canvas.disc(spot, size, colour),
            1 => canvas.shape(&corners(&[(-5, -5), (5, -5), (5, 5), (-5, 5)]), colour, 1.0),
            2 => canvas.shape(&corners(&[(-7, 5), (0, -7), (7, 5)]), colour, 1.0),
            3 => canvas.shape(&corners(&[(-7, 0), (0, -7), (7, 0), (0, 7)]), colour, 1.0),
            _ => canvas.shape(&corners(&[(-7, -5), (0, 7), (7, -5)]), colour, 1.0),
        }
    }
}
