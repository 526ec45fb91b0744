//! The table that a terminal shows: the shares of outcomes per situation and variant, at most 80 columns wide.
//!
//! In: the question and what the counts say. Out: text without colour.
//!
//! **Never:** printing, the width of a real terminal.

use super::agreement::in_short;
use super::groups::{group_name, groups};
use super::summary::{claims_in_short, expects_in_short, looked, related_in_short};
use super::unsolved::interpreted;
use super::words::{UNSAID, counted, flags_vary, is_flag, percent, situations, thousands, trials};
use crate::analyse::{Analysis, Cell, Comparison, mean, quantile};
use crate::scenario::{Measure, Named, Results, Scenario};
use comfy_table::{
    CellAlignment, ColumnConstraint, ContentArrangement, ContentLineStyle, LineStyle, Table, TableStyle,
    Width,
};

/// How wide the table may be, in characters.
const WIDTH: usize = 80;

/// How many lines of figures are shown at most.
const ROWS: usize = 40;

/// How many outcomes and records have a column of their own.
const COLUMNS: usize = 6;

/// What stands before a variant.
pub(super) const INDENT: &str = "  ";

/// What stands after a variant that plays by the baseline's rules.
const SAME: &str = " =";

/// Lines without frames: a rule below the heading, a space between columns.
const STYLE: TableStyle = TableStyle::new()
    .header_lines(ContentLineStyle::none().junction(' '))
    .header_separator(LineStyle::none().fill('─').junction('─'))
    .content_lines(ContentLineStyle::none().junction(' '));

/// What stands above a column, and its figure of a cell.
type Figure = (String, Box<dyn Fn(&Cell) -> String>);

/// The table with what must be said of it; `all` names the file in which every row can be found.
pub fn shares(scenario: &Scenario, analysis: &Analysis, all: &str) -> String {
    let figures = figures(scenario, analysis);
    let variants = scenario.variants.len().max(1);
    let names = situations(scenario);
    let rows = rows(analysis, names.len(), variants);
    let shown = (ROWS / variants).max(1).min(rows.len());
    let mut table = heading(scenario, &figures);
    for (situation, _) in &rows[..shown] {
        for (variant, cells) in analysis.cells.iter().enumerate() {
            let columns = figures.iter().map(|one| (one.1)(&cells[*situation]));
            table.add_row([variant_name(scenario, analysis, variant, *situation)].into_iter().chain(columns));
        }
    }
    // a situation is too long for a column: it stands above the lines of its variants, each of which is one line
    let mut lines: Vec<String> = table.trim_fmt().lines().map(str::to_owned).collect();
    let body = lines.split_off(lines.len().saturating_sub(shown * variants));
    for (row, figures) in rows.iter().zip(body.chunks(variants)) {
        lines.extend(wrapped(&group_name(&names, *row)));
        lines.extend_from_slice(figures);
    }
    format!("{}\n{}", lines.join("\n"), remarks(scenario, analysis, &rows, shown, all))
}

/// The situations, each with the number of those that play alike; these share a row only where there are many.
fn rows(analysis: &Analysis, situations: usize, variants: usize) -> Vec<(usize, usize)> {
    if situations * variants <= ROWS + variants {
        return (0..situations).map(|situation| (situation, 0)).collect();
    }
    groups(analysis, &(0..variants).collect::<Vec<_>>(), &(0..situations).collect::<Vec<_>>())
}

/// A table without rows: headings, and columns as wide as 80 characters allow.
fn heading(scenario: &Scenario, figures: &[Figure]) -> Table {
    let longest = scenario.variants.iter().map(|variant| variant.name.chars().count()).max().unwrap_or(0);
    let variant = longest.clamp(9, 14) + INDENT.len() + SAME.len();
    let figure = ((WIDTH - variant) / figures.len().max(1)).clamp(6, 13) - 1;
    let heading =
        |label: &str| label.split(' ').map(|word| shortened(word, figure)).collect::<Vec<_>>().join(" ");
    let mut table = Table::new();
    table.load_style(STYLE).set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header(["Situation".to_owned()].into_iter().chain(figures.iter().map(|one| heading(&one.0))));
    let widths = [variant].into_iter().chain(figures.iter().map(|_| figure));
    for (column, width) in table.column_iter_mut().zip(widths) {
        let width = Width::Fixed(u16::try_from(width).unwrap_or(u16::MAX));
        column.set_padding((0, 0)).set_constraint(ColumnConstraint::Absolute(width));
    }
    table.column_iter_mut().skip(1).for_each(|column| column.set_cell_alignment(CellAlignment::Right));
    table
}

/// Shares of the outcomes, the last and worst ones if there are many; of numbers, where they lie.
fn figures(scenario: &Scenario, analysis: &Analysis) -> Vec<Figure> {
    let mut figures: Vec<Figure> = Vec::new();
    let main = scenario.main();
    match &main.results {
        _ if main.is_record() && !records(scenario).is_empty() => {}
        Results::Named(named) => {
            for (key, result) in columns(named, analysis) {
                let share = move |cell: &Cell| percent(cell.estimates[0][key].1.probability);
                figures.push((result.label.clone(), Box::new(share)));
            }
        }
        Results::Numbers => {
            figures
                .push(("Mean".to_owned(), Box::new(move |cell| number(mean(&cell.sample.measures[0]), 2))));
            for (label, level) in [("5 %", 0.05), ("Median", 0.5), ("95 %", 0.95)] {
                let value = move |cell: &Cell| quantile(&cell.sample.measures[0], level);
                let at = move |cell: &Cell| number(value(cell).map(|value| value as f64), 0);
                figures.push((label.to_owned(), Box::new(at)));
            }
        }
    }
    let room = COLUMNS.saturating_sub(figures.len());
    figures.extend(records(scenario).into_iter().take(room));
    if analysis.cells.iter().flatten().any(|cell| cell.sample.unresolved > 0) {
        let share = |cell: &Cell| percent(cell.sample.unresolved as f64 / cell.sample.trials as f64);
        figures.push(("Unresolved".to_owned(), Box::new(share)));
    }
    figures
}

/// The records that are numbers, by their means, and the flags, by the share of "yes".
fn records(scenario: &Scenario) -> Vec<Figure> {
    let figure = |(at, measure): (usize, &Measure)| -> Option<Figure> {
        let of = move |cell: &Cell| number(mean(&cell.sample.measures[at]), 2);
        match &measure.results {
            Results::Numbers => Some((measure.label.clone(), Box::new(of))),
            Results::Named(named) if is_flag(named) => {
                let share = move |cell: &Cell| percent(cell.estimates[at][1].1.probability);
                Some((format!("{} %", measure.label), Box::new(share)))
            }
            Results::Named(_) => None,
        }
    };
    scenario
        .measures
        .iter()
        .enumerate()
        .filter(|(_, measure)| measure.is_record())
        .filter_map(figure)
        .collect()
}

/// A number with so many decimals; nothing where there is none.
fn number(number: Option<f64>, decimals: usize) -> String {
    number.map_or_else(String::new, |x| format!("{x:.decimals$}"))
}

/// The outcomes that have a column: all, if there is room; else the last ones of those that come up at all.
fn columns<'a>(named: &'a [Named], analysis: &Analysis) -> Vec<(usize, &'a Named)> {
    let comes_up =
        |key: usize| analysis.cells.iter().flatten().any(|cell| cell.estimates[0][key].1.count > 0);
    let room = named.len() <= COLUMNS;
    let mut columns: Vec<_> = named.iter().enumerate().filter(|(key, _)| room || comes_up(*key)).collect();
    columns.split_off(columns.len().saturating_sub(COLUMNS))
}

/// With a mark where it plays by the baseline's rules.
fn variant_name(scenario: &Scenario, analysis: &Analysis, variant: usize, situation: usize) -> String {
    let id = |variant: usize| analysis.cells[variant][situation].sample.id;
    let same = variant != analysis.baseline && id(variant) == id(analysis.baseline);
    format!("{INDENT}{}{}", shortened(&scenario.variants[variant].name, 14), if same { SAME } else { "" })
}

/// In lines that are not too wide, all but the first set in.
pub(super) fn wrapped(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        let word = shortened(word, WIDTH / 2);
        match lines.last_mut() {
            Some(line) if line.chars().count() + word.chars().count() < WIDTH => *line += &format!(" {word}"),
            Some(_) => lines.push(format!("{INDENT}{INDENT}{word}")),
            None => lines.push(word),
        }
    }
    lines
}

/// At most so many letters; a full stop stands for those left out.
pub(super) fn shortened(word: &str, letters: usize) -> String {
    if word.chars().count() <= letters {
        return word.to_owned();
    }
    word.chars().take(letters - 1).chain(['.']).collect()
}

/// What the table does not say itself.
fn remarks(
    scenario: &Scenario,
    analysis: &Analysis,
    rows: &[(usize, usize)],
    shown: usize,
    all: &str,
) -> String {
    let mut remarks = Vec::new();
    let trials = trials(analysis);
    let (main, recorded) = (scenario.main(), records(scenario).len());
    let mut shown_columns = if main.is_record() { 0 } else { 4 };
    match &main.results {
        _ if main.is_record() && recorded > 0 => remarks.push(format!("From {trials} trials each.")),
        Results::Numbers => remarks.push(format!("From {trials} trials each.")),
        Results::Named(named) => {
            remarks.push(format!("Shares in percent of {trials} trials each."));
            shown_columns = columns(named, analysis).len();
            let left = named.len() - shown_columns;
            if left > 0 {
                let left = counted(left, "outcome is", "outcomes are");
                remarks.push(format!("{left} left out; all are in {all}."));
            }
        }
    }
    let all_records = scenario.measures.iter().filter(|measure| measure.is_record()).count();
    if all_records > 0 {
        let left = all_records - recorded.min(COLUMNS.saturating_sub(shown_columns));
        remarks.push("What is recorded: means, of flags the share of yes.".to_owned());
        if left > 0 {
            let left = counted(left, "record is", "records are");
            remarks.push(format!("{left} left out; all are in {all}."));
        }
    }
    let shown_alike =
        |one: &Comparison| one.same_rules && rows[..shown].iter().any(|row| row.0 == one.situation);
    if analysis.comparisons.iter().any(shown_alike) {
        let baseline = &scenario.variants[analysis.baseline].name;
        remarks.push(format!("A \"=\" marks the same rules as in {baseline}."));
    }
    if flags_vary(scenario) {
        remarks.push(UNSAID.to_owned());
    }
    if rows.iter().any(|(_, alike)| *alike > 0) {
        remarks.push("Situations in which the same rules are left to play share a row.".to_owned());
    }
    if rows.len() > shown {
        let left = counted(rows.len() - shown, "row is", "rows are");
        remarks.push(format!("{left} left out here; all are in {all}."));
    }
    remarks.extend(interpreted(scenario, analysis));
    let related = related_in_short(scenario, analysis, &situations(scenario));
    let claims = claims_in_short(scenario, &analysis.claims, ", which are in claims.csv");
    let expects = expects_in_short(scenario, &analysis.expects);
    let agreed = in_short(scenario, analysis);
    let looked: Option<String> = looked(scenario, analysis).next();
    let lines = looked.iter().chain(&related).chain(&claims).chain(&expects).chain(&agreed);
    remarks.extend(lines.map(|line| format!("\n{}", wrapped(line).join("\n"))));
    remarks.push(String::new());
    remarks.join("\n")
}

/// How many trials were not played again, of how many.
pub fn reused(reused: u64, of: u64) -> String {
    format!("Reused {} of {} trials", thousands(reused), thousands(of))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::tests as example;
    use crate::scenario::Named;

    fn table(scenario: &Scenario) -> String {
        shares(scenario, &example::analysis(scenario), "results.csv")
    }

    #[test]
    fn each_variant_has_a_line_in_each_situation() {
        let text = table(&example::scenario());
        // shooting at fresh infantry, out of 36: 26 hold, 4 retreat, 6 break; then 21 hold, 9 disordered, 3 retreat, 3 break
        let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
        let at = text.lines().position(|line| line == "Infantry, shooting, excess casualties 0").unwrap();
        assert_eq!(lines[at + 1], ["original", "72.2", "0.0", "0.0", "11.1", "16.7"], "{text}");
        assert_eq!(lines[at + 2], ["modified", "58.3", "25.0", "0.0", "8.3", "8.3"], "{text}");
        assert!(text.lines().nth(at + 3).unwrap().ends_with(", disordered"), "{text}");
    }

    #[test]
    fn a_long_grid_is_cut_and_says_so() {
        let text = table(&example::scenario());
        // of 40 situations, none of which play alike, 20 make 40 lines
        assert!(text.contains("\n20 rows are left out here; all are in results.csv.\n"), "{text}");
        let mut short = example::scenario();
        short.situations.truncate(20);
        assert!(!table(&short).contains("left out"), "{}", table(&short));
    }

    #[test]
    fn the_same_rules_are_marked() {
        let mut cavalry = example::scenario();
        cavalry.situations.drain(..20);
        let text = table(&cavalry);
        assert!(text.contains("  modified =  "), "{text}");
        assert!(text.contains("\nA \"=\" marks the same rules as in original.\n"), "{text}");
        assert!(!table(&example::scenario()).contains("marks"), "no line that is shown has the mark");
    }

    #[test]
    fn numbers_show_where_they_lie() {
        let text = table(&example::numbers());
        // two dice: mean 7; 1 of 36 is 2 and 3 of 36 at most 3, so 5 % lie at 3 or less; as many at the other end
        assert!(text.contains(" Mean "), "{text}");
        let line = text.lines().find(|line| line.contains("original")).unwrap();
        let figures: Vec<&str> = line.split_whitespace().rev().take(4).collect();
        assert_eq!(figures, ["11", "7", "3", "7.00"]);
    }

    #[test]
    fn records_have_columns_as_far_as_there_is_room() {
        let (mut scenario, analysis) = example::recorded();
        let text = shares(&scenario, &analysis, "results.csv");
        // five outcomes leave room for one
        let line = text.lines().find(|line| line.contains("original")).unwrap();
        assert_eq!(
            line.split_whitespace().collect::<Vec<_>>(),
            ["original", "75.0", "0.0", "0.0", "0.0", "25.0", "0.50"]
        );
        assert!(text.contains("\n1 record is left out; all are in results.csv.\n"), "{text}");
        // a test that gives nothing has its records alone
        scenario.measures[0].variants = scenario.measures[1].variants.clone();
        let text = shares(&scenario, &analysis, "results.csv");
        let heading = text.lines().next().unwrap().split_whitespace().collect::<Vec<_>>();
        assert_eq!(heading, ["Situation", "men", "lost", "routed", "%"]);
        assert!(text.contains("\n1 record is left out;"), "the one that is a name: {text}");
    }

    #[test]
    fn a_long_situation_goes_on_in_the_next_line() {
        let mut long = example::scenario();
        long.factors[4].label = "Disordered by the fire of many guns over open sights".to_owned();
        let text = table(&long);
        let (first, second) = (
            "Infantry, shooting, excess casualties 0, disordered by the fire of many guns",
            "over open sights",
        );
        assert!(text.contains(&format!("\n{first}\n    {second}\n  original ")), "{text}");
        assert!(text.contains("\nWhat a situation does not mention is not the case.\n"), "{text}");
    }

    #[test]
    fn nothing_is_wider_than_80() {
        let mut wide = example::scenario();
        wide.variants[1].name = "a_draft_with_a_name_that_goes_on_and_on".to_owned();
        wide.factors[0].values[0].label = "Donaudampfschifffahrtsgesellschaftskapitaen".to_owned();
        let long = |n| Named { name: format!("n{n}"), label: format!("Falls back in disorder {n}") };
        wide.measures[0].results = Results::Named((0..9).map(long).collect());
        let mut analysis = example::analysis(&wide);
        analysis.cells[0][0].sample.unresolved = 9;
        let text = shares(&wide, &analysis, "results.csv");
        // of nine outcomes five come up
        assert!(text.contains("\n4 outcomes are left out; all are in results.csv.\n"), "{text}");
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
        assert!(table(&example::scenario()).lines().all(|line| line.chars().count() <= 80));
    }
}
