//! Exact fractions from what people write: `0.3`, `35%`, `1/3`, `2`.
//!
//! **Never:** floating point on the way in.

/// The number as numerator and denominator, in lowest terms; `None` if it is not one, is negative, or is longer than
/// 15 digits (in a quotient, 18).
pub(super) fn fraction(text: &str) -> Option<(i64, i64)> {
    let text = text.trim();
    let (top, bottom) = if let Some((top, bottom)) = text.split_once('/') {
        (digits(top.trim_end(), 18)?, digits(bottom.trim_start(), 18)?)
    } else if let Some(percent) = text.strip_suffix('%') {
        let (top, bottom) = decimal(percent.trim_end())?;
        (top, bottom * 100)
    } else {
        decimal(text)?
    };
    let divisor = greatest_common_divisor(top, bottom);
    (bottom > 0).then(|| (top / divisor, bottom / divisor))
}

/// How wide an interval may be on either side, as a fraction in 0..0.5: `0.1pp` is a thousandth; `None` if it is not such
/// a number of percentage points.
pub fn precision(text: &str) -> Option<f64> {
    let (top, bottom) = fraction(text.trim().strip_suffix("pp")?)?;
    let share = top as f64 / (bottom as f64 * 100.0);
    (0.0 < share && share < 0.5).then_some(share)
}

/// The largest number that divides both; `a` where `b` is 0.
pub(super) fn greatest_common_divisor(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

/// `0.30` as (30, 100).
fn decimal(text: &str) -> Option<(i64, i64)> {
    let Some((whole, part)) = text.split_once('.') else { return Some((digits(text, 15)?, 1)) };
    digits(part, 15)?;
    let places = part.bytes().filter(u8::is_ascii_digit).count();
    Some((digits(&format!("{whole}{part}"), 15)?, 10_i64.checked_pow(u32::try_from(places).ok()?)?))
}

/// A whole number without a sign, of so many digits at most; `_` may stand between them.
fn digits(text: &str, most: usize) -> Option<i64> {
    let plain: String = text.chars().filter(|letter| *letter != '_').collect();
    let only_digits = !plain.is_empty() && plain.bytes().all(|byte| byte.is_ascii_digit());
    (only_digits && text.starts_with(|first: char| first.is_ascii_digit()) && plain.len() <= most)
        .then(|| plain.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_percentages_and_quotients_are_read_exactly() {
        let cases = [
            ("0.3", (3, 10)),
            ("35%", (7, 20)),
            ("12.5 %", (1, 8)),
            ("3/36", (1, 12)),
            ("1 / 3", (1, 3)),
            ("2", (2, 1)),
            ("0", (0, 1)),
            ("1_000", (1000, 1)),
            ("0.10", (1, 10)),
            (".5", (1, 2)),
            ("1/100000000000000000", (1, 100_000_000_000_000_000)),
        ];
        for (text, expected) in cases {
            assert_eq!(fraction(text), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_is_not_a_number_of_people_is_refused() {
        let wrong = [
            "",
            "x",
            "-1",
            "1/0",
            "1/",
            "/2",
            "1.",
            "3e2",
            "nan",
            "inf",
            "0x10",
            "1/2/3",
            "9999999999999999",
        ];
        for text in wrong {
            assert_eq!(fraction(text), None, "{text}");
        }
    }
}
