//! The story of one trial: dice, modifiers, chart rows and choices, each with its line in the rules.
//!
//! In: the steps of a trial. Out: text that a player can follow at the table, at most 80 columns wide where labels allow.

use crate::plan::{Event, Outcome, Plan};
use crate::rules::{Callee, ChartId, ChoiceId, FactorId, ModifiersId, Span, Type};
use crate::scenario::describe_move;

/// Quotes a place in the rules: `file:line` and the text that stands there.
pub type Quote<'a> = &'a dyn Fn(Span) -> (String, String);

/// How wide a line may be.
const WIDTH: usize = 80;

/// Tells a trial.
pub fn story(plan: &Plan, events: &[Event], outcome: Outcome, quote: Quote) -> String {
    let mut teller = Teller { plan, quote, depth: 1, in_chart: false, text: String::new() };
    teller.situation();
    // The entry's own beginning and end frame the story and are not told.
    for event in events.get(1..events.len().saturating_sub(1)).unwrap_or_default() {
        teller.event(event);
    }
    teller.depth = 0;
    teller.say(&match outcome {
        Outcome::Result(value) => {
            format!("Result: {}", teller.label(plan.rules.tests[plan.entry.0].result, value))
        }
        Outcome::Unresolved => {
            "No result: a loop went on for longer than the rules allow the tool to wait".to_owned()
        }
    });
    teller.text
}

struct Teller<'a> {
    plan: &'a Plan,
    quote: Quote<'a>,
    depth: usize,
    /// Whether the call that began last is that of a chart.
    in_chart: bool,
    text: String,
}

impl Teller<'_> {
    fn say(&mut self, line: &str) {
        self.text += &format!("{:indent$}{line}\n", "", indent = 2 * self.depth);
    }

    /// A line with its place in the rules at the right, or below where there is no room.
    fn say_from(&mut self, line: &str, span: Span) {
        let (place, _) = (self.quote)(span);
        let room = WIDTH.saturating_sub(2 * self.depth + line.chars().count() + 2);
        if place.chars().count() <= room {
            self.say(&format!("{line}  {place:>room$}"));
        } else {
            self.say(line);
            let width = WIDTH.saturating_sub(2 * self.depth);
            self.say(&format!("{place:>width$}"));
        }
    }

    fn label(&self, ty: Type, value: i32) -> String {
        self.plan.rules.label_of(ty, value)
    }

    /// The factors that the test reads, as the trial finds them.
    fn situation(&mut self) {
        let rules = &self.plan.rules;
        let factors = rules.factors_read(self.plan.entry);
        let told: Vec<String> =
            factors.iter().map(|factor| self.factor(*factor, self.plan.situation[factor.0])).collect();
        self.depth = 0;
        self.say(&format!("{}:", rules.tests[self.plan.entry.0].name));
        self.depth = 1;
        for line in wrapped(&told, WIDTH - 2) {
            self.say(&line);
        }
    }

    fn factor(&self, id: FactorId, value: i32) -> String {
        let factor = &self.plan.rules.factors[id.0];
        format!("{} {}", factor.name, self.plan.rules.name_of(factor.ty, value))
    }

    fn event(&mut self, event: &Event) {
        match event {
            Event::Began(callee) => self.began(*callee),
            Event::Ended(callee, value) => self.ended(*callee, *value),
            // A chart's keys are told in the line that reads it.
            Event::Changed(..) if self.in_chart => {}
            Event::Changed(factor, value) => {
                let told = self.factor(*factor, *value);
                self.say(&format!("for this: {told}"));
            }
            Event::Rolled { faces, shown, span } => self.rolled(*faces, shown, *span),
            Event::Modified { modifiers, line, amount } => self.modified(*modifiers, *line, *amount),
            Event::Named { name, ty, value } => {
                let label = self.label(*ty, *value);
                self.say(&format!("{name} = {label}"));
            }
            Event::Read { chart, keys, row, .. } => self.read(*chart, keys, *row),
            Event::Chose { choice, option } => self.chose(*choice, *option),
        }
    }

    fn began(&mut self, callee: Callee) {
        self.in_chart = matches!(callee, Callee::Chart(_));
        if !self.in_chart {
            let name = self.plan.rules.callee_name(callee).to_owned();
            self.say(&format!("{name}:"));
        }
        self.depth += 1;
    }

    fn ended(&mut self, callee: Callee, value: i32) {
        let rules = &self.plan.rules;
        let told = match callee {
            Callee::Modifiers(_) if value == 0 => "in all 0".to_owned(),
            Callee::Modifiers(_) => format!("in all {value:+}"),
            Callee::Chart(id) => format!("it says: {}", self.label(rules.charts[id.0].result, value)),
            Callee::Test(id) => format!("it gives: {}", self.label(rules.tests[id.0].result, value)),
        };
        self.say(&told);
        self.depth -= 1;
    }

    fn rolled(&mut self, faces: u32, shown: &[u32], span: Span) {
        let sum: u32 = shown.iter().sum();
        let dice: Vec<String> = shown.iter().map(u32::to_string).collect();
        let line = match shown {
            [one] => format!("roll d{faces}: {one}"),
            _ => format!("roll {}d{faces}: {} = {sum}", shown.len(), dice.join(" + ")),
        };
        self.say_from(&line, span);
    }

    fn modified(&mut self, modifiers: ModifiersId, line: usize, amount: i32) {
        let rules = self.plan.rules.clone();
        let line = &rules.modifiers[modifiers.0].lines[line];
        self.say_from(&format!("{amount:+}  {}", line.label), line.span);
    }

    fn read(&mut self, id: ChartId, keys: &[i32], row: usize) {
        let rules = self.plan.rules.clone();
        let chart = &rules.charts[id.0];
        let keys = chart.parameters.iter().zip(keys);
        let keys: Vec<String> =
            keys.map(|(key, value)| format!("{} {}", key.name, rules.name_of(key.ty, *value))).collect();
        self.depth -= 1;
        let row = chart.rows[row].span;
        self.say_from(&format!("read {} at {}", chart.name, keys.join(", ")), row);
        self.depth += 1;
        let (_, text) = (self.quote)(row);
        self.say(&text.split_whitespace().collect::<Vec<_>>().join(" "));
    }

    fn chose(&mut self, id: ChoiceId, option: i32) {
        let rules = self.plan.rules.clone();
        let choice = &rules.choices[id.0];
        let policy =
            self.plan.moves[id.0].as_ref().map_or_else(String::new, |one| describe_move(&rules, choice, one));
        let option = self.label(Type::Kind(choice.kind), option);
        self.say(&format!("the player chooses: {option}"));
        self.say(&format!("(policy of {}: {policy})", choice.name));
    }
}

/// The parts with commas between them, in lines of at most `width` letters.
fn wrapped(parts: &[String], width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for (number, part) in parts.iter().enumerate() {
        let part = if number + 1 < parts.len() { format!("{part},") } else { part.clone() };
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + part.chars().count() <= width => {
                line.push(' ');
                line.push_str(&part);
            }
            _ => lines.push(part),
        }
    }
    lines
}
