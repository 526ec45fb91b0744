//! What a search for values has found: a page to read, and a table for programs.
//!
//! In: the question and its combinations. Out: text of at most 80 columns; a table.
//!
//! **Never:** which combination is better.

use super::columns::columns;
use super::terminal::wrapped;
use super::words::{counted, lower_first, percent, points, result_label, situations, thousands};
use crate::analyse::{Combination, Miss, Tuned};
use crate::results::Table;
use crate::scenario::{Claim, Quantity, Scenario, Tune};

/// So many of those that nothing beats are shown beside the best.
const TRADED: usize = 5;

/// The page: what was sought, the best `shown` combinations, those that nothing beats, and what else moves.
pub fn page(scenario: &Scenario, search: &Tune, tuned: &Tuned, shown: usize) -> String {
    let all = &tuned.combinations;
    let several = search.targets.len() > 1;
    let open = several && !all.first().is_some_and(Combination::meets_all);
    let traded = (shown..all.len()).filter(|at| open && all[*at].unbeaten).take(TRADED);
    let rows: Vec<usize> = (0..shown.min(all.len())).chain(traded).collect();
    let mut lines = opening(scenario, search, tuned);
    lines.extend(misses(search, tuned, &rows));
    lines.extend(legend(search, tuned, &rows));
    lines.extend(furthest(scenario, search, tuned));
    lines.extend(moves(scenario, search, tuned, &rows));
    lines.push(String::new());
    lines.extend(verdict(search, tuned, rows.len()));
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// What is sought, and how it was looked for.
fn opening(scenario: &Scenario, search: &Tune, tuned: &Tuned) -> Vec<String> {
    let exact = tuned.now.exact && tuned.combinations.iter().all(|one| one.exact);
    let how = match exact {
        true => "all solved exactly".to_owned(),
        false => format!(
            "those that are not solved from {} trials each, seed {}",
            thousands(scenario.trials),
            scenario.seed
        ),
    };
    let text = format!(
        "Tuning {}: {} of values, each in {}; {how}.",
        scenario.variants[search.variant].name,
        counted(search.combinations(), "combination", "combinations"),
        counted(scenario.situations.len(), "situation", "situations"),
    );
    let mut lines = wrapped(&text);
    lines.push(String::new());
    for (number, target) in (1..).zip(&search.targets) {
        let over = counted(target.situations.len(), "situation", "situations");
        let over = if target.average { format!("on average over {over}") } else { format!("in {over}") };
        let said = match target.text.starts_with(&target.holds) {
            true => target.text.clone(),
            false => format!("{}: {}", target.text, target.holds),
        };
        lines.extend(wrapped(&format!("Target {number}: {said}, {over}")));
    }
    lines.push(String::new());
    lines
}

/// The best combinations, and by how much each misses each target.
fn misses(search: &Tune, tuned: &Tuned, rows: &[usize]) -> Vec<String> {
    let targets: Vec<String> = (1..=search.targets.len()).map(|number| format!("Target {number}")).collect();
    let missed = |one: &Combination| -> Vec<String> {
        one.targets.iter().zip(&search.targets).map(|(miss, target)| miss_in_words(miss, target)).collect()
    };
    let each = || {
        std::iter::once((String::from("now"), &tuned.now)).chain(rows.iter().map(|at| numbered(tuned, *at)))
    };
    let labels: Vec<String> = search.vary.iter().map(|varied| lower_first(&varied.label)).collect();
    let heading = [vec![String::new()], labels.clone(), targets.clone()].concat();
    let row =
        |(number, one): (String, &Combination)| [vec![number], values(search, one), missed(one)].concat();
    let left = 1 + labels.len();
    if let Some(lines) = columns(&heading, &each().map(row).collect::<Vec<_>>(), left) {
        return lines;
    }
    // values that are too wide for columns stand above their row
    let heading = [vec![String::new()], targets].concat();
    let row = |(number, one): (String, &Combination)| [vec![number], missed(one)].concat();
    let short: Vec<Vec<String>> = each().map(row).collect();
    let mut lines =
        columns(&heading, &short, 1).unwrap_or_else(|| short.iter().map(|row| row.join("  ")).collect());
    let body = lines.split_off(lines.len() - short.len());
    for ((_, one), line) in each().zip(body) {
        let pairs = labels.iter().zip(values(search, one)).map(|(label, value)| format!("{label} {value}"));
        lines.extend(wrapped(&pairs.collect::<Vec<_>>().join(", ")));
        lines.push(line);
    }
    lines
}

/// A combination with its number; a star marks one that nothing beats.
fn numbered(tuned: &Tuned, at: usize) -> (String, &Combination) {
    let one = &tuned.combinations[at];
    let star = if one.unbeaten && one.targets.len() > 1 { "*" } else { "" };
    (format!("{}{star}", at + 1), one)
}

fn values(search: &Tune, one: &Combination) -> Vec<String> {
    match one.values.is_empty() {
        true => search.vary.iter().map(|varied| varied.now.clone()).collect(),
        false => search.vary.iter().zip(&one.values).map(|(varied, at)| varied.names[*at].clone()).collect(),
    }
}

/// `met`, or the mean miss and behind it the largest.
fn miss_in_words(miss: &Miss, target: &Claim) -> String {
    let scale = if target.is_of_shares() { 100.0 } else { 1.0 };
    match miss {
        _ if miss.met => "met".to_owned(),
        _ if miss.mean.is_infinite() => "no value".to_owned(),
        _ if miss.situations.1 == 1 => format!("{:.2}", miss.mean * scale),
        _ => format!("{:.2} ({:.2})", miss.mean * scale, miss.largest * scale),
    }
}

/// What the signs of the table mean.
fn legend(search: &Tune, tuned: &Tuned, rows: &[usize]) -> Vec<String> {
    let mut text = String::from("Misses, in percentage points (of means: in units)");
    if search.targets.iter().any(|target| target.situations.len() > 1 && !target.average) {
        text += ", on average over the situations; in brackets the largest";
    }
    text += ".";
    if search.targets.len() > 1 && rows.iter().any(|at| tuned.combinations[*at].unbeaten) {
        text += " A star: no other comes nearer to one target without being further from another.";
    }
    wrapped(&text)
}

/// Where the best combination is furthest from the targets that it misses.
fn furthest(scenario: &Scenario, search: &Tune, tuned: &Tuned) -> Vec<String> {
    let Some(best) = tuned.combinations.first() else { return Vec::new() };
    let names = situations(scenario);
    let mut lines = Vec::new();
    for (number, (miss, target)) in (1..).zip(best.targets.iter().zip(&search.targets)) {
        let Some((situation, left, right)) = miss.worst.filter(|_| !miss.met) else { continue };
        let side = |value: f64| match target.is_of_shares() {
            true => format!("{} %", percent(value)),
            false => format!("{value:.2}"),
        };
        let text = format!(
            "Number 1 meets target {number} in {} of {}; furthest off: {}, {} against {}.",
            thousands(miss.situations.0 as u64),
            counted(miss.situations.1, "situation", "situations"),
            lower_first(&names[situation]),
            side(left),
            side(right),
        );
        lines.extend(wrapped(&text));
    }
    lines
}

/// What else the combinations change; as many columns as there is room for.
fn moves(scenario: &Scenario, search: &Tune, tuned: &Tuned, rows: &[usize]) -> Vec<String> {
    let figures = search.moved(scenario);
    let row = |at: usize, most: usize| {
        let (number, one) = numbered(tuned, at);
        let cells = one.moves.iter().zip(&figures).take(most).map(|(by, figure)| moved_in_words(*by, figure));
        std::iter::once(number).chain(cells).collect()
    };
    let heading = |most: usize| {
        let labels = figures.iter().take(most).map(|figure| figure_label(scenario, figure));
        std::iter::once(String::new()).chain(labels).collect::<Vec<_>>()
    };
    let table = |most: usize| {
        let rows: Vec<Vec<String>> = rows.iter().map(|at| row(*at, most)).collect();
        Some((most, columns(&heading(most), &rows, 1)?))
    };
    let Some((shown, table)) = (1..=figures.len()).rev().find_map(table).filter(|_| !rows.is_empty()) else {
        return Vec::new();
    };
    let called = &scenario.variants[search.variant].name;
    let mut text =
        format!("What else moves, on average over all situations, against {called} as it is written");
    if shown < figures.len() {
        text += &format!("; {} more in the table that --out writes", figures.len() - shown);
    }
    let mut lines = vec![String::new()];
    lines.extend(wrapped(&(text + ":")));
    lines.extend(table);
    lines
}

fn figure_label(scenario: &Scenario, figure: &Quantity) -> String {
    match figure {
        Quantity::Probability(set) => {
            let measure = &scenario.measures[set.measure];
            match measure.is_record() {
                true => measure.label.clone(),
                false => result_label(measure, set.spans.first().map_or(0, |span| span.0)),
            }
        }
        Quantity::Mean(measure) | Quantity::Quantile(measure, _) => {
            format!("mean {}", scenario.measures[*measure].label)
        }
    }
}

fn moved_in_words(by: Option<f64>, figure: &Quantity) -> String {
    match (by, figure) {
        (None, _) => String::new(),
        (Some(by), Quantity::Probability(_)) => points(by, 2),
        (Some(by), _) => points(by / 100.0, 2),
    }
}

/// Whether the targets can be met, and what is not shown.
fn verdict(search: &Tune, tuned: &Tuned, shown: usize) -> Vec<String> {
    let all = tuned.combinations.len();
    let met = tuned.combinations.iter().filter(|one| one.meets_all()).count();
    let targets = if search.targets.len() > 1 { "all targets" } else { "the target" };
    let mut text = match met {
        0 => format!("No combination meets {targets}; the nearest come first."),
        _ => format!(
            "{} of {} meet {targets}.",
            thousands(met as u64),
            counted(all, "combination", "combinations")
        ),
    };
    if let Some((values, why)) = tuned.impossible.first() {
        let pairs = search
            .vary
            .iter()
            .zip(values)
            .map(|(varied, at)| format!("{} {}", lower_first(&varied.label), varied.names[*at]));
        text += &format!(
            " {} left out, because of situations that do not exist: with {}, {why}.",
            counted(tuned.impossible.len(), "combination is", "combinations are"),
            pairs.collect::<Vec<_>>().join(" and "),
        );
    }
    if all > shown {
        text += &format!(
            " {} not shown; --out FILE.csv writes all.",
            counted(all - shown, "combination is", "combinations are")
        );
    }
    wrapped(&text)
}

/// The table: `rank` (0: the variant as it is written), the factors that are varied, for each target `target_1_met`,
/// `target_1_situations_met`, `target_1_mean_miss`, `target_1_largest_miss` (percentage points; of means, units; empty
/// where a side has no value), the mean change of each further figure (`change_break` in percentage points,
/// `change_mean_losses` in units), `unbeaten` (`yes` where no other comes nearer to one target without being further from
/// another), `exact` (`yes` where all is solved), `impossible` (why a combination cannot be played).
pub fn table(scenario: &Scenario, search: &Tune, tuned: &Tuned) -> Table {
    type Row<'a> = Result<(usize, &'a Combination), &'a (Vec<usize>, String)>;
    let all = std::iter::once(&tuned.now).chain(&tuned.combinations).enumerate().map(Ok);
    let rows: Vec<Row> = all.chain(tuned.impossible.iter().map(Err)).collect();
    fn known<'a>(row: &Row<'a>) -> Option<&'a Combination> {
        row.ok().map(|(_, one)| one)
    }
    let mut table = Table::default();
    table.text("rank", &rows, |row| row.ok().map(|(rank, _)| rank.to_string()));
    for (at, varied) in search.vary.iter().enumerate() {
        table.text(&varied.name, &rows, |row| match row {
            Ok((_, one)) => values(search, one)[at].clone(),
            Err((values, _)) => varied.names[values[at]].clone(),
        });
    }
    for (at, target) in search.targets.iter().enumerate() {
        let (name, scale) = (format!("target_{}", at + 1), if target.is_of_shares() { 100.0 } else { 1.0 });
        table.text(format!("{name}_met"), &rows, |row| Some(flag(known(row)?.targets[at].met)));
        table.text(format!("{name}_situations_met"), &rows, |row| {
            Some(known(row)?.targets[at].situations.0.to_string())
        });
        table.real(format!("{name}_mean_miss"), &rows, |row| Some(known(row)?.targets[at].mean * scale));
        table
            .real(format!("{name}_largest_miss"), &rows, |row| Some(known(row)?.targets[at].largest * scale));
    }
    for (at, figure) in search.moved(scenario).iter().enumerate() {
        let scale = if matches!(figure, Quantity::Probability(_)) { 100.0 } else { 1.0 };
        table.real(change_name(scenario, figure), &rows, |row| Some(known(row)?.moves[at]? * scale));
    }
    table.text("unbeaten", &rows, |row| Some(flag(known(row)?.unbeaten)));
    table.text("exact", &rows, |row| Some(flag(known(row)?.exact)));
    table.text("impossible", &rows, |row| row.err().map(|(_, why)| why.clone()));
    table
}

fn flag(yes: bool) -> String {
    if yes { "yes" } else { "no" }.to_owned()
}

fn change_name(scenario: &Scenario, figure: &Quantity) -> String {
    match figure {
        Quantity::Probability(set) => {
            let measure = &scenario.measures[set.measure];
            match measure.is_record() {
                true => format!("change_{}", measure.name),
                false => format!(
                    "change_{}",
                    super::words::result_name(measure, set.spans.first().map_or(0, |span| span.0))
                ),
            }
        }
        Quantity::Mean(measure) | Quantity::Quantile(measure, _) => {
            format!("change_mean_{}", scenario.measures[*measure].name)
        }
    }
}
