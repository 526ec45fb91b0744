//! Who calls whom, and what stands inside what.

use super::ruleset::{
    Call, Callee, ChoiceId, Die, Expr, ExprNode, ForRange, Parameter, Place, Pool, PoolNode, RecordId,
    Ruleset, Set, SetSpan, Statement, StatementNode, Target, TestId,
};
use std::collections::{BTreeMap, BTreeSet};

/// Something that stands in a piece.
#[derive(Clone, Copy, Debug)]
pub enum Part<'a> {
    /// A value.
    One(&'a Expr),
    /// Dice or a list.
    Many(&'a Pool),
    /// A call; it stands in a value, in a list or alone.
    Call(&'a Call),
    /// Something that is left to a player.
    Choice(ChoiceId),
}

impl<'a> Part<'a> {
    /// What it is made of, in the order in which that is worked out, without what it calls.
    pub fn parts(self) -> Vec<Self> {
        match self {
            Self::One(expr) => expr.parts(),
            Self::Many(pool) => pool.parts(),
            Self::Call(call) => {
                let settings = call.settings.iter().map(|(_, value)| value);
                call.arguments.iter().chain(&call.unit).chain(settings).map(Self::One).collect()
            }
            Self::Choice(_) => Vec::new(),
        }
    }

    /// Visits it and all that it is made of, without what it calls.
    pub fn each(self, visit: &mut dyn FnMut(Self)) {
        visit(self);
        self.parts().into_iter().for_each(|part| part.each(visit));
    }

    /// How many parts stand inside one another.
    fn height(self) -> usize {
        1 + self.parts().into_iter().map(Self::height).max().unwrap_or(0)
    }

    /// Whether it rolls dice or asks a player itself.
    pub(super) fn rolls(self) -> bool {
        match self {
            Self::One(expr) => matches!(expr.node, ExprNode::Chance(..)),
            Self::Many(pool) => matches!(pool.node, PoolNode::Roll(..) | PoolNode::Reroll(..)),
            Self::Choice(_) => true,
            Self::Call(_) => false,
        }
    }
}

impl Expr {
    fn parts(&self) -> Vec<Part<'_>> {
        match &self.node {
            ExprNode::Constant(_) | ExprNode::Read(_) => Vec::new(),
            ExprNode::ReadUnit(_, part, _) | ExprNode::UnitAt(_, _, part) => vec![Part::One(part)],
            ExprNode::Sum(pool) | ExprNode::Only(pool) => vec![Part::Many(pool)],
            ExprNode::Ask(_, pool, set) => pool_and(pool, set.ends()),
            ExprNode::Rank(pool, number) | ExprNode::Alike(pool, number) | ExprNode::Item(pool, number) => {
                pool_and(pool, [&**number])
            }
            ExprNode::Apply(_, parts) => parts.iter().map(Part::One).collect(),
            ExprNode::And(left, right) | ExprNode::Or(left, right) | ExprNode::Chance(left, right) => {
                vec![Part::One(left), Part::One(right)]
            }
            ExprNode::Is(subject, set) => {
                std::iter::once(&**subject).chain(set.ends()).map(Part::One).collect()
            }
            ExprNode::If(condition, then, otherwise) => {
                [condition, then, otherwise].map(|part| Part::One(part)).to_vec()
            }
            ExprNode::Choose(choice, options) => {
                let options = options.iter().map(|(_, value)| Part::One(value));
                std::iter::once(Part::Choice(*choice)).chain(options).collect()
            }
            ExprNode::ChooseFrom(choice, low, high) => {
                vec![Part::One(low), Part::One(high), Part::Choice(*choice)]
            }
            ExprNode::Call(call) => vec![Part::Call(call)],
        }
    }

    /// Visits the expression and all its parts, without what it calls.
    pub fn each<'a>(&'a self, visit: &mut dyn FnMut(Part<'a>)) {
        Part::One(self).each(visit);
    }
}

impl Pool {
    fn parts(&self) -> Vec<Part<'_>> {
        match &self.node {
            PoolNode::Read(_) => Vec::new(),
            PoolNode::Roll(count, Die::Computed(faces)) => vec![Part::One(count), Part::One(faces)],
            PoolNode::Roll(count, _) => vec![Part::One(count)],
            PoolNode::Join(pools) => pools.iter().map(Part::Many).collect(),
            PoolNode::List(items) => items.iter().map(Part::One).collect(),
            PoolNode::If(condition, then, otherwise) => {
                vec![Part::One(condition), Part::Many(then), Part::Many(otherwise)]
            }
            PoolNode::Call(call) => vec![Part::Call(call)],
            PoolNode::Keep(pool, set, _) => pool_and(pool, set.ends()),
            PoolNode::Extreme(pool, _, number, _) => pool_and(pool, [&**number]),
            PoolNode::Reroll(pool, set, limits) | PoolNode::Explode(pool, set, limits) => {
                let limits = [&limits.times, &limits.dice].into_iter().flatten().map(|limit| &**limit);
                pool_and(pool, set.ends().chain(limits))
            }
            PoolNode::Chosen(pool, chosen) => {
                let bounds = chosen.least.iter().chain(&chosen.most);
                let choice = std::iter::once(Part::Choice(chosen.choice));
                pool_and(pool, bounds).into_iter().chain(choice).collect()
            }
        }
    }
}

fn pool_and<'a>(pool: &'a Pool, parts: impl IntoIterator<Item = &'a Expr>) -> Vec<Part<'a>> {
    std::iter::once(Part::Many(pool)).chain(parts.into_iter().map(Part::One)).collect()
}

impl Set {
    /// The ends of all spans that have any.
    pub fn ends<'a>(&'a self) -> impl Iterator<Item = &'a Expr> {
        let ends = |span: &'a SetSpan| match span {
            SetSpan::One(only) => [Some(only), None],
            SetSpan::Range(low, high) => [low.as_ref(), high.as_ref()],
        };
        self.spans.iter().flat_map(ends).flatten()
    }

    /// Visits the ends of all spans and their parts.
    pub(super) fn each<'a>(&'a self, visit: &mut dyn FnMut(Part<'a>)) {
        self.ends().for_each(|end| end.each(visit));
    }
}

impl Statement {
    /// What it works out itself, in order, without the blocks inside it.
    pub fn parts(&self) -> Vec<Part<'_>> {
        match &self.node {
            StatementNode::Let(_, _, value)
            | StatementNode::Return(value)
            | StatementNode::Record(_, _, value) => vec![Part::One(value)],
            StatementNode::Keep(_, _, pool) | StatementNode::ReturnList(pool) => vec![Part::Many(pool)],
            StatementNode::Assign(assignment) => {
                let place = match &assignment.target {
                    Target::Place(_) => None,
                    Target::Unit(_, number, _) | Target::Item(_, number) => Some(number),
                };
                place.into_iter().chain([&assignment.value]).map(Part::One).collect()
            }
            StatementNode::If(arms, _) => arms.iter().map(|(condition, _)| Part::One(condition)).collect(),
            StatementNode::Repeat(repeat) => {
                std::iter::once(&repeat.most).chain(&repeat.until).map(Part::One).collect()
            }
            StatementNode::For(_, _, ForRange::Between(low, high), _) => [low, high].map(Part::One).to_vec(),
            StatementNode::For(_, _, ForRange::Chosen(choice, ..), _) => vec![Part::Choice(*choice)],
            StatementNode::Call(call) => vec![Part::Call(call)],
            StatementNode::Stop | StatementNode::End => Vec::new(),
        }
    }

    /// The blocks inside it.
    pub fn blocks(&self) -> Vec<&[Self]> {
        match &self.node {
            StatementNode::If(arms, otherwise) => {
                arms.iter().map(|(_, block)| &**block).chain([&**otherwise]).collect()
            }
            StatementNode::Repeat(repeat) => vec![&repeat.body],
            StatementNode::For(_, _, _, body) => vec![body],
            _ => Vec::new(),
        }
    }
}

/// Visits the statements of a block and of the blocks inside it.
pub fn each_statement<'a>(block: &'a [Statement], visit: &mut dyn FnMut(&'a Statement)) {
    for statement in block {
        visit(statement);
        statement.blocks().into_iter().for_each(|block| each_statement(block, visit));
    }
}

impl Ruleset {
    /// Visits all that stands in a piece.
    pub fn each_part<'a>(&'a self, callee: Callee, visit: &mut dyn FnMut(Part<'a>)) {
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
            Callee::Test(id) => each_statement(&self.tests[id.0].body, &mut |statement| {
                statement.parts().into_iter().for_each(|part| part.each(visit));
            }),
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

    /// How many parts of a piece stand inside one another, at most.
    pub(super) fn height(&self, callee: Callee) -> usize {
        let mut height = 0;
        self.each_part(callee, &mut |part| height = height.max(part.height()));
        height
    }

    /// The pieces that a piece calls itself, each with its first call.
    pub(super) fn calls(&self, callee: Callee) -> BTreeMap<Callee, &Call> {
        let mut calls = BTreeMap::new();
        self.each_part(callee, &mut |part| {
            if let Part::Call(call) = part {
                calls.entry(call.callee).or_insert(call);
            }
        });
        calls
    }

    /// The piece and all that it calls, at any depth.
    pub fn reached(&self, start: Callee) -> BTreeSet<Callee> {
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
            self.each_part(callee, &mut |part| rolls |= part.rolls());
        }
        rolls
    }

    /// Whether a call of this piece may change a factor or record something, at any depth.
    pub(super) fn changes(&self, start: Callee) -> bool {
        let mut changes = false;
        for callee in self.reached(start) {
            let Callee::Test(id) = callee else { continue };
            each_statement(&self.tests[id.0].body, &mut |statement| {
                changes |= match &statement.node {
                    StatementNode::Assign(assignment) => {
                        matches!(assignment.target, Target::Place(Place::Factor(_)) | Target::Unit(..))
                    }
                    StatementNode::Record(..) => true,
                    _ => false,
                };
            });
        }
        changes
    }

    /// The records that a trial from this entry can come to.
    pub fn reachable_records(&self, entry: TestId) -> BTreeSet<RecordId> {
        let mut records = BTreeSet::new();
        for callee in self.reached(Callee::Test(entry)) {
            let Callee::Test(id) = callee else { continue };
            each_statement(&self.tests[id.0].body, &mut |statement| {
                if let StatementNode::Record(record, ..) = statement.node {
                    records.insert(record);
                }
            });
        }
        records
    }

    /// The choices that a trial from this entry can come to.
    pub fn reachable_choices(&self, entry: TestId) -> Vec<ChoiceId> {
        let mut choices = BTreeSet::new();
        for callee in self.reached(Callee::Test(entry)) {
            self.each_part(callee, &mut |part| {
                if let Part::Choice(choice) = part {
                    choices.insert(choice);
                }
            });
        }
        choices.into_iter().collect()
    }
}
