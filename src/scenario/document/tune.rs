//! `[tune]`: which factors are varied, and what they are to bring about.

use super::factors::varied;
use super::{ClaimText, GridText, claim};
use crate::diagnostic::{Diagnostic, Diagnostics, Span};
use crate::scenario::keys::{Entry, Keys, table, wrong_sort};
use crate::scenario::tree::{Placed, Value};

/// The table `[tune]`.
#[derive(Debug)]
pub(in crate::scenario) struct TuneText {
    pub(in crate::scenario) variant: Option<Placed<String>>,
    pub(in crate::scenario) vary: Vec<GridText>,
    pub(in crate::scenario) targets: Vec<ClaimText>,
    pub(in crate::scenario) span: Span,
}

/// The table, if it is there.
pub(super) fn tune(entry: Option<Entry>, found: &mut Diagnostics) -> Option<TuneText> {
    let table = table(entry?, found)?;
    let span = table.span;
    let mut keys = Keys::new("`[tune]`", table);
    let variant = keys.text("variant", found);
    let vary = keys.take("vary").map(|entry| varied(entry, found));
    let targets = keys.take("target").map(|entry| targets(entry, found));
    keys.finish(found);
    for (key, missing, remedy) in [
        ("vary", vary.is_none(), "say which factors are varied: vary = { penalty = \"0..3\" }"),
        ("target", targets.is_none(), "say what is wanted: target = [\"P(break) <= 25%\"]"),
    ] {
        if missing {
            let message = format!("`[tune]` lacks `{key}`");
            found.push(Diagnostic::error(span, message, "here").remedy(remedy));
        }
    }
    Some(TuneText { variant, vary: vary?, targets: targets?, span })
}

/// A list of sentences, or of tables as under `[[claim]]`.
fn targets((key, value): Entry, found: &mut Diagnostics) -> Vec<ClaimText> {
    let remedy = "write target = [\"P(break) <= 25%\"], or [{ holds = \"...\", where = \"...\" }]";
    let items = match value.value {
        Value::List(items) => items,
        Value::Text(_) => vec![value],
        _ => {
            wrong_sort(&(key, value), "a list of sentences", remedy, found);
            return Vec::new();
        }
    };
    let one = |item: Placed<Value>| match item.value {
        Value::Text(holds) => {
            let holds = Some(Placed { value: holds, span: item.span });
            Some(ClaimText { text: None, filter: None, holds, average: false, span: item.span })
        }
        Value::Table(table) => {
            let mut keys = Keys::new("a target", Placed { value: table, span: item.span });
            let target = claim(&mut keys, item.span, found);
            keys.finish(found);
            Some(target)
        }
        _ => {
            wrong_sort(&(key.clone(), item), "a list of sentences", remedy, found);
            None
        }
    };
    items.into_iter().filter_map(one).collect()
}
