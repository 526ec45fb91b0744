//! Full disks, readers that leave, Ctrl-C: nothing is lost or half written.

use super::*;

#[test]
fn a_reader_that_leaves_early_is_no_error() {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader); // as `| head` does, only sooner
    let ended = ended(houserule(Path::new("."), &["help", "rules"]).stdout(writer).output().unwrap());
    assert_eq!((ended.code, ended.err.as_str()), (Some(0), ""));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told_and_is_not_called_a_fault_of_a_file() {
    let full = std::fs::File::create("/dev/full").unwrap();
    let ended = ended(houserule(Path::new("."), &["help", "rules"]).stdout(full).output().unwrap());
    assert_eq!(ended.code, Some(1));
    assert!(ended.err.starts_with("error: the output cannot be written"), "{}", ended.err);
}

#[test]
fn a_place_that_cannot_be_written_to_is_told_and_nothing_is_broken() {
    let folder = fresh();
    let words = ["run", "mine/scenario.toml", "--trials", "10", "--out", "mine/base.rules"];
    let before = std::fs::read(folder.path().join("mine/base.rules")).unwrap();
    let ended = run(folder.path(), &words);
    assert_eq!((ended.code, ended.out.as_str()), (Some(1), ""));
    assert!(ended.err.contains("mine/base.rules") && ended.err.contains("--out"), "{}", ended.err);
    assert!(!ended.err.contains("fault in houserule"), "{}", ended.err);
    assert_eq!(std::fs::read(folder.path().join("mine/base.rules")).unwrap(), before);
}

#[test]
fn rolls_end_when_nobody_reads_them_any_more() {
    let folder = fresh();
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let many = u64::MAX.to_string(); // would not end in this world
    let mut command = houserule(folder.path(), &["roll", "mine/base.rules", "--times", &many]);
    let ended = ended(command.stdout(writer).output().unwrap());
    assert_eq!((ended.code, ended.err.as_str()), (Some(0), ""));
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_ends_any_command_with_130() {
    use std::io::Read;
    let folder = fresh();
    let many = u64::MAX.to_string(); // it stops when the pipe is full
    let mut command = houserule(folder.path(), &["roll", "mine/base.rules", "--times", &many]);
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    child.stdout.as_mut().unwrap().read_exact(&mut [0]).unwrap();
    press_ctrl_c(child.id());
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

/// Whether a process is at work: beside its first thread, its own and the one that hears Ctrl-C, it has others.
#[cfg(target_os = "linux")]
fn is_at_work(process: u32) -> bool {
    std::fs::read_dir(format!("/proc/{process}/task")).unwrap().count() > 3
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_ends_a_run_with_130_and_leaves_nothing() {
    let folder = fresh();
    let words = ["run", "mine/scenario.toml", "--threads", "2", "--trials", "1_000_000_000_000"]; // hours
    let child =
        houserule(folder.path(), &words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let process = child.id();
    while !is_at_work(process) {
        std::thread::yield_now();
    }
    press_ctrl_c(process);
    let ended = ended(child.wait_with_output().unwrap());
    assert_eq!((ended.code, ended.out.as_str()), (Some(130), ""));
    assert!(ended.err.contains("nothing was written"), "{}", ended.err);
    let left = folder.path().join("reports/mine/scenario");
    assert!(!left.exists() || files(&left).is_empty());
}

/// Sends Ctrl-C.
#[cfg(target_os = "linux")]
fn press_ctrl_c(process: u32) {
    assert!(Command::new("kill").args(["-INT", &process.to_string()]).status().unwrap().success());
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_after_playing_ends_a_run_at_once_with_130() {
    use std::io::Read;
    let folder = fresh();
    // the record of the former run is read after playing: a pipe in its place holds the program there
    let record = folder.path().join("out/run.json");
    std::fs::create_dir(folder.path().join("out")).unwrap();
    assert!(Command::new("mkfifo").arg(&record).status().unwrap().success());
    let words = ["run", "mine/scenario.toml", "--trials", "10", "--quiet", "--out", "out"];
    let mut child = houserule(folder.path(), &words).stderr(Stdio::piped()).spawn().unwrap();
    let pipe = std::fs::File::create(&record).unwrap(); // waits until the program has opened the other end
    press_ctrl_c(child.id());
    let (mut said, mut err) = ([0; 100], child.stderr.take().unwrap());
    let length = err.read(&mut said).unwrap(); // its end, or what it says before it goes on
    drop(pipe);
    assert_eq!(String::from_utf8_lossy(&said[..length]), "");
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

/// The program where no file can grow beyond so many blocks, as on a disk that is full.
#[cfg(unix)]
fn on_a_full_disk(folder: &Path, blocks: u32, words: &[&str]) -> Ended {
    let script = format!("ulimit -f {blocks} && trap '' XFSZ && exec \"$0\" \"$@\"");
    let mut command = Command::new("sh");
    command.current_dir(folder).args(["-c", &script, env!("CARGO_BIN_EXE_houserule")]).args(words);
    ended(command.output().unwrap())
}

#[cfg(unix)]
#[test]
fn a_run_on_a_full_disk_leaves_the_former_one_as_it_was() {
    let folder = fresh();
    let words = ["run", "mine/scenario.toml", "--trials", "10", "--quiet", "--out", "out"];
    assert_eq!(run(folder.path(), &words).code, Some(0));
    let before = files(&folder.path().join("out"));
    let pictures = before.iter().filter(|(_, bytes)| bytes.len() > 32 * 1024).count();
    assert!(pictures > 0 && pictures < before.len(), "some fit and some do not");
    let ended = on_a_full_disk(folder.path(), 32, &[&words[..], &["--seed", "7"]].concat());
    assert_eq!((ended.code, ended.out.as_str()), (Some(1), ""));
    assert!(ended.err.contains("cannot be written"), "{}", ended.err);
    assert!(files(&folder.path().join("out")) == before);
}

#[cfg(unix)]
#[test]
fn fmt_on_a_full_disk_ends_with_1_and_blames_no_file() {
    let folder = fresh();
    let base = folder.path().join("mine/base.rules");
    let untidy = std::fs::read_to_string(&base).unwrap().replace(" | ", "|");
    std::fs::write(&base, &untidy).unwrap();
    let ended = on_a_full_disk(folder.path(), 0, &["fmt", "mine/base.rules"]);
    assert_eq!((ended.code, ended.out.as_str()), (Some(1), ""));
    assert!(ended.err.contains("`mine/base.rules` cannot be written"), "{}", ended.err);
    assert!(ended.err.contains("it is as it was") && !ended.err.contains("mistake"), "{}", ended.err);
    assert_eq!(std::fs::read_to_string(&base).unwrap(), untidy);
    assert_eq!(files(&folder.path().join("mine")).len(), 3);
}

#[cfg(unix)]
#[test]
fn a_new_folder_on_a_full_disk_is_not_left_half_made() {
    let folder = tempfile::tempdir().unwrap();
    let full = on_a_full_disk(folder.path(), 0, &["new", "mine"]);
    assert_eq!((full.code, full.out.as_str()), (Some(1), ""));
    assert!(full.err.contains("`mine` cannot be made"), "{}", full.err);
    assert_eq!(run(folder.path(), &["new", "mine"]).code, Some(0));
}
