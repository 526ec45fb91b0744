//! A run that is killed at any moment leaves whole files or none, and goes on from where it was.

#![expect(clippy::unwrap_used, reason = "what is missing in a test is a fault of the test")]

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How many runs are killed, at moments spread evenly from the first file to the end of a run.
const KILLS: u32 = 60;

/// A question with so little to play and to draw that most of a run is the writing of its files.
const SCENARIO: &str = r#"
title = "Killed"
test = "t"
trials = 10
baseline = "one"
[variants]
one = "small.rules"
[grid]
n = "0..2"
[[chart]]
kind = "outcomes"
x = "n"
[[chart]]
kind = "curve"
x = "n"
"#;
const RULES: &str = "ruleset \"small\"\noutcome o { good; bad }\nfactor n: 0..2\n\
                     test t -> o { return good if d6 > n else bad }\n";

/// A run in a folder that holds the question.
fn run(folder: &Path, seed: &str, out: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_houserule"));
    command.current_dir(folder).args(["run", "small.toml", "--quiet", "--seed", seed, "--out", out]);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// All files below a folder with their bytes, by their names from there, but for what is kept for the next run.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name().into_string().unwrap();
        match entry.path().is_dir() {
            true if name == ".houserule" => {}
            true => found.extend(
                files(&entry.path()).into_iter().map(|(below, bytes)| (format!("{name}/{below}"), bytes)),
            ),
            false => drop(found.insert(name, std::fs::read(entry.path()).unwrap())),
        }
    }
    found
}

fn is_unfinished(name: &str) -> bool {
    name.rsplit('/').next().unwrap().starts_with(".houserule-") && name.ends_with(".part")
}

/// Waits for the first file of a run that is begun, or for its end.
fn wait_for_writing(child: &mut Child, folder: &Path, before: usize) {
    let begun = || names(folder) > before;
    while !begun() && child.try_wait().unwrap().is_none() {
        std::thread::yield_now();
    }
}

/// How many names there are in a folder, but for what is kept for the next run.
fn names(folder: &Path) -> usize {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter(|entry| entry.file_name() != ".houserule").count()
}

/// How long a run writes.
fn length(folder: &Path, seed: &str, out: &str) -> Duration {
    let mut child = run(folder, seed, out).spawn().unwrap();
    wait_for_writing(&mut child, &folder.join(out), 0);
    let begun = Instant::now();
    assert!(child.wait().unwrap().success());
    begun.elapsed()
}

/// Every file is that of one seed or the other, except those that are marked as unfinished.
fn all_are_whole(killed: &Path, whole: &[BTreeMap<String, Vec<u8>>; 2]) {
    for (name, bytes) in files(killed).into_iter().filter(|(name, _)| !is_unfinished(name)) {
        match name.as_str() {
            // it says how long the run took
            "run.json" => drop(serde_json::from_slice::<serde_json::Value>(&bytes).unwrap()),
            _ => assert!(whole.iter().any(|whole| whole[&name] == bytes), "{name} is not whole"),
        }
    }
}

#[test]
fn a_kill_at_any_moment_of_a_run_leaves_no_half_written_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    std::fs::write(path.join("small.rules"), RULES).unwrap();
    std::fs::write(path.join("small.toml"), SCENARIO).unwrap();
    let seeds = ["1", "2"];
    let length = seeds.map(|seed| length(path, seed, seed))[1];
    let whole = seeds.map(|seed| files(&path.join(seed)));
    assert!(whole[0].len() > 6 && whole[0]["results.csv"] != whole[1]["results.csv"]);
    let killed = path.join("killed");
    let mut unfinished = 0;
    for moment in 0..KILLS {
        if moment % 4 == 0 {
            std::fs::remove_dir_all(&killed).ok();
        }
        let before = names(&killed);
        let mut child = run(path, seeds[moment as usize % 2], "killed").spawn().unwrap();
        wait_for_writing(&mut child, &killed, before);
        std::thread::sleep(length * moment / KILLS);
        child.kill().unwrap();
        child.wait().unwrap();
        all_are_whole(&killed, &whole);
        unfinished += usize::from(files(&killed).keys().any(|name| is_unfinished(name)));
    }
    assert!(unfinished > 0, "no kill came while files were written");
    assert!(run(path, "1", "killed").status().unwrap().success());
    let last = files(&killed);
    assert!(last.keys().eq(whole[0].keys()), "what killed runs left is cleared: {:?}", last.keys());
}

/// A question with enough to play that most of a run is playing.
const LONG: &str = r#"
title = "Killed and resumed"
test = "t"
baseline = "one"
[variants]
one = "long.rules"
[grid]
n = "2..3"
"#;
const LONG_RULES: &str = "ruleset \"long\"\noutcome o { good; bad }\nfactor n: 2..3\n\
                          test t -> o {\n    record left = 0\n    repeat 20 times {\n        record left += 1\n\
                          if d6 + d6 + d6 <= n { return bad }\n    }\n    return good\n}\n";

/// A run of the long question on one thread, and what it prints.
fn long(folder: &Path, trials: u64, out: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_houserule"));
    let trials = trials.to_string();
    let words = ["run", "long.toml", "--trials", &trials, "--threads", "1", "--budget", "0", "--out", out];
    command.current_dir(folder).args(words).stdin(Stdio::null()).stderr(Stdio::piped());
    command
}

/// So many trials that a run takes half a second or more, what it writes, and how long it took.
fn long_enough(folder: &Path) -> (u64, BTreeMap<String, Vec<u8>>, Duration) {
    let mut trials = 1_000_000;
    loop {
        let begun = Instant::now();
        let _ = std::fs::remove_dir_all(folder.join("whole"));
        assert!(long(folder, trials, "whole").output().unwrap().status.success());
        let took = begun.elapsed();
        if took > Duration::from_millis(500) {
            return (trials, files(&folder.join("whole")), took);
        }
        trials *= 2;
    }
}

/// Kills so many runs at moments all over their length, some of them again and again, and lets each of them go on to its end.
fn all_go_on(runs: u32) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    std::fs::write(path.join("long.rules"), LONG_RULES).unwrap();
    std::fs::write(path.join("long.toml"), LONG).unwrap();
    let (trials, mut whole, length) = long_enough(path);
    whole.remove("run.json"); // it says how long the run took
    let (mut gone_on, mut killed) = (0, 0);
    for run in 0..runs {
        let _ = std::fs::remove_dir_all(path.join("killed"));
        for _ in 0..=run % 3 {
            // moments that never come twice, each part of the length as often as any other
            let moment = (f64::from(killed) * 0.618_033_988_75).fract();
            let mut child = long(path, trials, "killed").stdout(Stdio::null()).spawn().unwrap();
            std::thread::sleep(length.mul_f64(moment));
            child.kill().unwrap();
            child.wait().unwrap();
            killed += 1;
        }
        let resumed = long(path, trials, "killed").output().unwrap();
        let said = String::from_utf8_lossy(&resumed.stdout).into_owned();
        assert!(
            resumed.status.success() && resumed.stderr.is_empty(),
            "{}",
            String::from_utf8_lossy(&resumed.stderr)
        );
        let mut ended = files(&path.join("killed"));
        ended.remove("run.json");
        assert!(ended == whole, "after {killed} kills {:?} is not {:?}", ended.keys(), whole.keys());
        gone_on += usize::from(said.lines().any(|line| line.starts_with("Reused ")));
    }
    assert!(gone_on > 0, "no run went on from where another was killed");
}

#[test]
fn runs_that_are_killed_at_any_moment_go_on_and_end_as_if_they_never_were() {
    all_go_on(20);
}

#[test]
#[ignore = "takes minutes: the same with 200 runs"]
fn two_hundred_runs_that_are_killed_end_as_if_they_never_were() {
    all_go_on(200);
}
