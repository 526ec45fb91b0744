//! Checked rules: every name looked up, every kind agreed, every chart without gaps.
//!
//! Every value in play is an `i32`: numbers are themselves, flags are 0 (no) and 1 (yes), a value of a kind is its
//! position in the kind's list, from 0.

mod expression;

pub use expression::*;

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
    /// Where it is declared.
    pub span: Span,
}

/// A situation that does not exist.
#[derive(Clone, Debug)]
pub struct Never {
    /// When.
    pub condition: Expr,
    /// Why.
    pub why: String,
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
    /// What it gives.
    pub result: Type,
    /// What it does; every path ends in a `return`.
    pub body: Vec<Statement>,
    /// How many locals one call keeps.
    pub frame: usize,
    /// Whether a later file replaced it, so that it lives on only inside its override.
    pub replaced: bool,
    /// Where it is declared.
    pub span: Span,
}

/// One step of a test.
#[derive(Clone, Debug)]
pub struct Statement {
    /// What it does.
    pub node: StatementNode,
    /// Where.
    pub span: Span,
}

/// The sorts of steps.
#[derive(Clone, Debug)]
pub enum StatementNode {
    /// Keeps a value under a name.
    Let(LocalId, String, Expr),
    /// The first block whose condition holds, else the last.
    If(Vec<(Expr, Vec<Statement>)>, Vec<Statement>),
    /// Ends the test.
    Return(Expr),
}

/// Something that the rules leave to a player.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The name of the chart or test that holds it.
    pub name: String,
    /// The kind of the options.
    pub kind: KindId,
    /// The options as written, by their values.
    pub options: Vec<i32>,
    /// The keys of its chart, which a policy's condition may read.
    pub parameters: Vec<Parameter>,
    /// The smallest and the largest value of each factor, then of each local, wherever a trial can come to it; empty
    /// where none can.
    pub reached: Vec<(i32, i32)>,
    /// Where it first stands.
    pub span: Span,
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
    /// All factors.
    pub factors: Vec<Factor>,
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
        let entry = |test: &&Test| test.parameters.is_empty() && !test.replaced;
        self.tests.iter().filter(entry).map(|test| test.name.as_str())
    }

    /// A value as rules and tables write it.
    pub fn name_of(&self, ty: Type, value: i32) -> String {
        match ty {
            Type::Number => value.to_string(),
            Type::Flag => if value == 0 { "no" } else { "yes" }.to_owned(),
            Type::Kind(kind) => self.kinds[kind.0].values[value as usize].name.clone(),
        }
    }

    /// The options of a choice as rules and policies write them.
    pub fn option_names(&self, choice: &Choice) -> Vec<String> {
        choice.options.iter().map(|option| self.name_of(Type::Kind(choice.kind), *option)).collect()
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
        }
    }

    /// The name of a type in messages.
    pub fn type_name(&self, ty: Type) -> &str {
        match ty {
            Type::Number => "number",
            Type::Flag => "flag",
            Type::Kind(kind) => &self.kinds[kind.0].name,
        }
    }
}
