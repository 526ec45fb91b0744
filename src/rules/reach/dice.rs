//! Where no dice can be rolled, not even by a test that is called there: conditions of `never`, modifiers, the keys of
//! charts.

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::rules::ruleset::{Callee, ModifiersId, Ruleset};
use crate::rules::walk::Part;

/// Reports every call that leads to a roll, a choice or a change where there can be none.
pub(super) fn check_dice(rules: &Ruleset, found: &mut Diagnostics) {
    let mut refuse = |part: Part<'_>, why: &str| {
        let Part::Call(call) = part else { return };
        let (word, remedy) = if rules.rolls(call.callee) {
            ("this rolls", "roll in a test, and hand the number over")
        } else if rules.changes(call.callee) {
            ("this changes the situation", "change it in a test, before")
        } else {
            return;
        };
        if !matches!(call.callee, Callee::Modifiers(_)) {
            let mistake = Diagnostic::error(call.span, format!("no dice are rolled here: {why}"), word);
            found.push(mistake.remedy(remedy));
        }
    };
    for never in rules.nevers.iter().filter(|never| never.copy_of.is_none()) {
        never.condition.each(&mut |part| refuse(part, "a situation exists or does not"));
    }
    for id in 0..rules.modifiers.len() {
        let callee = Callee::Modifiers(ModifiersId(id));
        rules.each_part(callee, &mut |part| {
            refuse(part, "modifiers are added up before the roll is read");
        });
    }
    for chart in &rules.charts {
        let keys = chart.rows.iter().flat_map(|row| &row.keys).chain(&chart.columns);
        keys.for_each(|set| set.each(&mut |part| refuse(part, "the keys of a chart are read, not rolled")));
    }
}
