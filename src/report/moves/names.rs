//! What the things that a player looks at are called in the rules.

use crate::plan::Plan;
use crate::rules::{
    Call, Callee, ForRange, LocalId, Part, Picks, Place, PoolId, Ruleset, Span, StatementNode, Type, UnitsId,
    each_statement,
};
use std::collections::BTreeMap;

/// The names of one call.
pub(super) struct Names {
    pub(super) locals: BTreeMap<LocalId, (String, Type)>,
    pub(super) pools: BTreeMap<PoolId, (String, Type)>,
}

/// The names of all calls that lead to a place, the entry's first.
pub(super) fn of_calls(plan: &Plan, path: &[(Span, Option<usize>)]) -> Vec<Names> {
    let rules = &plan.rules;
    let mut here = Callee::Test(plan.entry);
    let mut all = vec![of(rules, here)];
    for (span, _) in path {
        if let Some((callee, _)) = called(rules, here, *span) {
            here = callee;
            all.push(of(rules, here));
        }
    }
    all
}

/// What is called there, and for a unit of what, if a call stands there.
pub(super) fn called(rules: &Ruleset, from: Callee, place: Span) -> Option<(Callee, Option<UnitsId>)> {
    let mut found = None;
    rules.each_part(from, &mut |part| {
        if let Part::Call(Call { callee, span, unit, .. }) = part
            && *span == place
        {
            let units =
                unit.as_ref().and_then(|unit| if let Type::Unit(id) = unit.ty { Some(id) } else { None });
            found = Some((*callee, units));
        }
    });
    found
}

fn of(rules: &Ruleset, callee: Callee) -> Names {
    let mut names = Names { locals: BTreeMap::new(), pools: BTreeMap::new() };
    for parameter in rules.parameters(callee) {
        if let Place::Local(local) = parameter.place {
            names.locals.insert(local, (parameter.name.clone(), parameter.ty));
        }
    }
    let Callee::Test(test) = callee else { return names };
    each_statement(&rules.tests[test.0].body, &mut |statement| match &statement.node {
        StatementNode::Let(local, name, expr) => {
            names.locals.insert(*local, (name.clone(), expr.ty));
        }
        StatementNode::For(local, name, range, _) => {
            let ty = match range {
                ForRange::Between(low, _) => low.ty,
                ForRange::Chosen(choice, ..) => match rules.choices[choice.0].picks {
                    Picks::Order(units) => Type::Unit(units),
                    _ => Type::Number,
                },
            };
            names.locals.insert(*local, (name.clone(), ty));
        }
        StatementNode::Keep(pool, name, dice) => {
            names.pools.insert(*pool, (name.clone(), dice.ty));
        }
        _ => {}
    });
    names
}
