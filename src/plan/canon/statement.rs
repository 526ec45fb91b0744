//! Steps of tests.

use super::Canon;
use crate::rules::{ForRange, Statement, StatementNode, Target};

impl Canon<'_> {
    pub(super) fn block(&mut self, block: &[Statement]) {
        self.each(block, Self::statement);
    }

    fn statement(&mut self, statement: &Statement) {
        match &statement.node {
            StatementNode::Let(local, _, value) => {
                self.word(("let", local.0));
                self.expr(value);
            }
            StatementNode::Keep(id, _, pool) => {
                self.word(("keep", id.0));
                self.pool(pool);
            }
            StatementNode::Assign(assignment) => {
                self.word(("set", assignment.change));
                self.target(&assignment.target);
                self.expr(&assignment.value);
            }
            StatementNode::If(arms, otherwise) => {
                self.sort("if");
                self.each(arms, |canon, (condition, block)| {
                    canon.expr(condition);
                    canon.block(block);
                });
                self.block(otherwise);
            }
            StatementNode::Repeat(repeat) => {
                self.word(("repeat", repeat.cap));
                self.maybe(repeat.until.as_ref(), Self::expr);
                self.expr(&repeat.most);
                self.block(&repeat.body);
            }
            StatementNode::For(local, _, range, body) => {
                self.word(("for", local.0));
                self.range(range);
                self.block(body);
            }
            StatementNode::Stop => self.sort("stop"),
            StatementNode::Record(record, adds, value) => {
                self.word(("record", adds));
                self.record(*record);
                self.expr(value);
            }
            StatementNode::Return(value) => {
                self.sort("return");
                self.expr(value);
            }
            StatementNode::ReturnList(pool) => {
                self.sort("give");
                self.pool(pool);
            }
            StatementNode::End => self.sort("end"),
            StatementNode::Call(call) => self.call(call),
        }
    }

    fn target(&mut self, target: &Target) {
        match target {
            Target::Place(place) => self.place(*place),
            Target::Unit(units, unit, factor) => self.own(*units, unit, *factor),
            Target::Item(id, number) => {
                self.word(("item", id.0));
                self.expr(number);
            }
        }
    }

    fn range(&mut self, range: &ForRange) {
        match range {
            ForRange::Between(low, high) => {
                self.sort("between");
                self.expr(low);
                self.expr(high);
            }
            ForRange::Chosen(choice, first, count) => {
                self.word(("chosen", first, count));
                self.choice(*choice);
            }
        }
    }
}
