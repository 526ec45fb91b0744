//! Where a roll starts: rules, test, situation and policy, put together from a file and the command line.

use crate::diagnostic::{Diagnostic, Diagnostics, Sources, Span};
use crate::rules::{
    self, Call, Callee, ChartId, Choice, Factor, FactorId, Part, Ruleset, Test, TestId, Type,
};
use crate::scenario::{Move, Scenario, allowed, examples, factors_named, read_policy};
use crate::study::Roll;
use std::sync::Arc;

/// What is known so far.
pub(in crate::cli) struct Start {
    rules: Arc<Ruleset>,
    /// The test that was asked for.
    pub(in crate::cli) test: Option<String>,
    values: Vec<Option<i32>>,
    moves: Vec<Option<Move>>,
    /// The test of which the scenario's aims speak.
    aimed: Option<String>,
}

/// The position of the variant of that name; of the baseline without a name.
pub(super) fn variant(scenario: &Scenario, name: Option<&str>) -> Result<usize, Diagnostic> {
    let Some(name) = name else { return Ok(scenario.baseline) };
    let names = || scenario.variants.iter().map(|variant| variant.name.as_str());
    names().position(|known| known == name).ok_or_else(|| {
        Diagnostic::without_place(format!("the scenario has no variant `{name}`")).did_you_mean(name, names())
    })
}

impl Start {
    /// The defaults of the rules.
    pub(in crate::cli) fn of_rules(rules: Ruleset) -> Self {
        Self {
            test: None,
            values: rules.factors.iter().map(|factor| factor.default).collect(),
            moves: vec![None; rules.choices.len()],
            aimed: None,
            rules: Arc::new(rules),
        }
    }

    /// A variant in the first situation of the grid that agrees with `set`, or else in the first of all.
    pub(super) fn of_scenario(scenario: &Scenario, variant: usize, set: &[(String, String)]) -> Self {
        let rules = &scenario.variants[variant].rules;
        let agrees = |situation: &Vec<usize>| {
            scenario.factors.iter().zip(situation).all(|(factor, position)| {
                let mut said = set.iter().filter(|(name, _)| factor.name == *name);
                factor.bindings[variant].as_ref().is_none_or(|(ids, values)| {
                    let is = |value| {
                        ids.iter()
                            .all(|id| allowed(rules, &rules.factors[id.0], value) == Some(values[*position]))
                    };
                    said.all(|(_, value)| is(value))
                })
            })
        };
        let situation = scenario.situations.iter().position(agrees).unwrap_or(0);
        Self {
            rules: Arc::clone(rules),
            test: Some(scenario.test.clone()),
            values: scenario.assignment(variant, situation).into_iter().map(Some).collect(),
            moves: scenario.variants[variant].moves.clone(),
            aimed: Some(scenario.test.clone()),
        }
    }

    /// Sets a factor of the situation.
    pub(in crate::cli) fn set(&mut self, name: &str, value: &str) -> Result<(), Diagnostic> {
        let names = self.rules.factors.iter().map(|factor| factor.name.as_str());
        let ids = factors_named(&self.rules, name);
        let id = *ids.first().ok_or_else(|| {
            Diagnostic::without_place(format!("the rules have no factor `{name}`")).did_you_mean(name, names)
        })?;
        let factor = &self.rules.factors[id.0];
        let value = allowed(&self.rules, factor, value).ok_or_else(|| {
            let values = self.values_of(id);
            let wrong = Diagnostic::without_place(format!("the factor `{name}` cannot be `{value}`"));
            match factor.ty {
                // No number is a misspelling of another.
                Type::Number => wrong.remedy(format!("it can be: {}", each(&values, String::clone))),
                _ => wrong.did_you_mean(value, values.iter().map(String::as_str)),
            }
        })?;
        ids.iter().for_each(|id| self.values[id.0] = Some(value));
        Ok(())
    }

    /// Says what the player does at a choice, in the words of a scenario's `[policy]`.
    pub(in crate::cli) fn choose(
        &mut self,
        name: &str,
        text: &str,
        sources: &mut Sources,
        wrong: &mut Diagnostics,
    ) {
        let names = self.rules.choices.iter().map(|choice| choice.name.as_str());
        let Some(id) = self.rules.choice(name) else {
            let what = format!("the rules have no choice `{name}`");
            return wrong.push(Diagnostic::without_place(what).did_you_mean(name, names));
        };
        let file = sources.add(format!("--policy {name}"), text);
        let place = Span::new(file, 0, text.len());
        self.moves[id.0] = read_policy(&self.rules, &self.rules.choices[id.0], place, sources, wrong);
    }

    /// Everything that a roll needs; or nothing, and everything that is missing or cannot be.
    pub(super) fn roll(self, seed: u64, wrong: &mut Diagnostics) -> Option<Roll> {
        let entry = self.entry().map_err(|diagnostic| wrong.push(diagnostic)).ok()?;
        wrong.extend(self.missing(entry));
        // What is still open is not read by the test: any of its values will do.
        let any =
            |(factor, value): (&Factor, &Option<i32>)| value.or(factor.values.first().copied()).unwrap_or(0);
        let values: Vec<i32> = self.rules.factors.iter().zip(&self.values).map(any).collect();
        if !wrong.has_errors() {
            wrong.extend(self.impossible(&values));
        }
        let aimed = self.aimed.as_ref() == Some(&self.rules.tests[entry.0].name);
        wrong.extend(aims(&self.rules, &self.moves, aimed));
        let sound = !wrong.has_errors();
        sound.then_some(Roll { rules: self.rules, entry, values, moves: self.moves, seed })
    }

    /// Why the situation does not exist, if it does not.
    fn impossible(&self, values: &[i32]) -> Option<Diagnostic> {
        let why = rules::never(&self.rules, values)?;
        let what = format!("the rules say that this situation does not exist: {why}");
        Some(Diagnostic::without_place(what).remedy("set its factors otherwise with --set"))
    }

    /// The test that was asked for, or the only one, or the only one that no other calls.
    fn entry(&self) -> Result<TestId, Diagnostic> {
        let entries: Vec<&str> = self.rules.entries().collect();
        let called = called(&self.rules);
        let outer: Vec<&str> = entries.iter().copied().filter(|name| !called.contains(name)).collect();
        let name = match (self.test.as_deref(), &entries[..], &outer[..]) {
            (Some(name), ..) => name,
            (None, [only], _) | (None, _, [only]) => only,
            (None, [], _) => {
                return Err(Diagnostic::without_place("the rules have no test that can be rolled")
                    .remedy("add a test that takes nothing in brackets"));
            }
            (None, ..) => {
                return Err(Diagnostic::without_place("the rules have several tests")
                    .remedy(format!("add one of: {}", each(&entries, |name| format!("--test {name}")))));
            }
        };
        self.named(name, &entries)
    }

    /// The test of that name, if it can be rolled.
    fn named(&self, name: &str, entries: &[&str]) -> Result<TestId, Diagnostic> {
        let unknown = || {
            Diagnostic::without_place(format!("there is no test `{name}` that can be rolled"))
                .did_you_mean(name, entries.iter().copied())
        };
        let id = self.rules.test(name).ok_or_else(unknown)?;
        if entries.contains(&name) { Ok(id) } else { Err(self.takes(id, entries)) }
    }

    /// Why a test that takes something cannot be rolled, and what to do.
    fn takes(&self, id: TestId, entries: &[&str]) -> Diagnostic {
        let Test { name, parameters, result, .. } = &self.rules.tests[id.0];
        let result = self.rules.type_name(*result);
        let dots = vec!["..."; parameters.len()].join(", ");
        let own = format!("try_{name} -> {result} {{ return {name}({dots}) }}");
        let what = format!("the test `{name}` takes something in brackets, which a roll cannot give it");
        let wrong = Diagnostic::without_place(what)
            .remedy(format!("write a test that does, such as `test {own}`, and roll that"));
        match entries {
            [] => wrong,
            _ => wrong.remedy(format!("or roll one of: {}", each(entries, |name| format!("--test {name}")))),
        }
    }

    /// The test, and what it leaves to players about whom nobody said anything.
    pub(in crate::cli) fn compared(&self) -> Result<(String, Vec<Diagnostic>), Diagnostic> {
        let entry = self.entry()?;
        Ok((self.rules.tests[entry.0].name.clone(), self.undecided(entry).collect()))
    }

    /// What the test needs to know and nobody said.
    fn missing(&self, entry: TestId) -> Vec<Diagnostic> {
        let factors = self.rules.factors_read(entry);
        let factors = factors.into_iter().filter(|id| self.values[id.0].is_none()).map(|id| {
            let name = &self.rules.factors[id.0].name;
            let values = each(&self.values_of(id), |value| format!("--set {name}={value}"));
            Diagnostic::without_place(format!("the factor `{name}` has no default"))
                .remedy(format!("add one of: {values}"))
        });
        factors.chain(self.undecided(entry)).collect()
    }

    /// The choices about which nobody said anything.
    fn undecided(&self, entry: TestId) -> impl Iterator<Item = Diagnostic> {
        let choices = self.rules.reachable_choices(entry);
        choices.into_iter().filter(|id| self.moves[id.0].is_none()).map(|id| {
            let choice = &self.rules.choices[id.0];
            let name = &choice.name;
            let options = each(&examples(&self.rules, choice), |option| {
                // a shell would part these at a space, and send the roll elsewhere at a sign
                let quote = if format!("{name}{option}").contains([' ', '<', '>']) { "\"" } else { "" };
                format!("--policy {quote}{name}={option}{quote}")
            });
            Diagnostic::without_place(format!("the rules leave the choice `{name}` to the player"))
                .remedy(format!("add one of: {options}"))
        })
    }

    /// The values of a factor, as they are written.
    fn values_of(&self, id: FactorId) -> Vec<String> {
        let factor = &self.rules.factors[id.0];
        factor.values.iter().map(|value| self.rules.name_of(factor.ty, *value)).collect()
    }
}

/// Complains of aims that are not a scenario's, or not at what this test gives: only a scenario says what is counted.
fn aims(rules: &Ruleset, moves: &[Option<Move>], aimed: bool) -> Vec<Diagnostic> {
    let open = |play: &Move| match play {
        Move::Aim { aim, text, .. } if aim.is_none() || !aimed => Some(text.clone()),
        _ => None,
    };
    let aim = |(choice, play): (&Choice, &Option<Move>)| {
        let text = play.iter().flat_map(Move::all).find_map(open)?;
        let what = format!("nothing says what the aim `{text}` counts here");
        let remedy = format!(
            "write {} = \"{text}\" under [policy] of a scenario for this test, and roll that scenario",
            choice.name
        );
        Some(Diagnostic::without_place(what).remedy(remedy))
    };
    rules.choices.iter().zip(moves).filter_map(aim).collect()
}

/// The names of the tests that a test or a chart calls.
fn called(rules: &Ruleset) -> Vec<&str> {
    let tests = (0..rules.tests.len()).map(|at| Callee::Test(TestId(at)));
    let charts = (0..rules.charts.len()).map(|at| Callee::Chart(ChartId(at)));
    let mut called = Vec::new();
    for caller in tests.chain(charts) {
        rules.each_part(caller, &mut |part| {
            if let Part::Call(Call { callee: Callee::Test(id), .. }) = part
                && !rules.tests[id.0].replaced
            {
                called.push(rules.tests[id.0].name.as_str());
            }
        });
    }
    called
}

/// The first few of a list, as one would type them.
fn each<T>(list: &[T], write: impl Fn(&T) -> String) -> String {
    let mut text = list.iter().take(8).map(write).collect::<Vec<_>>().join("  ");
    if list.len() > 8 {
        text += &format!("  and {} more", list.len() - 8);
    }
    text
}

#[cfg(test)]
mod tests;
