//! Which charts may be asked for, and what is said of those that may not.

use super::*;

/// A chart of two drafts.
fn of_two(chart: &str) -> String {
    format!("{HEAD}draft = \"windy.rules\"\n{POLICY}{GRID}[[chart]]\n{chart}\n")
}

/// A chart of three.
fn of_three(chart: &str) -> String {
    format!("{HEAD}draft = \"windy.rules\"\nother = \"windy.rules\"\n{POLICY}{GRID}[[chart]]\n{chart}\n")
}

/// A chart of a test that gives a number.
fn of_number(chart: &str) -> String {
    let head = HEAD.replace("break_test", "strength");
    format!("{head}draft = \"windy.rules\"\n[grid]\nexcess = \"0..2\"\n[[chart]]\n{chart}\n")
}

fn chart(text: &str) -> ChartRequest {
    good(text).charts[0].clone()
}

#[test]
fn a_difference_is_of_all_drafts_or_of_one() {
    let all = chart(&of_three("kind = \"difference\"\noutcome = \"break\"\npanel = \"troop\""));
    assert_eq!((all.kind, all.variant, all.panel), (ChartKind::Difference, 0, Some(0)));
    assert_eq!(chart(&of_three("kind = \"difference\"\nvariant = \"other\"")).variant, 2);
    let wrong = |text: &str| mistakes(&of_two(&format!("kind = \"difference\"\n{text}")));
    assert_eq!(
        wrong("variant = \"original\""),
        ["\"original\": `original` is the baseline, which does not differ from itself"]
    );
    assert_eq!(
        wrong("x = \"excess\""),
        ["\"excess\": a chart of the kind `difference` has a bar for each situation, and no axis of them"]
    );
    assert_eq!(
        mistakes(&with_chart("kind = \"difference\"")),
        ["\"difference\": a difference is that of a draft from the baseline, and there is only one variant"]
    );
    let number = mistakes(&of_number("kind = \"difference\""));
    assert_eq!(number, ["\"difference\": `strength` ends in a number, which has no list of outcomes"]);
    assert_eq!(chart(&of_number("kind = \"difference\"\noutcome = \"8+\"")).outcome.unwrap().spans.len(), 1);
}

#[test]
fn a_heat_chart_is_of_one_variant_and_usually_of_its_difference() {
    let axes = "kind = \"heat\"\nx = \"excess\"\ny = \"troop\"\n";
    let of = |chart: &ChartRequest| (chart.variant, chart.against_baseline);
    let heat = chart(&of_two(axes));
    assert_eq!((heat.kind, heat.x, heat.y, heat.panel), (ChartKind::Heat, Some(1), Some(0), None));
    assert_eq!(of(&heat), (1, true));
    assert_eq!(of(&chart(&of_two(&format!("{axes}of = \"probability\"")))), (1, false));
    assert_eq!(of(&chart(&of_two(&format!("{axes}variant = \"original\"")))), (0, false));
    assert_eq!(of(&chart(&with_chart(axes))), (0, false));
    assert_eq!(of(&chart(&of_three(&format!("{axes}variant = \"other\"")))), (2, true));
    let wrong = |text: &str| mistakes(&of_two(text));
    assert_eq!(
        wrong(&format!("{axes}variant = \"original\"\nof = \"difference\"")),
        ["\"difference\": this chart is of the baseline, which does not differ from itself"]
    );
    assert_eq!(
        wrong(&format!("{axes}of = \"diference\"")),
        ["\"diference\": a heat chart cannot be of this"]
    );
    assert_eq!(mistakes(&of_three(axes)), ["[[chart]]: which variant is meant?"]);
}

#[test]
fn a_heat_chart_has_two_axes_that_differ() {
    let wrong = |text: &str| mistakes(&of_two(&format!("kind = \"heat\"\n{text}")));
    assert_eq!(
        wrong("x = \"excess\""),
        ["[[chart]]: a heat chart needs two factors: `x` along the bottom and `y` down the side"]
    );
    let twice = |name: &str| format!("{name}: `excess` can stand along an axis or in panels, but only once");
    assert_eq!(wrong("x = \"excess\"\ny = \"excess\""), [twice("\"excess\"")]);
    assert_eq!(wrong("x = \"troop\"\ny = \"excess\"\npanel = \"excess\""), [twice("\"excess\"")]);
    assert_eq!(wrong("x = \"troop\"\ny = \"exces\""), ["\"exces\": `exces` is not a factor of the grid"]);
}

#[test]
fn a_distribution_is_of_a_number() {
    let number = chart(&of_number("kind = \"distribution\"\nreading = \"at least\""));
    assert_eq!((number.kind, number.measure, number.reading), (ChartKind::Distribution, 0, Reading::AtLeast));
    assert_eq!(chart(&of_number("kind = \"distribution\"")).reading, Reading::Exactly);
    assert_eq!(chart(&of_number("kind = \"survival\"\nmeasure = \"result\"")).measure, 0);
    let wrong = |text: &str| mistakes(&of_number(&format!("kind = \"distribution\"\n{text}")));
    assert_eq!(wrong("reading = \"atleast\""), ["\"atleast\": a distribution cannot be read like this"]);
    assert_eq!(wrong("x = \"excess\""), ["\"excess\": the axis of this chart is that of its measure"]);
    assert_eq!(
        wrong("measure = \"reslt\""),
        ["\"reslt\": `strength` neither gives nor records anything called `reslt`"]
    );
    assert_eq!(
        mistakes(&of_two("kind = \"survival\"")),
        ["[[chart]]: `break_test` neither gives nor records a number"]
    );
    assert_eq!(
        mistakes(&of_two("kind = \"distribution\"\nmeasure = \"result\"")),
        ["\"result\": `result` is not a number"]
    );
}

#[test]
fn a_key_of_another_kind_of_chart_is_refused_with_the_kinds_that_take_it() {
    let text = of_two("kind = \"outcomes\"\ny = \"troop\"\nof = \"difference\"");
    assert_eq!(
        mistakes(&text),
        [
            "\"troop\": a chart of the kind `outcomes` has no `y`",
            "\"difference\": a chart of the kind `outcomes` has no `of`"
        ]
    );
    assert_eq!(remedies(&text)[0], "take it out; `y` is for charts of the kind \"heat\"");
    let text = of_two("kind = \"survival\"\noutcome = \"break\"\nreading = \"at least\"");
    assert!(
        mistakes(&text).contains(&"\"at least\": a chart of the kind `survival` has no `reading`".to_owned())
    );
}

#[test]
fn a_chart_of_all_results_does_not_take_one_of_them() {
    for kind in ["outcomes", "flow"] {
        let text = of_two(&format!("kind = \"{kind}\"\noutcome = \"break\""));
        assert_eq!(mistakes(&text), ["\"break\": this chart shows all results, not one of them"], "{kind}");
        assert_eq!(
            remedies(&text),
            [
                "take it out; `outcome` is for charts of the kind \"curve\", \"difference\", \"heat\", \"modifiers\""
            ],
            "{kind}"
        );
    }
}
