//! Dice, what is done with them, and what is asked of them.

use super::{Author, Heap, Ty};

/// Dice as they are written, and what is known of them.
pub(super) struct Dice {
    pub(super) text: String,
    pub(super) ty: Ty,
    pub(super) least: usize,
    pub(super) most: usize,
    /// Whether they are one name or one bracket.
    closed: bool,
}

impl Author {
    /// The number of faces of a die.
    fn faces(&mut self) -> i32 {
        self.luck.of(&[2, 2, 2, 3, 3, 3, 3, 4, 4, 6, 6, 10])
    }

    /// Dice: rolled, or kept under a name, perhaps with something done to them.
    pub(super) fn dice(&mut self, numbers: bool) -> Option<Dice> {
        let mut dice = self.plain_dice(numbers)?;
        for _ in 0..self.luck.weighed(&[5, 4, 2]) {
            dice = self.worked(dice);
        }
        Some(dice)
    }

    fn plain_dice(&mut self, numbers: bool) -> Option<Dice> {
        let named: Vec<Heap> = self.scope.heaps.iter().filter(|one| !one.list).cloned().collect();
        if let Some(kept) = self.luck.any(&named)
            && self.luck.one_in(2)
            && (kept.ty == Ty::Number || !numbers)
        {
            let Heap { name, ty, least, most, .. } = kept;
            return Some(Dice { text: name, ty, least, most, closed: true });
        }
        match self.luck.weighed(&[6, 3, 2, 2, 2]) {
            1 => self.some_dice(),
            2 => self.worked_out_die(),
            3 => self.own_die(numbers),
            4 => self.several_rolls(),
            _ => {
                let dice = 1 + self.luck.below(3);
                let faces = self.faces();
                let text = if dice == 1 { format!("d{faces}") } else { format!("{dice}d{faces}") };
                self.rolled(dice, text, Ty::Number)
            }
        }
    }

    fn rolled(&mut self, dice: usize, text: String, ty: Ty) -> Option<Dice> {
        let falls = self.may_roll(dice);
        if falls {
            self.uses("a roll");
        }
        falls.then_some(Dice { text, ty, least: dice, most: dice, closed: false })
    }

    /// As many as something says.
    fn some_dice(&mut self) -> Option<Dice> {
        let (most, faces) = (1 + self.luck.below(3), self.faces());
        if !self.may_roll(most) {
            return None;
        }
        self.uses("a number of dice that is worked out");
        let count = self.small(0, most as i32);
        let count = if count.parse::<i32>().is_ok() { format!("({count})") } else { count };
        Some(Dice { text: format!("{count} d{faces}"), ty: Ty::Number, least: 0, most, closed: false })
    }

    fn worked_out_die(&mut self) -> Option<Dice> {
        if !self.may_roll(2) {
            return None;
        }
        self.uses("a number of faces that is worked out");
        let faces = self.small(1, 6);
        Some(Dice { text: format!("2 d({faces})"), ty: Ty::Number, least: 2, most: 2, closed: false })
    }

    fn own_die(&mut self, numbers: bool) -> Option<Dice> {
        let dice: Vec<_> = self.dice.iter().filter(|one| one.ty == Ty::Number || !numbers).cloned().collect();
        let die = self.luck.any(&dice)?;
        let count = 2 + self.luck.below(2);
        let dice = self.rolled(count, format!("{count} {}", die.name), die.ty)?;
        self.uses("several dice of one's own");
        Some(dice)
    }

    fn several_rolls(&mut self) -> Option<Dice> {
        let (first, second) = (self.faces(), self.faces());
        let text = match self.luck.below(3) {
            0 if self.dice.iter().any(|one| one.ty == Ty::Number) => format!("[average, d{first}]"),
            1 => format!("[d{first}, 1 d{second}]"),
            _ => format!("[d{first}, d{second}]"),
        };
        let dice = self.rolled(2, text, Ty::Number)?;
        self.uses("several rolls as one");
        Some(dice)
    }

    /// One more word behind them.
    fn worked(&mut self, dice: Dice) -> Dice {
        let Dice { mut text, ty, least, most, .. } = dice;
        if text.ends_with("..") || self.luck.one_in(4) {
            text = format!("({text})");
        }
        let text = text;
        let kept = |word: String, least, most| Dice {
            text: format!("{text} {word}"),
            ty,
            least,
            most,
            closed: false,
        };
        match self.luck.weighed(&[3, 3, 4, 4, 3, 2]) {
            0 | 1 => {
                let word = self.luck.of(&["keep", "drop"]);
                self.uses(word);
                let set = match self.set(ty) {
                    // a bare number could be that of the dice
                    set if set.parse::<i32>().is_ok() => format!("{{{set}}}"),
                    set => set,
                };
                kept(format!("{word} {set}"), 0, most)
            }
            2 if ty == Ty::Number => self.extreme(kept, least, most),
            3 if self.may_roll(most) => {
                self.uses("reroll");
                let set = self.set(ty);
                let limit = self.reroll_limit();
                kept(format!("reroll {set}{limit}"), least, most)
            }
            4 if self.may_roll(most + 1) => {
                self.uses("explode");
                let set = self.set(ty);
                let (limit, more) = self.explode_limit(most);
                kept(format!("explode {set}{limit}"), least, most + more)
            }
            5 if self.may_choose() => self.chosen_dice(kept, least, most),
            _ => Dice { text, ty, least, most, closed: dice.closed },
        }
    }

    fn extreme(&mut self, kept: impl Fn(String, usize, usize) -> Dice, least: usize, most: usize) -> Dice {
        let end = self.luck.of(&["highest", "lowest"]);
        self.uses(end);
        match self.luck.below(5) {
            0 => kept(end.to_owned(), least.min(1), most.min(1)),
            1 => {
                self.uses("drop highest or lowest");
                kept(format!("drop {end}"), least.saturating_sub(1), most)
            }
            2 => kept(format!("drop {end} {}", self.small(0, 2)), least.saturating_sub(2), most),
            3 => kept(format!("keep {end} 2"), least.min(2), most.min(2)),
            _ => kept(format!("{end} {}", self.small(0, 2)), 0, most.min(2)),
        }
    }

    fn reroll_limit(&mut self) -> String {
        match self.luck.below(6) {
            0 => {
                self.uses("reroll at most so many times");
                format!(" at most {} times", self.small(0, 2))
            }
            1 => {
                self.uses("reroll at most so many dice");
                format!(" at most {} dice", self.small(0, 2))
            }
            2 => {
                self.uses("reroll with both limits");
                format!(" at most {} times at most 1 dice", self.luck.between(1, 2))
            }
            _ => String::new(),
        }
    }

    /// The bound, and how many dice there may be more.
    fn explode_limit(&mut self, most: usize) -> (String, usize) {
        let times = self.luck.between(1, 2);
        match self.luck.below(4) {
            0 => {
                self.uses("explode at most so many times");
                (format!(" at most {} times", self.small(0, times)), most * times as usize)
            }
            1 => {
                self.uses("explode at most so many dice");
                (format!(" at most {} dice", self.small(0, times)), times as usize)
            }
            2 => {
                self.uses("explode with both limits");
                (format!(" at most 2 times at most {times} dice"), times as usize)
            }
            _ => {
                self.uses("explode with a cap");
                (format!(" cap {times}"), most * times as usize)
            }
        }
    }

    fn chosen_dice(
        &mut self,
        kept: impl Fn(String, usize, usize) -> Dice,
        least: usize,
        most: usize,
    ) -> Dice {
        let name = self.name("picked");
        let word = if self.may_roll(most) { "reroll" } else { "keep" };
        self.uses(if word == "keep" { "keep chosen" } else { "reroll chosen" });
        let mut text = format!("{word} chosen as {name}");
        if self.luck.one_in(3) {
            self.uses("at least so many dice chosen");
            text += &format!(" at least {} dice", self.small(0, 2));
        }
        if self.luck.one_in(3) {
            self.uses("at most so many dice chosen");
            text += &format!(" at most {} dice", self.small(0, 2));
        }
        kept(text, if word == "keep" { 0 } else { least }, most)
    }

    /// Dice as an operand that words can follow.
    fn bracketed(dice: &Dice) -> String {
        if dice.closed { dice.text.clone() } else { format!("({})", dice.text) }
    }

    /// The sum of dice.
    pub(super) fn roll_as_number(&mut self) -> Option<String> {
        let dice = self.dice(true)?;
        self.uses("the sum of dice");
        Some(Self::bracketed(&dice))
    }

    /// A number that dice or a list are asked for.
    pub(super) fn ask_number(&mut self, _depth: u32) -> Option<String> {
        let (text, ty) = self.asked()?;
        Some(if ty == Ty::Number && self.luck.one_in(2) {
            self.uses("rank");
            format!("({text} rank {})", self.small(1, 3))
        } else {
            self.uses("count");
            format!("({text} count {})", self.set(ty))
        })
    }

    /// A flag that dice or a list are asked for.
    pub(super) fn ask_flag(&mut self) -> Option<String> {
        let (text, ty) = self.asked()?;
        Some(match self.luck.below(5) {
            0 | 1 => {
                self.uses("any of the dice");
                format!("({text} any {})", self.set(ty))
            }
            2 => {
                self.uses("all of the dice");
                format!("({text} all {})", self.set(ty))
            }
            3 => {
                self.uses("alike");
                format!("({text} alike {})", self.small(1, 3))
            }
            _ => {
                self.uses("doubles");
                format!("({text} doubles)")
            }
        })
    }

    fn asked(&mut self) -> Option<(String, Ty)> {
        if self.luck.one_in(3)
            && let Some((text, ty)) = self.list_in_sight()
        {
            self.uses("a list is asked");
            return Some((text, ty));
        }
        let dice = self.dice(false)?;
        Some((Self::bracketed(&dice), dice.ty))
    }
}
