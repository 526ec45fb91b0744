//! Rules of which one line is changed, to see what that line does.
//!
//! In: rules, the place of a line, a change. Out: rules that are checked and proved anew, or why they cannot be.
//!
//! The change is made to what is written, not to what was proved of it: so nothing that was proved before is taken for
//! granted.
//!
//! **Never:** what a line is changed for.

use super::load::load_files;
use super::ruleset::{Callee, Chart, Expr, ExprNode, ModifierLine, Row, Ruleset, Set, TestId, Type};
use super::tree::{self, File, ItemNode, RowNode, SetNode, SpanNode};
use super::{evaluate, proved};
use crate::diagnostic::{Diagnostics, Severity, Sources, Span};
use std::path::Path;

/// A change of one line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    /// A line of modifiers whose condition is never true.
    Off,
    /// A line of modifiers with this amount.
    Amount(i32),
    /// A row of a chart whose cells are those of the row above.
    Above,
    /// A row of a chart whose cells are those of the row below.
    Below,
}

/// A line that can be changed.
#[derive(Clone, Copy, Debug)]
pub enum Line<'a> {
    /// Of a block of modifiers, by the block's name.
    Modifier(&'a str, &'a ModifierLine),
    /// Of a chart.
    Row(&'a Chart, &'a Row),
}

impl Line<'_> {
    /// Where it stands.
    pub fn span(&self) -> Span {
        match self {
            Line::Modifier(_, line) => line.span,
            Line::Row(_, row) => row.span,
        }
    }

    /// What can be done to it: a modifier is switched off, and where it is a plain number made one more and one less; a row
    /// is read as its neighbours.
    pub fn changes(&self) -> Vec<Change> {
        match self {
            Line::Row(..) => vec![Change::Above, Change::Below],
            Line::Modifier(_, line) => {
                let mut changes = vec![Change::Off];
                if let ExprNode::Constant(amount) = line.amount.node {
                    let moved = [amount + 1, amount - 1].into_iter().filter(|moved| *moved != 0);
                    changes.extend(moved.map(Change::Amount)); // at 0 it would be off
                }
                changes
            }
        }
    }
}

impl Ruleset {
    /// The lines of all modifiers and charts that a trial from this entry can come to, piece by piece.
    pub fn lines(&self, entry: TestId) -> Vec<Line<'_>> {
        let mut lines = Vec::new();
        for callee in self.reached(Callee::Test(entry)) {
            match callee {
                Callee::Modifiers(id) => {
                    let block = &self.modifiers[id.0];
                    lines.extend(block.lines.iter().map(|line| Line::Modifier(&block.name, line)));
                }
                Callee::Chart(id) => {
                    let chart = &self.charts[id.0];
                    lines.extend(chart.rows.iter().map(|row| Line::Row(chart, row)));
                }
                Callee::Test(_) => {}
            }
        }
        lines
    }
}

/// A rules file and all that it extends, as they are written.
#[derive(Clone, Debug)]
pub struct Written {
    files: Vec<File>,
    sources: Sources,
}

impl Written {
    /// Reads a file that was read before; `None` if it cannot be.
    pub fn new(path: &Path, sources: &Sources) -> Option<Self> {
        let mut sources = sources.clone();
        let files = load_files(path, &mut sources, &mut Diagnostics::default())?;
        Some(Self { files, sources })
    }

    /// The rules with one line changed. `rules` are those that are written here.
    ///
    /// # Errors
    /// Why the line cannot be changed so, as a sentence without a full stop.
    pub fn changed(&self, rules: &Ruleset, at: Span, change: Change) -> Result<Ruleset, String> {
        let mut files = self.files.clone();
        let items = files.iter_mut().flat_map(|file| &mut file.items);
        for item in items.filter(|item| item.span.file == at.file) {
            match &mut item.node {
                ItemNode::Modifiers(block) => {
                    block
                        .lines
                        .iter_mut()
                        .filter(|line| line.span == at)
                        .for_each(|line| amend(line, change));
                }
                ItemNode::Chart(chart) => {
                    if let Some(row) = chart.rows.iter().position(|row| row.span == at) {
                        let rows = self.moved(rules, &chart.rows, row, change)?;
                        chart.rows.splice(row..=row, rows);
                    }
                }
                _ => {}
            }
        }
        let mut found = Diagnostics::default();
        let changed = proved(&files, &self.sources, &mut found);
        let error = found.iter().find(|one| one.severity == Severity::Error);
        changed
            .map(|(rules, _)| rules)
            .ok_or_else(|| error.map_or_else(String::new, |one| one.message.clone()))
    }

    /// What stands for a row that reads as its neighbour: the nearest row above or below that is for the same other keys;
    /// where the row is for several, each has a neighbour of its own.
    fn moved(
        &self,
        rules: &Ruleset,
        rows: &[RowNode],
        at: usize,
        change: Change,
    ) -> Result<Vec<RowNode>, String> {
        let (where_, mut others) = match change {
            Change::Above => ("above", (0..at).rev().collect::<Vec<_>>()),
            _ => ("below", (at + 1..rows.len()).collect()),
        };
        let none = || format!("there is no row {where_} it for the same keys");
        let mut checked =
            rules.charts.iter().flat_map(|chart| chart.rows.iter().map(move |row| (chart, row)));
        let (chart, _) = checked.find(|(_, row)| row.span == rows[at].span).ok_or_else(none)?;
        let own = |at: usize| chart.rows.iter().find(|row| row.span == rows[at].span);
        others.retain(|other| own(*other).is_some());
        let (mut moved, mut any) = (Vec::new(), false);
        for part in self.parts(rules, chart, &rows[at]) {
            let covers = |other: &usize| {
                own(*other).is_some_and(|row| self.covers(rules, chart, row, &rows[*other], &part))
            };
            let neighbour = others.iter().copied().find(covers);
            any |= neighbour.is_some();
            let cells = rows[neighbour.unwrap_or(at)].cells.clone();
            moved.push(RowNode { keys: part, cells, span: rows[at].span });
        }
        if any { Ok(moved) } else { Err(none()) }
    }

    /// The keys of a row, once for each combination of the named values of all keys but the first.
    fn parts(&self, rules: &Ruleset, chart: &Chart, row: &RowNode) -> Vec<Vec<SetNode>> {
        let mut parts = vec![row.keys.iter().take(1).cloned().collect::<Vec<_>>()];
        let checked = chart.rows.iter().find(|known| known.span == row.span);
        for (key, set) in row.keys.iter().enumerate().skip(1) {
            let ty = chart.parameters[key].ty;
            let values = checked.map_or_else(Vec::new, |checked| named(rules, &checked.keys[key], ty));
            let sets: Vec<SetNode> = match values.is_empty() {
                true => vec![set.clone()],
                false => values.iter().map(|value| one(rules, ty, *value, set.span)).collect(),
            };
            let longer = |part: &Vec<SetNode>| {
                sets.iter().map(|set| [&part[..], std::slice::from_ref(set)].concat()).collect::<Vec<_>>()
            };
            parts = parts.iter().flat_map(longer).collect();
        }
        parts
    }

    /// Whether a row is for all that a part of another is for, but for the first key. Sets of numbers are compared as they
    /// are written.
    fn covers(&self, rules: &Ruleset, chart: &Chart, row: &Row, written: &RowNode, part: &[SetNode]) -> bool {
        part.iter().enumerate().skip(1).all(|(key, wanted)| {
            let ty = chart.parameters[key].ty;
            let all = matches!(written.keys[key].spans[..], [SpanNode::Any]);
            all || match value(rules, ty, wanted) {
                Some(value) => contains(rules, &row.keys[key], ty, value),
                None => self.sources.text(written.keys[key].span) == self.sources.text(wanted.span),
            }
        })
    }
}

/// Changes a line of modifiers.
fn amend(line: &mut tree::ModifierLine, change: Change) {
    let of = |node| tree::Expr { node, span: line.span };
    match change {
        Change::Off => line.condition = Some(of(tree::ExprNode::Flag(false))),
        Change::Amount(amount) => {
            (line.minus, line.amount) = (amount < 0, of(tree::ExprNode::Number(amount.abs())));
        }
        Change::Above | Change::Below => {}
    }
}

/// The values of a set, where these have names; none of numbers.
fn named(rules: &Ruleset, set: &Set, ty: Type) -> Vec<i32> {
    let count = match ty {
        Type::Flag => 2,
        Type::Kind(kind) => rules.kinds[kind.0].values.len(),
        _ => 0,
    };
    (0..count as i32).filter(|value| contains(rules, set, ty, *value)).collect()
}

/// Whether a value is in a set, wherever that does not depend on the situation.
fn contains(rules: &Ruleset, set: &Set, ty: Type, value: i32) -> bool {
    let situation: Vec<i32> = rules.factors.iter().map(|factor| factor.values[0]).collect();
    let span = Span::default();
    let subject = Box::new(Expr { node: ExprNode::Constant(value), ty, span });
    let is = Expr { node: ExprNode::Is(subject, set.clone()), ty: Type::Flag, span };
    evaluate(rules, &is, &situation) == Some(1)
}

/// The set of one named value, as it would be written.
fn one(rules: &Ruleset, ty: Type, value: i32, span: Span) -> SetNode {
    let node = match ty {
        Type::Flag => tree::ExprNode::Flag(value != 0),
        _ => tree::ExprNode::Name(rules.name_of(ty, value)),
    };
    SetNode { spans: vec![SpanNode::One(tree::Expr { node, span })], span }
}

/// The named value for which such a set was made.
fn value(rules: &Ruleset, ty: Type, set: &SetNode) -> Option<i32> {
    let [SpanNode::One(only)] = &set.spans[..] else { return None };
    match &only.node {
        tree::ExprNode::Flag(flag) => Some(i32::from(*flag)),
        tree::ExprNode::Name(name) if matches!(ty, Type::Kind(_)) => rules.value_of(ty, name),
        _ => None,
    }
}
