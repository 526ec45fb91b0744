//! Units, choices of every sort, records: what of them a scenario can name.

use super::*;
use crate::rules::tree::End;

const UNITS: &str = r#"ruleset "Units"
factor ranks: 0..5 = 2 "Ranks"
factor shaken: flag = no "Shaken"
factor crits: 0..3 = 2
unit ours[3], enemy: ranks, shaken
test fight {
    let share = choose share from 0..crits
    let who = choose target from ours
    for u in ours in chosen order as turn {
        if u.ranks > share { record gone += 1 }
    }
    let roll = 2d6 reroll chosen as charge
    record score = roll + (choose way { split: 1; whole: 2 }) + who.ranks
    record won = roll >= 7 and not enemy.shaken
}
test walk -> number { return choose pace from 0..3 }
test march -> number { return (walk for ours[1]) + (walk for enemy) }
test count -> number { record ready = yes; return ours[1].ranks }
test idle { }
"#;

/// The variant alone, with a policy for everything.
const HEAD: &str = "test = \"fight\"\n[variants]\na = \"units.rules\"\n";
const POLICY: &str = "[policy]\nshare = \"0\"\ntarget = \"first\"\nturn = \"as written\"\ncharge = \"none\"\nway = \"split\"\n";

/// What a scenario over these rules comes to, with every mistake as "text at its place: message".
fn read(text: &str) -> (Option<Scenario>, Vec<String>, Vec<Diagnostic>) {
    let (mut sources, mut found) = (Sources::default(), Diagnostics::default());
    sources.add("in/units.rules", UNITS);
    sources.add(
        "in/other.rules",
        UNITS.replace("record won =", "record lost =").replace("gone += 1", "gone += 2"),
    );
    sources.add("in/a.toml", text);
    let scenario = load(Path::new("in/a.toml"), &mut sources, &mut found);
    let place =
        |one: &Diagnostic| one.labels.first().map_or("nowhere", |(span, _)| sources.text(*span)).to_owned();
    let found: Vec<Diagnostic> = found.iter().filter(|one| !is_hint(one, &sources)).cloned().collect();
    let told = found.iter().map(|one| format!("{}: {}", place(one), one.message)).collect();
    (scenario, told, found)
}

#[track_caller]
fn sound(text: &str) -> Scenario {
    let (scenario, told, _) = read(text);
    assert_eq!(told, Vec::<String>::new(), "{text}");
    scenario.unwrap()
}

fn refused(text: &str) -> Vec<String> {
    let (scenario, told, _) = read(text);
    assert!(scenario.is_none(), "{text}");
    told
}

/// A scenario in which a choice is made so.
fn playing(choice: &str, text: &str) -> String {
    let lines = POLICY.lines().filter(|line| !line.starts_with(choice));
    let policy: String = lines.map(|line| format!("{line}\n")).collect();
    format!("{HEAD}{policy}{choice} = {text}\n")
}

/// What becomes of it, in words.
fn played(choice: &str, text: &str) -> (Move, String) {
    let scenario = sound(&playing(choice, text));
    let rules = &scenario.variants[0].rules;
    let id = rules.choice(choice).unwrap();
    let play = scenario.variants[0].moves[id.0].clone().unwrap();
    let words = describe_move(rules, &rules.choices[id.0], &play);
    (play, words)
}

#[test]
fn a_number_is_picked_by_an_expression_or_an_end() {
    assert!(matches!(played("share", "\"2\"").0, Move::Option(2)));
    assert!(matches!(played("share", "\"highest\"").0, Move::End(End::Highest)));
    let (play, words) = played("share", "\"min(crits, ours[2].ranks)\"");
    assert!(matches!(play, Move::Condition { .. }));
    assert_eq!(words, "min(crits, ours[2].ranks)");
    assert!(
        matches!(&played("share", "{ 2 = 0.25, 0 = 0.75 }").0, Move::Mix(mix) if mix[..] == [(0, 3), (2, 1)])
    );
    let (_, told, found) = read(&playing("share", "\"loest\""));
    assert_eq!(told, ["loest: there is no `loest` here"]);
    assert_eq!(
        found[0].remedies.last().unwrap(),
        "besides an expression can stand: `lowest`, `highest`, `0`"
    );
}

#[test]
fn a_unit_is_picked_by_its_name_or_an_end() {
    assert!(matches!(played("target", "\"ours[2]\"").0, Move::Option(1)));
    let (play, words) = played("target", "\"last\"");
    assert!(matches!(play, Move::End(End::Highest)));
    assert_eq!(words, "always the last");
    let (play, _) = played("target", "\"ours[1] if ours[1].ranks > 2 else ours[3]\"");
    assert!(matches!(play, Move::Condition { .. }));
    assert_eq!(
        refused(&playing("target", "\"ours[4].ranks\""))[0],
        "ours[4].ranks: `ours[4].ranks` is a `number`; a `unit` is needed here"
    );
}

#[test]
fn dice_are_picked_by_the_faces_that_they_show() {
    for text in ["\"< 4\"", "\"5+\"", "\"{1, 2}\"", "\"<= crits\"", "\"share\""] {
        let (play, words) = played("charge", text);
        assert!(
            matches!(&play, Move::Dice { set, .. } if set.spans.len() == if text.contains('{') { 2 } else { 1 })
        );
        assert_eq!(format!("\"{words}\""), text);
    }
    assert!(matches!(played("charge", "\"none\"").0, Move::Dice { set, .. } if set.spans.is_empty()));
    assert!(matches!(played("charge", "\"all\"").0, Move::Dice { set, .. } if set.spans.len() == 1));
    assert_eq!(refused(&playing("charge", "\"< curage\"")), ["curage: there is no `curage` here"]);
    assert_eq!(
        refused(&playing("charge", "{ none = 0.5, all = 0.5 }")),
        ["{ none = 0.5, all = 0.5 }: a mix cannot be made of which dice to take"]
    );
}

#[test]
fn the_order_of_units_is_by_what_is_known_of_each() {
    assert!(matches!(played("turn", "\"reversed\"").0, Move::Order { by: None, end: End::Highest, .. }));
    let (play, words) = played("turn", "\"highest  ranks - (1 if shaken else 0)\"");
    assert!(matches!(play, Move::Order { by: Some(_), end: End::Highest, .. }));
    assert_eq!(words, "highest  ranks - (1 if shaken else 0)");
    assert_eq!(refused(&playing("turn", "\"ranks\"")), ["\"ranks\": `ranks` is not an order of units"]);
    assert_eq!(refused(&playing("turn", "\"lowest rank\"")), ["rank: there is no `rank` here"]);
}

#[test]
fn the_options_of_a_choice_can_stand_in_a_condition() {
    let (play, words) = played("way", "\"split if crits is 2 else whole\"");
    assert!(matches!(play, Move::Condition { .. }));
    assert_eq!(words, "split if crits is 2 else whole");
    assert_eq!(refused(&playing("way", "\"spli\"")), ["\"spli\": `spli` is not an option of `way`"]);
}

#[test]
fn a_single_unit_may_have_a_policy_of_its_own() {
    let march = |lines: &str| format!("{}[policy]\n{lines}\n", HEAD.replace("fight", "march"));
    let scenario =
        sound(&march("\"pace for enemy\" = \"highest\"\npace = \"1\"\n\"pace for ours[2]\" = \"0\""));
    let rules = &scenario.variants[0].rules;
    let id = rules.choice("pace").unwrap();
    let play = scenario.variants[0].moves[id.0].as_ref().unwrap();
    let words = "1 always; always the highest for enemy; 0 always for ours[2]";
    assert_eq!(describe_move(rules, &rules.choices[id.0], play), words);
    let now = |unit: Option<usize>| describe_move(rules, &rules.choices[id.0], play.now(|_| unit));
    assert_eq!(
        [None, Some(0), Some(1), Some(3)].map(now),
        ["1 always", "1 always", "0 always", "always the highest"]
    );
    let (_, told, found) = read(&march("pace = \"1\"\n\"pace for enemi\" = \"0\""));
    assert_eq!(told, ["\"pace for enemi\": there is no unit called `enemi`"]);
    assert_eq!(found[0].remedies, ["did you mean `enemy`?"]);
    assert_eq!(
        refused(&march("\"pace for enemy\" = \"0\"")),
        ["\"units.rules\": the rules leave `pace` to the player, and no policy says what he does"]
    );
}

#[test]
fn a_choice_without_a_policy_is_told_what_may_be_written() {
    let remedies = |choice: &str| {
        let lines: String =
            POLICY.lines().filter(|line| !line.starts_with(choice)).map(|line| format!("{line}\n")).collect();
        let (_, _, found) = read(&format!("{HEAD}{lines}"));
        (found[0].labels[0].1.clone(), found[0].remedies[0].clone())
    };
    let says =
        |what: &str, remedy: &str| (what.to_owned(), format!("write under [policy], for example, {remedy}"));
    assert_eq!(
        remedies("share"),
        says("`share` leaves a number", "share = \"lowest\"; or \"highest\" or \"0\"")
    );
    assert_eq!(
        remedies("charge"),
        says("`charge` leaves which dice to take", "charge = \"none\"; or \"all\" or \"< 4\"")
    );
    assert_eq!(
        remedies("turn"),
        says(
            "`turn` leaves the order of units",
            "turn = \"as written\"; or \"reversed\" or \"highest ranks\""
        )
    );
    assert_eq!(remedies("way"), says("`way` offers `split` or `whole`", "way = \"split\""));
}

#[test]
fn the_factors_of_units_are_set_one_by_one_or_for_all_of_a_list() {
    let grid = "[grid]\n\"ours.ranks\" = \"1..2\"\nours[2].ranks = 5\n\"enemy.shaken\" = [false, true]\n";
    let scenario = sound(&format!("{HEAD}{POLICY}{}", grid.replace("ours[2].ranks", "\"ours[2].ranks\"")));
    assert_eq!(situations(&scenario), ["1 5 no", "1 5 yes", "2 5 no", "2 5 yes"]);
    let labels: Vec<_> = scenario.factors.iter().map(|factor| factor.label.as_str()).collect();
    assert_eq!(labels, ["ours: Ranks", "ours 2: Ranks", "enemy: Shaken"]);
    let rules = &scenario.variants[0].rules;
    let value = |name: &str| scenario.assignment(0, 3)[rules.factor(name).unwrap().0];
    let names = ["ours[1].ranks", "ours[2].ranks", "ours[3].ranks", "enemy.ranks", "enemy.shaken", "ranks"];
    assert_eq!(names.map(value), [2, 5, 2, 2, 1, 2]);
}

#[test]
fn a_factor_of_a_unit_set_twice_or_misspelt_is_refused() {
    let grid = |lines: &str| format!("{HEAD}{POLICY}[grid]\n{lines}\n");
    assert_eq!(
        refused(&grid("\"ours[2].ranks\" = 5\n\"ours.ranks\" = 1")),
        ["\"ours[2].ranks\": `ours.ranks` is set both here and by an earlier line of the grid"]
    );
    let with =
        "test = \"fight\"\n[variants]\na = { rules = \"units.rules\", with = { \"ours.ranks\" = 1 } }\n";
    assert_eq!(
        refused(&format!("{with}{POLICY}[grid]\n\"ours[1].ranks\" = \"any\"\n")),
        ["\"ours.ranks\": `ours[1].ranks` is set both by the grid and in variant `a`"]
    );
    let (_, told, found) = read(&grid("\"our.ranks\" = 1"));
    assert_eq!(told, ["\"our.ranks\": `our.ranks` is not a factor of any variant"]);
    assert_eq!(found[0].remedies, ["did you mean `ours.ranks`?"]);
}

#[test]
fn what_is_recorded_is_measured_beside_the_result() {
    let scenario = sound(&format!("{HEAD}b = \"other.rules\"\n{POLICY}"));
    let names: Vec<_> = scenario.measures.iter().map(|measure| measure.name.as_str()).collect();
    assert_eq!(names, ["gone", "score", "won", "lost"]);
    let missing: Vec<Vec<bool>> =
        scenario.measures.iter().map(|one| one.variants.iter().map(Option::is_none).collect()).collect();
    assert_eq!(missing, [[false, false], [false, false], [false, true], [true, false]]);
    assert_eq!(scenario.main().results, Results::Numbers);
    let Results::Named(yes_or_no) = &scenario.measures[2].results else { panic!("a flag") };
    assert_eq!(yes_or_no.iter().map(|one| one.name.as_str()).collect::<Vec<_>>(), ["no", "yes"]);
    let head = HEAD.replace("fight", "count");
    let names: Vec<_> = sound(&head).measures.into_iter().map(|measure| measure.name).collect();
    assert_eq!(names, ["result", "ready"]);
    assert_eq!(
        refused(&HEAD.replace("fight", "idle")),
        ["\"idle\": `idle` neither gives nor records anything: there is nothing to count"]
    );
}

#[test]
fn records_are_claimed_and_expected_by_name() {
    let expect = |value: &str| format!("{HEAD}{POLICY}[[expect]]\nvalue = \"{value}\"\nsource = \"x\"\n");
    let set = |value: &str| match sound(&expect(value)).expects.remove(0).quantity {
        Quantity::Probability(set) => (set.measure, set.text, set.spans),
        other => panic!("{other:?}"),
    };
    assert_eq!(set("P(score is 9+) = 1/2"), (1, "score is 9+".to_owned(), vec![(9, i64::MAX)]));
    assert_eq!(set("P(won is yes) = 1/2"), (2, "won is yes".to_owned(), vec![(1, 1)]));
    let mean = sound(&expect("mean(score) = 10")).expects.remove(0);
    assert_eq!((mean.quantity, mean.place.as_str()), (Quantity::Mean(1), ""));
    assert_eq!(sound(&expect("quantile(gone, 0.5) = 2")).expects[0].quantity, Quantity::Quantile(0, 0.5));
    assert_eq!(
        refused(&expect("P(scor is 9) = 1/2")),
        ["scor: `fight` neither gives nor records anything called `scor`"]
    );
    assert_eq!(
        refused(&expect("P(yes) = 1/2")),
        ["yes: `fight` gives nothing, so there is no result to ask for"]
    );
    assert_eq!(refused(&expect("mean(won) = 1/2")), ["won: `won` is no number, and names have no mean"]);
    let limit = expect("mean(score) = 1") + "limit = true\n";
    assert_eq!(
        refused(&limit),
        ["[[expect]]: a limit is a probability: of a mean or a quantile nobody knows how far it is away"]
    );
}

#[test]
fn a_record_that_one_draft_lacks_is_asked_of_the_other_only() {
    let claim = |holds: &str| format!("{HEAD}b = \"other.rules\"\n{POLICY}[[claim]]\nholds = \"{holds}\"\n");
    sound(&claim("P(won is yes) in a > 0.1"));
    assert_eq!(refused(&claim("P(won is yes) in b > 0.1")), ["yes: `won` is not recorded in `b`"]);
}

#[test]
fn a_joint_table_is_made_of_records() {
    let joint = |names: &str| format!("joint = {names}\n{HEAD}{POLICY}");
    let scenario = sound(&joint("[\"won\", \"gone\"]"));
    assert_eq!(scenario.joint, [2, 0]);
    let rules = &scenario.variants[0].rules;
    let names: Vec<_> =
        scenario.joint_records(0).iter().map(|id| rules.records[id.0].name.as_str()).collect();
    assert_eq!(names, ["won", "gone"]);
    assert_eq!(
        refused(&joint("[\"won\", \"wan\"]")),
        ["\"wan\": `fight` neither gives nor records anything called `wan`"]
    );
    assert_eq!(refused(&joint("[\"won\", \"won\"]")), ["\"won\": `won` stands twice in `joint`"]);
    let result = joint("[\"result\"]").replace("fight", "count");
    assert_eq!(
        refused(&result)[0],
        "\"result\": `result` is no record, and a joint table is made of records"
    );
}
