//! Curves.

use super::*;

pub(super) fn curve(panels: &[String], variants: &[String], last: i32) -> Curve {
    let line = |slope: f64| {
        let point = |x: i32| {
            let value = (0.05 + slope * f64::from(x) / f64::from(last.max(1))).min(0.95);
            Point { x, share: Share { value, low: value - 0.03, high: value + 0.03 } }
        };
        (0..=last).map(point).collect::<Vec<_>>()
    };
    let panel = |(at, title): (usize, &String)| CurvePanel {
        title: title.clone(),
        points: (0..variants.len()).map(|bar| line(0.25 + 0.17 * bar as f64 + 0.05 * at as f64)).collect(),
    };
    Curve {
        caption: Caption {
            title: "How quickly a unit becomes likely to break".into(),
            subtitle: "Not shaken, not disordered".into(),
            note: "Bands: 95% intervals".into(),
        },
        variants: variants.to_vec(),
        x_label: "casualties beyond Stamina".into(),
        y_label: "Chance to break".into(),
        panels: panels.iter().enumerate().map(panel).collect(),
    }
}

/// Curves that are hard to lay out, by name.
pub(super) fn hard_curves() -> Vec<(&'static str, Curve)> {
    let two = names(&["Original", "Modified"]);
    let mut coincide = curve(&names(&["Infantry"]), &long_names(), 4);
    coincide.panels[0].points[1] = coincide.panels[0].points[0].clone();
    coincide.panels[0].points[2] = coincide.panels[0].points[0].clone();
    let mut wide = curve(&numbered("Panel", 3), &two, 1);
    wide.panels[0].points[0][0].x = i32::MIN;
    wide.panels[0].points[0][1].x = i32::MAX;
    wide.panels[1].points[1].clear();
    let long_headings = numbered("A troop type with a long name, number", 8);
    vec![
        ("curve_one", curve(&names(&["Infantry under fire"]), &two, 4)),
        ("curve_four", curve(&numbered("Troop", 4), &numbered("Draft of the rule, number", 5), 6)),
        ("curve_eight", curve(&long_headings, &long_names(), 30)),
        ("curve_coincide", coincide),
        ("curve_point", curve(&names(&[""]), &two, 0)),
        ("curve_wide", wide),
    ]
}

#[test]
fn a_curve_passes_where_its_axes_say() {
    let mut figure = curve(&names(&[""]), &names(&["Original"]), 4);
    let point = |x: i32| {
        let value = 0.1 * f64::from(x);
        Point { x, share: Share::exactly(value) }
    };
    figure.panels[0].points = vec![[4, 0, 2, 3, 1].map(point).to_vec()];
    let svg = drawn(&Figure::Curve(figure)).unwrap();
    let pixels = Pixmap::decode_png(&raster(&svg)).unwrap();
    let found = texts_of(&svg);
    let key = place_of(&found, "Original");
    let line = colour(&pixels, (key.left() - 11.0, middle(&key).1));
    for x in 0..=4 {
        let spot = (
            middle(&place_of(&found, &x.to_string())).0,
            middle(&place_of(&found, &format!("{}%", 10 * x))).1,
        );
        assert_eq!(colour(&pixels, spot), line, "at {x}");
        let above = (spot.0, spot.1 - 20.0);
        assert_ne!(colour(&pixels, above), line, "above {x}");
    }
}
