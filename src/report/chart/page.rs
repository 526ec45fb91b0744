//! What every figure has: the document, the words at its head and foot, a legend, a grid of panels.
//!
//! In: a caption and a layout. Out: an SVG document as high as its content.
//!
//! **Never:** bars, curves.

use super::canvas::{Canvas, QUARTERS, Spot};
use super::raster::TALLEST;
use super::words::{LABEL, SMALL, SUBTITLE, TITLE, printable};
use super::{Caption, ChartError};
use plotters::style::text_anchor::HPos;

/// The page's width in pixels.
pub(super) const WIDTH: i32 = 1200;
/// What is left free on all sides, in pixels.
pub(super) const MARGIN: i32 = 40;

/// Draws a page: the caption's head, what `content` draws from a height down to the height that it gives back, the note.
///
/// # Errors
/// What the drawing library refuses, and pages that are too tall.
pub(super) fn document(
    caption: &Caption,
    content: impl FnOnce(&mut Canvas, i32) -> i32,
) -> Result<String, ChartError> {
    let mut body = String::new();
    let mut canvas = Canvas::new(&mut body, ((WIDTH * QUARTERS) as u32, TALLEST));
    let top = head(&mut canvas, caption);
    let bottom = content(&mut canvas, top);
    let height = foot(&mut canvas, caption, bottom) as u32;
    canvas.finish()?;
    if height > TALLEST {
        return Err(ChartError::TooTall { height, most: TALLEST });
    }
    // The height is known only now, so the library's first line, which states it, is replaced.
    let elements = body.split_once('\n').map_or("", |(_, rest)| rest);
    let elements = elements.trim_end().strip_suffix("</svg>").unwrap_or(elements);
    Ok(format!("{}{elements}</g>\n</svg>\n", opening(caption, height)))
}

/// The opening tag, with the full words for whoever cannot see the picture, and the white ground.
fn opening(caption: &Caption, height: u32) -> String {
    let (title, about) =
        (escaped(&caption.title), escaped(&format!("{} {}", caption.subtitle, caption.note)));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" \
         viewBox=\"0 0 {WIDTH} {height}\" role=\"img\">\n<title>{title}</title>\n<desc>{about}</desc>\n\
         <rect width=\"{WIDTH}\" height=\"{height}\" fill=\"#FFFFFF\"/>\n<g transform=\"scale({})\">\n",
        1.0 / f64::from(QUARTERS)
    )
}

/// Text as it stands between two tags.
fn escaped(text: &str) -> String {
    printable(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Title and subtitle; gives where the content begins.
fn head(canvas: &mut Canvas, caption: &Caption) -> i32 {
    let room = WIDTH - 2 * MARGIN;
    let y = canvas.lines(&TITLE.balance(&caption.title, room, 4), (MARGIN, MARGIN - 8), HPos::Left, TITLE);
    let subtitle = SUBTITLE.wrap(&caption.subtitle, room, 5);
    canvas.lines(&subtitle, (MARGIN, y + 6), HPos::Left, SUBTITLE) + 18
}

/// The note; gives the page's height.
fn foot(canvas: &mut Canvas, caption: &Caption, y: i32) -> i32 {
    let note = SMALL.wrap(&caption.note, WIDTH - 2 * MARGIN, 4);
    canvas.lines(&note, (MARGIN, y + 14), HPos::Left, SMALL) + MARGIN / 2
}

/// What signs stand for.
pub(super) struct Legend<'a> {
    /// What stands before the first sign; may be empty.
    pub(super) lead: &'a str,
    /// The words of each sign.
    pub(super) labels: Vec<&'a str>,
    /// A sign's width in pixels; 0 for none.
    pub(super) room: i32,
}

impl Legend<'_> {
    /// Draws signs and words, in as many lines as they need; gives the bottom. `sign` draws the sign of a number so that
    /// its left end is at a spot in the middle of the line's height.
    pub(super) fn draw(&self, canvas: &mut Canvas, top: i32, sign: impl Fn(&mut Canvas, usize, Spot)) -> i32 {
        let step = LABEL.line() + 6;
        let lead = SMALL.shorten(self.lead, (WIDTH - 2 * MARGIN) / 2);
        let (mut x, mut y) = (MARGIN, top + LABEL.line() / 2);
        canvas.text(&lead, (x, y), HPos::Left, SMALL);
        x += if lead.is_empty() { 0 } else { SMALL.width(&lead) + ENTRY_GAP };
        let start = self.room + if self.room > 0 { 9 } else { 0 };
        for (at, label) in self.labels.iter().enumerate() {
            let label = LABEL.shorten(label, WIDTH - 2 * MARGIN - start);
            let width = start + LABEL.width(&label);
            if x > MARGIN && x + width > WIDTH - MARGIN {
                (x, y) = (MARGIN, y + step);
            }
            sign(canvas, at, (x, y));
            canvas.text(&label, (x + start, y), HPos::Left, LABEL);
            x += width + ENTRY_GAP;
        }
        y + step / 2
    }
}

/// Between two entries of a legend, in pixels.
const ENTRY_GAP: i32 = 28;

/// Panels of equal width, in rows.
pub(super) struct Grid {
    /// How many stand side by side.
    pub(super) columns: usize,
    /// The width of one in pixels.
    pub(super) width: i32,
    left: i32,
    gap: i32,
}

impl Grid {
    /// Places `count` panels to the right of `left`, none narrower than `least`, in rows of about equal length.
    pub(super) fn new(count: usize, left: i32, gap: i32, least: i32) -> Self {
        let room = WIDTH - MARGIN - left;
        let most = ((room + gap) / (least + gap)).clamp(1, 4) as usize;
        let columns = count.max(1).div_ceil(count.max(1).div_ceil(most));
        let width = (room + gap) / columns as i32 - gap;
        Self { columns, width, left, gap }
    }

    /// The left side of a column.
    pub(super) fn x(&self, column: usize) -> i32 {
        self.left + column as i32 * (self.width + self.gap)
    }
}
