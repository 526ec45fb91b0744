//! Charts: a header, then rows of sets and cells between `|`.

use super::{Broken, Parsed, Parser};
use crate::diagnostic::{Diagnostic, Span};
use crate::rules::lexer::Token;
use crate::rules::tree::{CellNode, ChartItem, ExprNode, ParameterNode, RowNode, SetNode, SpanNode, Word};

/// What a line between the braces turned out to be.
enum Line {
    Header(Vec<SetNode>, Span),
    Row(RowNode),
}

impl Parser<'_> {
    /// `chart name(keys) -> kind { header rows }`.
    pub(super) fn chart(&mut self) -> Parsed<ChartItem> {
        self.step();
        let name = self.name("a name")?;
        let parameters = self.parameters()?;
        if parameters.is_empty() {
            let mistake = Diagnostic::error(name.span, "this chart has no keys", "nothing to look up");
            return self.fail(mistake.remedy("name its keys, as in `chart results(score) -> kind`"));
        }
        let result = self.result_kind()?;
        let mut header = None;
        let (lines, _) = self.lines(false, |parser| match header {
            None => {
                header = Some(None);
                let (sets, span) = parser.header_line()?;
                header = Some(Some(parser.header_keys(&parameters, &sets, span)?));
                Ok(Line::Header(sets, span))
            }
            Some(Some(keys)) => parser.row(keys).map(Line::Row),
            Some(None) => Err(Broken),
        })?;
        if header == Some(None) {
            return Err(Broken);
        }
        self.assemble(name, parameters, result, lines)
    }

    fn assemble(
        &mut self,
        name: Word,
        parameters: Vec<ParameterNode>,
        result: Word,
        lines: Vec<Line>,
    ) -> Parsed<ChartItem> {
        let mut lines = lines.into_iter();
        let Some(Line::Header(mut sets, header)) = lines.next() else {
            let mistake = Diagnostic::error(name.span, "this chart has no header", "this one");
            return self.fail(mistake.remedy("its first line names the keys, as in `score | result`"));
        };
        let single = sets.last().is_some_and(|set| self.text_at(set.span) == "result");
        let columns = sets.split_off(if single { parameters.len() } else { parameters.len() - 1 });
        let keys =
            sets.iter().map(|set| Word { text: self.text_at(set.span).to_owned(), span: set.span }).collect();
        let rows =
            lines.filter_map(|line| if let Line::Row(row) = line { Some(row) } else { None }).collect();
        Ok(ChartItem { name, parameters, result, keys, columns: (!single).then_some(columns), header, rows })
    }

    fn header_line(&mut self) -> Parsed<(Vec<SetNode>, Span)> {
        let start = self.span();
        self.operands = 0;
        let mut sets = vec![self.set_list()?];
        while self.has("|") {
            sets.push(self.set_list()?);
        }
        let span = start.to(self.last_span());
        self.line_end()?;
        Ok((sets, span))
    }

    /// How many leading keys the header has; they must be the chart's own, in order.
    fn header_keys(
        &mut self,
        parameters: &[ParameterNode],
        sets: &[SetNode],
        span: Span,
    ) -> Parsed<(usize, usize)> {
        let single = sets.last().is_some_and(|set| self.text_at(set.span) == "result");
        let keys = if single { parameters.len() } else { parameters.len() - 1 };
        let is_key = |(set, parameter): &(&SetNode, &ParameterNode)| names(set, &parameter.name.text);
        let no_result = !single
            && sets.len() == parameters.len()
            && sets.iter().zip(parameters).all(|pair| is_key(&pair));
        let fits = !no_result && if single { sets.len() == keys + 1 } else { sets.len() > keys };
        let wrong = sets.iter().zip(&parameters[..keys]).find(|pair| !is_key(pair));
        let names: Vec<&str> = parameters.iter().map(|parameter| parameter.name.text.as_str()).collect();
        if fits && wrong.is_none() {
            return Ok((keys, sets.len() - keys));
        }
        let place = wrong.map_or(span, |(set, _)| set.span);
        self.fail(
            Diagnostic::error(place, "the header does not name the chart's keys in their order", "not so")
                .also(parameters[0].name.span, format!("the keys are: {}", names.join(", ")))
                .remedy(format!(
                    "write `{} | result`, or spread the last key over columns",
                    names.join(" | ")
                )),
        )
    }

    fn row(&mut self, (keys, columns): (usize, usize)) -> Parsed<RowNode> {
        let start = self.span();
        self.operands = 0;
        let mut sets = Vec::new();
        for _ in 0..keys {
            sets.push(self.set_list()?);
            self.symbol("|")?;
        }
        let mut cells = vec![self.cell()?];
        while self.has("|") {
            cells.push(self.cell()?);
        }
        let span = start.to(self.last_span());
        if cells.len() != columns {
            let cells = if cells.len() == 1 { "1 cell".to_owned() } else { format!("{} cells", cells.len()) };
            let message = format!("this row has {cells}, the header has {columns}");
            let mistake = Diagnostic::error(span, message, "this row");
            return self.fail(mistake.remedy("give it one cell for each column, with `|` between them"));
        }
        self.line_end()?;
        Ok(RowNode { keys: sets, cells, span })
    }

    /// An expression, `-` for what cannot happen, or a target number such as `4+`.
    fn cell(&mut self) -> Parsed<CellNode> {
        let start = self.span();
        if self.next_is("-") && self.ends_cell(1) {
            return Ok(CellNode { value: None, plus: false, span: self.step() });
        }
        if matches!(self.token(), Token::Number(_)) && self.target_number_follows() {
            let value = self.atom()?;
            let span = start.to(self.step());
            return Ok(CellNode { value: Some(value), plus: true, span });
        }
        let value = self.expression()?;
        Ok(CellNode { span: start.to(value.span), value: Some(value), plus: false })
    }

    fn target_number_follows(&self) -> bool {
        self.token_after(1) == Token::Symbol("+")
            && self.ends_cell(2)
            && self.tokens[self.at + 1].1.start == self.span().end
    }

    fn ends_cell(&self, steps: usize) -> bool {
        matches!(self.token_after(steps), Token::Newline | Token::End | Token::Symbol("|" | ";" | "}"))
    }
}

/// Whether the set is just this name.
fn names(set: &SetNode, name: &str) -> bool {
    matches!(set.spans.as_slice(), [SpanNode::One(expr)] if matches!(&expr.node, ExprNode::Name(text) if text == name))
}
