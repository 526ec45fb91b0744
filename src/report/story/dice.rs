//! The dice of a story: what they show, what is done to them, what is asked of them.

use super::Teller;
use crate::plan::{Asking, Event, Handling, RolledDie, Stretches};
use crate::rules::tree::{End, Question};
use crate::rules::{Span, Type};

impl Teller<'_> {
    /// Tells a step; gives how many of those behind it were told with it.
    pub(super) fn dice(&mut self, event: &Event, rest: &[Event]) -> usize {
        match (event, rest) {
            (Event::Rolled { die, shown, span }, [Event::Summed(sum), behind @ ..]) => {
                let name = match behind {
                    [Event::Named { name, plain: true, .. }, ..] => Some(name.as_str()),
                    _ => None,
                };
                self.rolled(*die, shown, Some(*sum), name, *span);
                self.told = Some(sum.to_string());
                1 + usize::from(name.is_some())
            }
            (Event::Rolled { die, shown, span }, [Event::Kept { name, shown: same, .. }, ..])
                if shown == same =>
            {
                self.rolled(*die, shown, None, Some(name), *span);
                1
            }
            // Without dice the question behind them tells it all.
            (Event::Rolled { shown, .. }, [Event::Asked { .. }, ..]) if shown.is_empty() => 0,
            (Event::Rolled { die, shown, span }, _) => {
                self.rolled(*die, shown, None, None, *span);
                0
            }
            (Event::Kept { name, ty, list, shown }, _) => {
                let items = if *list { self.list(*ty, shown) } else { self.labels(*ty, shown).join(" ") };
                self.page.say(&format!("{name} = {items}"));
                0
            }
            (Event::Handled { how, ty, shown, span }, [Event::Summed(sum), ..]) => {
                self.handled(how, *ty, shown, Some(*sum), *span);
                1
            }
            (Event::Handled { how, ty, shown, span }, _) => {
                self.handled(how, *ty, shown, None, *span);
                0
            }
            (Event::Summed(sum), _) => {
                self.page.say(&format!("together {sum}"));
                0
            }
            (Event::Asked { .. }, [Event::Named { name, plain: true, .. }, ..]) => {
                self.asked(event, &format!("{name} = "));
                1
            }
            (Event::Chanced(top, bottom, happens, span), _) => {
                // What is certain needs no telling.
                if (1..*bottom).contains(top) {
                    self.chanced((*top, *bottom), *happens, *span);
                }
                0
            }
            _ => {
                self.asked(event, "");
                0
            }
        }
    }

    /// A list as rules write it.
    pub(super) fn list(&self, ty: Type, items: &[i32]) -> String {
        format!("[{}]", self.labels(ty, items).join(", "))
    }

    fn labels(&self, ty: Type, values: &[i32]) -> Vec<String> {
        values.iter().map(|value| self.label(ty, *value)).collect()
    }

    fn rolled(&mut self, die: RolledDie, shown: &[i32], sum: Option<i32>, name: Option<&str>, span: Span) {
        let (sort, ty) = match die {
            RolledDie::Faces(faces) => (format!("d{faces}"), Type::Number),
            RolledDie::Custom(id) => {
                let die = &self.rules.dice[id.0];
                (if shown.len() == 1 { die.name.clone() } else { format!(" {}", die.name) }, die.ty)
            }
        };
        let count = if shown.len() == 1 { String::new() } else { shown.len().to_string() };
        let name = name.map_or_else(|| "roll".to_owned(), |name| format!("{name} ="));
        let mut faces = self.labels(ty, shown);
        let mut comma = if ty == Type::Number { "" } else { "," };
        match (sum, shown) {
            (Some(sum), [_, _, ..]) => {
                comma = " +";
                if let Some(last) = faces.last_mut() {
                    *last += &format!(" = {sum}");
                }
            }
            (_, []) => faces.push("no dice".to_owned()),
            _ => {}
        }
        let place = (self.quote)(span).0;
        self.page.say_list(&format!("{name} {count}{sort}: "), &faces, comma, Some(&place));
    }

    fn handled(&mut self, how: &Handling, ty: Type, shown: &[i32], sum: Option<i32>, span: Span) {
        let (what, changes, player) = match how {
            Handling::Keep(set, false) => (format!("keep {}: ", self.set(ty, set)), None, None),
            Handling::Keep(set, true) => (format!("drop {}, leaving: ", self.set(ty, set)), None, None),
            Handling::Extreme(end, number, false) => (format!("{}: ", extreme(*end, *number)), None, None),
            Handling::Extreme(end, number, true) => {
                (format!("drop {}, leaving: ", extreme(*end, *number)), None, None)
            }
            Handling::Explode(set, added) => {
                let new = shown[shown.len().saturating_sub(*added)..].to_vec();
                let new = new.into_iter().map(|face| (None, face)).collect();
                let adding = if *added == 0 { "" } else { ", adding" };
                (format!("explode {}{adding}: ", self.set(ty, set)), Some(new), None)
            }
            Handling::Reroll(set, falls) => {
                (format!("reroll {}: ", self.set(ty, set)), Some(again(falls)), None)
            }
            Handling::KeepChosen(choice) => ("the player keeps: ".to_owned(), None, Some(*choice)),
            Handling::RerollChosen(choice, falls) => {
                ("the player rerolls: ".to_owned(), Some(again(falls)), Some(*choice))
            }
        };
        let place = (self.quote)(span).0;
        let parts = self.faces(ty, shown, changes, sum);
        self.page.say_list(&what, &parts, "", Some(&place));
        if let Some(choice) = player {
            self.policy(choice);
        }
    }

    /// What falls, if dice fall, and then what all dice show and come to.
    fn faces(
        &self,
        ty: Type,
        shown: &[i32],
        falls: Option<Vec<(Option<i32>, i32)>>,
        sum: Option<i32>,
    ) -> Vec<String> {
        let mut parts = Vec::new();
        if let Some(falls) = falls {
            if falls.is_empty() {
                parts.push("none".to_owned());
            }
            for (before, face) in &falls {
                let before = before.map_or_else(String::new, |before| self.label(ty, before) + "->");
                parts.push(before + &self.label(ty, *face));
            }
            if falls.len() < shown.len() && !falls.is_empty() {
                if let Some(last) = parts.last_mut() {
                    *last += "; now";
                }
                parts.extend(self.labels(ty, shown));
            }
        } else {
            parts.extend(self.labels(ty, shown));
        }
        if parts.is_empty() {
            parts.push("none".to_owned());
        }
        parts.extend(sum.map(|sum| format!("= {sum}")));
        parts
    }

    fn asked(&mut self, event: &Event, start: &str) {
        let Event::Asked { what, faces, named, answer, ty, span } = event else { return };
        let what = match what {
            Asking::Of(Question::Count, set) => format!("count {}", self.set(*faces, set)),
            Asking::Of(Question::Any, set) => format!("any {}", self.set(*faces, set)),
            Asking::Of(Question::All, set) => format!("all {}", self.set(*faces, set)),
            Asking::Rank(number) => format!("rank {number}"),
            Asking::Alike(2) => "doubles".to_owned(),
            Asking::Alike(number) => format!("alike {number}"),
        };
        let named = named.map_or_else(String::new, |named| (self.quote)(named).1 + " ");
        let answer = self.label(*ty, *answer);
        self.say_from(&format!("{start}{named}{what}: {answer}"), *span);
        self.told = Some(answer);
    }

    fn chanced(&mut self, (top, bottom): (i32, i32), happens: bool, span: Span) {
        let chance = if bottom == 100 { format!("{top}%") } else { format!("{top}/{bottom}") };
        let answer = self.label(Type::Flag, i32::from(happens));
        self.say_from(&format!("chance {chance}: {answer}"), span);
    }

    /// A set as rules write it, its ends worked out.
    fn set(&self, ty: Type, set: &Stretches) -> String {
        let stretch = |stretch: &(Option<i32>, Option<i32>)| match *stretch {
            (None, None) => Some("any".to_owned()),
            (Some(low), Some(high)) if low > high => None,
            (Some(low), Some(high)) if low == high => Some(self.rules.name_of(ty, low)),
            (Some(low), None) if ty == Type::Number => Some(format!("{low}+")),
            (low, high) => {
                let end = |end: Option<i32>| end.map_or_else(String::new, |end| self.rules.name_of(ty, end));
                Some(format!("{}..{}", end(low), end(high)))
            }
        };
        let stretches: Vec<String> = set.iter().filter_map(stretch).collect();
        match &stretches[..] {
            [] => "{}".to_owned(),
            [one] => one.clone(),
            several => format!("{{{}}}", several.join(", ")),
        }
    }
}

/// Dice that fall again: what each showed and what it shows.
fn again(falls: &[(i32, i32)]) -> Vec<(Option<i32>, i32)> {
    falls.iter().map(|(before, face)| (Some(*before), *face)).collect()
}

fn extreme(end: End, number: i32) -> String {
    let end = match end {
        End::Highest => "highest",
        End::Lowest => "lowest",
    };
    if number == 1 { end.to_owned() } else { format!("{end} {number}") }
}
