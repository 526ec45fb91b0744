//! What the author claims, and the figures to it.
//!
//! In: a claim and the tallies. Out: a sentence, and a table of both sides.
//!
//! **Never:** a verdict.

use super::{quantity, table};
use crate::analyse::{Analysis, estimate, mean, quantile};
use crate::report::groups::{group_name, groups};
use crate::report::words::{counted, lower_first, percent, points, thousands, upper_first};
use crate::scenario::{Claim, Margin, Quantity, Relation, Scenario, Side};

/// How many rows the table of one claim has at most.
const ROWS: usize = 12;

/// What ends every claim until there are verdicts.
const FIGURES_ONLY: &str = "Figures only; no verdict yet.";

/// Both sides of a claim in one situation.
#[derive(Clone, Copy)]
struct Figures {
    situation: usize,
    left: f64,
    right: f64,
    /// Whether both sides are variants that play by the same rules here.
    same_rules: bool,
}

/// One numbered paragraph, with its table, for each claim; empty where nothing is claimed.
pub(super) fn claims(scenario: &Scenario, analysis: &Analysis, names: &[String]) -> String {
    let one = |(number, claim): (usize, &Claim)| {
        format!(
            "### {}. {}\n\n{}",
            number + 1,
            if claim.text == claim.holds { format!("`{}`", claim.holds) } else { upper_first(&claim.text) },
            One { scenario, analysis, names, claim }.text()
        )
    };
    let parts: Vec<String> = scenario.claims.iter().enumerate().map(one).collect();
    if parts.is_empty() { String::new() } else { format!("## What is claimed\n\n{}", parts.join("\n")) }
}

/// For each claim a line with what the figures say.
pub(super) fn in_short(scenario: &Scenario, analysis: &Analysis) -> Vec<String> {
    let one = |claim: &Claim| {
        let claim = One { scenario, analysis, names: &[], claim };
        let figures: Vec<Figures> =
            claim.claim.situations.iter().filter_map(|at| claim.figures(*at)).collect();
        let agree = figures.iter().filter(|one| claim.agrees(one)).count();
        let places = counted(figures.len(), "situation", "situations");
        format!("Claim: {}: the figures agree in {} of {places}.", claim.claim.text, thousands(agree as u64))
    };
    scenario.claims.iter().filter(|claim| !claim.average).map(one).collect()
}

/// One claim and all that its words need.
struct One<'a> {
    scenario: &'a Scenario,
    analysis: &'a Analysis,
    names: &'a [String],
    claim: &'a Claim,
}

impl One<'_> {
    fn text(&self) -> String {
        let all = &self.claim.situations;
        let places = counted(all.len(), "situation", "situations");
        let speaks = format!(
            "The claim `{}` speaks of {}{places}",
            self.claim.holds,
            if self.claim.average { "the average over " } else { "" }
        );
        let figures: Vec<Figures> = all.iter().filter_map(|at| self.figures(*at)).collect();
        if figures.is_empty() || figures.len() < all.len() {
            return format!("{speaks}; there are figures for {} of them.\n", thousands(figures.len() as u64));
        }
        if self.claim.average {
            return format!("{speaks}; {} {FIGURES_ONLY}\n", self.average(&figures));
        }
        let mut text = format!("{speaks}; {} {}", self.agreement(&figures), self.extremes(&figures));
        if self.claim.relation == Relation::Equal && self.claim.margin.is_none() {
            text += " (What looks equal in print counts as equal.)";
        }
        let same = figures.iter().filter(|one| one.same_rules).count();
        if same > 0 {
            text += &format!(
                " Both sides play by the same rules in {}.",
                counted(same, "situation", "situations")
            );
        }
        format!("{text} {FIGURES_ONLY}\n\n{}", self.table(&figures))
    }

    /// In how many of several situations the figures agree.
    fn agreement(&self, figures: &[Figures]) -> String {
        let agree = figures.iter().filter(|one| self.agrees(one)).count();
        let against = figures.len() - agree;
        match (agree, against) {
            (1, 0) => "the sampled figures agree with it there.".to_owned(),
            (0, 1) => "the sampled figures do not agree with it there.".to_owned(),
            (_, 0) => "the sampled figures agree with it in all of them.".to_owned(),
            (0, _) => "the sampled figures agree with it in none of them.".to_owned(),
            _ => format!(
                "the sampled figures agree with it in {}, and do not in {}.",
                thousands(agree as u64),
                thousands(against as u64)
            ),
        }
    }

    /// One sentence on the averages of both sides.
    fn average(&self, figures: &[Figures]) -> String {
        let mean = |side: fn(&Figures) -> f64| figures.iter().map(side).sum::<f64>() / figures.len() as f64;
        let both = Figures { left: mean(|one| one.left), right: mean(|one| one.right), ..figures[0] };
        let agree = if self.agrees(&both) { "agree with it" } else { "do not agree with it" };
        format!("the sampled figures {agree}: {}.", self.both(&both))
    }

    /// Where the figures speak most clearly for the claim, and where least.
    fn extremes(&self, figures: &[Figures]) -> String {
        let size = |one: &&Figures| self.room(one);
        // of equal ones the first in the grid
        let most = figures.iter().rev().max_by(|a, b| size(a).total_cmp(&size(b)));
        let least = figures.iter().min_by(|a, b| size(a).total_cmp(&size(b)));
        let place =
            |one: &Figures| format!("{} ({})", self.both(one), lower_first(&self.names[one.situation]));
        match (most, least) {
            (Some(most), Some(least)) if self.room(most) > self.room(least) => {
                let (best, worst) = match figures.iter().any(|one| self.agrees(one)) {
                    true => ("Most clearly", "least clearly"),
                    false => ("Closest to it", "furthest from it"),
                };
                format!("{best}: {}; {worst}: {}.", place(most), place(least))
            }
            (Some(one), _) if figures.len() > 1 => format!("Alike everywhere, such as {}.", place(one)),
            (Some(one), _) => format!("There: {}.", place(one)),
            (None, _) => String::new(),
        }
    }

    /// Both sides in every situation; where there are many, in those that do not play alike, and where these are many
    /// too, in those where the figures speak least clearly for the claim.
    fn table(&self, figures: &[Figures]) -> String {
        let mut rows: Vec<(usize, usize)> = figures.iter().map(|one| (one.situation, 0)).collect();
        let mut note = String::new();
        if rows.len() > ROWS {
            let variants: Vec<usize> =
                [&self.claim.left, &self.claim.right].into_iter().filter_map(variant).collect();
            rows = groups(self.analysis, &variants, &self.claim.situations);
            note = "Situations in which the same rules are left to play share a row.\n\n".to_owned();
        }
        let mut rows: Vec<_> =
            rows.into_iter().filter_map(|group| Some((group, self.figures(group.0)?))).collect();
        if rows.len() > ROWS {
            rows.sort_by(|a, b| self.room(&a.1).total_cmp(&self.room(&b.1)));
            note = format!(
                "The {ROWS} of {} rows in which the figures speak least clearly for it. {note}",
                rows.len()
            );
            rows.truncate(ROWS);
        }
        let heading =
            ["Situation", &self.side(&self.claim.left), &self.side(&self.claim.right), "Difference"]
                .map(str::to_owned);
        let row = |(group, one): &((usize, usize), Figures)| {
            let difference =
                if one.same_rules { "the same rules here".to_owned() } else { self.difference(one) };
            vec![group_name(self.names, *group), self.value(one.left), self.value(one.right), difference]
        };
        note + &table(&heading, &rows.iter().map(row).collect::<Vec<_>>())
    }

    fn figures(&self, situation: usize) -> Option<Figures> {
        let id = |side: &Side| variant(side).map(|variant| self.analysis.cells[variant][situation].sample.id);
        let (left, right) = (&self.claim.left, &self.claim.right);
        Some(Figures {
            situation,
            left: self.figure(left, situation)?,
            right: self.figure(right, situation)?,
            same_rules: id(left).is_some() && id(left) == id(right),
        })
    }

    fn figure(&self, side: &Side, situation: usize) -> Option<f64> {
        let (quantity, variant) = match side {
            Side::Number(number) => return Some(*number),
            Side::Quantity(quantity, variant) => (quantity, *variant),
        };
        let measures = &self.analysis.cells[variant][situation].sample.measures;
        match quantity {
            Quantity::Probability(set) => {
                // the interval is not shown, so its level does not matter
                let probability = estimate(&measures[set.measure], |key| set.contains(key), 0.0).probability;
                probability.is_finite().then_some(probability)
            }
            Quantity::Mean(measure) => mean(&measures[*measure]),
            Quantity::Quantile(measure, level) => {
                quantile(&measures[*measure], *level).map(|value| value as f64)
            }
        }
    }

    /// Whether the claim is about a probability, so that its figures are read in percent.
    fn in_percent(&self) -> bool {
        [&self.claim.left, &self.claim.right]
            .iter()
            .any(|side| matches!(side, Side::Quantity(Quantity::Probability(_), _)))
    }

    /// By how much the figures go beyond what is claimed, below 0 where they fall short of it.
    fn room(&self, one: &Figures) -> f64 {
        let (smaller, larger) = match self.claim.relation {
            Relation::Less | Relation::AtMost => (one.left, one.right),
            Relation::More | Relation::AtLeast => (one.right, one.left),
            Relation::Equal => (one.left.min(one.right), one.left.max(one.right)),
        };
        // equal without a margin is what looks equal in print: a tenth of a point, or a hundredth
        let (unit, print) = if self.in_percent() { (0.01, 0.0005) } else { (1.0, 0.005) };
        let equal = self.claim.relation == Relation::Equal;
        let bound = match self.claim.margin {
            Some(Margin::Points(points)) => smaller + points * unit,
            Some(Margin::Times(times)) => smaller * times,
            None if equal => smaller + print,
            None => smaller,
        };
        if equal { bound - larger } else { larger - bound }
    }

    fn agrees(&self, one: &Figures) -> bool {
        if self.claim.relation == Relation::Equal && self.claim.margin.is_none() {
            return self.value(one.left) == self.value(one.right);
        }
        match self.claim.relation {
            Relation::Less | Relation::More => self.room(one) > 0.0,
            Relation::AtMost | Relation::AtLeast | Relation::Equal => self.room(one) >= 0.0,
        }
    }

    fn both(&self, one: &Figures) -> String {
        format!("{} against {}", self.with_sign(one.left), self.with_sign(one.right))
    }

    fn with_sign(&self, value: f64) -> String {
        if self.in_percent() { format!("{} %", percent(value)) } else { self.value(value) }
    }

    fn value(&self, value: f64) -> String {
        if self.in_percent() { percent(value) } else { format!("{value:.2}") }
    }

    fn difference(&self, one: &Figures) -> String {
        let difference = one.left - one.right;
        if self.in_percent() { points(difference, 1) } else { format!("{difference:+.2}") }
    }

    /// A side as the heading of a column.
    fn side(&self, side: &Side) -> String {
        let name = match side {
            Side::Quantity(of, variant) => {
                format!("{} in {}", quantity(self.scenario, of), self.scenario.variants[*variant].name)
            }
            Side::Number(_) => "Claimed".to_owned(),
        };
        let in_percent = !matches!(side, Side::Quantity(Quantity::Mean(_) | Quantity::Quantile(..), _));
        if in_percent && self.in_percent() { format!("{name}, %") } else { name }
    }
}

/// The variant that a side speaks of.
fn variant(side: &Side) -> Option<usize> {
    match side {
        Side::Quantity(_, variant) => Some(*variant),
        Side::Number(_) => None,
    }
}
