//! Whether calls come to an end: none leads back to itself, none goes too deep.

use crate::diagnostic::{Diagnostic, Diagnostics, Span};
use crate::rules::ruleset::{Callee, ChartId, ModifiersId, Ruleset, TestId};
use std::collections::BTreeMap;

/// Calls may go this deep.
const DEEPEST_CALL: usize = 64;
/// The operands inside one another along a chain of calls, all together: every later stage follows them by recursion.
const DEEPEST_EXPRESSIONS: usize = 2_000;

/// Reports calls that lead back to themselves, and calls that go too deep.
pub(super) fn calls_are_sound(rules: &Ruleset, found: &mut Diagnostics) -> bool {
    let mut depths = BTreeMap::new();
    let tests = (0..rules.tests.len()).map(|id| Callee::Test(TestId(id)));
    let charts = (0..rules.charts.len()).map(|id| Callee::Chart(ChartId(id)));
    let modifiers = (0..rules.modifiers.len()).map(|id| Callee::Modifiers(ModifiersId(id)));
    let mut sound = true;
    for start in tests.chain(charts).chain(modifiers) {
        sound &= depth(rules, start, &mut Vec::new(), &mut depths, found).is_some();
    }
    sound
}

/// How deep the calls of a piece go, and the expressions around them; `None` where they lead back or too deep.
fn depth(
    rules: &Ruleset,
    callee: Callee,
    above: &mut Vec<Callee>,
    known: &mut BTreeMap<Callee, Option<(usize, usize)>>,
    found: &mut Diagnostics,
) -> Option<(usize, usize)> {
    if let Some(depth) = known.get(&callee) {
        return *depth;
    }
    above.push(callee);
    let mut deepest = Some((0, 0));
    for (called, place) in rules.calls(callee) {
        if above.contains(&called) {
            found.push(calls_itself(rules.callee_name(called), place.span));
            deepest = None;
            continue;
        }
        let below = match above.len() < DEEPEST_CALL {
            true => depth(rules, called, above, known, found),
            false => Some((DEEPEST_CALL, 0)),
        };
        deepest = deepest.zip(below).map(|(one, other)| (one.0.max(other.0 + 1), one.1.max(other.1)));
        if deepest.is_some_and(|(calls, nested)| calls >= DEEPEST_CALL || nested > DEEPEST_EXPRESSIONS) {
            found.push(calls_too_deep(place.span));
            deepest = None;
        }
    }
    above.pop();
    let deepest = deepest.map(|(calls, nested)| (calls, nested + rules.height(callee)));
    known.insert(callee, deepest);
    deepest
}

fn calls_itself(name: &str, span: Span) -> Diagnostic {
    Diagnostic::error(span, format!("`{name}` calls itself"), "leads back to it")
        .remedy("a test may not come back to itself: take out one of the calls")
}

fn calls_too_deep(span: Span) -> Diagnostic {
    let message = format!("calls go more than {DEEPEST_CALL} deep, or their expressions are very long");
    Diagnostic::error(span, message, "one too many")
        .remedy("join some of the tests, and name parts of long expressions with `let`")
}
