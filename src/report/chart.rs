//! Pictures of shares, probabilities and differences, fit for a blog post: plain numbers and words in, SVG or PNG out.
//!
//! A [`Figure`] is drawn once, as SVG ([`draw`]); the PNG is that same SVG rasterised ([`rasterise`]). Both use one
//! embedded font, so that a picture has the same bytes on every machine. Pages are 1200 px wide and as high as their
//! content.
//!
//! **Never:** rules, scenarios, statistics, files. This room is the only door to `plotters`, `resvg` and `dejavu`.

mod bars;
mod canvas;
mod curve;
mod flows;
mod outcomes;
mod page;
mod palette;
mod raster;
mod words;

pub use raster::rasterise;

/// What can be drawn.
#[derive(Clone, PartialEq, Debug)]
pub enum Figure {
    /// Stacked shares of every outcome.
    Outcomes(Outcomes),
    /// One outcome's probability against a number.
    Curve(Curve),
    /// What the same dice give under two drafts.
    Flows(Flows),
    /// By how much changes move something.
    Bars(Bars),
}

impl Figure {
    /// The words around it.
    pub fn caption(&self) -> &Caption {
        match self {
            Self::Outcomes(figure) => &figure.caption,
            Self::Curve(figure) => &figure.caption,
            Self::Bars(figure) => &figure.caption,
            Self::Flows(figure) => &figure.caption,
        }
    }
}

/// The words around a picture; each but the title may be empty.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Caption {
    /// What the picture shows, in one sentence.
    pub title: String,
    /// What was held at what.
    pub subtitle: String,
    /// Where the numbers come from; stands below the picture.
    pub note: String,
}

/// Stacked shares: a bar for each variant in each situation, in panels that share their axes.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Outcomes {
    /// The words around it.
    pub caption: Caption,
    /// Labels of the outcomes, best result first.
    pub outcomes: Vec<String>,
    /// What the outcomes are, such as "Best result first:"; stands before the legend, may be empty.
    pub outcomes_label: String,
    /// Labels of the variants, in the order of their bars.
    pub variants: Vec<String>,
    /// Labels of the situations, from top to bottom.
    pub situations: Vec<String>,
    /// What the situations differ in, such as "casualties beyond Stamina".
    pub situations_label: String,
    /// What the shares are shares of, such as "share of break tests".
    pub shares_label: String,
    /// At least one.
    pub panels: Vec<SharesPanel>,
}

/// One panel of [`Outcomes`].
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SharesPanel {
    /// Its heading; may be empty.
    pub title: String,
    /// `shares[situation][variant]`: one share in 0..=1 for each outcome, in the same order, at most 1 together (what is
    /// missing to 1 is shown as unresolved). `None` where the situation does not arise.
    pub shares: Vec<Vec<Option<Vec<f64>>>>,
}

/// A probability against a number: a line for each variant, in panels that share their axes.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Curve {
    /// The words around it.
    pub caption: Caption,
    /// Labels of the variants.
    pub variants: Vec<String>,
    /// What the number is, such as "casualties beyond Stamina".
    pub x_label: String,
    /// What is probable, such as "chance to break".
    pub y_label: String,
    /// At least one.
    pub panels: Vec<CurvePanel>,
}

/// One panel of [`Curve`].
#[derive(Clone, PartialEq, Debug, Default)]
pub struct CurvePanel {
    /// Its heading; may be empty.
    pub title: String,
    /// `points[variant]`: its points, in any order; none where the variant has no such situation.
    pub points: Vec<Vec<Point>>,
}

/// One point of a line, with its interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Point {
    /// The number on the horizontal axis.
    pub x: i32,
    /// The probability, in 0..=1.
    pub probability: f64,
    /// Lower end of its interval, in 0..=1.
    pub low: f64,
    /// Upper end of its interval, in 0..=1.
    pub high: f64,
}

/// What the same dice give under two drafts: in each panel a column of shares for each, joined by ribbons.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Flows {
    /// The words around it.
    pub caption: Caption,
    /// Labels of the outcomes, best result first.
    pub outcomes: Vec<String>,
    /// What the outcomes are; stands before the legend, may be empty.
    pub outcomes_label: String,
    /// At least one.
    pub panels: Vec<FlowPanel>,
}

/// One panel of [`Flows`].
#[derive(Clone, PartialEq, Debug, Default)]
pub struct FlowPanel {
    /// Its heading; may be empty.
    pub title: String,
    /// What stands above the left and the right column.
    pub names: [String; 2],
    /// `shares[left][right]`: how many of the trials have this on the left and that on the right, in 0..=1, at most 1
    /// together; behind the outcomes one more row and column for trials without any.
    pub shares: Vec<Vec<f64>>,
}

/// Bars left and right of zero, one below another, each with a whisker.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Bars {
    /// The words around it.
    pub caption: Caption,
    /// What bars and whiskers are, in a sentence or two.
    pub about: String,
    /// What the numbers are, such as "change in percentage points".
    pub x_label: String,
    /// From top to bottom; at least one.
    pub bars: Vec<Bar>,
}

/// One bar.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Bar {
    /// What it is.
    pub label: String,
    /// The same further, in small letters below; may be empty.
    pub detail: String,
    /// Its value as it is written beside it.
    pub figure: String,
    /// How far it reaches from zero, in the axis' unit.
    pub value: f64,
    /// The whisker's lower end.
    pub low: f64,
    /// The whisker's upper end.
    pub high: f64,
}

/// Why there is no picture.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum ChartError {
    /// A list that must have entries has none.
    #[error("there is nothing to draw: the chart has no {0}")]
    Empty(&'static str),
    /// A panel's table does not fit the chart's labels.
    #[error("panel {panel} of the chart has {found} {what} where {expected} are named")]
    Misfit {
        /// Its number, from 1.
        panel: usize,
        /// What was counted.
        what: &'static str,
        /// How many the panel has.
        found: usize,
        /// How many labels there are.
        expected: usize,
    },
    /// A share or probability outside 0..=1, or shares above 1 together.
    #[error("panel {panel} of the chart has {value} where a share between 0 and 1 must stand")]
    NotAShare {
        /// The panel's number, from 1.
        panel: usize,
        /// What stands there.
        value: f64,
    },
    /// An infinite bar, or one that is no number.
    #[error("the chart has {value} where a number must stand")]
    NotANumber {
        /// What stands there.
        value: f64,
    },
    /// The picture would be too tall to be of use, or for memory.
    #[error("the chart would be {height} pixels tall; the most is {most}: draw fewer situations or panels")]
    TooTall {
        /// Its height in pixels.
        height: u32,
        /// The limit in pixels.
        most: u32,
    },
    /// The drawing or rasterising library refused.
    #[error("the chart could not be drawn: {0}")]
    Refused(String),
}

/// Draws a figure as an SVG document.
///
/// # Errors
/// Nothing to draw, a table that does not fit its labels, a number that is no share, a picture that would be too tall.
pub fn draw(figure: &Figure) -> Result<String, ChartError> {
    match figure {
        Figure::Outcomes(figure) => {
            outcomes::check(figure)?;
            page::document(&figure.caption, |canvas, top| outcomes::lay_out(canvas, figure, top))
        }
        Figure::Curve(figure) => {
            curve::check(figure)?;
            page::document(&figure.caption, |canvas, top| curve::lay_out(canvas, figure, top))
        }
        Figure::Flows(figure) => {
            flows::check(figure)?;
            page::document(&figure.caption, |canvas, top| flows::lay_out(canvas, figure, top))
        }
        Figure::Bars(figure) => {
            bars::check(figure)?;
            page::document(&figure.caption, |canvas, top| bars::lay_out(canvas, figure, top))
        }
    }
}

/// An error unless as many are found as there are labels.
fn fits(panel: usize, what: &'static str, found: usize, expected: usize) -> Result<(), ChartError> {
    if found == expected {
        Ok(())
    } else {
        Err(ChartError::Misfit { panel: panel + 1, what, found, expected })
    }
}

/// An error unless the number is a share; a rounding error above 1 is none.
fn is_share(panel: usize, value: f64) -> Result<(), ChartError> {
    let good = (0.0..=1.0 + 1e-6).contains(&value);
    if good { Ok(()) } else { Err(ChartError::NotAShare { panel: panel + 1, value }) }
}
