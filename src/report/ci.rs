//! What CI systems read: a JUnit file, annotations of lines, a comment for a pull request.
//!
//! In: the [`super::checks::Check`]s of a run. Out: text for one system each.
//!
//! **Never:** which checks there are, who reads what comes out.

mod comment;
mod github;
mod junit;

pub use comment::{MOST, comment};
pub use github::{Level, annotation, annotations};
pub use junit::junit;

use crate::results::{WriteError, write_file};
use crate::rules::Span;
use std::path::Path;

/// The file and line of a place, as people and programs name them.
pub type Where<'a> = &'a dyn Fn(Span) -> (String, usize);

/// Writes a file whole or not at all; where a link stands, what it leads to; and straight into what is no file, such as a
/// pipe.
///
/// # Errors
/// Whatever the system refuses.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    let place = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    match place.metadata() {
        Ok(what) if !what.is_file() && !what.is_dir() => {
            std::fs::write(&place, bytes).map_err(|source| WriteError::File { path: path.to_owned(), source })
        }
        _ => write_file(&place, bytes),
    }
}
