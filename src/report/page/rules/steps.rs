//! The tests of the rules line by line, those lines of a draft marked that the baseline does not have.
//!
//! In: checked rules with their words. Out: what a variant has, a row for each line.
//!
//! **Never:** what a step does.

use super::{Cell, Version};
use crate::rules::{Callee, Test};
use crate::scenario::Scenario;

/// The tests that a trial of a variant can come to and that no draft has replaced, in the order of the rules.
pub(super) fn tests(scenario: &Scenario, variant: usize) -> Vec<&Test> {
    let variant = &scenario.variants[variant];
    let reached = variant.rules.reached(Callee::Test(variant.entry));
    let test = |callee: Callee| match callee {
        Callee::Test(id) => variant.rules.tests.get(id.0).filter(|test| !test.replaced),
        _ => None,
    };
    reached.into_iter().filter_map(test).collect()
}

fn test_of<'a>(scenario: &'a Scenario, variant: usize, name: &str) -> Option<&'a Test> {
    tests(scenario, variant).into_iter().find(|test| test.name == name)
}

/// What a variant has under a name, beside what the baseline has; `None` where no trial comes to it.
pub(super) fn version(scenario: &Scenario, variant: usize, name: &str) -> Option<Version> {
    let test = test_of(scenario, variant, name)?;
    let baseline = variant == scenario.baseline;
    let before = if baseline { None } else { test_of(scenario, scenario.baseline, name) };
    let old: &[String] = before.map_or(&[], |before| &before.words);
    let kept = match before {
        Some(_) => in_both(old, &test.words),
        None => (0..test.words.len()).map(|at| (at, at)).collect(),
    };
    let line = |(at, words): (usize, &String)| {
        vec![Cell { words: words.clone(), new: !kept.iter().any(|(_, new)| *new == at), ..Cell::default() }]
    };
    let rows: Vec<Vec<Cell>> = test.words.iter().enumerate().map(line).collect();
    let gone = old.iter().enumerate().filter(|(at, _)| !kept.iter().any(|(old, _)| old == at));
    Some(Version {
        variant: scenario.variants[variant].name.clone(),
        baseline,
        added: !baseline && before.is_none(),
        heading: vec!["Step".to_owned()],
        keys: 0,
        changed: rows.iter().flatten().filter(|cell| cell.new).count(),
        rows,
        gone: gone.map(|(_, line)| line.trim_start().to_owned()).collect(),
    })
}

/// The positions of the longest run of lines that both have in the same order, a pair each.
fn in_both(old: &[String], new: &[String]) -> Vec<(usize, usize)> {
    // `longest[a][b]`: how many lines the ends from `a` and from `b` on have alike
    let mut longest = vec![vec![0_usize; new.len() + 1]; old.len() + 1];
    for a in (0..old.len()).rev() {
        for b in (0..new.len()).rev() {
            longest[a][b] = match old[a] == new[b] {
                true => longest[a + 1][b + 1] + 1,
                false => longest[a + 1][b].max(longest[a][b + 1]),
            };
        }
    }
    let (mut a, mut b, mut both) = (0, 0, Vec::new());
    while a < old.len() && b < new.len() {
        if old[a] == new[b] {
            both.push((a, b));
            (a, b) = (a + 1, b + 1);
        } else if longest[a + 1][b] >= longest[a][b + 1] {
            a += 1;
        } else {
            b += 1;
        }
    }
    both
}

#[cfg(test)]
mod lines {
    use super::super::{Piece, Sort, pieces};
    use super::*;
    use crate::analyse::{LEVEL, analyse};
    use crate::diagnostic::{Diagnostics, Sources};
    use std::path::Path;

    /// The pieces of a scenario of these rules and a draft of them.
    fn of(base: &str, draft: &str) -> Vec<Piece> {
        let mut sources = Sources::default();
        let question = "test = \"t\"\nbaseline = \"a\"\n[variants]\na = \"a.rules\"\nb = \"b.rules\"\n";
        for (file, text) in [("a.rules", base), ("b.rules", draft), ("a.toml", question)] {
            sources.add(file, text);
        }
        let mut found = Diagnostics::default();
        let scenario = crate::scenario::load(Path::new("a.toml"), &mut sources, &mut found);
        pieces(&scenario.unwrap(), &analyse(&[], 0, &[], LEVEL))
    }

    const BASE: &str = "ruleset \"A\"\ntest aim -> number { return d6 }\n\
        test t -> number {\n  let shot = aim # a comment {\n\n  if shot is 1 { return 0 }\n  return shot\n}\n";

    #[test]
    fn a_test_that_a_draft_replaces_stands_beside_that_of_the_baseline() {
        let draft = "ruleset \"B\"\nextends \"a.rules\"\noverride test t -> number {\n  let shot = aim\n  \
                     let more = d6\n  return shot + more\n}\n";
        let all = of(BASE, draft);
        let names: Vec<_> = all.iter().map(|piece| (piece.name.as_str(), piece.sort)).collect();
        assert_eq!(names, [("t", Sort::Test)], "the other test is the same");
        let [a, b] = &all[0].versions[..] else { panic!("{:?}", all[0]) };
        let lines = |version: &Version| {
            let line = |row: &Vec<Cell>| (row[0].words.clone(), row[0].new);
            version.rows.iter().map(line).collect::<Vec<_>>()
        };
        let text = |line: &str, new| (line.to_owned(), new);
        assert_eq!(lines(a)[0], text("test t -> number {", false));
        assert!(a.baseline && a.changed == 0 && lines(a).iter().all(|(_, new)| !new));
        assert_eq!(
            lines(b),
            [
                text("test t -> number {", false),
                text("    let shot = aim", false),
                text("    let more = d6", true),
                text("    return shot + more", true),
                text("}", false),
            ]
        );
        assert_eq!((b.changed, b.gone.join("; ").as_str()), (2, "if shot is 1 { return 0 }; return shot"));
    }

    #[test]
    fn a_test_that_only_a_draft_comes_to_is_shown_and_one_that_uses_the_old_is_not_taken_for_it() {
        let draft = "ruleset \"B\"\nextends \"a.rules\"\ntest luck -> number { return d6 }\n\
                     override test t -> number { return t + luck }\n";
        let all = of(BASE, draft);
        let names: Vec<_> = all.iter().map(|piece| piece.name.as_str()).collect();
        assert_eq!(names, ["t", "luck"]);
        assert!(all[1].versions[0].added && all[1].without == ["a"]);
        assert_eq!(all[0].versions[1].rows[1][0].words, "    return t + luck");
        assert!(of(BASE, "ruleset \"B\"\nextends \"a.rules\"\n").is_empty());
    }

    #[test]
    fn lines_that_both_have_in_order_are_found() {
        let lines = |text: &str| text.chars().map(String::from).collect::<Vec<_>>();
        // by hand: "abcbd" and "bdcb" have "bcb" alike
        assert_eq!(in_both(&lines("abcbd"), &lines("bdcb")), [(1, 0), (2, 2), (3, 3)]);
        assert_eq!(in_both(&lines("ab"), &lines("")), []);
        assert_eq!(in_both(&lines("ab"), &lines("ab")), [(0, 0), (1, 1)]);
    }
}
