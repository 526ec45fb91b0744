//! Lists, and items of lists and rolls.

use super::{Author, Gives, Heap, Ty};

impl Author {
    /// An item of a list.
    pub(super) fn item(&mut self, ty: Ty) -> Option<String> {
        let fits = |one: &&Heap| one.list && one.ty == ty;
        let lists: Vec<Heap> = self.scope.heaps.iter().filter(fits).cloned().collect();
        let list = self.luck.any(&lists)?;
        self.uses("an item of a list");
        Some(format!("{}[{}]", list.name, self.small(1, list.least as i32)))
    }

    /// What one die of a kept roll shows.
    pub(super) fn die_shown(&mut self) -> Option<String> {
        let fits = |one: &&Heap| !one.list && !one.var && one.ty == Ty::Number && one.least > 0;
        let rolls: Vec<Heap> = self.scope.heaps.iter().filter(fits).cloned().collect();
        let roll = self.luck.any(&rolls)?;
        self.uses("one die of a roll");
        Some(format!("{}[{}]", roll.name, self.small(1, roll.least as i32)))
    }

    /// A list that can be asked, and what its items are.
    pub(super) fn list_in_sight(&mut self) -> Option<(String, Ty)> {
        let lists: Vec<Heap> = self.scope.heaps.iter().filter(|one| one.list).cloned().collect();
        let Heap { name, ty, .. } = self.luck.any(&lists)?;
        if ty == Ty::Number && self.luck.one_in(3) {
            self.uses("part of a list");
            let word = self.luck.of(&["highest 2", "drop lowest", "keep 1+", "drop {2}"]);
            return Some((format!("({name} {word})"), ty));
        }
        Some((name, ty))
    }

    /// The sum of a list.
    pub(super) fn sum_of_list(&mut self) -> Option<String> {
        let (text, ty) = self.list_in_sight()?;
        self.uses("the sum of a list");
        (ty == Ty::Number).then(|| format!("sum({text})"))
    }

    /// A new list: what is in it, and how long it is.
    pub(super) fn new_list(&mut self) -> (String, Ty, usize) {
        if self.luck.one_in(3) {
            let lists: Vec<Gives> = self.pieces[..self.scope.pieces]
                .iter()
                .map(|piece| piece.gives)
                .filter(|gives| matches!(gives, Gives::List(..)))
                .collect();
            if let Some(gives @ Gives::List(ty, items)) = self.luck.any(&lists)
                && let Some(call) = self.call(gives, 1)
            {
                self.uses("a list that a test gives");
                return (call, ty, items);
            }
        }
        let ty = self.luck.of(&[Ty::Number, Ty::Number, Ty::Flag, Ty::Kind(0)]);
        let items = 2 + self.luck.below(2);
        (self.list_of(ty, items), ty, items)
    }

    /// A list with so many items.
    pub(super) fn list_of(&mut self, ty: Ty, items: usize) -> String {
        self.uses(match ty {
            Ty::Number => "a list of numbers",
            Ty::Flag => "a list of flags",
            _ => "a list of named values",
        });
        let mut values: Vec<String> = (0..items).map(|_| self.value(ty, 1)).collect();
        match ty {
            // if all items were rolls it would be a roll
            Ty::Number => values[0] = format!("{} + 0", values[0]),
            Ty::Kind(kind) => {
                let first = &self.kinds[kind];
                values[0] = format!("{}.{}", first.name, first.values[0]);
            }
            _ => {}
        }
        format!("[{}]", values.join(", "))
    }
}
