//! What the same dice give under two drafts: two columns of shares in each panel, joined by ribbons.
//!
//! In: [`Flows`]. Out: the picture below the caption.
//!
//! **Never:** where the shares come from.

use super::canvas::{Canvas, Spot};
use super::outcomes::outcome_legend;
use super::page::Grid;
use super::words::{HEADING, SMALL, told};
use super::{ChartError, FlowPanel, Flows, Share, filled, fits, is_share, palette};
use plotters::style::RGBColor;
use plotters::style::text_anchor::HPos;

/// Shares of no value beyond this are a visible part.
const REST: f64 = 5e-4;

/// A column's width in pixels.
const COLUMN: i32 = 58;
/// Between two parts of a column.
const GAP: i32 = 12;

/// Whether the figure can be drawn.
pub(super) fn check(figure: &Flows) -> Result<(), ChartError> {
    filled(&[("outcomes", figure.outcomes.len()), ("panels", figure.panels.len())])?;
    for (at, panel) in figure.panels.iter().enumerate() {
        fits(at, "rows", panel.shares.len(), figure.outcomes.len() + 1)?;
        for row in &panel.shares {
            fits(at, "columns", row.len(), figure.outcomes.len() + 1)?;
            row.iter().try_for_each(|share| share.check(at))?;
        }
        is_share(at, panel.shares.iter().flatten().map(|share| share.value).sum())?;
    }
    Ok(())
}

/// Draws everything below the caption from `top` on; gives its bottom.
pub(super) fn lay_out(canvas: &mut Canvas, figure: &Flows, top: i32) -> i32 {
    let rest =
        figure.panels.iter().any(|panel| ends(panel).iter().any(|side| side[figure.outcomes.len()] > REST));
    let mut y = outcome_legend(canvas, &figure.outcomes, rest, top) + 16;
    let grid = Grid::new(canvas.sheet, figure.panels.len(), canvas.sheet.margin, 56, 330);
    let height = if grid.columns == 1 { 440 } else { 340 };
    for row in figure.panels.chunks(grid.columns) {
        let titles: Vec<_> = row.iter().map(|panel| HEADING.wrap(&panel.title, grid.width, 3)).collect();
        let names = row
            .iter()
            .map(|panel| panel.names.each_ref().map(|name| SMALL.wrap(name, grid.width / 2 - 8, 3)));
        let names: Vec<_> = names.collect();
        let lines = titles.iter().map(Vec::len).max().unwrap_or(0) as i32;
        let lower = names.iter().flatten().map(Vec::len).max().unwrap_or(0) as i32;
        let top = y + lines * HEADING.line() + lower * SMALL.line() + 10;
        for (column, ((panel, title), names)) in row.iter().zip(&titles).zip(&names).enumerate() {
            let (left, right) = (grid.x(column), grid.x(column) + grid.width);
            canvas.lines(title, (left, y), HPos::Left, HEADING);
            for (lines, (x, side)) in names.iter().zip([(left, HPos::Left), (right, HPos::Right)]) {
                canvas.lines(lines, (x, top - 6 - lines.len() as i32 * SMALL.line()), side, SMALL);
            }
            draw_panel(canvas, &figure.outcomes, panel, (left, top), (grid.width, height));
        }
        y = top + height + 26;
    }
    y - 26
}

/// The share of each value on the left and on the right.
fn ends(panel: &FlowPanel) -> [Vec<f64>; 2] {
    let count = panel.shares.len();
    let left = panel.shares.iter().map(|row| row.iter().map(|share| share.value).sum()).collect();
    let right = (0..count).map(|to| panel.shares.iter().map(|row| row[to].value).sum()).collect();
    [left, right]
}

/// Where each part of a column begins and ends, in pixels from the top of the panel; parts of nothing take no room.
fn parts(shares: &[f64], height: i32) -> Vec<Spot> {
    let (mut sum, mut gaps) = (0.0, 0);
    let part = |share: &f64| {
        let from = place(sum, height) + gaps;
        sum += share;
        gaps += if *share > 0.0 { GAP } else { 0 };
        (from, from + place(sum, height) - place(sum - share, height))
    };
    shares.iter().map(part).collect()
}

fn place(share: f64, height: i32) -> i32 {
    (share.min(1.0) * f64::from(height)).round() as i32
}

/// Both columns, and the ribbons between them.
fn draw_panel(
    canvas: &mut Canvas,
    outcomes: &[String],
    panel: &FlowPanel,
    (x, top): Spot,
    (width, height): Spot,
) {
    let outcome = |at: usize| outcomes.get(at).map_or("unresolved", String::as_str);
    let row_of = if panel.title.is_empty() { String::new() } else { format!("{}: ", panel.title) };
    let ends = ends(panel);
    let height = height - GAP * (panel.shares.len() as i32 - 1);
    let parts = ends.each_ref().map(|side| parts(side, height));
    let mut used = ends.each_ref().map(|side| vec![0.0; side.len()]);
    for (from, row) in panel.shares.iter().enumerate() {
        for (to, share) in row.iter().enumerate().filter(|(_, share)| share.value > 0.0) {
            let mut edge = |side: usize, at: usize| {
                let upper = used[side][at];
                used[side][at] += share.value;
                let part = |share: f64| top + parts[side][at].0 + place(share, height);
                (part(upper), part(used[side][at]).min(top + parts[side][at].1))
            };
            let (left, right) = (edge(0, from), edge(1, to));
            ribbon(canvas, (x + COLUMN, left), (x + width - COLUMN, right), colour(panel, from));
            let words = format!("{row_of}{} → {}: {}", outcome(from), outcome(to), told(*share));
            canvas.say((x + COLUMN, left.0), (x + width / 3, left.1), words);
        }
    }
    for (side, left) in [x, x + width - COLUMN].into_iter().enumerate() {
        for (at, (share, (from, to))) in ends[side].iter().zip(&parts[side]).enumerate() {
            draw_part(canvas, (left, top + from), top + to, (*share, colour(panel, at)));
            if to > from {
                let words = format!(
                    "{row_of}{}: {} {}",
                    panel.names[side],
                    outcome(at),
                    told(Share::exactly(*share))
                );
                canvas.say((left, top + from), (left + COLUMN, top + to), words);
            }
        }
    }
}

/// The colour of a value; what is no value has the page's own.
fn colour(panel: &FlowPanel, at: usize) -> RGBColor {
    let count = panel.shares.len() - 1;
    if at < count { palette::outcome(at, count) } else { palette::PAPER }
}

/// One part of a column, with its percentage where that fits.
fn draw_part(canvas: &mut Canvas, (left, top): Spot, bottom: i32, (share, colour): (f64, RGBColor)) {
    if bottom <= top {
        return;
    }
    canvas.swatch((left, top), (left + COLUMN, bottom), colour);
    let kind = SMALL.ink(palette::ink_on(colour));
    if bottom - top >= kind.line() - 2 {
        let label = super::outcomes::percent(share, false);
        canvas.text(&label, (left + COLUMN / 2, (top + bottom) / 2), HPos::Center, kind);
    }
}

/// How many straight pieces make the bend of a ribbon.
const PIECES: i32 = 24;

/// A bent band from a stretch on the left to one on the right, each given by its upper and lower end.
fn ribbon(canvas: &mut Canvas, (x, left): (i32, Spot), (to, right): (i32, Spot), colour: RGBColor) {
    let bend = |from: i32, until: i32, piece: i32| {
        let t = f64::from(piece) / f64::from(PIECES);
        let share = t * t * (3.0 - 2.0 * t); // level at both ends
        let along = f64::from(to - x) * t;
        (x + along.round() as i32, from + (f64::from(until - from) * share).round() as i32)
    };
    if left.0 == left.1 && right.0 == right.1 {
        return;
    }
    let upper: Vec<Spot> = (0..=PIECES).map(|piece| bend(left.0, right.0, piece)).collect();
    let lower: Vec<Spot> = (0..=PIECES).rev().map(|piece| bend(left.1, right.1, piece)).collect();
    let ink = if colour == palette::PAPER { palette::RULE } else { colour };
    canvas.shape(&[upper.clone(), lower.clone()].concat(), ink, 0.5);
    // what is nearly as light as the page is seen by its edges
    for edge in [upper, lower].iter().filter(|_| palette::luminance(ink) > PALE) {
        canvas.line(edge, palette::RULE, 1);
    }
}

/// Colours above this luminance are hardly seen on a light page.
const PALE: f64 = 0.7;
