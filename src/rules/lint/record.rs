//! Records that overwrite what the same trial recorded before.

use super::Lint;
use crate::diagnostic::{Diagnostic, Span};
use crate::rules::ruleset::{
    Callee, Expr, ExprNode, PoolNode, RecordId, Ruleset, Statement, StatementNode, TestId,
};
use crate::rules::walk::Part;
use std::collections::{BTreeMap, BTreeSet};

/// What is recorded by `=` on some way here, each with its place. A constant is only a start, and does not count.
type Seen = BTreeMap<RecordId, Span>;

impl Lint<'_> {
    /// Looks for records of the last file that can be given twice in a trial.
    pub(super) fn records(&mut self) {
        for id in self.tests() {
            let test = &self.rules.tests[id.0];
            if !test.replaced {
                let mut way = Way { rules: self.rules, twice: BTreeMap::new(), stopped: Vec::new() };
                way.block(&test.body, Seen::new());
                for (second, (record, first)) in way.twice {
                    self.recorded_twice(record, first, second);
                }
            }
        }
    }

    fn recorded_twice(&mut self, record: RecordId, first: Span, second: Span) {
        let name = &self.rules.records[record.0].name;
        let message = format!("a trial may record `{name}` more than once: only the last one is kept");
        let mistake = Diagnostic::warning(second, message, "overwrites what was recorded before");
        let mistake = if first == second { mistake } else { mistake.also(first, "recorded here") };
        self.warn(
            mistake.remedy(format!("write `record {name} += ...` to add them up, or give each its own name")),
        );
    }
}

struct Way<'a> {
    rules: &'a Ruleset,
    twice: BTreeMap<Span, (RecordId, Span)>,
    /// What is recorded where each loop around is left.
    stopped: Vec<Seen>,
}

impl Way<'_> {
    /// What is recorded behind a block; `None` where nothing goes on.
    fn block(&mut self, block: &[Statement], seen: Seen) -> Option<Seen> {
        block.iter().try_fold(seen, |seen, statement| self.statement(statement, seen))
    }

    fn statement(&mut self, statement: &Statement, mut seen: Seen) -> Option<Seen> {
        match &statement.node {
            StatementNode::If(arms, otherwise) => {
                let mut behind = None;
                for (condition, block) in arms {
                    self.part(Part::One(condition), &mut seen);
                    behind = either(behind, self.block(block, seen.clone()));
                }
                return either(behind, self.block(otherwise, seen));
            }
            StatementNode::Repeat(_) | StatementNode::For(..) => return Some(self.passes(statement, seen)),
            _ => {}
        }
        statement.parts().into_iter().for_each(|part| self.part(part, &mut seen));
        match &statement.node {
            StatementNode::Record(record, false, value) => {
                self.record(*record, value, statement.span, &mut seen)
            }
            StatementNode::Stop => {
                if let Some(stopped) = self.stopped.last_mut() {
                    stopped.append(&mut seen);
                }
                return None;
            }
            StatementNode::Return(_) | StatementNode::ReturnList(_) | StatementNode::End => return None,
            _ => {}
        }
        Some(seen)
    }

    /// A loop: what its first pass recorded is there in the second.
    fn passes(&mut self, statement: &Statement, mut seen: Seen) -> Seen {
        self.stopped.push(Seen::new());
        for _ in 0..2 {
            statement.parts().into_iter().for_each(|part| self.part(part, &mut seen));
            for block in statement.blocks() {
                if let Some(more) = self.block(block, seen.clone()) {
                    seen.extend(more);
                }
            }
        }
        seen.append(&mut self.stopped.pop().unwrap_or_default());
        seen
    }

    fn record(&mut self, record: RecordId, value: &Expr, span: Span, seen: &mut Seen) {
        if let Some(first) = seen.get(&record) {
            self.twice.insert(span, (record, *first));
        }
        if !matches!(value.node, ExprNode::Constant(_)) {
            seen.insert(record, span);
        }
    }

    /// What is worked out in a step; of several ways each by itself.
    fn part(&mut self, part: Part<'_>, seen: &mut Seen) {
        let parts = part.parts();
        let ways = match part {
            Part::One(Expr { node: ExprNode::If(..), .. }) => 1,
            Part::One(Expr { node: ExprNode::Choose(..), .. }) => 0,
            Part::Many(pool) if matches!(pool.node, PoolNode::If(..)) => 1,
            _ => parts.len(),
        };
        let (always, ways) = parts.split_at(ways);
        always.iter().for_each(|part| self.part(*part, seen));
        let before = seen.clone();
        for way in ways {
            let mut after = before.clone();
            self.part(*way, &mut after);
            seen.append(&mut after);
        }
        if let Part::Call(call) = part {
            for record in recorded(self.rules, call.callee) {
                if let Some(first) = seen.get(&record) {
                    self.twice.insert(call.span, (record, *first));
                }
                seen.insert(record, call.span);
            }
        }
    }
}

fn either(one: Option<Seen>, other: Option<Seen>) -> Option<Seen> {
    match (one, other) {
        (Some(mut one), Some(mut other)) => {
            one.append(&mut other);
            Some(one)
        }
        (one, other) => one.or(other),
    }
}

/// What a call may record by `=`, at any depth.
fn recorded(rules: &Ruleset, callee: Callee) -> BTreeSet<RecordId> {
    let mut records = BTreeSet::new();
    for reached in rules.reached(callee) {
        let Callee::Test(TestId(id)) = reached else { continue };
        crate::rules::walk::each_statement(&rules.tests[id].body, &mut |statement| {
            if let StatementNode::Record(record, false, value) = &statement.node
                && !matches!(value.node, ExprNode::Constant(_))
            {
                records.insert(*record);
            }
        });
    }
    records
}
