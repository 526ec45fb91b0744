//! Shares of numbers: how columns, their whiskers and their panels are placed.
//!
//! In: [`Columns`]. Out: the picture below the caption.
//!
//! **Never:** where the shares come from.

use super::canvas::{Canvas, Spot};
use super::curve::{percent, rise};
use super::page::{Grid, Legend};
use super::words::{HEADING, SMALL, joined, told};
use super::{ChartError, Columns, ColumnsPanel, Share, filled, finite, fits, palette};
use plotters::style::text_anchor::HPos;

/// Whether the figure can be drawn.
pub(super) fn check(figure: &Columns) -> Result<(), ChartError> {
    filled(&[
        ("variants", figure.variants.len()),
        ("numbers", figure.numbers.len()),
        ("panels", figure.panels.len()),
    ])?;
    for (at, panel) in figure.panels.iter().enumerate() {
        fits(at, "variants", panel.shares.len(), figure.variants.len())?;
        fits(at, "means", panel.means.len(), figure.variants.len())?;
        for shares in panel.shares.iter().filter(|shares| !shares.is_empty()) {
            fits(at, "numbers", shares.len(), figure.numbers.len())?;
            shares.iter().try_for_each(|share| share.check(at))?;
        }
        finite(panel.means.iter().flatten().map(|mean| mean.place))?;
    }
    Ok(())
}

/// Where things stand; all in pixels.
struct Layout<'a> {
    figure: &'a Columns,
    grid: Grid,
    height: i32,
    /// From one mark of the vertical axis to the next, and how many there are.
    rise: (f64, i32),
    /// How many rows of means stand below the axis, one for each variant.
    means: i32,
}

impl Layout<'_> {
    /// Where a place along the numbers is, in columns' groups from the left side of a panel.
    fn x(&self, place: f64) -> i32 {
        (f64::from(self.grid.width) * place / self.figure.numbers.len() as f64).round() as i32
    }

    /// Where a share stands, from the top of a panel.
    fn y(&self, share: f64) -> i32 {
        let top = self.rise.0 * f64::from(self.rise.1);
        (f64::from(self.height) * (1.0 - (share / top).min(1.0))).round() as i32
    }

    /// From where to where a variant's column reaches over a number.
    fn column(&self, number: usize, variant: usize) -> (i32, i32) {
        let variants = self.figure.variants.len() as f64;
        let place = |at: usize| self.x(number as f64 + 0.1 + 0.8 * at as f64 / variants);
        (place(variant), place(variant + 1))
    }
}

/// Draws everything below the caption from `top` on; gives its bottom.
pub(super) fn lay_out(canvas: &mut Canvas, figure: &Columns, top: i32) -> i32 {
    let sheet = canvas.sheet;
    let mut y = draw_legend(canvas, figure, top) + 10;
    let what = SMALL.wrap(&figure.y_label, sheet.room(), 2);
    y = canvas.lines(&what, (sheet.margin, y), HPos::Left, SMALL) + 8;
    let grid = Grid::new(sheet, figure.panels.len(), sheet.margin + 56, 32, 300);
    let rows = figure.panels.len().div_ceil(grid.columns) as i32;
    let usual = (grid.width / 2).clamp(200, 400);
    // what stands around the panels of a slide needs its room as well
    let filling = |height: i32| ((height - y - 60) / rows - 120).clamp(usual, 640);
    let height = sheet.height.map_or(usual, filling);
    let has_means = figure.panels.iter().any(|panel| panel.means.iter().any(Option::is_some));
    let means = if has_means { figure.variants.len().min(MEANS) as i32 } else { 0 };
    let shares = figure.panels.iter().flat_map(|panel| panel.shares.iter().flatten().copied());
    let layout = Layout { figure, grid, height, rise: rise(shares), means };
    for panels in figure.panels.chunks(layout.grid.columns) {
        y = draw_row(canvas, &layout, panels, y) + 20;
    }
    y - 20
}

/// What the colours stand for, and the signs below the axis; gives the bottom.
fn draw_legend(canvas: &mut Canvas, figure: &Columns, top: i32) -> i32 {
    let means = figure.panels.iter().any(|panel| panel.means.iter().any(Option::is_some));
    let count = figure.variants.len();
    let mut labels: Vec<&str> = figure.variants.iter().map(String::as_str).collect();
    labels.extend(means.then_some("mean"));
    Legend { lead: "", labels, room: 20 }.draw(canvas, top, |canvas, at, (x, y)| {
        if at < count {
            canvas.fill((x, y - 9), (x + 20, y + 9), palette::line(at));
        } else {
            canvas.shape(&tip((x + 10, y - 4)), palette::SOFT_INK, 1.0);
        }
    })
}

/// One row of panels; gives its bottom.
fn draw_row(canvas: &mut Canvas, layout: &Layout, panels: &[ColumnsPanel], y: i32) -> i32 {
    let titles: Vec<_> =
        panels.iter().map(|panel| HEADING.wrap(&panel.title, layout.grid.width, 3)).collect();
    let lines = titles.iter().map(Vec::len).max().unwrap_or(0) as i32;
    let top = y + lines * HEADING.line() + 10;
    let mut bottom = top;
    for (column, (panel, title)) in panels.iter().zip(&titles).enumerate() {
        let x = layout.grid.x(column);
        canvas.lines(title, (x, top - 10 - title.len() as i32 * HEADING.line()), HPos::Left, HEADING);
        bottom = bottom.max(draw_axes(canvas, layout, (x, top), column == 0));
        draw_panel(canvas, layout, panel, (x, top));
    }
    bottom
}

/// Both axes; gives the bottom of what is written below.
fn draw_axes(canvas: &mut Canvas, layout: &Layout, (x, top): Spot, first: bool) -> i32 {
    let (figure, width) = (layout.figure, layout.grid.width);
    for step in 0..=layout.rise.1 {
        let share = layout.rise.0 * f64::from(step);
        let y = top + layout.y(share);
        canvas.hairline((x, y), (x + width, y), if step == 0 { palette::RULE } else { palette::GRID });
        if first {
            canvas.text(&percent(share, layout.rise.0), (x - 10, y), HPos::Right, SMALL);
        }
    }
    let bottom = top + layout.height + layout.means * TIP + 4;
    let mut free = i32::MIN;
    for (at, number) in figure.numbers.iter().enumerate() {
        // the first and the last stay within the panel, clear of its neighbours'
        let half = SMALL.width(number) / 2 + 1;
        let middle = layout.x(at as f64 + 0.5).clamp(half.min(width / 2), (width - half).max(width / 2));
        if middle - half >= free {
            canvas.text(number, (x + middle, bottom + 12), HPos::Center, SMALL);
            free = middle + half + 8;
        }
    }
    let label = SMALL.wrap(&figure.x_label, width, 2);
    canvas.lines(&label, (x + width / 2, bottom + 24), HPos::Center, SMALL)
}

/// Every variant's columns, and its mean below the axis.
fn draw_panel(canvas: &mut Canvas, layout: &Layout, panel: &ColumnsPanel, (x, top): Spot) {
    let row = |number: Option<&String>, variant: &String| {
        let number = number.map(|number| format!("{} {number}", layout.figure.x_label));
        joined([&panel.title, &number.unwrap_or_default(), variant])
    };
    for (variant, (shares, name)) in panel.shares.iter().zip(&layout.figure.variants).enumerate() {
        for (number, (share, label)) in shares.iter().zip(&layout.figure.numbers).enumerate() {
            let (from, to) = layout.column(number, variant);
            draw_column(canvas, layout, *share, ((x + from, x + to), top, variant));
            let words = format!("{}: {}", row(Some(label), name), told(*share));
            let upper = layout.y(share.value).min(layout.height - 12);
            canvas.say((x + from, top + upper), (x + to, top + layout.height), words);
        }
    }
    for (variant, (mean, name)) in panel.means.iter().zip(&layout.figure.variants).enumerate() {
        let Some(mean) = mean else { continue };
        let at = x + layout.x(mean.place.clamp(0.0, layout.figure.numbers.len() as f64));
        let spot = (at, top + layout.height + 3 + TIP * (variant % MEANS) as i32);
        canvas.shape(&tip(spot), palette::line(variant), 1.0);
        let words = format!("{}: mean {}", row(None, name), mean.words);
        canvas.say((at - 7, spot.1), (at + 7, spot.1 + TIP), words);
    }
}

/// The height of a mean's sign, in pixels.
const TIP: i32 = 9;
/// The most rows of means.
const MEANS: usize = 6;

/// A triangle below a spot that points at it.
fn tip((x, y): Spot) -> [Spot; 3] {
    [(x, y), (x + 5, y + TIP - 1), (x - 5, y + TIP - 1)]
}

/// The narrowest whisker's height in pixels.
const VISIBLE: i32 = 3;

/// A column, and where it is not known exactly its whisker.
fn draw_column(
    canvas: &mut Canvas,
    layout: &Layout,
    share: Share,
    ((from, to), top, variant): ((i32, i32), i32, usize),
) {
    let (upper, bottom) = (top + layout.y(share.value), top + layout.height);
    if upper < bottom {
        canvas.fill((from, upper), (to.max(from + 1), bottom), palette::line(variant));
    }
    let (low, high) = (top + layout.y(share.low), top + layout.y(share.high));
    if low - high >= VISIBLE && to - from >= VISIBLE {
        let (middle, wing) = (i32::midpoint(from, to), ((to - from) / 4).min(5));
        canvas.fill((middle, high), (middle + 1, low + 1), palette::INK);
        for y in [low, high] {
            canvas.fill((middle - wing, y), (middle + wing + 1, y + 1), palette::INK);
        }
    }
}
