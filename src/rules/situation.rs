//! What an entry asks of the situation: the factors that it may read before play has set them.
//!
//! In: checked rules. Out: for an entry, these factors. What a call reads it asks of its caller, unless the call sets
//! it; what is set on every way through a test need not be asked for behind it.

use super::ruleset::{
    Assignment, Call, Callee, Expr, ExprNode, FactorId, ForRange, LocalId, Place, PoolNode, Ruleset,
    Statement, StatementNode, Target, TestId, Type, UnitsId,
};
use super::walk::{Part, each_statement};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Factors by their positions.
type Factors = BTreeSet<FactorId>;

/// What a piece asks of its caller's situation, and what it has set in it for certain when it ends.
#[derive(Clone, Default)]
struct Flow {
    asked: Factors,
    set: Factors,
}

/// What a piece and all that it calls may read and change, in the names that it uses itself.
#[derive(Clone, Debug, Default)]
pub(super) struct Uses {
    pub(super) read: Factors,
    pub(super) written: Factors,
}

impl Ruleset {
    /// Fills in what a piece and all that it calls may read and change.
    pub(super) fn uses(&self, callee: Callee, known: &mut BTreeMap<Callee, Uses>) {
        if known.contains_key(&callee) {
            return;
        }
        known.insert(callee, Uses::default());
        let mut uses = Uses::default();
        self.each_part(callee, &mut |part| match part {
            Part::One(Expr { node: ExprNode::Read(Place::Factor(factor)), .. }) => {
                uses.read.insert(*factor);
            }
            Part::One(Expr { node: ExprNode::ReadUnit(units, _, factor), .. }) => {
                uses.read.extend(self.own_of_all(*units, *factor));
            }
            Part::Call(call) => {
                self.uses(call.callee, known);
                let inner = &known[&call.callee];
                uses.read.extend(inner.read.iter().flat_map(|factor| self.named_outside(call, *factor)));
                uses.read.extend(call.settings.iter().map(|(factor, _)| *factor));
                uses.written
                    .extend(inner.written.iter().flat_map(|factor| self.named_outside(call, *factor)));
            }
            _ => {}
        });
        if let Callee::Test(id) = callee {
            each_statement(&self.tests[id.0].body, &mut |statement| {
                let StatementNode::Assign(assignment) = &statement.node else { return };
                match &assignment.target {
                    Target::Place(Place::Factor(factor)) => _ = uses.written.insert(*factor),
                    Target::Unit(units, _, factor) => uses.written.extend(self.own_of_all(*units, *factor)),
                    _ => {}
                }
            });
        }
        known.insert(callee, uses);
    }

    /// What a factor's name inside a call may mean outside it.
    fn named_outside(&self, call: &Call, factor: FactorId) -> Factors {
        let mut names = Factors::from([factor]);
        if let Some(Expr { ty: Type::Unit(units), .. }) = &call.unit
            && let Some(own) = self.units[units.0].factors.iter().position(|own| *own == factor)
        {
            names.extend(self.own_of_all(*units, own));
        }
        names
    }

    /// A factor of every unit of a line.
    fn own_of_all(&self, units: UnitsId, factor: usize) -> impl Iterator<Item = FactorId> {
        let line = &self.units[units.0];
        (0..line.names.len()).map(move |unit| line.own(unit, factor))
    }

    /// The factors that a trial from this entry may read as the situation sets them.
    pub fn factors_read(&self, entry: TestId) -> Vec<FactorId> {
        let mut known = BTreeMap::new();
        flow(self, Callee::Test(entry), &mut known).asked.into_iter().collect()
    }
}

fn flow(rules: &Ruleset, callee: Callee, known: &mut BTreeMap<Callee, Flow>) -> Flow {
    if let Some(flow) = known.get(&callee) {
        return flow.clone();
    }
    known.insert(callee, Flow::default());
    let (locals, exits) = (BTreeMap::new(), Vec::new());
    let mut reader = Reader { rules, known, asked: Factors::new(), set: Factors::new(), locals, exits };
    if let Callee::Test(id) = callee {
        let goes_on = reader.block(&rules.tests[id.0].body);
        if goes_on {
            reader.exits.push(reader.set.clone());
        }
    } else {
        rules.each_part(callee, &mut |part| reader.own(part));
    }
    let set = reader.exits.iter().cloned().reduce(|all, set| &all & &set).unwrap_or_default();
    let mut flow = Flow { asked: reader.asked, set };
    for parameter in rules.parameters(callee) {
        if let Place::Factor(factor) = parameter.place {
            flow.asked.remove(&factor);
            flow.set.remove(&factor);
        }
    }
    known.insert(callee, flow.clone());
    flow
}

struct Reader<'r, 'k> {
    rules: &'r Ruleset,
    known: &'k mut BTreeMap<Callee, Flow>,
    asked: Factors,
    /// What is set for certain where the reader stands.
    set: Factors,
    /// The units that a local may hold, where a loop says so.
    locals: BTreeMap<LocalId, Range<usize>>,
    /// What is set for certain at each end of the test.
    exits: Vec<Factors>,
}

impl Reader<'_, '_> {
    /// Reads steps in order; whether play may go on behind them.
    fn block(&mut self, block: &[Statement]) -> bool {
        block.iter().all(|statement| self.statement(statement))
    }

    fn statement(&mut self, statement: &Statement) -> bool {
        match &statement.node {
            StatementNode::If(arms, otherwise) => return self.arms(arms, otherwise),
            StatementNode::For(local, _, range, body) => self.for_loop(*local, range, body),
            StatementNode::Repeat(repeat) => {
                self.part(Part::One(&repeat.most));
                self.perhaps(|reader| {
                    repeat.until.iter().for_each(|until| reader.part(Part::One(until)));
                    reader.block(&repeat.body);
                });
            }
            StatementNode::Assign(assignment) => self.assignment(assignment),
            StatementNode::Stop => return false,
            StatementNode::Return(_) | StatementNode::ReturnList(_) | StatementNode::End => {
                statement.parts().into_iter().for_each(|part| self.part(part));
                self.exits.push(self.set.clone());
                return false;
            }
            _ => statement.parts().into_iter().for_each(|part| self.part(part)),
        }
        true
    }

    fn arms(&mut self, arms: &[(Expr, Vec<Statement>)], otherwise: &[Statement]) -> bool {
        let mut behind: Vec<Factors> = Vec::new();
        for (condition, block) in arms {
            self.part(Part::One(condition));
            let before = self.set.clone();
            if self.block(block) {
                behind.push(std::mem::take(&mut self.set));
            }
            self.set = before;
        }
        if self.block(otherwise) {
            behind.push(std::mem::take(&mut self.set));
        }
        let goes_on = !behind.is_empty();
        self.set = behind.into_iter().reduce(|all, set| &all & &set).unwrap_or_default();
        goes_on
    }

    fn for_loop(&mut self, local: LocalId, range: &ForRange, body: &[Statement]) {
        let mut units = None;
        match range {
            ForRange::Between(low, high) => {
                [low, high].into_iter().for_each(|end| self.part(Part::One(end)));
                if let (ExprNode::Constant(low), ExprNode::Constant(high)) = (&low.node, &high.node) {
                    units = Some(*low as usize..*high as usize + 1);
                }
            }
            ForRange::Chosen(_, first, count) => units = Some(*first..first + count),
        }
        self.locals.extend(units.map(|units| (local, units)));
        self.perhaps(|reader| _ = reader.block(body));
    }

    /// Reads what may not happen: what it sets is not certain.
    fn perhaps(&mut self, read: impl FnOnce(&mut Self)) {
        let before = self.set.clone();
        read(self);
        self.set = before;
    }

    fn assignment(&mut self, assignment: &Assignment) {
        match &assignment.target {
            Target::Place(place) => {
                self.part(Part::One(&assignment.value));
                if let Place::Factor(factor) = place {
                    if assignment.change.is_some() {
                        self.ask(*factor);
                    }
                    self.set.insert(*factor);
                }
            }
            Target::Unit(units, number, factor) => {
                self.part(Part::One(number));
                self.part(Part::One(&assignment.value));
                if assignment.change.is_some() {
                    self.ask_units(*units, number, *factor);
                }
            }
            Target::Item(_, number) => {
                self.part(Part::One(number));
                self.part(Part::One(&assignment.value));
            }
        }
    }

    fn part(&mut self, part: Part<'_>) {
        let (first, rest) = match part {
            Part::One(Expr { node: ExprNode::And(..) | ExprNode::Or(..) | ExprNode::If(..), .. }) => {
                (1, part.parts())
            }
            Part::One(Expr { node: ExprNode::Choose(..), .. }) => (0, part.parts()),
            Part::Many(pool) if matches!(pool.node, PoolNode::If(..)) => (1, part.parts()),
            _ => (usize::MAX, part.parts()),
        };
        for (at, inner) in rest.into_iter().enumerate() {
            match at < first {
                true => self.part(inner),
                false => self.perhaps(|reader| reader.part(inner)),
            }
        }
        self.own(part);
    }

    /// What a part asks for itself, without what it is made of.
    fn own(&mut self, part: Part<'_>) {
        match part {
            Part::One(Expr { node: ExprNode::Read(Place::Factor(factor)), .. }) => self.ask(*factor),
            Part::One(Expr { node: ExprNode::ReadUnit(units, number, factor), .. }) => {
                self.ask_units(*units, number, *factor);
            }
            Part::Call(call) => self.call(call),
            _ => {}
        }
    }

    fn ask(&mut self, factor: FactorId) {
        if !self.set.contains(&factor) {
            self.asked.insert(factor);
        }
    }

    fn ask_units(&mut self, units: UnitsId, number: &Expr, factor: usize) {
        for unit in self.units(units, number) {
            self.ask(self.rules.units[units.0].own(unit, factor));
        }
    }

    /// The units that an expression may mean.
    fn units(&self, units: UnitsId, number: &Expr) -> Range<usize> {
        match &number.node {
            ExprNode::Constant(unit) => *unit as usize..*unit as usize + 1,
            ExprNode::UnitAt(first, count, _) => *first..first + count,
            ExprNode::Read(Place::Local(local)) if self.locals.contains_key(local) => {
                self.locals[local].clone()
            }
            _ => 0..self.rules.units[units.0].names.len(),
        }
    }

    fn call(&mut self, call: &Call) {
        let callee = flow(self.rules, call.callee, self.known);
        let settings = call.settings.iter().map(|(factor, _)| *factor).collect::<Factors>();
        for factor in callee.asked.difference(&settings) {
            self.meant(call, *factor).into_iter().for_each(|factor| self.ask(factor));
        }
        for factor in callee.set.difference(&settings) {
            if let [factor] = self.meant(call, *factor)[..] {
                self.set.insert(factor);
            }
        }
    }

    /// What a factor inside a call may mean outside it.
    fn meant(&self, call: &Call, factor: FactorId) -> Vec<FactorId> {
        let Some((unit, Type::Unit(id))) = call.unit.as_ref().map(|unit| (unit, unit.ty)) else {
            return vec![factor];
        };
        let units = &self.rules.units[id.0];
        match units.factors.iter().position(|own| *own == factor) {
            Some(own) => self.units(id, unit).map(|unit| units.own(unit, own)).collect(),
            None => vec![factor],
        }
    }
}
