//! `report.html`: the whole run on one page, which opens from disk and asks no network.
//!
//! In: the question, what the counts say, drawn charts. Out: HTML with its style and its script in it. What it says in
//! sentences are those of the summary; its tables are those of the run. All of it can be read without the script, which
//! only sorts, filters and reads charts aloud.
//!
//! This room is the only door to `askama`, which fills the templates and escapes what users wrote.
//!
//! **Never:** computing a statistic, a sentence that the summary has, times and machines.

mod prose;
mod rules;
mod sheet;

use super::chart::shades;
use super::golden::{self, Drift};
use super::{summary, tables};
use crate::analyse::{Analysis, Ruling};
use crate::results::Table;
use crate::scenario::Scenario;
use askama::Template;
use prose::{Block, Run, Section, section};
use rules::{Piece, pieces};
use sheet::{Kind, Sheet, sheet};

/// A chart as it stands on the page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Picture {
    /// Its name, unlike that of any other: `01-outcomes-excess-troop`.
    pub name: String,
    /// Where it stands as a file, from the page: `charts/01-outcomes-excess-troop.png`.
    pub file: String,
    /// What it shows, in one sentence.
    pub title: String,
    /// The same for who cannot see it.
    pub alt: String,
    /// The drawing, an SVG document, for a wide column.
    pub svg: String,
    /// The same for a narrow one.
    pub phone: Option<String>,
}

/// How to do it again.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Again {
    /// The command.
    pub command: String,
    /// Each file that was read, and the hash of its text.
    pub inputs: Vec<(String, String)>,
}

/// All that the page is made of.
pub struct Contents<'a> {
    /// The question.
    pub scenario: &'a Scenario,
    /// What the counts say.
    pub analysis: &'a Analysis,
    /// What has become of a stored run.
    pub drift: Option<&'a Drift>,
    /// The charts, in order.
    pub pictures: &'a [Picture],
    /// How to do it again.
    pub again: &'a Again,
}

/// What stands on the page, for the template.
#[derive(Template)]
#[template(path = "page.html")]
struct Page<'a> {
    title: &'a str,
    style: &'static str,
    script: &'static str,
    shades: Vec<(String, String)>,
    opening: Option<Section>,
    finding: Vec<Section>,
    claims: Vec<Section>,
    drift: Vec<String>,
    pictures: Vec<Plate<'a>>,
    dice: Option<Section>,
    sheets: Vec<Sheet>,
    pieces: Vec<Piece>,
    steps: bool,
    counted: bool,
    variants: usize,
    baseline: &'a str,
    method: Vec<Section>,
    again: &'a Again,
    seed: u64,
    version: &'static str,
}

impl Page<'_> {
    /// The verdict that a word of the summary tells.
    fn verdict(&self, text: &str) -> Option<&'static str> {
        let all = [Ruling::Holds, Ruling::Fails, Ruling::Undecided].map(summary::word);
        all.into_iter().find(|word| text.trim_end_matches('.').eq_ignore_ascii_case(word))
    }
}

/// A chart without the lines that only a file of its own needs.
struct Plate<'a> {
    name: &'a str,
    title: &'a str,
    alt: &'a str,
    wide: &'a str,
    phone: Option<&'a str>,
}

/// The page as HTML.
pub fn page(contents: &Contents) -> String {
    let Contents { scenario, analysis, .. } = *contents;
    let said = summary::parts(scenario, analysis);
    let parts = |parts: &[(&'static str, &String)]| -> Vec<Section> {
        parts.iter().filter_map(|(id, text)| section(id, text)).collect()
    };
    let pieces = pieces(scenario, analysis);
    let page = Page {
        title: &scenario.title,
        style: include_str!("page/page.css"),
        script: include_str!("page/page.js"),
        shades: shades().collect(),
        opening: section("opening", &said.opening),
        finding: parts(&[("differences", &said.differences), ("orders", &said.orders)]),
        claims: parts(&[("claims", &said.claims), ("expected", &said.expects)]),
        drift: contents.drift.map_or_else(Vec::new, golden::lines),
        pictures: contents.pictures.iter().map(plate).collect(),
        dice: section("dice", &said.flows),
        sheets: sheets(scenario, analysis),
        steps: pieces.iter().any(Piece::steps),
        pieces,
        counted: !analysis.reached.is_empty(),
        variants: scenario.variants.len(),
        baseline: scenario.variants.get(analysis.baseline).map_or("", |variant| &variant.name),
        method: parts(&[("reading", &said.reading), ("played", &said.drafts)]),
        again: contents.again,
        seed: scenario.seed,
        version: env!("CARGO_PKG_VERSION"),
    };
    // A template fails only where its writer does, and text takes everything.
    page.render().unwrap_or_default()
}

fn plate(picture: &Picture) -> Plate<'_> {
    Plate {
        name: &picture.name,
        title: &picture.title,
        alt: &picture.alt,
        wide: drawing(&picture.svg),
        phone: picture.phone.as_deref().map(drawing),
    }
}

/// The drawing itself, without what may stand before it in a file.
fn drawing(svg: &str) -> &str {
    svg.find("<svg").map_or("", |start| &svg[start..])
}

const RESULTS: Kind = Kind {
    file: "results",
    title: "Results",
    row: "How often each result came up: a row for each variant, situation and result.",
    largest: None,
    shares: true,
};
const COMPARISON: Kind = Kind {
    file: "comparison",
    title: "Differences from the baseline",
    row: "How much more or less often each result came up than in the baseline.",
    largest: Some("difference_pp"),
    shares: false,
};
const MEASURES: Kind = Kind {
    file: "measures",
    title: "Numbers",
    row: "Mean and spread of everything that is a number.",
    largest: None,
    shares: false,
};
const MEANS: Kind = Kind {
    file: "means",
    title: "Differences of means",
    row: "How much more or less each number is than in the baseline, on average.",
    largest: Some("mean_difference"),
    shares: false,
};
const ORDER: Kind = Kind {
    file: "order",
    title: "Never worse, or never better",
    row: "Whether a draft is never worse than the baseline, and where it is ahead and behind most.",
    largest: None,
    shares: false,
};
const FLOW: Kind = Kind {
    file: "flow",
    title: "What the same dice give",
    row: "What each result of the baseline becomes on the same dice.",
    largest: None,
    shares: true,
};
const PAIRED: Kind = Kind {
    file: "paired",
    title: "Differences on the same dice",
    row: "In how many trials a result was gained or lost on the same dice.",
    largest: Some("difference_pp"),
    shares: false,
};
const JOINT: Kind = Kind {
    file: "joint",
    title: "Records together",
    row: "How often combinations of what trials record came up.",
    largest: None,
    shares: true,
};

/// Every table of the run that has rows.
fn sheets(scenario: &Scenario, analysis: &Analysis) -> Vec<Sheet> {
    type Make = fn(&Scenario, &Analysis) -> Option<Table>;
    let all: [(Kind, Make); 8] = [
        (RESULTS, |scenario, analysis| Some(tables::results(scenario, analysis))),
        (COMPARISON, tables::comparison),
        (MEASURES, tables::measures),
        (MEANS, tables::means),
        (ORDER, tables::order),
        (FLOW, tables::flow),
        (PAIRED, tables::paired),
        (JOINT, tables::joint),
    ];
    let made = all.iter().filter_map(|(kind, make)| Some((kind, make(scenario, analysis)?)));
    made.map(|(kind, table)| sheet(scenario, analysis, kind, &table)).collect()
}

#[cfg(test)]
mod tests;
