//! What the rules are about: kinds, outcomes, factors, units, dice and what cannot happen.

use super::{Author, Factor, Kind, Line, OwnDie, Ty};

const TROOPS: [&str; 4] = ["foot", "horse", "guns", "wagon"];
const RESULTS: [&str; 4] = ["hold", "waver", "retire", "rout"];

impl Author {
    pub(super) fn declarations(&mut self) {
        self.kind();
        self.outcomes();
        self.number_factors();
        self.other_factors();
        self.own_dice();
        for _ in 0..self.luck.weighed(&[4, 4, 2]) {
            self.unit_line();
        }
        self.nevers();
    }

    fn kind(&mut self) {
        let values: Vec<String> =
            TROOPS[..2 + self.luck.below(3)].iter().map(|one| (*one).to_owned()).collect();
        self.uses("kind");
        self.open("kind troop");
        for value in &values {
            let label = if self.luck.one_in(3) { format!("  \"The {value}\"") } else { String::new() };
            self.line(&format!("{value}{label}"));
        }
        self.close();
        self.kinds.push(Kind { name: "troop".to_owned(), values, ordered: false, inner: None, faces: false });
    }

    fn outcomes(&mut self) {
        self.uses("outcome");
        let mut values: Vec<String> =
            RESULTS[..2 + self.luck.below(3)].iter().map(|one| (*one).to_owned()).collect();
        if self.luck.one_in(5) {
            // the same name as a value of a kind
            self.uses("a name of two kinds");
            values.push("foot".to_owned());
        }
        self.open("outcome result");
        let equal = values.len() > 2 && self.luck.one_in(3);
        for (at, value) in values.iter().enumerate() {
            if equal && at == 1 {
                self.uses("equally good");
                self.line(&format!("{value} \"So so\" = {}", values[2]));
            } else if !(equal && at == 2) {
                self.line(value);
            }
        }
        self.close();
        let inner = self.kinds.len();
        self.kinds.push(Kind { name: "result".to_owned(), values, ordered: true, inner: None, faces: false });
        if self.luck.one_in(3) {
            self.larger_outcome(inner);
        }
    }

    fn larger_outcome(&mut self, inner: usize) {
        self.uses("an outcome taken in");
        let mut values = self.kinds[inner].values.clone();
        self.open("outcome fuller");
        if self.luck.one_in(2) {
            self.line("untested");
            self.line("result");
            values.insert(0, "untested".to_owned());
        } else {
            self.line("result");
            self.line("untested");
            values.push("untested".to_owned());
        }
        self.close();
        let name = "fuller".to_owned();
        self.kinds.push(Kind { name, values, ordered: true, inner: Some(inner), faces: false });
    }

    fn number_factors(&mut self) {
        let (low, high) = (self.luck.between(-2, 0), self.luck.between(1, 3));
        let default = self.luck.between(low, high);
        self.uses("a factor from a number to a number");
        self.line(&format!("factor losses: {low}..{high} = {default}  \"losses\""));
        let most = self.luck.between(1, 3);
        self.line(&format!("factor drill: 0..{most}"));
        self.uses("a factor without a default");
        self.factors.push(Factor { name: "losses".to_owned(), ty: Ty::Number, fixed: None, kept: false });
        self.factors.push(Factor { name: "drill".to_owned(), ty: Ty::Number, fixed: None, kept: false });
        let numbers = self.luck.of(&[&[1, 2, 3][..], &[2, 4, 6], &[0, 1, 2], &[1, 3]]);
        let listed: Vec<String> = numbers.iter().map(ToString::to_string).collect();
        self.uses("a factor that lists numbers");
        self.line(&format!("factor size: {} = {}", listed.join(" | "), listed[listed.len() - 1]));
        let fixed = Some((numbers[0], numbers[numbers.len() - 1]));
        self.factors.push(Factor { name: "size".to_owned(), ty: Ty::Number, fixed, kept: true });
    }

    fn other_factors(&mut self) {
        for (name, kept) in [("shaken", false), ("cover", true)] {
            let default = self.luck.of(&["yes", "no"]);
            self.uses("a factor that is a flag");
            self.line(&format!("factor {name}: flag = {default}"));
            self.factors.push(Factor { name: name.to_owned(), ty: Ty::Flag, fixed: None, kept });
        }
        self.line("factor arm: troop = foot");
        self.factors.push(Factor { name: "arm".to_owned(), ty: Ty::Kind(0), fixed: None, kept: false });
        if self.luck.one_in(2) {
            self.uses("a factor of its own values");
            self.line("factor fire: shot | shell | foot = shell");
            let kind = Ty::Kind(self.kinds.len());
            let values = ["shot", "shell", "foot"].map(str::to_owned).to_vec();
            self.kinds.push(Kind {
                name: "fire".to_owned(),
                values,
                ordered: false,
                inner: None,
                faces: false,
            });
            self.factors.push(Factor { name: "fire".to_owned(), ty: kind, fixed: None, kept: true });
            if self.luck.one_in(2) {
                self.uses("a factor like another");
                self.line("factor answer: fire = shot");
                self.factors.push(Factor { name: "answer".to_owned(), ty: kind, fixed: None, kept: false });
            }
        }
    }

    fn own_dice(&mut self) {
        if self.luck.one_in(3) {
            let faces = self.luck.of(&["0, 1, 1", "2, 3, 3, 4", "-1, 0, 0, 2, 5"]);
            self.uses("a die of one's own with numbers");
            self.line(&format!("die average {{ {faces} }}"));
            self.dice.push(OwnDie { name: "average".to_owned(), ty: Ty::Number });
        }
        if self.luck.one_in(3) {
            let faces = self.luck.of(&["foot, foot, star", "star, horse, foot, horse"]);
            self.uses("a die of one's own with names");
            self.line(&format!("die battle {{ {faces} }}"));
            let mut values: Vec<String> = Vec::new();
            for face in faces.split(", ") {
                if !values.iter().any(|known| known == face) {
                    values.push(face.to_owned());
                }
            }
            self.dice.push(OwnDie { name: "battle".to_owned(), ty: Ty::Kind(self.kinds.len()) });
            self.kinds.push(Kind {
                name: "battle".to_owned(),
                values,
                ordered: false,
                inner: None,
                faces: true,
            });
        }
    }

    fn unit_line(&mut self) {
        self.uses("unit");
        let at = self.lines.len();
        let mut factors: Vec<usize> = (0..self.factors.len()).filter(|_| self.luck.one_in(2)).collect();
        if factors.is_empty() {
            factors.push(0);
        }
        let stem = ["ours", "theirs"][at];
        let mut groups: Vec<(String, Option<usize>)> = match self.luck.below(3) {
            0 => vec![(format!("{stem}_first"), None), (format!("{stem}_second"), None)],
            1 => vec![(format!("{stem}_list"), Some(2 + self.luck.below(2)))],
            _ => vec![(format!("{stem}_list"), Some(2)), (format!("{stem}_other"), None)],
        };
        if self.luck.one_in(4) {
            groups.reverse();
        }
        let words: Vec<String> = groups
            .iter()
            .map(|(name, list)| list.map_or_else(|| name.clone(), |list| format!("{name}[{list}]")))
            .collect();
        let own: Vec<&str> = factors.iter().map(|at| self.factors[*at].name.as_str()).collect();
        let line = format!("unit {}: {}", words.join(", "), own.join(", "));
        self.line(&line);
        self.lines.push(Line { groups, factors });
    }

    fn nevers(&mut self) {
        if self.luck.one_in(3) {
            self.uses("never");
            let condition = self.luck.of(&[
                "losses > drill + 1",
                "losses is 1 and shaken",
                "size >= 2 and drill is 0 and not cover",
                "arm is foot and cover",
            ]);
            self.line(&format!("never {condition}  \"cannot be\""));
        }
    }
}
