//! Charts: where keys are known only in play, a table over what they can be.

use super::Lower;
use super::fold::{self, Term};
use super::store::Binding;
use crate::rules::{Chart, ChartId, Expr, ExprNode, Operation, Part, Set, SetSpan, Type};
use crate::scenario::Move;

/// A chart is written out as a table only over so many combinations of keys.
const LONGEST_TABLE: i64 = 4_096;

/// A cell that may come up, and the keys that lead there if it is written for these alone.
struct Leaf<'a> {
    cell: Option<&'a Expr>,
    keys: Option<Vec<i32>>,
}

/// A chart that is written out.
struct Reading<'a> {
    chart: &'a Chart,
    places: Vec<usize>,
    keys: Vec<Term>,
    leaves: Vec<Leaf<'a>>,
}

impl<'a> Lower<'a> {
    pub(super) fn chart(&mut self, id: ChartId) -> Term {
        let chart = &self.rules.charts[id.0];
        let places: Vec<usize> = chart.parameters.iter().map(|one| self.var(one.place)).collect();
        let keys: Vec<Term> = places.iter().map(|var| self.bindings[*var].term()).collect();
        let mut reading = Reading { chart, places, keys, leaves: Vec::new() };
        let size = |key: &Term| key.high - key.low + 1;
        let combinations = reading.keys.iter().map(size).fold(1_i64, i64::saturating_mul);
        let table = (combinations <= LONGEST_TABLE).then(|| self.table(&mut reading, &mut Vec::new()));
        let which = match table.flatten() {
            Some(which) => which,
            None => self.rows(&mut reading),
        };
        let cases: Vec<i32> = (0..reading.leaves.len() as i32).collect();
        self.dispatch(which, &cases, chart.result, &mut |lower, leaf| lower.leaf(&reading, leaf))
            .unwrap_or(Term::constant(0))
    }

    /// The cell of a number.
    fn leaf(&mut self, reading: &Reading<'a>, leaf: i32) -> Option<Term> {
        let Some(Leaf { cell: Some(cell), keys }) = reading.leaves.get(leaf as usize) else {
            return Some(Term::constant(0));
        };
        let Some(keys) = keys else { return Some(self.value(cell)) };
        // What such a cell reads it does not change, so this needs no trail.
        let mut before = Vec::new();
        for (var, key) in reading.places.iter().zip(keys) {
            before.push(self.bindings[*var]);
            self.bindings[*var] = Binding { at: self.bindings[*var].at, ..Binding::constant(*key) };
        }
        let value = self.value(cell);
        for (var, binding) in reading.places.iter().zip(before) {
            self.bindings[*var] = binding;
        }
        Some(value)
    }

    /// The number of the cell, as a table over the first key that is not known, of tables over the next. None where the
    /// sets of the chart are worked out in play.
    fn table(&mut self, reading: &mut Reading<'a>, values: &mut Vec<i32>) -> Option<Term> {
        let Some(key) = reading.keys.get(values.len()).cloned() else {
            let (row, column) = self.found(reading.chart, values)?;
            let cell = row.and_then(|row| reading.chart.rows[row].cells[column].as_ref());
            return Some(Term::constant(self.number(reading, cell, Some(values))));
        };
        let mut entries = Vec::new();
        for value in key.low..=key.high {
            if !self.spend(1) {
                break;
            }
            values.push(value as i32);
            entries.push(self.table(reading, values)?);
            values.pop();
        }
        Some(match key.known() {
            Some(_) => entries.pop().unwrap_or(Term::constant(0)),
            None => fold::lookup(key.value, key.low as i32, entries),
        })
    }

    /// The number of a cell. Cells that come to the same share one, and so do those that roll, whatever the keys.
    fn number(&mut self, reading: &mut Reading<'a>, cell: Option<&'a Expr>, keys: Option<&[i32]>) -> i32 {
        let is_same = |leaf: &Leaf| match (leaf.cell, cell) {
            (None, None) => true,
            (
                Some(Expr { node: ExprNode::Constant(one), .. }),
                Some(Expr { node: ExprNode::Constant(other), .. }),
            ) => one == other,
            (Some(one), Some(other)) => std::ptr::eq(one, other) && leaf.keys.is_none(),
            _ => false,
        };
        if let Some(known) = reading.leaves.iter().position(is_same) {
            return known as i32;
        }
        let constant = cell.is_none_or(|cell| matches!(cell.node, ExprNode::Constant(_)));
        let unknown = reading.keys.iter().any(|key| key.known().is_none());
        let alone = unknown && !constant && cell.is_some_and(|cell| self.is_still(cell));
        let keys = keys.filter(|_| alone).map(<[i32]>::to_vec);
        reading.leaves.push(Leaf { cell, keys });
        reading.leaves.len() as i32 - 1
    }

    /// Whether an expression surely neither rolls nor changes anything.
    fn is_still(&self, expr: &'a Expr) -> bool {
        let mut still = true;
        expr.each(&mut |part| {
            still &= match part {
                Part::One(Expr { node: ExprNode::Chance(..) | ExprNode::ChooseFrom(..), .. })
                | Part::Many(_)
                | Part::Call(_) => false,
                Part::Choice(choice) => {
                    matches!(self.play(choice), Some(Move::Option(_) | Move::Condition { .. }))
                }
                Part::One(_) => true,
            };
        });
        still
    }

    /// The row and the column for these keys; no row where no situation comes to it.
    fn found(&mut self, chart: &'a Chart, values: &[i32]) -> Option<(Option<usize>, usize)> {
        let last = values.last().copied().unwrap_or(0);
        let mut column = 0;
        for (number, set) in chart.columns.iter().enumerate() {
            if self.surely_in(set, last)? {
                column = number;
                break;
            }
        }
        for (number, row) in chart.rows.iter().enumerate() {
            self.spent += 1;
            let mut fits = true;
            for (set, value) in row.keys.iter().zip(values) {
                fits = fits && self.surely_in(set, *value)?;
            }
            if fits {
                return Some((Some(number), column));
            }
        }
        Some((None, column))
    }

    /// Whether a value is in a set whose ends are known.
    fn surely_in(&self, set: &Set, value: i32) -> Option<bool> {
        let mut is_in = false;
        for span in &set.spans {
            is_in |= match span {
                SetSpan::One(only) => self.known(only)? == value,
                SetSpan::Range(low, high) => {
                    let low = low.as_ref().map_or(Some(i32::MIN), |low| self.known(low))?;
                    let high = high.as_ref().map_or(Some(i32::MAX), |high| self.known(high))?;
                    (low..=high).contains(&value)
                }
            };
        }
        Some(is_in)
    }

    /// What an expression comes to, if that takes but a look.
    fn known(&self, expr: &Expr) -> Option<i32> {
        match &expr.node {
            ExprNode::Constant(value) => Some(*value),
            ExprNode::Read(place) => self.read(*place).known(),
            ExprNode::Apply(op, operands) => {
                let known = operands.iter().map(|one| self.known(one).map(i64::from));
                op.apply(&known.collect::<Option<Vec<_>>>()?).map(|value| value as i32)
            }
            _ => None,
        }
    }

    /// The number of the cell where the keys can be too much for a table: row by row, as a reader goes.
    fn rows(&mut self, reading: &mut Reading<'a>) -> Term {
        let chart = reading.chart;
        reading.leaves.clear();
        let last = reading.keys.last().cloned().unwrap_or(Term::constant(0));
        let column = self.first_that(&chart.columns, &mut |lower, set| lower.is(last.clone(), set));
        let keys = reading.keys.clone();
        let row = self.first_that(&chart.rows, &mut |lower, row| {
            let pairs: Vec<(&'a Set, &Term)> = row.keys.iter().zip(&keys).collect();
            lower.fits(&pairs)
        });
        if let Some(column) = column.known() {
            let cells = chart.rows.iter().map(|row| row.cells[column as usize].as_ref());
            reading.leaves = cells.map(|cell| Leaf { cell, keys: None }).collect();
            return row;
        }
        let width = chart.columns.len();
        let cells = chart.rows.iter().flat_map(|row| row.cells.iter().map(Option::as_ref));
        reading.leaves = cells.map(|cell| Leaf { cell, keys: None }).collect();
        let before = fold::apply(Operation::Multiply, vec![row, Term::constant(width as i32)]);
        fold::apply(Operation::Add, vec![before, column])
    }

    /// The position of the first item that fits; the last surely does if no other one does.
    fn first_that<T>(&mut self, items: &'a [T], fits: &mut dyn FnMut(&mut Self, &'a T) -> Term) -> Term {
        self.first_from(0, items, fits)
    }

    fn first_from<T>(
        &mut self,
        at: usize,
        items: &'a [T],
        fits: &mut dyn FnMut(&mut Self, &'a T) -> Term,
    ) -> Term {
        self.spent += 1;
        if at + 1 >= items.len() || self.is_too_long() {
            return Term::constant(at as i32);
        }
        let is_this = fits(self, &items[at]);
        let (this, at) = (Term::constant(at as i32), at + 1);
        self.one(is_this, Type::Number, |_| this, |lower| lower.first_from(at, items, fits))
    }

    /// Whether all keys are in their sets; only as many are looked at as are needed.
    fn fits(&mut self, pairs: &[(&'a Set, &Term)]) -> Term {
        let Some(((set, key), rest)) = pairs.split_first() else { return Term::constant(1) };
        let first = self.is((*key).clone(), set);
        self.one(first, Type::Flag, |lower| lower.fits(rest), |_| Term::constant(0))
    }
}
