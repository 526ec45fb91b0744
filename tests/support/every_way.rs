//! Every way that the dice of a trial can fall.

use houserule::random::Source;
use std::collections::BTreeMap;

/// Dice that fall in every way they can, one after another.
#[derive(Default)]
pub(crate) struct EveryWay {
    /// The dice of this way so far: faces, and the one shown.
    pub(crate) path: Vec<(u32, u32)>,
    at: usize,
}

impl Source for EveryWay {
    fn die(&mut self, faces: u32) -> u32 {
        if self.at == self.path.len() {
            self.path.push((faces, 1));
        }
        self.at += 1;
        self.path[self.at - 1].1
    }
}

impl EveryWay {
    /// Turns the last die that has a face left; says whether there was one.
    fn turn(&mut self) -> bool {
        self.at = 0;
        while let Some((faces, shown)) = self.path.pop() {
            if shown < faces {
                self.path.push((faces, shown + 1));
                return true;
            }
        }
        false
    }
}

/// The exact probability of each outcome, as a numerator over the common denominator that comes second. Every way that
/// the dice can fall is played once; `None` if there are more than `limit`, or so many that 128 bits cannot count them.
pub(crate) fn distribution_within<T: Ord>(
    limit: u64,
    mut play: impl FnMut(&mut EveryWay) -> T,
) -> Option<(BTreeMap<T, u128>, u128)> {
    let mut ways = EveryWay::default();
    // How often each outcome came, by how many ways as long as that one there are.
    let mut seen: BTreeMap<(T, u128), u128> = BTreeMap::new();
    for played in 0.. {
        if played == limit {
            return None;
        }
        let outcome = play(&mut ways);
        let alike = ways.path.iter().try_fold(1_u128, |all, (faces, _)| all.checked_mul((*faces).into()))?;
        *seen.entry((outcome, alike)).or_default() += 1;
        if !ways.turn() {
            break;
        }
    }
    let whole = seen.keys().try_fold(1, |whole, (_, alike)| least_common_multiple(whole, *alike))?;
    let mut weights = BTreeMap::new();
    for ((outcome, alike), count) in seen {
        *weights.entry(outcome).or_default() += count * (whole / alike);
    }
    Some((weights, whole))
}

fn least_common_multiple(a: u128, b: u128) -> Option<u128> {
    let (mut x, mut y) = (a, b);
    while y > 0 {
        (x, y) = (y, x % y);
    }
    (a / x).checked_mul(b)
}
