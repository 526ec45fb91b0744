//! Steps of tests.

use super::{Author, Gives, Heap, Local, Ty};

impl Author {
    /// Writes one step, with all that is in it.
    pub(super) fn step(&mut self) {
        let deep = self.indent > 3;
        let done = match self.luck.weighed(&[5, 4, 2, 4, 4, 3, 4, 4, 2, 2]) {
            0 => self.let_value(),
            1 => self.let_dice(),
            2 => self.let_list(),
            3 => self.assign_local(),
            4 => self.assign_factor(),
            5 => self.assign_heap(),
            6 if !deep => self.branch(),
            7 if !deep => self.loop_step(),
            8 => self.record(),
            9 => self.call_step(),
            _ => false,
        };
        if !done {
            self.let_value();
        }
    }

    fn let_value(&mut self) -> bool {
        let ty = match self.luck.weighed(&[7, 3, 3, 2]) {
            1 => Ty::Flag,
            2 => Ty::Kind(self.luck.below(self.kinds.len())),
            3 if !self.lines.is_empty() => Ty::Unit(self.luck.below(self.lines.len())),
            _ => Ty::Number,
        };
        let var = self.luck.one_in(2);
        let value = self.free_value(ty, 2);
        let name = self.name("v");
        self.uses(if var { "var" } else { "let" });
        if let Ty::Unit(_) = ty {
            self.uses("a name that holds a unit");
        }
        self.line(&format!("{} {name} = {value}", if var { "var" } else { "let" }));
        self.scope.locals.push(Local { name, ty, var, range: None });
        true
    }

    /// A value where nothing says which kind is meant.
    fn free_value(&mut self, ty: Ty, depth: u32) -> String {
        match ty {
            Ty::Kind(kind) => {
                let named = if self.luck.one_in(3) { None } else { self.kind_named(kind) };
                // what gives an outcome that is taken in is of the smaller one
                let inner = self.kinds[kind].inner.is_some();
                named.filter(|_| !inner).unwrap_or_else(|| {
                    self.uses("a value with its kind");
                    let values = self.kinds[kind].values.clone();
                    format!("{}.{}", self.kinds[kind].name, self.luck.of(&values))
                })
            }
            Ty::Number => {
                // dice alone would be kept as dice
                let value = self.number(depth);
                format!("{value} + 0")
            }
            _ => self.value(ty, depth),
        }
    }

    fn let_dice(&mut self) -> bool {
        let Some(dice) = self.dice(false) else { return false };
        if !dice.text.contains(|letter: char| !letter.is_ascii_alphanumeric()) && dice.most < 2 {
            // one die alone may be the face that it shows
            return false;
        }
        let var = self.luck.one_in(3);
        let name = self.name("roll");
        self.uses(if var { "var that keeps dice" } else { "let that keeps dice" });
        self.line(&format!("{} {name} = {}", if var { "var" } else { "let" }, dice.text));
        let least = if var { 0 } else { dice.least };
        self.scope.heaps.push(Heap { name, ty: dice.ty, var, list: false, least, most: dice.most });
        true
    }

    /// Begins with dice, so that there is something to ask.
    pub(super) fn first_roll(&mut self) {
        self.let_dice();
        if let Some(number) = self.roll_as_number() {
            let name = self.name("v");
            self.line(&format!("var {name} = {number} + 0"));
            self.scope.locals.push(Local { name, ty: Ty::Number, var: true, range: None });
        }
    }

    fn let_list(&mut self) -> bool {
        let (text, ty, items) = self.new_list();
        let var = self.luck.below(3) > 0;
        let name = self.name("list");
        self.line(&format!("{} {name} = {text}", if var { "var" } else { "let" }));
        self.scope.heaps.push(Heap { name, ty, var, list: true, least: items, most: items });
        true
    }

    fn assign_local(&mut self) -> bool {
        let vars: Vec<Local> = self.scope.locals.iter().filter(|one| one.var).cloned().collect();
        let Some(Local { name, ty, .. }) = self.luck.any(&vars) else { return false };
        self.uses("a var is changed");
        self.assign(&name, ty);
        true
    }

    fn assign_factor(&mut self) -> bool {
        let mut able: Vec<(String, Ty)> = self
            .factors
            .iter()
            .filter(|one| !one.kept && !self.scope.handed.contains(&one.name))
            .map(|one| (one.name.clone(), one.ty))
            .collect();
        let mut word = "a factor is changed";
        if self.luck.one_in(2) {
            let ty = self.luck.of(&[Ty::Number, Ty::Flag, Ty::Kind(0)]);
            let own = self.unit_factors(ty, true);
            if !own.is_empty() {
                able = own.into_iter().map(|name| (name, ty)).collect();
                word = "a factor of a unit is changed";
            }
        }
        let Some((name, ty)) = self.luck.any(&able) else { return false };
        self.uses(word);
        self.scope.acted = true;
        self.assign(&name, ty);
        true
    }

    fn assign(&mut self, name: &str, ty: Ty) {
        let value = self.value(ty, 2);
        match self.luck.below(4) {
            0 if ty == Ty::Number => {
                self.uses("+=");
                self.line(&format!("{name} += {value}"));
            }
            1 if ty == Ty::Number => {
                self.uses("-=");
                self.line(&format!("{name} -= {value}"));
            }
            _ if ty == Ty::Number && self.scope.loops > 0 => {
                self.line(&format!("{name} = between(-9, {value}, 9)"));
            }
            _ => self.line(&format!("{name} = {value}")),
        }
    }

    fn assign_heap(&mut self) -> bool {
        let vars: Vec<Heap> = self.scope.heaps.iter().filter(|one| one.var).cloned().collect();
        let Some(heap) = self.luck.any(&vars) else { return false };
        if heap.list {
            self.uses("an item of a list is changed");
            let index = self.small(1, heap.least as i32);
            self.assign(&format!("{}[{index}]", heap.name), heap.ty);
            return true;
        }
        let same = self.dice(true).filter(|_| heap.ty == Ty::Number);
        let Some(dice) = same else { return false };
        self.uses("other dice for a var");
        self.line(&format!("{} = {}", heap.name, dice.text));
        if let Some(known) = self.scope.heaps.iter_mut().find(|one| one.name == heap.name) {
            known.most = known.most.max(dice.most);
        }
        true
    }

    /// Writes a block, and forgets the names in it.
    pub(super) fn block(&mut self, steps: usize, first: &str) {
        let (locals, heaps) = (self.scope.locals.len(), self.scope.heaps.len());
        self.open(first);
        for _ in 0..steps {
            self.step();
        }
        self.scope.heaps.truncate(heaps);
        self.scope.locals.truncate(locals);
        self.close();
    }

    fn branch(&mut self) -> bool {
        self.uses("if");
        let condition = self.flag(2);
        if self.luck.one_in(4) {
            return self.leave(&condition);
        }
        let steps = 1 + self.luck.below(2);
        self.block(steps, &format!("if {condition}"));
        if self.luck.one_in(4) {
            self.uses("else if");
            let condition = self.flag(1);
            self.go_on(&format!("else if {condition}"));
        }
        if self.luck.one_in(2) {
            self.uses("else");
            self.go_on("else");
        }
        true
    }

    fn go_on(&mut self, first: &str) {
        let steps = 1 + self.luck.below(2);
        self.block(steps, first);
    }

    /// Leaves a loop or the test, perhaps.
    fn leave(&mut self, condition: &str) -> bool {
        self.open(&format!("if {condition}"));
        if self.scope.loops > 0 && self.luck.one_in(2) {
            self.uses("stop");
            self.line("stop");
        } else {
            self.uses("an early return");
            match self.scope.gives {
                Some(Gives::Nothing) | None => self.line("return"),
                Some(gives) => self.give(gives),
            }
        }
        self.close();
        true
    }

    /// Writes what the test gives.
    pub(super) fn give(&mut self, gives: Gives) {
        let value = match gives {
            Gives::List(ty, items) => {
                let fits = |one: &&Heap| one.list && one.ty == ty && one.least == items;
                let kept: Vec<Heap> = self.scope.heaps.iter().filter(fits).cloned().collect();
                self.luck.any(&kept).map_or_else(|| self.list_of(ty, items), |kept| kept.name)
            }
            Gives::One(Ty::Kind(kind)) if !self.scope.chosen && self.luck.one_in(4) && self.may_choose() => {
                self.uses("a choice behind return");
                self.scope.chosen = true;
                let values = self.kinds[kind].values.clone();
                let first = self.luck.below(values.len() - 1);
                let both = format!("{} or {}", values[first + 1], values[first]);
                if self.luck.one_in(3) {
                    format!("{both} if {} else {}", self.flag(1), values[0])
                } else {
                    both
                }
            }
            Gives::One(Ty::Number) => {
                let named = self.local(Ty::Number).unwrap_or_else(|| self.number(1));
                format!("{named} + {}", self.number(3))
            }
            Gives::One(ty) => self.value(ty, 3),
            Gives::Nothing => String::new(),
        };
        self.line(format!("return {value}").trim_end());
    }

    fn record(&mut self) -> bool {
        self.scope.acted = true;
        let number = self.luck.between(1, 2);
        match self.luck.below(5) {
            0 | 1 => {
                self.uses("record that adds");
                let value = self.number(2);
                self.line(&format!("record sum{number} += {value}"));
            }
            2 => {
                let value = self.flag(2);
                self.uses("record of a flag");
                self.line(&format!("record seen{number} = {value}"));
            }
            3 => {
                let kind = self.luck.below(self.kinds.len());
                let value = self.free_value(Ty::Kind(kind), 1);
                self.uses("record of a named value");
                self.line(&format!("record was_{kind} = {value}"));
            }
            _ => {
                let value = self.number(2);
                self.uses("record of a number");
                self.line(&format!("record last{number} = {value}"));
            }
        }
        true
    }

    /// Records what came of it all, so that nothing goes unseen.
    pub(super) fn report(&mut self) {
        self.scope.acted = true;
        for Local { name, ty, .. } in self.scope.locals.clone() {
            if !matches!(ty, Ty::Unit(_)) && self.luck.one_in(2) {
                self.line(&format!("record of_{name} = {name}"));
            }
        }
        let dice: Vec<Heap> = self.scope.heaps.iter().filter(|one| one.ty == Ty::Number).cloned().collect();
        for Heap { name, list, .. } in dice {
            if self.luck.one_in(2) {
                let value = if list { format!("sum({name})") } else { format!("{name} + 0") };
                self.line(&format!("record of_{name} = {value}"));
            }
        }
        if let Some(factor) = self.factor(Ty::Number) {
            let name = self.name("at_last");
            self.line(&format!("record {name} = {factor}"));
        }
    }

    fn call_step(&mut self) -> bool {
        let gives =
            self.luck.of(&[Gives::Nothing, Gives::Nothing, Gives::One(Ty::Number), Gives::One(Ty::Flag)]);
        let tests = self.pieces[..self.scope.pieces].iter().filter(|piece| piece.word == "test");
        if !tests.clone().any(|piece| piece.gives == gives) {
            return false;
        }
        // a step is a test, and stands without brackets
        let Some(call) = self.call(gives, 2) else { return false };
        let name = call.trim_start_matches('(');
        if !name.starts_with("aim") {
            return false;
        }
        self.uses("a test that is a step");
        let call = if call.starts_with('(') { &call[1..call.len() - 1] } else { &call };
        self.line(call);
        true
    }
}
