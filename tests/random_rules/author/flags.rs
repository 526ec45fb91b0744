//! Yes and no.

use super::{Author, Gives, Ty};

impl Author {
    pub(super) fn flag(&mut self, depth: u32) -> String {
        if depth == 0 {
            return self.plain_flag();
        }
        let found = match self.luck.weighed(&[4, 4, 3, 2, 4, 3, 2, 1, 1]) {
            0 => Some(self.compared(depth)),
            1 => self.member(depth),
            2 => Some(self.both(depth)),
            3 => self.chance(),
            4 => self.ask_flag(),
            5 => self.call(Gives::One(Ty::Flag), depth),
            6 => Some(self.plain_flag()),
            7 => self.if_else(Ty::Flag, depth),
            _ => self.choose(Ty::Flag, depth),
        };
        found.unwrap_or_else(|| self.plain_flag())
    }

    fn plain_flag(&mut self) -> String {
        let found = match self.luck.below(6) {
            0 => None,
            1 | 2 => self.local(Ty::Flag),
            3 => self.item(Ty::Flag),
            _ => self.factor(Ty::Flag),
        };
        found.unwrap_or_else(|| {
            let number = self.local(Ty::Number).or_else(|| self.factor(Ty::Number));
            let number = number.unwrap_or_else(|| self.plain_number());
            let sign = self.luck.of(&["<", ">", "<=", ">="]);
            format!("({number} {sign} {})", self.luck.between(0, 3))
        })
    }

    fn compared(&mut self, depth: u32) -> String {
        let first = self.number(depth - 1);
        let sign = self.luck.of(&["<", ">", "<=", ">="]);
        self.uses("comparison");
        format!("({first} {sign} {})", self.number(depth - 1))
    }

    fn member(&mut self, depth: u32) -> Option<String> {
        let is = self.luck.of(&["is", "is", "is not"]);
        let ty = match self.luck.below(6) {
            0 if !self.lines.is_empty() => Ty::Unit(self.luck.below(self.lines.len())),
            1 | 2 => self.kind_in_sight(),
            _ => Ty::Number,
        };
        let (value, set) = match ty {
            Ty::Unit(line) => {
                self.uses("units compared");
                let unit = self.unit_place(line);
                (unit, self.unit_place(line))
            }
            Ty::Kind(kind) => {
                // a bare value could be one of several kinds: only what has a name of its own stands in front
                let call = self.luck.one_in(3);
                let called = if call { self.call(Gives::One(ty), 1) } else { None };
                let inner = self.kinds[kind].inner.is_some(); // what is called might give only what is taken in
                let value = called.filter(|_| !inner).or_else(|| self.kind_named(kind))?;
                self.uses("a kind compared");
                (value, self.set(ty))
            }
            _ => (self.number(depth - 1), self.set(ty)),
        };
        self.uses(if is == "is" { "is" } else { "is not" });
        Some(format!("({value} {is} {set})"))
    }

    /// A kind of which something is in sight.
    fn kind_in_sight(&mut self) -> Ty {
        let locals = self.scope.locals.iter().map(|one| one.ty);
        let kinds = locals.chain(self.factors.iter().map(|one| one.ty));
        let dice = self.dice.iter().map(|one| one.ty).filter(|_| self.scope.acts);
        let pieces = self.pieces[..self.scope.pieces].iter().filter(|one| self.scope.acts || one.pure);
        let given = pieces.filter_map(|one| if let Gives::One(ty) = one.gives { Some(ty) } else { None });
        let is_kind = |ty: &Ty| matches!(ty, Ty::Kind(_));
        let kinds: Vec<Ty> = kinds.chain(dice).chain(given).filter(is_kind).collect();
        self.luck.any(&kinds).unwrap_or(Ty::Kind(0))
    }

    fn both(&mut self, depth: u32) -> String {
        let first = self.flag(depth - 1);
        match self.luck.below(5) {
            0 => {
                self.uses("not");
                format!("(not {first})")
            }
            1 | 2 => {
                self.uses("and");
                format!("({first} and {})", self.flag(depth - 1))
            }
            _ => {
                self.uses("or");
                format!("({first} or {})", self.flag(depth - 1))
            }
        }
    }

    fn chance(&mut self) -> Option<String> {
        if !self.may_roll(1) {
            return None;
        }
        self.uses("chance");
        Some(match self.luck.below(4) {
            0 => "(chance 35%)".to_owned(),
            1 => format!("(chance {}/4)", self.small(0, 4)),
            2 => format!("(chance 1/{})", self.small(1, 3)),
            _ => self.luck.of(&["(chance 1/2)", "(chance 2/3)", "(chance 0/2)"]).to_owned(),
        })
    }
}
