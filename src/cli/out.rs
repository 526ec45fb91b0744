//! Standard output, whose reader may leave early.

use crate::report::terminal::Look;
use std::ffi::OsString;
use std::io::{ErrorKind, IsTerminal, Result, Write};

/// How wide text is at most, and where nothing says how wide it may be.
const WIDTH: u16 = 80;

/// How wide text is at least, whatever a variable says.
const NARROW: u16 = 40;

/// Standard output; once its reader has left (`houserule ... | head`), the rest is dropped without an error.
pub(super) struct Out {
    to: Box<dyn Write>,
    closed: bool,
}

impl Out {
    /// The program's own.
    pub(super) fn stdout() -> Self {
        Self { to: Box::new(std::io::stdout()), closed: false }
    }

    /// Standard error, for what is said where standard output holds something to be pasted.
    pub(super) fn stderr() -> Self {
        Self { to: Box::new(std::io::stderr()), closed: false }
    }

    /// Whether nobody reads any more.
    pub(super) fn is_closed(&self) -> bool {
        self.closed
    }

    /// Whether colours can be shown and are wanted.
    pub(super) fn is_colourful(&self) -> bool {
        wants_colour(std::io::stdout().is_terminal())
    }

    /// What a table must fit.
    pub(super) fn look(&self) -> Look {
        let known = std::io::stdout().is_terminal().then(|| columns(&console::Term::stdout()));
        let width = known.flatten().or_else(|| said(std::env::var("COLUMNS").ok()?.trim()));
        let width = width.unwrap_or(WIDTH).min(WIDTH);
        Look { width: width.into(), colour: self.is_colourful() }
    }

    /// Turns "the reader has left" into `instead`.
    fn swallow<T>(&mut self, result: Result<T>, instead: T) -> Result<T> {
        match result {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                self.closed = true;
                Ok(instead)
            }
            other => other,
        }
    }
}

impl Write for Out {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        if self.closed {
            return Ok(bytes.len());
        }
        let result = self.to.write(bytes);
        self.swallow(result, bytes.len())
    }

    fn flush(&mut self) -> Result<()> {
        let result = self.to.flush();
        self.swallow(result, ())
    }
}

/// How many columns a terminal has; `None` where it does not say.
fn columns(terminal: &console::Term) -> Option<u16> {
    terminal.size_checked().map(|(_, columns)| columns)
}

/// How many columns the terminal of standard error has.
pub(super) fn columns_of_stderr() -> u16 {
    columns(&console::Term::stderr()).unwrap_or(WIDTH)
}

/// The width that `COLUMNS` asks for; `None` where that is no number of columns.
fn said(columns: &str) -> Option<u16> {
    columns.parse().ok().filter(|columns| *columns > 0).map(|columns: u16| columns.max(NARROW))
}

/// Whether colours belong where text goes to a terminal, or does not.
///
/// **Source:** <https://no-color.org>, <https://bixense.com/clicolors>.
pub(super) fn wants_colour(is_terminal: bool) -> bool {
    colour(is_terminal, |name| std::env::var_os(name))
}

fn colour(is_terminal: bool, variable: impl Fn(&str) -> Option<OsString>) -> bool {
    let is = |name: &str, value: &str| variable(name).is_some_and(|found| found == value);
    let is_set = |name: &str| variable(name).is_some_and(|found| !found.is_empty());
    let forced = is_set("CLICOLOR_FORCE") && !is("CLICOLOR_FORCE", "0");
    let possible = is_terminal && !is("TERM", "dumb") && !is("CLICOLOR", "0");
    !is_set("NO_COLOR") && (forced || possible)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Gone(ErrorKind);

    impl Write for Gone {
        fn write(&mut self, _: &[u8]) -> Result<usize> {
            Err(self.0.into())
        }
        fn flush(&mut self) -> Result<()> {
            Err(self.0.into())
        }
    }

    fn out(kind: ErrorKind) -> Out {
        Out { to: Box::new(Gone(kind)), closed: false }
    }

    #[test]
    fn a_reader_that_left_is_no_error() {
        let mut out = out(ErrorKind::BrokenPipe);
        assert!(!out.is_closed());
        assert!(writeln!(out, "a long table").is_ok());
        assert!(out.is_closed());
        assert!(out.flush().is_ok());
    }

    #[test]
    fn colours_are_for_terminals_unless_the_user_says_otherwise() {
        let wants = |is_terminal: bool, set: &[(&str, &str)]| {
            colour(is_terminal, |name| {
                set.iter().find(|(known, _)| *known == name).map(|(_, value)| value.into())
            })
        };
        assert!(wants(true, &[]) && !wants(false, &[]));
        assert!(!wants(true, &[("NO_COLOR", "1")]) && wants(true, &[("NO_COLOR", "")]));
        assert!(!wants(true, &[("TERM", "dumb")]) && wants(true, &[("TERM", "xterm")]));
        assert!(wants(false, &[("CLICOLOR_FORCE", "1")]) && !wants(false, &[("CLICOLOR_FORCE", "0")]));
        assert!(
            !wants(true, &[("CLICOLOR", "0")]) && !wants(true, &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")])
        );
    }

    #[test]
    fn a_width_that_is_said_holds_where_there_is_no_terminal() {
        assert_eq!(
            ["60", "7", "0", "", "wide", "-3"].map(said),
            [Some(60), Some(40), None, None, None, None]
        );
    }

    #[test]
    fn a_full_disk_is_an_error() {
        assert!(writeln!(out(ErrorKind::StorageFull), "a long table").is_err());
    }
}
