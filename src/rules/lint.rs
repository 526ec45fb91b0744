//! What can be run but is probably not meant: charts with odd shapes, names without use, steps that undo others.
//!
//! In: the files as they are written, the checked rules, and what each test may return. Out: a warning for each find in
//! the last file; a base file answers for itself when it is read alone, and a draft need not use all of it.
//!
//! **Never:** errors; anything that depends on a scenario.

mod chart;
mod record;
mod rolled;
mod score;
mod step;
mod unused;

use super::ruleset::{Callee, ChartId, FactorId, ModifiersId, Ruleset, StatementNode, TestId, Type};
use super::situation::Uses;
use super::tree::{File, Item, ItemNode};
use super::values::Values;
use super::walk::{Part, each_statement};
use crate::diagnostic::{Diagnostic, Diagnostics, FileId, Severity, Sources};
use std::collections::{BTreeMap, BTreeSet};

/// The last file, and all that it is made of.
struct Lint<'a> {
    file: &'a File,
    rules: &'a Ruleset,
    sources: &'a Sources,
    /// What each piece and all that it calls may read and change.
    uses: BTreeMap<Callee, Uses>,
    found: Diagnostics,
}

/// What looks like a slip in the last of these files; `returned` is what each test may return.
pub(super) fn lint(files: &[File], rules: &Ruleset, returned: &[Values], sources: &Sources) -> Diagnostics {
    let Some(file) = files.last() else { return Diagnostics::default() };
    let mut lint = Lint { file, rules, sources, uses: BTreeMap::new(), found: Diagnostics::default() };
    for callee in all_callables(rules) {
        rules.uses(callee, &mut lint.uses);
    }
    lint.charts();
    lint.unused();
    lint.results(returned);
    lint.steps();
    lint.records();
    lint.rolls();
    lint.found
}

/// All that was found but warnings about other files than the last: those a draft may leave as they are.
pub(super) fn own(found: Diagnostics, file: FileId) -> impl Iterator<Item = Diagnostic> {
    let elsewhere = move |one: &Diagnostic| one.labels.first().is_some_and(|(span, _)| span.file != file);
    found.into_iter().filter(move |one| one.severity == Severity::Error || !elsewhere(one))
}

impl<'a> Lint<'a> {
    fn warn(&mut self, mistake: Diagnostic) {
        self.found.push(mistake);
    }

    /// The pieces of the last file that can be called, each with what it became.
    fn callables(&self) -> Vec<(&'a Item, Callee)> {
        let rules = self.rules;
        let callee = |item: &'a Item| {
            let name = &item.node.title().1?.text;
            let callee = match &item.node {
                ItemNode::Modifiers(_) => {
                    Callee::Modifiers(ModifiersId(rules.modifiers.iter().rposition(|one| one.name == *name)?))
                }
                ItemNode::Chart(_) => {
                    Callee::Chart(ChartId(rules.charts.iter().rposition(|one| one.name == *name)?))
                }
                ItemNode::Test(_) => Callee::Test(rules.test(name)?),
                _ => return None,
            };
            Some((item, callee))
        };
        self.file.items.iter().filter_map(callee).collect()
    }

    /// The factors that a piece and all that it calls may read.
    fn read_by(&self, callee: Callee) -> BTreeSet<FactorId> {
        self.uses.get(&callee).map(|uses| uses.read.clone()).unwrap_or_default()
    }

    /// The tests of the last file.
    fn tests(&self) -> Vec<TestId> {
        let test = |(_, callee): (&Item, Callee)| match callee {
            Callee::Test(id) => Some(id),
            _ => None,
        };
        self.callables().into_iter().filter_map(test).collect()
    }

    /// Values of an outcome that no test can return, though some entry ends in that outcome. Values that are
    /// equally good count as one: the other may be there for a draft.
    fn results(&mut self, returned: &[Values]) {
        let rules = self.rules;
        let entries: Vec<&str> = rules.entries().collect();
        for item in &self.file.items {
            let ItemNode::Kind(node) = &item.node else { continue };
            let Some(kind) = rules.kinds.iter().position(|kind| kind.name == node.name.text) else {
                continue;
            };
            let ty = Type::Kind(super::ruleset::KindId(kind));
            let gives = |(test, _): &(&super::Test, &Values)| test.result == ty && test.items.is_none();
            let tests: Vec<_> = rules.tests.iter().zip(returned).filter(gives).collect();
            let played =
                tests.iter().any(|(test, _)| !test.replaced && entries.contains(&test.name.as_str()));
            if !node.ordered || !played || is_input(rules, ty) {
                continue;
            }
            let all = tests.iter().fold(kept(rules, ty), |all, (_, values)| all.union(values));
            for line in &node.values {
                let values = line.equals.iter().filter_map(|(word, _)| rules.value_of(ty, &word.text));
                let reached = values.map(|value| all.contains(i64::from(value))).collect::<Vec<_>>();
                if let (Some((word, _)), false) =
                    (line.equals.first(), reached.is_empty() || reached.contains(&true))
                {
                    let message = format!("no test can end in `{}`, whatever is rolled", word.text);
                    let mistake = Diagnostic::warning(word.span, message, "never a result");
                    self.warn(mistake.remedy("give it a row or a `return`, or remove it"));
                }
            }
        }
    }
}

fn all_callables(rules: &Ruleset) -> impl Iterator<Item = Callee> + use<> {
    let tests = (0..rules.tests.len()).map(|id| Callee::Test(TestId(id)));
    let charts = (0..rules.charts.len()).map(|id| Callee::Chart(ChartId(id)));
    let modifiers = (0..rules.modifiers.len()).map(|id| Callee::Modifiers(ModifiersId(id)));
    tests.chain(charts).chain(modifiers)
}

/// Whether values of a type are what situations and dice are made of.
fn is_input(rules: &Ruleset, ty: Type) -> bool {
    rules.factors.iter().any(|factor| factor.ty == ty) || rules.dice.iter().any(|die| die.ty == ty)
}

/// The values of a type that some step keeps under a name: these are of use even if none is returned.
fn kept(rules: &Ruleset, ty: Type) -> Values {
    let mut kept = Vec::new();
    let mut keep = |part: Part<'_>| {
        if let Part::One(part) = part
            && let (true, super::ExprNode::Constant(value)) = (part.ty == ty, &part.node)
        {
            kept.push((i64::from(*value), i64::from(*value)));
        }
    };
    for test in &rules.tests {
        each_statement(&test.body, &mut |statement| {
            if matches!(
                statement.node,
                StatementNode::Let(..) | StatementNode::Keep(..) | StatementNode::Assign(_)
            ) {
                statement.parts().into_iter().for_each(|part| part.each(&mut keep));
            }
        });
    }
    Values::of(kept)
}
