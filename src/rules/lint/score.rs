//! Charts in which a better score gives a worse result.

use super::Lint;
use super::chart::{FAR, constant_set};
use crate::diagnostic::Diagnostic;
use crate::rules::ruleset::{Chart, Expr, ExprNode, KindId, Ruleset, Set, Type};
use crate::rules::values::Values;

/// A chart is looked at in at most so many combinations of its keys.
const MOST_COMBINATIONS: usize = 50_000;

/// From one value of a key to the next, all else alike, the result changes.
struct Step {
    better: bool,
    /// Row and column before and behind, and the value of the key behind.
    from: (usize, usize),
    to: (usize, usize),
    value: i64,
    /// Which combination of the other keys.
    line: usize,
}

/// A chart whose sets are all written out.
struct Shape<'a> {
    chart: &'a Chart,
    rows: Vec<Vec<Values>>,
    columns: Vec<Values>,
}

impl Lint<'_> {
    /// A number that, going up, makes the result better in one place and worse in another.
    pub(super) fn turns(&mut self, chart: &Chart) {
        let (Type::Kind(kind), Some(shape)) = (chart.result, Shape::of(chart)) else { return };
        if !self.rules.kinds[kind.0].ordered {
            return;
        }
        let keys: Vec<Vec<i64>> =
            (0..chart.parameters.len()).map(|key| shape.representatives(self.rules, key)).collect();
        if keys.iter().map(Vec::len).product::<usize>() > MOST_COMBINATIONS {
            return;
        }
        for (key, parameter) in chart.parameters.iter().enumerate() {
            if parameter.ty == Type::Number {
                let steps = shape.steps(self.rules, kind, key, &keys);
                if let Some(step) = odd_one(&steps) {
                    self.report_turn(chart, key, step);
                }
            }
        }
    }

    fn report_turn(&mut self, chart: &Chart, key: usize, step: &Step) {
        let cell =
            |(row, column): (usize, usize)| chart.rows[row].cells[column].as_ref().map(|cell| cell.span);
        let (Some(from), Some(to)) = (cell(step.from), cell(step.to)) else { return };
        let (here, elsewhere) = if step.better { ("better", "worse") } else { ("worse", "better") };
        let name = &chart.parameters[key].name;
        let message = format!(
            "a higher `{name}` gives a {here} result here, and elsewhere in this chart a {elsewhere} one"
        );
        let mistake = Diagnostic::warning(to, message, format!("{here} for {}", step.value))
            .also(from, format!("than for {}", step.value - 1));
        self.warn(mistake.remedy("check these two rows; if they are printed so, leave them"));
    }
}

/// The first step against the others: where one line has both, or where but few go this way.
fn odd_one(steps: &[Step]) -> Option<&Step> {
    let (better, worse): (Vec<&Step>, Vec<&Step>) = steps.iter().partition(|step| step.better);
    let (few, many) = if better.len() < worse.len() { (better, worse) } else { (worse, better) };
    let mixed = |step: &&&Step| many.iter().any(|other| other.line == step.line);
    let odd = few.iter().find(mixed).or_else(|| few.first().filter(|_| few.len() * 4 <= many.len()));
    odd.copied()
}

impl<'a> Shape<'a> {
    fn of(chart: &'a Chart) -> Option<Self> {
        let sets = |sets: &[Set]| sets.iter().map(constant_set).collect::<Option<Vec<_>>>();
        let rows = chart.rows.iter().map(|row| sets(&row.keys)).collect::<Option<_>>()?;
        Some(Self { chart, rows, columns: sets(&chart.columns)? })
    }

    /// One value of each stretch that the chart tells apart, the first of each.
    fn representatives(&self, rules: &Ruleset, key: usize) -> Vec<i64> {
        match self.chart.parameters[key].ty {
            Type::Kind(kind) => return (0..rules.kinds[kind.0].values.len() as i64).collect(),
            Type::Number => {}
            _ => return vec![0, 1],
        }
        let in_rows = self.rows.iter().filter_map(|row| row.get(key));
        let sets = in_rows.chain(self.columns.iter().filter(|_| key + 1 == self.chart.parameters.len()));
        let stretches = sets.flat_map(|set| set.cut(&[]));
        let near = |cut: &i64| FAR.0 < *cut && *cut < FAR.1;
        let mut cuts: Vec<i64> = stretches.flat_map(|(low, high)| [low, high + 1]).filter(near).collect();
        cuts.sort_unstable();
        cuts.dedup();
        let below = cuts.first().map_or(0, |first| first - 1);
        [vec![below], cuts].concat()
    }

    /// The row and column that answer.
    fn cell(&self, values: &[i64]) -> Option<(usize, usize)> {
        let column = match (self.columns.is_empty(), values.last()) {
            (false, Some(last)) => self.columns.iter().position(|set| set.contains(*last))?,
            _ => 0,
        };
        let fits = |row: &Vec<Values>| row.iter().zip(values).all(|(set, value)| set.contains(*value));
        Some((self.rows.iter().position(fits)?, column))
    }

    /// All steps that a key makes while the others stay what they are.
    fn steps(&self, rules: &Ruleset, kind: KindId, key: usize, keys: &[Vec<i64>]) -> Vec<Step> {
        let lines: usize =
            keys.iter().enumerate().filter(|(at, _)| *at != key).map(|(_, values)| values.len()).product();
        let mut steps = Vec::new();
        for line in 0..lines {
            let mut values = values_of(line, key, keys);
            let mut before: Option<((usize, usize), u32)> = None;
            for value in &keys[key] {
                values[key] = *value;
                let now = self.cell(&values).and_then(|at| {
                    let cell = self.chart.rows[at.0].cells[at.1].as_ref()?;
                    Some((at, rank(rules, kind, cell)?))
                });
                if let (Some((from, old)), Some((to, new))) = (before, now)
                    && old != new
                {
                    steps.push(Step { better: new < old, from, to, value: *value, line });
                }
                before = now;
            }
        }
        steps
    }
}

/// The values of all keys but one in the combination with this number.
fn values_of(mut number: usize, key: usize, keys: &[Vec<i64>]) -> Vec<i64> {
    let mut values = vec![0; keys.len()];
    for (at, known) in keys.iter().enumerate().filter(|(at, _)| *at != key) {
        values[at] = known[number % known.len()];
        number /= known.len();
    }
    values
}

/// How good a cell is, if that is certain.
fn rank(rules: &Ruleset, kind: KindId, cell: &Expr) -> Option<u32> {
    let same = |ranks: Vec<Option<u32>>| ranks.windows(2).all(|pair| pair[0] == pair[1]).then(|| ranks[0])?;
    match &cell.node {
        ExprNode::Constant(value) => Some(rules.kinds[kind.0].values.get(*value as usize)?.rank),
        ExprNode::If(_, then, otherwise) => same(vec![rank(rules, kind, then), rank(rules, kind, otherwise)]),
        ExprNode::Choose(_, options) if !options.is_empty() => {
            same(options.iter().map(|(_, value)| rank(rules, kind, value)).collect())
        }
        _ => None,
    }
}
