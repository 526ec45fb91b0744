//! `houserule new`: a folder to begin with.

use super::out::Out;
use super::{Exit, render};
use std::io::{ErrorKind, Result, Write};
use std::path::{Path, PathBuf};

/// Make a folder with rules, a draft and a scenario that run at once
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The folder to make; it must not be there yet
    #[arg(value_name = "NAME")]
    name: PathBuf,
}

/// What the folder holds.
const FILES: [(&str, &str); 3] = [
    ("base.rules", include_str!("new/base.rules")),
    ("draft.rules", include_str!("new/draft.rules")),
    ("scenario.toml", include_str!("new/scenario.toml")),
];

/// Makes the folder and says what to do next.
pub(super) fn run(arguments: &Arguments, out: &mut Out) -> Result<Exit> {
    let folder = &arguments.name;
    if let Err(error) = make(folder) {
        return Ok(refuse(folder, &error));
    }
    let file = |name: &str| render::pasteable(&folder.join(name));
    let [base, draft, scenario] = FILES.map(|(name, _)| file(name));
    writeln!(
        out,
        "Made {}: base.rules, draft.rules and scenario.toml.\n\n\
         Next:\n  \
         houserule roll {base}\n  \
         houserule run {scenario}\n\n\
         Then open {draft} in an editor, and let it be played at every save:\n  \
         houserule run {scenario} --watch\n\n\
         How a rule is written: houserule help rules",
        folder.display()
    )?;
    Ok(Exit::Done)
}

/// Makes the folder with all its files, or nothing; never writes into a folder that is there already.
fn make(folder: &Path) -> Result<()> {
    if let Some(parent) = folder.parent() {
        std::fs::create_dir_all(parent)?;
    }
    std::fs::create_dir(folder)?;
    let filled = FILES.iter().try_for_each(|(name, text)| std::fs::write(folder.join(name), text));
    filled.inspect_err(|_| {
        // Half a folder would only stand in the way of the next try; the first error is the one to tell.
        let _ = std::fs::remove_dir_all(folder);
    })
}

/// Says why there is no new folder.
fn refuse(folder: &Path, error: &std::io::Error) -> Exit {
    let name = folder.display();
    if let Some(file) = folder.ancestors().skip(1).find(|above| above.is_file()) {
        let file = file.display();
        render::say(&format!(
            "error: `{file}` is a file, so that no folder can be made in it. Choose another name."
        ));
        return Exit::Usage;
    }
    if error.kind() == ErrorKind::AlreadyExists {
        render::say(&format!("error: `{name}` is there already; nothing was changed. Choose another name."));
        return Exit::Usage;
    }
    render::say(&format!("error: `{name}` cannot be made: {error}"));
    Exit::Fault
}
