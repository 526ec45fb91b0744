//! Claims and expected values.

use super::*;

pub(super) fn with_claim(claim: &str) -> String {
    format!("{HEAD}windy = \"windy.rules\"\n{POLICY}{GRID}[[claim]]\n{claim}\n")
}

#[test]
fn a_claim_knows_its_sides_and_its_situations() {
    let text = "text = \"less\"\nwhere = \"troop is infantry\"\nholds = \"P(retreat..break) in windy > P(break) in original by 2 points\"";
    let scenario = good(&with_claim(text));
    let claim = &scenario.claims[0];
    let Side::Quantity(Quantity::Probability(set), 1) = &claim.left else { panic!("{claim:?}") };
    assert_eq!((set.text.as_str(), &set.spans[..]), ("retreat..break", &[(2, 3)][..]));
    let Side::Quantity(Quantity::Probability(set), 0) = &claim.right else { panic!("{claim:?}") };
    assert_eq!(set.spans, [(3, 3)]);
    assert_eq!((claim.relation, claim.margin), (Relation::More, Some(Margin::Points((2, 1)))));
    assert_eq!(claim.situations, [0, 1, 2]);
    assert!(!claim.average);
}

#[test]
fn a_claim_without_in_speaks_of_the_draft_beside_the_baseline() {
    let scenario = good(&with_claim("holds = \"P(break) < 25%\"\nover = \"average\""));
    let claim = &scenario.claims[0];
    assert!(matches!(claim.left, Side::Quantity(_, 1)) && claim.right == Side::Number((1, 4)));
    assert!(claim.average && claim.text == "P(break) < 25%");
    let three = "[variants]\na = \"base.rules\"\nb = \"base.rules\"\nc = \"windy.rules\"\n";
    let text = format!("test = \"break_test\"\n{three}{POLICY}{GRID}[[claim]]\nholds = \"P(break) < 25%\"\n");
    assert_eq!(mistakes(&text), ["P(break) < 25%: which variant is meant?"]);
}

#[test]
fn where_a_claim_is_taken_for_a_variant_s_name_the_remedy_says_how_to_compare() {
    let remedy = |holds: &str| remedies(&with_claim(&format!("holds = \"{holds}\""))).join("\n");
    assert!(remedy("P(break) in base != 0.5").contains("compares with <, <=, =, >= or >"));
    assert!(remedy("P(break) in base - P(break) in windy < 0.05").contains("by 5 points"));
}

#[test]
fn what_no_terminal_can_show_is_refused_and_lines_of_a_claim_become_one() {
    let claim = |text: &str| with_claim(&format!("text = \"{text}\"\nholds = \"P(break) in windy < 0.5\""));
    let told = mistakes(&claim("a\\u001bb")).join("\n");
    assert!(told.ends_with("`text` has a character that cannot be shown"), "{told}");
    assert_eq!(good(&claim("one\\n# two")).claims[0].text, "one # two");
}

#[test]
fn what_is_wrong_in_a_claim_is_named_at_its_place() {
    let wrong = |holds: &str| mistakes(&with_claim(&format!("holds = \"{holds}\"")));
    assert_eq!(wrong("P(break) in windi < 0.5"), ["windi: there is no variant called `windi`"]);
    assert_eq!(wrong("mean(result) < 3"), ["result: `break_test` ends in a name, and names have no mean"]);
    assert_eq!(
        wrong("mean(losses) < 3"),
        ["losses: `break_test` neither gives nor records anything called `losses`"]
    );
    assert_eq!(wrong("0.2 < 0.3"), ["0.2 < 0.3: this compares two numbers"]);
    assert_eq!(
        wrong("P(break) in windy < P(break)"),
        ["P(break) in windy < P(break): this compares a quantity with itself"]
    );
    let told = wrong("P(brek) < 0.3");
    assert!(told[0].starts_with("brek: "), "{told:?}");
    let told = mistakes(&with_claim("where = \"excess is 4\"\nholds = \"P(break) < 0.5\""));
    assert_eq!(told, ["excess is 4: this holds in no situation of the grid"]);
}

#[test]
fn a_set_of_numbers_is_read_as_stretches() {
    let spans = |set: &str| {
        let text = format!(
            "test = \"strength\"\nvariants = {{ a = \"base.rules\" }}\n[[claim]]\nholds = \"P({set}) < 1\"\n"
        );
        match good(&text).claims.remove(0).left {
            Side::Quantity(Quantity::Probability(set), 0) => set.spans,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(spans("7"), [(7, 7)]);
    assert_eq!(spans("4..6"), [(4, 6)]);
    assert_eq!(spans("9+"), [(9, i64::MAX)]);
    assert_eq!(spans("..2"), [(i64::MIN, 2)]);
    assert_eq!(spans("{2, 4..6, 7, 11}"), [(2, 2), (4, 7), (11, 11)]);
    assert_eq!(spans("-2..1"), [(-2, 1)]);
    assert_eq!(spans("< 3"), [(i64::MIN, 2)]);
    assert_eq!(spans("any"), [(i64::MIN, i64::MAX)]);
}

fn with_expect(expect: &str) -> String {
    format!("{HEAD}windy = \"windy.rules\"\n{POLICY}{GRID}[[expect]]\n{expect}\n")
}

#[test]
fn an_expectation_keeps_its_value_as_it_is_written_and_as_a_fraction() {
    let text = "variant = \"windy\"\nsituation = { troop = \"cavalry\", excess = 4 }\nvalue = \"P(break) = 3/36\"\nsource = \"by hand\"\nlimit = true";
    let scenario = good(&with_expect(text));
    let expect = &scenario.expects[0];
    assert_eq!((expect.variant, &expect.situation[..]), (1, &[1, 4, 0, 1][..]));
    assert_eq!((expect.value.as_str(), expect.fraction), ("3/36", (1, 12)));
    assert!(expect.limit && expect.source == "by hand");
}

#[test]
fn what_is_wrong_in_an_expectation_is_named() {
    let wrong = |situation: &str, value: &str| {
        mistakes(&with_expect(&format!(
            "variant = \"windy\"\nsituation = {situation}\nvalue = \"{value}\"\nsource = \"x\""
        )))
    };
    assert_eq!(
        wrong("{ troop = \"infantry\" }", "P(break) < 3/36")[0],
        "P(break) < 3/36: a known value is a quantity, `=` and a number"
    );
    assert_eq!(
        wrong("{ excess = 1 }", "P(break) = 1")[0],
        "[[expect]]: nothing says what these factors are: `troop`"
    );
    assert_eq!(
        wrong("{ troop = \"lancers\" }", "P(break) = 1")[0],
        "\"lancers\": `lancers` is not a value of `troop`"
    );
    assert_eq!(
        wrong("{ troop = \"cavalry\", shaken = true }", "P(break) = 1")[0],
        "[[expect]]: this situation does not exist: horses never shake"
    );
    let told = mistakes(&with_expect("variant = \"wind\"\nvalue = \"P(break) = 1\"\nsource = \"x\""));
    assert_eq!(told, ["\"wind\": there is no variant called `wind`"]);
}
