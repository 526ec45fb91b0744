//! Whether a chart has exactly one answer for all that it may be asked.

use super::gap::Asking;
use super::{Cell, Reach, Situation, join, mentions};
use crate::diagnostic::{Diagnostic, Span};
use crate::rules::ruleset::{Chart, ChartId, Expr, Parameter, Place, Row, Set, Type};
use crate::rules::values::Values;

/// A chart is looked at in at most so many combinations of its keys.
const MOST_COMBINATIONS: usize = 200_000;

/// Where a chart is read: the call, the places that its arguments read, and the caller's situation.
type Asked<'s, 'a> = (Option<Span>, Vec<Option<Place>>, &'s Situation<'a>);

/// The spans of a set: the values that each surely has, and those that it may have.
type Spans = Vec<(Values, Values)>;

/// All sets of a chart, worked out once.
struct Printed {
    rows: Vec<Vec<Spans>>,
    columns: Vec<Spans>,
}

/// A cell that may answer: its row, its column, and whether it surely does.
struct Hit {
    row: usize,
    column: usize,
    certain: bool,
}

impl<'a> Reach<'a> {
    /// What a chart may answer to these keys.
    pub(super) fn chart(
        &mut self,
        id: ChartId,
        keys: Vec<Values>,
        mut inside: Situation<'a>,
        asked: Asked<'_, 'a>,
    ) -> (Values, Option<Situation<'a>>) {
        let chart = &self.rules.charts[id.0];
        let Some((mut asking, combinations)) = self.asking(chart, &keys, &mut inside) else {
            return (Values::default(), None);
        };
        let printed = self.printed(chart, &mut inside);
        let facts = facts_about(&asked);
        let (mut answers, mut behind) = (Values::default(), None);
        for number in 0..combinations {
            let combination = asking.combination(number);
            if !self.can_be(&combination, &asked, &facts) {
                continue;
            }
            match self.answer(id, &printed, &combination, &inside) {
                Some((more, after)) => {
                    answers = answers.union(&more);
                    behind = join(behind, after);
                    asking.answered.push(number);
                }
                None if has_column(&printed, &combination) => asking.without_row.push(number),
                None => asking.without_column.push(number),
            }
        }
        self.report_gap(chart, &asking, asked.0);
        (answers, behind)
    }

    fn printed(&mut self, chart: &'a Chart, inside: &mut Situation<'a>) -> Printed {
        let mut spans = |set: &'a Set| set.spans.iter().map(|span| self.span(span, inside)).collect();
        let columns = chart.columns.iter().map(&mut spans).collect();
        let rows = chart.rows.iter().map(|row| row.keys.iter().map(&mut spans).collect()).collect();
        Printed { rows, columns }
    }

    /// The keys cut into stretches, and how many combinations of them there are; `None` where they are too many.
    fn asking(
        &mut self,
        chart: &'a Chart,
        keys: &[Values],
        inside: &mut Situation<'a>,
    ) -> Option<(Asking, usize)> {
        let cut = |(key, values): (usize, &Values)| values.cut(&self.cuts(chart, key, inside));
        let asking = Asking { stretches: keys.iter().enumerate().map(cut).collect(), ..Asking::default() };
        let combinations = asking.combinations().filter(|number| *number <= MOST_COMBINATIONS);
        if combinations.is_none() {
            let message = "this chart has too many combinations of keys to look at";
            let mistake = Diagnostic::error(chart.span, message, "this chart");
            self.report("size", mistake.remedy("split it into several charts"));
        }
        Some((asking, combinations?))
    }

    /// The values of a key at which some set of the chart begins or has just ended, ascending.
    fn cuts(&mut self, chart: &'a Chart, key: usize, inside: &mut Situation<'a>) -> Vec<i64> {
        let mut cuts = Vec::new();
        for span in sets(chart, key).into_iter().flat_map(|set| &set.spans) {
            let (inner, outer) = self.span(span, inside);
            cuts.extend([inner.low(), inner.high() + 1, outer.low(), outer.high() + 1]);
        }
        cuts.sort_unstable();
        cuts.dedup();
        cuts
    }

    /// Whether what the caller knows allows these keys.
    fn can_be(
        &mut self,
        combination: &[(i64, i64)],
        asked: &Asked<'_, 'a>,
        facts: &[(&'a Expr, bool)],
    ) -> bool {
        let (_, reads, caller) = asked;
        let mut caller = (*caller).clone();
        for (place, (low, high)) in reads.iter().zip(combination) {
            if let Some(place) = place {
                let cell = caller.cell(*place);
                let values = caller.get(cell).intersect(&Values::range(*low, *high));
                if values.is_empty() {
                    return false;
                }
                caller.set(cell, values);
            }
        }
        // A fact is judged without the facts: one that reads a chart would lead back here for ever.
        self.quiet += 1;
        caller.facts.clear();
        let can_be = facts
            .iter()
            .all(|(fact, truth)| self.values(fact, &mut caller.clone()).contains(i64::from(*truth)));
        self.quiet -= 1;
        can_be
    }

    /// What the rows may answer to one combination; `None` where it is not certain that any does.
    fn answer(
        &mut self,
        id: ChartId,
        printed: &Printed,
        combination: &[(i64, i64)],
        inside: &Situation<'a>,
    ) -> Option<(Values, Option<Situation<'a>>)> {
        let chart = &self.rules.charts[id.0];
        let mut inside = inside.clone();
        for (parameter, (low, high)) in chart.parameters.iter().zip(combination) {
            inside.set(inside.cell(parameter.place), Values::range(*low, *high));
        }
        let hits = hits(printed, combination);
        let first = hits.iter().position(|hit| hit.certain)?;
        self.report_overlap(chart, combination, &hits[first..]);
        let (mut answers, mut behind) = (Values::default(), None);
        for hit in &hits[..=first] {
            self.read.insert((id, hit.row));
            let Some(cell) = &chart.rows[hit.row].cells[hit.column] else {
                self.report_dash(chart, &chart.rows[hit.row], combination);
                continue;
            };
            let mut after = inside.clone();
            let more = self.values(cell, &mut after);
            if !more.is_empty() {
                answers = answers.union(&more);
                behind = join(behind, Some(after));
            }
        }
        Some((answers, behind))
    }

    fn report_overlap(&mut self, chart: &Chart, combination: &[(i64, i64)], hits: &[Hit]) {
        let cell = |hit: &Hit| chart.rows[hit.row].cells[hit.column].as_ref();
        let Some(other) = hits.iter().find(|hit| hit.certain && cell(&hits[0]) != cell(hit)) else {
            return;
        };
        let (first, second) = (chart.rows[hits[0].row].span, chart.rows[other.row].span);
        let twice = if hits[0].row == other.row { "columns" } else { "rows" };
        let message = format!("two {twice} answer for {}, and disagree", self.in_words(chart, combination));
        let mistake = Diagnostic::error(second, message, "the second answer").also(first, "the first answer");
        self.report("overlap", mistake.remedy("narrow one of them, so that each result stands once"));
    }

    fn report_dash(&mut self, chart: &Chart, row: &Row, combination: &[(i64, i64)]) {
        let keys = self.in_words(chart, combination);
        let message = format!("`-` says that this cannot happen, but it can: {keys}");
        let mistake = Diagnostic::error(row.span, message, "in this row");
        self.report("dash", mistake.remedy("write the result, or say with `never` why it cannot happen"));
    }

    /// `score 3, troop skirmishers`.
    fn in_words(&self, chart: &Chart, combination: &[(i64, i64)]) -> String {
        let keys = chart.parameters.iter().zip(combination);
        let word = |(key, (low, _)): (&Parameter, &(i64, i64))| {
            format!("{} {}", key.name, self.rules.name_of(key.ty, i32::try_from(*low).unwrap_or(i32::MIN)))
        };
        keys.map(word).collect::<Vec<_>>().join(", ")
    }

    /// Looks at charts that no entry reads, between the smallest and the largest number that they name.
    pub(super) fn unread_charts(&mut self) {
        for id in 0..self.rules.charts.len() {
            let chart = &self.rules.charts[id];
            if chart.rows.is_empty() || self.read.iter().any(|(read, _)| read.0 == id) {
                continue;
            }
            let mut inside = self.anything();
            inside.locals = vec![Values::default(); chart.parameters.len()];
            let keys: Vec<Values> =
                (0..chart.parameters.len()).map(|key| self.declared(chart, key, &mut inside)).collect();
            for (parameter, values) in chart.parameters.iter().zip(&keys) {
                inside.set(inside.cell(parameter.place), values.clone());
            }
            let places = chart.parameters.iter().map(|parameter| Some(parameter.place)).collect();
            self.chart(ChartId(id), keys, inside.clone(), (None, places, &inside));
        }
    }

    fn declared(&mut self, chart: &'a Chart, key: usize, inside: &mut Situation<'a>) -> Values {
        let parameter = &chart.parameters[key];
        match (parameter.place, parameter.ty) {
            (Place::Factor(factor), _) => inside.table[factor.0].clone(),
            (_, Type::Flag) => Values::range(0, 1),
            (_, Type::Kind(kind)) => Values::range(0, self.rules.kinds[kind.0].values.len() as i64 - 1),
            _ => {
                let near = |cut: &i64| cut.abs() <= i64::from(i32::MAX);
                let cuts: Vec<i64> = self.cuts(chart, key, inside).into_iter().filter(near).collect();
                Values::range(cuts.first().copied().unwrap_or(0), cuts.last().map_or(0, |last| last - 1))
            }
        }
    }

    /// Warns of rows that no situation reads.
    pub(super) fn rows_without_use(&mut self) {
        for (id, chart) in self.rules.charts.iter().enumerate() {
            let read = |row: usize| self.read.contains(&(ChartId(id), row));
            if !(0..chart.rows.len()).any(read) {
                continue;
            }
            for row in (0..chart.rows.len()).filter(|row| !read(*row)) {
                let span = chart.rows[row].span;
                let mistake =
                    Diagnostic::warning(span, "this row can never match", "no situation comes here");
                self.found.push(mistake.remedy("remove it, or check its keys and those of the rows above"));
            }
        }
    }
}

/// What the caller knows of the places that are handed over.
fn facts_about<'a>((_, reads, caller): &Asked<'_, 'a>) -> Vec<(&'a Expr, bool)> {
    let cells: Vec<Cell> = reads.iter().flatten().map(|place| caller.cell(*place)).collect();
    let about = |(fact, _): &&(&Expr, bool)| mentions(fact, &|place| cells.contains(&caller.cell(place)));
    caller.facts.iter().filter(about).copied().collect()
}

/// The cells that may answer, from the top.
fn hits(printed: &Printed, combination: &[(i64, i64)]) -> Vec<Hit> {
    let columns = columns(printed, combination);
    let mut hits = Vec::new();
    for (row, sets) in printed.rows.iter().enumerate() {
        let keys = sets.iter().zip(combination);
        let all = keys.map(|(set, key)| matches(set, *key)).collect::<Option<Vec<bool>>>();
        let Some(row_certain) = all.map(|all| all.iter().all(|certain| *certain)) else { continue };
        hits.extend(columns.iter().map(|(column, certain)| Hit {
            row,
            column: *column,
            certain: *certain && row_certain,
        }));
    }
    hits
}

/// The columns that may have the last key, and whether each surely does.
fn columns(printed: &Printed, combination: &[(i64, i64)]) -> Vec<(usize, bool)> {
    let Some(key) = combination.last().filter(|_| !printed.columns.is_empty()) else {
        return vec![(0, true)];
    };
    let columns = printed.columns.iter().enumerate();
    columns.filter_map(|(column, set)| Some((column, matches(set, *key)?))).collect()
}

fn has_column(printed: &Printed, combination: &[(i64, i64)]) -> bool {
    !columns(printed, combination).is_empty()
}

/// Whether a set may have all of a stretch, and if so whether it surely does.
fn matches(set: &Spans, (low, high): (i64, i64)) -> Option<bool> {
    if set.iter().any(|(inner, _)| inner.covers(low, high)) {
        return Some(true);
    }
    set.iter().any(|(_, outer)| outer.meets(low, high)).then_some(false)
}

/// All sets that a key is compared with.
fn sets(chart: &Chart, key: usize) -> Vec<&Set> {
    let in_rows = chart.rows.iter().filter_map(|row| row.keys.get(key));
    let last = key + 1 == chart.parameters.len();
    in_rows.chain(chart.columns.iter().filter(|_| last)).collect()
}
