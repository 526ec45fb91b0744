//! What the author claims, and the figures to it.
//!
//! In: a claim and the tallies. Out: a sentence, and a table of both sides; no verdict.

use super::table;
use crate::analyse::{Analysis, estimate, mean, quantile};
use crate::report::words::{counted, lower_first, percent, points, thousands};
use crate::scenario::{Claim, Margin, Quantity, Relation, Results, Scenario, Side};

/// How many rows the table of one claim has at most.
const ROWS: usize = 20;

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
        format!("### {}. {}\n\n{}", number + 1, claim.text, One { scenario, analysis, names, claim }.text())
    };
    let parts: Vec<String> = scenario.claims.iter().enumerate().map(one).collect();
    if parts.is_empty() { String::new() } else { format!("## What is claimed\n\n{}", parts.join("\n")) }
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
        let same = figures.iter().filter(|one| one.same_rules).count();
        if same > 0 {
            text += &format!(
                " Both sides play by the same rules in {}.",
                counted(same, "situation", "situations")
            );
        }
        format!("{text} {FIGURES_ONLY}\n\n{}", self.table(figures))
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
                format!("Most clearly: {}; least clearly: {}.", place(most), place(least))
            }
            (Some(one), _) if figures.len() > 1 => format!("Alike everywhere, such as {}.", place(one)),
            (Some(one), _) => format!("There: {}.", place(one)),
            (None, _) => String::new(),
        }
    }

    /// Both sides in every situation, or in those where they speak least clearly for the claim.
    fn table(&self, mut figures: Vec<Figures>) -> String {
        let left = figures.len().saturating_sub(ROWS);
        let mut note = String::new();
        if left > 0 {
            figures.sort_by(|a, b| self.room(a).total_cmp(&self.room(b)));
            figures.truncate(ROWS);
            note = format!(
                "The {ROWS} situations in which the figures speak least clearly for it; {} not shown, all are in `results.csv`.\n\n",
                counted(left, "other is", "others are")
            );
        }
        let heading =
            ["Situation", &self.side(&self.claim.left), &self.side(&self.claim.right), "Difference"]
                .map(str::to_owned);
        let row = |one: &Figures| {
            let difference =
                if one.same_rules { "the same rules here".to_owned() } else { self.difference(one) };
            vec![self.names[one.situation].clone(), self.value(one.left), self.value(one.right), difference]
        };
        note + &table(&heading, &figures.iter().map(row).collect::<Vec<_>>())
    }

    fn figures(&self, situation: usize) -> Option<Figures> {
        let id = |side: &Side| match side {
            Side::Quantity(_, variant) => Some(self.analysis.cells[*variant][situation].sample.id),
            Side::Number(_) => None,
        };
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
        let tally = &self.analysis.cells[variant][situation].sample.tally;
        let number = matches!(self.scenario.results, Results::Numbers);
        match quantity {
            // the interval is not shown, so its level does not matter
            Quantity::Probability(set) => Some(estimate(tally, |key| set.contains(key), 0.0).probability),
            Quantity::Mean(_) if number => mean(tally),
            Quantity::Quantile(_, level) if number => quantile(tally, *level).map(f64::from),
            Quantity::Mean(_) | Quantity::Quantile(..) => None,
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
        let unit = if self.in_percent() { 0.01 } else { 1.0 };
        let wanted = |otherwise: f64| match self.claim.margin {
            Some(Margin::Points(points)) => smaller + points * unit,
            Some(Margin::Times(times)) => smaller * times,
            None => smaller + otherwise,
        };
        match self.claim.relation {
            // equal is what looks equal in print
            Relation::Equal => wanted(unit * 0.05) - larger,
            _ => larger - wanted(0.0),
        }
    }

    fn agrees(&self, one: &Figures) -> bool {
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
        let name = |variant: &usize| &self.scenario.variants[*variant].name;
        let percent = if self.in_percent() { ", %" } else { "" };
        match side {
            Side::Quantity(Quantity::Probability(set), variant) => {
                format!("P({}) in {}{percent}", set.text, name(variant))
            }
            Side::Quantity(Quantity::Mean(measure), variant) => {
                format!("mean({measure}) in {}", name(variant))
            }
            Side::Quantity(Quantity::Quantile(measure, level), variant) => {
                format!("quantile({measure}, {level}) in {}", name(variant))
            }
            Side::Number(_) => format!("Claimed{percent}"),
        }
    }
}
