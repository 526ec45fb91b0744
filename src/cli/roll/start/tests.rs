//! Rules with one factor of each sort, one choice and one test.

use super::*;
use crate::diagnostic::{FileId, Span};
use crate::rules::{
    Choice, ChoiceId, Expr, ExprNode, Kind, KindId, KindValue, Never, Place, Statement, StatementNode, Test,
};

const NOWHERE: Span = Span { file: FileId(0), start: 0, end: 0 };

fn kind(name: &str, values: &[&str]) -> Kind {
    let value = |(rank, name): (usize, &&str)| KindValue {
        name: (*name).to_owned(),
        label: (*name).to_owned(),
        rank: rank as u32,
    };
    Kind { name: name.to_owned(), ordered: true, values: values.iter().enumerate().map(value).collect() }
}

fn factor(name: &str, ty: Type, values: std::ops::Range<i32>, default: Option<i32>) -> Factor {
    let name = name.to_owned();
    Factor { label: name.clone(), name, ty, values: values.collect(), default, span: NOWHERE }
}

fn read(factor: usize, ty: Type) -> Expr {
    Expr { node: ExprNode::Read(Place::Factor(FactorId(factor))), ty, span: NOWHERE }
}

/// A test that returns a choice between holding and retreating, after it has looked at all factors.
fn rules() -> Ruleset {
    let result = Type::Kind(KindId(1));
    let options = vec![read(0, Type::Kind(KindId(0))), read(1, Type::Number), read(2, Type::Flag)];
    let choose = Expr { node: ExprNode::Choose(ChoiceId(0), options), ty: result, span: NOWHERE };
    let body = vec![Statement { node: StatementNode::Return(choose), span: NOWHERE }];
    let name = "morale".to_owned();
    Ruleset {
        kinds: vec![kind("troop", &["foot", "horse"]), kind("result", &["hold", "retreat", "break"])],
        factors: vec![
            factor("troop", Type::Kind(KindId(0)), 0..2, None),
            factor("losses", Type::Number, 0..5, Some(0)),
            factor("gone", Type::Flag, 0..2, Some(0)),
        ],
        nevers: vec![Never { condition: read(2, Type::Flag), why: "it has left the table".to_owned() }],
        tests: vec![Test {
            name,
            parameters: vec![],
            result,
            body,
            frame: 0,
            replaced: false,
            span: NOWHERE,
        }],
        choices: vec![Choice {
            name: "morale".to_owned(),
            kind: KindId(1),
            options: vec![0, 1],
            parameters: vec![],
            reached: Vec::new(),
            span: NOWHERE,
        }],
        ..Ruleset::default()
    }
}

fn ready() -> Start {
    let mut start = Start::of_rules(rules());
    start.set("troop", "horse").unwrap();
    start.choose("morale", "retreat").unwrap();
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
        told(Start::of_rules(rules())),
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
fn a_result_that_is_no_option_of_the_choice_is_refused() {
    let mut start = ready();
    assert!(start.choose("morale", "break").is_err());
    assert!(start.choose("courage", "hold").is_err());
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
    let mut rules = rules();
    let parameters = vec![crate::rules::Parameter {
        name: "bonus".to_owned(),
        ty: Type::Number,
        place: Place::Factor(FactorId(1)),
    }];
    rules.tests.push(Test { name: "charge".to_owned(), parameters, ..rules.tests[0].clone() });
    let mut start = Start::of_rules(rules);
    start.test = Some("charge".to_owned());
    assert_eq!(
        told(start),
        [
            "the test `charge` takes something in brackets, which a roll cannot give it: write a test that does, such as \
          `test try_charge -> result { return charge(...) }`, and roll that; or roll one of: --test morale"
        ]
    );
}

/// The rules with a second test that rolls the first.
fn with_a_caller() -> Ruleset {
    let mut rules = rules();
    let result = Type::Kind(KindId(1));
    let call =
        Expr { node: ExprNode::Call(Callee::Test(TestId(0)), vec![], vec![]), ty: result, span: NOWHERE };
    let body = vec![Statement { node: StatementNode::Return(call), span: NOWHERE }];
    rules.tests.push(Test { name: "charge".to_owned(), body, ..rules.tests[0].clone() });
    rules
}

#[test]
fn the_only_test_that_no_other_calls_is_the_one_that_is_meant() {
    assert_eq!(Start::of_rules(with_a_caller()).entry().unwrap(), TestId(1));
    let mut start = Start::of_rules(with_a_caller());
    start.test = Some("morale".to_owned());
    assert_eq!(start.entry().unwrap(), TestId(0));
}

#[test]
fn of_several_tests_one_must_be_named() {
    let mut rules = rules();
    rules.tests.push(Test { name: "rally".to_owned(), ..rules.tests[0].clone() });
    let several = Start::of_rules(rules);
    assert_eq!(told(several), ["the rules have several tests: add one of: --test morale  --test rally"]);
}
