//! Stacked shares: how bars, their labels and their panels are placed.
//!
//! In: [`Outcomes`]. Out: the picture below the caption.
//!
//! **Never:** where the shares come from.

use super::canvas::{Canvas, Spot};
use super::page::{Grid, Legend, Sheet};
use super::words::{HEADING, LABEL, SMALL, joined, told};
use super::{ChartError, Outcomes, Segment, SharesPanel, filled, fits, is_share, palette};
use plotters::style::text_anchor::HPos;

/// Shares that miss 1 by more than this leave a visible rest.
const REST: f64 = 5e-4;

/// Whether the figure can be drawn.
pub(super) fn check(figure: &Outcomes) -> Result<(), ChartError> {
    filled(&[
        ("outcomes", figure.outcomes.len()),
        ("variants", figure.variants.len()),
        ("situations", figure.situations.len()),
        ("panels", figure.panels.len()),
    ])?;
    figure.panels.iter().enumerate().try_for_each(|(at, panel)| check_panel(figure, at, panel))
}

/// Whether a panel has a share for every label.
fn check_panel(figure: &Outcomes, at: usize, panel: &SharesPanel) -> Result<(), ChartError> {
    fits(at, "situations", panel.shares.len(), figure.situations.len())?;
    for bars in &panel.shares {
        fits(at, "variants", bars.len(), figure.variants.len())?;
        for shares in bars.iter().flatten() {
            fits(at, "outcomes", shares.len(), figure.outcomes.len())?;
            let mut all = shares.iter().flat_map(|part| [part.share, part.until]);
            all.try_for_each(|share| share.check(at))?;
            is_share(at, sum(shares))?;
        }
    }
    Ok(())
}

/// All outcomes of a bar together.
fn sum(shares: &[Segment]) -> f64 {
    shares.iter().map(|part| part.share.value).sum()
}

/// Where things stand; all in pixels.
struct Layout<'a> {
    figure: &'a Outcomes,
    /// What stands beside the bars; empty for a single variant.
    names: Vec<String>,
    /// Whether the names are letters that the legend explains.
    lettered: bool,
    /// Every situation's label, in lines.
    labels: Vec<Vec<String>>,
    /// A bar's height.
    bar: i32,
    /// The height of one situation's bars.
    group: i32,
    grid: Grid,
}

/// Between two variants' bars.
const BAR_GAP: i32 = 3;
/// Between two situations.
const GROUP_GAP: i32 = 14;
/// Between labels and what they label.
const LABEL_GAP: i32 = 14;

impl<'a> Layout<'a> {
    /// Decides all sizes.
    fn new(figure: &'a Outcomes, sheet: Sheet) -> Self {
        let single = figure.panels.len() == 1;
        let widest = LABEL.widest(figure.situations.iter().map(String::as_str));
        let label_room = widest.min(if single { 320 } else { 190 });
        let (names, lettered) = names(figure, if single { 300 } else { 200 });
        let name_room = SMALL.widest(names.iter().map(String::as_str));
        let bars = (figure.situations.len() * figure.variants.len()) as i32;
        let bar = (400 / bars.max(1)).clamp(24, 46);
        let group = figure.variants.len() as i32 * (bar + BAR_GAP) - BAR_GAP;
        let most = (group / LABEL.line()).max(3) as usize;
        let labels: Vec<_> =
            figure.situations.iter().map(|label| LABEL.wrap(label, label_room, most)).collect();
        let lines = labels.iter().map(Vec::len).max().unwrap_or(1) as i32;
        let gap = if name_room > 0 { LABEL_GAP } else { 0 };
        let what = figure.situations_label.as_str();
        let what_room = if single { SMALL.widest([what]) } else { SMALL.widest(what.split_whitespace()) };
        let beside = (label_room + gap + name_room).max(what_room.min(220));
        let grid = Grid::new(sheet, figure.panels.len(), sheet.margin + beside + LABEL_GAP, 32, 205);
        let group = group.max(lines * LABEL.line());
        Self { figure, names, lettered, labels, bar, group, grid }
    }

    /// Whether panels are so narrow that bars say 25 instead of 25%; the axis has the sign.
    fn narrow(&self) -> bool {
        self.grid.width < 420
    }

    /// The height of a panel's bars.
    fn height(&self) -> i32 {
        self.figure.situations.len() as i32 * (self.group + GROUP_GAP)
    }

    /// The top of one bar in a panel whose bars begin at `top`.
    fn bar_top(&self, top: i32, situation: usize, variant: usize) -> i32 {
        let variants = self.figure.variants.len() as i32;
        let spare = (self.group - variants * (self.bar + BAR_GAP) + BAR_GAP) / 2;
        let group = top + situation as i32 * (self.group + GROUP_GAP) + GROUP_GAP / 2;
        group + spare + variant as i32 * (self.bar + BAR_GAP)
    }
}

/// What stands beside the bars, and whether it is letters, because a name is wider than `room`.
fn names(figure: &Outcomes, room: i32) -> (Vec<String>, bool) {
    if figure.variants.len() == 1 {
        return (Vec::new(), false);
    }
    let lettered = SMALL.widest(figure.variants.iter().map(String::as_str)) > room;
    let name = |(at, name): (usize, &String)| if lettered { letter(at) } else { name.clone() };
    (figure.variants.iter().enumerate().map(name).collect(), lettered)
}

/// A, B, ... Z, then numbers from 27.
pub(super) fn letter(at: usize) -> String {
    char::from_digit(at as u32 + 10, 36)
        .map_or_else(|| (at + 1).to_string(), |letter| letter.to_ascii_uppercase().to_string())
}

/// Draws everything below the caption from `top` on; gives its bottom.
pub(super) fn lay_out(canvas: &mut Canvas, figure: &Outcomes, top: i32) -> i32 {
    let layout = Layout::new(figure, canvas.sheet);
    let mut y = draw_outcome_legend(canvas, figure, top);
    if layout.lettered || figure.variants.len() == 1 {
        y = draw_variant_legend(canvas, &layout, y + 4);
    }
    y += 16;
    for row in figure.panels.chunks(layout.grid.columns) {
        y = draw_row(canvas, &layout, row, y) + 22;
    }
    y - 22
}

/// What the colours stand for, best first; gives the bottom.
fn draw_outcome_legend(canvas: &mut Canvas, figure: &Outcomes, top: i32) -> i32 {
    let mut bars = figure.panels.iter().flat_map(|panel| panel.shares.iter().flatten().flatten());
    let rest = bars.any(|shares| sum(shares) < 1.0 - REST);
    outcome_legend(canvas, &figure.outcomes, rest, top)
}

/// What the colours of outcomes stand for, and that of what is `unresolved` too; gives the bottom.
pub(super) fn outcome_legend(canvas: &mut Canvas, outcomes: &[String], unresolved: bool, top: i32) -> i32 {
    let count = outcomes.len();
    let mut labels: Vec<&str> = outcomes.iter().map(String::as_str).collect();
    if unresolved {
        labels.push("unresolved");
    }
    Legend { lead: "", labels, room: 20 }.draw(canvas, top, |canvas, at, (x, y)| {
        let colour = if at < count { palette::outcome(at, count) } else { palette::PAPER };
        canvas.swatch((x, y - 10), (x + 20, y + 10), colour);
    })
}

/// What the letters beside the bars stand for, or the only variant's name; gives the bottom.
fn draw_variant_legend(canvas: &mut Canvas, layout: &Layout, top: i32) -> i32 {
    let lead = if layout.lettered { "Bars:" } else { "Rules:" };
    let labels = layout.figure.variants.iter().map(String::as_str).collect();
    let room = HEADING.widest(layout.names.iter().map(String::as_str));
    Legend { lead, labels, room }.draw(canvas, top, |canvas, at, spot| {
        if let Some(letter) = layout.names.get(at) {
            canvas.text(letter, spot, HPos::Left, HEADING);
        }
    })
}

/// One row of panels with the labels at its left; gives its bottom.
fn draw_row(canvas: &mut Canvas, layout: &Layout, panels: &[SharesPanel], y: i32) -> i32 {
    let titles: Vec<_> =
        panels.iter().map(|panel| HEADING.wrap(&panel.title, layout.grid.width, 3)).collect();
    let what =
        SMALL.wrap(&layout.figure.situations_label, layout.grid.x(0) - LABEL_GAP - canvas.sheet.margin, 4);
    let title_height = titles.iter().map(|lines| lines.len() as i32 * HEADING.line()).max().unwrap_or(0);
    let top = y + title_height.max(what.len() as i32 * SMALL.line()) + 4;
    canvas.lines(&what, (canvas.sheet.margin, top - 4 - what.len() as i32 * SMALL.line()), HPos::Left, SMALL);
    draw_labels(canvas, layout, top);
    let mut bottom = top;
    for (column, (panel, title)) in panels.iter().zip(&titles).enumerate() {
        let x = layout.grid.x(column);
        canvas.lines(title, (x, top - 4 - title.len() as i32 * HEADING.line()), HPos::Left, HEADING);
        bottom = bottom.max(draw_axis(canvas, layout, (x, top)));
        draw_bars(canvas, layout, panel, (x, top));
    }
    bottom
}

/// The labels of situations and variants, left of the first panel.
fn draw_labels(canvas: &mut Canvas, layout: &Layout, top: i32) {
    for (situation, label) in layout.labels.iter().enumerate() {
        let middle = top + situation as i32 * (layout.group + GROUP_GAP) + (layout.group + GROUP_GAP) / 2;
        let height = label.len() as i32 * LABEL.line();
        canvas.lines(label, (canvas.sheet.margin, middle - height / 2), HPos::Left, LABEL);
        for (variant, name) in layout.names.iter().enumerate() {
            let y = layout.bar_top(top, situation, variant) + layout.bar / 2;
            canvas.text(name, (layout.grid.x(0) - LABEL_GAP, y), HPos::Right, SMALL);
        }
    }
}

/// The scale of percent under the bars, with its grid; gives its bottom.
fn draw_axis(canvas: &mut Canvas, layout: &Layout, (x, top): Spot) -> i32 {
    let bottom = top + layout.height();
    for percent in (0..=100).step_by(if layout.narrow() { 50 } else { 25 }) {
        let at = x + (layout.grid.width - 1) * percent / 100;
        canvas.hairline((at, top), (at, bottom + 5), palette::GRID);
        // The outer figures stay within the panel, clear of its neighbours'.
        let (at, side) = match percent {
            0 => (x, HPos::Left),
            100 => (x + layout.grid.width, HPos::Right),
            _ => (at, HPos::Center),
        };
        canvas.text(&format!("{percent}%"), (at, bottom + 16), side, SMALL);
    }
    let label = SMALL.wrap(&layout.figure.shares_label, layout.grid.width, 2);
    canvas.lines(&label, (x + layout.grid.width / 2, bottom + 28), HPos::Center, SMALL)
}

/// All bars of a panel.
fn draw_bars(canvas: &mut Canvas, layout: &Layout, panel: &SharesPanel, (x, top): Spot) {
    for (situation, bars) in panel.shares.iter().enumerate() {
        for (variant, shares) in bars.iter().enumerate() {
            let y = layout.bar_top(top, situation, variant);
            match shares {
                Some(shares) => {
                    draw_bar(canvas, layout, shares, (x, y));
                    let (situations, variants) = (&layout.figure.situations, &layout.figure.variants);
                    let row = joined([&panel.title, &situations[situation], &variants[variant]]);
                    tell_bar(canvas, layout, shares, &row, (x, y));
                }
                None => {
                    let words = SMALL.shorten("does not arise", layout.grid.width - 8);
                    canvas.text(&words, (x + 6, y + layout.bar / 2), HPos::Left, SMALL);
                }
            }
        }
    }
}

/// One bar: a segment for each outcome, with its percentage where that fits.
fn draw_bar(canvas: &mut Canvas, layout: &Layout, shares: &[Segment], (x, y): Spot) {
    let (width, height) = (layout.grid.width, layout.bar);
    canvas.swatch((x, y), (x + width, y + height), palette::PAPER);
    for (at, (from, to)) in
        stretches(shares, x, width).into_iter().enumerate().filter(|(_, (from, to))| from < to)
    {
        let colour = palette::outcome(at, shares.len());
        canvas.fill((from, y), (to, y + height), colour);
        if to - from > 3 && to < x + width {
            canvas.fill((to - 1, y), (to, y + height), palette::PAPER);
        }
        let share = shares[at].share.value;
        let (label, kind) = (percent(share, layout.narrow()), SMALL.ink(palette::ink_on(colour)));
        if kind.width(&label) + 6 <= to - from {
            canvas.text(&label, (from + (to - from) / 2, y + height / 2), HPos::Center, kind);
        }
    }
}

/// From where to where each part of a bar reaches that begins at `x`, in pixels.
fn stretches(shares: &[Segment], x: i32, width: i32) -> Vec<(i32, i32)> {
    let place = |share: f64| x + (share.min(1.0) * f64::from(width)).round() as i32;
    let mut sum = 0.0;
    let stretch = |part: &Segment| {
        let from = place(sum);
        sum += part.share.value;
        (from, place(sum))
    };
    shares.iter().map(stretch).collect()
}

/// The narrowest interval that is drawn, in pixels.
const VISIBLE: i32 = 3;

/// How surely each end of a part is known, as a whisker where that can be seen, and the figures of all parts for whoever
/// points at them.
fn tell_bar(canvas: &mut Canvas, layout: &Layout, shares: &[Segment], row: &str, (x, y): Spot) {
    let (width, bottom) = (layout.grid.width, y + layout.bar);
    let stretches = stretches(shares, x, width);
    for (at, (part, (from, to))) in shares.iter().zip(stretches).enumerate() {
        let place = |share: f64| x + (share.min(1.0) * f64::from(width)).round() as i32;
        let (low, high) = (place(part.until.low), place(part.until.high));
        if high - low >= VISIBLE && at + 1 < shares.len() {
            whisker(canvas, (low, high), bottom - layout.bar / 5);
        }
        if to > from {
            let words = format!("{row}: {} {}", layout.figure.outcomes[at], told(part.share));
            canvas.say((from, y), (to, bottom), words);
        }
    }
}

/// A level line with a stroke at both ends, dark on a light rim, so that it is seen on any colour.
fn whisker(canvas: &mut Canvas, (low, high): (i32, i32), y: i32) {
    for (rim, ink) in [(1, palette::LIGHT_INK), (0, palette::DARK_INK)] {
        canvas.fill((low - rim, y - rim), (high + 1 + rim, y + 1 + rim), ink);
        for x in [low, high] {
            canvas.fill((x - rim, y - 3 - rim), (x + 1 + rim, y + 4 + rim), ink);
        }
    }
}

/// A share in whole percent, without the sign where `bare`; what only rounds to 100 says so.
pub(super) fn percent(share: f64, bare: bool) -> String {
    let sign = if bare { "" } else { "%" };
    match (share * 100.0).round() {
        whole if whole >= 100.0 && share < 1.0 - 1e-9 => format!(">99{sign}"),
        whole => format!("{whole}{sign}"),
    }
}
