//! Rules with one factor of each sort, one choice and one test.

use super::*;
use std::path::Path;

const RULES: &str = r#"ruleset "Morale"
outcome result { hold; retreat; break }
factor troop: foot | horse
factor losses: 0..4 = 0
factor gone: flag = no
never gone "it has left the table"
test morale -> result {
    if losses > 3 and troop is horse { return break }
    return hold or retreat
}
"#;

/// The rules with more behind them.
fn rules_and(more: &str) -> Ruleset {
    let (mut sources, mut found) = (Sources::default(), Diagnostics::default());
    sources.add("a.rules", format!("{RULES}{more}"));
    let rules = rules::load(Path::new("a.rules"), &mut sources, &mut found);
    rules.unwrap_or_else(|| panic!("{found:?}"))
}

fn start() -> Start {
    Start::of_rules(rules_and(""))
}

/// What is wrong with a policy.
fn choose(start: &mut Start, name: &str, text: &str) -> Vec<String> {
    let (mut sources, mut wrong) = (Sources::default(), Diagnostics::default());
    start.choose(name, text, &mut sources, &mut wrong);
    wrong.iter().map(|one| one.message.clone()).collect()
}

fn ready() -> Start {
    let mut start = start();
    start.set("troop", "horse").unwrap();
    assert!(choose(&mut start, "morale", "retreat").is_empty());
    start
}

/// The reason and the remedy of each.
fn told(start: Start) -> Vec<String> {
    let mut wrong = Diagnostics::default();
    assert!(start.roll(1, &mut wrong).is_none());
    wrong.iter().map(|one| format!("{}: {}", one.message, one.remedies.join("; "))).collect()
}

#[test]
fn what_is_set_and_chosen_is_what_is_rolled() {
    let mut start = ready();
    start.set("losses", "4").unwrap();
    let roll = start.roll(1815, &mut Diagnostics::default()).unwrap();
    assert_eq!((roll.entry, roll.values, roll.seed), (TestId(0), vec![1, 4, 0], 1815));
    assert!(matches!(roll.moves[..], [Some(Move::Option(1))]));
}

#[test]
fn all_that_is_missing_is_asked_for_at_once_in_words_to_copy() {
    assert_eq!(
        told(start()),
        [
            "the factor `troop` has no default: add one of: --set troop=foot  --set troop=horse",
            "the rules leave the choice `morale` to the player: \
             add one of: --policy morale=hold  --policy morale=retreat",
        ]
    );
}

#[test]
fn a_value_outside_the_range_and_a_misspelt_name_are_refused() {
    let mut start = ready();
    assert_eq!(start.set("losses", "5").unwrap_err().remedies, ["it can be: 0  1  2  3  4"]);
    assert!(start.set("losses", "many").is_err());
    assert!(start.set("gone", "perhaps").is_err());
    assert_eq!(start.set("trop", "foot").unwrap_err().remedies, ["did you mean `troop`?"]);
    assert_eq!(start.set("troop", "hors").unwrap_err().remedies, ["did you mean `horse`?"]);
}

#[test]
fn a_policy_is_written_as_in_a_scenario() {
    let mut start = ready();
    assert!(choose(&mut start, "morale", "retreat if losses > 2 else hold").is_empty());
    assert!(matches!(start.moves[..], [Some(Move::Condition { .. })]));
    assert_eq!(choose(&mut start, "morale", "break"), ["`break` is not an option of `morale`"]);
    assert_eq!(choose(&mut start, "courage", "hold"), ["the rules have no choice `courage`"]);
}

#[test]
fn an_aim_needs_a_scenario() {
    let mut start = ready();
    assert!(choose(&mut start, "morale", "maximise P(hold)").is_empty());
    assert_eq!(
        told(start),
        ["nothing says what the aim `maximise P(hold)` counts here: \
          write morale = \"maximise P(hold)\" under [policy] of a scenario for this test, and roll that scenario"]
    );
}

#[test]
fn a_situation_that_the_rules_exclude_is_not_rolled() {
    let mut start = ready();
    start.set("gone", "yes").unwrap();
    assert_eq!(
        told(start),
        ["the rules say that this situation does not exist: it has left the table: \
          set its factors otherwise with --set"]
    );
}

#[test]
fn a_test_that_is_not_there_is_refused() {
    let mut start = ready();
    start.test = Some("moral".to_owned());
    assert_eq!(told(start), ["there is no test `moral` that can be rolled: did you mean `morale`?"]);
}

#[test]
fn a_test_that_takes_something_is_refused_with_what_to_do() {
    let mut start = Start::of_rules(rules_and("test charge(losses) -> result { return morale }\n"));
    start.test = Some("charge".to_owned());
    assert_eq!(
        told(start),
        [
            "the test `charge` takes something in brackets, which a roll cannot give it: write a test that does, such as \
          `test try_charge -> result { return charge(...) }`, and roll that; or roll one of: --test morale"
        ]
    );
}

#[test]
fn the_only_test_that_no_other_calls_is_the_one_that_is_meant() {
    let with_a_caller = || Start::of_rules(rules_and("test charge -> result { return morale }\n"));
    assert_eq!(with_a_caller().entry().unwrap(), TestId(1));
    let mut start = with_a_caller();
    start.test = Some("morale".to_owned());
    assert_eq!(start.entry().unwrap(), TestId(0));
}

#[test]
fn of_several_tests_one_must_be_named() {
    let several = Start::of_rules(rules_and("test rally -> result { return hold }\n"));
    assert_eq!(told(several), ["the rules have several tests: add one of: --test morale  --test rally"]);
}
