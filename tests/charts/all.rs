//! What holds of every picture.

use super::*;

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
