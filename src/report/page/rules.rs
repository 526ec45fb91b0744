//! The charts and modifiers of the rules, and the tests that drafts have changed: those of the baseline beside those of
//! each draft, what differs marked.
//!
//! In: checked rules with their words as they are written, and how often each cell was reached where that was counted.
//! Out: tables of words.
//!
//! A cell of a draft differs where for some combination of keys that comes to it the baseline's chart says something
//! else; rows need not be the same for that.
//!
//! **Never:** what a cell does.

mod steps;

use crate::analyse::Analysis;
use crate::report::words::{percent, thousands};
use crate::rules::{Chart, Expr, ExprNode, Line, ModifierLine, Ruleset, Set, SetSpan, Span, Type};
use crate::scenario::Scenario;
use std::collections::{BTreeMap, BTreeSet};

/// What a piece is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sort {
    Chart,
    Modifiers,
    Test,
}

/// A chart, a block of modifiers or a test in all variants.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Piece {
    /// Its name in the rules.
    pub(super) name: String,
    /// What it is.
    pub(super) sort: Sort,
    /// The baseline's first, then those that differ from it, or all where it was counted how often cells are reached.
    pub(super) versions: Vec<Version>,
    /// The drafts that have it as the baseline has it, in words.
    pub(super) same: Vec<String>,
    /// The drafts that do without it.
    pub(super) without: Vec<String>,
}

/// What one variant has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Version {
    /// The variant's name.
    pub(super) variant: String,
    /// Whether it is the baseline's.
    pub(super) baseline: bool,
    /// Whether the baseline does without.
    pub(super) added: bool,
    /// What stands above the columns.
    pub(super) heading: Vec<String>,
    /// How many columns at the left are keys.
    pub(super) keys: usize,
    /// From top to bottom.
    pub(super) rows: Vec<Vec<Cell>>,
    /// Lines of the baseline that it no longer has.
    pub(super) gone: Vec<String>,
    /// How many cells differ from the baseline.
    pub(super) changed: usize,
}

/// A cell of a chart, or a line of modifiers or of a test.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Cell {
    /// As it is written.
    pub(super) words: String,
    /// What the baseline has instead; empty where that is the same.
    pub(super) before: Vec<String>,
    /// Whether the baseline has nothing like it.
    pub(super) new: bool,
    /// The share of trials that came to it, in percent; `None` where that was not counted.
    pub(super) reached: Option<String>,
}

impl Piece {
    /// What stands above it, before its name.
    pub(super) fn title(&self) -> &'static str {
        match self.sort {
            Sort::Chart => "Chart",
            Sort::Modifiers => "Modifiers",
            Sort::Test => "Test",
        }
    }

    /// Whether it is not the same in all variants.
    fn differs(&self) -> bool {
        self.versions.len() + self.without.len() > 1
    }

    /// Whether its rows are lines of steps.
    pub(super) fn steps(&self) -> bool {
        self.sort == Sort::Test
    }
}

/// Every chart and every block of modifiers that a trial of some variant can come to, in the order of the baseline, and
/// every test that is not the same in all of them.
pub(super) fn pieces(scenario: &Scenario, analysis: &Analysis) -> Vec<Piece> {
    let order = [scenario.baseline].into_iter().chain(others(scenario));
    let mut names: Vec<(String, Sort)> = Vec::new();
    for variant in order {
        let charts = lines(scenario, variant).into_iter().map(|line| match line {
            Line::Modifier(block, _) => (block.to_owned(), Sort::Modifiers),
            Line::Row(chart, _) => (chart.name.clone(), Sort::Chart),
        });
        let tests = steps::tests(scenario, variant).into_iter().map(|test| (test.name.clone(), Sort::Test));
        for name in charts.chain(tests) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    names.sort_by_key(|(_, sort)| *sort as u8);
    let pieces = names.into_iter().map(|(name, sort)| piece(scenario, name, sort, analysis));
    pieces.filter(|piece| !piece.steps() || piece.differs()).collect()
}

fn others(scenario: &Scenario) -> impl Iterator<Item = usize> {
    (0..scenario.variants.len()).filter(|variant| *variant != scenario.baseline)
}

fn lines(scenario: &Scenario, variant: usize) -> Vec<Line<'_>> {
    let variant = &scenario.variants[variant];
    variant.rules.lines(variant.entry)
}

fn piece(scenario: &Scenario, name: String, sort: Sort, analysis: &Analysis) -> Piece {
    let mut piece = Piece { name, sort, versions: Vec::new(), same: Vec::new(), without: Vec::new() };
    let order = [scenario.baseline].into_iter().chain(others(scenario));
    for variant in order {
        let version = match piece.sort {
            Sort::Chart => chart_version(scenario, variant, &piece.name, analysis),
            Sort::Modifiers => modifiers_version(scenario, variant, &piece.name, analysis),
            Sort::Test => steps::version(scenario, variant, &piece.name),
        };
        let called = scenario.variants[variant].name.clone();
        let Some(version) = version else {
            piece.without.push(called);
            continue;
        };
        let same = !version.baseline && !version.added && version.changed == 0 && version.gone.is_empty();
        if same {
            piece.same.push(called);
        }
        // How often its cells are reached may differ all the same.
        if !same || (!analysis.reached.is_empty() && !piece.steps()) {
            piece.versions.push(version);
        }
    }
    piece
}

/// The rules of a variant and its chart of a name, if a trial can come to it.
fn chart_of<'a>(scenario: &'a Scenario, variant: usize, name: &str) -> Option<(&'a Ruleset, &'a Chart)> {
    let found = lines(scenario, variant).into_iter().find_map(|line| match line {
        Line::Row(chart, _) if chart.name == name => Some(chart),
        _ => None,
    });
    Some((&*scenario.variants[variant].rules, found?))
}

fn chart_version(scenario: &Scenario, variant: usize, name: &str, analysis: &Analysis) -> Option<Version> {
    let (rules, chart) = chart_of(scenario, variant, name)?;
    let baseline = variant == scenario.baseline;
    let before = chart_of(scenario, scenario.baseline, name).filter(|_| !baseline);
    let added = !baseline && before.is_none();
    let differs = before.map(|before| differences(before, (rules, chart)));
    let keys = chart.rows.first().map_or(0, |row| row.keys.len());
    let cell = |row: usize, column: usize| {
        let words = chart.rows[row].words.get(column).cloned().unwrap_or_default();
        if column < keys {
            return Cell { words, ..Cell::default() };
        }
        let at = column - keys;
        let (mut instead, mut new) = (Vec::new(), false);
        match &differs {
            Some(Some(found)) => instead = in_words(&found[row][at], &words),
            Some(None) => new = true,
            None => {}
        }
        Cell {
            words,
            before: instead,
            new,
            reached: share(scenario, analysis, variant, (chart.rows[row].span, at)),
        }
    };
    let row = |row: usize| (0..chart.rows[row].words.len()).map(|column| cell(row, column)).collect();
    let rows: Vec<Vec<Cell>> = (0..chart.rows.len()).map(row).collect();
    let alike = before.is_some_and(|(_, old)| written(old) == written(chart));
    let changed = rows.iter().flatten().filter(|cell| cell.new || !cell.before.is_empty()).count();
    let changed = if alike { 0 } else { changed };
    let variant = scenario.variants[variant].name.clone();
    let (heading, gone) = (chart.words.clone(), Vec::new());
    Some(Version { variant, baseline, added, heading, keys, rows, gone, changed })
}

/// All words of a chart.
fn written(chart: &Chart) -> Vec<&Vec<String>> {
    [&chart.words].into_iter().chain(chart.rows.iter().map(|row| &row.words)).collect()
}

/// The share of trials that came to a column of a row, or to a line of modifiers, which stands there in the rules.
fn share(
    scenario: &Scenario,
    analysis: &Analysis,
    variant: usize,
    (line, column): (Span, usize),
) -> Option<String> {
    let (rules, found) = (&scenario.variants[variant].rules, analysis.reached.get(variant)?);
    let mut charts = rules.charts.iter().zip(&found.charts);
    let cell = charts.find_map(|(chart, often)| {
        often.get(chart.rows.iter().position(|row| row.span == line)?)?.get(column)
    });
    let mut blocks = rules.modifiers.iter().zip(&found.modifiers);
    let often = cell.or_else(|| {
        blocks.find_map(|(block, often)| often.get(block.lines.iter().position(|one| one.span == line)?))
    })?;
    Some(match often.share.count {
        0 => format!("never in {} trials", thousands(often.share.trials)),
        _ => format!("{}\u{a0}%", percent(often.share.probability)),
    })
}

/// At most so many combinations of keys are looked up; a chart of more is compared by its words.
const COMBINATIONS: usize = 100_000;

/// For each cell of the second chart what the first one says for the same keys, `[row][column]`, its own words among it;
/// `None` where the two cannot be compared.
fn differences(old: (&Ruleset, &Chart), new: (&Ruleset, &Chart)) -> Option<Vec<Vec<Before>>> {
    let same_keys = old.1.parameters.len() == new.1.parameters.len();
    let both = old.1.parameters.iter().zip(&new.1.parameters);
    let named = |(rules, ty): (&Ruleset, Type)| rules.type_name(ty).to_owned();
    if !same_keys || both.clone().any(|(a, b)| named((old.0, a.ty)) != named((new.0, b.ty))) {
        return None;
    }
    let values: Vec<Vec<String>> =
        (0..new.1.parameters.len()).map(|key| values(old, new, key)).collect::<Option<_>>()?;
    let all = values.iter().map(Vec::len).try_fold(1_usize, usize::checked_mul)?;
    if all > COMBINATIONS {
        return None;
    }
    let columns = new.1.columns.len().max(1);
    let mut found = vec![vec![Before::new(); columns]; new.1.rows.len()];
    for number in 0..all {
        let keys = combination(&values, number);
        let (Some((row, column)), there) = (look_up(new, &keys), look_up(old, &keys)) else { continue };
        let before = there.map_or("no row", |(row, column)| cell_words(old.1, row, column));
        let one_of = new.1.rows[row].keys.iter().zip(&new.1.parameters).zip(&keys);
        let several = one_of.filter(|((set, parameter), _)| {
            matches!(parameter.ty, Type::Kind(_))
                && stretches(set).is_none_or(|all| !matches!(all[..], [(low, high)] if low == high))
        });
        let names: Vec<&str> = several.map(|(_, name)| *name).collect();
        found[row][column].entry(before.to_owned()).or_default().insert(names.join(" "));
    }
    Some(found)
}

/// What the baseline says instead, each with the named keys for which it does.
type Before = BTreeMap<String, BTreeSet<String>>;

/// The same in words, less what the cell itself says; where it is not the same throughout, with the keys.
fn in_words(before: &Before, own: &str) -> Vec<String> {
    let word = |(words, keys): (&String, &BTreeSet<String>)| {
        let keys: Vec<&str> = keys.iter().map(String::as_str).filter(|key| !key.is_empty()).collect();
        match before.len() == 1 || keys.is_empty() {
            true => words.clone(),
            false => format!("{words} ({})", keys.join(", ")),
        }
    };
    before.iter().filter(|(words, _)| *words != own).map(word).collect()
}

fn combination(values: &[Vec<String>], mut number: usize) -> Vec<&str> {
    let mut keys = Vec::new();
    for values in values {
        keys.push(values[number % values.len()].as_str());
        number /= values.len();
    }
    keys
}

fn cell_words(chart: &Chart, row: usize, column: usize) -> &str {
    let row = &chart.rows[row];
    row.words.get(row.keys.len() + column).map_or("", String::as_str)
}

/// The values of a key that are worth a look: all that have names; of numbers those at which either chart changes.
fn values(old: (&Ruleset, &Chart), new: (&Ruleset, &Chart), key: usize) -> Option<Vec<String>> {
    let ty = new.1.parameters[key].ty;
    match ty {
        Type::Flag => return Some(vec!["no".to_owned(), "yes".to_owned()]),
        Type::Kind(kind) => {
            return Some(new.0.kinds[kind.0].values.iter().map(|value| value.name.clone()).collect());
        }
        _ => {}
    }
    let mut ends = BTreeSet::from([0]);
    for (_, chart) in [old, new] {
        for set in sets(chart, key) {
            for (low, high) in stretches(set)? {
                ends.extend([low, low - 1, high, high + 1].into_iter().filter(|end| end.abs() < OPEN));
            }
        }
    }
    Some(ends.into_iter().map(|end| end.to_string()).collect())
}

/// All sets of a chart that a key is looked up in.
fn sets(chart: &Chart, key: usize) -> Vec<&Set> {
    match chart.rows.first() {
        Some(row) if key >= row.keys.len() => chart.columns.iter().collect(),
        _ => chart.rows.iter().filter_map(|row| row.keys.get(key)).collect(),
    }
}

/// Beyond every value.
const OPEN: i64 = 1 << 40;

/// A number that does not depend on the situation.
fn number(expr: &Expr) -> Option<i64> {
    match &expr.node {
        ExprNode::Constant(number) => Some(i64::from(*number)),
        ExprNode::Apply(operation, operands) => {
            operation.apply(&operands.iter().map(number).collect::<Option<Vec<_>>>()?)
        }
        _ => None,
    }
}

/// The stretches of a set, both ends included; `None` where they depend on the situation.
fn stretches(set: &Set) -> Option<Vec<(i64, i64)>> {
    let one = |span: &SetSpan| match span {
        SetSpan::One(value) => number(value).map(|value| (value, value)),
        SetSpan::Range(low, high) => {
            let low = low.as_ref().map_or(Some(-OPEN), number)?;
            Some((low, high.as_ref().map_or(Some(OPEN), number)?))
        }
    };
    set.spans.iter().map(one).collect()
}

/// The row and the column that these keys come to, by the names of their values.
fn look_up((rules, chart): (&Ruleset, &Chart), keys: &[&str]) -> Option<(usize, usize)> {
    let values: Vec<i64> = chart
        .parameters
        .iter()
        .zip(keys)
        .map(|(parameter, name)| rules.value_of(parameter.ty, name).map(i64::from))
        .collect::<Option<_>>()?;
    let within = |set: &Set, value: i64| {
        stretches(set).is_some_and(|all| all.iter().any(|(low, high)| (*low..=*high).contains(&value)))
    };
    let row =
        chart.rows.iter().position(|row| row.keys.iter().zip(&values).all(|(set, one)| within(set, *one)))?;
    let column = match chart.columns.is_empty() {
        true => 0,
        false => chart.columns.iter().position(|set| within(set, *values.last().unwrap_or(&0)))?,
    };
    Some((row, column))
}

/// The lines of a block of modifiers that a trial can come to, `None` where there are none.
fn block_of<'a>(scenario: &'a Scenario, variant: usize, name: &str) -> Option<Vec<&'a ModifierLine>> {
    let of = |line| match line {
        Line::Modifier(block, line) if block == name => Some(line),
        _ => None,
    };
    let found: Vec<_> = lines(scenario, variant).into_iter().filter_map(of).collect();
    (!found.is_empty()).then_some(found)
}

fn modifiers_version(
    scenario: &Scenario,
    variant: usize,
    name: &str,
    analysis: &Analysis,
) -> Option<Version> {
    let block = block_of(scenario, variant, name)?;
    let baseline = variant == scenario.baseline;
    let before = if baseline { None } else { block_of(scenario, scenario.baseline, name) };
    let added = !baseline && before.is_none();
    let row = |line: &&ModifierLine| {
        let old = before.as_ref().map(|lines| lines.iter().find(|old| old.label == line.label));
        let instead = match old {
            Some(Some(old)) if old.words != line.words => vec![old.words.clone()],
            _ => Vec::new(),
        };
        let label = Cell { words: line.label.clone(), ..Cell::default() };
        let words = line.words.clone();
        let new = matches!(old, Some(None));
        vec![
            label,
            Cell { words, before: instead, new, reached: share(scenario, analysis, variant, (line.span, 0)) },
        ]
    };
    let rows: Vec<Vec<Cell>> = block.iter().map(row).collect();
    let kept = |old: &&&ModifierLine| block.iter().any(|line| line.label == old.label);
    let gone: Vec<String> = before
        .iter()
        .flatten()
        .filter(|old| !kept(old))
        .map(|old| format!("{}: {}", old.label, old.words))
        .collect();
    let changed = rows.iter().flatten().filter(|cell| cell.new || !cell.before.is_empty()).count();
    let heading = ["What", "Modifier"].map(str::to_owned).to_vec();
    let variant = scenario.variants[variant].name.clone();
    Some(Version { variant, baseline, added, heading, keys: 1, rows, gone, changed })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyse::{LEVEL, Often, Reach, analyse, share as estimate};
    use crate::diagnostic::{Diagnostics, Sources};
    use std::path::Path;

    /// The break test of two drafts, as it comes with the program.
    fn break_test() -> (Scenario, Analysis) {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios/black-powder/break-test.toml");
        let scenario = crate::scenario::load(&path, &mut Sources::default(), &mut Diagnostics::default());
        (scenario.unwrap(), analyse(&[], 0, &[], LEVEL))
    }

    /// What stands before and after in a draft's chart, by its keys and the number of the column.
    fn cell<'a>(version: &'a Version, keys: [&str; 2], column: usize) -> &'a Cell {
        let row = version.rows.iter().find(|row| row.iter().map(|cell| cell.words.as_str()).take(2).eq(keys));
        &row.unwrap()[2 + column]
    }

    #[test]
    fn a_cell_differs_where_the_baseline_says_something_else_for_the_same_keys() {
        let (scenario, analysis) = break_test();
        let all = pieces(&scenario, &analysis);
        let names: Vec<_> = all.iter().map(|piece| (piece.name.as_str(), piece.sort)).collect();
        assert_eq!(
            names,
            [
                ("break_chart", Sort::Chart),
                ("break_modifiers", Sort::Modifiers),
                ("break_test", Sort::Test), // the draft counts its casualties otherwise
                ("artillery_result", Sort::Test),
            ]
        );
        let [original, modified] = &all[0].versions[..] else { panic!("{:?}", all[0]) };
        assert!(original.baseline && original.rows.iter().flatten().all(|cell| cell.before.is_empty()));
        assert_eq!(modified.heading, ["score", "troop", "shooting", "hand_to_hand"]);
        let before = |keys, column| cell(modified, keys, column).before.clone();
        // by the two charts as they are printed: the original has rows 7+, 6, 5 and ..4
        assert_eq!(before(["7", "cavalry"], 0), ["hold"]);
        assert_eq!(before(["9", "cavalry"], 0), [""; 0]);
        assert_eq!(before(["3", "cavalry"], 1), [""; 0]);
        assert_eq!(before(["8", "skirmishers"], 0), ["no row"]);
        assert_eq!(before(["4", "skirmishers"], 0), [""; 0]); // the row ..4 is for any
        assert_eq!(before(["7", "infantry, artillery"], 1), ["break (artillery)", "hold (infantry)"]);
        assert_eq!(
            before(["10+", "any"], 1),
            ["break (artillery)", "no row (skirmishers)", "retreat (cavalry)"]
        );
    }

    #[test]
    fn what_all_drafts_have_alike_is_shown_once() {
        let (scenario, analysis) = break_test();
        let modifiers = &pieces(&scenario, &analysis)[1];
        assert_eq!((modifiers.versions.len(), &modifiers.same[..]), (1, &["modified".to_owned()][..]));
        let line = &modifiers.versions[0].rows[0];
        assert_eq!(
            (line[0].words.as_str(), line[1].words.as_str()),
            ("per excess casualty", "-1 per excess")
        );
    }

    #[test]
    fn a_cell_says_in_what_share_of_trials_it_is_reached() {
        let (scenario, mut analysis) = break_test();
        let often = |count| Often { times: count, share: estimate(count, 1000, 1.96) };
        let of = |rules: &Ruleset| {
            // each cell in as many of 1,000 trials as its row has in its file, ten times as many to the right
            let row = |at: usize| vec![often(at as u64 + 1), often(10 * (at as u64 + 1))];
            let chart = |chart: &Chart| (0..chart.rows.len()).map(row).collect();
            let block = |block: &crate::rules::Modifiers| block.lines.iter().map(|_| often(500)).collect();
            let modifiers = rules.modifiers.iter().map(block).collect();
            Reach { trials: 1000, charts: rules.charts.iter().map(chart).collect(), modifiers }
        };
        analysis.reached = scenario.variants.iter().map(|variant| of(&variant.rules)).collect();
        let all = pieces(&scenario, &analysis);
        let share = |version: &Version, row: usize, column: usize| version.rows[row][column].reached.clone();
        let [original, modified] = &all[0].versions[..] else { panic!("{:?}", all[0]) };
        assert_eq!(share(original, 2, 2), Some("0.3\u{a0}%".to_owned()));
        assert_eq!(share(modified, 2, 3), Some("3.0\u{a0}%".to_owned()));
        assert_eq!(share(modified, 2, 0), None);
        // modifiers are alike, but each draft comes to them in its own way
        let shares: Vec<_> = all[1].versions.iter().map(|version| share(version, 0, 1)).collect();
        assert_eq!(shares, [Some("50.0\u{a0}%".to_owned()), Some("50.0\u{a0}%".to_owned())]);
    }
}
