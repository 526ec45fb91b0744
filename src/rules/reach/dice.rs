//! Where no dice can be rolled, not even by a test that is called there: conditions of `never`, modifiers, the keys of
//! charts.

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::rules::ruleset::{Callee, Expr, ExprNode, ModifiersId, Ruleset};

/// Reports every call that leads to a roll where there can be none.
pub(super) fn check_dice(rules: &Ruleset, found: &mut Diagnostics) {
    let mut refuse = |expr: &Expr, why: &str| {
        let ExprNode::Call(callee, ..) = expr.node else { return };
        if !matches!(callee, Callee::Modifiers(_)) && rules.rolls(callee) {
            let mistake =
                Diagnostic::error(expr.span, format!("no dice are rolled here: {why}"), "this rolls");
            found.push(mistake.remedy("roll in a test, and hand the number over"));
        }
    };
    for never in &rules.nevers {
        never.condition.each(&mut |expr| refuse(expr, "a situation exists or does not"));
    }
    for id in 0..rules.modifiers.len() {
        let callee = Callee::Modifiers(ModifiersId(id));
        rules.each_expression(callee, &mut |expr| {
            refuse(expr, "modifiers are added up before the roll is read");
        });
    }
    for chart in &rules.charts {
        let keys = chart.rows.iter().flat_map(|row| &row.keys).chain(&chart.columns);
        keys.for_each(|set| set.each(&mut |expr| refuse(expr, "the keys of a chart are read, not rolled")));
    }
}
