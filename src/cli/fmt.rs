//! `houserule fmt`: rules files in the house style.

use super::out::Out;
use super::{Exit, render};
use crate::diagnostic::{Diagnostic, Diagnostics, Sources};
use crate::rules;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Lay out rules files: charts lined up in columns, comments kept
#[derive(clap::Args)]
#[command(after_help = "A file with a mistake is left as it is; so is one that is laid out already.")]
pub(super) struct Arguments {
    /// Rules files (.rules)
    #[arg(value_name = "FILE.rules", required = true)]
    files: Vec<PathBuf>,
    /// Only name the files that would change; exit code 3 if there are any
    #[arg(long)]
    check: bool,
}

/// Formats each file for itself: a mistake in one does not keep the others from it.
pub(super) fn run(arguments: &Arguments, out: &mut Out) -> std::io::Result<Exit> {
    let (mut sources, mut found) = (Sources::default(), Diagnostics::default());
    let mut changed = 0;
    for file in &arguments.files {
        let Some(text) = formatted(file, &mut sources, &mut found) else { continue };
        if arguments.check {
            writeln!(out, "{} would change", file.display())?;
        } else if let Err(error) = replace(file, &text) {
            let what = format!("`{}` cannot be written: {error}", file.display());
            found.push(Diagnostic::without_place(what).remedy("the file is as it was"));
            continue;
        } else {
            writeln!(out, "{} laid out anew", file.display())?;
        }
        changed += 1;
    }
    render::show(&sources, &found, "files with mistakes were left as they are");
    let wrong = found.has_errors() || (arguments.check && changed > 0);
    Ok(if wrong { Exit::BadFile } else { Exit::Done })
}

/// The file's new text; nothing if it has a mistake or is laid out already.
fn formatted(file: &Path, sources: &mut Sources, found: &mut Diagnostics) -> Option<String> {
    let id = sources.read(file).map_err(|diagnostic| found.push(diagnostic)).ok()?;
    match rules::format(id, sources) {
        Ok(text) => (text != sources.get(id).text).then_some(text),
        Err(diagnostics) => {
            found.extend(diagnostics);
            None
        }
    }
}

/// Puts a new text in a file's place, whole or not at all; where the name is a link, the file it leads to is replaced.
fn replace(file: &Path, text: &str) -> std::io::Result<()> {
    let file = file.canonicalize()?;
    let mut beside = file.clone().into_os_string();
    beside.push(format!(".{}.new", std::process::id()));
    let beside = PathBuf::from(beside);
    write_like(&file, &beside, text).and_then(|()| std::fs::rename(&beside, &file)).inspect_err(|_| {
        // It may not even be there; the first error is the one to tell.
        let _ = std::fs::remove_file(&beside);
    })
}

/// Writes a text to a new file with the permissions of `model`, down to the disk.
fn write_like(model: &Path, new: &Path, text: &str) -> std::io::Result<()> {
    let mut file = std::fs::File::create_new(new)?;
    file.set_permissions(std::fs::metadata(model)?.permissions())?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_whole_and_nothing_else_is_left_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.rules");
        std::fs::write(&file, "old").unwrap();
        replace(&file, "new").unwrap();
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "new");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_file_that_is_not_there_is_not_made() {
        let folder = tempfile::tempdir().unwrap();
        assert!(replace(&folder.path().join("a.rules"), "new").is_err());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
