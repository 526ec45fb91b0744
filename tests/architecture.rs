//! The rooms of the house: which may import which, and which one opens the door to each outside crate.
//!
//! The tables below are the architecture diagram. Modules under `#[cfg(test)]` are left out: tests are where rooms
//! meet.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// What each room may import. The longest name that fits a module decides; a room that is not listed may not exist.
const IMPORTS: &[(&str, &[&str])] = &[
    ("diagnostic", &[]),
    ("random", &[]),
    ("dice", &[]),
    ("dice::roll", &["random"]),
    ("rules", &["dice", "diagnostic"]),
    ("scenario", &["rules", "diagnostic"]),
    ("plan", &["scenario", "rules", "dice"]),
    ("interpret", &["plan", "rules", "dice", "random"]),
    ("kernel", &["plan", "random"]),
    ("exact", &["plan", "dice"]),
    ("simulate", &["plan", "random"]),
    ("analyse", &["plan"]),
    ("results", &["plan"]),
    ("study", ABOVE_REPORT),
    ("report", &["analyse", "results", "plan", "scenario", "rules"]),
    ("report::pictures", &["analyse", "scenario", "simulate"]),
    ("cli", &["study", "report", "scenario", "rules", "diagnostic"]),
    ("main", &["cli"]),
];

/// Only `study` and the tests may see them all.
#[rustfmt::skip]
const ABOVE_REPORT: &[&str] = &[
    "diagnostic", "random", "dice", "rules", "scenario", "plan", "interpret", "kernel", "exact", "simulate",
    "analyse", "results",
];

/// Modules that never meet, although their rooms may: importer, imported.
const NEVER: &[(&str, &str)] =
    &[("exact", "dice::roll"), ("dice::roll", "dice::distribution"), ("dice::distribution", "dice::roll")];

/// The one door to each outside crate; what only calculates or derives has a few.
const DOORS: &[(&str, &[&str])] = &[
    ("annotate_snippets", &["cli"]),
    ("askama", &["report::page"]),
    ("blake3", &["plan"]),
    ("clap", &["cli"]),
    ("clap_complete", &["cli::completions"]),
    ("clap_mangen", &["cli::man"]),
    ("console", &["cli::out"]),
    ("ctrlc", &["cli"]),
    ("dashu_int", &["dice::distribution", "exact", "plan::probability"]),
    ("dashu_ratio", &["exact", "plan::probability"]),
    ("dejavu", &["report::chart"]),
    ("indicatif", &["cli"]),
    ("libm", &["analyse", "exact::number", "report::chart"]),
    ("plotters", &["report::chart"]),
    ("polars", &["results"]),
    ("quick_junit", &["report::ci::junit"]),
    ("rand_core", &["random"]),
    ("rand_pcg", &["random"]),
    ("rayon", &["simulate"]),
    ("resvg", &["report::chart"]),
    ("serde_json", &["results", "report::write"]),
    ("smallvec", &["dice::distribution", "exact", "kernel::once", "rules"]),
    ("tempfile", &["results"]),
    ("thiserror", &["results", "report::chart", "study"]),
    ("toml", &["scenario"]),
];

/// What stands before a module of tests.
const TESTS: &str = "#[cfg(test)]\nmod ";

#[test]
fn every_room_imports_only_what_the_table_allows() {
    let mut wrong = Vec::new();
    for (module, text) in modules() {
        let Some(allowed) = allowed_imports(&module) else {
            wrong.push(format!("{module}: this room is not in the table"));
            continue;
        };
        for import in imports(&module, &text) {
            if !import_is_allowed(&module, &import, allowed) {
                wrong.push(format!("{module} imports {import}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_outside_crate_has_one_door() {
    let mut wrong = Vec::new();
    for (module, text) in modules() {
        for (name, doors) in DOORS {
            if mentions(&text, name) && !doors.iter().any(|door| within(&module, door)) {
                wrong.push(format!("{module} uses {name}, whose door is {}", doors.join(", ")));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_dependency_is_listed_with_its_door() {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let table = manifest.split("[dependencies]\n").nth(1).unwrap().split("\n[").next().unwrap();
    let named: BTreeSet<String> =
        table.lines().filter_map(|line| Some(line.split_once(" =")?.0.replace('-', "_"))).collect();
    let listed: BTreeSet<String> = DOORS.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(named, listed);
}

#[test]
fn files_stay_short() {
    let long: Vec<String> = source_files()
        .iter()
        .map(|path| (path, without_tests(&fs::read_to_string(path).unwrap()).lines().count()))
        .filter(|(path, lines)| *lines > if path.ends_with("main.rs") { 39 } else { 600 })
        .map(|(path, lines)| format!("{}: {lines} lines", path.display()))
        .collect();
    assert!(long.is_empty(), "{}", long.join("\n"));
}

#[test]
fn the_design_page_has_a_line_for_every_file() {
    let page = fs::read_to_string(root().join("DESIGN.md")).unwrap();
    let names =
        source_files().into_iter().map(|path| path.strip_prefix(root()).unwrap().display().to_string());
    let missing: Vec<String> = names.filter(|name| !page.contains(&format!("- `{name}`: "))).collect();
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

#[test]
fn the_scanner_sees_every_spelling_of_an_import() {
    let seen = |module: &str, text: &str| imports(module, text).into_iter().collect::<Vec<_>>();
    assert_eq!(seen("plan::tally", "use crate::rules::Expr;"), ["rules::Expr"]);
    assert_eq!(seen("plan::tally", "fn f(x: crate::dice::roll::Roll) {}"), ["dice::roll"]);
    assert_eq!(seen("plan", "use crate::{dice, rules::{A, tree::B}};"), ["dice", "rules::A", "rules::tree"]);
    assert_eq!(seen("plan", "use crate::rules::{\n    A,\n    B,\n};"), ["rules::A", "rules::B"]);
    assert_eq!(seen("dice::distribution", "use super::roll;"), ["dice::roll"]);
    assert_eq!(seen("dice::distribution", "use super::super::random::x;"), ["random::x"]);
    assert_eq!(seen("plan", "use super::rules as r;"), ["rules"]);
    assert_eq!(seen("main", "houserule::cli::run()"), ["cli::run"]);
    assert!(seen("plan", "use std::sync::Arc; use houserule_extra::rules; let mycrate::x;").is_empty());
}

#[test]
fn the_scanner_leaves_out_comments_and_tests() {
    let text = "/// See [`crate::cli`].\nuse crate::dice; // crate::report\n#[cfg(test)]\nmod tests {\n    use crate::cli;\n}\n";
    assert_eq!(imports("plan", &code(text)).into_iter().collect::<Vec<_>>(), ["dice"]);
    assert!(!mentions(&code("// polars::prelude"), "polars"));
    let text = "#[cfg(test)]\nmod example;\nuse crate::dice;\n";
    assert_eq!(test_files(Path::new("src/report.rs"), text), [Path::new("src/report/example.rs")]);
    assert_eq!(without_tests(text), text);
}

#[test]
fn a_forbidden_import_is_noticed() {
    let is_allowed = |module: &str, import: &str| {
        import_is_allowed(module, import, allowed_imports(module).expect("a room of the table"))
    };
    assert!(is_allowed("report::chart", "report::words") && is_allowed("dice::roll", "random::Source"));
    assert!(!is_allowed("report::chart", "study") && !is_allowed("dice::pool", "random::Source"));
    assert!(is_allowed("exact", "dice::distribution") && !is_allowed("exact::chain", "dice::roll"));
    assert!(allowed_imports("helpers").is_none());
    assert!(mentions("use polars::prelude::*;", "polars") && mentions("polars!{}", "polars"));
    assert!(!mentions("let bipolars::x", "polars") && !mentions("use crate::polars::x;", "polars"));
    assert!(within("report::chart::axis", "report::chart") && !within("report::charts", "report::chart"));
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every source file but those that are for tests alone, in order.
fn source_files() -> Vec<PathBuf> {
    let mut files = all_files();
    let tests: Vec<PathBuf> =
        files.iter().flat_map(|path| test_files(path, &fs::read_to_string(path).unwrap())).collect();
    files.retain(|path| !tests.contains(path) && path.components().all(|part| part.as_os_str() != "tests"));
    files
}

fn all_files() -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![root().join("src")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// Every module with its code; `lib.rs`, which only names the rooms, is left out.
fn modules() -> Vec<(String, String)> {
    source_files().iter().filter(|path| !path.ends_with("src/lib.rs")).map(|path| named(path)).collect()
}

/// `src/report/chart.rs` is `report::chart`.
fn named(path: &Path) -> (String, String) {
    let inside = path.strip_prefix(root().join("src")).unwrap().with_extension("");
    let names: Vec<_> = inside.iter().map(|name| name.to_string_lossy()).collect();
    (names.join("::"), code(&fs::read_to_string(path).unwrap()))
}

/// The files of the modules that a file declares for tests alone.
fn test_files(path: &Path, text: &str) -> Vec<PathBuf> {
    let names = text.split(TESTS).skip(1).filter_map(|rest| rest.lines().next()?.strip_suffix(';'));
    names.map(|name| path.with_extension("").join(name).with_extension("rs")).collect()
}

/// The text before the tests at its end.
fn without_tests(text: &str) -> &str {
    let inline = |at: &usize| text[at + TESTS.len()..].lines().next().is_some_and(|line| line.ends_with('{'));
    let tail = text.match_indices(TESTS).map(|(at, _)| at).find(inline);
    &text[..tail.unwrap_or(text.len())]
}

/// The text without its tests and comments.
fn code(text: &str) -> String {
    let lines = without_tests(text).lines().map(|line| line.split("//").next().unwrap_or(line));
    lines.collect::<Vec<_>>().join("\n")
}

/// The first two names of every path that starts at the root of the crate, `super` worked out.
fn imports(module: &str, text: &str) -> BTreeSet<String> {
    let here: Vec<&str> = module.split("::").collect();
    let from_root =
        ["crate::", "houserule::"].into_iter().flat_map(|start| after(text, start)).map(str::to_owned);
    let from_here = after(text, "super::").map(|rest| {
        let ups = 1 + rest.split("::").take_while(|name| *name == "super").count();
        let above = here[..here.len().saturating_sub(ups)].iter().map(|name| format!("{name}::"));
        above.collect::<String>() + rest.trim_start_matches("super::")
    });
    from_root.chain(from_here).flat_map(|path| first_two_names(&path)).collect()
}

/// What follows each place where a path begins with `start`.
fn after<'a>(text: &'a str, start: &'a str) -> impl Iterator<Item = &'a str> {
    text.match_indices(start)
        .filter(|(at, _)| !text[..*at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':'))
        .map(move |(at, _)| &text[at + start.len()..])
}

/// `a::b` of `a::b::c`; of a group, those of each member.
fn first_two_names(path: &str) -> Vec<String> {
    if let Some(group) = path.strip_prefix('{') {
        return members(group).into_iter().flat_map(first_two_names).collect();
    }
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let (room, rest) = path.split_at(path.find(|c| !is_name(c)).unwrap_or(path.len()));
    match rest.strip_prefix("::") {
        None => vec![room.to_owned()],
        Some(rest) => match rest.strip_prefix('{') {
            Some(group) => {
                members(group).iter().map(|member| format!("{room}::{}", first_name(member))).collect()
            }
            None => vec![format!("{room}::{}", first_name(rest))],
        },
    }
}

fn first_name(path: &str) -> &str {
    path.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or(path)
}

/// The members of a group, up to its closing brace.
fn members(group: &str) -> Vec<&str> {
    let mut depth = 0;
    let end = group.find(|c| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        depth < 0
    });
    depth = 0;
    let split = group[..end.unwrap_or(group.len())].split(|c| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        depth == 0 && c == ','
    });
    split.map(str::trim).filter(|member| !member.is_empty()).collect()
}

/// Whether a module is `place` or stands in it.
fn within(module: &str, place: &str) -> bool {
    module.strip_prefix(place).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

/// What the longest fitting line of the table allows.
fn allowed_imports(module: &str) -> Option<&'static [&'static str]> {
    let fitting = IMPORTS.iter().filter(|(place, _)| within(module, place));
    fitting.max_by_key(|(place, _)| place.len()).map(|(_, allowed)| *allowed)
}

fn import_is_allowed(module: &str, import: &str, allowed: &[&str]) -> bool {
    let room = |path: &str| path.split("::").next().unwrap_or_default().to_owned();
    let banned = NEVER.iter().any(|(from, to)| within(module, from) && within(import, to));
    !banned && (room(module) == room(import) || allowed.contains(&room(import).as_str()))
}

/// Whether a path that begins with an outside crate stands in the text.
fn mentions(text: &str, name: &str) -> bool {
    let follows = |rest: &str| ["::", ";", "!", " as "].iter().any(|end| rest.starts_with(end));
    after(text, name).any(follows)
}
