//! Scenarios over a small rulebook: what is understood, and what is said about every mistake.

mod charts;
mod claims;
mod grid;
mod policy;
mod second;

use self::claims::with_claim;
use super::*;
use crate::diagnostic::{Diagnostic, Severity, Span};
use crate::scenario::model::*;
use std::fmt::Write as _;

const BASE: &str = r#"ruleset "Base"
outcome morale { hold "Hold"; hold_back "Hold back"; retreat "Retreat"; break "Break" }
factor troop: infantry | cavalry "Troop type"
factor excess: 0..4 = 0 "Excess"
factor shaken: flag = no
never troop is cavalry and shaken "horses never shake"
chart break_chart(score, troop) -> morale {
    score | troop    | result
    9+    | any      | hold
    6..8  | infantry | hold_back or retreat
    6..8  | cavalry  | retreat
    ..5   | any      | break
}
test break_test -> morale { let score = 2d6 - excess - (1 if shaken else 0); return break_chart(score, troop) }
test strength -> number { return 2d6 - excess }
test steady -> flag { return 2d6 >= 8 }
test helper(bonus) -> morale { return break_chart(bonus, troop) }
test helped -> morale { return helper(2d6) }
"#;

const WINDY: &str = r#"ruleset "Windy"
extends "base.rules"
factor wind: 0..3 = 1
override test break_test -> morale { let score = 2d6 - excess - wind; return break_chart(score, troop) }
"#;

const ROUT: &str = r#"ruleset "Rout"
outcome morale { hold; rout "Rout"; break "Broken" }
factor troop: infantry | lancers
factor excess: 0..6 = 0
test break_test -> morale { return hold if troop is infantry and 2d6 >= 7 + excess else (rout if d6 >= 4 else break) }
test strength -> flag { return 2d6 >= 7 }
"#;

const HEAD: &str = "test = \"break_test\"\nbaseline = \"original\"\n[variants]\noriginal = \"base.rules\"\n";
const POLICY: &str = "[policy]\nbreak_chart = \"retreat\"\n";
const GRID: &str = "[grid]\ntroop = [\"infantry\", \"cavalry\"]\nexcess = \"0..2\"\n";

/// What a scenario of that text comes to, with every diagnostic as "text at its place: message".
fn load_text(text: &str) -> (Option<Scenario>, Vec<String>, Vec<Diagnostic>) {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in
        [("base.rules", BASE), ("windy.rules", WINDY), ("rout.rules", ROUT), ("volley.toml", text)]
    {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let (mut sources, mut found) = (Sources::default(), Diagnostics::default());
    let scenario = load(&folder.path().join("volley.toml"), &mut sources, &mut found);
    let told = |one: &Diagnostic| {
        assert!(!one.remedies.is_empty(), "no remedy: {}", one.message);
        let place = one.labels.first().map_or("nowhere", |(span, _)| sources.text(*span));
        format!("{place}: {}", one.message)
    };
    let found: Vec<Diagnostic> = found.iter().filter(|one| !is_hint(one, &sources)).cloned().collect();
    (scenario, found.iter().map(told).collect(), found)
}

/// Whether it is a hint on how rules are written, which says nothing of scenarios.
fn is_hint(one: &Diagnostic, sources: &Sources) -> bool {
    let rules = |span: &Span| sources.get(span.file).path.extension().is_some_and(|ending| ending == "rules");
    one.severity == Severity::Warning && one.labels.iter().any(|(span, _)| rules(span))
}

fn good(text: &str) -> Scenario {
    let (scenario, told, _) = load_text(text);
    assert_eq!(told, Vec::<String>::new(), "{text}");
    scenario.unwrap()
}

fn mistakes(text: &str) -> Vec<String> {
    let (scenario, told, _) = load_text(text);
    assert!(scenario.is_none() && !told.is_empty(), "{text}");
    told
}

fn remedies(text: &str) -> Vec<String> {
    load_text(text).2.into_iter().flat_map(|one| one.remedies).collect()
}

/// The situations as value names.
fn situations(scenario: &Scenario) -> Vec<String> {
    let name = |situation: &Vec<usize>| {
        let names =
            situation.iter().zip(&scenario.factors).map(|(at, factor)| factor.values[*at].name.as_str());
        names.collect::<Vec<_>>().join(" ")
    };
    scenario.situations.iter().map(name).collect()
}

#[test]
fn a_scenario_of_one_variant_is_understood() {
    let scenario = good(&format!("{HEAD}{GRID}{POLICY}"));
    assert_eq!((scenario.title.as_str(), scenario.stem.as_str()), ("volley", "volley"));
    assert_eq!((scenario.trials, scenario.seed, scenario.baseline), (1_000_000, 1, 0));
    let all = ["infantry 0", "infantry 1", "infantry 2", "cavalry 0", "cavalry 1", "cavalry 2"];
    assert_eq!(situations(&scenario), all);
    assert_eq!(scenario.factors[0].label, "Troop type");
    assert!(!scenario.factors[0].numeric && scenario.factors[1].numeric);
    let Results::Named(results) = &scenario.main().results else { panic!("named results") };
    let names: Vec<_> = results.iter().map(|one| (one.name.as_str(), one.label.as_str())).collect();
    assert_eq!(
        names,
        [("hold", "Hold"), ("hold_back", "Hold back"), ("retreat", "Retreat"), ("break", "Break")]
    );
    assert_eq!(scenario.main().variants[0].as_ref().unwrap().positions, [0, 1, 2, 3]);
    assert!(matches!(scenario.variants[0].moves[..], [Some(Move::Option(2))]));
    assert_eq!(scenario.assignment(0, 5), [1, 2, 0]);
}

#[test]
fn a_scenario_that_is_not_there_says_so() {
    let (mut sources, mut found) = (Sources::default(), Diagnostics::default());
    assert!(load(Path::new("no/such/file.toml"), &mut sources, &mut found).is_none());
    assert!(found.iter().next().unwrap().message.starts_with("`no/such/file.toml` cannot be read"));
}

#[test]
fn rules_that_are_not_there_are_shown_where_they_are_named() {
    let told = mistakes("test = \"break_test\"\n[variants]\na = \"basis.rules\"\n");
    assert_eq!(told.len(), 1);
    assert!(told[0].starts_with("\"basis.rules\": ") && told[0].contains("cannot be read"), "{told:?}");
}

#[test]
fn a_test_that_is_not_there_or_needs_a_caller_is_refused() {
    let text = |test: &str| format!("test = \"{test}\"\n[variants]\noriginal = \"base.rules\"\n");
    assert_eq!(mistakes(&text("break_tset")), ["\"break_tset\": there is no test called `break_tset`"]);
    assert_eq!(remedies(&text("break_tset")), ["did you mean `break_test`?"]);
    let (_, told, found) = load_text(&(text("break_tset") + "windy = \"windy.rules\"\n"));
    assert_eq!((told.len(), found[0].labels.len()), (1, 3), "once, and at both variants: {found:?}");
    assert_eq!(
        mistakes(&text("helper")),
        ["\"helper\": `helper` needs `bonus` from its caller: no trial can start there"]
    );
}

#[test]
fn a_baseline_that_is_no_variant_is_refused() {
    let text = "test = \"steady\"\nbaseline = \"orignal\"\nvariants = { original = \"base.rules\" }\n";
    assert_eq!(mistakes(text), ["\"orignal\": the baseline `orignal` is not among the variants"]);
    assert_eq!(remedies(text), ["did you mean `original`?"]);
}

#[test]
fn results_of_several_drafts_are_united_by_name() {
    let text = format!("{HEAD}rout = \"rout.rules\"\n{POLICY}[grid]\ntroop = \"infantry\"\n");
    let scenario = good(&text);
    let Results::Named(results) = &scenario.main().results else { panic!("named results") };
    let names: Vec<_> = results.iter().map(|one| (one.name.as_str(), one.label.as_str())).collect();
    let expected = [
        ("hold", "Hold"),
        ("hold_back", "Hold back"),
        ("retreat", "Retreat"),
        ("break", "Break"),
        ("rout", "Rout"),
    ];
    assert_eq!(names, expected);
    assert_eq!(scenario.main().variants[1].as_ref().unwrap().positions, [0, 4, 3]);
}

#[test]
fn drafts_that_end_in_different_sorts_cannot_be_compared() {
    let text = "test = \"strength\"\n[variants]\na = \"base.rules\"\nb = \"rout.rules\"\n";
    let message = "`strength` ends in a number in `a`, but in yes or no in `b`: these cannot be compared";
    assert_eq!(mistakes(text), [format!("\"strength\": {message}")]);
}

fn with_chart(chart: &str) -> String {
    format!("{HEAD}{POLICY}{GRID}[[chart]]\n{chart}\n")
}

#[test]
fn a_chart_knows_its_axis_and_its_panels() {
    let text = "kind = \"curve\"\noutcome = \"retreat..break\"\npanel = \"troop\"\nwhere = \"troop is cavalry\"\ntitle = \"T\"";
    let scenario = good(&with_chart(text));
    let chart = &scenario.charts[0];
    assert_eq!((chart.kind, chart.x, chart.panel), (ChartKind::Curve, Some(1), Some(0)));
    assert_eq!(chart.outcome.as_ref().unwrap().spans, [(2, 3)]);
    assert_eq!((&chart.situations[..], chart.title.as_deref()), (&[3, 4, 5][..], Some("T")));
}

#[test]
fn a_flow_has_panels_and_no_axis() {
    let flow = |rest: &str| {
        format!("{HEAD}draft = \"windy.rules\"\n{POLICY}{GRID}[[chart]]\nkind = \"flow\"\n{rest}\n")
    };
    let scenario = good(&flow("panel = \"troop\""));
    let chart = &scenario.charts[0];
    assert_eq!((chart.kind, chart.x, chart.panel), (ChartKind::Flow, None, Some(0)));
    assert!(!scenario.paired && good(&format!("paired = true\n{}", flow(""))).paired);
    assert_eq!(mistakes(&flow("x = \"excess\"")), ["\"excess\": a flow has no axis"]);
}

#[test]
fn outcomes_are_ranked_where_all_variants_agree() {
    let ranks = |draft: &str| good(&format!("{HEAD}draft = \"{draft}\"\n{POLICY}{GRID}")).ranks(0);
    assert_eq!(ranks("windy.rules"), Some(vec![0, 1, 2, 3]));
    // one has no retreat, the other no rout: nobody says which is worse
    let two = "test = \"break_test\"\n[variants]\noriginal = \"base.rules\"\ndraft = \"rout.rules\"\n";
    let grid = "[grid]\ntroop = \"infantry\"\nexcess = 0\n";
    assert_eq!(good(&format!("{two}{POLICY}{grid}")).ranks(0), None);
    let number = HEAD.replace("break_test", "strength");
    assert_eq!(good(&format!("{number}[grid]\nexcess = \"0..2\"\n")).ranks(0), None);
}

#[test]
fn what_is_wrong_in_a_chart_is_named() {
    let wrong = |chart: &str| mistakes(&with_chart(chart));
    assert_eq!(wrong("kind = \"curv\""), ["\"curv\": there is no chart of the kind `curv`"]);
    assert_eq!(
        wrong("kind = \"curve\"\nx = \"troop\""),
        ["\"troop\": `troop` is not a number: a curve cannot run along it"]
    );
    assert_eq!(
        wrong("kind = \"outcomes\"\nx = \"shaken\""),
        ["\"shaken\": `shaken` is not a factor of the grid"]
    );
    assert_eq!(
        wrong("kind = \"outcomes\"\nx = \"troop\"\npanel = \"troop\""),
        ["\"troop\": `troop` can stand along an axis or in panels, but only once"]
    );
    assert_eq!(
        wrong("kind = \"flow\""),
        ["\"flow\": a flow goes from the baseline to a draft, and there is only one variant"]
    );
    let told = wrong("kind = \"curve\"\noutcome = \"brek\"");
    assert!(told[0].starts_with("brek: "), "{told:?}");
}

#[test]
fn mistakes_of_every_part_are_told_in_one_reading() {
    let text = format!(
        "trails = 3\n{HEAD}[grid]\ntroop = \"infantri\"\n[policy]\nbreak_chart = \"retreet\"\n[[claim]]\nholds = \"P(break) < often\"\n[[chart]]\nkind = \"pie\"\n"
    );
    assert_eq!(mistakes(&text).len(), 5);
}

#[test]
fn mutilated_scenarios_are_answered_and_never_panic() {
    let good = with_claim("holds = \"P(break) in windy > P(break) in original by 2 points\"")
        + "[[expect]]\nvariant = \"windy\"\nsituation = { troop = \"infantry\" }\nvalue = \"P(break) = 3/36\"\nsource = \"x\"\n"
        + "[[chart]]\nkind = \"curve\"\noutcome = \"break\"\nx = \"excess\"\n";
    let scraps = [
        "\"",
        "[",
        "]]",
        "{",
        "}",
        "=",
        "\n",
        "..",
        "é",
        "\u{0}",
        "9999999999",
        "-",
        "0",
        "(",
        ")",
        "in",
        "'''",
        "#",
        ",",
        "\\",
        "_",
        ".",
    ];
    let mut state = 1815_u64;
    let mut next = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let (mut broken, mut rounds) = (0, 0);
    while rounds < 3000 {
        let mut text: Vec<char> = good.chars().collect();
        for _ in 0..=next(3) {
            let (at, end) = (next(text.len()), next(12));
            let end = (at + end).min(text.len());
            let piece: Vec<char> = match next(3) {
                0 => Vec::new(),
                1 => scraps[next(scraps.len())].chars().collect(),
                _ => text[at..end].iter().rev().copied().collect(),
            };
            text.splice(at..end, piece);
        }
        let text: String = text.into_iter().collect();
        let (mut sources, mut found) = (Sources::default(), Diagnostics::default());
        sources.add("in/base.rules", BASE);
        sources.add("in/windy.rules", WINDY);
        sources.add("in/a.toml", text.as_str());
        let scenario = load(Path::new("in/a.toml"), &mut sources, &mut found);
        assert_eq!(scenario.is_none(), found.has_errors(), "{text}");
        for (span, _) in found.iter().flat_map(|one| &one.labels) {
            sources.text(*span); // a place inside a letter would panic
        }
        broken += usize::from(scenario.is_none());
        rounds += 1;
    }
    assert!(broken > 1000 && broken < 3000, "{broken}"); // else the mutations test nothing
}

#[test]
fn a_flood_of_nonsense_is_answered() {
    let unique: String = (0..15_000).map(|at| format!("key{at} = 1\n")).collect();
    let nonsense = [
        "[".repeat(1 << 16),
        "=\n".repeat(1 << 15),
        "\u{e9}".repeat(1 << 16),
        "a = 1\n".repeat(40_000),
        "[[claim]]\n".repeat(30_000),
        format!("grid.x = [{}]", "1,".repeat(120_000)),
        "\u{0}".repeat(1 << 16),
        unique,
    ];
    for text in nonsense {
        let start: String = text.chars().take(12).collect();
        let (mut sources, mut found) = (Sources::default(), Diagnostics::default());
        sources.add("in/a.toml", text);
        assert!(load(Path::new("in/a.toml"), &mut sources, &mut found).is_none(), "{start}");
        let count = found.iter().count();
        assert!((1..=100).contains(&count), "{start}: {count} diagnostics");
    }
}

#[test]
fn the_scenario_that_is_shipped_is_understood_as_counted_by_hand() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios/black-powder/break-test.toml");
    let (mut sources, mut found) = (Sources::default(), Diagnostics::default());
    let scenario = load(&path, &mut sources, &mut found).unwrap();
    assert!(found.is_empty(), "{found:?}");
    assert_eq!((scenario.folder.as_str(), scenario.stem.as_str()), ("black-powder", "break-test"));
    // four arms, five excesses, two flags; under fire one flag more
    assert_eq!(scenario.situations.len(), 4 * 5 * 4 * (2 + 1));
    let claimed: Vec<usize> = scenario.claims.iter().map(|claim| claim.situations.len()).collect();
    assert_eq!(claimed, [5 * 2 * 2, 5 * 2 * 2 * 2]);
    let Results::Named(results) = &scenario.main().results else { panic!("named results") };
    let worst = results.len() as i64 - 1;
    assert_eq!(scenario.charts[2].outcome.as_ref().unwrap().spans, [(worst, worst)]);
    assert_eq!(scenario.expects[3].fraction, (1, 12));
}
