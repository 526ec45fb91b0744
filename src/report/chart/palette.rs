//! Colours that stay apart for colour-blind readers and on grey paper.
//!
//! In: a place in an order. Out: a colour.
//!
//! **Never:** what a colour stands for.

use plotters::style::RGBColor;

/// Ordinary text.
pub(super) const INK: RGBColor = RGBColor(0x1d, 0x23, 0x2b);
/// Text of second rank.
pub(super) const SOFT_INK: RGBColor = RGBColor(0x50, 0x5a, 0x66);
/// Axes and outlines.
pub(super) const RULE: RGBColor = RGBColor(0xa6, 0xae, 0xb8);
/// Lines of the grid.
pub(super) const GRID: RGBColor = RGBColor(0xe1, 0xe5, 0xea);
/// The page.
pub(super) const PAPER: RGBColor = RGBColor(255, 255, 255);

/// From good to bad at equal steps: blue, pale, orange, dark red. Blue is lighter than dark red, so that the ends differ
/// in grey as well.
const RAMP: [RGBColor; 7] = [
    RGBColor(0x2f, 0x7f, 0xc1),
    RGBColor(0x7d, 0xb5, 0xde),
    RGBColor(0xc3, 0xde, 0xef),
    RGBColor(0xf7, 0xf0, 0xdc),
    RGBColor(0xfb, 0xc2, 0x75),
    RGBColor(0xe0, 0x6c, 0x29),
    RGBColor(0x86, 0x1a, 0x12),
];

/// The colour of an outcome: `index` 0 is the best of `count`.
pub(super) fn outcome(index: usize, count: usize) -> RGBColor {
    let last = RAMP.len() - 1;
    let place = (index * last) as f64 / count.saturating_sub(1).max(1) as f64;
    let step = (place as usize).min(last - 1);
    mix(RAMP[step], RAMP[step + 1], place - step as f64)
}

/// The colour between two colours; `share` 0..=1 of the second.
fn mix(from: RGBColor, to: RGBColor, share: f64) -> RGBColor {
    let between = |a: u8, b: u8| (f64::from(a) + (f64::from(b) - f64::from(a)) * share).round() as u8;
    RGBColor(between(from.0, to.0), between(from.1, to.1), between(from.2, to.2))
}

/// The colours of lines, told apart by readers with any colour vision.
///
/// **Source:** Okabe and Ito, *Color Universal Design* (2008), without yellow, which is too pale for a line.
const LINES: [RGBColor; 6] = [
    RGBColor(0x00, 0x72, 0xb2),
    RGBColor(0xd5, 0x5e, 0x00),
    RGBColor(0x00, 0x9e, 0x73),
    RGBColor(0xcc, 0x79, 0xa7),
    RGBColor(0x00, 0x00, 0x00),
    RGBColor(0x56, 0xb4, 0xe9),
];

/// The colour of a variant's line; after six they come again.
pub(super) fn line(index: usize) -> RGBColor {
    LINES[index % LINES.len()]
}

/// The ink that is easier to read on a colour: dark or white.
pub(super) fn ink_on(ground: RGBColor) -> RGBColor {
    let light = luminance(ground);
    let on_white = 1.05 / (light + 0.05);
    let on_dark = (light + 0.05) / (luminance(INK) + 0.05);
    if on_white > on_dark { PAPER } else { INK }
}

/// How light a colour is, 0 (black) to 1 (white).
///
/// **Source:** relative luminance, Web Content Accessibility Guidelines 2.2.
fn luminance(colour: RGBColor) -> f64 {
    let linear = |part: u8| {
        let part = f64::from(part) / 255.0;
        if part <= 0.04045 { part / 12.92 } else { libm::pow((part + 0.055) / 1.055, 2.4) }
    };
    0.2126 * linear(colour.0) + 0.7152 * linear(colour.1) + 0.0722 * linear(colour.2)
}
