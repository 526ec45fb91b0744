//! Figures that are worked out, not counted: fractions, or numbers with a bound on their error.

use dashu_int::{IBig, Sign, UBig};
use dashu_ratio::RBig;
use std::fmt::{Display, Formatter, Result};

/// Longer fractions, counted in characters of both sides, are written as decimals.
const LONG: usize = 60;

/// How many significant digits a decimal has.
const DIGITS: usize = 17;

/// A probability, or another figure made of them.
#[derive(Clone, PartialEq, Debug)]
pub enum Probability {
    /// Just this.
    Exact(RBig),
    /// This, give or take so much.
    Near(f64, f64),
}

impl Probability {
    /// Never.
    pub const ZERO: Self = Self::Exact(RBig::ZERO);
    /// Always.
    pub const ONE: Self = Self::Exact(RBig::ONE);

    /// A fraction; without a denominator it is a whole number.
    pub fn fraction(numerator: i64, denominator: u64) -> Self {
        Self::Exact(RBig::from_parts(IBig::from(numerator), UBig::from(denominator.max(1))))
    }

    /// The decimal that is the shortest way to write a number: 0.1 is a tenth.
    pub fn decimal(number: f64) -> Self {
        let text = number.to_string();
        let (whole, part) = text.split_once('.').unwrap_or((&text, ""));
        match format!("{whole}{part}").parse::<IBig>() {
            Ok(digits) => Self::Exact(RBig::from_parts(digits, ten_to(part.len()))),
            Err(_) => Self::Near(number, f64::INFINITY),
        }
    }

    /// What [`Display`] writes: a fraction is just this, a decimal this give or take one of its last digit; `None` where a
    /// text is neither.
    pub fn parse(text: &str) -> Option<Self> {
        if text.contains(['.', 'e']) {
            let (digits, exponent) = text.split_once('e').unwrap_or((text, "0"));
            let places = digits.split_once('.').map_or(0, |(_, part)| part.len());
            let last = exponent.parse::<i64>().ok()? - i64::try_from(places).ok()?;
            let (value, error) = (text.parse::<f64>().ok()?, format!("1e{last}").parse::<f64>().ok()?);
            return value.is_finite().then_some(Self::Near(value, error));
        }
        let (top, bottom) = text.split_once('/').unwrap_or((text, "1"));
        let bottom = bottom.parse::<UBig>().ok().filter(|bottom| !bottom.is_zero())?;
        Some(Self::Exact(RBig::from_parts(top.parse::<IBig>().ok()?, bottom)))
    }

    /// Just this number, be it the nearest to what is meant or not; `None` for one that is not finite.
    pub fn just(number: f64) -> Option<Self> {
        RBig::try_from(number).ok().map(Self::Exact)
    }

    /// Fractions between which it lies, both included; twice itself where it is exact, `None` where nothing is known.
    pub fn ends(&self) -> Option<[Self; 2]> {
        match self {
            Self::Exact(_) => Some([self.clone(), self.clone()]),
            Self::Near(value, error) => {
                let (value, error) = (Self::just(*value)?, Self::just(error + rounding(*value))?);
                Some([value.minus(&error), value.plus(&error)])
            }
        }
    }

    /// The nearest number.
    pub fn value(&self) -> f64 {
        match self {
            Self::Exact(fraction) => fraction.to_f64().value(),
            Self::Near(value, _) => *value,
        }
    }

    /// How far [`Self::value`] can be off, beside its own rounding.
    pub fn error(&self) -> f64 {
        match self {
            Self::Exact(_) => 0.0,
            Self::Near(_, error) => *error,
        }
    }

    /// Whether it is 0, as far as that is known.
    pub fn is_zero(&self) -> bool {
        self.can_be(&Self::ZERO)
    }

    /// Whether both can be the same: equal fractions, or numbers no further apart than their errors allow.
    pub fn can_be(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Exact(one), Self::Exact(other)) => one == other,
            _ => {
                (self.value() - other.value()).abs() <= self.error() + other.error() + rounding(other.value())
            }
        }
    }

    /// Whether it can be as little as the other, or less.
    pub fn can_be_at_most(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Exact(one), Self::Exact(other)) => one <= other,
            _ => self.value() < other.value() || self.can_be(other),
        }
    }

    /// Both together.
    pub fn plus(&self, other: &Self) -> Self {
        match (self, other) {
            (Self::Exact(one), Self::Exact(other)) => Self::Exact(one + other),
            _ => near(self.value() + other.value(), self.error() + other.error() + rounding(other.value())),
        }
    }

    /// So many times.
    pub fn times(&self, number: i64) -> Self {
        match self {
            Self::Exact(fraction) => Self::Exact(fraction * IBig::from(number)),
            Self::Near(value, error) => near(value * number as f64, error * number.unsigned_abs() as f64),
        }
    }

    /// One times the other.
    pub fn product(&self, other: &Self) -> Self {
        match (self, other) {
            (Self::Exact(one), Self::Exact(other)) => Self::Exact(one * other),
            _ => {
                let (one, two) = (self.value(), other.value());
                let own = self.error() + rounding(one);
                let error = own * (two.abs() + other.error()) + one.abs() * (other.error() + rounding(two));
                near(one * two, error)
            }
        }
    }

    /// This without that.
    pub fn minus(&self, other: &Self) -> Self {
        self.plus(&other.times(-1))
    }

    /// The share of it in the other; `None` where that can be 0.
    pub fn over(&self, other: &Self) -> Option<Self> {
        match (self, other) {
            _ if other.is_zero() => None,
            (Self::Exact(one), Self::Exact(other)) => Some(Self::Exact(one / other)),
            _ => {
                let share = self.value() / other.value();
                let error = self.error()
                    + rounding(self.value())
                    + share.abs() * (other.error() + rounding(other.value()));
                Some(near(share, error / (other.value().abs() - other.error())))
            }
        }
    }
}

/// A number with the error of its parts and of its own last digit.
fn near(value: f64, error: f64) -> Probability {
    Probability::Near(value, error + rounding(value))
}

/// How far the number nearest to a value can be away from it.
fn rounding(value: f64) -> f64 {
    value.abs() * f64::EPSILON
}

impl<'a> std::iter::Sum<&'a Self> for Probability {
    fn sum<I: Iterator<Item = &'a Self>>(parts: I) -> Self {
        parts.fold(Self::ZERO, |sum, part| sum.plus(part))
    }
}

/// A fraction in lowest terms, such as `1/12`; where that is very long a decimal with 17 significant digits; where there
/// is no fraction, the digits of a decimal that are certain.
impl Display for Probability {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::Exact(fraction) => {
                let (sign, top) = fraction.numerator().clone().into_parts();
                if top.is_zero() || log(&top) + log(fraction.denominator()) + 2 <= LONG {
                    return write!(f, "{fraction}");
                }
                let minus = if sign == Sign::Negative { "-" } else { "" };
                write!(f, "{minus}{}", decimal(&top, fraction.denominator()))
            }
            Self::Near(value, error) => f.write_str(&certain(*value, *error)),
        }
    }
}

fn ten_to(power: usize) -> UBig {
    UBig::from(10_u8).pow(power)
}

/// The power of ten of the first digit.
fn log(number: &UBig) -> usize {
    number.ilog(&UBig::from(10_u8))
}

/// A fraction that is not 0 as a decimal, rounded to the nearest.
fn decimal(top: &UBig, bottom: &UBig) -> String {
    let digits = |exponent: isize| {
        let shift = DIGITS as isize - 1 - exponent;
        let power = ten_to(shift.unsigned_abs());
        let (top, bottom) =
            if shift < 0 { (top.clone(), bottom * power) } else { (top * power, bottom.clone()) };
        RBig::from_parts(top.into(), bottom).round().to_string()
    };
    // one too many where the first digits of the bottom are the larger ones, or where all round up to a power of ten
    let exponent = log(top) as isize - log(bottom) as isize;
    let found = [exponent, exponent - 1].map(|exponent| (digits(exponent), exponent));
    let fitting = found.into_iter().find(|(digits, _)| digits.len() == DIGITS);
    let (digits, exponent) = fitting.unwrap_or_else(|| (format!("1{}", "0".repeat(DIGITS - 1)), exponent));
    placed(&digits, exponent)
}

/// Digits of which the first stands at this power of ten; very small and very large ones get an exponent: `1.5e-7`.
fn placed(digits: &str, exponent: isize) -> String {
    match exponent {
        -6..0 => format!("0.{}{digits}", "0".repeat(exponent.unsigned_abs() - 1)),
        0..15 if digits.len() > exponent.unsigned_abs() + 1 => {
            let (whole, part) = digits.split_at(exponent.unsigned_abs() + 1);
            format!("{whole}.{part}")
        }
        0..15 => format!("{digits:0<width$}", width = exponent.unsigned_abs() + 1),
        _ => {
            let (first, rest) = digits.split_at(1);
            let point = if rest.is_empty() { "" } else { "." };
            format!("{first}{point}{rest}e{exponent}")
        }
    }
}

/// The digits of a number that its error leaves untouched; of a number that may be 0, the zeros behind the point.
fn certain(value: f64, error: f64) -> String {
    let powers = |mut room: f64| {
        let mut digits = 0;
        while room >= 10.0 && digits < DIGITS {
            (room, digits) = (room / 10.0, digits + 1);
        }
        digits
    };
    let digits = powers(value.abs() / (2.0 * error));
    if digits == 0 {
        return format!("{:.1$}", 0.0, powers(0.5 / error));
    }
    let rounded = format!("{:.1$e}", value.abs(), digits - 1);
    let (mantissa, exponent) = rounded.split_once('e').unwrap_or((&rounded, "0"));
    let sign = if value < 0.0 { "-" } else { "" };
    format!("{sign}{}", placed(&mantissa.replace('.', ""), exponent.parse().unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_can_be_read_again() {
        for (text, value, error) in
            [("3/36", 1.0 / 12.0, 0.0), ("0", 0.0, 0.0), ("0.25", 0.25, 0.01), ("1.5e-7", 1.5e-7, 1e-8)]
        {
            let read = Probability::parse(text).unwrap();
            assert_eq!((read.value(), read.error()), (value, error), "{text}");
        }
        assert_eq!(Probability::parse("2/4"), Some(Probability::fraction(1, 2)));
        for text in ["", "1/0", "a half", "1/2/3", "nan", ".", "1e", "1/-2", "1.0e999"] {
            assert_eq!(Probability::parse(text), None, "{text}");
        }
        // a tenth of a thousandth more is seen in the fraction, not in a decimal of two places
        let third = Probability::fraction(1, 3);
        assert!(Probability::parse("0.33").unwrap().can_be(&third));
        assert!(!Probability::parse("0.333333").unwrap().can_be(&Probability::fraction(3334, 10_000)));
    }

    fn exact(text: &str) -> Probability {
        Probability::Exact(text.parse().unwrap())
    }

    /// `numerator` times ten to a power, over `denominator` times ten to another, plus 1.
    fn long(numerator: i64, top: usize, denominator: i64, bottom: usize) -> String {
        let [top, bottom] = [top, bottom].map(|power| "0".repeat(power));
        let bottom: IBig = format!("{denominator}{bottom}").parse().unwrap();
        exact(&format!("{numerator}{top}/{}", bottom + 1)).to_string()
    }

    #[test]
    fn fractions_are_written_in_lowest_terms() {
        let text = |numerator, denominator| Probability::fraction(numerator, denominator).to_string();
        assert_eq!([text(3, 36), text(0, 36), text(36, 36), text(-7, 2)], ["1/12", "0", "1", "-7/2"]);
    }

    #[test]
    fn fractions_of_more_than_60_digits_are_decimals_rounded_to_the_nearest() {
        let zeros = "0".repeat(29);
        assert_eq!(long(1, 29, 1, 29), format!("1{zeros}/1{}1", &zeros[1..]), "60 digits");
        assert_eq!(long(1, 29, 1, 30), "0.10000000000000000", "61 digits, the decimal begins 0.0999");
        assert_eq!(long(1, 40, 3, 40), "0.33333333333333333");
        assert_eq!(long(2, 40, 3, 40), "0.66666666666666667");
        assert_eq!(long(-2, 40, 3, 40), "-0.66666666666666667");
        assert_eq!(long(1, 70, 1, 70), "1.0000000000000000");
        assert_eq!(long(1, 72, 3, 70), "33.333333333333333");
        assert_eq!(long(1, 0, 3, 70), "3.3333333333333333e-71");
        assert_eq!(long(2, 90, 3, 70), "6.6666666666666667e19");
    }

    #[test]
    fn the_nearest_number_is_the_nearest() {
        assert_eq!(Probability::fraction(1, 3).value(), 1.0 / 3.0);
        assert_eq!(exact(&format!("1{0}/3{0}", "0".repeat(400))).value(), 1.0 / 3.0);
        assert_eq!(Probability::decimal(0.05), Probability::fraction(1, 20));
        assert_eq!(Probability::decimal(2.0), Probability::fraction(2, 1));
    }

    #[test]
    fn figures_with_errors_keep_them_through_arithmetic() {
        let (near, third) = (Probability::Near(0.25, 0.01), Probability::fraction(1, 3));
        let low_high =
            |figure: Probability| [figure.value() - figure.error(), figure.value() + figure.error()];
        let within = |figure: Option<Probability>, low: f64, high: f64| {
            let [a, b] = low_high(figure.unwrap());
            assert!(a <= low && b >= high && b - a < (high - low) * 1.2, "{a} {b}");
        };
        within(Some(near.plus(&third)), 0.24 + 1.0 / 3.0, 0.26 + 1.0 / 3.0);
        within(Some(near.times(-4)), -1.04, -0.96);
        within(near.over(&third), 0.72, 0.78);
        within(Some(near.product(&third)), 0.08, 0.26 / 3.0);
        within(third.over(&near), 1.0 / 0.78, 1.0 / 0.72);
        assert_eq!(third.over(&Probability::ZERO), None);
        assert_eq!(third.over(&Probability::Near(1e-9, 1e-8)), None);
        assert!(near.can_be(&Probability::decimal(0.26)) && !near.can_be(&Probability::decimal(0.27)));
        assert!(!third.can_be(&exact("333333333333333333333/1000000000000000000000")));
    }

    #[test]
    fn figures_lie_between_their_ends() {
        let quarter = Probability::fraction(1, 4);
        assert_eq!(quarter.ends(), Some([quarter.clone(), quarter.clone()]));
        let [low, high] = Probability::Near(0.25, 0.125).ends().unwrap();
        assert!(
            low.can_be_at_most(&Probability::fraction(1, 8))
                && !low.can_be_at_most(&Probability::fraction(124, 1000))
        );
        assert!(Probability::fraction(3, 8).can_be_at_most(&high));
        assert_eq!(Probability::just(0.375), Some(Probability::fraction(3, 8)));
        assert_eq!(Probability::just(f64::INFINITY), None);
        assert_eq!(Probability::Near(0.5, f64::INFINITY).ends(), None);
    }

    #[test]
    fn of_a_number_with_an_error_the_certain_digits_are_written() {
        assert_eq!(Probability::Near(1.0 / 3.0, 1e-6).to_string(), "0.33333");
        assert_eq!(Probability::Near(2.0 / 3.0e9, 1e-14).to_string(), "6.667e-10");
        assert_eq!(Probability::Near(-62.5, 0.001).to_string(), "-62.50");
        assert_eq!(Probability::Near(1e-9, 1e-7).to_string(), "0.000000");
    }
}
