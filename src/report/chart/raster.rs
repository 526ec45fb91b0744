//! From SVG to PNG.
//!
//! In: an SVG document. Out: the bytes of a PNG file.
//!
//! **Never:** fonts of the machine it runs on.

use super::ChartError;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb::Database};
use std::sync::{Arc, LazyLock};

/// The tallest page, in pixels.
pub(super) const TALLEST: u32 = 30_000;

/// The embedded font in the two weights that are used.
static FONTS: LazyLock<Arc<Database>> = LazyLock::new(|| {
    let mut fonts = Database::new();
    fonts.load_font_data(dejavu::sans::regular().to_vec());
    fonts.load_font_data(dejavu::sans::bold().to_vec());
    fonts.set_sans_serif_family("DejaVu Sans");
    fonts.set_serif_family("DejaVu Sans");
    Arc::new(fonts)
});

/// Reads an SVG document with no other font than the embedded one.
fn parse(svg: &str) -> Result<Tree, ChartError> {
    let options = Options { fontdb: Arc::clone(&FONTS), ..Options::default() };
    Tree::from_str(svg, &options).map_err(|error| ChartError::Refused(error.to_string()))
}

/// Turns an SVG document into a PNG file of `zoom` times its size in pixels.
///
/// # Errors
/// Text that is no SVG, or a picture more than 30,000 pixels tall.
pub fn rasterise(svg: &str, zoom: f32) -> Result<Vec<u8>, ChartError> {
    let tree = parse(svg)?;
    let size = tree.size().scale_by(zoom).unwrap_or(tree.size()).to_int_size();
    if size.height() > TALLEST {
        return Err(ChartError::TooTall { height: size.height(), most: TALLEST });
    }
    let mut pixels = Pixmap::new(size.width(), size.height())
        .ok_or_else(|| ChartError::Refused("no memory for the picture".to_owned()))?;
    // pixels are whole, so that the picture is stretched by less than one to fill them
    let across = size.width() as f32 / tree.size().width();
    let down = size.height() as f32 / tree.size().height();
    resvg::render(&tree, Transform::from_scale(across, down), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| ChartError::Refused(error.to_string()))
}
