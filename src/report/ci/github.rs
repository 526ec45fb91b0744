//! Annotations as GitHub's runners take them from a program's output.
//!
//! In: checks, or what is wrong in a file. Out: a line each.
//!
//! **Source:** GitHub's documentation, "Workflow commands for GitHub Actions".
//!
//! **Never:** colours, printing.

use super::Where;
use crate::analyse::Ruling;
use crate::report::checks::Check;

/// GitHub shows no more annotations of one level for one step.
const SHOWN: usize = 10;

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    /// The run fails for it.
    Error,
    /// It does not.
    Warning,
}

impl Level {
    fn command(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }
}

/// One annotation, of a line in a file where one is given.
pub fn annotation(level: Level, place: Option<(String, usize)>, title: &str, message: &str) -> String {
    let place = place.map_or_else(String::new, |(file, line)| {
        let file = file.replace('\\', "/");
        format!("file={},line={line},", property(file.strip_prefix("./").unwrap_or(&file)))
    });
    format!("::{} {place}title={}::{}", level.command(), property(title), data(message))
}

/// What fails and what is undecided, each at its place; of more than are shown, the last says how many.
pub fn annotations(checks: &[Check], place: Where) -> Vec<String> {
    let of = |ruling: Ruling, level: Level| {
        let all: Vec<&Check> = checks.iter().filter(|check| check.ruling == ruling).collect();
        let shown = if all.len() > SHOWN { SHOWN - 1 } else { all.len() };
        let more = (shown < all.len()).then(|| {
            let rest = format!("{} more checks like these: see the summary.", all.len() - shown);
            annotation(level, None, "houserule", &rest)
        });
        let one = |check: &&Check| {
            let title = format!("{}: {}", check.sort.label(), check.name);
            annotation(level, check.place.map(place), &title, &check.text)
        };
        all[..shown].iter().map(one).chain(more).collect::<Vec<_>>()
    };
    [of(Ruling::Fails, Level::Error), of(Ruling::Undecided, Level::Warning)].concat()
}

/// A message: whatever would end its line is written by its number.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A property, which besides may not hold what ends it.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::checks::Sort;
    use crate::rules::Span;

    fn check(ruling: Ruling, place: Option<Span>) -> Check {
        let (name, text) = ("it is".to_owned(), "50 %\nof all".to_owned());
        Check { sort: Sort::Claim, name, ruling, text, place }
    }

    #[test]
    fn what_would_end_a_line_or_a_property_is_written_by_its_number() {
        let place = Some(("a,b:c%.toml".to_owned(), 7));
        assert_eq!(
            annotation(Level::Error, place, "claim 1: less,\r\nmuch", "50 % in a: 1,\r\n2 %0A"),
            "::error file=a%2Cb%3Ac%25.toml,line=7,title=claim 1%3A less%2C%0D%0Amuch::50 %25 in a: 1,%0D%0A2 %250A"
        );
    }

    #[test]
    fn files_are_named_from_the_top_of_the_repository() {
        let place = Some((r".\scenarios\a.toml".to_owned(), 1));
        let line = annotation(Level::Warning, place, "t", "m");
        assert_eq!(line, "::warning file=scenarios/a.toml,line=1,title=t::m");
        assert_eq!(annotation(Level::Error, None, "t", "m"), "::error title=t::m");
    }

    #[test]
    fn what_fails_is_an_error_what_is_undecided_a_warning_and_the_rest_is_quiet() {
        let span = Span::default();
        let checks =
            [Ruling::Undecided, Ruling::Holds, Ruling::Fails].map(|ruling| check(ruling, Some(span)));
        let lines = annotations(&checks, &|_| ("a.toml".to_owned(), 3));
        assert_eq!(
            lines,
            ["error", "warning"]
                .map(|level| format!("::{level} file=a.toml,line=3,title=claim%3A it is::50 %25%0Aof all"))
        );
    }

    #[test]
    fn no_more_are_made_than_are_shown_and_the_last_says_how_many() {
        let of = |number: usize| {
            let checks = vec![check(Ruling::Fails, None); number];
            annotations(&checks, &|_| unreachable!("no check has a place"))
        };
        assert_eq!((of(10).len(), of(11).len(), of(1000).len()), (10, 10, 10));
        assert_eq!(of(11)[9], "::error title=houserule::2 more checks like these: see the summary.");
        assert!(!of(10)[9].contains("more"));
    }
}
