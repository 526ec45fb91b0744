//! The bodies of modifiers, charts and tests.

use super::{Checker, Local, Scope, locals};
use crate::diagnostic::{Diagnostic, Span};
use crate::rules::ruleset::{
    Callee, Choice, ChoiceId, Expr, ExprNode, KindId, LocalId, ModifierLine, Operation, Row, Set, Statement,
    StatementNode, Type,
};
use crate::rules::tree::{self, ChartItem, ItemNode, ModifiersItem, RowNode, TestItem};

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
        self.scope = Scope { name, own, parameters, frame: locals.len(), locals, ..Scope::default() };
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
                chart.choice = self.scope.choice;
            }
            (ItemNode::Test(item), Callee::Test(id)) => {
                let body = self.test(item, head.result);
                let test = &mut self.rules.to_mut().tests[id.0];
                (test.parameters, test.result, test.body) = (head.parameters, head.result, body);
                test.frame = self.scope.frame;
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
        let label = match &line.label {
            Some(label) => label.text.clone(),
            None => self.sources.text(line.span).trim_start_matches(['+', '-']).to_owned(),
        };
        Some(ModifierLine { amount, per: per?, condition: condition?, label, span: line.span })
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
        Some(Row { keys, cells, span: row.span })
    }

    fn test(&mut self, item: &TestItem, result: Type) -> Vec<Statement> {
        let body = self.block(&item.body, result);
        if !ends(&item.body) {
            let end = Span { start: item.body.span.end.saturating_sub(1), ..item.body.span };
            let message = format!("`{}` may end without a result", item.name.text);
            let mistake = Diagnostic::error(end, message, "nothing is returned here")
                .also(item.result.span, "this is what it is to give");
            self.found.push(mistake.remedy("write `return …` here, or an `else` that returns"));
        }
        body
    }

    fn block(&mut self, block: &tree::Block, result: Type) -> Vec<Statement> {
        let outside = self.scope.locals.len();
        let mut statements = Vec::new();
        for (at, statement) in block.statements.iter().enumerate() {
            if at > 0 && statement_ends(&block.statements[at - 1]) {
                let label = "the test has ended before it";
                self.error(statement.span, "this step is never reached", label, "remove it, or move it up");
            }
            statements.extend(self.statement(statement, result));
        }
        self.scope.locals.truncate(outside);
        statements
    }

    fn statement(&mut self, statement: &tree::Statement, result: Type) -> Option<Statement> {
        let node = match &statement.node {
            tree::StatementNode::Let(name, value) => self.let_statement(name, value)?,
            tree::StatementNode::Return(value) => StatementNode::Return(self.result_value(value, result)?),
            tree::StatementNode::If(arms, otherwise) => {
                let mut checked = Vec::new();
                for (condition, block) in arms {
                    let condition = self.typed(condition, Type::Flag);
                    let block = self.block(block, result);
                    checked.extend(condition.map(|condition| (condition, block)));
                }
                let otherwise = otherwise.as_ref().map_or_else(Vec::new, |block| self.block(block, result));
                StatementNode::If(checked, otherwise)
            }
        };
        Some(Statement { node, span: statement.span })
    }

    fn let_statement(&mut self, name: &tree::Word, value: &tree::Expr) -> Option<StatementNode> {
        self.refuse_taken_name(name);
        if let Some(first) = self.scope.locals.iter().find(|local| local.name == name.text) {
            let mistake =
                Diagnostic::error(name.span, format!("`{}` is a name already", name.text), "a second time")
                    .also(first.span, "first here");
            self.found.push(mistake.remedy("choose another name"));
        }
        let value = self.untyped(value);
        let id = LocalId(self.scope.frame);
        let ty = value.as_ref().map(|value| value.ty);
        self.scope.frame += 1;
        self.scope.locals.push(Local { name: name.text.clone(), ty, id, span: name.span });
        Some(StatementNode::Let(id, name.text.clone(), value?))
    }

    /// The choice of the piece that is being checked: all its cells with the same options are one.
    pub(super) fn choice(&mut self, kind: KindId, options: &[Expr], span: Span) -> Option<ChoiceId> {
        let options: Vec<i32> = options
            .iter()
            .filter_map(|option| if let ExprNode::Constant(value) = option.node { Some(value) } else { None })
            .collect();
        let Some(id) = self.scope.choice else {
            let (name, parameters) = (self.scope.name.clone(), self.scope.parameters.clone());
            let choice = Choice { name, kind, options, parameters, reached: Vec::new(), span };
            self.rules.to_mut().choices.push(choice);
            self.scope.choice = Some(ChoiceId(self.rules.choices.len() - 1));
            return self.scope.choice;
        };
        let first = &self.rules.choices[id.0];
        let same = first.kind == kind
            && options.len() == first.options.len()
            && options.iter().all(|option| first.options.contains(option));
        if same {
            return Some(id);
        }
        let remedy = self.test_of_its_own(kind, &options);
        let message = format!("`{}` leaves two different choices to a player", first.name);
        let mistake = Diagnostic::error(span, message, "other options").also(first.span, "than here");
        self.found.push(mistake.remedy(remedy));
        None
    }

    /// Where a second choice of a piece should go.
    fn test_of_its_own(&self, kind: KindId, options: &[i32]) -> String {
        let names: Vec<String> =
            options.iter().map(|option| self.rules.name_of(Type::Kind(kind), *option)).collect();
        let (name, kind) = (names.join("_or_"), &self.rules.kinds[kind.0].name);
        let options = names.join(" or ");
        format!(
            "add `test {name} -> {kind} {{ return {options} }}`, and write `{name}` in place of `{options}`"
        )
    }
}

/// Whether every way through the block ends the test.
fn ends(block: &tree::Block) -> bool {
    block.statements.iter().any(statement_ends)
}

fn statement_ends(statement: &tree::Statement) -> bool {
    match &statement.node {
        tree::StatementNode::Return(_) => true,
        tree::StatementNode::If(arms, Some(otherwise)) => {
            arms.iter().all(|(_, block)| ends(block)) && ends(otherwise)
        }
        _ => false,
    }
}
