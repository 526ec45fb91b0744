//! Factors and their values, as variants, the grid and expectations write them.

use super::{GridText, GridValues, Setting};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::scenario::keys::{Entry, table, text, wrong_sort};
use crate::scenario::tree::{Placed, Table, Value};

/// A table of factors and values.
pub(super) fn settings(entry: Entry, found: &mut Diagnostics) -> Vec<Setting> {
    let Some(table) = table(entry, found) else { return Vec::new() };
    let mut settings = Vec::new();
    for (factor, value) in of_units(table.value) {
        if let Some(value) = one_value(&factor, value, found) {
            settings.push(Setting { factor, value });
        }
    }
    settings
}

/// `attacker.stamina = 3` without quotes is a table in TOML; here it is the factor of a unit, as with quotes.
fn of_units(table: Table) -> Vec<Entry> {
    let mut entries = Vec::new();
    for (unit, value) in table {
        match value.value {
            Value::Table(own) if !own.is_empty() => {
                let name = |own: Placed<String>| {
                    let value = format!("{}.{}", unit.value, own.value);
                    Placed { value, span: unit.span.to(own.span) }
                };
                entries.extend(own.into_iter().map(|(own, value)| (name(own), value)));
            }
            _ => entries.push((unit, value)),
        }
    }
    entries
}

/// The name of a single value.
fn one_value(
    factor: &Placed<String>,
    value: Placed<Value>,
    found: &mut Diagnostics,
) -> Option<Placed<String>> {
    let name = match value.value {
        Value::Text(name) => name,
        Value::Whole(number) => number.to_string(),
        Value::Flag(flag) => if flag { "yes" } else { "no" }.to_owned(),
        _ => {
            let remedy = "write a name in quotes, a whole number, `true` or `false`";
            wrong_sort(&(factor.clone(), value), "a single value", remedy, found);
            return None;
        }
    };
    Some(Placed { value: name, span: value.span })
}

/// Factors, each with what it goes through.
pub(super) fn varied(entry: Entry, found: &mut Diagnostics) -> Vec<GridText> {
    let factors = table(entry, found).map_or_else(Vec::new, |table| of_units(table.value));
    let one = |(factor, value): Entry| GridText { values: grid_values(&factor, value, found), factor };
    factors.into_iter().map(one).collect()
}

pub(super) fn grid(entry: Option<Entry>, found: &mut Diagnostics) -> (Vec<GridText>, Option<Placed<String>>) {
    let Some(table) = entry.and_then(|entry| table(entry, found)) else { return (Vec::new(), None) };
    let mut keys = Vec::new();
    let mut filter = None;
    for (factor, value) in of_units(table.value) {
        if factor.value == "where" {
            filter = text((factor, value), found);
        } else {
            let values = grid_values(&factor, value, found);
            keys.push(GridText { factor, values });
        }
    }
    (keys, filter)
}

fn grid_values(factor: &Placed<String>, value: Placed<Value>, found: &mut Diagnostics) -> GridValues {
    match value.value {
        Value::Text(set) => GridValues::Set(Placed { value: set, span: value.span }),
        Value::List(items) => list(factor, Placed { value: items, span: value.span }, found),
        Value::Whole(_) | Value::Flag(_) => {
            one_value(factor, value, found).map_or(GridValues::Broken, |value| GridValues::List(vec![value]))
        }
        _ => {
            let remedy = "write a value, a list as in [\"a\", \"b\"], or a set in quotes as in \"0..4\"";
            wrong_sort(&(factor.clone(), value), "what the factor goes through", remedy, found);
            GridValues::Broken
        }
    }
}

fn list(factor: &Placed<String>, items: Placed<Vec<Placed<Value>>>, found: &mut Diagnostics) -> GridValues {
    if items.value.is_empty() {
        let message = format!("`{}` goes through no value at all", factor.value);
        let diagnostic = Diagnostic::error(items.span, message, "this list is empty");
        found.push(diagnostic.remedy("name its values, or take the line out to play with its default"));
        return GridValues::Broken;
    }
    let count = items.value.len();
    let names: Vec<_> = items.value.into_iter().filter_map(|item| one_value(factor, item, found)).collect();
    if names.len() == count { GridValues::List(names) } else { GridValues::Broken }
}
