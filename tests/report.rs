//! Each committed report is what its scenario gives, byte for byte.

#![expect(clippy::unwrap_used, reason = "what is missing in a test is a fault of the test")]

use std::path::Path;
use std::process::Command;

/// The names of all files below a folder, from there, but for what is not kept: the record of a run, what was played, parts.
fn names(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let name = entry.file_name().into_string().unwrap();
        match entry.path().is_dir() {
            true if name == ".houserule" || name == "parts" => {}
            true => found.extend(names(&entry.path()).iter().map(|below| format!("{name}/{below}"))),
            false => found.push(name),
        }
    }
    found.retain(|name| name != "run.json");
    found.sort();
    found
}

/// The scenarios that come with the program: folder and name.
fn scenarios(root: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for name in names(&root.join("scenarios")) {
        if let Some((folder, stem)) = name.strip_suffix(".toml").and_then(|name| name.split_once('/')) {
            found.push((folder.to_owned(), stem.to_owned()));
        }
    }
    found
}

/// A run ends well only if every expected value of its scenario is met, at a false-alarm rate of one in a thousand for
/// each scenario; the seeds stand in the files.
#[test]
fn every_committed_report_is_what_the_run_writes_and_meets_what_is_expected() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let all = scenarios(root);
    assert!(all.len() >= 20, "only {} scenarios found", all.len());
    for (scenario, stem) in all {
        let (kept, folder) = (root.join("reports").join(&scenario).join(&stem), tempfile::tempdir().unwrap());
        let mut run = Command::new(env!("CARGO_BIN_EXE_houserule"));
        run.current_dir(root).args(["run", &format!("scenarios/{scenario}/{stem}.toml"), "--quiet", "--out"]);
        assert!(run.arg(folder.path()).status().unwrap().success(), "{scenario}/{stem}");
        let again = format!("run scenarios/{scenario}/{stem}.toml again and keep what it writes");
        assert_eq!(names(folder.path()), names(&kept), "{again}");
        for name in names(&kept) {
            let same =
                std::fs::read(folder.path().join(&name)).unwrap() == std::fs::read(kept.join(&name)).unwrap();
            assert!(same, "{name}: {again}");
        }
    }
}
