//! How the program ends.

use std::process::ExitCode;

/// How the program ended, for scripts; `docs/exit-codes.md` tells users.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// All was done.
    Done = 0,
    /// A fault of houserule itself, or of the machine, such as a full disk.
    Fault = 1,
    /// The command line asks for something that does not exist.
    Usage = 2,
    /// A rules or scenario file is wrong.
    BadFile = 3,
    /// A claim, an expectation or a golden table failed.
    Failed = 4,
    /// Stopped before the asked precision was reached.
    Undecided = 5,
    /// The user stopped it with Ctrl-C.
    Interrupted = 130,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}
