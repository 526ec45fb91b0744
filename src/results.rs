//! Rows on disk: tables as CSV and Parquet, and files that appear whole or not at all.
//!
//! In: generic [`Table`]s and the bytes of files. Out: the same bytes every time, in files that are never half-written.
//! The one door to polars and to atomic files.
//!
//! **Never:** statistics, charts, what a column means.

mod part;
mod read;
mod table;
mod write;

pub use part::{NoPart, Part};
pub use read::{ReadError, read_table};
pub use serde_json::{Map, Value, json};
pub use table::{Cells, Table};
pub use write::{WriteError, replace_files, tidy, write_file};
