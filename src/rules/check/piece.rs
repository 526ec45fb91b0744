//! The bodies of modifiers and charts; those of tests are in [`super::statement`].

use super::{Checker, Scope, locals};
use crate::rules::printer::{chart_header, modifier_words, row_cells, test_lines};
use crate::rules::ruleset::{Callee, Expr, ExprNode, ModifierLine, Operation, Row, Set, Type};
use crate::rules::tree::{self, ChartItem, ItemNode, ModifiersItem, RowNode};

impl Checker<'_> {
    /// Checks the bodies of all pieces that the last file can reach.
    pub(super) fn check_bodies(&mut self) {
        let mut checked = vec![false; self.pieces.len()];
        while let Some(next) =
            (0..self.pieces.len()).find(|index| self.pieces[*index].wanted && !checked[*index])
        {
            checked[next] = true;
            self.check_body(next);
        }
    }

    fn check_body(&mut self, index: usize) {
        let Some(head) = self.head(index) else { return };
        let piece = &self.pieces[index];
        let item = piece.item;
        let own = piece.replaces.zip(item.node.title().1).map(|(before, name)| (name.text.clone(), before));
        let name = item.node.title().1.map_or("", |name| &name.text);
        let name = if piece.replaced { format!("{name} (replaced)") } else { name.to_owned() };
        let (parameters, locals) = (head.parameters.clone(), locals(&head.parameters, item.span));
        let result = Some((head.result, head.items));
        self.scope = Scope { name, own, parameters, frame: locals.len(), locals, result, ..Scope::default() };
        match (&item.node, head.callee) {
            (ItemNode::Modifiers(item), Callee::Modifiers(id)) => {
                let lines = self.modifiers(item);
                let modifiers = &mut self.rules.to_mut().modifiers[id.0];
                (modifiers.parameters, modifiers.lines) = (head.parameters, lines);
            }
            (ItemNode::Chart(item), Callee::Chart(id)) => {
                let (columns, rows) = self.chart(item, head.result);
                let chart = &mut self.rules.to_mut().charts[id.0];
                (chart.parameters, chart.result, chart.columns, chart.rows) =
                    (head.parameters, head.result, columns, rows);
                (chart.choice, chart.words) = (self.scope.choice, chart_header(item));
            }
            (ItemNode::Test(test), Callee::Test(id)) => {
                let body = self.test(test);
                let test = &mut self.rules.to_mut().tests[id.0];
                (test.parameters, test.result, test.items) = (head.parameters, head.result, head.items);
                (test.body, test.frame, test.pools) = (body, self.scope.frame, self.scope.pools);
                test.words = test_lines(item);
            }
            _ => {}
        }
    }

    fn modifiers(&mut self, item: &ModifiersItem) -> Vec<ModifierLine> {
        self.scope.no_dice = "modifiers are added up before the roll is read";
        item.lines.iter().filter_map(|line| self.modifier_line(line)).collect()
    }

    fn modifier_line(&mut self, line: &tree::ModifierLine) -> Option<ModifierLine> {
        let amount = self.typed(&line.amount, Type::Number);
        let per = self.optional(line.per.as_ref(), Type::Number);
        let condition = self.optional(line.condition.as_ref(), Type::Flag);
        let amount = amount?;
        let (ty, span) = (Type::Number, amount.span);
        let amount = match (line.minus, &amount.node) {
            (false, _) => amount,
            (true, ExprNode::Constant(number)) => Expr { node: ExprNode::Constant(-number), ty, span },
            (true, _) => Expr { node: ExprNode::Apply(Operation::Negate, vec![amount]), ty, span },
        };
        let plain = line.per.is_none() && matches!(amount.node, ExprNode::Constant(_));
        let label = match (&line.label, &line.condition) {
            (Some(label), _) => label.text.clone(),
            (None, Some(condition)) if plain => self.sources.text(condition.span).to_owned(),
            (None, _) => self.sources.text(line.span).trim_start_matches(['+', '-']).to_owned(),
        };
        Some(ModifierLine {
            amount,
            per: per?,
            condition: condition?,
            label,
            words: modifier_words(line),
            span: line.span,
        })
    }

    fn chart(&mut self, item: &ChartItem, result: Type) -> (Vec<Set>, Vec<Row>) {
        self.scope.no_dice = "a chart is read, not rolled";
        let types: Vec<Type> = self.scope.parameters.iter().map(|parameter| parameter.ty).collect();
        let last = types.last().copied().unwrap_or(Type::Number);
        let columns = item.columns.iter().flatten().filter_map(|set| self.set(set, last)).collect();
        if item.rows.is_empty() {
            let message = format!("the chart `{}` has no rows", item.name.text);
            self.error(item.name.span, message, "only a header", "write its rows below the header");
        }
        let rows = item.rows.iter().filter_map(|row| self.row(row, &types, result)).collect();
        (columns, rows)
    }

    fn row(&mut self, row: &RowNode, types: &[Type], result: Type) -> Option<Row> {
        let keys: Vec<Option<Set>> = row.keys.iter().zip(types).map(|(set, ty)| self.set(set, *ty)).collect();
        let mut cells = Vec::new();
        for cell in &row.cells {
            if cell.plus && result != Type::Number {
                let message = "only a chart of numbers has target numbers";
                self.error(cell.span, message, "a target number", "write the name of a result");
            }
            cells.push(match &cell.value {
                None => Some(None),
                Some(value) => self.result_value(value, result).map(Some),
            });
        }
        let (keys, cells) =
            (keys.into_iter().collect::<Option<_>>()?, cells.into_iter().collect::<Option<_>>()?);
        Some(Row { keys, cells, words: row_cells(row), span: row.span })
    }
}
