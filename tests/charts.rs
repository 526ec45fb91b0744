//! Charts over hard cases: they are valid, the same each time, and no two texts touch.
//!
//! `cargo test --test charts -- --ignored` leaves every case as SVG and PNG in `target/tmp/charts`, to be looked at.

use houserule::report::chart::{
    Bar, Bars, Caption, ChartError, Columns, ColumnsPanel, Curve, CurvePanel, Figure, FlowPanel, Flows, Heat,
    HeatCell, HeatPanel, Look, Mean, Outcomes, Point, Segment, Share, SharesPanel, Size, Theme, Tint, draw,
    rasterise, shades,
};
use resvg::tiny_skia::Pixmap;
use resvg::usvg::{Group, Node, Options, Rect, Tree, fontdb::Database};
use std::sync::Arc;

/// Shares that add up to 1 and differ from bar to bar: a geometric series whose ratio depends on the place.
fn shares(outcomes: usize, seed: usize) -> Vec<f64> {
    let ratio = 0.35 + 0.13 * (seed % 9) as f64;
    let weights: Vec<f64> = (0..outcomes).map(|at| ratio.powi(at as i32)).collect();
    let sum: f64 = weights.iter().sum();
    weights.iter().map(|weight| weight / sum).collect()
}

/// Shares of a bar that are known exactly.
fn segments(shares: Vec<f64>) -> Vec<Segment> {
    known(shares, 0.0)
}

/// Shares of a bar that are known to within so much.
fn known(shares: Vec<f64>, within: f64) -> Vec<Segment> {
    let share = |value: f64| Share {
        value,
        low: (value - within).max(0.0),
        high: (value + within).min(value.max(1.0)),
    };
    let mut sum = 0.0;
    let segment = |value: f64| {
        sum += value;
        Segment { share: share(value), until: share(sum) }
    };
    shares.into_iter().map(segment).collect()
}

/// A picture for the column of a blog.
fn drawn(figure: &Figure) -> Result<String, ChartError> {
    draw(figure, Look::default())
}

/// Its pixels, one for each of the document.
fn raster(svg: &str) -> Vec<u8> {
    rasterise(svg, 1.0).expect("a picture")
}

fn names(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

fn numbered(what: &str, count: usize) -> Vec<String> {
    (0..count).map(|at| format!("{what} {at}")).collect()
}

/// A figure with made-up shares under the given labels.
fn outcomes(panels: &[String], situations: &[String], variants: &[String], labels: &[String]) -> Outcomes {
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
        outcomes_label: "Best result first:".into(),
        variants: variants.to_vec(),
        situations: situations.to_vec(),
        situations_label: "Casualties beyond Stamina".into(),
        shares_label: "share of break tests".into(),
        panels: panels.iter().enumerate().map(panel).collect(),
    }
}

fn break_results() -> Vec<String> {
    names(&["Hold your ground", "Hold your ground, disordered", "Retreat in disorder", "Break"])
}

fn eight_panels() -> Outcomes {
    let troops = ["Infantry", "Cavalry", "Artillery", "Skirmishers"];
    let panels: Vec<String> = ["shooting", "hand-to-hand"]
        .iter()
        .flat_map(|attack| troops.map(|troop| format!("{troop}, {attack}")))
        .collect();
    outcomes(&panels, &names(&["0", "1", "2", "3", "4"]), &names(&["Original", "Modified"]), &break_results())
}

fn curve(panels: &[String], variants: &[String], last: i32) -> Curve {
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

/// Three names of 30 letters.
fn long_names() -> Vec<String> {
    let names = names(&[
        "Modified Hail Caesar, lenient!",
        "Modified Hail Caesar, harsher?",
        "Original Black Powder, 2nd ed.",
    ]);
    assert!(names.iter().all(|name| name.len() == 30));
    names
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
fn hard_shares() -> Vec<(&'static str, Outcomes)> {
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

/// Curves that are hard to lay out, by name.
fn hard_curves() -> Vec<(&'static str, Curve)> {
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

/// Flows with made-up shares: all trials but `rest` of each panel.
fn flows(panels: &[String], drafts: [&str; 2], labels: &[String], rest: f64) -> Flows {
    let count = labels.len() + 1;
    let panel = |(at, title): (usize, &String)| {
        let (from, to) = (shares(labels.len(), at), shares(labels.len(), at + 4));
        let mut all = vec![vec![Share::default(); count]; count];
        for (row, from) in all.iter_mut().zip(&from) {
            row.iter_mut().zip(&to).for_each(|(cell, to)| *cell = Share::exactly(from * to * (1.0 - rest)));
        }
        all[labels.len()][0] = Share::exactly(rest);
        FlowPanel { title: title.clone(), names: drafts.map(str::to_owned), shares: all }
    };
    let caption = outcomes(&names(&[""]), &names(&[""]), &names(&[""]), labels).caption;
    let panels = panels.iter().enumerate().map(panel).collect();
    Flows { caption, outcomes: labels.to_vec(), outcomes_label: String::new(), panels }
}

/// Flows that are hard to lay out, by name.
fn hard_flows() -> Vec<(&'static str, Flows)> {
    let long = "A draft of the break test with a name that goes on beyond any column there is";
    let many = numbered("A result with a longer name", 12);
    let mut still = flows(&names(&[""]), ["Original", "Modified"], &break_results(), 0.0);
    for (from, row) in still.panels[0].shares.iter_mut().enumerate() {
        row.iter_mut()
            .enumerate()
            .for_each(|(to, cell)| *cell = Share::exactly(if from == to && to < 4 { 0.25 } else { 0.0 }));
    }
    vec![
        (
            "flow_one",
            flows(&names(&["Infantry under fire"]), ["Original", "Modified"], &break_results(), 0.0),
        ),
        ("flow_four", flows(&numbered("Troop", 4), ["Original", "Modified"], &break_results(), 0.1)),
        (
            "flow_long",
            flows(
                &numbered("A heading that does not end before the next one begins", 5),
                [long, long],
                &many,
                0.02,
            ),
        ),
        ("flow_still", still),
    ]
}

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
fn hard_bars() -> Vec<(&'static str, Bars)> {
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

/// Fields of colour with made-up figures, each known to within so much.
fn heat(panels: &[String], rows: &[String], columns: &[String], (tint, within): (Tint, f64)) -> Heat {
    let value = |at: usize, row: usize, column: usize| {
        let wave = ((3 * at + 5 * row + 7 * column) % 23) as f64 / 23.0;
        if tint == Tint::Change { wave - 0.4 } else { wave }
    };
    let cell = |value: f64| HeatCell { value, low: value - within, high: value + within };
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
fn hard_heats() -> Vec<(&'static str, Heat)> {
    let troops = names(&["Infantry", "Cavalry", "Artillery", "Skirmishers"]);
    let numbers = |count: usize| (0..count).map(|at| at.to_string()).collect::<Vec<_>>();
    let long = numbered("Infantry in line, shaken and disordered, under artillery fire from the flank", 9);
    let (change, amount) = ((Tint::Change, 0.02), (Tint::Amount, 0.003));
    let mut gaps = heat(&names(&[""]), &troops, &numbers(3), (Tint::Change, 0.0));
    for (at, cell) in gaps.panels[0].cells.iter_mut().flatten().enumerate() {
        let value = [0.0, 1e-6, -1e-6][at % 3];
        *cell = (at != 4).then_some(HeatCell { value, low: value, high: value });
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
fn hard_columns() -> Vec<(&'static str, Columns)> {
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

fn hard_cases() -> Vec<(&'static str, Figure)> {
    let shares = hard_shares().into_iter().map(|(name, figure)| (name, Figure::Outcomes(figure)));
    let curves = hard_curves().into_iter().map(|(name, figure)| (name, Figure::Curve(figure)));
    let flows = hard_flows().into_iter().map(|(name, figure)| (name, Figure::Flows(figure)));
    let bars = hard_bars().into_iter().map(|(name, figure)| (name, Figure::Bars(figure)));
    let heats = hard_heats().into_iter().map(|(name, figure)| (name, Figure::Heat(figure)));
    let columns = hard_columns().into_iter().map(|(name, figure)| (name, Figure::Columns(figure)));
    shares.chain(curves).chain(bars).chain(flows).chain(heats).chain(columns).collect()
}

fn parse(svg: &str) -> Tree {
    let mut fonts = Database::new();
    fonts.load_font_data(dejavu::sans::regular().to_vec());
    fonts.load_font_data(dejavu::sans::bold().to_vec());
    Tree::from_str(svg, &Options { fontdb: Arc::new(fonts), ..Options::default() }).expect("an SVG document")
}

/// Every text with its box.
fn texts(group: &Group, found: &mut Vec<(String, Rect)>) {
    for node in group.children() {
        match node {
            Node::Group(group) => texts(group, found),
            Node::Text(text) => {
                let words = text.chunks().iter().map(|chunk| chunk.text()).collect();
                found.push((words, text.abs_bounding_box()));
            }
            _ => {}
        }
    }
}

fn texts_of(svg: &str) -> Vec<(String, Rect)> {
    let mut found = Vec::new();
    texts(parse(svg).root(), &mut found);
    found
}

fn overlap(a: &Rect, b: &Rect) -> bool {
    a.left() < b.right() && b.left() < a.right() && a.top() < b.bottom() && b.top() < a.bottom()
}

#[test]
fn every_text_stands_on_the_page_and_touches_no_other() {
    let mut faults = Vec::new();
    let sizes = [Size::Column, Size::Slide, Size::Phone];
    let all =
        hard_cases().into_iter().flat_map(|(name, figure)| sizes.map(|size| (name, figure.clone(), size)));
    for (name, figure, size) in all {
        let svg = match draw(&figure, Look { size, ..Look::default() }) {
            Err(ChartError::TooTall { .. }) if size == Size::Slide => continue,
            drawn => drawn.unwrap(),
        };
        let name = format!("{name}, {size:?}");
        let page = parse(&svg);
        let mut found = Vec::new();
        texts(page.root(), &mut found);
        let page = page.size();
        assert!(found.len() > 5, "{name} has hardly any text");
        for (at, (words, place)) in found.iter().enumerate() {
            let inside = place.left() >= 0.0
                && place.top() >= 0.0
                && place.right() <= page.width()
                && place.bottom() <= page.height();
            if !inside {
                faults.push(format!("{name}: `{words}` leaves the page: {place:?}"));
            }
            for (other, its_place) in found[at + 1..].iter().filter(|(_, other)| overlap(place, other)) {
                faults.push(format!("{name}: `{words}` {place:?} and `{other}` {its_place:?}"));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
#[ignore = "writes pictures to look at"]
fn every_case_becomes_a_picture() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("charts");
    std::fs::create_dir_all(&folder).unwrap();
    let sizes = [Size::Column, Size::Slide, Size::Phone];
    let looks = sizes.map(|size| [Theme::Light, Theme::Dark].map(|theme| Look { size, theme }));
    for (name, figure) in hard_cases() {
        for look in looks.into_iter().flatten() {
            let Ok(svg) = draw(&figure, look) else { continue };
            let name = format!("{name}-{:?}-{:?}", look.size, look.theme).to_lowercase();
            std::fs::write(folder.join(format!("{name}.png")), rasterise(&svg, look.zoom()).unwrap())
                .unwrap();
            std::fs::write(folder.join(format!("{name}.svg")), svg).unwrap();
        }
    }
}

/// The colours that an SVG document names.
fn colours(svg: &str) -> std::collections::BTreeSet<&str> {
    svg.match_indices("=\"#").map(|(at, _)| &svg[at + 2..at + 9]).collect()
}

#[test]
fn a_dark_page_has_the_same_picture_in_its_own_shades() {
    for (name, figure) in hard_cases() {
        let [light, dark] = [Theme::Light, Theme::Dark]
            .map(|theme| draw(&figure, Look { theme, ..Look::default() }).unwrap());
        let mut swapped = light.clone();
        for (shade, instead) in shades() {
            assert!(!colours(&dark).contains(&*shade), "{name} has {shade} on a dark page");
            swapped = swapped.replace(&format!("\"{shade}\""), &format!("\"{instead}\""));
        }
        assert!(swapped == dark, "{name} differs by more than its shades");
    }
}

/// Every picture that is stored under `reports/`, with its name.
fn gallery() -> Vec<(String, String)> {
    let files = |folder: &std::path::Path| -> Vec<std::path::PathBuf> {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let mut paths: Vec<_> = entries.map(|entry| entry.path()).collect();
        paths.sort();
        paths
    };
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("reports");
    let scenarios = files(&root).into_iter().flat_map(|folder| files(&folder));
    let pictures = scenarios.flat_map(|folder| files(&folder.join("charts")));
    let drawn = pictures.filter(|file| file.extension().is_some_and(|kind| kind == "svg"));
    drawn
        .map(|file| (file.display().to_string(), std::fs::read_to_string(&file).expect("a picture")))
        .collect()
}

#[test]
fn no_picture_of_the_gallery_has_more_than_twelve_colours_beside_ink_and_paper() {
    let pictures = gallery();
    assert!(pictures.len() > 30, "{} pictures", pictures.len());
    let page: Vec<String> = shades().flat_map(|(light, dark)| [light, dark]).collect();
    let words_on_colours = ["#FEFEFE", "#1C222A"];
    for (name, svg) in pictures {
        let mut data = colours(&svg);
        data.retain(|colour| !page.iter().any(|one| one == colour) && !words_on_colours.contains(colour));
        assert!(data.len() <= 12, "{name}: {data:?}");
    }
}

#[test]
fn a_slide_is_a_slide_or_says_that_it_cannot_be_one() {
    let slide = Look { size: Size::Slide, ..Look::default() };
    let one = outcomes(&names(&["Infantry"]), &numbered("", 4), &names(&["Old", "New"]), &break_results());
    let svg = draw(&Figure::Outcomes(one), slide).unwrap();
    let size = parse(&svg).size();
    assert_eq!((size.width(), size.height()), (1920.0, 1080.0));
    let many = outcomes(&names(&["Infantry"]), &numbered("", 80), &names(&["Old", "New"]), &break_results());
    let error = draw(&Figure::Outcomes(many), slide).unwrap_err();
    assert!(matches!(error, ChartError::TooTall { .. }), "{error}");
}

#[test]
fn parts_tell_their_figures() {
    let labels = names(&["Hold", "Break"]);
    let mut figure = outcomes(&names(&["Infantry"]), &names(&["2 over"]), &names(&["Old"]), &labels);
    figure.panels[0].shares = vec![vec![Some(known(vec![0.25, 0.75], 0.01))]];
    let svg = drawn(&Figure::Outcomes(figure)).unwrap();
    assert!(svg.contains("<title>Infantry, 2 over, Old: Hold 25.0 % (24.0 to 26.0)</title>"), "{svg}");
    let mut figure = curve(&names(&["Infantry"]), &names(&["Old"]), 0);
    figure.panels[0].points = vec![vec![Point { x: 3, share: Share::exactly(0.125) }]];
    let svg = drawn(&Figure::Curve(figure)).unwrap();
    assert!(svg.contains("<title>Infantry, casualties beyond Stamina 3, Old: 12.5 %</title>"), "{svg}");
}

#[test]
fn equal_figures_give_equal_bytes_on_any_thread() {
    let panels = names(&["Infantry", "Cavalry"]);
    let figure = Figure::Outcomes(outcomes(&panels, &names(&["0", "1"]), &long_names(), &break_results()));
    let picture = || {
        let svg = drawn(&figure).unwrap();
        let png = raster(&svg);
        (svg, png)
    };
    let first = picture();
    std::thread::scope(|scope| {
        let others: Vec<_> = (0..3).map(|_| scope.spawn(picture)).collect();
        for other in others {
            assert!(other.join().unwrap() == first);
        }
    });
}

/// The box of the only text with these words.
fn place_of(found: &[(String, Rect)], words: &str) -> Rect {
    let places: Vec<_> = found.iter().filter(|(text, _)| text == words).collect();
    assert_eq!(places.len(), 1, "`{words}` among {found:?}");
    places[0].1
}

fn middle(place: &Rect) -> (f32, f32) {
    ((place.left() + place.right()) / 2.0, (place.top() + place.bottom()) / 2.0)
}

fn colour(pixels: &Pixmap, (x, y): (f32, f32)) -> (u8, u8, u8) {
    let pixel = pixels.pixel(x as u32, y as u32).expect("a spot on the page");
    (pixel.red(), pixel.green(), pixel.blue())
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

#[test]
fn ribbons_join_what_the_same_dice_give() {
    let labels = names(&["Hold", "Retreat", "Break"]);
    let mut figure = flows(&names(&[""]), ["Original", "Modified"], &labels, 0.0);
    let mut shares = vec![vec![Share::default(); 4]; 4];
    // what held holds, all that broke retreats
    (shares[0][0], shares[2][1]) = (Share::exactly(0.25), Share::exactly(0.75));
    figure.panels[0].shares = shares;
    let svg = drawn(&Figure::Flows(figure)).unwrap();
    let pixels = Pixmap::decode_png(&raster(&svg)).unwrap();
    let found = texts_of(&svg);
    let key = |words| {
        let place = place_of(&found, words);
        colour(&pixels, (place.left() - 19.0, middle(&place).1))
    };
    let (hold, retreat, broken) = (key("Hold"), key("Retreat"), key("Break"));
    let (left, right) =
        (place_of(&found, "Original").left() + 4.0, place_of(&found, "Modified").right() - 4.0);
    let quarter = found.iter().find(|(words, _)| words == "25%").unwrap().1;
    let upper = middle(&quarter).1;
    let lower = upper + 200.0;
    assert_eq!([colour(&pixels, (left, upper)), colour(&pixels, (right, upper))], [hold; 2]);
    assert_eq!(colour(&pixels, (left, lower)), broken);
    assert_eq!(colour(&pixels, (right, lower)), retreat);
    // a ribbon is half as dark as where it comes from
    let half = |part: u8| (f32::from(part) / 2.0 + 127.5) as u8;
    let ribbon = colour(&pixels, ((left + right) / 2.0, lower));
    let near = |a: u8, b: u8| a.abs_diff(b) <= 2;
    assert!(near(ribbon.0, half(broken.0)) && near(ribbon.2, half(broken.2)), "{ribbon:?} of {broken:?}");
}

#[test]
fn a_flow_that_does_not_fit_its_labels_is_refused() {
    let refused = |change: fn(&mut Flows)| {
        let mut figure = flows(&numbered("Panel", 2), ["one", "two"], &break_results(), 0.0);
        change(&mut figure);
        drawn(&Figure::Flows(figure)).unwrap_err()
    };
    assert_eq!(refused(|figure| figure.panels.clear()), ChartError::Empty("panels"));
    let misfit = |what, found| ChartError::Misfit { panel: 2, what, found, expected: 5 };
    assert_eq!(refused(|figure| figure.panels[1].shares.truncate(4)), misfit("rows", 4));
    assert_eq!(refused(|figure| figure.panels[1].shares[2].truncate(3)), misfit("columns", 3));
    let error = refused(|figure| figure.panels[0].shares[0][0].value = 1.5);
    assert!(matches!(error, ChartError::NotAShare { panel: 1, .. }), "{error}");
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

#[test]
fn a_field_has_the_colour_of_its_figure_on_the_scale() {
    let columns = names(&["a", "b", "c", "d", "e"]);
    let mut figure = heat(&names(&[""]), &names(&["Infantry"]), &columns, (Tint::Change, 0.0));
    let cell = |value: f64, within: f64| Some(HeatCell { value, low: value - within, high: value + within });
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

#[test]
fn a_scale_of_shares_begins_at_none_unless_all_are_large() {
    let marks = |values: [f64; 2]| {
        let mut figure = heat(&names(&[""]), &names(&["All"]), &names(&["a", "b"]), (Tint::Amount, 0.0));
        let cell = |value: f64| Some(HeatCell { value, low: value, high: value });
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

#[test]
fn labels_stand_in_the_picture_as_written() {
    let label = "<b> & \"c\" 'd' ]]> é ≥";
    let figure = outcomes(&names(&[label]), &names(&[label]), &names(&["x", "y"]), &names(&[label, "Break"]));
    let found = texts_of(&drawn(&Figure::Outcomes(figure)).unwrap());
    assert_eq!(found.iter().filter(|(words, _)| words.trim() == label).count(), 3);
}

#[test]
fn pictures_are_as_large_as_the_place_that_they_are_for() {
    let figure = Figure::Curve(curve(&names(&["Infantry"]), &long_names(), 4));
    let size = |size| {
        let look = Look { size, ..Look::default() };
        let svg = draw(&figure, look).unwrap();
        let pixels = Pixmap::decode_png(&rasterise(&svg, look.zoom()).unwrap()).unwrap();
        let document = parse(&svg).size();
        let high = (document.height() * look.zoom()).round() as u32;
        assert!(pixels.height().abs_diff(high) <= 1, "{size:?}: {} and {high}", pixels.height());
        (document.width(), pixels.width())
    };
    assert_eq!(
        [Size::Column, Size::Slide, Size::Phone].map(size),
        [(840.0, 1260), (1920.0, 1920), (420.0, 840)]
    );
}

#[test]
fn what_cannot_be_drawn_is_refused_and_not_guessed() {
    let refused = |change: fn(&mut Outcomes)| {
        let mut figure = eight_panels();
        change(&mut figure);
        drawn(&Figure::Outcomes(figure)).unwrap_err()
    };
    assert_eq!(refused(|figure| figure.panels.clear()), ChartError::Empty("panels"));
    assert_eq!(refused(|figure| figure.outcomes.clear()), ChartError::Empty("outcomes"));
    let misfit = |what, found, expected| ChartError::Misfit { panel: 2, what, found, expected };
    assert_eq!(refused(|figure| figure.panels[1].shares.truncate(3)), misfit("situations", 3, 5));
    assert_eq!(refused(|figure| figure.panels[1].shares[4].truncate(1)), misfit("variants", 1, 2));
    assert_eq!(
        refused(|figure| figure.panels[1].shares[4][1] = Some(segments(vec![1.0]))),
        misfit("outcomes", 1, 4)
    );
    for wrong in [f64::NAN, f64::INFINITY, -0.1, 1.1] {
        let mut figure = eight_panels();
        figure.panels[2].shares[0][0] = Some(segments(vec![0.0, wrong, 0.0, 0.0]));
        let error = drawn(&Figure::Outcomes(figure)).unwrap_err();
        assert!(matches!(error, ChartError::NotAShare { panel: 3, .. }), "{error}");
        let mut figure = curve(&names(&["one"]), &names(&["Original"]), 4);
        figure.panels[0].points[0][2].share.low = wrong;
        let error = drawn(&Figure::Curve(figure)).unwrap_err();
        assert!(matches!(error, ChartError::NotAShare { panel: 1, .. }), "{error}");
    }
    let too_much = refused(|figure| figure.panels[0].shares[0][0] = Some(segments(vec![0.5, 0.5, 0.5, 0.0])));
    assert_eq!(too_much, ChartError::NotAShare { panel: 1, value: 1.5 });
    assert_eq!(drawn(&Figure::Curve(Curve::default())), Err(ChartError::Empty("variants")));
    let without_points = curve(&[], &names(&["Original"]), 4);
    assert_eq!(drawn(&Figure::Curve(without_points)), Err(ChartError::Empty("panels")));
    assert!(matches!(rasterise("not a picture", 1.0), Err(ChartError::Refused(_))));
}

#[test]
fn a_figure_for_a_wall_is_refused_with_its_height() {
    let figure = outcomes(&names(&[""]), &numbered("S", 1500), &names(&["x"]), &names(&["a", "b"]));
    let error = drawn(&Figure::Outcomes(figure)).unwrap_err();
    assert!(matches!(error, ChartError::TooTall { height: 50_000..70_000, most: 30_000 }), "{error}");
}
