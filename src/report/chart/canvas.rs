//! A page that is drawn on from top to bottom, in pixels.
//!
//! In: shapes and texts with their places. Out: the elements of an SVG document.
//!
//! **Never:** what is drawn.

use super::page::Sheet;
use super::words::{Type, printable};
use super::{ChartError, Theme, palette};
use plotters::coord::Shift;
use plotters::element::{CoordMapper, DashedPathElement, Drawable, PathElement, PointCollection, Polygon};
use plotters::prelude::{Circle, Color, DrawingArea, IntoDrawingArea, Rectangle, SVGBackend, TextStyle};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{RGBColor, ShapeStyle};

/// A place: pixels from the left and from the top.
pub(super) type Spot = (i32, i32);

/// The library draws at whole numbers only, which makes sloping dashes wobble; so it is given quarters of a pixel.
pub(super) const QUARTERS: i32 = 4;

/// A place in quarters of a pixel; `nudge` such quarters further right and down.
fn fine((x, y): Spot, nudge: i32) -> Spot {
    (x.saturating_mul(QUARTERS).saturating_add(nudge), y.saturating_mul(QUARTERS).saturating_add(nudge))
}

/// The same for many places, at the middle of their pixels, where a line is sharp.
fn middles(places: &[Spot]) -> Vec<Spot> {
    places.iter().map(|place| fine(*place, QUARTERS / 2)).collect()
}

/// A part of the page that has words of its own.
pub(super) struct Region {
    /// Its upper left corner.
    pub(super) from: Spot,
    /// Its lower right corner.
    pub(super) to: Spot,
    /// What it says.
    pub(super) words: String,
}

/// A page under the pen.
pub(super) struct Canvas<'a> {
    /// How large the page is.
    pub(super) sheet: Sheet,
    theme: Theme,
    area: DrawingArea<SVGBackend<'a>, Shift>,
    regions: Vec<Region>,
    fault: Option<String>,
}

/// A pen for lines.
fn pen(colour: RGBColor, width: u32) -> ShapeStyle {
    ShapeStyle { color: colour.to_rgba(), filled: false, stroke_width: width * QUARTERS as u32 }
}

impl<'a> Canvas<'a> {
    /// A page of this size, whose elements are appended to `body`.
    pub(super) fn new(body: &'a mut String, size: (u32, u32), sheet: Sheet, theme: Theme) -> Self {
        let area = SVGBackend::with_string(body, size).into_drawing_area();
        Self { sheet, theme, area, regions: Vec::new(), fault: None }
    }

    /// Ends the page; gives the parts that have words of their own, in the order of reading.
    ///
    /// # Errors
    /// The first element that the drawing library refused.
    pub(super) fn finish(self) -> Result<Vec<Region>, ChartError> {
        self.area.present().map_err(|error| ChartError::Refused(error.to_string()))?;
        self.fault.map_or(Ok(self.regions), |fault| Err(ChartError::Refused(fault)))
    }

    /// What is said of the part between two corners to whoever points at it.
    pub(super) fn say(&mut self, from: Spot, to: Spot, words: String) {
        self.regions.push(Region { from, to, words });
    }

    /// How a colour looks on this page.
    fn shade(&self, colour: RGBColor) -> RGBColor {
        palette::shade(colour, self.theme)
    }

    /// Draws one element. A refusal is kept for [`Canvas::finish`], so that layouts read as plain lists of what to draw.
    fn put<E, B>(&mut self, element: &E)
    where
        B: CoordMapper,
        for<'b> &'b E: PointCollection<'b, Spot, B>,
        E: Drawable<SVGBackend<'a>, B>,
    {
        if let Err(error) = self.area.draw(element) {
            self.fault.get_or_insert_with(|| error.to_string());
        }
    }

    /// A filled rectangle between two corners.
    pub(super) fn fill(&mut self, from: Spot, to: Spot, colour: RGBColor) {
        self.put(&Rectangle::new([fine(from, 0), fine(to, 0)], self.shade(colour).filled()));
    }

    /// A sharp upright or level line, one pixel wide, both ends included.
    pub(super) fn hairline(&mut self, from: Spot, to: Spot, colour: RGBColor) {
        self.fill(from, (to.0 + 1, to.1 + 1), colour);
    }

    /// A line through some places, `width` pixels wide.
    pub(super) fn line(&mut self, places: &[Spot], colour: RGBColor, width: u32) {
        self.put(&PathElement::new(middles(places), pen(self.shade(colour), width)));
    }

    /// The same, broken: `dash` pixels drawn, `gap` pixels left out.
    pub(super) fn dashes(&mut self, places: &[Spot], colour: RGBColor, width: u32, (dash, gap): (i32, i32)) {
        let (dash, gap) = (dash * QUARTERS, gap * QUARTERS);
        self.put(&DashedPathElement::new(middles(places), dash, gap, pen(self.shade(colour), width)));
    }

    /// A filled shape; `share` 0..=1 of its colour covers what is below.
    pub(super) fn shape(&mut self, corners: &[Spot], colour: RGBColor, share: f64) {
        self.put(&Polygon::new(middles(corners), self.shade(colour).mix(share).filled()));
    }

    /// A filled disc.
    pub(super) fn disc(&mut self, centre: Spot, radius: i32, colour: RGBColor) {
        self.put(&Circle::new(fine(centre, QUARTERS / 2), radius * QUARTERS, self.shade(colour).filled()));
    }

    /// One line of text. `at` is its left end, middle or right end, and the middle of its capitals' height.
    pub(super) fn text(&mut self, text: &str, at: Spot, side: HPos, kind: Type) {
        let text = printable(text);
        if text.is_empty() {
            return;
        }
        // The backend hangs text 0.76 em above its line, and writes its size divided by 1.24; a capital is 0.729 em high.
        let drop = (0.729 / 2.0 - 0.76) * kind.size * f64::from(QUARTERS);
        let (x, middle) = fine(at, 0);
        let style = TextStyle {
            font: kind.font(kind.size * f64::from(QUARTERS) * 1.24),
            color: self.shade(kind.ink).to_backend_color(),
            pos: Pos::new(side, VPos::Top),
        };
        if let Err(error) = self.area.draw_text(&text, &style, (x, middle + drop.round() as i32)) {
            self.fault.get_or_insert_with(|| error.to_string());
        }
    }

    /// Lines of text under one another, the first with its top at `at`; gives the bottom of the last.
    pub(super) fn lines(&mut self, lines: &[String], at: Spot, side: HPos, kind: Type) -> i32 {
        let mut y = at.1;
        for line in lines {
            self.text(line, (at.0, y + kind.line() / 2), side, kind);
            y += kind.line();
        }
        y
    }

    /// A rectangle of colour with a thin rim inside its edge.
    pub(super) fn swatch(&mut self, from: Spot, to: Spot, colour: RGBColor) {
        self.fill(from, to, palette::RULE);
        self.fill((from.0 + 1, from.1 + 1), (to.0 - 1, to.1 - 1), colour);
    }
}
