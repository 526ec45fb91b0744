//! The summary's sentences as pieces of a page.
//!
//! In: the Markdown of a part of the summary. Out: headings, paragraphs, lists and tables, for a template to set.
//!
//! **Never:** a sentence of its own.

/// A piece of a page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Block {
    /// A heading below that of its section.
    Heading(Vec<Run>),
    /// A paragraph.
    Paragraph(Vec<Run>),
    /// Its entries.
    List(Vec<Vec<Run>>),
    /// Its heading and its rows; whether each column is of figures.
    Table(Vec<Vec<Run>>, Vec<Vec<Vec<Run>>>, Vec<bool>),
}

/// A run of text that is set alike.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Run {
    /// As the rest.
    Plain(String),
    /// Of weight.
    Strong(String),
    /// Quoted from the rules.
    Stressed(String),
    /// As users write it in files.
    Code(String),
}

/// A part of the page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Section {
    /// Its name within the page.
    pub(super) id: &'static str,
    /// Its heading; empty for the first paragraph.
    pub(super) title: String,
    /// What stands below.
    pub(super) blocks: Vec<Block>,
}

/// A part of the summary under a name; `None` where the summary has nothing to say.
pub(super) fn section(id: &'static str, markdown: &str) -> Option<Section> {
    let mut lines = markdown.lines().peekable();
    let title = lines.next_if(|line| line.starts_with("## ")).map_or("", |line| &line[3..]).to_owned();
    let mut blocks = Vec::new();
    while let Some(line) = lines.next() {
        if let Some(text) = line.strip_prefix("### ") {
            blocks.push(Block::Heading(runs(text)));
        } else if let Some(text) = line.strip_prefix("- ") {
            let mut entries = vec![runs(text)];
            while let Some(more) = lines.peek().and_then(|line| line.strip_prefix("- ")) {
                entries.push(runs(more));
                lines.next();
            }
            blocks.push(Block::List(entries));
        } else if line.starts_with("| ") {
            let mut rows = vec![line];
            while let Some(more) = lines.next_if(|line| line.starts_with('|')) {
                rows.push(more);
            }
            blocks.extend(table(&rows));
        } else if !line.trim().is_empty() {
            blocks.push(Block::Paragraph(runs(line)));
        }
    }
    (!blocks.is_empty()).then_some(Section { id, title, blocks })
}

/// A table from its lines: the heading, the line that says where columns end, rows.
fn table(lines: &[&str]) -> Option<Block> {
    let [heading, sides, rows @ ..] = lines else { return None };
    let figures = cells(sides).iter().map(|side| side.ends_with(':')).collect();
    let set = |line: &&str| cells(line).iter().map(|cell| runs(cell)).collect::<Vec<_>>();
    Some(Block::Table(set(heading), rows.iter().map(set).collect(), figures))
}

/// The cells of a line, in which `\|` stands for a bar.
fn cells(line: &str) -> Vec<String> {
    let (mut cells, mut cell, mut letters) = (Vec::new(), String::new(), line.chars().skip(1).peekable());
    while let Some(letter) = letters.next() {
        match letter {
            '\\' if letters.peek() == Some(&'|') => cell.extend(letters.next()),
            '|' => cells.push(std::mem::take(&mut cell).trim().to_owned()),
            _ => cell.push(letter),
        }
    }
    cells
}

/// What opens and closes a run, and what such a run is.
type Mark = (&'static str, fn(&str) -> Run);

/// The longer mark stands before the one that it begins with.
const MARKS: [Mark; 3] = [
    ("**", |text| Run::Strong(unescaped(text))),
    ("*", |text| Run::Stressed(unescaped(text))),
    ("`", |text| Run::Code(text.to_owned())),
];

/// The letter that is meant by a backslash and a sign; `None` where a text does not begin with these.
fn escaped(text: &str) -> Option<char> {
    text.strip_prefix('\\')?.chars().next().filter(char::is_ascii_punctuation)
}

/// A text without its backslashes.
fn unescaped(text: &str) -> String {
    let (mut plain, mut rest) = (String::new(), text);
    while let Some(letter) = rest.chars().next() {
        let meant = escaped(rest);
        plain.push(meant.unwrap_or(letter));
        rest = &rest[if meant.is_some() { 2 } else { letter.len_utf8() }..];
    }
    plain
}

/// A line as runs. A mark that nothing closes stands for itself.
fn runs(text: &str) -> Vec<Run> {
    let (mut found, mut plain, mut rest) = (Vec::new(), String::new(), text);
    while let Some(letter) = rest.chars().next() {
        if let Some(meant) = escaped(rest) {
            plain.push(meant);
            rest = &rest[2..];
            continue;
        }
        match marked(rest) {
            Some((run, behind)) => {
                found.extend(unmarked(&mut plain));
                found.push(run);
                rest = behind;
            }
            None => {
                plain.push(letter);
                rest = &rest[letter.len_utf8()..];
            }
        }
    }
    found.extend(unmarked(&mut plain));
    found
}

/// What stood before a mark, if anything; a number and its percent sign stay on one line.
fn unmarked(text: &mut String) -> Option<Run> {
    let text = std::mem::take(text);
    (!text.is_empty()).then(|| Run::Plain(text.replace(" %", "\u{a0}%")))
}

/// The run that begins here, and what follows it.
fn marked(text: &str) -> Option<(Run, &str)> {
    let (mark, sort) = MARKS.iter().find(|(mark, _)| text.starts_with(mark))?;
    let text = &text[mark.len()..];
    let end = end(text, mark)?;
    let (inside, behind) = (&text[..end], &text[end + mark.len()..]);
    (inside.trim() == inside && !inside.is_empty()).then(|| (sort(inside), behind))
}

/// Where a mark closes; in code a backslash is a letter like any other.
fn end(text: &str, mark: &str) -> Option<usize> {
    let mut at = 0;
    while let Some(letter) = text[at..].chars().next() {
        match mark != "`" && escaped(&text[at..]).is_some() {
            true => at += 2,
            false if text[at..].starts_with(mark) => return Some(at),
            false => at += letter.len_utf8(),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str) -> Run {
        Run::Plain(text.to_owned())
    }

    #[test]
    fn marks_become_runs() {
        let found = runs("**Holds.** The claim `a * b` of *Hold* holds.");
        let expected = [
            Run::Strong("Holds.".to_owned()),
            plain(" The claim "),
            Run::Code("a * b".to_owned()),
            plain(" of "),
            Run::Stressed("Hold".to_owned()),
            plain(" holds."),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_mark_that_nothing_closes_stands_for_itself() {
        assert_eq!(runs("2 * 3, and `so"), [plain("2 * 3, and `so")]);
        assert_eq!(runs("a * b * c"), [plain("a * b * c")]);
        assert_eq!(runs("é*"), [plain("é*")]);
    }

    #[test]
    fn what_is_escaped_is_no_mark() {
        assert_eq!(runs(r"2 \* 3 \*of\* \<b> a\b"), [plain(r"2 * 3 *of* <b> a\b")]);
        let found = runs(r"**\*Elite\*** in *a\*b*: `a\*b`");
        let expected = [
            Run::Strong("*Elite*".to_owned()),
            plain(" in "),
            Run::Stressed("a*b".to_owned()),
            plain(": "),
            Run::Code(r"a\*b".to_owned()),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_percent_sign_stays_with_its_number() {
        assert_eq!(runs("8.3 % against 16.7 %"), [plain("8.3\u{a0}% against 16.7\u{a0}%")]);
    }

    #[test]
    fn a_part_has_its_heading_and_its_pieces_in_order() {
        let text = "## Much\n\nOne.\n\n- a\n- b\n\n### Less\n\n| x | y |\n| --- | ---: |\n| a\\|b | 1 |\n";
        let found = section("much", text).unwrap();
        assert_eq!((found.id, found.title.as_str()), ("much", "Much"));
        let table = Block::Table(
            vec![vec![plain("x")], vec![plain("y")]],
            vec![vec![vec![plain("a|b")], vec![plain("1")]]],
            vec![false, true],
        );
        let expected = [
            Block::Paragraph(vec![plain("One.")]),
            Block::List(vec![vec![plain("a")], vec![plain("b")]]),
            Block::Heading(vec![plain("Less")]),
            table,
        ];
        assert_eq!(found.blocks, expected);
    }

    #[test]
    fn where_nothing_is_said_there_is_no_section() {
        assert_eq!(section("none", ""), None);
    }
}
