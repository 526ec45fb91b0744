//! Checked rules: every name looked up, every kind agreed, every chart without gaps.
//!
//! Every value in play is an `i32`: numbers are themselves, flags are 0 (no) and 1 (yes), a value of a kind is its
//! position in the kind's list, a unit its position among all of its `unit` line, from 0.

mod expression;
mod pool;
mod statement;

pub use expression::*;
pub use pool::*;
pub use statement::*;

use crate::diagnostic::Span;

/// A named set of values, or an outcome.
#[derive(Clone, Debug)]
pub struct Kind {
    /// The name; a factor that lists its own values gives its name to their kind.
    pub name: String,
    /// Whether the values are results, best first.
    pub ordered: bool,
    /// The values in their order.
    pub values: Vec<KindValue>,
    /// The outcomes that it takes in: a value of one is a value of this kind so many positions further on.
    pub takes_in: Vec<(KindId, i32)>,
    /// Whether its values are options of a choice, which rules do not name elsewhere.
    pub private: bool,
}

/// One value of a kind.
#[derive(Clone, Debug)]
pub struct KindValue {
    /// As it is written in rules and tables.
    pub name: String,
    /// As it is printed in reports; the name in words where the file gives no label.
    pub label: String,
    /// How good it is among the values of an outcome: 0 is best, equally good values share a number.
    pub rank: u32,
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(pub usize);
    )*};
}

pub(crate) use ids;

ids! {
    /// Position in [`Ruleset::kinds`].
    KindId,
    /// Position in [`Ruleset::factors`].
    FactorId,
    /// Position in [`Ruleset::modifiers`].
    ModifiersId,
    /// Position in [`Ruleset::charts`].
    ChartId,
    /// Position in [`Ruleset::tests`].
    TestId,
    /// Position in [`Ruleset::choices`].
    ChoiceId,
    /// A named value inside one test, chart or block of modifiers: position in its frame.
    LocalId,
    /// Dice or a list kept under a name inside one test: position in its frame of pools.
    PoolId,
    /// Position in [`Ruleset::units`].
    UnitsId,
    /// Position in [`Ruleset::dice`].
    DieId,
    /// Position in [`Ruleset::records`].
    RecordId,
}

/// What an expression may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Type {
    /// A whole number.
    Number,
    /// Yes or no.
    Flag,
    /// A value of a kind.
    Kind(KindId),
    /// One of the units of a `unit` line.
    Unit(UnitsId),
    /// Nothing: what a test without a result gives.
    Nothing,
}

/// Something that a situation sets.
#[derive(Clone, Debug)]
pub struct Factor {
    /// The name.
    pub name: String,
    /// The name in reports.
    pub label: String,
    /// Flag, number or kind.
    pub ty: Type,
    /// All values that a scenario may set, ascending and not empty.
    pub values: Vec<i32>,
    /// What it is if nothing is said.
    pub default: Option<i32>,
    /// The unit that has it, if it is one of a unit's own.
    pub owner: Option<Owner>,
    /// Where it is declared.
    pub span: Span,
}

/// Whose a factor is: `attacker.stamina` is the `stamina` of `attacker`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Owner {
    /// The `unit` line.
    pub units: UnitsId,
    /// The unit, from 0.
    pub unit: usize,
    /// The factor that it is one of.
    pub factor: FactorId,
}

/// A `unit` line: the same factors once for each unit.
#[derive(Clone, Debug)]
pub struct Units {
    /// What each unit is called: `attacker`, `ours[2]`.
    pub names: Vec<String>,
    /// Each word of the line, its first unit, and how many it is a list of; `None` for a unit alone.
    pub groups: Vec<(String, usize, Option<usize>)>,
    /// The factors that each unit has. Inside a call for a unit their names mean that unit's own.
    pub factors: Vec<FactorId>,
    /// The first factor of the first unit; all others follow, unit by unit.
    pub first: FactorId,
    /// Where it is declared.
    pub span: Span,
}

impl Units {
    /// A unit's own factor, by its position in [`Units::factors`].
    pub fn own(&self, unit: usize, factor: usize) -> FactorId {
        FactorId(self.first.0 + unit * self.factors.len() + factor)
    }
}

/// A die with faces of its own.
#[derive(Clone, Debug)]
pub struct CustomDie {
    /// The name.
    pub name: String,
    /// Number or kind.
    pub ty: Type,
    /// What its faces show; all are equally likely.
    pub faces: Vec<i32>,
}

/// A number, flag or named value that a trial reports beside its result.
#[derive(Clone, Debug)]
pub struct Record {
    /// The name.
    pub name: String,
    /// What it is.
    pub ty: Type,
    /// Where it first stands.
    pub span: Span,
}

/// A situation that does not exist.
#[derive(Clone, Debug)]
pub struct Never {
    /// When.
    pub condition: Expr,
    /// Why.
    pub why: String,
    /// The unit of which another one says it, if it is a copy for a unit: the position of that other, the unit line,
    /// and the unit.
    pub copy_of: Option<(usize, UnitsId, usize)>,
}

/// What a caller hands over: it fills a factor of that name for the call, or else a local.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// The name.
    pub name: String,
    /// Number, flag or kind.
    pub ty: Type,
    /// What it fills.
    pub place: Place,
}

/// A named sum of labelled lines.
#[derive(Clone, Debug)]
pub struct Modifiers {
    /// The name.
    pub name: String,
    /// What it takes.
    pub parameters: Vec<Parameter>,
    /// The lines.
    pub lines: Vec<ModifierLine>,
}

/// One line of a block of modifiers. Its amount times its `per`, never below zero times, if its condition holds.
#[derive(Clone, Debug)]
pub struct ModifierLine {
    /// With its sign.
    pub amount: Expr,
    /// How often; once without it.
    pub per: Option<Expr>,
    /// When; always without it.
    pub condition: Option<Expr>,
    /// What it is called in print.
    pub label: String,
    /// The line as it is written, without its label.
    pub words: String,
    /// The line in the file.
    pub span: Span,
}

/// A result table. The leading parameters choose the row, from the top; where there are columns, the last parameter
/// chooses one of them.
#[derive(Clone, Debug)]
pub struct Chart {
    /// The name.
    pub name: String,
    /// The keys; columns, if there are any, belong to the last.
    pub parameters: Vec<Parameter>,
    /// What it gives.
    pub result: Type,
    /// The sets over which the last key is spread, left to right; empty for a chart of one column.
    pub columns: Vec<Set>,
    /// From top to bottom.
    pub rows: Vec<Row>,
    /// The choice that its cells leave to a player.
    pub choice: Option<ChoiceId>,
    /// Its first line as it is written, key by key, then column by column.
    pub words: Vec<String>,
    /// Where it is declared.
    pub span: Span,
}

/// One line of a chart.
#[derive(Clone, Debug)]
pub struct Row {
    /// One set for each leading key.
    pub keys: Vec<Set>,
    /// One cell for each column; `None` cannot happen.
    pub cells: Vec<Option<Expr>>,
    /// Keys and cells as they are written.
    pub words: Vec<String>,
    /// The line in the file.
    pub span: Span,
}

/// A procedure that ends in a value.
#[derive(Clone, Debug)]
pub struct Test {
    /// The name.
    pub name: String,
    /// What it takes; only a test without any can be an entry.
    pub parameters: Vec<Parameter>,
    /// What it gives: the value, or each item of a list.
    pub result: Type,
    /// How many items the list that it gives has; `None` where it gives no list.
    pub items: Option<usize>,
    /// What it does; every path ends in a `return` unless it gives nothing.
    pub body: Vec<Statement>,
    /// How many locals one call keeps.
    pub frame: usize,
    /// How many pools and lists one call keeps.
    pub pools: usize,
    /// Its lines as they are written, in the house style and without comments.
    pub words: Vec<String>,
    /// Whether a later file replaced it, so that it lives on only inside its override.
    pub replaced: bool,
    /// Where it is declared.
    pub span: Span,
}

/// Something that the rules leave to a player.
#[derive(Clone, Debug)]
pub struct Choice {
    /// Its own name, or that of the chart or test that holds it.
    pub name: String,
    /// What is picked.
    pub picks: Picks,
    /// What a policy may read there besides the factors: the keys of its chart, the names in scope.
    pub parameters: Vec<Parameter>,
    /// The smallest and the largest value of each factor, then of each local, wherever a trial can come to it; empty
    /// where none can.
    pub reached: Vec<(i32, i32)>,
    /// Where it first stands.
    pub span: Span,
}

/// What a player picks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Picks {
    /// One of these values of a kind, as written; the options of `choose { ... }` have a kind of their own.
    Option(KindId, Vec<i32>),
    /// A number of a range.
    Number,
    /// A unit of a list.
    Unit(UnitsId),
    /// Any dice of a pool whose faces are of this type.
    Dice(Type),
    /// Which unit of a list comes next.
    Order(UnitsId),
}

/// A whole set of rules: a file and all that it extends.
#[derive(Clone, Debug, Default)]
pub struct Ruleset {
    /// The name of the last file.
    pub name: String,
    /// Where the rules come from, base first.
    pub sources: Vec<String>,
    /// Which readings were taken, base first.
    pub notes: Vec<String>,
    /// All kinds, those of factors among them.
    pub kinds: Vec<Kind>,
    /// All factors, those of units behind the others.
    pub factors: Vec<Factor>,
    /// All `unit` lines.
    pub units: Vec<Units>,
    /// All dice with faces of their own.
    pub dice: Vec<CustomDie>,
    /// All records.
    pub records: Vec<Record>,
    /// Situations that do not exist.
    pub nevers: Vec<Never>,
    /// All blocks of modifiers.
    pub modifiers: Vec<Modifiers>,
    /// All charts.
    pub charts: Vec<Chart>,
    /// All tests.
    pub tests: Vec<Test>,
    /// All choices left to players.
    pub choices: Vec<Choice>,
}

impl Ruleset {
    /// The factor of that name.
    pub fn factor(&self, name: &str) -> Option<FactorId> {
        self.factors.iter().position(|factor| factor.name == name).map(FactorId)
    }

    /// The test of that name, as the last file has it.
    pub fn test(&self, name: &str) -> Option<TestId> {
        self.tests.iter().position(|test| test.name == name && !test.replaced).map(TestId)
    }

    /// The choice of that name.
    pub fn choice(&self, name: &str) -> Option<ChoiceId> {
        self.choices.iter().position(|choice| choice.name == name).map(ChoiceId)
    }

    /// The names of the tests that a scenario can start from.
    pub fn entries(&self) -> impl Iterator<Item = &str> {
        let entry = |test: &&Test| test.parameters.is_empty() && test.items.is_none() && !test.replaced;
        self.tests.iter().filter(entry).map(|test| test.name.as_str())
    }

    /// A value as rules and tables write it.
    pub fn name_of(&self, ty: Type, value: i32) -> String {
        match ty {
            Type::Number => value.to_string(),
            Type::Flag => if value == 0 { "no" } else { "yes" }.to_owned(),
            Type::Kind(kind) => self.kinds[kind.0].values[value as usize].name.clone(),
            Type::Unit(units) => self.units[units.0].names[value as usize].clone(),
            Type::Nothing => String::new(),
        }
    }

    /// The options of a choice as rules and policies write them; none where it picks no option.
    pub fn option_names(&self, choice: &Choice) -> Vec<String> {
        match &choice.picks {
            Picks::Option(kind, options) => {
                options.iter().map(|option| self.name_of(Type::Kind(*kind), *option)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// A value as reports print it.
    pub fn label_of(&self, ty: Type, value: i32) -> String {
        match ty {
            Type::Kind(kind) => self.kinds[kind.0].values[value as usize].label.clone(),
            _ => self.name_of(ty, value),
        }
    }

    /// The value that a name stands for, if the type has it.
    pub fn value_of(&self, ty: Type, name: &str) -> Option<i32> {
        match ty {
            Type::Number => name.parse().ok(),
            Type::Flag => ["no", "yes"].iter().position(|flag| *flag == name).map(|value| value as i32),
            Type::Kind(kind) => {
                let values = &self.kinds[kind.0].values;
                values.iter().position(|value| value.name == name).map(|value| value as i32)
            }
            Type::Unit(units) => {
                self.units[units.0].names.iter().position(|unit| unit == name).map(|unit| unit as i32)
            }
            Type::Nothing => None,
        }
    }

    /// The name of a type in messages.
    pub fn type_name(&self, ty: Type) -> &str {
        match ty {
            Type::Number => "number",
            Type::Flag => "flag",
            Type::Kind(kind) => &self.kinds[kind.0].name,
            Type::Unit(_) => "unit",
            Type::Nothing => "nothing",
        }
    }
}
