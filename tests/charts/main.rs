//! Charts over hard cases: they are valid, the same each time, and no two texts touch.
//!
//! `cargo test --test charts -- --ignored` leaves every case as SVG and PNG in `target/tmp/charts`, to be looked at.

mod all;
mod bars;
mod columns;
mod curve;
mod flows;
mod heat;
mod outcomes;
mod refused;

use bars::hard_bars;
use columns::hard_columns;
use curve::{curve, hard_curves};
use flows::hard_flows;
use heat::hard_heats;
use houserule::report::chart::{
    Bar, Bars, Caption, ChartError, Columns, ColumnsPanel, Curve, CurvePanel, Figure, FlowPanel, Flows, Heat,
    HeatPanel, Look, Mean, Outcomes, Point, Segment, Share, SharesPanel, Size, Theme, Tint, draw, rasterise,
    shades,
};
use outcomes::{break_results, eight_panels, hard_shares, outcomes};
use resvg::tiny_skia::Pixmap;
use resvg::usvg::{Group, Node, Options, Rect, Tree, fontdb::Database};
use std::sync::Arc;

/// Shares that add up to 1 and differ from bar to bar: a geometric series whose ratio depends on the place.
fn shares(outcomes: usize, seed: usize) -> Vec<f64> {
    let ratio = 0.35 + 0.13 * (seed % 9) as f64;
    let weights: Vec<f64> = (0..outcomes).map(|at| ratio.powi(at as i32)).collect();
    let sum: f64 = weights.iter().sum();
    weights.iter().map(|weight| weight / sum).collect()
}

/// Shares of a bar that are known exactly.
fn segments(shares: Vec<f64>) -> Vec<Segment> {
    known(shares, 0.0)
}

/// Shares of a bar that are known to within so much.
fn known(shares: Vec<f64>, within: f64) -> Vec<Segment> {
    let share = |value: f64| Share {
        value,
        low: (value - within).max(0.0),
        high: (value + within).min(value.max(1.0)),
    };
    let mut sum = 0.0;
    let segment = |value: f64| {
        sum += value;
        Segment { share: share(value), until: share(sum) }
    };
    shares.into_iter().map(segment).collect()
}

/// A picture for the column of a blog.
fn drawn(figure: &Figure) -> Result<String, ChartError> {
    draw(figure, Look::default())
}

/// Its pixels, one for each of the document.
fn raster(svg: &str) -> Vec<u8> {
    rasterise(svg, 1.0).expect("a picture")
}

fn names(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

fn numbered(what: &str, count: usize) -> Vec<String> {
    (0..count).map(|at| format!("{what} {at}")).collect()
}

/// Three names of 30 letters.
fn long_names() -> Vec<String> {
    let names = names(&[
        "Modified Hail Caesar, lenient!",
        "Modified Hail Caesar, harsher?",
        "Original Black Powder, 2nd ed.",
    ]);
    assert!(names.iter().all(|name| name.len() == 30));
    names
}

fn hard_cases() -> Vec<(&'static str, Figure)> {
    let shares = hard_shares().into_iter().map(|(name, figure)| (name, Figure::Outcomes(figure)));
    let curves = hard_curves().into_iter().map(|(name, figure)| (name, Figure::Curve(figure)));
    let flows = hard_flows().into_iter().map(|(name, figure)| (name, Figure::Flows(figure)));
    let bars = hard_bars().into_iter().map(|(name, figure)| (name, Figure::Bars(figure)));
    let heats = hard_heats().into_iter().map(|(name, figure)| (name, Figure::Heat(figure)));
    let columns = hard_columns().into_iter().map(|(name, figure)| (name, Figure::Columns(figure)));
    shares.chain(curves).chain(bars).chain(flows).chain(heats).chain(columns).collect()
}

fn parse(svg: &str) -> Tree {
    let mut fonts = Database::new();
    fonts.load_font_data(dejavu::sans::regular().to_vec());
    fonts.load_font_data(dejavu::sans::bold().to_vec());
    Tree::from_str(svg, &Options { fontdb: Arc::new(fonts), ..Options::default() }).expect("an SVG document")
}

/// Every text with its box.
fn texts(group: &Group, found: &mut Vec<(String, Rect)>) {
    for node in group.children() {
        match node {
            Node::Group(group) => texts(group, found),
            Node::Text(text) => {
                let words = text.chunks().iter().map(|chunk| chunk.text()).collect();
                found.push((words, text.abs_bounding_box()));
            }
            _ => {}
        }
    }
}

fn texts_of(svg: &str) -> Vec<(String, Rect)> {
    let mut found = Vec::new();
    texts(parse(svg).root(), &mut found);
    found
}

/// The box of the only text with these words.
fn place_of(found: &[(String, Rect)], words: &str) -> Rect {
    let places: Vec<_> = found.iter().filter(|(text, _)| text == words).collect();
    assert_eq!(places.len(), 1, "`{words}` among {found:?}");
    places[0].1
}

fn middle(place: &Rect) -> (f32, f32) {
    ((place.left() + place.right()) / 2.0, (place.top() + place.bottom()) / 2.0)
}

fn colour(pixels: &Pixmap, (x, y): (f32, f32)) -> (u8, u8, u8) {
    let pixel = pixels.pixel(x as u32, y as u32).expect("a spot on the page");
    (pixel.red(), pixel.green(), pixel.blue())
}
