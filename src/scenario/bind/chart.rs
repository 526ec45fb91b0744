//! The charts that are asked for.

mod axes;
mod sorts;

use super::place::{Lookup, joined, one_line, rules_text};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::scenario::document::ChartText;
use crate::scenario::model::{ChartKind, ChartRequest, Reading, ResultSet, Results};
use crate::scenario::tree::Placed;
use axes::Axes;
use sorts::{kind, misplaced};

impl Lookup<'_> {
    /// A chart, or what is wrong with it. Axes are looked at only where the grid is sound: what it lacks may be what is
    /// wrong in it.
    pub(super) fn chart(&mut self, text: &ChartText, sound_grid: bool) -> Option<ChartRequest> {
        let kind = kind(text.kind.as_ref()?, self.found)?;
        misplaced(text, kind, self.found);
        self.something_to_draw(text, kind)?;
        let outcome = text.outcome.as_ref().map(|set| self.chart_outcome(set).ok_or(()));
        let situations = self.situations_where(text.filter.as_ref());
        let variant = self.chart_variant(text, kind);
        let against_baseline = variant.and_then(|variant| self.against_baseline(text, kind, variant));
        let measure = self.chart_measure(text, kind);
        let reading = reading(text, self.found);
        if !sound_grid {
            return None;
        }
        let Axes { x, y, panel } = self.axes(text, kind)?;
        let title = text.title.as_ref().map(|title| one_line(&title.value));
        Some(ChartRequest {
            kind,
            outcome: outcome.transpose().ok()?,
            x,
            y,
            panel,
            variant: variant?,
            against_baseline: against_baseline?,
            measure: measure?,
            reading: reading?,
            situations: situations?,
            title,
        })
    }

    /// Complains of a number where outcomes are asked for, and of a lack of drafts.
    fn something_to_draw(&mut self, text: &ChartText, kind: ChartKind) -> Option<()> {
        use ChartKind::{Curve, Difference, Distribution, Flow, Heat, Modifiers, Survival};
        let place = text.kind.as_ref()?.span;
        let by_outcome = matches!(kind, Curve | Difference | Heat);
        if !matches!(kind, Modifiers | Distribution | Survival)
            && matches!(self.scenario.main().results, Results::Numbers)
            && !(by_outcome && text.outcome.is_some())
        {
            let main = if self.scenario.main().name == "result" { "ends in" } else { "records" };
            let message = format!("`{}` {main} a number, which has no list of outcomes", self.scenario.test);
            let (label, remedy) = if by_outcome {
                ("of which numbers?", "say which numbers count, as in `outcome = \"3+\"`")
            } else {
                (
                    "nothing to stack here",
                    "write `kind = \"curve\"` and say which numbers count, as in `outcome = \"3+\"`, or `kind = \"distribution\"`",
                )
            };
            return self.refuse(Diagnostic::error(place, message, label).remedy(remedy));
        }
        let (message, label) = match kind {
            _ if self.scenario.variants.len() > 1 => return Some(()),
            Flow => (
                "a flow goes from the baseline to a draft, and there is only one variant",
                "nothing to flow to",
            ),
            Difference => (
                "a difference is that of a draft from the baseline, and there is only one variant",
                "from what?",
            ),
            _ => return Some(()),
        };
        let diagnostic = Diagnostic::error(place, message, label);
        self.refuse(diagnostic.remedy("name a draft under [variants], or take the chart out"))
    }

    /// The variant that a chart is of, if it is of one; the baseline where all are shown.
    fn chart_variant(&mut self, text: &ChartText, kind: ChartKind) -> Option<usize> {
        let baseline = self.scenario.baseline;
        match (kind, &text.variant) {
            (ChartKind::Modifiers | ChartKind::Heat, name) => self.variant(name.as_ref(), text.span),
            (ChartKind::Difference, Some(name)) => {
                let variant = self.variant(Some(name), text.span)?;
                if variant != baseline {
                    return Some(variant);
                }
                let message = format!("`{}` is the baseline, which does not differ from itself", name.value);
                let diagnostic = Diagnostic::error(name.span, message, "not a draft");
                self.refuse(
                    diagnostic.remedy("name a draft, or take `variant` out: all drafts are shown then"),
                )
            }
            _ => Some(baseline),
        }
    }

    /// Whether a heat chart is of differences: where nothing is said, that of a draft.
    fn against_baseline(&mut self, text: &ChartText, kind: ChartKind, variant: usize) -> Option<bool> {
        let draft = variant != self.scenario.baseline;
        let Some(of) = text.of.as_ref().filter(|_| kind == ChartKind::Heat) else {
            return Some(draft && kind == ChartKind::Heat);
        };
        match of.value.as_str() {
            "probability" => Some(false),
            "difference" if draft => Some(true),
            "difference" => {
                let message = "this chart is of the baseline, which does not differ from itself";
                let diagnostic = Diagnostic::error(of.span, message, "from what?");
                self.refuse(
                    diagnostic.remedy("name a draft, as in variant = \"...\", or write of = \"probability\""),
                )
            }
            other => {
                let diagnostic = Diagnostic::error(of.span, "a heat chart cannot be of this", "not known");
                self.refuse(diagnostic.did_you_mean(other, ["probability", "difference"]))
            }
        }
    }

    /// The measure whose numbers are drawn: the one that is named, what the test gives, or the only number that it records.
    fn chart_measure(&mut self, text: &ChartText, kind: ChartKind) -> Option<usize> {
        if !matches!(kind, ChartKind::Distribution | ChartKind::Survival) {
            return Some(0);
        }
        let (test, measures) = (&self.scenario.test, &self.scenario.measures);
        let number = |at: &usize| measures[*at].results == Results::Numbers;
        let numbers: Vec<usize> = (0..measures.len()).filter(number).collect();
        let names = || numbers.iter().map(|at| measures[*at].name.as_str());
        let (place, message, wrong) = match &text.measure {
            Some(name) => {
                let at = self.measure_named(&name.value, name.span)?;
                if number(&at) {
                    return Some(at);
                }
                (name.span, format!("`{}` is not a number", name.value), name.value.as_str())
            }
            None => match numbers[..] {
                [first, ..] if first == 0 || numbers.len() == 1 => return Some(first),
                [] => (text.span, format!("`{test}` neither gives nor records a number"), ""),
                _ => (text.span, format!("`{test}` records several numbers: which is meant?"), ""),
            },
        };
        let diagnostic = Diagnostic::error(place, message, "here").did_you_mean(wrong, names());
        let example =
            numbers.first().map_or("a chart of the kind \"outcomes\" shows what it gives".to_owned(), |at| {
                format!("name a number, as in measure = \"{}\"", measures[*at].name)
            });
        self.refuse(diagnostic.remedy(example))
    }

    /// The results in a set: of each variant whose rules can read it, those that it means there.
    fn chart_outcome(&mut self, set: &Placed<String>) -> Option<ResultSet> {
        let place = rules_text(set, self.sources, self.found)?;
        let (_, mut set) = self.first_that_reads(|lookup, variant| lookup.result_set(variant, place))?;
        if self.scenario.measures[set.measure].results != Results::Numbers {
            let mut unread = Diagnostics::default();
            let mut quiet = Lookup { found: &mut unread, ..*self };
            let sets =
                (0..self.scenario.variants.len()).filter_map(|variant| quiet.result_set(variant, place));
            let spans: Vec<(i64, i64)> = sets.flat_map(|set| set.spans).collect();
            set.spans = joined(spans.into_iter().flat_map(|(low, high)| low..=high).collect());
        }
        Some(set)
    }
}

fn reading(text: &ChartText, found: &mut Diagnostics) -> Option<Reading> {
    let Some(reading) = &text.reading else { return Some(Reading::Exactly) };
    match reading.value.as_str() {
        "exactly" => Some(Reading::Exactly),
        "at least" => Some(Reading::AtLeast),
        "at most" => Some(Reading::AtMost),
        other => {
            let diagnostic =
                Diagnostic::error(reading.span, "a distribution cannot be read like this", "not known");
            found.push(diagnostic.did_you_mean(other, ["exactly", "at least", "at most"]));
            None
        }
    }
}
