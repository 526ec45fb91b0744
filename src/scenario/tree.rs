//! The door to TOML: text becomes a tree in the file's order, with the place of everything.
//!
//! In: a file among [`Sources`]. Out: a [`Table`], and every place where the text is not TOML. Numbers with a point stay
//! text, so that a probability is read exactly.
//!
//! **Never:** what any key means.

use crate::diagnostic::{Diagnostic, Diagnostics, FileId, Sources, Span};
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeInteger, DeTable, DeValue};

/// Something and where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Placed<T> {
    /// What.
    pub(super) value: T,
    /// Where; of a string, with its quotes.
    pub(super) span: Span,
}

/// A value as TOML knows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Value {
    /// `"text"`
    Text(String),
    /// `3`
    Whole(i64),
    /// `0.3`, as it is written.
    Decimal(String),
    /// `true` or `false`
    Flag(bool),
    /// `1815-06-18`, which no key of a scenario takes.
    Date,
    /// `[1, 2]`, and the tables of `[[name]]`.
    List(Vec<Placed<Value>>),
    /// `{ a = 1 }`, and what stands under `[name]`.
    Table(Table),
}

/// Keys and their values, in the file's order.
pub(super) type Table = Vec<(Placed<String>, Placed<Value>)>;

/// So many places where a text is not TOML are named.
const SHOWN: usize = 20;

/// More bytes than a person writes: at the length of a line of this text, a thousand lines.
const LONGEST: usize = 1 << 17;

/// The file as a tree, and whether all of it was TOML; what was not is left out of the tree.
pub(super) fn read(file: FileId, sources: &Sources, found: &mut Diagnostics) -> (Table, bool) {
    let text = &sources.get(file).text;
    if text.len() > LONGEST {
        let message = format!("no scenario needs more than {} KiB", LONGEST >> 10);
        let diagnostic = Diagnostic::error(Span::new(file, 0, 0), message, "this one is longer");
        found.push(diagnostic.remedy("check that this is the right file"));
        return (Table::new(), false);
    }
    let (table, errors) = DeTable::parse_recoverable(text);
    for error in errors.iter().take(SHOWN) {
        let at = error.span().unwrap_or_default();
        let at = text.floor_char_boundary(at.start)..text.ceil_char_boundary(at.end);
        let (place, reason, remedy) = slip(text, at.clone(), error.message()).unwrap_or_else(|| {
            let remedy = "a line is `key = value`, `[table]` or `# a remark`; a text stands in quotes";
            (at, format!("this is not TOML: {}", error.message()), remedy.to_owned())
        });
        let place = Span::new(file, place.start, place.end);
        found.push(Diagnostic::error(place, reason, "here").remedy(remedy));
    }
    if errors.len() > SHOWN {
        let more = format!("{} more places are not TOML", errors.len() - SHOWN);
        found.push(Diagnostic::without_place(more).remedy("check that this is the right file"));
    }
    let table = convert_table(table.into_inner(), file, found);
    (table, errors.is_empty())
}

/// The quote of a string that does not end in its line, if that is what the TOML reader complains of.
fn open_quote(message: &str) -> Option<char> {
    match message {
        "invalid basic string, expected `\"`" => Some('"'),
        "invalid literal string, expected `'`" => Some('\''),
        _ => None,
    }
}

/// The slip that a person made where the TOML reader stumbles: its place, the reason and the remedy.
fn slip(text: &str, at: Range<usize>, message: &str) -> Option<(Range<usize>, String, String)> {
    let word = word(text, at.start);
    let written = &text[word.clone()];
    let bare = ["must be quoted", "invalid float, expected `", "invalid boolean"];
    let (place, reason, remedy) = match (written, open_quote(message)) {
        (_, Some(quote)) => {
            // The reader gives up where the line ends; what is wrong begins at the quote.
            let start = text[..at.start].rfind(quote).unwrap_or(at.start);
            let reason = "the quotes of this string are not closed";
            (start..at.end, reason, "end it with the same quote, on the same line")
        }
        _ if message == "duplicate key" => (at, "this key stands here twice", "keep one of the two"),
        _ if message.contains("recurs") => {
            (at, "brackets are nested too deep", "no scenario needs more than three levels")
        }
        _ if written.contains(['“', '”', '„', '‘', '’']) => {
            (at, "the quotes of this text are curly", "write straight ones: \"...\"")
        }
        ("no" | "false", _) => (word, "a flag is written otherwise here", "write `false`"),
        ("yes" | "true", _) => (word, "a flag is written otherwise here", "write `true`"),
        _ if written.contains("..") || written.ends_with('+') => return Some(bare_range(text, word)),
        _ if bare.iter().any(|known| message.contains(known)) => {
            (at, "a text stands here without quotes", "write it between quotes: \"...\"")
        }
        _ => return None,
    };
    Some((place, reason.to_owned(), remedy.to_owned()))
}

/// What to say of `hits = 0..3`.
fn bare_range(text: &str, place: Range<usize>) -> (Range<usize>, String, String) {
    let written = &text[place.clone()];
    let before = text[..place.start].rsplit(['\n', '{', ',']).next().unwrap_or_default().trim_start();
    let remedy = match before.trim_end().ends_with('=') {
        true => format!("write {before}\"{written}\""),
        false => format!("write \"{written}\" alone, without brackets"),
    };
    (place, "a range stands in quotes".to_owned(), remedy)
}

/// What stands around a place without blanks, brackets, commas, signs or straight quotes in between.
fn word(text: &str, at: usize) -> Range<usize> {
    let inside = |letter: char| !letter.is_whitespace() && !"[]{},=#\"'".contains(letter);
    text[..at].trim_end_matches(inside).len()..text.len() - text[at..].trim_start_matches(inside).len()
}

fn convert_table(table: DeTable<'_>, file: FileId, found: &mut Diagnostics) -> Table {
    let place = |range: Range<usize>| Span::new(file, range.start, range.end);
    let mut entries = Table::new();
    for (key, value) in table {
        let key = Placed { span: place(key.span()), value: key.into_inner().into_owned() };
        entries.push((key, convert(value, file, found)));
    }
    entries
}

fn convert(value: Spanned<DeValue<'_>>, file: FileId, found: &mut Diagnostics) -> Placed<Value> {
    let span = Span::new(file, value.span().start, value.span().end);
    let value = match value.into_inner() {
        DeValue::String(text) => Value::Text(text.into_owned()),
        DeValue::Integer(number) => Value::Whole(whole(&number, span, found)),
        DeValue::Float(number) => Value::Decimal(number.as_str().to_owned()),
        DeValue::Boolean(flag) => Value::Flag(flag),
        DeValue::Datetime(_) => Value::Date,
        DeValue::Array(items) => {
            Value::List(items.into_iter().map(|item| convert(item, file, found)).collect())
        }
        DeValue::Table(table) => Value::Table(convert_table(table, file, found)),
    };
    Placed { value, span }
}

fn whole(number: &DeInteger<'_>, span: Span, found: &mut Diagnostics) -> i64 {
    i64::from_str_radix(number.as_str(), number.radix()).unwrap_or_else(|_| {
        let message = "this number has too many digits";
        found.push(Diagnostic::error(span, message, "here").remedy("write at most 18 digits"));
        1
    })
}

impl Value {
    /// What it is, in a message.
    pub(super) fn sort(&self) -> &'static str {
        match self {
            Self::Text(_) => "a text",
            Self::Whole(_) => "a whole number",
            Self::Decimal(_) => "a number with a point",
            Self::Flag(_) => "`true` or `false`",
            Self::Date => "a date",
            Self::List(_) => "a list",
            Self::Table(_) => "a table",
        }
    }
}

/// The place of a string's text between its quotes, if it stands there letter by letter, without escapes; what a command
/// line says has no quotes.
pub(super) fn inside(text: &Placed<String>, sources: &Sources) -> Option<Span> {
    let raw = sources.text(text.span);
    if raw == text.value {
        return Some(text.span);
    }
    let quotes = if raw.starts_with("\"\"\"") || raw.starts_with("'''") { 3 } else { 1 };
    let between = raw.get(quotes..raw.len().checked_sub(quotes)?)?;
    let trimmed = between.strip_prefix("\r\n").or(between.strip_prefix('\n'));
    let between = if quotes == 3 { trimmed.unwrap_or(between) } else { between };
    if between != text.value {
        return None;
    }
    let end = text.span.end as usize - quotes;
    Some(Span::new(text.span.file, end - between.len(), end))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_text(text: &str) -> (Table, Vec<Diagnostic>, Sources) {
        let (mut sources, mut found) = (Sources::default(), Diagnostics::default());
        let file = sources.add("a.toml", text);
        let (table, _) = read(file, &sources, &mut found);
        (table, found.into_iter().collect(), sources)
    }

    #[test]
    fn keys_stay_in_order_and_every_value_knows_its_place() {
        let (table, found, sources) = read_text("b = 1\na = 'x'\n[t]\nz = 0.30\ny = [true]\n");
        assert_eq!(found, []);
        let keys: Vec<&str> = table.iter().map(|(key, _)| key.value.as_str()).collect();
        assert_eq!(keys, ["b", "a", "t"]);
        assert_eq!(sources.text(table[1].1.span), "'x'");
        let Value::Table(inner) = &table[2].1.value else { panic!("a table") };
        assert_eq!(inner[0].1.value, Value::Decimal("0.30".into()));
        assert_eq!(sources.text(table[2].0.span), "t");
        assert_eq!(sources.text(table[2].1.span), "[t]");
    }

    #[test]
    fn a_text_in_plain_quotes_has_a_place_and_one_with_escapes_has_none() {
        let (table, _, sources) = read_text("a = \"x is 3\"\nb = \"x\\u0020is 3\"\nc = '''\nx is 3'''\n");
        let place = |at: usize| {
            let Value::Text(text) = &table[at].1.value else { panic!("a text") };
            let inside = inside(&Placed { value: text.clone(), span: table[at].1.span }, &sources);
            inside.map(|span| (span.start, sources.text(span)))
        };
        assert_eq!(place(0), Some((5, "x is 3")));
        assert_eq!(place(1), None);
        assert_eq!(place(2), Some((39, "x is 3")));
    }

    #[test]
    fn several_slips_are_named_in_one_reading() {
        let (_, found, sources) = read_text("test = break_test\ntest = \"x\"\n= 3\nz = \"open\n");
        let seen: Vec<_> =
            found.iter().map(|one| (one.message.as_str(), sources.line(one.labels[0].0))).collect();
        let slips = [
            ("a text stands here without quotes", 1),
            ("this key stands here twice", 2),
            ("this is not TOML: unquoted keys cannot be empty, expected letters, numbers, `-`, `_`", 3),
            ("the quotes of this string are not closed", 4),
        ];
        assert_eq!(seen, slips);
        assert_eq!(sources.text(found[3].labels[0].0), "\"open");
    }

    #[test]
    fn what_people_write_without_quotes_is_recognised() {
        let seen = |text: &str| {
            let (_, found, sources) = read_text(text);
            let told = |one: &Diagnostic| {
                format!("{}: {}: {}", sources.text(one.labels[0].0), one.message, one.remedies.join("; "))
            };
            found.iter().map(told).collect::<Vec<_>>()
        };
        let range = |set: &str, line: &str| format!("{set}: a range stands in quotes: write {line}");
        assert_eq!(seen("hits = 0..3"), [range("0..3", "hits = \"0..3\"")]);
        assert_eq!(seen("a = 1\nwith = { x = 1, hits = 4+ }"), [range("4+", "hits = \"4+\"")]);
        assert_eq!(seen("hits = [..3]"), [range("..3", "\"..3\" alone, without brackets")]);
        let flag =
            |word: &str, right: &str| format!("{word}: a flag is written otherwise here: write `{right}`");
        assert_eq!(seen("shaken = [no, yes]"), [flag("no", "false"), flag("yes", "true")]);
        let bare = |word: &str| {
            format!("{word}: a text stands here without quotes: write it between quotes: \"...\"")
        };
        assert_eq!(seen("a = [foot, infantry, nobody]"), ["foot", "infantry", "nobody"].map(bare));
        let curly = "the quotes of this text are curly: write straight ones: \"...\"";
        assert_eq!(seen("a = “A case”\nb = [‘x’]"), [format!("“A case”: {curly}"), format!("‘x’: {curly}")]);
    }

    #[test]
    fn a_thousand_brackets_are_refused_in_words() {
        let (_, found, _) = read_text(&format!("a = {}", "[".repeat(1000)));
        assert_eq!(found[0].message, "brackets are nested too deep");
    }

    #[test]
    fn a_number_of_thirty_digits_is_refused() {
        let (_, found, sources) = read_text("seed = 123456789012345678901234567890");
        assert_eq!(found[0].message, "this number has too many digits");
        assert_eq!(sources.text(found[0].labels[0].0), "123456789012345678901234567890");
    }
}
