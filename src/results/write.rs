//! Files that appear whole or not at all.
//!
//! In: bytes and where they belong. Out: files; a kill at any moment leaves each of them as it was or as it shall be.
//!
//! **Never:** what the bytes mean.

use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::io::{ErrorKind, Write};
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

/// The file in which a run says what it was and which files it wrote.
const RECORD: &str = "run.json";

/// How the names of unfinished files begin and end.
const UNFINISHED: [&str; 2] = [".houserule-", ".part"];

/// Why a file could not be written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The system refused.
    #[error("`{}` cannot be written: {source}", path.display())]
    File {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// A table is not one: uneven columns, or two of one name.
    #[error("a table cannot be made: {0}")]
    Table(String),
}

/// A file that is written but not yet in its place; dropped, it is gone.
struct Staged {
    /// Closed: a run may have more files than a program may hold open.
    written: tempfile::TempPath,
    place: PathBuf,
}

impl Staged {
    fn write(place: PathBuf, bytes: &[u8]) -> Result<Self, WriteError> {
        let write = || {
            let folder = place.parent().filter(|folder| !folder.as_os_str().is_empty());
            let folder = folder.unwrap_or(Path::new("."));
            std::fs::create_dir_all(folder)?;
            // `create_new`, because the default of the library hides the file from other users
            let mut file = tempfile::Builder::new()
                .prefix(UNFINISHED[0])
                .suffix(UNFINISHED[1])
                .make_in(folder, |name| std::fs::File::create_new(name))?;
            file.write_all(bytes)?;
            Ok(file.into_temp_path())
        };
        match write() {
            Ok(written) => Ok(Self { written, place }),
            Err(source) => Err(WriteError::File { path: place, source }),
        }
    }

    /// Puts the file in its place.
    fn put(self) -> Result<(), WriteError> {
        let path = self.place;
        self.written.persist(&path).map_err(|error| WriteError::File { path, source: error.error })
    }
}

/// Writes a file, with the folders that it lies in, whole or not at all.
///
/// # Errors
/// Whatever the system refuses.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    Staged::write(path.to_owned(), bytes)?.put()
}

/// Writes all files of a run and, last, its record `run.json`, to which it adds `program` and `files`; deletes the files of the
/// former run in that folder that this one did not write again, and what a killed run left unfinished. Names of files
/// are relative, with `/` between folders.
///
/// # Errors
/// Whatever the system refuses; if that is to write a file, all files are as they were.
pub fn replace_files(
    folder: &Path,
    files: &[(String, Vec<u8>)],
    mut record: Map<String, Value>,
) -> Result<(), WriteError> {
    let former = former_files(&folder.join(RECORD));
    let staged = files.iter().map(|(name, bytes)| Staged::write(folder.join(name), bytes));
    let staged = staged.collect::<Result<Vec<_>, _>>()?;
    let written: BTreeSet<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    record.insert("program".to_owned(), env!("CARGO_PKG_NAME").into());
    record.insert("files".to_owned(), written.iter().copied().collect());
    let text = format!("{:#}\n", Value::Object(record));
    let record = Staged::write(folder.join(RECORD), text.as_bytes())?;
    staged.into_iter().try_for_each(Staged::put)?;
    // before the record is in its place: a kill in between must not leave files that nobody remembers
    for name in former.iter().filter(|name| !written.contains(name.as_str())) {
        delete(&folder.join(name))?;
    }
    record.put()?;
    let names = former.iter().map(String::as_str).chain(written).chain([RECORD]);
    let folders: BTreeSet<_> =
        names.filter_map(|name| folder.join(name).parent().map(Path::to_owned)).collect();
    folders.iter().try_for_each(|folder| delete_unfinished(folder, Duration::ZERO))
}

/// The files that the former run in this folder wrote; none if there was no run, or if the record is not ours. Only
/// plain names below the folder count: a record is a file that anyone may have edited.
fn former_files(record: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(record).unwrap_or_default();
    let value: Value = serde_json::from_str(&text).unwrap_or_default();
    if value["program"] != env!("CARGO_PKG_NAME") {
        return Vec::new();
    }
    let names = value["files"].as_array().into_iter().flatten().filter_map(Value::as_str);
    names.filter(|name| is_plain(name) && *name != RECORD).map(str::to_owned).collect()
}

fn is_plain(name: &str) -> bool {
    !name.is_empty() && Path::new(name).components().all(|part| matches!(part, Component::Normal(_)))
}

fn delete(path: &Path) -> Result<(), WriteError> {
    match std::fs::remove_file(path) {
        Err(source) if !matches!(source.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            Err(WriteError::File { path: path.to_owned(), source })
        }
        _ => Ok(()),
    }
}

/// Deletes what killed programs left unfinished in a folder where others may be writing now.
///
/// # Errors
/// Whatever the system refuses.
pub fn tidy(folder: &Path) -> Result<(), WriteError> {
    delete_unfinished(folder, Duration::from_secs(3600))
}

/// Deletes what killed runs left unfinished so long ago; a folder that cannot be listed has nothing to delete.
fn delete_unfinished(folder: &Path, ago: Duration) -> Result<(), WriteError> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries {
        let name = entry.file_name().to_string_lossy().into_owned();
        let unfinished = name.starts_with(UNFINISHED[0]) && name.ends_with(UNFINISHED[1]);
        if unfinished && entry.metadata().is_ok_and(|file| file.is_file() && is_older(&file, ago)) {
            delete(&entry.path())?;
        }
    }
    Ok(())
}

fn is_older(file: &std::fs::Metadata, ago: Duration) -> bool {
    ago.is_zero() || file.modified().is_ok_and(|at| at.elapsed().is_ok_and(|age| age > ago))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, text: &str) -> (String, Vec<u8>) {
        (name.to_owned(), text.as_bytes().to_vec())
    }

    /// All files below a folder, by their names from there.
    fn listing(folder: &Path) -> Vec<String> {
        let mut found = Vec::new();
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            let name = entry.file_name().into_string().unwrap();
            match entry.path().is_dir() {
                true => found.extend(listing(&entry.path()).iter().map(|below| format!("{name}/{below}"))),
                false => found.push(name),
            }
        }
        found.sort();
        found
    }

    #[test]
    fn a_file_is_written_with_its_folders_and_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/b/c.txt");
        write_file(&path, b"one").unwrap();
        write_file(&path, b"two").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"two");
        assert_eq!(listing(folder.path()), ["a/b/c.txt"]);
    }

    #[test]
    fn a_refusal_names_the_file_and_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("taken");
        std::fs::create_dir_all(path.join("inside")).unwrap();
        let error = write_file(&path, b"text").unwrap_err().to_string();
        assert!(error.starts_with(&format!("`{}` cannot be written: ", path.display())), "{error}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_run_replaces_its_own_former_files_and_leaves_others_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        write_file(&path.join("charts/mine.txt"), b"by hand").unwrap();
        write_file(&path.join("charts/.houserule-killed.part"), b"half").unwrap();
        write_file(&path.join("charts/.houserule-notes"), b"by hand, too").unwrap();
        replace_files(path, &[file("a.csv", "1"), file("charts/01.svg", "1")], Map::new()).unwrap();
        replace_files(path, &[file("a.csv", "2"), file("charts/02.svg", "2")], Map::new()).unwrap();
        let left = ["a.csv", "charts/.houserule-notes", "charts/02.svg", "charts/mine.txt", RECORD];
        assert_eq!(listing(path), left);
        assert_eq!(std::fs::read(path.join("a.csv")).unwrap(), b"2");
    }

    #[test]
    fn where_one_file_cannot_be_written_all_stay_as_they_were() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        replace_files(path, &[file("a.csv", "1"), file("b.csv", "1")], Map::new()).unwrap();
        let record = std::fs::read(path.join(RECORD)).unwrap();
        // no file can be in a folder that is a file
        let files = [file("a.csv", "2"), file("c.csv", "2"), file("b.csv/d", "2")];
        assert!(replace_files(path, &files, Map::new()).is_err());
        assert_eq!(listing(path), ["a.csv", "b.csv", RECORD]);
        assert_eq!(std::fs::read(path.join("a.csv")).unwrap(), b"1");
        assert_eq!(std::fs::read(path.join(RECORD)).unwrap(), record);
    }

    #[test]
    fn the_record_keeps_what_it_is_given_and_lists_the_files() {
        let folder = tempfile::tempdir().unwrap();
        let record = Map::from_iter([("seed".to_owned(), Value::from(1815))]);
        replace_files(folder.path(), &[file("b", ""), file("a", "")], record).unwrap();
        let text = std::fs::read_to_string(folder.path().join(RECORD)).unwrap();
        let value: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["seed"], 1815);
        assert_eq!(value["files"], serde_json::json!(["a", "b"]));
    }

    #[test]
    fn a_record_cannot_make_a_run_delete_files_elsewhere() {
        let outer = tempfile::tempdir().unwrap();
        let (path, safe) = (outer.path().join("run"), outer.path().join("safe"));
        write_file(&safe, b"").unwrap();
        let absolute = safe.to_string_lossy();
        let names = serde_json::json!({ "program": "houserule", "files": ["../safe", "./../safe", absolute, "", 7, "."] });
        write_file(&path.join(RECORD), names.to_string().as_bytes()).unwrap();
        replace_files(&path, &[], Map::new()).unwrap();
        assert!(safe.exists());
    }

    #[test]
    fn the_record_of_another_program_deletes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        write_file(&folder.path().join("safe"), b"").unwrap();
        write_file(&folder.path().join(RECORD), br#"{ "files": ["safe"] }"#).unwrap();
        replace_files(folder.path(), &[], Map::new()).unwrap();
        assert!(folder.path().join("safe").exists());
    }
}
