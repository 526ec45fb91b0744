//! Writes rules that nobody would play, but that are rules: a text of whatever the language has, as the dice fall.
//!
//! In: a number. Out: one file, or two where a draft extends a base, and which constructs are in them.

mod charts;
mod declare;
mod dice;
mod flags;
mod kinds;
mod lists;
mod loops;
mod numbers;
mod pieces;
mod sets;
mod steps;

use crate::luck::Luck;
use std::collections::BTreeSet;

/// Rules as they were drawn.
pub(crate) struct Draft {
    /// File names and texts; the last is to be played.
    pub(crate) files: Vec<(String, String)>,
    /// What is in them.
    pub(crate) constructs: BTreeSet<&'static str>,
}

/// What a value is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ty {
    Number,
    Flag,
    /// Position in [`Author::kinds`].
    Kind(usize),
    /// Position in [`Author::lines`].
    Unit(usize),
}

/// A kind, an outcome, or what the faces of a die show.
#[derive(Clone)]
struct Kind {
    name: String,
    values: Vec<String>,
    /// Whether it has an order, so that `a..b` means something.
    ordered: bool,
    /// The outcome that it takes in.
    inner: Option<usize>,
    /// Whether it is that of a die.
    faces: bool,
}

/// A factor.
#[derive(Clone)]
struct Factor {
    name: String,
    ty: Ty,
    /// The least and the most of a number that no step ever changes.
    fixed: Option<(i32, i32)>,
    /// Whether no step ever changes it.
    kept: bool,
}

/// A `unit` line.
#[derive(Clone)]
struct Line {
    /// Each word, and how many units it is a list of.
    groups: Vec<(String, Option<usize>)>,
    /// Positions in [`Author::factors`].
    factors: Vec<usize>,
}

/// A die of one's own.
#[derive(Clone)]
struct OwnDie {
    name: String,
    ty: Ty,
}

/// What a piece gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Gives {
    One(Ty),
    List(Ty, usize),
    Nothing,
}

/// A block of modifiers, a chart or a test.
#[derive(Clone)]
struct Piece {
    name: String,
    parameters: Vec<(String, Ty)>,
    gives: Gives,
    /// About how many dice fall in it.
    dice: usize,
    /// Whether nothing falls, changes or is decided in it.
    pure: bool,
    word: &'static str,
}

/// A name for a single value.
#[derive(Clone)]
struct Local {
    name: String,
    ty: Ty,
    var: bool,
    /// Between which numbers it lies, where that is known.
    range: Option<(i32, i32)>,
}

/// A name for dice or a list.
#[derive(Clone)]
struct Heap {
    name: String,
    ty: Ty,
    var: bool,
    list: bool,
    /// At least so many.
    least: usize,
    /// At most so many.
    most: usize,
}

/// What is in sight where the pen stands.
#[derive(Clone, Default)]
struct Scope {
    locals: Vec<Local>,
    heaps: Vec<Heap>,
    /// Factors that are parameters here.
    handed: Vec<String>,
    /// Whether dice may fall, things change and players decide here.
    acts: bool,
    /// Only pieces before this one may be used.
    pieces: usize,
    /// How many dice may still fall.
    dice: usize,
    /// How often this place is come to in one pass through the piece.
    times: usize,
    /// Loops around.
    loops: usize,
    /// What the test gives.
    gives: Option<Gives>,
    /// Whether the choice that goes by the name of the test is taken.
    chosen: bool,
    /// Whether anything fell, changed or was decided.
    acted: bool,
}

/// Who writes.
struct Author {
    luck: Luck,
    constructs: BTreeSet<&'static str>,
    kinds: Vec<Kind>,
    factors: Vec<Factor>,
    lines: Vec<Line>,
    dice: Vec<OwnDie>,
    pieces: Vec<Piece>,
    scope: Scope,
    names: usize,
    choices: bool,
    text: String,
    indent: usize,
}

/// Draws rules.
pub(crate) fn draw(number: u64) -> Draft {
    let mut author = Author {
        luck: Luck::new(number),
        constructs: BTreeSet::new(),
        kinds: Vec::new(),
        factors: Vec::new(),
        lines: Vec::new(),
        dice: Vec::new(),
        pieces: Vec::new(),
        scope: Scope::default(),
        names: 0,
        choices: true,
        text: String::new(),
        indent: 0,
    };
    author.line("ruleset \"Drawn\"");
    author.declarations();
    author.all_pieces();
    let mut files = vec![("drawn.rules".to_owned(), std::mem::take(&mut author.text))];
    if author.luck.one_in(6) {
        files.push(("draft.rules".to_owned(), author.draft_of("drawn.rules")));
    }
    Draft { files, constructs: author.constructs }
}

impl Author {
    /// Remembers that a construct is in the text.
    fn uses(&mut self, construct: &'static str) {
        self.constructs.insert(construct);
    }

    /// A name that nothing else has.
    fn name(&mut self, stem: &str) -> String {
        self.names += 1;
        format!("{stem}{}", self.names)
    }

    /// Writes a line.
    fn line(&mut self, line: &str) {
        self.text += &"    ".repeat(self.indent);
        self.text += line;
        self.text.push('\n');
    }

    /// Writes the first line of a block.
    fn open(&mut self, line: &str) {
        self.line(&format!("{line} {{"));
        self.indent += 1;
    }

    /// Writes the last line of a block.
    fn close(&mut self) {
        self.indent -= 1;
        self.line("}");
    }

    /// Whether so many dice may fall here; if so, they are counted.
    fn may_roll(&mut self, dice: usize) -> bool {
        let cost = dice * self.scope.times;
        let may = self.scope.acts && cost <= self.scope.dice;
        if may {
            self.scope.dice -= cost;
            self.scope.acted = true;
        }
        may
    }

    /// Whether a player may decide here; if so, it counts as done.
    fn may_choose(&mut self) -> bool {
        let may = self.scope.acts && self.choices;
        self.scope.acted |= may;
        may
    }

    /// A value of a type, worked out from others where `depth` is more than 0.
    fn value(&mut self, ty: Ty, depth: u32) -> String {
        match ty {
            Ty::Number => self.number(depth),
            Ty::Flag => self.flag(depth),
            Ty::Kind(kind) => self.kind_value(kind, depth),
            Ty::Unit(line) => self.unit(line, depth),
        }
    }

    /// What a type is called where it stands behind `:` or `->`.
    fn type_name(&self, ty: Ty) -> String {
        match ty {
            Ty::Number => "number".to_owned(),
            Ty::Flag => "flag".to_owned(),
            Ty::Kind(kind) => self.kinds[kind].name.clone(),
            Ty::Unit(_) => unreachable!("nothing gives a unit"),
        }
    }

    /// A local of a type that is in sight.
    fn local(&mut self, ty: Ty) -> Option<String> {
        let fits: Vec<String> =
            self.scope.locals.iter().filter(|one| one.ty == ty).map(|one| one.name.clone()).collect();
        self.luck.any(&fits)
    }

    /// A factor of a type: bare, or that of a unit.
    fn factor(&mut self, ty: Ty) -> Option<String> {
        let mut fits: Vec<String> =
            self.factors.iter().filter(|one| one.ty == ty).map(|one| one.name.clone()).collect();
        if self.scope.gives.is_some() && self.luck.one_in(2) {
            let own = self.unit_factors(ty, false);
            if !own.is_empty() {
                self.uses("a factor of a unit");
                fits = own;
            }
        }
        self.luck.any(&fits)
    }

    /// Factors of units, of a type, as they are written.
    fn unit_factors(&mut self, ty: Ty, to_change: bool) -> Vec<String> {
        let mut names = Vec::new();
        for line in 0..self.lines.len() {
            let own: Vec<String> = self.lines[line]
                .factors
                .iter()
                .map(|at| &self.factors[*at])
                .filter(|one| one.ty == ty && !(to_change && one.kept))
                .map(|one| one.name.clone())
                .collect();
            if !own.is_empty() {
                let unit = self.unit_place(line);
                names.extend(own.into_iter().map(|own| format!("{unit}.{own}")));
            }
        }
        names
    }
}
