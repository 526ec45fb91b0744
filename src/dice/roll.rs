//! Rolling a pool, die by die.

use crate::random::Source;

/// Rolls `count` dice with `faces` faces each and adds them up, telling `each` the face of every die as it falls.
///
/// ```
/// # use houserule::{dice::roll, random::Replay};
/// let mut seen = Vec::new();
/// assert_eq!(roll::sum(2, 6, &mut Replay::new([3, 5]), |face| seen.push(face)), 8);
/// assert_eq!(seen, [3, 5]);
/// ```
pub fn sum(count: u32, faces: u32, source: &mut impl Source, mut each: impl FnMut(u32)) -> i32 {
    let mut sum = 0;
    for _ in 0..count {
        let face = source.die(faces);
        each(face);
        sum += face as i32;
    }
    sum
}
