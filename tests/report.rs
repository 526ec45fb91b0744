//! The committed report is what the scenario beside it gives, byte for byte.

#![expect(clippy::unwrap_used, reason = "what is missing in a test is a fault of the test")]

use std::path::Path;
use std::process::Command;

/// The names of all files below a folder, from there, but for the record of the run, which is not kept.
fn names(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let name = entry.file_name().into_string().unwrap();
        match entry.path().is_dir() {
            true => found.extend(names(&entry.path()).iter().map(|below| format!("{name}/{below}"))),
            false => found.push(name),
        }
    }
    found.retain(|name| name != "run.json");
    found.sort();
    found
}

#[test]
fn the_report_of_the_break_tests_is_what_the_run_writes() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (kept, folder) = (root.join("reports/black-powder/break-test"), tempfile::tempdir().unwrap());
    let mut run = Command::new(env!("CARGO_BIN_EXE_houserule"));
    run.current_dir(root).args(["run", "scenarios/black-powder/break-test.toml", "--quiet", "--out"]);
    assert!(run.arg(folder.path()).status().unwrap().success());
    assert_eq!(names(folder.path()), names(&kept), "run the scenario again and keep what it writes");
    for name in names(&kept) {
        let same =
            std::fs::read(folder.path().join(&name)).unwrap() == std::fs::read(kept.join(&name)).unwrap();
        assert!(same, "{name} is not what the run writes: run the scenario again");
    }
}
