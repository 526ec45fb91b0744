//! What the author claims, and whether it holds.
//!
//! In: a claim and its verdict. Out: a sentence, and a table of both sides.
//!
//! **Never:** deciding anything.

use super::{quantity, table};
use crate::analyse::{Analysis, Doubt, Judged, Ruling, Verdict};
use crate::report::groups::{group_name, groups};
use crate::report::marks::{below, marked, mixed};
use crate::report::words::{counted, list, lower_first, percent, points, thousands, upper_first};
use crate::scenario::{Claim, Margin, Quantity, Relation, Scenario, Side};

/// How many rows the table of one claim has at most, and how many situations a short line names.
const ROWS: usize = 12;

/// Both sides of a claim in one situation.
#[derive(Clone, Copy)]
struct Figures<'a> {
    situation: usize,
    left: f64,
    right: f64,
    judged: &'a Judged,
    /// Whether both sides are variants that play by the same rules here.
    same_rules: bool,
    /// Of each side whether it was counted; of a number that is claimed, nothing.
    counted: [Option<bool>; 2],
}

/// One numbered paragraph, with its table, for each claim; empty where nothing is claimed.
pub(super) fn claims(scenario: &Scenario, analysis: &Analysis, names: &[String]) -> String {
    let one = |(number, (claim, verdict)): (usize, (&Claim, &Verdict))| {
        format!(
            "### {}. {}\n\n{}",
            number + 1,
            if claim.text == claim.holds { format!("`{}`", claim.holds) } else { upper_first(&claim.text) },
            One { scenario, names, claim, verdict }.text(analysis)
        )
    };
    let judged = scenario.claims.iter().zip(&analysis.claims).enumerate();
    let parts: Vec<String> = judged.map(one).collect();
    if parts.is_empty() { String::new() } else { format!("## What is claimed\n\n{}", parts.join("\n")) }
}

/// For each claim a line with its verdict, and of one that does not hold the situations that are the matter; `all` says
/// where the others are.
pub(super) fn in_short(
    scenario: &Scenario,
    verdicts: &[Verdict],
    names: &[String],
    all: &str,
) -> Vec<String> {
    let one = |(claim, verdict)| One { scenario, names, claim, verdict }.in_short(all);
    scenario.claims.iter().zip(verdicts).map(one).collect()
}

/// A ruling in a word.
pub(in crate::report) fn word(ruling: Ruling) -> &'static str {
    match ruling {
        Ruling::Holds => "holds",
        Ruling::Fails => "fails",
        Ruling::Undecided => "undecided",
    }
}

/// One claim and all that its words need.
struct One<'a> {
    scenario: &'a Scenario,
    names: &'a [String],
    claim: &'a Claim,
    verdict: &'a Verdict,
}

impl<'a> One<'a> {
    fn text(&self, analysis: &Analysis) -> String {
        let all = &self.claim.situations;
        let places = counted(all.len(), "situation", "situations");
        let mut sentences =
            vec![format!("**{}.** {}", upper_first(word(self.verdict.ruling)), self.speaks(&places))];
        sentences.extend(self.basis());
        let figures = self.all_figures(analysis);
        if self.claim.average {
            sentences.extend(self.doubts());
            return format!("{}\n", sentences.join(" "));
        }
        sentences.push(self.extremes(&figures));
        let same = figures.iter().filter(|one| one.same_rules).count();
        if same > 0 {
            let places = counted(same, "situation", "situations");
            sentences.push(format!("Both sides play by the same rules in {places}."));
        }
        sentences.extend(self.doubts());
        sentences.retain(|sentence| !sentence.is_empty());
        format!("{}\n\n{}", sentences.join(" "), self.table(&figures, analysis))
    }

    /// What it speaks of, and in how many situations it holds.
    fn speaks(&self, places: &str) -> String {
        let (holds, ruling) = (&self.claim.holds, self.verdict.ruling);
        if let (true, [judged]) = (self.claim.average, &self.verdict.cells[..]) {
            let figures = self.both(judged).map_or(String::new(), |both| format!(": {both}"));
            let is = if ruling == Ruling::Undecided { "is " } else { "" };
            let word = word(ruling);
            return format!(
                "The claim `{holds}` speaks of the average over {places}, and {is}{word} there{figures}."
            );
        }
        let speaks = format!("The claim `{holds}` speaks of {places}");
        let number = |wanted: Ruling| self.verdict.cells.iter().filter(|one| one.ruling == wanted).count();
        let [held, failed, open] = [Ruling::Holds, Ruling::Fails, Ruling::Undecided].map(number);
        let one = self.verdict.cells.len() == 1;
        match (held, failed, open) {
            (_, 0, 0) => format!("{speaks} and holds {}.", if one { "there" } else { "in all of them" }),
            (0, _, 0) => format!("{speaks} and fails {}.", if one { "there" } else { "in all of them" }),
            (0, 0, _) => {
                format!("{speaks} and is undecided {}.", if one { "there" } else { "in all of them" })
            }
            _ => {
                let part = |(verb, number): (&str, usize)| format!("{verb} in {}", thousands(number as u64));
                let all = [("holds", held), ("fails", failed), ("is undecided", open)];
                let said: Vec<String> = all.into_iter().filter(|one| one.1 > 0).map(part).collect();
                format!("{speaks}; it {}.", list(&said))
            }
        }
    }

    /// By what it is decided.
    fn basis(&self) -> Option<String> {
        let decided: Vec<&Judged> =
            self.verdict.cells.iter().filter(|one| one.ruling != Ruling::Undecided).collect();
        let sampled = decided.iter().filter(|one| one.trials > 0).count();
        let trials = thousands(decided.iter().map(|one| one.trials).max().unwrap_or(0));
        match (decided.len() - sampled, sampled) {
            (0, 0) => None,
            (_, 0) => Some("Decided exactly.".to_owned()),
            (0, _) => Some(format!("Decided by up to {trials} trials.")),
            (exactly, _) => Some(format!(
                "Decided exactly in {}, by up to {trials} trials in {}.",
                thousands(exactly as u64),
                thousands(sampled as u64)
            )),
        }
    }

    /// Why something is not decided, and what would decide it.
    fn doubts(&self) -> Option<String> {
        let all = [Doubt::Absent, Doubt::Unsolved, Doubt::Boundless, Doubt::Trials, Doubt::Rounded];
        let said = all.into_iter().filter_map(|doubt| {
            let cells = self.verdict.cells.iter().filter(|one| one.doubt == Some(doubt));
            let trials = cells.clone().map(|one| one.trials).max()?;
            let cells = if self.verdict.cells.len() > 1 {
                format!(" in {}", thousands(cells.count() as u64))
            } else {
                String::new()
            };
            Some(format!("Undecided{cells}: {}", why(doubt, trials)))
        });
        let said: Vec<String> = said.collect();
        (!said.is_empty()).then(|| said.join(" "))
    }

    fn in_short(&self, all: &str) -> String {
        let (claim, ruling) = (self.claim, self.verdict.ruling);
        let places = counted(claim.situations.len(), "situation", "situations");
        let start = match ruling {
            Ruling::Undecided => format!("Claim is undecided: {}", claim.text),
            _ => format!("Claim {}: {}", word(ruling), claim.text),
        };
        let wrong: Vec<(usize, &Judged)> =
            self.cells().filter(|(_, one)| one.ruling == ruling && ruling != Ruling::Holds).collect();
        let end = match ruling {
            Ruling::Undecided => self.doubts(),
            _ => self.basis(),
        };
        let end = end.map_or(String::new(), |end| format!(" {end}"));
        if let (true, [judged]) = (claim.average, &self.verdict.cells[..]) {
            let figures = self.both(judged).map_or(String::new(), |both| format!(", {both}"));
            return format!("{start}: on average over {places}{figures}.{end}");
        }
        if wrong.is_empty() {
            return format!("{start}: in {places}.{end}");
        }
        let one = |(situation, judged): &(usize, &Judged)| {
            let figures = self.both(judged).map_or(String::new(), |both| format!(" ({both})"));
            format!("{}{figures}", self.names.get(*situation).map_or(String::new(), |name| lower_first(name)))
        };
        let named: Vec<String> = wrong.iter().take(ROWS).map(one).collect();
        let more = match wrong.len().saturating_sub(ROWS) {
            0 => String::new(),
            more => format!("; and {} more{all}", thousands(more as u64)),
        };
        let number = thousands(wrong.len() as u64);
        let says =
            if claim.text == claim.holds { String::new() } else { format!(" It says `{}`.", claim.holds) };
        format!("{start}: in {number} of {places}: {}{more}.{says}{end}", named.join("; "))
    }

    /// Each situation that the claim speaks of, with what was found there.
    fn cells(&self) -> impl Iterator<Item = (usize, &'a Judged)> {
        self.claim.situations.iter().copied().zip(&self.verdict.cells)
    }

    fn all_figures(&self, analysis: &Analysis) -> Vec<Figures<'a>> {
        let id = |side: &Side, at: usize| variant(side).map(|variant| analysis.cells[variant][at].sample.id);
        let figures = |(situation, judged): (usize, &'a Judged)| {
            let [left, right] = [&self.claim.left, &self.claim.right].map(|side| id(side, situation));
            let value = |side: usize| judged.sides[side].as_ref().map_or(f64::NAN, |value| value.value());
            let same_rules = left.is_some() && left == right;
            let counted = |side: &Side| Some(analysis.cells[variant(side)?][situation].answer.is_err());
            let counted = [&self.claim.left, &self.claim.right].map(counted);
            Figures { situation, left: value(0), right: value(1), judged, same_rules, counted }
        };
        self.cells().map(figures).collect()
    }

    /// Where the figures speak most clearly for the claim, and where least.
    fn extremes(&self, figures: &[Figures]) -> String {
        let size = |one: &&Figures| self.room(one);
        let known = || figures.iter().filter(|one| !self.room(one).is_nan());
        // of equal ones the first in the grid
        let most = known().rev().max_by(|a, b| size(a).total_cmp(&size(b)));
        let least = known().min_by(|a, b| size(a).total_cmp(&size(b)));
        let place = |one: &Figures| {
            let both = self.both(one.judged).unwrap_or_default();
            format!("{both} ({})", lower_first(&self.names[one.situation]))
        };
        match (most, least) {
            (Some(most), Some(least)) if self.room(most) > self.room(least) => {
                let (best, worst) = match figures.iter().any(|one| one.judged.ruling == Ruling::Holds) {
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
    /// too, first in those where the claim does not hold, then in those where the figures speak least clearly for it.
    fn table(&self, figures: &[Figures], analysis: &Analysis) -> String {
        let mut rows: Vec<(usize, usize)> = figures.iter().map(|one| (one.situation, 0)).collect();
        let mut note = String::new();
        if rows.len() > ROWS {
            let variants: Vec<usize> =
                [&self.claim.left, &self.claim.right].into_iter().filter_map(variant).collect();
            rows = groups(analysis, &variants, &self.claim.situations);
            note = "Situations in which the same rules are left to play share a row.\n\n".to_owned();
        }
        let of = |group: (usize, usize)| Some((group, figures.iter().find(|one| one.situation == group.0)?));
        let mut rows: Vec<_> = rows.into_iter().filter_map(of).collect();
        if rows.len() > ROWS {
            let rank = |one: &Figures| match one.judged.ruling {
                Ruling::Fails => 0,
                Ruling::Undecided => 1,
                Ruling::Holds => 2,
            };
            rows.sort_by(|(_, a), (_, b)| rank(a).cmp(&rank(b)).then(self.room(a).total_cmp(&self.room(b))));
            note = format!(
                "The {ROWS} of {} rows that speak least clearly for it; all are in `claims.csv`. {note}",
                rows.len()
            );
            rows.truncate(ROWS);
        }
        let heading = [
            "Situation",
            &self.side(&self.claim.left),
            &self.side(&self.claim.right),
            "Difference",
            "Verdict",
        ]
        .map(str::to_owned);
        let marks = mixed(rows.iter().flat_map(|(_, one)| one.counted).flatten());
        let row = |(group, one): &((usize, usize), &Figures)| {
            let [left, right] = one.counted.map(|counted| marks && counted == Some(true));
            let difference =
                if one.same_rules { "the same rules here".to_owned() } else { self.difference(one) };
            let verdict = match one.judged.ruling {
                Ruling::Holds => "holds".to_owned(),
                other => format!("**{}**", word(other)),
            };
            vec![
                group_name(self.names, *group),
                marked(self.value(one.left), left),
                marked(self.value(one.right), right),
                marked(difference, left || right),
                verdict,
            ]
        };
        note + &table(&heading, &rows.iter().map(row).collect::<Vec<_>>()) + &below(marks)
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
        let bound = match self.claim.margin {
            Some(Margin::Points((top, bottom))) => smaller + top as f64 / bottom as f64 * unit,
            Some(Margin::Times((top, bottom))) => smaller * (top as f64 / bottom as f64),
            None => smaller,
        };
        if self.claim.relation == Relation::Equal { bound - larger } else { larger - bound }
    }

    /// Both figures; nothing where one is not known.
    fn both(&self, judged: &Judged) -> Option<String> {
        let [left, right] = [judged.sides[0].as_ref()?.value(), judged.sides[1].as_ref()?.value()];
        Some(format!("{} against {}", self.with_sign(left), self.with_sign(right)))
    }

    fn with_sign(&self, value: f64) -> String {
        if self.in_percent() { format!("{} %", percent(value)) } else { self.value(value) }
    }

    fn value(&self, value: f64) -> String {
        match () {
            () if self.in_percent() => percent(value),
            () if value.is_nan() => "none".to_owned(),
            () => format!("{value:.2}"),
        }
    }

    fn difference(&self, one: &Figures) -> String {
        let difference = one.left - one.right;
        match () {
            () if difference.is_nan() => "none".to_owned(),
            () if self.in_percent() => points(difference, 1),
            () => format!("{difference:+.2}"),
        }
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

/// Why something is not decided, in a sentence.
fn why(doubt: Doubt, trials: u64) -> String {
    match doubt {
        Doubt::Absent => "no trial can have what is compared.".to_owned(),
        Doubt::Unsolved => "the situation is not solved; `run` plays it, and `--budget` solves more.".to_owned(),
        Doubt::Boundless => {
            "nobody can say how large this number may get, so that no count is certain about its mean; `--budget` may solve the situation.".to_owned()
        }
        Doubt::Trials => format!(
            "{} trials are too few to tell. More (`--most-trials`) may tell, a larger `--budget` may solve it, and `by ... points` sets a margin: sides that are just equal cannot be told apart by counting.",
            thousands(trials)
        ),
        Doubt::Rounded => {
            "both sides are worked out, but not to the last digit, and as far as that goes they are the same; `by ... points` sets a margin.".to_owned()
        }
    }
}

/// The variant that a side speaks of.
fn variant(side: &Side) -> Option<usize> {
    match side {
        Side::Quantity(_, variant) => Some(*variant),
        Side::Number(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::tests as example;
    use crate::report::words::situations;

    #[test]
    fn a_side_that_was_counted_is_marked_where_the_other_is_exact() {
        let scenario = example::scenario();
        let mut analysis = example::analysis(&scenario);
        let told = |analysis: &Analysis| {
            let text = claims(&scenario, analysis, &situations(&scenario));
            text.replace("  ", "").replace(" |", "|").replace("| ", "|")
        };
        assert!(!told(&analysis).contains('≈'));
        analysis.cells[0][0].answer = example::half_solved().1.cells[0][0].answer.clone();
        // 3 of 36 against 6
        let text = told(&analysis);
        let row = "|Infantry, shooting, excess casualties 0|≈8.3|16.7|≈-8.3|holds|\n";
        assert!(text.contains(row), "{text}");
        assert_eq!(
            text.matches("A figure behind ≈ was counted").count(),
            1,
            "the second is of one variant: {text}"
        );
    }
}
