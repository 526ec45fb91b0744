//! Loops.

use super::{Author, Local, Ty};

impl Author {
    pub(super) fn loop_step(&mut self) -> bool {
        if self.scope.loops > 1 {
            return false;
        }
        match self.luck.below(7) {
            0 | 1 => self.repeat_times(),
            2 => self.repeat_at_most(),
            3 => self.repeat_cap(),
            4 => self.for_numbers(),
            _ => self.for_units(),
        }
    }

    /// Writes the block of a loop of at most so many passes.
    fn passes(&mut self, first: &str, passes: usize) {
        let before = self.scope.times;
        self.scope.times *= passes.max(1);
        self.scope.loops += 1;
        let steps = 1 + self.luck.below(2);
        self.block(steps, first);
        self.scope.loops -= 1;
        self.scope.times = before;
    }

    fn repeat_times(&mut self) -> bool {
        self.uses("repeat so many times");
        let passes = self.small(0, 3);
        self.passes(&format!("repeat {passes} times"), 3);
        true
    }

    /// A condition that is asked before each of so many passes.
    fn until(&mut self, passes: usize) -> String {
        let before = self.scope.times;
        self.scope.times *= passes;
        let condition = self.flag(2);
        self.scope.times = before;
        condition
    }

    fn repeat_at_most(&mut self) -> bool {
        self.uses("repeat at most so many times");
        let until = self.until(2);
        let passes = self.small(0, 2);
        self.passes(&format!("repeat until {until}, at most {passes} times"), 2);
        true
    }

    fn repeat_cap(&mut self) -> bool {
        self.uses("repeat with a cap");
        let cap = 1 + self.luck.below(3);
        let until = self.until(cap + 1);
        self.passes(&format!("repeat until {until}, cap {cap}"), cap);
        true
    }

    fn for_numbers(&mut self) -> bool {
        self.uses("for numbers");
        let name = self.name("i");
        let (low, high) = (self.luck.between(0, 1), self.luck.between(1, 3));
        let (first, last, range) = match self.luck.below(3) {
            0 => (self.small(0, 2), self.small(0, 3), (0, 3)),
            1 => (low.to_string(), self.small(0, high), (low, high.max(low))),
            _ => (low.to_string(), high.to_string(), (low, high)),
        };
        self.scope.locals.push(Local { name: name.clone(), ty: Ty::Number, var: false, range: Some(range) });
        self.passes(&format!("for {name} in {first}..{last}"), 3);
        self.scope.locals.retain(|one| one.name != name);
        true
    }

    fn for_units(&mut self) -> bool {
        let lists: Vec<(usize, String, usize)> = (0..self.lines.len())
            .flat_map(|line| self.lists_of(line).into_iter().map(move |(name, units)| (line, name, units)))
            .collect();
        let Some((line, list, units)) = self.luck.any(&lists) else { return false };
        let name = self.name("u");
        self.uses("for units");
        let mut first = format!("for {name} in {list}");
        if self.luck.one_in(2) && self.may_choose() {
            self.uses("for units in chosen order");
            first += &format!(" in chosen order as {}", self.name("order"));
        }
        self.scope.locals.push(Local { name: name.clone(), ty: Ty::Unit(line), var: false, range: None });
        self.passes(&first, units);
        self.scope.locals.retain(|one| one.name != name);
        true
    }
}
