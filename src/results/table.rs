//! A table of named columns as CSV or Parquet.
//!
//! In: columns of one length, each of one type. Out: bytes, the same every time, on any number of threads; and Parquet
//! read back.
//!
//! **Never:** what a column means.

use super::WriteError;
use polars::prelude::{
    Column, CsvWriter, DataFrame, DataType, KeyValueMetadata, NamedFrom, ParquetCompression, ParquetReader,
    ParquetWriter, PolarsResult, SerReader, SerWriter, Series,
};
use serde_json::{Map, Value};

/// The note that the library writes for itself.
const ARROW: &str = "ARROW:schema";

/// Named columns of one length, from left to right.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Table {
    /// Each column's name, which no other column has, and its cells from top to bottom.
    pub columns: Vec<(String, Cells)>,
}

/// The cells of one column.
#[derive(Clone, PartialEq, Debug)]
pub enum Cells {
    /// Words; `None` leaves a cell empty.
    Text(Vec<Option<String>>),
    /// Whole numbers from 0.
    Count(Vec<u64>),
    /// Whole numbers.
    Integer(Vec<i64>),
    /// Real numbers; `None`, infinity and not-a-number leave a cell empty.
    Real(Vec<Option<f64>>),
}

impl Table {
    /// Adds a column at the right.
    pub fn push(&mut self, name: impl Into<String>, cells: Cells) {
        self.columns.push((name.into(), cells));
    }

    /// Adds a column of words: what `cell` says of each row; nothing leaves a cell empty.
    pub fn text<R, T: Into<Option<String>>>(
        &mut self,
        name: impl Into<String>,
        rows: &[R],
        cell: impl Fn(&R) -> T,
    ) {
        self.push(name, Cells::Text(rows.iter().map(|row| cell(row).into()).collect()));
    }

    /// Adds a column of whole numbers from 0.
    pub fn count<R>(&mut self, name: impl Into<String>, rows: &[R], cell: impl Fn(&R) -> u64) {
        self.push(name, Cells::Count(rows.iter().map(cell).collect()));
    }

    /// Adds a column of real numbers; nothing leaves a cell empty.
    pub fn real<R, N: Into<Option<f64>>>(
        &mut self,
        name: impl Into<String>,
        rows: &[R],
        cell: impl Fn(&R) -> N,
    ) {
        self.push(name, Cells::Real(rows.iter().map(|row| cell(row).into()).collect()));
    }

    /// A column by its name.
    pub fn column(&self, name: &str) -> Option<&Cells> {
        self.columns.iter().find(|(known, _)| known == name).map(|(_, cells)| cells)
    }

    /// How many rows there are, by the first column.
    pub fn height(&self) -> usize {
        match self.columns.first() {
            Some((_, Cells::Text(cells))) => cells.len(),
            Some((_, Cells::Count(cells))) => cells.len(),
            Some((_, Cells::Integer(cells))) => cells.len(),
            Some((_, Cells::Real(cells))) => cells.len(),
            None => 0,
        }
    }

    /// The table as CSV: commas, a heading line, quotes only where needed, real numbers with 9 significant digits.
    ///
    /// # Errors
    /// Columns of different lengths, or two of one name.
    pub fn to_csv(&self) -> Result<Vec<u8>, WriteError> {
        let mut bytes = Vec::new();
        CsvWriter::new(&mut bytes).finish(&mut self.frame(csv_series)?).map_err(no_table)?;
        Ok(bytes)
    }

    /// Each row as an object, in the order of the columns; real numbers with 9 significant digits, empty cells `null`.
    pub fn to_json(&self) -> Vec<Value> {
        let row = |at: usize| -> Map<String, Value> {
            self.columns.iter().map(|(name, cells)| (name.clone(), cells.to_json(at))).collect()
        };
        (0..self.height()).map(|at| Value::Object(row(at))).collect()
    }

    /// The table as Parquet: one group of rows, compressed by Zstandard, real numbers as they are.
    ///
    /// # Errors
    /// Columns of different lengths, or two of one name.
    pub fn to_parquet(&self) -> Result<Vec<u8>, WriteError> {
        self.to_parquet_with(&[])
    }

    /// The same with notes, names and texts, among the file's metadata.
    pub(super) fn to_parquet_with(&self, notes: &[(String, String)]) -> Result<Vec<u8>, WriteError> {
        let (mut bytes, mut frame) = (Vec::new(), self.frame(parquet_series)?);
        let notes = (!notes.is_empty()).then(|| KeyValueMetadata::from_static(notes.to_vec()));
        ParquetWriter::new(&mut bytes)
            .with_compression(ParquetCompression::Zstd(None))
            .with_row_group_size(Some(frame.height() + 1))
            .with_key_value_metadata(notes)
            .finish(&mut frame)
            .map_err(no_table)?;
        Ok(bytes)
    }

    /// The table and the notes of a Parquet file, or why there are none. Only bytes that are known to be whole belong here.
    pub(super) fn from_parquet(bytes: Vec<u8>) -> Result<(Self, Vec<(String, String)>), String> {
        let mut reader = ParquetReader::new(std::io::Cursor::new(bytes));
        let known = reader.get_metadata().map_err(|error| error.to_string())?.key_value_metadata().clone();
        let notes = known.into_iter().flatten().filter(|note| note.key != ARROW);
        let notes = notes.map(|note| (note.key, note.value.unwrap_or_default())).collect();
        let frame = reader.finish().map_err(|error| error.to_string())?;
        let mut table = Self::default();
        for column in frame.columns() {
            let cells = cells(column).map_err(|error| error.to_string())?;
            let cells = cells.ok_or_else(|| format!("`{}` is of a type unknown here", column.name()))?;
            table.push(column.name().as_str(), cells);
        }
        Ok((table, notes))
    }

    fn frame(&self, series: fn(&str, &Cells) -> Series) -> Result<DataFrame, WriteError> {
        let columns = self.columns.iter().map(|(name, cells)| Column::from(series(name, cells))).collect();
        DataFrame::new_infer_height(columns).map_err(no_table)
    }
}

impl Cells {
    /// One of them; `null` where it is empty, or not there.
    fn to_json(&self, at: usize) -> Value {
        match self {
            Self::Text(texts) => texts.get(at).cloned().flatten().map_or(Value::Null, Value::from),
            Self::Count(numbers) => numbers.get(at).copied().map_or(Value::Null, Value::from),
            Self::Integer(numbers) => numbers.get(at).copied().map_or(Value::Null, Value::from),
            Self::Real(numbers) => {
                let short = numbers.get(at).copied().flatten().and_then(nine_digits);
                short.and_then(|text| text.parse::<f64>().ok()).map_or(Value::Null, Value::from)
            }
        }
    }
}

/// The cells of a column; nothing if there are none of that type, or if numbers are missing.
fn cells(column: &Column) -> PolarsResult<Option<Cells>> {
    let texts = |text: Option<&str>| text.map(str::to_owned);
    Ok(match column.dtype() {
        DataType::String => Some(Cells::Text(column.str()?.iter().map(texts).collect())),
        DataType::UInt64 => column.u64()?.iter().collect::<Option<_>>().map(Cells::Count),
        DataType::Int64 => column.i64()?.iter().collect::<Option<_>>().map(Cells::Integer),
        DataType::Float64 => Some(Cells::Real(column.f64()?.iter().collect())),
        _ => None,
    })
}

fn no_table(reason: impl std::fmt::Display) -> WriteError {
    WriteError::Table(reason.to_string())
}

/// Real numbers become text here, because the CSV writer's own precision counts digits after the point.
fn csv_series(name: &str, cells: &Cells) -> Series {
    match cells {
        Cells::Real(numbers) => {
            let texts: Vec<_> = numbers.iter().map(|number| number.and_then(nine_digits)).collect();
            Series::new(name.into(), texts)
        }
        other => parquet_series(name, other),
    }
}

fn parquet_series(name: &str, cells: &Cells) -> Series {
    match cells {
        Cells::Text(texts) => Series::new(name.into(), texts),
        Cells::Count(numbers) => Series::new(name.into(), numbers),
        Cells::Integer(numbers) => Series::new(name.into(), numbers),
        Cells::Real(numbers) => {
            let finite: Vec<_> = numbers.iter().map(|number| number.filter(|x| x.is_finite())).collect();
            Series::new(name.into(), finite)
        }
    }
}

/// A number rounded to 9 significant digits, as short as that can be written; `None` if it is not finite. Very large
/// and very small numbers get an exponent: `1e-7`.
pub(super) fn nine_digits(number: f64) -> Option<String> {
    if !number.is_finite() {
        return None;
    }
    let rounded = format!("{number:.8e}");
    let (mantissa, exponent) = rounded.split_once('e')?;
    let exponent: i32 = exponent.parse().ok()?;
    let mantissa = mantissa.trim_end_matches('0').trim_end_matches('.');
    Some(match exponent {
        _ if mantissa.trim_start_matches('-') == "0" => "0".to_owned(),
        -6..15 => positional(mantissa, exponent),
        _ => format!("{mantissa}e{exponent}"),
    })
}

/// `d.ddd` times a power of ten without an exponent.
fn positional(mantissa: &str, exponent: i32) -> String {
    let (sign, digits) = match mantissa.strip_prefix('-') {
        Some(digits) => ("-", digits.replace('.', "")),
        None => ("", mantissa.replace('.', "")),
    };
    let Ok(before) = usize::try_from(exponent + 1) else {
        return format!("{sign}0.{}{digits}", "0".repeat(exponent.unsigned_abs() as usize - 1));
    };
    match digits.split_at_checked(before) {
        Some((whole, "")) => format!("{sign}{whole}"),
        Some(("", part)) => format!("{sign}0.{part}"),
        Some((whole, part)) => format!("{sign}{whole}.{part}"),
        None => format!("{sign}{digits:0<before$}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Table {
        let mut table = Table::default();
        let words = vec![Some("plain".to_owned()), Some("a, \"b\"".to_owned()), None];
        table.push("word", Cells::Text(words));
        table.push("count", Cells::Count(vec![0, 1, u64::MAX]));
        table.push("number", Cells::Integer(vec![-1, 0, 1]));
        table.push("real", Cells::Real(vec![Some(1.0 / 12.0), None, Some(f64::NAN)]));
        table
    }

    #[test]
    fn csv_quotes_where_needed_and_leaves_missing_cells_empty() {
        let expected = "word,count,number,real\nplain,0,-1,0.0833333333\n\"a, \"\"b\"\"\",1,0,\n,18446744073709551615,1,\n";
        assert_eq!(String::from_utf8(sample().to_csv().unwrap()).unwrap(), expected);
    }

    #[test]
    fn json_has_an_object_for_each_row_and_null_for_what_is_missing() {
        let rows = sample().to_json();
        assert_eq!(rows[0].to_string(), r#"{"word":"plain","count":0,"number":-1,"real":0.0833333333}"#);
        assert_eq!(
            rows[2].to_string(),
            r#"{"word":null,"count":18446744073709551615,"number":1,"real":null}"#
        );
        assert!(Table::default().to_json().is_empty());
    }

    #[test]
    fn parquet_reads_back_as_it_was_with_missing_cells_missing() {
        let bytes = sample().to_parquet().unwrap();
        assert_eq!(&bytes[..4], b"PAR1");
        let frame = ParquetReader::new(std::io::Cursor::new(bytes)).finish().unwrap();
        assert_eq!(frame.get_column_names(), ["word", "count", "number", "real"]);
        let real: Vec<_> = frame.column("real").unwrap().f64().unwrap().iter().collect();
        assert_eq!(real, [Some(1.0 / 12.0), None, None]);
        let count: Vec<_> = frame.column("count").unwrap().u64().unwrap().iter().collect();
        assert_eq!(count, [Some(0), Some(1), Some(u64::MAX)]);
        let word: Vec<_> = frame.column("word").unwrap().str().unwrap().iter().collect();
        assert_eq!(word, [Some("plain"), Some("a, \"b\""), None]);
    }

    #[test]
    fn a_long_table_gives_the_same_bytes_twice_and_stands_in_one_group_of_rows() {
        let mut table = Table::default();
        let rows = 300_000; // more than the writer puts in one group if it is not told
        table.push("number", Cells::Integer((0..rows).collect()));
        table.push("real", Cells::Real((0..rows).map(|n| Some(1.0 / (n + 1) as f64)).collect()));
        assert!(table.to_csv().unwrap() == table.to_csv().unwrap());
        let bytes = table.to_parquet().unwrap();
        assert!(bytes == table.to_parquet().unwrap());
        let mut reader = ParquetReader::new(std::io::Cursor::new(bytes));
        assert_eq!(reader.get_metadata().unwrap().row_groups.len(), 1);
    }

    #[test]
    fn a_table_without_rows_still_has_its_heading() {
        let mut table = Table::default();
        table.push("word", Cells::Text(Vec::new()));
        table.push("real", Cells::Real(Vec::new()));
        assert_eq!(table.to_csv().unwrap(), b"word,real\n");
        assert!(table.to_parquet().is_ok());
    }

    #[test]
    fn columns_of_different_lengths_or_of_one_name_are_refused() {
        let mut uneven = sample();
        uneven.push("short", Cells::Count(vec![1]));
        assert!(matches!(uneven.to_csv(), Err(WriteError::Table(_))));
        let mut twice = sample();
        twice.push("word", Cells::Count(vec![1, 2, 3]));
        assert!(matches!(twice.to_parquet(), Err(WriteError::Table(_))));
    }

    #[test]
    fn numbers_are_as_short_as_nine_digits_allow() {
        let cases = [
            (0.0, "0"),
            (-0.0, "0"),
            (1.0, "1"),
            (-12.5, "-12.5"),
            (1.0 / 12.0, "0.0833333333"),
            (2.0 / 3.0, "0.666666667"),
            (0.1 + 0.2, "0.3"),
            (0.999_999_999_9, "1"),
            (0.000_001, "0.000001"),
            (1e-7, "1e-7"),
            (-1.234_567_890_12e-20, "-1.23456789e-20"),
            (100.0, "100"),
            (1_234_567_890.0, "1234567890"),
            (12_345_678_949.0, "12345678900"),
            (1e15, "1e15"),
        ];
        for (number, text) in cases {
            assert_eq!(nine_digits(number).as_deref(), Some(text));
        }
        assert_eq!(nine_digits(f64::INFINITY), None);
    }
}
