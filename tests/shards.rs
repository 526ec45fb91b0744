//! What was played is not played again, whole runs and runs in parts are the same, and no file can make numbers wrong.

#![expect(clippy::unwrap_used, reason = "what is missing in a test is a fault of the test")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Three whole chunks and a short one.
const TRIALS: u64 = 200_000;
const WHOLE: u64 = 3 * 65_536;

/// Two drafts in two situations: four plans, all of them different.
const SCENARIO: &str = r#"
title = "Parts"
test = "rally"
trials = 200_000
seed = 7
baseline = "base"
joint = ["tries", "lost"]
[variants]
base = "base.rules"
draft = "draft.rules"
[grid]
shaken = [false, true]
[[expect]]
variant = "base"
situation = { shaken = false }
value = "P(rallied) = 7/8"
source = "each of three throws of a coin fails with 1/2"
"#;
const BASE: &str = r#"ruleset "base"
outcome o { rallied; routed }
factor shaken: flag = no
test rally -> o {
    record lost = d6
    repeat 3 times {
        record tries += 1
        if d6 >= (5 if shaken else 4) { return rallied }
    }
    return routed
}
"#;
const DRAFT: &str = r#"ruleset "draft"
extends "base.rules"
override test rally -> o {
    record lost = d6
    repeat 4 times {
        record tries += 1
        if d6 >= (5 if shaken else 4) { return rallied }
    }
    return routed
}
"#;

/// A folder with the question.
fn asked() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("q.toml", SCENARIO), ("base.rules", BASE), ("draft.rules", DRAFT)] {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

/// How it ended, and what it said: on standard output, on standard error.
fn houserule(folder: &Path, words: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_houserule"));
    let output = command.current_dir(folder).args(words).stdin(Stdio::null()).output().unwrap();
    let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    (output.status.code(), out, err)
}

/// A command that ends well and complains of nothing; what it prints.
fn well(folder: &Path, words: &[&str]) -> String {
    let (code, out, err) = houserule(folder, words);
    assert_eq!((code, err.as_str()), (Some(0), ""), "{words:?}");
    out
}

/// All files of a run but for what it keeps for the next one; its record without the time that it took.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        match path.is_dir() {
            true if name == ".houserule" || name == "parts" => {}
            true => found
                .extend(files(&path).into_iter().map(|(below, bytes)| (Path::new(&name).join(below), bytes))),
            false => drop(found.insert(name.into(), without_time(&std::fs::read(path).unwrap()))),
        }
    }
    found
}

fn without_time(bytes: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(bytes);
    if !text.contains("\"seconds\"") {
        return bytes.to_vec();
    }
    text.lines().filter(|line| !line.contains("\"seconds\"")).collect::<Vec<_>>().join("\n").into_bytes()
}

/// The files that hold what was played.
fn kept(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder.join(".houserule")).unwrap().map(|entry| entry.unwrap().path());
    let mut kept: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|e| e == "parquet")).collect();
    kept.sort();
    kept
}

/// The parts of a run of so many shards.
fn parts(folder: &Path, of: u64, out: &str) -> Vec<String> {
    for number in 1..=of {
        well(folder, &["run", "q.toml", "--out", out, "--quiet", "--shard", &format!("{number}/{of}")]);
    }
    (1..=of).map(|number| format!("{out}/parts/shard-{number}-of-{of}.parquet")).collect()
}

fn merge<'w>(parts: &'w [String], out: &'w str) -> Vec<&'w str> {
    let mut words = vec!["merge"];
    words.extend(parts.iter().map(String::as_str));
    words.extend(["--quiet", "-o", out]);
    words
}

/// `Reused 1,234 of 5,678 trials`
fn reused(out: &str) -> Option<(u64, u64)> {
    let line = out.lines().find_map(|line| line.strip_prefix("Reused "))?;
    let (reused, of) = line.strip_suffix(" trials")?.split_once(" of ")?;
    let number = |text: &str| text.replace(',', "").parse().unwrap();
    Some((number(reused), number(of)))
}

#[test]
fn one_run_and_its_shards_merged_are_the_same_to_the_byte() {
    let folder = asked();
    let path = folder.path();
    well(path, &["run", "q.toml", "--out", "one", "--quiet"]);
    let one = files(&path.join("one"));
    assert!(one.len() > 6, "{:?}", one.keys());
    // 40 shards for 16 chunks: most of them are empty
    for of in [1, 3, 7, 40] {
        let (shards, merged) = (format!("shards-{of}"), format!("merged-{of}"));
        let parts = parts(path, of, &shards);
        well(path, &merge(&parts, &merged));
        assert!(files(&path.join(&merged)) == one, "{of} shards");
    }
}

#[test]
fn parts_carry_all_that_a_merge_needs() {
    let (folder, elsewhere) = (asked(), tempfile::tempdir().unwrap());
    let path = folder.path();
    let flags = ["--trials", "100_000", "--seed", "99", "--quiet"];
    well(path, &[&["run", "q.toml", "--out", "one"], &flags[..]].concat());
    for shard in ["1/2", "2/2"] {
        well(path, &[&["run", "q.toml", "--out", "s", "--shard", shard], &flags[..]].concat());
    }
    for part in ["shard-1-of-2.parquet", "shard-2-of-2.parquet"] {
        std::fs::rename(path.join("s/parts").join(part), elsewhere.path().join(part)).unwrap();
    }
    // any order, any place
    well(elsewhere.path(), &["merge", "shard-2-of-2.parquet", "shard-1-of-2.parquet", "--quiet"]);
    let usual = path.file_name().unwrap();
    let merged = elsewhere.path().join("reports").join(usual).join("q");
    assert!(files(&merged) == files(&path.join("one")));
}

#[test]
fn what_a_part_would_lose_is_refused_with_what_to_write_instead() {
    let folder = asked();
    for (option, line) in [("--paired", "paired = true"), ("--pictures=dark", "pictures = [...]")] {
        let (code, _, told) = houserule(folder.path(), &["run", "q.toml", "--shard", "1/2", option]);
        assert_eq!(code, Some(2), "{told}");
        assert!(told.contains(line), "{told}");
    }
}

#[test]
fn a_rerun_plays_nothing_and_gives_the_same_bytes() {
    let folder = asked();
    let path = folder.path();
    assert_eq!(reused(&well(path, &["run", "q.toml", "--out", "one"])), None);
    let (first, store) = (files(&path.join("one")), kept(&path.join("one")));
    let all = 4 * TRIALS;
    assert_eq!(reused(&well(path, &["run", "q.toml", "--out", "one"])), Some((all, all)));
    assert!(files(&path.join("one")) == first && kept(&path.join("one")) == store);
    assert_eq!(reused(&well(path, &["run", "q.toml", "--out", "one", "--fresh"])), None);
    assert!(files(&path.join("one")) == first && kept(&path.join("one")) == store);
    assert_eq!(reused(&well(path, &["run", "q.toml", "--out", "one", "--seed", "8"])), None);
}

#[test]
fn a_changed_draft_is_played_again_and_nothing_else() {
    let folder = asked();
    let path = folder.path();
    well(path, &["run", "q.toml", "--out", "one", "--quiet"]);
    std::fs::write(path.join("draft.rules"), DRAFT.replace("repeat 4", "repeat 5")).unwrap();
    assert_eq!(reused(&well(path, &["run", "q.toml", "--out", "one"])), Some((2 * TRIALS, 4 * TRIALS)));
    // a change of words alone changes nothing that is played
    std::fs::write(path.join("base.rules"), BASE.replace("\"base\"", "\"another name\"")).unwrap();
    assert_eq!(reused(&well(path, &["run", "q.toml", "--out", "one"])), Some((4 * TRIALS, 4 * TRIALS)));
    well(path, &["run", "q.toml", "--out", "two", "--quiet"]);
    assert!(files(&path.join("one")) == files(&path.join("two")));
    // and the old draft is still known
    std::fs::write(path.join("draft.rules"), DRAFT).unwrap();
    assert_eq!(reused(&well(path, &["run", "q.toml", "--out", "one"])), Some((4 * TRIALS, 4 * TRIALS)));
}

#[test]
fn more_trials_take_up_whole_chunks_and_never_a_short_one() {
    let folder = asked();
    let path = folder.path();
    well(path, &["run", "q.toml", "--out", "one", "--quiet"]);
    let more = |out| ["run", "q.toml", "--trials", "400_000", "--out", out];
    assert_eq!(reused(&well(path, &more("one"))), Some((4 * WHOLE, 4 * 400_000)));
    well(path, &more("two"));
    assert!(files(&path.join("one")) == files(&path.join("two")));
    // what was asked for first can still be had
    assert_eq!(reused(&well(path, &["run", "q.toml", "--out", "one"])), Some((4 * TRIALS, 4 * TRIALS)));
}

#[test]
fn other_joint_records_are_counted_anew() {
    let folder = asked();
    let path = folder.path();
    well(path, &["run", "q.toml", "--out", "one", "--quiet"]);
    for joint in ["[\"lost\", \"tries\"]", "[]"] {
        let other = SCENARIO.replace("[\"tries\", \"lost\"]", joint);
        std::fs::write(path.join("q.toml"), other).unwrap();
        assert_eq!(reused(&well(path, &["run", "q.toml", "--out", "one"])), None);
        well(path, &["run", "q.toml", "--out", "two", "--quiet", "--fresh"]);
        assert!(files(&path.join("one")) == files(&path.join("two")), "{joint}");
    }
}

#[test]
fn any_number_of_threads_goes_on_from_what_another_left() {
    let folder = asked();
    let path = folder.path();
    let run = |out, trials, threads| {
        well(path, &["run", "q.toml", "--out", out, "--trials", trials, "--threads", threads, "--quiet"]);
        files(&path.join(out))
    };
    let whole = run("whole", "1_000_000", "1");
    for (out, threads) in [("2", "2"), ("7", "7")] {
        run(out, "300_000", "1");
        assert!(run(out, "1_000_000", threads) == whole, "{threads} threads");
    }
}

/// Every way to spoil a file that is tried.
fn spoilt(bytes: &[u8]) -> Vec<Vec<u8>> {
    let flipped = (0..bytes.len()).step_by(bytes.len() / 12 + 1).map(|at| {
        let mut changed = bytes.to_vec();
        changed[at] ^= 0x10;
        changed
    });
    let cut = (0..4).map(|quarter| bytes[..bytes.len() * quarter / 4].to_vec());
    flipped.chain(cut).chain([b"a text".to_vec(), [bytes, bytes].concat()]).collect()
}

#[test]
fn a_damaged_store_is_told_of_and_changes_no_number() {
    let folder = asked();
    let path = folder.path();
    let words = ["run", "q.toml", "--out", "one", "--trials", "70_000", "--quiet"];
    well(path, &words);
    let whole = files(&path.join("one"));
    let [store] = &kept(&path.join("one"))[..] else { panic!("one file") };
    let bytes = std::fs::read(store).unwrap();
    for (number, spoilt) in spoilt(&bytes).into_iter().enumerate() {
        std::fs::remove_dir_all(path.join("one/.houserule")).unwrap();
        std::fs::create_dir(path.join("one/.houserule")).unwrap();
        let bad = path.join("one/.houserule/bad.parquet");
        std::fs::write(&bad, &spoilt).unwrap();
        let (code, _, err) = houserule(path, &words);
        assert_eq!(code, Some(0), "{number}: {err}");
        assert!(err.starts_with("note: ") && err.contains("bad.parquet"), "{number}: {err}");
        assert_eq!(err.lines().count(), 1, "{number}: {err}");
        assert!(files(&path.join("one")) == whole, "{number}");
        assert!(std::fs::read(&bad).unwrap() == spoilt, "what is not ours is left alone");
    }
}

#[test]
fn stores_that_share_chunks_are_used_once() {
    let folder = asked();
    let path = folder.path();
    let run = |out, trials| well(path, &["run", "q.toml", "--out", out, "--trials", trials]);
    // four chunks; three and a short one; the four again
    run("one", "262_144");
    let parts = parts(path, 1, "two");
    let copy = |from: &Path, to| std::fs::copy(from, path.join("one/.houserule").join(to)).unwrap();
    copy(&path.join(&parts[0]), "b.parquet");
    let again = kept(&path.join("one"))[0].clone();
    copy(&again, "c.parquet");
    run("three", "655_360");
    assert_eq!(reused(&run("one", "655_360")), Some((4 * 262_144, 4 * 655_360)));
    assert!(files(&path.join("one")) == files(&path.join("three")));
    assert_eq!(kept(&path.join("one")).len(), 1, "all of them are in one file now");
    // the short chunks of the part are known now
    assert_eq!(reused(&run("one", "200_000")).unwrap().0, 4 * (TRIALS - WHOLE));
}

/// What a merge that is refused says.
fn refused(folder: &Path, parts: &[String]) -> String {
    let (code, out, err) = houserule(folder, &merge(parts, "never"));
    assert_eq!((code, out.as_str()), (Some(3), ""), "{err}");
    assert!(err.contains("nothing was merged") && !err.contains("fault in houserule"), "{err}");
    assert!(!folder.join("never").exists());
    err
}

#[test]
fn a_merge_of_what_does_not_belong_together_is_refused_in_words() {
    let folder = asked();
    let path = folder.path();
    let good = parts(path, 3, "good");
    let missing = refused(path, &[good[0].clone(), good[0].clone()]);
    assert!(missing.contains("both shard 1 of 3") && missing.contains("missing: 2, 3"), "{missing}");
    let two = parts(path, 2, "two");
    assert!(refused(path, &[&good[..], &two[..1]].concat()).contains("one of 2 shards, not of 3"));
    let other = |flags: &[&str], out: &str| {
        well(path, &[&["run", "q.toml", "--quiet", "--shard", "3/3", "--out", out], flags].concat());
        refused(path, &[good[0].clone(), good[1].clone(), format!("{out}/parts/shard-3-of-3.parquet")])
    };
    assert!(other(&["--seed", "8"], "seed").contains("the seed is 8 there, not 7"));
    assert!(other(&["--trials", "300_000"], "trials").contains("300000 trials, not of 200000"));
    std::fs::write(path.join("draft.rules"), DRAFT.replace("repeat 4", "repeat 5")).unwrap();
    assert!(other(&[], "text").contains("`draft.rules` had another text"));
}

#[test]
fn a_merge_of_damaged_parts_is_refused_in_words() {
    let folder = asked();
    let path = folder.path();
    let mut parts = parts(path, 2, "s");
    let bytes = std::fs::read(path.join(&parts[1])).unwrap();
    parts[1] = "bad.parquet".to_owned();
    for spoilt in spoilt(&bytes) {
        std::fs::write(path.join("bad.parquet"), spoilt).unwrap();
        assert!(refused(path, &parts).contains("`bad.parquet` is no part of a run"));
    }
    std::fs::remove_file(path.join("bad.parquet")).unwrap();
    assert!(refused(path, &parts).contains("`bad.parquet` is no part of a run: it cannot be read"));
    // what a run keeps for itself is sound, but no shard
    well(path, &["run", "q.toml", "--out", "one", "--quiet"]);
    let store = kept(&path.join("one"))[0].display().to_string();
    assert!(refused(path, &[store]).contains("does not say of which run"));
}

#[test]
fn a_shard_that_cannot_be_is_wrong_usage() {
    for shard in ["0/3", "4/3", "1", "1/0", "a/b", "-1/2", "1/2/3"] {
        let (code, _, err) = houserule(Path::new("."), &["run", "q.toml", "--shard", shard]);
        assert_eq!(code, Some(2), "{shard}");
        assert!(err.contains("error:"), "{err}");
    }
}

/// The true difference is 6.25 points, so that 200,000 trials are mostly too few to tell it from 6.1.
const CLAIM: &str = r#"
[[claim]]
text = "a fourth try is worth more than 6.1 points"
where = "not shaken"
holds = "P(rallied) in draft > P(rallied) in base by 6.1 points"
"#;

#[test]
fn a_merge_decides_claims_as_one_run_does_and_a_rerun_reuses_their_trials_too() {
    let folder = asked();
    let path = folder.path();
    std::fs::write(path.join("q.toml"), format!("{SCENARIO}{CLAIM}")).unwrap();
    let run = ["run", "q.toml", "--budget", "0", "--out"];
    well(path, &[&run[..], &["one", "--quiet"]].concat());
    let one = files(&path.join("one"));
    for shard in ["1/2", "2/2"] {
        well(path, &[&run[..], &["s", "--quiet", "--shard", shard]].concat());
    }
    let parts = [1, 2].map(|number| format!("s/parts/shard-{number}-of-2.parquet"));
    well(path, &merge(&parts, "merged"));
    assert!(files(&path.join("merged")) == one);
    let (again, all) = reused(&well(path, &[&run[..], &["one"]].concat())).unwrap();
    assert!(again == all && all > 4 * TRIALS, "{again} of {all}");
    assert!(files(&path.join("one")) == one);
}

#[test]
fn a_shard_goes_on_from_what_was_kept_and_a_run_from_what_shards_left() {
    let folder = asked();
    let path = folder.path();
    // 16 chunks, of which four are short, dealt out to five
    let shard = |number: u64| {
        reused(&well(path, &["run", "q.toml", "--out", "s", "--shard", &format!("{number}/5")]))
    };
    assert!((1..=5).all(|number| shard(number).is_none()));
    let again: Vec<(u64, u64)> = (1..=5).map(|number| shard(number).unwrap()).collect();
    assert!(again.iter().all(|(reused, of)| reused == of), "{again:?}");
    let sizes: Vec<u64> = again.iter().map(|(_, of)| *of).collect();
    assert_eq!(sizes.iter().sum::<u64>(), 4 * TRIALS);
    assert!(sizes.iter().all(|size| (2 * 65_536..=4 * 65_536).contains(size)), "{sizes:?}");
    assert_eq!(reused(&well(path, &["run", "q.toml", "--out", "s"])), Some((4 * TRIALS, 4 * TRIALS)));
}
