//! The program, run in a folder as a user would.

use std::path::Path;
use std::process::{Command, Output, Stdio};

/// What came of it.
pub(crate) struct Ended {
    /// Its exit code.
    pub(crate) code: Option<i32>,
    /// Standard output.
    pub(crate) out: String,
    /// Standard error.
    pub(crate) err: String,
}

/// The program, in a folder, with nothing that decides about colours.
pub(crate) fn houserule(folder: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_houserule"));
    command.current_dir(folder).args(words).stdin(Stdio::null());
    ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"].into_iter().for_each(|name| {
        command.env_remove(name);
    });
    command
}

/// Runs it.
pub(crate) fn run(folder: &Path, words: &[&str]) -> Ended {
    ended(houserule(folder, words).output().unwrap())
}

/// What came of a command.
pub(crate) fn ended(output: Output) -> Ended {
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ended { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

/// A folder in which `houserule new mine` was said.
pub(crate) fn fresh() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(run(folder.path(), &["new", "mine"]).code, Some(0));
    folder
}
