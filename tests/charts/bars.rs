//! Bars of changes.

use super::*;

fn bars(bars: Vec<Bar>) -> Bars {
    Bars {
        caption: Caption {
            title: "Which line of the modified chart matters most under fire?".into(),
            subtitle: "Each line of the rules and each factor is changed in turn".into(),
            note: "Solved exactly".into(),
        },
        about: "Bars: the mean over 40 situations. Thin lines: from the least to the most in any of them."
            .into(),
        x_label: "change in percentage points".into(),
        bars,
    }
}

fn bar(label: &str, value: f64, low: f64, high: f64) -> Bar {
    let detail = "-2 instead of -1: modified-hail-caesar.rules line 66".into();
    Bar {
        heading: String::new(),
        label: label.into(),
        detail,
        figure: format!("{value:+.2}"),
        value,
        low,
        high,
    }
}

/// Bars that are hard to lay out, by name.
pub(super) fn hard_bars() -> Vec<(&'static str, Bars)> {
    let size = |at: usize| (20 - at) as f64 * if at.is_multiple_of(3) { 2.5 } else { -1.7 };
    let twenty = |at| {
        bar(&format!("Line {at} of the modifiers"), size(at), size(at) * 0.4 - 1.0, size(at) * 1.3 + 1.0)
    };
    let words = "Infantry in line, shaken and disordered, under artillery fire from the flank, and more of that, and on it goes";
    let headed = |words: &str| {
        let heading =
            |at: i32| if at % 3 == 0 { format!("modified: troop {at}, {words}") } else { String::new() };
        let one = |at: i32| bar(&format!("excess {at}"), f64::from(at) - 4.0, -4.5, f64::from(at));
        (0..9).map(|at| Bar { heading: heading(at), ..one(at) }).collect()
    };
    let mut bare = bar("", 3.0, 3.0, 3.0);
    (bare.detail, bare.figure) = (String::new(), String::new());
    vec![
        ("bars_one", bars(vec![bar("disordered", 2.4, 0.0, 6.0)])),
        ("bars_twenty", bars((0..20).map(twenty).collect())),
        ("bars_tiny", bars(vec![bar("a", 0.0012, 0.0, 0.0031), bar("b", -0.0001, -0.0001, 0.0)])),
        (
            "bars_huge",
            bars(vec![bar(words, -123_456.0, -987_654.0, 12.0), bar(&"x".repeat(200), 1.0, 0.0, 1.0)]),
        ),
        ("bars_headed", bars(headed(words))),
        ("bars_none", bars(vec![bar("nothing", 0.0, 0.0, 0.0), bare])),
        ("bars_below", bars(vec![bar("less", -2.0, -3.0, -1.0), bar("", -1.0, -1.0, -1.0)])),
    ]
}

#[test]
fn a_bar_of_a_change_reaches_from_zero_to_its_value() {
    let figure = bars(vec![bar("more", 2.0, 1.0, 3.0), bar("less", -1.0, -1.0, -1.0)]);
    let svg = drawn(&Figure::Bars(figure)).unwrap();
    let pixels = Pixmap::decode_png(&raster(&svg)).unwrap();
    let found = texts_of(&svg);
    let x = |mark| middle(&place_of(&found, mark)).0;
    let row = |figure| middle(&place_of(&found, figure)).1 + 6.0; // below the whisker
    let (zero, one, two) = (x("0"), x("+1"), x("+2"));
    assert!((x("−1") + one - 2.0 * zero).abs() < 2.0, "marks stand at equal distances");
    let (more, less) = (row("+2.00"), row("-1.00"));
    let at = |x: f32, y: f32| colour(&pixels, (x, y));
    let (orange, blue) = (at(one, more), at(zero - (one - zero) / 2.0, less));
    assert!(orange.0 > orange.2 && blue.2 > blue.0, "{orange:?} {blue:?}");
    assert_eq!([at(zero + 4.0, more), at(two - 4.0, more)], [orange; 2]);
    assert_eq!([at(x("−1") + 4.0, less), at(zero - 4.0, less)], [blue; 2]);
    for (x, y) in [(two + 6.0, more), (zero - 6.0, more), (x("−1") - 6.0, less), (zero + 6.0, less)] {
        assert_eq!(at(x, y), (255, 255, 255), "at {x}, {y}");
    }
    // the whisker goes on to 3
    assert_ne!(at((two + x("+3")) / 2.0, more - 6.0), (255, 255, 255));
    assert_eq!(drawn(&Figure::Bars(bars(Vec::new()))), Err(ChartError::Empty("bars")));
    let wrong = drawn(&Figure::Bars(bars(vec![bar("a", 1.0, f64::NEG_INFINITY, 2.0)])));
    assert!(matches!(wrong, Err(ChartError::NotANumber { .. })), "{wrong:?}");
}
