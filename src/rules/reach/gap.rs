//! What a chart has no answer for, in the words of its rows.
//!
//! In: the stretches of its keys, and which of their combinations are answered. Out: the widest block around the first
//! one that is not, and the row that would take it.

use super::Reach;
use crate::diagnostic::{Diagnostic, Span};
use crate::rules::ruleset::{Chart, Parameter, Place, Type};

/// At most so many rows are proposed at once.
const MOST_ROWS: usize = 4;

/// The stretches into which each key of a chart is cut, and their combinations, by number, that can come up.
#[derive(Default)]
pub(super) struct Asking {
    pub(super) stretches: Vec<Vec<(i64, i64)>>,
    /// Those that some row answers.
    pub(super) answered: Vec<usize>,
    /// Those for which there is a column but no row, and those for which there is not even a column.
    pub(super) without_row: Vec<usize>,
    pub(super) without_column: Vec<usize>,
}

/// For each key its first and its last stretch, by number.
type Block = Vec<(usize, usize)>;

impl Asking {
    /// The position of each key's stretch in the combination with this number; the last key is fastest.
    fn positions(&self, mut number: usize) -> Vec<usize> {
        let mut positions: Vec<usize> = Vec::new();
        for key in self.stretches.iter().rev() {
            positions.push(number % key.len());
            number /= key.len();
        }
        positions.reverse();
        positions
    }

    /// The stretches of the combination with this number.
    pub(super) fn combination(&self, number: usize) -> Vec<(i64, i64)> {
        self.positions(number).into_iter().zip(&self.stretches).map(|(at, key)| key[at]).collect()
    }

    /// How many combinations there are; `None` where nobody could count them.
    pub(super) fn combinations(&self) -> Option<usize> {
        self.stretches.iter().try_fold(1_usize, |product, key| product.checked_mul(key.len()))
    }

    fn is_in(&self, number: usize, block: &Block) -> bool {
        self.positions(number).iter().zip(block).all(|(at, (first, last))| (first..=last).contains(&at))
    }

    /// Numbers as far as nothing is answered, first; then the other keys, where none of their values is.
    fn widest(&self, chart: &Chart, number: usize) -> Block {
        let mut block: Block = self.positions(number).into_iter().map(|at| (at, at)).collect();
        let is_number = |key: &usize| chart.parameters[*key].ty == Type::Number;
        let (numbers, others): (Vec<usize>, Vec<usize>) = (0..block.len()).partition(is_number);
        for key in numbers {
            let at = block[key].0;
            let first = (0..at).rev().take_while(|first| self.widen(&mut block, key, (*first, at))).last();
            let first = first.unwrap_or(at);
            (at + 1..self.stretches[key].len())
                .take_while(|last| self.widen(&mut block, key, (first, *last)))
                .for_each(drop);
        }
        for key in others {
            self.widen(&mut block, key, (0, self.stretches[key].len() - 1));
        }
        block
    }

    /// Widens one key if nothing is answered then either.
    fn widen(&self, block: &mut Block, key: usize, to: (usize, usize)) -> bool {
        let before = std::mem::replace(&mut block[key], to);
        let open = !self.answered.iter().any(|number| self.is_in(*number, block));
        if !open {
            block[key] = before;
        }
        open
    }
}

/// A key's part in a gap: `score`, `2 or less`, `..2`.
struct Part<'a> {
    key: &'a str,
    words: String,
    written: String,
    /// Whether the gap leaves none of its values out, of several.
    whole: bool,
    single: bool,
}

impl Reach<'_> {
    /// Reports what is not answered, if there is anything: rows that lack, or else columns.
    pub(super) fn report_gap(&mut self, chart: &Chart, asking: &Asking, read: Option<Span>) {
        let rows = !asking.without_row.is_empty();
        let open = if rows { &asking.without_row } else { &asking.without_column };
        if self.quiet > 0 || open.is_empty() {
            return;
        }
        let mut blocks: Vec<Block> = Vec::new();
        for number in open {
            if blocks.len() < MOST_ROWS && !blocks.iter().any(|block| asking.is_in(*number, block)) {
                blocks.push(asking.widest(chart, *number));
            }
        }
        let gaps: Vec<Vec<Part<'_>>> = blocks.iter().map(|block| self.parts(chart, asking, block)).collect();
        let missing = if rows { "row" } else { "column" };
        let message =
            format!("the chart `{}` has no {missing} for {}", chart.name, in_words(chart, &gaps[0]));
        let mut mistake = Diagnostic::error(chart.span, message, "this chart");
        mistake.remedies = match rows {
            true => gaps.iter().map(|parts| row_to_add(chart, parts)).collect(),
            false => vec![column_to_add(&gaps[0])],
        };
        if let Some(call) = read {
            mistake = mistake.also(call, "read here");
        }
        self.report("gap", mistake);
    }

    fn parts<'p>(&self, chart: &'p Chart, asking: &Asking, block: &Block) -> Vec<Part<'p>> {
        let keys = chart.parameters.iter().zip(&asking.stretches).zip(block);
        keys.map(|((key, stretches), block)| self.part(key, stretches, *block)).collect()
    }

    fn part<'p>(
        &self,
        key: &'p Parameter,
        stretches: &[(i64, i64)],
        (first, last): (usize, usize),
    ) -> Part<'p> {
        let (low, high) = (stretches[first].0, stretches[last].1);
        let (at_start, at_end) = (first == 0, last + 1 == stretches.len());
        let single = low == high;
        let name = |value: i64| self.rules.name_of(key.ty, i32::try_from(value).unwrap_or(i32::MIN));
        let (words, written) = match key.ty {
            _ if single => (name(low), name(low)),
            Type::Number if at_start => (format!("{high} or less"), format!("..{high}")),
            Type::Number if at_end => (format!("{low} or more"), format!("{low}+")),
            Type::Number => (format!("{low} to {high}"), format!("{low}..{high}")),
            _ => {
                let names = (low..=high).map(name).collect::<Vec<_>>().join(", ");
                (names.clone(), names)
            }
        };
        Part { key: &key.name, words, written, whole: at_start && at_end && !single, single }
    }
}

/// `score 2 or less (who militia)`: a number first, and nothing of keys whose every value is meant.
fn in_words(chart: &Chart, parts: &[Part<'_>]) -> String {
    let mut narrow: Vec<(bool, String)> = chart
        .parameters
        .iter()
        .zip(parts)
        .filter(|(_, part)| !part.whole)
        .map(|(key, part)| (key.ty != Type::Number, format!("{} {}", part.key, part.words)))
        .collect();
    narrow.sort_by_key(|(named, _)| *named);
    let mut words = narrow.into_iter().map(|(_, words)| words);
    let first = words.next().unwrap_or_else(|| format!("any {}", parts[0].key));
    let others: Vec<String> = words.collect();
    if others.is_empty() { first } else { format!("{first} ({})", others.join(", ")) }
}

fn row_to_add(chart: &Chart, parts: &[Part<'_>]) -> String {
    let columns = chart.columns.len().max(1);
    let leading = &parts[..parts.len() - usize::from(!chart.columns.is_empty())];
    let sets = leading.iter().map(|part| if part.whole { "any" } else { &part.written });
    let row = sets.chain(std::iter::repeat_n("…", columns)).collect::<Vec<_>>().join(" | ");
    let such_as = if leading.iter().all(|part| part.single) { "" } else { "such as " };
    let never = match chart.parameters.iter().all(|key| matches!(key.place, Place::Factor(_))) {
        true => ", or say with `never` that it does not happen",
        false => "",
    };
    format!("add a row {such_as}`{row}`{never}")
}

fn column_to_add(parts: &[Part<'_>]) -> String {
    let column = parts.last().map_or("any", |part| if part.whole { "any" } else { &part.written });
    format!("add a column `{column}` to the first line, and a cell to each row")
}
