//! Modifiers and tests, and how pieces are used.

use super::{Author, Factor, Gives, Local, Piece, Scope, Ty};

impl Author {
    pub(super) fn all_pieces(&mut self) {
        self.modifiers();
        self.chart();
        for _ in 0..1 + self.luck.below(2) {
            match self.luck.below(3) {
                0 => self.modifiers(),
                1 => self.chart(),
                _ => self.impossible_chart(),
            }
        }
        for _ in 0..2 + self.luck.below(2) {
            self.helper();
            if self.luck.one_in(3) {
                self.chart();
            }
        }
        self.main();
    }

    /// A draft that replaces a piece.
    pub(super) fn draft_of(&mut self, base: &str) -> String {
        self.choices = false; // names of choices in what is replaced are taken
        self.line("ruleset \"Draft\"");
        self.line(&format!("extends \"{base}\""));
        let able: Vec<usize> = (0..self.pieces.len() - 1)
            .filter(|at| ["modifiers", "test"].contains(&self.pieces[*at].word) && self.pieces[*at].dice < 4)
            .collect();
        let at = self.luck.of(&able);
        let piece = self.pieces[at].clone();
        if piece.word == "modifiers" {
            self.uses("modifiers replaced");
            self.modifiers_of(&piece.name, &piece.parameters, at + 1, "override ");
        } else {
            self.uses("a test replaced");
            let steps = 1 + self.luck.below(3);
            self.test_of(&piece, at + 1, steps, 3, "override ");
        }
        std::mem::take(&mut self.text)
    }

    /// A scope for a piece that takes these.
    pub(super) fn scope_of(&self, parameters: &[(String, Ty)], pieces: usize, dice: usize) -> Scope {
        let mut scope = Scope { pieces, dice, times: 1, acts: dice > 0, ..Scope::default() };
        for (name, ty) in parameters {
            if self.factors.iter().any(|factor| factor.name == *name) {
                scope.handed.push(name.clone());
            } else {
                scope.locals.push(Local { name: name.clone(), ty: *ty, var: false, range: None });
            }
        }
        scope
    }

    /// What a piece takes.
    fn parameters(&mut self, most: usize) -> Vec<(String, Ty)> {
        let mut parameters = Vec::new();
        for _ in 0..self.luck.below(most + 1) {
            let changing: Vec<Factor> = self.factors.iter().filter(|one| !one.kept).cloned().collect();
            let parameter = match self.luck.below(4) {
                0 => {
                    self.uses("a parameter that is a factor");
                    let factor = self.luck.of(&changing);
                    (factor.name, factor.ty)
                }
                1 => (self.name("brave"), Ty::Flag),
                2 => (self.name("who"), Ty::Kind(self.luck.below(2))),
                _ => (self.name("count"), Ty::Number),
            };
            if !parameters.contains(&parameter) {
                self.uses("a parameter");
                parameters.push(parameter);
            }
        }
        parameters
    }

    /// What a piece takes, as it is written.
    pub(super) fn written(&self, parameters: &[(String, Ty)]) -> String {
        let one = |(name, ty): &(String, Ty)| {
            let factor = self.factors.iter().any(|factor| factor.name == *name);
            if factor || *ty == Ty::Number {
                name.clone()
            } else {
                format!("{name}: {}", self.type_name(*ty))
            }
        };
        let all: Vec<String> = parameters.iter().map(one).collect();
        if all.is_empty() { String::new() } else { format!("({})", all.join(", ")) }
    }

    fn modifiers(&mut self) {
        let name = self.name("nerve");
        let parameters = self.parameters(1);
        self.uses("modifiers");
        self.modifiers_of(&name, &parameters, self.pieces.len(), "");
        let gives = Gives::One(Ty::Number);
        self.pieces.push(Piece { name, parameters, gives, dice: 0, pure: true, word: "modifiers" });
    }

    fn modifiers_of(&mut self, name: &str, parameters: &[(String, Ty)], pieces: usize, before: &str) {
        self.scope = self.scope_of(parameters, pieces, 0);
        let open = format!("{before}modifiers {name}{}", self.written(parameters));
        self.open(&open);
        for at in 0..1 + self.luck.below(3) {
            let mut line = self.luck.of(&["+", "-"]).to_owned();
            line += &match self.luck.below(3) {
                0 => {
                    self.uses("an amount that is worked out");
                    format!("({})", self.number(1))
                }
                1 => self.factor(Ty::Number).unwrap_or_else(|| "1".to_owned()),
                _ => self.luck.between(1, 3).to_string(),
            };
            if self.luck.one_in(3) {
                self.uses("per");
                line += &format!(" per {}", self.number(1));
            }
            if self.luck.one_in(2) {
                self.uses("a modifier with a condition");
                line += &format!(" if {}", self.flag(2));
            }
            self.line(&format!("{line}  \"line {at}\""));
        }
        self.close();
    }

    fn helper(&mut self) {
        let ty = Ty::Kind(self.luck.below(self.kinds.len()));
        let gives = match self.luck.weighed(&[6, 3, 4, 2, 3]) {
            0 => Gives::One(Ty::Number),
            1 => Gives::One(Ty::Flag),
            2 => Gives::One(ty),
            3 => Gives::List(self.luck.of(&[Ty::Number, Ty::Number, Ty::Flag]), 2),
            _ => Gives::Nothing,
        };
        let (name, parameters) = (self.name("aim"), self.parameters(2));
        let piece = Piece { name, parameters, gives, dice: 0, pure: false, word: "test" };
        let dice = 2 + self.luck.below(3);
        let steps = 1 + self.luck.below(3);
        let piece = self.test_of(&piece, self.pieces.len(), steps, dice, "");
        self.pieces.push(piece);
    }

    fn main(&mut self) {
        let outcomes: Vec<usize> = (1..self.kinds.len()).filter(|at| self.kinds[*at].ordered).collect();
        let gives = match self.luck.weighed(&[6, 6, 2, 1, 1]) {
            0 => Gives::One(Ty::Number),
            1 => Gives::One(Ty::Kind(self.luck.of(&outcomes))),
            2 => Gives::One(Ty::Flag),
            3 => Gives::One(Ty::Kind(0)),
            _ => Gives::Nothing,
        };
        let piece = Piece {
            name: "main".to_owned(),
            parameters: Vec::new(),
            gives,
            dice: 0,
            pure: false,
            word: "test",
        };
        let (steps, dice) = (4 + self.luck.below(6), 5 + self.luck.below(5));
        let piece = self.test_of(&piece, self.pieces.len(), steps, dice, "");
        self.pieces.push(piece);
    }

    /// Writes a test, and says what is known of it then.
    fn test_of(&mut self, piece: &Piece, pieces: usize, steps: usize, dice: usize, before: &str) -> Piece {
        self.scope = self.scope_of(&piece.parameters, pieces, dice);
        self.scope.gives = Some(piece.gives);
        let arrow = match piece.gives {
            Gives::One(ty) => format!(" -> {}", self.type_name(ty)),
            Gives::List(ty, items) => {
                self.uses("a test that gives a list");
                format!(" -> {}[{items}]", self.type_name(ty))
            }
            Gives::Nothing => {
                self.uses("a test that gives nothing");
                String::new()
            }
        };
        let open = format!("{before}test {}{}{arrow}", piece.name, self.written(&piece.parameters));
        self.open(&open);
        if piece.name == "main" {
            self.first_roll();
        }
        for _ in 0..steps {
            self.step();
        }
        if piece.name == "main" || self.luck.one_in(4) {
            self.report();
        }
        match piece.gives {
            Gives::Nothing if steps > 0 => {}
            Gives::Nothing => self.line("return"),
            gives => self.give(gives),
        }
        self.close();
        Piece { dice: dice - self.scope.dice, pure: !self.scope.acted, ..piece.clone() }
    }

    /// A call of a piece that gives this.
    pub(super) fn call(&mut self, gives: Gives, depth: u32) -> Option<String> {
        let inner = if let Gives::One(Ty::Kind(kind)) = gives { self.kinds[kind].inner } else { None };
        let fits = |piece: &&Piece| {
            (piece.gives == gives || inner.is_some_and(|inner| piece.gives == Gives::One(Ty::Kind(inner))))
                && (piece.pure || self.scope.acts)
                && piece.dice * self.scope.times <= self.scope.dice
        };
        let able: Vec<Piece> = self.pieces[..self.scope.pieces].iter().filter(fits).cloned().collect();
        let piece = self.luck.any(&able)?;
        if !piece.pure {
            self.may_roll(piece.dice);
        }
        if piece.gives != gives {
            self.uses("a result of an outcome taken in");
        }
        self.uses(match piece.word {
            "test" => "a test used",
            "chart" => "a chart used",
            _ => "modifiers used",
        });
        Some(self.call_of(&piece, depth))
    }

    fn call_of(&mut self, piece: &Piece, depth: u32) -> String {
        let mut text = piece.name.clone();
        if piece.word == "impossible" {
            return format!("{text}(fire, cover)");
        }
        if !piece.parameters.is_empty() {
            let arguments: Vec<String> =
                piece.parameters.iter().map(|(_, ty)| self.argument(*ty, depth)).collect();
            text += &format!("({})", arguments.join(", "));
        }
        if !self.lines.is_empty() && self.scope.gives.is_some() && self.luck.one_in(3) {
            self.uses("for a unit");
            let line = self.luck.below(self.lines.len());
            text += &format!(" for {}", self.unit_place(line));
        }
        let handed = |one: &&Factor| piece.parameters.iter().any(|(name, _)| *name == one.name);
        let changing: Vec<Factor> =
            self.factors.iter().filter(|one| !one.kept && !handed(one)).cloned().collect();
        if self.luck.one_in(4) && !changing.is_empty() {
            self.uses("with");
            let factor = self.luck.of(&changing);
            text += &format!(" with {} = {}", factor.name, self.value(factor.ty, 1));
            let other = self.luck.of(&changing);
            if other.name != factor.name {
                text += &format!(", {} = {}", other.name, self.value(other.ty, 1));
            }
            text = format!("({text})");
        }
        text
    }

    /// What a piece is handed: where dice may fall, numbers are rolled more often than not.
    fn argument(&mut self, ty: Ty, depth: u32) -> String {
        let rolled = if ty == Ty::Number && self.luck.one_in(2) { self.roll_as_number() } else { None };
        rolled.unwrap_or_else(|| self.value(ty, depth.min(2).saturating_sub(1)))
    }

    /// Something that the player decides.
    pub(super) fn choose(&mut self, ty: Ty, depth: u32) -> Option<String> {
        if !self.may_choose() {
            return None;
        }
        if ty == Ty::Number && self.luck.one_in(2) {
            self.uses("a number chosen");
            let name = self.name("spent");
            let (low, high) = (self.small(-1, 1), self.small(0, 3));
            return Some(format!("(choose {name} from {low}..{high})"));
        }
        self.uses("an option chosen");
        let name = self.name("way");
        let options: Vec<String> = ["bold", "\"hold on\"", "wild"][..2 + self.luck.below(2)]
            .iter()
            .map(|option| format!("{option}: {}", self.value(ty, depth - 1)))
            .collect();
        Some(format!("(choose {name} {{ {} }})", options.join("; ")))
    }
}
