//! Effects of changes: how bars left and right of zero, their labels and their whiskers are placed.
//!
//! In: [`Bars`]. Out: the picture below the caption.
//!
//! **Never:** what is changed.

use super::canvas::{Canvas, Spot};
use super::page::Sheet;
use super::words::{HEADING, LABEL, SMALL, joined};
use super::{Bar, Bars, ChartError, filled, finite, palette};
use plotters::style::text_anchor::HPos;

/// The widest that labels may be, in pixels.
const LABELS: i32 = 430;
/// Between labels and bars, and between bars and figures, in pixels.
const GAP: i32 = 24;
/// A bar's height in pixels.
const THICK: i32 = 20;
/// Between two rows, in pixels: as it is usual, and on a slide, where height is short.
const BETWEEN: (i32, i32) = (14, 6);

/// Whether the figure can be drawn.
pub(super) fn check(figure: &Bars) -> Result<(), ChartError> {
    filled(&[("bars", figure.bars.len())])?;
    finite(figure.bars.iter().flat_map(|bar| [bar.value, bar.low, bar.high]))
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
    /// An axis that holds zero and every bar with its whiskers, with as many marks as stand clear of one another.
    fn new(bars: &[Bar], room: (i32, i32)) -> Self {
        let low = bars.iter().map(|bar| bar.low.min(bar.value)).fold(0.0, f64::min);
        let high = bars.iter().map(|bar| bar.high.max(bar.value)).fold(0.0, f64::max);
        let powers = (-6..9).map(|power| libm::pow(10.0, f64::from(power)));
        let steps = powers.flat_map(|power| [1.0, 2.0, 5.0].map(|digit| digit * power));
        let scale = |step: f64| {
            let ends = ((low / step + 1e-9).floor() as i32, (high / step - 1e-9).ceil() as i32);
            Self { ends: (ends.0.min(0), ends.1.max(i32::from(ends.0 >= 0))), step, room }
        };
        if low == high {
            return scale(1.0); // nothing moves
        }
        let mut clear = steps.filter(|step| (high - low) / step <= 7.0).map(scale);
        clear.find(Self::is_clear).unwrap_or_else(|| scale(1e9))
    }

    /// Whether no two marks touch.
    fn is_clear(&self) -> bool {
        let marks = [self.ends.0, self.ends.1].map(|end| mark(self.step * f64::from(end), self.step));
        let widest = SMALL.widest(marks.iter().map(String::as_str)) + 14;
        widest * (self.ends.1 - self.ends.0) <= self.room.1 - self.room.0
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

/// What a row says: what it begins, its label, and below it what is changed.
struct Words {
    heading: Vec<String>,
    label: Vec<String>,
    detail: Vec<String>,
}

impl Words {
    fn new(bar: &Bar, room: i32, sheet: Sheet) -> Self {
        let heading = HEADING.wrap(&bar.heading, sheet.room(), 3);
        let parts = [bar.label.as_str(), bar.detail.as_str()];
        if sheet.height.is_some() && parts.iter().all(|part| !part.is_empty()) {
            return Self { heading, label: LABEL.wrap(&parts.join(", "), room, 3), detail: Vec::new() };
        }
        Self { heading, label: LABEL.wrap(&bar.label, room, 3), detail: SMALL.wrap(&bar.detail, room, 3) }
    }

    /// The height of the heading, with what is free above and below it.
    fn head(&self) -> i32 {
        if self.heading.is_empty() { 0 } else { self.heading.len() as i32 * HEADING.line() + 14 }
    }

    fn height(&self) -> i32 {
        self.label.len() as i32 * LABEL.line() + self.detail.len() as i32 * SMALL.line()
    }

    fn width(&self) -> i32 {
        let label = LABEL.widest(self.label.iter().map(String::as_str));
        label.max(SMALL.widest(self.detail.iter().map(String::as_str)))
    }

    /// Draws both with their top at a spot.
    fn draw(&self, canvas: &mut Canvas, (x, top): Spot, side: HPos) {
        let below = canvas.lines(&self.label, (x, top), side, LABEL);
        canvas.lines(&self.detail, (x, below), side, SMALL);
    }
}

/// The rows, and where their words stand: left of the bars, or above each bar where the page is narrow.
struct Rows {
    words: Vec<Words>,
    above: bool,
    /// What is free between two rows, in pixels.
    between: i32,
    /// Where the bars may begin.
    left: i32,
}

impl Rows {
    fn new(bars: &[Bar], sheet: Sheet) -> Self {
        let above = sheet.is_narrow();
        let room = if above { sheet.room() } else { (sheet.room() * 2 / 5).min(LABELS) };
        let words: Vec<Words> = bars.iter().map(|bar| Words::new(bar, room, sheet)).collect();
        let widest = words.iter().map(Words::width).max().unwrap_or(0);
        let left = sheet.margin + if above { 0 } else { widest + GAP };
        let between = if sheet.height.is_some() { BETWEEN.1 } else { BETWEEN.0 };
        Self { words, above, between, left }
    }

    /// A row's height with what is free below it.
    fn height(&self, words: &Words) -> i32 {
        let rest = if self.above { THICK } else { words.height().max(THICK) };
        self.between + self.strip(words) + rest
    }

    /// How much of a row's top is kept for words alone.
    fn strip(&self, words: &Words) -> i32 {
        words.head() + if self.above { words.height() + 4 } else { 0 }
    }

    /// Draws a row's words, the row's top being at a height; gives the middle of its bar.
    fn draw(&self, canvas: &mut Canvas, words: &Words, top: i32) -> i32 {
        canvas.lines(&words.heading, (canvas.sheet.margin, top + 6), HPos::Left, HEADING);
        let top = top + words.head();
        if self.above {
            words.draw(canvas, (canvas.sheet.margin, top), HPos::Left);
            return top + words.height() + 4 + THICK / 2;
        }
        let middle = top + words.height().max(THICK) / 2;
        words.draw(canvas, (self.left - GAP, middle - words.height() / 2), HPos::Right);
        middle
    }
}

/// Draws everything below the caption from `top` on; gives its bottom.
pub(super) fn lay_out(canvas: &mut Canvas, figure: &Bars, top: i32) -> i32 {
    let (sheet, rows) = (canvas.sheet, Rows::new(&figure.bars, canvas.sheet));
    let figures = SMALL.widest(figure.bars.iter().map(|bar| bar.figure.as_str()));
    let mut scale = Scale::new(&figure.bars, (rows.left, sheet.right() - figures - GAP));
    if rows.above {
        let half = SMALL.width(&mark(scale.step * f64::from(scale.ends.0), scale.step)) / 2;
        scale = Scale::new(&figure.bars, (scale.room.0 + half - sheet.margin / 2, scale.room.1));
    }
    let what = SMALL.wrap(&figure.about, sheet.room(), 5);
    let top = canvas.lines(&what, (sheet.margin, top), HPos::Left, SMALL) + 34;
    let height: i32 = rows.words.iter().map(|words| rows.height(words)).sum::<i32>() + rows.between;
    axis(canvas, &scale, &rows, (top, top + height));
    let mut y = top + rows.between;
    for (bar, words) in figure.bars.iter().zip(&rows.words) {
        let middle = rows.draw(canvas, words, y);
        draw(canvas, &scale, bar, middle);
        canvas.text(&bar.figure, (sheet.right(), middle), HPos::Right, SMALL);
        let next = y + rows.height(words);
        canvas.say((sheet.margin, y), (sheet.right(), next - rows.between), told(bar, &figure.x_label));
        y = next;
    }
    let label = SMALL.wrap(&figure.x_label, scale.room.1 - scale.room.0, 2);
    let centre = (scale.room.0 + scale.room.1) / 2;
    canvas.lines(&label, (centre, top + height + 10), HPos::Center, SMALL)
}

/// A bar in words.
fn told(bar: &Bar, unit: &str) -> String {
    let ends = match bar.low < bar.high {
        true => format!(" ({} to {})", mark(bar.low, 0.01), mark(bar.high, 0.01)),
        false => String::new(),
    };
    format!("{}: {}{ends}, {unit}", joined([&bar.label, &bar.detail]), bar.figure)
}

/// The marks above the bars, and the lines from there down.
fn axis(canvas: &mut Canvas, scale: &Scale, rows: &Rows, (top, bottom): (i32, i32)) {
    for step in scale.ends.0..=scale.ends.1 {
        let number = scale.step * f64::from(step);
        let x = scale.x(number);
        let colour = if step == 0 { palette::SOFT_INK } else { palette::GRID };
        // words above bars are not to be struck through
        let mut from = top;
        let mut y = top + rows.between;
        for words in &rows.words {
            let strip = rows.strip(words);
            if strip > 0 {
                canvas.hairline((x, from), (x, y - 6), colour);
                from = y + strip;
            }
            y += rows.height(words);
        }
        canvas.hairline((x, from), (x, bottom), colour);
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
