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

impl Exit {
    /// Of several ends the heaviest is told: a fault, then a wrong command or file, a failure, what is undecided.
    pub(super) fn weight(self) -> u8 {
        match self {
            Self::Done => 0,
            other => u8::MAX - other as u8,
        }
    }

    /// What happened, in a few words.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Fault => "its files could not be written",
            Self::Usage => "it was not run; see above",
            Self::BadFile => "it has a mistake, and was not run",
            Self::Failed => "a claim or an expected value does not hold",
            Self::Undecided => "not everything could be decided",
            Self::Interrupted => "you stopped it",
        }
    }
}

/// Why a command ends before it is through.
pub(super) enum Early {
    /// It has said what is wrong.
    At(Exit),
    /// Its output cannot be written.
    Unwritten(std::io::Error),
}

impl From<Exit> for Early {
    fn from(exit: Exit) -> Self {
        Self::At(exit)
    }
}

impl From<std::io::Error> for Early {
    fn from(error: std::io::Error) -> Self {
        Self::Unwritten(error)
    }
}

/// How a command ends, early or not.
pub(super) fn ended(result: Result<Exit, Early>) -> std::io::Result<Exit> {
    match result {
        Ok(exit) | Err(Early::At(exit)) => Ok(exit),
        Err(Early::Unwritten(error)) => Err(error),
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}
