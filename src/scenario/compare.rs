//! The question of two rules files without a scenario file: is there any difference, and where?
//!
//! In: two rules files, and what is settled of the situation. Out: the text of a scenario, which is read like any other.
//!
//! **Never:** playing anything.

use super::bind::factors_named;
use crate::rules::{Factor, Ruleset, Type};
use std::collections::BTreeSet;
use std::path::Path;

/// Most situations that factors are varied for without being asked to.
const SITUATIONS: usize = 1_000;

/// Two rules files, of which the first is the baseline, and what is settled.
#[derive(Clone, Copy, Debug)]
pub struct Pair<'a> {
    /// Each file, as it is to be found from the folder that the scenario would stand in, and what it says.
    pub rules: [(&'a Path, &'a Ruleset); 2],
    /// The test.
    pub test: &'a str,
    /// Factors, each with its value.
    pub set: &'a [(String, String)],
    /// Choices, each with what the player does.
    pub policy: &'a [(String, String)],
    /// Trials for each variant and situation.
    pub trials: u64,
    /// The seed of the dice.
    pub seed: u64,
}

/// A scenario that compares two rules files.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Compared {
    /// The scenario, as a file would say it.
    pub text: String,
    /// Factors that are left at their defaults, because one of the files does not know them or because there would be too
    /// many situations.
    pub left: Vec<String>,
}

/// Writes the scenario. Its grid has every value of the kinds and flags that the test looks at, and those numbers for
/// which there are not too many situations.
pub fn compare(pair: &Pair<'_>) -> Compared {
    let names = names(pair.rules.map(|(path, _)| path));
    let (grid, left) = grid(pair);
    let quoted = |text: &str| toml::Value::from(text).to_string();
    let line = |(name, value): &(String, String)| format!("{} = {value}\n", quoted(name));
    let variant = |(name, (path, _)): (&String, (&Path, &Ruleset))| {
        line(&(name.clone(), quoted(&path.to_string_lossy())))
    };
    let set = pair.set.iter().map(|(name, value)| line(&(name.clone(), quoted(value))));
    let policy = pair.policy.iter().map(|(name, value)| line(&(name.clone(), quoted(value))));
    let text = format!(
        "title = {}\ntest = {}\ntrials = {}\nseed = {}\nbaseline = {}\n\n[variants]\n{}\n[grid]\n{}{}\n[policy]\n{}",
        quoted(&format!("{} against {}: {}", names[1], names[0], pair.test.replace('_', " "))),
        quoted(pair.test),
        pair.trials,
        pair.seed,
        quoted(&names[0]),
        names.iter().zip(pair.rules).map(variant).collect::<String>(),
        set.collect::<String>(),
        grid.iter().map(line).collect::<String>(),
        policy.collect::<String>(),
    );
    Compared { text, left }
}

/// What the variants are called: like their files, or else like the folders that these stand in.
fn names(paths: [&Path; 2]) -> [String; 2] {
    let stem = |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let folder = |path: &Path| path.parent().map(stem).filter(|name| !name.is_empty());
    let [first, second] = paths.map(stem);
    if first != second {
        return [first, second];
    }
    match paths.map(folder) {
        [Some(one), Some(other)] if one != other => [one, other],
        _ => [first, format!("{second} (second)")],
    }
}

/// The factors that vary, with what stands in the file for their values; and those that are left at their defaults.
fn grid(pair: &Pair<'_>) -> (Vec<(String, String)>, Vec<String>) {
    let mut situations = 1_usize;
    let (mut grid, mut left) = (Vec::new(), Vec::new());
    let (named, mut numbers): (Vec<_>, Vec<_>) =
        open(pair).into_iter().partition(|(_, factor)| factor.ty != Type::Number);
    // short stretches first, so that as many factors vary as can
    numbers.sort_by_key(|(_, factor)| factor.values.len());
    for (rules, factor) in named.into_iter().chain(numbers) {
        let values = values(pair, rules, factor);
        let all = situations.saturating_mul(values.len());
        let own = pair.rules.iter().any(|(_, rules)| rules.factor(&factor.name).is_none());
        if (own || all > SITUATIONS) && factor.default.is_some() {
            left.push(factor.name.clone());
            continue;
        }
        situations = all;
        grid.push((factor.name.clone(), format!("[{}]", values.join(", "))));
    }
    (grid, left)
}

/// The factors that either test looks at and nobody has settled, each once.
fn open<'a>(pair: &Pair<'a>) -> Vec<(&'a Ruleset, &'a Factor)> {
    let mut seen = BTreeSet::new();
    let settled = |rules: &Ruleset, factor: &Factor| {
        pair.set.iter().any(|(name, _)| {
            factors_named(rules, name).iter().any(|id| rules.factors[id.0].name == factor.name)
        })
    };
    let mut open = Vec::new();
    for (_, rules) in pair.rules {
        let read = rules.test(pair.test).map_or_else(Vec::new, |test| rules.factors_read(test));
        let factors = read.into_iter().map(|id| &rules.factors[id.0]);
        let fresh = factors.filter(|factor| !settled(rules, factor) && seen.insert(factor.name.clone()));
        open.extend(fresh.map(|factor| (rules, factor)));
    }
    open
}

/// The values that a factor can have in all of the rules that know it, as scenarios write them.
fn values(pair: &Pair<'_>, rules: &Ruleset, factor: &Factor) -> Vec<String> {
    let known = |rules: &Ruleset, factor: &Factor| -> Vec<String> {
        factor.values.iter().map(|value| rules.name_of(factor.ty, *value)).collect()
    };
    let others: Vec<Vec<String>> = pair
        .rules
        .iter()
        .filter_map(|(_, rules)| Some(known(rules, &rules.factors[rules.factor(&factor.name)?.0])))
        .collect();
    let mut values = known(rules, factor);
    values.retain(|value| others.iter().all(|known| known.contains(value)));
    match factor.ty {
        Type::Number => values,
        Type::Flag => values.iter().map(|value| (value == "yes").to_string()).collect(),
        _ => values.iter().map(|value| format!("\"{value}\"")).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::{Diagnostics, Sources};
    use crate::rules;
    use crate::scenario::{self, Scenario};

    /// Two rules files under such paths, compared, and the scenario that comes of it.
    fn compared(files: [(&str, &str); 2], set: &[(&str, &str)]) -> (Compared, Scenario) {
        let (mut sources, mut found) = (Sources::default(), Diagnostics::default());
        let rules = files.map(|(path, text)| {
            sources.add(path, format!("ruleset \"r\"\n{text}"));
            let rules = rules::load(Path::new(path), &mut sources, &mut found);
            rules.unwrap_or_else(|| panic!("{found:?}"))
        });
        let set: Vec<_> = set.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let pair = Pair {
            rules: [(Path::new(files[0].0), &rules[0]), (Path::new(files[1].0), &rules[1])],
            test: "t",
            set: &set,
            policy: &[],
            trials: 10,
            seed: 3,
        };
        let compared = compare(&pair);
        sources.add("comparison", compared.text.clone());
        let scenario = scenario::load(Path::new("comparison"), &mut sources, &mut found);
        let told: Vec<String> = found.into_iter().map(|one| one.message).collect();
        (compared, scenario.unwrap_or_else(|| panic!("{told:?}")))
    }

    #[test]
    fn kinds_and_flags_come_before_numbers_of_which_some_are_left() {
        let text = "factor wide: 0..200 = 7\nfactor few: 1..3 = 1\n\
                    factor arm: foot | horse\nfactor tired: flag\nfactor idle: 0..9 = 4\n\
                    test t -> number { return d6 + few + wide + (1 if arm is horse else 0) \
                    + (1 if tired else 0) }";
        let (compared, scenario) = compared([("a.rules", text), ("b.rules", text)], &[]);
        let factors: Vec<(&str, usize)> =
            scenario.factors.iter().map(|factor| (factor.name.as_str(), factor.values.len())).collect();
        assert_eq!(factors, [("arm", 2), ("tired", 2), ("few", 3)]);
        assert_eq!((scenario.situations.len(), scenario.baseline), (12, 0));
        assert_eq!(compared.left, ["wide"]);
        assert_eq!(scenario.title, "b against a: t");
    }

    #[test]
    fn what_is_settled_does_not_vary() {
        let text = "factor few: 1..3\nfactor more: 1..5\ntest t -> number { return d6 + few + more }";
        let (_, scenario) = compared([("old/r.rules", text), ("new/r.rules", text)], &[("few", "2")]);
        assert_eq!(scenario.situations.len(), 5);
        let names: Vec<&str> = scenario.variants.iter().map(|variant| variant.name.as_str()).collect();
        assert_eq!(names, ["old", "new"]);
    }

    #[test]
    fn only_what_both_know_is_compared() {
        let text = |values| format!("factor few: {values}\ntest t -> number {{ return d6 + few }}");
        let (_, scenario) = compared([("a.rules", &text("1..3")), ("b.rules", &text("2..5"))], &[]);
        let values: Vec<&str> = scenario.factors[0].values.iter().map(|value| value.name.as_str()).collect();
        assert_eq!(values, ["2", "3"]);
    }
}
