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
    let scenario = folder.join("scenario.toml");
    writeln!(out, "Made {}: base.rules, draft.rules and scenario.toml.\n", folder.display())?;
    writeln!(out, "Next:\n  houserule run {}", render::pasteable(&scenario))?;
    writeln!(out, "then write your own rules into the two .rules files; houserule help rules shows how.")?;
    Ok(Exit::Done)
}

/// Makes the folder and its files; never writes into a folder that is there already.
fn make(folder: &Path) -> Result<()> {
    if let Some(parent) = folder.parent() {
        std::fs::create_dir_all(parent)?;
    }
    std::fs::create_dir(folder)?;
    FILES.iter().try_for_each(|(name, text)| std::fs::write(folder.join(name), text))
}

/// Says why there is no new folder.
fn refuse(folder: &Path, error: &std::io::Error) -> Exit {
    let name = folder.display();
    if error.kind() == ErrorKind::AlreadyExists {
        render::say(&format!("error: `{name}` is there already; nothing was changed. Choose another name."));
        return Exit::Usage;
    }
    render::say(&format!("error: `{name}` cannot be made: {error}"));
    Exit::Fault
}
