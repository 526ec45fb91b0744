//! Which charts a run draws, and with which numbers: from a scenario and its analysis to figures.
//!
//! **Never:** how a chart looks.

use super::chart::{Caption, Figure, Share};
use super::sensitivity;
use super::words::{denied, joined, lower_first, part, percent_of, result_label, trials};
use crate::analyse::{Analysis, Cell, Estimate, Sensitivity, estimate, normal_quantile, probability};
use crate::scenario::{ChartKind, ChartRequest, GridFactor, Reading, Results, Scenario};
use std::collections::BTreeSet;

mod curve;
mod difference;
mod distribution;
mod finding;
mod flows;
mod heat;
mod numbers;
mod outcomes;
mod survival;
mod usual;

pub(super) use usual::none as no_chart;

/// A figure and the name of its file, without number and ending.
pub(super) struct Drawing {
    /// `outcomes-excess-troop`.
    pub(super) name: String,
    /// What is drawn.
    pub(super) figure: Figure,
}

/// One figure for each chart that is asked for, or a fitting set.
pub(super) fn figures(scenario: &Scenario, analysis: &Analysis) -> Vec<Drawing> {
    let usual;
    let requests = match scenario.charts.is_empty() {
        true => {
            usual = usual::usual_charts(scenario);
            &usual
        }
        false => &scenario.charts,
    };
    let mut sensitivities = analysis.sensitivities.iter();
    let drawing = |request: &ChartRequest| match request.kind {
        ChartKind::Modifiers => Some(modifiers(scenario, sensitivities.next()?, request.title.as_deref())),
        _ => View::new(scenario, analysis, request)?.drawing(),
    };
    requests.iter().filter_map(drawing).collect()
}

/// How much wider intervals of this level must be for so many of them to hold together.
fn wider(level: f64, intervals: usize) -> f64 {
    let together = 1.0 - (1.0 - level) / intervals.max(1) as f64;
    normal_quantile(together) / normal_quantile(level)
}

/// What moves a figure, as bars.
fn modifiers(scenario: &Scenario, found: &Sensitivity, title: Option<&str>) -> Drawing {
    let name = slug(title.unwrap_or(&format!("{} {}", scenario.variants[found.variant].name, found.figure)));
    let figure = Figure::Bars(sensitivity::bars(scenario, found, title));
    Drawing { name: format!("modifiers-{name}").trim_end_matches('-').to_owned(), figure }
}

/// The situations of one chart, laid out along an axis and over panels.
struct View<'a> {
    scenario: &'a Scenario,
    analysis: &'a Analysis,
    request: &'a ChartRequest,
    /// The situations that are shown.
    rows: Vec<usize>,
    /// `cells[panel][x]`: the position of the situation, where there is one.
    cells: Vec<Vec<Option<usize>>>,
    /// What the other factors are held at, in words.
    held: String,
}

impl<'a> View<'a> {
    fn new(scenario: &'a Scenario, analysis: &'a Analysis, request: &'a ChartRequest) -> Option<Self> {
        let (rows, held) = shown(scenario, request)?;
        let cells = laid_out(scenario, request, &rows);
        Some(Self { scenario, analysis, request, rows, cells, held })
    }

    fn drawing(&self) -> Option<Drawing> {
        let (kind, figure) = match self.request.kind {
            ChartKind::Outcomes => ("outcomes", Figure::Outcomes(outcomes::outcomes(self)?)),
            ChartKind::Curve => ("curve", Figure::Curve(curve::curve(self)?)),
            ChartKind::Flow => ("flow", Figure::Flows(flows::flows(self)?)),
            ChartKind::Difference => ("difference", Figure::Bars(difference::bars(self)?)),
            ChartKind::Heat => ("heat", Figure::Heat(heat::heat(self)?)),
            ChartKind::Distribution => ("distribution", distribution::figure(self)?),
            ChartKind::Survival => ("survival", Figure::Curve(survival::curve(self)?)),
            ChartKind::Modifiers => return None,
        };
        let factors = [self.request.x, self.request.y, self.request.panel]
            .into_iter()
            .flatten()
            .map(|factor| &self.scenario.factors[factor].name);
        let slug = match &self.request.title {
            Some(title) => slug(title),
            None => factors.map(|name| slug(name)).collect::<Vec<_>>().join("-"),
        };
        Some(Drawing { name: format!("{kind}-{slug}").trim_end_matches('-').to_owned(), figure })
    }

    /// The panels that show anything, with their headings.
    fn panels(&self) -> impl Iterator<Item = (String, &Vec<Option<usize>>)> {
        let panels = self.cells.iter().enumerate().filter(|(_, cells)| cells.iter().any(Option::is_some));
        let panel = self.request.panel.map(|factor| &self.scenario.factors[factor]);
        let title = move |number| panel.map_or_else(String::new, |panel| value_in_words(panel, number));
        panels.map(move |(number, cells)| (title(number), cells))
    }

    fn cell(&self, variant: usize, situation: usize) -> &Cell {
        &self.analysis.cells[variant][situation]
    }

    /// What the chart shows of its outcome; where it shows all outcomes, of the one that changes most.
    fn finding(&self) -> String {
        let (outcome, rows) = match (self.request.kind, &self.scenario.main().results) {
            (ChartKind::Outcomes, Results::Named(named)) => {
                let all = (0..named.len()).map(|key| (named[key].label.clone(), self.chances(key as i64)));
                let change = |rows: &[finding::Row]| finding::largest(self.analysis.baseline, rows);
                let largest = all.max_by(|a, b| change(&a.1).total_cmp(&change(&b.1)));
                largest.unwrap_or_default()
            }
            _ => (self.outcome_in_words(), self.rows_of(|cell| self.asked(cell))),
        };
        finding::of_outcome(&outcome, &self.variants(), self.analysis.baseline, &rows)
    }

    /// The chance of a result, in each situation under each variant.
    fn chances(&self, key: i64) -> Vec<finding::Row> {
        self.rows_of(|cell| self.share(cell, 0, |one| one == key))
    }

    /// A share of each situation under each variant, with intervals that hold all together.
    fn rows_of(&self, share: impl Fn(&Cell) -> Share) -> Vec<finding::Row> {
        let situations = || self.cells.iter().flatten().flatten();
        let wider = wider(self.analysis.level, situations().count() * self.analysis.cells.len());
        let wide = |one: Share| Share {
            value: one.value,
            low: one.value - (one.value - one.low) * wider,
            high: one.value + (one.high - one.value) * wider,
        };
        let row = |at: &usize| self.analysis.cells.iter().map(|cells| wide(share(&cells[*at]))).collect();
        situations().map(row).collect()
    }

    /// The probability of the chart's outcome.
    fn asked(&self, cell: &Cell) -> Share {
        self.share(cell, self.measure(), |key| self.picks(key))
    }

    /// The measure that the outcome is of.
    fn measure(&self) -> usize {
        self.request.outcome.as_ref().map_or(0, |set| set.measure)
    }

    /// Whether a value of it is the outcome that is shown.
    fn picks(&self, key: i64) -> bool {
        self.request.outcome.as_ref().map_or(key == self.worst(), |set| set.contains(key))
    }

    /// The probability of some values of a measure: exactly where that is known.
    fn share(&self, cell: &Cell, measure: usize, contains: impl Fn(i64) -> bool + Copy) -> Share {
        let exact =
            cell.answer.as_ref().ok().and_then(|answer| probability(&answer.measures[measure], contains));
        match exact {
            Some(exact) => Share::exactly(exact.value()),
            None => {
                let z = normal_quantile(self.analysis.level);
                sampled(estimate(&cell.sample.measures[measure], contains, z))
            }
        }
    }

    /// The last of the named results.
    fn worst(&self) -> i64 {
        match &self.scenario.main().results {
            Results::Named(named) => named.len() as i64 - 1,
            Results::Numbers => 0,
        }
    }

    fn outcome_in_words(&self) -> String {
        match &self.request.outcome {
            Some(set) => match set.spans.as_slice() {
                [(low, high)] if low == high && set.measure == 0 => result_label(self.scenario.main(), *low),
                [stretch] if self.counts_result(set.measure) => {
                    format!("result {}", stretch_in_words(*stretch))
                }
                _ => set.text.clone(),
            },
            None => result_label(self.scenario.main(), self.worst()),
        }
    }

    /// Whether a measure is a number that the test itself gives.
    fn counts_result(&self, measure: usize) -> bool {
        let measure = &self.scenario.measures[measure];
        measure.results == Results::Numbers && !measure.is_record()
    }

    fn variants(&self) -> Vec<String> {
        self.scenario.variants.iter().map(|variant| variant.name.replace('_', " ")).collect()
    }

    /// The words around a chart with this finding, which is its title, or stands below the title that is given.
    fn caption(&self, finding: String) -> Caption {
        let (title, subtitle) = match (&self.request.title, self.held.as_str()) {
            (None, held) => (finding, held.to_owned()),
            (Some(title), "") => (title.clone(), finding),
            (Some(title), held) => (title.clone(), format!("{finding} ({held})")),
        };
        Caption { title, subtitle, note: format!("{}. Made with houserule.", self.sources()) }
    }

    /// The words around a chart with this title, unless another is given, and more to say below it.
    fn headed(&self, title: String, more: &str) -> Caption {
        Caption {
            title: self.request.title.clone().unwrap_or(title),
            subtitle: self.held.clone(),
            note: format!("{}{more}. Made with houserule.", self.sources()),
        }
    }

    /// Whether a variant has the measure of the chart at all.
    fn has(&self, variant: usize) -> bool {
        self.scenario.measures[self.request.measure].variants[variant].is_some()
    }

    /// Where the figures come from.
    fn sources(&self) -> String {
        let cells = self.analysis.cells.iter().flat_map(|cells| self.rows.iter().map(|at| &cells[*at]));
        let solved = cells.clone().filter(|cell| cell.answer.is_ok()).count();
        let (trials, seed) = (trials(self.analysis), self.scenario.seed);
        let drawn = match (self.request.kind, self.request.reading) {
            (ChartKind::Heat, _) => None, // which says so beside its scale
            (ChartKind::Curve | ChartKind::Survival, _) => Some("Bands"),
            (ChartKind::Distribution, Reading::AtLeast | Reading::AtMost) => Some("Bands"),
            _ => Some("Thin lines"),
        };
        let interval = |drawn| format!(". {drawn}: {} % intervals", percent_of(self.analysis.level));
        let intervals = drawn.map_or_else(String::new, interval);
        match solved {
            0 => format!("{trials} trials each, seed {seed}{intervals}"),
            _ if solved == cells.count() => {
                format!("Solved exactly; played {trials} times each too, seed {seed}")
            }
            _ => format!("Solved exactly, or else {trials} trials each, seed {seed}{intervals}"),
        }
    }
}

/// A share that was counted.
fn sampled(one: Estimate) -> Share {
    Share { value: one.probability, low: one.low, high: one.high }
}

/// The situations that a chart shows, and what the factors that it does not show are held at, in words. A chart of
/// differences shows all it may.
fn shown(scenario: &Scenario, request: &ChartRequest) -> Option<(Vec<usize>, String)> {
    let mut rows: Vec<usize> = request.situations.clone();
    let mut held = Vec::new();
    let axes = [request.x, request.y, request.panel];
    for factor in (0..scenario.factors.len()).filter(|factor| !axes.contains(&Some(*factor))) {
        let (kept, why) = hold(scenario, factor, &rows)?;
        if request.kind == ChartKind::Difference && !matches!(why, Held::Everywhere) {
            continue;
        }
        rows.retain(|row| scenario.situations[*row][factor] == kept);
        if scenario.factors[factor].values.len() > 1 {
            let (unit, text) = part(scenario, factor, kept);
            held.push((unit, text + why.in_words()));
        }
    }
    Some((rows, joined(held.into_iter())))
}

/// Which of these situations stands where, `[panel][x]`.
fn laid_out(scenario: &Scenario, request: &ChartRequest, rows: &[usize]) -> Vec<Vec<Option<usize>>> {
    let values = |axis: Option<usize>| axis.map_or(1, |factor| scenario.factors[factor].values.len());
    let at = |row: usize, axis: Option<usize>| axis.map_or(0, |factor| scenario.situations[row][factor]);
    let mut cells = vec![vec![None; values(request.x)]; values(request.panel)];
    for row in rows.iter().copied().rev() {
        cells[at(row, request.panel)][at(row, request.x)] = Some(row);
    }
    cells
}

/// The situations in which drafts are to be played in step with the baseline: all, or those of which a chart shows what the
/// same dice give.
pub fn in_step(scenario: &Scenario) -> BTreeSet<usize> {
    if scenario.paired {
        return (0..scenario.situations.len()).collect();
    }
    let flows = scenario.charts.iter().filter(|request| request.kind == ChartKind::Flow);
    flows.filter_map(|request| Some(shown(scenario, request)?.0)).flatten().collect()
}

/// Why a factor that a chart does not show is held at a value.
#[derive(Clone, Copy)]
enum Held {
    /// All situations of the chart have it.
    Everywhere,
    /// It is the default of the baseline's rules.
    Default,
    /// It is the first of the grid.
    First,
}

impl Held {
    fn in_words(self) -> &'static str {
        match self {
            Held::Everywhere => "",
            Held::Default => " (default)",
            Held::First => " only",
        }
    }
}

/// The position at which a factor is held among these situations, and why.
fn hold(scenario: &Scenario, factor: usize, rows: &[usize]) -> Option<(usize, Held)> {
    let positions: Vec<usize> = rows.iter().map(|row| scenario.situations[*row][factor]).collect();
    let first = *positions.first()?;
    if positions.iter().all(|position| *position == first) {
        return Some((first, Held::Everywhere));
    }
    let default = default_position(scenario, factor).filter(|default| positions.contains(default));
    match default {
        Some(default) => Some((default, Held::Default)),
        None => Some((positions.iter().min().copied()?, Held::First)),
    }
}

/// Where a factor of the grid has the default of the baseline's rules.
fn default_position(scenario: &Scenario, factor: usize) -> Option<usize> {
    let (ids, values) = scenario.factors[factor].bindings[scenario.baseline].as_ref()?;
    let default = scenario.variants[scenario.baseline].rules.factors[ids.first()?.0].default?;
    values.iter().position(|value| *value == default)
}

/// `at most 5`, `at least 3`, `4 to 6`.
fn stretch_in_words((low, high): (i64, i64)) -> String {
    match (low, high) {
        (i64::MIN, _) => format!("at most {high}"),
        (_, i64::MAX) => format!("at least {low}"),
        _ => format!("{low} to {high}"),
    }
}

/// A value on an axis whose label says which factor it is of.
fn on_axis(factor: &GridFactor, position: usize) -> String {
    let value = &factor.values[position];
    if factor.numeric || value.name == "none" {
        value.label.clone()
    } else {
        value_in_words(factor, position)
    }
}

/// `infantry`, `disordered`, `not disordered`, `excess 2`, `cover: none`.
fn value_in_words(factor: &GridFactor, position: usize) -> String {
    let value = &factor.values[position];
    match value.name.as_str() {
        "yes" => lower_first(&factor.label),
        "no" => denied(&lower_first(&factor.label)),
        _ if factor.numeric => format!("{} {}", lower_first(&factor.label), value.label),
        name => {
            let (unit, label) = match factor.label.split_once(": ").filter(|_| factor.name.contains('.')) {
                Some((unit, label)) => (format!("{unit}: "), label),
                None => (String::new(), factor.label.as_str()),
            };
            match (name, unit.is_empty()) {
                ("none", _) => format!("{unit}{}: {}", lower_first(label), lower_first(&value.label)),
                (_, true) => value.label.clone(),
                _ => format!("{unit}{}", lower_first(&value.label)),
            }
        }
    }
}

/// A name for a file from the first words of a text: small letters and digits, with `-` between words.
fn slug(text: &str) -> String {
    let letter = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { ' ' };
    let words: String = text.split(':').next().unwrap_or_default().chars().map(letter).collect();
    let mut slug = String::new();
    for word in words.split_whitespace() {
        if slug.len() + word.len() >= 40 {
            break;
        }
        let join = if slug.is_empty() { "" } else { "-" };
        slug = format!("{slug}{join}{word}");
    }
    slug
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_above_a_panel_says_of_what_it_is_where_its_name_does_not() {
        let mut factor = crate::report::tests::scenario().factors[0].clone();
        factor.values[1] = crate::scenario::Named { name: "none".to_owned(), label: "None".to_owned() };
        assert_eq!([0, 1].map(|at| value_in_words(&factor, at)), ["Infantry", "troop type: none"]);
        assert_eq!(on_axis(&factor, 1), "None");
        (factor.name, factor.label) = ("side.cover".to_owned(), "side: Cover".to_owned());
        assert_eq!([0, 1].map(|at| value_in_words(&factor, at)), ["side: infantry", "side: cover: none"]);
    }

    #[test]
    fn intervals_that_hold_together_are_as_much_wider_as_the_normal_table_says() {
        assert_eq!(wider(0.95, 1), 1.0);
        // twenty of them: 0.0025 is left to each, and the table has 3.0233 for that where 1.95996 is usual
        assert!((wider(0.95, 20) - 3.0233 / 1.95996).abs() < 1e-4);
    }
}
