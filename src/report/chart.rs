//! Pictures of shares, probabilities and differences, fit for a blog post: plain numbers and words in, SVG or PNG out.
//!
//! A [`Figure`] is drawn as SVG ([`draw`]) for a place and a page ([`Look`]); the PNG is that same SVG rasterised
//! ([`rasterise`]). Both use one embedded font, so that a picture has the same bytes on every machine.
//!
//! **Never:** rules, scenarios, statistics, files. This room is the only door to `plotters`, `resvg` and `dejavu`.

mod alt;
mod bars;
mod canvas;
mod columns;
mod curve;
mod flows;
mod heat;
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
    /// Two factors against a figure, in colours.
    Heat(Heat),
    /// The share of each number.
    Columns(Columns),
}

impl Figure {
    /// The words around it.
    pub fn caption(&self) -> &Caption {
        match self {
            Self::Outcomes(figure) => &figure.caption,
            Self::Curve(figure) => &figure.caption,
            Self::Bars(figure) => &figure.caption,
            Self::Flows(figure) => &figure.caption,
            Self::Heat(figure) => &figure.caption,
            Self::Columns(figure) => &figure.caption,
        }
    }

    /// What there is to see, in a few sentences.
    pub fn alt(&self) -> String {
        match self {
            Self::Outcomes(figure) => alt::outcomes(figure),
            Self::Curve(figure) => alt::curve(figure),
            Self::Bars(figure) => alt::bars(figure),
            Self::Flows(figure) => alt::flows(figure),
            Self::Heat(figure) => alt::heat(figure),
            Self::Columns(figure) => alt::columns(figure),
        }
    }
}

/// Where a picture is shown, and on what page.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Look {
    /// Where.
    pub size: Size,
    /// On what.
    pub theme: Theme,
}

/// Where a picture is shown.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Size {
    /// In the column of a blog, 840 px wide and as high as its content.
    #[default]
    Column,
    /// On a slide, 1920 by 1080 px.
    Slide,
    /// On a phone, 420 px wide and as high as its content.
    Phone,
}

/// The page a picture stands on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Theme {
    /// Dark on white.
    #[default]
    Light,
    /// Light on nearly black.
    Dark,
}

impl Look {
    /// How many pixels of a PNG stand for one of the drawing, so that it is sharp on today's screens.
    pub fn zoom(self) -> f32 {
        match self.size {
            Size::Column => 1.5,
            Size::Slide => 1.0,
            Size::Phone => 2.0,
        }
    }
}

/// The colours that are different on a dark page, each with what it is there, as they stand in an SVG document.
pub fn shades() -> impl Iterator<Item = (String, String)> {
    palette::SHADES.into_iter().map(|(light, dark)| (palette::hex(light), palette::hex(dark)))
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
    /// `shares[situation][variant]`: one for each outcome, in the same order, at most 1 together (what is missing to 1 is
    /// shown as unresolved). `None` where the situation does not arise.
    pub shares: Vec<Vec<Option<Vec<Segment>>>>,
}

/// One outcome's part of a bar.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Segment {
    /// Its own share.
    pub share: Share,
    /// The share of this outcome and all before it: how far the bar is filled.
    pub until: Share,
}

/// A share or a probability, and how surely it is known.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Share {
    /// In 0..=1.
    pub value: f64,
    /// Lower end of its interval, in 0..=1; the value itself where it is known exactly.
    pub low: f64,
    /// Upper end, likewise.
    pub high: f64,
}

impl Share {
    /// A share that is known exactly.
    pub fn exactly(value: f64) -> Self {
        Self { value, low: value, high: value }
    }

    /// An error unless it and its ends are shares; `panel` counts from 0.
    fn check(self, panel: usize) -> Result<(), ChartError> {
        [self.value, self.low, self.high].into_iter().try_for_each(|share| is_share(panel, share))
    }
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
    /// The probability.
    pub share: Share,
}

/// What the same dice give under two drafts: in each panel a column of shares for each, joined by ribbons.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Flows {
    /// The words around it.
    pub caption: Caption,
    /// Labels of the outcomes, best result first.
    pub outcomes: Vec<String>,
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
    /// `shares[left][right]`: how many of the trials have this on the left and that on the right, at most 1 together;
    /// behind the outcomes one more row and column for trials without any.
    pub shares: Vec<Vec<Share>>,
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
    /// What stands above it and those that follow; may be empty.
    pub heading: String,
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

/// Two factors against a figure: a field of colour for each pair of values, in panels that share their scale.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Heat {
    /// The words around it.
    pub caption: Caption,
    /// What the colours stand for, such as "chance of “Break”, in percent".
    pub scale_label: String,
    /// How surely the figures are known, in a sentence or two; may be empty.
    pub about: String,
    /// How a figure becomes a colour.
    pub tint: Tint,
    /// Labels of the rows, from top to bottom.
    pub rows: Vec<String>,
    /// What the rows differ in; may be empty.
    pub rows_label: String,
    /// Labels of the columns, from left to right.
    pub columns: Vec<String>,
    /// What the columns differ in; may be empty.
    pub columns_label: String,
    /// Whether the columns are numbers, so that some labels may be left out.
    pub columns_are_numbers: bool,
    /// At least one.
    pub panels: Vec<HeatPanel>,
}

/// How a figure becomes a colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Tint {
    /// The more, the darker.
    #[default]
    Amount,
    /// Less than 0 in one colour, more in another.
    Change,
}

/// One panel of [`Heat`].
#[derive(Clone, PartialEq, Debug, Default)]
pub struct HeatPanel {
    /// Its heading; may be empty.
    pub title: String,
    /// `cells[row][column]`: a share, or a difference of two in -1..=1; `None` where the situation does not arise.
    pub cells: Vec<Vec<Option<Share>>>,
}

/// The share of each number: a column for each variant, in panels that share their axes.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Columns {
    /// The words around it.
    pub caption: Caption,
    /// Labels of the variants, in the order of their columns.
    pub variants: Vec<String>,
    /// The numbers, or stretches of them, from left to right.
    pub numbers: Vec<String>,
    /// What the numbers are, such as "hits".
    pub x_label: String,
    /// What the shares are shares of.
    pub y_label: String,
    /// At least one.
    pub panels: Vec<ColumnsPanel>,
}

/// One panel of [`Columns`].
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ColumnsPanel {
    /// Its heading; may be empty.
    pub title: String,
    /// `shares[variant]`: one for each number; none where the variant has no such number.
    pub shares: Vec<Vec<Share>>,
    /// Each variant's mean, where it has one.
    pub means: Vec<Option<Mean>>,
}

/// A mean below an axis of numbers.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Mean {
    /// Where it stands, in columns' groups from the left: 0.5 is the middle of the first.
    pub place: f64,
    /// The mean as it is written.
    pub words: String,
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
pub fn draw(figure: &Figure, look: Look) -> Result<String, ChartError> {
    match figure {
        Figure::Outcomes(figure) => outcomes::check(figure),
        Figure::Curve(figure) => curve::check(figure),
        Figure::Flows(figure) => flows::check(figure),
        Figure::Bars(figure) => bars::check(figure),
        Figure::Heat(figure) => heat::check(figure),
        Figure::Columns(figure) => columns::check(figure),
    }?;
    page::document(figure.caption(), &figure.alt(), look, |canvas, top| match figure {
        Figure::Outcomes(figure) => outcomes::lay_out(canvas, figure, top),
        Figure::Curve(figure) => curve::lay_out(canvas, figure, top),
        Figure::Flows(figure) => flows::lay_out(canvas, figure, top),
        Figure::Bars(figure) => bars::lay_out(canvas, figure, top),
        Figure::Heat(figure) => heat::lay_out(canvas, figure, top),
        Figure::Columns(figure) => columns::lay_out(canvas, figure, top),
    })
}

/// An error if one of these lists has no entry.
fn filled(lists: &[(&'static str, usize)]) -> Result<(), ChartError> {
    let empty = lists.iter().find(|(_, length)| *length == 0);
    empty.map_or(Ok(()), |(what, _)| Err(ChartError::Empty(what)))
}

/// An error unless every number is one.
fn finite(numbers: impl IntoIterator<Item = f64>) -> Result<(), ChartError> {
    let wrong = numbers.into_iter().find(|number| !number.is_finite());
    wrong.map_or(Ok(()), |value| Err(ChartError::NotANumber { value }))
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
