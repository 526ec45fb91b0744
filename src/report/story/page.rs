//! Lines under headings, indented. A heading is written only once there is something to say below it.
//!
//! **Never:** what a line is about.

/// How wide a line may be.
const WIDTH: usize = 80;

#[derive(Default)]
pub(super) struct Page {
    text: String,
    /// What is open, outermost first.
    open: Vec<Part>,
}

struct Part {
    /// As long as it is not written.
    heading: Option<String>,
    /// Whether what stands in it is indented.
    indents: bool,
}

impl Page {
    /// What was written.
    pub(super) fn text(self) -> String {
        self.text
    }

    /// Opens a part. Without a heading, the line before stands for one.
    pub(super) fn open(&mut self, heading: Option<String>, indents: bool) {
        self.open.push(Part { heading, indents });
    }

    /// Closes what was opened last.
    pub(super) fn close(&mut self) {
        self.open.pop();
    }

    /// Whether nothing was said yet in what was opened last.
    pub(super) fn is_silent(&self) -> bool {
        self.open.last().is_some_and(|part| part.heading.is_some())
    }

    /// Closes everything that is open.
    pub(super) fn close_all(&mut self) {
        self.open.clear();
    }

    /// Closes what was opened last with what it comes to: as its last line, or in the heading where nothing was said below that.
    pub(super) fn close_with(&mut self, verb: &str, value: &str) {
        match self.open.last_mut().and_then(|part| part.heading.take()) {
            Some(heading) => {
                self.close();
                self.say(&format!("{heading} {value}"));
            }
            None => {
                self.say(&format!("{verb} {value}"));
                self.close();
            }
        }
    }

    /// A line.
    pub(super) fn say(&mut self, line: &str) {
        let mut depth = 0;
        for part in &mut self.open {
            if let Some(heading) = part.heading.take() {
                self.text += &format!("{:depth$}{heading}\n", "");
            }
            depth += 2 * usize::from(part.indents);
        }
        self.text += &format!("{:depth$}{line}\n", "");
    }

    /// A line with its place in the rules at the right, or below where there is no room.
    pub(super) fn say_from(&mut self, line: &str, place: &str) {
        let width = self.width();
        let room = width.saturating_sub(line.chars().count() + 2);
        if place.chars().count() <= room {
            self.say(&format!("{line}  {place:>room$}"));
        } else {
            self.say(line);
            self.say(&format!("{place:>width$}"));
        }
    }

    /// A line of several parts, gone on below where there is no room; with a place as [`Page::say_from`].
    pub(super) fn say_list(&mut self, start: &str, parts: &[String], comma: &str, place: Option<&str>) {
        let mut lines = wrapped(start, parts, comma, self.width());
        let last = lines.pop().unwrap_or_default();
        lines.iter().for_each(|line| self.say(line));
        match place {
            Some(place) => self.say_from(&last, place),
            None => self.say(&last),
        }
    }

    /// Whether a line fits here with so many letters behind it.
    pub(super) fn has_room(&self, line: &str, behind: usize) -> bool {
        line.chars().count() + behind < self.width()
    }

    fn width(&self) -> usize {
        let depth = 2 * self.open.iter().filter(|part| part.indents).count();
        WIDTH.saturating_sub(depth)
    }
}

/// The parts with commas between them, in lines of at most `width` letters; all but the first are indented.
fn wrapped(start: &str, parts: &[String], comma: &str, width: usize) -> Vec<String> {
    let mut lines = vec![start.to_owned()];
    for (number, part) in parts.iter().enumerate() {
        let comma = if number + 1 < parts.len() { comma } else { "" };
        let Some(line) = lines.last_mut() else { break };
        let space = if line.is_empty() || line.ends_with(' ') { "" } else { " " };
        let length =
            [line.as_str(), space, part, comma].iter().map(|text| text.chars().count()).sum::<usize>();
        match number == 0 || length <= width {
            true => *line += &format!("{space}{part}{comma}"),
            false => lines.push(format!("  {part}{comma}")),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_wait_for_something_to_say() {
        let mut page = Page::default();
        page.open(Some("outer:".to_owned()), true);
        page.open(Some("silent:".to_owned()), true);
        page.close();
        page.open(Some("short:".to_owned()), true);
        page.close_with("it gives:", "3");
        page.open(Some("again (2):".to_owned()), false);
        page.say("a line");
        page.close();
        page.close_with("it gives:", "4");
        assert_eq!(page.text(), "outer:\n  short: 3\n  again (2):\n  a line\n  it gives: 4\n");
    }

    #[test]
    fn lists_go_on_below() {
        let parts: Vec<String> = (100..104).map(|number| number.to_string()).collect();
        assert_eq!(wrapped("dice: ", &parts, ",", 15), ["dice: 100, 101,", "  102, 103"]);
        assert_eq!(wrapped("", &[], ",", 15), [""]);
        assert_eq!(wrapped("a word too long: ", &parts[..2], "", 9), ["a word too long: 100", "  101"]);
    }
}
