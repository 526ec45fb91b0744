//! Which charts a run draws, and with which numbers: from a scenario and its analysis to figures.
//!
//! **Never:** how a chart looks.

use super::chart::{Caption, Curve, CurvePanel, Figure, FlowPanel, Flows, Outcomes, Point, SharesPanel};
use super::sensitivity;
use super::words::{denied, joined, lower_first, part, percent_of, result_label, thousands, trials};
use crate::analyse::{Analysis, Cell, Sensitivity, estimate, normal_quantile};
use crate::scenario::{ChartKind, ChartRequest, GridFactor, Results, Scenario};
use std::collections::BTreeSet;

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
            usual = usual_charts(scenario);
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

/// What moves a figure, as bars.
fn modifiers(scenario: &Scenario, found: &Sensitivity, title: Option<&str>) -> Drawing {
    let name = slug(title.unwrap_or(&format!("{} {}", scenario.variants[found.variant].name, found.figure)));
    let figure = Figure::Bars(sensitivity::bars(scenario, found, title));
    Drawing { name: format!("modifiers-{name}").trim_end_matches('-').to_owned(), figure }
}

/// The most values along the axis of a usual chart, and the most panels.
const LONGEST_AXIS: usize = 24;
const MOST_PANELS: usize = 12;

/// A chart of all outcomes and, where a factor is a number, a curve of the worst; none where every factor that varies
/// has too many values.
fn usual_charts(scenario: &Scenario) -> Vec<ChartRequest> {
    let factors = &scenario.factors;
    let up_to = |most: usize| {
        (0..factors.len()).filter(move |factor| (2..=most).contains(&factors[*factor].values.len()))
    };
    let numeric = up_to(LONGEST_AXIS).find(|factor| factors[*factor].numeric);
    let x = numeric.or_else(|| up_to(LONGEST_AXIS).next());
    let nothing_fits = x.is_none() && up_to(usize::MAX).next().is_some();
    if nothing_fits || scenario.main().results == Results::Numbers {
        return Vec::new();
    }
    let chart = |kind| ChartRequest {
        kind,
        outcome: None,
        x,
        panel: x.and_then(|x| up_to(MOST_PANELS).find(|factor| *factor != x)),
        variant: scenario.baseline,
        situations: (0..scenario.situations.len()).collect(),
        title: None,
    };
    let curve = numeric.map(|_| chart(ChartKind::Curve));
    std::iter::once(chart(ChartKind::Outcomes)).chain(curve).collect()
}

/// The situations of one chart, laid out along an axis and over panels.
struct View<'a> {
    scenario: &'a Scenario,
    analysis: &'a Analysis,
    request: &'a ChartRequest,
    /// `cells[panel][x]`: the position of the situation, where there is one.
    cells: Vec<Vec<Option<usize>>>,
    /// What the other factors are held at, in words.
    held: String,
}

impl<'a> View<'a> {
    fn new(scenario: &'a Scenario, analysis: &'a Analysis, request: &'a ChartRequest) -> Option<Self> {
        let (cells, held) = laid_out(scenario, request)?;
        Some(Self { scenario, analysis, request, cells, held })
    }

    fn drawing(&self) -> Option<Drawing> {
        let (kind, figure) = match self.request.kind {
            ChartKind::Outcomes => ("outcomes", Figure::Outcomes(self.outcomes()?)),
            ChartKind::Curve => ("curve", Figure::Curve(self.curve()?)),
            ChartKind::Flow => ("flow", Figure::Flows(self.flows()?)),
            ChartKind::Modifiers => return None,
        };
        let factors = [self.request.x, self.request.panel]
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

    fn outcomes(&self) -> Option<Outcomes> {
        let Results::Named(named) = &self.scenario.main().results else { return None };
        let shares = |cell: &Cell| cell.estimates[0].iter().map(|(_, one)| one.probability).collect();
        let bars = |situation: Option<usize>| {
            let bar = |variant| situation.map(|situation| shares(self.cell(variant, situation)));
            (0..self.scenario.variants.len()).map(bar).collect()
        };
        let used: Vec<usize> =
            (0..self.cells[0].len()).filter(|x| self.cells.iter().any(|panel| panel[*x].is_some())).collect();
        let panel = |(title, cells): (String, &Vec<Option<usize>>)| SharesPanel {
            title,
            shares: used.iter().map(|x| bars(cells[*x])).collect(),
        };
        let x = self.request.x.map(|factor| &self.scenario.factors[factor]);
        let situation = |at: &usize| x.map_or_else(String::new, |factor| on_axis(factor, *at));
        let numeric = x.filter(|factor| factor.numeric);
        let title = format!("What happens by {}", x.map_or("situation", |factor| &factor.label));
        Some(Outcomes {
            caption: self.caption(title),
            outcomes: named.iter().map(|named| named.label.clone()).collect(),
            outcomes_label: String::new(),
            variants: self.variants(),
            situations: used.iter().map(situation).collect(),
            situations_label: numeric.map_or_else(String::new, |factor| factor.label.clone()),
            shares_label: "share of all trials".to_owned(),
            panels: self.panels().map(panel).collect(),
        })
    }

    fn curve(&self) -> Option<Curve> {
        let x = self.request.x.map(|factor| &self.scenario.factors[factor])?;
        let number =
            |position: usize| x.values.get(position).and_then(|value| value.name.parse::<i32>().ok());
        let line = |variant: usize, cells: &Vec<Option<usize>>| {
            let placed =
                cells.iter().enumerate().filter_map(|(at, situation)| Some((number(at)?, (*situation)?)));
            placed.map(|(x, situation)| self.point(x, self.cell(variant, situation))).collect()
        };
        let outcome = self.outcome_in_words();
        let panel = |(title, cells): (String, &Vec<Option<usize>>)| CurvePanel {
            title,
            points: (0..self.scenario.variants.len()).map(|variant| line(variant, cells)).collect(),
        };
        Some(Curve {
            caption: self.caption(format!("Chance of “{outcome}” by {}", lower_first(&x.label))),
            variants: self.variants(),
            x_label: x.label.clone(),
            y_label: format!("chance of “{outcome}”"),
            panels: self.panels().map(panel).collect(),
        })
    }

    fn flows(&self) -> Option<Flows> {
        let Results::Named(named) = &self.scenario.main().results else { return None };
        let names = self.variants();
        let several = names.len() > 2;
        let panel = |draft: usize, title: &str, cells: &[Option<usize>]| {
            let mut flows = self.analysis.flows.iter().filter(|flow| flow.variant == draft);
            let pairs = flows.find(|flow| cells.contains(&Some(flow.situation)))?.pairs.as_ref().ok()?;
            let mut shares = vec![vec![0.0; named.len() + 1]; named.len() + 1];
            let at = |key: Option<i64>| key.map_or(named.len(), |key| key as usize);
            for ((from, to), count) in &pairs.counts {
                *shares.get_mut(at(*from))?.get_mut(at(*to))? += *count as f64 / pairs.trials as f64;
            }
            let title = match (several, title) {
                (false, title) => title.to_owned(),
                (true, "") => names[draft].clone(),
                (true, title) => format!("{}: {}", names[draft], lower_first(title)),
            };
            let names = [self.analysis.baseline, draft].map(|variant| names[variant].clone());
            Some(FlowPanel { title, names, shares })
        };
        let drafts = (0..names.len()).filter(|variant| *variant != self.analysis.baseline);
        let of_draft = |draft| self.panels().filter_map(move |(title, cells)| panel(draft, &title, cells));
        let panels = drafts.flat_map(of_draft).collect();
        let trials =
            self.analysis.flows.iter().find_map(|flow| flow.pairs.as_ref().ok()).map_or(0, |one| one.trials);
        let mut caption = self.caption("What the same dice give under both".to_owned());
        caption.note = format!(
            "{} trials on the same dice each, seed {}. Made with houserule.",
            thousands(trials),
            self.scenario.seed
        );
        let outcomes = named.iter().map(|named| named.label.clone()).collect();
        Some(Flows { caption, outcomes, outcomes_label: String::new(), panels })
    }

    fn point(&self, x: i32, cell: &Cell) -> Point {
        let worst = self.worst();
        let set = self.request.outcome.as_ref();
        let contains = |key: i64| set.map_or(key == worst, |set| set.contains(key));
        let counts = &cell.sample.measures[set.map_or(0, |set| set.measure)];
        let estimate = estimate(counts, contains, normal_quantile(self.analysis.level));
        Point { x, probability: estimate.probability, low: estimate.low, high: estimate.high }
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
                _ => set.text.clone(),
            },
            None => result_label(self.scenario.main(), self.worst()),
        }
    }

    fn variants(&self) -> Vec<String> {
        self.scenario.variants.iter().map(|variant| variant.name.replace('_', " ")).collect()
    }

    fn caption(&self, usual_title: String) -> Caption {
        let percent = percent_of(self.analysis.level);
        let trials = trials(self.analysis);
        let band = if self.request.kind == ChartKind::Curve {
            format!("; bands, where wider than the marks, are {percent} % intervals")
        } else {
            String::new()
        };
        Caption {
            title: self.request.title.clone().unwrap_or(usual_title),
            subtitle: self.held.clone(),
            note: format!("{trials} trials each, seed {}{band}. Made with houserule.", self.scenario.seed),
        }
    }
}

/// Which situation stands where, `[panel][x]`, and what the other factors are held at, in words.
fn laid_out(scenario: &Scenario, request: &ChartRequest) -> Option<(Vec<Vec<Option<usize>>>, String)> {
    let mut rows: Vec<usize> = request.situations.clone();
    let mut held = Vec::new();
    for factor in (0..scenario.factors.len())
        .filter(|factor| Some(*factor) != request.x && Some(*factor) != request.panel)
    {
        let (kept, why) = hold(scenario, factor, &rows)?;
        rows.retain(|row| scenario.situations[*row][factor] == kept);
        if scenario.factors[factor].values.len() > 1 {
            let (unit, text) = part(scenario, factor, kept);
            held.push((unit, text + why.in_words()));
        }
    }
    let values = |axis: Option<usize>| axis.map_or(1, |factor| scenario.factors[factor].values.len());
    let at = |row: usize, axis: Option<usize>| axis.map_or(0, |factor| scenario.situations[row][factor]);
    let mut cells = vec![vec![None; values(request.x)]; values(request.panel)];
    for row in rows.into_iter().rev() {
        cells[at(row, request.panel)][at(row, request.x)] = Some(row);
    }
    Some((cells, joined(held.into_iter())))
}

/// The situations in which drafts are to be played in step with the baseline: all, or those of which a chart shows what the
/// same dice give.
pub fn in_step(scenario: &Scenario) -> BTreeSet<usize> {
    if scenario.paired {
        return (0..scenario.situations.len()).collect();
    }
    let flows = scenario.charts.iter().filter(|request| request.kind == ChartKind::Flow);
    let cells = flows.filter_map(|request| Some(laid_out(scenario, request)?.0));
    cells.flatten().flatten().flatten().collect()
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

/// A value on an axis whose label says which factor it is of.
fn on_axis(factor: &GridFactor, position: usize) -> String {
    if factor.numeric { factor.values[position].label.clone() } else { value_in_words(factor, position) }
}

/// `infantry`, `disordered`, `not disordered`, `excess 2`.
fn value_in_words(factor: &GridFactor, position: usize) -> String {
    let value = &factor.values[position];
    match value.name.as_str() {
        "yes" => lower_first(&factor.label),
        "no" => denied(&lower_first(&factor.label)),
        _ if factor.numeric => format!("{} {}", lower_first(&factor.label), value.label),
        _ => match factor.label.split_once(": ").filter(|_| factor.name.contains('.')) {
            Some((unit, _)) => format!("{unit}: {}", lower_first(&value.label)),
            None => value.label.clone(),
        },
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
    use crate::scenario::Named;

    /// The axis and the panels of the usual charts, by name, where the five factors have so many values.
    fn usual(sizes: [usize; 5]) -> Vec<(ChartKind, Option<String>, Option<String>)> {
        let mut scenario = crate::report::tests::scenario();
        for (factor, size) in scenario.factors.iter_mut().zip(sizes) {
            let named = |n: usize| Named { name: n.to_string(), label: n.to_string() };
            factor.values = (0..size).map(named).collect();
        }
        let name = |factor: usize| scenario.factors[factor].name.clone();
        let request = |chart: ChartRequest| (chart.kind, chart.x.map(name), chart.panel.map(name));
        usual_charts(&scenario).into_iter().map(request).collect()
    }

    #[test]
    fn the_usual_charts_prefer_a_number_and_stay_small() {
        let (named, both) = ([ChartKind::Outcomes], [ChartKind::Outcomes, ChartKind::Curve]);
        let charts = |kinds: &[ChartKind], x: Option<&str>, panel: Option<&str>| {
            let one = |kind: &ChartKind| (*kind, x.map(str::to_owned), panel.map(str::to_owned));
            kinds.iter().map(one).collect::<Vec<_>>()
        };
        assert_eq!(usual([12, 2, 24, 1, 2]), charts(&both, Some("excess"), Some("troop")));
        assert_eq!(usual([13, 2, 24, 1, 2]), charts(&both, Some("excess"), Some("attack")));
        assert_eq!(usual([13, 2, 25, 1, 2]), charts(&named, Some("troop"), Some("attack")));
        assert_eq!(usual([24, 1, 25, 1, 1]), charts(&named, Some("troop"), None));
        assert_eq!(usual([25, 1, 25, 1, 1]), []);
        assert_eq!(usual([1, 1, 1, 1, 1]), charts(&named, None, None));
    }

    #[test]
    fn numbers_have_no_usual_chart() {
        assert_eq!(usual_charts(&crate::report::tests::numbers()), []);
    }
}
