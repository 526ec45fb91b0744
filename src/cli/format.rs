//! `--format`: a run as text for standard output, and nothing else there.
//!
//! In: what the counts say. Out: Markdown, CSV or JSON.
//!
//! **Never:** what stands in it.

use super::out::Out;
use crate::report::pasted::{self, Rows};
use crate::scenario::Scenario;
use crate::study::Analysis;
use std::io::{Error, Result, Write};

/// How a run is printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub(super) enum Format {
    /// A short post: a table that can be read as plain text, and what it comes to
    Markdown,
    /// A table for spreadsheets
    Csv,
    /// All tables for programs
    Json,
}

/// Prints a run; `rows` are those of a table for spreadsheets, `all` says where everything can be found.
pub(super) fn print(
    format: Format,
    (scenario, analysis): (&Scenario, &Analysis),
    rows: Rows,
    all: &str,
    out: &mut Out,
) -> Result<()> {
    let text = match format {
        Format::Markdown => pasted::markdown(scenario, analysis, all),
        Format::Csv => pasted::csv(scenario, analysis, rows).map_err(Error::other)?,
        Format::Json => pasted::json(scenario, analysis),
    };
    out.write_all(text.as_bytes())
}
