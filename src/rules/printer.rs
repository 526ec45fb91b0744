//! Tree → text in the house style: charts lined up in columns, comments where they were.
//!
//! What it prints parses to the same tree. Comments stay before or behind the line that they stood at; single empty
//! lines between lines are kept.
//!
//! **Never:** what a name stands for.

mod expression;

use super::tree::{
    Block, CellNode, ChartItem, DomainNode, File, Item, ItemNode, KindItem, ModifierLine, ParameterNode,
    RowNode, Statement, StatementNode, ValueLine, Word,
};
use crate::diagnostic::Span;
use expression::{expression, set_list};

/// Prints a file; `source` is the text that it was parsed from, for its empty lines.
pub(super) fn print(file: &File, source: &str) -> String {
    let mut printer = Printer { source, comments: &file.comments, text: String::new(), depth: 0, last: None };
    printer.head(file);
    for run in file.items.chunk_by(|one, next| side_by_side(source, one, next)) {
        match run {
            [item] => printer.item(item),
            factors => printer.factors(factors),
        }
    }
    printer.comments_before(source.len());
    printer.text
}

struct Printer<'a> {
    source: &'a str,
    /// Those not printed yet.
    comments: &'a [Word],
    text: String,
    depth: usize,
    /// Where in the source the line that was printed last ends.
    last: Option<usize>,
}

impl Printer<'_> {
    /// The opening lines, in the order in which they stand.
    fn head(&mut self, file: &File) {
        let mut lines: Vec<(&str, &Word)> = vec![("ruleset", &file.ruleset)];
        lines.extend(file.extends.iter().map(|word| ("extends", word)));
        lines.extend(file.sources.iter().map(|word| ("source", word)));
        lines.extend(file.notes.iter().map(|word| ("note", word)));
        lines.sort_by_key(|(_, word)| word.span.start);
        for (keyword, word) in lines {
            self.line(&format!("{keyword} \"{}\"", word.text), word.span);
        }
    }

    /// Prints the comments and the empty line that stand before a place, then a line, then the comment behind it.
    fn line(&mut self, text: &str, span: Span) {
        self.comments_before(span.start as usize);
        self.gap(span.start as usize);
        self.put(text);
        self.ended(span.end as usize);
    }

    /// One empty line, if there is any between the line before and this place.
    fn gap(&mut self, start: usize) {
        let Some(last) = self.last else { return };
        let between = self.source.get(last..start).unwrap_or_default();
        if between.bytes().filter(|byte| *byte == b'\n').count() > 1 && !self.text.ends_with("{\n") {
            self.text.push('\n');
        }
    }

    fn put(&mut self, text: &str) {
        self.text += &format!("{:indent$}{text}\n", "", indent = 4 * self.depth);
    }

    /// Notes where a line ends in the source, and prints the comment behind it.
    fn ended(&mut self, end: usize) {
        self.last = Some(end);
        let Some((comment, rest)) = self.comments.split_first() else { return };
        let start = comment.span.start as usize;
        if start >= end && !self.source.get(end..start).unwrap_or("\n").contains('\n') {
            self.text.pop();
            self.text += &format!("  {}\n", comment.text);
            self.comments = rest;
            self.last = Some(comment.span.end as usize);
        }
    }

    /// Comments on lines of their own.
    fn comments_before(&mut self, place: usize) {
        while let Some((comment, rest)) = self.comments.split_first() {
            if comment.span.start as usize >= place {
                return;
            }
            self.gap(comment.span.start as usize);
            self.put(&comment.text);
            self.last = Some(comment.span.end as usize);
            self.comments = rest;
        }
    }

    /// A line that opens a brace, what stands inside, and the brace that closes it.
    fn braces(&mut self, opening: &str, span: Span, inside: impl FnOnce(&mut Self)) {
        self.comments_before(span.start as usize);
        self.gap(span.start as usize);
        self.put(&format!("{opening} {{"));
        self.inside(span, inside);
    }

    /// What stands between braces; `span` begins on the line of the opening one, and ends with the closing one.
    fn inside(&mut self, span: Span, inside: impl FnOnce(&mut Self)) {
        let within = self.comments.first().is_some_and(|comment| comment.span.start < span.end);
        self.last = None;
        if within {
            self.ended(span.start as usize);
        }
        self.last = None;
        self.depth += 1;
        inside(self);
        self.comments_before(span.end as usize);
        self.depth -= 1;
        self.put("}");
        self.ended(span.end as usize);
    }

    /// Factors with their labels below one another.
    fn factors(&mut self, items: &[Item]) {
        let cells: Vec<[String; 2]> = items.iter().filter_map(factor_cells).collect();
        for (text, item) in lined_up(&cells, "  ").iter().zip(items) {
            self.line(text, item.span);
        }
    }

    fn item(&mut self, item: &Item) {
        let before = if item.overrides { "override " } else { "" };
        let span = item.span;
        match &item.node {
            ItemNode::Kind(kind) => self.kind(before, kind, span),
            ItemNode::Factor(_) => self.factors(std::slice::from_ref(item)),
            ItemNode::Never(never) => {
                let condition = expression(&never.condition);
                self.line(&format!("{before}never {condition}{}", label(never.why.as_ref())), span);
            }
            ItemNode::Modifiers(modifiers) => {
                let head =
                    format!("{before}modifiers {}{}", modifiers.name.text, parameters(&modifiers.parameters));
                self.braces(&head, span, |printer| printer.modifier_lines(&modifiers.lines));
            }
            ItemNode::Chart(chart) => self.chart(before, chart, span),
            ItemNode::Test(test) => {
                let keys = parameters(&test.parameters);
                let head = format!("{before}test {}{keys} -> {}", test.name.text, test.result.text);
                self.braces(&head, span, |printer| printer.statements(&test.body));
            }
        }
    }

    fn kind(&mut self, before: &str, kind: &KindItem, span: Span) {
        let word = if kind.ordered { "outcome" } else { "kind" };
        let lines: Vec<[String; 2]> = kind.values.iter().map(value_cells).collect();
        self.braces(&format!("{before}{word} {}", kind.name.text), span, |printer| {
            for (text, value) in lined_up(&lines, "  ").iter().zip(&kind.values) {
                printer.line(text, value.span);
            }
        });
    }

    fn modifier_lines(&mut self, lines: &[ModifierLine]) {
        let cells: Vec<Vec<String>> = lines.iter().map(modifier_cells).collect();
        for (text, line) in lined_up(&cells, "  ").iter().zip(lines) {
            self.line(text, line.span);
        }
    }

    fn chart(&mut self, before: &str, chart: &ChartItem, span: Span) {
        let head = format!(
            "{before}chart {}{} -> {}",
            chart.name.text,
            parameters(&chart.parameters),
            chart.result.text
        );
        let mut header: Vec<String> = chart.keys.iter().map(|key| key.text.clone()).collect();
        match &chart.columns {
            Some(columns) => header.extend(columns.iter().map(set_list)),
            None => header.push("result".to_owned()),
        }
        let mut lines = vec![header];
        lines.extend(chart.rows.iter().map(row_cells));
        let texts = lined_up(&lines, " | ");
        self.braces(&head, span, |printer| {
            printer.line(&texts[0], chart.header);
            for (text, row) in texts[1..].iter().zip(&chart.rows) {
                printer.line(text, row.span);
            }
        });
    }

    fn statements(&mut self, block: &Block) {
        for statement in &block.statements {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        let span = statement.span;
        match &statement.node {
            StatementNode::Let(name, value) => {
                self.line(&format!("let {} = {}", name.text, expression(value)), span)
            }
            StatementNode::Return(value) => self.line(&format!("return {}", expression(value)), span),
            StatementNode::If(arms, otherwise) => {
                self.comments_before(span.start as usize);
                self.gap(span.start as usize);
                let mut opening = String::new();
                for (condition, block) in arms {
                    opening += &format!("if {}", expression(condition));
                    self.block(&opening, block);
                    opening = "else ".to_owned();
                }
                if let Some(block) = otherwise {
                    self.block("else", block);
                }
                self.ended(span.end as usize);
            }
        }
    }

    /// `opening { ... }`, on one line if the block is one short step and was on one line.
    fn block(&mut self, opening: &str, block: &Block) {
        if self.text.ends_with("}\n") && opening.starts_with("else") {
            self.text.pop();
            self.text += &format!(" {opening} ");
        } else {
            self.text += &format!("{:indent$}{opening} ", "", indent = 4 * self.depth);
        }
        let source = self.source.get(block.span.start as usize..block.span.end as usize).unwrap_or("\n");
        if let ([Statement { node: StatementNode::Return(value), .. }], false) =
            (block.statements.as_slice(), source.contains('\n'))
        {
            self.text += &format!("{{ return {} }}\n", expression(value));
            self.last = Some(block.span.end as usize);
            return;
        }
        self.text += "{\n";
        self.inside(block.span, |printer| printer.statements(block));
    }
}

/// Lines whose cells stand below one another, with `between` between them; the last of a line may be of any width.
fn lined_up(lines: &[impl AsRef<[String]>], between: &str) -> Vec<String> {
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

fn label(label: Option<&Word>) -> String {
    label.map_or_else(String::new, |label| format!("  \"{}\"", label.text))
}

fn quoted(label: Option<&Word>) -> String {
    label.map_or_else(String::new, |label| format!("\"{}\"", label.text))
}

fn parameters(parameters: &[ParameterNode]) -> String {
    let one = |parameter: &ParameterNode| match &parameter.kind {
        Some(kind) => format!("{}: {}", parameter.name.text, kind.text),
        None => parameter.name.text.clone(),
    };
    match parameters {
        [] => String::new(),
        _ => format!("({})", parameters.iter().map(one).collect::<Vec<_>>().join(", ")),
    }
}

/// Whether two pieces are factors on lines that follow one another.
fn side_by_side(source: &str, one: &Item, next: &Item) -> bool {
    let between = source.get(one.span.end as usize..next.span.start as usize).unwrap_or_default();
    let both = matches!((&one.node, &next.node), (ItemNode::Factor(_), ItemNode::Factor(_)));
    both && between.bytes().filter(|byte| *byte == b'\n').count() <= 1
}

/// A factor, and its label; nothing for another piece.
fn factor_cells(item: &Item) -> Option<[String; 2]> {
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
fn value_cells(line: &ValueLine) -> [String; 2] {
    let one = |(name, label): &(Word, Option<Word>)| [name.text.clone(), quoted(label.as_ref())];
    let mut values = line.equals.iter().map(one);
    let [name, mut rest] = values.next().unwrap_or_default();
    for [name, label] in values {
        rest += format!(" = {name} {label}").trim_end();
    }
    [name, rest.trim().to_owned()]
}

fn modifier_cells(line: &ModifierLine) -> Vec<String> {
    let mut text = format!("{}{}", if line.minus { '-' } else { '+' }, expression(&line.amount));
    if let Some(per) = &line.per {
        text += &format!(" per {}", expression(per));
    }
    if let Some(condition) = &line.condition {
        text += &format!(" if {}", expression(condition));
    }
    std::iter::once(text).chain(line.label.as_ref().map(|label| quoted(Some(label)))).collect()
}

fn row_cells(row: &RowNode) -> Vec<String> {
    let cell = |cell: &CellNode| match &cell.value {
        None => "-".to_owned(),
        Some(value) => format!("{}{}", expression(value), if cell.plus { "+" } else { "" }),
    };
    row.keys.iter().map(set_list).chain(row.cells.iter().map(cell)).collect()
}

#[cfg(test)]
mod tests;
