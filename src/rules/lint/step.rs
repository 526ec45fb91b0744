//! Changes of the situation that nothing looks at: a `with` that the call does not read, a factor set for nobody.

use super::Lint;
use crate::diagnostic::Diagnostic;
use crate::rules::ruleset::{
    Assignment, Callee, FactorId, Place, Ruleset, Statement, StatementNode, Target, TestId,
};
use crate::rules::walk::Part;
use std::collections::{BTreeMap, BTreeSet};

/// What may be read further on; `None` is everything.
type Later = Option<BTreeSet<FactorId>>;

impl Lint<'_> {
    /// Looks at the calls and steps of the last file.
    pub(super) fn steps(&mut self) {
        for (_, callee) in self.callables() {
            self.settings(callee);
        }
        let later = behind_calls(self);
        for test in self.tests() {
            let mut idle = Vec::new();
            let behind = later.get(&test).cloned().unwrap_or(Some(BTreeSet::new()));
            walk(self, &self.rules.tests[test.0].body, behind, &mut |statement, behind| {
                if let StatementNode::Assign(assignment) = &statement.node
                    && let (Target::Place(Place::Factor(factor)), Some(behind)) = (&assignment.target, behind)
                    && !of_a_unit(self.rules, *factor)
                    && !behind.contains(factor)
                {
                    idle.push((statement.span, assignment));
                }
            });
            idle.into_iter().for_each(|(span, assignment)| self.set_for_nobody(span, assignment));
        }
    }

    fn set_for_nobody(&mut self, span: crate::diagnostic::Span, assignment: &Assignment) {
        let message = format!("nothing reads `{}` after it is set here", assignment.name);
        let mistake = Diagnostic::warning(span, message, "of no effect");
        self.warn(mistake.remedy("remove this step, or set it before what should read it"));
    }

    /// `with` of a factor that nothing in the call reads; a policy may.
    fn settings(&mut self, callee: Callee) {
        let mut idle = Vec::new();
        self.rules.each_part(callee, &mut |part| {
            let Part::Call(call) = part else { return };
            if call.settings.is_empty() {
                return;
            }
            let Some(read) = reads_of_call(self, call.callee) else { return };
            for (factor, value) in call.settings.iter().filter(|(factor, _)| !read.contains(factor)) {
                idle.push((value.span, call.callee, *factor));
            }
        });
        for (span, callee, factor) in idle {
            let (name, callee) = (&self.rules.factors[factor.0].name, self.rules.callee_name(callee));
            let message = format!("`{callee}` does not read `{name}`, nor does anything that it uses");
            let mistake = Diagnostic::warning(span, message, "of no effect");
            self.warn(mistake.remedy(format!("take `{name}` out of the `with`, or read it in `{callee}`")));
        }
    }
}

/// Whether a name may mean the factors of several units.
fn of_a_unit(rules: &Ruleset, factor: FactorId) -> bool {
    rules.factors[factor.0].owner.is_some() || rules.units.iter().any(|line| line.factors.contains(&factor))
}

/// For each test that others call, what may be read behind any of these calls.
fn behind_calls(lint: &Lint<'_>) -> BTreeMap<TestId, Later> {
    let mut later: BTreeMap<TestId, Later> = BTreeMap::new();
    loop {
        let before = later.clone();
        for (id, test) in lint.rules.tests.iter().enumerate() {
            let behind = before.get(&TestId(id)).cloned().unwrap_or(Some(BTreeSet::new()));
            walk(lint, &test.body, behind, &mut |statement, behind| {
                for part in statement.parts() {
                    part.each(&mut |part| {
                        let Part::Call(call) = part else { return };
                        let mut all = and(behind.clone(), read_beside(lint, statement, call));
                        for called in lint.rules.reached(call.callee) {
                            let Callee::Test(test) = called else { continue };
                            if called != call.callee && !matches!(call.callee, Callee::Test(_)) {
                                all = None;
                            }
                            if called == call.callee || all.is_none() {
                                let known = later.entry(test).or_insert(Some(BTreeSet::new()));
                                *known = and(known.take(), all.clone());
                            }
                        }
                    });
                }
            });
        }
        if later == before {
            return later;
        }
    }
}

/// What a step reads beside one of its calls.
fn read_beside(lint: &Lint<'_>, statement: &Statement, call: &crate::rules::Call) -> Later {
    let mut all = Some(BTreeSet::new());
    for part in statement.parts() {
        part.each(&mut |part| match part {
            Part::Call(other) if !std::ptr::eq(other, call) => {
                all = and(all.take(), reads_of_call(lint, other.callee));
            }
            Part::Call(_) => {}
            other => all = and(all.take(), reads_of_part(lint, other)),
        });
    }
    all
}

fn and(one: Later, other: Later) -> Later {
    let (mut one, other) = (one?, other?);
    one.extend(other);
    Some(one)
}

/// Visits steps, last first, each with what may be read behind it; gives what may be read from the first on.
fn walk<'a>(
    lint: &Lint<'_>,
    block: &'a [Statement],
    behind: Later,
    visit: &mut dyn FnMut(&'a Statement, &Later),
) -> Later {
    let mut behind = behind;
    for statement in block.iter().rev() {
        let read = reads(lint, statement);
        let looped = matches!(statement.node, StatementNode::Repeat(_) | StatementNode::For(..));
        let inside = if looped { and(behind.clone(), read.clone()) } else { behind.clone() };
        visit(statement, &inside);
        for block in statement.blocks() {
            walk(lint, block, inside.clone(), visit);
        }
        behind = and(behind, read);
    }
    behind
}

/// What a step, the blocks inside it and all that they call may read.
fn reads(lint: &Lint<'_>, statement: &Statement) -> Later {
    let mut all = Some(BTreeSet::new());
    for part in statement.parts() {
        part.each(&mut |part| {
            let more = match part {
                Part::Call(call) => reads_of_call(lint, call.callee),
                other => reads_of_part(lint, other),
            };
            all = and(all.take(), more);
        });
    }
    for inner in statement.blocks().into_iter().flatten() {
        all = and(all, reads(lint, inner));
    }
    all
}

/// What a part reads itself; a player may look at everything.
fn reads_of_part(lint: &Lint<'_>, part: Part<'_>) -> Later {
    use crate::rules::ruleset::ExprNode;
    match part {
        Part::Choice(_) => None,
        Part::One(expr) => match &expr.node {
            ExprNode::Read(Place::Factor(factor)) => Some(BTreeSet::from([*factor])),
            ExprNode::ReadUnit(units, _, factor) => {
                let line = &lint.rules.units[units.0];
                Some((0..line.names.len()).map(|unit| line.own(unit, *factor)).collect())
            }
            _ => Some(BTreeSet::new()),
        },
        _ => Some(BTreeSet::new()),
    }
}

/// What a call may read, at any depth.
fn reads_of_call(lint: &Lint<'_>, callee: Callee) -> Later {
    let mut choice = false;
    for reached in lint.rules.reached(callee) {
        lint.rules.each_part(reached, &mut |part| choice |= matches!(part, Part::Choice(_)));
    }
    (!choice).then(|| lint.read_by(callee))
}
