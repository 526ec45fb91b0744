//! A run that is killed at any moment leaves whole files or none.

#![expect(clippy::unwrap_used, reason = "what is missing in a test is a fault of the test")]

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

/// How many runs are killed, at moments spread evenly over a run and a little beyond.
const KILLS: u32 = 24;

fn run(out: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_houserule"));
    command.current_dir(env!("CARGO_MANIFEST_DIR"));
    command
        .args(["run", "scenarios/black-powder/break-test.toml", "--trials", "1000", "--quiet", "--out"])
        .arg(out);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// All files below a folder with their bytes, by their names from there.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name().into_string().unwrap();
        match entry.path().is_dir() {
            true => found.extend(
                files(&entry.path()).into_iter().map(|(below, bytes)| (format!("{name}/{below}"), bytes)),
            ),
            false => drop(found.insert(name, std::fs::read(entry.path()).unwrap())),
        }
    }
    found
}

#[test]
fn a_kill_at_any_moment_of_a_run_leaves_no_half_written_file() {
    let folder = tempfile::tempdir().unwrap();
    let whole = folder.path().join("whole");
    let started = Instant::now();
    assert!(run(&whole).status().unwrap().success());
    let length = started.elapsed();
    let whole = files(&whole);
    assert!(whole.len() > 6, "{:?}", whole.keys());
    let killed = folder.path().join("killed");
    for moment in 1..=KILLS {
        let mut child = run(&killed).spawn().unwrap();
        std::thread::sleep(length * moment / (KILLS - 4));
        child.kill().unwrap();
        child.wait().unwrap();
        for (name, bytes) in files(&killed) {
            let file = name.rsplit('/').next().unwrap();
            match file {
                "run.json" => assert!(serde_json::from_slice::<serde_json::Value>(&bytes).is_ok(), "{name}"),
                _ if file.starts_with(".houserule-") => {}
                _ => assert!(whole[&name] == bytes, "{name} is not whole after kill {moment}"),
            }
        }
        if moment % 2 == 0 {
            std::fs::remove_dir_all(&killed).ok();
        }
    }
    assert!(run(&killed).status().unwrap().success());
    let (last, names) = (files(&killed), whole.keys());
    assert!(last.keys().eq(names), "what killed runs left unfinished is cleared: {:?}", last.keys());
}
