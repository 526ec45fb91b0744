//! Charts.

use super::{Author, Gives, Piece, Ty};

impl Author {
    pub(super) fn chart(&mut self) {
        let name = self.name("chart_of");
        let keys = self.chart_keys();
        let kind = Ty::Kind(self.luck.below(self.kinds.iter().take_while(|kind| !kind.faces).count()));
        let ty = self.luck.of(&[Ty::Number, Ty::Kind(1), kind, Ty::Flag]);
        self.uses("chart");
        self.scope = self.scope_of(&keys, self.pieces.len(), 0);
        let open = format!("chart {name}{} -> {}", self.written(&keys), self.type_name(ty));
        self.open(&open);
        let parts: Vec<Vec<String>> = keys.iter().map(|(_, ty)| self.parts(*ty)).collect();
        let spread = self.luck.one_in(2);
        let columns: &[String] = if spread { &parts[parts.len() - 1] } else { &[] };
        let leading = &parts[..parts.len() - usize::from(spread)];
        let mut header: Vec<String> = keys.iter().map(|(name, _)| name.clone()).collect();
        if spread {
            self.uses("a chart with columns");
            if leading.is_empty() {
                header = vec![keys[0].0.clone()];
            } else {
                header.pop();
            }
            header.extend(columns.iter().cloned());
        } else {
            self.uses("a chart of one column");
            header.push("result".to_owned());
        }
        let (leading, columns) = if leading.is_empty() { (&parts[..], &[][..]) } else { (leading, columns) };
        if columns.is_empty() {
            header = keys.iter().map(|(name, _)| name.clone()).chain(["result".to_owned()]).collect();
        }
        self.line(&header.join(" | "));
        let options = self.options(ty);
        let callees = self.named_tests(ty);
        let mut dice = 0;
        for row in rows(leading) {
            let cells: Vec<String> = (0..columns.len().max(1))
                .map(|_| self.cell(ty, options.as_deref(), &callees, &mut dice))
                .collect();
            self.line(&[row, cells].concat().join(" | "));
        }
        self.close();
        let pure = !self.scope.acted;
        self.pieces.push(Piece { name, parameters: keys, gives: Gives::One(ty), dice, pure, word: "chart" });
    }

    fn chart_keys(&mut self) -> Vec<(String, Ty)> {
        let mut keys = vec![match self.luck.below(4) {
            0 => ("losses".to_owned(), Ty::Number),
            1 => (self.name("who"), Ty::Kind(0)),
            _ => (self.name("score"), Ty::Number),
        }];
        for _ in 0..self.luck.below(3) {
            let key = match self.luck.below(6) {
                0 => ("shaken".to_owned(), Ty::Flag),
                1 => ("drill".to_owned(), Ty::Number),
                2 => (self.name("what"), Ty::Kind(1)),
                3 => (self.name("sure"), Ty::Flag),
                _ => ("arm".to_owned(), Ty::Kind(0)),
            };
            if !keys.contains(&key) {
                self.uses("a chart with several keys");
                keys.push(key);
            }
        }
        keys
    }

    /// Sets that have every value once.
    fn parts(&mut self, ty: Ty) -> Vec<String> {
        let mut parts = match ty {
            Ty::Number => {
                let low = self.luck.between(-1, 3);
                let high = low + self.luck.between(1, 3);
                match self.luck.below(4) {
                    0 => vec![format!("..{low}"), format!("{}+", low + 1)],
                    1 => vec![format!("> {low}"), format!("<= {low}")],
                    _ => {
                        let between =
                            if low + 1 == high { format!("{high}") } else { format!("{}..{high}", low + 1) };
                        vec![format!("..{low}"), between, format!("{}+", high + 1)]
                    }
                }
            }
            Ty::Flag => vec!["yes".to_owned(), "no".to_owned()],
            Ty::Kind(kind) => {
                let values = &self.kinds[kind].values;
                let cut = 1 + self.luck.below(values.len() - 1);
                vec![values[..cut].join(", "), values[cut..].join(", ")]
            }
            Ty::Unit(_) => unreachable!("units are no keys"),
        };
        if self.luck.one_in(8) {
            self.uses("a key that may be anything");
            parts = vec!["any".to_owned()];
        } else if self.luck.one_in(2) {
            parts.reverse();
        }
        parts
    }

    /// Two values of an outcome between which cells leave the choice, if they do.
    fn options(&mut self, ty: Ty) -> Option<String> {
        let Ty::Kind(kind) = ty else { return None };
        let values = self.kinds[kind].values.clone();
        (self.choices && self.luck.one_in(2)).then(|| {
            let first = self.luck.below(values.len() - 1);
            format!("{} or {}", values[first], values[values.len() - 1])
        })
    }

    /// Tests that cells can name.
    fn named_tests(&self, ty: Ty) -> Vec<Piece> {
        let fits = |piece: &&Piece| {
            piece.word == "test" && piece.parameters.is_empty() && piece.gives == Gives::One(ty)
        };
        self.pieces.iter().filter(fits).cloned().collect()
    }

    fn cell(&mut self, ty: Ty, options: Option<&str>, callees: &[Piece], dice: &mut usize) -> String {
        if let Some(options) = options
            && self.luck.one_in(3)
        {
            self.uses("a choice in a cell");
            self.scope.acted = true;
            return options.to_owned();
        }
        if let Some(callee) = self.luck.any(callees)
            && self.luck.one_in(3)
        {
            self.uses("a test in a cell");
            self.scope.acted |= !callee.pure;
            *dice = callee.dice.max(*dice);
            return callee.name;
        }
        match ty {
            Ty::Number if self.luck.one_in(3) => {
                self.uses("a target number in a cell");
                format!("{}+", self.luck.between(1, 6))
            }
            _ if self.luck.one_in(3) => {
                self.uses("a cell that is worked out");
                self.value(ty, 1)
            }
            Ty::Number => self.luck.between(-2, 6).to_string(),
            Ty::Flag => self.luck.of(&["yes", "no"]).to_owned(),
            Ty::Kind(kind) => {
                let values = self.kinds[kind].values.clone();
                self.luck.of(&values)
            }
            Ty::Unit(_) => unreachable!("no chart gives units"),
        }
    }

    /// A chart with a cell that cannot be reached, because that situation does not exist.
    pub(super) fn impossible_chart(&mut self) {
        let known = self.factors.iter().any(|factor| factor.name == "fire");
        if !known || self.pieces.iter().any(|piece| piece.word == "impossible") {
            return self.chart();
        }
        self.uses("a cell that cannot be reached");
        self.line("never fire is shot and cover  \"no shot through walls\"");
        let name = self.name("wall");
        self.open(&format!("chart {name}(fire, cover) -> number"));
        self.line("fire | yes | no");
        let cells: Vec<i32> = (0..3).map(|_| self.luck.between(0, 5)).collect();
        self.line(&format!("shot | - | {}", cells[0]));
        self.line(&format!("shell, foot | {} | {}", cells[1], cells[2]));
        self.close();
        let gives = Gives::One(Ty::Number);
        self.pieces.push(Piece {
            name,
            parameters: Vec::new(),
            gives,
            dice: 0,
            pure: true,
            word: "impossible",
        });
    }
}

/// Every combination of the sets of the leading keys.
fn rows(keys: &[Vec<String>]) -> Vec<Vec<String>> {
    keys.iter().fold(vec![Vec::new()], |rows, sets| {
        let longer = |row: &Vec<String>| -> Vec<Vec<String>> {
            sets.iter().map(|set| [row.as_slice(), std::slice::from_ref(set)].concat()).collect()
        };
        rows.iter().flat_map(longer).collect()
    })
}
