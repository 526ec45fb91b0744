//! Whether counts fit exact probabilities, before anything is timed.

use crate::workload::{Counts, Exact, Player, Role};
use std::time::Instant;

/// Most trials that are compared, and after how many seconds no more are played.
const TRIALS: u64 = 1 << 24;
const ENOUGH: f64 = 1.0;

/// Outcomes that are expected more seldom are counted together.
const SELDOM: f64 = 10.0;

/// Beyond this z-score counts do not fit: a false alarm about once in three million comparisons.
const ALARM: f64 = 5.0;

/// Compares what a player counts with the exact probabilities; the z-score of chi-square.
pub(crate) fn check(player: &mut Player, exact: &Exact) -> f64 {
    if player.role == Role::Words {
        return 0.0;
    }
    let (start, mut counts, mut trials) = (Instant::now(), Counts::new(), 0);
    while trials < TRIALS && start.elapsed().as_secs_f64() < ENOUGH {
        for (key, count) in (player.play)(1 << 18) {
            *counts.entry(key).or_default() += count;
        }
        trials += 1 << 18;
    }
    assert_eq!(counts.values().sum::<u64>(), trials, "{}: trials are missing", player.name);
    let z = z_score(&counts, exact, trials as f64);
    assert!(z < ALARM, "{}: z {z:.1}, counted {counts:?}, exactly {exact:?}", player.name);
    z
}

/// **Source:** Wilson and Hilferty, "The distribution of chi-square", PNAS 17(12), 1931: its cube root is nearly normal.
fn z_score(counts: &Counts, exact: &Exact, trials: f64) -> f64 {
    let strange = counts.keys().find(|key| !exact.contains_key(*key));
    assert!(strange.is_none(), "{strange:?} cannot come up");
    let cells = exact
        .iter()
        .map(|(key, probability)| (counts.get(key).copied().unwrap_or(0) as f64, probability * trials));
    let (seldom, mut cells): (Vec<_>, Vec<_>) = cells.partition(|(_, expected)| *expected < SELDOM);
    let together = seldom.iter().fold((0.0, 0.0), |sum, cell| (sum.0 + cell.0, sum.1 + cell.1));
    cells.extend((together.1 >= SELDOM).then_some(together));
    let chi: f64 = cells.iter().map(|(counted, expected)| (counted - expected).powi(2) / expected).sum();
    let degrees = cells.len() as f64 - 1.0;
    let spread = 2.0 / (9.0 * degrees);
    ((chi / degrees).cbrt() - (1.0 - spread)) / spread.sqrt()
}
