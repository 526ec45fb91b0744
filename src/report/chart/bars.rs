//! Effects of changes: how bars left and right of zero, their labels and their whiskers are placed.
//!
//! In: [`Bars`]. Out: the picture below the caption.
//!
//! **Never:** what is changed.

use super::canvas::{Canvas, Spot};
use super::page::{MARGIN, WIDTH};
use super::words::{LABEL, SMALL};
use super::{Bar, Bars, ChartError, palette};
use plotters::style::text_anchor::HPos;

/// The widest that labels may be, in pixels.
const LABELS: i32 = 430;
/// Between labels and bars, and between bars and figures, in pixels.
const GAP: i32 = 24;
/// A bar's height in pixels.
const THICK: i32 = 20;
/// Between two rows, in pixels.
const BETWEEN: i32 = 14;

/// Whether the figure can be drawn.
pub(super) fn check(figure: &Bars) -> Result<(), ChartError> {
    if figure.bars.is_empty() {
        return Err(ChartError::Empty("bars"));
    }
    let values = figure.bars.iter().flat_map(|bar| [bar.value, bar.low, bar.high]);
    match values.into_iter().find(|value| !value.is_finite()) {
        Some(value) => Err(ChartError::NotANumber { value }),
        None => Ok(()),
    }
}

/// The horizontal axis.
struct Scale {
    /// Its ends, in steps.
    ends: (i32, i32),
    /// From one mark to the next.
    step: f64,
    /// Its place on the page, from left to right.
    room: (i32, i32),
}

impl Scale {
    /// An axis that holds zero and every bar with its whiskers.
    fn new(bars: &[Bar], room: (i32, i32)) -> Self {
        let low = bars.iter().map(|bar| bar.low.min(bar.value)).fold(0.0, f64::min);
        let high = bars.iter().map(|bar| bar.high.max(bar.value)).fold(0.0, f64::max);
        let powers = (-6..9).map(|power| libm::pow(10.0, f64::from(power)));
        let mut steps = powers.flat_map(|power| [1.0, 2.0, 5.0].map(|digit| digit * power));
        let step = steps.find(|step| (high - low) / step <= 7.0).unwrap_or(1e9);
        let ends = ((low / step + 1e-9).floor() as i32, (high / step - 1e-9).ceil() as i32);
        Self { ends: (ends.0.min(0), ends.1.max(i32::from(ends.0 >= 0))), step, room }
    }

    /// Where a number stands, from the left of the page.
    fn x(&self, number: f64) -> i32 {
        let (first, last) = (f64::from(self.ends.0), f64::from(self.ends.1));
        let share = (number / self.step - first) / (last - first);
        self.room.0 + (share * f64::from(self.room.1 - self.room.0)).round() as i32
    }
}

/// A number with its sign, and as many decimals as its step needs.
fn mark(number: f64, step: f64) -> String {
    let decimals = (-libm::log10(step) - 1e-9).ceil().max(0.0) as usize;
    if number == 0.0 { "0".to_owned() } else { format!("{number:+.decimals$}").replace('-', "−") }
}

/// What a row says: its label, and below it what is changed.
struct Words {
    label: Vec<String>,
    detail: Vec<String>,
}

impl Words {
    fn new(bar: &Bar) -> Self {
        Self { label: LABEL.wrap(&bar.label, LABELS, 2), detail: SMALL.wrap(&bar.detail, LABELS, 2) }
    }

    fn height(&self) -> i32 {
        let lines = self.label.len() as i32 * LABEL.line() + self.detail.len() as i32 * SMALL.line();
        lines.max(THICK)
    }
}

/// Draws everything below the caption from `top` on; gives its bottom.
pub(super) fn lay_out(canvas: &mut Canvas, figure: &Bars, top: i32) -> i32 {
    let words: Vec<Words> = figure.bars.iter().map(Words::new).collect();
    let widest = words.iter().map(|words| {
        let label = LABEL.widest(words.label.iter().map(String::as_str));
        label.max(SMALL.widest(words.detail.iter().map(String::as_str)))
    });
    let left = MARGIN + widest.max().unwrap_or(0).min(LABELS) + GAP;
    let figures = SMALL.widest(figure.bars.iter().map(|bar| bar.figure.as_str()));
    let scale = Scale::new(&figure.bars, (left, WIDTH - MARGIN - figures - GAP));
    let what = SMALL.wrap(&figure.about, WIDTH - 2 * MARGIN, 3);
    let top = canvas.lines(&what, (MARGIN, top), HPos::Left, SMALL) + 34;
    let height: i32 = words.iter().map(|words| words.height() + BETWEEN).sum::<i32>() + BETWEEN;
    axis(canvas, &scale, (top, top + height));
    let mut y = top + BETWEEN;
    for (bar, words) in figure.bars.iter().zip(&words) {
        let middle = y + words.height() / 2;
        let lines = words.label.len() as i32 * LABEL.line() + words.detail.len() as i32 * SMALL.line();
        let first = middle - lines / 2;
        let below = canvas.lines(&words.label, (left - GAP, first), HPos::Right, LABEL);
        canvas.lines(&words.detail, (left - GAP, below), HPos::Right, SMALL);
        draw(canvas, &scale, bar, middle);
        canvas.text(&bar.figure, (WIDTH - MARGIN, middle), HPos::Right, SMALL);
        y += words.height() + BETWEEN;
    }
    let label = SMALL.wrap(&figure.x_label, scale.room.1 - scale.room.0, 2);
    let centre = (scale.room.0 + scale.room.1) / 2;
    canvas.lines(&label, (centre, top + height + 10), HPos::Center, SMALL)
}

/// The marks above the bars, and the lines from there down.
fn axis(canvas: &mut Canvas, scale: &Scale, (top, bottom): (i32, i32)) {
    for step in scale.ends.0..=scale.ends.1 {
        let number = scale.step * f64::from(step);
        let x = scale.x(number);
        let colour = if step == 0 { palette::SOFT_INK } else { palette::GRID };
        canvas.hairline((x, top), (x, bottom), colour);
        canvas.text(&mark(number, scale.step), (x, top - 14), HPos::Center, SMALL);
    }
}

/// A bar from zero, and over it a whisker from the lowest to the highest.
fn draw(canvas: &mut Canvas, scale: &Scale, bar: &Bar, middle: i32) {
    let (zero, end) = (scale.x(0.0), scale.x(bar.value));
    let colour = palette::line(usize::from(bar.value > 0.0));
    let corner = |x: i32, by: i32| -> Spot { (x, middle + by) };
    if end != zero {
        canvas.fill(corner(zero.min(end), -THICK / 2), corner(zero.max(end), THICK / 2), colour);
    }
    let (low, high) = (scale.x(bar.low), scale.x(bar.high));
    if low < high {
        canvas.fill(corner(low, -1), corner(high + 1, 1), palette::INK);
        for x in [low, high] {
            canvas.fill(corner(x - 1, -6), corner(x + 1, 6), palette::INK);
        }
    }
}
