//! Which factors stand along the axes and over the panels of a chart.

use crate::diagnostic::Diagnostic;
use crate::scenario::bind::place::Lookup;
use crate::scenario::document::ChartText;
use crate::scenario::model::ChartKind;
use crate::scenario::tree::Placed;

/// Positions of factors; `None` where there is no such axis.
pub(super) struct Axes {
    pub(super) x: Option<usize>,
    pub(super) y: Option<usize>,
    pub(super) panel: Option<usize>,
}

impl Lookup<'_> {
    /// The factors of a chart's axes and panels; complains of what is missing, unknown, or there twice.
    pub(super) fn axes(&mut self, text: &ChartText, kind: ChartKind) -> Option<Axes> {
        let mut named =
            |name: &Option<Placed<String>>| name.as_ref().map(|name| self.axis(name).ok_or(())).transpose();
        let (x, y, panel) = (named(&text.x), named(&text.y), named(&text.panel));
        let mut taken: Vec<usize> = Vec::new();
        let mut sound = true;
        for (name, at) in [(&text.x, x), (&text.y, y), (&text.panel, panel)] {
            let (Some(name), Ok(Some(at))) = (name, at) else { continue };
            if taken.contains(&at) {
                let message = format!("`{}` can stand along an axis or in panels, but only once", name.value);
                let diagnostic = Diagnostic::error(name.span, message, "the same again");
                self.found.push(diagnostic.remedy("name another factor, or none"));
                sound = false;
            }
            taken.push(at);
        }
        let x = match kind {
            ChartKind::Curve => self.along_curve(text, x.ok()?)?,
            _ => x.ok()?,
        };
        let (y, panel) = (y.ok()?, panel.ok()?);
        if kind == ChartKind::Heat && (x.is_none() || y.is_none()) {
            let message = "a heat chart needs two factors: `x` along the bottom and `y` down the side";
            let diagnostic = Diagnostic::error(text.span, message, "here");
            return self.refuse(
                diagnostic.remedy("add `x` and `y`; with one factor, ask for a chart of the kind \"curve\""),
            );
        }
        sound.then_some(Axes { x, y, panel })
    }

    fn axis(&mut self, name: &Placed<String>) -> Option<usize> {
        let at = self.scenario.factors.iter().position(|factor| factor.name == name.value);
        if at.is_none() {
            let message = format!("`{}` is not a factor of the grid", name.value);
            let known: Vec<&str> = self.scenario.factors.iter().map(|factor| factor.name.as_str()).collect();
            let diagnostic = Diagnostic::error(name.span, message, "not in [grid]");
            self.found.push(
                diagnostic.did_you_mean(&name.value, known).remedy("a factor must stand in [grid] for that"),
            );
        }
        at
    }

    /// The number along the axis of a curve: the one that is named, or the only one of the grid.
    fn along_curve(&mut self, text: &ChartText, at: Option<usize>) -> Option<Option<usize>> {
        let factors = &self.scenario.factors;
        let numeric = |at: &usize| factors[*at].numeric;
        let numbers: Vec<usize> = (0..factors.len()).filter(numeric).collect();
        let (message, place, wrong) = match (&text.x, at, &numbers[..]) {
            (None, _, [only]) => return Some(Some(*only)),
            (_, Some(at), _) if numeric(&at) => return Some(Some(at)),
            (Some(name), ..) => {
                let message = format!("`{}` is not a number: a curve cannot run along it", name.value);
                (message, name.span, name.value.as_str())
            }
            (None, ..) => ("a curve needs a number along its axis: `x`".to_owned(), text.span, ""),
        };
        let names = numbers.iter().map(|at| factors[*at].name.as_str());
        let diagnostic = Diagnostic::error(place, message, "here").did_you_mean(wrong, names);
        self.refuse(diagnostic.remedy("without a number, ask for a chart of the kind \"outcomes\""))
    }
}
