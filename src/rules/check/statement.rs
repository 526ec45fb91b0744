//! The bodies of tests: steps in order, names that are given on the way.

use super::expression::{ANY, Ask, constant};
use super::{Checker, Kept, Local};
use crate::diagnostic::{Diagnostic, Span};
use crate::rules::ruleset::{
    Assignment, Expr, ExprNode, ForRange, LocalId, Operation, Place, Pool, PoolId, Record, RecordId, Repeat,
    Statement, StatementNode, Target, Type,
};
use crate::rules::tree::{self, AssignOp, Block, Repetition, TestItem, Word};

/// A loop has at most so many passes where the number is the tool's patience.
const MOST_PASSES: i32 = 100_000;

impl Checker<'_> {
    pub(super) fn test(&mut self, item: &TestItem) -> Vec<Statement> {
        let body = self.block(&item.body);
        if let Some(result) = &item.result
            && !ends(&item.body)
        {
            let end = Span { start: item.body.span.end.saturating_sub(1), ..item.body.span };
            let message = format!("`{}` may end without a result", item.name.text);
            let mistake = Diagnostic::error(end, message, "nothing is returned here")
                .also(result.kind.span, "this is what it is to give");
            self.found.push(mistake.remedy("write `return …` here, or an `else` that returns"));
        }
        body
    }

    fn block(&mut self, block: &Block) -> Vec<Statement> {
        let outside = self.scope.locals.len();
        let mut statements = Vec::new();
        for (at, statement) in block.statements.iter().enumerate() {
            if at > 0 && statement_ends(&block.statements[at - 1]) {
                let label = "nothing goes on behind the one before";
                self.error(statement.span, "this step is never reached", label, "remove it, or move it up");
            }
            let rest = &block.statements[at + 1..];
            let node = self.statement(statement, rest);
            statements.extend(node.map(|node| Statement { node, span: statement.span }));
        }
        self.scope.locals.truncate(outside);
        statements
    }

    /// One step; `rest` are those behind it in its block.
    fn statement(&mut self, statement: &tree::Statement, rest: &[tree::Statement]) -> Option<StatementNode> {
        match &statement.node {
            tree::StatementNode::Let(name, value) => {
                let many = self.is_many(value);
                self.name_value(name, value, many, false)
            }
            tree::StatementNode::Var(name, value) => {
                let many =
                    self.is_many(value) && !rest.iter().any(|step| self.needs_number(step, &name.text));
                self.name_value(name, value, many, true)
            }
            tree::StatementNode::Assign(target, op, value) => self.assign(target, *op, value),
            tree::StatementNode::If(arms, otherwise) => {
                let mut checked = Vec::new();
                for (condition, block) in arms {
                    let condition = self.typed(condition, Type::Flag);
                    let block = self.block(block);
                    checked.extend(condition.map(|condition| (condition, block)));
                }
                let otherwise = otherwise.as_ref().map_or_else(Vec::new, |block| self.block(block));
                Some(StatementNode::If(checked, otherwise))
            }
            tree::StatementNode::Repeat(repetition, body) => self.repeat(repetition, body),
            tree::StatementNode::For(name, range, body) => self.for_loop(name, range, body),
            tree::StatementNode::Stop => self.stop(statement.span),
            tree::StatementNode::Record(name, adds, value) => self.record(name, *adds, value),
            tree::StatementNode::Return(value) => self.returned(value.as_ref(), statement.span),
            tree::StatementNode::Call(call) => self.call_alone(call),
        }
    }

    /// `let` and `var`: a value, dice or a list under a new name.
    fn name_value(
        &mut self,
        name: &Word,
        value: &tree::Expr,
        many: bool,
        changes: bool,
    ) -> Option<StatementNode> {
        self.refuse_known_name(name);
        if many {
            let pool = self.pool(value);
            let (ty, items) = pool.as_ref().map_or((None, None), |pool| (Some(pool.ty), pool.items));
            let id = PoolId(self.scope.pools);
            self.scope.pools += 1;
            let (name, span) = (name.text.clone(), name.span);
            let kept = Kept::Many(id, items);
            self.scope.locals.push(Local { name: name.clone(), ty, kept, changes, span });
            return Some(StatementNode::Keep(id, name, pool?));
        }
        let value = self.untyped(value);
        let id = self.new_local(name, value.as_ref().map(|value| value.ty), changes);
        Some(StatementNode::Let(id, name.text.clone(), value?))
    }

    fn new_local(&mut self, name: &Word, ty: Option<Type>, changes: bool) -> LocalId {
        let id = LocalId(self.scope.frame);
        self.scope.frame += 1;
        let kept = Kept::One(id);
        self.scope.locals.push(Local { name: name.text.clone(), ty, kept, changes, span: name.span });
        id
    }

    fn refuse_known_name(&mut self, name: &Word) {
        self.refuse_taken_name(name);
        let Some(first) = self.scope.locals.iter().find(|local| local.name == name.text) else { return };
        let remedy = match first.changes {
            true => format!("to change it write `{} = …` without `var` or `let`", name.text),
            false => "choose another name; a name whose value changes is given with `var`".to_owned(),
        };
        let mistake =
            Diagnostic::error(name.span, format!("`{}` is a name already", name.text), "a second time")
                .also(first.span, "first here");
        self.found.push(mistake.remedy(remedy));
    }

    /// Whether a step, or one inside it, gives a name a value that is no dice.
    fn needs_number(&self, step: &tree::Statement, name: &str) -> bool {
        let inside = |block: &Block| block.statements.iter().any(|step| self.needs_number(step, name));
        match &step.node {
            tree::StatementNode::Assign(target, op, value) => {
                let own = matches!(&target.node, tree::ExprNode::Name(target) if target == name);
                let same = |value: &tree::Expr| self.is_many(value) || dice_of(value, name);
                own && (*op != AssignOp::Set || !same(value))
            }
            tree::StatementNode::If(arms, otherwise) => {
                arms.iter().any(|(_, block)| inside(block)) || otherwise.as_ref().is_some_and(inside)
            }
            tree::StatementNode::Repeat(_, body) | tree::StatementNode::For(_, _, body) => inside(body),
            _ => false,
        }
    }

    fn assign(&mut self, target: &tree::Expr, op: AssignOp, value: &tree::Expr) -> Option<StatementNode> {
        let name = self.sources.text(target.span).to_owned();
        if let tree::ExprNode::Name(word) = &target.node
            && let Some(local) = self.scope.locals.iter().rev().find(|local| local.name == *word)
            && let Kept::Many(id, items) = local.kept
        {
            let (ty, changes) = (local.ty, local.changes);
            self.refuse_fixed(&name, changes, target.span)?;
            return self.assign_pool((id, items, ty?), &name, op, value);
        }
        let (target, ty) = self.target(target, &name)?;
        let change = match op {
            AssignOp::Set => None,
            AssignOp::Add => Some(Operation::Add),
            AssignOp::Subtract => Some(Operation::Subtract),
        };
        if change.is_some() && ty != Type::Number {
            let message = format!("`{name}` is a `{}`, not a number", self.rules.type_name(ty));
            self.error(value.span, message, "nothing can be added to it", format!("write `{name} = …`"));
            return None;
        }
        let value = self.typed(value, ty)?;
        Some(StatementNode::Assign(Assignment { target, name, change, value }))
    }

    fn assign_pool(
        &mut self,
        (id, items, ty): (PoolId, Option<usize>, Type),
        name: &str,
        op: AssignOp,
        value: &tree::Expr,
    ) -> Option<StatementNode> {
        if op != AssignOp::Set {
            let message = format!("`{name}` holds {}", if items.is_some() { "a list" } else { "dice" });
            let remedy = format!("change one item, as in `{name}[1] += …`, or write `{name} = …`");
            self.error(value.span, message, "nothing can be added to it", remedy);
            return None;
        }
        let pool = self.pool(value)?;
        if pool.items != items || pool.ty != ty {
            let message = format!("`{name}` holds {}", self.many_words(ty, items));
            let label = self.many_words(pool.ty, pool.items);
            self.error(value.span, message, label, "give it something of the same sort and length");
            return None;
        }
        Some(StatementNode::Keep(id, name.to_owned(), pool))
    }

    /// `dice`, `a list of 3 flags`.
    fn many_words(&self, ty: Type, items: Option<usize>) -> String {
        match items {
            None if ty == Type::Number => "dice".to_owned(),
            None => format!("dice that show `{}`", self.rules.type_name(ty)),
            Some(items) => format!("a list of {items} of `{}`", self.rules.type_name(ty)),
        }
    }

    fn refuse_fixed(&mut self, name: &str, changes: bool, span: Span) -> Option<()> {
        if changes {
            return Some(());
        }
        let message = format!("`{name}` keeps its value");
        let remedy = format!(
            "write `var` instead of `let` where it is first written; what is handed over, or counts a loop, is kept in \
             a name of its own: `var now = {name}`"
        );
        self.error(span, message, "changed here", remedy);
        None
    }

    /// What stands to the left of `=`.
    fn target(&mut self, target: &tree::Expr, name: &str) -> Option<(Target, Type)> {
        if let tree::ExprNode::Index(list, number, None) = &target.node
            && let Some(local) = self.scope.locals.iter().rev().find(|local| local.name == list.text)
        {
            let (kept, ty, changes) = (local.kept, local.ty?, local.changes);
            self.refuse_fixed(&list.text, changes, target.span)?;
            let number = self.typed(number, Type::Number)?;
            if let Kept::Many(id, Some(_)) = kept {
                return Some((Target::Item(id, number), ty));
            }
            let message = format!("`{}` is no list", list.text);
            self.error(target.span, message, "one item of it", "only items of a list can be changed");
            return None;
        }
        let place = self.expression(target, Ask { subject: true, ..ANY })?;
        let found = match place.node {
            ExprNode::Read(Place::Local(id)) => {
                let kept = |local: &&Local| matches!(local.kept, Kept::One(kept) if kept == id);
                let changes = self.scope.locals.iter().find(kept).is_some_and(|local| local.changes);
                self.refuse_fixed(name, changes, target.span)?;
                Some(Target::Place(Place::Local(id)))
            }
            ExprNode::Read(place) => Some(Target::Place(place)),
            ExprNode::ReadUnit(units, number, factor) => Some(Target::Unit(units, *number, factor)),
            _ => None,
        };
        if found.is_none() {
            let remedy = "change a name given with `var`, a factor, or an item of a list";
            self.error(
                target.span,
                format!("`{name}` is nothing that changes"),
                "to the left of `=`",
                remedy,
            );
        }
        Some((found?, place.ty))
    }

    fn repeat(&mut self, repetition: &Repetition, body: &Block) -> Option<StatementNode> {
        let (until, most, cap) = match repetition {
            Repetition::Times(most) => (None, self.typed(most, Type::Number), false),
            Repetition::AtMost(until, most) => (Some(until), self.typed(most, Type::Number), false),
            Repetition::Cap(until, most) => (Some(until), self.patience(most), true),
        };
        let until = self.optional(until, Type::Flag);
        let body = self.loop_body(body);
        Some(StatementNode::Repeat(Repeat { until: until?, most: most?, cap, body }))
    }

    /// The number after `cap`.
    pub(super) fn patience(&mut self, number: &tree::Expr) -> Option<Expr> {
        let most = self.plain_number(number)?;
        if !(1..=MOST_PASSES).contains(&most) {
            let message = format!("the tool's patience is a number from 1 to {MOST_PASSES}");
            self.error(number.span, message, "not such a number", "write a number such as `cap 200`");
            return None;
        }
        Some(constant(most, Type::Number, number.span))
    }

    fn loop_body(&mut self, body: &Block) -> Vec<Statement> {
        self.scope.loops += 1;
        let body = self.block(body);
        self.scope.loops -= 1;
        body
    }

    fn for_loop(&mut self, name: &Word, range: &tree::ForRange, body: &Block) -> Option<StatementNode> {
        let units = |units, first: usize, count: usize, span| {
            let end = |at: usize| constant(at as i32, Type::Unit(units), span);
            ForRange::Between(end(first), end(first + count - 1))
        };
        let (range, ty) = match range {
            tree::ForRange::Numbers(low, high) => {
                let (low, high) = (self.typed(low, Type::Number), self.typed(high, Type::Number));
                let range = low.zip(high).map(|(low, high)| ForRange::Between(low, high));
                (range, Some(Type::Number))
            }
            tree::ForRange::Units(list) => match self.unit_list(list) {
                Some((id, first, count)) => (Some(units(id, first, count, list.span)), Some(Type::Unit(id))),
                None => (None, None),
            },
            tree::ForRange::Chosen(list, own) => match self.unit_list(list) {
                Some((id, first, count)) => {
                    let choice = self.order_choice(own.as_ref(), id, list.span);
                    (choice.map(|choice| ForRange::Chosen(choice, first, count)), Some(Type::Unit(id)))
                }
                None => (None, None),
            },
        };
        self.refuse_known_name(name);
        let outside = self.scope.locals.len();
        let id = self.new_local(name, ty, false);
        let body = self.loop_body(body);
        self.scope.locals.truncate(outside);
        Some(StatementNode::For(id, name.text.clone(), range?, body))
    }

    fn stop(&mut self, span: Span) -> Option<StatementNode> {
        if self.scope.loops > 0 {
            return Some(StatementNode::Stop);
        }
        let remedy = "write it inside `repeat` or `for`; a test ends with `return`";
        self.error(span, "there is no loop to leave here", "outside of any loop", remedy);
        None
    }

    fn record(&mut self, name: &Word, adds: bool, value: &tree::Expr) -> Option<StatementNode> {
        let value = if adds { self.typed(value, Type::Number) } else { self.untyped(value) }?;
        if matches!(value.ty, Type::Unit(_)) {
            let remedy = "record a factor of it, or a flag such as `loser is attacker`";
            self.error(value.span, "a unit cannot be recorded", "a unit", remedy);
            return None;
        }
        if name.text == "result" {
            let remedy = "choose another name; what a test returns is called so already";
            self.error(name.span, "`result` is what the test itself gives", "taken", remedy);
        }
        let Some(id) = self.rules.records.iter().position(|record| record.name == name.text) else {
            let record = Record { name: name.text.clone(), ty: value.ty, span: name.span };
            self.rules.to_mut().records.push(record);
            return Some(StatementNode::Record(RecordId(self.rules.records.len() - 1), adds, value));
        };
        let first = &self.rules.records[id];
        if first.ty != value.ty {
            let (was, is) = (self.rules.type_name(first.ty), self.rules.type_name(value.ty));
            let message = format!("`{}` is recorded as `{was}` and as `{is}`", name.text);
            let mistake =
                Diagnostic::error(value.span, message, format!("a `{is}`")).also(first.span, "first here");
            self.found.push(mistake.remedy("give the two records different names"));
            return None;
        }
        Some(StatementNode::Record(RecordId(id), adds, value))
    }

    fn returned(&mut self, value: Option<&tree::Expr>, span: Span) -> Option<StatementNode> {
        let (result, items) = self.scope.result.unwrap_or((Type::Nothing, None));
        match (value, result) {
            (None, Type::Nothing) => Some(StatementNode::End),
            (Some(value), Type::Nothing) => {
                let remedy = "say behind the name what it gives, as in `test name -> number`";
                self.error(value.span, "this test gives nothing", "a result", remedy);
                None
            }
            (None, _) => {
                self.error(span, "this test gives a result", "nothing is returned", "write `return …`");
                None
            }
            (Some(value), _) if items.is_some() => {
                let pool = self.pool(value)?;
                self.fit_list(pool, result, items).map(StatementNode::ReturnList)
            }
            (Some(value), _) => self.result_value(value, result).map(StatementNode::Return),
        }
    }

    /// A list that must have a type and a length.
    fn fit_list(&mut self, pool: Pool, ty: Type, items: Option<usize>) -> Option<Pool> {
        if pool.ty == ty && pool.items == items {
            return Some(pool);
        }
        let message = format!("this test gives {}", self.many_words(ty, items));
        let label = self.many_words(pool.ty, pool.items);
        self.error(pool.span, message, label, "return a list of that length");
        None
    }
}

/// Whether the value is made of the dice under a name.
fn dice_of(value: &tree::Expr, name: &str) -> bool {
    match &value.node {
        tree::ExprNode::Name(own) => own == name,
        tree::ExprNode::Bracket(inside) => dice_of(inside, name),
        tree::ExprNode::Pool(inside, node) => super::pool::gives_dice(node) && dice_of(inside, name),
        _ => false,
    }
}

/// Whether every way through the block ends the test or leaves the loop.
fn ends(block: &Block) -> bool {
    block.statements.iter().any(statement_ends)
}

fn statement_ends(statement: &tree::Statement) -> bool {
    match &statement.node {
        tree::StatementNode::Return(_) | tree::StatementNode::Stop => true,
        tree::StatementNode::If(arms, Some(otherwise)) => {
            arms.iter().all(|(_, block)| ends(block)) && ends(otherwise)
        }
        // `repeat until no, cap N`: who does not return or stop inside is unresolved.
        tree::StatementNode::Repeat(Repetition::Cap(until, _), body) => {
            matches!(until.node, tree::ExprNode::Flag(false)) && !stops(body)
        }
        _ => false,
    }
}

/// Whether the loop with this body may be left by `stop`.
fn stops(body: &Block) -> bool {
    body.statements.iter().any(|statement| match &statement.node {
        tree::StatementNode::Stop => true,
        tree::StatementNode::If(arms, otherwise) => {
            arms.iter().any(|(_, block)| stops(block)) || otherwise.as_ref().is_some_and(stops)
        }
        _ => false,
    })
}
