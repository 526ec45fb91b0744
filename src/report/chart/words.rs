//! How wide words are, and how they are made to fit.
//!
//! In: text and room in pixels. Out: lines that fit.
//!
//! **Never:** where the text will stand.

use super::super::words::percent;
use super::{Share, palette};
use plotters::style::{FontDesc, FontFamily, FontStyle, RGBColor, register_font};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Once;

/// What the SVG asks for: the embedded font by its name, then what browsers have.
pub(super) const FAMILY: FontFamily<'static> = FontFamily::Name("DejaVu Sans, Verdana, sans-serif");

/// A size, weight and colour of type.
#[derive(Clone, Copy, Debug)]
pub(super) struct Type {
    /// Pixels to the em.
    pub(super) size: f64,
    /// Bold or regular.
    pub(super) bold: bool,
    /// Its colour.
    pub(super) ink: RGBColor,
}

/// The page's title.
pub(super) const TITLE: Type = Type { size: 28.0, bold: true, ink: palette::INK };
/// What stands under the title.
pub(super) const SUBTITLE: Type = Type { size: 18.0, bold: false, ink: palette::SOFT_INK };
/// A panel's heading.
pub(super) const HEADING: Type = Type { size: 18.0, bold: true, ink: palette::INK };
/// What a row, a line or a colour is.
pub(super) const LABEL: Type = Type { size: 16.0, bold: false, ink: palette::INK };
/// Axes, notes, and whatever repeats.
pub(super) const SMALL: Type = Type { size: 15.0, bold: false, ink: palette::SOFT_INK };

thread_local! {
    /// How wide letters are, bold or not, in em.
    static ADVANCES: RefCell<BTreeMap<(bool, char), f64>> = const { RefCell::new(BTreeMap::new()) };
}

/// No label is longer than this, in letters; what is longer is cut before it is measured.
const LONGEST: usize = 1000;

impl Type {
    /// The same in another colour.
    pub(super) fn ink(self, ink: RGBColor) -> Self {
        Self { ink, ..self }
    }

    /// From one line to the next, in pixels.
    pub(super) fn line(self) -> i32 {
        (self.size * 1.3).ceil() as i32
    }

    /// The font as the drawing library knows it; `units` to the em of the size that it takes.
    pub(super) fn font(self, em: f64) -> FontDesc<'static> {
        register_fonts();
        FontDesc::new(FAMILY, em, if self.bold { FontStyle::Bold } else { FontStyle::Normal })
    }

    /// The width of a text in pixels, rounded up.
    pub(super) fn width(self, text: &str) -> i32 {
        let width: f64 = text.chars().map(|letter| self.advance(letter)).sum();
        // what is rounding in the sum is no part of a pixel
        (width * self.size - 1e-6).ceil() as i32
    }

    /// From the beginning of a letter to that of the next, in em; measured once in each thread, as text is laid out by
    /// trying, and reading the font takes longer than all else.
    fn advance(self, letter: char) -> f64 {
        ADVANCES.with_borrow_mut(|known| {
            *known.entry((self.bold, letter)).or_insert_with(|| {
                // The library measures in whole pixels, and its size is the height of a line, 1.164 em in this font.
                let fine = self.font(1_164_062.5).layout_box(letter.encode_utf8(&mut [0; 4]));
                fine.map_or(0.7, |(_, far)| f64::from(far.0) / 1e6)
            })
        })
    }

    /// The width of the widest of some texts in pixels; 0 for none.
    pub(super) fn widest<'a>(self, texts: impl IntoIterator<Item = &'a str>) -> i32 {
        texts.into_iter().map(|text| self.width(&printable(text))).max().unwrap_or(0)
    }

    /// The text on at most `most` lines that are not wider than `room`; what does not fit becomes an ellipsis.
    pub(super) fn wrap(self, text: &str, room: i32, most: usize) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        for word in printable(text).split_whitespace() {
            match lines.last_mut() {
                Some(line) if self.width(&format!("{line} {word}")) <= room => *line += &format!(" {word}"),
                _ => lines.push(word.to_owned()),
            }
        }
        if lines.len() > most && most > 0 {
            let rest = lines.split_off(most - 1).join(" ");
            lines.push(rest);
        }
        lines.iter().map(|line| self.shorten(line, room)).collect()
    }

    /// The same in lines of about equal width, as a title should be.
    pub(super) fn balance(self, text: &str, room: i32, most: usize) -> Vec<String> {
        let lines = self.wrap(text, room, most);
        let narrower = (1..8).map(|eighths| self.wrap(text, room * eighths / 8, most));
        let whole = |tried: &Vec<String>| tried.len() == lines.len() && tried.join(" ") == lines.join(" ");
        narrower.into_iter().find(whole).unwrap_or(lines)
    }

    /// The text, or as much of its beginning as fits with an ellipsis; empty where not even that fits.
    pub(super) fn shorten(self, text: &str, room: i32) -> String {
        let text = printable(text);
        if self.width(&text) <= room {
            return text;
        }
        let starts: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        let cut = |letters: usize| format!("{}…", text[..starts[letters]].trim_end());
        let fitting =
            starts.partition_point(|at| self.width(&format!("{}…", text[..*at].trim_end())) <= room);
        fitting.checked_sub(1).map_or_else(String::new, cut)
    }
}

/// A share in words, with its interval where it has one: `8.3 %`, `8.3 % (8.1 to 8.6)`.
pub(super) fn told(share: Share) -> String {
    let [value, low, high] = [share.value, share.low, share.high].map(percent);
    if low == high { format!("{value} %") } else { format!("{value} % ({low} to {high})") }
}

/// What a part of a picture is called: its names that are not empty.
pub(super) fn joined<const N: usize>(names: [&String; N]) -> String {
    names.map(String::as_str).into_iter().filter(|name| !name.is_empty()).collect::<Vec<_>>().join(", ")
}

/// The text without what an SVG document or a single line cannot hold.
pub(super) fn printable(text: &str) -> String {
    let keep = |letter: char| match letter {
        '\u{fffe}' | '\u{ffff}' => None,
        _ if letter.is_control() || letter.is_whitespace() => Some(' '),
        _ => Some(letter),
    };
    let kept: String = text.chars().filter_map(keep).take(LONGEST).collect();
    kept.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Makes the embedded font known to the drawing library, once for the whole program.
fn register_fonts() {
    static DONE: Once = Once::new();
    DONE.call_once(|| {
        // Both are complete fonts; were one refused, widths would be estimated from the number of letters.
        let _ = register_font(FAMILY.as_str(), FontStyle::Normal, dejavu::sans::regular());
        let _ = register_font(FAMILY.as_str(), FontStyle::Bold, dejavu::sans::bold());
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_width_is_the_sum_of_the_advances_in_the_font_s_own_table() {
        // DejaVu Sans: 1303 units for each digit, 2048 units to the em.
        let ten = 10.0 * 1303.0 / 2048.0 * LABEL.size;
        assert_eq!(LABEL.width("0123456789"), ten.ceil() as i32);
    }

    #[test]
    fn lines_break_between_words_and_the_rest_becomes_an_ellipsis() {
        let room = LABEL.width("one two");
        assert_eq!(LABEL.wrap("one two six ten", room, 9), ["one two", "six ten"]);
        assert_eq!(LABEL.wrap("one two six ten", room, 1), [LABEL.shorten("one two six ten", room)]);
        assert!(LABEL.shorten("one two six ten", room).ends_with('…'));
        assert_eq!(LABEL.wrap("  ", room, 3), Vec::<String>::new());
    }

    #[test]
    fn what_is_cut_fits_and_nothing_fits_into_nothing() {
        for room in 0..120 {
            let cut = LABEL.shorten("Hold your ground, disordered", room);
            assert!(cut.is_empty() || LABEL.width(&cut) <= room, "{cut} in {room}");
        }
        assert_eq!(LABEL.shorten("Hold", 0), "");
    }

    #[test]
    fn a_title_has_no_lonely_last_word() {
        let title = "aaaa aaaa aaaa aaaa aaaa aaaa";
        let room = TITLE.width("aaaa aaaa aaaa aaaa aaaa");
        assert_eq!(TITLE.balance(title, room, 3), ["aaaa aaaa aaaa", "aaaa aaaa aaaa"]);
    }

    #[test]
    fn what_no_document_can_hold_is_left_out() {
        assert_eq!(printable("a\u{0}b\nc\u{ffff}d"), "a b cd");
    }
}
