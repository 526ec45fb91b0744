//! A rules file as it is written: every word with its place, brackets and all, nothing looked up yet.
//!
//! The parser makes it, the printer writes it back, the checker turns it into [`super::Ruleset`].

use crate::diagnostic::Span;

/// A name or a quoted text, and where it stands.
#[derive(Clone, Debug)]
pub struct Word {
    /// The name, or the text without its quotes.
    pub text: String,
    /// Where.
    pub span: Span,
}

/// A whole file.
#[derive(Clone, Debug)]
pub struct File {
    /// The name after `ruleset`.
    pub ruleset: Word,
    /// The file that this one changes.
    pub extends: Option<Word>,
    /// `source` lines: where the rules come from.
    pub sources: Vec<Word>,
    /// `note` lines: which reading was taken.
    pub notes: Vec<Word>,
    /// Everything else, in order.
    pub items: Vec<Item>,
    /// Comments in order, each from its `#` to the end of its line.
    pub comments: Vec<Word>,
}

/// One piece of a file.
#[derive(Clone, Debug)]
pub struct Item {
    /// Whether it replaces a piece of the file that this one extends.
    pub overrides: bool,
    /// What it is.
    pub node: ItemNode,
    /// From its first word to its end.
    pub span: Span,
}

/// The sorts of pieces.
#[derive(Clone, Debug)]
pub enum ItemNode {
    /// `kind name { ... }` and `outcome name { ... }`.
    Kind(KindItem),
    /// `factor name: domain = default "label"`.
    Factor(FactorItem),
    /// `unit name, name[3]: factors`.
    Unit(UnitItem),
    /// `die name { faces }`.
    Die(DieItem),
    /// `never condition "why"`.
    Never(NeverItem),
    /// `modifiers name { ... }`.
    Modifiers(ModifiersItem),
    /// `chart name(keys) -> kind { ... }`.
    Chart(ChartItem),
    /// `test name -> kind { ... }`.
    Test(TestItem),
}

impl ItemNode {
    /// The word that opens the piece and its name; `never` and `unit` have none of their own.
    pub fn title(&self) -> (&'static str, Option<&Word>) {
        match self {
            Self::Kind(kind) => (if kind.ordered { "outcome" } else { "kind" }, Some(&kind.name)),
            Self::Factor(factor) => ("factor", Some(&factor.name)),
            Self::Unit(_) => ("unit", None),
            Self::Die(die) => ("die", Some(&die.name)),
            Self::Never(_) => ("never", None),
            Self::Modifiers(modifiers) => ("modifiers", Some(&modifiers.name)),
            Self::Chart(chart) => ("chart", Some(&chart.name)),
            Self::Test(test) => ("test", Some(&test.name)),
        }
    }
}

/// A set of named values.
#[derive(Clone, Debug)]
pub struct KindItem {
    /// `outcome` (best value first) rather than `kind`.
    pub ordered: bool,
    /// Its name.
    pub name: Word,
    /// The values as they are printed.
    pub values: Vec<ValueLine>,
}

/// One value of a kind, or several that are equally good: `hold_disordered "..." = retreat "..."`.
#[derive(Clone, Debug)]
pub struct ValueLine {
    /// Each value with its label.
    pub equals: Vec<(Word, Option<Word>)>,
    /// The whole line.
    pub span: Span,
}

/// Something that a situation sets.
#[derive(Clone, Debug)]
pub struct FactorItem {
    /// Its name.
    pub name: Word,
    /// What it may be.
    pub domain: DomainNode,
    /// What it is if nothing is said.
    pub default: Option<Expr>,
    /// Its name for reports.
    pub label: Option<Word>,
}

/// What a factor may be.
#[derive(Clone, Debug)]
pub enum DomainNode {
    /// `flag`.
    Flag(Span),
    /// `a | b | c`, names or numbers.
    Values(Vec<Expr>),
    /// `0..6`.
    Range(Expr, Expr),
    /// The name of a kind: `factor enemy: troop`.
    Kind(Word),
}

/// The same factors once for each unit.
#[derive(Clone, Debug)]
pub struct UnitItem {
    /// The units; those with a number are lists of so many.
    pub names: Vec<(Word, Option<Expr>)>,
    /// The factors that each of them has.
    pub factors: Vec<Word>,
}

/// A die with faces of its own.
#[derive(Clone, Debug)]
pub struct DieItem {
    /// Its name.
    pub name: Word,
    /// Names or numbers; a face may stand several times.
    pub faces: Vec<Expr>,
}

/// A situation that does not exist.
#[derive(Clone, Debug)]
pub struct NeverItem {
    /// When.
    pub condition: Expr,
    /// Why.
    pub why: Option<Word>,
}

/// What a piece takes in brackets: `name` or `name: kind`.
#[derive(Clone, Debug)]
pub struct ParameterNode {
    /// Its name.
    pub name: Word,
    /// Its kind, if it is written.
    pub kind: Option<Word>,
}

/// A named sum of labelled lines.
#[derive(Clone, Debug)]
pub struct ModifiersItem {
    /// Its name.
    pub name: Word,
    /// What it takes.
    pub parameters: Vec<ParameterNode>,
    /// The lines.
    pub lines: Vec<ModifierLine>,
}

/// `-1 per excess if shaken "label"`.
#[derive(Clone, Debug)]
pub struct ModifierLine {
    /// Whether it subtracts.
    pub minus: bool,
    /// How much.
    pub amount: Expr,
    /// How often.
    pub per: Option<Expr>,
    /// When.
    pub condition: Option<Expr>,
    /// What it is called in print.
    pub label: Option<Word>,
    /// The whole line.
    pub span: Span,
}

/// A result table.
#[derive(Clone, Debug)]
pub struct ChartItem {
    /// Its name.
    pub name: Word,
    /// Its keys.
    pub parameters: Vec<ParameterNode>,
    /// What it gives.
    pub result: Word,
    /// The leading keys, by name, as the header prints them.
    pub keys: Vec<Word>,
    /// The columns over which the last key is spread; `None` for the one column `result`.
    pub columns: Option<Vec<SetNode>>,
    /// The first line.
    pub header: Span,
    /// The lines below the header.
    pub rows: Vec<RowNode>,
}

/// One line of a chart.
#[derive(Clone, Debug)]
pub struct RowNode {
    /// One set for each leading key.
    pub keys: Vec<SetNode>,
    /// One cell for each column.
    pub cells: Vec<CellNode>,
    /// The whole line.
    pub span: Span,
}

/// One cell of a chart.
#[derive(Clone, Debug)]
pub struct CellNode {
    /// What it says; `None` for `-`, which cannot happen.
    pub value: Option<Expr>,
    /// Whether a `+` follows a number, as target numbers are printed: `4+`.
    pub plus: bool,
    /// Where.
    pub span: Span,
}

/// A procedure that ends in a value.
#[derive(Clone, Debug)]
pub struct TestItem {
    /// Its name.
    pub name: Word,
    /// What it takes.
    pub parameters: Vec<ParameterNode>,
    /// What it gives; `None` if it only records and changes things.
    pub result: Option<ResultNode>,
    /// What it does.
    pub body: Block,
}

/// What a test gives: `number`, or `number[2]` for a list.
#[derive(Clone, Debug)]
pub struct ResultNode {
    /// The kind of the value, or of each item.
    pub kind: Word,
    /// How many items; `None` for a single value.
    pub items: Option<Expr>,
}

/// Statements between braces.
#[derive(Clone, Debug)]
pub struct Block {
    /// In order.
    pub statements: Vec<Statement>,
    /// With the braces.
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
    /// `let x = ...`.
    Let(Word, Expr),
    /// `var x = ...`: a name whose value may change.
    Var(Word, Expr),
    /// `x = ...`, `x += ...`, `unit.x -= ...`, `list[i] = ...`.
    Assign(Expr, AssignOp, Expr),
    /// `if ... { } else if ... { } else { }`.
    If(Vec<(Expr, Block)>, Option<Block>),
    /// `repeat ... { }`.
    Repeat(Repetition, Block),
    /// `for name in ... { }`.
    For(Word, ForRange, Block),
    /// `stop`: leaves the loop.
    Stop,
    /// `record name = ...`, or with `true` `record name += ...`.
    Record(Word, bool, Expr),
    /// `return ...`.
    Return(Option<Expr>),
    /// A test that is called for what it does.
    Call(Expr),
}

/// How an assignment changes what it names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AssignOp {
    /// `=`
    Set,
    /// `+=`
    Add,
    /// `-=`
    Subtract,
}

/// How often a loop is run through.
#[derive(Clone, Debug)]
pub enum Repetition {
    /// `N times`.
    Times(Expr),
    /// `until CONDITION, at most N times`: the bound is a rule.
    AtMost(Expr, Expr),
    /// `until CONDITION, cap N`: the bound is the tool's patience.
    Cap(Expr, Expr),
}

/// What a loop goes through.
#[derive(Clone, Debug)]
pub enum ForRange {
    /// `1..n`, both ends included.
    Numbers(Expr, Expr),
    /// The units of a list, in order.
    Units(Word),
    /// The units of a list, `in chosen order` or `in chosen order as NAME`: the player says which comes next.
    Chosen(Word, Option<Word>),
}

/// Something that has a value.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub node: ExprNode,
    /// Where.
    pub span: Span,
}

/// The sorts of expressions.
#[derive(Clone, Debug)]
pub enum ExprNode {
    /// `12`.
    Number(i32),
    /// `yes` or `no`.
    Flag(bool),
    /// A name whose meaning its place decides.
    Name(String),
    /// `troop.infantry`, `attacker.stamina`.
    Member(Word, Word),
    /// `lost[i]`, `ours[2]`, and with a last word `ours[i].health`.
    Index(Word, Box<Expr>, Option<Word>),
    /// `name(arguments)`.
    Call(Word, Vec<Expr>),
    /// `call for unit`.
    For(Box<Expr>, Box<Expr>),
    /// A call in a changed situation.
    With(Box<Expr>, Vec<(Word, Expr)>),
    /// `2d6`; without a number in front, one die.
    Dice(Option<Box<Expr>>, DieNode),
    /// Dice or a list, and what is asked of them or done to them.
    Pool(Box<Expr>, PoolNode),
    /// `[1, 2, 3]`, `[d10, d8]`.
    List(Vec<Expr>),
    /// `chance 1/3`, or with `None` `chance 35%`.
    Chance(Box<Expr>, Option<Box<Expr>>),
    /// `choose name { option: value ... }`.
    Choose(Option<Word>, Vec<(Word, Expr)>),
    /// `choose name from 0..n`, `choose name from ours`.
    ChooseFrom(Option<Word>, SetNode),
    /// `(...)`.
    Bracket(Box<Expr>),
    /// `-x`.
    Negate(Box<Expr>),
    /// `not x`.
    Not(Box<Expr>),
    /// Two operands.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `x is set`; the flag is for `is not`.
    Is(Box<Expr>, bool, SetNode),
    /// `then if condition else otherwise`, in the order then, condition, otherwise.
    If(Box<Expr>, Box<Expr>, Box<Expr>),
}

/// One sort of die.
#[derive(Clone, Debug)]
pub enum DieNode {
    /// `d6`.
    Faces(u32),
    /// `d(trait)`: the number of faces is worked out.
    Computed(Box<Expr>),
    /// A declared die by its name; alone, such a die is a [`ExprNode::Name`].
    Named(Word),
}

/// A dice word with what belongs to it. It works on what stands to its left.
#[derive(Clone, Debug)]
pub enum PoolNode {
    /// `count SET`, `any SET`, `all SET`.
    Ask(Question, SetNode),
    /// `keep SET`, or with `true` `drop SET`.
    Keep(bool, SetNode),
    /// `highest N`, `lowest N`, and with `true` in front `drop highest N`; one die without a number.
    Extreme(bool, End, Option<Box<Expr>>),
    /// `rank N`.
    Rank(Box<Expr>),
    /// `alike N`; `None` for `doubles`.
    Alike(Option<Box<Expr>>),
    /// `reroll SET limits`.
    Reroll(SetNode, Vec<LimitNode>),
    /// `explode SET limits`.
    Explode(SetNode, Vec<LimitNode>),
    /// `reroll chosen`, or with `true` `keep chosen`; with the name of the choice.
    Chosen(bool, Option<Word>, Vec<LimitNode>),
}

/// What is asked about a set of faces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Question {
    /// How many dice show it.
    Count,
    /// Whether any die shows it.
    Any,
    /// Whether all dice show it; no of no dice.
    All,
}

/// One end of the faces in their order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum End {
    /// The largest faces.
    Highest,
    /// The smallest faces.
    Lowest,
}

/// A bound on what is done to dice.
#[derive(Clone, Debug)]
pub struct LimitNode {
    /// Which sort.
    pub sort: LimitSort,
    /// How many.
    pub number: Expr,
}

/// The sorts of bounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LimitSort {
    /// `at most N times`: each die for itself.
    Times,
    /// `at most N dice`: in all.
    Dice,
    /// `at least N dice`.
    AtLeast,
    /// `cap N`: the tool's patience.
    Cap,
}

/// What stands between two operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BinaryOp {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`, inside `up( )` and `down( )` only.
    Divide,
    /// `and`
    And,
    /// `or`: of flags the boolean, of named results the player's choice.
    Or,
    /// `<`, `<=`, `>`, `>=`
    Compare(Comparison),
}

/// How two numbers are compared.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Comparison {
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    More,
    /// `>=`
    AtLeast,
}

impl Comparison {
    /// Whether it holds between two numbers.
    pub fn holds(self, left: i64, right: i64) -> bool {
        match self {
            Self::Less => left < right,
            Self::AtMost => left <= right,
            Self::More => left > right,
            Self::AtLeast => left >= right,
        }
    }
}

/// "These": `any`, `6`, `4+`, `..2`, `4..6`, `{5, 6}`, `>= to_hit`.
#[derive(Clone, Debug)]
pub struct SetNode {
    /// Its members: every one of the spans counts. Chart keys print them without braces.
    pub spans: Vec<SpanNode>,
    /// Where.
    pub span: Span,
}

/// A stretch of values.
#[derive(Clone, Debug)]
pub enum SpanNode {
    /// Everything.
    Any,
    /// One value.
    One(Expr),
    /// `4+`.
    Plus(Expr),
    /// `4..6`, `4..`, `..6`.
    Range(Option<Expr>, Option<Expr>),
    /// `>= to_hit`.
    Compare(Comparison, Expr),
}
