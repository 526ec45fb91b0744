//! Named values and units.

use super::{Author, Gives, Ty};

impl Author {
    pub(super) fn kind_value(&mut self, kind: usize, depth: u32) -> String {
        let ty = Ty::Kind(kind);
        let inner = self.kinds[kind].inner;
        let call = if depth > 2 { 12 } else { 4 };
        let found = match self.luck.weighed(&[4, 4, call, 2, 2]) {
            0 => None,
            1 => self.kind_named(kind).or_else(|| self.local(Ty::Kind(inner?))),
            2 if depth > 0 => self.call(Gives::One(ty), depth),
            3 if depth > 0 => self.if_else(ty, depth),
            4 if depth > 0 => self.choose(ty, depth),
            _ => None,
        };
        found.unwrap_or_else(|| {
            let values = self.kinds[kind].values.clone();
            self.luck.of(&values)
        })
    }

    /// Something of a kind that has a name of its own: a local, a factor, an item, or a die that is rolled.
    pub(super) fn kind_named(&mut self, kind: usize) -> Option<String> {
        let ty = Ty::Kind(kind);
        if self.kinds[kind].faces && self.luck.one_in(2) && self.may_roll(1) {
            self.uses("a face");
            return Some(self.kinds[kind].name.clone());
        }
        let ways: [fn(&mut Self, Ty) -> Option<String>; 3] = [Self::local, Self::factor, Self::item];
        let way = self.luck.below(3);
        ways[way](self, ty).or_else(|| ways[(way + 1) % 3](self, ty))
    }

    /// Any unit of a line, as a value.
    pub(super) fn unit(&mut self, line: usize, depth: u32) -> String {
        if depth > 0 {
            match self.luck.below(4) {
                0 => {
                    self.uses("one unit or another");
                    let (first, second) = (self.unit_place(line), self.unit_place(line));
                    let condition = self.flag(depth - 1);
                    return format!("({first} if {condition} else {second})");
                }
                1 => {
                    let lists = self.lists_of(line);
                    if let Some((list, _)) = self.luck.any(&lists)
                        && self.may_choose()
                    {
                        self.uses("a unit chosen");
                        let name = self.name("target");
                        return format!("(choose {name} from {list})");
                    }
                }
                _ => {}
            }
        }
        self.unit_place(line)
    }

    /// A unit by a name, as it may stand in front of a dot and behind `for`.
    pub(super) fn unit_place(&mut self, line: usize) -> String {
        if self.luck.one_in(3)
            && let Some(local) = self.local(Ty::Unit(line))
        {
            return local;
        }
        let groups = self.lines[line].groups.clone();
        match self.luck.of(&groups) {
            (name, None) => name,
            (name, Some(units)) => {
                self.uses("a unit of a list");
                let index = if self.luck.one_in(2) {
                    (1 + self.luck.below(units)).to_string()
                } else {
                    self.small(1, units as i32)
                };
                format!("{name}[{index}]")
            }
        }
    }

    /// The lists of a line, and how many units they have.
    pub(super) fn lists_of(&self, line: usize) -> Vec<(String, usize)> {
        let lists = self.lines[line].groups.iter();
        lists.filter_map(|(name, units)| Some((name.clone(), (*units)?))).collect()
    }
}
