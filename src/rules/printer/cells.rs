//! Lines as cells that stand below one another.

use super::expression::{expression, joined, set_list};
use crate::rules::tree::{
    CellNode, ChartItem, DieItem, DomainNode, Expr, Item, ItemNode, ModifierLine, ParameterNode, ResultNode,
    RowNode, UnitItem, ValueLine, Word,
};

/// Lines whose cells stand below one another, with `between` between them; the last of a line may be of any width.
pub(super) fn lined_up(lines: &[impl AsRef<[String]>], between: &str) -> Vec<String> {
    let columns = lines.iter().map(|line| line.as_ref().len()).max().unwrap_or(0);
    let width = |column: usize| {
        let cells =
            lines.iter().map(AsRef::as_ref).filter(|line| line.len() > column + 1).map(|line| &line[column]);
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let pad = |(cell, width): (&String, &usize)| format!("{cell:width$}");
    let text = |line: &[String]| line.iter().zip(&widths).map(pad).collect::<Vec<_>>().join(between);
    lines.iter().map(|line| text(line.as_ref()).trim_end().to_owned()).collect()
}

pub(super) fn quoted(label: Option<&Word>) -> String {
    label.map_or_else(String::new, |label| format!("\"{}\"", label.text))
}

pub(super) fn parameters(parameters: &[ParameterNode]) -> String {
    let one = |parameter: &ParameterNode| match &parameter.kind {
        Some(kind) => format!("{}: {}", parameter.name.text, kind.text),
        None => parameter.name.text.clone(),
    };
    match parameters {
        [] => String::new(),
        _ => format!("({})", parameters.iter().map(one).collect::<Vec<_>>().join(", ")),
    }
}

/// `unit attacker, ours[3]: troop, stamina`.
pub(super) fn unit_line(unit: &UnitItem) -> String {
    let name = |(name, size): &(Word, Option<Expr>)| format!("{}{}", name.text, size_of(size.as_ref()));
    let factors = joined(&unit.factors, |factor| factor.text.clone());
    format!("unit {}: {factors}", joined(&unit.names, name))
}

/// `die average { 2, 3, 3, 4, 4, 5 }`.
pub(super) fn die_line(die: &DieItem) -> String {
    format!("die {} {{ {} }}", die.name.text, joined(&die.faces, expression))
}

/// ` -> kind`, ` -> number[2]`, or nothing.
pub(super) fn result(result: Option<&ResultNode>) -> String {
    result.map_or_else(String::new, |one| format!(" -> {}{}", one.kind.text, size_of(one.items.as_ref())))
}

fn size_of(size: Option<&Expr>) -> String {
    size.map_or_else(String::new, |size| format!("[{}]", expression(size)))
}

/// A factor, and its label; nothing for another piece.
pub(super) fn factor_cells(item: &Item) -> Option<[String; 2]> {
    let ItemNode::Factor(factor) = &item.node else { return None };
    let domain = match &factor.domain {
        DomainNode::Flag(_) => "flag".to_owned(),
        DomainNode::Kind(kind) => kind.text.clone(),
        DomainNode::Range(low, high) => format!("{}..{}", expression(low), expression(high)),
        DomainNode::Values(values) => values.iter().map(expression).collect::<Vec<_>>().join(" | "),
    };
    let default =
        factor.default.as_ref().map_or_else(String::new, |default| format!(" = {}", expression(default)));
    let before = if item.overrides { "override " } else { "" };
    let text = format!("{before}factor {}: {domain}{default}", factor.name.text);
    Some([text, quoted(factor.label.as_ref())])
}

/// The name of a value, and all that stands behind it: its label, and values that are equally good.
pub(super) fn value_cells(line: &ValueLine) -> [String; 2] {
    let one = |(name, label): &(Word, Option<Word>)| [name.text.clone(), quoted(label.as_ref())];
    let mut values = line.equals.iter().map(one);
    let [name, mut rest] = values.next().unwrap_or_default();
    for [name, label] in values {
        rest += format!(" = {name} {label}").trim_end();
    }
    [name, rest.trim().to_owned()]
}

/// Amount, how often, when.
pub(in crate::rules) fn modifier_words(line: &ModifierLine) -> String {
    let mut text = format!("{}{}", if line.minus { '-' } else { '+' }, expression(&line.amount));
    if let Some(per) = &line.per {
        text += &format!(" per {}", expression(per));
    }
    if let Some(condition) = &line.condition {
        text += &format!(" if {}", expression(condition));
    }
    text
}

pub(super) fn modifier_cells(line: &ModifierLine) -> Vec<String> {
    let label = line.label.as_ref().map(|label| quoted(Some(label)));
    std::iter::once(modifier_words(line)).chain(label).collect()
}

/// The keys of a chart, then its columns.
pub(in crate::rules) fn chart_header(chart: &ChartItem) -> Vec<String> {
    let mut header: Vec<String> = chart.keys.iter().map(|key| key.text.clone()).collect();
    match &chart.columns {
        Some(columns) => header.extend(columns.iter().map(set_list)),
        None => header.push("result".to_owned()),
    }
    header
}

/// The keys of a row, then its cells.
pub(in crate::rules) fn row_cells(row: &RowNode) -> Vec<String> {
    let cell = |cell: &CellNode| match &cell.value {
        None => "-".to_owned(),
        Some(value) => format!("{}{}", expression(value), if cell.plus { "+" } else { "" }),
    };
    row.keys.iter().map(set_list).chain(row.cells.iter().map(cell)).collect()
}
