//! How the program ends.

use crate::study::{Ruling, Verdict};
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
    /// A claim is not decided, or a precision not reached.
    Undecided = 5,
    /// The user stopped it with Ctrl-C.
    Interrupted = 130,
}

impl Exit {
    /// How it ends where an expected value may be missed, a precision not reached, and claims are judged.
    pub(super) fn of(missed: bool, wide: bool, claims: &[Verdict]) -> Self {
        let any = |ruling| claims.iter().any(|claim| claim.ruling == ruling);
        match () {
            () if missed || any(Ruling::Fails) => Self::Failed,
            () if wide || any(Ruling::Undecided) => Self::Undecided,
            () => Self::Done,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}
