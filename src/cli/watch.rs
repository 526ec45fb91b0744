//! `--watch`: does its work again whenever a file that it read is saved.
//!
//! In: files that are named on the command line, and the work, which says what else it read. Out: the work, again and
//! again, until Ctrl-C.
//!
//! Folders are looked at a few times a second. That costs next to nothing, sees files that editors put in another's
//! place, and works on network drives too, where systems do not tell of changes.
//!
//! **Never:** what the work is.

use super::{Exit, interrupt, render};
use crate::diagnostic::Sources;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Result;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// How often folders are looked at.
const TICK: Duration = Duration::from_millis(200);

/// How long a file must stay as it is before it is read: editors write in several steps.
const CALM: Duration = Duration::from_millis(50);

/// When a file was written last, and how long it is.
type Stamp = (Option<SystemTime>, u64);

/// One piece of work.
struct Watched {
    /// The files that it read last, and those that it was named.
    files: BTreeSet<PathBuf>,
    /// What lay in their folders.
    seen: BTreeMap<PathBuf, Stamp>,
    /// Whether a file was wrong, so that one that was never read may be what is missing.
    wrong: bool,
}

/// Does each piece of `work` once, then again whenever a file of its own has changed. `named` holds the files of each on
/// the command line; `work` fills in what it read, and gives nothing once nobody reads what it prints; `kept` says what is still there of its last good result.
///
/// # Errors
/// What the work gives.
pub(super) fn again(
    named: &[Vec<PathBuf>],
    mut work: impl FnMut(usize, &mut Sources) -> Result<Option<Exit>>,
    kept: impl Fn(usize) -> Option<String>,
) -> Result<Exit> {
    let mut all: Vec<Watched> = named.iter().map(|files| Watched::new(files)).collect();
    let mut due: Vec<usize> = (0..all.len()).collect();
    loop {
        for at in std::mem::take(&mut due) {
            let mut sources = Sources::default();
            let Some(exit) = work(at, &mut sources)? else { return Ok(Exit::Done) };
            if exit == Exit::Usage && all[at].files.len() == named[at].len() {
                return Ok(exit); // it was never done: no file is at fault
            }
            all[at].read(&named[at], &sources, exit);
            if all[at].wrong {
                kept(at).into_iter().for_each(|line| render::say(&line));
            }
            if exit == Exit::Interrupted {
                return Ok(exit);
            }
        }
        render::say(&format!("\nWatching {}; Ctrl-C ends it.", names(&all)));
        if interrupt::at_once() {
            return Ok(Exit::Interrupted);
        }
        let changed = wait(&mut all);
        due.extend(changed.iter().map(|(at, _)| *at));
        let changed: BTreeSet<String> =
            changed.into_iter().flat_map(|(_, files)| files).map(|file| short(&file)).collect();
        render::say(&format!("{}: saved.\n", Vec::from_iter(changed).join(", ")));
    }
}

/// Waits until something has changed, and says for which work which files.
fn wait(all: &mut [Watched]) -> Vec<(usize, Vec<PathBuf>)> {
    loop {
        std::thread::sleep(TICK);
        let changed = all.iter_mut().enumerate().map(|(at, one)| (at, one.changed()));
        let changed: Vec<_> = changed.filter(|(_, files)| !files.is_empty()).collect();
        if !changed.is_empty() {
            return changed;
        }
    }
}

/// The files that are looked at, in short.
fn names(all: &[Watched]) -> String {
    let files: BTreeSet<String> = all.iter().flat_map(|one| &one.files).map(|file| short(file)).collect();
    match files.len() {
        0..=4 => Vec::from_iter(files).join(", "),
        many => format!("{many} files"),
    }
}

fn short(file: &Path) -> String {
    file.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

impl Watched {
    fn new(named: &[PathBuf]) -> Self {
        let files: BTreeSet<PathBuf> = named.iter().cloned().collect();
        Self { seen: stamps(&files), files, wrong: false }
    }

    /// Takes note of what was read. What changed meanwhile, in a folder that was known before, is still to be seen.
    fn read(&mut self, named: &[PathBuf], sources: &Sources, exit: Exit) {
        self.wrong = matches!(exit, Exit::BadFile | Exit::Usage);
        let read = sources.iter().map(|source| source.path.clone()).filter(|path| path.exists());
        let files: BTreeSet<PathBuf> = named.iter().cloned().chain(read).collect();
        if self.wrong {
            self.files.extend(files); // what was not reached this time may still be what must be mended
        } else {
            self.files = files;
        }
        for (file, stamp) in stamps(&self.files) {
            self.seen.entry(file).or_insert(stamp);
        }
    }

    /// Which of the files have changed, once they are as they shall be.
    fn changed(&mut self) -> Vec<PathBuf> {
        let mut now = stamps(&self.files);
        if now == self.seen {
            return Vec::new();
        }
        loop {
            std::thread::sleep(CALM);
            let later = stamps(&self.files);
            if later == now {
                break;
            }
            now = later;
        }
        let all: BTreeSet<&PathBuf> = now.keys().chain(self.seen.keys()).collect();
        let differs = |file: &&PathBuf| now.get(*file) != self.seen.get(*file);
        let ours = |file: &&PathBuf| self.wrong || self.files.contains(*file);
        let changed = all.into_iter().filter(differs).filter(ours).cloned().collect();
        self.seen = now;
        changed
    }
}

/// All rules and scenarios in the folders of these files.
fn stamps(files: &BTreeSet<PathBuf>) -> BTreeMap<PathBuf, Stamp> {
    let folders: BTreeSet<&Path> = files.iter().filter_map(|file| file.parent()).collect();
    let mut stamps = BTreeMap::new();
    for folder in folders {
        let place = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        for entry in std::fs::read_dir(place).into_iter().flatten().flatten() {
            let file = folder.join(entry.file_name());
            let is_ours = file.extension().is_some_and(|ending| ending == "rules" || ending == "toml");
            if let (true, Ok(data)) = (is_ours, std::fs::metadata(&file)) {
                stamps.insert(file, (data.modified().ok(), data.len()));
            }
        }
    }
    stamps
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn saved(watched: &mut Watched) -> Vec<String> {
        watched.changed().iter().map(|file| short(file)).collect()
    }

    #[test]
    fn a_file_that_is_saved_or_put_in_the_place_of_another_is_noticed_and_others_are_not() {
        let folder = tempfile::tempdir().unwrap();
        let [rules, other] = ["a.rules", "b.rules"].map(|name| folder.path().join(name));
        fs::write(&rules, "one").unwrap();
        let mut watched = Watched::new(std::slice::from_ref(&rules));
        assert!(saved(&mut watched).is_empty());
        fs::write(&rules, "three").unwrap();
        assert_eq!(saved(&mut watched), ["a.rules"]);
        fs::write(&other, "another's").unwrap();
        assert!(saved(&mut watched).is_empty(), "nobody read it");
        fs::rename(&other, &rules).unwrap();
        assert_eq!(saved(&mut watched), ["a.rules"]);
        fs::remove_file(&rules).unwrap();
        assert_eq!(saved(&mut watched), ["a.rules"]);
    }

    #[test]
    fn where_something_is_wrong_a_new_file_may_be_what_was_missing() {
        let folder = tempfile::tempdir().unwrap();
        let [rules, missing] = ["a.rules", "b.rules"].map(|name| folder.path().join(name));
        fs::write(&rules, "one").unwrap();
        let named = [rules];
        let mut watched = Watched::new(&named);
        watched.read(&named, &Sources::default(), Exit::BadFile);
        fs::write(missing, "here").unwrap();
        assert_eq!(saved(&mut watched), ["b.rules"]);
    }
}
