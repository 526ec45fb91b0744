//! What the rows and columns do not say themselves.
//!
//! In: the question, what the counts say, what is shown. Out: sentences.
//!
//! **Never:** the figures of single situations.

use super::Extract;
use crate::analyse::Analysis;
use crate::report::marks::MARK;
use crate::report::telling::{Change, Telling};
use crate::report::words::{UNSAID, counted, flags_vary, thousands, trials};
use crate::scenario::{Results, Scenario};

/// What the figures are, and what is not shown: `no_room` counts further columns, `all` names the file that has everything.
pub(in crate::report) fn legend(
    scenario: &Scenario,
    analysis: &Analysis,
    shown: &Extract,
    (no_room, all): (usize, &str),
) -> Vec<String> {
    let named = matches!(scenario.main().results, Results::Named(_));
    let mut lines = vec![format!(
        "{}{}.",
        if named { "Shares in percent, " } else { "Numbers, " },
        basis(analysis, shown)
    )];
    let recorded = scenario.measures.iter().filter(|measure| measure.is_record()).count();
    if recorded > 0 {
        lines.push("Records: means, of flags the share of yes.".to_owned());
    }
    let left_out = shown.left_out + no_room;
    if left_out > 0 {
        let left = counted(left_out, "column has", "columns have");
        lines.push(format!("{left} no room; all are in {}.", all));
    }
    if shown.rows.iter().any(|(_, alike)| *alike > 0) {
        lines.push("Situations that play alike share a row.".to_owned());
    }
    let missing = shown.total - shown.rows.len();
    if missing > 0 {
        let changes = shown.telling.changes(analysis);
        let changes_any = changes.iter().flatten().any(|change| matches!(change, Change::By(_)));
        let which = if changes_any { "where most changes" } else { "that come first" };
        let rows = counted(shown.rows.len(), "row", "rows");
        let missing = counted(missing, "is", "are");
        lines.push(format!("These are the {rows} {which}; {missing} not shown; all are in {}.", all));
    }
    lines.extend(flags_vary(scenario).then(|| UNSAID.to_owned()));
    lines
}

/// `worked out exactly`, `from 1,000 trials each`, or both.
fn basis(analysis: &Analysis, shown: &Extract) -> String {
    let cells = || analysis.cells.iter().flatten();
    let solved = cells().filter(|cell| cell.answer.is_ok()).count();
    let trials = trials(analysis);
    match solved {
        0 => format!("from {trials} trials each"),
        some if some == cells().count() => "worked out exactly".to_owned(),
        _ if shown.marks => format!("worked out exactly; those behind {MARK} come from {trials} trials each"),
        _ => format!("worked out exactly where that can be done, else from {trials} trials each"),
    }
}

/// What each draft changes on the whole, a sentence each.
pub(in crate::report) fn changes(scenario: &Scenario, analysis: &Analysis, telling: Telling) -> Vec<String> {
    let drafts = telling.changes(analysis).into_iter().enumerate();
    let drafts = drafts.filter(|(variant, _)| *variant != analysis.baseline);
    let label = telling.label(scenario);
    drafts
        .map(|(variant, changes)| {
            format!("{}: \"{label}\" {}.", scenario.variants[variant].name, sum(telling, &changes))
        })
        .collect()
}

/// `more often in 2 of 9 situations (by up to 12.0 points), the same in 7`
fn sum(telling: Telling, changes: &[Change]) -> String {
    let by = |sign: f64| {
        changes.iter().filter_map(move |change| match change {
            Change::By(difference) if difference * sign > 0.0 => Some(difference * sign),
            _ => None,
        })
    };
    let (more, less) = match telling {
        Telling::Share(_) => ("more often", "less often"),
        Telling::Mean => ("higher", "lower"),
    };
    let unit = if telling == Telling::Mean { "" } else { " points" };
    let direction = |(word, sign): (&str, f64)| {
        let most = by(sign).fold(0.0, f64::max);
        let most = telling.change_written(most).trim_start_matches('+').to_owned();
        (by(sign).count(), format!("{word} in "), format!(" (by up to {most}{unit})"))
    };
    let count = |wanted: Change| changes.iter().filter(|change| **change == wanted).count();
    let others = [
        (Change::Same, "the same in "),
        (Change::SameRules, "by the same rules in "),
        (Change::Open, "not told apart in "),
        (Change::Endless, "not to be told from means, as more than 1 % of trials do not end, in "),
    ];
    let others = others.map(|(change, words)| (count(change), words.to_owned(), String::new()));
    let parts =
        [(more, 1.0), (less, -1.0)].map(direction).into_iter().chain(others).filter(|part| part.0 > 0);
    let text = |(at, (number, words, most)): (usize, (usize, String, String))| {
        let number = thousands(number as u64);
        let of = if at == 0 {
            format!(" of {}", counted(changes.len(), "situation", "situations"))
        } else {
            String::new()
        };
        format!("{words}{number}{of}{most}")
    };
    let parts: Vec<String> = parts.enumerate().map(text).collect();
    if parts.is_empty() { "not known".to_owned() } else { parts.join(", ") }
}

/// What a change says in words that fit a column.
pub(super) fn change_text(telling: Telling, change: Change) -> String {
    match (change, telling) {
        (Change::SameRules, _) => "the same rules".to_owned(),
        (Change::Same, _) => "the same".to_owned(),
        (Change::Open, _) => "not told apart".to_owned(),
        (Change::Endless, _) => "many do not end".to_owned(),
        (Change::Unknown, _) => String::new(),
        (Change::By(difference), Telling::Share(_)) => {
            format!("{} points", telling.change_written(difference))
        }
        (Change::By(difference), Telling::Mean) => telling.change_written(difference),
    }
}
