//! What a chart shows, in one sentence: its title where the scenario gives none.
//!
//! In: the probability of one outcome under every variant in every situation of the chart. Out: a sentence.
//!
//! **Never:** which chart it is.

use super::super::chart::Share;
use super::super::words::{list, percent, points, thousands};

/// The probability of one outcome in one situation under each variant.
pub(super) type Row = Vec<Share>;

/// Whether a share is smaller than another for certain, as far as their intervals tell.
fn is_less(a: Share, b: Share) -> bool {
    a.high < b.low
}

/// The largest difference between a draft and the baseline, in 0..=1, in whole thousandths: what nobody would see on paper
/// is equal.
pub(super) fn largest(baseline: usize, rows: &[Row]) -> f64 {
    let apart = rows.iter().flat_map(|row| row.iter().map(|share| (share.value - row[baseline].value).abs()));
    (apart.fold(0.0, f64::max) * 1000.0).round() / 1000.0
}

/// How a draft's probabilities compare with the baseline's.
#[derive(Default)]
struct Change {
    /// In how many situations it is less likely for certain, in how many more.
    less: usize,
    more: usize,
    /// The largest difference among these, a fraction in 0..=1.
    most: f64,
    /// Whether every probability of both is known exactly.
    exact: bool,
}

impl Change {
    fn new(rows: &[Row], baseline: usize, draft: usize) -> Self {
        let mut change = Self { exact: true, ..Self::default() };
        for (old, new) in rows.iter().map(|row| (row[baseline], row[draft])) {
            let (less, more) = (is_less(new, old), is_less(old, new));
            change.less += usize::from(less);
            change.more += usize::from(more);
            if less || more {
                change.most = change.most.max((new.value - old.value).abs());
            }
            change.exact &= new.low == new.high && old.low == old.high;
        }
        change
    }

    /// Behind "is"; `all` situations were compared.
    fn in_words(&self, under: &str, baseline: &str, all: usize) -> String {
        let by = points(self.most, 1);
        let by = by.trim_start_matches('+');
        let of = |count: usize| match count == all {
            true if all == 1 => String::new(),
            true => format!(" in all {} situations", thousands(all as u64)),
            false => format!(" in {} of {} situations", thousands(count as u64), thousands(all as u64)),
        };
        match (self.less, self.more) {
            (0, 0) if self.exact => format!("as likely under {under} as under {baseline}"),
            (0, 0) => format!("about as likely under {under} as under {baseline}"),
            (less, 0) => format!("less likely under {under}{}, by up to {by} points", of(less)),
            (0, more) => format!("more likely under {under}{}, by up to {by} points", of(more)),
            (less, more) => format!(
                "less likely under {under}{}, more likely in {}, by up to {by} points",
                of(less),
                thousands(more as u64)
            ),
        }
    }
}

/// What is found of an outcome; `variants` are their names.
pub(super) fn of_outcome(outcome: &str, variants: &[String], baseline: usize, rows: &[Row]) -> String {
    let drafts = (0..variants.len()).filter(|draft| *draft != baseline);
    let changes: Vec<(usize, Change)> =
        drafts.map(|draft| (draft, Change::new(rows, baseline, draft))).collect();
    match changes.as_slice() {
        [] => alone(outcome, rows),
        [(draft, change)] => {
            let words = change.in_words(&variants[*draft], &variants[baseline], rows.len());
            format!("“{outcome}” is {words}")
        }
        several => format!("“{outcome}” {}", together(several, variants, baseline)),
    }
}

/// What is found where there is nothing to compare with.
fn alone(outcome: &str, rows: &[Row]) -> String {
    let values = || rows.iter().flatten().map(|share| share.value);
    let (least, most) = (values().fold(1.0, f64::min), values().fold(0.0, f64::max));
    match percent(least) == percent(most) {
        true => format!("“{outcome}” comes up in {} %", percent(least)),
        false => format!("“{outcome}” comes up in {} to {} %", percent(least), percent(most)),
    }
}

/// What is found under several drafts.
fn together(changes: &[(usize, Change)], variants: &[String], baseline: usize) -> String {
    let under = |kind: fn(&Change) -> bool| -> Vec<String> {
        let drafts = changes.iter().filter(|(_, change)| kind(change));
        drafts.map(|(draft, _)| variants[*draft].clone()).collect()
    };
    let kinds: [(&str, Vec<String>); 4] = [
        ("less likely under", under(|change| change.less > 0 && change.more == 0)),
        ("more likely under", under(|change| change.less == 0 && change.more > 0)),
        ("now less, now more likely under", under(|change| change.less > 0 && change.more > 0)),
        ("about as likely under", under(|change| change.less == 0 && change.more == 0)),
    ];
    let said = kinds.into_iter().filter(|(_, drafts)| !drafts.is_empty());
    let said: Vec<String> = said.map(|(kind, drafts)| format!("{kind} {}", list(&drafts))).collect();
    format!("against {}: {}", variants[baseline], said.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(rows: &[(f64, f64)], within: f64) -> String {
        let share = |value: f64| Share { value, low: value - within, high: value + within };
        let rows: Vec<Row> = rows.iter().map(|(old, new)| vec![share(*old), share(*new)]).collect();
        of_outcome("Break", &["old".to_owned(), "new".to_owned()], 0, &rows)
    }

    #[test]
    fn a_title_says_what_a_draft_changes() {
        assert_eq!(
            found(&[(0.5, 0.25), (0.5, 0.5)], 0.0),
            "“Break” is less likely under new in 1 of 2 situations, by up to 25.0 points"
        );
        assert_eq!(
            found(&[(0.5, 0.75), (0.5, 0.625)], 0.0),
            "“Break” is more likely under new in all 2 situations, by up to 25.0 points"
        );
        assert_eq!(
            found(&[(0.5, 0.75), (0.5, 0.25), (0.5, 0.25)], 0.0),
            "“Break” is less likely under new in 2 of 3 situations, more likely in 1, by up to 25.0 points"
        );
        assert_eq!(found(&[(0.5, 0.5)], 0.0), "“Break” is as likely under new as under old");
    }

    #[test]
    fn what_intervals_leave_open_is_no_finding() {
        assert_eq!(found(&[(0.5, 0.51)], 0.02), "“Break” is about as likely under new as under old");
        assert_eq!(found(&[(0.5, 0.56)], 0.02), "“Break” is more likely under new, by up to 6.0 points");
    }

    #[test]
    fn several_drafts_are_told_together_and_a_single_one_by_its_range() {
        let names = ["old", "a", "b", "c"].map(str::to_owned);
        let rows = vec![[0.5, 0.4, 0.6, 0.3].map(Share::exactly).to_vec()];
        assert_eq!(
            of_outcome("Break", &names, 0, &rows),
            "“Break” against old: less likely under a and c; more likely under b"
        );
        let rows: Vec<Row> = [0.25, 0.5].map(|share| vec![Share::exactly(share)]).to_vec();
        assert_eq!(of_outcome("Break", &names[..1], 0, &rows), "“Break” comes up in 25.0 to 50.0 %");
    }
}
