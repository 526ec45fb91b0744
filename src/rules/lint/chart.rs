//! Charts whose shape is odd: keys and columns that change nothing, rows that could be one.

use super::Lint;
use crate::diagnostic::Diagnostic;
use crate::rules::ruleset::{Callee, Chart, Expr, ExprNode, Row, Ruleset, Set, SetSpan, Type};
use crate::rules::values::Values;

/// The lowest and the highest end that no number of a chart reaches.
pub(super) const FAR: (i64, i64) = (i64::MIN / 2, i64::MAX / 2);

impl Lint<'_> {
    /// Looks at the charts of the last file.
    pub(super) fn charts(&mut self) {
        for (item, callee) in self.callables() {
            let Callee::Chart(id) = callee else { continue };
            let chart = &self.rules.charts[id.0];
            if !item.overrides {
                self.idle_keys(chart);
            }
            self.twin_columns(chart);
            self.joinable_rows(chart);
            self.turns(chart);
        }
    }

    /// A key for which every row takes any value, or for which all columns say the same. An override has the keys of its
    /// base.
    fn idle_keys(&mut self, chart: &Chart) {
        let any = |key: usize, row: &Row| constant_set(&row.keys[key]) == Some(Values::range(FAR.0, FAR.1));
        for (key, parameter) in chart.parameters.iter().enumerate() {
            let columns = key + 1 == chart.parameters.len() && !chart.columns.is_empty();
            let idle = match columns {
                true => chart.columns.len() > 1 && (1..chart.columns.len()).all(|at| is_twin(chart, 0, at)),
                false => chart.rows.iter().all(|row| any(key, row)),
            };
            if idle && !chart.rows.is_empty() {
                let message = format!("`{}` changes nothing in this chart", parameter.name);
                let mistake = Diagnostic::warning(chart.span, message, "the same whatever it is");
                self.warn(mistake.remedy(format!("take `{}` out of its keys", parameter.name)));
            }
        }
    }

    /// A column that says the same as one to its left.
    fn twin_columns(&mut self, chart: &Chart) {
        let all = (1..chart.columns.len()).all(|at| is_twin(chart, 0, at));
        for at in (1..chart.columns.len()).filter(|_| !all) {
            let Some(before) = (0..at).find(|before| is_twin(chart, *before, at)) else { continue };
            let (first, second) = (chart.columns[before].span, chart.columns[at].span);
            let message = "this column says the same as another";
            let mistake = Diagnostic::warning(second, message, "the same").also(first, "as this one");
            let joined = format!("{}, {}", self.sources.text(first), self.sources.text(second));
            self.warn(mistake.remedy(format!("write one column `{joined}`, or check their results")));
        }
    }

    /// Rows below one another that say the same, with keys that join to a stretch of numbers or to `any`: one warning
    /// for all of them.
    fn joinable_rows(&mut self, chart: &Chart) {
        let mut rows = &chart.rows[..];
        while let [first, rest @ ..] = rows {
            let mut joined: Option<(usize, Values)> = None;
            let mut more = 0;
            while let Some(next) =
                rest.get(more).and_then(|next| joined_with(first, joined.as_ref(), next, chart))
            {
                joined = Some(next);
                more += 1;
            }
            rows = &rest[more..];
            let (Some((key, set)), Some(second)) = (joined, rest.first()) else { continue };
            let ty = chart.parameters[key].ty;
            let words = in_words(self.rules, ty, &set);
            // Printed tables keep one line for each sort of troop; all sorts together are no sort any more.
            if ty != Type::Number && words != "any" {
                continue;
            }
            let message = match more {
                1 => "this row says the same as the one above".to_owned(),
                _ => format!("this row and the next say the same as the one above: {} rows in all", more + 1),
            };
            let mistake =
                Diagnostic::warning(second.span, message, "the same results").also(first.span, "as here");
            self.warn(mistake.remedy(format!("write one row with `{words}`, or check their results")));
        }
    }
}

/// The only key in which a row differs from the first of some that say the same, and the values of all, if they are one
/// stretch or a list; `joined` is what those between have made of it.
fn joined_with(
    first: &Row,
    joined: Option<&(usize, Values)>,
    next: &Row,
    chart: &Chart,
) -> Option<(usize, Values)> {
    let mut cells = first.cells.iter().zip(&next.cells);
    if !cells.all(|(one, other)| one == other) {
        return None;
    }
    let mut differ = None;
    for (key, (one, other)) in first.keys.iter().zip(&next.keys).enumerate() {
        let (one, other) = (constant_set(one)?, constant_set(other)?);
        if one == other {
            continue;
        }
        let known = joined.filter(|(joined, _)| *joined == key).map(|(_, set)| set);
        let all = known.unwrap_or(&one).union(&other);
        let joins = all.covers(all.low(), all.high()) || chart.parameters[key].ty != Type::Number;
        if differ.is_some() || !joins || joined.is_some() && known.is_none() {
            return None;
        }
        differ = Some((key, all));
    }
    differ
}

/// The values of a set whose ends are all written out.
pub(super) fn constant_set(set: &Set) -> Option<Values> {
    let end = |end: &Option<Expr>, far: i64| match end {
        None => Some(far),
        Some(end) => constant(end),
    };
    let span = |span: &SetSpan| match span {
        SetSpan::One(only) => Some((constant(only)?, constant(only)?)),
        SetSpan::Range(low, high) => Some((end(low, FAR.0)?, end(high, FAR.1)?)),
    };
    Some(Values::of(set.spans.iter().map(span).collect::<Option<Vec<_>>>()?))
}

fn constant(expr: &Expr) -> Option<i64> {
    match expr.node {
        ExprNode::Constant(value) => Some(i64::from(value)),
        _ => None,
    }
}

/// A set as a chart prints it.
fn in_words(rules: &Ruleset, ty: Type, set: &Values) -> String {
    let all = match ty {
        Type::Kind(kind) => (0..rules.kinds[kind.0].values.len() as i32).collect(),
        Type::Flag => vec![0, 1],
        _ => {
            return match (set.low() == FAR.0, set.high() == FAR.1) {
                (true, true) => "any".to_owned(),
                (true, false) => format!("..{}", set.high()),
                (false, true) => format!("{}+", set.low()),
                (false, false) => format!("{}..{}", set.low(), set.high()),
            };
        }
    };
    let (inside, outside): (Vec<i32>, Vec<i32>) =
        all.into_iter().partition(|value| set.contains(i64::from(*value)));
    if outside.is_empty() {
        return "any".to_owned();
    }
    inside.into_iter().map(|value| rules.name_of(ty, value)).collect::<Vec<_>>().join(", ")
}

fn is_twin(chart: &Chart, one: usize, other: usize) -> bool {
    chart.rows.iter().all(|row| row.cells[one] == row.cells[other])
}
