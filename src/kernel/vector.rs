//! Arithmetic over columns: one plain loop for each word, which the compiler makes vectors of.
//!
//! In: columns of the lanes in play. Out: another column. **Never:** what a column means.

use super::code::{Follow, How};

/// A column, or the same number in every lane.
#[derive(Clone, Copy)]
pub(super) enum Side<'s, T> {
    Column(&'s [T]),
    Constant(T),
}

/// A number in a column.
pub(super) trait Number: Copy + Ord + From<i16> {
    fn from_wide(value: i64) -> Self;
    fn add(self, other: Self) -> Self;
    fn subtract(self, other: Self) -> Self;
    fn multiply(self, other: Self) -> Self;
    /// Rounded towards minus infinity; by 1 instead of 0, which only lanes that do not count can have.
    fn divide_down(self, other: Self) -> Self;
    /// The same rounded towards infinity.
    fn divide_up(self, other: Self) -> Self;
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
}

macro_rules! number {
    ($type:ty, $down:expr, $up:expr) => {
        impl Number for $type {
            #[inline(always)]
            fn from_wide(value: i64) -> Self {
                value as Self
            }
            #[inline(always)]
            fn add(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            #[inline(always)]
            fn subtract(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }
            #[inline(always)]
            fn multiply(self, other: Self) -> Self {
                self.wrapping_mul(other)
            }
            #[inline(always)]
            fn divide_down(self, other: Self) -> Self {
                $down(self, if other == 0 { 1 } else { other })
            }
            #[inline(always)]
            fn divide_up(self, other: Self) -> Self {
                $up(self, if other == 0 { 1 } else { other })
            }
            #[inline(always)]
            fn and(self, other: Self) -> Self {
                self & other
            }
            #[inline(always)]
            fn or(self, other: Self) -> Self {
                self | other
            }
            #[inline(always)]
            fn xor(self, other: Self) -> Self {
                self ^ other
            }
        }
    };
}

// A quotient of two numbers of 16 bits is further from the next whole number than 24 bits round off.
number!(
    i16,
    |left: i16, right: i16| (f32::from(left) / f32::from(right)).floor() as i16,
    |left: i16, right: i16| (f32::from(left) / f32::from(right)).ceil() as i16
);
number!(
    i64,
    |left: i64, right: i64| left.wrapping_div(right)
        - i64::from(left.wrapping_rem(right) != 0 && (left < 0) != (right < 0)),
    |left: i64, right: i64| left.wrapping_div(right)
        + i64::from(left.wrapping_rem(right) != 0 && (left < 0) == (right < 0))
);

#[inline(always)]
fn both<T: Copy, U>(to: &mut [U], left: &[T], right: Side<T>, what: impl Fn(T, T) -> U) {
    match right {
        Side::Constant(right) => {
            for (to, left) in to.iter_mut().zip(left) {
                *to = what(*left, right);
            }
        }
        Side::Column(right) => {
            for ((to, left), right) in to.iter_mut().zip(left).zip(right) {
                *to = what(*left, *right);
            }
        }
    }
}

/// What two columns come to. A test is not one of these: see [`test`].
#[inline(always)]
pub(super) fn reckon<T: Number>(how: How, to: &mut [T], left: &[T], right: Side<T>) {
    match how {
        How::Add => both(to, left, right, T::add),
        How::Subtract => both(to, left, right, T::subtract),
        How::From => both(to, left, right, |left, right| right.subtract(left)),
        How::Multiply => both(to, left, right, T::multiply),
        How::DivideDown => both(to, left, right, T::divide_down),
        How::DivideUp => both(to, left, right, T::divide_up),
        How::Min => both(to, left, right, T::min),
        How::Max => both(to, left, right, T::max),
        How::And => both(to, left, right, T::and),
        How::Or => both(to, left, right, T::or),
        _ => {}
    }
}

/// Whether two columns stand to one another as asked: 1 or 0. Says whether this is a test at all.
#[inline(always)]
pub(super) fn test<T: Number>(how: How, to: &mut [i16], left: &[T], right: Side<T>) -> bool {
    match how {
        How::Less => both(to, left, right, |left, right| (left < right).into()),
        How::AtMost => both(to, left, right, |left, right| (left <= right).into()),
        How::More => both(to, left, right, |left, right| (left > right).into()),
        How::AtLeast => both(to, left, right, |left, right| (left >= right).into()),
        How::Equal => both(to, left, right, |left, right| (left == right).into()),
        How::Unequal => both(to, left, right, |left, right| (left != right).into()),
        _ => return false,
    }
    true
}

/// The first where the flag is 1, else the second; without a branch.
#[inline(always)]
pub(super) fn select<T: Number>(to: &mut [T], on: &[i16], then: Side<T>, otherwise: Side<T>) {
    // Beyond the lanes in play there may be anything for a flag.
    let pick =
        |on: i16, then: T, otherwise: T| otherwise.xor(otherwise.xor(then).and(T::from(on.wrapping_neg())));
    match (then, otherwise) {
        (Side::Constant(then), otherwise) => {
            let apart = |otherwise: T, on: i16| pick(on, then, otherwise);
            match otherwise {
                Side::Constant(otherwise) => {
                    for (to, on) in to.iter_mut().zip(on) {
                        *to = apart(otherwise, *on);
                    }
                }
                Side::Column(otherwise) => {
                    for ((to, on), otherwise) in to.iter_mut().zip(on).zip(otherwise) {
                        *to = apart(*otherwise, *on);
                    }
                }
            }
        }
        (Side::Column(then), Side::Constant(otherwise)) => {
            for ((to, on), then) in to.iter_mut().zip(on).zip(then) {
                *to = pick(*on, *then, otherwise);
            }
        }
        (Side::Column(then), Side::Column(otherwise)) => {
            for (((to, on), then), otherwise) in to.iter_mut().zip(on).zip(then).zip(otherwise) {
                *to = pick(*on, *then, *otherwise);
            }
        }
    }
}

/// So many lanes at once keep their sums in registers. Columns are set up to a multiple of this: what lies behind the lanes
/// in play means nothing.
pub(super) const SPAN: usize = 64;

/// The first number, and what each step adds that a lane has reached.
#[inline(always)]
pub(super) fn steps<T: Number>(to: &mut [T], at: &[i16], first: i64, steps: &[(i16, i64)]) {
    for (to, at) in to.as_chunks_mut::<SPAN>().0.iter_mut().zip(at.as_chunks::<SPAN>().0) {
        let mut sums = [T::from_wide(first); SPAN];
        for (from, step) in steps {
            let step = T::from_wide(*step);
            for lane in 0..SPAN {
                sums[lane] = sums[lane].add(step.and(T::from(-i16::from(at[lane] >= *from))));
            }
        }
        *to = sums;
    }
}

/// The states that follow upon others, by the ways that dice fell. Lanes that do not count may be in none.
#[inline(always)]
pub(super) fn follow(to: &mut [i16], from: &[i16], way: Option<&[i16]>, follow: &Follow) {
    const SMALL: usize = TABLES[0];
    const MEDIUM: usize = TABLES[1];
    const LARGE: usize = TABLES[2];
    if let Some(table) = follow.table.first_chunk::<LARGE>() {
        follow_in(to, from, way, follow, table);
    } else if let Some(table) = follow.table.first_chunk::<MEDIUM>() {
        follow_in(to, from, way, follow, table);
    } else if let Some(table) = follow.table.first_chunk::<SMALL>() {
        follow_in(to, from, way, follow, table);
    }
}

/// How long tables of states are, so that no entry need be looked at to see whether it is there.
pub(super) const TABLES: [usize; 3] = [1 << 10, 1 << 14, 1 << 18];

#[inline(always)]
fn follow_in<const SIZE: usize>(
    to: &mut [i16],
    from: &[i16],
    way: Option<&[i16]>,
    follow: &Follow,
    table: &[u16; SIZE],
) {
    let (first, ways) = (follow.first, follow.ways as u32);
    for (at, to) in to.as_chunks_mut::<SPAN>().0.iter_mut().enumerate() {
        let mut index = [0_u32; SPAN];
        let from = &from[at * SPAN..][..SPAN];
        match way {
            None => {
                for lane in 0..SPAN {
                    index[lane] = (from[lane] as u16).wrapping_sub(first).into();
                }
            }
            Some(way) => {
                let way = &way[at * SPAN..][..SPAN];
                for lane in 0..SPAN {
                    let state = u32::from((from[lane] as u16).wrapping_sub(first));
                    index[lane] = state.wrapping_mul(ways).wrapping_add((way[lane] as u16).into());
                }
            }
        }
        for lane in 0..SPAN {
            to[lane] = table[index[lane] as usize % SIZE] as i16;
        }
    }
}

/// The entry of a table; lanes that do not count may lie outside.
#[inline(always)]
pub(super) fn lookup<T: Number>(to: &mut [T], at: &[i16], table: &[i64]) {
    let last = table.len().saturating_sub(1);
    for (to, at) in to.iter_mut().zip(at) {
        let at = usize::from(*at as u16).min(last);
        *to = T::from_wide(table[at]);
    }
}

#[cfg(test)]
mod tests;
