//! A table in a file that shows whether it is whole.
//!
//! In: a table and some notes. Out: a Parquet file that any program can read, with the notes and a seal in its metadata;
//! and back. The seal is a hash of all other bytes: what is damaged is found before anything reads it.
//!
//! **Never:** what a column or a note means.

use super::table::Table;
use super::write::{WriteError, write_file};
use crate::plan::ContentId;
use std::path::Path;

/// A table with notes.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Part {
    /// The table.
    pub table: Table,
    /// Names, of which none is there twice, and texts.
    pub notes: Vec<(String, String)>,
}

/// Why a file cannot be read as a [`Part`].
#[derive(Debug, thiserror::Error)]
pub enum NoPart {
    /// The system refused.
    #[error("it cannot be read: {0}")]
    File(#[from] std::io::Error),
    /// There is no seal.
    #[error("it is not a part that houserule wrote, or its end is missing")]
    Foreign,
    /// The seal is broken.
    #[error("it is damaged: its bytes are not those that were written")]
    Damaged,
    /// The seal holds, yet it is no table.
    #[error("it holds no table: {0}")]
    Table(String),
}

/// The note that holds the seal, and what stands there while the hash is worked out.
const SEAL: &str = "houserule seal";
const MARK: &[u8] = b"houserule-blake3:";
const DIGITS: usize = 64;

impl Part {
    /// The bytes of its file.
    ///
    /// # Errors
    /// Columns of different lengths, or two of one name.
    pub fn to_bytes(&self) -> Result<Vec<u8>, WriteError> {
        let mut notes = self.notes.clone();
        let open = format!("{}{}", String::from_utf8_lossy(MARK), "0".repeat(DIGITS));
        notes.push((SEAL.to_owned(), open));
        let mut bytes = self.table.to_parquet_with(&notes)?;
        let Some(at) = seal(&bytes) else {
            return Err(WriteError::Table("its notes are not in its file".to_owned()));
        };
        let hash = format!("{:?}", ContentId::of_bytes(&bytes));
        bytes[at..at + DIGITS].copy_from_slice(hash.as_bytes());
        Ok(bytes)
    }

    /// What such bytes hold.
    ///
    /// # Errors
    /// Bytes that are damaged, or were never those of a part.
    pub fn from_bytes(mut bytes: Vec<u8>) -> Result<Self, NoPart> {
        let at = seal(&bytes).ok_or(NoPart::Foreign)?;
        let sealed = bytes[at..at + DIGITS].to_vec();
        bytes[at..at + DIGITS].fill(b'0');
        if format!("{:?}", ContentId::of_bytes(&bytes)).as_bytes() != sealed {
            return Err(NoPart::Damaged);
        }
        let (table, mut notes) = Table::from_parquet(bytes).map_err(NoPart::Table)?;
        notes.retain(|(name, _)| name != SEAL);
        Ok(Self { table, notes })
    }

    /// Reads a file.
    ///
    /// # Errors
    /// A file that is not there, is damaged, or was never a part.
    pub fn read(path: &Path) -> Result<Self, NoPart> {
        Self::from_bytes(std::fs::read(path)?)
    }

    /// Writes a file, whole or not at all.
    ///
    /// # Errors
    /// A table that is none, or whatever the system refuses.
    pub fn write(&self, path: &Path) -> Result<(), WriteError> {
        write_file(path, &self.to_bytes()?)
    }

    /// A note by its name.
    pub fn note(&self, name: &str) -> Option<&str> {
        self.notes.iter().find(|(known, _)| known == name).map(|(_, text)| text.as_str())
    }
}

/// Where the seal stands: behind the last mark, as no note comes after it.
fn seal(bytes: &[u8]) -> Option<usize> {
    let at = bytes.windows(MARK.len()).rposition(|here| here == MARK)? + MARK.len();
    (at + DIGITS <= bytes.len()).then_some(at)
}

#[cfg(test)]
mod tests {
    use super::super::Cells;
    use super::*;

    fn part() -> Part {
        let mut table = Table::default();
        table.push("word", Cells::Text(vec![Some("a".to_owned()), None, Some(String::new())]));
        table.push("count", Cells::Count(vec![0, 1, u64::MAX]));
        table.push("number", Cells::Integer(vec![-1, 0, 1]));
        table.push("real", Cells::Real(vec![Some(0.5), None, Some(-1.0)]));
        let tricky = format!("# {}{}\n", String::from_utf8_lossy(MARK), "f".repeat(DIGITS));
        let notes =
            [("text", tricky), ("long", "0123456789abcde\n".repeat(1 << 16)), ("empty", String::new())];
        Part { table, notes: notes.map(|(name, text)| (name.to_owned(), text)).into() }
    }

    #[test]
    fn a_part_reads_back_as_it_was_even_if_a_note_looks_like_a_seal() {
        let bytes = part().to_bytes().unwrap();
        assert_eq!(Part::from_bytes(bytes).unwrap(), part());
    }

    #[test]
    fn a_part_without_rows_reads_back() {
        let mut part = Part::default();
        part.table.push("word", Cells::Text(Vec::new()));
        part.table.push("count", Cells::Count(Vec::new()));
        assert_eq!(Part::from_bytes(part.to_bytes().unwrap()).unwrap(), part);
    }

    #[test]
    fn any_changed_byte_and_any_missing_end_is_found() {
        let part = Part { notes: Vec::new(), ..part() };
        let bytes = part.to_bytes().unwrap();
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 1 << (at % 8);
            assert!(Part::from_bytes(changed).is_err(), "byte {at}");
            assert!(Part::from_bytes(bytes[..at].to_vec()).is_err(), "{at} bytes");
        }
        let longer = [bytes.as_slice(), b"\n"].concat();
        assert!(matches!(Part::from_bytes(longer), Err(NoPart::Damaged)));
    }

    #[test]
    fn what_was_never_a_part_is_not_read() {
        let plain = part().table.to_parquet().unwrap();
        for bytes in [Vec::new(), b"PAR1".to_vec(), plain, MARK.to_vec()] {
            assert!(matches!(Part::from_bytes(bytes), Err(NoPart::Foreign)));
        }
        let mut sealed = [MARK, &[b'0'; DIGITS], b" and no table"].concat();
        let hash = format!("{:?}", ContentId::of_bytes(&sealed));
        sealed[MARK.len()..MARK.len() + DIGITS].copy_from_slice(hash.as_bytes());
        assert!(matches!(Part::from_bytes(sealed), Err(NoPart::Table(_))));
    }
}
