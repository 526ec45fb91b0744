//! Names without use: factors, units, pieces, what a piece takes, what a test keeps.

use super::{Lint, all_callables};
use crate::diagnostic::{Diagnostic, Span};
use crate::rules::ruleset::{
    Callee, Expr, ExprNode, FactorId, ForRange, Place, PoolNode, Statement, StatementNode, Target, TestId,
    Type, UnitsId,
};
use crate::rules::tree::{Item, ItemNode, ParameterNode, UnitItem};
use crate::rules::walk::{Part, each_statement};
use std::collections::BTreeSet;

impl Lint<'_> {
    /// Warns of every name of the last file that nothing uses. Rules without an entry are a stock for others, which may
    /// use all of it.
    pub(super) fn unused(&mut self) {
        for test in self.tests() {
            self.locals(test);
        }
        if self.rules.entries().next().is_none() {
            return;
        }
        let (read, units) = (self.factors_read(), self.units_used());
        for item in &self.file.items {
            match &item.node {
                ItemNode::Factor(factor) => {
                    let id = self.rules.factor(&factor.name.text);
                    // A policy may read a factor that no rule reads.
                    if !self.rules.choices.is_empty() {
                        continue;
                    }
                    // A draft cannot add to a `unit` line: its base lists for it what only the draft reads.
                    let carried =
                        |id: &FactorId| self.rules.units.iter().any(|line| line.factors.contains(id));
                    if id.is_some_and(|id| !read.contains(&id) && !carried(&id)) {
                        self.without_use(
                            factor.name.span,
                            format!("no rule reads the factor `{}`", factor.name.text),
                            "remove it, or use it in a test, chart or modifiers",
                        );
                    }
                }
                ItemNode::Unit(line) => self.units(line, &units),
                _ => {}
            }
        }
        let called = self.called();
        for (item, callee) in self.callables() {
            let own_start = matches!(callee, Callee::Test(id)
                if self.rules.tests[id.0].parameters.is_empty() && self.rules.tests[id.0].items.is_none());
            if !own_start && !called.contains(&callee) {
                self.without_callers(item);
            }
            self.parameters(item, callee);
        }
    }

    fn without_use(&mut self, span: Span, message: String, remedy: &str) {
        self.warn(Diagnostic::warning(span, message, "without use").remedy(remedy));
    }

    fn without_callers(&mut self, item: &Item) {
        if let (word, Some(name)) = item.node.title() {
            let message = format!("nothing uses the {word} `{}`", name.text);
            self.without_use(name.span, message, "use it in a test, or remove it");
        }
    }

    /// The factors that some piece reads; a unit's own count for the one that it is one of.
    fn factors_read(&self) -> BTreeSet<FactorId> {
        let mut read = BTreeSet::new();
        self.each_part(&mut |part| match part {
            Part::One(Expr { node: ExprNode::Read(Place::Factor(factor)), .. }) => {
                read.insert(*factor);
                read.extend(self.rules.factors[factor.0].owner.map(|owner| owner.factor));
            }
            Part::One(Expr { node: ExprNode::ReadUnit(units, _, factor), .. }) => {
                read.insert(self.rules.units[units.0].factors[*factor]);
            }
            _ => {}
        });
        read
    }

    /// Visits all that stands in any piece.
    fn each_part(&self, visit: &mut dyn FnMut(Part<'_>)) {
        let rules = self.rules;
        rules.nevers.iter().for_each(|never| never.condition.each(visit));
        all_callables(rules).for_each(|callee| rules.each_part(callee, visit));
    }

    fn called(&self) -> BTreeSet<Callee> {
        let mut called = BTreeSet::new();
        self.each_part(&mut |part| {
            if let Part::Call(call) = part {
                called.insert(call.callee);
            }
        });
        called
    }

    /// Every unit that some step or value names, alone or as one of its list.
    fn units_used(&self) -> BTreeSet<(usize, usize)> {
        let mut used = BTreeSet::new();
        let ends = |low: &Expr, high: &Expr| match (low.ty, &low.node, &high.node) {
            (Type::Unit(line), ExprNode::Constant(low), ExprNode::Constant(high)) => {
                Some((line.0, *low as usize..=*high as usize))
            }
            _ => None,
        };
        self.each_part(&mut |part| {
            let Part::One(part) = part else { return };
            match (&part.node, part.ty) {
                (ExprNode::Constant(unit), Type::Unit(line)) => _ = used.insert((line.0, *unit as usize)),
                (ExprNode::UnitAt(first, count, _), Type::Unit(line)) => {
                    used.extend((*first..first + count).map(|unit| (line.0, unit)));
                }
                (ExprNode::Read(Place::Factor(factor)), _) => used.extend(self.owner(*factor)),
                (ExprNode::ChooseFrom(_, low, high), _) => {
                    used.extend(
                        ends(low, high).into_iter().flat_map(|(line, all)| all.map(move |unit| (line, unit))),
                    );
                }
                _ => {}
            }
        });
        self.each_step(&mut |statement| match &statement.node {
            StatementNode::Assign(assignment) => {
                if let Target::Place(Place::Factor(factor)) = assignment.target {
                    used.extend(self.owner(factor));
                }
            }
            StatementNode::For(_, _, ForRange::Between(low, high), _) => {
                used.extend(
                    ends(low, high).into_iter().flat_map(|(line, all)| all.map(move |unit| (line, unit))),
                );
            }
            StatementNode::For(_, _, ForRange::Chosen(choice, first, count), _) => {
                if let crate::rules::Picks::Order(UnitsId(line)) = self.rules.choices[choice.0].picks {
                    used.extend((*first..first + count).map(|unit| (line, unit)));
                }
            }
            _ => {}
        });
        used
    }

    fn owner(&self, factor: FactorId) -> Option<(usize, usize)> {
        self.rules.factors[factor.0].owner.map(|owner| (owner.units.0, owner.unit))
    }

    fn each_step(&self, visit: &mut dyn FnMut(&Statement)) {
        self.rules
            .tests
            .iter()
            .for_each(|test| each_statement(&test.body, &mut |statement| visit(statement)));
    }

    fn units(&mut self, item: &UnitItem, used: &BTreeSet<(usize, usize)>) {
        for (name, _) in &item.names {
            let group = |line: &crate::rules::Units| {
                line.groups
                    .iter()
                    .find(|(word, ..)| *word == name.text)
                    .map(|(_, first, count)| (*first, *count))
            };
            let lines = self.rules.units.iter().enumerate();
            let found = lines.filter_map(|(at, line)| Some((at, group(line)?))).next();
            let Some((line, (first, count))) = found else { continue };
            if !(first..first + count.unwrap_or(1)).any(|unit| used.contains(&(line, unit))) {
                let message = format!("no rule uses the unit `{}`", name.text);
                self.without_use(name.span, message, "remove it, or use it in a test");
            }
        }
    }

    /// What a piece takes and neither reads nor hands on as a factor. An override takes what its base took.
    fn parameters(&mut self, item: &Item, callee: Callee) {
        let nodes: &[ParameterNode] = match &item.node {
            ItemNode::Test(test) => &test.parameters,
            ItemNode::Modifiers(modifiers) => &modifiers.parameters,
            _ => return,
        };
        let mut read = BTreeSet::new();
        self.rules.each_part(callee, &mut |part| {
            if let Part::One(Expr { node: ExprNode::Read(Place::Local(local)), .. }) = part {
                read.insert(*local);
            }
        });
        let uses = self.read_by(callee);
        for (node, parameter) in nodes.iter().zip(self.rules.parameters(callee)) {
            let idle = match parameter.place {
                Place::Local(local) => !read.contains(&local),
                Place::Factor(factor) => !uses.contains(&factor),
            };
            if idle && !item.overrides {
                let message = format!("`{}` is handed over and never read", node.name.text);
                self.without_use(
                    node.name.span,
                    message,
                    "take it out of the brackets, here and in the calls",
                );
            }
        }
    }

    /// What a test keeps under a name and never reads; a policy may read what is in sight at a choice.
    fn locals(&mut self, test: TestId) {
        let (mut values, mut pools) = (BTreeSet::new(), BTreeSet::new());
        self.rules.each_part(Callee::Test(test), &mut |part| match part {
            Part::One(Expr { node: ExprNode::Read(Place::Local(local)), .. }) => _ = values.insert(*local),
            Part::Many(pool) => {
                if let PoolNode::Read(read) = pool.node {
                    pools.insert(read);
                }
            }
            Part::Choice(choice) => {
                let places = self.rules.choices[choice.0].parameters.iter().map(|parameter| parameter.place);
                values.extend(places.filter_map(|place| match place {
                    Place::Local(local) => Some(local),
                    Place::Factor(_) => None,
                }));
            }
            _ => {}
        });
        let mut idle = Vec::new();
        each_statement(&self.rules.tests[test.0].body, &mut |statement| match &statement.node {
            StatementNode::Let(local, name, value) if values.insert(*local) => {
                let called =
                    matches!(&value.node, ExprNode::Call(call) if matches!(call.callee, Callee::Test(_)));
                idle.push((statement.span, name, called.then(|| self.sources.text(value.span))));
            }
            StatementNode::Keep(pool, name, _) if pools.insert(*pool) => {
                idle.push((statement.span, name, None));
            }
            _ => {}
        });
        for (span, name, call) in idle {
            let remedy = match call {
                Some(call) => format!("write `{call}` as a step of its own, without `let`"),
                None => "remove it, or use it below".to_owned(),
            };
            self.without_use(span, format!("`{name}` is never read"), &remedy);
        }
    }
}
