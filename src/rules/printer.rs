//! Tree → text in the house style: charts lined up in columns, comments where they were.
//!
//! What it prints parses to the same tree. Comments stay before or behind the line that they stood at; single empty
//! lines between lines are kept.
//!
//! **Never:** what a name stands for.

mod cells;
mod expression;
mod pool;
mod steps;
mod wrap;

use super::tree::{ChartItem, File, Item, ItemNode, KindItem, ModifierLine, Word};
use crate::diagnostic::Span;
pub(super) use cells::{chart_header, modifier_words, row_cells};

use cells::{
    die_line, factor_cells, lined_up, modifier_cells, parameters, quoted, result, unit_line, value_cells,
};
use expression::expression;

/// Prints a file; `source` is the text that it was parsed from, for its empty lines.
pub(super) fn print(file: &File, source: &str) -> String {
    let mut printer = Printer { source, comments: &file.comments, text: String::new(), depth: 0, last: None };
    printer.head(file);
    for run in file.items.chunk_by(|one, next| side_by_side(file, source, one, next)) {
        match run {
            [item] => printer.item(item),
            factors => printer.factors(factors),
        }
    }
    printer.comments_before(u32::MAX, u32::MAX);
    printer.text
}

/// The lines of a test in the house style, without comments and empty lines.
pub(super) fn test_lines(test: &Item) -> Vec<String> {
    let mut printer = Printer { source: "", comments: &[], text: String::new(), depth: 0, last: None };
    printer.item(test);
    printer.text.trim_start_matches("override ").lines().map(str::to_owned).collect()
}

struct Printer<'a> {
    source: &'a str,
    /// Those not printed yet.
    comments: &'a [Word],
    text: String,
    depth: usize,
    /// Where in the source the line that was printed last ends.
    last: Option<u32>,
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
        self.above(span.start, span.end);
        self.put(text);
        self.ended(span.end);
    }

    /// The same for a line that may go on below.
    fn long_line(&mut self, text: &str, span: Span) {
        self.line(&wrap::wrapped(text, 4 * self.depth), span);
    }

    /// What stands above a line from `start` to `end`: its comments, also those that stand within, and its empty line.
    fn above(&mut self, start: u32, end: u32) {
        self.comments_before(start, end);
        self.gap(start);
    }

    /// Comments on lines of their own, above a line from `start` to `end`.
    fn comments_before(&mut self, start: u32, end: u32) {
        while let Some((comment, rest)) = self.comments.split_first().filter(|(one, _)| one.span.start < end)
        {
            self.gap(comment.span.start.min(start));
            self.put(&comment.text);
            self.last = Some(comment.span.end);
            self.comments = rest;
        }
    }

    /// One empty line, if there is any between the line before and this place.
    fn gap(&mut self, start: u32) {
        let Some(last) = self.last else { return };
        if self.between(last, start).matches('\n').count() > 1 {
            self.text.push('\n');
        }
    }

    /// The source between two places; nothing if they are the wrong way round.
    fn between(&self, from: u32, to: u32) -> &str {
        self.source.get(from as usize..to as usize).unwrap_or_default()
    }

    fn put(&mut self, text: &str) {
        self.text += &format!("{:indent$}{text}\n", "", indent = 4 * self.depth);
    }

    /// Notes where a line ends in the source, and prints the comment right behind it.
    fn ended(&mut self, end: u32) {
        self.last = Some(end);
        let Some((comment, rest)) = self.comments.split_first() else { return };
        let between = self.between(end, comment.span.start);
        if comment.span.start >= end && between.chars().all(|c| c == ';' || c != '\n' && c.is_whitespace()) {
            self.text.pop();
            self.text += &format!("  {}\n", comment.text);
            self.comments = rest;
            self.last = Some(comment.span.end);
        }
    }

    /// A line that opens a brace, what stands inside, and the brace that closes it.
    fn braces(&mut self, opening: &str, span: Span, inside: impl FnOnce(&mut Self)) {
        let brace = self.brace(span);
        self.above(span.start, brace);
        self.put(&format!("{opening} {{"));
        self.inside(Span { start: brace, ..span }, inside);
    }

    /// The first opening brace of a piece that is not in a comment.
    fn brace(&self, span: Span) -> u32 {
        let mut from = span.start;
        for comment in self.comments {
            if self.between(from, comment.span.start).contains('{') {
                break;
            }
            from = from.max(comment.span.end);
        }
        from + self.between(from, span.end).find('{').unwrap_or(0) as u32
    }

    /// What stands between two braces and the closing one; `span` is from the one to the other.
    fn inside(&mut self, span: Span, inside: impl FnOnce(&mut Self)) {
        self.ended(span.start + 1);
        self.last = None;
        self.depth += 1;
        inside(self);
        self.comments_before(span.end, span.end);
        self.depth -= 1;
        self.put("}");
        self.ended(span.end);
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
                let (condition, why) = (expression(&never.condition), quoted(never.why.as_ref()));
                self.line(format!("{before}never {condition}  {why}").trim_end(), span);
            }
            ItemNode::Modifiers(modifiers) => {
                let head =
                    format!("{before}modifiers {}{}", modifiers.name.text, parameters(&modifiers.parameters));
                self.braces(&head, span, |printer| printer.modifier_lines(&modifiers.lines));
            }
            ItemNode::Chart(chart) => self.chart(before, chart, span),
            ItemNode::Unit(unit) => self.long_line(&format!("{before}{}", unit_line(unit)), span),
            ItemNode::Die(die) => self.line(&format!("{before}{}", die_line(die)), span),
            ItemNode::Test(test) => {
                let (keys, result) = (parameters(&test.parameters), result(test.result.as_ref()));
                let head = format!("{before}test {}{keys}{result}", test.name.text);
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
        let keys = parameters(&chart.parameters);
        let head = format!("{before}chart {}{keys} -> {}", chart.name.text, chart.result.text);
        let mut lines = vec![chart_header(chart)];
        lines.extend(chart.rows.iter().map(row_cells));
        let texts = lined_up(&lines, " | ");
        self.braces(&head, span, |printer| {
            printer.line(&texts[0], chart.header);
            for (text, row) in texts[1..].iter().zip(&chart.rows) {
                printer.line(text, row.span);
            }
        });
    }
}

/// Whether two pieces are factors on lines that follow one another, without a comment that will stand in between.
fn side_by_side(file: &File, source: &str, one: &Item, next: &Item) -> bool {
    let within = |comment: &Word| (next.span.start..next.span.end).contains(&comment.span.start);
    let between = source.get(one.span.end as usize..next.span.start as usize).unwrap_or_default();
    let both = matches!((&one.node, &next.node), (ItemNode::Factor(_), ItemNode::Factor(_)));
    both && between.matches('\n').count() <= 1 && !file.comments.iter().any(within)
}

#[cfg(test)]
mod tests;
