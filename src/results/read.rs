//! Tables that a former run wrote, read back.
//!
//! In: a folder. Out: a [`Table`] whose cells are all text.
//!
//! **Never:** what a column means.

use super::table::nine_digits;
use super::{Cells, Table};
use polars::prelude::{CsvReadOptions, DataFrame, DataType, ParquetReader, PolarsResult, SerReader};
use std::io::Cursor;
use std::path::{Path, PathBuf};

/// Why a table could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The system refused.
    #[error("`{}` cannot be read: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// There is a file, but it does not hold the table that it should.
    #[error("`{}` is not a table of a run: {why}", path.display())]
    Table {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
}

impl Cells {
    /// The cell in a row as CSV has it; `None` where it is empty, or where there is no such row.
    pub fn text(&self, row: usize) -> Option<String> {
        match self {
            Self::Text(texts) => texts.get(row)?.clone(),
            Self::Count(numbers) => numbers.get(row).map(u64::to_string),
            Self::Integer(numbers) => numbers.get(row).map(i64::to_string),
            Self::Real(numbers) => numbers.get(row).copied().flatten().and_then(nine_digits),
        }
    }
}

/// How the bytes of a file become a table.
type Read = fn(Vec<u8>) -> PolarsResult<DataFrame>;

/// The table of this name in a folder, from its CSV file or, where there is none, from its Parquet file; and which it was.
///
/// # Errors
/// Neither file can be read, or it holds no table.
pub fn read_table(folder: &Path, name: &str) -> Result<(PathBuf, Table), ReadError> {
    let [csv, parquet] = ["csv", "parquet"].map(|ending| folder.join(name).with_extension(ending));
    let (path, read): (_, Read) =
        if !csv.exists() && parquet.exists() { (parquet, from_parquet) } else { (csv, from_csv) };
    let bytes = match std::fs::read(&path) {
        Ok(bytes) => bytes,
        Err(source) => return Err(ReadError::File { path, source }),
    };
    match read(bytes).and_then(|frame| table(&frame)) {
        Ok(table) => Ok((path, table)),
        // what follows the first line of the library's message is advice on how to call it
        Err(why) => {
            let why = why.to_string().lines().next().unwrap_or_default().to_owned();
            Err(ReadError::Table { path, why })
        }
    }
}

fn from_csv(bytes: Vec<u8>) -> PolarsResult<DataFrame> {
    let all_text = CsvReadOptions::default().with_infer_schema_length(Some(0));
    all_text.into_reader_with_file_handle(Cursor::new(bytes)).finish()
}

fn from_parquet(bytes: Vec<u8>) -> PolarsResult<DataFrame> {
    ParquetReader::new(Cursor::new(bytes)).finish()
}

fn table(frame: &DataFrame) -> PolarsResult<Table> {
    let mut table = Table::default();
    for column in frame.columns() {
        let text = column.cast(&DataType::String)?;
        let cells = text.str()?.iter().map(|cell| cell.map(str::to_owned)).collect();
        table.push(column.name().as_str(), Cells::Text(cells));
    }
    Ok(table)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::write_file;

    fn sample() -> Table {
        let mut table = Table::default();
        table.push("word", Cells::Text(vec![Some("plain".to_owned()), Some("a, \"b\"".to_owned()), None]));
        table.push("flag", Cells::Text(["yes", "no", "yes"].map(|flag| Some(flag.to_owned())).to_vec()));
        table.push("count", Cells::Count(vec![0, 1, u64::MAX]));
        table.push("number", Cells::Integer(vec![-3, 0, 12]));
        table
    }

    #[test]
    fn either_file_gives_the_cells_that_were_written_and_csv_comes_first() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        write_file(&path.join("a.parquet"), &sample().to_parquet().unwrap()).unwrap();
        for ending in ["parquet", "csv"] {
            let (from, table) = read_table(path, "a").unwrap();
            assert_eq!(from, path.join(format!("a.{ending}")));
            assert_eq!(table.height(), 3);
            for (name, cells) in sample().columns {
                let read = table.column(&name).unwrap();
                (0..3).for_each(|row| assert_eq!(read.text(row), cells.text(row), "{name}"));
            }
            write_file(&path.join("a.csv"), &sample().to_csv().unwrap()).unwrap();
        }
    }

    #[test]
    fn what_is_no_table_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        let says = || read_table(path, "a").unwrap_err().to_string();
        assert!(says().starts_with(&format!("`{}` cannot be read: ", path.join("a.csv").display())));
        write_file(&path.join("a.parquet"), b"PAR1 but no more").unwrap();
        assert!(says().starts_with(&format!("`{}` is not a table", path.join("a.parquet").display())));
        for bytes in [&b""[..], b"a,b\n1,2,3\n", &[b'a', b'\n', 0xff, 0xfe, b'\n']] {
            write_file(&path.join("a.csv"), bytes).unwrap();
            assert!(says().contains("is not a table of a run: "), "{bytes:?}: {}", says());
        }
    }
}
