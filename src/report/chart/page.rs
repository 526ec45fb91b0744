//! What every figure has: the document, the words at its head and foot, a legend, a grid of panels.
//!
//! In: a caption, a layout and a [`Look`]. Out: an SVG document: a slide, or as high as its content.
//!
//! **Never:** bars, curves.

use super::canvas::{Canvas, QUARTERS, Region, Spot};
use super::raster::TALLEST;
use super::words::{LABEL, SMALL, SUBTITLE, TITLE, Type, printable};
use super::{Caption, ChartError, Look, Size, palette};
use plotters::style::text_anchor::HPos;

/// A page as layouts see it; all in pixels of the drawing, of which a letter of ordinary text is about 15 high.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sheet {
    /// From its left to its right edge.
    pub(super) width: i32,
    /// What is left free on all sides.
    pub(super) margin: i32,
    /// From its top to its bottom, where that is settled beforehand.
    pub(super) height: Option<i32>,
}

impl Sheet {
    /// Between the margins.
    pub(super) fn room(self) -> i32 {
        self.width - 2 * self.margin
    }

    /// Where the right margin begins.
    pub(super) fn right(self) -> i32 {
        self.width - self.margin
    }

    /// Whether it is as narrow as a phone.
    pub(super) fn is_narrow(self) -> bool {
        self.width < 600
    }
}

/// The widths that a slide may be drawn at, the fewest pixels and so the largest letters first.
const SLIDES: [i32; 8] = [960, 1120, 1280, 1440, 1680, 1920, 2400, 3000];

/// The width and height of a slide on the screen, in pixels.
const SLIDE: (i32, i32) = (1920, 1080);

/// Draws a page: the caption's head, what `content` draws from a height down to the height that it gives back, the note.
///
/// # Errors
/// What the drawing library refuses, and pages that are too tall.
pub(super) fn document(
    caption: &Caption,
    alt: &str,
    look: Look,
    content: impl Fn(&mut Canvas, i32) -> i32,
) -> Result<String, ChartError> {
    let draw = |width, margin, height| Drawn::new(caption, look, Sheet { width, margin, height }, &content);
    match look.size {
        Size::Column => draw(840, 30, None)?.document(caption, alt, look, TALLEST),
        Size::Phone => draw(420, 16, None)?.document(caption, alt, look, TALLEST),
        Size::Slide => {
            let mut last = None;
            for width in SLIDES {
                let tall = width * SLIDE.1 / SLIDE.0;
                let drawn = draw(width, width / 24, Some(tall))?;
                let (height, most) = (drawn.height, tall as u32);
                if height <= most {
                    return drawn.document(caption, alt, look, most);
                }
                last = Some(ChartError::TooTall { height, most });
            }
            Err(last.unwrap_or(ChartError::Empty("widths")))
        }
    }
}

/// A page whose height is known.
struct Drawn {
    sheet: Sheet,
    height: u32,
    /// What the drawing library wrote.
    body: String,
    regions: Vec<Region>,
}

impl Drawn {
    fn new(
        caption: &Caption,
        look: Look,
        sheet: Sheet,
        content: impl Fn(&mut Canvas, i32) -> i32,
    ) -> Result<Self, ChartError> {
        let mut body = String::new();
        let size = ((sheet.width * QUARTERS) as u32, TALLEST);
        let mut canvas = Canvas::new(&mut body, size, sheet, look.theme);
        let top = head(&mut canvas, caption);
        let bottom = content(&mut canvas, top);
        let height = foot(&mut canvas, caption, bottom) as u32;
        let regions = canvas.finish()?;
        Ok(Self { sheet, height, body, regions })
    }

    /// The document; a slide is `most` high, with its content in the middle.
    fn document(&self, caption: &Caption, alt: &str, look: Look, most: u32) -> Result<String, ChartError> {
        if self.height > most {
            return Err(ChartError::TooTall { height: self.height, most });
        }
        // The height is known only now, so the library's first line, which states it, is replaced.
        let elements = self.body.split_once('\n').map_or("", |(_, rest)| rest);
        let elements = elements.trim_end().strip_suffix("</svg>").unwrap_or(elements);
        let (height, shown) = match look.size {
            Size::Slide => (most, SLIDE),
            Size::Column | Size::Phone => (self.height, (self.sheet.width, self.height as i32)),
        };
        let down = (height - self.height) / 2;
        let opening = opening(caption, alt, look, (self.sheet.width, height), shown);
        let regions: String = self.regions.iter().map(region).collect();
        Ok(format!(
            "{opening}<g transform=\"translate(0 {down})\">\n<g transform=\"scale({})\">\n{elements}</g>\n\
             <g class=\"figures\" fill=\"none\" pointer-events=\"all\">\n{regions}</g>\n</g>\n</svg>\n",
            1.0 / f64::from(QUARTERS)
        ))
    }
}

/// The opening tag, with the full words for whoever cannot see the picture, and the ground.
fn opening(caption: &Caption, alt: &str, look: Look, (width, height): (i32, u32), shown: Spot) -> String {
    let about = [alt, &caption.subtitle, &caption.note].map(escaped);
    let about = about.iter().filter(|text| !text.is_empty()).map(String::as_str).collect::<Vec<_>>();
    let (title, about) = (escaped(&caption.title), about.join(" "));
    let ground = palette::shade(palette::PAPER, look.theme);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\">\n<title>{title}</title>\n<desc>{about}</desc>\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"{}\"/>\n",
        shown.0,
        shown.1,
        palette::hex(ground)
    )
}

/// A part of the picture that tells its figure to whoever points at it.
fn region(region: &Region) -> String {
    let ((x, y), (to, bottom)) = (region.from, region.to);
    let (width, height) = ((to - x).max(1), (bottom - y).max(1));
    format!(
        "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"><title>{}</title></rect>\n",
        escaped(&region.words)
    )
}

/// Text as it stands between two tags.
fn escaped(text: &str) -> String {
    printable(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Title and subtitle; gives where the content begins.
fn head(canvas: &mut Canvas, caption: &Caption) -> i32 {
    let (sheet, left) = (canvas.sheet, canvas.sheet.margin);
    let large = Type { size: if sheet.is_narrow() { 21.0 } else { TITLE.size }, ..TITLE };
    let title = large.balance(&caption.title, sheet.room(), 5);
    let y = canvas.lines(&title, (left, sheet.margin - 8), HPos::Left, large);
    let subtitle = SUBTITLE.wrap(&caption.subtitle, sheet.room(), 7);
    canvas.lines(&subtitle, (left, y + 6), HPos::Left, SUBTITLE) + 18
}

/// The note; gives the page's height.
fn foot(canvas: &mut Canvas, caption: &Caption, y: i32) -> i32 {
    let sheet = canvas.sheet;
    let note = SMALL.wrap(&caption.note, sheet.room(), 6);
    canvas.lines(&note, (sheet.margin, y + 14), HPos::Left, SMALL) + sheet.margin / 2
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
        let sheet = canvas.sheet;
        let lead = SMALL.shorten(self.lead, sheet.room() / 2);
        let (mut x, mut y) = (sheet.margin, top + LABEL.line() / 2);
        canvas.text(&lead, (x, y), HPos::Left, SMALL);
        x += if lead.is_empty() { 0 } else { SMALL.width(&lead) + ENTRY_GAP };
        let start = self.room + if self.room > 0 { 9 } else { 0 };
        for (at, label) in self.labels.iter().enumerate() {
            let label = LABEL.shorten(label, sheet.room() - start);
            let width = start + LABEL.width(&label);
            if x > sheet.margin && x + width > sheet.right() {
                (x, y) = (sheet.margin, y + step);
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
    pub(super) fn new(sheet: Sheet, count: usize, left: i32, gap: i32, least: i32) -> Self {
        let room = sheet.right() - left;
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
