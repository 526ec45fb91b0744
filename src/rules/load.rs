//! A rules file and all that it extends, read from disk.
//!
//! In: a path. Out: the trees, base first; or a diagnostic at the `extends` line that leads astray.

use super::parser::parse_file;
use super::tree::{File, Word};
use crate::diagnostic::{Diagnostic, Diagnostics, FileId, Sources};
use std::path::{Component, Path, PathBuf};

/// A chain of drafts longer than this is a mistake.
const LONGEST_CHAIN: usize = 32;

/// Reads the file and what it extends; `None` if any of them is missing or broken.
pub(super) fn load_files(path: &Path, sources: &mut Sources, found: &mut Diagnostics) -> Option<Vec<File>> {
    let first = sources.read(path).map_err(|diagnostic| found.push(diagnostic)).ok()?;
    let folder = path.parent().unwrap_or(Path::new("")).to_path_buf();
    let mut chain = vec![first];
    let mut files = Vec::new();
    let mut sound = true;
    while let Some(file) = chain.last().copied() {
        let mistakes = found.iter().count();
        let tree = parse_file(file, sources, found)?;
        sound &= found.iter().count() == mistakes;
        let base = tree.extends.clone();
        files.push(tree);
        let Some(base) = base else { break };
        chain.push(base_file(&base, &folder, &chain, sources, found)?);
    }
    files.reverse();
    sound.then_some(files)
}

/// The file that an `extends` line names: below the folder of the first file, and not one of the chain.
fn base_file(
    base: &Word,
    folder: &Path,
    chain: &[FileId],
    sources: &mut Sources,
    found: &mut Diagnostics,
) -> Option<FileId> {
    let here = &sources.get(base.span.file).path;
    let Some(path) = inside(folder, here.parent().unwrap_or(Path::new("")), &base.text) else {
        let mistake =
            Diagnostic::error(base.span, "this file lies outside the folder of the rules", "not inside");
        found.push(mistake.remedy("keep a draft and its base in one folder, or in folders below it"));
        return None;
    };
    let read = sources.read(&path).map_err(|mistake| {
        let label = base.span;
        found.push(Diagnostic { labels: vec![(label, "named here".to_owned())], ..mistake });
    });
    let file = read.ok()?;
    if chain.contains(&file) || chain.len() >= LONGEST_CHAIN {
        let mistake =
            Diagnostic::error(base.span, "these files extend one another in a circle", "leads back");
        found.push(mistake.remedy("let one of them be the base: remove its `extends` line"));
        return None;
    }
    Some(file)
}

/// `name`, seen from the folder `here`, if that lies inside `folder`.
fn inside(folder: &Path, here: &Path, name: &str) -> Option<PathBuf> {
    let below = here.strip_prefix(folder).ok()?;
    let mut path = PathBuf::new();
    for component in below.join(name).components() {
        match component {
            Component::Normal(part) => path.push(part),
            Component::CurDir => {}
            Component::ParentDir if path.pop() => {}
            _ => return None,
        }
    }
    Some(folder.join(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_is_sought_beside_the_draft_and_never_outside_the_folder() {
        let folder = Path::new("rules");
        assert_eq!(inside(folder, folder, "a.rules"), Some("rules/a.rules".into()));
        assert_eq!(inside(folder, Path::new("rules/drafts"), "../a.rules"), Some("rules/a.rules".into()));
        assert_eq!(inside(folder, folder, "../a.rules"), None);
        assert_eq!(inside(folder, folder, "/etc/a.rules"), None);
    }
}
