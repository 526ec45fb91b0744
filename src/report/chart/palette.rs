//! Colours that stay apart for colour-blind readers and on grey paper.
//!
//! In: a place in an order. Out: a colour; and how it looks on a dark page.
//!
//! **Never:** what a colour stands for.

use super::Theme;
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
pub(super) const PAPER: RGBColor = RGBColor(0xff, 0xff, 0xff);
/// Light words on a colour; the same on a dark page, as the colour is.
pub(super) const LIGHT_INK: RGBColor = RGBColor(0xfe, 0xfe, 0xfe);
/// Dark words on a colour; the same on a dark page.
pub(super) const DARK_INK: RGBColor = RGBColor(0x1c, 0x22, 0x2a);

/// What looks different on a dark page; all other colours are the same on both.
pub(super) const SHADES: [(RGBColor, RGBColor); 7] = [
    (INK, RGBColor(0xe9, 0xec, 0xf0)),
    (SOFT_INK, RGBColor(0xaa, 0xb4, 0xc0)),
    (RULE, RGBColor(0x6b, 0x75, 0x81)),
    (GRID, RGBColor(0x2d, 0x35, 0x3f)),
    (PAPER, RGBColor(0x15, 0x1a, 0x21)),
    (BLACK, RGBColor(0xf2, 0xe9, 0xd8)),
    (LINES[0], RGBColor(0x3f, 0x9b, 0xdd)),
];

/// How a colour looks on a light or a dark page.
pub(super) fn shade(colour: RGBColor, theme: Theme) -> RGBColor {
    let dark = SHADES.iter().find(|(light, _)| *light == colour && theme == Theme::Dark);
    dark.map_or(colour, |(_, dark)| *dark)
}

/// `#RRGGBB`, as the drawing library writes it.
pub(super) fn hex(colour: RGBColor) -> String {
    format!("#{:02X}{:02X}{:02X}", colour.0, colour.1, colour.2)
}

/// From good to bad at equal steps: blue, pale, orange, dark red. Blue is lighter than dark red, so that the ends differ
/// in grey as well.
const RAMP: [RGBColor; 7] = [
    RGBColor(0x2f, 0x7f, 0xc1),
    RGBColor(0x7a, 0xb2, 0xdd),
    RGBColor(0xcd, 0xe3, 0xf2),
    RGBColor(0xf9, 0xf3, 0xe1),
    RGBColor(0xf6, 0xb0, 0x5b),
    RGBColor(0xd9, 0x62, 0x22),
    RGBColor(0x86, 0x1a, 0x12),
];

/// The colour of an outcome: `index` 0 is the best of `count`.
pub(super) fn outcome(index: usize, count: usize) -> RGBColor {
    let last = RAMP.len() - 1;
    let place = (index * last) as f64 / count.saturating_sub(1).max(1) as f64;
    let step = (place as usize).min(last - 1);
    mix(RAMP[step], RAMP[step + 1], place - step as f64)
}

/// From little to much: one hue, from pale to dark.
const AMOUNTS: [RGBColor; 3] =
    [RGBColor(0xf1, 0xea, 0xf6), RGBColor(0x9a, 0x78, 0xb8), RGBColor(0x3a, 0x16, 0x5c)];

/// The colour of step `index` of `count` from little to much.
pub(super) fn amount(index: usize, count: usize) -> RGBColor {
    along(&AMOUNTS, if count < 2 { 0.5 } else { index as f64 / (count - 1) as f64 })
}

/// No change, and from little to much of less and of more.
const STILL: RGBColor = RGBColor(0xf4, 0xf1, 0xea);
const LESS: [RGBColor; 3] =
    [RGBColor(0xc9, 0xdf, 0xf0), RGBColor(0x4f, 0x97, 0xcd), RGBColor(0x0b, 0x3f, 0x78)];
const MORE: [RGBColor; 3] =
    [RGBColor(0xfb, 0xd5, 0xa8), RGBColor(0xe0, 0x7b, 0x2d), RGBColor(0x80, 0x28, 0x0b)];

/// The colour of a change of so many steps out of `most` to either side; 0 is none.
pub(super) fn change(steps: i32, most: i32) -> RGBColor {
    let place = if most < 2 { 0.5 } else { f64::from(steps.abs() - 1) / f64::from(most - 1) };
    match steps {
        0 => STILL,
        less if less < 0 => along(&LESS, place),
        _ => along(&MORE, place),
    }
}

/// The colour at a place in 0..=1 along some colours at equal distances.
fn along(colours: &[RGBColor; 3], place: f64) -> RGBColor {
    let [from, middle, to] = *colours;
    if place < 0.5 { mix(from, middle, place * 2.0) } else { mix(middle, to, place * 2.0 - 1.0) }
}

/// The colour between two colours; `share` 0..=1 of the second.
fn mix(from: RGBColor, to: RGBColor, share: f64) -> RGBColor {
    let between = |a: u8, b: u8| (f64::from(a) + (f64::from(b) - f64::from(a)) * share).round() as u8;
    RGBColor(between(from.0, to.0), between(from.1, to.1), between(from.2, to.2))
}

/// A line's black.
const BLACK: RGBColor = RGBColor(0, 0, 0);

/// The colours of lines, told apart by readers with any colour vision.
///
/// **Source:** Okabe and Ito, *Color Universal Design* (2008), without yellow, which is too pale for a line.
const LINES: [RGBColor; 6] = [
    RGBColor(0x00, 0x72, 0xb2),
    RGBColor(0xd5, 0x5e, 0x00),
    RGBColor(0x00, 0x9e, 0x73),
    RGBColor(0xcc, 0x79, 0xa7),
    BLACK,
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
    let on_dark = (light + 0.05) / (luminance(DARK_INK) + 0.05);
    if on_white > on_dark { LIGHT_INK } else { DARK_INK }
}

/// How light a colour is, 0 (black) to 1 (white).
///
/// **Source:** relative luminance, Web Content Accessibility Guidelines 2.2.
pub(super) fn luminance(colour: RGBColor) -> f64 {
    let linear = |part: u8| {
        let part = f64::from(part) / 255.0;
        if part <= 0.04045 { part / 12.92 } else { libm::pow((part + 0.055) / 1.055, 2.4) }
    };
    0.2126 * linear(colour.0) + 0.7152 * linear(colour.1) + 0.0722 * linear(colour.2)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Red, green and blue as light, not as bytes.
    fn linear(colour: RGBColor) -> [f64; 3] {
        [colour.0, colour.1, colour.2].map(|part| luminance(RGBColor(part, part, part)))
    }

    /// What someone without red or green receptors sees, as linear light.
    ///
    /// **Source:** Machado, Oliveira and Fernandes (2009), severity 1.0.
    const NO_RED: [[f64; 3]; 3] =
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]];
    const NO_GREEN: [[f64; 3]; 3] =
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]];
    const NO_COLOUR: [[f64; 3]; 3] = [[0.2126, 0.7152, 0.0722]; 3];
    const ALL: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

    /// CIE 1976 L*, a*, b* (white D65) of linear light as seen through one of the tables.
    fn lab(light: [f64; 3], seen: &[[f64; 3]; 3]) -> [f64; 3] {
        let dot = |row: [f64; 3], light: [f64; 3]| -> f64 { row.iter().zip(light).map(|(a, b)| a * b).sum() };
        let light = seen.map(|row| dot(row, light).clamp(0.0, 1.0));
        let root = |part: f64| {
            if part > 0.008_856 { libm::cbrt(part) } else { part * 7.787 + 16.0 / 116.0 }
        };
        let x = root(dot([0.4124, 0.3576, 0.1805], light) / 0.9505);
        let y = root(dot([0.2126, 0.7152, 0.0722], light));
        let z = root(dot([0.0193, 0.1192, 0.9505], light) / 1.089);
        [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
    }

    /// How far apart two colours are for a reader; about 2 can just be seen.
    fn distance(a: RGBColor, b: RGBColor, seen: &[[f64; 3]; 3]) -> f64 {
        let (a, b) = (lab(linear(a), seen), lab(linear(b), seen));
        a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
    }

    #[test]
    fn black_and_white_are_a_hundred_apart() {
        let apart = distance(RGBColor(0, 0, 0), PAPER, &ALL);
        assert!((apart - 100.0).abs() < 0.1, "{apart}"); // the scale's definition
    }

    #[test]
    fn neighbouring_outcomes_are_told_apart_by_every_reader() {
        for count in 2..=10 {
            for index in 1..count {
                let (one, two) = (outcome(index - 1, count), outcome(index, count));
                for (reader, seen) in [("all", ALL), ("no red", NO_RED), ("no green", NO_GREEN)] {
                    let apart = distance(one, two, &seen);
                    assert!(apart > 8.0, "{index} of {count}, {reader}: {apart}");
                }
                let apart = distance(one, two, &NO_COLOUR);
                assert!(apart > 3.0, "{index} of {count} in grey: {apart}");
            }
        }
    }

    /// Every step from little to much, of as many as there may be.
    fn amounts(count: usize) -> Vec<RGBColor> {
        (0..count).map(|index| amount(index, count)).collect()
    }

    /// Every step from least to most, with that of no change between them.
    fn changes(most: i32) -> Vec<RGBColor> {
        (-most..=most).map(|steps| change(steps, most)).collect()
    }

    #[test]
    fn neighbouring_steps_of_a_scale_are_told_apart_by_every_reader() {
        let scales = (2..=10).map(amounts).chain((1..=5).map(changes));
        for scale in scales {
            for (at, pair) in scale.windows(2).enumerate() {
                for (reader, seen) in
                    [("all", ALL), ("no red", NO_RED), ("no green", NO_GREEN), ("grey", NO_COLOUR)]
                {
                    let apart = distance(pair[0], pair[1], &seen);
                    assert!(apart > 6.0, "{at} of {}, {reader}: {apart}", scale.len());
                }
            }
        }
    }

    #[test]
    fn more_is_darker_and_less_as_dark_as_more() {
        let lightness = |colour: RGBColor| lab(linear(colour), &ALL)[0];
        let amounts: Vec<f64> = amounts(10).into_iter().map(lightness).collect();
        assert!(amounts.is_sorted_by(|one, next| one > next), "{amounts:?}");
        for steps in 1..=5 {
            let (less, more) = (lightness(change(-steps, 5)), lightness(change(steps, 5)));
            assert!((less - more).abs() < 5.0, "{steps}: {less} and {more}");
            assert!(lightness(STILL) > less && lightness(STILL) > more);
        }
    }

    #[test]
    fn less_and_more_are_told_apart_by_every_reader() {
        for steps in 1..=5 {
            for seen in [ALL, NO_RED, NO_GREEN] {
                let apart = distance(change(-steps, 5), change(steps, 5), &seen);
                assert!(apart > 20.0, "{steps}: {apart}");
            }
        }
    }

    #[test]
    fn figures_on_a_step_can_be_read() {
        for ground in (1..=10).flat_map(amounts).chain((1..=5).flat_map(changes)) {
            let (one, two) = (luminance(ground), luminance(ink_on(ground)));
            let contrast = (one.max(two) + 0.05) / (one.min(two) + 0.05);
            assert!(contrast > 3.9, "{ground:?}: {contrast}"); // as far as two inks can do on any ground
        }
    }

    #[test]
    fn best_and_worst_differ_for_every_reader_and_in_grey() {
        for seen in [ALL, NO_RED, NO_GREEN, NO_COLOUR] {
            let apart = distance(outcome(0, 4), outcome(3, 4), &seen);
            assert!(apart > 20.0, "{apart}");
        }
    }

    #[test]
    fn the_lines_of_five_variants_are_told_apart_by_every_reader() {
        for one in 0..5 {
            for two in 0..one {
                for seen in [ALL, NO_RED, NO_GREEN] {
                    let apart = distance(line(one), line(two), &seen);
                    assert!(apart > 11.0, "{one} and {two}: {apart}");
                }
            }
        }
    }

    #[test]
    fn words_on_a_colour_keep_the_contrast_that_large_text_needs() {
        for count in 2..=10 {
            for ground in (0..count).map(|index| outcome(index, count)) {
                let (one, two) = (luminance(ground), luminance(ink_on(ground)));
                let contrast = (one.max(two) + 0.05) / (one.min(two) + 0.05);
                assert!(contrast > 3.0, "{ground:?}: {contrast}"); // WCAG 2.2, 1.4.3
            }
        }
    }

    #[test]
    fn a_single_outcome_has_a_colour() {
        assert_eq!(outcome(0, 1), RAMP[0]);
    }
}
