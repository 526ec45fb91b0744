//! Which kinds of charts there are, and which keys each takes.

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::scenario::document::ChartText;
use crate::scenario::model::ChartKind;
use crate::scenario::tree::Placed;

/// Each kind with its name, and the keys that it takes beside `where` and `title`.
const SORTS: [(ChartKind, &str, &[&str]); 8] = [
    (ChartKind::Outcomes, "outcomes", &["x", "panel"]),
    (ChartKind::Curve, "curve", &["outcome", "x", "panel"]),
    (ChartKind::Difference, "difference", &["outcome", "panel", "variant"]),
    (ChartKind::Heat, "heat", &["outcome", "x", "y", "panel", "variant", "of"]),
    (ChartKind::Distribution, "distribution", &["measure", "reading", "panel"]),
    (ChartKind::Survival, "survival", &["measure", "panel"]),
    (ChartKind::Flow, "flow", &["panel"]),
    (ChartKind::Modifiers, "modifiers", &["outcome", "variant"]),
];

/// The kind of that name; complains if there is none.
pub(super) fn kind(name: &Placed<String>, found: &mut Diagnostics) -> Option<ChartKind> {
    let kind = SORTS.iter().find(|(_, known, _)| *known == name.value).map(|(kind, ..)| *kind);
    if kind.is_none() {
        let message = format!("there is no chart of the kind `{}`", name.value);
        let known = SORTS.iter().map(|(_, known, _)| *known);
        found.push(Diagnostic::error(name.span, message, "not known").did_you_mean(&name.value, known));
    }
    kind
}

/// Complains of every key that such a chart does not take.
pub(super) fn misplaced(text: &ChartText, kind: ChartKind, found: &mut Diagnostics) {
    let Some((_, name, taken)) = SORTS.iter().find(|(known, ..)| *known == kind) else { return };
    let keys = [
        ("outcome", &text.outcome),
        ("x", &text.x),
        ("y", &text.y),
        ("panel", &text.panel),
        ("variant", &text.variant),
        ("of", &text.of),
        ("measure", &text.measure),
        ("reading", &text.reading),
    ];
    for (key, value) in keys.into_iter().filter(|(key, _)| !taken.contains(key)) {
        let Some(value) = value else { continue };
        let (message, remedy) = why_not(key, kind, name);
        found.push(Diagnostic::error(value.span, message, "not here").remedy(remedy));
    }
}

/// Why a kind does not take a key, and what to do.
fn why_not(key: &str, kind: ChartKind, name: &str) -> (String, String) {
    let takers: Vec<String> = SORTS
        .iter()
        .filter(|(_, _, taken)| taken.contains(&key))
        .map(|(_, taker, _)| format!("\"{taker}\""))
        .collect();
    let elsewhere = format!("take it out; `{key}` is for charts of the kind {}", takers.join(", "));
    let (message, remedy) = match (key, kind) {
        ("outcome", ChartKind::Outcomes | ChartKind::Flow) => {
            ("this chart shows all results, not one of them", elsewhere.as_str())
        }
        ("x", ChartKind::Flow) => {
            ("a flow has no axis", "take `x` out, or write `panel` for a picture of each value")
        }
        ("x" | "panel", ChartKind::Modifiers) => (
            "a chart of the kind `modifiers` has neither axis nor panels: it has a bar for each change",
            "take it out; `where` says over which situations",
        ),
        ("x", ChartKind::Difference) => (
            "a chart of the kind `difference` has a bar for each situation, and no axis of them",
            "take `x` out; write `panel` to part the bars by it, or a chart of the kind \"heat\"",
        ),
        ("x", ChartKind::Distribution | ChartKind::Survival) => (
            "the axis of this chart is that of its measure",
            "take `x` out, or write `panel` for a picture of each value",
        ),
        ("variant", _) => ("this chart shows all variants", elsewhere.as_str()),
        _ => return (format!("a chart of the kind `{name}` has no `{key}`"), elsewhere),
    };
    (message.to_owned(), remedy.to_owned())
}
