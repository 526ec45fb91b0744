//! The rules and the program that they are written out to, trial by trial: the same dice fall in the same order, and
//! the same comes of them.

use crate::play_program::play;
use houserule::diagnostic::{Diagnostics, Sources};
use houserule::interpret::trial;
use houserule::plan::program::{Exit, Loop, Program};
use houserule::plan::{Move, Plan};
use houserule::random::{Generator, Recorder, Replay};
use houserule::rules::tree::End;
use houserule::rules::{self, Choice, Expr, ExprNode, Picks, Place, Ruleset, Set, SetSpan, Span, Type};
use houserule::scenario;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// All files of a folder with this ending, and of the folders in it, in order.
pub(crate) fn files(folder: &str, ending: &str) -> Vec<PathBuf> {
    let mut open = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)];
    let mut found = Vec::new();
    while let Some(folder) = open.pop() {
        for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == ending) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Plays so many trials both ways, and each way with the dice of the other.
fn agree(plan: &Plan, trials: usize, what: &str) {
    let Some(program) = &plan.program else { return };
    well_formed(program);
    let records = plan.rules.records.len();
    let new = |seed| Recorder { source: Generator::new(seed, &plan.id.0, 0, 0), rolled: Vec::new() };
    let (mut ruled, mut written) = (new(1), new(2));
    for number in 0..trials {
        let told = || format!("{what}, trial {number} {:?}\n{program:?}", plan.situation);
        let by_rules = trial(plan, &mut ruled);
        let dice = std::mem::take(&mut ruled.rolled);
        let mut again = again(&dice);
        let by_program = play(program, records, &mut again);
        assert!(by_program == by_rules, "{by_rules:?} {by_program:?} {dice:?} {}", told());
        assert!(again.source.is_used_up() && again.rolled == dice, "{:?} {dice:?} {}", again.rolled, told());

        let by_program = play(program, records, &mut written);
        let dice = std::mem::take(&mut written.rolled);
        let mut again = self::again(&dice);
        let by_rules = trial(plan, &mut again);
        assert!(by_program == by_rules, "{by_rules:?} {by_program:?} {dice:?} {}", told());
        assert!(again.source.is_used_up() && again.rolled == dice, "{:?} {dice:?} {}", again.rolled, told());
    }
}

/// Ways lead forward, but for those from inside a loop back to its head, and into a loop only through its head.
fn well_formed(program: &Program) {
    let inside = |block: usize, one: &Loop| (one.head.0..one.end.0).contains(&block);
    for (at, block) in program.blocks.iter().enumerate() {
        let to = match &block.exit {
            Exit::Go(to) => vec![to],
            Exit::Branch(_, one, other) | Exit::Pass(_, one, other) => vec![one, other],
            Exit::Done(_) | Exit::Unresolved => Vec::new(),
        };
        for to in to {
            let into = |one: &Loop| inside(to.0, one) && !inside(at, one) && one.head != *to;
            assert!(!program.loops.iter().any(into), "{at} {to:?} {program:?}");
            let back = |one: &Loop| one.head == *to && inside(at, one);
            assert!(to.0 > at || program.loops.iter().any(back), "{at} {to:?} {program:?}");
        }
        if let Exit::Pass(id, more, full) = &block.exit {
            let one = &program.loops[id.0];
            assert!(inside(at, one) && inside(more.0, one) && !inside(full.0, one), "{at} {program:?}");
            assert!(block.steps.is_empty() && (one.cap || one.head.0 == at), "{at} {program:?}");
        }
    }
    for pair in program.loops.windows(2) {
        let apart = pair[0].end <= pair[1].head;
        assert!(apart || (pair[0].head < pair[1].head && pair[1].end <= pair[0].end), "{program:?}");
    }
}

fn again(dice: &[(u32, u32)]) -> Recorder<Replay> {
    Recorder { source: Replay::new(dice.iter().map(|(_, face)| *face)), rolled: Vec::new() }
}

#[test]
fn shipped_scenarios_play_as_they_are_written_out() {
    let (mut played, mut too_long) = (0, 0);
    for path in files("scenarios", "toml") {
        let (mut sources, mut found) = (Sources::default(), Diagnostics::default());
        let scenario = scenario::load(&path, &mut sources, &mut found).unwrap_or_else(|| panic!("{found:?}"));
        for plans in Plan::all(&scenario) {
            let apart = plans.len().div_ceil(12);
            for plan in plans.iter().step_by(apart) {
                agree(plan, 40, &path.display().to_string());
                played += 1;
                too_long += usize::from(plan.program.is_none());
            }
        }
    }
    assert!(played > 150 && too_long == 0, "{played} {too_long}");
}

/// A plan of every entry of some rules under a few policies, in the default situation and in some near it.
pub(crate) fn plans(rules: &Arc<Ruleset>) -> Vec<Plan> {
    let default: Vec<i32> =
        rules.factors.iter().map(|factor| factor.default.unwrap_or(factor.values[0])).collect();
    let mut situations = vec![default.clone()];
    if rules.nevers.is_empty() {
        for (at, factor) in rules.factors.iter().enumerate().take(40) {
            let mut near = default.clone();
            near[at] = factor.values[(at * 7 + 3) % factor.values.len()];
            situations.push(near);
        }
    }
    let mut plans = Vec::new();
    for entry in rules.entries() {
        for policy in 0..4 {
            let moves: Arc<[Option<Move>]> =
                rules.choices.iter().map(|choice| play_of(rules, choice, policy)).collect();
            for (number, situation) in situations.iter().enumerate() {
                if number < 3 || policy == number % 4 {
                    plans.push(Plan::new(rules, rules.test(entry).unwrap(), situation.clone(), &moves));
                }
            }
            if rules.choices.is_empty() {
                break;
            }
        }
    }
    plans
}

/// One of a few policies that fit a choice; the first leaves it open.
fn play_of(rules: &Ruleset, choice: &Choice, policy: usize) -> Option<Move> {
    let set = |spans| Some(Move::Dice { set: Set { spans, span: choice.span }, text: String::new() });
    let number = |node| Expr { node, ty: Type::Number, span: choice.span };
    let order = |by, end| Some(Move::Order { by, end, text: String::new() });
    let end = if policy == 2 { End::Lowest } else { End::Highest };
    match (policy, &choice.picks) {
        (0, _) => None,
        (1, Picks::Option(_, options)) => {
            Some(Move::Mix(options.iter().zip(1..).map(|(option, weight)| (*option, weight)).collect()))
        }
        (_, Picks::Option(_, options)) => {
            options.get(policy % options.len()).map(|option| Move::Option(*option))
        }
        (1, Picks::Number | Picks::Unit(_)) => Some(Move::Mix(vec![(0, 1), (1, 2), (2, 1)])),
        (_, Picks::Number | Picks::Unit(_)) => Some(Move::End(end)),
        (1, Picks::Dice(_)) => set(vec![SetSpan::Range(None, None)]),
        (2, Picks::Dice(_)) => set(vec![SetSpan::One(number(ExprNode::Constant(2)))]),
        (_, Picks::Dice(_)) => set(Vec::new()),
        (1, Picks::Order(_)) => order(None, End::Highest),
        (_, Picks::Order(units)) => {
            let own = rules.units[units.0].factors[0];
            order(Some(number(ExprNode::Read(Place::Factor(own)))), end)
        }
    }
}

/// The rules of a file, if there is nothing wrong with them.
pub(crate) fn sound(path: &Path) -> Option<Arc<Ruleset>> {
    let (mut sources, mut found) = (Sources::default(), Diagnostics::default());
    rules::load(path, &mut sources, &mut found).map(Arc::new)
}

#[test]
fn rules_of_every_sort_play_as_they_are_written_out() {
    let (mut played, mut left_out) = (0, Vec::new());
    for path in files("tests/cases", "rules").into_iter().chain(files("scenarios", "rules")) {
        let Some(rules) = sound(&path) else { continue };
        let trials = if path.ends_with("right-order-of-working-out.rules") { 400 } else { 25 };
        for plan in plans(&rules) {
            let what = format!("{} {}", path.display(), rules.tests[plan.entry.0].name);
            if plan.program.is_none() {
                left_out.push(what);
                continue;
            }
            agree(&plan, trials, &what);
            played += 1;
        }
    }
    assert!(played > 1_000 && left_out.is_empty(), "{played} {left_out:?}");
}

/// What a value of a place is said to be never depends on where the rules stand.
#[test]
fn a_place_in_a_file_is_no_part_of_a_name() {
    let at = |lines: usize| {
        let text = format!("ruleset \"r\"\n{}test t -> number {{ return d6 }}", "\n".repeat(lines));
        crate::ways::plan(&crate::ways::ruleset(&text), "t")
    };
    assert_eq!(at(0).id, at(7).id);
    assert_ne!(at(0).rules.tests[0].span, at(7).rules.tests[0].span, "{:?}", Span::default());
}
