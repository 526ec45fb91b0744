//! Fields of colour.

use super::*;

/// Fields of colour with made-up figures, each known to within so much.
fn heat(panels: &[String], rows: &[String], columns: &[String], (tint, within): (Tint, f64)) -> Heat {
    let value = |at: usize, row: usize, column: usize| {
        let wave = ((3 * at + 5 * row + 7 * column) % 23) as f64 / 23.0;
        if tint == Tint::Change { wave - 0.4 } else { wave }
    };
    let cell = |value: f64| Share { value, low: value - within, high: value + within };
    let panel = |(at, title): (usize, &String)| HeatPanel {
        title: title.clone(),
        cells: (0..rows.len())
            .map(|row| (0..columns.len()).map(|column| Some(cell(value(at, row, column)))).collect())
            .collect(),
    };
    Heat {
        caption: outcomes(&names(&[""]), &names(&[""]), &names(&[""]), &break_results()).caption,
        scale_label: "change in the chance of “Break” under modified, in percentage points".into(),
        about: "±: half the width of the 95 % interval, where that changes the digits; ≈ elsewhere".into(),
        tint,
        rows: rows.to_vec(),
        rows_label: "Troop type".into(),
        columns: columns.to_vec(),
        columns_label: "casualties beyond Stamina".into(),
        columns_are_numbers: columns.iter().all(|label| label.parse::<i32>().is_ok()),
        panels: panels.iter().enumerate().map(panel).collect(),
    }
}

/// Fields of colour that are hard to lay out, by name.
pub(super) fn hard_heats() -> Vec<(&'static str, Heat)> {
    let troops = names(&["Infantry", "Cavalry", "Artillery", "Skirmishers"]);
    let numbers = |count: usize| (0..count).map(|at| at.to_string()).collect::<Vec<_>>();
    let long = numbered("Infantry in line, shaken and disordered, under artillery fire from the flank", 9);
    let (change, amount) = ((Tint::Change, 0.02), (Tint::Amount, 0.003));
    let mut gaps = heat(&names(&[""]), &troops, &numbers(3), (Tint::Change, 0.0));
    for (at, cell) in gaps.panels[0].cells.iter_mut().flatten().enumerate() {
        let value = [0.0, 1e-6, -1e-6][at % 3];
        *cell = (at != 4).then_some(Share { value, low: value, high: value });
    }
    vec![
        ("heat_change", heat(&numbered("Panel", 3), &troops, &numbers(5), change)),
        ("heat_amount", heat(&names(&[""]), &troops, &numbers(5), amount)),
        ("heat_wide", heat(&names(&["Infantry under fire"]), &troops, &numbers(41), change)),
        ("heat_wall", heat(&numbered("Panel", 3), &numbers(12), &numbers(120), amount)),
        ("heat_words", heat(&long[..4], &long, &long, change)),
        ("heat_names", heat(&names(&["", ""]), &numbers(3), &troops, amount)),
        ("heat_one", heat(&names(&[""]), &names(&["All"]), &names(&["All"]), change)),
        ("heat_gaps", gaps),
    ]
}

#[test]
fn a_field_has_the_colour_of_its_figure_on_the_scale() {
    let columns = names(&["a", "b", "c", "d", "e"]);
    let mut figure = heat(&names(&[""]), &names(&["Infantry"]), &columns, (Tint::Change, 0.0));
    let cell = |value: f64, within: f64| Some(Share { value, low: value - within, high: value + within });
    figure.panels[0].cells =
        vec![vec![cell(-0.07, 0.0), cell(0.02, 0.0), cell(0.07, 0.0), cell(0.04, 0.05), None]];
    let svg = drawn(&Figure::Heat(figure.clone())).unwrap();
    let pixels = Pixmap::decode_png(&raster(&svg)).unwrap();
    let found = texts_of(&svg);
    // steps of 2 points up to 8 on both sides of none: the fourth and the second
    let step = (place_of(&found, "+8").left() - place_of(&found, "+4").left()) / 2.0;
    let on_scale = |mark: &str, aside: f32| {
        let mark = place_of(&found, mark);
        colour(&pixels, (middle(&mark).0 + aside * step, mark.top() - 12.0))
    };
    let beside = |words: &str| {
        let words = place_of(&found, words);
        colour(&pixels, (words.left() - 3.0, middle(&words).1))
    };
    assert_eq!(beside("+7.0"), on_scale("+8", -0.5));
    assert_eq!(beside("−7.0"), on_scale("−8", 0.5));
    assert_eq!(beside("+2.0"), on_scale("+2", -0.5));
    // what may be no change has no colour
    assert_eq!(beside("+4.0"), on_scale("0", 0.2));
    let (less, more) = (beside("−7.0"), beside("+7.0"));
    assert!(less.2 > less.0 && more.0 > more.2, "{less:?} {more:?}");
    // its interval holds none: its half is written, and a ring stands in the corner
    assert!(found.iter().any(|(words, _)| words == "±5.0"));
    let rings = svg.matches("<circle").count();
    assert_eq!(rings, 2, "a ring is a disc in a disc");
    assert!(svg.contains("<title>Infantry, d: +4.0 points (−1.0 to +9.0)</title>"), "{svg}");
    assert!(found.iter().any(|(words, _)| words == "–"), "what does not arise has a dash");
    figure.panels[0].cells[0].truncate(3);
    let misfit = ChartError::Misfit { panel: 1, what: "columns", found: 3, expected: 5 };
    assert_eq!(drawn(&Figure::Heat(figure.clone())), Err(misfit));
    figure.panels.clear();
    assert_eq!(drawn(&Figure::Heat(figure)), Err(ChartError::Empty("panels")));
}

#[test]
fn a_scale_of_shares_begins_at_none_unless_all_are_large() {
    let marks = |values: [f64; 2]| {
        let mut figure = heat(&names(&[""]), &names(&["All"]), &names(&["a", "b"]), (Tint::Amount, 0.0));
        let cell = |value: f64| Some(Share { value, low: value, high: value });
        figure.panels[0].cells = vec![values.map(cell).to_vec()];
        let found = texts_of(&drawn(&Figure::Heat(figure)).unwrap());
        let marks = found.iter().filter(|(words, _)| words.ends_with('%'));
        marks.map(|(words, _)| words.clone()).collect::<Vec<_>>()
    };
    let list = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(marks([0.02, 0.48]), list("0% 5% 10% 15% 20% 25% 30% 35% 40% 45% 50%"));
    assert_eq!(marks([0.3, 0.33]), list("30.0% 30.5% 31.0% 31.5% 32.0% 32.5% 33.0%"));
    assert_eq!(marks([0.5, 1.0]), list("0% 10% 20% 30% 40% 50% 60% 70% 80% 90% 100%"));
}
