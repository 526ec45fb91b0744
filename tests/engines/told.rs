//! Stories as a player would tell them.

use crate::ways::ruleset;
use houserule::interpret::tell;
use houserule::plan::{Move, Plan};
use houserule::random::Replay;
use houserule::report::story::story;
use houserule::rules::Span;
use houserule::rules::tree::End;

/// The story of a test with these dice, all of which must be used. The place of a line is its number.
fn told(text: &str, moves: &[Option<Move>], dice: &[u32]) -> Vec<String> {
    let rules = ruleset(text);
    let situation = rules.factors.iter().map(|factor| factor.default.unwrap()).collect();
    let plan = Plan::new(&rules, rules.test("t").unwrap(), situation, &moves.to_vec().into());
    let quote = |span: Span| {
        let (start, end) = (span.start as usize, span.end as usize);
        (format!("{}", text[..=start].lines().count()), text[start..end].to_owned())
    };
    let mut replay = Replay::new(dice.iter().copied());
    let (events, trial) = tell(&plan, &mut replay);
    assert!(replay.is_used_up());
    lines(&story(&plan, &events, &trial, &quote))
}

/// Each line without the space between what it says and its place.
fn lines(story: &str) -> Vec<String> {
    let line = |line: &str| match line.rsplit_once("   ") {
        Some((said, place)) if !said.trim().is_empty() => format!("{}  @{}", said.trim_end(), place.trim()),
        _ => line.to_owned(),
    };
    story.lines().map(line).collect()
}

#[test]
fn a_volley_is_told_die_by_die() {
    let text = "ruleset \"r\"\noutcome o { stands \"Stands\"; runs \"Runs\" }\nfactor losses: 0..6 = 1\nfactor shots: 1..6 = 3\n\
        modifiers aim { +1 if shots is 3 \"three ranks\" }\n\
        test nerve -> o { return runs if 2d6 < losses + 6 else stands }\n\
        test t -> o {\nlet fire = shots d6\nlet hits = fire count >= (5 - aim)\n\
        losses += hits d6 reroll 1 count ..3\nrecord losses = losses\n\
        return nerve with losses = losses - 1 }";
    let story = told(text, &[], &[4, 2, 6, 1, 3, 2, 2, 5]);
    let expected = [
        "t:",
        "  losses 1, shots 3",
        "  fire = 3d6: 4 2 6  @8",
        "  aim:",
        "    +1  three ranks  @5",
        "    in all +1",
        "  hits = fire count 4+: 2  @9",
        "  roll 2d6: 1 3  @10",
        "  reroll 1: 1->2; now 2 3  @10",
        "  count ..3: 2  @10",
        "  losses = 3",
        "  nerve:",
        "    for this: losses 2",
        "    roll 2d6: 2 + 5 = 7  @6",
        "    it gives: Runs",
        "Result: Runs",
        "Recorded: losses 3",
    ];
    assert_eq!(story, expected);
}

#[test]
fn units_loops_and_choices_are_told_where_anything_happens() {
    let text = "ruleset \"r\"\nfactor hits: 0..9 = 0\nunit ours[3], foe: hits\n\
        test hurt(x) { hits += x }\n\
        test t {\nfor u in ours { if d2 is 1 { hurt(choose much from 1..3) for u } }\n\
        repeat until d2 is 1, cap 2 { foe.hits += 1 }\nrecord foe = foe.hits }";
    let high = [Some(Move::End(End::Highest))];
    let story = told(text, &high, &[2, 1, 2, 2, 2, 1]);
    let expected = [
        "t:",
        "  ours[1], ours[2], ours[3], foe: hits 0",
        "  ours[1]:",
        "    roll d2: 2  @6",
        "  ours[2]:",
        "    roll d2: 1  @6",
        "    the player chooses: 3",
        "    (policy of much: always the highest)",
        "    hurt for ours[2]:",
        "      ours[2].hits = 3",
        "  ours[3]:",
        "    roll d2: 2  @6",
        "  roll d2: 2  @7",
        "  foe.hits = 1",
        "  roll d2: 2  @7",
        "  again (2):",
        "  foe.hits = 2",
        "  roll d2: 1  @7",
        "Recorded: foe 2",
    ];
    assert_eq!(story, expected);
    let story = told(text, &high, &[2, 2, 2, 2, 2, 2]);
    let end = [
        "  roll d2: 2  @7",
        "  still no end: repeat until d2 is 1, cap 2  @7",
        "No result: this went on for longer than the rules allow the tool to wait",
    ];
    assert_eq!(story[story.len() - 3..], end);
}

#[test]
fn mere_reckoning_is_told_by_what_comes_out_of_it() {
    let text = "ruleset \"r\"\nchart near(a) -> flag {\na | result\n1 | no\n2.. | yes\n}\n\
        test neighbours -> number {\nvar found = 0\nfor i in 1..2 { if near(i) { found += 1 } }\nreturn found }\n\
        test t -> number {\nvar hits = 0\nfor i in 1..2 {\nif near(i) { hits += neighbours d6 }\n}\nreturn hits }";
    let expected = [
        "t:",
        "  hits = 0",
        // the first pass asks the chart and does nothing
        "  i 2:",
        "    read near at a 2  @5",
        "      2.. | yes",
        "      it says: yes",
        // its loop is left out
        "    neighbours: 1",
        "    roll d6: 4  @14",
        "    hits = 4",
        "Result: 4",
    ];
    assert_eq!(told(text, &[], &[4]), expected);
}
