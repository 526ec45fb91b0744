//! What has been played before: kept in a folder beside the files of a run, so that nothing is played twice.
//!
//! In: finished chunks. Out: the counts of a stretch as far as they are known, and what is missing. All that is known
//! stands in one file. While trials are played it is written anew again and again, at most a twentieth of the time
//! after what it lacks; so little is lost when a run is killed.
//!
//! **Never:** how trials are played, what counts mean. A file here may be missing, damaged, or of another program: then
//! its trials are played again.

mod pieces;
mod rows;

pub(super) use pieces::{Counts, Key};
pub(super) use rows::{FORMAT, counts as counts_of, rows};

use super::shard::Merged;
use crate::plan::{CHUNK, Chunk, ContentId, Plan, Tally};
use crate::results::{NoPart, Part, WriteError, tidy, write_file};
use crate::simulate::Stretch;
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The name of the folder.
const FOLDER: &str = ".houserule";

/// Between two writings lie at least so many, at most so many, and so much of the time so far.
const SOONEST: Duration = Duration::from_millis(100);
const LATEST: Duration = Duration::from_secs(60);
const SHARE: u32 = 20;

/// Counts of trials that were played before, and of those that are played now.
#[derive(Debug)]
pub struct Store {
    counts: Mutex<Counts>,
    disk: Mutex<Disk>,
    asked: AtomicU64,
    reused: AtomicU64,
    /// Whether anything was there at the beginning: what a run asks for twice is not reused.
    kept: bool,
}

/// What lies in the folder.
#[derive(Debug)]
struct Disk {
    folder: PathBuf,
    /// The files whose counts are all known here: they can go once these are written.
    known: BTreeSet<PathBuf>,
    opened: Instant,
    /// When it is written next while trials are played.
    due: Instant,
    /// Why it could not be written last.
    refused: Option<String>,
}

impl Store {
    /// What lies beside the files of a run in `folder`; nothing of it is looked at if `fresh`, and all of it is replaced
    /// in the end. Beside it, a sentence on each file that is of no use.
    pub fn open(folder: &Path, fresh: bool) -> (Self, Vec<String>) {
        let (folder, now) = (folder.join(FOLDER), Instant::now());
        let (mut counts, mut known, mut remarks) = (Counts::default(), BTreeSet::new(), Vec::new());
        for path in parts(&folder) {
            match if fresh { Ok(None) } else { read(&path, &mut counts) } {
                Ok(remark) => {
                    if !fresh || is_ours(&path) {
                        known.insert(path.clone());
                    }
                    remarks.extend(remark.map(|remark| said(&path, &remark)));
                }
                // another run, which knows what it holds, has taken it away since the folder was listed
                Err(NoPart::File(error)) if error.kind() == std::io::ErrorKind::NotFound => {}
                Err(error) => {
                    remarks.push(said(&path, &format!("{error}; delete it to be rid of this line")))
                }
            }
        }
        let kept = !fresh && !known.is_empty();
        let disk = Disk { folder, known, opened: now, due: now + SOONEST, refused: None };
        let [asked, reused] = [0; 2].map(AtomicU64::new);
        (Self { counts: Mutex::new(counts), disk: Mutex::new(disk), asked, reused, kept }, remarks)
    }

    /// How many trials were asked for so far, and how many of them had been played before.
    pub fn reused(&self) -> (u64, u64) {
        (self.asked.load(Ordering::Relaxed), self.reused.load(Ordering::Relaxed))
    }

    /// Adds the counts of a run that was played in parts.
    pub fn add(&self, merged: Merged) {
        let mut counts = self.counts();
        counts.absorb(merged.into_counts());
        counts.changed = true;
    }

    /// What is known of a stretch, and which of its trials are missing.
    pub(super) fn look(&self, seed: u64, stretch: &Stretch<'_>) -> (Tally, Vec<Range<u64>>) {
        let (tally, gaps) = self.counts().look(&Key::of(stretch.plan, seed), stretch.trials.clone());
        self.asked.fetch_add(stretch.trials.end - stretch.trials.start, Ordering::Relaxed);
        if self.kept {
            self.reused.fetch_add(tally.trials, Ordering::Relaxed);
        }
        (tally, gaps)
    }

    /// Keeps the counts of a chunk, and now and then writes what is known.
    pub(super) fn keep(&self, plan: &Plan, chunk: Chunk, tally: &Tally) {
        let start = chunk.number * CHUNK;
        self.counts().insert(chunk.seed, &Stretch { plan, trials: start..start + chunk.trials }, tally);
        let Ok(mut disk) = self.disk.try_lock() else { return }; // another thread is writing
        if Instant::now() >= disk.due {
            disk.write(&self.counts);
        }
    }

    /// All trials of a stretch have been played: its pieces become one, but for those that were asked for as they are.
    pub(super) fn settle(&self, seed: u64, stretch: &Stretch<'_>) {
        self.counts().settle(&Key::of(stretch.plan, seed), stretch.trials.clone());
    }

    /// Writes what is known into one file and deletes those that it replaces.
    ///
    /// # Errors
    /// Why the file cannot be written, as a sentence.
    pub fn save(&self) -> Result<(), String> {
        let mut disk = self.disk.lock().unwrap_or_else(PoisonError::into_inner);
        if self.counts().changed || disk.known.len() > 1 {
            disk.write(&self.counts);
        }
        // what cannot be deleted is no harm
        _ = tidy(&disk.folder);
        disk.refused.take().map_or(Ok(()), Err)
    }

    fn counts(&self) -> MutexGuard<'_, Counts> {
        locked(&self.counts)
    }
}

impl Disk {
    /// Writes everything, and says when to do so again.
    fn write(&mut self, counts: &Mutex<Counts>) {
        let started = Instant::now();
        self.refused = self.replace(counts).err().map(|error| error.to_string());
        locked(counts).changed |= self.refused.is_some();
        let (took, so_far) = (started.elapsed(), started - self.opened);
        self.due = Instant::now() + (so_far / SHARE).clamp(SOONEST, LATEST).max(took * SHARE);
    }

    fn replace(&mut self, counts: &Mutex<Counts>) -> Result<(), WriteError> {
        let table = {
            let mut counts = locked(counts);
            counts.changed = false;
            rows(&counts)
        };
        let bytes = Part { table, notes: vec![("format".to_owned(), FORMAT.to_owned())] }.to_bytes()?;
        // named by what is in it: what two runs write at once is the same, or lies in two files
        let name = format!("{:?}", ContentId::of_bytes(&bytes));
        let path = self.folder.join(&name[..16]).with_extension("parquet");
        let ignored = self.folder.join(".gitignore");
        if !ignored.exists() {
            write_file(&ignored, b"*\n")?;
        }
        write_file(&path, &bytes)?;
        for former in std::mem::take(&mut self.known).iter().filter(|former| **former != path) {
            // one that stays there is read again, and is no harm
            _ = std::fs::remove_file(former);
        }
        self.known.insert(path);
        Ok(())
    }
}

fn locked<T>(what: &Mutex<T>) -> MutexGuard<'_, T> {
    what.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The files of the folder that are parts by their names, in order.
fn parts(folder: &Path) -> BTreeSet<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    entries.filter(|path| path.extension().is_some_and(|ending| ending == "parquet")).collect()
}

/// Whether a file is called as those are that are written here; others are left where they are.
fn is_ours(path: &Path) -> bool {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    name.len() == 16 && name.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Adds what a file holds; hands back what is to be said of it.
fn read(path: &Path, counts: &mut Counts) -> Result<Option<String>, NoPart> {
    let part = Part::read(path)?;
    let (found, left) = rows::counts(&part).map_err(NoPart::Table)?;
    let torn = counts.absorb(found);
    Ok(match (left, torn) {
        (0, 0) => None,
        (0, _) => Some("some of its chunks are known from another file as well, and are left out".to_owned()),
        _ => Some("what another version of houserule counted in it is left out".to_owned()),
    })
}

fn said(path: &Path, remark: &str) -> String {
    format!("note: `{}` is of no use, or not all of it: {remark}", path.display())
}

#[cfg(test)]
mod tests;
