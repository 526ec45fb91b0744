//! `--watch`: what is saved is played again, and a mistake leaves the last good result as it was.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test may fall")]

#[path = "support/program.rs"]
mod program;

use program::{fresh, houserule};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

/// The program while it watches; all that it says goes into one file.
struct Watching {
    child: Child,
    said: PathBuf,
    heard: usize,
}

impl Watching {
    fn start(folder: &Path, words: &[&str]) -> Self {
        let said = folder.join("said");
        let file = fs::File::create(&said).unwrap();
        let mut command = houserule(folder, words);
        command.stdout(file.try_clone().unwrap()).stderr(file).stdin(Stdio::null());
        Self { child: command.spawn().unwrap(), said, heard: 0 }
    }

    /// Everything that it says until it waits again.
    fn next(&mut self) -> String {
        loop {
            let ended = self.child.try_wait().unwrap();
            let text = fs::read_to_string(&self.said).unwrap();
            let new = &text[self.heard..];
            if new.contains("; Ctrl-C ends it.\n") {
                let new = new.to_owned();
                self.heard = text.len();
                return new;
            }
            assert!(ended.is_none(), "it ended: {text}");
            sleep(Duration::from_millis(20));
        }
    }

    /// Presses Ctrl-C and says how it ended.
    fn end(mut self) -> Option<i32> {
        let pressed = Command::new("kill").args(["-INT", &self.child.id().to_string()]).status().unwrap();
        assert!(pressed.success());
        self.child.wait().unwrap().code()
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.child.kill();
    }
}

/// Saves as many editors do: a new file takes the old one's place.
fn change(file: &Path, from: &str, to: &str) {
    let text = fs::read_to_string(file).unwrap();
    assert!(text.contains(from), "{from}: {text}");
    let new = file.with_extension("new");
    fs::write(&new, text.replace(from, to)).unwrap();
    fs::rename(new, file).unwrap();
}

/// Raw troops in cover that have lost three figures: how often they rout under the draft, as `results.csv` has it.
fn routs(folder: &Path) -> String {
    let table = fs::read_to_string(folder.join("reports/mine/scenario/results.csv")).unwrap();
    let row = table.lines().find(|line| line.starts_with("draft,raw,3,yes,result,rout,")).unwrap();
    row.split(',').nth(12).unwrap().to_owned()
}

#[test]
fn a_run_follows_its_files_and_a_mistake_leaves_the_last_result() {
    let folder = fresh();
    let draft = folder.path().join("mine/draft.rules");
    let mut watching =
        Watching::start(folder.path(), &["run", "mine/scenario.toml", "--watch", "--trials", "100"]);
    let first = watching.next();
    assert!(first.contains("Watching base.rules, draft.rules, scenario.toml; Ctrl-C ends it."), "{first}");
    // the first loss does not count, and cover is worth 2
    let before = routs(folder.path());
    assert_eq!(before, "5/12", "2d6 + 2 - 2 is 6 or less in 15 of 36");

    change(&draft, "cover_bonus: 0..3 = 2", "cover_bonus: 0..3 = 3");
    let second = watching.next();
    assert!(second.starts_with("draft.rules: saved.\n"), "{second}");
    assert_eq!(routs(folder.path()), "5/18", "2d6 + 3 - 2 is 6 or less in 10 of 36");

    change(&draft, "if cover ", "if covr ");
    let third = watching.next();
    assert!(third.contains("did you mean `cover`?"), "{third}");
    assert!(
        third.contains("\nThe last good result is still in reports/mine/scenario/report.html\n"),
        "{third}"
    );
    assert_eq!(routs(folder.path()), "5/18", "it is");

    change(&draft, "if covr ", "if cover ");
    change(&draft, "cover_bonus: 0..3 = 3", "cover_bonus: 0..3 = 0");
    while routs(folder.path()) == "5/18" {
        watching.next();
    }
    assert_eq!(routs(folder.path()), "13/18", "2d6 - 2 is 6 or less in 26 of 36");
    assert_eq!(watching.end(), Some(130));
}

#[test]
fn a_comparison_follows_its_files_too() {
    let folder = fresh();
    let words = ["compare", "mine/base.rules", "mine/draft.rules", "--watch", "--trials", "100"];
    let mut watching = Watching::start(folder.path(), &words);
    assert!(watching.next().contains("Watching base.rules, draft.rules; Ctrl-C ends it."));
    change(&folder.path().join("mine/base.rules"), "let score = 2d6", "let score = 3d6");
    let second = watching.next();
    assert!(second.starts_with("base.rules: saved.\n") && second.contains("against base"), "{second}");
    assert_eq!(watching.end(), Some(130));
}

#[test]
fn watching_ends_when_its_reader_has_gone() {
    let folder = fresh();
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let words = ["run", "mine/scenario.toml", "--watch", "--trials", "100"];
    let mut command = houserule(folder.path(), &words);
    let status = command.stdin(Stdio::null()).stderr(Stdio::null()).stdout(writer).status().unwrap();
    assert_eq!(status.code(), Some(0));
}

#[test]
fn what_no_file_can_mend_is_not_waited_for() {
    let folder = fresh();
    let words = ["compare", "mine/base.rules", "mine/draft.rules", "--watch", "--set", "luck=3"];
    let ended = program::run(folder.path(), &words);
    assert_eq!((ended.code, ended.out.as_str()), (Some(2), ""), "{}", ended.err);
}
