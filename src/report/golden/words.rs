//! What a comparison with a stored run says, in words.
//!
//! In: a [`Drift`]. Out: lines for a terminal, a phrase for each figure.
//!
//! **Never:** deciding whether a figure has changed.

use super::rows::{Key, Lacks, PRESENT};
use super::{Drift, Drifted, Lone, alarm, p_adjusted};
use crate::analyse::Counted;
use crate::report::terminal::{INDENT, wrapped};
use crate::report::words::{counted, percent, points, thousands};
use std::collections::BTreeMap;

/// How many figures are named.
const SHOWN: usize = 10;

/// How the figures compare, the worst ones, and what is gone or new; lines for a terminal.
pub fn lines(drift: &Drift) -> Vec<String> {
    let mut lines = wrapped(&in_short(drift));
    let mut say = |text: String| lines.extend(wrapped(&text));
    drift.remarks().map(str::to_owned).for_each(&mut say);
    for one in drift.drifted.iter().take(SHOWN) {
        say(format!("{INDENT}{}: {}", name(drift, &one.key), moved(one)));
    }
    if drift.drifted.len() > SHOWN {
        let more = thousands((drift.drifted.len() - SHOWN) as u64);
        say(format!("{INDENT}... and {more} more, in drift.csv"));
    }
    for (what, rows) in [("Gone", &drift.gone), ("New, which is no drift", &drift.new)] {
        parts(drift, rows).into_iter().for_each(|part| say(format!("{what}: {part}")));
    }
    lines
}

/// One sentence: how many figures are the same, how many are not.
pub(in crate::report) fn in_short(drift: &Drift) -> String {
    let all = drift.equal + drift.chance + drift.drifted.len();
    let [equal, chance, drifted] =
        [drift.equal, drift.chance, drift.drifted.len()].map(|number| thousands(number as u64));
    let sure = match drift.chance {
        0 => String::new(),
        _ => format!(" (a run without any change is called drifted by chance less than {} times)", alarm()),
    };
    format!(
        "Golden table {}: {} compared: {equal} equal exactly, {chance} equal within chance, {drifted} drifted{sure}.",
        drift.folder,
        counted(all, "figure", "figures"),
    )
}

/// `modified, troop infantry, excess 0: break`
pub(super) fn name(drift: &Drift, key: &Key) -> String {
    format!("{}: {}", place(drift, key), outcome(key))
}

/// `modified, troop infantry, excess 0`
pub(in crate::report) fn place(drift: &Drift, key: &Key) -> String {
    let factors = drift.factors.iter().zip(&key.situation).filter(|(_, value)| *value != "no");
    let part = |(factor, value): (&String, &String)| match value.as_str() {
        "yes" => factor.clone(),
        _ => format!("{factor} {value}"),
    };
    let said = factors.map(part);
    std::iter::once(key.variant.clone()).chain(said).collect::<Vec<_>>().join(", ")
}

/// `break`, `men_lost 3`, `men_lost recorded`
pub(in crate::report) fn outcome(key: &Key) -> String {
    match (key.measure.as_str(), key.outcome.as_str()) {
        ("result", outcome) => outcome.to_owned(),
        (measure, PRESENT) => format!("{measure} recorded"),
        (measure, outcome) => format!("{measure} {outcome}"),
    }
}

/// `8.3 % -> 11.1 % (+2.78 points; exactly 1/12 -> 1/9)`
pub(in crate::report) fn moved(one: &Drifted) -> String {
    let how = match p_adjusted(one) {
        None => {
            let exact = |figure: &Counted| figure.exact.as_ref().map(ToString::to_string).unwrap_or_default();
            format!("exactly {} -> {}", exact(&one.old), exact(&one.new))
        }
        Some(p) if p < 1e-9 => "adjusted p-value below 1e-9".to_owned(),
        Some(p) => format!("adjusted p-value {p:.1e}"),
    };
    format!("{} -> {} ({} points; {how})", share(&one.old), share(&one.new), points(one.difference(), 2))
}

/// `8.3 %`
pub(in crate::report) fn share(figure: &Counted) -> String {
    figure.probability().map_or_else(|| "no trial".to_owned(), |p| format!("{} %", percent(p)))
}

/// What rows without a counterpart have in common: whole variants, situations, measures or outcomes, with their number.
pub(in crate::report) fn parts(drift: &Drift, rows: &[Lone]) -> Vec<String> {
    let mut sizes: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for (at, one) in rows.iter().enumerate() {
        sizes.entry(part(drift, one)).or_insert((at, 0)).1 += 1;
    }
    let mut parts: Vec<_> = sizes.into_iter().collect();
    parts.sort_by_key(|(_, (first, _))| *first);
    let more = parts.len().saturating_sub(SHOWN);
    let sized = |(part, (_, size)): (String, (usize, usize))| {
        format!("{part} ({})", counted(size, "figure", "figures"))
    };
    let rest = (more > 0).then(|| format!("... and {} more, in drift.csv", thousands(more as u64)));
    parts.into_iter().take(SHOWN).map(sized).chain(rest).collect()
}

/// The largest part of a run that is only on one side and holds this figure.
fn part(drift: &Drift, one: &Lone) -> String {
    let key = &one.key;
    match one.lacks {
        Lacks::Variant => format!("variant `{}`", key.variant),
        Lacks::Situation => format!("situation {}", place(drift, key)),
        Lacks::Measure => format!("record `{}` in {}", key.measure, key.variant),
        Lacks::Outcome => format!("outcome `{}` in {}", outcome(key), key.variant),
    }
}
