//! Long steps over several lines: broken behind commas and before `and` and `or`, where a line may go on.

/// A line longer than this is broken where it can be.
const WIDTH: usize = 110;

/// The text, standing `indent` columns in, as lines; those that go on stand eight columns further in.
pub(super) fn wrapped(text: &str, indent: usize) -> String {
    if indent + text.chars().count() <= WIDTH {
        return text.to_owned();
    }
    let mut lines = String::new();
    let mut column = indent;
    for part in parts(text) {
        let width = part.trim_end().chars().count();
        if column > indent && column + width > WIDTH {
            lines.truncate(lines.trim_end().len());
            lines += &format!("\n{:indent$}", "", indent = indent + 8);
            column = indent + 8;
        }
        lines += part;
        column += part.chars().count();
    }
    lines
}

/// The text cut where a line may end: never inside quotes.
fn parts(text: &str) -> Vec<&str> {
    let (mut parts, mut start, mut quoted) = (Vec::new(), 0, false);
    for (at, letter) in text.char_indices() {
        quoted ^= letter == '"';
        let rest = &text[at..];
        let cut = match () {
            () if quoted => None,
            () if rest.starts_with(", ") => Some(at + 2),
            () if rest.starts_with(" and ") || rest.starts_with(" or ") => Some(at + 1),
            () => None,
        };
        if let Some(cut) = cut {
            parts.push(&text[start..cut]);
            start = cut;
        }
    }
    parts.push(&text[start..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_long_lines_are_broken_and_only_where_they_may_go_on() {
        assert_eq!(wrapped("let a = b", 4), "let a = b");
        let long = format!("return test with {}", ["factor = 1234567890"; 9].join(", "));
        let lines = wrapped(&long, 4);
        assert!(lines.lines().count() > 1 && lines.lines().all(|line| line.len() <= WIDTH), "{lines}");
        assert!(lines.lines().rev().skip(1).all(|line| line.ends_with(',')), "{lines}");
        assert_eq!(lines.split_whitespace().collect::<Vec<_>>(), long.split_whitespace().collect::<Vec<_>>());
        let quoted = format!("record x = \"{}\"", "a, b and c ".repeat(20));
        assert_eq!(wrapped(&quoted, 0), quoted);
    }
}
