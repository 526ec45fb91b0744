//! Columns of numbers.

use super::*;

/// Columns with made-up shares, each known to within so much.
fn columns(panels: &[String], variants: &[String], numbers: &[String], within: f64) -> Columns {
    let share = |value: f64| Share { value, low: (value - within).max(0.0), high: (value + within).min(1.0) };
    let of =
        |at: usize, variant: usize| shares(numbers.len(), at + 2 * variant).into_iter().map(share).collect();
    let mean = |variant: usize| Mean { place: 0.7 + 0.4 * variant as f64, words: format!("{variant}.25") };
    let panel = |(at, title): (usize, &String)| ColumnsPanel {
        title: title.clone(),
        shares: (0..variants.len()).map(|variant| of(at, variant)).collect(),
        means: (0..variants.len()).map(|variant| Some(mean(variant))).collect(),
    };
    Columns {
        caption: outcomes(&names(&[""]), &names(&[""]), &names(&[""]), &break_results()).caption,
        variants: variants.to_vec(),
        numbers: numbers.to_vec(),
        x_label: "casualties".into(),
        y_label: "share of all trials".into(),
        panels: panels.iter().enumerate().map(panel).collect(),
    }
}

/// Columns that are hard to lay out, by name.
pub(super) fn hard_columns() -> Vec<(&'static str, Columns)> {
    let two = names(&["Original", "Modified"]);
    let numbers = |count: usize| (0..count).map(|at| at.to_string()).collect::<Vec<_>>();
    let bins: Vec<String> = (0..24).map(|at| format!("−{} to −{}", 5000 - 5 * at, 4996 - 5 * at)).collect();
    let mut lacking = columns(&numbered("Panel", 2), &two, &numbers(3), 0.0);
    (lacking.panels[0].shares[1], lacking.panels[0].means[1]) = (Vec::new(), None);
    vec![
        ("columns_one", columns(&names(&["Infantry under fire"]), &two, &numbers(6), 0.02)),
        ("columns_four", columns(&numbered("Troop", 4), &long_names(), &numbers(11), 0.05)),
        ("columns_bins", columns(&numbered("A troop type with a long name, number", 3), &two, &bins, 0.01)),
        ("columns_many", columns(&numbered("P", 8), &numbered("A draft of the rule", 9), &numbers(24), 0.1)),
        ("columns_single", columns(&names(&[""]), &names(&["Original"]), &names(&["0"]), 0.0)),
        ("columns_lacking", lacking),
    ]
}

#[test]
fn a_column_is_as_high_as_its_share_and_a_mean_stands_below_its_place() {
    let two = names(&["Old", "New"]);
    let mut figure = columns(&names(&[""]), &two, &names(&["7", "8"]), 0.0);
    let known = |value: f64| Share::exactly(value);
    let whisker = Share { value: 0.4, low: 0.3, high: 0.5 };
    figure.panels[0].shares = vec![vec![known(0.2), known(0.8)], vec![whisker, known(0.6)]];
    figure.panels[0].means = vec![
        Some(Mean { place: 1.3, words: "7.80".into() }),
        Some(Mean { place: 1.1, words: "7.60".into() }),
    ];
    let svg = drawn(&Figure::Columns(figure.clone())).unwrap();
    let pixels = Pixmap::decode_png(&raster(&svg)).unwrap();
    let found = texts_of(&svg);
    let key = |words| {
        let place = place_of(&found, words);
        colour(&pixels, (place.left() - 19.0, middle(&place).1))
    };
    let (old, new) = (key("Old"), key("New"));
    let (seven, eight) = (middle(&place_of(&found, "7")).0, middle(&place_of(&found, "8")).0);
    let (zero, full) = (middle(&place_of(&found, "0%")).1, middle(&place_of(&found, "80%")).1);
    let y = |share: f32| zero + (full - zero) * share / 0.8;
    // a group takes four fifths of its room, a column half of that
    let column = (eight - seven) * 0.4;
    let at = |number: f32, variant: f32, share: f32| {
        colour(&pixels, (number + (variant - 0.5) * column + column / 4.0, y(share)))
    };
    assert_eq!(
        [at(seven, 0.0, 0.1), at(eight, 0.0, 0.78), at(seven, 1.0, 0.38), at(eight, 1.0, 0.58)],
        [old, old, new, new]
    );
    for (number, variant, share) in [(seven, 0.0, 0.22), (seven, 1.0, 0.42), (eight, 1.0, 0.62)] {
        assert!(![old, new].contains(&at(number, variant, share)), "{variant} at {share}");
    }
    let ends = |share: f32| colour(&pixels, (seven + column / 2.0, y(share)));
    assert!(ends(0.35) != new && ends(0.45) != (255, 255, 255), "a whisker from 0.3 to 0.5");
    let left = 1.5 * seven - 0.5 * eight;
    let tip = |place: f32, below: f32| colour(&pixels, (left + place * (eight - seven), zero + below));
    assert_eq!([tip(1.3, 9.0), tip(1.1, 18.0)], [old, new]);
    assert!(svg.contains("<title>casualties 7, New: 40.0 % (30.0 to 50.0)</title>"), "{svg}");
    assert!(svg.contains("<title>Old: mean 7.80</title>"), "{svg}");
    figure.panels[0].shares[1].pop();
    let misfit = ChartError::Misfit { panel: 1, what: "numbers", found: 1, expected: 2 };
    assert_eq!(drawn(&Figure::Columns(figure.clone())), Err(misfit));
    figure.variants.clear();
    assert_eq!(drawn(&Figure::Columns(figure)), Err(ChartError::Empty("variants")));
}
