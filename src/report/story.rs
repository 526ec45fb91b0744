//! The story of one trial: dice, modifiers, chart rows and choices, each with its line in the rules.
//!
//! In: the steps of a trial. Out: text that a player can follow at the table, at most 80 columns wide where labels allow.

mod dice;
mod page;

use crate::plan::{Event, Outcome, Plan, Trial};
use crate::rules::{Callee, ChartId, ChoiceId, FactorId, ModifiersId, Picks, Ruleset, Span, Type, UnitsId};
use crate::scenario::describe_move;
use page::Page;
use std::collections::BTreeSet;

/// So many letters are kept for what a chart gives.
const ROOM_FOR_RESULT: usize = 24;

/// Quotes a place in the rules: `file:line` and the text that stands there.
pub type Quote<'a> = &'a dyn Fn(Span) -> (String, String);

/// Tells a trial.
pub fn story(plan: &Plan, events: &[Event], trial: &Trial, quote: Quote) -> String {
    let rules: &Ruleset = &plan.rules;
    let mut teller = Teller {
        plan,
        rules,
        quote,
        page: Page::default(),
        explained: BTreeSet::new(),
        rows: BTreeSet::new(),
        told: None,
    };
    teller.situation();
    // The entry's own beginning and end frame the story and are not told.
    let resolved = trial.outcome != Outcome::Unresolved;
    let last = events.len() - usize::from(resolved && !events.is_empty());
    let mut left = events.get(1..last).unwrap_or_default();
    while let [event, rest @ ..] = left {
        let told = teller.told.take();
        left = &rest[teller.event(event, rest, told)..];
    }
    teller.outcome(trial);
    teller.page.text()
}

struct Teller<'a> {
    plan: &'a Plan,
    rules: &'a Ruleset,
    quote: Quote<'a>,
    page: Page,
    /// The choices whose policies were told.
    explained: BTreeSet<ChoiceId>,
    /// The rows of charts that were told.
    rows: BTreeSet<(ChartId, usize)>,
    /// What the line before says that a call came to.
    told: Option<String>,
}

/// How many steps the call that has begun takes to its end, if it only reckons, in loops: a player at the table would
/// say what comes out of it. Else none.
fn only_reckons(steps: &[Event]) -> usize {
    let (mut calls, mut loops) = (0_usize, false);
    for (number, step) in steps.iter().enumerate() {
        match step {
            Event::Began(..) => calls += 1,
            Event::Ended(..) | Event::EndedWith(..) if calls > 0 => calls -= 1,
            Event::Ended(..) | Event::EndedWith(..) => return if loops { number } else { 0 },
            Event::Pass { .. } => loops = true,
            Event::PassEnded | Event::Changed(..) | Event::Named { .. } | Event::Read { .. } => {}
            _ => return 0,
        }
    }
    0
}

/// How many steps the pass that has begun takes with its end, if nothing is rolled, chosen or changed in it and no name
/// of the test gets a value; those of what it calls end with the call. Else none.
fn idle_pass(steps: &[Event]) -> usize {
    let (mut passes, mut calls) = (0_usize, 0_usize);
    for (number, step) in steps.iter().enumerate() {
        match step {
            Event::PassEnded if passes == 0 => return number + 1,
            Event::PassEnded => passes -= 1,
            Event::Pass { .. } => passes += 1,
            Event::Began(..) => calls += 1,
            // A `return` within the pass ends the test.
            Event::Ended(..) | Event::EndedWith(..) if calls == 0 => return 0,
            Event::Ended(..) | Event::EndedWith(..) => calls -= 1,
            Event::Named { .. } if calls > 0 => {}
            Event::Changed(..) | Event::Read { .. } => {}
            _ => return 0,
        }
    }
    0
}

impl Teller<'_> {
    fn say_from(&mut self, line: &str, span: Span) {
        let (place, _) = (self.quote)(span);
        self.page.say_from(line, &place);
    }

    fn label(&self, ty: Type, value: i32) -> String {
        self.rules.label_of(ty, value)
    }

    /// The factors that the test reads, as the trial finds them: those of each unit on lines of their own.
    fn situation(&mut self) {
        self.page.say(&format!("{}:", self.rules.tests[self.plan.entry.0].name));
        self.page.open(None, true);
        let mut told: Vec<(Vec<String>, Vec<String>)> = Vec::new();
        for id in self.rules.factors_read(self.plan.entry) {
            let (whose, text) = self.at_first(id);
            match told.iter_mut().find(|(known, _)| *known == whose) {
                Some((_, texts)) => texts.push(text),
                None => told.push((whose, vec![text])),
            }
        }
        // Units that are alike are told together.
        told.dedup_by(|(next, texts), (first, known)| {
            let alike = texts == known && !first.is_empty();
            if alike {
                first.append(next);
            }
            alike
        });
        for (whose, texts) in told {
            let parts = [listed(whose, ":"), listed(texts, "")].concat();
            self.page.say_list("", &parts, "", None);
        }
    }

    /// What a factor is when the trial begins, and the unit that has it, if it is one's own.
    fn at_first(&self, id: FactorId) -> (Vec<String>, String) {
        let factors = &self.rules.factors;
        let value = self.name(id, self.plan.situation[id.0]);
        match factors[id.0].owner {
            Some(owner) => {
                let unit = &self.rules.units[owner.units.0].names[owner.unit];
                (vec![unit.clone()], format!("{} {value}", factors[owner.factor.0].name))
            }
            None => (Vec::new(), format!("{} {value}", factors[id.0].name)),
        }
    }

    /// The name of a factor's value.
    fn name(&self, id: FactorId, value: i32) -> String {
        self.rules.name_of(self.rules.factors[id.0].ty, value)
    }

    fn factor(&self, id: FactorId, value: i32) -> String {
        format!("{} {}", self.rules.factors[id.0].name, self.name(id, value))
    }

    /// Tells a step; gives how many of those behind it were told with it.
    fn event(&mut self, event: &Event, rest: &[Event], told: Option<String>) -> usize {
        match event {
            // A chart's keys are told in the line that reads it.
            Event::Began(Callee::Chart(_), _) => {
                return rest.iter().take_while(|event| matches!(event, Event::Changed(..))).count();
            }
            Event::Began(callee, unit) => {
                self.began(*callee, *unit);
                return only_reckons(rest);
            }
            Event::Ended(callee, value) => self.ended(*callee, *value, rest.first(), told),
            Event::EndedWith(callee, items) => {
                if let Callee::Test(id) = callee {
                    let items = self.list(self.rules.tests[id.0].result, items);
                    self.page.close_with("it gives:", &items);
                }
            }
            Event::Changed(..) => return self.changed(event, rest),
            Event::Set(factor, value) => {
                let (name, value) = (&self.rules.factors[factor.0].name, self.name(*factor, *value));
                self.page.say(&format!("{name} = {value}"));
            }
            Event::Modified { modifiers, line, amount } => self.modified(*modifiers, *line, *amount),
            Event::Named { name, ty, value, .. } => {
                let label = self.label(*ty, *value);
                self.page.say(&format!("{name} = {label}"));
            }
            Event::Read { chart, keys, row, .. } => self.read(*chart, keys, *row),
            Event::Chose { choice, option } => self.chose(*choice, *option),
            Event::Pass { number, item } => match idle_pass(rest) {
                0 => self.pass(*number, item.as_ref()),
                steps => return steps,
            },
            Event::PassEnded => self.page.close(),
            Event::GaveUp(span) => {
                let text = (self.quote)(*span).1;
                let cap = text.find("cap ").unwrap_or(0);
                let end = text[cap..].find(" {").map_or(text.len(), |end| cap + end);
                let first = text[..end].lines().next().unwrap_or_default();
                self.say_from(&format!("still no end: {first}"), *span);
            }
            _ => return self.dice(event, rest),
        }
        0
    }

    /// All that is changed for one call, together.
    fn changed(&mut self, event: &Event, rest: &[Event]) -> usize {
        let changes = std::iter::once(event).chain(rest).map_while(|event| match event {
            Event::Changed(factor, value) => Some(self.factor(*factor, *value)),
            _ => None,
        });
        let changes: Vec<String> = changes.collect();
        self.page.say_list("for this: ", &changes, ",", None);
        changes.len() - 1
    }

    fn began(&mut self, callee: Callee, unit: Option<(UnitsId, i32)>) {
        let name = self.rules.callee_name(callee);
        let unit = unit.map_or_else(String::new, |(units, unit)| {
            format!(" for {}", self.rules.name_of(Type::Unit(units), unit))
        });
        self.page.open(Some(format!("{name}{unit}:")), true);
    }

    /// What a call comes to, unless the line before or the one behind says so.
    fn ended(&mut self, callee: Callee, value: i32, next: Option<&Event>, told: Option<String>) {
        let (verb, ty) = match callee {
            Callee::Modifiers(_) => {
                let value = if value == 0 { "0".to_owned() } else { format!("{value:+}") };
                return self.page.close_with("in all", &value);
            }
            Callee::Chart(id) => ("it says:", self.rules.charts[id.0].result),
            Callee::Test(id) => ("it gives:", self.rules.tests[id.0].result),
        };
        let value = self.label(ty, value);
        let is_named = matches!(next, Some(Event::Named { plain: true, .. }));
        let is_told = told.as_ref() == Some(&value) || is_named;
        if ty == Type::Nothing || (is_told && !self.page.is_silent()) {
            self.page.close();
        } else {
            self.page.close_with(verb, &value);
        }
        self.told = Some(value);
    }

    fn modified(&mut self, modifiers: ModifiersId, line: usize, amount: i32) {
        let line = &self.rules.modifiers[modifiers.0].lines[line];
        self.say_from(&format!("{amount:+}  {}", line.label), line.span);
    }

    fn read(&mut self, id: ChartId, keys: &[i32], row: usize) {
        let chart = &self.rules.charts[id.0];
        let keys = chart.parameters.iter().zip(keys);
        let keys: Vec<String> =
            keys.map(|(key, value)| format!("{} {}", key.name, self.rules.name_of(key.ty, *value))).collect();
        // A row that was told before need not be told again.
        let again = format!("read {} at {}:", chart.name, keys.join(", "));
        if !self.rows.insert((id, row)) && self.page.has_room(&again, ROOM_FOR_RESULT) {
            return self.page.open(Some(again), true);
        }
        let (place, text) = (self.quote)(chart.rows[row].span);
        self.page.say_list(&format!("read {} at ", chart.name), &keys, ",", Some(&place));
        self.page.open(None, true);
        self.page.say(&text.split_whitespace().collect::<Vec<_>>().join(" "));
    }

    fn chose(&mut self, id: ChoiceId, option: i32) {
        let option = match self.rules.choices[id.0].picks {
            Picks::Option(kind, _) => self.label(Type::Kind(kind), option),
            Picks::Unit(units) | Picks::Order(units) => self.label(Type::Unit(units), option),
            Picks::Number | Picks::Dice(_) => option.to_string(),
        };
        self.page.say(&format!("the player chooses: {option}"));
        self.policy(id);
    }

    /// Why the player does what he does; told once.
    fn policy(&mut self, id: ChoiceId) {
        let choice = &self.rules.choices[id.0];
        if let Some(play) = self.plan.moves.get(id.0).and_then(Option::as_ref)
            && self.explained.insert(id)
        {
            let policy = describe_move(self.rules, choice, play);
            self.page.say(&format!("(policy of {}: {policy})", choice.name));
        }
    }

    /// The first of passes that are only counted needs no heading.
    fn pass(&mut self, number: usize, item: Option<&(String, Type, i32)>) {
        match item {
            Some((_, ty @ Type::Unit(_), unit)) => {
                self.page.open(Some(format!("{}:", self.label(*ty, *unit))), true);
            }
            Some((name, ty, value)) => {
                self.page.open(Some(format!("{name} {}:", self.label(*ty, *value))), true);
            }
            None => self.page.open((number > 1).then(|| format!("again ({number}):")), false),
        }
    }

    fn outcome(&mut self, trial: &Trial) {
        self.page.close_all();
        let ty = self.rules.tests[self.plan.entry.0].result;
        match trial.outcome {
            Outcome::Result(_) if ty == Type::Nothing => {}
            Outcome::Result(value) => self.page.say(&format!("Result: {}", self.label(ty, value))),
            Outcome::Unresolved => {
                self.page.say("No result: this went on for longer than the rules allow the tool to wait");
            }
        }
        let records = self.rules.records.iter().zip(&trial.records);
        let told = records.filter_map(|(record, value)| {
            let value = (*value)?;
            let value = match i32::try_from(value) {
                Ok(value) => self.label(record.ty, value),
                Err(_) => value.to_string(),
            };
            Some(format!("{} {value}", record.name))
        });
        let told: Vec<String> = told.collect();
        if !told.is_empty() && trial.outcome != Outcome::Unresolved {
            self.page.say_list("Recorded: ", &told, ",", None);
        }
    }
}

/// Adds a comma to all parts but the last, and what ends the list to that.
fn listed(mut parts: Vec<String>, end: &str) -> Vec<String> {
    let last = parts.len().saturating_sub(1);
    parts.iter_mut().enumerate().for_each(|(at, part)| *part += if at < last { "," } else { end });
    parts
}
