//! Numbers, and what is worked out from them.

use super::{Author, Gives, Ty};

impl Author {
    pub(super) fn number(&mut self, depth: u32) -> String {
        if depth == 0 || self.luck.one_in(6) {
            return self.plain_number();
        }
        let found = match self.luck.weighed(&[5, 4, 2, 2, 7, 7, 8, 3]) {
            0 => Some(self.sum(depth)),
            1 => Some(self.bounded(depth)),
            2 => Some(self.quotient(depth)),
            3 => self.if_else(Ty::Number, depth),
            4 => self.roll_as_number(),
            5 => self.ask_number(depth),
            6 => self.call(Gives::One(Ty::Number), depth),
            _ => self.choose(Ty::Number, depth),
        };
        found.unwrap_or_else(|| self.plain_number())
    }

    /// A number that is simply there.
    pub(super) fn plain_number(&mut self) -> String {
        let found = match self.luck.weighed(&[1, 5, 3, 2, 4, 2, 1]) {
            0 => None,
            1 => self.local(Ty::Number),
            2 => self.factor(Ty::Number),
            3 => self.item(Ty::Number),
            4 => self.roll_as_number(),
            5 => self.die_shown(),
            _ => self.sum_of_list(),
        };
        found.unwrap_or_else(|| self.luck.between(0, 4).to_string())
    }

    fn sum(&mut self, depth: u32) -> String {
        let first = self.number(depth - 1);
        let second = self.number(depth - 1);
        match self.luck.below(5) {
            0 | 1 => format!("({first} + {second})"),
            2 | 3 => format!("({first} - {second})"),
            _ => {
                self.uses("product");
                format!("({} * {first})", self.luck.between(2, 3))
            }
        }
    }

    fn bounded(&mut self, depth: u32) -> String {
        let first = self.number(depth - 1);
        match self.luck.below(5) {
            0 => {
                self.uses("min");
                format!("min({first}, {})", self.number(depth - 1))
            }
            1 => {
                self.uses("max");
                format!("max({first}, {}, {})", self.number(depth - 1), self.number(0))
            }
            2 => {
                self.uses("abs");
                format!("abs({first})")
            }
            3 => {
                self.uses("the other sign");
                format!("(-{first})")
            }
            _ => {
                self.uses("between");
                format!("between({}, {first}, {})", self.number(0), self.number(0))
            }
        }
    }

    fn quotient(&mut self, depth: u32) -> String {
        self.uses("quotient");
        let word = self.luck.of(&["up", "down"]);
        let first = self.number(depth - 1);
        let second = match self.luck.below(3) {
            0 => format!("max(1, {})", self.number(0)),
            1 => "-2".to_owned(),
            _ => self.luck.between(2, 3).to_string(),
        };
        format!("{word}({first} / {second})")
    }

    pub(super) fn if_else(&mut self, ty: Ty, depth: u32) -> Option<String> {
        self.uses("one or the other");
        let then = self.value(ty, depth - 1);
        let condition = self.flag(depth - 1);
        let otherwise = self.value(ty, depth - 1);
        Some(format!("({then} if {condition} else {otherwise})"))
    }

    /// A number from 0 (or `low`) to `high`, whatever happens.
    pub(super) fn small(&mut self, low: i32, high: i32) -> String {
        let fixed = |one: &super::Factor| one.fixed.is_some_and(|(a, b)| a >= low && b <= high);
        let mut known: Vec<String> =
            self.factors.iter().filter(|one| fixed(one)).map(|one| one.name.clone()).collect();
        let local = |one: &&super::Local| one.range.is_some_and(|(a, b)| a >= low && b <= high);
        known.extend(self.scope.locals.iter().filter(local).map(|one| one.name.clone()));
        if !known.is_empty() && self.luck.one_in(2) {
            return self.luck.of(&known);
        }
        if self.luck.one_in(3) {
            return self.luck.between(low, high).to_string();
        }
        let number = self.number(1);
        match self.luck.below(2) {
            0 => format!("(between({low}, {number}, {high}))"),
            _ => format!("(max({low}, min({number}, {high})))"),
        }
    }
}
