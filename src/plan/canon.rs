//! Rules, situation and policy → a text that is the same for plans that are written alike: for those that are not folded.
//!
//! In it stands everything that the entry may come to, without places, labels and the names of what is not reported. Each
//! piece, factor, choice and unit line is numbered where it first comes up, so that nothing depends on what else the
//! rules have.
//!
//! **Never:** anything left out that a trial may depend on.

mod expression;
mod statement;

use crate::rules::{Callee, ChartId, ChoiceId, FactorId, Picks, RecordId, Ruleset, TestId, Type, UnitsId};
use crate::scenario::Move;
use std::collections::BTreeSet;
use std::fmt::{Debug, Write};

/// The text of a plan.
pub(super) fn canon(rules: &Ruleset, entry: TestId, situation: &[i32], moves: &[Option<Move>]) -> String {
    let text = String::from_utf8_lossy(super::SEMANTICS).into_owned() + " unfolded";
    let mut canon = Canon {
        rules,
        moves,
        text,
        callees: Vec::new(),
        factors: Vec::new(),
        choices: Vec::new(),
        units: Vec::new(),
        records: BTreeSet::new(),
    };
    canon.kind(rules.tests[entry.0].result);
    canon.callee(Callee::Test(entry));
    canon.rest();
    canon.situation(situation);
    canon.text
}

struct Canon<'a> {
    rules: &'a Ruleset,
    moves: &'a [Option<Move>],
    text: String,
    /// What came up so far; the position is the number in the text.
    callees: Vec<Callee>,
    factors: Vec<FactorId>,
    choices: Vec<ChoiceId>,
    units: Vec<UnitsId>,
    records: BTreeSet<RecordId>,
}

impl Canon<'_> {
    /// Writes one word. Each node writes its sort and then a number of parts that the sort, or a number, tells.
    fn word(&mut self, word: impl Debug) {
        // Writing to a string cannot fail.
        let _ = write!(self.text, " {word:?}");
    }

    /// Writes the sort of a node.
    fn sort(&mut self, sort: &str) {
        self.text.push(' ');
        self.text += sort;
    }

    fn each<T>(&mut self, items: &[T], write: impl Fn(&mut Self, &T)) {
        self.word(items.len());
        items.iter().for_each(|item| write(self, item));
    }

    fn maybe<T>(&mut self, item: Option<&T>, write: impl Fn(&mut Self, &T)) {
        self.each(item.as_slice(), |canon, item| write(canon, item));
    }

    fn callee(&mut self, callee: Callee) {
        let number = number(&mut self.callees, callee);
        self.word(number);
    }

    fn factor(&mut self, factor: FactorId) {
        let number = number(&mut self.factors, factor);
        self.word(number);
    }

    fn choice(&mut self, choice: ChoiceId) {
        let number = number(&mut self.choices, choice);
        self.word(number);
        if let Picks::Order(units) = self.rules.choices[choice.0].picks {
            self.units(units); // its policy looks at each unit in that unit's own situation
        }
    }

    fn units(&mut self, units: UnitsId) {
        let number = number(&mut self.units, units);
        self.word(number);
    }

    fn record(&mut self, record: RecordId) {
        self.records.insert(record);
        self.word(record.0);
    }

    /// The names of a kind's values, as results are counted under them.
    fn kind(&mut self, ty: Type) {
        match ty {
            Type::Kind(kind) => {
                let values = &self.rules.kinds[kind.0].values;
                self.each(values, |canon, value| canon.word(&value.name));
            }
            Type::Number => self.sort("number"),
            Type::Flag => self.sort("flag"),
            Type::Unit(units) => self.units(units),
            Type::Nothing => self.sort("nothing"),
        }
    }

    /// Writes out pieces and moves until none comes up that was not written.
    fn rest(&mut self) {
        let (mut pieces, mut moves) = (0, 0);
        while pieces < self.callees.len() || moves < self.choices.len() {
            if let Some(callee) = self.callees.get(pieces).copied() {
                pieces += 1;
                self.piece(callee);
            } else {
                let choice = self.choices[moves];
                moves += 1;
                self.play(choice);
            }
        }
    }

    fn piece(&mut self, callee: Callee) {
        let rules = self.rules;
        self.sort("\npiece");
        self.each(rules.parameters(callee), |canon, parameter| canon.place(parameter.place));
        match callee {
            Callee::Modifiers(id) => {
                self.sort("modifiers");
                self.each(&rules.modifiers[id.0].lines, |canon, line| {
                    canon.maybe(line.condition.as_ref(), Self::expr);
                    canon.maybe(line.per.as_ref(), Self::expr);
                    canon.expr(&line.amount);
                });
            }
            Callee::Chart(id) => self.chart(id),
            Callee::Test(id) => {
                self.sort("test");
                self.word(rules.tests[id.0].items);
                self.block(&rules.tests[id.0].body);
            }
        }
    }

    fn chart(&mut self, id: ChartId) {
        let chart = &self.rules.charts[id.0];
        self.sort("chart");
        self.each(&chart.columns, Self::set);
        self.each(&chart.rows, |canon, row| {
            canon.each(&row.keys, Self::set);
            canon.each(&row.cells, |canon, cell| canon.maybe(cell.as_ref(), Self::expr));
        });
    }

    /// What the player does at a choice.
    fn play(&mut self, choice: ChoiceId) {
        let moves = self.moves;
        self.sort("\nplay");
        match moves.get(choice.0).and_then(Option::as_ref) {
            None => self.sort("first"),
            Some(play) => self.one_move(play),
        }
    }

    fn one_move(&mut self, play: &Move) {
        match play {
            Move::Option(option) => self.word(("option", option)),
            Move::Mix(weights) => self.word(("mix", weights)),
            Move::Condition { expr, .. } => {
                self.sort("condition");
                self.expr(expr);
            }
            Move::End(end) => self.word(("end", end)),
            Move::Dice { set, .. } => {
                self.sort("dice");
                self.set(set);
            }
            Move::Order { by, end, .. } => {
                self.word(("order", end));
                self.maybe(by.as_ref(), Self::expr);
            }
            Move::Aim(text) => self.word(("aim", text)),
            Move::ForUnits(units, of, rest) => {
                self.sort("for");
                self.units(*units);
                // what this factor means tells for which unit the call is
                self.rules.units[units.0].factors.first().iter().for_each(|factor| self.factor(**factor));
                self.each(of, |canon, (unit, play)| {
                    canon.word(unit);
                    canon.one_move(play);
                });
                self.one_move(rest);
            }
        }
    }

    /// The records that came up, the factors that each unit has of those that came up, and what all of these are.
    fn situation(&mut self, situation: &[i32]) {
        let rules = self.rules;
        for record in std::mem::take(&mut self.records) {
            self.sort("\nrecord");
            self.record(record);
            self.word(&rules.records[record.0].name);
            self.kind(rules.records[record.0].ty);
        }
        let came_up = self.factors.clone();
        let mut line = 0;
        while let Some(units) = self.units.get(line).map(|units| &rules.units[units.0]) {
            self.sort("\nunits");
            for (position, factor) in units.factors.iter().enumerate() {
                if came_up.contains(factor) {
                    self.factor(*factor);
                    let own: Vec<FactorId> =
                        (0..units.names.len()).map(|unit| units.own(unit, position)).collect();
                    self.each(&own, |canon, own| canon.factor(*own));
                }
            }
            line += 1;
        }
        let values: Vec<i32> = self.factors.iter().map(|factor| situation[factor.0]).collect();
        self.sort("\nvalues");
        self.word(values);
    }
}

/// The position of what comes up, new or not.
fn number<T: PartialEq>(known: &mut Vec<T>, one: T) -> usize {
    known.iter().position(|known| *known == one).unwrap_or_else(|| {
        known.push(one);
        known.len() - 1
    })
}
