//! Two factors against a figure, in colours: how cells, their figures and the scale are placed.
//!
//! In: [`Heat`]. Out: the picture below the caption.
//!
//! **Never:** what the figures are of.

use super::super::words::{percent, points};
use super::canvas::{Canvas, Spot};
use super::outcomes::{self, letter};
use super::page::{Grid, Legend};
use super::words::{HEADING, LABEL, SMALL, Type, joined};
use super::{ChartError, Heat, HeatPanel, Share, Tint, filled, finite, fits, palette};
use plotters::style::RGBColor;
use plotters::style::text_anchor::HPos;

/// Whether the figure can be drawn.
pub(super) fn check(figure: &Heat) -> Result<(), ChartError> {
    let cells = figure.panels.iter().flat_map(|panel| panel.cells.iter().flatten().flatten());
    filled(&[
        ("columns", figure.columns.len()),
        ("rows", figure.rows.len()),
        ("panels", figure.panels.len()),
        ("cells", cells.clone().count()),
    ])?;
    for (at, panel) in figure.panels.iter().enumerate() {
        fits(at, "rows", panel.cells.len(), figure.rows.len())?;
        panel.cells.iter().try_for_each(|row| fits(at, "columns", row.len(), figure.columns.len()))?;
    }
    finite(cells.flat_map(|cell| [cell.value, cell.low, cell.high]))
}

/// The most steps of colour to one side.
const STEPS: f64 = 10.0;

/// Which figures have which colour.
struct Scale {
    tint: Tint,
    /// From one step to the next, in percent.
    step: f64,
    /// The first and the last step's ends, in steps.
    ends: (i32, i32),
}

impl Scale {
    /// Equal steps that hold every cell: from 0 or as low as is needed; of changes the same to both sides.
    fn new(figure: &Heat) -> Self {
        let values = || figure.panels.iter().flat_map(|panel| panel.cells.iter().flatten().flatten());
        let low = values().map(|cell| cell.value * 100.0).fold(f64::INFINITY, f64::min);
        let high = values().map(|cell| cell.value * 100.0).fold(f64::NEG_INFINITY, f64::max);
        let (low, high, most) = match figure.tint {
            Tint::Change => (0.0, high.max(-low), STEPS / 2.0),
            Tint::Amount if low > high / 2.0 => (low, high, STEPS),
            Tint::Amount => (0.0, high, STEPS),
        };
        let powers = (-2..9).map(|power| libm::pow(10.0, f64::from(power)));
        let mut steps = powers.flat_map(|power| [1.0, 2.0, 5.0].map(|digit| digit * power));
        let ends = |step: f64| ((low / step + 1e-9).floor() as i32, (high / step - 1e-9).ceil() as i32);
        let fits = |step: &f64| f64::from(ends(*step).1) - f64::from(ends(*step).0) <= most;
        let step = steps.find(|step| high / step < 1e9 && fits(step)).unwrap_or(1e9);
        let (first, last) = ends(step);
        let last = last.max(first + 1);
        Self {
            tint: figure.tint,
            step,
            ends: (if figure.tint == Tint::Change { -last } else { first }, last),
        }
    }

    /// A figure's colour.
    fn colour(&self, value: f64) -> RGBColor {
        let steps = value.abs() * 100.0 / self.step;
        match self.tint {
            Tint::Change if value == 0.0 => palette::change(0, self.ends.1),
            Tint::Change => {
                let at = ((steps - 1e-9).ceil() as i32).clamp(1, self.ends.1);
                palette::change(if value < 0.0 { -at } else { at }, self.ends.1)
            }
            Tint::Amount => {
                let at = ((steps + 1e-9).floor() as i32).clamp(self.ends.0, self.ends.1 - 1);
                palette::amount((at - self.ends.0) as usize, (self.ends.1 - self.ends.0) as usize)
            }
        }
    }

    /// Every step's colour, from the lowest to the highest; of changes that of none between them.
    fn colours(&self) -> Vec<RGBColor> {
        let steps = self.ends.0..self.ends.1;
        match self.tint {
            Tint::Change => (self.ends.0..=self.ends.1).map(|at| palette::change(at, self.ends.1)).collect(),
            Tint::Amount => steps.map(|at| self.colour((f64::from(at) + 0.5) * self.step / 100.0)).collect(),
        }
    }

    /// What stands at an end of a step.
    fn mark(&self, at: i32) -> String {
        let decimals = (-libm::log10(self.step) - 1e-9).ceil().max(0.0) as usize;
        let number = f64::from(at) * self.step;
        match self.tint {
            Tint::Change if at != 0 => format!("{number:+.decimals$}").replace('-', "−"),
            Tint::Change => "0".to_owned(),
            Tint::Amount => format!("{number:.decimals$}%"),
        }
    }
}

/// Letters in a cell that are smaller than those around it.
const TINY: Type = Type { size: 12.0, ..SMALL };
/// Between labels and what they label, in pixels.
const LABEL_GAP: i32 = 10;

/// Where things stand; all in pixels.
struct Layout<'a> {
    figure: &'a Heat,
    scale: Scale,
    grid: Grid,
    /// A cell's height.
    height: i32,
    /// Every column's label, in lines.
    columns: Vec<Vec<String>>,
    /// Whether these are letters that a legend explains.
    lettered: bool,
    rows: Vec<Vec<String>>,
    /// Where all rows' labels end.
    left: i32,
}

impl<'a> Layout<'a> {
    fn new(figure: &'a Heat, canvas: &Canvas) -> Self {
        let sheet = canvas.sheet;
        let widest = LABEL.widest(figure.rows.iter().map(String::as_str));
        let room = widest.min(sheet.room() * 3 / 10);
        let rows: Vec<_> = figure.rows.iter().map(|row| LABEL.wrap(row, room, 3)).collect();
        let left = sheet.margin + LABEL.widest(rows.iter().flatten().map(String::as_str)) + LABEL_GAP;
        let least = (figure.columns.len() as i32 * 44).clamp(205, 400);
        let grid = Grid::new(sheet, figure.panels.len(), left, 26, least);
        let width = grid.width / figure.columns.len() as i32;
        let words = figure.columns.iter().flat_map(|label| label.split_whitespace());
        let lettered = !figure.columns_are_numbers && SMALL.widest(words) > width - 4;
        let label = |(at, label): (usize, &String)| match lettered {
            true => vec![letter(at)],
            false => SMALL.wrap(label, width - 4, 3),
        };
        let columns = figure.columns.iter().enumerate().map(label).collect();
        let lines = rows.iter().map(Vec::len).max().unwrap_or(1) as i32;
        let height = (lines * LABEL.line() + 6).max(if width < 34 { 26 } else { 44 });
        Self { figure, scale: Scale::new(figure), grid, height, columns, lettered, rows, left }
    }

    /// Where a column begins in a panel.
    fn x(&self, column: usize) -> i32 {
        let columns = self.figure.columns.len() as i64;
        (i64::from(self.grid.width) * column as i64 / columns) as i32
    }
}

/// Draws everything below the caption from `top` on; gives its bottom.
pub(super) fn lay_out(canvas: &mut Canvas, figure: &Heat, top: i32) -> i32 {
    let layout = Layout::new(figure, canvas);
    let mut y = draw_scale(canvas, &layout, top) + 8;
    if layout.lettered {
        let labels = figure.columns.iter().map(String::as_str).collect();
        y = Legend { lead: "", labels, room: 20 }.draw(canvas, y, |canvas, at, spot| {
            canvas.text(&letter(at), spot, HPos::Left, HEADING);
        }) + 4;
    }
    let what = SMALL.wrap(&figure.rows_label, canvas.sheet.room(), 2);
    y = canvas.lines(&what, (canvas.sheet.margin, y), HPos::Left, SMALL) + 6;
    for row in figure.panels.chunks(layout.grid.columns) {
        y = draw_row(canvas, &layout, row, y) + 20;
    }
    y - 20
}

/// What the colours stand for; gives the bottom.
fn draw_scale(canvas: &mut Canvas, layout: &Layout, top: i32) -> i32 {
    let (sheet, scale) = (canvas.sheet, &layout.scale);
    let what = SMALL.wrap(&layout.figure.scale_label, sheet.room(), 3);
    let y = canvas.lines(&what, (sheet.margin, top), HPos::Left, SMALL) + 6;
    let colours = scale.colours();
    let ends: Vec<i32> = (scale.ends.0..=scale.ends.1).collect();
    let widest = ends.iter().map(|at| SMALL.width(&scale.mark(*at))).max().unwrap_or(0);
    let room = sheet.room() - widest;
    let step = (room / colours.len() as i32).min(64);
    let left = sheet.margin + widest / 2;
    for (at, colour) in colours.iter().enumerate() {
        let x = left + at as i32 * step;
        canvas.swatch((x, y), (x + step + 1, y + 18), *colour);
    }
    // no change has a field of its own, and its mark below the middle of that
    let zero = if scale.tint == Tint::Change { -scale.ends.0 } else { i32::MAX };
    let place = |at: i32| match at.cmp(&zero) {
        std::cmp::Ordering::Less => left + at * step,
        std::cmp::Ordering::Equal => left + at * step + step / 2,
        std::cmp::Ordering::Greater => left + (at + 1) * step,
    };
    let sparse = (widest + 8) / step.max(1) + 1;
    for (at, end) in ends.iter().enumerate() {
        if end % sparse == 0 {
            canvas.text(&scale.mark(*end), (place(at as i32), y + 30), HPos::Center, SMALL);
        }
    }
    let about = SMALL.wrap(&layout.figure.about, sheet.room(), 5);
    canvas.lines(&about, (sheet.margin, y + 42), HPos::Left, SMALL)
}

/// One row of panels with the labels at its left; gives its bottom.
fn draw_row(canvas: &mut Canvas, layout: &Layout, panels: &[HeatPanel], y: i32) -> i32 {
    let titles: Vec<_> =
        panels.iter().map(|panel| HEADING.wrap(&panel.title, layout.grid.width, 3)).collect();
    let lines = titles.iter().map(Vec::len).max().unwrap_or(0) as i32;
    let top = y + lines * HEADING.line() + if lines > 0 { 6 } else { 0 };
    for (at, row) in layout.rows.iter().enumerate() {
        let middle = top + at as i32 * layout.height + layout.height / 2;
        let first = middle - row.len() as i32 * LABEL.line() / 2;
        canvas.lines(row, (layout.left - LABEL_GAP, first), HPos::Right, LABEL);
    }
    let mut bottom = top;
    for (column, (panel, title)) in panels.iter().zip(&titles).enumerate() {
        let x = layout.grid.x(column);
        canvas.lines(title, (x, top - 6 - title.len() as i32 * HEADING.line()), HPos::Left, HEADING);
        bottom = bottom.max(draw_panel(canvas, layout, panel, (x, top)));
    }
    bottom
}

/// All cells of a panel with the columns' labels below; gives the bottom.
fn draw_panel(canvas: &mut Canvas, layout: &Layout, panel: &HeatPanel, (x, top): Spot) -> i32 {
    for (row, cells) in panel.cells.iter().enumerate() {
        for (column, cell) in cells.iter().enumerate() {
            let y = top + row as i32 * layout.height;
            let (from, to) = (x + layout.x(column), x + layout.x(column + 1));
            let box_ = ((from, y), (to - 1, y + layout.height - 1));
            match cell {
                Some(cell) => {
                    draw_cell(canvas, layout, cell, box_);
                    let names =
                        joined([&panel.title, &layout.figure.rows[row], &layout.figure.columns[column]]);
                    canvas.say(box_.0, box_.1, format!("{names}: {}", told(layout.figure.tint, cell)));
                }
                None => {
                    canvas.text("–", (i32::midpoint(from, to), y + layout.height / 2), HPos::Center, SMALL)
                }
            }
        }
    }
    let bottom = top + panel.cells.len() as i32 * layout.height + 4;
    let mut free = i32::MIN;
    for (column, lines) in layout.columns.iter().enumerate() {
        let middle = x + i32::midpoint(layout.x(column), layout.x(column + 1));
        let half = SMALL.widest(lines.iter().map(String::as_str)) / 2;
        // numbers that stand too close leave out those that do not fit
        if middle - half >= free {
            canvas.lines(lines, (middle, bottom), HPos::Center, SMALL);
            free = middle + half + if layout.figure.columns_are_numbers { 6 } else { 0 };
        }
    }
    let lines = layout.columns.iter().map(Vec::len).max().unwrap_or(0) as i32;
    let label = SMALL.wrap(&layout.figure.columns_label, layout.grid.width, 2);
    let below = bottom + lines * SMALL.line();
    canvas.lines(&label, (x + layout.grid.width / 2, below + 2), HPos::Center, SMALL)
}

/// A figure as it is written, with one decimal or, `short`, with none.
fn written(tint: Tint, value: f64, short: bool) -> String {
    match (tint, short) {
        (Tint::Amount, false) => percent(value),
        (Tint::Amount, true) => outcomes::percent(value, true),
        (Tint::Change, _) => points(value, usize::from(!short)).replace('-', "−"),
    }
}

/// A cell in words.
pub(super) fn told(tint: Tint, cell: &Share) -> String {
    let [value, low, high] = [cell.value, cell.low, cell.high].map(|value| written(tint, value, false));
    let unit = if tint == Tint::Amount { " %" } else { " points" };
    if cell.low < cell.high { format!("{value}{unit} ({low} to {high})") } else { value + unit }
}

/// A cell with its figure, how surely it is known below that, and a ring instead of its
/// colour where it may be none.
fn draw_cell(canvas: &mut Canvas, layout: &Layout, cell: &Share, (from, to): (Spot, Spot)) {
    let tint = layout.figure.tint;
    let may_be_none = tint == Tint::Change && cell.low < cell.high && cell.low <= 0.0 && 0.0 <= cell.high;
    let colour = layout.scale.colour(if may_be_none { 0.0 } else { cell.value });
    canvas.fill(from, to, colour);
    let ink = palette::ink_on(colour);
    if may_be_none {
        let corner = (to.0 - 6, to.1 - 6); // where figures are shortest
        canvas.disc(corner, 4, ink);
        canvas.disc(corner, 2, colour);
    }
    let (width, height) = (to.0 - from.0 - 4, to.1 - from.1);
    let middle = (i32::midpoint(from.0, to.0), i32::midpoint(from.1, to.1));
    let within = TINY.ink(ink);
    let half = format!("±{:.1}", ((cell.high - cell.low) * 50.0).max(0.1));
    for (kind, short) in [(LABEL, false), (SMALL, true), (TINY, true)] {
        let figure = kind.ink(ink);
        let [value, low, high] = [cell.value, cell.low, cell.high].map(|value| written(tint, value, short));
        let open = low != value || high != value;
        let below = open && !short && within.width(&half) <= width && height >= 38;
        let words = if open && !below { format!("≈{value}") } else { value };
        if figure.width(&words) > width {
            continue;
        }
        canvas.text(&words, (middle.0, middle.1 - if below { 8 } else { 0 }), HPos::Center, figure);
        if below {
            canvas.text(&half, (middle.0, middle.1 + 10), HPos::Center, within);
        }
        return;
    }
}
