//! The charts of a run as files, and as they stand on its page.
//!
//! In: the question and what the counts say. Out: SVG and PNG for every place and page that is asked for.
//!
//! **Never:** what a chart shows.

use super::chart::{ChartError, Figure, Look, Size, Theme, draw as drawn, rasterise};
use super::figures;
use super::page::Picture;
use crate::analyse::Analysis;
use crate::scenario::{Pictures, Scenario};
use crate::simulate::shared;
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

/// All pictures of a run.
#[derive(Default)]
pub(super) struct Drawn {
    /// `charts/01-outcomes-….svg` and `.png`, and the same with `-dark`, `-slide`, `-phone`.
    pub(super) files: Vec<(String, Vec<u8>)>,
    /// What the page shows.
    pub(super) pictures: Vec<Picture>,
    /// Why some cannot be drawn.
    pub(super) undrawn: Vec<String>,
}

/// Draws every chart on so many threads (`None`: one a core).
pub(super) fn draw(scenario: &Scenario, analysis: &Analysis, threads: Option<usize>) -> Drawn {
    let drawings = figures::figures(scenario, analysis);
    let looks = looks(scenario.pictures);
    let one = |all: &mut BTreeMap<usize, Views>, at: u64| {
        all.insert(at as usize, views(&drawings[at as usize].figure, &looks));
    };
    let Ok(all) = shared(drawings.len() as u64, threads, &AtomicBool::new(false), one) else {
        let undrawn = vec!["no chart is drawn: the system gives no threads".to_owned()];
        return Drawn { undrawn, ..Drawn::default() };
    };
    let all: BTreeMap<usize, Views> = all.into_iter().flatten().collect();
    let mut drawn = Drawn::default();
    for (number, (drawing, views)) in (1..).zip(drawings.iter().zip(all.into_values())) {
        let name = format!("{number:02}-{}", drawing.name);
        keep(&mut drawn, &name, &drawing.figure, looks.iter().copied().zip(views.files));
        drawn.pictures.extend(views.page.map(|[svg, phone]| Picture {
            name: format!("chart-{name}"),
            file: format!("charts/{name}.png"),
            title: drawing.figure.caption().title.clone(),
            alt: drawing.figure.alt(),
            svg,
            phone: Some(phone),
        }));
    }
    drawn
}

/// Where, and on what pages, pictures are shown.
fn looks(Pictures { dark, slide, phone }: Pictures) -> Vec<Look> {
    let places = [(true, Size::Column), (slide, Size::Slide), (phone, Size::Phone)];
    let themes = [(true, Theme::Light), (dark, Theme::Dark)];
    let sizes = places.into_iter().filter(|(asked, _)| *asked);
    let of =
        |size| themes.into_iter().filter(|(asked, _)| *asked).map(move |(_, theme)| Look { size, theme });
    sizes.flat_map(|(_, size)| of(size)).collect()
}

/// A picture as SVG and PNG.
type View = Result<[Vec<u8>; 2], ChartError>;

/// One chart in every look.
struct Views {
    /// For each look that is asked for.
    files: Vec<View>,
    /// For the wide and the narrow page.
    page: Option<[String; 2]>,
}

fn views(figure: &Figure, looks: &[Look]) -> Views {
    let view = |look: &Look| -> View {
        let svg = drawn(figure, *look)?;
        Ok([rasterise(&svg, look.zoom())?, svg.into_bytes()])
    };
    let on_page = |size| drawn(figure, Look { size, ..Look::default() }).ok();
    let page = on_page(Size::Column).zip(on_page(Size::Phone));
    Views { files: looks.iter().map(view).collect(), page: page.map(|(wide, narrow)| [wide, narrow]) }
}

/// Keeps the files of one chart, or why there are none.
fn keep(drawn: &mut Drawn, name: &str, figure: &Figure, views: impl Iterator<Item = (Look, View)>) {
    for (look, view) in views {
        let name = format!("charts/{name}{}", suffix(look));
        match view {
            Ok([png, svg]) => {
                drawn.files.extend([(format!("{name}.png"), png), (format!("{name}.svg"), svg)]);
            }
            Err(error) => {
                let title = &figure.caption().title;
                drawn.undrawn.push(format!("chart \"{title}\" ({name}) is not drawn: {error}"));
            }
        }
    }
}

/// What a file's name says of a look; nothing of the usual one.
fn suffix(look: Look) -> String {
    let size = match look.size {
        Size::Column => "",
        Size::Slide => "-slide",
        Size::Phone => "-phone",
    };
    let theme = if look.theme == Theme::Dark { "-dark" } else { "" };
    format!("{size}{theme}")
}
