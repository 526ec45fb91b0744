//! What can happen: plays every trial at once, on sets of values instead of values.
//!
//! In: checked names and kinds. Out: a diagnostic for each chart without an answer, number out of bounds, division by
//! zero, and circle of calls. The sets are never too small; where they are too large, what is reported may name a
//! situation that a cleverer reader would see cannot happen.

mod call;
mod calls;
mod chart;
mod condition;
mod dice;
mod expression;
mod gap;
mod idle;
mod loops;
mod order;
mod pool;
mod statement;

use super::ruleset::{
    Callee, ChartId, Choice, ChoiceId, Expr, ExprNode, Place, PoolId, PoolNode, Ruleset, TestId,
};
use super::situation::Uses;
use super::values::Values;
use super::walk::Part;
use crate::diagnostic::{Diagnostic, Diagnostics, Span};
use order::Fewer;
use pool::Dice;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// So many steps of tests are followed before giving up.
const MOST_STEPS: usize = 400_000;

/// With which factors and locals a trial comes to each choice, from the smallest to the largest value.
pub(super) type Chosen = Vec<(ChoiceId, Vec<(i32, i32)>)>;

/// What following all entries has shown.
#[derive(Default)]
pub(super) struct Reached {
    /// How a trial comes to each choice.
    pub(super) chosen: Chosen,
    /// What each test may return.
    pub(super) returned: Vec<Values>,
}

/// Follows every entry through every situation that its factors allow.
pub(super) fn check_reach(rules: &Ruleset, found: &mut Diagnostics) -> Reached {
    if !calls::calls_are_sound(rules, found) {
        return Reached::default();
    }
    dice::check_dice(rules, found);
    let mut reach = Reach::new(rules, found);
    for (id, test) in rules.tests.iter().enumerate() {
        if test.parameters.is_empty() && !test.replaced {
            reach.steps = 0;
            let start = reach.start();
            reach.test(TestId(id), start);
        }
    }
    reach.unread_charts();
    reach.rows_without_use();
    reach.warn_idle();
    let hull = |values: &Values| (values.low() as i32, values.high() as i32);
    let chosen = reach.chosen.iter();
    let chosen = chosen.map(|(choice, values)| (*choice, values.iter().map(hull).collect())).collect();
    Reached { chosen, returned: reach.returned }
}

/// Reports what an expression without dice may work out beyond the bounds, for all values that a trial can bring to
/// `choice`; without one, for all that a scenario may set.
pub(super) fn check_expression(
    rules: &Ruleset,
    choice: Option<&Choice>,
    expr: &Expr,
    found: &mut Diagnostics,
) {
    let mut reach = Reach::new(rules, found);
    let mut situation = reach.anything();
    situation.facts.clear();
    if let Some(choice) = choice {
        let mut values =
            choice.reached.iter().map(|(low, high)| Values::range(i64::from(*low), i64::from(*high)));
        let factors: Vec<Values> = values.by_ref().take(situation.table.len()).collect();
        if factors.is_empty() {
            return;
        }
        (situation.table, situation.locals) = (factors.into(), values.collect());
    }
    reach.values(expr, &mut situation);
}

/// The value of an expression without dice in a fixed situation, if there is but one.
pub(super) fn evaluate(rules: &Ruleset, expr: &Expr, situation: &[i32]) -> Option<i32> {
    let mut ignored = Diagnostics::default();
    let mut reach = Reach::new(rules, &mut ignored);
    let table = situation.iter().map(|value| Values::only(i64::from(*value))).collect::<Vec<_>>().into();
    let value = reach.values(expr, &mut Situation { table, ..Situation::of(rules) }).single()?;
    i32::try_from(value).ok().filter(|_| !ignored.has_errors())
}

/// What is known where a trial stands.
#[derive(Clone)]
struct Situation<'a> {
    /// For each factor, what it may be.
    table: Rc<Vec<Values>>,
    /// For each factor, the one that its name means now: inside a call for a unit, that unit's own.
    meant: Rc<Vec<usize>>,
    /// What each local of the piece may be.
    locals: Vec<Values>,
    /// The same for its dice and lists.
    pools: Vec<Dice>,
    /// Conditions over all of these that are known to hold, or not to.
    facts: Vec<(&'a Expr, bool)>,
    /// What is known to be at most what a cell holds, less this number.
    order: Vec<(Fewer, Cell, i64)>,
}

/// Something that holds one value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cell {
    Table(usize),
    Local(usize),
}

impl<'a> Situation<'a> {
    /// An empty table.
    fn of(rules: &Ruleset) -> Self {
        let meant = Rc::new((0..rules.factors.len()).collect());
        Self {
            table: Rc::default(),
            meant,
            locals: Vec::new(),
            pools: Vec::new(),
            facts: Vec::new(),
            order: Vec::new(),
        }
    }

    fn cell(&self, place: Place) -> Cell {
        match place {
            Place::Factor(factor) => Cell::Table(self.meant[factor.0]),
            Place::Local(local) => Cell::Local(local.0),
        }
    }

    fn get(&self, cell: Cell) -> &Values {
        match cell {
            Cell::Table(at) => &self.table[at],
            Cell::Local(at) => &self.locals[at],
        }
    }

    fn set(&mut self, cell: Cell, values: Values) {
        match cell {
            Cell::Table(at) => Rc::make_mut(&mut self.table)[at] = values,
            Cell::Local(at) => self.locals[at] = values,
        }
    }

    /// Gives a cell other values than it had: what was known of it is no longer.
    fn change(&mut self, cell: Cell, values: Values) {
        self.set(cell, values);
        self.forget(&|changed| changed == cell);
    }

    fn learn(&mut self, fact: (&'a Expr, bool)) {
        if !self.facts.iter().any(|known| same_fact(known, &fact)) {
            self.facts.push(fact);
        }
    }

    /// Forgets what is known of some cells.
    fn forget(&mut self, changed: &dyn Fn(Cell) -> bool) {
        self.forget_order(changed);
        let facts = std::mem::take(&mut self.facts);
        let kept = facts.into_iter().filter(|(fact, _)| !mentions(fact, &|place| changed(self.cell(place))));
        self.facts = kept.collect();
    }

    fn forget_pool(&mut self, pool: PoolId) {
        self.forget_pool_order(pool);
        self.facts.retain(|(fact, _)| !reads_pools(fact, &|read| read == pool));
    }

    /// Whether it allows nothing that the other does not.
    fn is_within(&self, other: &Self) -> bool {
        let within = |(one, other): (&Values, &Values)| one.without(other).is_empty();
        (Rc::ptr_eq(&self.table, &other.table) || self.table.iter().zip(&*other.table).all(within))
            && self.locals.iter().zip(&other.locals).all(within)
            && self.pools.iter().zip(&other.pools).all(|(one, other)| one.is_within(other))
            && other.facts.iter().all(|fact| self.facts.iter().any(|known| same_fact(known, fact)))
            && other.order.iter().all(|known| self.order.contains(known))
    }
}

fn same_fact(one: &(&Expr, bool), other: &(&Expr, bool)) -> bool {
    std::ptr::eq(one.0, other.0) && one.1 == other.1
}

/// What is known behind two ways that meet again.
fn join<'a>(one: Option<Situation<'a>>, other: Option<Situation<'a>>) -> Option<Situation<'a>> {
    let (mut one, other) = match (one, other) {
        (Some(one), Some(other)) => (one, other),
        (one, other) => return one.or(other),
    };
    let unite =
        |these: &mut [Values], those: &[Values]| these.iter_mut().zip(those).for_each(|(a, b)| a.unite(b));
    if one.table != other.table {
        unite(Rc::make_mut(&mut one.table).as_mut_slice(), &other.table);
    }
    unite(&mut one.locals, &other.locals);
    one.pools.iter_mut().zip(&other.pools).for_each(|(a, b)| *a = a.union(b));
    one.facts.retain(|fact| other.facts.iter().any(|known| same_fact(known, fact)));
    one.order.retain(|known| other.order.contains(known));
    Some(one)
}

struct Reach<'a> {
    rules: &'a Ruleset,
    found: &'a mut Diagnostics,
    /// One report a place is enough.
    reported: BTreeSet<(Span, &'static str)>,
    /// What calls may give.
    known: BTreeMap<call::Circumstances, call::Known>,
    /// What each piece may read and change.
    uses: BTreeMap<Callee, Uses>,
    /// For each choice, with which factors and locals a trial comes to it.
    chosen: BTreeMap<ChoiceId, Vec<Values>>,
    /// What each test may return, wherever it is called.
    returned: Vec<Values>,
    /// What lines of modifiers and caps of loops have ever done.
    effects: idle::Effects,
    /// The rows of charts that some situation reads.
    read: BTreeSet<(ChartId, usize)>,
    /// Above zero while what is looked at was looked at before.
    quiet: usize,
    /// How many steps have been followed.
    steps: usize,
}

impl<'a> Reach<'a> {
    fn new(rules: &'a Ruleset, found: &'a mut Diagnostics) -> Self {
        let (reported, read, uses) = (BTreeSet::new(), BTreeSet::new(), BTreeMap::new());
        let (known, chosen) = (BTreeMap::new(), BTreeMap::new());
        let (returned, effects) = (vec![Values::default(); rules.tests.len()], idle::Effects::new());
        Self { rules, found, reported, known, uses, chosen, returned, effects, read, quiet: 0, steps: 0 }
    }

    /// The situation of the rules as a whole: each factor may be all that a scenario may set.
    fn anything(&self) -> Situation<'a> {
        let values =
            |values: &Vec<i32>| Values::of(values.iter().map(|value| (i64::from(*value), i64::from(*value))));
        Situation {
            table: Rc::new(self.rules.factors.iter().map(|factor| values(&factor.values)).collect()),
            facts: self.rules.nevers.iter().map(|never| (&never.condition, false)).collect(),
            ..Situation::of(self.rules)
        }
    }

    /// The same, less what simple reckoning tells of situations that do not exist.
    fn start(&mut self) -> Situation<'a> {
        let mut start = self.anything();
        for never in &self.rules.nevers {
            let known = self.narrowed(&never.condition, false, Some(start.clone()));
            start = known.unwrap_or(start);
        }
        start
    }

    fn report(&mut self, sort: &'static str, mistake: Diagnostic) {
        if self.quiet == 0 && self.reported.insert((mistake.labels[0].0, sort)) {
            self.found.push(mistake);
        }
    }
}

/// Whether an expression reads one of these places, or does something that may.
fn mentions(expr: &Expr, places: &dyn Fn(Place) -> bool) -> bool {
    let mut mentions = false;
    expr.each(&mut |part| {
        mentions |= match part {
            Part::One(part) => match &part.node {
                ExprNode::Read(place) => places(*place),
                ExprNode::ReadUnit(..) => true,
                _ => false,
            },
            Part::Call(_) => true,
            _ => part.rolls(),
        };
    });
    mentions
}

/// Whether an expression reads dice or a list under one of these names.
fn reads_pools(expr: &Expr, names: &dyn Fn(PoolId) -> bool) -> bool {
    let mut reads = false;
    expr.each(&mut |part| {
        if let Part::Many(part) = part {
            reads |= matches!(part.node, PoolNode::Read(read) if names(read));
        }
    });
    reads
}

/// Whether a cell is one of these of the table.
fn is_of(cell: Cell, table: &[usize]) -> bool {
    matches!(cell, Cell::Table(at) if table.contains(&at))
}
