//! Standard output, whose reader may leave early.

use std::io::{ErrorKind, IsTerminal, Result, Write};

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

    /// Whether nobody reads any more.
    pub(super) fn is_closed(&self) -> bool {
        self.closed
    }

    /// Whether colours can be shown and are wanted.
    pub(super) fn is_colourful(&self) -> bool {
        std::io::stdout().is_terminal() && wants_colour()
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

/// Whether the user has not asked for plain text; see <https://no-color.org>.
pub(super) fn wants_colour() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
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
    fn a_full_disk_is_an_error() {
        assert!(writeln!(out(ErrorKind::StorageFull), "a long table").is_err());
    }
}
