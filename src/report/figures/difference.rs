//! What drafts change against the baseline, a bar for each situation, the largest first.
//!
//! **Never:** how bars look.

use super::super::chart::{Bar, Bars};
use super::super::groups::{group_name, groups};
use super::super::words::{counted, list, lower_first, percent, points, situation_by, varying};
use super::{View, value_in_words};
use crate::analyse::{Gap, gap, normal_quantile};

/// A picture shows so many bars.
const BARS: usize = 20;

/// One draft in one situation, and in how many more that come to the same rules.
pub(super) struct Change {
    pub(super) draft: usize,
    pub(super) situation: usize,
    more: usize,
    /// The draft's chance less the baseline's.
    pub(super) gap: Gap,
}

impl Change {
    /// What a draft changes about the outcome; `None` where a side never has what it is asked of.
    pub(super) fn new(view: &View, draft: usize, (situation, more): (usize, usize)) -> Option<Self> {
        let both = [draft, view.analysis.baseline].map(|variant| view.cell(variant, situation));
        let z = normal_quantile(view.analysis.level);
        let gap = gap(both, view.measure(), |key| view.picks(key), z)?;
        Some(Self { draft, situation, more, gap })
    }

    /// Whether it is known which way it goes, among so many that are looked at: by an interval that is as much wider as
    /// is due for all of them to hold together, as after Bonferroni.
    fn is_sure(&self, level: f64, all: usize) -> bool {
        let wider = super::wider(level, all);
        let Gap { value, low, high, .. } = self.gap;
        value - (value - low) * wider > 0.0 || value + (high - value) * wider < 0.0
    }
}

/// A difference in percentage points, as it is written beside a bar.
fn signed(difference: f64) -> String {
    points(difference, 1).replace('-', "−")
}

/// All bars of a chart.
pub(super) fn bars(view: &View) -> Option<Bars> {
    let changes = changes(view);
    let names = Names::new(view);
    let baseline = &view.variants()[view.analysis.baseline];
    let rows = together(changes.iter().map(|change| names.of(change)).collect());
    let (kept, left) = kept(rows);
    let bars: Vec<Bar> = kept.into_iter().map(|row| bar(view, row)).collect();
    let outcome = view.outcome_in_words();
    Some(Bars {
        caption: view.headed(finding(view, &changes, &places(view)), &left_out(&left)),
        about: format!("Bars: how much more or less likely than under {baseline}."),
        x_label: format!("change in the chance of “{outcome}”, in percentage points"),
        bars,
    })
}

/// What each draft changes in each situation, those that come to the same rules together.
pub(super) fn changes(view: &View) -> Vec<Change> {
    let baseline = view.analysis.baseline;
    let drafts = 0..view.scenario.variants.len();
    let shown = |draft: &usize| {
        *draft != baseline && (view.request.variant == baseline || view.request.variant == *draft)
    };
    let panel = view.request.panel;
    let at = |row: &usize| panel.map(|factor| view.scenario.situations[*row][factor]);
    let mut rows = view.rows.clone();
    rows.sort_by_key(at);
    let of_draft = |draft: usize| {
        let panels = rows.chunk_by(|one, other| at(one) == at(other));
        let alike = panels.flat_map(move |rows| groups(view.analysis, &[baseline, draft], rows));
        alike.filter_map(move |group| Change::new(view, draft, group))
    };
    drafts.filter(shown).flat_map(of_draft).collect()
}

/// How bars are called: by what varies beside drafts and panels, and only else by these.
struct Names<'a> {
    view: &'a View<'a>,
    several_drafts: bool,
    /// What varies beside the panels.
    factors: Vec<usize>,
    names: Vec<String>,
}

impl<'a> Names<'a> {
    fn new(view: &'a View) -> Self {
        let Some(last) = view.rows.iter().max() else {
            return Self { view, several_drafts: false, factors: Vec::new(), names: Vec::new() };
        };
        let mut factors = varying(view.scenario, &view.rows);
        factors.retain(|factor| Some(*factor) != view.request.panel);
        let several_drafts =
            view.request.variant == view.analysis.baseline && view.scenario.variants.len() > 2;
        let names = (0..=*last).map(|at| situation_by(view.scenario, &factors, at)).collect();
        Self { view, several_drafts, factors, names }
    }

    /// A change's row.
    fn of<'b>(&self, change: &'b Change) -> Row<'b> {
        let panel = self.view.request.panel.map(|factor| {
            let value = self.view.scenario.situations[change.situation][factor];
            value_in_words(&self.view.scenario.factors[factor], value)
        });
        let draft = self.view.variants()[change.draft].clone();
        let mut parts: Vec<String> = Vec::new();
        parts.extend(self.several_drafts.then(|| draft.clone()));
        parts.extend(panel);
        let label = match self.factors.is_empty() {
            true => parts.pop().unwrap_or(draft),
            false => group_name(&self.names, (change.situation, change.more)),
        };
        let heading = match &parts[..] {
            [draft, panel] => format!("{draft}: {}", lower_first(panel)),
            _ => parts.concat(),
        };
        Row { heading, label, change, others: 0 }
    }
}

/// What one bar shows.
struct Row<'a> {
    heading: String,
    label: String,
    change: &'a Change,
    /// How many other situations have no change either.
    others: usize,
}

impl Row<'_> {
    /// Whether it is known that nothing changes.
    fn is_still(&self) -> bool {
        self.change.gap.exact && self.change.gap.value == 0.0
    }
}

/// The rows of one heading in which nothing changes become one.
fn together(rows: Vec<Row>) -> Vec<Row> {
    let mut all: Vec<Row> = Vec::new();
    for row in rows {
        let like = |one: &&mut Row| one.is_still() && row.is_still() && one.heading == row.heading;
        match all.iter_mut().find(like) {
            Some(one) => one.others += 1 + row.change.more,
            None => all.push(row),
        }
    }
    for row in all.iter_mut().filter(|row| row.others > 0) {
        row.label = format!("No change in {} situations", row.others + 1 + row.change.more);
    }
    all
}

/// What is said of the changes that are not drawn: how many are as large as the last that is, and how many are smaller.
fn left_out(left: &Left) -> String {
    let alike = |size: &String| {
        let more = counted(left.alike, "more change", "more changes");
        format!("{more} of {size} points")
    };
    let smaller = |number| counted(number, "smaller change", "smaller changes");
    let what: Vec<String> = [
        left.size.as_ref().filter(|_| left.alike > 0).map(alike),
        (left.smaller > 0).then(|| smaller(left.smaller)),
    ]
    .into_iter()
    .flatten()
    .collect();
    let are = if left.alike + left.smaller == 1 { "is" } else { "are" };
    match what.is_empty() {
        true => String::new(),
        false => format!(". {} {are} not shown, but in comparison.csv", list(&what)),
    }
}

/// The changes that have no bar.
#[derive(Default)]
struct Left {
    /// How large the last one is that has a bar, as it is written there but for its sign.
    size: Option<String>,
    /// How many others are just as large.
    alike: usize,
    /// How many are smaller.
    smaller: usize,
}

impl Left {
    fn new(last: Option<&Row>, others: &[Row]) -> Self {
        let size = |row: &Row| points(row.change.gap.value.abs(), 1).replace('+', "");
        let size_of_last = last.map(size);
        let alike = others.iter().filter(|row| Some(size(row)) == size_of_last).count();
        Self { size: size_of_last, alike, smaller: others.len() - alike }
    }
}

/// The largest changes, by heading, largest first, and what is said of the others; a heading stands only on the first of
/// its rows.
fn kept(mut rows: Vec<Row>) -> (Vec<Row>, Left) {
    let headings: Vec<String> = rows.iter().map(|row| row.heading.clone()).collect();
    let first = |row: &Row| headings.iter().position(|one| *one == row.heading);
    rows.sort_by(|one, other| other.change.gap.value.abs().total_cmp(&one.change.gap.value.abs()));
    let others = rows.split_off(rows.len().min(BARS));
    let left = Left::new(rows.last(), &others);
    rows.sort_by_key(first);
    let mut last = String::new();
    for Row { heading, .. } in &mut rows {
        if *heading == last {
            heading.clear();
        } else {
            last.clone_from(heading);
        }
    }
    (rows, left)
}

fn bar(view: &View, Row { heading, label, change, others }: Row) -> Bar {
    let share = |variant| {
        let cell = view.cell(variant, change.situation);
        percent(view.share(cell, view.measure(), |key| view.picks(key)).value)
    };
    let detail = match others {
        0 => format!("{} % → {} %", share(view.analysis.baseline), share(change.draft)),
        _ => String::new(),
    };
    let [value, low, high] = [change.gap.value, change.gap.low, change.gap.high].map(|part| part * 100.0);
    Bar { heading, label, detail, figure: signed(change.gap.value), value, low, high }
}

/// The factors that say where the largest change is: the panels' or else all that vary.
fn places(view: &View) -> Vec<usize> {
    view.request.panel.map_or_else(|| varying(view.scenario, &view.rows), |panel| vec![panel])
}

/// What the largest change is, in a sentence; of what goes both ways, both. `factors` are those that say where.
pub(super) fn finding(view: &View, changes: &[Change], factors: &[usize]) -> String {
    let (outcome, variants) = (view.outcome_in_words(), view.variants());
    let sure = || changes.iter().filter(|change| change.is_sure(view.analysis.level, changes.len()));
    let by_size = |one: &&Change, other: &&Change| one.gap.value.abs().total_cmp(&other.gap.value.abs());
    let Some(largest) = sure().max_by(by_size) else {
        return nothing(view, changes);
    };
    let of_draft = || sure().filter(|change| change.draft == largest.draft);
    let more = of_draft().filter(|change| change.gap.value > 0.0).max_by(by_size);
    let less = of_draft().filter(|change| change.gap.value < 0.0).max_by(by_size);
    let value = |factor: usize, at: usize| {
        value_in_words(&view.scenario.factors[factor], view.scenario.situations[at][factor])
    };
    let place = |change: &Change| match factors {
        _ if changes.len() == 1 => String::new(),
        [] => String::new(),
        [one] => format!(" ({})", lower_first(&value(*one, change.situation))),
        _ => format!(" ({})", lower_first(&situation_by(view.scenario, factors, change.situation))),
    };
    let up_to = if changes.len() > 1 { "up to " } else { "" };
    let size = |change: &Change| points(change.gap.value.abs(), 1).replace('+', "");
    let part = |change: &Change, way: &str, unit: &str| format!("{up_to}{}{unit} {way} likely", size(change));
    let under = format!(" under {}", variants[largest.draft]);
    let (first, second, ways) = match (more, less) {
        (Some(more), less) if std::ptr::eq(more, largest) => (more, less, ["more", "less"]),
        (more, Some(less)) => (less, more, ["less", "more"]),
        (None | Some(_), None) => return nothing(view, changes),
    };
    let mut what = part(first, ways[0], " points") + &under + &place(first);
    if let Some(second) = second {
        what += &format!(", but {}{}", part(second, ways[1], ""), place(second));
    }
    format!("“{outcome}” is {what}")
}

/// No change is sure.
fn nothing(view: &View, changes: &[Change]) -> String {
    let (outcome, variants) = (view.outcome_in_words(), view.variants());
    let baseline = &variants[view.analysis.baseline];
    let about = if changes.iter().all(|change| change.gap.exact) { "just" } else { "about" };
    format!("“{outcome}” is {about} as likely as under {baseline}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyse::{LEVEL, normal_quantile};
    use crate::report::tests::{analysis, scenario};
    use crate::scenario::{ChartKind, ChartRequest, Scenario};

    /// A chart over some situations of the example.
    fn request(scenario: &Scenario, panel: Option<usize>, keep: impl Fn(&[usize]) -> bool) -> ChartRequest {
        ChartRequest {
            kind: ChartKind::Difference,
            panel,
            situations: (0..40).filter(|at| keep(&scenario.situations[*at])).collect(),
            ..ChartRequest::default()
        }
    }

    #[test]
    fn bars_are_counted_by_hand_and_the_largest_stands_first() {
        let scenario = scenario();
        let analysis = analysis(&scenario);
        // infantry under fire, not disordered: a total of 4 or less breaks in the original, of 3 or less in the draft
        let request = request(&scenario, None, |row| row[..2] == [0, 0] && row[4] == 0);
        let bars = bars(&View::new(&scenario, &analysis, &request).unwrap()).unwrap();
        let seen: Vec<_> = bars.bars.iter().map(|bar| (bar.label.as_str(), bar.detail.as_str())).collect();
        // rolls of 36 that come to 4 + excess or less: 6, 10, 15, 21, 26; to 3 + excess or less: 3, 6, 10, 15, 21
        assert_eq!(
            seen,
            [
                ("Excess casualties 3", "58.3 % → 41.7 %"),
                ("Excess casualties 2", "41.7 % → 27.8 %"),
                ("Excess casualties 4", "72.2 % → 58.3 %"),
                ("Excess casualties 1", "27.8 % → 16.7 %"),
                ("Excess casualties 0", "16.7 % → 8.3 %"),
            ]
        );
        assert!((bars.bars[0].value + 600.0 / 36.0).abs() < 1e-9 && bars.bars[0].figure == "−16.7");
        let z = normal_quantile(LEVEL);
        let (low, high) = crate::analyse::newcombe((15 * 25_000, 900_000), (21 * 25_000, 900_000), z);
        assert_eq!((bars.bars[0].low, bars.bars[0].high), (low * 100.0, high * 100.0));
        assert_eq!(
            bars.caption.title,
            "“Break” is up to 16.7 points less likely under modified (excess casualties 3)"
        );
        assert_eq!(bars.caption.subtitle, "infantry, shooting, not disordered");
        let alt = crate::report::chart::Figure::Bars(bars).alt();
        assert!(alt.contains(", 5 rows. Excess casualties 3, 58.3 % → 41.7 %: −16.7. "), "{alt}");
    }

    #[test]
    fn panels_have_headings_and_what_does_not_change_one_row() {
        let scenario = scenario();
        let analysis = analysis(&scenario);
        let request = request(&scenario, Some(0), |row| row[1] == 0 && row[4] == 0 && row[2] < 3);
        let bars = bars(&View::new(&scenario, &analysis, &request).unwrap()).unwrap();
        let seen: Vec<_> = bars.bars.iter().map(|bar| (bar.heading.as_str(), bar.label.as_str())).collect();
        assert_eq!(
            seen,
            [
                ("Infantry", "Excess casualties 2"),
                ("", "Excess casualties 1"),
                ("", "Excess casualties 0"),
                ("Cavalry", "No change in 3 situations"),
            ]
        );
        assert_eq!(bars.caption.title, "“Break” is up to 13.9 points less likely under modified (infantry)");
    }

    #[test]
    fn only_the_largest_twenty_are_drawn_and_the_rest_is_told() {
        let scenario = scenario();
        let analysis = analysis(&scenario);
        let request = request(&scenario, None, |_| true);
        let bars = bars(&View::new(&scenario, &analysis, &request).unwrap()).unwrap();
        // twenty situations of infantry, each with rules of its own, and one row for cavalry
        assert_eq!(bars.bars.len(), 20);
        assert!(
            bars.caption.note.contains(". 1 smaller change is not shown, but in comparison.csv."),
            "{}",
            bars.caption.note
        );
        let sizes: Vec<f64> = bars.bars.iter().map(|bar| bar.value.abs()).collect();
        assert!(sizes.is_sorted_by(|one, next| one >= next), "{sizes:?}");
    }

    #[test]
    fn a_tie_that_is_cut_through_is_told() {
        let mut scenario = scenario();
        // each situation of infantry three times; hand to hand, with so many taken off the roll, the original breaks on 4
        // or less of two dice, the draft on 2 or less: of 36 in order of size 11 four times, 9 three times, then 7
        let infantry: Vec<_> = scenario.situations.iter().filter(|row| row[0] == 0).cloned().collect();
        scenario.situations = infantry.iter().cycle().take(60).cloned().collect();
        scenario.claims.clear();
        let analysis = analysis(&scenario);
        let mut request = request(&scenario, None, |_| true);
        request.situations = (0..60).collect();
        let bars = bars(&View::new(&scenario, &analysis, &request).unwrap()).unwrap();
        let larger = bars.bars.iter().filter(|bar| bar.value.abs() > 26.0).count();
        assert_eq!((bars.bars.len(), larger), (20, 12));
        let told =
            ". 1 more change of 25.0 points and 39 smaller changes are not shown, but in comparison.csv.";
        assert!(bars.caption.note.contains(told), "{}", bars.caption.note);
    }

    #[test]
    fn where_nothing_changes_the_title_says_so() {
        let scenario = scenario();
        let analysis = analysis(&scenario);
        let request = request(&scenario, None, |row| row[0] == 1);
        let bars = bars(&View::new(&scenario, &analysis, &request).unwrap()).unwrap();
        assert_eq!(bars.caption.title, "“Break” is just as likely as under original");
        assert_eq!((bars.bars.len(), bars.bars[0].figure.as_str()), (1, "0.0"));
    }
}
