//! Takes the keys of a table one by one, and complains of those that nobody took.
//!
//! In: a [`Table`]. Out: values of the sort that was asked for, or a diagnostic.
//!
//! **Never:** the keys of any table by name.

use super::tree::{Placed, Table, Value};
use crate::diagnostic::{Diagnostic, Diagnostics, Span};

/// A key and its value.
pub(super) type Entry = (Placed<String>, Placed<Value>);

/// The keys of one table that are not yet read.
pub(super) struct Keys {
    left: Table,
    asked: Vec<&'static str>,
    /// What the table is called in messages: "a scenario", "`[[claim]]`".
    name: &'static str,
    /// Where a missing key is shown.
    span: Span,
}

impl Keys {
    /// All keys of a table.
    pub(super) fn new(name: &'static str, table: Placed<Table>) -> Self {
        Self { left: table.value, asked: Vec::new(), name, span: table.span }
    }

    /// The key of that name, if it is there.
    pub(super) fn take(&mut self, key: &'static str) -> Option<Entry> {
        self.asked.push(key);
        let at = self.left.iter().position(|(name, _)| name.value == key)?;
        Some(self.left.remove(at))
    }

    /// A text under that key.
    pub(super) fn text(&mut self, key: &'static str, found: &mut Diagnostics) -> Option<Placed<String>> {
        self.take(key).and_then(|entry| text(entry, found))
    }

    /// A text under that key, which must be there.
    pub(super) fn needed_text(
        &mut self,
        key: &'static str,
        found: &mut Diagnostics,
    ) -> Option<Placed<String>> {
        if self.left.iter().all(|(name, _)| name.value != key) {
            let message = format!("{} lacks `{key}`", self.name);
            let remedy = format!("add a line: {key} = \"...\"");
            found.push(Diagnostic::error(self.span, message, "here").remedy(remedy));
        }
        self.text(key, found)
    }

    /// Complains of the keys that are left.
    pub(super) fn finish(self, found: &mut Diagnostics) {
        for (key, _) in &self.left {
            let message = format!("`{}` is not a key of {}", key.value, self.name);
            let diagnostic = Diagnostic::error(key.span, message, "not known here");
            found.push(diagnostic.did_you_mean(&key.value, self.asked.iter().copied()));
        }
    }
}

/// Complains of a value of the wrong sort.
pub(super) fn wrong_sort((key, value): &Entry, wanted: &str, remedy: &str, found: &mut Diagnostics) {
    let message = format!("`{}` is {wanted}, but here stands {}", key.value, value.value.sort());
    found.push(Diagnostic::error(value.span, message, "this").remedy(remedy));
}

/// The value as a text.
pub(super) fn text(entry: Entry, found: &mut Diagnostics) -> Option<Placed<String>> {
    if let Value::Text(value) = entry.1.value {
        if value.contains(|letter: char| letter.is_control() && !letter.is_whitespace()) {
            let message = format!("`{}` has a character that cannot be shown", entry.0.value);
            let diagnostic = Diagnostic::error(entry.1.span, message, "a control character is in here");
            found.push(diagnostic.remedy("take it out; it may stand there as an escape such as \\u001b"));
        }
        return Some(Placed { value, span: entry.1.span });
    }
    wrong_sort(&entry, "a text", &format!("write {} = \"...\"", entry.0.value), found);
    None
}

/// The value as a table.
pub(super) fn table(entry: Entry, found: &mut Diagnostics) -> Option<Placed<Table>> {
    if let Value::Table(value) = entry.1.value {
        return Some(Placed { value, span: entry.1.span });
    }
    wrong_sort(&entry, "a table", &format!("write [{0}], or {0} = {{ ... }}", entry.0.value), found);
    None
}

/// The value as a list of tables, each with its place.
pub(super) fn tables(entry: Entry, found: &mut Diagnostics) -> Vec<Placed<Table>> {
    let (key, Placed { value, span }) = entry;
    let Value::List(items) = value else {
        let remedy = format!("write [[{0}]] with two pairs of brackets: there may be several", key.value);
        wrong_sort(&(key, Placed { value, span }), "a list of tables", &remedy, found);
        return Vec::new();
    };
    items.into_iter().filter_map(|item| table((key.clone(), item), found)).collect()
}

/// The value as a whole number from `low` to `high`.
pub(super) fn whole(entry: Entry, low: u64, high: u64, found: &mut Diagnostics) -> Option<u64> {
    let (key, value) = &entry;
    let Value::Whole(number) = value.value else {
        let remedy = format!("write it in digits: {} = {low}; `_` may part them, as in 1_000_000", key.value);
        wrong_sort(&entry, "a whole number", &remedy, found);
        return None;
    };
    let number = u64::try_from(number).ok().filter(|number| (low..=high).contains(number));
    if number.is_none() {
        let message = format!("`{}` is a whole number from {low} to {high}", key.value);
        found.push(
            Diagnostic::error(value.span, message, "outside that").remedy("write a number from that range"),
        );
    }
    number
}

/// The value as `true` or `false`.
pub(super) fn flag(entry: &Entry, found: &mut Diagnostics) -> Option<bool> {
    if let Value::Flag(flag) = entry.1.value {
        return Some(flag);
    }
    wrong_sort(entry, "`true` or `false`", "write it without quotes", found);
    None
}
