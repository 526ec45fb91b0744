//! Who calls whom, and who reads what.

use super::ruleset::{
    Callee, ChoiceId, Expr, ExprNode, FactorId, Parameter, Place, Ruleset, Set, SetSpan, Statement,
    StatementNode, TestId,
};
use std::collections::{BTreeMap, BTreeSet};

impl Expr {
    /// The parts that it is made of, without what it calls.
    fn parts(&self) -> Vec<&Self> {
        match &self.node {
            ExprNode::Constant(_) | ExprNode::Read(_) => Vec::new(),
            ExprNode::Roll(count, _) => vec![count],
            ExprNode::Apply(_, parts) | ExprNode::Choose(_, parts) => parts.iter().collect(),
            ExprNode::And(left, right) | ExprNode::Or(left, right) => vec![left, right],
            ExprNode::Is(subject, set) => std::iter::once(&**subject).chain(set.ends()).collect(),
            ExprNode::If(condition, then, otherwise) => vec![condition, then, otherwise],
            ExprNode::Call(_, arguments, settings) => {
                arguments.iter().chain(settings.iter().map(|(_, value)| value)).collect()
            }
        }
    }

    /// Visits the expression and all its parts, without what it calls.
    pub fn each<'a>(&'a self, visit: &mut dyn FnMut(&'a Self)) {
        visit(self);
        self.parts().into_iter().for_each(|part| part.each(visit));
    }

    /// How many expressions stand inside one another.
    fn height(&self) -> usize {
        1 + self.parts().into_iter().map(Self::height).max().unwrap_or(0)
    }

    /// Whether two expressions say the same, wherever they stand.
    pub fn same(&self, other: &Self) -> bool {
        let alike = match (&self.node, &other.node) {
            (ExprNode::Constant(a), ExprNode::Constant(b)) => a == b,
            (ExprNode::Read(a), ExprNode::Read(b)) => a == b,
            (ExprNode::Roll(_, a), ExprNode::Roll(_, b)) => a == b,
            (ExprNode::Apply(a, _), ExprNode::Apply(b, _)) => a == b,
            (ExprNode::Choose(a, _), ExprNode::Choose(b, _)) => a == b,
            (ExprNode::Is(_, a), ExprNode::Is(_, b)) => a.shape() == b.shape(),
            (ExprNode::Call(a, _, set), ExprNode::Call(b, _, other)) => {
                a == b && set.iter().map(|(factor, _)| factor).eq(other.iter().map(|(factor, _)| factor))
            }
            (a, b) => std::mem::discriminant(a) == std::mem::discriminant(b),
        };
        let (parts, others) = (self.parts(), other.parts());
        alike && parts.len() == others.len() && parts.iter().zip(others).all(|(part, other)| part.same(other))
    }
}

impl Set {
    /// The ends of all spans that have any.
    fn ends<'a>(&'a self) -> impl Iterator<Item = &'a Expr> {
        let ends = |span: &'a SetSpan| match span {
            SetSpan::One(only) => [Some(only), None],
            SetSpan::Range(low, high) => [low.as_ref(), high.as_ref()],
        };
        self.spans.iter().flat_map(ends).flatten()
    }

    /// Which ends each span has.
    fn shape(&self) -> Vec<(bool, bool, bool)> {
        let shape = |span: &SetSpan| match span {
            SetSpan::One(_) => (true, true, true),
            SetSpan::Range(low, high) => (false, low.is_some(), high.is_some()),
        };
        self.spans.iter().map(shape).collect()
    }

    /// Visits the ends of all spans and their parts.
    pub(super) fn each<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        self.ends().for_each(|end| end.each(visit));
    }
}

fn each_in_block<'a>(block: &'a [Statement], visit: &mut dyn FnMut(&'a Expr)) {
    for statement in block {
        match &statement.node {
            StatementNode::Let(_, _, value) | StatementNode::Return(value) => value.each(visit),
            StatementNode::If(arms, otherwise) => {
                for (condition, block) in arms {
                    condition.each(visit);
                    each_in_block(block, visit);
                }
                each_in_block(otherwise, visit);
            }
        }
    }
}

impl Ruleset {
    /// Visits all expressions of a piece and their parts.
    pub fn each_expression<'a>(&'a self, callee: Callee, visit: &mut dyn FnMut(&'a Expr)) {
        match callee {
            Callee::Modifiers(id) => {
                for line in &self.modifiers[id.0].lines {
                    [&line.per, &line.condition].into_iter().flatten().for_each(|part| part.each(visit));
                    line.amount.each(visit);
                }
            }
            Callee::Chart(id) => {
                let chart = &self.charts[id.0];
                chart.columns.iter().for_each(|set| set.each(visit));
                for row in &chart.rows {
                    row.keys.iter().for_each(|set| set.each(visit));
                    row.cells.iter().flatten().for_each(|cell| cell.each(visit));
                }
            }
            Callee::Test(id) => each_in_block(&self.tests[id.0].body, visit),
        }
    }

    /// What a piece takes.
    pub fn parameters(&self, callee: Callee) -> &[Parameter] {
        match callee {
            Callee::Modifiers(id) => &self.modifiers[id.0].parameters,
            Callee::Chart(id) => &self.charts[id.0].parameters,
            Callee::Test(id) => &self.tests[id.0].parameters,
        }
    }

    /// The name of a piece.
    pub fn callee_name(&self, callee: Callee) -> &str {
        match callee {
            Callee::Modifiers(id) => &self.modifiers[id.0].name,
            Callee::Chart(id) => &self.charts[id.0].name,
            Callee::Test(id) => &self.tests[id.0].name,
        }
    }

    /// How many expressions of a piece stand inside one another, at most.
    pub(super) fn height(&self, callee: Callee) -> usize {
        let mut height = 0;
        self.each_expression(callee, &mut |expr| height = height.max(expr.height()));
        height
    }

    /// The pieces that a piece calls itself, each with the place of its first call.
    pub(super) fn calls(&self, callee: Callee) -> BTreeMap<Callee, &Expr> {
        let mut calls = BTreeMap::new();
        self.each_expression(callee, &mut |expr| {
            if let ExprNode::Call(called, ..) = expr.node {
                calls.entry(called).or_insert(expr);
            }
        });
        calls
    }

    /// The piece and all that it calls, at any depth.
    fn reached(&self, start: Callee) -> BTreeSet<Callee> {
        let mut reached = BTreeSet::new();
        let mut open = vec![start];
        while let Some(callee) = open.pop() {
            if reached.insert(callee) {
                open.extend(self.calls(callee).into_keys());
            }
        }
        reached
    }

    /// Whether a call of this piece may roll dice or ask a player, at any depth.
    pub(super) fn rolls(&self, start: Callee) -> bool {
        let mut rolls = false;
        for callee in self.reached(start) {
            self.each_expression(callee, &mut |expr| {
                rolls |= matches!(expr.node, ExprNode::Roll(..) | ExprNode::Choose(..))
            });
        }
        rolls
    }

    /// The choices that a trial from this entry can come to.
    pub fn reachable_choices(&self, entry: TestId) -> Vec<ChoiceId> {
        let mut choices = BTreeSet::new();
        for callee in self.reached(Callee::Test(entry)) {
            self.each_expression(callee, &mut |expr| {
                if let ExprNode::Choose(choice, _) = expr.node {
                    choices.insert(choice);
                }
            });
        }
        choices.into_iter().collect()
    }

    /// The factors that a trial from this entry may read as the situation sets them.
    pub fn factors_read(&self, entry: TestId) -> Vec<FactorId> {
        let entry = Callee::Test(entry);
        let mut known = BTreeMap::new();
        self.factors_read_by(entry, &mut known);
        known.remove(&entry).unwrap_or_default().into_iter().collect()
    }

    /// Fills in what a piece reads of its caller's situation: not what the call itself sets.
    fn factors_read_by(&self, callee: Callee, known: &mut BTreeMap<Callee, BTreeSet<FactorId>>) {
        if known.contains_key(&callee) {
            return;
        }
        known.insert(callee, BTreeSet::new());
        let mut read = BTreeSet::new();
        self.each_expression(callee, &mut |expr| match &expr.node {
            ExprNode::Read(Place::Factor(factor)) => {
                read.insert(*factor);
            }
            ExprNode::Call(called, _, settings) => {
                self.factors_read_by(*called, known);
                let set = |factor: &FactorId| settings.iter().any(|(setting, _)| setting == factor);
                read.extend(known[called].iter().filter(|factor| !set(factor)));
            }
            _ => {}
        });
        for parameter in self.parameters(callee) {
            if let Place::Factor(factor) = parameter.place {
                read.remove(&factor);
            }
        }
        known.insert(callee, read);
    }
}
