//! "These".

use super::{Author, Ty};

impl Author {
    pub(super) fn set(&mut self, ty: Ty) -> String {
        match ty {
            Ty::Number => self.numbers_set(),
            Ty::Flag => self.luck.of(&["yes", "no", "any"]).to_owned(),
            Ty::Kind(kind) => self.kind_set(kind),
            Ty::Unit(line) => self.unit_place(line),
        }
    }

    fn numbers_set(&mut self) -> String {
        let (low, more) = (self.luck.between(0, 4), self.luck.between(0, 2));
        match self.luck.below(10) {
            0 => format!("{low}"),
            1 | 2 => {
                self.uses("a set from a number up");
                format!("{low}+")
            }
            3 => {
                self.uses("a set up to a number");
                format!("..{low}")
            }
            4 => format!("{low}..{}", low + more),
            5 => {
                self.uses("a set of several");
                format!("{{{low}, {}..{}}}", low + 2, low + 2 + more)
            }
            6 | 7 => {
                self.uses("a set compared with a number");
                format!("{} {}", self.luck.of(&["<", ">", "<=", ">="]), self.end())
            }
            8 => {
                self.uses("a set with ends that are worked out");
                let (first, second) = (self.end(), self.end());
                self.luck.of(&[format!("{first}.."), format!("..{first}"), format!("{first}..{second}")])
            }
            _ => {
                self.uses("any");
                "any".to_owned()
            }
        }
    }

    /// The end of a set: a word or a bracket.
    fn end(&mut self) -> String {
        let named = if self.luck.one_in(2) { self.local(Ty::Number) } else { self.factor(Ty::Number) };
        match named {
            Some(name) if self.luck.below(3) > 0 => name,
            _ => format!("({})", self.number(1)),
        }
    }

    fn kind_set(&mut self, kind: usize) -> String {
        let values = self.kinds[kind].values.clone();
        let first = self.luck.below(values.len());
        let second = first + self.luck.below(values.len() - first);
        match self.luck.below(5) {
            0 if self.kinds[kind].ordered => {
                self.uses("a stretch of an outcome");
                format!("{}..{}", values[first], values[second])
            }
            1 | 2 if first != second => format!("{{{}, {}}}", values[first], values[second]),
            _ => values[first].clone(),
        }
    }
}
