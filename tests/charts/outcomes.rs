//! Bars of shares.

use super::*;

/// A figure with made-up shares under the given labels.
pub(super) fn outcomes(
    panels: &[String],
    situations: &[String],
    variants: &[String],
    labels: &[String],
) -> Outcomes {
    let panel = |(at, title): (usize, &String)| SharesPanel {
        title: title.clone(),
        shares: (0..situations.len())
            .map(|row| {
                let bar = |bar| known(shares(labels.len(), row + 2 * bar + 3 * at), 0.02 * bar as f64);
                (0..variants.len()).map(|at| Some(bar(at))).collect()
            })
            .collect(),
    };
    Outcomes {
        caption: Caption {
            title: "Break tests: original Black Powder against the modified Hail Caesar chart".into(),
            subtitle: "Not shaken, no artillery casualties, skirmishers test as infantry; \
                       the player holds his ground where he has the choice"
                .into(),
            note: "1,000,000 tests per bar".into(),
        },
        outcomes: labels.to_vec(),
        variants: variants.to_vec(),
        situations: situations.to_vec(),
        situations_label: "Casualties beyond Stamina".into(),
        shares_label: "share of break tests".into(),
        panels: panels.iter().enumerate().map(panel).collect(),
    }
}

pub(super) fn break_results() -> Vec<String> {
    names(&["Hold your ground", "Hold your ground, disordered", "Retreat in disorder", "Break"])
}

pub(super) fn eight_panels() -> Outcomes {
    let troops = ["Infantry", "Cavalry", "Artillery", "Skirmishers"];
    let panels: Vec<String> = ["shooting", "hand-to-hand"]
        .iter()
        .flat_map(|attack| troops.map(|troop| format!("{troop}, {attack}")))
        .collect();
    outcomes(&panels, &names(&["0", "1", "2", "3", "4"]), &names(&["Original", "Modified"]), &break_results())
}

/// Shares of 0 and 1 and almost so, missing bars, unresolved rests.
fn extreme_shares() -> Outcomes {
    let situations = numbered("", 5);
    let mut figure =
        outcomes(&names(&[""]), &situations, &names(&["Original\u{0}", "Modified\n\u{7}"]), &break_results());
    figure.panels[0].shares = vec![
        vec![Some(segments(vec![1.0, 0.0, 0.0, 0.0])), Some(segments(vec![0.0, 0.0, 0.0, 1.0]))],
        vec![Some(segments(vec![0.999, 0.001, 0.0, 0.0])), Some(segments(vec![0.004, 0.0, 0.006, 0.99]))],
        vec![None, Some(segments(vec![0.25; 4]))],
        vec![Some(segments(vec![0.2; 4])), Some(segments(vec![0.0; 4]))],
        vec![Some(segments(vec![0.0, 0.5, 0.0, 0.5])), None],
    ];
    figure
}

/// More words than there is room for, everywhere.
fn long_words() -> Outcomes {
    let situations = names(&[
        "Infantry in line, shaken and disordered, under artillery fire from the flank",
        "Cavalry <light> & \"heavy\"",
        "Pneumonoultramicroscopicsilicovolcanoconiosis",
    ]);
    let panels = numbered("A panel's long heading that goes on and on", 5);
    let mut figure = outcomes(&panels, &situations, &long_names(), &break_results());
    figure.caption = Caption {
        title: "x".repeat(60) + " " + &"long title & <words> ".repeat(20),
        subtitle: "every factor = its default, ".repeat(30),
        note: "\u{0}a note with a bell \u{7} and a line\nbreak ".repeat(20),
    };
    figure.situations_label = "troop type, its formation and what it is attacked with".into();
    figure
}

/// Stacked shares that are hard to lay out, by name.
pub(super) fn hard_shares() -> Vec<(&'static str, Outcomes)> {
    let excess = names(&["0", "1", "2", "3", "4"]);
    let (one, two) = (names(&["Original"]), names(&["Original", "Modified"]));
    let (many, results) = (numbered("A result with a longer name", 23), break_results());
    let panels = |count| numbered("Panel", count);
    let drafts = |count| numbered("A draft of the rule, number", count);
    vec![
        ("eight_panels", eight_panels()),
        ("one_panel", outcomes(&names(&["Infantry under fire"]), &excess, &two, &results)),
        ("three_long_names", outcomes(&panels(4), &excess, &long_names(), &results)),
        ("single_situation", outcomes(&names(&[""]), &names(&["All"]), &one, &names(&["Hold", "Break"]))),
        ("extreme_shares", extreme_shares()),
        ("twelve_situations", outcomes(&panels(2), &numbered("Modifier", 12), &drafts(5), &results)),
        ("ten_outcomes", outcomes(&panels(3), &excess, &two, &numbered("Hits:", 10))),
        ("many_outcomes", outcomes(&panels(5), &numbered("S", 2), &numbered("Rules", 6), &many)),
        ("many_variants", outcomes(&panels(2), &numbered("S", 1), &drafts(30), &results)),
        ("long_words", long_words()),
    ]
}

#[test]
fn a_bar_has_each_outcome_s_colour_over_its_share() {
    let labels = names(&["Hold", "Retreat", "Break"]);
    let mut figure = outcomes(&names(&[""]), &names(&["All"]), &names(&["Original"]), &labels);
    figure.panels[0].shares = vec![vec![Some(segments(vec![0.25, 0.0, 0.75]))]];
    let svg = drawn(&Figure::Outcomes(figure)).unwrap();
    let pixels = Pixmap::decode_png(&raster(&svg)).unwrap();
    let found = texts_of(&svg);
    let key = |words| {
        let place = place_of(&found, words);
        colour(&pixels, (place.left() - 19.0, middle(&place).1))
    };
    let (best, worst) = (key("Hold"), key("Break"));
    assert!(best.2 > best.0 && worst.0 > worst.2, "good is blue and bad is red: {best:?} {worst:?}");
    let (left, right) = (place_of(&found, "0%").left(), place_of(&found, "100%").right());
    let row = place_of(&found, "All").top(); // above the middle, where the percentages stand
    let at = |share: f32| colour(&pixels, (left + share * (right - left), row));
    assert_eq!([at(0.02), at(0.12), at(0.24)], [best; 3]);
    assert_eq!([at(0.26), at(0.6), at(0.98)], [worst; 3]);
}

#[test]
fn labels_stand_in_the_picture_as_written() {
    let label = "<b> & \"c\" 'd' ]]> é ≥";
    let figure = outcomes(&names(&[label]), &names(&[label]), &names(&["x", "y"]), &names(&[label, "Break"]));
    let found = texts_of(&drawn(&Figure::Outcomes(figure)).unwrap());
    assert_eq!(found.iter().filter(|(words, _)| words.trim() == label).count(), 3);
}
