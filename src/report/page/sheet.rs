//! The run's tables as the page shows them: labels instead of names, percent instead of fractions.
//!
//! In: a table as its file has it. Out: headings and texts, at most [`MOST`] rows, and what must be said of them.
//!
//! **Never:** a figure that the table does not have.

use crate::analyse::Analysis;
use crate::report::words::{counted, percent_of, result_label, signed, thousands, upper_first};
use crate::results::{Cells, Table};
use crate::scenario::{Measure, Results, Scenario};

/// So many rows of a table stand on the page at most.
pub(super) const MOST: usize = 2_500;

/// A table of the page.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Sheet {
    /// The file that has all of it, without its ending; also its name within the page.
    pub(super) file: &'static str,
    /// Its heading.
    pub(super) title: &'static str,
    /// What a row is, which columns are left out because they say the same in each, which rows have no room.
    pub(super) about: Vec<String>,
    /// From left to right.
    pub(super) columns: Vec<Column>,
    /// From top to bottom.
    pub(super) rows: Vec<Vec<String>>,
}

/// A column of a [`Sheet`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Column {
    /// What stands above it.
    pub(super) heading: String,
    /// Whether it is of figures.
    pub(super) figures: bool,
    /// Whether rows can be picked by its values.
    pub(super) pick: bool,
}

/// What the page says of one of the run's tables.
pub(super) struct Kind {
    pub(super) file: &'static str,
    pub(super) title: &'static str,
    /// What a row is.
    pub(super) row: &'static str,
    /// The column whose largest values come first where not all rows have room.
    pub(super) largest: Option<&'static str>,
    /// Whether `low` and `high` are shares, shown in percent.
    pub(super) shares: bool,
}

/// How the cells of a column are written.
#[derive(Clone, Copy)]
enum Form {
    Label,
    Name,
    Number,
    Percent,
    Signed,
    Points,
    Small,
    PValue,
}

/// What is known of a column by its name: the heading, the form.
fn known(name: &str) -> Option<(String, Form)> {
    let (heading, form) = match name {
        "variant" => ("Variant", Form::Name),
        "baseline" => ("Against", Form::Name),
        "measure" => ("Figure", Form::Label),
        "outcome" => ("Result", Form::Label),
        "from" => ("Baseline’s result", Form::Label),
        "to" => ("Draft’s result", Form::Label),
        "count" => ("Trials with it", Form::Number),
        "trials" => ("Trials", Form::Number),
        "unresolved" => ("Unresolved", Form::Number),
        "in_both" => ("In both", Form::Number),
        "gained_count" => ("Gained", Form::Number),
        "lost_count" => ("Lost", Form::Number),
        "probability" => ("Probability, %", Form::Percent),
        "baseline_probability" => ("Baseline, %", Form::Percent),
        "difference_pp" => ("Difference, points", Form::Signed),
        "p_adjusted" => ("Adjusted p-value", Form::PValue),
        "effect_size" => ("Effect size", Form::Small),
        "z" => ("z-score", Form::Points),
        "mean" => ("Mean", Form::Small),
        "baseline_mean" => ("Baseline’s mean", Form::Small),
        "mean_difference" => ("Difference", Form::Signed),
        "standard_deviation" => ("Standard deviation", Form::Small),
        "verdict" => ("Verdict", Form::Name),
        "known_by" => ("Known", Form::Name),
        "ahead_pp" => ("Ahead by, points", Form::Points),
        "ahead_at" => ("Ahead at", Form::Label),
        "behind_pp" => ("Behind by, points", Form::Points),
        "behind_at" => ("Behind at", Form::Label),
        "room_pp" => ("Off by at most, points", Form::Points),
        _ => {
            let share = name.strip_prefix("quantile_")?;
            return Some((format!("{share} % have at most"), Form::Small));
        }
    };
    Some((heading.to_owned(), form))
}

/// What stands above a sampled figure where the exact one stands beside it.
fn sampled(name: &str) -> Option<&'static str> {
    Some(match name {
        "probability" => "Sampled, %",
        "baseline_probability" => "Baseline, sampled, %",
        "difference_pp" => "Sampled difference, points",
        "mean" => "Sampled mean",
        "baseline_mean" => "Baseline’s sampled mean",
        "mean_difference" => "Sampled difference",
        _ => return None,
    })
}

/// What must be said where some figures are known twice.
const QUOTE: &str =
    "Where there is an exact figure, quote that; the sampled one beside it shows that dice come to the same.";

/// The table as the page shows it.
pub(super) fn sheet(scenario: &Scenario, analysis: &Analysis, kind: &Kind, table: &Table) -> Sheet {
    let shown = shown(kind, table);
    let exact = table.columns.iter().find(|(name, cells)| is_exact(name) && !is_empty(cells));
    let reader = Reader { scenario, kind, table, level: percent_of(analysis.level), exact: exact.is_some() };
    let mut about = vec![kind.row.to_owned()];
    about.extend(exact.map(|_| QUOTE.to_owned()));
    let (mut columns, mut texts, mut same) = (Vec::new(), Vec::new(), Vec::new());
    let behind = |name: &str| matches!(name, "count" | "trials" | "unresolved");
    let (last, mut first): (Vec<_>, Vec<_>) =
        table.columns.iter().filter(|(name, _)| !is_exact(name)).partition(|(name, _)| behind(name));
    // what is exact stands before what is sampled
    let at = first.iter().position(|(name, _)| sampled(name).is_some()).unwrap_or(first.len());
    first.splice(at..at, exact);
    for (name, cells) in first.into_iter().chain(last) {
        let Some((column, all)) = reader.column(name, cells) else { continue };
        match all.first() {
            Some(first) if all.len() > 1 && all.iter().all(|text| text == first) => {
                if !first.is_empty() {
                    same.push(format!("{}: {first}", column.heading));
                }
            }
            _ => {
                columns.push(column);
                texts.push(all);
            }
        }
    }
    if !same.is_empty() {
        about.push(format!("The same in every row: {}.", same.join("; ")));
    }
    about.extend(left_out(kind, shown.len(), table.height()));
    let row = |at: &usize| texts.iter().map(|column| column[*at].clone()).collect();
    let rows = shown.iter().map(row).collect();
    Sheet { file: kind.file, title: kind.title, about, columns, rows }
}

/// Whether a column is of exact figures.
fn is_exact(name: &str) -> bool {
    matches!(name, "exact" | "exact_mean")
}

fn is_empty(cells: &Cells) -> bool {
    matches!(cells, Cells::Text(texts) if texts.iter().all(Option::is_none))
}

/// Which rows have room: all, or those with the largest difference, or the first.
fn shown(kind: &Kind, table: &Table) -> Vec<usize> {
    let mut rows: Vec<usize> = (0..table.height()).collect();
    if let (true, Some(Cells::Real(by))) = (rows.len() > MOST, kind.largest.and_then(|by| table.column(by))) {
        let size = |row: &usize| by[*row].map_or(0.0, f64::abs);
        rows.sort_by(|a, b| size(b).total_cmp(&size(a)));
    }
    rows.truncate(MOST);
    rows
}

fn left_out(kind: &Kind, shown: usize, all: usize) -> Option<String> {
    let which = if kind.largest.is_some() { "with the largest differences" } else { "that come first" };
    (shown < all).then(|| {
        format!(
            "This page has room for {} {which}, of {}; all of them are in {}.csv.",
            counted(shown, "row", "rows"),
            thousands(all as u64),
            kind.file
        )
    })
}

struct Reader<'a> {
    scenario: &'a Scenario,
    kind: &'a Kind,
    table: &'a Table,
    level: String,
    /// Whether some figures are known exactly too.
    exact: bool,
}

impl Reader<'_> {
    /// A column's heading and its texts; `None` for the upper ends of intervals, which stand beside the lower ones.
    fn column(&self, name: &str, cells: &Cells) -> Option<(Column, Vec<String>)> {
        if let Some(factor) = self.scenario.factors.iter().find(|factor| factor.name == name) {
            let label = |name: String| {
                let known = factor.values.iter().find(|value| value.name == name);
                known.map_or(name, |value| value.label.clone())
            };
            let texts = self.plain(cells).into_iter().map(label).collect();
            let heading = upper_first(&factor.label);
            return Some((Column { heading, figures: false, pick: true }, texts));
        }
        if let Some(record) = self.scenario.measures.iter().find(|measure| measure.name == name) {
            let texts = self.plain(cells).iter().map(|name| label(record, name)).collect();
            let heading = upper_first(&record.label);
            return Some((
                Column { heading, figures: record.results == Results::Numbers, pick: true },
                texts,
            ));
        }
        if let Some(stem) = interval(name, "high") {
            return self.table.column(&format!("{}low{}", stem.0, stem.1)).is_none().then(|| {
                (Column { heading: name.to_owned(), figures: true, pick: false }, self.plain(cells))
            });
        }
        if let Some((before, behind)) = interval(name, "low")
            && let Some(high) = self.table.column(&format!("{before}high{behind}"))
        {
            let of = if self.exact { "Sampled, " } else { "" };
            let heading = format!("{of}{} % interval", self.level);
            let percent = self.kind.shares && before.is_empty() && behind.is_empty();
            return Some((Column { heading, figures: true, pick: false }, intervals(cells, high, percent)));
        }
        if is_exact(name) {
            let (heading, texts) = self.exactly(name, cells);
            return Some((Column { heading: heading.to_owned(), figures: true, pick: false }, texts));
        }
        let (heading, form) = known(name).unwrap_or((name.to_owned(), Form::Small));
        let heading = sampled(name).filter(|_| self.exact).map_or(heading, str::to_owned);
        let pick = matches!(form, Form::Label | Form::Name);
        Some((Column { heading, figures: !pick, pick }, self.texts(name, cells, form)))
    }

    /// Exact figures as the sampled ones beside them are written, with the fraction: `8.33 (1/12)`.
    fn exactly(&self, name: &str, cells: &Cells) -> (&'static str, Vec<String>) {
        let (heading, write): (_, fn(f64) -> String) = match (name, self.kind.largest) {
            ("exact_mean", _) => ("Exact mean", small),
            (_, Some("difference_pp")) => ("Exact difference, points", |value| signed(value * 100.0, 2)),
            (_, Some(_)) => ("Exact difference", |value| signed(value, 3)),
            (_, None) => ("Exact, %", percent),
        };
        let one = |text: &String| match quotient(text) {
            Some(value) if text.contains('/') => format!("{} ({text})", write(value)),
            Some(value) => write(value),
            None => text.clone(),
        };
        (heading, self.plain(cells).iter().map(one).collect())
    }

    fn texts(&self, name: &str, cells: &Cells, form: Form) -> Vec<String> {
        let real = |text: fn(f64) -> String| match cells {
            Cells::Real(cells) => cells
                .iter()
                .map(|value| value.filter(|one| one.is_finite()).map_or_else(String::new, text))
                .collect(),
            _ => self.plain(cells),
        };
        match form {
            Form::Label if name == "measure" => self
                .plain(cells)
                .iter()
                .map(|name| self.measure(name).map_or(name.clone(), |one| upper_first(&one.label)))
                .collect(),
            Form::Label => {
                let texts = self.plain(cells);
                texts.iter().enumerate().map(|(row, name)| label(self.measure_of(row), name)).collect()
            }
            Form::Name => self.plain(cells).iter().map(|name| name.replace('_', " ")).collect(),
            Form::Number => self.plain(cells),
            Form::Percent => real(percent),
            Form::Signed if name.ends_with("_pp") => real(|value| signed(value, 2)),
            Form::Signed => real(|value| signed(value, 3)),
            Form::Points => real(|value| format!("{value:.2}")),
            Form::Small => real(small),
            Form::PValue => real(p_value),
        }
    }

    fn measure(&self, name: &str) -> Option<&Measure> {
        self.scenario.measures.iter().find(|measure| measure.name == name)
    }

    /// The measure that a row is about: the one that it names, or the first.
    fn measure_of(&self, row: usize) -> &Measure {
        let named = match self.table.column("measure") {
            Some(Cells::Text(names)) => names[row].as_deref().and_then(|name| self.measure(name)),
            _ => None,
        };
        named.unwrap_or_else(|| self.scenario.main())
    }

    /// Cells as they are.
    fn plain(&self, cells: &Cells) -> Vec<String> {
        match cells {
            Cells::Text(cells) => cells.iter().map(|cell| cell.clone().unwrap_or_default()).collect(),
            Cells::Count(cells) => cells.iter().map(|cell| thousands(*cell)).collect(),
            Cells::Integer(cells) => cells.iter().map(i64::to_string).collect(),
            Cells::Real(cells) => cells.iter().map(|cell| cell.map_or_else(String::new, small)).collect(),
        }
    }
}

/// What stands before and behind the word for an interval's end: `low_pp` is `low` with `_pp` behind it.
fn interval<'a>(name: &'a str, end: &str) -> Option<(&'a str, &'a str)> {
    let (before, behind) = name.split_once(end)?;
    ((before.is_empty() || before.ends_with('_')) && (behind.is_empty() || behind.starts_with('_')))
        .then_some((before, behind))
}

/// `16.59 to 16.73`.
fn intervals(low: &Cells, high: &Cells, percent_: bool) -> Vec<String> {
    let (Cells::Real(low), Cells::Real(high)) = (low, high) else { return Vec::new() };
    let text = |value: f64| if percent_ { percent(value) } else { small(value) };
    let both = |(low, high): (&Option<f64>, &Option<f64>)| match (low, high) {
        (Some(low), Some(high)) if low.is_finite() && high.is_finite() => {
            format!("{} to {}", text(*low), text(*high))
        }
        _ => String::new(),
    };
    low.iter().zip(high).map(both).collect()
}

/// A value's label in a measure; a number is its own.
fn label(measure: &Measure, name: &str) -> String {
    match &measure.results {
        Results::Named(named) => {
            named.iter().position(|one| one.name == name).map(|at| result_label(measure, at as i64))
        }
        Results::Numbers => None,
    }
    .unwrap_or_else(|| name.to_owned())
}

/// What a fraction or a decimal comes to.
fn quotient(text: &str) -> Option<f64> {
    let (top, bottom) = text.split_once('/').unwrap_or((text, "1"));
    Some(top.parse::<f64>().ok()? / bottom.parse::<f64>().ok()?)
}

/// A share in percent, with two decimals; what is not 0 or 100 never looks like it.
fn percent(share: f64) -> String {
    match share {
        share if 0.0 < share && share < 0.00005 => "<0.01".to_owned(),
        share if (0.99995..1.0).contains(&share) => ">99.99".to_owned(),
        share => format!("{:.2}", share * 100.0),
    }
}

/// A number with at most three decimals.
fn small(value: f64) -> String {
    let text = format!("{value:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0" } else { text }.to_owned()
}

fn p_value(value: f64) -> String {
    if value < 0.001 { "<0.001".to_owned() } else { format!("{value:.3}") }
}
